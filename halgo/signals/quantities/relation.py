"""Relation of two amounts: the same, rounded, finer, compatible, or apart.

Whatever the two are amounts of; number_conflicts.py asks that.
"""

from __future__ import annotations

import math
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache

from halgo.facts import units
from halgo.types import Quantity

MOST_AMOUNTS, MOST_CLAIMED = 400, 50  # of a passage, of a claim that are compared
_APPROXIMATE = 0.10  # "about 300" is said of 270 to 330
_CONVERTED = 0.005  # 5 miles and 8 km, 365 days and a year; €4,675 cut off from €4,675.75
_SO_OFTEN = 0.02  # twice a year and every 180 days, monthly and every 30 days
_MOST_ROUNDING = 0.06  # a rounded amount is off by no more than this
_NEAR_LIMIT = 0.25
EXACT_FROM = 3  # significant digits of what is told as it was read off
_FEWEST_WORDS = 3  # words besides an amount that make two statements the same
# Units of time that a rate may have, in seconds: "per day".
_LASTING = {
    name: float(found.factor)
    for name in str.split("second minute hour day week month year")
    if (found := units.find(name))
}
_LASTING["quarter"] = 3 * _LASTING["month"]
TIMES = frozenset({*_LASTING, "once"})
_CLOCKS, _SHARE_OR_COUNT = frozenset({"clock", "clock12"}), frozenset({"fraction", ""})
_STORED, _PREFIXES = "byte", (1.024, 1.024**2, 1.024**3)
_DAY, _MONTH = _LASTING["day"], _LASTING["month"]
_SHORTEST_MONTH, _LONGEST_MONTH, _FEW_MONTHS = 28, 31, 3


class Relation(IntEnum):
    """What a passage's amount says about a claim's, ordered from nothing to agreement."""

    APART = 0  # other measures: they cannot be compared
    DISJOINT = 1
    FINER = 2  # the claim has places that the passage does not: $4.2 billion against $4 billion
    COMPATIBLE = 3  # they can both be true; the passage's does not settle the claim's
    ROUNDED = 4
    SAME = 5


def relation(claim: Quantity, truth: Quantity) -> Relation:
    """How the passage's amount bears on the claim's, whatever the two are amounts of."""
    unit, rate = unit_and_rate(claim)
    other_unit, other_rate = unit_and_rate(truth)
    if {unit, other_unit} <= _CLOCKS and (claim.low < claim.high or truth.low < truth.high):
        return _of_the_day(claim, truth)
    if unit.startswith("identifier") or other_unit.startswith("identifier"):
        if "ordinal" in (unit, other_unit):  # "day 4" is the fourth day
            same = claim.noun == truth.noun and claim.low == truth.low
            return Relation.SAME if same else Relation.APART
        if not (unit.startswith("identifier") and other_unit.startswith("identifier")):
            return Relation.APART
        if claim.noun != truth.noun:
            return Relation.APART
        return Relation.SAME if unit == other_unit else Relation.DISJOINT
    if claim.unit != truth.unit:
        told = _of_two_units(claim, truth)
        if told is not None:
            return told
    if rate and other_rate and rate != other_rate:
        # 26 metres a day are not 26 metres an hour; 26 a day and 1.1 an hour may be the same.
        # A share of what changes each month is another thing than one of a year.
        timed = {rate, other_rate} <= TIMES
        if timed and unit != "fraction" and "once" not in (rate, other_rate):
            converted = _ranges(_at_rate(claim, _LASTING[other_rate] / _LASTING[rate]), truth)
            if converted >= Relation.ROUNDED:
                return converted
        other_time = timed and _ranges(claim, truth) is Relation.SAME
        return Relation.DISJOINT if other_time else Relation.APART
    if unit == _STORED and _differs_by_prefix(claim, truth):
        return Relation.ROUNDED
    return _ranges(claim, truth)


