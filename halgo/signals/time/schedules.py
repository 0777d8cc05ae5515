"""Weekly hours: "Monday to Thursday from 7 am to 9 pm, on Fridays until 6 pm, closed on Sundays".

Every day and every time of such a sentence stands in it, so a claim that joins the wrong two has
all its words. Read are the days, the times that belong to them, and whether something opens or
closes then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, pairwise

from halgo.evidence.lexical import content_stems, stems
from halgo.facts.words import WEEKDAYS, words
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_LONGEST = 6_000  # characters of a passage
_MOST = 60  # days and times of a sentence
_MOST_ELSE = 4  # words of a claim that says nothing but hours

_ALL, _WORKING, _WEEKEND = frozenset(range(7)), frozenset(range(5)), frozenset({5, 6})
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?)"
)
_HOURS = str.split("one two three four five six seven eight nine ten eleven twelve")
_DASH = r"\s?[-–—]\s?"
_DAYS = (
    rf"(?P<first>{_DAY})(?:\s(?:to|through|till|until)\s|{_DASH})(?P<last>{_DAY})"
    rf"|(?P<day>{_DAY})"
    r"|(?P<group>weekdays?|weekends?|daily|every day|all week|seven days a week|each day)"
)
_TIME = (
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap]m\b|[ap]\.m\.)"
    r"|(?P<hour24>\d{1,2}):(?P<minute24>[0-5]\d)(?!\d)"
    rf"|(?P<bare>\d{{1,2}})(?={_DASH}\d{{1,2}}\b|\sto\s\d{{1,2}}\b)|(?<=[-–—])\s?(?P<then>\d{{1,2}})\b(?![:.]\d|\s?[ap]\.?m\b)"
    r"|(?P<to>\b(?:half|quarter)\s(?:past|to)\s)?(?:(?P<named>\b(?:noon|midday|midnight)\b)"
    rf"|\b(?P<spoken>{'|'.join(_HOURS)})\b(?:\so['\u2019]clock)?"
    r"(?P<of>\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight)|(?<=clock)))"
)
_PART = r"(?P<part>\b(?:morning|afternoon|evening)s?\b)"
_ANY = re.compile(
    rf"\b(?:{_DAYS})|{_PART}|(?<![\d.,:$€£#])(?:{_TIME})(?!\s?%)|(?P<shut>\bclosed\b)|(?P<but>\bexcept\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:\b(?:(?<!not )until|till|to|through|clos\w+(?: at)?|ends?(?: at)?)|[-–—])\s*$", re.I
)
_VERBS = {
    "opens": re.compile(r"\b(?:opens|starts|begins|opened|started|began)\b", re.I),
    "closes": re.compile(r"\b(?:closes|ends|shuts|closed|ended)\b", re.I),
}
_AND = re.compile(r"\s*(?:,|\band\b|\bor\b|&|/)\s*(?:(?:again|then|and|at|from)\s+){0,2}", re.I)
# In minutes: what is open in some of it, is open "in the morning".
_PARTS = {"morning": (360, 720), "afternoon": (720, 1080), "evening": (1080, 1440)}
_BEGINS = re.compile(
    r"\b(?:from|not until|opens?(?: at)?|starts?(?: at)?|begins?(?: at)?)\s*$", re.I
)
# "The first Monday of a month" is not every one, and what holds on a holiday not every week.
_SOME = re.compile(
    rf"\b(?:first|second|third|fourth|last|next|this|had|would)\s(?:been\s|be\s)?(?:open|closed|{_DAY})"
    r"|\b(?:if|unless|when|except|holidays?)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"[,;(\u2013\u2014]|\bbut\b", re.I)
_JOINED = re.compile(r"[,;()]|\b(?:and|or)\b|&", re.I)
_ALSO = re.compile(r"\b(?:also|again|additional\w*|extra)\b", re.I)
_OPEN = re.compile(r"\bopen\b", re.I)
_DENIED = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.I)
# Words of any such sentence: they tell no two things apart.
_IDLE = frozenset(
    stem
    for word in words(
        "open opens opening close closes closed closing hour hours time until till daily week "
        "weekday weekdays weekend weekends day days every start starts begin begins end ends noon "
        "midday midnight am pm reached available morning afternoon evening"
    ).union(WEEKDAYS)
    for stem in stems(word)
)


@dataclass
class Entry:
    """What is told of some days.

    times: when something "opens", "closes" or is "at", in minutes, and whether morning or evening
    is told. part: the part of the day that is spoken of. shut: whether it is said to be closed.
    """

    days: frozenset[int] = frozenset()
    times: dict[str, tuple[int, bool]] = field(default_factory=dict)
    part: tuple[int, int] | None = None
    shut: bool = False
    span: Span | None = None

    @property
    def told(self) -> bool:
        """Whether it tells anything of its days."""
        return bool(self.times) or self.shut


def signals(pair: Pair) -> list[Signal]:
    """At most one: `date_conflict` or `schedule_agrees`, of what a claim says of a day's hours."""
    claim = pair.claim.text
    mine = entries(claim)
    if len(mine) != 1 or not mine[0].days or _DENIED.search(claim):
        return []
    (said,) = mine
    for role, verb in _VERBS.items():  # "opens on Mondays at 9"
        if "at" in said.times and verb.search(claim):
            said = replace(said, times={role: said.times["at"]})
    assert said.span is not None
    if _SOME.search(claim) or not (said.told or _OPEN.search(claim)):
        return []
    text = pair.evidence.reading.text[:_LONGEST]
    sentence, told = _of_subject(claim, text)
    theirs = [entry for entry in told if said.days <= entry.days]
    if not theirs:
        return []
    verdicts = list(_compared(said, theirs))
    against = next((entry for entry, agrees in verdicts if not agrees), None)
    if (said.part or "at" in said.times) and any(agrees for _, agrees in verdicts):
        against = None  # at one of several times
    if not verdicts:
        return []
    entry = against or verdicts[0][0]
    assert entry.span is not None
    where = entry.span.shift(sentence.start)
    values = (said.span.of(claim), where.of(text))
    if against is None:
        if not _subject(claim) <= frozenset(stems(text)) or len(_subject(claim)) > _MOST_ELSE:
            return []  # the claim says something else as well
        message = f"The source says the same of that day: “{values[1]}”."
        return [
            Signal("schedule_agrees", Stance.SUPPORTS, _WEIGHT, message, said.span, where, values)
        ]
    message = f"The claim says “{values[0]}”; of that day the source says “{values[1]}”."
    return [Signal("date_conflict", Stance.CONTRADICTS, _WEIGHT, message, said.span, where, values)]


