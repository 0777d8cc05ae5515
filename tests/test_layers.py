"""The layout of ARCHITECTURE section 2, read from the imports: folders import only to the left."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "halgo"
LAYERS = (
    "sources",
    "facts",
    "claims",
    "evidence",
    "signals",
    "verdict",
    "report",
    "delivery",
    "golden",
    "adapters",
)
# Root modules that know no stage; any folder may import them.
FREE = {
    "types",
    "protocols",
    "errors",
    "config",
    "calibration",
    "models",
    "disk",
    "printable",
    "settings",
}
# Root modules that wire the stages; only other root modules and adapters may import them.
WIRING = {"halgorithm", "checker", "api", "stream", "retrieval", "fetch", "__main__"}
NLP = {"spacy", "negspacy", "quantulum3", "nltk"}
# Classic mode is the published algorithm with its libraries, quirks included.
NLP_ALSO = {"verdict/classic.py"}

FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def imports(file: str, for_types: bool = True) -> Iterator[str]:
    """Every module that a file imports, by full name; for_types: those for annotations too."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if for_types else walk_without_types(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: import by full name, not relatively"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def walk_without_types(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from walk_without_types(node)


def parts_of_halgo(file: str, for_types: bool = True) -> set[str]:
    """The folders and root modules of halgo that a file imports."""
    own = {path.stem if path.is_file() else path.name for path in ROOT.iterdir()}
    names = imports(file, for_types)
    found = {name.split(".")[1] for name in names if name.startswith("halgo.")}
    return found & own


@pytest.mark.parametrize("file", FILES)
def test_a_folder_imports_only_folders_to_its_left(file: str) -> None:
    folder = file.split("/")[0]
    if folder not in LAYERS:
        return
    allowed = FREE | set(LAYERS[: LAYERS.index(folder) + 1])
    if folder == "adapters":
        allowed |= WIRING | {"data"}
    if folder == "delivery" and "checker" not in parts_of_halgo(file, for_types=False):
        allowed.add("checker")  # it is handed in; only its type is named
    assert parts_of_halgo(file) <= allowed | {"data"}


@pytest.mark.parametrize("file", [file for file in FILES if Path(file).stem in FREE])
def test_what_all_may_import_knows_no_stage(file: str) -> None:
    if "/" not in file:
        assert parts_of_halgo(file) <= FREE | {"data"}


@pytest.mark.parametrize("file", FILES)
def test_only_facts_runs_the_language_libraries(file: str) -> None:
    if file.startswith("facts/") or file in NLP_ALSO:
        return
    assert not {name.split(".")[0] for name in imports(file, for_types=False)} & NLP


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders <= {*LAYERS, "data", "delivery"}
    modules = {path.stem for path in ROOT.glob("*.py")}
    assert modules <= FREE | WIRING | {"__init__"}
