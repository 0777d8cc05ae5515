"""Conflicting amounts: same measure, same part, disjoint ranges in claim and passage.

Kinds of signal:

number_conflict    CONTRADICTS  the passage gives another amount for the same thing
number_agrees      SUPPORTS     the passage gives this amount, or one rounded to it
derived            SUPPORTS     the passage tells it by its distance from another
number_other_role  UNSUPPORTED  the amount stands in the passage, but of something else
unsupported_number UNSUPPORTED  the amount does not stand in the passage

A wrong conflict costs more than a missed one: amounts of different measures never conflict, nor
counts of different things, nor amounts where one is a rounding of the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.evidence.clause_numbers import number_of, stands_in
from halgo.facts import units
from halgo.facts.identifiers import identifiers
from halgo.facts.units import RANKS
from halgo.signals.derivation.questions import is_apart
from halgo.signals.passages import ByIdentity
from halgo.signals.quantities import captions, directions, relative, versions
from halgo.signals.quantities.figures import (
    in_unit_told_apart,
    is_written_in,
    without_unit,
)
from halgo.signals.quantities.lacking import LACKS, is_small_word, unsupported
from halgo.signals.quantities.likeness import (
    Likeness,
    certainty,
    differently_denied,
    likeness,
    shared_words,
)
from halgo.signals.quantities.one_unit import in_one_unit
from halgo.signals.quantities.relation import (
    MOST_AMOUNTS,
    MOST_CLAIMED,
    Relation,
    is_other_exact_limit,
    relation,
    told_alike,
    unit_and_rate,
)
from halgo.signals.quantities.situations import is_beside
from halgo.signals.quantities.told_amounts import compared
from halgo.signals.quantities.told_otherwise import (
    faces,
    is_at_no_time,
    is_at_other_rate,
    is_of_other_size,
    is_other_sign,
    is_told_otherwise,
    only_leaves_room,
)
from halgo.signals.segments import covering
from halgo.types import Corpus, Pair, Quantity, Signal, Stance

_PLACES = frozenset(
    str.split(
        "section clause article page chapter passage paragraph figure table appendix annex "
        "schedule exhibit item line row verse volume document source step note footnote part number"
    )
)
_FAR, _NO_COUNT = 5, 100
# Weights: measured on development data, see tests for what they are meant to keep apart.
_BARE = 0.7  # of an amount that a record's field or a neighbour's figure has without its unit
_WORKED_OUT = 0.7  # of an amount that is told by its distance from another
_FINER = 0.5  # of an amount that the passage gives with fewer places
_NEIGHBOUR = 0.75  # of an amount that stands beside the best sentence, not in it
_VERBATIM = 0.8  # of another amount in the claim's very words
_TURNED = 0.8  # of an amount that falls in the one and rises in the other, told of the same thing
_OTHER_RATE = 0.7  # of the claim's figure at another rate: €149 a week, where it is a month
_CITED = 0.7  # of the number of the clause that a sentence stands in
_OWN_NUMBER = 3  # characters of a sentence before its number may begin: "§ 4"
_IN_PLACE = 0.8  # how alike an amount must be to stand in the place of the claim's
_NEARER = 0.2  # by how much more alike a rival is than what merely fits, to count before it


@dataclass(frozen=True, slots=True)
class _Match:
    truth: Quantity
    relation: Relation
    likeness: Likeness
    in_best: bool

    @property
    def place(self) -> float:
        return 1.0 if self.in_best else _NEIGHBOUR


def signals(pair: Pair, corpus: Corpus) -> list[Signal]:
    """What a passage says of the claim's amounts, at most one signal for each of them."""
    claims = _kept.get((pair.claim.text, pair.claim_facts), lambda: _claimed(pair))
    if not claims:
        return []
    shared = shared_words(pair)
    truths = list(_rated(pair))
    matches = {claim: _matches(claim, truths, pair) for claim in claims}
    taken = {
        max(agreeing, key=_order).truth
        for found in matches.values()
        if (agreeing := _agreeing(found))
    }
    told = (
        None
        if is_beside(claim, pair)
        else versions.conflict(claim.span, pair)
        or _cited(claim, pair, matches[claim])
        or _signal(claim, matches[claim], taken, shared, pair, corpus)
        for claim in claims
    )
    return [
        signal
        for signal, claim in zip(told, claims, strict=True)
        if signal and not (signal.kind == "unsupported_number" and _is_given(claim, pair))
    ]


