"""Index <-> one file: a zip of a JSON header, JSON documents and plain numpy arrays.

Nothing in the file is ever executed: no pickle. Members are stored, not packed, so a file's
contents are never larger than the file. The last 64 characters, the comment of the zip, are the
SHA-256 of everything before them, so that any damage is noticed before anything is believed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import threading
import zipfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from halgo.errors import IndexFormatError, IndexMismatchError
from halgo.evidence.columns import Arrays, Strings, Table
from halgo.evidence.index import Index, plain
from halgo.evidence.lexical import Bm25
from halgo.types import Chunk, Corpus, Document, Facts, Sentence, Span

if TYPE_CHECKING:
    from halgo.protocols import Embedder

FORMAT = "halgo index"
SCHEMA = 2  # goes up with every change of what is written
_SEAL = 64  # characters of the digest at the end


def write(index: Index, path: Path) -> None:
    """Writes `index` to `path`, whole or not at all. Raises OSError where it cannot be written."""
    header = {
        "format": FORMAT,
        "schema": SCHEMA,
        "embedder": index.embedder,
        "dim": index.dim,
        "sentences_per_chunk": index.sentences_per_chunk,
        "sentence_overlap": index.sentence_overlap,
        "digest": index.digest,
        "passages": len(index.chunks),
        "sentences": len(index.sentences),
        "facts": len(index.sentence_facts),
    }
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.draft")
    try:
        with draft.open("w+b") as stream:
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
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def read(path: Path, embedder: Embedder | None = None) -> Index:
    """The index in `path`; see `Index.load`."""
    try:
        with path.open("rb") as stream:
            return _read(path, stream, embedder)
    except OSError as error:
        raise IndexFormatError(
            f"cannot read the index {path}: {error.strerror or error}. `halgo index` makes one."
        ) from error


def _read(path: Path, stream: BinaryIO, embedder: Embedder | None) -> Index:
    try:
        with zipfile.ZipFile(stream) as archive:
            header = json.loads(_get(archive, "header.json"))
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
            _match(path, header, embedder)
            return _load(archive, header)
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
            f"{path} is no index of halgo, or is damaged or cut short ({error}). "
            f"Index the documents again, or copy the file again."
        ) from error


def _match(path: Path, header: Mapping[str, Any], embedder: Embedder | None) -> None:
    if embedder is None:
        return
    made, dim = header["embedder"], header["dim"]
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


def _load(archive: zipfile.ZipFile, header: Mapping[str, Any]) -> Index:
    arrays = {
        name.removesuffix(".npy"): _get_array(archive, name)
        for name in archive.namelist()
        if name.endswith(".npy")
    }
    documents = tuple(Document(**one) for one in json.loads(_get(archive, "documents.json")))
    strings = Strings.of(_under("strings", arrays))
    sentences = Table(Sentence, strings)
    sentences.fill(_under("sentences", arrays), header["sentences"])
    facts = Table(Facts, strings)
    facts.fill(_under("facts", arrays), header["facts"])
    chunks = _chunks(arrays["chunks"], documents, header["sentences"])
    vectors, fact_rows = arrays["vectors"], arrays["fact_rows"]
    if vectors.dtype != np.float32 or vectors.shape != (len(chunks), header["dim"]):
        raise ValueError(f"vectors have {vectors.dtype}{vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors are not finite")
    _inside("fact_rows", fact_rows, header["sentences"], header["facts"])
    return Index(
        documents=documents,
        sentences=sentences,
        chunks=chunks,
        sentence_facts=facts,
        fact_rows=fact_rows,
        vectors=vectors,
        bm25=_bm25(arrays, len(chunks)),
        corpus=_corpus(json.loads(_get(archive, "corpus.json"))),
        embedder=header["embedder"],
        dim=header["dim"],
        sentences_per_chunk=header["sentences_per_chunk"],
        sentence_overlap=header["sentence_overlap"],
        digest=header["digest"],
    )


def _arrays(index: Index) -> Arrays:
    """Everything of the index that is numbers, by name."""
    places = {document.id: place for place, document in enumerate(index.documents)}
    chunks = [
        (places[one.doc_id], one.span.start, one.span.end, one.sentences.start, one.sentences.end)
        for one in index.chunks
    ]
    vocabulary = Strings(list(index.bm25.vocabulary))
    return {
        "vectors": index.vectors,
        "chunks": np.array(chunks, dtype=np.int64).reshape(-1, 5),
        "fact_rows": index.fact_rows,
        "bm25.starts": index.bm25.starts,
        "bm25.rows": index.bm25.rows,
        "bm25.weights": index.bm25.weights,
        "bm25.rarity": index.bm25.rarity,
        **_over("bm25.vocabulary", vocabulary.arrays()),
        **_over("strings", index.sentences.strings.arrays()),
        **_over("sentences", index.sentences.arrays()),
        **_over("facts", index.sentence_facts.arrays()),
    }


def _over(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    return {f"{name}/{key}": values for key, values in arrays.items()}


def _under(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    prefix = f"{name}/"
    return {
        key.removeprefix(prefix): values for key, values in arrays.items() if key.startswith(prefix)
    }


def _chunks(
    table: NDArray[Any], documents: tuple[Document, ...], sentences: int
) -> tuple[Chunk, ...]:
    if table.dtype != np.int64 or table.ndim != 2 or table.shape[1] != 5:
        raise ValueError(f"chunks have {table.dtype}{table.shape}")
    chunks = []
    for row, (place, start, end, first, last) in enumerate(table.tolist()):
        document = documents[place]
        if not (place >= 0 and 0 <= start <= end <= len(document.text)):
            raise ValueError(f"chunk {row} lies outside its document")
        if not 0 <= first < last <= sentences:
            raise ValueError(f"chunk {row} has sentences that do not exist")
        span = Span(start, end)
        chunks.append(Chunk(row, document.id, span, span.of(document.text), Span(first, last)))
    return tuple(chunks)


def _bm25(arrays: Mapping[str, NDArray[Any]], passages: int) -> Bm25:
    vocabulary = Strings.of(_under("bm25.vocabulary", arrays)).all
    starts, rows = arrays["bm25.starts"], arrays["bm25.rows"]
    weights, rarity = arrays["bm25.weights"], arrays["bm25.rarity"]
    if not (
        starts.dtype == np.int64
        and weights.dtype == rarity.dtype == np.float32
        and starts.shape == (len(vocabulary) + 1,)
        and rarity.shape == (len(vocabulary),)
        and weights.shape == rows.shape == (int(starts[-1]),)
        and starts[0] == 0
        and (np.diff(starts) >= 0).all()
    ):
        raise ValueError("the word index does not fit together")
    _inside("bm25.rows", rows, int(starts[-1]), passages)
    return Bm25(
        vocabulary={token: number for number, token in enumerate(vocabulary)},
        starts=starts,
        rows=rows,
        weights=weights,
        rarity=rarity,
        passages=passages,
    )


def _inside(name: str, values: NDArray[Any], size: int, limit: int) -> None:
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


def _corpus(values: Mapping[str, Any]) -> Corpus:
    return Corpus(
        names=frozenset(values["names"]),
        terms=frozenset(values["terms"]),
        amounts=frozenset((float(low), float(high), unit) for low, high, unit in values["amounts"]),
        dates=frozenset(
            (date.fromisoformat(first), date.fromisoformat(last)) for first, last in values["dates"]
        ),
        aliases=values["aliases"],
    )


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


def _get(archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{name} is packed; an index is not")
    return archive.read(name)


def _get_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    # One copy in memory: the array is a view of the bytes that were read.
    content = io.BytesIO(_get(archive, name))
    version = np.lib.format.read_magic(content)
    if version != (1, 0):
        raise ValueError(f"{name} has array format {version}")
    shape, by_column, dtype = np.lib.format.read_array_header_1_0(content)
    if dtype.hasobject or by_column:
        raise ValueError(f"{name} holds {dtype}")
    values = np.frombuffer(content.getbuffer(), dtype=dtype, offset=content.tell())
    return values.reshape(shape)


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
