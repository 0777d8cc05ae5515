"""Check-worthiness, the other side of it: the sentences of an answer that nothing was held against.

What asserts nothing is not checked, and whoever passes an answer on should see what that was: each
sentence with its kind and place. Most are harmless. One that holds an amount or a date is not, for
that is what a reader takes away of it; of an opinion a name counts too. A question counts when it
suggests its answer, or when no source has its amount or date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from halgo.claims.kinds import has_specifics, has_value
from halgo.claims.phrases import OF_TELLING, SUGGESTIVE
from halgo.types import Claim, ClaimKind, Span

# A greeting by name tells nothing, nor do the words of a question or a heading by themselves; who
# declines to answer repeats what was asked.
_TELLING = (ClaimKind.INSTRUCTION, ClaimKind.META, ClaimKind.GREETING)
CITATION = "citation"


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A sentence that was not checked.

    `kind` is its `ClaimKind`'s value, or "citation" for one that only says where something stands.
    `span` is its place in the answer; None where a text model put it in its own words. `tells`
    says that it holds an amount, a date or, as an opinion, a name; and as a question suggests it.
    """

    kind: str
    text: str
    span: Span | None
    tells: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the span as [start, end] in characters of the answer."""
        span = None if self.span is None else [self.span.start, self.span.end]
        return {"kind": self.kind, "text": self.text, "span": span, "tells": self.tells}


def unchecked(claims: Iterable[Claim], placed: bool = True) -> tuple[Unchecked, ...]:
    """What these claims are that were not checked, in order; `placed`: their spans say where."""
    return tuple(
        Unchecked(
            CITATION if claim.kind.checked else claim.kind.value,
            claim.text,
            claim.span if placed else None,
            tells(claim),
        )
        for claim in claims
    )


def tells(claim: Claim) -> bool:
    """Whether a sentence that is not checked holds an amount, a date or, as an opinion, a name."""
    if claim.kind is ClaimKind.OPINION:
        return has_specifics(claim.text)
    if claim.kind is ClaimKind.QUESTION:
        low = claim.text.replace("\u2019", "'").lower().lstrip("*_\"'( ")
        suggests = SUGGESTIVE.search(low) is not None and OF_TELLING.search(low) is None
        return claim.unheld or (suggests and has_value(claim.text))
    return claim.unheld or (claim.kind in _TELLING and has_value(claim.text))


def counted(found: Iterable[Unchecked]) -> str:
    """How many of each kind, the most first: "2 headings, 1 opinion"; "" for none."""
    kinds = Counter(one.kind for one in found)
    return ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in kinds.most_common())
