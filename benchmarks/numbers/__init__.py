"""Numbers in another form, or worked out: how many true claims are SUPPORTED, and false ones not.

Twins of claims about short documents: the true one tells an amount or a time otherwise than its
document ("a quarter to four" of 15:45), restates a cell, or works a number out in one step; the
false one has another number in that same form, so that neither wording nor form gives it away.
Written by a language model that had not seen halgo's rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import answers, everyday

FOLDER = Path(__file__).parent
load = partial(answers.load, FOLDER)


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    return everyday.measured("numbers", __doc__, load, argv)
