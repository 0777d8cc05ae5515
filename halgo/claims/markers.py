"""Text -> its citation marks and its lists of sources, each with its place.

"[1]", "[1, 3]", "[2-4]", "[^note]", "(Handbook, page 5)", "[Source 2]", "(https://...)": such marks
say where a sentence comes from and are no part of what it says. Left in what is read, a "[1]" is
an amount that stands in no source.

Every character is looked at a bounded number of times: brackets are paired once, with a stack,
and what stands in them is looked at only when it is short. No mark depends on text after its
line, so that a longer text has the same marks at its beginning, and a text can be read on from
any line when it is known how the lines before left off (`Begun`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from halgo.types import Span

LONGEST = 300  # characters of a mark in brackets
_LONGEST_URL = 2002  # characters of a link's address, with its brackets
# So far ahead is looked to tell what begins at a place.
LOOKAHEAD = LONGEST + _LONGEST_URL + 2
_LOOKBACK = 12  # and so far back: "the interval [1, 3]"
_MOST_NUMBERS = 100  # of a range: "[1-999]" names no hundred sources

_NUMBERS = re.compile(r"\s?\d{1,3}(?:\s?[-\u2013\u2014,;]\s?\^?\d{1,3})*\s?\Z")
_RANGE = re.compile(r"(\d{1,3})(?:\s?[-\u2013\u2014]\s?(\d{1,3}))?")
_SOURCE_WORDS = (
    "sources?|src|docs?|documents?|refs?|references?|passages?|chunks?|context|excerpts?|snippets?"
)
# "[#1]", "[S1]", "[Doc 1, Doc 2]", and "[0]", which counts no source.
_MAY_CITE = re.compile(r"(?<!\bis)(?<!\bare)(?<!\bbe)(?<![=:])\s\Z")
_HASHED = re.compile(r"\s?#\s?\d{1,3}(?:\s?[,;]\s?#\s?\d{1,3}){0,20}\s?\Z")
_SHORT = re.compile(r"S\d{1,3}(?:\s?[,;]\s?S\d{1,3}){0,20}\Z")
_SEVERAL = re.compile(
    rf"(?:{_SOURCE_WORDS})[\s:#_.-]{{0,2}}\d{{1,4}}"
    rf"(?:\s?(?:[,;&]|and)\s?(?:{_SOURCE_WORDS})[\s:#_.-]{{0,2}}\d{{1,4}}){{1,20}}\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?:see\s)?(?:{_SOURCE_WORDS})[\s:#_.-]{{0,2}}(\d{{1,4}})\Z", re.IGNORECASE)
_TITLED = re.compile(rf"(?:{_SOURCE_WORDS}):\s?(\S.*)\Z", re.IGNORECASE | re.DOTALL)
_FILE = re.compile(
    r"[\w./-]{1,80}\.(?:md|txt|pdf|html?|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|jsonl?|ya?ml|xml|csv)"
    r"(?:[#:]\w{1,12})?\Z",
    re.IGNORECASE,
)
_SEARCHED = re.compile("(\\d{1,3})(?::\\d{1,3})?\u2020[^\u3010\u3011]{0,80}\\Z")
_PAGE = re.compile(
    r"(?<!\w)(?:pages?\s?|pp?\.\s?|pp?\s)(\d{1,5})(?:\s?[-\u2013\u2014]\s?(\d{1,5}))?\Z",
    re.IGNORECASE,
)
_SEE = re.compile(r"(?:see(?:\salso)?|cf\.?|from|source:)[,:]?\s", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s<>\"`\[\]{}|\\^]{1,2000}")
# "the interval [1, 3]": what is not a list of sources.
_NO_LIST = re.compile(
    r"(?:intervals?|ranges?|vectors?|arrays?|matrix|lists?|sets?|tuples?|domain)\s?\Z",
    re.IGNORECASE,
)

_HEAD = re.compile(
    r"[ \t>#*_]{0,12}(?:sources?|references?|citations?|bibliography|works cited|foot-?notes|"
    r"endnotes)"
    r"(?: used| cited)?[ \t:*_#]{0,12}\Z",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[ ]{0,3}\[\^([^\s\[\]^]{1,40})\]:[ \t]*")
_DEFINED = re.compile(r"[ ]{0,3}\[(\d{1,3})\]:[ \t]+")
_BRACKETED = re.compile(r"[ \t]{0,8}(?:[-*+\u2022][ \t]{1,4})?\[(\d{1,3})\][ \t]{1,4}(?=\S)")
_COUNTED = re.compile(r"[ \t]{0,8}(\d{1,3})[.)][ \t]{1,4}(?=\S)")
_BULLET = re.compile(r"[ \t]{0,8}[-*+\u2022][ \t]{1,4}(?=\S)")
_FENCE = re.compile(r"[ \t>]{0,12}(`{3,}|~{3,})")
_BROKEN = re.compile(r"\[(?:\d{1,3}(?![\w.])|\^[^\s\[\]^]{1,40})")
_TICKS = re.compile(r"`+")
CANDIDATE = re.compile(r"`+|[\[(\u3010]|(?:https?|ftp)://")
_INNER = re.compile("[\\[\u3010]|://")  # what may be a mark itself
_CLOSERS = {")": "(", "]": "[", "\u3011": "\u3010"}
_BREAKS = r"\n\r\f\v\x85\u2028\u2029"  # where blocks are divided into lines
_BREAK = re.compile(rf"\r\n|[{_BREAKS}]")
# Brackets, and the blank lines that end a paragraph.
_BRACKETS = re.compile(
    "[()\\[\\]\u3010\u3011]"
    rf"|(?:\A|(?<=[{_BREAKS}])(?<!\r(?=\n)))[ \t]{{0,20}}(?:\r\n|[{_BREAKS}])"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation mark. `kind`: "number", "footnote", "page", "name", "link" or "url".

    numbers: of "[1, 3-5]", of "[Source 2]"; label: of a footnote or the text of a link; title and
    pages: of "(Title, pages 5-6)"; url: of a link or an address. beside: it stands beside the
    words of its sentence and is not read with them; a link may be one of them.
    """

    kind: str
    span: Span
    numbers: tuple[int, ...] = ()
    label: str = ""
    title: str = ""
    pages: tuple[int, int] | None = None
    url: str = ""
    beside: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list of sources, "[1] Handbook, page 3"; `label` is "1", a note's name or "".

    text: the line without its number; head: the line over the list, where it has one.
    """

    label: str
    span: Span
    text: Span
    note: bool = False
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of a text in order, the entries of its lists of sources, and what is broken.

    `heads` are the lines over such lists; `broken` are marks that begin like one and have no
    end. `code` are stretches between backticks, in which nothing is a mark. A backtick that is not
    closed in its line is one as it stands; from there to the end of the line is in `open_code`.
    `open_fence` is the fence of code that never ends, or ""; `fenced` are the lines behind fences.
    """

    markers: tuple[Marker, ...]
    entries: tuple[Entry, ...]
    heads: tuple[Span, ...]
    broken: tuple[Span, ...]
    code: tuple[Span, ...] = ()
    open_code: tuple[Span, ...] = ()
    open_fence: str = ""
    fenced: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """How the lines before a text left off: all of them that decides what its marks are.

    Places count from the beginning of the text, those of the lines before are negative.
    """

    before: str = ""  # the last characters before
    listing: bool = False  # under the head of a list of sources
    running: bool = False  # the line before was an entry
    blank: bool = True  # the line before was blank
    fence: str = ""  # of the code that it lies in
    done: int = 0  # where the mark found last ends
    cited: frozenset[int] = frozenset()
    opened: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # brackets, by their kind
    last: Marker | None = None
    entry: Entry | None = None
    head: Span | None = None


