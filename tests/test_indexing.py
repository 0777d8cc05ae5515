"""Indexing: told how far it is, shared by several processes, and the same bytes either way."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_index import without_models  # noqa: F401

from benchmarks import corpus, filing
from halgo.config import Config
from halgo.errors import DocumentError, WorkerError
from halgo.evidence import slabs as slabs_module
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.index import Index
from halgo.evidence.slabs import slabs
from halgo.progress import INDEX, PAGE, READ, Meter, Progress, pages_of
from halgo.sources import folders
from halgo.sources.documents import to_documents
from halgo.sources.folders import read_files
from halgo.types import Document, FloatMatrix
from halgo.workers import Workers, packed, remade, running, told, unpacked

ROOT = Path(__file__).parent.parent


def columns(index: Index) -> dict[str, bytes]:
    """All that an index holds, as bytes."""
    facts: Any = index.sentence_facts
    sentences: Any = index.sentences
    found = {f"facts{name}": array for name, array in facts.arrays().items()}
    found |= {f"sentences{name}": array for name, array in sentences.arrays().items()}
    found |= {f"strings{name}": array for name, array in facts.strings.arrays().items()}
    found |= {"vectors": index.vectors, "rows": index.fact_rows}
    return {name: np.asarray(array).tobytes() for name, array in found.items()}


def filings(folder: Path, count: int, pages: int = 3) -> list[Path]:
    """So many PDFs of different sentences."""
    made = []
    for number in range(count):
        lines = filing.pages_of(list(corpus.sentences(22 * pages, seed=number)))
        made.append(folder / f"{number:02}.pdf")
        made[-1].write_bytes(filing.pdf(lines))
    return made


class Counting:
    """An embedder of the caller's own, which no other process can make."""

    name, dim = "counting", 8

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: list[str]) -> FloatMatrix:
        self.texts += texts
        rows = np.zeros((len(texts), 8), dtype=np.float32)
        rows[np.arange(len(texts)), [len(text) % 8 for text in texts]] = 1
        return rows


# --- progress ------------------------------------------------------------------------------------


def test_pages_are_those_of_the_pdf_or_a_number_of_characters() -> None:
    assert pages_of(Document("a", "x" * (2 * PAGE + 1), "a")) == 3
    assert pages_of(Document("a", "x", "a", {"pages": "[0, 5, 9]"})) == 3
    assert pages_of(Document("a", "", "a")) == 0


@pytest.mark.usefixtures("without_models")
def test_progress_only_grows_ends_at_all_and_tells_what_is_left() -> None:
    documents, _ = to_documents(corpus.documents(3000))
    seen: list[Progress] = []
    index = build_index(documents, LexicalEmbedder(), Config(), progress=seen.append)
    shares = [now.share for now in seen]
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert {now.stage for now in seen} == {INDEX}
    last = seen[-1]
    assert last.pages == last.of_pages == sum(map(pages_of, documents))
    assert last.remaining_s == 0.0
    assert len(index.chunks) == 3000


@pytest.mark.usefixtures("without_models")
def test_a_meter_is_shared_by_several_indexes_and_does_not_end_before_all_are_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("halgo.progress._OFTEN", 0.0)
    first, second = (to_documents(corpus.documents(40, seed=seed))[0] for seed in (1, 2))
    seen: list[Progress] = []
    total = sum(len(document.text) for document in (*first, *second))
    meter = Meter(seen.append, INDEX, total)
    meter_told = []
    for documents in (first, second):
        build_index(documents, LexicalEmbedder(), Config(), progress=meter)
        meter_told.append(sum(now.share == 1.0 for now in seen))
    meter.finish()
    assert len(seen) > 2 and meter_told == [0, 0] and seen[-1].share == 1.0


@pytest.mark.usefixtures("without_models")
def test_what_a_progress_callback_raises_stops_the_work() -> None:
    def stop(now: Progress) -> None:
        raise InterruptedError(f"enough at {now.share}")

    documents, _ = to_documents(corpus.documents(50))
    with pytest.raises(InterruptedError, match="enough"):
        build_index(documents, LexicalEmbedder(), Config(), progress=stop)


