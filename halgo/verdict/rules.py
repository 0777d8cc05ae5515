"""Scores and signals of one claim -> its verdict. One table, read from top to bottom.

| # | condition | verdict | reason |
|---|---|---|---|
| 1 | a sum in the claim is wrong; or the claim is a sum and right | CONTRADICTION; SUPPORTED | `arithmetic` |
| 2 | a passage reaches `support_threshold` (or `threshold`, when the claim's number is derived from its numbers), nothing in it speaks against the claim, and no passage nearer the subject contradicts it, or supports it but for something that speaks against it | SUPPORTED | `supported` |
| 3 | a passage about the claim contradicts it | CONTRADICTION | the signal's kind |
| 4 | the same words of the claim are unsupported in every passage | HALLUCINATION | the signal's kind |
| 5 | the entailment model is sure that the passages contradict it, and no comparison, schedule or row in them agrees with it | CONTRADICTION | `entailment` |
| 6 | a passage about the claim reaches `threshold` | WEAK_SUPPORT | `weak_support` |
| 7 | otherwise | HALLUCINATION | `no_evidence` |

Where claim or passage is not in English (`verdict/unread_languages.py`) the passage supports nothing, and
only an amount, a date or a name of it contradicts; rows 6 and 7 then have the reason `language`.

Row 2 is passed over where the entailment model contradicts the claim, surely or with most of its
words in a passage (which then are turned round), no passage has all of them, and nothing in the
passages agrees with more than what it names.

A passage that has next to nothing to do with the claim supports it in row 2 only where something in
it surely agrees. There a name that stands nowhere does not speak against what the entailment model agrees with,
nor an amount or date against what it is sure of, unless a passage tells it of something else, or
another in its stead. And of a figure that is contradicted, a passage that gives no more than a
bound for it ("at least €49") confirms nothing.

A claim that the sources do not speak of something is decided before row 2: it is a CONTRADICTION,
`mentioned`, where one does, WEAK_SUPPORT where one may, SUPPORTED, `not_mentioned`, where none does.
So is one that says of a case on one side of a limit what the model is sure that the passages say of
those on the other: a CONTRADICTION, `other_case`.

Two rows stand before row 2, of what sources say of each other (`verdict/precedence.py`). Where all
that supports the claim is outranked by a passage that says otherwise it is a CONTRADICTION,
`superseded`. Where a passage of another document and of equal rank says the claim's sentence with
another value it is WEAK_SUPPORT, `sources_disagree`: neither side is known to be wrong. And what an
outranked passage says against a claim does not count where the one that outranks it agrees.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from halgo.config import Config
from halgo.evidence.lexical import overlap
from halgo.signals.quantities.lacking import LACKS
from halgo.types import Assessment, Claim, ClaimKind, Signal, SourceKind, Span, Stance, Verdict
from halgo.verdict.precedence import disputed, named, outranks, overruling, told_apart
from halgo.verdict.unread_languages import LANGUAGE, in_part, note_of

# A signal at least this sure decides by itself; weaker ones only move the score.
DECIDES = 0.5
# The highest score of a claim that a signal has decided against; below `support_threshold`.
DOUBTED = 0.60
# The least similarity or lexical score of a passage that supports a claim: of what has nothing to do
# with a text the models are undecided, and "blah blah" would pass. Of our true claims none is below
# but where something surely agrees (a long record has few of a claim's words).
NOT_ABOUT = 0.2
# By how much a contradicting passage must be nearer the subject than a supporting one to win.
NEARER = 0.05
# By how much it may be nearer than one that confirms its very words: what is further off lacks
# words of the claim. "The Pro plan costs 19 EUR" does not confirm what is said of the Basic plan.
FAR_NEARER = 0.10
# The most that a bound tells for an amount that it leaves room for.
ROOM = 0.3
# ... and to make a support of other passages none at all, where it only says less than the claim.
OUTSHONE = 0.25
# The kind of the entailment model's signal. It has its say in the score, with all else that speaks
# for or against the claim, so here it only tells a contradiction from a lack of support.
MODEL = "entailment"
# Its kind where it says of cases on one side of a limit what the claim says of one on the other.
OTHER_CASE = "other_case"
# The kind that tells of a passage in a section on something else than the claim's.
ELSEWHERE = "other_section"
# The name of what tells which record a claim is about.
RECORDS = "records"
# How sure the model has to be of that: short of it, what it doubts is only not supported.
MODEL_DECIDES = 0.75
# How surely the model contradicts a claim of which a passage has so large a share of the words for
# none to support it: of such claims, with nothing else that agrees, most are false.
TURNED, COPIED = 0.55, 0.7
# How surely for what no source mentions to be another value of a field.
TELLS_OTHERWISE = 0.97
# ... and for none to support one in other words; and one with an amount that agrees.
DENIES, SURE_OF_DENIAL = 0.65, 0.8
_OF_FIELDS = (SourceKind.TOOL, SourceKind.ROW)
# What agrees in what a claim names, or in the order of its events, and not in what it says of them.
NAMED = frozenset({"identifier_agrees", "order_agrees"})
# Whether the sources speak of what the claim says they do not; its own words in them say nothing.
SILENCE = frozenset({"mentioned", "not_mentioned"})
# What is worked out exactly and agrees: the model errs more often than these do.
WORKED_OUT = frozenset({"comparison_agrees", "yes_no_agrees", "schedule_agrees", "rows_agree"})
# What shows that the claim's own number is the one that follows from the passage.
FOLLOWS = frozenset({"derived", "schedule_agrees", "rows_agree"})
# What does not stand against a claim that the model has read, does not surely doubt, and supports
# at least so surely, where the score is high enough with it: texts call by another word ("the
# virus", "he") what the claim names, and amounts can be told without a figure ("about a third was
# left", "two years after").
# Where a passage does tell the figure, or another in its stead, there is nothing to forgive.
FORGIVEN: Mapping[str, float] = {
    "unsupported_name": 0.0,
    "unsupported_number": MODEL_DECIDES,
    "unsupported_date": MODEL_DECIDES,
    "unsupported_link": MODEL_DECIDES,
    "unanswered": MODEL_DECIDES,
}
# ... unless it lacks more surely than this: what is told to three digits is told with a figure.
MOST_FORGIVEN = 0.8
# Rules about wording that say nothing where the model is so sure that the sources say the claim:
# there they are wrong more often than it is.
YIELDING, SURE_OF_SUPPORT = frozenset({"polarity", "coordinated_amounts"}), 0.8
STRENGTH = "strength"  # the name of what tells how strong an operator is
Forgiven = tuple[str, Span | None]  # a kind of signal, and its place in the claim
FIGURES = frozenset({"number_agrees", "number_conflict", "date_agrees", "date_conflict"})
# A value in the place of another, which is compared exactly.
VALUES = frozenset({"number_conflict", "word_conflict", "rows_conflict"})
# What the record of another thing is known by.
OTHER_NAME = "unsupported_name"
# How near a passage must be to be about a claim, with a calibration; else it is `threshold`.
ABOUT = Config().threshold
USUAL = Config().support_threshold


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with its reason: a short code, and a sentence for the reader."""

    verdict: Verdict
    reason: str
    message: str
    score: float
    raw_score: float | None = None  # before the calibration; None without one


