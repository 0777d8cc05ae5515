"""Targets and limits: "stayed within the budget" beside "€24,000 was allotted, €21,300 spent".

A passage gives a limit and what came of it as two amounts of one measure; on which side of the
limit the claim has it, its words tell ("met", "overran", "fell short of"), and the arithmetic says
whether that is so. Which limit and which amount are meant is told by the words around both that
the claim shares; where several are as near, nothing is said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from halgo.evidence.lexical import content_stems
from halgo.protocols import Lexicon
from halgo.signals.derivation.operands import RANKS
from halgo.signals.quantities.relation import unit_and_rate
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.75
_SECOND = "second"  # the unit of all lengths of time
_MOST_AMOUNTS = 24  # of a passage; more are a table
_LEAST_SHARED = 1.25  # words, and the same sentence
_MOST = (
    r"limit(?:s|ed)?|caps?|capped|ceilings?|maxim\w+|budget(?:s|ed)?|allot\w+|allow\w*|permit\w*"
    r"|tolerat\w+|approved|granted|deadline|no (?:more|later|longer) than|at most|up to|within"
)
_LEAST = r"minim\w+|at least|no (?:less|fewer) than|quota|require[sd]?|requirement|floor"
_EITHER = (
    r"targets?|targeted|goals?|objectives?|aim(?:s|ed)?|thresholds?|plan(?:s|ned)?|forecasts?"
    r"|promis\w+|guarant\w+|commit\w+|hop(?:ed|ing) for|count(?:ed|ing) on|expect\w+|wanted|agreed"
    r"|mark|norm|standard|tolerance|policy|contract\w*|SLA|service level|benchmark|set|calls? for"
)
_AIM = re.compile(rf"\b(?:{_MOST}|{_LEAST}|{_EITHER}|rule)\b", re.IGNORECASE)
_AT_MOST, _AT_LEAST = (re.compile(rf"\b(?:{one})\b", re.IGNORECASE) for one in (_MOST, _LEAST))
# Behind an amount: "15 minutes was the target", "5.5 t/ha as the mark".
_AIM_BEHIND = re.compile(
    r"[^.;,\d]{0,30}?\b(?:(?:was|is|were|had been|been) (?:the |an? )?|as (?:the|its|their|an?) )"
    rf"(?:\w+ )?(?P<aim>{_MOST}|{_LEAST}|{_EITHER})\b",
    re.IGNORECASE,
)
# Of these less is better, so that an aim is a most.
_BETTER_LESS = re.compile(
    r"\b(?:times?|latency|delay|wait\w*|costs?|spend\w*|spent|expens\w+|expenditure|errors?"
    r"|fail\w+|complain\w*|dropout|churn|absen\w+|defects?|loss\w*|waste|emi\w+|emission\w*"
    r"|consum\w+|accident\w*|injur\w+|infection\w*|memory|vacanc\w+|downtime|backlog|respon\w+)\b",
    re.IGNORECASE,
)
# The first that a claim has says on which side of the limit it has something.
_CUES = {
    "missed": (
        r"miss(?:es|ed|ing)?|fail(?:s|ed|ing)?|f[ae]ll(?:s|ing)? short|short of|too (?:late|slow)"
        r"|breach\w*|violat\w*|behind (?:target|plan|schedule)|off target"
    ),
    "above": (
        r"exceed\w*|surpass\w*|overr[au]n\w*|overshot|topp(?:ed|s)|br(?:o|ea)ke? through|above"
        r"|over|(?:higher|more|longer|greater|larger) than|outstripp\w+|past"
    ),
    "below": r"below|under(?:cut|shot|spent)?|beneath|(?:lower|less|fewer|shorter|smaller) than",
    "met": (
        r"met|meets?|meeting|satisf\w+|reach\w*|achiev\w+|fulfil\w*|compl(?:y|ies|ied)|ke(?:pt|ep\w*)"
        r"|within|in time|on (?:time|schedule|budget|target|plan)|attain\w*|honou?r\w*|hits?"
        r"|hitting|clear(?:s|ed)|beat\w*|better than|adher\w+|in line|respect(?:s|ed)"
    ),
}
_SAID = tuple((name, re.compile(rf"\b(?:{cue})\b", re.IGNORECASE)) for name, cue in _CUES.items())
_OF_TIME = re.compile(r"\b(?:in time|on time|deadline|late|schedule|date)\b", re.IGNORECASE)
_OF_MONEY = re.compile(r"\b(?:budget|cost|costs|spen\w+|expenditure)\b", re.IGNORECASE)
_OF_ALL = re.compile(r"\b(?:both|all|each|every|none|neither|only)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:year|week|day|month|quarter|phase|level|grade|section|chapter|item|step|version|line"
    r"|block|stage|release)\s$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|without|nor|neither)\b|n['\u2019]t\b", re.IGNORECASE)
_BEFORE_NOW = re.compile(
    r"\b(?:last|previous|prior|preceding|earlier|former(?:ly)?|year before|year ago|after|from)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;:,]\s|\s(?:and|but|while|whereas|although|though)\s")
_NEAR = 90  # characters before an amount


@dataclass(frozen=True, slots=True)
class _Amount:
    """An amount of the passage with the words around it, and the sentence that it stands in."""

    quantity: Quantity
    around: str
    sentence: int
    is_limit: bool
    most: bool | None  # whether a limit is the most there may be; None where nothing tells

    @property
    def bound(self) -> float:
        """What the limit is."""
        return self.quantity.low if self.quantity.high == math.inf else self.quantity.high


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim at most one signal: `derived` or `number_conflict`.

    What is right is told beside its passage, what is wrong beside all of the same document: the
    claim may have its words from another of them, and is as wrong there.
    """
    nothing: list[tuple[Signal, ...]] = [() for _ in pairs]
    claim = pairs[0].claim.text if pairs else ""
    said = _said(claim) if _AIM.search(claim) and not _OF_ALL.search(claim) else None
    meant = _meant(pairs) if said else None
    if said is None or meant is None:
        return nothing
    (name, denied, place), (at, limit, actual) = said, meant
    order = (actual.quantity.low > limit.bound) - (actual.quantity.low < limit.bound)
    if name in ("above", "below"):
        right = (order == (1 if name == "above" else -1)) != denied
    elif limit.most is None:
        return nothing
    else:
        right = ((order <= 0 if limit.most else order >= 0) == (name == "met")) != denied
    evidence = pairs[at].evidence
    text = evidence.reading.text
    values = limit.quantity.span.of(text), actual.quantity.span.of(text)
    message = f"The source gives {values[1]}, and {values[0]} as the limit or target."
    where = actual.quantity.span
    if right:
        told = Signal("derived", Stance.SUPPORTS, _WEIGHT, message, place, where)
        return [(told,) if at == row else () for row in range(len(pairs))]
    own = Signal("number_conflict", Stance.CONTRADICTS, _WEIGHT, message, place, where,
                 (place.of(claim), values[1]))  # fmt: skip
    beside = replace(own, evidence_span=None)
    same = [pair.evidence.chunk.doc_id == evidence.chunk.doc_id for pair in pairs]
    return [(own,) if row == at else (beside,) if same[row] else () for row in range(len(pairs))]


