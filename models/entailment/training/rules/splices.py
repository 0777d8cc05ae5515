"""Sentences as a careless summarizer makes them: every word from the document, the sense not.

What abstractive summarizers of news get wrong most often is not a word but what is joined to what
(Falke et al. 2019; Pagnoni et al. 2021, FRANK: errors of the predicate's arguments).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Span, Token

from .edits import Altered, Edit, apply_edits, replace_tokens
from .grammar import coordinated, main_verb, subject_of, subtree_ends
from .tables import word_set
from .text import bounds_of, text_between

_NAMED = ("PERSON", "ORG", "GPE")
_LONGEST = 7  # tokens of a subject that is moved
_LOOSE = word_set("no none neither nor nobody nothing few only")
# "Joined the police force", "joined the police": hardly less.
_EMPTY = word_set(
    """
    force company team group system area process programme program service department market
    industry sector member staff people way level rate thing case period time
    """
)
_POINTING = word_set("this that these those such same other another")


def spliced(sentence: Span, others: Sequence[Span]) -> Iterator[tuple[Altered, Span]]:
    """What the sentence says, said of the subject of another; and that other sentence."""
    verb = main_verb(sentence)
    own = _movable(verb)
    if verb is None or own is None or any(t.lower_ in _LOOSE for t in sentence):
        return
    for other in others:
        theirs = _movable(main_verb(other))
        if theirs is None or not _of_a_kind(own, theirs):
            continue
        if _mentions(sentence, theirs) or _mentions(other, own):
            continue
        ends, said = subtree_ends(own), subtree_ends(theirs)
        assert ends and said
        text, spans = apply_edits(sentence, replace_tokens(*ends, text_between(*said)))
        yield Altered(text, spans, "splice", "unsupported"), other


def cut_short(sentence: Span) -> Iterator[Altered]:
    """The sentence cut inside a phrase: "their use of fake crowd noise" -> "... fake crowd"."""
    verb = main_verb(sentence)
    if verb is None:
        return
    _, end = bounds_of(sentence)
    for token in sentence:
        head = token.head
        if token.dep_ != "compound" or token.pos_ != "NOUN" or head.i != token.i + 1:
            continue
        if head.dep_ not in ("dobj", "pobj", "attr") or token.i < verb.i or token.tag_ != "NN":
            continue
        if head.lemma_ in _EMPTY:
            continue
        if any(t.lemma_ == token.lemma_ for t in sentence if t.i != token.i):
            continue
        text, _ = apply_edits(sentence, [Edit(token.idx + len(token), end, ".", wrong=False)])
        if len(text.split()) >= 5:
            at = len(text) - 1 - len(token)
            yield Altered(text, ((at, at + len(token)),), "cut short", "unsupported")


def _movable(verb: Token | None) -> Token | None:
    """The subject of a verb where it is a short phrase that names something."""
    subject = subject_of(verb) if verb is not None else None
    if subject is None or subject.pos_ not in ("NOUN", "PROPN") or coordinated(subject):
        return None
    ends = subtree_ends(subject)
    if ends is None or ends[1].i - ends[0].i >= _LONGEST:
        return None
    loose = any(
        t.is_punct or t.tag_ == "PRP$" or t.dep_ in ("relcl", "acl") or t.lower_ in _POINTING
        for t in subject.subtree
    )
    return None if loose else subject


def _of_a_kind(one: Token, other: Token) -> bool:
    """Whether both can be the subject of a verb, and are surely not the same."""
    plural = [t.tag_ in ("NNS", "NNPS") for t in (one, other)]
    if plural[0] != plural[1] or one.lemma_.lower() == other.lemma_.lower():
        return False
    if {t.lower_ for t in one.subtree} & {t.lower_ for t in other.subtree} - {"the", "a", "an"}:
        return False
    if one.pos_ == other.pos_ == "PROPN":
        return one.ent_type_ == other.ent_type_ and one.ent_type_ in _NAMED
    # "The firm" may be the company that another sentence speaks of: only what is told apart.
    return one.pos_ == other.pos_ == "NOUN" and all(
        any(t.dep_ in ("amod", "compound", "nummod", "poss") for t in token.children)
        for token in (one, other)
    )


def _mentions(sentence: Span, subject: Token) -> bool:
    return any(t.lemma_.lower() == subject.lemma_.lower() for t in sentence)