@dataclass(frozen=True, slots=True)
class Cuts:
    """The cut points on the scale of uncalibrated scores.

    threshold, support_threshold: as in `Config`; infinite where no score is good enough.
    about: lowest similarity or lexical score of a passage that is about a claim.
    """

    threshold: float
    support_threshold: float
    about: float

    @classmethod
    def of(cls, config: Config) -> Cuts:
        """The cut points of these settings."""
        if config.calibration is None:
            return cls(config.threshold, config.support_threshold, config.threshold)
        # A cosine is no probability, so a calibration says nothing of what a passage is about.
        to_score = config.calibration.score_of
        return cls(to_score(config.threshold), to_score(config.support_threshold), ABOUT)


def decide(
    claim: Claim,
    assessments: Sequence[Assessment],
    claim_signals: Sequence[Signal],
    config: Config,
) -> Decision:
    """The verdict on one claim. `claim_signals` are those of the claim alone.

    The order of the passages changes no verdict, only what a message is about: the first. A
    calibration changes where the cuts are and what the score is called, never the table.
    """
    cuts = Cuts.of(config)
    ranked = sorted(assessments, key=best_first)
    read = in_part(ranked, claim_signals, min(cuts.about, ABOUT))
    decision = _decide(claim, read, claim_signals, cuts)
    if decision.verdict is not Verdict.SUPPORTED and cuts.support_threshold > USUAL:
        # Who asks for more support doubts more, and finds no more that speaks against the claim.
        usual = _decide(claim, read, claim_signals, replace(cuts, support_threshold=USUAL))
        if usual.verdict is Verdict.SUPPORTED:
            decision = Decision(Verdict.WEAK_SUPPORT, "weak_support", "", usual.score)
    if decision.reason == "weak_support":
        decision = replace(decision, message=_weak(claim, assessments, decision.score, config))
    # Where nothing was found, what was not read may say it.
    looked_at = assessments if decision.reason == "no_evidence" else read
    decision = _as_unread(decision, looked_at, claim_signals)
    if config.calibration is None:
        return decision
    score = config.calibration(decision.score)
    return replace(decision, score=score, raw_score=decision.score)


