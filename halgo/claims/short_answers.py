"""A short answer and the frame of its question -> the statements that both make together.

"30 days." to "How long is the trial?" is "The trial is 30 days.", "No." to "Are pets allowed?" is
"Pets are not allowed.". What the question adds stands nowhere in the answer, so the reading of such
a claim points to the answer's own words alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from halgo.claims.asked import Frame
from halgo.claims.phrases import AUXILIARIES, REMARK
from halgo.facts.grammar import SUBJECTS, is_finite
from halgo.types import Reading, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_YES = "yes|yep|yeah|correct|right|exactly|absolutely|certainly|definitely|of course|sure|always"
_NO = "no|nope|not at all|not yet|never|incorrect|unfortunately,? (?:not|no)|i'm afraid (?:not|no)"
_SAID = re.compile(
    rf"(?:\W*(?:(?P<yes>{_YES})|(?P<no>{_NO}))\b)(?P<on>[\s,.;:!\u2013\u2014-]*)", re.IGNORECASE
)
_NOT = re.compile(r"n't\b|\bnot\b|\bcannot\b")
_ONLY = re.compile(r"^(?:only|just)\b\s*", re.IGNORECASE)
_LIMITED = re.compile(r"(?:only|just|not (?:until|before|unless)|unless|except)\b", re.IGNORECASE)
_REASON = re.compile(r"(?:because|due to|since|as|to|so that|for)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"(?:at|on|in|by|within|after|before|until|till|from|since|every|each|during|between|for|once|"
    r"as|when|next|last|this|under|over|near|behind|inside|outside|to|via|through|with|around|about|"
    r"daily|weekly|monthly|yearly|always|today|tomorrow|anywhere|everywhere|here|there|immediately|"
    r"never|upon|up|twice|if|where|while|without|except|unless|not)\b",
    re.IGNORECASE,
)
_HOUR = re.compile(r"\d{1,2}(?::\d\d| ?[ap]\.?m\b)|noon\b|midnight\b", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:(?:early|late|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b[ ,]*)?(?:\d{4})?\W*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"(?:(?:that|this|it)(?:'s| is| was)|the reason (?:is|was)(?: that)?) "
    r"(?=(?:because|due to|to|so that)\b)",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r",\s+(?=(?:at|in|by|within|with|without|under|from|via|if|as|for|because|since)\b)"
)
_NUMBER = re.compile(
    r"[^\w\s]?\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty)\b",
    re.IGNORECASE,
)
_HEADS = frozenset({"ROOT", "conj", "ccomp", "aux", "auxpass"})  # of clauses that stand alone
_ENDS = " .!;:,"
_OF_ONE = {"are": "is", "were": "was", "have": "has"}
_COVERED = 0.75  # share of a question's content words that an answer in full says again
# Words of these kinds are no names, and small within a sentence.
_COMMON = frozenset({"ADJ", "NOUN", "VERB"})
_SMALL = frozenset({"DET", "ADP", "ADV", "SCONJ", "CCONJ", "NUM", "PRON", "AUX", "PART"})


def statements(frame: Frame, reading: Reading, doc: Doc) -> list[Reading]:
    """What an answer's sentence says together with its question; [] where it says it by itself.

    doc: the parse of the reading's text.
    """
    text = reading.text
    said = _SAID.match(text.replace("\u2019", "'")) if frame.yes else None
    if said is None:
        return _gapped(frame, reading, doc)
    yes = said["yes"] is not None
    whole = _own(frame.yes if yes else frame.no)
    rest = reading.cut(Span(said.end(), len(text)))
    if not rest.text.strip(_ENDS):
        return [whole]
    remark = rest.text.replace("\u2019", "'").lower()
    if REMARK.match(remark):  # "it is", "they don't": no more than the yes or no before it
        return [_own(frame.no)] if _NOT.search(remark) else [whole]
    tokens = [token for token in doc if token.idx >= said.end()]
    if not said["on"] or (said["on"].isspace() and _is_denied(tokens)):
        return []  # "No visa is needed", "Yes-men"
    other = _other_subject(frame, rest, tokens)
    if other is not None:
        return [whole, other]
    if not (_is_fragment(tokens) or _is_condition(tokens)):
        return [] if _covers(frame, tokens) else [whole, rest]
    limited = _LIMITED.match(rest.text) is not None
    adverbial = _is_adverbial(rest.text, tokens)
    if limited and not yes and (_NUMBER.search(frame.yes) or not adverbial):
        return [whole, rest]  # "No, only within 14 days." to "... after 30 days?", "No, only cats."
    told = frame.yes if yes or limited else frame.no
    return [_joined(_bare(told) + ("" if adverbial else ","), rest, tokens)]


def _gapped(frame: Frame, reading: Reading, doc: Doc) -> list[Reading]:
    tokens = list(doc)
    if not frame.yes and not frame.ahead:
        other = _other_subject(frame, reading, tokens)
        if other is not None:
            return [other]
    text = reading.text.strip()
    why = frame.wants == "why" and bool(frame.ahead)
    if why and (found := _BECAUSE.match(text.replace("\u2019", "'"))):
        reading = reading.cut(Span(reading.text.index(text) + found.end(), len(reading.text)))
        text = reading.text.strip()
    reason = frame.wants == "why" and _REASON.match(text) is not None
    named = not frame.yes and not frame.wants and _is_named(tokens)
    if not (reason or named or _is_fragment(tokens)):
        if not why or _covers(frame, tokens):
            return []
        return [_joined(f"{frame.ahead} {frame.behind}".strip() + " because", reading, tokens)]
    if frame.yes and not any(token.lower_ in frame.choice for token in tokens):
        # "Only with approval." to "Can I work from abroad?"
        return [_joined(_bare(frame.yes), reading, tokens)] if _is_adverbial(text, tokens) else []
    if frame.wants == "how" and tokens[0].tag_ not in ("IN", "VBG", "RB"):
        return []
    if frame.wants == "why" and not reason:
        return []
    ahead = frame.ahead
    if frame.wants in ("when", "where") and not _PREPOSITION.match(text):
        ahead = f"{ahead} {_preposition(frame, text)}".strip()
    told = {form for token in tokens for form in (token.lemma_.lower(), token.lower_)}
    behind = "" if frame.ahead and frame.behind_words <= told else frame.behind
    head = frame.sort.rpartition(" ")[2].lower()
    if head and head not in told and (frame.wants == "whose" or _NUMBER.match(text)):
        ahead = f"{ahead} the {frame.sort} of".strip()
    if ahead.rpartition(" ")[2].lower() == text.split()[0].lower():  # "from when": "from May"
        ahead = ahead.rpartition(" ")[0]
    noun = frame.noun.split() if _NUMBER.search(text) else []
    while noun and noun[0].lower() in told:  # "25 days" to "How many days of leave"
        noun.pop(0)
    if noun[-1:] == ["money"]:
        noun = []
    behind = _agreeing(behind, ahead, tokens)
    added = _ADDED.search(reading.text)
    if added is None or not behind:
        return [_joined(ahead, reading, tokens, " ".join(noun), behind)]
    first = _joined(ahead, reading.cut(Span(0, added.start())), tokens, " ".join(noun), behind)
    bare = first.cut(Span(0, len(_bare(first.text))))
    rest = reading.cut(Span(added.end(), len(reading.text.rstrip(_ENDS))))
    whole = Reading.joined([bare, rest])
    return [Reading(f"{whole.text}.", whole.pieces)]


def _agreeing(behind: str, ahead: str, tokens: Sequence[Token]) -> str:
    """What is asked of several, told of one: "Which plans have it?" and "Grow"."""
    verb, _, rest = behind.partition(" ")
    joined = any(token.dep_ in ("cc", "conj") or token.tag_ in ("NNS", "NNPS") for token in tokens)
    if ahead or joined or verb not in _OF_ONE:
        return behind
    return f"{_OF_ONE[verb]} {rest}".strip()


def _preposition(frame: Frame, text: str) -> str:
    if _PREPOSITION.fullmatch(frame.ahead.rpartition(" ")[2]):
        return ""  # "until ..."
    if frame.ahead.endswith((" is", " was", " are", " were", " be")) and frame.wants == "when":
        return ""
    if frame.wants == "where":
        return "in"
    if _HOUR.match(text):
        return "at"
    return "in" if _YEAR.match(text) else "on"


def _other_subject(frame: Frame, rest: Reading, tokens: list[Token]) -> Reading | None:
    """What has another subject: "Only managers can approve leave." for "Only managers can."."""
    words = [token for token in tokens if not (token.is_punct or token.is_space)]
    negated = bool(words) and words[-1].lower_ in ("not", "n't")
    last = words[-2] if negated and len(words) > 1 else words[-1] if words else None
    if last is None or last.lower_ not in AUXILIARIES or last == words[0] or not frame.predicate:
        return None
    if any(token.pos_ == "VERB" for token in words if token != last):
        return None
    does = last.lower_ in ("do", "does", "did")
    end = last.idx if does and not negated and not frame.yes else words[-1].idx + len(words[-1])
    kept = rest.cut(Span(0, end - tokens[0].idx))
    return _joined("", kept, tokens, frame.predicate)


def _is_fragment(tokens: list[Token]) -> bool:
    """Whether words are no clause: no finite verb has a subject, none gives an order."""
    if not tokens:
        return False
    if _HOUR.match(tokens[0].doc[tokens[0].i :].text):
        return True  # in "9 am" the parser may see the verb
    reason = (t.i for t in tokens[1:] if t.dep_ == "mark" and t.nbor(-1).text == ",")
    end = next(reason, tokens[-1].i + 1)  # "Three, as one of them is paid."
    tokens = [token for token in tokens if token.i < end]
    for token in tokens:
        if token.dep_ in (*SUBJECTS, "expl") and token.head.dep_ in _HEADS:
            # No verb, but "The team lead": it would be "leads".
            last = token.head == tokens[-1] or token.head.i + 1 == tokens[-1].i
            if not (last and token.head.tag_ in ("VB", "VBP") and token.tag_ in ("NN", "NNP")):
                return False
    root = next((token for token in tokens if token.dep_ == "ROOT"), tokens[0])
    if root == tokens[0] and any(token.dep_ == "dobj" for token in root.children):
        return False  # an order whose verb the parser takes for a name: "Use client.open()"
    return root.tag_ not in ("VB", "VBZ", "VBD", "MD") or root != tokens[0]


def _is_denied(tokens: Sequence[Token]) -> bool:
    """Whether the "no" right ahead belongs to a clause's subject: "No visa is needed"."""
    denied = (t.head for t in tokens[0].doc[: tokens[0].i] if t.dep_ == "det" and t.lower_ == "no")
    return not _is_fragment(list(tokens)) and any(noun.dep_ in SUBJECTS for noun in denied)


