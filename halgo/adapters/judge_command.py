"""`halgo judge`: one decision on an answer, for a program that asks whether to return it."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halgo.adapters.shell import (
    GROUNDED,
    NOT_ASSESSED,
    UNGROUNDED,
    Answer,
    Docs,
    Embedder,
    Entailment,
    IndexFile,
    Question,
    Settings,
    indexing,
    progress,
    read_answer,
    require_stdout,
    write,
    write_json,
)

if TYPE_CHECKING:
    from halgo.report.judgeverdict import JudgedClaim, JudgeVerdict

Weight = Annotated[float | None, typer.Option(min=0.0)]


class Form(StrEnum):
    """How the decision is written."""

    TEXT = "text"
    JSON = "json"


class WeakIs(StrEnum):
    """What weak support counts as."""

    COMPLETE = "complete"
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(judge)


def judge(
    answer: Answer,
    docs: Docs = None,
    index: IndexFile = None,
    question: Question = None,
    form: Annotated[Form, typer.Option("--format", "-f")] = Form.TEXT,
    full: Annotated[
        bool, typer.Option("--full", help="JSON with places, quotes, reasons and warnings.")
    ] = False,
    contradicted_weight: Weight = None,
    unsupported_weight: Weight = None,
    cut: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Least confidence that may be returned; 0.5."),
    ] = None,
    weak_is: Annotated[WeakIs | None, typer.Option(help="What weak support is; complete.")] = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
) -> None:
    """Decide whether an answer may be returned.

    Exit code 0: it may; 1: it is hallucinated; 2: wrong usage or unreadable input; 3: a model or
    package is missing; 4: nothing was assessed.
    """
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm
    from halgo.report.judge import SETTINGS, Judge
    from halgo.types import State

    if bool(docs) == (index is not None):
        raise typer.BadParameter("give either --docs or --index", param_hint="--docs / --index")
    if full and form is not Form.JSON:
        raise typer.BadParameter("is of JSON; add --format json", param_hint="--full")
    require_stdout()
    options: dict[str, Any] = {
        "contradicted_weight": contradicted_weight,
        "unsupported_weight": unsupported_weight,
        "cut": cut,
        "weak_is": weak_is and weak_is.value,
    }
    options = {name: value for name, value in options.items() if value is not None}
    for name, value in options.items():
        # No bound is above or below "nan".
        if isinstance(value, float) and not math.isfinite(value):
            hint = f"--{name.replace('_', '-')}"
            raise typer.BadParameter(f"{value} is no finite number", param_hint=hint)
    judge = Judge.from_toml(config) if config and _names_judges(config) else Judge()
    options = {name: getattr(judge, name) for name in SETTINGS} | options
    text, warnings = read_answer(answer)
    halgorithm = Halgorithm(
        Config.from_toml(config) if config else None,
        embedder=embedder,
        entailment=None if entailment == "none" else entailment,
    )
    with indexing() as show:
        if index is not None:
            checker = Checker.from_index(index, halgorithm=halgorithm)
        else:
            checker = Checker.from_files(list(docs or ()), halgorithm=halgorithm, progress=show)
    with progress("Judging the answer"):
        verdict = Judge(checker, **options).evaluate(text, question=question)
    verdict = replace(verdict, warnings=(*verdict.warnings, *warnings))
    if form is Form.JSON:
        write_json(verdict.to_json(full=full))
    else:
        write(_text(verdict))
    if verdict.state is not State.ASSESSED:
        raise typer.Exit(NOT_ASSESSED)
    raise typer.Exit(GROUNDED if verdict.should_return else UNGROUNDED)


def _names_judges(config: Path) -> bool:
    """Whether the file has tables; one without is about checks alone."""
    from halgo.settings import TABLES, read_toml

    return bool(set(read_toml(config, "settings")) & set(TABLES))


def _text(verdict: JudgeVerdict) -> str:
    from halgo.report.safe import one_line
    from halgo.report.unchecked import counted
    from halgo.types import State

    if verdict.should_return:
        lines = ["The answer may be returned."]
    elif verdict.state is State.ASSESSED:
        lines = ["The answer is hallucinated: do not return it."]
    else:
        lines = ["Nothing of the answer was assessed: do not return it."]
    lines.append(f"Confidence {verdict.confidence_score:.2f}. {verdict.reasoning}")
    for number, claim in enumerate(verdict.claims, start=1):
        lines += ["", f"{number}. {claim.status.upper()} ({claim.type.value})"]
        lines.append(f"   {one_line(claim.text)}")
        if claim.message:
            lines.append(f"   why: {one_line(claim.message)}")
        lines += (f"   {line}" for line in _quotes(claim))
    if verdict.unchecked:
        lines += ["", f"Not checked: {counted(verdict.unchecked)}"]
        lines += (f"   {one.kind}: {one_line(one.text)}" for one in verdict.unchecked)
    if verdict.warnings:
        lines.append("")
        lines += (f"! {one_line(warning)}" for warning in verdict.warnings)
    return "\n".join(lines) + "\n"


def _quotes(claim: JudgedClaim) -> list[str]:
    """The sentences that support or contradict a claim, or the nearest, each behind its place."""
    from halgo.report.judgeverdict import UNSUPPORTED
    from halgo.report.safe import one_line

    nearest = "nearest, " if claim.status == UNSUPPORTED else ""
    return [
        f"{nearest}{one_line(quote.title)}"
        f"{f', page {one_line(quote.page)}' if quote.page else ''}: "
        f"“{one_line(quote.text)}”"
        for quote in claim.quotes
    ]
