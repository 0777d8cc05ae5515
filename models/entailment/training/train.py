"""`python -m training train`: pairs -> weights, in steps that can be cut off at any moment.

On processors: a process for each core, their gradients averaged after every step, which is faster
than one process with as many threads. On a GPU one process. bfloat16 where the processor has it;
word vectors stay as they are, since the pairs hold too few of the words to move all alike.

The rate rises, stays, and falls at the end (warm-up, stable, decay: Hu et al. 2024, MiniCPM), so a
training whose learning curve still rises goes on from the state before the fall. What is written
is the running mean of the weights (Polyak averaging).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Thread

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training import checkpoint, net, reading
from training.examples import ENTAILED, NOT_ENTAILED
from training.reading import UNMARKED, Batch, Encoded

_WAIT = 20  # steps
HEADS_RATE = 3.0  # the heads are new: their rate, in rates of the rest


@dataclass(frozen=True)
class Recipe:
    """What decides the weights, beside the pairs. `recipe.toml` holds the values used."""

    steps: int
    seconds: float = 0.0  # where given, the rate follows the clock: what `steps` is then, is this
    seed: int = 1
    rate: float = 1e-4
    warm_up: int = 150  # steps
    cooling: float = 0.3  # share of the steps in which the rate falls to nothing
    decay: float = 0.01  # of weights
    mean: float = 0.995  # how much of the running mean a step leaves
    tokens: int = 2048  # per step and process
    processes: int = 2
    device: str = "cpu"
    token_loss: float = 0.4
    twin_loss: float = 1.0  # for each pair of twins, in shares of a pair's own loss
    taught: float = (
        0.5  # share of the loss that is the distance from the teacher, where one was asked
    )
    dropout: float = 0.0
    frozen: int = 0  # layers, from the first, that stay as they are: half saves a third of a step
    most_weight: float = 3.0  # of an example of its set's rarer label
    made_weight: float = 2.0  # of what is entailed by construction; two in three are altered


def rate_at(step: float, recipe: Recipe) -> float:
    """The share of the full rate at a step."""
    falls_from = recipe.steps * (1 - recipe.cooling)
    fallen = (recipe.steps - step) / max(1.0, recipe.steps - falls_from)
    return max(0.0, min(1.0, (step + 1) / max(1, recipe.warm_up), fallen))


def loss_of(logits: Tensor, wrong: Tensor, batch: Batch, recipe: Recipe) -> Tensor:
    """3-way where the label is; where it only says "not entailed", of the two others together.

    Where a teacher was asked, a share of it is the cross-entropy with the teacher's chances
    (Hinton et al. 2015). Of twins the entailed one is to rank above the other (RankNet, Burges et
    al. 2005): what sets them apart is all there is to learn of them.
    """
    chances = functional.log_softmax(logits.float() + batch.guesses, dim=1)
    either = torch.logsumexp(chances[:, 1:], dim=1)
    known = chances.gather(1, batch.labels.clamp(max=2)[:, None]).squeeze(1)
    each = -torch.where(batch.labels == NOT_ENTAILED, either, known)
    plain = functional.log_softmax(logits.float(), dim=1)
    share = recipe.taught * batch.asked.float()
    each = (1 - share) * each - share * (batch.taught.exp() * plain).sum(1)
    whole = (batch.weights * each).mean() + recipe.twin_loss * _apart(logits.float(), batch)
    seen = (batch.marks != UNMARKED).float()
    pieces = functional.binary_cross_entropy_with_logits(
        wrong.float(), batch.marks.clamp(min=0).float(), reduction="none"
    )
    return whole + recipe.token_loss * (pieces * seen).sum() / seen.sum().clamp(min=1.0)


def _apart(logits: Tensor, batch: Batch) -> Tensor:
    """How far twins are from being told apart: the sum over them, as a share of the batch."""
    odds = logits[:, ENTAILED] - torch.logsumexp(logits[:, ENTAILED + 1 :], dim=1)
    sign = torch.where(batch.labels == ENTAILED, 1.0, -1.0)
    apart = functional.softplus(-sign * (odds - odds.roll(1)))
    return (apart * batch.twins.float()).sum() / len(odds)


def optimizer_of(model: net.CrossEncoder, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW over all but the embeddings and frozen layers, the new heads at their own rate."""
    frozen: list[nn.Module] = [model.words, model.segments, model.norm]
    frozen += model.layers[: recipe.frozen]
    if not model.shape.rotary:
        frozen.append(model.places)
    if model.shape.distances:  # all layers share them: moved, they would unfreeze every layer
        frozen.append(model.distances)
    for module in frozen:
        module.requires_grad_(False)
    heads = [*model.head.parameters(), *model.token_head.parameters(), *model.pooler.parameters()]
    new = {id(value) for value in heads}
    moved = [v for v in model.parameters() if v.requires_grad and id(v) not in new]
    return torch.optim.AdamW(
        [
            {"params": moved, "lr": recipe.rate, "times": 1.0},
            {"params": heads, "lr": recipe.rate, "times": HEADS_RATE},
        ],
        weight_decay=recipe.decay,
        betas=(0.9, 0.98),
        fused=True,
    )


