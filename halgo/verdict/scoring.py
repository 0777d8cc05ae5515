"""Similarity, overlap, signals and entailment of one (claim, passage) pair -> one score.

The score is logistic regression over the features below, so anyone can read what counts for how
much: `data/fusion.json` holds the coefficients with the rows, commit and command they come from
(`python -m benchmarks fit`), for claims that the entailment model has read and for those it has
not (there is no model, or the claim was settled without it). A claim's score is that of its best
passage (max pooling: silence elsewhere is not evidence against; Laban et al. 2022, SummaC). Word
weights depend on the part of speech, never on the corpus, so an unrelated document cannot move a
score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from halgo.evidence.lexical import is_common, tokens
from halgo.facts.aliases import same_name
from halgo.protocols import EntailmentModel, Lexicon
from halgo.signals.passages import OfFacts
from halgo.signals.segments import covering
from halgo.types import FloatMatrix, FloatVector, Pair, Signal, Span, Stance, Term

if TYPE_CHECKING:
    from halgo.entailment.readings import Judged

# Which feature a kind of signal feeds. A kind that is not listed feeds "contradicts" or
# "unsupported" by its stance, so a detector from outside counts without a change here; one that
# supports feeds none. An order or comparison that agrees is such a kind: fitted, it had no weight.
GROUPS: Mapping[str, str] = {
    "number_conflict": "number_conflict",
    "date_conflict": "number_conflict",
    "negation": "polarity",
    "antonym": "polarity",
    "order_conflict": "polarity",
    "former_value": "polarity",
    "quantifier": "polarity",
    "modality": "modality",
    "swapped_names": "roles",
    "name_role": "roles",
    "name_conflict": "roles",
    "word_conflict": "roles",
    "other_list": "roles",
    "rows_conflict": "roles",
    "unsupported_name": "unsupported_name",
    "partial_name": "unsupported_name",
    "other_section": "unsupported_name",
    "unsupported_identifier": "unsupported_name",
    "identifier_conflict": "roles",
    "identifier_agrees": "agrees",
    "unsupported_number": "unsupported_number",
    "unsupported_date": "unsupported_number",
    "number_other_role": "other_role",
    "number_agrees": "agrees",
    "date_agrees": "agrees",
    "schedule_agrees": "agrees",
    "rows_agree": "agrees",
    "derived": "agrees",
    "not_derivable": "number_conflict",
    # Without a coefficient.
    "arithmetic": "arithmetic",
    "unsupported_term": "unsupported_term",
}

FEATURES = (
    "similarity",  # cosine of claim and chunk
    "lexical",  # share of the claim's tokens in the chunk, weighted by rarity
    "cover_best",  # weighted share of the claim's words in the best sentence
    "cover_chunk",  # ... in the chunk
    "exact",  # 1 when the best sentence holds every content word of the claim in order, or the
    # chunk the claim's very words
    "plain",  # share of the claim's words, function words aside, in all passages together
    "verbatim",  # share of all its words, function words too, in the chunk
    "whole",  # 1 when the claim is the best sentence; settles a claim, has no coefficient
    "number_conflict",
    "polarity",
    "modality",
    "roles",
    "unsupported_name",
    "name_elsewhere",  # a name of the claim that the passage lacks and other passages have
    "unsupported_number",
    "other_role",
    "agrees",
    "contradicts",  # kinds from outside
    "unsupported",
    "entailment",  # what the entailment model says: log odds of support, as a share of 6
    "refuted",  # its probability that the passages say otherwise
    "doubt",  # its probability that the least supported word of the claim stands nowhere
    "doubted_copy",  # how far it doubts a claim that has nearly all its words from the passages
)
# Kinds from outside -> the kinds of ours that they count like.
OUTSIDE: Mapping[str, str] = {"contradicts": "polarity", "unsupported": "unsupported_name"}
# What only the model can tell; a fusion without it has no coefficients for these.
OF_MODEL = ("entailment", "refuted", "doubt", "doubted_copy")
# A claim in the passages' own words is either what they say, of which the model is sure, or that
# with one thing changed: from this share of its words on (as in `plain`), and below this support.
_COPIED, _SURE_OF_COPY = 0.6, 0.3

# A wrong name or number spoils a claim more often than a missing adverb does.
WEIGHTS: Mapping[str, float] = {"PROPN": 1.5, "NUM": 1.5, "NOUN": 1.0, "VERB": 0.8, "ADJ": 0.8}
OTHER_WEIGHT = 0.5
# A synonym stands for a word, but less surely than the word itself.
SYNONYM_CREDIT = 0.7
# Below this weight a name is only missing here; it stands in another passage.
SURE = 0.5
# What the entailment model says of a document's own sentences, in the middle (log odds of support,
# as a share of 6; `benchmarks fit` prints it): scored as if it had been asked.
OF_ITS_OWN = 1.0
# Share of the best sentence that a claim has to be to be the whole of it.
_WHOLE = 0.9
_SMALL = "halgo-entailment-"
_MOST_TOKENS = 200
_VALUE = "valuethatagrees"  # stands for an amount, date or name; no word of any text
_BEFORE = re.compile(r"\b(?:the|an?)\s*$", re.IGNORECASE)
# "About 300" is said of 304; that "300" be said of about 300 is more than the passage has.
_BEFORE_CLAIMED = re.compile(
    r"\b(?:the|an?|about|around|roughly|approximately|some|circa)\s*$", re.IGNORECASE
)
_LONGEST_BEFORE = 60  # characters that are looked at for these
_MOST_NAMES = 60
_MOST_TERMS = 80  # a longer sentence is compared by its first words; keeps time in proportion


@dataclass(frozen=True, slots=True)
class Words:
    """A claim's content words as they are looked for: lemma, weight, and words that also count."""

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    alternatives: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, terms: Sequence[Term], lexicon: Lexicon) -> Words:
        """The words of a claim with their synonyms."""
        terms = tuple(terms[:_MOST_TERMS])
        return cls(
            terms,
            tuple(WEIGHTS.get(term.pos, OTHER_WEIGHT) for term in terms),
            tuple(
                frozenset() if term.pos in ("PROPN", "NUM") else lexicon.synonyms(term.lemma)
                for term in terms
            ),
        )

    def credits(self, lemmas: Set[str], agreed: Sequence[Span] = ()) -> list[float]:
        """For each word how far a passage holds it: 1, `SYNONYM_CREDIT` or 0.

        `agreed` are stretches of the claim that a detector found there in other words ("30 days"
        as "thirty (30) days"); their words are held.
        """
        found = []
        told = covering(agreed)
        for term, others in zip(self.terms, self.alternatives, strict=True):
            if term.lemma in lemmas or told(term.span):
                found.append(1.0)
            else:
                found.append(0.0 if others.isdisjoint(lemmas) else SYNONYM_CREDIT)
        return found

    def share(self, credits: Sequence[float]) -> float:
        """The weighted share of the words that are held, in [0, 1]; 0 without words."""
        total = sum(self.weights)
        held = sum([w * credit for w, credit in zip(self.weights, credits, strict=True)])
        return held / total if total else 0.0


