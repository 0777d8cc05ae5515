"""The links that a text tells between its events, read by the real parser."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from halgo import facts
from halgo.signals.time.event_links import Kind, Told, links

pytestmark = pytest.mark.models

WORDS = ["the", "tank", "because", "after", "it", "not", "led", "to", ",", ";", "then", "had"]
BEFORE, CAUSES, DENIED = Kind.BEFORE, Kind.CAUSES, Kind.DENIED


def told(text: str) -> list[tuple[Kind, str, str]]:
    """(kind, first event, second event) of each link."""
    (read,) = facts.extract([text])
    return [
        (link.kind, *(part.of(text).strip(" ,.;") for part in (link.first, link.second)))
        for link in links(Told(text, read))
    ]


@pytest.mark.parametrize(
    ("text", "kind", "first", "second"),
    [
        ("The mine closed before the war ended.", BEFORE, "The mine closed", "the war ended"),
        ("After the war ended, the mine closed.", BEFORE, "the war ended", "the mine closed"),
        (
            "Shortly after the war ended, the mine closed.",
            BEFORE,
            "the war ended",
            "the mine closed",
        ),
        ("It was after the war that it closed.", BEFORE, "the war", "it closed"),
        ("The mine closed because ore ran out.", CAUSES, "ore ran out", "The mine closed"),
        ("The frost led to a small harvest.", CAUSES, "The frost", "to a small harvest"),
        ("The loss was caused by frost.", CAUSES, "frost", "The loss was"),
        ("The loss was not caused by frost.", DENIED, "frost", "The loss was"),
        ("Bees had nothing to do with the loss.", DENIED, "Bees had", "the loss"),
        ("There is no evidence that bees caused the loss.", DENIED, "bees", "the loss"),
        ("They saw no link between bees and loss.", DENIED, "bees", "loss"),
        ("Open the lid. Drain the tank.", BEFORE, "Open the lid", "Drain the tank"),
        ("First sand the wood, then oil it.", BEFORE, "First sand the wood", "then oil it"),
        ("Anna, who had won twice, retired.", BEFORE, "who had won twice", "retired"),
    ],
)
def test_a_link_is_read_off_its_words(text: str, kind: Kind, first: str, second: str) -> None:
    assert (kind, first, second) in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Profit before tax rose.",
        "The mine was named after a saint.",
        "He has lived here ever since.",
        "Use the spray once a day.",
        "The loss was great. The bees were few.",
        "The handle is made of cork.",
        "Cleaning the mill. Storing the mill.",
    ],
)
def test_what_only_looks_like_a_link_is_none(text: str) -> None:
    assert told(text) == []


def test_not_only_denies_nothing() -> None:
    kinds = [kind for kind, _, _ in told("It failed not only because of rain but because of ice.")]
    assert set(kinds) == {CAUSES}


@settings(max_examples=30, deadline=None)
@given(some.lists(some.sampled_from(WORDS)))
def test_any_words_give_stretches_of_the_text(said: list[str]) -> None:
    text = " ".join(said)
    (read,) = facts.extract([text])
    for link in links(Told(text, read)):
        for part in (link.first, link.second, link.cue):
            assert 0 <= part.start <= part.end <= len(text)


@pytest.mark.parametrize("word", ["; ", "a, ", "because ", "he had gone, and ", "first then "])
def test_a_hostile_text_takes_no_longer(word: str) -> None:
    text = (word * 8000)[:16_000]
    (read,) = facts.extract([text])
    start = time.process_time()
    links(Told(text, read))
    assert time.process_time() - start < 2
