"""The manual says what is so: its code runs, its commands exist, its links lead somewhere.

The Python of README.md and of each page in docs/ runs from top to bottom as one program, in a
copy of examples/, with `answer` holding the text of answer.md. A ```text block that follows a
Python block, with nothing but blank lines and HTML comments between, is what that block prints.
The code of a page marked "code: make test-ecosystem" needs frameworks, and is run by that.

    python tests/test_docs.py [PAGE ...]      writes these outputs anew, when they rightly change
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from halgo.api import shared

ROOT = Path(__file__).resolve().parent.parent
MANUAL = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHERS = [
    *(ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "STYLE.md")),
    *(ROOT / folder / "README.md" for folder in ("benchmarks", "examples", "models")),
]
PAGES = [*MANUAL, *OTHERS]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTHING = re.compile(r"(?:\s|<!--[^>]*-->)*")
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z0-9-]*")
_MODULE = re.compile(r"\b[a-z0-9_]+\.py\b")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@dataclass(frozen=True)
class Block:
    """A Python block: its code, the line it starts on, and where its output stands, if shown."""

    code: str
    line: int
    shown: tuple[int, int] | None


@pytest.fixture(scope="module", autouse=True)
def _as_a_reader_would() -> Iterator[None]:
    """With the models that a reader has, opened once for all pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HALGO_ENTAILMENT")
        shared.cache_clear()
        yield
    shared.cache_clear()


def blocks(text: str) -> list[Block]:
    fences = list(_FENCE.finditer(text))
    found = []
    for at, fence in enumerate(fences):
        if fence[1] != "python":
            continue
        after = fences[at + 1] if at + 1 < len(fences) else None
        follows = after is not None and after[1] == "text"
        between = text[fence.end() : after.start()] if follows and after else "no output"
        shown = after.span(2) if after and _NOTHING.fullmatch(between) else None
        found.append(Block(fence[2], text.count("\n", 0, fence.start(2)), shown))
    return found


def outputs(page: Path, folder: Path) -> list[tuple[Block, str]]:
    """What each Python block of a page prints, run in `folder`, a copy of examples/."""
    answer = (folder / "answer.md").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": page.stem, "answer": answer}
    found = []
    for block in blocks(page.read_text(encoding="utf-8")):
        printed = io.StringIO()
        code = compile("\n" * block.line + block.code, named(page), "exec", dont_inherit=True)
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            exec(code, namespace)
        found.append((block, printed.getvalue()))
    return found


def copy_of_examples(folder: Path) -> Path:
    return Path(shutil.copytree(ROOT / "examples", folder / "examples"))


# --- code ---------------------------------------------------------------------------------------


def with_code(*, frameworks: bool) -> list[Path]:
    """The pages whose code is run with the frameworks installed, or those without."""
    texts = {page: page.read_text(encoding="utf-8") for page in MANUAL}
    mark = "<!-- code: make test-ecosystem -->"
    return [page for page, text in texts.items() if blocks(text) and (mark in text) == frameworks]


@pytest.mark.models
@pytest.mark.parametrize("page", with_code(frameworks=False), ids=named)
def test_the_code_of_a_page_runs_and_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block, printed in outputs(page, copy_of_examples(tmp_path)):
        if block.shown is not None:
            shown = text[slice(*block.shown)]
            assert shown == printed, (
                f"{named(page)} line {block.line}: run python tests/test_docs.py"
            )


def test_a_text_block_is_an_output_only_right_behind_its_code() -> None:
    code, shown = "```python\nprint(1)\n```\n", "```text\n1\n```\n"
    assert blocks(code + "<!-- start -->\n" + shown)[0].shown is not None
    assert blocks(code + "and so on\n" + shown)[0].shown is None
    assert blocks(code)[0].shown is None


# --- commands -----------------------------------------------------------------------------------


