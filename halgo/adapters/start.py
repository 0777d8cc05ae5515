"""Where `halgo` begins: a stop hook goes a short way, everything else to the command line.

A stop hook is waited for at the end of each answer of an agent. The command line takes longer to
load than the hook's own work, so the plain call of it goes without.
"""

from __future__ import annotations

import contextlib
import os
import sys

from halgo import process
from halgo.errors import ConfigError


def main() -> int:
    """Runs `halgo` with the arguments of the process; returns the exit code."""
    given = sys.argv[1:]
    with_server = given[:3] == ["hook", "claude-code", "--server"] and len(given) == 4
    if given == ["hook", "claude-code"] or with_server:
        from halgo.agents.stop import stop_hook

        return stop_hook(server=given[3] if with_server else None)
    try:
        process.take_over()
    except ConfigError as error:
        sys.stderr.write(f"halgo: {error}\n")
        return 2
    from halgo.adapters.cli import main as command_line

    code = command_line()
    if code == process.INTERRUPTED:
        # Python would wait for threads that still load a model, and end by the signal where the
        # exception came inside an exec().
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(code)
    return code
