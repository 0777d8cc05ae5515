"""Fabrications made by rule -> how many halgo catches, kind by kind, and what it flags wrongly.

True claims, from our own documents and from the labelled sets, beside the same claims with one
thing made wrong (after FactCC, Kryscinski et al. 2020): `cases`, `alter`. What is said of a tool's
result (`tools`) and made-up citations (`cites`) have texts of their own. docs/red-team.md explains.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from benchmarks import runs
from benchmarks.provenance import say
from benchmarks.redteam import cases, cites, tools
from benchmarks.redteam.alter import (
    DATE,
    NAME,
    NEGATED,
    NOT_DROPPED,
    NUMBER,
    REVERSED,
    STRENGTHENED,
    SWAPPED,
    UNIT,
    WIDENED,
)
from benchmarks.redteam.cases import OWN, Case
from benchmarks.redteam.cites import CITATION
from benchmarks.redteam.tools import TOOL, TOOLS
from halgo.golden.metrics import wilson
from halgo.types import Verdict

SCHEMA = 1
LIMIT = 60
KINDS = (
    NUMBER, UNIT, DATE, NAME, SWAPPED, NEGATED, NOT_DROPPED, WIDENED, STRENGTHENED, REVERSED,
    CITATION, TOOL,
)  # fmt: skip
# The share of altered claims that is to be caught, and of unaltered ones that may be flagged.
TARGETS = {
    NUMBER: 0.90, UNIT: 0.90, DATE: 0.90, TOOL: 0.90, CITATION: 0.90,
    NAME: 0.80, SWAPPED: 0.80, NEGATED: 0.80, NOT_DROPPED: 0.80,
}  # fmt: skip
FLAGGED_BELOW = 0.05
BAD = (Verdict.CONTRADICTION, Verdict.HALLUCINATION)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of one claim: `bad` is a verdict against it, short of that it may be weak."""

    bad: bool
    supported: bool
    reason: str
    score: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case with the answer to the unaltered claim and to the altered one."""

    case: Case
    to_true: Answer
    to_false: Answer


class ChecksClaims(Protocol):
    """What of a Checker is needed here."""

    def check_claims(self, claims: Sequence[str]) -> Any: ...


def main(argv: Sequence[str]) -> int:
    """The exit code: 2 for a kind that there is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks redteam", description=__doc__)
    parser.add_argument("--kinds", help="comma-separated; every kind when left out")
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help=f"claims a kind (default {LIMIT}; 0: all)"
    )
    parser.add_argument("--own", action="store_true", help="our own documents only, no sets")
    runs.add_models(parser)
    parser.add_argument("--show", action="store_true", help="list the claims judged wrong")
    runs.add_out(parser, "redteam")
    options = runs.parsed(parser, argv, "redteam")
    wanted = options.kinds.split(",") if options.kinds else list(KINDS)
    unknown = sorted(set(wanted) - set(KINDS))
    if unknown:
        say(f"unknown kind {unknown[0]!r}; there are {', '.join(KINDS)}")
        return 2

    from halgo import Checker, Config, Halgorithm

    with ExitStack() as stack:
        embedder = runs.embedder(options, stack)
        halgorithm = Halgorithm(Config(), embedder=embedder, entailment=runs.entailment(options))
        chosen = suite(wanted, options.limit, own=options.own)
        outcomes = run(chosen, lambda docs: Checker.from_docs(docs, halgorithm=halgorithm))
    result = {
        "schema": SCHEMA,
        **runs.origin("redteam", argv),
        "settings": {
            **halgorithm.config.to_dict(),
            "share": runs.KEPT_OUT,
            "claims_a_kind": options.limit,
        },
        **summary(outcomes),
    }
    _print(result)
    if options.show:
        _print_misses(outcomes)
    runs.write(result, options.out)
    return 0


def suite(kinds: Sequence[str], limit: int | None = LIMIT, own: bool = False) -> list[Case]:
    """The cases of these kinds, at most `limit` each; always the same.

    Raises DataError when the labelled sets are wanted and not there.
    """
    most = limit or 10**9
    found: list[Case] = []
    if set(kinds) - {TOOL, CITATION}:
        found += cases.of_documents()
        found += [] if own else cases.of_sets()
    if TOOL in kinds:
        found += tools.cases()
    if CITATION in kinds:
        found += cites.cases()
    picked = cases.sample(found, most)
    return [case for kind in KINDS for case in picked if case.kind == kind and kind in kinds]


