"""Where models are looked for, in which order, and what is said when there are none."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from halgo import models
from halgo.entailment.cross_encoder import resolve
from halgo.errors import ModelDamagedError, ModelNotFoundError
from halgo.evidence.embed import SentenceTransformerEmbedder
from halgo.facts import lexicon, parse
from halgo.models import Entry, File

CONTENT = b"weights"
DECISIVE = {
    "minilm": "weights.bin",
    "entailment": "model.onnx",
    "spacy-en": "ner/model",
    "wordnet": "index.noun",
}
FILES = {"weights.bin": File(len(CONTENT), hashlib.sha256(CONTENT).hexdigest())}


def toy(exact: bool = False, **more: object) -> Entry:
    return Entry(
        name="toy",
        kind="encoder",
        about="a toy",
        licence="MIT",
        exact=exact,
        marker="marker.json",
        versions={"1.0": FILES},
        **more,  # type: ignore[arg-type]
    )


def put(folder: Path, content: bytes = CONTENT) -> Path:
    folder.mkdir(parents=True)
    (folder / "marker.json").touch()
    (folder / "weights.bin").write_bytes(content)
    return folder


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine without models: each place of the search lies in a folder of its own."""
    for name in ("halgo_models", "checkout", "site", "prefix", "hub", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "checkout" / "setup.cfg").touch()
    (tmp_path / "checkout" / "halgo").mkdir()
    monkeypatch.setenv("HALGO_MODELS", str(tmp_path / "halgo_models"))
    monkeypatch.setattr(models, "__file__", str(tmp_path / "checkout" / "halgo" / "models.py"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    everywhere = toy(
        packages=("toy_model_package/model-*",),
        folders=(str(tmp_path / "elsewhere" / "toy"),),
        hub="someone/toy",
    )
    monkeypatch.setattr(models, "manifest", lambda: {"toy": everywhere})
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("toy_model_package")]:
        del sys.modules[name]


PLACES = [
    "halgo_models/toy",
    "checkout/models/toy",
    "site/toy_model_package/model-1.0",
    "prefix/share/halgo/models/toy",
    "elsewhere/toy",
    "hub/models--someone--toy/snapshots/abc",
]


@pytest.mark.parametrize("first", range(len(PLACES)))
def test_places_are_tried_in_their_order(machine: Path, first: int) -> None:
    for place in PLACES[first:]:
        put(machine / place)
    (machine / "site" / "toy_model_package").mkdir(exist_ok=True)
    (machine / "site" / "toy_model_package" / "__init__.py").write_text("raise SystemExit")
    found = models.find("toy")
    assert found.path == machine / PLACES[first]
    assert (found.name, found.kind, found.version) == ("toy", "encoder", "1.0")


def test_a_package_is_looked_into_without_importing_it(machine: Path) -> None:
    put(machine / "site" / "toy_model_package" / "model-1.0")
    (machine / "site" / "toy_model_package" / "__init__.py").write_text("raise SystemExit")
    assert models.find("toy").where == "package toy_model_package"
    assert "toy_model_package" not in sys.modules


def test_a_missing_model_names_every_place_and_the_fix(machine: Path) -> None:
    with pytest.raises(ModelNotFoundError) as caught:
        models.find("toy")
    message = str(caught.value)
    assert "halgo models fetch" in message
    assert caught.value.name == "toy"
    assert len(caught.value.searched) == len(PLACES)
    for place in (PLACES[0], PLACES[1], PLACES[3], PLACES[4]):
        assert str(machine / place) in message
    assert "package toy_model_package: not installed" in message


def test_a_named_folder_is_taken_as_it_is(machine: Path) -> None:
    mine = put(machine / "mine", b"weights of my own")
    found = models.find("toy", path=mine)
    assert (found.path, found.version) == (mine, "unrecorded")


def test_a_named_folder_without_the_model_is_an_error(machine: Path) -> None:
    put(machine / PLACES[0])
    for path, said in (("none", "no such folder"), ("site", "no marker.json in it")):
        with pytest.raises(ModelNotFoundError, match=said):
            models.find("toy", path=machine / path)


def test_half_an_encoder_is_passed_over_and_said(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = toy(exact=True)
    monkeypatch.setattr(models, "manifest", lambda: {"toy": exact})
    put(machine / PLACES[0], b"wei")
    with pytest.raises(ModelNotFoundError, match=r"weights\.bin has 3 bytes where 7 are recorded"):
        models.find("toy")
    put(machine / PLACES[3])
    assert models.find("toy").path == machine / PLACES[3]


def test_a_pipeline_of_ones_own_is_found_as_unrecorded(machine: Path) -> None:
    put(machine / PLACES[0], b"another pipeline")
    assert models.find("toy").version == "unrecorded"
    (line,) = models.status()
    assert (line.intact, line.fix) == (None, "")
    assert "measured" in line.problem


def test_an_unknown_name_is_an_error_with_the_names() -> None:
    with pytest.raises(ValueError, match=r"'nosuch'.*minilm, spacy-en, wordnet"):
        models.find("nosuch")


def test_status_tells_missing_intact_and_damaged_apart(machine: Path) -> None:
    (line,) = models.status()
    assert line.found is None
    assert (line.problem, line.fix) == ("missing", "halgo models fetch")
    assert len(line.searched) == len(PLACES)
    folder = put(machine / PLACES[0])
    (line,) = models.status()
    assert (line.intact, line.problem, line.fix) == (True, "", "")
    (folder / "weights.bin").write_bytes(b"weighty")  # as long, but not the same
    (line,) = models.status()
    assert line.intact is False
    assert "weights.bin" in line.problem
    assert line.fix == "run: halgo models fetch"
    (line,) = models.status(full=False)
    assert line.intact is None


@pytest.mark.parametrize("exact", [True, False])
def test_other_bytes_of_the_right_size_are_an_error_with_the_file_the_digests_and_the_fix(
    machine: Path, monkeypatch: pytest.MonkeyPatch, exact: bool
) -> None:
    monkeypatch.setattr(models, "manifest", lambda: {"toy": toy(exact)})
    folder = put(machine / PLACES[0])
    found = models.find("toy")
    assert models.compared(found) is found
    (folder / "weights.bin").write_bytes(b"weighty")
    with pytest.raises(ModelDamagedError) as caught:
        models.compared(models.find("toy"))
    message = str(caught.value)
    assert f"encoder 'toy' in {folder} is damaged" in message
    assert "weights.bin" in message
    assert hashlib.sha256(b"weighty").hexdigest()[:12] in message
    assert FILES["weights.bin"].sha256[:12] in message
    assert message.endswith("run: halgo models fetch")
    assert caught.value.name == "toy"


def test_a_file_that_is_gone_or_unreadable_when_it_is_loaded_is_named(machine: Path) -> None:
    folder = put(machine / PLACES[0])
    found = models.find("toy")
    (folder / "weights.bin").unlink()
    with pytest.raises(ModelDamagedError, match=r"weights\.bin: cannot be read \(No such file"):
        models.compared(found)


def test_a_model_of_ones_own_is_not_compared(machine: Path) -> None:
    mine = put(machine / "mine", b"weights of my own")
    found = models.find("toy", path=mine)
    (mine / "weights.bin").unlink()
    assert models.compared(found) is found


def test_a_file_is_read_again_only_once_it_was_written_to(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counting(path: Path, digest=models.sha256) -> str:
        read.append(path)
        return digest(path)

    monkeypatch.setattr(models, "sha256", counting)
    folder = put(machine / PLACES[0])
    for _ in range(3):
        models.compared(models.find("toy"))
    assert read == [folder / "weights.bin"]
    times = (folder / "weights.bin").stat()
    (folder / "weights.bin").write_bytes(b"weighty")
    os.utime(folder / "weights.bin", ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(ModelDamagedError):
        models.compared(models.find("toy"))
    assert len(read) == 2


def _reads(name: str) -> None:
    """Loads the model as a check does."""
    if name == "minilm":
        SentenceTransformerEmbedder().embed(["The late fee is 5%."])
    elif name == "entailment":
        resolve("default")
    elif name == "spacy-en":
        parse._pipeline.__wrapped__()
    else:
        lexicon.default_lexicon.__wrapped__()


@pytest.mark.models
@pytest.mark.parametrize("name, file", DECISIVE.items())
def test_whatever_a_check_loads_is_compared_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    shutil.copytree(models.find(name).path, tmp_path / name)
    monkeypatch.setenv("HALGO_MODELS", str(tmp_path))
    with (tmp_path / name / file).open("r+b") as stream:
        stream.seek(5000)
        byte = stream.read(1)
        stream.seek(5000)
        stream.write(bytes([byte[0] ^ 1]))
    with pytest.raises(
        ModelDamagedError, match=rf"is damaged(.|\n)*{re.escape(file)}: its SHA-256"
    ):
        _reads(name)


def test_the_manifest_is_complete() -> None:
    recorded = models.manifest()
    assert list(recorded) == ["minilm", "spacy-en", "wordnet", "entailment", "entailment-large"]
    for wanted in recorded.values():
        assert wanted.licence
        assert wanted.about
        assert wanted.size
        assert wanted.remedy or wanted.distribution or wanted.debian
        assert wanted.distribution or not wanted.made_from
        assert bool(wanted.distribution) == bool(wanted.release) == bool(wanted.wheel_sha256)
        for files in wanted.versions.values():
            assert all(len(file.sha256) == 64 and file.size > 0 for file in files.values())


def test_a_model_that_may_be_missing_is_not_wrong_unless_it_is_damaged(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = toy(exact=True, checkout="ours/package", remedy="install its wheel", optional=True)
    monkeypatch.setattr(models, "manifest", lambda: {"toy": extra})
    (status,) = models.status()
    assert status.found is None and not status.wrong and status.fix == "install its wheel"
    folder = put(machine / "checkout" / "models" / "ours" / "package")
    assert not models.status()[0].wrong
    (folder / "weights.bin").write_bytes(CONTENT[::-1])
    assert models.status()[0].wrong


def test_a_model_in_no_collection_says_what_brings_it(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = toy(exact=True, checkout="ours/package", remedy="install its wheel")
    monkeypatch.setattr(models, "manifest", lambda: {"toy": ours})
    with pytest.raises(ModelNotFoundError, match="To get it, install its wheel"):
        models.find("toy")
    assert models.status()[0].fix == "install its wheel"
    folder = put(machine / "checkout" / "models" / "ours" / "package")
    assert models.find("toy").path == folder
    (folder / "weights.bin").write_bytes(CONTENT[::-1])
    assert models.status()[0].fix == "install its wheel"


def test_a_package_may_be_the_model_itself(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = toy(packages=("toy_model_package",))
    monkeypatch.setattr(models, "manifest", lambda: {"toy": packaged})
    folder = put(machine / "site" / "toy_model_package")
    (folder / "__init__.py").write_text("raise SystemExit")
    assert models.find("toy").path == folder


def test_a_float_model_on_this_machine_is_no_model_but_what_one_is_made_from(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy(made_from="toy_model_package/float", hub="someone/toy")
    monkeypatch.setattr(models, "manifest", lambda: {"toy": made})
    assert list(models.float_models(made)) == []
    folders = [machine / "site/toy_model_package/float", machine / PLACES[5]]
    for folder in folders:
        put(folder)
        (folder / "model.safetensors").touch()
    assert list(models.float_models(made)) == folders
    with pytest.raises(ModelNotFoundError):
        models.find("toy")


@pytest.mark.models
def test_the_models_of_this_machine_are_whole() -> None:
    lines = models.status()
    assert [(line.name, line.intact, line.problem) for line in lines] == [
        (name, True, "") for name in models.manifest()
    ]
