"""The one small file of an index in a folder that says what belongs to it: its state.

It is replaced as a whole, so that who opens the folder sees the old state or the new one. It ends
with the SHA-256 of what it says, which tells damage from another version.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import IndexFormatError
from halgo.printable import printable
from halgo.store.container import damaged

NAME = "index.json"
FORMAT = "halgo index folder"
SCHEMA = 2  # goes up with every change of what is written
SEGMENT, GRAPH = ".segment", ".graph"
_LARGEST = 1 << 24
_FILE = re.compile(r"[0-9a-f]{64}\.(segment|graph)")
_WIDEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A segment: its file, and the one for approximate search of it, "" where there is none."""

    file: str
    size: int
    documents: int
    passages: int
    graph: str = ""
    graph_size: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index in a folder holds, and how it was made.

    state: how many changes there have been, for who waits for the next.
    """

    embedder: str
    dim: int
    sentences_per_chunk: int
    sentence_overlap: int
    digest: str
    state: int
    segments: tuple[Entry, ...]

    @property
    def files(self) -> dict[str, int]:
        """The files that belong to the state, with their sizes."""
        found = {one.file: one.size for one in self.segments}
        found.update((one.graph, one.graph_size) for one in self.segments if one.graph)
        return found


def is_folder_index(path: str | Path) -> bool:
    """Whether there is a folder with an index at `path`, whole or not."""
    return (Path(path) / NAME).is_file()


def write(folder: Path, manifest: Manifest) -> None:
    """Makes `manifest` the state of the folder: from then on who opens it sees that."""
    told = {"format": FORMAT, "schema": SCHEMA, **asdict(manifest)}
    disk.write(folder / NAME, _sealed(told))


def nowhere(folder: Path) -> IndexFormatError:
    """What is raised where a folder has no index."""
    if folder.is_file():
        return IndexFormatError(
            f"{folder} is a file, and what is opened here is a folder. An index in a file is "
            "opened by Checker.from_index."
        )
    return IndexFormatError(
        f"there is no index in {folder}: it has no {NAME}. `halgo index DOCS --store {folder}` "
        "makes one."
    )


def read(folder: Path) -> Manifest:
    """The state of a folder.

    Raises FileNotFoundError where there is none; IndexFormatError for one that is damaged, or
    that another version of halgo wrote.
    """
    path = folder / NAME
    try:
        told = json.loads(disk.read(path, _LARGEST))
        ours = isinstance(told, dict) and told.get("format") == FORMAT
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(error.errno, error.strerror, str(path)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(path, f"it cannot be read ({printable(str(error)):.100})") from error
    if not ours:
        raise damaged(path, "it is not what halgo writes")
    if told.get("schema") != SCHEMA:
        other = printable(repr(told.get("schema")))[:40]
        raise IndexFormatError(
            f"{path} was written by another version of halgo (schema {other}, this one reads "
            f"{SCHEMA}); it is not damaged. Use that version, or index the documents again."
        )
    seal = told.pop("seal", None)
    if seal != _seal(told):
        raise damaged(path, "it does not say what was written")
    try:
        return _manifest(told)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(path, f"it makes no sense ({error!s:.100})") from error


def _manifest(told: dict[str, Any]) -> Manifest:
    entries = tuple(Entry(**one) for one in told["segments"])
    values = {name: told[name] for name in Manifest.__slots__ if name != "segments"}
    texts = ("embedder", "digest")
    for one in entries:
        names = [one.file, *([one.graph] if one.graph else [])]
        if not all(isinstance(name, str) and _FILE.fullmatch(name) for name in names):
            raise ValueError("a file's name")
        _require_counts(one.size, one.documents, one.passages, one.graph_size)
    _require_counts(*(value for name, value in values.items() if name not in texts))
    if not all(isinstance(values[name], str) for name in texts):
        raise ValueError("a name")
    if not 1 <= values["dim"] <= _WIDEST:
        raise ValueError("the width of vectors")
    if values["sentence_overlap"] >= values["sentences_per_chunk"]:
        raise ValueError("passages that overlap by all that they hold")
    return Manifest(**values, segments=entries)


def _require_counts(*counts: Any) -> None:
    if not all(type(one) is int and 0 <= one < 1 << 62 for one in counts):
        raise ValueError("a number")


def _sealed(told: dict[str, Any]) -> bytes:
    return _json({**told, "seal": _seal(told)})


def _seal(told: dict[str, Any]) -> str:
    return hashlib.sha256(_json(told)).hexdigest()


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True).encode("ascii")
