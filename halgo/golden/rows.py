"""A golden file -> Rows: documents, a claim or an answer, and what a careful reader says of it.

JSON lines, one row a line, blank lines left out:

    {"documents": ["The fee is 5%."], "claim": "The fee is 5%.", "label": "supported"}

documents            (or docs, contexts) a text, or a list of what `halgo.Checker.from_docs` takes;
                     or instead
files                paths of documents, relative to the golden file
claim                a claim, taken as it is; or
answer               (or response, output) a text that is divided into claims
question             optional: what the answer is given to; a claim stands by itself
label                supported, unsupported or contradicted (`LABELS` lists what else is read); or
                     refusal, where the documents have no answer and declining to give one is right
verdict              optional: the verdict that a check must give, or a list of those that it may;
                     without a label it is the label too
id, group            optional: a name, by which `evaluate.compare` knows the row again when its
                     documents or text change, and what belongs together when rows are divided (by
                     default rows about the same documents do)
Other keys (a note, a source) are the writer's own and are not read; one that is nearly a key above
("questoin") is told in a warning.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import DocumentError, GoldenError
from halgo.printable import printable
from halgo.sources.documents import to_documents
from halgo.sources.folders import read_files
from halgo.sources.readers import LARGEST_BYTES
from halgo.types import Document, Verdict

MOST_SHOWN = 20  # bad rows named in one error
_SOURCES = ("documents", "docs", "contexts", "files")
_TEXTS = ("claim", "answer", "response", "output")
_TABLES = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet", ".pq")
_OPTIONAL = ("question", "verdict", "id", "group")
_READ = (*_SOURCES, *_TEXTS, "label", *_OPTIONAL)
_LONGEST_KEY = 40
_ALIKE = 0.8  # of difflib's ratio: one or two letters of "question", one of "group"


class Label(StrEnum):
    """What a careful reader says: the documents support it, lack it, or say otherwise.

    REFUSAL: the right answer declines to answer, and any that does not is wrong.
    """

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    REFUSAL = "refusal"


# What stands for each label; JSON's true, false, 1 and 0 are read too, and 1.0 and 0.0, which
# pandas makes of these in a column where one is missing. Partly supported is not supported:
# something in it stands nowhere.
LABELS: Mapping[str, Label] = {
    "supported": Label.SUPPORTED,
    "unsupported": Label.UNSUPPORTED,
    "contradicted": Label.CONTRADICTED,
    "refusal": Label.REFUSAL,
    "weak_support": Label.UNSUPPORTED,
    "hallucination": Label.UNSUPPORTED,
    "contradiction": Label.CONTRADICTED,
    "true": Label.SUPPORTED,
    "false": Label.UNSUPPORTED,
    "1": Label.SUPPORTED,
    "0": Label.UNSUPPORTED,
    "1.0": Label.SUPPORTED,
    "0.0": Label.UNSUPPORTED,
}


# What a misspelt verdict is near to. UNSUPPORTED is two letters from SUPPORTED, and its opposite.
_MEANT = {
    **{verdict.value: verdict for verdict in Verdict},
    "CONTRADICTED": Verdict.CONTRADICTION,
    "UNSUPPORTED": Verdict.HALLUCINATION,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled row. `text` is one claim, or a whole answer where `answer` is true.

    `key` is a digest of documents, text and question, so that a row is known again wherever it
    stands. `question` is what an answer is given to. `verdicts` are those that a check may give;
    none where the label says all that is asked for.
    `named`: whether the file gives the id; it is that of its line otherwise.
    """

    id: str
    documents: tuple[Document, ...]
    text: str
    answer: bool
    label: Label
    group: str
    key: str
    line: int
    named: bool = True
    question: str | None = None
    verdicts: tuple[Verdict, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether the documents support it, all of it."""
        return self.label is Label.SUPPORTED


class _Bad(Exception):
    """What is wrong with one row."""


def read(path: str | Path, warnings: list[str] | None = None) -> list[Row]:
    """The rows of a golden file, at least one.

    warnings: is given a sentence for each key that is nearly one that would be read.
    Raises GoldenError that names the file and, of up to 20 bad rows, the line and the reason;
    TypeError for what is no path.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"a golden file is given by its path, not as {type(path).__name__}; a table of pandas "
            "becomes one with table.to_json('golden.jsonl', orient='records', lines=True)"
        )
    path = Path(path)
    shown = printable(str(path))
    if path.suffix.lower() in _TABLES and path.exists():
        raise GoldenError(
            f"{shown} is a table; golden files are JSON lines, a row a line, such as {_EXAMPLE}"
        )
    try:
        data = disk.read(path, LARGEST_BYTES)
    except (OSError, ValueError) as error:  # ValueError: a name that the system has no bytes for
        what = getattr(error, "strerror", None) or error
        raise GoldenError(f"cannot read {shown}: {printable(str(what))}") from error
    return parse(data, shown, path.parent, warnings)


