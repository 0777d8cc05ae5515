"""Bytes that are not UTF-8 -> the encoding they are text in, declared or guessed.

A page may declare any name. Only encodings of text are believed, never what Python calls a codec
besides (base64, zip, unicode_escape, undefined): those compute, and fail in ways of their own.
"""

from __future__ import annotations

import codecs
import re

# So much of a file is looked at to tell its encoding.
_SAMPLE = 200_000
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
# Names that Python gives its encodings of text, those of UTF-16 and UTF-32 left out: what declares
# them in readable bytes is not written in them.
_OF_TEXT = re.compile(
    r"ascii|utf-8(?:-sig)?|iso8859-\d{1,2}|cp\d{3,5}|mac-\w{1,20}|koi8-[rtu]|big5(?:hkscs)?|"
    r"gb(?:2312|k|18030)|hz|johab|euc_\w{1,20}|shift_jis\w{0,20}|iso2022_\w{1,20}|tis-620|"
    r"kz1048|ptcp154|hp-roman8|palmos"
)
# None of these is the second or a later byte of a character in them: after one a text can be cut.
_UP_TO_A_BREAK = re.compile(rb".*[\x00-\x2f]", re.DOTALL)
_NEAR = 1000  # so far back from its end a sample is cut there
# Letters and signs that Western European text in cp1252 is made of.
_WESTERN = frozenset(
    "\u2018\u2019\u201c\u201d\u201e\u2013\u2014\u2026"
    "\u20ac\u2122\u2022\u0152\u0153\u0160\u0161\u017d\u017e\u0178\u2020\u2021\u2030\u2039\u203a"
) | {chr(code) for code in range(0xA0, 0x100)}


def guess(data: bytes) -> str | None:
    """The encoding of text that is not UTF-8; None when it looks like no text at all."""
    sample = _sample(data)
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in sample)
    if control > len(sample) // 50:
        return None
    declared = _CHARSET.search(sample[:4096])
    if declared:
        name = _believed(declared.group(1).decode("ascii"), sample, len(sample) == len(data))
        if name:
            return name
    try:
        western = sample.decode("cp1252")
        foreign = [char for char in western if ord(char) > 127]
        letters = sum(char.isalpha() for char in western)
        # In Western text accents are sprinkled in; other scripts turn every letter into one.
        few = sum(char.isalpha() for char in foreign) <= letters / 4
        if few and _WESTERN.issuperset(foreign):
            return "cp1252"
    except UnicodeDecodeError:
        pass
    return _likeliest(sample)


def may_be_utf_16(data: bytes) -> bool:
    """Whether data look like UTF-16 of Western text: nearly every other byte is zero."""
    letters, high = sorted((data[k:_SAMPLE:2] for k in (0, 1)), key=lambda side: side.count(0))
    control = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in letters)
    return high.count(0) > len(high) / 2 and control <= len(letters) // 50


def _sample(data: bytes) -> bytes:
    """The beginning of the data, not ending within a character where that can be told."""
    if len(data) <= _SAMPLE:
        return data
    last = _UP_TO_A_BREAK.match(data, _SAMPLE - _NEAR, _SAMPLE)
    return data[: last.end() if last else _SAMPLE]


def _believed(declared: str, sample: bytes, whole: bool) -> str | None:
    """Python's name for a declared encoding, when it is one of text and the sample reads in it.

    Read in it, the sample must still declare it: a page in EBCDIC would not be readable as ASCII.
    """
    try:
        name = codecs.lookup(declared).name
        if _OF_TEXT.fullmatch(name):
            # A sample may end within a character, which a decoder of pieces allows.
            text = codecs.getincrementaldecoder(name)().decode(
                sample, len(sample) < _SAMPLE - _NEAR
            )
            return name if declared in text else None
    except (LookupError, UnicodeError):
        pass
    return None


def _likeliest(sample: bytes) -> str | None:
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return "cp1252"
    best = from_bytes(sample).best()
    return best.encoding if best is not None else None
