"""Files of answers -> a folder of verdicts: looked at, divided into parts, worked off, resumed.

    manifest.json                          input, settings and engine; refuses to mix others
    answers/part-000000-<digest>.parquet   a row an answer, in the order of the input
    claims/part-000000-<digest>.parquet    on demand: a row a claim

A part that is there is done, so a run that was killed goes on where it was by the same call, and
several runs share the work by `shard`. The same input gives the same files, byte for byte.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from halgo.bulk import run_plan
from halgo.bulk.answer_rows import PARQUET as PARQUET_ENDINGS
from halgo.bulk.answer_rows import Columns, arrow, files_of
from halgo.bulk.part_files import FORMS, JSONL, PARQUET
from halgo.bulk.part_worker import task_of
from halgo.bulk.row_checker import LONGEST
from halgo.bulk.run_plan import Plan
from halgo.bulk.worker_pool import Child, Message, Worker, work_off
from halgo.config import Config
from halgo.errors import BatchError
from halgo.process import processors

OnMessage = Callable[[Message], None]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What is to be checked, against what, and how.

    answers: files and folders. Against: `docs` (files and folders), an `index`, or what each row
    has in the column `columns.documents`; one of the three. out: the folder of the verdicts. form:
    "parquet", "jsonl", or that of the first file of answers. report: whether each row holds its
    report. claims: whether the table of claims is written. rows: of a part; longest: characters of
    an answer. shard: (i, n), i from 1: this run takes the i-th of n shares. jobs: processes; 0: as
    many as this one may use processors. threads: of each, for embedding; 0: its share of them.
    """

    answers: Sequence[str | Path]
    out: str | Path
    docs: Sequence[str | Path] = ()
    index: str | Path | None = None
    columns: Columns = field(default_factory=Columns)
    config: Config = field(default_factory=Config)
    embedder: str = "minilm"
    entailment: str | None = "default"
    form: str | None = None
    report: bool = True
    claims: bool = False
    rows: int | None = None
    longest: int = LONGEST
    shard: tuple[int, int] = (1, 1)
    jobs: int = 0
    threads: int = 0

    def __post_init__(self) -> None:
        ways = bool(self.docs) + (self.index is not None) + (self.columns.documents is not None)
        if ways != 1:
            raise ValueError("give one of docs, index and the column of the documents")
        if self.form is not None and self.form not in FORMS:
            raise ValueError(f"form must be {' or '.join(FORMS)}, not {self.form!r}")
        number, of = self.shard
        if not 1 <= number <= of:
            raise ValueError(f"shard must be (i, n) with i from 1 to n, not {self.shard!r}")
        for name, least in (("longest", 1), ("jobs", 0), ("threads", 0), ("rows", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name} must be {least} or more, not {value}")

    @property
    def share(self) -> str:
        """Its share in the names of files: "3-of-16"."""
        return "{}-of-{}".format(*self.shard)


@dataclass
class Outcome:
    """What came of a run. counts: of the rows that it checked; missing: parts that it gave up.

    processor_s: seconds of processor time that its processes worked on rows, models loaded.
    """

    out: Path
    rows: int  # of this run's share
    parts: int
    rows_before: int = 0  # that earlier runs had checked
    counts: dict[str, int] = field(default_factory=dict)
    processor_s: float = 0.0
    missing: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def run(
    batch: Batch, hear: OnMessage | None = None, start: Callable[[], Worker] | None = None
) -> Outcome:
    """Checks what is not checked yet of the batch's share.

    hear: is told how it goes: {"rows": n, "before": n} of the share and of what is done, then
    {"stage": text}, {"reading": Progress} of documents, {"ready": engine}, {"checked": rows},
    {"done": part, "counts": {...}, "processor_s": s} and {"lost": part, ...}. start: what makes a
    process, for tests.
    Raises BatchError, DocumentError, OSError for a disk that is full, and what models raise.
    """
    hear = hear or (lambda message: None)
    out = Path(batch.out)
    files = files_of(batch.answers)
    form = batch.form or (PARQUET if files[0].suffix.lower() in PARQUET_ENDINGS else JSONL)
    if form == PARQUET:
        arrow()  # a package that is missing is told before the work
    number, of = batch.shard
    hear({"stage": "Reading the answers"})
    plan = _plan(batch, files, form)
    with run_plan.held(out, batch.share):
        held = run_plan.begun(out)
        if held is not None:
            known = {key: value for key, value in plan.fingerprint.items() if key != "engine"}
            run_plan.compare(out, held, known)
            plan = replace(plan, fingerprint={**plan.fingerprint, "engine": held["engine"]})
        mine = [part for part in range(plan.parts) if part % of == number - 1]
        done = plan.done()
        wanted = [part for part in mine if part not in done]
        rows = sum(plan.size(part) for part in mine)
        outcome = Outcome(out, rows, len(mine), warnings=plan.input.warnings)
        outcome.rows_before = rows - sum(plan.size(part) for part in wanted)
        hear({"rows": rows, "before": outcome.rows_before})
        if mine:  # also when all are done: only a process knows its engine and what it reads
            _work(batch, plan, wanted, outcome, hear, start)
        return outcome


def _plan(batch: Batch, files: Sequence[Path], form: str) -> Plan:
    found = run_plan.looked_at(files, batch.columns)
    per_part = batch.rows or run_plan.rows_per_part(found.rows)
    tables = ("claims", "answers") if batch.claims else ("answers",)
    settings = {
        "config": batch.config.to_dict(),
        "longest": batch.longest,
        "form": form,
        "tables": list(tables),
        "report": batch.report,
    }
    made = run_plan.fingerprint(found, per_part, settings, {})
    return Plan(found, per_part, made, Path(batch.out), form, tables)


def _work(
    batch: Batch,
    plan: Plan,
    wanted: Sequence[int],
    outcome: Outcome,
    hear: OnMessage,
    start: Callable[[], Worker] | None,
) -> None:
    jobs = max(1, min(batch.jobs or processors(), len(wanted)))
    threads = batch.threads or max(1, processors() // jobs)
    saved = plan.out / f"{run_plan.DOCUMENTS}{batch.share}"
    agreed: Plan | None = None

    def heard(message: Message) -> None:
        nonlocal agreed
        if "ready" in message:
            mine = replace(plan, fingerprint={**plan.fingerprint, "engine": message["ready"]})
            if agreed is None:
                run_plan.agree(mine, batch.share)
                agreed = mine
            elif agreed.fingerprint != mine.fingerprint:
                raise BatchError("two processes of one run have different engines")
        for name, count in message.get("counts", {}).items():
            outcome.counts[name] = outcome.counts.get(name, 0) + count
        outcome.processor_s += message.get("processor_s", 0.0)
        hear(message)

    def tasks() -> Iterator[dict[str, Any]]:
        assert agreed is not None  # no task is asked for before a worker is ready
        for part, rows in agreed.rows(wanted):
            paths = {table: agreed.path(table, part) for table in agreed.tables}
            yield task_of(part, rows, paths)

    try:
        index = batch.index
        if batch.docs:
            hear({"stage": "Reading the documents"})
            outcome.warnings += _index(batch, saved, jobs, hear)
            index = saved
        hear({"stage": "Loading the models"})
        settings = {
            "config": batch.config.to_dict(),
            "embedder": batch.embedder,
            "entailment": batch.entailment,
            "index": None if index is None else str(index),
            "longest": batch.longest,
            "report": batch.report,
        }
        lost = work_off(tasks(), settings, jobs, start or (lambda: Child(threads)), heard)
        outcome.missing = tuple(lost)
    finally:
        shutil.rmtree(saved, ignore_errors=True)


def _index(batch: Batch, folder: Path, jobs: int, hear: OnMessage) -> tuple[str, ...]:
    """Reads the documents once, for all processes, which map its pages; warnings about them."""
    from halgo.halgorithm import Halgorithm
    from halgo.indexes import open_index

    halgorithm = Halgorithm(batch.config, embedder=batch.embedder, entailment=None)
    index = open_index(folder, create=True, halgorithm=halgorithm)
    paths = list(batch.docs)
    return index.put_files(paths, progress=lambda now: hear({"reading": now}), jobs=jobs).warnings


def is_index(path: str | Path) -> bool:
    """Whether a path is that of an index, a file or a folder, and not of documents."""
    from halgo.store.manifest import is_folder_index

    # Documents may have an index.json among them; ours has its segments beside it.
    in_folder = is_folder_index(path) and any(Path(path).glob("*.segment"))
    return in_folder or Path(path).suffix == ".halgo"
