"""The tables of the pages are what the results say."""

from __future__ import annotations

import json

import pytest

from benchmarks import tables

FIGURES = {"auc": [0.75, 0.7, 0.8], "balanced": [0.65, 0.6, 0.7]}
NONE = {"auc": [None, None, None], "balanced": [None, None, None]}
NAMES = ["word overlap", "default", "without dates"]
FROM = {
    "command": "python -m benchmarks accuracy",
    "commit": "abc123",
    "changed": False,
    "machine": {"processor": "Testing 1", "cores": 2},
    "versions": {"halgo": "0.1.0", "python": "3.11.9"},
}
RESULT = {
    **FROM,
    "systems": NAMES,
    "sets": {
        "summeval": {
            "rows": 776, "of": 1776, "documents": 50, "headline": True, "part_of": None,
            "systems": {
                "word overlap": {"auc": [0.5, 0.5, 0.5], "balanced": [0.5, 0.5, 0.5]},
                "default": FIGURES, "without dates": FIGURES,
            },
        },
        "one_label": {
            "rows": 3, "of": 3, "documents": 3, "headline": False, "part_of": None,
            "systems": {name: NONE for name in NAMES},
        },
    },
    "means": {
        "fourteen": {
            "sets": ["summeval"],
            "systems": {name: FIGURES for name in NAMES},
        }
    },
    "gains": {
        "fourteen": {
            "word overlap": {"auc": [0.25, 0.2, 0.3], "balanced": [0.15, 0.1, 0.2]},
            "without dates": {"auc": [0.01, 0.005, 0.015], "balanced": [0.0, None, None]},
        }
    },
}  # fmt: skip
PAGE = """# Title

<!-- accuracy:start -->
old
<!-- accuracy:end -->
kept
<!-- accuracy-sets:start -->
<!-- accuracy-sets:end -->
<!-- accuracy-detectors:start -->
<!-- accuracy-detectors:end -->
<!-- speed:start -->
no results yet
<!-- speed:end -->
"""


@pytest.fixture
def place(tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    (results / "accuracy.json").write_text(json.dumps(RESULT), encoding="utf-8")
    (tmp_path / "README.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_tables_stand_between_their_marks_and_the_rest_is_kept(place):
    text = tables.filled(PAGE, place / "results")
    assert "| **default** | 0.750 (0.700 to 0.800) | 0.650 (0.600 to 0.700) |" in text
    assert "| **`summeval`** | 776 of 1,776 | 50 | 0.500 / 0.500 |" in text
    assert "| dates | +0.0100 (+0.0050 to +0.0150) | - |" in text
    assert "commit abc123" in text and "Testing 1, 2 cores" in text
    assert "old" not in text and "\nkept\n" in text and "no results yet" in text


def test_a_set_with_one_label_has_no_figures(place):
    assert "| `one_label` | 3 | 3 | - | - / - |" in tables.filled(PAGE, place / "results")


def test_a_page_is_stale_until_it_is_written(place):
    assert tables.update(place, place / "results", write=False) == ["README.md"]
    assert (place / "README.md").read_text(encoding="utf-8") == PAGE
    assert tables.update(place, place / "results", write=True) == ["README.md"]
    assert tables.update(place, place / "results", write=False) == []


def test_targets_and_losses_are_named():
    targets = [
        {"what": "mean", "target": "at least 0.80", "value": 0.8123, "reached": True},
        {"what": "sets below", "target": "0", "value": 2, "reached": False},
    ]
    result = {**FROM, "targets": targets, "below": {"auc": ["begin", "other"], "balanced": []}}
    text = tables.accuracy_targets(result)
    assert "| mean | at least 0.80 | 0.812 | yes |" in text
    assert "| sets below | 0 | 2 | **no** |" in text
    assert "Below word overlap in ROC-AUC: `begin`, `other`." in text
    assert "balanced accuracy: no set." in text


def test_figures_of_others_stand_beside_ours_with_their_source():
    whole = {**RESULT, "sets": {"summedits": {"systems": {"default": FIGURES}}}}
    lines = tables.published(whole).splitlines()
    (line,) = [line for line in lines if line.startswith("| `summedits` ")]
    assert "| balanced accuracy | 65.0 (60.0 to 70.0) | human 90.6, GPT-4 83.2," in line
    assert "salesforce/factualNLG" in line
    (other,) = [line for line in lines if line.startswith("| `healthver` ")]
    assert "| f1 | - | T5 79.6, SciBERT 77.2 |" in other


def test_every_published_figure_has_a_set_a_measure_and_a_source():
    text = tables.PUBLISHED.read_text(encoding="utf-8")
    entries = tables.tomllib.loads(text)["published"]
    assert len(entries) > 10
    for entry in entries:
        assert set(entry) == {"set", "measure", "source", "note", "figures"}
        assert entry["measure"] in ("roc-auc", "balanced accuracy", "f1", "accuracy")
        assert all(50 <= value <= 100 for value in entry["figures"].values())


def test_the_share_of_rows_that_count_is_said_under_a_table():
    result = {**RESULT, "settings": {"share": "kept-out", "limit": 1000}}
    assert "was not trained on, at most 1,000 a set. In brackets" in tables.accuracy(result)
    result["settings"] = {"share": "all", "limit": None}
    assert "not trained on" not in tables.accuracy(result)


def test_spans_and_invariants_have_their_tables():
    figure = {"precision": [0.4, 0.3, 0.5], "recall": [0.5, 0.5, 0.5], "f1": [None, None, None]}
    told = {
        "rows": 1200, "documents": 70, "annotated": 30,
        "systems": {"everything": figure, "default": figure},
    }  # fmt: skip
    text = tables.spans({**FROM, "sets": {"own": told, "other": {**told, "rows": 7}}})
    assert "`other`: 7 responses" in text
    assert "`own`: 1,200 responses about 70 documents, 30 with something annotated." in text
    assert "| **default** | 0.400 (0.300 to 0.500) | 0.500 | - |" in text
    counted = {
        "what": "own",
        "count": 4000,
        "value": 0.9961,
        "bound": "at least 99.5 %",
        "ok": True,
    }
    text = tables.invariants({**FROM, "figures": [counted]})
    assert "| own | 4,000 | 99.61 % | at least 99.5 % | yes |" in text


def test_speed_is_shown_beside_its_bound():
    result = {
        **FROM,
        "figures": [{"what": "import", "value": 0.0621, "unit": "s", "bound": "0.15 s"}],
    }
    assert "| import | 0.0621 s | 0.15 s |" in tables.speed(result)


def test_kinds_of_pairs_are_shares_and_the_total_has_its_interval():
    result = {
        **FROM,
        "kinds": {"unit": {"pairs": 16, "both": 4, "true": 12, "false": 8, "ranked": 16}},
        "total": {
            "pairs": 16, "both": [0.25, 0.2, 0.3], "true": [0.75, 0.7, 0.8],
            "false": [0.5, 0.5, 0.5], "ranked": [1.0, 1.0, 1.0],
        },
    }  # fmt: skip
    text = tables.pairs(result)
    assert "| unit | 16 | 0.25 | 0.75 | 0.50 | 1.00 |" in text
    assert "| **all** | 16 | 0.250 (0.200 to 0.300) | 0.750 (0.700 to 0.800) | 0.500 |" in text


def test_the_pages_of_this_repository_are_up_to_date():
    assert tables.update(tables.ROOT, tables.RESULTS, write=False) == []
