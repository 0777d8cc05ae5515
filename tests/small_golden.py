"""Rows and checkers for tests of golden sets: a claim's score is the number it begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from small_values import claim_of, evidence_of, report_of

from halgo.config import Config
from halgo.golden.rows import Label, Row
from halgo.report.report import Report
from halgo.types import Assessment, ClaimResult, Document, Signal, Stance, State
from halgo.verdict.rules import decide

AGAINST = Signal("number_conflict", Stance.CONTRADICTS, 0.9, "5% against 1.5%")


class ByNumber:
    """Stands in for a Halgorithm: "0.8 a b" scores 0.8; with "against" in it a signal speaks so.

    Claims of an answer are divided by ";"; an answer "-" holds none, "?"
    declines. seen: documents asked for.
    """

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self.seen: list[tuple[Document, ...]] = []

    def checker(self, docs: Sequence[Document]) -> ByNumber:
        self.seen.append(tuple(docs))
        return self

    def check_claims(self, claims: Sequence[str]) -> Report:
        return report_of("\n".join(claims), [self._result(text) for text in claims], **self._own())

    def check_many(self, answers: Sequence[str], questions: Sequence[str | None]) -> list[Report]:
        return [self.check(answer) for answer in answers]

    def check(self, answer: str, question: str | None = None) -> Report:
        if answer in ("-", "?"):
            state = State.NO_CLAIMS if answer == "-" else State.REFUSAL
            return replace(report_of(answer, [], **self._own()), state=state)
        results = [self._result(part.strip()) for part in answer.split(";")]
        return report_of(answer, results, **self._own())

    def _own(self) -> dict[str, Config]:
        return {"config": self.config}

    def _result(self, text: str) -> ClaimResult:
        claim = claim_of(text)
        signals = (AGAINST,) if "against" in text else ()
        found = Assessment(evidence_of("The fee is 1.5%."), float(text.split()[0]), signals)
        decision = decide(claim, [found], (), self.config)
        return ClaimResult(
            claim,
            decision.verdict,
            decision.reason,
            decision.message,
            decision.score,
            (found,),
            raw_score=decision.raw_score,
        )


def row(
    text: str, label: bool | Label, document: str = "d", *, answer: bool = False, name: str = ""
) -> Row:
    """A row about one document, which is its group."""
    if isinstance(label, bool):
        label = Label.SUPPORTED if label else Label.UNSUPPORTED
    key = f"{document}|{text}"
    return Row(
        name or key,
        (Document(document, document, document),),
        text,
        answer,
        label,
        document,
        key,
        1,
    )
