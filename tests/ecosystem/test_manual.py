"""The blocks of the manual that need frameworks print what the manual shows."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

_FILE = Path(__file__).resolve().parent.parent / "test_docs.py"
_SPEC = importlib.util.spec_from_file_location("test_docs", _FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
docs = importlib.util.module_from_spec(_SPEC)
sys.modules["test_docs"] = docs
_SPEC.loader.exec_module(docs)


@pytest.mark.parametrize("page", docs.with_code(frameworks=True), ids=docs.named)
def test_the_code_of_a_page_runs_and_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block, printed in docs.outputs(page, docs.copy_of_examples(tmp_path)):
        if block.shown is not None:
            assert text[slice(*block.shown)] == printed, f"{page.name} line {block.line}"


def test_the_manual_names_the_versions_that_were_run() -> None:
    page = (docs.ROOT / "docs/integrations.md").read_text(encoding="utf-8")
    pins = (Path(__file__).parent / "requirements.txt").read_text(encoding="utf-8")
    pinned = dict(line.split("==") for line in pins.splitlines() if "==" in line)
    rows = [[cell.strip() for cell in line.split("|")] for line in page.splitlines()]
    versions = {row[4].strip("`"): row[2] for row in rows if len(row) == 7 and row[3][:3] == "run"}
    packages = {
        "deepeval": "deepeval",
        "ragas": "ragas",
        "trulens": "trulens-core",
        "phoenix": "arize-phoenix-evals",
        "langfuse": "langfuse",
        "mlflow": "mlflow",
        "inspect_ai": "inspect-ai",
        "pydantic_evals": "pydantic-evals",
        "llama_index": "llama-index-core",
        "haystack": "haystack-ai",
        "langchain": "langchain",
        "langgraph": "langgraph",
        "openai_agents": "openai-agents",
        "guardrails_ai": "guardrails-ai",
    }
    assert {name: versions[name] for name in packages} == {
        name: pinned[package] for name, package in packages.items()
    }
