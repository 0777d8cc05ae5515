"""pytest plugin: grounded answers and golden files in a user's own test suite.

halgo_checker                           fixture: documents -> Checker, made once a session
halgo_halgorithm                        fixture: settings and models; override it to change them
@pytest.mark.halgo_golden("file.jsonl") the test runs once a row, given as `halgo_row`
pytest --halgo-golden file.jsonl        a test of each row, without a test file

What a test asserts with is `halgo.assert_grounded` and `halgo.assert_golden`. Found by pytest's
entry point "halgo". Loads nothing heavy until a test asks for a check.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from halgo.errors import ConfigError, GoldenError
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.golden.rows import Row
    from halgo.halgorithm import Docs, Halgorithm
    from halgo.types import Document

MARK = "halgo_golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("halgo", "answers checked against documents")
    group.addoption(
        "--halgo-golden",
        action="append",
        default=[],
        metavar="FILE",
        help="golden file (JSON lines); each row becomes a test; may be repeated",
    )
    group.addoption(
        "--halgo-config", metavar="FILE", help="settings of halgo's checks, as TOML or calibration"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known, so that --strict-markers takes it, and looks at the settings.

    Raises UsageError when --halgo-config names no settings that can be read.
    """
    config.addinivalue_line(
        "markers", f"{MARK}(file): run the test once for each row of a golden file, as halgo_row"
    )
    try:
        _settings(config)  # else the same error would fail each row
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from error


# --- fixtures -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def halgo_halgorithm(pytestconfig: pytest.Config) -> Halgorithm:
    """Settings and models of every check; by default those of --halgo-config, or halgo's own."""
    return _halgorithm(pytestconfig)


@pytest.fixture(scope="session")
def halgo_checker(halgo_halgorithm: Halgorithm) -> Callable[[Docs], Checker]:
    """Documents -> Checker; the same documents give the same Checker, read once a session."""
    return _Checkers(halgo_halgorithm)


class _Checkers:
    """One Checker for each set of documents."""

    def __init__(self, halgorithm: Halgorithm) -> None:
        self.halgorithm = halgorithm
        self.made: dict[tuple[Document, ...], Checker] = {}

    def __call__(self, docs: Docs) -> Checker:
        from halgo.sources.documents import several, to_documents

        docs = several(docs)
        key = tuple(to_documents(docs)[0])
        if key not in self.made:
            self.made[key] = self.halgorithm.checker(docs)
        return self.made[key]


def _halgorithm(config: pytest.Config) -> Halgorithm:
    from halgo.halgorithm import Halgorithm

    return Halgorithm(_settings(config))


def _settings(config: pytest.Config) -> Config | None:
    """The settings of --halgo-config; None where it is not given."""
    path = config.getoption("--halgo-config")
    if path is None:
        return None
    from halgo.config import Config

    read = Config.calibrated if str(path).endswith(".json") else Config.from_toml
    return read(path)


# --- golden files -------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a marked test once a row. A path is relative to the test's folder, or the root's."""
    marks = list(metafunc.definition.iter_markers(MARK))
    if not marks:
        return
    if "halgo_row" not in metafunc.fixturenames:
        raise pytest.Collector.CollectError(
            f"{metafunc.definition.nodeid} is marked {MARK}, so it must take the argument halgo_row"
        )
    rows: list[Row] = []
    for mark in reversed(marks):
        if not mark.args or mark.kwargs:
            raise pytest.Collector.CollectError(
                f'{MARK} takes the path of a golden file: {MARK}("file.jsonl")'
            )
        for name in mark.args:
            beside = metafunc.definition.path.parent / name
            path = beside if beside.exists() else metafunc.config.rootpath / name
            try:
                rows += _rows(path)
            except (GoldenError, pytest.PytestWarning) as error:
                raise pytest.Collector.CollectError(str(error)) from error
    metafunc.parametrize("halgo_row", rows, ids=[printable(row.id) for row in rows])


@pytest.hookimpl(tryfirst=True)  # before others select among the items
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Adds a test for each row of the files given with --halgo-golden."""
    checkers: list[_Checkers] = []
    for name in config.getoption("--halgo-golden"):
        file = GoldenFile.from_parent(session, path=(config.invocation_params.dir / name).resolve())
        file.checkers = checkers
        try:
            items.extend(file.collect())
        except (GoldenError, pytest.PytestWarning) as error:
            raise pytest.UsageError(str(error)) from error


class GoldenFile(pytest.File):
    """A golden file whose rows are tests."""

    checkers: list[_Checkers]  # of the session; made with the first row that runs

    def collect(self) -> Iterator[GoldenItem]:
        """A test for each row."""
        for row in _rows(self.path):
            item: GoldenItem = GoldenItem.from_parent(self, name=printable(row.id))
            item.row = row
            yield item

    def checker(self, row: Row) -> Checker:
        """The Checker of the row's documents."""
        if not self.checkers:
            self.checkers.append(_Checkers(_halgorithm(self.config)))
        return self.checkers[0](row.documents)


class GoldenItem(pytest.Item):
    """One row of a golden file as a test."""

    row: Row

    def runtest(self) -> None:
        """Fails when the verdict does not fit the label."""
        assert isinstance(self.parent, GoldenFile)
        from halgo.adapters.assertion import assert_golden

        assert_golden(self.row, self.parent.checker(self.row))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone: the frames of the plugin tell a reader nothing."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the row stands."""
        return self.path, self.row.line - 1, self.name


def _rows(path: Path) -> list[Row]:
    """The rows of a file; a warning about it is raised where the session makes errors of them."""
    from halgo.golden.rows import read

    said: list[str] = []
    rows = read(path, said)
    for warning in said:
        warnings.warn(pytest.PytestWarning(warning), stacklevel=2)
    return rows
