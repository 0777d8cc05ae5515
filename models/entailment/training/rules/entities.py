"""False names: another of the same type, two of the sentence swapped, roles turned round."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spacy.tokens import Span, Token

from .edits import Change, Edit, Stance, replace_tokens
from .grammar import coordinated, subject_of, subtree_ends
from .names import names_in
from .pool import Pool
from .tables import word_set
from .text import text_between

_SYMMETRIC = word_set(
    """
    meet marry equal resemble face fight join match share differ compete agree collaborate neighbor
    neighbour border connect link merge play date divorce be become correspond talk include combine
    compare mix separate say form make comprise consist constitute represent have remain see work
    """
)


def entity_edits(sentence: Span, pool: Pool, rng: Random) -> Iterator[Change]:
    """Another name of the same type, from the document or the pool."""
    for name in names_in(sentence):
        new = pool.entity(name, rng, sentence.text)
        if new is None:
            continue
        # In a list, or as one of several that did the same, another name may be true as well.
        stance: Stance = "unsupported" if coordinated(name.root) else "contradicted"
        first, last = name[0], name[-1]
        yield replace_tokens(first, last, new), "entity", stance


def swap_edits(sentence: Span, verb: Token) -> Iterator[Change]:
    """Two names of one type in each other's place."""
    names = [n for n in names_in(sentence) if n.label_ != "NORP"]
    symmetric = verb.lemma_ in _SYMMETRIC or any(
        t.lower_ in ("between", "both", "together", "respectively", "and/or", "each")
        for t in sentence
    )
    if symmetric:
        return
    for at, one in enumerate(names):
        for two in names[at + 1 :]:
            if one.label_ != two.label_ or one.text == two.text:
                continue
            if coordinated(one.root) or coordinated(two.root):
                continue
            if "appos" in (one.root.dep_, two.root.dep_) or _same_np(one.root, two.root):
                continue
            subject = {one.root.dep_, two.root.dep_} & {"nsubj", "nsubjpass"}
            alike = one.root.tag_ == two.root.tag_ and one.root.head != two.root.head
            if not subject and not alike:
                continue
            there = replace_tokens(one[0], one[-1], two.text)
            back = replace_tokens(two[0], two[-1], one.text)
            yield there + back, "entity_swap", "contradicted"


def _same_np(a: Token, b: Token) -> bool:
    return a == b or a.is_ancestor(b) or b.is_ancestor(a)


def role_edits(sentence: Span, verb: Token) -> Iterator[Change]:
    """Subject and object in each other's place."""
    subject = subject_of(verb)
    if subject is None or verb.lemma_ in _SYMMETRIC or verb.pos_ != "VERB":
        return
    objects = [t for t in verb.children if t.dep_ == "dobj"]
    objects += [
        p for t in verb.children if t.dep_ == "agent" for p in t.children if p.dep_ == "pobj"
    ]
    if len(objects) != 1:
        return
    other = objects[0]
    pair = (subject, other)
    if any(t.pos_ not in ("NOUN", "PROPN") for t in pair) or subject.pos_ != other.pos_:
        return
    number = [t.tag_ in ("NNS", "NNPS") for t in pair]
    if number[0] != number[1] or subject.ent_type_ != other.ent_type_:
        return
    if subject.lemma_ == other.lemma_ or any(coordinated(t) for t in pair):
        return
    runs = [subtree_ends(t) for t in pair]
    if any(run is None or run[1].i - run[0].i > 5 for run in runs):
        return
    left, right = runs[0], runs[1]
    assert left and right
    if any(t.tag_ in ("PRP$", "WDT", "WP") or t.is_punct for run in (left, right)
           for t in sentence.doc[run[0].i : run[1].i + 1]):  # fmt: skip
        return
    first, second = text_between(*left), text_between(*right)
    if left[0].i == sentence.start and left[0].pos_ != "PROPN":
        first = first[0].lower() + first[1:]
    yield (
        [Edit(left[0].idx, left[1].idx + len(left[1]), second),
         Edit(right[0].idx, right[1].idx + len(right[1]), first)],
        "roles", "contradicted",
    )  # fmt: skip
