"""Claims about several retrieved documents at once: how many are judged right, true and false ones.

What a retriever returns: plans, funds, towns, hotels, endpoints that are alike, pages of one
organisation, files of nested records. True claims reword, join and compare; false ones tell of one
thing what another has, exchange two, or widen what holds of one. Of "worked out" each number is
reckoned from the documents. "Trends" and "compared" tell which way something went, and which of two
things has more of it, without a number; "terms" are lengths of time among several; "named by
number" are things called by numbers; "interfaces" and "records" are references, configurations and
results of tools. Contexts and claims are ours, written by a language model without a look at halgo;
of "unseen" no miss has been looked at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks import everyday
from benchmarks.answers import Claimed

FOLDER = Path(__file__).parent


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    return everyday.measured("contexts", __doc__, load, argv)


def load(folder: Path = FOLDER) -> tuple[list[Claimed], dict[str, list[dict[str, str]]]]:
    """The claims in the order of the file, and the documents of every context by its name."""
    lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    contexts = json.loads((folder / "contexts.json").read_text(encoding="utf-8"))
    return [Claimed(**json.loads(line)) for line in lines], contexts
