"""Documents and claims that were written for halgo (`models/entailment/written`), as rows.

The entailment model learns from most of them. Those in `kept/` no model sees: claims that people
meet daily, fluent, near the document's wording, wrong in one thing; labelled sets hold few such.
Nor those in `aside/`, about documents of up to 900 words, half of them hard to decide.
Readers are compared on them, and so are checks:
`benchmarks accuracy --sets written,written_longer`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "models" / "entailment" / "written"
KEPT = FOLDER / "kept"
ASIDE = FOLDER / "aside"
SIGNS = ("+", "-", "?", "++", "--", "??")  # the double ones are twins
_MARK = re.compile(r"\[\[(.+?)\]\]")


@dataclass(frozen=True, slots=True)
class Written:
    """A claim about a document.

    spans: characters of it that are wrong. twin: whether it is the twin of the claim before it.
    """

    sign: str
    text: str
    spans: tuple[tuple[int, int], ...]
    twin: bool


@dataclass(frozen=True, slots=True)
class Document:
    """What a writer read, and the claims about it."""

    kind: str
    text: str
    claims: tuple[Written, ...]


def read(path: Path, known: Mapping[str, str]) -> list[Document]:
    """The documents of a file. `known`: those of the labelled sets by their key.

    A document that is not known is left out: the sets at hand may be other editions.
    Raises ValueError for a line that is none of the form.
    """
    found = []
    for block in re.split(r"(?m)^@ ", path.read_text(encoding="utf-8"))[1:]:
        head, _, rest = block.partition("\n")
        own, own_end, claims = rest.partition("\n==\n")
        if own_end:
            found.append(Document(head.strip(), own.strip(), _claims(claims, path)))
            continue
        name, start, end = head.split()
        if name in known:
            text = known[name][int(start) : int(end)]
            found.append(Document(name, text, _claims(rest, path)))
    return found


def _claims(lines: str, path: Path) -> tuple[Written, ...]:
    found = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        sign, _, text = line.partition(" ")
        if sign not in SIGNS:
            raise ValueError(f"{path}: {line!r} begins with none of {', '.join(SIGNS)}")
        spans = []
        while mark := _MARK.search(text):
            text = text[: mark.start()] + mark[1] + text[mark.end() :]
            spans.append((mark.start(), mark.start() + len(mark[1])))
        found.append(Written(sign[0], text, tuple(spans), twin=len(sign) == 2))
    return tuple(found)
