"""What a batch has written -> its answers, each with its report, one after the other.

Nothing is checked again: a row of the table of answers holds the report and the answer that it is
about. One row is in memory at a time, or a few of a Parquet file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.bulk import run_plan
from halgo.bulk.answer_rows import LINES, LONGEST_LINE, PARQUET, arrow, files_of, not_blank
from halgo.errors import BatchError, DocumentError
from halgo.printable import printable
from halgo.report.located import Located, Unread
from halgo.report.restored import restored

COLUMNS = ("id", "error", "report")
_BATCH = 32  # rows that are read of a Parquet file at a time; each may hold a long report
_NAMED = 5  # ids named in one message


@dataclass(frozen=True)
class Finished:
    """The files with the rows, in order.

    missing: answers of a batch that no file has yet, because parts of it are still to be checked.
    """

    files: tuple[Path, ...]
    missing: int = 0

    def answers(self, ids: Collection[str] = ()) -> Iterator[Located | Unread]:
        """Each answer with its report, or why it has none, in order; ids: those alone.

        Raises DocumentError for a file that cannot be read, rows that are none of a batch, or
        have no report, and for ids that no row has.
        """
        left = set(ids)
        for path in self.files:
            for number, values in enumerate(_rows(path), start=1):
                found = _answer(path, number, values, left if ids else None)
                if found is None:
                    continue
                yield found
                left.discard(found.name)
                if ids and not left:
                    return
        if left:
            named = ", ".join(printable(repr(one)) for one in sorted(left)[:_NAMED])
            more = f" and {len(left) - _NAMED:,} more" if len(left) > _NAMED else ""
            raise DocumentError(f"no answer has the id {named}{more}", str(self.files[0]))


def finished(names: Sequence[str | Path]) -> Finished:
    """What is there of the folders of batches, or of files and folders with their rows.

    Raises BatchError for a batch of which there is nothing to show, DocumentError for other files.
    """
    files: list[Path] = []
    missing = 0
    for path in map(Path, names):
        if (path / run_plan.MANIFEST).exists():
            there, rows = _parts(path)
            files += there
            missing += rows
        else:
            files += _others(path)
    return Finished(tuple(files), missing)


def _parts(folder: Path) -> tuple[list[Path], int]:
    """The parts of a batch that are there, and how many rows the others will have."""
    shown = printable(str(folder))
    held = run_plan.begun(folder) or {}
    try:
        if not held["settings"]["report"]:
            raise BatchError(
                f"{shown} holds verdicts without reports, which pages and tables are made of: the "
                "answers were checked with --no-report. Check them into another folder without it"
            )
        there, missing = run_plan.parts_of(folder, held)
    except (KeyError, TypeError, ValueError) as error:
        raise BatchError(f"{shown} was written by another version of halgo ({error!r})") from error
    if not there:
        raise BatchError(f"{shown} has no verdicts yet; run the batch to its end first")
    return there, missing


def _others(path: Path) -> list[Path]:
    if not path.exists():
        raise DocumentError(disk.missing(path, "file or folder"), str(path))
    found = files_of([path])
    for one in found:
        if one.suffix.lower() not in (*LINES, *PARQUET):
            raise DocumentError(
                f"{printable(str(one))}: verdicts are {', '.join((*LINES, *PARQUET))}; name the "
                "folder that halgo batch wrote, or files with rows of its answers",
                str(one),
            )
    return found


def _answer(
    path: Path, number: int, values: Mapping[str, Any], ids: Collection[str] | None
) -> Located | Unread | None:
    """The row as an answer; None where it is not among the ids."""
    name = str(values.get("id"))
    if ids is not None and name not in ids:
        return None
    error, told = values.get("error"), values.get("report")
    if isinstance(error, str):
        return Unread(name, error, str(path))
    try:
        told = json.loads(told) if isinstance(told, str) else told
        if not isinstance(told, dict) or not isinstance(told.get("answer"), str):
            raise _odd(path, number, "has no report with its answer")
        found = restored(told, told["answer"])
    except (ValueError, RecursionError) as wrong:
        raise _odd(path, number, f"holds {wrong}") from wrong
    asked = told.get("question")
    return Located(name, found, str(path), question=asked if isinstance(asked, str) else None)


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        with disk.opened(path) as stream:
            if path.suffix.lower() in PARQUET:
                yield from _parquet(path, stream)
                return
            for number, line in not_blank(stream):
                if line is None:
                    raise _odd(path, number, f"has more than {LONGEST_LINE:,} bytes")
                yield _line(path, number, line)
    except OSError as error:
        raise DocumentError(f"{printable(str(path))}: {error.strerror or error}") from error


def _line(path: Path, number: int, line: bytes) -> Mapping[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _odd(path, number, f"is no JSON: {error}") from error
    if not isinstance(values, dict):
        raise _odd(path, number, "is no JSON object")
    return values


def _parquet(path: Path, stream: Any) -> Iterator[Mapping[str, Any]]:
    pyarrow, parquet = arrow()
    try:
        with parquet.ParquetFile(stream) as table:
            wanted = [name for name in COLUMNS if name in table.schema_arrow.names]
            for batch in table.iter_batches(batch_size=_BATCH, columns=wanted):
                yield from batch.to_pylist()
    except pyarrow.ArrowException as error:
        said = printable(str(error))[:200]
        raise DocumentError(
            f"{printable(str(path))} is no whole Parquet file ({said})", str(path)
        ) from error


def _odd(path: Path, number: int, why: str) -> DocumentError:
    return DocumentError(
        f"{printable(str(path))}: row {number:,} {printable(why)[:500]}; name the folder that "
        "halgo batch wrote, or files with rows of its answers",
        str(path),
    )
