"""Claim beside its premises -> what the entailment model makes of it, as features and signals.

The model reads a claim's passages together and, where these leave it in doubt, the best one singly
(`entailment/premises.py`); the reading that supports the claim most counts, since silence or doubt
elsewhere is not evidence against it, unless one contradicts it much more surely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from halgo.entailment.cascade import Cascade
from halgo.entailment.hypothesis import Hypothesis
from halgo.entailment.judgement import Judgement
from halgo.entailment.premises import Part, Premise, premises
from halgo.evidence.lexical import content_stems, is_common, stems, tokens
from halgo.protocols import EntailmentModel
from halgo.types import Claim, Evidence, Facts, Sentence, Signal, Span, Stance

if TYPE_CHECKING:
    from halgo.evidence.index import Index

KIND = "entailment"
OTHER_CASE = "other_case"  # what the sources say of cases on the other side of a limit
# Logits are cut here: what is 2.5 in a thousand or less is not told apart.
_MOST = 6.0
_DENYING = frozenset({"not", "no", "never", "without", "only"})
# How likely a claim is entailed by its passages together for the best one not to be read singly as
# well. It spares a fifth of the readings, half of the second ones, and ROC-AUC falls by .002.
ENOUGH = 0.6
# A reading is heard against a claim that has so large a share of the claim's words, contradicts it
# so surely, and is by so much surer of it than another is that it supports the claim.
_NEAR, CONTRADICTS, SURER = 0.8, 0.6, 0.25
# How surely the model contradicts a claim before a reader is told that the sources do.
SURE = 0.75
# The share of a claim's words that a passage has at least that contradicts it. Low: of false claims
# of labelled sets that the models find contradicted half are so below two fifths, four in five
# above, and a denial may be in other words.
_ABOUT = 0.25
_WRONG_WORD = 0.5  # from here on a word is marked as what the sources lack
# True of a passage that agrees as well: what the model doubts is often said in other words.
_UNSURE = "It is not certain that the sources say this; the nearest passage"
_ARTICLES, _NOUNS = frozenset({"a", "an", "the"}), frozenset({"NOUN", "PROPN"})
_FIELDS = 4  # what has more parts than this, each behind a semicolon, is a record


_Pair = tuple[str, str]  # a premise and a hypothesis
_Reading = tuple[Premise, _Pair]


@dataclass(frozen=True, slots=True)
class Judged:
    """The reading of a claim that counts, and what the model said of it."""

    premise: Premise
    judgement: Judgement
    of_others: float = 0.0  # how surely the claim is entailed of a case that its own is not

    @property
    def support(self) -> float:
        """Log odds of entailment in it over their limit: -1 to 1."""
        entailed = self.judgement.probabilities[0]
        odds = math.log(max(entailed, 1e-9) / max(1.0 - entailed, 1e-9))
        return max(-1.0, min(1.0, odds / _MOST))

    @property
    def contradicted(self) -> float:
        """The probability of contradiction in it."""
        return self.judgement.probabilities[2]

    @property
    def doubt(self) -> float:
        """The probability of its least supported word; 0 without words."""
        pieces = self.judgement.pieces
        return max((piece.unsupported for piece in pieces), default=0.0)


def judge(
    model: EntailmentModel,
    index: Index,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[Evidence]],
    read_as: Sequence[Hypothesis],
    threads: int = 1,
) -> list[Judged | None]:
    """The readings of each claim against its passages, in order; None for a claim without any.

    read_as: what is read of each claim.

    The best passage is read singly only where all together leave the claim in doubt. The reading
    that supports a claim most counts: silence elsewhere is not evidence against it. But one counts
    instead that contradicts it much more surely, for which silence elsewhere is no excuse. The
    large model of a cascade reads these two, and no more. Each (premise, claim) pair is read once,
    all in one call of the model, or each in a thread.
    """
    wanted = [
        [
            (premise, (premise.text, one.text))
            for premise in premises(index, claim, passages, said=one.text)
        ]
        for claim, passages, one in zip(claims, evidence, read_as, strict=True)
    ]
    first = model.first if isinstance(model, Cascade) else partial(read, model)
    said: dict[_Pair, Judgement] = {}
    for which in (slice(1), slice(1, None)):
        pairs = [
            pair
            for some in wanted
            if not any(_enough(said.get(pair)) for _, pair in some)
            for _, pair in some[which]
        ]
        said.update(_told(first, [pair for pair in pairs if pair not in said], threads))
    most = [_most_supporting(some, said) for some in wanted]
    against = [_contradicting(some, said) for some in wanted]
    if isinstance(model, Cascade):
        pairs = [found[1] for found in (*most, *against) if found]
        said.update(
            _told(lambda some: model.closer(some, [said[one] for one in some]), pairs, threads)
        )
    counting = [_counting(one, other, said) for one, other in zip(most, against, strict=True)]
    others = [
        (found[0].text, one.other) if found and one.other else None
        for found, one in zip(counting, read_as, strict=True)
    ]
    denied = _told(partial(read, model), [pair for pair in others if pair], threads)
    return [
        _judged(found[0], one, said[found[1]], denied[other] if other else None) if found else None
        for found, one, other in zip(counting, read_as, others, strict=True)
    ]


def _judged(
    premise: Premise, read_as: Hypothesis, judgement: Judgement, of_others: Judgement | None
) -> Judged:
    """What counts of a claim; of_others: what is said of it in a case that its own is not."""
    told = read_as.told_of_claim(judgement)
    if of_others is None:
        return Judged(premise, told)
    entailed, neutral, contradicted = of_others.probabilities
    if read_as.denies and contradicted > told.probabilities[0]:
        # "At 84 °C it is not done" is right where "at more than 92 °C it is not done" is wrong.
        return Judged(premise, Judgement((contradicted, neutral, entailed)))
    return Judged(premise, told, entailed)


def _told(
    look: Callable[[Sequence[_Pair]], list[Judgement]], pairs: Sequence[_Pair], threads: int
) -> dict[_Pair, Judgement]:
    """What is said of each pair: of all in one call, or each in a thread."""
    some = list(dict.fromkeys(pairs))
    if threads < 2 or len(some) < 2:
        return dict(zip(some, look(some), strict=True)) if some else {}
    with ThreadPoolExecutor(min(threads, len(some)), "halgo-read") as pool:
        return dict(zip(some, pool.map(lambda pair: look([pair])[0], some), strict=True))


def _most_supporting(some: Sequence[_Reading], said: Mapping[_Pair, Judgement]) -> _Reading | None:
    """The reading that supports its claim most, the first of equals; None where nothing is read."""
    read = [one for one in some if one[1] in said]
    return max(read, key=lambda one: said[one[1]].probabilities[0], default=None)


def _contradicting(some: Sequence[_Reading], said: Mapping[_Pair, Judgement]) -> _Reading | None:
    """The reading that contradicts its claim most, of those that have nearly all its words.

    Of a claim in other words, such as the summary of a whole text, the model contradicts too much.
    """
    read = [one for one in some if one[1] in said and _is_near(*one[1])]
    most = max(read, key=lambda one: said[one[1]].probabilities[2], default=None)
    return most if most and _contradicts(most, said) else None


def _counting(
    most: _Reading | None, against: _Reading | None, said: Mapping[_Pair, Judgement]
) -> _Reading | None:
    """The one of the two that counts: which supports the claim most, or contradicts it."""
    if most is None or against is None:
        return most
    surest = max(most, against, key=lambda one: said[one[1]].probabilities[2])
    surer = said[surest[1]].probabilities[2] - said[most[1]].probabilities[0] > SURER
    return surest if surer and _contradicts(surest, said) else most


def _contradicts(one: _Reading, said: Mapping[_Pair, Judgement]) -> bool:
    return said[one[1]].probabilities[2] >= CONTRADICTS


def _is_near(premise: str, hypothesis: str) -> bool:
    wanted = content_stems(hypothesis)
    return len(wanted & set(stems(premise))) >= _NEAR * len(wanted)


def _enough(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.probabilities[0] >= ENOUGH


def read(model: EntailmentModel, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
    """The model's judgements, with words where it can tell them.

    Raises ValueError when a model of the caller's own gives rows that are no probabilities.
    """
    words = getattr(model, "read", None)
    if words is not None:
        return list(words(pairs))
    rows = np.asarray(model.predict(pairs), dtype=np.float64)
    if rows.shape != (len(pairs), 3) or not (abs(rows.sum(axis=1) - 1.0) < 1e-3).all():
        raise ValueError(
            f"entailment model {model.name!r} gave an array of shape {rows.shape} for "
            f"{len(pairs)} pairs; rows are (entailment, neutral, contradiction) and sum to 1"
        )
    return [Judgement((float(a), float(b), float(c))) for a, b, c in rows]


def signal(
    claim: Claim,
    judged: Judged,
    facts: Facts,
    deciding: Sequence[Sentence] = (),
    agreed: Sequence[Span] = (),
) -> tuple[Signal, Part]:
    """What the model says of the claim as a signal, and the sentence it rests on.

    The claim span holds the words it finds unsupported, from the first to the last, where the
    model can tell; spans are characters of `claim.text`. facts: the claim's. Where nothing but
    its amounts and dates differs from the sentence, the model may doubt the claim; whether they
    conflict is for the rules to say. deciding: sentences that decide, the first first, of which
    the message quotes one if the model has read it; agreed: stretches of `claim.text` that a rule
    found in the sources, so that no reader is told that they are missing.
    """
    premise, judgement = judged.premise, judged.judgement
    entailed, neutral, contradicted = judgement.probabilities
    part = _quoted(claim, premise, deciding, against=contradicted >= SURE)
    quoted = _short(claim, part.sentence.reading.text)
    if judged.of_others >= SURE and judged.of_others > entailed:
        message = f"The sources say this of other cases: “{quoted}”."
        weight = judged.of_others
        return Signal(OTHER_CASE, Stance.CONTRADICTS, weight, message, detector=KIND), part
    if entailed >= 0.5:
        message = f"The sources say so: “{quoted}”."
        return Signal(KIND, Stance.SUPPORTS, entailed, message, detector=KIND), part
    words = _wrong_words(claim, judgement)
    against = contradicted > neutral and _is_about(claim, premise)
    if against and not _only_values_differ(claim, facts, part):
        message = f"{_against(claim, part, contradicted)}: “{quoted}”."
        return Signal(KIND, Stance.CONTRADICTS, contradicted, message, words, detector=KIND), part
    message = f"{_UNSURE}: “{quoted}”."
    if words is not None and _is_missing(words, claim, part, agreed):
        said = _phrase(words, claim, facts)
        message = f"The sources may not say “{said}”; the nearest passage: “{quoted}”."
    weight = max(neutral, contradicted)
    return Signal(KIND, Stance.UNSUPPORTED, weight, message, words, detector=KIND), part


def _against(claim: Claim, part: Part, contradicted: float) -> str:
    """How a passage is introduced that the model takes to contradict the claim.

    Beside a sentence with all its words, or where the model is not sure, a reader would take "say
    otherwise" for a mistake, and may be right.
    """
    said = content_stems(claim.resolved)
    if said <= set(stems(part.sentence.reading.text)):
        return "The nearest passage has these words, but seems to say something else"
    return _UNSURE if contradicted < SURE else "The sources say otherwise"


def _is_about(claim: Claim, premise: Premise) -> bool:
    """Whether a premise speaks of what the claim does, so that it can contradict it.

    The models learned from twins, which share nearly all words; of a text about something else they
    say "contradicts" as readily as "leaves it open".
    """
    said = content_stems(claim.resolved)
    shared = said & set(stems(premise.text))
    return len(shared) >= _ABOUT * len(said)


def _is_missing(words: Span, claim: Claim, part: Part, agreed: Sequence[Span]) -> bool:
    """Whether words tell a reader what is missing.

    An article, a year or a digit alone does not, nor what the sentence has or a rule found, nor
    most of the claim.
    """
    said = [token for token in stems(words.of(claim.text)) if not is_common(token)]
    there = set(stems(part.sentence.reading.text))
    return (
        len(words) < len(claim.text) / 2
        and any(not token.isdigit() and token not in there for token in said)
        and not any(words.overlaps(span) for span in agreed)
    )


def _phrase(words: Span, claim: Claim, facts: Facts) -> str:
    """The words in doubt as a reader is shown them: to their noun, "stolen bike" not "a stolen"."""
    end, ends = words.end, {term.span.end for term in facts.terms}
    for term in sorted(facts.terms, key=lambda term: term.span):
        if term.pos in _NOUNS and end in ends and claim.text[end : term.span.start] == " ":
            end = term.span.end
    said = claim.text[words.start : end].strip(" ,.;:")
    first, _, others = said.partition(" ")
    return others if others and first.lower() in _ARTICLES else said


def _only_values_differ(claim: Claim, facts: Facts, part: Part) -> bool:
    values = [amount.span for amount in facts.quantities] + [date.span for date in facts.dates]
    text = claim.text
    for span in sorted(values, reverse=True):
        text = text[: span.start] + text[span.end :]
    said = {token for token in tokens(text) if token in _DENYING or not is_common(token)}
    return bool(values and said) and said <= set(tokens(part.sentence.reading.text))


def _wrong_words(claim: Claim, judgement: Judgement) -> Span | None:
    """The stretch of `claim.text` around its least supported word; None where none stands out."""
    pieces = [
        (span, piece.unsupported)
        for piece in judgement.pieces
        if (span := _unresolved(claim, piece.span)) is not None
        and any(map(str.isalnum, span.of(claim.text)))
    ]
    worst = max(range(len(pieces)), key=lambda at: (pieces[at][1], -at), default=-1)
    if worst < 0 or pieces[worst][1] < _WRONG_WORD:
        return None
    first = last = worst
    while first > 0 and pieces[first - 1][1] >= _WRONG_WORD:
        first -= 1
    while last + 1 < len(pieces) and pieces[last + 1][1] >= _WRONG_WORD:
        last += 1
    return _whole_words(claim.text, pieces[first][0].start, pieces[last][0].end)


def _unresolved(claim: Claim, span: Span) -> Span | None:
    """Characters of `claim.resolved`, which the model read, as those of `claim.text`.

    The two differ in their first words at most; None for what stands only in the former.
    """
    shift = len(claim.resolved) - len(claim.text)
    moved = Span(max(0, span.start - shift), max(0, span.end - shift))
    same = claim.text[moved.start : moved.end] == claim.resolved[span.start : span.end]
    return moved if same and len(moved) else None


def _whole_words(text: str, start: int, end: int) -> Span:
    """The stretch, widened to the words that it cuts."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return Span(start, end)


