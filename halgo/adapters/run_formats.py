"""A run over golden rows -> what `halgo evaluate` writes of it: text, JSON, JUnit, SARIF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from halgo.adapters.report_formats import Format, in_json
from halgo.report.safe import clean, one_line

if TYPE_CHECKING:
    from halgo.golden.evaluate import Comparison, Figures, Outcome, Run
    from halgo.golden.rows import Row
    from halgo.report.report import Report
    from halgo.types import ClaimResult


class RunFormat(StrEnum):
    """How a run is written: the forms of `Format` that it has."""

    TEXT = Format.TEXT.value
    JSON = Format.JSON.value
    SARIF = Format.SARIF.value
    JUNIT = Format.JUNIT.value


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A run with all that is told of it. golden: its file; failed: why it fails, if it does."""

    golden: str
    rows: Sequence[Row]
    checked: Sequence[Report]
    run: Run
    figures: Figures
    compared: Comparison | None
    failed: Sequence[str]

    @property
    def worst(self) -> dict[str, ClaimResult | None]:
        """The claim that decided on a row, by the row's id."""
        from halgo.golden.evaluate import worst_of

        return {
            row.id: worst_of(report) for row, report in zip(self.rows, self.checked, strict=True)
        }


def render(done: Evaluated, form: Format) -> str:
    """The run in that form, as text that ends with a line break."""
    if form is Format.JSON:
        return in_json(_values(done))
    if form is Format.TEXT:
        return clean(_text(done))
    from halgo.golden import findings

    made = findings.as_junit if form is Format.JUNIT else findings.as_sarif
    return made(done.golden, done.rows, done.checked, done.run, done.failed)


def overview(done: Evaluated) -> str:
    """The run in a line: "59 rows: 9 wrong, 1 with another verdict than it names"."""
    run = done.run
    parts = [f"{len(run.wrong)} wrong"]
    if done.figures.expected:
        parts.append(f"{len(run.wrong_verdicts)} of {done.figures.expected} with another verdict")
    return f"{counted(len(run.outcomes), 'row')}: {', '.join(parts)}"