def test_reading_tells_the_pages_of_a_pdf_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halgo.progress._OFTEN", 0.0)
    (path,) = filings(tmp_path, 1, pages=4)
    seen: list[Progress] = []
    read_files(path, progress=seen.append)
    assert [(now.pages, now.of_pages) for now in seen][:3] == [(1, 4), (2, 4), (3, 4)]
    assert seen[-1].pages == 4 and seen[-1].share == 1.0 and seen[-1].stage == READ


# --- what repeats --------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_models")
def test_passages_that_occur_twice_are_embedded_once() -> None:
    embedder = Counting()
    text = "The fee is 5 euro. It is due in May."
    documents, _ = to_documents([text, text, "The fee is 7 euro."])
    index = build_index(documents, embedder, Config())
    assert len(embedder.texts) == len(set(embedder.texts)) == 2
    assert (index.vectors[0] == index.vectors[1]).all()


def test_a_file_that_equals_another_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = filings(tmp_path, 1)
    (tmp_path / "copy.pdf").write_bytes(path.read_bytes())
    (tmp_path / "other.pdf").write_bytes(path.read_bytes()[:-2] + b"  ")  # of the same size
    read: list[str] = []
    whole = folders.read_file

    def counted(path: Path, *more: Any) -> Document:
        read.append(path.name)
        return whole(path, *more)

    monkeypatch.setattr(folders, "read_file", counted)
    documents, warnings = read_files(tmp_path)
    assert read == ["00.pdf", "other.pdf"] and not warnings
    assert [Path(document.id).name for document in documents] == [
        "00.pdf",
        "copy.pdf",
        "other.pdf",
    ]
    assert documents[0].text == documents[1].text
    assert Path(documents[1].source).name == "copy.pdf"


# --- several processes ---------------------------------------------------------------------------


@pytest.mark.models
def test_two_processes_make_the_same_bytes_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slabs_module, "_WORTH_SHARING", 0)
    monkeypatch.setattr(slabs_module, "_SENTENCES", 3000)
    monkeypatch.setattr(slabs_module, "_PASSAGES", 3000)
    documents, _ = to_documents([*corpus.documents(60), "Same text. Same text.", "Same text."])
    embedder = LexicalEmbedder()
    alone = build_index(documents, embedder, Config())
    more = to_documents([*corpus.documents(60), "Another."])[0]
    with running(2) as workers:
        shared = build_index(documents, embedder, Config(), jobs=workers)
        own = build_index(documents, Counting(), Config(), jobs=workers)
        # What an earlier index holds is taken from it.
        again = build_index(more, embedder, Config(), alone, jobs=workers)
    assert columns(alone) == columns(shared)
    assert alone.corpus == shared.corpus and alone.digest == shared.digest
    assert columns(own)["rows"] == columns(alone)["rows"]  # its own embedder stayed here
    assert columns(again) == columns(build_index(more, embedder, Config()))


def test_several_processes_read_the_same_documents_and_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_WORTH_SHARING", 0)
    filings(tmp_path, 4)
    (tmp_path / "01.pdf").write_bytes(b"%PDF-1.4 cut short")
    (tmp_path / "02.exe").write_bytes(b"")
    (tmp_path / "03.html").write_text("<h1>Fees</h1><p>They are 5 euro.</p>", encoding="utf-8")
    seen: list[Progress] = []
    alone = read_files(tmp_path)
    assert read_files(tmp_path, jobs=2, progress=seen.append) == alone
    assert len(alone[0]) == 4 and len(alone[1]) == 2
    assert seen[-1].share == 1.0
    with pytest.raises(DocumentError, match="is no PDF") as caught:
        read_files([tmp_path / "00.pdf", tmp_path / "01.pdf"], jobs=2)
    assert caught.value.source == str(tmp_path / "01.pdf")


def test_slabs_hold_every_text_once_in_order_and_share_the_work() -> None:
    sentences = [f"Sentence {number} has a few words." for number in range(2000)]
    passages = sorted((f"{text} {text}" for text in sentences), key=len)
    found = slabs(sentences, passages)
    assert [text for slab in found if not slab.passages for text in slab.texts] == sentences
    assert [text for slab in found if slab.passages for text in slab.texts] == passages
    assert sum(slab.share for slab in found) == pytest.approx(1.0)
    assert found[0].passages != found[2].passages or found[0].passages != found[1].passages
    assert slabs([], []) == []


