"""Text -> is it nothing but arithmetic? "12 of 48 is 25%" is; "Revenue grew 12 percent" is not.

Every word has to be a number or belong to the small language of sums, and both sides of "=" or
"is" have to hold a number: then the claim proves or refutes itself and needs no source. One word
more ("12 of 48 patients is 25%") makes it a claim about the world. Nothing is evaluated here.
"""

from __future__ import annotations

import re

from halgo.facts.words import words

# A sum written out has seldom a hundred tokens; a table pasted as one line has thousands.
_LONGEST = 400

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[$€£¥]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)(?![A-Za-z_])"
    r"|(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*)"
    r"|(?P<mark>\*\*|==|≈|≠|[-+−–*/÷×·^=%()\[\],;:<>≤≥√∛!π]))"
)
_NUMBER_WORDS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred thousand million billion trillion half third quarter dozen"
)
_RELATIONS = words("is are equals equal = == ≈ makes make gives")
_OPERATIONS = words(
    "plus minus times divided multiplied over squared cubed of sum total product average mean "
    "difference quotient ratio double twice percent % + - − – * ** / ÷ × · x ^ √ from out square "
    "root power increase decrease rise fall drop growth change median cube ∛ ! factorial"
)
# Functions of sums, each with its bracket: sqrt(16), max(3, 8).
FUNCTIONS = words(
    "sqrt cbrt exp ln log log10 log2 sin cos tan asin acos atan arcsin arccos arctan sinh cosh "
    "tanh abs floor ceil ceiling factorial binomial gcd lcm min max"
)
_FUNCTION = re.compile(rf"(?:{'|'.join(sorted(FUNCTIONS, reverse=True))})\(", re.IGNORECASE)
_EULER = re.compile(r"e\^|[a-z]\(e\)", re.IGNORECASE)
_GLUE = words("the a an and to by between up down in going with , ( ) [ ] so")
_OPENERS = re.compile(
    r"^(?:(?:so|thus|therefore|hence|then|yes|indeed|and|correct|that is)\b[,:]?\s+)+",
    re.IGNORECASE,
)


def is_equation(text: str) -> bool:
    """Whether `text` is a pure equation or a worded sum, with a number on either side.

    "2 + 2 = 5", "15% of 200 is 30", "the total of 3, 4 and 5 is 12", "From 80 to 100, up 25%."
    are; "The fee is 5%", "2 is a prime" and "x = 5" are not.
    """
    if len(text) > 20 * _LONGEST:
        return False
    tokens = _tokens(_OPENERS.sub("", text.strip()).rstrip(" .!"))
    if tokens is None:
        return False
    relations = [at for at, token in enumerate(tokens) if token in _RELATIONS]
    operations = sum(token in _OPERATIONS for token in tokens)
    if not relations:
        return _is_change(tokens)
    # "is equal to" is one relation of several words.
    first, last = relations[0], relations[-1]
    if not _has_number(tokens[:first]) or not _has_number(tokens[last + 1 :]):
        return False
    return operations > 0 or "=" in tokens or "==" in tokens or "equals" in tokens


def _tokens(text: str) -> list[str] | None:
    """The tokens in lower case, numbers as "0"; None as soon as one is not arithmetic."""
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or len(tokens) > _LONGEST:
            return None
        at = found.end()
        if found["number"]:
            tokens.append("0")
            continue
        said = (found["mark"] or found["word"]).lower()
        if found["word"] and _FUNCTION.match(text, found.start("word")):
            tokens.append("of")
            continue
        if said == "!" and not text[found.start("mark") - 1 : found.start("mark")].strip("( "):
            return None  # "5!" is a product, "so!" is not
        if said in ("pi", "π") or (said == "e" and _EULER.search(text, max(0, at - 5), at + 1)):
            tokens.append("0")
            continue
        for word in said.split("-") if said[0].isalpha() else [said]:
            known = word in _RELATIONS or word in _OPERATIONS or word in _GLUE
            if not known and word not in _NUMBER_WORDS:
                return None
            tokens.append("0" if word in _NUMBER_WORDS else word)
    return tokens


def _has_number(tokens: list[str]) -> bool:
    return "0" in tokens


def _is_change(tokens: list[str]) -> bool:
    """Whether the tokens say "from 80 to 100, up 25%": two amounts and a share of change."""
    if "to" not in tokens or "0" not in tokens:
        return False
    to = tokens.index("to")
    changes = {"up", "down", "increase", "decrease", "rise", "fall", "drop", "growth", "change"}
    percent = any(token in ("%", "percent") for token in tokens[to:])
    after = tokens[to:].count("0") >= 2
    return percent and after and _has_number(tokens[:to]) and not changes.isdisjoint(tokens)
