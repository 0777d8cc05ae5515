"""Parsed sentence -> its clauses, each with the subject it shares: the atomic claims of FActScore.

"The agreement limits liability to $2M and requires 30-day notice" holds two claims. A clause is
given as stretches of the sentence, in the order in which they are read: what it shares with the
others (a condition, the subject, an auxiliary) and its own words.

A part must never assert what the whole does not. So a sentence stays whole where its parts hang
together: "or" and "nor", a condition that is not at the head, reported speech, quotations, a
negation or hedge whose reach is unclear, a subject such as "neither party".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from halgo.claims.phrases import words
from halgo.facts.grammar import FINITE
from halgo.types import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# Beyond these a sentence is a list or a mishap, and repeating its subject would cost too much.
_MOST_TOKENS = 150
_MOST_CLAUSES = 12
_LONGEST_SUBJECT = 25

_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
_CONDITIONS = words("if unless whether provided providing assuming lest otherwise")
_ALTERNATIVES = words("or nor either neither")
_NEGATIVE = words(
    "no not n't never neither nor none nobody nothing few little hardly barely scarcely seldom "
    "rarely only without cannot"
)
_HEDGES = words(
    "never hardly barely scarcely seldom rarely only allegedly reportedly supposedly possibly "
    "probably perhaps maybe apparently likely nearly almost potentially purportedly presumably"
)
_CONNECTIVES = words(
    "however moreover furthermore additionally also therefore thus hence meanwhile finally first "
    "second third then so and but yet besides consequently similarly overall instead , ; :"
)
_CLOSING = frozenset({".", "!", "?", "...", "…", ";", ",", ":"})
# "with 340 participants across 12 sites": a count of its own that can be checked by itself.
_COUNTING = frozenset({"with", "across"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One claim within a sentence: `parts` make its text, `own` is the place that is its own.

    Both are characters of the parsed text; `own` is the hull of the parts that are not shared.
    """

    parts: tuple[Span, ...]
    own: Span


class _Whole(Exception):
    """The sentence must not be split."""


def clauses(doc: Doc) -> list[Clause]:
    """The clauses of a parsed sentence, in order; empty when it is to stay whole."""
    if not 3 < len(doc) <= _MOST_TOKENS or _quotes(doc) or _is_bound(doc):
        return []
    end = len(doc)
    while end and (doc[end - 1].is_space or doc[end - 1].text in _CLOSING):
        end -= 1
    found: list[Clause] = []
    try:
        for start, stop in _segments(doc, end):
            found += _of_segment(doc, start, stop)
    except _Whole:
        return []
    found.sort(key=lambda clause: (clause.own, clause.parts))
    return found if 1 < len(found) <= _MOST_CLAUSES else []


def _quotes(doc: Doc) -> bool:
    """Whether the sentence quotes: what is quoted is not asserted."""
    return '"' in doc.text or "``" in doc.text or "''" in doc.text


