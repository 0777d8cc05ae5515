"""Pairs -> what the net reads: word pieces, marks, and batches of like length."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.examples import ENTAILED, Example, groups

WINDOW = 256  # word pieces of a pair
BY_RULE = ("made", "altered", "cut out")
UNMARKED = -100
_UNASKED = (0.0, 0.0, 0.0)
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


def tensors(batch: Sequence[Encoded]) -> Batch:
    """A batch as tensors on the processor."""
    longest = _longest(batch)
    ids = torch.zeros((len(batch), longest), dtype=torch.long)
    segments = torch.zeros_like(ids)
    marks = torch.full_like(ids, UNMARKED)
    for row, pair in enumerate(batch):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
        segments[row, pair.claim_at : len(pair.ids)] = 1
        marks[row, pair.claim_at : pair.claim_at + len(pair.marks)] = torch.tensor(pair.marks)
    return Batch(
        ids,
        segments,
        torch.tensor([len(pair.ids) for pair in batch]),
        marks,
        torch.tensor([pair.label for pair in batch]),
        torch.tensor([pair.weight for pair in batch]),
        torch.tensor([pair.guess for pair in batch]),
        torch.tensor([pair.taught or _UNASKED for pair in batch]),
        torch.tensor([pair.taught is not None for pair in batch]),
        torch.tensor([pair.twin and row > 0 for row, pair in enumerate(batch)]),
        sum(len(pair.ids) for pair in batch),
    )


class Held:
    """Pairs that lie on a device, end to end, and are made into batches there.

    A batch made on the processor takes longer than a GPU's step with it.
    """

    def __init__(self, pairs: Sequence[Encoded], device: str) -> None:
        self._place = {id(pair): place for place, pair in enumerate(pairs)}
        self._pairs = pairs  # kept, so that no other gets the id of one
        self._device = device
        self._ids = _Rows([pair.ids for pair in pairs], torch.int32, device)
        self._marks = _Rows([pair.marks for pair in pairs], torch.int8, device)

        def of(values: Iterable[object]) -> Tensor:
            return torch.tensor(list(values)).to(device)

        self._claim_at = of(pair.claim_at for pair in pairs)
        self._labels = of(pair.label for pair in pairs)
        self._weights = of(pair.weight for pair in pairs)
        self._guesses = of(pair.guess for pair in pairs)
        self._taught = of(pair.taught or _UNASKED for pair in pairs)
        self._asked = of(pair.taught is not None for pair in pairs)
        self._twins = of(pair.twin for pair in pairs)

    def batch(self, batch: Sequence[Encoded]) -> Batch:
        """The same as `tensors`, but that its width is a multiple of 8.

        The fast attention kernels want it so. Raises KeyError for a pair that is not held.
        """
        at = torch.arange(-(-_longest(batch) // 8) * 8, device=self._device)
        rows = torch.tensor([self._place[id(pair)] for pair in batch])
        if self._device != "cpu":
            rows = rows.pin_memory().to(self._device, non_blocking=True)
        lengths, claim_at = self._ids.lengths[rows], self._claim_at[rows, None]
        twins = self._twins[rows]
        twins[0] = False
        return Batch(
            self._ids.of(rows, at[None], 0),
            ((at >= claim_at) & (at < lengths[:, None])).long(),
            lengths,
            self._marks.of(rows, at - claim_at, UNMARKED),
            self._labels[rows],
            self._weights[rows],
            self._guesses[rows],
            self._taught[rows],
            self._asked[rows],
            twins,
            sum(len(pair.ids) for pair in batch),
        )


class _Rows:
    """Lists of numbers, end to end on a device."""

    def __init__(self, lists: Sequence[Sequence[int]], kind: torch.dtype, device: str) -> None:
        lengths = torch.tensor([len(some) for some in lists])
        self.lengths = lengths.to(device)
        self._begins = (lengths.cumsum(0) - lengths).to(device)
        joined = [one for some in lists for one in some]
        self._values = torch.tensor([*joined, 0], dtype=kind).to(device)

    def of(self, rows: Tensor, at: Tensor, outside: int) -> Tensor:
        """What stands at the places `at` of some rows, `outside` beyond their ends: int64."""
        there = (at >= 0) & (at < self.lengths[rows, None])
        places = torch.where(there, self._begins[rows, None] + at, 0)
        return torch.where(there, self._values[places].long(), outside)


def reader(pairs: Sequence[Encoded], device: str) -> Callable[[Sequence[Encoded]], Batch]:
    """What makes some of the pairs a batch on a device."""
    return tensors if device == "cpu" else Held(pairs, device).batch
