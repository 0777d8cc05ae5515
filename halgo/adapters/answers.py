"""Names of files and folders, or JSON lines -> the answers to check, one after the other.

A JSON line is an answer with what belongs to it:

    {"answer": "The fee is 5%.", "id": "q17", "documents": ["The fee is 5%."]}

answer (or response, output)    the text to check
documents (or docs, contexts)   optional: what this answer alone is checked against, as
                                `halgo.Checker.from_docs` takes it
id                              optional: what the answer is called
Other keys are the writer's own and are not read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from halgo.adapters.shell import read_answer
from halgo.errors import DocumentError
from halgo.printable import printable
from halgo.settings import shown

TEXTS = (".txt", ".text", ".md", ".markdown", ".rst")
LINES = (".jsonl", ".ndjson")
STDIN = "-"
_KEYS = {
    "answer": ("answer", "response", "output"),
    "documents": ("documents", "docs", "contexts"),
}


@dataclass(frozen=True, slots=True)
class Given:
    """One answer: what it is called, its text, and the file it came from.

    line: of a file of JSON lines. documents: what it alone is checked against; None where it
    brings none. error: why there is no text, where a line of a pipe cannot be read.
    """

    name: str
    text: str
    path: str
    line: int | None = None
    documents: Any = None
    warnings: tuple[str, ...] = ()
    error: str | None = None


def read(names: Sequence[str]) -> list[Given]:
    """The answers in files and folders, in the order given; those of a folder in order of name.

    A file that is named twice, or beside its folder, is read once. Raises DocumentError that names
    the file, and the line, that cannot be read.
    """
    files: dict[str | Path, str] = {}
    for name in names:
        folder = name != STDIN and Path(name).is_dir()
        for path in map(str, _inside(Path(name))) if folder else [name]:
            files.setdefault(path if path == STDIN else Path(path).absolute(), path)
    return [given for path in files.values() for given in _of_file(path)]


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


def _inside(folder: Path) -> list[Path]:
    """The answers in a folder, to any depth; hidden files and links to folders are passed over."""
    from halgo.sources.folders import files_in

    kinds = (*TEXTS, *LINES)
    found = [path for path in files_in(folder, []) if path.suffix.lower() in kinds]
    if not found:
        shown_name = printable(str(folder))
        raise DocumentError(
            f"no answers in {shown_name}: it has no file of {', '.join(kinds)}", str(folder)
        )
    return found


def _of_file(name: str) -> list[Given]:
    text, warnings = read_answer(name)
    if Path(name).suffix.lower() not in LINES:
        return [Given("stdin" if name == STDIN else name, text, name, warnings=tuple(warnings))]
    rows = text.removeprefix("\ufeff").split("\n")
    found = [
        _of_line(line.encode("utf-8", "surrogatepass"), name, number)
        for number, line in enumerate(rows, start=1)
        if line.strip()
    ]
    if not found:
        raise DocumentError(f"{printable(name)}: no line with an answer", name)
    return found


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
    called = row.get("id")
    name = str(called) if isinstance(called, (str, int)) else f"line {number}"
    if path != STDIN:
        name = f"{path}:{number}" if called is None else f"{path}:{name}"
    return Given(name, text, path, number, _of(row, "documents"))


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
