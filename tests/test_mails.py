"""Mails as documents: their text, whoever wrote it in whatever form."""

from __future__ import annotations

import contextlib
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from halgo import Checker
from halgo.errors import DocumentError
from halgo.sources.folders import read_files
from halgo.sources.mails import read_eml, read_written


def mail(
    text: str = "The price is £390, not £420.\n\nRegards\nMarta", html: str = ""
) -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = "Cleaning – week 20"
    made["From"] = "Marta Lindqvist <marta@example.com>"
    made["To"] = "José <jose@example.com>"
    if text:
        made.set_content(text)
    if html:
        (made.add_alternative if text else made.set_content)(html, subtype="html")
    return made


def test_a_mail_is_its_headers_and_its_text() -> None:
    text, metadata, warnings = read_eml(mail().as_bytes(), "a.eml")
    assert text.split("\n\n") == [
        "Subject: Cleaning – week 20",
        "From: Marta Lindqvist <marta@example.com>",
        "To: José <jose@example.com>",
        "The price is £390, not £420.",
        "Regards\nMarta",
    ]
    assert metadata == {"title": "Cleaning – week 20"} and warnings == []


def test_claims_are_checked_against_a_mail_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(mail("The hall is cleaned at 6 pm.", "<p>x</p>").as_bytes())
    checker = Checker.from_files([tmp_path])
    found = checker.check_claims(["The hall is cleaned at 6 pm.", "The hall is cleaned at 5 pm."])
    assert [one.verdict.value for one in found] == ["SUPPORTED", "CONTRADICTION"]


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("The fee is 5%.\n", "The fee is 5%."),
        ("Hi,\n> Is it 4%?\nNo.\n>> Why?\nSo.", "Hi,\n\nNo.\n\nSo."),
        ("No.\n\nOn 4 March 2025 at 09:12, Ann Lee wrote:\n\n> It is 4%.\n> Right?", "No."),
        ("No.\n\nOn Tue, 4 Mar 2025, Ann Lee <ann@example.com>\nwrote:\n> It is 4%.", "No."),
        ("No.\n\nAm 04.03.25 um 09:12 schrieb Ann Lee:\n> It is 4%.", "No."),
        ("The fee is 5%.\nThe lease says:\n> It is 4%.", "The fee is 5%.\nThe lease says:"),
        ("On 4 May it rose to 5%.\nAnn wrote:\n> 4%.", "On 4 May it rose to 5%.\nAnn wrote:"),
        ("Yes.\n\n-----Original Message-----\nFrom: Ann\n\nIs it 5%?", "Yes."),
        ("Yes.\n\n---------- Forwarded message ---------\nIt is 5%.", "Yes."),
        ("Yes.\n\nFrom: Ann Lee\nSent: Tuesday\nTo: Jo\n\nIs it 5%?", "Yes."),
        ("> It is 5%.", ""),
    ],
)
def test_of_a_mail_that_is_an_answer_its_own_words_are_read(body: str, written: str) -> None:
    assert read_written(mail(body).as_bytes(), "a.eml")[0] == written
    assert body.strip() in read_eml(mail(body).as_bytes(), "a.eml")[0]


def test_a_page_in_a_mail_that_is_an_answer_loses_its_quotes() -> None:
    page = "<p>It costs £4.</p><blockquote><p>It costs £5.</p></blockquote>"
    assert read_written(mail("", page).as_bytes(), "a.eml")[0] == "It costs £4."


def test_of_two_forms_the_plain_one_is_read_and_a_page_alone_as_a_page() -> None:
    both = read_eml(mail("Plain.", "<p>Rich.</p>").as_bytes(), "a.eml")[0]
    assert "Plain." in both and "Rich" not in both
    page = read_eml(mail("", "<p>It costs <del>£5</del> £4.</p>").as_bytes(), "a.eml")
    assert page[0].endswith("\n\nIt costs £4.") and "struck-out" in page[2][0]


def test_attachments_are_named_in_a_warning() -> None:
    made = mail()
    made.add_attachment(b"x", maintype="application", subtype="pdf", filename="offer.pdf")
    made.add_attachment("secret", filename="notes.txt")
    text, _, (warning,) = read_eml(made.as_bytes(), "a.eml")
    assert "secret" not in text
    assert "attachments are not read: offer.pdf, notes.txt" in warning


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "no-such-set"])
def test_the_text_is_decoded_as_it_says(charset: str) -> None:
    body = "Caf\u00e9".encode("iso-8859-1" if charset == "iso-8859-1" else "utf-8")
    head = f"Subject: =?{charset}?q?hi?=\nContent-Type: text/plain; charset={charset}\n\n"
    text, _, _ = read_eml(head.encode() + body, "a.eml")
    assert text.endswith("Café")


@pytest.mark.parametrize(
    "data", [b"", b"just text", b"Subject: x\nContent-Type: image/png\n\nabc", b"\xff\xfe\x00"]
)
def test_what_is_no_mail_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"a\.eml"):
        read_eml(data, "a.eml")


@pytest.mark.parametrize(
    "data",
    [
        b"Subject: x\nContent-Type: text/plain" + b";a=b" * 300_000 + b"\n\nText.",
        b"Subject: x\nContent-Type: text/plain" + b"\n ;a=b" * 300_000 + b"\n\nText.",
        b"Subject: x\nTo: " + b"a@b.c, " * 200_000 + b"\n\nText.",
        b"Subject: x\n" + b"X: y\n" * 200_000 + b"\nText.",
        b"Subject: " + b"=?utf-8?q?a?= " * 3000 + b"\n\nText.",
        b"Subject: x\n\n" + b"Content-Type: y\n" * 100_000,
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
        + b"--b\nContent-Type: text/plain\n\nx\n" * 30_000,
        b"Subject: x\n\n" + b"On 4 " * 400_000 + b"\n> x\n" + b"On 4 wrote\n> x\n" * 100_000,
        b"Subject: x\n\n" + b"From: x\n" * 200_000 + b"-" * 2_000_000,
    ],
    ids=[
        *("parameters", "folded", "people", "headers", "words", "lines", "parts"),
        *("leads", "other mails"),
    ],
)
def test_hostile_mails_take_seconds_at_most(data: bytes) -> None:
    started = time.process_time()
    with contextlib.suppress(DocumentError):
        read_written(data, "a.eml")
    assert time.process_time() - started < 5


def test_only_headers_are_bounded_in_length() -> None:
    log = "Log:\n" + "    a line of it\n" * 5000
    assert "a line of it" in read_eml(f"Subject: x\n\n{log}".encode(), "a.eml")[0]


def test_parts_within_parts_end(tmp_path: Path) -> None:
    data = b"Subject: x\n"
    for k in range(3000):
        data += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (k, k)
    (tmp_path / "a.eml").write_bytes(data + b"\nText.")
    _, warnings = read_files([tmp_path])
    assert "a.eml" in warnings[0]
