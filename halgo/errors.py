"""What can go wrong, as exceptions a caller may want to catch.

HalgoError
    ConfigError(ValueError)              unknown setting, value out of range or order; no baseline
    DocumentError                        .source: missing, unreadable, not text
        UnsupportedFormatError           unknown kind of file, or one that needs an extra
    ModelNotFoundError                   .name, .searched: every place looked at, and the fix
        ModelDamagedError(ValueError)    other bytes than recorded, or numbers that are not finite
    MissingDependencyError(ImportError)  an optional package; the message names the extra
    GoldenError(ValueError)              malformed golden rows, or too few; a saved run not of ours
    IndexFormatError                     not an index of ours, damaged, or of a newer schema
    IndexMismatchError                   an index that another embedder built
    IndexLockedError                     an index that another process is changing just now
    AuditError                           .line, .report: a check that is not in the audit log
    BatchError                           a batch that cannot begin, go on, or share its folder
    VectorStoreError                     an engine that fails, or that has not this index's vectors
    TextModelError                       .status: an endpoint that gives no usable reply
    WorkerError                          a process that was to share the work is gone

Wrong arguments are ValueError or TypeError with the value in the message. Odd *content* is never
an exception: it is a skipped claim or a warning in the report.
"""

from __future__ import annotations

from collections.abc import Sequence


class HalgoError(Exception):
    """The root of every exception that halgo raises on purpose."""


class ConfigError(HalgoError, ValueError):
    """An unknown setting, a value out of range, thresholds out of order, or no baseline of ours."""


class DocumentError(HalgoError):
    """A source that cannot be read; `source` is its path or name."""

    def __init__(self, message: str, source: str = "") -> None:
        super().__init__(message)
        self.source = source


class UnsupportedFormatError(DocumentError):
    """A kind of file that halgo does not read, or reads only with an extra installed."""


class ModelNotFoundError(HalgoError):
    """A model that is not on this machine; `searched` lists every place looked at."""

    def __init__(self, message: str, name: str = "", searched: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.searched = tuple(searched)


class ModelDamagedError(ModelNotFoundError, ValueError):
    """A model whose files are not those recorded, cannot be read, or give no usable numbers."""


class MissingDependencyError(HalgoError, ImportError):
    """An optional package that is not installed; the message names the extra that brings it."""


class GoldenError(HalgoError, ValueError):
    """Labelled rows that are malformed or too few, or a saved run that cannot be compared."""


class IndexFormatError(HalgoError):
    """A file that is not an index of ours, is damaged, or comes from a newer halgo."""


class IndexMismatchError(HalgoError):
    """An index that was built with another embedder or another width."""


class VectorStoreError(HalgoError):
    """A vector store whose engine fails, or that does not hold the vectors of an index."""


class IndexLockedError(HalgoError):
    """An index in a folder that another process is changing; nothing was changed."""


class TextModelError(HalgoError):
    """An endpoint that gives no usable reply; `status` is the HTTP one, None where none came."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class AuditError(HalgoError):
    """An audit log that could not be written or read.

    line: which line of it, from 1; report: the Report that has no line. Either may be None.
    """

    def __init__(self, message: str, line: int | None = None, report: object = None) -> None:
        super().__init__(message)
        self.line = line
        self.report = report


class BatchError(HalgoError):
    """A batch that cannot begin or go on: its input, its folder, or another run in it."""


class WorkerError(HalgoError):
    """A process that was started to share the work, and ended before it was done."""
