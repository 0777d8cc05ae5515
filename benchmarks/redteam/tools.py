"""Tool results -> cases: what an agent says of a result, and the same with a field's value changed.

`tools.json` holds results as tools return them, all made up here, and the sentences said of them,
with `{}` for the value: [path of the field, sentence, value as said, wrong value].
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.redteam.cases import Case
from halgo.sources.bundle import Bundle

TOOL, TOOLS = "tool result", "tools"  # the kind, and the origin of its cases
FILE = Path(__file__).parent / "tools.json"


def cases(file: Path = FILE) -> list[Case]:
    """The cases of every result in the file, in its order.

    Raises ValueError for a path that leads nowhere: the sentence would be about nothing.
    """
    found = []
    for result in json.loads(file.read_text(encoding="utf-8")):
        bundle = Bundle()
        bundle.add_tool_result(result["tool"], result["result"])
        docs = tuple(bundle.documents)
        for at, (path, sentence, value, wrong) in enumerate(result["said"]):
            if _at(result["result"], path) is None:
                raise ValueError(f"{file.name}: {result['tool']} has no field {path!r}")
            found.append(
                Case(
                    f"{result['tool']}-{at + 1}",
                    TOOL,
                    TOOLS,
                    docs,
                    sentence.replace("{}", value),
                    sentence.replace("{}", wrong),
                )
            )
    return found


def _at(value: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
