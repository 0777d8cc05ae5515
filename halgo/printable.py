r"""Text of others -> text that is safe to print on one line: what does not show is written out.

Names of files, keys and fields stand in messages, and messages end in terminals and log files.
There an escape sequence acts, a line break forges a line, a direction override turns one around,
and a character without a width makes two names look the same.
"""

from __future__ import annotations

import re

# What Unicode 15 calls control, format, surrogate, private use, or a separator of lines, and what
# it calls ignorable by default (fillers, variation selectors, all of the tags' plane up to E0FFF).
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\uf8ff"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_UNSAFE = re.compile(f"[{_HIDDEN}]")
_SHOWN = re.compile(rf"[^\s{_HIDDEN}]")


def printable(text: str) -> str:
    r"""The text with each character that does not show, or acts, as its escape: "a\x1b]0;b.txt".

    Line breaks and tabs too, so that the result is one line. A backslash stays as it is, since
    paths are made of them: the result is to be read by people, not turned back into the text.
    """
    return _UNSAFE.sub(_escaped, text)


def shows(text: str) -> bool:
    """Whether the text has any character that shows, white space not being one."""
    return _SHOWN.search(text) is not None


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
