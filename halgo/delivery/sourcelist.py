"""A cited passage <-> its line in the list of sources.

    [1] Handbook, document "hr/7", revision "2026-03", characters 120-166: "Leave is 30 days."

Id, revision and excerpt are JSON strings, so that any id comes back as it was. A title that is the
id, as that of a file is its path, is not written twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from halgo.types import Span

LONGEST_EXCERPT = 200  # characters of it in a line; the value has all of it

_DOCUMENT = re.compile(r'(?:\A\s*|, )document (?=")')
_CHARACTERS = re.compile(r", characters (\d{1,12})-(\d{1,12})\b")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class CitedSource:
    """One entry of a list of sources: a passage of a document.

    `span` are characters of the document's text, `excerpt` those characters. `revision` is that
    of the document (`Document.revision`); `digest` is the SHA-256 of its text, None when the
    documents were not at hand.
    """

    number: int
    doc_id: str
    title: str
    revision: str | None
    digest: str | None
    span: Span
    excerpt: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "number": self.number,
            "doc_id": self.doc_id,
            "title": self.title,
            "revision": self.revision,
            "digest": self.digest,
            "span": [self.span.start, self.span.end],
            "excerpt": self.excerpt,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> CitedSource:
        """The same from `to_dict`. Raises ValueError for anything else."""
        try:
            start, end = given["span"]
            return cls(
                int(given["number"]),
                str(given["doc_id"]),
                str(given["title"]),
                None if given["revision"] is None else str(given["revision"]),
                None if given["digest"] is None else str(given["digest"]),
                Span(int(start), int(end)),
                str(given["excerpt"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no cited source as to_dict() gives it: {given!r:.200}") from error


def digest_of(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def line(source: CitedSource) -> str:
    """What stands behind the number in a list of sources: one line."""
    title = " ".join(_BREAKS.sub(" ", source.title).split()).replace('"', "'")
    excerpt = " ".join(_BREAKS.sub(" ", source.excerpt).split())
    if len(excerpt) > LONGEST_EXCERPT:
        excerpt = excerpt[: LONGEST_EXCERPT - 1].rstrip() + "\u2026"
    revision = f", revision {_quoted(source.revision)}" if source.revision else ""
    name = "" if source.title == source.doc_id else f"{title or 'Untitled'}, "
    return (
        f"{name}document {_quoted(source.doc_id)}{revision}, "
        f"characters {source.span.start}-{source.span.end}: {_quoted(excerpt)}"
    )


def read_line(text: str) -> tuple[str, Span] | None:
    """Document id and place of a line as `line` writes it; None for any other."""
    found = _DOCUMENT.search(text)
    if found is None:
        return None
    try:
        doc_id, end = json.JSONDecoder().raw_decode(text, found.end())
    except ValueError:
        return None
    place = _CHARACTERS.search(text, end)
    if place is None or not isinstance(doc_id, str):
        return None
    return doc_id, Span(int(place[1]), int(place[2]))


def _quoted(text: str) -> str:
    """A JSON string in one line; letters of any script stay readable."""
    whole = json.dumps(text, ensure_ascii=False)
    return re.sub(_BREAKS, lambda found: f"\\u{ord(found.group()):04x}", whole)
