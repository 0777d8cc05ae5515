"""What the label of a pair could be guessed from without understanding -> log chances.

Written claims betray their label: true ones are longer and in other words than the document,
false ones are blunt. A net that may learn this learns it first, and nothing else. So a
small model learns only it, from the claim's own words and how many of them the premise holds, and
its guesses are added to the net's logits in training: what can be guessed earns the net nothing
(Clark et al. 2019, "Don't take the easy way out"; He et al. 2019). A check adds no guess.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from halgo.evidence.lexical import is_common, tokens
from training.examples import Example

FOLDS = 5
_HASHED = 1 << 18
_EPOCHS = 6
_CLASSES = 3


def with_guesses(pairs: Sequence[Example], documents: Sequence[int], seed: int) -> list[Example]:
    """The pairs with what a guesser that never saw their document says.

    documents: (pairs,) the number of each pair's document. Labels are the three known ones.
    """
    read = [_features(pair) for pair in pairs]
    labels = torch.tensor([pair.label for pair in pairs])
    fold = torch.tensor(documents) % FOLDS
    found = torch.zeros(len(pairs), _CLASSES)
    for one in range(FOLDS):
        mine = (fold == one).nonzero().squeeze(1)
        others = (fold != one).nonzero().squeeze(1)
        if len(mine) and len(others):
            guesser = _fitted(read, labels, others, seed)
            with torch.inference_mode():
                found[mine] = functional.log_softmax(guesser(*_batch(read, mine)), dim=1)
    return [
        dataclasses.replace(pair, guess=tuple(round(value, 3) for value in guess.tolist()))
        for pair, guess in zip(pairs, found, strict=True)
    ]


class _Guesser(nn.Module):
    """Logistic regression over hashed words and pairs of words, and a few numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(_HASHED, _CLASSES, mode="mean")
        self.numbers = nn.Linear(_NUMBERS, _CLASSES)
        nn.init.zeros_(self.words.weight)

    def forward(self, ids: Tensor, starts: Tensor, numbers: Tensor) -> Tensor:
        found: Tensor = self.words(ids, starts) + self.numbers(numbers)
        return found


_NUMBERS = 4
_Read = tuple[list[int], list[float]]


def _features(pair: Example) -> _Read:
    words = ["<", *pair.claim.lower().split(), ">"]
    grams = [*words, *(" ".join(both) for both in pairwise(words))]
    ids = [zlib.crc32(gram.encode()) % _HASHED for gram in grams]
    content = [token for token in tokens(pair.claim) if not is_common(token)]
    held = set(tokens(pair.premise))
    share = sum(token in held for token in content) / max(1, len(content))
    return ids, [share, share * share, share * share * share, len(words) / 20]


def _batch(read: Sequence[_Read], rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    some = [read[row] for row in rows.tolist()]
    ends = torch.tensor([0] + [len(ids) for ids, _ in some]).cumsum(0)
    ids = torch.tensor([number for ids, _ in some for number in ids])
    return ids, ends[:-1], torch.tensor([numbers for _, numbers in some])


def _fitted(read: Sequence[_Read], labels: Tensor, rows: Tensor, seed: int) -> _Guesser:
    guesser, order = _Guesser(), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(guesser.parameters(), lr=0.05, fused=True)
    for _ in range(_EPOCHS):
        shuffled = rows[torch.randperm(len(rows), generator=order)]
        for some in shuffled.split(128):
            loss = functional.cross_entropy(guesser(*_batch(read, some)), labels[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return guesser