def _is_condition(tokens: Sequence[Token]) -> bool:
    """Whether words are a clause that only says when or why: "if an adult is there"."""
    first = next((token for token in tokens if not token.is_space), None)
    if first is None or first.tag_ not in ("IN", "WRB") or first.dep_ not in ("mark", "advmod"):
        return False
    alone = all(token.head == first.head for token in tokens if token.dep_ in SUBJECTS)
    whole = first.head.dep_ == "advcl" and _has_finite(first.head.head)  # "If it breaks, we pay"
    return alone and first.head.dep_ in ("ROOT", "advcl") and not whole


def _has_finite(verb: Token) -> bool:
    return any(
        is_finite(t) for t in (verb, *(t for t in verb.lefts if t.dep_ in ("aux", "auxpass")))
    )


def _is_named(tokens: Sequence[Token]) -> bool:
    """Whether words are nothing but names; the parser makes orders of "Grow and Scale"."""
    words = [token for token in tokens if not (token.is_punct or token.pos_ == "CCONJ")]
    return bool(words) and all(token.text[:1].isupper() for token in words)


def _is_adverbial(text: str, tokens: Sequence[Token]) -> bool:
    text = _ONLY.sub("", text)
    first = next((token for token in tokens if text.startswith(token.text)), None)
    adverb = first is not None and first.tag_ == "RB"
    return adverb or bool(_PREPOSITION.match(text) or _REASON.match(text))


