"""Text -> the numbers, operators and words a sum is written with, each with its place.

Numbers are kept as written (digits, power of ten, percent, currency), so that "0.25" is exactly a
quarter and "7.3 million" is known to be given to the nearest hundred thousand. The text itself is
never evaluated; what is not a small number or a known operator is only a word or a mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from halgo.arithmetic.notation import FUNCTIONS
from halgo.types import Span

MAX_DIGITS = 30

_TOKEN = re.compile(
    r"""
    (?P<opaque>\d+(?:\.\d+){2,} | \d{4}-\d{1,2}-\d{1,2}(?!\d) | \d{1,2}/\d{1,2}/\d{4}(?!\d)
        | \d{1,2}:\d{2}(?::\d{2})?(?!\d))
  | (?P<number>\d{1,3}(?:[,\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+)
  | (?P<times>(?<=[\d\s)])[xX](?=[\s\d($€£¥]))
  | (?P<glyph>[²³½¼¾])
  | (?P<word>[^\W\d_]\w*(?:['’][^\W\d_]{1,3})?)
  | (?P<money>[$€£¥])
  | (?P<relation>[<>!]=|==|[=≈≠≤≥<>]|~=)
  | (?P<symbol>\*\*|[-+*/^%()×÷·⋅−–√∛])
  | (?P<mark>\S)
    """,
    re.VERBOSE,
)

_words = str.split
_ONES = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
SMALL = {word: n for n, word in enumerate(_ONES)} | {
    word: 10 * n for n, word in enumerate(_TENS, start=2)
}
MAGNITUDES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
SUFFIXES = {"k": 3, "m": 6, "mn": 6, "bn": 9, "b": 9, "tn": 12}
# "The first half of 2025" is a time.
_HALVES = frozenset({"first", "second", "1st", "2nd", "last", "next", "latter", "other"})
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8,
    "tenth": 10, "tenths": 10,
}  # fmt: skip
_GLYPHS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4)}
_CURRENCY_WORDS = {
    "dollar": "$", "dollars": "$", "usd": "$", "euro": "€", "euros": "€", "eur": "€", "gbp": "£",
    "yen": "¥",
}  # fmt: skip

# Words that read as one operator or as "equals", longest first.
_OPERATORS: dict[tuple[str, ...], str] = {
    ("multiplied", "by"): "*", ("divided", "by"): "/", ("to", "the", "power", "of"): "^",
    ("plus",): "+", ("minus",): "-", ("times",): "*", ("modulo",): "mod", ("mod",): "mod",
    ("squared",): "²", ("cubed",): "³", ("twice",): "twice", ("double",): "twice",
    ("triple",): "thrice", ("thrice",): "thrice",
    ("square", "root", "of"): "√", ("cube", "root", "of"): "∛", ("factorial",): "!",
}  # fmt: skip
_RELATIONS: dict[tuple[str, ...], str] = {
    ("is", "equal", "to"): "=", ("are", "equal", "to"): "=", ("adds", "up", "to"): "=",
    ("add", "up", "to"): "=", ("comes", "to"): "=", ("amounts", "to"): "=", ("equals",): "=",
    ("equal",): "=", ("makes",): "=", ("make",): "=", ("gives",): "=", ("yields",): "=",
    ("leaves",): "=", ("is",): "is", ("was",): "is", ("are",): "are", ("were",): "are",
}  # fmt: skip
_PHRASES: dict[str, list[tuple[str, tuple[str, ...], str]]] = {}  # by their first word
for _kind, _table in (("op", _OPERATORS), ("=", _RELATIONS)):
    for _phrase_words, _meaning in _table.items():
        _PHRASES.setdefault(_phrase_words[0], []).append((_kind, _phrase_words, _meaning))
ROOTS = {"√": "sqrt", "∛": "cbrt"}
_ABOUT = frozenset(
    {"about", "roughly", "approximately", "around", "nearly", "almost", "circa", "ca"}
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: mantissa * 10 ** power / over, and a hundredth of it with `percent`.

    `last` is the power of ten of its last digit: 0 for "12", -1 for "2.5", 5 for "7.3 million".
    """

    mantissa: int
    power: int = 0
    over: int = 1
    last: int = 0
    percent: bool = False
    currency: str = ""
    magnitude: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One token: `kind` is "number", "op", "=", "call", "constant", "word" or "mark".

    A call is the name of a function with its bracket behind it, a constant "pi" or "e".

    `text` is in lower case, an operator or relation in its one canonical form ("times" and "×" are
    "*"). A relation is "=", "is" or "are"; `about` says that "about" or the like follows it.
    """

    kind: str
    text: str
    span: Span
    number: Number | None = None
    about: bool = False


def items(text: str) -> list[Item]:
    """The tokens of a text, in order; number words and phrases are read as one item."""
    raw = _raw(text)
    found: list[Item] = []
    at = 0
    while at < len(raw):
        item, used = (
            _number_words(raw, at) or _function(raw, at) or _phrase(raw, at) or (raw[at], 1)
        )
        found.append(item)
        at += used
    return _settled(text, found)


def _raw(text: str) -> list[Item]:
    found = []
    for match in _TOKEN.finditer(text):
        kind, written = match.lastgroup, match.group()
        span = Span(match.start(), match.end())
        if kind == "number":
            number = _digits(written)
            if number is not None:
                found.append(Item("number", written, span, number))
            else:
                found.append(Item("mark", "#", span))
        elif kind == "times":
            found.append(Item("word", "x", span))
        elif kind == "word":
            found.append(Item("word", written.lower().replace("’", "'"), span))
        elif kind == "money":
            found.append(Item("money", written, span))
        elif kind == "relation" and written in ("=", "=="):
            found.append(Item("=", "=", span))
        elif kind == "relation" and written in ("≈", "~="):
            found.append(Item("=", "=", span, about=True))
        elif kind == "glyph" and written in _GLYPHS:
            over, under = _GLYPHS[written]
            found.append(Item("number", written, span, Number(over, over=under, last=-2)))
        elif kind in ("symbol", "glyph"):
            found.append(Item("op", _CANONICAL.get(written, written), span))
        else:
            found.append(Item("mark", written if kind == "mark" else "#", span))
    return found


_CANONICAL = {"×": "*", "·": "*", "⋅": "*", "÷": "/", "**": "^", "−": "-"}


def _digits(written: str) -> Number | None:
    plain = re.sub(r"[,\u202f\u2009]", "", written)
    whole, _, decimals = plain.partition(".")
    if len(whole) + len(decimals) > MAX_DIGITS:
        return None
    return Number(int(whole + decimals), power=-len(decimals), last=-len(decimals))


def _number_words(raw: list[Item], at: int) -> tuple[Item, int] | None:
    """The number that starts with the word at `at`, and how many tokens it takes."""
    first = raw[at]
    if first.kind != "word":
        return None
    if first.text in ("half", "halves"):
        if at and raw[at - 1].text in _HALVES:
            return None
        return _worded(raw, at, 1, Number(1, over=2, last=-1))
    if first.text in ("a", "an", "one") and at + 1 < len(raw) and raw[at + 1].text in PARTS:
        under = PARTS[raw[at + 1].text]
        if under == 2 or _is(raw, at + 2, "of"):
            return _worded(raw, at, 2, Number(1, over=under, last=-2))
        return None
    if first.text == "a" and _is(raw, at + 1, "dozen"):
        return _worded(raw, at, 2, Number(12))
    if first.text not in SMALL:
        return None
    total = group = 0
    end = at
    while end < len(raw) and end - at < 24:
        word = raw[end].text
        if word in SMALL:
            n = SMALL[word]
            if group % 100 and not (group % 100 >= 20 and group % 10 == 0 and 0 < n < 10):
                break
            group += n
        elif word == "hundred" and 0 < group < 100:
            group *= 100
        elif word in ("thousand", "million", "billion") and group:
            total += group * 10 ** MAGNITUDES[word]
            group = 0
        elif not _joins(raw, end, bool(group >= 100 or total)):
            break
        end += 1
    value = total + group
    if _is(raw, end, "-") and end + 1 < len(raw) and raw[end + 1].text in PARTS:
        end += 1
    if end < len(raw) and raw[end].text in PARTS and _is(raw, end + 1, "of"):
        return _worded(raw, at, end + 1 - at, Number(value, over=PARTS[raw[end].text], last=-2))
    return _worded(raw, at, end - at, Number(value))


def _joins(raw: list[Item], at: int, large: bool) -> bool:
    """Whether the token at `at` joins: the hyphen of "twenty-five", the "and" of "hundred and"."""
    if at + 1 >= len(raw) or raw[at + 1].text not in SMALL:
        return False
    if raw[at].text == "and":
        return large
    tight = (
        raw[at - 1].span.end == raw[at].span.start and raw[at].span.end == raw[at + 1].span.start
    )
    return raw[at].text == "-" and tight and raw[at - 1].text in _TENS


def _worded(raw: list[Item], at: int, used: int, number: Number) -> tuple[Item, int]:
    span = Span(raw[at].span.start, raw[at + used - 1].span.end)
    return Item("number", "#", span, number), used


def _is(raw: list[Item], at: int, text: str) -> bool:
    return at < len(raw) and raw[at].text == text


def _phrase(raw: list[Item], at: int) -> tuple[Item, int] | None:
    """The operator or relation in words that starts at `at`."""
    if raw[at].kind not in ("word", "="):
        return None
    for kind, words, meaning in _PHRASES.get(raw[at].text, ()):
        if len(words) > len(raw) - at:
            continue
        if all(raw[at + n].text == word for n, word in enumerate(words)):
            span = Span(raw[at].span.start, raw[at + len(words) - 1].span.end)
            return _with_about(raw, at + len(words), Item(kind, meaning, span), len(words))
    if raw[at].kind == "=":
        return _with_about(raw, at + 1, raw[at], 1)
    return None


def _function(raw: list[Item], at: int) -> tuple[Item, int] | None:
    """The function or the constant that is named at `at`."""
    item = raw[at]
    if item.kind != "word":
        return None
    if item.text in FUNCTIONS and _is(raw, at + 1, "("):
        tight = item.span.end == raw[at + 1].span.start
        return (replace(item, kind="call"), 1) if tight else None
    # An "e" by itself is a letter rather than a number.
    enclosed = at > 1 and raw[at - 2].text in FUNCTIONS and _is(raw, at - 1, "(")
    if item.text == "e" and not (_is(raw, at + 1, "^") or (enclosed and _is(raw, at + 1, ")"))):
        return None
    if item.text in ("pi", "π", "e"):
        return replace(item, kind="constant", text="pi" if item.text == "π" else item.text), 1
    return None


def _with_about(raw: list[Item], at: int, item: Item, used: int) -> tuple[Item, int]:
    if item.kind == "=" and at < len(raw) and raw[at].text in _ABOUT:
        return replace(item, about=True), used + 1
    return item, used


def _settled(text: str, found: list[Item]) -> list[Item]:
    """Marks that belong to a number joined to it, and the rest told apart: bullets, ranges, x."""
    settled: list[Item] = []
    at = 0
    while at < len(found):
        item = found[at]
        following = found[at + 1] if at + 1 < len(found) else None
        if item.kind == "money":
            number = following.number if following is not None else None
            if following is not None and number is not None:
                at += 1
                span = Span(item.span.start, following.span.end)
                item = replace(following, span=span, number=replace(number, currency=item.text))
            else:
                item = replace(item, kind="mark")
        if item.number is not None:
            item, used = _with_suffixes(text, found, at, item)
            settled.append(item)
            at += used
            continue
        settled.append(_operator(text, settled, item, following))
        at += 1
    return settled


def _with_suffixes(text: str, found: list[Item], at: int, item: Item) -> tuple[Item, int]:
    """A number with the magnitude, percent sign or currency behind it, and the tokens taken."""
    used = 1
    number = item.number
    assert number is not None

    def upcoming() -> Item | None:
        return found[at + used] if at + used < len(found) else None

    after = upcoming()
    if after is not None and after.kind == "word":
        tight = after.span.start == item.span.end
        power = MAGNITUDES.get(after.text) or (SUFFIXES.get(after.text) if tight else None)
        if power and (after.text not in ("m", "b") or number.currency):
            number = replace(
                number,
                power=number.power + power,
                last=number.last + power,
                magnitude=text[item.span.end : after.span.end],
            )
            item = replace(item, span=Span(item.span.start, after.span.end))
            used += 1
        elif tight and item.text != "#" and _ranks(after.text):
            return Item("mark", "#", Span(item.span.start, after.span.end)), used + 1
    after = upcoming()
    if after is not None:
        percent_sign = after.text == "%" and not _modulo(found, at + used)
        if percent_sign or (after.kind == "word" and after.text in ("percent", "pct")):
            number = replace(number, percent=True)
        elif after.text == "per" and _is(found, at + used + 1, "cent"):
            number = replace(number, percent=True)
            used += 1
            after = found[at + used]
        elif after.kind == "word" and after.text in _CURRENCY_WORDS and not number.currency:
            number = replace(number, currency=_CURRENCY_WORDS[after.text])
        elif after.kind == "money" and not (
            at + used + 1 < len(found) and found[at + used + 1].number is not None
        ):
            number = replace(number, currency=after.text)
        else:
            after = None
        if after is not None:
            item = replace(item, span=Span(item.span.start, after.span.end))
            used += 1
    return replace(item, number=number), used


def _ranks(text: str) -> bool:
    """Letters that make of a number what nobody adds up: "1990s", "2nd", "3D", but not "5kg"."""
    return text in ("s", "st", "nd", "rd", "th", "d") or len(text) > 4


def _modulo(found: list[Item], at: int) -> bool:
    """Whether the % sign at `at` stands between numbers: in "7 % 3", not in "25% (12/48)"."""
    if at + 1 >= len(found) or at == 0:
        return False
    before, sign, after = found[at - 1 : at + 2]
    tight_before, tight_after = (
        before.span.end == sign.span.start,
        sign.span.end == after.span.start,
    )
    if after.text == "(":
        return tight_after
    return after.kind in ("number", "money") and tight_before == tight_after


def _operator(text: str, before: list[Item], item: Item, following: Item | None) -> Item:
    """`item` as what it is where it stands: "x" a sign between numbers, "- " in front a bullet."""
    last = before[-1] if before else None
    after_value = last is not None and (
        last.number is not None
        or last.kind == "constant"
        or last.text in (")", "²", "³")
        or (last.text == "!" and text[last.span.start - 1 : last.span.start].strip() != "")
    )
    before_value = following is not None and (
        following.kind in ("number", "money", "call", "constant")
        or following.text in ("(", "-", "+", "twice", *ROOTS)
    )
    start, end = item.span.start, item.span.end
    tight = text[start - 1 : start].strip() != "" and text[end : end + 1].strip() != ""
    if item.kind == "word" and item.text == "x":
        counted = len(before) > 1 and before[-2].number is not None and before[-1].kind == "word"
        after_value = after_value or counted  # "3 boxes x 12"
        signed = following is not None and following.text in ("-", "+")
        times = after_value and before_value and not signed
        return replace(item, kind="op", text="*") if times else item
    if item.kind != "op":
        return item
    if item.text == "%":
        return replace(item, text="mod") if after_value and before_value else _mark(item)
    if item.text in ("*", "^"):
        unit_before = last is not None and last.kind == "word" and not tight
        return item if (after_value or unit_before) and before_value else _mark(item)
    if item.text == "–":
        return _mark(item) if tight else replace(item, text="-")
    if item.text == "-":
        ahead = text[max(0, start - 8) : start].rstrip(" \t")
        bullet = ahead.endswith("\n") or (not ahead and start <= 8)
        if bullet and text[end : end + 1] == " ":
            return _mark(item)
        years = tight and _year(last) and _year(following)
        return _mark(item) if years else item
    return item


def _mark(item: Item) -> Item:
    return replace(item, kind="mark")


def _year(item: Item | None) -> bool:
    number = item.number if item is not None else None
    return number is not None and number.power == 0 and 1400 <= number.mantissa <= 2100
