"""A claim, an answer or a passage that repeats itself is checked in proportion to its length."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from halgo import Checker, Halgorithm
from halgo.claims import markers, unmark
from halgo.claims.markers import marks_of
from halgo.claims.unmark import without
from halgo.facts.parse import stretches
from halgo.signals import registry
from halgo.signals.matching import Arguments, compare
from halgo.signals.portions import portions
from halgo.signals.segments import covering
from halgo.sources.sentences import LONGEST
from halgo.types import (
    Chunk,
    Claim,
    ClaimKind,
    Evidence,
    Facts,
    Name,
    Pair,
    Piece,
    Quantity,
    Reading,
    Signal,
    Span,
    Stance,
    Term,
)

DOC = "Acme Corp was founded in 1998 by Ann Lee. The Basic plan costs 9 EUR."


def quick() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


# --- citation marks in a stream ------------------------------------------------------------------


def searched(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    """How many characters are searched for citation marks while `text` comes in pieces of 100."""
    from halgo import stream

    read: list[int] = []

    def counting(window: str, *args: Any, **named: Any) -> Any:
        read.append(len(window))
        return marks_of(window, *args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(stream, "marks_of", counting)
        patch.setattr(unmark, "marks_of", counting)
        patch.setattr(stream.Extraction, "claims", lambda *_: [])
        session = Checker.from_docs([], halgorithm=quick()).session()
        for at in range(0, len(text), 100):
            session.feed(text[at : at + 100])
    return sum(read)


@pytest.mark.parametrize(
    "line",
    [
        "- The fee is 5% [1].\n",
        "The fee is 5% [1].\n\n",
        "- It (rose.\n",
        "It `rose. ",
        "Sources:\n- Fee.\n",
        "- a [1]\r",
    ],
)
def test_marks_of_a_stream_are_searched_for_in_proportion(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    once, twice = (searched(monkeypatch, (line * n)[:n]) for n in (6_000, 12_000))
    assert 0 < twice <= 3 * once


def test_backticks_of_a_line_are_paired_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    runs = markers._Scan.runs

    def counting(*args: Any) -> Any:
        nonlocal asked
        asked += 1
        return runs(*args)

    monkeypatch.setattr(markers._Scan, "runs", counting)
    text = " ".join("`" * (1 + n % 60) + "[1]" for n in range(2000))
    assert marks_of(text).code and asked == 1


class Pieces(tuple[Piece, ...]):
    """The pieces of a reading, which count how often one is looked at."""

    looked = 0

    def __iter__(self) -> Any:
        for piece in super().__iter__():
            Pieces.looked += 1
            yield piece

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        Pieces.looked += len(found) if isinstance(at, slice) else 1
        return found


def test_marks_are_taken_out_of_a_reading_in_proportion() -> None:
    looked = []
    for n in (500, 1000, 2000):
        text = "[1] b " * n
        pieces = Pieces(Piece(at, Span(at, at + 6)) for at in range(0, len(text), 6))
        Pieces.looked = 0
        bare = without(Reading(text, pieces), [one.span for one in marks_of(text).markers])
        assert bare.text == ("b " * n).strip()
        looked.append(Pieces.looked)
    assert all(after <= 2.2 * before for before, after in pairwise(looked)), looked


# --- claims longer than a sentence ---------------------------------------------------------------


def pair(text: str, facts: Facts) -> Pair:
    reading = Reading.verbatim(DOC)
    span = Span(0, len(DOC))
    evidence = Evidence(Chunk(0, "d", span, DOC, Span(0, 1)), "d", span, 0.5, 0.5, reading, span)
    own = Reading.verbatim(text)
    claim = Claim(1, text, Span(0, len(text)), ClaimKind.FACT, own, text)
    return Pair(claim, facts, evidence, Facts())


def test_a_long_claim_is_looked_at_in_stretches_that_hold_all_its_facts() -> None:
    text = "It costs 5 EUR. " * 400
    places = [Span(at, at + 5) for at in range(9, len(text), 16)]
    facts = Facts(
        quantities=tuple(Quantity(5, 5, "EUR", span) for span in places),
        terms=tuple(Term("cost", "VERB", Span(s.start - 6, s.start - 1)) for s in places),
        relations=(("cost", "object", "cost"), ("cost", "object", "plan")),
    )
    whole = pair(text, facts)
    found = portions([whole, whole])
    assert {one.at for one in found} == {0, 1}
    mine = [one for one in found if one.at == 0]
    assert "".join(one.pair.claim.text for one in mine) == text
    assert [one.start for one in mine] == [span.start for span in stretches(text)]
    assert all(len(one.pair.claim.text) <= LONGEST for one in mine)
    told = [
        quantity.span.shift(one.start)
        for one in mine
        for quantity in one.pair.claim_facts.quantities
    ]
    assert told == places
    for one in mine:
        part = one.pair.claim_facts
        assert {q.span.of(one.pair.claim.text) for q in part.quantities} == {"5 EUR"}
        assert part.relations == (("cost", "object", "cost"),)


def test_a_claim_as_long_as_a_sentence_is_looked_at_as_it_is() -> None:
    whole = pair("x" * LONGEST, Facts())
    (portion,) = portions([whole])
    assert portion.pair is whole


def test_what_a_rule_sees_in_a_long_claim_is_marked_where_it_stands() -> None:
    def look(view: registry.View) -> list[Signal]:
        at = view.pair.claim.text.find("wrong")
        return [Signal("x", Stance.CONTRADICTS, 1.0, "", Span(at, at + 5))] if at >= 0 else []

    text = "It is so. " * 300 + "It is wrong. " + "It is so. " * 300
    rule = registry.Rule("probe", "terms", frozenset({"x"}), look)
    ((signal,),) = registry.Rules([rule], quick().lexicon).compare(
        [pair(text, Facts())], Checker.from_docs([], halgorithm=quick()).index.corpus
    )
    assert signal.claim_span is not None and signal.claim_span.of(text) == "wrong"


@pytest.mark.models
def test_a_wrong_amount_late_in_a_long_claim_is_seen() -> None:
    checker = Checker.from_docs(DOC, halgorithm=quick())
    claim = "Acme Corp was founded in 1998 by Ann Lee. " * 60 + "The Basic plan costs 7 EUR."
    (result,) = checker.check_claims([claim])
    conflicts = {
        signal.claim_span.of(claim)
        for one in result.assessments
        for signal in one.signals
        if signal.kind == "number_conflict" and signal.claim_span
    }
    assert conflicts == {"7 EUR"}


# --- what rules look at --------------------------------------------------------------------------


def test_whether_a_stretch_is_covered_is_told_like_by_looking_at_each() -> None:
    spans = [Span(3, 5), Span(1, 9), Span(12, 12), Span(14, 15), Span(14, 20)]
    covers = covering(spans)
    for start in range(24):
        for end in range(start, 24):
            expected = any(Span(start, end).overlaps(span) for span in spans)
            assert covers(Span(start, end)) is expected
    assert not covering([])(Span(0, 5))


def test_a_name_that_is_repeated_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from halgo.signals import matching

    asked: list[Any] = []
    monkeypatch.setattr(matching, "same_name", lambda *names: asked.append(names) or 0.0)
    names = tuple(Name("Ann", "PERSON", "ann", Span(at, at + 3)) for at in range(0, 400, 4))
    facts = Facts(names=names)
    compare("ann", Arguments(facts), "ann", Arguments(facts), quick().lexicon)
    assert len(asked) == 1
