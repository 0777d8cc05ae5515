"""What the objects of halgo say of themselves: one line that tells them apart, without a model."""

import pickle
from pathlib import Path

import pytest

from halgo import (
    AuditLog,
    Bundle,
    Checker,
    Config,
    Halgorithm,
    Judge,
    Release,
    SelfVerifier,
    audited,
)

LONG = (
    "The pool opens at 8 am on every day of the week, and\x1b[31m on Fridays it closes at 6 pm for "
    "all swimmers."
)


@pytest.fixture(scope="module")
def checker() -> Checker:
    halgorithm = Halgorithm(Config(top_k=7), embedder="lexical", entailment=None, detectors=())
    return halgorithm.checker("The pool opens at 8 am.")


def test_what_holds_models_says_that_it_cannot_be_pickled() -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None, detectors=())
    for one in (halgorithm, halgorithm.checker("The fee is 5%.")):
        with pytest.raises(TypeError, match=r"checker\.save.*Checker\.from_index"):
            pickle.dumps(one)


def test_what_checks_tells_documents_models_and_the_settings_that_differ(
    checker: Checker, tmp_path: Path
) -> None:
    own = "<Checker documents=1, passages=1, embedder='lexical', top_k=7>"
    assert repr(checker) == own
    assert repr(checker.halgorithm) == (
        "<Halgorithm embedder='lexical', entailment=None, detectors=0, top_k=7>"
    )
    assert repr(Judge(checker, cut=0.7)) == f"<Judge checker={own}, cut=0.7>"
    assert repr(SelfVerifier(max_claims=9)) == "<SelfVerifier checker=None, max_claims=9>"
    log = AuditLog(tmp_path / "log.jsonl", on_error="raise")
    assert "log.jsonl', texts=False, on_error='raise', fsync=False, lost=0>" in repr(log)
    assert repr(audited(checker, log, service="bot")) == (
        f"<Audited {own}, log={log!r}, tags=['service']>"
    )
    release = Release(checker)
    release.feed("The pool")
    assert repr(release) == "<Release policy='STRIP_UNSUPPORTED', fed=8, shown=0, finished=False>"


def test_a_session_tells_how_far_it_is(checker: Checker) -> None:
    session = checker.session()
    assert repr(session) == "<Session fed=0, checked=0, claims=0, finished=False>"
    session.feed("The pool opens at 8 am. It")
    assert repr(session) == "<Session fed=26, checked=24, claims=1, finished=False>"
    session.finish()
    assert repr(session).endswith("finished=True>")


def test_a_bundle_tells_what_it_holds() -> None:
    bundle = Bundle()
    assert repr(bundle) == "<Bundle empty>"
    bundle.add_tool_result("clock", {"opens": "8 am"})
    bundle.add_turn("user", "Is it open?")
    bundle.add_turn("user", "Now?")
    assert repr(bundle) == "<Bundle tool=1, turn=2>"


def test_a_repr_loads_no_model() -> None:
    halgorithm = Halgorithm(embedder="no/such/folder", entailment=Path("none/such"))
    assert repr(halgorithm) == "<Halgorithm embedder='no/such/folder', entailment='none/such'>"


def test_a_report_and_a_result_are_one_short_line_each(checker: Checker) -> None:
    report = checker.check(f"Hello! {LONG}")
    assert repr(report) == "<Report assessed, WEAK_SUPPORT=1, skipped=1>"
    shown = repr(report.results[0])
    assert shown.startswith("<ClaimResult WEAK_SUPPORT, score=0.")
    assert "reason='weak_support', claim='The pool opens at 8 am on every day" in shown
    assert "\x1b" not in shown and "Fridays" not in shown and len(shown) < 160
