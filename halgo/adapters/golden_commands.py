"""`halgo calibrate` and `halgo evaluate`: golden files on the command line and in CI."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halgo.adapters import outputs
from halgo.adapters.shell import (
    GROUNDED,
    UNGROUNDED,
    Embedder,
    Entailment,
    Settings,
    progress,
    require_stdout,
    require_writable,
    tell,
    write,
    write_file,
    write_json,
)

if TYPE_CHECKING:
    from halgo.golden.calibrate import Fitted
    from halgo.golden.evaluate import Comparison, Figures, Run
    from halgo.golden.rows import Row
    from halgo.halgorithm import Halgorithm
    from halgo.types import ClaimResult

Golden = Annotated[str, typer.Argument(help="File of labelled rows, JSON lines (docs/golden.md).")]
AsJson = Annotated[bool, typer.Option("--json", help="The result as JSON.")]


def register(app: typer.Typer) -> None:
    """Adds both commands."""
    app.command()(calibrate)
    app.command()(evaluate)


def calibrate(
    golden: Golden,
    out: Annotated[Path, typer.Option(help="File to write, for Config.calibrated.")],
    name: Annotated[
        str | None, typer.Option(help="What the domain is called; by default as the file is.")
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(help="Share of SUPPORTED that has to be right; else balanced accuracy."),
    ] = None,
    date: Annotated[str, typer.Option(help="A date or note to keep in the file.")] = "",
    diagram: Annotated[
        Path | None, typer.Option(help="SVG file for the reliability diagram.")
    ] = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    as_json: AsJson = False,
) -> None:
    """Fit probabilities and cut points to labelled rows of one domain.

    Exit code 2 when the rows cannot be read or are too few; 3: a model is missing.
    """
    from halgo.golden.calibrate import calibrate as fit
    from halgo.golden.diagram import reliability_svg

    if precision is not None and not 0 < precision <= 1:
        raise typer.BadParameter("above 0 and at most 1", param_hint="--precision")
    require_writable(out, "--out")
    require_stdout()
    require_writable(diagram, "--diagram")
    rows, models = _opened(golden, config, embedder, entailment)
    # The calibration that the settings name plays no part here: it is what may be made anew.
    read = [(outputs.SETTINGS, config), *_inputs(golden, rows)]
    outputs.require_apart([("--out", out), ("--diagram", diagram)], read)
    with progress(f"Checking {_counted(len(rows), 'row')}"):
        fitted = fit(rows, models, name=name or Path(golden).stem, precision=precision, made=date)
    write_file(out, fitted.to_json())
    if diagram is not None:
        title = f"{fitted.calibration.name}: said and found"
        svg = reliability_svg(fitted.bins_before, fitted.bins_after, title)
        write_file(diagram, svg)
    if as_json:
        write_json(_json(fitted.to_dict()))
    else:
        write(_fitted(fitted, out))


def evaluate(
    golden: Golden,
    min_f1: Annotated[
        float | None, typer.Option(help="Lowest F1 of unsupported rows that passes, 0 to 1.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="File to write this run to, for --against.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="A recorded run; a real drop since then fails.")
    ] = None,
    max_not_assessed: Annotated[
        int | None, typer.Option(min=0, help="Most rows without a claim to check that pass.")
    ] = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    as_json: AsJson = False,
) -> None:
    """Check labelled rows, and say how well the verdicts fit.

    Exit code 0: done and good enough; 1: F1 below --min-f1, a real drop since --against, or more
    rows than --max-not-assessed; 2: wrong usage or rows that cannot be read; 3: a model is missing.
    """
    from halgo.errors import GoldenError
    from halgo.golden.evaluate import Run, compare, reports, run_of, worst_of

    if min_f1 is not None and not 0 <= min_f1 <= 1:
        raise typer.BadParameter("from 0 to 1", param_hint="--min-f1")
    require_writable(record, "--record")
    require_stdout()
    recorded = None if against is None else Run.load(against)
    rows, models = _opened(golden, config, embedder, entailment)
    read = [*outputs.of_settings(config), *_inputs(golden, rows)]
    outputs.require_apart([("--record", record)], read)
    with progress(f"Checking {_counted(len(rows), 'row')}"):
        checked = reports(rows, models)
    run = run_of(rows, checked)
    worst = {row.id: worst_of(report) for row, report in zip(rows, checked, strict=True)}
    figures = run.figures()
    if min_f1 is not None and figures.f1 is None:
        raise GoldenError(f"{golden}: no row is unsupported, so there is no F1 for --min-f1")
    compared = None if recorded is None else compare(run, recorded)
    failed = _failures(figures, min_f1, max_not_assessed, compared)
    # A worse run must not take the place of the one it is held against.
    in_place = record is not None and against is not None and _same(record, Path(against))
    if record is not None and not (failed and in_place):
        write_file(record, run.to_json())
    if as_json:
        values: dict[str, Any] = {
            "figures": {**asdict(figures), "f1": figures.f1, "hint": figures.hint},
            "failed": failed,
            "wrong": [{**asdict(row), "worst": _why(worst[row.id])} for row in run.wrong],
            "not_assessed": [row.id for row in run.not_assessed],
            "against": None if compared is None else _compared_dict(compared),
        }
        write_json(_json(values))
    else:
        write(_evaluated(run, figures, compared, failed, worst))
    raise typer.Exit(UNGROUNDED if failed else GROUNDED)


def _opened(
    golden: str, config: Path | None, embedder: str, entailment: str
) -> tuple[list[Row], Halgorithm]:
    from halgo.config import Config
    from halgo.golden.rows import read
    from halgo.halgorithm import Halgorithm

    settings = Config.from_toml(config) if config else Config()
    named = None if entailment == "none" else entailment
    warnings: list[str] = []
    rows = read(golden, warnings)
    for warning in warnings:
        tell(f"warning: {warning}")
    return rows, Halgorithm(settings, embedder=embedder, entailment=named)


def _inputs(golden: str, rows: Sequence[Row]) -> list[outputs.Read]:
    """The golden file, and the files that its rows name as their documents."""
    names = dict.fromkeys(one.source for row in rows for one in row.documents)
    beside = Path(golden).parent
    return [(outputs.GOLDEN, golden), *((outputs.A_DOCUMENT, beside / name) for name in names)]


def _same(one: Path, other: Path) -> bool:
    """Whether both lead to the same file, of which there may be none."""
    return os.path.realpath(one) == os.path.realpath(other) or (
        one.exists() and other.exists() and one.samefile(other)
    )


def _failures(
    figures: Figures,
    min_f1: float | None,
    max_not_assessed: int | None,
    compared: Comparison | None,
) -> list[str]:
    """Why this run fails, a sentence each; empty when it does not."""
    failed = []
    if min_f1 is not None and figures.f1 is not None and figures.f1 < min_f1:
        failed.append(f"F1 of unsupported rows is {figures.f1:.3f}, below {min_f1:g}")
    if max_not_assessed is not None and figures.not_assessed > max_not_assessed:
        rows = _counted(figures.not_assessed, "row")
        failed.append(f"{rows} could not be assessed, more than {max_not_assessed}")
    for change in compared.changes if compared else ():
        if change.dropped:
            failed.append(
                f"{change.name} really dropped: {change.before:.3f} to {change.after:.3f}, "
                f"95 % interval of the difference {change.low:+.3f} to {change.high:+.3f}"
            )
    return failed


def _evaluated(
    run: Run,
    figures: Figures,
    compared: Comparison | None,
    failed: list[str],
    worst: Mapping[str, ClaimResult | None],
) -> str:
    from halgo.adapters.assertion import told

    lines = [_counted(figures.rows, "row") + _not_assessed(figures.not_assessed)]
    lines += [f"  {row.said}: {_line(row.id)}" for row in run.not_assessed]
    if figures.refusals:
        wanted = _counted(figures.refusals, "row")
        lines.append(f"{wanted} labelled refusal, of which {figures.refused} decline to answer")
    lines += ["", f"{'':12} {'precision':>9} {'recall':>9} {'F1':>9}"]
    for name, found in (("unsupported", figures.unsupported), ("supported", figures.supported)):
        values = " ".join(f"{_number(found[key]):>9}" for key in ("precision", "recall", "f1"))
        lines.append(f"{name:12} {values}")
    lines += [
        "",
        f"balanced accuracy {_number(figures.balanced_accuracy)}, "
        f"ROC-AUC {_number(figures.auc)}, ECE {_number(figures.ece)}",
    ]
    if figures.hint:
        lines.append(figures.hint)
    if run.wrong:
        lines += ["", f"{_counted(len(run.wrong), 'verdict')} a careful reader would not give:"]
    for row in run.wrong:
        score = "" if row.score is None else f" ({row.score:.2f})"
        lines.append(f"  {_line(row.id)}: {row.label}, found {row.said}{score}")
        result = worst[row.id]
        if result is not None:
            lines.append(told(result))
    if compared is not None:
        lines += ["", *_compared(compared)]
    lines += ["", *(f"FAILED: {reason}" for reason in failed)] if failed else []
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
    lines = [f"against the recorded run, {_counted(compared.rows, 'row')} in both:"]
    for change in compared.changes:
        lines.append(
            f"  {change.name:18} {change.before:.3f} then, {change.after:.3f} now "
            f"({change.low:+.3f} to {change.high:+.3f})"
        )
    lines += [f"  {note}" for note in compared.notes]
    for name, count in (("new here", compared.new), ("no longer here", compared.gone)):
        if count:
            lines.append(f"  {_counted(count, 'row')} {'is' if count == 1 else 'are'} {name}")
    if compared.changed:
        rows = _counted(len(compared.changed), "row")
        lines.append(f"  {rows} with other documents or another text than then, compared as well:")
    for row in compared.changed:
        lines.append(f"    {_line(row.id)}: was {row.before}, is {row.after}")
    if compared.relabelled:
        rows = _counted(len(compared.relabelled), "row")
        has = "has" if len(compared.relabelled) == 1 else "have"
        lines.append(f"  {rows} {has} another label than then:")
    for one in compared.relabelled:
        lines.append(f"    {_line(one.id)}: was {one.before}, is {one.after}")
    if not compared.flips:
        lines.append("  no row turned")
    for flip in compared.flips:
        turned = "turned wrong" if flip.worse else "turned right"
        lines.append(
            f"  {turned}: {_line(flip.id)} ({flip.label}), {flip.before} then, {flip.after} now"
        )
    if any(flip.worse for flip in compared.flips) and not compared.dropped:
        lines.append(
            "  none of it counts as a drop: on so few rows it may be chance. --min-f1 sets a bound"
        )
    return lines


def _compared_dict(compared: Comparison) -> dict[str, Any]:
    changes = [{**asdict(change), "dropped": change.dropped} for change in compared.changes]
    return {**asdict(compared), "changes": changes, "dropped": compared.dropped}


def _fitted(fitted: Fitted, out: Path) -> str:
    made = fitted.calibration
    left_out = _not_assessed(fitted.not_assessed)
    how = "documents kept whole" if fitted.folds == "groups" else "rows dealt out singly"
    lines = [
        f"{_line(str(out))}: {made.rows} rows{left_out}, {fitted.curve} curve",
        "",
        f"support_threshold {made.support_threshold:.2f}, threshold {made.threshold:.2f}",
        f"out of fold ({how}), before and after:",
    ]
    for name in fitted.before:
        lines.append(f"  {name:18} {fitted.before[name]:.3f} {fitted.after[name]:.3f}")
    lines += _worse(fitted)
    lines += [
        "",
        "what a support_threshold buys:",
        f"{'':10} {'supported':^19} {'unsupported':^19}",
    ]
    lines.append(f"{'threshold':>10} {'precision':>9} {'recall':>9} {'precision':>9} {'recall':>9}")
    for bought in fitted.table:
        values = [
            f"{_number(value):>9}"
            for kind in (bought.supported, bought.unsupported)
            for value in (kind.precision, kind.recall)
        ]
        chosen = "  <- chosen" if bought.threshold == made.support_threshold else ""
        lines.append(f"{bought.threshold:>10.2f} {' '.join(values)}{chosen}")
    return "\n".join(lines) + "\n"


def _worse(fitted: Fitted) -> list[str]:
    """That balanced accuracy gets worse, and which row of the table has the best; else nothing.

    The cut is chosen within one standard error of the best, and out of fold, so it may be a loss.
    """
    before, after = (found["balanced_accuracy"] for found in (fitted.before, fitted.after))
    if not after < before or not fitted.table:
        return []
    best = max(fitted.table, key=lambda row: row.supported.recall + row.unsupported.recall)
    return [
        f"balanced_accuracy gets worse, {before:.3f} to {after:.3f}. Of the rows below "
        f"{best.threshold:.2f} has the best: to take it,",
        f"write support_threshold = {best.threshold:.2f} behind the calibration in the settings",
    ]


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _not_assessed(count: int) -> str:
    return f" ({count} more could not be assessed: no claim to check)" if count else ""


def _number(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.3f}"


def _line(text: str) -> str:
    from halgo.report.safe import one_line

    return one_line(text)


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=2, allow_nan=False)
