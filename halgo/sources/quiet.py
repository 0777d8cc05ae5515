"""What libraries log while a file is read -> nowhere: their lines quote the file, bytes and all.

Without a handler of the caller's they would be written to stderr, where an escape sequence of the
file acts. What matters of them is in the error or the warning that the reader gives.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LIBRARIES = ("charset_normalizer", "pypdf")


class _Hush(logging.Handler):
    """Ends at a library's logger what reading threads log; lines of others go on from there."""

    def __init__(self, library: str) -> None:
        super().__init__()
        self.logger = logging.getLogger(library)
        self.went_on = self.logger.propagate
        self.logger.addHandler(self)
        self.logger.propagate = False

    def handle(self, record: logging.LogRecord) -> bool:
        above = self.logger.parent
        if threading.get_ident() in _reading or not self.went_on or above is None:
            return False
        # Without any handler above, the line would have ended at one that the caller put here.
        if above.hasHandlers() or len(self.logger.handlers) == 1:
            above.callHandlers(record)
        return True

    def withdraw(self) -> None:
        self.logger.removeHandler(self)
        self.logger.propagate = self.went_on


_lock = threading.Lock()
_reading: list[int] = []  # threads, each as often as it is reading
_hushes: list[_Hush] = []


@contextmanager
def quietly() -> Iterator[None]:
    """What the libraries log in this thread, within the block, goes to no handler above theirs.

    Afterwards their loggers are as they were. Handlers that the caller gave these very loggers
    still get every line.
    """
    thread = threading.get_ident()
    with _lock:
        if not _reading:
            _hushes.extend(map(_Hush, _LIBRARIES))
        _reading.append(thread)
    try:
        yield
    finally:
        with _lock:
            _reading.remove(thread)
            while not _reading and _hushes:
                _hushes.pop().withdraw()
