"""Word problems: sums that a claim states, and numbers that follow from a short passage's.

"12 of 48 is 25%" needs no source: it is worked out exactly (sums.py). A number that stands in no
passage may still follow from one: "Sam has 16 dimes" from "had 9" and "gave him 7" (derivations.py,
cues.py). Such a number is supported, and the way to it is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from halgo.arithmetic.sums import check_sums
from halgo.protocols import Lexicon
from halgo.signals.derivation.cues import TOTAL, asked, cue_each, sides, story, words
from halgo.signals.derivation.derivations import OPERATIONS, Derivation, derive, digits, only_pair
from halgo.signals.derivation.operands import at_odds
from halgo.signals.derivation.questions import questions
from halgo.signals.passages import OfPassage
from halgo.signals.quantities.relation import told_alike
from halgo.signals.segments import shown
from halgo.types import Claim, Corpus, Pair, Quantity, Signal, Span, Stance

SUM_WEIGHT = 0.95
NOT_DERIVABLE_WEIGHT = 0.5


# A word problem is short: ordinary prose with this few words and amounts is rare.
_PROBLEM_CHARACTERS = 400
# A claim with more amounts is a list or a table, not a sum in words; time grows with their square.
_MOST_AMOUNTS = 40
_PROBLEM_AMOUNTS = 5
_CLAIM_WORDS = 30
_SHARES = ("fraction", "percentage point")
_FURTHER = frozenset({"another", "further", "additional", "extra"})
_BY_ROLES = frozenset({"difference", "growth", "ratio", "share", "duration", "mean"})
_MONEY = frozenset({"dollar", "dollars", "euro", "euros", "pound", "cent", "cents", "money"})


def claim_signals(text: str) -> tuple[Signal, ...]:
    """The sums that a claim states, right or wrong; no passage is needed. Spans are in `text`."""
    return tuple(
        Signal(
            kind="arithmetic",
            stance=Stance.SUPPORTS if found.agrees else Stance.CONTRADICTS,
            weight=SUM_WEIGHT,
            message=_sentence(found.explanation),
            claim_span=found.span,
            values=(found.got, found.expected),
        )
        for found in check_sums(text)
    )


class SumsDetector:
    """The sums that a claim states itself: a `ClaimDetector` that needs no passage."""

    name = "sums"

    def alone(self, claim: Claim) -> tuple[Signal, ...]:
        """The sums, right or wrong."""
        return claim_signals(claim.text)

    def together(
        self, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
    ) -> list[tuple[Signal, ...]]:
        """Nothing beside a passage."""
        return [() for _ in pairs]


def signals(pair: Pair, corpus: Corpus, lexicon: Lexicon) -> tuple[Signal, ...]:
    """Numbers that follow from those of a passage ("derived"), or should and do not."""
    claim, passage = pair.claim.text, pair.evidence.reading.text
    ours, theirs = pair.claim_facts.quantities, pair.evidence_facts.quantities
    if len(ours) > _MOST_AMOUNTS:
        return ()
    # A number that stands anywhere in the documents is a matter for the detector of numbers.
    targets = [
        q
        for q in ours
        if q.low
        and (q.low, q.high, q.unit) not in corpus.amounts
        and not _stated(q, theirs)
        and _counts(q, claim)
        and not _said_bare(q, claim, theirs, passage)
        # "Expire after 90 days" speaks against 30, whatever 90 is divided by.
        and not any(told_alike(q, claim, given, passage) for given in theirs[:_MOST_AMOUNTS])
    ]
    if not targets:
        return ()
    best = pair.evidence.best
    given = list(_given(pair.evidence, pair.evidence_facts))
    given.sort(key=lambda q: _distance(q.span, best))
    if not given:
        return ()
    unstated = [q for q in ours if _counts(q, claim) and not _stated(q, theirs)]
    found = []
    for target in targets:
        others = [q for q in unstated if q is not target]
        question = _Question(target, given, others, len(ours), pair)
        signal = question.derived(lexicon) or question.not_derivable()
        if signal is not None:
            found.append(signal)
    return tuple(found)


class _Question:
    """One amount of a claim that a passage does not state, and what the passage does state."""

    def __init__(
        self,
        target: Quantity,
        given: Sequence[Quantity],
        others: Sequence[Quantity],
        claimed: int,
        pair: Pair,
    ) -> None:
        self.target, self.given, self.others, self.pair = target, given, others, pair
        self.claim, self.passage = claim, passage = pair.claim.text, pair.evidence.reading.text
        self.decimals = _decimals(target.span.of(claim))
        counted = all(q.unit not in _SHARES and q.low >= 0 for q in (target, *given))
        # Kept for 30 days here and 60 there is kept for 90 nowhere, unless one follows the other.
        added = not (TOTAL.isdisjoint(words(claim)) and _FURTHER.isdisjoint(words(passage)))
        counted &= target.unit != "second" or added
        self.small = (
            counted
            and claimed <= 2
            and 2 <= len(given) + len(others) <= _PROBLEM_AMOUNTS
            and len(passage) <= _PROBLEM_CHARACTERS
            and len(words(claim)) <= _CLAIM_WORDS
        )
        self.told = self.small and (story(passage) or cue_each(passage) or sides(passage))

    def derived(self, lexicon: Lexicon) -> Signal | None:
        """The way from the passage's amounts to the claim's, where the wording asks for it."""
        if not self.small:
            return None
        found: Derivation | None = None
        if self.told and self._counts_the_same():
            operations = self._operations()
            found = self._derive(operations) or self._as_written(operations)
        elif not self._by_roles():  # "58 geese and 37 ducks": 95 birds
            found = only_pair(self.target, [*self.given, *self.others])
        if found is None or (found.operation == "sum" and self._at_odds(found, lexicon)):
            return None
        return self._signal(found)

    def _at_odds(self, found: Derivation, lexicon: Lexicon) -> bool:
        does = {p.lemma for p in self.pair.claim_facts.predicates if not p.negated}
        return at_odds(does, [part.context for part in found.parts], lexicon)

    def _by_roles(self) -> bool:
        """Whether a word asks for more than a sum: then roles decide (`worked_out.py`)."""
        asked_for = questions(self.claim, self.pair.claim_facts)
        return any(question.operation in _BY_ROLES for question in asked_for)

    def not_derivable(self) -> Signal | None:
        """That nothing leads to the claim's amount, where a small word problem asks for it."""
        target = self.target
        if not (self.told and self._same_noun() and story(self.passage)):
            return None
        if any(q.unit != target.unit for q in self.given):
            return None
        pool = [*self.given, *self.others]
        anything = OPERATIONS - {"steps"} if len(pool) < 3 else OPERATIONS
        for operations in (anything, anything - {"balance"}):
            if self._as_written(operations) or derive(
                target, pool, operations=operations, decimals=self.decimals
            ):
                return None
        written = [_shown(q, self.passage) for q in self.given]
        amount = _shown(target, self.claim)
        return Signal(
            kind="not_derivable",
            stance=Stance.CONTRADICTS,
            weight=NOT_DERIVABLE_WEIGHT,
            message=f"The source gives {', '.join(written)}; {amount} does not follow from that.",
            claim_span=target.span,
            evidence_span=_hull(self.given),
            values=(amount, ", ".join(written)),
        )

    def _operations(self) -> frozenset[str]:
        money = self.target.unit in _MONEY or bool(_MONEY & frozenset(words(self.claim)))
        operations = asked(self.claim, self.passage, money=money)
        if len(self.given) == len(self.others) == 1:
            operations |= {"product", "quotient"}  # "3 calories in a bar": 15 in 5 bars
        return operations

    def _derive(self, operations: frozenset[str]) -> Derivation | None:
        target = self.target
        pool = [*self.given, *self.others]
        same = [q for q in self.given if q.noun and q.noun == target.noun]
        if len(same) > 1 and not operations & {"product", "quotient"}:
            pool = [q for q in self.given if q.noun in ("", target.noun)]
        found = derive(target, pool, operations=operations, decimals=self.decimals)
        if found is None or found.operation not in ("sum", "difference"):
            return found
        # A word problem tells no amount in vain: 45 + 27 is not it where 9 more were counted.
        whole = bool(TOTAL & frozenset(words(self.claim)))
        everything = [*self.given, *self.others] if whole else pool
        told = [
            q
            for q in everything
            if q.unit == target.unit and (whole or q.noun in ("", target.noun))
        ]
        return found if len(told) <= len(found.parts) else None

    def _as_written(self, operations: frozenset[str]) -> Derivation | None:
        """The same with the numbers as written, for "27 games in 3 months": "9 a month".

        Only to multiply and divide: what is added has to be of one measure.
        """
        operations &= {"product", "quotient"}
        if not operations:
            return None
        target = _bare(self.target, self.claim)
        given = [_bare(q, self.passage) for q in self.given]
        others = [_bare(q, self.claim) for q in self.others]
        if target == self.target and given == list(self.given):
            return None
        pool = [*given, *others]
        found = derive(target, pool, operations=operations, decimals=self.decimals)
        if found is None:
            return None
        known = dict(zip(map(id, pool), [*self.given, *self.others], strict=True))
        parts = tuple(known[id(part)] for part in found.parts)
        # One of them counts things: 30 days and $2M multiply to nothing.
        return replace(found, parts=parts) if any(not part.unit for part in parts) else None

    def _same_noun(self) -> bool:
        target = self.target
        return bool(target.noun) and any(q.noun == target.noun for q in self.given)

    def _counts_the_same(self) -> bool:
        """Whether the claim's amount is of something that the passage counts or names."""
        unit = self.target.unit
        if self._same_noun() or (unit and any(q.unit == unit for q in self.given)):
            return True
        if digits(self.target) < 2 and len(self.given) > 2:
            return False  # a small number comes out of any three amounts
        stems = {word[:5] for word in words(self.passage) if len(word) > 3 and word.isalpha()}
        return any(word[:5] in stems for word in words(self.claim) if len(word) > 3)

    def _signal(self, found: Derivation) -> Signal:
        claimed = [any(part is other for other in self.others) for part in found.parts]
        written = [
            _shown(part, self.claim if own else self.passage)
            for part, own in zip(found.parts, claimed, strict=True)
        ]
        amount = _shown(self.target, self.claim)
        formula = found.formula(written)
        sourced = [part for part, own in zip(found.parts, claimed, strict=True) if not own]
        return Signal(
            kind="derived",
            stance=Stance.SUPPORTS,
            weight=found.weight,
            message=f"{amount} = {formula} (source)",
            claim_span=self.target.span,
            evidence_span=_hull(sourced),
            values=(amount, formula),
        )