def _decide(
    claim: Claim,
    assessments: Sequence[Assessment],
    claim_signals: Sequence[Signal],
    cuts: Cuts,
) -> Decision:
    top = max((found.score for found in assessments), default=0.0)

    sums = [signal for signal in claim_signals if signal.kind == "arithmetic"]
    wrong = [signal for signal in sums if signal.stance is Stance.CONTRADICTS]
    if wrong:
        return _against(Verdict.CONTRADICTION, wrong[0], top)
    if sums and claim.kind is ClaimKind.ARITHMETIC:
        return Decision(Verdict.SUPPORTED, "arithmetic", sums[0].message, max(top, sums[0].weight))

    silence = _of_silence(assessments, top)
    if silence is not None:
        return silence

    other_case = next((s for f in assessments for s in f.signals if s.kind == OTHER_CASE), None)
    if other_case is not None:
        return _against(Verdict.CONTRADICTION, other_case, top)

    heard = next((s for f in assessments for s in f.signals if s.kind == MODEL), None)
    sure_of = heard.stance if heard is not None and heard.weight >= MODEL_DECIDES else None
    assessments = _beside_the_model(assessments, heard)
    forgiven = _forgiven(assessments, heard)
    told = _in_force(assessments, forgiven, cuts)
    enough = [found for found in told if _enough(found, cuts)]
    opposed = [found for found in enough if _opposed(found, forgiven)]
    supporting = [
        f
        for f in enough
        if f not in opposed and not _outshone(f, opposed) and not _borrowed(f, told)
    ]
    if supporting and _is_denied(claim, heard, assessments):
        supporting = []
    overruled = [overruling(told, found, DECIDES) for found in supporting]
    if overruled and all(overruled):
        return _superseded(supporting[0], overruled[0], top)
    disputes = disputed(told, supporting)
    if disputes is not None:
        return _disputed(*disputes, top)
    contradiction = _strongest(told, supporting, cuts)
    if supporting and contradiction is None:
        derived = max((_derivation(found) for found in supporting), default=0.0)
        message = _outdated(supporting[0], assessments, told)
        return Decision(Verdict.SUPPORTED, "supported", message, max(top, derived))
    if contradiction:
        return _against(Verdict.CONTRADICTION, contradiction, top)

    unsupported = _unsupported_everywhere(assessments)
    if unsupported and not _has_another_value(assessments):
        return _against(Verdict.HALLUCINATION, unsupported, top)
    agreed = any(s.kind in WORKED_OUT for found in assessments for s in found.signals)
    if heard and sure_of is Stance.CONTRADICTS and not agreed:
        return Decision(Verdict.CONTRADICTION, MODEL, heard.message, min(top, DOUBTED))
    # Of something else altogether a passage leaves the model in doubt, which is no support.
    least = min(cuts.about, ABOUT)  # who asks for more support asks for no nearer subject
    if any(found.score >= cuts.threshold and _is_about(found, least) for found in assessments):
        return Decision(Verdict.WEAK_SUPPORT, "weak_support", "", top)
    return Decision(Verdict.HALLUCINATION, "no_evidence", _nothing(assessments), top)


