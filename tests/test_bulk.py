"""`halgo batch`: every answer once, whatever is wrong with some of them, and resumed by itself."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from small_batch import STUB, InThread, answers, contents, read, stand_in
from small_index import without_models  # noqa: F401

import halgo
from halgo.adapters import cli
from halgo.bulk import batch_run, part_worker, run_plan
from halgo.bulk.answer_rows import Columns, Row, files_of, rows_of
from halgo.bulk.batch_run import Batch, Outcome
from halgo.errors import BatchError, DocumentError, ModelNotFoundError

Lines = list[dict[str, Any] | str]
CHECKER = part_worker._checker  # what `_by_hand` takes the place of


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_worker, "_checker", stand_in)
    STUB.asked.clear()


def run(given: Path, out: Path, hear: Any = None, start: Any = InThread, **more: Any) -> Outcome:
    batch = Batch(answers=[given], out=out, index="by hand", **{"jobs": 2, **more})
    return batch_run.run(batch, hear, start)


def written(path: Path, lines: Lines) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


# --- what comes out -----------------------------------------------------------------------------


def test_every_answer_has_its_row_in_order_with_counts_and_report(tmp_path: Path) -> None:
    outcome = run(answers(tmp_path / "a.jsonl", 50), tmp_path / "out", claims=True)
    rows = read(tmp_path / "out")
    assert [row["id"] for row in rows] == [f"q{at}" for at in range(50)]
    assert [row["row"] for row in rows] == list(range(50))
    first = rows[0]
    assert first["state"] == "assessed" and first["grounded"] is False and first["error"] is None
    assert (first["claims"], first["supported"], first["contradiction"]) == (2, 1, 1)
    assert [claim["claim"] for claim in first["report"]["claims"]] == [
        "The fee is 0%.",
        "Wrong it is.",
    ]
    assert outcome.counts == {
        "grounded": 0,
        "not grounded": 50,
        "not assessed": 0,
        "with an error": 0,
    }
    claims = read(tmp_path / "out", "claims")
    assert len(claims) == 100
    assert {key: claims[3][key] for key in ("id", "row", "claim_id", "verdict", "claim")} == {
        "id": "q1",
        "row": 1,
        "claim_id": 2,
        "verdict": "CONTRADICTION",
        "claim": "Wrong it is.",
    }
    assert claims[3]["passage"] == "The fee is 5%."


def test_a_row_that_cannot_be_checked_is_a_row_with_an_error(tmp_path: Path) -> None:
    given: Lines = [
        {"id": "good", "answer": "The fee is 5%."},
        '{"id": "torn", "answer": "The f',
        {"id": "none"},
        {"id": "null", "answer": None},
        {"id": "number", "answer": 5},
        "[1, 2]",
        "",
        {"id": "long", "answer": "x" * 101},
        {"id": "fault", "answer": "Poison it is."},
        {"answer": "The fee is 6%."},
        {"id": "half", "answer": "The fee is \ud800 high."},
        {"id": "", "answer": ""},
    ]
    run(written(tmp_path / "a.jsonl", given), tmp_path / "out", longest=100)
    rows = read(tmp_path / "out")
    errors = {row["id"]: row["error"] for row in rows}
    assert errors["good"] is errors["row-8"] is errors["half"] is errors["row-10"] is None
    assert "no JSON" in errors["row-1"]
    assert errors["none"] == "line 3: no column 'answer' or 'response' or 'output'; there are 'id'"
    assert "not 5" in errors["number"]
    assert errors["row-5"] == "line 6: no JSON object, but another value"
    assert "has 101 characters; at most 100" in errors["long"]
    assert errors["fault"] == "internal error: ZeroDivisionError: a fault of ours"
    assert [row["row"] for row in rows] == list(range(11))
    assert [row["state"] for row in rows if row["id"] == "row-10"] == ["no_claims"]


def test_an_id_that_comes_again_gets_another_so_that_each_is_there_once(tmp_path: Path) -> None:
    ids = ["a", "b", "a", "a#2", "a", "row-6", None, "a#2"]
    lines: Lines = [{"id": name, "answer": "The fee is 5%."} for name in ids]
    run(written(tmp_path / "a.jsonl", lines), tmp_path / "out", rows=2)
    found = [row["id"] for row in read(tmp_path / "out")]
    assert found == ["a", "b", "a#3", "a#2", "a#4", "row-6", "row-6#2", "a#2#2"]


def test_columns_are_chosen_by_name(tmp_path: Path) -> None:
    lines: Lines = [{"key": 7, "answer": "Wrong.", "said": "The fee is 5%."}]
    columns = Columns("said", "key")
    run(written(tmp_path / "a.jsonl", lines), tmp_path / "out", columns=columns)
    (row,) = read(tmp_path / "out")
    assert (row["id"], row["grounded"]) == ("7", True)


@pytest.mark.parametrize("sign, name", [(",", "a.csv"), (";", "a.csv"), ("\t", "a.tsv")])
def test_csv_is_read_as_json_lines_are(tmp_path: Path, sign: str, name: str) -> None:
    cells = [
        ["id", "response", "contexts"],
        ["7", '"Wrong, it is.\nThe ""fee"" is 5%."', '"[""The fee is 5%.""]"'],
        ["", "The fee is 5%.", "The fee is 5%."],
        ["", f'"{"The fee is 5%. " * 10_000}"', ""],
        ["9", "The fee", "is 5%", "and rises."],
    ]
    given = tmp_path / name
    given.write_text("\n".join(map(sign.join, cells)) + "\n\n", encoding="utf-8-sig")
    first, second, long, cut = rows_of([given], Columns(documents="contexts"))
    assert first == Row(0, "7", 'Wrong, it is.\nThe "fee" is 5%.', ["The fee is 5%."])
    assert second == Row(1, "row-1", "The fee is 5%.", "The fee is 5%.")
    assert len(long.text or "") > 140_000 and long.documents is None
    assert cut.text is None and "4 cells and the head 3" in (cut.error or "")
    run(given, tmp_path / "out")
    assert [row["id"] for row in read(tmp_path / "out")] == ["7", "row-1", "row-2", "9"]


def test_a_row_with_too_many_cells_keeps_its_id_on_either_side_of_the_answer(
    tmp_path: Path,
) -> None:
    given = tmp_path / "a.csv"
    given.write_text("answer,id\nThe fee, is 5%,9\n", encoding="utf-8")
    (row,) = rows_of([given], Columns())
    assert (row.id, row.text) == ("9", None) and "put quotes around commas" in (row.error or "")
    given.write_text("answer\nThe fee, is 5%\n", encoding="utf-8")
    assert next(rows_of([given], Columns())).id == "row-0"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "lines, at",
    [
        (["id,answer", 'q0,"Dogs are 5', "q1,a", "q2,b"], 2),
        (["id,answer", 'q0,"Two', 'lines"', "q1,b", 'q2,"Three', "c"], 5),
        (["id,answer", '"q', '0","Two', "q1,b"], 3),
        (["id,answer", "q0,a", 'q1,"'], 3),
        (['id,"answer', "q0,a"], 1),
    ],
)
def test_csv_that_ends_within_quotation_marks_is_told_of_with_the_line(
    tmp_path: Path, lines: list[str], at: int, end: str
) -> None:
    given = tmp_path / "a.csv"
    for last in (end, ""):
        given.write_bytes((end.join(lines) + last).encode())
        with pytest.raises(DocumentError, match=f"a.csv, line {at}: a quotation mark opens"):
            list(rows_of([given], Columns()))


def test_a_quotation_mark_that_swallows_rows_is_an_error_of_its_row_and_others_are_read(
    tmp_path: Path,
) -> None:
    given = tmp_path / "a.csv"
    unclosed = 'q0,"Dogs are 5\nq1,"Cats are 4"\n'
    closed = 'q2,"a ""b"""\nq3,"He said "no" then"\nq4,5" x\n'
    given.write_text(f"id,answer\n{unclosed}{closed}", encoding="utf-8")
    rows = list(rows_of([given], Columns()))
    assert [(row.id, row.text) for row in rows] == [
        ("q0", None),
        ("q2", 'a "b"'),
        ("q3", 'He said no" then"'),  # as Python's csv reads it
        ("q4", '5" x'),
    ]
    assert (rows[0].error or "").startswith("line 2: a quotation mark")
    assert "from here to 3" in (rows[0].error or "")


