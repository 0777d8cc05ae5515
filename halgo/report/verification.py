"""An answer -> how much of it its own sources confirm, claim by claim: a last gate before a user.

Each claim is SUPPORTED, PARTIALLY_SUPPORTED or NOT_SUPPORTED, worth 1, 0.5 and 0; the confidence is
their mean. It differs from the judge in what it asks: the judge looks for what is wrong, this for
what is confirmed, so a partial verdict says which detail is missing.

The idea is chain-of-verification (Dhuliawala et al. 2023): an answer's claims are taken apart and
checked one by one. Here halgo does both steps; a text model may do either.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from halgo.claims.extract import as_claims
from halgo.errors import ConfigError
from halgo.facts.aliases import TITLES
from halgo.printable import printable
from halgo.protocols import TextModel
from halgo.report.asking import Malformed, Support, ask_verdict
from halgo.report.chosen import claims_of, judged
from halgo.report.details import rests as rests_of
from halgo.report.events import SUPPORT, confidence, event_of
from halgo.report.quotes import Quote, quotes
from halgo.report.safe import bare, bare_line
from halgo.report.sections import Sections, checker_for, require_checker
from halgo.settings import differing, is_number, read_table, shown
from halgo.types import Claim, ClaimResult, Facts, Name, Span, Stance, Verdict

if TYPE_CHECKING:
    from halgo import Checker

# What a [verification] table may hold.
SETTINGS = ("enabled", "max_claims", "confidence_threshold")
_AGAINST = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
# Reasons that say only that nothing was found; others name a detail.
_BARE = ("weak_support", "no_evidence", "entailment")
_LONGEST_SOURCES = 12_000  # characters of sources that a text model is shown for one claim
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class ClaimVerification:
    """One claim and how far the sources support it.

    `note` says what is missing; None where nothing is. `span` is the claim's place in the answer,
    None where a text model put it in its own words. `sources` are the sentences that it was held
    against, the weightiest first. `by_model` says that the text model gave the verdict.
    """

    claim: str
    verdict: Support
    note: str | None
    span: Span | None
    sources: tuple[Quote, ...]
    by_model: bool = False

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The ids of the documents that the sentences stand in, each once."""
        return tuple(dict.fromkeys(quote.doc_id for quote in self.sources))


@dataclass(frozen=True, slots=True)
class Verification:
    """How much of an answer is confirmed.

    `confidence` is the mean weight of the claims, in [0, 1]; None where none was checked. `flagged`
    says that it is below the threshold, that the answer has no claims and so nothing is confirmed,
    or that some were not checked: `unchecked` counts those beyond `max_claims`.
    """

    claims: tuple[ClaimVerification, ...]
    confidence: float | None
    flagged: bool
    unchecked: int = 0
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[ClaimVerification]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def counted(self, verdict: Support) -> int:
        """How many claims have this verdict."""
        return sum(claim.verdict is verdict for claim in self.claims)

    def event(self) -> dict[str, Any]:
        """The dict of a server-sent event: the published keys, `note` where there is one."""
        return event_of([(claim.claim, claim.verdict, claim.note) for claim in self.claims])

    def to_dict(self) -> dict[str, Any]:
        """The event with each claim's place and sources, `flagged`, `unchecked` and `warnings`."""
        event = self.event()
        for detail, claim in zip(event["details"], self.claims, strict=True):
            detail["span"] = None if claim.span is None else [claim.span.start, claim.span.end]
            detail["sources"] = [quote.to_dict() for quote in claim.sources]
        return {
            **event,
            "flagged": self.flagged,
            "unchecked": self.unchecked,
            "warnings": list(self.warnings),
        }


