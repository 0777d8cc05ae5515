"""`halgo check --format html` and `halgo demo`: pages on disk, and a browser told to show one."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from halgo.adapters import demo_command
from halgo.adapters.cli import main

pytestmark = pytest.mark.models

QUICK = ["--embedder", "lexical", "--entailment", "none"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "fees.md").write_text("A late fee of 1.5% applies. Payment is due in May [1].")
    (tmp_path / "answer.txt").write_text("The late fee is 5%. Payment is due in May [7].")
    return [str(tmp_path / "answer.txt"), "--docs", str(tmp_path / "fees.md"), *QUICK]


def test_the_page_has_the_documents_what_may_be_sent_and_the_citations(
    files: list[str], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    assert main(["check", *files, "--format", "html", "-o", str(page)]) == 1
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>") and "fees.md" in html
    assert "policy STRIP_UNSUPPORTED" in html
    assert "the list of sources has no 7" in html or "<h3>Citations</h3>" in html


def test_a_gate_decides_what_may_be_sent_and_the_exit_code(
    files: list[str], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    command = ["check", *files, "--format", "html", "-o", str(page), "--gate"]
    assert main([*command, "audit-only"]) == 0
    assert "It may be sent as it is." in page.read_text(encoding="utf-8")
    assert main([*command, "strict-block"]) == 1
    assert "It may not be sent; this is shown instead." in page.read_text(encoding="utf-8")


def test_split_writes_style_and_script_beside_the_page(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "out" / "my.report.html"
    page.parent.mkdir()
    command = ["check", *files, "--format", "html", "--assets", "split"]
    assert main([*command, "-o", str(page)]) == 1
    names = ["my.report.css", "my.report.html", "my.report.js"]
    assert sorted(path.name for path in page.parent.iterdir()) == names
    html = page.read_text(encoding="utf-8")
    assert 'href="my.report.css"' in html and 'src="my.report.js"' in html
    assert "<style" not in html


def test_split_without_a_place_says_what_is_missing(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files, "--format", "html", "--assets", "split"]) == 2
    assert "--output: three files are written" in capsys.readouterr().err


def test_the_demo_writes_the_examples_report_and_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: shown.append(url) or True)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(tmp_path)
    assert main(["demo", *QUICK]) == 0
    page = tmp_path / "halgo-demo.html"
    html = page.read_text(encoding="utf-8")
    assert "Northwind Analytics" in html and "contradicted" in html
    assert str(demo_command.example()) not in html  # no path of this machine
    assert shown == [page.as_uri()]
    assert "halgo-demo.html: the report, as a page" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--no-open"], []])
def test_without_a_screen_or_when_told_so_no_browser_is_started(
    option: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda url: pytest.fail("a browser was started"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(["demo", "-o", str(tmp_path / "demo.html"), *option, *QUICK]) == 0
    assert (tmp_path / "demo.html").exists()
    assert ("open the file yourself" in capsys.readouterr().err) is (not option)


def test_a_missing_example_is_named_with_the_places_that_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo_command, "files", lambda package: tmp_path / package)
    assert main(["demo", "-o", str(tmp_path / "demo.html"), *QUICK]) == 2
    said = capsys.readouterr().err
    assert str(tmp_path / "halgo" / "examples") in said and "install halgo again" in said
