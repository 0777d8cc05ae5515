"""Document -> Chunks: overlapping windows of consecutive sentences, the unit that is embedded.

A window overlaps the next one, so that a fact told in two sentences stands in one window whole.
A heading belongs to what follows it: it joins the next window and never ends one. So does what
leads in a list ("Not allowed:"), without which its items say nothing, or the reverse. A table row
is a window of its own: beside its neighbour's figures its own would look supported by either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.types import Chunk, Document, Sentence, Span

# A lead-in longer than that is a paragraph that happens to stand before a list.
_LONGEST_LEAD = 200
# A line up to the first word of a list item: white space, the mark, and marks of emphasis.
_MARK = re.compile(r"([ \t>]*)(?:[^\w\s]|\(?\w{1,4}[.)])[ \t]+[^\w\n]*")
_HASHES = re.compile(r"[ \t>]*(#{1,6}(?=[ \t])|={1,6})[ \t]*[^\w\n]*")
_BOLD = re.compile(r"[ \t>]*(?:\*\*|__)[^\w\n]*")
BOLD_LEVEL = 7  # of a line that is a heading only by being in bold: below those of Markdown
# The same where the mark is a number: "4.2 ", "§ 7 ", "3. ", "Article 5: ".
_NUMBERED = re.compile(
    r"[ \t>#*_]*(?:§{1,2}[ \t]*"
    r"|(?:section|clause|article|art\.|paragraph|step|rule|chapter|part)[ \t]+)?"
    r"(\d{1,3}(?:\.\d{1,3}){0,4})[.):]?[ \t]+[^\w\n]*",
    re.IGNORECASE,
)
_LONGEST_MARK = 200
_LONGEST_LINE = 1000
_HANGING = 10  # levels of Markdown that those of headings which hang come behind
_BLANKS = re.compile(r"[ \t]*")
# To the next line that is not blank, with the blanks that it begins with.
_BELOW = re.compile(r"[^\n]{0,200}\n(?:[ \t]{0,100}\n){0,3}([ \t]{0,200})[^\s]")


def leads_in(block: str, text: str) -> bool:
    """Whether a sentence before a list leads it in: a heading, or one that a full stop lacks.

    "Not allowed:", "Before the test you may have". text: the sentence as it is read.
    """
    if block == "paragraph":
        return len(text) <= _LONGEST_LEAD and text.rstrip()[-1:] not in tuple(".!?\u2026;")
    return block == "heading"


def reaches(text: str, lead: int, item: int) -> bool:
    """Whether a list whose first item begins at `item` stands as deep as the line at `lead`.

    What one option of a command does leads in no further one.
    """
    return indent(text, item) >= indent(text, lead)


def heads_list(text: str) -> bool:
    """Whether a list item leads in the deeper items below it: "Not allowed:". text: as read."""
    return len(text) <= _LONGEST_LEAD and text.rstrip().endswith(":")


def depth(text: str, at: int) -> int | None:
    """How far from the left the list mark stands whose item begins at `at`; None where none does.

    A sentence further on in an item has no mark of its own.
    """
    first = max(0, at - _LONGEST_MARK)
    start = text.rfind("\n", first, at) + 1
    mark = _MARK.fullmatch(text, start, at) if start or not first else None
    return None if mark is None else len(mark[1])


def level(text: str, at: int) -> int | None:
    """The level of the heading whose words begin at `at`, from 1; None for one without.

    That of Markdown, of a line in bold, or of one that hangs: those further to the left stand over
    the others.
    """
    first = max(0, at - _LONGEST_MARK)
    start = text.rfind("\n", first, at) + 1
    mark = _HASHES.fullmatch(text, start, at) if start or not first else None
    if mark is not None:
        return len(mark[1])
    if _BOLD.fullmatch(text, start, at):
        return BOLD_LEVEL
    column = hangs(text, at)
    return None if column is None else _HANGING + column


def hangs(text: str, at: int) -> int | None:
    """The column of the heading that begins at `at` if what follows stands deeper; else None."""
    column = indent(text, at)
    begins = at == column or text[at - column - 1] == "\n"
    below = _BELOW.match(text, at) if begins else None
    return column if below is not None and len(below[1]) > column else None


def indent(text: str, at: int) -> int:
    """How far from the left the line begins that character `at` stands on."""
    first = max(0, at - _LONGEST_LINE)
    start = text.rfind("\n", first, at) + 1
    blanks = _BLANKS.match(text, start, at)
    return len(blanks[0]) if blanks is not None else 0


def is_under(text: str, heading: int, at: int) -> bool:
    """Whether what begins at `at` stands under the heading before it at `heading`.

    One that hangs, "--force", is over deeper lines alone.
    """
    column = hangs(text, heading)
    return column is None or indent(text, at) > column


def number(text: str, at: int) -> str:
    """The number that the sentence at `at` has before it on its line: "4.2", "§ 7", "3."; or ""."""
    first = max(0, at - _LONGEST_MARK)
    start = text.rfind("\n", first, at) + 1
    mark = _NUMBERED.fullmatch(text, start, at) if start or not first else None
    return "" if mark is None else mark[1]


def chunk(
    document: Document,
    sentences: Sequence[Sentence],
    size: int = 2,
    overlap: int = 1,
    first_row: int = 0,
    first_sentence: int = 0,
) -> list[Chunk]:
    """Windows of `size` sentences of `document`, each sharing `overlap` with the next.

    Headings before a window come on top of its size. `Chunk.row` counts from `first_row`,
    `Chunk.sentences` from `first_sentence`; `chunk.span.of(document.text) == chunk.text`. Every
    sentence is in at least one window, and no window lies within another. A document shorter
    than a window is one chunk; one without sentences has none.
    Raises ValueError unless size >= 1 and 0 <= overlap < size.
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(
            f"size must be 1 or more and overlap from 0 to size - 1: {size}, {overlap}"
        )
    chunks: list[Chunk] = []
    for start, end in _windows(document.text, sentences, size, overlap):
        span = Span(sentences[start].span.start, sentences[end - 1].span.end)
        chunks.append(
            Chunk(
                row=first_row + len(chunks),
                doc_id=document.id,
                span=span,
                text=span.of(document.text),
                sentences=Span(first_sentence + start, first_sentence + end),
            )
        )
    return chunks


