"""Cross-encoders in all layouts: which text is which, what the labels mean, what is said when."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_tokenizer

from halgo import Halgorithm, models
from halgo.entailment import cross_encoder
from halgo.entailment.cascade import Cascade
from halgo.entailment.cross_encoder import CrossEncoder
from halgo.entailment.judgement import Judgement
from halgo.entailment.readings import read
from halgo.errors import (
    ConfigError,
    MissingDependencyError,
    ModelDamagedError,
    ModelNotFoundError,
)
from halgo.protocols import EntailmentModel
from halgo.types import Span

NLI = {"0": "entailment", "1": "neutral", "2": "contradiction"}
WORDS = [*small_tokenizer.WORDS, "##s", "."]
PAIRS = [
    ("The tower opens in May.", "The tower opens."),
    ("The bridge closed.", "The bridge opens in May."),
    ("In May the tower closed.", "The towers closed in May."),
    ("The tower.", "The tower opens in May. The bridge opens in May."),
]


def table(labels: int) -> np.ndarray[Any, Any]:
    """What each word adds to the logits: (words, labels)."""
    return np.random.default_rng(7).normal(size=(len(WORDS), labels)).astype(np.float32)


def write(
    folder: Path,
    labels: dict[str, str] | None,
    *,
    outputs: int = 3,
    at: str = "model.onnx",
    types: bool = True,
    tokens: bool = False,
    whole: str = "int64",
    **config: Any,
) -> Path:
    """A model folder: a word adds its row of `table`, threefold in the second text (`types`).

    All logits are divided by the most there is in the call: a call with more than one pair in it
    gives other results than one call per pair.
    """
    from onnx import TensorProto, helper, numpy_helper

    kind = TensorProto.INT32 if whole == "int32" else TensorProto.INT64
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "input_ids"], ["rows"]),
        node("Cast", [names[-1]], ["side"], to=TensorProto.FLOAT),
        node("Mul", ["side", "two"], ["twice"]),
        node("Add", ["twice", "one"], ["weight"]),
        node("Unsqueeze", ["weight", "last"], ["weights"]),
        node("Mul", ["rows", "weights"], ["weighted"]),
        node("ReduceSum", ["weighted", "middle"], ["sums"], keepdims=0),
        node("Abs", ["sums"], ["sizes"]),
        node("ReduceMax", ["sizes"], ["most"], keepdims=0),
        node("Div", ["sums", "most"], ["logits"]),
    ]
    constants = {
        "table": table(outputs),
        "two": np.array(2, np.float32),
        "one": np.array(1, np.float32),
        "last": np.array([2]),
        "middle": np.array([1]),
    }
    shown = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", outputs])]
    if tokens:
        constants["first"] = np.array(0)
        nodes.append(node("Gather", ["rows", "first"], ["tokens"], axis=2))
        shown.append(helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["n", "length"]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, kind, ["n", "length"]) for name in names],
        shown,
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path = folder / at
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())

    cut = small_tokenizer.tokenizer(WORDS)
    cut.enable_truncation(6)  # as many a folder has it; the window of the model counts instead
    cut.save(str(folder / "tokenizer.json"))
    said = {"max_position_embeddings": 64, **config, **({"id2label": labels} if labels else {})}
    (folder / "config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


def logits(premise: Sequence[str], claim: Sequence[str], labels: int = 3) -> np.ndarray[Any, Any]:
    """What `write`'s model says of word pieces."""
    rows = table(labels)
    first = [WORDS.index(word) for word in ("[CLS]", *premise, "[SEP]")]
    second = [WORDS.index(word) for word in (*claim, "[SEP]")]
    sums = rows[first].sum(0) + 3 * rows[second].sum(0)
    return np.asarray(sums / np.abs(sums).max())


