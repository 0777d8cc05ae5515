"""Signals about a claim in which slips were set right -> the same in the answer's own words.

A claim is compared in the words that were meant ("bridge" for "brigde"), and what is said of it
quotes them. A reader looks for the quotation in the answer, where only what was written stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from halgo.types import Signal

_QUOTED = re.compile('\u201c[^\u201d]*\u201d|"[^"]*"')
_AROUND = '\u201c\u201d"\u2026. '


def in_own_words(signal: Signal, slips: Mapping[str, str], passages: Sequence[str]) -> Signal:
    """The signal with what it quotes of the claim as it was written.

    slips: the words that were meant, and what was written. passages: the texts that the claim was
    compared with; what stands in one of them is a quotation of it and stays.
    """
    if not slips:
        return signal
    message = _QUOTED.sub(lambda match: _quotation(match[0], slips, passages), signal.message)
    values = signal.values and (written(signal.values[0], slips), signal.values[1])
    return replace(signal, message=message, values=values)


def written(text: str, slips: Mapping[str, str]) -> str:
    """Words of a claim as they were written."""
    if not slips:
        return text
    meant = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(slips)))})\b")
    return meant.sub(lambda match: slips[match[0]], text)


def _quotation(quoted: str, slips: Mapping[str, str], passages: Sequence[str]) -> str:
    bare = quoted.strip(_AROUND)
    return quoted if any(bare in passage for passage in passages) else written(quoted, slips)
