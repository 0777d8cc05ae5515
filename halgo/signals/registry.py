"""Every rule by its name: its family, the kinds it may give, and what it stands aside for.

A rule looks at one claim beside one passage, or at a claim beside all its passages at once. None
sees what another has found; which of several then stands is settled in one place
(`verdict/resolve.py`) by what is written here. `Signal.detector` names the rule, so that every
reason leads back to it, and `benchmarks accuracy --ablate` leaves out each in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from halgo.protocols import Lexicon
from halgo.signals.portions import portions
from halgo.types import Corpus, Pair, Signal, Stance

if TYPE_CHECKING:
    from halgo.signals.texts import Compared, Texts

# Share of a claim's content words that a passage has to hold before rules that need a sentence like
# the claim are asked: on 1,400 claims none of them saw anything below, where two thirds of all
# passages lie.
LEAST_OVERLAP = 0.4


class Scene:
    """What the rules of one call share: the documents' facts, and what is worked out of them."""

    def __init__(self, corpus: Corpus, lexicon: Lexicon) -> None:
        self.corpus, self.lexicon = corpus, lexicon

    @cached_property
    def compared(self) -> Compared:
        """The pairs of words that rules have compared so far."""
        from halgo.signals.texts import Compared

        return Compared()


class View:
    """One claim beside one passage, and what several rules need of the two."""

    def __init__(self, pair: Pair, scene: Scene) -> None:
        self.pair, self.scene, self.lexicon = pair, scene, scene.lexicon

    @cached_property
    def texts(self) -> Texts:
        """Who does what to whom in both."""
        from halgo.signals.texts import Texts

        return Texts(self.pair, self.lexicon, self.scene.compared)

    @cached_property
    def same_words(self) -> bool:
        """Whether the best sentence has the claim's very words: these cannot deny each other."""
        from halgo.signals.matching import same_words

        return same_words(self.pair)

    @cached_property
    def overlap(self) -> float:
        """The share of the claim's content words that the passage holds, in [0, 1]."""
        from halgo.evidence.lexical import overlap

        return overlap(self.pair.claim.text, self.pair.evidence.reading.text)


