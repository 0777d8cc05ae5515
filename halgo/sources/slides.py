"""PPTX -> Markdown: each slide's title as a heading, then its text, tables, charts and notes.

Parts and elements are those of ECMA-376, part 1, 19 and 21. A chart is read as the table that was
saved with it; a picture of text is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from halgo.sources.ceilings import Told
from halgo.sources.cell_formats import format_of, shown
from halgo.sources.grids import Cell, table
from halgo.sources.office_parts import (
    Element,
    Parts,
    Related,
    number_of,
    opened,
    reference_of,
)
from halgo.sources.raised import of_runs

_TITLES = ("title", "ctrTitle")
# What stands on every slide: its number, the date, the foot and the head.
_FIXED = ("sldNum", "dt", "ftr", "hdr", "sldImg")
_SUBTITLE = "subTitle"
_ON = ("1", "true")
_MOST_COLUMNS = 1000  # that a cell may cover
_LONGEST_SERIES = 100_000  # points of a chart


def read_pptx(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The slides of a presentation as Markdown; metadata "pages" is where in it each begins.

    Hidden slides are left out, with a warning. Raises DocumentError when the file is damaged, or
    unpacks to more than one of its size does.
    """
    with opened(data, name, "PPTX") as (parts, told):
        main = parts.related("", "officeDocument")
        places = {one.name: one for one in parts.relations(main)}
        slides: list[list[str]] = []
        hidden = 0
        for listed in _all(parts.parsed(main), "sldId"):
            slide = places.get(reference_of(listed))
            if slide is None:
                continue
            reader = _Slide(parts, slide.place, told)
            hidden += reader.is_hidden
            slides.append([] if reader.is_hidden else list(reader.blocks()))
        warnings = told.warnings()
        if hidden:
            count = "1 hidden slide is" if hidden == 1 else f"{hidden} hidden slides are"
            warnings.append(f"{name}: {count} left out")
        text, metadata = paged(slides)
        return text, metadata, warnings


def paged(slides: Iterable[Iterable[str]]) -> tuple[str, dict[str, str]]:
    """The blocks of all slides as one text, and metadata that tells where each slide begins."""
    text, starts = "", []
    for blocks in slides:
        told = "\n\n".join(blocks)
        text += "\n\n" * bool(text and told)
        starts.append(len(text))
        text += told
    return text, {"pages": json.dumps(starts)}


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    level: int
    is_item: bool


class _Slide:
    """One slide, and the parts that it refers to."""

    def __init__(self, parts: Parts, place: str, told: Told) -> None:
        self.parts, self.place, self.told = parts, place, told
        self.root = parts.parsed(place)
        self.is_hidden = self.root.get("show", "1") not in _ON
        self.related: dict[str, Related] = {}

    def blocks(self) -> Iterator[str]:
        """The slide's title, what stands on it in the order of its shapes, and its notes."""
        self.related = {one.name: one for one in self.parts.relations(self.place)}
        shapes = list(_shapes(self.root))
        titles = [shape for shape in shapes if _placed(shape) in _TITLES]
        for shape in titles:
            text = " ".join(one.text for one in _paragraphs(shape))
            if text:
                yield f"# {text}"
        for shape in shapes:
            if _placed(shape) not in (*_TITLES, *_FIXED):
                yield from self._told_by(shape)
        for one in self.related.values():
            if one.kind == "notesSlide":
                for shape in _shapes(self.parts.parsed(one.place)):
                    if _placed(shape) == "body":
                        yield from _as_blocks(_paragraphs(shape), is_list=False)

    def _told_by(self, shape: Element) -> Iterator[str]:
        """The blocks of one shape."""
        if _local(shape) == "graphicFrame":
            for grid in _all(shape, "tbl"):
                yield self._table(grid)
            for chart in _all(shape, "chart"):
                if (part := self.related.get(reference_of(chart))) is not None:
                    yield from self._chart(self.parts.parsed(part.place))
            if any(True for _ in _all(shape, "relIds")):
                yield from self._diagram(shape)
            return
        kind = _placed(shape)
        is_list = kind is not None and kind != _SUBTITLE
        paragraphs = list(_paragraphs(shape))
        self.told.more(sum(len(one.text) for one in paragraphs))
        yield from _as_blocks(paragraphs, is_list and len(paragraphs) > 1)

    def _table(self, grid: Element) -> str:
        rows: list[list[Cell]] = []
        is_headed = any(one.get("firstRow") in _ON for one in _all(grid, "tblPr"))
        for row in _all(grid, "tr"):
            head = is_headed and not rows
            rows.append(
                [
                    Cell(
                        " ".join(one.text for one in _paragraphs(cell)),
                        number_of(cell.get("gridSpan"), 1, _MOST_COLUMNS),
                        number_of(cell.get("rowSpan"), 1, _MOST_COLUMNS),
                        head,
                    )
                    for cell in row
                    if _local(cell) == "tc"
                    and not {cell.get("hMerge"), cell.get("vMerge")} & {*_ON}
                ]
            )
        return table(rows, self.told)

    def _chart(self, root: Element) -> Iterator[str]:
        """A chart's title, and its series as the columns of a table."""
        titles = [" ".join(one.text for one in _paragraphs(it)) for it in _all(root, "title")]
        if titles and titles[0]:
            yield titles[0]
        series = list(_all(root, "ser"))
        names, columns = [], []
        for number, one in enumerate(series, start=1):
            held = {_local(child): child for child in one}
            named = _points(held["tx"]) if "tx" in held else {}
            columns.append(_points(held.get("val", held.get("yVal"))))
            names.append(" ".join(named.values()) or f"Series {number}")
        of = next((c for one in series for c in one if _local(c) in ("cat", "xVal")), None)
        heads = _points(of)
        count = min(max([*heads, *(at for one in columns for at in one)], default=-1) + 1,
                    _LONGEST_SERIES)  # fmt: skip
        if count and names:
            self.told.more(3 * count * (len(names) + 1))
            rows = [[Cell(text, head=True) for text in ("", *names)]]
            for at in range(count):
                own = (heads.get(at, str(at + 1)), *(one.get(at, "") for one in columns))
                rows.append([Cell(text) for text in own])
            yield table(rows, self.told)

    def _diagram(self, shape: Element) -> Iterator[str]:
        """The texts of a diagram ("SmartArt"), as a list."""
        named = {value for one in _all(shape, "relIds") for value in one.attrib.values()}
        for one in self.related.values():
            if one.kind == "diagramData" and one.name in named:
                points = _all(self.parts.parsed(one.place), "pt")
                texts = [" ".join(p.text for p in _paragraphs(point)) for point in points]
                yield "\n".join(f"- {text}" for text in texts if text)


