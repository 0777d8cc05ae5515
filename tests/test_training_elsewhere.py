"""A training on another machine: what is packed here arrives there, and the weights come back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_tokenizer import WORDS, tokenizer
from small_training import training
from test_training_resume import SIZES

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    pytest.importorskip("torch")
    with training("elsewhere", "train", "reading", "net", "examples") as package:
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
    whole = bytes(range(256)) * 10
    (tmp_path / "base").write_bytes(whole)
    parts = modules.elsewhere.split(tmp_path / "base", tmp_path / "parts", most=1000)
    assert [part.stat().st_size for part in parts] == [1000, 1000, 560]
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
    model = net.CrossEncoder(SIZES | more)
    net.save(model.bfloat16(), tmp_path / "small-base.safetensors")
    elsewhere.pack(pairs, tmp_path / "small.npz")
    recipe = {"steps": 4, "rate": 3e-3, "warm_up": 1}
    (tmp_path / "small.recipe.json").write_text(json.dumps(recipe))
    asked = ["elsewhere", "train", str(tmp_path), "--reader", "small", "--device", "cpu"]
    monkeypatch.setattr("sys.argv", asked)
    elsewhere.main()
    trained = net.load(tmp_path / "small.safetensors")
    assert not torch.equal(trained.head.weight, model.head.weight.float())

    monkeypatch.setattr(elsewhere, "SHARD", 4_000)
    first = elsewhere.shard(tmp_path / "small.safetensors", tmp_path / "out", 0, 2)
    assert len(first) == 2
    with pytest.raises(FileNotFoundError, match="fetch it first"):
        elsewhere.unshard(tmp_path / "out", "small")
    elsewhere.shard(tmp_path / "small.safetensors", tmp_path / "out", 2)
    assert all(path.stat().st_size < 5_000 for path in (tmp_path / "out").glob("*.shard"))
    back = elsewhere.unshard(tmp_path / "out", "small")
    assert back.keys() == trained.state_dict().keys()
    for name, value in trained.state_dict().items():
        assert torch.equal(back[name], value.bfloat16().float()), name


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
