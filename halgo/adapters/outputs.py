"""Files that a command reads and files that it writes -> an error where one would spoil another.

A report written over the answer it is about cannot be taken back, so it is refused before any work.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from halgo.adapters.answers import KINDS

AN_ANSWER, A_DOCUMENT, THE_INDEX = "an answer", "a document", "the index"
SETTINGS, CALIBRATION, POLICY = "the settings", "the calibration", "the policy"
GOLDEN, RECORDED, BASELINE = "the golden file", "the recorded run", "the baseline"
A_VERDICT = "a file of the verdicts"

Written = tuple[str, Path | None]
Read = tuple[str, str | Path | None]


def require_apart(written: Iterable[Written], read: Iterable[Read] = ()) -> None:
    """Refuses an output that is an input or another output, whatever it is called.

    written: options and their files; read: what inputs are, and their files or folders, of which
    the files count that are read. None stands for what was not given. A pipe or a device is
    written to, not replaced, and may be named often.
    """
    outputs = [(option, path) for option, path in written if path is not None]
    places: dict[str, str] = {}
    files: dict[tuple[int, int], tuple[str, Path]] = {}
    for option, path in outputs:
        found = _stat(path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            continue
        place = os.path.realpath(path)
        known = None if found is None else files.get((found.st_dev, found.st_ino))
        other = places.get(place) or (known and known[0])
        if other is not None:
            raise typer.BadParameter(
                f"{path} is written by {other} already; name another file", param_hint=option
            )
        places[place] = option
        if found is not None:
            files[found.st_dev, found.st_ino] = option, path
    # What does not exist yet is no input: folders are listed only where something may be lost.
    for what, name in read if files else ():
        for one in _files(what, name):
            found = _stat(one)
            hit = None if found is None else files.get((found.st_dev, found.st_ino))
            if hit is not None:
                option, path = hit
                raise typer.BadParameter(
                    f"{path} is {what}, which would be overwritten; name another file",
                    param_hint=option,
                )


def of_settings(config: Path | None) -> list[Read]:
    """The settings file, and the calibration that it names. Raises ConfigError as reading does."""
    if config is None:
        return []
    from halgo.settings import read_settings

    values = read_settings(config)
    table = values.get("halgo", values)
    named = table.get("calibration") if isinstance(table, dict) else None
    beside = config.parent / named if isinstance(named, str) else None
    return [(SETTINGS, config), (CALIBRATION, beside)]


def _files(what: str, name: str | Path | None) -> Iterator[Path]:
    """The file of that name, or the files of a folder that are read as such."""
    if name is None:
        return
    path = Path(name)
    if not _is_folder(path):
        yield path
        return
    from halgo.sources.folders import files_in
    from halgo.sources.readers import READERS

    kinds = {AN_ANSWER: KINDS, A_DOCUMENT: tuple(READERS)}.get(what)
    for one in files_in(path, []):
        if kinds is None or one.suffix.lower() in kinds:
            yield one


def _is_folder(path: Path) -> bool:
    found = _stat(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _stat(path: Path) -> os.stat_result | None:
    """What the path leads to; None where nothing is there, or the path is none."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None
