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

Where one passage has every content word of the claim, and nothing like an amount surely agrees,
`support_threshold` is higher in row 2: the claim is what the passage says, or that with one thing
changed.

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
another value, or as the record it is of, it is WEAK_SUPPORT, `sources_disagree`: neither side is
known to be wrong. And what an outranked passage says against a claim does not count where the one
that outranks it agrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from halgo.config import Config
from halgo.evidence.lexical import overlap
from halgo.signals.quantities.lacking import LACKS
from halgo.types import Assessment, Claim, ClaimKind, Signal, Stance, Verdict
from halgo.verdict.precedence import disputed, named, outranks, overruling, told_apart
from halgo.verdict.sureness import (
    ABOUT,
    COPIED,
    DECIDES,
    DENIES,
    DOUBTED,
    ELSEWHERE,
    FAR_NEARER,
    FIGURES,
    FOLLOWS,
    FORGIVEN,
    MODEL,
    MODEL_DECIDES,
    MOST_FORGIVEN,
    NAMED,
    NEARER,
    NOT_ABOUT,
    OF_FIELDS,
    OTHER_CASE,
    OTHER_NAME,
    OUTSHONE,
    RECORDS,
    ROOM,
    SILENCE,
    STRENGTH,
    STRICTER,
    SURE_OF_DENIAL,
    SURE_OF_SUPPORT,
    TELLS_OTHERWISE,
    TURNED,
    USUAL,
    VALUES,
    WORKED_OUT,
    YIELDING,
    Forgiven,
)
from halgo.verdict.undecided import nothing_found, what_is_missing
from halgo.verdict.unread_languages import LANGUAGE, in_part, note_of


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


_USUAL = Cuts(ABOUT, USUAL, ABOUT)


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
    if _has_all_words(claim, assessments):
        cuts = replace(cuts, support_threshold=_stricter(cuts.support_threshold))
    ranked = sorted(assessments, key=best_first)
    read = in_part(ranked, claim_signals, min(cuts.about, ABOUT))
    decision = _decide(claim, read, claim_signals, cuts)
    if decision.verdict is not Verdict.SUPPORTED and cuts.support_threshold > USUAL:
        # Who asks for more support doubts more, and finds no more that speaks against the claim.
        usual = _decide(claim, read, claim_signals, replace(cuts, support_threshold=USUAL))
        if usual.verdict is Verdict.SUPPORTED:
            decision = Decision(Verdict.WEAK_SUPPORT, "weak_support", "", usual.score)
    if decision.reason == "weak_support":
        decision = replace(
            decision, message=what_is_missing(claim, assessments, decision.score, config)
        )
    unread = _as_unread(decision, assessments, read, claim_signals)
    if unread != decision and cuts != _USUAL and note_of(claim_signals) is None:
        # What is held back by cut points alone is not held back by the language of a passage.
        read = in_part(ranked, claim_signals, ABOUT)
        usual = _decide(claim, read, claim_signals, _USUAL)
        unread = decision if _as_unread(usual, ranked, read, claim_signals) == usual else unread
    decision = unread
    if config.calibration is None:
        return decision
    score = config.calibration(decision.score)
    return replace(decision, score=score, raw_score=decision.score)


def _has_all_words(claim: Claim, assessments: Sequence[Assessment]) -> bool:
    """Whether one passage has every content word of the claim, and no rule surely agrees."""
    return any(
        overlap(claim.text, one.evidence.reading.text) == 1.0 for one in assessments
    ) and not any(
        signal.stance is Stance.SUPPORTS and signal.kind != MODEL and signal.weight >= MODEL_DECIDES
        for one in assessments
        for signal in one.signals
    )


def _stricter(cut: float) -> float:
    return cut if cut >= 1.0 else STRICTER * cut / (1.0 + (STRICTER - 1.0) * cut)


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
    return Decision(Verdict.HALLUCINATION, "no_evidence", nothing_found(assessments), top)


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
    prose = [share for one, share in zip(read, shares, strict=True) if one.kind not in OF_FIELDS]
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
    decision: Decision,
    assessments: Sequence[Assessment],
    read: Sequence[Assessment],
    claim_signals: Sequence[Signal],
) -> Decision:
    """The decision with the language as its reason, where one that is not read has a part in it.

    read: the passages that it is made of. Where nothing was found, what was not read may say it.
    """
    looked_at = assessments if decision.reason == "no_evidence" else read
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


def best_first(found: Assessment) -> tuple[float, int]:
    """What passages are ranked by: the score, then their place in the index."""
    return (-found.score, found.evidence.chunk.row)
