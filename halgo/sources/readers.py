"""Files and folders -> Documents: text, Markdown, HTML, JSON, CSV; PDF and DOCX by extra.

A file becomes one Document whose text every offset points to: plain text and Markdown as they
stand, the others as Markdown or statements with the file's structure kept.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from halgo.errors import DocumentError, UnsupportedFormatError
from halgo.sources.documents import unique
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
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
# Letters and signs that Western European text in cp1252 is made of.
_WESTERN = frozenset(
    "\u2018\u2019\u201c\u201d\u201e\u2013\u2014\u2026"
    "\u20ac\u2122\u2022\u0152\u0153\u0160\u0161\u017d\u017e\u0178\u2020\u2021\u2030\u2039\u203a"
) | {chr(code) for code in range(0xA0, 0x100)}


def read_files(
    paths: str | Path | Sequence[str | Path],
) -> tuple[list[Document], list[str]]:
    """The documents in files and folders, in the order given, and warnings.

    Folders are read to any depth, in order of name; hidden files are passed over, and files of an
    unknown or unreadable kind left out with a warning. A Document's id and source are its path.
    Raises DocumentError when a file that was named is missing, unreadable, not text or larger than
    LARGEST_BYTES, UnsupportedFormatError when its kind is unknown, MissingDependencyError when it
    takes an extra.
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
            raise DocumentError(f"not a path: {str(path)!r}", str(path))
        place = Path(path)
        try:
            folder = place.is_dir()
        except OSError as error:  # a name longer than the system allows
            raise DocumentError(f"{str(place)[:200]}: {error.strerror}", str(place)) from error
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
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), []
            except UnicodeDecodeError as error:
                raise DocumentError(f"{name}: damaged {encoding} text: {error}", name) from error
    if b"\0" in data[:1_000_000]:
        raise DocumentError(f"{name}: not text: it holds zero bytes", name)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    guess = _guess(data)
    if guess is None:
        raise DocumentError(f"{name}: not text in any encoding that is known here", name)
    text = data.decode(guess, "replace")
    return text, [f"{name}: not UTF-8; read as {guess}. Save it as UTF-8 to be sure."]


def _guess(data: bytes) -> str | None:
    """The encoding of text that is not UTF-8; None when it looks like no text at all."""
    sample = data[:200_000]
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in sample)
    if control > len(sample) // 50:
        return None
    declared = _CHARSET.search(sample[:4096])
    if declared:
        try:
            name = codecs.lookup(declared.group(1).decode("ascii")).name
            sample.decode(name)
            return name
        except (LookupError, UnicodeDecodeError):
            pass
    try:
        western = sample.decode("cp1252")
        foreign = [char for char in western if ord(char) > 127]
        letters = sum(char.isalpha() for char in western)
        # In Western text accents are sprinkled in; other scripts turn every letter into one.
        few = sum(char.isalpha() for char in foreign) <= letters / 4
        if few and _WESTERN.issuperset(foreign):
            return "cp1252"
    except UnicodeDecodeError:
        pass
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return "cp1252"
    best = from_bytes(sample).best()
    return best.encoding if best is not None else None


def _bytes_of(path: Path) -> bytes:
    name = str(path)
    try:
        if path.is_dir():
            raise DocumentError(f"{name} is a folder; a file is needed here", name)
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise DocumentError(
                f"{name} has {size:,} bytes; at most {LARGEST_BYTES:,} are read. Split it.", name
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError(f"no such file: {name} (looked in {Path.cwd()})", name) from None
    except OSError as error:
        raise DocumentError(f"cannot read {name}: {error.strerror or error}", name) from error


def _read_folder(folder: Path, documents: list[Document], warnings: list[str]) -> None:
    count = len(documents)
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith("."):
                continue
            path = Path(root, name)
            if path.suffix.lower() not in READERS:
                warnings.append(f"{path} was left out: files of kind {path.suffix!r} are not read")
                continue
            try:
                documents.append(_read_file(path, warnings))
            except DocumentError as error:
                warnings.append(f"{path} was left out: {error}")
    if len(documents) == count:
        warnings.append(f"folder {folder} holds no file that can be read")


def _read_file(path: Path, warnings: list[str]) -> Document:
    name = str(path)
    suffix = path.suffix.lower()
    if suffix in _OTHER_KINDS and path.is_file():
        raise UnsupportedFormatError(f"{name}: {_OTHER_KINDS[suffix]}", name)
    data = _bytes_of(path)
    reader = READERS.get(suffix)
    try:
        text, metadata, found = (reader or _text)(data, name) if data else ("", {}, [])
    except UnsupportedFormatError:
        raise
    except DocumentError as error:
        if reader is None:
            kinds = ", ".join(sorted(READERS))
            raise UnsupportedFormatError(
                f"{error}; {suffix or 'no'} extension is none that is read ({kinds})", name
            ) from error
        raise
    except (RecursionError, MemoryError) as error:
        raise DocumentError(f"{name} is nested too deeply to be read", name) from error
    warnings += found
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
    from halgo.sources.records import statements

    text, warnings = decode(data, name)
    if not text.strip():
        return "", {}, warnings
    try:
        return statements(_parsed(text)), {}, warnings
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"{name}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}",
            name,
        ) from error


def _json_lines(data: bytes, name: str) -> Loaded:
    from halgo.sources.records import statements

    text, warnings = decode(data, name)
    values = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(_parsed(line))
        except (json.JSONDecodeError, RecursionError) as error:
            problem = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            warnings.append(f"{name}: line {number} was left out: not valid JSON: {problem}")
    return statements(values) if values else "", {}, warnings


def _parsed(text: str) -> object:
    """JSON with numbers as they are written: 99.50 stays 99.50, 1e999 is no infinity."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


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
    from halgo.sources.papers import read_docx

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
