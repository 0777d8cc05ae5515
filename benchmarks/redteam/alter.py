"""A parsed true sentence -> false ones, by the kind of fabrication they stand for.

Most are the alterations that the entailment model was trained on (`models/entailment/training/
rules`), sorted into the kinds that are counted here; widening and strengthening are our own. A
rule that is in doubt yields nothing: a "false" claim that is true would count as missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from spacy.tokens import Doc, Token

from models.entailment.training.rules import Altered, Pool, alterations
from models.entailment.training.rules.grammar import main_verb
from models.entailment.training.rules.tables import word_set

NUMBER, UNIT, DATE, NAME, SWAPPED = "number", "unit", "date", "name", "swapped names"
NEGATED, NOT_DROPPED = "negated", 'dropped "not"'
WIDENED, STRENGTHENED, REVERSED = "widened", "strengthened", "reversed comparison"

_KINDS = {
    "number": NUMBER,
    "number_near": NUMBER,
    "number_far": NUMBER,
    "number_digits": NUMBER,
    "magnitude": NUMBER,
    "unit": UNIT,
    "currency": UNIT,
    "percent": UNIT,
    "year": DATE,
    "month": DATE,
    "day": DATE,
    "weekday": DATE,
    "entity": NAME,
    "entity_swap": SWAPPED,
    "roles": SWAPPED,
    "negation_in": NEGATED,
    "negation_out": NOT_DROPPED,
    "hedge": STRENGTHENED,
    "comparison": REVERSED,
}

# Kinds whose false claim may be true where something is denied: who has not sold 40 boats may well
# not have sold 50, and what ends "not before 2026" does so not before 2024.
_ASSERTED = frozenset((NUMBER, UNIT, DATE, NAME, SWAPPED, REVERSED))
_DENIES = word_set("not n't n’t no none never neither nor cannot without nobody nothing")

# New words that say that one amount or time lies on the other side of another.
_MORE_OR_LESS = word_set("more less fewer least above below before after")
# How verbs and nouns begin that tell which way an amount moved.
_CHANGES = ("increas", "decreas", "rise", "rose", "risen", "fall", "fell", "grow", "grew", "shr",
            "declin", "rais", "lower", "reduc", "wid", "narrow", "improv", "worsen", "strengthen",
            "weaken", "accelerat", "slow")  # fmt: skip

# "Sixty (60) days": a number that is given twice is not changed once.
_TWICE = re.compile(r"\w \(\d+\)")

_SOME = word_set("some most many")
_OF_WHAT = word_set("the its their these those our his her")
_OFTEN = word_set("often usually sometimes generally typically normally frequently")
_WHOLE = word_set("all every always everyone everything")
_MAY = word_set("may might can should")
_ABOUT = word_set("about around approximately roughly nearly almost")
_ALLOWED = word_set("allowed permitted entitled")


def altered(doc: Doc, pool: Pool, rng: Random) -> dict[str, list[str]]:
    """Kind -> false variants of the one sentence that `doc` is; only kinds that it allows.

    Same `rng` state, same result. Names come from `pool`.
    """
    found: dict[str, list[str]] = {}
    if main_verb(doc[:]) is None:
        return found
    denied = any(token.lower_ in _DENIES for token in doc)
    for one in alterations(doc[:], pool, rng):
        kind = _kind(one, doc)
        if kind and not (denied and kind in _ASSERTED):
            found.setdefault(kind, []).append(one.text)
    for kind, texts in ((WIDENED, widened(doc)), (STRENGTHENED, strengthened(doc))):
        for text in texts:
            if text != doc.text and text not in found.get(kind, ()):
                found.setdefault(kind, []).append(text)
    return found


def _kind(one: Altered, doc: Doc) -> str | None:
    new = {one.text[start:end].lower() for start, end in one.spans}
    if one.kind == "quantifier":
        if one.stance == "unsupported" and new == {"all"}:
            return WIDENED
        at_most = new == {"most"} and "at most" in one.text.lower()
        return REVERSED if new & _MORE_OR_LESS or at_most else None
    if one.kind == "antonym":
        turned = new & _MORE_OR_LESS or all(word.startswith(_CHANGES) for word in new)
        return REVERSED if turned else None
    if one.kind in ("month", "day", "weekday") and one.stance == "unsupported":
        return None  # "by 3 May" may also be by 9 May
    if one.kind == "roles" and not all(_is_name(doc, one.text[a:b]) for a, b in one.spans):
        return None  # "toiletries carry stores" is more odd than false
    kind = _KINDS.get(one.kind)
    if kind == NUMBER and _TWICE.search(doc.text):
        return None
    return kind


def _is_name(doc: Doc, phrase: str) -> bool:
    """Whether a phrase that was moved is a name: has capitals where it stands in mid-sentence."""
    at = doc.text.lower().find(phrase.lower(), 1)
    return any(char.isupper() for char in doc.text[at : at + len(phrase)]) if at > 0 else True


def widened(doc: Doc) -> Iterator[str]:
    """What holds for some, often or nearly always, said of all and always."""
    if any(token.dep_ == "neg" or token.lower_ in ("no", "if", "there") for token in doc):
        return
    for token in doc[:-2]:
        low, after, before = token.lower_, token.nbor(1), _before(token)
        if low in _SOME and before not in ("at", "the", "very", "so", "too", "as", "how"):
            partitive = after.lower_ == "of" and after.nbor(1).lower_ in _OF_WHAT
            if partitive or _plural_noun(after):
                yield _with(doc, token, token, "all")
        elif low == "half" and after.lower_ == "of" and not token.i:
            yield _with(doc, token, token, "all")
        elif low in _OFTEN and token.dep_ == "advmod" and token.head.pos_ in ("VERB", "AUX"):
            if before not in ("more", "less", "most", "as", "how") and after.lower_ != "than":
                yield _with(doc, token, token, "always")
        elif low in ("nearly", "almost") and after.lower_ in _WHOLE:
            yield _with(doc, token, after, after.lower_)
        elif low == "except" and token.right_edge.i > token.i and token.i > 0:
            rest = doc.text[token.right_edge.idx + len(token.right_edge) :]
            yield doc.text[: token.idx].rstrip(" ,(") + rest


def strengthened(doc: Doc) -> Iterator[str]:
    """What may be told as what must, what is roughly so as exactly so."""
    if any(token.dep_ == "neg" or token.lower_ in ("no", "only") for token in doc):
        return
    for token in doc[:-1]:
        low, after = token.lower_, token.nbor(1)
        if low in _MAY and token.tag_ == "MD" and token.i > 0 and token.head.tag_ == "VB":
            if token.i < token.head.i and not any(t.lower_ == "have" for t in token.head.lefts):
                yield _with(doc, token, token, "must")
        elif low in _ABOUT and (after.like_num or after.text in "$£€"):
            yield _with(doc, token, token, "exactly")
        elif low in _ALLOWED and after.lower_ == "to" and _before(token) in ("is", "are", "be"):
            yield _with(doc, token, token, "required")


def _before(token: Token) -> str:
    return token.nbor(-1).lower_ if token.i else ""


def _plural_noun(token: Token) -> bool:
    if token.tag_ == "JJ" and token.i + 1 < len(token.doc):
        token = token.nbor(1)
    return token.tag_ in ("NNS", "NNPS")


def _with(doc: Doc, first: Token, last: Token, new: str) -> str:
    if first.text[0].isupper():
        new = new.capitalize()
    return doc.text[: first.idx] + new + doc.text[last.idx + len(last) :]
