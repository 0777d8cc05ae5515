"""Version ranges: "Python 3.10 and newer", "from 5.2 on", ">= 3.9, < 4", "3.x".

A version within a stated bound is as a case of its rule, and outside of it the denial is right.
Versions compare part by part, so that 3.9 comes before 3.10, which as numbers they do not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from halgo.evidence.lexical import content_stems
from halgo.signals.passages import ByIdentity
from halgo.signals.segments import covering
from halgo.types import Facts, Pair, Signal, Span, Stance

Parts = tuple[int, ...]

_LOOK, _LONGEST, _MOST = 60, 20_000, 100  # characters ahead of a figure, of a text; figures
_OUTSIDE = 0.75  # weight of a version outside of its range
_FIRST_YEAR = 1900  # from here on a first part counts years: "Windows Server 2012"
_FIGURE = re.compile(
    r"(?<![\w.,/$€£%-])v?(?P<parts>\d{1,4}(?:\.\d{1,4}){0,3})(?P<any>\.[xX*])?"
    r"(?![\w%]|[.,:/]\d|-\d)",
    re.IGNORECASE,
)
_WORD = r"[A-Za-z][\w.+#-]*"
# "Windows Server", "Node.js": one word before a version, or several in capitals.
_NAME = re.compile(rf"(?:\b[A-Z][\w.+#-]*\s){{0,3}}\b{_WORD}[`'\"]?\s$")
_VERSION = re.compile(r"\b(?:versions?|releases?)\s$", re.IGNORECASE)
_NOT = r"(?:no|not) (?:{}) than"
# What stands before a figure: (the words, whether it is the lower end, whether it is within).
_AHEAD = tuple(
    (re.compile(rf"(?:{form})\s?$", re.IGNORECASE), low, held)
    for form, low, held in (
        (
            r"\b(?:at least|as of|since|from|starting (?:with|from|in)"
            rf"|{_NOT.format('older|earlier|lower')})|>=|\u2265",
            True, True,
        ),
        (rf"\b(?:up to(?: and including)?|at most|{_NOT.format('newer|later|higher')})|<=|\u2264",
         False, True),
        (r"\b(?:(?:newer|later|higher|greater) than|above|after)|>", True, False),
        (r"\b(?:(?:older|earlier|lower|less) than|before|prior to|below)|<", False, False),
    )
)  # fmt: skip
_FROM, _ON = re.compile(r"\bfrom\s$", re.IGNORECASE), re.compile(r"\s(?:on|onwards?|up|upwards?)\b")
_BETWEEN = re.compile(r"\bbetween\s(?:versions?\s)?$", re.IGNORECASE)
_OR_MORE = re.compile(
    r"\+|\s(?:or|and)\s(?:any\s)?(?:later|newer|above|higher|greater|up|upwards?|onwards?)\b"
)
_OR_LESS = re.compile(r"\s(?:or|and)\s(?:older|earlier|below|lower)\b")
_TO = re.compile(
    rf"\s?(?:[-\u2013\u2014]|to|through|up to(?: and including)?|until)\s?(?:{_WORD}\s)?"
)
_AND = re.compile(rf"\sand\s(?:{_WORD}\s)?")
_AND_LESS = re.compile(rf"\s?(?:,|and|,\sand|&&)?\s?(?:{_AHEAD[3][0].pattern[:-1]}|<=)\s?")
# "; older ones are refused", ". Earlier versions are not": the others are told of as well.
_OTHERS = re.compile(
    r"[^;:\n]{0,60}?(?:[;,.]|\sbut)\s(?:(?:all|any|and|but)\s)?(?:(?P<less>older|earlier|previous)"
    r"|(?P<more>newer|later))\s(?:versions?|releases?|ones)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z\"`*])|\n")
_APART = re.compile(r"[:;\u2014|]\s")
# What tells of which version there is one, or of a change, not for which versions something holds.
_OF_ONE = re.compile(
    r"\b(?:require[sd]?|needs?|needed|necessary|recommend\w*|m(?:in|ax)imum|oldest|newest|latest|"
    r"(?:first|last)(?!\s\d)|has|have|uses?|ships?|comes?|includes?|bundles?|contains?|became|"
    r"becomes?|was|were|been|will|introduc\w+|add(?:s|ed)|drop(?:s|ped)|remove[sd]|deprecate[sd])\b",
    re.IGNORECASE,
)


class End(NamedTuple):
    """One end of a range; held: whether it is within, as 3.10 of "3.10 and newer"."""

    parts: Parts
    held: bool = True


@dataclass(frozen=True, slots=True)
class Version:
    """A version where it stands, alone or as the bound of others.

    name: what it is one of, "" where "version" alone stands before. around: the other words of its
    sentence, as stems. low, high: the ends of a range; None is open. rest: whether only what
    lies outside is told by it: "1.2 is accepted; older versions are refused".
    """

    parts: Parts
    name: str
    span: Span
    around: str = ""
    low: End | None = None
    high: End | None = None
    alone: bool = False
    below: bool = False
    above: bool = False

    @property
    def is_bound(self) -> bool:
        """Whether it bounds others."""
        return bool(self.low or self.high)

    @property
    def stated(self) -> frozenset[Parts]:
        """The versions that are told of by themselves, 3.10 of "3.10 and newer"."""
        held = (end.parts for end in (self.low, self.high) if end and end.held)
        return frozenset(held) if self.is_bound else frozenset({self.parts})

    def tells_rest(self, parts: Parts) -> bool:
        """Whether the passage tells of those on the side of the range where a version lies."""
        below = self.low is not None and _is_within(parts, self.low, 1) is False
        return self.below if below else self.above

    def holds(self, parts: Parts) -> bool | None:
        """Whether a version lies within; None where that is not told: 3 of "3.10 and newer"."""
        ends = [end for end in (self.low, self.high) if end is not None]
        if not ends or any(_is_year(end.parts) != _is_year(parts) for end in ends):
            return None
        told = {_is_within(parts, self.low, 1), _is_within(parts, self.high, -1)}
        return False if False in told else None if None in told or self.alone else True

    def told(self, parts: Parts) -> str:
        """The range in words, as a version within it is read; of another one on which side."""
        low, high = self.low, self.high
        if low and _is_within(parts, low, 1) is False:
            return f"older than {_shown(low)}" if low.held else f"{_shown(low)} or older"
        if high and _is_within(parts, high, -1) is False:
            return f"newer than {_shown(high)}" if high.held else f"{_shown(high)} or newer"
        return self.range

    @property
    def range(self) -> str:
        """The range in words: "3.10 or newer"."""
        low, high = self.low, self.high
        least = low and (f"{_shown(low)} or newer" if low.held else f"newer than {_shown(low)}")
        most = high and (f"{_shown(high)} or older" if high.held else f"older than {_shown(high)}")
        if low and high and low.held and high.held:
            return f"{_shown(low)} to {_shown(high)}"
        return " but ".join(filter(None, (least, most)))


def _shown(end: End) -> str:
    return ".".join(map(str, end.parts))


def _is_year(parts: Parts) -> bool:
    return parts[0] >= _FIRST_YEAR


def _is_within(parts: Parts, end: End | None, side: int) -> bool | None:
    """Whether a version is on the side of an end (1 above, -1 below), None where it is part of it.

    3.10.2 comes after 3.10; of 3 it is not told whether it does, nor of 8.0.5 by "up to 8.0".
    """
    if end is None:
        return True
    shorter = min(len(parts), len(end.parts))
    if parts[:shorter] != end.parts[:shorter]:
        return (parts > end.parts) == (side > 0)
    if not any((*parts[shorter:], *end.parts[shorter:])):
        return end.held
    finer = len(parts) > shorter and (side > 0) == end.held
    return end.held if finer else None


@lru_cache(maxsize=2048)
def versions(text: str) -> tuple[Version, ...]:
    """The figures of a text that may be versions, in order; at most `_MOST`."""
    text, found = text[:_LONGEST], list[Version]()
    for match in _FIGURE.finditer(text):
        one = _read(text, match)
        joined = _joined(text, found[-1], one) if found else None
        found[-1:] = [joined] if joined else [*found[-1:], one]
        if len(found) == _MOST:
            break
    return tuple(found)


def _read(text: str, match: re.Match[str]) -> Version:
    """A version with the bound and the name that stand around it."""
    parts, (start, end) = tuple(map(int, match["parts"].split("."))), match.span()
    ahead = text[max(0, start - _LOOK) : start]
    ahead = ahead[max((one.end() for one in _SENTENCE.finditer(ahead)), default=0) :]
    said, behind = ahead, text[end : end + _LOOK]
    if versioned := _VERSION.search(ahead):
        ahead = ahead[: versioned.start()]
    name, bound = "", _ahead(ahead, parts)
    if bound is None and not _BETWEEN.search(ahead) and (named := _NAME.search(ahead)):
        name = _without_function_words(named[0])
        bound = _ahead(ahead[: named.start()], parts)
    low, high = bound or (None, None)
    if _FROM.search(ahead) and not _ON.match(behind):
        low = None  # "an upgrade from 5.2"
    if more := _OR_MORE.match(behind):
        low, end = End(parts), end + more.end()
    elif less := _OR_LESS.match(behind):
        high, end = End(parts), end + less.end()
    if match["any"]:
        low, high = End(parts), End((*parts[:-1], parts[-1] + 1), held=False)
    others, alone = _OTHERS.match(text, end), not low and not high
    below, above = (bool(others and others[side]) for side in ("less", "more"))
    if alone and others:
        low, high = (End(parts), None) if below else (None, End(parts))
    return Version(parts, name, Span(start, end), said, low, high, alone, below, above)


def _ahead(ahead: str, parts: Parts) -> tuple[End | None, End | None] | None:
    for form, low, held in _AHEAD:
        if form.search(ahead):
            return (End(parts, held), None) if low else (None, End(parts, held))
    return None


def _without_function_words(name: str) -> str:
    words = [word.strip("`'\".") for word in name.split()]
    while words and not content_stems(words[0]):
        words.pop(0)
    return " ".join(words) if words and content_stems(words[-1]) else ""


def _joined(text: str, first: Version, last: Version) -> Version | None:
    """Two figures as one range: "3.10 to 3.12", "between 2.1 and 2.4", ">= 3.9, < 4"; or None."""
    glue, span = text[first.span.end : last.span.start], Span(first.span.start, last.span.end)
    low, high = first.low, last.high
    if not (low and high and not first.alone and _AND_LESS.fullmatch(glue)):
        pair = _TO.fullmatch(glue) or (_AND.fullmatch(glue) and _BETWEEN.search(first.around))
        open_ = last.alone or last.high == End(last.parts)  # "5.7 up to and including 8.0"
        if not pair or not open_ or first.parts >= last.parts:
            return None
        low, high = End(first.parts), End(last.parts)
    return replace(last, parts=first.parts, name=first.name, span=span, around=first.around,
                   low=low, high=high, alone=False)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A claim's version beside the range at `at` of its passage: the words read in its place.

    other: the range where the version lies outside of it, else "". denied: whether the claim is a
    denial, which is right of what the rule is not for. settled: whether that, or the passage,
    tells what holds of such a version: within the range, or where "older ones are refused".
    """

    span: Span
    at: Span
    told: str
    other: str = ""
    settled: bool = False
    denied: bool = False


