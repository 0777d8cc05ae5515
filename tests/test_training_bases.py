"""The weights of a base that comes as an ONNX file, in floats or in 8 bits, or as MPNet's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_training

QUERY = "encoder.layer.0.attention.self.query"
WORDS = "embeddings.word_embeddings.weight"
rng = np.random.default_rng(3)
WEIGHTS = {
    WORDS: rng.normal(size=(5, 4)).astype(np.float32),
    f"{QUERY}.weight": rng.normal(size=(4, 4)).astype(np.float32),
    f"{QUERY}.bias": rng.normal(size=4).astype(np.float32),
}


@pytest.fixture(scope="module")
def bases() -> Iterator[Any]:
    """`training.bases`."""
    pytest.importorskip("onnx")
    with small_training.training("bases") as package:
        yield package.bases


def written(path: Path, eight_bits: bool) -> Path:
    """A graph with these weights, exported as PyTorch does."""
    import onnx
    from onnx import helper, numpy_helper

    def held(name: str, value: Any) -> list[Any]:
        if not eight_bits:
            return [numpy_helper.from_array(value, name)]
        scale = np.float32((value.max() - value.min()) / 255)
        zero = np.uint8(np.round(-value.min() / scale))
        whole = np.clip(np.round(value / scale) + zero, 0, 255).astype(np.uint8)
        parts = (("quantized", whole), ("scale", scale), ("zero_point", zero))
        return [numpy_helper.from_array(np.array(v), f"{name}_{part}") for part, v in parts]

    place = "/bert/" + QUERY.replace(".", "/") + "/MatMul"
    turned = np.ascontiguousarray(WEIGHTS[f"{QUERY}.weight"].T)
    if eight_bits:
        inputs = ["x", "onnx::MatMul_7_quantized", "x_zero", "onnx::MatMul_7_zero_point"]
        node = helper.make_node("MatMulInteger", inputs, ["y"], f"{place}_quant")
    else:
        node = helper.make_node("MatMul", ["x", "onnx::MatMul_7"], ["y"], place)
    held_weights = [
        *held(f"bert.{WORDS}", WEIGHTS[WORDS]),
        *held("onnx::MatMul_7", turned),
        numpy_helper.from_array(WEIGHTS[f"{QUERY}.bias"], f"bert.{QUERY}.bias"),
    ]
    x, y = (helper.make_tensor_value_info(name, 1, None) for name in "xy")
    graph = helper.make_graph([node], "base", [x], [y], held_weights)
    onnx.save(helper.make_model(graph), str(path))
    return path


@pytest.mark.parametrize(("eight_bits", "near"), [(False, 0.0), (True, 0.02)])
def test_weights_come_out_by_their_names_the_right_way_round(
    bases: Any, tmp_path: Path, eight_bits: bool, near: float
) -> None:
    found = bases.from_onnx(written(tmp_path / "model.onnx", eight_bits))
    assert found.keys() == WEIGHTS.keys()
    for name, value in WEIGHTS.items():
        np.testing.assert_allclose(found[name], value, atol=near, err_msg=name)
        assert found[name].dtype == np.float32


def test_a_name_that_is_no_base_is_told_with_those_there_are(bases: Any, tmp_path: Path) -> None:
    with pytest.raises(bases.BaseNotFoundError, match="gte-small, ms-marco"):
        bases.folder("nothing", tmp_path)


def test_an_mpnet_encoder_gets_the_names_and_the_word_pieces_of_bert(
    bases: Any, tmp_path: Path
) -> None:
    from safetensors.numpy import save_file

    layer = "encoder.layer.0"
    words = rng.normal(size=(30_527, 4)).astype(np.float32)
    places = rng.normal(size=(10, 4)).astype(np.float32)
    query = rng.normal(size=(4, 4)).astype(np.float32)
    save_file(
        {
            WORDS: words,
            "embeddings.position_embeddings.weight": places,
            "embeddings.position_ids": np.arange(10)[None],
            f"{layer}.attention.attn.q.weight": query,
            f"{layer}.attention.attn.o.bias": query[0].copy(),
            f"{layer}.attention.LayerNorm.bias": query[1].copy(),
            f"{layer}.intermediate.dense.bias": np.zeros(6, np.float32),
            "encoder.relative_attention_bias.weight": np.ones((8, 2), np.float32),
            "pooler.dense.bias": np.zeros(4, np.float32),
        },
        str(tmp_path / "packed.safetensors"),
    )
    found, config = bases.from_mpnet(tmp_path / "packed.safetensors")
    assert (found[f"{QUERY}.weight"] == query).all()
    assert (found[f"{layer}.attention.output.dense.bias"] == query[0]).all()
    assert (found[f"{layer}.attention.output.LayerNorm.bias"] == query[1]).all()
    # BERT's [PAD], [CLS], [SEP] and [MASK] are MPNet's own signs, its words stand 4 further on.
    assert (found[WORDS][[0, 101, 102, 103]] == words[[1, 0, 2, 30_526]]).all()
    assert (found[WORDS][[100, 2054]] == words[[104, 2058]]).all()
    assert (found["embeddings.position_embeddings.weight"] == places[2:]).all()
    assert not any(name.startswith("pooler") or name.endswith("_ids") for name in found)
    assert config["num_attention_heads"] == 2 and config["relative_attention_num_buckets"] == 8
    assert config["max_position_embeddings"] == 8 and config["vocab_size"] == 30_522
