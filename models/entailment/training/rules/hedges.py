"""Hedges made certain: "may" -> "will", "tried to" -> "managed to"."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Span

from .edits import Change, Edit, Stance, replace_tokens
from .forms import verb_form
from .grammar import auxiliaries
from .tables import word_set

_HEDGES = word_set(
    """
    possibly perhaps probably likely allegedly reportedly apparently supposedly potentially
    presumably purportedly
    """
)


def hedge_edits(sentence: Span) -> Iterator[Change]:
    """What was possible, tried or planned told as certain."""
    if any(t.dep_ == "neg" for t in sentence):
        return
    stance: Stance = "unsupported"
    for token in sentence:
        low = token.lower_
        after = token.nbor(1) if token.i + 1 < sentence.end else None
        if after is None:
            continue
        if low in ("may", "might", "could") and token.tag_ == "MD" and token.dep_ == "aux":
            if token.head.tag_ == "VB" and token.i < token.head.i and token.i > sentence.start:
                if low == "could" or any(t.lower_ == "have" and t.dep_ == "aux"
                                         for t in token.head.children):  # fmt: skip
                    continue
                yield replace_tokens(token, token, "will"), "hedge", stance
        elif low in _HEDGES and token.dep_ == "advmod" and token.tag_ == "RB":
            if after.text != "," and token.i > sentence.start and token.nbor(-1).text != ",":
                yield [Edit(token.idx, token.idx + len(token), "certainly")], "hedge", stance
        elif token.lemma_ == "suggest" and after.lower_ == "that" and token.pos_ == "VERB":
            yield replace_tokens(token, token, verb_form("prove", token.tag_)), "hedge", stance
        elif low in ("expected", "planned", "scheduled", "set", "likely") and after.lower_ == "to":
            before = token.nbor(-1) if token.i > sentence.start else None
            if before is None or before.lower_ not in ("is", "are") or after.i + 1 >= sentence.end:
                continue
            if after.nbor(1).tag_ == "VB":
                end = after.idx + len(after)
                yield [Edit(before.idx, end, "will certainly")], "hedge", stance
        elif (
            token.lemma_ in ("try", "attempt", "seek", "hope", "aim", "plan", "intend")
            and (after.lower_ == "to" and token.tag_ == "VBD" and not auxiliaries(token))
            and (after.i + 1 < sentence.end and after.nbor(1).tag_ == "VB")
        ):
            yield replace_tokens(token, token, "managed"), "hedge", stance