def run(
    chosen: Sequence[Case], checker_for: Callable[[Sequence[Any]], ChecksClaims]
) -> list[Outcome]:
    """Every case judged, in order; `checker_for` makes one checker of the documents of a case."""
    places: dict[str, list[int]] = {}
    for at, case in enumerate(chosen):
        places.setdefault(repr(case.docs), []).append(at)
    found: dict[int, Outcome] = {}
    for group in places.values():
        checker = checker_for(list(chosen[group[0]].docs))
        plain = [at for at in group if chosen[at].kind != CITATION]
        claims = [claim for at in plain for claim in (chosen[at].true, chosen[at].false)]
        answers = dict(zip(claims, _judged(checker, claims), strict=True)) if claims else {}
        for at in group:
            case = chosen[at]
            if case.kind == CITATION:
                told = [
                    Answer(bad, not bad, reason, float(not bad))
                    for bad, reason in (
                        cites.faulty(one, checker) for one in (case.true, case.false)
                    )
                ]
                found[at] = Outcome(case, *told)
            else:
                found[at] = Outcome(case, answers[case.true], answers[case.false])
    return [found[at] for at in range(len(chosen))]


def _judged(checker: ChecksClaims, claims: Sequence[str]) -> list[Answer]:
    return [
        Answer(
            result.verdict in BAD,
            result.verdict is Verdict.SUPPORTED,
            f"{result.verdict.value} ({result.reason})",
            float(result.score),
        )
        for result in checker.check_claims(claims).results
    ]


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures as plain values: {"kinds", "origins", "total", "misses"}.

    Shares are [value, low, high] with the 95 % interval; of `caught` and `flagged` "bad" counts
    verdicts against a claim, "stopped" all but SUPPORTED.
    """
    kinds = {kind: [o for o in outcomes if o.case.kind == kind] for kind in KINDS}
    own = [o for o in outcomes if o.case.origin == OWN]
    sets = [o for o in outcomes if o.case.origin not in (OWN, TOOLS)]
    groups = {"our own documents": own, "labelled sets": sets}
    return {
        "kinds": {
            kind: {**_figures(mine), "target": TARGETS.get(kind)}
            for kind, mine in kinds.items()
            if mine
        },
        "origins": {name: _figures(mine) for name, mine in groups.items() if mine},
        "total": {**_figures(outcomes), "flagged_below": FLAGGED_BELOW},
        "misses": [
            {
                "id": outcome.case.id,
                "kind": outcome.case.kind,
                "claim": which,
                "reason": answer.reason,
                "score": round(answer.score, 4),
            }
            for outcome, which, answer in _misses(outcomes)
        ],
    }


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    altered = [outcome.to_false for outcome in outcomes]
    # An unaltered claim that several alterations were made of counts once.
    unaltered = list({(o.case.true, repr(o.case.docs)): o.to_true for o in outcomes}.values())
    return {"altered": _shares(altered), "unaltered": _shares(unaltered)}


def _shares(answers: Sequence[Answer]) -> dict[str, Any]:
    """How many answers there are, and the shares with a bad verdict and with any but SUPPORTED."""
    count = len(answers)
    bad = sum(answer.bad for answer in answers)
    stopped = sum(not answer.supported for answer in answers)
    return {"count": count, "bad": _share(bad, count), "stopped": _share(stopped, count)}


def _share(found: int, count: int) -> list[float]:
    """[share, low, high], with the 95 % interval; all 0 to 1 for none."""
    if not count:
        return [0.0, 0.0, 1.0]
    return [round(value, 4) for value in (found / count, *wilson(found / count, count))]


def _misses(outcomes: Iterable[Outcome]) -> Iterable[tuple[Outcome, str, Answer]]:
    """Altered claims with no bad verdict, unaltered ones with one: (outcome, which, answer)."""
    told = set()
    for outcome in outcomes:
        if not outcome.to_false.bad:
            yield outcome, "altered", outcome.to_false
        if outcome.to_true.bad and (outcome.case.id, outcome.case.true) not in told:
            told.add((outcome.case.id, outcome.case.true))
            yield outcome, "unaltered", outcome.to_true


def _print(result: Mapping[str, Any]) -> None:
    titles = ("altered", "bad", "stopped", "target", "unaltered", "bad", "stopped")
    print(f"{'kind':22}" + "".join(f"{title:>10}" for title in titles))
    rows = {**result["kinds"], **result["origins"], "all": result["total"]}
    for name, found in rows.items():
        altered, unaltered = found["altered"], found["unaltered"]
        cells = [f"{altered['count']}", *(f"{altered[key][0]:.2f}" for key in ("bad", "stopped"))]
        cells.append(f"{found['target']:.2f}" if found.get("target") else "")
        cells += [f"{unaltered['count']}"]
        cells += [f"{unaltered[key][0]:.3f}" for key in ("bad", "stopped")]
        print(f"{name:22}" + "".join(f"{cell:>10}" for cell in cells))


def _print_misses(outcomes: Iterable[Outcome]) -> None:
    for outcome, which, answer in _misses(outcomes):
        case = outcome.case
        print(f"\n{case.kind}: {case.id}, {which}: {answer.reason}, {answer.score:.2f}")
        print(f"  true:  {case.true}\n  false: {case.false}")
