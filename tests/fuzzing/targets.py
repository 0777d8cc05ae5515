"""What is fuzzed: name -> a function of bytes that raises for a bug, and bytes to begin with."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from halgo.errors import HalgoError

Target = Callable[[bytes], None]
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
_SUFFIXES = (
    *(".txt", ".md", ".html", ".json", ".jsonl", ".csv", ".tsv", ".yaml", ".xml"),
    *(".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".epub", ".rtf"),
)
# What a reader may make of an input, in characters: as many times the input, and so many more.
_TIMES, _MORE = 60, 4_000_000


@lru_cache(maxsize=1)
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="halgo-fuzz-"))


def _file(suffix: str, data: bytes) -> Path:
    path = _folder() / f"input{suffix}"
    path.write_bytes(data)
    return path


def _reader(suffix: str) -> Target:
    def target(data: bytes) -> None:
        from halgo.sources.folders import read_files

        try:
            documents, _ = read_files([_file(suffix, data)])
        except HalgoError:
            return
        told = sum(len(document.text) for document in documents)
        assert told <= _TIMES * len(data) + _MORE, f"{len(data)} bytes became {told} characters"

    return target


def sentences(data: bytes) -> None:
    """A document's text cut into sentences; every span stands where it says."""
    from halgo.sources.sentences import split

    text = data.decode("utf-8", "replace")
    at = 0
    for sentence in split(text):
        assert at <= sentence.span.start <= sentence.span.end <= len(text)
        at = sentence.span.start


def claims(data: bytes) -> None:
    """An answer split into claims; every span stands where it says."""
    from halgo.claims.extract import extract

    text = data.decode("utf-8", "replace")
    for claim in extract(text):
        assert 0 <= claim.span.start <= claim.span.end <= len(text)


def sums(data: bytes) -> None:
    """Sums of a text worked out: nothing is evaluated, nothing runs for long."""
    from halgo.arithmetic.sums import check_sums

    check_sums(data.decode("utf-8", "replace")[:2_000])


def index(data: bytes) -> None:
    """An index of a hostile writer, who seals it as halgo does, loaded and asked."""
    from halgo.evidence import files
    from halgo.evidence.embed import LexicalEmbedder

    path = _file(".halgo", resealed(data))
    try:
        files.load(path, LexicalEmbedder())
    except HalgoError:
        return


def resealed(data: bytes) -> bytes:
    """The bytes with the digest of all but their last 64 as these: the seal of an index."""
    if len(data) <= 64:
        return data
    return data[:-64] + hashlib.sha256(data[:-64]).hexdigest().encode()


def audit(data: bytes) -> None:
    """A log verified, and its records counted."""
    from halgo.delivery.chain import records, verify

    path = _file(".log", data)
    try:
        verify(path)
        list(records(path))
    except HalgoError:
        return


def policy(data: bytes) -> None:
    """A gate's policy read from TOML."""
    from halgo.delivery.policy import Policy

    try:
        Policy.from_toml(_file(".toml", data))
    except HalgoError:
        return


def config(data: bytes) -> None:
    """Settings read from TOML."""
    from halgo.config import Config

    try:
        Config.from_toml(_file(".toml", data))
    except HalgoError:
        return


def calibration(data: bytes) -> None:
    """A calibration read from JSON."""
    from halgo.calibration import Calibration

    try:
        Calibration.load(_file(".json", data))
    except HalgoError:
        return


def golden(data: bytes) -> None:
    """Golden rows read from JSON lines."""
    from halgo.golden.rows import read

    try:
        read(_file(".jsonl", data))
    except HalgoError:
        return


TARGETS: dict[str, Target] = {
    **{f"read{suffix}": _reader(suffix) for suffix in _SUFFIXES},
    **{
        target.__name__: target
        for target in (sentences, claims, sums, index, audit, policy, config, calibration, golden)
    },
}


