"""Text -> Sentences: spans over the unchanged original, each with the words as they are read.

Rule-based and prefix-stable: a sentence is closed only after seeing what follows it, so of the
sentences of any beginning of a text all but the last are sentences of the whole. Where a rule
needs the word that follows ("the U.S. The ..."), an unfinished word leaves the sentence open.

A table row reads "Plan: Basic \N{EM DASH} Price: $10; Storage: 5 GB": its first cell says what the
row is about. (Of five such forms those with a dash came closest to sentences about the row, by
cosine of all-MiniLM-L6-v2.) A task of a document reads "Load test: no, not done", by its box. (Of
fourteen forms those with both words gave most claims about tasks the right verdict.)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from halgo.sources.abbreviations import (
    ANYWHERE,
    BEFORE_AMOUNT,
    BEFORE_DAY,
    BEFORE_LOWER,
    BEFORE_NAME,
    BEFORE_NUMBER,
    BEHIND_NAME,
    ENGLISH_TOO,
    GO_ON,
    JOINING,
    LETTERED,
    MONTHS_BEHIND_STOP,
    STARTERS,
    STATES,
    TITLED,
    WORDS_TOO,
)
from halgo.sources.blocks import scan
from halgo.sources.blocktypes import Block
from halgo.sources.inline import Stream, plain, read, verbatim
from halgo.sources.records import is_nested
from halgo.sources.records import reading as record_reading
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Piece, Reading, Sentence, Span

# The longest sentence in characters: what a parser reads at once stays bounded.
LONGEST = 2000

# Pictures, but for the ticks, crosses and stars that are values of tables and lists.
_EMOJI = (
    "[\u2600-\u2604\u2607-\u2712\u2715\u2716\u2719-\u27bf\u2b50\u2b55\U0001f300-\U0001faff]"
    "[\ufe0f\u200d\U0001f3fb-\U0001f3ff]{0,3}"
)
_END = re.compile(
    r"[.!?\u2026]+(?: \.(?= \.| ?$))*"
    r"(?P<close>(?:['\"\u00bb\u203a)\]}]|\[\d{1,3}\])*)(?: [)\]}]+)?"
    rf"|[{OTHER_STOPS}]+[\u300d\u300f\u3011\uff09\u201d\u00bb\"')]*"
    rf"|(?P<emoji>{_EMOJI}(?: ?{_EMOJI}){{0,8}})"
)
_FEWEST_BEFORE = 3  # words that an emoji ends as a sentence: "Rated 4 \u2b50 Premium" goes on
_SIDE = 80  # characters before a mark in which words are looked for
_GOES_ON = tuple(":,;-\u2013\u2014|([/&+")
_OPENING = " ~'\"\u00ab\u2039([{\u00bf\u00a1*_`\u2022-\u2013\u2014"
_SAID = re.compile(r"[^ '\"*_(\[]")
_WORD_BEFORE = re.compile(r"[^\s()\[\]{}\"\u00ab\u2014\u2013/]*$")
_WORD = re.compile(r"[^\W\d_]+")
_LOWER = re.compile(r"\b[a-z]")
_ENUMERATOR = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})$")
# A text that is no more: "16." answers a question, and numbers no item.
_NUMBER_ALONE = re.compile(r"\s*(\d{1,9}[.)])\s*")
# What may stand before a letter that is no initial: "plans A and B", "Python and R", but not "Ann
# Lee and R. Moss"; and "units of X", where the sentence has its verb already.
_BESIDE = re.compile(r"(?<![\w.-])[a-z]+ [A-Z]\w*(?:, [A-Z])*,? (?:and|or|&) $")
_OF = re.compile(
    r"\b(?:I|we|you|they|he|she|it|is|are|was|were|has|have|had|can|will|must|may)\b.* (?:of|in) $",
    re.IGNORECASE,
)
_DEGREES = re.compile(r"[a-z] [-\u2013~]?\d{1,4} [CFK]$")
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]$")

_YES, _NO = Reading("yes", ()), Reading("no", ())
_DONE = {True: Reading("yes, done", ()), False: Reading("no, not done", ())}
_TICKS = frozenset({"x", "X", "\u2022", "\u25cf"})  # that say yes where no cell of a row says more
# A table's cell that begins with one of these says yes or no.
_MARKS = {
    "yes": re.compile(
        "(?:[\u2705\u2713\u2714\u2611\U0001f7e2\U0001f44d]|:(?:white|heavy)_check_mark:)\ufe0f?"
    ),
    "no": re.compile(
        "(?:[\u274c\u2717\u2718\u2715\u2716\u2612\u26d4\U0001f6ab\U0001f534]|:x:|:no_entry(?:_sign)?:)\ufe0f?"
    ),
}

# "Key: value" lines, decided by their beginnings.
_KEY = re.compile(r"[*_]{0,3}[A-Z][\w ()/&'\u2019#%+-]{0,40}[*_]{0,3}:[*_]{0,3}\s+\S")
_LOWER_KEY = re.compile(r"[a-z_][\w.\[\]-]{0,40}:\s+\S")
_GREETING = re.compile(r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b", re.IGNORECASE)
# Tags between which a text of its own stands; what divides cells or words is none of these.
_BLOCK_TAG = re.compile(
    r"</?(?:p|li|div|tr|h[1-6]|ul|ol|dl|dt|dd|table|section|article|blockquote)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
# Where a line or an element begins; "the <script> tag" only speaks of one.
_HIDDEN = re.compile(r"(?:^|(?<=[\n\r>]))[ \t]*<(script|style)(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_OPENING_TAG = re.compile(r"<[A-Za-z]")
# A line this long may have been wrapped; a shorter one was ended on purpose.
_WRAPPED = 60


def split(text: str, hanging: bool = False) -> list[Sentence]:
    """The sentences, list items, headings, table rows and code blocks of `text`, in order.

    hanging: whether a short line over deeper ones is a heading, as in manuals; not so in answers,
    of which nothing is to be left unchecked.

    Spans ascend and do not overlap; no reading is empty or longer than LONGEST. A document of
    n characters takes time in proportion to n.
    """
    names: dict[Span, Reading | None] = {}  # of columns, which all rows of a table share
    blocks = scan(text, hanging)
    found = [sentence for block in blocks for sentence in _told(text, block, names, hanging)]
    alone = None if found else _NUMBER_ALONE.fullmatch(text)
    if alone is None:
        return found
    start, end = alone.span(1)
    return [Sentence(Span(start, end), Reading.verbatim(text[start:end], start), "paragraph")]


def _told(
    text: str, block: Block, names: dict[Span, Reading | None], document: bool
) -> Iterator[Sentence]:
    """The sentences of a block; the first one of a document's task says whether it is done."""
    found = _of_block(text, block, names)
    task = next(found, None) if document and block.ticked is not None else None
    if task is not None:
        bare = task.reading.cut(Span(0, len(task.reading.text.rstrip(" ."))))
        told = Reading.joined([bare, _DONE[bool(block.ticked)]], ": ")
        yield replace(task, reading=told) if len(told.text) <= LONGEST else task
    yield from found


