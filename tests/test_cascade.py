"""The large entailment model reads what leaves the small one in doubt, and that alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from halgo import Checker, Config, ConfigError, Halgorithm, ModelNotFoundError, models
from halgo.entailment import cross_encoder
from halgo.entailment.cascade import DOUBT, EVERY, Cascade, joined
from halgo.entailment.judgement import Judgement, Piece
from halgo.types import Span


class Reader:
    """Says of every pair what its claim says: a probability of entailment."""

    def __init__(self, name: str, sure: float | None = None) -> None:
        self.name, self.sure = name, sure
        self.asked: list[tuple[str, str]] = []

    def load(self) -> None:
        self.asked.clear()

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        self.asked += pairs
        found = []
        for _, claim in pairs:
            chance = float(claim) if self.sure is None else self.sure
            piece = Piece(Span(0, len(claim)), 1 - chance)
            found.append(Judgement((chance, (1 - chance) / 2, (1 - chance) / 2), (piece,)))
        return found


class Model(Reader):
    """The same as a model that is no part of a cascade."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        return np.array([judgement.probabilities for judgement in self.read(pairs)])


PAIRS = [("a text", said) for said in ("0.001", "0.3", "0.999", "0.9", "0.5")]


def test_only_what_is_in_doubt_is_read_again_and_in_its_place() -> None:
    small, large = Reader("halgo-entailment-1"), Reader("halgo-entailment-large-2", sure=0.98)
    both = Cascade(small, large)
    found = both.read(PAIRS)
    assert small.asked == PAIRS
    assert large.asked == [PAIRS[1], PAIRS[3], PAIRS[4]]
    for at, (_, claim) in enumerate(PAIRS):
        alone = small.read([PAIRS[at]])[0]
        doubtful = DOUBT[0] < float(claim) < DOUBT[1]
        assert (found[at] != alone) == doubtful
        assert sum(found[at].probabilities) == pytest.approx(1)
    assert found[1].probabilities[0] > 0.5 > float(PAIRS[1][1])
    assert found[1].pieces[0].unsupported < 0.5
    assert np.allclose(both.predict(PAIRS), [one.probabilities for one in found])


