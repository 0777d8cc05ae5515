"""Words of a sentence in another order: a time moved to the front, active and passive."""

from __future__ import annotations

from spacy.tokens import Span, Token

from .forms import verb_form
from .grammar import auxiliaries, coordinated, subject_of, subtree_ends
from .names import NAMES, entities_of
from .text import finished, text_between


def moved_phrase(sentence: Span, verb: Token) -> list[str]:
    """A dated phrase from the front to the end, or the reverse."""
    found = []
    if any(t.dep_ in ("conj", "ccomp", "advcl", "xcomp") for t in verb.children):
        return found
    last = sentence[-1]
    if last.text != "." or sentence.text.count(",") > 2 or sentence[0].like_num:
        return found
    # With two times, or a clause within, the phrase may be about something else than the verb.
    if sum(e.label_ in ("DATE", "TIME") for e in entities_of(sentence)) > 1 or any(
        t.dep_ in ("relcl", "acl", "advcl", "ccomp") for t in sentence
    ):
        return found
    for token in verb.children:
        run = subtree_ends(token)
        if token.dep_ != "prep" or run is None or token.lower_ not in ("in", "on", "during", "at"):
            continue
        left, right = run
        if not any(t.ent_type_ in ("DATE", "TIME", "GPE") for t in token.children):
            continue
        if any(t.dep_ in ("relcl", "acl", "conj") or t.text == "," for t in token.subtree):
            continue
        phrase = text_between(left, right)
        if left.i == sentence.start and right.nbor(1).text == ",":
            rest = sentence.doc[right.i + 2 : last.i].text
            if "," in rest:
                continue
            lowered = phrase[0].lower() + phrase[1:]
            found.append(f"{rest[0].upper()}{rest[1:]} {lowered}.")
        elif right.i == last.i - 1 and left.i > verb.i + 1 and left.nbor(-1).text != ",":
            first = sentence[0]
            if verb.children and any(t.i < (subject_of(verb) or verb).left_edge.i and not t.is_punct
                                     for t in verb.children):  # fmt: skip
                continue
            body = sentence.doc[sentence.start : left.i].text.rstrip()
            proper = first.pos_ == "PROPN" or first.ent_type_ in NAMES or first.lower_ == "i"
            if first.ent_type_ and first.pos_ == "DET":
                proper = False
            if not proper:
                body = body[0].lower() + body[1:]
            found.append(f"{phrase[0].upper()}{phrase[1:]}, {body}.")
    return found


def other_voice(sentence: Span, verb: Token) -> str | None:
    """Active to passive or back, when subject, verb and object are plain."""
    last = sentence[-1]
    subject = subject_of(verb)
    if subject is None or last.text != "." or verb.pos_ != "VERB":
        return None
    if any(t.dep_ in ("neg", "conj", "xcomp", "ccomp", "prt", "dative", "advcl", "oprd", "advmod",
                      "npadvmod") for t in verb.children):  # fmt: skip
        return None
    whole = subtree_ends(subject)
    if whole is None or whole[0].i != sentence.start or whole[1].i - whole[0].i > 6:
        return None
    if any(t.is_punct or t.tag_ == "PRP" or t.tag_ in ("WDT", "WP") for t in subject.subtree):
        return None
    opener = text_between(*whole)
    if whole[0].pos_ != "PROPN":
        opener = opener[0].lower() + opener[1:]
    if verb.tag_ == "VBD" and not auxiliaries(verb) and whole[1].i + 1 == verb.i:
        objects = [t for t in verb.children if t.dep_ == "dobj"]
        if len(objects) != 1 or verb.lemma_ in ("have", "become", "lack", "resemble", "cost",
                                                "enter", "leave", "fit",
                                                "say", "suit", "get"):  # fmt: skip
            return None
        found = objects[0]
        run = subtree_ends(found)
        if run is None or run[0].i != verb.i + 1 or run[1].i - run[0].i > 8:
            return None
        inner = list(found.subtree)
        if found.tag_ in ("PRP", "WP") or any(
            t.tag_ in ("PRP$", "PRP", "WDT", "WP") or t.is_punct for t in inner
        ) or any(t.dep_ in ("relcl", "acl", "prep") for t in inner):  # fmt: skip
            return None
        # "its" must still find its owner, and a place or time keeps its place at the end.
        rest = sentence.doc[run[1].i + 1 : last.i]
        if any(t.is_punct or t.tag_ == "PRP$" for t in rest) or (
            len(rest) and not _dated_tail(rest)
        ):
            return None
        many = found.tag_ in ("NNS", "NNPS") or coordinated(found)
        participle = verb_form(verb.lemma_.lower(), "VBN")
        moved = text_between(*run)
        text = f"{moved} {'were' if many else 'was'} {participle} by {opener}"
        return finished(f"{text} {rest.text}")
    auxes = auxiliaries(verb)
    if verb.tag_ == "VBN" and [t.lower_ for t in auxes] in (["was"], ["were"]):
        agents = [t for t in verb.children if t.dep_ == "agent"]
        if len(agents) != 1 or agents[0].i != verb.i + 1 or auxes[0].i + 1 != verb.i:
            return None
        by = [t for t in agents[0].children if t.dep_ == "pobj"]
        run = subtree_ends(by[0]) if by else None
        if run is None or by[0].tag_ == "PRP" or any(
            t.dep_ in ("relcl", "acl") or t.is_punct or t.tag_ in ("PRP$", "VBG")
            for t in by[0].subtree
        ):  # fmt: skip
            return None
        rest = sentence.doc[run[1].i + 1 : last.i]
        if len(rest) and not _dated_tail(rest):
            return None
        text = f"{text_between(*run)} {verb_form(verb.lemma_.lower(), 'VBD')} {opener} {rest.text}"
        return finished(text)
    return None


def _dated_tail(rest: Span) -> bool:
    return len(rest) <= 5 and rest[0].lower_ in ("in", "on") and rest[-1].ent_type_ == "DATE"