def _of_block(text: str, block: Block, names: dict[Span, Reading | None]) -> Iterator[Sentence]:
    if block.kind == "row":
        yield from _row(text, block, names)
        return
    if block.kind == "record":
        span = block.lines[0]
        body = record_reading(plain(span.of(text)), span.start)
        if body.text.strip() and len(body.text) <= LONGEST:
            yield Sentence(span, body, "row" if is_nested(span.of(text)) else "paragraph")
            return
    if block.kind == "code":
        stream, starts = verbatim(text, block.lines[0]), [0]
        bounds, hidden = [0, len(stream.text)], []
    else:
        stream, starts = read(text, block.lines)
        hidden = _hidden(text, block.lines, stream)
        breaks = _hard_breaks(text, block.lines, starts) | _tagged(text, block.lines, stream)
        breaks |= {_place(stream, end) for one in hidden for end in (one.start, one.end)}
        bounds = [0, *_ends(stream.text, breaks), len(stream.text)]
    if block.kind == "heading":
        bounds = [0, len(stream.text)]
    kind = "paragraph" if block.kind == "record" else block.kind
    if kind == "underlined":
        kind = "heading" if len(bounds) == 2 else "paragraph"
    ranges = list(_ranges(stream.text, bounds))
    begins = [one.start for one in hidden]
    for (start, end), span in zip(ranges, _spans(text, block.lines, stream, ranges), strict=True):
        place = Span(stream.origin(start), stream.origin(end - 1) + 1)
        at = bisect_right(begins, place.start) - 1
        code = at >= 0 and place.end <= hidden[at].end
        yield Sentence(span, stream.reading(start, end), "code" if code else kind)


