"""Labelled rows through a checker -> a Run; two Runs -> whether the later is really worse.

Both runs are resampled alike (paired bootstrap; Efron & Tibshirani 1993): a drop is real when the
95 % interval of the difference lies below zero. Rows about the same documents are drawn together
where there are enough such groups to draw from.

A row in which nothing was assessed is not SUPPORTED, so a comparison counts it as wrong where its
label is supported: answers that turn into refusals are a drop like any other.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from halgo import disk
from halgo.errors import GoldenError
from halgo.golden import metrics
from halgo.golden.rows import Label, Row, same_documents
from halgo.printable import printable
from halgo.report.report import Report
from halgo.sources.readers import LARGEST_BYTES
from halgo.types import ClaimResult, Document, State, Verdict

SCHEMA = 1
# Fewer groups than this say too little about each other's spread; single rows are drawn then.
ENOUGH_GROUPS = 20
# Chance alone gives an AUC of 0.5; one as far below speaks of labels that mean the opposite.
TURNED = 0.3
# The worst verdict of an answer's claims is the answer's.
_WORST_FIRST = (
    Verdict.CONTRADICTION,
    Verdict.HALLUCINATION,
    Verdict.WEAK_SUPPORT,
    Verdict.SUPPORTED,
)
FIGURES = ("f1", "balanced_accuracy", "accuracy")
_BY_LINE = re.compile(r"line-\d+")  # the id of a row that has none of its own


class Checks(Protocol):
    """What checks answers and claims: a `Checker`."""

    def check_many(
        self, answers: Sequence[str], questions: Sequence[str | None]
    ) -> list[Report]: ...

    def check_claims(self, claims: Sequence[str]) -> Report: ...


class Makes(Protocol):
    """What makes a Checker of documents: a `Halgorithm`."""

    def checker(self, docs: Sequence[Document]) -> Checks: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check said of one row; verdict and score None where nothing could be assessed.

    named: whether the id is the row's own. refused: whether the answer declines to answer.
    expected: the verdicts that the row names; none where its label is all it says.
    """

    id: str
    key: str
    group: str
    label: Label
    verdict: Verdict | None
    score: float | None
    named: bool = True
    refused: bool = False
    expected: tuple[Verdict, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether the check calls all of it supported."""
        return self.verdict is Verdict.SUPPORTED

    @property
    def right(self) -> bool:
        """Whether check and reader agree on whether it is supported, or declines to answer."""
        if self.label is Label.REFUSAL:
            return self.refused
        return self.supported == (self.label is Label.SUPPORTED)

    @property
    def wrong(self) -> bool:
        """Whether a careful reader would not say so; where nothing was assessed nothing is said."""
        told = self.verdict is not None or self.label is Label.REFUSAL
        return told and not self.right

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is one that the row names; True where it names none.

        Apart from `right`: HALLUCINATION for CONTRADICTION is right about what is supported.
        """
        return not self.expected or self.verdict in self.expected

    @property
    def said(self) -> str:
        """The verdict, or in words why there is none."""
        return self.verdict or ("refusal" if self.refused else "not assessed")

    @property
    def found(self) -> str:
        """The same with the score: "SUPPORTED (0.80)"."""
        return self.said if self.score is None else f"{self.said} ({self.score:.2f})"


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a run's verdicts fit the labels; None where the rows do not define a figure.

    unsupported, supported: precision, recall and F1 of rows that are so; what is not SUPPORTED
    counts as found unsupported. rows: those assessed, but for rows labelled refusal, which are
    counted apart: how many there are, and how many do decline. auc: area under the ROC curve of the
    score, that of an answer's least sure claim, 1 where every supported row scores above every
    other. ece: of the scores as probabilities. expected: rows that name a verdict; wrong_verdicts:
    those of them that have another one, or none. No other figure knows of it.
    """

    rows: int
    not_assessed: int
    refusals: int
    refused: int
    unsupported: dict[str, float | None]
    supported: dict[str, float | None]
    balanced_accuracy: float | None
    auc: float | None
    ece: float | None
    verdicts: dict[str, dict[str, int]]  # label -> verdict -> rows
    expected: int
    wrong_verdicts: int

    @property
    def f1(self) -> float | None:
        """F1 of the rows that are not supported: what a check is there to find."""
        return self.unsupported["f1"]

    @property
    def hint(self) -> str | None:
        """What figures like these mostly come of, where that is no matter of the check."""
        if self.auc is None or self.auc >= TURNED:
            return None
        return (
            f"supported rows score lower than the others (ROC-AUC {self.auc:.3f}): are the labels "
            "turned round (1 = hallucinated)? Here 1 is supported"
        )


@dataclass(frozen=True, slots=True)
class Run:
    """What one check said of all rows. engine: what checked, without the documents' digest."""

    outcomes: tuple[Outcome, ...]
    engine: dict[str, str | None]
    thresholds: tuple[float, float]

    __hash__ = None  # type: ignore[assignment]

    @property
    def assessed(self) -> tuple[Outcome, ...]:
        """The outcomes that have a verdict, of rows that are not labelled refusal."""
        return tuple(found for found in _answers(self.outcomes) if found.verdict is not None)

    @property
    def not_assessed(self) -> tuple[Outcome, ...]:
        """Those of them that have none: no claim was there to check."""
        return tuple(found for found in _answers(self.outcomes) if found.verdict is None)

    @property
    def refusals(self) -> tuple[Outcome, ...]:
        """The outcomes of rows labelled refusal."""
        return tuple(found for found in self.outcomes if found.label is Label.REFUSAL)

    @property
    def wrong(self) -> tuple[Outcome, ...]:
        """What a careful reader would not say; rows that were not assessed are listed apart."""
        return tuple(found for found in self.outcomes if found.wrong)

    @property
    def wrong_verdicts(self) -> tuple[Outcome, ...]:
        """The outcomes whose row names a verdict that the check did not give."""
        return tuple(found for found in self.outcomes if not found.as_expected)

    def figures(self) -> Figures:
        """The figures of this run. Raises GoldenError when not a row could be assessed."""
        rows, refusals = self.assessed, self.refusals
        if not rows and not refusals:
            raise GoldenError("no row could be assessed: none holds a claim that can be checked")
        labels, said, scores = _arrays(rows)
        return Figures(
            rows=len(rows),
            not_assessed=len(self.not_assessed),
            refusals=len(refusals),
            refused=sum(found.refused for found in refusals),
            unsupported=_plain(metrics.retrieval(~labels, ~said)),
            supported=_plain(metrics.retrieval(labels, said)),
            balanced_accuracy=_or_none(metrics.balanced_accuracy(labels, said)),
            auc=_or_none(metrics.roc_auc(labels, scores)),
            ece=_or_none(metrics.ece(labels, scores, metrics.bins_for(len(rows)))),
            verdicts={
                label.value: {
                    verdict.value: sum(
                        found.label is label and found.verdict is verdict for found in self.outcomes
                    )
                    for verdict in Verdict
                }
                for label in Label
            },
            expected=sum(bool(found.expected) for found in self.outcomes),
            wrong_verdicts=len(self.wrong_verdicts),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON and for `from_dict`; the rows' texts are not among them."""
        return {
            "schema": SCHEMA,
            "engine": self.engine,
            "thresholds": list(self.thresholds),
            "rows": [asdict(found) for found in self.outcomes],
        }

    def to_json(self) -> str:
        """What `save` writes: a line a row, so that a diff shows what changed."""
        values = self.to_dict()
        rows = ",\n".join(f"    {json.dumps(row)}" for row in values.pop("rows"))
        head = json.dumps(values, indent=2).removesuffix("\n}")
        return f'{head},\n  "rows": [\n{rows}\n  ]\n}}\n'

    def save(self, path: str | Path) -> None:
        """Writes the run, whole or not at all.

        Raises OSError where it cannot, or where something stands that is no regular file.
        """
        disk.write(os.path.realpath(path), self.to_json().encode("utf-8"))

    @classmethod
    def load(cls, path: str | Path) -> Run:
        """A run that `save` wrote. Raises GoldenError that says what is wrong with the file."""
        shown = printable(str(path))
        try:
            values = json.loads(disk.read(path, LARGEST_BYTES).decode("utf-8-sig"))
        except OSError as error:
            raise GoldenError(f"cannot read {shown}: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise GoldenError(f"{shown} is not a saved run: {error}") from error
        schema = values.get("schema") if isinstance(values, dict) else None
        if schema != SCHEMA:
            raise GoldenError(
                f"{shown} is not a saved run, or one of a newer halgo: schema is {schema!r:.60}, "
                f"here it is {SCHEMA}; record it anew (halgo evaluate ... --record {shown})"
            )
        try:
            low, high = (float(value) for value in values["thresholds"])
            return cls(
                tuple(_outcome(row) for row in values["rows"]), dict(values["engine"]), (low, high)
            )
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise GoldenError(f"{shown} is a damaged run: {error!r}; record it anew") from error


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after, with the 95 % interval of the difference."""

    name: str
    before: float
    after: float
    low: float
    high: float

    @property
    def dropped(self) -> bool:
        """Whether the drop is more than the choice of rows explains."""
        return self.high < 0.0


@dataclass(frozen=True, slots=True)
class Flip:
    """A row that one run gets right and the other does not; what each said (`Outcome.said`)."""

    id: str
    label: Label
    before: str
    after: str
    worse: bool


@dataclass(frozen=True, slots=True)
class Changed:
    """A row that has the same id in both runs, but other documents or another text."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A row that has another label than in the recorded run."""

    id: str
    before: Label
    after: Label


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run beside a recorded one, on the rows that both have.

    flips: rows that turned wrong first, then those that turned right. changed: rows that are
    compared though their documents or text changed. relabelled: rows whose label did. new, gone:
    rows that only the one or the other has. drawn: "groups" or "rows", what was resampled. notes:
    what else differs, such as models.
    """

    changes: tuple[Change, ...]
    flips: tuple[Flip, ...]
    changed: tuple[Changed, ...]
    relabelled: tuple[Relabelled, ...]
    rows: int
    new: int
    gone: int
    drawn: str
    notes: tuple[str, ...]

    @property
    def dropped(self) -> bool:
        """Whether any figure really dropped."""
        return any(change.dropped for change in self.changes)


def reports(rows: Sequence[Row], models: Makes) -> list[Report]:
    """The report on each row, in order; rows about the same documents share one index.

    Raises TypeError for rows that are no `Row`s, or models that make no checker.
    """
    _require_rows(rows)
    if not callable(getattr(models, "checker", None)):
        raise TypeError(
            "models must be a Halgorithm, or another object that makes checkers, "
            f"not {type(models).__name__}"
        )
    found: dict[int, Report] = {}
    for documents, positions in same_documents(rows):
        checker = models.checker(documents)
        answers = [at for at in positions if rows[at].answer]
        if answers:
            asked = [rows[at].question for at in answers]
            checked = checker.check_many([rows[at].text for at in answers], asked)
            found.update(zip(answers, checked, strict=True))
        claims = [at for at in positions if not rows[at].answer]
        if claims:
            texts = [rows[at].text for at in claims]
            whole = checker.check_claims(texts)
            for at, text, result in zip(claims, texts, whole.results, strict=True):
                found[at] = replace(whole, answer=text, results=(result,))
    return [found[at] for at in range(len(rows))]


def _require_rows(rows: Any) -> None:
    several = isinstance(rows, Sequence) and not isinstance(rows, str)
    for one in rows if several else [rows]:
        if not several or not isinstance(one, Row):
            raise TypeError(
                "rows must be a list of Rows, as halgo.golden.rows.read(path) gives them, "
                f"not {'with ' if several else ''}{type(one).__name__}"
            )


def run_of(rows: Sequence[Row], checked: Sequence[Report]) -> Run:
    """The Run that these reports on these rows make. Raises GoldenError for no rows."""
    if not rows:
        raise GoldenError("there is no row to evaluate")
    engine = checked[0].engine.to_dict()
    del engine["index_digest"]
    config = checked[0].config
    outcomes = [
        Outcome(
            row.id,
            row.key,
            row.group,
            row.label,
            verdict_of(report),
            _score(report),
            row.named,
            report.state is State.REFUSAL,
            row.verdicts,
        )
        for row, report in zip(rows, checked, strict=True)
    ]
    return Run(tuple(outcomes), engine, (config.threshold, config.support_threshold))


def _score(report: Report) -> float | None:
    """The least score, to the digits that a saved run keeps: a run equals itself read again."""
    return None if report.weakest is None else round(report.weakest, 4)


def evaluate(rows: Sequence[Row], models: Makes) -> Run:
    """Every row checked: a claim as it stands, an answer by its worst claim and its least score.

    models: a `Halgorithm`, or another that makes checkers. Raises GoldenError for no rows,
    TypeError for what are none.
    """
    return run_of(rows, reports(rows, models))


def verdict_of(report: Report) -> Verdict | None:
    """The worst verdict of a report; None when nothing was assessed."""
    worst = worst_of(report)
    return None if worst is None else worst.verdict


def worst_of(report: Report) -> ClaimResult | None:
    """The claim with the worst verdict, of these the least sure; None when nothing was assessed."""
    if report.weakest is None:
        return None
    return min(report.results, key=lambda one: (_WORST_FIRST.index(one.verdict), one.score))


def compare(run: Run, recorded: Run) -> Comparison:
    """What changed since the recorded run, on the rows with the same id, or else the same key.

    Labels are those of `run`, also for the recorded one; only a row whose documents or text changed
    keeps the label it had. Raises GoldenError when the two have no row in common.
    """
    pairs = _pairs(run, recorded)
    if not pairs:
        raise GoldenError(
            f"the recorded run has none of these rows ({len(run.outcomes)}): it was made of other "
            "documents or texts; record it anew. Rows with an id of their own are compared also "
            "when documents or texts change"
        )
    changed = [Changed(new.id, old.said, new.said) for new, old in pairs if new.key != old.key]
    relabelled = [
        Relabelled(new.id, old.label, new.label) for new, old in pairs if new.label != old.label
    ]
    pairs = [
        (new, replace(old, label=new.label) if new.key == old.key else old) for new, old in pairs
    ]
    flips = [
        Flip(new.id, new.label, old.said, new.said, worse=old.right)
        for new, old in pairs
        if new.right != old.right
    ]
    groups = [new.group for new, _ in pairs]
    by_group = len(set(groups)) >= ENOUGH_GROUPS
    weights = metrics.draws(groups if by_group else [new.id for new, _ in pairs])
    changes = []
    for name in FIGURES:
        after, sample = _measured(name, [new for new, _ in pairs], weights)
        was, drawn = _measured(name, [old for _, old in pairs], weights)
        if not math.isnan(after) and not math.isnan(was):
            low, high, _ = metrics.paired(sample, drawn)
            changes.append(Change(name, was, after, low, high))
    new, gone = len(run.outcomes) - len(pairs), len(recorded.outcomes) - len(pairs)
    notes = _notes(run, recorded)
    if new and gone and not all(found.named for found in run.outcomes):
        notes += (
            "rows without an id of their own are compared only while nothing in them changes",
        )
    return Comparison(
        changes=tuple(changes),
        flips=tuple(sorted(flips, key=lambda flip: not flip.worse)),
        changed=tuple(changed),
        relabelled=tuple(relabelled),
        rows=len(pairs),
        new=new,
        gone=gone,
        drawn="groups" if by_group else "rows",
        notes=notes,
    )


def _pairs(run: Run, recorded: Run) -> list[tuple[Outcome, Outcome]]:
    """Each row of the run with the same row of the recorded one, where it has one.

    The same is one with the id that both give; of the others, one with the same documents and text.
    """
    by_id = {found.id: found for found in recorded.outcomes if found.named}
    named = [found.id for found in run.outcomes if found.named and found.id in by_id]
    paired = {name: by_id[name] for name in named}
    left: dict[str, list[Outcome]] = {}
    for found in recorded.outcomes:
        if found.id not in paired:
            left.setdefault(found.key, []).append(found)
    for found in run.outcomes:
        if found.id not in paired and left.get(found.key):
            paired[found.id] = left[found.key].pop(0)
    return [(found, paired[found.id]) for found in run.outcomes if found.id in paired]


def _notes(run: Run, recorded: Run) -> tuple[str, ...]:
    names = sorted({*run.engine, *recorded.engine})
    notes = [
        f"{name}: {recorded.engine.get(name)} then, {run.engine.get(name)} now"
        for name in names
        if recorded.engine.get(name) != run.engine.get(name)
    ]
    if run.thresholds != recorded.thresholds:
        notes.append(f"cut points: {recorded.thresholds} then, {run.thresholds} now")
    return tuple(notes)


def _measured(
    name: str, rows: Sequence[Outcome], weights: metrics.Floats
) -> tuple[float, metrics.Floats]:
    """A figure, and the same on every bootstrap sample."""
    if name == "accuracy":
        right = np.array([found.right for found in rows], float)
        return float(right.mean()), (weights @ right) / weights.sum(axis=1)
    weights = weights[:, [found.label is not Label.REFUSAL for found in rows]]
    labels, said, _ = _arrays(_answers(rows))
    if name == "f1":
        return metrics.retrieval(~labels, ~said).f1, metrics.f1_draws(~labels, ~said, weights)
    return metrics.balanced_accuracy(labels, said), metrics.balanced_draws(labels, said, weights)


def _arrays(rows: Sequence[Outcome]) -> tuple[metrics.Bools, metrics.Bools, metrics.Floats]:
    """Labels, what was said (True for supported) and scores, NaN where nothing was assessed."""
    labels = np.array([found.label is Label.SUPPORTED for found in rows], bool)
    said = np.array([found.supported for found in rows], bool)
    return labels, said, np.array([found.score for found in rows], float)


def _answers(rows: Sequence[Outcome]) -> list[Outcome]:
    """The rows on which it matters whether they are supported."""
    return [found for found in rows if found.label is not Label.REFUSAL]


def _plain(found: metrics.Retrieval) -> dict[str, float | None]:
    return {name: _or_none(value) for name, value in asdict(found).items()}


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _outcome(row: Any) -> Outcome:
    score = None if row["score"] is None else float(row["score"])
    verdict = None if row["verdict"] is None else Verdict(row["verdict"])
    if (score is None) != (verdict is None):
        raise ValueError(f"row {row['id']!r} has a verdict without a score")
    name = str(row["id"])
    # Earlier halgo did not record whether an id is the row's own.
    named = bool(row.get("named", not _BY_LINE.fullmatch(name)))
    return Outcome(
        name,
        str(row["key"]),
        str(row["group"]),
        Label(row["label"]),
        verdict,
        score,
        named,
        bool(row.get("refused", False)),
        tuple(map(Verdict, row.get("expected", ()))),
    )
