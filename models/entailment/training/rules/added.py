"""Details that the sentence does not give: a time, a place, a source, an attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from spacy.tokens import Span, Token

from .edits import Change, Edit, replace_tokens
from .grammar import is_plain_past
from .names import entities_of, is_other_name
from .negation import NEGATIVE
from .pool import Pool, drawn, words_of
from .tables import word_set

_ATTACH_VERBS = word_set("say tell ask be seem appear think believe")


def added_edits(sentence: Span, verb: Token, pool: Pool, rng: Random) -> Iterator[Change]:
    """One phrase added at the end, and one adjective before a noun."""
    last = sentence[-1]
    while last.is_space and last.i > sentence.start:
        last = last.nbor(-1)
    if last.text != "." or last.i - 1 <= sentence.start:
        return
    if any(t.dep_ == "neg" or t.lower_ in NEGATIVE for t in sentence):
        return
    at = last.idx
    entities = {e.label_ for e in entities_of(sentence)}
    options: list[tuple[str, str]] = []
    detail = pool.detail(sentence, rng)
    simple = not any(t.dep_ in ("conj", "ccomp", "advcl") for t in verb.children)
    if detail and simple and verb.pos_ == "VERB":
        timed = re.match(r"(in|on|during|since|until|after|before)\b", detail) is not None
        if not (timed and entities & {"DATE", "TIME"}) and (is_plain_past(verb) or not timed):
            options.append((f" {detail}", "added_detail"))
    if (
        is_plain_past(verb)
        and "DATE" not in entities
        and simple
        and verb.lemma_ not in _ATTACH_VERBS
    ):
        options.append((f" in {rng.randint(1985, 2023)}", "added_date"))
    names = words_of(sentence.doc)
    for label in ("ORG", "PERSON", "GPE"):
        for source in (names, pool.words):
            listed = [
                n for n in drawn(source.entities.get(label, []), rng, 4)
                if is_other_name(n, "", sentence.text)
            ]  # fmt: skip
            if not listed:
                continue
            if label == "GPE":
                if is_plain_past(verb) and simple and "GPE" not in entities and verb.pos_ == "VERB":
                    options.append((f" in {listed[0]}", "added_place"))
            elif "according" not in sentence.text.lower() and verb.lemma_ not in _ATTACH_VERBS:
                options.append((f", according to {listed[0]}", "added_source"))
            break
    if options:
        text, kind = rng.choice(options)
        yield [Edit(at, at, text)], kind, "unsupported"
    bare = [
        t for t in sentence
        if t.tag_ in ("NN", "NNS") and t.dep_ in ("dobj", "pobj", "nsubj") and t.is_lower
        and not t.ent_type_ and t.i > sentence.start
        and (t.nbor(-1).dep_ == "det" or (t.tag_ == "NNS" and t.nbor(-1).dep_ == "prep"))
        and t.nbor(-1).lower_ not in ("no", "any", "all", "of", "as")
        and not any(c.dep_ in ("amod", "compound", "nummod") for c in t.children)
    ]  # fmt: skip
    adjectives = names.adjectives.get(("amod", "JJ"), [])
    if bare and adjectives:
        token = rng.choice(bare)
        for word in drawn(adjectives, rng, 4):
            if any(t.lemma_.lower() == word.lemma for t in sentence):
                continue
            edits = replace_tokens(token, token, f"{word.text} {token.text}")
            # Only the adjective is new.
            edits[0] = Edit(token.idx, token.idx, f"{word.text} ")
            yield edits, "added_attribute", "unsupported"
            break