def _windows(
    text: str, sentences: Sequence[Sentence], size: int, overlap: int
) -> list[tuple[int, int]]:
    """Positions [start, end) of each window; a heading counts for nothing and goes with the next.

    Windows do not cross a heading: what ends one section and what begins the next are no pair. Nor
    do they cross the end of an inner list.
    """
    windows: list[tuple[int, int]] = []
    opening = [_opens(text, sentences, at) for at in range(len(sentences))]
    start = 0
    while start < len(sentences):
        body = start
        while body < len(sentences) and opening[body]:
            body += 1
        stop = body
        over = sentences[body - 1].span.start if body > start else None
        while stop < len(sentences) and not opening[stop]:
            here = sentences[stop].span.start
            if stop > body and over is not None and not is_under(text, over, here):
                break  # of what that heading stood over it is no part
            stop += 1
        if body == stop:  # headings to the very end
            windows += _runs(start, start, stop, size, 0)
        while body < stop:
            end = body + 1
            if sentences[body].block != "row":
                while (
                    end < stop and sentences[end].block != "row" and not _ends(text, sentences, end)
                ):
                    end += 1
            windows += _runs(start, body, end, size, overlap)
            start = body = end
        start = stop
    return windows


def _opens(text: str, sentences: Sequence[Sentence], at: int) -> bool:
    """Whether a sentence is a heading, or leads in the list that follows it."""
    here = sentences[at]
    if here.block == "heading":
        return True
    if at + 1 == len(sentences) or sentences[at + 1].block != "item":
        return False
    if here.block == "item":
        mine, below = (depth(text, s.span.start) for s in (here, sentences[at + 1]))
        deeper = mine is not None and below is not None and mine < below
        return deeper and heads_list(here.reading.text)
    led = reaches(text, here.span.start, sentences[at + 1].span.start)
    return led and leads_in(here.block, here.reading.text)


def _ends(text: str, sentences: Sequence[Sentence], at: int) -> bool:
    """Whether an inner list has ended before an item, which its lead-in says nothing of."""
    before, here = sentences[at - 1], sentences[at]
    if not before.block == here.block == "item":
        return False
    inner, outer = (depth(text, sentence.span.start) for sentence in (before, here))
    return inner is not None and outer is not None and outer < inner


def _runs(start: int, body: int, stop: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """The windows of one section: headings [start, body), sentences [body, stop)."""
    # Many headings in a row would make a window without bound; the nearest ones say most.
    runs: list[tuple[int, int]] = []
    while body - start > size:
        runs.append((start, start + size))
        start += size
    at = body
    while True:
        end = min(at + size, stop)
        runs.append((start if at == body else at, end))
        if end == stop:
            return runs
        at += size - overlap
