"""Statements beside what the tools returned -> findings: what is shown, denied, or not told.

A contradiction needs a result that says otherwise, and no other result that may bear the statement
out: where a command, a sub-agent or an unknown tool may have done what is stated, none is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from halgo.agents import statement_wording
from halgo.agents.commands import Job, may_judge
from halgo.agents.results import Files, Run, of_unknown_effect, runs
from halgo.agents.statements import Statement, statements
from halgo.agents.transcript import Transcript
from halgo.types import Verdict

_ELSEWHERE = re.compile(r"\bgit (?:-C \S+ )?(?:stash|checkout|switch|worktree|restore|reset)\b")


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement of the closing message, judged.

    `reason` is a short code, `message` says why, `shown` is the line of a result that tells it, ""
    where there is none; `call_id` is that of the call.
    """

    text: str
    verdict: Verdict
    reason: str
    message: str
    shown: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """What a transcript shows."""

    transcript: Transcript
    runs: tuple[Run, ...]
    files: Files  # of the whole session
    lately: Files  # since the last prompt

    def of(self, job: Job) -> list[Run]:
        return [run for run in self.runs if run.job is job]


def compared(transcript: Transcript) -> list[Finding]:
    """A finding for each statement that the tool results say something of, in order."""
    calls = transcript.calls
    done = _Done(
        transcript,
        tuple(runs(transcript)),
        Files.of(calls),
        Files.of(call for call in calls if call.turn == transcript.turns),
    )
    found = []
    for stated in statements(transcript.closing):
        finding = _JUDGES[stated.about](stated, done)
        found += [finding] if finding is not None else []
    return found


# --- tests --------------------------------------------------------------------------------------


def _count(stated: Statement, done: _Done) -> Finding | None:
    """A number of tests that passed, failed or ran, held against every run of the session."""
    tests = done.of(Job.TESTS)
    failing = _failing(done)
    number, whole = stated.number or 0, stated.of
    everything = stated.about == "passed" and whole == number
    if failing and (everything or (stated.about == "failed" and number == 0)):
        return _denied(stated, "tests_failed", _said(stated, failing[0]), failing[0])
    if not tests or any(run.passed is None for run in tests) or not _told_of_all(done):
        return None if tests or not _nothing_ran(done) else _unshown(stated, "no tests were run")
    held = [_held(run, stated.about) for run in tests]
    each = {run.line: _held(run, stated.about) for run in tests}  # the last of each command line
    if _adds_up(number, held) or sum(each.values()) == number:
        run = next((run for run, n in zip(tests, held, strict=True) if n == number), tests[-1])
        return _shown(stated, run)
    # Of many that passed, fewer may be meant: those of one file. More than ever did cannot be.
    if number > max(held):
        return _denied(stated, "test_count", _said(stated, tests[-1]), tests[-1])
    return None


def _all_passed(stated: Statement, done: _Done) -> Finding | None:
    tests = done.of(Job.TESTS)
    failing = _failing(done)
    if failing:
        return _denied(stated, "tests_failed", _said(stated, failing[0]), failing[0])
    if not tests:
        return _unshown(stated, "no tests were run") if _nothing_ran(done) else None
    return _shown(stated, tests[-1]) if tests[-1].good else None


def _ran(stated: Statement, done: _Done) -> Finding | None:
    tests = done.of(Job.TESTS)
    if tests:
        return _shown(stated, tests[-1])
    if not done.transcript.whole or not _nothing_ran(done):
        return None
    message = "No command was run in this session, and no tool that could run one."
    return Finding(stated.text, Verdict.CONTRADICTION, "not_run", message)


def _failing(done: _Done) -> list[Run]:
    """The runs that failed, and that no later one makes up for: the last of each program."""
    tests = done.of(Job.TESTS)
    last = {_program(run): at for at, run in enumerate(tests)}
    standing = [
        at
        for at in last.values()
        if tests[at].bad and not any(_makes_up(later, tests[at]) for later in tests[at + 1 :])
    ]
    # The tests may have been run on other code for comparison, after they had passed on this.
    compared = any(_ELSEWHERE.search(call.command) for call in done.transcript.calls)
    if compared and any(run.good for run in tests):
        return []
    return [tests[at] for at in standing if _told_of_all(done, tests[at])]


def _makes_up(later: Run, run: Run) -> bool:
    """Whether a later run, of another program, may be of the same tests: no fewer, or unknown."""
    if later.bad:
        return False
    return later.total is None or run.total is None or later.total >= run.total


def _program(run: Run) -> str:
    """The name of the program; of those that run any script, with the script."""
    words = run.line.split()
    few = words[0] in ("npm", "pnpm", "yarn", "bun", "make", "just", "go", "cargo", "dotnet")
    return " ".join(words[: 2 if few else 1])


def _held(run: Run, about: str) -> int:
    told = {"passed": run.passed, "failed": run.failed, "total": run.total}[about]
    return told or 0


def _adds_up(number: int, held: list[int]) -> bool:
    """Whether it is the number of one run, or of runs that follow each other together."""
    if number in held:
        return True
    return any(
        sum(held[start:end]) == number
        for start in range(len(held))
        for end in range(start + 2, min(len(held), start + 12) + 1)
    )


