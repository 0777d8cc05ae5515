"""A question -> the frame of its answer: "How long is the trial?" and "30 days." make a statement.

Short answers are elliptical: they leave out what the question has said. From its parse the question
is put as a statement (question to declarative sentence, Demszky et al. 2018), with a gap where the
answer goes, or as the two statements that a yes and a no make. What has another shape than these
gives no frame, and its answers are read as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halgo.claims.phrases import AUXILIARIES, words
from halgo.facts.grammar import FINITE, SUBJECTS, is_finite
from halgo.types import Quantity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_LONGEST = 400  # characters of a question that is put as a statement
_LONGEST_CASE = 240  # characters that a claim is read behind
_LONGEST_TEXT = 1600  # characters of a user's text that are read, its last ones
_MOST_GIVEN = 8  # amounts of a question
_WH = frozenset({"WDT", "WP", "WP$", "WRB"})
# What is said before a question: "Hi, could you tell me how long ...", "I wonder whether ...".
_GREETED = re.compile(
    r"^(?:(?:hi|hello|hey|so|and|but|also|ok|okay|please|thanks|well|now)\b[\s,.!]*(?:there\b[\s,.!]*)?)+",
    re.IGNORECASE,
)
_INDIRECT = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please |kindly )?(?:tell|let|explain to|remind)"
    r"(?: (?:me|us))?(?: know)?|do you (?:happen to )?know|(?:please )?(?:tell|remind) (?:me|us)"
    r"|i(?:'d| would)? (?:like|want|need|wish) to know|i(?:'m| am| was)? wonder(?:ing)?"
    r"|can you confirm)(?:,? please)?,?\s+(?:(?P<whether>if|whether|that)\s+)?",
    re.IGNORECASE,
)
# The user's words in the mouth of who answers.
_OF_THE_OTHER = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you",
    "us": "you", "our": "your", "ours": "yours", "am": "are", "'m": "'re", "i'm": "you are",
}  # fmt: skip
_OF_USER = re.compile(r"\b(?:[Ii]|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Uu]s)\b")  # "US" is a country
# What a user has from others is no case of the user's own.
_HEARD = re.compile(
    r"\b(?:told|said|says?|heard|read|thought|think|believe|understand|assume|according)\b",
    re.IGNORECASE,
)
_OF_THE_COMPANY = {"you": "we", "your": "our", "yours": "ours"}
_DOES = frozenset({"do", "does", "did"})
_NOT = frozenset({"not", "n't", "n\u2019t"})
_AMOUNT = words("many much")
_SHARE = words("percentage percent share proportion part portion fraction number amount")
_TIMES = words("time day date hour week month year")  # "What day is it open?": "It is open Monday."
# Of "won't", "can't", "shan't", "what's".
_TOLD = {"wo": "will", "ca": "can", "sha": "shall", "'s": "is", "'re": "are", "'m": "am"}
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET", "ADJ", "SYM"})


@dataclass(frozen=True, slots=True)
class Frame:
    """A question as a statement.

    yes, no: the statements that a yes and a no to it make; "" for an open question. ahead, behind:
    what stands before and behind the answer of an open question, or of one that gives a choice.
    predicate: what is asked, without its subject, for "Only managers can.". choice: the words
    between which an answer is to choose. noun: what is counted ("days of leave"). sort: what the
    answer is one of ("port" of "Which port does it use?"). wants: "when", "where", "why", "how",
    "whose" or "". words, behind_words: the content lemmas of the whole question, and
    those of `behind`.
    """

    yes: str = ""
    no: str = ""
    ahead: str = ""
    behind: str = ""
    predicate: str = ""
    choice: frozenset[str] = frozenset()
    noun: str = ""
    sort: str = ""
    wants: str = ""
    words: frozenset[str] = frozenset()
    behind_words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Question:
    """What a user's text asks and tells.

    frame: of its last question; None for one of another shape. told: its sentences, parsed, with
    "my lamp" as "your lamp", the one with the frame as the statement that it is: what a statement
    names is read more surely. given: the amounts of the user's own case ("My order is 45 kg.");
    what a question only suggests ("Is the fee 5%?") is none of them. case: what the sentences ahead
    of it tell of that case, as a clause: "you are on Free and your file has 18 MB".
    """

    frame: Frame | None
    told: list[Doc]
    given: tuple[Quantity, ...]
    case: str


def read(question: str) -> Question:
    """What the last characters of a user's text ask and tell."""
    from halgo import facts
    from halgo.facts.parse import parse
    from halgo.sources.sentences import split

    said = [one.reading.text.strip() for one in split(question[-_LONGEST_TEXT:])]
    if not said:
        return Question(None, [], (), "")
    at = max((n for n, one in enumerate(said) if one.endswith("?")), default=len(said) - 1)
    bare, indirect, whether = _bare(said[at])
    *docs, doc = parse([*said, bare])
    frame = _framed(doc, indirect=indirect, whether=whether) if bare else None
    told = [_put(doc, _OF_THE_OTHER) for doc in docs]
    own = [one for n, one in enumerate(said) if n != at and not _HEARD.search(one)]
    case = _case(docs[:at])
    if frame is not None:
        told[at] = frame.yes or _sentence(frame.ahead, frame.behind)
    if frame is None or not frame.yes or _OF_USER.search(said[at]):
        own.append(said[at])
    amounts = [one for found in facts.extract(own) for one in found.quantities] if own else []
    return Question(frame, parse(told), tuple(amounts[-_MOST_GIVEN:]), case)


