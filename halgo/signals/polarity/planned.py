"""Plans: what the sources only plan, told as there already; and rightly told as missing.

"A region in Canada is planned", "ARM is on the roadmap", "the app is coming soon": the words of
"there is a region in Canada" stand there, and it is wrong, while "there is none" is right. The
claim has to say of what is planned no more than that it is there, or that it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.protocols import Lexicon
from halgo.signals.records.yes_no import DENIED
from halgo.signals.segments import CLAUSE, SENTENCE, quoted, split
from halgo.types import Pair, Signal, Span, Stance

_WRONG, _RIGHT = 0.65, 0.75
_LONGEST = 20_000  # characters of a passage
# What stands before it is planned, or behind a verb of planning. "Plans to end it" plans nothing
# new, and "working on its speed" is about what there is.
_PLANNED = re.compile(
    r"(?:\b(?:is|are)\s(?:(?!not\b|no\b)\w+\s){0,2}?|\()(?:planned|being\s(?:planned|prepared|built)"
    r"|being\sdeveloped|(?:in|under)\s(?:preparation|development|construction|consideration|planning|the\sworks)"
    r"|on\s(?:the|our|its|their)\sroadmap|coming\ssoon)\b"
    r"(?!\sby\b|\sto\sbe\b|\sfor\s\w+(?:al|ment|tion|ure)\b)"
    r"|\bwill\s(?:only\s)?(?:be\s\w+|come|follow)\s[^.;]{0,40}?\b(?:future|coming|later|next)"
    r"\s(?:release|version|update)s?\b"
    r"|(?<!\bwho\s)(?<!\bto\s)\b(?:plans?\sto\s(?:add|build|introduce|launch|offer|support|open"
    r"|release|provide|create|develop|implement)|working\son\s(?:adding|(?=support\b)|an?\b))\s*",
    re.IGNORECASE,
)
# A claim that tells of what is to come itself, or of what may be.
_TELLS = re.compile(
    r"\b(?:plan\w*|roadmap|soon|will|going to|future|upcoming|coming|develop\w*|prepar\w*|being"
    r"|under|working|schedul\w*|announc\w*|expect\w*|consider\w*|if|when|once|until|may|might"
    r"|could|would)\b|\?",
    re.IGNORECASE,
)
# Words that say of something only that it is there.
_IDLE = content_stems(
    "available support offer exist provide include have get use existing open yet already now "
    "currently today able"
)
# What is developed as "the editor" may well be there.
_GROWS = re.compile(r"\s*(?:the|our|this)\s(?!new\b)[^.;]{1,80}?\sdevelop", re.IGNORECASE)
_OF = re.compile(r"\s(?:of|for|to|in|at|on|with|from|between|that|which)\s")


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one: `modality`, or `derived` for an absence."""
    none: list[list[Signal]] = [[] for _ in pairs]
    if not pairs or _TELLS.search(pairs[0].claim.text):
        return none
    claim = pairs[0].claim.text
    said = content_stems(claim) - _IDLE
    if not said or any(stem[0].isdecimal() for stem in said):
        return none
    found = [next(_plans(pair, said), None) for pair in pairs]
    if not any(found) or any(_is_told(pair, said) for pair in pairs):
        return none
    denied = DENIED.search(claim) is not None
    return [
        [_signal(pair, plan, denied)] if plan else []
        for pair, plan in zip(pairs, found, strict=True)
    ]


def _plans(pair: Pair, said: frozenset[str]) -> Iterator[Span]:
    """The clauses of a passage that plan what a claim's words name."""
    text = pair.evidence.reading.text[:_LONGEST]
    sentences = split(SENTENCE, Span(0, len(text)), text)
    for clause in chain.from_iterable(split(CLAUSE, sentence, text) for sentence in sentences):
        mark = _PLANNED.search(text, clause.start, clause.end)
        if mark is None or not said <= content_stems(clause.of(text)):
            continue
        is_verb = mark[0].lower().startswith(("plan", "work"))
        if _GROWS.match(clause.of(text)):
            continue
        thing = text[mark.end() : clause.end] if is_verb else text[clause.start : mark.start()]
        if _names(thing, said) and (not is_verb or said <= content_stems(thing)):
            yield clause


def _names(thing: str, said: frozenset[str]) -> bool:
    """Whether a claim has the noun of what is planned: not of "the end of SMS codes", "SMS"."""
    noun = [stem for stem in stems(_OF.split(thing.strip(), maxsplit=1)[0]) if not is_common(stem)]
    return bool(noun) and noun[-1] in said | _IDLE


def _is_told(pair: Pair, said: frozenset[str]) -> bool:
    """Whether another sentence of a passage speaks of the same, so that it may well be there."""
    text = pair.evidence.reading.text[:_LONGEST]
    sentences = (sentence.of(text) for sentence in split(SENTENCE, Span(0, len(text)), text))
    return any(
        said <= content_stems(sentence)
        and not _PLANNED.search(sentence)
        and not DENIED.search(sentence)
        for sentence in sentences
    )


def _signal(pair: Pair, plan: Span, denied: bool) -> Signal:
    message = f"The source only speaks of a plan: “{quoted(pair, plan, CLAUSE)}”."
    whole = Span(0, len(pair.claim.text.rstrip(" .!")))
    if denied:
        return Signal("derived", Stance.SUPPORTS, _RIGHT, message, whole, plan)
    return Signal("modality", Stance.CONTRADICTS, _WRONG, message, whole, plan)
