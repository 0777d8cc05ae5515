"""Which way a measure went, and which of two things has more of it, by the figures of both."""

from __future__ import annotations

import pytest

from halgo import Checker, Halgorithm


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(entailment=None)


def told(halgorithm: Halgorithm, documents: list[str], claim: str, rule: str) -> set[str]:
    """The kinds of signals that a rule gives beside any passage."""
    (result,) = Checker.from_docs(documents, halgorithm=halgorithm).check_claims([claim]).results
    return {
        signal.kind
        for assessment in result.assessments
        for signal in assessment.signals
        if signal.detector == rule
    }


PROSE = "Revenue was $210 million in 2022 and $260 million in 2023. Costs were $90 million in 2023."
YEARS = "| Year | Revenue |\n|---|---|\n| 2021 | 1,200 |\n| 2022 | 1,350 |\n| 2023 | 1,100 |"
QUARTERS = (
    "| Region | Q3 2023 | Q4 2023 |\n|---|---|---|\n| North | 100 | 120 |\n| South | 90 | 80 |"
)
MONTHS = (
    "Figures of 2024.\n\n| Rent | Mar | Apr | May |\n|---|---|---|---|\n"
    "| Flats | 11.3 | 11.5 | 11.6 |"
)
BRACKETS = (
    "Pumps had sales of €12 million in Q3 2025 (Q3 2024: €13 million). The club has 512 members "
    "(2023: 540). Fees came to €90,000 (previous year: €80,000)."
)
MARGINS = (
    "| Line | Sales 2024 | Sales 2023 | Margin 2024 |\n|---|---|---|---|\n"
    "| Pumps | €12 | €13 | 9% |\n| Taps | €5 | €4 | 11% |"
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (BRACKETS, "Pump sales grew to €12 million."),
        (BRACKETS, "The number of members rose to 512."),
        (BRACKETS, "Fees fell to €90,000."),
        (MARGINS, "Sales of pumps rose to €12."),
        (PROSE, "Revenue fell in 2023."),
        (PROSE, "Revenue declined between 2022 and 2023."),
        (PROSE, "Revenue fell from $260 million to $210 million."),
        (YEARS, "Revenue rose every year."),
        (YEARS, "Revenue went down in 2022."),
        (QUARTERS, "South rose from Q3 2023 to Q4 2023."),
        (MONTHS, "Flats came down between March and May."),
    ],
)
def test_a_direction_that_the_figures_refute_is_wrong(
    halgorithm: Halgorithm, text: str, claim: str
) -> None:
    assert told(halgorithm, [text], claim, "trends") == {"not_derivable"}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (BRACKETS, "Pump sales fell."),
        (BRACKETS, "Fees increased."),
        (MARGINS, "Sales of taps rose to €5."),
        (PROSE, "Revenue rose in 2023."),
        (YEARS, "Revenue fell in 2023."),
        (QUARTERS, "North rose from Q3 2023 to Q4 2023."),
        (MONTHS, "Flats climbed between March and May."),
        (YEARS, "Revenue climbed in 2022 and eased in 2023."),
        (YEARS, "Revenue has fallen every year since 2022."),
    ],
)
def test_a_direction_that_the_figures_show_is_derived(
    halgorithm: Halgorithm, text: str, claim: str
) -> None:
    assert told(halgorithm, [text], claim, "trends") == {"derived"}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PROSE, "Costs fell in 2023."),  # of one year alone
        (PROSE, "Revenue may fall in 2024."),
        (PROSE, "Revenue did not fall in 2023."),
        (YEARS, "Membership fell in 2022."),
        ("Sales were 10 in May 2023 and 8 in June 2023; profit was 3 in May 2023.", "It fell."),
    ],
)
def test_nothing_is_said_where_the_figures_are_of_something_else(
    halgorithm: Halgorithm, text: str, claim: str
) -> None:
    assert told(halgorithm, [text], claim, "trends") == set()


LAPTOPS = ["The Falcon laptop weighs 1.18 kg.", "The Heron laptop weighs 1.62 kg and costs £900."]
FUNDS = [
    "Solace Balanced is a fund. The ongoing charge is 0.85% a year.",
    "Harbour Bond buys bonds. The ongoing charge stands at 0.31% a year.",
    "Meridian Equity buys shares. The ongoing charge is 0.62% a year.",
]
REPLIES = "| Metric | Q1 | Q4 |\n|---|---|---|\n| Replies (min) | 48 | 37 |"
TRIAL = (
    "Nurses slept 31 minutes longer (95% interval 14 to 48). Headaches were found with amber "
    "glasses (17%) and with clear ones (8%)."
)
TRAINS = "The morning train is €39 for all. The evening train costs €34 and has a bar."


@pytest.mark.parametrize(
    ("documents", "claim", "kind"),
    [
        (LAPTOPS, "The Heron is lighter than the Falcon.", "not_derivable"),
        (LAPTOPS, "The Falcon is lighter than the Heron.", "comparison_agrees"),
        ([TRAINS], "The morning train is cheaper than the evening train.", "not_derivable"),
        ([TRAINS], "The evening train is cheaper than the morning train.", "comparison_agrees"),
        (FUNDS, "Meridian Equity has the lowest ongoing charge.", "not_derivable"),
        (FUNDS, "Harbour Bond has the lowest ongoing charge.", "comparison_agrees"),
        (
            [TRIAL],
            "Headaches were more common with amber glasses than with clear ones.",
            "comparison_agrees",
        ),
        (
            [TRIAL],
            "Headaches were less common with amber glasses than with clear ones.",
            "not_derivable",
        ),
        ([REPLIES], "Replies came faster in Q4 than in Q1.", "comparison_agrees"),
        ([REPLIES], "Replies came faster in Q1 than in Q4.", "not_derivable"),
        ([PROSE], "Revenue was lower in 2023 than in 2022.", "not_derivable"),
    ],
)
def test_two_things_are_compared_by_their_figures(
    halgorithm: Halgorithm, documents: list[str], claim: str, kind: str
) -> None:
    assert told(halgorithm, documents, claim, "contrasts") == {kind}


@pytest.mark.parametrize(
    "claim",
    [
        "The Heron is cheaper than the Falcon.",  # of the one no price is told
        "The Heron is older than the Falcon.",
        "The Osprey is lighter than the Falcon.",
        "The Heron is faster than the Falcon.",
    ],
)
def test_nothing_is_compared_of_which_a_figure_is_missing(
    halgorithm: Halgorithm, claim: str
) -> None:
    assert told(halgorithm, LAPTOPS, claim, "contrasts") == set()