def _case(docs: Sequence[Doc]) -> str:
    """What the sentences ahead of a question tell of the user's own case, as one clause."""
    told = [
        _put(doc[: _end(doc)], _OF_THE_OTHER)
        for doc in docs
        if _OF_USER.search(doc.text)
        and not _HEARD.search(doc.text)
        and any(token.dep_ in SUBJECTS and token.head.dep_ == "ROOT" for token in doc)
    ]
    case = " and ".join(told)
    return case if len(case) <= _LONGEST_CASE else ""


def _bare(asking: str) -> tuple[str, bool, bool]:
    """A question without "Hi, can you tell me"; whether it had such, and whether "if" behind it."""
    text = _GREETED.sub("", asking).replace("\u2019", "'")
    if not text or len(text) > _LONGEST:
        return "", False, False
    found = _INDIRECT.match(text)
    whether = found is not None and found["whether"] is not None
    text = text[found.end() :] if found else text
    bare = f"{text[:1].upper()}{text[1:]}".rstrip(" ?.!") + ("." if whether else "?")
    return bare, found is not None, whether


def _framed(doc: Doc, *, indirect: bool, whether: bool) -> Frame | None:
    if whether:
        return _whether(doc)
    at = _wh(doc)
    return _closed(doc) if at is None else _open(doc, at, indirect=indirect)


def _wh(doc: Doc) -> int | None:
    """Where the question word stands: at the beginning, or behind "For the Pro plan, "."""
    for token in doc[:20]:
        if token.tag_ in _WH:
            comma = any(t.text == "," for t in doc[: token.i])
            return token.i if token.i <= 1 or comma else None
        if token.i == 0 and token.lower_ in AUXILIARIES:
            return None
    return None


# --- questions to be answered by yes or no ------------------------------------------------------


