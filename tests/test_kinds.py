"""What a sentence is: each kind beside the traps that look like it and are facts."""

from __future__ import annotations

import pytest

from halgo.claims.equations import is_equation
from halgo.claims.kinds import by_wording, kind_of
from halgo.facts.parse import parse
from halgo.types import ClaimKind

pytestmark = pytest.mark.models

# fmt: off
SENTENCES = [
    ('The fee is 5%.', "fact"),
    ('Sure, the fee is 5%.', "fact"),
    ('I think the fee is 5%.', "fact"),
    ('In my opinion, the fee is 5%.', "fact"),
    ('I believe Paris is in Germany.', "fact"),
    ('Contact lenses are made of soft plastic.', "fact"),
    ('You must return the laptop.', "fact"),
    ('You can return items within 30 days.', "fact"),
    ('Note that the warranty excludes water damage.', "fact"),
    ('Please note that the warranty excludes water damage.', "fact"),
    ('Take 2 tablets twice a day.', "fact"),
    ('Call support, and they will refund the fee.', "fact"),
    ('Thanks to the treaty, trade rose.', "fact"),
    ('Hello Kitty is a Japanese character.', "fact"),
    ('I understand that the fee is 5%.', "fact"),
    ('Good Morning America first aired in 1975.', "fact"),
    ('I searched the contract and found that the fee is 5%.', "fact"),
    ('Here is the answer: the fee is 5%.', "fact"),
    ('Based on passage 2, the fee is 5%.', "fact"),
    ('According to the documents, revenue fell.', "fact"),
    ('The agreement does not mention a late fee.', "fact"),
    ('The contract does not cover water damage.', "fact"),
    ('The documents do not mention the fee, but refunds take 10 days.', "fact"),
    ('There is no evidence of life on Mars.', "fact"),
    ('There is no cure for the disease.', "fact"),
    ('Acme has three offices:', "fact"),
    ('Paris.', "fact"),
    ('$4.2 million.', "fact"),
    ('The fee is 5%, right?', "fact"),
    ('The form asks "What is your name?"', "fact"),
    ('Revenue grew 12 percent in 2023.', "fact"),
    ('Revenue rose from 80 to 100, up 25%.', "fact"),
    ('12 of 48 patients is 25%.', "fact"),
    ('x = 5', "fact"),
    ('The sum of the parts is greater than the whole.', "fact"),
    ('2 is a prime number.', "fact"),
    ('__import__("os") = 5', "fact"),
    ('Founded in 1998.', "fact"),
    ('Unfortunately, the company lost money.', "fact"),
    ('Sorry, the store closes at 5 pm.', "fact"),
    ('It is important to note that the fee is 5%.', "fact"),
    ('This is the oldest bridge in Europe.', "fact"),
    ('Welcome Break operates 35 service stations.', "fact"),
    ('Return flights cost $200.', "fact"),
    ('Select committees were formed in 1979.', "fact"),
    ('Sorry Day is held on 26 May in Australia.', "fact"),
    ('No evidence was found that the drug works in children.', "fact"),
    ('Perfect competition requires many sellers.', "fact"),
    ('Dear Prudence was written by John Lennon.', "fact"),
    ('I have reviewed the contract, and the fee is 5%.', "fact"),
    ('There is no data limit on the plan.', "fact"),
    ('No data is stored on the device.', "fact"),
    ('No information is shared with third parties.', "fact"),
    ('There are no documents required for entry.', "fact"),
    ('I have three brothers and work in Paris.', "fact"),
    ('We do not have offices in Spain.', "fact"),
    ('The report does not include figures for 2019.', "fact"),
    ('The information desk is on the second floor.', "fact"),
    ('The source code does not contain tests.', "fact"),
    ('None of the drugs work.', "fact"),
    ('The text message does not include a link.', "fact"),
    ('The documents show that the fee is 5%.', "fact"),
    ('It is not known who built the tower.', "fact"),
    ('(c) 2024 Acme', "fact"),
    ('Be aware that the fee may change.', "fact"),
    ('2 + 2 = 5', "arithmetic"),
    ('12 of 48 is 25%.', "arithmetic"),
    ('15% of 200 is 30.', "arithmetic"),
    ('The total of 3, 4 and 5 is 12.', "arithmetic"),
    ('From 80 to 100, up 25%.', "arithmetic"),
    ('Two plus two equals five.', "arithmetic"),
    ('So, 9**9**9 = 5.', "arithmetic"),
    ('In my opinion this is great.', "opinion"),
    ('I think this is great.', "opinion"),
    ('I recommend the premium plan.', "opinion"),
    ("That's a great idea!", "opinion"),
    ('What is the fee?', "question"),
    ('Would you like to know more?', "question"),
    ('"What is the fee?"', "question"),
    ('Contact support.', "instruction"),
    ('Click Save.', "instruction"),
    ('Please let me know if you need anything else.', "instruction"),
    ('Consider upgrading your plan.', "instruction"),
    ('See section 4.2.', "instruction"),
    ('Do not share your password.', "instruction"),
    ('Feel free to reach out if you have questions.', "instruction"),
    ('If you need help, call the front desk.', "instruction"),
    ('To reset your password, open the settings page.', "instruction"),
    ('Hello!', "greeting"),
    ('Hi there!', "greeting"),
    ('Hi John,', "greeting"),
    ('Thank you for your patience.', "greeting"),
    ('I hope this helps!', "greeting"),
    ("I'm sorry to hear that.", "greeting"),
    ('Great question!', "greeting"),
    ('Sure!', "greeting"),
    ('I understand your frustration.', "greeting"),
    ('Have a great day!', "greeting"),
    ("You're welcome!", "greeting"),
    ('I searched the contract.', "meta"),
    ('Here is the summary:', "meta"),
    ('Based on the provided documents:', "meta"),
    ('Sources: [1], [2]', "meta"),
    ('I can help you with that.', "meta"),
    ('Let me explain.', "meta"),
    ('I have reviewed the documents you provided.', "meta"),
    ('Answer based on given passages.', "meta"),
    ("I don't have enough information to answer.", "refusal"),
    ("I'm sorry, but I cannot answer that question.", "refusal"),
    ('The provided context does not mention a late fee.', "refusal"),
    ('The documents do not mention a late fee.', "refusal"),
    ('Unable to answer based on given passages.', "refusal"),
    ('Based on the provided passages, I cannot determine the fee.', "refusal"),
    ('The renewal date is not mentioned in the provided documents.', "refusal"),
    ("I don't know.", "refusal"),
    ('There is not enough information to say.', "refusal"),
    ('No information is available about the fee.', "refusal"),
    ('As an AI language model, I do not have access to real-time data.', "refusal"),
    ('There is no mention of a late fee in the passages.', "refusal"),
    ('I was unable to find any information about the fee.', "refusal"),
    ('We could not locate the renewal date.', "refusal"),
    ('The provided report does not include figures for 2019.', "refusal"),
    ('None of the passages mention the price.', "refusal"),
    ('It is not clear from the provided passages who built the tower.', "refusal"),
    ('None mentioned in the given passages.', "refusal"),
    ('Key points:', "heading"),
    ('Acme Corp:', "heading"),
    ('[1]', "fragment"),
    ('Yes.', "fragment"),
    ('No.', "fragment"),
    ('---', "fragment"),
    ('Sources:', "fragment"),
    ('1.', "fragment"),
    ('(Passage 1:4)', "fragment"),
    ('(Ref: Passage 2)', "fragment"),
    ('We do not see her lose her temper often.', "fact"),
    ('I did not know that it was a 1990 film.', "fact"),
    ('Infection risk falls with fewer people, so try to go early.', "fact"),
    ('I do not know who wrote the report.', "refusal"),
    ('We do not know where the virus began.', "fact"),
    ('I did not find any mention of a late fee.', "refusal"),
]
# fmt: on


