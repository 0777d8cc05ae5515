"""Text -> Dates: days, months, quarters, years, decades, centuries, and stretches between them.

Read before quantities, so that a year is never an amount. What no calendar has (31/02/2020) is
no date. Words that count from today ("yesterday", "Monday") are left alone: a document does not
tell when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from halgo.facts import period, units
from halgo.facts.grammar import lemma
from halgo.facts.numberwords import ORDINALS
from halgo.facts.period import Days
from halgo.facts.roles import Locator, context
from halgo.facts.supposed import is_supposed
from halgo.types import Date, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

_MONTH = (
    r"(?i:(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
_AFTER_MONTH = re.compile(_MONTH + r"\s(?:and|to)\s$")
_PART_OF = re.compile(
    r"\b(?:end|close|start|beginning|middle|month|days?|weeks?|weekend|half|rest|\d+(?:st|nd|rd|th)?)"
    r"\s+of\s$",
    re.IGNORECASE,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?![\w%]|[.,:]\d)"
_YEAR = r"(?:1\d|2[01])\d\d"
_DASH = r"(?:-|–|—|‒|\s?[–—]\s?|\s-\s)"
_ORDINAL_WORD = r"(?i:first|second|third|fourth|1st|2nd|3rd|4th)"
_CENTURY_WORD = "(?i:" + "|".join(w for w, rank in ORDINALS.items() if rank <= 20) + ")"

# Each pattern has a name; `_build` turns its match into days. Tried in this order at each place.
_PATTERNS = re.compile(
    rf"""(?<![\w./])(?:
      (?P<iso>{_YEAR})(?P<iso_sep>[-/.])(?P<iso_m>\d\d?)(?P=iso_sep)(?P<iso_d>\d\d?)
          (?:(?=T\d\d:\d\d)|(?![\w-]|[./]\d))
    | (?P<num_a>\d\d?)(?P<num_sep>[-/.])(?P<num_b>\d\d?)(?P=num_sep)(?P<num_y>{_YEAR}|\d\d)
          (?![\w-]|[./]\d)
    | (?P<md_m>{_MONTH})\s+(?P<md_d>{_DAY})(?:\s?(?:{_DASH}|to|through|and)\s?(?P<md_d2>{_DAY}))?
          (?:\s?,?\s(?:of\s)?(?P<md_y>{_YEAR})(?!\w|[.,]\d))?
    | (?P<dm_d>{_DAY})(?:\s?(?:{_DASH}|to|through|and)\s?(?P<dm_d2>{_DAY}))?
          \s+(?:of\s+)?(?P<dm_m>{_MONTH})(?:\s?,?\s(?P<dm_y>{_YEAR})(?!\w|[.,]\d))?
    | (?P<my_m>{_MONTH})\s?,?\s(?:of\s)?(?:the\syear\s)?(?P<my_y>{_YEAR})(?!\w|[.,]\d)
    | (?:(?P<q_n>[Qq][1-4])(?:\s?/\s?|\s?,?\s|-)?(?:of\s)?(?:fiscal\s|FY\s?)?(?:year\s)?
          (?P<q_y>{_YEAR})
        |(?P<qy_y>{_YEAR})\s?[-/]?\s?(?P<qy_n>Q[1-4])
        |(?P<qw_n>{_ORDINAL_WORD})[\s-]quarter\s(?:of\s)?(?:fiscal\s)?(?:year\s)?(?P<qw_y>{_YEAR})
      )(?!\w|[.,]\d)
    | (?:(?P<h_n>H[12])\s?(?:of\s)?(?P<h_y>{_YEAR})
        |(?P<hw_n>(?i:first|second))\shalf\sof\s(?P<hw_y>{_YEAR})
        |(?P<m_n>[369])M\s?(?P<m_y>{_YEAR})
        |(?i:first)\s(?P<mw_n>(?i:three|six|nine)|[369])\smonths\sof\s(?:the\syear\s)?(?P<mw_y>{_YEAR})
      )(?!\w|[.,]\d)
    | (?:FY\s?|fiscal\s(?:year\s)?)(?P<fy>{_YEAR})(?!\w|[.,]\d)
    | (?P<season>(?i:spring|summer|autumn|fall|winter))\s(?:of\s)?(?P<season_y>{_YEAR})(?!\w|[.,]\d)
    | (?P<cent>\d\d?(?:st|nd|rd|th)|{_CENTURY_WORD})(?:[\s-]century|[\s-]centuries
          |(?=\s(?:and|to|or)\s(?:\d\d?(?:st|nd|rd|th)|{_CENTURY_WORD})\scentur))(?P<cent_bc>\sBCE?\b)?
    | (?:AD\s(?P<ad>\d{{1,4}})|(?P<ad2>\d{{1,4}})\s(?:AD|CE))(?!\w)
    | (?P<decade>{_YEAR[:-2]}0)['’]?s(?!\w)
    | (?:[Tt]he\s)['’]?(?P<short_decade>[2-9]0)s(?!\w)
    | ['’](?P<short_year>\d\d)(?![\w'’]|[.,:]\d)
    | (?P<yy_a>{_YEAR})(?:{_DASH}|/)(?P<yy_b>{_YEAR}|\d\d)(?!\w|[.,/-]\d|%)
    | (?P<year>{_YEAR})(?!\w|[.,]\d|\s?%|:\d|/\d)
    | (?P<month>{_MONTH})(?!\w)
    )""",
    re.VERBOSE,
)
_MONTHS_IN = {"t": 3, "s": 6, "n": 9, "3": 3, "6": 6, "9": 9}  # by the first letter
_PART = re.compile(
    r"\b(early|mid|middle of|late|end of|beginning of|start of|early in|late in)"
    r"(?:[\s-]+the)?[\s-]*$",
    re.IGNORECASE,
)
_OPEN_BEFORE = re.compile(r"\b(?:before|prior to|by|no later than)\s+(?:the\s+)?$", re.IGNORECASE)
_OPEN_AFTER = re.compile(r"\b(?:after|later than|following)\s+(?:the\s+)?$", re.IGNORECASE)
_CIRCA = re.compile(
    r"(?:\b(?:circa|ca?\.|around|about|approximately|roughly)\s?|~\s?)$", re.IGNORECASE
)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?(?:early\s|mid\s|late\s)?$", re.IGNORECASE)
# "Moved from 1 June to 15 June" is on neither of the days in between.
_MOVED = re.compile(
    r"\b(?:moved?|moving|moves|shift\w*|postpon\w+|chang\w+|delay\w*|defer\w*|brought forward"
    r"|push\w*|resched\w+)\b[^.;,]*\bfrom\s(?:the\s)?$",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\s?(?:[-–—‒]|to|until|till|through|thru)\s?(?:the\s)?$", re.IGNORECASE)
_AND = re.compile(r"\sand\s(?:the\s)?$", re.IGNORECASE)
_LOOK_BACK = 24
_LOOK_YEAR = 4_000  # characters in which a year of two figures is looked for in four
# A bare year outside 1900 to 2100 needs one of these before it: "1500" alone is a count.
_YEAR_CUES = re.compile(
    r"(?:\b(?:in|since|by|until|till|from|after|before|during|between|circa|ca?\.|year|early|mid|"
    r"late|around|to|and|of|on|spring|summer|autumn|winter)[\s-]+(?:the\s+)?(?:year\s+)?|[(\[–-])$",
    re.IGNORECASE,
)
_ONLY_TIME = re.compile(r"\b(?:since|until|till)\s$", re.IGNORECASE)
_MONTH_CUES = re.compile(
    r"\b(?:in|since|during|until|till|by|of|from|to|early|late|mid|last|this|next|every|each|"
    r"between|and)[\s-]$",
    re.IGNORECASE,
)
_WEAK_CUES = frozenset({"to", "and", "of", "around", "by", "from", "between", "after", "on"})
_LABELS = frozenset(
    str.split(
        "section clause article page pages room number no no. nr flight route highway model rule "
        "line paragraph act level order code version invoice ticket case patent serial type"
    )
)
_MONEY = frozenset("$£€¥₹#@")
# A year that the name of a column has run on; its last letter stands as the space that is missing.
_RUN_ON = re.compile(r"(?<=[^\W\d_])[a-z]((?:19|20)\d\d(?=(?:_[a-z]{1,4})?: | \d[\d.]*(?:;|$)))")
# Of such a name in a record: "output 2023 t 8910"; not "from 1500 to 1800".
_KEYED_UNIT = re.compile(
    r" (?!(?:to|and|or|of|in|at|by|for|than|as)\b)[a-z]{1,4} -?\d[\d.]{0,20}(?:;|$)"
)


# The rest of a column's name that begins with a year, and its cell: "; 2024 Women: 15".
_OF_COLUMN = re.compile(r" [^\W\d][^:;.\n]{0,40}: \S")


def read(doc: Doc) -> tuple[Date, ...]:
    """The dates of a parsed text, in order, their spans apart from one another."""
    text = doc.text
    where = Locator(doc)
    # A column's name is read as words are: "sales_2023", "revenue_q2_2024", "output2023".
    found = _joined(_found(_RUN_ON.sub(r" \1", text).replace("_", " "), where), text)
    dates = []
    for span, days in found:
        days = _opened(days, text[max(0, span.start - _LOOK_BACK) : span.start])
        root = where.root(span)
        around: frozenset[str] = frozenset()
        if root is not None:
            bracketed = text[max(0, span.start - 1) : span.start] == "("
            around = _named_before(span, where) if bracketed else context(root, span)
        supposed = root is not None and is_supposed(root)
        dates.append(
            Date(days.first, days.last, span, around, days.approximate, days.year_known, supposed)
        )
    return tuple(dates)


def _named_before(span: Span, where: Locator) -> frozenset[str]:
    """The context of a date in brackets: the words just before, "Bedtime Stories" of "(2008)"."""
    at = where.index(span.start)
    words = [token for token in where.doc[max(0, at - 5) : at] if token.pos_ in ("NOUN", "PROPN")]
    return frozenset(lemma(token) for token in words)


def _found(text: str, where: Locator) -> list[tuple[Span, Days]]:
    found: list[tuple[Span, Days]] = []
    for match in _matches(text):
        days = _build(match)
        if days is None:
            continue
        span = Span(match.start(), match.end())
        before = text[max(0, span.start - _LOOK_BACK) : span.start]
        if _is_label(before) or _is_small_word(match):
            continue
        if match["year"] and not _is_year(match["year"], span, text, before, where):
            continue
        if match["short_year"] and not _YEAR_CUES.search(before):
            continue
        if match["month"] and not _is_month(match, before):
            continue
        part = _PART.search(before)
        if part and match["decade"] and match["decade"].endswith("00"):
            days = period.years(int(match["decade"]), int(match["decade"]) + 9)  # "the late 2000s"
        if part and (days.last - days.first).days > 20:
            days = period.part_of(days, part[1].lower().split()[0])
            span = Span(span.start - len(before) + part.start(), span.end)
        circa = _CIRCA.search(before)
        if circa and days.year_known:
            days = period.about(days)
        found.append((span, days))
    return found


def yearless_days(text: str) -> dict[tuple[int, int], str]:
    """The days that a text names without a year, by (month, day), and how they are written there.

    By its words alone, without a parse: of a caption, "Assets at 30 June".
    """
    built = ((match[0], _build(match)) for match in _matches(text))
    return {
        (days.first.month, days.first.day): written
        for written, days in built
        if days and not days.year_known and days.first == days.last
    }


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Matches of the table from left to right; where one is impossible, its inside is tried."""
    at = 0
    while match := _PATTERNS.search(text, at):
        at = match.end()
        if _build(match) is not None:
            yield match
        elif match["yy_a"] or match["cent"]:  # "2015-12": the first year may be one all the same
            at = match.start() + 4


def _whole_year(match: re.Match[str]) -> str:
    """The year of a date in figures, in four of them where the text tells it: 1908 of "2/7/08"."""
    year = match["num_y"]
    if len(year) == 4:
        return year
    told = set(re.findall(rf"(?<![\w/.-])(?:1\d|20){year}(?!\w|[/.]\d)", match.string[:_LOOK_YEAR]))
    return told.pop() if len(told) == 1 else year


def _build(match: re.Match[str]) -> Days | None:
    """The days a match stands for; None when no calendar has them."""
    got = match.groupdict()
    try:
        if got["iso"]:
            return period.day(int(got["iso"]), int(got["iso_m"]), int(got["iso_d"]))
        if got["num_a"]:
            return period.numeric(
                int(got["num_a"]), int(got["num_b"]), _whole_year(match), got["num_sep"]
            )
        for kind in ("md", "dm"):
            if got[f"{kind}_m"]:
                year = int(got[f"{kind}_y"] or period.NO_YEAR)
                month = period.month_number(got[f"{kind}_m"])
                first = date(year, month, period.digits(got[f"{kind}_d"]))
                last = date(year, month, period.digits(got[f"{kind}_d2"] or got[f"{kind}_d"]))
                known = got[f"{kind}_y"] is not None
                return Days(first, last, year_known=known) if first <= last else None
        if got["my_m"]:
            return period.months(int(got["my_y"]), period.month_number(got["my_m"]), 1)
        for n, y in (("q_n", "q_y"), ("qy_n", "qy_y"), ("qw_n", "qw_y")):
            if got[n]:
                return period.months(int(got[y]), 3 * period.rank(got[n]) - 2, 3)
        for n, y in (("h_n", "h_y"), ("hw_n", "hw_y")):
            if got[n]:
                return period.months(int(got[y]), 6 * period.rank(got[n]) - 5, 6)
        for n, y in (("m_n", "m_y"), ("mw_n", "mw_y")):
            if got[n]:
                return period.months(int(got[y]), 1, _MONTHS_IN[got[n][0].lower()])
        if got["fy"]:
            return replace(period.years(int(got["fy"]), int(got["fy"])), approximate=True)
        if got["season"]:
            return period.season(got["season"].lower(), int(got["season_y"]))
        if got["cent"]:
            return None if got["cent_bc"] else period.century(got["cent"].lower())
        if got["ad"] or got["ad2"]:
            year = int(got["ad"] or got["ad2"])
            return period.years(year, year)
        if got["decade"]:
            return period.decade(int(got["decade"]))
        if got["short_decade"]:
            return replace(period.decade(1900 + int(got["short_decade"])), approximate=True)
        if got["short_year"]:
            year = period.full_year(got["short_year"])
            return period.years(year, year)
        if got["yy_a"]:
            return period.year_range(int(got["yy_a"]), got["yy_b"])
        if got["year"]:
            return period.years(int(got["year"]), int(got["year"]))
        month = period.month_number(got["month"])
        return replace(period.months(period.NO_YEAR, month, 1), year_known=False)
    except ValueError:  # "30 February", a 13th month, year 0
        return None


def _is_year(year: str, span: Span, text: str, before: str, where: Locator) -> bool:
    """Whether four digits name a year here: "2000 people", "$2019" and "room 1200" do not."""
    if before[-1:] in _MONEY or before.rstrip()[-1:] in _MONEY:
        return False
    keyed = ";" in text and _KEYED_UNIT.match(text, span.end)
    if where.doc.text[span.end : span.end + 1] == "_" or keyed:
        return True  # "output_2023_t" is no 2,023 tonnes
    after = text[span.end : span.end + 24]
    if re.match(r"\s?(?:BCE?|B\.C\.)", after):
        return False
    named = before.endswith(("; ", " \N{EM DASH} ")) and _OF_COLUMN.match(text, span.end)
    if named or (before.endswith("(") and after.startswith(":")):  # "(2019: 15.1 kilotonnes)"
        return 1900 <= int(year) <= 2100
    following = re.match(r"[\s-]+([^\W\d_]+)", after)
    if following and units.find(following[1]) and following[1].lower() not in ("in", "second"):
        return following[1].lower() in ("bar", "won", "real", "times", "time", "us", "ton")
    if following and following[1].lower() in ("million", "billion", "thousand", "dozen"):
        return False
    token = where.doc[where.index(span.start)]
    head = token.head
    counts = token.dep_ in ("nummod", "quantmod", "compound") and 0 < head.i - token.i <= 4
    if counts and head.tag_ in ("NNS", "NNPS") and head.pos_ in ("NOUN", "PROPN"):
        if _ONLY_TIME.search(before):  # "Until 1972 boys entered by the east door"
            return 1900 <= int(year) <= 2100
        return 1900 <= int(year) <= 2100 and before.lower().endswith("the ")
    if 1900 <= int(year) <= 2100:
        return not re.search(
            r"\b(?:than|least|most|nearly|over|some|exactly|only)\s$", before, re.I
        )
    cue = _YEAR_CUES.search(before)
    if cue is None:
        return bool(re.match(r"\s?[–-]\s?(?:1\d|2[01])\d\d\b", after))
    word = re.sub(r"[^a-z]", "", cue[0].lower())
    return word not in _WEAK_CUES or int(year) >= 1600


def _is_label(before: str) -> bool:
    """Whether the digits that follow name a thing: "COVID-", "Room ", "version "."""
    if before.endswith("-"):
        return not re.search(r"\b(?:mid|pre|post|late|early)-$", before, re.IGNORECASE)
    words = before.split()
    return bool(words) and before[-1:].isspace() and words[-1].lower() in _LABELS


def _is_small_word(match: re.Match[str]) -> bool:
    """Whether a month without a year is another word: "you may 5 times", "march 10 miles"."""
    name = match["month"] or (match["md_m"] if not match["md_y"] else None)
    name = name or (match["dm_m"] if not match["dm_y"] else None)
    return name in ("may", "march", "mar", "mar.", "sep", "sep.")


def _is_month(match: re.Match[str], before: str) -> bool:
    """Whether a month's name alone is a month: "May" and "March" are words as well."""
    name = match["month"]
    if name.endswith(".") and len(name) <= 5:
        name = name[:-1]
    if len(name) == 3 and name != "May":
        return False
    if name in ("May", "March") and re.search(r"\b(?:and|to|of)\s$", before):
        # "From November to March" and "the end of May", not "to March" and "the Duke of May".
        return bool(_AFTER_MONTH.search(before) or _PART_OF.search(before))
    return _MONTH_CUES.search(before) is not None


def _opened(days: Days, before: str) -> Days:
    """Makes "before 2010" end there and "after 2010" begin there; the other end is open."""
    if not days.year_known:
        return days
    if _OPEN_BEFORE.search(before):
        return replace(days, first=date.min)
    if _OPEN_AFTER.search(before):
        return replace(days, last=date.max)
    return days


def _joined(found: list[tuple[Span, Days]], text: str) -> list[tuple[Span, Days]]:
    """Neighbours that name a stretch made one: "from 2001 to 2005", "between May and June 2020"."""
    joined: list[tuple[Span, Days]] = []
    for span, days in found:
        if joined:
            last_span, last = joined[-1]
            glue = text[last_span.end : span.start]
            before = text[max(0, last_span.start - _LOOK_BACK) : last_span.start]
            stretch = len(glue) <= 12 and (
                (_FROM_TO.fullmatch(glue) and not _MOVED.search(before))
                or (_AND.fullmatch(glue) and _BETWEEN.search(before))
            )
            if stretch:
                merged = period.stretch(last, days)
                if merged:
                    joined[-1] = (Span(last_span.start, span.end), merged)
                    continue
            elif (
                not last.year_known and days.year_known and re.fullmatch(r",?\s(?:and|or)\s", glue)
            ):
                given = period.with_year(last, days.first.year)  # "in May and June 2020"
                joined[-1] = (last_span, given or last)
        joined.append((span, days))
    return joined
