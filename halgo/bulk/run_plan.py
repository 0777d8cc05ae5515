"""Input, settings and engine -> the plan of a run: which rows are in which part, and its manifest.

The plan follows from the input and the settings alone, so that any number of processes on any
number of machines come to the same one without speaking to each other. The manifest in the output
folder is written once; who comes with another input, other settings or another engine is refused,
so that no folder holds verdicts of two kinds.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import shutil
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halgo import __version__, disk
from halgo.bulk.answer_rows import Columns, Row, digest_of, rows_of
from halgo.bulk.list_cells import WRITE_JSON, looks_listed
from halgo.bulk.part_files import part_name
from halgo.errors import BatchError
from halgo.printable import printable
from halgo.settings import shown

SCHEMA = 2
MANIFEST = "manifest.json"
DOCUMENTS = ".documents-"  # the index of a share's documents, while it is at work
_DRAFT = f".{MANIFEST}-"
_PART = re.compile(r"part-(\d{6,12})-")
_LARGEST = 10_000_000  # bytes of a manifest
# A kill costs a process at most one part, and a part makes a file: neither may be many.
_LEAST_ROWS, _MOST_ROWS, _PARTS = 16, 1000, 256


@dataclass(frozen=True)
class Input:
    """What is known of the answers when all of them have been looked at once.

    hashes: (rows,) uint64, of every id, sorted; by these an id that comes again is told. unread:
    column -> answers that seem to bring documents in it, where none is named. unlisted: answers
    whose cell of documents is a list that could not be read as one.
    """

    files: tuple[Path, ...]
    columns: Columns
    digests: tuple[tuple[int, str], ...]
    rows: int
    hashes: NDArray[np.uint64]
    unread: Mapping[str, int]
    unlisted: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader has to know of it."""
        have = "answer has" if self.unlisted == 1 else "answers have"
        column = printable(repr(self.columns.documents))
        odd = f"{self.unlisted:,} {have} a cell in the column {column} that {WRITE_JSON}"
        return ((odd,) if self.unlisted else ()) + tuple(
            f"{count:,} answer{' brings' if count == 1 else 's bring'} documents in a column "
            f"{name!r} that is not read; to check each against its own, give --docs-column {name}"
            for name, count in self.unread.items()
        )

    def named(self) -> dict[str, Any]:
        """What makes this input another one, as plain values."""
        return {
            "files": [{"bytes": size, "sha256": digest} for size, digest in self.digests],
            "rows": self.rows,
            "answer_column": self.columns.answer,
            "id_column": self.columns.id,
            "docs_column": self.columns.documents,
            "question_column": self.columns.question,
        }

    def unique(self) -> Iterator[Row]:
        """The rows, each with an id of its own: one that comes again gets "#2"."""
        again = set(self.hashes[1:][self.hashes[1:] == self.hashes[:-1]].tolist())
        seen: dict[str, int] = {}
        for row in rows_of(self.files, self.columns):
            if not again or _hash(row.id) not in again:
                yield row
                continue
            count = seen.get(row.id, 0) + 1
            name = row.id
            while count > 1 and self._taken(name := f"{row.id}#{count}"):
                count += 1
            seen[row.id] = count
            yield replace(row, id=name)

    def _taken(self, name: str) -> bool:
        wanted = np.uint64(_hash(name))
        at = int(np.searchsorted(self.hashes, wanted))
        return at < len(self.hashes) and bool(self.hashes[at] == wanted)


def looked_at(files: Sequence[Path], columns: Columns) -> Input:
    """The input, read once from end to end. Raises DocumentError when it cannot be, or is empty."""
    digests = tuple(digest_of(path) for path in files)
    hashes, first = array("Q"), None
    texts = unlisted = 0
    unread: dict[str, int] = {}
    for row in rows_of(files, columns):
        hashes.append(_hash(row.id))
        texts += row.text is not None
        unlisted += looks_listed(row.documents)
        if row.unread is not None:
            unread[row.unread] = unread.get(row.unread, 0) + 1
        first = first or row
    names = ", ".join(printable(str(path)) for path in files[:3])
    if first is None:
        raise BatchError(f"{names}: there is no row, so there is nothing to check")
    if not texts:
        raise BatchError(
            f"{names}: no row has an answer; of the first: {first.error}. Where another column "
            "holds the answers, name it with --answer-column"
        )
    found = np.sort(np.frombuffer(hashes, dtype=np.uint64))
    return Input(tuple(files), columns, digests, len(found), found, unread, unlisted)


