"""model.onnx, as `export` wrote it -> the net again, its weights as near as 8 bits hold them.

So a training can go on from what is shipped, where the weights that it was made of are gone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from training import four_bits, net

Array = np.ndarray[Any, Any]


def from_export(folder: Path) -> net.CrossEncoder:
    """The net in a folder with model.onnx and config.json, ready to predict.

    Raises ValueError for a graph that lacks weights of the net that config.json describes.
    """
    graph = onnx.load(str(folder / "model.onnx")).graph
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = net.CrossEncoder({**config, "dropout": 0.0})
    weights = {
        name: torch.from_numpy(np.array(_weight(name, held), dtype=np.float32))
        for name in model.state_dict()
    }
    model.load_state_dict(weights)
    return model.eval()


def _weight(name: str, held: dict[str, Array]) -> Array:
    module, _, kind = name.rpartition(".")
    if module == "words" and "words.halves" in held:
        halves = torch.from_numpy(held["words.halves"].copy())
        codes = torch.cat([halves & 15, halves >> 4], dim=1).to(torch.int8) - 8
        return four_bits.whole(codes, torch.from_numpy(held["words.scale"].copy())).numpy()
    if module == "words":
        return held["words"] * held["words.scale"] if "words" in held else _of(held, "words")
    if module in ("places", "segments", "distances"):
        return _of(held, module)
    if kind == "bias" or module.endswith("norm"):
        return _of(held, name)
    stored = _of(held, name)  # (in, out)
    if stored.dtype == np.int8:
        stored = stored.astype(np.float32) * _of(held, f"{module}.scale")
    if f"{module}.even" in held:
        stored = stored * held[f"{module}.even"][:, None]
    return stored.T


def _of(held: dict[str, Array], name: str) -> Array:
    if name not in held:
        raise ValueError(f"the model has no {name!r}; it was not written by `training export`")
    return held[name]
