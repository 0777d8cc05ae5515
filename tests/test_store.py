"""An index in a folder: changed document by document, and what it is then is what was put in."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_index import without_models  # noqa: F401  (a fixture)

from halgo.adapters.cli import main
from halgo.checker import Checker
from halgo.config import Config
from halgo.errors import (
    DocumentError,
    IndexFormatError,
    IndexLockedError,
    IndexMismatchError,
)
from halgo.evidence import dense
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.index import Index as InMemory
from halgo.halgorithm import Halgorithm
from halgo.indexes import Index, open_index
from halgo.store import changes, container, manifest
from halgo.store.opening import opened as opened_state
from halgo.store.verifying import verify
from halgo.store.writerlock import writing
from halgo.types import Document

pytestmark = pytest.mark.usefixtures("without_models")

WORDS = [
    "fee",
    "Acme",
    "pays",
    "5",
    "dollars",
    "1999",
    "not",
    "Cats",
    "sleep",
    "Zoë",
    "€",
    "😀",
    "site",
]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return opened(tmp_path / "store")


def opened(folder: Path, **options) -> Index:
    halgorithm = Halgorithm(embedder=LexicalEmbedder(), entailment=None)
    return open_index(folder, create=True, halgorithm=halgorithm, **options)


def document(number: int, text: str | None = None) -> Document:
    """A document with a heading, a list, sentences of its own and one that all of them share."""
    random_ = random.Random(number)
    own = " ".join(random_.choices(WORDS, k=8))
    text = text or f"# Part {number}\n\n{own}. All of it is so.\n\nNot allowed:\n\n- {own}\n- cats"
    return Document(f"d{number}", text, f"docs/part-{number}.md", {"revision": str(number)})


def in_memory(documents: list[Document]) -> InMemory:
    return build_index(documents, LexicalEmbedder(), Config())


def assert_same(found: InMemory, expected: InMemory) -> None:
    """Everything that a check asks of an index is the same."""
    assert list(found.documents) == list(expected.documents)
    assert list(found.chunks) == list(expected.chunks)
    assert list(found.sentences) == list(expected.sentences)
    assert found.digest == expected.digest
    for chunk in expected.chunks:
        for name in ("facts", "reading", "parts", "heading", "headings", "number", "document"):
            assert getattr(found, name)(chunk) == getattr(expected, name)(chunk), name
    for name in ("names", "terms", "amounts", "dates"):
        assert set(getattr(found.corpus, name)) == set(getattr(expected.corpus, name))
        assert all(one in getattr(found.corpus, name) for one in getattr(expected.corpus, name))
    assert dict(found.corpus.aliases) == dict(expected.corpus.aliases)
    query = ["fee", "acme", "cat", "5", "sleep", "nothing"]
    assert np.array_equal(found.bm25.scores(query), expected.bm25.scores(query))
    rows = range(len(expected.chunks))
    assert np.array_equal(found.dense.vectors(rows), expected.dense.vectors(rows))
    assert {one: found.places[one] for one in found.places} == dict(expected.places)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_changes_it_is_the_index_of_its_documents(
    seed: int, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MOST_PASSAGES", 40)  # so that there are many segments
    monkeypatch.setattr(changes, "_MOST_READ", 2_000)
    random_, held = random.Random(seed), list[Document]()
    for step in range(12):
        put = [document(random_.randrange(20)) for _ in range(random_.randrange(1, 6))]
        put = [replace(one, text=one.text + "x" * random_.randrange(3)) for one in put]
        put = list({one.id: one for one in put}.values())
        gone = [one.id for one in held if random_.random() < 0.2 and one not in put]
        gone = [one for one in gone if one not in {other.id for other in put}]
        if step % 2:
            index.put(put)
            new = {one.id: one for one in put}
            held = [new.pop(one.id, one) for one in held] + list(new.values())
        elif gone:
            index.remove(*gone)
            held = [one for one in held if one.id not in gone]
    assert_same(index.checker().index, in_memory(held))
    assert index.verify().problems == ()
    assert len(index) == len(held)


def test_a_report_is_the_same_byte_for_byte_as_of_the_index_in_memory(index: Index) -> None:
    documents = [document(number) for number in range(30)]
    for at in range(0, 30, 7):
        index.add(documents[at : at + 7])
    documents[11] = document(11, "Acme pays 500 dollars. The site has 12 cats.")
    index.replace(documents[11])
    index.remove("d4")
    del documents[4]
    checker = Checker(index.halgorithm, in_memory(documents))
    answers = ["Acme pays 5 dollars. Cats sleep late.", "The site has 15 cats.", "Zoë owns it."]
    for mine, theirs in zip(
        index.checker().check_many(answers), checker.check_many(answers), strict=True
    ):
        assert json.dumps(mine.to_dict()) == json.dumps(theirs.to_dict())
        assert mine == theirs


def test_a_change_reads_only_its_own_document(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.add(document(number) for number in range(10))
    read: list[str] = []
    import small_index

    monkeypatch.setattr(
        "halgo.facts.extract", lambda texts: read.extend(texts) or small_index.word_facts(texts)
    )
    monkeypatch.setattr(
        "halgo.sources.sentences.split",
        _spied("halgo.sources.sentences.split", lambda text: read.append(text)),
    )
    index.remove("d3")
    assert read == []
    index.replace(document(5, "Zebras run."))
    assert set(read) == {"Zebras run."}
    assert index["d5"].text == "Zebras run."


def _spied(name: str, see: Callable[[str], object]) -> Callable[..., object]:
    module, _, function = name.rpartition(".")
    real = getattr(sys.modules[module], function)
    return lambda text, *rest, **named: (see(text), real(text, *rest, **named))[1]


def test_a_replaced_document_keeps_its_place_and_a_new_one_comes_last(index: Index) -> None:
    index.add([document(0), document(1), document(2)])
    done = index.put([document(7), document(1, "Something else."), document(2)])
    assert (done.added, done.replaced, done.unchanged) == (1, 1, 1)
    assert [one.id for one in index.documents] == ["d0", "d1", "d2", "d7"]
    assert "d7" in index and "d8" not in index and len(index) == 4
    with pytest.raises(KeyError):
        index["d8"]


def test_who_has_opened_a_state_keeps_it_while_it_is_changed(index: Index) -> None:
    index.add([document(0), document(1)])
    before = index.checker()
    index.remove("d0")
    index.replace(document(1, "Nothing is left of it."))
    assert_same(before.index, in_memory([document(0), document(1)]))
    assert [one.id for one in index.documents] == ["d1"]


def test_what_cannot_be_changed_says_why_and_changes_nothing(index: Index) -> None:
    index.add([document(0)])
    state = index.state
    with pytest.raises(DocumentError, match="has a document 'd0' already"):
        index.add([document(5), document(0)])
    with pytest.raises(DocumentError, match="has no document 'd9'"):
        index.remove("d0", "d9")
    with pytest.raises(DocumentError, match="has no document 'd5'"):
        index.replace(document(5))
    with pytest.raises(ValueError, match="'d5' is given twice"):
        index.put([document(5), document(5, "Other.")])
    with pytest.raises(TypeError, match="document 1 has no id"):
        index.put("Just a text.")
    assert index.state == state and [one.id for one in index.documents] == ["d0"]
    assert index.add({"id": "plain", "text": "The fee is 5."}).added == 1


def test_an_error_in_the_middle_leaves_the_old_state_and_no_files(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.add([document(0)])
    before = sorted(path.name for path in index.path.iterdir())
    monkeypatch.setattr(changes, "_MOST_READ", 10)  # a segment for each document

    def failing() -> Iterator[Document]:
        yield document(1)
        yield document(2)
        raise OSError("the network drive is gone")

    with pytest.raises(OSError, match="network drive"):
        index.add(failing())
    assert sorted(path.name for path in index.path.iterdir()) == before
    assert [one.id for one in index.documents] == ["d0"]


def test_a_second_writer_waits_and_then_says_who_it_waited_for(index: Index) -> None:
    other = opened(index.path, wait_s=0.05)
    with (
        writing(index.path, 1.0),
        pytest.raises(IndexLockedError, match=rf"another process \({os.getpid()}\)"),
    ):
        other.add(document(1))
    assert other.add(document(1)).added == 1


def test_writers_at_the_same_time_never_mix(index: Index) -> None:
    def add(first: int) -> None:
        mine = opened(index.path, wait_s=60)
        for number in range(first, first + 5):
            mine.add(document(number))

    threads = [threading.Thread(target=add, args=(first,)) for first in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.id for one in index.documents) == sorted(
        f"d{number}" for first in (0, 10, 20) for number in range(first, first + 5)
    )
    assert index.verify().ok and index.state == 15


@pytest.mark.parametrize(
    "text",
    ["", "plain", "Zoë costs nothing", "5 € a day", "smile 😀 twice", "\ud800 half", "\udc00\ud800",
     "\ud83d\ude00 is two halves"],
)  # fmt: skip
def test_any_text_comes_back_as_it_was(text: str, index: Index) -> None:
    given = [document(0, text or " "), Document("d1", text, "\ud800", {"kind": text[:1]})]
    index.add(given)
    found = index.checker().index
    assert list(found.documents) == given
    assert all(one.span.of(found.document(one).text) == one.text for one in found.chunks)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(IndexFormatError, match="is not empty and holds no index"):
        opened(tmp_path)
    with pytest.raises(IndexFormatError, match=r"is a file.*Checker\.from_index"):
        open_index(tmp_path / "thesis.txt")
    with pytest.raises(IndexFormatError, match="there is no index in"):
        open_index(tmp_path, halgorithm=Halgorithm(embedder="lexical"))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_vectors_of_another_embedder_are_refused(index: Index) -> None:
    other = Halgorithm(embedder=LexicalEmbedder(64))
    with pytest.raises(IndexMismatchError, match="holds vectors of width"):
        Checker.from_index(index.path, halgorithm=other)
    with pytest.raises(IndexMismatchError, match="holds vectors of width"):
        open_index(index.path, halgorithm=other)


@pytest.mark.parametrize("how", ["cut", "longer", "gone", "table", "manifest", "manifest_cut"])
def test_damage_is_seen_when_it_is_opened(how: str, index: Index) -> None:
    index.add([document(0), document(1)])
    (segment,) = index.path.glob("*.segment")
    manifest = index.path / "index.json"
    data = segment.read_bytes()
    match how:
        case "cut":
            segment.write_bytes(data[:-1])
        case "longer":
            segment.write_bytes(data + b"x")
        case "gone":
            segment.unlink()
        case "table":
            segment.write_bytes(data[:-60] + bytes([data[-60] ^ 1]) + data[-59:])
        case "manifest":
            manifest.write_text(manifest.read_text().replace('"documents": 2', '"documents": 3'))
        case "manifest_cut":
            manifest.write_text(manifest.read_text()[:-20])
    with pytest.raises(IndexFormatError, match=r"is damaged: .*Copy the index again"):
        Checker.from_index(index.path, halgorithm=index.halgorithm)


def test_a_change_of_any_byte_is_seen_by_verify(index: Index) -> None:
    index.add([document(0), document(1)])
    (segment,) = index.path.glob("*.segment")
    data = segment.read_bytes()
    random_ = random.Random(5)
    for at in random_.sample(range(len(data)), 40):
        segment.write_bytes(data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :])
        with contextlib.suppress(IndexFormatError):
            assert not verify(index.path).ok
    segment.write_bytes(data)
    assert verify(index.path).ok


def test_another_version_is_told_from_damage(index: Index) -> None:
    path = index.path / "index.json"
    path.write_text(json.dumps({"format": "halgo index folder", "schema": 99}))
    with pytest.raises(IndexFormatError, match=r"another version of halgo.*it is not damaged"):
        Checker.from_index(index.path, halgorithm=index.halgorithm)


def test_small_segments_become_few(index: Index) -> None:
    for number in range(40):
        index.add(document(number))
    assert len(list(index.path.glob("*.segment"))) <= 6
    assert_same(index.checker().index, in_memory([document(number) for number in range(40)]))


def test_an_index_on_disk_is_not_saved_to_a_file(index: Index, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="copy the folder"):
        index.checker().save(tmp_path / "file.halgo")


def test_an_empty_index_has_no_sources(index: Index) -> None:
    report = index.checker().check("The fee is 5 dollars.")
    assert report.state == "no_sources"
    assert index.verify().ok and len(index) == 0


def run(*words: str | Path) -> int:
    return main([*map(str, words), "--embedder", "lexical"])


def test_the_command_makes_changes_lists_and_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pages, store = Path("pages"), Path("store")
    pages.mkdir()
    for number in range(3):
        (pages / f"{number}.txt").write_text(f"The fee is {number} dollars.")
    assert run("index", pages, "--store", store) == 0
    assert "3 documents, 3 chunks" in capsys.readouterr().out
    (pages / "1.txt").write_text("The fee is 99 dollars.")
    assert run("index", pages, "--store", store) == 0
    assert "0 added, 1 replaced, 2 unchanged" in capsys.readouterr().out
    # Whatever the embedder, as nothing is embedded.
    assert main(["index", "--out", "store", "--remove", "pages/0.txt"]) == 0
    assert "; 1 removed" in capsys.readouterr().out
    assert run("index", "--store", store, "--list") == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "     1          22  pages/1.txt",
        "     1          21  pages/2.txt",
    ]
    assert run("index", "--store", store, "--verify") == 0
    assert capsys.readouterr().out.endswith("; as written\n")
    (segment,) = store.glob("*.segment")
    data = bytearray(segment.read_bytes())
    data[100] ^= 1
    segment.write_bytes(data)
    assert run("index", "--store", store, "--verify") == 1
    assert "is damaged" in capsys.readouterr().out


def test_an_empty_file_is_put_in_with_a_warning_each_time(
    index: Index,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.txt").touch()
    Path("fee.txt").write_text("The fee is 5 dollars.")
    said = "document 'empty.txt' (empty.txt) has no text"
    assert index.put_files(["empty.txt", "fee.txt"]).warnings == (said,)
    again = index.put_files(["empty.txt", "fee.txt"])
    assert again.unchanged == 2 and again.warnings == (said,)
    assert run("index", "empty.txt", "fee.txt", "--store", "e.index") == 0
    assert capsys.readouterr().err.splitlines() == [f"warning: {said}"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a file to write with --output, or a folder with --store"),
        (["a.txt"], "name a file to write with --output, or a folder with --store"),
        (["-o", "a", "--remove", "x"], "go with --store"),
        (["--store", "s"], "name documents or folders to read"),
        (["--store", "s", "--verify", "a.txt"], "is asked for by itself"),
        (["--store", "s", "missing.txt"], "no such file: missing.txt"),
        (["--store", "s", "--remove", "x"], "there is no index in s"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("index", *words) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_readers_see_whole_states_while_another_process_writes(
    index: Index, tmp_path: Path
) -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[2]); import test_store, halgo.facts, small_index\n"
        "from pathlib import Path\n"
        "halgo.facts.extract = small_index.word_facts\n"
        "index, n = test_store.opened(sys.argv[1]), 0\n"
        "while not Path(sys.argv[3]).exists():\n"
        "    text = f'State {n} is the one that holds. ' * 3\n"
        "    index.put([test_store.document(1, text), test_store.document(2, text)])\n"
        "    n += 1\n"
    )
    index.add([document(number) for number in range(4)])
    enough = tmp_path / "enough"
    words = [sys.executable, "-c", script, index.path, Path(__file__).parent, enough]
    writer = subprocess.Popen([str(word) for word in words])
    seen = set[str]()
    # On a busy machine one of the two may stand still for as long as the other takes for many
    # states: it is told by how many were seen when to stop, not by how many were written.
    until = time.monotonic() + 60
    try:
        while len(seen) < 10 and writer.poll() is None and time.monotonic() < until:
            found = index.checker().index
            one, other = found.documents[1].text, found.documents[2].text
            seen.add(one)
            assert one == other or "State" not in one + other
            assert found.facts(found.chunks[0]).terms
    finally:
        enough.touch()
        assert writer.wait(timeout=60) == 0
    assert len(seen) == 10
    assert index.verify().ok


@pytest.fixture
def with_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every segment of 30 passages gets a graph."""
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra large is not installed")
    monkeypatch.setattr(dense, "GRAPHS_FROM", 1)
    monkeypatch.setattr(dense, "SMALLEST", 30)
    monkeypatch.setattr(changes, "MOST_PASSAGES", 200)


