"""A document never speaks against its own words: tables, records, lists and prose copied whole."""

from __future__ import annotations

import pytest

from benchmarks import everyday, rows
from halgo import Checker, Halgorithm, Verdict

pytestmark = pytest.mark.models

MATRIX = """\
# Features

| Plan | SSO | API |
|---|---|---|
| Team | no | yes |
| Business | yes | no |

| | Ubuntu | macOS |
|---|---|---|
| Restore | \u2705 | \u274c |

| Option | Default | Meaning |
|---|---|---|
| --follow | off | Follow symbolic links |
| -t, --tag TEXT | \u2013 | Attach a label |

Links are not followed unless --follow is given.
"""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(entailment=None)


def against(text: str, halgorithm: Halgorithm) -> list[str]:
    report = Checker.from_docs(text, halgorithm=halgorithm).check(text)
    wrong = (Verdict.CONTRADICTION, Verdict.HALLUCINATION)
    return [f"{one.claim.text}: {one.message}" for one in report if one.verdict in wrong]


def test_a_table_of_features(halgorithm: Halgorithm) -> None:
    assert against(MATRIX, halgorithm) == []


DOCUMENTS = {**everyday.load()[1], **rows.load()[1]}


@pytest.mark.parametrize("name", [name for name in sorted(DOCUMENTS) if name.endswith(".md")][::6])
def test_a_document(name: str, halgorithm: Halgorithm) -> None:
    assert against(DOCUMENTS[name].text, halgorithm) == []


@pytest.mark.parametrize(
    "claim",
    [
        "Plan: Team \u2014 SSO: yes; API: yes",
        "Team \u2013 SSO: yes",
        "Option: --follow \u2014 Default: on; Meaning: Follow symbolic links",
    ],
)
def test_another_value_in_a_copied_row_is_seen(claim: str, halgorithm: Halgorithm) -> None:
    (result,) = Checker.from_docs(MATRIX, halgorithm=halgorithm).check_claims([claim])
    assert result.verdict is Verdict.CONTRADICTION
