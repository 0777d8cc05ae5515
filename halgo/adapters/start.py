"""Where `halgo` begins: a stop hook goes a short way, everything else to the command line.

A stop hook is waited for at the end of each answer of an agent. The command line takes longer to
load than the hook's own work, so the plain call of it goes without.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Runs `halgo` with the arguments of the process; returns the exit code."""
    given = sys.argv[1:]
    with_server = given[:3] == ["hook", "claude-code", "--server"] and len(given) == 4
    if given == ["hook", "claude-code"] or with_server:
        from halgo.agents.stop import stop_hook

        return stop_hook(server=given[3] if with_server else None)
    from halgo.adapters.cli import main as command_line

    return command_line()