def _closed(doc: Doc) -> Frame | None:
    start = _behind_lead(doc)
    verb = doc[start] if start < len(doc) else None
    if verb is None or verb.lower_ not in AUXILIARIES:
        return None
    subject = _subject(doc, verb.i)
    if subject is None or doc[subject[0] : subject[1]].text.lower() in ("that", "this"):
        return None
    end = _end(doc)
    rest = [t for t in doc[subject[1] : end] if not _denies(t, verb)]
    person = _OF_THE_OTHER | (_OF_THE_COMPANY if _of_company(doc, verb, subject) else {})
    who = _put(doc[subject[0] : subject[1]], person)
    lead = _put(doc[:start], person)
    predicate = _put(rest, person)
    aux = _agreeing(verb, doc[subject[0]], person)
    yes = _sentence(lead, who, _affirmed(verb, aux, rest, person))
    no = _sentence(lead, who, aux, "not", predicate)
    if who == "there":
        no = _sentence(lead, who, aux, "no", re.sub(r"^(?:an?|any|some) ", "", predicate))
    frame = Frame(yes, no, predicate=predicate, words=_lemmas(doc))
    choice = _choice(rest)
    if choice is None:
        return frame
    told, after = [t for t in rest if t.i < choice[0]], [t for t in rest if t.i >= choice[1]]
    return replace(
        frame,
        ahead=_joined(lead, who, _affirmed(verb, aux, told, person)),
        behind=_put(after, person),
        behind_words=_lemmas(after),
        choice=frozenset(t.lower_ for t in doc[choice[0] : choice[1]] if _is_content(t)),
    )


def _whether(doc: Doc) -> Frame | None:
    """The frame of an indirect question, whose words are in the order of a statement."""
    root = next((t for t in doc if t.dep_ == "ROOT"), None)
    if root is None or not any(t.dep_ in SUBJECTS or t.dep_ == "expl" for t in root.children):
        return None
    end = _end(doc)
    finite = next((t for t in doc[:end] if t.tag_ in FINITE and t in (root, *root.children)), None)
    if finite is None:
        return None
    yes = _sentence(_put(doc[:end], _OF_THE_OTHER))
    behind = _put(doc[finite.i + 1 : end], _OF_THE_OTHER)
    before = _put(doc[: finite.i], _OF_THE_OTHER)
    told: tuple[str, ...] = (finite.text, "not")
    if finite.lower_ not in AUXILIARIES:
        does = {"VBZ": "does", "VBD": "did"}.get(finite.tag_, "do")
        told = (does, "not", finite.lemma_)
    return Frame(yes, _sentence(before, *told, behind), predicate=behind, words=_lemmas(doc))


def _choice(rest: Sequence[Token]) -> tuple[int, int] | None:
    """From where to where it says between what is to be chosen: "monthly or yearly"."""
    for token in rest:
        if token.lower_ == "or" and token.dep_ == "cc":
            others = [t for t in token.head.children if t.dep_ == "conj" and t.i > token.i]
            if others:
                first = min((t.i for t in token.head.subtree if t.i >= rest[0].i), default=0)
                kept = token.head.left_edge.i if token.head.pos_ != "VERB" else token.head.i
                return max(first, kept), others[0].right_edge.i + 1
    return None


# --- open questions -----------------------------------------------------------------------------