_NUMBER = re.compile(r"\$?(\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?)(?![\d,.]*\d)")


def _bare(quantity: Quantity, text: str) -> Quantity:
    """The number as it is written, without its unit; the quantity itself where there is none."""
    found = _NUMBER.match(quantity.span.of(text))
    if found is None:
        return quantity
    value = float(found.group(1).replace(",", ""))
    return replace(quantity, low=value, high=value, unit="")


def _value(quantity: Quantity, text: str) -> float:
    """The least value of a number as it is written."""
    found = _NUMBER.match(quantity.span.of(text))
    return quantity.low if found is None else float(found.group(1).replace(",", ""))


def _exact(quantity: Quantity) -> bool:
    return quantity.low == quantity.high and math.isfinite(quantity.low)


_LABEL = re.compile(
    r"\b(?:passages?|steps?|figures?|fig\.|tables?|chapters?|sections?|pages?|parts?|phases?|tier|"
    r"versions?|number|no\.|day|room|articles?|questions?|grade|level|class|episodes?|seasons?|"
    r"volumes?|vol\.|lines?|options?|route|highway|flight|type|stage|item)\s?#?\Z",
    re.IGNORECASE,
)


_HOUR = re.compile(r"\d\s?[ap]\.?m\.?\Z", re.IGNORECASE)


