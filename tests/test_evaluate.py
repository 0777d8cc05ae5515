"""Runs over golden rows: figures, saved runs, and drops that are real."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_golden import ByNumber, row

from halgo.errors import GoldenError
from halgo.golden.evaluate import (
    Changed,
    Comparison,
    Relabelled,
    Run,
    compare,
    evaluate,
    reports,
)
from halgo.golden.rows import Label
from halgo.types import Verdict


def run_of(*texts: tuple[str, bool]) -> Run:
    return evaluate([row(text, label, text) for text, label in texts], ByNumber())


def test_every_row_is_checked_as_it_stands_and_documents_are_read_once() -> None:
    models = ByNumber()
    rows = [
        row("0.9 a", True, "d"),
        row("0.2 b", False, "e"),
        row("0.9 c; 0.5 d", False, "d", answer=True),
        row("0.8 against", Label.CONTRADICTED, "d"),
    ]
    found = reports(rows, models)
    assert [report.answer for report in found] == [row.text for row in rows]
    assert len(models.seen) == 2
    run = evaluate(rows, models)
    assert [(one.verdict, one.score) for one in run.outcomes] == [
        (Verdict.SUPPORTED, 0.9),
        (Verdict.HALLUCINATION, 0.2),
        (Verdict.WEAK_SUPPORT, 0.5),  # the worst claim of an answer is the answer
        (Verdict.CONTRADICTION, 0.6),
    ]
    assert [one.right for one in run.outcomes] == [True, True, True, True]


def test_figures_are_those_of_verdicts_and_labels() -> None:
    # Of three unsupported rows two are found; one supported row is flagged as well.
    run = run_of(
        ("0.9 a", True), ("0.4 b", True), ("0.9 c", False), ("0.4 d", False), ("0 e", False)
    )
    figures = run.figures()
    assert figures.unsupported["precision"] == pytest.approx(2 / 3)
    assert figures.unsupported["recall"] == pytest.approx(2 / 3)
    assert figures.f1 == pytest.approx(2 / 3)
    assert figures.supported == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert figures.balanced_accuracy == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert figures.verdicts["supported"]["WEAK_SUPPORT"] == 1
    assert figures.verdicts["unsupported"]["HALLUCINATION"] == 1


def test_a_verdict_other_than_the_row_names_is_counted_apart_from_every_figure() -> None:
    rows = [
        replace(row("0.8 against", False, "a"), verdicts=(Verdict.CONTRADICTION,)),
        replace(row("0.2 b", False, "b"), verdicts=(Verdict.CONTRADICTION,)),
        replace(row("0.5 c", False, "c"), verdicts=(Verdict.WEAK_SUPPORT, Verdict.HALLUCINATION)),
        replace(row("-", True, "d", answer=True), verdicts=(Verdict.SUPPORTED,)),
        row("0.9 e", True, "e"),
    ]
    run = evaluate(rows, ByNumber())
    assert [found.id for found in run.wrong_verdicts] == ["b|0.2 b", "d|-"]
    figures = run.figures()
    assert (figures.expected, figures.wrong_verdicts, figures.f1, run.wrong) == (4, 2, 1.0, ())
    plain = evaluate([replace(one, verdicts=()) for one in rows], ByNumber()).figures()
    assert replace(figures, expected=0, wrong_verdicts=0) == plain


def test_labels_that_seem_turned_round_are_asked_about() -> None:
    texts = [(f"0.{at} a", at > 4) for at in range(10)]
    assert run_of(*texts).figures().hint is None
    turned = run_of(*((text, not label) for text, label in texts)).figures()
    assert turned.auc == 0.0
    assert "ROC-AUC 0.000): are the labels turned round (1 = hallucinated)?" in (turned.hint or "")
    assert run_of(("0.9 a", True)).figures().hint is None  # no AUC without rows of both kinds


@pytest.mark.parametrize(
    "rows, models, said",
    [
        ("val.jsonl", ByNumber(), "rows must be a list of Rows, .*not str"),
        (ByNumber(), [row("0.9 a", True)], "rows must be a list of Rows, .*not ByNumber"),
        ([{"claim": "0.9 a"}], ByNumber(), "rows must be a list of Rows, .*not with dict"),
        ([None], ByNumber(), "rows must be a list of Rows, .*not with NoneType"),
        ([row("0.9 a", True)], "val.jsonl", "models must be a Halgorithm, .*not str"),
    ],
)
def test_arguments_of_another_kind_are_told_with_what_is_expected(
    rows: Any, models: Any, said: str
) -> None:
    with pytest.raises(TypeError, match=said):
        evaluate(rows, models)


def test_a_row_without_a_claim_is_counted_apart() -> None:
    run = evaluate([row("-", True, answer=True), row("0.9 a", True)], ByNumber())
    figures = run.figures()
    assert (figures.rows, figures.not_assessed) == (1, 1)
    assert figures.f1 is None and figures.auc is None  # nothing is unsupported here
    with pytest.raises(GoldenError, match="no row could be assessed"):
        evaluate([row("-", True, answer=True)], ByNumber()).figures()
    with pytest.raises(GoldenError, match="no row to evaluate"):
        evaluate([], ByNumber())


def test_a_saved_run_reads_back_as_it_was(tmp_path: Path) -> None:
    exact = replace(row("0.123456 a", True), verdicts=(Verdict.SUPPORTED, Verdict.WEAK_SUPPORT))
    run = evaluate([exact, row("-", False, answer=True)], ByNumber())
    run.save(tmp_path / "run.json")
    assert Run.load(tmp_path / "run.json") == run
    lines = (tmp_path / "run.json").read_text(encoding="utf-8").splitlines()
    assert sum('"key"' in line for line in lines) == 2  # a line a row, so that a diff shows it


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not a saved run"),
        ("[]", "schema is None"),
        ('{"schema": 99}', "schema is 99"),
        ('{"schema": 1, "engine": {}, "thresholds": [0.3, 0.6], "rows": [{}]}', "damaged run"),
        ('{"schema": 1, "engine": {}, "thresholds": 1, "rows": []}', "damaged run"),
    ],
)
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GoldenError, match=said):
        Run.load(path)
    with pytest.raises(GoldenError, match="cannot read"):
        Run.load(tmp_path / "none.json")


def turned(count: int, groups: int = 40, back: int = 0) -> Comparison:
    """A run of 40 rows held against one in which `count` that are wrong now were right."""
    now = ["0.1" if at < count else "0.9" for at in range(40)]
    then = ["0.1" if count <= at < count + back else "0.9" for at in range(40)]
    rows = [row(f"{at}", at % 2 == 0, f"g{at % groups}") for at in range(80)]
    fixed = [replace(one, text="0.1 x") for one in rows[40:]]

    def run(scores: list[str]) -> Run:
        texts = [replace(one, text=f"{score} x") for one, score in zip(rows, scores, strict=False)]
        labelled = [replace(one, label=Label.SUPPORTED) for one in texts]
        unlike = [replace(one, label=Label.UNSUPPORTED) for one in fixed]
        return evaluate([*labelled, *unlike], ByNumber())

    return compare(run(now), run(then))


def test_a_drop_is_real_only_when_the_choice_of_rows_does_not_explain_it() -> None:
    assert not turned(0).dropped and turned(0).flips == ()
    assert not turned(1).dropped
    assert not turned(6, back=6).dropped
    real = turned(8)
    assert real.dropped and len(real.flips) == 8 and all(flip.worse for flip in real.flips)
    assert real == turned(8)  # seeded


def test_few_groups_are_no_groups_to_draw_from() -> None:
    assert turned(1).drawn == "groups"
    few = turned(1, groups=1)
    assert few.drawn == "rows" and not few.dropped


def test_rows_that_turned_are_named_the_worse_ones_first() -> None:
    then = run_of(("0.1 a", True), ("0.9 b", True), ("0.9 c", False))
    key = {one.id: one for one in then.outcomes}
    now = replace(
        then,
        outcomes=(
            replace(key["0.1 a|0.1 a"], verdict=Verdict.SUPPORTED, score=0.9),
            replace(key["0.9 b|0.9 b"], verdict=Verdict.WEAK_SUPPORT, score=0.5),
            key["0.9 c|0.9 c"],
        ),
    )
    found = compare(now, then)
    assert [(flip.id, flip.worse) for flip in found.flips] == [
        ("0.9 b|0.9 b", True),
        ("0.1 a|0.1 a", False),
    ]


def test_a_corrected_label_counts_for_both_runs() -> None:
    then = run_of(("0.9 a", False), ("0.1 b", False))
    now = run_of(("0.9 a", True), ("0.1 b", False))
    found = compare(now, then)
    assert found.flips == () and not found.dropped
    assert found.relabelled == (Relabelled("0.9 a|0.9 a", Label.UNSUPPORTED, Label.SUPPORTED),)


def test_rows_of_one_run_alone_are_counted_and_other_models_noted() -> None:
    then, now = run_of(("0.9 a", True), ("0.1 b", False)), run_of(("0.9 a", True), ("0.1 c", False))
    now = replace(now, engine={**now.engine, "embedder": "other"}, thresholds=(0.2, 0.5))
    found = compare(now, then)
    assert (found.rows, found.new, found.gone, found.changed) == (1, 1, 1, ())
    assert found.notes[0] == "embedder: by-table then, other now"
    assert "cut points" in found.notes[1] and len(found.notes) == 2
    with pytest.raises(GoldenError, match=r"none of these rows \(2\)"):
        compare(now, run_of(("0.3 z", True)))


def regenerated(score: str, *, named: bool = True) -> Run:
    """A run of 30 rows that are supported, ids as in every other run, and 10 that are not."""
    good = [
        row(f"{score} a{at}", score > "0.6", f"d{at}", name=f"{'q' if named else 'line-'}{at}")
        for at in range(30)
    ]
    bad = [row(f"0.1 b{at}", False, f"e{at}") for at in range(10)]
    return evaluate([replace(one, named=named) for one in good] + bad, ByNumber())


def test_rows_are_compared_by_their_ids_when_documents_or_texts_changed() -> None:
    then, label = regenerated("0.9"), Label.SUPPORTED
    worse = regenerated("0.2")
    now = replace(worse, outcomes=tuple(replace(one, label=label) for one in worse.outcomes[:30]))
    found = compare(now, then)
    assert (found.rows, found.new, found.gone, len(found.changed)) == (30, 0, 10, 30)
    assert found.changed[0] == Changed("q0", Verdict.SUPPORTED, Verdict.HALLUCINATION)
    assert len(found.flips) == 30 and all(flip.worse for flip in found.flips)


def test_a_changed_row_keeps_the_label_that_its_old_text_had() -> None:
    # Good answers were called good, and the bad ones in their place are called bad.
    found = compare(regenerated("0.2"), regenerated("0.9"))
    assert len(found.changed) == 30 and found.flips == () and not found.dropped


def test_rows_without_ids_are_known_by_documents_and_text_and_the_others_are_told_of() -> None:
    then = regenerated("0.9", named=False)
    moved = replace(then, outcomes=tuple(replace(one, id=f"{one.id}0") for one in then.outcomes))
    assert compare(moved, then).rows == 40
    found = compare(regenerated("0.2", named=False), then)
    assert (found.rows, found.new, found.gone, found.changed) == (10, 30, 30, ())
    assert "rows without an id of their own" in found.notes[-1]


def test_rows_of_the_same_text_are_told_apart_by_id() -> None:
    rows = [row("0.9 a", label, name=name) for name, label in (("q1", True), ("q2", False))]
    run = evaluate(rows, ByNumber())
    assert compare(run, run).flips == () and compare(run, run).rows == 2
    renamed = replace(run, outcomes=tuple(replace(one, id=f"{one.id}b") for one in run.outcomes))
    assert compare(renamed, run).rows == 2


def test_rows_of_the_same_text_are_drawn_one_by_one() -> None:
    run = regenerated("0.9")
    first, *others = (replace(one, key="k", group="g") for one in run.outcomes)
    then = replace(run, outcomes=(first, *others))
    flagged = replace(first, verdict=Verdict.HALLUCINATION, score=0.1)
    found = compare(replace(run, outcomes=(flagged, *others)), then)
    assert (found.drawn, len(found.flips)) == ("rows", 1) and not found.dropped


def test_a_run_that_an_earlier_halgo_recorded_is_read(tmp_path: Path) -> None:
    run = evaluate([row("0.9 a", True, name="q1"), row("0.9 b", True, name="line-2")], ByNumber())
    values = run.to_dict()
    for one in values["rows"]:
        del one["named"]
    (tmp_path / "run.json").write_text(json.dumps(values), encoding="utf-8")
    assert [one.named for one in Run.load(tmp_path / "run.json").outcomes] == [True, False]


def declining(refusals: int, label: Label = Label.SUPPORTED, count: int = 30) -> Run:
    """Answers of which the first ones decline, and ten that are not supported."""
    good = [
        row("?" if at < refusals else "0.9 a", label, f"d{at}", answer=True, name=f"q{at}")
        for at in range(count)
    ]
    bad = [row(f"0.1 b{at}", False, f"e{at}") for at in range(10)]
    return evaluate([*good, *bad], ByNumber())


def test_right_answers_that_turn_into_refusals_are_a_drop() -> None:
    then, now = declining(0), declining(10)
    found = compare(now, then)
    assert found.dropped
    assert [(flip.before, flip.after, flip.worse) for flip in found.flips] == [
        ("SUPPORTED", "refusal", True)
    ] * 10
    # Then is as the recorded run has it, not only of rows that are assessed in both.
    (balanced,) = (one for one in found.changes if one.name == "balanced_accuracy")
    assert (balanced.before, balanced.after) == (1.0, pytest.approx(5 / 6))
    assert now.figures().balanced_accuracy == 1.0 and now.figures().not_assessed == 10
    assert not compare(then, now).dropped


def test_a_drop_shows_where_all_rows_are_supported_too() -> None:
    then = run_of(*((f"0.9 a{at}", True) for at in range(30)))
    now = replace(
        then,
        outcomes=tuple(
            replace(one, verdict=None, score=None) if at < 8 else one
            for at, one in enumerate(then.outcomes)
        ),
    )
    assert [one.name for one in compare(now, then).changes if one.dropped] == ["accuracy"]


def test_what_is_not_supported_and_not_assessed_passes_no_more_than_before() -> None:
    then = evaluate([row("0.1 a", False, answer=True, name="q")], ByNumber())
    now = evaluate([row("-", False, answer=True, name="q")], ByNumber())
    assert compare(now, then).flips == ()


def test_a_refusal_is_right_where_the_label_says_so_and_an_answer_is_not() -> None:
    label = Label.REFUSAL
    rows = [
        row("?", label, answer=True, name="declined"),
        row("0.9 a", label, answer=True, name="answered"),
        row("-", label, answer=True, name="said nothing"),
        row("?", True, answer=True, name="gave up"),
    ]
    run = evaluate(rows, ByNumber())
    assert [one.right for one in run.outcomes] == [True, False, False, False]
    assert [one.id for one in run.wrong] == ["answered", "said nothing"]
    assert [one.id for one in run.not_assessed] == ["gave up"]
    figures = run.figures()
    assert (figures.rows, figures.not_assessed, figures.refusals, figures.refused) == (0, 1, 3, 1)
    assert figures.f1 is None and figures.verdicts["refusal"]["SUPPORTED"] == 1


def test_refusals_that_turn_into_answers_are_a_drop(tmp_path: Path) -> None:
    declining(30, Label.REFUSAL).save(tmp_path / "run.json")
    found = compare(declining(20, Label.REFUSAL), Run.load(tmp_path / "run.json"))
    assert [one.name for one in found.changes if one.dropped] == ["accuracy"]
    assert (found.flips[0].before, found.flips[0].after) == ("refusal", "SUPPORTED")
