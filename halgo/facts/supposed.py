"""Whether an amount or a date is supposed, not asserted: "45 kg" of "If it weighs 45 kg, ...".

A supposition describes the case that a statement is about, so that no source has to hold its value:
what counts is on which side of a limit it lies. Told are conditions ("if", "when", "unless"), and
what describes the subject of a general statement ("A parcel of 45 kg goes by freight.", "Someone
who arrives at 21:45 gets no food.", "Our group of eight cannot book it.").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from halgo.facts.grammar import SUBJECTS, chain, children
from halgo.facts.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

_IF = words("if when whenever unless where wherever provided should suppose supposing")
_ANY = words("a an any every each no")
_ANYBODY = words("anyone anybody someone somebody everyone everybody whoever those people nobody")
_OF_USER = words("my our")
_FOR = words("for with")
_PAST = frozenset({"VBD"})
_DESCRIBES = frozenset(
    {"prep", "pobj", "nummod", "compound", "amod", "nmod", "npadvmod", "quantmod", "acl", "relcl"}
)
_LEADS_ON = frozenset({"conj", "dobj", "attr", "acomp", "ccomp"})
# What a statement with such a verb or noun says is that there is this amount: "A fee of 45 is due".
_GIVES = words("apply charge due payable exist require")
_TERMS = words(
    "fee charge price cost rate rent deposit discount credit refund fine penalty limit maximum "
    "minimum threshold period notice term deadline cap quota allowance budget total average mean "
    "share percentage increase decrease rise fall warranty trial dose"
)


def is_supposed(root: Token) -> bool:
    """Whether an amount belongs to the case that its sentence is about; root: its outermost token.

    Of a plain clause about one thing ("The parcel weighs 45 kg.") it does not.
    """
    token = root
    for head in chain(root):
        label = token.dep_
        if label == "advcl":
            return any(mark.lower_ in _IF for mark in children(token, "mark", "advmod"))
        if label in SUBJECTS or (token != root and _is_meant(token)):
            if _is_any(token):
                return _is_general(token)
        elif label not in _DESCRIBES and label not in _LEADS_ON:
            return False
        token = head
    return False


def _is_any(noun: Token) -> bool:
    """Whether a noun stands for whatever is such a thing: "a parcel", "orders", "our group"."""
    if noun.lemma_.lower() in _TERMS:
        return False
    if noun.lower_ in _ANYBODY:
        return True
    before = {word.lower_ for word in children(noun, "det", "poss")}
    return bool(before & (_ANY | _OF_USER)) or (not before and noun.tag_ == "NNS")


def _is_meant(noun: Token) -> bool:
    """Whether a noun stands in "For a child of 15 kg, ...", whom a rule is about."""
    return noun.dep_ == "pobj" and noun.head.lower_ in _FOR and noun.head.dep_ in ("prep", "dative")


def _is_general(noun: Token) -> bool:
    """Whether the clause about a noun states a rule, not what once happened, nor an amount."""
    for head in chain(noun):
        if head.pos_ in ("VERB", "AUX") and head.dep_ not in ("relcl", "acl"):
            told = (head, *children(head, "acomp", "aux", "auxpass"))
            past = any(word.tag_ in _PAST for word in told)
            ahead = noun.i < head.i  # not "seats for 45 people"
            given = noun.dep_ in SUBJECTS and not _GIVES.isdisjoint(w.lemma_.lower() for w in told)
            return ahead and not past and not given
    return False
