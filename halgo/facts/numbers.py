"""Pieces of text -> numbers: numerals or words with their magnitude, and numbers that name a thing.

Nothing here knows units; amounts.py reads those after the number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from halgo.facts import numberwords, units
from halgo.facts.numerals import Piece, numeral

_words = str.split

LABELS = frozenset(
    _words(
        "section sections clause clauses article articles version chapter page pages figure fig "
        "table appendix annex schedule exhibit item rule regulation form part volume vol issue "
        "episode phase type level grade class category room gate flight route highway interstate "
        "model no nr number line row step paragraph para act psalm verse stage tier channel "
        "amendment resolution case order lot platform terminal passage passages source document "
        "severity priority sprint season §"
    )
)
_ODD_SINGULARS = {"sections": "section", "clauses": "clause", "articles": "article",
                  "pages": "page", "passages": "passage", "no": "number", "nr": "number",
                  "vol": "volume", "fig": "figure", "para": "paragraph",
                  "§": "section"}  # fmt: skip
_PREFIXES = frozenset(
    _words(
        "mid sub pre post non under over near multi per to and for a percent "
        "million billion thousand"
    )
)
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
# What one letter behind it numbers.
_IN_ROMAN = frozenset(
    _words("chapter article phase type volume stage appendix annex schedule act amendment")
)
# "£000", "£'000" over a column is the scale of its numbers.
_THOUSANDS = "000"
_HALVING = frozenset(_words("halve halved halving"))
_HALF = Fraction(1, 2)
DASHES = frozenset("-–—‒−")
_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 100, 1000})
# "4K video" is no four thousand, nor kelvin.
SCREENS = frozenset(_words("tv video resolution monitor display screen camera uhd footage"))
_STARTERS = (
    frozenset(numberwords.SMALL)
    | frozenset(numberwords.TENS)
    | frozenset(numberwords.PLURAL_SCALES)
    | {"half", "a", "an"}
)
_METRE_NOUNS = frozenset(
    _words(
        "race sprint final hurdles relay freestyle backstroke butterfly breaststroke dash swim run "
        "deep high tall long wide away above below record distance title gold silver bronze from"
    )
)


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


class NumberReader:
    """Reads numbers from one text; `blocked` tells which pieces belong to something else."""

    def __init__(self, text: str, blocked: list[bool], found: list[Piece]) -> None:
        self.text = text
        self.pieces = found
        self.lower = [piece.lower for piece in found]
        self.blocked = blocked

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

    # -- numbers ---------------------------------------------------------------------------

    def number(self, at: int, money: bool) -> Amount | None:
        """The number that begins at a piece, in figures or words, without its magnitude."""
        if self.is_number(at):
            return self.numeral(at, money)
        if at >= len(self.pieces) or self.blocked[at]:
            return None
        piece = self.pieces[at]
        if piece.text in numberwords.VULGAR:
            value = numberwords.VULGAR[piece.text]
            return Amount(value, value, "", Fraction(1, 100), at, at + 1, value)
        if self.lower[at] in numberwords.MULTIPLES:
            value = Fraction(numberwords.MULTIPLES[self.lower[at]])
            return Amount(value, value, "times", Fraction(1), at, at + 1, value, worded=True)
        if self._halves(at):
            step = Fraction(1, 100)
            return Amount(_HALF, _HALF, "fraction", step, at, at + 1, _HALF, worded=True)
        if self.lower[at] not in _STARTERS:
            return None
        words = self.lower[at : at + 40]
        worded = numberwords.read(words, before=self.word(at - 1))
        if worded is None:
            return None
        unit = "fraction" if worded.share else ""
        return Amount(worded.value, worded.value, unit, worded.step, at, at + worded.end,
                      worded.value, vague=worded.vague, worded=True)  # fmt: skip

    def _halves(self, at: int) -> bool:
        """Whether something is halved, "falls by half" or is "cut in half"."""
        before, after = self.word(at - 1), self.word(at + 1)
        half = before == "by" or (before == "in" and after not in ("a", "an", "of"))
        return self.lower[at] in _HALVING or (self.lower[at] == "half" and half)

    def numeral(self, at: int, money: bool) -> Amount | None:
        """The number in figures that begins at a piece; None where it is part of a name."""
        before = self.pieces[at - 1] if at else None
        if self.attached(at) and before is not None:
            if before.kind in ("number", "clock") or before.text in ("#", "_", "/", "."):
                return None
            if before.kind == "word" and not money:
                return None  # "B2", "A4"
            if before.text in DASHES and self.attached(at - 1) and at >= 2:
                stem = self.pieces[at - 2]
                if stem.kind == "word" and stem.lower not in _PREFIXES | _STARTERS:
                    return None  # "COVID-19", "F-16"
        value = numeral(self.pieces[at].text)
        if value is None or self.pieces[at].text == _THOUSANDS:
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
        elif share := self._of_whole(number, last):
            number, step, last, unit = share[0], Fraction(1, 100), share[1], "fraction"
        elif self.word(last) in ("st", "nd", "rd", "th") and self.attached(last):
            return Amount(number, number, "ordinal", Fraction(0), at, last + 1, number)
        return Amount(number, number, unit, step, at, last, number)

    def _of_whole(self, top: Fraction, at: int) -> tuple[Fraction, int] | None:
        """(share, position after it) where "in 100" or "out of 10" stands at `at`, after `top`."""
        words = numberwords.end_of_in([self.word(at), self.word(at + 1)], 0)
        at += words
        if not words or not self.is_number(at) or self.attached(at):
            return None
        whole = numeral(self.pieces[at].text)
        after = self.word(at + 1)
        if whole is None or whole.value not in numberwords.WHOLES or not 0 < top < whole.value:
            return None
        if (self.attached(at + 1) and after.isalnum()) or units.find(after) or after in ("%", "-"):
            return None  # "3 in 10 days"
        return top / whole.value, at + 1

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

    def scaled(self, found: Amount, money: bool) -> Amount:
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
            if text in ("K", "k") and self.word(at + 1) in SCREENS:
                power = 0
        scale = Fraction(10**power)
        if power:
            at += 1
            # "1.2 mio. EUR": the period of what is shortened.
            at += self.word(at) == "." and self.attached(at) and self._is_money(at + 1)
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

    def _is_money(self, at: int) -> bool:
        unit = units.find(self.pieces[at].text) if self.word(at) else None
        return unit is not None and unit.base in units.CURRENCIES

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
        again = self.number(at + 1, money=False)
        if again is None or self.word(again.last) != ")":
            return found
        same = again.number in (found.low, found.number)
        return replace(found, last=again.last + 1) if same else found

    # -- names -----------------------------------------------------------------------------

    def label(self, at: int) -> Amount | None:
        """The identifier whose number begins at a piece: "Section 8.2(b)", "version 3.11.7"."""
        keyword = self.word(at - 1)
        back = at - 1
        if keyword in (".", "#") and self.attached(at - 1):
            back, keyword = at - 2, self.word(at - 2)
        if keyword not in LABELS or (
            self.attached(at) and self.word(at - 1) not in ("#", ".", "§")
        ):
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
        elif self.word(at) and (roman := _roman(self.pieces[at].text, label)):
            number, last, written = Fraction(roman), at + 1, str(roman)
        else:
            worded = numberwords.read(self.lower[at : at + 40]) if self.word(at) else None
            if worded is None or worded.share or worded.vague or self.word(at) in ("a", "an"):
                return None
            number, last = worded.value, at + worded.end
            written = str(worded.value)
        return Amount(number, number, f"identifier:{written}", Fraction(0), at, last, number,
                      label=label)  # fmt: skip


def _roman(written: str, label: str) -> int:
    """The value of a Roman numeral below 40, "Phase IV"; 0 of anything else: "in this case I"."""
    if not _ROMAN.fullmatch(written) or (len(written) == 1 and label not in _IN_ROMAN):
        return 0
    values = ["IVX".index(letter) for letter in written]
    worth = (1, 5, 10)
    return sum(-worth[one] if one < after else worth[one] for one, after in pairwise([*values, 0]))