def softmax(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(np.exp(values) / np.exp(values).sum())


PIECES = (["the", "tower", "."], ["the", "bridge", "##s", "opens"])
TEXTS = ("The tower.", "The bridges opens")


# --- what comes back ----------------------------------------------------------------------------


def test_the_premise_comes_first_and_rows_are_probabilities(tmp_path: Path) -> None:
    model = CrossEncoder(write(tmp_path / "tiny", NLI))
    assert isinstance(model, EntailmentModel)
    rows = model.predict([TEXTS])
    assert rows.shape == (1, 3)
    assert rows.dtype == np.float32
    assert rows[0] == pytest.approx(softmax(logits(*PIECES)), abs=1e-6)
    assert model.name == "tiny"


def test_no_pairs_give_no_rows(tmp_path: Path) -> None:
    assert CrossEncoder(write(tmp_path, NLI)).predict([]).shape == (0, 3)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("names", [NLI, {"0": "SUPPORTS", "1": "Not Enough Info", "2": "REFUTED"}])
def test_the_order_of_three_labels_is_read_from_the_config(
    tmp_path: Path, order: tuple[int, int, int], names: dict[str, str]
) -> None:
    labels = {str(place): names[str(at)] for place, at in enumerate(order)}
    (row,) = CrossEncoder(write(tmp_path, labels)).predict([TEXTS])
    chances = softmax(logits(*PIECES))
    assert row == pytest.approx([chances[order.index(at)] for at in range(3)], abs=1e-6)


def test_label2id_serves_where_id2label_says_nothing(tmp_path: Path) -> None:
    empty = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    numbers = {"Contradiction": 0, "Entailment": 1, "Neutral": 2}
    (row,) = CrossEncoder(write(tmp_path, empty, label2id=numbers)).predict([TEXTS])
    chances = softmax(logits(*PIECES))
    assert row == pytest.approx([chances[1], chances[2], chances[0]], abs=1e-6)


@pytest.mark.parametrize(
    "labels, entailed, rest",
    [
        ({"0": "not_entailment", "1": "entailment"}, 1, "neutral"),
        ({"0": "entailment", "1": "not-entailment"}, 0, "neutral"),
        ({"0": "hallucinated", "1": "consistent"}, 1, "neutral"),
        ({"0": "UNSUPPORTED", "1": "yes"}, 1, "neutral"),
        ({"0": "contradiction", "1": "entailment"}, 1, "contradiction"),
    ],
)
def test_two_labels(tmp_path: Path, labels: dict[str, str], entailed: int, rest: str) -> None:
    (row,) = CrossEncoder(write(tmp_path, labels, outputs=2)).predict([TEXTS])
    chance = softmax(logits(*PIECES, labels=2))[entailed]
    others = (1 - chance, 0) if rest == "neutral" else (0, 1 - chance)
    assert row == pytest.approx([chance, *others], abs=1e-6)


def test_one_logit_is_the_probability_of_being_grounded(tmp_path: Path) -> None:
    pairs = [TEXTS, TEXTS[::-1]]
    grounded = CrossEncoder(write(tmp_path / "a", {"0": "LABEL_0"}, outputs=1)).predict(pairs)
    turned = CrossEncoder(write(tmp_path / "b", {"0": "hallucination"}, outputs=1)).predict(pairs)
    # The model divides by the largest logit: one logit alone is 1 or -1.
    sign = np.sign(logits(*PIECES, labels=1)[0])
    chance = 1 / (1 + np.exp(-sign))
    assert grounded[0] == pytest.approx([chance, 1 - chance, 0], abs=1e-6)
    assert turned[0] == pytest.approx([1 - chance, chance, 0], abs=1e-6)


def test_words_of_the_claim_carry_their_own_probability(tmp_path: Path) -> None:
    (judgement,) = CrossEncoder(write(tmp_path, NLI, tokens=True)).read([TEXTS])
    column = table(3)[:, 0]
    spans = [Span(0, 3), Span(4, 10), Span(10, 11), Span(12, 17)]
    assert [piece.span for piece in judgement.pieces] == spans
    for piece, word in zip(judgement.pieces, PIECES[1], strict=True):
        assert piece.unsupported == pytest.approx(
            1 / (1 + np.exp(-column[WORDS.index(word)])), abs=1e-6
        )


def test_a_model_without_words_judges_the_claim_alone(tmp_path: Path) -> None:
    (judgement,) = CrossEncoder(write(tmp_path, NLI)).read([TEXTS])
    assert judgement.pieces == ()


# --- what must not matter -----------------------------------------------------------------------


def test_a_result_does_not_depend_on_what_else_is_read(tmp_path: Path) -> None:
    model = CrossEncoder(write(tmp_path, NLI, tokens=True))
    together = model.read([*PAIRS, *reversed(PAIRS)])
    assert together[: len(PAIRS)] == together[: len(PAIRS) - 1 : -1]
    assert [model.read([pair])[0] for pair in PAIRS] == together[: len(PAIRS)]
    assert len({judgement.probabilities for judgement in together}) == len(PAIRS)


def test_threads_may_share_a_model(tmp_path: Path) -> None:
    folder = write(tmp_path, NLI, tokens=True)
    alone = CrossEncoder(folder).read(PAIRS)
    shared = CrossEncoder(folder)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda at: shared.read([PAIRS[at % len(PAIRS)]])[0], range(200)))
    assert found == [alone[at % len(PAIRS)] for at in range(200)]


