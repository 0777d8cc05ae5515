"""What is said of an amount that a passage does not have, and what needs no word at all.

A small count in words may have been counted, a case may only lie beside a limit, and "once" is
said loosely; of the rest it counts whether any document has it.
"""

from __future__ import annotations

import math
import re
from datetime import date

from halgo.facts.units import DAY, YEAR
from halgo.signals.quantities.figures import bare_figures
from halgo.signals.quantities.relation import (
    EXACT_FROM,
    MOST_AMOUNTS,
    digits_told,
    unit_and_rate,
)
from halgo.signals.quantities.told_amounts import compared
from halgo.types import Corpus, Pair, Quantity, Signal

_SMALL_WORDS = frozenset({"one", "no", "single", "both", "a", "an", "once", "couple", "pair"})
_FROM = re.compile(r"\bfrom\s$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")  # in "In 2024 grants came to" it may be taken for a count
_ONE_TIME = (DAY, 7 * DAY, YEAR / 12, YEAR)
_FEW = 10
# Where another amount stands, the claim's does not; so surely that the passage cannot support it.
LACKS = 0.4
_ABSENT, _ABSENT_IN_WORDS = 0.75, 0.55  # of an amount in figures, and in words
# Of figures that nobody arrives at by telling the same loosely, so that nothing forgives them.
EXACT = 0.85
_COUNTED_UP = 0.4  # of a small count in words: as often counted up as taken from the passage
_UNIT_LEFT_OUT = 0.4  # of an amount whose figure the passage has without any unit
_CASE = 0.3  # of an amount to which a limit of the passage applies, or does not ...
_CASE_NEAR = 2.0  # ... where it is at most so many times the limit, or the limit it


def unsupported(claim: Quantity, pair: Pair, corpus: Corpus) -> Signal | None:
    """That a passage does not have an amount, and how sure that counts against the claim."""
    if is_small_word(claim, pair) or _is_between(claim, pair):
        return None
    written = claim.span.of(pair.claim.text)
    if claim.unit == "second" and written.startswith(("a ", "an ")) and " and " not in written:
        return None  # "six hours in a week"
    if claim.unit.startswith("identifier") and _is_over(written, pair):
        return None
    elsewhere = (claim.low, claim.high, claim.unit) in corpus.amounts
    digits = any(map(str.isdigit, written))
    if elsewhere or claim.unit == "ordinal":
        weight = 0.3
    elif claim.unit.startswith("identifier"):
        weight = 0.5
    elif not digits and not claim.unit and claim.high <= _FEW:
        weight = _COUNTED_UP
    elif _is_case(claim, pair):
        weight = _CASE
    elif bare_figures(claim, pair, pair.evidence_facts.quantities[:MOST_AMOUNTS]):
        weight = _UNIT_LEFT_OUT
    elif digits:
        weight = EXACT if _is_exact(claim) and not _YEAR.fullmatch(written) else _ABSENT
    else:
        weight = _ABSENT_IN_WORDS
    return compared("unsupported_number", weight, claim, None, pair)


def _is_exact(claim: Quantity) -> bool:
    """Whether an amount is told with so many digits that it was read off: "40,326", "98.4%"."""
    point = claim.low == claim.high and not claim.approximate
    return point and digits_told(claim, claim.low) >= EXACT_FROM


def _is_over(written: str, pair: Pair) -> bool:
    """Whether a heading over the passage has a number, or a version that it begins."""
    version = re.compile(rf"(?<![\w.]){re.escape(written)}(?:\.\d+)*(?!\w)")
    return any(version.search(over) for over in pair.evidence.over)


def _is_case(claim: Quantity, pair: Pair) -> bool:
    """Whether the passage has a limit for such amounts: "75 minutes late" beside "from 60 minutes".

    Which side of it the amount falls on is not for this rule: nothing was made up.
    """
    text = pair.evidence.reading.text
    if claim.low != claim.high or claim.low <= 0 or claim.unit.startswith("fraction"):
        return False
    for truth in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        bare = not truth.unit and claim.unit == "year of age"  # "under 25"
        before = text[max(0, truth.span.start - 12) : truth.span.start]
        opens = truth.high == math.inf or truth.low in (0, -math.inf)
        if (truth.unit != claim.unit and not bare) or not (opens or _FROM.search(before)):
            continue
        limit = truth.low if truth.high == math.inf else truth.high
        low, high = sorted((claim.low, limit))
        if 0 < low < high < math.inf and high <= _CASE_NEAR * low:
            return True
    return False


def _is_between(claim: Quantity, pair: Pair) -> bool:
    """Whether a length of time is that between two years, or times of day, of the best sentence."""
    if claim.unit != "second" or claim.low != claim.high or claim.low <= 0:
        return False
    best = pair.evidence.best
    years = [
        day.year
        for found in pair.evidence_facts.dates
        if found.year_known and found.span.overlaps(best)
        for day in (found.first, found.last)
        if day not in (date.min, date.max)
    ]
    apart = {abs(a - b) * YEAR for a in years for b in years if a != b}
    clocks = [
        found.low
        for found in pair.evidence_facts.quantities
        if found.unit == "clock" and found.span.overlaps(best)
    ]
    apart |= {int(abs(a - b)) for a in clocks for b in clocks if a != b}
    return any(math.isclose(claim.low, length) for length in apart)


def is_small_word(claim: Quantity, pair: Pair) -> bool:
    """Whether an amount is told by a word that is said loosely: "a single", "once", "at noon"."""
    words = claim.span.of(pair.claim.text).lower().replace("-", " ").split()
    unit, rate = unit_and_rate(claim)
    if rate == "every" and (words[:1] == ["every"] or len(words) == 1):
        return claim.low in _ONE_TIME  # "every day" is said loosely, "every half-year" is not
    if unit == "fraction" and claim.low != 1:
        return False  # "one third"
    if unit == "clock" and not any(map(str.isdigit, words[-1])) and len(words) == 1:
        return True  # "at noon" is as often a case as told
    return bool(words) and words[0] in _SMALL_WORDS and claim.low <= 2