def _said(claim: str) -> tuple[str, bool, Span] | None:
    """On which side of a limit a claim has something, whether that is denied, and where."""
    for name, cue in _SAID:
        for found in cue.finditer(claim):
            before = claim[max(0, found.start() - 24) : found.start()]
            return name, _DENIED.search(before) is not None, Span(*found.span())
    return None


def _meant(pairs: Sequence[Pair]) -> tuple[int, _Amount, _Amount] | None:
    """The limit and what came of it that the claim speaks of, and which passage has them.

    None where that is not sure.
    """
    claimed = content_stems(pairs[0].claim.text)
    own = {q.low for q in pairs[0].claim_facts.quantities}
    best: list[tuple[int, _Amount, _Amount]] = []
    most = _LEAST_SHARED
    for at, pair in enumerate(pairs):
        every = list(_amounts(pair))
        for limit, actual in product(every, every):
            if not limit.is_limit or actual.is_limit or abs(limit.sentence - actual.sentence) > 1:
                continue
            if not _is_one_measure(limit.quantity, actual.quantity, pair.claim.text):
                continue
            if _BEFORE_NOW.search(actual.around):
                continue
            score = 1.0 * len(claimed & content_stems(f"{limit.around} {actual.around}"))
            score += bool(own & {limit.bound, actual.quantity.low})
            score += 0.25 * (limit.sentence == actual.sentence)
            if score > most:
                best, most = [], score
            if score == most:
                best.append((at, limit, actual))
    if len({(limit.bound, actual.quantity.low) for _, limit, actual in best}) != 1:
        return None
    return best[0]


def _is_one_measure(limit: Quantity, actual: Quantity, claim: str) -> bool:
    """Whether two amounts are of one measure, and of money or time where the claim is of these."""
    unit, other = unit_and_rate(limit)[0], unit_and_rate(actual)[0]
    nouns = {limit.noun, actual.noun} - {""}
    if unit != other or (not unit and len(nouns) > 1):
        return False
    if _OF_TIME.search(claim):
        return unit == _SECOND or unit.startswith("clock")
    return unit != "" if _OF_MONEY.search(claim) else True


def _amounts(pair: Pair) -> Iterator[_Amount]:
    """The amounts of the passage, limits told from what came."""
    text = pair.evidence.reading.text
    if not 2 <= len(pair.evidence_facts.quantities) <= _MOST_AMOUNTS:
        return
    sentences = list(split(SENTENCE, Span(0, len(text)), text))
    amounts = [q for q in pair.evidence_facts.quantities if not q.unit.startswith(RANKS)]
    for at, quantity in enumerate(amounts):
        number = next(
            (n for n, one in enumerate(sentences) if one.overlaps(quantity.span)), len(sentences)
        )
        before = _before(text, quantity, amounts[:at], sentences[number:])
        behind = text[quantity.span.end : quantity.span.end + 60]
        named = _AIM_BEHIND.match(behind)
        bounded = quantity.low != quantity.high and math.inf in (quantity.high, -quantity.low)
        bounded = bounded or (quantity.low == 0 < quantity.high)
        aim = f"{before} {named['aim']}" if named else before
        is_limit = bounded or named is not None or _AIM.search(before) is not None
        if _NUMBERED.search(before) or (not is_limit and quantity.low != quantity.high):
            continue
        around = f"{before} {quantity.span.of(text)} {_CLAUSE.split(behind)[0]}"
        yield _Amount(quantity, around, number, is_limit, _is_most(quantity, aim))


def _before(
    text: str, quantity: Quantity, earlier: Sequence[Quantity], sentences: Sequence[Span]
) -> str:
    """What leads to an amount: from the one before it, or the beginning of its sentence."""
    start = sentences[0].start if sentences else 0
    start = max([start, quantity.span.start - _NEAR, *(q.span.end for q in earlier[-1:])])
    return text[start : quantity.span.start]


def _is_most(quantity: Quantity, aim: str) -> bool | None:
    if quantity.high == math.inf:
        return False
    if quantity.low in (0, -math.inf) or _AT_MOST.search(aim):
        return True
    if _AT_LEAST.search(aim):
        return False
    less = _BETTER_LESS.search(aim) is not None or unit_and_rate(quantity)[0] == _SECOND
    return None if less else False
