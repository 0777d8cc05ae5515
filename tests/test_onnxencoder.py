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
from halgo.errors import ModelDamagedError
from halgo.evidence import quantize
from halgo.evidence.embed import SentenceTransformerEmbedder
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


def copied(folder: Path, out: Path) -> Path:
    for name in ("model.onnx", "tokenizer.json", "config.json", "weights.bin"):
        (out / name).write_bytes((folder / name).read_bytes())
    return out


def floats(folder: Path, name: str, value: float) -> None:
    """Writes `value` over all of a tensor of floats in the file of weights."""
    import onnx

    graph = onnx.load(folder / "model.onnx", load_external_data=False).graph
    (held,) = (one for one in graph.initializer if one.name == name)
    where = {one.key: one.value for one in held.external_data}
    weights = bytearray((folder / "weights.bin").read_bytes())
    start, length = int(where["offset"]), int(where["length"])
    weights[start : start + length] = np.full(length // 4, value, np.float32).tobytes()
    (folder / "weights.bin").write_bytes(weights)


@pytest.mark.parametrize("value", [np.nan, np.inf, 3e38])
def test_rows_that_are_not_finite_are_an_error_and_no_verdict(folders, tmp_path, value) -> None:
    floats(copied(folders[1], tmp_path), "1.down.norm.weight", value)
    encoder = OnnxEncoder(tmp_path, threads=1)
    assert encoder.encode(["", " "]).shape == (2, 32)  # nothing is run for them
    with pytest.raises(ModelDamagedError, match=r"gives a row of length nan"):
        encoder.encode(["the rent is due"])


def test_rows_that_are_zero_are_an_error_for_a_text_that_is_not_empty(folders, tmp_path) -> None:
    copied(folders[1], tmp_path)
    floats(tmp_path, "1.down.norm.weight", 0)
    floats(tmp_path, "1.down.norm.bias", 0)
    with pytest.raises(ModelDamagedError, match=r"gives a row of length 0 "):
        OnnxEncoder(tmp_path, threads=1).encode(["the rent is due"])


def test_a_tokenizer_that_is_cut_short_or_knows_more_words_is_an_error(folders, tmp_path) -> None:
    path = copied(folders[1], tmp_path) / "tokenizer.json"
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[:-40], encoding="utf-8")
    with pytest.raises(ModelDamagedError, match=r"tokenizer\.json: it cannot be read"):
        OnnxEncoder(tmp_path)
    path.write_text(whole.replace('"rent": 9,', '"rent": 99,'), encoding="utf-8")
    with pytest.raises(ModelDamagedError, match="the encoder cannot be run"):
        OnnxEncoder(tmp_path).encode(["the rent is due"])


@pytest.mark.parametrize(
    "change, said",
    [
        ({"hidden_size": 31}, "states of shape .* 31 wide"),
        ({"hidden_size": 0}, "a row has 0 numbers"),
        ({"hidden_size": None}, "not that of an encoder"),
        ({"halgo": {"window": 2}}, "2 word pieces are read at once"),
        ({"halgo": {"window": 1e999}}, "not that of an encoder"),
        ({"halgo": {"window": 400}}, "the encoder cannot be run"),
    ],
)
def test_a_configuration_of_another_model_is_an_error(folders, tmp_path, change, said) -> None:
    path = copied(folders[1], tmp_path) / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, **change}), encoding="utf-8")
    with pytest.raises(ModelDamagedError, match=said):
        OnnxEncoder(tmp_path).encode(["the rent is due in june " * 8])


@pytest.mark.torch
@pytest.mark.parametrize(
    "file, content, said",
    [
        ("config.json", b'{"model_type": "bert"', r"config\.json cannot be read as JSON"),
        ("modules.json", b"{}", r"modules\.json holds no JSON list"),
        ("sentence_bert_config.json", b"", r"sentence_bert_config\.json cannot be read as JSON"),
        ("1_Pooling/config.json", b"[]", r"config\.json holds no JSON object"),
        ("model.safetensors", b"\x08", "weights are not those that its configuration describes"),
        ("tokenizer.json", b"{}", r"tokenizer\.json: it cannot be read"),
    ],
)
def test_a_float_encoder_with_a_damaged_file_is_an_error_that_names_it(
    tmp_path, file, content, said
) -> None:
    small_bert(tmp_path)
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ModelDamagedError, match=said):
        SentenceTransformerEmbedder(tmp_path).embed(["the rent is due"])


@pytest.mark.torch
def test_a_float_encoder_with_weights_that_are_no_numbers_is_an_error(tmp_path) -> None:
    from safetensors.numpy import load_file, save_file

    path = small_bert(tmp_path) / "model.safetensors"
    weights = load_file(path)
    weights["embeddings.word_embeddings.weight"][8] = np.nan  # of "due"
    save_file(weights, path)
    encoder = SentenceTransformerEmbedder(tmp_path)
    assert encoder.embed(["the rent"]).any()
    with pytest.raises(ModelDamagedError, match=r"gives a row of length nan"):
        encoder.embed(["the rent is due"])
