"""An answer -> one decision: may it be returned? Every claim supported, unsupported, contradicted.

    confidence = 1 - 0.8 * contradicted / total - 0.3 * unsupported / total

A contradiction weighs more, for it is provably wrong, while what no source says may still be a
fair conclusion. An answer is hallucinated when anything in it is contradicted, or when the
confidence is below 0.5; the weights and the cut are settings.

Where nothing could be assessed the confidence is 0, so that the answer is not returned either:
without sources, without claims, and of course where it is empty. Only one that declines to answer
may be returned, since it asserts nothing and says so.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from halgo.claims.extract import extract, is_refusal
from halgo.errors import ConfigError
from halgo.printable import printable, shows
from halgo.protocols import TextModel
from halgo.report.chosen import claims_of, judged
from halgo.report.claimtypes import claim_type
from halgo.report.judgeverdict import (
    CONTRADICTED,
    SUPPORTED,
    UNSUPPORTED,
    JudgedClaim,
    JudgeVerdict,
    Summary,
    confidence,
    count,
)
from halgo.report.marks import own_claims
from halgo.report.quotes import quotes
from halgo.report.report import Report
from halgo.report.sections import Sections, checker_for, require_checker, to_sections, widened
from halgo.report.unchecked import Unchecked, unchecked
from halgo.settings import differing, is_number, read_table, shown
from halgo.types import Claim, ClaimResult, Document, Facts, Stance, State, Verdict
from halgo.verdict.unread_languages import LANGUAGE

if TYPE_CHECKING:
    from halgo import Checker

# What a [judge] table may hold.
SETTINGS = ("contradicted_weight", "unsupported_weight", "cut", "weak_is", "return_without_claims")
WEAK_IS = ("complete", SUPPORTED, UNSUPPORTED)
_AGAINST = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
_NO_CLAIMS = "Found no claims to check"
_WITHHELD = "Nothing could be assessed, so it may not be returned."
_WHY = {
    State.EMPTY: f"The answer is empty: there are no claims to check. {_WITHHELD}",
    State.REFUSAL: (
        "The answer declines to answer: there are no claims to check. It asserts nothing, so it "
        "may be returned."
    ),
    State.NO_CLAIMS: f"{_NO_CLAIMS}. {_WITHHELD}",
    State.NO_SOURCES: f"{_WITHHELD} No source holds any text.",
}

MoreContext = Callable[[JudgedClaim], Sections | None]


class Judge:
    """Decides on answers by the documents of a Checker, or by the sections given with each.

    contradicted_weight, unsupported_weight: what a claim of that status takes from the
        confidence, divided by the number of claims; 0 or more. cut: the least confidence of an
        answer that may be returned, in [0, 1].
    return_without_claims: whether an answer that asserts nothing checkable, such as a greeting or a
        question, may be returned.
    weak_is: what WEAK_SUPPORT counts as: "supported", "unsupported", or "complete": supported
        only where no detector misses anything of the claim.
    more_context: asked for further sections before a claim is called unsupported; the claim is
        then judged once more. What it raises is a warning of the verdict.
    text_model: splits answers into claims instead of halgo; its replies are held against the
        answer, and where it fails halgo does it, with a warning.
    Raises ValueError or TypeError for a setting that is none of these.
    """

    def __init__(
        self,
        checker: Checker | None = None,
        *,
        contradicted_weight: float = 0.8,
        unsupported_weight: float = 0.3,
        cut: float = 0.5,
        weak_is: str = "complete",
        return_without_claims: bool = False,
        more_context: MoreContext | None = None,
        text_model: TextModel | None = None,
    ) -> None:
        if checker is not None:
            require_checker(checker)
        self.checker = checker
        self.contradicted_weight = _number("contradicted_weight", contradicted_weight)
        self.unsupported_weight = _number("unsupported_weight", unsupported_weight)
        self.cut = _number("cut", cut, most=1.0)
        if weak_is not in WEAK_IS:
            choices = ", ".join(map(repr, WEAK_IS))
            raise ValueError(f"weak_is must be one of {choices}, not {shown(weak_is)}")
        self.weak_is = weak_is
        if not isinstance(return_without_claims, bool):
            given = shown(return_without_claims)
            raise ValueError(f"return_without_claims must be true or false, not {given}")
        self.return_without_claims = return_without_claims
        self.more_context = _require_callable("more_context", more_context)
        self.text_model: TextModel | None = _require_callable("text_model", text_model)

    def __repr__(self) -> str:
        changed = differing(self, type(self)(), SETTINGS)
        return f"<Judge {', '.join([f'checker={self.checker!r}', *changed])}>"

    @classmethod
    def from_toml(
        cls,
        path: str | Path,
        checker: Checker | None = None,
        *,
        more_context: MoreContext | None = None,
        text_model: TextModel | None = None,
    ) -> Self:
        """A Judge with the settings of a TOML file: its [judge] table, or the whole file.

        Raises ConfigError with file, key and reason.
        """
        given = read_table(path, "judge", SETTINGS)
        try:
            return cls(checker, more_context=more_context, text_model=text_model, **given)
        except ValueError as error:
            raise ConfigError(f"{printable(str(path))}, judge: {error}") from error

    def evaluate(
        self, answer: str, context: Sections | None = None, *, question: str | None = None
    ) -> JudgeVerdict:
        """The decision on an answer.

        context: the sections it was made from, dicts with `title`, `content` and `page_num` or
        anything else that `Checker.from_docs` takes; they are the only sources then. question:
        what the answer is given to, as `Checker.check` takes it.
        The verdict may be awaited, as in the published code; it is there by then. `aevaluate` keeps
        an event loop free.
        Raises ValueError without a checker and a context, TypeError for an answer or a context
        of another type.
        """
        checker = checker_for(self.checker, context)
        claims, own, warnings = claims_of(
            answer, checker.config.granularity, self.text_model, question
        )
        pairs = judged(claims, checker.index)
        results = checker.judge([claim for claim, _ in pairs])
        report = checker.report(answer, claims, results)
        known = {claim.id: facts for claim, facts in pairs}
        known |= {claim.id: facts for claim, facts in judged(_beyond(report, known))}
        results = [found for found in report.results if found.claim.id in known]
        report = replace(report, results=tuple(results))
        facts = [known[found.claim.id] for found in results]
        left = _left_out(claims, results)
        return self._decided(checker, report, facts, own, warnings, unchecked(left, own))

    async def aevaluate(
        self, answer: str, context: Sections | None = None, *, question: str | None = None
    ) -> JudgeVerdict:
        """`evaluate` in a worker thread, so that an event loop stays free."""
        return await asyncio.to_thread(self.evaluate, answer, context, question=question)

    def judge(self, report: Report) -> JudgeVerdict:
        """The decision on an answer that this judge's checker has made a report of.

        Nothing is searched or read again. Raises ValueError for the report of another checker.
        """
        checker = checker_for(self.checker, None)
        if report.engine.index_digest != checker.index.digest:
            raise ValueError("the report is of other documents than those of the judge's checker")
        kept = {claim: facts for claim, facts in judged([r.claim for r in report], checker.index)}
        results = tuple(result for result in report if result.claim in kept)
        facts = [kept[result.claim] for result in results]
        placed = not own_claims(report)
        left = [*report.skipped, *(r.claim for r in report.results if r.claim not in kept)]
        told = unchecked(sorted(left, key=lambda claim: claim.id), placed)
        return self._decided(checker, replace(report, results=results), facts, placed, [], told)

    def _decided(
        self,
        checker: Checker,
        report: Report,
        facts: Sequence[Facts],
        placed: bool,
        warnings: Sequence[str],
        left: tuple[Unchecked, ...],
    ) -> JudgeVerdict:
        """`placed`: whether the claims have their places in the answer; `left`: not checked."""
        said = [*report.warnings, *warnings]
        claims = [
            self._judged(result, fact, checker, placed)
            for result, fact in zip(report, facts, strict=True)
        ]
        sources = report.state is not State.NO_SOURCES
        open_ = [at for at, claim in enumerate(claims) if claim.status == UNSUPPORTED]
        if self.more_context is not None and open_:
            added, told = _further(self.more_context, {at + 1: claims[at] for at in open_})
            said += told
            if added:
                wider = widened(checker, added)
                again = wider.judge([report.results[at].claim for at in open_])
                for at, result in zip(open_, again, strict=True):
                    once_more = self._judged(result, facts[at], wider, placed)
                    claims[at] = replace(once_more, widened=True)
                sources = True
        state = self._state(report, bool(claims), sources)
        return replace(self._verdict(tuple(claims), state, said), unchecked=left)

    def _state(self, report: Report, claims: bool, sources: bool) -> State:
        """What kind of answer was judged, once bare citations are out and further sections in."""
        if not shows(report.answer):
            return State.EMPTY
        if not claims and self._declines(report):
            return State.REFUSAL
        if not sources:
            return State.NO_SOURCES
        return State.ASSESSED if claims else State.NO_CLAIMS

    def _declines(self, report: Report) -> bool:
        if report.results:
            return False
        # The claims of a text model are bare of what is no claim, a refusal included.
        own = extract(report.answer) if self.text_model is not None else ()
        return report.state is State.REFUSAL or is_refusal(report.skipped) or is_refusal(own)

    def _judged(
        self, result: ClaimResult, facts: Facts, checker: Checker, placed: bool
    ) -> JudgedClaim:
        return JudgedClaim(
            text=result.claim.text,
            type=claim_type(result.claim.text, facts),
            status=self._status(result),
            span=result.claim.span if placed else None,
            quotes=quotes(result, checker.index),
            verdict=result.verdict,
            reason=result.reason,
            message=result.message,
        )

    def _status(self, result: ClaimResult) -> str:
        if result.verdict is Verdict.SUPPORTED:
            return SUPPORTED
        if result.verdict is Verdict.CONTRADICTION:
            return CONTRADICTED
        if result.verdict is Verdict.WEAK_SUPPORT and result.reason != LANGUAGE:
            complete = self.weak_is == "complete" and not _misses(result)
            return SUPPORTED if complete or self.weak_is == SUPPORTED else UNSUPPORTED
        return UNSUPPORTED

    def _verdict(
        self, claims: tuple[JudgedClaim, ...], state: State, warnings: Sequence[str]
    ) -> JudgeVerdict:
        summary = count(claims)
        score = confidence(
            summary,
            contradicted_weight=self.contradicted_weight,
            unsupported_weight=self.unsupported_weight,
        )
        returned = state is State.NO_CLAIMS and self.return_without_claims
        held = state not in (State.ASSESSED, State.REFUSAL) and not returned
        score = 0.0 if held else score
        return JudgeVerdict(
            claims=claims,
            confidence_score=round(score, 2),
            is_hallucinated=held or summary.contradicted > 0 or score < self.cut,
            reasoning=_reasoning(summary, state, returned),
            state=state,
            warnings=tuple(dict.fromkeys(warnings)),
        )


def _beyond(report: Report, known: Mapping[int, Facts]) -> list[Claim]:
    """The claims of a report that were not among those chosen: refusals that are wrong."""
    return [found.claim for found in report.results if found.claim.id not in known]


def _left_out(claims: Sequence[Claim], results: Sequence[ClaimResult]) -> list[Claim]:
    """The claims that are not among those judged, in order."""
    taken = {found.claim.id for found in results}
    return [claim for claim in claims if claim.id not in taken]


def _further(
    more_context: MoreContext, claims: Mapping[int, JudgedClaim]
) -> tuple[list[Document], list[str]]:
    """The sections that a caller's function has on claims, by their numbers; and warnings."""
    found: list[Document] = []
    warnings: list[str] = []
    for number, claim in claims.items():
        try:
            given = more_context(claim)
            if inspect.iscoroutine(given):
                given.close()
                raise TypeError("it returned a coroutine; a plain function is needed")
            documents, told = to_sections(given)
        except Exception as error:
            # A fault of the caller's function must not lose what has been found so far.
            problem = f"{type(error).__name__}: {error}"
            warnings.append(f"more_context failed for claim {number}: {problem}")
            continue
        found += (document for document in documents if document.text.strip())
        warnings += (f"more_context, claim {number}: {warning}" for warning in told)
    return found, warnings


