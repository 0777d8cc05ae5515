"""Claims -> Evidence: the passages of the index that are about each claim, whatever they say.

Two searches, each good where the other is blind: vectors find other words for the same thing,
BM25 finds the very name, date or amount. Their ranks are fused (reciprocal rank fusion, Cormack
et al. 2009), which needs no common scale. Support is pooled by max later on, so what counts here
is that the one passage which settles a claim is among those returned.

Windows that overlap are all kept: leaving out those that share a sentence with a better one made
room for passages further off, and told supported from unsupported claims no better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from halgo.evidence.clause_numbers import is_cited
from halgo.evidence.embed import checked_rows
from halgo.evidence.index import Index
from halgo.evidence.lexical import is_common, stems
from halgo.types import Claim, Evidence, Facts, FloatMatrix, Span

if TYPE_CHECKING:
    from halgo.protocols import Embedder

# The constant of Cormack et al.: how slowly the weight of a rank falls.
RANK_CONSTANT = 60

# Each search names this many passages per passage wanted, and no fewer than the second number.
_PER_WANTED, _FEWEST = 4, 20
_NEARLY = 0.8  # of what the fullest sentence holds, and a claim may be about this one as well


def retrieve(
    index: Index,
    claims: Sequence[Claim],
    claim_facts: Sequence[Facts],
    embedder: Embedder,
    top_k: int,
    further: int = 0,
) -> list[list[Evidence]]:
    """For each claim at most `top_k` passages, best first; fewer only when there are fewer chunks.

    Behind them come at most `further` others, best first too.

    The nearest passage by vector, the best by words, and for each name and amount of the claim a
    passage that holds it (if any does) are among them, as far as `top_k` reaches. Ties go by
    the passages' words, and a claim's passages do not depend on the claims beside it.
    """
    if top_k < 1:
        raise ValueError(f"top_k must be 1 or more, not {top_k!r}")
    if not claims or not index.chunks:
        return [[] for _ in claims]
    texts = [_queries(claim) for claim in claims]
    distinct = list(dict.fromkeys(text for queries in texts for text in queries))
    vectors = checked_rows(embedder, distinct)
    depth = max(_PER_WANTED * top_k, _FEWEST)
    near = index.dense.candidates(vectors, depth)
    rows = {text: row for row, text in enumerate(distinct)}
    found = []
    for claim, facts, queries in zip(claims, claim_facts, texts, strict=True):
        mine = [rows[text] for text in queries]
        # What is nearest to either wording is among what is nearest to one of them.
        both = sorted({row for one in mine for row in near[one].tolist()})
        search = _Search(index, claim, facts, vectors[mine], top_k, depth)
        found.append(search.passages(both, further))
    return found


def _queries(claim: Claim) -> list[str]:
    """What is looked for: the claim in its case, references resolved, and as it stands."""
    return [claim.in_case] if claim.in_case == claim.text else [claim.in_case, claim.text]


class _Search:
    """One claim's search."""

    def __init__(
        self,
        index: Index,
        claim: Claim,
        facts: Facts,
        vectors: FloatMatrix,
        top_k: int,
        depth: int,
    ) -> None:
        self._index, self._claim, self._facts = index, claim, facts
        self._vectors, self._top_k, self._depth = vectors, top_k, depth
        self._tokens = stems(claim.in_case)
        # Function words stand in most passages: they cost most of the time and rank nothing.
        telling = [token for token in self._tokens if not is_common(token)]
        self._words = telling or self._tokens
        self._lemmas = {
            term.lemma: max(map(index.bm25.weight, stems(term.lemma)), default=0.0)
            for term in facts.terms
        }
        self._numerals = {term.lemma for term in facts.terms if term.pos == "NUM"}
        self._cites = any(is_cited(amount) for amount in facts.quantities)
        self._similarities: dict[int, float] = {}
        self._told: dict[int, tuple[float, float]] = {}  # of sentences: passages overlap

    def passages(self, candidates: Sequence[int], further: int) -> list[Evidence]:
        """The claim's evidence, best first; candidates: the passages nearest by vector."""
        self._measure(candidates)
        near = self._ranked({row: self._similarities[row] for row in candidates})
        rows, scores = self._index.bm25.top(self._words, self._depth)
        held = self._ranked(dict(zip(rows.tolist(), scores.tolist(), strict=True)))
        fused: dict[int, float] = {}
        for ranking in (near, held):
            for rank, row in enumerate(ranking, 1):
                fused[row] = fused.get(row, 0.0) + 1.0 / (RANK_CONSTANT + rank)
        order = sorted(fused, key=lambda row: (-fused[row], *self._place(row)))
        musts = list(dict.fromkeys([*order[:1], *near[:1], *held[:1]]))
        musts = list(dict.fromkeys([*musts, *self._holders(musts, order)]))[: self._top_k]
        others = [row for row in order if row not in musts]
        chosen = {*musts, *others[: self._top_k - len(musts)]}
        ranked = [row for row in order if row in chosen]
        ranked += [row for row in musts if row not in fused]
        ranked += [row for row in order if row not in chosen][:further]
        self._measure(ranked)
        shares = self._index.bm25.share(self._tokens, ranked)
        found = [
            self._evidence(row, float(share)) for row, share in zip(ranked, shares, strict=True)
        ]
        return self._numbered(found) if self._cites else found

    def _numbered(self, found: Sequence[Evidence]) -> list[Evidence]:
        """The passages with the numbers of the clause that says most of the claim, if one does.

        Of each document: what clause 4.2 says is said by a passage of 4.1 and 4.2 as well.
        """
        numbers: dict[str, tuple[str, ...]] = {}
        for doc_id in dict.fromkeys(one.chunk.doc_id for one in found):
            chunks = [one.chunk for one in found if one.chunk.doc_id == doc_id]
            held = {row: self._held(row)[0] for chunk in chunks for row in self._index.body(chunk)}
            best = [row for row in held if held[row] >= _NEARLY * max(held.values())]
            told = [number for row in best for number in self._index.numbers(row, chunks[0])]
            numbers[doc_id] = tuple(dict.fromkeys(told))
        return [replace(one, numbers=numbers[one.chunk.doc_id]) for one in found]

    def _ranked(self, scores: Mapping[int, float]) -> list[int]:
        """The best of these passages, the highest first."""
        order = sorted(scores, key=lambda row: (-scores[row], *self._place(row)))
        return order[: self._depth]

    def _place(self, row: int) -> tuple[str, int]:
        """What decides among equals: a passage's words, so that the order of documents does not."""
        return self._index.chunks[row].text, row

    def _measure(self, rows: Iterable[int]) -> None:
        """Cosines of passages, by sums whose order does not depend on what else is computed."""
        new = [row for row in rows if row not in self._similarities]
        if new:
            theirs = self._index.dense.vectors(new).astype(np.float64)
            products = theirs[:, None, :] * self._vectors.astype(np.float64)[None, :, :]
            cosines = np.clip(products.sum(axis=2).max(axis=1), -1.0, 1.0)
            self._similarities.update(zip(new, np.round(cosines, 6).tolist(), strict=True))

    def _holders(self, chosen: Sequence[int], order: Sequence[int]) -> list[int]:
        """A passage for each name and amount of the claim that no chosen passage holds."""
        bm25 = self._index.bm25
        found: list[int] = []
        for token in self._exact():
            if not bm25.spread(token) or bm25.held(token, [*chosen, *found]).any():
                continue
            known = bm25.held(token, order)
            # The first of the best: argmax takes the earliest among equals.
            best = order[int(known.argmax())] if known.any() else None
            found.append(bm25.best_with(token, self._words) if best is None else best)
        return found

    def _exact(self) -> list[str]:
        """The tokens of the claim's names, amounts and dates, the rarest first."""
        facts = self._facts
        spans = [
            item.span for kind in (facts.names, facts.quantities, facts.dates) for item in kind
        ]
        said = {token for span in spans for token in stems(span.of(self._claim.text))}
        exact = [token for token in said if not is_common(token)]
        return sorted(exact, key=lambda token: (-self._index.bm25.weight(token), token))

    def _evidence(self, row: int, share: float) -> Evidence:
        index = self._index
        chunk = index.chunks[row]
        sentence, best, lead_in = self._narrowed(row)
        document = index.document(chunk)
        return Evidence(
            chunk=chunk,
            source=document.source,
            span=sentence,
            similarity=self._similarities[row],
            lexical=share,
            reading=index.reading(chunk),
            best=best,
            kind=document.kind,
            revision=index.revision(chunk),
            heading=index.heading(chunk),
            headings=index.headings(chunk),
            sections=index.sections(chunk),
            another=index.another(self._claim.resolved, chunk.doc_id),
            lead_in=lead_in,
            opening=index.opening(chunk),
            locations=index.locations(chunk),
        )

    def _narrowed(self, row: int) -> tuple[Span, Span, str]:
        """The sentence that holds most of the claim, in the document and in the reading.

        And what it is an item of, or the caption over its table.
        """
        chunk = self._index.chunks[row]
        body = self._index.body(chunk)
        place = self._fullest(list(body)) if len(body) > 1 else next(iter(body))
        sentence, span = body[place]
        above = self._index.lead_in(place, chunk)
        above = self._index.caption(place, chunk) if above is None else above
        lead_in = "" if above is None else self._index.sentence(above).reading.text
        return sentence.span, span, lead_in

    def _fullest(self, rows: Sequence[int]) -> int:
        """Which of these sentences holds most of the claim, the first of equals."""
        return max(rows, key=self._held)

    def _held(self, row: int) -> tuple[float, float]:
        """How much of the claim a sentence holds; then, how much of it in its words."""
        if row not in self._told:
            there = self._index.lemmas(row)
            if there.isdisjoint(self._lemmas):
                self._told[row] = 0.0, 0.0
                return self._told[row]
            # In one order, so that sums are the same to the last digit.
            both = [(lemma, weight) for lemma, weight in self._lemmas.items() if lemma in there]
            # Of equals the one with the claim's words: another amount may be of the same thing.
            worded = sum(weight for lemma, weight in both if lemma not in self._numerals)
            self._told[row] = sum(weight for _, weight in both), worded
        return self._told[row]
