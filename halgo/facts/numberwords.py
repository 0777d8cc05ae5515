"""Number words -> exact numbers: "seven billion", "two and a half", "three quarters", "a dozen"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_words = str.split
SMALL = {
    word: value
    for value, word in enumerate(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * (tens + 2)
    for tens, word in enumerate(_words("twenty thirty forty fifty sixty seventy eighty ninety"))
} | {"fourty": 40}
SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    "dozen": 12,
    "score": 20,
}
PLURAL_SCALES = {
    "dozens": 12,
    "hundreds": 100,
    "thousands": 10**3,
    "millions": 10**6,
    "billions": 10**9,
    "trillions": 10**12,
}
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7,
    "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10,
    "hundredth": 100, "hundredths": 100, "thousandth": 1000, "thousandths": 1000,
}  # fmt: skip
VULGAR = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4),
    "¾": Fraction(3, 4), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6), "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
}  # fmt: skip
_ORDINAL_STEMS = _words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
ORDINALS = {word: value for value, word in enumerate(_ORDINAL_STEMS, start=1)} | {
    "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
    "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}  # fmt: skip
MULTIPLES = {
    "twice": 2, "thrice": 3, "twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5,
    "tenfold": 10, "hundredfold": 100, "doubled": 2, "tripled": 3, "trebled": 3, "quadrupled": 4,
}  # fmt: skip
_HALVED = frozenset(_words("of the its their his her all a an as"))
# What a share is told of: "nine in ten", "1 in 100". Two in seven are as often goals in games.
WHOLES = frozenset(
    {2, 3, 4, 5, 6, 8, 10, 12, 20, 25, 50, 100, 200, 500, *(10**n for n in range(3, 7))}
)
_TIMES = frozenset(_words("day days week weeks month months year years hour hours minute minutes"))
# What may follow "a third" where it is a share, and after "by a third".
_COMPARED = frozenset(
    _words(
        "of the less more fewer off smaller larger bigger lower higher cheaper dearer shorter "
        "longer faster slower lighter heavier"
    )
)
_NO_NOUN = frozenset(
    _words("in since from over compared and or to on after before between within this last during")
) | {"", ".", ",", ";", ")", ":"}
_LONGEST = 40  # words in one number; longer runs are no number a person wrote


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number read from words [start, end); `step` is what its last place is worth.

    `share` tells a part of a whole ("two thirds"), `vague` a plural scale ("dozens").
    """

    value: Fraction
    end: int
    step: Fraction
    share: bool = False
    vague: bool = False


def read(words: Sequence[str], at: int = 0, before: str = "") -> WordNumber | None:
    """The longest number that begins at `words[at]`; None when none does.

    `words` are in lower case; hyphens are words of their own ("twenty", "-", "one"). Reads at
    most 40 words. "one", "a half" and other doubtful cases are read here as numbers: whether
    they count anything is the caller's question. before: the word before the first.
    """
    by = (words[at - 1] if at else before) in ("by", "to")
    words = words[at : at + _LONGEST]
    found = (
        _half_of(words)
        or _so_many_in(words)
        or _share(words, by)
        or _vague(words)
        or _article_scale(words)
        or _cardinal(words)
    )
    if found is None:
        return None
    return WordNumber(found.value, at + found.end, found.step, found.share, found.vague)


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""


def _half_of(words: Sequence[str]) -> WordNumber | None:
    """Reads "half a million", "half a dozen", "a quarter of a million"."""
    at, value = 0, Fraction(1, 2)
    if words[:3] == ["a", "quarter", "of"]:
        at, value = 3, Fraction(1, 4)
    elif _word(words, 0) == "half":
        at = 1
    if at and _word(words, at) in ("a", "-"):
        scale = SCALES.get(_word(words, at + 1))
        if scale:
            return WordNumber(
                value * scale, at + 2, Fraction(scale, 10) if scale > 12 else Fraction(1)
            )
    return None


def _share(words: Sequence[str], by: bool) -> WordNumber | None:
    """Reads "two thirds", "one-third", "a quarter of", "half of", "half an", "a fifth less".

    by: whether "by" or "to" stands before, as in "fell by a third".
    """
    first = _word(words, 0)
    if first == "half" and (_word(words, 1) in _HALVED or _hour(words)):
        return WordNumber(Fraction(1, 2), 1, Fraction(1, 100), share=True)
    top = SMALL.get(first) if first != "a" else 1
    if not top:
        return None
    at = 2 if _word(words, 1) == "-" else 1
    part = _word(words, at)
    bottom = PARTS.get(part)
    if not bottom or top >= bottom * 4 or (top > 1) != part.endswith(("s", "halves")):
        return None
    after = _word(words, at + 1)
    if first == "a" and after not in _COMPARED and not (by and after in _NO_NOUN):
        return None  # "a third man", "a quarter" of the year
    if top == 1 and part in ("second", "fifth") and after not in _COMPARED and at == 1 and not by:
        return None
    return WordNumber(Fraction(top, bottom), at + 1, Fraction(1, 100), share=True)


# What follows a share with its noun in the middle; another noun would be what is counted.
_VERBS = frozenset(
    _words("is are was were has have had do does did will would can could may and or")
)


def _so_many_in(words: Sequence[str]) -> WordNumber | None:
    """Reads "one in five", "nine out of every ten", "one house in four": a share of a whole."""
    top = _cardinal(words)
    if top is None:
        return None
    at = end_of_in(words, top.end)
    counted = not at and _word(words, top.end).isalpha()
    if counted:
        at = end_of_in(words, top.end + 1)
    if not at:
        return None
    at += _word(words, at) == "every"
    whole = _article_scale(words[at:]) or _cardinal(words[at:])
    if whole is None or whole.value not in WHOLES or not 0 < top.value < whole.value:
        return None
    after = _word(words, at + whole.end)
    if after in _TIMES or (counted and after.isalpha() and after not in _VERBS):
        return None  # "two in three days", "two rooms in three buildings"
    return WordNumber(top.value / whole.value, at + whole.end, Fraction(1, 100), share=True)


