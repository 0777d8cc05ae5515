"""The pytest plugin, in suites of its own: answers, fixtures, golden files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_golden import ByNumber, row

from halgo import assert_golden, assert_grounded
from halgo.golden.rows import Label
from halgo.types import State, Verdict

pytest_plugins = ["pytester"]

# By its module whether or not halgo is installed with the entry point.
ON = ("-p", "no:halgo", "-p", "halgo.adapters.pytest_plugin", "-p", "no:cacheprovider")

# What a user's conftest.py may do to check with models of another kind.
CONFTEST = """
    import pytest
    from small_golden import ByNumber

    @pytest.fixture(scope="session")
    def halgo_halgorithm():
        return ByNumber()
"""

GOLDEN = (
    '{"id": "fee", "docs": "d", "claim": "0.9 a", "label": "supported"}\n'
    '{"id": "term", "docs": "d", "claim": "0.8 b", "label": "unsupported"}\n'
    '{"id": "cap", "docs": "e", "claim": "0.1 c", "label": "contradicted"}\n'
)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with a golden file; models are stand-ins there."""
    monkeypatch.setattr("halgo.halgorithm.Halgorithm", ByNumber)
    (pytester.path / "golden.jsonl").write_text(GOLDEN, encoding="utf-8")
    return pytester


# --- assertions ---------------------------------------------------------------------------------


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """`assert_grounded` asks for a Checker by its type."""

    class Checker(ByNumber):
        @classmethod
        def from_docs(cls, docs: object, config: object = None, halgorithm: object = None):
            return cls()

    monkeypatch.setattr("halgo.checker.Checker", Checker)


@pytest.mark.usefixtures("stand_in")
def test_a_grounded_answer_passes_and_gives_its_report() -> None:
    assert assert_grounded("0.9 a; 0.8 b", "d").grounded


@pytest.mark.usefixtures("stand_in")
def test_a_failure_names_each_bad_claim_its_verdict_and_the_nearest_passage() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_grounded("0.9 a; 0.5 \x1b[31mb; 0.8 against", "d")
    lines = str(failure.value).splitlines()
    assert lines[0] == "2 of 3 claims are not supported by the documents"
    assert lines[1].startswith("  [1] WEAK_SUPPORT (score 0.50, weak_support)")
    assert lines[2] == r"      claim:   0.5 \x1b[31mb"  # no escape sequence gets through
    assert lines[3] == "      nearest: The fee is 1.5%. (d)"
    assert "CONTRADICTION (score 0.60, number_conflict): 5% against 1.5%" in lines[4]


@pytest.mark.usefixtures("stand_in")
def test_an_answer_in_which_nothing_is_checked_fails_with_its_state() -> None:
    with pytest.raises(AssertionError, match="nothing was assessed: the answer asserts nothing"):
        assert_grounded("-", "d")


@pytest.mark.usefixtures("stand_in")
def test_a_refusal_passes_only_when_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    check = ByNumber.check
    monkeypatch.setattr(
        ByNumber, "check", lambda self, *given: replace(check(self, *given), state=State.REFUSAL)
    )
    with pytest.raises(AssertionError, match="declines to answer"):
        assert_grounded("-", "d")
    assert assert_grounded("-", "d", refusal_ok=True).state is State.REFUSAL


@pytest.mark.parametrize(
    ("text", "label", "passes"),
    [
        ("0.9 a", Label.SUPPORTED, True),
        ("0.5 a", Label.SUPPORTED, False),
        ("0.5 a", Label.UNSUPPORTED, True),
        ("0.9 a", Label.CONTRADICTED, False),
        ("0.9 against", Label.CONTRADICTED, True),
    ],
)
def test_a_row_passes_when_the_verdict_fits_its_label(
    text: str, label: Label, passes: bool
) -> None:
    if passes:
        assert_golden(row(text, label), ByNumber())  # type: ignore[arg-type]
        return
    with pytest.raises(AssertionError, match=f"is labelled {label}, halgo finds otherwise"):
        assert_golden(row(text, label), ByNumber())  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "passes"), [("0.8 against", True), ("0.1 c", False)])
def test_a_row_that_names_a_verdict_passes_with_that_one_alone(text: str, passes: bool) -> None:
    exact = replace(row(text, Label.CONTRADICTED), verdicts=(Verdict.CONTRADICTION,))
    if passes:
        assert_golden(exact, ByNumber())  # type: ignore[arg-type]
        return
    said = r"expects CONTRADICTION, halgo finds HALLUCINATION\n  HALLUCINATION"
    with pytest.raises(AssertionError, match=said):
        assert_golden(exact, ByNumber())  # type: ignore[arg-type]


def test_a_row_labelled_refusal_passes_when_the_answer_declines() -> None:
    label = Label.REFUSAL
    assert_golden(row("?", label, answer=True), ByNumber())  # type: ignore[arg-type]
    for text, said in (
        ("0.9 a", "is labelled refusal, halgo finds otherwise\n  .1. SUPPORTED"),
        ("-", "is labelled refusal: nothing was assessed: the answer asserts nothing"),
    ):
        with pytest.raises(AssertionError, match=said):
            assert_golden(row(text, label, answer=True), ByNumber())  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="declines to answer"):
        assert_golden(row("?", True, answer=True), ByNumber())  # type: ignore[arg-type]


@pytest.mark.models
def test_an_answer_is_checked_with_real_models() -> None:
    from halgo import Checker, Halgorithm

    docs = "A late fee of 1.5% per month applies to overdue invoices."
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    checker = Checker.from_docs(docs, halgorithm=halgorithm)
    assert assert_grounded(docs, checker).grounded
    with pytest.raises(AssertionError, match="The claim says 5%"):
        assert_grounded("The late fee is 5% per month.", docs, halgorithm=halgorithm)
    with pytest.raises(ValueError, match="a Checker has its own models"):
        assert_grounded(docs, checker, halgorithm=halgorithm)


