import pytest

from halgo.facts import terms
from halgo.facts.corpus import corpus_of
from halgo.facts.parse import parse
from halgo.types import Facts, Name, Span

pytestmark = pytest.mark.models


def doc(text):
    return parse([text])[0]


def test_content_words_are_lower_case_lemmas_in_order():
    found = terms.read(doc("The engineers were quickly repairing 3 old bridges."))
    assert [term.lemma for term in found] == ["engineer", "quickly", "repair", "3", "old", "bridge"]
    assert [term.pos for term in found][:2] == ["NOUN", "ADV"]


def test_spans_are_those_of_the_words():
    text = "Bridges fell."
    assert [term.span.of(text) for term in terms.read(doc(text))] == ["Bridges", "fell"]


@pytest.mark.parametrize(
    "active, passive",
    [
        ("Acme acquired Zenith.", "Zenith was acquired by Acme."),
        ("The council rejected the plan.", "The plan was rejected by the council."),
    ],
)
def test_active_and_passive_give_the_same_relations(active, passive):
    assert terms.relations(doc(active)) == terms.relations(doc(passive))


def test_prepositions_are_collapsed():
    found = terms.relations(doc("The choir sang in Oslo and Bergen."))
    assert ("sing", "prep:in", "oslo") in found
    assert ("sing", "prep:in", "bergen") in found


def test_what_a_copula_says_is_a_relation():
    assert ("bridge", "is", "safe") in terms.relations(doc("The bridge is safe."))


def test_relations_are_sorted_and_single():
    found = terms.relations(doc("Dogs chase cats and dogs chase cats."))
    assert list(found) == sorted(set(found))


def test_a_corpus_knows_names_short_forms_words_and_defined_terms():
    text = 'In May, Acme Ltd (the "Client") drove Ada Holm in its car.'
    name = Name("Ada Holm", "PERSON", "ada holm", Span(36, 44))
    corpus = corpus_of([Facts(names=(name,), terms=terms.read(doc(text)))], [text])
    assert {"ada holm", "holm", "client"} <= corpus.names
    assert {"drive", "drove", "car"} <= corpus.terms
    assert corpus.aliases == {"client": "acme ltd"}


def test_an_empty_corpus_is_no_fault():
    assert corpus_of([], []).names == frozenset()


def test_a_very_long_text_is_read_in_proportion():
    text = "the old red bridge near the mill " * 600
    assert len(terms.read(doc(text))) == 600 * 4
    terms.relations(doc(text))
