"""Clauses by their numbers."""

from __future__ import annotations

import pytest

from halgo import Halgorithm
from halgo.evidence.clause_numbers import stands_in
from halgo.evidence.outline import titled
from halgo.sources.chunks import number

LEASE = """# Lease

## 4 Rent

4.1 Rent is paid in advance.

4.2 The landlord may charge interest on late rent. It is due at once.

## 5 Use

(a) Pets need the landlord's consent.
"""


@pytest.mark.parametrize(
    ("cited", "numbers", "there"),
    [
        ("4.2", ("4.2", "4"), True),
        ("4", ("4.2",), True),
        ("4.2(b)", ("4.2", "4"), True),
        ("4.1", ("4.2", "4"), False),
        ("4.1", ("4",), True),  # nothing tells in which part of 4 it stands
        ("42", ("4",), False),
        ("5", ("4.2", "4"), False),
        ("12", ("xii",), True),
        ("11", ("xii",), False),
        ("1", ("l",), False),
    ],
)
def test_a_sentence_stands_in_its_clause_and_in_what_holds_it(
    cited: str, numbers: tuple[str, ...], there: bool
) -> None:
    assert stands_in(cited, numbers) == there


@pytest.mark.parametrize(
    ("text", "heading", "found"),
    [
        ("Article 7", False, "7"),
        ("Part III Penalties", True, "iii"),
        ("4.2 Rent", True, "4.2"),
        ("28 days of leave", False, ""),
        ("Section 3 holds " + "what was said of the rent, " * 4, False, ""),
    ],
)
def test_the_number_of_a_title(text: str, heading: bool, found: str) -> None:
    assert titled(text, heading) == found


@pytest.mark.parametrize(
    ("text", "at", "found"),
    [
        ("4.2 The rent", "The", "4.2"),
        ("> 3. Lift it", "Lift", "3"),
        ("Rule 12: No dogs", "No", "12"),
        ("- The rent", "The", ""),
        ("in 2021 the rent", "the", ""),
    ],
)
def test_the_number_before_a_sentence(text: str, at: str, found: str) -> None:
    assert number(text, text.index(at)) == found


@pytest.mark.models
def test_sentences_know_the_clauses_they_stand_in() -> None:
    index = Halgorithm(embedder="lexical", entailment=None).checker([LEASE]).index
    chunk = index.chunks[0]
    told = {s.reading.text: index.numbers(row, chunk) for row, s in enumerate(index.sentences)}
    assert told["Rent is paid in advance."] == ("4.1", "4")
    assert told["It is due at once."] == ("4.2", "4")
    assert told["Pets need the landlord's consent."] == ("5",)


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("Clause 4.2 lets the landlord charge interest.", "number_agrees"),
        ("Section 4 lets the landlord charge interest.", "number_agrees"),
        ("Clause 4.1 lets the landlord charge interest.", "number_conflict"),
        ("§ 5 lets the landlord charge interest.", "number_conflict"),
    ],
)
def test_a_clause_that_is_cited_is_the_one_that_says_it(claim: str, kind: str) -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    (result,) = halgorithm.checker([LEASE]).check_claims([claim]).results
    found = [
        s.kind
        for a in result.assessments[:1]
        for s in a.signals
        if s.detector == "quantities" and s.claim_span is not None
    ]
    assert found == [kind]


@pytest.mark.models
def test_a_message_names_the_chapter_as_its_heading_does() -> None:
    source = "# Chapter IV\n\nPets are allowed.\n\n# Chapter V\n\nCars are not allowed."
    checker = Halgorithm(embedder="lexical", entailment=None).checker([source])
    (result,) = checker.check_claims(["Under Chapter V, pets are allowed."]).results
    told = {signal.message for one in result.assessments for signal in one.signals}
    assert "This stands in Chapter IV, not in V." in told
