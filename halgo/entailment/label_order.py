"""A model's config.json -> what its logits mean: entailment, neutral, contradiction.

Models order their labels as they please and some do not name them at all; a wrong guess would turn
contradiction into support, so what the names do not tell is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from halgo.errors import ConfigError

_Array = np.ndarray[Any, Any]
# Logits of one pair, (labels,) float64 -> the three probabilities, which sum to 1.
Reader = Callable[[_Array], tuple[float, float, float]]

_ENTAILED = {
    *("entailment", "entailed", "entails", "entail", "supported", "supports", "support"),
    *("consistent", "grounded", "faithful", "factual", "attributable"),
}
_NEUTRAL = {
    *("neutral", "not_enough_info", "not_enough_information", "nei", "unverifiable", "irrelevant"),
}
_CONTRADICTED = {
    *("contradiction", "contradicted", "contradictory", "contradicts", "contradict"),
    *("refuted", "refutes", "refute"),
}
_NOT_ENTAILED = {
    *("not_entailment", "not_entailed", "non_entailment", "unsupported", "not_supported"),
    *("inconsistent", "ungrounded", "not_grounded", "unfaithful", "hallucinated", "hallucination"),
    *("nonfactual", "non_factual", "not_attributable"),
}


def reader(config: dict[str, Any], path: Path) -> tuple[Reader, int]:
    """What reads the logits of the model whose config.json, at `path`, is `config`; their number.

    Three labels: entailment, neutral and contradiction, in any order. Two: entailment and
    another; what is not entailment is neutral unless it is called contradiction. One: entailment
    by the logistic function. Raises ConfigError that says what to add when the names do not tell.
    """
    names = _names(config)
    yes = [at for at, name in enumerate(names) if name in _ENTAILED]
    no = [at for at, name in enumerate(names) if name in _NOT_ENTAILED]
    neutral = [at for at, name in enumerate(names) if name in _NEUTRAL]
    against = [at for at, name in enumerate(names) if name in _CONTRADICTED]
    if len(names) == 1 or config.get("num_labels") == 1:
        sign = -1.0 if no else 1.0
        return (lambda logits: _rest_neutral(sigmoid(sign * logits)[0])), 1
    if len(names) == 2 and not yes and len(no) == 1:
        yes = [1 - no[0]]
    if len(names) == 2 and len(yes) == 1:
        if against:
            order = [yes[0], against[0]]
            return (lambda logits: _without_neutral(_softmax(logits)[order])), 2
        return (lambda logits: _rest_neutral(_softmax(logits)[yes[0]])), 2
    if len(names) == 3 and len(yes) == len(neutral) == len(against) == 1:
        places = [*yes, *neutral, *against]
        return (lambda logits: _all(_softmax(logits)[places])), 3
    said = f"its labels are {', '.join(map(repr, names))}" if names else "it names no labels"
    raise ConfigError(
        f"{path}: {said}, which does not tell which of them is entailment. Add to it, in the "
        f"model's own order (its model card has it), "
        f'"id2label": {{"0": "entailment", "1": "neutral", "2": "contradiction"}} for three, '
        f'{{"0": "not_entailment", "1": "entailment"}} for two, or {{"0": "entailment"}} for one.'
    )


def sigmoid(logits: _Array) -> _Array:
    """1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)))


def _names(config: dict[str, Any]) -> list[str]:
    """The labels in the order of the logits, folded; the first table that says something wins."""
    by_number, by_name = config.get("id2label"), config.get("label2id")
    tables = []
    if isinstance(by_number, dict):
        tables.append([(str(at), str(name)) for at, name in by_number.items()])
    if isinstance(by_name, dict):
        tables.append([(str(at), str(name)) for name, at in by_name.items()])
    found: list[str] = []
    for table in tables:
        if sorted(at for at, _ in table) != sorted(map(str, range(len(table)))):
            continue
        names = [_folded(name) for _, name in sorted(table, key=lambda row: int(row[0]))]
        if not all(re.fullmatch(r"label_\d+", name) for name in names):
            return names
        found = found or names
    return found


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def _softmax(logits: _Array) -> _Array:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def _all(chances: _Array) -> tuple[float, float, float]:
    return float(chances[0]), float(chances[1]), float(chances[2])


def _rest_neutral(entailed: float) -> tuple[float, float, float]:
    return float(entailed), 1.0 - float(entailed), 0.0


def _without_neutral(chances: _Array) -> tuple[float, float, float]:
    return float(chances[0]), 0.0, float(chances[1])
