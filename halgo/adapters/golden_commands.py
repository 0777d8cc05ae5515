"""`halgo calibrate` and `halgo evaluate`: golden files on the command line and in CI."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo.adapters import outputs
from halgo.adapters.check_several import write_report
from halgo.adapters.report_formats import Also, Format, Output, also_of, in_json
from halgo.adapters.run_formats import (
    Evaluated,
    RunFormat,
    counted,
    not_assessed,
    number,
    overview,
    render,
)
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
)
from halgo.report.safe import one_line

if TYPE_CHECKING:
    from halgo.golden.calibrate import Fitted
    from halgo.golden.evaluate import Comparison, Figures
    from halgo.golden.rows import Row
    from halgo.halgorithm import Halgorithm

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
    with progress(f"Checking {counted(len(rows), 'row')}"):
        fitted = fit(rows, models, name=name or Path(golden).stem, precision=precision, made=date)
    write_file(out, fitted.to_json())
    if diagram is not None:
        title = f"{fitted.calibration.name}: said and found"
        svg = reliability_svg(fitted.bins_before, fitted.bins_after, title)
        write_file(diagram, svg)
    if as_json:
        write_report(in_json(fitted.to_dict()), Format.JSON, None)
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
    max_wrong_verdicts: Annotated[
        int | None, typer.Option(min=0, help="Most rows with another verdict than they name.")
    ] = None,
    output_format: Annotated[
        RunFormat | None, typer.Option("--format", "-f", help="How it is written.  [default: text]")
    ] = None,
    output: Output = None,
    also: Also = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Check labelled rows, and say how well the verdicts fit.

    Exit code 0: done and good enough; 1: F1 below --min-f1, a real drop since --against, more rows
    than --max-not-assessed or --max-wrong-verdicts; 2: wrong usage or rows that cannot be read;
    3: a model is missing.
    """
    from halgo.errors import GoldenError
    from halgo.golden.evaluate import Run, compare, reports, run_of

    if min_f1 is not None and not 0 <= min_f1 <= 1:
        raise typer.BadParameter("from 0 to 1", param_hint="--min-f1")
    if as_json and output_format not in (None, RunFormat.JSON):
        raise typer.BadParameter("is --format json; give one", param_hint="--json / --format")
    form = Format.JSON if as_json else Format(output_format or RunFormat.TEXT)
    others = also_of(also or (), RunFormat)
    require_writable(record, "--record")
    require_writable(output)
    if output is None:
        require_stdout("name a file with -o")
    recorded = None if against is None else Run.load(against)
    rows, models = _opened(golden, config, embedder, entailment)
    if max_wrong_verdicts is not None and not any(row.verdicts for row in rows):
        raise GoldenError(f"{golden}: no row names a verdict, so none is for --max-wrong-verdicts")
    reported = [("--output", output), *(("--also", path) for _, path in others)]
    read = [*outputs.of_settings(config), *_inputs(golden, rows)]
    outputs.require_apart([("--record", record), *reported], read)
    # A run that is not worse may take the place of the recorded one; a report of it may not.
    outputs.require_apart(reported, [(outputs.RECORDED, against)])
    with progress(f"Checking {counted(len(rows), 'row')}"):
        checked = reports(rows, models)
    run = run_of(rows, checked)
    figures = run.figures()
    if min_f1 is not None and figures.f1 is None:
        raise GoldenError(f"{golden}: no row is unsupported, so there is no F1 for --min-f1")
    compared = None if recorded is None else compare(run, recorded)
    failed = _failures(figures, min_f1, max_not_assessed, max_wrong_verdicts, compared)
    # A worse run must not take the place of the one it is held against.
    in_place = record is not None and against is not None and _same(record, Path(against))
    if record is not None and not (failed and in_place):
        write_file(record, run.to_json())
    done = Evaluated(golden, rows, checked, run, figures, compared, failed)
    write_report(render(done, form), form, output)
    for other, path in others:
        write_file(path, render(done, other))
    if output is not None or form in (Format.JUNIT, Format.SARIF):
        tell(f"halgo: {overview(done)}")
        for reason in failed:
            tell(f"halgo: FAILED: {reason}")
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
    max_wrong_verdicts: int | None,
    compared: Comparison | None,
) -> list[str]:
    """Why this run fails, a sentence each; empty when it does not."""
    failed = []
    if min_f1 is not None and figures.f1 is not None and figures.f1 < min_f1:
        failed.append(f"F1 of unsupported rows is {figures.f1:.3f}, below {min_f1:g}")
    if max_not_assessed is not None and figures.not_assessed > max_not_assessed:
        rows = counted(figures.not_assessed, "row")
        failed.append(f"{rows} could not be assessed, more than {max_not_assessed}")
    if max_wrong_verdicts is not None and figures.wrong_verdicts > max_wrong_verdicts:
        rows, has = (
            counted(figures.wrong_verdicts, "row"),
            "has" if figures.wrong_verdicts == 1 else "have",
        )
        failed.append(f"{rows} {has} another verdict than expected, more than {max_wrong_verdicts}")
    for change in compared.changes if compared else ():
        if change.dropped:
            failed.append(
                f"{change.name} really dropped: {change.before:.3f} to {change.after:.3f}, "
                f"95 % interval of the difference {change.low:+.3f} to {change.high:+.3f}"
            )
    return failed


def _fitted(fitted: Fitted, out: Path) -> str:
    made = fitted.calibration
    left_out = not_assessed(fitted.not_assessed)
    how = "documents kept whole" if fitted.folds == "groups" else "rows dealt out singly"
    lines = [
        f"{one_line(str(out))}: {made.rows} rows{left_out}, {fitted.curve} curve",
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
            f"{number(value):>9}"
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
