"""`halgo calibrate` and `halgo evaluate`: what they print and write, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from small_golden import ByNumber

from halgo import Config
from halgo.adapters import cli

Capture = pytest.CaptureFixture[str]
SCHEMA = Path(__file__).parent.parent / ".cache" / "schemas" / "sarif-2.1.0.json"


@pytest.fixture(autouse=True)
def by_number(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Stands in for the models; gives what was asked of each."""
    asked: list[dict[str, Any]] = []

    def made(config: Config, **names: Any) -> ByNumber:
        asked.append({"config": config, **names})
        return ByNumber(config)

    monkeypatch.setattr("halgo.halgorithm.Halgorithm", made)
    return asked


def golden(folder: Path, *rows: tuple[str, int], name: str = "golden.jsonl") -> str:
    lines = [
        json.dumps({"id": f"r{at}", "documents": f"d{at}", "claim": text, "label": label})
        for at, (text, label) in enumerate(rows)
    ]
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def many(folder: Path) -> str:
    """Sixty rows, supported from 0.45 up; ten of those below are above 0.2."""
    return golden(folder, *((f"{at / 60:.3f} a", int(at > 27)) for at in range(60)))


# --- evaluate -----------------------------------------------------------------------------------


def test_figures_and_the_wrong_rows_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = golden(tmp_path, ("0.9 a", 1), ("0.8 b", 0), ("0.1 c", 0))
    assert cli.main(["evaluate", file]) == 0
    out, err = capsys.readouterr()
    assert not err and "3 rows" in out
    assert "unsupported      1.000     0.500     0.667" in out
    assert "  r1: unsupported, found SUPPORTED (0.80)\n" in out
    assert "      claim:   0.8 b\n      nearest: The fee is 1.5%. (d)\n" in out


def test_a_wrong_row_is_told_with_its_worst_claim_why_and_by_which_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = answers(tmp_path, ("0.9 a; 0.8 against; 0.1 c", "supported"))
    assert cli.main(["evaluate", file]) == 0
    out = capsys.readouterr().out
    assert "  r0: supported, found CONTRADICTION (0.10)\n" in out
    assert "CONTRADICTION (score 0.60, number_conflict): 5% against 1.5%\n" in out
    assert cli.main(["evaluate", file, "--json"]) == 0
    (wrong,) = json.loads(capsys.readouterr().out)["wrong"]
    assert wrong["worst"] == {
        "claim": "0.8 against",
        "verdict": "CONTRADICTION",
        "score": 0.6,
        "reason": "number_conflict",
        "message": "5% against 1.5%",
        "source": "d",
        "passage": "The fee is 1.5%.",
    }


@pytest.mark.parametrize(("least", "code"), [("0.6", 0), ("0.7", 1)])
def test_too_low_an_f1_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], least: str, code: int
) -> None:
    file = golden(tmp_path, ("0.9 a", 1), ("0.8 b", 0), ("0.1 c", 0))
    assert cli.main(["evaluate", file, "--min-f1", least]) == code
    assert ("FAILED: F1" in capsys.readouterr().out) == (code == 1)


def test_a_real_drop_fails_and_names_the_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, run = many(tmp_path), str(tmp_path / "run.json")
    assert cli.main(["evaluate", file, "--record", run]) == 0
    assert cli.main(["evaluate", file, "--against", run]) == 0
    assert "no row turned" in capsys.readouterr().out
    settings = tmp_path / "halgo.toml"
    settings.write_text("support_threshold = 0.9\n", encoding="utf-8")
    before = Path(run).read_bytes()
    options = ["--config", str(settings), "--against", run, "--record", run]
    assert cli.main(["evaluate", file, *options]) == 1
    out = capsys.readouterr().out
    assert "FAILED: balanced_accuracy really dropped" in out
    assert "turned wrong: r40 (supported), SUPPORTED then, WEAK_SUPPORT now" in out
    assert "cut points: (0.3, 0.65) then, (0.3, 0.9) now" in out
    assert Path(run).read_bytes() == before  # the worse run does not take its place