def case(pair: Pair) -> Case | None:
    """The one version of a claim that a range in the passage's best sentence is for, or not for."""
    return _cases.get((pair,), lambda: _case(pair))


_cases = ByIdentity["Case | None"]()  # four rules ask for each


def _case(pair: Pair) -> Case | None:
    text, given = pair.claim.text, pair.evidence.reading.text
    mine = [one for one in versions(text) if _is_version(one, pair.claim_facts, text)]
    if not mine or _OF_ONE.search(text):
        return None
    there = versions(given)
    bounds = [
        (one, bound)
        for one in mine
        for bound in there
        if bound.is_bound and _is_of(one, bound, text)
    ]
    best = [(one, bound) for one, bound in bounds if bound.span.overlaps(pair.evidence.best)]
    told = {(one.span, bound.holds(one.parts)) for one, bound in best}
    if len(told) != 1 or None in (held := {within for _, within in told}):
        return None
    one, bound = best[0]
    # Another sentence has a rule for it, or the passage the very version.
    if held == {False} and any(other.holds(one.parts) for _, other in bounds):
        return None
    if any(one.parts in other.stated for other in there if other.name in ("", one.name)):
        return None
    if held == {True}:
        return Case(one.span, bound.span, bound.range, settled=True)
    denied = any(told.negated for told in pair.claim_facts.predicates)
    settled = denied or bound.tells_rest(one.parts)
    return Case(one.span, bound.span, bound.told(one.parts), bound.range, settled, denied)


