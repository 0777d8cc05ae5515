"""A claim about what another section of the same document is about.

"Storage: 10 GB" under the heading "Basic plan" says nothing of the Pro plan, which has a section
of its own. Only headings that are told apart by a word are looked at, "Basic plan" and "Pro plan",
"Phase 1" and "Phase 2", "2019" and "2021": any claim may have a word of some other heading.
"""

from __future__ import annotations

from halgo.evidence.lexical import is_common, tokens
from halgo.types import Pair, Signal, Span, Stance

KIND = "other_section"
_OTHER_SECTION = 0.6
_LONGEST = 6  # words of a heading


def signals(pair: Pair) -> list[Signal]:
    """At most one: the claim names a section that the passage does not stand in."""
    own, text = pair.evidence.heading, pair.evidence.reading.text
    mine = _words(own)
    if not mine or len(mine) > _LONGEST:
        return []
    said = set(tokens(pair.claim.text))
    for other in pair.evidence.headings:
        theirs = _words(other)
        named, unnamed = theirs - mine, mine - theirs
        if not (named and unnamed) or len(theirs) > _LONGEST:
            continue
        if not (mine & theirs or (_numbers(mine) and _numbers(theirs))):
            continue
        if named <= said and not unnamed & said and named.isdisjoint(tokens(text)):
            start = max(text.find(own), 0)
            return [
                Signal(
                    KIND,
                    Stance.UNSUPPORTED,
                    _OTHER_SECTION,
                    f'This stands under "{own}", not under "{other}".',
                    _place(pair.claim.text, named),
                    Span(start, start + len(own)),
                    (other, own),
                )
            ]
    return []


def _words(heading: str) -> set[str]:
    return {token for token in tokens(heading) if not is_common(token)}


def _numbers(words: set[str]) -> bool:
    return all(word[0].isdigit() for word in words)


def _place(claim: str, named: set[str]) -> Span | None:
    """The first word of the claim that is one of the section's."""
    at = 0
    for word in claim.split():
        at = claim.index(word, at)
        if named & set(tokens(word)):
            return Span(at, at + len(word))
        at += len(word)
    return None
