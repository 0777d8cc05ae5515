"""How a claim was typed changes no verdict: its full stop, quotation marks, dashes, one slip."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_values import claim_of

from halgo import Checker, Halgorithm, Verdict
from halgo.claims.extract import as_claims
from halgo.claims.normal import as_read, as_written, dashed, normal, respelled, spliced
from halgo.facts.spelling import corrections, suspects
from halgo.types import Corpus, Reading, Signal, Span, Stance
from halgo.verdict.own_words import in_own_words

BRIDGE = """The Orrin Bridge opened on 4 May 1931 and carries 12,000-14,000 vehicles a day. It is
640 metres long. Its toll was abolished in 1987. No lorry of more than 7.5 tonnes may cross it. The
well-known bridge was designed by Ada Fenwick, who had never built in steel before. It is 12 metres
wide and was painted green in 2004."""
CLAIMS = {
    "The Orrin Bridge is 640 metres long.": Verdict.SUPPORTED,
    "Ada Fenwick designed the well-known bridge.": Verdict.SUPPORTED,
    "The bridge carries 12,000-14,000 vehicles a day.": Verdict.SUPPORTED,
    "The toll was abolished in 1987.": Verdict.SUPPORTED,
    "The bridge is 700 metres long.": Verdict.CONTRADICTION,
    "The toll was abolished in 1990.": Verdict.CONTRADICTION,
    "Lorries of 9 tonnes may not cross the bridge.": Verdict.SUPPORTED,
}


# --- the form in which a claim is read -----------------------------------------------------------


@pytest.mark.parametrize(
    "written, read",
    [
        # A full stop at the end, once.
        ("The fee is 5%", "The fee is 5%."),
        ("The fee is 5%.", "The fee is 5%."),
        ("The fee is 5% .", "The fee is 5%."),
        ("The fee is 5%...", "The fee is 5%."),
        ("It left the U.S", "It left the U.S."),
        ("He said 'no.'", "He said 'no.'"),
        ('He said "no"', 'He said "no".'),
        ("(The fee is 5%.)", "(The fee is 5%.)"),
        ("The fee (5%)", "The fee (5%)."),
        ("Is it 5%?", "Is it 5%?"),
        ("The fees are:", "The fees are:"),
        ("The fees are:.", "The fees are:"),
        # Quotation marks that enclose the whole and nothing else.
        ('"The fee is 5%."', "The fee is 5%."),
        ('"The fee is 5%".', "The fee is 5%."),
        ("'The fee isn't 5%.'", "The fee isn't 5%."),
        ("\u00abThe fee is 5%\u00bb", "The fee is 5%."),
        ('"He said "no" to it."', 'He said "no" to it.'),
        ('"Up" and "Down"', '"Up" and "Down".'),
        ('"Up" is a film.', '"Up" is a film.'),
        ('The film is "Up"', 'The film is "Up".'),
        ('"The fee is 5%.', "The fee is 5%."),
        ('The fee is 5%."', "The fee is 5%."),
        ('The pipe is 5"', 'The pipe is 5".'),
        ("The plan is the boys'", "The plan is the boys'."),
        # One sign for hyphens and ranges, one for dashes.
        ("A well\u2013known 5\u20137% rise", "A well-known 5-7% rise."),
        ("It fell to \u20135", "It fell to -5."),
        ("The fee - as ever - is due", "The fee \u2013 as ever \u2013 is due."),
        ("The fee \u2013 as ever \u2013 is due", "The fee \u2013 as ever \u2013 is due."),
        ("10 \u2013 3 = 7", "10 - 3 = 7."),
        ("10 - 3 = 7", "10 - 3 = 7."),
        # Nothing to read is left alone.
        ('"..."', '"..."'),
        ("\u2013", "\u2013"),
        ("", ""),
    ],
)
def test_a_claim_is_read_in_one_form_however_it_was_typed(written, read):
    assert normal(Reading.verbatim(written)).text == read


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("mark", [" [1]", " [1].", "[1]", " [1][2]."])
def test_a_citation_mark_at_the_end_is_not_read(claim, mark):
    for text in (claim + mark, claim.rstrip(".") + mark):
        assert as_read(as_claims([text])[0]).text == claim


def test_a_citation_mark_behind_a_backtick_that_nothing_closes_is_not_read():
    (claim,) = as_claims(["She is `rested' and well. [1]."])
    assert claim.text == "She is rested' and well."


@given(st.text(alphabet="ab 5.\"'-\u2013\u00ab\u00bb!?:;)(", max_size=40))
def test_every_character_that_is_read_stood_in_the_answer(text):
    reading = normal(Reading.verbatim(text))
    for piece in reading.pieces:
        said = reading.text[piece.at : piece.at + len(piece.span)]
        assert dashed(piece.span.of(text)) == dashed(said) or set(said) <= set("-\u2013")
    glued = len(reading.text) - sum(len(piece.span) for piece in reading.pieces)
    assert glued <= 1  # a full stop


@given(st.text(alphabet="ab 5-\u2013\u2012", max_size=30))
def test_dashes_are_told_alike_in_either_writing_and_no_text_is_moved(text):
    told = dashed(text)
    assert len(told) == len(text) and dashed(told) == told
    assert dashed(text.replace("-", "\u2013")) == told


def test_other_letters_stand_where_the_written_ones_do():
    text = "Note: the goverment met in jnauary."
    reading = Reading.verbatim(text)
    edits = [(Span(10, 19), "government"), (Span(27, 34), "january")]
    read = spliced(reading, edits)
    assert read.text == "Note: the government met in january."
    for word, written in [("government", "goverment"), ("january", "jnauary"), ("met", "met")]:
        at = read.text.index(word)
        place = read.locate(Span(at, at + len(word)))
        assert place is not None and place.of(text) == written


def test_a_part_is_shown_as_it_was_written():
    (claim,) = as_claims(["The 5\u20137 day plan costs 9 EUR and the other palns 19 EUR"])
    read = respelled(as_read(claim), {"palns": "plans"})
    assert read.text == "The 5-7 day plan costs 9 EUR and the other plans 19 EUR."
    shown = as_written(read, claim)
    assert shown.text == "The 5\u20137 day plan costs 9 EUR and the other palns 19 EUR."


# --- one slip ------------------------------------------------------------------------------------


class Known:
    """A lexicon of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = frozenset(words)

    def knows(self, word: str) -> bool:
        return word in self.words

    def synonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()

    def antonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()


