"""A block of code -> what only its product can have named: options, addresses, settings ...

So are environment variables, paths, values of settings, requests and commands. Not every word of
code is one. Whoever writes an example chooses its variables, files and sample values, so of a
program only what reaches outside it counts: its addresses, options in strings and the variables
that it reads from its environment. Placeholders ("example.com", "YOUR_TOKEN") never count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from halgo.facts.identifiers import identifiers
from halgo.types import Span

_MOST = 100  # literals of a block

# Names that stand for the reader's own (example domains by RFC 2606), and what every program has.
_PLACEHOLDER = re.compile(
    r"example\.(?:com|org|net)\b|localhost|\b(?:127\.0\.0\.1|0\.0\.0\.0)\b|[<{$]"
    r"|(?:^|[/._-])(?:your|my)[._-]|^--(?:help|version)$",
    re.IGNORECASE,
)
# A line that only a program has: a statement, a call, a query.
_PROGRAM = re.compile(
    r"^[ \t]*(?:import|from|def|class|const|let|var|func|fn|public|private|package|return|await"
    r"|async|using|try|#include|console\.|SELECT|INSERT|UPDATE|CREATE|ALTER)\b"
    r"|\w\([^()]*\)[;\s]*$|\w\(\s*$|[;{]\s*$|^[ \t]*\w+ = \w+[.(]| for \w+ in "
    r"|^[ \t]*(?:if|elif|for|while|with) .*:\s*$|\w [+*/-]= \w",
    re.MULTILINE,
)
_OF_SHELL = re.compile(
    r"^[ \t]*(?:[$>] )?(?:export \w+=|sudo |curl |if \[|fi$|done$)", re.MULTILINE
)
_READ = re.compile(
    r"(?:environ(?:\.get)?|getenv|\benv)\W{1,3}(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"
)
_SET = re.compile(r"(?<![\w$])(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=[\"']?:\s|=)")
_SETTING = re.compile(
    r"^[ \t]*(?:- |export |ENV )?[\"']?(?P<key>[A-Za-z_][\w.-]{0,80})[\"']?[ \t]*(?::(?=\s|$)|=)"
    r"[ \t]*(?P<value>[^\n#]*)",
    re.MULTILINE,
)
_GIVEN = re.compile(r"--set[ =](?P<key>[A-Za-z_][\w-]*(?:\.[\w-]+)+)=")
# "Content-Type" is a header, which has its meaning from elsewhere.
_COMPOUND = re.compile(r"[a-z\d](?:[._][A-Za-z\d]|-[a-z\d])|[a-z][A-Z]")
# One digit may be a switch, or stand in the sources as a word.
_AMOUNT = re.compile(r"[\"']?(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>[A-Za-z%]{0,8})[\"']?,?\s*$")
_COMMAND = re.compile(
    r"(?:^[ \t]*(?:[$>%] )?|[|;&]\s)(?:sudo )?(?:[A-Z_]+=\S* )*"
    r"(?P<program>[a-z][\w-]{1,30}) (?P<command>[a-z][a-z-]{1,30})(?=\s|$)",
    re.MULTILINE,
)
# Where programs keep what is their own (Filesystem Hierarchy Standard); others are the reader's.
_OWN = re.compile(r"~[/\\]\.|/(?:etc|var|opt)/|%\w+%")
_QUOTED_OPTION = re.compile(r"[\"'\w][ \"']$|^[\"']$")


@dataclass(frozen=True, slots=True)
class Literal:
    """One of them: its kind, what is looked for, and its place.

    kind: "option", "variable", "family" (one that a program reads, which is the product's where
    others begin like it), "address", "link", "path", "request", "setting", "value" of the setting
    `of`, or "command" of the program `of`.
    """

    kind: str
    written: str
    span: Span
    of: str = ""


@lru_cache(maxsize=256)
def literals(code: str) -> tuple[Literal, ...]:
    """What a block of code takes literally, in order; at most `_MOST`. () for none."""
    program = _PROGRAM.search(code) is not None and _OF_SHELL.search(code) is None
    found = [*_identified(code, program), *_variables(code, program)]
    if not program:
        found += [*_settings(code), *_commands(code)]
    found = [one for one in found if not _PLACEHOLDER.search(one.written)]
    return tuple(sorted(found, key=lambda one: (one.span.start, one.span.end))[:_MOST])


def settings(code: str) -> tuple[str, ...]:
    """All keys that a block of code sets, single words too, in order."""
    return tuple(match["key"] for match in _SETTING.finditer(code))


def _identified(code: str, program: bool) -> list[Literal]:
    found = []
    for one in identifiers(code):
        written, start = one.span.of(code), one.span.start
        host = written.partition("/")[0]
        counts = {
            "option": not program or _QUOTED_OPTION.search(code[max(0, start - 2) : start]),
            # "server.app" may be a name in a program, and so may a file.
            "link": "//" in written
            or written.startswith("www.")
            or (not program and (host != written or host.count(".") > 1)),
            "path": _OWN.match(written),
            "request": True,
            "address": True,
        }
        if counts.get(one.kind):
            found.append(Literal(one.kind, written, one.span))
    return found


def _variables(code: str, program: bool) -> list[Literal]:
    # A reader names the variables of their own program, but not those of the product's family.
    kind, form = ("family", _READ) if program else ("variable", _SET)
    return [Literal(kind, m["name"], Span(*m.span("name"))) for m in form.finditer(code)]


def _settings(code: str) -> list[Literal]:
    found = []
    for match in _SETTING.finditer(code):
        key = match["key"]
        if _COMPOUND.search(key):
            found.append(Literal("setting", key, Span(*match.span("key"))))
        amount = _AMOUNT.fullmatch(match["value"])
        if amount and (len(amount["number"]) > 1 or amount["unit"]):
            start = match.start("value")
            written = f"{amount['number']}{amount['unit']}"
            found.append(Literal("value", written, Span(start, match.end("value")), key))
    for match in _GIVEN.finditer(code):
        found.append(Literal("setting", match["key"], Span(*match.span("key"))))
    return found


def _commands(code: str) -> list[Literal]:
    return [
        Literal(
            "command",
            f"{match['program']} {match['command']}",
            Span(match.start("program"), match.end("command")),
            match["program"],
        )
        for match in _COMMAND.finditer(code)
    ]
