"""A training under way <-> files small enough to be kept in the repository between two machines.

The state of a training lies in a work folder, which goes with its machine. What is parked is the
running mean of the weights that move, in 8 bits with a scale for each row, in shards of at most
15 MB; word vectors and frozen layers are those of what it began from. A training that goes on from
there starts its optimizer anew, and reads the pairs in another order than before: what it read
first it has learned from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training import checkpoint, net, train

SHARD = 15_000_000
FROZEN = ("words.", "places.", "segments.", "norm.", "distances.")


def park(
    state: Path, recipe: train.Recipe, out: Path, name: str, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Writes the mean of the weights of a checkpoint; returns the numbers written beside them.

    before: the numbers of the parked state that the training went on from, which these add to.
    """
    model = net.load(state / "weights.safetensors")
    optimizer = train.optimizer_of(model, recipe)
    moved = checkpoint.moved(optimizer)
    there = checkpoint.State(model, optimizer, [value.detach().clone() for value in moved])
    checkpoint.restore(there, state)
    mean = checkpoint.averaged(there)
    out.mkdir(parents=True, exist_ok=True)
    for path in out.glob(f"{name}.*"):
        path.unlink()
    held: dict[str, Tensor] = {}
    number = 0
    frozen = (*FROZEN, *(f"layers.{at}." for at in range(recipe.frozen)))
    for key in sorted(key for key in mean if not key.startswith(frozen)):
        part = {key: mean[key]}
        if mean[key].ndim == 2:  # norms and biases stay as they are
            scale = mean[key].abs().amax(1).clamp(min=1e-12) / 127
            part = {key: _small(mean[key], scale), f"{key}.scale": scale}
        if held and _size(held) + _size(part) > SHARD:
            save_file(held, str(out / f"{name}.{number:02}.shard"))
            held, number = {}, number + 1
        held |= part
    save_file(held, str(out / f"{name}.{number:02}.shard"))
    told = {
        "step": there.step,
        "word_pieces": there.seen,
        "hours": round(there.seconds / 3600, 2),
    }
    numbers = {key: round(value + (before or {}).get(key, 0), 2) for key, value in told.items()}
    (out / f"{name}.json").write_text(json.dumps(numbers) + "\n", encoding="utf-8")
    return numbers


def numbers_of(folder: Path, name: str) -> dict[str, Any]:
    """What `park` wrote beside the weights: step, word_pieces, hours; {} without any."""
    path = folder / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def unpark(folder: Path, name: str, model: net.CrossEncoder) -> net.CrossEncoder:
    """The net that `park` left in `folder`, put into the one it began from: the rest stays.

    Raises FileNotFoundError when nothing was parked there under this name.
    """
    paths = sorted(folder.glob(f"{name}.*.shard"))
    if not paths:
        raise FileNotFoundError(f"no {name}.*.shard in {folder}: nothing was parked")
    held: dict[str, Tensor] = {}
    for path in paths:
        held |= load_file(str(path))
    weights = dict(model.state_dict())
    for key in weights:
        if key not in held:
            continue
        found = held[key].float()
        if f"{key}.scale" in held:
            found = found * held[f"{key}.scale"][:, None]
        weights[key] = found
    model.load_state_dict(weights)
    return model


def _small(rows: Tensor, scale: Tensor) -> Tensor:
    return (rows / scale[:, None]).round().clamp(-127, 127).to(torch.int8)


def _size(held: dict[str, Tensor]) -> int:
    return int(np.sum([value.numel() * value.element_size() for value in held.values()]))
