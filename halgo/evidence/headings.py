"""Whether a claim speaks of another section of the document than a passage stands in.

"Storage: 10 GB" under the heading "Basic plan" says nothing of the Pro plan, which has a section
of its own. Only headings that are told apart by a word are looked at, "Basic plan" and "Pro plan",
"Phase 1" and "Phase 2", "2019" and "2021": any claim may have a word of some other heading.
"""

from __future__ import annotations

from functools import lru_cache

from halgo.evidence.lexical import is_common, tokens
from halgo.types import Claim, Evidence

_LONGEST = 6  # words of a heading


def spoken_of(claim: Claim, evidence: Evidence) -> tuple[str, frozenset[str]] | None:
    """The other heading that the claim speaks of, and the words it has of it; None for none."""
    mine = _words(evidence.heading)
    if not mine or len(mine) > _LONGEST:
        return None
    said = set(tokens(claim.resolved))
    for other in evidence.headings:
        theirs = _words(other)
        named, unnamed = theirs - mine, mine - theirs
        if not (named and unnamed) or len(theirs) > _LONGEST:
            continue
        if not (mine & theirs or (_numbers(mine) and _numbers(theirs))):
            continue
        # What the passage itself names it is about, whatever stands over it.
        if named <= said and not unnamed & said:
            return None if named & set(tokens(evidence.reading.text)) else (other, named)
    return None


@lru_cache(maxsize=4096)
def _words(heading: str) -> frozenset[str]:
    return frozenset(token for token in tokens(heading) if not is_common(token))


def _numbers(words: frozenset[str]) -> bool:
    return all(word[0].isdigit() for word in words)
