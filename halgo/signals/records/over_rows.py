"""Claims over the rows of a table: superlatives, comparisons, changes, counts, all, none and only.

"The cheapest plan with SSO is Business", "Kiel sold more than Essen", "two of the four orders are
unpaid", "every branch but Ulm grew" (Chen et al. 2020, TabFact). What the claim's words mean is
told by the table (`row_wording.py`, `row_amounts.py`); what it asks is worked out on all rows
(`row_order.py`, `row_counts.py`), those too that are not among the passages. Kinds of signal:
`rows_agree` and `rows_conflict`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.evidence.lexical import overlap
from halgo.protocols import Lexicon
from halgo.signals.quantities.directions import DOWN, UP
from halgo.signals.records.row_amounts import Amounts
from halgo.signals.records.row_bands import fallen, of_another_row, of_its_row
from halgo.signals.records.row_columns import Columns
from halgo.signals.records.row_counts import Counts
from halgo.signals.records.row_order import Order
from halgo.signals.records.row_wording import Told, Wording
from halgo.types import Pair, Signal, Span, Stance, Table

WEIGHT = 0.8
_LONGEST = 400  # characters of a claim
_ASKS = re.compile(
    rf"\b(?:{UP}|{DOWN}|\w{{3,}}est|most|least|latest|last|first|more|less|fewer|before|after|all"
    r"|every|each|none|no|only|both|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|below|under|above|over|exceed\w*|beats?|surpass\w*|miss(?:es|ed)"
    r"|rang(?:es?|ed|ing)|var(?:y|ies|ied)|spans?|spanned"
    r"|starts?|started|begins?|began|average\w*|mean|\d{1,3})\b|\w{3,}er\b.*\bthan\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:(?:almost|nearly|virtually|practically|mostly|about|roughly|around|not)"
    r" (?:all|every|none|no)|if|unless|would|could|may|might"
    r"|(?:among|one of) the (?:most|least|\w+est))\b",
    re.IGNORECASE,
)
# That a value falls into the row's range settles the value; whether the claim holds is for others.
_FALLS = 0.6
_SAYS_IT = 0.5  # share of a claim's content words from which on a passage may tell it by itself
_UNASKED = frozenset({"VERB", "AUX", "ADV"})  # words that restrict no rows where the rest is plain


def asks(claim: str) -> bool:
    """Whether a claim may speak of several rows of a table."""
    return len(claim) <= _LONGEST and _ASKS.search(claim) is not None


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each passage of one claim at most one signal: what its table makes of the claim."""
    told: dict[int, list[Signal]] = {}
    for pair in pairs:
        table = pair.table
        if table is not None and id(table) not in told:
            signal = _told(pair, table, lexicon)
            told[id(table)] = [signal] if signal is not None else []
    found = [list(told.get(id(pair.table), [])) for pair in pairs]
    seen = [(pair, one) for pair, some in zip(pairs, found, strict=True) for one in some]
    if any(one.stance is Stance.SUPPORTS for _, one in seen):
        return found
    against = {pair.evidence.chunk.doc_id: one for pair, one in reversed(seen)}
    for pair, some in zip(pairs, found, strict=True):
        best = pair.evidence.best.of(pair.evidence.reading.text)
        if not some and overlap(pair.claim.text, best) < _SAYS_IT:
            # What the rows deny, a passage of their document with few of its words does not say.
            some += [one for doc_id, one in against.items() if doc_id == pair.evidence.chunk.doc_id]
    return found


def _told(pair: Pair, table: Table, lexicon: Lexicon) -> Signal | None:
    """What a table tells of a claim, by the first operation that the claim asks for."""
    claim = pair.claim.text
    if len(claim) > _LONGEST:
        return None
    columns = Columns(table)
    if (case := fallen(claim, pair.claim_facts, columns)) is not None:
        other = of_another_row(claim, pair.claim_facts, columns, case)
        if other is not None:
            message, span, values = other
            return Signal("rows_conflict", Stance.CONTRADICTS, WEIGHT, message, span, None, values)
        falls = of_its_row(claim, pair.claim_facts, columns, case)
        if falls is None:
            return None
        message, every = falls
        if every:
            return Signal("rows_agree", Stance.SUPPORTS, WEIGHT, message, case.value.span)
        return Signal("derived", Stance.SUPPORTS, _FALLS, message, case.value.span)
    if _HEDGED.search(claim):
        return None
    said = Wording(claim, pair.claim_facts, columns, lexicon)
    amounts = Amounts(said)
    order, counts, measure = Order(said, amounts), Counts(said, amounts), said.measure
    if measure is not None and order.asks_for_first(measure):
        return _signal(order.superlative(measure), said, amounts)
    if measure is not None and not measure.superlative and len(said.names) == 2:
        compared = _signal(order.comparison(measure), said, amounts)
        if compared is not None or said.change is None:
            return compared
    for look in (order.same, counts.enumerated, order.of_columns):
        if (found := _signal(look(), said, amounts)) is not None:
            return found
    if counts.asks_for_sum():
        return _signal(counts.summed(), said, amounts)
    for look in (order.extremes, counts.of_all):
        if (found := _signal(look(), said, amounts)) is not None:
            return found
    if measure is not None and said.change is None and not amounts.are_bound_by(measure.span):
        return None
    return _signal(counts.counted(), said, amounts)


def _signal(told: Told | None, said: Wording, amounts: Amounts) -> Signal | None:
    """The signal of results that agree; none where the claim says what no table can tell."""
    if told is None or len({right for right, _ in told.results}) != 1:
        return None
    if any(not told.plain or pos not in _UNASKED for pos in said.unknown):
        return None
    right, message = told.results[0]
    if not right:
        if any(one.approximate for one in amounts.all):
            return None
        return Signal("rows_conflict", Stance.CONTRADICTS, WEIGHT, message, told.span)
    own = (cell.amount for _, at in said.names for cell in said.columns.table.rows[at])
    known = {one.low for one in own if one} | {*told.given}
    if not told.sure or any(one.low not in known for one in amounts.plain):
        return None
    # Every word of the claim is accounted for, so no other rule has to say anything of one.
    return Signal("rows_agree", Stance.SUPPORTS, WEIGHT, message, Span(0, len(said.claim)))
