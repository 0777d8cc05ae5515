"""A Report -> its parts with what to mark in them, for every way of showing it.

The answer, a claim and a passage become runs of the original text, each with a mark, and safe to
print (safe.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from halgo.facts.numberwords import PLURAL_SCALES, SCALES, read
from halgo.facts.words import MONTHS, WEEKDAYS
from halgo.report.safe import clean, one_line
from halgo.types import (
    BAD,
    Assessment,
    Claim,
    ClaimResult,
    Location,
    Signal,
    Span,
    Stance,
    State,
    Verdict,
)

if TYPE_CHECKING:
    from halgo.report.report import Report


class Mark(StrEnum):
    """What a run of text is marked for."""

    NONE = ""
    CONTRADICTED = "contradicted"  # a claim that the sources contradict
    NOT_FOUND = "not found"  # a claim that the sources do not hold
    WEAK = "weak"  # a claim that a passage is about, without saying all of it
    WORDS = "words"  # the very words that disagree, or are missing


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text with one mark; `claim` is the number of the claim that ends with it."""

    text: str
    mark: Mark = Mark.NONE
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The passage that a verdict rests on, as runs, and where it comes from.

    `location` is where in its file it stands; None where that is not known.
    """

    source: str
    runs: tuple[Run, ...]
    location: Location | None = None
    located: str = ""  # the same in words, safe as the runs are

    @property
    def origin(self) -> str:
        """Source and location in words: "annual.pdf, page 12"."""
        return ", ".join(filter(None, (self.source, self.located)))


# Kinds that rest on how a thing is said, not on two values: their messages say all there is to say.
_IN_WORDS = frozenset(
    {"negation", "antonym", "modality", "quantifier", "order_conflict", "swapped_names"}
    | {"not_derivable"}
)
_CALENDAR = frozenset({*MONTHS, *WEEKDAYS})
# A signal at least this sure is worth underlining.
_SHOWN = 0.4
_MARKS = {
    Verdict.CONTRADICTION: Mark.CONTRADICTED,
    Verdict.HALLUCINATION: Mark.NOT_FOUND,
    Verdict.WEAK_SUPPORT: Mark.WEAK,
}


# --- in words -----------------------------------------------------------------------------------

_STATES = {
    State.NO_CLAIMS: "Nothing was checked: the answer asserts nothing checkable.",
    State.REFUSAL: "Nothing was checked: the answer declines to answer.",
    State.NO_SOURCES: "Nothing could be checked: the documents hold no text.",
    State.EMPTY: "Nothing was checked: the answer is empty.",
}


def summary(report: Report) -> str:
    """The report in a line: "3 of 5 claims supported, 1 contradicted; weakest 0.04"."""
    if report.state is not State.ASSESSED:
        return _STATES[report.state]
    counts, total = report.counts, len(report.results)
    claims = "claim" if total == 1 else "claims"
    parts = [f"{counts[Verdict.SUPPORTED]} of {total} {claims} supported"]
    for verdict, name in (
        (Verdict.WEAK_SUPPORT, "weakly supported"),
        (Verdict.CONTRADICTION, "contradicted"),
        (Verdict.HALLUCINATION, "not found"),
    ):
        if counts[verdict]:
            parts.append(f"{counts[verdict]} {name}")
    return f"{', '.join(parts)}; weakest {report.weakest:.2f}"


def status(result: ClaimResult) -> str:
    """The verdict as shown: its name, or "ERROR" for a formula that classic mode cannot read."""
    return one_line(str(result.details.get("status", result.verdict.value)))


def why(result: ClaimResult, line: Callable[[str], str] = one_line) -> str:
    """The reason for a verdict in words, both values in it; "" for plain support.

    line: what makes text of users fit for where it is shown.
    """
    said = line(result.message)
    signal = deciding(result)
    if not said and signal is not None and signal.message:
        said = line(signal.message)
    if not said and result.verdict is not Verdict.SUPPORTED:
        said = line(result.reason).replace("_", " ")
    if signal is not None and signal.values is not None and signal.kind not in _IN_WORDS:
        ours, theirs = (line(value).rstrip(".") for value in signal.values)
        if ours and theirs and ours != theirs and (ours not in said or theirs not in said):
            said = f"{said.rstrip('.')} (claim: {ours}; source: {theirs}).".strip()
    derived = [line(s.message) for s in _all_signals(result) if s.kind == "derived"]
    if result.verdict in (Verdict.SUPPORTED, Verdict.WEAK_SUPPORT) and derived:
        said = " ".join(part for part in (said, derived[0] + ".") if part)
    return said


def missing(result: ClaimResult) -> list[str]:
    """The names of a bad claim that no source holds, as the claim writes them.

    Its numbers are left to the reason: "in no source: 54" says nothing where the source has £270.
    """
    if result.verdict not in BAD:
        return []
    text = result.claim.text
    found = []
    for term in result.unsupported_terms:
        place = re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE)
        word = place[0] if place else term
        low = word.lower()
        number = low in SCALES or low in PLURAL_SCALES or read([low]) is not None
        if word[:1].isalpha() and low not in _CALENDAR and not number:
            found.append(one_line(word))
    return found


def deciding(result: ClaimResult) -> Signal | None:
    """The signal that a verdict rests on, where it rests on one."""
    part = _part(result)
    if part is not None:
        return deciding(part)
    signals = _all_signals(result)
    named = [signal for signal in signals if signal.kind == result.reason]
    exact = [signal for signal in named if signal.message == result.message]
    return next(iter(exact or named), None)


def _part(result: ClaimResult) -> ClaimResult | None:
    """The clause that a contradiction is taken from, where the claim was judged by its clauses."""
    told = (part for part in result.parts if part.verdict is Verdict.CONTRADICTION)
    against = result.verdict is Verdict.CONTRADICTION
    return next((part for part in told if against and part.message == result.message), None)


def _all_signals(result: ClaimResult) -> list[Signal]:
    of_passages = [signal for found in result.assessments for signal in found.signals]
    return [*result.signals, *of_passages]


# --- runs -----------------------------------------------------------------------------------------


def offsets(report: Report) -> dict[int, int]:
    """Where each claim's own text begins in the answer, by claim number.

    0 for the claims of an answer, whose spans count there; for the caller's own claims, whose
    spans count in their own texts, the start of their line in `report.answer`.
    """
    claims = _claims(report)
    lengths = [claim.span.end for claim in claims]
    if not own_claims(report) or sum(lengths) + len(claims) - 1 != len(report.answer):
        return dict.fromkeys((claim.id for claim in claims), 0)
    starts: dict[int, int] = {}
    at = 0
    for claim, length in zip(claims, lengths, strict=True):
        starts[claim.id] = at
        at += length + 1
    return starts


def own_claims(report: Report) -> bool:
    """Whether the report is about several claims of the caller's own, each with its own text."""
    claims = _claims(report)
    return len(claims) > 1 and all(claim.span.start == 0 for claim in claims)


