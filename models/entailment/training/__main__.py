"""`python -m training STEP`: prepare, teach, train, evaluate, export; README.md has the others."""

from __future__ import annotations

import argparse
import dataclasses
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
# Of a reader in the recipe: what decides where it begins, and its pairs.
OF_MIX = (
    "name",
    "base",
    "teacher",
    "taught_kinds",
    "most_times",
    "draw",
    "times",
    "uncut",
    "package",
    "kept",
)
SHIPPED = "shipped"  # as a base: the model in the reader's package
FIRST = ("prepare", "teach")
LAST = ("train", "evaluate", "export")
AWAY = ("pack", "unshard")  # for a training on another machine (`elsewhere.py`)
PARKED = HERE / "progress"  # a training under way, between two machines (`parked.py`)


def main() -> int:
    """Runs one step, or all in order."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("step", choices=(*FIRST, *LAST, "all", *AWAY, "park"))
    parser.add_argument("--reader", default="small", help="which reader of the recipe")
    parser.add_argument("--recipe", type=Path, default=HERE / "recipe.toml")
    parser.add_argument("--sets", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / ".cache" / "entailment")
    parser.add_argument("--minutes", type=float, help="stop with a checkpoint after so long")
    options = parser.parse_args()
    recipe = tomllib.loads(options.recipe.read_text(encoding="utf-8"))
    readers = {reader["name"]: reader for reader in recipe["reader"]}
    if options.reader not in readers:
        parser.error(f"the recipe has no reader {options.reader!r}; it has {', '.join(readers)}")
    reader = readers[options.reader]
    every = ("prepare", *(("teach",) if "teacher" in reader else ()), *LAST)
    for step in every if options.step == "all" else (options.step,):
        run(step, recipe, reader, options)
    return 0


def run(
    step: str, recipe: dict[str, Any], reader: dict[str, Any], options: argparse.Namespace
) -> None:
    """One step."""
    work: Path = options.work
    weights, taught = work / f"{reader['name']}.safetensors", work / f"{reader['name']}.taught"
    if step == "prepare":
        from training import prepare

        prepare.prepare(options.sets, work, recipe)
        return
    if step == "teach":
        from halgo.entailment import cross_encoder
        from training import prepare, teach

        if "teacher" not in reader:
            print(f"the reader {reader['name']!r} has no teacher")
            return
        # "default" is the model that is shipped, anything else a folder with a model in it.
        teacher = cross_encoder.resolve(reader["teacher"])
        assert teacher is not None
        teach.teach(teacher, prepare.mix(work, recipe, _as_taught(reader)), taught)
        return
    base = _base_of(reader, work)
    if step in ("train", "pack"):
        from training import checkpoint, net, parked, prepare, reading, teach, train

        if weights.exists():
            return
        values = {name: value for name, value in reader.items() if name not in OF_MIX}
        asked = train.Recipe(**values)
        pairs = reading.encoded(
            reading.tokenizer(base),
            teach.with_taught(prepare.mix(work, recipe, reader), taught),
            asked.most_weight,
            asked.made_weight,
        )
        if step == "pack":
            _pack(pairs, values, base, work / "packed", reader["name"])
            return
        start = base
        # A state in the work folder is further on than what was parked of it, and counts its steps.
        under_way = checkpoint.there(weights.with_suffix(".state"))
        is_parked = not under_way and any(PARKED.glob(f"{reader['name']}.*.shard"))
        if reader["base"] == SHIPPED or is_parked:
            start = work / f"{reader['name']}.start.safetensors"
            if not start.exists():
                begin = _net_of(base)
                if is_parked:
                    begin = parked.unpark(PARKED, reader["name"], begin)
                    told = parked.numbers_of(PARKED, reader["name"])
                    _begun(work, reader).write_text(json.dumps(told), encoding="utf-8")
                net.save(begin, start)
        begun = _begun(work, reader)
        if begun.exists():
            step = int(json.loads(begun.read_text(encoding="utf-8"))["step"])
            asked = dataclasses.replace(asked, seed=asked.seed + step)
        limits = train.Limits() if options.minutes is None else train.Limits(options.minutes * 60)
        train.train(pairs, asked, start, weights, limits)
        if weights.exists() and reader.get("kept"):
            net.save(_kept(net.load(weights), _net_of(base), reader), weights)
    elif step == "park":
        from training import parked, train

        values = {name: value for name, value in reader.items() if name not in OF_MIX}
        state = weights.with_suffix(".state")
        begun = _begun(work, reader)
        before = json.loads(begun.read_text(encoding="utf-8")) if begun.exists() else None
        print(parked.park(state, train.Recipe(**values), PARKED, reader["name"], before))
    elif step == "unshard":
        from training import elsewhere, net

        packed = work / "packed" / f"{reader['name']}-base.npz"
        model = elsewhere.unshard(work / "shards", packed, reader["name"])
        begun = elsewhere.unpack_base(packed)
        net.save(_kept(model, begun, reader), weights)
    elif step == "evaluate":
        from benchmarks.cache import CachedEmbedder
        from halgo.evidence import embed
        from training import evaluate

        path, ours = work / "eval.jsonl.gz", work / "kept.jsonl.gz"
        embedder = CachedEmbedder(embed.resolve("minilm"))
        if not ours.exists():
            evaluate.build_kept(embedder, ours)
        if not path.exists():
            evaluate.build(embedder, path, int(recipe["limit_of_evaluation"]))
        evaluate.kept(weights, base, ours)
        evaluate.evaluate(weights, base, path)
    else:
        from training import export

        export.export(weights, base, export.PACKAGES[reader.get("package", "entailment")])


def _base_of(reader: Mapping[str, Any], work: Path) -> Path:
    """The folder with the tokenizer, and the weights, that a reader begins from."""
    from training import bases, export

    if reader["base"] == SHIPPED:
        return export.PACKAGES[reader.get("package", "entailment")].folder
    return bases.folder(reader["base"], work)


def _net_of(base: Path) -> Any:
    """The net that a training begins from: what is shipped, or an encoder with new heads.

    The word vectors of a wide one are rounded as its export rounds them: they are not trained.
    """
    from training import export, four_bits, net, shipped

    if (base / "model.onnx").exists():
        return shipped.from_export(base)
    model = net.from_encoder(base)
    if model.shape.width > export.WIDE:
        model.words.weight.data.copy_(four_bits.rounded(model.words.weight.data))
    return model


def _kept(made: Any, begun: Any, reader: Mapping[str, Any]) -> Any:
    """The mean of a training's weights and those that it began from, as the reader says."""
    from training import net

    kept = reader.get("kept", 0.0)
    return net.mean_of([made, begun], [1 - kept, kept])


def _begun(work: Path, reader: Mapping[str, Any]) -> Path:
    """Where the numbers of the parked state stand that a training here went on from."""
    return work / f"{reader['name']}.begun.json"


def _as_taught(reader: Mapping[str, Any]) -> dict[str, Any]:
    """The reader with the kinds alone that its teacher is asked about; all unless it names some."""
    kinds = reader.get("taught_kinds", reader["draw"])
    return {**reader, "draw": {kind: reader["draw"][kind] for kind in kinds}}


def _pack(
    pairs: Sequence[Any], values: Mapping[str, Any], base: Path, out: Path, name: str
) -> None:
    """The pairs, the base and the recipe of a reader, in parts that can be carried."""
    from training import elsewhere

    out.mkdir(parents=True, exist_ok=True)
    elsewhere.pack(pairs, out / f"{name}.npz")
    elsewhere.pack_base(_net_of(base), out / f"{name}-base.npz")
    (out / f"{name}.recipe.json").write_text(json.dumps(values), encoding="utf-8")
    for path in sorted(out.glob(f"{name}*")):
        if path.suffix in (".npz", ".json") and ".parts." not in path.name:
            print(*elsewhere.split(path, out), sep="\n")


if __name__ == "__main__":
    raise SystemExit(main())