def _of_two_units(claim: Quantity, truth: Quantity) -> Relation | None:
    """What the units of two amounts that are written in two say; None where they may be one."""
    unit, other_unit = unit_and_rate(claim)[0], unit_and_rate(truth)[0]
    apart, other_apart = _period(claim), _period(truth)
    if apart and other_apart:
        if apart.low == apart.high and other_apart.low == other_apart.high:
            vague = claim.approximate or truth.approximate
            off = _APPROXIMATE if vague else _SO_OFTEN
            same = math.isclose(apart.low, other_apart.low, rel_tol=off)
            return Relation.SAME if same else Relation.DISJOINT
        return _ranges(apart, other_apart)
    if unit == other_unit:
        return None
    both = {unit, other_unit}
    if both == _CLOCKS:
        same = math.isclose(claim.low % units.HALF_DAY, truth.low % units.HALF_DAY)
        return Relation.SAME if same else Relation.DISJOINT
    if "second" in both and not both.isdisjoint(_CLOCKS):
        return Relation.SAME if _is_read_off(claim, truth) else Relation.APART
    if "year of age" in both:
        return Relation.SAME if _is_as_old(claim, truth) else Relation.APART
    if both == _SHARE_OR_COUNT and 0 < claim.low < 1:
        same = math.isclose(claim.low, truth.low) and math.isclose(claim.high, truth.high)
        return Relation.SAME if same else Relation.APART  # "0.6 full" is 60%
    if "degree" in both and both <= units.TEMPERATURES:
        return None
    return Relation.DISJOINT if is_other_currency(claim, truth) else Relation.APART


def _of_the_day(claim: Quantity, truth: Quantity) -> Relation:
    """The relation of times of which one is a stretch: "shortly before midnight", 11:58 pm.

    A day begins anew at midnight, and half a day where nothing tells morning from evening.
    """
    turn = 2 * units.HALF_DAY if claim.unit == truth.unit == "clock" else units.HALF_DAY
    return max(
        _ranges(claim, replace(truth, low=truth.low + moved, high=truth.high + moved))
        for moved in range(-2 * units.HALF_DAY, 2 * units.HALF_DAY + 1, turn)
    )


def is_other_currency(claim: Quantity, truth: Quantity) -> bool:
    """Whether two amounts are of the same figure in different currencies: "$45" and "£45"."""
    if claim.low != truth.low or claim.high != truth.high:
        return False
    both = {unit_and_rate(claim)[0], unit_and_rate(truth)[0]}
    return len(both) == 2 and both <= units.CURRENCIES


def is_negated(claim: Quantity, truth: Quantity) -> bool:
    """Whether two temperatures are as far above zero as below it.

    Of other amounts a negative may be told in words: a loss of $4 million is -$4 million.
    """
    same = claim.low == claim.high == -truth.low == -truth.high != 0
    return same and {claim.unit, truth.unit} <= units.TEMPERATURES


def _at_rate(amount: Quantity, factor: float) -> Quantity:
    """An amount at another rate: 4 litres a minute are 240 an hour."""
    low, high, step = (value * factor for value in (amount.low, amount.high, amount.step))
    return replace(amount, low=low, high=high, step=step)


def _in_years(amount: Quantity) -> tuple[float, float] | None:
    """The ends of an age: of "over-65s", "over 65", "65 years and older"; None of what is none."""
    unit, _ = unit_and_rate(amount)
    size = {"year of age": 1.0, "": 1.0, "second": _LASTING["year"]}.get(unit)
    return None if size is None else (amount.low / size, amount.high / size)


def _differs_by_prefix(claim: Quantity, truth: Quantity) -> bool:
    """Whether two sizes are one where prefixes go by 1,024 instead of 1,000: 2048 KB and 2 MB."""
    if claim.low != claim.high or truth.low != truth.high or min(claim.low, truth.low) <= 0:
        return False
    ratio = max(claim.low, truth.low) / min(claim.low, truth.low)
    return any(math.isclose(ratio, one, rel_tol=1e-6) for one in _PREFIXES)


def _is_as_old(claim: Quantity, truth: Quantity) -> bool:
    """Whether an age is a length of time: "more than fourteen days old" of "two weeks ago"."""
    ours, theirs = _in_years(claim), _in_years(truth)
    if ours is None or theirs is None:
        return False
    limits = [{end for end in ends if 0 < end < math.inf} for ends in (ours, theirs)]
    exact = ours[0] == ours[1] or theirs[0] == theirs[1]
    return ours == theirs or (exact and any(map(math.isclose, *map(sorted, limits))))


def _period(amount: Quantity) -> Quantity | None:
    """The time between one and the next: of "twice a year", "every six months"; else None."""
    unit, rate = unit_and_rate(amount)
    if (unit, rate) == ("second", "every"):
        return amount
    if unit != "times" or rate not in _LASTING or amount.high <= 0:
        return None
    apart = _LASTING[rate]
    low = apart / amount.high
    high = apart / amount.low if amount.low > 0 else math.inf
    return replace(amount, low=low, high=high, step=0.0, unit="second/every")


