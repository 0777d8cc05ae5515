"""The benchmark of streams: it passes those of halgo, and catches one that shows all it gets."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import leak
from halgo import Checker, Halgorithm, Release

pytestmark = pytest.mark.models
QUICK = ["--answers", "2", "--cuts", "2", "--timed", "2", "--words", "1000"]


@pytest.fixture(autouse=True)
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Checker.from_docs
    models = Halgorithm(None, embedder="lexical", entailment=None)

    def quick(docs: Any) -> Checker:
        return whole(docs[0][:2_000], halgorithm=models)

    monkeypatch.setattr(leak.Checker, "from_docs", quick)
    monkeypatch.setattr(leak, "LATEST_S", 60.0)  # how fast this machine is, is not the question


def run(tmp_path: Path) -> tuple[int, dict[str, Any]]:
    out = tmp_path / "leak.json"
    code = leak.main([*QUICK, "--out", str(out)])
    return code, json.loads(out.read_text(encoding="utf-8"))["figures"]


def test_a_stream_of_halgo_leaks_nothing(tmp_path: Path) -> None:
    code, figures = run(tmp_path)
    assert (code, figures["leaked"], figures["other_than_the_gate"]) == (0, 0, 0)
    assert figures["streams"] == 4 and figures["false_sentences"] > 0


def test_a_stream_that_shows_what_it_is_fed_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Open(Release):
        def stream(self, pieces: Iterable[str]) -> Iterator[str]:
            yield from pieces

    monkeypatch.setattr(leak, "Release", Open)
    code, figures = run(tmp_path)
    assert code == 1 and figures["leaked"] > 0 and figures["other_than_the_gate"] > 0


def test_the_pieces_of_a_text_are_all_of_it() -> None:
    text = "The late fee is 1.5% per month. " * 9
    for seed in range(20):
        assert "".join(leak.pieces(random.Random(seed), text)) == text