def features(
    pairs: Sequence[Pair], signals: Sequence[Sequence[Signal]], lexicon: Lexicon
) -> FloatMatrix:
    """The features of one claim against its passages: (len(pairs), len(FEATURES)) float32."""
    table = np.zeros((len(pairs), len(FEATURES)), dtype=np.float32)
    if not pairs:
        return table
    words = Words.of(pairs[0].claim_facts.terms, lexicon)
    agreed = [_agreed(seen) for seen in signals]
    said = tokens(pairs[0].claim.text)[:_MOST_TOKENS]
    content = {token for token in said if not is_common(token)}
    read = [tokens(pair.evidence.reading.text) for pair in pairs]
    plain = _share(content, {token for tokens_ in read for token in tokens_})
    all_said = set(said)
    for row, (pair, seen) in enumerate(zip(pairs, signals, strict=True)):
        best = _within(pair.evidence_facts.terms, pair.evidence.best)
        words_read = set(read[row])
        copied = bool(said) and all_said <= words_read and _spaced(said) in _spaced(read[row])
        in_values = not copied and _same_but_for_values(pair, seen)
        copied = copied or in_values
        whole = in_values
        if copied and not whole:
            sentence = tokens(pair.evidence.best.of(pair.evidence.reading.text))
            whole = len(said) >= _WHOLE * len(sentence)
        held = _lemmas(pair.evidence_facts)
        values = {
            "similarity": pair.evidence.similarity,
            "lexical": pair.evidence.lexical,
            "cover_best": 1.0 if copied else words.share(words.credits(set(best), agreed[row])),
            "cover_chunk": 1.0 if copied else words.share(words.credits(held, agreed[row])),
            "exact": float(copied or _in_order(words.terms, best)),
            "whole": float(whole),
            "plain": plain,
            "verbatim": _share(all_said, words_read),
            **_strengths(seen),
        }
        table[row] = [values.get(name, 0.0) for name in FEATURES]
    return table


