"""Documents and labelled rows -> cases: a claim that is true by its documents, and made false.

From a document: its own sentences, and what follows from them or says the same by rule. From a
labelled set: claims labelled supported, read at run time and never stored, of documents that the
entailment model was not trained on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from spacy.tokens import Doc

from benchmarks import data
from benchmarks.redteam.alter import altered
from halgo.facts import parse
from halgo.sources.folders import read_files
from halgo.sources.sentences import split
from models.entailment.training.rules import Pool, reductions, rewordings
from models.entailment.training.rules.numerals import VALUES
from models.entailment.training.rules.tables import word_set

# Ours: the texts that the examples and the minimal pairs are about.
FILES = (
    "examples/basic.md",
    "examples/docs/services-agreement.md",
    "examples/docs/staff-handbook.md",
    "examples/docs/tidewater-history.html",
    "examples/docs/trial-summary.txt",
    "benchmarks/pairs/documents",
)
# Sets of one claim or sentence a row that people held against short documents.
SETS = (
    "ragtruth_qa_sentence",
    "wice_claim",
    "factcheckgpt_stance",
    "fool_me_twice",
    "fever_symmetric",
    "check_covid",
    "scifact_dev",
    "healthver",
    "averitec_dev",
    "scitail_test",
)
OWN = "documents"
_LONGEST = 700  # words of a row's documents; longer ones cost more than they tell
_ROWS = 250  # of a set
# Sentences whose reductions or rewordings by rule say something else: halves that share a verb or a
# unit ("21 minutes; by tram it takes 46").
_MISREAD = frozenset(("museum.md-7", "metro.md-3"))
_PROSE = ("paragraph", "item")
_NUMBERED = re.compile(r"^\d+(?:\.\d+)*\s+(?=[A-Z])")  # the number of a clause
_ENDS = re.compile(r"[^A-Z]\.$")  # a full stop, not that of an initial
_REFERRING = word_set(
    "it its this that these those he she they his her their there here such both neither "
    "i however therefore yes"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A claim twice: `true` by the documents `docs`, and `false`, with one thing made wrong.

    `origin` is `OWN` or the name of a set; `docs` is what `Checker.from_docs` takes.
    """

    id: str
    kind: str
    origin: str
    docs: tuple[Any, ...]
    true: str
    false: str


def of_documents(seed: int = 0) -> list[Case]:
    """The cases that our own documents give, at most one a sentence and kind."""
    return list(made(documents(), seed))


def documents() -> dict[str, str]:
    """The text of our own documents, by file name."""
    found, _ = read_files([data.ROOT / name for name in FILES])
    return {Path(document.source).name: document.text for document in found}


def made(texts: Mapping[str, str], seed: int = 0) -> Iterator[Case]:
    """The cases of documents, given by name: a sentence, or what it entails by rule, altered."""
    said = [(name, at, text) for name, whole in texts.items() for at, text in sentences(whole)]
    parsed = _parsed([text for _, _, text in said])
    pool = _pool(parsed)
    bases: list[str] = []
    for (name, at, _), doc in zip(said, parsed, strict=True):
        clear = f"{name}-{at}" not in _MISREAD
        bases.append(_reworded(doc, Random(f"{seed} {name} {at}")) if clear else doc.text)
    for (name, at, own), doc, base, again in zip(said, parsed, bases, _parsed(bases), strict=True):
        rng = Random(f"{seed} {name} {at} altered")
        docs = (texts[name],)
        # The reworded sentence first: one that stands there word for word is easily found.
        options = [(base, altered(again, pool, rng))] if base != own else []
        options.append((own, altered(doc, pool, rng)))
        for kind in sorted({kind for _, found in options for kind in found}):
            true, found = next(option for option in options if kind in option[1])
            false = [text for text in found[kind] if not _stands_in(text, docs)]
            if false:
                yield Case(f"{name}-{at}", kind, OWN, docs, true, rng.choice(false))


def of_sets(names: Sequence[str] = SETS, seed: int = 0) -> list[Case]:
    """The cases that the labelled sets give. Raises DataError when there are none of them."""
    there = set(data.names())
    rows = [row for name in names if name in there for row in _rows(data.load(name))]
    return list(of_rows(rows, seed))


