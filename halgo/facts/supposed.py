"""Whether an amount or a date is supposed, not asserted: "45 kg" of "If it weighs 45 kg, ...".

A supposition describes the case that a statement is about, so that no source has to hold its value:
what counts is on which side of a limit it lies. Told are conditions ("if", "when", "unless"), what
is known of the one who asks ("Since you bought it 20 days ago", "You joined in 2019, so ..."), what
describes the subject of a general statement ("A parcel of 45 kg goes by freight.", "Someone who
arrives at 21:45 gets no food.", "Cancelling two days ahead costs half the fee."), and what leads
to one ("With seven years of service, you get 28 days of leave.").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from halgo.facts.grammar import SUBJECTS, chain, children, is_finite
from halgo.facts.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

_IF = words("if when whenever unless where wherever provided should suppose supposing")
_ANY = words("a an any every each no")
_ANYBODY = words("anyone anybody someone somebody everyone everybody whoever those people nobody")
_OF_USER = words("my our your")
_PERSONS = words("i me we us you my our your he she they his her their")
_AS = words("since as because given now although though even")
_SO = words("so therefore hence thus consequently accordingly")
_FOR = words("for with")
_LEADING = words("with at for on after")
_PAST = frozenset({"VBD"})
_DESCRIBES = words("prep pobj nummod compound amod nmod npadvmod quantmod acl relcl advmod agent")
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
            return _is_given(token)
        if label == "ccomp" and _is_personal(token) and _follows(head, token):
            return _is_rule(head)
        if label in SUBJECTS or (token != root and _is_meant(token)):
            if _is_any(token):
                return _is_general(token)
        elif label == "prep" and _leads(token, head):
            return _is_rule(head)
        elif label not in _DESCRIBES and label not in _LEADS_ON:
            return False
        token = head
    if token.dep_ == "ROOT" and _is_personal(token):
        return any(_follows(one, token) for one in children(token, "advcl", "ccomp", "conj"))
    # "An order of $35 ships free" is read as if it had no verb.
    alone = token.dep_ == "ROOT" and token.pos_ == "NOUN" and token != root
    return alone and _is_any(token) and not any(is_finite(word) for word in token.sent)


def _is_given(clause: Token) -> bool:
    """Whether a clause tells the case: "if it weighs 45 kg", "since you bought it 20 days ago"."""
    marks = {mark.lower_ for mark in children(clause, "mark", "advmod")}
    participles = (clause, *children(clause, "aux"))
    # "Having worked here for seven years, you get ..."
    if not children(clause, "mark") and any(word.tag_ == "VBG" for word in participles):
        return clause.i < clause.head.i and _is_rule(clause.head)
    return not marks.isdisjoint(_IF) or (not marks.isdisjoint(_AS) and _is_personal(clause))


def _is_personal(clause: Token) -> bool:
    """Whether a clause is about the one who asks, or what is theirs: "your parcel arrived"."""
    subjects = children(clause, *SUBJECTS)
    return any(
        one.lower_ in _PERSONS or any(word.lower_ in _PERSONS for word in children(one, "poss"))
        for one in subjects
    )


def _follows(result: Token, clause: Token) -> bool:
    """Whether a statement is drawn from the clause before it: "..., so you can return it"."""
    drawn = (word.lower_ in _SO for word in children(result, "advmod", "mark", "cc"))
    return clause.i < result.i and any(drawn)


def _leads(adjunct: Token, verb: Token) -> bool:
    """Whether an adjunct stands before the subject of its verb: "At 45 °C the pump stops"."""
    subjects = children(verb, *SUBJECTS)
    ahead = bool(subjects) and adjunct.i < subjects[0].i
    return ahead and verb.dep_ == "ROOT" and adjunct.lower_ in _LEADING


def _is_any(noun: Token) -> bool:
    """Whether a noun stands for whatever is such a thing: "a parcel", "orders", "our group"."""
    if noun.lemma_.lower() in _TERMS:
        return False
    if noun.lower_ in _ANYBODY or noun.tag_ == "VBG":  # "cancelling two days ahead"
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
            ahead = noun.i < head.i  # not "seats for 45 people"
            given = noun.dep_ in SUBJECTS and not _GIVES.isdisjoint(w.lemma_.lower() for w in told)
            return ahead and _is_rule(head) and not given
    return False


def _is_rule(verb: Token) -> bool:
    """Whether a clause tells what holds, not what once happened."""
    told = (verb, *children(verb, "acomp", "aux", "auxpass"))
    return not any(word.tag_ in _PAST for word in told)
