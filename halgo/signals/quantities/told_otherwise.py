"""Two amounts of one figure that are told otherwise: another limit, rate, currency or sign.

"At least 12" beside "at most 12", "£12 a night" beside "£12 per stay", 4 °C beside -4 °C.
"""

from __future__ import annotations

import math
import re

from halgo.facts import units
from halgo.signals.quantities.labelled import is_row
from halgo.signals.quantities.likeness import shared_words
from halgo.signals.quantities.relation import (
    TIMES,
    is_near_limit,
    is_negated,
    is_other_currency,
    is_other_exact_limit,
    unit_and_rate,
)
from halgo.types import Pair, Quantity, Span

# The limits by which one amount alone says the least, or the most, there may be.
_LOWER = r"(?:less|fewer|shorter|earlier|lower|smaller|younger)"
_HIGHER = r"(?:more|longer|later|higher|greater|larger|older)"
_LEAST = re.compile(rf"\b(?:at least|minimum|not? {_LOWER} than|or more)\b", re.IGNORECASE)
_NOT_OVER = rf"not? {_HIGHER} than|(?:not|never|cannot|n['’]t) exceed|(?:capped|limited) (?:at|to)"
_MOST = re.compile(
    rf"\b(?:at most|up to|within|maximum|{_NOT_OVER}|or (?:less|fewer))\b", re.IGNORECASE
)
_INCLUSIVE = re.compile(
    r"\b(?:at (?:least|most)|up to|as (?:many|much|long|few|little) as|m(?:ax|in)imum|"
    rf"or (?:more|less|fewer|over)|not? {_LOWER} than|{_NOT_OVER})\b",
    re.IGNORECASE,
)
# A limit that is passed, and not reached: "more than 30". "No more than" ends a range below.
_OVER = re.compile(rf"\b(?:{_HIGHER} than|over|above|exceed(?:s|ed|ing)?|beyond)\s$", re.IGNORECASE)
_UNDER = re.compile(rf"\b(?:{_LOWER} than|under|below)\s$", re.IGNORECASE)
_AHEAD = 24  # characters before an amount
_SAME_SAID = 0.8  # share of a claim's words that a sentence has which says the same thing