def _tagged(text: str, lines: tuple[Span, ...], stream: Stream) -> set[int]:
    """Places in the stream where a tag stood that begins or ends a text of its own."""
    breaks: set[int] = set()
    for line in lines:
        for tag in _BLOCK_TAG.finditer(text, line.start, line.end):
            if not _is_read(stream, tag.start()):
                breaks.add(_place(stream, tag.start()))
    return breaks


def _place(stream: Stream, origin: int) -> int:
    """Where in the stream the first character stands that follows a tag of the original; or 0."""
    run = bisect_right(stream.origins, origin - 1)
    return stream.at[run] if run < len(stream.at) else 0


def _is_read(stream: Stream, place: int) -> bool:
    """Whether a character of the original is read: a tag is when it stands in code."""
    run = bisect_right(stream.origins, place) - 1
    return run >= 0 and stream.origins[run] + stream.sizes[run] > place


def _hidden(text: str, lines: tuple[Span, ...], stream: Stream) -> list[Span]:
    """What of a block stands between the tags of a script or a style sheet, and is never shown."""
    found: list[Span] = []
    at, end = lines[0].start, lines[-1].end
    while (opened := _HIDDEN.search(text, at, end)) is not None:
        at = opened.end()
        if _is_read(stream, opened.end() - 1):
            continue
        closes = re.compile(rf"</{opened[1]}\s*>", re.IGNORECASE).search(text, at, end)
        at = closes.end() if closes else end
        found.append(Span(opened.end(), closes.start() if closes else end))
    return found


def _ranges(text: str, bounds: list[int]) -> Iterator[tuple[int, int]]:
    """The trimmed stretches between bounds, those beyond LONGEST cut at white space."""
    for start, end in pairwise(bounds):
        while start < end:
            while start < end and text[start].isspace():
                start += 1
            stop = end
            if end - start > LONGEST:
                stop = text.rfind(" ", start + 1, start + LONGEST + 1)
                stop = stop if stop > start else start + LONGEST
            last = stop
            while last > start and text[last - 1].isspace():
                last -= 1
            if last > start:
                yield start, last
            start = stop


def _spans(
    text: str, lines: tuple[Span, ...], stream: Stream, ranges: list[tuple[int, int]]
) -> Iterator[Span]:
    """Where the stretches stand, with the marks around them: each mark goes to its neighbour."""
    if not ranges:
        return
    line = 0
    start = lines[0].start
    for k, (_, end) in enumerate(ranges):
        last = stream.origin(end - 1) + 1
        more = k + 1 < len(ranges)
        following = stream.origin(ranges[k + 1][0]) if more else lines[-1].end
        while lines[line].end < last:
            line += 1
        stop = last
        limit = min(following, lines[line].end)
        while stop < limit and not (text[stop].isspace() or _OPENING_TAG.match(text, stop)):
            stop += 1
        yield Span(start, stop)
        if not more:
            return
        start = stop
        while start < following and (start >= lines[line].end or text[start].isspace()):
            if start >= lines[line].end:
                line += 1
                start = lines[line].start
            else:
                start += 1


def _hard_breaks(text: str, lines: tuple[Span, ...], starts: list[int]) -> set[int]:
    """Places in the stream where a line begins that does not continue the one before."""
    breaks: set[int] = set()
    keyed = False
    for k, line in enumerate(lines):
        begins = text[line.start : min(line.end, line.start + 60)]
        key = bool(_KEY.match(begins))
        if k == 0 or keyed:
            key = key or bool(_LOWER_KEY.match(begins))
        if k:
            before = lines[k - 1]
            short = len(before) < _WRAPPED
            lower = begins[0].islower()
            last = text[before.end - 1]
            greeted = last == "," and short and _GREETING.match(text, before.start)
            if (
                (key and (keyed or short or last in ".!?:"))
                or (keyed and short and not lower)
                or (last == ":" and not lower)
                or greeted
            ):
                breaks.add(starts[k])
        keyed = key
    return breaks