def test_threads_are_as_many_as_asked_for(tmp_path: Path) -> None:
    folder = write(tmp_path, NLI)
    assert (
        CrossEncoder(folder, threads=2).predict(PAIRS) == CrossEncoder(folder).predict(PAIRS)
    ).all()
    for odd in (0, True, 1.5):
        with pytest.raises(ValueError, match="whole number from 1 up"):
            CrossEncoder(folder, threads=odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "pair", [("", "The tower opens."), ("The tower.", ""), (" \n", "\t"), ("", "")]
)
def test_an_empty_side_is_neutral(tmp_path: Path, pair: tuple[str, str]) -> None:
    assert CrossEncoder(write(tmp_path, NLI)).read([pair]) == [Judgement((0.0, 1.0, 0.0))]


def test_half_a_surrogate_pair_is_an_unknown_character_at_its_place(tmp_path: Path) -> None:
    model = CrossEncoder(write(tmp_path, NLI, tokens=True))
    odd, known = (
        model.read([("The \ud83d tower.", "The tower \udc00 opens")])[0].pieces,
        Span(12, 17),
    )
    assert odd[-1].span == known


def test_long_texts_are_cut_to_the_window(tmp_path: Path) -> None:
    model = CrossEncoder(write(tmp_path, NLI, tokens=True))
    claim, premise = "tower " * 500, "bridge " * 5000
    (both,) = model.read([(premise, claim)])
    assert len(both.pieces) == 32  # half of 64
    (short,) = model.read([("bridge " * (64 - 3 - 32), "tower " * 32)])
    assert both == short
    (early,) = model.read([("bridge " * (64 - 3 - 31), "tower " * 32)])
    assert both == early
    (fewer,) = model.read([("bridge " * (64 - 3 - 33), "tower " * 32)])
    assert both != fewer


def test_a_model_of_ours_says_how_much_it_reads(tmp_path: Path) -> None:
    model = CrossEncoder(write(tmp_path, NLI, tokens=True, halgo={"window": 20, "hypothesis": 4}))
    assert len(model.read([("bridge", "tower " * 9)])[0].pieces) == 4


# --- layouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "at",
    ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_qint8_avx512.onnx"],
)
def test_the_usual_places_of_the_weights(tmp_path: Path, at: str) -> None:
    assert CrossEncoder(write(tmp_path, NLI, at=at)).predict([TEXTS])[0] == pytest.approx(
        softmax(logits(*PIECES)), abs=1e-6
    )


