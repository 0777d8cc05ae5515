"""The pipeline loaded with what is read of it alone, and models loaded side by side."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from halgo import Halgorithm, ModelNotFoundError, models
from halgo.facts import loading, parse

pytestmark = pytest.mark.models

TEXTS = (
    "Dr. Anna Costa-Haas didn't sell 40% of Acme Inc.'s pumps for $8m on 3 May 2021, did she?",
    "See https://example.org/a?b=1, e.g. §4(b): it's o'clock-ish :-) and naïve…",
    "The U.S. agency's fees (incl. VAT) weren't due; they'd been paid.",
)


def test_what_is_left_out_changes_no_parse() -> None:
    import spacy

    found = models.find("spacy-en")
    plain, trimmed = spacy.load(found.path), loading.load(found)
    assert trimmed.tokenizer.to_bytes() == plain.tokenizer.to_bytes()
    assert trimmed.pipe_names == plain.pipe_names
    for text in TEXTS:
        assert trimmed(text).to_bytes() == plain(text).to_bytes()


def test_a_pipeline_of_other_files_is_loaded_whole(tmp_path: Path) -> None:
    copy = tmp_path / "spacy-en"
    shutil.copytree(models.find("spacy-en").path, copy)
    found = models.Found("spacy-en", "pipeline", copy, "a copy", models.UNRECORDED)
    assert "senter" in loading.load(found).component_names
    assert "senter" not in loading.load(models.find("spacy-en")).component_names


def test_preloading_loads_each_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    monkeypatch.setattr(loading, "load", lambda found: loaded.append(found) or "pipeline")
    parse._pipeline.cache_clear()
    try:
        halgorithm = Halgorithm()
        halgorithm.preload()
        assert parse.pipeline() == "pipeline"
        assert halgorithm.embedder.dim == 384
        assert len(loaded) == 1
    finally:
        parse._pipeline.cache_clear()


def test_what_preloading_cannot_find_is_told_by_who_needs_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    halgorithm = Halgorithm(embedder=tmp_path / "nothing")
    halgorithm.preload()
    with pytest.raises(ModelNotFoundError, match="nothing"):
        assert halgorithm.embedder.dim
    assert capfd.readouterr().err == ""


_CHECK = """
import sys
sys.argv = ["halgo", "check", *sys.argv[1:]]
from halgo.adapters.start import main
code = main()
unused = ("torch", "spacy.cli", "weasel", "httpx", "asyncio")
idle = [name for name in unused if name in sys.modules]
import spacy
print(code, idle, callable(spacy.info))
import spacy.cli
assert spacy.cli.info is not None
"""


def test_a_check_on_the_command_line_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "doc.txt").write_text("The pump weighs 40 kg.", encoding="utf-8")
    (tmp_path / "answer.txt").write_text("The pump weighs 40 kg.", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _CHECK, "answer.txt", "--docs", "doc.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "0 [] True"
    assert "1 of 1 claim supported" in done.stdout


def test_a_bad_setting_in_the_environment_is_one_message(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "halgo", "--version"],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "HALGO_THREADS": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "halgo: HALGO_THREADS is a whole number from 1 up, not 'none'\n"
