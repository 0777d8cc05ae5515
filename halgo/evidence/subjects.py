"""Which things documents are about, and whether a claim names another than a document is about.

"The walls are 1.8 km long" in a page on Lesk says nothing of Brod, which has a page of its own.
A document is about the name that its first sentence begins with, or its title has. A page without
one, "Opening hours", may be about anything that another page of the same documents names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache

from halgo.evidence.lexical import is_common
from halgo.facts.words import words
from halgo.types import Facts

# Words with a capital or a figure, one after the other: "Sweepo S8 Ultra", "Bank of Orla".
_RUN = re.compile(r"[A-Z][\w.'’&+-]*(?: (?:(?:of|the|de|for|and) )?[A-Z\d][\w.'’&+-]*){0,5}")
_WORD = re.compile(r"[^\W_]{2,}")
_PLAIN = re.compile(r"\b[a-z][^\W_]+")
_INNER = re.compile(r"(?<=[a-z] )[A-Z][^\W_]+")
_ARTICLE = re.compile(r"\W*(?:the\s+)?", re.IGNORECASE)
_GREETING = re.compile(r"(?:hello|hi|hey|dear|good \w+)\b[^,]*,?", re.IGNORECASE)
# Words with a capital that tell nobody what a text is about.
_GENERAL = words(
    "inc plc ltd llc llp gmbh ag se sa spa co corp company group mr mrs ms dr the and for not "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december eu uk us usa"
)
_COMPARED = re.compile(
    r"\b(?:only|among|unlike|both|neither|(?:has|have|is|are|was|were) the (?:most|least|\w{2,}est)"
    r"|(?:of|all) (?:the )?(?:two|three|four|five|six|seven|eight))\b",
    re.IGNORECASE,
)
MOST = 100  # documents of which it is asked what each is about
LONGEST = 5_000_000  # characters of all of them


class Subjects:
    """What the documents of an index are about."""

    def __init__(self, texts: Mapping[str, str], begun: Callable[[str], tuple[str, Facts]]) -> None:
        """texts: of each document. begun: the first sentence of one, as read."""
        self._words = {
            key: Counter(word.lower() for word in _WORD.findall(text))
            for key, text in texts.items()
        }
        self._plain = {word for text in texts.values() for word in _PLAIN.findall(text)}
        inner = {word.lower() for text in texts.values() for word in _INNER.findall(text)}
        self._inner = inner - self._plain
        self._begun = begun
        self.subject = lru_cache(MOST)(self._subject)

    def another(self, claim: str, document: str) -> tuple[str, str, frozenset[str]] | None:
        """What a document is about, what else a claim names, and the words of that.

        None where the claim names nothing, or something that the document tells as much of; where
        all others that have it speak of both, as a guest's letter does of the hotel; and where the
        claim compares it with all others.
        """
        own = self.subject(document) if document in self._words else ""
        if not own or _COMPARED.search(claim):
            return None
        held, mine = self._words[document], self._proper(own, "")
        names = [(run, told) for run in _RUN.findall(claim) if (told := self._proper(run, claim))]
        often = min(held[word] for word in mine)
        # "Hotel" is a word of both.
        if any(
            told <= mine or any(held[word] >= often for word in told - mine) for _, told in names
        ):
            return None
        for name, told in names:
            homes = [
                key
                for key, theirs in self._words.items()
                if key != document and told <= theirs.keys()
            ]
            if not all(mine <= self._words[key].keys() for key in homes):
                said = name.split()
                while is_common(said[0].lower()):
                    said = said[1:]  # "At Hotel Marisol"
                return own, " ".join(said), told
        return None

    def _subject(self, document: str) -> str:
        text, facts = self._begun(document)
        greeting = _GREETING.match(text)
        start = greeting.end() if greeting else 0
        article = _ARTICLE.match(text, start)
        for found in _RUN.finditer(text, article.end() if article else start):
            if text.endswith((".", "!", "?")) and found.start() > (article or found).end():
                return ""  # a sentence is about what it begins with, a title about what it names
            named = any(found.start() <= one.span.start < found.end() for one in facts.names)
            if named and self._proper(found[0], text):
                return found[0].rstrip(".")
        return ""

    def _proper(self, run: str, text: str) -> frozenset[str]:
        """The words of a name that no document has without a capital.

        What a text begins with is one if it stands within a sentence too, or has several words.
        """
        found = frozenset(word.lower() for word in _WORD.findall(run)) - _GENERAL - self._plain
        told = frozenset(word for word in found if not is_common(word))
        begins = text.startswith(run) and " " not in run
        return told & self._inner if begins else told
