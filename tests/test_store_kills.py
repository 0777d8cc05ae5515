"""Changes of an index that are killed, or meet a full disk: the old state is there or the new one.

A writer is a child process that makes one change after the other and says so after each. It is
killed (SIGKILL) at a seeded moment; what it said is there, nothing half-written is read, and what
it leaves behind is gone after the next change. HALGO_KILLS sets how many moments there are.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills of POSIX")
KILLS = int(os.environ.get("HALGO_KILLS", "15"))


@FORKS
@pytest.mark.parametrize("what", ["changes", "many_segments", "full_disk", "two_writers"])
def test_a_change_that_ends_anywhere_was_made_or_was_not(what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", __file__, what, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr


def changes(folder: Path) -> None:
    """Adding, replacing and removing, over and over: each is there as a whole or not at all."""
    _killed_writers(folder, longest_s=0.06)


def many_segments(folder: Path) -> None:
    """The same where each document is a segment of its own at first, and is merged later."""
    from halgo.store import changes as changing

    changing._MOST_READ = 60
    changing.MOST_PASSAGES = 8
    _killed_writers(folder, longest_s=0.12)


def _killed_writers(folder: Path, longest_s: float) -> None:
    from test_kills import _killed

    index = _opened(folder)
    index.put(_documents(0))
    random_ = random.Random(20261123)
    last = 0
    for _ in range(KILLS):
        first = last + 1
        said = _killed(
            lambda n, first=first: _change(_opened(folder), first + n),
            random_.uniform(0, longest_s),
        )
        texts = {one.id: one.text for one in index.documents}
        state = next(n for n in (last + said, last + said + 1) if texts == _expected(n))
        assert index.verify().ok
        last = state
    _change(index, last + 1)
    files = {path.name for path in folder.iterdir()}
    assert files == {"index.json", "lock", *index._folder.manifest().files}


def full_disk(folder: Path) -> None:
    """Where no byte more can be written, the old state stays, and nothing is left behind."""
    import resource

    index = _opened(folder)
    index.put(_documents(0))
    files = sorted(path.name for path in folder.iterdir())
    most = max(path.stat().st_size for path in folder.iterdir()) - 1_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    for change in (
        lambda: index.put(_documents(1)),
        lambda: index.add([_document("new", "Much more text than there is room for. " * 500)]),
    ):
        try:
            change()
        except OSError as error:
            assert error.strerror == "File too large"
        else:
            raise AssertionError("it was written all the same")
        assert {one.id: one.text for one in index.documents} == _expected(0)
        assert sorted(path.name for path in folder.iterdir()) == files
    assert index.verify().ok


def two_writers(folder: Path) -> None:
    """Writers that are killed beside each other: what each said is there, and no more than one."""
    from test_kills import _killed

    index = _opened(folder)
    random_ = random.Random(7)
    for writer in range(max(3, KILLS // 5)):
        other = os.fork()
        if other == 0:
            try:
                mine = _opened(folder)
                for n in range(3):
                    mine.add([_document(f"b{writer}.{n}", f"Text {n} of writer {writer}.")])
            except BaseException:
                os._exit(1)
            os._exit(0)
        said = _killed(
            lambda n, who=writer: _opened(folder).add([_document(f"a{who}.{n}", f"Text {n}.")]),
            random_.uniform(0, 0.1),
        )
        _, status = os.waitpid(other, 0)
        assert status == 0
        ids = {one.id for one in index.documents}
        assert {f"b{writer}.{n}" for n in range(3)} <= ids
        mine = sorted(one for one in ids if one.startswith(f"a{writer}."))
        assert len(mine) in (said, said + 1)
        assert index.verify().ok


def _opened(folder: Path):
    import small_index

    import halgo.facts
    from halgo.evidence.embed import LexicalEmbedder
    from halgo.halgorithm import Halgorithm
    from halgo.indexes import open_index

    halgo.facts.extract = small_index.word_facts
    halgorithm = Halgorithm(embedder=LexicalEmbedder(64), entailment=None)
    return open_index(folder, create=True, halgorithm=halgorithm, wait_s=60)


def _document(doc_id: str, text: str):
    from halgo.types import Document

    return Document(doc_id, text, doc_id)


def _documents(state: int) -> list:
    return [_document(doc_id, text) for doc_id, text in _expected(state).items()]


def _expected(state: int) -> dict[str, str]:
    """The documents after so many changes: two that change together, and one now and then."""
    held = {name: f"State {state} of {name}. Acme pays {state} dollars." for name in ("a", "b")}
    held["stays"] = "This one is never touched. It has 2 sentences."
    if state % 3:
        held["c"] = f"Here since {state - state % 3}."
    return held


def _change(index, state: int) -> None:
    """Brings the index to a state, in one change."""
    gone = ["c"] if state % 3 == 0 else []
    make = index._make(None, 1)
    index._folder.put(make, _documents(state), gone)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