def end_of_in(words: Sequence[str], at: int) -> int:
    """Where "in" or "out of" at a position ends, as in "one in five"; 0 where neither stands."""
    if _word(words, at) == "in":
        return at + 1
    return at + 2 if [_word(words, at), _word(words, at + 1)] == ["out", "of"] else 0


def _hour(words: Sequence[str]) -> bool:
    return _word(words, 2 if _word(words, 1) == "-" else 1) == "hour"


def _vague(words: Sequence[str]) -> WordNumber | None:
    """Reads "dozens of", "hundreds of thousands of": at least that many."""
    value = 1
    at = 0
    while _word(words, at) in PLURAL_SCALES and at <= 2:
        value *= PLURAL_SCALES[_word(words, at)]
        at += 1
        if _word(words, at) == "of" and _word(words, at + 1) in PLURAL_SCALES:
            at += 1
    if not at or _word(words, at) != "of":
        return None
    return WordNumber(Fraction(value), at, Fraction(value), vague=True)


def _article_scale(words: Sequence[str]) -> WordNumber | None:
    """Reads "a dozen", "a hundred and twenty", "a million and a half"."""
    scale = SCALES.get(_word(words, 1)) if _word(words, 0) in ("a", "an") else None
    if not scale or _word(words, 1) == "score":
        return None
    found = _cardinal(["one", *words[1:]])
    return found


def _cardinal(words: Sequence[str]) -> WordNumber | None:
    """Reads "two hundred and five", "twenty-one", "three point five million", "two and a half"."""
    total = Fraction(0)  # what scales of thousand and above have closed
    group = Fraction(0)
    step = Fraction(1)
    last_scale: int | None = None
    at = 0
    seen = False
    closed: tuple[Fraction, int, Fraction] | None = None  # value, position and step after a scale
    while at < len(words):
        word = words[at]
        small, tens, scale = SMALL.get(word), TENS.get(word), SCALES.get(word)
        if small is not None:
            if seen and (group % 10 or (group % 100 and not 0 < small < 10) or small == 0):
                break
            if seen and group == 0 and last_scale is None:
                break
            group, seen, step = group + small, True, Fraction(1)
            at += 1
        elif tens is not None:
            if seen and group % 100:
                break
            group, seen, step = group + tens, True, Fraction(1)
            at += 1
        elif scale is not None and seen:
            if scale == 100:
                group *= 100
            elif closed and last_scale and group and scale >= last_scale:
                value, at, step = closed  # "three million and five million" are two numbers
                return WordNumber(value, at, step)
            elif group and (last_scale is None or scale < last_scale):
                total, group, last_scale = total + group * scale, Fraction(0), scale
            else:
                total, group, last_scale = (total + group) * scale, Fraction(0), scale
            step = Fraction(scale if scale != 12 else 1)
            at += 1
            if scale != 100:
                closed = total, at, step
        else:
            joined = _joined(words, at) if seen else None
            if joined is None:
                break
            value, at, ends = joined
            if value:
                size = last_scale if last_scale and not group else 1
                group += value * size
                step = Fraction(size, 10)
                if ends and SCALES.get(_word(words, at), 0) >= 1000:
                    size = SCALES[_word(words, at)]
                    total, group, last_scale = total + group * size, Fraction(0), size
                    step = Fraction(size, 10)
                    at += 1
                if ends:
                    break
    if not seen:
        return None
    return WordNumber(total + group, at, step)


def _joined(words: Sequence[str], at: int) -> tuple[Fraction, int, bool] | None:
    """What goes on after a number: (what it adds, where reading resumes, whether it ends there)."""
    word, after = words[at], _word(words, at + 1)
    if word == "-" and words[at : at + 6 : 2] == ["-"] * 3 and words[at + 1] == "and":
        found = _joined(list(words[at + 1 : at + 7 : 2]), 0)  # "two-and-a-half"
        return (found[0], at + 6, True) if found else None
    if word == "-":
        following = after in SMALL or after in SCALES
        before = words[at - 1]
        fits = after in SCALES or (before in TENS and 0 < SMALL.get(after, 0) < 10)
        return (Fraction(0), at + 1, False) if following and fits else None
    if word == "and":
        if after in ("a", "one", "three"):
            part = PARTS.get(_word(words, at + 2))
            if part in (2, 3, 4):
                return Fraction(3 if after == "three" else 1, part), at + 3, True
        before_is_scale = words[at - 1] in SCALES and words[at - 1] != "dozen"
        if before_is_scale and (after in SMALL or after in TENS):
            return Fraction(0), at + 1, False
        return None
    if word == "point" and after in SMALL:
        value, place, end = Fraction(0), Fraction(1, 10), at + 1
        while SMALL.get(_word(words, end), 10) < 10:
            value, place, end = value + SMALL[words[end]] * place, place / 10, end + 1
        return (value, end, True) if end > at + 1 else None
    return None


def ordinal(words: Sequence[str], at: int = 0) -> tuple[int, int] | None:
    """(rank, end) of the ordinal word at `words[at]`: "third", "twenty-first"; None otherwise."""
    word = _word(words, at)
    if word in ORDINALS:
        return ORDINALS[word], at + 1
    if word in TENS:
        next_at = at + 2 if _word(words, at + 1) == "-" else at + 1
        last = ORDINALS.get(_word(words, next_at), 0)
        if 0 < last < 10:
            return TENS[word] + last, next_at + 1
    return None