def faces(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether one is "at least" and the other "at most" the same limit, or only reaches it.

    "under 12" and "12 or more" share out all ages; what holds of one does not deny the other,
    unless the claim says the very thing of one that the passage says of the other.
    """
    opens = (claim.high == math.inf, truth.high == math.inf)
    if claim.low == claim.high or truth.low == truth.high:
        return _only_reaches(claim, truth, pair) or _is_other_limit(claim, truth, pair)
    if opens[0] == opens[1]:
        return False
    limits = (truth.high, claim.low) if opens[0] else (claim.high, truth.low)
    if not math.isclose(*limits) or claim.low == -math.inf or truth.low == -math.inf:
        return False
    if truth.span.overlaps(pair.evidence.best) and _says_the_same(pair):
        return True
    around = (
        _around(pair.claim.text, claim.span),
        _around(pair.evidence.reading.text, truth.span),
    )
    return all(_INCLUSIVE.search(text) for text in around)


def is_of_other_size(claim: Quantity, truth: Quantity) -> bool:
    """Whether an amount has the figure of a limit in another unit or scale: 38 g of "up to 38 kg".

    It lies within, but nobody tells it of that: it is a slip. Both are of one measure.
    """
    limit, ours = _only_end(truth), _only_end(claim)
    if not limit or not ours or truth.low == truth.high or not claim.step or not truth.step:
        return False
    same = math.isclose(ours / claim.step, limit / truth.step)
    return same and not math.isclose(claim.step, truth.step)


def _only_end(amount: Quantity) -> float:
    """The figure of an amount, or of the one limit that it tells; 0 of a range with two ends."""
    ends = {abs(end) for end in (amount.low, amount.high)} - {0.0, math.inf}
    return ends.pop() if len(ends) == 1 else 0.0


def _says_the_same(pair: Pair) -> bool:
    """Whether a sentence has nearly all words of the claim, what is done with it among them."""
    best = pair.evidence.best
    done = {p.lemma for p in pair.evidence_facts.predicates if p.span.overlaps(best)}
    said = {p.lemma for p in pair.claim_facts.predicates} - {"be", "have"}
    return bool(said & done) and shared_words(pair) >= _SAME_SAID


def _is_other_limit(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether one is the most, and by its words the other the least: "the minimum is 50 kg"."""
    figures = {
        value
        for found in (claim, truth)
        for value in (found.low, found.high)
        if 0 < value < math.inf
    }
    said = _around(pair.claim.text, claim.span)
    given = _around(pair.evidence.reading.text, truth.span)
    sides = [(bool(_LEAST.search(text)), bool(_MOST.search(text))) for text in (said, given)]
    return len(figures) == 1 and sorted(sides) == [(False, True), (True, False)]


def only_leaves_room(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether a claim tells a limit, "up to 200", and the passage an amount far from it: nine.

    "More than 1,000" is told of 2,500 as well.
    """
    near = is_near_limit(claim, truth) and not is_other_exact_limit(claim, truth)
    if truth.low != truth.high or near:
        return False
    return bool(_INCLUSIVE.search(_around(pair.claim.text, claim.span)))


def _only_reaches(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether a claim passes what a row has: "more than 30" beside a cell of 30."""
    ends = {claim.low, claim.high} - {0.0, math.inf, -math.inf}
    if truth.low != truth.high or truth.approximate or claim.approximate or ends != {truth.low}:
        return False
    start, best = claim.span.start, pair.evidence.best
    told = _OVER if claim.high == math.inf else _UNDER
    passed = told.search(pair.claim.text, max(0, start - _AHEAD), start) is not None
    return passed and truth.unit != "second" and is_row(best.of(pair.evidence.reading.text))


def is_told_otherwise(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether two amounts of the same figure differ by bound, "per", currency, sign or scale."""
    if is_other_sign(claim, truth) or is_of_other_size(claim, truth):
        return True
    return is_at_other_rate(claim, truth) or faces(claim, truth, pair)


def is_at_other_rate(claim: Quantity, truth: Quantity) -> bool:
    """Whether two amounts are told at two rates, one of them of a time: "a night", "per stay"."""
    rates = {unit_and_rate(claim)[1], unit_and_rate(truth)[1]}
    return len(rates) == 2 and "" not in rates and not TIMES.isdisjoint(rates)


def is_other_sign(claim: Quantity, truth: Quantity) -> bool:
    """Whether an amount has the claim's figure behind another sign: of a currency, or a minus."""
    return is_other_currency(claim, truth) or is_negated(claim, truth)


def is_at_no_time(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether one is so much a day or the like, and the other as much for each of something else.

    "£12 a night" and "£12 per stay". Where the text of the latter tells a time as well, it may be
    both: "£12 per person and night".
    """
    (unit, rate), (other_unit, other_rate) = unit_and_rate(claim), unit_and_rate(truth)
    if not rate or not other_rate or (rate in TIMES) == (other_rate in TIMES):
        return False
    same = (claim.low, claim.high) == (truth.low, truth.high) and unit == other_unit
    if not same or not truth.span.overlaps(pair.evidence.best) or "every" in (rate, other_rate):
        return False
    evidence = pair.evidence
    texts = (evidence.best.of(evidence.reading.text), evidence.heading, evidence.lead_in)
    text = pair.claim.text if other_rate in TIMES else " ".join(texts)
    return not any(units.rate_told(part) for part in text.lower().split(".")) and not any(
        re.search(rf"\b(?:an?|per|each|every) {name}\b", text.lower()) for name in units.TIME_UNITS
    )


def _around(text: str, span: Span) -> str:
    return text[max(0, span.start - 24) : span.end + 24]
