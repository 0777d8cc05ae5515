"""Numbers, negation and synonyms as the first published algorithm reads them; classic mode only.

quantulum3, negspacy and NLTK are met here and nowhere else. The default mode has readers of its own
(quantities.py, negations.py, lexicon.py): quantulum3 0.10 takes "half a million" for 1,500,000 and
drops the sign of "minus 5"; negspacy's clinical term set does not see "does not cause"; NLTK takes
2 s to import and gives every sense of a word.
"""

from __future__ import annotations

import math
import re
import threading
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from halgo.facts.parse import tokenized

if TYPE_CHECKING:
    from spacy.language import Language

    from halgo.protocols import Lexicon

_LONGEST = 4000  # characters; both libraries take time out of proportion on longer texts
# quantulum3 takes time with the square of a numeral's digits: 10 s for 200 of them.
_MOST_DIGITS = 20
_NUMERAL = re.compile(r"(?:(?<!\w)-)?\d+(?:\.\d+)?")
_LONG = re.compile(rf"\d{{{_MOST_DIGITS + 1}}}")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_lock = threading.Lock()

# General prose. The clinical sets count "not cause" and "no change" as no negation at all.
_TERMS = {
    "pseudo_negations": ["not only", "no wonder", "not to mention", "without doubt"],
    "preceding_negations": [
        *("no", "not", "n't", "never", "neither", "nor", "none", "nobody", "nothing", "cannot"),
        *("without", "no longer", "failed to", "fails to", "refused to", "unable to", "lack of"),
    ],
    "following_negations": ["was ruled out", "is excluded"],
    "termination": ["but", "however", "although", "though", "except", "yet"],
}


@lru_cache(maxsize=4096)
def numbers(text: str) -> tuple[float, ...]:
    """The numbers of a text: quantulum3's, or bare digits where it finds none.

    Numerals with more than 20 digits in a row are read without it, and come last.
    """
    text = text[:_LONGEST]
    long = [numeral for numeral in _NUMERAL.findall(text) if _LONG.search(numeral)]
    if long:
        text = _NUMERAL.sub(lambda found: " " if _LONG.search(found[0]) else found[0], text)
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its notice about the classifier extra
        from quantulum3 import classifier, parser

        # Its classifier is a pickle of an older scikit-learn that today's cannot load.
        classifier.USE_CLF = False
        try:
            found = [float(quantity.value) for quantity in parser.parse(text)]
        except Exception:
            # It raises KeyError, ValueError and others on odd numerals; odd text is no crash.
            found = []
    if not found:
        found = [float(digits.replace(",", "")) for digits in _DIGITS.findall(text)]
    found += filter(math.isfinite, map(float, long))
    return tuple(found)


@lru_cache(maxsize=4096)
def negated(text: str) -> bool:
    """Whether negspacy sees any word of the text negated."""
    with _lock:
        nlp = _negex()
        doc = tokenized(nlp, text[:_LONGEST])
        # negspacy marks spans, not tokens: every word is given to it as a span of its own.
        doc.spans["words"] = [doc[i : i + 1] for i in range(len(doc)) if doc[i].is_alpha]
        if len(doc):
            doc[0].is_sent_start = True
        for _, component in nlp.pipeline:
            doc = component(doc)
        return any(span._.negex for span in doc.spans["words"])


@lru_cache(maxsize=1)
def _negex() -> Language:
    import negspacy.negation  # noqa: F401  (registers the "negex" factory)
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("negex", config={"neg_termset": _TERMS, "span_keys": ["words"]})
    return nlp


class NltkLexicon:
    """WordNet as NLTK reads it, with all senses of a word. Safe to share between threads.

    Raises ImportError without NLTK, LookupError when it finds no WordNet among its own data;
    nothing is ever downloaded.
    """

    def __init__(self) -> None:
        from nltk.corpus import wordnet

        with _lock:  # its corpora are loaded on first use, by whichever thread comes first
            wordnet.ensure_loaded()
            self.name = f"nltk-wordnet-{wordnet.get_version()}"
        self._wordnet = wordnet
        self._synonyms = lru_cache(maxsize=16_384)(self._find_synonyms)

    def __reduce__(self) -> tuple[type[NltkLexicon], tuple[()]]:
        return NltkLexicon, ()

    def synonyms(self, lemma: str) -> frozenset[str]:
        """The lemmas of every synset of a word, in lower case."""
        return self._synonyms(lemma.lower())

    def antonyms(self, lemma: str) -> frozenset[str]:
        """The direct opposites of a word, in every sense."""
        with _lock:
            found = [
                opposite.name()
                for synset in self._wordnet.synsets("_".join(lemma.split()))
                for own in synset.lemmas()
                for opposite in own.antonyms()
                if own.name().lower() == "_".join(lemma.lower().split())
            ]
        return _plain(found)

    def _find_synonyms(self, lemma: str) -> frozenset[str]:
        with _lock:
            synsets = self._wordnet.synsets("_".join(lemma.split()))
            found = [name for synset in synsets for name in synset.lemma_names()]
        return _plain(found) - {lemma}


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.replace("_", " ").lower() for name in names)


@lru_cache(maxsize=1)
def published_lexicon() -> Lexicon:
    """WordNet with all senses of a word: by NLTK where it is installed with its data, else by us.

    Raises ModelNotFoundError when neither has a WordNet.
    """
    from halgo.facts.lexicon import every_sense

    try:
        return NltkLexicon()
    except Exception:
        # Not installed, without its WordNet, or with one in a folder that it does not trust: each
        # version has an exception of its own for that, and the same files are read here as well.
        return every_sense()
