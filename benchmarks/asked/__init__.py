"""Short answers to questions -> how many true ones are SUPPORTED and false ones are not.

"30 days.", "No.", "The finance team.", "It costs €49.": answers that say nothing without their
question. Each is judged with it and without it; an answer is SUPPORTED when it has claims and all
of them are. The documents are those of `everyday`. Questions and answers are ours, written by a
language model that had not seen halgo's rules. Misses of the part "seen" may be looked at, those of
"unseen" not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from benchmarks import answers, everyday, runs
from benchmarks.answers import PARTS, Claimed, Judged
from halgo.config import Config
from halgo.types import Document, Verdict

FOLDER = Path(__file__).parent
SCHEMA = 1
ALONE = "{}, without its question"


class ChecksAnswers(Protocol):
    """What of a Checker is needed here."""

    def check(self, answer: str, question: str | None = None) -> Any: ...


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks asked", description=__doc__)
    parser.add_argument("--part", choices=PARTS, help="judge the answers of this part only")
    parser.add_argument(
        "--show",
        action="store_true",
        help="list the answers judged wrong; those of the part 'unseen' only with --part unseen",
    )
    parser.add_argument("--out", type=Path, help="JSON file (default: in benchmarks/results)")
    options = parser.parse_args(argv)
    from halgo import Checker, Halgorithm

    parts = (options.part,) if options.part else PARTS
    halgorithm = Halgorithm(Config())
    rows, documents = load()
    judged = run(
        [row for row in rows if row[0].part in parts],
        documents,
        lambda document: Checker.from_docs(document, halgorithm=halgorithm),
    )
    named = [name for part in parts for name in (part, ALONE.format(part))]
    result = {
        "schema": SCHEMA,
        **runs.origin("asked", argv),
        "settings": halgorithm.config.to_dict(),
        "parts": everyday.summary(judged, named),
    }
    everyday.print_parts(result["parts"])
    if options.show:
        answers.print_misses(everyday.shown(judged, options.part))
    runs.write(result, options.out or (None if options.part else runs.RESULTS / "asked.json"))
    return 0


def load(folder: Path = FOLDER) -> tuple[list[tuple[Claimed, str]], dict[str, Document]]:
    """The answers in the order of the file, each with its question, and the documents by name."""
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    found = []
    for row in map(json.loads, lines):
        question, answer = row.pop("question"), row.pop("answer")
        found.append((Claimed(**row, claim=answer), question))
    return found, everyday.load()[1]


def run(
    rows: Sequence[tuple[Claimed, str]],
    documents: Mapping[str, Document],
    checker_for: Callable[[Document], ChecksAnswers],
) -> list[Judged]:
    """Every answer judged with its question, then without it; one checker per document."""
    checkers: dict[str, ChecksAnswers] = {}
    found = []
    for claimed, question in rows:
        if claimed.doc not in checkers:
            checkers[claimed.doc] = checker_for(documents[claimed.doc])
        checker = checkers[claimed.doc]
        shown = replace(claimed, claim=f"{question} {claimed.claim}")
        found.append(_judged(shown, checker.check(claimed.claim, question)))
        alone = replace(claimed, part=ALONE.format(claimed.part))
        found.append(_judged(alone, checker.check(claimed.claim)))
    return found


def _judged(claimed: Claimed, report: Any) -> Judged:
    """What was said of the answer's worst claim; of an answer without claims "NO_CLAIMS"."""
    wrong = [one for one in report.results if one.verdict != Verdict.SUPPORTED]
    worst = min(wrong or report.results, key=lambda one: one.score, default=None)
    if worst is None:
        return Judged(claimed, "NO_CLAIMS", "no_claims", 0.0)
    return Judged(claimed, str(worst.verdict.value), worst.reason, float(worst.score))