@pytest.mark.usefixtures("with_graphs")
def test_a_graph_goes_on_when_documents_of_its_segment_change(index: Index) -> None:
    documents = [document(number) for number in range(40)]
    index.add(documents)
    (graph,) = index.path.glob("*.graph")
    made = graph.read_bytes()
    index.remove("d7")
    index.replace(document(9, "Zebras run far. Zebras run in the rain."))
    (graph,) = index.path.glob("*.graph")
    assert graph.read_bytes() == made  # nothing was built again
    found, exact = index.checker().index, index.checker(exact=True).index
    assert found.dense.name and exact.dense.name is None and index.verify().ok
    queries = LexicalEmbedder().embed(["Zebras run", "Cats sleep", "Acme pays 5 dollars"])
    for near, nearest in zip(
        found.dense.candidates(queries, 5), exact.dense.candidates(queries, 5), strict=True
    ):
        assert set(nearest.tolist()) <= set(near.tolist())
    zebras = found.rows_of("d9")
    assert set(zebras) <= set(found.dense.candidates(queries[:1], 5)[0].tolist())
    held = [one for one in documents if one.id != "d7"]
    held[8] = index["d9"]
    assert_same(found, in_memory(held))


@pytest.mark.usefixtures("with_graphs")
def test_a_graph_that_has_lost_too_much_is_made_anew(index: Index) -> None:
    index.add([document(number) for number in range(40)])
    index.remove(*(f"d{number}" for number in range(12)))
    (entry,) = index._folder.manifest().segments
    assert entry.graph and index.verify().ok
    (segment,) = opened_state(index.path).segments
    assert segment.places is None
    graph = index.path / entry.graph
    graph.write_bytes(graph.read_bytes()[:-1] + b"?")
    assert "is damaged" in index.verify().problems[0]
    graph.write_bytes(b"")
    with pytest.raises(IndexFormatError, match="is damaged"):
        index.checker()


