"""A number -> made-up documents of that size, for measuring time and memory.

Seeded, and no sentence occurs twice, so that nothing is saved by having seen it before. Lengths
are those of business prose: about 21 words a sentence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

_PLACES = (
    "Leeds",
    "Porto",
    "Gdansk",
    "Turku",
    "Bergen",
    "Ghent",
    "Malmo",
    "Split",
    "Cork",
    "Brno",
    "Graz",
    "Lund",
)
_THINGS = (
    "pumps",
    "valves",
    "sensors",
    "turbines",
    "filters",
    "cables",
    "motors",
    "panels",
    "gauges",
    "hoses",
)
_PEOPLE = (
    "Adeyemi",
    "Lopez",
    "Nowak",
    "Finch",
    "Okafor",
    "Haas",
    "Virtanen",
    "Costa",
    "Byrne",
    "Novak",
    "Larsen",
    "Moreau",
)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
)
_FORMS = (
    "In {month} {year} the {place} office sold {amount:,} {thing} for ${money:.1f} million, which "
    "was {share}% more than in the year before.",
    "{person} of {place} reported that {amount:,} {thing} had failed the inspection of {day} "
    "{month} {year}, mostly because of lot {lot}.",
    "Contract {lot} does not cover {thing} that were repaired in {place} within {day} days of "
    "delivery unless {person} agreed to it in writing.",
    "The {place} plant, which {person} has led since {year}, employs about {amount:,} people and "
    "makes {thing} under licence {lot}.",
    "Orders of more than {amount:,} {thing} receive a discount of {share}% when they are paid "
    "within {day} days, according to list {lot}.",
)


def sentences(count: int, seed: int = 0) -> Iterator[str]:
    """`count` different sentences, the same for the same seed."""
    generator = random.Random(seed)
    for number in range(count):
        yield generator.choice(_FORMS).format(
            month=generator.choice(_MONTHS),
            year=generator.randint(1985, 2024),
            place=generator.choice(_PLACES),
            thing=generator.choice(_THINGS),
            person=generator.choice(_PEOPLE),
            amount=generator.randint(40, 99_000),
            money=generator.uniform(0.3, 90),
            share=generator.randint(2, 45),
            day=generator.randint(1, 28),
            lot=f"K-{seed}{number:07d}",
        )


def documents(chunks: int, size: int = 200, seed: int = 0) -> list[str]:
    """Documents that together make `chunks` windows of two sentences with an overlap of one."""
    wanted, made = [], 0
    while made < chunks:
        wanted.append(min(size, chunks - made))
        made += wanted[-1]
    parts = sentences(chunks + len(wanted), seed)
    return [" ".join(next(parts) for _ in range(count + 1)) for count in wanted]
