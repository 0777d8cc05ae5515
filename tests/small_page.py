"""A small report made by hand, with all that a page shows, and the hostile text of the tests."""

from __future__ import annotations

import hand_made as by_hand

from halgo.report.report import Report
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Document,
    Evidence,
    Reading,
    Signal,
    Span,
    Stance,
    Verdict,
)

FEES = Document(
    "fees", "# Fees\n\nThe late fee is 1.5% a month. Payment is due on the 1st.", "fees.md"
)
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror=window.hit=2>"


def evidence(document: Document, said: str) -> Evidence:
    """The passage of a document with these words, as if it had been found."""
    start = document.text.index(said)
    span = Span(start, start + len(said))
    chunk = Chunk(start, document.id, span, said, Span(0, 1))
    reading = Reading.verbatim(said, start)
    return Evidence(chunk, document.source, span, 0.9, 0.8, reading, Span(0, len(said)))


def claim(number: int, answer: str, said: str) -> Claim:
    start = answer.index(said)
    reading = Reading.verbatim(said, start)
    return Claim(number, said, Span(start, start + len(said)), ClaimKind.FACT, reading, said)


def fees() -> Report:
    """One claim contradicted, with the words and both values; one supported; one not found."""
    answer = "The late fee is 5% a month. Payment is due on the 1st. Acme pays."
    wrong, right, odd = ("The late fee is 5% a month.", "Payment is due on the 1st.", "Acme pays.")
    passage = evidence(FEES, "The late fee is 1.5% a month. Payment is due on the 1st.")
    at, there = answer.index("5%"), FEES.text.index("1.5%")
    signal = Signal(
        "number_conflict",
        Stance.CONTRADICTS,
        0.9,
        "The claim says 5%; the source says 1.5%.",
        Span(at, at + 2),
        Span(there, there + 4),
        ("5%", "1.5%"),
    )
    results = (
        ClaimResult(
            claim(1, answer, wrong),
            Verdict.CONTRADICTION,
            "number_conflict",
            signal.message,
            0.2,
            (Assessment(passage, 0.2, (signal,)),),
        ),
        ClaimResult(
            claim(2, answer, right),
            Verdict.SUPPORTED,
            "supported",
            "",
            0.9,
            (Assessment(evidence(FEES, "Payment is due on the 1st."), 0.9, ()),),
        ),
        ClaimResult(
            claim(3, answer, odd),
            Verdict.HALLUCINATION,
            "unsupported_name",
            "",
            0.1,
            (),
            (),
            ("acme",),
        ),
    )
    return by_hand.of(answer, results)