def of_rows(rows: Sequence[data.Row], seed: int = 0) -> Iterator[Case]:
    """The cases of supported rows: each claim altered once a kind."""
    parsed = _parsed([row.claim for row in rows])
    pool = _pool(parsed)
    for row, doc in zip(rows, parsed, strict=True):
        rng = Random(f"{seed} {row.dataset} {row.id}")
        if len(list(doc.sents)) != 1 or not _stands_alone(row.claim):
            continue
        if not _named_in(doc, row.docs):
            continue
        for kind, texts in sorted(altered(doc, pool, rng).items()):
            false = [text for text in texts if not _stands_in(text, row.docs)]
            if false:
                yield Case(
                    f"{row.dataset}-{row.id}", kind, row.dataset, row.docs, row.claim,
                    rng.choice(false),
                )  # fmt: skip


def sample(cases: Iterable[Case], limit: int, seed: int = 0) -> list[Case]:
    """At most `limit` cases a kind: half of our own documents', half of the sets', all sets alike.

    Where one half has fewer the other fills in. Seeded, and no claim of one document twice in a
    row of picks while others are left.
    """
    kinds: dict[str, list[Case]] = {}
    for case in {(case.kind, case.false): case for case in cases}.values():
        kinds.setdefault(case.kind, []).append(case)
    kept: list[Case] = []
    for mine in kinds.values():
        own = _in_turn([case for case in mine if case.origin == OWN], lambda c: str(c.docs), seed)
        sets = _in_turn([case for case in mine if case.origin != OWN], lambda c: c.origin, seed)
        half = max(limit // 2, limit - len(sets))
        first = own[:half]
        kept += first + sets[: limit - len(first)]
    return kept


def _in_turn(cases: Sequence[Case], group: Any, seed: int) -> list[Case]:
    """The cases in random order, one of each group in turn."""
    order = list(cases)
    Random(f"{seed} order").shuffle(order)
    turns: dict[str, int] = {}
    ranked = []
    for at, case in enumerate(order):
        name = group(case)
        turns[name] = turns.get(name, 0) + 1
        ranked.append((turns[name], at, case))
    return [case for _, _, case in sorted(ranked, key=lambda item: item[:2])]


def sentences(text: str) -> list[tuple[int, str]]:
    """(number, words) of the sentences that can stand alone as claims."""
    read = [sentence.reading.text for sentence in split(text) if sentence.block in _PROSE]
    bare = [_NUMBERED.sub("", said) for said in read]
    return [(at, s) for at, s in enumerate(bare) if _stands_alone(s) and _ENDS.search(s)]


def _stands_alone(text: str) -> bool:
    words = text.split()
    first = re.sub(r"\W", "", words[0].lower()) if words else ""
    return (
        4 <= len(words) <= 40
        and text[0].isupper()
        and first not in _REFERRING
        and not re.search(r"[:?\n]|\bpassages?\b", text)
    )


def _named_in(claim: Doc, docs: Sequence[str]) -> bool:
    """Whether the documents have every name and number of a claim, word for word.

    Where they do not, the label rests on something outside them (a page's title, a sum), and
    changing a name that stands nowhere would make up nothing new.
    """
    held = {word for doc in docs for word in re.findall(r"\w+", doc.lower())}
    for token in claim:
        if token.pos_ not in ("PROPN", "NUM"):
            continue
        for word in re.findall(r"\w+", token.lower_):
            if word not in held and str(VALUES.get(word, word)) not in held:
                return False
    return True


def _reworded(doc: Doc, rng: Random) -> str:
    """Something that follows from the sentence by rule, drawn; itself where nothing does."""
    sents = list(doc.sents)
    if len(sents) != 1:
        return doc.text
    try:
        found = [*reductions(sents[0]), *rewordings(sents[0], rng)]
    except IndexError:  # a rule that looks beyond the end of so short a text
        found = []
    found = [text for text in found if _stands_alone(text)]
    return rng.choice(found) if found else doc.text


def _rows(rows: Iterable[data.Row]) -> list[data.Row]:
    kept = [
        row
        for row in rows
        if row.supported
        and row.granularity != "response"
        and not data.trained_on(row)
        and sum(len(doc.split()) for doc in row.docs) <= _LONGEST
    ]
    return data.sample(kept, _ROWS)


def _parsed(texts: Sequence[str]) -> list[Doc]:
    return list(parse.pipeline().pipe(texts, batch_size=64))


def _pool(parsed: Sequence[Doc]) -> Pool:
    pool = Pool()
    for doc in parsed:
        pool.add(doc)
    return pool


def _stands_in(claim: str, docs: Sequence[str]) -> bool:
    """Whether a document holds the claim's very words: an alteration that is true by chance."""
    return any(_bare(claim) in _bare(doc) for doc in docs)


def _bare(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()