Look = Callable[[View], Iterable[Signal]]
LookAll = Callable[[Sequence[Pair], Lexicon], Sequence[Iterable[Signal]]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One mechanism. look: at a claim beside a passage; look_all: beside all its passages.

    family: by which name `Config.detectors` has it. kinds: of the signals that it may give. after:
    the rules that come before it; where one of them saw something, it stands aside. least: the
    share of the claim's content words that a passage has to hold, in [0, 1]; it passes others over.
    of_copies: whether it may speak against a claim in a sentence's very words, by its place.
    """

    name: str
    family: str
    kinds: frozenset[str]
    look: Look | None = None
    look_all: LookAll | None = None
    after: tuple[str, ...] = ()
    least: float = 0.0
    of_copies: bool = False


class Rules:
    """Rules as a `Detector`: each pair is looked at by all of them, what they share read once."""

    def __init__(self, rules: Sequence[Rule], lexicon: Lexicon, name: str = "rules") -> None:
        self.rules, self.name, self._lexicon = tuple(rules), name, lexicon

    def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> list[tuple[Signal, ...]]:
        """One tuple of signals per pair, in order; of all rules, whichever will stand."""
        scene = Scene(corpus, self._lexicon)
        looked = portions(pairs)
        views = [View(portion.pair, scene) for portion in looked]
        found: list[list[Signal]] = [[] for _ in pairs]
        copied = {id(view.pair.claim) for view in views if view.same_words}
        for rule in self.rules:
            told: Iterable[Iterable[Signal]] = (
                self._of_claims(rule, [portion.pair for portion in looked])
                if rule.look_all
                else map(_looked(rule), views)
            )
            for portion, view, signals in zip(looked, views, told, strict=True):
                same = id(view.pair.claim) in copied if rule.look_all else view.same_words
                for signal in signals:
                    if signal.stance is Stance.SUPPORTS or rule.of_copies or not same:
                        seen = portion.placed(replace(signal, detector=rule.name))
                        found[portion.at].append(seen)
        return [tuple(seen) for seen in found]

    def _of_claims(self, rule: Rule, pairs: Sequence[Pair]) -> list[Iterable[Signal]]:
        assert rule.look_all is not None
        told: list[Iterable[Signal]] = []
        for _, mine in groupby(pairs, key=lambda pair: id(pair.claim)):
            told += rule.look_all(list(mine), self._lexicon)
        return told


def _looked(rule: Rule) -> Look:
    look = rule.look
    assert look is not None
    if not rule.least:
        return look
    return lambda view: look(view) if view.overlap >= rule.least else ()


def _rule(name: str, family: str, kinds: str, look: Look | None, **more: Any) -> Rule:
    return Rule(name, family, frozenset(kinds.split()), look, **more)


def _rule_of_all(name: str, family: str, kinds: str, place: str, **more: Any) -> Rule:
    return _rule(
        name, family, kinds, None, look_all=lambda *asked: _function(place)(*asked), **more
    )


def _at(place: str, parts: str) -> Look:
    """The function at a place, handed these parts of a view."""
    given = [attrgetter(part) for part in parts.split()]
    return lambda view: _function(place)(*(part(view) for part in given))


@cache
def _function(place: str) -> Any:
    """The function at "folder.module:name", `signals` where none is named.

    Its module is imported when a claim is first held against it: to list the rules costs nothing.
    """
    module, _, name = place.partition(":")
    return getattr(import_module(f"halgo.signals.{module}"), name or "signals")


def _dates(view: View) -> Iterable[Signal]:
    from halgo.signals.time import date_conflicts, weekdays

    found = date_conflicts.signals(view.pair, view.scene.corpus)
    return [*found, *weekdays.signals(view.pair)]


def _statuses(view: View) -> Iterable[Signal]:
    from halgo.signals.records import failures, statuses

    return failures.conflicts(view.pair) or statuses.conflicts(view.pair)


RULES: tuple[Rule, ...] = (
    # Amounts of the same measure and part that are disjoint, agree, or stand nowhere.
    _rule(
        "quantities",
        "numbers",
        "number_conflict number_agrees number_other_role unsupported_number derived",
        _at("quantities.number_conflicts", "pair scene.corpus"),
    ),
    # Coordinated amounts: "€14, or €9 for students".
    _rule("coordinated_amounts", "numbers", "number_conflict",
          _at("quantities.coordinated", "pair lexicon"), least=LEAST_OVERLAP),
    # Contrastive qualifiers: net for gross, another column's figure.
    _rule("labelled_amounts", "numbers", "number_conflict",
          _at("quantities.labelled", "pair"), least=LEAST_OVERLAP),
    _rule("dates", "dates", "date_conflict date_agrees unsupported_date derived", _dates),
    # Ends of terms: "expires on 15 January 2027" of three years from 2024.
    _rule_of_all("shifted_dates", "dates", "derived", "time.shifted"),
    # Weekly hours: "on Fridays until 6 pm".
    _rule("schedules", "dates", "date_conflict schedule_agrees", _at("time.schedules", "pair")),
    # Ends of a stretch: "from 7 to 10" starts at 7 and not at 10.
    _rule("range_ends", "dates", "date_conflict schedule_agrees", _at("time.range_ends", "pair"),
          after=("schedules",)),
    # Former values: "raised from 15 to 45", "instead of platform 2".
    _rule("former_values", "dates", "former_value derived",
          _at("time.former", "pair"), after=("range_ends",), least=LEAST_OVERLAP),
    # Ended states: "works at the bank" beside "worked at the bank until 2019".
    _rule("ended", "dates", "former_value derived", _at("time.ended", "texts"),
          after=("former_values",), least=LEAST_OVERLAP),
    # Temporal and causal relations: what came first, what caused what, by all passages together.
    _rule_of_all("event_order", "dates", "order_conflict order_agrees negation unsupported_link",
                 "time.event_order"),
    # Offices and parts: "Supplier: Bright Cables", "Alice (CFO)".
    _rule_of_all("bearers", "terms", "name_role", "entities.bearers"),
    # Letters: "I have signed it" says nothing of whom it is written to.
    _rule_of_all("correspondents", "terms", "name_role", "entities.correspondents"),
    _rule("names", "terms", "unsupported_name partial_name",
          _at("entities.mentioned:names", "pair scene.corpus lexicon")),
    # Exact strings: another telephone number, address, version, option.
    _rule("identifiers", "terms", "unsupported_identifier identifier_conflict identifier_agrees",
          _at("entities.exact", "pair scene.corpus")),
    # Names that a program takes literally: `client.get_services()`.
    _rule("literal_names", "terms", "unsupported_identifier identifier_conflict",
          _at("entities.literal_names", "pair scene.corpus")),
    # Role reversal: "A acquired B" beside "B acquired A".
    _rule("role_reversal", "terms", "swapped_names",
          _at("relations.role_reversal:swapped", "texts"), least=LEAST_OVERLAP),
    # Substitution: the sentences agree but for what fills one place.
    _rule("substitution", "terms", "name_conflict name_role word_conflict antonym",
          _at("relations.substitution:conflicts", "texts"),
          after=("role_reversal", "range_ends"), least=LEAST_OVERLAP),
    # Counterparts: what is said of the employer, told of the employee.
    _rule_of_all("counterparts", "terms", "name_role", "relations.counterparts"),
    # Few words tell a state: of "Your account is in good standing" its record has one in three.
    _rule("statuses", "terms", "word_conflict yes_no_agrees", _statuses, least=0.3),
    # Yes/no cells of a table of features: "Basic: no", a check mark.
    _rule_of_all("yes_no", "terms", "word_conflict yes_no_agrees rows_agree", "records.yes_no"),
    # What prose says of a record, by its fields: another's value, a state, an empty cell.
    _rule_of_all("field_values", "terms", "word_conflict unsupported_term", "records.field_values",
                 after=("statuses",)),
    # Several rows of a table: the cheapest, more than another, two of four, all, only.
    _rule_of_all("over_rows", "terms", "rows_agree rows_conflict derived", "records.over_rows"),
    _rule("sections", "terms", "other_section",
          _at("records.other_sections", "pair"), of_copies=True),
    # Questions and requests of a conversation: "Do you ship to Mexico?" is no yes.
    _rule("only_asked", "terms", "only_asked unanswered", _at("relations.only_asked", "pair"),
          of_copies=True),
    # Lead-ins: an item of "Not accepted:" told as accepted.
    _rule_of_all("listed", "terms", "other_list yes_no_agrees rows_agree", "records.lead_ins",
                 of_copies=True),
    # Entries of a reference: what is told of one option or parameter, said of another.
    _rule_of_all("entries", "terms", "name_conflict", "records.entries"),
    # Defaults: another alternative than the one marked "(default)"; what an option asks for.
    _rule_of_all("defaults", "terms", "word_conflict modality", "records.defaults"),
    # Entries of a configuration: a value of one section told of the section beside it.
    _rule_of_all("siblings", "terms", "name_conflict", "records.siblings"),
    # Yes/no answers: "Do you offer refunds? No."
    _rule_of_all("answers", "negation", "negation yes_no_agrees", "polarity.yes_no_answers"),
    # Claims of absence: "the lease does not mention pets".
    _rule_of_all("silence", "negation", "mentioned not_mentioned", "polarity.silence"),
    # Exceptions: "all shops except the bakery are closed", "only members can vote".
    _rule("exceptions", "negation", "negation rows_agree",
          _at("polarity.exceptions", "pair lexicon")),
    # The same predicate with opposite polarity, antonyms, hedges. "Closes at 4 pm" is no antonym of
    # "open until 4 pm".
    # The name of a feature is told of nothing: "Can be exported" has its yes or no in the cells.
    _rule("polarity", "negation", "negation antonym quantifier modality",
          _at("polarity.negation:polarity", "texts"),
          after=("schedules", "range_ends", "yes_no", "listed", "answers", "ended", "exceptions")),
    # Alternatives: "a badge or a code is needed" told as "both are", and the other way round.
    _rule("alternatives", "negation", "quantifier",
          _at("polarity.alternatives", "pair"), least=LEAST_OVERLAP),
    _rule("comparisons", "negation", "swapped_names comparison_agrees antonym",
          _at("polarity.comparisons", "pair lexicon"), least=LEAST_OVERLAP),
    # Modal strength: a "must", "always", "never" or "certainly" that no document licenses.
    _rule("strength", "negation", "modality quantifier",
          _at("polarity.strength", "pair scene.corpus lexicon"), after=("polarity",)),
    # Word problems: numbers that follow from a short story, or should and do not. "Repairs take 30
    # days" gives no way to how long returns are accepted.
    _rule("derivations", "arithmetic", "derived not_derivable",
          _at("derivation.in_passage", "pair scene.corpus lexicon"), least=0.3),
    # Reasons: "€42, as members get €10 off the €52".
    _rule_of_all("stated", "arithmetic", "derived", "derivation.stated"),
    # Numerical reasoning: numbers worked out from all passages, by what the claim's words ask.
    _rule_of_all("worked_out", "arithmetic", "derived not_derivable",
                 "derivation.worked_out:worked_out"),
    # Contrasts: "the Heron is lighter than the Falcon" beside what each of them weighs.
    _rule_of_all("contrasts", "arithmetic", "comparison_agrees not_derivable",
                 "derivation.contrasts"),
    # Trends: "revenue fell in 2023" beside what it was in 2022 and in 2023.
    _rule_of_all("trends", "arithmetic", "derived not_derivable", "derivation.trends"),
)  # fmt: skip
NAMES = tuple(rule.name for rule in RULES)
