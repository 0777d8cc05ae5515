"""A training that is cut off goes on as if it had not been."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_tokenizer import WORDS, tokenizer
from small_training import training

pytestmark = pytest.mark.torch
SIZES = {
    "vocab_size": len(WORDS),
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 256,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "dropout": 0.0,
}
STEPS = 12


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    pytest.importorskip("torch")
    with training("train", "checkpoint", "parked", "reading", "net", "examples") as package:
        yield package


@pytest.fixture
def start(modules: Any, tmp_path: Path) -> Path:
    """A small net with weights drawn by a fixed seed."""
    import torch

    torch.manual_seed(5)
    path = tmp_path / "start.safetensors"
    modules.net.save(modules.net.CrossEncoder(SIZES), path)
    return path


@pytest.fixture
def pairs(modules: Any) -> list[Any]:
    """Forty pairs: a claim is entailed when it is its premise; some words are marked."""
    examples = modules.examples
    texts = ["the tower opens in may", "the bridge closed", "in may the tower closed", "tower"]
    made = [
        examples.Example(
            premise,
            claim,
            examples.ENTAILED if premise == claim else examples.NOT_ENTAILED,
            "fever_symmetric",
            None if len(claim) < 6 else ((0, 3),),
            taught=(-0.1, -3.0, -3.0) if premise == claim else None,
        )
        for premise in texts
        for claim in texts
    ]
    return modules.reading.encoded(tokenizer(WORDS), made * 3, 3.0, 2.0)


def recipe(modules: Any) -> Any:
    return modules.train.Recipe(steps=STEPS, tokens=64, processes=1, warm_up=2, rate=3e-3)


def weights(path: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return load_file(str(path))


def test_cut_off_after_each_step_it_ends_with_the_same_weights(
    modules: Any, start: Path, pairs: list[Any], tmp_path: Path
) -> None:
    import torch

    whole, often = tmp_path / "whole.safetensors", tmp_path / "often.safetensors"
    modules.train.train(pairs, recipe(modules), start, whole)
    for _ in range(STEPS):
        assert not often.exists()
        modules.train.train(pairs, recipe(modules), start, often, modules.train.Limits(seconds=0.0))
    if not often.exists():
        modules.train.train(pairs, recipe(modules), start, often)
    expected, found = weights(whole), weights(often)
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, msg=name)
    begun = weights(start)
    assert not torch.equal(begun["head.weight"], expected["head.weight"])
    assert torch.equal(begun["words.weight"], expected["words.weight"])


def test_killed_between_the_two_renames_the_last_state_is_found(
    modules: Any, start: Path, pairs: list[Any], tmp_path: Path
) -> None:
    out = tmp_path / "net.safetensors"
    modules.train.train(pairs, recipe(modules), start, out, modules.train.Limits(seconds=0.0))
    kept = out.with_suffix(".state")
    kept.rename(kept.with_name(kept.name + ".old"))
    assert modules.checkpoint.there(kept)
    assert (kept / "numbers.json").exists()


def test_pairs_that_were_cut_off_while_written_are_not_taken_for_whole(
    modules: Any, tmp_path: Path
) -> None:
    pair = modules.examples.Example("The shop opens at 9.", "It opens at 9.", 0, "short")

    def cut_off() -> Iterator[Any]:
        yield pair
        raise KeyboardInterrupt

    path = tmp_path / "pairs.jsonl.gz"
    with pytest.raises(KeyboardInterrupt):
        modules.examples.write(path, cut_off())
    assert not path.exists()
    modules.examples.write(path, [pair])
    assert modules.examples.read(path) == [pair]


def test_the_rate_rises_stays_and_falls_to_nothing(modules: Any) -> None:
    long = modules.train.Recipe(steps=1000, warm_up=100, cooling=0.3)
    rates = [modules.train.rate_at(step, long) for step in range(1001)]
    assert rates[0] == pytest.approx(0.01)
    assert set(rates[100:700]) == {1.0}
    assert rates[850] == pytest.approx(0.5)
    assert rates[1000] == 0.0


def test_where_only_not_entailed_is_known_either_other_label_will_do(modules: Any) -> None:
    import torch

    reading = modules.reading
    one = reading.Encoded([1, 2, 3], 1, [-100, -100], 3, 1.0, (0.0, 0.0, 0.0))
    batch = reading.tensors([one])
    wrong = torch.zeros(1, 3)
    asked = recipe(modules)
    neutral = modules.train.loss_of(torch.tensor([[-9.0, 9.0, -9.0]]), wrong, batch, asked)
    contradicted = modules.train.loss_of(torch.tensor([[-9.0, -9.0, 9.0]]), wrong, batch, asked)
    entailed = modules.train.loss_of(torch.tensor([[9.0, -9.0, -9.0]]), wrong, batch, asked)
    assert float(neutral) < 1e-3
    assert float(contradicted) < 1e-3
    assert float(entailed) > 10


def test_of_twins_the_entailed_one_is_to_rank_above_the_other(modules: Any) -> None:
    import torch

    reading = modules.reading
    entailed, other = (
        reading.Encoded([1, 2, 3], 1, [-100], label, 0.0, (0.0, 0.0, 0.0), None, twin)
        for label, twin in ((0, False), (2, True))
    )
    high, low = [3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]

    def loss(pairs: list[Any], logits: list[list[float]]) -> float:
        batch = reading.tensors(pairs)
        return float(
            modules.train.loss_of(
                torch.tensor(logits), torch.zeros(len(pairs), 3), batch, recipe(modules)
            )
        )

    right, wrong = loss([entailed, other], [high, low]), loss([entailed, other], [low, high])
    assert right < 0.01 < 2 < wrong
    assert loss([entailed], [low]) == 0.0  # its own loss weighs nothing here, and it has no twin


def test_pairs_that_lie_on_a_device_make_the_same_batches_there(modules: Any) -> None:
    import torch
    from torch.nn import functional

    reading = modules.reading
    pairs = [
        reading.Encoded(
            list(range(10 * at + 1, 10 * at + 4 + at)),
            1 + at % 2,
            [at % 2, 0][: at % 3],
            at % 4,
            at / 2,
            (0.0, float(at), 0.0),
            (float(-at), 0.0, -1.0) if at % 2 else None,
            at in (3, 6),
        )
        for at in range(9)
    ]
    held = reading.Held(pairs, "cpu")
    for some in ([pairs[4], pairs[2]], [pairs[3], pairs[5], pairs[6], pairs[8]], pairs):
        plain, there = reading.tensors(some), held.batch(some)
        wide = there.ids.shape[1]
        assert wide % 8 == 0
        room = (0, wide - plain.ids.shape[1])
        for name, outside in (("ids", 0), ("segments", 0), ("marks", reading.UNMARKED)):
            padded = functional.pad(getattr(plain, name), room, value=outside)
            assert torch.equal(padded, getattr(there, name)), name
        for name in ("lengths", "labels", "weights", "guesses", "taught", "asked", "twins"):
            assert torch.equal(getattr(plain, name), getattr(there, name)), name
        assert plain.pieces == there.pieces


def test_twins_stay_side_by_side_in_every_order(modules: Any) -> None:
    reading = modules.reading
    pairs = [
        reading.Encoded([at] * (5 + at % 7), 1, [], at % 2, 1.0, (0.0, 0.0, 0.0), None, at % 2 == 1)
        for at in range(40)
    ]
    for seed in "ab":
        order = [p.ids[0] for batch in reading.batches(pairs, 64, seed) for p in batch]
        assert sorted(order) == list(range(40))
        assert all(b == a + 1 for a, b in zip(order[::2], order[1::2], strict=True))
    every = list(reading.batches(pairs, 64, "a"))
    assert all(batch[0].ids[0] % 2 == 0 for batch in every)
    assert all(len(batch) * max(len(p.ids) for p in batch) <= 64 for batch in every)


@pytest.mark.parametrize("frozen", [0, 1])
def test_what_is_parked_comes_back_as_near_as_8_bits_hold_it(
    modules: Any, pairs: list[Any], tmp_path: Path, monkeypatch: Any, frozen: int
) -> None:
    import torch
    from safetensors.torch import load_file

    asked = dataclasses.replace(recipe(modules), frozen=frozen)
    base = tmp_path / "base"
    base.mkdir()
    modules.net.save(modules.net.CrossEncoder(SIZES), base / "whole.safetensors")
    begun = modules.net.load(base / "whole.safetensors")
    out = tmp_path / "net.safetensors"
    modules.train.train(
        pairs, asked, base / "whole.safetensors", out, modules.train.Limits(seconds=0.0)
    )
    monkeypatch.setattr(modules.parked, "SHARD", 3_000)
    numbers = modules.parked.park(out.with_suffix(".state"), asked, tmp_path / "progress", "net")
    assert numbers["step"] == 1
    assert modules.parked.numbers_of(tmp_path / "progress", "net") == numbers
    assert modules.parked.numbers_of(tmp_path / "progress", "large") == {}
    again = modules.parked.park(
        out.with_suffix(".state"), asked, tmp_path / "again", "net", numbers
    )
    assert again["step"] == 2 and again["word_pieces"] == 2 * numbers["word_pieces"]
    shards = sorted((tmp_path / "progress").glob("net.*.shard"))
    assert len(shards) > 1
    held = {name for path in shards for name in load_file(str(path))}
    assert any(name.startswith("layers.0.") for name in held) == (not frozen)
    there = modules.net.load(out.with_suffix(".state") / "weights.safetensors")
    back = modules.parked.unpark(tmp_path / "progress", "net", begun)
    for name, value in back.state_dict().items():
        # A step from its start the mean lies between that and the weights themselves.
        torch.testing.assert_close(value, there.state_dict()[name], atol=0.02, rtol=0, msg=name)
    with pytest.raises(FileNotFoundError, match="nothing was parked"):
        modules.parked.unpark(tmp_path / "progress", "large", begun)