def _values(done: Evaluated) -> dict[str, Any]:
    worst, compared = done.worst, done.compared

    def told(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
        return [{**asdict(one), "worst": _why(worst[one.id])} for one in outcomes]

    return {
        "figures": {**asdict(done.figures), "f1": done.figures.f1, "hint": done.figures.hint},
        "failed": list(done.failed),
        "wrong": told(done.run.wrong),
        "wrong_verdicts": told(done.run.wrong_verdicts),
        "not_assessed": [row.id for row in done.run.not_assessed],
        "against": None if compared is None else _compared_dict(compared),
    }


def _text(done: Evaluated) -> str:
    from halgo.adapters.assertion import told

    run, figures, worst = done.run, done.figures, done.worst
    answers = {row.id for row in done.rows if row.answer}  # of a claim alone a number says nothing
    lines = [counted(figures.rows, "row") + not_assessed(figures.not_assessed)]
    lines += [f"  {row.said}: {one_line(row.id)}" for row in run.not_assessed]
    if figures.refusals:
        wanted = counted(figures.refusals, "row")
        lines.append(f"{wanted} labelled refusal, of which {figures.refused} decline to answer")
    lines += ["", f"{'':12} {'precision':>9} {'recall':>9} {'F1':>9}"]
    for name, found in (("unsupported", figures.unsupported), ("supported", figures.supported)):
        values = " ".join(f"{number(found[key]):>9}" for key in ("precision", "recall", "f1"))
        lines.append(f"{name:12} {values}")
    lines += [
        "",
        f"balanced accuracy {number(figures.balanced_accuracy)}, "
        f"ROC-AUC {number(figures.auc)}, ECE {number(figures.ece)}",
    ]
    if figures.hint:
        lines.append(figures.hint)
    if run.wrong:
        lines += ["", f"{counted(len(run.wrong), 'verdict')} a careful reader would not give:"]
    for row in run.wrong:
        lines.append(f"  {one_line(row.id)}: {row.label}, found {row.found}")
        result = worst[row.id]
        if result is not None:
            lines.append(told(result, numbered=row.id in answers))
    if figures.expected:
        rows, other = counted(figures.expected, "row"), figures.wrong_verdicts
        colon = ":" if other else ""
        lines += ["", f"exact verdicts expected: {rows}, another one found in {other}{colon}"]
    for row in run.wrong_verdicts:
        expected = " or ".join(row.expected)
        lines.append(f"  {one_line(row.id)}: expected {expected}, found {row.found}")
        result = worst[row.id]
        if result is not None and not row.wrong:  # else it is told above
            lines.append(told(result, numbered=row.id in answers))
    if done.compared is not None:
        lines += ["", *_compared(done.compared)]
    lines += ["", *(f"FAILED: {reason}" for reason in done.failed)] if done.failed else []
    return "\n".join(lines) + "\n"


def _why(worst: ClaimResult | None) -> dict[str, Any] | None:
    """What the check says of the claim that decided on a row."""
    if worst is None:
        return None
    evidence = worst.evidence
    return {
        "claim": worst.claim.text,
        "verdict": worst.verdict,
        "score": worst.score,
        "reason": worst.reason,
        "message": worst.message,
        "source": evidence and evidence.source,
        "passage": evidence and evidence.chunk.text,
    }


def _compared(compared: Comparison) -> list[str]:
    lines = [f"against the recorded run, {counted(compared.rows, 'row')} in both:"]
    for change in compared.changes:
        lines.append(
            f"  {change.name:18} {change.before:.3f} then, {change.after:.3f} now "
            f"({change.low:+.3f} to {change.high:+.3f})"
        )
    lines += [f"  {note}" for note in compared.notes]
    for name, count in (("new here", compared.new), ("no longer here", compared.gone)):
        if count:
            lines.append(f"  {counted(count, 'row')} {'is' if count == 1 else 'are'} {name}")
    if compared.changed:
        rows = counted(len(compared.changed), "row")
        lines.append(f"  {rows} with other documents or another text than then, compared as well:")
    for row in compared.changed:
        lines.append(f"    {one_line(row.id)}: was {row.before}, is {row.after}")
    if compared.relabelled:
        rows = counted(len(compared.relabelled), "row")
        has = "has" if len(compared.relabelled) == 1 else "have"
        lines.append(f"  {rows} {has} another label than then:")
    for one in compared.relabelled:
        lines.append(f"    {one_line(one.id)}: was {one.before}, is {one.after}")
    if not compared.flips:
        lines.append("  no row turned")
    for flip in compared.flips:
        turned = "turned wrong" if flip.worse else "turned right"
        lines.append(
            f"  {turned}: {one_line(flip.id)} ({flip.label}), {flip.before} then, {flip.after} now"
        )
    if any(flip.worse for flip in compared.flips) and not compared.dropped:
        lines.append(
            "  none of it counts as a drop: on so few rows it may be chance. --min-f1 sets a bound"
        )
    return lines


def _compared_dict(compared: Comparison) -> dict[str, Any]:
    changes = [{**asdict(change), "dropped": change.dropped} for change in compared.changes]
    return {**asdict(compared), "changes": changes, "dropped": compared.dropped}


def counted(count: int, name: str) -> str:
    """How many there are: "1 row", "2 rows"."""
    return f"{count} {name}{'' if count == 1 else 's'}"


def not_assessed(count: int) -> str:
    """In brackets how many rows had no claim; "" for none."""
    return f" ({count} more could not be assessed: no claim to check)" if count else ""


def number(value: float | None) -> str:
    """A figure to three digits; "-" where there is none."""
    return "-" if value is None or value != value else f"{value:.3f}"
