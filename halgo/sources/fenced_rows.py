"""A configuration example between fences -> rows: one for each section, its keys as columns.

    ```yaml
    scale:            scale — min: 1; max: 10
      min: 1
      max: 10
    ```

YAML, TOML, INI, JSON over several lines and variables alike, where each line is an entry, a
section, a remark or a bracket. Any other line, as in a program, leaves the whole as code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from halgo.sources.blocktypes import Block, trimmed
from halgo.sources.plain_tables import section
from halgo.types import Span

_FORMATS = ["yaml", "yml", "json", "json5", "jsonc", "toml", "ini", "cfg", "conf", "properties"]
_LANGUAGES = frozenset([*_FORMATS, "env", "dotenv", "editorconfig"])
_SHELLS = frozenset(["sh", "bash", "shell", "zsh", "console"])  # of these only variables
_MOST = 8  # entries of a row
_OUTERMOST = -1  # where a section of TOML or INI begins
_ENTRY = re.compile(
    r"""(?P<item>-[ ]+)?(?:export[ ]+)?
    (?P<key>"[^"]{1,80}"|'[^']{1,80}'|[\w.$/@*-]{0,79}\w\*?)[ \t]*
    (?:=[ \t]*|:(?:[ \t]+|$))(?P<value>\S.{0,400})?$""",
    re.VERBOSE,
)
_VARIABLE = re.compile(r"(?:export[ ]+)?[A-Z][A-Z0-9_]*=[^\s$(`]*$")
_ITEM = re.compile(r"-[ ]+(?P<value>\S.{0,400})$|(?P<quoted>\"[^\"]{0,400}\"|-?[\d.]+),?$")
_REMARK = re.compile(r"(?:#+|;+|//)[ \t]*")
_BRACKETS = re.compile(r"[\[\]{},]+$|---$|\.\.\.$")
_TEXT_FOLLOWS = re.compile(r"[|>][+-]?\d?$")
_OPENS = ("", "{", "[")
_QUOTED = re.compile(r"([\"'])(.*)\1")
_BEHIND = re.compile(r"(?P<value>\"[^\"]*\"|'[^']*'|[^\"'#\s][^#]*?),?[ \t]+(?:#|//[ \t]).*$")


def blocks(text: str, lines: Sequence[Span], language: str) -> list[Block]:
    """The rows and remarks of the lines between two fences; none where they are no entries.

    language: the first word behind the opening fence, in lower case; "" for none.
    """
    told = [trimmed(text, line.start, line.end) for line in lines]
    if language in _SHELLS:
        if not all(_VARIABLE.match(line.of(text)) for line in told if line):
            return []
    elif language not in _LANGUAGES and (language or sum(map(bool, told)) < 2):
        return []
    rows = _Rows(text)
    for line, whole in zip(told, lines, strict=True):
        if line and not rows.take(line, line.start - whole.start):
            return []
    rows.close()
    rows.leave(_OUTERMOST)
    return rows.done


@dataclass
class _Section:
    """What entries further to the right are of. told: whether a row has its name."""

    indent: int
    name: Span
    told: bool = False


@dataclass
class _Rows:
    """Rows under way. pairs: each entry's key, and its values, several of a list."""

    text: str
    done: list[Block] = field(default_factory=list)
    path: list[_Section] = field(default_factory=list)
    pairs: list[tuple[Span, list[Span]]] = field(default_factory=list)
    indent: int = -1  # of the pairs

    def take(self, line: Span, indent: int) -> bool:
        """Take in a line; False where it is none of a configuration."""
        content = line.of(self.text)
        if (remark := _REMARK.match(content)) is not None:
            self.close()
            if said := trimmed(self.text, line.start + remark.end(), line.end):
                self.done.append(Block("paragraph", (said,)))
        elif _BRACKETS.match(content):
            self.close()
        elif (name := section(self.text, line.start, line.end)) is not None:
            self.leave(_OUTERMOST)
            self.path.append(_Section(_OUTERMOST, name))
        elif (entry := _ENTRY.match(content)) is not None:
            return self.entry(entry, line, indent)
        elif (item := _ITEM.match(content)) is not None:
            return self.value(Span(*item.span(item.lastgroup or 0)).shift(line.start), indent)
        else:
            return False
        return True

    def entry(self, entry: re.Match[str], line: Span, indent: int) -> bool:
        """Take in a key with its value, or what stands under it; False where that is a text."""
        if entry["item"]:
            self.close()
            indent += len(entry["item"])
        key = self.bare(Span(*entry.span("key")).shift(line.start))
        given = entry["value"] or ""
        if _TEXT_FOLLOWS.match(given):
            return False
        if indent != self.indent:
            self.close()
        self.leave(indent)
        if given.rstrip(",") in _OPENS:
            self.close()
            self.path.append(_Section(indent, key))
            return True
        if len(self.pairs) == _MOST:
            self.close()
        self.indent = indent
        place = Span(*entry.span("value")).shift(line.start)
        self.pairs.append((key, [self.bare(place)]))
        return True

    def value(self, place: Span, indent: int) -> bool:
        """Take in an item of the list that stands under a key."""
        place = self.bare(place)
        if self.path and not self.pairs and not self.path[-1].told:
            over = self.path.pop()
            self.pairs.append((over.name, [place]))
            self.indent = over.indent
        elif self.pairs and indent >= self.indent:
            self.pairs[-1][1].append(place)
        else:
            return False
        return True

    def leave(self, indent: int) -> None:
        """End the sections that an entry so far to the left is not of."""
        while self.path and self.path[-1].indent >= indent:
            self.close()
            if not self.path[-1].told:
                self.done.append(Block("paragraph", self.names(untold=True)))
            self.path.pop()

    def close(self) -> None:
        """End the row under way."""
        pairs, self.pairs = self.pairs, []
        if not pairs:
            return
        further = {values[0]: tuple(values[1:]) for _, values in pairs if values[1:]}
        keys, values = [key for key, _ in pairs], [held[0] for _, held in pairs]
        start = keys[0].start
        if self.path:
            names = self.names()
            keys.insert(0, Span(names[0].start, names[0].start))
            values.insert(0, names[0])
            if names[1:]:
                further[names[0]] = names[1:]
        end = pairs[-1][1][-1].end
        whole = Span(start, end)
        self.done.append(Block("row", tuple(values), tuple(keys), whole, further, literal=True))

    def names(self, untold: bool = False) -> tuple[Span, ...]:
        """The sections under way, the outermost first, or those not told yet; now they are."""
        names = tuple(each.name for each in self.path if not (untold and each.told))
        for each in self.path:
            each.told = True
        return names

    def bare(self, place: Span) -> Span:
        """A key or a value without the remark or comma behind it and the quotes around it."""
        remark = _BEHIND.match(self.text, place.start, place.end)
        place = Span(place.start, remark.end("value")) if remark else place
        if self.text[place.end - 1] == "," and len(place) > 1:
            place = Span(place.start, place.end - 1)
        quoted = _QUOTED.fullmatch(self.text, place.start, place.end)
        return Span(*quoted.span(2)) if quoted and quoted[2] else place
