"""The modules of models/entailment/training, under the names by which they import each other."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "models" / "entailment"


@contextmanager
def training(*names: str) -> Iterator[ModuleType]:
    """The package `training` with these of its modules; forgotten again afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        for name in names:
            importlib.import_module(f"training.{name}")
        yield sys.modules["training"]
    for name in [name for name in sys.modules if name.split(".")[0] == "training"]:
        del sys.modules[name]
