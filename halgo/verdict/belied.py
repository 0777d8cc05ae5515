"""Sentences of an answer that assert nothing by themselves, and that the sources belie.

A refusal is one that says the sources are silent about what they speak of, and a block of code one
with literals that no source has. Either comes back as a FACT with its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.claims.absence import absence
from halgo.types import Claim, ClaimKind, ClaimResult, Verdict

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.protocols import EntailmentModel
    from halgo.verdict.examining import Examination

    Signalled = Callable[[Sequence[Claim]], list[Examination]]
    Decide = Callable[[Examination], ClaimResult]


def refusals(
    claims: Sequence[Claim], signalled: Signalled, decide: Decide, model: EntailmentModel | None
) -> list[ClaimResult]:
    """The refusals among the claims that say "not mentioned" of what the sources mention."""
    from halgo.verdict.silences import reread

    said = [
        replace(claim, kind=ClaimKind.FACT)
        for claim in claims
        if claim.kind is ClaimKind.REFUSAL and absence(claim.text) is not None
    ]
    if not said:
        return []
    looked = [
        replace(one, signals=reread(one.pairs, one.signals, model)) for one in signalled(said)
    ]
    results = [replace(decide(one), claim=claim) for one, claim in zip(looked, said, strict=True)]
    wrong = Verdict.CONTRADICTION, "mentioned"
    return [found for found in results if (found.verdict, found.reason) == wrong]


def code(
    claims: Sequence[Claim], index: Index, signalled: Signalled, decide: Decide
) -> list[ClaimResult]:
    """The blocks of code among the claims that have options, names or addresses of their own."""
    from halgo.evidence.source_texts import texts_for
    from halgo.facts.literals import literals
    from halgo.signals.entities.code import unheld
    from halgo.verdict.claim_results import lacking

    blocks = [one for one in claims if one.code and not one.kind.checked]
    named = [(one.text, *(found.written for found in literals(one.text))) for one in blocks]
    if not any(len(words) > 1 for words in named):
        return []
    texts = texts_for(index, (word for words in named for word in words))
    told = zip(blocks, unheld(blocks, texts), strict=True)
    wrong = [(replace(one, kind=ClaimKind.FACT), signals) for one, signals in told if signals]
    looked = signalled([claim for claim, _ in wrong]) if wrong else []
    return [
        lacking(replace(decide(one), claim=claim), signals)
        for one, (claim, signals) in zip(looked, wrong, strict=True)
    ]
