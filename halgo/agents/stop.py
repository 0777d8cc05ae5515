"""The stop hook as a process: stdin -> stdout, stderr and the exit code.

Loads what it needs and no more: nothing of the command line, and no model.
"""

from __future__ import annotations

import os
import sys

from halgo.agents.hook import ERROR, Grounding, HookInputError, answered
from halgo.errors import HalgoError
from halgo.report.safe import clean

MOST_BYTES = 20_000_000  # of what comes on stdin
SERVER, TOKEN = "HALGO_SERVER", "HALGO_TOKEN"


def stop_hook(*, server: str | None = None, models: bool = False, unsupported: bool = False) -> int:
    """Answers one call of the hook; returns its exit code, and never raises.

    server: the address of `halgo serve`, else what HALGO_SERVER says. models: load them here.
    """
    try:
        if sys.stdin is None or sys.stdin.isatty():
            raise HookInputError(
                "the input of a hook comes on stdin; to look at a session by hand run "
                "halgo hook --transcript FILE"
            )
        given = sys.stdin.buffer.read(MOST_BYTES + 1)
        if len(given) > MOST_BYTES:
            raise HookInputError(f"stdin holds more than {MOST_BYTES:,} bytes")
        text = given.decode("utf-8", "replace")
        code, out, err = answered(
            text, unsupported=unsupported, grounding=grounding(server, models)
        )
    except (HookInputError, HalgoError) as error:
        return _failed(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}")
    except Exception as error:
        # A fault of ours must not keep an agent at work, nor pass for a message that was checked.
        if os.environ.get("HALGO_DEBUG"):
            raise
        return _failed(f"internal error: {type(error).__name__}; HALGO_DEBUG=1 shows where")
    sys.stdout.write(out)
    _tell(err)
    return code


def grounding(server: str | None, models: bool) -> Grounding | None:
    """What looks at structured results, if anything is to."""
    server = server or os.environ.get(SERVER)
    if not server and not models:
        return None
    from halgo.agents import grounding as ways

    return ways.at_server(server, os.environ.get(TOKEN)) if server else ways.here


def _failed(why: str) -> int:
    _tell(f"halgo hook: {why}; nothing was checked\n")
    return ERROR


def _tell(message: str) -> None:
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(clean(message).encode(encoding, "replace").decode(encoding))
