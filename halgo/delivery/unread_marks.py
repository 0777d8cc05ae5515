"""What stands where a citation does and is not read as one: "14 days (1).", "<sup>1</sup>".

Raised figures too, which are powers elsewhere, as "thirty (30)" is a number. So such marks name no
source; but an answer that cites by them is not to pass for one whose citations hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halgo.claims.markers import Marks
from halgo.delivery.citation_findings import Finding
from halgo.evidence.lexical import tokens
from halgo.sources.sentences import split
from halgo.types import Span

# Behind a word or a full stop; behind two letters or a figure it is a power.
_RAISED = re.compile(
    r"(?:(?<=[^\W\d_]{4})|(?<=[^\W\d_]{4} )|(?<=[.,;:!?)\"\u201d]))"
    r"(?:[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}|<sup>\s?\[?\d{1,3}\]?\s?</sup>|\[0\])(?!\w)"
)
_ROUND = re.compile(
    r"(?P<word>\w+)\s?(?P<mark>\((?P<number>\d{1,3})\))(?=[.!?](?:\s|$)|[ \t]*$)", re.M
)


def unread(text: str, marks: Marks, sources: int) -> Iterator[Finding]:
    """A finding for each. sources: how many there are: "(40)" of three is a number."""
    found = [found.span() for found in _RAISED.finditer(text)]
    found += [
        round_.span("mark")
        for round_ in _ROUND.finditer(text)
        # "thirty (30)" says its number twice.
        if int(round_["number"]) <= sources and tokens(round_["word"]) != (round_["number"],)
    ]
    if not found:
        return
    code = [one.span for one in split(text) if one.block == "code"]
    others = [*code, *marks.code, *marks.open_code, *(one.span for one in marks.entries)]
    others += [one.span for one in marks.markers]
    for span in (Span(*ends) for ends in sorted(found)):
        if not any(span.overlaps(other) for other in others):
            message = f"{span.of(text)} looks like a citation and is not read; write [1]."
            yield Finding("unread", message, span)