def test_a_column_that_is_there_twice_is_told_of_where_it_is_read(tmp_path: Path) -> None:
    given = tmp_path / "a.csv"
    given.write_text("id,answer,note,note,answer\n1,a,b,c,d\n", encoding="utf-8")
    with pytest.raises(DocumentError, match="2 columns 'answer'"):
        list(rows_of([given], Columns()))
    given.write_text("id,answer,note,note\n1,a,b,c\n", encoding="utf-8")
    assert next(rows_of([given], Columns())).text == "a"


def test_an_error_of_a_row_names_its_line(tmp_path: Path) -> None:
    given = tmp_path / "a.jsonl"
    lines = ['{"answer": "a"}', "", "{no", '{"id": {"a": true}, "answer": "a", "question": 5}']
    given.write_text("\n".join(lines), encoding="utf-8")
    _, bad, odd = rows_of([given], Columns())
    assert (bad.error or "").startswith("line 3: no JSON")
    assert odd.id == '{"a": true}'
    assert odd.error == "line 4: the question must be a text, not int"


def test_what_is_not_there_is_told_so_whatever_its_ending(tmp_path: Path) -> None:
    for name in ("nope", "nope.csv", "nope.txt"):
        with pytest.raises(DocumentError, match=r"no such file or folder: .*nope"):
            files_of([tmp_path / name])
    (tmp_path / "gone.csv").symlink_to(tmp_path / "away.csv")
    with pytest.raises(DocumentError, match=r"gone.csv is a link to a file or folder that"):
        files_of([tmp_path / "gone.csv"])