def _open(doc: Doc, at: int, *, indirect: bool) -> Frame | None:
    start = at - 1 if at and doc[at - 1].pos_ == "ADP" else at
    lead = doc[:start] if start and doc[start - 1].text == "," else doc[:0]
    finite = [t for t in doc[at + 1 :] if is_finite(t)]
    if doc[at].tag_ == "WDT" and len(finite) > 1 and finite[1].i == finite[0].i + 1 == at + 2:
        finite.pop(0)  # "Which plans can ...": the parser may take the noun for a verb
    if not finite:
        return None
    verb, end = finite[0], _end(doc)
    order = _subject(doc, verb.i)
    if order and all(t.pos_ == "ADJ" for t in doc[order[0] : order[1]]):
        order = None  # "Which functions are available?"
    before = None if order or not indirect else _subject_before(doc, at, verb)
    subject = order or before
    phrase = list(doc[start : subject[0] if before and subject else verb.i])
    counted = _counted(phrase)
    much = len(counted) > 0 and counted[0].i > 0 and doc[counted[0].i - 1].lower_ == "much"
    frame = Frame(
        noun=("of " if much and counted[0].lower_ != "of" else "") + _put(counted, {}),
        sort="" if counted else _sort(list(doc[at : phrase[-1].i + 1])),
        wants=_wanted(phrase),
        words=_lemmas(doc),
    )
    if subject is None:
        # "Who approves it?", "Which plan has SSO?"
        others = (t for t in doc[verb.i : end] if t.dep_ in SUBJECTS)
        denied = any(_denies(t, verb) for t in doc[verb.i : end])
        if frame.wants not in ("", "whose") or (verb.lower_ in _DOES and not denied):
            return None
        if any(t.head == verb or t.head.dep_ == "ROOT" for t in others):
            return None
        told = _put(doc[verb.i : end], _OF_THE_OTHER)
        return replace(frame, ahead=_put(lead, {}), behind=told, predicate=told)
    person = _OF_THE_OTHER | (_OF_THE_COMPANY if _of_company(doc, verb, subject) else {})
    who = _put(doc[subject[0] : subject[1]], person)
    rest = list(doc[subject[1] if order else verb.i + 1 : end])
    aux = _agreeing(verb, doc[subject[0]], person)
    gap = _gap(rest, verb, phrase)
    held = doc[start].text.lower() if start < at else ""
    denying = doc[verb.i + 1 : subject[0]] if order else doc[:0]
    told = _affirmed(verb, aux, [*denying, *rest[:gap]], person)
    return replace(
        frame,
        ahead=_joined(_put(lead, {}), who, told, held),
        behind=_put(rest[gap:], person),
        behind_words=_lemmas(rest[gap:]),
        predicate=_put(rest, person),
    )


def _subject_before(doc: Doc, at: int, verb: Token) -> tuple[int, int] | None:
    """The subject of an indirect question, ahead of its verb: "how long the trial is"."""
    for token in doc[at + 1 : verb.i]:
        if token.dep_ in SUBJECTS and token.left_edge.i > at:
            return token.left_edge.i, token.right_edge.i + 1
    return None


def _gap(rest: Sequence[Token], verb: Token, phrase: Sequence[Token]) -> int:
    """Before which word behind the subject the answer goes."""
    for at, token in enumerate(rest):
        stranded = token.pos_ == "ADP" and token.dep_ == "prep" and token.n_rights == 0
        if stranded and (at + 1 == len(rest) or rest[at + 1].dep_ == "prep"):
            return at + 1  # "What is it based on?"
    how = len(phrase) == 1 and phrase[0].lower_ == "how"
    when = how or any(token.tag_ == "WRB" and token.lower_ != "how" for token in phrase)
    last = len(rest) if phrase[-1].lower_ == "why" else _before_clause(rest)
    if not rest or when or rest[-1].pos_ in ("ADP", "PART"):
        return last
    main = _main(rest, verb)
    if main is None:
        return 0 if verb.lemma_ == "be" and rest[0].dep_ != "acomp" else last
    behind = _behind_verb(rest, main)
    governed = any(
        child.dep_ in ("dobj", "attr", "dative") and child in rest
        for token in (rest[main], rest[max(behind - 1, main)])
        for child in token.children
    )
    return last if governed else behind


def _before_clause(rest: Sequence[Token]) -> int:
    """Where the first clause begins that says when or if: "How long can I keep it once open?"."""
    for at, token in enumerate(rest):
        opens = token.dep_ in ("mark", "advmod") and token.head.dep_ == "advcl"
        if at and opens and token == token.head.left_edge and token.tag_ in ("IN", "WRB", "RB"):
            return at
    return len(rest)


