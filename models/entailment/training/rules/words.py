"""Nouns, verbs and adjectives replaced by others that do not mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spacy.tokens import Span

from halgo.facts.lexicon import default_lexicon

from .edits import Change, replace_tokens
from .frames import adjective_frame, noun_frame, verb_frame
from .negation import NEGATIVE
from .pool import Pool, drawn, words_of


def _related(a: str, b: str) -> bool:
    """Whether two lemmas may say the same: synonyms, derived, or one broader than the other."""
    if a == b or (a[:5] == b[:5] and len(a) > 4):
        return True
    lexicon = default_lexicon()
    if b in lexicon.synonyms(a) or a in lexicon.synonyms(b) or b in lexicon.derived(a):
        return True
    return b in lexicon.hypernyms(a) or a in lexicon.hypernyms(b)


def word_edits(sentence: Span, pool: Pool, rng: Random) -> Iterator[Change]:
    """One verb, one noun and one adjective in place of others, where there are any."""
    own = {t.lemma_.lower() for t in sentence}
    words = words_of(sentence.doc)
    if any(t.dep_ == "neg" or t.lower_ in NEGATIVE for t in sentence):
        return
    for kind, frame_of in (
        ("verb", verb_frame), ("noun", noun_frame), ("adjective", adjective_frame),
    ):  # fmt: skip
        places = [(t, frame) for t in sentence if (frame := frame_of(t)) is not None]
        if not places:
            continue
        token, frame = rng.choice(places)
        key = (frame, token.tag_)
        tables = [
            {"verb": w.verbs, "noun": w.nouns, "adjective": w.adjectives}[kind]
            for w in (words, pool.words)
        ]
        # A far-off noun or adjective seldom makes sense; a verb of the pool mostly does.
        for table in tables if kind == "verb" else tables[:1]:
            found = [
                word for word in drawn(table.get(key, []), rng, 8)
                if word.lemma not in own and not _related(token.lemma_.lower(), word.lemma)
            ]  # fmt: skip
            if found:
                yield replace_tokens(token, token, found[0].text), kind, "unsupported"
                break
