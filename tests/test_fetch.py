"""Fetching with clients that only pretend: what is run, what is refused, where things land."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from halgo import fetch, models
from halgo.errors import ModelNotFoundError
from halgo.evidence import quantize
from halgo.models import Entry, File

GOOD = {"index.noun": b"words\n", "data.noun": b"meanings\n"}
EVIL = {**GOOD, "data.noun": b"MEANINGS\n"}  # as long, but not the same


def recorded(files: dict[str, bytes]) -> dict[str, File]:
    return {name: File(len(body), hashlib.sha256(body).hexdigest()) for name, body in files.items()}


def dictionary(**more: object) -> Entry:
    return Entry(
        name="toy",
        kind="dictionary",
        about="a toy",
        licence="MIT",
        exact=True,
        marker="index.noun",
        versions={"1.0": recorded(GOOD)},
        **more,  # type: ignore[arg-type]
    )


def tar(files: dict[str, bytes], folder: str = "./usr/share/wordnet/") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, body in files.items():
            member = tarfile.TarInfo(folder + name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return buffer.getvalue()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without clients and models; models go to its folder "prefix"."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "site").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("HALGO_MODELS", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(fetch, "_LOOK_EVERY_S", 0.01)
    return tmp_path


Client = Callable[[str, str], Path]


@pytest.fixture
def client(machine: Path) -> Client:
    """Puts a client on the machine: a script that notes how it was called, then runs `body`."""

    def make(name: str, body: str) -> Path:
        script = machine / "bin" / name
        script.write_text(
            f"#!{sys.executable}\nimport os, pathlib, sys\n"
            f"with open({str(machine / 'calls')!r}, 'a') as calls:\n"
            f"    print({name!r}, *sys.argv[1:], file=calls)\n{body}\n"
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return script

    return make


def calls(machine: Path) -> list[str]:
    log = machine / "calls"
    return log.read_text().splitlines() if log.exists() else []


def offer(monkeypatch: pytest.MonkeyPatch, wanted: Entry) -> None:
    monkeypatch.setattr(models, "manifest", lambda: {wanted.name: wanted})


def bring(machine: Path, file: str, content: bytes) -> str:
    """Code of a client that puts `content` as `file` into the folder where it runs."""
    source = machine / f"{file}.source"
    source.write_bytes(content)
    return f"pathlib.Path({file!r}).write_bytes(pathlib.Path({str(source)!r}).read_bytes())"


def dpkg_deb(client: Client) -> None:
    body = "sys.stdout.buffer.write(pathlib.Path(sys.argv[2]).read_bytes())"
    client("dpkg-deb", body)


def test_a_debian_package_is_unpacked_and_found(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(debian="wordnet-base", npm="db", npm_release="1"))
    client("apt-get", bring(machine, "wordnet-base_1_all.deb", tar(GOOD)))
    dpkg_deb(client)
    (found,) = fetch.fetch()
    assert found.path == machine / "prefix/share/halgo/models/toy"
    assert found.version == "1.0"
    assert {path.name: path.read_bytes() for path in found.path.iterdir()} == GOOD
    assert [path.name for path in found.path.parent.iterdir()] == ["toy"]
    assert calls(machine)[0] == "apt-get download wordnet-base"


def test_what_is_there_is_not_fetched_again(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    client("npm", bring(machine, "db-1.tgz", tar(GOOD, "package/dict/")))
    first = fetch.fetch()
    assert fetch.fetch(["toy"]) == first
    assert calls(machine) == ["npm pack --silent db@1"]


def test_the_next_client_is_tried_when_one_fails(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(debian="wordnet-base", npm="db", npm_release="1"))
    monkeypatch.setattr(fetch.os, "geteuid", lambda: 1000, raising=False)
    client("apt-get", "sys.exit('E: Unable to locate package wordnet-base')")
    dpkg_deb(client)
    client("npm", bring(machine, "db-1.tgz", tar(GOOD, "package/dict/")))
    (found,) = fetch.fetch()
    assert found.version == "1.0"
    assert calls(machine) == ["apt-get download wordnet-base", "npm pack --silent db@1"]


def test_the_lists_of_packages_are_brought_up_to_date_once_for_root(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(debian="wordnet-base"))
    monkeypatch.setattr(fetch.os, "geteuid", lambda: 0, raising=False)
    lists = machine / "lists"
    client(
        "apt-get",
        f"lists = pathlib.Path({str(lists)!r})\n"
        "if sys.argv[1] == 'update': lists.touch()\n"
        "elif not lists.exists(): sys.exit('E: no lists')\n"
        f"else: {bring(machine, 'wordnet-base_1_all.deb', tar(GOOD))}",
    )
    dpkg_deb(client)
    (found,) = fetch.fetch()
    assert found.version == "1.0"
    done = [line for line in calls(machine) if line.startswith("apt-get")]
    assert done == [
        "apt-get download wordnet-base",
        "apt-get update",
        "apt-get download wordnet-base",
    ]


def test_other_bytes_than_recorded_are_refused_and_nothing_is_left(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    client("npm", bring(machine, "db-1.tgz", tar(EVIL, "package/dict/")))
    with pytest.raises(ModelNotFoundError, match=r"not what was recorded: data\.noun"):
        fetch.fetch()
    assert not list(machine.glob("prefix/**/*.noun"))


def test_a_path_in_an_archive_is_never_followed(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        link = tarfile.TarInfo("package/index.noun")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        for name, body in {"../../../up.txt": b"x", "/abs.txt": b"x"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
        for name, body in GOOD.items():
            member = tarfile.TarInfo(f"../../../{name}")
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    client("npm", bring(machine, "db-1.tgz", buffer.getvalue()))
    (found,) = fetch.fetch()
    assert {path.name: path.read_bytes() for path in found.path.iterdir()} == GOOD
    assert not any(path.is_symlink() for path in found.path.iterdir())


@pytest.mark.parametrize(
    "content", [b"", b"no archive", tar(GOOD)[:40]], ids=["empty", "no archive", "cut short"]
)
def test_a_damaged_archive_is_refused(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    client("npm", bring(machine, "db-1.tgz", content))
    with pytest.raises(ModelNotFoundError, match=r"damaged|recorded"):
        fetch.fetch()


def test_a_damaged_copy_is_replaced(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    client("npm", bring(machine, "db-1.tgz", tar(GOOD, "package/dict/")))
    (found,) = fetch.fetch()
    (found.path / "data.noun").write_bytes(EVIL["data.noun"])
    (again,) = fetch.fetch()
    assert (again.path / "data.noun").read_bytes() == GOOD["data.noun"]


def test_a_folder_of_ones_own_receives_the_model(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    monkeypatch.setenv("HALGO_MODELS", str(machine / "mine"))
    client("npm", bring(machine, "db-1.tgz", tar(GOOD, "package/dict/")))
    (found,) = fetch.fetch()
    assert found.path == machine / "mine/toy"


def test_a_folder_that_its_client_takes_away_meanwhile_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").write_bytes(b"12345")
    (tmp_path / "build").mkdir()
    scandir = os.scandir

    def gone(place: str | Path = ".") -> object:
        if Path(place).name == "build":
            raise FileNotFoundError(place)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", gone)
    assert fetch._bytes_in(tmp_path) == 5


def test_the_error_tells_all_that_was_tried(
    machine: Path, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    offer(
        monkeypatch,
        dictionary(
            debian="wordnet-base", npm="db", npm_release="1", distribution="toy", release="2"
        ),
    )
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: None)
    client("npm", "sys.exit('npm error network')")
    with pytest.raises(ModelNotFoundError) as caught:
        fetch.fetch()
    message = str(caught.value)
    assert "no pip" in message
    assert "toy==2" in message
    assert "there is no apt-get on this machine" in message
    assert "npm error network" in message
    assert str(machine / "prefix/share/halgo/models/toy") in message


def test_nltk_is_a_route_when_it_is_installed(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(nltk="toywords"))
    archive = machine / "words.zip"
    with zipfile.ZipFile(archive, "w") as files:
        for name, body in GOOD.items():
            files.writestr(f"toywords/{name}", body)
    (machine / "site/nltk.py").write_text(
        "import pathlib, shutil\n"
        "def download(name, download_dir):\n"
        "    folder = pathlib.Path(download_dir) / 'corpora'\n"
        "    folder.mkdir()\n"
        f"    shutil.copy({str(archive)!r}, folder / f'{{name}}.zip')\n"
        "    return True\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(machine / "site"))
    (found,) = fetch.fetch()
    assert {path.name: path.read_bytes() for path in found.path.iterdir()} == GOOD


def wheel(machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python whose pip puts the package of the toy model into "site"."""
    offer(
        monkeypatch,
        dictionary(
            distribution="toy-model",
            release="2.0",
            wheel_sha256="ab" * 32,
            packages=("toy_model_package/model",),
        ),
    )
    body = (
        "requirements = pathlib.Path(sys.argv[-1] if sys.argv[-1] != '--force-reinstall'"
        " else sys.argv[-2]).read_text()\n"
        f"pathlib.Path({str(machine / 'requirements')!r}).write_text(requirements)\n"
        f"folder = pathlib.Path({str(machine / 'site')!r}, 'toy_model_package', 'model')\n"
        "folder.mkdir(parents=True, exist_ok=True)\n"
        "(folder.parent / '__init__.py').touch()\n"
        f"for name, body in {GOOD!r}.items(): (folder / name).write_bytes(body)"
    )
    python = client("python", body)
    monkeypatch.setattr(sys, "executable", str(python))


