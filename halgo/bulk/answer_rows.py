"""Files of answers (JSON lines, CSV, Parquet) -> Rows, one after the other, in order of the files.

A row that cannot be checked is a Row with an error: one bad line among a million stops nothing.
What makes every row useless (a column that is not there, a file cut short) is a DocumentError.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from halgo import disk
from halgo.bulk.list_cells import json_list, texts_of
from halgo.errors import DocumentError, MissingDependencyError
from halgo.printable import printable
from halgo.settings import shown

LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv")
PARQUET = (".parquet", ".pq")
KINDS = (*LINES, *TABLES, *PARQUET)
TEXTS = (".txt", ".text", ".md", ".markdown", ".rst")  # an answer each, for `halgo check`
ANSWERS = ("answer", "response", "output")
QUESTION = "question"
ID = "id"
DOCUMENTS = ("documents", "docs", "contexts")  # what `halgo check` takes an answer's own from
LONGEST_LINE = 200_000_000  # bytes
_BLOCK = 1 << 20
_BATCH = 1024  # rows that are read of a Parquet file at a time
_NAMED = 20  # columns named in one message


@dataclass(frozen=True, slots=True)
class Row:
    """One answer. number: its place in the input, from 0. error: why there is no text.

    documents: what it alone is checked against, as it stands in its column; None without one.
    unread: the column that seems to hold such documents where none is named, so they are not read.
    question: what the answer is given to.
    """

    number: int
    id: str
    text: str | None
    documents: Any = None
    error: str | None = None
    unread: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold what. answer None: the first of ANSWERS that a row has.

    question None: "question", where there is such a column.
    """

    answer: str | None = None
    id: str = ID
    documents: str | None = None
    question: str | None = None


def files_of(names: Sequence[str | Path]) -> list[Path]:
    """The files of answers that are meant: those named, and those of folders in order of name.

    Raises DocumentError for what is not there, of another kind, or a folder without any.
    """
    found: list[Path] = []
    for name in map(Path, names):
        if not name.is_dir():
            if not name.exists():
                raise DocumentError(disk.missing(name, "file or folder"), str(name))
            _require_known(name)
            found.append(name)
            continue
        inside = [path for path in sorted(name.iterdir()) if _is_of_answers(path)]
        if not inside:
            raise DocumentError(
                f"no answers in {printable(str(name))}: it has no file of {', '.join(KINDS)}"
                f"{_for_check(name)}",
                str(name),
            )
        found += inside
    return found


