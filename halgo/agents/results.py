"""Tool calls -> what they show: runs of tests and other programs, the files that were changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halgo.agents.commands import Job, leaves_files_alone, programs, removes_files
from halgo.agents.transcript import Call, Transcript

# Programs that judge something put what they found at the end.
_TAIL = 20_000  # characters

# Summaries of test programs: p is what passed, f and e what did not, s what was left out, t all of
# them. Those of the
# first table are written once a run, so the last one counts; the others once for every part of it.
_ONCE = (
    r"^=* ?(?=[^\n]*\b(?:passed|failed|errors?)\b)(?:no tests ran|\d+ [a-z]+(?:, \d+ [a-z]+)*)"
    r" in [\d.]+s\b.*$",  # pytest
    r"^[ \t]*Tests:?[ \t]+(?:\d+ [a-z]+(?:, | \| )?)+(?:\(\d+\)|\d+ total)?.*$",  # jest, vitest
    r"^Ran (?P<t>\d+) tests? in [^\n]*\n+(?:OK|FAILED)(?: \((?P<why>[^)\n]*)\))?",  # unittest
    r"^(?P<t>\d+) (?:examples|runs|tests), (?:\d+ assertions, )?(?P<f>\d+) failures?.*$",  # rspec
    r"^OK \((?P<t>\d+) tests?, \d+ assertions?\)",  # phpunit
    r"^Tests: (?P<t>\d+), Assertions: \d+(?:, Errors: (?P<e>\d+))?(?:, Failures: (?P<f>\d+))?",
    r"^\d+% tests passed, (?P<f>\d+) tests failed out of (?P<t>\d+)",  # ctest
    r"^(?:\[\w+\] )?Tests run: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+)"
    r"(?:, Skipped: (?P<s>\d+))?.*$",  # maven
    r"^[ \t]*(?P<p>\d+) passing\b[^\n]*(?:\n[ \t]*\d+ pending)?"
    r"(?:\n[ \t]*(?P<f>\d+) failing)?",  # mocha
    r"^(?:#|ℹ) pass (?P<p>\d+)[ \t]*\n(?:#|ℹ) fail (?P<f>\d+)",  # node
)
_EACH = (
    r"^test result: \w+\. (?P<p>\d+) passed; (?P<f>\d+) failed(?:; (?P<s>\d+) ignored)?",  # cargo
    r"Failed:\s+(?P<f>\d+), Passed:\s+(?P<p>\d+), Skipped:\s+(?P<s>\d+)",  # dotnet
    r"^(?:ok|FAILED) \| (?P<p>\d+) passed(?: \(.*?\))? \| (?P<f>\d+) failed",  # deno
)
_ONCE_READ = [re.compile(one, re.MULTILINE) for one in _ONCE]
_EACH_READ = [re.compile(one, re.MULTILINE) for one in _EACH]
_PART = re.compile(r"(\d+) (passed|xpassed|xfailed|failed|errors?|skipped|todo)\b")
_SHARE = re.compile(r"(failures|errors|unexpected successes|skipped)=(\d+)")
# Exit codes of what never began or was cut off: used wrongly, not found, nothing to run, killed.
_NO_RUN = frozenset({4, 5, 124, 126, 127, 130, 137, 143})
_FAULTS = re.compile(
    r"^Found (\d+) errors?\b|^✖ (?:\d+ problems? \()?(\d+) errors?\b"
    r"|^(\d+) errors?, \d+ warnings?,",
    re.MULTILINE,
)
_words = str.split
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

_WRITERS = frozenset(
    _words(
        "edit multiedit write notebookedit write_file edit_file create_file replace_in_file"
        " write_to_file str_replace str_replace_editor str_replace_based_edit_tool"
        " apply_patch apply_patch_call insert_edit_into_file search_replace"
    )
)
_CREATORS = frozenset(_words("write write_file create_file write_to_file"))
# Tools that change no file and run nothing that could.
_HARMLESS = frozenset(
    _words(
        "read grep glob ls todowrite todoread webfetch websearch bashoutput taskoutput"
        " askuserquestion exitplanmode enterplanmode toolsearch read_file list_files search_files"
        " update_plan view_image"
        " taskcreate taskupdate tasklist taskget killshell taskstop web_search_call"
    )
)
_NAME_PARTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_READING = frozenset(_words("get list search read fetch find query describe show lookup view"))
_DOING = frozenset(
    _words("create update set put post patch delete remove send write run execute test add move")
)
_PATCHED = re.compile(
    r"^\*\*\* (Update|Add|Delete) File: (.+)$|^\*\*\* (Move) to: (.+)$", re.MULTILINE
)
_TEMPORARY = re.compile(r"^(?:/private)?(?:/var)?/tmp/|/scratchpad/|^[A-Z]:\\.*\\Temp\\")


@dataclass(frozen=True, slots=True)
class Run:
    """One program that judges the work, and how it ended; None: the transcript does not tell.

    `told` is the line of its output that says so.
    """

    call: Call
    job: Job
    line: str
    ended: bool | None
    passed: int | None = None
    failed: int | None = None
    total: int | None = None
    told: str = ""

    @property
    def bad(self) -> bool:
        """Whether it is known to have failed, or to have found faults."""
        return bool(self.failed) or (self.ended is False)

    @property
    def good(self) -> bool:
        """Whether it is known to have found nothing wrong."""
        return not self.bad and (self.ended is True or self.failed == 0)


@dataclass(frozen=True, slots=True)
class Files:
    """The files that tools changed. `more`: something else may have changed others as well."""

    changed: frozenset[str]
    created: frozenset[str]
    refused: frozenset[str]
    more: bool
    fewer: bool  # a change may have been taken back

    @classmethod
    def of(cls, calls: Iterable[Call]) -> Files:
        """What these calls did to files."""
        changed: dict[str, bool] = {}  # by path: whether it was made anew
        tried: set[str] = set()
        more = fewer = False
        for call in calls:
            name = call.name.lower()
            if call.command:
                more = more or not leaves_files_alone(call.command)
                fewer = fewer or removes_files(call.command)
            elif name in _WRITERS or name.endswith("apply_patch"):
                for path, new in _written(call, name):
                    tried.add(path)
                    if call.output is not None and not call.failed:
                        changed[path] = changed.get(path, False) or new
            elif of_unknown_effect(call):
                more = True
        return cls(
            frozenset(changed),
            frozenset(path for path, new in changed.items() if new),
            frozenset(tried - set(changed)),
            more,
            fewer,
        )

    @property
    def lasting(self) -> frozenset[str]:
        """Those that are not in a folder for what is thrown away."""
        return frozenset(path for path in self.changed if not _TEMPORARY.search(path))


def is_known(call: Call) -> bool:
    """Whether the tool is one that reads or edits files, plans, or looks things up."""
    name = call.name.lower()
    return name in _WRITERS or name in _HARMLESS or name.endswith("apply_patch")


def of_unknown_effect(call: Call) -> bool:
    """Whether it is no command, and may do anything: a sub-agent, or a server's tool.

    Not one that by its name only reads: "get_order", "mcp__crm__listOrders".
    """
    words = {word.lower() for word in _NAME_PARTS.split(call.name)}
    reads = bool(words & _READING) and not words & _DOING
    return not call.command and not is_known(call) and not reads


def runs(transcript: Transcript) -> list[Run]:
    """The runs of tests, builds and checks, in order."""
    found: list[Run] = []
    for call in transcript.calls:
        if call.output is None:
            continue
        if call.command:
            found += _runs_of(call, call.output)
        elif call.name.lower() in ("bashoutput", "taskoutput"):
            counts = _counts(call.output)
            if counts is not None:
                found.append(Run(call, Job.TESTS, "a command in the background", None, *counts))
    return found


def values(call: Call) -> Any:
    """What a tool returned, where that is a JSON object or list of them; else None.

    Files that were read or written are no records, and what commands print is none.
    """
    if call.command or is_known(call) or (call.output or "").lstrip()[:1] not in ("{", "["):
        return None
    try:
        found = json.loads(call.output or "")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) or _is_records(found) else None


def _is_records(found: Any) -> bool:
    return isinstance(found, list) and any(isinstance(one, Mapping) for one in found)


def _runs_of(call: Call, output: str) -> Iterator[Run]:
    ran = programs(call.command, call.exit_code) or []
    counts = _counts(output)
    tests = [program for program in ran if program.job is Job.TESTS]
    if not tests and counts is not None and not _only_looks(call):
        yield Run(call, Job.TESTS, call.command, None, *counts)
    for program in ran:
        if program.job is Job.TESTS:
            if counts is None and call.exit_code in _NO_RUN:
                continue
            own = counts if len(tests) == 1 else None
            yield Run(call, Job.TESTS, program.line, program.ended, *(own or ()))
        elif program.job is not None:
            # Where several judge in one line, a count of faults is nobody's in particular.
            alone = sum(other.job is not None for other in ran) == 1
            faults, told = _faults(output) if alone else (None, "")
            yield Run(call, program.job, program.line, program.ended, None, faults, None, told)


def _only_looks(call: Call) -> bool:
    """Whether the command shows a text that may be of another day."""
    ran = programs(call.command, call.exit_code)
    return ran is not None and leaves_files_alone(call.command)


def _counts(output: str) -> tuple[int, int, int, str] | None:
    """Passed, failed, all of them, and the line that says so; None where there is no summary."""
    text = _COLOURS.sub("", output[-_TAIL:])
    parts = [found for pattern in _EACH_READ for found in pattern.finditer(text)]
    if parts:
        passed, failed, skipped = (sum(int(found[key] or 0) for found in parts) for key in "pfs")
        return passed, failed, passed + failed + skipped, parts[-1][0].strip()
    last = [[*pattern.finditer(text)][-1:] for pattern in _ONCE_READ]
    found = max((one for some in last for one in some), key=lambda one: one.start(), default=None)
    if found is None:
        return None
    told = " ".join(found[0].strip(" =\n").split())
    named = {key: int(value) for key, value in found.groupdict().items() if _whole(value)}
    pairs = [(word, int(number)) for word, number in _SHARE.findall(found[0])]
    if not found.re.groups:
        pairs = [(word, int(number)) for number, word in _PART.findall(found[0])]
    skipped = sum(number for word, number in pairs if word in ("skipped", "todo"))
    skipped += named.get("s", 0)
    failed = sum(number for word, number in pairs if word.startswith(("fail", "err", "unexp")))
    failed += named.get("f", 0) + named.get("e", 0)
    passed = sum(number for word, number in pairs if word in ("passed", "xpassed", "xfailed"))
    passed = named.get("p", named["t"] - failed - skipped if "t" in named else passed)
    return passed, failed, passed + failed + skipped, told


def _whole(value: str | None) -> bool:
    return value is not None and value.isdigit()


def _faults(output: str) -> tuple[int | None, str]:
    found = [*_FAULTS.finditer(_COLOURS.sub("", output[-_TAIL:]))]
    if not found:
        return None, ""
    return int(next(group for group in found[-1].groups() if group)), found[-1][0].strip()


def _written(call: Call, name: str) -> Iterator[tuple[str, bool]]:
    """The files that a call of an editing tool is about, and whether each is made anew."""
    given = call.arguments
    if str(given.get("command", "")) in ("view", "undo_edit"):
        return
    patch = next((text for text in given.values() if isinstance(text, str) and "*** " in text), "")
    for kind, path, _, moved in _PATCHED.findall(patch) if "patch" in name else ():
        yield (path or moved).strip(), kind != "Update"
    for key in ("file_path", "notebook_path", "path", "filename", "target_file"):
        path = given.get(key)
        if isinstance(path, str) and path:
            made = (call.details or {}).get("type")
            new = name in _CREATORS and made != "update"
            yield path, new or given.get("command") == "create"
            return
