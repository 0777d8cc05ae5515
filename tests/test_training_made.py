"""Training pairs made by rule: what is false differs from its premise, and labels are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from small_training import training

pytestmark = pytest.mark.models

TEXTS = (
    "The harbour office opened in Larne in 1998. The crane lifts 40 tonnes of steel a day. "
    "Edith Brand, a civil engineer, designed the eastern pier. "
    "Most boats leave the basin before noon on Friday. "
    "Fuel prices rose by 12% in the second year. "
    "The pilot did not sign the report that the council ordered.",
    "Marlow Foods sold its bakery to Tern Holdings in March 2016. "
    "The bakery employs 85 people and makes 3,000 loaves a night. "
    "All ovens were cleaned after the fire, and the roof was repaired in June 2017. "
    "The new owner may close the shop in Dover. "
    "The old mill is taller than the chapel beside it.",
)
ALTERED = "factcg_cg2c_doc"  # a set whose supported claims are altered


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with training("made", "examples") as package:
        yield package


def bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def stands_in(claim: str, premise: str) -> bool:
    return bare(claim) in bare(premise)


@pytest.fixture(scope="module")
def short(modules: Any) -> list[Any]:
    """Pairs with short premises, by several seeds."""
    return [pair for seed in range(4) for pair in modules.made.short_pairs(TEXTS, seed)]


@pytest.fixture(scope="module")
def supported(modules: Any) -> list[Any]:
    """Claims that their premises hold, as a labelled set gives them."""
    examples = modules.examples
    return [
        examples.Example(text, f"{sentence}.", examples.ENTAILED, ALTERED)
        for text in TEXTS
        for sentence in text.removesuffix(".").split(". ")
    ]


def test_no_false_claim_stands_in_its_premise(modules: Any, short: list[Any]) -> None:
    wrong = [pair for pair in short if pair.label != modules.examples.ENTAILED]
    assert len(wrong) > 30
    assert not [pair for pair in wrong if stands_in(pair.claim, pair.premise)]


def test_the_wrong_words_of_a_false_claim_are_marked(modules: Any, short: list[Any]) -> None:
    wrong = [pair for pair in short if pair.label != modules.examples.ENTAILED]
    made = [pair for pair in wrong if "turned" not in pair.source]
    marked = [[pair.claim[start:end] for start, end in pair.spans or ()] for pair in made]
    assert sum(map(bool, marked)) > len(made) / 2  # where words are only missing, none is wrong
    assert all(words == words.strip() != "" for some in marked for words in some)


def test_a_premise_is_a_sentence_or_a_few(short: list[Any]) -> None:
    lengths = [len(pair.premise.split()) for pair in short]
    longest = max(len(text.split()) for text in TEXTS)
    assert 0 < min(lengths) < 15 < max(lengths) <= longest


def test_turned_round_the_altered_sentence_is_true_and_the_first_one_false(
    modules: Any, short: list[Any]
) -> None:
    examples = modules.examples
    turned = [at for at, pair in enumerate(short) if pair.source.startswith("made: turned ")]
    assert turned
    whole = " ".join(TEXTS)
    for at in turned:
        false, true = short[at], short[at + 1]
        assert false.premise == true.premise
        assert (false.label, true.label) == (examples.CONTRADICTED, examples.ENTAILED)
        assert false.claim in whole and true.claim not in whole
        assert stands_in(true.claim, true.premise) and not stands_in(false.claim, false.premise)


def test_a_seed_decides_the_pairs(modules: Any, supported: list[Any]) -> None:
    made = modules.made
    for pairs, of in (
        (made.short_pairs, TEXTS),
        (made.made_pairs, TEXTS),
        (made.varied_pairs, supported),
        (made.altered_pairs, supported),
    ):
        first, again, other = (list(pairs(of, seed)) for seed in (1, 1, 2))
        assert first == again != other


def test_varied_claims_keep_their_premise_and_each_kind_comes_once(
    modules: Any, supported: list[Any]
) -> None:
    examples = modules.examples
    one = next(pair for pair in supported if "85 people" in pair.claim)
    found = list(modules.made.varied_pairs([one], 3, each=3))
    wrong = [pair for pair in found if pair.label != examples.ENTAILED]
    kinds = [pair.source for pair in wrong]
    assert 1 < len(kinds) == len(set(kinds)) <= 3
    assert {pair.premise for pair in found} == {one.premise}
    assert not [pair for pair in wrong if stands_in(pair.claim, pair.premise)]


def test_only_supported_claims_of_the_sets_that_allow_it_are_altered(
    modules: Any, supported: list[Any]
) -> None:
    examples, made = modules.examples, modules.made
    left_alone = [
        examples.Example(supported[0].premise, supported[0].claim, examples.CONTRADICTED, ALTERED),
        examples.Example(supported[0].premise, supported[0].claim, examples.ENTAILED, "snli_dev"),
    ]
    assert list(made.varied_pairs(left_alone, 1)) == list(made.altered_pairs(left_alone, 1)) == []


def test_a_splice_has_both_its_sentences_in_the_premise(modules: Any) -> None:
    text = (
        "Maria Lopez signed the lease in May. The roof leaks. Nobody knew it then. "
        "Peter Hall has run the yard since 1998."
    )
    found = [pair for seed in range(4) for pair in modules.made.spliced_pairs([text], seed)]
    wrong = [pair for pair in found if pair.label != modules.examples.ENTAILED]
    assert {pair.source for pair in wrong} == {"made: splice"}
    for pair in wrong:
        assert not stands_in(pair.claim, pair.premise)
        assert "Maria Lopez signed" in pair.premise
        assert "Peter Hall has run" in pair.premise
    assert len(found) == 2 * len(wrong)
