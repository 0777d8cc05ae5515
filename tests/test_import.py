"""`import halgo` is light, and its public names are those it lists."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("torch", "spacy", "sympy", "numpy", "scipy", "transformers", "sentence_transformers")
HEAVY += ("onnxruntime", "tokenizers", "quantulum3", "negspacy", "nltk", "typer", "rich")


def fresh(code: str) -> str:
    """What the code prints in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_import_halgo_loads_nothing_heavy() -> None:
    loaded = fresh("import halgo, sys; print(*sys.modules)").split()
    assert "halgo" in loaded
    assert not set(HEAVY) & set(loaded)


@pytest.mark.models
def test_a_check_with_the_default_models_needs_no_torch() -> None:
    said = fresh(
        "import sys\n"
        "for name in ('torch', 'sentence_transformers', 'transformers', 'safetensors', 'scipy'):\n"
        "    sys.modules[name] = None\n"
        "from halgo import Checker\n"
        "checker = Checker.from_docs('Guests may cancel free of charge until the evening.')\n"
        "report = checker.check('Guests who cancel the night before pay nothing.')\n"
        "(examined,) = checker.examine([report.results[0].claim])\n"
        "print(report.engine.embedder, bool(examined.judged.premise.text))"
    )
    assert said == "all-MiniLM-L6-v2-int8-1.1.0 True"


def test_import_halgo_takes_no_time() -> None:
    took = fresh(
        "import time; start = time.perf_counter(); import halgo; print(time.perf_counter() - start)"
    )
    assert float(took) < 0.15


def test_the_help_of_the_command_line_loads_no_stage() -> None:
    said = fresh(
        "import contextlib, io, sys\n"
        "from halgo.adapters.start import main\n"
        "sys.argv = ['halgo', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main()\n"
        "print(*sys.modules)"
    )
    stages = {f"halgo.{name}" for name in ("agents", "sources", "signals", "evidence", "server")}
    assert "halgo.adapters.cli" in said.split()
    assert not stages & set(said.split())


def test_a_rule_is_imported_when_it_is_first_asked() -> None:
    said = fresh("import sys, halgo.signals.registry; print(*sys.modules)").split()
    loaded = {name for name in said if name.startswith("halgo.signals.")}
    assert loaded == {"halgo.signals.registry", "halgo.signals.portions"}


def test_every_listed_name_is_there_and_dir_shows_it() -> None:
    import halgo

    assert len(halgo.__all__) == len(set(halgo.__all__))
    for name in halgo.__all__:
        assert getattr(halgo, name) is not None
        assert name in dir(halgo)
    assert not {"Any", "TYPE_CHECKING", "import_module", "os"} & set(dir(halgo))
    assert not hasattr(halgo, "Any")


def test_public_names_are_those_listed() -> None:
    star = fresh("from halgo import *; print(*[n for n in globals() if not n.startswith('_')])")
    import halgo

    assert sorted(star.split()) == sorted(halgo.__all__) == sorted(halgo._HOMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    import halgo

    assert not hasattr(halgo, "no_such_name")


def test_the_wheel_has_every_package() -> None:
    from configparser import ConfigParser
    from pathlib import Path

    root = Path(__file__).parent.parent
    settings = ConfigParser()
    settings.read(root / "setup.cfg")
    named = set(settings["options"]["packages"].split())
    ours = {
        ".".join(path.parent.relative_to(root).parts)
        for path in (root / "halgo").rglob("__init__.py")
    }
    assert named == ours | {"halgo_entailment", "halgo.examples"}  # folders elsewhere
