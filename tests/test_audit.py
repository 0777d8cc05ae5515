"""The audit log: what a line says, who may write at once, what is noticed, what is never lost."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import shutil
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo import Halgorithm, Judge, Release, SelfVerifier, check_payload
from halgo.config import Config
from halgo.delivery import chain
from halgo.delivery.audit import AuditLog, AuditWarning, audited, show, verify
from halgo.delivery.gate import STRIP_UNSUPPORTED
from halgo.delivery.gate import apply as apply_gate
from halgo.delivery.statistics import statistics
from halgo.errors import AuditError
from halgo.report.report import Engine, Report
from halgo.types import Claim, ClaimKind, ClaimResult, Reading, Span, State, Verdict

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ENGINE = Engine("1", "lexical", "none", "none", "none", "f" * 64)
SECRET = "The code of the safe is 4711."


def report(answer: str = SECRET, *verdicts: Verdict) -> Report:
    """A report by hand: one claim a verdict, all of them the whole answer."""
    claim = Claim(1, answer, Span(0, len(answer)), ClaimKind.FACT, Reading.verbatim(answer), answer)
    results = tuple(ClaimResult(claim, one, "by_hand", "", 0.5, ()) for one in verdicts)
    state = State.ASSESSED if results else State.NO_CLAIMS
    return Report(answer, state, results, (), (), Config(), ENGINE)


def written(path: Path, count: int) -> AuditLog:
    log = AuditLog(path, clock=lambda: NOON)
    for number in range(count):
        log.append(report(f"Answer {number}.", Verdict.SUPPORTED), latency_ms=10.0 + number)
    return log


class Stub:
    """A Checker that knows one answer to everything."""

    def check(self, answer: str, question: str | None = None) -> Report:
        return report(answer, Verdict.SUPPORTED)

    def check_many(self, answers: list[str], questions: object = None) -> list[Report]:
        return [self.check(answer) for answer in answers]


# --- what a line says ---------------------------------------------------------------------------


def test_a_line_tells_what_was_checked_and_how_but_not_the_text(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    checked = report(SECRET, Verdict.SUPPORTED, Verdict.HALLUCINATION)
    decision = apply_gate(checked, STRIP_UNSUPPORTED)
    own = AuditLog(path, clock=lambda: NOON).append(checked, decision, 12.5, user="u1")
    text = path.read_text("ascii")
    record = json.loads(text)
    assert "4711" not in text
    assert record["time"] == "2026-03-01T12:00:00.000000Z"
    assert record["counts"]["HALLUCINATION"] == 1 and record["state"] == "assessed"
    assert record["index_digest"] == "f" * 64 and record["engine"]["embedder"] == "lexical"
    assert record["config"] == Config().to_dict()
    assert record["decision"]["action"] == str(decision.action)
    assert record["latency_ms"] == 12.5 and record["tags"] == {"user": "u1"}
    assert [claim["verdict"] for claim in record["claims"]] == ["SUPPORTED", "HALLUCINATION"]
    assert record["hash"] == own == verify(path).last_hash


def test_text_is_written_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    AuditLog(path, texts=True).append(report(SECRET, Verdict.SUPPORTED))
    record = show(path, 1)
    assert record["answer"] == SECRET and record["claims"][0]["text"] == SECRET


def test_any_text_can_be_logged(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    AuditLog(path, texts=True).append(report("half \ud800 a\u2028pair\n", Verdict.SUPPORTED))
    assert verify(path).ok and show(path, -1)["answer"] == "half \ud800 a\u2028pair\n"


@pytest.mark.parametrize("tag", [float("nan"), ["list"], {"a": 1}, b"bytes"])
def test_a_tag_that_cannot_be_written_is_refused_with_its_name(tmp_path: Path, tag: Any) -> None:
    log = AuditLog(tmp_path / "log.jsonl")
    with pytest.raises((TypeError, ValueError), match="'user'"):
        log.append(report(), user=tag)
    with pytest.raises((TypeError, ValueError), match="'user'"):
        audited(Stub(), log, user=tag)  # type: ignore[arg-type]
    assert not log.path.exists()


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log.jsonl")
    with pytest.raises(TypeError, match="a Report is needed, not str"):
        log.append("x")  # type: ignore[arg-type]
    assert not log.path.exists()


def test_a_decision_may_be_a_mapping_and_must_have_an_action(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log.jsonl")
    log.append(report(), {"action": "block", "edits": [{"span": [0, 3], "action": "strip"}]})
    edits = show(log.path, 1)["decision"]["edits"]
    assert edits == [{"action": "strip", "span": [0, 3]}]
    with pytest.raises(TypeError, match="action"):
        log.append(report(), SimpleNamespace(text="x"))


def test_an_audited_checker_logs_each_check_and_returns_its_report(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    checker = audited(Stub(), AuditLog(path), model="m1")  # type: ignore[arg-type]
    assert checker.check("One.") == report("One.", Verdict.SUPPORTED)
    assert asyncio.run(checker.acheck("Two.", user="u2")).answer == "Two."
    assert [one.answer for one in checker.check_many(["Three.", "Four."])] == ["Three.", "Four."]
    records = [show(path, number) for number in (1, 2, 3, 4)]
    assert [record["tags"].get("user") for record in records] == [None, "u2", None, None]
    assert all(record["tags"]["model"] == "m1" for record in records)
    assert all(record["latency_ms"] >= 0 for record in records)
    assert verify(path).records == 4


# --- the chain ----------------------------------------------------------------------------------


def test_each_line_holds_the_hash_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, 3)
    first, second, third = (show(path, number) for number in (1, 2, 3))
    assert first["prev"] == chain.FIRST
    assert (second["prev"], third["prev"]) == (first["hash"], second["hash"])


def _append_many(path: str, who: int) -> None:
    log = AuditLog(path, on_error="raise")
    for number in range(50):
        log.append(report(f"{who}: {number}." * (1 + number % 7), Verdict.SUPPORTED), who=who)


def test_several_processes_write_at_once_and_no_line_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(str(path), who)) for who in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    found = verify(path)
    assert found.ok and found.records == 200
    who = [show(path, number)["tags"]["who"] for number in (1, 50, 100, 200)]
    assert set(who) <= {0, 1, 2, 3}
    assert statistics(path).total.checks == 200


def test_a_crash_at_any_byte_of_the_last_line_is_recovered_and_reported(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    written(whole, 2)
    data = whole.read_bytes()
    first = data.index(b"\n") + 1
    path = tmp_path / "log.jsonl"
    for end in range(first, len(data)):
        path.write_bytes(data[:end])
        before = verify(path)
        complete = end == len(data) - 1  # only the line break is missing
        assert before.ok == (end == first or complete)
        if not before.ok:
            assert before.bad_line == 2 and "incomplete" in (before.why or "")
        AuditLog(path, on_error="raise", clock=lambda: NOON).append(report("Next."))
        after = verify(path)
        assert after.ok and after.torn == (() if before.ok else (2,))
        assert after.records == (3 if complete else 2)
        assert data[:end] in path.read_bytes()  # kept aside, not cut off


def test_two_crashes_in_a_row_are_recovered(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 1)
    good = path.stat().st_size
    log.append(report("Lost."))
    os.truncate(path, good + 40)
    log.append(report("Lost as well."))
    os.truncate(path, path.stat().st_size - 20)
    log.append(report("Written."))
    found = verify(path)
    assert found.ok and found.torn == (2, 3) and found.records == 2


def test_a_torn_line_that_was_altered_later_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 1)
    good = path.stat().st_size
    log.append(report("Lost."))
    os.truncate(path, good + 40)
    log.append(report("Written."))
    data = bytearray(path.read_bytes())
    data[good + 5] ^= 1
    path.write_bytes(data)
    assert verify(path).bad_line == 2
    path.write_bytes(data[:good] + data[good + 41 :])
    assert verify(path).bad_line == 2 and "gone" in (verify(path).why or "")


@settings(max_examples=150)
@given(data=st.data())
def test_a_change_of_any_byte_is_found_at_its_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "tampered"
    folder.mkdir(exist_ok=True)
    whole = folder / "whole.jsonl"
    if not whole.exists():
        written(whole, 3)
    content = whole.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    path = folder / "log.jsonl"
    path.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
    found = verify(path)
    line = content.count(b"\n", 0, place) + 1
    assert not found.ok and found.bad_line == line


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_removed_or_moved_line_is_found(tmp_path: Path, gone: int) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 4)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
    assert verify(path).bad_line == gone + 1
    swapped = [*lines[:gone], lines[gone + 1], lines[gone], *lines[gone + 2 :]]
    path.write_bytes(b"".join(swapped))
    assert verify(path).bad_line == gone + 1
    assert log.lost == 0


def test_lines_cut_off_at_the_end_are_found_by_a_hash_kept_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, 3)
    kept = verify(path).last_hash
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    assert verify(path).ok
    found = verify(path, known=kept)
    assert not found.ok and "cut off" in (found.why or "")


def test_an_altered_last_line_stays_bad_after_the_next_append(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 2)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"SUPPORTED", b"SUPPORTEd", 99))
    shutil.copy(path, tmp_path / "altered")
    log.append(report("Next."))
    assert verify(path).bad_line == 1
    lines = content.splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b"SUPPORTED", b"HALLUCINA"))
    log.append(report("Next."))
    assert verify(path).bad_line == 2


def test_an_empty_log_is_as_it_was_written_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    empty = tmp_path / "log.jsonl"
    empty.touch()
    assert verify(empty).ok and verify(empty).records == 0
    missing = tmp_path / "none.jsonl"
    readers: list[Callable[[], Any]] = [
        partial(verify, missing),
        partial(statistics, missing),
        partial(show, missing, -1),
    ]
    for read in readers:
        with pytest.raises(AuditError, match=r"none\.jsonl cannot be read: No such file.*Name one"):
            read()


# --- what is audited ---------------------------------------------------------------------------


def test_who_gives_an_audited_checker_where_more_is_needed_is_told_what_to_give(
    tmp_path: Path,
) -> None:
    log = AuditLog(tmp_path / "log.jsonl")
    checker = Halgorithm(embedder="lexical", entailment=None).checker("The pool opens at 8 am.")
    logged: Any = audited(checker, log)
    for take in (Judge, SelfVerifier, Release, lambda one: check_payload(one, {"opens": "8 am"})):
        with pytest.raises(TypeError, match=r"not Audited(?s:.*)Give its `\.checker`"):
            take(logged)
        assert take(logged.checker)
    for wrong in ((5, log), ("x", log), (checker, "log.jsonl")):
        with pytest.raises(TypeError, match=r"(must be a Checker|is needed), not (int|str): "):
            audited(*wrong)  # type: ignore[arg-type]


# --- what cannot be written ---------------------------------------------------------------------


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes")
    with pytest.warns(AuditWarning, match="no audit log"):
        assert AuditLog(path).append(report()) is None
    assert path.read_text() == "my notes"


def _unwritable(folder: Path) -> list[Path]:
    (folder / "folder").mkdir()
    places = [folder / "missing" / "log.jsonl", folder / "folder"]
    return [*places, Path("/dev/full")] if Path("/dev/full").exists() else places


@pytest.mark.parametrize("which", [0, 1, 2])
def test_the_result_is_not_lost_when_its_line_is(tmp_path: Path, which: int) -> None:
    places = _unwritable(tmp_path)
    if which >= len(places):
        pytest.skip("there is no /dev/full here")
    log = AuditLog(places[which])
    checker = audited(Stub(), log)  # type: ignore[arg-type]
    with pytest.warns(AuditWarning, match=r"not in the audit log.*lost by this log so far: 1"):
        assert checker.check("One.").answer == "One."
    with pytest.warns(AuditWarning, match="so far: 2"):
        checker.check("One.")
    assert log.lost == 2
    raising = audited(Stub(), AuditLog(places[which], on_error="raise"))  # type: ignore[arg-type]
    with pytest.raises(AuditError) as caught:
        raising.check("One.")
    assert caught.value.report == report("One.", Verdict.SUPPORTED)
    told: list[AuditError] = []
    audited(Stub(), AuditLog(places[which], on_error=told.append)).check("One.")  # type: ignore
    assert len(told) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_or_a_device_is_no_audit_log_and_is_not_waited_for(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for place in (pipe, link, Path("/dev/null")):
        log = AuditLog(place, on_error="raise")
        with pytest.raises(AuditError, match="Name a file") as caught:
            log.append(report("One."))
        assert caught.value.report == report("One.")
        readers: list[Callable[[], Any]] = [
            partial(verify, place),
            partial(statistics, place),
            partial(show, place, -1),
            partial(show, place, "abcdef"),
            partial(next, chain.records(place)),
        ]
        for read in readers:
            with pytest.raises(AuditError, match="not a regular file, so it is no audit log"):
                read()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_log_without_write_permission_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, 1)
    path.chmod(0o400)
    with pytest.warns(AuditWarning, match="right to read and write"):
        AuditLog(path).append(report())


def test_a_full_disk_leaves_no_torn_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 2)
    before = path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, data: write(to, data[: len(data) // 2]))
    with pytest.warns(AuditWarning, match="Make room on the disk"):
        log.append(report("Three."))
    monkeypatch.undo()
    assert path.read_bytes() == before
    log.append(report("Four."))
    assert verify(path).ok and verify(path).records == 3


def test_a_log_that_another_holds_is_waited_for_only_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "log.jsonl"
    log = written(path, 1)
    monkeypatch.setattr(chain, "LOCK_WAIT_S", 0.05)
    with path.open("rb") as other:
        fcntl.flock(other.fileno(), fcntl.LOCK_EX)
        with pytest.warns(AuditWarning, match="still locked"):
            log.append(report())
    assert log.append(report()) is not None


def test_a_log_that_is_moved_away_goes_on_in_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = written(path, 2)
    path.rename(tmp_path / "old.jsonl")
    log.append(report())
    assert verify(path).records == 1 and verify(tmp_path / "old.jsonl").records == 2


def test_other_ways_to_fail_are_refused() -> None:
    with pytest.raises(ValueError, match="on_error"):
        AuditLog("log.jsonl", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="latency_ms"):
        AuditLog("log.jsonl").append(report(), latency_ms=-1)


# --- reading it ---------------------------------------------------------------------------------


def test_a_check_is_shown_by_its_line_or_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, 3)
    second = show(path, 2)
    assert show(path, second["hash"]) == show(path, second["hash"][:8]) == show(path, -2) == second
    for which in (0, 4, -4, "abcdefabcdef", "abc", "no hash at all"):
        with pytest.raises(AuditError):
            show(path, which)
    with pytest.raises(AuditError, match="there is no line -99; there are 3"):
        show(path, -99)
    with pytest.raises(TypeError, match="by its line or its hash, not float"):
        show(path, 1.5)  # type: ignore[arg-type]


def test_statistics_count_by_verdict_action_latency_and_day(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    good, bad, worse = Verdict.SUPPORTED, Verdict.HALLUCINATION, Verdict.CONTRADICTION
    rows = [
        (1, [good, good], "pass", 10.0),
        (1, [good, bad], "strip", 20.0),
        (2, [worse], "escalate", 30.0),
        (2, [], None, None),
    ]
    for day, verdicts, action, latency in rows:
        moment = datetime(2026, 3, day, 23, 59, tzinfo=UTC)
        log = AuditLog(path, clock=partial(moment.replace, second=0))
        log.append(report("x", *verdicts), action and {"action": action}, latency)
    found = statistics(path)
    total = found.total
    assert (total.checks, total.claims, total.decisions) == (4, 5, 3)
    assert (total.unsupported_rate, total.contradiction_rate) == (0.2, 0.2)
    assert total.affected_rate == round(2 / 3, 4)
    assert total.strip_rate == total.escalation_rate == round(1 / 3, 4)
    assert total.block_rate == 0 and total.claims_median == 1.5
    assert (total.latency_p50_ms, total.latency_p99_ms) == (20.0, 30.0)
    assert list(found.days) == ["2026-03-01", "2026-03-02"]
    assert found.days["2026-03-02"].unsupported_rate == 0
    assert statistics(path, until="2026-03-01").total.checks == 2
    assert statistics(path, since="2026-03-02").total.checks == 2
    assert statistics(path, "2026-03-01T23:59:00+00:00", "2026-03-01T23:59:01").total.checks == 2
    assert json.dumps(found.to_dict())


def test_statistics_of_nothing_are_absent_and_damaged_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(path, 2)
    none = statistics(path, since="2027-01-01").total
    assert none.checks == 0 and none.unsupported_rate is None and none.claims_median is None
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert statistics(path).unreadable == 1
    for wrong in ({"since": "yesterday"}, {"since": "2026-03-02", "until": "2026-03-01"}):
        with pytest.raises(ValueError, match="since"):
            statistics(path, **wrong)


# --- the command line ---------------------------------------------------------------------------


def test_the_commands_verify_show_and_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from halgo.adapters.cli import main

    path = tmp_path / "log.jsonl"
    written(path, 3)
    assert main(["audit", "verify", str(path)]) == 0
    assert "3 records, as written" in capsys.readouterr().out
    for which in (2, -1):
        assert main(["audit", "show", str(path), str(which)]) == 0
        assert json.loads(capsys.readouterr().out) == show(path, which)
    assert main(["audit", "stats", str(path), "--json", "--since", "2026-01-01"]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["checks"] == 3
    assert main(["audit", "stats", str(path)]) == 0
    assert "2026-03-01" in capsys.readouterr().out
    path.write_bytes(path.read_bytes().replace(b"assessed", b"Assessed", 1))
    assert main(["audit", "verify", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["bad_line"] == 1
    assert main(["audit", "show", str(path), "1"]) == 2
    assert main(["audit", "verify", str(tmp_path / "none")]) == 2
    assert main(["audit", "stats", str(path), "--since", "soon"]) == 2
    assert main(["audit"]) == 2


@pytest.mark.models
def test_a_check_is_logged_and_printed_even_when_it_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from halgo.adapters.cli import main

    (tmp_path / "doc.md").write_text("The fee is 5%.")
    (tmp_path / "answer.md").write_text("The fee is 5%.")
    command = ["check", str(tmp_path / "answer.md"), "--docs", str(tmp_path / "doc.md")]
    command += ["--embedder", "lexical", "--entailment", "none"]
    path = tmp_path / "log.jsonl"
    assert main([*command, "--audit", str(path)]) == 0
    assert main([*command, "--audit", str(path), "--gate", "strict-block"]) == 0
    assert [show(path, at)["decision"] is None for at in (1, 2)] == [True, False]
    assert show(path, 1)["latency_ms"] > 0
    assert main([*command, "--audit", str(tmp_path / "none" / "log.jsonl")]) == 2
    capsys.readouterr()
    path.write_text("no log")
    assert main([*command, "--audit", str(path)]) == 0
    said = capsys.readouterr()
    assert "SUPPORTED" in said.out and "is no audit log" in said.err


def test_no_warning_comes_from_a_log_that_can_be_written(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AuditLog(tmp_path / "log.jsonl", fsync=True).append(report())
