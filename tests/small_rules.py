"""One family of rules on pairs made by hand: what stands of what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from halgo import signals
from halgo.protocols import Lexicon
from halgo.types import Corpus, Pair, Signal
from halgo.verdict.resolve import resolve


class Family:
    """A family as it runs in a check; signals without the rule's name, for comparing."""

    def __init__(self, name: str, lexicon: Lexicon) -> None:
        self.name = name
        self._detectors = signals.of_family(name, lexicon)

    def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> list[tuple[Signal, ...]]:
        found = resolve(signals.run(self._detectors, pairs, corpus))
        return [tuple(replace(signal, detector="") for signal in some) for some in found]
