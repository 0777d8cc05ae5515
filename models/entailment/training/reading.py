"""Pairs -> what the net reads: word pieces, marks, and batches of like length."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.examples import ENTAILED, Example, groups

WINDOW = 256  # word pieces of a pair
BY_RULE = ("made", "altered", "cut out")
UNMARKED = -100
_SLAB = 4000  # pairs that are sorted by length together


@dataclass(frozen=True, slots=True)
class Encoded:
    """A pair as the net reads it. `marks`: per claim piece 1 wrong, 0 right, -100 unknown.

    taught: the log chances of the three labels by a teacher; None where none was asked. twin:
    whether it is the twin of the pair before it.
    """

    ids: list[int]
    claim_at: int
    marks: list[int]
    label: int
    weight: float
    guess: tuple[float, ...]
    taught: tuple[float, ...] | None = None
    twin: bool = False


def tokenizer(folder: Path) -> Any:
    """The encoder's own, without padding and truncation."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def encode(cut: Any, premise: str, claim: str) -> tuple[list[int], int, list[tuple[int, int]]]:
    """Ids of `[CLS] premise [SEP] claim [SEP]`, where the claim begins, its pieces' characters."""
    said, read = (cut.encode(text, add_special_tokens=False) for text in (claim, premise))
    return _both(cut, read.ids, said.ids, said.offsets)


def _both(
    cut: Any, read: list[int], said: list[int], offsets: list[tuple[int, int]]
) -> tuple[list[int], int, list[tuple[int, int]]]:
    ids = said[: WINDOW // 2]
    read = read[: WINDOW - 3 - len(ids)]
    start, end = cut.token_to_id("[CLS]"), cut.token_to_id("[SEP]")
    return [start, *read, end, *ids, end], len(read) + 2, offsets[: WINDOW // 2]


def encoded(
    cut: Any, examples: Sequence[Example], most_weight: float, made_weight: float
) -> list[Encoded]:
    """All examples, with weights that give both labels of a set the same say.

    most_weight: of an example of its set's rarer label; made_weight: of what is entailed by
    construction.
    """
    sums: dict[tuple[str, bool], int] = Counter(
        (example.source.split(":")[0], example.label == ENTAILED) for example in examples
    )
    premises = list(dict.fromkeys(example.premise for example in examples))
    read = dict(zip(premises, _ids(cut, premises), strict=True))
    claims = cut.encode_batch([example.claim for example in examples], add_special_tokens=False)
    found = []
    for example, said in zip(examples, claims, strict=True):
        ids, at, offsets = _both(cut, read[example.premise], said.ids, said.offsets)
        name, entailed = example.source.split(":")[0], example.label == ENTAILED
        mine, other = sums[name, entailed], sums[name, not entailed]
        if name in BY_RULE:
            weight = made_weight if entailed else 1.0
        else:
            weight = min((mine + other) / (2 * mine), most_weight) if other else 1.0
        if example.spans is None:
            marks = [UNMARKED] * len(offsets)
        else:
            marks = [
                int(any(a < end and start < b for start, end in example.spans)) for a, b in offsets
            ]
        told = example.guess, example.taught, example.twin
        found.append(Encoded(ids, at, marks, example.label, weight, *told))
    return found


def _ids(cut: Any, texts: Sequence[str]) -> Iterator[list[int]]:
    """The word pieces of each text, as many as are ever read of it."""
    for start in range(0, len(texts), _SLAB):
        some = cut.encode_batch_fast(texts[start : start + _SLAB], add_special_tokens=False)
        yield from (one.ids[:WINDOW] for one in some)


def batches(
    pairs: Sequence[Encoded], tokens: int, seed: str, rank: int = 0, of: int = 1
) -> Iterator[list[Encoded]]:
    """Batches of at most `tokens` word pieces, padding counted; pairs of like length together.

    In an order that the seed decides; of several processes each gets as many. Twins stand side by
    side.
    """
    rng = random.Random(seed)
    order = groups(pairs)
    rng.shuffle(order)
    made: list[list[Encoded]] = []
    for start in range(0, len(order), _SLAB):
        batch: list[Encoded] = []
        for group in sorted(order[start : start + _SLAB], key=_longest):
            if batch and (len(batch) + len(group)) * _longest(group) > tokens:
                made.append(batch)
                batch = []
            batch += group
        made.append(batch)
    rng.shuffle(made)
    usable = len(made) - len(made) % of
    yield from made[rank:usable:of]


def _longest(pairs: Sequence[Encoded]) -> int:
    return max(len(pair.ids) for pair in pairs)


@dataclass(frozen=True, slots=True)
class Batch:
    """A padded batch.

    ids, segments, marks: (pairs, longest); lengths, labels, weights: (pairs,); guesses, taught:
    (pairs, 3); asked: (pairs,) whether a teacher was; twins: (pairs,) whether it is the twin of
    the pair before it. pieces: word pieces, padding not counted.
    """

    ids: Tensor
    segments: Tensor
    lengths: Tensor
    marks: Tensor
    labels: Tensor
    weights: Tensor
    guesses: Tensor
    taught: Tensor
    asked: Tensor
    twins: Tensor
    pieces: int


def tensors(batch: Sequence[Encoded], device: str = "cpu") -> Batch:
    """A batch as tensors on a device."""
    longest = _longest(batch)
    if device != "cpu":
        longest = -(-longest // 8) * 8  # the fast attention kernels want it so
    ids = torch.zeros((len(batch), longest), dtype=torch.long)
    segments = torch.zeros_like(ids)
    marks = torch.full_like(ids, UNMARKED)
    for row, pair in enumerate(batch):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
        segments[row, pair.claim_at : len(pair.ids)] = 1
        marks[row, pair.claim_at : pair.claim_at + len(pair.marks)] = torch.tensor(pair.marks)
    found = (
        ids,
        segments,
        torch.tensor([len(pair.ids) for pair in batch]),
        marks,
        torch.tensor([pair.label for pair in batch]),
        torch.tensor([pair.weight for pair in batch]),
        torch.tensor([pair.guess for pair in batch]),
        torch.tensor([pair.taught or (0.0, 0.0, 0.0) for pair in batch]),
        torch.tensor([pair.taught is not None for pair in batch]),
        torch.tensor([pair.twin and row > 0 for row, pair in enumerate(batch)]),
    )
    pieces = sum(len(pair.ids) for pair in batch)
    if device == "cpu":
        return Batch(*found, pieces)
    return Batch(*(tensor.pin_memory().to(device, non_blocking=True) for tensor in found), pieces)
