"""What is left: "sold out" beside "seats left: 12", "in stock" beside "stock: 0", "in stock: no".

Words tell that some are left or that none are; a record tells how many, or yes or no. Only the
record that has most of what the claim names counts: of "B-200 is out of stock in Hamburg" the row
of Hamburg. The claim has to speak of nothing that the record does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.evidence.lexical import content_stems, stems
from halgo.protocols import Lexicon
from halgo.signals.matching import alike
from halgo.signals.records.fields import NO, YES, called, figure_in, of_record, telling
from halgo.types import Pair, Signal, Span, Stance

_TOLD = 0.8
_LEFT = re.compile(
    r"\b(?:(?P<none>out of stock|sold out|unavailable|(?:fully |all )?booked(?: out| up)?|used up"
    r"|exhausted|empty)|(?:back )?in stock|on hand|available|left|remain(?:s|ing)?)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|none|nothing|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
# What says how many are, or of when it speaks.
_OPEN = re.compile(
    r"\b(?:if|when|once|unless|until|since|will|would|may|might|could|soon|always|never|only|just|all"
    r"|both|every|each|half|most|many|few|several|almost|nearly|one|two|three|four|five)\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"[^\W_]+")
_COUNT = re.compile(r"-?\d[\d,.]*(?: (?:pcs|pieces|units|items|seats|places))?", re.IGNORECASE)
# Keys that count what is left: one of the first whatever is counted, "tickets remaining"; or none
# but the second, as "stock value" and "units sold" do not.
_ANY_LEFT = frozenset({"left", "remaining", "available"})
_IN_STOCK = frozenset({"stock", "inventory", "hand"})
_PLAIN = _ANY_LEFT | _IN_STOCK | {"in", "on", "is", "now", "currently", "item", "items"}
_NONE_KEY = re.compile(r"^(?:is )?(?:out of stock|sold out|unavailable|(?:fully )?booked)$")
_HOW_MANY = frozenset({"qty", "quantity", "units", "seats"})  # or ordered, or all there are
_WITH = frozenset({"in", "on", "current", "number", "of", "items", "level"})
_OF_TIME = frozenset(
    {"from", "until", "since", "days", "hours", "minutes", "weeks", "months", "time"}
)
_IDLE = frozenset(stems("still now currently completely already there item product any more"))


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each passage of one claim at most one signal, `word_conflict` or `rows_agree`."""
    found: list[list[Signal]] = [[] for _ in pairs]
    cue = _LEFT.search(pairs[0].claim.text) if pairs else None
    if cue is None or _OPEN.search(pairs[0].claim.text):
        return found
    records = {at: fields for at, pair in enumerate(pairs) if (fields := of_record(pair))}
    named = {at: _hits(pairs[at].claim.text, fields) for at, fields in records.items()}
    most = max(named.values(), default=0)
    meant = [at for at, hits in named.items() if hits == most > 0]
    said = frozenset(stems(pairs[0].claim.text)) if pairs else frozenset[str]()
    lefts = ((at, _told(records[at], said) or _count(records[at])) for at in meant)
    told = {at: left for at, left in lefts if left is not None}
    if len(told) != len(meant) or len({count > 0 for _, count, _ in told.values()}) != 1:
        return found
    for at, (key, count, sure) in told.items():
        signal = _signal(pairs[at], cue, records[at], key, count)
        if signal is not None and (sure or count <= 0 or signal.stance is Stance.CONTRADICTS):
            found[at].append(signal)
    return found


def _hits(claim: str, fields: Sequence[tuple[str, str]]) -> int:
    """How many of a record's values a claim has."""
    return sum(telling(value) and called(claim, value) is not None for _, value in fields)


def _told(
    fields: Sequence[tuple[str, str]], said: frozenset[str]
) -> tuple[str, float, bool] | None:
    """The same of a field of yes or no: 1 is yes. "Seats available" is asked of seats alone."""
    for key, value in fields:
        words = _KEY.findall(key.lower())
        parts, none = set(words), _NONE_KEY.search(" ".join(words)) is not None
        if value.lower() not in YES | NO or not (none or parts & (_ANY_LEFT | _IN_STOCK)):
            continue
        if none or all(stem in said for stem in stems(" ".join(parts - _PLAIN))):
            return key, float((value.lower() in YES) != none), True
    return None


def _count(fields: Sequence[tuple[str, str]]) -> tuple[str, float, bool] | None:
    """The key and number of what is left, and whether the key says that it is; None of several."""
    found: list[tuple[str, float, bool]] = []
    for key, value in fields:
        parts = set(_KEY.findall(key.lower()))
        sure = bool(parts & _ANY_LEFT) and not parts & _OF_TIME
        sure |= bool(parts & _IN_STOCK) and parts <= _IN_STOCK | _HOW_MANY | _WITH
        count = figure_in(value) if _COUNT.fullmatch(value) else None
        if count is not None and (sure or parts <= _HOW_MANY):
            found.append((key, -count if value.startswith("-") else count, sure))
    found = [one for one in found if one[2]] or found
    return found[0] if len({count > 0 for _, count, _ in found}) == 1 else None


def _signal(
    pair: Pair, cue: re.Match[str], fields: Sequence[tuple[str, str]], key: str, count: float
) -> Signal | None:
    """What the number says of the words; None where the claim says something else as well."""
    claim = pair.claim.text
    held = frozenset(stems(" ".join(f"{key} {value}" for key, value in fields).replace("_", " ")))
    rest, denied = _DENIED.subn(" ", claim[: cue.start()] + claim[cue.end() :])
    if denied > 1 or not all(alike(word, held) for word in content_stems(rest) - _IDLE):
        return None
    some = (cue["none"] is None) != bool(denied)
    value = next(value for name, value in fields if name == key)
    message = f'Under "{key}" the source gives {value}.'
    span = Span(*cue.span())
    if some == (count > 0):
        return Signal("rows_agree", Stance.SUPPORTS, _TOLD, message, Span(0, len(claim)))
    values = (cue[0], value)
    return Signal("word_conflict", Stance.CONTRADICTS, _TOLD, message, span, None, values)