@dataclass(frozen=True)
class Plan:
    """Which rows are in which part. fingerprint: all that the verdicts depend on."""

    input: Input
    rows_per_part: int
    fingerprint: Mapping[str, Any]
    out: Path
    form: str
    tables: tuple[str, ...]

    @property
    def parts(self) -> int:
        """How many there are."""
        return math.ceil(self.input.rows / self.rows_per_part)

    @property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the fingerprint."""
        return _digest(self.fingerprint)

    def size(self, part: int) -> int:
        """Rows of a part."""
        return min(self.rows_per_part, self.input.rows - part * self.rows_per_part)

    def path(self, table: str, part: int) -> Path:
        """The file of a part."""
        return self.out / table / part_name(part, self.digest, self.form)

    def done(self) -> set[int]:
        """The parts that are there; the table of answers is written last."""
        folder = self.out / "answers"
        there = {path.name for path in folder.iterdir()} if folder.is_dir() else set[str]()
        return {part for part in range(self.parts) if self.path("answers", part).name in there}

    def rows(self, wanted: Iterable[int]) -> Iterator[tuple[int, list[Row]]]:
        """Those parts with their rows, in order. Raises BatchError when the input has changed."""
        missing = set(wanted)
        held: list[Row] = []
        for row in self.input.unique() if missing else ():
            part = row.number // self.rows_per_part
            if part in missing:
                held.append(row)
                if len(held) == self.size(part):
                    missing.remove(part)
                    yield part, held
                    held = []
            if not missing:
                return
        if missing:
            raise BatchError("the answers have changed while they were checked; begin anew")


def parts_of(out: Path, held: Mapping[str, Any]) -> tuple[list[Path], int]:
    """The files of the table of answers that are there, in order, and how many rows are not.

    held: the fingerprint of the run. Raises ValueError, KeyError or TypeError for one that is none.
    """
    rows, each = int(held["input"]["rows"]), int(held["rows_per_part"])
    form, digest = str(held["settings"]["form"]), _digest(held)
    folder, there = out / "answers", dict[int, Path]()
    for path in folder.iterdir() if folder.is_dir() else ():
        found = _PART.match(path.name)
        if found is not None and path.name == part_name(int(found[1]), digest, form):
            there[int(found[1])] = path
    missing = rows - sum(min(each, rows - part * each) for part in there)
    if missing < 0 or any(part * each >= rows for part in there):
        raise ValueError(f"{rows} rows, {each} a part, and more than these")
    return [there[part] for part in sorted(there)], missing


def _digest(fingerprint_: Mapping[str, Any]) -> str:
    text = json.dumps(fingerprint_, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def rows_per_part(rows: int) -> int:
    """How many rows a part has unless told."""
    return max(_LEAST_ROWS, min(_MOST_ROWS, math.ceil(rows / _PARTS)))


def fingerprint(
    input_: Input, per_part: int, settings: Mapping[str, Any], engine: Mapping[str, Any]
) -> dict[str, Any]:
    """All that the verdicts of a run depend on, as plain values."""
    return {
        "schema": SCHEMA,
        "halgo": __version__,
        "input": input_.named(),
        "rows_per_part": per_part,
        "settings": dict(settings),
        "engine": dict(engine),
    }


# --- the manifest -------------------------------------------------------------------------------


def begun(out: Path) -> dict[str, Any] | None:
    """The fingerprint of the run that a folder holds; None for a new or empty folder.

    Raises BatchError for a folder that holds something else.
    """
    path = out / MANIFEST
    try:
        values = json.loads(disk.read(path, _LARGEST))
        held = values["fingerprint"]
        if not isinstance(held, dict):
            raise ValueError("its fingerprint is no table")
    except FileNotFoundError:
        if not out.exists():
            return None
        if not out.is_dir():
            raise BatchError(f"{printable(str(out))} is no folder; name one for --out") from None
        others = sorted(one.name for one in out.iterdir() if not one.name.startswith("."))
        if others:
            raise BatchError(
                f"{printable(str(out))} holds {printable(others[0])} and no {MANIFEST}, so it is "
                "no folder of a batch; name another for --out"
            ) from None
        return None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BatchError(
            f"{printable(str(path))} is no manifest of a batch ({error}); name another --out"
        ) from error
    return held


def agree(plan: Plan, share: str) -> None:
    """Writes the manifest of a new folder, or compares it. Raises BatchError where they differ.

    share: of the run, which `held` keeps for it alone.
    """
    text = json.dumps(
        {
            "halgo_batch": SCHEMA,
            "digest": plan.digest,
            "parts": plan.parts,
            "form": plan.form,
            "tables": list(plan.tables),
            "inputs": [path.name for path in plan.input.files],
            "fingerprint": plan.fingerprint,
        },
        indent=2,
    )
    draft = plan.out / f"{_DRAFT}{share}"
    with draft.open("wb") as stream:
        stream.write(f"{text}\n".encode())
        stream.flush()
        os.fsync(stream.fileno())
    if not _put(draft, plan.out / MANIFEST):
        compare(plan.out, begun(plan.out) or {}, plan.fingerprint)
    for table in plan.tables:
        _require_ours(plan, table)


def _put(draft: Path, target: Path) -> bool:
    """Gives a whole file its name; False where another process was quicker, whose file stays."""
    try:
        os.link(draft, target)  # unlike a renaming, it fails where something is there
    except FileExistsError:
        return False
    except OSError:  # a file system without such links
        if target.exists():
            return False
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return True


def compare(out: Path, held: Mapping[str, Any], mine: Mapping[str, Any]) -> None:
    """Raises BatchError that names what differs between a folder's run and this one."""
    differs = list(_differences(held, mine))
    if differs:
        listed = "\n  ".join(differs[:10])
        raise BatchError(
            f"{printable(str(out))} was begun otherwise, and one folder holds one kind of "
            f"verdicts:\n  {listed}\nGo on with what it was begun with, or name another --out"
        )


