"""Files and folders made to harm: pipes, devices, odd encodings, odd names, nesting, silence.

One of them may cost its own reading, with the reason; never the folder, the memory or the terminal.
"""

from __future__ import annotations

import encodings.aliases
import errno
import inspect
import json
import logging
import os
import signal
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from halgo.calibration import Calibration
from halgo.errors import ConfigError, DocumentError, GoldenError
from halgo.golden.evaluate import Run
from halgo.golden.rows import read as read_golden
from halgo.printable import printable
from halgo.sources import readers
from halgo.sources.bundle import Bundle
from halgo.sources.folders import read_files
from halgo.sources.jsontext import loads
from halgo.sources.quiet import quietly
from halgo.sources.readers import decode, read_text

unix = pytest.mark.skipif(os.name == "nt", reason="there are no such files here")


@pytest.fixture
def in_two_seconds() -> Iterator[None]:
    """What waits for a pipe, or reads on for ever, is stopped."""

    def late(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 2)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def texts(folder: Path) -> list[str]:
    return [document.text for document in read_files(folder)[0]]


# --- pipes and devices ---------------------------------------------------------------------------


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@unix
@pytest.mark.usefixtures("in_two_seconds")
@pytest.mark.parametrize(("put", "kind"), [(pipe, "pipe"), (endless, "device")])
def test_a_pipe_or_device_in_a_folder_is_left_out_with_a_warning(
    tmp_path: Path, put: Callable[[Path], None], kind: str
) -> None:
    put(tmp_path / "odd.txt")
    (tmp_path / "plan.txt").write_text("The fee is 5%.", encoding="utf-8")
    documents, warnings = read_files(tmp_path)
    assert [document.text for document in documents] == ["The fee is 5%."]
    assert len(warnings) == 1
    assert "odd.txt was left out" in warnings[0] and f"is a {kind}" in warnings[0]


@unix
@pytest.mark.usefixtures("in_two_seconds")
@pytest.mark.parametrize(("put", "kind"), [(pipe, "pipe"), (endless, "device")])
@pytest.mark.parametrize("name", ["odd.txt", "odd.zip", "odd.xyz", "odd"])
@pytest.mark.parametrize("read", [read_files, read_text])
def test_a_pipe_or_device_that_is_named_is_refused_at_once(
    tmp_path: Path,
    put: Callable[[Path], None],
    kind: str,
    name: str,
    read: Callable[[Path], object],
) -> None:
    put(tmp_path / name)
    with pytest.raises(DocumentError, match=f"is a {kind}, not a regular file"):
        read(tmp_path / name)


@unix
@pytest.mark.usefixtures("in_two_seconds")
@pytest.mark.parametrize("put", [pipe, endless])
@pytest.mark.parametrize(
    ("read", "error"),
    [(read_golden, GoldenError), (Run.load, GoldenError), (Calibration.load, ConfigError)],
)
def test_golden_rows_runs_and_calibrations_are_regular_files(
    tmp_path: Path,
    put: Callable[[Path], None],
    read: Callable[[Path], object],
    error: type[Exception],
) -> None:
    put(tmp_path / "odd")
    with pytest.raises(error, match="not a regular file"):
        read(tmp_path / "odd")


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "LARGEST_BYTES", 10)
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result([0o100644, *[0] * 9]))
    (tmp_path / "log.txt").write_bytes(b"x" * 11)
    with pytest.raises(DocumentError, match="bytes; at most 10 are read"):
        read_files(tmp_path / "log.txt")


