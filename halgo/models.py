"""A model's name -> the folder on this machine that holds it. Never the network.

Looked at in order: the path a caller names; `$HALGO_MODELS/<name>`; `models/<name>` in a source
checkout; an installed package that carries it; `share/halgo/models/<name>` of this Python
environment, where `halgo models fetch` puts what is no package; the folders where other programs
keep the same data; the local cache of the public hub. The manifest, `halgo/data/models.toml`,
says what each model is and which bytes were measured: a search goes by the sizes of files, and
whoever loads a model has its digests compared first.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from halgo.errors import ModelDamagedError, ModelNotFoundError

FETCH = "halgo models fetch"
HOME = "HALGO_MODELS"
UNRECORDED = "unrecorded"


@dataclass(frozen=True, slots=True)
class File:
    """What the manifest records of one file: size in bytes, digest as hex."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the manifest; `versions` maps a version to its decisive files.

    exact: a folder at a well-known place counts only with recorded files. marker: the file that
    every copy has. packages: module and folder within it. distribution, release and wheel_sha256
    pin the wheel that brings the model; debian, npm, nltk and hub name it in other collections.
    made_from: module and folder of what these bring, where that is a float model and the files
    recorded here are made of it (`halgo/evidence/quantize.py`). checkout: its folder under
    `models/` of a source checkout, where that is not its name. remedy: what brings a model that no
    collection has. size: about how many bytes there are to download. optional: halgo does without.
    """

    name: str
    kind: str
    about: str
    licence: str
    exact: bool
    marker: str
    versions: Mapping[str, Mapping[str, File]]
    packages: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    hub: str = ""
    distribution: str = ""
    release: str = ""
    wheel_sha256: str = ""
    size: int = 0
    debian: str = ""
    npm: str = ""
    npm_release: str = ""
    nltk: str = ""
    made_from: str = ""
    checkout: str = ""
    remedy: str = ""
    optional: bool = False

    @property
    def fix(self) -> str:
        """What the user can do when it is missing or damaged."""
        return self.remedy or f"run: {FETCH}"


@dataclass(frozen=True, slots=True)
class Found:
    """A model on this machine, at `path`; `where` says which rule of the search found it.

    version: the manifest's, or "unrecorded" for files that the manifest does not know.
    """

    name: str
    kind: str
    path: Path
    where: str
    version: str


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One line of `halgo doctor`: a model that is here, or what would bring it.

    intact: the digests of the decisive files are the recorded ones; None when they were not read
    or none are recorded for this version. problem and fix: "" when all is well. wrong: whether
    something has to be done: a model is damaged, or one is missing that halgo needs.
    """

    name: str
    kind: str
    about: str
    licence: str
    found: Found | None
    intact: bool | None
    problem: str = ""
    fix: str = ""
    searched: tuple[str, ...] = field(default=(), repr=False)

    @property
    def wrong(self) -> bool:
        if self.found is None:
            return not entry(self.name).optional
        return self.intact is False


@lru_cache(maxsize=1)
def manifest() -> Mapping[str, Entry]:
    """Name -> what is recorded about the model, in the order of the manifest."""
    text = resources.files("halgo").joinpath("data/models.toml").read_text(encoding="utf-8")
    entries = {}
    for name, table in tomllib.loads(text).items():
        versions = {
            version: {path: File(**recorded) for path, recorded in files.items()}
            for version, files in table.pop("versions").items()
        }
        entries[name] = Entry(
            name=name,
            versions=versions,
            packages=tuple(table.pop("packages", ())),
            folders=tuple(table.pop("folders", ())),
            **table,
        )
    return entries


def entry(name: str) -> Entry:
    """What the manifest says of one model. Raises ValueError for a name it does not have."""
    try:
        return manifest()[name]
    except KeyError:
        names = ", ".join(manifest())
        raise ValueError(f"no model is called {name!r}; there are {names}") from None


def find(name: str, path: str | Path | None = None) -> Found:
    """Where the model called `name` is; `path` names the folder to use instead of a search.

    Raises ModelNotFoundError that lists every place looked at and the command that fixes it,
    ValueError for a name that the manifest does not have.
    """
    wanted = entry(name)
    if path is not None:
        named = Path(path).expanduser()
        if not (named / wanted.marker).is_file():
            place = f"{named}: {_absence(named, wanted)}"
            raise ModelNotFoundError(
                f"no {wanted.kind} {name!r} in the folder that was named\n  {place}\n"
                f"Name a folder with a {wanted.marker} in it, or {wanted.fix}",
                name=name,
                searched=(place,),
            )
        version = recorded_version(wanted, named)
        return Found(name, wanted.kind, named, "the path that was named", version or UNRECORDED)
    searched = []
    for folder, where in places(wanted):
        if folder is None:
            searched.append(f"{where}: not installed")
            continue
        if not (folder / wanted.marker).is_file():
            searched.append(f"{where}: {folder}")
            continue
        version = recorded_version(wanted, folder)
        if version is None and wanted.exact:
            searched.append(f"{where}: {folder} (there, but {_difference(wanted, folder)})")
            continue
        return Found(name, wanted.kind, folder, where, version or UNRECORDED)
    listed = "\n  ".join(searched)
    raise ModelNotFoundError(
        f"no {wanted.kind} {name!r} on this machine ({wanted.about}); looked in\n  {listed}\n"
        f"To get it, {wanted.fix}",
        name=name,
        searched=searched,
    )


