"""`halgo.frame`: a table in, a table of the same kind out, row by row."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from small_batch import STUB, Stub
from small_index import without_models  # noqa: F401

import halgo
from halgo.bulk import frames

ROWS: list[dict[str, Any]] = [
    {"id": 1, "answer": "The fee is 5%.", "model": "a"},
    {"id": 2, "answer": None, "model": "b"},
    {"id": 2, "answer": "Wrong it is. The fee is 5%.", "model": "a"},
    {"id": None, "answer": "", "model": None},
]


def frame(table: Any, **more: Any) -> Any:
    return halgo.frame(table, STUB, **more)  # type: ignore[arg-type]


def test_pandas_keeps_its_index_and_has_a_type_for_what_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    given = pandas.DataFrame(ROWS, index=[10, 11, 11, 12])
    found = frame(given)
    assert type(found) is pandas.DataFrame and list(found.index) == [10, 11, 11, 12]
    assert found["grounded"].tolist() == [True, pandas.NA, False, pandas.NA]
    assert found["claims"].dtype == "Int64" and found["grounded"].dtype == "boolean"
    assert found["error"].fillna("").tolist() == ["", "the answer is null", "", ""]
    assert json.loads(found["report"].iloc[0])["claims"][0]["claim"] == "The fee is 5%."
    given["grounded"] = found["grounded"]
    assert given["grounded"].tolist() == [True, pandas.NA, False, pandas.NA]


def test_polars_and_arrow_come_back_as_what_they_are() -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow", reason="the extra batch")
    table = frame(polars.DataFrame(ROWS), report=False)
    assert isinstance(table, polars.DataFrame)
    assert table["grounded"].to_list() == [True, None, False, None]
    assert table["warnings"].dtype == polars.List(polars.String)
    assert table["report"].to_list() == [None] * 4
    arrow = frame(pyarrow.Table.from_pylist(ROWS), report=False)
    assert isinstance(arrow, pyarrow.Table) and arrow.to_pylist() == table.to_dicts()
    batch = frame(pyarrow.RecordBatch.from_pylist(ROWS), report=False)
    assert isinstance(batch, pyarrow.RecordBatch) and batch.to_pylist() == table.to_dicts()
    with pytest.raises(TypeError, match=r"table\.collect\(\)"):
        frame(polars.DataFrame(ROWS).lazy())


def test_what_hands_out_arrow_is_a_table_too() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra batch")

    class Relation:
        """As a query of DuckDB is one."""

        def __arrow_c_stream__(self, schema: Any = None) -> Any:
            return pyarrow.Table.from_pylist(ROWS).__arrow_c_stream__(schema)

    found = frame(Relation())
    assert isinstance(found, pyarrow.Table)
    assert found["grounded"].to_pylist() == [True, None, False, None]


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_a_table_without_rows_gives_one_without_rows(package: str) -> None:
    home = pytest.importorskip(package)
    if package == "pyarrow":
        given = home.table({"answer": home.array([], home.string())})
        assert frame(given).num_rows == 0 and "grounded" in frame(given).column_names
        empty = home.RecordBatch.from_pylist([], schema=given.schema)
        assert frame(empty).num_rows == 0
    else:
        given = home.DataFrame({"answer": []})
        assert len(frame(given)) == 0 and "grounded" in list(frame(given).columns)


def test_claims_have_the_id_and_the_row_that_they_belong_to() -> None:
    pandas = pytest.importorskip("pandas")
    found = frame(pandas.DataFrame(ROWS), claims=True)
    assert found[["id", "row", "claim_id", "verdict"]].to_dict("records") == [
        {"id": "1", "row": 0, "claim_id": 1, "verdict": "SUPPORTED"},
        {"id": "2", "row": 2, "claim_id": 1, "verdict": "CONTRADICTION"},
        {"id": "2", "row": 2, "claim_id": 2, "verdict": "SUPPORTED"},
    ]


@pytest.mark.usefixtures("without_models")
def test_documents_come_from_a_column_whatever_it_holds() -> None:
    pandas = pytest.importorskip("pandas")
    halgorithm = halgo.Halgorithm(embedder="lexical", entailment=None, lexicon=Nothing())
    sentence = "The fee is 5 percent."
    held: list[Any] = [
        sentence,
        [sentence],
        [{"text": sentence, "source": "fees.md"}],
        {"page_content": sentence, "metadata": {"source": "fees.md"}},
        None,
        [],
        object(),
    ]
    table = pandas.DataFrame({"answer": [sentence] * len(held), "found": held})
    found = halgo.frame(table, documents="found", halgorithm=halgorithm)
    assert found["state"].tolist()[:6] == ["assessed"] * 4 + ["no_sources"] * 2
    assert found["error"].iloc[6].startswith("documents: TypeError: contexts must hold texts")
    sources = [json.loads(text)["claims"][0]["matched_source"] for text in found["report"][:4]]
    assert sources == ["doc1", "doc1", "fees.md", "fees.md"]


@pytest.mark.usefixtures("without_models")
def test_a_list_that_was_printed_into_a_cell_is_that_list_and_another_warns() -> None:
    pandas = pytest.importorskip("pandas")
    halgorithm = halgo.Halgorithm(embedder="lexical", entailment=None, lexicon=Nothing())
    sentence = "The fee is 5 percent."
    cells = [str(["Pay soon.", sentence]), json.dumps(["Pay soon.", sentence]), str([sentence, 5])]
    table = pandas.DataFrame({"answer": [sentence] * 3, "found": cells})
    found = halgo.frame(table, documents="found", halgorithm=halgorithm)
    reports = [json.loads(text) for text in found["report"]]
    assert [one["claims"][0]["chunk_text"] for one in reports[:2]] == [sentence] * 2
    assert [one["claims"][0]["matched_source"] for one in reports[:2]] == ["doc2"] * 2
    told = ["looks like a list of Python" in " ".join(given) for given in found["warnings"]]
    assert told == [False, False, True]


class Nothing:
    """A lexicon that knows no word."""

    def synonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()

    antonyms = hypernyms = synonyms


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"no column 'said'; there are 'id', 'answer', 'model'"):
        frame(pandas.DataFrame(ROWS), answer="said")
    with pytest.raises(ValueError, match=r"no column 'docs'.*documents='\.\.\.' names one"):
        halgo.frame(pandas.DataFrame(ROWS), documents="docs")
    with pytest.raises(ValueError, match=r"no column 'key'.*id='\.\.\.' names one"):
        frame(pandas.DataFrame(ROWS), id="key")
    with pytest.raises(ValueError, match="give one of the two"):
        halgo.frame(pandas.DataFrame(ROWS))
    with pytest.raises(TypeError, match="this is list"):
        frame(ROWS)


def test_a_column_given_as_an_index_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"answer": ["The fee is 5%."], "contexts": [["The fee is 5%."]]})
    with pytest.raises(ValueError, match=r"no index 'contexts'.*mean documents='contexts'\?"):
        halgo.frame(table, "contexts")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contexts").mkdir()
    with pytest.raises(halgo.IndexFormatError):  # what is there is tried
        halgo.frame(table, "contexts")


def test_a_table_checker_can_be_sent_to_another_process_before_its_first_table() -> None:
    sent = pickle.loads(pickle.dumps(halgo.TableChecker("docs.halgo", claims=True)))
    assert (sent.against, sent.claims) == ("docs.halgo", True)


def test_no_package_of_tables_is_imported_with_the_module() -> None:
    names = vars(frames)
    assert not {"pandas", "polars", "pyarrow"} & set(names) and isinstance(STUB, Stub)