def _is_given(claim: Quantity, pair: Pair) -> bool:
    """Whether the user has told an amount, which then needs no source."""
    told = (claim.low, claim.high, claim.unit)
    return any(told == (own.low, own.high, own.unit) for own in pair.claim.given)


_kept = ByIdentity[list[Quantity]](kept=64)


def _claimed(pair: Pair) -> list[Quantity]:
    """The amounts of a claim that are no part of an identifier, but for the status of an answer."""
    if not pair.claim_facts.quantities:
        return []
    told = (one for one in identifiers(pair.claim.text) if one.telling and one.kind != "status")
    exact = covering(one.span for one in told)
    claims = [found for found in pair.claim_facts.quantities if not exact(found.span)]
    return claims[:MOST_CLAIMED]


def _cited(claim: Quantity, pair: Pair, matches: Sequence[_Match]) -> Signal | None:
    """What the number of the clause that the sentence stands in says to the one that is cited."""
    cited, numbers = number_of(claim), pair.evidence.numbers
    # "as set out in clause 4.2" may be what is meant; at its beginning a sentence has its own.
    start = pair.evidence.best.start + _OWN_NUMBER
    told = any(
        m.relation is Relation.SAME and m.truth.span.start > start for m in matches if m.in_best
    )
    if not cited or not numbers or told:
        return None
    said = claim.span.of(pair.claim.text)
    if stands_in(cited, numbers):
        message = f"This stands in {numbers[0]}."
        return Signal("number_agrees", Stance.SUPPORTS, _CITED, message, claim.span, None)
    number = re.compile(rf"\b(?:\w+\s)?(?<!\w){re.escape(numbers[0])}(?!\w)", re.IGNORECASE)
    headed = next(filter(None, map(number.search, pair.evidence.over)), None)
    place = headed[0] if headed else numbers[0]  # "Chapter IV", as the heading has it
    message = f"This stands in {place}, not in {said}."
    values = (said, place.split()[-1])
    return Signal("number_conflict", Stance.CONTRADICTS, _CITED, message, claim.span, None, values)


def _agreeing(matches: Sequence[_Match]) -> list[_Match]:
    return [match for match in matches if match.relation >= Relation.ROUNDED]


def _rated(pair: Pair) -> Iterator[Quantity]:
    """The passage's amounts, money at the rate that its heading, lead-in or caption tells."""
    over = units.rate_told(pair.evidence.heading)
    lead = units.rate_told(pair.evidence.lead_in) or over
    for truth in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        per = lead if truth.span.overlaps(pair.evidence.best) else over
        told = per and truth.unit in units.CURRENCIES  # "Yearly premiums"
        yield replace(truth, unit=f"{truth.unit}/{per}") if told else truth
    yield from relative.amounts(pair)
    yield from captions.amounts(pair)


def _matches(claim: Quantity, truths: Sequence[Quantity], pair: Pair) -> list[_Match]:
    found = []
    given = pair.evidence.reading.text
    # "Over €30 million more than planned" is not met by a cost of 84 million.
    apart = claim.low != claim.high and is_apart(pair.claim.text, claim.span)
    for truth in truths:
        related = relation(*in_one_unit(claim, pair.claim.text, truth, given))
        if related is Relation.APART and is_at_no_time(claim, truth, pair):
            related = Relation.DISJOINT
        if related is Relation.APART or (apart and not is_apart(given, truth.span)):
            continue
        within = related is Relation.SAME and claim.low != claim.high
        slipped = related is Relation.COMPATIBLE and is_of_other_size(claim, truth)
        fits = related in (Relation.COMPATIBLE, Relation.SAME)
        if slipped or (fits and faces(claim, truth, pair)):
            related = Relation.DISJOINT
        elif within and only_leaves_room(claim, truth, pair):
            other = is_other_exact_limit(claim, truth)
            related = Relation.DISJOINT if other else Relation.COMPATIBLE
        alike = likeness(claim.noun, claim.context, truth.noun, truth.context)
        found.append(_Match(truth, related, alike, truth.span.overlaps(pair.evidence.best)))
    return found


