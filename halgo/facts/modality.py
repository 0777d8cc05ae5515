"""Verb -> how its clause says it: what else the clause holds, how sure it is, of how many.

Used by `negations`, which makes predicates of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from halgo.facts import grammar
from halgo.facts.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

_CONTENT = frozenset({"PROPN", "NUM", "NOUN", "VERB", "ADJ", "ADV"})
_EMPTY = words(
    "not n't never no neither nor none only also just then however therefore still yet even "
    "actually really very quite now already etc e.g. i.e. longer instead few many most some "
    "several all every each any both much half certain"
)
# A dependent with one of these labels opens a clause of its own.
_OTHER_CLAUSES = words(
    "ccomp advcl relcl csubj csubjpass parataxis conj xcomp acl cc punct neg aux auxpass mark "
    "expl intj"
)
_MOST_CONTEXT = 12
INSTEAD = frozenset({("instead", "of"), ("rather", "than")})

_MODALS = {
    "can": "can",
    "could": "can",
    "ca": "can",
    "may": "may",
    "might": "may",
    "must": "must",
    "need": "must",  # "you need not pay"
    "shall": "must",
    "should": "must",
    "ought": "must",
    "will": "will",
    "would": "will",
    "wo": "will",
    "'ll": "will",
}
_PLANNING = words(
    "plan try intend want hope seek attempt threaten expect aim agree offer promise propose "
    "wish prepare consider ask urge order schedule"
)
_OBLIGING = words("require oblige have need force compel order bind")
_ALLOWING = words("allow permit able free entitle possible authorize authorise")
_OF_NOUNS = {
    **dict.fromkeys(words("right permission option freedom power ability authority chance"), "can"),
    **dict.fromkeys(words("duty obligation"), "must"),
    **dict.fromkeys(words("plan intention proposal wish attempt offer"), "plan"),
}
_HEDGES = words("perhaps maybe possibly potentially probably likely allegedly reportedly")

_ALL = words("all every each any both always")
_SOME = words("some several certain various half numerous")
_FEW = words("few hardly")
_MOST = words("most majority")


def context(verb: Token, left_out: frozenset[int]) -> tuple[str, ...]:
    """The content lemmas of a verb's clause but for those at the positions `left_out`, in order."""
    found: list[tuple[int, str]] = []
    waiting = [
        (child, _denied_alone(child))
        for child in grammar.near(verb)
        if child.dep_ not in _OTHER_CLAUSES
    ]
    while waiting and len(found) < _MOST_CONTEXT:
        token, denied = waiting.pop(0)
        if token.i not in left_out and token.pos_ in _CONTENT and token.lower_ not in _EMPTY:
            found.append(
                (token.i, f"not {grammar.lemma(token)}" if denied else grammar.lemma(token))
            )
        waiting += [
            (child, denied or _denied_alone(child))
            for child in grammar.near(token)
            if child.dep_ not in _OTHER_CLAUSES
        ]
    return tuple(dict.fromkeys(lemma for _, lemma in sorted(found)))


def _denied_alone(token: Token) -> bool:
    """Whether a part is denied by itself: "a not unpleasant smell", "in May, not in June"."""
    before = token.doc[token.i - 1].lower_ if token.i > 0 else ""
    if token.lower_ == "instead" or (before, token.lower_) in INSTEAD:
        return True
    if token.i > 1 and (token.doc[token.i - 2].lower_, before) in INSTEAD:
        return True
    if before == "not" and is_loose(token.doc[token.i - 1]):  # "boats, not cars"
        return True
    if token.dep_ not in ("amod", "advmod", "prep", "npadvmod"):
        return False
    nots = [child for child in grammar.near(token) if child.lower_ == "not"]
    if nots:
        return nots[0].i < token.i
    # A "not" that the parser hung on the verb, though the verb stands before it: "go not in May".
    if before != "not":
        return False
    denier = token.doc[token.i - 1]
    if token.dep_ == "amod":
        return True
    return token.dep_ == "prep" and denier.i > 0 and denier.nbor(-1).pos_ == "VERB"