def echo(payload: bytes) -> bytes:
    """A task for a worker; `tests` is importable there as it is here."""
    asked = unpacked(payload)
    if asked == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if asked == "exit":
        sys.stderr.write("out of paper\n")
        sys.stderr.flush()
        os._exit(7)
    if asked == "raise":
        raise DocumentError("a.pdf is torn", "a.pdf")
    if asked == "print":
        sys.stdout.write("noise on stdout\n")
    if asked == "wait":
        time.sleep(60)
    return payload


ECHO = "test_indexing:echo"


def test_results_come_in_order_whole_and_without_what_is_printed() -> None:
    values = ["print", "\ud83d", "\ud83d\ude00", "a" * 200_000, *map(str, range(20))]
    with Workers(2) as workers:
        found = list(workers.map((ECHO, packed(value)) for value in values))
    assert [unpacked(one) for one in found] == values


def test_an_error_in_a_worker_is_raised_here_as_it_was() -> None:
    with Workers(2) as workers, pytest.raises(DocumentError, match=r"a\.pdf is torn") as caught:
        list(workers.map([(ECHO, packed("raise"))]))
    assert caught.value.source == "a.pdf"


@pytest.mark.parametrize(
    "asked, said", [("die", r"was killed \(signal 9\)"), ("exit", r"exit code 7.*out of paper")]
)
def test_a_worker_that_dies_gives_a_clear_error_and_leaves_none_behind(
    asked: str, said: str
) -> None:
    with Workers(2) as workers:
        with pytest.raises(WorkerError, match=said) as caught:
            list(workers.map((ECHO, packed(value)) for value in ("a", asked, "b", "c")))
        assert "--jobs" in str(caught.value)
        assert workers._all == []
        assert [unpacked(one) for one in workers.map([(ECHO, packed("again"))])] == ["again"]


def test_jobs_are_counted_and_what_is_no_number_is_refused() -> None:
    assert Workers(0).jobs >= 1 and Workers(3).jobs == 3 and not Workers(1).several
    for wrong in (-1, True, 1.5, "2"):
        with pytest.raises(ValueError, match="jobs"):
            Workers(wrong)  # type: ignore[arg-type]


SCRIPT = """
import sys, time
from halgo.workers import Workers, packed
with Workers(2) as workers:
    tasks = [("test_indexing:echo", packed("wait"))] * 4
    print("started", flush=True)
    list(workers.map(tasks))
"""


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in found.split()]


def _gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def _within(seconds: float, true: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at /proc for processes")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_script_without_main_guard_that_is_ended_leaves_no_worker_behind(
    tmp_path: Path, end: signal.Signals
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        start_new_session=True,
        # What a shell runs in the background ignores it, and would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None and process.stdout.readline() == b"started\n"
    assert _within(20, lambda: len(_children(process.pid)) == 2)
    time.sleep(0.5)
    children = _children(process.pid)
    if end is signal.SIGINT:
        os.killpg(process.pid, end)  # as a terminal does: all of them get it
    else:
        process.kill()
    _, said = process.communicate(timeout=20)
    assert (b"KeyboardInterrupt" in said) == (end is signal.SIGINT)
    assert _within(5, lambda: all(map(_gone, children)))


@pytest.mark.parametrize(
    "error",
    [
        DocumentError("a.pdf cannot be read"),
        OSError(errno.ENOSPC, "no space", "index"),
        MemoryError("too much"),
    ],
)
def test_an_error_of_a_process_is_told_here_as_it_was_there(error: Exception) -> None:
    found = remade(unpacked(packed(told(error))))
    assert (type(found), str(found)) == (type(error), str(error))


def test_a_path_in_an_error_of_a_process_is_told_as_a_string() -> None:
    found = remade(unpacked(packed(told(OSError(errno.ENOSPC, "no space", Path("index"))))))
    assert isinstance(found, OSError)
    assert (found.errno, found.filename) == (errno.ENOSPC, "index")
