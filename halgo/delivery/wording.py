"""How a sentence begins: what it loses when the one before it goes, and where a hedge can stand.

All is told by the wording, so that a text is edited the same way with and without a parser: what
is not surely a common word keeps its capital, what no pattern knows stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from halgo.claims.phrases import words
from halgo.types import Claim, Span

# Openings that only join a sentence to the one before: without it they go, and the rest stands.
_JOINS = (
    r"(?:(?:However|Moreover|Furthermore|Additionally|In addition|Also|Besides|Nevertheless|"
    r"Nonetheless|Still|Therefore|Thus|Hence|Consequently|As a result|As such|For this reason|"
    r"Accordingly|For example|For instance|In particular|Specifically|Similarly|Likewise|"
    r"In contrast|By contrast|In comparison|By comparison|On the other hand|On top of that|"
    r"What is more|That said|Even so|Indeed|In fact|In other words|In turn|Meanwhile|"
    r"At the same time|Next|Finally|Lastly|"
    r"Second(?:ly)?|Third(?:ly)?|Fourth(?:ly)?|Most importantly|More importantly|Notably|"
    r"(?:Because of|Due to|Despite|In spite of|Apart from|Aside from|In addition to|Besides|"
    r"Along with|As part of) (?:this|that|these|those|it)"
    r"),\s+|(?:But|And|Yet|Also|Or|Therefore|Consequently)(?:,\s+|\s+)|"
    r"So(?:,\s+|\s+(?!far\b|much\b|many\b|long\b|that\b)))"
)
OPENING = re.compile(_JOINS, re.IGNORECASE)
_WITHIN = re.compile(
    r",\s(?:however|therefore|moreover|furthermore|consequently|thus|for example|for instance|"
    r"in contrast|by contrast|on the other hand|though|either|too|as well)(?:,|(?=[.!]))",
    re.IGNORECASE,
)
# Openings that say under which condition the sentence holds: without the one before, it cannot.
_DEPENDS = re.compile(
    r"(?:Otherwise|Instead(?! of)|Rather(?! than)|Conversely|If so|If not|In (?:that|this|such|"
    r"these|those|both|either) (?:cases?|events?|situations?)|Under (?:this|that|these|those)|"
    r"The (?:former|latter|same|opposite|reverse)|(?:Only )?(?:from )?then(?: on)?|Doing so|"
    r"Afterwards|Thereafter|Subsequently|Later(?=,)|(?:After|Beyond|Until) (?:this|that|these|"
    r"those)|Such(?! as)|"
    r"(?:Both|Neither|Either|All)(?: of (?:them|these|those))? (?:are|is|was|were|has|have|had|can|"
    r"may|must|will|do|does|did)|(?:Both|Neither|Either|All|Some|None) of (?:them|these|those))\b",
    re.IGNORECASE,
)
_BE = "is|are|was|were|will|has|have|had|can|could|may|might|must|should|would"
_AUX = (
    r"(?:can|is|are|was|were|do|does|did|will|would|has|have|had|may|might|must|should)"
    r"(?:not|n['\u2019]t|\snot)?"
)
# What is said of two needs both of them; "the other party" is told in a contract.
_PAIR = re.compile(
    rf"(?:Both|Neither|Either)(?: of (?:them|these|those|the two))?,? (?:also |then )?{_AUX}\b|"
    r"Both (?!the\b|of\b|an?\b|\w+ and\b|people\b|men\b|women\b|children\b|\w+s\b)[a-z]+\b|"
    r"(?:Both|Neither|Either) of (?:them|these|those|the two)\b|"
    r"The other(?!\s(?:party|hand|way|day|side)\b)|(?:The|One) (?:first|second|third|last) one\b|"
    r"(?:\w.{0,300}\s)?"
    rf"the (?:latter|former(?=[,.;]|\s(?:{_BE}|costs?)\b))",
    re.IGNORECASE,
)
# A place or time that only the sentence before tells, and what repeats its verb: "cannot, either".
_NAMED_PLACE = re.compile(r"\b(?:in|to|from|at|within) (?:the )?[A-Z\d]")
_THERE = re.compile(
    r"^There,|(?<=[a-z] )there(?!['\u2019]|\s(?:"
    rf"{_BE}|seems?|exists?|remains?)(?:not|n['\u2019]t)?\b)\b|"
    r"^(?!\w*ly\b|(?:and|but|yet|so|if|also|still|then|now|here|today|thus|that|because|while|"
    r"when|where|is|are)\b)\w+ there\b",
    re.IGNORECASE,
)
_GREETED_THERE = re.compile(r"\b(?:hi|hello|hey|out|up|over|here and) there\b", re.IGNORECASE)
_THEN = re.compile(r"\b(?:by|until|till|since|before|after|back|from) then\b|\bthen[.!]*$", re.I)
_ELLIPSIS = re.compile(
    rf"\b(?:{_AUX}|cannot),? (?:either|too|as well|also|neither)[.!]*[\W\d]*$"
    rf"|^(?:Neither|Nor|So|Same) {_AUX}\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:(?P<point>This|That|These|Those)|It|Its|They|Their|He|His|She|Her)\b(?P<more>'\w+)?",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"It(?:'s|\s(?:is|was|may be|can be|should be|has been))\s(?:\w+\s){0,2}?(?:important|possible|"
    r"impossible|necessary|essential|recommended|advisable|best|worth|clear|likely|unlikely|easy|"
    r"hard|difficult|common|known|true|useful|helpful|required|better|good|said|believed|"
    r"estimated|expected|reported|unclear)\b|It\s(?:seems|appears|turns out|follows)\b",
    re.IGNORECASE,
)
_VERBS_AFTER_POINTER = words(
    "is are was were has have had can could may might must shall should will would does do did "
    "means mean makes make shows show includes include allows allow gives give helps help leads "
    "lead ensures applies apply requires require covers cover not also only then"
)
_MARKS = re.compile(r"[*_~`\"'(\[\u201c\u2018]*")


@dataclass(frozen=True, slots=True)
class Mention:
    """What a sentence refers back with: its place in the answer, and what it refers to."""

    span: Span
    put: str


def mention(claim: Claim) -> Mention | None:
    """The reference that `claim.resolved` has replaced; None where it has replaced nothing.

    The span is in the answer, as those of the claim's reading are.
    """
    text, resolved = claim.text, claim.resolved
    if text == resolved or resolved.endswith(text):
        return None  # an item behind its lead says what it is about in full
    start = 0
    while start < min(len(text), len(resolved)) and text[start] == resolved[start]:
        start += 1
    while start and text[start - 1 : start].isalnum():
        start -= 1
    back = 0
    most = min(len(text), len(resolved)) - start
    while back < most and text[-1 - back] == resolved[-1 - back]:
        back += 1
    while back and text[len(text) - back].isalnum():
        back -= 1
    span = claim.reading.locate(Span(start, len(text) - back))
    put = resolved[start : len(resolved) - back].rpartition(": ")[2]
    if span is None or not put.strip() or len(span) != len(text) - back - start:
        return None
    return Mention(span, put)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a sentence begins whose forerunner is gone.

    drop: characters of a connective to leave out. stands: whether the rest can stand at all.
    the: characters of "This" to be replaced by "The". within: a ", however," to leave out.
    """

    drop: int = 0
    stands: bool = True
    the: int = 0
    within: Span | None = None


