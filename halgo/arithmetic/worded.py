"""A text -> the sums it states in words: shares, growth, totals and averages.

The patterns run over a shadow of the text in which each number is "#" (or "#%"), so that "twelve",
"$12" and "12.0 million" are one case. Every repetition in them is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halgo.arithmetic.expressions import Unreadable, rational
from halgo.arithmetic.rounding import Sum, asserted, goes_on, magnitude, rounds_to, shown
from halgo.arithmetic.tokens import Item, Number
from halgo.types import Span

if TYPE_CHECKING:
    from sympy import Rational  # type: ignore[import-untyped]


@dataclass(frozen=True, slots=True)
class _Found:
    """A match in the shadow, with its numbers by name and what stands between them."""

    match: re.Match[str]
    item: Callable[[str], Item]
    listed: tuple[Item, ...]
    span: Span


# What a pattern states: the exact value it should have, the words for it, whether a wrong result is
# surely wrong; None when it does not apply after all.
_Stated = tuple["Rational", str, bool]
_Rule = Callable[[str, _Found], _Stated | None]

_W = r"(?: [a-z][\w'’-]*)"
_IS = r"(?:=~?|represents|representing|accounts for|makes up)"
_UP = r"(?:up|rose|risen|rise|rises|rising|grew|grow|grows|grown|growth|increased?|increases|increasing|climbed|climb|jumped|jump|gained|gain|surged|surge|soared|expanded)"  # noqa: E501
_DOWN = r"(?:down|fell|fall|falls|fallen|falling|dropped|drop|drops|decreased?|decreases|declined?|declines|shrank|shrunk|reduced|reduction|cut|slid|plunged)"  # noqa: E501
_MOVE = rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))"
_LIST = rf"(?P<list>#{_W}?(?: , (?:and )?#{_W}?){{0,30}}(?: ,)?(?: and #{_W}?)?)"
_FROM_TO = rf"from (?P<a>#%?){_W}{{0,2}} to (?P<b>#%?)"
_BETWEEN = r"(?: (?:,|\(|—|-|=~?|a|an|which|that|it|or|i|e|\.|by|of|about|nearly|roughly|representing|represents|change|marking))"  # noqa: E501


def worded_sums(text: str, found: Sequence[Item]) -> Iterator[Sum]:
    """The sums in words of a text, in order of pattern; `found` are the items of the text."""
    shadow, starts = _shadow(text, found)
    taken: list[Span] = []
    for pattern, rule in _RULES:
        for match in pattern.finditer(shadow):
            stated = _read(match, found, starts)
            if any(stated.span.overlaps(span) for span in taken):
                continue
            try:
                judged = _judge(text, stated, rule)
            except Unreadable:
                continue
            if judged is not None:
                taken.append(judged.span)
                yield judged


def _shadow(text: str, found: Sequence[Item]) -> tuple[str, list[int]]:
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    for item in found:
        if item.number is not None:
            part = "#%" if item.number.percent else "#"
        elif item.kind == "=":
            adds = text[item.span.start : item.span.start + 3].lower() == "add"
            part = "=+" if adds else "=~" if item.about else "="
        else:
            part = item.text.replace("#", "¤")
        starts.append(at)
        parts.append(part)
        at += len(part) + 1
    return " ".join(parts), starts


def _read(match: re.Match[str], found: Sequence[Item], starts: list[int]) -> _Found:
    def place(at: int) -> int:
        return bisect_right(starts, at) - 1

    def item(name: str) -> Item:
        return found[place(match.start(name))]

    listed: tuple[Item, ...] = ()
    if match.groupdict().get("list"):
        first, last = place(match.start("list")), place(match.end("list") - 1)
        listed = tuple(i for i in found[first : last + 1] if i.number is not None)
    first, last = place(match.start()), place(match.end() - 1)
    return _Found(match, item, listed, Span(found[first].span.start, found[last].span.end))


def _judge(text: str, found: _Found, rule: _Rule) -> Sum | None:
    result = found.item("c")
    number = result.number
    assert number is not None
    groups = found.match.groupdict()
    # "30% of patients (12 of 48)" goes on by its very form.
    last = all(found.match.start("c") >= found.match.start(name) for name in "ab" if name in groups)
    if not asserted(text, found.span) or (last and goes_on(text, result.span.end)):
        return None
    stated = rule(text, found)
    if stated is None:
        return None
    exact, words, certain = stated
    about = re.search(
        r"=~|\b(?:about|nearly|roughly|approximately|around|almost) (?=#)",
        found.match.group(),
    )
    # "a rise of -20%" is nobody's way to say it: the direction is in the words.
    agrees = rounds_to(exact, number, about=bool(about))
    if not agrees and not certain:
        return None
    expected, got = shown(exact, number), result.span.of(text)
    says = f"{words} is {got if agrees else expected}"
    explanation = says if agrees else f"{says}, not {got}"
    return Sum(found.span, expected, got, agrees, explanation)


def _number(item: Item) -> Number:
    assert item.number is not None
    return item.number


def _as_written(text: str, *found: Item) -> list[str]:
    return [" ".join(item.span.of(text).split()) for item in found]


# --- one rule a pattern --------------------------------------------------------------------------


def _share(text: str, found: _Found) -> _Stated | None:
    part, whole = found.item("a"), found.item("b")
    under = rational(_number(whole))
    if under == 0:
        return None
    one, other = _as_written(text, part, whole)
    gap = found.match.groupdict().get("gap") or ""
    return rational(_number(part)) / under, f"{one} of {other}", gap.count(" ") <= 1


def _growth(text: str, found: _Found) -> _Stated | None:
    before, after = found.item("a"), found.item("b")
    old, new = _number(before), _number(after)
    if new.magnitude and not old.magnitude:  # "from 80 to 100 million"
        old = replace(old, power=old.power + magnitude(new))
    if old.percent != new.percent or (
        old.currency and new.currency and old.currency != new.currency
    ):
        return None
    if _year(text, before) and _year(text, after):
        return None  # "grew 25% from 2019 to 2023"
    start, end = rational(old), rational(new)
    if start <= 0:
        return None
    change = (end - start) / start
    falls = found.match.groupdict().get("down") is not None
    result = _number(found.item("c"))
    one, other = _as_written(text, before, after)
    if old.percent and rounds_to(abs(end - start), result):
        change = end - start  # percentage points said loosely
    ages = re.match(
        r"\s*(?:years?|months?|days?|hours?|weeks?|am|pm|a\.m|p\.m|january|february|march|april|may|"
        r"june|july|august|september|october|november|december)\b",
        text[after.span.end : after.span.end + 12],
        re.IGNORECASE,
    )
    words = f"the change from {one} to {other}"
    if falls:
        change, words = -change, f"the fall from {one} to {other}"
    return change, words, not ages


def _year(text: str, item: Item) -> bool:
    written = item.span.of(text)
    return len(written) == 4 and written.isdigit() and 1400 <= int(written) <= 2100


def _listing(text: str, found: _Found) -> _Stated | None:
    if len(found.listed) < 2:
        return None
    if len({_number(item).currency for item in found.listed} - {""}) > 1:
        return None
    if len({_number(item).percent for item in found.listed}) > 1:
        return None
    what = found.match.group("what")
    values = [rational(_number(item)) for item in found.listed]
    if what in ("sum", "total", "=+", "sum to", "totalling", "totaling", "totals"):
        exact, word = sum(values[1:], values[0]), "the sum of"
    elif what in ("average", "mean", "averaging"):
        exact, word = sum(values[1:], values[0]) / len(values), "the average of"
    elif what == "product":
        exact, word = values[0], "the product of"
        for value in values[1:]:
            exact = exact * value
            if max(abs(int(exact.p)), int(exact.q)).bit_length() > 4096:
                return None
    elif len(values) == 2:
        exact, word = abs(values[0] - values[1]), "the difference between"
    else:
        return None
    written = _as_written(text, *found.listed)
    return exact, f"{word} {', '.join(written[:-1])} and {written[-1]}", True


def _shifted(text: str, found: _Found) -> _Stated | None:
    """More or less than something: "5 more than 3", "20% off $50", "5 from 12"."""
    amount, base = found.item("a"), found.item("b")
    groups = found.match.groupdict()
    step, start = rational(_number(amount)), rational(_number(base))
    if _number(amount).percent:
        if _number(base).percent:
            return None
        step = step * start
    exact = start - step if groups.get("down") else start + step
    one, other = _as_written(text, amount, base)
    if groups.get("after") is not None:
        words = f"{other} {'less' if groups.get('down') else 'plus'} {one}"
    elif groups.get("taken") is not None:
        words = f"{one} from {other}"
    else:
        words = f"{one} {'less than' if groups.get('down') else 'more than'} {other}"
    return exact, words, True


_END = r"(?= (?:[.,;:!)]|and|so|while|but)|$)"
_RULES: tuple[tuple[re.Pattern[str], _Rule], ...] = (
    (
        re.compile(
            rf"(?P<a>#)(?P<gap>{_W}{{0,1}}) (?:out of|of)(?: (?:the|a total of|all|its|these))?"
            rf"(?: total)? (?P<b>#){_W}{{0,2}}(?: ,)?(?: (?:which|that|or|i \. e \.))?"
            rf" {_IS}(?: about)? (?P<c>#%){_END}"
        ),
        _share,
    ),
    (
        re.compile(
            rf"(?P<a>#){_W}{{0,1}} (?:out of|of)(?: (?:the|a total of|all|its|these))?(?: total)?"
            rf" (?P<b>#)(?P<gap>{_W}{{0,6}})(?: , or| or| ,)?(?: \()?(?: about)?"
            r" (?P<c>#%)(?= [).,;])"
        ),
        _share,
    ),
    (
        re.compile(
            rf"(?P<c>#%)(?: of{_W}{{1,4}})? \( (?P<a>#){_W}{{0,1}} (?:out of|of|/) (?:the )?"
            rf"(?P<b>#){_W}{{0,2}} \)"
        ),
        _share,
    ),
    (
        re.compile(
            rf"{_FROM_TO}{_W}{{0,2}}{_BETWEEN}{{0,5}} {_MOVE}{_BETWEEN}{{0,3}} (?P<c>#%)"
            r"(?! (?:points?|of)\b)"
        ),
        _growth,
    ),
    (
        re.compile(
            rf"{_MOVE}{_W}{{0,2}} {_FROM_TO}{_W}{{0,2}}{_BETWEEN}{{1,4}} (?P<c>#%)"
            r"(?! (?:points?|of)\b)"
        ),
        _growth,
    ),
    (
        re.compile(rf"{_FROM_TO}{_W}{{0,2}}{_BETWEEN}{{1,4}} (?P<c>#%) {_MOVE}"),
        _growth,
    ),
    (
        re.compile(rf"{_MOVE}(?: (?:by|of))?(?: about)? (?P<c>#%)(?: ,)? {_FROM_TO}"),
        _growth,
    ),
    (
        re.compile(rf"(?P<c>#%) {_MOVE}(?: in{_W}{{1,3}})? {_FROM_TO}"),
        _growth,
    ),
    (
        re.compile(
            rf"(?P<what>sum|total|average|mean|product|difference) (?:of|between) {_LIST} {_IS}"
            r"(?: about)? (?P<c>#%?)"
        ),
        _listing,
    ),
    (
        re.compile(rf"{_LIST} (?P<what>=\+|sum to|totals|totalling|totaling|averaging) (?P<c>#%?)"),
        _listing,
    ),
    (
        re.compile(
            rf"(?P<a>#%?) (?:more|greater|higher|(?P<down>less|fewer|lower|off))(?: than)?"
            rf" (?P<b>#) =~? (?P<c>#){_END}"
        ),
        _shifted,
    ),
    (
        re.compile(
            r"(?P<b>#) (?P<after>increased|raised|(?P<down>decreased|reduced|lowered)) by"
            rf" (?P<a>#%?) =~? (?P<c>#){_END}"
        ),
        _shifted,
    ),
    (
        re.compile(rf"(?P<a>#) (?P<taken>(?P<down>from)) (?P<b>#) =~? (?P<c>#){_END}"),
        _shifted,
    ),
)
