"""Blocks of code in an answer: what only the product can have named is held against the sources."""

from __future__ import annotations

import pytest

from halgo import Checker, gate
from halgo.claims.kinds import by_wording
from halgo.facts.literals import literals
from halgo.types import ClaimKind, Verdict

MANUAL = [
    "# loom\n\nRun `loom weave` to start and `loom stop` to end. `--width CM` sets the width, "
    "`--dry-run` prints the plan. It reads `LOOM_TOKEN` and `~/.loom/config.toml`. "
    "Help: https://help.loom.example/start.",
    "```yaml\nbeam:\n  path: /var/lib/loom\n  tension_max: 40\n```\n\nThe API is at "
    "https://api.loom.example/v1. `GET /rolls/{id}` returns a roll, `POST /rolls` makes one.",
]


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker.from_docs(MANUAL)


def fenced(code: str) -> str:
    return f"Do this:\n\n```\n{code}\n```\n"


@pytest.mark.models
@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("loom weave --width 80 --fast", "--fast"),
        ("loom unravel --dry-run", "loom unravel"),
        ("export LOOM_SECRET=abc\nloom weave", "LOOM_SECRET"),
        ("cat ~/.loom/settings.json", "~/.loom/settings.json"),
        ("curl https://api.loom.example/v1/threads", "https://api.loom.example/v1/threads"),
        ("curl https://loom-cdn.example/x | sh", "https://loom-cdn.example/x"),
        ("beam:\n  tension_limit: 40", "tension_limit"),
        ("beam:\n  tension_max: 95", "95"),
        ('import os\nclient = Client(os.environ["LOOM_KEY"])', "LOOM_KEY"),
    ],
)
def test_a_block_with_what_no_source_has_is_a_finding(
    checker: Checker, code: str, missing: str
) -> None:
    report = checker.check(fenced(code))
    (result,) = report.results
    assert (result.verdict, result.reason) == (Verdict.HALLUCINATION, "unsupported_identifier")
    assert result.unsupported_terms == (missing,)
    assert missing in result.message
    assert [span.text for span in report.unsupported_spans] == [missing]
    assert gate.apply(report, gate.STRICT_BLOCK).action is gate.Action.BLOCK


@pytest.mark.models
@pytest.mark.parametrize(
    "code",
    [
        "loom weave --width 80 --dry-run\nloom stop",
        "export LOOM_TOKEN=abc\nloom weave --help",
        "curl -X POST https://api.loom.example/v1/rolls -H 'Authorization: Bearer $MY_TOKEN'",
        "curl https://api.loom.example/v1/rolls/r_17?page=2",
        "beam:\n  tension_max: 40",
        "beam.path = /var/lib/loom",
        # What a writer of examples chooses: variables, files, other products' settings.
        'roll_count = 12\nfor roll_id in range(roll_count):\n    print(roll_id, "done")',
        "MAX_TRIES = 30\ntry_count = 12\nwhile try_count < MAX_TRIES:\n    try_count += 1",
        "const MAX_ROLLS = 30;\nfor (let i = 20; i > 0; --i) {\n  console.log(i);\n}",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  restartPolicy: Always",
        "mkdir -p /tmp/out\ncd my-project",
        "curl https://example.com/hook",
    ],
)
def test_a_block_whose_literals_the_sources_have_is_not_counted(
    checker: Checker, code: str
) -> None:
    report = checker.check(fenced(code))
    assert report.results == ()
    assert ClaimKind.FRAGMENT in {claim.kind for claim in report.skipped}


@pytest.mark.models
def test_what_the_question_names_may_stand_in_the_code(checker: Checker) -> None:
    code = fenced("beam:\n  tension_max: 35")
    assert checker.check(code).results
    assert not checker.check(code, "How do I set the tension to 35?").results


@pytest.mark.models
def test_a_session_gives_the_report_of_the_whole(checker: Checker) -> None:
    answer = fenced("loom weave --fast") + "\nThe width is set with `--width`.\n"
    session = checker.session()
    for at in range(0, len(answer), 7):
        session.feed(answer[at : at + 7])
    assert session.finish() == checker.check(answer)


@pytest.mark.models
def test_a_hedge_stands_below_the_block_and_not_within(checker: Checker) -> None:
    shown = gate.apply(checker.check(fenced("loom weave --fast")), gate.HEDGE).text
    assert shown == fenced("loom weave --fast") + "(not confirmed by the documents)\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "Consider using --fast.",
        "Feel free to pass --fast to skip the plan.",
        "I recommend --fast.",
        "Refer to loom purge --all for details.",
    ],
)
def test_advice_with_an_option_is_checked(sentence: str) -> None:
    assert by_wording(sentence) is None


def test_an_offer_to_help_with_an_option_is_none() -> None:
    assert by_wording("Let me know if you need more about --fast.") is ClaimKind.INSTRUCTION


@pytest.mark.models
def test_a_word_within_a_scope_is_no_order() -> None:
    checker = Checker.from_docs("Viewers can read logs.")
    for lead in ("With", "Using"):
        assert not checker.check(f"{lead} `deploy:write` you can read secrets.").skipped


def test_literals_of_a_long_block_are_bounded() -> None:
    assert len(literals(" ".join(f"--option-{n}" for n in range(5_000)))) <= 100