def test_a_wheel_is_installed_by_pin_and_digest_alone(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(machine, client, monkeypatch)
    (found,) = fetch.fetch()
    assert found.where == "package toy_model_package"
    assert (machine / "requirements").read_text() == (f"toy-model==2.0 --hash=sha256:{'ab' * 32}\n")
    (call,) = calls(machine)
    assert call.startswith("python -m pip install")
    assert "--no-deps --require-hashes -r " in call
    assert "--force-reinstall" not in call


FLOAT = "toy_float/model"


def float_wheel(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch, body: str = ""
) -> None:
    """A Python whose pip brings a float model, of which GOOD is made; or which runs `body`."""
    offer(
        monkeypatch,
        dictionary(
            distribution="toy-float", release="2.0", wheel_sha256="ab" * 32, made_from=FLOAT
        ),
    )
    monkeypatch.setenv("HF_HUB_CACHE", str(machine / "hub"))
    monkeypatch.setattr(
        quantize,
        "write",
        lambda source, out: (
            out.mkdir(),
            (out / "index.noun").write_bytes(GOOD["index.noun"]),
            (out / "data.noun").write_bytes((source / "model.safetensors").read_bytes()),
        ),
    )
    body = body or (
        f"folder = pathlib.Path(sys.argv[sys.argv.index('--target') + 1], {FLOAT!r})\n"
        "folder.mkdir(parents=True)\n"
        f"(folder / 'model.safetensors').write_bytes({GOOD['data.noun']!r})"
    )
    monkeypatch.setattr(sys, "executable", str(client("python", body)))


def wheel_of(machine: Path, files: dict[str, bytes]) -> Path:
    path = machine / "toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in files.items():
            archive.writestr(f"../toy/{name}", body)
    return path


def test_a_wheel_at_hand_needs_no_client(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, dictionary(debian="toy"))
    (found,) = fetch.fetch(["toy"], wheel=wheel_of(machine, {**GOOD, "more.txt": b"no"}))
    assert found.path == machine / "prefix/share/halgo/models/toy"
    assert {path.name for path in found.path.iterdir()} == set(GOOD)


@pytest.mark.parametrize("name", ["toy-1.0-py3-none-any.whl", "none.whl", "damaged.whl"])
def test_a_wheel_that_is_another_or_none_is_refused_and_nothing_else_tried(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    client("apt-get", "")
    offer(monkeypatch, dictionary(debian="toy"))
    wheel_of(machine, EVIL)
    (machine / "damaged.whl").write_bytes(b"PK, and no zip")
    with pytest.raises(ModelNotFoundError, match=name):
        fetch.fetch(["toy"], wheel=machine / name)
    assert not calls(machine)


def test_a_wheel_carries_one_model(machine: Path) -> None:
    with pytest.raises(ValueError, match="one model"):
        fetch.fetch(wheel=machine / "toy.whl")


def test_a_float_model_is_made_small_and_not_kept(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    float_wheel(machine, client, monkeypatch)
    (found,) = fetch.fetch()
    assert found.path == machine / "prefix/share/halgo/models/toy"
    assert {path.name: path.read_bytes() for path in found.path.iterdir()} == GOOD
    (call,) = calls(machine)
    assert "--no-deps --require-hashes -r " in call
    assert not list(machine.rglob("model.safetensors"))


@pytest.mark.parametrize("place", [f"site/{FLOAT}", "hub/models--some--toy/snapshots/1"])
def test_a_float_model_that_is_here_is_not_fetched(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    float_wheel(machine, client, monkeypatch)
    offer(monkeypatch, dictionary(made_from=FLOAT, hub="some/toy"))
    (machine / place).mkdir(parents=True)
    (machine / place / "model.safetensors").write_bytes(GOOD["data.noun"])
    steps: list[fetch.Step] = []
    (found,) = fetch.fetch(report=steps.append)
    assert found.version == "1.0"
    assert calls(machine) == []
    assert [step.doing for step in steps][1:] == [
        f"the float model in {machine / place}",
        "rounding to 8 bits",
    ]


def test_after_other_float_weights_than_recorded_the_next_route_is_tried(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    float_wheel(machine, client, monkeypatch)
    (machine / "site" / FLOAT).mkdir(parents=True)
    (machine / "site" / FLOAT / "model.safetensors").write_bytes(EVIL["data.noun"])
    (found,) = fetch.fetch()
    assert (found.path / "data.noun").read_bytes() == GOOD["data.noun"]
    assert len(calls(machine)) == 1


def test_other_float_weights_and_other_wheels_than_recorded_are_refused(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    float_wheel(machine, client, monkeypatch, "sys.exit('ERROR: DO NOT MATCH THE HASHES')")
    (machine / "site" / FLOAT).mkdir(parents=True)
    (machine / "site" / FLOAT / "model.safetensors").write_bytes(EVIL["data.noun"])
    with pytest.raises(ModelNotFoundError) as caught:
        fetch.fetch()
    assert "not what was recorded: data.noun" in str(caught.value)
    assert "DO NOT MATCH THE HASHES" in str(caught.value)
    assert not (machine / "prefix").exists()


def test_a_float_model_that_cannot_be_read_is_refused(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(source: Path, out: Path) -> None:
        raise ValueError(f"{source.name} is cut short")

    float_wheel(machine, client, monkeypatch)
    monkeypatch.setattr(quantize, "write", fails)
    with pytest.raises(ModelNotFoundError, match="8 bits: model is cut short"):
        fetch.fetch()
    assert not (machine / "prefix").exists()


def test_a_damaged_package_is_installed_anew(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(machine, client, monkeypatch)
    (found,) = fetch.fetch()
    (found.path / "data.noun").write_bytes(EVIL["data.noun"])
    fetch.fetch()
    assert calls(machine)[-1].endswith("--force-reinstall")
    assert (found.path / "data.noun").read_bytes() == GOOD["data.noun"]


def test_steps_are_told_and_never_beyond_the_whole(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1", size=10))
    client("npm", bring(machine, "db-1.tgz", tar(GOOD)) + "\nimport time; time.sleep(0.1)")
    steps: list[fetch.Step] = []
    fetch.fetch(report=steps.append)
    assert {step.name for step in steps} == {"toy"}
    assert any("npm pack" in step.doing for step in steps)
    assert all(0 <= step.done <= step.total for step in steps)
    assert steps[-1].done > 0


def test_a_client_that_hangs_is_ended(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    monkeypatch.setattr(fetch, "_PATIENCE_S", 0.2)
    client("npm", "import time; time.sleep(60)")
    with pytest.raises(ModelNotFoundError, match="took more than"):
        fetch.fetch()


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="nosuch"):
        fetch.fetch(["nosuch"])


def test_the_command_says_where_things_are_and_what_failed(
    machine: Path,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    offer(monkeypatch, dictionary(npm="db", npm_release="1"))
    assert fetch.main([]) == 3
    assert "there is no npm" in capsys.readouterr().err
    client("npm", bring(machine, "db-1.tgz", tar(GOOD)))
    assert fetch.main(["toy"]) == 0
    assert "toy: 1.0" in capsys.readouterr().err


def test_what_cannot_be_had_keeps_nothing_else_from_coming(
    machine: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = dictionary(remedy="install its wheel"), dictionary(npm="db", npm_release="1")
    last = dictionary(remedy="copy it")
    monkeypatch.setattr(
        models,
        "manifest",
        lambda: {
            name: replace(entry, name=name)
            for name, entry in (("ours", ours), ("toy", theirs), ("last", last))
        },
    )
    client("npm", bring(machine, "db-1.tgz", tar(GOOD)))
    with pytest.raises(
        ModelNotFoundError, match=r"(?s)'ours'.*its wheel.*'last'.*copy it"
    ) as caught:
        fetch.fetch()
    assert caught.value.name == "ours, last"
    assert models.find("toy").version == "1.0"


def test_a_model_that_no_collection_has_says_what_brings_it(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, dictionary(remedy="install its wheel"))
    with pytest.raises(ModelNotFoundError, match="no collection has it: install its wheel"):
        fetch.fetch()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not asked for there")
def test_what_killed_fetches_left_is_removed_and_a_model_moved_aside_comes_back(
    tmp_path: Path,
) -> None:
    gone = 2**22 + 1  # above the largest number that a process has
    mine = os.getpid()
    for name in (f".wordnet-{gone}", f".wordnet-{gone}-old", f".wordnet-{mine}", ".wordnet-x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    fetch._sweep(tmp_path / "wordnet")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f".wordnet-{mine}",
        ".wordnet-x",
        "wordnet",
    ]
    assert (tmp_path / "wordnet" / "file").read_text() == f".wordnet-{gone}-old"