def _differs_by_rate(claim: Quantity, match: _Match) -> bool:
    """Whether the best sentence has the claim's figure at another rate, each at one of its own."""
    truth, unit = match.truth, unit_and_rate(claim)[0]
    same = (claim.low, claim.high) == (truth.low, truth.high) and unit == unit_and_rate(truth)[0]
    counts_other = not unit and match.likeness.noun is False
    return match.in_best and same and is_at_other_rate(claim, truth) and not counts_other


def _signal(
    claim: Quantity,
    matches: list[_Match],
    taken: set[Quantity],
    shared: float,
    pair: Pair,
    corpus: Corpus,
) -> Signal | None:
    agreeing = _agreeing(matches)
    rivals = [
        match
        for match in matches
        if match.relation is Relation.DISJOINT and match.truth not in taken
    ]
    if agreeing:
        best = max(agreeing, key=_order)
        if other := _other_range(claim, best, rivals):
            weight = _conflict_weight(claim, other, rivals, shared, pair)
            if weight:
                return compared("number_conflict", weight, claim, other.truth, pair)
        if best.in_best and all(_is_turned(claim, match, pair) for match in agreeing):
            return _turned(claim, best, pair)
        return _agreement(claim, best, matches, taken, pair)
    if not _is_captioned(claim, matches, pair) and (
        bare := without_unit(claim, pair) or in_unit_told_apart(claim, pair)
    ):
        return compared("number_agrees", _BARE, claim, bare, pair)
    # A bound on something else, "a lock of at least €49", says nothing to a price of €175.
    compatible = [
        match
        for match in matches
        if match.relation is Relation.COMPATIBLE
        and (claim.low != claim.high or (match.in_best and match.likeness.noun is not False))
    ]
    if compatible:
        best = max(compatible, key=_order)
        least = best.likeness.strength * best.place + _NEARER
        if not any(rival.in_best and rival.likeness.strength > least for rival in rivals):
            return _compatible(claim, best, pair)
        # "38.5 hours a week" fits "up to three days" in the next sentence, but not this "37.5".
    finer = [match for match in matches if match.relation is Relation.FINER]
    if finer:
        best = max(finer, key=_order)
        return compared("unsupported_number", _FINER, claim, best.truth, pair)
    if is_written_in(claim, pair) and not any(
        is_told_otherwise(claim, r.truth, pair) for r in rivals
    ):
        return None  # read in another unit, or part of a name: no ground for a complaint
    if rivals:
        best = max(rivals, key=_order)
        weight = _conflict_weight(claim, best, rivals, shared, pair)
        text = pair.evidence.reading.text
        if told_alike(claim, pair.claim.text, best.truth, text):
            weight = max(weight, _VERBATIM)
        elif per := next((r for r in rivals if _differs_by_rate(claim, r)), None):
            best, weight = per, max(weight, _OTHER_RATE)
        elif other := next((r for r in rivals if _is_turned_limit(claim, r, pair)), None):
            best, weight = other, max(weight, _OTHER_RATE)
        apart = is_apart(pair.claim.text, claim.span) and not is_apart(text, best.truth.span)
        if weight and not apart:
            conflict = compared("number_conflict", weight, claim, best.truth, pair)
            return conflict if weight >= LACKS else _nowhere(conflict, claim, pair, corpus)
    return unsupported(claim, pair, corpus)


