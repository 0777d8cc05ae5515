"""Written claims are read as they stand, and none is about a text halgo is measured on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import small_training

from halgo.evidence.embed import LexicalEmbedder

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "models" / "entailment" / "written"

OURS = """\
@ price list
The Basic plan costs 9 EUR a month.
* Support is by e-mail only.
==
+ Basic costs nine euros a month.
-- Basic costs [[nineteen]] euros a month.
? Basic costs nine euros a month, [[payable in advance]].
"""


@pytest.fixture(scope="module")
def written() -> Iterator[Any]:
    """`training.written`."""
    with small_training.training("written") as package:
        yield package.written


def test_a_document_of_ours_stands_in_the_file(written: Any, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text(OURS, encoding="utf-8")
    (document,) = written.read(tmp_path / "own.txt", {})
    assert document.text == "The Basic plan costs 9 EUR a month.\n* Support is by e-mail only."
    true, false, extra = document.claims
    assert (true.sign, true.spans, true.twin) == ("+", (), False)
    assert (false.sign, false.twin) == ("-", True)
    assert false.text == "Basic costs nineteen euros a month."
    assert [false.text[a:b] for a, b in false.spans] == ["nineteen"]
    assert [extra.text[a:b] for a, b in extra.spans] == ["payable in advance"]


def test_a_labelled_document_is_found_by_its_key_or_left_out(written: Any, tmp_path: Path) -> None:
    text = "The mill closed in 1980. It had employed 40 people. Now it is a museum."
    path = tmp_path / "found.txt"
    lines = f"@ {written.key(text)} 25 51\n+ It gave work to forty people.\n"
    path.write_text(lines + "\n@ 000000000000 0 9\n+ Nobody has this one.\n", encoding="utf-8")
    (document,) = written.read(path, {written.key(text): text})
    assert document.text == "It had employed 40 people."


def test_a_line_of_another_form_is_told_with_its_file(written: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(OURS + "* Basic costs 9 EUR.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"own\.txt.*Basic costs 9 EUR.*begins with none"):
        written.read(path, {})


@pytest.mark.torch
def test_claims_have_their_label_and_twins_come_with_them_when_asked(
    written: Any, tmp_path: Path
) -> None:
    (tmp_path / "own.txt").write_text(OURS, encoding="utf-8")
    alone = written.written_pairs(LexicalEmbedder(), tmp_path, [], 1)
    both = written.twinned_pairs(LexicalEmbedder(), tmp_path, [], 1)
    true, false, extra = (0, "written: true"), (2, "written: false"), (1, "written: open")
    assert [(pair.label, pair.source) for pair in alone] == [true, extra]
    against = [pair for pair in both if pair.source != "twins"]
    assert [(pair.label, pair.source) for pair in against] == [true, false, extra]
    assert all("9 EUR" in pair.premise for pair in against)
    assert [pair.twin for pair in against] == [False, True, False]


@pytest.mark.torch
def test_twins_are_each_wrong_by_the_other(written: Any, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text(OURS, encoding="utf-8")
    pairs = written.twinned_pairs(LexicalEmbedder(), tmp_path, [], 1)
    twins = [(pair.premise, pair.claim, pair.label) for pair in pairs if pair.source == "twins"]
    nine, nineteen = "Basic costs nine euros a month.", "Basic costs nineteen euros a month."
    assert twins == [(nine, nineteen, 2), (nineteen, nine, 2)]


@pytest.mark.torch
def test_what_can_be_guessed_is_told_and_what_cannot_is_not(written: Any, tmp_path: Path) -> None:
    betrayed = (
        "@ note\nThe {0} is red.\n==\n+ Truly the {0} has red paint.\n- The {0} is [[blue]].\n"
    )
    even = "@ note\nThe {0} is {1}, not {2}.\n==\n+ The {0} is {1}.\n- The {0} is [[{2}]].\n"
    things = [f"thing{number}" for number in range(300)]

    def guessed(form: str) -> list[float]:
        colours = [("red", "blue"), ("blue", "red")]
        blocks = [form.format(thing, *colours[at % 2]) for at, thing in enumerate(things)]
        (tmp_path / "own.txt").write_text("\n".join(blocks), encoding="utf-8")
        pairs = written.written_pairs(LexicalEmbedder(), tmp_path, [], 1)
        return [pair.guess[pair.label] for pair in pairs]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    assert mean(guessed(betrayed)) > -0.35
    assert mean(guessed(even)) < -0.6  # evens are -0.69


def test_the_files_are_of_the_form_and_hold_no_text_halgo_is_measured_on(written: Any) -> None:
    measured = {
        line.strip()
        for path in (ROOT / "benchmarks" / "pairs" / "documents").glob("*.md")
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(line.split()) > 5
    }
    files = sorted(FOLDER.glob("*/*.txt"))
    assert files
    for path in files:
        assert "@ " in path.read_text(encoding="utf-8")
        for document in written.read(path, {}):
            assert document.claims
            assert not measured & set(document.text.splitlines())