def _is_bound(doc: Doc) -> bool:
    """Whether words make the parts depend on one another, wherever they stand."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    subject = root and next((t for t in root.children if t.dep_ in _SUBJECTS), None)
    head_end = subject.left_edge.i if subject is not None else 0
    for token in doc:
        word = token.lower_
        if token.dep_ == "preconj" or (
            word in _ALTERNATIVES and token.dep_ == "cc" and token.head.pos_ in ("VERB", "AUX")
        ):
            return True
        if (word in _CONDITIONS or word == "according") and token.i >= head_end:
            return True
        if word == "only" and token.i and token.nbor(-1).lower_ in ("not", "n't"):
            return True
    return False


def _segments(doc: Doc, end: int) -> list[tuple[int, int]]:
    """Token ranges between semicolons, where each holds a clause with a subject; else the whole."""
    bounds, depth = [-1], 0
    for token in doc[:end]:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ";" and depth == 0:
            bounds.append(token.i)
    ranges = [(first + 1, last) for first, last in pairwise([*bounds, end])]
    if len(ranges) > 1 and all(_verb(doc, *span) is not None for span in ranges):
        return ranges
    return [(0, end)]


def _verb(doc: Doc, start: int, end: int) -> Token | None:
    """The verb that a range hangs from, if it has a subject there."""
    for token in doc[start:end]:
        outside = token.dep_ == "ROOT" or not start <= token.head.i < end
        if outside and token.pos_ in ("VERB", "AUX"):
            subject = _subject(token)
            return token if subject is not None and start <= subject.i < end else None
    return None


def _subject(verb: Token) -> Token | None:
    return next((token for token in verb.children if token.dep_ in _SUBJECTS), None)


def _of_segment(doc: Doc, start: int, end: int) -> list[Clause]:
    first = _verb(doc, start, end)
    if first is None:
        return [Clause((_span(doc, start, end),), _span(doc, start, end))]
    verbs = _chain(first, start, end)
    for verb in verbs:
        if any(
            child.dep_ in ("ccomp", "parataxis")
            and start <= child.i < end
            and _subject(child) is not None
            for child in verb.children
        ):
            raise _Whole  # reported speech: what follows "said that" is not asserted
    subject = _subject(first)
    assert subject is not None
    prefix = (start, subject.left_edge.i)
    carried = _carried(doc, *prefix)
    begins = [_opened(doc, verb.left_edge.i if k else start, end) for k, verb in enumerate(verbs)]
    if any(here >= there for here, there in pairwise(begins)):
        raise _Whole
    found: list[Clause] = []
    for k, verb in enumerate(verbs):
        stop = end if k + 1 == len(verbs) else _trimmed(doc, begins[k], begins[k + 1])
        if k + 1 < len(verbs):
            _check_reach(verb, begins[k + 1])
        begin = begins[k]
        if begin >= stop or _depth(doc, start, begin):
            raise _Whole
        shared = () if k == 0 else _shared(doc, verb, begin, stop, carried)
        if k and not shared and _depends_on_prefix(doc, prefix):
            shared = (_span(doc, *carried),) if carried else ()
        if k + 1 < len(verbs) and verb.i == stop - 1 and _subject(verbs[k + 1]) is None:
            raise _Whole  # "designed and built the bridge": one object for both
        found += _narrowed(doc, verb, begin, stop, shared)
    return found


def _chain(first: Token, start: int, end: int) -> list[Token]:
    """The verb and those joined to it, in order."""
    verbs = [first]
    for verb in verbs:
        verbs += (
            child
            for child in verb.children
            if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX") and start <= child.i < end
        )
        if len(verbs) > _MOST_CLAUSES:
            raise _Whole
    return sorted(verbs, key=lambda token: token.i)


def _check_reach(verb: Token, next_begin: int) -> None:
    """Raise _Whole when a dependent of `verb` stands behind the next clause: it may reach both."""
    for child in verb.children:
        if child.i >= next_begin and child.dep_ not in ("conj", "cc", "punct"):
            raise _Whole


def _shared(
    doc: Doc, verb: Token, begin: int, stop: int, carried: tuple[int, int] | None
) -> tuple[Span, ...]:
    """The stretches that a joined clause borrows: the opening, the subject, the auxiliary."""
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    finite = verb.tag_ in FINITE or any(child.tag_ in FINITE for child in helpers)
    own = _subject(verb)
    passive = any(child.dep_ == "auxpass" for child in verb.head.children)
    bare = not helpers and not any(child.dep_ in ("dobj", "attr", "acomp") for child in verb.rights)
    if passive and bare and verb.tag_ == "VBD" and verb.lower_.endswith("ed"):
        raise _Whole  # "are removed and allowed to cool": the parser takes "allowed" for a past
    if own is not None:
        if not finite:
            raise _Whole
        fronted = own.left_edge.i > begin
        binding = carried and _depends_on_prefix(doc, carried)
        return (_span(doc, *carried),) if carried and (binding or not fronted) else ()
    donor = verb.head
    while _subject(donor) is None:
        if donor.dep_ != "conj":
            raise _Whole
        donor = donor.head
    subject = _subject(donor)
    assert subject is not None
    low, high = noun_range(subject)
    named = {token.lower_ for token in doc[low:high]}
    if subject.dep_ == "expl" or subject.tag_ in ("WDT", "WP") or high - low > _LONGEST_SUBJECT:
        raise _Whole
    before = {child.lower_ for verb_ in (donor, verb.head) for child in verb_.lefts}
    relative = any(token.dep_ == "relcl" and token.i > verb.head.i for token in doc[high:begin])
    if relative:
        raise _Whole  # "a plan which covers theft, and costs $9": which of the two costs $9?
    if not _NEGATIVE.isdisjoint(named) or not _HEDGES.isdisjoint(before):
        raise _Whole
    parts = [_span(doc, *carried)] if carried else []
    parts.append(_span(doc, low, high))
    if finite or (verb.tag_ == "VBN" and verb.head.tag_ == "VBD"):
        return tuple(parts)
    lender = verb.head
    lent = [child for child in lender.children if child.dep_ in ("aux", "auxpass")]
    if not lent and lender != donor:
        lender = donor
        lent = [child for child in lender.children if child.dep_ in ("aux", "auxpass")]
    negated = any(child.dep_ == "neg" for child in lender.children)
    if not lent or negated or lender.tag_ != verb.tag_ or (helpers and helpers[0].tag_ == "TO"):
        raise _Whole
    parts += (_span(doc, token.i, token.i + 1) for token in lent)
    return tuple(parts)


def _carried(doc: Doc, start: int, end: int) -> tuple[int, int] | None:
    """The opening that holds for every clause ("In 2020,", "If ...,"); None for "However,"."""
    opening = {token.lower_ for token in doc[start:end]}
    return (start, end) if opening - _CONNECTIVES else None


def _depends_on_prefix(doc: Doc, prefix: tuple[int, int]) -> bool:
    """Whether the opening is a clause or a hedge, without which the rest would say more."""
    return any(
        token.pos_ in ("VERB", "AUX", "SCONJ")
        or token.lower_ in _HEDGES
        or token.lower_ == "according"
        for token in doc[slice(*prefix)]
    )


def _narrowed(
    doc: Doc, verb: Token, begin: int, stop: int, shared: tuple[Span, ...]
) -> list[Clause]:
    """A clause, with a ", which ..." and counted additions taken out as claims of their own."""
    aside = _aside(doc, verb, begin, stop)
    if aside is not None:
        (low, high), cut, (first, last), resume = aside
        parts = [_span(doc, begin, cut)] if cut > begin else []
        if resume < stop:
            parts.append(_span(doc, resume, stop))
        main = Clause((*shared, *parts), Span(parts[0].start, parts[-1].end))
        own = _span(doc, first, last)
        return [main, Clause((_span(doc, low, high), own), own)]
    counts = _counted(doc, verb, begin, stop)
    if not counts:
        return [Clause((*shared, _span(doc, begin, stop)), _span(doc, begin, stop))]
    subject = _subject(verb)
    # Finite and without a modal, so of what is shared the subject comes last.
    named = (_span(doc, *noun_range(subject)),) if subject is not None else shared[-1:]
    before = _span(doc, begin, counts[0])
    found = [Clause((*shared, before), before)]
    for low, high in pairwise([*counts, stop]):
        own = _span(doc, low, high)
        found.append(Clause((*named, own), own))
    return found


def _aside(
    doc: Doc, verb: Token, begin: int, stop: int
) -> tuple[tuple[int, int], int, tuple[int, int], int] | None:
    """A ", which ..." about the subject or a name.

    Token ranges and places: its noun, where to cut, its own words, where the clause goes on.
    """
    for token in doc[begin:stop]:
        if token.dep_ != "relcl" or token.head.i < begin:
            continue
        pronoun, noun = token.left_edge, token.head
        told = _belongs(noun, verb)
        comma = pronoun.i - 1
        if not told or pronoun.lower_ not in ("which", "who") or doc[comma].text != ",":
            continue
        if pronoun.head != token or pronoun.dep_ not in ("nsubj", "nsubjpass"):
            continue
        low, high = noun_range(noun)
        last = token.right_edge.i + 1
        closes = last >= stop or doc[last].text == ","
        if noun.dep_ not in ("nsubj", "nsubjpass"):
            # Behind an object, a second comma may already belong to the main clause.
            closes = closes and all(t.text != "," for t in doc[pronoun.i : last])
        if high != comma or not closes or last > stop or high - low > _LONGEST_SUBJECT:
            continue
        return (low, high), comma, (pronoun.i + 1, last), min(last + 1, stop)
    return None


def _belongs(noun: Token, verb: Token) -> bool:
    """Whether an aside must be about `noun`: the subject, or a name next to the verb."""
    if noun.dep_ in ("nsubj", "nsubjpass"):
        return noun.head == verb
    if noun.pos_ != "PROPN":
        return False
    return (noun.dep_ in ("dobj", "attr") and noun.head == verb) or noun.head.dep_ == "agent"


def _counted(doc: Doc, verb: Token, begin: int, stop: int) -> list[int]:
    """Where additions with a count of their own begin: "with 340 participants", "across 12 sites".

    Only at the end of a plain clause whose object holds an amount already, so that what is left
    is a claim by itself.
    """
    if any(child.dep_ == "neg" or child.tag_ == "MD" for child in verb.children):
        return []
    thing = next((child for child in verb.children if child.dep_ == "dobj"), None)
    if thing is None or not _HEDGES.isdisjoint(child.lower_ for child in verb.lefts):
        return []
    starts: list[int] = []
    for token in doc[thing.i + 1 : stop]:
        if token.dep_ != "prep" or token.lower_ not in _COUNTING:
            continue
        noun = next((child for child in token.children if child.dep_ == "pobj"), None)
        number = noun and next((t for t in noun.children if t.dep_ == "nummod"), None)
        if noun is None or number is None or noun.tag_ != "NNS":
            continue
        if number.ent_type_ in ("", "CARDINAL"):
            starts.append(token.i)
    if not starts or not any(token.like_num for token in doc[verb.i : starts[0]]):
        return []
    for low, high in pairwise([*starts, stop]):
        edge = doc[low].right_edge.i + 1
        if edge < high or any(t.text in (",", "(", ")") for t in doc[low:high]):
            return []
    return starts


def noun_range(head: Token) -> tuple[int, int]:
    """Token range of a noun with what belongs to it, without asides behind a comma."""
    end = head.right_edge.i + 1
    doc = head.doc
    for child in head.rights:
        if child.dep_ in ("relcl", "acl", "appos") and doc[child.left_edge.i - 1].text in (
            ",",
            "(",
        ):
            end = min(end, child.left_edge.i - 1)
    return head.left_edge.i, end


def _trimmed(doc: Doc, start: int, end: int) -> int:
    """`end` moved back over the commas and conjunctions that join clauses."""
    while end > start and (doc[end - 1].dep_ == "cc" or doc[end - 1].text in (",", ";")):
        end -= 1
    return end


def _opened(doc: Doc, start: int, end: int) -> int:
    """`start` moved on over commas and spaces."""
    while start < end - 1 and (doc[start].is_space or doc[start].text in (",", ";")):
        start += 1
    return start


def _depth(doc: Doc, start: int, end: int) -> int:
    """How many brackets are open at token `end`."""
    return sum((t.text == "(") - (t.text == ")") for t in doc[start:end])


def _span(doc: Doc, start: int, end: int) -> Span:
    """Characters of tokens [start, end)."""
    last = doc[end - 1]
    return Span(doc[start].idx, last.idx + len(last.text))