class OfShortTexts(Reader):
    """Takes the shorter of two texts for more of a support."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        self.asked += pairs
        short = [len(premise) < 70 for premise, _ in pairs]
        return [Judgement((0.4, 0.3, 0.3) if one else (0.1, 0.5, 0.4)) for one in short]


def test_the_large_model_reads_only_what_supports_a_claim_most() -> None:
    docs = [
        "The blue ferry to Arran leaves from pier four.",
        "Arran has two harbours. Boats to Arran leave at nine in summer, and dogs are welcome.",
    ]
    small, large = OfShortTexts("halgo-entailment-1"), OfShortTexts("halgo-entailment-large-2")
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=Cascade(small, large))
    halgorithm.checker(docs).check_claims(
        ["The blue ferry leaves pier four in summer; dogs are welcome."]
    )
    assert len(small.asked) == 2
    assert large.asked == [min(small.asked, key=lambda pair: len(pair[0]))]


def test_a_reading_does_not_depend_on_what_is_read_beside_it() -> None:
    both = Cascade(Reader("small"), Reader("large", sure=0.2))
    assert both.read(PAIRS) == [both.read([pair])[0] for pair in PAIRS]
    assert both.read([]) == []


def test_the_large_tier_reads_every_pair_and_has_a_name_of_its_own() -> None:
    small, large = Reader("halgo-entailment-1"), Reader("halgo-entailment-large-2", sure=0.9)
    every, some = Cascade(small, large, EVERY), Cascade(small, large)
    every.read(PAIRS)
    assert large.asked == PAIRS
    assert len({every.name, some.name, small.name}) == 3
    assert "large-2" in some.name


def test_what_both_say_lies_between_them() -> None:
    (low,), (high,) = Reader("a", 0.1).read(PAIRS[:1]), Reader("b", 0.8).read(PAIRS[:1])
    for one, other in ((low, high), (high, low)):
        said = joined(one, other)
        assert 0.1 < said.probabilities[0] < 0.8
        assert 0.2 < said.pieces[0].unsupported < 0.9
    assert joined(low, low).probabilities == pytest.approx(low.probabilities)
    certain = Judgement((1.0, 0.0, 0.0))
    assert joined(certain, certain).probabilities[0] == pytest.approx(1, abs=1e-5)


@pytest.fixture
def without_large(monkeypatch: pytest.MonkeyPatch) -> None:
    find = models.find

    def found(name: str, path: str | Path | None = None) -> models.Found:
        if name == "entailment-large":
            raise ModelNotFoundError("no entailment model", name=name, searched=["here"])
        return find(name, path)

    monkeypatch.setattr(models, "find", found)


@pytest.fixture(autouse=True)
def _as_it_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HALGO_ENTAILMENT")


@pytest.mark.models
def test_a_variable_says_what_the_default_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALGO_ENTAILMENT", "small")
    default, cascade = cross_encoder.resolve("default"), cross_encoder.resolve("cascade")
    assert default is not None and cascade is not None
    assert default.name != cascade.name
    monkeypatch.setenv("HALGO_ENTAILMENT", "huge")
    with pytest.raises(ConfigError, match="HALGO_ENTAILMENT is one of default, small"):
        cross_encoder.resolve("default")


@pytest.mark.models
def test_without_its_weights_the_default_is_the_small_model(without_large: None) -> None:
    default, small = cross_encoder.resolve("default"), cross_encoder.resolve("small")
    assert default is not None and small is not None
    assert default.name == small.name
    for tier in ("cascade", "large"):
        with pytest.raises(ModelNotFoundError):
            cross_encoder.resolve(tier)
    status = {one.name: one for one in models.status(full=False)}["entailment-large"]
    assert status.found is None and not status.wrong and "pip install" in status.fix


@pytest.mark.models
def test_with_its_weights_the_report_says_that_both_were_there() -> None:
    docs = (
        "Bronze costs 39 EUR a month. Members may cancel at any time, unless they pay by the year."
    )
    names = []
    for tier in ("default", "small", "cascade", "large"):
        halgorithm = Halgorithm(Config(), entailment=tier)
        report = halgorithm.checker(docs).check("All members may cancel at any time.")
        names.append(report.engine.entailment)
    default, small, cascade, large = names
    assert default == cascade != small
    assert len({small, cascade, large}) == 3
    assert cascade is not None and "large" in cascade


@pytest.mark.models
@pytest.mark.parametrize("claim", ["The gym is closed.", "The bar is open.", "The pool is warm."])
def test_a_text_about_something_else_contradicts_nothing(claim: str) -> None:
    (result,) = Checker.from_docs("Breakfast is served until noon.").check(claim)
    assert result.verdict.value in ("HALLUCINATION", "WEAK_SUPPORT")


@pytest.mark.parametrize(
    ("name", "calibration"),
    [
        ("halgo-entailment-1.10.0", "read_small"),
        ("halgo-entailment-1.10.0+large-1.1.0", "read"),
        ("halgo-entailment-1.10.0&large-1.1.0", "read"),
        ("another-model", "read"),
    ],
)
def test_the_small_model_alone_has_coefficients_of_its_own(name: str, calibration: str) -> None:
    text = resources.files("halgo").joinpath("data/fusion.json").read_text(encoding="utf-8")
    fitted = {key: json.loads(text)[key]["name"] for key in ("read", "read_small", "unread")}
    assert len(set(fitted.values())) == 3
    halgorithm = Halgorithm(embedder="lexical", entailment=Model(name))
    assert halgorithm.fusion(read=True).name == fitted[calibration]
    assert halgorithm.fusion(read=False).name == fitted["unread"]
