"""List lead-ins: "glass" under "Not accepted:", told as accepted.

An item says what its lead-in makes of it, and of two lists the one on what is and the other on what
is not. A claim that names an item and has what another list's lead-in says, or leaves out the "not"
of its own, has put it into the wrong list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set

from halgo.evidence.lexical import is_common, stems
from halgo.protocols import Lexicon
from halgo.types import Evidence, Pair, Signal, Span, Stance

_WRONG_LIST = 0.7
_LONGEST_ITEM = 12  # words; longer items are statements of their own
_ASIDE = re.compile(r"\([^()]*\)")
_NOT = frozenset({"not", "no", "never", "without", "cannot", "none"})
# Beside "Not okay:" only what is said to be allowed, beside a mere "Don't:" what is asked for too.
_ALLOWED, _ASKED = ("can", "may"), ("can", "may", "must")


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one signal: the item it names is listed elsewhere.

    A passage of the same document that lacks the item tells nothing of it.
    """
    found = [next(iter(_of_passage(pair, pairs)), None) for pair in pairs]
    wrong = {
        pair.evidence.chunk.doc_id: pair.evidence
        for pair, told in zip(pairs, found, strict=True)
        if told
    }
    return [
        [told] if told else _elsewhere(pair.evidence, wrong.get(pair.evidence.chunk.doc_id))
        for pair, told in zip(pairs, found, strict=True)
    ]


def _of_passage(pair: Pair, pairs: Sequence[Pair]) -> Iterable[Signal]:
    own = pair.evidence
    if not own.lead_in.strip():
        return
    said = _words(pair.claim.text)
    item = _words(own.best.of(own.reading.text))
    if not item or len(item) > _LONGEST_ITEM or not item <= said:
        return
    claimed, under = said - item, _words(own.lead_in)
    if under & _NOT and not claimed & _NOT:
        frames = _ALLOWED if under - _NOT else _ASKED
        if claimed & under or any(p.frame in frames for p in pair.claim_facts.predicates):
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
    words = stems(_ASIDE.sub(" ", text).replace("n't", " not").replace("n\u2019t", " not"))
    return {word for word in words if not is_common(word) or word in _NOT}


def _signal(own: Evidence, other: str = "") -> Signal:
    here = own.lead_in.rstrip(" :")
    item = own.best.of(own.reading.text)
    told = f', not under "{other.rstrip(" :")}"' if other else ""
    message = f'"{item}" is listed under "{here}"{told}.'
    start = own.reading.text.find(own.lead_in)
    place = Span(start, start + len(own.lead_in)) if start >= 0 else None
    return Signal("other_list", Stance.CONTRADICTS, _WRONG_LIST, message, None, place)