def marks_of(text: str, names: Iterable[str] = (), begun: Begun | None = None) -> Marks:
    """The citation marks of a text. names: ids and titles that are marks in brackets: "[kb-7]".

    begun: what stands before it, when the text is the rest of one, from the start of a line on.
    """
    return _Scan(text, {_folded(name) for name in names if name.strip()}, begun or Begun()).run()


def begun_at(text: str, place: int, begun: Begun | None = None) -> tuple[int, Begun]:
    """Where the line begins that holds `place`, and how those before it left off.

    For this the text goes on for LOOKAHEAD characters behind `place`.
    """
    line = 0
    for found in _BREAK.finditer(text):
        if found.end() > place:
            break
        line = found.end()
    return line, _Scan(text, set(), begun or Begun()).leave(line)


def pages_in(text: str) -> tuple[str, tuple[int, int] | None]:
    """The words before a page number at the end of `text`, and the pages: "Handbook", (5, 5)."""
    bare = " ".join(text.split())
    found = _PAGE.search(bare, max(0, len(bare) - 30))
    if found is None:
        return bare, None
    first = int(found[1])
    title = bare[: found.start()].removesuffix(" on ").strip(" ,:;-\u2013\u2014")
    return title, (first, max(first, int(found[2] or first)))


class _Scan:
    """One pass over the lines for lists and code, one over the brackets for marks."""

    def __init__(self, text: str, names: set[str], begun: Begun) -> None:
        self.text = text
        self.names = names
        # "kb-7" is a known id, so "[kb-99]" is one that nobody knows: a fabricated citation.
        self.shapes = {re.sub(r"\d+", "0", name) for name in names if re.search(r"\d", name)}
        self.shapes -= {"0"}
        self.markers: list[Marker] = []
        self.entries: list[Entry] = [begun.entry] if begun.entry else []
        self.heads: list[Span] = [begun.head] if begun.head else []
        self.broken: list[Span] = []
        self.pairs: dict[int, int] = {}
        self.stacks = {kind: list(begun.opened.get(kind, ())) for kind in _CLOSERS.values()}
        self.cited = set(begun.cited)
        self.before = begun.before
        self.listing, self.running, self.blank = begun.listing, begun.running, begun.blank
        self.fence, self.done, self.last = begun.fence, begun.done, begun.last
        self.code: list[Span] = []
        self.open_code: list[Span] = []
        self.fenced: list[Span] = []

    def run(self) -> Marks:
        """All marks, line by line: a line that is an entry is searched for none."""
        self.pair(0, len(self.text))
        self.lines(len(self.text))
        return Marks(
            tuple(self.markers),
            tuple(self.entries),
            tuple(self.heads),
            tuple(self.broken),
            tuple(self.code),
            tuple(self.open_code),
            self.fence,
            tuple(self.fenced),
        )

    def leave(self, place: int) -> Begun:
        """What the lines before `place` leave to those behind it."""
        self.pair(0, place)
        # A bracket further back is closed too late to be a mark.
        opened = {
            kind: tuple(at - place for at in stack if at > place - LOOKAHEAD)
            for kind, stack in self.stacks.items()
        }
        self.pair(place, len(self.text))
        self.lines(place)
        entry = self.entries[-1] if self.running and self.entries else None
        return Begun(
            (self.before + self.text[max(0, place - _LOOKBACK) : place])[-_LOOKBACK:],
            self.listing,
            self.running,
            self.blank,
            self.fence,
            self.done - place,
            frozenset(self.cited),
            opened,
            replace(self.last, span=self.last.span.shift(-place)) if self.last else None,
            _shifted(entry, -place) if entry else None,
            self.heads[-1].shift(-place) if self.listing else None,
        )

    def lines(self, stop: int) -> None:
        """Reads the lines up to `stop`, where one begins or the text ends."""
        at, text = 0, self.text
        while at < stop:
            found = _BREAK.search(text, at)
            end, following = found.span() if found else (len(text), len(text))
            line = text[at:end]
            mark = _FENCE.match(line)
            if self.fence:
                self.fenced.append(Span(at, end))
                closes = mark and mark[1].startswith(self.fence)
                if mark and closes and not line[mark.end() :].strip("`~ \t\r"):
                    self.fence = ""
            elif mark and "`" not in line[mark.end() :]:
                self.fence = mark[1]
            elif not line.strip():
                self.running = False
                self.blank = True
            else:
                if not self.listed(line, at, end):
                    self.search(at, end)
                self.blank = False
            at = following

    def pair(self, start: int, stop: int) -> None:
        """Which bracket closes which, within a paragraph; from the start of a line on."""
        stacks = self.stacks
        for found in _BRACKETS.finditer(self.text, start, stop):
            char = found.group()
            if char in stacks:
                stacks[char].append(found.start())
            elif char in _CLOSERS:
                if stacks[_CLOSERS[char]]:
                    self.pairs[stacks[_CLOSERS[char]].pop()] = found.start()
            else:
                for stack in stacks.values():
                    stack.clear()

    def stretch(self, start: int, end: int) -> str:
        """The text between two places, the first of which may lie in the lines before."""
        if start >= 0:
            return self.text[start:end]
        return self.before[max(0, len(self.before) + start) :] + self.text[:end]

    # -- lists of sources -----------------------------------------------------------------------

    def listed(self, line: str, start: int, end: int) -> bool:
        """Whether the line belongs to a list of sources, which it then has joined."""
        short = line[:120]
        if len(line) <= 120 and _HEAD.match(line.rstrip()):
            self.heads.append(Span(start, start + len(line.rstrip())))
            self.listing, self.running = True, False
            return True
        note = _NOTE.match(short)
        defined = _DEFINED.match(short)
        bracketed = _BRACKETED.match(short)
        counted = _COUNTED.match(short) if self.listing else None
        bullet = _BULLET.match(short) if self.listing else None
        found = note or defined or bracketed or counted or bullet
        if bracketed and not (note or defined or self.listing or self.running):
            # "... is 5% [1].", a blank line, "[1] Handbook": cited before, so this says where.
            found = bracketed if self.blank and int(bracketed[1]) in self.cited else None
        if found is None:
            goes_on = self.running and line[:2] in ("  ", "\t") and bool(self.entries)
            if goes_on:
                last = self.entries.pop()
                span = Span(last.span.start, start + len(line.rstrip()))
                text = Span(last.text.start, span.end)
                self.entries.append(replace(last, span=span, text=text))
            else:
                self.listing = self.running = False
            return goes_on
        last_char = start + len(line.rstrip())
        label = found[1] if found is not bullet else ""
        text = Span(start + found.end(), last_char)
        head = self.heads[-1] if self.listing else None
        self.entries.append(Entry(label, Span(start, last_char), text, bool(note), head))
        self.running = True
        return True

    # -- marks ----------------------------------------------------------------------------------

    def search(self, start: int, end: int) -> None:
        """The marks that begin in a line."""
        runs: dict[int, list[int]] | None = None
        open_ = end
        for found in CANDIDATE.finditer(self.text, start, end):
            place = found.start()
            if place < self.done or self.text[place - 1 : place] == "\\":
                continue
            if found.group()[0] == "`":
                size = len(found.group())
                runs = self.runs(start, end) if runs is None else runs
                after = bisect_right(runs[size], place)
                if after < len(runs[size]):
                    self.done = runs[size][after] + size
                    self.code.append(Span(place, self.done))
                else:
                    open_ = min(open_, place)
                continue
            marker = self.at(place, end)
            if marker is not None:
                self.last = self.ranged(marker)
                self.markers.append(self.last)
                self.cited |= set(marker.numbers)
                self.done = marker.span.end
        if open_ < end:
            self.open_code.append(Span(open_, end))

    def runs(self, start: int, end: int) -> dict[int, list[int]]:
        """Where the runs of backticks in a line begin, by their lengths."""
        found: dict[int, list[int]] = {}
        for run in _TICKS.finditer(self.text, start, end):
            found.setdefault(len(run.group()), []).append(run.start())
        return found

    def at(self, place: int, end: int) -> Marker | None:
        """The mark that begins at `place`; None when none does."""
        char = self.text[place]
        if char not in "([\u3010":
            return self.address(place)
        close = self.pairs.get(place)
        if close is None:
            self.unclosed(place, end)
            return None
        if char == "[":
            target = self.pairs.get(close + 1) if self.text[close + 1 : close + 2] == "(" else None
            link = self.link(place, close, target) if target is not None else None
            if link is not None and self.text[place - 1 : place] == "!":
                self.done = link.span.end  # a picture
                return None
            if link is not None:
                return link
        if close - place > LONGEST:
            return None
        content = self.text[place + 1 : close]
        span = Span(place, close + 1)
        if char == "(":
            return self.round(content, span, place, close)
        if char == "\u3010":
            found = _SEARCHED.match(content)
            numbers = (int(found[1]),) if found else _numbers(content)
            return Marker("number", span, numbers) if numbers else None
        return self.square(content, span, place)

    def ranged(self, marker: Marker) -> Marker:
        """The mark; the second of "[1]-[3]" with the numbers that it stands for."""
        last = self.last
        if last is None or not (last.numbers and len(marker.numbers) == 1):
            return marker
        if marker.span.start - last.span.end > 3:
            return marker
        between = self.stretch(last.span.end, marker.span.start).strip()
        first, end = last.numbers[-1] + 1, marker.numbers[0]
        if between not in ("-", "\u2013", "\u2014"):
            return marker
        return replace(marker, numbers=tuple(range(first, end + 1))[:_MOST_NUMBERS] or (end,))

    def square(self, content: str, span: Span, place: int) -> Marker | None:
        """A mark in square brackets."""
        bare = content.strip()
        if bare.startswith("^") and re.fullmatch(r"\^[^\s^]{1,40}", bare):
            return Marker("footnote", span, label=bare[1:])
        numbers = _numbers(content.replace("^", ""))
        if numbers:
            if len(bare) > 3 and _NO_LIST.search(self.stretch(place - _LOOKBACK, place)):
                return None
            if place and self.text[place - 1] == "]" and self.done != place:
                return None  # [text][1]: a link whose address stands elsewhere
            return Marker("number", self.widened(span), numbers)
        # "items[0]" is none, nor "the array is [0]".
        if bare == "0" and _MAY_CITE.search(self.stretch(place - _LOOKBACK, place)):
            return Marker("number", span, (0,))
        return self.named(bare, span) or self.paged(content, span)

    def round(self, content: str, span: Span, place: int, close: int) -> Marker | None:
        """A mark in round brackets."""
        bare = content.strip()
        address = _ADDRESS.match(bare)
        if address and address.end() == len(bare):
            return Marker("url", span, url=bare)
        if bare.startswith("["):
            inner = place + 1 + content.index("[")
            shut = self.pairs.get(inner, close)
            target = self.pairs.get(shut + 1) if self.text[shut + 1 : shut + 2] == "(" else None
            link = self.link(inner, shut, target) if target is not None else None
            if (
                link is not None
                and target is not None
                and not self.text[target + 1 : close].strip()
            ):
                return Marker("link", span, link.numbers, link.label, url=link.url)
            return None
        if re.match(r"\d+\Z", bare):
            return None  # "(1)" counts
        return self.named(bare, span) or self.paged(content, span)

    def named(self, bare: str, span: Span) -> Marker | None:
        """A mark such as "Source 2", "source: Handbook", "handbook.md", or a name that is known."""
        if _INNER.search(bare):
            return None
        if _folded(bare) not in self.names and any(
            form.match(bare) for form in (_HASHED, _SHORT, _SEVERAL)
        ):
            every = tuple(int(number) for number in re.findall(r"\d+", bare))
            return Marker("number", span, every)
        numbered = _NAMED.match(bare)
        if numbered:
            return Marker("name", span, (int(numbered[1]),), title=bare)
        title, pages = pages_in(bare)
        titled = _TITLED.match(title)
        if titled:
            return Marker("name", span, title=titled[1].strip(" ,"), pages=pages)
        if pages is not None:
            return None
        seen = _SEE.sub("", bare, count=1) if _SEE.match(bare) else bare
        folded = _folded(seen)
        known = folded in self.names or re.sub(r"\d+", "0", folded) in self.shapes
        return Marker("name", span, title=seen) if known or _FILE.match(seen) else None

    def paged(self, content: str, span: Span) -> Marker | None:
        """A mark such as "See Handbook, page 5"; of "A, page 1; B, page 2" the label holds all."""
        if _INNER.search(content):
            return None
        first = content.split(";")[0]
        title, pages = pages_in(first)
        if pages is None:
            return None
        see = _SEE.match(title + " ")
        title = title[see.end() :] if see else title
        return Marker("page", span, label=content, title=title, pages=pages)

    def link(self, place: int, close: int, target: int) -> Marker | None:
        """The link "[label](url)"; None when the round brackets hold no address."""
        if close - place > LONGEST or target - close > _LONGEST_URL:
            return None  # before it is cut out: nested brackets may all end far away
        inside = self.text[close + 2 : target]
        url = inside.strip().split(" ")[0].strip("<>") if inside.strip() else ""
        if not url or "\n" in url or not re.match(r"(?:https?|ftp)://|[/.]|[\w-]+[./#]", url):
            return None
        label = self.text[place + 1 : close]
        span = Span(place, target + 1)
        numbers = _numbers(label.strip("[]^ "))
        if "[" in label and not numbers:
            return None
        return Marker("link", span, numbers, label.strip(), url=url, beside=bool(numbers))

    def address(self, place: int) -> Marker | None:
        found = _ADDRESS.match(self.text, place)
        if found is None:
            return None
        url = found.group().rstrip(".,;:!?'*_~")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(".,;:!?'*_~")
        return Marker("url", Span(place, place + len(url)), url=url, beside=False)

    def widened(self, span: Span) -> Span:
        """The mark with brackets that hold nothing else: "[[1]]"."""
        start, end = span.start, span.end
        if start and self.text[start - 1] == "[" and self.pairs.get(start - 1) == end:
            start, end = start - 1, end + 1
        return Span(start, end)

    def unclosed(self, place: int, end: int) -> None:
        """Notes a mark that begins and never ends: "[1, 2", "[^note"."""
        found = _BROKEN.match(self.text, place, end)
        if found:
            self.broken.append(Span(place, found.end()))


def _numbers(content: str) -> tuple[int, ...]:
    """The numbers of "1, 3-5"; none when it is anything else."""
    if not _NUMBERS.match(content):
        return ()
    found: list[int] = []
    for part in _RANGE.finditer(content):
        first = int(part[1])
        found += range(first, min(int(part[2] or first), first + _MOST_NUMBERS) + 1)
        if len(found) > _MOST_NUMBERS:
            break
    return tuple(found) if found and 0 not in found else ()


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _shifted(entry: Entry, by: int) -> Entry:
    head = entry.head.shift(by) if entry.head else None
    return replace(entry, span=entry.span.shift(by), text=entry.text.shift(by), head=head)
