"""Citations as they were found and checked, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass

from halgo.types import ClaimResult, Span


@dataclass(frozen=True, slots=True)
class Citation:
    """One thing that is cited: "[1, 3]" is two, with the same span of the answer.

    kind: "number", "footnote", "page", "name", "link" or "url"; only what the kind has is set.
    """

    span: Span
    kind: str
    number: int | None = None
    label: str = ""
    title: str = ""
    pages: tuple[int, int] | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation, the documents it names (none for an orphan), and what they say.

    `region` is the cited part of the document, where one is named. `results` are the claims it
    is cited for, checked against these documents alone; empty when it stands at no claim, names
    no document, or nothing was to be checked.
    """

    citation: Citation
    documents: tuple[str, ...]
    region: Span | None
    results: tuple[ClaimResult, ...] = ()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with the citations; `span` in the answer, None when it is nowhere.

    kind: "broken" (it begins like a citation and never ends), "unread" (it
    looks like one in a form that is not read), "orphan" (names no source),
    "ambiguous" (names several), "duplicate_number" (one number, two sources), "duplicate_source"
    (one source, two numbers), "uncited" (a listed source that nothing cites), "unsupported",
    "contradicted", "misplaced" (supported, but not by the cited page or passage).
    """

    kind: str
    message: str
    span: Span | None
    documents: tuple[str, ...] = ()