@dataclass(frozen=True)
class Limits:
    """How long a run goes on: seconds until it stops with a checkpoint, and between checkpoints."""

    seconds: float = float("inf")
    every: float = 600.0


def run(
    rank: int,
    recipe: Recipe,
    start: Path,
    pairs: Sequence[Encoded],
    out: Path,
    limits: Limits = Limits(),
) -> None:
    """One process of the training; goes on from the checkpoint beside `out` where there is one.

    Writes `out` when the last step is done; the checkpoint `OUT.stable` when the rate begins to
    fall, for a training that is to go on from there.
    """
    torch.manual_seed(recipe.seed)
    if recipe.device == "cpu":
        torch.set_num_threads(1)
    else:  # cuDNN's attention plans for each new shape, which takes longer than a step
        torch.backends.cuda.enable_cudnn_sdp(False)
    exchange = _exchange(rank, recipe, out)
    if start.is_file():
        model = net.load(start, recipe.dropout)
    else:
        model = net.from_encoder(start, recipe.dropout)
    model = model.to(recipe.device).train()
    optimizer = optimizer_of(model, recipe)
    moved = checkpoint.moved(optimizer)
    state = checkpoint.State(model, optimizer, [value.detach().clone() for value in moved])
    kept, stable = out.with_suffix(".state"), out.with_suffix(".stable")
    if checkpoint.there(kept):
        checkpoint.restore(state, kept)
    begun, saved, before = time.monotonic(), time.monotonic(), state.seconds
    told: list[Tensor] = []
    falls_from = int(recipe.steps * (1 - recipe.cooling))
    for batch in _stream(pairs, recipe, rank, state.step):
        place = _place(state, recipe)
        if place >= recipe.steps:
            break
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * rate_at(place, recipe) * group["times"]
        with net.autocast(recipe.device):
            logits, wrong = model(batch.ids, batch.segments, batch.lengths)
        loss = loss_of(logits, wrong, batch, recipe)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        late = time.monotonic() - begun > limits.seconds
        stop = exchange(moved, late)
        nn.utils.clip_grad_norm_(moved, 1.0)
        optimizer.step()
        # Young means follow fast: a step's share falls from all to 1 - mean.
        share = max(1 - recipe.mean, 1 / (state.step + 2))
        torch._foreach_lerp_(state.mean, [value.detach() for value in moved], share)
        state.step += 1
        state.seen += batch.pieces * recipe.processes
        told.append(loss.detach())
        if state.step % _WAIT == 0:  # a GPU is behind until it is asked for a number
            told[-_WAIT:] = [value.cpu() for value in told[-_WAIT:]]
        state.seconds = before + time.monotonic() - begun
        if rank == 0:
            if state.step % 100 == 0 or state.step == recipe.steps:
                print(
                    f"step {state.step}/{recipe.steps} loss {np.mean([*map(float, told)]):.3f} "
                    f"{state.seen / state.seconds:.0f} pieces/s {state.seconds / 60:.1f} min",
                    flush=True,
                )
                told.clear()
            if state.step == falls_from and not recipe.seconds:  # by the clock: elsewhere
                checkpoint.save(state, stable)
            if stop or time.monotonic() - saved > limits.every:
                checkpoint.save(state, kept)
                saved = time.monotonic()
        if stop:
            break
    if rank == 0 and _place(state, recipe) >= recipe.steps:
        _write(state, out)