def _is_denied(claim: Claim, heard: Signal | None, assessments: Sequence[Assessment]) -> bool:
    """Whether the model contradicts the claim, surely or in its own words, and nothing agrees.

    An amount or a date that agrees is of something else where the model is surer still.
    """
    if heard is None or heard.stance is not Stance.CONTRADICTS or heard.weight < TURNED:
        return False
    signals = [signal for found in assessments for signal in found.signals]
    beside = NAMED | FIGURES if heard.weight >= SURE_OF_DENIAL else NAMED
    if any(s.stance is Stance.SUPPORTS and s.kind not in beside for s in signals):
        return False
    # Where all words are there it is their order that turns the claim round: that is for the rules.
    read = [one.evidence for one in assessments]
    shares = [overlap(claim.text, one.reading.text) for one in read]
    if max(shares, default=0.0) == 1.0:
        return False
    # The fields of a record the model reads less surely than prose.
    prose = [share for one, share in zip(read, shares, strict=True) if one.kind not in _OF_FIELDS]
    return heard.weight >= DENIES or max(prose, default=0.0) >= COPIED


def _has_another_value(assessments: Sequence[Assessment]) -> bool:
    """Whether a field, "currency: EUR", has another value than the claim, by the model's reading.

    In prose a name that stands nowhere is made up, whatever stands in its place.
    """
    return any(
        signal.kind == MODEL
        and signal.stance is Stance.CONTRADICTS
        and signal.weight >= TELLS_OTHERWISE
        and ": " in found.evidence.best.of(found.evidence.reading.text)
        for found in assessments
        for signal in found.signals
    )


def _of_silence(assessments: Sequence[Assessment], top: float) -> Decision | None:
    """What is decided of a claim that the sources are silent about something."""
    told = [s for f in assessments for s in f.signals if s.kind in SILENCE]
    signal = max(told, key=lambda one: one.weight, default=None)
    if signal is None:
        return None
    if signal.stance is Stance.SUPPORTS:
        return Decision(Verdict.SUPPORTED, signal.kind, signal.message, max(top, signal.weight))
    if signal.weight >= DECIDES:
        return _against(Verdict.CONTRADICTION, signal, top)
    return _against(Verdict.WEAK_SUPPORT, signal, top)


def _as_unread(
    decision: Decision, looked_at: Sequence[Assessment], claim_signals: Sequence[Signal]
) -> Decision:
    """The decision with the language as its reason, where one that is not read has a part in it."""
    every = (claim_signals, *(found.signals for found in looked_at))
    note = next(filter(None, map(note_of, every)), None)
    if note is None or decision.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTION):
        return decision
    message = note.message
    if decision.verdict is Verdict.HALLUCINATION:
        message = f"{message.removesuffix('.')}, and nothing like it was found."
    return replace(decision, reason=LANGUAGE, message=message, score=min(decision.score, DOUBTED))


def _beside_the_model(
    assessments: Sequence[Assessment], heard: Signal | None
) -> Sequence[Assessment]:
    """The passages without what a rule that yields to the model said, where that is so sure."""
    if heard is None or heard.stance is not Stance.SUPPORTS or heard.weight < SURE_OF_SUPPORT:
        return assessments
    return [
        replace(found, signals=tuple(s for s in found.signals if not _yields(s)))
        for found in assessments
    ]


