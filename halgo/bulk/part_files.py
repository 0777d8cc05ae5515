"""Rows of a table -> one file of the output, written whole or not at all: JSON lines or Parquet.

A part that is there is done. Its bytes stand beside it in a draft, reach the disk and are renamed
(`halgo.disk`), so that a kill, a full disk or a second writer leaves the part or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.bulk.answer_rows import arrow
from halgo.bulk.verdict_rows import Kinds

JSONL, PARQUET = "jsonl", "parquet"
FORMS = (JSONL, PARQUET)


def part_name(number: int, digest: str, form: str) -> str:
    """What a part is called; digest: of the settings, input and engine that it was made with."""
    return f"part-{number:06d}-{digest}.{form}"


def write_part(path: Path, rows: Sequence[Mapping[str, Any]], kinds: Kinds) -> None:
    """Writes a part, in the form that its ending names. Raises OSError that names it."""
    path.parent.mkdir(exist_ok=True)
    try:
        if path.suffix == f".{PARQUET}":
            _write_parquet(path, rows, kinds)
        else:
            disk.write(path, "".join(map(_line, rows)).encode("ascii"))
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def arrow_table(rows: Sequence[Mapping[str, Any]], kinds: Kinds) -> Any:
    """Rows as a pyarrow Table with these columns."""
    pyarrow, _ = arrow()
    types: dict[str, Callable[[], Any]] = {
        "text": pyarrow.string,
        "whole": pyarrow.int64,
        "number": pyarrow.float64,
        "bool": pyarrow.bool_,
        "texts": lambda: pyarrow.list_(pyarrow.string()),
    }
    schema = pyarrow.schema([(name, types[kind]()) for name, kind in kinds.items()])
    return pyarrow.Table.from_pylist([dict(row) for row in rows], schema=schema)


def _write_parquet(path: Path, rows: Sequence[Mapping[str, Any]], kinds: Kinds) -> None:
    _, parquet = arrow()
    table = arrow_table(rows, kinds)
    with disk.replacing(path) as stream:
        parquet.write_table(table, stream, compression="zstd")


def _line(row: Mapping[str, Any]) -> str:
    """A row as a JSON line; its report as the object that it is, not as text within text."""
    report = row.get("report")
    values = {**row, "report": json.loads(report)} if report else dict(row)
    return json.dumps(values, ensure_ascii=True, allow_nan=False) + "\n"
