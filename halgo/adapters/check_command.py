"""`halgo check`: answers and documents -> reports, or what may be shown, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo import process
from halgo.adapters import answers as reading
from halgo.adapters import audit_command, baseline_option, gate_option, outputs, page_option
from halgo.adapters.check_several import (
    checked,
    exit_code,
    located,
    paths_of,
    report_on,
    require_other,
    tell_left_out,
    tell_warnings,
    warned,
    write_all,
    write_also,
    write_report,
)
from halgo.adapters.report_formats import Also, Format, Output, also_of, render, shows_colors
from halgo.adapters.shell import (
    USAGE,
    Docs,
    Embedder,
    Entailment,
    IndexFile,
    Jobs,
    Question,
    Settings,
    indexing,
    progress,
    require_stdout,
    require_writable,
)
from halgo.printable import printable
from halgo.report.failing import FailOn

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm


class Granularity(StrEnum):
    """What one claim is: a sentence, or each clause of it."""

    SENTENCE = "sentence"
    ATOMIC = "atomic"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(check)


@process.interrupts(raised=False)  # models are loaded side by side; what is written is whole
def check(
    answers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ANSWER...",
            help='Files with AI answers, folders of them, .jsonl files; "-" reads one on stdin.',
        ),
    ] = None,
    docs: Docs = None,
    index: IndexFile = None,
    question: Question = None,
    output_format: Annotated[
        Format | None, typer.Option("--format", "-f", help="How it is written.  [default: text]")
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="What exit code 1 is for; without it, any claim not SUPPORTED."),
    ] = None,
    fail_on_warnings: Annotated[
        bool,
        typer.Option("--fail-on-warnings", help="Exit code 2 for a warning, of a document say."),
    ] = False,
    baseline: baseline_option.Known = None,
    write_baseline: baseline_option.Written = None,
    stdin_jsonl: Annotated[
        bool,
        typer.Option("--stdin-jsonl", help="Answers on stdin, a JSON line each; a line back each."),
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="Lowest score of weak support, 0 to 1.  [default: 0.30]")
    ] = None,
    support_threshold: Annotated[
        float | None, typer.Option(help="Lowest score of support, 0 to 1.  [default: 0.65]")
    ] = None,
    granularity: Annotated[Granularity | None, typer.Option(help="What one claim is.")] = None,
    classic: Annotated[bool, typer.Option("--classic", help="The first published rules.")] = False,
    config: Settings = None,
    gate: Annotated[
        str | None,
        typer.Option(
            help="Show what may be shown: a profile's name or a policy as TOML.",
            autocompletion=gate_option.profiles,
        ),
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(help="The table [tenants.NAME] of the --gate file.")
    ] = None,
    audit: Annotated[Path | None, typer.Option(help="Audit log to add a line to.")] = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    output: Output = None,
    also: Also = None,
    assets: Annotated[
        page_option.Assets, typer.Option(help="HTML: style and script inside, or beside the page.")
    ] = page_option.Assets.INLINE,
    jobs: Jobs = 1,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Colours; by default in a terminal.")
    ] = None,
) -> None:
    """Check answers against documents.

    Exit code 0: grounded; 1: not grounded; 2: wrong usage or unreadable input, or a warning with
    --fail-on-warnings; 3: a model or package is missing; 4: nothing was assessed. What a --baseline
    has counts for neither 1 nor 4. With --gate 0: passed; 1: not.
    """
    from halgo.halgorithm import Halgorithm

    form = output_format or (Format.JSONL if stdin_jsonl else Format.TEXT)
    _require_sense(answers, docs, index, stdin_jsonl, gate, fail_on, baseline or write_baseline)
    others = also_of(also or ())
    written = [
        *(("--output", path) for path in page_option.places(assets, output)),
        *(("--also", path) for _, path in others),
        ("--audit", audit),
    ]
    outputs.require_apart(written, [(outputs.BASELINE, baseline)])  # which may be made anew
    outputs.require_apart(
        [*written, ("--write-baseline", write_baseline)],
        [
            *((outputs.AN_ANSWER, name) for name in answers or ()),
            *((outputs.A_DOCUMENT, name) for name in docs or ()),
            (outputs.THE_INDEX, index),
            (outputs.POLICY, gate),
            *outputs.of_settings(config),
        ],
    )
    settings = _settings(config, threshold, support_threshold, granularity, classic)
    policy = gate_option.read_policy(gate, tenant)
    require_writable(output)
    if output is None:
        require_stdout("name a file with -o")
    require_writable(audit, "--audit")
    page_option.require_place(assets, output)
    baselines = baseline_option.Baselines(baseline, write_baseline)
    left_out: list[str] = []
    given = [] if stdin_jsonl else reading.read(answers or (), left_out)
    tell_left_out(left_out)
    single = len(given) == 1 and given[0].line is None and given[0].error is None
    alone = single and not form.of_several
    if not alone and policy is not None:
        why = "takes a single answer: one file, or - for stdin"
        if single:
            why = (
                f"gives what may be shown of an answer, for which --format {form.value} has no "
                f"place; take text, json or html, and --also {form.value}=FILE for the findings"
            )
        raise typer.BadParameter(why, param_hint="--gate")
    if question is not None:
        if not single:
            raise typer.BadParameter(
                'is that of a single answer; give each JSON line its own "question"',
                param_hint="--question",
            )
        given = [replace(given[0], question=question)]
    own = stdin_jsonl or any(one.documents is not None for one in given)
    if not docs and index is None and not own:
        raise _no_documents()
    halgorithm = Halgorithm(
        settings, embedder=embedder, entailment=None if entailment == "none" else entailment
    )
    if all(Path(place).exists() for place in (*(docs or ()), *filter(None, [index]))):
        halgorithm.preload()  # else there is an error to tell, which is not to wait for models
    checker = _checker(docs, index, halgorithm, jobs)
    tell_warnings(checker.warnings if checker is not None else ())
    colored = color if color is not None else output is None and shows_colors()
    if not alone:
        checks = checked(reading.pipe() if stdin_jsonl else given, checker, halgorithm, audit)
        checks = baselines.marked(checks)
        code = write_all(checks, form, fail_on, output, colored, others, assets, fail_on_warnings)
        baselines.settle(code)
        raise typer.Exit(code)
    assert checker is not None
    require_other(given[0], paths_of(checker))
    with progress("Checking the answer"):
        report, latency_ms = report_on(given[0], checker)
    found = [baselines.mark(located(given[0], report))]
    decision = None
    if policy is not None:
        from halgo.delivery.gate import apply

        decision = apply(report, policy)
        in_terminal = output is None and sys.stdout.isatty()
        rendered = gate_option.rendered(decision, form is Format.JSON, in_terminal)
        gate_option.explain(decision)
        code = gate_option.exit_code(decision)
    else:
        rendered = "" if form is Format.HTML else render(report, form, colored, found[0].known)
        code = exit_code(found, fail_on)
    if form is Format.HTML:
        page_option.write_page(report, checker, decision, output, assets)
    else:
        write_report(rendered, form, output)
    for _, path in (one for one in others if one[0] is Format.HTML):
        page_option.write_page(report, checker, decision, path)
    write_also(found, [one for one in others if one[0] is not Format.HTML], fail_on)
    audit_command.log(audit, report, decision, latency_ms)
    code = USAGE if fail_on_warnings and warned(found) else code
    baselines.settle(code)
    raise typer.Exit(code)


def _require_sense(
    answers: Sequence[str] | None,
    docs: Sequence[str] | None,
    index: str | None,
    stdin_jsonl: bool,
    gate: str | None,
    fail_on: FailOn | None,
    baseline: Path | None,
) -> None:
    """Refuses options that do not go together. baseline: one that is read or written."""
    if stdin_jsonl and answers:
        raise typer.BadParameter("reads stdin; name no files beside it", param_hint="--stdin-jsonl")
    if not stdin_jsonl and not answers:
        raise typer.BadParameter(
            "name a file with an answer, a folder of them, or - for stdin", param_hint="ANSWER"
        )
    if (answers or ()).count(reading.STDIN) > 1:
        raise typer.BadParameter("stdin can be read once", param_hint="-")
    if docs and index is not None:
        raise _no_documents()
    _require_no_document(answers or (), docs or ())
    if gate is not None and fail_on is not None:
        raise typer.BadParameter("the policy decides what fails", param_hint="--fail-on / --gate")
    if gate is not None and baseline is not None:
        raise typer.BadParameter("a policy knows no baseline", param_hint="--baseline / --gate")


def _require_no_document(answers: Sequence[str], docs: Sequence[str]) -> None:
    """Refuses documents among the answers: "a.md --docs docs/*.md", which a shell writes out.

    They are answers beside a document, where another answer lies elsewhere.
    """
    folders = {Path(name).parent: name for name in docs if Path(name).is_file()}
    beside = [name for name in answers if Path(name).parent in folders and name != reading.STDIN]
    if not beside or len(beside) == len(answers):
        return
    first, document = beside[0], folders[Path(beside[0]).parent]
    more = f" and {len(beside) - 1} more" if len(beside) > 1 else ""
    raise typer.BadParameter(
        f"takes one name, {printable(document)}; {printable(first)}{more} beside it would be read "
        f"as answers. Repeat --docs before each document, or name the folder: --docs "
        f"{printable(str(Path(document).parent))}. If they are answers, check them in another run",
        param_hint="--docs",
    )


def _no_documents() -> typer.BadParameter:
    return typer.BadParameter("give either --docs or --index", param_hint="--docs / --index")


def _settings(
    path: Path | None,
    threshold: float | None,
    support_threshold: float | None,
    granularity: Granularity | None,
    classic: bool,
) -> Config:
    from halgo.config import Config

    config = Config.from_toml(path) if path else Config()
    changes: dict[str, object] = {}
    if threshold is not None:
        changes["threshold"] = threshold
    if support_threshold is not None:
        changes["support_threshold"] = support_threshold
    if granularity is not None:
        changes["granularity"] = granularity.value
    if classic:
        changes["mode"] = "classic"
    return config.with_(**changes)


def _checker(
    docs: Sequence[str] | None, index: str | None, halgorithm: Halgorithm, jobs: int
) -> Checker | None:
    """The Checker of the documents; None when none are given."""
    from halgo.checker import Checker

    if index is None and not docs:
        return None
    with indexing() as show:
        if index is not None:
            return Checker.from_index(index, halgorithm=halgorithm)
        return Checker.from_files(list(docs or ()), halgorithm=halgorithm, progress=show, jobs=jobs)
