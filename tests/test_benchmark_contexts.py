"""The claims about several documents are sound in form."""

from __future__ import annotations

from collections import Counter

from benchmarks import contexts
from benchmarks.__main__ import COMMANDS

CLAIMS, DOCUMENTS = contexts.load()


def test_every_context_has_as_many_true_claims_as_false_ones_and_is_of_one_part() -> None:
    assert {claimed.doc for claimed in CLAIMS} == set(DOCUMENTS) and len(DOCUMENTS) == 106
    found = Counter((claimed.doc, claimed.true) for claimed in CLAIMS)
    assert all(found[name, True] == found[name, False] >= 3 for name in DOCUMENTS)
    assert len({(claimed.doc, claimed.part) for claimed in CLAIMS}) == len(DOCUMENTS)


def test_a_claim_is_one_sentence_and_stands_once() -> None:
    assert len({claimed.claim for claimed in CLAIMS}) == len(CLAIMS) == 908
    for claimed in CLAIMS:
        assert 4 <= len(claimed.claim.split()) <= 45 and claimed.claim.endswith(".")


def test_documents_have_texts_and_ids_of_their_own() -> None:
    for documents in DOCUMENTS.values():
        assert 1 <= len(documents) <= 6
        assert len({one["id"] for one in documents}) == len(documents)
        assert all(len(one["text"].split()) > 25 for one in documents)


def test_the_command_is_listed() -> None:
    assert "contexts" in COMMANDS
