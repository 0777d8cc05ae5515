"""`python -m training train`: pairs -> weights.

Two processes with a thread each, their gradients averaged after every step: on two cores that is
faster than one process with two threads. bfloat16 autocast; word vectors stay as they
are, since the pairs hold too few of the words to move all alike.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training import net
from training.data import ENTAILED, NOT_ENTAILED, Example

Array = np.ndarray[Any, Any]
WINDOW = 256  # word pieces of a pair
BY_RULE = ("made", "altered", "cut out")
_IGNORE = -100


@dataclass(frozen=True)
class Recipe:
    """What decides the weights, beside the pairs. `recipe.toml` holds the values used."""

    seed: int = 1
    rate: float = 1e-4
    warm_up: float = 0.06  # share of the steps
    decay: float = 0.01
    tokens: int = 2048  # per step and process
    processes: int = 2
    token_loss: float = 0.4
    dropout: float = 0.0
    frozen_layers: int = 0
    most_weight: float = 3.0  # of an example of its set's rarer label
    after: int = 0
    until: int = 1_000_000
    made_weight: float = 2.0  # of what is entailed by construction; two in three are altered


@dataclass(frozen=True)
class Encoded:
    """A pair as the net reads it. `marks`: per claim piece 1 wrong, 0 right, -100 unknown."""

    ids: list[int]
    claim_at: int
    marks: list[int]
    label: int
    weight: float
    guess: tuple[float, ...]


def tokenizer(folder: Path) -> Any:
    """The encoder's own, without padding and truncation."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def encode(cut: Any, premise: str, claim: str) -> tuple[list[int], int, list[tuple[int, int]]]:
    """Ids of `[CLS] premise [SEP] claim [SEP]`, where the claim begins, its pieces' characters."""
    said = cut.encode(claim, add_special_tokens=False)
    ids, offsets = said.ids[: WINDOW // 2], said.offsets[: WINDOW // 2]
    room = WINDOW - 3 - len(ids)
    read = cut.encode(premise, add_special_tokens=False).ids[:room]
    start, end = cut.token_to_id("[CLS]"), cut.token_to_id("[SEP]")
    return [start, *read, end, *ids, end], len(read) + 2, offsets


def encoded(cut: Any, examples: Sequence[Example], recipe: Recipe) -> list[Encoded]:
    """All examples, with weights that give both labels of a set the same say."""
    sums: dict[tuple[str, bool], int] = Counter(
        (example.source.split(":")[0], example.label == ENTAILED) for example in examples
    )
    found = []
    for example in examples:
        ids, at, offsets = encode(cut, example.premise, example.claim)
        name, entailed = example.source.split(":")[0], example.label == ENTAILED
        mine, other = sums[name, entailed], sums[name, not entailed]
        if name in BY_RULE:
            weight = recipe.made_weight if entailed else 1.0
        else:
            weight = min((mine + other) / (2 * mine), recipe.most_weight) if other else 1.0
        if example.spans is None:
            marks = [_IGNORE] * len(offsets)
        else:
            marks = [
                int(any(a < end and start < b for start, end in example.spans)) for a, b in offsets
            ]
        found.append(Encoded(ids, at, marks, example.label, weight, example.guess))
    return found


def batches(pairs: Sequence[Encoded], recipe: Recipe, rank: int) -> Iterator[list[Encoded]]:
    """This process's batches: pairs of like length together, in random order."""
    rng = random.Random(f"{recipe.seed} 0")
    order = list(range(len(pairs)))
    rng.shuffle(order)
    made: list[list[Encoded]] = []
    slab = 4000
    for start in range(0, len(order), slab):
        some = sorted(order[start : start + slab], key=lambda at: len(pairs[at].ids))
        batch: list[Encoded] = []
        for at in some:
            if batch and (len(batch) + 1) * len(pairs[at].ids) > recipe.tokens:
                made.append(batch)
                batch = []
            batch.append(pairs[at])
        made.append(batch)
    rng.shuffle(made)
    usable = len(made) - len(made) % recipe.processes
    yield from made[rank : usable : recipe.processes]


def tensors(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """ids, segments, lengths, marks of a batch, padded."""
    longest = max(len(pair.ids) for pair in batch)
    ids = torch.zeros((len(batch), longest), dtype=torch.long)
    segments = torch.zeros_like(ids)
    marks = torch.full_like(ids, _IGNORE)
    for row, pair in enumerate(batch):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
        segments[row, pair.claim_at : len(pair.ids)] = 1
        marks[row, pair.claim_at : pair.claim_at + len(pair.marks)] = torch.tensor(pair.marks)
    return ids, segments, torch.tensor([len(pair.ids) for pair in batch]), marks


def loss_of(
    logits: Tensor, wrong: Tensor, batch: Sequence[Encoded], marks: Tensor, recipe: Recipe
) -> Tensor:
    """3-way where the label is; where it only says "not entailed", of the two others together."""
    label = torch.tensor([pair.label for pair in batch])
    weight = torch.tensor([pair.weight for pair in batch])
    guess = torch.tensor([pair.guess for pair in batch])
    chances = functional.log_softmax(logits.float() + guess, dim=1)
    either = torch.logsumexp(chances[:, 1:], dim=1)
    known = chances.gather(1, label.clamp(max=2)[:, None]).squeeze(1)
    whole = -(weight * torch.where(label == NOT_ENTAILED, either, known)).mean()
    seen = marks != _IGNORE
    if not bool(seen.any()):
        return whole
    pieces = functional.binary_cross_entropy_with_logits(wrong.float()[seen], marks[seen].float())
    return whole + recipe.token_loss * pieces


def run(rank: int, recipe: Recipe, start: Path | str, pairs: Sequence[Encoded], out: Path) -> None:
    """One process of the training.

    Steps up to `recipe.after` are taken as done in `start`, those from `recipe.until` on are left
    out: what a run that was cut off needs.
    """
    torch.set_num_threads(1)
    torch.manual_seed(recipe.seed)
    many = recipe.processes > 1
    if many:
        import torch.distributed as together

        together.init_process_group(
            "gloo", init_method=f"file://{out}.meet", rank=rank, world_size=recipe.processes
        )
    start = Path(start)
    model = net.load(start) if start.is_file() else net.from_encoder(start, recipe.dropout)
    model.train()
    frozen: list[nn.Module] = [model.words, model.places, model.segments, model.norm]
    frozen += list(model.layers)[: recipe.frozen_layers]
    for module in frozen:
        module.requires_grad_(False)
    moved = [value for value in model.parameters() if value.requires_grad]
    heads = [*model.head.parameters(), *model.token_head.parameters(), *model.pooler.parameters()]
    new = {id(value) for value in heads}
    optimizer = torch.optim.AdamW(
        [
            {"params": [value for value in moved if id(value) not in new], "lr": recipe.rate},
            {"params": heads, "lr": 3 * recipe.rate},
        ],
        weight_decay=recipe.decay,
        betas=(0.9, 0.98),
    )
    steps = min(sum(1 for _ in batches(pairs, recipe, rank)), recipe.until)

    def rate(step: int) -> float:
        step, again = step + recipe.after, 50 if recipe.after else 0
        warm = max(1, int(steps * recipe.warm_up))
        fresh = (step - recipe.after + 1) / max(1, again)
        return min(
            (step + 1) / warm,
            max(0.0, (steps - step) / max(1, steps - warm)),
            max(fresh, not again),
        )

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    begun, step, seen, told = time.monotonic(), 0, 0, []
    for batch in batches(pairs, recipe, rank):
        if step < recipe.after or step >= steps:
            step += step < recipe.after
            continue
        ids, segments, lengths, marks = tensors(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, wrong = model(ids, segments, lengths)
        loss = loss_of(logits, wrong, batch, marks, recipe)
        optimizer.zero_grad()
        loss.backward()
        if many:
            # A batch without marked words leaves the token head without a gradient.
            gradients = [torch.zeros_like(v) if v.grad is None else v.grad for v in moved]
            flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
            together.all_reduce(flat)
            flat /= recipe.processes
            at = 0
            for value in moved:
                value.grad = flat[at : at + value.numel()].view_as(value)
                at += value.numel()
        nn.utils.clip_grad_norm_(moved, 1.0)
        optimizer.step()
        schedule.step()
        step, seen = step + 1, seen + int(lengths.sum())
        told.append(loss.item())
        if rank == 0 and (step % 100 == 0 or step == steps):
            spent = time.monotonic() - begun
            print(
                f"step {step}/{steps} loss {np.mean(told[-100:]):.3f} "
                f"{seen * recipe.processes / spent:.0f} pieces/s "
                f"{spent / 60:.1f} min so far",
                flush=True,
            )
        if rank == 0 and step % 1000 == 0:
            net.save(model, out.with_name(f"{out.stem}.part.safetensors"))
    if rank == 0:
        net.save(model, out)


def train(
    examples: Sequence[Example],
    recipe: Recipe,
    start: Path,
    vocabulary: Path,
    out: Path,
) -> None:
    """Trains from `start` (a model folder, or weights that `net.save` wrote) and writes `out`."""
    pairs = encoded(tokenizer(vocabulary), examples, recipe)
    size = sum(len(pair.ids) for pair in pairs)
    print(f"{len(pairs)} pairs, {size / 1e6:.1f} M word pieces", flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    Path(f"{out}.meet").unlink(missing_ok=True)
    if recipe.processes == 1:
        run(0, recipe, start, pairs, out)
        return
    torch.multiprocessing.start_processes(
        run, args=(recipe, start, pairs, out), nprocs=recipe.processes, start_method="fork"
    )