def seeds(name: str) -> Iterable[bytes]:
    """Ordinary inputs of a target, from which the fuzzer begins."""
    texts = [path.read_bytes()[:3_000] for path in sorted(EXAMPLES.rglob("*.md"))[:3]]
    if name in ("read.json", "read.jsonl", "golden", "calibration"):
        yield b'{"orders": [{"id": 1, "price": {"amount": 5, "currency": "EUR"}}]}'
        yield json.dumps({"docs": ["a"], "claim": "b", "label": "supported"}).encode()
    elif name in ("read.csv", "read.tsv"):
        yield b'Plan,Price,Users\nBasic,$10,3\nPro,$20,"5, or more"\n'
    elif name == "read.html":
        yield b"<html><head><title>T</title></head><body><h1>A</h1><table><tr><td>b</table><p>c"
        yield b"<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f</table>"
    elif name == "read.docx":
        yield _docx()
    elif name == "read.xlsx":
        yield _xlsx()
    elif name == "read.yaml":
        yield b"services:\n  web: &a\n    image: x\n  db:\n    <<: *a\n"
    elif name == "read.xml":
        yield b"<r><i a='1'>t</i><i>u</i></r>"
    elif name in ("read.pptx", "read.odt", "read.ods", "read.epub"):
        yield _stored(_PARTS[name.partition(".")[2]])
    elif name == "read.rtf":
        yield rb"{\rtf1\ansicpg1252{\stylesheet{\s1 heading 1;}}\pard\s1 A\par{\b b}\u8364 ?\'e9"
        yield rb"{\rtf1\trowd\cellx9\cellx18\pard\intbl a\cell b\cell\row\pard{\listtext 1.}c\par}"
    elif name == "read.pdf":
        yield _pdf()
    elif name in ("policy", "config"):
        yield b'base = "strict"\n[[rule]]\nwhen = "contradiction"\naction = "block"\n'
        yield b"threshold = 0.3\nsupport_threshold = 0.65\ntop_k = 5\n"
    elif name == "index":
        yield _index()
    elif name == "audit":
        yield b'{"schema":1,"prev":"' + b"0" * 64 + b'","hash":"' + b"0" * 64 + b'"}\n'
    else:
        yield from texts
        yield b"12 of 48 is 25%. 3 + 4 = 7 [1]. - one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def _docx() -> bytes:
    import docx

    document, out = docx.Document(), io.BytesIO()
    document.add_heading("Heading")
    document.add_paragraph("A paragraph.")
    document.add_table(1, 2).rows[0].cells[0].text = "cell"
    document.save(out)
    return _unpacked(out)


def _xlsx() -> bytes:
    import openpyxl

    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["Item", "Price"], ["Lamp", 12.5]):
        book.active.append(row)
    book.active.merge_cells("A1:A2")
    book.save(out)
    return _unpacked(out)


_ODF = (
    "xmlns:o='urn:oasis:names:tc:opendocument:xmlns:office:1.0' "
    "xmlns:t='urn:oasis:names:tc:opendocument:xmlns:text:1.0' "
    "xmlns:s='urn:oasis:names:tc:opendocument:xmlns:table:1.0'"
)
_CELL = "<s:table-cell s:number-columns-repeated='2'><t:p>a</t:p></s:table-cell>"
_ROW = f"<s:table-row>{_CELL}</s:table-row>"
# The smallest files of their kinds.
_PARTS = {
    "pptx": {
        "_rels/.rels": "<R><R Id='r' Type='x/officeDocument' Target='m.xml'/></R>",
        "_rels/m.xml.rels": "<R><R Id='r' Type='x/slide' Target='s.xml'/></R>",
        "m.xml": "<p xmlns:r='r'><sldId r:id='r'/></p>",
        "s.xml": "<p><cSld><spTree><sp><nv/><p><r><t>a</t></r></p></sp></spTree></cSld></p>",
    },
    "odt": {"content.xml": f"<o:d {_ODF}><o:body><o:text><t:p>a</t:p></o:text></o:body></o:d>"},
    "ods": {
        "content.xml": f"<o:d {_ODF}><o:body><o:spreadsheet><s:table s:name='x'>{_ROW}</s:table>"
        "</o:spreadsheet></o:body></o:d>"
    },
    "epub": {
        "META-INF/container.xml": "<c><rootfile full-path='b'/></c>",
        "b": "<p><manifest><item id='a' href='a' media-type='html'/></manifest><spine>"
        "<itemref idref='a'/></spine></p>",
        "a": "<p>a</p>",
    },
}


def _unpacked(archive: io.BytesIO) -> bytes:
    with zipfile.ZipFile(archive) as packed:
        return _stored({part: packed.read(part) for part in packed.namelist()})


def _stored(parts: Mapping[str, str | bytes]) -> bytes:
    """An archive whose parts are not packed, so that the fuzzer reaches what is inside."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as stored:
        for part, held in parts.items():
            stored.writestr(part, held)
    return out.getvalue()


def _pdf() -> bytes:
    page = b"BT /F1 12 Tf 20 100 Td (A line of text.) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font "
        b"<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 5\n0000000000 65535 f \n"
    tail = b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)
    return out + head + table + tail


def _index() -> bytes:
    from halgo import Checker, Halgorithm

    path = _folder() / "seed.halgo"
    checker = Checker.from_docs(
        ["The fee is 5 %. Ann Lee opened the bridge in May 1999."],
        halgorithm=Halgorithm(embedder="lexical", entailment=None),
    )
    checker.save(path)
    return path.read_bytes()
