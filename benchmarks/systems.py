"""Rows -> what each system says of them: a score and a yes/no per row.

The default is taken apart here: retrieval and facts are worked out once per row, each detector
is run once by itself, and the verdict is made again with each detector's signals left out. Tests
hold the undivided result equal to `Checker.check`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks import baselines
from benchmarks.data import Row, by_documents
from benchmarks.metrics import Bools, Floats
from halgo import Checker, Config, Halgorithm
from halgo.protocols import Embedder
from halgo.report.report import Report
from halgo.types import Claim, Signal

MAJORITY, OVERLAP, COSINE, CLASSIC, DEFAULT = (
    "majority",
    "word overlap",
    "cosine",
    "classic",
    "default",
)
WITHOUT = "without "
BASELINES = (MAJORITY, OVERLAP, COSINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One system on some rows: scores (rows,), higher is better supported, and yes/no (rows,).

    `notes` has one short line per row, for looking at errors; empty where there is none.
    """

    scores: Floats
    answers: Bools
    notes: tuple[str, ...] = ()


def names(config: Config) -> tuple[str, ...]:
    """All systems in the order of the tables."""
    left_out = tuple(WITHOUT + name for name in config.detectors)
    return (*BASELINES, CLASSIC, DEFAULT, *left_out)


def run(
    rows: Sequence[Row],
    wanted: Sequence[str],
    config: Config,
    embedder: Embedder,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Outcome]:
    """Each wanted system on these rows. `progress` hears how many rows are done."""
    found: dict[str, Outcome] = {}
    if MAJORITY in wanted:
        found[MAJORITY] = Outcome(*baselines.majority(rows))
    if OVERLAP in wanted:
        scores = baselines.word_overlap(rows)
        found[OVERLAP] = Outcome(scores, scores >= baselines.OVERLAP_CUT)
    if COSINE in wanted:
        scores = baselines.cosine(rows, embedder)
        found[COSINE] = Outcome(scores, scores >= baselines.COSINE_CUT)
    left_out = tuple(name.removeprefix(WITHOUT) for name in wanted if name.startswith(WITHOUT))
    if DEFAULT in wanted or CLASSIC in wanted or left_out:
        found.update(_halgo(rows, config, embedder, CLASSIC in wanted, left_out, progress))
    return {name: found[name] for name in wanted if name in found}


def _halgo(
    rows: Sequence[Row],
    config: Config,
    embedder: Embedder,
    classic: bool,
    left_out: Sequence[str],
    progress: Callable[[int], None],
) -> dict[str, Outcome]:
    whole = Halgorithm(config, embedder=embedder)
    systems = [DEFAULT, *(WITHOUT + name for name in left_out)] + [CLASSIC] * classic
    reports: dict[str, list[Report | None]] = {name: [None] * len(rows) for name in systems}
    done = 0
    for docs, positions in by_documents(rows).items():
        checker = whole.checker(list(docs))
        group = [rows[position] for position in positions]
        for name, judged in apart(checker, group, left_out).items():
            for position, report in zip(positions, judged, strict=True):
                reports[name][position] = report
        if classic:
            published = checker.with_config(
                Config.classic(
                    threshold=config.threshold, support_threshold=config.support_threshold
                )
            )
            for position, report in zip(positions, plain(published, group), strict=True):
                reports[CLASSIC][position] = report
        done += len(positions)
        progress(done)
    return {name: _outcome(found) for name, found in reports.items()}


def plain(checker: Checker, rows: Sequence[Row]) -> list[Report]:
    """The report on each row, as a user gets it: an answer is split, a claim taken as it is."""
    return [
        checker.check(row.claim)
        if row.granularity == "response"
        else checker.check_claims([row.claim])
        for row in rows
    ]