def opening(sentence: str, resolved: bool) -> Opening:
    """What to do with a sentence whose forerunner is gone; resolved: its pronoun is replaced.

    Counts in characters of `sentence`.
    """
    if _DEPENDS.match(sentence) or points_back(sentence):
        return Opening(stands=False)
    joined = OPENING.match(sentence)
    drop = joined.end() if joined else 0
    rest = sentence[drop:]
    inner = _WITHIN.search(sentence, drop, drop + 80)
    within = Span(inner.start(), inner.end()) if inner else None
    bare = _MARKS.sub("", rest, count=1)
    if resolved or not _PRONOUN.match(bare) or _EMPTY_IT.match(bare):
        return Opening(drop, not _DEPENDS.match(bare), within=within)
    found = _PRONOUN.match(bare)
    assert found is not None
    following = re.match(r"\s+([\w-]+)", bare[found.end() :])
    points = found["point"] and not found["more"] and bare == rest
    if points and following and following[1].lower() not in _VERBS_AFTER_POINTER:
        return Opening(drop, True, len(found["point"]), within)
    return Opening(drop, False)


def is_pair(sentence: str) -> bool:
    """Whether a sentence speaks of two things that the sentences before it told: "Both are"."""
    return _PAIR.match(_MARKS.sub("", sentence, count=1)) is not None


