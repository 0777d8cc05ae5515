"""A file -> a Document: text, markup, records, tables, mail, office files; PDF by extra.

A file becomes one Document whose text every offset points to: plain text and Markdown as they
stand, the others as Markdown or statements with the file's structure kept.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import DocumentError, MissingDependencyError, UnsupportedFormatError
from halgo.printable import printable
from halgo.sources import encodings, jsontext
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
# What is no text is known by how it begins, whatever its name is.
_KINDS = {
    b"%PDF-": "a PDF",
    b"PK\3\4": "a packed file, such as a Word file or a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old Word file, spreadsheet or presentation",
}
# Of a longer name or path its beginning and its end are shown.
_LONGEST_SHOWN = 300
# Lines of one file that are named, each with what is wrong with it; the others are counted.
_NAMED = 20


def read_text(path: str | Path) -> tuple[str, list[str]]:
    """The text of one file, decoded but otherwise as it stands, and warnings."""
    return decode(_bytes_of(Path(path)), str(path))


def decode(data: bytes, name: str) -> tuple[str, list[str]]:
    """Text of `data`, and a warning when its encoding had to be guessed.

    UTF-8, and UTF-16 or UTF-32 with a byte order mark, are certain. Raises DocumentError when
    `data` is no text, with the kind of file that it is where its beginning tells.
    """
    shown = as_shown(name)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), []
            except UnicodeDecodeError as error:
                raise DocumentError(f"{shown}: damaged {encoding} text: {error}", name) from error
    zeros = b"\0" in data[:1_000_000]
    with contextlib.suppress(UnicodeDecodeError):
        if not zeros:
            return data.decode("utf-8"), []
    for beginning, kind in _KINDS.items():
        if data.startswith(beginning):
            raise DocumentError(f"{shown}: not text but {kind}; save it as text or Markdown", name)
    if zeros:
        what = "it holds zero bytes"
        if encodings.may_be_utf_16(data):
            what += ", as UTF-16 without a byte order mark does; save it as UTF-8"
        raise DocumentError(f"{shown}: not text: {what}", name)
    with quietly():
        guessed = encodings.guess(data)
    if guessed is None:
        raise DocumentError(f"{shown}: not text in any encoding that is known here", name)
    text = data.decode(guessed, "replace")
    return text, [f"{shown}: not UTF-8; read as {guessed}. Save it as UTF-8 to be sure."]


def as_shown(path: str | Path) -> str:
    """A name as messages show it: safe to print, and not too long to be read."""
    name = printable(str(path))
    if len(name) > _LONGEST_SHOWN:
        name = f"{name[:99]}\N{HORIZONTAL ELLIPSIS}{name[-200:]}"
    return name


def quoted(name: str) -> str:
    """A name in quotation marks, as messages show it."""
    return as_shown(repr(name))


def _bytes_of(path: Path) -> bytes:
    """The bytes of a regular file, or of what a link to one leads to."""
    name, shown = str(path), as_shown(path)
    try:
        if path.is_dir():
            raise DocumentError(f"{shown} is a folder; a file is needed here", name)
        return disk.read(path, LARGEST_BYTES)
    except FileNotFoundError:
        where = "" if path.is_symlink() else _looked_in()
        raise DocumentError(f"{as_shown(disk.missing(path))}{where}", name) from None
    except OSError as error:
        what = f"cannot read {shown}: {error.strerror or error}"
        if error.errno == errno.EINVAL:
            what += ". Save its text to a file and name that."
        elif error.errno == errno.EFBIG:
            what = f"{shown} has {_size(path)}; at most {LARGEST_BYTES:,} are read. Split it."
        raise DocumentError(what, name) from error
    except ValueError as error:  # a character that the system has no bytes for
        raise DocumentError(f"not a path: {quoted(name)}", name) from error


def _size(path: Path) -> str:
    """The size of a file that is too large, "more bytes" when it is one that grows."""
    with contextlib.suppress(OSError):
        if (size := path.stat().st_size) > LARGEST_BYTES:
            return f"{size:,} bytes"
    return "more bytes"


def _looked_in() -> str:
    try:
        return f" (looked in {as_shown(Path.cwd())})"
    except OSError:  # the folder we are in has been removed
        return ""


def keeps_lines(kind: str) -> bool:
    """Whether the text of a file of this kind, "md" or "py", is the file's own, line by line."""
    return READERS.get(f".{kind}", _text) is _text


def read_bytes(data: bytes, name: str) -> tuple[Document, list[str]]:
    """The document of a file's bytes, which its `name` gives the kind of, and warnings.

    Its id and source are the name. Raises DocumentError as `read_files` does.
    """
    warnings: list[str] = []
    return _document_of(data, name, Path(name).suffix.lower(), warnings), warnings


def read_file(
    path: Path,
    warnings: list[str],
    turned: Callable[[int], None] | None = None,
    *,
    answer: bool = False,
) -> Document:
    """The document in a file. turned: called after each page of a PDF with how many it has.

    answer: whether it is one to be checked; of a mail that is what its writer wrote.
    """
    suffix = path.suffix.lower()
    if suffix in OTHER_KINDS and path.is_file():
        raise UnsupportedFormatError(f"{as_shown(path)}: {OTHER_KINDS[suffix]}", str(path))
    return _document_of(_bytes_of(path), str(path), suffix, warnings, turned, answer)


