"""Times of day as they are spoken: "quarter past four", "8 in the evening", "noon".

The value is in seconds since midnight, or of a half day where nothing tells which ("clock12").
"Shortly before 7 am" is any time of the minutes before it: 6:55 is.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from halgo.facts import numberwords
from halgo.facts.numbers import Amount, NumberReader
from halgo.facts.numerals import numeral
from halgo.facts.units import HALF_DAY

_NAMED = {"noon": HALF_DAY, "midday": HALF_DAY, "midnight": 0}
_MINUTES = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20}
# The words that a time may begin with, where no figure does.
STARTERS = frozenset({"a", *_NAMED, *_MINUTES, *numberwords.SMALL})
# "Ten to six" is as often a range or a result.
_BEFORE_MINUTES_TO = frozenset(("at", "until", "till", "by", "around", "about"))
_PARTS_OF_DAY = {"morning": "am", "afternoon": "pm", "evening": "pm"}
_HOURS = 12
_HALF_HOUR = 30
# "Just before", "a little after", "moments past": by how much is not told, but not by half an hour.
_LITTLE = frozenset(
    (
        "just",
        "shortly",
        "soon",
        "right",
        "slightly",
        "barely",
        "little",
        "bit",
        "minutes",
        "moments",
    )
)
_SIDES = {"before": -1, "after": 1, "past": 1}
_FEW_MINUTES = 20 * 60
_DUSK = 6  # from here on an hour "at night" is one of the evening


def read(reader: NumberReader, at: int) -> Amount | None:
    """The time of day that begins at a piece; None where none does."""
    named = at + (_hour(reader, at) == _HOURS)  # "12 noon"
    if reader.word(named) in _NAMED:
        value = Fraction(_NAMED[reader.word(named)])
        return Amount(value, value, "clock", Fraction(0), at, named + 1, value, worded=True)
    start, minutes = at, 0
    if reader.word(at) == "a" and reader.word(at + 1) == "quarter":
        at += 1
    past = _minutes_past(reader, at)
    if past is not None:
        minutes, at = past
    hour = _hour(reader, at)
    if hour is None:
        return None
    half, last = half_of_day(reader, at + 1)
    if past is None and last == at + 1:
        return None
    if half == "night":
        half = "pm" if _DUSK <= hour < _HOURS else "am"
    whole = hour % _HOURS + (_HOURS if half == "pm" else 0)
    value = Fraction(whole * 3600 + minutes * 60) % (2 * HALF_DAY)
    if not half:
        value %= HALF_DAY
    unit = "clock" if half else "clock12"
    return Amount(value, value, unit, Fraction(0), start, last, value, worded=True)


def beside(reader: NumberReader, time: Amount) -> Amount:
    """The minutes "shortly before 7 am" for the 7 am that they are told by; else the time itself.

    The time itself is none of them, and those before midnight are below 0.
    """
    side = _SIDES.get(reader.word(time.first - 1), 0)
    told = reader.word(time.first - 2) in _LITTLE and _number(reader, time.first - 3) is None
    if not side or not told or time.low != time.high:  # "20 minutes before 7 am" is 6:40
        return time
    nearest, farthest = time.low + side, time.low + side * _FEW_MINUTES
    low, high = sorted((nearest, farthest))
    return replace(time, low=low, high=high, first=time.first - 2)


def told_by(low: float, high: float) -> float:
    """The time, in seconds, that the minutes from `low` to `high` beside it are told by."""
    nearest = low if low % 60 else high  # a second from it
    return round(nearest / 60) * 60.0


def half_of_day(reader: NumberReader, at: int) -> tuple[str, int]:
    """("am", "pm", "night" or "", position after it) where one is told behind an hour."""
    if reader.word(at) == "o'clock" or reader.word(at) == "o’clock":
        at += 1
    told = reader.word(at).replace(".", "").replace(" ", "")
    if told in ("am", "pm"):
        return told, at + 1
    if reader.word(at) == "at" and reader.word(at + 1) == "night":
        return "night", at + 2
    if reader.word(at) == "in" and reader.word(at + 1) == "the":
        half = _PARTS_OF_DAY.get(reader.word(at + 2), "")
        return (half, at + 3) if half else ("", at)
    return "", at


def _minutes_past(reader: NumberReader, at: int) -> tuple[int, int] | None:
    """(minutes, position of the hour) of "quarter past", "half past", "ten to"."""
    minutes, last = _MINUTES.get(reader.word(at)), at + 1
    if minutes == 20 and reader.word(last) == "-" and reader.word(last + 1) == "five":
        minutes, last = 25, last + 2
    spelt = reader.word(last) in ("minute", "minutes")
    if spelt:
        minutes = _number(reader, at) if minutes is None else minutes
        last += 1
    link = reader.word(last)
    if minutes is None or not 0 < minutes < _HALF_HOUR + (not spelt):
        return None
    if link == "past":
        return minutes, last + 1
    lasting = reader.word(last + 2) in ("hour", "hours", "minute", "minutes")  # "to two hours"
    told = reader.word(at) == "quarter" or reader.word(at - 1) in _BEFORE_MINUTES_TO or spelt
    told = told and minutes != _HALF_HOUR and not lasting
    return (-minutes, last + 1) if link == "to" and told else None


def _hour(reader: NumberReader, at: int) -> int | None:
    value = _number(reader, at)
    return value if value is not None and 1 <= value <= _HOURS else None


def _number(reader: NumberReader, at: int) -> int | None:
    """The whole number that a piece is."""
    if reader.is_number(at):
        written = numeral(reader.pieces[at].text)
        return int(written.value) if written and written.value.denominator == 1 else None
    return numberwords.SMALL.get(reader.word(at))