@pytest.mark.parametrize("key", ["threshold", "support_threshold"])
def test_a_number_beyond_all_floats_is_a_wrong_setting(tmp_path: Path, key: str) -> None:
    values = {**Calibration("x").to_dict(), key: 10**400}
    (tmp_path / "c.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(ConfigError, match=key):
        Calibration.load(tmp_path / "c.json")


# --- encodings -----------------------------------------------------------------------------------

CAFE = b"<meta charset=%s><p>The caf\xe9 costs 5%%, \\x41 and \\u0042."
NO_TEXT = [
    *("undefined", "base64", "zip", "bz2", "rot13", "hex", "uu", "quopri", "unicode_escape"),
    *("raw_unicode_escape", "idna", "punycode", "mbcs", "oem", "utf-7", "no-such", "aliases"),
    *("utf-16", "utf-32-be", "cp037", "cp500"),
]


@pytest.mark.parametrize("name", NO_TEXT)
def test_a_page_that_declares_what_it_cannot_be_written_in_is_read_all_the_same(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "a.html").write_bytes(CAFE % name.encode())
    assert texts(tmp_path) == ["The café costs 5%, \\x41 and \\u0042."]


def test_no_codec_of_python_ends_a_folder(tmp_path: Path) -> None:
    names = {*encodings.aliases.aliases, *encodings.aliases.aliases.values(), *NO_TEXT}
    for name in sorted(names):
        (tmp_path / f"{name}.html").write_bytes(CAFE % name.encode())
    assert len(texts(tmp_path)) == len(names)


def test_a_declared_encoding_is_believed_of_a_long_page_too() -> None:
    # 200,000 bytes are looked at, and they may end within a character.
    for shift in range(3):
        text = "<meta charset=shift_jis>" + "x" * shift + "料金は五千円です。" * 20_000
        assert decode(text.encode("shift_jis"), "a.html")[0] == text


def test_what_a_reader_does_not_foresee_costs_only_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reader(data: bytes, name: str) -> readers.Loaded:
        raise KeyError("/\x1b]0;Root")

    monkeypatch.setitem(readers.READERS, ".md", reader)
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "b.txt").write_text("The fee is 5%.", encoding="utf-8")
    documents, warnings = read_files(tmp_path)
    assert [document.text for document in documents] == ["The fee is 5%."]
    assert "a.md cannot be read (KeyError" in warnings[0] and "\x1b" not in warnings[0]


# --- folders -------------------------------------------------------------------------------------


@unix
def test_a_linked_folder_is_left_out_with_a_warning_and_read_when_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text("B.", encoding="utf-8")
    (tmp_path / "docs" / "other").symlink_to(tmp_path / "other")
    (tmp_path / "docs" / "round").symlink_to(tmp_path / "docs")
    (tmp_path / "docs" / "a.txt").write_text("A.", encoding="utf-8")
    documents, warnings = read_files(tmp_path / "docs")
    assert [document.text for document in documents] == ["A."]
    assert ["other was left out" in warnings[0], "round was left out" in warnings[1]] == [True] * 2
    assert "links to folders are not followed" in warnings[0] and len(warnings) == 2
    assert texts(tmp_path / "docs" / "other") == ["B."]


@unix
def test_a_linked_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.txt").write_text("A.", encoding="utf-8")
    (tmp_path / "docs" / "b.txt").symlink_to(tmp_path / "a.txt")
    assert texts(tmp_path / "docs") == ["A."]


def unlistable(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_a_folder_that_cannot_be_listed_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.txt").write_text("A.", encoding="utf-8")
    unlistable(monkeypatch, tmp_path / "closed")
    documents, warnings = read_files(tmp_path)
    assert [document.text for document in documents] == ["A."]
    assert len(warnings) == 1 and "closed was left out" in warnings[0]
    assert "Permission denied" in warnings[0]


def test_a_named_folder_that_cannot_be_listed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlistable(monkeypatch, tmp_path)
    with pytest.raises(DocumentError, match="cannot be listed: Permission denied"):
        read_files(tmp_path)


@pytest.fixture
def nested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, str], Path]]:
    """Makes so many folders of a name in each other, a file in the innermost; takes them away."""
    monkeypatch.chdir(tmp_path)
    made: list[str] = []

    def make(levels: int, name: str) -> Path:
        for _ in range(levels):
            Path(name).mkdir()
            os.chdir(name)
            made.append(name)
        Path("a.txt").write_text("Deep down.", encoding="utf-8")
        return tmp_path

    yield make
    Path("a.txt").unlink()
    for name in made:  # step by step: what removes trees may itself recurse
        os.chdir("..")
        Path(name).rmdir()


