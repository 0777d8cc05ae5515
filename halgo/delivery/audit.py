"""Reports -> an append-only log with a line for each check, so that a decision can be explained.

A line says when, what was checked (as SHA-256), with which engine and settings, every claim's
verdict and where its evidence stands, what was decided and how long it took. It holds no text,
unless asked to. Clock time lives here: a report has none. The lines are chained
(`halgo.delivery.chain`), so that a later change to any of them is noticed.

A check's result is never lost because its line could not be written: the failure is a warning,
or an error raised after the result is at hand, which carries the report.
"""

from __future__ import annotations

import hashlib
import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from halgo.delivery import chain
from halgo.delivery.chain import ChainCheck, verify
from halgo.delivery.statistics import Figures, Statistics, statistics
from halgo.errors import AuditError
from halgo.report.report import Report
from halgo.report.sections import require_checker
from halgo.settings import shown
from halgo.types import Claim, ClaimResult

if TYPE_CHECKING:
    from halgo.checker import Checker

__all__ = [
    "AuditLog",
    "AuditWarning",
    "Audited",
    "ChainCheck",
    "Figures",
    "Statistics",
    "audited",
    "show",
    "statistics",
    "verify",
]

SCHEMA = 1
Tag = str | int | float | bool | None
OnError = Literal["warn", "raise"] | Callable[[AuditError], None]


class AuditWarning(UserWarning):
    """A line of an audit log could not be written."""


