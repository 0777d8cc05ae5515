"""`halgo check --gate`: which policy is meant, and how its decision is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from halgo.adapters.shell import GROUNDED, UNGROUNDED, tell

if TYPE_CHECKING:
    from halgo.delivery.gate import Decision
    from halgo.delivery.policy import Policy


def read_policy(gate: str | None, tenant: str | None) -> Policy | None:
    """The profile of that name, or the policy in that TOML file; None when none is asked for.

    Raises ConfigError for what is neither, and for a file that is wrong.
    """
    from halgo.delivery.policy import Policy, profile

    if gate is None:
        if tenant is not None:
            raise typer.BadParameter("names a table of the --gate file", param_hint="--tenant")
        return None
    if Path(gate).suffix.lower() == ".toml":
        return Policy.from_toml(gate, tenant)
    if tenant is not None:
        raise typer.BadParameter(f"{gate} is a profile, no file", param_hint="--tenant")
    return profile(gate)


def profiles(incomplete: str) -> list[str]:
    """The names of the profiles that begin so, for a shell to complete."""
    from halgo.delivery.policy import PROFILES

    names = (name.lower().replace("_", "-") for name in PROFILES)
    return [name for name in names if name.startswith(incomplete)]


def rendered(decision: Decision, as_json: bool, for_terminal: bool) -> str:
    """The text that may be shown, or the whole record as JSON.

    The text is that of the decision to the byte, but on a terminal what acts is written out.
    """
    if as_json:
        return json.dumps(decision.record, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    text = decision.text
    if for_terminal:
        from halgo.report.safe import clean

        text = clean(text)
    return text if text.endswith("\n") or not text else text + "\n"


def explain(decision: Decision) -> None:
    """What was done and why, a line each, on stderr."""
    from halgo.report.safe import one_line
    from halgo.report.unchecked import counted

    lines = [f"{decision.policy.name}: {decision.action.value}", *decision.reasons]
    if decision.unchecked:
        lines.append(f"not checked: {counted(decision.unchecked)}")
    lines += [f"warning: {warning}" for warning in decision.report.warnings]
    for line in lines:
        tell(f"halgo: {one_line(line)}")


def exit_code(decision: Decision) -> int:
    """0 when the answer may be shown as it is, 1 when anything was done about it."""
    return GROUNDED if decision.passed else UNGROUNDED
