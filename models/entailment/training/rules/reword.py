"""Parsed sentence -> true paraphrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from spacy.tokens import Span, Token

from .edits import Edit, apply_edits, cased_like, replace_tokens
from .forms import noun_plural, verb_form
from .grammar import coordinated, main_verb, subtree_ends
from .numerals import ABOUT
from .reorder import moved_phrase, other_voice
from .reword_amounts import reworded_dates, reworded_numbers, reworded_units
from .tables import pairs
from .text import balanced, bounds_of, source_text

# Lemma and another of the same meaning.
_SYNONYMS = pairs(
    """
    purchase buy, buy purchase, assist help, approximately about, roughly about, nearly almost,
    almost nearly, large big, big large, rapidly quickly, quickly rapidly, frequently often,
    often frequently, physician doctor, automobile car, film movie, movie film, additional extra,
    sufficient enough, entire whole, whole entire, require need, numerous many,
    especially particularly, primarily mainly, mainly primarily, usually generally,
    famous well-known, wealthy rich, attorney lawyer, lawyer attorney, construct build,
    demonstrate show
    """
)

_CONTRACTIONS = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't",
    "are not": "aren't", "was not": "wasn't", "were not": "weren't", "cannot": "can't",
    "will not": "won't", "has not": "hasn't", "have not": "haven't", "had not": "hadn't",
    "could not": "couldn't", "would not": "wouldn't", "should not": "shouldn't",
}  # fmt: skip

_LONG_FORMS = {short: long for long, short in _CONTRACTIONS.items()}


def rewordings(sentence: Span, rng: Random) -> list[str]:
    """True paraphrases, each by one change, the order drawn from `rng`; empty where none is safe.

    The sentence's own end mark is kept.
    """
    verb = main_verb(sentence)
    if verb is None:
        return []
    start, end = bounds_of(sentence)
    whole = source_text(sentence.doc)[start:end]
    found: list[str] = []
    for edits in (
        *reworded_numbers(sentence),
        *reworded_units(sentence),
        *reworded_dates(sentence),
        *_reworded_words(sentence),
        *_reworded_possessives(sentence),
    ):
        found.append(apply_edits(sentence, edits)[0])
    found += _contracted(whole)
    found += moved_phrase(sentence, verb)
    voice = other_voice(sentence, verb)
    if voice:
        found.append(voice)
    unique = [text for text in dict.fromkeys(found) if text != whole and balanced(text)]
    rng.shuffle(unique)
    return unique


def _reworded_words(sentence: Span) -> Iterator[list[Edit]]:
    for token in sentence:
        new = _SYNONYMS.get(token.lemma_.lower())
        if (
            new is None
            or (token.ent_type_ and token.lower_ not in ABOUT)
            or token.dep_ == "compound"
        ):
            continue
        if token.is_title and token.i != sentence.start:
            continue
        if token.pos_ == "VERB":
            if token.tag_ not in ("VBD", "VBZ", "VBP", "VB") or (
                token.lemma_ == "require" and not any(t.dep_ == "dobj" for t in token.children)
            ):
                continue
            yield replace_tokens(token, token, cased_like(verb_form(new, token.tag_), token), False)
        elif token.pos_ == "NOUN":
            if token.lower_ in ("whole", "entire", "big", "large"):
                continue
            if token.lemma_ == "film" and any(t.dep_ == "compound" for t in token.children):
                continue
            new = noun_plural(new) if token.tag_ == "NNS" else new
            yield replace_tokens(token, token, cased_like(new, token), False)
        elif token.tag_ in ("JJ", "RB") and token.text.lower() == token.lemma_.lower():
            if token.lower_ in ("big", "large") and (
                token.dep_ != "amod" or token.head.lemma_ not in ("house", "city", "company",
                                                                 "area", "building", "group")
            ):  # fmt: skip
                continue
            if token.lower_ in ("almost", "nearly") and token.head.pos_ != "NUM":
                continue
            if token.lower_ in ("entire", "whole") and token.dep_ != "amod":
                continue
            yield replace_tokens(token, token, cased_like(new, token), False)


def _reworded_possessives(sentence: Span) -> Iterator[list[Edit]]:
    """As in "France's capital" -> "the capital of France", and back."""
    for token in sentence:
        if (
            token.dep_ != "poss"
            or token.pos_ != "PROPN"
            or token.ent_type_ not in ("GPE", "ORG", "PERSON")
        ):
            continue
        run, head = subtree_ends(token), token.head
        if run is None or run[1].text not in ("'s", "’s") or head.pos_ != "NOUN":
            continue
        if any(t.dep_ in ("prep", "relcl", "appos", "acl", "compound") for t in head.children):
            continue
        if (
            head.right_edge.i != head.i
            or coordinated(head)
            or coordinated(token)
            or (head.dep_ in ("compound", "nmod", "appos") or _before_name(head))
        ):
            continue
        owner = sentence.doc[run[0].i : run[1].i].text
        inner = sentence.doc[run[1].i + 1 : head.i + 1]
        if not owner or len(inner) == 0 or len(inner) > 3 or any(t.is_punct for t in inner):
            continue
        if run[0].text[0].islower() and run[0].lower_ != "the":
            continue
        yield [Edit(run[0].idx, head.idx + len(head), f"the {inner.text} of {owner}", False)]


def _before_name(token: Token) -> bool:
    return token.i + 1 < len(token.doc) and token.nbor(1).pos_ == "PROPN"


def _contracted(whole: str) -> list[str]:
    found = []
    for table in (_CONTRACTIONS, _LONG_FORMS):
        for old, new in table.items():
            pattern = re.compile(rf"\b{re.escape(old)}\b(?! (?:only|just|merely))")
            if len(pattern.findall(whole)) == 1:
                found.append(pattern.sub(new, whole))
    return found