def _is_read_off(claim: Quantity, truth: Quantity) -> bool:
    """Whether a length of time is what a clock reads: two hours and eight minutes of "2:08"."""
    lasting, clock = (claim, truth) if claim.unit == "second" else (truth, claim)
    return any(math.isclose(lasting.low, clock.low / size) for size in (1, 60))


def _is_so_many_months(claim: Quantity, truth: Quantity) -> bool:
    """Whether one is a few months and the other as many times 28 to 31 days: six weeks."""
    if claim.unit != "second" or truth.unit != "second":
        return False
    for months, days in (
        (claim.low / _MONTH, truth.low / _DAY),
        (truth.low / _MONTH, claim.low / _DAY),
    ):
        if 0 < months <= _FEW_MONTHS and (2 * months).is_integer() and days.is_integer():
            return _SHORTEST_MONTH * months <= days <= _LONGEST_MONTH * months
    return False


def unit_and_rate(amount: Quantity) -> tuple[str, str]:
    """(unit, rate): ("fraction", "month") of "fraction/month"; a speed has no rate."""
    return _divided(amount.unit)


@lru_cache(maxsize=4096)  # each amount of a claim is held against each of its passages
def _divided(written: str) -> tuple[str, str]:
    if written.startswith("identifier") or written in ("metre/second", "bit/second"):
        return written, ""
    unit, _, rate = written.partition("/")
    if unit in ("metre", "bit") and rate.startswith("second/"):
        return f"{unit}/second", rate.removeprefix("second/")
    return unit, rate


def _ranges(claim: Quantity, truth: Quantity) -> Relation:
    low, high = _widened(claim)
    other_low, other_high = _widened(truth)
    point, other_point = claim.low == claim.high, truth.low == truth.high
    if point and other_point:
        if math.isclose(claim.low, truth.low, rel_tol=1e-9, abs_tol=1e-12):
            return Relation.SAME
        if low <= truth.low <= high or _rounds_to(truth, claim) or _is_part(claim, truth):
            return Relation.ROUNDED
        if other_low <= claim.low <= other_high:
            # "about 300" does not say 312
            return (
                Relation.FINER
                if significant_digits(claim.low) > significant_digits(truth.low)
                else Relation.ROUNDED
            )
        if _rounds_to(claim, truth) and _in_tens(claim, truth):
            return Relation.FINER
        if math.isclose(claim.low, truth.low, rel_tol=_CONVERTED) and _is_converted(claim, truth):
            return Relation.ROUNDED
        if _is_so_many_months(claim, truth):
            return Relation.ROUNDED
        return Relation.DISJOINT
    if math.isclose(claim.low, truth.low) and math.isclose(claim.high, truth.high):
        return Relation.SAME
    if other_high < low or high < other_low:
        return Relation.DISJOINT
    if _other_bound(claim, truth) or _other_end(claim, truth):
        return Relation.DISJOINT
    if low <= truth.low and truth.high <= high:  # the claim says less than the passage
        return Relation.SAME if other_point or not point else Relation.COMPATIBLE
    return Relation.COMPATIBLE


def is_near_limit(claim: Quantity, truth: Quantity) -> bool:
    """Whether one amount lies so near a claim's limit that the limit may be told of it.

    Nobody says that 24 hours are "at least four", though they are.
    """
    limit = _limit(claim)
    one_sided = claim.high == math.inf or claim.low in (0.0, -math.inf)
    if not one_sided or limit <= 0 or truth.low <= 0:
        return True
    return max(limit, truth.low) <= (1 + _NEAR_LIMIT) * min(limit, truth.low)


def is_other_exact_limit(claim: Quantity, truth: Quantity) -> bool:
    """Whether a limit is another than an amount and no rounder: "up to 9,701" beside 9,071."""
    digits = digits_told(claim, _limit(claim))
    exact = digits >= max(EXACT_FROM, digits_told(truth, truth.low))
    return exact and truth.low not in (claim.low, claim.high)


def _limit(claim: Quantity) -> float:
    return claim.low if claim.high == math.inf else claim.high


