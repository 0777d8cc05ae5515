"""`halgo audit verify|show|stats`: what an audit log holds, and whether it is as it was written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halgo.adapters.shell import GROUNDED, UNGROUNDED, tell, write, write_json
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.delivery.gate import Decision
    from halgo.delivery.statistics import Figures
    from halgo.errors import AuditError
    from halgo.report.report import Report

Log = Annotated[Path, typer.Argument(help="The audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]

audit_app = typer.Typer(help="Audit logs: is one as it was written, what does it say.")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(audit_app, name="audit")


def log(path: Path | None, report: Report, decision: Decision | None, latency_ms: float) -> None:
    """Adds a check to the log; a failure is told on stderr, the result has been given."""
    if path is None:
        return
    from halgo.delivery.audit import AuditLog

    AuditLog(path, on_error=_tell).append(report, decision, latency_ms)


def _tell(error: AuditError) -> None:
    tell(f"halgo: warning: {error}")


@audit_app.callback(invoke_without_command=True)
def audit(context: typer.Context) -> None:
    """Look into audit logs, as "halgo check --audit" and the library write them."""
    if context.invoked_subcommand is None:
        raise typer.BadParameter("say what: verify, show or stats", param_hint="audit")


@audit_app.command()
def verify(
    path: Log,
    known: Annotated[
        str | None, typer.Option(help="A hash from before, which the log must still hold.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the chain of hashes.

    Exit code 0: every line is as it was written; 1: one is not, and its number is told.
    """
    from halgo.delivery.audit import verify as verified

    found = verified(path, known=known)
    if as_json:
        _write_json(found.to_dict())
    else:
        name, lines = printable(str(path)), "" if found.records == 1 else "s"
        if found.ok:
            said = [f"{name}: {found.records} record{lines}, as written; last {found.last_hash}"]
        else:
            said = [f"{name}: line {found.bad_line}: {found.why}"]
            said.append(f"good before it: {found.records} record{lines}")
        if found.torn:
            shown = ", ".join(map(str, found.torn))
            said.append(f"lost in a crash, and accounted for: line {shown}")
        write("\n".join(said) + "\n")
    raise typer.Exit(GROUNDED if found.ok else UNGROUNDED)


@audit_app.command(context_settings={"ignore_unknown_options": True})  # -1 is a line, no option
def show(
    path: Log,
    which: Annotated[
        str,
        typer.Argument(help="Its line, from 1, or from the end with -1; or the start of its hash."),
    ],
) -> None:
    """Show one check, as JSON."""
    from halgo.delivery.audit import show as shown

    number = re.fullmatch("-?[0-9]{1,5}", which)
    _write_json(shown(path, int(which) if number else which))


@audit_app.command()
def stats(
    path: Log,
    since: Annotated[
        str | None, typer.Option(help='From this day or moment: "2026-03-01".')
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Up to this moment; a day counts whole.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show rates and latencies over time, in all and by day."""
    from halgo.delivery.statistics import statistics

    try:
        found = statistics(path, since, until)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--since / --until") from error
    if as_json:
        _write_json(found.to_dict())
        return
    rows = [("all", found.total), *found.days.items()]
    table = [["", *(_HEADS[name] for name in _HEADS)]]
    table += [[day, *(_shown(figures, name) for name in _HEADS)] for day, figures in rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    ]
    if found.unreadable:
        lines.append(f"{found.unreadable} damaged or incomplete lines left out: halgo audit verify")
    write("\n".join(lines) + "\n")


_HEADS = {
    "checks": "checks",
    "claims": "claims",
    "claims_median": "median",
    "unsupported_rate": "unsupp.",
    "contradiction_rate": "contrad.",
    "affected_rate": "affected",
    "strip_rate": "strip",
    "escalation_rate": "escal.",
    "block_rate": "block",
    "latency_p50_ms": "p50 ms",
    "latency_p95_ms": "p95 ms",
    "latency_p99_ms": "p99 ms",
}


def _shown(figures: Figures, name: str) -> str:
    value: Any = getattr(figures, name)
    if value is None:
        return "-"
    if name.endswith("_rate"):
        return f"{value:.1%}"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _write_json(value: Any) -> None:
    write_json(json.dumps(value, indent=2, ensure_ascii=True))
