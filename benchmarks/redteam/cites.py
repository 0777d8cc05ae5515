"""Numbered sources -> cases: an answer whose citations hold, and one whose citation is made up.

A sentence of a document, cited rightly; the same with a number that no source has, with the number
of a source that does not say it, with a title or an address that is no source's.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from benchmarks.redteam.cases import OWN, Case, documents, sentences

if TYPE_CHECKING:
    from halgo.checker import Checker

CITATION = "citation"
_SOURCES = 4  # that an answer is written from
_TITLES = ("Harbour Quarterly, page 12", "Annual Review of Milling, p. 340", "Vale Report, page 7")
_URLS = ("https://example.org/reports/2023-final", "https://example.com/annex/b")


def cases(seed: int = 0, each: int = 2) -> list[Case]:
    """`each` cases of every one of our own documents, the four fabrications in turn."""
    texts = documents()
    names = sorted(texts)
    found: list[Case] = []
    for at, name in enumerate(names):
        rng = Random(f"{seed} {name} cited")
        own = [said for _, said in sentences(texts[name])]
        for number, said in enumerate(rng.sample(own, min(each, len(own)))):
            # The documents that follow in the list: about something else altogether.
            group = [names[(at + step) % len(names)] for step in range(_SOURCES)]
            rng.shuffle(group)
            right = group.index(name) + 1
            wrong = rng.choice([one for one in range(1, _SOURCES + 1) if one != right])
            made_up = (
                f"[{_SOURCES + rng.randint(1, 5)}]",
                f"[{wrong}]",
                f"({rng.choice(_TITLES)})",
                f"({rng.choice(_URLS)})",
            )[len(found) % 4]
            docs = tuple(
                {"id": one, "text": texts[one], "source": one.partition(".")[0]} for one in group
            )
            bare = said.rstrip(".")
            found.append(
                Case(
                    f"{name}-cited-{number + 1}",
                    CITATION,
                    OWN,
                    docs,
                    f"{bare} [{right}].",
                    f"{bare} {made_up}.",
                )
            )
    return found


def faulty(answer: str, checker: Checker) -> tuple[bool, str]:
    """Whether something is found to be wrong with the citations of an answer, and what."""
    from halgo.delivery.citations import check_citations

    found = sorted({finding.kind for finding in check_citations(answer, checker).findings})
    return bool(found), ", ".join(found) or "no finding"
