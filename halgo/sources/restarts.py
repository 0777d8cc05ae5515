"""Text -> places from which it can be read afresh: what stands before them is not needed again."""

from __future__ import annotations

from halgo.sources.blocks import Scanner, lines
from halgo.sources.blocktypes import Block


def restarts(text: str) -> list[int]:
    """Places at the start of a line from which `scan` finds what it finds there in the whole text.

    Ascending. Behind a blank line, and wherever a scanner that has seen nothing yet takes in the
    line that begins there alike: at a list's item, a heading, a record, but not within a table,
    code or settings. Text that is added later moves none of them.
    """
    scanner = Scanner(text)
    places: list[int] = []
    for start, end, following in lines(text):
        fresh = Scanner(text)
        fresh.line(start, end)
        scanner.line(start, end)
        alike = _state(scanner) == _state(fresh) and _ends_with(scanner.done, fresh.done)
        if alike and (not places or places[-1] < start):
            places.append(start)
        scanner.done = []
        blank = not (scanner.fence or scanner.table or text[start:end].strip())
        if blank and (following < len(text) or text[end:following] != "\r"):
            places.append(following)
    return places


def _state(scanner: Scanner) -> tuple[object, ...]:
    """All that decides how the scanner goes on."""
    return (
        scanner.kind,
        scanner.lines,
        scanner.ticked,
        scanner.depth,
        scanner.fence,
        scanner.code,
        scanner.table,
    )


def _ends_with(items: list[Block], last: list[Block]) -> bool:
    return not last or items[-len(last) :] == last
