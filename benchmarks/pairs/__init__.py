"""Minimal pairs -> how often halgo is right about both twins, kind by kind.

A pair is one claim written twice over the same document, once true and once false, as alike as
can be (contrast sets, Gardner et al. 2020). A checker that always says yes, or that only counts
shared words, gets one twin of every pair right and both of none. Documents and pairs are ours.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks import metrics, runs
from benchmarks.provenance import provenance, say
from halgo.config import Config
from halgo.types import Verdict

FOLDER = Path(__file__).parent
OUT = runs.RESULTS / "pairs.json"
SCHEMA = 1
COUNTS = ("both", "true", "false", "ranked")


@dataclass(frozen=True, slots=True)
class Pair:
    """The same claim twice about the document `doc`: `true` by it, and `false`."""

    id: str
    doc: str
    kind: str
    true: str
    false: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the checker said about one twin."""

    verdict: str
    reason: str
    score: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pair with the answer to each twin."""

    pair: Pair
    to_true: Answer
    to_false: Answer

    @property
    def true(self) -> bool:
        """Whether the true twin was SUPPORTED."""
        return self.to_true.verdict == Verdict.SUPPORTED

    @property
    def false(self) -> bool:
        """Whether the false twin was anything but SUPPORTED."""
        return self.to_false.verdict != Verdict.SUPPORTED

    @property
    def both(self) -> bool:
        """Whether both twins were judged right."""
        return self.true and self.false

    @property
    def ranked(self) -> bool:
        """Whether the true twin scored above the false one, wherever the thresholds are."""
        return self.to_true.score > self.to_false.score


class ChecksClaims(Protocol):
    """What of a Checker is needed here."""

    def check_claims(self, claims: Sequence[str]) -> Any: ...


def main(argv: Sequence[str]) -> int:
    """The exit code: 2 for a kind that there is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks pairs", description=__doc__)
    parser.add_argument("--kinds", help="comma-separated; every kind when left out")
    parser.add_argument("--show", action="store_true", help="list the twins judged wrong")
    parser.add_argument(
        "--out", type=Path, help="JSON file (default: benchmarks/results/pairs.json for all kinds)"
    )
    options = parser.parse_args(argv)
    pairs, documents = load()
    if options.kinds:
        wanted = options.kinds.split(",")
        unknown = sorted(set(wanted) - {pair.kind for pair in pairs})
        if unknown:
            kinds = ", ".join(dict.fromkeys(pair.kind for pair in pairs))
            say(f"unknown kind {unknown[0]!r}; there are {kinds}")
            return 2
        pairs = [pair for pair in pairs if pair.kind in wanted]

    from halgo import Checker, Halgorithm

    halgorithm = Halgorithm(Config())
    outcomes = run(pairs, documents, lambda text: Checker.from_docs(text, halgorithm=halgorithm))
    result = {
        "schema": SCHEMA,
        **provenance(_command(options)),
        "settings": halgorithm.config.to_dict(),
        **summary(outcomes),
    }
    _print(result)
    if options.show:
        _print_misses(outcomes)
    runs.write(result, options.out or (None if options.kinds else OUT))
    return 0


def load(folder: Path = FOLDER) -> tuple[list[Pair], dict[str, str]]:
    """The pairs in the order of the file, and the text of every document by its id."""
    lines = (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [Pair(**json.loads(line)) for line in lines]
    texts = sorted((folder / "documents").glob("*.md"))
    return pairs, {path.stem: path.read_text(encoding="utf-8") for path in texts}


def run(
    pairs: Sequence[Pair],
    documents: Mapping[str, str],
    checker_for: Callable[[str], ChecksClaims],
) -> list[Outcome]:
    """Every pair judged, in order; `checker_for` makes one checker per document, from its text.

    Each claim is checked on its own: neither twin may lean on what was asked with it.
    """
    checkers: dict[str, ChecksClaims] = {}
    outcomes = []
    for pair in pairs:
        if pair.doc not in checkers:
            checkers[pair.doc] = checker_for(documents[pair.doc])
        answers = [_answer(checkers[pair.doc], claim) for claim in (pair.true, pair.false)]
        outcomes.append(Outcome(pair, *answers))
    return outcomes


def _answer(checker: ChecksClaims, claim: str) -> Answer:
    (result,) = checker.check_claims([claim]).results
    return Answer(str(result.verdict.value), result.reason, float(result.score))


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures as plain values: {"documents", "kinds", "total", "misses"}.

    A kind has counts; the total has shares, each as [value, low, high] with its 95 % interval.
    """
    kinds = {}
    for kind in dict.fromkeys(outcome.pair.kind for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.pair.kind == kind]
        counts = {name: sum(getattr(outcome, name) for outcome in mine) for name in COUNTS}
        kinds[kind] = {"pairs": len(mine), **counts}
    total: dict[str, Any] = {"pairs": len(outcomes)}
    for name in COUNTS:
        figure = metrics.share([getattr(o, name) for o in outcomes], [o.pair.doc for o in outcomes])
        total[name] = [round(value, 4) for value in (figure.value, figure.low, figure.high)]
    misses = [
        {
            "id": outcome.pair.id,
            "twin": twin,
            "verdict": answer.verdict,
            "reason": answer.reason,
            "score": round(answer.score, 4),
        }
        for outcome, twin, answer in _misses(outcomes)
    ]
    documents = len({outcome.pair.doc for outcome in outcomes})
    return {"documents": documents, "kinds": kinds, "total": total, "misses": misses}


def _misses(outcomes: Iterable[Outcome]) -> Iterable[tuple[Outcome, str, Answer]]:
    """The twins judged wrong: (outcome, "true" or "false", what was answered)."""
    for outcome in outcomes:
        if not outcome.true:
            yield outcome, "true", outcome.to_true
        if not outcome.false:
            yield outcome, "false", outcome.to_false


def _command(options: argparse.Namespace) -> str:
    # Without --show and --out, which change no figure.
    return f"pairs --kinds {options.kinds!r}" if options.kinds else "pairs"


def _print(result: Mapping[str, Any]) -> None:
    titles = ("pairs", "both right", "true right", "false right", "ranked")
    print(f"{'kind':24}" + "".join(f"{title:>13}" for title in titles))
    for kind, counts in result["kinds"].items():
        cells = [counts["pairs"], *(counts[name] for name in COUNTS)]
        print(f"{kind:24}" + "".join(f"{cell:>13}" for cell in cells))
    total = result["total"]
    shares = "".join(f"{100 * total[name][0]:>11.1f} %" for name in COUNTS)
    print(f"{'all':24}{total['pairs']:>13}{shares}")
    low, high = total["both"][1:]
    print(f"\nboth right: 95 % interval {100 * low:.1f} to {100 * high:.1f} %")


def _print_misses(outcomes: Iterable[Outcome]) -> None:
    print()
    for outcome, twin, answer in _misses(outcomes):
        pair = outcome.pair
        claim = pair.true if twin == "true" else pair.false
        said = f"{answer.verdict} ({answer.reason}, {answer.score:.2f})"
        print(f"{pair.id:26}{twin:6}{said:44}{pair.doc}: {claim}")