def _of_subject(claim: str, text: str) -> tuple[Span, tuple[Entry, ...]]:
    """The sentence that tells the hours of what a claim is about, with its entries."""
    subject = _subject(claim)
    parts = ((part, entries(part.of(text))) for part in split(SENTENCE, Span(0, len(text)), text))
    found = [(part, told) for part, told in parts if any(entry.told for entry in told)]
    shared = [len(subject & frozenset(stems(part.of(text)))) for part, _ in found]
    if not found or len(subject & frozenset(stems(text))) < len(subject) / 2:
        return Span(0, 0), ()
    best = max(shared)
    chosen, told = found[shared.index(best)]
    # "The Maritime Museum" is spoken of elsewhere; this sentence is of another museum.
    missing = subject - frozenset(stems(chosen.of(text)))
    of_another = best > 0 and not missing.isdisjoint(stems(text))
    if of_another or (best == 0 and len(found) > 1) or shared.count(best) > 1:
        return Span(0, 0), ()
    return chosen, told


def _subject(claim: str) -> frozenset[str]:
    """What a claim speaks of beside days and times."""
    return frozenset(s for s in content_stems(claim) - _IDLE if not s[0].isdecimal())


def _compared(said: Entry, theirs: Sequence[Entry]) -> Iterator[tuple[Entry, bool]]:
    """Each entry of the source that says something of what the claim says, and whether the same."""
    for entry in theirs:
        hours = _hours(entry)
        if said.part is not None and hours is not None:
            inside = hours[0] < said.part[1] and said.part[0] < hours[1]
            yield entry, inside != said.shut
            continue
        if said.shut or not said.times:
            yield entry, said.shut == entry.shut
            continue
        if entry.shut:
            yield entry, False
            continue
        for role, time in said.times.items():
            if role == "at" and "closes" in entry.times:
                yield entry, _is_open(entry, time)
                continue
            held = entry.times.get(role)
            if held is None and role == "opens":  # "starts on Mondays at 3 pm"
                held = entry.times.get("at")
            if held is not None:
                yield entry, _same(time, held)


def _hours(entry: Entry) -> tuple[int, int] | None:
    """When it opens and closes, in minutes; None where morning is not told from evening."""
    if not {"opens", "closes"} <= entry.times.keys():
        return None
    (opens, told), (closes, sure) = entry.times["opens"], entry.times["closes"]
    if not sure or opens >= closes or not (told or closes > 720):
        return None
    return opens, closes


def _is_open(entry: Entry, time: tuple[int, bool]) -> bool:
    """Whether it is open at a time; also where that is not sure."""
    hours = _hours(entry)
    if hours is None:
        return True
    times = (time[0],) if time[1] else (time[0], time[0] + 720)
    return any(hours[0] <= at <= hours[1] for at in times)


def _same(one: tuple[int, bool], other: tuple[int, bool]) -> bool:
    both = one[1] and other[1]
    return one[0] == other[0] if both else one[0] % 720 == other[0] % 720


