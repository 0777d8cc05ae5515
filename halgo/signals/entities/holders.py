"""Holders: the plans, roles and groups that a source gives something to, and others in a claim.

"SSO is available on the Enterprise plan", "roles can be created by an Admin": that Team customers
have SSO, or that a Viewer creates roles, no source says, though it may speak of both elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from halgo.evidence.lexical import content_stems, is_common
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.records.yes_no import DENIED
from halgo.signals.segments import SENTENCE, split, words_besides
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.85
_SHARED = 0.6  # of the claim's other words that a sentence has
_LONGEST = 20_000  # characters of a passage
_WHO = r"(?:users?|customers?|members?|subscribers?|accounts?|clients?|plans?|tiers?|editions?)\b"
_NAME = r"[A-Z][\w-]+"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|or) |, )(?:the |an? )?{_NAME})*"
# "Free users", "on the Free plan"; "a Viewer can", "Viewers can".
_CLAIMED = re.compile(
    rf"\b(?P<of>{_NAME}) {_WHO}"
    rf"|^(?:(?:An?|The) (?P<one>{_NAME})|(?P<many>[A-Z][a-z]+s)) (?:can|may)\b"
)
_GIVEN = re.compile(
    rf"\b(?:on|in|with|for|to|of|by) (?:the )?({_NAMES}) {_WHO}"
    rf"|\bby (?:an?|the) ({_NAMES})|\brole (?:of )?(?:an? |the )?({_NAMES})"
)
# What leaves room for others.
_MORE = re.compile(
    r"\b(?:all|any|every|each|everyone|everybody|everything|anyone|including|such as|at least|also"
    r"|too|as well|same"
    r"|(?:or|and) (?:higher|above|up|better|more|others?))\b",
    re.IGNORECASE,
)
_NO_NAMES = words(
    "every new current other many most several some few both these those our your their"
)
_IDLE = content_stems("use get have access available include offer support allow able plan")


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """Beside each passage of one claim at most one: it is given to others than the claim says."""
    none: list[list[Signal]] = [[] for _ in pairs]
    claim = pairs[0].claim.text if pairs else ""
    match = _CLAIMED.search(claim)
    if match is None or DENIED.search(claim):
        return none
    place = Span(*match.span(match.lastgroup or 0))
    name = place.of(claim).lower()
    if is_common(name) or name in _NO_NAMES or name.endswith(("ing", "ed")):
        return none
    own, said = content_stems(name), words_besides(claim, Span(*match.span())) - _IDLE
    about = [sentence for pair in pairs for sentence in _having(pair, said, _SHARED)]
    given = next(filter(None, map(_GIVEN.search, about)), None)
    of_it = [sentence for pair in pairs for sentence in _having(pair, own, 1)]
    if not said or given is None or any(map(_MORE.search, [*about, *of_it])):
        return none
    named = next(filter(None, given.groups()))
    alike = lexicon.synonyms(name) | lexicon.synonyms(name.removesuffix("s"))
    if own & content_stems(" ".join(about)) or not alike.isdisjoint(named.lower().split()):
        return none
    if said & content_stems(named):  # "pay by Visa" is no matter of who pays
        return none
    message = f'The source says this of "{named}", not of "{place.of(claim)}".'
    signal = Signal("unsupported_name", Stance.UNSUPPORTED, _WEIGHT, message, place)
    return [[signal] for _ in pairs]


def _having(pair: Pair, said: frozenset[str], least: float) -> Iterator[str]:
    """The sentences of a passage that have at least a share of these words, some of them."""
    text = pair.evidence.reading.text[:_LONGEST]
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        if said and len(said & content_stems(sentence.of(text))) >= least * len(said):
            yield sentence.of(text)
