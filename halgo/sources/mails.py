"""EML -> text: what a mail says of itself, and its body, with the standard library's parser.

A mail that is an answer is what its writer wrote: neither its headers nor what it quotes.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from itertools import islice

from halgo.errors import DocumentError
from halgo.sources.webpages import markdown

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
# The parser's time grows with the square of a header's length; one of a thousand addresses is half
# as long.
_LONGEST_HEADER = 50_000
# Of those that are read: any line of a body with a colon looks like one.
_HEADER = re.compile(
    rb"^(?:subject|from|to|cc|date|content-[\w-]{1,40}):.*(?:\n[ \t].*)*",
    re.MULTILINE | re.IGNORECASE,
)
_MOST_PARTS = 1000
# Where another mail begins that stands as a whole below an answer to it, or is forwarded.
_OTHER_MAIL = re.compile(
    r"^[ \t]*(?:-{2,} ?(?:Original|Forwarded) message ?-{2,}"
    r"|\*{0,2}From:.+\n\*{0,2}(?:Sent|Date|To):)",
    re.MULTILINE | re.IGNORECASE,
)
# "On 4 March 2025 at 09:12, Ann Lee wrote:", over what she wrote; programs break a long one.
_WROTE = r"(?:wrote|schrieb|a \u00e9crit|escribi\u00f3|ha scritto|schreef)"
_LEAD = re.compile(
    r"^(?:On|Am|Le|El|Il|Op) (?=.*\d)"
    rf"(?:.{{1,200}}\n(?=.*@|{_WROTE}))?.{{0,300}}\b{_WROTE}\b.{{0,200}}:[ \t]*\Z",
    re.MULTILINE,
)


def read_eml(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """A mail's subject, people and date, a line each, and its text; of several forms the plain one.

    Metadata "title" is the subject. Attachments are not read, with a warning.

    Raises DocumentError where the mail holds no text, or a header that is too long.
    """
    lines, body, subject, warnings = _parts_of(data, name)
    return "\n\n".join(["\n\n".join(lines), body]), {"title": subject} if subject else {}, warnings


def read_written(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """What the writer of a mail wrote: its text alone, without what it quotes of other mails.

    Quoted is what stands behind ">", with the line that says who wrote it, and all from where
    another mail begins below. Metadata, warnings and errors as of `read_eml`.
    """
    _, body, subject, warnings = _parts_of(data, name)
    if (other := _OTHER_MAIL.search(body)) is not None:
        body = body[: other.start()]
    kept: list[str] = []
    quoted = False
    for line in body.split("\n"):
        before, quoted = quoted, line.lstrip().startswith(">")
        if not quoted:
            kept.append(line)
        elif not before:
            _drop_lead(kept)
            kept.append("")  # what stands above and below is not one paragraph
    return "\n".join(kept).strip(), {"title": subject} if subject else {}, warnings


def _drop_lead(kept: list[str]) -> None:
    """Takes away the line or two that say whose words follow."""
    while kept and not kept[-1].strip():
        kept.pop()
    if (lead := _LEAD.search("\n".join(kept[-2:]))) is not None:
        del kept[-1 - lead.group().count("\n") :]


def _parts_of(data: bytes, name: str) -> tuple[list[str], str, str, list[str]]:
    """A mail's headers, a line each, its text, its subject, and warnings."""
    if any(len(found.group()) > _LONGEST_HEADER for found in _HEADER.finditer(data)):
        raise DocumentError(
            f"{name} has a header of more than {_LONGEST_HEADER:,} bytes. Save its text as .txt.",
            name,
        )
    mail = message_from_bytes(data, policy=policy.compat32)
    lines = [f"{key}: {said}" for key in _SHOWN if (said := _header(mail, key))]
    walk = mail.walk()
    parts = list(islice(walk, _MOST_PARTS))
    bodies = [part for part in parts if not part.is_multipart() and not part.get_filename()]
    plain = [part for part in bodies if part.get_content_type() == "text/plain"]
    rich = [part for part in bodies if part.get_content_type() == "text/html"]
    if not lines or not (plain or rich):
        raise DocumentError(f"{name} is no mail with a text; save its text as .txt", name)
    warnings: list[str] = []
    if next(walk, None) is not None:
        warnings.append(f"{name}: of its parts the first {_MOST_PARTS:,} are read")
    texts = list(map(_text, plain))
    if not any(map(str.strip, texts)):
        texts = []
        for part in rich:
            text, _, found = markdown(_text(part), name)
            texts.append(text)
            warnings += found
    if left := list(_attached(parts)):
        shown = ", ".join(left[:5]) + (" ..." if len(left) > 5 else "")
        warnings.append(f"{name}: attachments are not read: {shown}")
    subject = _header(mail, "Subject")
    body = "\n\n".join(text.strip() for text in texts).replace("\r\n", "\n")
    return lines, body, subject, warnings


def _header(mail: Message, key: str) -> str:
    """A header as a reader sees it, "" where there is none."""
    written = str(mail.get(key) or "")
    with contextlib.suppress(HeaderParseError, LookupError, ValueError):  # as it stands then
        written = str(make_header(decode_header(written)))
    return " ".join(written.split())


def _text(part: Message) -> str:
    """The text of a part, in the encoding that it names, else as UTF-8."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    try:
        return data.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _attached(parts: list[Message]) -> Iterator[str]:
    """The names of files that go with a mail; pictures within its text have none."""
    for part in parts:
        if part.get_filename():
            yield " ".join(str(part.get_filename()).split())[:60]
