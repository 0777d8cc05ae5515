import pytest

from halgo.facts import negations
from halgo.facts.parse import parse

pytestmark = pytest.mark.models


def predicates(text):
    (doc,) = parse([text])
    return negations.read(doc)


def polarity(text, lemma):
    found = {predicate.negated for predicate in predicates(text) if predicate.lemma == lemma}
    assert len(found) == 1, f"{lemma!r} in {predicates(text)}"
    return found.pop()


@pytest.mark.parametrize(
    "text, lemma",
    [
        ("The drug did not cause fever.", "cause"),
        ("The drug didn't cause fever.", "cause"),
        ("The drug never caused fever.", "cause"),
        ("The office is no longer open.", "open"),
        ("Neither the company nor its agents refunded the fee.", "refund"),
        ("The CEO failed to disclose the risks.", "disclose"),
        ("He refused to sign the form.", "sign"),
        ("She was unable to attend the meeting.", "attend"),
        ("They left without paying the bill.", "pay"),
        ("No patients died during the trial.", "die"),
        ("None of the samples contained lead.", "contain"),
        ("Nobody has been arrested.", "arrest"),
        ("The company has no debts.", "have"),
        ("The drug does not appear to cause fever.", "cause"),
        ("The drug was not found to be effective.", "effective"),
        ("There is no evidence that coffee causes cancer.", "cause"),
        ("Under no circumstances may visitors enter the laboratory.", "enter"),
        ("The bank prevented customers from withdrawing cash.", "withdraw"),
        ("Members are prohibited from entering the room.", "enter"),
        ("The film was not a success.", "success"),
        ("Doctors did not examine or treat the patient.", "treat"),
        ("The mayor has yet to respond.", "respond"),
        ("It isn't true that the tower was demolished.", "demolish"),
    ],
)
def test_a_denied_predicate_is_negated(text, lemma):
    assert polarity(text, lemma)


@pytest.mark.parametrize(
    "text, lemma",
    [
        ("The committee never fails to publish its report.", "publish"),
        ("The pump was not released until 1990.", "release"),
        ("The device is not only cheap but also reliable.", "cheap"),
        ("The device is not only cheap but also reliable.", "reliable"),
        ("Some patients did not recover, but most improved.", "improve"),
        ("He did not sign the contract and left the room.", "leave"),
        ("The engineers who did not attend were replaced.", "replace"),
        ("The report does not say that sales fell.", "fall"),
        ("Not all members voted.", "vote"),
        ("The drug caused fever but did not help.", "cause"),
        ("The lack of funding delayed the launch.", "delay"),
    ],
)
def test_what_is_not_denied_is_affirmed(text, lemma):
    assert not polarity(text, lemma)


@pytest.mark.parametrize(
    "text",
    [
        "Acme acquired the bank.",
        "The bank was acquired by Acme.",
        "The bank that Acme acquired is old.",
        "Acme, which acquired the bank, is old.",
        "Acme tried to acquire the bank.",
        "Acme Ltd. acquired one of the banks.",
    ],
)
def test_arguments_are_logical_not_grammatical(text):
    (found,) = [p for p in predicates(text) if p.lemma == "acquire"]
    assert (found.subject, found.object) == ("acme", "bank")


def test_coordinated_subjects_are_read_each():
    found = predicates("Neither the company nor its agents refunded the fee.")
    assert {predicate.subject for predicate in found} == {"company", "agent"}


@pytest.mark.parametrize(
    "text, lemma, frame",
    [
        ("The drug may cause fever.", "cause", "may"),
        ("The tenant must pay the rent.", "pay", "must"),
        ("Members are allowed to enter the room.", "enter", "can"),
        ("If the tenant does not pay, he leaves.", "pay", "if"),
        ("He plans to leave the city.", "leave", "plan"),
        ("Was the drug approved?", "approve", "ask"),
        ("The drug caused fever.", "cause", ""),
    ],
)
def test_what_is_not_plainly_asserted_is_framed(text, lemma, frame):
    assert {p.frame for p in predicates(text) if p.lemma == lemma} == {frame}


@pytest.mark.parametrize(
    "text, quantifier",
    [
        ("All members voted.", "all"),
        ("Not all members voted.", "not all"),
        ("Most members voted.", "most"),
        ("Some of the members voted.", "some"),
        ("Few members voted.", "few"),
        ("A few members voted.", "some"),
        ("No members voted.", "no"),
        ("The members voted.", ""),
    ],
)
def test_the_subject_says_of_how_many(text, quantifier):
    assert [p.quantifier for p in predicates(text)] == [quantifier]


def test_the_rest_of_the_clause_is_its_context():
    (found,) = predicates("The vaccine did not cause severe fever in infants.")
    assert found.context == ("severe", "infant")


def test_spans_lie_in_the_text():
    text = "The drug did not cause fever, and nobody complained."
    assert [p.span.of(text) for p in predicates(text)] == ["not cause", "complained"]


@pytest.mark.parametrize(
    "text", ["", "?", "not not not", "No.", "never " * 3000, "and he said " * 2000]
)
def test_odd_text_is_read_without_fault(text):
    predicates(text)


@pytest.mark.parametrize(
    "text, lemma, subject, denied",
    [
        ("The US signed the treaty, but China did not.", "sign", "china", True),
        ("The US signed the treaty, but China did not.", "sign", "us", False),
        ("Footnotes count, but appendices do not.", "count", "appendix", True),
        ("Full members can vote while guests cannot.", "vote", "guest", True),
        ("The nurses were unaware of it, the doctors were not.", "unaware", "doctor", True),
        ("Clinics do not have to report it.", "report", "clinic", True),
    ],
)
def test_a_bare_denial_is_of_the_verb_before_it(text, lemma, subject, denied):
    found = {p.negated for p in predicates(text) if (p.lemma, p.subject) == (lemma, subject)}
    assert found == {denied}


def test_what_is_denied_of_one_does_not_take_the_words_of_the_other():
    told = predicates("Vans with a permit may enter, taxis may not.")
    (taxi,) = [p for p in told if p.subject == "taxi"]
    assert taxi.negated and "permit" not in taxi.context


@pytest.mark.parametrize(
    "text, lemma, denied",
    [
        ("Do not take more than two tablets.", "take", False),
        ("Visitors never stay over 30 minutes.", "stay", False),
        ("It has not worked for more than two years.", "work", True),
        ("It should not be given for more than three days.", "give", False),
        ("The test cannot begin until the form has been changed.", "begin", False),
        ("He did not call less than two days ago.", "call", True),
        ("Do not take it.", "take", True),
    ],
)
def test_a_limit_denies_nothing(text, lemma, denied):
    assert polarity(text, lemma) is denied


def test_a_thousand_bare_denials_are_read():
    text = "Vans may enter" + ", taxis may not, bikes do not" * 500 + "."
    assert len(predicates(text)) < 5_000