class SelfVerifier:
    """Verifies answers against the documents of a Checker, or the sections given with each.

    enabled: False gives an empty Verification without reading anything. max_claims: the claims of
    an answer that are verified, from its beginning; 1 or more. confidence_threshold: below it an
    answer is flagged; in [0, 1]. extract, verify: text models that do that step; text_model: one
    that does both. Where a model fails, or replies with something else, halgo does the step
    and the verification has a warning.
    Raises ValueError or TypeError for a setting that is none of these.
    """

    def __init__(
        self,
        checker: Checker | None = None,
        *,
        enabled: bool = True,
        max_claims: int = 10,
        confidence_threshold: float = 0.7,
        extract: TextModel | None = None,
        verify: TextModel | None = None,
        text_model: TextModel | None = None,
    ) -> None:
        if not isinstance(enabled, bool):
            raise ValueError(f"enabled must be true or false, not {shown(enabled)}")
        if not isinstance(max_claims, int) or isinstance(max_claims, bool) or max_claims < 1:
            raise ValueError(
                f"max_claims must be a whole number from 1 up, not {shown(max_claims)}"
            )
        cut = confidence_threshold
        if not is_number(cut) or not 0 <= cut <= 1:
            raise ValueError(f"confidence_threshold must be a number from 0 to 1, not {shown(cut)}")
        for name, given in (("extract", extract), ("verify", verify), ("text_model", text_model)):
            if given is not None and not callable(given):
                raise TypeError(f"{name} must be a function, not {type(given).__name__}")
        if checker is not None:
            require_checker(checker)
        self.checker = checker
        self.enabled = enabled
        self.max_claims = max_claims
        self.confidence_threshold = float(confidence_threshold)
        self._extractor = extract or text_model
        self._verifier = verify or text_model

    def __repr__(self) -> str:
        changed = differing(self, type(self)(), SETTINGS)
        return f"<SelfVerifier {', '.join([f'checker={self.checker!r}', *changed])}>"

    @classmethod
    def from_toml(
        cls,
        path: str | Path,
        checker: Checker | None = None,
        *,
        extract: TextModel | None = None,
        verify: TextModel | None = None,
        text_model: TextModel | None = None,
    ) -> Self:
        """One with the settings of a TOML file: its [verification] table, or the whole file.

        Raises ConfigError with file, key and reason.
        """
        given = read_table(path, "verification", SETTINGS)
        try:
            return cls(checker, extract=extract, verify=verify, text_model=text_model, **given)
        except ValueError as error:
            raise ConfigError(f"{printable(str(path))}, verification: {error}") from error

    def verify(
        self, answer: str, context: Sections | None = None, *, question: str | None = None
    ) -> Verification:
        """How much of the answer the sources confirm.

        context: the sections it was made from; they are the only sources then. question: what the
        answer is given to, as `Checker.check` takes it.
        Raises ValueError without a checker and a context, TypeError for an answer or a context
        of another type.
        """
        if not isinstance(answer, str):
            raise TypeError(f"an answer is a string, not {type(answer).__name__}: {answer!r:.80}")
        if not self.enabled:
            return Verification((), None, flagged=False)
        checker = checker_for(self.checker, context)
        return self._verified(checker, *claims_of(answer, "atomic", self._extractor, question))

    async def averify(
        self, answer: str, context: Sections | None = None, *, question: str | None = None
    ) -> Verification:
        """`verify` in a worker thread, so that an event loop stays free."""
        return await asyncio.to_thread(self.verify, answer, context, question=question)

    def verify_claims(self, claims: Sequence[str], context: Sections | None = None) -> Verification:
        """The same for claims of the caller's own, taken as they are; their spans are None."""
        if isinstance(claims, (str, bytes)):
            raise TypeError("verify_claims takes a list of claims; for an answer use verify()")
        if not self.enabled:
            return Verification((), None, flagged=False)
        return self._verified(checker_for(self.checker, context), as_claims(claims), False, [])

    def _verified(
        self, checker: Checker, claims: Sequence[Claim], placed: bool, warnings: list[str]
    ) -> Verification:
        pairs = judged(claims, checker.index)
        wanted = pairs[: self.max_claims]
        if len(pairs) > len(wanted):
            more = len(pairs) - len(wanted)
            warnings.append(f"only the first {len(wanted)} claims were checked, not {more} more")
        results = checker.judge([claim for claim, _ in wanted])
        found = [
            _verified(result, facts, checker, placed)
            for result, (_, facts) in zip(results, wanted, strict=True)
        ]
        found = _but_for_a_detail(found, results, [facts for _, facts in wanted], checker)
        if self._verifier is not None and found and not checker.index.chunks:
            # A model that is shown nothing says what it believes.
            warnings.append("no source holds any text; the text model was not asked")
        elif self._verifier is not None:
            found, told = _by_model(self._verifier, found, results, checker)
            warnings += told
        score = confidence([claim.verdict for claim in found])
        unchecked = len(pairs) - len(wanted)
        return Verification(
            claims=tuple(found),
            confidence=score,
            flagged=score is None or score < self.confidence_threshold or unchecked > 0,
            unchecked=unchecked,
            warnings=(*checker.warnings, *warnings),
        )


def _verified(
    result: ClaimResult, facts: Facts, checker: Checker, placed: bool
) -> ClaimVerification:
    support = SUPPORT[result.verdict]
    in_part = _named_in_part(result, facts)
    # Whoever is named only as one of several is neither confirmed nor unknown.
    if in_part is not None and (
        support is Support.SUPPORTED or result.reason in ("no_evidence", "weak_support")
    ):
        support = Support.PARTIALLY_SUPPORTED
    return ClaimVerification(
        claim=result.claim.text,
        verdict=support,
        note=None if support is Support.SUPPORTED else in_part or _missing(result),
        span=result.claim.span if placed else None,
        sources=quotes(result, checker.index),
    )


def _but_for_a_detail(
    found: Sequence[ClaimVerification],
    results: Sequence[ClaimResult],
    facts: Sequence[Facts],
    checker: Checker,
) -> list[ClaimVerification]:
    """The same, but what is supported without a detail is so in part, and the note names it."""
    told = list(found)
    some = [
        (at, rest)
        for at, rests in enumerate(rests_of(results))
        for rest in rests
        if _named_in_part(results[at], facts[at]) is None
    ]
    again = checker.judge([rest.claim for _, rest in some]) if some else []
    done: set[int] = set()
    for (at, rest), result in zip(some, again, strict=True):
        if at in done or result.verdict is not Verdict.SUPPORTED:
            continue
        done.add(at)
        told[at] = replace(
            told[at],
            verdict=Support.PARTIALLY_SUPPORTED,
            note=f"The sources say the rest, but not “{rest.detail}”.",
            sources=quotes(result, checker.index),
        )
    return told


