"""The date over a release: "## 4.1.2 (2024-09-18)" tells when version 4.1.2 came out.

No verb says so in a list of changes: the date stands beside the version. So a claim that a version
was released at another time contradicts it, and what stands beside another version is of that one.
"""

from __future__ import annotations

import re

from halgo.facts.identifiers import VERSION
from halgo.types import Date, Pair

_RELEASED = re.compile(
    r"\b(?:releas\w+|publish\w+|shipped|launch\w+|issued|dated|(?:came|come|comes|was|is) out)\b",
    re.IGNORECASE,
)
# A version, and no more than brackets or a dash between it and its date.
_BESIDE = re.compile(rf"{VERSION.pattern}\W{{1,5}}$", re.IGNORECASE)
_LOOK = 24  # characters before a date


def released(pair: Pair) -> dict[Date, bool]:
    """The dates of a passage that stand beside a version -> whether it is the claim's.

    Empty where the claim does not tell of the release of one version.
    """
    claim = pair.claim.text
    versions = set(VERSION.findall(claim))
    if len(versions) != 1 or not _RELEASED.search(claim):
        return {}
    text = pair.evidence.reading.text
    found = {}
    for date in pair.evidence_facts.dates:
        beside = _BESIDE.search(text[max(0, date.span.start - _LOOK) : date.span.start])
        if beside:
            found[date] = beside[1] in versions
    return found
