"""The int8 encoder: its rows are those of the float one, and depend on nothing but the text."""

from __future__ import annotations

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from small_bert import small_bert, texts

from halgo import models
from halgo.evidence import quantize
from halgo.evidence.encoder import BertEncoder
from halgo.evidence.onnxencoder import OnnxEncoder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    place = ROOT / "models" / "encoder" / "build.py"
    spec = importlib.util.spec_from_file_location("encoder_build", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folders(builder, tmp_path_factory) -> tuple[Path, Path]:
    """The float model's folder and the int8 one's."""
    source, out = tmp_path_factory.mktemp("float"), tmp_path_factory.mktemp("int8")
    data = tmp_path_factory.mktemp("data")
    builder.build(small_bert(source), data, texts(40))
    channels = json.loads((data / "encoder.json").read_text(encoding="utf-8"))
    even = {name: np.array(values, np.float32) for name, values in channels.items()}
    quantize.write(source, out, skeleton=(data / "encoder.onnx").read_bytes(), even=even)
    return source, out


@pytest.fixture(scope="module")
def encoder(folders) -> OnnxEncoder:
    return OnnxEncoder(folders[1], threads=1)


@pytest.fixture(scope="module")
def exact(builder, folders, tmp_path_factory) -> OnnxEncoder:
    """The same net in float32, on ONNX Runtime."""
    source, out = folders
    folder = tmp_path_factory.mktemp("exact")
    for name in ("config.json", "tokenizer.json"):
        (folder / name).write_bytes((out / name).read_bytes())
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    weights = quantize.named(quantize.read(source / "model.safetensors"), 2)
    (folder / "model.onnx").write_bytes(builder.graph(config, weights).SerializeToString())
    return OnnxEncoder(folder, threads=1)


@pytest.mark.torch
def test_the_float_graph_is_the_net_that_torch_runs(folders, exact) -> None:
    asked = texts(80, longest=30)
    assert np.allclose(exact.encode(asked), BertEncoder(folders[0]).encode(asked), atol=1e-5)


def test_rows_are_close_to_those_of_the_float_model(encoder, exact) -> None:
    asked = texts(80, longest=30)  # up to three windows
    ours, theirs = encoder.encode(asked), exact.encode(asked)
    assert ours.shape == (80, 32) == (80, encoder.dim)
    assert ours.dtype == np.float32
    cosines = (ours * theirs).sum(axis=1)
    assert cosines.min() > 0.99
    assert cosines.mean() > 0.999
    # Rounding shows: this is the int8 model and not the float one again.
    assert cosines.mean() < 0.99999


def test_the_same_text_has_the_same_row_whatever_stands_beside_it(encoder) -> None:
    asked = texts(120, longest=30)
    together = encoder.encode([*asked, *asked[::-1]])
    assert np.array_equal(together[:120], together[120:][::-1])
    for row, text in zip(together, asked, strict=False):
        assert np.array_equal(encoder.encode([text])[0], row)


def test_rows_do_not_depend_on_threads(folders, encoder) -> None:
    asked = texts(40, longest=30)
    shared = OnnxEncoder(folders[1], threads=2)
    alone = encoder.encode(asked)
    assert np.array_equal(shared.encode(asked), alone)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: shared.encode([text])[0], asked))
    assert np.array_equal(np.stack(rows), alone)


def test_a_text_without_word_pieces_is_a_zero_row_and_odd_ones_are_not(encoder) -> None:
    rows = encoder.encode(["", " \n", "rent", "\ud800 rent", "x" * 5000])
    assert not rows[:2].any()
    assert np.linalg.norm(rows[2:], axis=1) == pytest.approx(1, abs=1e-6)
    assert encoder.encode([]).shape == (0, 32)


def test_nothing_of_a_long_text_is_cut_off(encoder) -> None:
    long = "the rent is due in june " * 8
    changed, same = encoder.encode([long + "cats never sleep", long])
    assert changed @ same < 0.999


def test_channels_that_are_large_are_divided_by_more(builder) -> None:
    weights = {"0.up.weight": np.ones((3, 2)), "0.mix.weight": np.ones((3, 2))}
    largest = {"0.up": np.array([1.0, 1.0, 50.0]), "0.mix": np.array([1.0, 1.0, 50.0])}
    found = builder.divisors(weights, largest)
    assert list(found) == ["0.up"]
    assert found["0.up"][2] > 5 * found["0.up"][0] > 0


@pytest.mark.models
def test_the_graph_that_is_shipped_is_the_one_that_is_drawn(builder) -> None:
    import onnx

    config = json.loads((models.find("minilm").path / "config.json").read_text(encoding="utf-8"))
    shipped = (ROOT / "halgo" / "data" / "encoder.onnx").read_bytes()
    assert builder.graph(config) == onnx.ModelProto.FromString(shipped)
    parts = {f"{row}.{part}" for row in range(6) for part in builder.EVENED}
    assert quantize.channels().keys() == parts
    assert all((values > 0).all() for values in quantize.channels().values())


def test_a_folder_of_another_kind_is_refused_by_name(folders, tmp_path) -> None:
    with pytest.raises(ValueError, match=r"config\.json is not that of an encoder"):
        OnnxEncoder(tmp_path)
    with pytest.raises(ValueError, match=r"config\.json is not that of an encoder"):
        OnnxEncoder(folders[0])


@pytest.mark.parametrize("content", [None, b"", b"short"])
def test_a_folder_without_its_weights_is_refused_with_what_to_do(
    folders, tmp_path, content
) -> None:
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        (tmp_path / name).write_bytes((folders[1] / name).read_bytes())
    if content is not None:
        (tmp_path / "weights.bin").write_bytes(content)
    with pytest.raises(ValueError, match=r"cannot load.*halgo models fetch minilm"):
        OnnxEncoder(tmp_path)