def test_a_misspelt_key_is_told_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"docs": "d", "claim": "0.9 a", "label": 1, "questoin": "What is a?"}
    (tmp_path / "golden.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert cli.main(["evaluate", str(tmp_path / "golden.jsonl")]) == 0
    assert 'the key "questoin" is not read; "question" would be' in capsys.readouterr().err


def test_json_holds_what_the_text_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run = many(tmp_path), str(tmp_path / "run.json")
    cli.main(["evaluate", file, "--record", run])
    capsys.readouterr()
    assert cli.main(["evaluate", file, "--against", run, "--min-f1", "0.99", "--json"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert values["failed"] and values["against"]["dropped"] is False
    assert values["figures"]["f1"] == values["figures"]["unsupported"]["f1"]
    assert {row["id"] for row in values["wrong"]} == {f"r{at}" for at in range(28, 39)}


def test_labels_that_seem_turned_round_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = golden(tmp_path, *((f"0.{at} a", int(at < 5)) for at in range(10)))
    cli.main(["evaluate", file])
    assert "are the labels turned round (1 = hallucinated)?" in capsys.readouterr().out
    cli.main(["evaluate", file, "--json"])
    assert "turned round" in json.loads(capsys.readouterr().out)["figures"]["hint"]
    cli.main(["evaluate", many(tmp_path)])
    assert "turned round" not in capsys.readouterr().out


def test_worse_answers_under_the_same_ids_fail_and_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(tmp_path / "run.json")
    good = [(f"0.9 a{at}", 1) for at in range(30)]
    bad = [("0.1 b", 0)]
    cli.main(["evaluate", golden(tmp_path, *good, *bad), "--record", run])
    capsys.readouterr()
    worse = golden(tmp_path, *((f"0.2 c{at}", 1) for at in range(30)), *bad)
    assert cli.main(["evaluate", worse, "--against", run]) == 1
    out = capsys.readouterr().out
    assert "30 rows with other documents or another text than then, compared as well:\n" in out
    assert "    r0: was SUPPORTED, is HALLUCINATION\n" in out
    assert "FAILED: f1 really dropped" in out and "new here" not in out


def test_rows_that_could_not_be_assessed_are_named_and_may_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "golden.jsonl"
    rows = (("q1", "0.9 a"), ("q2", "-"), ("q3", "-"))
    lines = [{"id": name, "docs": "d", "answer": text, "label": 1} for name, text in rows]
    for line in lines:
        line["docs"] = line["id"]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert cli.main(["evaluate", str(path), "--max-not-assessed", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 row (2 more could not be assessed: no claim to check)\n")
    assert "  not assessed: q2\n  not assessed: q3\n" in out
    assert cli.main(["evaluate", str(path), "--max-not-assessed", "1", "--json"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert values["not_assessed"] == ["q2", "q3"]
    assert values["failed"] == ["2 rows could not be assessed, more than 1"]


def answers(folder: Path, *rows: tuple[str, object]) -> str:
    lines = [
        {"id": f"r{at}", "documents": f"d{at}", "answer": text, "label": label}
        for at, (text, label) in enumerate(rows)
    ]
    path = folder / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


# --- exact verdicts, and what CI systems read ---------------------------------------------------


def exact(folder: Path) -> str:
    """A row as it should be, one of another verdict, one that is wrong, one without a claim."""
    rows = [
        {"id": "good", "docs": "d", "claim": "0.8 against", "verdict": "CONTRADICTION"},
        {"id": "other", "docs": "d", "claim": "0.1 b", "label": 0, "verdict": "CONTRADICTION"},
        {"id": "wrong", "docs": "d", "claim": "0.1 c", "label": 1},
        {"docs": "d", "answer": "-", "label": 0},
    ]
    path = folder / "exact.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def test_rows_of_another_verdict_than_they_name_are_listed_apart(
    tmp_path: Path, capsys: Capture
) -> None:
    assert cli.main(["evaluate", exact(tmp_path)]) == 0
    out = capsys.readouterr().out
    told = "  other: expected CONTRADICTION, found HALLUCINATION (0.10)\n  HALLUCINATION"
    assert f"exact verdicts expected: 2 rows, another one found in 1:\n{told}" in out
    assert "1 verdict a careful reader would not give:\n  wrong: " in out
    cli.main(["evaluate", exact(tmp_path), "--json"])
    values = json.loads(capsys.readouterr().out)
    (row,) = values["wrong_verdicts"]
    assert (row["id"], row["expected"], row["verdict"]) == (
        "other",
        ["CONTRADICTION"],
        "HALLUCINATION",
    )
    assert row["worst"]["claim"] == "0.1 b"
    assert (values["figures"]["expected"], values["figures"]["wrong_verdicts"]) == (2, 1)
    assert [one["id"] for one in values["wrong"]] == ["wrong"]


def test_too_many_other_verdicts_fail(tmp_path: Path, capsys: Capture) -> None:
    words = ["evaluate", exact(tmp_path), "--max-wrong-verdicts"]
    assert cli.main([*words, "1"]) == 0
    assert cli.main([*words, "0"]) == 1
    said = "FAILED: 1 row has another verdict than expected, more than 0\n"
    assert said in capsys.readouterr().out
    # A limit that can never be reached is no check.
    words = ["evaluate", golden(tmp_path, ("0.9 a", 1)), "--max-wrong-verdicts", "0"]
    assert cli.main(words) == 2
    assert "no row names a verdict" in capsys.readouterr().err


def test_junit_has_a_test_a_row_and_sarif_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    exact(tmp_path)
    words = ["evaluate", "exact.jsonl", "--max-wrong-verdicts", "0", "-f", "junit", "-o", "x.xml"]
    assert cli.main([*words, "--also", "sarif=x.sarif", "--also", "text=x.txt"]) == 1
    out, err = capsys.readouterr()
    assert not out and err == (
        "halgo: 4 rows: 1 wrong, 1 of 2 with another verdict\n"
        "halgo: FAILED: 1 row has another verdict than expected, more than 0\n"
    )
    (suite,) = ElementTree.parse("x.xml").getroot()
    assert [suite.get(key) for key in ("name", "tests", "failures", "skipped")] == [
        "exact.jsonl",
        "4",
        "2",
        "1",
    ]
    good, other, wrong, none = suite.iter("testcase")
    assert len(good) == 0 and none.find("skipped") is not None
    assert [(one.get("name"), one.get("file"), one.get("line")) for one in (other, none)] == [
        ("other", "exact.jsonl", "2"),
        ("line-4", "exact.jsonl", "4"),
    ]
    messages = [one.find("failure").get("message") for one in (other, wrong)]  # type: ignore[union-attr]
    assert messages == [
        "labelled unsupported, expected CONTRADICTION, found HALLUCINATION (0.10)",
        "labelled supported, found HALLUCINATION (0.10)",
    ]
    assert (suite.findtext("system-err") or "").startswith("1 row has another verdict")

    (run,) = json.loads(Path("x.sarif").read_text(encoding="utf-8"))["runs"]
    found = [(one["ruleId"], one["level"], one["ruleIndex"]) for one in run["results"]]
    assert found == [
        ("wrong-verdict", "warning", 1),
        ("wrong", "error", 0),
        ("not-assessed", "note", 2),
    ]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "exact.jsonl"}, "region": {"startLine": 2}}
    assert "FAILED: 1 row has" in Path("x.txt").read_text(encoding="utf-8")


def test_a_finding_points_at_the_document_beside_the_golden_file_and_not_at_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sets").mkdir()
    Path("sets/d").write_text("The fee is 1.5%.", encoding="utf-8")

    def finding() -> dict[str, Any]:
        assert cli.main(["evaluate", "sets/golden.jsonl", "-f", "sarif"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        return found  # type: ignore[no-any-return]

    golden(Path("sets"), ("0.1 a", 1))
    first = finding()
    place = first["relatedLocations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "sets/d"}
    rows = [{"docs": "x", "claim": "0.1 a", "label": 1}]
    path = Path("sets/golden.jsonl")
    path.write_text(json.dumps(rows[0]), encoding="utf-8")
    before = finding()
    path.write_text(f"\n\n{json.dumps(rows[0])}", encoding="utf-8")
    after = finding()
    assert before["locations"] != after["locations"]
    assert before["partialFingerprints"] == after["partialFingerprints"]


def test_the_sarif_of_rows_is_what_its_schema_asks_for(tmp_path: Path, capsys: Capture) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip(f"no {SCHEMA}: in the npm package @microsoft/jest-sarif, lib/schemas")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    cli.main(["evaluate", exact(tmp_path), "-f", "sarif", "--min-f1", "1"])
    whole = json.loads(capsys.readouterr().out)
    checker = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in checker.iter_errors(whole)] == []


def test_json_is_a_form_like_the_others(tmp_path: Path, capsys: Capture) -> None:
    file = exact(tmp_path)
    outs = []
    for words in (["--json"], ["-f", "json"], ["-f", "json", "-o", str(tmp_path / "x.json")]):
        assert cli.main(["evaluate", file, *words]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1] == (tmp_path / "x.json").read_text(encoding="utf-8")
    for words, said in (
        (["--json", "-f", "junit"], "is --format json; give one"),
        (["-f", "csv"], "'csv' is not one of 'text', 'json', 'sarif', 'junit'"),
        (["--also", "html=x.html"], "'html' is not one of 'text', 'json', 'sarif', 'junit'"),
    ):
        assert cli.main(["evaluate", file, *words]) == 2
        assert said in capsys.readouterr().err


def test_refusals_are_told_by_the_label_and_fail_where_an_answer_was_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, declined = str(tmp_path / "run.json"), ("?", "refusal")
    good = [("0.9 a", 1)] * 20
    cli.main(["evaluate", answers(tmp_path, declined, *good), "--record", run])
    assert "1 row labelled refusal, of which 1 decline" in capsys.readouterr().out
    gave_up = answers(tmp_path, ("0.8 a", "refusal"), *[("?", 1)] * 10, *good[10:])
    assert cli.main(["evaluate", gave_up, "--against", run]) == 1
    out = capsys.readouterr().out
    assert "  turned wrong: r1 (supported), SUPPORTED then, refusal now\n" in out
    assert "  turned wrong: r0 (refusal), refusal then, SUPPORTED now\n" in out
    assert "  r0: refusal, found SUPPORTED (0.80)\n" in out and "FAILED: accuracy" in out


def test_rows_with_another_label_than_then_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(tmp_path / "run.json")
    cli.main(["evaluate", golden(tmp_path, ("0.9 a", 1), ("0.1 b", 0)), "--record", run])
    relabelled = golden(tmp_path, ("0.9 a", 0), ("0.1 b", 0))
    assert cli.main(["evaluate", relabelled, "--against", run]) == 0
    said = "  1 row has another label than then:\n    r0: was supported, is unsupported\n"
    assert said in capsys.readouterr().out


def test_usage_and_bad_files_end_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], by_number: list[dict[str, Any]]
) -> None:
    file = golden(tmp_path, ("0.9 a", 1))
    (tmp_path / "bad.jsonl").write_text('{"claim": "x"}', encoding="utf-8")
    for arguments, said in (
        (
            ["evaluate", str(tmp_path / "bad.jsonl")],
            "line 1: documents, docs, contexts or files is missing",
        ),
        (["evaluate", str(tmp_path / "none.jsonl")], "cannot read"),
        (["evaluate", file, "--min-f1", "2"], "from 0 to 1"),
        (["evaluate", file, "--min-f1", "0.5"], "no row is unsupported"),
        (["evaluate", file, "--against", file], "is not a saved run"),
        (["evaluate", file, "--record", str(tmp_path / "no" / "run.json")], "there is no folder"),
        (["calibrate", file, "--out", str(tmp_path)], "is a folder"),
        (["calibrate", file, "--out", str(tmp_path / "x.json"), "--precision", "0"], "above 0"),
        (["calibrate", file, "--out", str(tmp_path / "x.json")], "It lacks"),
    ):
        assert cli.main(arguments) == 2, arguments
        out, err = capsys.readouterr()
        assert said in err and not out, arguments
    assert not (tmp_path / "x.json").exists()
    assert by_number[0]["embedder"] == "minilm"


def test_a_missing_model_ends_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from halgo import ModelNotFoundError

    def missing(*_: object) -> None:
        raise ModelNotFoundError("no embedding model")

    monkeypatch.setattr(ByNumber, "checker", missing)
    assert cli.main(["evaluate", golden(tmp_path, ("0.9 a", 1))]) == 3
    assert "no embedding model" in capsys.readouterr().err


# --- calibrate ----------------------------------------------------------------------------------


def test_a_calibration_is_written_with_its_diagram(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], by_number: list[dict[str, Any]]
) -> None:
    out, svg = tmp_path / "legal.json", tmp_path / "legal.svg"
    arguments = ["calibrate", many(tmp_path), "--out", str(out), "--diagram", str(svg)]
    options = ["--name", "legal", "--date", "2026-11-01", "--entailment", "none"]
    assert cli.main([*arguments, *options]) == 0
    text = capsys.readouterr().out
    assert "60 rows, logistic curve" in text and text.count("<- chosen") == 1
    made = Config.calibrated(out).calibration
    assert made is not None and (made.name, made.rows, made.made) == ("legal", 60, "2026-11-01")
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert by_number[0]["entailment"] is None


def test_a_domain_is_called_as_its_file_and_json_is_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.json"
    assert cli.main(["calibrate", many(tmp_path), "--out", str(out), "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed == out.read_text(encoding="utf-8")
    assert json.loads(printed)["name"] == "golden"


def test_what_is_calibrated_evaluates_better(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, run = many(tmp_path), tmp_path / "legal.json", str(tmp_path / "run.json")
    cli.main(["evaluate", file, "--record", run])
    cli.main(["calibrate", file, "--out", str(out)])
    settings = tmp_path / "halgo.toml"
    settings.write_text('[halgo]\ncalibration = "legal.json"\n', encoding="utf-8")
    capsys.readouterr()
    assert cli.main(["evaluate", file, "--config", str(settings), "--against", run]) == 0
    assert "turned right: r38" in capsys.readouterr().out


def test_a_figure_that_gets_worse_is_told_with_the_row_to_take() -> None:
    from types import SimpleNamespace as Any_

    from halgo.adapters.golden_commands import _worse

    def row(level: float, recall: float) -> Any_:
        found = Any_(recall=recall)
        return Any_(threshold=level, supported=found, unsupported=found)

    table = (row(0.27, 0.8), row(0.4, 0.9))
    worse = {"before": {"balanced_accuracy": 0.833}, "after": {"balanced_accuracy": 0.825}}
    said = " ".join(_worse(Any_(table=table, **worse)))  # type: ignore[arg-type]
    assert "gets worse, 0.833 to 0.825" in said and "support_threshold = 0.40 behind" in said
    same = {"before": worse["before"], "after": worse["before"]}
    assert _worse(Any_(table=table, **same)) == []  # type: ignore[arg-type]
