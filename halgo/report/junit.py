"""Reports -> JUnit XML, as CI servers read it: a suite an answer, a test a claim.

A claim that fails the check is a failure with its reason, its passage and where it stands; one that
would, and is known from a baseline, is skipped. Of an answer of which nothing was assessed there is
one test: skipped where it asserts nothing or declines to answer, an error where it is empty or had
no sources. Of one that could not be read there is one error. No times: the same reports, the same
bytes. Tests of another kind are written by `written`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from xml.etree import ElementTree as Xml

from halgo.report.failing import FailOn
from halgo.report.located import UNASSESSED, Located, Unread
from halgo.report.marks import passage, status, summary, why
from halgo.report.safe import clean, one_line
from halgo.types import ClaimResult, State

_BROKEN = (State.NO_SOURCES, State.EMPTY)
_LONGEST = 120  # characters of a claim in the name of its test
# What XML 1.0 cannot hold; controls are written out before.
_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Case:
    """One test: what it is called, where it stands, and how it ended.

    outcome: "failure", "error" or "skipped"; "" where it passed. kind, message: of the outcome, in
    a line each. told: what else there is to say, in lines that are safe to print.
    """

    group: str
    name: str
    file: str
    line: int
    outcome: str = ""
    kind: str = ""
    message: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Tests that belong together, and what has to be said of them all."""

    name: str
    cases: Sequence[Case]
    warnings: Sequence[str] = ()


def render(
    reports: Sequence[Located], fail_on: FailOn | None = None, unread: Sequence[Unread] = ()
) -> str:
    """The XML, which ends with a line break. fail_on: what counts as a failure."""
    suites = [_suite(located, fail_on) for located in reports]
    return written([*suites, *map(_suite_unread, unread)])


def written(suites: Iterable[Suite]) -> str:
    """Suites as XML that ends with a line break."""
    root = Xml.Element("testsuites", name="halgo")
    for one in suites:
        suite = Xml.SubElement(root, "testsuite", name=_line(one.name))
        for case in one.cases:
            _write(suite, case)
        if one.warnings:
            said = "\n".join(_line(warning) for warning in one.warnings)
            Xml.SubElement(suite, "system-err").text = said
        _count(suite, [suite])
    _count(root, list(root))
    Xml.indent(root)
    # ASCII, with references for the rest, reads the same whatever encoding stdout has.
    body = Xml.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def told(place: str, result: ClaimResult) -> str:
    """A claim with its verdict, why, and its passage, in lines of their own."""
    lines = [
        f"{one_line(place)}: {status(result)}, score {result.score:.2f}",
        f"claim: {one_line(result.claim.text)}",
    ]
    if why(result):
        lines.append(f"why: {why(result)}")
    found = passage(result)
    if found is not None:
        words = one_line("".join(run.text for run in found.runs))
        lines.append(f"source: {found.origin}: {words}")
    return "\n".join(lines)


def _suite(located: Located, fail_on: FailOn | None) -> Suite:
    report = located.report
    cases: list[Case] = []
    if report.state is not State.ASSESSED:
        broken = report.state in _BROKEN and not located.is_known(UNASSESSED)
        cases.append(
            Case(
                located.name,
                "something was assessed",
                located.path,
                located.line or 1,
                "error" if broken else "skipped",
                report.state.value if broken else "",
                summary(report),
            )
        )
    cases += [_case(located, result, fail_on) for result in report]
    return Suite(located.name, cases, report.warnings)


def _case(located: Located, result: ClaimResult, fail_on: FailOn | None) -> Case:
    claim = _line(result.claim.text)
    claim = claim if len(claim) <= _LONGEST else f"{claim[:_LONGEST]}…"
    line = located.region(result.claim).start_line
    case = Case(located.name, f"{result.claim.id}. {claim}", located.path, line)
    lines = told(f"{located.path}:{line}", result)
    if not located.counts(result, fail_on):
        return replace(case, told=lines if why(result) else "")
    message = why(result) or status(result)
    if located.is_known(result.claim.id):
        message = f"known from the baseline: {status(result)}: {message}"
        return replace(case, outcome="skipped", message=message, told=lines)
    return replace(case, outcome="failure", kind=status(result), message=message, told=lines)


def _suite_unread(unread: Unread) -> Suite:
    case = Case(
        unread.name,
        "the answer was read and checked",
        unread.path,
        unread.line or 1,
        "error",
        "not_read",
        unread.reason,
    )
    return Suite(unread.name, [case])


def _write(suite: Xml.Element, case: Case) -> None:
    element = Xml.SubElement(
        suite,
        "testcase",
        classname=_line(case.group),
        name=_line(case.name),
        file=_line(case.file),
        line=str(case.line),
    )
    if case.outcome:
        kind = {"type": _line(case.kind)} if case.kind else {}
        element = Xml.SubElement(element, case.outcome, kind, message=_line(case.message))
    elif case.told:
        element = Xml.SubElement(element, "system-out")
    if case.told:
        element.text = _allowed(case.told)


def _count(element: Xml.Element, suites: Sequence[Xml.Element]) -> None:
    """Writes how many tests there are, and how many of each outcome."""
    cases = [case for suite in suites for case in suite.iter("testcase")]
    element.set("tests", str(len(cases)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))


def _line(text: str) -> str:
    return _allowed(one_line(text))


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", clean(text))