def _main(rest: Sequence[Token], verb: Token) -> int | None:
    """Where the verb stands that an auxiliary goes with; a short one may be taken for a noun."""
    for at, token in enumerate(rest):
        if token.dep_ == "ROOT" and token.pos_ == "VERB":
            return at
    if verb.lower_ in _DOES or verb.tag_ == "MD":
        return next((at for at, t in enumerate(rest) if t.pos_ not in ("ADV", "PART")), None)
    return None


def _behind_verb(rest: Sequence[Token], main: int) -> int:
    at = main + 1
    while at < len(rest) and rest[at].dep_ == "prt":
        at += 1
    # "What do I need to do?": the gap is that of the last verb in the chain.
    while at + 1 < len(rest) and rest[at].lower_ == "to" and rest[at + 1].pos_ in ("VERB", "AUX"):
        at += 2
    return at


def _counted(phrase: Sequence[Token]) -> Sequence[Token]:
    """What "How many days of leave", "What share of the cost" ask the number of."""
    for at, token in enumerate(phrase):
        if token.lower_ in _AMOUNT and at + 1 < len(phrase):
            return phrase[at + 1 :]
        if token.lemma_.lower() in _SHARE and at + 1 < len(phrase) and phrase[at + 1].text == "of":
            return phrase[at + 1 :]
    return ()


def _sort(phrase: Sequence[Token]) -> str:
    """What "Which status code", "Whose consent" ask for one of."""
    if len(phrase) < 2 or phrase[0].tag_ not in ("WDT", "WP", "WP$") or phrase[1].lower_ == "of":
        return ""
    head = phrase[-1]
    names = head.tag_ in ("NN", "NNS") and head.lemma_.lower() not in _TIMES | _SHARE
    return _put(phrase[1:], {}) if names else ""


def _wanted(phrase: Sequence[Token]) -> str:
    asked = next((t.lower_ for t in phrase if t.tag_ in _WH), "")
    if asked == "how" and len(phrase) > 1:
        return ""
    return asked if asked in ("when", "where", "why", "how", "whose") else ""


# --- what both share ----------------------------------------------------------------------------


def _subject(doc: Doc, verb: int) -> tuple[int, int] | None:
    """The subject that stands right behind the verb at `verb`, as in a question."""
    at = verb + 1
    while at < len(doc) and doc[at].lower_ in _NOT:
        at += 1
    if at < len(doc) and doc[at].lower_ == "there":
        return at, at + 1
    if doc[verb].dep_ == "ROOT" and doc[verb].lemma_ != "be":
        return None  # "Which plan has five regions?"
    for token in doc[at:]:
        told = token.dep_ in SUBJECTS or token.dep_ == "expl"
        # Behind "is" the parser may take what is asked for as its attribute.
        told = told or (token.dep_ == "attr" and token.head.i == verb)
        nominal = token.pos_ in _NOMINAL or token.dep_.startswith("csubj")
        if told and token.left_edge.i == at and nominal:
            return at, min(_until(token, doc[verb]), _end(doc))
    asks = doc[verb].lower_ in AUXILIARIES or doc[verb].lower_ in _TOLD
    return _run(doc, at, doc[verb]) if asks else None


def _until(head: Token, verb: Token) -> int:
    """Where a subject ends. Behind "is" what is told of it may look as if it were part of it."""
    if head.dep_ == "expl" or head.pos_ == "PRON":
        return int(head.i) + 1
    end = int(head.right_edge.i) + 1
    if verb.lemma_ == "be":
        # "Are fees paid back if ...", but not "Are fees paid by card refundable?"
        behind = head.doc[min(end, len(head.doc) - 1)]
        last = end >= _end(head.doc) or behind.dep_ in ("mark", "prep")
        told = [t for t in head.rights if t.dep_ == "amod" or (last and t.dep_ in ("acl", "acomp"))]
        nominal = head.tag_ == "NN" and any(t.dep_ == "compound" for t in head.lefts)
        if last and nominal and head.lower_.endswith("ed"):  # "Is the fee refunded?"
            return int(head.i)
        if last:  # "Why was the topic of the lamps put off?"
            told += [t for t in head.subtree if t.dep_ == "acl" and t.right_edge.i == end - 1]
        end = min((int(t.left_edge.i) for t in told if t.i > head.i), default=end)
    return end