def apart(
    checker: Checker, rows: Sequence[Row], left_out: Sequence[str] = ()
) -> dict[str, list[Report]]:
    """The reports on rows about one checker's documents, whole and without each detector."""
    from halgo import signals

    split = [_claims(row, checker.config) for row in rows]
    flat = [claim for claims in split for claim in claims if claim.kind.checked]
    if not checker.index.chunks:
        return {name: plain(checker, rows) for name in (DEFAULT, *(WITHOUT + n for n in left_out))}
    bare = Checker(
        _without_detectors(checker),
        checker.index,
        config=checker.config,
        warnings=checker.warnings,
    ).examine(flat)
    pairs = [pair for examined in bare for pair in examined.pairs]
    seen = {
        detector.name: signals.run((detector,), pairs, checker.index.corpus)
        for detector in checker.halgorithm.detectors
    }
    results: dict[str, list[Any]] = {}
    for name in (DEFAULT, *(WITHOUT + other for other in left_out)):
        kept = tuple(n for n in seen if WITHOUT + n != name)
        config = checker.config.with_(
            detectors=tuple(n for n in checker.config.detectors if WITHOUT + n != name)
        )
        judge = checker.with_config(config)
        mine: list[Any] = []
        start = 0
        for examined in bare:
            end = start + len(examined.pairs)
            joined = tuple(
                tuple(signal for detector in kept for signal in seen[detector][at])
                for at in range(start, end)
            )
            gone = seen.get(name.removeprefix(WITHOUT), [()] * len(pairs))[start:end]
            own: tuple[Signal, ...] = ()
            if "arithmetic" in config.detectors:
                found, own = signals.with_sums(examined.claim, examined.pairs, joined)
                joined = tuple(found)
            start = end
            same = not any(gone) and "arithmetic" in config.detectors
            if name != DEFAULT and same:
                mine.append(results[DEFAULT][len(mine)])  # it had nothing to say here
                continue
            mine.append(judge._judge(_again(examined, joined, own, checker)))
        results[name] = mine
    reports: dict[str, list[Report]] = {}
    for name, judged in results.items():
        reports[name], start = [], 0
        for row, claims in zip(rows, split, strict=True):
            count = sum(claim.kind.checked for claim in claims)
            reports[name].append(checker._report(row.claim, claims, judged[start : start + count]))
            start += count
    return reports


def _again(
    examined: Any,
    joined: tuple[tuple[Signal, ...], ...],
    own: tuple[Signal, ...],
    checker: Checker,
) -> Any:
    """The same claim and passages with other signals."""
    from halgo.verdict import scoring

    features = examined.features
    if any(joined):
        features = scoring.features(examined.pairs, joined, checker.halgorithm.lexicon)
    return replace(examined, signals=joined, claim_signals=own, features=features)


def _without_detectors(checker: Checker) -> Halgorithm:
    whole = checker.halgorithm
    return Halgorithm(
        whole.config,
        embedder=whole.embedder,
        detectors=(),
        lexicon=whole.lexicon,
        fusion=whole.fusion,
    )


def _claims(row: Row, config: Config) -> Sequence[Claim]:
    from halgo.claims.extract import as_claims, extract

    if row.granularity == "response":
        return extract(row.claim, config.granularity)
    return as_claims([row.claim])


def _outcome(reports: Sequence[Report | None]) -> Outcome:
    """Scores and answers of reports. Nothing checkable is a no with score 0.

    A benchmark's row always asserts something, so an answer whose every sentence was skipped has
    not been found grounded.
    """
    scores, answers, notes = [], [], []
    for report in reports:
        score = None if report is None else getattr(report, "score", report.weakest)
        scores.append(0.0 if score is None else float(score))
        answers.append(bool(report is not None and report.grounded))
        notes.append("" if report is None else _note(report))
    return Outcome(np.array(scores), np.array(answers, dtype=bool), tuple(notes))


def _note(report: Report) -> str:
    if not report.results:
        return report.state.value
    return " ".join(f"{result.reason}:{result.score:.2f}" for result in report.results)
