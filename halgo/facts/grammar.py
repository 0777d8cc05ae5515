"""Doc -> who does what: the few questions about a dependency parse that several readers ask.

Arguments are logical, not grammatical: the agent of a passive is its subject, "the house that
Jack built" has "house" as object of "built", and a verb without a subject of its own borrows one
from the verb it is joined to or depends on. Labels are those of ClearNLP, which spaCy's English
pipelines use.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from halgo.facts.aliases import SUFFIXES
from halgo.facts.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
FINITE = frozenset({"MD", "VBZ", "VBP", "VBD"})  # tags of verbs that carry a clause
COPULAS = frozenset({"be", "become", "remain", "stay", "seem", "appear", "look", "prove", "get"})
# "one of the drugs", "a majority of patients": what is spoken of is the noun after "of".
_PORTIONS = words(
    "all any both each either few half many majority minority most much neither none number "
    "one part percent percentage portion proportion quarter rest several share some third "
    "total two three four five six seven eight nine ten dozen hundred lot handful couple"
)
_SIGNS = {"%": "percent"}  # signs that are words, as a lemma
# Coordinated arguments looked at per verb: a list of a thousand names is one fact, not a thousand.
MOST_ARGUMENTS = 4
_LONGEST_CHAIN = 12


def is_finite(token: Token) -> bool:
    """Whether a word is a verb that carries a clause: "runs", not "running" nor "to run"."""
    return token.tag_ in FINITE and token.dep_ not in ("amod", "compound")


def lemma(token: Token) -> str:
    """The lemma in lower case, interned; the word itself where the pipeline gives none."""
    found = (token.lemma_ or token.text).lower()
    return sys.intern(_SIGNS.get(found, found))


def argument(token: Token) -> str:
    """The lemma by which an argument is known: "acme" for the head of "Acme Ltd."."""
    if token.pos_ == "PROPN" and token.lower_.rstrip(".") in SUFFIXES:
        parts = children(token, "compound")
        if parts:
            return lemma(parts[-1])
    return lemma(token)


def near(token: Token) -> list[Token]:
    """The direct dependents in order, at most 64: no sane word has more, a hostile text may."""
    return list(islice(token.children, 64))


def children(token: Token, *labels: str) -> list[Token]:
    """The direct dependents with one of these labels, in order."""
    return [child for child in near(token) if child.dep_ in labels]


def is_passive(verb: Token) -> bool:
    """Whether a verb is in the passive: "was built", "a house built by Jack"."""
    if verb.tag_ != "VBN":
        return False
    labels = {child.dep_ for child in near(verb)}
    if labels & {"nsubjpass", "auxpass", "agent", "csubjpass"}:
        return True
    if verb.dep_ in ("acl", "amod") and "dobj" not in labels:
        return True
    if verb.dep_ == "conj" and not labels & (SUBJECTS | {"aux"}) and verb.head.tag_ == "VBN":
        return is_passive(verb.head)
    return False


def arguments(verb: Token) -> tuple[list[Token], list[Token]]:
    """(logical subjects, logical objects) of a verb, coordinated ones each on their own."""
    given = [child for child in near(verb) if child.dep_ in SUBJECTS]
    given_to = receivers(verb)
    direct = [noun for noun in children(verb, "dobj") if noun not in given_to]
    if not given:
        given = _borrowed(verb)
    if not direct:
        direct = _shared_object(verb)
    if is_passive(verb):
        agents = [
            noun
            # "is paid a fee by Ann": the parser may hang "by" on the fee.
            for by in (*near(verb), *(child for kept in direct for child in near(kept)))
            if by.dep_ == "agent" or (by.dep_ == "prep" and by.lower_ == "by")
            for noun in children(by, "pobj")
        ]
        return spread(agents), spread(given) + spread(direct)
    if not direct and verb.dep_ == "relcl" and given and not _is_relative(given[0]):
        # "the bridge Anna designed": nothing stands where the object would be.
        fronted = any(_is_relative(child) for child in near(verb))
        if fronted or not any(child.dep_ in ("prep", "acomp", "attr") for child in near(verb)):
            direct = [verb.head]
    return spread(given), spread(direct)


def receivers(verb: Token) -> list[Token]:
    """Whom something is given, where no "to" says so: Ann in "paid Ann a fee".

    The parser may take both for objects; then it is the first of the two.
    """
    objects = children(verb, "dobj")
    first = objects[:1] if len(objects) == 2 and objects[0].i > verb.i else []
    return [child for child in children(verb, "dative") if child.pos_ != "ADP"] + first


def referent(token: Token) -> Token:
    """The noun spoken of: "house" for "the house which", "drug" for "one of the drugs"."""
    if _is_relative(token):
        verb = token.head
        while verb.dep_ in ("conj", "xcomp", "ccomp", "aux", "prep") and verb.head != verb:
            verb = verb.head
        if verb.dep_ == "relcl":
            return verb.head
    if token.lower_ in _PORTIONS or token.lemma_.lower() in _PORTIONS:
        for of in near(token):
            if of.dep_ == "prep" and of.lower_ == "of":
                for noun in near(of):
                    if noun.dep_ == "pobj":
                        return noun
    return token


def chain(token: Token) -> Iterator[Token]:
    """The heads above a token, nearest first, at most a dozen of them."""
    for _ in range(_LONGEST_CHAIN):
        if token.head == token:
            return
        token = token.head
        yield token


def _shared_object(verb: Token) -> list[Token]:
    """The object that two verbs side by side have together: "examine or treat the patient"."""
    second = verb.i + 2
    if second >= len(verb.doc) or verb.doc[second - 1].dep_ != "cc":
        return []
    other = verb.doc[second]
    return children(other, "dobj") if other.dep_ == "conj" and other.head.i == verb.i else []


def _is_relative(token: Token) -> bool:
    return token.tag_ in ("WDT", "WP", "WP$") or (token.lower_ == "that" and token.tag_ == "IN")


def spread(heads: list[Token]) -> list[Token]:
    """The heads' referents and what is joined to them by "and" or "or"."""
    found: list[Token] = []
    for head in heads:
        token = head
        for _ in range(MOST_ARGUMENTS):
            found.append(referent(token))
            joined = [child for child in near(token) if child.dep_ == "conj"]
            if not joined:
                break
            token = joined[0]
    return found[:MOST_ARGUMENTS]


def _borrowed(verb: Token) -> list[Token]:
    """The subject of a verb that has none of its own: that of the verb it is joined to."""
    token = verb
    for _ in range(_LONGEST_CHAIN):
        label, head = token.dep_, token.head
        if head == token:
            return []
        if label in ("relcl", "acl") and head.pos_ in ("NOUN", "PROPN", "PRON", "NUM"):
            if token.tag_ == "VB":  # "a plan to leave": who leaves is not said
                return []
            return [head]
        if label not in ("conj", "xcomp", "advcl", "pcomp", "acomp", "prep", "ccomp", "aux"):
            return []
        if label == "ccomp" and token.tag_ not in ("VB", "VBG"):
            return []
        if label == "xcomp" and token != verb and head.pos_ == "NOUN":
            return []
        if label == "xcomp":
            controlled = children(head, "dobj")
            if controlled and token.tag_ == "VB":  # "asked Anna to leave"
                return controlled
        if label == "pcomp" and head.lower_ == "from":  # "kept the firm from selling"
            controlled = children(head.head, "dobj")
            if controlled:
                return controlled
        token = head
        own = [child for child in near(token) if child.dep_ in SUBJECTS]
        if own:
            return own
    return []
