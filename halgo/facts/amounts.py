"""Numbers of a text -> amounts: with the sign, currency, unit and rate that stand around them.

Reads what is written, left to right, without a parse. Whether a word such as "one" counts
anything, and what it counts, is asked of the parse in quantities.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from halgo.facts import clocktimes, numberwords, units
from halgo.facts.numbers import DASHES, SCREENS, Amount, NumberReader
from halgo.facts.numerals import numeral
from halgo.facts.units import Unit
from halgo.facts.words import WEEKDAYS

_words = str.split

_MINUS = frozenset("-−–")
_RATE_WORDS = ("per", "each", "every", "a", "an")
# What stands between a number and its unit, and changes neither.
_STRETCHING = frozenset(
    _words(
        "consecutive successive straight full whole entire clear paid extra additional further "
        "more fewer"
    )
)
_JOINING = frozenset(
    _words(
        "with from into over that this than then when what which were have been will does after "
        "before during until since about other these those within more less fewer"
    )
)
_APART = frozenset(
    _words(
        "more less fewer ahead behind longer shorter heavier lighter higher lower taller later "
        "earlier before after above below further wider deeper"
    )
)
_AFTER_TIMES = frozenset(_words("later ago after before earlier long apart away"))
# Of an ISO 8601 duration, "P30D", "PT8H": before its T, and behind.
_OF_DATE = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_OF_TIME = {"H": "hour", "M": "minute", "S": "second"}
# A mark of inches is one of a quotation where that is open: 'said "about 1" and left'.
_OPEN_QUOTE = re.compile(r"(?:^|[\s(\[{:,=])[\"“][^\"”]*$")
_MARKS = {'"': "inch", "”": "inch", "″": "inch", "′": "foot"}
_LOOK_QUOTE = 1000
_RATIO = frozenset(_words("ratio ratios odds outnumber outnumbers outnumbered"))
_AGAINST = frozenset({":", "to", *DASHES})
_LOOK_AROUND = 8  # pieces
_DOTTED = re.compile(r"(?:[01]?\d|2[0-4])\.[0-5]\d")
_UNTIL = frozenset(_words("to until till - – —"))
_TIMES = frozenset(_words("time times hours"))
_OF_HOURS = frozenset(
    f"{word}{end}"
    for word in (*WEEKDAYS, "weekday", "weekend", "open", "close")
    for end in ("", "s")
) | {"daily", "closed", "opening"}
_CONTESTS = frozenset(
    _words(
        "win lose beat defeat draw score lead victory loss defeat triumph match game tie advance "
        "thrash edge hammer goal advantage aggregate vote won lost led drew"
    )
)
_PART = re.compile(r"(\d+)([YMWDHS])")


def is_contest(around: Sequence[str]) -> bool:
    """Whether words speak of a contest, whose numbers are a score; letter case is lower."""
    return any(
        word.removesuffix(end) in _CONTESTS for word in around for end in ("", "s", "ed", "d")
    )


class AmountReader(NumberReader):
    """Reads amounts from one text: numbers with what they are measured in."""

    # -- reading --------------------------------------------------------------------------

    def read(self, at: int) -> Amount | None:
        """The amount that begins at a piece; None when none does."""
        if self.blocked[at]:
            return None
        piece = self.pieces[at]
        if piece.kind == "duration":
            return self._duration(at)
        if piece.kind in ("clock", "number") and self._is_offset(at):
            return None
        if piece.kind == "clock" and (lasting := self._hours_and_minutes(at)) is not None:
            return lasting
        if piece.kind == "clock" or (piece.kind == "number" and self._meridiem(at + 1)):
            return self._clock(at)
        if piece.kind == "number" and self._is_dotted(at):
            return self._clock(at)
        if piece.kind == "number" or self.lower[at] in clocktimes.STARTERS:
            spoken = clocktimes.read(self, at)
            if spoken is not None and _RATIO.isdisjoint(self._near(at, at)):
                return spoken
        start, negative = at, False
        if self._is_minus(at):
            at, negative = at + 1, True
        currency = self._currency(at)
        if currency is not None:
            at += 1
            if self.word(at) in _MINUS and self.is_number(at + 1):
                at, negative = at + 1, True
        found = self.number(at, money=currency is not None)
        if found is None:
            return None
        if ratio := self._against_one(found):
            return ratio
        found = self.scaled(found, money=currency is not None)
        found = self._repeated(found)
        if currency is not None:
            found = self.in_unit(found, currency)
            again = self.unit_after(found.last)
            if again and again[0].base == currency.base:  # "$5 million dollars"
                found = replace(found, last=again[1])
        elif not found.unit:
            found = self.measured(found)
        elif found.unit == "fraction":
            found = self._part_of_one(found)
            if found.unit == "fraction" and self.word(found.last) in ("a", "an"):
                return None  # "half a chance"
        if self._goes_on(found.last):
            return None
        found = self.rated(found)
        if found.unit.startswith("degree") and self.word(found.last + 1) == "zero":
            below = self.word(found.last)
            if below in ("below", "above"):  # "four degrees below zero"
                negative ^= below == "below"
                found = replace(found, last=found.last + 2)
        if negative:
            found = replace(found, low=-found.high, high=-found.low, number=-found.number)
        return replace(found, first=start)

    def _against_one(self, found: Amount) -> Amount | None:
        """Reads "10:1", "3-to-1" and "a ratio of twenty to one": so many times."""
        at = found.last
        if self.word(at) not in _AGAINST or found.number <= 1 or found.unit:
            return None
        near = self._near(found.first, at)
        if self.word(at) == ":" and self.attached(at) and self.attached(at + 1):
            told = self.pieces[at + 1].text == "1"
        else:
            told = self.word(at) in DASHES or not _RATIO.isdisjoint(near)
            at += self.word(at) in DASHES
            told = told and self.word(at) == "to"
            at += self.word(at + 1) in DASHES
            told = told and self.word(at + 1) in ("1", "one")
        if not told or is_contest(near) or self._goes_on(at + 2) or self.unit_after(at + 2):
            return None
        return replace(found, unit="times", last=at + 2)

    def _near(self, first: int, last: int) -> list[str]:
        """The words around pieces [first, last)."""
        return self.lower[max(0, first - _LOOK_AROUND) : last + _LOOK_AROUND]

    def _is_minus(self, at: int) -> bool:
        word = self.word(at)
        if word in ("minus", "negative"):
            return self.is_number(at + 1) or self.word(at + 1) in numberwords.SMALL
        if word not in _MINUS or not self.attached(at + 1):
            return False
        if self.attached(at) and self.word(at - 1) not in ("(", "["):
            return False
        return self.is_number(at + 1) or self._currency(at + 1) is not None

    def _currency(self, at: int) -> Unit | None:
        if not 0 <= at < len(self.pieces) or self.blocked[at]:
            return None
        text = self.pieces[at].text
        if text not in units.PREFIXES:
            return None
        following = self.is_number(at + 1) or (
            self.word(at + 1) in _MINUS and self.is_number(at + 2)
        )
        return units.find(text) if following else None

    def _goes_on(self, at: int) -> bool:
        """Whether letters are written onto the amount: "5G", "3D", "the 30s"."""
        return self.attached(at) and self.pieces[at].kind in ("word", "number")

    # -- units ----------------------------------------------------------------------------

    def in_unit(self, found: Amount, unit: Unit) -> Amount:
        """The number as an amount of `unit`, in its base unit."""
        factor = unit.factor
        return replace(
            found,
            low=found.low * factor,
            high=found.high * factor,
            step=found.step * factor,
            unit=unit.base,
            factor=factor,
        )

    def worded(
        self, at: int, value: Fraction, unit: Unit, last: int, step: Fraction = Fraction(1)
    ) -> Amount:
        """So much of a unit, said in words over pieces [at, last)."""
        return self.in_unit(Amount(value, value, "", step, at, last, value, worded=True), unit)

    def unit_after(self, at: int) -> tuple[Unit, int] | None:
        """(unit, position after it) of the longest unit name at `at`, or of a mark of inches."""
        if mark := self._mark(at):
            return mark, at + 1
        if self.word(at) in DASHES and self.attached(at) and self.attached(at + 1):
            at += 1
        best: tuple[Unit, int] | None = None
        name: list[str] = []
        for end in range(at, min(at + 2 * units.LONGEST_NAME, len(self.pieces))):
            if self.blocked[end]:
                break
            text = self.pieces[end].text
            if text == "-" and name and self.attached(end):
                continue
            name.append(text)
            if len(name) > units.LONGEST_NAME:
                break
            unit = self._unit_named(" ".join(name), at, end)
            if unit:
                best = (unit, end + 1)
        return best

    def _mark(self, at: int) -> Unit | None:
        """The unit of a mark written onto a number: 24", 6′."""
        name = _MARKS.get(self.word(at))
        if name is None or not self.attached(at) or not self.is_number(at - 1):
            return None
        start = self.pieces[at - 1].start
        quoted = _OPEN_QUOTE.search(self.text, max(0, start - _LOOK_QUOTE), start)
        return None if quoted and name == "inch" and self.word(at) != "″" else units.find(name)

    def _unit_named(self, name: str, at: int, end: int) -> Unit | None:
        if name.lower() in units.AMBIGUOUS_POUND:
            around = frozenset(self.lower[max(0, at - 6) : end + 4])
            return units.pounds(around)
        if name in ("x", "×") and (not self.attached(at) or self.is_number(end + 1)):
            return None
        if name == "p":  # "4p a minute", "3.6p a share", not 720p, nor "5 p"
            written = self.pieces[at - 1].text
            pence = self.attached(at) and ("." in written or len(written) < 3)
            return units.find(name) if pence else None
        if name == "B" or (name in ("pp", "MP", "AU") and not name.isupper()):
            return None
        if name == "s" and (not self.attached(at) or self.pieces[at - 1].text.endswith("0")):
            return units.find(name) if not self.attached(at) else None  # "the 30s"
        if name == "K" and self.word(end + 1) in SCREENS:
            return None
        return units.find(name)

    def measured(self, found: Amount) -> Amount:
        """The number with the unit after it, and the smaller unit after that."""
        at = found.last
        feet = self._feet(found)
        if feet:
            return feet
        if self.attached(at) and self.word(at) in ("c", "f") and self.pieces[at].text.isupper():
            unit = units.find("°" + self.pieces[at].text)
            return replace(self.in_unit(found, unit), last=at + 1) if unit else found
        start = at
        if found.vague and self.word(at) == "of":
            start += 1  # "millions of dollars"
        if self.word(start) in _STRETCHING and (
            self.word(start + 1).endswith("s") or self.word(start + 2) in ("day", "days")
        ):
            start += 1  # "45 consecutive days", "10 full working days"
        got = self.unit_after(start) or self._further_unit(found)
        if got is None:
            return found
        unit, last = got
        if unit.base == "second" and self.word(last) in ("of",) and self.word(last + 1) == "age":
            last += 2
            return self._aged(found, unit, last)
        old = last + 1 if self.word(last) == "-" else last
        if unit.base == "second" and self.word(old) in ("old", "olds"):
            return self._aged(found, unit, old + 1)
        measured = replace(self.in_unit(found, unit), last=last)
        return self.with_remainder(measured, unit)

    def _further_unit(self, found: Amount) -> tuple[units.Unit, int] | None:
        """The days of "27 paid vacation days": behind one or two words that tell of which kind."""
        for at in (found.last, found.last + 1):
            word = self.word(at)
            if len(word) < 4 or not word.isalpha() or word.endswith("s") or word in _JOINING:
                return None
            if self.word(at + 1) in ("days", "weeks", "months", "hours"):
                return self.unit_after(at + 1)
        return None

    def _part_of_one(self, found: Amount) -> Amount:
        """Reads "half an hour", "a quarter of one percent", "1/2 inch" in their unit."""
        at = found.last
        if self.word(at) == "of":
            at += 2 * (self.word(at + 1) in ("a", "an", "one", "1"))
        else:
            at += self.word(at) in ("a", "an")
        got = self.unit_after(at)
        return replace(self.in_unit(found, got[0]), last=got[1]) if got else found

    def _aged(self, found: Amount, unit: Unit, last: int) -> Amount:
        year = units.find("year")
        assert year is not None
        return replace(
            self.in_unit(found, Unit("year of age", unit.factor / year.factor)), last=last
        )

    def _feet(self, found: Amount) -> Amount | None:
        """5'11" and 6' 2"."""
        at = found.last
        if (
            self.word(at) not in ("'", "’", "′")
            or not self.attached(at)
            or not self.is_number(at + 1)
        ):
            return None
        inches = numeral(self.pieces[at + 1].text)
        if inches is None or inches.value >= 12 or self.word(at + 2) not in ('"', "”", "″", "'"):
            return None
        value = (found.number * 12 + inches.value) * Fraction("0.0254")
        return replace(found, low=value, high=value, unit="metre", step=Fraction("0.0254"),
                       last=at + 3)  # fmt: skip

    def with_remainder(self, found: Amount, unit: Unit) -> Amount:
        """Takes "2 hours 30 minutes", "5 feet 3 inches" and "3h20" as one amount."""
        if minutes := self._attached_minutes(found, unit):
            return minutes
        for _ in range(2):
            at = found.last
            at += self.word(at) == ","
            at += self.word(at) == "and"
            if unit.base not in ("second", "metre", "gram"):
                return found
            rest = None if self.word(at) in ("a", "an") else self.number(at, money=False)
            got = self.unit_after(rest.last) if rest else None
            if not rest or not got or got[0].base != unit.base or got[0].factor >= unit.factor:
                return found
            if self.word(found.last) == "," and self.word(got[1]) in _APART:
                return found  # "1.1 kg, 200 g less than the other"
            total = found.low + rest.number * got[0].factor
            if rest.number * got[0].factor >= unit.factor:
                return found
            unit = got[0]
            found = replace(found, low=total, high=total, step=unit.factor, last=got[1])
        return found

    def _attached_minutes(self, found: Amount, unit: Unit) -> Amount | None:
        """Reads "3h20" and "3h20m"; None where no minutes are written onto the hours."""
        at = found.last
        if unit.factor != 3600 or not self.attached(at) or not self.is_number(at):
            return None
        written = self.pieces[at].text
        if not (written.isdigit() and len(written) == 2 and int(written) < 60):
            return None
        value = found.low + 60 * int(written)
        last = at + 1 + (self.attached(at + 1) and self.word(at + 1) in ("m", "min", "mins"))
        return replace(found, low=value, high=value, step=Fraction(60), last=last)

    def _hours_and_minutes(self, at: int) -> Amount | None:
        """Reads "3:20 h" and "4:05 min": a length of time, which the unit behind it tells."""
        got = self.unit_after(at + 1)
        if got is None or got[0].base != "second" or got[0].factor not in (60, 3600):
            return None
        value, size = Fraction(0), got[0].factor
        for part in self.pieces[at].text.split(":"):
            value, size = value + int(part) * size, size / 60
        return Amount(value, value, "second", size * 60, at, got[1], value)

    def _duration(self, at: int) -> Amount | None:
        """Reads a duration of ISO 8601: "P30D", "PT1H30M"."""
        days, _, hours = self.pieces[at].text[1:].partition("T")
        told = [(n, _OF_DATE.get(name)) for n, name in _PART.findall(days)]
        told += [(n, _OF_TIME.get(name)) for n, name in _PART.findall(hours)]
        sizes = [units.find(name) if name else None for _, name in told]
        if not sizes or None in sizes:
            return None
        value = sum(
            (int(n) * size.factor for (n, _), size in zip(told, sizes, strict=True) if size),
            Fraction(0),
        )
        step = sizes[-1].factor if sizes[-1] else Fraction(1)
        return Amount(value, value, "second", step, at, at + 1, value)

    def rated(self, found: Amount) -> Amount:
        """The rate an amount is said at: "5% per month", "$12 an hour", "twice a week"."""
        at, word = found.last, self.word(found.last)
        if found.unit in ("ordinal", "") or found.unit.startswith(("clock", "identifier")):
            # "12 meetings per month": the counted noun stands between
            if found.unit or not word.isalpha() or self.attached(at):
                return found
            at += word != "per"
            # "30 search requests an hour": more words than one only before a plural.
            if self.word(at) not in _RATE_WORDS and self.word(at).endswith("s"):
                at += 1
            word = self.word(at)
        if word == "/" and self.attached(at):
            whole = self.unit_after(at + 1)
            per = units.TIME_UNITS.get(self.word(at + 1).removesuffix("s"))
            per = per or (units.name_of(whole[0]) if whole else None)
        elif word in _RATE_WORDS:
            name = self.word(at + 1)
            per = units.TIME_UNITS.get(name)
            if per and self.word(at + 2) in _AFTER_TIMES:
                per = None
            if per is None and word == "per" and name.isalpha() and found.unit:
                whole = self.unit_after(at + 1)
                per = units.name_of(whole[0]) if whole else name
        else:
            per = units.RATE_ADVERBS.get(word) if found.unit else None
            if found.unit in units.CURRENCIES:
                per = per or units.MONEY_RATES.get(word)
        return replace(found, rate=per) if per else found

    # -- time of day ----------------------------------------------------------------------

    def _meridiem(self, at: int) -> str:
        half, last = clocktimes.half_of_day(self, at)
        return half if last == at + 1 else ""

    def _is_dotted(self, at: int) -> bool:
        """Whether it is an end of hours written with points: "Thursdays 19.00 to 21.30"."""
        if not _DOTTED.fullmatch(self.pieces[at].text):
            return False
        first = at if self.word(at + 1) in _UNTIL else at - 2
        last = first + 2
        if first < 0 or last >= len(self.pieces) or self.word(first + 1) not in _UNTIL:
            return False
        if not all(_DOTTED.fullmatch(self.pieces[end].text) for end in (first, last)):
            return False
        if self.word(last + 1) == "%" or self.unit_after(last + 1):
            return False
        if float(self.pieces[first].text) > float(self.pieces[last].text):
            return False  # what fell from 12.45 to 10.30 on Monday
        headed = self.word(first - 1) == ":" and self.word(first - 2) in _TIMES
        return headed or not _OF_HOURS.isdisjoint(self._near(first, last))

    def _is_offset(self, at: int) -> bool:
        """Whether it is how far the zone of a time stamp is from UTC: "T08:52+02:00", "+0200"."""
        stamped = self.word(at - 3) == "t" and self.pieces[at - 2].kind == "clock"
        close = all(map(self.attached, (at - 2, at - 1, at)))
        return stamped and close and self.word(at - 1) in ("+", "-")

    def _clock(self, at: int) -> Amount | None:
        """Reads "3:30 pm", "15:30", "3 p.m.": seconds since midnight, or noon where not said."""
        parts = self.pieces[at].text.replace(".", ":").split(":")  # "4.15 pm"
        if not all(part.isdigit() and len(part) <= 2 for part in parts):
            return None
        hour, minute, second = (int(part) for part in (*parts, "0", "0")[:3])
        half = self._meridiem(at + 1)
        if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
            return None
        last = at + 2 if half else at + 1
        if half:
            hour = hour % 12 + (12 if half == "pm" else 0)
        stamped = self.attached(at) and self.word(at - 1) == "t"  # "2025-05-09T12:17"
        unsure = not half and not stamped and hour <= 12 and not parts[0].startswith("0")
        value = Fraction(hour % 24 * 3600 + minute * 60 + second)  # 24:00 is midnight
        unit = "clock"
        if unsure:
            value, unit = value % units.HALF_DAY, "clock12"
        return Amount(value, value, unit, Fraction(0), at, last, value)