def _yields(signal: Signal) -> bool:
    """Whether a rule says nothing where the model is sure: of wording, or of what is not said.

    "You have to pay 5 euros" is what "a ticket costs 5 euros" means, though it names no duty.
    """
    lacks = signal.detector == STRENGTH and signal.stance is Stance.UNSUPPORTED
    return (lacks and signal.evidence_span is None) or signal.detector in YIELDING


def _forgiven(assessments: Sequence[Assessment], heard: Signal | None) -> frozenset[Forgiven]:
    """What does not speak against the claim where the model was `heard`: kinds, places."""
    backed = heard.weight if heard is not None and heard.stance is Stance.SUPPORTS else 0.0
    if heard is None or (not backed and heard.weight >= MODEL_DECIDES):
        return frozenset()
    signals = [signal for found in assessments for signal in found.signals]
    told = [s.claim_span for s in signals if s.kind in FIGURES and s.claim_span is not None]
    return frozenset(
        (signal.kind, signal.claim_span)
        for signal in signals
        if backed >= FORGIVEN.get(signal.kind, math.inf)
        and signal.weight <= MOST_FORGIVEN
        and not any(signal.claim_span and signal.claim_span.overlaps(span) for span in told)
    )


def _in_force(
    assessments: Sequence[Assessment], forgiven: Set[Forgiven], cuts: Cuts
) -> list[Assessment]:
    """The passages but for those that contradict the claim where one that outranks them agrees."""
    agreeing = [f for f in assessments if _enough(f, cuts) and not _opposed(f, forgiven)]
    kept = []
    for found in assessments:
        against = [s for s in found.signals if s.stance is Stance.CONTRADICTS and s.kind != MODEL]
        if not any(
            outranks(other.evidence, found.evidence)
            and (other in agreeing or any(_confirms(other, signal) for signal in against))
            for other in (assessments if any(s.weight >= DECIDES for s in against) else ())
        ):
            kept.append(found)
    return kept


def _superseded(
    supporting: Assessment, by: tuple[Assessment, Signal] | None, top: float
) -> Decision:
    """Against what only an outranked passage says; the message ends with the contradiction's."""
    assert by is not None
    why = told_apart(by[0].evidence, supporting.evidence)
    message = f"{why}, and says otherwise: {by[1].message}"
    return Decision(Verdict.CONTRADICTION, "superseded", message, min(top, DOUBTED))


def _disputed(supporting: Assessment, found: Assessment, signal: Signal, top: float) -> Decision:
    """Neither right nor wrong: one source says it, and another of equal rank says otherwise."""
    ours, theirs = named(supporting.evidence, found.evidence)
    message = f"{ours} says this, but {theirs} says otherwise: {signal.message}"
    return Decision(Verdict.WEAK_SUPPORT, "sources_disagree", message, min(top, DOUBTED))


def _outdated(
    supporting: Assessment, assessments: Sequence[Assessment], told: Sequence[Assessment]
) -> str:
    """That a passage which the supporting one outranks says otherwise; "" where none does."""
    others = (f.evidence for f in assessments if f not in told)
    other = next((each for each in others if outranks(supporting.evidence, each)), None)
    if other is None:
        return ""
    return f"{told_apart(supporting.evidence, other)}, which says otherwise."


def _against(verdict: Verdict, signal: Signal, top: float) -> Decision:
    # Nothing wrong or invented looks well supported. By no more than that: signals err too, and
    # the score has counted them already.
    most = 1.0 - signal.weight if signal.kind == "arithmetic" else DOUBTED
    return Decision(verdict, signal.kind, signal.message, min(top, most))


def _enough(found: Assessment, cuts: Cuts) -> bool:
    """Whether a passage supports the claim: by its score, or because the number follows from it.

    "Sam has 16 dimes now" shares few words with "Sam had 9 and his dad gave him 7".
    """
    if note_of(found.signals) is not None:
        return False
    sure = any(s.stance is Stance.SUPPORTS and s.weight >= MODEL_DECIDES for s in found.signals)
    if found.score >= cuts.support_threshold and (sure or _is_about(found, NOT_ABOUT)):
        return True
    return found.score >= cuts.threshold and _derivation(found) >= cuts.support_threshold


