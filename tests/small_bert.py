"""A sentence encoder small enough to make in a test: its folder, and sentences of its words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from small_tokenizer import MARKS, tokenizer

WORDS = ["the", "late", "fee", "is", "due", "rent", "may", "rise", "cats", "sleep", "all", "day"]
WORDS += ["long", "in", "june", "never", "on", "a", "farm"]
WINDOW = 12


def small_bert(folder: Path) -> Path:
    """A sentence-transformers folder with a BERT of two layers, 32 wide, of random weights."""
    random = np.random.default_rng(1)
    config = {"model_type": "bert", "hidden_act": "gelu", "hidden_size": 32}
    config |= {"num_attention_heads": 4, "num_hidden_layers": 2, "layer_norm_eps": 1e-12}
    config |= {"vocab_size": len(WORDS) + 4, "intermediate_size": 64}
    config |= {"max_position_embeddings": 16, "architectures": ["BertModel"]}
    parts = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    modules = [
        {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for at, (path, kind) in enumerate(parts.items())
    ]
    for path in parts:
        (folder / path).mkdir(exist_ok=True)
    for name, value in {
        "config.json": config,
        "modules.json": modules,
        "sentence_bert_config.json": {"max_seq_length": WINDOW},
        "1_Pooling/config.json": {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True},
    }.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    pieces = [*MARKS, *WORDS]
    tokenizer(pieces).save(str(folder / "tokenizer.json"))
    weights: dict[str, np.ndarray] = {}

    def norm(name: str) -> None:
        # A few channels are far larger than the rest, as in trained models.
        scale = np.where(np.arange(32) % 11 == 3, 6.0, 1.0)
        weights[f"{name}.weight"] = scale * random.uniform(0.7, 1.3, 32)
        weights[f"{name}.bias"] = random.normal(0, 0.1, 32)

    def dense(name: str, wide: int, deep: int) -> None:
        weights[f"{name}.weight"] = random.normal(0, deep**-0.5, (wide, deep))
        weights[f"{name}.bias"] = random.normal(0, 0.1, wide)

    weights["embeddings.word_embeddings.weight"] = random.normal(0, 1, (len(pieces), 32))
    weights["embeddings.position_embeddings.weight"] = random.normal(0, 0.3, (16, 32))
    weights["embeddings.token_type_embeddings.weight"] = random.normal(0, 0.1, (2, 32))
    norm("embeddings.LayerNorm")
    for row in range(2):
        layer = f"encoder.layer.{row}"
        for part in ("query", "key", "value"):
            dense(f"{layer}.attention.self.{part}", 32, 32)
        dense(f"{layer}.attention.output.dense", 32, 32)
        norm(f"{layer}.attention.output.LayerNorm")
        dense(f"{layer}.intermediate.dense", 64, 32)
        dense(f"{layer}.output.dense", 32, 64)
        norm(f"{layer}.output.LayerNorm")
    dense("pooler.dense", 32, 32)  # no part of a sentence's row, but whoever loads a BERT misses it
    whole = {name: value.astype(np.float32) for name, value in weights.items()}
    save_file(whole, folder / "model.safetensors")
    return folder


def texts(count: int, longest: int = 10) -> list[str]:
    random = np.random.default_rng(count)
    return [
        " ".join(random.choice(WORDS, size=random.integers(1, longest + 1))) for _ in range(count)
    ]
