"""Pieces of text -> amounts: numerals or number words with their magnitude, unit and rate.

Reads what is written, left to right, without a parse. Whether a word such as "one" counts
anything, and what it counts, is asked of the parse in quantities.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from halgo.facts import numberwords, units
from halgo.facts.numerals import Piece, numeral
from halgo.facts.units import Unit

_words = str.split

LABELS = frozenset(
    _words(
        "section sections clause clauses article articles version chapter page pages figure fig "
        "table appendix annex schedule exhibit item rule regulation form part volume vol issue "
        "episode phase type level grade class category room gate flight route highway interstate "
        "model no nr number line row step paragraph para act psalm verse stage tier channel "
        "amendment resolution case order lot platform terminal passage passages source document"
    )
)
_ODD_SINGULARS = {"sections": "section", "clauses": "clause", "articles": "article",
                  "pages": "page", "passages": "passage", "no": "number", "nr": "number",
                  "vol": "volume", "fig": "figure", "para": "paragraph"}  # fmt: skip
_PREFIXES = frozenset(
    _words(
        "mid sub pre post non under over near multi per to and for a percent "
        "million billion thousand"
    )
)
_DASHES = frozenset("-–—‒−")
_MINUS = frozenset("-−–")
_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 100, 1000})
_SCREENS = frozenset(_words("tv video resolution monitor display screen camera uhd footage"))
_AFTER_TIMES = frozenset(_words("later ago after before earlier long apart away"))
_STARTERS = (
    frozenset(numberwords._SMALL)
    | frozenset(numberwords._TENS)
    | frozenset(numberwords._PLURAL_SCALES)
    | {"half", "a", "an"}
)
_METRE_NOUNS = frozenset(
    _words(
        "race sprint final hurdles relay freestyle backstroke butterfly breaststroke dash swim run "
        "deep high tall long wide away above below record distance title gold silver bronze from"
    )
)
DAY_SECONDS = 86400
_CLOCK_HALF = 12 * 3600


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount over pieces [first, last): `low` to `high` of `unit`, in the base unit.

    `number` and `scale` are what was written before the unit came in ("5" and 10**6), for
    sharing them with the other end of a range. `label` is what an identifier names ("section").
    """

    low: Fraction
    high: Fraction
    unit: str
    step: Fraction
    first: int
    last: int
    number: Fraction
    scale: Fraction = Fraction(1)
    factor: Fraction = Fraction(1)
    rate: str = ""
    label: str = ""
    vague: bool = False
    worded: bool = False


