"""A message about a mistake on the command line -> the same, with what was probably meant."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from halgo.models import FETCH
from halgo.printable import printable

_CHOICES = re.compile(r"'([^']{1,60})' is not one of ((?:'[^']+'(?:, )?)+)\.?$")
_MISSING = re.compile(r"no such file|does not exist", re.IGNORECASE)
_EXTRA = "Got unexpected extra argument"
_MOST = 2_000  # names of a folder that are looked at
_ALIKE = 0.6  # of difflib's ratio


def hinted(message: str, arguments: Sequence[str]) -> str:
    """The message, with the nearest valid choice or file that exists where there is one near.

    arguments: the words of the command line, of which one may be the path that is missing.
    """
    message = message.replace("Value error, ", "")
    choice = _CHOICES.search(message)
    if choice is not None:
        known = re.findall(r"'([^']+)'", choice[2])
        near = get_close_matches(choice[1].lower(), known, n=1, cutoff=_ALIKE)
        return f"{message} Did you mean {near[0]!r}?" if near else message
    if message.startswith(_EXTRA) and {"--docs", "-d"} & set(arguments):
        return f"{message}. --docs takes one name: repeat it before each, or name the folder."
    if _MISSING.search(message):
        for word in arguments:
            path = word.partition("=")[2] if word.startswith("--") else word
            meant = _nearest(path) if path and printable(path) in message else None
            if meant is not None:
                return f"{message}\nDid you mean {printable(meant)}?"
    return message


def from_here(message: str) -> str:
    """The message, with commands of halgo as they have to be typed where another one is found.

    In an environment that is not the shell's, such as that of a pre-commit hook, "halgo" is none
    or another one.
    """
    found = shutil.which("halgo")
    if found is not None and Path(found).parent == Path(sys.executable).parent:
        return message
    return message.replace(f"run: {FETCH}", f"run: {sys.executable} -m {FETCH}")


def _nearest(path: str) -> str | None:
    """A path that exists and is written much like one that does not; None when none is near."""
    try:
        return _mended(Path(path))
    except (OSError, ValueError):  # not readable, or no path at all
        return None


def _mended(path: Path) -> str | None:
    if path.exists():
        return None
    here, rest = path, []
    while not here.exists() and here != here.parent:
        rest.append(here.name)
        here = here.parent
    wrong = rest.pop()
    with os.scandir(here) as entries:
        names = [entry.name for entry in itertools.islice(entries, _MOST)]
    if wrong in names:  # a link that leads nowhere: it is named as it is meant
        return None
    near = get_close_matches(wrong, sorted(names), n=1, cutoff=_ALIKE)
    if not near:
        return None
    found = here / near[0]
    whole = found.joinpath(*reversed(rest))
    return str(whole if whole.exists() else found)
