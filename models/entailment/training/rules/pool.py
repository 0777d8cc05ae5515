"""Names, words and phrases of documents, to borrow from for false sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from spacy.tokens import Doc, Span, Token

from .frames import adjective_frame, noun_frame, verb_frame
from .grammar import subtree_ends
from .names import NAMES, alike_in_length, entity_key, is_other_name, is_whole_name, stripped
from .text import source_text, text_between

T = TypeVar("T")


class Word(NamedTuple):
    """A word as it stood: its form, lemma and what a replacement must share."""

    text: str
    lemma: str
    tag: str
    frame: str


@dataclass(slots=True)
class Words:
    """Entities by type, numerals, nouns, verbs, adjectives and details of texts, in order."""

    entities: dict[str, list[str]] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    nouns: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    verbs: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    adjectives: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    details: list[str] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)


def words_of(doc: Doc) -> Words:
    """The words of one document; kept with it, for it is read once a sentence."""
    found = doc.user_data.get("halgo_words")
    if isinstance(found, Words):
        return found
    words = Words()
    _collect(doc, words)
    doc.user_data["halgo_words"] = words
    return words


def _collect(doc: Doc, into: Words) -> None:
    for entity in doc.ents:
        if entity.label_ in ("CARDINAL", "QUANTITY", "MONEY", "PERCENT"):
            into.numbers.append(entity.text)
        if entity.label_ not in NAMES:
            continue
        name = stripped(entity)
        if name is None or not is_whole_name(name):
            continue
        key = entity_key(name)
        if (
            name.label_ not in ("GPE", "NORP", "LOC")
            and len(name) == 1
            and source_text(doc).count(name.text) < 2
        ):
            continue  # a single word that is seen once is often no name
        if (key, name.text) not in into.seen:
            into.seen.add((key, name.text))
            into.entities.setdefault(key, []).append(name.text)
    for token in doc:
        for frame, table in (
            (noun_frame(token), into.nouns),
            (verb_frame(token), into.verbs),
            (adjective_frame(token), into.adjectives),
        ):
            if frame is None:
                continue
            mark = (f"{frame} {token.tag_}", token.lower_)
            if mark not in into.seen:
                into.seen.add(mark)
                word = Word(token.text, token.lemma_.lower(), token.tag_, frame)
                table.setdefault((frame, token.tag_), []).append(word)
        detail = _detail(token)
        if detail and ("detail", detail) not in into.seen:
            into.seen.add(("detail", detail))
            into.details.append(detail)


def _detail(token: Token) -> str | None:
    """A closing phrase of a sentence that could close another: "because of ...", "in May"."""
    if token.dep_ not in ("prep", "advcl") or token.head.dep_ != "ROOT":
        return None
    if token.head.pos_ != "VERB" or token.i < token.head.i:
        return None
    run = subtree_ends(token)
    if run is None or not 2 <= run[1].i - run[0].i + 1 <= 12:
        return None
    left, right = run
    if right.i + 1 >= token.sent.end or right.nbor(1).text != ".":
        return None
    if any((t.tag_ in ("PRP", "PRP$", "WDT", "DT") and t.lower_ not in ("the", "a", "an"))
           or t.is_space or t.text in "()\"“”;:[]" for t in left.subtree):  # fmt: skip
        return None
    allowed = {"because", "after", "during", "since", "until", "following", "despite", "before",
               "throughout"}  # fmt: skip
    if left.lower_ in allowed:
        return text_between(left, right)
    if left.lower_ in ("in", "on") and token.dep_ == "prep":
        objects = [t for t in token.children if t.dep_ == "pobj"]
        if objects and objects[0].ent_type_ in ("DATE", "GPE"):
            return text_between(left, right)
    return None


class Pool:
    """Words of all documents seen, to borrow from when a document has none that fit."""

    def __init__(self) -> None:
        self.words = Words()

    def add(self, doc: Doc) -> None:
        """Take in a parsed document; adding one twice changes nothing but the numbers."""
        words_of(doc)
        _collect(doc, self.words)

    def entity(self, like: Span, rng: Random, avoid: str) -> str | None:
        """Another name of the same type, of the document if it has one, else of the pool.

        None when nothing fits. `avoid` is the text in which the name must not stand yet.
        """
        key = entity_key(like)
        for words in (words_of(like.doc), self.words):
            names = words.entities.get(key, [])
            for name in drawn(names, rng, 12):
                if is_other_name(name, like.text, avoid) and alike_in_length(name, like.text):
                    return name
        return None

    def detail(self, sentence: Span, rng: Random) -> str | None:
        """A closing phrase that stood elsewhere and shares no word with the sentence."""
        own = {t.lemma_.lower() for t in sentence if not t.is_stop and t.is_alpha}
        for words in (words_of(sentence.doc), self.words):
            for detail in drawn(words.details, rng, 6):
                low = detail.lower()
                if low in sentence.text.lower() or len(low.split()) > 10:
                    continue
                if not any(word in own for word in re.findall(r"\w+", low)):
                    return detail
        return None


def drawn(items: Sequence[T], rng: Random, most: int) -> Iterator[T]:
    """Up to `most` items in random order, without copying a long list."""
    if not items:
        return
    if len(items) <= most:
        yield from rng.sample(items, len(items))
        return
    for at in rng.sample(range(len(items)), most):
        yield items[at]