def _claims(report: Report) -> list[Claim]:
    every = [*(result.claim for result in report.results), *report.skipped]
    return sorted(every, key=lambda claim: claim.id)


def answer_runs(report: Report) -> tuple[Run, ...]:
    """The whole answer, claims that are not supported marked with their numbers."""
    starts = offsets(report)
    doubted = [
        (result.claim.span.shift(starts[result.claim.id]), mark, result.claim.id)
        for result in report.results
        if (mark := _MARKS.get(result.verdict))
    ]
    bad = [one for one in doubted if one[1] is not Mark.WEAK]
    # Where clauses are claims, a weak one may lie over a bad one, which is not to be hidden.
    bad += [
        one
        for one in doubted
        if one[1] is Mark.WEAK and not any(one[0].overlaps(worse[0]) for worse in bad)
    ]
    runs: list[Run] = []
    at = 0
    for span, mark, number in sorted(bad):
        start, end = max(at, span.start), min(span.end, len(report.answer))
        if start >= end:
            continue
        text = report.answer[start:end]
        lead = len(text) - len(text.lstrip())
        tail = len(text.rstrip())
        runs.append(Run(clean(report.answer[at : start + lead])))
        runs.append(Run(clean(text[lead:tail]), mark, number))
        runs.append(Run(clean(text[tail:])))
        at = end
    runs.append(Run(clean(report.answer[at:])))
    return tuple(run for run in runs if run.text)


def claim_runs(report: Report, result: ClaimResult, start: int) -> tuple[Run, ...]:
    """One claim with the words marked that disagree or are missing; white space single.

    start: what `offsets` says of the claim.
    """
    claim = result.claim
    text = claim.span.shift(start).of(report.answer)
    if _plain(text) != _plain(claim.text):
        return (Run(one_line(claim.text)),)  # an atomic claim: its subject stands elsewhere
    spans = [
        signal.claim_span.shift(-claim.span.start)
        for signal in marked(result)
        if signal.claim_span is not None
    ]
    return _runs(text, spans)


