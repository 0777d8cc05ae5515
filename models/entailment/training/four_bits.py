"""Word vectors <-> 4 bits, in blocks of a row that share a scale.

Word vectors are a fifth of a large net and stay as they are in training. Rounded before it, they
cost nothing afterwards: the net learns with what it will be run with.
"""

from __future__ import annotations

import torch
from torch import Tensor

BLOCK = 32  # numbers with one scale
_LARGEST = 7


def codes(rows: Tensor) -> tuple[Tensor, Tensor]:
    """(n, width) -> int8 codes of -7 to 7, and scales in float16, (n, width / BLOCK)."""
    blocks = rows.detach().float().unflatten(1, (-1, BLOCK))
    scales = (blocks.abs().amax(2).clamp(min=1e-6) / _LARGEST).half()
    found = (blocks / scales.float()[..., None]).round().clamp(-_LARGEST, _LARGEST)
    return found.to(torch.int8).flatten(1), scales


def rounded(rows: Tensor) -> Tensor:
    """The rows as their codes tell them, in float32. Rounded again they stay the same."""
    return whole(*codes(rows))


def whole(codes: Tensor, scales: Tensor) -> Tensor:
    """What `codes` made, in float32."""
    return (codes.float().unflatten(1, (-1, BLOCK)) * scales.float()[..., None]).flatten(1)