def _same_but_for_values(pair: Pair, signals: Sequence[Signal]) -> bool:
    """Whether the passage has the claim's very words, amounts, dates and names in other writing.

    "12 eggs" and "a dozen eggs", "30 days" and "thirty (30) days", "the 1990s" and "1994", "the
    U.S." and "the United States": that they agree is worked out exactly, which is more than a
    model of language can tell.
    """
    values = [
        (signal.claim_span, signal.evidence_span)
        for signal in signals
        if GROUPS.get(signal.kind) == "agrees"
        and signal.weight >= SURE
        and signal.claim_span
        and signal.evidence_span
    ]
    agreed = values + _same_names(pair)
    if not agreed:
        return False
    # Each name a word of its own, so that two that have changed places are told.
    claim = _with_values_out(
        pair.claim.text, [(ours, ours.start) for ours, _ in agreed], _BEFORE_CLAIMED
    )
    passage = _with_values_out(
        pair.evidence.reading.text, [(theirs, ours.start) for ours, theirs in agreed], _BEFORE
    )
    return _spaced(claim) in _spaced(passage)


def _same_names(pair: Pair) -> list[tuple[Span, Span]]:
    """Names of the claim that the passage has in another form: (ours, theirs)."""
    theirs = pair.evidence_facts.names[:_MOST_NAMES]
    return [
        (ours.span, other.span)
        for ours in pair.claim_facts.names[:_MOST_NAMES]
        if not any(ours.key == other.key for other in theirs)
        for other in theirs
        if same_name(ours, other) == 1.0
    ]


