"""A cell's number and its format -> the text that a spreadsheet shows: "15.0%", "2024-03-05".

Formats are those of ECMA-376, 18.8.30 and 18.8.31. What is shown is what an answer repeats: of
0.153 under "0.0%" it says 15.3%. Days are written as ISO 8601 does, whatever their order in the
format, and what is below zero with a minus where its format has no brackets for it. A number keeps
some of the digits that its format hides, since an answer may have been written from the number
itself; so does a zero that its format writes as a dash.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

# Formats that a workbook names by number alone; of others, "General".
_BUILT_IN = {
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"},
    **dict.fromkeys((14, *range(27, 32), 36, 50, 57, *range(51, 55), 58), "yyyy-mm-dd"),
    **{15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm"},
    **{21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 32: "h:mm", 33: "h:mm:ss", 34: "h:mm", 35: "h:mm:ss"},
    **dict.fromkeys((37, 38, 41, 42), "#,##0;(#,##0)"),
    **dict.fromkeys((39, 40, 43, 44), "#,##0.00;(#,##0.00)"),
    **{45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss"},
}
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|[_*].|\[\$(?P<symbol>[^\]-]*)[^\]]*\]'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|(?P<half>am/pm|a/p)|(?P<general>general)"
    r"|(?P<moment>y+|m+|d+|h+|s+)|(?P<digits>[0#?][0#?,.]*|\.[0#?]+)|(?P<power>e[+-]0+)"
    r"|(?P<percent>%)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
# "[<1000]": which numbers a part of a format is for.
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d{1,15}(?:\.\d{1,9})?)\]")
_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
          "=": operator.eq, "<>": operator.ne}  # fmt: skip
_SECTIONS = 3  # a fourth is for words
_FURTHER = 3  # decimals that are kept beside those of the format
_LONGEST = 255  # characters of a format, by the file format's own limit
_DAY = 86_400
# Excel takes 1900 for a leap year: its days count from here, but for the first two months of 1900.
_FIRST, _FIRST_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip


class Format(NamedTuple):
    """What a format shows.

    moment: the letters of a date or time that it has, of "ymdhns"; elapsed: whether its hours go
    beyond a day. percent: how many "%" it has. whole, decimals: digits that it shows at least
    before and after the point; -1 decimals for as many as there are. thousands: whether commas part
    them; scaled: how many thousands it leaves out. before, after: its words. bracketed: whether
    what is below zero stands in brackets. cases: a comparison, its number, and the format where it
    holds.
    """

    moment: str = ""
    elapsed: bool = False
    percent: int = 0
    whole: int = 0
    decimals: int = -1
    thousands: bool = False
    scaled: int = 0
    before: str = ""
    after: str = ""
    bracketed: bool = False
    cases: tuple[tuple[str, float, Format], ...] = ()


def format_of(code: str, number: int = 0) -> Format:
    """The format of a code, or of a built-in number where there is none."""
    code = (code or _BUILT_IN.get(number, ""))[:_LONGEST]
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(code):
        if token.group() == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    first, *others = sections[:_SECTIONS]
    if _condition(first) is None:
        how = _section(first)
        below = [token[token.lastgroup or 0] for one in others[:1] for token in one]
        return how._replace(bracketed="(" in below and not how.moment)
    *cases, last = sections[:_SECTIONS]
    known = [(_condition(section) or ("<", 0.0), _section(section)) for section in cases]
    return _section(last)._replace(cases=tuple((*when, how) for when, how in known))


def _condition(section: Sequence[re.Match[str]]) -> tuple[str, float] | None:
    """Which numbers a section says it is for."""
    found = [_CONDITION.fullmatch(token.group()) for token in section]
    return next(((one[1], float(one[2])) for one in found if one), None)


def _section(tokens: Sequence[re.Match[str]]) -> Format:
    told = ["", ""]  # words before and after the digits
    moments = ""
    digits, percent, elapsed, power = "", 0, False, False
    for found in tokens:
        kind, text = found.lastgroup, found.group()
        if kind in ("quoted", "escaped", "symbol", "other"):
            told[bool(digits)] += found[kind]
        elif kind == "moment":
            moments += text[0].lower() if text[0].lower() != "m" or "h" not in moments else "n"
        elif kind == "elapsed":
            elapsed, moments = True, moments + found[kind][0].lower()
        elif kind == "digits":
            digits += text
        elif kind == "percent":
            percent += 1
        elif kind == "power":
            power = True
    if moments and not digits.strip("0."):
        return Format(_minutes(moments), elapsed)
    if not digits or power or "/" in told[1]:  # "General", "0.0E+00", "# ?/?"
        return Format(percent=percent)
    whole, _, fraction = digits.partition(".")
    bare = digits.rstrip(",")
    return Format(
        percent=percent,
        whole=whole.count("0"),
        decimals=fraction.count("0"),
        thousands="," in bare.partition(".")[0],
        scaled=len(digits) - len(bare),
        before=told[0].lstrip(" ("),
        after=told[1].rstrip(" )"),
    )


def _minutes(moments: str) -> str:
    """The letters of a format, each once; "n" are minutes, which it writes as it does months."""
    found = "".join(dict.fromkeys(moments))
    if "m" in found and "s" in found and not {"y", "d"} & set(found):
        found = found.replace("m", "n")  # "mm:ss"
    return found


def shown(value: float, how: Format, since_1904: bool = False) -> str:
    """A number as its format shows it."""
    how = next((case for sign, than, case in how.cases if _HOLDS[sign](value, than)), how)
    if how.moment:
        try:
            return _moment(value, how, since_1904)
        except (OverflowError, ValueError):
            pass  # no day of the calendar
    value *= 100**how.percent
    value /= 1000**how.scaled
    if how.decimals < 0:
        written = _plain(abs(value))
    else:
        written = f"{abs(value):,.{how.decimals + _FURTHER}f}"
        whole, _, fraction = written.partition(".")
        kept = max(how.decimals, len(fraction.rstrip("0")))
        written = whole + "." * bool(kept) + fraction[:kept]
        written = written if how.thousands else written.replace(",", "")
        written = "0" * (how.whole - len(whole)) + written
    below = value < 0 and written.strip("0.,") != ""
    text = f"{how.before}{written}{'%' * bool(how.percent)}{how.after}"
    if how.bracketed and below:
        return f"({text})"
    return f"-{text}" if below else text


def _plain(value: float) -> str:
    """A number without a format: all of its digits, less what the computer's own fractions add."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.12g}"


def _moment(value: float, how: Format, since_1904: bool) -> str:
    """A day, a time, or a length of time."""
    days, seconds = divmod(round(value * _DAY), _DAY)
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    clock = f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if "s" in how.moment else "")
    if how.elapsed:
        return f"{days * 24 + hours}{clock[2:]}"
    dated = {"y", "m", "d"} & set(how.moment)
    if not dated:
        return clock
    day = (_FIRST_1904 if since_1904 else _FIRST) + timedelta(days=days)
    if dated == {"y"}:
        return str(day.year)
    if "d" not in dated:
        return f"{_MONTHS[day.month - 1]} {day.year}" if "y" in dated else _MONTHS[day.month - 1]
    written = day.date().isoformat()
    if "y" not in dated and "m" in dated:
        written = f"{day.day} {_MONTHS[day.month - 1]}"
    timed = {"h", "n", "s"} & set(how.moment)
    return f"{written} {clock}" if timed else written
