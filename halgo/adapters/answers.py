"""Names of files and folders, or JSON lines -> the answers to check, one after the other.

A JSON line is an answer with what belongs to it:

    {"answer": "5%.", "question": "What is the fee?", "id": "q17", "documents": ["The fee is 5%."]}

answer (or response, output)    the text to check
question                        optional: what the answer is given to
documents (or docs, contexts)   optional: what this answer alone is checked against, as
                                `halgo.Checker.from_docs` takes it
id                              optional: what the answer is called
Other keys are the writer's own and are not read.

Word files, PDFs and web pages are read as documents are: the answer is the text that is in them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from halgo.adapters.shell import read_answer
from halgo.errors import DocumentError, MissingDependencyError
from halgo.printable import printable
from halgo.settings import shown

TEXTS = (".txt", ".text", ".md", ".markdown", ".rst")
LINES = (".jsonl", ".ndjson")
PAGES = (".docx", ".pdf", ".html", ".htm", ".xhtml")
# Read as well where they are named: then it is told what to save them as.
_OLD = (".doc", ".odt", ".rtf")
STDIN = "-"
_KEYS = {
    "answer": ("answer", "response", "output"),
    "documents": ("documents", "docs", "contexts"),
}


@dataclass(frozen=True, slots=True)
class Given:
    """One answer: what it is called, its text, and the file it came from.

    line: of a file of JSON lines. documents: what it alone is checked against; None where it
    brings none. error: why there is no text, where a line of a pipe or a file of a folder cannot
    be read. question: what it is given to, None where that is not told.
    """

    name: str
    text: str
    path: str
    line: int | None = None
    documents: Any = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    question: str | None = None


def read(names: Sequence[str], left_out: list[str] | None = None) -> list[Given]:
    """The answers in files and folders, in the order given; those of a folder in order of name.

    A file that is named twice, or beside its folder, is read once. left_out: is given a sentence
    for each file of a folder that is no answer. Raises DocumentError that names the file, and the
    line, that cannot be read; in a folder such a one is an answer with an error.
    """
    said: list[str] = [] if left_out is None else left_out
    files: dict[str | Path, tuple[str, bool]] = {}
    for name in names:
        folder = name != STDIN and Path(name).is_dir()
        for path in map(str, _inside(Path(name), said)) if folder else [name]:
            key = path if path == STDIN else Path(path).absolute()
            first, inside = files.get(key, (path, True))
            # One that is named beside its folder is to be told of like any that is named.
            files[key] = (first, inside and folder)
    return [given for path, inside in files.values() for given in _of_file(path, inside)]


def pipe() -> Iterator[Given]:
    """The answers on stdin, a JSON line each, as they come; of a bad line there is the error."""
    stream = _stdin()
    for number, line in enumerate(_lines(stream), start=1):
        if not line.strip():
            continue
        try:
            yield _of_line(line, STDIN, number)
        except DocumentError as error:
            yield Given(f"line {number}", "", STDIN, number, error=str(error))


def _inside(folder: Path, left_out: list[str]) -> list[Path]:
    """The answers in a folder, to any depth; hidden files are passed over.

    left_out: is given what else is passed over, and why.
    """
    from halgo.sources.folders import files_in

    kinds = (*TEXTS, *LINES, *PAGES)
    found = []
    for path in files_in(folder, left_out):
        if path.suffix.lower() in kinds:
            found.append(path)
        else:
            kind = f"of kind {shown(path.suffix)}" if path.suffix else "without an extension"
            left_out.append(
                f"{printable(str(path))} was left out: files {kind} are not read as answers; save "
                "it as text or Markdown"
            )
    if not found:
        shown_name = printable(str(folder))
        raise DocumentError(
            f"no answers in {shown_name}: it has no file of {', '.join(kinds)}", str(folder)
        )
    return found


def _of_file(name: str, inside: bool) -> list[Given]:
    """The answers in a file; inside: of a folder, so that what cannot be read stops nothing."""
    try:
        text, warnings = _text(name)
        if Path(name).suffix.lower() not in LINES:
            return [Given("stdin" if name == STDIN else name, text, name, warnings=tuple(warnings))]
        rows = text.removeprefix("\ufeff").split("\n")
        found = [
            _of_row(line.encode("utf-8", "surrogatepass"), name, number, inside)
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
    return read_file(Path(name), warnings).text, warnings


def _of_row(line: bytes, path: str, number: int, inside: bool) -> Given:
    try:
        return _of_line(line, path, number)
    except DocumentError as error:
        if not inside:
            raise
        return Given(f"{path}:{number}", "", path, number, error=str(error))


def _of_line(line: bytes, path: str, number: int) -> Given:
    """The answer of a JSON line. Raises DocumentError with file, line and reason."""
    where = f"{'stdin' if path == STDIN else printable(path)}, line {number}"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{where}: no JSON: {error}", path) from error
    if not isinstance(row, dict):
        raise DocumentError(f'{where}: an object was expected: {{"answer": "..."}}', path)
    text = _of(row, "answer")
    if not isinstance(text, str):
        what = f"not {shown(text)}" if text is not None else f"but there are {_names(row)}"
        raise DocumentError(f'{where}: "answer" must be a text, {what}', path)
    question = row.get("question")
    if question is not None and not isinstance(question, str):
        kind = type(question).__name__
        raise DocumentError(f'{where}: "question" must be a text, not {kind}', path)
    called = row.get("id")
    name = str(called) if isinstance(called, (str, int)) else f"line {number}"
    if path != STDIN:
        name = f"{path}:{number}" if called is None else f"{path}:{name}"
    return Given(name, text, path, number, _of(row, "documents"), question=question)


def _of(row: dict[str, Any], key: str) -> Any:
    return next((row[name] for name in _KEYS[key] if row.get(name) is not None), None)


def _names(row: dict[str, Any]) -> str:
    return ", ".join(shown(name) for name in list(row)[:10]) or "no keys"


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
