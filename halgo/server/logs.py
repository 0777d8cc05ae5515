"""What happens -> one JSON line each on stderr, without a word of any user.

Routes are logged by their pattern and failures by their type and place in the code: a path may
name a document, and an error's message may quote one.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO


class Libraries(logging.Handler):
    """Takes what libraries log: who logged, and the type of the error, but not the message."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Writes one record."""
        error = record.exc_info and record.exc_info[0]
        self._log.warning(
            "library", logger=record.name, type=None if error is None else error.__name__
        )


class Log:
    """Writes to a stream; `quiet` leaves out what went well."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream, self._quiet = stream, quiet

    def info(self, event: str, **values: Any) -> None:
        """Something that went as it should."""
        if not self._quiet:
            self._write("info", event, values)

    def warning(self, event: str, **values: Any) -> None:
        """Something odd that does no harm."""
        self._write("warning", event, values)

    def failure(self, event: str, error: BaseException, **values: Any) -> None:
        """A fault: the error's type, and the functions it came through."""
        frames = traceback.extract_tb(error.__traceback__)[-8:]
        places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        self._write("error", event, {"type": type(error).__name__, "at": places, **values})

    def _write(self, level: str, event: str, values: dict[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"time": now, "level": level, "event": event, **values})
        stream = self._stream or sys.stderr
        stream.write(line + "\n")
        stream.flush()
