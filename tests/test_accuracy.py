"""The accuracy command, on small sets of our own; what it takes apart equals what a user gets."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from benchmarks import accuracy, systems
from benchmarks.__main__ import main
from benchmarks.data import Row, digest
from halgo import Config, Halgorithm

DOCS = ("The late fee is 1.5% per month. Payment is due within thirty (30) days of receipt.",)
HISTORY = ("Orla Finch founded the mill in 1911. It did not burn down in 1954.",)


def made(number: int, docs, claim: str, label: str, granularity: str = "claim") -> Row:
    return Row(f"r{number}", "own", "", docs, claim, label, granularity, digest(docs))


ROWS = [
    made(1, DOCS, "The late fee is 1.5% per month.", "supported"),
    made(2, DOCS, "The late fee is 5% per month.", "contradicted"),
    made(3, HISTORY, "The mill burned down in 1954.", "contradicted"),
    made(4, HISTORY, "Orla Finch founded the mill in 1911. What now?", "supported", "response"),
    made(5, DOCS, "What would you like to know?", "unsupported", "response"),
    made(6, ("",), "The mill is in Kent.", "unsupported"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    with gzip.open(tmp_path / "own.jsonl.gz", "wt", encoding="utf-8") as out:
        for row in ROWS:
            line = {"id": row.id, "docs": list(row.docs), "claim": row.claim, "label": row.label}
            out.write(json.dumps({**line, "granularity": row.granularity}) + "\n")
    monkeypatch.setenv("HALGO_DATA", str(tmp_path))
    return tmp_path


def test_the_command_writes_figures_with_what_is_needed_to_repeat_them(folder, capsys):
    out = folder / "figures.json"
    code = main(["accuracy", "--systems", "majority,word overlap", "--out", str(out)])
    result = json.loads(out.read_text(encoding="utf-8"))
    assert code == 0
    assert result["sets"]["own"]["rows"] == 6
    assert result["sets"]["own"]["systems"]["majority"]["auc"] == [0.5, 0.5, 0.5]
    assert result["means"]["others"]["sets"] == ["own"] and "fourteen" not in result["means"]
    assert result["versions"]["python"] and result["machine"]["cores"]
    assert str(folder) not in out.read_text(encoding="utf-8")
    assert "own" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [[], ["accurate"], ["accuracy", "--sets", "nowhere"], ["accuracy", "--systems", "x"]]
)
def test_wrong_usage_exits_with_2(folder, words):
    assert main(words) == 2


def test_no_sets_exit_with_2_and_say_where_they_were_looked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HALGO_DATA", str(tmp_path))
    assert main(["accuracy"]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_mean_leaves_out_sets_with_one_label_and_parts_of_sets():
    one = accuracy.Measured(0.8, 0.7, np.array([0.7, 0.9]), np.array([0.6, 0.8]))
    nothing = accuracy.Measured(np.nan, np.nan, np.full(2, np.nan), np.full(2, np.nan))
    figures = {
        "begin": accuracy.SetFigures(10, 5, 4, "", {"default": one}),
        "one_label": accuracy.SetFigures(10, 10, 4, "", {"default": nothing}),
        "begin_part": accuracy.SetFigures(4, 2, 4, "begin", {"default": one}),
    }
    result = accuracy.summary(figures, ["default"])
    assert result["means"]["all"]["sets"] == ["begin"]
    assert result["means"]["fourteen"]["systems"]["default"]["auc"][0] == 0.8
    assert result["sets"]["one_label"]["systems"]["default"]["auc"] == [None, None, None]


@pytest.mark.models
def test_the_default_taken_apart_is_the_default_as_a_user_gets_it():
    halgorithm = Halgorithm(Config(), embedder="lexical")
    for docs in (DOCS, HISTORY, ("",)):
        rows = [row for row in ROWS if row.docs == docs]
        checker = halgorithm.checker(list(docs))
        found = systems.apart(checker, rows, ("numbers", "negation"))
        expected = [report.to_dict() for report in systems.plain(checker, rows)]
        got = [report.to_dict() for report in found[systems.DEFAULT]]
        for ours, theirs in zip(got, expected, strict=True):
            # check_claims joins its claims into the answer; nothing else may differ.
            assert ours == theirs


@pytest.mark.models
def test_a_detector_left_out_is_as_if_it_was_never_set():
    without = ("dates", "terms", "negation", "arithmetic")
    whole = Halgorithm(Config(), embedder="lexical").checker(list(DOCS))
    less = Halgorithm(Config(detectors=without), embedder="lexical").checker(list(DOCS))
    rows = [row for row in ROWS if row.docs == DOCS]
    found = systems.apart(whole, rows, ("numbers",))[systems.WITHOUT + "numbers"]
    for ours, theirs in zip(found, systems.plain(less, rows), strict=True):
        assert ours.weakest == pytest.approx(theirs.weakest) and ours.grounded == theirs.grounded
        assert [r.verdict for r in ours] == [r.verdict for r in theirs]


@pytest.mark.models
def test_nothing_checkable_and_no_sources_are_a_no_with_score_0():
    embedder = Halgorithm(Config(), embedder="lexical").embedder
    found = systems.run(ROWS[4:], [systems.DEFAULT, systems.CLASSIC], Config(), embedder)
    for outcome in found.values():
        assert outcome.scores.tolist() == [0.0, 0.0] and not outcome.answers.any()
