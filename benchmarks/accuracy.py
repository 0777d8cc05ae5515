"""Labelled sets -> how often each system is right, as JSON and a table.

For every set: ROC-AUC of the score and balanced accuracy of the yes/no at one setting for all
sets, both with bootstrap intervals over documents; then means over groups of sets, the default's
gain over each other system, draw by draw, and whether the project's targets are reached. Only
rows count about whose documents the entailment model learned nothing, unless told otherwise.
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

from benchmarks import data, metrics, runs, systems
from benchmarks.metrics import Bools, Figure, Floats
from benchmarks.provenance import say
from halgo.config import Config

SCHEMA = 2
LIMIT = 1000  # rows a set, unless told otherwise
# What the project wants to reach: (title, group or set, figure, at least).
TARGETS = (
    ("mean ROC-AUC, model output", "fourteen", "auc", 0.80),
    ("mean balanced accuracy, model output", "fourteen", "balanced", 0.73),
    ("mean balanced accuracy, verification", "verification", "balanced", 0.72),
    ("mean balanced accuracy, probes", "probes", "balanced", 0.75),
    ("ROC-AUC, `summedits`", "summedits", "auc", 0.65),
    ("balanced accuracy, `summedits`", "summedits", "balanced", 0.60),
)


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
    """One set, or a part of one: what it holds, and every system on it.

    `of` is how many rows the set has, those left out included.
    """

    rows: int
    of: int
    supported: int
    documents: int
    part_of: str
    systems: Mapping[str, Measured]


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    options = _options(argv)
    config = _config(options)
    known = systems.names(config, model=options.entailment is not None)
    rules = tuple(systems.WITHOUT + rule for rule in systems.rules())
    every = (systems.DEFAULT, *rules) if options.ablate else known
    known = (*known, *rules)
    wanted = options.systems.split(",") if options.systems else list(every)
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        say(f"unknown system {unknown[0]!r}; there are {', '.join(known)}")
        return 2
    chosen = data.chosen(options.sets)
    jobs = min(options.jobs, len(chosen))
    if jobs > 1:
        figures = _in_parallel(chosen, wanted, options, jobs)
    else:
        figures = {}
        for name in chosen:
            figures.update(measure(name, wanted, options))
            _line(name, figures)
    result = summary(figures, wanted)
    settings = {
        **config.to_dict(),
        "entailment": _model_name(options) if systems.needs_model(wanted) else None,
        "share": options.share,
        "limit": options.limit,
        "draws": metrics.DRAWS,
    }
    result = {
        "schema": SCHEMA,
        **runs.origin("accuracy", argv),
        "settings": settings,
        **result,
    }
    _print(result)
    runs.write(result, options.out)
    return 0


def measure(name: str, wanted: Sequence[str], options: argparse.Namespace) -> dict[str, SetFigures]:
    """One set, and the parts of it that are figures of their own."""
    whole = data.load(name)
    rows = runs.rows(whole, options)
    if not rows:
        say(f"{name}: no row was kept out")
        return {}
    with ExitStack() as stack:
        encoder = runs.embedder(options, stack)
        model = runs.entailment(options) if systems.needs_model(wanted) else None
        outcomes = systems.run(rows, wanted, _config(options), encoder, model)
    if options.rows:
        _write_rows(options.rows / f"{name}.jsonl", rows, outcomes)
    figures = {name: _figures(rows, outcomes, np.ones(len(rows), dtype=bool), len(whole), "")}
    parts = data.derived({name: whole})
    for part, member in data.derived({name: rows}).items():
        if any(member):
            figures[part] = _figures(rows, outcomes, np.array(member), sum(parts[part]), name)
    return figures


def _figures(
    rows: Sequence[data.Row],
    outcomes: Mapping[str, systems.Outcome],
    member: Bools,
    of: int,
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
    return SetFigures(len(groups), of, int(labels.sum()), len(set(groups)), part_of, measured)


def summary(figures: Mapping[str, SetFigures], wanted: Sequence[str]) -> dict[str, Any]:
    """The figures of all sets as plain values.

    {"systems", "sets", "means", "gains", "below", "targets"}; "below" names the sets on which the
    default is below word overlap.
    """
    sets: dict[str, Any] = {
        name: {
            "rows": found.rows,
            "of": found.of,
            "trained_on": (found.part_of or name) in data.TRAINED,
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
    over = {key: [name for name in whole if name in some] for key, some in data.GROUPS.items()}
    grouped = {name for names in over.values() for name in names}
    over["others"] = [name for name in whole if name not in grouped]
    over["all"] = whole
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
    result: dict[str, Any] = {"systems": list(wanted), "sets": sets, "means": means, "gains": gains}
    result["below"] = _below(sets, whole) if {systems.DEFAULT, systems.OVERLAP} <= {*wanted} else {}
    result["targets"] = _targets(result) if systems.DEFAULT in wanted else []
    return result


def _below(sets: Mapping[str, Any], whole: Sequence[str]) -> dict[str, list[str]]:
    """Figure -> the sets on which word overlap has more of it than the default."""
    return {
        kind: [
            name
            for name in whole
            if sets[name]["systems"][systems.DEFAULT][kind][0]
            < sets[name]["systems"][systems.OVERLAP][kind][0]
        ]
        for kind in ("auc", "balanced")
    }


def _targets(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each target of which something was measured: {"what", "target", "value", "reached"}."""
    found = []
    for title, key, kind, least in TARGETS:
        place = result["means"].get(key) or result["sets"].get(key)
        value = place["systems"][systems.DEFAULT][kind][0] if place else None
        if value is None:
            continue
        sets = len(place.get("sets", [key]))
        title += f", {sets} sets" if sets > 1 else ""
        entry = {"what": title, "target": f"at least {least:.2f}", "value": value}
        found.append({**entry, "reached": value >= least})
    if result["below"]:
        below = result["below"]["auc"]
        title = f"sets below word overlap in ROC-AUC, of {len(result['means']['all']['sets'])}"
        found.append({"what": title, "target": "0", "value": len(below), "reached": not below})
    return found


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
    parser.add_argument(
        "--sets",
        help=f"comma-separated names of sets, or of groups ({', '.join(data.GROUPS)}); "
        "every set when left out",
    )
    parser.add_argument("--systems", help="comma-separated; every system when left out")
    parser.add_argument(
        "--ablate",
        action="store_true",
        help="the default, and it without each rule in turn, coefficients unchanged",
    )
    runs.add_share(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=LIMIT,
        help=f"at most so many rows a set, the same each time (default {LIMIT}; 0: all)",
    )
    parser.add_argument("--jobs", type=int, default=1, help="sets worked on at the same time")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--support-threshold", type=float)
    runs.add_models(parser)
    runs.add_out(parser, "accuracy")
    parser.add_argument("--rows", type=Path, help="folder for one line per row, to look at errors")
    return runs.parsed(parser, argv, "accuracy")