def test_whole_weights_go_before_quantized_ones_and_a_named_file_before_both(
    tmp_path: Path,
) -> None:
    write(tmp_path, NLI, outputs=2, at="onnx/model_quantized.onnx")
    write(tmp_path, NLI, at="onnx/model.onnx")
    assert CrossEncoder(tmp_path).predict([TEXTS]).shape == (1, 3)
    named = CrossEncoder(tmp_path / "onnx" / "model_quantized.onnx")
    assert named.name == tmp_path.name
    with pytest.raises(ConfigError, match="names 3 labels, but the model gives 2"):
        named.predict([TEXTS])


def test_a_graph_gets_the_inputs_it_asks_for_and_in_its_own_type(tmp_path: Path) -> None:
    without = CrossEncoder(write(tmp_path / "a", NLI, types=False))
    assert without.predict([TEXTS]).sum() == pytest.approx(1)
    small = CrossEncoder(write(tmp_path / "b", NLI, whole="int32"))
    assert small.predict([TEXTS])[0] == pytest.approx(softmax(logits(*PIECES)), abs=1e-6)


def test_safetensors_run_on_torch(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    write(tmp_path, None)
    (tmp_path / "model.onnx").unlink()
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        id2label={0: "contradiction", 1: "entailment", 2: "neutral"},
    )
    net = transformers.BertForSequenceClassification(config).eval()
    with torch.no_grad():
        net.classifier.weight.mul_(50)
    net.save_pretrained(str(tmp_path))
    (row,) = CrossEncoder(tmp_path).predict([TEXTS])
    ids = [WORDS.index(word) for word in ("[CLS]", *PIECES[0], "[SEP]", *PIECES[1], "[SEP]")]
    types = [0] * 5 + [1] * 5
    with torch.inference_mode():
        said = net(torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits[0]
    chances = said.softmax(-1).numpy()
    assert row == pytest.approx([chances[1], chances[2], chances[0]], abs=1e-5)


@pytest.mark.parametrize("damage", ["none of the head", "cut short"])
def test_safetensors_that_lack_weights_are_an_error_and_not_made_up(
    tmp_path: Path, damage: str
) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("torch")
    write(tmp_path, None)
    (tmp_path / "model.onnx").unlink()
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.BertConfig(vocab_size=len(WORDS), intermediate_size=16, **shape)
    if damage == "cut short":
        transformers.BertForSequenceClassification(config).save_pretrained(str(tmp_path))
        path = tmp_path / "model.safetensors"
        path.write_bytes(path.read_bytes()[:-100])
        said = r"model\.safetensors cannot be loaded by transformers"
    else:
        transformers.BertModel(config).save_pretrained(str(tmp_path))
        said = r"model\.safetensors lacks weights .*classifier"
    about = {"architectures": ["BertForSequenceClassification"], "model_type": "bert"}
    about |= {"id2label": NLI, "vocab_size": len(WORDS), "intermediate_size": 16, **shape}
    (tmp_path / "config.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        CrossEncoder(tmp_path).predict([TEXTS])


def test_safetensors_without_transformers_name_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, NLI)
    (tmp_path / "model.onnx").rename(tmp_path / "model.safetensors")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'halgo\[transformers\]'"):
        CrossEncoder(tmp_path).predict([TEXTS])


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    model = CrossEncoder(write(tmp_path, NLI))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=f"pip install {package}"):
        model.predict([TEXTS])


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "LABEL_0", "1": "LABEL_1"},
        {"0": "entailment", "1": "entailed", "2": "neutral"},
        {"0": "good", "1": "bad"},
        {"0": "entailment", "1": "neutral", "2": "contradiction", "3": "other"},
        {"0": "entailment", "2": "neutral"},
        None,
    ],
)
def test_labels_that_do_not_tell_are_an_error_with_what_to_add(
    tmp_path: Path, labels: dict[str, str] | None
) -> None:
    with pytest.raises(ConfigError, match=r'config\.json.*"id2label": \{"0": "entailment"'):
        CrossEncoder(write(tmp_path, labels))


