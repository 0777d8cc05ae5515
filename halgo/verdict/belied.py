"""Sentences of an answer that assert nothing by themselves, and that the sources belie.

A refusal is one that says the sources are silent about what they speak of, and a block of code one
with literals that no source has. Either comes back as a FACT with its result. A question with an
amount that no source has stays one, and is marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.claims.absence import absence
from halgo.claims.kinds import has_value, is_asked
from halgo.types import Claim, ClaimKind, ClaimResult, Corpus, Facts, Verdict

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.protocols import EntailmentModel
    from halgo.verdict.examining import Examination

    Signalled = Callable[[Sequence[Claim]], list[Examination]]
    Decide = Callable[[Examination], ClaimResult]

_ASKED = (ClaimKind.QUESTION, ClaimKind.HEADING)
_FEW = 10  # a bare count up to this is one of things of the answer: "Which of the 3 plans?"


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


def questions(claims: Sequence[Claim], index: Index) -> list[Claim]:
    """The claims, those questions marked that hold an amount or a date that no source has."""
    from halgo.evidence.source_texts import texts_for
    from halgo.facts import extract

    asked = [
        claim
        for claim in claims
        if claim.kind in _ASKED and is_asked(claim.text) and has_value(claim.text)
    ]
    read = extract([claim.text for claim in asked])
    lacking = {
        claim.id: _written(claim, facts, index.corpus)
        for claim, facts in zip(asked, read, strict=True)
    }
    wanted = [written for some in lacking.values() for written in some]
    text = "\n".join(texts_for(index, wanted)).casefold() if wanted else ""
    unheld = {at for at, some in lacking.items() if not all(_stands(one, text) for one in some)}
    return [replace(claim, unheld=True) if claim.id in unheld else claim for claim in claims]


def _written(claim: Claim, facts: Facts, corpus: Corpus) -> list[str]:
    """The amounts and dates of a question that are not among those of the sources."""
    given = {(one.low, one.high, one.unit) for one in claim.given}
    spans = [found.span for found in facts.dates if (found.first, found.last) not in corpus.dates]
    for one in facts.quantities:
        key = (one.low, one.high, one.unit)
        counts = one.unit != "ordinal" and (one.unit or one.high > _FEW)
        if counts and key not in given and key not in corpus.amounts:
            spans.append(one.span)
    return [written for span in spans if has_value(written := span.of(claim.text))]


def _stands(written: str, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(written.casefold())}(?!\w|[.,]\d)", text) is not None
