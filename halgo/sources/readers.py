"""Files and folders -> Documents: text, Markdown, HTML, JSON, CSV; PDF and DOCX by extra.

A file becomes one Document whose text every offset points to: plain text and Markdown as they
stand, the others as Markdown or statements with the file's structure kept.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import DocumentError, MissingDependencyError, UnsupportedFormatError
from halgo.printable import printable
from halgo.sources import encodings, jsontext
from halgo.sources.documents import unique
from halgo.sources.quiet import quietly
from halgo.types import Document

# Larger files are refused: read whole they would take several times their size in memory.
LARGEST_BYTES = 200_000_000

Loaded = tuple[str, dict[str, str], list[str]]  # text, metadata, warnings

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Of a longer name or path its beginning and its end are shown.
_LONGEST_SHOWN = 300
# Lines of one file that are named, each with what is wrong with it; the others are counted.
_NAMED = 20


def read_files(
    paths: str | Path | Sequence[str | Path],
) -> tuple[list[Document], list[str]]:
    """The documents in files and folders, in the order given, and warnings.

    Folders are read to any depth, in order of name; hidden files are passed over, and files of an
    unknown or unreadable kind left out with a warning, as are links to folders. A Document's id
    and source are its path as it is; messages show it made safe to print.
    Raises DocumentError when a file that was named is missing, unreadable, no regular file, not
    text or larger than LARGEST_BYTES, or a folder that was named cannot be listed;
    UnsupportedFormatError when its kind is unknown, MissingDependencyError when it takes an extra.
    """
    if isinstance(paths, bytes) or not isinstance(paths, (str, os.PathLike, Iterable)):
        raise TypeError(f"paths must be a path or a list of paths, not {paths!r:.80}")
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    documents: list[Document] = []
    warnings: list[str] = []
    for path in given:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"a path must be a string or a Path, not {type(path).__name__}")
        if not str(path).strip() or "\0" in str(path):
            raise DocumentError(f"not a path: {_quoted(str(path))}", str(path))
        place = Path(path)
        try:
            folder = place.is_dir()
        except OSError as error:  # a name longer than the system allows
            raise DocumentError(f"{_shown(place)}: {error.strerror}", str(place)) from error
        if folder:
            _read_folder(place, documents, warnings)
        else:
            documents.append(_read_file(place, warnings))
    documents, found = unique(documents)
    return documents, warnings + found


def read_text(path: str | Path) -> tuple[str, list[str]]:
    """The text of one file, decoded but otherwise as it stands, and warnings."""
    return decode(_bytes_of(Path(path)), str(path))


def decode(data: bytes, name: str) -> tuple[str, list[str]]:
    """Text of `data`, and a warning when its encoding had to be guessed.

    UTF-8, and UTF-16 or UTF-32 with a byte order mark, are certain. Raises DocumentError when
    `data` is no text.
    """
    shown = _shown(name)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), []
            except UnicodeDecodeError as error:
                raise DocumentError(f"{shown}: damaged {encoding} text: {error}", name) from error
    if b"\0" in data[:1_000_000]:
        raise DocumentError(f"{shown}: not text: it holds zero bytes", name)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    with quietly():
        guessed = encodings.guess(data)
    if guessed is None:
        raise DocumentError(f"{shown}: not text in any encoding that is known here", name)
    text = data.decode(guessed, "replace")
    return text, [f"{shown}: not UTF-8; read as {guessed}. Save it as UTF-8 to be sure."]


def _shown(path: str | Path) -> str:
    """A name as messages show it: safe to print, and not too long to be read."""
    name = printable(str(path))
    if len(name) > _LONGEST_SHOWN:
        name = f"{name[:99]}\N{HORIZONTAL ELLIPSIS}{name[-200:]}"
    return name


def _quoted(name: str) -> str:
    return _shown(repr(name))


def _bytes_of(path: Path) -> bytes:
    """The bytes of a regular file, or of what a link to one leads to."""
    name, shown = str(path), _shown(path)
    try:
        if path.is_dir():
            raise DocumentError(f"{shown} is a folder; a file is needed here", name)
        return disk.read(path, LARGEST_BYTES)
    except FileNotFoundError:
        raise DocumentError(f"no such file: {shown}{_looked_in()}", name) from None
    except OSError as error:
        what = f"cannot read {shown}: {error.strerror or error}"
        if error.errno == errno.EINVAL:
            what += ". Save its text to a file and name that."
        elif error.errno == errno.EFBIG:
            what = f"{shown} has {_size(path)}; at most {LARGEST_BYTES:,} are read. Split it."
        raise DocumentError(what, name) from error
    except ValueError as error:  # a character that the system has no bytes for
        raise DocumentError(f"not a path: {_quoted(name)}", name) from error


def _size(path: Path) -> str:
    """The size of a file that is too large, "more bytes" when it is one that grows."""
    with contextlib.suppress(OSError):
        if (size := path.stat().st_size) > LARGEST_BYTES:
            return f"{size:,} bytes"
    return "more bytes"


def _looked_in() -> str:
    try:
        return f" (looked in {_shown(Path.cwd())})"
    except OSError:  # the folder we are in has been removed
        return ""


def _read_folder(folder: Path, documents: list[Document], warnings: list[str]) -> None:
    count = len(documents)
    for path in files_in(folder, warnings):
        if path.suffix.lower() not in READERS:
            kind = _quoted(path.suffix)
            warnings.append(f"{_shown(path)} was left out: files of kind {kind} are not read")
            continue
        try:
            documents.append(_read_file(path, warnings))
        except DocumentError as error:
            warnings.append(f"{_shown(path)} was left out: {error}")
    if len(documents) == count:
        warnings.append(f"folder {_shown(folder)} holds no file that can be read")


def files_in(folder: Path, warnings: list[str]) -> Iterator[Path]:
    """The files of a folder in order of name, then those of each folder in it, hidden ones not.

    A folder that cannot be listed, or is a link, which may lead round in a circle, is left out
    with a warning. Raises DocumentError when `folder` itself cannot be listed.
    """
    left = [str(folder)]  # as text: of a deep one, a Path takes longer to make
    top = True
    while left:
        here = left.pop()
        try:
            with os.scandir(here) as entries:
                found = sorted((entry.name, entry.path, _kind(entry)) for entry in entries)
        except OSError as error:
            what = f"cannot be listed: {error.strerror or error}"
            if top:
                raise DocumentError(f"folder {_shown(folder)} {what}", str(folder)) from error
            warnings.append(f"folder {_shown(Path(here))} was left out: it {what}")
            continue
        top = False
        seen = [(path, kind) for name, path, kind in found if not name.startswith(".")]
        yield from (Path(path) for path, kind in seen if kind == "file")
        for path, kind in seen:
            if kind == "link":
                what = "links to folders are not followed; name it to have it read"
                warnings.append(f"{_shown(Path(path))} was left out: {what}")
        left += (path for path, kind in reversed(seen) if kind == "folder")


def _kind(entry: os.DirEntry[str]) -> str:
    """What an entry is: "folder", "link" for a link to one, "file" for all else."""
    try:
        if entry.is_dir():
            return "link" if entry.is_symlink() else "folder"
    except OSError:  # reading it as a file will say what is wrong
        pass
    return "file"


def read_bytes(data: bytes, name: str) -> tuple[Document, list[str]]:
    """The document of a file's bytes, which its `name` gives the kind of, and warnings.

    Its id and source are the name. Raises DocumentError as `read_files` does.
    """
    warnings: list[str] = []
    return _document_of(data, name, Path(name).suffix.lower(), warnings), warnings


def _read_file(path: Path, warnings: list[str]) -> Document:
    suffix = path.suffix.lower()
    if suffix in _OTHER_KINDS and path.is_file():
        raise UnsupportedFormatError(f"{_shown(path)}: {_OTHER_KINDS[suffix]}", str(path))
    return _document_of(_bytes_of(path), str(path), suffix, warnings)


def _document_of(data: bytes, name: str, suffix: str, warnings: list[str]) -> Document:
    shown = _shown(name)
    if suffix in _OTHER_KINDS:
        raise UnsupportedFormatError(f"{shown}: {_OTHER_KINDS[suffix]}", name)
    reader = READERS.get(suffix)
    try:
        with quietly():
            text, metadata, found = (reader or _text)(data, shown) if data else ("", {}, [])
    except DocumentError as error:
        # What a library says of a file may quote it.
        error.source, error.args = name, (printable(str(error)),)
        if reader is None and not isinstance(error, UnsupportedFormatError):
            kinds = ", ".join(sorted(READERS))
            raise UnsupportedFormatError(
                f"{error}; {_shown(suffix) or 'no'} extension is none that is read ({kinds})", name
            ) from error
        raise
    except MissingDependencyError:
        raise
    except RecursionError as error:
        raise DocumentError(f"{shown} is nested too deeply to be read", name) from error
    except Exception as error:
        # Files of others hold what no reader foresees: one of them is refused, with the reason,
        # and the other files of its folder are read.
        what = printable(f"{type(error).__name__}: {error}"[:200]).strip(": ")
        raise DocumentError(f"{shown} cannot be read ({what})", name) from error
    warnings += map(printable, found)
    metadata = {"format": suffix.lstrip(".") or "txt", **metadata}
    return Document(name, text, name, metadata)


def _text(data: bytes, name: str) -> Loaded:
    text, warnings = decode(data, name)
    return text, {}, warnings


def _html(data: bytes, name: str) -> Loaded:
    from halgo.sources.webpages import markdown

    text, warnings = decode(data, name)
    body, title = markdown(text)
    return body, {"title": title} if title else {}, warnings


def _json(data: bytes, name: str) -> Loaded:
    from halgo.sources.records import stated

    text, warnings = decode(data, name)
    if not text.strip():
        return "", {}, warnings
    try:
        value, again = jsontext.loads(text, as_written=True)
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"{name}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}",
            name,
        ) from error
    made, found = stated(value, name)
    return made, {}, [*warnings, *jsontext.twice(again, name), *found]


def _json_lines(data: bytes, name: str) -> Loaded:
    from halgo.sources.records import stated

    text, warnings = decode(data, name)
    values: list[Any] = []
    problems = _values_of(text, name, values)
    warnings += itertools.islice(problems, _NAMED)
    if more := sum(1 for _ in problems):
        warnings.append(f"{name}: {more:,} more of its lines are left out or odd in such ways")
    made, found = stated(values, name) if values else ("", [])
    return made, {}, warnings + found


def _values_of(text: str, name: str, values: list[Any]) -> Iterator[str]:
    """Adds the value of each line to `values`; yields what is wrong or odd with lines."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value, again = jsontext.loads(line, as_written=True)
        except (json.JSONDecodeError, RecursionError) as error:
            problem = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            yield f"{name}: line {number} was left out: not valid JSON: {problem}"
            continue
        values.append(value)
        yield from jsontext.twice(again, f"{name}: line {number}")


