"""What a reader is shown: the summary, the marked answer, each claim beside its passage."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_values import claim_of, evidence_of, report_of, span_of

from halgo.report import markdown, marks, text
from halgo.report.marks import summary
from halgo.report.report import Report
from halgo.report.safe import clean
from halgo.types import (
    Assessment,
    Claim,
    ClaimKind,
    ClaimResult,
    Reading,
    Signal,
    Span,
    Stance,
    State,
    Verdict,
)

POLICY = "Members pay monthly. A late fee of 1.5% per month applies."


@pytest.fixture
def report() -> Report:
    answer = "Sure! The late fee is 5% per month. Members pay monthly. Zed Corp owns it."
    evidence = evidence_of(POLICY, "A late fee of 1.5% per month applies.", "policy.md")
    conflict = Signal(
        "number_conflict",
        Stance.CONTRADICTS,
        0.9,
        "The claim says 5%; the source says 1.5%.",
        span_of("5%", answer),
        span_of("1.5%", POLICY),
        ("5%", "1.5%"),
    )
    unknown = Signal(
        "unsupported_name",
        Stance.UNSUPPORTED,
        0.8,
        'No source mentions "Zed Corp".',
        span_of("Zed Corp", answer),
    )
    wrong = ClaimResult(
        claim_of(answer, "The late fee is 5% per month.", 2),
        Verdict.CONTRADICTION,
        "number_conflict",
        conflict.message,
        0.1,
        (Assessment(evidence, 0.4, (conflict,)),),
    )
    right = ClaimResult(
        claim_of(answer, "Members pay monthly.", 3),
        Verdict.SUPPORTED,
        "supported",
        "",
        0.97,
        (Assessment(evidence_of(POLICY, "Members pay monthly.", "policy.md"), 0.97, ()),),
    )
    invented = ClaimResult(
        claim_of(answer, "Zed Corp owns it.", 4),
        Verdict.HALLUCINATION,
        "unsupported_name",
        unknown.message,
        0.04,
        (),
        (unknown,),
        ("zed", "corp"),
    )
    greeting = claim_of(answer, "Sure!", 1, ClaimKind.GREETING)
    return report_of(
        answer, [wrong, right, invented], (greeting,), warnings=("notes.txt is empty.",)
    )


PLAIN = """\
1 of 3 claims supported, 1 contradicted, 1 not found; weakest 0.04

Answer
  Sure! [[The late fee is 5% per month.]]{2} Members pay monthly. [[Zed Corp owns it.]]{4}

Claims
  2. CONTRADICTION 0.10
     The late fee is [5%] per month.
     why: The claim says 5%; the source says 1.5%.
     policy.md: A late fee of [1.5%] per month applies.

  3. SUPPORTED 0.97
     Members pay monthly.
     policy.md: Members pay monthly.

  4. HALLUCINATION 0.04
     [Zed Corp] owns it.
     why: No source mentions "Zed Corp".
     in no source: Zed, Corp

Not checked
  1. greeting: Sure!

Warnings
  ! notes.txt is empty.
"""

MARKDOWN = """\
# Check of an answer

**1 of 3 claims supported, 1 contradicted, 1 not found; weakest 0.04**

## Answer

> Sure! **The late fee is 5% per month.** \\[2\\] Members pay monthly. **Zed Corp owns it.** \\[4\\]

## Claims

| # | verdict | score | claim | why | source |
|---|---|---|---|---|---|
| 2 | CONTRADICTION | 0.10 | The late fee is **5%** per month. | The claim says 5%; the source \
says 1.5%. | policy.md |
| 3 | SUPPORTED | 0.97 | Members pay monthly. |  | policy.md |
| 4 | HALLUCINATION | 0.04 | **Zed Corp** owns it. | No source mentions "Zed Corp". |  |

## What is wrong

### 2. CONTRADICTION

The late fee is **5%** per month.

The claim says 5%; the source says 1.5%.

> A late fee of **1.5%** per month applies.
>
> policy.md

### 4. HALLUCINATION

**Zed Corp** owns it.

No source mentions "Zed Corp".

