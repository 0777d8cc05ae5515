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
            "rows": 1776, "documents": 50, "headline": True, "part_of": None,
            "systems": {
                "word overlap": {"auc": [0.5, 0.5, 0.5], "balanced": [0.5, 0.5, 0.5]},
                "default": FIGURES, "without dates": FIGURES,
            },
        },
        "one_label": {
            "rows": 3, "documents": 3, "headline": False, "part_of": None,
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
    assert "| **`summeval`** | 1,776 | 50 | 0.500 / 0.500 |" in text
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