def test_inputs_of_another_kind_of_model_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, NLI)
    path = tmp_path / "model.onnx"
    path.write_bytes(path.read_bytes().replace(b"token_type_ids", b"decoder_inputs"))
    with pytest.raises(ConfigError, match="decoder_inputs"):
        CrossEncoder(tmp_path).predict([TEXTS])


@pytest.mark.parametrize("gone", ["config.json", "tokenizer.json", "model.onnx"])
def test_half_a_folder_is_an_error_that_names_what_is_missing(tmp_path: Path, gone: str) -> None:
    write(tmp_path, NLI)
    (tmp_path / gone).unlink()
    with pytest.raises(ModelNotFoundError, match=gone) as caught:
        CrossEncoder(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert caught.value.searched


@pytest.mark.parametrize("file", ["tokenizer.json", "model.onnx"])
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, file: str) -> None:
    path = write(tmp_path, NLI) / file
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ConfigError, match=file):
        CrossEncoder(tmp_path).predict([TEXTS])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_logits_that_are_not_finite_are_an_error_and_no_verdict(
    tmp_path: Path, value: float
) -> None:
    model = damaged(write(tmp_path / "mine", NLI, tokens=True), "tower", value)
    assert model.predict([("The bridge.", "The bridge opens.")]).sum() == pytest.approx(1)
    with pytest.raises(ModelDamagedError, match=r"mine gives numbers that are not finite"):
        model.predict([TEXTS])


def damaged(folder: Path, word: str, value: float) -> CrossEncoder:
    """The model in the folder, once the numbers of a word are all `value`."""
    import onnx

    path = folder / "model.onnx"
    model = onnx.load(path)
    (held,) = (one for one in model.graph.initializer if one.name == "table")
    rows = onnx.numpy_helper.to_array(held).copy()
    rows[WORDS.index(word)] = value
    held.CopyFrom(onnx.numpy_helper.from_array(rows, "table"))
    onnx.save(model, path)
    return CrossEncoder(folder)


@pytest.mark.parametrize(
    "tokens, error, said",
    [
        (np.full((1, 10), np.nan), ModelDamagedError, "not finite"),
        (np.zeros((1, 3)), ConfigError, "3 numbers for 10 word pieces"),
    ],
)
def test_words_that_are_told_wrongly_are_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tokens: np.ndarray[Any, Any],
    error: type[Exception],
    said: str,
) -> None:
    run = lambda inputs: (np.zeros((1, 3)), tokens)  # noqa: E731
    monkeypatch.setattr(cross_encoder, "_onnx", lambda path, threads: run)
    with pytest.raises(error, match=said):
        CrossEncoder(write(tmp_path, NLI)).predict([TEXTS])


def test_a_vocabulary_that_the_weights_have_no_rows_for_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, NLI)
    small_tokenizer.tokenizer([*WORDS, "penguin"]).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ConfigError, match=r"model\.onnx cannot be run on a pair"):
        CrossEncoder(tmp_path).predict([("The tower.", "The penguin")])


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
@pytest.mark.parametrize("content", [b'{"id2label": {', b"[1]", b"\xff", b"[" * 100_000, b""])
def test_a_configuration_that_is_no_json_object_is_an_error_that_names_it(
    tmp_path: Path, file: str, content: bytes
) -> None:
    (write(tmp_path, NLI) / file).write_bytes(content)
    with pytest.raises(ConfigError, match=rf"{file} (cannot be read as JSON|holds no JSON object)"):
        CrossEncoder(tmp_path)


