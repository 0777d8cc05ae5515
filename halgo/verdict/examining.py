"""Claims -> Examinations: passages, signals and features of each claim, before a decision.

The stages from retrieval to the entailment model, in order; `claim_results.py` decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from halgo import facts, process, signals
from halgo.claims.normal import as_read, respelled
from halgo.config import Config
from halgo.entailment import readings
from halgo.entailment.hypothesis import Hypothesis
from halgo.entailment.premises import FURTHER, drawn_on
from halgo.entailment.readings import Judged
from halgo.evidence.index import Index
from halgo.evidence.lexical import tokens
from halgo.evidence.retrieve import retrieve
from halgo.facts.language import foreign
from halgo.facts.spelling import corrections, suspects
from halgo.protocols import ClaimDetector, Detector, Embedder, EntailmentModel, Lexicon
from halgo.signals.quantities.rewriting import as_written
from halgo.signals.quantities.situations import as_they_lie, denies
from halgo.signals.records.over_rows import asks
from halgo.types import Claim, Evidence, Facts, FloatMatrix, Pair, Signal
from halgo.verdict import scoring
from halgo.verdict.precedence import in_force
from halgo.verdict.resolve import resolve
from halgo.verdict.silences import reread

# Claims whose rules run before the model begins to read them: so few that what a rule remembers of
# their passages is still there for the next rule.
_AT_ONCE = 2

_Looked = tuple[Claim, Facts, list[Evidence], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Examination:
    """One claim beside its passages, before anything is decided: what fusion is fitted on.

    judged: what the entailment model said; None where it did not read the claim. as_read: whether
    the features are on the scale of claims that it has read. slips: words that the claim is read
    with, and what was written for them.
    """

    claim: Claim
    facts: Facts
    pairs: tuple[Pair, ...]
    signals: tuple[tuple[Signal, ...], ...]
    claim_signals: tuple[Signal, ...]
    features: FloatMatrix
    judged: Judged | None = None
    as_read: bool = False
    slips: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Examiner:
    """What claims are examined with."""

    index: Index
    config: Config
    embedder: Embedder
    lexicon: Lexicon
    detectors: Sequence[Detector | ClaimDetector]
    entailment: EntailmentModel | None

    def examine(self, claims: Sequence[Claim]) -> list[Examination]:
        """Each claim with its passages, signals and features, in order.

        Where the process may use several threads and the model can be read by them, it reads the
        first claims while the rules look at the next ones. No result depends on it.
        """
        looked = list(zip(*self._looked_up(claims), strict=True))
        some = [looked[at : at + _AT_ONCE] for at in range(0, len(looked), _AT_ONCE)]
        readers = process.threads() if getattr(self.entailment, "parallel", False) else 1
        if readers < 2 or len(some) < 2:
            return self.read([one for part in some for one in self._compared(part)], readers)
        with ThreadPoolExecutor(min(readers, len(some)), "halgo-read") as pool:
            reading = [pool.submit(self.read, self._compared(part)) for part in some]
            return [one for read in reading for one in read.result()]

    def signalled(self, claims: Sequence[Claim]) -> list[Examination]:
        """`examine` short of the entailment model: what passages and rules tell of each claim."""
        return self._compared(list(zip(*self._looked_up(claims), strict=True)))

    def _compared(self, looked: Sequence[_Looked]) -> list[Examination]:
        """Claims, each with its facts and passages, as the rules see them."""
        pairs = [
            Pair(
                claim,
                claim_facts,
                passage,
                self.index.facts(passage.chunk),
                self.index.table(passage.chunk, passage.span) if of_rows else None,
            )
            for claim, claim_facts, passages, _ in looked
            for of_rows in (asks(claim.text),)
            for passage in passages
        ]
        seen = signals.run(self.detectors, pairs, self.index.corpus)
        examinations, start = [], 0
        for claim, claim_facts, passages, slips in looked:
            end = start + len(passages)
            mine = pairs[start:end]
            own = signals.alone(self.detectors, claim)
            found = resolve(seen[start:end], own)
            found = signals.together(self.detectors, mine, found)
            examinations.append(
                Examination(
                    claim,
                    claim_facts,
                    tuple(mine),
                    tuple(found),
                    own,
                    scoring.features(mine, found, self.lexicon),
                    slips=slips,
                )
            )
            start = end
        return examinations

    def _looked_up(
        self, claims: Sequence[Claim]
    ) -> tuple[list[Claim], list[Facts], list[list[Evidence]], list[Mapping[str, str]]]:
        """The claims as they are read, their facts and passages; slips in spelling set right."""
        slips: list[Mapping[str, str]] = [{} for _ in claims]
        lexicon = self.lexicon
        claims = [as_read(claim) for claim in claims]
        read = facts.extract([claim.text for claim in claims])
        evidence = self._passages(claims, read)
        again = []
        for at, claim in enumerate(claims):
            words = suspects(claim.text, self.index.corpus, lexicon)
            if not words or foreign(claim.text) is not None:
                continue
            names = {word for name in read[at].names for word in name.text.split()}
            passages = [found.reading.text for found in evidence[at]]
            meant = corrections(words, names, passages, lexicon)
            claims[at] = respelled(claim, meant)
            there = set(claim.text.split())  # a word written right, too, may be shown as it is
            slips[at] = {right: word for word, right in meant.items() if right not in there}
            if claims[at] != claim:
                again.append(at)
        if again:
            new = facts.extract([claims[at].text for at in again])
            nearer = self._passages([claims[at] for at in again], new)
            for at, found, about in zip(again, new, nearer, strict=True):
                read[at], evidence[at] = found, about
        return claims, read, evidence, slips

    def _passages(self, claims: Sequence[Claim], read: Sequence[Facts]) -> list[list[Evidence]]:
        """The first passages of each claim, and those that add to what is read together."""
        first = self.config.top_k
        found = retrieve(self.index, claims, read, self.embedder, first, FURTHER)
        return [
            in_force(drawn_on(self.index, claim, passages, first))
            for claim, passages in zip(claims, found, strict=True)
        ]

    def read(self, examined: Sequence[Examination], threads: int = 1) -> list[Examination]:
        """The same, those claims that are no sentence of the sources read by the model."""
        model = self.entailment
        if model is None:
            return list(examined)
        open_ = [
            at
            for at, one in enumerate(examined)
            if one.pairs
            and tokens(one.claim.text)  # a model takes "?" for said
            and not (self.config.cascade and scoring.is_own(one.features))
        ]
        found = readings.judge(
            model,
            self.index,
            [examined[at].claim for at in open_],
            [[pair.evidence for pair in examined[at].pairs] for at in open_],
            [_hypothesis(examined[at]) for at in open_],
            threads,
        )
        judged = dict(zip(open_, found, strict=True))
        told = []
        for at, one in enumerate(examined):
            features, scaled = scoring.on_one_scale(one.features, judged.get(at))
            seen = reread(one.pairs, one.signals, model)
            judgement = judged.get(at)
            told.append(
                replace(one, signals=seen, features=features, judged=judgement, as_read=scaled)
            )
        return told


def _hypothesis(examined: Examination) -> Hypothesis:
    """What the entailment model reads of a claim: its amounts beside those of the passages."""
    lying = as_they_lie(examined.pairs)
    same = [
        (span, given)
        for span, given in as_written(examined.pairs)
        if not any(span.overlaps(one.span) for one in lying)
    ]
    found = Hypothesis.of(examined.claim, [*((one.span, one.told) for one in lying), *same])
    if not any(one.other for one in lying):
        return found
    others = [(one.span, one.other or one.told) for one in lying]
    other = Hypothesis.of(examined.claim, [*others, *same]).text
    claim = examined.claim.text
    denied = any(
        one.denied or denies(claim, examined.facts, one.span) for one in lying if one.other
    )
    return replace(found, other=other, denies=denied)
