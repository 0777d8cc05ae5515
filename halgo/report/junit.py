"""Reports -> JUnit XML, as CI servers read it: a suite an answer, a test a claim.

A claim that fails the check is a failure with its reason, its passage and where it stands. Of an
answer of which nothing was assessed there is one test: skipped where it asserts nothing or declines
to answer, an error where it is empty or had no sources. Of one that could not be read there is one
error. No times: the same reports, the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from halgo.report.failing import FailOn
from halgo.report.located import Located, Unread
from halgo.report.marks import passage, status, summary, why
from halgo.report.safe import clean, one_line
from halgo.types import ClaimResult, State

_LONGEST = 120  # characters of a claim in the name of its test
# What XML 1.0 cannot hold; controls are written out before.
_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(
    reports: Sequence[Located], fail_on: FailOn | None = None, unread: Sequence[Unread] = ()
) -> str:
    """The XML, which ends with a line break. fail_on: what counts as a failure."""
    root = Xml.Element("testsuites", name="halgo")
    for located in reports:
        _suite(root, located, fail_on)
    for one in unread:
        _suite_unread(root, one)
    _count(root, list(root))
    Xml.indent(root)
    # ASCII, with references for the rest, reads the same whatever encoding stdout has.
    body = Xml.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(root: Xml.Element, located: Located, fail_on: FailOn | None) -> None:
    suite = Xml.SubElement(root, "testsuite", name=_line(located.name))
    report = located.report
    if report.state is not State.ASSESSED:
        case = _case(suite, located, "something was assessed", located.line or 1)
        tag = "error" if report.state in (State.NO_SOURCES, State.EMPTY) else "skipped"
        outcome = Xml.SubElement(case, tag, message=_line(summary(report)))
        if tag == "error":
            outcome.set("type", report.state.value)
    for result in report:
        claim = _line(result.claim.text)
        claim = claim if len(claim) <= _LONGEST else f"{claim[:_LONGEST]}…"
        line = located.region(result.claim).start_line
        case = _case(suite, located, f"{result.claim.id}. {claim}", line)
        if located.fails(result, fail_on):
            message = _line(why(result)) or _line(status(result))
            failure = Xml.SubElement(case, "failure", type=_line(status(result)), message=message)
            failure.text = _told(located, result)
        elif why(result):
            Xml.SubElement(case, "system-out").text = _told(located, result)
    if report.warnings:
        said = "\n".join(_line(warning) for warning in report.warnings)
        Xml.SubElement(suite, "system-err").text = said
    _count(suite, [suite])


def _suite_unread(root: Xml.Element, unread: Unread) -> None:
    suite = Xml.SubElement(root, "testsuite", name=_line(unread.name))
    case = _case(suite, unread, "the answer was read and checked", unread.line or 1)
    Xml.SubElement(case, "error", type="not_read", message=_line(unread.reason))
    _count(suite, [suite])


def _case(suite: Xml.Element, located: Located | Unread, name: str, line: int) -> Xml.Element:
    return Xml.SubElement(
        suite,
        "testcase",
        classname=_line(located.name),
        name=name,
        file=_line(located.path),
        line=str(line),
    )


def _told(located: Located, result: ClaimResult) -> str:
    line = located.region(result.claim).start_line
    lines = [
        f"{one_line(located.path)}:{line}: {status(result)}, score {result.score:.2f}",
        f"claim: {one_line(result.claim.text)}",
    ]
    if why(result):
        lines.append(f"why: {why(result)}")
    found = passage(result)
    if found is not None:
        words = one_line("".join(run.text for run in found.runs))
        lines.append(f"source: {found.origin}: {words}")
    return _allowed("\n".join(lines))


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
