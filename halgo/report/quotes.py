"""ClaimResult -> the sentences of the sources that it rests on, word for word.

They are those that a report shows (`verdict/deciding.py`): for a supported claim the sentence that
holds most of it, with others where it is put together from several places; for a contradicted claim
the sentence that says otherwise; for any other those that come nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halgo.evidence.lexical import stems
from halgo.types import Assessment, Claim, ClaimResult, Location, Span

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.types import Sentence

# Beyond this a reader no longer compares; it is also how many sections a premise may come from.
MOST = 3
_PAGES = ("page_num", "page", "page_number")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a source: `span.of(document.text) == text`, always.

    `title` is what a reader is shown as its origin, `location` where in its file it stands, None
    where that is not known; `page` is what the document's metadata say, else that of the location.
    """

    text: str
    doc_id: str
    title: str
    page: str | None
    span: Span
    location: Location | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the span as [start, end] in characters of the document."""
        return {
            "text": self.text,
            "doc_id": self.doc_id,
            "title": self.title,
            "page": self.page,
            "span": [self.span.start, self.span.end],
            "location": None if self.location is None else self.location.to_dict(),
        }


def quotes(result: ClaimResult, index: Index) -> tuple[Quote, ...]:
    """The sentences that a result rests on, the first the weightiest; empty when none was found.

    `index` is the one it was checked against.
    """
    if result.reason == "arithmetic" or result.assessment is None:
        return ()  # a sum is right or wrong by itself
    front = [result.assessment]
    if result.assessment is result.assessments[0]:
        front = list(result.assessments[: result.rests_on])
    found = [quote for one in front for quote in _shown(result.claim, one, index)]
    return tuple(dict.fromkeys(found))[:MOST]


def _shown(claim: Claim, assessment: Assessment, index: Index) -> Iterator[Quote]:
    """The sentences of a passage that are shown of it, that with most words of the claim first."""
    parts = index.parts(assessment.evidence.chunk)
    inside = [part for part, _ in parts if part.span.overlaps(assessment.evidence.span)]
    wanted = set(stems(claim.resolved))
    for sentence in sorted(inside, key=lambda one: -len(wanted & set(stems(one.reading.text)))):
        yield _quote(assessment, sentence, index)


def _quote(assessment: Assessment, sentence: Sentence, index: Index) -> Quote:
    document = index.document(assessment.evidence.chunk)
    page = next((document.metadata[key] for key in _PAGES if document.metadata.get(key)), None)
    location = assessment.evidence.located(sentence.span)
    if page is None and location is not None and location.unit == "page":
        page = str(location.first)
    return Quote(
        text=sentence.span.of(document.text),
        doc_id=document.id,
        title=document.source,
        page=page,
        span=sentence.span,
        location=location,
    )
