"""Other section: a claim about what another section of the same document is about."""

from __future__ import annotations

from collections.abc import Set

from halgo.evidence.headings import spoken_of
from halgo.evidence.lexical import stems
from halgo.types import Pair, Signal, Span, Stance

_OTHER_SECTION = 0.6


def signals(pair: Pair) -> list[Signal]:
    """At most one: the claim speaks of a section that the passage does not stand in."""
    text = pair.evidence.reading.text
    found = spoken_of(pair.claim, pair.evidence)
    if found is None:
        return []
    own, other, named = found
    start = max(text.find(own), 0)
    return [
        Signal(
            "other_section",
            Stance.UNSUPPORTED,
            _OTHER_SECTION,
            f'This stands under "{own}", not under "{other}".',
            _place(pair.claim.text, named),
            Span(start, start + len(own)),
            (other, own),
        )
    ]


def _place(claim: str, named: Set[str]) -> Span | None:
    """The first word of the claim that is one of the section's."""
    at = 0
    for word in claim.split():
        at = claim.index(word, at)
        if named & set(stems(word)):
            return Span(at, at + len(word))
        at += len(word)
    return None
