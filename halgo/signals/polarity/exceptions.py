"""Exceptions: what a sentence says of all but one holds of the others, and not of that one.

"All shops except the bakery are closed" says that the bakery is open; "Everyone but Carla passed"
that she did not; "No one other than the manager has a key" that the manager has one; "Only members
can vote" that non-members cannot. The words of a claim that has it the other way round are all
there. What is set apart is the rule's own business: "except" makes no denial for others to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from halgo.evidence.lexical import content_stems
from halgo.protocols import Lexicon
from halgo.signals.matching import opposites
from halgo.signals.segments import SENTENCE, shown, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.8
_LONGEST = 20_000  # characters of a passage
_MARK = re.compile(
    r"\b(?:(?P<sure>except(?:ing)?(?: for)?|with the exceptions? of|excluding)"
    r"|apart from|other than|aside from|but(?: for)?)\s",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every|each|every(?:one|body|thing|where)|no|none|nobody|nothing|no one)\b",
    re.IGNORECASE,
)
_NOT_ALL = re.compile(r"\b(?:not|n['\u2019]t|almost|nearly|if|unless)\b[^,]*?\b(?:all|every)|\?$")
_ONLY = re.compile(
    r"^\W*only (?P<who>(?:[\w-]+ ){1,3}?)(?=(?:can|may|will|have|has|are|is|get)\b)", re.IGNORECASE
)
_NON = re.compile(r"^\W*(?:the )?non-?\s?(?=[a-z])", re.IGNORECASE)
_RELATIVE = re.compile(r",?\s(?:which|who|that)\s", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:after|before|outside|beyond|until|within)\b", re.IGNORECASE)
# "Except when it rains", "except that" set no thing apart.
_CLAUSE = re.compile(
    r"(?:when|if|as|that|where|to|in case|by|with|through|because)\b", re.IGNORECASE
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|may|must|will|do|does|did|should|could)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r",(?= (?:all|every|each|no|none|nobody|only|the)\b)|[.;:()]|\s(?:which|who|that)\s",
    re.IGNORECASE,
)
_ITEM = re.compile(r",\s|\s(?:and|or|nor)\s")
_GOES_ON = re.compile(r";|,\s(?:and|but|while|which|who|so)\s|\s(?:because|whereas)\s")
_DENIED = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|no one|neither|cannot|without|nowhere)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
# "Everyone but Carla", "none of the players but Novak".
_ALL_BUT = re.compile(rf"{_ALL.pattern}(?: (?!{_VERB.pattern})[\w-]+){{0,4}} $", re.IGNORECASE)
_FIGURE = re.compile(r"\d+")
_MOST_WHO = 3  # words of all who
_IDLE = content_stems("still also already always currently every everyone everybody everything")


@dataclass(frozen=True, slots=True)
class _Apart:
    """A clause that sets something apart: `items`, by their stems, from all `who`.

    told: its sentence; besides: what else the clause says; holds: whether that is affirmed of the
    others; non: whether the items are those of whom alone it is said.
    """

    told: Span
    items: tuple[frozenset[str], ...]
    who: frozenset[str]
    besides: str
    holds: bool
    non: bool = False


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """At most one: `negation` against a claim, `rows_agree` for it, by what is set apart."""
    claim = pair.claim.text
    if _MARK.search(claim) or _ONLY.match(claim) or len(_DENIED.findall(claim)) > 1:
        return []
    text = pair.evidence.reading.text[:_LONGEST]
    if not _MARK.search(text) and "only" not in text.lower():
        return []  # as nearly all passages are
    found = (
        _signal(pair, text, apart, agrees)
        for apart in _all_apart(pair, text)
        if (agrees := _agrees(pair, apart, lexicon)) is not None
    )
    return list(islice(found, 1))


def _agrees(pair: Pair, apart: _Apart, lexicon: Lexicon) -> bool | None:
    """What a clause says of a claim; None where either has words or figures of its own."""
    claim = pair.claim.text
    if bool(_NON.search(claim)) != apart.non:
        return None
    if _BESIDE.findall(claim) != _BESIDE.findall(apart.besides):
        return None  # "except in the first year", "after the first year"
    besides = content_stems(apart.besides)
    said = content_stems(_DENIED.sub(" ", _NON.sub(" ", claim))) - _IDLE
    item = next((item for item in apart.items if item <= said), frozenset[str]())
    rest = said - item
    turned = _turned(rest - besides, pair, apart, lexicon)
    others = rest - besides - turned
    told = rest - others - apart.who
    if not told or any(stem[0].isdecimal() for stem in besides - said):
        return None  # who has no 30 days of leave may have some
    if others and (item or not _is_another(others, rest, apart)):
        return None
    if not others and not item and not _is_of_all(claim, apart.who):
        return None
    affirms = (_DENIED.search(claim) is None) != bool(turned)
    if not item and not others:  # "All shops are closed": of what is set apart as well
        return False if affirms == apart.holds else None
    return (affirms == apart.holds) != bool(item)


def _is_of_all(claim: str, who: frozenset[str]) -> bool:
    """Whether a claim says it of all these, with no exception: "We ship to all EU countries"."""
    found = _ALL.search(claim)
    behind = claim[found.end() :].split()[:_MOST_WHO] if found else []
    return found is not None and (
        who <= content_stems(" ".join(behind)) if who else not found.start()
    )


def _is_another(others: frozenset[str], rest: frozenset[str], apart: _Apart) -> bool:
    """Whether a claim names another of those that all are: "Room 5" of rooms, "the S3" with S7."""
    figures = {stem for stem in others if _FIGURE.search(stem)}
    if len(figures) != 1 or not others - figures <= frozenset().union(*apart.items):
        return False
    other = next(iter(figures))
    if other[0].isdecimal():
        return bool(rest & apart.who)
    shapes = {_FIGURE.sub("0", stem) for item in apart.items for stem in item}
    return "0" in (shape := _FIGURE.sub("0", other)) and shape in shapes


def _turned(words: frozenset[str], pair: Pair, apart: _Apart, lexicon: Lexicon) -> frozenset[str]:
    """Those of a claim's words that a clause has the opposite of: "open" of "closed"."""
    theirs = [term for term in pair.evidence_facts.terms if term.span.overlaps(apart.told)]
    text = pair.evidence.reading.text
    found: set[str] = set()
    for term in pair.claim_facts.terms:
        ours = term.lemma, term.span.of(pair.claim.text).lower()
        at = content_stems(ours[1]) & words
        if at and any(
            opposites(a, b, lexicon)
            for other in theirs
            for a in ours
            for b in (other.lemma, other.span.of(text).lower())
        ):
            found |= at
    return frozenset(found)