def _said(stated: Statement, run: Run) -> str:
    """Both values: what the message says, and what the run does."""
    number = "all" if stated.number is None else "none" if not stated.number else stated.number
    about = stated.about.removeprefix("all ").replace("total", "run")
    told = "that it failed" if run.passed is None else f"{run.passed} passed, {run.failed} failed"
    return f"The message says {number} {about}; the last run of {_short(run.line)} says {told}."


def _short(line: str) -> str:
    return line if len(line) <= 80 else f"{line[:79]}…"


# --- files --------------------------------------------------------------------------------------


def _changed(stated: Statement, done: _Done) -> Finding | None:
    """A number of files, held against those that editing tools changed."""
    files, number = done.files, stated.number or 0
    made = stated.about == "created"
    there = files.created if made else files.changed
    if number == len(there) or number == len(done.lately.created if made else done.lately.changed):
        return Finding(stated.text, Verdict.SUPPORTED, "files", _listing(there, stated.about))
    if number > len(there):
        if files.more or not done.transcript.whole or _mentioned(number, done):
            return None
        return _miscounted(stated, there)
    few = done.lately
    lasting = few.created & few.lasting if made else few.lasting
    if stated.only and number < len(lasting) and not few.fewer:
        return _miscounted(stated, lasting)
    return None


def _miscounted(stated: Statement, there: frozenset[str]) -> Finding:
    message = f"The message says {stated.number}; {_listing(there, stated.about)}"
    return Finding(stated.text, Verdict.CONTRADICTION, "file_count", message)


def _edited(stated: Statement, done: _Done) -> Finding | None:
    """Files named as changed, held against edits that the tool refused."""
    files = done.files
    refused = [path for name in stated.paths for path in files.refused if _is_path(path, name)]
    if (
        not refused
        or files.more
        or any(
            _is_path(path, name)
            for path in files.changed
            for name in stated.paths
            if path in refused
        )
    ):
        return None
    message = f"The tool refused each change to {', '.join(sorted(set(refused)))}."
    return Finding(stated.text, Verdict.CONTRADICTION, "edit_refused", message)


def _is_path(path: str, name: str) -> bool:
    return path == name or path.replace("\\", "/").endswith(f"/{name.removeprefix('./')}")


def _listing(paths: frozenset[str], what: str) -> str:
    names = sorted(path.rpartition("/")[2] for path in paths)
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    several = f"{len(names)} file{'' if len(names) == 1 else 's'}"
    return f"tools {what} {several}{': ' if names else ''}{shown}."


def _mentioned(number: int, done: _Done) -> bool:
    """Whether a result tells that number of files, as git does."""
    told = re.compile(rf"\b{number} files?\b", re.IGNORECASE)
    return any(told.search(call.output or "") for call in done.transcript.calls)


# --- other programs -----------------------------------------------------------------------------


def _job(stated: Statement, done: _Done) -> Finding | None:
    """That a build, a check, a commit or a push went well, held against the last one."""
    named = statement_wording.PROGRAMS.findall(stated.text.lower())
    mine = [
        run
        for run in done.of(Job(stated.about))
        if not named or any(name in run.line for name in named)
    ]
    if not mine:
        return _unshown(stated, f"no {stated.about} was run") if _nothing_ran(done) else None
    last = mine[-1]
    if last.bad:
        another = any(run.good and run.line != last.line for run in mine)
        if another or not _told_of_all(done, last):
            return None  # of another build, of other files, or told elsewhere
        found = f" and found {last.failed} errors" if last.failed else ""
        return _denied(stated, "command_failed", f"{last.line} failed{found}.", last)
    return _shown(stated, last) if last.good else None


# --- what they share ----------------------------------------------------------------------------


def _told_of_all(done: _Done, after: Run | None = None) -> bool:
    """Whether nothing else may have judged the work, in the session or after a run of it.

    That is a sub-agent, a tool that is not known, a script that went well.
    """
    if after is None and not done.transcript.whole:
        return False
    read = {run.call.id for run in done.runs}
    calls = list(done.transcript.calls)
    if after is not None:
        at = next(at for at, call in enumerate(calls) if call.id == after.call.id)
        calls = calls[at + 1 :]
    return not any(
        of_unknown_effect(call)
        or (call.id not in read and not call.failed and may_judge(call.command))
        for call in calls
    )


def _nothing_ran(done: _Done) -> bool:
    """Whether no command and no tool of unknown effect was called at all."""
    return not done.files.more and not any(call.command for call in done.transcript.calls)


def _denied(stated: Statement, reason: str, message: str, run: Run) -> Finding:
    shown = run.told or _last_line(run)
    return Finding(stated.text, Verdict.CONTRADICTION, reason, message, shown, run.call.id)


def _shown(stated: Statement, run: Run) -> Finding:
    return Finding(stated.text, Verdict.SUPPORTED, "shown", f"{run.line}", run.told, run.call.id)


def _unshown(stated: Statement, why: str) -> Finding:
    return Finding(stated.text, Verdict.HALLUCINATION, "not_run", f"No result shows it: {why}.")


def _last_line(run: Run) -> str:
    lines = (run.call.output or "").strip().splitlines()
    return lines[-1].strip() if lines else ""


_JUDGES: dict[str, Callable[[Statement, _Done], Finding | None]] = {
    "passed": _count,
    "failed": _count,
    "total": _count,
    "all passed": _all_passed,
    "ran": _ran,
    "changed": _changed,
    "created": _changed,
    "edited": _edited,
    **{job.value: _job for job in Job if job is not Job.TESTS},
}
