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

from safetensors.torch import load_file, save_file
from torch import Tensor

from training import checkpoint, eight_bits, net, train

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
    frozen = (*FROZEN, *(f"layers.{at}." for at in range(recipe.frozen)))
    held = eight_bits.packed(
        {key: value for key, value in mean.items() if not key.startswith(frozen)}
    )
    for number, part in enumerate(eight_bits.in_parts(held, SHARD)):
        save_file(part, str(out / f"{name}.{number:02}.shard"))
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
    model.load_state_dict(dict(model.state_dict()) | eight_bits.unpacked(held))
    return model