def _quoted(claim: Claim, premise: Premise, deciding: Sequence[Sentence], against: bool) -> Part:
    """The sentence of the premise that decides; else the one that shares most words with the claim.

    against: whether the model is sure that they contradict the claim; then it is the one that
    denies something, if one does. The first of equals; a heading only where there is nothing else.
    """
    read = [part for one in deciding for part in premise.parts if part.sentence == one]
    if read:
        denying = [part for part in read if _denies(part.sentence.reading.text)]
        return denying[0] if against and denying and not _denies(claim.text) else read[0]
    wanted = content_stems(claim.resolved)

    def shared(part: Part) -> int:
        return len(wanted & set(stems(part.sentence.reading.text)))

    body = [part for part in premise.parts if part.sentence.block != "heading"]
    return max(body or premise.parts, key=shared)


def _denies(text: str) -> bool:
    return not (_DENYING - {"only"}).isdisjoint(tokens(text))


def _short(claim: Claim, text: str, most: int = 160) -> str:
    """A sentence as it is quoted: of a long record the name and the fields the claim speaks of."""
    text = " ".join(text.split()).rstrip(" .")
    if len(text) <= most:
        return text
    fields = text.split("; ")
    if len(fields) > _FIELDS:
        wanted = content_stems(claim.resolved)
        told = [
            field
            for at, field in enumerate(fields)
            if at == 0 or wanted & set(stems(field.replace("_", " ")))
        ]
        text = "; ".join(told)
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
