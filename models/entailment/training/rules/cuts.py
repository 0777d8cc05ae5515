"""What may be left out of a sentence so that the rest still follows from it.

A cut is a pair of characters [start, end) of the document.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Span, Token

from .grammar import REPORT, is_plain_past, subtree_ends
from .tables import word_set

# What makes dropping a restricting phrase unsafe: downward or non-monotone surroundings.
_RESTRICTING = word_set(
    """
    not n't no none never neither nor nobody nothing nowhere without hardly scarcely barely rarely
    seldom few fewer less least little only solely merely except unless if whether all every each
    any both most majority exactly always entire entirely first last second third final until than
    alone almost nearly lack lacked fail failed deny denied unlikely doubt so too same such as per
    average total
    """
)

_OPENERS = word_set(
    """
    however moreover furthermore additionally meanwhile therefore thus consequently nevertheless
    nonetheless also besides hence indeed finally eventually interestingly notably unfortunately
    fortunately surprisingly importantly similarly accordingly subsequently afterwards afterward
    then today historically
    """
)

_STATIVE = word_set("be remain stay live lie stand exist occur happen take become")


def _plain(sentence: Span) -> bool:
    """Whether a phrase that only narrows the sentence may be dropped from it."""
    for token in sentence:
        if token.lower_ in _RESTRICTING or token.tag_ in ("MD", "JJS", "RBS", "JJR", "RBR"):
            return False
        if token.lemma_ in REPORT and token.pos_ == "VERB":
            return False
    return True


def cut_at_commas(left: Token, right: Token) -> tuple[int, int] | None:
    """Characters from the comma before `left` up to and with the comma after `right`.

    None unless commas (or dashes, or the sentence's end) stand on both sides.
    """
    sent = left.sent
    before = left.nbor(-1) if left.i > sent.start else None
    after = right.nbor(1) if right.i + 1 < sent.end else None
    if before is None or before.text not in (",", "–", "—"):
        return None
    if after is None or after.text in (".", ";", "!"):
        return before.idx, right.idx + len(right)
    if after.text == before.text:
        return before.idx, after.idx + len(after)
    return None


def in_list(token: Token) -> bool:
    """Whether a comma near the token may be one of a list's rather than an aside's."""
    head = token.head
    near = (head, *head.ancestors)
    for word in near[:3]:
        if word.dep_ == "conj" or any(t.dep_ in ("conj", "cc") for t in word.children):
            if word.pos_ in ("VERB", "AUX"):
                break
            return True
    return any(t.dep_ in ("conj", "cc", "appos") for t in token.children)


def aside_cuts(sentence: Span) -> Iterator[tuple[int, int]]:
    """Cuts for what only adds: parentheses, appositions, comma-set relative clauses, openers."""
    opened: Token | None = None
    quoted = False
    for token in sentence:
        if token.text in '"“”':
            quoted = not quoted
        if token.text == "(":
            opened = None if quoted else token
        elif token.text == ")" and opened is not None:
            inner = token.i - opened.i > 1 and opened.i > sentence.start
            # In "one (half) brother" the parenthesis may restrict the noun.
            after = token.nbor(1).pos_ if token.i + 1 < sentence.end else ""
            if inner and after not in ("NOUN", "PROPN", "ADJ", "NUM"):
                yield opened.idx, token.idx + 1
            opened = None
    for token in sentence:
        if token.dep_ not in ("appos", "relcl"):
            continue
        run = subtree_ends(token)
        if run is None or in_list(token) or token.head.pos_ not in ("NOUN", "PROPN"):
            continue
        left, right = run
        if left.i <= token.head.i:
            continue
        if token.dep_ == "relcl" and left.lower_ not in ("who", "which", "whose", "where"):
            continue
        if token.dep_ == "appos" and token.pos_ not in ("NOUN", "PROPN"):
            continue
        if token.dep_ == "appos" and (left.ent_type_ in ("GPE", "DATE") or left.is_digit):
            continue  # "Paris, France" and "3 May, 2021" are one name
        cut = cut_at_commas(left, right)
        if cut:
            yield cut
    first = sentence[0]
    if first.lower_ in _OPENERS and len(sentence) > 2 and sentence[1].text == ",":
        yield first.idx, sentence[1].idx + 1
    for token in sentence[2:-2]:
        if token.lower_ in ("however", "therefore", "moreover") and (
            token.nbor(-1).text == "," and token.nbor(1).text == ","
        ):
            yield token.nbor(-1).idx, token.nbor(1).idx + 1


def optional_cuts(sentence: Span, verb: Token) -> Iterator[tuple[int, int]]:
    """Cuts for times and places of a plain past event, and for comma-set adverbial clauses."""
    if (
        not is_plain_past(verb)
        or not _plain(sentence)
        or verb.lemma_ in _STATIVE
        or verb.lemma_ == "bear"
    ):
        return
    if any(t.dep_ in ("conj", "ccomp", "xcomp") for t in verb.children):
        return
    complete = verb.tag_ == "VBN" or any(t.dep_ == "dobj" for t in verb.children)
    for token in verb.children:
        run = subtree_ends(token)
        if run is None or any(t.dep_ in ("relcl", "acl", "advcl") for t in token.subtree):
            continue
        left, right = run
        edge_after = right.i + 1 >= sentence.end or right.nbor(1).is_punct
        if token.dep_ == "prep" and complete and token.lower_ in ("in", "on", "at", "during"):
            objects = [t for t in token.children if t.dep_ == "pobj"]
            if not objects or objects[0].ent_type_ not in ("DATE", "TIME", "GPE", "LOC"):
                continue
            if any(t.dep_ in ("conj", "cc") for t in token.subtree):
                continue
            if left.i > verb.i and (edge_after or right.nbor(1).dep_ == "prep"):
                before = left.nbor(-1)
                if before.text == "," and right.i + 1 < sentence.end and right.nbor(1).text == ",":
                    yield before.idx, right.idx + len(right) + 1
                elif before.text != ",":
                    # "in May, 2021" would leave ", 2021" behind.
                    if edge_after and right.i + 1 < sentence.end and right.nbor(1).text == ",":
                        continue
                    yield left.idx, right.idx + len(right)
            elif left.i == sentence.start and right.nbor(1).text == ",":
                yield left.idx, right.nbor(1).idx + 1
    for token in verb.children:
        if token.dep_ != "advcl":
            continue
        run = subtree_ends(token)
        if run is None:
            continue
        left, right = run
        if left.lower_ not in ("although", "though", "while", "because", "after", "when", "since"):
            continue
        if left.i == sentence.start and right.nbor(1).text == ",":
            yield left.idx, right.nbor(1).idx + 1
        elif (
            left.i > verb.i
            and right.i + 1 < sentence.end
            and right.nbor(1).text == "."
            and (left.nbor(-1).text == "," or left.lower_ in ("because", "although", "though"))
        ):
            yield left.idx, right.idx + len(right)