def _run(doc: Doc, at: int, verb: Token) -> tuple[int, int] | None:
    """The nouns right behind the verb, where the parser sees no subject: "Is SSO included"."""
    last = at
    while last < len(doc) and (
        doc[last].pos_ in _NOMINAL
        or (last > at and doc[last].tag_ in ("VBG", "VBN") and doc[last - 1].pos_ == "DET")
    ):
        last += 1  # "will the reading chair arrive"
    if verb.lemma_ != "be" and not any(t.pos_ == "VERB" for t in doc[last:]):
        while last > at + 1 and doc[last - 1].pos_ == "PRON":
            last -= 1
        last -= 1  # "does the policy cover it": its verb was taken for a noun
    if last and doc[last - 1].pos_ in ("DET", "ADP"):
        return None
    return (at, last) if last > at else None


def _of_company(doc: Doc, verb: Token, subject: tuple[int, int]) -> bool:
    """Whether "you" is who answers ("Do you ship ...?"), not anybody ("Can you combine ...?")."""
    return doc[subject[0]].lower_ == "you" and verb.tag_ != "MD"


def _behind_lead(doc: Doc) -> int:
    if doc[0].lower_ in AUXILIARIES:
        return 0
    comma = next((t.i for t in doc[:20] if t.text == ","), None)
    return len(doc) if comma is None else comma + 1


def _end(doc: Doc) -> int:
    end = len(doc)
    while end and (doc[end - 1].text in ".?!,;:" or doc[end - 1].is_space):
        end -= 1
    return end


def _agreeing(verb: Token, subject: Token, person: dict[str, str]) -> str:
    """The auxiliary as the subject of the statement wants it: "am I" is "you are"."""
    aux = _TOLD.get(verb.lower_, verb.lower_)
    if subject.lower_ in ("i", "we") and person.get(subject.lower_) == "you":
        return {"am": "are", "was": "were"}.get(aux, aux)
    return aux


def _affirmed(verb: Token, aux: str, rest: Sequence[Token], person: dict[str, str]) -> str:
    """The auxiliary and what follows; "does cost" is "costs"."""
    denying = [token for token in rest if _denies(token, verb)]
    if denying:
        return _joined(aux, "not", _put((t for t in rest if t not in denying), person))
    if aux not in ("do", "does"):
        return _joined(aux, _put(rest, person))
    main = _main(rest, verb)
    if main is None:
        return _joined(aux, _put(rest, person))
    told = rest[main].text if aux == "do" else _third(rest[main].text)
    return _joined(_put(rest[:main], person), told, _put(rest[main + 1 :], person))


def _denies(token: Token, verb: Token) -> bool:
    """Whether a word is the "not" of what is asked, not that of another clause."""
    return token.lower_ in _NOT and token.head in (verb, verb.head)


def _third(verb: str) -> str:
    """The third person of a verb."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def _lemmas(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.lemma_.lower() for token in tokens if _is_content(token))


def _is_content(token: Token) -> bool:
    return not (token.is_stop or token.is_punct or token.is_space or token.tag_ in _WH)


def _put(tokens: Iterable[Token], person: dict[str, str]) -> str:
    """The words, with those of the user put as who answers says them."""
    told = ""
    for token in tokens:
        first = token.i == 0 and token.pos_ != "PROPN" and len(token) > 1
        own = token.lower_ if first else token.text
        named = token.text == "US"  # the country, not who asks
        told += (own if named else person.get(token.lower_, own)) + token.whitespace_
    return told.strip()


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _sentence(*parts: str) -> str:
    told = _joined(*parts)
    return f"{told[:1].upper()}{told[1:]}."