def _shapes(root: Element) -> Iterator[Element]:
    """The shapes of a slide in order, those of groups among them; of two versions the first."""
    for child in root:
        kind = _local(child)
        if kind in ("sp", "graphicFrame", "cxnSp"):
            yield child
        elif kind == "AlternateContent":
            yield from _shapes(child[0] if len(child) else child)
        elif kind in ("cSld", "spTree", "grpSp", "Choice", "Fallback"):
            yield from _shapes(child)


def _placed(shape: Element) -> str | None:
    """The kind of the placeholder that a shape fills, "obj" by default; None for a free one."""
    if len(shape) == 0:
        return None
    found = next(_all(shape[0], "ph"), None)
    return None if found is None else found.get("type", "obj")


def _paragraphs(element: Element) -> Iterator[_Paragraph]:
    """The paragraphs in an element that have text."""
    for paragraph in _all(element, "p"):
        pieces: list[tuple[str, str]] = []
        level, is_item = 0, False
        for child in paragraph:
            kind = _local(child)
            if kind in ("r", "fld"):
                pieces += [(text.text or "", _off_line(child)) for text in _all(child, "t")]
            elif kind == "br":
                pieces.append((" ", ""))
            elif kind == "pPr":
                level = number_of(child.get("lvl"), 0, 8)
                is_item = any(_local(one) in ("buChar", "buAutoNum") for one in child)
        text = " ".join(of_runs(pieces).split())
        if text:
            yield _Paragraph(text, level, is_item)


def _off_line(run: Element) -> str:
    """Whether a run is set high or low, as `raised` calls it: by its distance from the line."""
    properties = next(_all(run, "rPr"), None)
    raised = "" if properties is None else properties.get("baseline", "")
    if not raised.strip("0%"):
        return ""
    return "sub" if raised.startswith("-") else "sup"


def _as_blocks(paragraphs: Iterable[_Paragraph], is_list: bool) -> Iterator[str]:
    """Paragraphs, those of a list together."""
    items: list[str] = []
    for one in paragraphs:
        if is_list or one.is_item:
            items.append("  " * one.level + f"- {one.text}")
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield one.text
    if items:
        yield "\n".join(items)


def _points(element: Element | None) -> dict[int, str]:
    """The values that were saved with a chart, by their places."""
    if element is None:
        return {}
    found: dict[int, str] = {}
    code = next((one.text for one in _all(element, "formatCode")), None)
    how = format_of(code or "")
    for point in _all(element, "pt"):
        value = next((one.text for one in point if _local(one) == "v"), None)
        if value is None:
            continue
        with suppress(OverflowError, ValueError):  # a word is no number
            value = shown(float(value), how) if code else value
        found[number_of(point.get("idx"), 0, _LONGEST_SERIES)] = " ".join(value.split())
    return found


def _all(element: Element, name: str) -> Iterator[Element]:
    """The elements of a name in an element, in whichever space they stand."""
    return (one for one in element.iter() if _local(one) == name)


def _local(element: Element) -> str:
    """An element's name without the address of its space."""
    return str(element.tag).rpartition("}")[2]