def _is_about(found: Assessment, least: float) -> bool:
    """Whether a passage is about the claim at all, be it for or against."""
    return max(found.evidence.similarity, found.evidence.lexical) >= least


def _derivation(found: Assessment) -> float:
    """How surely a number of the claim follows from the passage's; 0 when none does."""
    return max((s.weight for s in found.signals if s.kind in FOLLOWS), default=0.0)


def _opposed(found: Assessment, forgiven: Set[Forgiven]) -> bool:
    """Whether something in this very passage speaks against the claim, surely enough to decide.

    forgiven: what does not.
    """
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    return any(
        s.stance in against
        and s.weight >= (LACKS if s.kind == "number_conflict" else DECIDES)
        and s.kind != MODEL
        and ((s.kind, s.claim_span) not in forgiven or s.detector == RECORDS)
        for s in found.signals
    )


def _outshone(found: Assessment, opposed: Sequence[Assessment]) -> bool:
    """Whether a passage in which something speaks against the claim is far more about it.

    That vans *may* stay is said here; the next rule, about dogs, does not say that they must.
    """
    return any(other.about > found.about + OUTSHONE for other in opposed)


def _borrowed(found: Assessment, told: Sequence[Assessment]) -> bool:
    """Whether a passage supports a claim by what the model read in another, which contradicts it.

    The row "follow links: off" has all words of "It follows links", and a neighbour none. But one
    that has the claim's own value supports it by itself.
    """
    return any(
        any(s.kind == MODEL and s.stance is Stance.SUPPORTS for s in other.signals)
        and any(
            s.kind in VALUES and s.weight >= DECIDES and not _confirms(found, s)
            for s in other.signals
        )
        and found.evidence.lexical <= other.evidence.lexical
        for other in told
    )


def _strongest(
    assessments: Sequence[Assessment], supporting: Sequence[Assessment], cuts: Cuts
) -> Signal | None:
    """The surest contradiction by a passage about the claim; the first of equals.

    Beside passages that support the claim only of a passage clearly more about it than they are,
    the price of Silver does not make a wrong price of Gold right, and only of words that none of
    them nearly as near confirms: 340 participants of this trial do not conflict with 1,200 of the
    next.
    """
    nearest = max((found.about for found in supporting), default=-math.inf)
    best: Signal | None = None
    for found in assessments:
        if not _is_about(found, cuts.about):
            continue  # so it cannot contradict the claim
        heading = next((s.evidence_span for s in found.signals if s.kind == ELSEWHERE), None)
        other_record = any(s.detector == RECORDS and s.kind == OTHER_NAME for s in found.signals)
        for signal in found.signals:
            if signal.stance is not Stance.CONTRADICTS or signal.weight < DECIDES:
                continue
            # Where all that support it have no more than a bound, one about as near them is enough.
            settled = [other.about for other in supporting if not _leaves_room(other, signal)]
            least = max(settled) + NEARER if settled else nearest - NEARER
            if found.about <= least:
                continue
            if other_record and signal.detector != RECORDS:
                continue  # what the record of another thing says is of that
            if signal.kind == MODEL:
                continue
            # What stands in the section of another year contradicts the claim's year, no more.
            if heading and not (signal.evidence_span and signal.evidence_span.overlaps(heading)):
                continue
            near = (other for other in supporting if found.about <= other.about + FAR_NEARER)
            if not any(_confirms(other, signal) for other in near):
                best = signal if best is None or signal.weight > best.weight else best
    return best


def _leaves_room(found: Assessment, contradiction: Signal) -> bool:
    """Whether a passage has no more than a bound for the figure in question: "at least €49"."""
    span = contradiction.claim_span
    told = [
        s.weight
        for s in found.signals
        if s.kind == "number_agrees" and s.claim_span and span and s.claim_span.overlaps(span)
    ]
    return bool(told) and max(told) <= ROOM