def _other_end(claim: Quantity, truth: Quantity) -> bool:
    """Whether two ranges begin alike and end elsewhere, or the other way: "6 to 12", "6 to 10"."""
    ends = (claim.low, claim.high, truth.low, truth.high)
    if claim.approximate or truth.approximate or not all(0 < end < math.inf for end in ends):
        return False
    if claim.low == claim.high or truth.low == truth.high:
        return False
    return math.isclose(claim.low, truth.low) != math.isclose(claim.high, truth.high)


def _widened(amount: Quantity) -> tuple[float, float]:
    if not amount.approximate:
        return amount.low, amount.high
    return (
        amount.low - abs(amount.low) * _APPROXIMATE,
        amount.high + abs(amount.high) * _APPROXIMATE,
    )


def _rounds_to(exact: Quantity, rounded: Quantity) -> bool:
    """Whether `rounded` is `exact` written with fewer places."""
    if not rounded.step > exact.step > 0:
        return False
    off = abs(exact.low - rounded.low)
    return off <= rounded.step / 2 and off <= _MOST_ROUNDING * abs(rounded.low)


def _is_part(one: Quantity, other: Quantity) -> bool:
    """Whether a share is a part of a whole as it rounds: a third and 33%, and two thirds and 67%.

    A third is no number of hundredths, which it is told to.
    """
    if unit_and_rate(one)[0] != "fraction" or min(one.step, other.step) <= 0:
        return False
    off = abs(one.low - other.low) * (1 - 1e-9)
    return any(
        off <= told.step / 2 and not math.isclose(part.low / part.step, round(part.low / part.step))
        for part, told in ((one, other), (other, one))
    )


def digits_told(amount: Quantity, value: float) -> int:
    """The significant digits of an end of an amount, in the unit that it is told in."""
    return significant_digits(value / (amount.step or 1.0))


def significant_digits(value: float) -> int:
    """With how many significant digits a number is written, zeros at its end aside."""
    return len(f"{value:.6e}".partition("e")[0].replace(".", "").rstrip("0").lstrip("-"))


def _in_tens(claim: Quantity, truth: Quantity) -> bool:
    """Whether both are written in one unit: 8.05 km is what 5 miles are, not more exact."""
    power = math.log10(truth.step / claim.step)
    return math.isclose(power, round(power), abs_tol=1e-6)


def _is_converted(claim: Quantity, truth: Quantity) -> bool:
    """Whether two amounts that lie close may be one: written in two units, or one of them cut off.

    In one unit, €4,667 is no other way to write €4,675.75.
    """
    if claim.step == truth.step or min(claim.step, truth.step) <= 0:
        return claim.step != truth.step
    off = abs(claim.low - truth.low)
    return not _in_tens(claim, truth) or off < max(claim.step, truth.step)


def _other_bound(claim: Quantity, truth: Quantity) -> bool:
    """Whether both are "up to" or both "at least", and the limits differ.

    "more than 5,000" may stand for "more than 5,200"; a limit that is no rounder is another one.
    """
    if claim.high == truth.high == math.inf:
        limit, other = claim.low, truth.low
        looser = limit <= other
    elif claim.low == truth.low and claim.low in (0.0, -math.inf):
        limit, other = claim.high, truth.high
        looser = limit >= other
    else:
        return False
    rounder = looser and claim.step > truth.step > 0 and abs(limit - other) < claim.step
    return not rounder and not math.isclose(limit, other, rel_tol=_CONVERTED)


def told_alike(ours: Quantity, claim: str, theirs: Quantity, passage: str) -> bool:
    """Whether a claim and a passage say the very same of two amounts of one kind.

    "Keys expire after 30 days" and "keys expire after 90 days", word for word but for the amount.
    """
    if ours.unit != theirs.unit and not {ours.unit, theirs.unit} <= units.TEMPERATURES:
        return False
    before = " ".join(claim[: ours.span.start].lower().split())
    after = " ".join(claim[ours.span.end :].lower().split()).rstrip(".!?")
    if len(before.split()) + len(after.split()) < _FEWEST_WORDS:
        return False
    ahead = passage[max(0, theirs.span.start - 2 * len(before) - 20) : theirs.span.start]
    behind = passage[theirs.span.end : theirs.span.end + 2 * len(after) + 20]
    ahead, behind = " ".join(ahead.lower().split()), " ".join(behind.lower().split())
    whole = not behind[len(after) :][:1].isalnum()  # "fish" is not "fishbowls"
    return ahead.endswith(before) and behind.startswith(after) and whole
