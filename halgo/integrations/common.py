"""An answer and its contexts -> one score, one label, one reason, one record a claim.

The score is faithfulness as the field measures it: the share of claims that the sources support
(Es et al. 2023, ragas). So it is 1 only where halgo finds every claim SUPPORTED; and where nothing
was assessed (a refusal, no sources, nothing to check) there is none: not 1, not 0, not NaN.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.errors import MissingDependencyError
from halgo.integrations.contexts import question_of, sources
from halgo.report.marks import summary, why
from halgo.report.report import Report
from halgo.report.safe import one_line
from halgo.types import ClaimResult, Document, Evidence, State, Verdict

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm

NAME = "groundedness"  # high is good, which "hallucination" leaves people to guess

_WORST_FIRST = (Verdict.CONTRADICTION, Verdict.HALLUCINATION, Verdict.WEAK_SUPPORT)
_MOST_NAMED, _LONGEST = 5, 200  # claims in a reason, characters of each
_KEPT = 8  # sets of sources whose index is kept: rows of a dataset often share theirs


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report as frameworks take it.

    score: share of SUPPORTED claims, in [0, 1]; None when nothing was assessed. label: the worst
    verdict in lower case ("contradiction"), or the state in which nothing was assessed
    ("refusal"). reason: a line of text. records: plain values, one dict a claim.
    """

    score: float | None
    label: str
    reason: str
    records: tuple[dict[str, Any], ...]
    report: Report = field(repr=False)

    @property
    def assessed(self) -> bool:
        """Whether at least one claim was checked against at least one source."""
        return self.score is not None

    @property
    def passed(self) -> bool | None:
        """Whether every claim is SUPPORTED; None when nothing was assessed."""
        return self.report.grounded

    def metadata(self) -> dict[str, Any]:
        """All but the score, fit for JSON: what a framework stores beside it."""
        report = self.report
        return {
            "state": report.state.value,
            "label": self.label,
            "confidence": None if report.confidence is None else round(report.confidence, 4),
            "counts": {verdict.value: count for verdict, count in report.counts.items()},
            "claims": list(self.records),
            "not_checked": [{"text": c.text, "kind": c.kind.value} for c in report.skipped],
            "warnings": list(report.warnings),
            "engine": report.engine.to_dict(),
        }


class Grounding:
    """Checks answers, each against its own contexts or all against one index.

    against: a Checker, or the path of a saved index, for answers that bring no contexts of their
    own; contexts that an answer brings come first. config: settings for contexts.
    May be shared between threads. It can be pickled unless it holds a Checker.
    """

    def __init__(
        self, against: Checker | str | Path | None = None, config: Config | None = None
    ) -> None:
        self.against = against
        self.config = config

    def __call__(self, answer: str | None, contexts: Any = None, question: Any = None) -> Outcome:
        """The outcome for one answer; None is an answer without text.

        contexts: a text, a mapping, an object that holds a text, or any number of these. question:
        what the answer is given to, as a text, a mapping that holds it, or messages.
        """
        checker = self.checker(contexts)
        return outcome(checker.check("" if answer is None else answer, question_of(question)))

    def checker(self, contexts: Any = None) -> Checker:
        """The Checker of these contexts, or of the index that was given where there are none."""
        from halgo.sources.documents import to_documents

        found = sources(contexts)
        if not found and self.against is not None:
            if not isinstance(self.against, (str, Path)):
                return self.against
            written = Path(self.against).stat().st_mtime_ns
            return _saved(str(self.against), written, self.config)
        documents, warnings = to_documents(found)
        return _indexed(tuple(documents), tuple(warnings), self.config)

    def __getstate__(self) -> dict[str, Any]:
        if self.against is not None and not isinstance(self.against, (str, Path)):
            raise TypeError(
                "a Checker holds models and cannot be pickled; save its index "
                "(checker.save('docs.halgo')) and give that path instead"
            )
        return self.__dict__.copy()


def outcome(report: Report) -> Outcome:
    """A report as frameworks take it."""
    if report.state is not State.ASSESSED:
        return Outcome(None, report.state.value, summary(report), _records(report), report)
    score = report.counts[Verdict.SUPPORTED] / len(report)
    found = {result.verdict for result in report}
    worst = next((v for v in _WORST_FIRST if v in found), Verdict.SUPPORTED)
    return Outcome(score, worst.value.lower(), _reason(report), _records(report), report)


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of a framework: a missing one is named with the extra that brings it."""
    try:
        yield
    except ImportError as error:
        raise MissingDependencyError(
            f"halgo.integrations.{extra} needs a package that is not here ({error}); "
            f"run: pip install 'halgo[{extra.replace('_', '-')}]'"
        ) from error


# --- indexes ------------------------------------------------------------------------------------


@lru_cache(maxsize=_KEPT)
def _indexed(
    documents: tuple[Document, ...], warnings: tuple[str, ...], config: Config | None
) -> Checker:
    from halgo.checker import Checker

    return Checker.of(_models(config), documents, warnings)


@lru_cache(maxsize=_KEPT)
def _saved(path: str, written: int, config: Config | None) -> Checker:
    """An index that was written at some time; one written since is another."""
    from halgo.checker import Checker

    return Checker.from_index(path, halgorithm=_models(config))


@lru_cache(maxsize=_KEPT)
def _models(config: Config | None) -> Halgorithm:
    """Those of the process, with other settings where some were given."""
    from halgo.api import shared
    from halgo.halgorithm import Halgorithm

    loaded = shared()
    if config is None:
        return loaded
    return Halgorithm(config, embedder=loaded.embedder, entailment=loaded.entailment)


# --- words and records --------------------------------------------------------------------------


def _reason(report: Report) -> str:
    bad = [result for result in report if result.verdict is not Verdict.SUPPORTED]
    # What is at odds with the sources is named before what merely is not quite said.
    bad.sort(key=lambda result: _WORST_FIRST.index(result.verdict))
    told = [f"[{r.claim.id}] {r.verdict}: {_short(_why(r))}" for r in bad[:_MOST_NAMED]]
    more = [f"and {len(bad) - _MOST_NAMED} more"] if len(bad) > _MOST_NAMED else []
    return " | ".join([summary(report), *told, *more])


def _why(result: ClaimResult) -> str:
    return f"{why(result)} ({one_line(result.claim.text)})"


def _records(report: Report) -> tuple[dict[str, Any], ...]:
    return tuple(_record(result) for result in report)


def _record(result: ClaimResult) -> dict[str, Any]:
    """One claim as plain values; spans are [start, end) in characters of answer and source."""
    found = result.evidence
    location = found.location if found else None
    return {
        "claim_id": result.claim.id,
        "claim": result.claim.text,
        "span": [result.claim.span.start, result.claim.span.end],
        "verdict": result.verdict.value,
        "supported": result.verdict is Verdict.SUPPORTED,
        "score": round(result.score, 4),
        "reason": result.reason,
        "message": why(result),
        "source": found.source if found else None,
        "source_id": found.chunk.doc_id if found else None,
        "source_location": str(location) if location else None,
        "source_span": [found.span.start, found.span.end] if found else None,
        "passage": _sentence(found) if found else None,
    }


def _sentence(evidence: Evidence) -> str:
    """The sentence of a passage that is about the claim."""
    return evidence.span.shift(-evidence.chunk.span.start).of(evidence.chunk.text)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + " ..."
