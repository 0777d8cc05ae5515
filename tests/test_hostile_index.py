"""An index that someone else wrote, with a digest that fits, is read or refused: nothing third.

The digest of a file says that it is as it was written, not who wrote it. So whatever a member
says, `Index.load` gives an index that can be searched to its last sentence, or IndexFormatError;
soon, and in no more memory than the file's own size calls for.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_index import built, without_models  # noqa: F401

from halgo.errors import IndexFormatError, IndexMismatchError
from halgo.evidence import files
from halgo.evidence.index import Index, spoken_texts
from halgo.evidence.vocabulary import Vocabulary

pytestmark = pytest.mark.usefixtures("without_models")

LEASE = "# Lease\n\nAcme owns the site since 1999. The fee is 5 dollars.\n\n- Dogs may enter\n"
PRICES = "| Plan | Price |\n|---|---|\n| Basic | 5 |\n| Pro | 9 |\n\nCats sleep."
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(path: Path, content: Mapping[str, bytes] | list[tuple[str, bytes]]) -> Path:
    """Writes an index of these members, with the digest that belongs to them."""
    stream = io.BytesIO()
    pairs = content.items() if isinstance(content, Mapping) else content
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two members of one name
        archive.comment = b"0" * 64
        for name, data in pairs:
            archive.writestr(name, data)
    return resealed(path, stream.getvalue())


def resealed(path: Path, data: bytes) -> Path:
    body = data[:-64]
    path.write_bytes(body + hashlib.sha256(body).hexdigest().encode())
    return path


def array(data: bytes) -> np.ndarray:
    return np.load(io.BytesIO(data)).copy()


def packed(values: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, values)
    return stream.getvalue()


def touched(index: Index) -> None:
    """Everything of an index that a check may ask for."""
    spoken_texts(index)
    for chunk in index.chunks:
        reading, facts = index.reading(chunk), index.facts(chunk)
        for kind in (facts.quantities, facts.dates, facts.names, facts.predicates, facts.terms):
            for fact in kind:
                assert 0 <= fact.span.start <= fact.span.end <= len(reading.text)
                place = reading.locate(fact.span)
                assert place is None or place.end <= len(index.document(chunk).text)
        assert chunk.span.of(index.document(chunk).text) == chunk.text
        assert isinstance(index.heading(chunk) + index.source(chunk) + index.revision(chunk), str)
        assert all(isinstance(heading, str) for heading in index.headings(chunk))
        assert index.number(chunk) >= 0
    for token in Vocabulary(index.bm25.arrays()):
        assert np.isfinite(index.bm25.scores([token, "none"])).all()
        assert (index.bm25.share([token], range(len(index.chunks))) <= 1).all()
    assert np.isfinite(index.vectors @ index.vectors.T).all()


@pytest.fixture
def honest(tmp_path: Path) -> dict[str, bytes]:
    """The members of an index of ours."""
    path = tmp_path / "honest.halgo"
    files.save(built(LEASE, PRICES, ""), path)
    return members(path)


def test_an_index_sealed_again_as_it_was_is_read(honest: dict[str, bytes], tmp_path: Path) -> None:
    index = files.load(sealed(tmp_path / "again.halgo", honest))
    touched(index)
    assert len(index.documents) == 3


# --- single numbers that point somewhere else ----------------------------------------------------


@pytest.mark.parametrize(
    "name, value",
    [
        ("chunks", 2**62),  # a document
        ("chunks", -1),
        ("fact_rows", 2**31 - 1),
        ("vectors", np.nan),
        ("vectors", 1e38),
        ("bm25/rows", 9),
        ("bm25/starts", -(2**63)),
        ("bm25/counts", 0),
        ("bm25/most", 9),
        ("bm25/shortest", 0),
        ("bm25/lengths", -1),
        ("bm25/lengths", 2**31 - 1),
        ("bm25/tokens", 2**62),
        ("bm25/hashes", 2**64 - 1),
        ("bm25/ends", 2**62),
        ("strings/ends", 2**63 - 1),
        ("sentences/.span.end", 10_000),
        ("sentences/.span.start", -5),
        ("sentences/.reading.text", -1),
        ("sentences/.reading.pieces", 2**62),
        ("sentences/.reading.pieces[].span.start", 2**62),
        ("facts/.terms[].span.end", 10_000),
        ("facts/.dates[].first", 0),
        ("facts/.dates[].last", 2**31 - 1),
        ("facts/.quantities[].low", np.nan),
        ("facts/.quantities[].approximate", 2),
        ("facts/.names[].span.start", 2**62),
    ],
)
def test_a_number_that_points_nowhere_is_refused(
    honest: dict[str, bytes], tmp_path: Path, name: str, value: float
) -> None:
    values = array(honest[f"{name}.npy"])
    values.reshape(-1)[0] = value
    path = sealed(tmp_path / "pointing.halgo", {**honest, f"{name}.npy": packed(values)})
    with pytest.raises(IndexFormatError, match=r"pointing\.halgo"):
        files.load(path)


def test_ends_that_go_round_the_highest_number_do_not_pass_as_ascending(
    honest: dict[str, bytes], tmp_path: Path
) -> None:
    # Each is above the one before by less than half the range: their differences overflow to
    # numbers above 0.
    ends = array(honest["strings/ends.npy"])
    ends[:4] = [2**62, 2**63 - 1, -(2**63), -(2**62)]
    path = sealed(tmp_path / "round.halgo", {**honest, "strings/ends.npy": packed(ends)})
    with pytest.raises(IndexFormatError, match="do not ascend"):
        files.load(path)


def test_passages_out_of_order_are_refused(honest: dict[str, bytes], tmp_path: Path) -> None:
    chunks = array(honest["chunks.npy"])[::-1]
    path = sealed(tmp_path / "order.halgo", {**honest, "chunks.npy": packed(chunks)})
    with pytest.raises(IndexFormatError, match="out of order"):
        files.load(path)


# --- headers, documents and the corpus -----------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"sentences": 10**12},
        {"facts": -1},
        {"passages": True},
        {"passages": 3.0},
        {"dim": -1},
        {"dim": 0},
        {"dim": 10**9},
        {"dim": "512"},
        {"sentences_per_chunk": 0},
        {"sentences_per_chunk": None},
        {"sentence_overlap": 10**9},
        {"embedder": None},
        {"embedder": ["lexical"]},
        {"digest": 5},
        {"digest": "F" * 64},
        {"digest": "0" * 65},
        {"odd": "x" * 70_000},
    ],
)
def test_a_header_that_no_index_has_is_refused(
    honest: dict[str, bytes], tmp_path: Path, change: dict[str, Any]
) -> None:
    header = {**json.loads(honest["header.json"]), **change}
    path = sealed(tmp_path / "head.halgo", {**honest, "header.json": json.dumps(header).encode()})
    with pytest.raises(IndexFormatError, match=r"head\.halgo"):
        files.load(path)


GOOD = {"id": "d0", "text": LEASE, "source": "", "metadata": {}}


@pytest.mark.parametrize(
    "name, value",
    [
        ("documents", {}),
        ("documents", [GOOD, GOOD, GOOD]),
        ("documents", [{**GOOD, "id": at, "text": ["x"]} for at in "abc"]),
        ("documents", [{**GOOD, "id": at} for at in range(3)]),
        ("documents", [{**GOOD, "id": at, "metadata": {"kind": 1}} for at in "abc"]),
        ("documents", [{**GOOD, "id": at, "x" * 10**6: 1} for at in "abc"]),
        ("corpus", []),
        ("corpus", {"terms": [1.5]}),
        ("corpus", {"names": "acme"}),
        ("corpus", {"amounts": [[float("nan"), 1.0, ""]]}),
        ("corpus", {"amounts": [[10**400, 10**400, ""]]}),
        ("corpus", {"amounts": [["a", "b", ""]]}),
        ("corpus", {"dates": [["2020-01-01", 5]]}),
        ("corpus", {"aliases": {"a": ["b"]}}),
    ],
)
def test_documents_and_a_corpus_of_other_values_are_refused(
    honest: dict[str, bytes], tmp_path: Path, name: str, value: Any
) -> None:
    if name == "corpus" and value:
        value = {**json.loads(honest["corpus.json"]), **value}
    path = sealed(tmp_path / "values.halgo", {**honest, f"{name}.json": json.dumps(value).encode()})
    with pytest.raises(IndexFormatError, match=r"values\.halgo") as told:
        files.load(path)
    assert len(str(told.value)) < 500


@pytest.mark.parametrize("name", ["header", "documents", "corpus"])
def test_json_nested_without_end_is_refused(
    honest: dict[str, bytes], tmp_path: Path, name: str
) -> None:
    path = sealed(tmp_path / "deep.halgo", {**honest, f"{name}.json": b"[" * 60_000})
    with pytest.raises(IndexFormatError):
        files.load(path)


@pytest.mark.parametrize(
    "descr, shape",
    [
        ("'<f4'", "(3, 512"),  # an expression without its end: a parser's own kind of error
        ("'<f4'", "(" * 5_000),
        ("'|O'", "(3, 512)"),
        ("'|S0'", "(999999999999, 512)"),
        ("'<f4'", "(999999999999, 999999999999)"),
        ("[('a', '<f4')]", "(3, 512)"),
        ("'<f4'", "(-3, -512)"),
    ],
)
def test_an_array_that_begins_like_none_of_ours_is_refused(
    honest: dict[str, bytes], tmp_path: Path, descr: str, shape: str
) -> None:
    head = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(100)
    with pytest.raises(IndexFormatError, match=r"begins like no array|holds other than"):
        files.load(sealed(tmp_path / "head.halgo", {**honest, "vectors.npy": data}))


# --- the zip around them -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pairs",
    [
        lambda content: [*content.items(), ("header.json", content["header.json"])],
        lambda content: [*content.items(), ("vectors.npy", content["vectors.npy"])],
        lambda content: [(f"/{name}", data) for name, data in content.items()],
        lambda content: [(f"../{name}", data) for name, data in content.items()],
        lambda content: [pair for pair in content.items() if pair[0] != "fact_rows.npy"],
        lambda content: [pair for pair in content.items() if pair[0] != "documents.json"],
    ],
    ids=["two headers", "two vectors", "absolute", "outside", "no rows", "no documents"],
)
def test_a_zip_with_other_members_than_ours_is_refused(
    honest: dict[str, bytes], tmp_path: Path, pairs: Callable[..., list[tuple[str, bytes]]]
) -> None:
    with pytest.raises(IndexFormatError):
        files.load(sealed(tmp_path / "members.halgo", pairs(honest)))


def peak(load: Callable[[], object]) -> int:
    """The bytes that a refused load took at its worst."""
    tracemalloc.start()
    try:
        with pytest.raises(IndexFormatError):
            load()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [2**31, 2**32 - 2])
def test_a_member_that_says_it_is_larger_than_the_file_is_given_no_room(
    honest: dict[str, bytes], tmp_path: Path, size: int
) -> None:
    data = bytearray(sealed(tmp_path / "honest.halgo", honest).read_bytes())
    at = data.rindex(b"vectors.npy") - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    data[at + 20 : at + 28] = struct.pack("<II", size, size)
    path = resealed(tmp_path / "large.halgo", bytes(data))
    assert peak(lambda: files.load(path)) < 2_000_000


def test_members_that_share_their_bytes_are_refused(
    honest: dict[str, bytes], tmp_path: Path
) -> None:
    # 200 entries for one megabyte.
    content = {**honest, "shared.npy": bytes(10**6)}
    data = sealed(tmp_path / "honest.halgo", content).read_bytes()
    start = data.rindex(b"PK\x01\x02")
    entry, end = data[start:-86], data[-86:]
    assert b"shared.npy" in entry
    more = [entry.replace(b"shared.npy", b"sha%03d.npy" % number) for number in range(200)]
    size, count = struct.unpack("<I", end[12:16])[0], struct.unpack("<H", end[10:12])[0]
    end = bytearray(end)
    end[8:12] = struct.pack("<HH", count + 200, count + 200)
    end[12:16] = struct.pack("<I", size + sum(map(len, more)))
    path = resealed(tmp_path / "shared.halgo", data[:-86] + b"".join(more) + bytes(end))
    assert len(zipfile.ZipFile(path).infolist()) == count + 200
    assert peak(lambda: files.load(path)) < 10**6


def test_a_million_members_are_not_listed(tmp_path: Path) -> None:
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a"
    contents = entry * 1_000_000
    size = struct.pack("<QQQ", 1_000_000, len(contents), 0)
    large = (
        b"PK\x06\x06" + struct.pack("<QHHII", 44, 45, 45, 0, 0) + struct.pack("<Q", 10**6) + size
    )
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(contents), 1)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, *[0xFFFF] * 2, *[0xFFFFFFFF] * 2, 64)
    path = resealed(tmp_path / "many.halgo", contents + large + locator + end + bytes(64))
    assert peak(lambda: files.load(path)) < 2_000_000


def test_a_packed_member_is_not_unpacked(honest: dict[str, bytes], tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"0" * 64
        for name, data in {**honest, "corpus.json": b" " * 30_000_000}.items():
            archive.writestr(name, data)
    path = resealed(tmp_path / "packed.halgo", stream.getvalue())
    assert peak(lambda: files.load(path)) < 2_000_000


@pytest.mark.parametrize("passages", [20_000])
def test_passages_that_each_hold_the_whole_document_are_not_made(
    honest: dict[str, bytes], tmp_path: Path, passages: int
) -> None:
    # 6 MB of file that would be passages of 2 GB.
    text = "x" * 100_000
    documents = [{"id": "d", "text": text, "source": "", "metadata": {}}]
    sentences = len(array(honest["fact_rows.npy"]))
    header = {**json.loads(honest["header.json"]), "passages": passages, "dim": 1}
    row = np.array([0, 1, len(text), 0, sentences], dtype=np.int64)
    path = sealed(
        tmp_path / "overlap.halgo",
        {
            **honest,
            "header.json": json.dumps(header).encode(),
            "documents.json": json.dumps(documents).encode(),
            "chunks.npy": packed(np.tile(row, (passages, 1))),
            "vectors.npy": packed(np.zeros((passages, 1), dtype=np.float32)),
        },
    )
    with pytest.raises(IndexFormatError, match="overlap so much"):
        files.load(path)
    assert peak(lambda: files.load(path)) < 10 * path.stat().st_size


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "device", "link to a device"])
def test_an_index_that_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "device":
        place = Path("/dev/zero")
    else:
        place.symlink_to("/dev/zero")
    with pytest.raises(IndexFormatError, match="not a regular file"):
        files.load(place)


# --- anything else -------------------------------------------------------------------------------

WHOLE = [0, 1, -1, 2, 5, 1000, 700_000, 3_652_060, 2**31 - 1, -(2**31), 2**62, 2**63 - 1, -(2**63)]
REAL = [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 1e-40, 1e308, np.inf, -np.inf, np.nan]
DTYPES = ["<f4", "<f8", "<i4", "<i8", "|i1", "|u1", ">i4", "<u4", "?", "<f2", "<U3"]
PLAIN: list[Any] = [None, True, 0, -1, 2.5, 10**12, 10**40, float("nan"), "", "x", "\ud800"]
PLAIN += [[], {}, [1], [["x"]], {"a": "b"}, {"a": 1}, "2020-01-01"]


@cache
def _arrays_of(data: bytes) -> np.ndarray:
    return array(data)


def mutant(content: Mapping[str, bytes], dice: random.Random) -> dict[str, bytes]:
    """The members with one of them changed: a number, a value, a type, a shape, or gone."""
    name = dice.choice(sorted(content))
    if dice.random() < 0.03:
        return {other: data for other, data in content.items() if other != name}
    change = _array_changed if name.endswith(".npy") else _json_changed
    return {**content, name: change(content[name], dice)}


def _array_changed(data: bytes, dice: random.Random) -> bytes:
    values = _arrays_of(data).copy()
    kind = dice.random()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers that are cut down to the array's type
        if kind < 0.8 and values.size:
            flat = values.reshape(-1)
            one = dice.randrange(len(flat))
            if dice.random() < 0.4:
                flat[one] = flat[dice.randrange(len(flat))]
            elif values.dtype.kind == "f":
                flat[one] = dice.choice(REAL)
            else:
                flat[one] = np.array(dice.choice(WHOLE)).astype(values.dtype)
        elif kind < 0.85:
            values = values[::-1]
        elif kind < 0.9:
            values = values[: dice.randrange(len(values) + 1)]
        elif kind < 0.95:
            values = values.astype(dice.choice(DTYPES))
        else:
            values = values.reshape(dice.choice([(-1, 1), (1, -1), (-1,)]))
    return packed(np.ascontiguousarray(values))


def _json_changed(data: bytes, dice: random.Random) -> bytes:
    told = json.loads(data)
    holder, key = told, dice.choice(list(told) if isinstance(told, dict) else range(len(told)))
    while isinstance(holder[key], (dict, list)) and holder[key] and dice.random() < 0.7:
        holder = holder[key]
        key = dice.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    if dice.random() < 0.15:
        del holder[key]
    else:
        holder[key] = dice.choice(PLAIN)
    return json.dumps(told).encode()


@pytest.mark.parametrize("seed", range(4))
def test_a_mutant_is_refused_or_can_be_read_to_its_end(
    honest: dict[str, bytes], tmp_path: Path, seed: int
) -> None:
    dice, outcomes = random.Random(seed), {True: 0, False: 0}
    path = tmp_path / "mutant.halgo"
    for _ in range(60):
        sealed(path, mutant(honest, dice))
        try:
            index = files.load(path)
        except IndexFormatError:
            outcomes[False] += 1
        else:
            touched(index)
            files.save(index, tmp_path / "saved.halgo")
            outcomes[True] += 1
    assert min(outcomes.values()) > 5


@pytest.mark.models
@pytest.mark.parametrize("seed", range(2))
def test_an_answer_is_checked_against_a_mutant_or_the_mutant_is_refused(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm

    monkeypatch.undo()  # the facts are read by the real parser
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    path = tmp_path / "mutant.halgo"
    Checker.from_docs([LEASE, PRICES], halgorithm=halgorithm).save(path)
    content, dice, checked = members(path), random.Random(seed), 0
    answer = "Acme owns the site since 2004. The fee is 7 dollars. The Pro plan costs 9 dollars."
    for _ in range(30):
        sealed(path, mutant(content, dice))
        try:
            checker = Checker.from_index(path, halgorithm=halgorithm)
        except (IndexFormatError, IndexMismatchError):  # the name of its embedder may be changed
            continue
        assert len(checker.check(answer).results) == 3
        checked += 1
    assert checked > 3
