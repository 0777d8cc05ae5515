"""Results as JSON -> the tables of README.md and docs/benchmarks.md, between their marks.

A table stands between `<!-- NAME:start -->` and `<!-- NAME:end -->`, where NAME is a key of
`TABLES`; whatever is between them is replaced. `--check` writes nothing and fails when a table
is not what the results say.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT
from benchmarks.provenance import say
from benchmarks.runs import RESULTS

PUBLISHED = ROOT / "benchmarks" / "published.toml"
PAGES = ("README.md", "docs/benchmarks.md", "docs/processes.md", "docs/sizing.md")
_MARK = re.compile(r"<!-- (?P<name>[a-z-]+):start -->\n.*?<!-- (?P=name):end -->", re.DOTALL)

Result = Mapping[str, Any]


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when --check finds a stale table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when stale")
    options = parser.parse_args(argv)
    stale = update(ROOT, RESULTS, write=not options.check)
    for page in stale:
        say(f"{page}: {'stale; run python -m benchmarks tables' if options.check else 'written'}")
    return 1 if stale and options.check else 0


def update(root: Path, results: Path, write: bool) -> list[str]:
    """The pages whose tables differ from the results; they are rewritten when `write`."""
    changed = []
    for page in PAGES:
        path = root / page
        if not path.is_file():
            continue
        before = path.read_text(encoding="utf-8")
        after = filled(before, results)
        if after != before:
            changed.append(page)
            if write:
                path.write_text(after, encoding="utf-8")
    return changed


def filled(text: str, results: Path) -> str:
    """The page with every marked table made again; marks without results stay as they are."""

    def replaced(found: re.Match[str]) -> str:
        name = found.group("name")
        if name not in TABLES:
            return found.group()
        source, table = TABLES[name]
        path = results / source
        if not path.is_file():
            return found.group()
        body = table(json.loads(path.read_text(encoding="utf-8")))
        return f"<!-- {name}:start -->\n{body}\n<!-- {name}:end -->"

    return _MARK.sub(replaced, text)


# Groups of sets as the tables name them, "{}" for how many there are.
GROUPS = {
    "fourteen": "the {} sets of model output",
    "verification": "{} sets of claim verification",
    "probes": "{} probes of one kind of fact",
    "others": "{} other sets",
    "all": "all {} sets",
}


def accuracy(result: Result) -> str:
    """Means per system over each group of sets, without the ablations."""
    means = result["means"]
    keys = [key for key in GROUPS if key in means and key not in ("all", "others")]
    header = ["system"]
    for key in keys:
        header += [f"ROC-AUC, {_group(result, key)}", "balanced accuracy"]
    rows = []
    for name in _whole(result["systems"]):
        row = [_bold(name)]
        for key in keys:
            figures = means[key]["systems"][name]
            row += [_figure(figures["auc"]), _figure(figures["balanced"])]
        rows.append(row)
    return _table(header, rows) + "\n\n" + _source(result)


def accuracy_sets(result: Result) -> str:
    """Every set, every system: ROC-AUC / balanced accuracy; the default with its interval."""
    systems = _whole(result["systems"])
    header = ["set", "rows", "documents", *systems]
    rows = []
    for name, found in result["sets"].items():
        label = f"`{name}`" + ("" if not found["part_of"] else f" (part of `{found['part_of']}`)")
        if found["headline"]:
            label = f"**{label}**"
        cells = [_pair(found["systems"][system], system == "default") for system in systems]
        of = f" of {found['of']:,}" if found.get("of", found["rows"]) != found["rows"] else ""
        rows.append([label, f"{found['rows']:,}{of}", f"{found['documents']:,}", *cells])
    for key, mean in result["means"].items():
        cells = [_pair(mean["systems"][system], system == "default") for system in systems]
        rows.append([f"mean of {_group(result, key)}", "", "", *cells])
    return _table(header, rows) + "\n\n" + _source(result)


def accuracy_detectors(result: Result) -> str:
    """What the default loses without each of its parts, in the means, with intervals."""
    gains = result["gains"]
    keys = [key for key in GROUPS if key in gains and key not in ("all", "others")]
    header = ["left out"]
    for key in keys:
        header += [f"ROC-AUC lost, {_group(result, key)}", "balanced accuracy lost"]
    rows = []
    for name in result["systems"]:
        if not name.startswith("without "):
            continue
        row = [name.removeprefix("without ")]
        for key in keys:
            row += [_gain(gains[key][name]["auc"]), _gain(gains[key][name]["balanced"])]
        rows.append(row)
    return _table(header, rows) + "\n\n" + _source(result)


def accuracy_targets(result: Result) -> str:
    """What the project wants to reach and where it stands; the sets on which it loses."""
    rows = [
        [found["what"], found["target"], f"{found['value']:.3g}", _yes(found["reached"])]
        for found in result.get("targets", ())
    ]
    lines = [_table(["figure", "target", "measured", "reached"], rows), ""]
    for kind, names in result.get("below", {}).items():
        title = {"auc": "ROC-AUC", "balanced": "balanced accuracy"}[kind]
        some = ", ".join(f"`{name}`" for name in names) or "no set"
        lines.append(f"Below word overlap in {title}: {some}.")
    return "\n".join(lines) + "\n\n" + _source(result)


def published(result: Result) -> str:
    """What others published on the same sets beside what the default measures, x 100."""
    kinds = {"roc-auc": "auc", "balanced accuracy": "balanced"}
    rows = []
    for entry in tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))["published"]:
        found = result["sets"].get(entry["set"], {"systems": {}})["systems"].get("default", {})
        ours = found.get(kinds.get(entry["measure"], ""))
        others = sorted(entry["figures"].items(), key=lambda item: -item[1])
        rows.append(
            [
                f"`{entry['set']}`",
                entry["measure"],
                _hundred(ours) if ours else "-",
                ", ".join(f"{name} {value:.1f}" for name, value in others),
                f"{entry['source']}: {entry['note']}",
            ]
        )
    header = ["set", "measure", "halgo", "published elsewhere", "where, and what differs"]
    return _table(header, rows) + "\n\n" + _source(result)


def grounded(result: Result) -> str:
    """Whole answers by each decision, and how many can be decided with few errors."""
    rows = [
        [_bold(name), *(f"{found[kind]:.3f}" for kind in ("auc", "balanced", "ece"))]
        for name, found in result["systems"].items()
    ]
    decided = ", ".join(
        f"{100 * share:.0f} % with at most {100 * float(error):.0f} % wrong"
        for error, share in result["selective"].items()
    )
    counts = f"{sum(result['rows'].values()):,} answers of {len(result['rows'])} sets."
    told = f"Of the answers the probability can decide, the surest first: {decided}."
    header = ["decided by", "ROC-AUC", "balanced accuracy", "ECE"]
    return "\n\n".join([counts, _table(header, rows), told, _source(result, intervals=False)])


def spans(result: Result) -> str:
    """Marked characters against annotated ones, set by set: precision, recall, F1."""
    kinds = ("precision", "recall", "f1")
    parts = []
    for name, told in result["sets"].items():
        rows = [
            [_bold(system), *(_figure(found[kind]) for kind in kinds)]
            for system, found in told["systems"].items()
        ]
        counts = (
            f"`{name}`: {told['rows']:,} responses about {told['documents']:,} documents, "
            f"{told['annotated']:,} with something annotated."
        )
        parts += [counts, _table(["marked", *kinds], rows)]
    return "\n\n".join([*parts, _source(result)])


def invariants(result: Result) -> str:
    """How often something changes that must not, beside how often it may."""
    rows = [
        [
            found["what"],
            f"{found['count']:,}",
            f"{100 * found['value']:.2f} %",
            found["bound"],
            _yes(found["ok"]),
        ]
        for found in result["figures"]
    ]
    header = ["what", "checked", "measured", "target", "reached"]
    return _table(header, rows) + "\n\n" + _source(result)


def speed(result: Result) -> str:
    """Each timed figure beside the bound that it is held to."""
    rows = [
        [found["what"], f"{found['value']:,.4g} {found['unit']}".strip(), found.get("bound") or ""]
        for found in result["figures"]
    ]
    return _table(["what", "measured", "bound"], rows) + "\n\n" + _source(result, intervals=False)


def measured(result: Result) -> str:
    """Each figure, for those that are held to nothing."""
    rows = [
        [one["what"], f"{one['value']:,.4g} {one['unit']}".strip()] for one in result["figures"]
    ]
    return _table(["what", "measured"], rows) + "\n\n" + _source(result, intervals=False)


def sizing_arithmetic(result: Result) -> str:
    """What so many passages and claims take."""
    from benchmarks.sizing import table

    return table(result["sizes"]) + "\n\n" + _source(result, intervals=False)


def profile(result: Result) -> str:
    """Shares of the stages for each input, beside what cannot be saved; then price and bounds."""
    told = [
        (f"{what}, {name}", one[what])
        for what in ("indexing", "checking")
        for name, one in result["inputs"].items()
    ]
    header = ["stage", *(name for name, _ in told)]
    rows = []
    for stage in told[0][1]["stages"]:
        shares = [one["stages"][stage] / one["seconds"] for _, one in told]
        rows.append([stage, *("" if share < 0.0005 else f"{share:.1%}" for share in shares)])
    rows.append(["processor-seconds", *(f"{one['seconds']:,.3g}" for _, one in told)])
    least = [one["unavoidable"] / one["seconds"] for _, one in told]
    rows.append(["unavoidable: the models' multiply-adds", *(f"{share:.1%}" for share in least)])
    sizes = "; ".join(
        f"{name}: {one['pages']} pages, {one['chunks']:,} chunks, {one['claims']} claims"
        for name, one in result["inputs"].items()
    )
    return f"{_table(header, rows)}\n\n{sizes}.\n\n{speed(result)}"


def pairs(result: Result) -> str:
    """Minimal pairs, kind by kind, as shares: both twins right, each of them, and their order."""
    names = ("both", "true", "false", "ranked")
    header = [
        "kind",
        "pairs",
        "both twins right",
        "true one supported",
        "false one not",
        "true one scores higher",
    ]
    rows = []
    for kind, counts in result["kinds"].items():
        shares = [f"{counts[name] / counts['pairs']:.2f}" for name in names]
        rows.append([kind, str(counts["pairs"]), *shares])
    total = result["total"]
    figures = [_figure(total[name]) for name in names]
    rows.append(["**all**", str(total["pairs"]), *figures])
    return _table(header, rows) + "\n\n" + _source(result)


def answers(result: Result) -> str:
    """Claims of answers, those behind the rules and those written after: what was judged right."""
    header = ["part", "documents", "claims", "true ones SUPPORTED", "false ones not"]
    rows = [
        [
            part,
            str(found["documents"]),
            str(found["claims"]),
            _figure(found["true"]),
            _figure(found["false"]),
        ]
        for part, found in result["parts"].items()
    ]
    return _table(header, rows) + "\n\n" + _source(result)


def everyday(result: Result) -> str:
    """Claims about documents of many kinds: what was judged right, in all and kind by kind."""
    header = ["part", "documents", "claims", "true ones SUPPORTED", "false ones not", "balanced"]
    rows = [
        [
            part,
            str(found["documents"]),
            str(found["claims"]),
            *(_figure(found[name]) for name in ("true", "false", "balanced")),
        ]
        for part, found in result["parts"].items()
    ]
    parts = result["parts"]
    kinds = [["true", "false"], [*parts]]
    by_kind = [
        [truth, kind, *(_share(parts[part]["kinds"][truth].get(kind)) for part in kinds[1])]
        for truth in kinds[0]
        for kind in sorted({kind for part in kinds[1] for kind in parts[part]["kinds"][truth]})
    ]
    told = _table(["claims that are", "kind", *kinds[1]], by_kind)
    return f"{_table(header, rows)}\n\n{told}\n\n{_source(result)}"


def ablation(result: Result) -> str:
    """Rule by rule, part by part: true and false claims that are judged right because of it.

    Last, those of all parts that are contradicted because of it.
    """
    from benchmarks.ablation import contradicted

    parts = result["parts"]
    rows = []
    for rule, found in result["rules"].items():
        fires = sum(counts[0] + counts[1] for counts in found.values())
        cells = [found.get(part) for part in parts]
        won = [f"{one[2]:+d} / {one[3]:+d}" if one else "" for one in cells]
        told = "{:+d} / {:+d}".format(*contradicted(found)) if found else ""
        rows.append([f"`{rule}`", f"{fires:,}", *won, told])
    counted = [f"{part} ({told['true']} / {told['false']})" for part, told in parts.items()]
    return (
        _table(["rule", "fires", *counted, "contradicted, all parts"], rows)
        + "\n\n"
        + _source(result)
    )


def _share(counted: Sequence[int] | None) -> str:
    return f"{counted[0]} of {counted[1]}" if counted else ""


def redteam(result: Result) -> str:
    """Kind by kind the altered claims that are caught and the unaltered ones that are flagged."""
    header = [
        "kind", "altered claims", "judged bad", "not SUPPORTED", "to be caught",
        "unaltered claims", "judged bad", "not SUPPORTED",
    ]  # fmt: skip
    rows = []
    named = {**result["kinds"], **result["origins"], "**all**": result["total"]}
    for name, found in named.items():
        altered, unaltered, target = found["altered"], found["unaltered"], found.get("target")
        rows.append(
            [
                name,
                f"{altered['count']:,}",
                _reaching(altered["bad"], target),
                _reaching(altered["stopped"], target),
                f"{target:.2f}" if target else "",
                f"{unaltered['count']:,}",
                _figure(unaltered["bad"]),
                _figure(unaltered["stopped"]),
            ]
        )
    return _table(header, rows) + "\n\n" + _source(result)


def _reaching(values: Sequence[float], target: float | None) -> str:
    """A figure, in bold where it falls short of its target."""
    text = _figure(values)
    return f"**{text}**" if target and values[0] < target else text


TABLES: Mapping[str, tuple[str, Callable[[Result], str]]] = {
    "accuracy": ("accuracy.json", accuracy),
    "accuracy-small": ("accuracy-small.json", accuracy),
    "accuracy-sets": ("accuracy.json", accuracy_sets),
    "accuracy-detectors": ("accuracy.json", accuracy_detectors),
    "accuracy-targets": ("accuracy.json", accuracy_targets),
    "published": ("accuracy.json", published),
    "grounded": ("grounded.json", grounded),
    "spans": ("spans.json", spans),
    "invariants": ("invariants.json", invariants),
    "pairs": ("pairs.json", pairs),
    "answers": ("answers.json", answers),
    "everyday": ("everyday.json", everyday),
    "contexts": ("contexts.json", everyday),
    "numbers": ("numbers.json", everyday),
    "rows": ("rows.json", everyday),
    "asked": ("asked.json", everyday),
    "ablation": ("ablation.json", ablation),
    "redteam": ("redteam.json", redteam),
    "speed": ("speed.json", speed),
    "profile": ("profile.json", profile),
    "sizing": ("sizing.json", measured),
    "sizing-arithmetic": ("sizing.json", sizing_arithmetic),
    "stores": ("stores.json", measured),
    "callers": ("callers.json", speed),
    "bulk": ("bulk.json", speed),
    "cold": ("cold.json", speed),
}


def _whole(systems: Sequence[str]) -> list[str]:
    """The systems that are no ablations; one can be had without the entailment model."""
    return [
        name for name in systems if not name.startswith("without ") or name == "without entailment"
    ]


def _group(result: Result, key: str) -> str:
    return GROUPS[key].format(len(result["means"][key]["sets"]))


def _yes(reached: bool) -> str:
    return "yes" if reached else "**no**"


def _bold(name: str) -> str:
    return f"**{name}**" if name == "default" else name


def _figure(values: Sequence[float | None]) -> str:
    value, low, high = values
    if value is None:
        return "-"
    if low is None or high is None or low == high:
        return f"{value:.3f}"
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def _hundred(values: Sequence[float | None]) -> str:
    """A figure x 100 with its interval."""
    value, low, high = (None if value is None else 100 * value for value in values)
    return "-" if value is None else f"{value:.1f} ({low:.1f} to {high:.1f})"


def _pair(figures: Mapping[str, Any], interval: bool) -> str:
    auc, balanced = figures["auc"], figures["balanced"]
    if interval:
        return f"{_figure(auc)} / {_figure(balanced)}"
    if auc[0] is None or balanced[0] is None:
        return "-"
    return f"{auc[0]:.3f} / {balanced[0]:.3f}"


def _gain(values: Sequence[float | None]) -> str:
    value, low, high = values
    if value is None or low is None or high is None:
        return "-"
    return f"{value:+.4f} ({low:+.4f} to {high:+.4f})"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _source(result: Result, intervals: bool = True) -> str:
    """One line: the command, commit and machine behind a table, and what its brackets are."""
    machine = result["machine"]
    versions = result["versions"]
    changed = " with changes" if result.get("changed") else ""
    named = ", ".join(
        f"{name} {versions[name]}"
        for name in ("halgo", "halgo-entailment", "python", "torch", "onnxruntime", "spacy")
        if name in versions
    )
    settings = result.get("settings", {})
    share = ""
    if settings.get("share") == "kept-out":
        share = "Only rows whose documents the entailment model was not trained on"
        share += f", at most {settings['limit']:,} a set. " if settings.get("limit") else ". "
    return (
        f"`{result['command']}` at commit {result['commit'] or 'unknown'}{changed}; "
        f"{machine['processor']}, {machine['cores']} cores; {named}. "
        f"{share}{'In brackets: 95 % intervals.' if intervals else ''}"
    ).rstrip()
