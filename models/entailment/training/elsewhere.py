"""Trainings on another machine, one with a GPU: pairs and base packed here, weights back.

That machine needs torch, numpy, safetensors and this folder, nothing else. What goes there is cut
into parts of at most `PART` bytes and joined there; the base goes in 8 bits, and what comes back
are differences from it, in 8 bits and shards of at most `SHARD` bytes. Where minutes are given, a
training ends with them, and its rate with it.

    python -m training pack --reader large            # here: .cache/entailment/packed/*.part
    python -m training.elsewhere join  PARTS WHERE    # there, once all parts have come
    python -m training.elsewhere train WHERE --reader large --minutes 9
    python -m training.elsewhere mean  WHERE --reader large --of large-1 large-2
    python -m training.elsewhere teach WHERE --reader small --by large
    python -m training.elsewhere read  WHERE --by large --pairs asked OUT
    python -m training.elsewhere shard WHERE --reader large OUT --from 0 --to 4
    python -m training unshard --reader large         # here: shards in .cache/entailment/shards
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training import eight_bits, net, reading, train
from training.reading import Encoded

PART = 30_000_000
SHARD = 15_000_000
_UNASKED = np.float32(np.nan)
_MOST = 5.0  # logits beyond are as good as this: a part that is surer than others is not heard more
_MATCHED = 4_000  # pairs that the heads of a mean are fitted on

Array = np.ndarray[Any, Any]


def pack(pairs: Sequence[Encoded], path: Path) -> None:
    """Writes pairs as arrays: ids and marks end to end, with where each pair begins."""

    def joined(lists: Sequence[Sequence[int]], kind: type) -> tuple[Array, Array]:
        ends = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return np.fromiter((one for some in lists for one in some), kind, ends[-1]), ends

    ids, id_ends = joined([pair.ids for pair in pairs], np.uint16)
    marks, mark_ends = joined([pair.marks for pair in pairs], np.int8)
    np.savez(
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
    """A file -> it compressed, in parts of at most `most` bytes; and a list of them.

    With the digest of what they are together.
    """
    data = lzma.compress(path.read_bytes(), preset=2)
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
        found[-1].write_bytes(lzma.decompress(data))
    return found


def pack_base(model: net.CrossEncoder, path: Path) -> None:
    """Writes a net in 8 bits, its configuration beside it."""
    held = eight_bits.packed(model.state_dict())
    np.savez(path, **{name: value.numpy() for name, value in held.items()})
    path.with_suffix(".json").write_text(json.dumps(model.config), encoding="utf-8")


def unpack_base(path: Path) -> net.CrossEncoder:
    """The net that `pack_base` wrote, the same on every machine."""
    model = net.CrossEncoder(json.loads(path.with_suffix(".json").read_text(encoding="utf-8")))
    with np.load(path, allow_pickle=False) as held:
        values = {name: torch.from_numpy(held[name]) for name in held.files}
    model.load_state_dict(eight_bits.unpacked(values))
    return model


def shard(
    weights: Path, base: Path, out: Path, first: int = 0, last: int | None = None
) -> list[Path]:
    """How weights differ from their base, in shards; the ones from `first` to `last`."""
    begun, held = unpack_base(base).state_dict(), load_file(str(weights))
    moved = {
        name: value.float() - begun[name]
        for name, value in held.items()
        if not torch.equal(value.float(), begun[name])
    }
    parts = list(eight_bits.in_parts(eight_bits.packed(moved), SHARD))
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{weights.stem}.shards.json").write_text(json.dumps(len(parts)), encoding="utf-8")
    found = []
    for number, part in list(enumerate(parts))[first:last]:
        found.append(out / f"{weights.stem}.{number:02}.shard")
        save_file(part, str(found[-1]))
    return found


def unshard(folder: Path, base: Path, name: str) -> net.CrossEncoder:
    """The net whose shards are in `folder`.

    Raises FileNotFoundError, naming it, for a shard that has not come.
    """
    many = json.loads((folder / f"{name}.shards.json").read_text(encoding="utf-8"))
    held: dict[str, Tensor] = {}
    for number in range(many):
        path = folder / f"{name}.{number:02}.shard"
        if not path.exists():
            raise FileNotFoundError(f"no {path.name} in {folder}: fetch it first")
        held |= load_file(str(path))
    model = unpack_base(base)
    weights = dict(model.state_dict())
    for key, moved in eight_bits.unpacked(held).items():
        weights[key] = weights[key] + moved
    model.load_state_dict(weights)
    return model


Said = tuple[list[float], list[float]]


def said_by(
    model: net.CrossEncoder, pairs: Sequence[Encoded], tokens: int, device: str
) -> list[Said]:
    """What a net says of each pair: three logits, and one for each word piece of the claim.

    tokens: word pieces of a batch.
    """
    model = model.to(device).eval()
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].ids))
    found: list[Said] = [([], [])] * len(pairs)
    read = reading.reader(pairs, device)
    while order:
        many = max(1, tokens // len(pairs[order[-1]].ids))
        some, order = order[-many:], order[:-many]
        batch = read([pairs[at] for at in some])
        with torch.inference_mode(), net.autocast(device):
            logits, wrong = model(batch.ids, batch.segments, batch.lengths)
        both = logits.float().tolist(), wrong.float().tolist()
        for at, whole, pieces in zip(some, *both, strict=True):
            ids, first = pairs[at].ids, pairs[at].claim_at
            found[at] = whole, pieces[first : len(ids) - 1]
    return found


def match(model: net.CrossEncoder, said: Sequence[Said], wanted: Sequence[Sequence[Said]]) -> None:
    """Heads of a mean of nets such that it says what its parts say on average.

    The states of trainings apart are less than their parts when averaged, and so are the logits:
    they rank as the parts' mean does, but near even odds. So the heads' outputs are fitted by least
    squares, an affine map of them that the heads take in. said: what the model says of some pairs;
    wanted: what each of its parts does. No label is looked at.
    """
    ours, theirs = _logits(said), torch.stack([_logits(one) for one in wanted])
    theirs = theirs.clamp(-_MOST, _MOST).mean(0)
    pieces, meant = _pieces(said), torch.stack([_pieces(one) for one in wanted])
    meant = meant.clamp(-_MOST, _MOST).mean(0)
    with torch.no_grad():
        turn = torch.eye(len(net.LABELS)) - 1 / len(net.LABELS)
        scale, moved = _least_squares(ours, theirs)
        _turned(model.head, turn @ scale, moved)
        _turned(model.token_head, *_least_squares(pieces, meant))


def _logits(said: Sequence[Said]) -> Tensor:
    """(n, 3), what they have in common taken off."""
    logits = torch.tensor([whole for whole, _ in said])
    return logits - logits.mean(1, keepdim=True)


def _pieces(said: Sequence[Said]) -> Tensor:
    """(pieces of all pairs, 1)."""
    return torch.tensor([piece for _, some in said for piece in some])[:, None]


def _least_squares(given: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """What to multiply `given` (n, k) by, (k, m), and what to add, (m,)."""
    both = torch.cat([given, torch.ones(len(given), 1)], dim=1).double()
    found = torch.linalg.pinv(both, rtol=1e-4) @ wanted.double()
    return found[:-1].float(), found[-1].float()


def _turned(head: torch.nn.Linear, scale: Tensor, moved: Tensor) -> None:
    head.weight.copy_(scale.T @ head.weight)
    head.bias.copy_(head.bias @ scale + moved)


def taught_by(
    model: net.CrossEncoder, pairs: Sequence[Encoded], tokens: int, device: str
) -> list[Encoded]:
    """The pairs with the log chances that a net gives them."""
    said = [whole for whole, _ in said_by(model, pairs, tokens, device)]
    chances = torch.tensor(said).reshape(-1, 3).log_softmax(1).tolist()
    return [
        replace(pair, taught=tuple(round(chance, 3) for chance in row))
        for pair, row in zip(pairs, chances, strict=True)
    ]


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m training.elsewhere", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    joining = steps.add_parser("join")
    joining.add_argument("parts", type=Path)
    joining.add_argument("where", type=Path)
    training, averaging, teaching, asking, sharding = (
        steps.add_parser(name) for name in ("train", "mean", "teach", "read", "shard")
    )
    for one in (training, averaging, teaching, asking, sharding):
        one.add_argument("where", type=Path)
        one.add_argument("--device", default="cuda")
    for one in (training, averaging, teaching, sharding):
        one.add_argument("--reader", required=True)
    averaging.add_argument("--of", nargs="+", required=True, help="trainings from the same base")
    for one in (teaching, asking):
        one.add_argument("--by", nargs="+", required=True, help="nets, whose mean is taken")
    for one in (asking, sharding):
        one.add_argument("out", type=Path)
    training.add_argument("--minutes", type=float, help="instead of the recipe's steps")
    training.add_argument("--tokens", type=int, default=32_768, help="word pieces a step")
    training.add_argument("--seed", type=int)
    asking.add_argument("--pairs", required=True, help="WHERE/NAME.npz")
    sharding.add_argument("--from", type=int, default=0, dest="first")
    sharding.add_argument("--to", type=int, dest="last")
    options = parser.parse_args()
    where: Path = options.where
    if options.step == "join":
        join(options.parts, where)
    elif options.step == "shard":
        name = options.reader
        base = where / f"{name}-base.npz"
        shard(where / f"{name}.safetensors", base, options.out, options.first, options.last)
    elif options.step == "train":
        _train(options)
    elif options.step == "mean":
        nets = [net.load(where / f"{name}.safetensors") for name in options.of]
        pairs = unpack(where / f"{options.reader}.npz")
        pairs = pairs[:: max(1, len(pairs) // _MATCHED)]
        model = net.mean_of(nets)
        asked = [said_by(one, pairs, 65_536, options.device) for one in (model, *nets)]
        match(model.cpu(), asked[0], asked[1:])
        net.save(model, where / f"{options.reader}.safetensors")
    elif options.step == "read":
        _read(options)
    else:
        _teach(options)
    return 0


def _train(options: argparse.Namespace) -> None:
    where: Path = options.where
    values = json.loads((where / f"{options.reader}.recipe.json").read_text(encoding="utf-8"))
    if options.seed is not None:
        values["seed"] = options.seed
    asked = train.Recipe(
        **values
        | {
            "processes": 1,
            "tokens": options.tokens,
            "device": options.device,
            "seconds": (options.minutes or 0.0) * 60,
        }
    )
    name = options.reader if options.seed is None else f"{options.reader}-{options.seed}"
    start = where / f"{options.reader}-base.safetensors"
    if not start.exists():
        net.save(unpack_base(start.with_suffix(".npz")), start)
    pairs = unpack(where / f"{options.reader}.npz")
    train.train(pairs, asked, start, where / f"{name}.safetensors")


def _teach(options: argparse.Namespace) -> None:
    where: Path = options.where
    path = where / f"{options.reader}.npz"
    pairs = unpack(path)
    chances = []
    for name in options.by:
        told = taught_by(net.load(where / f"{name}.safetensors"), pairs, 65_536, options.device)
        chances.append(np.exp([pair.taught for pair in told]))
    log = np.log(np.mean(chances, axis=0)).tolist()
    pack([replace(p, taught=tuple(row)) for p, row in zip(pairs, log, strict=True)], path)


def _read(options: argparse.Namespace) -> None:
    where: Path = options.where
    pairs = unpack(where / f"{options.pairs}.npz")
    for name in options.by:
        said = said_by(net.load(where / f"{name}.safetensors"), pairs, 65_536, options.device)
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            options.out / f"{name}.{options.pairs}.npz",
            logits=np.array([whole for whole, _ in said], dtype=np.float32),
            pieces=np.array([one for _, some in said for one in some], dtype=np.float16),
            ends=np.cumsum([0, *(len(some) for _, some in said)]),
        )


if __name__ == "__main__":
    raise SystemExit(main())