def _document_of(
    data: bytes,
    name: str,
    suffix: str,
    warnings: list[str],
    turned: Callable[[int], None] | None = None,
    answer: bool = False,
) -> Document:
    shown = as_shown(name)
    if suffix in OTHER_KINDS:
        raise UnsupportedFormatError(f"{shown}: {OTHER_KINDS[suffix]}", name)
    reader = _eml_written if answer and suffix == ".eml" else READERS.get(suffix)
    try:
        with quietly():
            if reader is _pdf and data:
                text, metadata, found = _pdf(data, shown, turned)
            else:
                text, metadata, found = (reader or _text)(data, shown) if data else ("", {}, [])
    except DocumentError as error:
        # What a library says of a file may quote it.
        error.source, error.args = name, (printable(str(error)),)
        if reader is None and not isinstance(error, UnsupportedFormatError):
            kinds = ", ".join(sorted(READERS))
            raise UnsupportedFormatError(
                f"{error}; {as_shown(suffix) or 'no'} extension is none that is read ({kinds})",
                name,
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
    body, title, found = markdown(text, name)
    return body, {"title": title} if title else {}, warnings + found


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


def _yaml(data: bytes, name: str) -> Loaded:
    from halgo.sources import yamltext

    return _values(data, name, yamltext.loads)


def _xml(data: bytes, name: str) -> Loaded:
    from halgo.sources import xmltext

    return _values(data, name, xmltext.loads)


def _values(data: bytes, name: str, loads: Callable[[str], tuple[Any, list[str]]]) -> Loaded:
    """A value's statements, and the remarks beside it; what is not of the kind is text."""
    from halgo.sources.records import stated

    text, warnings = decode(data, name)
    try:
        value, remarks = loads(text)
    except jsontext.NotOfKind as error:
        return text, {}, [*warnings, f"{name}: {error}; read as text"]
    if not isinstance(value, (dict, list)):
        return text, {}, warnings
    made, found = stated(value, name)
    return "\n\n".join([made, *remarks]), {}, warnings + found


def _csv(data: bytes, name: str) -> Loaded:
    from halgo.sources.row_numbers import noted
    from halgo.sources.spreadsheets import rows_as_lines

    text, warnings = decode(data, name)
    lines, rows, found = rows_as_lines(text, tabs=name.lower().endswith(".tsv"))
    return lines, noted(rows), warnings + [f"{name}: {problem}" for problem in found]


def _subtitles(data: bytes, name: str) -> Loaded:
    from halgo.sources.subtitles import spoken

    text, warnings = decode(data, name)
    told = spoken(text)
    if told is None:
        return text, {}, [*warnings, f"{name}: no times of subtitles in it; read as text"]
    return told, {}, warnings


def _pdf(data: bytes, name: str, turned: Callable[[int], None] | None = None) -> Loaded:
    from halgo.sources.papers import read_pdf

    return read_pdf(data, name, turned)


def _eml(data: bytes, name: str) -> Loaded:
    from halgo.sources.mails import read_eml

    return read_eml(data, name)


def _eml_written(data: bytes, name: str) -> Loaded:
    from halgo.sources.mails import read_written

    return read_written(data, name)


def _docx(data: bytes, name: str) -> Loaded:
    from halgo.sources.wordfiles import read_docx

    return read_docx(data, name)


def _xlsx(data: bytes, name: str) -> Loaded:
    from halgo.sources.workbooks import read_xlsx

    return read_xlsx(data, name)


def _pptx(data: bytes, name: str) -> Loaded:
    from halgo.sources.slides import read_pptx

    return read_pptx(data, name)


def _odf(data: bytes, name: str) -> Loaded:
    from halgo.sources.open_documents import read_odf

    return read_odf(data, name)


def _epub(data: bytes, name: str) -> Loaded:
    from halgo.sources.ebooks import read_epub

    return read_epub(data, name)


def _rtf(data: bytes, name: str) -> Loaded:
    from halgo.sources.richtext import read_rtf

    return read_rtf(data, name)


def _doc(data: bytes, name: str) -> Loaded:
    """An old Word file, as far as it is RTF by another name, which old programs write."""
    from halgo.sources.richtext import SIGNATURE

    if data.startswith(SIGNATURE):
        return _rtf(data, name)
    raise UnsupportedFormatError(f"{name}: old Word files are not read; save it as .docx", name)


READERS: dict[str, Callable[[bytes, str], Loaded]] = {
    **dict.fromkeys((".txt", ".text", ".md", ".markdown", ".rst", ".log"), _text),
    **dict.fromkeys((".toml", ".ini", ".cfg", ".conf"), _text),
    **dict.fromkeys((".yaml", ".yml"), _yaml),
    ".xml": _xml,
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".json": _json,
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    **dict.fromkeys((".csv", ".tsv"), _csv),
    **dict.fromkeys((".vtt", ".srt"), _subtitles),
    ".pdf": _pdf,
    **dict.fromkeys((".docx", ".docm"), _docx),
    **dict.fromkeys((".xlsx", ".xlsm"), _xlsx),
    **dict.fromkeys((".pptx", ".pptm"), _pptx),
    **dict.fromkeys((".odt", ".ods", ".odp"), _odf),
    ".rtf": _rtf,
    ".doc": _doc,
    ".epub": _epub,
    ".eml": _eml,
}
OTHER_KINDS = {
    ".xls": "old spreadsheets are not read; save it as .xlsx",
    ".xlsb": "binary spreadsheets are not read; save it as .xlsx",
    ".ppt": "old presentations are not read; save it as .pptx",
    ".msg": "Outlook messages are not read; save it as .eml or .txt",
    ".mobi": "Kindle books are not read; save it as .epub",
    ".zip": "archives are not read; unpack it and name the folder",
}
