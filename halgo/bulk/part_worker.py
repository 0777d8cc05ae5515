"""What a process of a batch does: takes parts on stdin, checks their rows, writes their files.

It speaks JSON, a line a message. It is told its settings first, loads the models once, and says
which engine it is; then it is given one part after the other. It ends when nobody listens any more,
so that a killed run leaves no process behind.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import IO, Any

from halgo import process
from halgo.bulk.answer_rows import Row
from halgo.bulk.part_files import write_part
from halgo.bulk.row_checker import RowChecker
from halgo.bulk.verdict_rows import ANSWERS, CLAIMS, answer_row, claim_rows
from halgo.workers import told as error_told


def main() -> None:
    """Serves stdin and stdout. What libraries print goes to stderr: stdout is for messages."""
    process.take_over()
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(asked, told)
    except BrokenPipeError:  # nobody listens any more
        os._exit(1)


def serve(asked: IO[bytes], told: IO[bytes]) -> None:
    """Answers the messages of a stream until it ends; an error is the last thing that is told."""

    def tell(**values: Any) -> None:
        told.write(json.dumps(values).encode("ascii") + b"\n")
        told.flush()

    try:
        settings = json.loads(asked.readline())
        checker = _checker(settings)
        tell(ready=_engine(checker))
        for line in asked:
            task = json.loads(line)
            before = time.process_time()
            counts = _part(task, checker, settings["report"], lambda rows: tell(checked=rows))
            tell(done=task["part"], counts=counts, processor_s=time.process_time() - before)
    except BrokenPipeError:
        raise
    except BaseException as error:
        tell(failed=error_told(error))


def task_of(part: int, rows: Sequence[Row], paths: Mapping[str, Path]) -> dict[str, Any]:
    """A part as it is handed to a process. paths: table -> the file to write."""
    return {
        "part": part,
        "rows": [astuple(row) for row in rows],
        "paths": {table: str(path) for table, path in paths.items()},
    }


def _checker(settings: Mapping[str, Any]) -> RowChecker:
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm

    halgorithm = Halgorithm(
        Config.from_dict(settings["config"]),
        embedder=settings["embedder"],
        entailment=settings["entailment"],
    )
    checker = None
    if settings["index"] is not None:
        checker = Checker.from_index(settings["index"], halgorithm=halgorithm)
    return RowChecker(halgorithm, checker, longest=settings["longest"])


def _engine(checker: RowChecker) -> dict[str, Any]:
    """The engine of the reports to come; loads the models."""
    inner = checker.checker or checker.halgorithm.checker("The pump was sold in May 2020.")
    inner.check("The pump was sold in May 2021.")
    engine = inner.check("").engine.to_dict()
    if checker.checker is None:
        engine["index_digest"] = None  # each row has an index of its own
    return engine


def _part(task: Mapping[str, Any], checker: RowChecker, report: bool, heard: Any) -> dict[str, int]:
    """Checks the rows of a part and writes its files; the counts of its states and errors."""
    answers: list[dict[str, Any]] = []
    claims: list[dict[str, Any]] = []
    paths = task["paths"]
    for found in checker([Row(*values) for values in task["rows"]]):
        for row, outcome in found:
            answers.append(answer_row(row, outcome, report=report))
            if "claims" in paths:
                claims += claim_rows(row, outcome)
        heard(len(found))
    if "claims" in paths:
        write_part(Path(paths["claims"]), claims, CLAIMS)
    # Last, since a part counts as done when this is there.
    write_part(Path(paths["answers"]), answers, ANSWERS)
    return counts_of(answers)


def counts_of(answers: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many rows are grounded, not grounded, not assessed, and errors."""
    grounded = [row["grounded"] for row in answers if row["error"] is None]
    return {
        "grounded": grounded.count(True),
        "not grounded": grounded.count(False),
        "not assessed": grounded.count(None),
        "with an error": len(answers) - len(grounded),
    }
