"""What a rule wins and spoils is counted by judging the claims it fires on again without it."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import ablation, tables
from benchmarks.answers import Claimed


def test_losses_of_several_processes_are_added_up():
    shares = [
        {"dates": {"pairs": Counter({"fires_true": 2, "won_true": -1})}},
        {"dates": {"pairs": Counter({"fires_true": 1, "won_true": -1})}, "names": {}},
    ]
    counted = ablation._merged(shares)
    assert dict(counted["dates"]["pairs"]) == {"fires_true": 3, "won_true": -2}


@pytest.mark.models
def test_a_rule_wins_a_false_claim_that_passes_without_it():
    lease = "Rent is due on the first of the month. Pets are allowed with written consent."
    pets = Claimed("lease", "seen", False, "negation", "Pets are not allowed with consent.")
    counted = ablation.count([(lease, [pets])])
    counts = counted["polarity"]["seen"]
    assert counts["fires_false"] == 1 and counts["fires_true"] == 0
    assert counts["won_false"] in (0, 1) and counts["won_true"] == 0
    assert counts["contradicted_false"] in (0, 1) and counts["contradicted_true"] == 0
    assert "quantities" not in counted  # there is no amount in it


@pytest.mark.models
def test_a_rule_that_gives_the_value_makes_a_contradiction_of_a_doubt():
    firms = "Lindgard employs 420 people, Torvik 65."
    swapped = Claimed("firms", "seen", False, "other subject", "Lindgard employs 65 people.")
    counts = ablation.count([(firms, [swapped])])["coordinated_amounts"]["seen"]
    assert (counts["won_false"], counts["contradicted_false"]) == (0, 1)


def test_the_table_shows_what_is_won_of_true_and_false_claims():
    result = {
        "parts": {"pairs": {"true": 3, "false": 4}, "written": {"true": 5, "false": 6}},
        "rules": {
            "dates": {"pairs": [1, 2, -1, 2, 0, 3], "written": [1, 0, 0, 0, 1, 0]},
            "names": {},
        },
        "command": "python -m benchmarks ablation",
        "commit": "abc123",
        "changed": False,
        "machine": {"processor": "Testing 1", "cores": 2},
        "versions": {"halgo": "0.1.0", "python": "3.11.9"},
    }
    table = tables.ablation(result)
    head = "| rule | fires | pairs (3 / 4) | written (5 / 6) | contradicted, all parts |"
    assert head in table
    assert "| `dates` | 4 | -1 / +2 | +0 / +0 | +1 / +3 |" in table
    assert "| `names` | 0 |  |  |  |" in table