def test_folders_are_nested_deeper_than_functions_may_call_each_other(
    nested: Callable[[int, str], Path],
) -> None:
    folder = nested(400, "d")
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        documents, warnings = read_files(folder)
    finally:
        sys.setrecursionlimit(before)
    assert [document.text for document in documents] == ["Deep down."]
    assert warnings == [] and documents[0].source.count(f"d{os.sep}") >= 400


@unix
def test_folders_nested_beyond_what_the_system_allows_warn(
    nested: Callable[[int, str], Path],
) -> None:
    documents, warnings = read_files(nested(25, "d" * 200))  # of 4,096 characters in all
    assert documents == []
    assert "was left out" in warnings[0] and "too long" in warnings[0]
    assert len(warnings[0]) < 600


# --- JSON ----------------------------------------------------------------------------------------


def test_a_key_given_twice_keeps_both_values_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"orders": [{"id": 1}, {"id": 2, "status": "cancelled", "status": "active"}]}',
        encoding="utf-8",
    )
    (document,), warnings = read_files(tmp_path)
    assert document.text.endswith("orders[1].status: cancelled, active")
    assert len(warnings) == 1 and "a.json" in warnings[0] and "orders[1].status" in warnings[0]


def test_objects_under_a_key_given_twice_are_both_stated(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": {"fee": 5}, "a": {"fee": 6}}', encoding="utf-8")
    assert texts(tmp_path) == ["a[0].fee: 5\n\na[1].fee: 6"]


def test_a_key_given_twice_in_a_line_is_named_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": 1, "a": 2}\n', encoding="utf-8")
    (document,), warnings = read_files(tmp_path)
    assert document.text == "[0].a: 1\n\n[1].a: 1, 2"
    assert len(warnings) == 1 and "line 2" in warnings[0] and ": a;" in warnings[0]


def test_a_key_given_twice_in_a_tools_result_is_named() -> None:
    bundle = Bundle()
    bundle.add_tool_result("lookup", '{"status": "cancelled", "status": "active"}')
    bundle.add_tool_result("lookup", '{"status": "cancelled", "status": "active"}')
    assert "cancelled, active" in bundle.documents[0].text
    assert len(bundle.warnings) == 1
    assert "'lookup'" in bundle.warnings[0] and "status" in bundle.warnings[0]


def test_each_place_of_a_key_given_twice_is_named_up_to_five() -> None:
    value, named = loads('{"a": 1, "a": 2, "b": [[{"c": 1, "c": 2}]], "d": {"": 0, "": 0}}')
    assert named == ["a", "b[0][0].c", "d."]
    assert value == {"a": [1, 2], "b": [[{"c": [1, 2]}]], "d": {"": [0, 0]}}
    assert loads("[" + ", ".join(['{"a": 1, "a": 2}'] * 1205) + "]")[1] == [
        *(f"[{k}].a" for k in range(5)),
        "and 1,200 more",
    ]


def test_naming_keys_given_twice_takes_no_more_memory_than_the_text() -> None:
    twice = '{"a": 1, "a": 2}'
    text = '{"' + "k" * 1_000_000 + '": [' + ", ".join([twice] * 2000) + "]}"
    tracemalloc.start()
    try:
        _, named = loads(text)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert max(map(len, named)) < 100
    deep = '{"a": ' * 300 + twice + "}" * 300
    assert loads(deep)[1] == ["\N{HORIZONTAL ELLIPSIS}" + ".a" * 10]


@pytest.mark.parametrize(
    ("text", "told"), [('"The fee is 5%."', "The fee is 5%."), ("5", "5"), ("[]", "")]
)
def test_json_of_one_value_is_read(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert texts(tmp_path)[0].strip(": empty") == told.strip(": empty")


def test_of_many_bad_lines_twenty_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n' + "{\n" * 1025, encoding="utf-8")
    (document,), warnings = read_files(tmp_path)
    assert document.text == "[0].a: 1"
    assert len(warnings) == 21 and "1,005 more of its lines" in warnings[-1]


# --- names, and what libraries log ---------------------------------------------------------------

EVIL = "\x1b]0;owned\x07\nwarning: all is well\u202etxt.\u200b"


@unix
def test_names_are_safe_to_print_in_every_message_and_whole_in_the_source(tmp_path: Path) -> None:
    folder = tmp_path / f"docs{EVIL}"
    (folder / f"empty{EVIL}").mkdir(parents=True)
    (folder / f"loop{EVIL}").symlink_to(folder)
    files = {
        "a.txt": b"caf\xe9",
        "b.json": b'{"k\x1b": 1, "k\x1b": 2}'.replace(b"\x1b", rb"\u001b"),
        "c.json": b"{",
        "d.exe\x1b": b"x",
        "e.csv": b"a,b\n1\n",
        "f.jsonl": b"{\n",
        "g.html": b"",
        "h.pdf": b"%PDF-1.4 \x1b]0;x\x07",
        "i.docx": b"PK\x03\x04",
        "j.txt": b"\x00\x00",
        "k.txt": b"\xff\xfe\x00",
    }
    for name, data in files.items():
        (folder / f"{EVIL}{name}").write_bytes(data)
    documents, warnings = read_files(folder)
    assert len(warnings) > len(files)
    assert [warning for warning in warnings if printable(warning) != warning] == []
    assert f"{folder}/{EVIL}a.txt" in [document.source for document in documents]


@pytest.mark.parametrize("name", [f"{EVIL}none.txt", "\ud800.txt", f"{EVIL}\0", "\x1b" * 5000])
def test_names_are_safe_to_print_in_every_error(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_files([name])
    assert printable(str(caught.value)) == str(caught.value)
    assert caught.value.source == name and len(str(caught.value)) < 2000


@unix
def test_a_name_that_is_no_text_is_read_and_shown(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    try:
        path.write_bytes(b"caf\xe9")
    except OSError:
        pytest.skip("this system has no such names")
    (document,), warnings = read_files(tmp_path)
    assert document.source == str(path)
    assert "caf\\udce9.txt" in warnings[0]


def loggers() -> list[object]:
    names = ("pypdf", "charset_normalizer", "root")
    found = [logging.getLogger(name) for name in names]
    return [(one.level, one.propagate, one.disabled, [*one.handlers]) for one in found]


def test_what_a_library_logs_of_a_file_is_not_passed_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("pypdf")
    pytest.importorskip("charset_normalizer")
    caplog.set_level(1)
    (tmp_path / "a.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj << /A \x1b]0;SECRET\x07 >> endobj\nxref\n0 1\n"
        b"trailer << /Size 1 /Root 1 0 R >>\nstartxref\n9\n%%EOF"
    )
    (tmp_path / "b.txt").write_bytes(
        "Плата за просрочку составляет пять процентов.".encode("cp1251")
    )
    before = loggers()
    documents, warnings = read_files(tmp_path)
    assert len(documents) == 1 and any("a.pdf was left out" in warning for warning in warnings)
    decode((tmp_path / "b.txt").read_bytes(), "b.txt")
    assert caplog.records == []
    assert loggers() == before


def test_what_other_threads_log_meanwhile_is_passed_on(caplog: pytest.LogCaptureFixture) -> None:
    def log(text: str) -> None:
        logging.getLogger("pypdf.of_the_caller").warning(text)

    before = loggers()
    with quietly(), quietly():
        log("ours")
        other = threading.Thread(target=log, args=["theirs"])
        other.start()
        other.join()
        assert loggers() != before
    log("after")
    assert [record.getMessage() for record in caplog.records] == ["theirs", "after"]
    assert loggers() == before


def test_a_handler_that_the_caller_gave_a_library_gets_its_lines_once() -> None:
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Kept()
    logging.getLogger("pypdf").addHandler(handler)
    try:
        with quietly():
            logging.getLogger("pypdf.of_the_caller").warning("damaged")
    finally:
        logging.getLogger("pypdf").removeHandler(handler)
    assert lines == ["damaged"]


def test_a_row_without_its_key_is_named_whatever_its_columns_are() -> None:
    with pytest.raises(ValueError, match="row 1 of 'plans' has no 'id'; it has 1, name"):
        Bundle().add_rows("plans", [{1: 2, "name": "Pro"}], key="id")  # type: ignore[dict-item]
