"""Trainings on another machine, one with a GPU: pairs and base packed here, weights back.

That machine needs torch, numpy, safetensors and this folder, nothing else. What goes there is cut
into parts of at most `PART` bytes and joined there; what comes back is bfloat16 in shards of at
most `SHARD` bytes. A run stops with a checkpoint after the minutes given, and goes on from it.

    python -m training pack --reader large            # here: .cache/entailment/packed/*.part
    python -m training.elsewhere join  PARTS WHERE    # there, once all parts have come
    python -m training.elsewhere train WHERE --minutes 9
    python -m training.elsewhere teach WHERE --by large --reader small
    python -m training.elsewhere shard WHERE/large.safetensors OUT --from 0 --to 4
    python -m training unshard --reader large         # here: shards in .cache/entailment/shards
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training import net, reading, train
from training.reading import Encoded

PART = 30_000_000
SHARD = 15_000_000
_UNASKED = np.float32(np.nan)

Array = np.ndarray[Any, Any]


def pack(pairs: Sequence[Encoded], path: Path) -> None:
    """Writes pairs as arrays: ids and marks end to end, with where each pair begins."""

    def joined(lists: Sequence[Sequence[int]], kind: type) -> tuple[Array, Array]:
        ends = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return np.fromiter((one for some in lists for one in some), kind, ends[-1]), ends

    ids, id_ends = joined([pair.ids for pair in pairs], np.uint16)
    marks, mark_ends = joined([pair.marks for pair in pairs], np.int8)
    np.savez_compressed(
        path,
        ids=ids,
        id_ends=id_ends,
        marks=marks,
        mark_ends=mark_ends,
        claim_at=np.array([pair.claim_at for pair in pairs], dtype=np.int16),
        label=np.array([pair.label for pair in pairs], dtype=np.int8),
        weight=np.array([pair.weight for pair in pairs], dtype=np.float32),
        guess=np.array([pair.guess for pair in pairs], dtype=np.float32).reshape(-1, 3),
        taught=np.array(
            [pair.taught or (_UNASKED,) * 3 for pair in pairs], dtype=np.float32
        ).reshape(-1, 3),
        twin=np.array([pair.twin for pair in pairs], dtype=np.bool_),
    )


def unpack(path: Path) -> list[Encoded]:
    """What `pack` wrote; chances and weights in float32."""
    with np.load(path, allow_pickle=False) as held:
        values = {name: held[name] for name in held.files}
    ids, ends = values["ids"].tolist(), values["id_ends"].tolist()
    marks, marked = values["marks"].tolist(), values["mark_ends"].tolist()
    taught = [None if row[0] != row[0] else tuple(row) for row in values["taught"].tolist()]
    return [
        Encoded(
            ids[ends[at] : ends[at + 1]],
            int(claim_at),
            marks[marked[at] : marked[at + 1]],
            int(label),
            float(weight),
            tuple(guess),
            told,
            twin,
        )
        for at, (claim_at, label, weight, guess, told, twin) in enumerate(
            zip(
                values["claim_at"].tolist(),
                values["label"].tolist(),
                values["weight"].tolist(),
                values["guess"].tolist(),
                taught,
                values["twin"].tolist(),
                strict=True,
            )
        )
    ]


def split(path: Path, out: Path, most: int = PART) -> list[Path]:
    """A file -> parts of at most `most` bytes, and a list of them with the digest of the whole."""
    data = path.read_bytes()
    out.mkdir(parents=True, exist_ok=True)
    parts = []
    for number, start in enumerate(range(0, max(1, len(data)), most)):
        parts.append(out / f"{path.name}.{number:02}.part")
        parts[-1].write_bytes(data[start : start + most])
    told = {"sha256": hashlib.sha256(data).hexdigest(), "parts": [part.name for part in parts]}
    (out / f"{path.name}.parts.json").write_text(json.dumps(told), encoding="utf-8")
    return parts


def join(folder: Path, out: Path) -> list[Path]:
    """The files whose parts are in `folder`, in `out`.

    Raises FileNotFoundError for a part that has not come, ValueError for one that is damaged.
    """
    out.mkdir(parents=True, exist_ok=True)
    found = []
    for listed in sorted(folder.glob("*.parts.json")):
        told = json.loads(listed.read_text(encoding="utf-8"))
        data = b"".join((folder / name).read_bytes() for name in told["parts"])
        if hashlib.sha256(data).hexdigest() != told["sha256"]:
            raise ValueError(f"the parts of {listed.name} are not those that were packed")
        found.append(out / listed.name.removesuffix(".parts.json"))
        found[-1].write_bytes(data)
    return found


def shard(weights: Path, out: Path, first: int = 0, last: int | None = None) -> list[Path]:
    """Weights -> bfloat16 in shards of at most `SHARD` bytes; the ones from `first` to `last`."""
    held = load_file(str(weights))
    flat = torch.cat([held[name].reshape(-1).to(torch.bfloat16) for name in sorted(held)])
    out.mkdir(parents=True, exist_ok=True)
    pieces = flat.split(SHARD // 2)
    shapes = {name: list(held[name].shape) for name in sorted(held)}
    told = {"shapes": shapes, "shards": len(pieces)}
    (out / f"{weights.stem}.shapes.json").write_text(json.dumps(told), encoding="utf-8")
    found = []
    for number, piece in list(enumerate(pieces))[first:last]:
        found.append(out / f"{weights.stem}.{number:02}.shard")
        save_file({"piece": piece.contiguous()}, str(found[-1]))
    return found


def unshard(folder: Path, name: str) -> dict[str, Tensor]:
    """The weights whose shards are in `folder`, in float32.

    Raises FileNotFoundError, naming it, for a shard that has not come.
    """
    told = json.loads((folder / f"{name}.shapes.json").read_text(encoding="utf-8"))
    paths = [folder / f"{name}.{number:02}.shard" for number in range(told["shards"])]
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"no {path.name} in {folder}: fetch it first")
    flat = torch.cat([load_file(str(path))["piece"] for path in paths]).float()
    found, at = {}, 0
    for key, shape in told["shapes"].items():
        size = int(np.prod(shape, dtype=np.int64))
        found[key] = flat[at : at + size].reshape(shape).clone()
        at += size
    return found


def taught_by(
    model: net.CrossEncoder, pairs: Sequence[Encoded], tokens: int, device: str
) -> list[Encoded]:
    """The pairs with the log chances that a net gives them. tokens: word pieces of a batch."""
    model = model.to(device).eval()
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].ids))
    found = list(pairs)
    while order:
        many = max(1, tokens // len(pairs[order[-1]].ids))
        some, order = order[-many:], order[:-many]
        batch = reading.tensors([pairs[at] for at in some], device)
        with torch.inference_mode(), net.autocast(device):
            logits, _ = model(batch.ids, batch.segments, batch.lengths)
        for at, row in zip(some, logits.float().log_softmax(1).tolist(), strict=True):
            found[at] = replace(pairs[at], taught=tuple(round(chance, 3) for chance in row))
    return found


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m training.elsewhere", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    joining = steps.add_parser("join")
    joining.add_argument("parts", type=Path)
    joining.add_argument("where", type=Path)
    training = steps.add_parser("train")
    teaching = steps.add_parser("teach")
    for one in (training, teaching):
        one.add_argument("where", type=Path)
        one.add_argument("--reader", required=True)
        one.add_argument("--device", default="cuda")
    training.add_argument("--minutes", type=float, default=9.0)
    training.add_argument("--tokens", type=int, default=32_768, help="word pieces a step")
    training.add_argument("--seed", type=int)
    teaching.add_argument("--by", nargs="+", required=True, help="nets, whose mean is taken")
    sharding = steps.add_parser("shard")
    sharding.add_argument("weights", type=Path)
    sharding.add_argument("out", type=Path)
    sharding.add_argument("--from", type=int, default=0, dest="first")
    sharding.add_argument("--to", type=int, dest="last")
    options = parser.parse_args()
    if options.step == "join":
        join(options.parts, options.where)
    elif options.step == "shard":
        shard(options.weights, options.out, options.first, options.last)
    elif options.step == "train":
        _train(options)
    else:
        _teach(options)
    return 0


def _train(options: argparse.Namespace) -> None:
    where: Path = options.where
    values = json.loads((where / f"{options.reader}.recipe.json").read_text(encoding="utf-8"))
    if options.seed is not None:
        values["seed"] = options.seed
    asked = train.Recipe(
        **values | {"processes": 1, "tokens": options.tokens, "device": options.device}
    )
    name = options.reader if options.seed is None else f"{options.reader}-{options.seed}"
    train.train(
        unpack(where / f"{options.reader}.npz"),
        asked,
        where / f"{options.reader}-base.safetensors",
        where / f"{name}.safetensors",
        train.Limits(options.minutes * 60),
    )


def _teach(options: argparse.Namespace) -> None:
    where: Path = options.where
    path = where / f"{options.reader}.npz"
    pairs = unpack(path)
    chances = []
    for name in options.by:
        model = net.load(where / f"{name}.safetensors")
        told = taught_by(model, pairs, 65_536, options.device)
        chances.append(np.exp([pair.taught for pair in told]))
    log = np.log(np.mean(chances, axis=0)).tolist()
    pack([replace(p, taught=tuple(row)) for p, row in zip(pairs, log, strict=True)], path)


if __name__ == "__main__":
    raise SystemExit(main())
