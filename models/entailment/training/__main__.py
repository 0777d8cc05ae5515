"""`python -m training prepare|train|evaluate|export|all`: see README.md."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent


def main() -> int:
    """Runs one step, or all in order."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("step", choices=("prepare", "train", "evaluate", "export", "all"))
    parser.add_argument("--recipe", type=Path, default=HERE / "recipe.toml")
    parser.add_argument("--sets", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / ".cache" / "entailment")
    options = parser.parse_args()
    recipe = tomllib.loads(options.recipe.read_text(encoding="utf-8"))
    steps = ("prepare", "train", "evaluate", "export")
    for step in steps if options.step == "all" else (options.step,):
        run(step, recipe, options.sets, options.work)
    return 0


def run(step: str, recipe: dict[str, Any], sets: Path, work: Path) -> None:
    """One step."""
    from training import net

    start = vocabulary = net.base()
    weights = work / "weights.safetensors"
    if step == "prepare":
        from training import prepare

        prepare.prepare(sets, work, recipe)
    elif step == "train":
        from training import prepare, train

        for stage in recipe["stage"]:
            out = work / f"{stage['name']}.safetensors"
            if not out.exists():
                values = recipe["training"] | {
                    name: value for name, value in stage.items() if name not in prepare.OF_MIX
                }
                if "begins" in stage:
                    start = work / f"{stage['name']}.start.safetensors"
                    net.average([work / f"{name}.safetensors" for name in stage["begins"]], start)
                if "after" in values:  # it was cut off: its own first steps are done
                    start = work / f"{stage['name']}.part.safetensors"
                mixed = prepare.mix(work, recipe, stage)
                train.train(mixed, train.Recipe(**values), start, vocabulary, out)
            start = out
        net.average([work / f"{name}.safetensors" for name in recipe["averaged"]], weights)
    elif step == "evaluate":
        from benchmarks.cache import CachedEmbedder
        from halgo.evidence import embed
        from training import evaluate

        path = work / "eval.jsonl.gz"
        if not path.exists():
            embedder = CachedEmbedder(embed.resolve("minilm"))
            evaluate.build(embedder, path, int(recipe["limit_of_evaluation"]))
        evaluate.evaluate(weights, vocabulary, path)
    else:
        from training import export

        export.export(weights, vocabulary, HERE / "halgo_entailment")


if __name__ == "__main__":
    raise SystemExit(main())