def digest_of(path: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file. Raises DocumentError when it cannot be read."""
    digest, size = hashlib.sha256(), 0
    try:
        with disk.opened(path) as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
                size += len(block)
    except OSError as error:
        raise _unreadable(path, error) from error
    return size, digest.hexdigest()


def rows_of(files: Sequence[Path], columns: Columns) -> Iterator[Row]:
    """All rows, numbered through the files. Ids are as given, so one may come again.

    Raises DocumentError for a file that cannot be read or lacks a column, which it names.
    """
    start = 0
    for path in files:
        suffix = path.suffix.lower()
        read = _parquet if suffix in PARQUET else _table if suffix in TABLES else _lines
        for row in read(path, columns, start):
            yield row
            start = row.number + 1


def own_id(number: int) -> str:
    """What a row without an id is called."""
    return f"row-{number}"


def made(number: int, values: dict[str, Any], columns: Columns) -> Row:
    """The Row of one mapping of columns to values."""
    given = values.get(columns.id)
    if isinstance(given, float) and given.is_integer():
        given = int(given)  # pandas has such a column where an id is missing
    if isinstance(given, (dict, list, bool)):
        given = json.dumps(given, ensure_ascii=False, default=str)
    name = sayable(str(given)) if given is not None and str(given).strip() else own_id(number)
    documents = None if columns.documents is None else texts_of(values.get(columns.documents))
    names = ANSWERS if columns.answer is None else (columns.answer,)
    text = next((values[key] for key in names if values.get(key) is not None), None)
    asked = values.get(columns.question or QUESTION)
    if asked is not None and not isinstance(asked, str):
        said = f"the question must be a text, not {type(asked).__name__}"
        return Row(number, name, None, documents, said)
    if isinstance(text, str):
        unread = _unread(values, columns)
        return Row(number, name, text, documents, unread=unread, question=asked)
    if text is not None:
        return Row(number, name, None, documents, f"the answer must be a text, not {shown(text)}")
    there = ", ".join(shown(key) for key in list(values)[:_NAMED]) or "no columns"
    if not any(key in values for key in names):
        wanted = " or ".join(map(repr, names))
        return Row(number, name, None, documents, f"no column {wanted}; there are {there}")
    return Row(number, name, None, documents, "the answer is null")


def _unread(values: dict[str, Any], columns: Columns) -> str | None:
    if columns.documents is not None:
        return None
    names = (name for name in DOCUMENTS if name not in (columns.answer, columns.id))
    return next((name for name in names if _holds(values.get(name))), None)


def _holds(value: Any) -> bool:
    """Whether a value holds a document: no empty list, as a list or as the text of a cell."""
    return bool(value.strip("[] \t\r\n")) if isinstance(value, str) else bool(value)


def sayable(text: str) -> str:
    """The text as tables can hold it: halves of surrogate pairs, which no encoding has, are "?"."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


# --- JSON lines ---------------------------------------------------------------------------------


def _lines(path: Path, columns: Columns, start: int) -> Iterator[Row]:
    try:
        with disk.opened(path) as stream:
            # A line may go without a column that it has nothing for; a whole file may not.
            lacked = dict(_named(columns))
            first: dict[str, Any] | None = None
            for number, (at, line) in enumerate(not_blank(stream), start):
                values = _of_line(number, line)
                if isinstance(values, Row):
                    yield _placed(values, at)
                    continue
                lacked = {option: name for option, name in lacked.items() if name not in values}
                first = values if first is None else first
                yield _placed(made(number, values, columns), at)
    except OSError as error:
        raise _unreadable(path, error) from error
    if first is not None:
        for option, name in lacked.items():
            raise _without(path, option, name, list(first))


def _placed(row: Row, line: int) -> Row:
    """The row, its error with the line of its file; not with the file, whose name may change."""
    return row if row.error is None else replace(row, error=f"line {line}: {row.error}")


def not_blank(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines with something in them, numbered; None for one longer than lines may be."""
    first, number = True, 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        whole = len(line) <= LONGEST_LINE
        while not line.endswith(b"\n") and len(line) > LONGEST_LINE:
            line = stream.readline(LONGEST_LINE + 1)
        if first:
            line, first = line.removeprefix(b"\xef\xbb\xbf"), False
        if not whole:
            yield number, None
        elif line.strip():
            yield number, line


def _of_line(number: int, line: bytes | None) -> dict[str, Any] | Row:
    """The values of a line, or the Row that says why it has none."""
    if line is None:
        said = f"the line has more than {LONGEST_LINE:,} bytes, the most that is read"
        return Row(number, own_id(number), None, error=said)
    try:
        values = json.loads(line)
    except UnicodeDecodeError:
        return Row(number, own_id(number), None, error="not UTF-8; save it in UTF-8")
    except (ValueError, RecursionError) as error:
        return Row(number, own_id(number), None, error=f"no JSON: {error}")
    if not isinstance(values, dict):
        return Row(number, own_id(number), None, error="no JSON object, but another value")
    return values


# --- CSV ----------------------------------------------------------------------------------------


def _table(path: Path, columns: Columns, start: int) -> Iterator[Row]:
    # Else a cell may have 131,072 characters, and a long answer would end the run.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    try:
        with disk.opened(path) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
            first = text.readline()
            signs = _separator(first, columns)
            records = _records(path, itertools.chain([first], text), signs)
            _, head, _ = next(records, (1, [], ""))
            _answer_column(path, head, columns)
            for number, (line, cells, odd) in enumerate(records, start):
                row = _of_cells(number, head, cells, columns)
                yield _placed(replace(row, text=None, error=odd) if odd else row, line)
    except UnicodeDecodeError as error:
        said = f"{printable(str(path))} is not UTF-8; save it as CSV in UTF-8"
        raise DocumentError(said, str(path)) from error
    except csv.Error as error:
        raise DocumentError(f"{printable(str(path))} is no CSV: {error}", str(path)) from error
    except OSError as error:
        raise _unreadable(path, error) from error


def _records(path: Path, text: Iterable[str], sign: str) -> Iterator[tuple[int, list[str], str]]:
    """Each record that is not blank: its first line, its cells, and what is odd about it.

    Strict, so that a quotation mark that is not closed does not swallow the rows after it; what is
    odd within one line swallows none, and is read as it can be. Raises DocumentError where the file
    ends within quotation marks.
    """
    lines: list[str] = []  # of the record
    ended = False

    def noted() -> Iterator[str]:
        nonlocal ended
        for one in text:
            lines.append(one)
            yield one
        ended = True

    read = csv.reader(noted(), delimiter=sign, strict=True)
    line = 1
    while True:
        odd = ""
        try:
            cells = next(read)
        except StopIteration:
            return
        except csv.Error:
            if ended:
                *_, cell = next(csv.reader(lines, delimiter=sign))
                spans = len(io.StringIO(cell, newline="").readlines())
                raise DocumentError(
                    f"{printable(str(path))}, line {line + len(lines) - max(1, spans)}: "
                    "a quotation mark opens a cell that is never closed, and the rows behind it "
                    "would be left out; close it, or double it where it is part of a text",
                    str(path),
                ) from None
            cells = next(csv.reader(lines[:1], delimiter=sign))
            if len(lines) > 1:
                odd = (
                    f"a quotation mark is not closed, or not doubled within a text; the lines "
                    f"from here to {line + len(lines) - 1} cannot be told apart"
                )
        if cells:
            yield line, cells, odd
        line += len(lines)
        lines.clear()


def _separator(head: str, columns: Columns) -> str:
    """What stands between the cells: the first sign by which the head has a known column."""
    known = {columns.answer} if columns.answer else set(ANSWERS)
    for sign in ",;\t":
        if known & set(next(csv.reader([head], delimiter=sign), [])):
            return sign
    return ","


def _of_cells(number: int, head: list[str], cells: list[str], columns: Columns) -> Row:
    if len(cells) > len(head):  # a comma without quotes would cut the answer short
        said = f"the row has {len(cells)} cells and the head {len(head)}; put quotes around commas"
        return replace(made(number, _around(head, cells, columns), columns), text=None, error=said)
    values: dict[str, Any] = dict(zip(head, cells, strict=False))
    for name in (columns.documents, columns.id):
        if name in values and not values[name].strip():
            values[name] = None
    if columns.documents in values:
        values[columns.documents] = json_list(values[columns.documents])
    return made(number, values, columns)


def _around(head: list[str], cells: list[str], columns: Columns) -> dict[str, Any]:
    """The id of a row with too many cells: those it has too many are of the answer's column."""
    names = ANSWERS if columns.answer is None else (columns.answer,)
    answer = next((head.index(name) for name in names if name in head), len(head))
    at = head.index(columns.id) if columns.id in head else None
    if at is None:
        return {}
    return {columns.id: cells[at if at <= answer else at - len(head)]}


# --- Parquet ------------------------------------------------------------------------------------


def _parquet(path: Path, columns: Columns, start: int) -> Iterator[Row]:
    pyarrow, parquet = arrow()
    try:
        with disk.opened(path) as stream, parquet.ParquetFile(stream) as table:
            wanted = _chosen(path, table.schema_arrow, columns)
            there = {name: True for name in DOCUMENTS if name in table.schema_arrow.names}
            number = start
            for batch in table.iter_batches(batch_size=_BATCH, columns=wanted):
                for values in batch.to_pylist():
                    # Whether there are documents is known by their column; it may be large.
                    yield made(number, {**there, **values}, columns)
                    number += 1
    except pyarrow.ArrowException as error:
        raise DocumentError(
            f"{printable(str(path))} is no whole Parquet file ({printable(str(error))[:200]}); it "
            "was damaged, or cut short while it was written or copied. Make it anew",
            str(path),
        ) from error
    except OSError as error:  # damage shows as this too
        raise _unreadable(path, error) from error


def arrow() -> tuple[Any, Any]:
    """The packages pyarrow and pyarrow.parquet. Raises MissingDependencyError."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(
            "Parquet needs the package pyarrow; run: pip install 'halgo[batch]', "
            "or read and write JSON lines"
        ) from error
    return pyarrow, pyarrow.parquet


def _chosen(path: Path, schema: Any, columns: Columns) -> list[str]:
    """The columns to read. Raises DocumentError for one that is not there, or holds no text."""
    there = list(schema.names)
    answer = _answer_column(path, there, columns)
    kind = schema.field(answer).type
    kind = getattr(kind, "value_type", kind)  # of a dictionary of texts
    if str(kind) not in ("string", "large_string", "string_view", "null"):
        raise DocumentError(
            f"{printable(str(path))}: the column {answer!r} holds {kind}, not text", str(path)
        )
    wanted = [answer, columns.documents]
    wanted += [name for name in (columns.id, columns.question or QUESTION) if name in there]
    return [name for name in dict.fromkeys(wanted) if name is not None]


def _answer_column(path: Path, there: Sequence[str], columns: Columns) -> str:
    """The column with the answers. Raises DocumentError for a column that is not there."""
    answer = columns.answer or next((name for name in ANSWERS if name in there), ANSWERS[0])
    for option, name in (("--answer-column", answer), *_named(columns)):
        if name not in there:
            raise _without(path, option, name, there)
    read = (answer, columns.id, columns.documents, columns.question or QUESTION)
    for twice in filter(None, read):
        if there.count(twice) > 1:
            raise DocumentError(
                f"{printable(str(path))} has {there.count(twice)} columns {twice!r}; rename all "
                "but the one that is meant",
                str(path),
            )
    return answer


def _named(columns: Columns) -> list[tuple[str, str]]:
    """The columns beside the answer's that the caller has named, each with its option."""
    named = (
        ("--docs-column", columns.documents),
        ("--question-column", columns.question),
        # No file has to have ids, so the name that is looked for unasked may be missing.
        ("--id-column", columns.id if columns.id != ID else None),
    )
    return [(option, name) for option, name in named if name is not None]


def _without(path: Path, option: str, name: str, there: Sequence[str]) -> DocumentError:
    listed = ", ".join(printable(one) for one in there[:_NAMED]) or "none"
    return DocumentError(
        f"{printable(str(path))} has no column {name!r}; its columns are {listed}. "
        f"Name one with {option}",
        str(path),
    )


# --- files --------------------------------------------------------------------------------------


def _is_of_answers(path: Path) -> bool:
    known = path.suffix.lower() in KINDS
    return known and not path.name.startswith((".", "_")) and path.is_file()


def _require_known(path: Path) -> None:
    if path.suffix.lower() not in KINDS:
        raise DocumentError(
            f"{printable(str(path))}: answers come as {', '.join(KINDS)}; a table of another kind "
            f"can be checked in Python: halgo.frame(table){_for_check(path)}",
            str(path),
        )


def _for_check(path: Path) -> str:
    """What is said of texts that are an answer each: which command takes them."""
    inside = [path] if not path.is_dir() else [one for one in path.rglob("*") if one.is_file()]
    if any(one.suffix.lower() in TEXTS for one in inside):
        return f". For texts, an answer a file, there is: halgo check {printable(str(path))}"
    return ""


def _unreadable(path: Path, error: OSError) -> DocumentError:
    return DocumentError(f"{printable(str(path))}: {error.strerror or error}", str(path))
