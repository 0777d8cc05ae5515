"""The style sheets of a web page -> which of its elements are not shown.

Only rules for a class or an id by itself are heard, ".note" and "p#note", outside of "@media". What
another rule of the page shows again, as the parts of a page that open at a click, is no secret.
"""

from __future__ import annotations

import re

UNSEEN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_SHOWN = re.compile(r"(?:^|[;\s])(?:display|visibility)\s{0,9}:", re.IGNORECASE)
_SIMPLE = re.compile(r"([A-Za-z][A-Za-z0-9]{0,20})?([.#][\w-]{1,80})")
_NAME = re.compile(r"[.#][\w-]{1,80}")
_PRINT = re.compile(r"\bmedia\s{0,9}=\s{0,9}+[\"']?+\s{0,9}+(?!all|screen)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(class|id)\s{0,9}=\s{0,9}(?:\"([^\"]{1,500})\"|'([^']{1,500})'|([^\s\"'>]{1,100}))",
    re.IGNORECASE,
)


class Styles:
    """What the style sheets of a page that were read so far say of its elements."""

    def __init__(self) -> None:
        self._hidden: set[tuple[str, str]] = set()  # a tag or "", and a name: ".note", "#note"
        self._shown: set[str] = set()

    def read(self, css: str, attributes: str = "") -> None:
        """Take in a style sheet; attributes: of its tag, for what is only for print."""
        if _PRINT.search(attributes):
            return
        css = _uncommented(css)
        depth = start = inner = 0
        for brace in re.finditer(r"[{}]", css):
            if brace.group() == "{":
                inner = brace.end() if not depth else inner
                depth += 1
            elif depth:
                depth -= 1
                if not depth:
                    self._rule(css[start : inner - 1], css[inner : brace.start()])
                    start = brace.end()

    def _rule(self, selectors: str, body: str) -> None:
        if "@" in selectors or "{" in body:
            return
        if UNSEEN.search(body):
            found = map(_SIMPLE.fullmatch, map(str.strip, selectors.split(",")))
            self._hidden.update(((one[1] or "").lower(), one[2]) for one in found if one)
        elif _SHOWN.search(body):
            self._shown.update(_NAME.findall(selectors))

    def hide(self, tag: str, attributes: str) -> bool:
        """Whether an element of this tag, with these attributes, is not shown."""
        if not self._hidden:
            return False
        names: list[str] = []
        for found in _ATTRIBUTE.finditer(attributes):
            told = found[2] or found[3] or found[4]
            names += (
                [f"#{told}"] if found[1].lower() == "id" else [f".{one}" for one in told.split()]
            )
        hidden = any((of, name) in self._hidden for name in names for of in ("", tag))
        return hidden and self._shown.isdisjoint(names)


def _uncommented(css: str) -> str:
    parts: list[str] = []
    at = 0
    while (begin := css.find("/*", at)) >= 0:
        parts.append(css[at:begin])
        end = css.find("*/", begin + 2)
        at = end + 2 if end >= 0 else len(css)
    return "".join([*parts, css[at:]])
