"""An index holds what its documents say, once, and survives a file; a damaged file does not."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_index import built, without_models, word_facts  # noqa: F401

from halgo.config import Config
from halgo.errors import ConfigError, IndexFormatError, IndexMismatchError
from halgo.evidence import files
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.index import Index
from halgo.types import Document, FloatMatrix

pytestmark = pytest.mark.usefixtures("without_models")

LEASE = "Acme Ltd owns the site. The fee is 5 dollars. It was built in 1999."
CATS = "# Cats\n\nCats sleep. Dogs bark.\n\n- One item\n- Another item\n"
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(), max_size=60),
        st.lists(st.sampled_from(LEASE.split()), max_size=12).map(" ".join),
    ),
    max_size=4,
)


class Counting(LexicalEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.seen += texts
        return super().embed(texts)


def same(one: Index, other: Index) -> bool:
    return (
        one.documents == other.documents
        and list(one.sentences) == list(other.sentences)
        and one.chunks == other.chunks
        and list(one.sentence_facts) == list(other.sentence_facts)
        and np.array_equal(one.fact_rows, other.fact_rows)
        and np.array_equal(one.vectors, other.vectors)
        and one.bm25.arrays().keys() == other.bm25.arrays().keys()
        and all(
            np.array_equal(values, other.bm25.arrays()[name])
            for name, values in one.bm25.arrays().items()
        )
        and one.corpus == other.corpus
        and (one.embedder, one.dim, one.digest) == (other.embedder, other.dim, other.digest)
    )


def test_a_chunk_is_read_as_its_sentences_and_stands_in_its_document() -> None:
    index = built(LEASE, CATS)
    chunk = index.chunks[0]
    assert index.reading(chunk).text == "Acme Ltd owns the site. The fee is 5 dollars."
    assert chunk.span.of(index.document(chunk).text) == chunk.text == index.reading(chunk).text
    assert index.source(chunk) == "0.txt"
    assert [index.number(one) for one in index.chunks if one.doc_id == "d1"][:2] == [0, 1]


def test_the_facts_of_a_chunk_point_into_its_reading() -> None:
    index = built(LEASE, CATS)
    for chunk in index.chunks:
        text = index.reading(chunk).text
        for term in index.facts(chunk).terms:
            assert term.span.of(text).lower() == term.lemma
        for sentence, span in index.parts(chunk):
            assert span.of(text) == sentence.reading.text


def test_what_repeats_is_read_and_embedded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(
        "halgo.facts.extract", lambda texts: read.extend(texts) or word_facts(texts)
    )
    embedder = Counting()
    documents = [Document(str(at), LEASE, "") for at in range(3)]
    first = build_index(documents, embedder, Config())
    assert len(embedder.seen) == len(set(embedder.seen)) == 2
    assert len(read) == len(set(read)) == 3
    read.clear()
    embedder.seen.clear()
    assert build_index(documents, embedder, Config(), first) is first
    more = build_index([*documents, Document("new", "Zebras run.", "")], embedder, Config(), first)
    assert embedder.seen == read == ["Zebras run."]
    fresh = build_index(more.documents, Counting(), Config())
    assert same(more, fresh)


def test_another_window_or_embedder_is_not_taken_from_before() -> None:
    before = built(LEASE)
    assert len(built(LEASE, previous=before, sentences_per_chunk=1, sentence_overlap=0).chunks) == 3
    narrow = build_index(before.documents, LexicalEmbedder(64), Config(), before)
    assert narrow.vectors.shape == (2, 64)


@QUICK
@given(texts=TEXTS)
def test_any_documents_survive_a_file_and_give_the_same_bytes(texts, tmp_path: Path) -> None:
    index = built(*texts)
    one, other = tmp_path / "one.halgo", tmp_path / "other.halgo"
    files.save(index, one)
    loaded = files.load(one, LexicalEmbedder())
    assert same(index, loaded)
    files.save(loaded, other)
    assert one.read_bytes() == other.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.halgo", "other.halgo"]


@QUICK
@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=1), st.randoms())
def test_the_order_of_documents_changes_only_where_things_stand(texts, random) -> None:
    documents = [Document(f"d{at}", text, "") for at, text in enumerate(texts[0])]
    shuffled = documents[:]
    random.shuffle(shuffled)
    seen = []
    for some in (documents, shuffled):
        index = build_index(some, LexicalEmbedder(), Config())
        scores = index.bm25.scores(["fee", "5", "acme"])
        seen.append(
            sorted(
                (
                    chunk.doc_id,
                    chunk.span,
                    index.vectors[chunk.row].tobytes(),
                    float(scores[chunk.row]),
                    repr(index.facts(chunk).terms),
                )
                for chunk in index.chunks
            )
        )
        corpus = index.corpus
    assert seen[0] == seen[1]
    assert corpus.terms == build_index(documents, LexicalEmbedder(), Config()).corpus.terms


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "lease.halgo"
    files.save(built(LEASE, CATS), path)
    return path


def test_no_damage_to_a_file_goes_unnoticed(saved: Path) -> None:
    whole = saved.read_bytes()
    step = max(1, len(whole) // 150)
    for at in [*range(0, len(whole), step), *range(len(whole) - 90, len(whole))]:
        flipped = bytearray(whole)
        flipped[at] ^= 1 << (at % 8)
        saved.write_bytes(flipped)
        with pytest.raises(IndexFormatError, match=r"lease\.halgo"):
            files.load(saved)
    for length in [*range(0, len(whole), step * 4), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(IndexFormatError, match="again"):
            files.load(saved)


def test_a_file_that_is_something_else_says_so(tmp_path: Path) -> None:
    path = tmp_path / "other.halgo"
    with pytest.raises(IndexFormatError, match="halgo index"):
        files.load(path)
    with pytest.raises(IndexFormatError):
        files.load(tmp_path)
    path.write_text("just text")
    with pytest.raises(IndexFormatError, match="no index of halgo"):
        files.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(IndexFormatError):
        files.load(path)
    for header in ({"format": "other"}, [], {"format": "halgo index", "schema": "1"}):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", json.dumps(header))
        with pytest.raises(IndexFormatError):
            files.load(path)


def test_a_file_of_a_newer_halgo_asks_for_an_update(tmp_path: Path) -> None:
    path = tmp_path / "newer.halgo"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"format": "halgo index", "schema": 10_000}))
    with pytest.raises(IndexFormatError, match="newer halgo"):
        files.load(path)


def test_an_index_of_another_embedder_or_width_is_refused(saved: Path) -> None:
    class Other(LexicalEmbedder):
        name = "other"

    with pytest.raises(IndexMismatchError, match="'lexical', not 'other'"):
        files.load(saved, Other())
    with pytest.raises(IndexMismatchError, match="width 512"):
        files.load(saved, LexicalEmbedder(64))


def test_a_failed_save_leaves_the_old_file_and_nothing_else(saved: Path, monkeypatch) -> None:
    before = saved.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match="no space"):
        files.save(built("Something else."), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and links of POSIX")
@pytest.mark.parametrize("kind", ["pipe", "link", "device"])
def test_only_a_regular_file_is_replaced_by_an_index(saved: Path, kind: str) -> None:
    place = saved.with_name("place")
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to(saved.name)
    else:
        place = Path("/dev/null")
    before, mode = saved.read_bytes(), place.lstat().st_mode
    with pytest.raises(OSError, match="not a regular file"):
        files.save(built("Something else."), place)
    assert (saved.read_bytes(), place.lstat().st_mode) == (before, mode)


def test_the_draft_of_a_killed_save_goes_with_the_next(saved: Path) -> None:
    (saved.parent / f".{saved.name}.0.draft").write_bytes(b"half an index")
    files.save(built(LEASE), saved)
    assert list(saved.parent.iterdir()) == [saved]


def test_passages_that_could_not_be_read_back_are_not_saved(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()
    monkeypatch.setattr("halgo.evidence.files._ALWAYS", 0)
    files.save(built(LEASE * 4, sentences_per_chunk=2), saved.with_name("other.halgo"))
    with pytest.raises(ConfigError, match="set sentence_overlap lower"):
        files.save(built("One two. " * 300, sentences_per_chunk=150, sentence_overlap=149), saved)
    assert saved.read_bytes() == before


def test_no_documents_and_empty_documents_make_an_empty_index(tmp_path: Path) -> None:
    for index in (built(), built("", " \n ")):
        assert (index.chunks, index.vectors.shape) == ((), (0, 512))
        files.save(index, tmp_path / "empty.halgo")
        assert same(index, files.load(tmp_path / "empty.halgo"))


def test_two_documents_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="'a'"):
        build_index([Document("a", "x", ""), Document("a", "y", "")], LexicalEmbedder(), Config())


@pytest.mark.parametrize(
    "rows", [np.ones((1, 512), np.float32), np.zeros((1, 3), np.float32), np.zeros((9, 512))]
)
def test_an_embedder_that_breaks_its_promise_is_named(rows: FloatMatrix) -> None:
    class Wrong(LexicalEmbedder):
        name = "wrong"

        def embed(self, texts: Sequence[str]) -> FloatMatrix:
            return rows

    with pytest.raises(ValueError, match="'wrong'"):
        build_index([Document("a", "One sentence.", "")], Wrong(), Config())


def test_vectors_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        built(LEASE).vectors[0, 0] = 1


def test_every_passage_of_a_section_is_read_with_its_heading() -> None:
    index = built(
        "# Plans\n\n## Basic\n- One\n- Two\n- Three\n\n## Pro\n- Four", "No heading. None."
    )
    read = [(index.heading(chunk), index.reading(chunk).text) for chunk in index.chunks]
    assert read == [
        ("Basic", "Plans Basic One Two"),
        ("Basic", "Basic Two Three"),
        ("Pro", "Pro Four"),
        ("", "No heading. None."),
    ]
    assert index.headings(index.chunks[0]) == ("Plans", "Basic", "Pro")
    assert index.headings(index.chunks[-1]) == ()
    # What is embedded and searched is the chunk alone, and so is the place in the document.
    assert [chunk.text for chunk in index.chunks][1] == "Two\n- Three"


def test_a_heading_far_above_is_not_read() -> None:
    index = built("# Old\n\n" + "\n".join(f"- Item {number}" for number in range(60)))
    assert index.heading(index.chunks[30]) == "Old"
    assert index.heading(index.chunks[-1]) == ""
