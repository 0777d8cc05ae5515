"""Identifiers: e-mail addresses, links, telephone numbers, versions, paths, options, codes, grades.

So are requests ("POST /users") and the status that answers them: what is written in one way only,
and wrong with one character changed. Neither a number nor a name:
"01865 555 014" is no amount, and no synonym stands for `--dry-run`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from halgo.types import Span

_LONGEST = 20_000  # characters of a text that are looked at
_MOST = 200  # identifiers of a text
_FEWEST_DIGITS, _MOST_DIGITS = 6, 15  # of a telephone number
_TELLING, _LONG = 3, 8  # digits of a code, characters of a longer one
_ALIKE = 6  # last digits by which two telephone numbers are one, country codes aside

_MARKS = "`'\""
_ENDINGS = (
    "com|org|net|io|dev|gov|edu|int|info|app|ai|example|test|eu|uk|de|fr|nl|ch|ca|au|jp|se|no|pl"
)
_SEGMENT = r"/(?:[\w.@%+-]{1,80}|\{\w{1,40}\}|:\w{1,40}|<\w{1,40}>)"
_REASONS = (
    "OK|Created|Accepted|No Content|Moved|Found|Not Modified|Bad Request|Unauthorized|Forbidden|"
    "Not Found|Method Not Allowed|Conflict|Gone|Unprocessable|Too Many Requests|Internal Server|"
    "Bad Gateway|Service Unavailable|Gateway Timeout"
)
_PATTERNS = {
    # RFC 9110: a method with what it is asked of, and the answer's status.
    "request": r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)[`'\"]?(?: requests?)?(?: to| on| at)?\s"
    rf"[`'\"]?(?:{_SEGMENT}){{1,20}}/?",
    "status": rf"\b[1-5]\d\d(?=\s(?:{_REASONS})\b)"
    r"|(?<=\bHTTP )[1-5]\d\d\b|(?<=\bstatus )[1-5]\d\d\b|(?<=\bcode )[1-5]\d\d\b"
    r"|(?:(?<=\ba )|(?<=\ban ))[1-5]\d\d\b"
    r"(?=[`'\"]?(?:\s(?:error|response|status)\b|[.,;)]|$))",
    "address": r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,24}",
    "link": r"(?:https?://|www\.)[^\s<>\"'`()\[\]]{3,300}"
    rf"|(?<![\w@.-])(?:[A-Za-z0-9][A-Za-z0-9-]{{0,62}}\.){{1,6}}(?:{_ENDINGS})\b(?!\.\w|@)"
    r"(?:/[^\s<>\"'`()\[\],;]{0,200})?",
    "path": r"(?<![\w/.~])(?:~|\.{1,2})?(?:/[\w.@%+-]{1,80}){2,20}/?"
    # Behind what stands for a folder one part is enough: "~/.npm", "{prefix}/bin".
    r"|(?<![\w/.~}%$])(?:~|\.{1,2}|\{\w{1,30}\}|%\w{1,30}%|\$[A-Za-z_]\w{0,30}|\$\{\w{1,30}\})"
    r"(?:[/\\][\w.@%+{}-]{1,80}){1,20}[/\\]?",
    "symbol": r"(?<=['\"`‘“])[^\w\s'\"`‘’“”.,]{1,3}(?=['\"`’”])",
    "option": r"(?<![\w-])--[A-Za-z][\w-]{1,60}",
    # Of one without a sign only the cell of a table can be told from an article.
    "grade": r"(?<![\w-])(?:[A-F]|O|AB|AAA?|BBB?|CCC?)[+\u2212-](?![\w+-])"
    r"|(?<=: )[A-F](?=[;\n]|\s\u2014|$)",
    "version": r"(?<![\w.])v?\d{1,4}(?:\.\d{1,6}){2,4}"
    r"(?:[-+](?:rc|alpha|beta|dev)(?:[\w.]{0,19}\w)?)?"
    r"(?!\w|\.\d)",
    "number": r"(?<![\w.,/+-])\+?(?:\(\d{1,5}\)|\d{1,6})"
    r"(?:[ .-](?:\(\d{1,5}\)|\d{2,6})){1,6}(?![\w-])",
    "name": r"(?<![\w.])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){1,8}|[a-z][a-z0-9]*(?:_[a-z0-9]+){1,8}"
    r"|[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception))(?!\w)",
    "code": r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
    r"|[A-Z]{1,8}[-/]?\d{3,12}(?:-[A-Z0-9]{1,12}){0,4}|[A-Z]{2,8}(?:-\d{2,12}){1,3}"
    r"|\d{3,12}-[A-Z]{1,3}|(?=[A-Z0-9]*\d)(?=\d*[A-Z])[A-Z0-9]{6,34})(?![\w-])",
}
# A version as it stands alone: "v2.14" and 2.14.3, a figure with decimals as well.
VERSION = re.compile(r"(?<![\w.,])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?!\w|[.,]\d)", re.IGNORECASE)
_ANY = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in _PATTERNS.items()))
_DATE = re.compile(r"\d{4}[-. ]\d\d?[-. ]\d\d?|\d\d?[-. ]\d\d?[-. ]\d{4}")
_YEARS = re.compile(r"(?:1[5-9]|20)\d\d[ .-](?:1[5-9]|20)\d\d")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[ .]\d{3})+")


@dataclass(frozen=True, slots=True)
class Identifier:
    """One of them. key: in the form in which two of a kind are compared.

    telling: False of a short code, which may be a name as well, and other words stand for it:
    "COVID-19".
    """

    kind: str
    key: str
    span: Span
    telling: bool = True

    def agrees(self, other: Identifier) -> bool:
        """Whether the other one, of a source, is the same: "+44 20 7946" is also "020 7946"."""
        if self.kind != other.kind:
            return False
        if self.kind == "request":  # a version ahead of the path may be left out
            (method, path), (its_method, its_path) = (
                one.key.split(" ", 1) for one in (self, other)
            )
            return method == its_method and (path.endswith(its_path) or its_path.endswith(path))
        if self.kind == "number":
            return self.key[-_ALIKE:] == other.key[-_ALIKE:] and (
                self.key.endswith(other.key.lstrip("0")[-9:])
                or other.key.endswith(self.key.lstrip("0")[-9:])
            )
        if self.kind in ("link", "path"):  # what a longer one begins with
            return f"{other.key}/".startswith(f"{self.key}/")
        return self.key == other.key


def _link(written: str) -> str:
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", written.lower())
    return bare.rstrip("/.,;:!?")


def _request(written: str) -> str:
    """The method and the path, whose variable parts have no names: "DELETE /users/{}"."""
    method, _, path = written.partition("/")
    path = re.sub(r"/(?:\{\w+\}|:\w+|<\w+>|\d+)(?=/|$)", "/{}", f"/{path.rstrip('/.')}")
    return f"{method.split()[0].strip(_MARKS)} {path.lower()}"


_KEYS: dict[str, Callable[[str], str]] = {
    "address": str.lower,
    "link": _link,
    "number": lambda written: re.sub(r"\D", "", written),
    "version": lambda written: written.lower().removeprefix("v"),
    "code": lambda written: re.sub(r"[-/ ]", "", written.lower()),
    "request": _request,
    "path": lambda written: written.rstrip("/\\."),
}


@lru_cache(maxsize=4096)
def identifiers(text: str) -> tuple[Identifier, ...]:
    """The identifiers of a text, in order; at most `_MOST`."""
    found = []
    for match in _ANY.finditer(text[:_LONGEST]):
        kind, written = match.lastgroup or "", match.group()
        if kind == "path":
            written = written.rstrip(".")  # of the sentence
        if kind in ("number", "version") and not _identifies(kind, written):
            continue
        key = _KEYS.get(kind, str)(written)
        telling = (
            " " in written
            or kind != "code"
            or len(key) >= _LONG
            or len(re.sub(r"\D", "", key)) >= _TELLING
        )
        span = Span(match.start(), match.start() + len(written))
        found.append(Identifier(kind, key, span, telling))
        if len(found) == _MOST:
            break
    return tuple(found)


def _identifies(kind: str, written: str) -> bool:
    """Whether digits in groups are no date, years, or amount."""
    if _DATE.fullmatch(written) or _YEARS.fullmatch(written) or _THOUSANDS.fullmatch(written):
        return False
    if kind == "version":
        return True
    digits = sum(map(str.isdigit, written))
    grouped = written.count("-") > 1 or ("-" in written and " " not in written and digits > 6)
    begins = written[0] in "+0(" or grouped
    return begins and _FEWEST_DIGITS <= digits <= _MOST_DIGITS
