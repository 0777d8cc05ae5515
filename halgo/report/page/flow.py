"""Blocks of a text -> HTML: what is shown of each line is left to the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from halgo.report.page.text_blocks import Line, Shown
from halgo.types import Span

# What is shown of one line or cell: stretches of the text, and HTML that stands between them.
Inline = Sequence[Span | str]
LEAF = 10  # blocks
_CLASSES = {"heading": "h", "item": "item", "record": "record"}


def flow(blocks: Iterable[Shown], inline: Callable[[Inline], str]) -> Iterator[str]:
    """Each block as an element; a table is one, so that its rows stand below each other."""
    rows: list[str] = []
    for block in blocks:
        if block.kind == "row":
            if block.header and rows:
                yield _table(rows)
                rows = []
            rows += _row(block, inline)
            continue
        if rows:
            yield _table(rows)
            rows = []
        yield _block(block, inline)
    if rows:
        yield _table(rows)


def leaves(blocks: Sequence[str]) -> list[str]:
    """Blocks in groups that a browser lays out when they come near."""
    groups = (blocks[at : at + LEAF] for at in range(0, len(blocks), LEAF))
    return [f'<div class="leaf">{"".join(group)}</div>' for group in groups]


def scrolling(table: str) -> str:
    """A table in a frame of its own that scrolls, so that a wide one keeps its words whole."""
    return f'<div class="wide" tabindex="0" role="group" aria-label="Table">{table}</div>'


def _block(block: Shown, inline: Callable[[Inline], str]) -> str:
    items: list[Span | str] = []
    for n, line in enumerate(block.lines):
        if n:
            items.append("<br>" if block.lines[n - 1].hard else " ")
        items += line.spans
    if block.kind == "code":
        return f'<pre dir="ltr">{inline(items)}</pre>'
    lead = ""
    if block.lead is not None:
        lead = f'<span class="lead">{inline([block.lead])}</span>'
    name = _CLASSES.get(block.kind)
    opening = f'<p class="{name}" dir="auto">' if name else '<p dir="auto">'
    return f"{opening}{lead}{inline(items)}</p>"


def _row(block: Shown, inline: Callable[[Inline], str]) -> Iterator[str]:
    if block.header:
        names = (
            f'<th scope="col" dir="auto">{inline(_spaced(name))}</th>' for name in block.header
        )
        yield f"<tr>{''.join(names)}</tr>"
    cells = (f'<td dir="auto">{inline(_spaced(cell))}</td>' for cell in block.lines)
    yield f"<tr>{''.join(cells)}</tr>"


def _spaced(cell: Line) -> list[Span | str]:
    """What a cell shows, a blank between its lines."""
    items: list[Span | str] = []
    for at, span in enumerate(cell.spans):
        items += [" ", span] if at in cell.wraps else [span]
    return items


def _table(rows: Iterable[str]) -> str:
    return scrolling(f"<table>{''.join(rows)}</table>")
