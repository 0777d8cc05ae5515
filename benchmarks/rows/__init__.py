"""Claims over the rows of a table -> how many true ones are SUPPORTED and false ones are not.

Superlatives, comparisons, changes, counts, totals, "all", "none" and "only" of tables in Markdown,
CSV files and JSON. Documents and claims are ours, written by a language model that had not seen
halgo's rules, and every label is worked out from the table. Misses of the part "seen" may be looked
at, those of "unseen" not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import everyday

FOLDER = Path(__file__).parent
load = partial(everyday.load, FOLDER)


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    return everyday.measured("rows", __doc__, load, argv)
