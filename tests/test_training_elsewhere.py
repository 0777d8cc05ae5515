"""A training on another machine: what is packed here arrives there, and the weights come back."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from small_tokenizer import WORDS, tokenizer
from small_training import training
from test_training_resume import SIZES

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    pytest.importorskip("torch")
    with training("elsewhere", "train", "reading", "net", "examples", "checkpoint") as package:
        yield package


@pytest.fixture
def pairs(modules: Any) -> list[Any]:
    examples = modules.examples
    made = [
        examples.Example("the tower opens in may", "the tower opens", examples.ENTAILED, "a"),
        examples.Example(
            "the bridge closed", "the tower closed", examples.NEUTRAL, "a", ((4, 9),), twin=True
        ),
        examples.Example(
            "tower", "bridge", examples.NOT_ENTAILED, "b", taught=(-3.0, -0.25, -1.75)
        ),
    ]
    return modules.reading.encoded(tokenizer(WORDS), made * 4, 3.0, 2.0)


def test_pairs_arrive_as_they_were_packed(modules: Any, pairs: list[Any], tmp_path: Path) -> None:
    modules.elsewhere.pack(pairs, tmp_path / "small.npz")
    assert modules.elsewhere.unpack(tmp_path / "small.npz") == pairs


def test_a_file_goes_in_parts_and_a_damaged_or_missing_one_is_noticed(
    modules: Any, tmp_path: Path
) -> None:
    whole = random.Random(1).randbytes(2500)
    (tmp_path / "base").write_bytes(whole)
    parts = modules.elsewhere.split(tmp_path / "base", tmp_path / "parts", most=1000)
    assert [part.stat().st_size for part in parts][:2] == [1000, 1000]
    assert len(parts) == 3
    (there,) = modules.elsewhere.join(tmp_path / "parts", tmp_path / "there")
    assert there.read_bytes() == whole
    parts[1].write_bytes(b"x" * 1000)
    with pytest.raises(ValueError, match="not those that were packed"):
        modules.elsewhere.join(tmp_path / "parts", tmp_path / "there")
    parts[1].unlink()
    with pytest.raises(FileNotFoundError):
        modules.elsewhere.join(tmp_path / "parts", tmp_path / "there")


@pytest.mark.parametrize(
    "more", [{}, {"rotary_base": 1000.0, "gated": True}, {"relative_attention_num_buckets": 8}]
)
def test_trained_there_the_weights_come_back_in_shards(
    modules: Any, pairs: list[Any], tmp_path: Path, more: dict[str, Any], monkeypatch: Any
) -> None:
    import torch

    elsewhere, net = modules.elsewhere, modules.net
    torch.manual_seed(5)
    elsewhere.pack_base(net.CrossEncoder(SIZES | more), tmp_path / "small-base.npz")
    model = elsewhere.unpack_base(tmp_path / "small-base.npz")
    elsewhere.pack(pairs, tmp_path / "small.npz")
    recipe = {"steps": 4, "rate": 3e-3, "warm_up": 1}
    (tmp_path / "small.recipe.json").write_text(json.dumps(recipe))

    def there(step: str, *more: str) -> None:
        asked = ["elsewhere", step, str(tmp_path), *more, "--device", "cpu"]
        monkeypatch.setattr("sys.argv", asked)
        elsewhere.main()

    there("train", "--reader", "small")
    trained = net.load(tmp_path / "small.safetensors")
    assert not torch.equal(trained.head.weight, model.head.weight)

    monkeypatch.setattr(elsewhere, "SHARD", 1_000)
    there("shard", "--reader", "small", str(tmp_path / "out"), "--to", "2")
    assert len([*(tmp_path / "out").glob("*.shard")]) == 2
    with pytest.raises(FileNotFoundError, match="fetch it first"):
        elsewhere.unshard(tmp_path / "out", tmp_path / "small-base.npz", "small")
    there("shard", "--reader", "small", str(tmp_path / "out"), "--from", "2")
    back = elsewhere.unshard(tmp_path / "out", tmp_path / "small-base.npz", "small").state_dict()
    assert back.keys() == trained.state_dict().keys()
    begun = model.state_dict()
    for name, value in trained.state_dict().items():
        step = (value - begun[name]).abs().max() / 127
        assert float((back[name] - value).abs().max()) <= float(step) + 1e-6, name

    there("read", "--by", "small", "--pairs", "small", str(tmp_path / "said"))
    with numpy.load(tmp_path / "said" / "small.small.npz") as said:
        assert said["logits"].shape == (len(pairs), 3)
        assert said["ends"][-1] == len(said["pieces"]) == sum(len(pair.marks) for pair in pairs)


def test_the_mean_of_two_trainings_from_one_base_has_the_mean_of_their_weights(
    modules: Any, pairs: list[Any], tmp_path: Path, monkeypatch: Any
) -> None:
    import torch

    elsewhere, net = modules.elsewhere, modules.net
    torch.manual_seed(7)
    elsewhere.pack_base(net.CrossEncoder(SIZES), tmp_path / "small-base.npz")
    elsewhere.pack(pairs, tmp_path / "small.npz")
    recipe = {"steps": 4, "rate": 3e-3, "warm_up": 1}
    (tmp_path / "small.recipe.json").write_text(json.dumps(recipe))

    def there(step: str, *more: str) -> None:
        asked = ["elsewhere", step, str(tmp_path), "--reader", "small", *more, "--device", "cpu"]
        monkeypatch.setattr("sys.argv", asked)
        elsewhere.main()

    there("train", "--seed", "1", "--tokens", "24")
    there("train", "--seed", "3", "--tokens", "24")
    there("mean", "--of", "small-1", "small-3")
    nets = [net.load(tmp_path / f"{name}.safetensors") for name in ("small-1", "small-3", "small")]
    one, two, both = (model.state_dict() for model in nets)
    assert not torch.equal(one["head.weight"], two["head.weight"])
    for name, value in both.items():
        if not name.startswith(("head", "token_head")):
            assert torch.allclose(value, (one[name] + two[name]) / 2, atol=1e-6), name
    first, second, mean = (
        torch.tensor([w for w, _ in elsewhere.said_by(model, pairs, 64, "cpu")]).log_softmax(1)
        for model in nets
    )
    apart = (mean - (first + second) / 2).abs()
    assert float(apart.max()) < 0.2


def test_a_share_of_the_weights_that_a_training_began_from_is_kept(modules: Any) -> None:
    import torch

    net = modules.net
    torch.manual_seed(7)
    made, begun = net.CrossEncoder(SIZES), net.CrossEncoder(SIZES)
    both = net.mean_of([made, begun], [0.75, 0.25]).state_dict()
    for name, value in begun.state_dict().items():
        wanted = made.state_dict()[name] * 0.75 + value * 0.25
        assert torch.allclose(both[name], wanted, atol=1e-6), name


def test_a_teacher_there_says_of_each_pair_what_it_says_of_it_alone(
    modules: Any, pairs: list[Any]
) -> None:
    import torch

    torch.manual_seed(6)
    model = modules.net.CrossEncoder(SIZES).eval()
    told = modules.elsewhere.taught_by(model, pairs, 40, "cpu")
    for pair, one in zip(pairs, told, strict=True):
        (alone,) = modules.elsewhere.taught_by(model, [pair], 40, "cpu")
        assert one.taught == pytest.approx(alone.taught, abs=0.02)
        assert one.ids == pair.ids


def test_where_minutes_are_given_the_rate_and_the_training_end_with_them(
    modules: Any, pairs: list[Any], tmp_path: Path
) -> None:
    train = modules.train
    start = tmp_path / "base.safetensors"
    modules.net.save(modules.net.CrossEncoder(SIZES), start)
    recipe = train.Recipe(steps=10_000_000, seconds=0.5, processes=1, tokens=64)
    out = tmp_path / "timed.safetensors"
    train.train(pairs, recipe, start, out)
    assert out.exists()
    state = modules.checkpoint.State
    assert train._place(state(None, None, [], seconds=0.25), recipe) == 5_000_000


def test_a_fault_in_making_batches_is_told_where_they_are_waited_for(modules: Any) -> None:
    def batches() -> Iterator[Any]:
        yield "first"
        raise ValueError("no such word piece")

    ahead = modules.train._ahead(batches())
    assert next(ahead) == "first"
    with pytest.raises(ValueError, match="no such word piece"):
        next(ahead)