# --- in a suite ---------------------------------------------------------------------------------


def test_the_checker_of_the_same_documents_is_made_once(suite: pytest.Pytester) -> None:
    suite.makeconftest(CONFTEST)
    suite.makepyfile(
        """
        def test_one(halgo_checker, halgo_halgorithm):
            assert halgo_checker("d") is halgo_checker(["d"])
            assert halgo_checker([{"text": "e"}])
            assert halgo_checker(text for text in ["d"]) is halgo_checker("d")
            assert halgo_checker(text for text in ["f"])
            assert halgo_halgorithm.seen.pop() == ("f",)
            assert len(halgo_halgorithm.seen) == 2

        def test_two(halgo_checker, halgo_halgorithm):
            halgo_checker(["d"])
            assert len(halgo_halgorithm.seen) == 2
        """
    )
    suite.runpytest_inprocess(*ON, "--strict-markers").assert_outcomes(passed=2)


def test_a_marked_test_runs_once_a_row_named_by_its_id(suite: pytest.Pytester) -> None:
    suite.makeconftest(CONFTEST)
    # As docs/golden.md prints it.
    page = (Path(__file__).parent.parent / "docs" / "golden.md").read_text(encoding="utf-8")
    printed = page[page.index("    import pytest\n") : page.index("\nA row passes when")]
    suite.makepyfile(printed)
    result = suite.runpytest_inprocess(*ON, "--strict-markers", "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*_say[[]fee[]] PASSED*", "*_say[[]term[]] FAILED*"])
    result.stdout.fnmatch_lines(["*term (line 2) is labelled unsupported, halgo finds otherwise*"])


def test_a_golden_file_is_tests_of_its_own(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess(*ON, "--halgo-golden", "golden.jsonl", "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["*golden.jsonl::fee PASSED*", "*golden.jsonl::term FAILED*", "*golden.jsonl::cap PASSED*"]
    )
    result.stdout.fnmatch_lines(["*0.8 b*", "*nearest: The fee is 1.5%. (d)*"])
    result.stdout.no_fnmatch_line("*assertion.py*")  # no frames of the plugin
    one = suite.runpytest_inprocess(*ON, "--halgo-golden", "golden.jsonl", "-k", "cap")
    one.assert_outcomes(passed=1, deselected=2)


def test_settings_of_the_session_come_from_a_file(suite: pytest.Pytester) -> None:
    (suite.path / "halgo.toml").write_text("support_threshold = 0.85\n", encoding="utf-8")
    result = suite.runpytest_inprocess(
        *ON, "--halgo-golden", "golden.jsonl", "--halgo-config", "halgo.toml"
    )
    result.assert_outcomes(passed=3)  # 0.8 is no longer supported


def test_settings_that_cannot_be_read_stop_the_run_once(suite: pytest.Pytester) -> None:
    (suite.path / "halgo.toml").write_text('calibration = "gone.json"\n', encoding="utf-8")
    options = ["--halgo-golden", "golden.jsonl", "--halgo-config", "halgo.toml"]
    result = suite.runpytest_inprocess(*ON, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: halgo.toml: *gone.json*"])
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_a_misspelt_key_of_a_golden_file_is_a_warning(suite: pytest.Pytester) -> None:
    row = '{"docs": "d", "claim": "0.9 a", "label": 1, "questoin": "What is a?"}'
    (suite.path / "golden.jsonl").write_text(row, encoding="utf-8")
    options = [*ON, "--halgo-golden", "golden.jsonl"]
    strict = suite.runpytest_inprocess(*options, "-W", "error")
    assert strict.ret == pytest.ExitCode.USAGE_ERROR
    result = suite.runpytest_inprocess(*options, "-W", "default")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(['*the key "questoin" is not read; "question" would be*'])


def test_a_malformed_golden_file_stops_the_run_with_line_and_reason(suite: pytest.Pytester) -> None:
    (suite.path / "golden.jsonl").write_text("{}\n", encoding="utf-8")
    result = suite.runpytest_inprocess(*ON, "--halgo-golden", "golden.jsonl")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*golden.jsonl: 1 row cannot be read*", "*line 1: *is missing*"])
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.halgo_golden("golden.jsonl")
        def test_rows(halgo_row):
            pass
        """
    )
    result = suite.runpytest_inprocess(*ON)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*line 1: documents, docs, contexts or files is missing*"])


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            '@pytest.mark.halgo_golden("golden.jsonl")\ndef test_x():',
            "*take the argument halgo_row*",
        ),
        ("@pytest.mark.halgo_golden\ndef test_x(halgo_row):", "*takes the path of a golden file*"),
        ('@pytest.mark.halgo_golden("no.jsonl")\ndef test_x(halgo_row):', "*cannot read*no.jsonl*"),
    ],
)
def test_a_marker_put_wrongly_is_explained(suite: pytest.Pytester, head: str, said: str) -> None:
    (suite.path / "test_it.py").write_text(f"import pytest\n\n{head}\n    pass\n", encoding="utf-8")
    result = suite.runpytest_inprocess(*ON)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([said])


def test_the_plugin_loads_nothing_heavy() -> None:
    code = "import halgo.adapters.pytest_plugin, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    heavy = {"numpy", "spacy", "onnxruntime", "tokenizers", "torch", "typer", "rich"}
    assert not heavy & set(done.stdout.split())


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    from configparser import ConfigParser

    settings = ConfigParser()
    settings.read(Path(__file__).parent.parent / "setup.cfg")
    named = settings["options.entry_points"]["pytest11"].split()
    assert named == ["halgo", "=", "halgo.adapters.pytest_plugin"]
