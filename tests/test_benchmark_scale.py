"""The benchmark of large indexes, run small: what it measures comes from real searches."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import scale
from benchmarks.__main__ import main
from halgo.evidence import dense

pytestmark = pytest.mark.models


def test_a_small_run_measures_opening_memory_recall_and_checks(tmp_path: Path) -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    out = tmp_path / "scale.json"
    options = ["--chunks", "600", "--small", "60", "--claims", "3", "--entailment", "none"]
    main(["scale", *options, "--graphs", "--out", str(out)])
    figures = {one["what"]: one for one in json.loads(out.read_text())["figures"]}
    assert figures["opening an index of 600 passages"]["ok"]
    assert figures["recall@5 of approximate search"]["value"] >= 0.98
    assert figures["one claim against 600 passages"]["value"] > 0
    assert figures["one claim against 60 passages"]["value"] > 0
    assert figures["memory that it takes after the checks"]["ok"]


def test_stand_in_vectors_lie_near_each_other_where_texts_share_words() -> None:
    near, far, same = scale.WordVectors().embed(
        ["The pumps of Porto failed.", "Costa wrote a letter.", "In Porto the pumps failed."]
    )
    assert float(near @ same) > 0.7 > 0.3 > float(near @ far)
    assert np.linalg.norm(near) == pytest.approx(1)
    assert not scale.WordVectors().embed([""]).any()