class AuditLog:
    """A file to which every check adds a line. Safe under threads and several processes.

    path: made when it is not there; its folder is not. texts: whether answers, claims and
    excerpts are written too. on_error: what happens when a line cannot be written: "warn" (an
    AuditWarning), "raise" (an AuditError), or a function that is given the AuditError. fsync:
    wait until the line is on the disk. clock: the time now, for tests.
    Raises ValueError for another on_error.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        texts: bool = False,
        on_error: OnError = "warn",
        fsync: bool = False,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        if on_error not in ("warn", "raise") and not callable(on_error):
            raise ValueError(f"on_error must be 'warn', 'raise' or a function, not {on_error!r}")
        self.path = Path(path)
        self.texts, self.on_error, self.fsync = texts, on_error, fsync
        self.lost = 0  # lines that could not be written
        self._clock = clock or _now

    def __repr__(self) -> str:
        kept = f"texts={self.texts}, on_error={shown(self.on_error)}, fsync={self.fsync}"
        return f"<AuditLog {shown(str(self.path))}, {kept}, lost={self.lost}>"

    def append(
        self,
        report: Report,
        decision: Any = None,
        latency_ms: float | None = None,
        **tags: Tag,
    ) -> str | None:
        """Adds a line about a check; returns its hash, None when it could not be written.

        decision: what the gate made of the report, or any object or mapping with `action` and,
        where it has them, `edits`. tags: plain values of the caller's: user, model, request id.
        Raises TypeError or ValueError for a tag or decision that cannot be written, TypeError for
        what is no report, and AuditError, with `.report`, under on_error="raise".
        """
        if not isinstance(report, Report):
            raise TypeError(f"a Report is needed, not {type(report).__name__}")
        record = self._record(report, decision, latency_ms, tags)
        try:
            return chain.append(self.path, record, fsync=self.fsync)
        except AuditError as error:
            error.report = report
            self._failed(error)
        except OSError as error:
            self._failed(
                AuditError(
                    f"the check is not in the audit log {self.path}: {error.strerror or error}. "
                    f"{_advice(error)} The report itself is whole.",
                    report=report,
                )
            )
        return None

    def _failed(self, error: AuditError) -> None:
        self.lost += 1
        if callable(self.on_error):
            self.on_error(error)
        elif self.on_error == "raise":
            raise error
        else:
            # The count makes each message another one: Python shows the same one only once.
            message = f"{error} (Lines lost by this log so far: {self.lost}.)"
            warnings.warn(message, AuditWarning, stacklevel=3)

    def _record(
        self, report: Report, decision: Any, latency_ms: float | None, tags: Mapping[str, Tag]
    ) -> dict[str, Any]:
        record: dict[str, Any] = {
            "schema": SCHEMA,
            "time": _utc(self._clock()).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "answer_sha256": _digest(report.answer),
            "index_digest": report.engine.index_digest,
            "engine": report.engine.to_dict(),
            "config": report.config.to_dict(),
            "state": report.state.value,
            "grounded": report.grounded,
            "confidence": _rounded(report.confidence),
            "counts": {verdict.value: count for verdict, count in report.counts.items()},
            "claims": [self._claim(result) for result in report.results],
            "skipped": [self._skipped(claim) for claim in report.skipped],
            "warnings": len(report.warnings),
            "decision": _decision(decision),
            "latency_ms": _latency(latency_ms),
            "tags": _tags(tags),
        }
        if self.texts:
            record["answer"] = report.answer
        return record

    def _claim(self, result: ClaimResult) -> dict[str, Any]:
        evidence = result.evidence
        row: dict[str, Any] = {
            "id": result.claim.id,
            "kind": result.claim.kind.value,
            "verdict": result.verdict.value,
            "reason": result.reason,
            "score": _rounded(result.score),
            "span": [result.claim.span.start, result.claim.span.end],
            "doc_id": evidence.chunk.doc_id if evidence else None,
            "evidence_span": [evidence.span.start, evidence.span.end] if evidence else None,
        }
        if self.texts:
            row["text"] = result.claim.text
            row["evidence"] = evidence.chunk.text if evidence else None
        return row

    def _skipped(self, claim: Claim) -> dict[str, Any]:
        row: dict[str, Any] = {"id": claim.id, "kind": claim.kind.value}
        if self.texts:
            row["text"] = claim.text
        return row


class Audited:
    """A Checker whose every check is logged, with the time it took. Made by `audited`."""

    def __init__(self, checker: Checker, log: AuditLog, tags: Mapping[str, Tag]) -> None:
        require_checker(checker, "check_many")
        if not isinstance(log, AuditLog):
            raise TypeError(f"an AuditLog is needed, not {type(log).__name__}: {log!r:.80}")
        self.checker, self.log = checker, log
        self.tags = _tags(tags)

    def __repr__(self) -> str:
        return f"<Audited {self.checker!r}, log={self.log!r}, tags={shown(list(self.tags))}>"

    def check(self, answer: str, question: str | None = None, **tags: Tag) -> Report:
        """`Checker.check`, logged. Raises AuditError, with `.report`, if the log is to raise.

        The log holds no question; with texts, a claim may hold words of it.
        """
        start = time.perf_counter()
        report = self.checker.check(answer, question)
        self._append(report, start, tags)
        return report

    async def acheck(self, answer: str, question: str | None = None, **tags: Tag) -> Report:
        """`Checker.acheck`, logged; the line is written in a worker thread too."""
        import asyncio

        return await asyncio.to_thread(self.check, answer, question, **tags)

    def check_many(
        self,
        answers: Sequence[str],
        questions: Sequence[str | None] | None = None,
        **tags: Tag,
    ) -> list[Report]:
        """`Checker.check_many`, a line for each; the latency of each is its share of the whole.

        Under on_error="raise" the error comes when all is done, with the first report that has
        no line.
        """
        start = time.perf_counter()
        reports = self.checker.check_many(answers, questions)
        elapsed_ms = (time.perf_counter() - start) * 1000 / max(len(reports), 1)
        failed: AuditError | None = None
        for report in reports:
            try:
                self.log.append(report, None, elapsed_ms, **{**self.tags, **tags})
            except AuditError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return reports

    def _append(self, report: Report, start: float, tags: Mapping[str, Tag]) -> None:
        elapsed_ms = (time.perf_counter() - start) * 1000
        self.log.append(report, None, elapsed_ms, **{**self.tags, **tags})


def audited(checker: Checker, log: AuditLog, **tags: Tag) -> Audited:
    """A Checker with a log: `check`, `acheck` and `check_many` add a line and return the report.

    tags go into every line. Raises TypeError for a tag that is no plain value, and for what is no
    Checker or log. What needs more of a Checker takes its `.checker`.
    """
    return Audited(checker, log, tags)


def show(path: str | Path, which: int | str) -> dict[str, Any]:
    """One record of a log: by its line, from 1, or from the end with -1; or by its hash.

    A hash may be cut short, to at least 6 characters. Raises AuditError when there is no such
    file or line, when it is damaged, or when several hashes begin so; TypeError for what is
    neither a line nor a hash.
    """
    if isinstance(which, int):
        return _by_line(Path(path), which)
    if not isinstance(which, str):
        raise TypeError(
            f"a record is named by its line or its hash, not {type(which).__name__}: {which!r:.80}"
        )
    wanted = which.strip().lower()
    if len(wanted) < 6 or set(wanted) - set("0123456789abcdef"):
        raise AuditError(f"{which!r} is no hash: 6 to 64 of the characters 0-9 and a-f")
    found = [
        record
        for _, record in chain.records(path)
        if record is not None and str(record.get("hash", "")).startswith(wanted)
    ]
    if len(found) != 1:
        many = f"{len(found)} records have a hash that begins so" if found else "no record has it"
        raise AuditError(f"{path}: {wanted}: {many}")
    return found[0]


def _by_line(path: Path, which: int) -> dict[str, Any]:
    count, wanted = 0, which
    if which < 0:
        wanted += sum(1 for _ in chain.records(path)) + 1
    for number, record in chain.records(path):
        count = number
        if number == wanted:
            if record is None:
                raise AuditError(f"{path}: line {number} is damaged or incomplete", line=number)
            return record
    raise AuditError(f"{path}: there is no line {which}; there are {count}", line=which)


def _now() -> datetime:
    return datetime.now(UTC)


def _utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone is taken to be UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 4)


def _latency(latency_ms: float | None) -> float | None:
    if latency_ms is None:
        return None
    if not math.isfinite(latency_ms) or latency_ms < 0:
        raise ValueError(f"latency_ms must be 0 or more, not {latency_ms!r}")
    return round(float(latency_ms), 3)


def _tags(tags: Mapping[str, Tag]) -> dict[str, Tag]:
    for name, value in tags.items():
        if value is not None and not isinstance(value, (str, int, float, bool)):
            raise TypeError(
                f"tag {name!r} must be a string, number, bool or None, not {type(value).__name__}"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"tag {name!r} must be a finite number, not {value!r}")
    return dict(tags)


def _decision(decision: Any) -> dict[str, Any] | None:
    """What is kept of a decision: its action, the policy's name, where it edited; no text."""
    if decision is None:
        return None
    action = _part(decision, "action")
    if action is None:
        raise TypeError(f"a decision has an action; {type(decision).__name__} has none")
    policy = _part(decision, "policy")
    name = policy if isinstance(policy, str) else _part(policy, "name")
    edits = _part(decision, "edits") or ()
    return {
        "action": str(action),
        "policy": None if name is None else str(name),
        "edits": [_edit(edit) for edit in edits],
    }


def _edit(edit: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    action, span, claim = _part(edit, "action"), _part(edit, "span"), _part(edit, "claim_id")
    if action is not None:
        found["action"] = str(action)
    if span is not None:
        start, end = (span.start, span.end) if hasattr(span, "start") else span
        found["span"] = [int(start), int(end)]
    if isinstance(claim, int):
        found["claim_id"] = claim
    return found


def _part(given: Any, name: str) -> Any:
    if isinstance(given, Mapping):
        return given.get(name)
    return getattr(given, name, None)


def _advice(error: OSError) -> str:
    """What may be done about it."""
    if isinstance(error, PermissionError):
        return "Give this user the right to read and write the file."
    if isinstance(error, FileNotFoundError):
        return "Make its folder first."
    if isinstance(error, (IsADirectoryError, NotADirectoryError)):
        return "Name a file in a folder that is there."
    if isinstance(error, TimeoutError):
        return "Look for a process that holds the file."
    return "Make room on the disk, or name a file on another."
