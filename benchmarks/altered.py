"""Figures altered by chance -> how many are still taken for what the sources say.

A document says one figure of each of two things; a claim says in other words the first's, as it
stands or in another form, or with one thing about it altered: two digits exchanged, the last one
off by one, off by a hundredth, ten times as much, another sign, the other thing's. The figures are
drawn by `--seed`, so that any seed is a set that nobody has looked at.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import runs

if TYPE_CHECKING:
    from halgo import Halgorithm

SCHEMA = 1
EACH = 6  # documents of each kind
_THINGS = (
    *("Ravensholt", "Aldermoor", "Kessington", "Bramley", "Torvale"),
    *("Wexmere", "Hollin", "Castrop", "Dunley", "Overton"),
)
_AFTERWORD = "All figures were checked by the auditor."


@dataclass(frozen=True)
class Kind:
    """How a figure is told. said, claimed: with {name} and {figure}; low, high: where it lies.

    places: its decimals; written: how it stands in a text; forms: the same in other words.
    """

    said: str
    claimed: str
    low: float
    high: float
    places: int
    written: Callable[[float], str]
    forms: tuple[Callable[[float], str], ...] = ()


KINDS = {
    "money": Kind(
        "The bill of the {name} office comes to {figure}.",
        "The {name} office has to pay {figure}.",
        1000, 9999, 2, lambda x: f"€{x:,.2f}",
        (lambda x: f"{x:,.2f} euros", lambda x: f"€{round(x):,}"),
    ),
    "count": Kind(
        "Last year {figure} people visited the {name} museum.",
        "The {name} museum had {figure} visitors last year.",
        10_000, 99_999, 0, lambda x: f"{x:,.0f}",
        (lambda x: f"{x:.0f}", lambda x: f"roughly {x / 1000:.1f} thousand"),
    ),
    "share": Kind(
        "Turnout in {name} was {figure}.", "{figure} of voters in {name} took part.",
        10, 90, 1, lambda x: f"{x:.1f}%", (lambda x: f"{x:.1f} per cent",),
    ),
    "weight": Kind(
        "The {name} pump weighs {figure} without its hose.",
        "Without the hose, the {name} pump has a weight of {figure}.",
        10, 90, 1, lambda x: f"{x:.1f} kg", (lambda x: f"{x * 1000:,.0f} g",),
    ),
    "distance": Kind(
        "The trail from {name} to the hut is {figure} long.",
        "It is {figure} from {name} to the hut along the trail.",
        10, 90, 1, lambda x: f"{x:.1f} km", (lambda x: f"{x * 1000:,.0f} metres",),
    ),
    "volume": Kind(
        "The tank in {name} holds {figure} of water.",
        "Up to {figure} of water fit into the tank in {name}.",
        1000, 9999, 0, lambda x: f"{x:,.0f} litres",
    ),
    "temperature": Kind(
        "At {name} the night low was {figure}.",
        "The temperature in {name} fell to {figure} at night.",
        -30, -4, 0, lambda x: f"{x:.0f} °C", (lambda x: f"{-x:.0f} degrees below zero",),
    ),
    "storage": Kind(
        "The {name} image takes {figure} on disk.", "On disk, the {name} image occupies {figure}.",
        100, 999, 0, lambda x: f"{x:.0f} MB", (lambda x: f"{x / 1000:g} GB",),
    ),
}  # fmt: skip


def altered(value: float, places: int) -> Iterator[tuple[str, float]]:
    """Other figures in the place of one, each with what was altered."""
    step = 10.0**-places
    yield "last digit", value + step
    yield "a hundredth", value * 1.01 if places else float(round(value * 1.01) or value + 1)
    yield "tenfold", value * 10
    if value < 0:
        yield "sign", -value
    digits = f"{abs(value):.{places}f}"
    for at, (one, other) in enumerate(pairwise(digits)):
        if one.isdigit() and other.isdigit() and one != other and other != "0":
            turned = float(digits[:at] + other + one + digits[at + 2 :])
            yield "digits", turned if value > 0 else -turned
            return


def count(halgorithm: Halgorithm, seed: int, each: int) -> dict[str, Counter[str]]:
    """What was altered, or "" for a true claim -> how many claims, and how many judged right."""
    drawn, found = random.Random(seed), dict[str, Counter[str]]()
    for kind in KINDS.values():
        for _ in range(each):
            name, other = drawn.sample(_THINGS, 2)
            value, elsewhere = (
                round(drawn.uniform(kind.low, kind.high), kind.places) for _ in range(2)
            )
            said = (kind.said.format(name=name, figure=kind.written(value)),
                    kind.said.format(name=other, figure=kind.written(elsewhere)))  # fmt: skip
            checker = halgorithm.checker(" ".join((*said, _AFTERWORD)))
            right = [("", form(value)) for form in (kind.written, *kind.forms)]
            wrong = [(how, kind.written(one)) for how, one in altered(value, kind.places)]
            wrong.append(("the other's", kind.written(elsewhere)))
            told = right + [one for one in wrong if one[1] != kind.written(value)]
            claims = [kind.claimed.format(name=name, figure=figure) for _, figure in told]
            for (how, _), result in zip(told, checker.check_claims(claims), strict=True):
                counts = found.setdefault(how, Counter())
                counts["claims"] += 1
                counts["right"] += (result.verdict == "SUPPORTED") == (not how)
    return found


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks altered", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=EACH, help=f"documents a kind ({EACH})")
    parser.add_argument("--out", type=Path, help="JSON file for the result (default: none)")
    options = parser.parse_args(argv)
    from halgo import Halgorithm

    found = count(Halgorithm(), options.seed, options.each)
    for how, counts in sorted(found.items()):
        print(f"{how or 'true':12} {counts['right']:5} of {counts['claims']:5} judged right")
    told = {how or "true": dict(counts) for how, counts in sorted(found.items())}
    result = {"schema": SCHEMA, **runs.origin("altered", argv), "counts": told}
    runs.write(result, options.out)
    return 0
