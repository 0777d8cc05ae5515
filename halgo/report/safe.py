"""Text of others -> text that may be shown in a report or put into a prompt.

What acts on a terminal or does not show is written out for a reader, who then sees all that a
checker or a model reads, and left out of a prompt, where it might be an order that nobody sees.
A report itself keeps the raw text. Unlike `printable`, which is for names, this keeps line breaks
and what ordinary writing needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from halgo.printable import printable

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Signs without a width that writing needs, one at a time and beside what shows: joiners inside the
# words of some scripts and inside an emoji, and the mark that makes a sign an emoji.
_LETTERS = "\u0620-\u06dc\u06de-\u06ff\u0750-\u077f\u0900-\u0dff\u1780-\u17b3"
_SIGNS = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_NEEDED = re.compile(
    f"([\n\t]|(?<=[{_LETTERS}{_SIGNS}\ufe0f])[\u200c\u200d](?=[{_LETTERS}{_SIGNS}])"
    f"|(?<=[{_SIGNS}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3))"
)


def clean(text: str) -> str:
    r"""Text that is safe to print: what acts or does not show is an escape, "a\x1b]0;b".

    Line breaks and tabs stay, and other line breaks become plain ones.
    """
    return _put(text, printable)


def bare(text: str) -> str:
    """Text without what acts or does not show; else as `clean` gives it.

    For prompts: a model reads what a reader does not see, and an escape it can turn back.
    """
    return _put(text, _without)


def one_line(text: str) -> str:
    """Cleaned text with its white space single."""
    return " ".join(clean(text).split())


def bare_line(text: str) -> str:
    """Bare text with its white space single."""
    return " ".join(bare(text).split())


def _put(text: str, safe: Callable[[str], str]) -> str:
    text = _BREAKS.sub("\n", text)
    if text.isascii() and text.isprintable():
        return text
    # Every second part is what the pattern found.
    return "".join(part if n % 2 else safe(part) for n, part in enumerate(_NEEDED.split(text)))


def _without(text: str) -> str:
    gone = [char for char in set(text) if printable(char) != char]
    return text.translate(dict.fromkeys(map(ord, gone)))
