"""The state of a training <-> a folder, so that it can be cut off at any moment.

A checkpoint is two files of tensors and one of numbers, written into a folder beside the last one
and renamed over it: whoever reads sees the old or the new one, never half of either. No pickle.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training import net


@dataclass
class State:
    """What a training is made of between two steps.

    mean: the running mean of the weights that move, in the optimizer's order. seen: word pieces.
    """

    model: net.CrossEncoder
    optimizer: torch.optim.Optimizer
    mean: list[Tensor]
    step: int = 0
    seen: int = 0
    seconds: float = 0.0


def moved(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    """The weights that the optimizer moves, in its order."""
    return [value for group in optimizer.param_groups for value in group["params"]]


def save(state: State, folder: Path) -> None:
    """Writes the state; what was in `folder` stays until the new state is whole."""
    part, old = folder.with_name(f"{folder.name}.part"), folder.with_name(f"{folder.name}.old")
    for path in (part, old):
        shutil.rmtree(path, ignore_errors=True)
    part.mkdir(parents=True)
    net.save(state.model, part / "weights.safetensors")
    held: dict[str, Tensor] = {}
    for at, (value, mean) in enumerate(zip(moved(state.optimizer), state.mean, strict=True)):
        held[f"mean.{at}"] = mean
        for name, kept in state.optimizer.state[value].items():
            held[f"{name}.{at}"] = torch.as_tensor(kept).detach().cpu().contiguous()
    save_file(
        {name: value.cpu() for name, value in held.items()}, str(part / "optimizer.safetensors")
    )
    numbers = {"step": state.step, "seen": state.seen, "seconds": round(state.seconds, 1)}
    (part / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
    if folder.exists():
        folder.rename(old)
    part.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def there(folder: Path) -> bool:
    """Whether a state can be restored: also one that was cut off between the two renames."""
    old = folder.with_name(f"{folder.name}.old")
    if not folder.exists() and (old / "numbers.json").exists():
        old.rename(folder)
    return (folder / "numbers.json").exists()


def restore(state: State, folder: Path) -> None:
    """Puts what `save` wrote into a state of the same net and optimizer."""
    state.model.load_state_dict(load_file(str(folder / "weights.safetensors")))
    held = load_file(str(folder / "optimizer.safetensors"))
    for at, (value, mean) in enumerate(zip(moved(state.optimizer), state.mean, strict=True)):
        mean.copy_(held[f"mean.{at}"])
        kept = {
            name.rsplit(".", 1)[0]: tensor
            for name, tensor in held.items()
            if name.endswith(f".{at}") and not name.startswith("mean.")
        }
        state.optimizer.state[value] = {
            name: tensor if name == "step" else tensor.to(value.device)
            for name, tensor in kept.items()
        }
    numbers = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    state.step, state.seen = numbers["step"], numbers["seen"]
    state.seconds = numbers["seconds"]


def averaged(state: State) -> dict[str, Tensor]:
    """The net's weights with the running means in the place of those that move."""
    means = {
        id(value): mean for value, mean in zip(moved(state.optimizer), state.mean, strict=True)
    }
    return {
        name: means.get(id(value), value).detach().cpu().contiguous().clone()
        for name, value in state.model.named_parameters()
    }
