"""Quantifiers: a claim about all of them beside a source about some, or the reverse.

Read from the words, as "all of the trains", "every train" and "the trains, all of them" are
parsed in as many ways. Both texts must put a number word before the same noun and share most of
what they say of it; a sentence that also has the claim's own number word is left alone ("some
labels are in red; all are in English").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from halgo.facts.numberwords import SMALL
from halgo.facts.numberwords import read as number_of
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.types import Facts, Pair, Signal, Span, Stance, Term

_NUMBER = "|".join([r"\d{1,4}", *(word for word in SMALL if SMALL[word] > 1), "twenty"])
_OF_ALL = rf"(?:one|{_NUMBER}) (?:out )?of (?:the |our |its |their |these |his |her )?(?:{_NUMBER})"
# The first that fits counts, so the longer ones stand first.
_CLASSES = {
    "part": _OF_ALL,
    "only some": r"only (?:some|a few|few|several|half|part|one|two|a minority|a handful)|"
    r"some,? but not all|but not all",
    "not all": r"not (?:all|every|each|everyone|everybody|both)",
    "almost all": r"(?:almost|nearly|virtually|practically) (?:all|every)|all but",
    "most": r"most|(?:the|a) (?:vast |large |great |clear |overwhelming )?majority|more than half|"
    r"over half",
    "few": r"(?:very |but )few|hardly any|(?<!a )few|(?:a|the) minority|fewer than half|"
    r"less than half",
    "half": r"half",
    "some": r"some|several|a few|a handful",
    "many": r"many",
    "all": r"all|every|each|both",
}
_SAYS = re.compile(
    "|".join(rf"(?P<{name.replace(' ', '_')}>\b(?:{p})\b)" for name, p in _CLASSES.items()),
    re.IGNORECASE,
)
# "all day", "each other", "some 240", "at all", "the most common", "half an hour", "most likely"
_NOT_AFTER = re.compile(
    r"\s+(?:other|another|\d|but\b|day|night|week|year|month|time|times|along|over|about|around|"
    r"right|sorts?|kinds?|likely|often|recently|notably|importantly|an? )",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:at|above|after|for|in|the|his|her|its|their|our|my|your|second|third|of|and a|so|"
    r"how|too|as|an?|one|this|that)|['’]s)\s+$",
    re.IGNORECASE,
)
_BEFORE = 60  # characters that are looked at for it
_EXCEPT = re.compile(r"^[^.;]{0,40}?\b(?:except|apart from|other than|save for|but for)\b", re.I)
_BETWEEN = re.compile(rf"(?:\s|of|the|our|its|their|his|her|my|your|these|those|{_NUMBER})*", re.I)
_PRONOUN = re.compile(r"\s+of\s+(?:them|those|these|which|whom)\b", re.I)
_TAKEN_UP = "them"  # stands for a noun that was named before
_NEGATOR = re.compile(r"\b(?:no|not|never|none|neither|nor|nobody|without|cannot)\b|n['’]t\b", re.I)
_PARTS = frozenset({"only some", "not all", "few", "half", "part"})
_VAGUE = words("have be do make get take give go other")

# (claim, source) -> how surely the claim is wrong; what is not here can both be true.
_WRONG = {("all", part): 0.7 for part in _PARTS}
_WRONG |= {(part, "all"): 0.7 for part in ("only some", "not all", "few", "half")}
_WRONG |= {("most", "few"): 0.7, ("many", "few"): 0.7, ("few", "most"): 0.7, ("few", "many"): 0.7}
# A source that says less than the claim does not make it wrong.
_MORE = frozenset(
    {("all", "most"), ("all", "many"), ("all", "some"), ("all", "almost all"), ("most", "some")}
)
_UNSURE = 0.5
# Share of the claim's other words that the sentence has to hold.
_SHARED, _SHARED_ALL = 0.66, 0.5


@dataclass(frozen=True, slots=True)
class _Said:
    kind: str
    noun: str  # "" where no noun follows
    span: Span


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """Quantifier signals, at most one: the source speaks of more or fewer of the same."""
    claim = pair.claim.text
    ours = _read(claim, pair.claim_facts, Span(0, len(claim)))
    if not ours:
        return []
    text, best = pair.evidence.reading.text, pair.evidence.best
    theirs = _read(text, pair.evidence_facts, best)
    if not theirs or _denied(claim, ours) != _denied(best.of(text), theirs):
        return []
    kinds = {said.kind for said in theirs}
    for mine in ours:
        if not mine.noun or mine.kind in kinds:
            continue
        for other in theirs:
            if other.noun not in (mine.noun, _TAKEN_UP):
                continue
            weight = _WRONG.get((mine.kind, other.kind), 0.0)
            stance = Stance.CONTRADICTS
            if (mine.kind, other.kind) in _MORE:
                weight, stance = _UNSURE, Stance.UNSUPPORTED
            named = mine.noun == other.noun != _TAKEN_UP
            least = _SHARED_ALL if other.kind == "all" and named else _SHARED
            if weight and _shared(pair, mine, lexicon) >= least:
                return [_signal(pair, mine, other, weight, stance)]
    return []


def _read(text: str, facts: Facts, within: Span) -> list[_Said]:
    """The number words of one sentence, each with the lemma of the noun behind it."""
    terms = sorted((t for t in facts.terms if t.span.overlaps(within)), key=_start)
    found = []
    for match in _SAYS.finditer(text, within.start, within.end):
        kind = str(match.lastgroup).replace("_", " ")
        plain = kind in ("most", "many", "all", "some", "few", "half")
        if (
            plain
            and _NOT_BEFORE.search(text[max(0, match.start() - _BEFORE) : match.start()])
            and match.group()[:4] != "the "
        ):
            continue
        if _NOT_AFTER.match(text, match.end()):
            continue
        noun = _noun(text, terms, match.end()) or _taken_up(text, terms, match)
        if kind == "part":
            kind = _share(match.group())
        if kind == "all" and _EXCEPT.match(
            text[match.end() : min(within.end, match.end() + _BEFORE)]
        ):
            kind = "not all"
        found.append(_Said(kind, noun, Span(match.start(), match.end())))
    return found


def _start(term: Term) -> int:
    return term.span.start


def _behind(terms: list[Term], end: int) -> int:
    """How many of the words begin before a place."""
    return bisect_left(terms, end, key=_start)


def _noun(text: str, terms: list[Term], end: int) -> str:
    """The lemma of the noun that a number word stands before, "" for none."""
    at, found = end, ""
    for term in terms[_behind(terms, end) :]:
        gap = text[at : term.span.start]
        if not _BETWEEN.fullmatch(gap) or (found and gap.strip()):
            break
        if term.pos in ("NOUN", "PROPN"):
            found = term.lemma
        elif found or term.pos not in ("ADJ", "NUM"):
            break
        at = term.span.end
    return found


def _taken_up(text: str, terms: list[Term], match: re.Match[str]) -> str:
    """`_TAKEN_UP` where a number word stands for itself: "most of them", "most returned"."""
    if _PRONOUN.match(text, match.end()):
        return _TAKEN_UP
    if text[: match.start()].rstrip()[-1:] == ",":  # "credits were paid, all to customers"
        return _TAKEN_UP
    behind = next(iter(terms[_behind(terms, match.end()) :]), None)
    at_once = behind is not None and text[match.end() : behind.span.start].isspace()
    return _TAKEN_UP if at_once and behind is not None and behind.pos == "VERB" else ""


def _share(written: str) -> str:
    """What "five of the six" says: "part", or "all" and "few" at the ends."""
    numbers = [number_of([word]) for word in written.lower().split() if word.isalpha()]
    values = [float(found.value) for found in numbers if found is not None]
    values = values if len(values) == 2 else [float(n) for n in re.findall(r"\d+", written)]
    if len(values) == 2 and values[0] == values[1]:
        return "all"
    return "part" if len(values) == 2 and values[0] < values[1] else ""


def _denied(text: str, said: list[_Said]) -> bool:
    """Whether a sentence denies more than that it is so of all."""
    negators = len(_NEGATOR.findall(text))
    return negators > sum(found.kind in ("not all", "only some") for found in said)


def _shared(pair: Pair, mine: _Said, lexicon: Lexicon) -> float:
    """Share of the claim's words beside the noun that the passage has, in [0, 1]."""
    best = {term.lemma for term in pair.evidence_facts.terms}
    others = [
        term.lemma
        for term in pair.claim_facts.terms
        if term.lemma != mine.noun and term.lemma not in _VAGUE
        and not term.span.overlaps(mine.span)
    ]  # fmt: skip
    if not others:
        return 0.0
    held = sum(word in best or not lexicon.synonyms(word).isdisjoint(best) for word in others)
    return held / len(others)


def _signal(pair: Pair, mine: _Said, other: _Said, weight: float, stance: Stance) -> Signal:
    said = mine.span.of(pair.claim.text), other.span.of(pair.evidence.reading.text)
    message = f'The claim says "{said[0]}"; the source says "{said[1]}".'
    return Signal("quantifier", stance, weight, message, mine.span, other.span, said)