In no source: Zed, Corp

## Not checked

- 1, greeting: Sure!

## Warnings

- notes.txt is empty.
"""


def test_a_claim_of_weak_support_is_marked_in_its_own_way(report: Report) -> None:
    weak = replace(report.results[1], verdict=Verdict.WEAK_SUPPORT, score=0.5)
    made = replace(report, results=(report.results[0], weak, report.results[2]))
    plain = text.render(made, color=False)
    assert "[[The late fee is 5% per month.]]{2} ((Members pay monthly.)){3} [[Zed" in plain
    assert "\x1b[36mMembers pay monthly.\x1b[0m" in text.render(made, color=True)
    shown = markdown.render(made)
    assert "**The late fee is 5% per month.** \\[2\\] *Members pay monthly.* \\[3\\] **Zed" in shown
    # A clause that is contradicted is not hidden by the weak sentence around it.
    whole = replace(weak, claim=replace(weak.claim, span=Span(0, len(made.answer))))
    over = replace(made, results=(report.results[0], whole))
    assert "[[The late fee is 5% per month.]]{2}" in text.render(over, color=False)


def test_the_plain_report_reads_like_this(report: Report) -> None:
    assert text.render(report, color=False) == PLAIN


def test_the_markdown_report_reads_like_this(report: Report) -> None:
    assert markdown.render(report) == MARKDOWN


def test_in_colour_the_words_are_the_same_and_bad_parts_are_red_or_yellow(report: Report) -> None:
    shown = text.render(report, color=True)
    assert "\x1b[31mThe late fee is 5% per month.\x1b[0m" in shown
    assert "\x1b[33mZed Corp owns it.\x1b[0m" in shown
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert bare == re.sub(r"\[\[?|\]\]?", "", PLAIN)


@pytest.mark.parametrize("state", [state for state in State if state is not State.ASSESSED])
def test_a_report_without_checked_claims_says_why(state: State) -> None:
    report = report_of("Hello.", [], state=state)
    assert summary(report).startswith("Nothing ")
    assert text.render(report, color=False).startswith(summary(report))
    assert markdown.render(report).startswith("# Check")


def test_both_values_are_given_when_the_message_leaves_them_out(report: Report) -> None:
    result = replace(report.results[0], message="The amounts differ.")
    signal = replace(result.assessments[0].signals[0], message="The amounts differ.")
    found = replace(result.assessments[0], signals=(signal,))
    shown = text.render(
        replace(report, results=(replace(result, assessments=(found,)),)), color=False
    )
    assert "why: The amounts differ (claim: 5%; source: 1.5%)." in shown


def test_a_derivation_is_shown_with_a_supported_claim(report: Report) -> None:
    right = report.results[1]
    derived = Signal("derived", Stance.SUPPORTS, 0.7, "23 = 14 + 9 (source)")
    found = replace(right.assessments[0], signals=(derived,))
    shown = text.render(
        replace(report, results=(replace(right, assessments=(found,)),)), color=False
    )
    assert "why: 23 = 14 + 9 (source)." in shown


def test_the_callers_own_claims_are_marked_each_in_its_own_line() -> None:
    texts = ["Gold costs £3.", "Silver costs £2."]
    results = [
        ClaimResult(
            Claim(n, words, Span(0, len(words)), ClaimKind.FACT, Reading.verbatim(words), words),
            verdict,
            "no_evidence",
            "",
            0.1,
            (),
        )
        for n, (words, verdict) in enumerate(
            zip(texts, (Verdict.SUPPORTED, Verdict.HALLUCINATION), strict=True), start=1
        )
    ]
    shown = text.render(report_of("\n".join(texts), results), color=False)
    assert "  Gold costs £3.\n  [[Silver costs £2.]]{2}\n" in shown
    assert "     Silver costs £2.\n" in shown


def _hostile(words: str) -> Report:
    claim = Claim(1, words, Span(0, len(words)), ClaimKind.FACT, Reading.verbatim(words), words)
    evidence = evidence_of(words, words, words)
    signal = Signal(
        "x", Stance.CONTRADICTS, 0.9, words, Span(0, len(words)), Span(0, len(words)), (words, "")
    )
    result = ClaimResult(
        claim,
        Verdict.CONTRADICTION,
        "x",
        words,
        0.1,
        (Assessment(evidence, 0.1, (signal,)),),
        (),
        (words,),
    )
    skipped = replace(claim, id=2, span=Span(len(words), len(words)))
    return report_of(words, [result], (skipped,), warnings=(words,))


def test_nothing_a_user_writes_reaches_the_terminal_as_a_control() -> None:
    words = "A \x1b[31mred\x1b[0m \x1b]0;title\x07 b\x08ell\x07 \x9b2J \u202eevil\u202c \ud800 end"
    shown = text.render(_hostile(words), color=False)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", shown)
    assert r"A \x1b[31mred\x1b[0m" in shown  # and the reader sees that it was there
    assert shown.encode("utf-8")


def test_nothing_a_user_writes_is_markup() -> None:
    words = "# a | b <script>x</script> [l](http://e.org) `c` *d* _e_ ~~f~~ ![i](u) & \\"
    shown = markdown.render(_hostile(words))
    assert "<script" not in shown and "](" not in re.sub(r"\\\]\(", "", shown)
    table = next(line for line in shown.splitlines() if line.startswith("| 1 |"))
    assert len(re.findall(r"(?<!\\)\|", table)) == 7


def test_a_list_keeps_its_lines_in_markdown_and_text() -> None:
    answer = "Facts:\n- one thing\n- another thing"
    report = report_of(answer, [], state=State.NO_CLAIMS)
    assert "> Facts:\\\n> \\- one thing\\\n> \\- another thing" in markdown.render(report)
    assert "  - one thing\n  - another thing\n" in text.render(report, color=False)


@pytest.mark.parametrize("words", ["漢字" * 90, "word " * 90, "x" * 500, "e\u0301" * 200])
@pytest.mark.parametrize("width", [20, 47, 100])
def test_no_line_is_wider_than_the_page(words: str, width: int) -> None:
    for line in text.render(_hostile(words), color=False, width=width).splitlines():
        assert text._columns(line) <= width


def test_a_page_too_narrow_is_an_error() -> None:
    with pytest.raises(ValueError, match="width"):
        text.render(_hostile("a"), color=False, width=5)


@given(st.text(alphabet=st.characters(), min_size=1, max_size=60))
def test_no_text_breaks_a_report(words: str) -> None:
    report = _hostile(words)
    for shown in (
        text.render(report, color=False),
        text.render(report, color=True),
        markdown.render(report),
    ):
        assert shown.endswith("\n")
        shown.encode("utf-8")


def test_clean_text_is_left_as_it_is() -> None:
    assert clean("naïve café — “quoted” 漢字 👍\n\tok") == "naïve café — “quoted” 漢字 👍\n\tok"


def test_a_report_of_many_claims_is_shown_in_seconds() -> None:
    answer = "Gold costs £3. " * 3_000
    results = []
    for n in range(3_000):
        span = Span(15 * n, 15 * n + 14)
        claim = Claim(
            n + 1,
            "Gold costs £3.",
            span,
            ClaimKind.FACT,
            Reading.verbatim("Gold costs £3.", span.start),
            "Gold costs £3.",
        )
        results.append(ClaimResult(claim, Verdict.HALLUCINATION, "no_evidence", "", 0.1, ()))
    report = report_of(answer, results)
    start = time.process_time()
    text.render(report, color=True)
    markdown.render(report)
    text.render(_hostile("word " * 20_000), color=False)
    assert time.process_time() - start < 5


def test_marks_that_touch_or_overlap_are_one() -> None:
    spans = [Span(12, 13), Span(11, 12), Span(4, 7), Span(5, 6)]
    marked = [run.text for run in marks._runs("The fee is 5%.", spans) if run.mark]
    assert marked == ["fee", "5%"]
    apart = marks._runs("The fee is 5 %.", [Span(11, 12), Span(13, 14)])
    assert [run.text for run in apart if run.mark] == ["5", "%"]
