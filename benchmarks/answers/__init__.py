"""Claims as an answer would put them -> how many true ones are SUPPORTED and false ones are not.

Of a policy, a leaflet, minutes: true claims in other words than the document's, and false ones in
nearly its own, of two things exchanged, a condition dropped, another thing's number. Word overlap
is worse than chance here. Documents and claims are ours, written by a language model and read
again. "Seen" are those by whose misses rules were found, "unseen" those written afterwards.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks import metrics, runs
from benchmarks.pairs import ChecksClaims
from benchmarks.provenance import provenance
from halgo.config import Config
from halgo.types import Verdict

FOLDER = Path(__file__).parent
OUT = runs.RESULTS / "answers.json"
SCHEMA = 1
PARTS = ("seen", "unseen")

Read = TypeVar("Read")  # a document as `checker_for` takes it


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim about the document `doc`, whether it is true, and what kind of claim it is."""

    doc: str
    part: str
    true: bool
    kind: str
    claim: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what the checker said of it."""

    claimed: Claimed
    verdict: str
    reason: str
    score: float

    @property
    def right(self) -> bool:
        """Whether a true claim was SUPPORTED, or a false one anything else."""
        return (self.verdict == Verdict.SUPPORTED) == self.claimed.true


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks answers", description=__doc__)
    parser.add_argument("--show", action="store_true", help="list the claims judged wrong")
    parser.add_argument(
        "--out", type=Path, default=OUT, help="JSON file (default: benchmarks/results/answers.json)"
    )
    options = parser.parse_args(argv)
    from halgo import Checker, Halgorithm

    halgorithm = Halgorithm(Config())
    claims, documents = load()
    judged = run(claims, documents, lambda text: Checker.from_docs(text, halgorithm=halgorithm))
    result = {
        "schema": SCHEMA,
        **provenance("answers"),
        "settings": halgorithm.config.to_dict(),
        "parts": summary(judged),
    }
    _print(result["parts"])
    if options.show:
        print_misses(judged)
    runs.write(result, options.out)
    return 0


def load(folder: Path = FOLDER) -> tuple[list[Claimed], dict[str, str]]:
    """The claims in the order of the file, and the text of every document by its name."""
    lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    texts = sorted((folder / "documents").glob("*.md"))
    documents = {path.stem: path.read_text(encoding="utf-8") for path in texts}
    return [Claimed(**json.loads(line)) for line in lines], documents


def run(
    claims: Sequence[Claimed],
    documents: Mapping[str, Read],
    checker_for: Callable[[Read], ChecksClaims],
) -> list[Judged]:
    """Every claim judged on its own, in order; one checker per document."""
    checkers: dict[str, ChecksClaims] = {}
    found = []
    for claimed in claims:
        if claimed.doc not in checkers:
            checkers[claimed.doc] = checker_for(documents[claimed.doc])
        (result,) = checkers[claimed.doc].check_claims([claimed.claim]).results
        score = float(result.score)
        found.append(Judged(claimed, str(result.verdict.value), result.reason, score))
    return found


def summary(judged: Sequence[Judged], parts: Sequence[str] = PARTS) -> dict[str, Any]:
    """Part -> {"documents", "claims", "true", "false"}: counts, and shares that are right.

    A share is [value, low, high], with its 95 % interval over whole documents.
    """
    found = {}
    for part in parts:
        mine = [one for one in judged if one.claimed.part == part]
        figures: dict[str, Any] = {
            "documents": len({one.claimed.doc for one in mine}),
            "claims": len(mine),
        }
        for name, true in (("true", True), ("false", False)):
            some = [one for one in mine if one.claimed.true == true]
            figure = metrics.share([o.right for o in some], [o.claimed.doc for o in some])
            figures[name] = [round(x, 4) for x in (figure.value, figure.low, figure.high)]
        found[part] = figures
    return found


def _print(parts: Mapping[str, Any]) -> None:
    print(f"{'part':8}{'documents':>11}{'claims':>8}{'true SUPPORTED':>18}{'false not':>14}")
    for part, found in parts.items():
        shares = [f"{100 * found[name][0]:.1f} %" for name in ("true", "false")]
        print(f"{part:8}{found['documents']:>11}{found['claims']:>8}{shares[0]:>18}{shares[1]:>14}")


def print_misses(judged: Sequence[Judged]) -> None:
    """Prints a line for every claim judged wrong."""
    for one in judged:
        if not one.right:
            said = f"{one.verdict} ({one.reason}, {one.score:.2f})"
            claimed = one.claimed
            print(f"{claimed.doc:25}{claimed.true!s:6}{said:44}{claimed.kind}: {claimed.claim}")
