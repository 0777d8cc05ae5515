"""The passage that settles a claim is found, whichever of the two searches sees it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_index import built, claim, without_models, word_facts  # noqa: F401

from halgo.config import Config
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.index import Index
from halgo.evidence.retrieve import retrieve
from halgo.types import Claim, Document, Evidence, FloatMatrix

pytestmark = pytest.mark.usefixtures("without_models")

FILLER = [f"Filler sentence {word} says little." for word in "alpha beta gamma delta".split()]  # noqa: SIM905


def found(index: Index, *claims: Claim, top_k: int = 5) -> list[list[Evidence]]:
    facts = word_facts([one.text for one in claims])
    return retrieve(index, claims, facts, LexicalEmbedder(), top_k)


def test_the_best_sentence_of_the_best_passage_is_pointed_at() -> None:
    index = built("Cats sleep. The fee is 5 dollars. Dogs bark.", *FILLER)
    best = found(index, claim("The fee is 5 dollars."))[0][0]
    assert best.best.of(best.reading.text) == "The fee is 5 dollars."
    assert best.span.of(index.documents[0].text) == "The fee is 5 dollars."
    assert best.lexical == 1
    assert 0.5 < best.similarity <= 1


def test_of_equally_good_sentences_the_earlier_is_taken_and_never_a_heading() -> None:
    index = built("# Fee\n\nThe fee is due. The fee is due.")
    best = found(index, claim("The fee is due."))[0][0]
    assert best.span.start == len("# Fee\n\n")
    only_heading = built("# The fee is due")
    assert found(only_heading, claim("The fee is due."))[0][0].best.start == 0


class Blind:
    """Sees nothing: every text has the same vector, so only words can tell passages apart."""

    name, dim = "blind", 2

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return np.tile(np.array([[1, 0]], dtype=np.float32), (len(texts), 1))


class Deep:
    """Knows one thing: that Zorro and the fox are the same; all else is alike."""

    name, dim = "deep", 2

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        same = [[0, 1] if "Zorro" in text or "fox" in text else [1, 0] for text in texts]
        return np.array(same, dtype=np.float32)


def test_an_exact_name_is_found_where_vectors_are_blind() -> None:
    texts = [*FILLER * 20, "The invoice names Quux 7731.", *FILLER * 20]
    documents = [Document(str(at), text, "") for at, text in enumerate(texts)]
    index = build_index(documents, Blind(), Config())
    asked = claim("Quux 7731 was named.")
    got = retrieve(index, [asked], word_facts([asked.text]), Blind(), 3)[0]
    assert "The invoice names Quux 7731." in [one.reading.text for one in got]


def test_other_words_for_the_same_thing_are_found_where_words_are_blind() -> None:
    texts = [*["Filler was there and there."] * 60, "A fox barks.", *["Filler was there."] * 60]
    documents = [Document(str(at), text, "") for at, text in enumerate(texts)]
    index = build_index(documents, Deep(), Config())
    asked = claim("Zorro was there.")
    got = retrieve(index, [asked], word_facts([asked.text]), Deep(), 2)[0]
    assert "A fox barks." in [one.reading.text for one in got]


def test_each_name_of_a_claim_brings_a_passage_that_holds_it() -> None:
    near = ["Alpha sells red paint in the old town every day."] * 30
    index = built(*near, "Beta exists.", "Gamma exists.", *near)
    asked = claim("Alpha sells red paint in the old town every day with Beta and Gamma.")
    texts = {one.reading.text for one in found(index, asked)[0]}
    assert {near[0], "Beta exists.", "Gamma exists."} <= texts


def test_a_resolved_claim_is_looked_for_under_both_wordings() -> None:
    index = built("Zanzibar opened 1999.", "It grew quickly.", *FILLER)
    got = found(index, claim("It grew quickly.", resolved="Zanzibar grew quickly."))[0]
    assert {one.reading.text for one in got[:2]} == {"Zanzibar opened 1999.", "It grew quickly."}


def test_each_wording_is_embedded_once_for_all_claims() -> None:
    seen: list[str] = []

    class Counting(LexicalEmbedder):
        def embed(self, texts: Sequence[str]) -> FloatMatrix:
            seen.extend(texts)
            return super().embed(texts)

    index = built("One. Two. Three.")
    claims = [claim("One."), claim("It.", "Two."), claim("One."), claim("It.", "Three.")]
    retrieve(index, claims, word_facts([one.text for one in claims]), Counting(), 2)
    assert sorted(seen) == ["It.", "One.", "Three.", "Two."]


WORDS = st.sampled_from("Acme fee 5 dollars cat sleeps not in 1999".split())  # noqa: SIM905
SENTENCES = st.lists(WORDS, min_size=1, max_size=6).map(lambda words: " ".join(words) + ".")
TEXTS = st.lists(st.lists(SENTENCES, max_size=4).map(" ".join), max_size=5)
QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@QUICK
@given(texts=TEXTS, sentences=st.lists(SENTENCES, max_size=4), top_k=st.integers(1, 6))
def test_every_claim_gets_as_many_passages_as_there_are_and_alone_the_same_as_together(
    texts, sentences, top_k
) -> None:
    index = built(*texts)
    claims = [claim(sentence) for sentence in sentences]
    together = found(index, *claims, top_k=top_k)
    assert together == [found(index, one, top_k=top_k)[0] for one in claims]
    for passages in together:
        rows = [one.chunk.row for one in passages]
        assert len(rows) == len(set(rows)) == min(top_k, len(index.chunks))
        for one in passages:
            assert -1 <= one.similarity <= 1
            assert 0 <= one.lexical <= 1
            assert one.best.of(one.reading.text)
            assert one.span.of(index.document(one.chunk).text)


@QUICK
@given(texts=TEXTS.filter(any), random=st.randoms())
def test_a_sentence_of_a_document_finds_itself_in_any_order_of_documents(texts, random) -> None:
    random.shuffle(texts)
    index = built(*texts)
    for sentence in index.sentences:
        asked = claim(sentence.reading.text)
        best = max(one.lexical for one in found(index, asked, top_k=2)[0])
        assert best == pytest.approx(1)


def test_no_claims_and_no_chunks_give_nothing() -> None:
    assert found(built("One.")) == []
    assert found(built(), claim("One.")) == [[]]


@pytest.mark.parametrize("top_k", [0, -1])
def test_fewer_than_one_passage_cannot_be_asked_for(top_k: int) -> None:
    with pytest.raises(ValueError, match="top_k"):
        found(built("One."), claim("One."), top_k=top_k)


def test_further_passages_come_behind_the_first_and_leave_them_as_they_are() -> None:
    index = built("The fee is 5 dollars.", *FILLER)
    asked = claim("The fee is 5 dollars.")
    facts = word_facts([asked.text])
    (first,) = retrieve(index, [asked], facts, LexicalEmbedder(), 2)
    (more,) = retrieve(index, [asked], facts, LexicalEmbedder(), 2, 2)
    assert more[: len(first)] == first
    assert len(more) == 4
    rows = [one.chunk.row for one in more]
    assert len(set(rows)) == len(rows)