def test_a_cell_with_an_empty_list_brings_no_documents(tmp_path: Path) -> None:
    given = tmp_path / "a.csv"
    given.write_text('answer,contexts\na,[]\nb,"[ ]"\nc,\nd,"[""x""]"\n', encoding="utf-8")
    unread = [row.unread for row in rows_of([given], Columns())]
    assert unread == [None, None, None, "contexts"]


def test_lines_that_are_not_utf_8_say_so_as_csv_does(tmp_path: Path) -> None:
    given = tmp_path / "a.jsonl"
    given.write_bytes('{"answer": "It costs £5."}\n'.encode("latin-1"))
    with pytest.raises(BatchError, match="of the first: line 1: not UTF-8"):
        run(given, tmp_path / "out")


def test_csv_that_is_none_or_lacks_the_answers_is_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,said\n1,The fee is 5%.\n", encoding="utf-8")
    with pytest.raises(DocumentError, match=r"no column 'answer'; its columns are id, said"):
        run(tmp_path / "a.csv", tmp_path / "out")
    (tmp_path / "b.csv").write_bytes("id,answer\n1,Café\n".encode("latin-1"))
    with pytest.raises(DocumentError, match="is not UTF-8"):
        run(tmp_path / "b.csv", tmp_path / "out")


@pytest.mark.parametrize(
    "columns, said",
    [
        (Columns(documents="context"), "no column 'context'.* are id, answer, .*--docs-column"),
        (Columns(question="asked"), "no column 'asked'.* are id, answer, .*--question-column"),
        (Columns(id="key"), "no column 'key'.* are id, answer, .*--id-column"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_a_named_column_that_no_row_has_is_told_before_any_work(
    tmp_path: Path, name: str, columns: Columns, said: str
) -> None:
    given = tmp_path / name
    if name == "a.csv":
        given.write_text("id,answer,contexts\nq1,The fee is 5%.,The fee is 5%.\n", encoding="utf-8")
    else:
        answers(given, 3, contexts=["The fee is 5%."])
    index = None if columns.documents else "by hand"
    batch = Batch(answers=[given], out=tmp_path / "out", index=index, columns=columns, jobs=1)
    with pytest.raises(DocumentError, match=said):
        batch_run.run(batch, start=InThread)
    assert not (tmp_path / "out").exists() and not STUB.asked


def test_a_line_may_go_without_a_column_that_another_line_has(tmp_path: Path) -> None:
    lines: Lines = [{"answer": "Wrong."}, "torn", {"answer": "Wrong.", "said": "The fee is 5%."}]
    given = written(tmp_path / "a.jsonl", lines)
    rows = list(rows_of([given], Columns(documents="said")))
    assert [row.documents for row in rows] == [None, None, "The fee is 5%."]
    assert not list(rows_of([written(tmp_path / "b.jsonl", [""])], Columns(documents="said")))


def test_files_of_a_folder_are_one_input_in_order_of_name(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("b.jsonl", "a.ndjson", ".hidden.jsonl", "_log.jsonl"):
        written(folder / name, [{"id": name, "answer": "The fee is 5%."}])
    run(folder, tmp_path / "out")
    assert [row["id"] for row in read(tmp_path / "out")] == ["a.ndjson", "b.jsonl"]


# --- again, and at the same time ----------------------------------------------------------------


def test_only_parts_that_are_not_there_are_checked_and_come_out_the_same(tmp_path: Path) -> None:
    given, out = answers(tmp_path / "a.jsonl", 30), tmp_path / "out"
    run(given, out, rows=10, claims=True)
    whole = contents(out)
    (second,) = (out / "answers").glob("part-000001-*")
    second.unlink()
    STUB.asked.clear()
    outcome = run(given, out, rows=10, claims=True)
    assert contents(out) == whole
    assert outcome.rows_before == 20
    # Beside its rows a worker checks two texts of its own when it starts.
    assert [text for text in STUB.asked if "%" in text] == [
        f"The fee is {at}%. Wrong it is." for at in range(10, 20)
    ]
    STUB.asked.clear()
    assert run(given, out, rows=10, claims=True).rows_before == 30
    assert not [text for text in STUB.asked if "%" in text]


def test_jobs_and_shares_do_not_change_a_byte(tmp_path: Path) -> None:
    given = answers(tmp_path / "a.jsonl", 40)
    run(given, tmp_path / "one", jobs=1, rows=3)
    run(given, tmp_path / "three", jobs=3, rows=3)
    rows = [run(given, tmp_path / "shared", rows=3, shard=(at, 3)).rows for at in (2, 1, 3)]
    whole = contents(tmp_path / "one")
    assert contents(tmp_path / "three") == contents(tmp_path / "shared") == whole
    assert sum(rows) == 40 and len(whole) == 15


@pytest.mark.parametrize(
    "more, said",
    [
        ({"longest": 50}, "settings.longest: 100000 there, 50 now"),
        ({"claims": True}, "settings.tables"),
        ({"report": False}, "settings.report: True there, False now"),
        ({"form": "parquet"}, "settings.form: 'jsonl' there, 'parquet' now"),
        ({"rows": 4}, "rows_per_part: 5 there, 4 now"),
        ({"columns": Columns("answer")}, "input.answer_column: None there, 'answer' now"),
    ],
)
def test_a_folder_never_mixes_settings(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    pytest.importorskip("pyarrow", reason="the extra batch")
    given, out = answers(tmp_path / "a.jsonl", 10), tmp_path / "out"
    run(given, out, rows=5)
    whole = contents(out)
    with pytest.raises(BatchError, match="was begun otherwise") as refused:
        run(given, out, **{"rows": 5, **more})
    assert said in str(refused.value)
    assert contents(out) == whole


def test_a_folder_never_mixes_inputs_or_engines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, out = answers(tmp_path / "a.jsonl", 10), tmp_path / "out"
    run(given, out, rows=5)
    with pytest.raises(BatchError, match="the answers: they are other files now"):
        run(answers(tmp_path / "b.jsonl", 11), out, rows=5)
    engine = part_worker._engine
    monkeypatch.setattr(part_worker, "_engine", lambda one: {**engine(one), "embedder": "other"})
    for _ in ("finished", "not finished"):
        with pytest.raises(BatchError, match=r"engine\.embedder: 'by-table' there, 'other' now"):
            run(given, out, rows=5)
        next((out / "answers").iterdir()).unlink()


def test_a_file_system_without_hard_links_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*paths: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    given, out = answers(tmp_path / "a.jsonl", 10), tmp_path / "out"
    run(given, out, rows=5)
    next((out / "answers").iterdir()).unlink()
    assert run(given, out, rows=5).rows_before == 5
    assert len(read(out)) == 10
    with pytest.raises(BatchError, match="was begun otherwise"):
        run(given, out, rows=6)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    given, out = answers(tmp_path / "a.jsonl", 3), tmp_path / "out"
    out.mkdir()
    (out / "photo.jpg").write_bytes(b"mine")
    with pytest.raises(BatchError, match=r"holds photo\.jpg and no manifest\.json"):
        run(given, out)
    assert contents(out) == {"photo.jpg": b"mine"}
    (out / "photo.jpg").rename(out / "manifest.json")
    with pytest.raises(BatchError, match="is no manifest of a batch"):
        run(given, out)


def test_a_part_of_another_run_is_told_rather_than_read_as_ours(tmp_path: Path) -> None:
    given, out = answers(tmp_path / "a.jsonl", 10), tmp_path / "out"
    run(given, out, rows=5)
    next((out / "answers").iterdir()).rename(out / "answers" / "part-000000-0123456789abcdef.jsonl")
    with pytest.raises(BatchError, match=r"0123456789abcdef\.jsonl is no part of this run"):
        run(given, out, rows=5)


def test_a_second_run_of_the_same_share_is_refused_while_one_is_at_work(tmp_path: Path) -> None:
    given, out = answers(tmp_path / "a.jsonl", 10), tmp_path / "out"
    said = []

    def meanwhile(message: dict[str, Any]) -> None:
        if "ready" in message and not said:
            with pytest.raises(BatchError) as refused:
                run(given, out)
            said.append(str(refused.value))
            run(given, out, shard=(2, 2), rows=1)  # another share may

    run(given, out, meanwhile, rows=1, jobs=1)
    assert "another run is at work in" in said[0] and "--shard 1/2" in said[0]
    assert [row["id"] for row in read(out)] == [f"q{at}" for at in range(10)]


# --- when something breaks ----------------------------------------------------------------------


def test_a_disk_that_is_full_ends_the_run_and_what_was_done_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, out = answers(tmp_path / "a.jsonl", 30), tmp_path / "out"
    write, written_ = part_worker.write_part, []

    def full(path: Path, *rest: Any) -> None:
        if len(written_) == 2:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written_.append(path)
        write(path, *rest)

    monkeypatch.setattr(part_worker, "write_part", full)
    with pytest.raises(OSError, match="No space left on device") as failed:
        run(given, out, rows=5, jobs=1)
    assert "part-000002" in str(failed.value.filename)
    assert len(read(out)) == 10
    monkeypatch.setattr(part_worker, "write_part", write)
    assert run(given, out, rows=5).rows_before == 10
    assert [row["id"] for row in read(out)] == [f"q{at}" for at in range(30)]


def test_what_is_wrong_with_the_machine_ends_the_run_as_the_error_that_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(settings: Any) -> None:
        raise ModelNotFoundError("no embedding model 'minilm'")

    monkeypatch.setattr(part_worker, "_checker", missing)
    with pytest.raises(ModelNotFoundError, match="no embedding model"):
        run(answers(tmp_path / "a.jsonl", 3), tmp_path / "out")


class Dying(InThread):
    """A worker that is gone as soon as it is given a certain part, as often as told."""

    left = 0

    def send(self, message: Any) -> None:
        if message and message.get("part") == 1 and Dying.left:
            Dying.left -= 1
            message = None
        super().send(message)


def test_a_part_whose_process_dies_is_tried_again(tmp_path: Path) -> None:
    Dying.left, heard = 1, []
    outcome = run(
        answers(tmp_path / "a.jsonl", 20), tmp_path / "out", heard.append, Dying, rows=5, jobs=2
    )
    assert [message for message in heard if "lost" in message] == [
        {"lost": 1, "how": "exit code 0", "checked": 0}
    ]
    assert outcome.missing == ()
    assert [row["id"] for row in read(tmp_path / "out")] == [f"q{at}" for at in range(20)]


def test_a_part_that_kills_its_process_twice_is_named_and_the_others_are_done(
    tmp_path: Path,
) -> None:
    Dying.left = 2
    given, out = answers(tmp_path / "a.jsonl", 20), tmp_path / "out"
    assert run(given, out, None, Dying, rows=5, jobs=1).missing == (1,)
    assert {row["id"] for row in read(out)} == {f"q{at}" for at in (*range(5), *range(10, 20))}
    assert run(given, out, rows=5).rows_before == 15
    assert len(read(out)) == 20


def test_an_input_without_any_answer_is_refused_with_what_is_there(tmp_path: Path) -> None:
    given = written(tmp_path / "a.jsonl", [{"id": 1, "said": "The fee is 5%."}])
    with pytest.raises(BatchError, match=r"no row has an answer.*'id', 'said'.*--answer-column"):
        run(given, tmp_path / "out")
    with pytest.raises(BatchError, match="there is no row"):
        run(written(tmp_path / "b.jsonl", [""]), tmp_path / "out")
    with pytest.raises(DocumentError, match=r"answers come as \.jsonl, \.ndjson, \.csv"):
        run(written(tmp_path / "c.xlsx", ["id,answer"]), tmp_path / "out")
    with pytest.raises(DocumentError, match=r"c\.md: answers come as.*: halgo check .*c\.md"):
        run(written(tmp_path / "c.md", ["The fee is 5%."]), tmp_path / "out")
    folder = tmp_path / "texts"
    folder.mkdir()
    written(folder / "a.md", ["The fee is 5%."])
    with pytest.raises(DocumentError, match=r"no answers in .*: halgo check .*texts"):
        run(folder, tmp_path / "out")
    with pytest.raises(DocumentError, match="no such file or folder"):
        run(tmp_path / "none.jsonl", tmp_path / "out")
    assert contents(tmp_path / "out") == {}


def test_a_line_that_never_ends_is_an_error_of_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halgo.bulk.answer_rows.LONGEST_LINE", 100)
    lines: Lines = [
        {"id": "a", "answer": "The fee is 5%."},
        {"id": "b", "answer": "x" * 350},
        {"id": "c", "answer": "The fee is 5%."},
    ]
    run(written(tmp_path / "a.jsonl", lines), tmp_path / "out")
    assert [(row["id"], row["error"]) for row in read(tmp_path / "out")] == [
        ("a", None),
        ("row-1", "line 2: the line has more than 100 bytes, the most that is read"),
        ("c", None),
    ]


# --- Parquet ------------------------------------------------------------------------------------


def parquet(path: Path, **columns: Any) -> Path:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra batch")
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.table(columns), path, row_group_size=7
    )
    return path


def test_parquet_goes_in_and_out_with_types_that_stay(tmp_path: Path) -> None:
    texts = ["The fee is 5%.", None, "Wrong it is."] * 10
    given = parquet(tmp_path / "a.parquet", id=list(range(30)), response=texts)
    run(given, tmp_path / "out", rows=4, claims=True)
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "out" / "answers")
    assert table["id"].to_pylist() == [str(at) for at in range(30)]
    assert table["grounded"].to_pylist() == [True, None, False] * 10
    assert table["error"].to_pylist() == [None, "the answer is null", None] * 10
    kinds = {field.name: str(field.type) for field in table.schema}
    assert kinds["confidence"] == "double" and kinds["warnings"] == "list<element: string>"
    assert json.loads(table["report"][0].as_py())["claims"][0]["claim"] == "The fee is 5%."
    claims = pyarrow.parquet.read_table(tmp_path / "out" / "claims")
    assert claims["verdict"].to_pylist() == ["SUPPORTED", "CONTRADICTION"] * 10
    run(given, tmp_path / "again", rows=4, claims=True, jobs=1)
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_a_parquet_file_that_was_cut_short_is_told_before_any_work(tmp_path: Path) -> None:
    given = parquet(tmp_path / "a.parquet", answer=["The fee is 5%."] * 1000)
    whole = given.read_bytes()
    for size in (0, 3, 100, len(whole) // 2, len(whole) - 1):
        given.write_bytes(whole[:size])
        with pytest.raises(DocumentError, match=r"no whole Parquet file|cut short"):
            run(given, tmp_path / "out")
    assert contents(tmp_path / "out") == {}


def test_a_parquet_file_without_the_columns_names_those_that_it_has(tmp_path: Path) -> None:
    given = parquet(tmp_path / "a.parquet", key=[1], said=["The fee is 5%."])
    with pytest.raises(DocumentError, match="no column 'answer'; its columns are key, said"):
        run(given, tmp_path / "out")
    with pytest.raises(DocumentError, match="the column 'key' holds int64, not text"):
        run(given, tmp_path / "out", columns=Columns("key"))


# --- how it is divided --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows, each", [(1, 16), (4_096, 16), (25_600, 100), (256_000, 1000), (10**9, 1000)]
)
def test_parts_are_small_enough_to_lose_and_few_enough_to_list(rows: int, each: int) -> None:
    assert run_plan.rows_per_part(rows) == each


def test_a_process_that_nobody_listens_to_ends(tmp_path: Path) -> None:
    heard, told = os.pipe()
    asked, send = os.pipe()
    os.close(heard)
    os.write(send, json.dumps({"longest": 10, "report": True}).encode() + b"\n")
    with (
        os.fdopen(asked, "rb") as reads,
        os.fdopen(told, "wb", buffering=0) as writes,
        pytest.raises(BrokenPipeError),
    ):
        part_worker.serve(reads, writes)
    os.close(send)


@pytest.mark.usefixtures("without_models")
def test_documents_are_read_once_for_all_processes_and_nothing_of_them_is_left(
    tmp_path: Path,
) -> None:
    (tmp_path / "fees.md").write_text("The fee is 5 percent.", encoding="utf-8")
    given, out = answers(tmp_path / "a.jsonl", 3), tmp_path / "out"
    models = halgo.Halgorithm(embedder="lexical", entailment=None)
    found: list[int] = []

    def hear(message: dict[str, Any]) -> None:
        if "ready" in message:
            found.append(len(halgo.open_index(out / ".documents-1-of-1", halgorithm=models)))

    batch = Batch(answers=[given], out=out, docs=[tmp_path / "fees.md"], embedder="lexical")
    batch_run.run(batch, hear, InThread)
    assert found == [1]
    assert [path.name for path in out.glob(".*")] == [".lock-1-of-1"]


@pytest.mark.usefixtures("without_models")
def test_a_finished_folder_is_of_its_documents_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_worker, "_checker", CHECKER)
    fees, out = tmp_path / "fees.md", tmp_path / "out"
    fees.write_text("The fee is 5 percent.", encoding="utf-8")
    batch = Batch(
        answers=[answers(tmp_path / "a.jsonl", 3)],
        out=out,
        docs=[fees],
        embedder="lexical",
        entailment=None,
    )
    batch_run.run(batch, start=InThread)
    assert batch_run.run(batch, start=InThread).rows_before == 3
    whole = contents(out)
    fees.write_text("The fee is 9 percent.", encoding="utf-8")
    with pytest.raises(BatchError, match="the documents: they are others now, or have changed"):
        batch_run.run(batch, start=InThread)
    assert contents(out) == whole


# --- the command line ---------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`halgo batch` in a folder with a.jsonl, its workers being threads."""
    monkeypatch.setattr(batch_run, "Child", lambda threads: InThread())
    monkeypatch.chdir(tmp_path)
    answers(tmp_path / "a.jsonl", 40)
    return lambda *words: cli.main(["batch", "a.jsonl", *words])


def test_the_command_says_what_came_of_it(command: Any, capsys: Any, tmp_path: Path) -> None:
    with (tmp_path / "a.jsonl").open("a") as stream:
        stream.write("broken\n")
    assert command("--out", "out", "--index", "by hand") == 0
    assert capsys.readouterr().out == "out: 41 answers: 40 not grounded, 1 with an error\n"
    assert command("--out", "out", "--index", "by hand") == 0
    assert capsys.readouterr().out == "out: 41 answers: 41 were done before\n"
    assert command("--out", "half", "--index", "by hand", "--shard", "2/2") == 0
    assert capsys.readouterr().out == "half: 16 answers: 16 not grounded\n"


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_documents_that_answers_bring_are_told_of_where_they_are_not_read(
    tmp_path: Path, form: str
) -> None:
    own = [["The fee is 5%."], ["The fee is 6%."], None]
    if form == "parquet":
        given = parquet(tmp_path / "a.parquet", answer=["The fee is 5%."] * 3, contexts=own)
    else:
        lines: Lines = [{"answer": "The fee is 5%.", "contexts": one} for one in own]
        given = written(tmp_path / "a.jsonl", lines)
    (warning,) = run(given, tmp_path / "out").warnings
    assert warning == (
        f"{2 if form == 'jsonl' else 3} answers bring documents in a column 'contexts' that is not "
        "read; to check each against its own, give --docs-column contexts"
    )
    own_docs = Batch(answers=[given], out=tmp_path / "own", columns=Columns(documents="contexts"))
    assert batch_run.run(own_docs, start=InThread).warnings == ()


def test_lists_that_pandas_wrote_into_csv_are_lists_and_others_are_told_of_once(
    tmp_path: Path,
) -> None:
    pandas = pytest.importorskip("pandas")
    held: list[Any] = [["The fee is 5%.", "It's due."], [None, "a"], ["The fee is 5%.", None], []]
    given = tmp_path / "a.csv"
    pandas.DataFrame({"answer": ["The fee is 5%."] * 4, "own": held}).to_csv(given, index=False)
    columns = Columns(documents="own")
    rows = list(rows_of([given], columns))
    assert rows[0].documents == held[0] and rows[3].documents == []
    assert rows[2].documents == "['The fee is 5%.', None]"
    batch = Batch(answers=[given], out=tmp_path / "out", columns=columns, jobs=1)
    (warning,) = batch_run.run(batch, start=InThread).warnings
    assert warning == (
        "2 answers have a cell in the column 'own' that looks like a list of Python, or one "
        "cut short, but is read as one text; write JSON"
    )


def test_the_command_names_parts_that_are_missing(
    command: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Dying.left = 2
    monkeypatch.setattr(batch_run, "Child", lambda threads: Dying())
    assert command("--out", "out", "--index", "by hand", "--jobs", "1") == 70
    told = capsys.readouterr()
    assert told.out == "out: 40 answers: 24 not grounded\n"
    assert "worked on part 1 ended twice" in told.err and "fewer --jobs" in told.err


@pytest.mark.parametrize(
    "words, said",
    [
        (["--out", "out"], "give one of these"),
        (["--out", "out", "--docs", "d", "--docs-column", "c"], "give one of these"),
        (["--docs", "d"], "--out"),
        (["--out", "out", "--index", "i", "--shard", "0/4"], "'0/4' is no share"),
        (["--out", "out", "--index", "i", "--shard", "5/4"], "'5/4' is no share"),
        (["--out", "a.jsonl", "--index", "i"], "a.jsonl"),
    ],
)
def test_wrong_usage_is_told_before_any_work(
    command: Any, capsys: Any, words: list[str], said: str
) -> None:
    assert command(*words) == 2
    assert said in capsys.readouterr().err and STUB.asked == []


def test_an_interrupted_batch_says_that_it_goes_on(
    command: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch_run, "run", interrupted)
    assert command("--out", "out", "--index", "by hand") == 130
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "run the same again to go on" in err


def test_an_index_may_be_given_as_the_documents(command: Any, tmp_path: Path) -> None:
    (tmp_path / "handbook.halgo").write_bytes(b"read by the workers, who are by hand")
    assert command("--out", "out", "--docs", "handbook.halgo") == 0
    assert len(read(tmp_path / "out")) == 40
