"""List lead-ins: "glass" under "Not accepted:", told as accepted.

An item says what its lead-in makes of it, and of two lists the one on what is and the other on what
is not. A claim that names an item and has what another list's lead-in says, or leaves out the "not"
of its own, has put it into the wrong list. Of limits that "cannot be raised" only the raising is
denied. What stands under "Do not:", "Mistakes to avoid" or "Reasons for a failed import" is no
advice, and advice against it agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from itertools import takewhile

from halgo.evidence.lexical import is_common, stems
from halgo.protocols import Lexicon
from halgo.signals.records.failures import SAYS_SO
from halgo.signals.records.yes_no import DENIED
from halgo.types import Evidence, Pair, Signal, Span, Stance

_WRONG_LIST = 0.7
_LONGEST_ITEM = 12  # words; longer items are statements of their own
_ASIDE = re.compile(r"\([^()]*\)")
_NOT = frozenset({"not", "no", "never", "without", "cannot", "none"})
# What a lead-in denies stands behind its "not"; "without a card" is a condition.
_DENIAL = re.compile(r"\b(?:not|no|never|cannot|none|without(?=\W*$))\b", re.IGNORECASE)
_ALLOWED = ("can", "may")
_PERMITTED = frozenset(stems("accepted admitted allowed authorised okay ok permitted welcome"))
# Lists of what should not be, and of why something went wrong; not of how to avoid it.
_FAULTS = re.compile(
    r"\b(?:mistakes?|pitfalls?|anti-?patterns?|(?:bad|poor) (?:practices?|habits?)|to avoid(?=\W*$)"
    r"|(?:common|frequent|likely|possible|typical|usual) causes)\b",
    re.IGNORECASE,
)
_REASONS = re.compile(r"\b(?:causes?|reasons?|why)\b", re.IGNORECASE)
_REMEDIES = re.compile(
    r"\b(?:avoid(?:ing|s)?\b(?!\W*$)|how|prevent|fix|solv|solution|remed|tips?\b|correct|learn|help)",
    re.IGNORECASE,
)
_AGAINST = re.compile(rf"{DENIED.pattern}|\b(?:avoid\w*|refrain\w*|stop)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\b", re.IGNORECASE)
# What stands before the verb of an order, verbs that ask for what follows them, and what makes
# advice one for a case: "Restart the service if it ignores the port".
_BEFORE_ORDER = re.compile(r"(?:(?:please|always|never|do not|don['\u2019]t|to [^,]+,)\s*)*", re.I)
_ASKING = frozenset(stems("make sure ensure check verify see avoid refrain stop"))
_CASE = re.compile(r"\b(?:if|when|whether|where|unless|until|because|since)\b", re.I)


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one signal: the item it names is listed elsewhere.

    A passage of the same document that lacks the item tells nothing of it.
    """
    found = [next(iter(_of_passage(pair, pairs)), None) for pair in pairs]
    wrong = {
        pair.evidence.chunk.doc_id: pair.evidence
        for pair, told in zip(pairs, found, strict=True)
        if told and told.stance is Stance.CONTRADICTS
    }
    return [
        [told] if told else _elsewhere(pair.evidence, wrong.get(pair.evidence.chunk.doc_id))
        for pair, told in zip(pairs, found, strict=True)
    ]


def _of_passage(pair: Pair, pairs: Sequence[Pair]) -> Iterable[Signal]:
    own = pair.evidence
    if not own.lead_in.strip():
        return
    listed = own.best.of(own.reading.text)
    said, item, under = _words(pair.claim.text), _words(listed), _words(own.lead_in)
    if not item or len(item) > _LONGEST_ITEM:
        return
    denied = _denied(own.lead_in)
    if denied == set() and _is_advice(pair, item):
        against = _advises_against(pair.claim.text, listed)
        if against is not None:
            rest = said - _words(f"{listed} {own.lead_in} instead rather") - _NOT - _ASKING
            yield _signal(
                own, agrees=("yes_no_agrees" if rest else "rows_agree") if against else ""
            )
            return
    claimed = said - item
    if not item <= said:
        return
    if denied is not None and not _is_of_faults(own.lead_in) and not claimed & _NOT:
        frames = {predicate.frame for predicate in pair.claim_facts.predicates}
        if claimed & denied or (denied <= _PERMITTED and not frames.isdisjoint(_ALLOWED)):
            yield _signal(own)
            return
    beside = [other.evidence for other in pairs if _beside(other, own)]
    if any(item <= _words(other.reading.text) for other in beside):
        return  # it is in both lists
    for other in dict.fromkeys(other.lead_in for other in beside):
        words = _words(other)
        apart, own_apart = words - under, under - words
        as_denied = bool(claimed & _NOT) == bool(words & _NOT)
        if apart and apart <= claimed and not claimed & own_apart and as_denied:
            yield _signal(own, other)
            return


