"""Written claims and their twins -> claims that join two of them, and their twins.

"Test tokens cost nothing, and live ones begin with sl_" is right where both halves are, wherever in
the document they stand. A net that has read claims of one fact only takes the first half for the
whole. The premise is that of both, so that each half is told by another sentence of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from halgo.evidence.lexical import tokens
from halgo.sources.sentences import split
from training.examples import CONTRADICTED, ENTAILED, NEUTRAL, Example, groups
from training.rules.tables import word_set
from training.written import CROSSED

SOURCE = "joined"
_MOST = 150  # words of a premise
_LONGEST = 22  # words of a half
_JOINTS = (", and ", ", and ", "; ", ", while ")
# First words that are written small inside a sentence.
_SMALL = word_set(
    """
    the a an in on at of to for from by with without if when while after before until under
    there it its this that these those all every each no none some any most both only not
    one two three he she they his her their who whoever anyone everyone nobody people you
    your we our as because although unless during since more less fewer many few several
    neither either once nothing what how why where which other another even
"""
)


def joined_pairs(pairs: Sequence[Example], many: int, seed: int) -> list[Example]:
    """At most `many` joined claims, each followed by its twin.

    pairs: what `written.twinned_pairs` gave; what stands side by side there is about one document.
    """
    rng = random.Random(f"joined {seed}")
    found = list(_neighbours(pairs, rng))
    rng.shuffle(found)
    return [pair for both in found[:many] for pair in both]


def _neighbours(pairs: Sequence[Example], rng: random.Random) -> Iterator[list[Example]]:
    twins = [
        group
        for group in groups([pair for pair in pairs if pair.source != CROSSED])
        if len(group) == 2 and all(len(pair.claim.split()) <= _LONGEST for pair in group)
    ]
    for first, second in pairwise(twins):
        premise = _together(first[0].premise, second[0].premise)
        if premise is not None:
            made = _joined(premise, first, second, rng)
            if made:
                yield made


def _together(first: str, second: str) -> str | None:
    """Both premises as one; None where they seem to be of two documents, or are too long."""
    ours = [sentence.reading.text for sentence in split(first)]
    theirs = [sentence.reading.text for sentence in split(second)]
    shared = set(ours) & set(theirs)
    if not shared:
        return None
    new = [text for text in theirs if text not in shared]
    whole = " ".join([*ours, *new])
    return whole if len(whole.split()) <= _MOST else None


def _joined(
    premise: str, first: Sequence[Example], second: Sequence[Example], rng: random.Random
) -> list[Example]:
    halves = [{pair.label == ENTAILED: pair for pair in group} for group in (first, second)]
    if any(len(half) != 2 for half in halves):
        return []
    true = [half[True] for half in halves]
    if _same(true[0].claim, true[1].claim):
        return []
    wrong_at = rng.randrange(2)
    false = list(true)
    false[wrong_at] = halves[wrong_at][False]
    joint = rng.choice(_JOINTS)
    label = false[wrong_at].label
    made = [
        _example(premise, true, joint, ENTAILED),
        _example(premise, false, joint, label if label == NEUTRAL else CONTRADICTED),
    ]
    if rng.random() < 0.5:
        made.reverse()
    one, other = made
    twin = Example(other.premise, other.claim, other.label, other.source, other.spans, twin=True)
    return [one, twin]


def _same(first: str, second: str) -> bool:
    ours, theirs = set(tokens(first)), set(tokens(second))
    return len(ours & theirs) > 0.7 * min(len(ours), len(theirs))


def _example(premise: str, halves: Sequence[Example], joint: str, label: int) -> Example:
    first, second = (half.claim.strip() for half in halves)
    start = first.rstrip(" .!")
    word = second.split(" ", 1)[0]
    if word.lower() in _SMALL:
        second = second[0].lower() + second[1:]
    spans: tuple[tuple[int, int], ...] | None = ()
    if label != ENTAILED:
        shift = len(start) + len(joint)
        told = [(0, halves[0]), (shift, halves[1])]
        wrong = [(at, half) for at, half in told if half.label != ENTAILED]
        spans = None
        if all(half.spans for _, half in wrong):
            spans = tuple((a + at, b + at) for at, half in wrong for a, b in half.spans or ())
    return Example(premise, start + joint + second, label, SOURCE, spans)