def _nowhere(conflict: Signal, claim: Quantity, pair: Pair, corpus: Corpus) -> Signal:
    """What is said of an amount beside one that may be of something else: that it stands nowhere.

    Where some document has it, only that there is another here.
    """
    if (claim.low, claim.high, claim.unit) in corpus.amounts:
        return conflict
    lacking = unsupported(claim, pair, corpus)
    return lacking if lacking and lacking.weight > conflict.weight else conflict


def _is_turned_limit(claim: Quantity, match: _Match, pair: Pair) -> bool:
    """Whether a figure has another sign or unit, or is the most where the claim has the least."""
    truth = match.truth
    ranges = claim.low != claim.high and truth.low != truth.high
    told_of_it = ranges and match.in_best and match.likeness.noun is not False
    slipped = match.in_best and is_of_other_size(claim, truth)
    faced = told_of_it and faces(claim, truth, pair)
    return is_other_sign(claim, truth) or slipped or faced


def _is_captioned(claim: Quantity, matches: Sequence[_Match], pair: Pair) -> bool:
    """Whether a caption, "in $ million", makes another amount of money of a bare figure."""
    if unit_and_rate(claim)[0] not in units.CURRENCIES:
        return False
    told = {one.span for one in captions.amounts(pair)}
    return any(
        match.truth.span in told
        and match.truth.unit in units.CURRENCIES
        and match.relation is Relation.DISJOINT
        for match in matches
    )


def _is_turned(claim: Quantity, match: _Match, pair: Pair) -> bool:
    """Whether the passage has the amount rise and the claim has it fall, or the other way round."""
    text = pair.evidence.reading.text
    return directions.opposed(pair.claim.text, claim.span, text, match.truth.span)


def _turned(claim: Quantity, match: _Match, pair: Pair) -> Signal:
    ways = ("a fall", "a rise")
    rises = directions.direction(pair.claim.text, claim.span) > 0
    message = f"The claim makes {ways[rises]} of it; the source says {ways[not rises]}."
    weight = _TURNED * (0.5 + 0.5 * match.likeness.strength)
    return Signal(
        "number_conflict",
        Stance.CONTRADICTS,
        round(weight, 3),
        message,
        claim.span,
        match.truth.span,
        (claim.span.of(pair.claim.text), match.truth.span.of(pair.evidence.reading.text)),
    )


def _other_range(claim: Quantity, best: _Match, rivals: Sequence[_Match]) -> _Match | None:
    """Another range in the place of the claim's, which only holds what the passage has elsewhere.

    "Up to ten people" beside "at most 6 people and 2 tents": it is not the two that it is about,
    nor the "one or two tablets" of a dose that "up to ten tablets" is about beside "not more than
    eight in 24 hours".
    """
    ends = {claim.low, claim.high}
    if len(ends) == 1 or ends & {best.truth.low, best.truth.high} - {0.0, math.inf}:
        return None
    kind = _kind_of_range(claim)
    of_one_value = best.truth.low == best.truth.high
    if not of_one_value and (not kind or _kind_of_range(best.truth) == kind):
        return None
    ranges = [r for r in rivals if r.in_best and r.truth.low != r.truth.high]
    if not of_one_value:
        ranges = [r for r in ranges if _kind_of_range(r.truth) == kind]
    other = max(ranges, key=_order, default=None)
    near = best.likeness.strength - _NEARER
    return other if other and other.likeness.strength >= near else None


def _kind_of_range(amount: Quantity) -> str:
    """Which end a range is told by: "most" for "up to ten", "least" for "at least two", else ""."""
    return "least" if amount.high == math.inf else "most" if amount.low <= 0 else ""


def _order(match: _Match) -> tuple[float, float, int]:
    """Best last: by relation, then by part and place, then the earlier in the text."""
    return match.relation, match.likeness.strength * match.place, -match.truth.span.start