def _counts(quantity: Quantity, text: str) -> bool:
    """Whether a quantity is one exact amount, not a rank or the number in "step 7"."""
    if not _exact(quantity) or quantity.unit == "ordinal":
        return False
    before = text[max(0, quantity.span.start - 16) : quantity.span.start]
    return not (_HOUR.search(quantity.span.of(text)) or _LABEL.search(before))


# The amounts of a passage that can be worked with.
_given = OfPassage(
    lambda evidence, facts: [q for q in facts.quantities if _counts(q, evidence.reading.text)]
)


def _said_bare(target: Quantity, claim: str, amounts: Sequence[Quantity], passage: str) -> bool:
    """Whether the passage says the number without the unit: "the US average is 39" (inches)."""
    others = [q for q in amounts if bool(q.unit) != bool(target.unit)]
    return bool(others) and _value(target, claim) in (_value(q, passage) for q in others)


def _stated(target: Quantity, amounts: Sequence[Quantity]) -> bool:
    """Whether an amount of a passage is the target itself: "2 squirrels" is not "2 nuts"."""
    return any(
        q.low <= target.low <= q.high
        and (q.unit == target.unit or not q.unit or not target.unit)
        and (q.noun == target.noun or not q.noun or not target.noun)
        for q in amounts
    )


def _distance(span: Span, best: Span) -> tuple[int, int]:
    return (max(0, best.start - span.end, span.start - best.end), span.start)


def _decimals(written: str) -> int:
    found = re.search(r"\.(\d{1,30})", written)
    return len(found.group(1)) if found else 0


def _shown(quantity: Quantity, text: str) -> str:
    return re.sub(r"(\d)\.0\b", r"\1", shown(text, quantity.span)) or f"{quantity.low:g}"


def _hull(parts: Sequence[Quantity]) -> Span | None:
    if not parts:
        return None
    return Span(min(p.span.start for p in parts), max(p.span.end for p in parts))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
