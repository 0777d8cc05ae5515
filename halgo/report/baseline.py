"""Findings that were known before -> which of a report's are new; the file that keeps the known.

A finding is known again by the file of its answer (and the id that a JSON line gives it) and by the
words of its claim: not by lines, numbers or what else the answer says. As many are known as were
there, and one with a worse verdict than then is new. The file holds digests, never a text.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import ConfigError
from halgo.printable import printable
from halgo.report.located import UNASSESSED, Located
from halgo.types import Claim, State, Verdict

SCHEMA = 1
STDIN = "-"
_LARGEST_BYTES = 50_000_000
_ABOUT = "findings that halgo check --baseline takes as known; --write-baseline makes this file"
# By how bad a finding is. An answer of which nothing was assessed has its state for a verdict; that
# there are no sources is the fault of the check, and never known.
_RANKS = {
    State.REFUSAL.value: 0,
    State.NO_CLAIMS.value: 0,
    State.EMPTY.value: 1,
    Verdict.WEAK_SUPPORT.value: 2,
    Verdict.HALLUCINATION.value: 3,
    Verdict.CONTRADICTION.value: 4,
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A claim that is not supported, or an answer of which nothing was assessed.

    path: of the answer's file, absolute, or STDIN. answer: the id of a JSON line's own, else "".
    claim: a digest of its words, "" of what was not assessed. verdict: a key of `_RANKS`.
    """

    path: str
    answer: str
    claim: str
    verdict: str


class Baseline:
    """The findings known before, and those of the reports that are held against them, in order.

    known: None takes every finding as known, to make a first baseline.
    """

    def __init__(self, known: Iterable[Finding] | None) -> None:
        self.found: list[Finding] = []
        self.new = 0
        self._all = known is None
        self._left: dict[tuple[str, str, str], list[Finding]] = {}
        for one in sorted(known or (), key=_rank):
            self._left.setdefault(_key(one), []).append(one)
        self._checked: set[str] = set()
        self._unread: set[str] = set()

    def mark(self, located: Located) -> Located:
        """The report with its known findings marked; each is known for one finding only."""
        path = _place(located.path)
        without = located.report.state is State.NO_SOURCES
        (self._unread if without else self._checked).add(path)
        numbered = _findings(located, path)
        # The milder first, so that a claim that stands twice leaves the worse one for the worse.
        known = [number for number, one in sorted(numbered, key=_mildest) if self._take(one)]
        self.found += [one for _, one in numbered]
        self.new += len(numbered) - len(known)
        return replace(located, known=frozenset(known))

    def unread(self, path: str) -> None:
        """An answer that could not be read: what is known of its file is not gone."""
        self._unread.add(_place(path))

    @property
    def gone(self) -> list[Finding]:
        """What is known and was not found again, of answers that were checked or are no more."""
        return [one for one in self._rest() if self._is_gone(one)]

    @property
    def kept(self) -> list[Finding]:
        """What is known of answers that this check was not about."""
        return [one for one in self._rest() if not self._is_gone(one)]

    def _take(self, found: Finding) -> bool:
        """Whether a finding is known; what it is known by is used up, and so is a milder one."""
        left = self._left.get(_key(found), [])
        as_bad = [one for one in left if _rank(one) >= _rank(found)]
        for one in (as_bad or left)[:1]:
            left.remove(one)
        return self._all or bool(as_bad)

    def _rest(self) -> list[Finding]:
        return [one for left in self._left.values() for one in left]

    def _is_gone(self, one: Finding) -> bool:
        if one.path in self._unread:
            return False
        return one.path in self._checked or not (one.path == STDIN or os.path.lexists(one.path))


def load(path: str | Path) -> list[Finding]:
    """The findings in a file that `to_json` made. Raises ConfigError for any other file."""
    shown = printable(str(path))
    anew = f"make it anew (halgo check ... --write-baseline {shown})"
    try:
        values = json.loads(disk.read(path, _LARGEST_BYTES).decode("utf-8-sig"))
    except OSError as error:
        why = error.strerror or error
        raise ConfigError(f"cannot read the baseline {shown}: {why}; {anew}") from error
    except (ValueError, RecursionError) as error:
        why = printable(str(error))
        raise ConfigError(f"{shown} is not a baseline of halgo check: {why}; {anew}") from error
    findings = values.get("findings") if isinstance(values, dict) else None
    if not isinstance(findings, list):
        raise ConfigError(f"{shown} is not a baseline of halgo check: it has no findings; {anew}")
    if values.get("schema") != SCHEMA:
        raise ConfigError(
            f"{shown} is a baseline of a newer halgo: schema is {values.get('schema')!r:.60}, "
            f"here it is {SCHEMA}; {anew}"
        )
    folder = _folder(path)
    try:
        return [_finding(one, folder) for one in findings]
    except (KeyError, TypeError, ValueError) as error:
        why = printable(repr(error))
        raise ConfigError(f"{shown} is a damaged baseline: {why}; {anew}") from error


def to_json(findings: Iterable[Finding], path: str | Path) -> str:
    """A baseline for the file `path`: a line a finding, sorted, so that a diff shows what changed.

    Answers are named from that file's folder, so that both can be moved together.
    """
    folder = _folder(path)
    lines = sorted(
        (_relative(one.path, folder), one.answer, one.verdict, one.claim) for one in findings
    )
    rows = []
    for file, answer, verdict, claim in lines:
        values = {"file": file, "answer": answer, "verdict": verdict, "claim": claim}
        rows.append(f"    {json.dumps({name: said for name, said in values.items() if said})}")
    head = json.dumps({"schema": SCHEMA, "about": _ABOUT}, indent=2).removesuffix("\n}")
    body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
    return f'{head},\n  "findings": {body}\n}}\n'


def _findings(located: Located, path: str) -> list[tuple[int, Finding]]:
    """What is wrong with an answer, each with the number of its claim."""
    report, answer = located.report, located.own_id
    if report.state is not State.ASSESSED:
        state = report.state.value
        return [(UNASSESSED, Finding(path, answer, "", state))] if state in _RANKS else []
    return [
        (result.claim.id, Finding(path, answer, _digest(result.claim), result.verdict.value))
        for result in report
        if result.verdict is not Verdict.SUPPORTED
    ]


def _digest(claim: Claim) -> str:
    """Of its own words: what "It" stands for hangs on the sentences before."""
    words = "\0".join(" ".join(text.split()) for text in (claim.case, claim.text))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _finding(given: Any, folder: str) -> Finding:
    file, answer = given["file"], given.get("answer", "")
    claim, verdict = given.get("claim", ""), given["verdict"]
    if not all(isinstance(one, str) for one in (file, answer, claim)):
        raise ValueError(f"no texts: {given!r:.80}")
    if verdict not in _RANKS:
        raise ValueError(f"no verdict: {verdict!r:.80}")
    path = file if file == STDIN else os.path.normpath(Path(folder, file))
    return Finding(path, answer, claim, verdict)


def _key(one: Finding) -> tuple[str, str, str]:
    return one.path, one.answer, one.claim


def _rank(one: Finding) -> int:
    return _RANKS[one.verdict]


def _mildest(numbered: tuple[int, Finding]) -> tuple[int, int]:
    return _rank(numbered[1]), numbered[0]


def _place(path: str) -> str:
    """The file's path, whatever it was called by; a link is a file of its own."""
    return path if path == STDIN else str(Path(_folder(path), Path(path).name))


def _folder(path: str | Path) -> str:
    return os.path.realpath(Path(path).parent)


def _relative(path: str, folder: str) -> str:
    if path == STDIN:
        return path
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return Path(path).as_posix()
