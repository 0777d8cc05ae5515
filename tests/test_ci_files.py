"""action.yml and .pre-commit-hooks.yaml: what they run is run here, as a CI server would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from halgo.adapters import precommit

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCHEMAS = ROOT / ".cache" / "schemas"


def test_the_action_is_what_the_schema_of_actions_asks_for() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    path = SCHEMAS / "github-action.json"
    if not path.is_file():
        pytest.skip(f"no {path}: it is github-actions.json of the package check-jsonschema")
    jsonschema.validate(ACTION, json.loads(path.read_text(encoding="utf-8")))


def test_every_value_that_the_action_uses_is_one_of_its_inputs() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        # A value put into a script by the server would be read as part of it.
        assert "${{" not in step.get("run", "")


def checked(tmp_path: Path, **inputs: str) -> tuple[int, dict[str, str], str]:
    """Runs the action's last step as a server does: exit code, outputs, summary."""
    step = ACTION["runs"]["steps"][-1]
    given = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()}
    given |= inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.touch()
    done = subprocess.run(
        [
            shutil.which("bash") or "bash",
            *["--noprofile", "--norc", "-e", "-o", "pipefail", "-c"],
            step["run"],
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            **environment,
            **{name: str(path) for name, path in files.items()},
            "PYTHON": sys.executable,
            "RUNNER_TEMP": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = files["GITHUB_OUTPUT"].read_text(encoding="utf-8")
    outputs = dict(line.split("=", 1) for line in told.splitlines())
    assert outputs["exit-code"] == str(done.returncode), done.stderr
    return done.returncode, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")


@pytest.mark.models
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_checks_the_texts_of_a_repository(tmp_path: Path) -> None:
    for name, text in {
        "docs/fees.md": "A late fee of 1.5% per month applies. Payment is due within 30 days.",
        "made up/right.md": "Payment is due within 30 days.",
        "made up/wrong.md": "The late fee is 5% per month.",
        "more.jsonl": '{"answer": "Payment is due within 30 days."}',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    lexical = "--embedder=lexical\n--entailment=none"
    code, _, summary = checked(
        tmp_path, answers="made up\nmore.jsonl", arguments=lexical, junit="junit.xml"
    )
    assert code == 1 and "3 answers: 2 passed, 1 failed" in summary
    findings = json.loads((tmp_path / "halgo.sarif").read_text(encoding="utf-8"))
    (found,) = findings["runs"][0]["results"]
    assert found["ruleId"] == "contradiction"
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "made%20up/wrong.md"
    assert 'failures="1"' in (tmp_path / "junit.xml").read_text(encoding="utf-8")
    code, _, _ = checked(tmp_path, answers="made up/right.md", arguments=lexical, sarif="")
    assert code == 0
    assert checked(tmp_path, answers="gone.md", arguments=lexical)[0] == 2


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["language"] == "python" and hook["require_serial"] is True
    assert hook["entry"] == f"python -m {precommit.__name__}"


class Status:
    def __init__(self, found: Any) -> None:
        self.found, self.wrong = found, found is None


@pytest.mark.parametrize(
    "found, codes, calls",
    [
        ([1, 1], {}, [["check", "a.md"]]),
        ([1, None], {}, [["models", "fetch"], ["check", "a.md"]]),
        ([None], {"models": 3}, [["models", "fetch"]]),
    ],
)
def test_the_hook_gets_models_only_when_one_is_missing(
    found: list[Any], codes: dict[str, int], calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def halgo(words: list[str]) -> int:
        seen.append(words)
        return codes.get(words[0], 0)

    monkeypatch.setattr("halgo.models.status", lambda full: [Status(one) for one in found])
    monkeypatch.setattr(precommit, "halgo", halgo)
    assert precommit.main(["a.md"]) == codes.get("models", 0)
    assert seen == calls


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_a_name_that_is_no_utf_8_is_its_bytes_in_sarif_and_can_be_written_in_json_lines(
    tmp_path: Path,
) -> None:
    from halgo.adapters import cli
    from halgo.report import sarif

    assert sarif.uri("a\udcff\udcfe b.md") == "a%FF%FE%20b.md"
    assert sarif.uri("/x/a\udcff.md") == "file:///x/a%FF.md"
    assert sarif.uri("\u00e9\ud800.md") == "%C3%A9%3F.md"
    answer, docs, out = tmp_path / "a\udcff.md", tmp_path / "docs.md", tmp_path / "o.jsonl"
    answer.write_text("The fee is 6%.")
    docs.write_text("The fee is 5%.")
    models = ["--embedder", "lexical", "--entailment", "none"]
    words = ["check", str(answer), "--docs", str(docs), "-f", "jsonl", "-o", str(out), *models]
    assert cli.main(words) == 1
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["path"].encode() and told["path"].endswith("a?.md")
