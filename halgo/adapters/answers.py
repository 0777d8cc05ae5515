"""Names of files and folders, or JSON lines -> the answers to check, one after the other.

A JSON line is an answer with what belongs to it:

    {"answer": "5%.", "question": "What is the fee?", "id": "q17", "documents": ["The fee is 5%."]}

answer (or response, output)    the text to check
question                        optional: what the answer is given to
documents (or docs, contexts)   optional: what this answer alone is checked against, as
                                `halgo.Checker.from_docs` takes it
id                              optional: what the answer is called; "#2" is put to one that came
                                before
Other keys are the writer's own and are not read.

Word files, PDFs and web pages are read as documents are: the answer is the text that is in them. Of
a mail it is what its writer wrote, without headers and without what is quoted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from halgo.adapters.shell import read_answer, tell
from halgo.bulk.answer_rows import DOCUMENTS, LINES, PARQUET, TABLES, Columns, made
from halgo.errors import DocumentError, MissingDependencyError
from halgo.printable import printable
from halgo.settings import shown

TEXTS = (".txt", ".text", ".md", ".markdown", ".rst")
PAGES = (
    ".docx", ".odt", ".rtf", ".pptx", ".odp", ".pdf", ".html", ".htm", ".xhtml", ".eml",
)  # fmt: skip
KINDS = (*TEXTS, *LINES, *PAGES)
# Read as well where they are named: then it is told what to save them as.
_OLD = (".doc", ".ppt")
_SHEETS = (".xlsx", ".xls", ".ods")
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Given:
    """One answer: what it is called, its text, and the file it came from.

    line: of a file of JSON lines. documents: what it alone is checked against; None where it
    brings none. error: why there is no text, where a line or a file of a folder cannot be read.
    question: what it is given to, None where that is not told. own_id: what a JSON line calls it.
    """

    name: str
    text: str
    path: str
    line: int | None = None
    documents: Any = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    question: str | None = None
    own_id: str = ""


def read(names: Sequence[str], left_out: list[str] | None = None) -> list[Given]:
    """The answers in files and folders, in the order given; those of a folder in order of name.

    A file that is named twice, in whatever spelling, or beside its folder, is read once. left_out:
    is given a sentence for each file of a folder that is no answer. Raises DocumentError that names
    the file that cannot be read; in a folder such a one is an answer with an error, and so is a
    line anywhere.
    """
    said: list[str] = [] if left_out is None else left_out
    files: dict[str, tuple[str, bool]] = {}
    for name in names:
        folder = name != STDIN and Path(name).is_dir()
        for path in map(str, _inside(Path(name), said)) if folder else [name]:
            key = path if path == STDIN else os.path.realpath(path)
            first, inside = files.get(key, (path, True))
            # One that is named beside its folder is to be told of like any that is named.
            files[key] = (first, inside and folder)
    return list(_distinct(g for path, inside in files.values() for g in _of_file(path, inside)))


def pipe() -> Iterator[Given]:
    """The answers on stdin, a JSON line each, as they come; of a bad line there is the error."""
    lines = enumerate(_lines(_stdin()), start=1)
    return _distinct(_of_line(line, STDIN, number) for number, line in lines if line.strip())


def _distinct(given: Iterable[Given]) -> Iterator[Given]:
    """The answers, each with a name of its own: one that comes again gets "#2", and it is told."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    for one in given:
        count, name = counts.get(one.name, 1), one.name
        while name in taken:
            count += 1
            name = f"{one.name}#{count}"
        if one.name in taken and counts.get(one.name) == 1:
            first, later = printable(one.name), printable(name)
            tell(f"warning: {first} is the name of more than one answer; the next is {later}")
        counts[one.name] = count
        taken.add(name)
        yield replace(one, name=name)


