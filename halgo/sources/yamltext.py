"""YAML -> values, every scalar as it is written, and the remarks beside them.

Compose files, manifests, workflows and API descriptions are lists of records that layout alone
sets apart. Anchors are followed, as far as what they repeat is not much more than the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

_LONGEST = 5_000_000  # characters
_REPEATED = 20  # times as many nodes as the text has characters may come of anchors
_DEEPEST = 100
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
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
_ENOUGH = 0.8  # share of the lines of a text that have to be entries; others go on with a value


class NotYaml(ValueError):
    """A text that is no YAML, or more than is read of it; says why."""


def loads(text: str) -> tuple[Any, list[str]]:
    """The value of a text, a list of them for several documents in it, and its remarks.

    Raises NotYaml.
    """
    if len(text) > _LONGEST:
        raise NotYaml(f"it has more than {_LONGEST:,} characters")
    try:
        nodes = [node for node in yaml.compose_all(text, _LOADER) if node is not None]
        budget = [_REPEATED * len(text)]
        values = [_value(node, budget, 0) for node in nodes]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark is not None else ""
        raise NotYaml(f"not valid YAML{where}") from error
    except RecursionError as error:
        raise NotYaml("it is nested too deeply") from error
    return values[0] if len(values) == 1 else values, list(_remarks(text))


def records(text: str) -> tuple[Any, list[str]] | None:
    """`loads` of a text that is nested YAML by its layout; None for others."""
    if not _NESTED.search(text) or "\t" in text or "```" in text:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    entries = sum(1 for line in lines if _ENTRY.match(line))
    if not _ENTRY.match(lines[0]) or entries < _ENOUGH * len(lines):
        return None
    try:
        value, remarks = loads(text)
    except NotYaml:
        return None
    return (value, remarks) if isinstance(value, (dict, list)) else None


def _value(node: yaml.Node, budget: list[int], depth: int) -> Any:
    budget[0] -= 1
    if budget[0] < 0:
        raise NotYaml("its anchors repeat too much")
    if depth > _DEEPEST:
        raise NotYaml(f"it is nested deeper than {_DEEPEST} levels")
    if isinstance(node, yaml.SequenceNode):
        return [_value(one, budget, depth + 1) for one in node.value]
    if not isinstance(node, yaml.MappingNode):
        return node.value if node.value or node.style else "null"
    own: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for key, one in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else "?"
        value = _value(one, budget, depth + 1)
        if name == "<<" and isinstance(value, (dict, list)):
            for given in [value] if isinstance(value, dict) else value:
                merged = {**given, **merged} if isinstance(given, dict) else merged
        elif name in own:  # a key given twice keeps both
            own[name] = [*(own[name] if isinstance(own[name], list) else [own[name]]), value]
        else:
            own[name] = value
    return {**merged, **own}


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
