"""Where the time goes: every stage that the profile names is one that a check goes through."""

import pytest

from benchmarks import stages
from halgo import Checker
from halgo.report import text

pytestmark = pytest.mark.models


def test_every_stage_takes_time_of_indexing_or_of_checking(tmp_path) -> None:
    path = tmp_path / "lease.md"
    path.write_text("The lease began in May 2021. The tenant pays €900 a month to Acme Ltd.\n")
    indexing, checking = stages.Clock(), stages.Clock()
    with indexing.running():
        checker = Checker.from_files([path])
    with checking.running():
        report = checker.check("The rent that Acme Ltd gets is €950 a month.")
        text.render(report, color=False)
    spent = indexing.spent + checking.spent
    assert {stage for stage in stages.STAGES if not spent[stage]} == set()
    assert spent[stages.REST] < sum(spent.values()) / 4
    assert checking.encoded > indexing.encoded > 0  # the entailment models are larger


def test_multiply_adds_are_those_of_the_model_that_runs() -> None:
    small, large = (stages.transformer(100, 12, width, 4 * width) for width in (384, 768))
    assert 3.5 < large / small < 4