def _with_values_out(
    text: str, spans: Sequence[tuple[Span, int]], before: re.Pattern[str]
) -> tuple[str, ...]:
    """The words of a text with one word for each of these stretches and what is `before` it.

    spans: characters of the text, and the number that tells the word from the others.
    """
    for span, number in sorted(set(spans), reverse=True):
        near = max(0, span.start - _LONGEST_BEFORE)
        head = text[:near] + before.sub("", text[near : span.start])
        text = f"{head} {_VALUE}{number} {text[span.end :]}"
    return tokens(text)[: 2 * _MOST_TOKENS]


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _share(wanted: Set[Any], held: Set[Any]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _agreed(signals: Sequence[Signal]) -> list[Span]:
    return [s.claim_span for s in signals if s.claim_span and s.stance is Stance.SUPPORTS]


def aboutness(pairs: Sequence[Pair], lexicon: Lexicon) -> list[float]:
    """For each passage how much it is about the claim's subject, in [0, 1].

    The mean of cosine and covered words, numbers left out: a passage that gives another amount
    for the same thing is as much about it as one that gives the same.
    """
    if not pairs:
        return []
    words = Words.of([t for t in pairs[0].claim_facts.terms if t.pos != "NUM"], lexicon)
    found = []
    for pair in pairs:
        share = words.share(words.credits(_lemmas(pair.evidence_facts)))
        found.append((max(pair.evidence.similarity, 0.0) + share) / 2.0)
    return found


_lemmas = OfFacts(lambda facts: frozenset(term.lemma for term in facts.terms))


def _within(terms: Sequence[Term], span: Span) -> list[str]:
    return [term.lemma for term in terms if span.start <= term.span.start < span.end]


def _in_order(terms: Sequence[Term], passage: Sequence[str]) -> bool:
    """Whether a sentence has the lemmas of all these words, in their order."""
    rest = iter(passage[: 2 * _MOST_TERMS])
    return bool(terms) and all(term.lemma in rest for term in terms)


def _strengths(signals: Sequence[Signal]) -> dict[str, float]:
    """Signals of a group joined as if they erred independently: 1 - product of (1 - weight)."""
    strengths: dict[str, float] = {}
    for signal in signals:
        group = GROUPS.get(signal.kind, signal.stance.value)
        if group == "unsupported_name" and signal.weight < SURE:
            group = "name_elsewhere"
        so_far = strengths.get(group, 0.0)
        strengths[group] = 1.0 - (1.0 - so_far) * (1.0 - signal.weight)
    return strengths


@dataclass(frozen=True, slots=True)
class Fusion:
    """Logistic regression over `FEATURES`: score = 1 / (1 + exp(-(intercept + x . weights)))."""

    name: str
    weights: tuple[float, ...]
    intercept: float

    def __call__(self, table: FloatMatrix) -> FloatVector:
        """Scores in (0, 1) of (n, len(FEATURES)) features."""
        logits = table.astype(np.float64) @ np.array(self.weights) + self.intercept
        scores: FloatVector = (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)
        return scores

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Fusion:
        """From the JSON form; a feature without a coefficient counts nothing.

        But for those of detectors from outside, which no fit has seen: they count as a rule of ours
        of the same stance does.
        """
        weights = dict(values["weights"])
        for outside, ours in OUTSIDE.items():
            weights.setdefault(outside, weights.get(ours, 0.0))
        unknown = sorted(set(weights) - set(FEATURES))
        if unknown:
            raise ValueError(f"the fusion file names an unknown feature {unknown[0]!r}")
        return cls(
            str(values["name"]),
            tuple(float(weights.get(name, 0.0)) for name in FEATURES),
            float(values["intercept"]),
        )


@lru_cache(maxsize=3)
def default_fusion(read: bool, small: bool = False) -> Fusion:
    """The shipped coefficients: for claims that the entailment model has read, or has not.

    small: whether our small model has read them alone.
    """
    text = resources.files("halgo").joinpath("data/fusion.json").read_text(encoding="utf-8")
    key = "unread" if not read else "read_small" if small else "read"
    return Fusion.from_dict(json.loads(text)[key])


def is_small(model: EntailmentModel | None) -> bool:
    """Whether a model is our small one alone: the others' names go on behind the version."""
    name = "" if model is None else model.name
    return name.startswith(_SMALL) and name.removeprefix(_SMALL).replace(".", "").isdigit()


def on_one_scale(table: FloatMatrix, judged: Judged | None) -> tuple[FloatMatrix, bool]:
    """The features with what the model said, and whether `Fusion` for claims read is for them.

    It is for a sentence of the documents' own, too: the model is not asked, but would agree.
    """
    if judged is not None:
        return with_judgement(table, judged), True
    return (as_own(table), True) if is_own(table) else (table, False)


def with_judgement(table: FloatMatrix, judged: Judged) -> FloatMatrix:
    """The features with what the entailment model says of the claim, the same for each passage."""
    told = table.copy()
    copied = np.maximum(0.0, table[:, FEATURES.index("plain")] - _COPIED) / (1.0 - _COPIED)
    doubted = copied * max(0.0, _SURE_OF_COPY - judged.support)
    values = (judged.support, judged.contradicted, judged.doubt, doubted)
    for name, value in zip(OF_MODEL, values, strict=True):
        told[:, FEATURES.index(name)] = value
    return told


def is_own(table: FloatMatrix) -> bool:
    """Whether the claim is a whole sentence of a passage, amounts and dates by what they are worth.

    Such a claim needs no reading by the entailment model. A part of a sentence may leave out what
    it depends on: "that he had lied" of "denied that ...".
    """
    return bool(table[:, FEATURES.index("whole")].any())


def as_own(table: FloatMatrix) -> FloatMatrix:
    """The features of such a claim as if the model had read it: one scale for both."""
    told = table.copy()
    for name, value in zip(OF_MODEL, (OF_ITS_OWN, 0.0, 0.0, 0.0), strict=True):
        told[:, FEATURES.index(name)] = value
    return told
