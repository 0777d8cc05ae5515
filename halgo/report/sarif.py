"""Reports -> SARIF 2.1.0 (OASIS): claims that are not supported, as findings at their lines.

For code scanning: a contradiction is an error, what stands nowhere a warning, weak support a note.
An answer of which nothing was assessed is a finding too, so that none passes in silence. One that
could not be read is told of as an error of the run. Beside a baseline each finding says whether it
is new. The same reports give the same bytes: no clock, no random id.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from halgo.report.located import UNASSESSED, Located, Unread
from halgo.report.marks import Passage, passage, resting_on, summary, why
from halgo.report.safe import one_line
from halgo.types import ClaimResult, State, Verdict

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
NOT_ASSESSED = "not-assessed"
# By rule: its level, and what it says of a claim.
Rules = Mapping[str, tuple[str, str]]
_RULES: Rules = {
    "contradiction": ("error", "The documents contradict the claim."),
    "hallucination": ("warning", "The documents do not say what the claim says."),
    "weak-support": ("note", "A passage is about the claim and does not quite say it."),
    NOT_ASSESSED: ("note", "Nothing of the answer was checked."),
}
_RULE_OF = {
    Verdict.CONTRADICTION: "contradiction",
    Verdict.HALLUCINATION: "hallucination",
    Verdict.WEAK_SUPPORT: "weak-support",
}


def render(reports: Sequence[Located], unread: Sequence[Unread] = ()) -> str:
    """One run with the findings of all reports, as JSON in ASCII that ends with a line break.

    With an answer that is unread the run counts as one that has not been successful.
    """
    warnings = dict.fromkeys(w for located in reports for w in located.report.warnings)
    return written(
        [finding for located in reports for finding in _findings(located)],
        _RULES,
        [*map(_failure, unread), *(notice("warning", text) for text in warnings)],
        versions={located.report.engine.halgo for located in reports},
        successful=not unread,
    )


def written(
    findings: list[dict[str, Any]],
    rules: Rules,
    notices: Sequence[dict[str, Any]],
    *,
    versions: Iterable[str],
    successful: bool = True,
) -> str:
    """One run with these findings of these rules, as JSON in ASCII that ends with a line break."""
    driver: dict[str, Any] = {"name": "halgo", "rules": [_rule(name, rules) for name in rules]}
    for version in sorted(versions)[:1]:
        driver["version"] = version
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": successful, "toolExecutionNotifications": list(notices)},
        ],
        "results": _numbered(findings),
    }
    whole = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(whole, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def notice(level: str, text: str) -> dict[str, Any]:
    """What has to be said of the whole run. level: "error" or "warning"."""
    return {"level": level, "message": {"text": _plain(text)}}


def _failure(unread: Unread) -> dict[str, Any]:
    """An answer that could not be read, as a notification at its place."""
    place = _location(unread.path, {"startLine": unread.line or 1})
    return {**notice("error", unread.reason), "locations": [place]}


def _location(path: str, place: dict[str, int]) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": place}}


def _rule(name: str, rules: Rules) -> dict[str, Any]:
    level, text = rules[name]
    return {
        "id": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _findings(located: Located) -> list[dict[str, Any]]:
    report = located.report
    if report.state is not State.ASSESSED:
        # What nobody meant to happen is told louder than an answer that asserts nothing.
        broken = report.state in (State.NO_SOURCES, State.EMPTY)
        place = {"startLine": located.line or 1}
        level = "warning" if broken else "note"
        told = _named(located, summary(report))
        return [_finding(located, UNASSESSED, NOT_ASSESSED, level, told, place)]
    return [
        _of_claim(located, result, _RULE_OF[result.verdict])
        for result in report
        if result.verdict in _RULE_OF
    ]


def _of_claim(located: Located, result: ClaimResult, rule: str) -> dict[str, Any]:
    region = located.region(result.claim)
    place = {
        "startLine": region.start_line,
        "startColumn": region.start_column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }
    if located.line is not None:
        place = {"startLine": region.start_line}
    text = f"{why(result) or _RULES[rule][1]} Claim: {one_line(result.claim.text)}"
    level, words = _RULES[rule][0], result.claim.text
    made = _finding(located, result.claim.id, rule, level, _named(located, text), place, words)
    made["rank"] = round(100 * (1 - float(result.score)), 1)  # 100 is what matters most
    return {**made, **resting(result)}


def resting(result: ClaimResult, folder: Path | None = None) -> dict[str, Any]:
    """The passage that a claim rests on, as the related place of a finding; {} without one.

    folder: where the names of sources lead from, when that is not where the command runs.
    """
    found = passage(result)
    if found is None:
        return {}
    words = "".join(run.text for run in found.runs)
    path = _source(result)
    if folder is not None and _is_file(folder / path):
        path = str(folder / path)
    return {"relatedLocations": [_related(path, found, words)]}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # the name of a document that is no path, or too long for one
        return False


def _related(path: str, found: Passage, words: str) -> dict[str, Any]:
    """The passage as a place in its file: lines as a region, what is no line in words."""
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(path)}}
    told = "The source"
    if found.location is not None and found.location.unit == "line":
        place["region"] = {"startLine": found.location.first, "endLine": found.location.last}
    elif found.located:
        told = f"{told}, {found.located}"
    return {"message": {"text": _plain(f"{told}: {one_line(words)}")}, "physicalLocation": place}


def _source(result: ClaimResult) -> str:
    found = resting_on(result)
    return found.evidence.source if found is not None else ""


def _finding(
    located: Located,
    number: int,
    rule: str,
    level: str,
    text: str,
    place: dict[str, int],
    claim: str = "",
) -> dict[str, Any]:
    made = finding(
        _RULES, rule, level, text, located.path, place, f"{located.name}\0{rule}\0{claim}"
    )
    if located.known is not None:
        made["baselineState"] = "unchanged" if located.is_known(number) else "new"
    return made


def _named(located: Located, text: str) -> str:
    return f"{located.name}: {text}" if located.line else text


def finding(
    rules: Rules, rule: str, level: str, text: str, path: str, place: dict[str, int], key: str
) -> dict[str, Any]:
    """A finding at a place of a file.

    key: what it is known again by: words, not places, so that lines may be put in above it.
    """
    digest = hashlib.sha256(key.encode("utf-8", "replace"))
    return {
        "ruleId": rule,
        "ruleIndex": list(rules).index(rule),
        "level": level,
        "message": {"text": _plain(text)},
        "locations": [_location(path, place)],
        "partialFingerprints": {"halgoClaim/v1": digest.hexdigest()[:32]},
    }


def _numbered(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same; of claims in the same words in one answer each gets a number."""
    seen: Counter[str] = Counter()
    for finding in findings:
        prints = finding["partialFingerprints"]
        digest = prints["halgoClaim/v1"]
        seen[digest] += 1
        prints["halgoClaim/v1"] = f"{digest}:{seen[digest]}"
    return findings


def uri(path: str) -> str:
    """A path as a URI reference: relative to here where it lies below, else absolute."""
    place = Path(path)
    if place.is_absolute():
        here = Path.cwd()
        if not place.is_relative_to(here):
            return quote(b"file://" + _bytes(place), safe="/:")
        place = place.relative_to(here)
    # A first part with a colon would read as the scheme of a URI.
    return quote(_bytes(place), safe="/")


def _bytes(path: Path) -> bytes:
    """The bytes of a path: those that the system has for a name that is not UTF-8."""
    try:
        return path.as_posix().encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, of a name that is none of a file
        return path.as_posix().encode("utf-8", "replace")


def _plain(text: str) -> str:
    """One line in which no bracket makes a link (SARIF 3.11.6)."""
    shown = one_line(text).replace("\\", "\\\\")
    return shown.replace("[", "\\[").replace("]", "\\]")
