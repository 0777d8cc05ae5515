"""Each rule left out in turn -> the claims that are judged right with it and wrong without.

And those that are contradicted with it and only doubted without: a rule that gives the value that
the sources have turns "not supported" into a CONTRADICTION with both values.

Of our own claims: `everyday`, `answers`, `numbers`, `rows` and `contexts` by their parts, the twins
of `pairs`, those of the red team, and `written` and `written_longer`, which no rule and no model
was made from. A claim is judged again without a rule only where the rule saw something; the
coefficients of the score stay as they are. What the models say is remembered between the runs
(`cache.py`). What a rule does to the labelled sets is `benchmarks accuracy --ablate`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

from benchmarks import (
    answers,
    contexts,
    data,
    everyday,
    numbers,
    pairs,
    redteam,
    rows,
    runs,
    systems,
)
from benchmarks.answers import Claimed
from benchmarks.redteam.cites import CITATION
from halgo.types import ClaimResult, Verdict

if TYPE_CHECKING:
    from halgo import Checker, Halgorithm

SCHEMA = 1
# What a rule is counted by, in order.
COUNTS = (
    *("fires_true", "fires_false", "won_true", "won_false"),
    *("contradicted_true", "contradicted_false"),
)
Counted = dict[str, dict[str, Counter[str]]]  # rule -> part -> counts


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks ablation", description=__doc__)
    parser.add_argument(
        "--limit", type=int, default=0, help="documents of each part (default 0: all)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the documents")
    runs.add_out(parser, "ablation")
    options = parser.parse_args(argv)
    groups = _by_document(options.limit or None)
    if options.jobs > 1:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by the workers when they start
        shares = [groups[at :: options.jobs] for at in range(options.jobs)]
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
            counted = _merged(pool.map(count, shares))
    else:
        counted = count(groups)
    claims: dict[str, Counter[str]] = defaultdict(Counter)
    for _, of_document in groups:
        for one in of_document:
            claims[one.part]["true" if one.true else "false"] += 1
    result = {
        "schema": SCHEMA,
        **runs.origin("ablation", argv),
        "parts": {part: dict(told) for part, told in claims.items()},
        "rules": {
            rule: {
                part: [counted[rule][part][name] for name in COUNTS]
                for part in claims
                if part in counted.get(rule, {})
            }
            for rule in systems.rules()
        },
    }
    _print(result)
    runs.write(result, options.out or (None if options.limit else runs.RESULTS / "ablation.json"))
    return 0


def _by_document(limit: int | None) -> list[tuple[Any, list[Claimed]]]:
    """Every document with the claims about it; `part` is that of the table."""
    found: list[tuple[Any, list[Claimed]]] = []
    for name, load in (
        ("everyday", everyday.load),
        ("answers", answers.load),
        ("numbers", numbers.load),
        ("rows", rows.load),
        ("contexts", contexts.load),
    ):
        claims, documents = load()
        for part in answers.PARTS:
            placed = [_placed(one, f"{name}, {part}") for one in claims if one.part == part]
            found += _grouped(placed, documents)[:limit]
    twins, texts = pairs.load()
    claimed = [
        Claimed(twin.doc, "pairs", true, twin.kind, text)
        for twin in twins
        for true, text in ((True, twin.true), (False, twin.false))
    ]
    found += _grouped(claimed, texts)[:limit]
    found += _of_red_team()[:limit]
    for name in (data.WRITTEN, data.LONGER):
        written = data.load(name)
        claimed = [
            Claimed(row.group, name, row.supported, row.domain, row.claim) for row in written
        ]
        found += _grouped(claimed, {row.group: row.docs[0] for row in written})[:limit]
    return found


def _of_red_team() -> list[tuple[Any, list[Claimed]]]:
    kinds = [kind for kind in redteam.KINDS if kind != CITATION]
    claimed: dict[Claimed, None] = {}
    documents: dict[str, Any] = {}
    for case in redteam.suite(kinds):
        name = repr(case.docs)
        documents[name] = list(case.docs)
        for true, text in ((True, case.true), (False, case.false)):
            claimed[Claimed(name, "red team", true, case.kind, text)] = None
    return _grouped(claimed, documents)


def _placed(one: Claimed, part: str) -> Claimed:
    return Claimed(one.doc, part, one.true, one.kind, one.claim)


def _grouped(claims: Iterable[Claimed], documents: Any) -> list[tuple[Any, list[Claimed]]]:
    groups: dict[str, list[Claimed]] = defaultdict(list)
    for one in claims:
        groups[one.doc].append(one)
    return [(documents[doc], mine) for doc, mine in groups.items()]


def count(groups: Sequence[tuple[Any, Sequence[Claimed]]]) -> Counted:
    """Rule -> part -> how often it fires on true and false claims, and what it wins of each."""
    from benchmarks.cache import CachedEmbedder, cached_entailment, cached_parses
    from halgo import Halgorithm
    from halgo.entailment import cross_encoder
    from halgo.evidence import embed

    model = cross_encoder.resolve("default")
    assert model is not None
    whole = Halgorithm(
        embedder=CachedEmbedder(embed.resolve("minilm")), entailment=cached_entailment(model)
    )
    with cached_parses():
        return _count(groups, whole)


def _count(groups: Sequence[tuple[Any, Sequence[Claimed]]], whole: Halgorithm) -> Counted:
    from halgo import Checker

    lacking: dict[str, Halgorithm] = {}
    counted: Counted = defaultdict(lambda: defaultdict(Counter))
    known = frozenset(systems.rules())
    for document, claims in groups:
        checker = Checker.from_docs(document, halgorithm=whole)
        for one in claims:
            (result,) = checker.check_claims([one.claim]).results
            label = "true" if one.true else "false"
            for rule in sorted(set(_fired(result)) & known):
                if rule not in lacking:
                    lacking[rule] = without(whole, rule)
                again = _again(checker, lacking[rule], one.claim)
                counts = counted[rule][one.part]
                counts[f"fires_{label}"] += 1
                counts[f"won_{label}"] += _right(result, one) - _right(again, one)
                counts[f"contradicted_{label}"] += _contradicted(result) - _contradicted(again)
    return {rule: dict(parts) for rule, parts in counted.items()}


def without(whole: Halgorithm, rule: str) -> Halgorithm:
    """The same models and settings without one rule."""
    from halgo import Halgorithm
    from halgo.signals import of_family

    return Halgorithm(
        whole.config,
        embedder=whole.embedder,
        entailment=whole.entailment,
        lexicon=whole.lexicon,
        detectors=[
            detector
            for family in whole.config.detectors
            for detector in of_family(family, whole.lexicon, (rule,))
        ],
    )


def _again(checker: Checker, halgorithm: Halgorithm, claim: str) -> ClaimResult:
    (result,) = type(checker)(halgorithm, checker.index).check_claims([claim]).results
    return result


def _fired(result: ClaimResult) -> Iterator[str]:
    """The rules whose signals stand beside a claim or one of its parts."""
    for signals in (result.signals, *(found.signals for found in result.assessments)):
        yield from (signal.detector for signal in signals)
    for part in result.parts:
        yield from _fired(part)


def _right(result: ClaimResult, one: Claimed) -> bool:
    return (result.verdict is Verdict.SUPPORTED) == one.true


def _contradicted(result: ClaimResult) -> bool:
    return result.verdict is Verdict.CONTRADICTION


def _merged(shares: Iterable[Counted]) -> Counted:
    counted: Counted = defaultdict(lambda: defaultdict(Counter))
    for share in shares:
        for rule, parts in share.items():
            for part, counts in parts.items():
                for name, number in counts.items():  # not `+=`, which drops losses
                    counted[rule][part][name] += number
    return counted


def _print(result: dict[str, Any]) -> None:
    print(f"{'rule':22}" + "".join(f"{part:>18}" for part in result["parts"]))
    for rule, parts in result["rules"].items():
        told = (parts.get(part) for part in result["parts"])
        cells = [f"{one[2]:+d} / {one[3]:+d}" if one else "" for one in told]
        cells.append("{:+d} / {:+d}".format(*contradicted(parts)))
        print(f"{rule:22}" + "".join(f"{cell:>18}" for cell in cells))
    print(
        "true claims / false claims judged right with the rule and wrong without, less the reverse;"
        "\nlast: contradicted with it and not without, less the reverse, in all parts"
    )


def contradicted(parts: Mapping[str, Sequence[int]]) -> tuple[int, int]:
    """True and false claims of all parts that are contradicted because of a rule."""
    at = COUNTS.index("contradicted_true")
    return sum(one[at] for one in parts.values()), sum(one[at + 1] for one in parts.values())
