"""Citations out: the marks, the list, that both are read back, and that a change is noticed."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.claims.unmark import unmarked
from halgo.config import Config
from halgo.delivery.citations import check_citations
from halgo.delivery.cited import STYLES, Cited, stale, with_citations
from halgo.report.report import Engine, Report
from halgo.sources.sentences import split
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Document,
    Evidence,
    Reading,
    Span,
    State,
    Verdict,
)

ENGINE = Engine("1", "lexical", "none", "none", "none", "f" * 64)
DOCS = [
    Document("hr/7", "Leave is 30 days a year.\nOvertime is paid at 150%.", "Staff Handbook"),
    Document('odd", id\n[2]', "Hotels are paid.", 'A "title", page 5', {"revision": "2026-03"}),
    Document("https://example.org/a", "Fees are 1.5% | a month, `as` said.", ""),
]


def passage(document: Document, start: int, end: int) -> Evidence:
    span = Span(start, end)
    reading = Reading.verbatim(span.of(document.text), start)
    chunk = Chunk(0, document.id, span, span.of(document.text), Span(0, 1))
    return Evidence(chunk, document.source, span, 0.9, 0.9, reading, Span(0, end - start))


def made(answer: str, choose: list[tuple[Verdict, Evidence]]) -> Report:
    """A report by hand: the sentences of the answer with these verdicts, in turn."""
    sentences = [one for one in unmarked(answer, split(answer)) if one.block not in _UNCHECKED]
    results = []
    for at, sentence in enumerate(sentences):
        verdict, evidence = choose[at % len(choose)]
        text = sentence.reading.text
        claim = Claim(at + 1, text, sentence.span, ClaimKind.FACT, sentence.reading, text)
        found = (Assessment(evidence, 0.9, ()),)
        results.append(ClaimResult(claim, verdict, "by_hand", "", 0.9, found))
    state = State.ASSESSED if results else State.NO_CLAIMS
    return Report(answer, state, tuple(results), (), (), Config(), ENGINE)


_UNCHECKED = ("source", "heading", "code")
LEAVE = (Verdict.SUPPORTED, passage(DOCS[0], 0, 24))
OVERTIME = (Verdict.SUPPORTED, passage(DOCS[0], 25, 50))
BAD = (Verdict.CONTRADICTION, passage(DOCS[1], 0, 16))


def bare(cited: Cited) -> str:
    """The text without our marks and our list."""
    body = re.split(r"\n\n(?:Sources:\n\n- \[|\[\^1\]: )", cited.text)[0]
    return re.sub(r"(?: (?=\[\d))?(?:\[\^?\d+\])+", "", body)


# --- marks and list -----------------------------------------------------------------------------


def test_each_supported_sentence_gets_its_passage_and_the_others_none() -> None:
    answer = "Leave is 30 days. It is unpaid. Overtime is 150%. Leave is 30 days a year.\n"
    report = made(answer, [LEAVE, BAD, OVERTIME, LEAVE])
    cited = with_citations(report, documents=DOCS)
    assert cited.text.startswith(
        "Leave is 30 days [1]. It is unpaid. Overtime is 150% [2]. Leave is 30 days a year [1].\n\n"
        'Sources:\n\n- [1] Staff Handbook, document "hr/7", revision '
    )
    assert cited.text.endswith('characters 25-50: "Overtime is paid at 150%."\n')
    first, second = cited.sources
    assert (first.number, first.doc_id, first.title) == (1, "hr/7", "Staff Handbook")
    assert first.span.of(DOCS[0].text) == first.excerpt == "Leave is 30 days a year."
    assert second.digest == first.digest and second.revision == (second.digest or "")[:16]


@pytest.mark.parametrize("style", ["numbered", "footnotes"])
def test_a_source_that_is_its_id_is_named_once_and_found_again(style: str) -> None:
    path = '/tmp/my "docs", 2/faq.md'
    document = Document(path, DOCS[0].text, path)
    report = made("Leave is 30 days.", [(Verdict.SUPPORTED, passage(document, 0, 24))])
    cited = with_citations(report, style=style, documents=[document])
    assert cited.text.count("/faq.md") == 1
    (found,) = check_citations(cited.text, sources=[document]).citations
    assert found.documents == (path,) and found.region == Span(0, 24)


def test_a_given_revision_goes_before_the_digest() -> None:
    report = made("Hotels are paid.", [(Verdict.SUPPORTED, passage(DOCS[1], 0, 16))])
    assert with_citations(report, documents=DOCS).sources[0].revision == "2026-03"
    assert with_citations(report).sources[0].revision is None


@pytest.mark.parametrize(
    "answer, expected",
    [
        ("**Leave is 30 days.**", "**Leave is 30 days [1].**"),
        ("- Leave: 30 days\n- Pay: full", "- Leave: 30 days [1]\n- Pay: full [1]"),
        ("| Leave |\n|---|\n| 30 days |", "| Leave |\n|---|\n| 30 days [1] |"),
        ("See `leave.`", "See `leave.` [1]"),
        ("See [leave](https://a.b/c).", "See [leave](https://a.b/c) [1]."),
        ('It says "30 days."', 'It says "30 days." [1]'),
        ("(Leave is 30 days.)", "(Leave is 30 days.) [1]"),
        ("Is it 30 days?!", "Is it 30 days [1]?!"),
    ],
)
def test_a_mark_stands_where_it_leaves_the_markdown_whole(answer: str, expected: str) -> None:
    assert with_citations(made(answer, [LEAVE])).text.split("\n\nSources:")[0] == expected


@pytest.mark.parametrize("fence", ["```", "~~~"])
@pytest.mark.parametrize("end", ["\n{}", "\n{}\n", ""])
def test_no_mark_stands_behind_a_fence_of_code(fence: str, end: str) -> None:
    answer = f"Leave is 30 days.\n\n{fence}\nOvertime is 150%.{end.format(fence)}"
    cited = with_citations(made(answer, [LEAVE, OVERTIME]))
    assert cited.text.startswith(answer.strip().replace("30 days.", "30 days [1]."))
    assert len(cited.sources) == 1 == len(check_citations(cited.text, sources=DOCS).citations)


def test_marks_that_were_there_are_replaced_and_not_doubled() -> None:
    answer = (
        "Leave is 30 days [4]. It is unpaid.[2] Overtime is 150% (Staff Handbook, page 1).\n\n"
        "References:\n[4] Old Handbook\n[2] Something else"
    )
    cited = with_citations(made(answer, [LEAVE, BAD, OVERTIME]))
    assert cited.text.split("\n\nSources:")[0] == (
        "Leave is 30 days [1]. It is unpaid. Overtime is 150% (Staff Handbook, page 1)."
    )
    assert "References" not in cited.text and "Old Handbook" not in cited.text


def test_a_note_of_the_answers_own_stays_with_its_number() -> None:
    answer = "Leave is 30 days.[^1] It is paid.\n\n[^1]: Without holidays."
    cited = with_citations(made(answer, [LEAVE]), style="footnotes")
    assert "[^1]: Without holidays." in cited.text
    assert [source.number for source in cited.sources] == [2]


def test_an_answer_of_which_nothing_was_assessed_stays_as_it_is() -> None:
    report = replace(made("Hello [1]!", [LEAVE]), state=State.NO_CLAIMS, results=())
    assert with_citations(report).text == "Hello [1]!" and with_citations(report).sources == ()
    with pytest.raises(ValueError, match="style must be one of numbered, footnotes"):
        with_citations(report, style="harvard")


# --- there and back -----------------------------------------------------------------------------

PIECES = [
    "The fee is 5%. ",
    "Leave is **30 days**.",
    " (see below) ",
    "\n",
    "\n\n",
    "- Pay: full\n",
]
PIECES += [
    "| A | B |\n|---|---|\n| 1 | 2 |\n",
    "`code` ",
    "```\nx\n```\n",
    "# Head\n",
    "It [1] is so. ",
]
PIECES += [
    "Ends. [2] ",
    "[^n] ",
    "\n[^n]: A note.\n",
    '"Quoted." ',
    "https://e.org/x ",
    "5 `a",
    "!?",
]
PIECES += ["\n\nSources:\n[1] Staff Handbook\n", "[x][1] ", "(A, page 2) ", "> Said.\n", "```\n"]
EVIDENCE = [LEAVE, OVERTIME, BAD, (Verdict.SUPPORTED, passage(DOCS[1], 0, 16))]
EVIDENCE += [(Verdict.SUPPORTED, passage(DOCS[2], 0, 35)), (Verdict.WEAK_SUPPORT, LEAVE[1])]
answers = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)
choices = st.lists(st.sampled_from(EVIDENCE), min_size=1, max_size=5)


@given(answers, choices, st.sampled_from(STYLES))
def test_what_is_written_is_read_back_as_the_same_sources(
    answer: str, choose: list[tuple[Verdict, Evidence]], style: str
) -> None:
    cited = with_citations(made(answer, choose), style=style, documents=DOCS)
    read = check_citations(cited.text, sources=DOCS)
    kind = "number" if style == "numbered" else "footnote"
    named = {
        (one.documents[0], one.region)
        for one in read.citations
        if one.citation.kind == kind and one.documents and one.region is not None
    }
    assert named == {(source.doc_id, source.span) for source in cited.sources}
    for source in cited.sources:
        assert source.excerpt == source.span.of(next(d.text for d in DOCS if d.id == source.doc_id))
    assert Cited.from_dict(json.loads(json.dumps(cited.to_dict()))) == cited


PLAIN = [piece for piece in PIECES if not re.search(r"\[|\(A|```", piece)]


@given(st.lists(st.sampled_from(PLAIN), min_size=1, max_size=12).map("".join), choices)
def test_all_but_the_marks_stays_as_it_was(
    answer: str, choose: list[tuple[Verdict, Evidence]]
) -> None:
    for style in STYLES:
        cited = with_citations(made(answer, choose), style=style)
        assert bare(cited).rstrip() == answer.rstrip()


@given(answers, choices, st.sampled_from(STYLES))
def test_a_second_time_changes_nothing(
    answer: str, choose: list[tuple[Verdict, Evidence]], style: str
) -> None:
    report = made(answer, choose)
    once = with_citations(report, style=style, documents=DOCS)
    again = made(once.text, choose)
    texts = [result.claim.text for result in report.results]
    if texts == [result.claim.text for result in again.results]:
        assert with_citations(again, style=style, documents=DOCS).text == once.text


# --- later --------------------------------------------------------------------------------------


def test_a_document_that_has_changed_is_named_with_its_numbers() -> None:
    report = made("Leave is 30 days. Overtime is 150%.", [LEAVE, OVERTIME])
    cited = with_citations(report, documents=DOCS)
    assert stale(cited, DOCS) == []
    amended = replace(DOCS[0], text=DOCS[0].text.replace("150%", "125%"))
    (found,) = stale(Cited.from_dict(cited.to_dict()), [amended])
    assert (found.doc_id, found.numbers) == ("hr/7", (1, 2)) and "changed" in found.reason
    (gone,) = stale(cited.sources, [])
    assert "gone" in gone.reason


def test_without_digests_the_excerpt_tells() -> None:
    cited = with_citations(made("Leave is 30 days.", [LEAVE]))
    assert stale(cited, [replace(DOCS[0], text=DOCS[0].text + " More.")]) == []
    assert stale(cited, [replace(DOCS[0], text="New. " + DOCS[0].text)])[0].numbers == (1,)


@pytest.mark.parametrize("given_", [{}, {"text": "x"}, {"text": "x", "sources": [{"number": 1}]}])
def test_a_malformed_list_of_sources_is_refused(given_: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="to_dict"):
        Cited.from_dict(given_)