def _denied(lead_in: str) -> Set[str] | None:
    """What a lead-in denies of its items: "raise" of "cannot be raised", and what "or" joins to it.

    Nothing where it denies the items themselves ("Do not:", "Mistakes to avoid"), None where it
    denies nothing.
    """
    if _is_of_faults(lead_in):
        return frozenset()
    text = _plain(lead_in)
    found = _DENIAL.search(text)
    if found is None:
        return None
    behind = stems(text[found.end() :])
    first = next((at for at, word in enumerate(behind) if not is_common(word)), len(behind))
    told = takewhile(lambda word: not is_common(word) or word in ("or", "and"), behind[first:])
    return frozenset(told) - {"or", "and"}


def _is_of_faults(lead_in: str) -> bool:
    """Whether a list is of what should not be: mistakes, reasons why something failed."""
    if _REMEDIES.search(lead_in):
        return False
    return bool(
        _FAULTS.search(lead_in) or (_REASONS.search(lead_in) and SAYS_SO.search(_plain(lead_in)))
    )


def _is_advice(pair: Pair, item: Set[str]) -> bool:
    """Whether the claim asks for something in the words of the item, and not only in some case.

    "Use garden soil", "Make sure that", "The soil should be".
    """
    text = pair.claim.text
    before = _BEFORE_ORDER.match(text)
    start = before.end() if before else 0
    return _CASE.search(text) is None and any(
        {word for word in stems(verb.replace("n't", "")) if not is_common(word)} <= item | _ASKING
        for one in pair.claim_facts.predicates
        if (verb := one.span.of(text)).endswith("ing") == one.lemma.endswith("ing")
        if one.frame == "must" or (not one.subject and one.span.start <= start < one.span.end)
    )


def _advises_against(claim: str, item: str) -> bool | None:
    """Whether advice is against a fault, rather than for it; None where it speaks of another.

    "Make sure that the cable has tension" is against "The cable has no tension".
    """
    (wanted, unwanted), (fault, right) = _sides(claim), _sides(item)
    wrong, better = fault - right, right - fault
    against = len(_AGAINST.findall(claim)) % 2 == 1
    if unwanted & wrong or (unwanted & better and wanted & wrong):
        return bool(unwanted & wrong) != against
    if fault and fault <= wanted:
        return against != (len(_AGAINST.findall(item)) % 2 == 1)
    return True if better and better <= wanted and not against else None


def _sides(text: str) -> tuple[Set[str], Set[str]]:
    """The words of what a text says, and of that in whose stead it says it; without denials."""
    said, *stead = _INSTEAD.split(_AGAINST.sub(" ", text), maxsplit=1)
    return _words(said) - {"too"}, _words(" ".join(stead))  # "too early" is early


def _beside(pair: Pair, own: Evidence) -> bool:
    """Whether a passage is of another list in the same document."""
    other = pair.evidence
    return other.chunk.doc_id == own.chunk.doc_id and other.lead_in not in ("", own.lead_in)


def _elsewhere(evidence: Evidence, listed: Evidence | None) -> list[Signal]:
    """The signal beside a passage without the item that another list of its document has."""
    if listed is None:
        return []
    item = listed.best.of(listed.reading.text)
    if _words(item) <= _words(evidence.reading.text):
        return []
    message = f'"{item}" does not stand here but under "{listed.lead_in.rstrip(" :")}".'
    return [Signal("other_list", Stance.UNSUPPORTED, _WRONG_LIST, message)]


def _words(text: str) -> Set[str]:
    """The content words of a text, and those that deny."""
    return {word for word in stems(_plain(text)) if not is_common(word) or word in _NOT}


def _plain(text: str) -> str:
    """A text without what stands in brackets, "n't" written out."""
    return _ASIDE.sub(" ", text).replace("n't", " not").replace("n\u2019t", " not")


def _signal(own: Evidence, other: str = "", *, agrees: str = "") -> Signal:
    here = own.lead_in.rstrip(" :")
    item = own.best.of(own.reading.text)
    told = f', not under "{other.rstrip(" :")}"' if other else ""
    message = f'"{item}" is listed under "{here}"{told}.'
    start = own.reading.text.find(own.lead_in)
    place = Span(start, start + len(own.lead_in)) if start >= 0 else None
    stance = Stance.SUPPORTS if agrees else Stance.CONTRADICTS
    return Signal(agrees or "other_list", stance, _WRONG_LIST, message, None, place)
