"""Open tasks: what stands in a list of things to do, told as done; and rightly told as not done.

"To do: call Mr Beck" has the words of "Mr Beck has been called", and says that he has not been yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.evidence.lexical import content_stems
from halgo.protocols import Lexicon
from halgo.signals.records.yes_no import DENIED
from halgo.signals.segments import quoted
from halgo.types import Pair, Signal, Span, Stance

_WRONG, _RIGHT = 0.75, 0.75
_SHARED = 0.6  # share of the claim's words that the task has
_LIST = re.compile(
    r"\W*(?:to[- ]?dos?|open (?:tasks?|items?|points?|actions?)|action (?:items?|points?)|actions"
    r"|next steps|still (?:to do|open|to be done)|outstanding(?: (?:tasks?|items?))?|tasks)\W*$",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\W*(?:todo|fixme|to[- ]do|action(?: item)?)\s?[:\-\u2013]|\[ \]", re.IGNORECASE
)
# A claim that tells of what is to come, or of what has to be.
_TELLS = re.compile(
    r"\b(?:should|must|(?:is|are) to|has to|have to|needs?|will|shall|going to|to be|plan\w*"
    r"|to-?do|task|open|pending|outstanding|remains?|next|step|action|asked|responsible|assigned"
    r"|due|until|by when)\b|\?",
    re.IGNORECASE,
)
# "Nora orders the chairs" may say no more than whose task it is.
_AS_DONE = re.compile(
    r"\b(?:has|have|had|was|were|did)\b|n['\u2019]t\b|(?<!\bis )(?<!\bare )\b\w{2,}ed\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:done|finished|completed?|closed)\b|[\u2713\u2714\u2705]|\[x\]", re.IGNORECASE
)
_IDLE = content_stems("already done do finish complete have get yet still nobody somebody")


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one: `modality`, or `derived` for what is not done.

    None where another sentence speaks of the same: then it may be done.
    """
    none: list[list[Signal]] = [[] for _ in pairs]
    claim = pairs[0].claim.text if pairs else ""
    said = content_stems(claim) - _IDLE
    if not said or _TELLS.search(claim) or not _AS_DONE.search(claim):
        return none
    tasks = [_is_task(pair, said) for pair in pairs]
    if not any(tasks) or any(_is_told(pair, said) for pair in pairs):
        return none
    denied = DENIED.search(claim) is not None
    return [
        [_signal(pair, denied)] if task else [] for pair, task in zip(pairs, tasks, strict=True)
    ]


def _is_task(pair: Pair, said: frozenset[str]) -> bool:
    """Whether the best sentence is a task, not marked as done, that the claim speaks of."""
    evidence = pair.evidence
    task = evidence.best.of(evidence.reading.text)
    over = filter(None, (evidence.lead_in, evidence.heading))
    if not (_TASK.match(task) or any(map(_LIST.match, over))) or _DONE.search(task):
        return False
    return len(said & content_stems(task)) >= _SHARED * len(said)


def _is_told(pair: Pair, said: frozenset[str]) -> bool:
    """Whether a sentence beside the tasks has as many of the claim's words."""
    text, best = pair.evidence.reading.text, pair.evidence.best
    if _is_task(pair, said):
        return False
    return len(said & content_stems(best.of(text))) >= _SHARED * len(said)


def _signal(pair: Pair, denied: bool) -> Signal:
    best = pair.evidence.best
    message = f"The source only has this to be done: “{quoted(pair, best)}”."
    if denied:
        whole = Span(0, len(pair.claim.text))
        return Signal("derived", Stance.SUPPORTS, _RIGHT, message, whole, best)
    return Signal("modality", Stance.CONTRADICTS, _WRONG, message, None, best)
