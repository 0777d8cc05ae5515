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
from halgo.facts.aliases import SUFFIXES
from halgo.facts.words import MONTHS, WEEKDAYS, words
from halgo.types import Facts

# Words with a capital or a figure, one after the other: "Sweepo S8 Ultra", "Bank of Orla".
_RUN = re.compile(r"[A-Z][\w.'’&+-]*(?: (?:(?:of|the|de|for|and) )?[A-Z\d][\w.'’&+-]*){0,5}")
_WORD = re.compile(r"[^\W_]{2,}")
_PLAIN = re.compile(r"\b[a-z][^\W_]+")
_INNER = re.compile(r"(?<=[a-z] )[A-Z][^\W_]+")
# What a first sentence may have before its name: "Dear Ms Ferro, ", "The ".
_LEAD = re.compile(r"(?:(?:hello|hi|hey|dear|good \w+)\b[^,]*,?)?\W*(?:the\s+)?", re.IGNORECASE)
# Words with a capital that tell nobody what a text is about.
_GENERAL = SUFFIXES | words("se mr mrs ms dr eu uk us usa") | {*MONTHS, *WEEKDAYS}
_COMPARED = re.compile(
    r"\b(?:only|among|unlike|both|neither|(?:has|have|is|are|was|were) the (?:most|least|\w{2,}est)"
    r"|(?:of|all) (?:the )?(?:two|three|four|five|six|seven|eight))\b",
    re.IGNORECASE,
)
MOST = 100  # documents of which it is asked what each is about
LONGEST = 5_000_000  # characters of all of them


class Subjects:
    """What the documents of an index are about."""

    def __init__(
        self,
        texts: Mapping[str, str],
        begun: Callable[[str], tuple[str, Facts]],
        parts: Mapping[str, str],
    ) -> None:
        """texts: of each whole document. begun: the first sentence of one, as read.

        parts: each document that an index has -> the whole one of which it is a part.
        """
        self._whole = parts
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
        document = self._whole.get(document, "")
        own = self.subject(document) if document else ""
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
                return own, " ".join(said).rstrip("."), told
        return None

    def _subject(self, document: str) -> str:
        text, facts = self._begun(document)
        lead = _LEAD.match(text)
        start = lead.end() if lead else 0
        for found in _RUN.finditer(text, start):
            if text.endswith((".", "!", "?")) and found.start() > start:
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