LEXICON = Known("plastics", "cellular", "bridge", "green", "trial", "weather", "ratio")


@pytest.mark.models
@pytest.mark.parametrize(
    "text, found",
    [
        ("The brigde is green.", ["brigde"]),
        ("Brigde tolls fell.", ["Brigde", "tolls"]),
        ("The bridge of Brigde is green.", []),  # a name
        ("The brdg is green.", []),  # too short to tell
        ("What they would have thought themselves.", []),
        ("The corvanol trial.", []),  # a word of the documents
        ("See brigde.example.org, ab@brigde.org, docs/brigde and brigde-2.", []),
        ("W\u00f6rterb\u00fccher sind gr\u00fcn", ["W\u00f6rterb\u00fccher"]),
    ],
)
def test_only_words_that_nobody_knows_are_suspect(text, found):
    assert suspects(text, Corpus(terms=frozenset({"corvanol"})), LEXICON) == found


@pytest.mark.models
@pytest.mark.parametrize(
    "word, passage, meant",
    [
        ("brigde", "The bridge is green.", "bridge"),
        ("Brigde", "The bridge is green.", "Bridge"),
        ("brige", "The bridge is green.", "bridge"),
        ("briddge", "The bridge is green.", "bridge"),
        ("brifge", "The bridge is green.", "bridge"),
        ("fridge", "The bridge is green.", None),  # another first letter is another word
        ("bridges", "A bridge or bridget.", None),  # of two nobody knows which
        ("macroplastics", "The microplastics sank.", None),  # made of a word on purpose
        ("acellular", "The cellular vaccine.", None),
        ("wetaher", "The bridge is green.", "weather"),  # the only word it can be
        ("weathe", "The bridge is green.", None),  # another slip has to stand in a passage
        ("hanesn", "Hansen came.", "hansen"),
        ("hansan", "Hansen came.", None),  # two names may differ by one letter
        ("trailx", "A trial.", None),
    ],
)
def test_an_unknown_word_is_the_one_that_it_is_a_slip_from(word, passage, meant):
    assert corrections([word], (), [passage], LEXICON) == ({word: meant} if meant else {})


@pytest.mark.models
def test_a_name_of_the_claim_is_only_set_right_where_two_letters_are_exchanged():
    assert corrections(["rogers"], {"rogers"}, ["brendan rodgers came"], LEXICON) == {}
    assert corrections(["rogders"], {"rogders"}, ["brendan rodgers came"], LEXICON) == {
        "rogders": "rodgers"
    }


def test_a_lexicon_that_knows_no_words_suspects_none():
    class Bare:
        def synonyms(self, lemma: str) -> frozenset[str]:
            return frozenset()

        antonyms = synonyms

    assert suspects("The brigde is green.", Corpus(), Bare()) == []


# --- verdicts ------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def checker() -> Checker:
    return Halgorithm().checker([{"id": "bridge", "text": BRIDGE, "source": "bridge"}])


