"""Index <-> one file: a zip of a JSON header, JSON documents and plain numpy arrays.

Nothing in the file is ever executed: no pickle. Members are stored, not packed, so a file's
contents are never larger than the file. The last 64 characters, the comment of the zip, are the
SHA-256 of everything before them, so that any damage is noticed before anything is believed.

A digest keeps no one from writing an index of their own, so nothing in it is believed for that:
each number is looked at once, here, and what comes out of `read` can be searched without an error.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from halgo import disk
from halgo.errors import ConfigError, IndexFormatError, IndexMismatchError
from halgo.evidence.bm25 import Bm25
from halgo.evidence.columns import Arrays, Strings, Table
from halgo.evidence.index import Index, plain
from halgo.evidence.postings import require_postings
from halgo.types import Chunk, Corpus, Document, Facts, Sentence, Span

if TYPE_CHECKING:
    from halgo.protocols import Embedder

FORMAT = "halgo index"
SCHEMA = 5  # goes up with every change of what is written
_SEAL = 64  # characters of the digest at the end

# What is read before anything is known of a file: its table of contents, some 100 bytes for each
# of some 80 members, and its header.
_MOST_CONTENTS = 1 << 18
_MOST_HEADER = 1 << 16
_WIDEST = 1 << 20  # numbers in a vector
# Passages overlap. So many times their documents are all of them together at most, or so many
# characters (or sentences): else a file of a megabyte makes passages of a terabyte.
_TOLD, _ALWAYS = 64, 1 << 26

# What numpy writes before the numbers of an array. numpy reads it as a Python expression, with the
# errors and warnings of a parser, and knows more kinds of arrays than an index has.
_NPY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|][fiu][1248])', 'fortran_order': False, "
    rb"'shape': \((\d{1,15}), ?(\d{1,15})?\), \} *\n",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _About:
    """What the header says of an index: how it was made, and how much it holds."""

    embedder: str
    dim: int
    sentences_per_chunk: int
    sentence_overlap: int
    digest: str
    passages: int
    sentences: int
    facts: int

    @classmethod
    def of(cls, index: Index) -> _About:
        return cls(
            embedder=index.embedder,
            dim=index.dim,
            sentences_per_chunk=index.sentences_per_chunk,
            sentence_overlap=index.sentence_overlap,
            digest=index.digest,
            passages=len(index.chunks),
            sentences=len(index.sentences),
            facts=len(index.sentence_facts),
        )

    @classmethod
    def read(cls, header: Mapping[str, Any]) -> _About:
        """Raises KeyError, TypeError or ValueError for a header that no index has."""
        told = {name: header[name] for name in cls.__slots__}
        numbers = {
            name: value for name, value in told.items() if name not in ("embedder", "digest")
        }
        if not all(type(value) is int and value >= 0 for value in numbers.values()):
            raise ValueError("its header has other than whole numbers")
        about = cls(**told)
        if not isinstance(about.embedder, str) or not _is_digest(about.digest):
            raise ValueError("its header names no embedder or no digest")
        if not 1 <= about.dim <= _WIDEST:
            raise ValueError(f"vectors of width {about.dim}")
        if about.sentence_overlap >= about.sentences_per_chunk:
            raise ValueError("its passages overlap by all that they hold")
        return about


def save(index: Index, path: str | Path) -> None:
    """Writes `index` to `path`, whole or not at all. The same index, the same bytes.

    Raises OSError where it cannot be written, or where `path` is something but a regular file;
    ConfigError for passages that overlap so much that they would not be read back; ValueError for
    an index that is on disk already, in a folder.
    """
    path = Path(path)
    if not isinstance(index.sentences, Table):
        raise ValueError(
            f"this index is in a folder, from which nothing is written to {path}; copy the folder"
        )
    spans = np.array([(len(chunk.span), len(chunk.sentences)) for chunk in index.chunks])
    spans = spans.astype(np.int64).reshape(-1, 2)
    _told_few_times(spans[:, 0], sum(len(document.text) for document in index.documents))
    _told_few_times(spans[:, 1], len(index.sentences))
    header = {"format": FORMAT, "schema": SCHEMA, **asdict(_About.of(index))}
    with disk.replacing(path) as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            archive.comment = b"0" * _SEAL
            _put(archive, "header.json", _json(header))
            _put(archive, "documents.json", _json([plain(one) for one in index.documents]))
            _put(archive, "corpus.json", _json(_corpus_values(index.corpus)))
            for name, values in _arrays(index).items():
                _put_array(archive, f"{name}.npy", values)
        seal = _seal(stream)
        stream.seek(-_SEAL, os.SEEK_END)
        stream.write(seal)


def load(path: str | Path, embedder: Embedder | None = None) -> Index:
    """The index in a file that `save` wrote.

    Raises IndexFormatError for a file that is no index, is damaged or newer than this halgo,
    IndexMismatchError when another embedder than `embedder` made its vectors.
    """
    path = Path(path)
    try:
        with disk.opened(path) as stream:
            return _read(path, stream, embedder)
    except OSError as error:
        raise IndexFormatError(
            f"cannot read the index {path}: {error.strerror or error}. `halgo index` makes one."
        ) from error


def _read(path: Path, stream: BinaryIO, embedder: Embedder | None) -> Index:
    try:
        with _opened(stream) as archive:
            header = json.loads(_get(archive, "header.json", _MOST_HEADER))
            ours = isinstance(header, dict) and header.get("format") == FORMAT
            if ours and isinstance(header.get("schema"), int) and header["schema"] > SCHEMA:
                raise IndexFormatError(
                    f"{path} was written by a newer halgo (schema {header['schema']}, this one "
                    f"reads {SCHEMA}). Update halgo, or index the documents again."
                )
            if not ours:
                raise IndexFormatError(f"{path} is a zip file but not an index of halgo.")
            if header.get("schema") != SCHEMA:
                raise IndexFormatError(
                    f"{path} has the old schema {header.get('schema')!r}; this halgo reads "
                    f"{SCHEMA}. Index the documents again."
                )
            if archive.comment != _seal(stream):
                raise IndexFormatError(
                    f"{path} is damaged: its contents are not what was written. "
                    f"Index the documents again, or copy the file again."
                )
            about = _About.read(header)
            _match(path, about, embedder)
            return _load(archive, about)
    except IndexFormatError:
        raise
    except (
        zipfile.BadZipFile,
        NotImplementedError,  # a method of packing that zipfile does not know
        RuntimeError,  # a member marked as encrypted
        EOFError,
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise IndexFormatError(
            f"{path} is no index of halgo, or is damaged or cut short ({error!s:.200}). "
            f"Index the documents again, or copy the file again."
        ) from error


def _opened(stream: BinaryIO) -> zipfile.ZipFile:
    """The zip in a file, whose members are together no larger than the file.

    Raises ValueError, or BadZipFile as zipfile does. The table of contents says itself how long it
    is, and zipfile makes an object for each entry; so it is read through a narrow gate.
    """
    gate = _Gate(stream)
    archive = zipfile.ZipFile(cast("BinaryIO", gate))
    gate.most = None
    members, left = archive.infolist(), stream.seek(0, os.SEEK_END)
    if len(archive.NameToInfo) != len(members):
        raise ValueError("two of its members have one name")
    # A member that says it is larger than the file would be made room for; and members that share
    # their bytes would take the room of all of them.
    if any(member.file_size != member.compress_size for member in members):
        raise ValueError("one of its members is packed; of an index none is")
    if sum(member.file_size for member in members) > left:
        raise ValueError("its members say they are larger than the file")
    return archive


class _Gate:
    """A stream of which at most so many bytes are read at a time, as long as `most` is set."""

    def __init__(self, stream: BinaryIO) -> None:
        self.most: int | None = _MOST_CONTENTS
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        if self.most is None:
            return self._stream.read(size)
        data = self._stream.read(self.most + 1 if size < 0 else min(size, self.most + 1))
        if len(data) > self.most:
            raise ValueError("its table of contents is longer than that of any index")
        return data


def _match(path: Path, about: _About, embedder: Embedder | None) -> None:
    if embedder is None:
        return
    made, dim = about.embedder, about.dim
    if embedder.name != made:
        raise IndexMismatchError(
            f"{path} was made with the embedder {made!r}, not {embedder.name!r}: their vectors "
            f"cannot be compared. Use {made!r}, or index the documents again."
        )
    if embedder.dim != dim:
        raise IndexMismatchError(
            f"{path} holds vectors of width {dim}, but {embedder.name!r} makes {embedder.dim}. "
            f"Index the documents again."
        )


def _load(archive: zipfile.ZipFile, about: _About) -> Index:
    arrays = {
        name.removesuffix(".npy"): _get_array(archive, name)
        for name in archive.namelist()
        if name.endswith(".npy")
    }
    documents = _documents(json.loads(_get(archive, "documents.json")))
    strings = Strings.of(_under("strings", arrays))
    sentences = Table(Sentence, strings)
    sentences.fill(_under("sentences", arrays), about.sentences)
    facts = Table(Facts, strings)
    facts.fill(_under("facts", arrays), about.facts)
    vectors, fact_rows = arrays["vectors"], arrays["fact_rows"]
    inside("fact_rows", fact_rows, about.sentences, about.facts)
    require_units(vectors, (about.passages, about.dim))
    require_chunks(arrays["chunks"], documents, about.passages, about.sentences)
    require_places(arrays, documents, sentences, facts)
    return Index(
        documents=documents,
        sentences=sentences,
        chunks=_chunks(arrays["chunks"], documents),
        sentence_facts=facts,
        fact_rows=fact_rows,
        vectors=vectors,
        bm25=_bm25(arrays, about.passages),
        corpus=_corpus(json.loads(_get(archive, "corpus.json"))),
        embedder=about.embedder,
        dim=about.dim,
        sentences_per_chunk=about.sentences_per_chunk,
        sentence_overlap=about.sentence_overlap,
        digest=about.digest,
    )


def _documents(told: Any) -> tuple[Document, ...]:
    _require(isinstance(told, list), "documents are no list")
    for one in told:
        whole = isinstance(one, dict) and one.keys() == {"id", "text", "source", "metadata"}
        _require(whole and _is_mapping(one["metadata"]), "a document")
        _require(all(isinstance(one[key], str) for key in ("id", "text", "source")), "a document")
    documents = tuple(Document(**one) for one in told)
    _require(len({one.id for one in documents}) == len(documents), "two documents have one id")
    return documents


def require_units(vectors: NDArray[Any], shape: tuple[int, int]) -> None:
    """Raises ValueError unless each row has L2 norm 1 or is zero."""
    if vectors.dtype != np.float32 or vectors.shape != shape:
        raise ValueError(f"vectors have {vectors.dtype}{vectors.shape}, {shape} were expected")
    for start in range(0, len(vectors), 1024):
        rows = vectors[start : start + 1024].astype(np.float64)  # whose squares are never too large
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        # Twice what an embedder may be off by. NaN is near to nothing, so it is refused as well.
        if not ((lengths == 0) | (np.abs(lengths - 1) < 2e-3)).all():
            raise ValueError("vectors are not of length 1")


def require_chunks(
    table: NDArray[Any], documents: Sequence[Document], passages: int, sentences: int
) -> None:
    """Raises ValueError unless the passages stand one after the other in their documents.

    table (passages, 5): document, characters [start, end) of it, sentences [first, last).
    """
    if table.dtype != np.int64 or table.shape != (passages, 5):
        raise ValueError(f"chunks have {table.dtype}{table.shape}")
    place, start, end, first, last = table.T
    _require(((place >= 0) & (place < len(documents))).all(), "a chunk without a document")
    lengths = np.array([len(one.text) for one in documents], dtype=np.int64)
    within = (start >= 0) & (start <= end) & (end <= lengths[place])
    _require(within.all(), "a chunk outside its document")
    _require(((first >= 0) & (first < last) & (last <= sentences)).all(), "its sentences")
    # From one document to the next their sentences never mix; within one they may overlap.
    new = place[1:] != place[:-1]
    follows = np.where(
        new, first[1:] >= last[:-1], (first[1:] >= first[:-1]) & (last[1:] >= last[:-1])
    )
    _require((follows & (place[1:] >= place[:-1])).all(), "chunks are out of order")
    _told_few_times(end - start, int(lengths.sum()))
    _told_few_times(last - first, sentences)


def _told_few_times(sizes: NDArray[np.int64], size: int) -> None:
    """Raises ConfigError when passages together are many times what they are passages of."""
    told, most = int(sizes.sum(dtype=np.float64)), max(_ALWAYS, _TOLD * size)
    if told > most:
        raise ConfigError(
            f"passages overlap so much that they hold {told:,} characters or sentences where "
            f"there are {size:,}; set sentence_overlap lower"
        )


def require_places(
    arrays: Mapping[str, NDArray[Any]],
    documents: Sequence[Document],
    sentences: Table[Sentence],
    facts: Table[Facts],
) -> None:
    """Raises ValueError where a sentence points outside its document, or a fact its sentence."""
    room = np.full(len(sentences), -1, dtype=np.int64)  # of a sentence without a document: none
    place, _, _, first, last = arrays["chunks"].T
    bounds = [0, *(np.flatnonzero(np.diff(place)) + 1).tolist(), len(place)] if len(place) else []
    for start, end in pairwise(bounds):  # the chunks of one document
        room[first[start] : last[end - 1]] = len(documents[place[start]].text)
    _require((sentences.reach() <= room).all(), "a sentence outside its document")
    lengths = np.array([len(string) for string in sentences.strings.all], dtype=np.int64)
    texts = lengths[arrays["sentences/.reading.text"]]
    # Sentences of one wording share their facts; of others the shortest has to hold them.
    room = np.full(len(facts), np.iinfo(np.int64).max)
    np.minimum.at(room, arrays["fact_rows"], texts)
    _require((facts.reach() <= room).all(), "a fact outside its sentence")


def _require(true: Any, what: str) -> None:
    if not true:
        raise ValueError(f"it does not fit together: {what}")


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _is_mapping(value: Any) -> bool:
    """Whether it is a mapping of strings to strings."""
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def _arrays(index: Index) -> Arrays:
    """Everything of the index that is numbers, by name."""
    places = {document.id: place for place, document in enumerate(index.documents)}
    chunks = [
        (places[one.doc_id], one.span.start, one.span.end, one.sentences.start, one.sentences.end)
        for one in index.chunks
    ]
    sentences, facts = index.sentences, index.sentence_facts
    assert isinstance(sentences, Table) and isinstance(facts, Table)  # `save` has seen to that
    return {
        "vectors": index.vectors,
        "chunks": np.array(chunks, dtype=np.int64).reshape(-1, 5),
        "fact_rows": index.fact_rows,
        **_over("bm25", index.bm25.arrays()),
        **_over("strings", sentences.strings.arrays()),
        **_over("sentences", sentences.arrays()),
        **_over("facts", facts.arrays()),
    }


def _over(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    return {f"{name}/{key}": values for key, values in arrays.items()}


def _under(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    prefix = f"{name}/"
    return {
        key.removeprefix(prefix): values for key, values in arrays.items() if key.startswith(prefix)
    }


def _chunks(table: NDArray[Any], documents: tuple[Document, ...]) -> tuple[Chunk, ...]:
    chunks = []
    for row, (place, start, end, first, last) in enumerate(table.tolist()):
        document, span = documents[place], Span(start, end)
        chunks.append(Chunk(row, document.id, span, span.of(document.text), Span(first, last)))
    return tuple(chunks)


def _bm25(arrays: Mapping[str, NDArray[Any]], passages: int) -> Bm25:
    postings = _under("bm25", arrays)
    require_postings(postings, passages)
    return Bm25([postings])


def inside(name: str, values: NDArray[Any], size: int, limit: int) -> None:
    """Raises ValueError unless `values` are `size` numbers from 0 to below `limit`."""
    if values.dtype != np.int32 or values.shape != (size,):
        raise ValueError(f"{name} has {values.dtype}{values.shape}")
    if size and not 0 <= values.min() <= values.max() < limit:
        raise ValueError(f"{name} points outside its table")


def _corpus_values(corpus: Corpus) -> dict[str, Any]:
    return {
        "names": sorted(corpus.names),
        "terms": sorted(corpus.terms),
        "amounts": sorted(corpus.amounts),
        "dates": [(first.isoformat(), last.isoformat()) for first, last in sorted(corpus.dates)],
        "aliases": dict(sorted(corpus.aliases.items())),
    }


def _corpus(values: Any) -> Corpus:
    _require(isinstance(values, dict), "the corpus is no mapping")
    for name in ("names", "terms"):
        told = values[name]
        _require(isinstance(told, list) and all(isinstance(one, str) for one in told), name)
    _require(_is_mapping(values["aliases"]), "aliases")
    return Corpus(
        names=frozenset(values["names"]),
        terms=frozenset(values["terms"]),
        amounts=frozenset(_amount(*one) for one in values["amounts"]),
        dates=frozenset(
            (date.fromisoformat(first), date.fromisoformat(last)) for first, last in values["dates"]
        ),
        aliases=values["aliases"],
    )


def _amount(low: Any, high: Any, unit: Any) -> tuple[float, float, str]:
    _require(all(type(one) in (int, float) for one in (low, high)), "an amount")
    _require(isinstance(unit, str) and low <= high, "an amount")  # which NaN is not
    return float(low), float(high), unit


def _json(value: Any) -> bytes:
    # ASCII only: a lone surrogate has no UTF-8, but its escape comes back as it was.
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # A member's own time stamp would make each file different: this is the earliest a zip knows.
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)


def _put_array(archive: zipfile.ZipFile, name: str, values: NDArray[Any]) -> None:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    with archive.open(info, "w", force_zip64=True) as member:
        np.lib.format.write_array(member, np.ascontiguousarray(little), allow_pickle=False)


def _get(archive: zipfile.ZipFile, name: str, most: int | None = None) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{name} is packed; an index is not")
    if most is not None and info.file_size > most:
        raise ValueError(f"{name} has {info.file_size:,} bytes; at most {most:,} are read")
    return archive.read(name)


def _get_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    content = _get(archive, name)
    head = _NPY.match(content)
    if head is None:
        raise ValueError(f"{name} begins like no array of an index")
    dtype = np.dtype(head[1].decode("ascii"))
    shape = [int(size) for size in head.groups()[1:] if size is not None]
    if math.prod(shape) * dtype.itemsize != len(content) - head.end():
        raise ValueError(f"{name} holds other than {shape} of {dtype}")
    # One copy in memory: the array is a view of the bytes that were read.
    return np.frombuffer(content, dtype=dtype, offset=head.end()).reshape(shape)


def _seal(stream: BinaryIO) -> bytes:
    """The digest of all but the last `_SEAL` bytes of the stream, in hex."""
    left = stream.seek(0, os.SEEK_END) - _SEAL
    stream.seek(0)
    digest = hashlib.sha256()
    while left > 0:
        block = stream.read(min(left, 1 << 20))
        if not block:
            break
        digest.update(block)
        left -= len(block)
    return digest.hexdigest().encode("ascii")
