"""Uniqueness: "only one", "a single", "once" beside "several", "any number of", "as often as".

A claim that allows one of a thing and a clause that allows many, or the other way round: an upper
bound of one, which "several" exceeds (upper-bounded readings of numerals, Horn 1972).
"""

from __future__ import annotations

import re

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.signals.segments import CLAUSE, SENTENCE, contradiction, split, words_besides
from halgo.types import Pair, Signal, Span

_WEIGHT = 0.65
_SHARED = 0.5  # of the claim's other words that the sentence has
_REACH = 3  # words behind an operator among which what it counts stands
_TIMES = "time"  # what "once" counts
_ONE = re.compile(
    r"\b(?:(?P<times>(?:only|just|no more than|at most) once|once only)"
    r"|(?:exactly|just|no more than|at most|not more than) one|a single|only one"
    r"|only (?:\w+ ){1,3}?one|(?P<behind>one (?:\w+ ){1,2}only))\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:(?P<times>as often as|any number of times|(?:several|many|multiple) times|repeatedly)"
    r"|several|many(?!-)|multiple|numerous|any number of|more than one|two or more|as many)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|without)\b(?! more than)|n['’]t\b", re.I
)


def signals(pair: Pair) -> list[Signal]:
    """At most one `quantifier`: a sentence allows many where the claim allows one, or one of many.

    None where the passage tells the claim's own number of the thing as well, of another case.
    """
    claim, text = pair.claim.text, pair.evidence.reading.text
    for ours, theirs in ((_ONE, _MANY), (_MANY, _ONE)):
        mine = ours.search(claim)
        if mine is None or theirs.search(claim) or _DENIED.search(claim):
            continue
        counted = _counted(mine, claim)
        others = words_besides(claim, Span(*mine.span()))
        told: list[Span] = []
        for sentence in split(SENTENCE, Span(0, len(text)), text):
            near = len(others & content_stems(sentence.of(text))) >= _SHARED * len(others)
            for clause in split(CLAUSE, sentence, text):
                said = clause.of(text)
                same = ours.search(said)
                if same is not None and counted & _counted(same, said):
                    return []
                found = theirs.search(said)
                if found is None or same is not None or not near or _DENIED.search(said):
                    continue
                if counted & _counted(found, said) and others & content_stems(said):
                    told.append(Span(*found.span()).shift(clause.start))
        if told:
            return [contradiction(pair, "quantifier", _WEIGHT, Span(*mine.span()), told[0])]
    return []


def _counted(operator: re.Match[str], text: str) -> frozenset[str]:
    """The words among which that is of which an operator allows one, or many."""
    if operator["times"]:
        return frozenset({_TIMES})
    behind = operator.re is _ONE and operator["behind"]
    said = stems(operator[0] if behind else text[operator.end() :].partition(".")[0])
    told = [word for word in said if behind or not is_common(word)][:_REACH]
    return frozenset(word for word in told if not is_common(word))
