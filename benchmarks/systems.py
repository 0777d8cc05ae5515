"""Rows -> what each system says of them: a score and a yes/no per row.

The default is taken apart here: retrieval and facts are worked out once per row, the detectors
are run once and each claim is read once by the entailment model, and the verdict is made again
with one rule, or one family of rules, left out. Tests hold the undivided result equal to
`Checker.check`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from benchmarks import baselines
from benchmarks.data import Row, by_documents
from benchmarks.metrics import Bools, Floats
from halgo import Checker, Config, Halgorithm
from halgo.protocols import Embedder, EntailmentModel
from halgo.report.report import Report
from halgo.types import Claim, ClaimResult, Signal

MAJORITY, OVERLAP, COSINE, CLASSIC, ALONE, DEFAULT = (
    "majority",
    "word overlap",
    "cosine",
    "classic",
    "entailment alone",
    "default",
)
WITHOUT = "without "
ENTAILMENT, CASCADE = "entailment", "cascade"  # what is left out, beside detectors
UNREAD, UNSETTLED = WITHOUT + ENTAILMENT, WITHOUT + CASCADE
BASELINES = (MAJORITY, OVERLAP, COSINE)
WHOLE = ("sums", "records")  # rules that look at a claim as a whole
ALONE_CUT = 0.5  # as likely as not


@dataclass(frozen=True, slots=True)
class Outcome:
    """One system on some rows: scores (rows,), higher is better supported, and yes/no (rows,).

    `notes` has one short line per row, for looking at errors; empty where there is none.
    """

    scores: Floats
    answers: Bools
    notes: tuple[str, ...] = ()


def names(config: Config, model: bool = True) -> tuple[str, ...]:
    """All systems in the order of the tables; without an entailment model those that need none."""
    left_out = tuple(WITHOUT + name for name in config.detectors)
    if not model:
        return (*BASELINES, CLASSIC, DEFAULT, *left_out)
    return (*BASELINES, CLASSIC, ALONE, UNREAD, DEFAULT, UNSETTLED, *left_out)


def rules() -> tuple[str, ...]:
    """Every rule that can be left out by itself."""
    from halgo.signals.registry import NAMES

    return (*NAMES, *WHOLE)


def rules_of(name: str) -> frozenset[str]:
    """The rules of a family, or the one rule of this name; none for what is no rule."""
    from halgo.signals.registry import RULES

    family = {rule.name for rule in RULES if rule.family == name}
    whole = {"arithmetic": "sums", "terms": "records"}
    return frozenset(family | {whole[name]} if name in whole else family or {name})


def needs_model(wanted: Sequence[str]) -> bool:
    """Whether one of these systems asks an entailment model, if there is one."""
    return any(
        name in (ALONE, DEFAULT) or (name.startswith(WITHOUT) and name != UNREAD) for name in wanted
    )


def run(
    rows: Sequence[Row],
    wanted: Sequence[str],
    config: Config,
    embedder: Embedder,
    entailment: EntailmentModel | None,
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
    ours = [name for name in wanted if name not in BASELINES]
    if ours:
        halgorithm = Halgorithm(config, embedder=embedder, entailment=entailment)
        found.update(_halgo(rows, ours, halgorithm, progress))
    return {name: found[name] for name in wanted if name in found}


def _halgo(
    rows: Sequence[Row],
    wanted: Sequence[str],
    whole: Halgorithm,
    progress: Callable[[int], None],
) -> dict[str, Outcome]:
    config = whole.config
    apart_ = [name for name in wanted if name not in (CLASSIC, ALONE)]
    reports: dict[str, list[Report | None]] = {
        name: [None] * len(rows) for name in wanted if name != ALONE
    }
    entailed = np.zeros(len(rows))
    done = 0
    for docs, positions in by_documents(rows).items():
        checker = whole.checker(list(docs))
        group = [rows[position] for position in positions]
        if apart_ or ALONE in wanted:
            parts = Parts(checker, group)
            for name in apart_:
                for position, report in zip(positions, parts.reports(name), strict=True):
                    reports[name][position] = report
            entailed[positions] = parts.entailed()
        if CLASSIC in wanted:
            published = checker.with_config(
                Config.classic(
                    threshold=config.threshold, support_threshold=config.support_threshold
                )
            )
            for position, report in zip(positions, plain(published, group), strict=True):
                reports[CLASSIC][position] = report
        done += len(positions)
        progress(done)
    found = {name: _outcome(mine) for name, mine in reports.items()}
    if ALONE in wanted:
        found[ALONE] = Outcome(entailed, entailed >= ALONE_CUT)
    return found


def plain(checker: Checker, rows: Sequence[Row]) -> list[Report]:
    """The report on each row, as a user gets it: an answer is split, a claim taken as it is."""
    return [
        checker.check(row.claim)
        if row.granularity == "response"
        else checker.check_claims([row.claim])
        for row in rows
    ]


class Parts:
    """Rows about one checker's documents, with all that the systems share worked out once."""

    def __init__(self, checker: Checker, rows: Sequence[Row]) -> None:
        from halgo import signals

        self.checker, self.rows = checker, rows
        self.split = [_claims(row, checker.config) for row in rows]
        flat = [claim for claims in self.split for claim in claims if claim.kind.checked]
        self._bare: list[Any] = []
        self._whole: list[Any] = []  # with the signals of all rules
        self._seen: list[tuple[Signal, ...]] = []
        self._judged: list[Any] = []
        self._done: dict[str, list[ClaimResult]] = {}
        self._read: list[bool] = []  # whether the default reads the claim
        self._as_read: list[bool] = []  # ... or scores it as if it had
        if not checker.index.chunks:
            return
        self._bare = _with(checker, detectors=(), entailment=None).examine(flat)
        pairs = [pair for examined in self._bare for pair in examined.pairs]
        self._seen = signals.run(checker.halgorithm.detectors, pairs, checker.index.corpus)
        self._places = [0, *accumulate(len(examined.pairs) for examined in self._bare)]
        self._whole = [self._examined(at, frozenset()) for at in range(len(flat))]
        self._judged = [None] * len(flat)
        if checker.halgorithm.entailment is not None:
            self._judged = self._read_by_model()

    def _standing(
        self, at: int, left_out: frozenset[str]
    ) -> tuple[tuple[Signal, ...], list[tuple[Signal, ...]]]:
        """The signals of a claim by itself and of its passages, without those of some rules."""
        from halgo import signals
        from halgo.verdict.resolve import resolve

        examined = self._bare[at]
        kept = [d for d in self.checker.halgorithm.detectors if d.name not in left_out]
        seen = [
            tuple(signal for signal in told if signal.detector not in left_out)
            for told in self._seen[self._places[at] : self._places[at + 1]]
        ]
        own = signals.alone(kept, examined.claim)
        return own, signals.together(kept, examined.pairs, resolve(seen, own))

    def _read_by_model(self) -> list[Any]:
        """What the entailment model says of each claim, also of those settled without it."""
        checker = self.checker.with_config(self.checker.config.with_(cascade=False))
        return [examined.judged for examined in checker._examiner().read(self._whole)]

    def _examined(self, at: int, left_out: frozenset[str]) -> Any:
        """A claim's Examination without some rules, before the model has read it."""
        from halgo.verdict import scoring

        examined = self._bare[at]
        own, found = self._standing(at, left_out)
        features = examined.features
        if any(found):
            lexicon = self.checker.halgorithm.lexicon
            features = scoring.features(examined.pairs, found, lexicon)
        return replace(examined, signals=tuple(found), claim_signals=own, features=features)

    def entailed(self) -> list[float]:
        """For each row the model's probability of entailment, of its least supported claim.

        0 for a row without a claim to read.
        """
        chances = [
            0.0 if judged is None else judged.judgement.probabilities[0] for judged in self._judged
        ]
        found, start = [], 0
        for claims in self.split:
            end = start + sum(claim.kind.checked for claim in claims)
            found.append(min(chances[start:end], default=0.0))
            start = end
        return found

    def reports(self, name: str = DEFAULT) -> list[Report]:
        """The reports of the default, or of it without one thing."""
        judge = self._judge(name)
        if not self.checker.index.chunks:
            return plain(judge, self.rows)
        results = self._results(name)
        reports, start = [], 0
        for row, claims in zip(self.rows, self.split, strict=True):
            end = start + sum(claim.kind.checked for claim in claims)
            reports.append(judge.report(row.claim, claims, results[start:end]))
            start = end
        return reports

    def _judge(self, name: str) -> Checker:
        """The checker that is the system of this name, but for the detectors that it lacks."""
        if name == UNREAD:
            return _with(self.checker, self.checker.halgorithm.detectors, entailment=None)
        if name == UNSETTLED:
            return self.checker.with_config(self.checker.config.with_(cascade=False))
        return self.checker

    def _results(self, name: str) -> list[ClaimResult]:
        """The results on all claims; where leaving out changes nothing, those of the default."""
        if name in self._done:
            return self._done[name]
        from halgo.verdict import scoring
        from halgo.verdict.silences import reread

        left_out = rules_of(name.removeprefix(WITHOUT))
        judge = self._judge(name)
        config, halgorithm = judge.config, judge.halgorithm
        default = [] if name == DEFAULT else self._results(DEFAULT)
        results: list[ClaimResult] = []
        for at in range(len(self._bare)):
            if default and not self._differs(name, at):
                results.append(default[at])
                continue
            told = self._whole[at] if name == DEFAULT else self._examined(at, left_out)
            features = told.features
            judged = None if halgorithm.entailment is None else self._judged[at]
            if config.cascade and scoring.is_own(features):
                judged = None
            as_read = False
            if halgorithm.entailment is not None:
                features, as_read = scoring.on_one_scale(features, judged)
            if name == DEFAULT:
                self._read.append(judged is not None)
                self._as_read.append(as_read)
            seen = reread(told.pairs, told.signals, halgorithm.entailment)
            told = replace(told, signals=seen, features=features, judged=judged, as_read=as_read)
            results.append(judge.decide(told))
        self._done[name] = results
        return results

    def _differs(self, name: str, at: int) -> bool:
        """Whether this system can judge the claim at this place otherwise than the default."""
        if name == UNREAD:
            return self._as_read[at]
        if name == UNSETTLED:
            return not self._read[at] and self._judged[at] is not None
        left_out = rules_of(name.removeprefix(WITHOUT))
        mine = self._seen[self._places[at] : self._places[at + 1]]
        seen = (signal.detector for found in mine for signal in found)
        return not left_out.isdisjoint(WHOLE) or not left_out.isdisjoint(seen)


def apart(
    checker: Checker, rows: Sequence[Row], left_out: Sequence[str] = ()
) -> dict[str, list[Report]]:
    """The reports on rows about one checker's documents, whole and with each thing left out."""
    parts = Parts(checker, rows)
    return {name: parts.reports(name) for name in (DEFAULT, *(WITHOUT + n for n in left_out))}


def _with(
    checker: Checker, detectors: Sequence[Any], entailment: EntailmentModel | None
) -> Checker:
    """The same index with other detectors and another entailment model."""
    whole = checker.halgorithm
    other = Halgorithm(
        whole.config,
        embedder=whole.embedder,
        entailment=entailment,
        detectors=detectors,
        lexicon=whole.lexicon,
        fusion=whole._fusion,
    )
    return Checker(other, checker.index, config=checker.config, warnings=checker.warnings)


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
