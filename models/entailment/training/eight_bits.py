"""Weights <-> 8 bits with a scale for each row, small enough to be carried between machines.

Of a net that was trained on, the differences from where it began are carried: they are small, so
8 bits tell them far more exactly than the weights themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

_LARGEST = 127


def packed(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Name -> int8 rows, and NAME.scale -> float32; norms and biases stay as they are."""
    held: dict[str, Tensor] = {}
    for name in sorted(weights):
        value = weights[name].detach().float()
        if value.ndim == 2:
            scale = value.abs().amax(1).clamp(min=1e-12) / _LARGEST
            rows = (value / scale[:, None]).round().clamp(-_LARGEST, _LARGEST)
            held[name], held[f"{name}.scale"] = rows.to(torch.int8), scale
        else:
            held[name] = value
    return held


def unpacked(held: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What `packed` was given, in float32 and to 8 bits."""
    found = {}
    for name, value in held.items():
        if not name.endswith(".scale"):
            scale = held.get(f"{name}.scale")
            found[name] = value.float() if scale is None else value.float() * scale[:, None]
    return found


def in_parts(held: Mapping[str, Tensor], most: int) -> Iterator[dict[str, Tensor]]:
    """The same in parts of at most `most` bytes, rows and their scale together.

    A tensor that is larger than that is a part by itself.
    """
    part: dict[str, Tensor] = {}
    for name in held:
        if name.endswith(".scale"):
            continue
        some = {key: held[key] for key in (name, f"{name}.scale") if key in held}
        if part and _size(part) + _size(some) > most:
            yield part
            part = {}
        part |= some
    if part:
        yield part


def _size(held: Mapping[str, Tensor]) -> int:
    return sum(value.numel() * value.element_size() for value in held.values())
