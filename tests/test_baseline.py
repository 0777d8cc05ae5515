"""`halgo check --baseline`: what is known fails nothing, what is new does, what is gone is told."""

from __future__ import annotations

import io
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from small_values import claim_of, report_of

from halgo.adapters import cli
from halgo.report.baseline import Baseline, load, to_json
from halgo.report.located import UNASSESSED, Located
from halgo.types import ClaimResult, State, Verdict

CONTRACT = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
WRONG = "The late fee is 5% per month."
ABSENT = "Acme Ltd was founded in 1877."
RIGHT = "Payment is due within 30 days."
NOTHING = "Hello! How can I help you?"
SCHEMA = Path(__file__).parent.parent / ".cache" / "schemas" / "sarif-2.1.0.json"
MODELS = pytest.mark.models

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with docs/ and answers/, in which the test stands."""
    folder = tmp_path / "shop"
    for name, text in {
        "docs/contract.md": CONTRACT,
        "answers/absent.md": ABSENT,
        "answers/hello.md": NOTHING,
        "answers/right.md": RIGHT,
        "answers/wrong.md": f"{WRONG} {RIGHT}",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def check(*words: str, docs: str = "docs") -> int:
    return cli.main(
        ["check", *words, "--docs", docs, "--embedder", "lexical", "--entailment", "none"]
    )


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


def entries(name: str = "known.json") -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(Path(name).read_text(encoding="utf-8"))["findings"]
    return found


def said(capsys: Capture) -> str:
    """The line about the baseline."""
    (line,) = (one for one in capsys.readouterr().err.splitlines() if "known.json: " in one)
    return line.removeprefix("halgo: ")


# --- what is known, new and gone ----------------------------------------------------------------


@MODELS
def test_findings_that_were_there_before_fail_nothing_and_new_ones_do(
    place: Path, capsys: Capture
) -> None:
    assert check("answers") == 1
    assert check("answers", "--write-baseline", "known.json") == 0
    assert "known.json: 3 findings written" in capsys.readouterr().err
    assert check("answers", "--baseline", "known.json") == 0
    assert said(capsys) == "known.json: 3 findings known, 0 new"
    # Claims and lines before it, another wrapping and a change behind it move no finding.
    write("answers/wrong.md", f"# Terms\n\n{RIGHT}\n\nThe late fee is 5%\nper month. Thank you!\n")
    assert check("answers", "--baseline", "known.json") == 0
    write("answers/wrong.md", f"{ABSENT} {WRONG}")
    assert check("answers", "--baseline", "known.json") == 1
    assert "known.json: 3 findings known, 1 new\n" in capsys.readouterr().err
    assert check("answers", "--baseline", "known.json", "--fail-on", "contradiction") == 0
    write("answers/right.md", WRONG)  # the same claim in another file is another finding
    assert check("answers", "--baseline", "known.json", "--fail-on", "contradiction") == 1


@MODELS
def test_the_file_is_the_same_for_the_same_findings_and_holds_no_text(place: Path) -> None:
    assert check("answers", "--write-baseline", "known.json") == 0
    first = Path("known.json").read_text(encoding="utf-8")
    assert check("answers/wrong.md", "./answers", "--write-baseline", "known.json") == 0
    assert Path("known.json").read_text(encoding="utf-8") == first
    assert [(one["file"], one["verdict"]) for one in entries()] == [
        ("answers/absent.md", "HALLUCINATION"),
        ("answers/hello.md", "no_claims"),
        ("answers/wrong.md", "CONTRADICTION"),
    ]
    assert sum('"file"' in line for line in first.splitlines()) == 3  # a line a finding, for diffs
    assert "Acme" not in first and "fee" not in first and str(place) not in first


@MODELS
def test_findings_are_known_from_any_folder_and_where_all_of_it_was_moved(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check("answers", "--write-baseline", "known.json") == 0
    assert check(str(place / "answers"), "--baseline", str(place / "known.json")) == 0
    assert (
        check("answers/wrong.md", "answers/../answers/absent.md", "--baseline", "known.json") == 0
    )
    monkeypatch.chdir(place / "answers")
    assert check(".", "--baseline", "../known.json", docs="../docs") == 0
    shutil.copytree(place, place.parent / "moved")
    monkeypatch.chdir(place.parent)
    words = ("moved/answers", "--baseline", "moved/known.json")
    assert check(*words, docs="moved/docs") == 0


@MODELS
def test_what_is_gone_is_told_in_a_line_and_taken_out_by_a_run_that_passes(
    place: Path, capsys: Capture
) -> None:
    assert check("answers", "--write-baseline", "known.json") == 0
    write("answers/wrong.md", RIGHT)
    Path("answers/absent.md").unlink()
    capsys.readouterr()
    # A file that this run is not about is not gone, one that is no more is.
    assert check("answers/right.md", "--baseline", "known.json") == 0
    told = "known.json: 0 findings known, 0 new, 1 finding of it gone; --write-baseline known.json"
    assert said(capsys) == f"{told} beside it takes them out"
    assert check("answers", "--baseline", "known.json") == 0
    assert "1 finding known, 0 new, 2 findings of it gone" in said(capsys)

    both = ("--baseline", "known.json", "--write-baseline", "known.json")
    before = Path("known.json").read_bytes()
    write("answers/right.md", WRONG)
    assert check("answers", *both) == 1
    assert "known.json is not written: the run ends with exit code 1" in capsys.readouterr().err
    assert Path("known.json").read_bytes() == before
    assert check("answers/wrong.md", *both) == 0  # of which the others are kept
    assert [one["file"] for one in entries()] == ["answers/hello.md"]


@MODELS
def test_an_answer_that_cannot_be_read_is_not_gone_and_makes_no_baseline(
    place: Path, capsys: Capture
) -> None:
    assert check("answers", "--write-baseline", "known.json") == 0
    Path("answers/wrong.md").write_bytes(b"\0\1")
    capsys.readouterr()
    before = Path("known.json").read_bytes()
    assert check("answers", "--baseline", "known.json", "--write-baseline", "known.json") == 2
    err = capsys.readouterr().err
    assert "known.json: 2 findings known, 0 new\n" in err and "exit code 2" in err
    assert check("answers", "--write-baseline", "known.json") == 2
    assert Path("known.json").read_bytes() == before


@MODELS
def test_an_answer_without_a_claim_is_known_and_a_check_without_sources_never(
    place: Path,
) -> None:
    assert check("answers/hello.md", "--write-baseline", "known.json") == 0
    assert check("answers/hello.md", "--baseline", "known.json") == 0
    write("answers/new.md", NOTHING)
    assert check("answers/hello.md", "answers/new.md", "--baseline", "known.json") == 4
    write("docs/contract.md", "")
    assert check("answers/wrong.md", "--write-baseline", "known.json") == 4
    assert [one["file"] for one in entries()] == ["answers/hello.md"]


@MODELS
def test_json_lines_are_known_by_their_id_and_not_by_their_line(place: Path) -> None:
    rows: list[dict[str, str]] = [{"id": "q1", "answer": WRONG}, {"answer": ABSENT}]
    write("a.jsonl", "\n".join(map(json.dumps, rows)))
    assert check("a.jsonl", "--write-baseline", "known.json") == 0
    assert [one.get("answer") for one in entries()] == [None, "q1"]
    write("a.jsonl", "\n\n".join(map(json.dumps, [{"answer": RIGHT}, *reversed(rows)])))
    assert check("a.jsonl", "--baseline", "known.json") == 0
    write("a.jsonl", json.dumps({"id": "q2", "answer": WRONG}))
    assert check("a.jsonl", "--baseline", "known.json") == 1


@MODELS
def test_a_pipe_of_answers_has_a_baseline_too(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def piped(*rows: dict[str, str]) -> None:
        data = io.BytesIO("\n".join(map(json.dumps, rows)).encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

    known, new = {"id": "q1", "answer": WRONG}, {"id": "q2", "answer": ABSENT}
    piped(known)
    assert check("--stdin-jsonl", "--write-baseline", "known.json") == 0
    capsys.readouterr()
    piped(new, known)
    assert check("--stdin-jsonl", "--baseline", "known.json") == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["answer"], one["passes"], one["known"]) for one in lines] == [
        ("q2", False, []),
        ("q1", True, [1]),
    ]


# --- forms --------------------------------------------------------------------------------------


@MODELS
def test_a_known_finding_is_shown_and_marked_in_every_form(place: Path, capsys: Capture) -> None:
    assert check("answers", "--write-baseline", "known.json") == 0
    write("answers/right.md", ABSENT)
    capsys.readouterr()
    also = [
        w for form in ("junit", "sarif", "json", "markdown") for w in ("--also", f"{form}={form}")
    ]
    assert check("answers", "--baseline", "known.json", *also) == 1
    out = capsys.readouterr().out
    assert "1. CONTRADICTION 0.28, known\n" in out and "1. HALLUCINATION 0.18\n" in out
    assert out.endswith("4 answers: 2 passed, 1 failed, 1 not assessed\n")
    assert "| CONTRADICTION, known |" in Path("markdown").read_text(encoding="utf-8")

    answers = json.loads(Path("json").read_text(encoding="utf-8"))["answers"]
    assert [(one["passes"], one["known"]) for one in answers] == [
        (True, [1]),
        (None, [UNASSESSED]),
        (False, []),
        (True, [1]),
    ]

    suites = ElementTree.parse("junit").getroot()
    assert [suites.get(key) for key in ("failures", "errors", "skipped")] == ["1", "0", "3"]
    messages = [one.get("message") for one in suites.iter("skipped")]
    why = "The claim says 5%; the source says 1.5%."
    assert f"known from the baseline: CONTRADICTION: {why}" in messages

    whole = json.loads(Path("sarif").read_text(encoding="utf-8"))
    states = [(one["ruleId"], one["baselineState"]) for one in whole["runs"][0]["results"]]
    assert states == [
        ("hallucination", "unchanged"),
        ("not-assessed", "unchanged"),
        ("hallucination", "new"),
        ("contradiction", "unchanged"),
    ]
    if SCHEMA.is_file():
        jsonschema = pytest.importorskip("jsonschema")
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        checker = jsonschema.validators.validator_for(schema)(schema)
        assert [error.message for error in checker.iter_errors(whole)] == []


@MODELS
def test_one_answer_is_marked_as_several_are_and_none_without_a_baseline(
    place: Path, capsys: Capture
) -> None:
    words = ("answers/wrong.md", "--format", "json")
    assert check(*words, "--also", "sarif=x.sarif") == 1
    plain = json.loads(capsys.readouterr().out)
    assert "known" not in plain and "baselineState" not in Path("x.sarif").read_text("utf-8")
    assert check("answers/wrong.md", "--write-baseline", "known.json") == 0
    capsys.readouterr()
    assert check(*words, "--baseline", "known.json") == 0
    assert json.loads(capsys.readouterr().out) == {**plain, "known": [1]}
    assert check("answers/wrong.md", "--baseline", "known.json") == 0
    assert "CONTRADICTION 0.28, known\n" in capsys.readouterr().out


# --- files that are none ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot read the baseline known.json: No such file or directory; make it anew"),
        ("{", "known.json is not a baseline of halgo check: Expecting property name"),
        ("\xff", "known.json is not a baseline of halgo check: 'utf-8' codec"),
        ("[" * 100_000, "known.json is not a baseline of halgo check: "),
        ("[]", "it has no findings"),
        ('{"schema": 1, "engine": {}, "thresholds": [0.3, 0.6], "rows": []}', "it has no findings"),
        ('{"schema": 2, "findings": []}', "of a newer halgo: schema is 2, here it is 1"),
        ('{"schema": 1, "findings": [5]}', "is a damaged baseline: TypeError"),
        ('{"schema": 1, "findings": [{"file": "a"}]}', "damaged baseline: KeyError('verdict')"),
        ('{"schema": 1, "findings": [{"file": "a", "verdict": "BAD"}]}', "no verdict: 'BAD'"),
        ('{"schema": 1, "findings": [{"file": "a", "verdict": []}]}', "damaged baseline"),
        ('{"schema": 1, "findings": [{"file": 5, "verdict": "empty"}]}', "damaged baseline"),
    ],
)
def test_a_baseline_that_is_none_is_told_before_any_work(
    place: Path, capsys: Capture, text: str | None, told: str
) -> None:
    if text is not None:
        Path("known.json").write_bytes(text.encode("latin-1"))
    assert check("answers", "--baseline", "known.json") == 2
    out, err = capsys.readouterr()
    assert not out and told in err
    assert "(halgo check ... --write-baseline known.json)" in err


def test_a_gate_takes_no_baseline(place: Path, capsys: Capture) -> None:
    for option in ("--baseline", "--write-baseline"):
        assert check("answers/wrong.md", "--gate", "hedge", option, "known.json") == 2
        assert "a policy knows no baseline" in capsys.readouterr().err


# --- matching, without models -------------------------------------------------------------------


def located(*claims: tuple[str, Verdict], path: str = "a.md", **more: Any) -> Located:
    results = [
        ClaimResult(claim_of(text, number=number), verdict, "by_hand", "", 0.2, ())
        for number, (text, verdict) in enumerate(claims, start=1)
    ]
    return Located(path, report_of("\n".join(text for text, _ in claims), results, **more), path)


def known_of(before: Located, now: Located) -> list[int]:
    first = Baseline(None)
    first.mark(before)
    return sorted(Baseline(first.found).mark(now).known or ())


SUPPORTED, WEAK = Verdict.SUPPORTED, Verdict.WEAK_SUPPORT
ABSENT_, AGAINST = Verdict.HALLUCINATION, Verdict.CONTRADICTION


@pytest.mark.parametrize(
    ("before", "now", "known"),
    [
        ([("x", AGAINST)], [("y", AGAINST), ("x", AGAINST)], [2]),
        ([("x", AGAINST)], [("x", AGAINST), ("x", AGAINST)], [1]),  # as many as there were
        ([("x", AGAINST), ("x", AGAINST)], [("x", AGAINST), ("x", AGAINST)], [1, 2]),
        ([("x", AGAINST)], [("x", WEAK)], [1]),  # better than it was
        ([("x", WEAK)], [("x", AGAINST)], []),  # worse than it was
        ([("x", WEAK)], [("x", AGAINST), ("x", WEAK)], [2]),
        ([("x", ABSENT_), ("x", WEAK)], [("x", WEAK), ("x", ABSENT_)], [1, 2]),
        ([("x", SUPPORTED)], [("x", WEAK)], []),
    ],
)
def test_a_finding_is_known_once_and_never_by_a_milder_one(
    before: list[tuple[str, Verdict]], now: list[tuple[str, Verdict]], known: list[int]
) -> None:
    assert known_of(located(*before), located(*now)) == known


def test_what_it_stands_for_is_no_part_of_a_claim() -> None:
    (result,) = located(("It is 5%.", AGAINST)).report.results
    claim = replace(result.claim, resolved="The rent is 5%.")
    moved = report_of("It is 5%.", [replace(result, claim=claim)])
    assert known_of(located(("It  is 5%.", AGAINST)), Located("a.md", moved, "a.md")) == [1]


def test_a_worse_finding_is_new_and_the_milder_one_is_not_gone() -> None:
    first = Baseline(None)
    first.mark(located(("x", WEAK)))
    held = Baseline(first.found)
    held.mark(located(("x", AGAINST)))
    assert (held.new, held.gone) == (1, [])


def test_without_sources_nothing_is_known_or_gone() -> None:
    first = Baseline(None)
    assert first.mark(located(state=State.NO_SOURCES)).known == frozenset()
    first.mark(located(("x", WEAK)))
    held = Baseline(first.found)
    held.mark(located(state=State.NO_SOURCES))
    assert held.gone == [] and len(held.kept) == 1


def test_a_baseline_reads_back_as_it_was(tmp_path: Path) -> None:
    first = Baseline(None)
    for path in ("-", str(tmp_path / "ü \ud800.md"), str(tmp_path.parent / "b.md")):
        first.mark(located(("x", AGAINST), ("x", AGAINST), ("y", WEAK), path=path))
    text = to_json(first.found, tmp_path / "known.json")
    (tmp_path / "known.json").write_text(text, encoding="ascii")
    assert sorted(load(tmp_path / "known.json")) == sorted(first.found)
    assert '"file": "../b.md"' in text
    assert to_json(reversed(first.found), tmp_path / "known.json") == text
    assert json.loads(to_json([], tmp_path / "known.json"))["findings"] == []