def is_loose(denier: Token) -> bool:
    """Whether a "not" belongs to the words behind it only: "boats, not cars"."""
    if denier.i == 0 or denier.i + 1 >= len(denier.doc):
        return False
    behind = denier.doc[denier.i + 1]
    return denier.nbor(-1).lower_ in (",", ";", "but", "and") and behind.pos_ not in ("VERB", "AUX")


def complement(noun: Token) -> tuple[str, ...]:
    """The content lemmas of the clauses that say what a noun is: "evidence that it spreads"."""
    found: list[str] = []
    for clause in grammar.children(noun, "acl", "relcl"):
        found.append(grammar.lemma(clause))
        found += context(clause, frozenset())
    return tuple(dict.fromkeys(found))[:_MOST_CONTEXT]


def frame(verb: Token) -> str:
    """How a verb is said when it is not plainly asserted; "" when it is."""
    text = verb.doc
    if len(text) and text[len(text) - 1].text == "?":
        return "ask"
    own = _modal(verb)
    token = verb
    for _ in range(6):
        if token.dep_ == "advcl" and _conditional(token):
            return "if"
        if own:
            return own
        head = token.head
        if head == token:
            return ""
        if token.dep_ == "acl" and token.tag_ == "VB":  # "the right to lower the rate"
            return own or _OF_NOUNS.get(grammar.lemma(head), "")
        if token.dep_ == "conj":
            own = own or ("" if _has_auxiliary(token) else _modal(head))
        elif token.dep_ in ("xcomp", "ccomp") and _is_infinitive(token) and head.i < token.i:
            lemma = grammar.lemma(head)
            above = _modal(head)
            if lemma in _PLANNING:
                return "plan"
            if lemma in _OBLIGING:
                return "may" if above == "may" else "must"
            if lemma in _ALLOWING:
                return "can"
            own = above
        elif token.dep_ == "ccomp":
            own = ""
        else:
            return own
        token = head
    return own


def quantifier(subject: Token | None) -> str:
    """Of how many a subject speaks: "all", "most", "many", "some", "few", "not all", "no" or ""."""
    if subject is None:
        return ""
    if subject.lower_ in ("nobody", "nothing", "none", "noone"):
        return "no"
    if subject.lower_ in ("everybody", "everyone", "everything", "all"):
        return "all"
    nearby = [
        child
        for child in grammar.near(subject)
        if child.dep_ in ("det", "predet", "amod", "neg", "nmod", "quantmod")
    ]
    above = subject.head
    if above.lower_ == "of" and above.dep_ == "prep":  # "some of the patients"
        nearby.append(above.head)
    found = ""
    for token in nearby:
        word = token.lower_
        before = token.doc[token.i - 1].lower_ if token.i > 0 else ""
        if word in _ALL:
            return "not all" if before in ("not", "n't") else "all"
        if word in ("no", "neither") or (word == "none" and above.lower_ == "of"):
            return "no"
        if word in ("many", "much") and before == "not":
            return "few"
        if word in _MOST:
            found = "most"
        elif word == "many":
            found = found or "many"
        elif word in _SOME:
            found = found or "some"
        elif word in _FEW:
            found = "some" if before == "a" else "few"
    return found


def _modal(verb: Token) -> str:
    for child in grammar.near(verb):
        if child.dep_ == "aux" and child.lower_ in _MODALS:
            return _MODALS[child.lower_]
        if child.dep_ == "advmod" and child.lower_ in _HEDGES:
            return "may"
    return ""


def _is_infinitive(verb: Token) -> bool:
    """Whether it is "close", or the "closed" of "to be closed"."""
    if verb.tag_ == "VB":
        return True
    return any(child.dep_ == "aux" and child.lower_ == "to" for child in grammar.near(verb))


def _has_auxiliary(verb: Token) -> bool:
    return any(
        child.dep_ in ("aux", "auxpass") or child.dep_ in grammar.SUBJECTS
        for child in grammar.near(verb)
    )


def _conditional(verb: Token) -> bool:
    return any(
        child.dep_ in ("mark", "advmod") and child.lower_ in ("if", "unless", "whether", "should")
        for child in grammar.near(verb)
    )
