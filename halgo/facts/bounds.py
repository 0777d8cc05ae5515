"""The words around an amount -> whether it is "about", "at least" or "up to" what is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from halgo.facts import clocktimes
from halgo.facts.numbers import Amount, NumberReader
from halgo.types import Span

LOOK = 48  # characters before and after an amount that are looked at
_APPROX = (
    r"about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca?\.|estimated|"
    r"an estimated|close to|in the region of|more or less"
)
_ABOUT = re.compile(rf"(?:\b(?:{_APPROX})\s|[~≈]\s?)$", re.IGNORECASE)
_EVERY = re.compile(r"\bevery\s$", re.IGNORECASE)
_ABOUT_AFTER = re.compile(r"(?:\s?or so\b|-odd\b|-ish\b|\s(?:approximately|or thereabouts)\b)")
_AT_LEAST = re.compile(
    r"(?:\b(?:at least|no fewer than|no less than|not less than|minimum of|more than|over|above|"
    r"exceed|exceeds|exceeding|exceeded|greater than|in excess of|upwards of|north of|larger than|"
    r"older than|longer than|higher than|bigger than|beyond|surpassed|surpassing)\s|[>≥]=?\s?"
    # "at least PostgreSQL 13", but not "at least Monday 3"
    r"|\bat least\s(?-i:(?:[A-Z][\w.+#-]*\s){1,2}))$",
    re.IGNORECASE,
)
# "No more than", and a denial of the verb before: "do not take more than", "never exceed". How long
# something has not been so is no limit, how long it must not be so is one.
_BREAKS = "that|because|since|which|who|when|if|but|only|just|merely"
_STOPS = rf"{_BREAKS}|in|after|during"
_WORDS = r"(?:(?!(?:{})\b)[\w'’-]+\s+){{0,5}}"
_DENIED = (
    rf"(?:(?:\b(?:not|never|cannot)|n['’]t)\s+{_WORDS.format(_STOPS + '|for')}"
    r"|\b(?:should|must|may|can|shall|will|do)(?:\s+not|\s+never|n['’]t)\s+"
    rf"{_WORDS.format(_STOPS)}"
    # "No one may be kept for more than", "no team can have over"
    rf"|\b(?:nobody|no\s+\w+)\s+(?:should|may|can|shall|will)\s+{_WORDS.format(_BREAKS)})"
)
_NOT_MORE = re.compile(
    r"(?:\bno\s+(?:more|greater|larger|longer|higher|older)\s+than"
    rf"|{_DENIED}(?:(?:more|greater|larger|longer|higher|older)\s+than|over|above|exceed|"
    r"in excess of))\s$",
    re.IGNORECASE,
)
_NOT_LESS = re.compile(
    r"(?:\bno\s+(?:less|fewer|lower|smaller|shorter)\s+than"
    rf"|{_DENIED}(?:less|fewer|lower|smaller|shorter)\s+than)\s$",
    re.IGNORECASE,
)
# "Apply no later than two weeks before departure": two weeks ahead, or more.
_NOT_LATER = re.compile(r"\b(?:no|not) later than\s$", re.IGNORECASE)
_AHEAD = re.compile(r"\s(?:before|prior to|ahead of|in advance|(?P<after>after))\b", re.IGNORECASE)
_AT_MOST = re.compile(
    r"(?:\b(?:at most|up to|maximum of|less than|fewer than|under|below|as many as|as much as|"
    r"smaller than|younger than|shorter than|lower than|not exceeding|not exceed)\s|[<≤]=?\s?)$",
    re.IGNORECASE,
)
# "went up to 40" and "adds up to 40" are where it stands, no limit.
_OBJECT = r"(?:(?!(?:and|or|to|for|of)\b)[\w'’-]+\s+)"
_ROSE_TO = re.compile(
    r"\b(?:(?:go|goes|going|went|gone|climb(?:s|ed)?|creep|crept|shot|edged|add(?:s|ed|ing)?)\s+|"
    rf"(?:push(?:es|ed)?|move[sd]?|brings?|bringing|brought)\s+{_OBJECT}{{0,4}}|"
    rf"(?:took|taken?)\s+{_OBJECT}{{1,4}})up to\s$",
    re.IGNORECASE,
)
_AT_LEAST_AFTER = re.compile(
    r"(?:\s?\+(?!\d)|\s(?:or|and)\s(?:more|above|over|older|longer|higher|greater|later|newer|up|upwards)\b"
    r"|\s(?:of\s)?[a-z]+\sor\s(?:more|longer|higher|greater)\b(?!\s[a-z])"
    r"|[ -]plus\b(?=\s*(?:[.,;:!?)]|$))"
    r"|\s(?:(?:long|high|wide|deep|tall|old|thick)\s)?(?:at least|minimum)\b)",
    re.IGNORECASE,
)
_AT_MOST_AFTER = re.compile(
    r"\s(?:(?:long|high|wide|deep|tall|old|thick)\s)?"
    r"(?:(?:or|and)\s(?:less|fewer|under|younger|below|lower)|at most|maximum)\b"
    r"|\s(?:of\s)?[a-z]+\sor\s(?:less|fewer|shorter|lower)\b(?!\s[a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """An amount where it stands, with what the words around it say."""

    amount: Amount
    span: Span
    approximate: bool = False
    open_above: bool = False
    open_below: bool = False


def bounded(reader: NumberReader, amount: Amount) -> Found:
    """The amount with what the words around it say: about, at least, up to, or more."""
    if amount.unit.startswith("clock"):
        amount = clocktimes.beside(reader, amount)
    span = span_of(reader, amount)
    before = reader.text[max(0, span.start - LOOK) : span.start]
    after = reader.text[span.end : span.end + LOOK]
    often = amount.rate == "every" and _EVERY.search(before) is not None
    before = _EVERY.sub("", before) if often else before  # "roughly every two months"
    approximate = amount.vague or bool(_ABOUT_AFTER.match(after))
    above, below = amount.vague, False
    told_after = _AT_LEAST_AFTER.match(after) or _AT_MOST_AFTER.match(after)
    if match := _ABOUT.search(before):
        approximate, before = True, before[: match.start()]
        before = before.rstrip() + " " if before else before
    if not amount.unit.startswith(("ordinal", "clock", "identifier")):
        if _NOT_MORE.search(before):
            below = True
        elif _NOT_LESS.search(before) or _AT_LEAST.search(before) or _AT_LEAST_AFTER.match(after):
            above = True
        elif _NOT_LATER.search(before) and (ahead := _AHEAD.match(after)):
            above, below = not ahead["after"], bool(ahead["after"])
        elif _ROSE_TO.search(before):
            pass
        elif _AT_MOST.search(before) or _AT_MOST_AFTER.match(after):
            below = True
    if often and not told_after:
        above, below = below, above  # "at least every month" is no more than a month apart
    if reader.word(amount.first) in ("couple", "dozen"):
        approximate = True
    return Found(amount, span, approximate, above, below)


def span_of(reader: NumberReader, amount: Amount) -> Span:
    """The characters that an amount was read from."""
    return Span(reader.pieces[amount.first].start, reader.pieces[amount.last - 1].end)