def _ends(text: str, breaks: set[int]) -> Iterator[int]:
    """Ends of sentences inside `text`, ascending: hard breaks and closed full stops."""
    start = 0
    seen = _Seen(text)
    waiting = sorted(breaks, reverse=True)
    for found in _END.finditer(text):
        while waiting and waiting[-1] <= found.start():
            start = waiting.pop()
            if start:
                yield start
        end = _closed(text, start, found, seen)
        if end and end not in breaks:
            yield end
            start = end
    yield from (place for place in reversed(waiting) if place)


class _Seen:
    """What lies behind a mark, kept as the search moves on, so that the whole stays linear."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.count, self.head = text, 0, 0, -1

    def odd(self, end: int) -> bool:
        """Whether a quotation, in straight double quotes, is open at `end`."""
        self.count += self.text.count('"', self.at, end)
        self.at = end
        return self.count % 2 == 1

    def opens(self, start: int, at: int) -> bool:
        """Whether nothing but marks stands between the start of a sentence and `at`."""
        if self.head < start:
            found = _SAID.search(self.text, start)
            self.head = found.start() if found else len(self.text)
        return at <= self.head


def _closed(text: str, start: int, found: re.Match[str], seen: _Seen) -> int:
    """Where the sentence from `start` ends when it ends at this mark; 0 when it does not."""
    end = found.end()
    mark = found.group()
    if found["emoji"]:
        return end if _closes(text, start, found) else 0
    if mark[0] in OTHER_STOPS:
        # What stands there may still become a mark that is left out.
        return 0 if text[end : end + 1] in ("", *"<&\\![]*_~") else end
    if end >= len(text) or found.start() == start:
        return 0
    if not text[end].isspace():
        return 0
    if text[end : end + 2] in (' "', " '") and text[found.start() - 1] == " ":
        # Tokenised news text: He left . " The ... ; the quote closes what was opened before.
        closing = text[end + 1] == '"' and seen.odd(end)
        if closing and text[end + 2 : end + 3] in ("", " "):
            end += 2
        elif text.startswith(" ''", end):
            end += 3
    ahead = end
    while ahead < len(text) and text[ahead] in _OPENING:
        ahead += 1
    if ahead >= len(text):
        return 0  # marks only, so far: what they belong to is not known yet
    return end if _ends_here(text, start, found, ahead, seen) else 0


def _closes(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether an emoji stands for a full stop: "Your order has shipped 🎉 It arrives on Monday"."""
    before = text[max(start, found.start() - _SIDE) : found.start()].rstrip()
    end = found.end()
    return (
        text[end : end + 1].isspace()
        and text[end + 1 : end + 2].isupper()
        and len(before.split()) >= _FEWEST_BEFORE
        and not before.endswith(_GOES_ON)
    )


def _ends_here(text: str, start: int, found: re.Match[str], ahead: int, seen: _Seen) -> bool:
    """Whether a mark with white space after it ends the sentence; the next begins at `ahead`."""
    stop, following = found.start(), text[ahead]
    quoted = any(mark in (found.group("close") or "") for mark in "'\"\u00bb")
    lower = following.islower()
    if following in ",;:.!?\u2026)]}%&\\":
        return False
    if following == "<" and (ahead + 1 >= len(text) or not text[ahead + 1].isdigit()):
        return False  # may still become a tag that is left out
    mark = found.group().rstrip("'\"\u00bb\u203a)]}")
    if text[stop - 1] in "([" and found.group("close"):
        return False  # "(!)", "[...]"
    if mark == "!" and text[stop - 1] in "0123456789)":
        if following in "=+/×÷":
            return text[ahead + 1 : ahead + 2] not in ("", " ")  # "5! = 120"
        if text[found.end() : ahead] == " * ":
            return not (following.isdigit() or following == "(")  # "3! * 2"
    if "!" in mark or "?" in mark:
        return not (quoted and lower)
    if len(mark) > 1 or mark == "\u2026":
        return not lower
    if quoted and lower:
        return False
    return _full_stop(text, start, stop, ahead, seen)