def conflict(span: Span, pair: Pair) -> Signal | None:
    """number_conflict: the version at `span` lies outside of the range that the passage tells."""
    found = case(pair)
    if found is None or found.settled or not found.span.overlaps(span):
        return None
    said = found.span.of(pair.claim.text)
    message = f"The claim says {said}; the source says {found.other}."
    values = (said, found.other)
    return Signal(
        "number_conflict", Stance.CONTRADICTS, _OUTSIDE, message, found.span, found.at, values
    )


def _is_version(one: Version, facts: Facts, text: str) -> bool:
    """Whether a claim's figure is a version alone: behind a name or "version", and no amount."""
    if one.low or one.high or not (one.name or _VERSION.search(one.around)):
        return False
    amounts = (q.span for q in facts.quantities if q.unit and not q.unit.startswith("identifier"))
    return not covering(amounts)(one.span)


def _is_of(one: Version, bound: Version, text: str) -> bool:
    """Whether a bound is of what a claim's version is one of."""
    if not one.name:
        shared = content_stems(bound.around) & content_stems(text)
        return bool(shared) and (not bound.name or content_stems(bound.name) <= content_stems(text))
    mine = content_stems(one.name)
    if bound.name and _VERSION.search(bound.around) is None:
        last = bound.name.split()[-len(one.name.split()) :]  # "Requires Node.js"
        return mine == content_stems(" ".join(last))
    # "Python (>= 3.9" is of Python, "stage: 1; rate: 90 or more" of no stage.
    told = re.search(r"\b(?:version|release)", bound.around, re.IGNORECASE)
    near = bound.around if told else _APART.split(bound.around)[-1]
    return bool(mine) and mine <= content_stems(near)
