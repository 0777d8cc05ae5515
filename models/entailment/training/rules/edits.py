"""Changes of a sentence: what replaces which characters, and the false text that comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from spacy.tokens import Span, Token

from .forms import article
from .text import bounds_of, source_text

Stance = Literal["contradicted", "unsupported"]


@dataclass(frozen=True, slots=True)
class Altered:
    """A sentence made false; `spans` are the wrong words, [start, end) characters of `text`."""

    text: str
    spans: tuple[tuple[int, int], ...]
    kind: str
    stance: Stance


class Edit(NamedTuple):
    """Characters [start, end) of the document become `new`; `wrong` marks them as changed."""

    start: int
    end: int
    new: str
    wrong: bool = True


# What is replaced, the kind of change, and what the sentence then says of it.
Change = tuple[list[Edit], str, Stance]


def apply_edits(sentence: Span, edits: Iterable[Edit]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with the edits made, and where the wrong words stand in it."""
    start, end = bounds_of(sentence)
    source = source_text(sentence.doc)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    length, at = 0, start
    for edit in sorted(edits):
        kept = source[at : edit.start]
        new = edit.new
        if not (length or kept) and new:
            new = new[0].upper() + new[1:]
        parts += [kept, new]
        length += len(kept)
        if edit.wrong and new.strip():
            left = len(new) - len(new.lstrip())
            spans.append((length + left, length + len(new.rstrip())))
        length += len(new)
        at = edit.end
    parts.append(source[at:end])
    return "".join(parts), tuple(spans)


def replace_tokens(first: Token, last: Token, new: str, wrong: bool = True) -> list[Edit]:
    """Tokens first..last become `new`, and an "a" or "an" before them is made to fit."""
    edits = [Edit(first.idx, last.idx + len(last), new, wrong)]
    if first.i > first.sent.start:
        before = first.nbor(-1)
        if before.lower_ in ("a", "an") and new:
            fitting = article(new)
            if fitting != before.lower_:
                cased = fitting.capitalize() if before.text[0].isupper() else fitting
                edits.append(Edit(before.idx, before.idx + len(before), cased, False))
    return edits


def cased_like(new: str, like: Token) -> str:
    """`new` in the case of the token it replaces."""
    if like.text.isupper() and len(like) > 1:
        return new.upper()
    return new[0].upper() + new[1:] if like.text[0].isupper() else new