def _inside(folder: Path, left_out: list[str]) -> list[Path]:
    """The answers in a folder, to any depth; hidden files are passed over.

    left_out: is given what else is passed over, and why.
    """
    from halgo.sources.folders import files_in

    found = []
    for path in files_in(folder, left_out):
        if path.suffix.lower() in KINDS:
            found.append(path)
        else:
            kind = f"of kind {shown(path.suffix)}" if path.suffix else "without an extension"
            what = _as_table(path) or "save it as text or Markdown"
            left_out.append(
                f"{printable(str(path))} was left out: files {kind} are not read as answers; {what}"
            )
    if not found:
        shown_name = printable(str(folder))
        raise DocumentError(
            f"no answers in {shown_name}: it has no file of {', '.join(KINDS)}", str(folder)
        )
    return found


def _as_table(path: Path) -> str | None:
    """What to do with a table of answers; None for a file of another kind."""
    suffix, name = path.suffix.lower(), printable(str(path))
    if suffix in _SHEETS:
        return "a table of answers, saved as CSV, is for `halgo batch`"
    if suffix in (*TABLES, *PARQUET):
        return f"a table of answers is for `halgo batch {name} --out FOLDER`"
    return None


def _of_file(name: str, inside: bool) -> list[Given]:
    """The answers in a file; inside: of a folder, so that what cannot be read stops nothing."""
    try:
        table = None if name == STDIN else _as_table(Path(name))
        if table is not None and Path(name).exists():
            raise DocumentError(f"{printable(name)}: {table}", name)
        text, warnings = _text(name)
        if Path(name).suffix.lower() not in LINES:
            return [Given("stdin" if name == STDIN else name, text, name, warnings=tuple(warnings))]
        if warnings:  # a guess, which JSON leaves no room for
            raise DocumentError(f"{printable(name)} is not UTF-8; save it in UTF-8", name)
        rows = text.removeprefix("\ufeff").split("\n")
        found = [
            _of_line(line.encode("utf-8", "surrogatepass"), name, number)
            for number, line in enumerate(rows, start=1)
            if line.strip()
        ]
        if not found:
            raise DocumentError(f"{printable(name)}: no line with an answer", name)
    except (DocumentError, MissingDependencyError) as error:
        if not inside:
            raise
        return [Given(name, "", name, error=str(error))]
    return found


def _text(name: str) -> tuple[str, list[str]]:
    """The text of an answer, and warnings."""
    if name == STDIN or Path(name).suffix.lower() not in (*PAGES, *_OLD):
        return read_answer(name)
    from halgo.sources.readers import read_file

    warnings: list[str] = []
    return read_file(Path(name), warnings, answer=True).text, warnings


def _of_line(line: bytes, path: str, number: int) -> Given:
    """The answer of a JSON line; of a bad line there is the error, with file, line and reason."""
    row: Any = None
    try:
        row = json.loads(line)
        why = None if isinstance(row, dict) else 'an object was expected: {"answer": "..."}'
    except UnicodeDecodeError:
        why = "not UTF-8; save it in UTF-8"
    except (ValueError, RecursionError) as error:
        why = f"no JSON: {error}"
    values = row if isinstance(row, dict) else {}
    found = made(number, values, Columns())
    called = values.get("id")
    own = isinstance(called, (str, int))
    own_id = str(called) if own else ""
    name = own_id if own else f"line {number}"
    if path != STDIN:
        name = f"{path}:{called if own else number}"
    if why is None and found.text is None:
        why = found.error
    where = f"{'stdin' if path == STDIN else printable(path)}, line {number}"
    documents = next((values[key] for key in DOCUMENTS if values.get(key) is not None), None)
    told = None if why is None else f"{where}: {why}"
    return Given(
        name,
        found.text or "",
        path,
        number,
        documents,
        error=told,
        question=found.question,
        own_id=own_id,
    )


def _stdin() -> IO[bytes]:
    if sys.stdin is None:
        raise DocumentError("stdin is closed; name a file with answers", "stdin")
    return sys.stdin.buffer


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    from halgo.sources.readers import LARGEST_BYTES

    while line := stream.readline(LARGEST_BYTES + 1):
        if len(line) > LARGEST_BYTES:
            raise DocumentError(f"stdin: a line has more than {LARGEST_BYTES:,} bytes", "stdin")
        yield line
