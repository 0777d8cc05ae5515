"""The labelled sets: found, read, sampled; a clear message where they are not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import baselines, data, written


def write(folder: Path, name: str, rows: list[dict]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def row(number: int, doc: str, claim: str, label: str, **more) -> dict:
    return {"id": f"r{number}", "docs": [doc], "claim": claim, "label": label, **more}


def test_sets_are_found_in_dev_or_in_the_folder_itself(tmp_path, monkeypatch):
    one = row(1, "The fee is 5%.", "The fee is 5%.", "supported")
    write(tmp_path / "outer" / "dev", "aside", [one])
    write(tmp_path / "flat", "aside", [one])
    for place in ("outer", "flat"):
        monkeypatch.setenv("HALGO_DATA", str(tmp_path / place))
        assert data.names() == ["aside"]
        assert data.load("aside")[0].supported


def test_a_missing_folder_is_named_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("HALGO_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(data.DataError, match=r"nowhere[\s\S]*HALGO_DATA"):
        data.folder()


def test_an_unreadable_row_is_named_by_file_and_line(tmp_path, monkeypatch):
    monkeypatch.setenv("HALGO_DATA", str(tmp_path))
    write(tmp_path, "torn", [row(1, "a", "b", "supported"), {"id": "r2"}])
    with pytest.raises(data.DataError, match=r"torn\.jsonl\.gz, line 2"):
        data.load("torn")


def test_sets_of_the_headline_come_first_and_unknown_ones_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HALGO_DATA", str(tmp_path))
    for name in ("aaa_new", "nan_nli", "healthver", "summeval", "begin"):
        write(tmp_path, name, [row(1, "a", "b", "supported")])
    assert data.names() == ["summeval", "begin", "healthver", "nan_nli", "aaa_new"]


def test_rows_about_the_same_documents_share_a_group():
    assert data.digest(["a", "b"]) == data.digest(("a", "b"))
    assert data.digest(["a", "b"]) != data.digest(["ab", ""])


def test_a_sample_keeps_the_share_of_each_label_and_is_the_same_every_time():
    rows = [
        data.Row(f"r{n}", "s", "", (f"d{n % 40}",), "c", label, "claim", str(n % 40))
        for n, label in enumerate(["supported"] * 300 + ["unsupported"] * 100)
    ]
    kept = data.sample(rows, 40)
    assert kept == data.sample(rows, 40)
    assert sum(item.supported for item in kept) == 30 and len(kept) == 40
    assert len({item.group for item in kept}) < 40  # whole documents, not one row of each
    assert data.sample(rows, None) == rows


def test_kept_out_rows_are_those_whose_documents_were_not_trained_on():
    def about(doc: str, dataset: str) -> data.Row:
        return data.Row("r", dataset, "", (doc,), "c", "supported", "claim", doc)

    docs = [f"The valve of line {n} was replaced." for n in range(40)]
    for dataset in ("summedits", "ragtruth_qa", "qags_summary"):
        rows = [about(doc, dataset) for doc in docs]
        kept = data.kept_out(rows)
        if dataset == "qags_summary":
            assert kept == rows
        else:
            assert kept == [row for row in rows if not data.trained_on(row)]
            assert 5 < len(kept) < 30


def test_the_sets_called_trained_on_are_those_that_training_takes(monkeypatch):
    monkeypatch.syspath_prepend(str(data.ROOT / "models" / "entailment"))
    from training.data import SETS

    assert {source.name for source in SETS if source.place == "dev"} == data.TRAINED


def test_no_kept_out_row_is_about_a_document_that_was_trained_on():
    try:
        place = data.folder()
    except data.DataError:
        pytest.skip("the labelled sets are not here")
    learned = {
        row.docs[0][:200]
        for name in data.TRAINED.intersection(data.names(place))
        for row in data.load(name, place)
        if row.docs and data.trained_on(row)
    }
    for name in set(data.names(place)) - data.TRAINED:
        rows = data.kept_out(data.load(name, place))
        again = [row.id for row in rows if row.docs and row.docs[0][:200] in learned]
        assert again == [], name


def test_word_overlap_is_the_share_of_content_words_that_the_documents_hold():
    rows = [
        data.Row("1", "s", "", ("The late fee is 5% a month.",), claim, "supported", "claim", "g")
        for claim in ("The late fee is 5%.", "The early fee was 7%.", "Is it?")
    ]
    assert baselines.word_overlap(rows) == pytest.approx([1.0, 1 / 3, 0.0])


def test_majority_says_the_same_of_every_row():
    rows = [
        data.Row(str(n), "s", "", ("d",), "c", label, "claim", "g")
        for n, label in enumerate(["unsupported", "contradicted", "supported"])
    ]
    scores, answers = baselines.majority(rows)
    assert not answers.any() and len(np.unique(scores)) == 1


@pytest.mark.parametrize(("name", "least"), [(data.WRITTEN, 3000), (data.LONGER, 2000)])
def test_written_claims_that_are_kept_are_of_documents_that_no_model_learns_from(
    name: str, least: int
) -> None:
    kept = data.load(name)
    learned = {
        document.text
        for path in sorted(written.FOLDER.glob("*/*.txt"))
        if path.parent not in (written.KEPT, written.ASIDE)
        for document in written.read(path, {})
    }
    assert len(kept) > least and data.kept_out(kept) == kept
    assert 0.45 < sum(row.supported for row in kept) / len(kept) < 0.55
    assert not learned & {row.docs[0] for row in kept}