def noisy(claim: str) -> list[str]:
    dash = [claim.replace("-", "\u2013")] if "-" in claim else []
    return [
        claim.rstrip("."),
        f'"{claim}"',
        f"\u201c{claim}\u201d",
        f"{claim} [1].",
        f"{claim.rstrip('.')} [1].",
        *dash,
    ]


@pytest.mark.models
def test_how_a_claim_was_typed_changes_no_verdict():
    before = dict(zip(CLAIMS, checker().check_claims(list(CLAIMS)), strict=True))
    assert {claim: result.verdict for claim, result in before.items()} == CLAIMS
    for claim, result in before.items():
        asked = noisy(claim)
        for text, after in zip(asked, checker().check_claims(asked), strict=True):
            assert (after.verdict, after.reason) == (result.verdict, result.reason), text
            assert after.score == result.score, text
        for text, report in zip(asked, checker().check_many(asked), strict=True):
            assert [found.verdict for found in report] == [result.verdict], text


@pytest.mark.models
@pytest.mark.parametrize(
    "right, typed",
    [
        ("The bridge is 640 metres long.", "The brigde is 640 metres long."),
        ("The toll was abolished in 1987.", "The toll was abolishd in 1987."),
        ("The bridge was designed by Ada Fenwick.", "The bridge was desinged by Ada Fenwick."),
        ("The bridge was painted green in 2004.", "The bridge was painted grene in 2004."),
        ("The toll was abolished in 1990.", "The toll was abolisehd in 1990."),
    ],
)
def test_one_slip_changes_no_verdict_and_no_word_that_is_shown(right, typed):
    before, after = checker().check_claims([right, typed])
    assert (after.verdict, after.score) == (before.verdict, before.score)
    assert after.claim.text == typed
    assert after.claim.reading == as_claims([typed])[0].reading


@pytest.mark.models
def test_messages_quote_the_words_of_the_answer():
    (result,) = checker().check_claims(["lorem ipsum is due"])
    told = [result.message, *(s.message for one in result.assessments for s in one.signals)]
    assert 'No source mentions "lorem ipsum".' in told
    shown = [*told, *result.unsupported_terms, *(s.message for s in result.signals)]
    assert not [text for text in shown if "pisum" in text]


def test_a_quotation_of_a_source_stays_where_a_slip_in_the_claim_is_shown():
    said = "The sources may not say “the bridge of stone”; the nearest passage: “The bridge fell”."
    signal = Signal("nli", Stance.NEUTRAL, 0.5, said, values=("bridge", "The bridge"))
    found = in_own_words(signal, {"bridge": "brigde"}, ["The bridge fell in 1987."])
    assert found.message == said.replace("the bridge of stone", "the brigde of stone")
    assert found.values == ("brigde", "The bridge")


@pytest.mark.models
def test_what_is_found_is_shown_in_the_answer_as_it_was_typed():
    answer = 'In short:\n\n"The brigde is 700\u2013750 metres long"'
    (result,) = checker().check(answer)
    assert result.verdict is Verdict.CONTRADICTION
    spans = [s.claim_span for found in result.assessments for s in found.signals if s.claim_span]
    assert any(span.of(answer).startswith("700\u2013750") for span in spans)
    assert result.claim.text == '"The brigde is 700\u2013750 metres long"'


@pytest.mark.models
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_stream_of_a_carelessly_typed_answer_gives_the_report_of_the_whole(size):
    answer = (
        '"The brigde is 640 metres long" [1].\n\nIts toll \u2013 a small one \u2013 ended in 1987'
    )
    session = checker().session()
    for start in range(0, len(answer), size):
        session.feed(answer[start : start + size])
    assert session.finish() == checker().check(answer)


# --- what it may cost ----------------------------------------------------------------------------


def steps(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs."""
    total = 0

    def count(frame: FrameType, event: str, argument: object) -> object:
        nonlocal total
        total += event == "line"
        return count

    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(None)
    return total


@pytest.mark.parametrize("unit", ['"a ', "' a", "- 5", '""', "\u00ab", ". ", "a\u2013b "])
def test_a_claim_is_read_in_steps_in_proportion_to_its_length(unit):
    few, more = (steps(lambda n=n: as_read(claim_of("The fee " + unit * n))) for n in (200, 800))
    assert more <= 4 * few + 100


def test_words_are_set_right_in_steps_in_proportion_to_the_claim():
    def read(count: int) -> None:
        (claim,) = as_claims(["The **brigde** fell. " * count])
        respelled(claim, {"brigde": "bridges"})

    few, more = steps(lambda: read(50)), steps(lambda: read(200))
    assert more <= 5 * few