def _full_stop(text: str, start: int, stop: int, ahead: int, seen: _Seen) -> bool:
    """Whether the single full stop at `stop` ends the sentence and not just a word."""
    tokenised = text[stop - 1] == " "
    before = _WORD_BEFORE.search(text[max(start, stop - 40) : stop - tokenised])
    word = before.group().lstrip("'*_`") if before else ""
    if not word:
        return True
    at = stop - tokenised - len(word)
    folded, following = word.lower(), text[ahead]
    lower, digit = following.islower(), following.isdigit()
    if seen.opens(start, at) and _ENUMERATOR.match(word) and not tokenised:
        return False
    if folded in BEFORE_NAME:
        return False
    initial = len(word) == 1 and word.isalpha() and word.isupper()
    if folded in BEFORE_NUMBER and (digit or not initial):
        roman = word[0].isupper() and folded != "no" and following in "IVX"
        return not (digit or roman or (len(word) == 1 and lower))
    if folded == "etc":
        return not lower and not digit
    if word == "HR":
        return True  # the department, and no hours
    if initial:
        return digit or (not lower and _begins_behind_letter(text, start, at, ahead))
    if _DOTTED.match(word) or folded in ANYWHERE or word in STATES:
        if folded in WORDS_TOO and word.islower():
            return not ((lower and folded in BEFORE_LOWER) or (digit and folded in BEFORE_AMOUNT))
        if digit:
            # "Jan. 5", "10 a.m. 3 people": only what stands before numbers goes on.
            return bool(_DOTTED.match(word))
        said = folded in BEHIND_NAME and _LOWER.search(text, max(start, at - _SIDE), at)
        return not lower and _begins_sentence(text, ahead, bool(said))
    if word.isdigit() and len(word) <= 2 and _names_month(text, start, at, ahead):
        return False
    if len(word) == 1 and word.isalpha():
        # "z. B." is one word; where text[ahead + 1] is not there yet it may become one.
        return not lower and text[ahead + 1 : ahead + 2] not in (".", "")
    return True


def _names_month(text: str, start: int, at: int, ahead: int) -> bool:
    """Whether a day stands at `at` and its month at `ahead`: "am 3. Juni"; an open word may be."""
    word = _WORD.match(text, ahead, ahead + 20)
    if word is None:
        return False
    month = word.group().lower()
    whole = word.end() < len(text)
    if not (month in MONTHS_BEHIND_STOP or (not whole and _begins_month(month))):
        return False
    before = _WORD_BEFORE.search(text[max(start, at - 10) : at].rstrip())
    return month not in ENGLISH_TOO or (before is not None and before.group().lower() in BEFORE_DAY)


def _begins_month(word: str) -> bool:
    return any(month.startswith(word) for month in MONTHS_BEHIND_STOP)


def _begins_sentence(text: str, at: int, behind_name: bool = False) -> bool:
    """Whether the word at `at` is whole and one that begins sentences rather than names.

    behind_name: behind what ends a name any other does so too before one in lower case.
    """
    word = _WORD.match(text, at, at + 20)
    if word is None or word.end() >= len(text) or not text[word.end()].isspace():
        # An unfinished word could still become "Incorporated"; "It's" is settled at its mark.
        return bool(word and text[word.end() : word.end() + 1] in ("'", ","))
    if word.group().lower() in STARTERS:
        return True
    goes_on = _SAID.search(text, word.end() + 1) if behind_name else None
    return goes_on is not None and goes_on.group().islower() and word.group().lower() not in GO_ON


def _begins_behind_letter(text: str, start: int, at: int, ahead: int) -> bool:
    """Whether a sentence begins at `ahead`, behind the letter at `at`, which may be an initial.

    Behind "plan B." one does; behind "and R." one whose second word is no name's: "Refunds take".
    """
    word = _WORD.match(text, ahead, ahead + 20)
    if word is None or word.end() >= len(text):
        return False
    following = text[word.end()]
    if word.group().lower() in STARTERS and (following.isspace() or following in "',"):
        return True
    before = text[max(start, at - _SIDE) : at]
    noun = before.lower().split()[-1:]
    if LETTERED.intersection(noun) or _DEGREES.search(text, max(start, at - _SIDE), at + 1):
        return " " in before.strip()  # else it is a heading: "Plan B. Refunds"
    if not (TITLED.intersection(noun) or _BESIDE.search(before) or _OF.search(before)):
        return False
    after = _WORD.match(text, word.end() + 1, word.end() + 21)
    if after is None or after.end() >= len(text) or not following.isspace():
        return False
    return after.group().islower() and after.group() not in JOINING


