"""Negation put into a sentence, or taken out of it."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Span, Token

from .edits import Change, Edit, Stance, cased_like
from .forms import PAST_FORMS, verb_form
from .grammar import auxiliaries, subject_of
from .tables import word_set
from .text import text_between

NEGATIVE = word_set(
    """
    not n't no none never neither nor nobody nothing hardly scarcely barely rarely seldom few only
    without little unless any either anyone anything ever yet too cannot
    """
)

_VAGUE_SUBJECTS = word_set(
    """
    some many most several all every each both few any no more another other others everyone
    everybody someone somebody one half
    """
)

# "Not only", "not every": without the "not" the rest would not be the reverse.
_AFTER_NOT = word_set(
    """
    only just all every necessarily always until merely both even so a more less enough
    """
)


def negation_edits(sentence: Span, verb: Token) -> Iterator[Change]:
    """The main verb negated, or its negation gone."""
    negs = [t for t in sentence if t.dep_ == "neg" or t.lower_ in NEGATIVE]
    if not negs:
        yield from _negated(verb)
    elif (
        len(negs) == 1 and negs[0].head == verb and negs[0].lower_ in ("not", "n't", "n’t", "never")
    ):
        yield from _affirmed(verb, negs[0])


def _negated(verb: Token) -> Iterator[Change]:
    subject = subject_of(verb)
    if subject is None or any(t.lower_ in _VAGUE_SUBJECTS for t in subject.subtree):
        return
    if any(t.lower_ in ("always", "almost", "nearly", "still", "already", "also", "often",
                        "sometimes", "usually", "even", "some", "several", "just", "mostly")
           for t in verb.sent):  # fmt: skip
        return
    joined = [t for t in verb.children if t.dep_ == "conj"]
    if any(t.dep_ in ("preconj",) for t in verb.children) or any(
        t.dep_ == "cc" and t.lower_ == "or" for t in verb.children
    ):
        return
    auxes = auxiliaries(verb)
    stance: Stance = "contradicted"
    if auxes:
        first = auxes[0]
        if first.lower_ in ("may", "might", "'ll", "'d", "’d", "’ll", "ca", "wo") or (
            first.tag_ == "TO" or first.i < subject.i
        ):
            return
        if first.text[0] in "'’":
            return
        if any(subject_of(t) is None for t in joined):
            return
        end = first.idx + len(first)
        if first.lower_ == "can":
            yield [Edit(first.idx, end, cased_like("cannot", first))], "negation_in", stance
            return
        yield [Edit(first.idx, end, f"{first.text} not")], "negation_in", stance
        return
    if any(subject_of(t) is None for t in joined):
        return
    if verb.lemma_ == "be" and verb.lower_ in ("is", "was", "are", "were", "am"):
        end = verb.idx + len(verb)
        nxt = verb.nbor(1) if verb.i + 1 < len(verb.doc) else None
        if nxt is None or nxt.lower_ == "to":
            return
        yield [Edit(verb.idx, end, f"{verb.text} not")], "negation_in", stance
        return
    helper = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(verb.tag_)
    if helper is None or verb.text[0] in "'’" or not verb.is_lower:
        return
    base = verb.lemma_.lower()
    if verb.tag_ == "VBP" and verb.lower_ in PAST_FORMS:
        return  # "engineers rewrote" is at times read as a present
    if (verb.tag_ == "VBP" and base != verb.lower_) or (base == verb.lower_ and verb.tag_ == "VBZ"):
        return
    before = [t for t in verb.lefts if t.dep_ == "advmod" and t.i == verb.i - 1]
    first = before[0] if before else verb
    middle = text_between(first, verb)[: -len(verb.text)]
    end = verb.idx + len(verb)
    yield [Edit(first.idx, end, f"{helper} not {middle}{base}")], "negation_in", stance


def _affirmed(verb: Token, neg: Token) -> Iterator[Change]:
    stance: Stance = "contradicted"
    following = neg.nbor(1).lower_ if neg.i + 1 < len(verb.doc) else ""
    if following in _AFTER_NOT and not (following == "a" and verb.lemma_ == "be"):
        return
    if any(t.lower_ in ("but", "until", "rather", "instead", "because", "whether", "much", "longer",
                        "anymore", "or", "as") for t in verb.sent):  # fmt: skip
        return
    if neg.lower_ == "never":
        if auxiliaries(verb) or verb.tag_ not in ("VBD", "VBZ", "VBP"):
            return
        end = verb.idx + len(verb)
        between = text_between(neg, verb)[len(neg.text) :].lstrip()
        yield [Edit(neg.idx, end, between)], "negation_out", stance
        return
    if neg.i == 0:
        return
    before = neg.nbor(-1)
    if before.lemma_ == "do" and before.dep_ == "aux" and verb.tag_ == "VB":
        tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}.get(before.lower_)
        if tag is None:
            return
        middle = text_between(neg, verb)[len(neg.text) : -len(verb.text)].strip()
        new = f"{middle} {verb_form(verb.lemma_.lower(), tag)}".strip()
        yield [Edit(before.idx, verb.idx + len(verb), new)], "negation_out", stance
        return
    if before.dep_ not in ("aux", "auxpass", "ROOT") or (before.tag_ == "MD" and before.lower_ in (
        "may", "might",
    )):  # fmt: skip
        return
    full = {"ca": "can", "wo": "will", "sha": "shall"}.get(before.lower_, before.text)
    after = neg.nbor(1)
    if not after.is_alpha or after.is_title:
        return
    new = f"{cased_like(full, before)} {after.text}"
    yield [Edit(before.idx, after.idx + len(after), new)], "negation_out", stance