def points_back(sentence: str) -> bool:
    """Whether a sentence names a place, a time or a verb only by the one before it."""
    there = _THERE.search(sentence) and not _GREETED_THERE.search(sentence)
    placed = _NAMED_PLACE.search(sentence) is not None
    if (there or _THEN.search(sentence)) and not placed:
        return True
    return _ELLIPSIS.search(sentence) is not None


def quoted(before: str) -> bool:
    """Whether a quotation is open behind this text; no word of one is changed."""
    if before.count('"') % 2:
        return True
    last = {mark: before.rfind(mark) for mark in "\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019"}
    low = last["\u201e"] > max(last["\u201c"], last["\u201d"])  # closed by the one or the other
    high = last["\u201e"] < 0 and last["\u201c"] > last["\u201d"]
    return low or high or last["\u00ab"] > last["\u00bb"] or last["\u2018"] > last["\u2019"]


def is_pronoun(words: str) -> bool:
    """Whether a reference is a pronoun, which says nothing by itself, and no noun ("the plan")."""
    return _PRONOUN.fullmatch(words) is not None


# --- capitals -------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_COMMON = words(
    "a about above according across after all although always an and another any are around as at "
    "because before being below between both but by can during each either employees every "
    "everyone few for from guests he her his how if in individuals is it its many members most "
    "much my neither no none not of on once one only other our over participants patients payment "
    "people per please residents results several she since so some staff students such tenants "
    "than that the their them then there these they this those through to two three four five six "
    "seven eight nine ten tickets under unless until up users visitors we what when where whether "
    "which while who whose with within without workers you your"
)
# Verbs at the head of an order: no names, however they are written.
_IMPERATIVES = words(
    "add adjust allow apply ask attach avoid back bake be beat begin boil book bring browse buy "
    "call cancel change charge chat check choose clean clear click close combine complete "
    "configure confirm connect consider consult contact continue cook cool copy cover create cut "
    "delete disable dial disconnect discuss do don't double-check download drag drain draw drink "
    "drop dry eat email enable enjoy ensure enter exit explore feel fill find fold follow forward "
    "get give go grab heat hold include insert inspect install keep launch lay learn leave let "
    "lift list locate lock log look lower make mark measure melt mix monitor mount move navigate "
    "never note open pay pick place plan plug pour practice prepare press print provide pull "
    "purchase push put read reboot record refer refresh register reinstall remember remove rename "
    "repeat replace reply report request research reset restart return review rinse rotate run "
    "save scan schedule scroll search seek see select send serve set share shake sign simmer "
    "slide soak sort speak sprinkle start stay stir stop store submit switch tag take talk tap "
    "tell test tie touch transfer try turn type unplug unscrew update upgrade upload use verify "
    "visit wait walk wash watch wear wipe work wrap write"
)
_COMMON_ENDING = re.compile(r"[a-z]{2,}(?:tion|tions|ment|ments|ness|ly|ships?|ities)$")
_NAMES = words("emily sally billy molly kelly italy lilly holly july polly clement")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words as texts write them: `low` in lower case, `names` with a capital within a sentence."""

    low: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, texts: tuple[str, ...]) -> Vocabulary:
        """The words of some texts."""
        low: set[str] = set()
        names: set[str] = set()
        for text in texts:
            for found in _WORD.finditer(text):
                word = found.group()
                if word.islower():
                    low.add(word)
                elif re.search(r"[\w,;] $", text[max(0, found.start() - 2) : found.start()]):
                    names.add(word)
        return cls(frozenset(low), frozenset(names))

    def lowered(self, word: str) -> str:
        """A sentence's first word as it stands within one: in lower case where it is no name."""
        if not word[:1].isupper() or word == "I" or word.startswith(("I'", "I\u2019")):
            return word
        low = word[0].lower() + word[1:]
        plain = word.replace("\u2019", "'").partition("'")[0]
        if not plain[1:].islower() and len(plain) > 1:
            return word  # NASA, iPhone, McDonald
        folded = plain.lower()
        if folded in _COMMON:
            return low
        if word in self.names or folded in _NAMES:
            return word
        common = folded in self.low or folded in _IMPERATIVES or _COMMON_ENDING.match(folded)
        return low if common else word