@pytest.mark.usefixtures("with_graphs")
def test_an_index_that_grows_large_gets_graphs_for_what_was_there(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "GRAPHS_FROM", 10**9)
    index.add([document(number) for number in range(30)])
    assert not list(index.path.glob("*.graph"))
    monkeypatch.setattr(dense, "GRAPHS_FROM", 1)
    index.add([document(40)])
    assert len(list(index.path.glob("*.graph"))) == 1
    assert index.verify().ok


def test_whatever_numbers_another_writer_puts_in_verify_ends_with_an_answer(index: Index) -> None:
    index.add([document(number) for number in range(3)])
    (entry,) = index._folder.manifest().segments
    arrays = opened_state(index.path).segments[0].arrays()
    random_ = random.Random(3)
    refused = 0
    for name in arrays:
        values = arrays[name].copy()
        if not values.size:
            continue
        flat = values.reshape(-1)
        most = 2**20 if flat.dtype.kind == "f" else int(np.iinfo(flat.dtype).max)
        flat[random_.randrange(len(flat))] = random_.choice([0, 1, 7, most])
        other = {**arrays, name: values}
        file, size = container.write(index.path, other, ".segment")
        changed = replace(entry, file=file, size=size)
        manifest.write(index.path, replace(index._folder.manifest(), segments=(changed,)))
        try:
            refused += not verify(index.path).ok
        except IndexFormatError:
            refused += 1
    assert refused > 20


def test_files_that_were_read_before_an_interruption_are_not_read_again(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "_MOST_READ", 30)  # a lot for each file
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text(f"The fee is {number} dollars.")
    files = [tmp_path / f"{number}.txt" for number in range(4)]
    embed = LexicalEmbedder.embed

    def failing(self, texts):
        if any("2 dollars" in text for text in texts):
            raise KeyboardInterrupt
        return embed(self, texts)

    monkeypatch.setattr(LexicalEmbedder, "embed", failing)
    with pytest.raises(KeyboardInterrupt):
        index.put_files(files)
    assert [one.id for one in index.documents] == [str(path) for path in files[:2]]
    monkeypatch.setattr(LexicalEmbedder, "embed", embed)
    done = index.put_files(files)
    assert (done.added, done.unchanged) == (2, 2) and index.verify().ok