def _named_in_part(result: ClaimResult, facts: Facts) -> str | None:
    """A sentence about a person whom the sources know only as "X et al."; None without one."""
    passages = " ".join(found.evidence.reading.text for found in result.assessments)
    for name in facts.names:
        surname = name.key.split()[-1] if name.key else ""
        if not surname or not _is_person(name) or "et al" in name.text.lower():
            continue
        together = re.compile(rf"\b{re.escape(surname)}\s+et\s+al\b\.?", re.IGNORECASE)
        found = together.search(passages)
        alone = re.search(rf"\b{re.escape(surname)}\b", together.sub("", passages), re.IGNORECASE)
        if found and not alone:
            written = " ".join(found[0].split())
            return f"The sources say {written}, not {name.text} specifically."
    return None


def _is_person(name: Name) -> bool:
    first = name.text.split()[0].lower().rstrip(".")
    return name.label == "PERSON" or first in TITLES


def _missing(result: ClaimResult) -> str:
    """Which detail the sources lack or give otherwise, as a sentence."""
    signals = [
        signal
        for found in result.assessments
        for signal in found.signals
        if signal.stance in _AGAINST
    ]
    if result.reason not in _BARE:
        # The same detail seen in two passages: the one that gives another value says more.
        told = [s for s in signals if s.kind == result.reason and s.values and s.values[1]]
        return max(told, key=lambda s: s.weight).message if told else result.message
    compared = [s for s in signals if s.values and all(s.values)]
    if compared:
        return max(compared, key=lambda s: s.weight).message
    words = _words_missing(result)
    if words:
        listed = ", ".join(f'"{word}"' for word in words[:_MOST_WORDS])
        return f"The sources do not say {listed}."
    return result.message or "The sources do not say this."


def _words_missing(result: ClaimResult) -> list[str]:
    """The words of the claim that no passage has, in order."""
    missing: set[Span] | None = None
    for found in result.assessments:
        here = {
            signal.claim_span
            for signal in found.signals
            if signal.stance is Stance.UNSUPPORTED and signal.claim_span is not None
        }
        missing = here if missing is None else missing & here
    places = sorted(missing or ())
    pieces = result.claim.reading
    shown: dict[str, None] = {}
    for place in places:
        word = _at(pieces.text, [(p.at, p.span) for p in pieces.pieces], place)
        if word:
            shown[word] = None
    return list(shown)


def _at(text: str, pieces: Sequence[tuple[int, Span]], place: Span) -> str:
    """The words of a reading that stand at a place of the answer."""
    for at, span in pieces:
        if span.start <= place.start and place.end <= span.end:
            start = at + place.start - span.start
            return text[start : start + len(place)]
    return ""


def _by_model(
    model: TextModel,
    claims: Sequence[ClaimVerification],
    results: Sequence[ClaimResult],
    checker: Checker,
) -> tuple[list[ClaimVerification], list[str]]:
    """The claims as the model judges them; halgo's own verdict and a warning where it fails."""
    found: list[ClaimVerification] = []
    warnings: list[str] = []
    failed = False
    for number, (own, result) in enumerate(zip(claims, results, strict=True), start=1):
        if failed:
            found.append(own)
            continue
        try:
            # What does not show may be an order to the model that no reader sees.
            asked, sources = bare_line(own.claim), bare(_sources(result, checker))
            verdict, note = ask_verdict(model, asked, sources)
        except Malformed as error:
            warnings.append(f"text model, claim {number}: {error}; halgo verified it")
            found.append(own)
        except Exception as error:
            # Whatever the caller's function raises. It is not asked again: each of the other
            # claims might take as long to fail.
            what = f"{type(error).__name__}: {error}"
            warnings.append(f"text model, claim {number}: {what}; halgo verified the rest")
            found.append(own)
            failed = True
        else:
            told = None if verdict is Support.SUPPORTED else note or own.note
            found.append(
                ClaimVerification(own.claim, verdict, told, own.span, own.sources, by_model=True)
            )
    return found, warnings


def _sources(result: ClaimResult, checker: Checker) -> str:
    """What the model is shown: all documents where they are short, else the claim's passages."""
    documents = checker.index.documents
    if sum(len(document.text) for document in documents) <= _LONGEST_SOURCES:
        texts: Mapping[str, str] = {
            document.text: _label(document.source, document.metadata) for document in documents
        }
    else:
        texts = {
            found.evidence.chunk.text: _label(
                found.evidence.source, checker.index.document(found.evidence.chunk).metadata
            )
            for found in result.assessments
        }
    return "\n\n".join(
        f"[Source {number}: {label}]\n{text}"
        for number, (text, label) in enumerate(texts.items(), start=1)
    )[:_LONGEST_SOURCES]


def _label(source: str, metadata: Mapping[str, str]) -> str:
    page = metadata.get("page_num") or metadata.get("page")
    return f"{source}, page {page}" if page else source