def _confirms(found: Assessment, contradiction: Signal) -> bool:
    """Whether a passage that lacks nothing of the claim confirms the very words in question."""
    if contradiction.claim_span is None or any(
        signal.stance is Stance.UNSUPPORTED for signal in found.signals
    ):
        return False
    return any(
        signal.stance is Stance.SUPPORTS
        and signal.weight >= DECIDES
        and signal.claim_span is not None
        and signal.claim_span.overlaps(contradiction.claim_span)
        for signal in found.signals
    )


def _unsupported_everywhere(assessments: Sequence[Assessment]) -> Signal | None:
    """A signal that the same words of the claim are unsupported in every passage, if it decides."""
    everywhere: dict[object, Signal] | None = None
    for found in assessments:
        here: dict[object, Signal] = {
            signal.claim_span or signal.message: signal
            for signal in found.signals
            if signal.stance is Stance.UNSUPPORTED
            and signal.weight >= DECIDES
            and signal.kind != MODEL
        }
        everywhere = (
            here if everywhere is None else {k: s for k, s in everywhere.items() if k in here}
        )
    return max((everywhere or {}).values(), key=lambda signal: signal.weight, default=None)


def _nothing(assessments: Sequence[Assessment]) -> str:
    """That no passage says this; or, if a signal has it, what the sources say instead."""
    told = [
        signal
        for found in assessments
        for signal in found.signals
        if signal.stance is Stance.CONTRADICTS and signal.values and all(signal.values)
    ]
    best = max(told, key=lambda signal: signal.weight, default=None)
    return best.message if best else "No passage of the sources says this."


def _weak(claim: Claim, assessments: Sequence[Assessment], score: float, config: Config) -> str:
    """What keeps the passage that is shown from supporting the claim, if a signal says so.

    Else that the score, before any calibration, is too low for the settings, where it is enough
    by default.
    """
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    shown = [s for s in (assessments[0].signals if assessments else ()) if s.stance in against]
    doubts = [s for s in shown if s.kind != MODEL and not _answered(s, claim, assessments)]
    # Of a record that is shown beside the one that names it this is no news.
    doubts = [s for s in doubts if not (s.detector == RECORDS and s.kind == OTHER_NAME)]
    heard = [s for f in assessments for s in f.signals if s.kind == MODEL and s.stance in against]
    if any(s.kind in WORKED_OUT for f in assessments for s in f.signals):
        heard = []  # "The sources say otherwise" would be wrong beside what agrees exactly
    # What points to words of the passage tells a reader most, what only misses something least.
    sure = [s for s in doubts if s.weight >= DECIDES and s.evidence_span is not None]
    doubt = next(iter(sorted(sure, key=_surest) or heard or sorted(doubts, key=_surest)), None)
    if doubt:
        return doubt.message
    least = config.support_threshold
    if config.calibration is None and USUAL <= score < least:
        return f"The score of {score:.4g} is below the {least:g} that the settings ask for."
    return "A passage is about this, but may not say all of it."


def _answered(doubt: Signal, claim: Claim, assessments: Sequence[Assessment]) -> bool:
    """Whether a reader would find a doubt wrong.

    Another passage has the very words; or the claim says what the source says as well, of another
    thing ("twice a year, the other only once").
    """
    if doubt.claim_span is None:
        return False
    theirs = doubt.values[1] if doubt.values else ""
    start = doubt.claim_span.start - claim.span.start
    apart = claim.text[: max(0, start)] + claim.text[start + len(doubt.claim_span) :]
    if theirs and re.search(rf"(?<!\w){re.escape(theirs)}(?!\w)", apart, re.IGNORECASE):
        return True
    return any(
        signal.stance is Stance.SUPPORTS
        and signal.kind != MODEL
        and signal.claim_span is not None
        and signal.claim_span.overlaps(doubt.claim_span)
        for found in assessments
        for signal in found.signals
    )


def _surest(signal: Signal) -> float:
    return -signal.weight


def best_first(found: Assessment) -> tuple[float, int]:
    """What passages are ranked by: the score, then their place in the index."""
    return (-found.score, found.evidence.chunk.row)
