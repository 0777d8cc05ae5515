"""An answer -> the claims that are judged: halgo's or a text model's, bare citations left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from halgo.claims.extract import as_claims, extract
from halgo.protocols import TextModel
from halgo.report.asking import Malformed, ask_claims
from halgo.report.claimtypes import is_citation
from halgo.types import Claim, Facts

if TYPE_CHECKING:
    from halgo.evidence.index import Index


def claims_of(
    answer: str, granularity: str, model: TextModel | None, question: str | None = None
) -> tuple[list[Claim], bool, list[str]]:
    """All claims of an answer, those of unchecked kinds too; whether halgo found them; warnings.

    A model's claims are taken as they are, in words of their own, so their spans say nothing of
    the answer. Where the model fails, the claims are halgo's and there is a warning. question:
    what the answer is given to; the model is not told it.
    Raises TypeError for an answer or a question that is no string.
    """
    if not isinstance(answer, str):
        raise TypeError(f"an answer is a string, not {type(answer).__name__}: {answer!r:.80}")
    if question is not None and not isinstance(question, str):
        raise TypeError(f"a question is a string, not {type(question).__name__}: {question!r:.80}")
    claims = extract(answer, granularity, question or "")
    if model is None or not answer.strip():
        return claims, True, []
    try:
        told = ask_claims(model, answer, [claim.text for claim, _ in judged(claims)])
    except Malformed as error:
        problem = str(error)
    except Exception as error:
        # Whatever the caller's function raises: the answer is checked all the same.
        problem = f"{type(error).__name__}: {error}"
    else:
        return as_claims(told), False, []
    return claims, True, [f"text model, extraction: {problem}; halgo's own claims were used"]


def judged(claims: Sequence[Claim], index: Index | None = None) -> list[tuple[Claim, Facts]]:
    """The claims that are held against the sources, with their facts, in order.

    Left out are the kinds that assert nothing, and texts that only cite: a page, a section, or the
    title of a document of the index.
    """
    from halgo.facts import extract as facts_of

    checked = [claim for claim in claims if claim.kind.checked]
    documents = index.documents if index is not None else ()
    titles = frozenset(document.source.lower() for document in documents)
    return [
        (claim, facts)
        for claim, facts in zip(checked, facts_of([c.text for c in checked]), strict=True)
        if not is_citation(claim.text, facts, titles)
    ]
