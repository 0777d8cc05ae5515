"""Whatever comes in: a clear error or a warning in the report, in time that grows with the input.

Most tests use the lexical embedder, which needs no encoder, and the real parser.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo import (
    Checker,
    Config,
    ConfigError,
    DocumentError,
    Halgorithm,
    IndexFormatError,
    IndexMismatchError,
    ModelNotFoundError,
    Report,
    State,
    UnsupportedFormatError,
    Verdict,
    compare_to_docs,
)
from halgo.report import markdown, text
from halgo.sources.sentences import split
from halgo.types import FloatMatrix

pytestmark = pytest.mark.models

FEE = "Acme Ltd shall pay invoices within thirty (30) days. A late fee of 1.5% per month applies."
CLAIM = "A late fee of 1.5% per month applies."


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    made = Halgorithm(embedder="lexical")
    made.checker(FEE).check(CLAIM)  # models are loaded before anything is timed
    return made


@pytest.fixture(scope="module")
def checker(halgorithm: Halgorithm) -> Checker:
    return halgorithm.checker(FEE)


def whole(report: Report) -> Report:
    """The report, after every form of it was made."""
    json.loads(report.to_json())
    for colour in (True, False):
        assert text.render(report, color=colour)
    assert markdown.render(report)
    for claim in [*(result.claim for result in report), *report.skipped]:
        assert 0 <= claim.span.start < claim.span.end <= len(report.answer)
    for result in report:
        assert 0 <= result.score <= 1
    return report


def seconds(call: Callable[[], Any]) -> float:
    """The processor time a call takes, which a busy machine does not stretch."""
    start = time.process_time()
    call()
    return time.process_time() - start


# -- nothing to check, nothing to check against -------------------------------------------------


@pytest.mark.parametrize(
    ("docs", "warnings"), [([], 0), ("", 1), (" \n", 1), (["", "\t"], 2), ([{"text": ""}], 1)]
)
def test_without_words_in_the_documents_nothing_is_judged(
    halgorithm: Halgorithm, docs: Any, warnings: int
) -> None:
    checker = halgorithm.checker(docs)
    report = whole(checker.check(CLAIM))
    assert report.state is State.NO_SOURCES and report.grounded is None
    assert len(report.warnings) == warnings
    assert all(result.verdict is Verdict.HALLUCINATION for result in report)


def test_an_empty_document_among_others_is_a_warning(halgorithm: Halgorithm) -> None:
    report = whole(halgorithm.checker([FEE, ""]).check(CLAIM))
    assert report.grounded and "'doc2'" in report.warnings[0]


@pytest.mark.parametrize(
    "answer", ["", "\n \t", "\u200b", "---", "Hello!", "Is it 5%?", "```\n```"]
)
def test_an_answer_without_claims_neither_passes_nor_fails(checker: Checker, answer: str) -> None:
    report = whole(checker.check(answer))
    assert report.state in (State.EMPTY, State.NO_CLAIMS)
    assert report.grounded is None and report.confidence is None and not report.results


def test_claims_without_words_are_judged_and_not_dropped(checker: Checker) -> None:
    report = checker.check_claims(["", " ", "\n", "\x00", "?", "…"])
    assert [result.verdict for result in report] == [Verdict.HALLUCINATION] * 6
    json.loads(report.to_json())


# -- files --------------------------------------------------------------------------------------


def saved(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    ("name", "data", "error", "said"),
    [
        ("photo.txt", b"\x89PNG\r\n\x00\x00\x1a", DocumentError, "not text"),
        ("program.bin", bytes(range(256)) * 9, UnsupportedFormatError, "'.bin'|.bin extension"),
        ("table.xls", b"\xd0\xcf", UnsupportedFormatError, "save it as .xlsx"),
        ("row.json", '{"fee": ', DocumentError, "not valid JSON at line 1, column"),
        ("deep.json", "[" * 100_000, DocumentError, "nested too deeply|not valid JSON"),
        ("report.pdf", b"no pdf", DocumentError, "report.pdf"),
        ("letter.docx", b"no docx", DocumentError, "letter.docx"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_with_its_name(
    halgorithm: Halgorithm,
    tmp_path: Path,
    name: str,
    data: bytes | str,
    error: type[Exception],
    said: str,
) -> None:
    path = saved(tmp_path, name, data)
    with pytest.raises(error, match=said) as caught:
        Checker.from_files([path], halgorithm=halgorithm)
    assert str(path) in str(caught.value)


def test_a_missing_file_and_one_that_may_not_be_read_are_errors(
    halgorithm: Halgorithm, tmp_path: Path
) -> None:
    with pytest.raises(DocumentError, match=r"no such file: .*none\.md \(looked in "):
        Checker.from_files(tmp_path / "none.md", halgorithm=halgorithm)
    locked = saved(tmp_path, "locked.md", FEE)
    locked.chmod(0)
    if os.access(locked, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(DocumentError, match=r"locked\.md"):
        Checker.from_files(locked, halgorithm=halgorithm)


def test_in_a_folder_what_cannot_be_read_is_left_out_with_a_warning(
    halgorithm: Halgorithm, tmp_path: Path
) -> None:
    saved(tmp_path, "a-fee.md", FEE)
    saved(tmp_path, "b-empty.txt", "")
    saved(tmp_path, "c-photo.txt", b"\x00\x01")
    saved(tmp_path, "d-bad.json", "{")
    saved(tmp_path, "e-lines.jsonl", '{"desks": 40}\n{oops\n{"desks": 50}')
    saved(tmp_path, "f-bad.csv", "plan,price\nTeam,79\nStarter,29,extra\n")
    saved(tmp_path, "g.unknown", "words")
    saved(tmp_path, "h-western.txt", "The café closes at noon.".encode("cp1252"))
    report = whole(Checker.from_files(tmp_path, halgorithm=halgorithm).check(CLAIM))
    assert report.grounded
    for name in ("b-empty", "c-photo", "d-bad", "e-lines", "f-bad", "g.unknown", "h-western"):
        assert any(name in warning for warning in report.warnings), name


def test_an_empty_folder_is_a_warning(halgorithm: Halgorithm, tmp_path: Path) -> None:
    report = Checker.from_files(tmp_path, halgorithm=halgorithm).check(CLAIM)
    assert report.state is State.NO_SOURCES and "no file" in report.warnings[0]


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(
    halgorithm: Halgorithm, tmp_path: Path
) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as stream:
        stream.truncate(300_000_000)  # a hole: takes no room on the disk

    def read() -> None:
        with pytest.raises(DocumentError, match="300,000,000 bytes"):
            Checker.from_files(path, halgorithm=halgorithm)

    assert seconds(read) < 1


def test_reading_fifty_megabytes_takes_as_long_as_reading_fifty_files_of_one(
    tmp_path: Path,
) -> None:
    # The parts that see the text as a whole; parsing goes sentence by sentence.
    from halgo.sources.folders import read_files
    from halgo.sources.sentences import split

    def read(path: Path) -> None:
        (document,), _ = read_files(path)
        split(document.text[: len(document.text) // 10])

    line = "The late fee is 1.5% per month. Acme pays within 30 days.\n"
    small = saved(tmp_path, "small.txt", line * (1_000_000 // len(line)))
    large = saved(tmp_path, "large.txt", line * (10_000_000 // len(line)))
    once = seconds(lambda: read(small))
    assert seconds(lambda: read(large)) < 10 * 3 * once + 0.5


def test_time_grows_with_the_documents_and_not_faster(halgorithm: Halgorithm) -> None:
    def document(sentences: int) -> str:
        return " ".join(
            f"Office {k} of Acme pays {k % 97} pounds for the {k % 13} desks that it rents."
            for k in range(sentences)
        )

    small, large = document(100), document(500)
    halgorithm.checker(document(20))
    once = seconds(lambda: halgorithm.checker(small))
    assert seconds(lambda: halgorithm.checker(large)) < 5 * 2 * once + 0.5


# -- odd characters -----------------------------------------------------------------------------

ODD = [
    "The fee is \ud800 5%. \udfff",
    "The\x00 fee\x07 is \x1b[31m5%\x1b[0m.\x08\x7f",
    "\ufeffThe fee is 5%.\u202e txet \u2066",
    "الرسوم هي خمسة بالمئة في السنة. ההסכם נכנס לתוקף ב-1 במרץ 2023.",
    "fee" + "\u0301" * 3000 + " is 5%.",
    "🎉 👨‍👩‍👧‍👦 is 5%. 中文句子没有空格。費用は5%です。",
    "The fee is ٥٪ or ５% or ⅗ or ³.",
    "It was signed on 99/99/9999, 31 February 2020 and 0000-00-00, in the year 99999.",
    "The fee is 1e999999999 or -0.0 or NaN or inf or 0x1F or " + "9" * 4000 + ".",
    "(" * 1000 + "1" + ")" * 1000 + " is the fee.",
    "| a | b |\n|---|\n| 1 | 2 | 3 |\n|",
    "\r\rThe fee\u2028is\u20295%.\x0b\x0c\x85",
]


@pytest.mark.parametrize("odd", ODD)
def test_odd_characters_are_checked_like_any_others(
    halgorithm: Halgorithm, checker: Checker, odd: str
) -> None:
    whole(checker.check(odd))
    report = whole(halgorithm.checker([odd, {"text": odd, "id": odd, "source": odd}]).check(odd))
    assert report.state in (State.ASSESSED, State.NO_CLAIMS)


def test_terminals_get_no_control_characters_from_a_document(halgorithm: Halgorithm) -> None:
    evil = "The fee is 5% \x1b]0;owned\x07 a month."
    report = halgorithm.checker([{"text": evil, "source": "\x1b[2Jdoc"}]).check(evil)
    shown = text.render(report, color=False)
    assert not {c for c in shown if ord(c) < 32 or ord(c) == 127} - {"\n"}


def test_dates_of_right_to_left_text_are_compared(halgorithm: Halgorithm) -> None:
    checker = halgorithm.checker("ההסכם נכנס לתוקף בתאריך 2023-03-01.")
    same, other = checker.check_claims(
        ["ההסכם נכנס לתוקף בתאריך 2023-03-01.", "ההסכם נכנס לתוקף בתאריך 2024-04-01."]
    )
    assert (same.verdict, same.reason) == (Verdict.WEAK_SUPPORT, "language")
    assert other.verdict is Verdict.CONTRADICTION


# What lines of documents begin, end and are parted with, in any order.
PIECES = (
    *("tel", "no", "e.g", "max", "a", "12", "3.5 kg", "2024-01-02", "null", "yes", "$5", "x[1].y"),
    *(".", ":", ";", "|", "-", "\N{EM DASH}", "=", "::", "#", "*", ">", "!", "..", "[ ]", "(", ")"),
    *("{", "}", "[", "]", '"a": 1', "```", "|---|", "+--+", "===", "{|", "|}", "<b>", "//", "Q:"),
    *(" ", " ", ": ", "; ", ". ", "\n", "\n\n", "\t", "1. ", "- "),
)
LINE = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
LINES = st.lists(LINE, max_size=10).map("\n".join)


@given(LINES)
@settings(max_examples=500)
def test_any_lines_are_cut_into_sentences(text: str) -> None:
    for sentence in split(text, hanging=True):
        assert sentence.span.of(text).strip()


@pytest.mark.parametrize(
    "line", ["tel.: 0123 4567", "max.: 5 kg", "no.: 17 | height: 24 m", "e.g.: a"]
)
def test_an_abbreviation_before_a_colon_is_no_key(halgorithm: Halgorithm, line: str) -> None:
    (result,) = halgorithm.checker(line).check_claims([line]).results
    assert result.verdict is Verdict.SUPPORTED


@given(st.text(max_size=120) | LINES, st.text(max_size=120) | LINES)
@settings(max_examples=40)
def test_any_two_texts_can_be_compared(document: str, answer: str) -> None:
    checker = Halgorithm(embedder="lexical").checker(document)
    whole(checker.check(answer))
    assert len(checker.check_claims([answer, document])) == 2


# -- much of it ---------------------------------------------------------------------------------

LONG = {
    "words": "word ",
    "names": "Acme ",
    "one word": "a",
    "digits": "7",
    "clauses": "the Client shall pay the fee within thirty days and ",
    "brackets": "(",
    "stars": "*",
    "table marks": "|",
    "links": "[a](",
    "quotes": '"',
    "dots": ". ",
    "commas": ",",
}


@pytest.mark.parametrize("unit", LONG.values(), ids=list(LONG))
def test_a_sentence_of_100_000_characters_takes_seconds(
    halgorithm: Halgorithm, checker: Checker, unit: str
) -> None:
    long = unit * (100_000 // len(unit))
    assert seconds(lambda: whole(checker.check(long))) < 30
    assert seconds(lambda: whole(halgorithm.checker(long).check(CLAIM))) < 30


def test_many_amounts_in_one_sentence_take_time_in_proportion(halgorithm: Halgorithm) -> None:
    def both(count: int) -> None:
        document = ", ".join(f"{k}%" for k in range(count)) + "."
        claim = ", ".join(f"{k + 0.5}%" for k in range(count)) + "."
        halgorithm.checker(document).check_claims([f"The fees are {claim}"])

    both(5)
    assert seconds(lambda: both(100)) < 20


class ByLength:
    """A stand-in for an encoder, so that the number of claims is what takes the time."""

    name, dim = "by-length", 4

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        rows = np.zeros((len(texts), 4), dtype=np.float32)
        rows[np.arange(len(texts)), [len(one) % 4 for one in texts]] = 1.0
        return rows


def test_thousands_of_claims_of_a_few_kinds_are_each_judged() -> None:
    # Distinct claims take time in proportion (the next test); here the number itself matters.
    checker = Halgorithm(embedder=ByLength(), entailment=None).checker(FEE)
    answer = "Fees rise. Acme pays. It is late. Months pass. " * 1000
    report = checker.check(answer)
    assert len(report) + len(report.skipped) == 4_000
    assert len(json.loads(report.to_json())["claims"]) == len(report)


def test_time_grows_with_the_claims_and_not_faster() -> None:
    checker = Halgorithm(embedder=ByLength()).checker(FEE)

    def check(start: int, count: int) -> None:
        assert len(checker.check_claims([f"Office {start + k} is late." for k in range(count)]))

    check(0, 20)
    once = seconds(lambda: check(1000, 30))
    assert seconds(lambda: check(5000, 180)) < 6 * 2 * once + 0.5


# -- sums and code ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        "9**9**9 = 1.",
        "The result is 9**9**9**9.",
        "9^9^9^9 = 5",
        "2 ** 1000000000 = 7",
        "100000000! = 7",
        "1/0 = 3",
        "0.1e999999999 + 1 = 2",
        "9" * 3000 + " * " + "9" * 3000 + " = 1",
        "1" + " + 1" * 900 + " = 901",
        "(" * 400 + "2" + ")" * 400 + " = 2",
        "sqrt(-1) = 2 and 5 % 0 = 1 and 7 // 0 = 2.",
    ],
)
def test_a_hostile_sum_is_judged_at_once(checker: Checker, claim: str) -> None:
    assert seconds(lambda: whole(checker.check_claims([claim])) and None) < 5
    whole_report = checker.check(claim)
    json.loads(whole_report.to_json())


def test_text_is_never_run(checker: Checker, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for code in (
        f'__import__("os").system("touch {mark}") = 0',
        f'__import__("pathlib").Path("{mark}").touch() + 1 = 1',
        f'open("{mark}", "w").close() = 2 + 2',
        f"The result of exec(\"open('{mark}', 'w')\") is 2 + 2 = 4.",
    ):
        whole(checker.check(code))
        checker.check_claims([code])
    assert not mark.exists()


# -- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [2, -0.1, math.nan, math.inf, -math.inf, "0.3", True, [0.3]])
def test_a_threshold_out_of_range_is_an_error_with_its_value(
    halgorithm: Halgorithm, checker: Checker, wrong: Any
) -> None:
    for call in (
        lambda: halgorithm.compare_to_docs(FEE, CLAIM, wrong),
        lambda: compare_to_docs(FEE, CLAIM, threshold=wrong),
        lambda: Config(threshold=wrong),
        lambda: Config(support_threshold=wrong),
        lambda: checker.check(CLAIM).rethreshold(wrong),
    ):
        with pytest.raises(ConfigError, match="threshold must be a number from 0 to 1, not") as e:
            call()
        assert repr(wrong) in str(e.value)


def test_thresholds_out_of_order_are_an_error(checker: Checker) -> None:
    with pytest.raises(ConfigError, match=r"threshold \(0.7\) must not be above"):
        Config(threshold=0.7)
    with pytest.raises(ConfigError, match="must not be above"):
        checker.check(CLAIM).rethreshold(0.5, support_threshold=0.4)


def test_the_published_call_lifts_support_with_a_high_threshold(halgorithm: Halgorithm) -> None:
    (result,) = halgorithm.compare_to_docs(FEE, CLAIM, threshold=0.8)
    assert result["status"] in ("SUPPORTED", "HALLUCINATION")


@pytest.mark.parametrize(
    "wrong",
    [
        {"top_k": 0},
        {"detectors": "numbers"},
        {"detectors": 5},
        {"detectors": ["numbers", 5]},
        {"mode": "modern"},
        {"granularity": None},
        {"sentence_overlap": 2},
        {"no_such": 1},
        {5: 1, "x": 2},
        None,
        [("top_k", 1)],
    ],
)
def test_wrong_settings_are_one_kind_of_error(wrong: Any) -> None:
    with pytest.raises(ConfigError):
        Config.from_dict(wrong)


@pytest.mark.parametrize(
    "text_", ["[halgo", "halgo = 5", "top_k = 0", "[halgo]\nno_such = 1", "top_k = 'a'"]
)
def test_a_settings_file_that_is_wrong_says_so(tmp_path: Path, text_: str) -> None:
    with pytest.raises(ConfigError):
        Config.from_toml(saved(tmp_path, "halgo.toml", text_))
    with pytest.raises(ConfigError, match=r"none\.toml"):
        Config.from_toml(tmp_path / "none.toml")


# -- wrong arguments ----------------------------------------------------------------------------


def test_an_argument_of_the_wrong_type_is_named(halgorithm: Halgorithm, checker: Checker) -> None:
    wrong: list[tuple[str, Callable[[], Any]]] = [
        ("NoneType", lambda: halgorithm.checker(None)),  # type: ignore[arg-type]
        ("decode it first", lambda: halgorithm.checker(b"text")),  # type: ignore[arg-type]
        ("from_files", lambda: halgorithm.checker([Path("a")])),  # type: ignore[list-item]
        ("None", lambda: Checker.from_files(None)),  # type: ignore[arg-type]
        ("5", lambda: Checker.from_files(5)),  # type: ignore[arg-type]
        ("int", lambda: Checker.from_files([5])),  # type: ignore[list-item]
        ("NoneType", lambda: checker.check(None)),  # type: ignore[arg-type]
        ("use check", lambda: checker.check_many("one")),
        ("None", lambda: checker.check_many(None)),  # type: ignore[arg-type]
        ("use check", lambda: checker.check_claims("one")),
        ("None", lambda: checker.check_claims(None)),  # type: ignore[arg-type]
        ("int", lambda: checker.check_claims([5])),  # type: ignore[list-item]
        ("dict", lambda: Halgorithm({"top_k": 1})),  # type: ignore[arg-type]
        ("int", lambda: Checker.from_docs("a", halgorithm=5)),  # type: ignore[arg-type]
        ("lacks name", lambda: Halgorithm(embedder=5).checker("a")),  # type: ignore[arg-type]
    ]
    for said, call in wrong:
        with pytest.raises(TypeError, match=said):
            call()


def test_answers_and_claims_may_come_from_a_generator(checker: Checker) -> None:
    def each() -> Iterator[str]:
        yield CLAIM

    assert len(checker.check_many(each())) == 1  # type: ignore[arg-type]
    assert len(checker.check_claims(each())) == 1  # type: ignore[arg-type]


# -- models and indexes -------------------------------------------------------------------------


def test_a_missing_model_is_an_error_that_names_the_places_and_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halgo import models

    monkeypatch.setenv("HALGO_MODELS", str(tmp_path))
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setattr(models, "environment_folder", lambda name: tmp_path / "share" / name)
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    monkeypatch.setattr(models, "__file__", str(tmp_path / "halgo" / "models.py"))
    with pytest.raises(ModelNotFoundError, match="halgo models fetch") as caught:
        Halgorithm().checker(FEE)
    assert caught.value.name == "minilm"
    assert any(str(tmp_path) in place for place in caught.value.searched)
    with pytest.raises(ModelNotFoundError, match=r"modules\.json"):
        Halgorithm(embedder=str(tmp_path)).checker(FEE)


def test_an_index_that_is_damaged_is_never_half_read(
    halgorithm: Halgorithm, checker: Checker, tmp_path: Path
) -> None:
    good = tmp_path / "good.halgo"
    checker.save(good)
    data = good.read_bytes()
    again = Checker.from_index(good, halgorithm=halgorithm).check(CLAIM)
    assert again.to_json() == checker.check(CLAIM).to_json()
    bad = tmp_path / "bad.halgo"
    for at in range(0, len(data), len(data) // 40):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            bad.write_bytes(damaged)
            with pytest.raises(IndexFormatError, match=r"bad\.halgo"):
                Checker.from_index(bad, halgorithm=halgorithm)
    for data in (b"", b"hello", b"PK\x03\x04"):
        bad.write_bytes(data)
        with pytest.raises(IndexFormatError, match=r"bad\.halgo"):
            Checker.from_index(bad, halgorithm=halgorithm)
    for place in (tmp_path, tmp_path / "none.halgo"):
        with pytest.raises(IndexFormatError, match=str(place)):
            Checker.from_index(place, halgorithm=halgorithm)


def test_an_index_of_another_embedder_is_an_error(
    halgorithm: Halgorithm, checker: Checker, tmp_path: Path
) -> None:
    path = tmp_path / "lexical.halgo"
    checker.save(path)
    with pytest.raises(IndexMismatchError, match="'lexical', not 'by-length'"):
        Checker.from_index(path, halgorithm=Halgorithm(embedder=ByLength()))


def test_an_index_is_written_to_a_file_in_a_folder_that_is_there(
    checker: Checker, tmp_path: Path
) -> None:
    with pytest.raises(IsADirectoryError):
        checker.save(tmp_path)
    with pytest.raises(FileNotFoundError, match="none"):
        checker.save(tmp_path / "none" / "x.halgo")
    assert list(tmp_path.iterdir()) == []


def test_an_embedder_that_breaks_its_promise_is_named() -> None:
    class Broken(ByLength):
        def embed(self, texts: Sequence[str]) -> FloatMatrix:
            return np.full((len(texts), 4), np.nan, dtype=np.float32)

    with pytest.raises(ValueError, match="by-length"):
        Halgorithm(embedder=Broken()).checker(FEE)
