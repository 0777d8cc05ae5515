"""A text -> the equations in it: which of its items belong to one sum, and where its sides end.

What is not certainly a sum is None, never a guess. The number of items is bounded, as everything is
in expressions.py, so hostile text is unreadable rather than slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.arithmetic.expressions import BINARY, POSTFIX, PREFIX, Unreadable, value_of
from halgo.arithmetic.tokens import PARTS, ROOTS, Item, Number, items
from halgo.types import Span

if TYPE_CHECKING:
    from sympy import Rational  # type: ignore[import-untyped]

_words = str.split
MAX_ITEMS = 200
_LONGEST_LIST = 20  # items before a sum that may be a part of it

# Words that end a unit: "3 kg and" is three kilograms, not three "kg and".
_NOT_UNITS = frozenset(
    _words(
        "a an and are as at be because but by did do does each equal every for from had has "
        "have he how i if in into is it its left less more no not of on or out over per she so "
        "than that the their then there they this to total up was we were what when where "
        "which who with you altogether again only exactly now today"
    )
)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an equation: its exact value, and the number when it is no more than one."""

    span: Span
    value: Rational
    number: Number | None
    units: tuple[str, ...]
    additive: bool = False
    tight_slash: bool = False
    has_of: bool = False
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Equation:
    """Two or more sides said to be equal; `relations[i]` stands between sides i and i + 1.

    `before` is the item in front of it, None at the start of the text.
    """

    sides: tuple[Side, ...]
    relations: tuple[Item, ...]
    before: Item | None

    @property
    def span(self) -> Span:
        """From the first side to the last."""
        return Span(self.sides[0].span.start, self.sides[-1].span.end)


def evaluate(text: str) -> Rational | None:
    """The exact value of a text that is one expression ("15% of 200"); None for any other text.

    Currency signs and unit words are passed over. Functions are read as sympy reads them: "log(9)"
    is the natural logarithm, angles are in radians. What is no fraction is given to 30 digits.
    Never raises for any string and never hangs.
    """
    if len(text) > 50 * MAX_ITEMS:
        return None
    found = items(text)
    run = _run(text, found, 0, alone=True) if found else None
    if run is None or run.end != len(found) or any(item.kind == "=" for item in run.items):
        return None
    if len(run.items) > MAX_ITEMS:
        return None
    try:
        return value_of(run.items, strict=False)
    except Unreadable:
        return None


def equations(text: str, found: Sequence[Item]) -> list[Equation]:
    """The readable equations of a text, in order; `found` are its items."""
    # Without a relation there is no equation, and sympy need not be loaded.
    if not any(item.kind == "=" for item in found):
        return []
    result = []
    at = 0
    while at < len(found):
        run = _run(text, found, at)
        if run is None:
            at += 1
            continue
        if not run.spoilt:
            equation = _equation(run, found[at - 1] if at else None)
            if equation is not None:
                result.append(equation)
        at = max(run.end, at + 1)
    return result


# --- runs: stretches of items that may be a sum --------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """Items without the unit words between them; `spoilt` when what surrounds it is algebra."""

    items: tuple[Item, ...]
    units: dict[int, str]  # start of a number -> its unit
    end: int
    spoilt: bool


def _run(text: str, found: Sequence[Item], start: int, alone: bool = False) -> _Run | None:
    """The run that opens at an item; `alone`: the text is a sum, so that a "!" can only end one."""
    first = found[start]
    if not _opens(first):
        return None
    kept: list[Item] = []
    units: dict[int, str] = {}
    calls: list[bool] = []  # for each open bracket, whether it is that of a function
    at = start
    while at < len(found):
        item = found[at]
        last = kept[-1] if kept else None
        after_value = last is not None and (
            last.number is not None
            or last.text == ")"
            or last.text in POSTFIX
            or last.kind == "constant"
        )
        if item.kind == "number" or item.text in ("(", *PREFIX) or _is_function(item):
            if after_value and not _mixed(found, at, last):
                break
            if item.text == "(":
                calls.append(last is not None and last.kind == "call")
            kept.append(item)
        elif item.text == "," and calls and calls[-1]:
            kept.append(Item("op", ",", item.span))
        elif item.text == "!" and item.kind == "mark":
            if last is None or not after_value or last.span.end != item.span.start:
                break
            if not alone and not _continues(found, at + 1):
                break  # "2 + 3 = 5!"
            kept.append(Item("op", "!", item.span))
        elif item.kind in ("op", "="):
            if item.text == ")" and calls:
                calls.pop()
            kept.append(item)
        elif item.text == "of" and after_value and at + 1 < len(found):
            kept.append(Item("op", "of", item.span))
            if found[at + 1].text in ("the", "those", "these", "all"):
                at += 1
        elif item.kind == "word" and last is not None and after_value:
            taken = _unit(found, at)
            if not taken:
                break
            if last.number is not None:
                unit = found[at + taken - 1].text
                units[last.span.start] = last.number.currency or _singular(unit)
            at += taken - 1
        else:
            break
        at += 1
    last_end = kept[-1].span.end
    begin = kept[0].span.start
    following = found[at] if at < len(found) else None
    spoilt = (
        (begin > 0 and (text[begin - 1].isalnum() or text[begin - 1] in "_√∑∫!'\"#."))
        or (kept[0].text == "(" and begin > 0 and text[begin - 1] == ")")
        or (kept[0].kind == "op" and kept[0].text in ("+", "*", "/", "^", "mod") and start > 0)
        or (start > 0 and _is_part(kept, found, start))
        or (following is not None and _algebra(text, kept[-1], following))
        or (last_end < len(text) and text[last_end] in "_²³^")
    )
    return _Run(tuple(kept), units, at, spoilt)