def parse(data: bytes, name: str, folder: Path, warnings: list[str] | None = None) -> list[Row]:
    """The rows in the bytes of a file called `name`; `files` of a row are sought in `folder`.

    warnings: as for `read`.
    """
    misspelt: dict[tuple[str, str], int] = {}
    files = _Files(folder)
    rows: list[Row] = []
    bad: list[str] = []
    ids: dict[str, int] = {}
    keys: dict[str, int] = {}
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            given = _object(line)
            row = _row(given, number, files)
            for pair in _misspelt(given):
                misspelt.setdefault(pair, number)
            if row.id in ids:
                raise _Bad(f"the same id as line {ids[row.id]}")
            if row.key in keys and not row.named:
                raise _Bad(
                    f"the same documents and text as line {keys[row.key]}; take it out, or give it "
                    "an id of its own"
                )
            ids[row.id] = number
            keys.setdefault(row.key, number)
            rows.append(row)
        except _Bad as error:
            bad.append(f"  line {number}: {error}")
    if bad:
        more = len(bad) - MOST_SHOWN
        shown = "\n".join(bad[:MOST_SHOWN]) + (f"\n  and {more} more" if more > 0 else "")
        count = "1 row" if len(bad) == 1 else f"{len(bad)} rows"
        raise GoldenError(f"{name}: {count} cannot be read\n{shown}")
    if warnings is not None:
        warnings += (
            f"{name}, line {line}: the key {_shown(key)} is not read; {_shown(meant)} would be"
            for (key, meant), line in misspelt.items()
        )
    if not rows:
        raise GoldenError(f"{name}: holds no row; a row is a line of JSON such as {_EXAMPLE}")
    return rows


_EXAMPLE = '{"documents": ["..."], "claim": "...", "label": "supported"}'


class _Files:
    """Documents of files, each set of paths read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: dict[tuple[str, ...], tuple[Document, ...]] = {}

    def __call__(self, given: Any) -> tuple[Document, ...]:
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _Bad(f"files must be a path or a list of paths, not {_shown(given)}")
        key = tuple(names)
        if key not in self.read:
            try:
                documents, _ = read_files([self.folder / name for name in names])
            except (DocumentError, ImportError, ValueError) as error:
                raise _Bad(f"files: {error}") from error
            self.read[key] = tuple(self._here(document) for document in documents)
        return self.read[key]

    def _here(self, document: Document) -> Document:
        """Named as the golden file names it, wherever that lies."""
        place = Path(document.id)
        if place.is_relative_to(self.folder):
            name = place.relative_to(self.folder).as_posix()
            return replace(document, id=name, source=name)
        return document


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _Bad(f"is not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise _Bad(f"is no JSON: {error.msg} at character {error.pos + 1}") from error
    except (ValueError, RecursionError) as error:
        raise _Bad(f"is no JSON that can be read: {error}") from error
    if not isinstance(found, dict):
        raise _Bad(f"a row is a JSON object, not {_shown(found)}")
    return found


def _row(given: dict[str, Any], line: int, files: _Files) -> Row:
    source = _one(given, _SOURCES)
    documents = files(given[source]) if source == "files" else _documents(given[source])
    if not any(document.text.strip() for document in documents):
        raise _Bad(f"{source} holds no text")
    kind = _one(given, _TEXTS)
    text = given[kind]
    if not isinstance(text, str):
        raise _Bad(f"{kind} must be a text, not {_shown(text)}")
    if not text.strip():
        raise _Bad(f"{kind} is empty")
    question = given.get("question") or None
    if question is not None and not isinstance(question, str):
        raise _Bad(f"question must be a text, not {type(question).__name__}")
    verdicts = _verdicts(given.get("verdict"))
    label = _label(given, verdicts)
    if label is Label.REFUSAL and kind == "claim":
        raise _Bad("the label refusal is for an answer; a claim declines nothing")
    about = _digest(document.text for document in documents)
    said = "claim" if kind == "claim" else "answer"
    name = _name(given, "id")
    return Row(
        id=name or f"line-{line}",
        documents=documents,
        text=text,
        answer=kind != "claim",
        label=label,
        group=_name(given, "group") or about,
        key=_digest((about, said, text) if question is None else (about, said, text, question)),
        line=line,
        named=bool(name),
        question=question,
        verdicts=verdicts,
    )


def _misspelt(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Keys that are not read, each with the optional one that it is within two letters of.

    Of the keys that a row must have, a misspelt one is missing, which is an error.
    """
    absent = [name for name in _OPTIONAL if name not in given]
    for key in given:
        if key not in _READ:
            near = get_close_matches(key[:_LONGEST_KEY].lower(), absent, n=1, cutoff=_ALIKE)
            if near and abs(len(key) - len(near[0])) <= 2:
                yield key, near[0]