@pytest.mark.parametrize("text, kind", SENTENCES)
def test_a_sentence_is_what_a_careful_reader_calls_it(text, kind):
    assert kind_of(text, "paragraph", parse([text])[0]) == kind


@pytest.mark.parametrize(
    "text, block, kind",
    [
        ("Late fees", "heading", "heading"),
        ("What is the late fee?", "heading", "heading"),
        ("Q1 2024 results", "heading", "heading"),
        ("Revenue fell 12% in 2023", "heading", "fact"),
        ("Plan: Basic; Price: $10", "row", "fact"),
        ("Reduce costs", "item", "fact"),
        ("Cover charge", "item", "fact"),
        ("Click Save", "item", "fact"),
        ("Constipation", "item", "fact"),
        ("timeout = 30", "code", "fragment"),
        ("2 + 2 = 5", "code", "arithmetic"),
        ("2 + 2 = 5", "item", "arithmetic"),
    ],
)
def test_the_block_a_sentence_stands_in_counts(text, block, kind):
    assert kind_of(text, block, parse([text])[0]) == kind


@pytest.mark.parametrize("text, kind", [("Hello!", "greeting"), ("The fee is 5%.", "fact")])
def test_without_a_parse_the_wording_decides(text, kind):
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "2 + 2 = 5",
        "3 * (4 + 5) = 27",
        "2**10 == 1024",
        "12 of 48 is 25%",
        "12 out of 48 equals 25 percent.",
        "15% of 200 is 30",
        "Half of 10 is 5.",
        "The average of 2 and 4 is 3.",
        "The product of six and seven is forty-two.",
        "1,200 / 4 = 300",
        "$5 + $3 = $8",
        "100 minus 20 is 80",
        "The increase from 80 to 100 is 25%.",
        "A third of 9 is 3",
        "10 divided by 4 is 2.5",
    ],
)
def test_pure_sums_are_equations(text):
    assert is_equation(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "2 + 2",
        "= 5",
        "The fee is 5%.",
        "2 is a prime.",
        "2x + 3 = 7",
        "15% of customers is 30 people",
        "The total is 12.",
        "Revenue grew from 80 to 100, up 25%.",
        "From 9 to 5",
        "It is 5 of 10.",
        "one of us",
        "1969-07-20",
        "sum([1, 2]) = 3; import os",
        "().__class__ = 5",
    ],
)
def test_sums_with_other_words_are_not(text):
    assert not is_equation(text)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        "(",
        "[1] ",
        "I cannot ",
        '"',
        "i think that ",
        "no, ",
        "1+",
        "* ",
        "thank you ",
        "based on the provided ",
        "- (a) ",
        "documents ",
    ],
)
def test_wording_takes_time_in_proportion_to_the_text(unit):
    import time

    started = time.perf_counter()
    by_wording(unit * (100_000 // len(unit)))
    assert time.perf_counter() - started < 0.5


def test_only_facts_and_sums_are_checked():
    assert [kind for kind in ClaimKind if kind.checked] == [ClaimKind.FACT, ClaimKind.ARITHMETIC]