def first_word(text: str, at: int, end: int) -> Span | None:
    """The first word of text[at:end], behind marks; None when something else begins it."""
    marks = _MARKS.match(text, at, end)
    found = _WORD.match(text, marks.end() if marks else at, end)
    return Span(found.start(), found.end()) if found else None


def raised(words: str) -> str:
    """Words as a sentence's first ones; "iPhone" stays as it is."""
    first = words.partition(" ")[0]
    return words if any(c.isupper() for c in first[1:]) else words[:1].upper() + words[1:]


# --- hedges ---------------------------------------------------------------------------------------

# What answers a question and cannot stand behind a hedge.
YES = re.compile(r"(?:Yes|Yep|Yeah)(?:[,:]\s+|\s+[\u2013\u2014-]\s+)", re.IGNORECASE)
_LABEL = re.compile(r"[*_]{0,3}[^.!?:\n]{1,60}:[*_]{0,3}\s")
_CLOSING_TAGS = re.compile(r"(?:\s*</\w{1,20}>)+\s*\Z")
_ENGLISH = words("the is are of and to with for has have not it that be by you your")
_QUOTES = "\"'\u201c\u2018\u00ab`"


# "Great news, your order has shipped": after "confirm that" it would read as part of the claim.
_REMARK_AHEAD = re.compile(
    r"(?:(?:great|good|bad|exciting|wonderful) news|all (?:set|done)|done|perfect|wonderful|awesome"
    r"|congrat\w+|no worries|don['\u2019]t worry|thank you|thanks)\s?[,!:\u2013\u2014]"
    r"|(?:hi|hello|hey)\b[^,!]{0,20}[,!]",
    re.IGNORECASE,
)


def hedged_by(sentence: str, block: str) -> str:
    """Where a hedge stands: "lead" it within its grammar, "apart" with a colon, or "mark" behind.

    sentence: as it stands in the answer, behind its connective.
    """
    bare = _CLOSING_TAGS.sub("", sentence).rstrip()
    if block in ("heading", "row", "code"):
        return "mark"
    ends = re.search(r"[.!?\u2026][*_~`\"'\u201d\u2019)\]\d\[]*$", bare) is not None
    if _LABEL.match(bare) or (block == "item" and not ends):
        return "mark"
    start = bare.lstrip("*_~")
    if bare.endswith(",") or is_foreign(bare):
        return "mark"
    if start[:1] in _QUOTES or "?" in bare[-4:] or not start[:1].isalnum():
        return "apart"
    word = _WORD.match(start)
    first = word.group().lower().replace("\u2019", "'") if word else ""
    if _REMARK_AHEAD.match(start):
        return "apart"
    # "... do not confirm that that's why" is read by nobody.
    return "apart" if first in _IMPERATIVES or first.partition("'")[0] == "that" else "lead"


def is_foreign(sentence: str) -> bool:
    """Whether a sentence is in a language in which no English words can lead it."""
    if len(_ENGLISH.intersection(sentence.lower().split())) > 1:
        return False
    from halgo.facts.language import ENGLISH, language_of

    return language_of(sentence) not in (None, ENGLISH)


def apart(lead: str) -> str:
    """A hedge's wording made to stand before a whole sentence: "... do not confirm this: "."""
    bare = lead.rstrip()
    if bare.endswith(" that"):
        return bare.removesuffix("that") + "this: "
    return bare.rstrip(",:") + ": "


def before_stop(text: str, span: Span) -> int:
    """Where a mark goes that stands behind a sentence's words.

    Before its full stop, its citation or a row's last pipe.
    """
    end = span.end
    found = re.search(
        r"(?:\s*\[\d{1,3}(?:,\s?\d{1,3})*\])*[*_~]*[.!?\u2026:;]*[*_~]*(?:\s*\[\d{1,3}\])*"
        r"(?:\s*</\w{1,20}>)*\s*\|?\s*$",
        text[max(span.start, end - 80) : end],
    )
    return end - (len(found.group()) if found else 0)