def _config(options: argparse.Namespace) -> Config:
    given = {"threshold": options.threshold, "support_threshold": options.support_threshold}
    return Config(**{name: value for name, value in given.items() if value is not None})


def _model_name(options: argparse.Namespace) -> str | None:
    model = runs.entailment(options)
    return None if model is None else str(model.name)


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
            _line(name, figures[name])
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


def _line(name: str, sets: Mapping[str, SetFigures]) -> None:
    if name not in sets:
        return
    found = sets[name]
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
    print(f"{'set':26}{'rows':>6}  " + "".join(f"{_short(name):>18}" for name in names))
    for name, found in result["sets"].items():
        print(f"{name:26}{found['rows']:>6}  " + "".join(_cell(found, n) for n in names))
    for key, found in result["means"].items():
        label = f"mean of {key} ({len(found['sets'])})"
        print(f"{label:26}{'':>6}  " + "".join(_cell(found, n) for n in names))
    for found in result["targets"]:
        said = "reached" if found["reached"] else "NOT reached"
        print(f"{said:12} {found['what']}: {found['value']:g} (target: {found['target']})")
    for kind, names in result["below"].items():
        print(f"below word overlap in {kind}: {', '.join(names) or 'no set'}")
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
        return f"{'-':>18}"
    return f"{100 * figures['auc'][0]:11.1f} /{100 * figures['balanced'][0]:5.1f}"
