"""Settings that people write -> tables with known keys, or a ConfigError that says what was meant.

A misspelt key that is passed over leaves a check weaker than its author thinks. So none is: the
error names the key, and the one that was probably meant where one is near. Files are bounded, and
so is all that a message shows of a value: a value that is wrong may be of any size, depth and
script.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from reprlib import Repr
from typing import Any

from halgo import disk
from halgo.errors import ConfigError
from halgo.printable import printable

LARGEST_BYTES = 1_000_000
DEEPEST = 20
# What one file may hold: settings of checks, policies of gates, of judges and of verifications.
TABLES = ("halgo", "policy", "tenants", "judge", "verification")
PYPROJECT = "pyproject.toml"
_LONGEST = 60  # characters of a key or value in a message
_ALIKE = 0.6  # of difflib's ratio; below it the nearest key is one that nobody meant

# tomllib keeps every beginning of a dotted key, so that one of n parts costs n * n: 30,000 parts,
# 60 kB, are gigabytes. Parts are counted before it reads them.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_DOTTED = re.compile(rf"(?<![\w-])(?:{_PART}){{{DEEPEST}}}")

_SHOWN = Repr()
_SHOWN.maxlevel = 2
_SHOWN.maxstring = _SHOWN.maxother = _SHOWN.maxlong = _LONGEST


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """The tables of a TOML file. Raises ConfigError with the file, `what` it was to hold and why.

    A regular file in UTF-8 of at most 1 MB, nested at most 20 deep.
    """
    text = ""
    try:
        text = disk.read(path, LARGEST_BYTES).decode("utf-8-sig")
        if _DOTTED.search(text):
            raise ConfigError(_too_deep())
        values = tomllib.loads(text)
        _require_shallow(values)
    except OSError as error:
        raise _unread(path, what, error.strerror or str(error)) from error
    except RecursionError as error:
        raise _unread(path, what, _too_deep()) from error
    except ValueError as error:  # no UTF-8, no TOML, a number too long, a path with a NUL
        if text.lstrip().startswith("{"):
            named = f'calibration = "{Path(path).name}"'
            said = (
                f"it is JSON, and settings are TOML; for a calibration write {named} in a TOML file"
            )
            raise _unread(path, what, said) from error
        raise _unread(path, what, str(error)) from error
    return values


def read_settings(path: str | Path) -> dict[str, Any]:
    """The tables of a settings file; of a pyproject.toml its [tool.halgo], as the table `halgo`.

    Raises ConfigError as `read_toml` does, and for a pyproject.toml without that table.
    """
    values = read_toml(path, "settings")
    if Path(path).name != PYPROJECT:
        return values
    tool = values.get("tool")
    if not isinstance(tool, dict) or "halgo" not in tool:
        raise _unread(path, "settings", "it has no table [tool.halgo]")
    return {"halgo": tool["halgo"]}


def read_table(path: str | Path, name: str, known: Iterable[str]) -> dict[str, Any]:
    """The table `name` of a TOML file, or the whole file where it has no table of halgo's.

    Empty where the file holds other tables of halgo's only. Raises ConfigError with file, table
    and reason for what cannot be read, and for keys that are not `known`.
    """
    where, known = printable(str(path)), tuple(known)
    values = read_toml(path, f"the settings of a {name}")
    try:
        if not set(values) & set(TABLES):
            require_known(values, (*known, *TABLES), "setting or table")
            return values
        outside = sorted(set(values) & set(known) - set(TABLES))
        if outside:
            raise ConfigError(f"{outside[0]!r} stands outside the table [{name}]; move it there")
        require_known(values, TABLES, "table")
        where = f"{where}, [{name}]"
        table = values.get(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"a table was expected, not {shown(table)}")
        require_known(table, known, "setting")
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    return table


def require_known(given: Iterable[object], known: Iterable[str], what: str = "key") -> None:
    """Raises ConfigError for the first key that is not known, with one that is near, and all."""
    there = sorted(known)
    unknown = sorted((key for key in given if key not in there), key=str)
    if unknown:
        near = get_close_matches(str(unknown[0])[:_LONGEST].lower(), there, n=1, cutoff=_ALIKE)
        meant = f" (the nearest is {near[0]!r})" if near else ""
        raise ConfigError(
            f"unknown {what} {shown(unknown[0])}{meant}; there are {', '.join(there)}"
        )


def is_number(value: object) -> bool:
    """Whether a value is a real number of any library, and not true or false."""
    return isinstance(value, Real) and not isinstance(value, bool)


def shown(value: object) -> str:
    """A value as code writes it, in a line of about 60 characters that is safe to print."""
    try:
        text = _SHOWN.repr(value)
    except ValueError:  # a number of more digits than Python writes
        text = f"a very large {type(value).__name__}"
    return printable(text)


def differing(given: object, default: object, names: Iterable[str]) -> list[str]:
    """The settings of these names that are not as in `default`, each as "cut=0.7"."""
    values = ((name, getattr(given, name)) for name in names)
    return [f"{name}={shown(value)}" for name, value in values if value != getattr(default, name)]


def _require_shallow(values: Mapping[str, Any]) -> None:
    waiting: list[tuple[Any, int]] = [(values, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise ConfigError(_too_deep())
        if isinstance(value, Mapping):
            waiting += ((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            waiting += ((inner, depth + 1) for inner in value)


def _too_deep() -> str:
    return f"it is nested more than {DEEPEST} levels deep"


def _unread(path: str | Path, what: str, why: str) -> ConfigError:
    return ConfigError(f"cannot read {what} from {printable(str(path))}: {printable(why)}")
