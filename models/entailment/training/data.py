"""Labelled sets and documents -> training pairs.

Premises are chosen as a check chooses them (`halgo.entailment.premises`), so training sees what
checking sees. Only the sets in `SETS` are read: their licence allows shipped weights. Of a
development set only the training share is taken (`benchmarks.data.trained_on`). `made` adds
pairs by rule.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from benchmarks import data as labelled
from benchmarks.data import Row
from halgo.entailment.premises import WORDS
from halgo.evidence.embed import LexicalEmbedder
from halgo.types import Facts
from training.examples import CONTRADICTED, ENTAILED, NEUTRAL, NOT_ENTAILED, Example

if TYPE_CHECKING:
    from halgo.protocols import Embedder

LABELS = {"supported": ENTAILED, "unsupported": NEUTRAL, "contradicted": CONTRADICTED}


@dataclass(frozen=True, slots=True)
class Source:
    """A labelled set: where it is, its licence, and how much of it is used.

    take: at most so many rows; times: how often each is seen. document: whether its texts are
    documents out of which premises are chosen and sentences taken, or single sentences.
    """

    name: str
    place: str  # "train" or "dev"
    licence: str
    take: int = 100_000
    times: int = 1
    document: bool = False
    alter: bool = False  # whether its supported claims are altered by rule


SETS = (
    Source("mnli_dev_rest", "train", "OANC, CC BY and the like (MultiNLI's own terms)"),
    Source("snli_dev_rest", "train", "CC BY-SA 4.0"),
    Source("cad_snli_train", "train", "Apache-2.0"),
    Source("conjnli_adv15k", "train", "MIT", take=4000),
    Source("help_conj_disj", "train", "CC BY-SA 4.0", take=2500),
    Source("citation_integrity_train", "train", "MIT", document=True),
    Source("factcg_cg2c_doc", "train", "MIT", times=2, document=True, alter=True),
    Source("check_covid_train", "train", "MIT", times=2, document=True, alter=True),
    Source("scifact_train", "train", "CC BY 4.0", times=2, document=True, alter=True),
    Source("wice_partial_train", "train", "ODC-BY", times=2, document=True),
    Source("mnli_dev", "dev", "OANC, CC BY and the like (MultiNLI's own terms)"),
    Source("snli_dev", "dev", "CC BY-SA 4.0"),
    Source("cad_snli", "dev", "Apache-2.0"),
    Source("conjnli_dev", "dev", "MIT", times=2),
    Source("negation_nli", "dev", "MIT", times=2),
    Source("med", "dev", "CC BY-SA 4.0"),
    Source("breaking_nli", "dev", "CC BY-SA 4.0"),
    Source("fool_me_twice", "dev", "Apache-2.0", times=3, alter=True),
    Source("fever_symmetric", "dev", "MIT", times=3, alter=True),
    Source("check_covid", "dev", "MIT", times=3),
    Source("scifact_dev", "dev", "CC BY 4.0", times=3),
    Source("contractnli", "dev", "Apache-2.0; CC BY 4.0", times=3, document=True),
    Source("summedits", "dev", "Apache-2.0", times=3, document=True, alter=True),
    Source("wice_claim", "dev", "ODC-BY; text CC BY-SA", times=4, document=True, alter=True),
    Source("factcheckgpt_stance", "dev", "Apache-2.0", times=3, document=True, alter=True),
    Source("ragtruth_qa_sentence", "dev", "MIT", times=2, document=True, alter=True),
    Source("factscore", "dev", "MIT; text CC BY-SA", times=3, document=True, alter=True),
    Source("xsumfaith", "dev", "CC BY 4.0", times=3, document=True, alter=True),
    Source("frank_xsum", "dev", "MIT", times=2, document=True),
    Source("summeval", "dev", "Apache-2.0", times=2, document=True, alter=True),
    Source("falke_rank19", "dev", "Apache-2.0", times=4, document=True, alter=True),
    Source("factcc_manual", "dev", "Apache-2.0; BSD-3", times=4, document=True, alter=True),
    Source("faithdial_audit", "dev", "MIT", times=2, document=True),
    Source("dialfact_small", "dev", "BSD-3", times=3),
)


def labelled_pairs(
    embedder: Embedder, root: Path, seed: int, documents: bool = False, words: int = WORDS
) -> Iterator[Example]:
    """The labelled pairs of `SETS`, each row once. documents: of sets of documents alone.

    words: of the premises, at most.
    """
    for source in SETS:
        if documents and not source.document:
            continue
        rows = labelled.load(source.name, root / source.place)
        if source.place == "dev":
            rows = [row for row in rows if labelled.trained_on(row)]
        random.Random(f"{seed} {source.name}").shuffle(rows)
        rows = rows[: source.take]
        ways = {row.label for row in rows}
        for row, claim, label, spans in _claims(rows):
            if ways == {"supported", "unsupported"} and label == NEUTRAL:
                label = NOT_ENTAILED
            if source.document:
                # Words alone find the passages of a training document; vectors of them all would
                # take longer than the rest of the preparation.
                finder = embedder if source.place == "dev" else LexicalEmbedder()
                yield from (
                    Example(premise, claim, label, source.name, spans)
                    for premise in premises(finder, row.docs, claim, label != ENTAILED, words)
                )
            else:
                yield Example(" ".join(row.docs), claim, label, source.name, spans)


Labelled = tuple[Row, str, int, tuple[tuple[int, int], ...] | None]


def _claims(rows: Sequence[Row]) -> Iterator[Labelled]:
    """The sentences of rows that a row's label holds for.

    Every sentence of a supported response is supported. Of an unsupported one that has several,
    those are taken that stand in no supported response about the same document: there the
    unsupported thing must be, where there is but one.
    """
    from halgo.claims.extract import extract

    known: dict[str, set[str]] = {}
    for row in rows:
        if row.granularity == "response" and row.supported:
            known.setdefault(row.group, set()).update(c.text for c in extract(row.claim))
    for row in rows:
        label = LABELS[row.label]
        spans = _marked(row) if label else ()
        if row.granularity != "response":
            yield row, row.claim, label, spans
            continue
        claims = [claim.text for claim in extract(row.claim) if claim.kind.checked]
        if label != ENTAILED and len(claims) > 1:
            claims = [claim for claim in claims if claim not in known.get(row.group, ())]
            if len(claims) != 1:
                continue
        for claim in claims:
            yield row, claim, label, spans


def _marked(row: Row) -> tuple[tuple[int, int], ...] | None:
    """The words that annotators marked as not supported."""
    words = row.meta.get("non_supported_tokens")
    if not words:
        return None
    found, at = [], 0
    for word in words:
        place = row.claim.find(word, at)
        if place < 0:
            place = row.claim.find(word)
        if place >= 0:
            found.append((place, place + len(word)))
            at = place + len(word)
    return tuple(sorted(set(found))) or None


_INDEXES: dict[tuple[str, ...], Any] = {}


def premises(
    embedder: Embedder, docs: Sequence[str], claim: str, both: bool, words: int = WORDS
) -> list[str]:
    """What a check would read for this claim: together, and when `both` also singly.

    words: at most so many are read together; a check reads `WORDS`.
    As in a check but for one thing: nothing is parsed, so that a name or amount does not bring
    its passage along where words and vectors miss it.
    """
    from halgo import Config
    from halgo.claims.extract import as_claims
    from halgo.entailment import premises as reading
    from halgo.evidence.retrieve import retrieve

    if sum(len(doc.split()) for doc in docs) <= words and not both:
        return [" ".join(docs)]
    key = tuple(docs)
    if key not in _INDEXES:
        if len(_INDEXES) > 50:
            _INDEXES.clear()
        _INDEXES[key] = index_of(docs, embedder)
    index, claims = _INDEXES[key], as_claims([claim])
    evidence = retrieve(index, claims, [Facts()], embedder, Config().top_k, reading.FURTHER)
    found = reading.premises(index, claims[0], evidence[0], words)
    return [premise.text for premise in (found if both else found[:1])]


def index_of(docs: Sequence[str], embedder: Embedder) -> Any:
    """What a check looks things up in, its sentences not parsed."""
    from halgo import Config
    from halgo.evidence.build import build_index
    from halgo.sources.documents import to_documents

    with patch("halgo.facts.extract", lambda texts: [Facts() for _ in texts]):
        return build_index(to_documents(list(docs))[0], embedder, Config())


def documents(root: Path) -> list[str]:
    """The distinct documents of the training share, in a fixed order."""
    found: dict[str, None] = {}
    for source in SETS:
        if not source.document:
            continue
        for row in labelled.load(source.name, root / source.place):
            if source.place == "train" or labelled.trained_on(row):
                found.update((doc, None) for doc in row.docs if len(doc.split()) > 25)
    return sorted(found)
