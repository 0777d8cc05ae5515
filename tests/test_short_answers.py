"""A short answer is a claim about what was asked: the statement that it and its question make."""

from __future__ import annotations

import pytest

from halgo import Checker, Verdict
from halgo.claims.extract import extract

pytestmark = pytest.mark.models


def claims(question: str, answer: str) -> list[str]:
    found = extract(answer, question=question)
    return [claim.text for claim in found if claim.kind.checked]


@pytest.mark.parametrize(
    "question, answer, statement",
    [
        # Values and names.
        ("How long is the lease?", "30 days.", "The lease is 30 days."),
        ("how long is the lease", "30 days", "The lease is 30 days."),
        ("Who signs the invoices?", "The team lead.", "The team lead signs the invoices."),
        ("Which tier has an archive?", "Enterprise", "Enterprise has an archive."),
        ("Which tiers have five seats?", "Grow", "Grow has five seats."),
        ("How much does the bus cost per day?", "€49 per day.", "The bus costs €49 per day."),
        ("How much does the bus cost per day?", "€49", "The bus costs €49 per day."),
        ("When does the shop open on Fridays?", "9 am", "The shop opens on Fridays at 9 am."),
        ("When was the bridge built?", "1932", "The bridge was built in 1932."),
        ("When is the deadline?", "3 May", "The deadline is 3 May."),
        ("Where is the archive?", "Ghent", "The archive is in Ghent."),
        ("How many days of leave do drivers get?", "25", "Drivers get 25 days of leave."),
        ("How many days of leave do drivers get?", "25 days", "Drivers get 25 days of leave."),
        ("What share of the cost came from fuel?", "12%", "12% of the cost came from fuel."),
        ("How many beds are there?", "16.", "There are 16 beds."),
        (
            "Within how many days must faults be reported?",
            "14",
            "Faults must be reported within 14 days.",
        ),
        (
            "What is the discount based on?",
            "The yearly volume.",
            "The discount is based on the yearly volume.",
        ),
        (
            "What does the policy cover?",
            "Theft, but not floods.",
            "The policy covers Theft, but not floods.",
        ),
        (
            "Why is the ferry late?",
            "Because the harbour is closed.",
            "The ferry is late because the harbour is closed.",
        ),
        (
            "How do I open the valve?",
            "By turning the red wheel.",
            "You open the valve by turning the red wheel.",
        ),
        ("Is the fee due monthly or yearly?", "Yearly.", "The fee is due yearly."),
        ("Could you tell me how long the lease is?", "30 days.", "The lease is 30 days."),
        (
            "For the Pro tier, how much space do I get?",
            "50 GB",
            "For the Pro tier, you get 50 GB of space.",
        ),
        # Yes and no.
        ("Are dogs allowed?", "Yes.", "Dogs are allowed."),
        ("Are dogs allowed?", "No.", "Dogs are not allowed."),
        ("Are dogs allowed?", "No, they aren't.", "Dogs are not allowed."),
        ("Are dogs allowed?", "Yes, they are.", "Dogs are allowed."),
        ("Does the Basic tier include support?", "Yes", "The Basic tier includes support."),
        (
            "Does the Basic tier include support?",
            "No, it doesn't.",
            "The Basic tier does not include support.",
        ),
        ("Do you ship to Norway?", "No.", "We do not ship to Norway."),
        (
            "Can I return my lamp?",
            "Yes, within 14 days.",
            "You can return your lamp within 14 days.",
        ),
        (
            "Can I return my lamp?",
            "Only with the receipt.",
            "You can return your lamp only with the receipt.",
        ),
        ("I bought a lamp. Can I return it?", "Yes, you can.", "You can return it."),
        ("Is there a fee for paying late?", "No.", "There is no fee for paying late."),
        ("I wonder whether dogs are allowed", "Unfortunately not.", "Dogs are not allowed."),
        # What is denied stays denied.
        ("Who must not use the lift?", "Children.", "Children must not use the lift."),
        ("Which tiers don't have an archive?", "Basic", "Basic don't have an archive."),
        ("Which lifts aren't open at night?", "Lift 4", "Lift 4 aren't open at night."),
        (
            "Why don't I have to pay?",
            "Because the fee was waived.",
            "You do not have to pay because the fee was waived.",
        ),
        ("Can I return it if it isn't damaged?", "Yes.", "You can return it if it isn't damaged."),
        # A reason may be a sentence of its own.
        (
            "Why is the ferry late?",
            "The harbour was closed.",
            "The ferry is late because the harbour was closed.",
        ),
        (
            "Why is the ferry late?",
            "It's because of the storm.",
            "The ferry is late because of the storm.",
        ),
        # What the value is one of.
        ("Which port does the server use?", "8080", "The server uses the port of 8080."),
        ("What fee applies to late rent?", "5%", "The fee of 5% applies to late rent."),
        (
            "Whose consent is needed?",
            "The landlord",
            "The consent of the landlord is needed.",
        ),
        # The answer goes ahead of clauses, and what is added to it behind the rest.
        (
            "How long can I keep it once it's open?",
            "12 weeks.",
            "You can keep it 12 weeks once it's open.",
        ),
        (
            "Who has to agree to a sublet?",
            "The landlord, in writing.",
            "The landlord has to agree to a sublet in writing.",
        ),
        ("From when is the pool open?", "From 3 May.", "The pool is open from 3 May."),
        ("Which plans can be tried out?", "Team.", "Team can be tried out."),
        ("Is the fee refunded?", "No.", "The fee is not refunded."),
        (
            "Are fees paid back if I cancel?",
            "Yes.",
            "Fees are paid back if you cancel.",
        ),
        (
            "Can my son come along?",
            "Yes, if an adult is with him.",
            "Your son can come along if an adult is with him.",
        ),
        # Sentences about what the question names.
        ("How long is the lease?", "It is 30 days.", "The lease is 30 days."),
        ("What is the fee for late payment?", "It is 5%.", "The fee for late payment is 5%."),
    ],
)
def test_statement(question: str, answer: str, statement: str) -> None:
    assert claims(question, answer) == [statement]


