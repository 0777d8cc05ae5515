"""A packed office file -> the XML parts in it, unpacked one by one, all in all to a ceiling.

DOCX, XLSX, PPTX, ODT, ODS and ODP are zip archives of XML parts. What an archive says of their
sizes is not believed: bytes and tags are counted as they come.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from halgo.errors import DocumentError
from halgo.sources.ceilings import Told

Element = ElementTree.Element

# XML of long tables, all cells alike, packs to a sixtieth, and has two tags for each packed byte.
# What is small may grow freely.
_BYTES = (100, 10_000_000, 200_000_000)  # times the size, beyond that, and at most
# A tag takes some hundred bytes of memory and ten microseconds, whatever it is written with.
_TAGS = (5, 200_000, 5_000_000)
_DEEPEST = 256  # elements within one another; whoever walks over them does so by recursion
_PIECE = 1 << 16
_DIGITS = re.compile(r"\d{1,9}", re.ASCII)
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the two that office files have


@dataclass(frozen=True, slots=True)
class Related:
    """A part that another names: how that one calls it, its kind ("styles"), and where it is."""

    name: str
    kind: str
    place: str


@contextmanager
def opened(data: bytes, name: str, kind: str) -> Iterator[tuple[Parts, Told]]:
    """The parts of an office file, and the count of what is told of it.

    kind: "DOCX". Raises DocumentError whatever goes wrong with the file in the block.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield Parts(archive, len(data), name), Told(len(data), name)
    except DocumentError:
        raise
    except Exception as error:  # BadZipFile, KeyError, ParseError, zlib.error ...
        what = f"{type(error).__name__}: {error}".strip(": ")
        problem = f"is no {kind} that can be read ({what})"
        if data.startswith(b"\xd0\xcf\x11\xe0"):  # the container of encrypted office files
            problem = f"is encrypted, or no {kind}; save a copy as {kind} without a password"
        raise DocumentError(f"{name} {problem}", name) from error


class Parts:
    """The parts of an archive, unpacked when they are asked for."""

    def __init__(self, archive: zipfile.ZipFile, size: int, name: str) -> None:
        self.archive, self.name = archive, name
        self.most_bytes, self.most_tags = _ceiling(size, *_BYTES), _ceiling(size, *_TAGS)
        self.bytes = self.tags = 0

    def __contains__(self, part: str) -> bool:
        return part in self.archive.NameToInfo

    def parsed(self, part: str) -> Element:
        """The root of a part that is XML."""
        data = self.unpacked(part)
        self.tags += data.count(b"<")
        if self.tags > self.most_tags:
            raise self._too_much(f"{self.most_tags:,} tags")
        return ElementTree.fromstring(data, ElementTree.XMLParser(target=_Tree()))

    def unpacked(self, part: str) -> bytes:
        """A part's bytes."""
        if self.archive.getinfo(part).compress_type not in _PACKINGS:
            raise ValueError(f"{part} is packed in a way that office files are not")
        pieces = []
        with self.archive.open(part) as stream:
            while piece := stream.read(_PIECE):
                pieces.append(piece)
                self.bytes += len(piece)
                if self.bytes > self.most_bytes:
                    raise self._too_much(f"{self.most_bytes:,} bytes")
        return b"".join(pieces)

    def _too_much(self, what: str) -> DocumentError:
        return DocumentError(
            f"{self.name} unpacks to more than {what} of text and styles, more than a document of "
            "its size does. Split it, or save its text as .txt.",
            self.name,
        )

    def related(self, part: str, kind: str) -> str:
        """The part that is the `kind` of another, or, for "", of the archive; "" when none is."""
        return next((one.place for one in self.relations(part) if one.kind == kind), "")

    def relations(self, part: str) -> Iterator[Related]:
        """The parts that another names, in order (ECMA-376, part 2)."""
        folder, file = posixpath.split(part)
        listed = posixpath.join(folder, "_rels", file + ".rels")
        if listed not in self:
            return
        for relation in self.parsed(listed):
            target = relation.get("Target")
            if target and relation.get("TargetMode") != "External":
                place = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                kind = relation.get("Type", "").rpartition("/")[2]
                yield Related(relation.get("Id", ""), kind, place)


def number_of(written: str | None, least: int, most: int) -> int:
    """A whole number of the file within bounds; `least` where there is none."""
    digits = written and _DIGITS.fullmatch(written)
    return min(max(int(written), least), most) if written and digits else least


def reference_of(element: Element) -> str:
    """The name by which an element refers to a part, "r:id" in whichever space; "" without one."""
    return next((value for key, value in element.items() if key.endswith("}id")), "")


class _Tree(ElementTree.TreeBuilder):
    """Builds elements, but neither too deep nor from a part with a document type.

    Entities repeat one another without end, and no office program writes any.
    """

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0

    def start(self, tag: Any, attributes: Any) -> Any:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError(f"its elements are more than {_DEEPEST} deep")
        return super().start(tag, attributes)

    def end(self, tag: Any) -> Any:
        self.depth -= 1
        return super().end(tag)

    def doctype(self, *_: Any) -> None:
        raise ValueError("it has a document type, which no office program writes")


def _ceiling(size: int, times: int, free: int, most: int) -> int:
    return min(times * size + free, most)
