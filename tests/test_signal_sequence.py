"""What came first and what caused what: claims beside passages, both read by the real parser."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_values import NoWords, claim_of, evidence_of, pair_of

from halgo import facts
from halgo.signals.time import event_order
from halgo.types import Pair, Reading, Span, Stance

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
    return [tuple(s.kind for s in seen) for seen in event_order.signals(pairs, NoWords())]


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


PITCH = "The match was called off because the pitch was flooded."
CRASH = "Two riders fell on the descent. Their fall was unrelated to the rain, the judges said."


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("The pitch was flooded because the match was called off.", PITCH, "order_conflict"),
        ("The flooding of the pitch came after the match was called off.", PITCH, "order_conflict"),
        ("The flooded pitch led to the match being called off.", PITCH, "order_agrees"),
        ("The fall of the riders was caused by the rain.", CRASH, "negation"),
        ("The fall was not due to the rain.", CRASH, "order_agrees"),
        (
            "The decrease in output prompted the purchase of a mine.",
            "Output was 4 tonnes. The decrease was due to the purchase of a mine.",
            "order_conflict",
        ),
        (
            "The shed had been locked before thieves entered it.",
            "Thieves entered the shed in May. The owner has since locked the shed.",
            "order_conflict",
        ),
        (
            "The lid is unscrewed before the tank is drained.",
            "Drain the tank. Unscrew the lid. Rinse both with water.",
            "order_conflict",
        ),
        (
            "The choir was founded because the organ was sold.",
            "The choir was founded in spring. Eleven people came. The hall is large. The organ was "
            "sold to a school.",
            "unsupported_link",
        ),
    ],
)
def test_a_cause_comes_first_and_has_to_be_told(claim: str, passage: str, kind: str) -> None:
    assert kinds(claim, passage) == [(kind,)]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        # What came first need not be the cause, and the order is no conflict.
        ("The match was called off because of the fog.", "After the fog the match was called off."),
        # An aim is no cause that came first.
        (
            "The firm cut prices because customers should return.",
            "The firm cut prices so that customers return.",
        ),
        # "did" is "scored": that Ola scored later says nothing of when Per did.
        ("Per scored before Ola did.", "Ola passed to Per and scored a minute later."),
        # Side by side, the second sentence may say what came of the first.
        (
            "The cellar was flooded because the pump failed.",
            "The pump failed at night. The cellar was flooded.",
        ),
    ],
)
def test_what_may_be_meant_is_not_denied(claim: str, passage: str) -> None:
    assert kinds(claim, passage) == [()]


def test_a_circle_says_both() -> None:
    passage = "Debt leads to poverty. Poverty, in turn, leads to debt."
    assert kinds("Debt leads to poverty.", passage) == [("order_agrees",)]
    assert kinds("Poverty leads to debt.", passage) == [("order_agrees",)]


def test_windows_of_one_document_are_read_together() -> None:
    text = "Thieves entered the shed. Tools were taken. The owner has since locked the shed."
    claim = "The owner locked the shed before thieves entered it."
    cuts = [Span(0, 43), Span(26, len(text))]
    (ours,) = facts.extract([claim])
    parts = [span.of(text) for span in cuts]
    pairs = []
    for span, part, theirs in zip(cuts, parts, facts.extract(parts), strict=True):
        evidence = evidence_of(part)
        chunk = replace(evidence.chunk, span=span)
        reading = Reading.verbatim(part, span.start)
        pairs.append(
            Pair(claim_of(claim), ours, replace(evidence, chunk=chunk, reading=reading), theirs)
        )
    first, second = event_order.signals(pairs, NoWords())
    assert [s.kind for s in (*first, *second)] == ["order_conflict"] * 2
    assert first[0].evidence_span is None
    assert second[0].evidence_span is not None
    assert second[0].evidence_span.of(parts[1]) == "has since"


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
    (first, _) = event_order.signals(pairs, NoWords())
    assert [s.kind for s in first] == ["order_conflict"]
    assert first[0].stance is Stance.CONTRADICTS
    assert first[0].message.endswith('"3 May 2021 and 2 June 2019".')


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_it(claim: str, passage: str) -> None:
    (ours, theirs) = facts.extract([f"{claim} before {claim}", f"{passage} after, then {passage}"])
    texts = f"{claim} before {claim}", f"{passage} after, then {passage}"
    assert len(event_order.signals([pair_of(texts[0], ours, texts[1], theirs)], NoWords())) == 1