def _opens(item: Item) -> bool:
    return item.kind in ("number", "op", "=") or item.text == "(" or _is_function(item)


def _is_function(item: Item) -> bool:
    return item.kind in ("call", "constant") or item.text in ROOTS


def _is_part(run: Sequence[Item], found: Sequence[Item], start: int) -> bool:
    """Whether a sum goes on with what stands before: "2√9", "the sum of 5 and 2 times 3"."""
    before = found[start - 1]
    worded = [item for item in run if item.kind == "op" and _worded(item)]
    if any(item.text in (*ROOTS, "!") for item in worded):
        return start > 1 or before.text not in ("the", "so", "thus")
    if worded and before.text in ("and", "of"):
        ahead = found[max(0, start - _LONGEST_LIST) : start]
        listed = any(item.number is not None for item in ahead) or before.text == "of"
        return listed and not any(item.kind == "=" for item in ahead)
    letter = before.kind == "word" and len(before.text) == 1
    joins = before.number is not None or before.text == ")" or before.kind == "constant" or letter
    return joins and _is_function(run[0])


def _worded(item: Item) -> bool:
    return item.span.end - item.span.start > 1


def _algebra(text: str, last: Item, following: Item) -> bool:
    """Whether a run is cut off by an unknown: "5 + y", "= 8x", "3 - n"."""
    if last.kind == "op" and last.text not in (")", "²", "³", "%"):
        return True
    letter = following.kind == "word" and len(following.text) == 1
    return letter and following.span.start == last.span.end and following.text not in "mglhsk"


def _mixed(found: Sequence[Item], at: int, last: Item | None) -> bool:
    """Whether the number at `at` is the fraction of a mixed number: the 1/2 of "2 1/2", "2½"."""
    number = found[at].number
    whole = last.number if last is not None else None
    if whole is None or number is None or whole.power or whole.percent or whole.over > 1:
        return False
    if found[at].text in "½¼¾":
        return True
    if at + 2 >= len(found) or found[at + 1].text != "/":
        return False
    under = found[at + 2].number
    return under is not None and not under.power and 0 < number.mantissa < under.mantissa <= 64


def _unit(found: Sequence[Item], at: int) -> int:
    """How many words from `at` on are the unit of the number before: at most two, 0 for none."""
    taken = 0
    while taken < 2 and at + taken < len(found):
        item = found[at + taken]
        if item.kind != "word" or item.text in _NOT_UNITS:
            break
        if len(item.text) < 2 and (taken or item.text not in "mglhsk"):
            break  # a letter is an unknown rather than a unit
        if item.text in PARTS:
            return 0
        taken += 1
        if at + taken < len(found) and found[at + taken].text == "/" and taken == 1:
            over = found[at + taken + 1] if at + taken + 1 < len(found) else None
            if over is not None and over.kind == "word":
                return 3
    ends = at + taken >= len(found) or found[at + taken].kind in ("op", "=", "mark")
    return taken if ends or taken == 0 else 1 if not _continues(found, at + 1) else taken


def _continues(found: Sequence[Item], at: int) -> bool:
    return at < len(found) and found[at].kind in ("op", "=")


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


# --- equations ----------------------------------------------------------------------------------


def _equation(run: _Run, before: Item | None) -> Equation | None:
    """The run as an equation; None when it is none, or one that cannot be read for certain."""
    if len(run.items) > MAX_ITEMS:
        return None
    parts: list[list[Item]] = [[]]
    relations: list[Item] = []
    for item in run.items:
        if item.kind == "=":
            relations.append(item)
            parts.append([])
        else:
            parts[-1].append(item)
    if not parts[-1]:  # "2 + 3 = y": what follows is not ours
        parts.pop()
        relations.pop()
    if parts and not parts[0]:  # "x = 2 + 3 = 5"
        parts.pop(0)
        relations = relations[1:]
    if len(parts) < 2:
        return None
    if not any(_operates(part) for part in parts):
        return None
    try:
        sides = tuple(_side(part, run.units) for part in parts)
    except Unreadable:
        return None
    return Equation(sides, tuple(relations), before)


def _operates(part: Sequence[Item]) -> bool:
    return any(
        item.text in BINARY or item.text in POSTFIX or item.text in PREFIX for item in part[1:]
    ) or any(item.text in PREFIX or _is_function(item) for item in part)


def _side(part: Sequence[Item], units: dict[int, str]) -> Side:
    if not part or len(part) > MAX_ITEMS:
        raise Unreadable
    value = value_of(part)
    bare = [item for item in part if item.text not in ("(", ")")]
    number = bare[0].number if len(bare) == 1 else None
    if len(bare) == 2 and bare[0].text == "-" and bare[1].number is not None:
        negative = bare[1].number
        number = Number(
            -negative.mantissa, negative.power, negative.over, negative.last,
            negative.percent, negative.currency, negative.magnitude,
        )  # fmt: skip
    texts = {item.text for item in part}
    slash = next((item for item in part if item.text == "/"), None)
    named = {
        item.number.currency or units.get(item.span.start, "")
        for item in part
        if item.number is not None
    }
    return Side(
        span=Span(part[0].span.start, part[-1].span.end),
        value=value,
        number=number,
        units=tuple(sorted(named - {""})),
        additive=bool(texts & {"+", "-"}) and number is None,
        tight_slash=slash is not None and any(i.span.end == slash.span.start for i in part),
        has_of="of" in texts or bool(texts & set(PREFIX)),
        numbers=tuple(item.number for item in part if item.number is not None),
    )
