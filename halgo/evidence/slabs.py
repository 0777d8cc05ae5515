"""Sentences -> facts, passages -> vectors, a slab at a time, in this process or in several.

What a slab gives depends on nothing but its texts, and slabs are the same however many processes
share them: so an index has the same bytes either way. Passages of like length stand together, as
an encoder reads those fastest; both kinds take turns, so that the share that is done tells how long
the rest takes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from halgo.evidence.columns import Strings, Table
from halgo.evidence.embed import SentenceTransformerEmbedder, checked_rows, recipe, resolve
from halgo.protocols import Embedder
from halgo.types import Facts, FloatMatrix
from halgo.workers import Workers, packed, unpacked

# About a second's work each: often enough to tell how far it is, seldom enough to cost nothing.
_SENTENCES, _PASSAGES = 25_000, 30_000  # characters
# Embedding a character takes so much of the time of parsing it, and reading facts from it.
_LIGHTER = 0.65
# Less is done before other processes have loaded their models (some 15 pages).
_WORTH_SHARING = 40_000  # characters

_FACTS, _VECTORS = "halgo.evidence.slabs:facts_task", "halgo.evidence.slabs:vectors_task"


@dataclass(frozen=True, slots=True)
class Slab:
    """Some of the sentences, or of the passages.

    work: about how long it takes, in characters of a sentence; share: of all work, 0 to 1.
    """

    passages: bool
    texts: Sequence[str]
    work: float
    share: float = 0.0


def slabs(sentences: Sequence[str], passages: Sequence[str]) -> list[Slab]:
    """All that is to be done, those of either kind in order. passages: the shortest first."""
    found = [(end, Slab(False, texts, work)) for end, texts, work in _cut(sentences, _SENTENCES)]
    for end, texts, work in _cut(passages, _PASSAGES):
        found.append((end, Slab(True, texts, _LIGHTER * work)))
    total = sum(slab.work for _, slab in found)
    found.sort(key=lambda one: one[0])
    return [replace(slab, share=slab.work / total if total else 0.0) for _, slab in found]


def _cut(texts: Sequence[str], size: int) -> Iterator[tuple[float, Sequence[str], int]]:
    """Slabs of texts: how much of all is done with each, 0 to 1; its texts; their characters."""
    start = work = done = 0
    total = sum(map(len, texts))
    for at, text in enumerate(texts, start=1):
        work += len(text)
        if work >= size or at == len(texts):
            done += work
            yield done / max(1, total), texts[start:at], work
            start, work = at, 0


def worked_out(
    wanted: Sequence[Slab], embedder: Embedder, workers: Workers
) -> Iterator[tuple[Slab, Sequence[Facts] | FloatMatrix]]:
    """Each slab with its facts or its vectors, in order.

    Vectors of an embedder that another process cannot make for itself are made in this one.
    """
    if not workers.several or sum(slab.work for slab in wanted) < _WORTH_SHARING:
        for slab in wanted:
            yield slab, _here(slab, embedder)
        return
    maker = recipe(embedder)
    away = [slab for slab in wanted if maker is not None or not slab.passages]
    replies = workers.map(_asked(slab, maker) for slab in away)
    for slab in wanted:
        if slab.passages:
            yield slab, _here(slab, embedder) if maker is None else _vectors_of(next(replies))
        else:
            yield slab, _facts_of(next(replies))


def _here(slab: Slab, embedder: Embedder) -> Sequence[Facts] | FloatMatrix:
    if slab.passages:
        return checked_rows(embedder, slab.texts)
    from halgo.facts import extract

    return extract(slab.texts)


def _asked(slab: Slab, maker: str | None) -> tuple[str, bytes]:
    asked = {"texts": list(slab.texts), "embedder": maker}
    return (_VECTORS if slab.passages else _FACTS), packed(asked)


def facts_task(payload: bytes) -> bytes:
    """What a worker process does with sentences: their facts, as columns."""
    from halgo.facts import extract

    strings = Strings()
    table = Table(Facts, strings)
    for facts in extract(unpacked(payload)["texts"]):
        table.add(facts)
    made = io.BytesIO()
    arrays: dict[str, Any] = {**table.arrays(), **strings.arrays()}
    np.savez(made, **arrays)
    return made.getvalue()


def _facts_of(reply: bytes) -> list[Facts]:
    with np.load(io.BytesIO(reply), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    strings = Strings.of({name: arrays.pop(name) for name in ("ends", "utf8")})
    table = Table(Facts, strings)
    table.fill(arrays, len(arrays[".terms"]))
    return list(table)


def vectors_task(payload: bytes) -> bytes:
    """What a worker process does with passages: their vectors."""
    asked = unpacked(payload)
    made = io.BytesIO()
    np.save(made, checked_rows(_maker(asked["embedder"]), asked["texts"]), allow_pickle=False)
    return made.getvalue()


def _vectors_of(reply: bytes) -> FloatMatrix:
    rows: FloatMatrix = np.load(io.BytesIO(reply), allow_pickle=False)
    return rows


@lru_cache(maxsize=1)
def _maker(name: str) -> Embedder:
    """The embedder of a worker process: one thread, as there are as many processes as wanted."""
    made = resolve(name)
    if isinstance(made, SentenceTransformerEmbedder):
        return SentenceTransformerEmbedder(name, threads=1)
    return made