class AmountReader:
    """Reads amounts from one text; `blocked` tells which pieces belong to something else."""

    def __init__(self, text: str, blocked: list[bool], found: list[Piece]) -> None:
        self.text = text
        self.pieces = found
        self.lower = [piece.lower for piece in found]
        self.blocked = blocked

    def _goes_on(self, at: int) -> bool:
        """Whether letters are written onto the amount: "5G", "3D", "the 30s"."""
        return self.attached(at) and self.pieces[at].kind in ("word", "number")

    # -- what stands where ----------------------------------------------------------------

    def word(self, at: int) -> str:
        """The piece at a position in lower case, "" beyond the ends and in blocked places."""
        inside = 0 <= at < len(self.pieces) and not self.blocked[at]
        return self.lower[at] if inside else ""

    def attached(self, at: int) -> bool:
        """Whether no white space stands before the piece at this position."""
        return 0 < at < len(self.pieces) and self.pieces[at - 1].end == self.pieces[at].start

    def is_number(self, at: int) -> bool:
        """Whether the piece is a numeral that nothing else claims."""
        return (
            0 <= at < len(self.pieces) and not self.blocked[at] and self.pieces[at].kind == "number"
        )

    # -- reading --------------------------------------------------------------------------

    def read(self, at: int) -> Amount | None:
        """The amount that begins at a piece; None when none does."""
        if self.blocked[at]:
            return None
        piece = self.pieces[at]
        if piece.kind == "clock" or (piece.kind == "number" and self._meridiem(at + 1)):
            return self._clock(at)
        start, negative = at, False
        if self._is_minus(at):
            at, negative = at + 1, True
        currency = self._currency(at)
        if currency is not None:
            at += 1
            if self.word(at) in _MINUS and self.is_number(at + 1):
                at, negative = at + 1, True
        found = self._number(at, money=currency is not None)
        if found is None:
            return None
        found = self._scaled(found, money=currency is not None)
        found = self._repeated(found)
        if currency is not None:
            found = self._as(found, currency)
            again = self._unit_after(found.last, attached_only=False)
            if again and again[0].base == currency.base:  # "$5 million dollars"
                found = replace(found, last=again[1])
        elif not found.unit:
            found = self._measured(found)
        if self._goes_on(found.last):
            return None
        found = self._rated(found)
        if negative:
            found = replace(found, low=-found.high, high=-found.low, number=-found.number)
        return replace(found, first=start)

    def label(self, at: int) -> Amount | None:
        """The identifier whose number begins at a piece: "Section 8.2(b)", "version 3.11.7"."""
        keyword = self.word(at - 1)
        back = at - 1
        if keyword in (".", "#") and self.attached(at - 1):
            back, keyword = at - 2, self.word(at - 2)
        if keyword not in LABELS or (self.attached(at) and self.word(at - 1) not in ("#", ".")):
            return None
        if keyword == "no" and back == at - 1:  # "no 3" is no identifier, "no. 3" is
            return None
        return self.identifier(at, _ODD_SINGULARS.get(keyword, keyword))

    def identifier(self, at: int, label: str) -> Amount | None:
        """The piece at `at`, and what is written onto it, as the number of a named thing."""
        if self.is_number(at):
            value = numeral(self.pieces[at].text)
            number = value.value if value else Fraction(0)
            last = at + 1
            while last < len(self.pieces) and self.attached(last) and last < at + 6:
                text = self.pieces[last].text
                more = text.isalnum() or text in ("(", ")", "-", ".", "/", "–")
                joins = text in ("(", ")") or self.attached(last + 1)
                if not more or (not text.isalnum() and not joins):
                    break
                last += 1
            if self.pieces[last - 1].text in ("-", ".", "/", "–", "("):
                last -= 1
            written = self.text[self.pieces[at].start : self.pieces[last - 1].end].lower()
            if written.endswith(")") and "(" not in written:
                written, last = written[:-1], last - 1
        else:
            worded = numberwords.read(self.lower[at : at + 40]) if self.word(at) else None
            if worded is None or worded.share or worded.vague or self.word(at) in ("a", "an"):
                return None
            number, last = worded.value, at + worded.end
            written = str(worded.value)
        return Amount(number, number, f"identifier:{written}", Fraction(0), at, last, number,
                      label=label)  # fmt: skip

    def _is_minus(self, at: int) -> bool:
        word = self.word(at)
        if word in ("minus", "negative"):
            return self.is_number(at + 1) or self.word(at + 1) in numberwords._SMALL
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

    def _number(self, at: int, money: bool) -> Amount | None:
        if self.is_number(at):
            return self._numeral(at, money)
        if at >= len(self.pieces) or self.blocked[at]:
            return None
        piece = self.pieces[at]
        if piece.text in numberwords.VULGAR:
            value = numberwords.VULGAR[piece.text]
            return Amount(value, value, "", Fraction(1, 100), at, at + 1, value)
        if self.lower[at] in numberwords.MULTIPLES:
            value = Fraction(numberwords.MULTIPLES[self.lower[at]])
            return Amount(value, value, "times", Fraction(1), at, at + 1, value, worded=True)
        if self.lower[at] not in _STARTERS:
            return None
        words = self.lower[at : at + 40]
        worded = numberwords.read(words)
        if worded is None:
            return None
        unit = "fraction" if worded.share else ""
        return Amount(worded.value, worded.value, unit, worded.step, at, at + worded.end,
                      worded.value, vague=worded.vague, worded=True)  # fmt: skip

    def _numeral(self, at: int, money: bool) -> Amount | None:
        before = self.pieces[at - 1] if at else None
        if self.attached(at) and before is not None:
            if before.kind in ("number", "clock") or before.text in ("#", "_", "/", "."):
                return None
            if before.kind == "word" and not money:
                return None  # "B2", "A4"
            if before.text in _DASHES and self.attached(at - 1) and at >= 2:
                stem = self.pieces[at - 2]
                if stem.kind == "word" and stem.lower not in _PREFIXES | _STARTERS:
                    return None  # "COVID-19", "F-16"
        value = numeral(self.pieces[at].text)
        if value is None:
            return None
        number, step, last, unit = value.value, value.step, at + 1, ""
        if self.word(last) == "/" and self.attached(last) and self.is_number(last + 1):
            if not self.attached(last + 1):
                return None
            bottom = numeral(self.pieces[last + 1].text)
            if not bottom or bottom.value not in _DENOMINATORS or number >= bottom.value:
                return None  # "9/11", "24/7"
            number, step, last, unit = number / bottom.value, Fraction(1, 100), last + 2, "fraction"
        elif self.word(last) in numberwords.VULGAR:
            number, step = number + numberwords.VULGAR[self.word(last)], Fraction(1, 10)
            last += 1
        elif self._mixed(last):
            top, bottom = numeral(self.pieces[last].text), numeral(self.pieces[last + 2].text)
            if top and bottom and 0 < top.value < bottom.value:
                number, step = number + top.value / bottom.value, Fraction(1, 10)
                last += 3
        elif self.word(last) in ("st", "nd", "rd", "th") and self.attached(last):
            return Amount(number, number, "ordinal", Fraction(0), at, last + 1, number)
        return Amount(number, number, unit, step, at, last, number)

    def _mixed(self, at: int) -> bool:
        """Whether "1/2" stands at `at`, after a whole number."""
        return (
            self.is_number(at)
            and self.word(at + 1) == "/"
            and self.attached(at + 1)
            and self.is_number(at + 2)
            and self.attached(at + 2)
            and len(self.pieces[at].text) == 1
        )

    def _scaled(self, found: Amount, money: bool) -> Amount:
        """The number times the magnitudes written after it: "bn", "million", "hundred thousand"."""
        power, at = 0, found.last
        if at < len(self.pieces) and not self.blocked[at] and not found.worded:
            text = self.pieces[at].text
            close = self.attached(at)
            power = units.MAGNITUDE_SUFFIXES.get(text, 0)
            if money:
                power = power or units.MONEY_SUFFIXES.get(text, 0)
            elif text in ("k", "K", "M", "B") and not close:
                power = 0
            elif text == "m" and close and self._counts_millions(at + 1):
                power = 6
            if text in ("K", "k") and self.word(at + 1) in _SCREENS:
                power = 0
        scale = Fraction(10**power)
        if power:
            at += 1
        for _ in range(2):
            skip = 1 if self.word(at) == "-" and self.attached(at) else 0
            word = self.word(at + skip).removesuffix("s") if not found.worded else ""
            if word in numberwords.SCALES and word != "score":
                scale *= numberwords.SCALES[word]
                at += skip + 1
        if scale == 1:
            return found
        if found.unit == "fraction":  # "1/2 million"
            found = replace(found, unit="")
        value = found.number * scale
        return replace(found, low=value, high=value, step=found.step * scale, last=at, scale=scale)

    def _counts_millions(self, at: int) -> bool:
        word = self.word(at)
        return (
            len(word) > 3
            and word.isalpha()
            and word.endswith(("s", "people"))
            and word not in _METRE_NOUNS
            and not self.attached(at)
        )

    def _repeated(self, found: Amount) -> Amount:
        """Takes "thirty (30)" and "30 (thirty)" as one number."""
        at = found.last
        if self.word(at) != "(":
            return found
        again = self._number(at + 1, money=False)
        if again is None or self.word(again.last) != ")":
            return found
        same = again.number in (found.low, found.number)
        return replace(found, last=again.last + 1) if same else found

    # -- units ----------------------------------------------------------------------------

    def _as(self, found: Amount, unit: Unit) -> Amount:
        factor = unit.factor
        return replace(
            found,
            low=found.low * factor,
            high=found.high * factor,
            step=found.step * factor,
            unit=unit.base,
            factor=factor,
        )

    def _unit_after(self, at: int, attached_only: bool) -> tuple[Unit, int] | None:
        """(unit, position after it) of the longest unit name at `at`."""
        if self.word(at) in _DASHES and self.attached(at) and self.attached(at + 1):
            at += 1
        elif attached_only and not self.attached(at):
            return None
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

    def _unit_named(self, name: str, at: int, end: int) -> Unit | None:
        if name.lower() in units.AMBIGUOUS_POUND:
            around = frozenset(self.lower[max(0, at - 6) : end + 4])
            return units.pounds(around)
        if name in ("x", "×") and (not self.attached(at) or self.is_number(end + 1)):
            return None
        if name == "B" or (name in ("pp", "MP", "AU") and not name.isupper()):
            return None
        if name == "s" and (not self.attached(at) or self.pieces[at - 1].text.endswith("0")):
            return units.find(name) if not self.attached(at) else None  # "the 30s"
        if name == "K" and self.word(end + 1) in _SCREENS:
            return None
        return units.find(name)

    def _measured(self, found: Amount) -> Amount:
        """The number with the unit after it, and the smaller unit after that."""
        at = found.last
        feet = self._feet(found)
        if feet:
            return feet
        if self.attached(at) and self.word(at) in ("c", "f") and self.pieces[at].text.isupper():
            unit = units.find("°" + self.pieces[at].text)
            return replace(self._as(found, unit), last=at + 1) if unit else found
        start = at
        if found.vague and self.word(at) == "of":
            start += 1  # "millions of dollars"
        got = self._unit_after(start, attached_only=False)
        if got is None:
            of = self.word(start) == "of" and self.word(start + 1) in ("a", "an")
            article = self.word(start) in ("a", "an") and found.unit == "fraction"
            if of or article:  # "half an hour", "three quarters of a mile"
                got = self._unit_after(start + (2 if of else 1), attached_only=False)
        if got is None:
            return found
        unit, last = got
        if unit.base == "second" and self.word(last) in ("of",) and self.word(last + 1) == "age":
            last += 2
            return self._aged(found, unit, last)
        old = last + 1 if self.word(last) == "-" else last
        if unit.base == "second" and self.word(old) in ("old", "olds"):
            return self._aged(found, unit, old + 1)
        measured = replace(self._as(found, unit), last=last)
        return self._with_remainder(measured, unit)

    def _aged(self, found: Amount, unit: Unit, last: int) -> Amount:
        year = units.find("year")
        assert year is not None
        return replace(self._as(found, Unit("year of age", unit.factor / year.factor)), last=last)

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

    def _with_remainder(self, found: Amount, unit: Unit) -> Amount:
        """Takes "2 hours 30 minutes" and "5 feet 3 inches" as one amount."""
        for _ in range(2):
            at = found.last
            if self.word(at) in ("and", ","):
                at += 1
            if unit.base not in ("second", "metre", "gram") or not self.is_number(at):
                return found
            rest = self._numeral(at, money=False)
            got = self._unit_after(rest.last, attached_only=False) if rest else None
            if not rest or not got or got[0].base != unit.base or got[0].factor >= unit.factor:
                return found
            total = found.low + rest.number * got[0].factor
            if rest.number * got[0].factor >= unit.factor:
                return found
            unit = got[0]
            found = replace(found, low=total, high=total, step=unit.factor, last=got[1])
        return found

    def _rated(self, found: Amount) -> Amount:
        """The rate an amount is said at: "5% per month", "$12 an hour", "twice a week"."""
        at, word = found.last, self.word(found.last)
        if found.unit in ("ordinal", "") or found.unit.startswith(("clock", "identifier")):
            # "12 meetings per month": the counted noun stands between
            noun_first = found.unit == "" and self.word(at).isalpha() and not self.attached(at)
            at = at + 1 if noun_first else at
            word = self.word(at)
            if not noun_first or found.unit:
                return found
        if word == "/" and self.attached(at):
            per = units.TIME_UNITS.get(self.word(at + 1).removesuffix("s"))
        elif word in ("per", "each", "every", "a", "an"):
            name = self.word(at + 1)
            per = units.TIME_UNITS.get(name)
            if per and self.word(at + 2) in _AFTER_TIMES:
                per = None
            if per is None and word == "per" and name.isalpha() and found.unit:
                per = name
        else:
            per = units.RATE_ADVERBS.get(word) if found.unit else None
        return replace(found, rate=per) if per else found

    # -- time of day ----------------------------------------------------------------------

    def _meridiem(self, at: int) -> str:
        word = self.word(at).replace(".", "").replace(" ", "")
        return word if word in ("am", "pm") else ""

    def _clock(self, at: int) -> Amount | None:
        """Reads "3:30 pm", "15:30", "3 p.m.": seconds since midnight, or noon where not said."""
        parts = self.pieces[at].text.split(":")
        if not all(part.isdigit() and len(part) <= 2 for part in parts):
            return None
        hour, minute = int(parts[0]), int(parts[1]) if len(parts) > 1 else 0
        half = self._meridiem(at + 1)
        if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
            return None
        last = at + 2 if half else at + 1
        if half:
            hour = hour % 12 + (12 if half == "pm" else 0)
        unsure = not half and hour <= 12 and not parts[0].startswith("0")
        value = Fraction(hour * 3600 + minute * 60)
        unit = "clock"
        if unsure:
            value, unit = value % _CLOCK_HALF, "clock12"
        return Amount(value, value, unit, Fraction(0), at, last, value)
