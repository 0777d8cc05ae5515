"""An answer and its documents -> nothing, or an AssertionError that shows what is wrong.

For test suites: pytest's plugin stands on it, and any other test runner can use it as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from halgo.report.safe import one_line
from halgo.types import ClaimResult, State, Verdict

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.golden.rows import Row
    from halgo.halgorithm import Docs, Halgorithm
    from halgo.report.report import Report

_LONGEST = 300  # characters of a claim or a passage in a failure


def assert_grounded(
    answer: str,
    docs: Docs | Checker,
    *,
    question: str | None = None,
    config: Config | None = None,
    halgorithm: Halgorithm | None = None,
    refusal_ok: bool = False,
) -> Report:
    """Fails unless every claim of the answer is SUPPORTED by the documents; returns the report.

    docs: as `Checker.from_docs` takes them, or a Checker, which brings its own settings. question:
    what the answer is given to, as `Checker.check` takes it. An answer in which nothing can be
    checked fails too, but for a refusal with `refusal_ok`.
    Raises AssertionError with each bad claim, its verdict and the nearest passage.
    """
    __tracebackhide__ = True
    report = _checker(docs, config, halgorithm).check(answer, question)
    if report.state is State.REFUSAL and refusal_ok:
        return report
    if report.grounded is None:
        raise AssertionError(f"{_STATES[report.state]}\n  answer: {_short(answer)}")
    bad = [result for result in report.results if result.verdict is not Verdict.SUPPORTED]
    if bad:
        count = f"{len(bad)} of {len(report.results)} claims"
        head = f"{count} {'is' if len(bad) == 1 else 'are'} not supported by the documents"
        raise AssertionError("\n".join([head, *(told(result) for result in bad)]))
    return report


def assert_golden(row: Row, checker: Checker) -> Report:
    """Fails unless the verdict on a golden row fits its label; returns the report.

    A row labelled supported has to be SUPPORTED, all of it; one labelled refusal has to decline to
    answer; any other must be assessed, and not be SUPPORTED. Where the row names verdicts, the
    worst of its claims has to have one of them.
    Raises AssertionError with label, verdict and the nearest passage.
    """
    __tracebackhide__ = True
    if row.answer:
        report = checker.check(row.text, row.question)
    else:
        report = checker.check_claims([row.text])
    name = f"{one_line(row.id)} (line {row.line})"
    refusal = row.label == "refusal"
    if report.state is State.REFUSAL and refusal:
        return report
    if report.grounded is None:
        wanted = " and is labelled refusal" if refusal else ""
        raise AssertionError(f"{name}{wanted}: {_STATES[report.state]}")
    if report.grounded != row.supported or refusal:
        bad = [
            told(result, numbered=row.answer)
            for result in report.results
            if not row.supported or result.verdict is not Verdict.SUPPORTED
        ]
        head = f"{name} is labelled {row.label}, halgo finds otherwise"
        raise AssertionError("\n".join([head, *bad]))
    if row.verdicts:
        from halgo.golden.evaluate import worst_of

        worst = worst_of(report)
        if worst is not None and worst.verdict not in row.verdicts:
            head = f"{name} expects {' or '.join(row.verdicts)}, halgo finds {worst.verdict}"
            raise AssertionError(f"{head}\n{told(worst, numbered=row.answer)}")
    return report


_STATES = {
    State.NO_CLAIMS: "nothing was assessed: the answer asserts nothing that can be checked",
    State.REFUSAL: "nothing was assessed: the answer declines to answer",
    State.NO_SOURCES: "nothing was assessed: the documents hold no text",
    State.EMPTY: "nothing was assessed: the answer is empty",
}


def _checker(docs: Docs | Checker, config: Config | None, halgorithm: Halgorithm | None) -> Checker:
    from halgo.checker import Checker

    if not isinstance(docs, Checker):
        return Checker.from_docs(docs, config, halgorithm=halgorithm)
    if halgorithm is not None:
        raise ValueError("a Checker has its own models; give documents with halgorithm=")
    return docs if config is None else docs.with_config(config)


def told(result: ClaimResult, *, numbered: bool = True) -> str:
    """A claim with verdict, reason and message, and the nearest passage, in lines of their own.

    numbered: whether its number says anything, as one of several claims of an answer.
    """
    number = f"[{result.claim.id}] " if numbered else ""
    head = f"  {number}{result.verdict} (score {result.score:.2f}, {result.reason})"
    lines = [f"{head}: {one_line(result.message)}" if result.message else head]
    lines.append(f"      claim:   {_short(result.claim.text)}")
    if result.evidence is None:
        lines.append("      nearest: no passage of the documents is about it")
    else:
        passage = _short(result.evidence.chunk.text)
        location = result.evidence.located(result.evidence.chunk.span)
        told = [result.evidence.source, *([str(location)] if location else [])]
        lines.append(f"      nearest: {passage} ({one_line(', '.join(told))})")
    return "\n".join(lines)


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + " ..."
