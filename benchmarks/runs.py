"""What every measuring command shares: its options, its rows, its models, its result as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks import data
from benchmarks.provenance import provenance, say

RESULTS = data.ROOT / "benchmarks" / "results"
KEPT_OUT, ALL = "kept-out", "all"


def add_share(parser: argparse.ArgumentParser) -> None:
    """The option that says which rows count."""
    parser.add_argument(
        "--share",
        choices=(KEPT_OUT, ALL),
        default=KEPT_OUT,
        help="the rows the entailment model was not trained on (default), or all",
    )


def add_models(parser: argparse.ArgumentParser) -> None:
    """The options that say what is run, and whether the cache is used."""
    parser.add_argument("--embedder", default="minilm", help="'minilm', 'lexical' or a folder")
    parser.add_argument(
        "--entailment", default="default", help="'default', a folder or name, or 'none'"
    )
    parser.add_argument("--no-cache", action="store_true", help="work out everything anew")


def add_out(parser: argparse.ArgumentParser, name: str) -> None:
    """The option that says where the result goes."""
    parser.add_argument(
        "--out",
        type=Path,
        help=f"JSON file (default: benchmarks/results/{name}.json for a run without options)",
    )


def parsed(parser: argparse.ArgumentParser, argv: Sequence[str], name: str) -> argparse.Namespace:
    """The options; a run with the usual ones (--jobs aside) writes results/NAME.json."""
    options = parser.parse_args(argv)
    usual = vars(parser.parse_args([]))
    if all(value == usual[name] for name, value in vars(options).items() if name != "jobs"):
        options.out = RESULTS / f"{name}.json"
    options.limit = options.limit or None
    options.entailment = None if options.entailment == "none" else options.entailment
    return options


def rows(whole: list[data.Row], options: argparse.Namespace) -> list[data.Row]:
    """Of the rows of a set those that `--share` and `--limit` leave."""
    share = whole if options.share == ALL else data.kept_out(whole)
    return data.sample(share, options.limit)


def embedder(options: argparse.Namespace, stack: ExitStack) -> Any:
    """The embedder, cached unless told otherwise, as parses are while `stack` is open."""
    from halgo.evidence.embed import resolve

    found = resolve(options.embedder)
    if options.no_cache:
        return found
    from benchmarks.cache import CachedEmbedder, cached_parses

    stack.enter_context(cached_parses())
    return CachedEmbedder(found)


def entailment(options: argparse.Namespace) -> Any:
    """The entailment model, cached unless told otherwise; None to go without."""
    from halgo.entailment.cross_encoder import resolve

    model = resolve(options.entailment)
    if model is None or options.no_cache:
        return model
    from benchmarks.cache import cached_entailment

    return cached_entailment(model)


def origin(name: str, argv: Sequence[str]) -> dict[str, Any]:
    """What it takes to repeat the run of a command, paths of its options by their last parts."""
    # A path given by hand says something about one machine only.
    words = [Path(word).name if "/" in word else word for word in argv]
    return provenance(" ".join([name, *words]))


def write(result: Mapping[str, Any], out: Path | None) -> None:
    """Writes a result as JSON; nothing when `out` is None."""
    if out is None:
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    say(f"written: {out}")