def _differences(held: Any, mine: Any, at: str = "") -> Iterator[str]:
    if isinstance(held, Mapping) and isinstance(mine, Mapping):
        for key in mine:
            yield from _differences(held.get(key), mine[key], f"{at}.{key}".lstrip("."))
    elif held != mine and at == "input.files":
        yield "the answers: they are other files now, or have changed"
    elif held != mine and at == "engine.index_digest":
        yield "the documents: they are others now, or have changed, or are read otherwise"
    elif held != mine:
        yield f"{at}: {shown(held)} there, {shown(mine)} now"


def _require_ours(plan: Plan, table: str) -> None:
    """Refuses parts of another run, which a reader of the folder would take for ours."""
    with contextlib.suppress(FileNotFoundError):
        for path in (plan.out / table).glob("part-*"):
            if plan.digest not in path.name:
                raise BatchError(
                    f"{printable(str(path))} is no part of this run ({plan.digest}); move it away"
                )


@contextmanager
def held(out: Path, share: str) -> Iterator[None]:
    """Keeps a second run of the same share out of the folder while the block runs.

    Raises BatchError when there is one. Where a file system has no locks two runs do the same work
    twice, and each part is still whole.
    """
    out.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (out / f".lock-{share}").open("ab") as stream:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BatchError(
                f"another run is at work in {printable(str(out))}; let it end, or divide the work: "
                "--shard 1/2 here, --shard 2/2 there"
            ) from None
        except OSError:  # a file system without locks
            pass
        # What a run that was killed has left.
        (out / f"{_DRAFT}{share}").unlink(missing_ok=True)
        shutil.rmtree(out / f"{DOCUMENTS}{share}", ignore_errors=True)
        yield


def _hash(name: str) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