@pytest.mark.parametrize(
    "config",
    [
        {"halgo": {}},
        {"halgo": {"window": "20", "hypothesis": 4}},
        {"halgo": {"window": 20, "hypothesis": 0}},
        {"halgo": {"window": 20, "hypothesis": 19}},
        {"halgo": {"window": -20, "hypothesis": -40}},
        {"max_position_embeddings": 6},
        {"max_position_embeddings": 3, "model_type": "roberta", "pad_token_id": 9},
    ],
)
def test_a_window_that_holds_no_pair_is_an_error(tmp_path: Path, config: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"config\.json: by what it says, .* which is no pair"):
        CrossEncoder(write(tmp_path, NLI, **config))


@pytest.mark.parametrize("name", [b"logits", b"ReduceSum"])
def test_a_name_in_a_model_that_is_no_text_is_an_error_and_nothing_is_written_to_stdout(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: bytes
) -> None:
    write(tmp_path, NLI)
    path = tmp_path / "model.onnx"
    path.write_bytes(path.read_bytes().replace(name, b"\xae" + name[1:]))  # no UTF-8 any more
    with pytest.raises(ConfigError, match=r"model\.onnx cannot be run"):
        CrossEncoder(tmp_path).predict([TEXTS])
    assert capfd.readouterr().out == ""


def test_a_named_file_may_be_a_link_as_in_the_hubs_cache(tmp_path: Path) -> None:
    folder = write(tmp_path / "snapshot", NLI, at="onnx/model.onnx")
    blob = (folder / "onnx" / "model.onnx").rename(tmp_path / "3f2a")
    (folder / "onnx" / "model.onnx").symlink_to(blob)
    assert CrossEncoder(folder / "onnx" / "model.onnx").predict([TEXTS]).shape == (1, 3)


# --- which model is meant -----------------------------------------------------------------------


class ByTable:
    name = "by-table"

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray[Any, Any]:
        return np.tile(np.array([1, 0, 0], np.float32), (len(pairs), 1))


def test_none_an_object_a_folder_and_a_name_in_the_hubs_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ByTable()
    assert cross_encoder.resolve(None) is None
    assert cross_encoder.resolve(own) is own
    folder = write(tmp_path / "mine", NLI)
    for named in (folder, str(folder)):
        found = cross_encoder.resolve(named)
        assert found is not None
        assert found.name == "mine"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    write(tmp_path / "models--some--nli" / "snapshots" / "abc", NLI)
    found = cross_encoder.resolve("some/nli")
    assert found is not None
    assert found.name == "some/nli"
    assert found.predict([TEXTS]).shape == (1, 3)


def test_what_is_not_there_is_an_error_with_the_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelNotFoundError, match="no entailment model 'some/nli'") as caught:
        cross_encoder.resolve("some/nli")
    assert str(tmp_path / "models--some--nli") in str(caught.value)
    assert "hf download" in str(caught.value)
    with pytest.raises(ModelNotFoundError, match="nosuch"):
        cross_encoder.resolve(tmp_path / "nosuch")
    with pytest.raises(ModelNotFoundError, match=r"nosuch\.onnx"):
        CrossEncoder(tmp_path / "nosuch.onnx")


def test_an_object_without_predict_is_an_error() -> None:
    with pytest.raises(TypeError, match="lacks name"):
        cross_encoder.resolve(7)  # type: ignore[arg-type]