def _csv(data: bytes, name: str) -> Loaded:
    from halgo.sources.spreadsheets import rows_as_lines

    text, warnings = decode(data, name)
    lines, starts, found = rows_as_lines(text, tabs=name.lower().endswith(".tsv"))
    metadata = {"rows": json.dumps(starts)}
    return lines, metadata, warnings + [f"{name}: {problem}" for problem in found]


def _pdf(data: bytes, name: str) -> Loaded:
    from halgo.sources.papers import read_pdf

    return read_pdf(data, name)


def _docx(data: bytes, name: str) -> Loaded:
    from halgo.sources.wordfiles import read_docx

    return read_docx(data, name)


READERS: dict[str, Callable[[bytes, str], Loaded]] = {
    **dict.fromkeys((".txt", ".text", ".md", ".markdown", ".rst", ".log"), _text),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".json": _json,
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    **dict.fromkeys((".csv", ".tsv"), _csv),
    ".pdf": _pdf,
    ".docx": _docx,
}
_OTHER_KINDS = {
    ".doc": "old Word files are not read; save it as .docx",
    ".odt": "OpenDocument files are not read; save it as .docx",
    ".rtf": "rich text is not read; save it as .docx or .txt",
    ".xls": "spreadsheets are not read; save each sheet as .csv",
    ".xlsx": "spreadsheets are not read; save each sheet as .csv",
    ".ods": "spreadsheets are not read; save each sheet as .csv",
    ".pptx": "slides are not read; save them as .pdf",
    ".zip": "archives are not read; unpack it and name the folder",
}
