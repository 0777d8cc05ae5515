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
    "arithmetic",
    "claims",
    "evidence",
    "store",
    "vectorstores",
    "entailment",
    "signals",
    "verdict",
    "report",
    "delivery",
    "golden",
    "integrations",
    "agents",
    "server",
    "bulk",
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
    "process",
    "progress",
    "together",
    "workers",
}
# Folders that meet the world outside: they use halgo as its users do.
OUTER = ("integrations", "agents", "server", "bulk", "adapters")
# Root modules that wire the stages; only other root modules and those folders may import them.
WIRING = {"indexes", "halgorithm", "checker", "api", "stream", "retrieval", "fetch", "__main__"}
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
    if folder in OUTER:
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


# A Halgorithm makes Checkers, and a Checker that is given none asks for the shared Halgorithm.
ONE_ANOTHER = [{"api", "checker", "halgorithm"}]


def test_no_two_modules_import_each_other_not_even_when_they_run() -> None:
    named = {file: file.removesuffix(".py").removesuffix("/__init__") for file in FILES}
    needs = {
        name: {
            found
            for module in imports(file, for_types=False)
            if (found := module.removeprefix("halgo.").replace(".", "/")) in named.values()
            and not f"{name}/".startswith(f"{found}/")  # itself, or the folder that it is in
        }
        for file, name in named.items()
        if name != "__init__"
    }
    assert circles(needs) == ONE_ANOTHER


def circles(needs: dict[str, set[str]]) -> list[set[str]]:
    """The sets of modules of which each needs, by way of others, all the rest."""
    reach = {name: set(direct) for name, direct in needs.items()}
    for name in needs:
        waiting = list(reach[name])
        while waiting:
            for further in needs.get(waiting.pop(), ()):
                if further not in reach[name]:
                    reach[name].add(further)
                    waiting.append(further)
    found: list[set[str]] = []
    for name in sorted(needs):
        circle = {other for other in reach[name] if name in reach.get(other, ())}
        if circle and circle not in found:
            found.append(circle)
    return found


def test_a_circle_is_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [{"b", "c"}]


def test_no_two_files_have_the_same_name() -> None:
    names = [Path(file).name for file in FILES if not file.endswith("__init__.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