def passage(
    result: ClaimResult, longest: int = 400, safe: Callable[[str], str] = clean
) -> Passage | None:
    """The passage that the verdict rests on; None when there is none.

    Its best sentence, or all of it when a marked word lies outside that; at most about
    `longest` characters, cut around what is marked. safe: what makes text of users fit for where
    it is shown.
    """
    found = resting_on(result)
    return None if found is None else _passage(found, result, longest, safe)


def passages(
    result: ClaimResult, longest: int = 400, safe: Callable[[str], str] = clean
) -> tuple[Passage, ...]:
    """The same, of all passages that the verdict rests on together; none where there is none."""
    found = resting_on(result)
    if found is None:
        return ()
    further = result.assessments[1 : result.rests_on] if found is result.assessments[0] else ()
    return tuple(_passage(one, result, longest, safe) for one in (found, *further))


def _passage(
    found: Assessment, result: ClaimResult, longest: int, safe: Callable[[str], str]
) -> Passage:
    evidence = found.evidence
    text, start = evidence.chunk.text, evidence.chunk.span.start
    spans = [
        signal.evidence_span.shift(-start)
        for signal in _worth(found.signals, result)
        if signal.evidence_span is not None
    ]
    best, location = evidence.span.shift(-start), evidence.located(evidence.chunk.span)
    inside = all(best.start <= span.start and span.end <= best.end for span in spans)
    if inside and 0 <= best.start < best.end <= len(text):
        text, location = best.of(text), evidence.location
        spans = [span.shift(-best.start) for span in spans]
    source = " ".join(safe(evidence.source).split())
    located = "" if location is None else " ".join(safe(str(location)).split())
    return Passage(source, shortened(_runs(text, spans, safe), longest), location, located)


def shortened(runs: Sequence[Run], longest: int) -> tuple[Run, ...]:
    """Runs of at most about `longest` characters, cut around the first that is marked."""
    total = sum(len(run.text) for run in runs)
    if total <= longest:
        return tuple(runs)
    at = 0
    for run in runs:
        if run.mark:
            break
        at += len(run.text)
    else:
        at = 0
    start = max(0, min(at - longest // 3, total - longest))
    kept: list[Run] = []
    position = 0
    for run in runs:
        low, high = max(start - position, 0), min(start + longest - position, len(run.text))
        if low < high:
            kept.append(Run(run.text[low:high], run.mark, run.claim))
        position += len(run.text)
    front = (Run("…"),) if start else ()
    back = (Run("…"),) if start + longest < total else ()
    return (*front, *kept, *back)


def resting_on(result: ClaimResult) -> Assessment | None:
    """The passage that is shown beside a claim; None where there is none, as beside a sum."""
    part = _part(result)
    if part is not None:
        return resting_on(part)
    signal = deciding(result)
    for found in result.assessments:
        if signal is not None and any(signal is other for other in found.signals):
            return found
    if signal is not None and signal.kind == "arithmetic":
        return None  # a sum rests on no passage
    return result.assessments[0] if result.assessments else None


def marked(result: ClaimResult) -> list[Signal]:
    """The signals whose words are underlined: of the claim, and of the passage it rests on."""
    found = resting_on(result)
    return _worth((*result.signals, *(found.signals if found else ())), result)


def _worth(signals: Iterable[Signal], result: ClaimResult) -> list[Signal]:
    """The signals to underline: those against a bad claim, the derivation of a good one."""
    if result.verdict is Verdict.SUPPORTED:
        return [signal for signal in signals if signal.kind == "derived"]
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    return [s for s in signals if s.stance in against and s.weight >= _SHOWN]


def _runs(text: str, spans: Iterable[Span], safe: Callable[[str], str] = clean) -> tuple[Run, ...]:
    """`text` with `spans` of it marked, made safe to print, white space single."""
    runs: list[Run] = []
    at = 0
    for span in Span.joined(spans):  # two marks side by side would be read as one sign
        start, end = max(at, span.start), min(span.end, len(text))
        if start >= end:
            continue
        runs += (Run(text[at:start]), Run(text[start:end], Mark.WORDS))
        at = end
    runs.append(Run(text[at:]))
    tidy: list[Run] = []
    for run in runs:
        words = re.sub(r"\s+", " ", safe(run.text))
        if not tidy or tidy[-1].text.endswith(" "):
            words = words.lstrip(" ")
        if words:
            tidy.append(Run(words, run.mark))
    if tidy:
        tidy[-1] = Run(tidy[-1].text.rstrip(" "), tidy[-1].mark)
    return tuple(run for run in tidy if run.text)


def _plain(text: str) -> str:
    """The letters and digits of a text: equal for a sentence and its reading without markdown."""
    return "".join(filter(str.isalnum, text))
