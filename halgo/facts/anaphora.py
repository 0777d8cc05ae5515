"""Facts of sentences that follow one another -> the same, "it" and "they" as what they stand for.

"The limit was 5 GB until 2022. Since then it has been 10 GB": a sentence that goes on about the
subject of the one before says its amounts, dates and verbs of that subject. "He" and "she" stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from halgo.types import Facts

_PRONOUNS = ("it", "they")


def resolved(sentences: Sequence[Facts]) -> Iterator[Facts]:
    """The facts of each sentence, the subject of the one before in the place of a pronoun."""
    subject = ""
    for facts in sentences:
        told = facts.predicates[0].subject if facts.predicates else ""
        if told not in _PRONOUNS:
            subject = told
            yield facts
        elif not subject:
            yield facts
        else:
            yield _about(facts, subject)


def _about(facts: Facts, subject: str) -> Facts:
    """A sentence's facts with its pronouns as a subject told before."""
    more = frozenset({subject})
    return replace(
        facts,
        quantities=tuple(replace(one, context=one.context | more) for one in facts.quantities),
        dates=tuple(replace(one, context=one.context | more) for one in facts.dates),
        predicates=tuple(
            replace(one, subject=subject) if one.subject in _PRONOUNS else one
            for one in facts.predicates
        ),
    )
