"""Labelled sets -> how often each system is right, as JSON and a table.

For every set: ROC-AUC of the score and balanced accuracy of the yes/no at one setting for all
sets, both with bootstrap intervals over documents; then means over the fourteen sets of real
model output and over all sets, and the default's gain over each other system, draw by draw.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import data, metrics, systems
from benchmarks.metrics import Bools, Figure, Floats
from benchmarks.provenance import provenance, say
from halgo.config import Config

RESULTS = data.ROOT / "benchmarks" / "results"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Measured:
    """One system on one set: its figures and their bootstrap samples (draws,)."""

    auc: float
    balanced: float
    auc_samples: Floats
    balanced_samples: Floats
    ece: float | None = None


@dataclass(frozen=True, slots=True)
class SetFigures:
    """One set, or a part of one: what it holds, and every system on it."""

    rows: int
    supported: int
    documents: int
    part_of: str
    systems: Mapping[str, Measured]


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    options = _options(argv)
    config = _config(options)
    wanted = options.systems.split(",") if options.systems else list(systems.names(config))
    unknown = sorted(set(wanted) - set(systems.names(config)))
    if unknown:
        say(f"unknown system {unknown[0]!r}; there are {', '.join(systems.names(config))}")
        return 2
    place = data.folder()
    chosen = options.sets.split(",") if options.sets else data.names(place)
    if options.sets == "fourteen":
        chosen = [name for name in data.names(place) if name in data.FOURTEEN]
    unknown = [name for name in chosen if name not in data.names(place)]
    if unknown:
        raise data.DataError(f"no set {unknown[0]!r}; there are {', '.join(data.names(place))}")
    jobs = min(options.jobs, len(chosen))
    if jobs > 1:
        figures = _in_parallel(chosen, wanted, options, jobs)
    else:
        figures = {}
        for name in chosen:
            figures.update(measure(name, wanted, options))
            _line(name, figures[name])
    result = summary(figures, wanted)
    settings = {**config.to_dict(), "limit": options.limit, "draws": metrics.DRAWS}
    result = {"schema": SCHEMA, **provenance(_command(argv)), "settings": settings, **result}
    _print(result)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(result, indent=1, allow_nan=False) + "\n"
        options.out.write_text(text, encoding="utf-8")
        say(f"written: {options.out}")
    return 0


def measure(name: str, wanted: Sequence[str], options: argparse.Namespace) -> dict[str, SetFigures]:
    """One set, and the parts of it that are figures of their own."""
    rows = data.sample(data.load(name), options.limit)
    with ExitStack() as stack:
        embedder = _embedder(options, stack)
        outcomes = systems.run(rows, wanted, _config(options), embedder)
    if options.rows:
        _write_rows(options.rows / f"{name}.jsonl", rows, outcomes)
    figures = {name: _figures(rows, outcomes, np.ones(len(rows), dtype=bool), "")}
    for part, member in data.derived({name: rows}).items():
        if any(member):
            figures[part] = _figures(rows, outcomes, np.array(member), name)
    return figures


def _figures(
    rows: Sequence[data.Row],
    outcomes: Mapping[str, systems.Outcome],
    member: Bools,
    part_of: str,
) -> SetFigures:
    labels = np.array([row.supported for row in rows], dtype=bool)[member]
    groups = [row.group for row, kept in zip(rows, member, strict=True) if kept]
    weights = metrics.draws(groups)
    measured = {}
    for name, outcome in outcomes.items():
        scores, answers = outcome.scores[member], outcome.answers[member]
        measured[name] = Measured(
            metrics.roc_auc(labels, scores),
            metrics.balanced_accuracy(labels, answers),
            metrics.auc_draws(labels, scores, weights),
            metrics.balanced_draws(labels, answers, weights),
            metrics.ece(labels, scores) if name == systems.DEFAULT else None,
        )
    return SetFigures(len(groups), int(labels.sum()), len(set(groups)), part_of, measured)


def summary(figures: Mapping[str, SetFigures], wanted: Sequence[str]) -> dict[str, Any]:
    """The figures of all sets as plain values: {"systems", "sets", "means", "gains"}."""
    sets = {
        name: {
            "rows": found.rows,
            "supported": found.supported,
            "documents": found.documents,
            "headline": name in data.FOURTEEN,
            "part_of": found.part_of or None,
            "systems": {
                system: _plain(
                    metrics.interval(measured.auc, measured.auc_samples),
                    metrics.interval(measured.balanced, measured.balanced_samples),
                    measured.ece,
                )
                for system, measured in found.systems.items()
            },
        }
        for name, found in figures.items()
    }
    # A set with one class only has no figures, and no part in a mean.
    whole = [
        name
        for name, found in figures.items()
        if not found.part_of and 0 < found.supported < found.rows
    ]
    over = {
        "fourteen": [name for name in whole if name in data.FOURTEEN],
        "others": [name for name in whole if name not in data.FOURTEEN],
        "all": whole,
    }
    means = {
        key: {
            "sets": names,
            "systems": {
                system: _plain(*_means([figures[name].systems[system] for name in names]))
                for system in wanted
            },
        }
        for key, names in over.items()
        if names
    }
    gains = {
        key: _gains([figures[name].systems for name in over[key]], wanted)
        for key in means
        if systems.DEFAULT in wanted
    }
    return {"systems": list(wanted), "sets": sets, "means": means, "gains": gains}


def _means(measured: Sequence[Measured]) -> tuple[Figure, Figure]:
    return (
        metrics.mean_figure([m.auc for m in measured], [m.auc_samples for m in measured]),
        metrics.mean_figure([m.balanced for m in measured], [m.balanced_samples for m in measured]),
    )


def _gains(
    sets: Sequence[Mapping[str, Measured]], wanted: Sequence[str]
) -> dict[str, dict[str, list[float | None]]]:
    """How far the default is above each other system in the mean: [gain, low, high]."""
    gains = {}
    for system in wanted:
        if system == systems.DEFAULT:
            continue
        figures = {}
        for kind in ("auc", "balanced"):
            ours = [getattr(found[systems.DEFAULT], kind) for found in sets]
            theirs = [getattr(found[system], kind) for found in sets]
            samples = [
                np.mean([getattr(found[name], f"{kind}_samples") for found in sets], axis=0)
                for name in (systems.DEFAULT, system)
            ]
            low, high, _ = metrics.paired(*samples)
            figures[kind] = [_number(v) for v in (np.mean(ours) - np.mean(theirs), low, high)]
        gains[system] = figures
    return gains


def _plain(auc: Figure, balanced: Figure, ece: float | None = None) -> dict[str, Any]:
    values: dict[str, Any] = {
        kind: [_number(figure.value), _number(figure.low), _number(figure.high)]
        for kind, figure in (("auc", auc), ("balanced", balanced))
    }
    if ece is not None:
        values["ece"] = _number(ece)
    return values


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 4)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy", description=__doc__)
    parser.add_argument("--sets", help="comma-separated, or 'fourteen'; every set when left out")
    parser.add_argument("--systems", help="comma-separated; every system when left out")
    parser.add_argument("--limit", type=int, help="at most so many rows a set, the same each time")
    parser.add_argument("--jobs", type=int, default=1, help="sets worked on at the same time")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--support-threshold", type=float)
    parser.add_argument("--embedder", default="minilm", help="'minilm', 'lexical' or a folder")
    parser.add_argument("--no-cache", action="store_true", help="embed and parse everything anew")
    parser.add_argument(
        "--out",
        type=Path,
        help="JSON file (default: benchmarks/results/accuracy.json for all rows)",
    )
    parser.add_argument("--rows", type=Path, help="folder for one line per row, to look at errors")
    options = parser.parse_args(argv)
    partial = options.sets or options.systems or options.limit
    if options.out is None and not partial:
        options.out = RESULTS / "accuracy.json"
    return options


def _config(options: argparse.Namespace) -> Config:
    given = {"threshold": options.threshold, "support_threshold": options.support_threshold}
    return Config(**{name: value for name, value in given.items() if value is not None})


def _embedder(options: argparse.Namespace, stack: ExitStack) -> Any:
    from halgo.evidence.embed import resolve

    embedder = resolve(options.embedder)
    if options.no_cache:
        return embedder
    from benchmarks.cache import CachedEmbedder, cached_parses

    stack.enter_context(cached_parses())
    return CachedEmbedder(embedder)


def _in_parallel(
    chosen: Sequence[str], wanted: Sequence[str], options: argparse.Namespace, jobs: int
) -> dict[str, SetFigures]:
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor

    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by the workers when they start
    figures: dict[str, dict[str, SetFigures]] = {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        running = {name: pool.submit(measure, name, wanted, options) for name in chosen}
        for name, future in running.items():
            figures[name] = future.result()
            _line(name, figures[name][name])
    return {part: found for name in chosen for part, found in figures[name].items()}


def _write_rows(
    path: Path, rows: Sequence[data.Row], outcomes: Mapping[str, systems.Outcome]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        for number, row in enumerate(rows):
            line = {
                "id": row.id,
                "label": row.label,
                "scores": {n: round(float(o.scores[number]), 4) for n, o in outcomes.items()},
                "answers": {n: bool(o.answers[number]) for n, o in outcomes.items()},
                "notes": {n: o.notes[number] for n, o in outcomes.items() if o.notes},
            }
            out.write(json.dumps(line) + "\n")


def _command(argv: Sequence[str]) -> str:
    # A path given by hand says something about one machine only: its last part is enough.
    return " ".join(["accuracy", *(Path(w).name if "/" in w else w for w in argv)])


def _line(name: str, found: SetFigures) -> None:
    figures = "  ".join(
        f"{system} {100 * measured.auc:.1f}/{100 * measured.balanced:.1f}"
        for system, measured in found.systems.items()
        if not system.startswith(systems.WITHOUT) and system != systems.MAJORITY
    )
    say(f"{name} ({found.rows}): {figures}")


def _print(result: Mapping[str, Any]) -> None:
    """The tables as text on stdout: ROC-AUC / balanced accuracy, x 100."""
    names = result["systems"]
    print("ROC-AUC / balanced accuracy, x 100\n")
    print(f"{'set':26}{'rows':>6}  " + "".join(f"{_short(name):>15}" for name in names))
    for name, found in result["sets"].items():
        print(f"{name:26}{found['rows']:>6}  " + "".join(_cell(found, n) for n in names))
    for key, found in result["means"].items():
        label = f"mean of {key} ({len(found['sets'])})"
        print(f"{label:26}{'':>6}  " + "".join(_cell(found, n) for n in names))
    for key, gains in result["gains"].items():
        print(f"\ndefault above ..., in the mean of {key} (95 % interval)")
        for name, gain in gains.items():
            parts = [
                f"{kind} {100 * value:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
                for kind, (value, low, high) in gain.items()
                if None not in (value, low, high)
            ]
            print(f"  {name:24}" + "   ".join(parts))


def _short(name: str) -> str:
    return name.replace(systems.WITHOUT, "- ")


def _cell(found: Mapping[str, Any], name: str) -> str:
    figures = found["systems"].get(name)
    if not figures or figures["auc"][0] is None:
        return f"{'-':>15}"
    return f"{100 * figures['auc'][0]:8.1f} /{100 * figures['balanced'][0]:5.1f}"
