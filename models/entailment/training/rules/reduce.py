"""Parsed sentence -> shorter sentences that it entails by construction.

After the compressions of Falke et al. 2019.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spacy.tokens import Span, Token

from .cuts import aside_cuts, cut_at_commas, in_list, optional_cuts
from .grammar import REPORT, auxiliaries, is_finite, main_verb, subject_of, subtree_ends
from .names import entities_of
from .text import balanced, bounds_of, finished, source_text, text_between


def reductions(sentence: Span) -> list[str]:
    """Shorter texts that the sentence entails by construction, in order, each once.

    Each begins in upper case and ends with a full stop. Empty for questions, headings,
    fragments and whatever the parse does not show to be a plain statement.
    """
    verb = main_verb(sentence)
    if verb is None or sentence.text.strip()[0] in '"“':
        return []
    if any(t.text == ":" for t in sentence[:4]):
        return []
    start, end = bounds_of(sentence)
    source = source_text(sentence.doc)
    single = [*aside_cuts(sentence)]
    optional = [*optional_cuts(sentence, verb)]
    found: list[str] = []

    def keep(cuts: Iterable[tuple[int, int]], low: int = start, high: int = end) -> None:
        at, parts = low, []
        for a, b in sorted(cuts):
            if a < at or b > high:
                continue
            parts.append(source[at:a])
            at = b
        parts.append(source[at:high])
        found.append(finished(" ".join(part.strip() for part in parts)))

    for cut in single[:2]:
        keep([cut])
    if len(single) > 1:
        keep(single)
    for cut in optional:
        keep([cut])
        if single:
            keep([*single, cut])
    if len(optional) > 1:
        keep([*single, *optional])
    for text, cuts in _clauses(sentence, verb, single):
        found.append(finished(text))
        if cuts:
            keep(cuts)
    found += [finished(text) for text in _appositions(sentence)]
    whole = finished(sentence.text)
    good = [text for text in dict.fromkeys(found) if text != whole and _sound(text)]
    return good


def _sound(text: str) -> bool:
    words = text.split()
    return (
        len(words) >= 4
        and balanced(text)
        and not re.search(r"[,(]\s*[.)]|\b(and|or|but|of|the|a|an|to|by|with|for)\.$", text)
        and not re.match(r"(and|or|but|which|who|that)\b", text, re.IGNORECASE)
    )


def _clauses(
    sentence: Span, verb: Token, asides: list[tuple[int, int]]
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """(the second of two joined clauses with its subject, cuts that leave only the first)."""
    if verb.lemma_ in REPORT or any(
        t.lower_ in ("if", "unless", "either", "neither", "or", "whether", "both", "than", "not",
                     "n't", "never", "no", "only", "according", "allegedly", "reportedly")
        for t in sentence
    ):  # fmt: skip
        return
    joined = [t for t in verb.children if t.dep_ == "conj"]
    if len(joined) != 1:
        return
    other = joined[0]
    joins = [t for t in verb.children if t.dep_ == "cc" and verb.i < t.i < other.i]
    marks = [t for t in verb.children if t.text == ";" and verb.i < t.i < other.i]
    if joins and joins[-1].lower_ not in ("and", "but"):
        return
    if not joins and not marks:
        return
    run = subtree_ends(other)
    subject = subject_of(verb)
    if run is None or subject is None or not is_finite(other):
        return
    join = (joins or marks)[-1]
    if any(t.i > run[1].i and not t.is_punct for t in verb.children):
        return
    if other.i < join.i or run[0].i <= join.i:
        return
    second = text_between(*run)
    tail = run[1].idx + len(run[1])
    own = subject_of(other)
    if own is None and any(t.dep_ in ("nsubj", "nsubjpass", "expl") for t in other.children):
        return
    if own is None:
        if len(auxiliaries(verb)) or len(auxiliaries(other)) or verb.tag_ != other.tag_:
            return
        if verb.tag_ == "VB" or verb.lemma_ == "be" or other.lemma_ in REPORT:
            return
        needed = ("dobj", "attr", "acomp", "prep")
        if not any(t.dep_ in needed and t.i < join.i for t in verb.children if t.i > verb.i):
            return
        if not any(t.dep_ in needed for t in other.children if t.i > other.i):
            return
        whole = subtree_ends(subject)
        if whole is None:
            return
        # Fronted phrases would be lost; they may restrict the second clause too.
        if any(t.i < whole[0].i and not t.is_punct for t in verb.children):
            return
        text = f"{text_between(*whole)} {second}"
    else:
        text = second
        if own.lower_ in ("which", "who", "that", "this", "it", "they", "he", "she") and (
            own.lower_ in ("which", "who", "that")
        ):
            return
    cut_from = join.idx
    yield text, [(cut_from, tail)]


def _appositions(sentence: Span) -> Iterator[str]:
    """As in "Ada Byron, a mathematician, wrote ..." -> "Ada Byron is a mathematician"."""
    past = sentence.root.tag_ == "VBD"
    for token in sentence:
        if token.dep_ != "appos" or token.pos_ != "NOUN" or token.head.pos_ != "PROPN":
            continue
        head, run = token.head, subtree_ends(token)
        if run is None or in_list(token) or head.ent_type_ not in ("PERSON", "ORG", "FAC", "LOC"):
            continue
        left, right = run
        if left.lower_ not in ("a", "an", "the") or left.nbor(-1).text != ",":
            continue
        if cut_at_commas(left, right) is None or head.i > left.i or right.i - left.i > 25:
            continue
        if any(t.dep_ in ("relcl", "neg") for t in token.children) or token.tag_ == "NNS":
            continue
        if left.nbor(-2).ent_type_ != head.ent_type_ or head.tag_ == "NNPS":
            continue
        name = [t for t in sentence if t.ent_iob_ != "O" and t.i <= head.i]
        span = [e for e in entities_of(sentence) if e.start <= head.i < e.end]
        if not name or len(span) != 1 or span[0].end != left.i - 1:
            continue
        yield f"{span[0].text} {'was' if past else 'is'} {text_between(left, right)}"
