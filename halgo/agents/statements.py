"""A closing message -> what it states of the work that tool results can show.

Only plain statements of what is: a question, a condition, a plan, a wish or a look back is none,
and what is said of some of the tests is not taken for all of them. What is doubtful is left alone:
a hook that is wrong now and then is switched off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.agents import statement_wording
from halgo.facts import numberwords
from halgo.sources.sentences import split


@dataclass(frozen=True, slots=True)
class Statement:
    """`about`: passed, failed, total, all passed, ran, changed, created, edited, or a Job.

    `number` is how many, `of` the whole that they are of: 214 in "210 of 214" and in "all 214".
    `only`: not more than that. `paths` are files that are named. `text` is the sentence.
    """

    about: str
    text: str
    number: int | None = None
    of: int | None = None
    only: bool = False
    paths: tuple[str, ...] = ()


_NO_MARKS = re.compile(r"[*_`~✅✓✔☑🎉🟢]|\ufe0f")


def statements(message: str) -> list[Statement]:
    """What the message states plainly, in order; nothing from code and doubtful sentences."""
    found: list[Statement] = []
    for sentence in split(message):
        if sentence.block in ("code", "quote"):
            continue
        text = sentence.reading.text
        plain = " ".join(_NO_MARKS.sub("", text).replace("’", "'").lower().split())
        plain = plain.replace("n't", " not")
        if statement_wording.DOUBTFUL.search(plain):
            continue
        tests = statement_wording.ABOUT_TESTS.search(plain) is not None
        for clause in statement_wording.CLAUSES.split(plain):
            found += _of_clause(clause.strip(" .!,"), text, tests)
    return list(dict.fromkeys(found))


def _of_clause(clause: str, text: str, tests: bool) -> Iterator[Statement]:
    """tests: whether the sentence is about tests, so that "3 failed" is of them."""
    undone = statement_wording.UNDONE.search(clause) is not None
    counted = list(_counts(clause, text)) if tests else []
    over = statement_wording.OVER.search(clause) is not None
    yield from (one for one in counted if not (over if one.about == "failed" else undone))
    if undone:
        return
    if not counted and statement_wording.ALL_PASS.search(clause):
        yield Statement("all passed", text)
    if statement_wording.RAN.search(clause):
        yield Statement("ran", text)
    for job, pattern in statement_wording.JOBS:
        if pattern.search(clause):
            yield Statement(job.value, text)
    for about, pattern in statement_wording.FILES:
        found = pattern.search(clause)
        if found:
            only = bool(found["only"] or found["late"])
            yield Statement(about, text, _number(found["n"]), only=only)
            return
    if statement_wording.EDITED.match(clause):
        paths = tuple(
            a or b for a, b in statement_wording.PATHS.findall(text) if (a or b).lower() in clause
        )
        yield from [Statement("edited", text, paths=paths)] if paths else []


def _counts(clause: str, text: str) -> Iterator[Statement]:
    """Numbers of tests, each with what became of them."""
    taken: set[int] = set()
    for about, pattern in statement_wording.COUNTED:
        for found in pattern.finditer(clause):
            if found.start("n") in taken:
                continue
            taken.add(found.start("n"))
            number = _number(found["n"])
            whole = _number(found["of"]) if "of" in found.groupdict() else None
            if whole is None and statement_wording.ALL_OF.search(clause, 0, found.start("n")):
                whole = number
            yield Statement(about, text, number, whole)


def _number(written: str) -> int:
    if written[0].isdigit():
        return int(written.replace(",", ""))
    read = numberwords.read(written.replace("-", " - ").split())
    return 0 if read is None else int(read.value)  # "no"
