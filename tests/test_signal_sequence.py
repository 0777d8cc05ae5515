"""What came first: claims beside passages, both read by the real parser."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_values import NoWords, evidence_of, pair_of

from halgo import facts
from halgo.signals import sequence
from halgo.types import Pair, Stance

pytestmark = pytest.mark.models

BRIDGE = "The old bridge was closed in 1921, and the new bridge was opened in 1934."
TRAIN = "08:10 departure of the train. 08:45 arrival of the guests."


def kinds(claim: str, *passages: str) -> list[tuple[str, ...]]:
    """The kinds of signal that each passage gets."""
    (ours,) = facts.extract([claim])
    pairs = [
        pair_of(claim, ours, passage, theirs)
        for passage, theirs in zip(passages, facts.extract(passages), strict=True)
    ]
    return [tuple(s.kind for s in seen) for seen in sequence.signals(pairs, NoWords())]


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("The old bridge was closed before the new bridge was opened.", BRIDGE, "order_agrees"),
        ("The old bridge was closed after the new bridge was opened.", BRIDGE, "order_conflict"),
        ("The new bridge was opened after the old bridge was closed.", BRIDGE, "order_agrees"),
        ("After the new bridge was opened, the old one was closed.", BRIDGE, "order_conflict"),
        ("The arrival of the guests was before the departure.", TRAIN, "order_conflict"),
        (
            "The varnish is applied before the wood is sanded.",
            "Sand the wood, then apply the varnish.",
            "order_conflict",
        ),
        (
            "The firm was in Lyon after it was in Cork.",
            "It has been made in Cork since 2015, and before that in Lyon.",
            "order_conflict",
        ),
    ],
)
def test_the_sources_dates_or_words_decide(claim: str, passage: str, kind: str) -> None:
    assert kinds(claim, passage) == [(kind,)]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        # A day and no event, a fixed phrase, a denial, no time at all.
        ("The old bridge was closed before 1934.", BRIDGE),
        ("Profit before tax rose.", "Profit rose in 1921 and tax rose in 1934."),
        ("The new bridge was not opened after the old bridge was closed.", BRIDGE),
        ("The old bridge was closed after the mayor resigned.", BRIDGE),
        # The same year for both; two years for one.
        ("The hall was built before the tower was built.", "Hall and tower were built in 1880."),
        (
            "The hall was painted after the tower was built.",
            "The hall was painted in 1880. The hall was painted in 1910. "
            "The tower was built in 1900.",
        ),
        # Past noon or before it, the hands do not say.
        ("The guests arrived after the train left.", "11:50 train left. 12:10 guests arrived."),
    ],
)
def test_what_orders_nothing_for_certain_gives_no_signal(claim: str, passage: str) -> None:
    assert kinds(claim, passage) == [()]


def test_dates_of_two_passages_are_compared_and_a_conflict_counts_beside_each() -> None:
    claim = "The hotel was sold before the garden was laid out."
    found = kinds(
        claim,
        "The garden was laid out in 1902.",
        "The hotel was sold in 1950.",
        "The hotel has a garden.",
    )
    assert found == [("order_conflict",)] * 3


def test_the_heading_above_a_passage_dates_it() -> None:
    claim = "The search page was added after the login page."
    texts = ["2.0 (3 May 2021) Added: the login page.", "1.9 (2 June 2019) Added: the search page."]
    headings = ("2.0 (3 May 2021)", "1.9 (2 June 2019)")
    (ours,) = facts.extract([claim])
    pairs = []
    for text, theirs in zip(texts, facts.extract(texts), strict=True):
        plain = pair_of(claim, ours, text, theirs)
        evidence = replace(evidence_of(text), headings=headings)
        pairs.append(Pair(plain.claim, ours, evidence, theirs))
    (first, _) = sequence.signals(pairs, NoWords())
    assert [s.kind for s in first] == ["order_conflict"]
    assert first[0].stance is Stance.CONTRADICTS
    assert first[0].message.endswith('"3 May 2021 and 2 June 2019".')


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_it(claim: str, passage: str) -> None:
    (ours, theirs) = facts.extract([f"{claim} before {claim}", f"{passage} after, then {passage}"])
    texts = f"{claim} before {claim}", f"{passage} after, then {passage}"
    assert len(sequence.signals([pair_of(texts[0], ours, texts[1], theirs)], NoWords())) == 1