def _covers(frame: Frame, tokens: list[Token]) -> bool:
    """Whether a clause says again what was asked."""
    told = {token.lemma_.lower() for token in tokens}
    return len(frame.words & told) >= _COVERED * len(frame.words)


def _bare(statement: str) -> str:
    return statement.rstrip(".")


def _own(statement: str) -> Reading:
    """What stands nowhere in the answer."""
    return Reading(statement, ())


def _joined(ahead: str, answer: Reading, tokens: Sequence[Token], *behind: str) -> Reading:
    """The answer's own words between those of the question, as a sentence."""
    text = answer.text
    start = len(text) - len(text.lstrip())
    own = answer.cut(Span(start, max(start, len(text.rstrip(_ENDS)))))
    first = own.text[:1]
    if not ahead:
        first = first.upper()
    elif tokens[0].pos_ in (_SMALL | _COMMON if ahead.endswith(" because") else _SMALL) and not (
        len(tokens[0]) > 1 and tokens[0].text.isupper()
    ):
        first = first.lower()
    own = Reading(first + own.text[1:], own.pieces)
    parts = [_own(ahead[:1].upper() + ahead[1:])] if ahead else []
    whole = Reading.joined([*parts, own, *(_own(part) for part in behind if part)])
    return Reading(f"{whole.text}.", whole.pieces)