def status(full: bool = True) -> list[ModelStatus]:
    """Every model of the manifest: found where, and whether its bytes are the recorded ones.

    full: read and compare the digests (about 0.3 s for all models); else sizes only.
    """
    lines = []
    for name, wanted in manifest().items():
        about = (name, wanted.kind, wanted.about, wanted.licence)
        try:
            found = find(name)
        except ModelNotFoundError as error:
            missing = wanted.remedy or FETCH
            lines.append(ModelStatus(*about, None, None, "missing", missing, error.searched))
            continue
        if found.version == UNRECORDED:
            problem = "not the files that halgo was measured with"
            lines.append(ModelStatus(*about, found, None, problem))
            continue
        damaged = damage(wanted, found.version, found.path) if full else ()
        problem = f"damaged: {', '.join(damaged)}" if damaged else ""
        fix = wanted.fix if damaged else ""
        lines.append(ModelStatus(*about, found, not damaged if full else None, problem, fix))
    return lines


def compared(found: Found) -> Found:
    """The same model, now that its decisive files turn out to hold the recorded bytes.

    For whoever loads one: a few other bytes in a file of the right size make other verdicts, or
    none, without a word. A file is read once in a process while it stays as it is, 25 MB in about
    45 ms. Of an unrecorded model, such as a folder of the caller's own, nothing is read.
    Raises ModelDamagedError that names the files, their digests and what mends them.
    """
    if found.version == UNRECORDED:
        return found
    wanted = entry(found.name)
    wrong = []
    for path, file in wanted.versions[found.version].items():
        try:
            digest = _digest_now(found.path / path)
        except OSError as error:
            wrong.append(f"{path}: cannot be read ({error.strerror or error})")
            continue
        if digest != file.sha256:
            wrong.append(f"{path}: its SHA-256 is {digest[:12]}…, recorded is {file.sha256[:12]}…")
    if wrong:
        listed = "\n  ".join(wrong)
        raise ModelDamagedError(
            f"the {found.kind} {found.name!r} in {found.path} is damaged; of version "
            f"{found.version} it has other files than halgo was measured with\n  {listed}\n"
            f"To mend it, {wanted.fix}",
            name=found.name,
            searched=(str(found.path),),
        )
    return found


def places(wanted: Entry) -> Iterator[tuple[Path | None, str]]:
    """Every folder that may hold the model, with the rule that names it, in search order.

    The folder is None for a package that is not installed.
    """
    home = os.environ.get(HOME)
    if home:
        yield Path(home).expanduser() / wanted.name, f"${HOME}"
    checkout = Path(__file__).resolve().parent.parent
    if (checkout / "setup.cfg").is_file():
        yield checkout / "models" / (wanted.checkout or wanted.name), "source checkout"
    for package in wanted.packages:
        module, _, pattern = package.partition("/")
        yield _in_package(module, pattern), f"package {module}"
    yield environment_folder(wanted.name), "this Python environment"
    for folder in wanted.folders:
        expanded = os.path.expandvars(folder)
        if "$" not in expanded:
            yield Path(expanded).expanduser(), "this machine"
    if wanted.hub and not wanted.made_from:
        yield in_hub_cache(wanted.hub), "cache of the public hub"


def environment_folder(name: str) -> Path:
    """Where `halgo models fetch` puts a model that comes in no Python package."""
    return Path(sys.prefix) / "share" / "halgo" / "models" / name


def recorded_version(wanted: Entry, folder: Path) -> str | None:
    """The version whose decisive files all have their recorded size in `folder`, if any."""
    for version, files in wanted.versions.items():
        if all(_size(folder / path) == file.size for path, file in files.items()):
            return version
    return None


def damage(wanted: Entry, version: str, folder: Path) -> tuple[str, ...]:
    """The decisive files whose digest is not the one recorded for `version`, by name."""
    return tuple(
        path
        for path, file in wanted.versions[version].items()
        if not (folder / path).is_file() or sha256(folder / path) != file.sha256
    )


def _digest_now(path: Path) -> str:
    """`sha256`, remembered while the file is the same one and nothing has written to it."""
    about = path.stat()
    stamp = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    return _digest(path, stamp)


@lru_cache(maxsize=128)
def _digest(path: Path, stamp: tuple[int, ...]) -> str:
    return sha256(path)


def sha256(path: Path) -> str:
    """The digest of a file as hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def float_models(wanted: Entry) -> Iterator[Path]:
    """Folders on this machine with the float model that the wanted one is made from."""
    module, _, pattern = wanted.made_from.partition("/")
    for folder in (_in_package(module, pattern), in_hub_cache(wanted.hub)):
        if folder is not None and (folder / "model.safetensors").is_file():
            yield folder


def _in_package(module: str, pattern: str) -> Path | None:
    """The folder `pattern` (its last match) of an installed package, which is not imported."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        return None
    root = Path(next(iter(spec.submodule_search_locations)))
    return max(root.glob(pattern), default=root / pattern) if pattern else root


def in_hub_cache(repository: str) -> Path:
    """The newest snapshot in the hub's local cache, which may not exist."""
    home = os.environ.get("HF_HOME", "~/.cache/huggingface")
    cache = Path(os.environ.get("HF_HUB_CACHE", f"{home}/hub")).expanduser()
    snapshots = cache / f"models--{repository.replace('/', '--')}" / "snapshots"
    return max(snapshots.glob("*"), default=snapshots)


def _size(path: Path) -> int:
    """Size in bytes; -1 where there is no such file."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _absence(folder: Path, wanted: Entry) -> str:
    if not folder.exists():
        return "no such folder"
    return f"no {wanted.marker} in it" if folder.is_dir() else "not a folder"


def _difference(wanted: Entry, folder: Path) -> str:
    """In what the folder differs from the last recorded version."""
    files = list(wanted.versions.values())[-1]
    for path, file in files.items():
        size = _size(folder / path)
        if size != file.size:
            has = f"has {size:,} bytes" if size >= 0 else "is missing"
            return f"{path} {has} where {file.size:,} are recorded"
    return "its files are not as recorded"