def _place(state: checkpoint.State, recipe: Recipe) -> float:
    """The step that decides the rate: by the clock where the recipe has seconds."""
    if not recipe.seconds:
        return state.step
    return recipe.steps * state.seconds / recipe.seconds


def _write(state: checkpoint.State, out: Path) -> None:
    model = net.CrossEncoder(state.model.config)
    model.load_state_dict(checkpoint.averaged(state))
    net.save(model, out)


def _stream(pairs: Sequence[Encoded], recipe: Recipe, rank: int, done: int) -> Iterator[Batch]:
    """Batches without end on the recipe's device, from step `done` on."""
    drawn = _drawn(pairs, recipe, rank, done)
    return map(
        reading.reader(pairs, recipe.device), drawn if recipe.device == "cpu" else _ahead(drawn)
    )


def _drawn(
    pairs: Sequence[Encoded], recipe: Recipe, rank: int, done: int
) -> Iterator[list[Encoded]]:
    """Batches without end, each time through in another order, from step `done` on."""
    for turn in count():
        seed = f"{recipe.seed} {turn}"
        for batch in reading.batches(pairs, recipe.tokens, seed, rank, recipe.processes):
            if done:
                done -= 1
            else:
                yield batch


def _ahead(batches: Iterator[list[Encoded]]) -> Iterator[list[Encoded]]:
    """The same batches, a few of them drawn while a GPU is busy with others."""
    made: Queue[list[Encoded] | Exception] = Queue(64)

    def make() -> None:
        try:
            for batch in batches:
                made.put(batch)
        except Exception as error:  # told where the batches are waited for
            made.put(error)

    Thread(target=make, daemon=True).start()
    while True:
        batch = made.get()
        if isinstance(batch, Exception):
            raise batch
        yield batch


def _exchange(rank: int, recipe: Recipe, out: Path) -> Callable[[Sequence[Tensor], bool], bool]:
    """What averages gradients over the processes, and says whether the first one is to stop."""
    if recipe.processes == 1:
        return lambda moved, late: late
    import torch.distributed as together

    together.init_process_group(
        "gloo", init_method=f"file://{out}.meet", rank=rank, world_size=recipe.processes
    )

    def exchange(moved: Sequence[Tensor], late: bool) -> bool:
        # A batch without marked words leaves the token head without a gradient.
        gradients = [torch.zeros_like(v) if v.grad is None else v.grad for v in moved]
        sign = torch.tensor([float(late and rank == 0)])
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients] + [sign])
        together.all_reduce(flat)
        at = 0
        for value in moved:
            value.grad = flat[at : at + value.numel()].view_as(value) / recipe.processes
            at += value.numel()
        return bool(flat[-1] > 0)

    return exchange


def train(
    pairs: Sequence[Encoded], recipe: Recipe, start: Path, out: Path, limits: Limits = Limits()
) -> None:
    """Trains from `start` (a model folder, or weights that `net.save` wrote) and writes `out`."""
    size = sum(len(pair.ids) for pair in pairs)
    print(f"{len(pairs)} pairs, {size / 1e6:.1f} M word pieces", flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    Path(f"{out}.meet").unlink(missing_ok=True)
    if recipe.processes == 1:
        run(0, recipe, start, pairs, out, limits)
        return
    torch.multiprocessing.start_processes(
        run,
        args=(recipe, start, pairs, out, limits),
        nprocs=recipe.processes,
        start_method="fork",
    )