def _row(text: str, block: Block, names: dict[Span, Reading | None]) -> Iterator[Sentence]:
    """A row's cells, each after its column's name, packed into as few sentences as fit."""
    parts: list[tuple[Span, Reading]] = []
    bodies = _ticked([_cell(text, block, cell) for cell in block.lines], len(block.header))
    for k, (cell, body) in enumerate(zip(block.lines, bodies, strict=True)):
        if body is None:
            continue
        name = None
        if k < len(block.header):
            column = block.header[k]
            if column not in names:
                names[column] = _cell(text, block, column)
            name = names[column]
        reading = Reading.joined([name, body], ": ") if name else body
        if len(reading.text) > LONGEST:
            reading = body if len(body.text) <= LONGEST else _shortened(body)
        parts.append((cell, reading))
    if not parts:
        return
    packs: list[list[tuple[Span, Reading]]] = [[]]
    size = 0
    for part in parts:
        if packs[-1] and size + len(part[1].text) > LONGEST:
            packs.append([])
            size = 0
        packs[-1].append(part)
        size += len(part[1].text) + 3
    whole = block.whole or Span(parts[0][0].start, parts[-1][0].end)
    start = whole.start
    for k, pack in enumerate(packs):
        readings = [reading for _, reading in pack]
        if k == 0 and block.header and len(readings) > 1:
            rest = Reading.joined(readings[1:], "; ")
            reading = Reading.joined([readings[0], rest], " \N{EM DASH} ")
        else:
            pair = not block.header and len(block.lines) == 2
            reading = _side_by_side(readings, ": " if pair else "; ")
        last = k + 1 == len(packs)
        yield Sentence(Span(start, whole.end if last else pack[-1][0].end), reading, "row")
        if not last:
            start = packs[k + 1][0][0].start


def _side_by_side(cells: list[Reading], mark: str) -> Reading:
    """Cells with a mark between them; behind "Tenant:" stands its value."""
    if not any(cell.text.endswith(":") for cell in cells):
        return Reading.joined(cells, mark)
    whole = cells[0]
    for cell in cells[1:]:
        whole = Reading.joined([whole, cell], " " if whole.text.endswith(":") else mark)
    return whole


def _ticked(cells: list[Reading | None], columns: int) -> list[Reading | None]:
    """A row's cells with words for check marks; where it has nothing else an empty cell says no."""
    read = [None if cell is None else _marked(cell) for cell in cells]
    ticks = [cell is not None and (not cell.pieces or cell.text in _TICKS) for cell in read]
    if (
        not any(ticks[1:])
        or len(cells) < 3
        or any(
            cell is not None and not tick for cell, tick in list(zip(read, ticks, strict=True))[1:]
        )
    ):
        return read
    told = [
        _NO if cell is None else _YES if cell.text in _TICKS else cell for cell in read[1:columns]
    ]
    return [read[0], *told, *read[max(columns, 1) :]]


def _marked(cell: Reading) -> Reading:
    """A cell with the word for its check mark, which is glue, as no character of the text is it."""
    for word, marks in _MARKS.items():
        found = marks.match(cell.text)
        if found is None:
            continue
        rest = cell.text[found.end() :].lstrip()
        at = len(cell.text) - len(rest)
        if not rest:
            return Reading(word, ())
        if cell.text[found.end()] in " \t" and len(cell.pieces) == 1:
            (piece,) = cell.pieces
            kept = Piece(0, Span(piece.span.start + at, piece.span.end), piece.code)
            return Reading.joined([Reading(word, ()), Reading(rest, (kept,))], " ")
    return cell


def _cell(text: str, block: Block, first: Span) -> Reading | None:
    """The reading of a cell, or of a column's name, with all its lines; None of an empty one."""
    found = (_whole(text, span, block.literal) for span in block.segments(first))
    lines = [line for line in found if line is not None]
    return Reading.joined(lines) if lines else None


def _whole(text: str, span: Span, literal: bool) -> Reading | None:
    """The reading of a cell; None when there is nothing to read."""
    stream = verbatim(text, span) if literal else read(text, [span])[0]
    body = stream.text.strip()
    if not body:
        return None
    start = stream.text.index(body)
    return stream.reading(start, start + len(body))


def _shortened(reading: Reading) -> Reading:
    """The beginning of a cell that no parser should see in full."""
    pieces = tuple(
        Piece(
            piece.at,
            Span(piece.span.start, piece.span.start + min(len(piece.span), LONGEST - piece.at)),
            piece.code,
        )
        for piece in reading.pieces
        if piece.at < LONGEST
    )
    return Reading(reading.text[:LONGEST], pieces)