def test_the_default_is_the_recorded_model_in_a_checkout_or_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "models" / "entailment" / "halgo_entailment", NLI)
    model = folder / "model.onnx"
    recorded = models.File(model.stat().st_size, models.sha256(model))
    entry = models.Entry(
        name="entailment",
        kind="entailment model",
        about="ours",
        licence="MIT",
        exact=True,
        marker="model.onnx",
        versions={"1.0": {"model.onnx": recorded}},
        packages=("halgo_entailment_of_the_test",),
        checkout="entailment/halgo_entailment",
        remedy="install its wheel",
    )
    large = replace(entry, name="entailment-large", packages=(), checkout="no", optional=True)
    monkeypatch.setattr(
        models, "manifest", lambda: {"entailment": entry, "entailment-large": large}
    )
    monkeypatch.delenv("HALGO_MODELS", raising=False)
    (tmp_path / "setup.cfg").touch()
    monkeypatch.setattr(models, "__file__", str(tmp_path / "halgo" / "models.py"))
    halgorithm = Halgorithm()
    assert halgorithm.entailment is not None
    assert halgorithm.entailment.name == "halgo-entailment-1.0"
    assert halgorithm.entailment is halgorithm.entailment
    assert models.find("entailment").where == "source checkout"
    site = tmp_path / "site" / "halgo_entailment_of_the_test"
    site.parent.mkdir()
    folder.rename(site)
    (site / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(site.parent))
    assert models.find("entailment").path == site
    model = site / "model.onnx"
    model.write_bytes(model.read_bytes()[:-1])
    with pytest.raises(ModelNotFoundError, match=r"bytes where .* are recorded(.|\n)*its wheel"):
        cross_encoder.resolve("default")


@pytest.mark.models
def test_our_model_is_compared_again_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "entailment"
    shutil.copytree(models.find("entailment").path, folder)
    monkeypatch.setenv("HALGO_MODELS", str(tmp_path))
    model = cross_encoder.resolve("default")
    assert model is not None
    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    (folder / "tokenizer.json").write_text(text.replace("the", "teh"), encoding="utf-8")
    with pytest.raises(ModelDamagedError, match=r"tokenizer\.json: its SHA-256 is"):
        model.predict([TEXTS])


def test_without_a_model_there_is_none_and_nothing_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(models, "find", lambda *_: pytest.fail("looked for a model"))
    assert Halgorithm(entailment=None).entailment is None


# --- the real one -------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["small", "large"])
def ours(request: pytest.FixtureRequest) -> CrossEncoder:
    both = cross_encoder.resolve("large")
    assert isinstance(both, Cascade)
    found = getattr(both, request.param)
    assert isinstance(found, CrossEncoder)
    return found


PREMISE = (
    "The library on Mill Street opened in 1968 and holds about 40,000 books. It is closed on "
    "Mondays. Its director, Ruth Okafor, took office in 2019."
)
TRUE = "The library opened in 1968."
FALSE = "The library opened in 1986."
ABSENT = "The library lends out musical instruments to its members."


@pytest.mark.models
def test_our_model_tells_true_from_false_and_absent(ours: CrossEncoder) -> None:
    rows = ours.predict([(PREMISE, TRUE), (PREMISE, FALSE), (PREMISE, ABSENT)])
    assert rows.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert rows[0, 0] > 0.5
    assert rows[1, 0] < rows[0, 0]
    assert rows[2, 0] < 0.5


@pytest.mark.models
def test_our_model_reads_a_pair_alike_in_any_company_and_thread(ours: CrossEncoder) -> None:
    pairs = [(PREMISE, claim) for claim in (TRUE, FALSE, ABSENT)]
    alone = [ours.read([pair])[0] for pair in pairs]
    assert ours.read([*pairs, *reversed(pairs)]) == alone + alone[::-1]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda at: ours.read([pairs[at % 3]])[0], range(12))) == alone * 4


@pytest.mark.models
def test_our_model_finds_the_wrong_word(ours: CrossEncoder) -> None:
    (judgement,) = ours.read([(PREMISE, FALSE)])
    assert "".join(piece.span.of(FALSE) for piece in judgement.pieces) == FALSE.replace(" ", "")
    worst = max(judgement.pieces, key=lambda piece: piece.unsupported)
    assert worst.span.of(FALSE) in "1986"


def test_rows_of_a_model_of_the_callers_own_may_be_a_list() -> None:
    class Lists:
        name = "lists"

        def predict(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
            return [[0.1, 0.1, 0.8] for _ in pairs]

    (found,) = read(Lists(), [("a", "b")])  # type: ignore[arg-type]
    assert found.probabilities == (0.1, 0.1, 0.8)
