"""Work grows with the text and not with its square, whatever the text: counted, not timed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from halgo import Checker, Config, Halgorithm
from halgo.errors import DocumentError
from halgo.evidence import build
from halgo.facts import extract, parse, published
from halgo.sources import restarts as restarts_of
from halgo.sources import sentences
from halgo.sources.sentences import LONGEST, split
from halgo.types import Document


def read_while_streaming(monkeypatch: pytest.MonkeyPatch, text: str, size: int) -> int:
    """How many characters are split into sentences while `text` comes in pieces of `size`."""
    from halgo import stream

    read: list[int] = []

    def counting(window: str) -> Any:
        read.append(len(window))
        return split(window)

    monkeypatch.setattr(stream, "split", counting)
    monkeypatch.setattr(stream.Extraction, "claims", lambda *_: [])
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    session = Checker.from_docs([], halgorithm=halgorithm).session()
    for at in range(0, len(text), size):
        session.feed(text[at : at + size])
    return sum(read)


@pytest.mark.parametrize(
    "line",
    [
        "- The plan costs 9 EUR.\n",
        "1. It is open.\n",
        "# Fees\nThe fee is 5%.\n",
        "The fee is 5%. ",
        "| Basic | 9 EUR. |\n",
        "e.g. ",
        "one ",
    ],
)
def test_a_stream_without_blank_lines_is_read_in_proportion(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    once, twice = (read_while_streaming(monkeypatch, (line * n)[:n], 40) for n in (12_000, 24_000))
    assert twice <= 3 * once


def test_a_list_is_let_go_of_item_by_item(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "- The plan costs 9 EUR.\n" * 400
    assert read_while_streaming(monkeypatch, text, 5) < 200 * len(text)


def test_a_drawn_table_and_settings_have_no_place_to_restart_at() -> None:
    text = (
        "a\n\n+--+--+\n|a |b |\n+--+--+\n|c |d |\n+--+--+\n\n"
        "[server]\nport = 1\n\nhost = 2\n\nThat is all.\nMore\n"
    )
    places = [text[at:].split("\n")[0] for at in restarts_of.restarts(text)]
    assert places == ["a", "", "+--+--+", "", "[server]", "That is all."]
    whole = split(text)
    for at in restarts_of.restarts(text):
        again = [one.reading.text for one in split(text[at:])]
        assert again == [one.reading.text for one in whole][-len(again) :] if again else True


def test_a_table_and_code_have_no_place_to_restart_at() -> None:
    text = "- a\n- b\n| x |\n|---|\n| y |\n\n```\n# no\n\n- no\n```\n# c\nd\ne\n"
    places = [text[at:].split("\n")[0] for at in restarts_of.restarts(text)]
    assert places == ["- a", "- b", "| x |", "", "```", "# c", "d"]


class Counted(str):
    """A text that counts how many of its characters are copied."""

    copied = 0

    def __getitem__(self, at: Any) -> str:
        found = super().__getitem__(at)
        Counted.copied += len(found)
        return found


@pytest.mark.parametrize("head", ["", "(" * 2000])
def test_full_stops_that_end_no_sentence_are_looked_at_in_proportion(head: str) -> None:
    copied = []
    for n in (10_000, 20_000, 40_000):
        Counted.copied = 0
        list(sentences._ends(Counted(head + "a. " * n), set()))
        copied.append(Counted.copied)
    assert all(after <= 2.2 * before for before, after in pairwise(copied)), copied


def test_the_name_of_a_column_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = sentences._whole

    def counting(text: str, span: Any, literal: bool) -> Any:
        read.append(span.of(text))
        return whole(text, span, literal)

    monkeypatch.setattr(sentences, "_whole", counting)
    found = split("| Name |\n|---|\n" + "| x |\n" * 50)
    assert [one.reading.text for one in found] == ["Name: x"] * 50
    assert read.count("Name") == 1


# --- the parser ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "x", "One. Two. " * 900, "word " * 3000, "x" * 9001, "a. " * LONGEST]
)
def test_stretches_are_the_text_and_none_is_longer_than_a_sentence(text: str) -> None:
    spans = parse.stretches(text)
    assert "".join(span.of(text) for span in spans) == text
    assert all(len(span) <= LONGEST for span in spans)
    assert len(spans) <= 1 + 2 * len(text) // LONGEST


def test_stretches_end_behind_a_sentence_where_one_ends() -> None:
    text = "The fee is 5%. " * 200
    assert all(span.of(text).endswith("5%. ") for span in parse.stretches(text))


@pytest.mark.models
def test_no_more_than_a_stretch_is_parsed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    told = parse.parse

    def counting(texts: Any) -> Any:
        parsed.extend(map(len, texts))
        return told(texts)

    monkeypatch.setattr(parse, "parse", counting)
    checker = Checker.from_docs(
        "The fee is 5%.", halgorithm=Halgorithm(embedder="lexical", entailment=None)
    )
    (result,) = checker.check_claims(["It costs 7 EUR, and the fee is 5%, " * 300])
    assert len(result.claim.text) > 5 * LONGEST >= 5 * max(parsed)


@pytest.mark.models
def test_the_facts_of_a_long_text_stand_where_they_stand_in_it() -> None:
    text = "".join(f"Plan {n} costs {n} EUR. " for n in range(300, 500))
    (facts,) = extract([text])
    costs = [found for found in facts.quantities if "EUR" in found.span.of(text)]
    assert [int(found.low) for found in costs] == list(range(300, 500))
    assert all(str(int(found.low)) in found.span.of(text) for found in costs)


@pytest.mark.models
@pytest.mark.parametrize(
    "knot", ["$" * 150, "=" * 2000, "'s" * 200, "a " + ")" * 101 + " b", "_" * 120]
)
def test_a_knot_of_marks_is_taken_apart_in_pieces(knot: str) -> None:
    text = f"The fee is 5%. {knot} It is low."
    asked: list[int] = []
    nlp = parse.pipeline()

    class Pipeline:
        def make_doc(self, part: str) -> Any:
            asked.append(len(part))
            return nlp.make_doc(part)

    doc = parse.tokenized(Pipeline(), text)  # type: ignore[arg-type]
    assert doc.text == text and [t.text for t in doc][-4:] == ["It", "is", "low", "."]
    assert max(asked) <= 100
    (read,) = parse.parse([text])
    assert read.text == text


# --- classic mode --------------------------------------------------------------------------------


@pytest.mark.models
@pytest.mark.filterwarnings("ignore:Classifier dependencies")  # whichever test imports it first
def test_long_numerals_are_kept_from_the_quantity_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    from quantulum3 import parser

    seen: list[str] = []
    told = parser.parse

    def counting(text: str) -> Any:
        seen.append(text)
        return told(text)

    monkeypatch.setattr(parser, "parse", counting)
    long = "7" * 200
    found = published.numbers(f"It costs 5 km, -{long}, 0.{long} and {'9' * 400}.")
    assert found == (5.0, -float(long), float(f"0.{long}"))
    assert "777" not in seen[0] and "999" not in seen[0] and "5 km" in seen[0]


@pytest.mark.models
def test_long_numerals_are_compared_in_classic_mode() -> None:
    halgorithm = Halgorithm(Config.classic(), embedder="lexical")
    checker = Checker.from_docs(f"The code is {'7' * 30}.", halgorithm=halgorithm)
    report = checker.check_claims([f"The code is {'7' * 30}.", f"The code is {'6' * 30}."])
    same, other = report.claim_dicts()
    assert (same["status"], other["status"]) == ("SUPPORTED", "CONTRADICTION")


# --- the index -----------------------------------------------------------------------------------


def test_more_text_than_an_index_holds_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(build, "MOST_CHARACTERS", 100)
    monkeypatch.setattr(build, "_cut", lambda *_: pytest.fail("was read"))
    documents = [Document("a", "x" * 60, "a.md"), Document("b", "y" * 50, "b.md")]
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    with pytest.raises(
        DocumentError, match=r"110 characters.* 100.*'a.md' with 60.*several"
    ) as told:
        Checker.of(halgorithm, documents)
    assert told.value.source == "a.md"
