"""The first row of two columns that nothing marks -> whether it names them, or is a pair itself.

    Item     Price          Tenant     Ann Weber
    Bread    2.00           Rent       EUR 900

Where it cannot be told it is a pair: a name of a column that is read as a pair costs one line, a
pair that is read as the names of columns turns every line round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.sources.abbreviations import words

_FEWEST = 3  # pairs below a name, all of one kind, that show by themselves what it is
_LONGEST = 4  # words of a name
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
# Words that what a column holds is called by, in the plural as well.
_NOUNS = words("""
    address age amount amt answer area author balance capacity capital category charge city
    class code color colour comment contact content cost count country cut date day deadline
    default definition department description detail distance duration effect email example
    explanation fee frequency function goal height hour id incidence kind language length
    level limit location manager maximum meaning measure minimum month name note number
    occupation office opening owner percentage person phone place point population position
    price purpose qty quantity range rank rate rating reason remark requirement
    responsibility result role salary schedule score seat share size speaker stage state
    status stock sum tax tel telephone temperature term time title total type unit usage use
    value venue weight width winner word year
""")
_OF = re.compile(r"\b(?:per|in|of|for|at|by)\b")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_KINDS = {
    "yes": re.compile(r"(?:yes|no|none|true|false|n/?a|[-\u2013\u2014\u2713\u2714\u2717x])", re.I),
    "time": re.compile(
        r"\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\.?)?(?:\s?[-\u2013]\s?\d{1,2}[:.]\d\d.{0,5})?"
    ),
    "date": re.compile(
        rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? )?"
        rf"(?:\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{4}}-\d\d-\d\d"
        rf"|(?:\d{{1,2}}\.? )?(?:{_MONTHS})[a-z]*\.?(?: \d{{1,2}},?)?(?: \d{{4}})?)",
        re.I,
    ),
    "money": re.compile(
        r"[-+]?\s?(?:[$\u20ac\u00a3\u00a5]\s?|[A-Z]{3}\s)[-+]?\d[\d.,]*.{0,3}"
        r"|[-+]?\d[\d.,]*\s?(?:[$\u20ac\u00a3\u00a5]|EUR|USD|GBP|CHF)"
    ),
    "number": re.compile(r"[-+<>~\u2264\u2265]?\s?\d[\d.,]*"),
    "measure": re.compile(r"[-+<>~\u2264\u2265]?\s?\d[\d.,]*\s?(?:%|[^\W\d_]{1,12}\.?|\u00b0\w)"),
}


def kind_of(cell: str) -> str:
    """What a cell holds: "money", "number", "measure", "date", "time", "yes", or "" for words."""
    return next((kind for kind, form in _KINDS.items() if form.fullmatch(cell)), "")


def names_both(rows: Sequence[tuple[str, str]]) -> bool:
    """Whether the first of several rows of two cells names the columns of the others."""
    (over, name), *below = rows
    if not over or not name:
        return not over and bool(name)  # an empty corner
    words = _BRACKETS.sub("", name).split()
    written = " ".join(words)
    if not words or len(words) > _LONGEST or "," in written or any(map(str.isdecimal, written)):
        return False
    if over.endswith(":") or kind_of(over) or kind_of(name):
        return False
    head = _OF.split(written.lower())[0].split()
    if head and _singular(head[-1]) in _NOUNS:
        return True
    kinds = {kind_of(value) for _, value in below if value}
    return len(below) >= _FEWEST and len(words) < 3 and kinds in ({"number"}, {"measure"}, {"yes"})


def _singular(word: str) -> str:
    word = word.strip(".:,*")
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and word[:-1] in _NOUNS else word
