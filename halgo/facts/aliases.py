"""When two names may mean the same: folding, initials, acronyms, short forms, defined terms.

Pure text; nothing here knows a parse. The table of countries and common abbreviations is
`halgo/data/aliases.txt`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from halgo.facts.words import lines, words
from halgo.types import Name

# What `same_name` gives. From SAME up a checker takes two names for one.
SAME = 0.8
PARTIAL = 0.4
RELATED = 0.6  # "French" and "France"

TITLES = words(
    "dr mr mrs ms miss prof professor sir dame lord lady president senator governor judge justice "
    "captain general colonel major king queen prince princess pope rev reverend "
    "chancellor secretary mayor sen rep gov gen capt col sgt hon"
)
SUFFIXES = words(
    "ltd limited inc incorporated corp corporation co company llc llp plc gmbh ag sa nv bv lp "
    "group holdings holding"
)
_GENERATIONS = words("jr sr ii iii iv phd md esq")
_SMALL = words("of the and for in on at de la du des to y e")
# "City of London" may be called "London"; "University of London" may not.
_GOVERNED = words(
    "city state republic kingdom town county province commonwealth municipality village district "
    "government people democratic federal"
)
# "North Korea" is not "Korea", "New York" is not "York".
_OTHERS = words(
    "north south east west northern southern eastern western central new old upper lower great "
    "greater little saint st san santa los las el la port fort mount lake river cape anti non post "
    "pre"
)
_LONGEST = 400  # characters; nothing longer is a name

_POSSESSIVE = re.compile(r"['’](?:s(?=\s|$)|(?=\s|$))")
_JOINERS = re.compile(r"[\s\-‐-―/_,;:()\[\]\"“”„«»]+")
_DROPPED = re.compile(r"[.'’`´‘*!?]")


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """The form in which names are compared.

    Lower case, accents, full stops, possessives, titles and a leading "the" gone, hyphens as
    spaces: "The U.S.'s" -> "us", "Dr. José García-López" -> "jose garcia lopez". A name that is
    nothing but a title keeps it.
    """
    plain = unicodedata.normalize("NFKD", text[:_LONGEST])
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = _POSSESSIVE.sub("", plain.lower().strip())
    plain = _DROPPED.sub("", plain.replace("&", " and "))
    parts = [part for part in _JOINERS.split(plain) if part]
    while len(parts) > 1 and (parts[0] == "the" or parts[0] in TITLES):
        parts = parts[1:]
    return " ".join(parts)


@lru_cache(maxsize=65536)
def canonical(key: str) -> str:
    """A folded name by its usual form: "usa" -> "united states", "acme ltd" -> "acme"."""
    parts = key.split()
    while len(parts) > 1 and parts[-1] in SUFFIXES:
        parts = parts[:-1]
    if len(parts) > 2 and parts[-1] == "and":  # "Smith & Co"
        parts = parts[:-1]
    short = " ".join(parts)
    usual, _ = _table()
    return usual.get(key) or usual.get(short) or short


@lru_cache(maxsize=16384)
def other_forms(key: str) -> frozenset[str]:
    """What the table has for a folded name: its usual form, other forms and its people."""
    usual = canonical(key)
    table, related = _table()
    country = related.get(key)
    found = {form for form, of in table.items() if of in (usual, country)}
    found |= {people for people, of in related.items() if of in (usual, country)}
    return frozenset(found | {usual} | ({country} if country else set()))


def forms(key: str) -> frozenset[str]:
    """The folded forms under which a corpus lists a name, so that it is found without a search.

    The key, its usual form, its initials and a person's or company's last word.
    """
    usual = canonical(key)
    found = {key, usual, usual.replace(" ", "")}
    parts = usual.split()
    if len(parts) > 1:
        found.add(_initials(parts))
        if parts[-1] not in SUFFIXES and not _SMALL & set(parts):
            found.add(parts[-1])
    return frozenset(found)


def same_name(a: Name | str, b: Name | str) -> float:
    """How likely two names mean the same, in [0, 1].

    1 the same but for spelling, case, titles, a company's legal form or a known alias; 0.9 an
    acronym and what it stands for; 0.85 initials for first names; 0.8 a surname alone; 0.6 a
    people and its country; 0.5 in part ("Smith et al." and "Dr. Smith", "Acme" and "Acme
    Research"); 0 not, such as two people with the same surname and different first names.
    """
    left, right = _key(a), _key(b)
    if not left or not right:
        return 0.0
    return _compared(*sorted((left, right)))


def _key(name: Name | str) -> str:
    return name.key if isinstance(name, Name) else folded(name)


@lru_cache(maxsize=65536)
def _compared(left: str, right: str) -> float:
    a, b = canonical(left), canonical(right)
    if a == b or a.replace(" ", "") == b.replace(" ", "") or _singular(a) == _singular(b):
        return 1.0
    if a.endswith(" et al") or b.endswith(" et al"):
        first, other = a.removesuffix(" et al"), b.removesuffix(" et al")
        near = first == other or first.split()[-1:] == other.split()[-1:]
        return 0.5 if near else 0.0
    _, related = _table()
    if b in (related.get(left), related.get(a)) or a in (related.get(right), related.get(b)):
        return RELATED
    mine, theirs = a.split(), b.split()
    acronyms = ((a, theirs), (b, mine))
    if any(" " not in word and _stands_for(word, other) for word, other in acronyms):
        return 0.9
    if len(mine) > 1 and len(theirs) > 1:
        return _full_names(mine, theirs)
    short, long = (mine[0], theirs) if len(mine) == 1 else (theirs[0], mine)
    return _short_form(short, long) if len(long) > 1 else 0.0


def _full_names(a: list[str], b: list[str]) -> float:
    """Two names of several words: same surname and first names that agree, or one in the other."""
    a, b = _without_generation(a), _without_generation(b)
    if a == b:
        return 0.95
    short, long = sorted((a, b), key=len)
    if 1 < len(short) < len(long) and long[-len(short) :] == short:
        before = set(long[: -len(short)])
        if before <= _GOVERNED | _SMALL:
            return 0.9
        return 0.0 if before & _OTHERS else SAME  # "zoologist Ada Holm"
    if len(a) > 1 and len(b) > 1 and a[-1] == b[-1] and not _SMALL & {*a, *b}:
        first, other = _initials_apart(a[:-1]), _initials_apart(b[:-1])
        if first[0] == other[0]:  # a middle name more or less
            middle = zip(first[1:], other[1:], strict=False)
            return 0.9 if all(_agree(x, y) for x, y in middle) else 0.0
        if _agree(first[0], other[0]):
            rest = zip(first[1:], other[1:], strict=False)
            return 0.85 if all(_agree(x, y) for x, y in rest) else 0.0
        return 0.0
    return 0.5 if len(short) < len(long) and long[: len(short)] == short else 0.0


def _short_form(short: str, long: list[str]) -> float:
    """One word against several: a surname, "London" for "City of London", a first word."""
    long = _without_generation(long)
    if long[-1] == short or _singular(long[-1]) == _singular(short):
        before = long[:-1]
        if set(before) <= _GOVERNED | _SMALL:
            return 0.9
        if _SMALL & set(before) or _OTHERS & set(before):
            return 0.0
        return 0.8
    return 0.5 if long[0] == short and short not in _OTHERS | _SMALL else 0.0


def _without_generation(parts: list[str]) -> list[str]:
    return parts[:-1] if len(parts) > 2 and parts[-1] in _GENERATIONS else parts


def _initials_apart(first_names: list[str]) -> list[str]:
    """Initials written together taken apart: "jk" -> "j", "k"."""
    found: list[str] = []
    for name in first_names:
        together = 1 < len(name) <= 3 and not set(name) & set("aeiouy")
        found += list(name) if together else [name]
    return found


def _agree(a: str, b: str) -> bool:
    """Whether two first names can be one: equal, an initial, or a short form ("rob", "robert")."""
    short, long = sorted((a, b), key=len)
    return long.startswith(short)


def _stands_for(acronym: str, parts: list[str]) -> bool:
    """Whether a word is made of the initials of several, small words counted or not."""
    if not 2 <= len(acronym) <= 8 or len(parts) < 2:
        return False
    return acronym in (_initials(parts), "".join(part[0] for part in parts))


def _initials(parts: list[str]) -> str:
    return "".join(part[0] for part in parts if part not in _SMALL)


def _singular(key: str) -> str:
    if key.endswith("ies") and len(key) > 5:
        return key[:-3] + "y"
    return key[:-1] if key.endswith("s") and not key.endswith("ss") and len(key) > 4 else key


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, str], dict[str, str]]:
    """(other form -> usual form, people or adjective -> usual form) of data/aliases.txt."""
    usual: dict[str, str] = {}
    related: dict[str, str] = {}
    for line in lines("aliases"):
        forms_of, _, people = line.partition("~")
        name, _, others = forms_of.partition("=")
        name = name.strip()
        for other in others.split(","):
            if other.strip():
                usual[other.strip()] = name
        for adjective in people.split(","):
            if adjective.strip():
                related[adjective.strip()] = name
                related[adjective.strip() + "s"] = name
    return usual, related


# --- terms that a text defines for its own use --------------------------------------------------

_BRACKETED = re.compile(r"\(([^()\n]{1,80})\)")
_CALLED = re.compile(
    r"\b(?:hereinafter|hereafter|henceforth)\b"
    r"(?:[ ,]{1,2}(?:referred to as|called|known as|the|as))*[ ,]{0,2}"
    r"[\"“']([^\"”'\n]{1,60})[\"”']",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"[\"“]([^\"”\n]{1,60})[\"”] (?:means|shall mean|refers to) ([^.;,()\n]{1,120})"
)
_QUOTED = re.compile(r"[\"“”'‘’]([^\"“”'‘’]{1,60})[\"“”'‘’]")
_ACRONYM = re.compile(r"[A-Z][A-Za-z0-9&./-]{0,10}[A-Z0-9]s?|[A-Z]\.(?:[A-Z]\.)+")
_INTRODUCTION = re.compile(
    r"^(?:(?:hereinafter|hereafter|henceforth|collectively|together|each|individually|the|an|a|or|"
    r"and|as|referred to|called|known)\b[ ,]{0,2})+",
    re.IGNORECASE,
)
_BEFORE = 160  # characters before a definition in which its name is looked for
_CLOSED = re.compile(r"[()\"“”]")
_NAME_WORD = re.compile(r"[^\s,;()\"“”]+,?")


def defined_terms(text: str) -> dict[str, str]:
    """What a text defines for its own use: folded term -> folded name.

    'Acme Ltd (the "Client")' -> {"client": "acme ltd"}; "World Health Organization (WHO)" ->
    {"who": "world health organization"}. The first definition of a term holds.
    """
    found: dict[str, str] = {}

    def add(term: str, name: str) -> None:
        key, value = folded(term), folded(name)
        if key and value and key != value:
            found.setdefault(key, value)

    for match in _BRACKETED.finditer(text):
        inside = match.group(1).strip()
        before = text[max(0, match.start() - _BEFORE) : match.start()].rstrip()
        quoted = _QUOTED.findall(inside)
        if quoted:
            name = _name_at_end(before)
            if name:
                for term in quoted:
                    add(term, name)
        elif _ACRONYM.fullmatch(inside):
            name = _spelt_out(inside, before)
            if name:
                add(inside, name)
        elif _INTRODUCTION.match(inside):
            term = _INTRODUCTION.sub("", inside)
            name = _name_at_end(before)
            if name and term[:1].isupper() and len(term.split()) <= 3:
                add(term, name)
        else:  # "WHO (World Health Organization)"
            last = before.rsplit(None, 1)[-1] if before else ""
            if _ACRONYM.fullmatch(last) and _stands_for(folded(last), folded(inside).split()):
                add(last, inside)
    for match in _CALLED.finditer(text):
        before = text[max(0, match.start() - _BEFORE) : match.start()].rstrip(" ,(")
        name = _name_at_end(before)
        if name:
            add(match.group(1), name)
    for match in _MEANS.finditer(text):
        name = match.group(2).strip()
        if name[:1].isupper() and len(name.split()) <= 8:
            add(match.group(1), name)
    return found


def _name_at_end(before: str) -> str:
    """The capitalised words that a text ends with, small words between them allowed; "" if none."""
    parts = _NAME_WORD.findall(_CLOSED.split(before)[-1])
    taken: list[str] = []
    for part in reversed(parts[-10:]):
        # "Acme, Inc." is one name; "In London, Acme" is not.
        apart = part.endswith(",") and taken and folded(taken[-1]) not in SUFFIXES
        capital = part[:1].isupper() or part[:1].isdigit()
        if apart or not (capital or (taken and part.lower() in _SMALL | {"&"})):
            break
        taken.append(part)
    while taken and not taken[-1][:1].isupper():
        taken.pop()
    return " ".join(reversed(taken)).rstrip(",")


def _spelt_out(acronym: str, before: str) -> str:
    """The words just before an acronym that it is made of; "" if they do not spell it."""
    letters = [c for c in acronym.rstrip("s").lower() if c.isalnum()]
    parts = [part.strip(",") for part in _NAME_WORD.findall(before)[-2 * len(letters) - 2 :]]
    for count in range(2, len(parts) + 1):
        tail = [piece for part in parts[-count:] for piece in folded(part).split() if piece]
        if not tail or tail[0] in _SMALL or tail[0][0] != letters[0]:
            continue
        if _stands_for("".join(letters), tail):
            return " ".join(parts[-count:])
    return ""
