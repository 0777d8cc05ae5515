"""Text -> the small pieces that amounts are read from: numerals, words, signs.

Spans point into the unchanged text. All patterns are bounded, so a hostile run of digits costs
no more than any other text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from halgo.types import Span

_PIECE = re.compile(
    r"""
      (?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\d:]))
    | (?P<duration>(?<!\w)P(?=\d|T\d)(?:\d{1,6}[YMWD]){0,4}(?:T(?:\d{1,6}[HMS]){1,3})?(?!\w))
    | (?P<number>
          (?<![\d.,$£€])10[ ]?⁻?[⁰¹²³⁴-⁹]{1,2}(?!\w)                   # 10⁶
        | (?:\d{1,40}(?:[.,·]\d{1,40})?[ ]?[×x·⋅*][ ]?)?                # 1.5 × 10⁻³  3·10^6
          10(?:[ ]?⁻?[⁰¹²³⁴-⁹]{1,2}|\^[-−]?\d{1,2})(?!\w)
        | \d{1,3}(?:['’]\d{3}){1,6}(?![\d'’])(?:\.\d{1,30})?            # 1'234.5
        | \d{1,3}(?:,\d{2,3}){0,6},\d{3}(?![\d,]\d)(?:\.\d{1,30})?   # 1,234.5  12,34,567
        | \d{1,3}(?:,[ ]0\d\d){1,4}(?![\d,]\d)             # 56, 000: spread by a tool
        | \d{1,3}(?:\.\d{3}){1,6},\d{1,30}                           # 1.234,5
        | \d{1,3}(?:[ \u00a0\u202f\u2009]\d{3}){1,6}(?![\d\w])(?:[.,]\d{1,30}(?!\d))?  # 1 234,5
        | \d{1,40},\d{1,2}(?![\d,])                                  # 12,5
        | \d{1,40}(?:\.\d{1,40}){2,8}                                # 3.11.7
        | \d{1,40}(?:[.·]\d{1,40})?(?:[eE][+-]?\d{1,3}(?!\w))?
        | \.\d{1,40}
      )
    | (?P<word>
          (?:km|cm|mm|m|ft|mi)[23](?!\w)
        | (?:km|m|mi)/(?:hr|h|s)(?!\w)
        | (?:[KMG]bit|[MG]b)/s(?!\w)
        | (?:US|[ACR])\$
        | [°º]\s?[CF](?!\w)
        | [ap]\.\s?m\b\.?
        | p\.\s?(?:a|w|c\.\s?m)\.(?!\w)
        | p/(?:a|w|c?m)(?!\w)
        | U\.S\.
        | [^\W\d_]{1,60}(?:['’][^\W\d_]{1,10})?
      )
    | (?P<mark>\S)
    """,
    re.VERBOSE,
)
# Digits set high or low, as those of a footnote are: no part of the number that they stand behind.
_OFF_LINE = re.compile(r"[⁰¹²³⁴-⁹₀-₉]+")
_POWER = re.compile(
    r"(?:(?P<of>\d.*?) ?[×x·⋅*] ?)?10(?: ?(?P<raised>⁻?[⁰¹²³⁴-⁹]{1,2})|\^(?P<power>[-−]?\d{1,2}))"
)
_ONE = Fraction(1)
_VERSION = re.compile(r"\d+(?:\.\d+){2,}")
_GROUPED_BY_DOTS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_SPREAD = re.compile(r"\d{1,3}(?:, 0\d\d)+")
_PHONE = re.compile(
    r"(?<![\w.,])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){1,4}(?![\w-])"
)
_DATE = re.compile(  # "2025-01-14 06:00", "14.01.2025 06:00"
    r"(?:1\d|2[01])\d\d-\d\d-\d\d(?!\d)|\d{1,2}([.-])\d{1,2}\1(?:1\d|2[01])\d\d(?!\d)"
)
# The number of a clause where its sentence begins: "(2) Where the well serves".
_ITEM = re.compile(r"(?:^|[.;:!?]\s{1,8}|\n[ \t]{0,8})(\(\d{1,2}\))(?=\s+[A-Z])")
_CODE = re.compile(r"(?<![\w-])[A-Z]{1,5}-\d{3,12}(?![\w-])")  # of an order, a part
_TRIPLE = re.compile(r"(?<!\w)\d{1,4}([/-])\d{1,4}\1\d{1,4}(?:\1\d{1,5})*(?!\w)")


@dataclass(frozen=True, slots=True)
class Piece:
    """One numeral, word or mark; `kind` is "number", "clock", "duration", "word" or "mark"."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The piece in lower case, for looking words up."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Numeral:
    """The value of a numeral, and what its last written place is worth."""

    value: Fraction
    step: Fraction


def pieces(text: str) -> list[Piece]:
    """The pieces of a text in order; white space and the mark of a footnote are in none of them."""
    return [
        Piece(match.lastgroup or "mark", match[0], match.start(), match.end())
        for match in _PIECE.finditer(text)
        if not _OFF_LINE.fullmatch(match[0])
    ]


@lru_cache(maxsize=4096)  # several readers ask what one numeral is
def numeral(written: str) -> Numeral | None:
    """The value of a numeral as written; None for a version (3.11.7) or one beyond all measure."""
    if power_of_ten := _POWER.fullmatch(written):
        raised = unicodedata.normalize("NFKC", power_of_ten["raised"] or power_of_ten["power"])
        worth = Fraction(10) ** int(raised.replace("−", "-"))
        of = numeral(power_of_ten["of"]) if power_of_ten["of"] else Numeral(_ONE, _ONE)
        return of and Numeral(of.value * worth, of.step * worth)
    plain = re.sub(r"[ \u00a0\u202f\u2009'’]", "", written).replace("·", ".")
    if _VERSION.fullmatch(plain):
        if not _GROUPED_BY_DOTS.fullmatch(plain):
            return None
        plain = plain.replace(".", "")
    elif _SPREAD.fullmatch(written):
        plain = plain.replace(",", "")
    elif "," in plain:
        head, _, tail = plain.rpartition(",")
        if "." in head or (len(tail) != 3 and "." not in tail) or " " in written:
            # a decimal comma: 1.234,5 and 12,5
            plain = head.replace(".", "").replace(",", "") + "." + tail
        else:
            plain = plain.replace(",", "")
    mantissa, _, exponent = plain.lower().partition("e")
    power = int(exponent or 0)
    if abs(power) > 60 or len(mantissa) > 60:
        return None
    value = Fraction(mantissa) * Fraction(10) ** power
    _, _, decimals = mantissa.partition(".")
    return Numeral(value, _step(mantissa, len(decimals)) * Fraction(10) ** power)


def _step(mantissa: str, decimals: int) -> Fraction:
    """Worth of the last place; trailing zeros of thousands are read as rounding, to two places."""
    if decimals:
        return Fraction(1, 10**decimals)
    digits = mantissa.lstrip("0")
    zeros = len(digits) - len(digits.rstrip("0"))
    if len(digits) >= 4 and zeros >= 2:
        return Fraction(10 ** min(zeros, len(digits) - 2))
    return Fraction(1)


def masked(text: str) -> list[Span]:
    """Stretches whose digits count nothing: addresses, telephone numbers, A-7731, 3-4-5, "(2)"."""
    found = []
    for word in re.finditer(r"\S+", text):
        address = "://" in word[0] or "@" in word[0] or word[0].startswith("www.")
        if address and any(letter.isalpha() for letter in word[0]):
            found.append(Span(word.start(), word.end()))
    for match in _PHONE.finditer(text):
        written = match[0]
        digits = sum(map(str.isdigit, written))
        marked = written[0] in "+(" or written.count("-") >= 2 or written.count(".") >= 2
        number = _GROUPED_BY_DOTS.fullmatch(written) or _DATE.match(written)
        if digits >= 7 and not number and (marked or re.fullmatch(r"\d{3}-\d{4}", written)):
            found.append(Span(match.start(), match.end()))
    found += (Span(*match.span()) for match in _CODE.finditer(text))
    found += (Span(match.start(), match.end()) for match in _TRIPLE.finditer(text))
    found += (Span(match.start(1), match.end(1)) for match in _ITEM.finditer(text))
    return found
