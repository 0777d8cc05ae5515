"""Text of users -> HTML in which it is text: characters escaped, what acts or hides written out.

Highlights overlap: two claims rest on one sentence, a word in it agrees with one and clashes with
the other. HTML elements cannot, so the text is cut wherever a highlight begins or ends.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Generic, TypeVar

from halgo.report.safe import clean
from halgo.types import Span

T = TypeVar("T")


def text(said: str) -> str:
    """Text as HTML, in an element or a quoted attribute."""
    return escape(clean(said), quote=True)


def element(name: str, inner: str, **attributes: str | None) -> str:
    """An element; None leaves an attribute out, "" makes one without a value.

    class_ and for_ lose their underscore, other underscores are hyphens. Values are escaped.
    """
    return f"<{name}{attributed(**attributes)}>{inner}</{name}>"


def attributed(**attributes: str | None) -> str:
    """Attributes as they stand in a tag, a space before each."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}" + (f'="{text(value)}"' if value else "")
        for name, value in attributes.items()
        if value is not None
    )


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A stretch of text with all that is highlighted there, and what begins or ends with it."""

    span: Span
    on: tuple[T, ...]


class Overlay(Generic[T]):
    """Highlights over one text, cut at each other's ends."""

    def __init__(self, stretches: Iterable[tuple[Span, T]]) -> None:
        known = [(span, what) for span, what in stretches if span.start < span.end]
        self._cuts = sorted({end for span, _ in known for end in (span.start, span.end)})
        at = {cut: n for n, cut in enumerate(self._cuts)}
        on: list[list[T]] = [[] for _ in self._cuts]
        for span, what in known:
            for n in range(at[span.start], at[span.end]):
                on[n].append(what)
        self._on = [tuple(found) for found in on]

    def parts(self, span: Span) -> Iterator[Part[T]]:
        """The stretch in pieces, each with what lies over it; in order, without gaps."""
        n = bisect_right(self._cuts, span.start) - 1
        start = span.start
        while start < span.end:
            stop = self._cuts[n + 1] if n + 1 < len(self._cuts) else span.end
            end = min(stop, span.end)
            yield Part(Span(start, end), self._on[n] if n >= 0 else ())
            start, n = end, n + 1
