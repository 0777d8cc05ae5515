"""Doc -> the content words, and how they hang together.

Relations are dependency arcs between content words with the function words collapsed, passives
turned: "Acme acquired Beta" and "Beta was acquired by Acme" give the same triples.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from halgo.facts import grammar
from halgo.types import Span, Term

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CONTENT = frozenset({"PROPN", "NUM", "NOUN", "VERB", "ADJ", "ADV"})
_MODIFIERS = {
    "amod": "mod",
    "compound": "mod",
    "nmod": "mod",
    "nummod": "num",
    "poss": "poss",
    "advmod": "adv",
    "appos": "appos",
    "xcomp": "comp",
    "ccomp": "comp",
    "acl": "comp",
    "npadvmod": "adv",
}


def read(doc: Doc) -> tuple[Term, ...]:
    """The content words in order: no stop words, no punctuation, no auxiliaries."""
    return tuple(
        Term(grammar.lemma(token), token.pos_, Span(token.idx, token.idx + len(token)))
        for token in doc
        if is_content(token)
    )


def is_content(token: Token) -> bool:
    """Whether a token says something by itself."""
    if token.pos_ not in _CONTENT or (token.is_stop and token.pos_ not in ("PROPN", "NUM")):
        return False
    return any(character.isalnum() for character in token.text)


def relations(doc: Doc) -> tuple[tuple[str, str, str], ...]:
    """(head lemma, kind, dependent lemma), sorted, each once.

    Kinds: subject, object, is (said by a copula), mod, num, poss, adv, appos, comp,
    prep:<word> (the preposition collapsed); "paid Ann a fee" as "paid a fee to Ann".
    """
    found: set[tuple[str, str, str]] = set()
    for token in doc:
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass"):
            _add_arguments(token, found)
        kind = _MODIFIERS.get(token.dep_)
        if kind and is_content(token) and is_content(token.head):
            found.add(_triple(token.head, kind, token))
        elif token.dep_ == "pobj":
            _add_preposition(token, found)
    return tuple(sorted(found))


def _add_arguments(verb: Token, found: set[tuple[str, str, str]]) -> None:
    subjects, objects = grammar.arguments(verb)
    if verb.lemma_.lower() in grammar.COPULAS:
        for said in grammar.children(verb, "acomp", "attr", "oprd"):
            for subject in subjects:
                if is_content(subject) and is_content(said):
                    found.add(_triple(subject, "is", said))
    if not is_content(verb):
        return
    for noun in grammar.spread(grammar.receivers(verb)):
        if is_content(noun):
            found.add(_triple(verb, "prep:to", noun))
    found.update(_triple(verb, "subject", noun) for noun in subjects if is_content(noun))
    found.update(_triple(verb, "object", noun) for noun in objects if is_content(noun))


def _add_preposition(noun: Token, found: set[tuple[str, str, str]]) -> None:
    preposition = noun.head
    if preposition.dep_ == "agent" or not is_content(noun):
        return
    head = preposition.head
    while head.dep_ == "prep" and head.head != head:  # "out of the house"
        head = head.head
    if is_content(head):
        for filler in grammar.spread([noun]):
            if is_content(filler):
                found.add(_triple(head, f"prep:{preposition.lower_}", filler))


def _triple(head: Token, kind: str, dependent: Token) -> tuple[str, str, str]:
    return grammar.lemma(head), sys.intern(kind), grammar.lemma(dependent)
