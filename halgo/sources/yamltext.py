"""YAML -> values, every scalar as it is written, and the remarks beside them.

Compose files, manifests, workflows and API descriptions are lists of records that layout alone
sets apart. Anchors are followed, as far as what they repeat is not much more than the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from halgo.sources.jsontext import NotOfKind, all_kept

if TYPE_CHECKING:
    import yaml

_LONGEST = 1_000_000  # characters
_REPEATED = 4  # times as many nodes as the text has characters may come of anchors
_DEEPEST = 100
_COMMENT = re.compile(r"(?:^|(?<=\s))#+!?[ \t]*(?P<said>[^\n#][^\n]*)")
# Keys of prose have blanks: "What is covered:" over a list.
_KEY = r"(?:[\w.$/@*<{}-]{1,100}|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}')"
_ENTRY = re.compile(rf"[ \t]*(?:- +)*{_KEY}:(?:[ \t]|$)|[ \t]*-(?:[ \t]|$)|[ \t]*(?:#|---|\.\.\.)")
# "web:" over "  image: nginx", or a list's record: "- name: a" over "  role: b".
_NESTED = re.compile(
    rf"^(?P<indent>[ ]*)(?:- +)?{_KEY}:[ \t]*(?:#[^\n]*)?\n(?:[ ]*#[^\n]*\n|[ ]*\n)*"
    rf"(?P=indent)[ ]*(?:[ ]{_KEY}:|- +{_KEY}:)",
    re.MULTILINE,
)
# A file of flat keys, each line one: words of prose are no keys, nor does a sentence end there.
_FLAT = re.compile(r"(?P<key>[a-z_][\w.-]{0,60}):[ ]+\S[^\n]{0,160}(?<![.!?,])")
_FEWEST = 3  # lines of such a file
_ENOUGH = 0.8  # share of the lines of a text that have to be entries; others go on with a value


def loads(text: str) -> tuple[Any, list[str]]:
    """The value of a text, a list of them for several documents in it, and its remarks.

    Raises NotOfKind.
    """
    import yaml  # of no text that is not YAML

    if len(text) > _LONGEST:
        raise NotOfKind(f"it has more than {_LONGEST:,} characters")
    try:
        values = list(
            _values(
                yaml.parse(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader)),
                _REPEATED * len(text),
            )
        )
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark is not None else ""
        raise NotOfKind(f"not valid YAML{where}") from error
    return values[0] if len(values) == 1 else values, list(_remarks(text))


def records(text: str) -> tuple[Any, list[str]] | None:
    """`loads` of a text that is nested YAML by its layout, or flat keys; None for others."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not (_NESTED.search(text) or _is_flat(lines)) or "\t" in text or "```" in text:
        return None
    entries = sum(1 for line in lines if _ENTRY.match(line))
    if not _ENTRY.match(lines[0]) or entries < _ENOUGH * len(lines):
        return None
    try:
        value, remarks = loads(text)
    except NotOfKind:
        return None
    return (value, remarks) if isinstance(value, (dict, list)) else None


def _is_flat(lines: Sequence[str]) -> bool:
    """Whether each line is an entry of its own; what is said in turn has its keys several times."""
    keys = [found["key"] for line in lines if (found := _FLAT.fullmatch(line.rstrip()))]
    return _FEWEST <= len(keys) == len(lines) == len(set(keys))


@dataclass
class _Open:
    """A mapping or a sequence under way. size: how many nodes are in it, those of aliases too."""

    anchor: str | None
    mapping: bool
    held: list[Any] = field(default_factory=list)  # of a mapping keys and values in turn
    size: int = 1

    def value(self) -> Any:
        return _mapping(self.held) if self.mapping else self.held


def _values(events: Iterator[yaml.Event], most: int) -> Iterator[Any]:
    """The value of each document, in one walk; a composer's recursion has no bound of its own."""
    import yaml

    left: list[_Open] = []
    anchors: dict[str, tuple[Any, int]] = {}
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            anchors = {}
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(left) == _DEEPEST:
                raise NotOfKind(f"it is nested deeper than {_DEEPEST} levels")
            left.append(_Open(event.anchor, isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, (yaml.CollectionEndEvent, yaml.ScalarEvent, yaml.AliasEvent)):
            anchor, size = getattr(event, "anchor", None), 1
            if isinstance(event, yaml.AliasEvent):
                if anchor not in anchors:
                    raise NotOfKind("an anchor is told within itself, or nowhere")
                (value, size), anchor = anchors[anchor], None
            elif isinstance(event, yaml.ScalarEvent):
                empty = event.value in ("", "~") and not event.style
                value = "null" if empty else event.value
            else:
                closed = left.pop()
                value, size, anchor = closed.value(), closed.size, closed.anchor
            if anchor is not None:
                anchors[anchor] = value, size
            if not left:
                yield value
                continue
            left[-1].held.append(value)
            left[-1].size += size
            if left[-1].size > most:
                raise NotOfKind("its anchors repeat too much")


def _mapping(held: list[Any]) -> dict[str, Any]:
    """Keys and values as a mapping: what is merged ("<<") gives way, a key given twice has both."""
    own: list[tuple[str, Any]] = []
    merged: dict[str, Any] = {}
    for key, value in zip(held[::2], held[1::2], strict=True):
        if key == "<<" and isinstance(value, (dict, list)):
            for given in [value] if isinstance(value, dict) else value:
                merged = {**given, **merged} if isinstance(given, dict) else merged
        else:
            own.append((key if isinstance(key, str) else "?", value))
    return {**merged, **all_kept(own)[0]}


def _remarks(text: str) -> Iterator[str]:
    """What the comments of a text say, each with the entry that it stands behind."""
    for line in text.splitlines():
        if "#" not in line or line.count('"') % 2 or line.count("'") % 2:
            continue
        found = _COMMENT.search(line)
        if found is None or len(found["said"].split()) < 2:
            continue
        entry = line[: found.start()].strip(" \t-")
        yield f"{entry}: {found['said'].strip()}" if entry else found["said"].strip()