@lru_cache(maxsize=4096)
def entries(sentence: str) -> tuple[Entry, ...]:
    """What a sentence tells of which days, in order; entries without days are left out."""
    if not re.search(r"day|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|daily|weekend|all week", sentence):
        return ()
    found: list[Entry] = []
    now = Entry()
    excepted: frozenset[int] | None = None
    whole = False  # whether the days of this entry stand behind its times
    role, end = "", 0
    matches = list(_ANY.finditer(sentence))[:_MOST]
    for at, match in enumerate(matches):
        before = sentence[max(0, match.start() - 16) : match.start()]
        days = _days(match)
        if match["but"]:
            excepted = frozenset()
            continue
        if days and excepted is not None and not excepted and now.days:
            now.days, excepted = now.days - days, days
            end = match.end()
            continue
        if days:
            joined = re.search(r"(?:,|\band\b|\bor\b|&|/)\s*(?:on\s)?$", before) is not None
            if now.days and (now.told and not (whole and joined and match.start() - end < 8)):
                found.append(now)
                now, whole = Entry(), False
            if now.told and not now.days:
                whole = not _begins_anew(sentence, matches, at)
                if not whole:
                    found.append(now)
                    now = Entry()
            now.days |= days
        elif match["part"]:
            now.part = _PARTS[match["part"].lower().removesuffix("s")]
        else:
            time = _minutes(match)
            new = _role(before, role)
            if match["shut"]:
                if now.told:
                    found.append(now)
                    now, whole = Entry(), False
                now.shut = True
            elif time is not None:
                if new in now.times or whole or now.shut:
                    found.append(now)
                    now, whole = Entry(), False
                now.times[new] = time
                role = new
        start = match.start() if now.span is None else now.span.start
        now.span, end = Span(start, match.end()), match.end()
    if now.told and not now.days and excepted:
        now.days = excepted
    found.append(now)
    for one, later in pairwise(found):  # "on Mondays from 9 to 12 and from 5 to 8"
        joined_by = sentence[one.span.end : later.span.start] if one.span and later.span else ""
        if not later.days and later.times and not whole and _AND.fullmatch(joined_by):
            later.days = one.days
    for one, later in pairwise(found):  # "on Fridays until 6 pm": it opens as before
        if one.days.isdisjoint(later.days) and "opens" in one.times and "closes" in later.times:
            later.times.setdefault("opens", one.times["opens"])
    for one, later in combinations(found, 2):  # "daily at 7 am, on Sundays at 9 am"
        if later.days < one.days and later.told and not _ALSO.search(sentence):
            one.days -= later.days
    return tuple(entry for entry in found if entry.days)


def _begins_anew(sentence: str, matches: Sequence[re.Match[str]], at: int) -> bool:
    """Whether the day at `at` has times of its own: "9 am to 6 pm, on Saturdays until 4 pm".

    A mark parts it from the times before it, and none from those behind it: "9 am to 6 pm, Monday
    to Friday, and 10 am to 4 pm on Saturdays" has each time before its days.
    """
    if at and not _MARK.search(sentence, matches[at - 1].end(), matches[at].start()):
        return False
    for one, later in pairwise(matches[at:]):
        if not _days(later):  # of "Saturdays and Sundays until 4 pm" the last
            return not _JOINED.search(sentence, one.end(), later.start())
    return False


def _days(match: re.Match[str]) -> frozenset[int]:
    if match["group"]:
        group = match["group"].lower()
        return _WORKING if "weekday" in group else _WEEKEND if "weekend" in group else _ALL
    if match["day"]:
        return frozenset({_number(match["day"])})
    if match["first"]:
        first, last = _number(match["first"]), _number(match["last"])
        return frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
    return frozenset()


def _number(day: str) -> int:
    return next(at for at, name in enumerate(WEEKDAYS) if name.startswith(day.lower()[:3]))


def _minutes(match: re.Match[str]) -> tuple[int, bool] | None:
    """A time in minutes, and whether it tells morning from evening; None for no time of day."""
    if match["named"] or match["spoken"]:
        to = (match["to"] or "").lower()
        more = (30 if "half" in to else 15) * (-1 if " to " in to else 1) if to else 0
        if match["named"]:
            return (0 if match["named"].lower() == "midnight" else 720) + more, True
        late = re.search("afternoon|evening|night", match["of"]) is not None
        hour = (_HOURS.index(match["spoken"].lower()) + 1) % 12 + 12 * late
        return hour * 60 + more, bool(match["of"])
    if match["hour"]:
        hour = int(match["hour"]) % 12 + (12 if match["half"].lower().startswith("p") else 0)
        return (hour * 60 + int(match["minute"] or 0), True) if int(match["hour"]) <= 12 else None
    written = match["hour24"] or match["bare"] or match["then"]
    if not written or int(written) > 24:
        return None
    minute = int(match["minute24"] or 0)
    return int(written) % 24 * 60 + minute, int(written) > 12 or written.startswith("0")


def _role(before: str, last: str) -> str:
    """Whether a time is when something opens or closes, by what stands before it."""
    if _ENDS.search(before):
        return "closes"
    if _BEGINS.search(before):
        return "opens"
    if last == "at" and re.search(r"(?:,|\band\b|\bor\b)\s*$", before):
        return "at"
    return (last or "at") if re.search(r"\bat\s*$", before) else "opens"
