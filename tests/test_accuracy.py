"""The accuracy command, on small sets of our own; what it takes apart equals what a user gets."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from benchmarks import accuracy, systems
from benchmarks.__main__ import main
from benchmarks.baselines import content_words
from benchmarks.data import Row, digest, trained_on
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


class Reader:
    """An entailment model by word overlap, harder on what says "5%" or "not"."""

    name = "reader"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def predict(self, pairs):
        self.asked += pairs
        rows = []
        for premise, claim in pairs:
            words = set(content_words(claim))
            held = 0.9 * len(words & set(content_words(premise))) / max(len(words), 1)
            against = 0.6 if " 5%" in claim or "not" in premise else 0.0
            rows.append([held * (1 - against), (1 - held) * (1 - against), against])
        return np.array(rows, dtype=np.float32)


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
    assert result["settings"]["share"] == "kept-out" and result["settings"]["limit"] == 1000
    assert result["settings"]["entailment"] is None  # neither system asks it
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


def test_only_rows_that_were_not_trained_on_count_unless_asked_for(folder):
    docs = [(f"The valve of line {number} was replaced.",) for number in range(30)]
    rows = [made(n, d, d[0], ("supported", "unsupported")[n % 2]) for n, d in enumerate(docs)]
    with gzip.open(folder / "summedits.jsonl.gz", "wt", encoding="utf-8") as out:
        for row in rows:
            line = {"id": row.id, "docs": list(row.docs), "claim": row.claim, "label": row.label}
            out.write(json.dumps(line) + "\n")
    kept = sum(not trained_on(row) for row in rows)
    assert 0 < kept < 30
    for share, counted in (("kept-out", kept), ("all", 30)):
        out = folder / "figures.json"
        words = ["accuracy", "--systems", "majority", "--sets", "fourteen", "--share", share]
        assert main([*words, "--out", str(out)]) == 0
        found = json.loads(out.read_text(encoding="utf-8"))["sets"]
        assert list(found) == ["summedits"]
        assert (found["summedits"]["rows"], found["summedits"]["of"]) == (counted, 30)
        assert found["summedits"]["trained_on"]


def measured(auc: float, balanced: float) -> accuracy.Measured:
    return accuracy.Measured(auc, balanced, np.full(2, auc), np.full(2, balanced))


def test_targets_say_what_is_reached_and_where_word_overlap_is_better():
    def figures(auc, balanced, overlap_auc, overlap_balanced):
        found = {
            "default": measured(auc, balanced),
            "word overlap": measured(overlap_auc, overlap_balanced),
        }
        return accuracy.SetFigures(10, 10, 5, 4, "", found)

    result = accuracy.summary(
        {
            "begin": figures(0.92, 0.9, 0.94, 0.8),
            "summedits": figures(0.7, 0.58, 0.4, 0.6),
            "healthver": figures(0.6, 0.719, 0.5, 0.5),
        },
        ["word overlap", "default"],
    )
    assert result["below"] == {"auc": ["begin"], "balanced": ["summedits"]}
    assert {t["what"]: (t["value"], t["reached"]) for t in result["targets"]} == {
        "mean ROC-AUC, model output, 2 sets": (0.81, True),
        "mean balanced accuracy, model output, 2 sets": (0.74, True),
        "mean balanced accuracy, verification": (0.719, False),
        "ROC-AUC, `summedits`": (0.7, True),
        "balanced accuracy, `summedits`": (0.58, False),
        "sets below word overlap in ROC-AUC, of 3": (1, False),
    }


def test_a_mean_leaves_out_sets_with_one_label_and_parts_of_sets():
    one = accuracy.Measured(0.8, 0.7, np.array([0.7, 0.9]), np.array([0.6, 0.8]))
    nothing = accuracy.Measured(np.nan, np.nan, np.full(2, np.nan), np.full(2, np.nan))
    figures = {
        "begin": accuracy.SetFigures(10, 10, 5, 4, "", {"default": one}),
        "one_label": accuracy.SetFigures(10, 10, 10, 4, "", {"default": nothing}),
        "begin_part": accuracy.SetFigures(4, 4, 2, 4, "begin", {"default": one}),
    }
    result = accuracy.summary(figures, ["default"])
    assert result["means"]["all"]["sets"] == ["begin"]
    assert result["means"]["fourteen"]["systems"]["default"]["auc"][0] == 0.8
    assert result["sets"]["one_label"]["systems"]["default"]["auc"] == [None, None, None]


@pytest.mark.models
def test_the_default_taken_apart_is_the_default_as_a_user_gets_it():
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=Reader())
    for docs in (DOCS, HISTORY, ("",)):
        rows = [row for row in ROWS if row.docs == docs]
        checker = halgorithm.checker(list(docs))
        found = systems.apart(checker, rows, ("numbers", "negation", "cascade"))
        expected = [report.to_dict() for report in systems.plain(checker, rows)]
        got = [report.to_dict() for report in found[systems.DEFAULT]]
        for ours, theirs in zip(got, expected, strict=True):
            # check_claims joins its claims into the answer; nothing else may differ.
            assert ours == theirs


def alike(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.weakest == pytest.approx(other.weakest) and mine.grounded == other.grounded
        assert [r.verdict for r in mine] == [r.verdict for r in other]
        assert [r.reason for r in mine] == [r.reason for r in other]


@pytest.mark.models
@pytest.mark.parametrize("left_out", ["numbers", "negation", "entailment", "cascade"])
def test_what_is_left_out_is_as_if_it_was_never_set(left_out):
    config, model = Config(), Reader()
    less = {
        "entailment": (config, None),
        "cascade": (config.with_(cascade=False), model),
    }.get(
        left_out,
        (config.with_(detectors=tuple(n for n in config.detectors if n != left_out)), model),
    )
    whole = Halgorithm(config, embedder="lexical", entailment=model)
    other = Halgorithm(less[0], embedder="lexical", entailment=less[1])
    for docs in (DOCS, HISTORY):
        rows = [row for row in ROWS if row.docs == docs]
        found = systems.apart(whole.checker(list(docs)), rows, (left_out,))
        alike(found[systems.WITHOUT + left_out], systems.plain(other.checker(list(docs)), rows))


@pytest.mark.models
def test_the_model_reads_each_pair_once_for_all_systems():
    model = Reader()
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=model)
    rows = [row for row in ROWS if row.docs == DOCS]
    systems.apart(halgorithm.checker(list(DOCS)), rows, ("numbers", "cascade", "entailment"))
    assert model.asked and len(model.asked) == len(set(model.asked))


@pytest.mark.models
def test_the_model_alone_takes_the_best_reading_and_the_weakest_claim():
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=Reader())
    docs = (
        "Orla Finch founded the mill in 1911. Its wheel turned for years. It did not burn down.",
    )
    answer = "Orla Finch founded the mill in 1911. The council paid for whales."
    rows = [
        made(1, docs, "Orla Finch founded the mill.", "supported"),
        made(2, docs, answer, "unsupported", "response"),
        made(3, docs, "What would you like to know?", "unsupported", "response"),
    ]
    parts = systems.Parts(halgorithm.checker(list(docs)), rows)
    good, bad, nothing = parts.entailed()
    assert good == pytest.approx(0.9)  # the passages together hold the "not", the best one does not
    assert bad == 0.0 and nothing == 0.0


@pytest.mark.models
def test_nothing_checkable_and_no_sources_are_a_no_with_score_0():
    embedder = Halgorithm(Config(), embedder="lexical").embedder
    wanted = [systems.DEFAULT, systems.CLASSIC, systems.ALONE, systems.UNREAD]
    found = systems.run(ROWS[4:], wanted, Config(), embedder, Reader())
    assert list(found) == wanted
    for outcome in found.values():
        assert outcome.scores.tolist() == [0.0, 0.0] and not outcome.answers.any()