def _misses(result: ClaimResult) -> bool:
    """Whether a detector, or the entailment model, finds something of the claim missing."""
    if result.unsupported_terms or not result.assessments:
        return True
    nearest = (*result.signals, *result.assessments[0].signals)
    heard = (s for found in result.assessments for s in found.signals if s.kind == "entailment")
    return any(signal.stance in _AGAINST for signal in (*nearest, *heard))


def _reasoning(summary: Summary, state: State, returned: bool) -> str:
    found = f"{_NO_CLAIMS}."
    if summary.total_claims:
        found = (
            f"Found {summary.supported} supported, {summary.unsupported} unsupported, "
            f"{summary.contradicted} contradicted claims."
        )
    if returned:
        return f"{found} By the settings such an answer may be returned."
    if state is State.NO_SOURCES:
        return f"{found} {_WHY[state]}"
    return _WHY.get(state, found)


def _require_callable(name: str, given: Any) -> Any:
    if given is not None and not callable(given):
        raise TypeError(f"{name} must be a function, not {type(given).__name__}: {given!r:.80}")
    return given


def _number(name: str, value: Any, most: float = sys.float_info.max) -> float:
    if not is_number(value) or not 0 <= value <= most:  # a NaN is not between two numbers either
        span = f"from 0 to {most:g}" if most < sys.float_info.max else "of 0 or more"
        raise ValueError(f"{name} must be a number {span}, not {shown(value)}")
    return float(value)