@pytest.mark.parametrize(
    "question, answer, statements",
    [
        (
            "Can drivers sign the invoices?",
            "No, only managers can.",
            ["Drivers can not sign the invoices.", "Only managers can sign the invoices."],
        ),
        (
            "Can I get a refund after 60 days?",
            "Yes, refunds take five days.",
            ["You can get a refund after 60 days.", "refunds take five days."],
        ),
        (
            "Which papers do I need?",
            "- A passport\n- Proof of address",
            ["You need a passport.", "You need proof of address."],
        ),
        ("Are dogs allowed?", "Hello! No. Cats are.", ["Dogs are not allowed.", "Cats are."]),
    ],
)
def test_several_statements(question: str, answer: str, statements: list[str]) -> None:
    assert [text.lower() for text in claims(question, answer)] == [s.lower() for s in statements]


@pytest.mark.parametrize(
    "question, answer",
    [
        ("Are dogs allowed?", "No, dogs are not allowed."),
        ("How long is the lease?", "The lease is 30 days."),
        ("How do I open the valve?", "Turn the red wheel."),
        ("Tell me about the lease.", "30 days."),
        ("", "30 days."),
        ("Does no plan have it?", "No plan has an archive."),
    ],
)
def test_whole_answers_stay(question: str, answer: str) -> None:
    assert claims(question, answer) == claims("", answer)


def test_only_the_beginning_of_an_answer_is_short_for_something() -> None:
    told = claims("How long is the lease?", "30 days. After that, 60 days.")
    assert told == ["The lease is 30 days.", "After that, 60 days."]


def test_a_claim_points_to_the_words_of_the_answer_alone() -> None:
    answer = "Sure! 30 days."
    (claim,) = (c for c in extract(answer, question="How long is the lease?") if c.kind.checked)
    assert claim.span.of(answer) == "30 days."
    start = claim.text.index("30 days")
    assert claim.reading.locate(type(claim.span)(start, start + 7)).of(answer) == "30 days"
    assert claim.reading.locate(type(claim.span)(0, 9)) is None


def test_yes_and_what_follows_it_have_places_of_their_own() -> None:
    answer = "No, only managers can."
    denied, other = extract(answer, question="Can drivers sign the invoices?")
    assert denied.span.end <= other.span.start
    assert other.span.of(answer) == "only managers can"


@pytest.mark.parametrize("question", ["?" * 5000, "How " * 3000, "(" * 900, "Is\x00 it?", " \n"])
def test_any_question_is_taken(question: str) -> None:
    assert claims(question, "The lease is 30 days.") == ["The lease is 30 days."]


def test_what_is_allowed_instead_is_not_put_where_it_makes_no_sense() -> None:
    assert claims("Are cats allowed?", "No, only horses.") == [
        "Cats are not allowed.",
        "only horses.",
    ]
    assert claims("Are cats allowed?", "No, only on weekdays.") == [
        "Cats are allowed only on weekdays."
    ]
    assert claims("Are cats allowed?", "Yes, only cats.") == ["Cats are allowed, only cats."]


@pytest.mark.parametrize(
    "question, given",
    [
        ("I bought 40 lamps. Can I return one?", [40]),
        ("Can I return one? I bought 40 lamps.", [40]),
        ("An order has 45 lamps. How much is its freight?", [45]),
        # Suggested, or had from others.
        ("Is the limit 5 lamps?", []),
        ("I was told the limit is 5 lamps. What is the limit?", []),
    ],
)
def test_amounts_of_the_users_own_case(question: str, given: list[float]) -> None:
    (claim,) = extract("The limit is 3 lamps.", question=question)
    assert [one.low for one in claim.given] == given


@pytest.mark.parametrize(
    "question, case",
    [
        ("I'm on Free. Can I invite guests?", "you're on Free"),
        (
            "We are a charity. Our team has 40 seats. What do we pay?",
            "you are a charity and your team has 40 seats",
        ),
        # What is had from others, or is nobody's own.
        ("I was told that Free has guests. Can I invite some?", ""),
        ("Free is a plan. Can I invite guests?", ""),
        ("Can I invite guests?", ""),
    ],
)
def test_a_claim_is_read_in_the_users_own_case(question: str, case: str) -> None:
    (claim,) = extract("Guests are free of charge.", question=question)
    assert claim.case == case
    assert claim.resolved == claim.text == "Guests are free of charge."
    assert claim.in_case == (f"If {case}, {claim.text}" if case else claim.text)


def test_it_means_what_the_users_own_case_is_about_rather_than_a_general_word() -> None:
    question = "My flight to Boston takes 8 hours. May I fly business?"
    assert claims(question, "Yes, it's over 7 hours.") == [
        "You may fly business.",
        "Your flight to Boston is over 7 hours.",
    ]
    (hers, _) = claims("My daughter is 7. May she use the spray?", "No, children may not.")
    assert hers == "Your daughter may not use the spray."


def test_a_question_does_not_hide_that_a_source_says_otherwise() -> None:
    checker = Checker.from_docs(["The late fee is 1.5 % of the rent."])
    report = checker.check("The late fee is 5 %.", "My late fee is 5 %. What is the late fee?")
    assert report.results[0].verdict is Verdict.CONTRADICTION