def _all_apart(pair: Pair, text: str) -> Iterator[_Apart]:
    """What the clauses of a passage set apart."""
    verbs = sorted(said.span for said in pair.evidence_facts.predicates)
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        said = sentence.of(text)
        if (only := _ONLY.match(said)) is not None:
            who, besides = content_stems(only["who"]), said[only.end() :]
            holds = _DENIED.search(besides) is None
            yield _Apart(sentence, (who,), who, besides, holds, non=True)
        for mark in _MARK.finditer(said):
            behind = (span.start - sentence.start for span in verbs)
            verb = next((at for at in behind if at >= mark.end()), len(said))
            found = _apart(said, mark, verb)
            if found is not None:
                told = content_stems(" ".join(span.of(text) for span in verbs))
                yield replace(found, told=sentence, who=found.who - told)


def _apart(said: str, mark: re.Match[str], verb: int) -> _Apart | None:
    """What the mark in a sentence sets apart, as far as the next verb at most."""
    ends = (pattern.search(said, mark.end()) for pattern in (_VERB, _ENDS))
    end = min(verb, *(found.start() for found in ends if found), len(said))
    named = said[mark.end() : end]
    on = _GOES_ON.search(said, end + 1)
    before, after = said[: mark.start()], said[end : on.start() if on else len(said)]
    if _RELATIVE.match(after):
        after = ""  # "except Milan, who burnt his arm"
    besides = f"{before} {after}"
    quantifier = _ALL.search(before) or _ALL.match(after.lstrip(" ,"))
    if _CLAUSE.match(named) or _NOT_ALL.search(besides) or not (quantifier or mark["sure"]):
        return None
    if "but" in mark[0].lower() and not _ALL_BUT.search(before):
        return None  # "All are closed, but the bakery ..."
    items = tuple(stems for stems in map(content_stems, _ITEM.split(named)) if stems)
    denials = len(_DENIED.findall(besides))
    if not items or denials > 1:
        return None
    behind = quantifier.string[quantifier.end() :] if quantifier else ""
    who = content_stems(" ".join(_VERB.split(behind)[0].split()[:_MOST_WHO]))
    return _Apart(Span(0, 0), items, who, besides, denials == 0)


def _signal(pair: Pair, text: str, apart: _Apart, agrees: bool) -> Signal:
    whole = Span(0, len(pair.claim.text.rstrip(" .!")))
    said = f"“{shown(text, apart.told).rstrip(' .')}”"
    if agrees:
        message = f"The source says so by what it sets apart: {said}."
        return Signal("rows_agree", Stance.SUPPORTS, _WEIGHT, message, whole, apart.told)
    message = f"The source says otherwise by what it sets apart: {said}."
    return Signal("negation", Stance.CONTRADICTS, _WEIGHT, message, whole, apart.told)
