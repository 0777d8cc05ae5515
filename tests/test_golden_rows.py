"""Golden files: what a row may be, and what is said of one that is malformed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.errors import GoldenError
from halgo.golden.rows import Label, Row, parse, read, same_documents
from halgo.types import Verdict

GOOD = {"documents": ["The fee is 5%."], "claim": "The fee is 5%.", "label": "supported"}


def rows_of(*given: dict[str, object] | bytes, folder: Path = Path()) -> list[Row]:
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in given]
    return parse(b"\n".join(lines), "golden.jsonl", folder)


def reason(*given: dict[str, object] | bytes) -> str:
    with pytest.raises(GoldenError) as error:
        rows_of(*given)
    return str(error.value)


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("supported", Label.SUPPORTED),
        ("SUPPORTED", Label.SUPPORTED),
        (True, Label.SUPPORTED),
        (1, Label.SUPPORTED),
        ("1", Label.SUPPORTED),
        (1.0, Label.SUPPORTED),
        ("1.0", Label.SUPPORTED),
        (0.0, Label.UNSUPPORTED),
        (" Unsupported ", Label.UNSUPPORTED),
        ("HALLUCINATION", Label.UNSUPPORTED),
        ("WEAK_SUPPORT", Label.UNSUPPORTED),
        (False, Label.UNSUPPORTED),
        (0, Label.UNSUPPORTED),
        ("contradicted", Label.CONTRADICTED),
        ("CONTRADICTION", Label.CONTRADICTED),
    ],
)
def test_a_label_may_be_written_in_several_ways(label: object, meant: Label) -> None:
    assert rows_of({**GOOD, "label": label})[0].label is meant


@pytest.mark.parametrize(
    ("verdict", "more", "label", "meant"),
    [
        ("CONTRADICTION", {}, Label.CONTRADICTED, [Verdict.CONTRADICTION]),
        (" weak_support ", {}, Label.UNSUPPORTED, [Verdict.WEAK_SUPPORT]),
        ("SUPPORTED", {"label": None}, Label.SUPPORTED, [Verdict.SUPPORTED]),
        (
            ["HALLUCINATION", "CONTRADICTION", "CONTRADICTION"],
            {},
            Label.UNSUPPORTED,
            [Verdict.CONTRADICTION, Verdict.HALLUCINATION],
        ),
        ("CONTRADICTION", {"label": 0}, Label.UNSUPPORTED, [Verdict.CONTRADICTION]),
        (
            ["WEAK_SUPPORT", "SUPPORTED"],
            {"label": 1},
            Label.SUPPORTED,
            [Verdict.SUPPORTED, Verdict.WEAK_SUPPORT],
        ),
        (None, {"label": 1}, Label.SUPPORTED, []),
    ],
)
def test_a_row_may_name_the_verdicts_it_allows_beside_its_label_or_instead(
    verdict: object, more: dict[str, object], label: Label, meant: list[Verdict]
) -> None:
    (found,) = rows_of({"docs": "x", "claim": "y", "verdict": verdict, **more})
    assert found.label is label and list(found.verdicts) == meant


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"verdict": "CONTRADICTON"}, 'not "CONTRADICTON" (the nearest is CONTRADICTION)'),
        ({"verdict": ["SUPPORTED", "weak support"]}, "(the nearest is WEAK_SUPPORT)"),
        ({"verdict": "contradicted"}, "(the nearest is CONTRADICTION)"),
        ({"verdict": "unsupported"}, "(the nearest is HALLUCINATION)"),  # not its opposite
        ({"verdict": 5}, "HALLUCINATION, not 5"),
        ({"verdict": {}}, "HALLUCINATION, not {}"),
        ({"verdict": []}, "verdict is an empty list"),
        ({"verdict": ["SUPPORTED", "WEAK_SUPPORT"]}, "leaves open whether it is supported"),
        (
            {"label": 1, "verdict": "CONTRADICTION"},
            "the label supported and the verdict CONTRADICTION exclude each other; correct one",
        ),
        ({"label": "contradicted", "verdict": "HALLUCINATION"}, "exclude each other"),
        ({"label": 0, "verdict": "SUPPORTED"}, "exclude each other"),
    ],
)
def test_a_verdict_that_is_none_or_that_the_label_denies_is_an_error(
    given: dict[str, object], said: str
) -> None:
    assert said in reason({"docs": "x", "claim": "y", **given})


def test_a_refusal_has_no_verdict() -> None:
    row = {"docs": "x", "answer": "y", "label": "refusal", "verdict": "SUPPORTED"}
    assert "the label refusal and the verdict SUPPORTED exclude each other" in reason(row)


def test_a_row_has_documents_a_claim_or_an_answer_and_what_else_it_names() -> None:
    claim, answer = rows_of(
        {**GOOD, "id": 7, "group": "fees", "note": "ours"},
        {"contexts": "The fee is 5%.", "answer": "It is 5%. Yes.", "label": "true"},
    )
    assert (claim.id, claim.group, claim.answer, claim.line) == ("7", "fees", False, 1)
    assert (answer.id, answer.answer, answer.documents[0].text) == (
        "line-2",
        True,
        "The fee is 5%.",
    )


def test_an_answer_may_be_labelled_a_refusal() -> None:
    (found,) = rows_of({"docs": "x", "answer": "I cannot say.", "label": "refusal"})
    assert found.label is Label.REFUSAL and not found.supported


def test_rows_about_the_same_documents_are_one_group_wherever_they_stand() -> None:
    first, other, second = rows_of(
        GOOD,
        {**GOOD, "documents": ["The fee is 6%."]},
        {**GOOD, "documents": {"text": "The fee is 5%.", "id": "x"}, "claim": "There is a fee."},
    )
    assert first.group == second.group != other.group
    assert [positions for _, positions in same_documents([first, other, first])] == [[0, 2], [1]]


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_passed_over() -> None:
    line = json.dumps(GOOD).encode()
    found = parse(b"\xef\xbb\xbf\r\n" + line + b"\r\n\n   \n", "golden.jsonl", Path())
    assert [row.line for row in found] == [2]


def test_a_line_separator_inside_a_text_ends_no_row() -> None:
    text = "one\u2028two"
    line = json.dumps({**GOOD, "claim": text}, ensure_ascii=False).encode()
    assert rows_of(line)[0].text == text


def test_files_are_found_beside_the_golden_file_and_named_as_there(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "fees.md").write_text("The fee is 5%.", encoding="utf-8")
    line = {"files": ["docs/fees.md"], "claim": "The fee is 5%.", "label": 1}
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    (found,) = read(path)
    (document,) = found.documents
    assert (document.id, document.source) == ("docs/fees.md", "docs/fees.md")
    assert found.key == rows_of(GOOD)[0].key  # the same text, so the same row


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"{", "is no JSON: "),
        (b"[1]", "a row is a JSON object, not [1]"),
        (b'{"claim": "\xff"}', "is not UTF-8"),
        (b"[" * 100_000, "is no JSON that can be read"),
        (b'{"label": ' + b"9" * 5000 + b"}", "is no JSON that can be read"),
        ({"claim": "x", "label": 1}, "documents, docs, contexts or files is missing"),
        (
            {"docs": "x", "label": 1, "claims": ["x"]},
            'claim, answer, response or output is missing; there are "docs", "label", "claims"',
        ),
        ({**GOOD, "answer": "x"}, "has both claim and answer"),
        ({**GOOD, "docs": "x"}, "has both documents and docs"),
        ({**GOOD, "claim": " "}, "claim is empty"),
        ({"docs": "x", "answer": "", "label": 1}, "answer is empty"),
        ({"docs": "x", "answer": None, "label": 1}, "answer is null"),
        ({"contexts": None, "claim": "x", "label": 1}, "contexts is null"),
        ({**GOOD, "label": 0.5}, "unsupported, contradicted, refusal, not 0.5"),
        ({**GOOD, "label": float("nan")}, "unsupported, contradicted, refusal, not NaN"),
        ({**GOOD, "claim": 5}, "claim must be a text, not 5"),
        ({**GOOD, "documents": []}, "documents holds no text"),
        ({**GOOD, "documents": ["  "]}, "documents holds no text"),
        ({**GOOD, "documents": [5]}, "document 1 must be a string"),
        ({**GOOD, "documents": 5}, "documents must be a string, or a list"),
        ({**GOOD, "contexts": "x"}, "has both documents and contexts"),
        (
            {"docs": "x", "claim": "x", "expected": "supported", "note": "ours"},
            "label is missing: one of supported, unsupported, contradicted, refusal; "
            'not read: "expected", "note"',
        ),
        ({**GOOD, "label": "maybe"}, 'not "maybe"'),
        ({**GOOD, "label": 2}, "unsupported, contradicted, refusal, not 2"),
        ({**GOOD, "label": None}, "not null"),
        ({**GOOD, "label": "refusal"}, "refusal is for an answer"),
        ({**GOOD, "id": ["x"]}, "id must be a name"),
        ({"files": "no/such.md", "claim": "x", "label": 1}, "files: "),
        ({"files": 5, "claim": "x", "label": 1}, "files must be a path"),
    ],
)
def test_a_malformed_row_is_named_by_file_line_and_reason(
    bad: dict[str, object] | bytes, said: str
) -> None:
    message = reason(GOOD, bad)
    assert message.startswith("golden.jsonl: 1 row cannot be read\n  line 2: ")
    assert said in message


def test_all_bad_rows_are_listed_up_to_twenty() -> None:
    message = reason(*[b"{"] * 23, GOOD)
    assert message.count("\n  line ") == 20 and message.endswith("and 3 more")


def test_a_row_that_stands_twice_is_named_with_the_line_of_the_first() -> None:
    assert (
        "line 2: the same documents and text as line 1; take it out, or give it an id of its own"
    ) in reason({**GOOD, "id": "a"}, {**GOOD, "label": 0})
    assert "line 2: the same id as line 1" in reason(
        {**GOOD, "id": "a"}, {**GOOD, "id": "a", "claim": "x"}
    )


def test_the_same_answer_to_two_questions_is_two_rows_by_their_ids() -> None:
    found = rows_of({**GOOD, "id": "q1"}, {**GOOD, "id": "q2"}, {**GOOD, "claim": "x"})
    assert [(row.id, row.named) for row in found] == [("q1", True), ("q2", True), ("line-3", False)]
    assert found[0].key == found[1].key


def test_a_file_without_rows_or_without_a_file_says_so(tmp_path: Path) -> None:
    assert "holds no row" in reason(b"\n\n")
    with pytest.raises(GoldenError, match=r"cannot read .*no\.jsonl"):
        read(tmp_path / "no.jsonl")


def test_a_table_is_told_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "golden.csv").write_text("docs,claim,label\nx,x,1\n", encoding="utf-8")
    with pytest.raises(GoldenError, match=r"golden\.csv is a table; golden files are JSON lines"):
        read(tmp_path / "golden.csv")


@pytest.mark.parametrize("given", [[GOOD], None, GOOD])
def test_what_is_no_path_is_told_with_how_a_table_becomes_a_file(given: Any) -> None:
    with pytest.raises(TypeError, match=r"by its path, not as .*orient='records', lines=True"):
        read(given)


def test_an_answer_may_be_called_as_in_other_files_of_answers() -> None:
    rows = [rows_of({"docs": "x", key: "y", "label": 1})[0] for key in ("answer", "response")]
    assert rows[0].key == rows[1].key and rows[1].answer


def test_a_key_that_is_nearly_one_that_is_read_is_told_once() -> None:
    said: list[str] = []
    mine = {"questoin": "How much?", "question_id": 7, "note": "", "guide": "", "claims": []}
    rows = [{**GOOD, **mine, "id": str(at)} for at in range(2)]
    rows.append({**GOOD, "Gruop": "fees", "question": "How much?", "questions": 3, "id": "c"})
    rows.append({**GOOD, "verdcit": "SUPPORTED", "id": "d"})
    data = "\n".join(map(json.dumps, rows)).encode()
    assert len(parse(data, "golden.jsonl", Path(), said)) == 4
    assert said == [
        'golden.jsonl, line 1: the key "questoin" is not read; "question" would be',
        'golden.jsonl, line 3: the key "Gruop" is not read; "group" would be',
        'golden.jsonl, line 4: the key "verdcit" is not read; "verdict" would be',
    ]


def test_half_a_surrogate_pair_is_odd_content_and_no_crash() -> None:
    assert (
        rows_of(b'{"docs": "a \\ud800", "claim": "b \\udfff", "label": 1}')[0].label == "supported"
    )


@settings(max_examples=60)
@given(data=st.binary(max_size=80))
def test_any_bytes_are_rows_or_one_clear_error(data: bytes) -> None:
    try:
        assert parse(data, "golden.jsonl", Path("no/such/folder"))
    except GoldenError as error:
        assert "golden.jsonl" in str(error)


def test_the_example_file_has_rows_of_each_label_over_every_document() -> None:
    folder = Path(__file__).parent.parent / "examples"
    found = read(folder / "golden.jsonl")
    assert len(found) >= 30
    assert {row.label for row in found} == set(Label) - {Label.REFUSAL}
    assert {row.answer for row in found} == {True, False}
    named = {document.id for row in found for document in row.documents}
    assert named == {f"docs/{path.name}" for path in (folder / "docs").iterdir()}
