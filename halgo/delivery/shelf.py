"""What a citation names -> the documents it can mean: by number, title and page, URL or id.

A title is compared by its words alone, whatever their case, path or file ending; a part of a
title is enough when it is at least two words long and fits one source only.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from halgo.claims.markers import pages_in
from halgo.delivery.sourcelist import read_line
from halgo.sources.locations import own_page, page_starts
from halgo.types import Document, Span

_TITLES = ("title", "name", "file_name", "filename", "file_path", "path")
_URLS = ("url", "link", "href", "source_url", "uri")
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"\.\w{1,5}\Z")
_SCHEME = re.compile(r"(?:https?|ftp)://(?:www\.)?", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s<>\"\])]{1,2000}")
_ANY_PAGE = re.compile(r"\b(?:pages?\s|pp?\.\s?)(\d{1,5})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """The documents that a citation names and the part of the only one, or why it names none.

    `mentioned`: an address that a source's own text holds; it cites nothing, and is no orphan.
    """

    documents: tuple[Document, ...] = ()
    region: Span | None = None
    why: str = ""
    ambiguous: bool = False
    mentioned: bool = False


class Shelf:
    """The sources in their order, to be found by whatever a citation says."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)
        self.ids = {document.id: document for document in self.documents}
        self.titles: dict[str, list[Document]] = {}
        self.urls: dict[str, list[Document]] = {}
        for document in self.documents:
            titles = {key for name in names_of(document) if (key := _key(name))}
            for key in sorted(titles):
                self.titles.setdefault(key, []).append(document)
            for url in sorted({_address(url) for url in _urls_of(document)}):
                self.urls.setdefault(url, []).append(document)

    def number(self, number: int) -> Named:
        """The source at this place, counted from 1."""
        if 1 <= number <= len(self.documents):
            return Named((self.documents[number - 1],))
        count = len(self.documents)
        return Named(why=f"there is no source {number}, only {count}")

    def title(self, title: str, pages: tuple[int, int] | None = None) -> Named:
        """The sources with this id or title; with pages: that part of them."""
        if title in self.ids:
            return _paged([self.ids[title]], pages)
        key = _key(title)
        found = self.titles.get(key, [])
        if not found and key:
            found = self._partly(key)
        elif not key and len(_sources(self.documents)) == 1:
            found = list(self.documents)  # "(page 5)", when there is one source
        if not found:
            shown = title or (f"page {pages[0]}" if pages else "")
            return Named(why=f'no source is called "{shown}"')
        return _paged(found, pages)

    def _partly(self, key: str) -> list[Document]:
        """The documents of the one source whose title shares a part with `key`."""
        found: list[Document] = []
        for title, documents in self.titles.items():
            shorter = min(title, key, key=len)
            if shorter.count(" ") and f" {shorter} " in f" {max(title, key, key=len)} ":
                found += (one for one in documents if one not in found)
        return found if len(_sources(found)) == 1 else []

    def url(self, url: str) -> Named:
        """The source at this address, or one whose text mentions it."""
        address = _address(url)
        if address in self.urls:
            return _paged(self.urls[address], None)
        if not _SCHEME.match(url):
            named = self.title(url)
            return named if named.documents else self.title(url.rsplit("/", 1)[-1])
        if any(address in document.text.lower() for document in self.documents):
            return Named(mentioned=True)
        return Named(why=f"no source is at {url}")

    def entry(self, text: str) -> Named:
        """The source that a line of a list of sources names."""
        ours = read_line(text)
        if ours is not None:
            document = self.ids.get(ours[0])
            if document is None:
                return Named(why=f'no source has the id "{ours[0]}"')
            if ours[1].end > len(document.text):
                why = f'"{ours[0]}" ends before character {ours[1].end}: it has changed'
                return Named(why=why)
            return Named((document,), ours[1])
        address = _ADDRESS.search(text)
        if address:
            named = self.url(address.group().rstrip(".,;"))
            if named.documents:
                return named
        bare = text.strip().strip("*_`\"'.,; ")
        title, pages = pages_in(bare)
        named = self.title(title, pages)
        if named.documents or named.ambiguous:
            return named
        return self._within(bare) or Named(why=f'no source is called "{bare:.80}"')

    def _within(self, text: str) -> Named | None:
        """The source whose title stands in `text`, the longest title first."""
        key = f" {_key(text)} "
        fitting = [title for title in self.titles if len(title) >= 4 and f" {title} " in key]
        if not fitting:
            return None
        longest = max(map(len, fitting))
        found: list[Document] = []
        for title in fitting:
            if len(title) == longest:
                found += (one for one in self.titles[title] if one not in found)
        page = _ANY_PAGE.search(text)
        return _paged(found, (int(page[1]), int(page[1])) if page else None)


def page_at(document: Document, place: int) -> int | None:
    """The page of a document on which a character stands, from 1; None when it is not known."""
    starts = page_starts(document)
    return max(bisect_right(starts, place), 1) if starts else own_page(document)


def names_of(document: Document) -> list[str]:
    """What a document may be called: its id, what a reader is shown, titles in its metadata."""
    found = [document.id, document.source]
    found += (document.metadata[key] for key in _TITLES if key in document.metadata)
    return [str(name) for name in found]


def _urls_of(document: Document) -> list[str]:
    found = [document.id, document.source]
    found += (str(document.metadata[key]) for key in _URLS if key in document.metadata)
    return [url for url in found if _SCHEME.match(url)]


def _paged(documents: Sequence[Document], pages: tuple[int, int] | None) -> Named:
    """The documents, or those on the pages, or the one's part that the pages are."""
    if len(_sources(documents)) > 1:
        shown = " or ".join(f'"{one.source}"' for one in documents[:3])
        return Named(why=f"it may mean {shown}", ambiguous=True)
    if pages is None:
        return Named(tuple(documents))
    wanted = range(pages[0], pages[1] + 1)
    known = [one for one in documents if own_page(one) is not None]
    if known:
        fitting = tuple(one for one in known if own_page(one) in wanted)
        why = f'no page {pages[0]} of "{documents[0].source}" is among the sources'
        return Named(fitting) if fitting else Named(why=why)
    starts = page_starts(documents[0])
    if len(documents) > 1 or not starts:
        return Named(tuple(documents))
    if not 1 <= pages[0] <= len(starts):
        return Named(why=f'"{documents[0].source}" has {len(starts)} pages, and no page {pages[0]}')
    end = starts[pages[1]] if pages[1] < len(starts) else len(documents[0].text)
    return Named(tuple(documents), Span(starts[pages[0] - 1], end))


def _sources(documents: Iterable[Document]) -> set[str]:
    return {document.source for document in documents}


def _key(name: str) -> str:
    """A title's words: no path, no file ending, no case, no punctuation."""
    bare = name.strip().strip("*_`\"'")
    if " " not in bare:
        bare = re.split(r"[/\\]", bare.rstrip("/\\"))[-1]
    bare = _ENDING.sub("", bare)
    return " ".join(_WORD.findall(bare.replace("_", " ").casefold()))


def _address(url: str) -> str:
    """What two spellings of an address share."""
    return _SCHEME.sub("", url.strip()).split("#")[0].rstrip("/").lower()