def _one(given: dict[str, Any], names: tuple[str, ...]) -> str:
    """Which of these keys the row has. Exactly one of them has to be there."""
    there = [name for name in names if given.get(name) is not None]
    if not there:
        if (null := next((name for name in names if name in given), None)) is not None:
            raise _Bad(f"{null} is null")
        *others, last = names
        keys = ", ".join(_shown(key) for key in given) or "no keys"
        raise _Bad(f"{', '.join(others)} or {last} is missing; there are {keys}")
    if len(there) > 1:
        raise _Bad(f"has both {there[0]} and {there[1]}; give one")
    return there[0]


def _documents(given: Any) -> tuple[Document, ...]:
    try:
        documents, _ = to_documents(given)
    except (TypeError, ValueError) as error:
        raise _Bad(str(error)) from error
    return tuple(documents)


def _label(given: dict[str, Any], verdicts: tuple[Verdict, ...]) -> Label:
    """The row's label; that of its verdicts where it has none of its own."""
    said = given.get("label")
    if said is None and verdicts:
        return _label_of(verdicts)
    if "label" not in given:
        others = ", ".join(_shown(key) for key in given if key not in _READ)
        unread = f"; not read: {others}" if others else ""
        raise _Bad(f"label is missing: one of {', '.join(Label)}{unread}")
    word = str(said).strip().lower() if isinstance(said, (str, bool, int, float)) else ""
    found = LABELS.get(word)
    if found is None:
        raise _Bad(f"label must be one of {', '.join(Label)}, not {_shown(said)}")
    if verdicts and not any(_fits(found, verdict) for verdict in verdicts):
        named = " or ".join(verdicts)
        raise _Bad(f"the label {found} and the verdict {named} exclude each other; correct one")
    return found


def _label_of(verdicts: tuple[Verdict, ...]) -> Label:
    labels = {LABELS[verdict.lower()] for verdict in verdicts}
    if len(labels) == 1:
        return labels.pop()
    if Label.SUPPORTED in labels:
        raise _Bad(f"label is missing: {' or '.join(verdicts)} leaves open whether it is supported")
    return Label.UNSUPPORTED


def _fits(label: Label, verdict: Verdict) -> bool:
    """Whether a check that gives this verdict may be right about such a row."""
    if label is Label.UNSUPPORTED:  # 0 and false say no more than that it is not supported
        return verdict is not Verdict.SUPPORTED
    return LABELS[verdict.lower()] is label


def _verdicts(given: Any) -> tuple[Verdict, ...]:
    """The verdicts that a row names, each once and in their own order; none for null."""
    if given is None:
        return ()
    named = {_verdict(one) for one in (given if isinstance(given, list) else [given])}
    if not named:
        raise _Bad("verdict is an empty list; name those that are right, or leave it out")
    return tuple(verdict for verdict in Verdict if verdict in named)


def _verdict(given: Any) -> Verdict:
    word = given.strip().upper() if isinstance(given, str) else ""
    if word in Verdict.__members__:
        return Verdict[word]
    near = get_close_matches(word[:_LONGEST_KEY], _MEANT, n=1)
    meant = f" (the nearest is {_MEANT[near[0]]})" if near else ""
    raise _Bad(f"verdict must be one of {', '.join(Verdict)}, not {_shown(given)}{meant}")


def _name(given: dict[str, Any], key: str) -> str:
    value = given.get(key)
    if value is None:
        return ""
    if isinstance(value, (dict, list)) or not str(value).strip():
        raise _Bad(f"{key} must be a name, not {_shown(value)}")
    return str(value).strip()


def _digest(parts: Iterable[str]) -> str:
    """16 hex digits of these texts, in order. JSON may hold half a surrogate pair."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()[:16]


def _shown(value: Any) -> str:
    return json.dumps(value)[:60]


def same_documents(rows: Iterable[Row]) -> list[tuple[tuple[Document, ...], list[int]]]:
    """Each set of documents with the positions of its rows, in order of first use."""
    groups: dict[tuple[Document, ...], list[int]] = {}
    for position, row in enumerate(rows):
        groups.setdefault(row.documents, []).append(position)
    return list(groups.items())
