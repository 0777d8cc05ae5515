"""Parsed sentence -> false variants, each with the words that are wrong.

After FactCC (Kryscinski et al. 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from spacy.tokens import Span

from .added import added_edits
from .dates import date_edits
from .edits import Altered, Change, apply_edits
from .entities import entity_edits, role_edits, swap_edits
from .grammar import main_verb
from .hedges import hedge_edits
from .negation import negation_edits
from .numbers import number_edits
from .opposites import opposite_edits
from .pool import Pool
from .quantifiers import more_less_edits, quantifier_edits
from .tables import word_set
from .text import bounds_of, source_text
from .units import unit_edits
from .words import word_edits

_LOOSENING = word_set("no not n't never none neither nor without if unless whether")


def alterations(sentence: Span, pool: Pool, rng: Random) -> list[Altered]:
    """False variants of the sentence, each with the characters that are wrong; often several.

    Same `rng` state, same result. Empty for what is no plain statement. A text never equals the
    sentence, and every span lies inside the text and is not empty.
    """
    verb = main_verb(sentence)
    if verb is None:
        return []
    start, end = bounds_of(sentence)
    whole = source_text(sentence.doc)[start:end]
    sources: list[Callable[[], Iterator[Change]]] = [
        lambda: number_edits(sentence, rng),
        lambda: unit_edits(sentence, rng),
        lambda: date_edits(sentence, rng),
        lambda: entity_edits(sentence, pool, rng),
        lambda: swap_edits(sentence, verb),
        lambda: role_edits(sentence, verb),
        lambda: negation_edits(sentence, verb),
        lambda: opposite_edits(sentence),
        lambda: more_less_edits(sentence),
        lambda: quantifier_edits(sentence),
        lambda: hedge_edits(sentence),
        lambda: word_edits(sentence, pool, rng),
        lambda: added_edits(sentence, verb, pool, rng),
    ]
    found: dict[str, Altered] = {}
    # "Did not sell 40 boats" says nothing of 50, nor "if it rains" of snow.
    loose = any(t.dep_ == "neg" or t.lower_ in _LOOSENING for t in sentence)
    for source in sources:
        for edits, kind, stance in source():
            if loose and kind not in ("negation_in", "negation_out", "quantifier"):
                stance = "unsupported"
            text, spans = apply_edits(sentence, edits)
            if text != whole and spans and text not in found:
                found[text] = Altered(text, spans, kind, stance)
    return list(found.values())
