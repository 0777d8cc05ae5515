"""The exported model says what the trained net says, and reads as the training reads."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import small_training
from small_tokenizer import WORDS, tokenizer

from halgo import models
from halgo.entailment.cross_encoder import CrossEncoder

ROOT = Path(__file__).resolve().parent.parent
PAIRS = [
    ("the tower opens in may", "the tower opens"),
    ("the bridge closed", "the bridge opens in may"),
    ("in may the tower closed the bridge", "may the tower"),
    ("tower", "the bridge closed in may the tower opens"),
]
LONG = ("tower bridge closed " * 100, "the tower opens in may " * 40)


@pytest.fixture(scope="module")
def training() -> Iterator[Any]:
    """The modules of models/entailment/training."""
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    with small_training.training("export", "four_bits", "reading", "shipped") as package:
        yield package


@pytest.fixture(
    scope="module",
    params=[{}, {"relative_attention_num_buckets": 8}, {"hidden_size": 64}],
    ids=["plain", "distances", "wide"],
)
def exported(
    training: Any, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[Any, Any, Path]:
    """A small net with random weights, its tokenizer, and the folder it was exported into."""
    import torch

    folder = tmp_path_factory.mktemp("exported")
    tokenizer(WORDS).save(str(folder / "tokenizer.json"))
    torch.manual_seed(3)
    net = training.net.CrossEncoder(
        {
            "vocab_size": len(WORDS),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_attention_heads": 4,
            "num_hidden_layers": 2,
            "max_position_embeddings": 256,
            "type_vocab_size": 2,
            "layer_norm_eps": 1e-12,
            **request.param,
        }
    ).eval()
    with torch.no_grad():
        for linear in (net.head, net.token_head):
            linear.weight.mul_(8)
    training.net.save(net, folder / "net.safetensors")
    package = replace(training.export.SMALL, folder=folder / "out")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training.export, "WIDE", 48)
        if request.param.get("hidden_size"):
            net.words.weight.data.copy_(training.four_bits.rounded(net.words.weight.data))
            training.net.save(net, folder / "net.safetensors")
        training.export.write(folder / "net.safetensors", folder, PAIRS, package)
    return net, training.reading.tokenizer(folder), folder / "out"


def said(
    training: Any, net: Any, cut: Any, pair: tuple[str, str]
) -> tuple[list[float], list[float]]:
    """Probabilities of the pair, and of the claim's pieces, by the net as it was trained."""
    import torch

    ids, at, offsets = training.reading.encode(cut, *pair)
    segments = torch.zeros((1, len(ids)), dtype=torch.long)
    segments[0, at:] = 1
    with torch.inference_mode():
        logits, tokens = net(torch.tensor([ids]), segments, torch.tensor([len(ids)]))
    marks = tokens[0, at : at + len(offsets)].sigmoid()
    return logits[0].softmax(-1).tolist(), marks.tolist()


def test_with_float_weights_the_graph_is_the_net(training: Any, exported: Any) -> None:
    net, cut, _ = exported
    session = training.export.session(training.export.graph(net, int8=False))
    found = training.export.compare(net, session, cut, [*PAIRS, LONG])
    assert found["same label"] == found["same side"] == 1
    assert found["largest difference"] < 1e-4
    assert found["mean difference of pieces"] < 1e-4


def test_with_8_bits_the_run_time_says_nearly_what_the_net_says(
    training: Any, exported: Any
) -> None:
    net, cut, folder = exported
    model = CrossEncoder(folder)
    for pair, judgement in zip([*PAIRS, LONG], model.read([*PAIRS, LONG]), strict=True):
        chances, marks = said(training, net, cut, pair)
        assert judgement.probabilities == pytest.approx(chances, abs=0.05)
        # As many pieces, at the same places of a window that is full: both cut alike.
        assert [piece.unsupported for piece in judgement.pieces] == pytest.approx(marks, abs=0.1)


def test_a_training_can_go_on_from_what_was_exported(training: Any, exported: Any) -> None:
    net, cut, folder = exported
    again = training.shipped.from_export(folder)
    for pair in [*PAIRS, LONG]:
        chances, marks = said(training, net, cut, pair)
        back, marked = said(training, again, cut, pair)
        assert back == pytest.approx(chances, abs=0.05)
        assert marked == pytest.approx(marks, abs=0.1)


def test_rounding_by_what_the_inputs_were_errs_less(training: Any, exported: Any) -> None:
    import torch

    torch.manual_seed(5)
    mixed = torch.randn(24, 24)
    inputs, weight = torch.randn(400, 24) @ mixed, torch.randn(16, 24)
    products = (inputs.T @ inputs).double()

    def error(whole: Any, scale: Any) -> float:
        back = torch.tensor(whole.T * scale[:, None])
        return float(((inputs @ (weight - back).T) ** 2).mean())

    unknown = torch.eye(24).double()  # inputs that have nothing to do with each other
    plain, better = (training.export.rounded(weight, some) for some in (unknown, products))
    assert error(*better) < 0.8 * error(*plain)


def test_weights_of_a_pair_of_inputs_never_sum_to_more_than_128(training: Any) -> None:
    import torch

    torch.manual_seed(5)
    for weight in (torch.randn(16, 24), torch.ones(4, 24), -torch.ones(4, 24)):
        whole, _ = training.export.rounded(weight, torch.eye(24).double())
        sums = whole[::2].astype(int) + whole[1::2]
        assert abs(sums).max() <= 128


def test_the_digests_are_recorded_once_and_the_rest_is_left_alone(
    training: Any, exported: Any, tmp_path: Path
) -> None:
    _, _, folder = exported
    manifest = tmp_path / "models.toml"
    text = (ROOT / "halgo" / "data" / "models.toml").read_text(encoding="utf-8")
    before = {name: one for name, one in tomllib.loads(text).items() if name != "entailment"}
    manifest.write_text(text, encoding="utf-8")
    package = replace(training.export.SMALL, folder=folder)
    training.export.record(package, manifest)
    once = manifest.read_text(encoding="utf-8")
    training.export.record(package, manifest)
    assert manifest.read_text(encoding="utf-8") == once
    tables = tomllib.loads(once)
    entry = tables.pop("entailment")
    assert tables == before
    (files,) = entry["versions"].values()
    for name, recorded in files.items():
        assert recorded["sha256"] == models.sha256(folder / name)
        assert recorded["size"] == (folder / name).stat().st_size
    assert json.loads((folder / "config.json").read_text("utf-8"))["halgo"]["window"] == 256