def commands() -> dict[str, set[str]]:
    """Every command of the command line -> its options; --help, which all have, left out."""
    import typer

    from halgo.adapters.cli import app

    found: dict[str, set[str]] = {}
    waiting: list[tuple[str, Any]] = [("halgo", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        options = (p for p in command.params if p.param_type_name == "option")
        found[name] = {word for p in options for word in (*p.opts, *p.secondary_opts)} - {"--help"}
        waiting += ((f"{name} {sub}", c) for sub, c in getattr(command, "commands", {}).items())
    return found


def sections(text: str) -> dict[str, str]:
    """The sections "## `halgo ...`" of docs/cli.md by their command."""
    parts = re.split(r"^## +", text, flags=re.MULTILINE)[1:]
    return {
        head.strip().strip("`"): body
        for head, _, body in (part.partition("\n") for part in parts)
        if head.startswith("`halgo")
    }


def test_the_command_line_page_has_every_command_and_option_and_no_other() -> None:
    written = sections((ROOT / "docs/cli.md").read_text(encoding="utf-8"))
    real = commands()
    assert sorted(written) == sorted(real)
    for command, body in written.items():
        rows = re.findall(r"^\| (`-.+?) \|", body, re.MULTILINE)
        assert {word for row in rows for word in _OPTION.findall(row)} == real[command], command


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_halgo_command_in_a_page_exists(page: Path) -> None:
    real = commands()
    for line in page.read_text(encoding="utf-8").splitlines():
        found = re.match(r"\s*(?:\$ )?(halgo (?:[a-z].*|-.*))", line)
        if found is None or (line[0] != " " and not _in_fence(page, line)):
            continue
        said = re.split(r"\s+#|\s\|\s|[<>;]", found[1])[0]
        command = max((c for c in real if f"{said} ".startswith(f"{c} ")), key=len)
        assert command != "halgo" or "--" in said, line
        assert set(_OPTION.findall(said)) - {"--help"} <= real[command], line


def _in_fence(page: Path, line: str) -> bool:
    return any(line in fence[2] for fence in _FENCE.finditer(page.read_text(encoding="utf-8")))


# --- links and names ----------------------------------------------------------------------------


def anchors(text: str) -> set[str]:
    """The names by which a page's headings can be linked to."""
    bare = _FENCE.sub("", text)
    heads = (re.sub(r"[^\w\- ]", "", head.lower()) for head in _HEADING.findall(bare))
    return {head.replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), f"{named(page)} links to {target}"
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), target


def listed(page: str, words: set[str]) -> set[str]:
    """Those of the words that stand in code in a page."""
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`", (ROOT / page).read_text("utf-8"), re.DOTALL))
    return words & set(re.findall(r"\w+", code))


def test_the_manual_names_every_public_name_setting_key_state_and_kind() -> None:
    import halgo
    from halgo.report.report import ClaimDict
    from halgo.verdict.scoring import GROUPS

    kinds = set(GROUPS) - {"entailment"}
    settings = {field.name for field in fields(halgo.Config)}
    for page, words in (
        ("docs/python-api.md", set(halgo.__all__)),
        ("docs/python-api.md", settings),
        ("docs/python-api.md", set(ClaimDict.__annotations__)),
        ("docs/verdicts.md", {str(state) for state in halgo.State}),
        ("docs/verdicts.md", {str(kind) for kind in halgo.ClaimKind}),
        ("docs/verdicts.md", {str(verdict) for verdict in halgo.Verdict}),
        ("docs/verdicts.md", kinds),
    ):
        assert words - listed(page, words) == set(), page


def test_the_manual_names_every_kind_of_file_that_is_read() -> None:
    from halgo.sources.readers import READERS

    text = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    assert [kind for kind in READERS if f"`{kind}`" not in text] == []


def test_the_plan_names_every_module_and_no_other() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tree = text.partition("```\nhalgo/\n")[2].partition("```")[0]
    listed_files: set[str] = set()
    folder = ""
    for line in tree.splitlines():
        head, below = re.match(r"  (\w+)/", line), re.match(r"    (\w+)/", line)
        if line and not line.startswith(" "):
            break
        if head:
            folder = f"{head[1]}/"
        elif below:
            folder = f"{folder.partition('/')[0]}/{below[1]}/"
        elif not line.startswith("    "):
            folder = ""
        found = re.match(r"\s+((?:[a-z0-9_]+\.py\s+)+)", line + " ")
        listed_files |= {folder + name for name in _MODULE.findall(found[1])} if found else set()
    package = ROOT / "halgo"
    real = {p.relative_to(package).as_posix() for p in package.rglob("*.py")}
    empty = {p for p in real if p.endswith("__init__.py") and p != "__init__.py"}
    assert sorted(real - empty - listed_files) == []
    assert sorted(listed_files - real) == []


def main(names: list[str]) -> None:
    """Writes the outputs that these pages show; of all pages when none is named."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    for page in [Path(name).resolve() for name in names] or with_code(frameworks=False):
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            found = outputs(page, copy_of_examples(Path(folder)))
        for block, printed in reversed(found):
            if block.shown is not None:
                start, end = block.shown
                text = text[:start] + printed + text[end:]
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{named(page)} written\n")


if __name__ == "__main__":
    main(sys.argv[1:])
