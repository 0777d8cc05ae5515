"""Literals of a block of code that no source has: an option, a variable, an address, a command.

They are held against the very text of the sources, where a passage of prose is read by its facts:
code that works is copied, and one that is wrong in one character does not work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from halgo.facts.literals import Literal, literals, settings
from halgo.types import Claim, Signal, Stance

_NOWHERE = 0.8
_SHOWN = 3  # of what is missing in a message
_FEWEST_COMMANDS = 2  # of a program that takes commands
_OWN_KEYS = 0.5  # of a block of settings that are the product's
_FEW_KEYS = 2
_VARIABLE_PART = r"(?:\{[^\s/{}]{0,40}\}|<[^\s/<>]{0,40}>|:\w{1,40})"


def unheld(claims: Sequence[Claim], texts: Iterable[str]) -> list[tuple[Signal, ...]]:
    """For each block of code `unsupported_identifier` for every literal that none of the texts has.

    texts: of the sources, as they stand. What the answer is asked about names values as well.
    """
    told = _Texts(texts)
    return [tuple(map(_missing, told.lacking(claim))) for claim in claims]


def _missing(one: Literal) -> Signal:
    return Signal(
        "unsupported_identifier",
        Stance.UNSUPPORTED,
        _NOWHERE,
        f'No source mentions "{one.written}".',
        one.span,
        detector="identifiers",
    )


def message(found: Sequence[Signal], claim: str) -> str:
    """A sentence that names the first of what is missing."""
    spans = (one.claim_span for one in found)
    names = dict.fromkeys(span.of(claim).strip() for span in spans if span is not None)
    shown = ", ".join(f'"{name}"' for name in [*names][:_SHOWN])
    more = len(names) - _SHOWN
    return f"No source mentions {shown}{f' and {more} more' if more > 0 else ''}."


class _Texts:
    """The texts of the sources, and what of a literal stands in them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = "\n".join(texts).casefold()
        self._asked = ""

    def lacking(self, claim: Claim) -> list[Literal]:
        """The literals of a block of code that stand nowhere."""
        self._asked = claim.before.casefold()
        keys = settings(claim.text)
        known = sum(self.has_parts(key) for key in keys)
        # Of another product's file the sources know no more than a word or two.
        foreign = len(keys) > _FEW_KEYS and known < _OWN_KEYS * len(keys)
        others = ("setting", "value") if foreign else ()
        wanted = (one for one in literals(claim.text) if one.kind not in others)
        return [one for one in wanted if not self._holds(one)]

    def _holds(self, one: Literal) -> bool:
        """Whether a source has it, as it stands or in another form."""
        written = one.written.casefold()
        if one.kind not in ("option", "setting", "command") and self._has(written, self._asked):
            return True
        if one.kind == "link":
            return self._links(written)
        if one.kind == "path":  # "$HOME/.app" is "~/.app"
            return self._has(re.sub(r"^(?:~|%\w+%)", "", written).rstrip("/\\."), self._text, "")
        if one.kind == "request":
            method, _, path = written.partition("/")
            return method.split()[0].strip("`'\"") in self._text and self._paths(f"/{path}")
        if one.kind in ("variable", "family"):
            return self._variables(written, one.kind == "family")
        if one.kind == "value":
            return not self.has_parts(one.of) or self._amounts(written)
        if one.kind == "command":
            return self._commands(*written.split(" "))
        return self._has(written, self._text) or (one.kind == "setting" and self.has_parts(written))

    def _variables(self, written: str, read: bool) -> bool:
        """Whether a variable is there, or is the reader's own: nothing there is called like it."""
        first = re.escape(written.partition("_")[0])
        called = rf"(?<!\w){first}{'_' if read else ''}"
        return self._has(written, self._text) or not re.search(called, self._text)

    def has_parts(self, key: str) -> bool:
        """Whether all parts of a dotted key stand somewhere: `scale.min` may be nested."""
        parts = [part for part in key.casefold().split(".") if part]
        return all(self._has(part, self._text) for part in parts)

    def _has(self, written: str, text: str, before: str = r"(?<![\w-])") -> bool:
        if written not in text:
            return False
        return re.search(rf"{before}{re.escape(written)}(?![\w-])", text) is not None

    def _amounts(self, written: str) -> bool:
        """A number with its unit in any spelling: "30d" is "30 days", "10000" is "10,000"."""
        number = re.match(r"[\d.]+", written)
        assert number is not None
        unit = written[number.end() :][:1]
        forms = [re.escape(number[0])]
        if number[0].isdigit():
            forms.append(f"{int(number[0]):,}")
        ending = rf"[\s-]?{re.escape(unit)}" if unit else r"(?!\w)"
        pattern = rf"(?<![\w.,])(?:{'|'.join(forms)}){ending}"
        return any(re.search(pattern, text) for text in (self._text, self._asked))

    def _commands(self, program: str, command: str) -> bool:
        """Whether a program that the sources show with several commands has this one there."""
        shown = rf"(?:^|[`$>|;&]|\bsudo)[ \t]*{re.escape(program)} (?P<command>[a-z][a-z-]+)"
        known = {found["command"] for found in re.finditer(shown, self._text, re.MULTILINE)}
        if len(known) < _FEWEST_COMMANDS:
            return True
        options = r"(?:-\S{1,60}\s+){0,4}"
        return command in known or bool(
            re.search(
                rf"\b{re.escape(program)}\s+{options}{re.escape(command)}(?![\w-])", self._text
            )
        )

    def _links(self, written: str) -> bool:
        """Whether the sources have an address, or its host and the path that it goes on with."""
        bare = re.sub(r"^(?:\w+://)?(?:www\.)?|[?#].*$|[/.,;:!]+$", "", written)
        if self._has(bare, self._text, r"(?<![\w.-])"):
            return True
        host, _, path = bare.partition("/")
        bases = re.findall(
            rf"(?<![\w.-]){re.escape(host)}(?::\d+)?(?![\w.-])(/[\w./~-]*)?", self._text
        )
        path = f"/{path}"
        rests = {
            path[len(base) :] or "/"
            for base in {b.rstrip("/.") for b in bases}
            if path.startswith(base)
        }
        return any(rest == "/" or self._paths(f"/{rest.lstrip('/')}") for rest in sorted(rests))

    def _paths(self, path: str) -> bool:
        """Whether the sources have a path, whose later parts may be variable: "/users/{id}"."""
        path = re.sub(r"[?#].*$", "", path)
        first, *rest = [part for part in path.split("/") if part] or [""]
        while rest and re.search(r"\d|[<{:$]", rest[-1]):  # the one of a record
            if self._path(first, rest):
                return True
            rest = rest[:-1]
        return self._path(first, rest)

    def _path(self, first: str, rest: Sequence[str]) -> bool:
        parts = "".join(rf"/(?:{re.escape(part)}|{_VARIABLE_PART})" for part in rest)
        pattern = rf"(?<!\w)/{re.escape(first)}{parts}(?![\w-])"
        return f"/{first}" in self._text and re.search(pattern, self._text) is not None