def _agreement(
    claim: Quantity,
    best: _Match,
    matches: list[_Match],
    taken: set[Quantity],
    pair: Pair,
) -> Signal | None:
    if is_small_word(claim, pair):
        return None
    exact = best.relation is Relation.SAME
    strength = best.likeness.strength
    rivals = [
        m
        for m in matches
        if m.relation is Relation.DISJOINT
        and m.in_best
        and m.truth not in taken
        and (_is_nearer(m, strength) or (not best.in_best and _is_far_nearer(m, strength)))
    ]
    if rivals and claim.unit != "ordinal":
        return compared("number_other_role", 0.5, claim, best.truth, pair)
    weight = (0.4 + 0.5 * strength) * (1.0 if exact else 0.8) * best.place
    told = compared("number_agrees", weight, claim, best.truth, pair)
    if best.in_best and best.truth in relative.amounts(pair):
        return replace(told, kind="derived", weight=_WORKED_OUT)
    return told


def _is_nearer(rival: _Match, strength: float) -> bool:
    """Whether an amount of the same things as the claim's is clearly more alike than so much."""
    alike = rival.likeness
    return alike.noun is True and alike.strength >= max(0.9, strength + 0.25)


def _is_far_nearer(rival: _Match, strength: float) -> bool:
    """Whether an amount of the best sentence is in the claim's place, and one outside it is not."""
    alike = rival.likeness
    return alike.noun is not False and alike.strength >= max(_IN_PLACE, strength + _IN_PLACE / 2)


def _compatible(claim: Quantity, best: _Match, pair: Pair) -> Signal:
    weight = 0.3 * best.place * (0.5 + 0.5 * best.likeness.strength)
    return compared("number_agrees", weight, claim, best.truth, pair)


def _conflict_weight(
    claim: Quantity, rival: _Match, rivals: list[_Match], shared: float, pair: Pair
) -> float:
    """How sure a conflict is, in (0, 1]; 0 where there is no ground to call it one."""
    alike = rival.likeness
    truth = rival.truth
    if differently_denied(pair, truth.context | {truth.noun}):
        shared = 0.0
    unit, rate = unit_and_rate(claim)
    bare = (
        unit in ("", "ordinal") or unit.startswith("identifier") or (unit == "times" and not rate)
    )
    if bare and alike.noun is not True:
        # A count of who knows what: only where all else is the same.
        known = alike.noun is None and shared >= 0.75 and (alike.overlap or 0) >= 0.5
        if not known or not rival.in_best or _is_no_count(claim, truth):
            return 0.0
        return 0.5
    place = claim.noun in _PLACES or (claim.noun != "score" and shared < 0.75)
    if claim.unit.startswith("identifier") and place:
        return 0.0  # "Section 3" and "Section 4" can both say it
    strength = alike.strength
    sure = 0.55 * strength + 0.45 * shared
    if sure < 0.45 or (shared < 0.3 and strength < 0.85):
        return 0.0
    if is_small_word(claim, pair) and (sure < 0.7 or truth.low < 1):
        return 0.0
    alternatives = {
        (m.truth.low, m.truth.high) for m in rivals if m.in_best and m.truth.unit == truth.unit
    }
    if len(alternatives) > 1:
        sure *= 0.8  # several amounts it could be: which one is meant is not certain
    if claim.unit.startswith(RANKS):
        sure *= 0.8
    if _far_apart(claim, truth):
        sure *= 0.7  # a season's and a career's yards, more often than a slip
    return round(min(0.95, sure) * rival.place * certainty(pair), 3)


def _is_no_count(claim: Quantity, truth: Quantity) -> bool:
    """Whether a passage's number is too far from a count to be one: that of "bus 4705"."""
    low, high = sorted((abs(claim.low), abs(truth.low)))
    return high > _NO_COUNT * low and high < math.inf and _far_apart(claim, truth)


def _far_apart(claim: Quantity, truth: Quantity) -> bool:
    low, high = sorted((abs(claim.low), abs(truth.low)))
    if 0 < low < high < math.inf:
        power = math.log10(high / low)
        if math.isclose(power, round(power), abs_tol=1e-9):
            return False  # 15 million for 1.5 million is a slip of the point
    return high > 20 and high > _FAR * low and not claim.unit.startswith(("fraction", "clock"))
