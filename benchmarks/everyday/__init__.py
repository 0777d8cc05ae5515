"""Claims about documents of many kinds -> how many true ones are SUPPORTED and false ones are not.

Handbooks, references, statutes, filings, price tables, minutes, and records as JSON and CSV. True
claims reword, join, convert or reckon; false ones err as language models do. Documents and claims
are ours, written by a language model without a look at halgo's rules, and read again. Misses of
the part "seen" may be looked at; those of "unseen" are shown only to who asks for them by name.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import answers, metrics, runs
from benchmarks.answers import PARTS, Claimed, Judged
from halgo.config import Config
from halgo.sources.folders import read_files
from halgo.types import Document

FOLDER = Path(__file__).parent
SCHEMA = 1


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    return measured("everyday", __doc__, load, argv)


def measured(
    name: str,
    about: str | None,
    load: Callable[[], tuple[list[Claimed], Mapping[str, Any]]],
    argv: Sequence[str],
) -> int:
    """The command `name`: judges the claims that `load` gives, prints and writes what was right.

    Gives the exit code.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}", description=about)
    parser.add_argument("--part", choices=PARTS, help="judge the claims of this part only")
    parser.add_argument(
        "--show",
        action="store_true",
        help="list the claims judged wrong; those of the part 'unseen' only with --part unseen",
    )
    parser.add_argument(
        "--out",
        type=Path,
        help=f"JSON file (default: benchmarks/results/{name}.json for both parts, else none)",
    )
    options = parser.parse_args(argv)
    from halgo import Checker, Halgorithm

    parts = (options.part,) if options.part else PARTS
    halgorithm = Halgorithm(Config())
    claims, documents = load()
    judged = answers.run(
        [claimed for claimed in claims if claimed.part in parts],
        documents,
        lambda document: Checker.from_docs(document, halgorithm=halgorithm),
    )
    result = {
        "schema": SCHEMA,
        **runs.origin(name, argv),
        "settings": halgorithm.config.to_dict(),
        "parts": summary(judged, parts),
    }
    print_parts(result["parts"])
    if options.show:
        answers.print_misses(shown(judged, options.part))
    runs.write(result, options.out or (None if options.part else runs.RESULTS / f"{name}.json"))
    return 0


def load(folder: Path = FOLDER) -> tuple[list[Claimed], dict[str, Document]]:
    """The claims in the order of the file, and every document by the name of its file."""
    lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    documents, _ = read_files(folder / "documents")
    found = {Path(document.source).name: document for document in documents}
    return [Claimed(**json.loads(line)) for line in lines], found


def summary(judged: Sequence[Judged], parts: Sequence[str] = PARTS) -> dict[str, Any]:
    """What `answers.summary` gives, and of each part "balanced" and "kinds".

    "balanced" is [value, low, high], the mean of the two shares; "kinds" is {"true": {kind:
    [right, claims]}, "false": {...}}, in order of name.
    """
    found = answers.summary(judged, parts)
    for part, figures in found.items():
        mine = [one for one in judged if one.claimed.part == part]
        labels = [one.claimed.true for one in mine]
        said = [one.claimed.true == one.right for one in mine]
        weights = metrics.draws([one.claimed.doc for one in mine])
        figure = metrics.interval(
            metrics.balanced_accuracy(labels, said), metrics.balanced_draws(labels, said, weights)
        )
        figures["balanced"] = [round(x, 4) for x in (figure.value, figure.low, figure.high)]
        figures["kinds"] = {
            name: _kinds([one for one in mine if one.claimed.true == true])
            for name, true in (("true", True), ("false", False))
        }
    return found


def shown(judged: Sequence[Judged], part: str | None) -> list[Judged]:
    """Of the claims judged those that may be listed: "unseen" ones if `part` names them."""
    return [one for one in judged if one.claimed.part == (part or "seen")]


def _kinds(judged: Sequence[Judged]) -> dict[str, list[int]]:
    kinds = sorted({one.claimed.kind for one in judged})
    rights = {kind: [one.right for one in judged if one.claimed.kind == kind] for kind in kinds}
    return {kind: [sum(right), len(right)] for kind, right in rights.items()}


def print_parts(parts: Mapping[str, Any]) -> None:
    """Prints a line for every part, and one for every kind of it."""
    wide = max(map(len, parts), default=0) + 2
    print(f"{'part':{wide}}{'claims':>8}{'true SUPPORTED':>18}{'false not':>14}{'balanced':>12}")
    for part, found in parts.items():
        shares = [f"{100 * found[name][0]:.1f} %" for name in ("true", "false", "balanced")]
        print(f"{part:{wide}}{found['claims']:>8}{shares[0]:>18}{shares[1]:>14}{shares[2]:>12}")
    for part, found in parts.items():
        print(f"\n{part}")
        for name, kinds in found["kinds"].items():
            for kind, (right, claims) in kinds.items():
                print(f"  {name:7}{kind:16}{right:>4} of {claims:>3}{100 * right / claims:>8.1f} %")
