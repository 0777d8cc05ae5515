"""Sentence -> what it is: a fact to check, or a question, a greeting, an order, a refusal ...

FACT is the default, for a claim that slips by unchecked does harm and a remark that is checked
does little: a sentence that holds a number, date or name and asserts something stays FACT however
politely it opens. Decisions a reader may wonder about:

* "The provided documents do not mention X" is a REFUSAL: when every sentence of an answer is like
  that, the answer declines to answer. Where they do mention X it becomes a FACT, which is wrong.
* An order is a FACT: "If you forget a dose, take a double one" can be what the sources forbid. Only
  one that sends the reader elsewhere ("Contact support.", "See the manual") is an INSTRUCTION.
* "I think the fee is 5%" is a FACT about the fee. OPINION is what only judges, likes or advises
  ("I think it is a great plan"), and advice that holds an amount or a date is a FACT again.
* A heading that is a whole sentence with a number or name ("Revenue fell 12%") is a FACT.
* A line that ends in ":", whatever its block, is a FACT when it says something whole by itself
  ("Dogs are allowed in the garden:"), and a HEADING when what follows completes it: its verb or
  preposition is left open ("The plan includes:"), or it only announces ("There are several
  reasons:", "Members get the following:"). With an amount or a date an announcement is a FACT too
  ("The fee is 5% in these cases:").
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from halgo.arithmetic.notation import is_equation
from halgo.claims import phrases
from halgo.claims.phrases import words
from halgo.facts.identifiers import identifiers
from halgo.types import Claim, ClaimKind

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# The wording that tells a kind stands at the head or the end; the middle is never searched.
_HEAD = 600
_TAIL = 300
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_RELATES = frozenset({"WRB", "WP", "WDT", "WP$"})
# An order that points to what is to be done: "Follow the 3 steps".
_POINTS = frozenset({"the", "these", "this", "those"})
_READER = frozenset({"you", "me", "us", "i", "we"})
_ADVICE = (ClaimKind.INSTRUCTION, ClaimKind.OPINION)
_LITERAL = ("option", "path", "request", "name")
_GLUED = frozenset(":/._-")  # within "deploy:write"
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")

_LEADING_MARKS = re.compile(r"^[\W_]{1,20}")
_TURN = re.compile(
    r"[,;.]?\s(?:but|however|although|nevertheless|nonetheless"
    r"|(?:except|other than|apart from|besides|beyond)(?: for)?(?: the fact)? that)\b,?\s+|;\s+"
)
# "I can't say, but probably 59 euros."
_GUESS = re.compile(
    r"(?:[,;.:]|\s[\u2013\u2014-])\s(?:but |though )?(?:probably|maybe|perhaps|possibly|presumably|"
    r"i (?:guess|think|believe|suppose|assume)|my guess)\b\s*"
)
_AFTER_COLON = re.compile(r":\s+(?=\S)")
_INNER_CAPITAL = re.compile(r"(?<=[\w,;:)\"'])\s+[\"'(]?(?!I\b)[A-Z]")
_VERDICT_ON_IT = re.compile(
    r"^(?:it|this|that|these|those|they)(?:'s| is| was| are| were| sounds| looks| seems)"
    r"(?: \w{1,20}){0,3}? (?P<word>\w{1,20})"
    r"(?: (?:idea|choice|option|point|place|way|start|news|thing|plan|deal|example))?[.!\s]*$"
)
_REFERENCE = re.compile(
    r"\b(?:sections?|pages?|steps?|figures?|tables?|chapters?|options?|passages?|sources?|documents?|"
    r"articles?|clauses?|appendix|parts?|lines?|items?|notes?|no\.?|number)\s?#?\d[\d.]*"
    r"|\[\d{1,3}\]|#\d+|^\W*\d{1,2}[.):]|\b\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹%]|per ?cent\b|euros?\b|dollars?\b|(?:EUR|USD|GBP)\b)"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# A line of a block of code that is really a sentence.
_PROSE = re.compile(r"[\s>*\"'-]*[A-Z][^{}<>=;|\\()\[\]#]*[.!][\s*\"']*")
_SKIPPED_BEFORE_ORDER = words(
    "please kindly now first then next finally also just simply always never do not n't and "
    "second third lastly instead alternatively optionally"
)


def kind_of(reading_text: str, block: str = "paragraph", doc: Doc | None = None) -> ClaimKind:
    """What one sentence of an answer is.

    block: the sentence's block, as in `Sentence`. doc: its parse; without one, orders and
    headings that assert something are told by their wording alone.
    """
    worded = by_wording(reading_text, block)
    return worded if worded is not None else by_parse(reading_text, block, doc)


def by_wording(text: str, block: str = "paragraph") -> ClaimKind | None:
    """The kind that the words alone show; None where the parse is wanted."""
    kind = _worded(text, block)
    if kind is None or kind.checked or block in ("source", "code"):
        return kind
    # Whatever leads to an address, who is sent there trusts that the sources hold it; and who is
    # advised to pass an option, that it is there.
    advised = kind in _ADVICE and not phrases.AT_SERVICE.match(text.lower()) and _is_literal(text)
    return None if advised or _sends(text) else kind


def _worded(text: str, block: str) -> ClaimKind | None:
    if block == "source" or not any(character.isalnum() for character in text):
        return ClaimKind.FRAGMENT
    if is_equation(text):
        return ClaimKind.ARITHMETIC
    if block == "code":
        return None if any(_is_told(line) for line in text.splitlines()) else ClaimKind.FRAGMENT
    low = text[:_HEAD].translate(_STRAIGHT).lower().strip()
    short = len(text) <= _TAIL
    if short and any(
        pattern.match(low)
        for pattern in (
            phrases.LONE_MARK,
            phrases.LONE_WORD,
            phrases.LONE_ADDRESS,
            phrases.REMARK,
        )
    ):
        return ClaimKind.FRAGMENT
    if block == "row":
        return ClaimKind.FACT
    if _is_question(text):
        if _may_state(text):
            return None
        return ClaimKind.HEADING if block == "heading" else ClaimKind.QUESTION
    low = _LEADING_MARKS.sub("", low)
    if block == "heading":
        return ClaimKind.HEADING if _of_phrase(low, text) is not None else None
    if is_on_the_check(low):
        return ClaimKind.META
    kind = _of_phrase(low, text)
    if kind is None and phrases.REFUSAL_TAIL.search(text[-_TAIL:].translate(_STRAIGHT).lower()):
        kind = None if _TURN.search(low) else ClaimKind.REFUSAL
    return kind


def by_parse(text: str, block: str, doc: Doc | None) -> ClaimKind:
    """The kind of a sentence whose wording says nothing: an order, a heading, else a FACT."""
    if doc is not None and _declines(text, doc):
        return ClaimKind.REFUSAL
    # A step in a list is what the answer says the sources prescribe, whatever its verb.
    sends = _sends(text) or _is_literal(text) or _tells_that(text)
    if doc is not None and block not in ("heading", "item") and not sends and _is_referral(doc):
        return ClaimKind.INSTRUCTION
    asks = block != "code" and not sends and _is_question(text) and _may_state(text)
    if asks and (doc is None or not _states(doc)):
        return ClaimKind.HEADING if block == "heading" else ClaimKind.QUESTION
    if text.rstrip(" *_").endswith((":", "：")):
        asserts = doc is not None and (_is_whole(text, doc) or _says_ahead(text, doc))
    elif block == "heading":
        asserts = sends or _is_valued(text)
        asserts = asserts or (doc is not None and _has_clause(doc) and has_specifics(text))
    else:
        asserts = True
    return ClaimKind.FACT if asserts else ClaimKind.HEADING


def _declines(text: str, doc: Doc) -> bool:
    """Whether an answer says what an AI has or does not: "As an AI, I don't hold opinions"."""
    if phrases.AS_AN_AI.search(text[:_HEAD].lower()) is None or has_value(text) or ":" in text:
        return False
    subjects = {token.lower_ for token in doc if token.dep_ in _SUBJECTS}
    denied = any(token.dep_ == "neg" or token.lower_ in ("no", "unable") for token in doc)
    return denied and subjects == {"i"}


def _tells_that(text: str) -> bool:
    """Whether a text wraps what it tells: "Let me tell you that the fee is 5%"."""
    return phrases.TOLD_THAT.search(text[:_HEAD]) is not None


def _sends(text: str) -> bool:
    """Whether a text names where a reader may be sent: a link, an e-mail address."""
    return any(one.kind in ("address", "link") for one in identifiers(text))


def _is_literal(text: str) -> bool:
    """Whether a text holds what a program takes literally: an option, a path, a request, a name."""
    return any(one.kind in _LITERAL for one in identifiers(text))


def _is_told(line: str) -> bool:
    """Whether a line of code is a sentence that holds an amount, a date or an address."""
    bare = re.sub(r"\S*(?://|@)\S*[^\s.!]", "", line)
    prose = _PROSE.fullmatch(bare[:_HEAD]) is not None and len(line.split()) >= 3
    return prose and (has_value(line) or _sends(line))


def _is_valued(heading: str) -> bool:
    """Whether a heading tells the value of something: "Team plan: 25 seats", but no year."""
    _, _, behind = heading.partition(":")
    return _PRICED.search(heading) is not None or has_value(_YEAR.sub("", behind))


def _is_question(text: str) -> bool:
    if not is_asked(text):
        return False
    tail = text[-_TAIL:].translate(_STRAIGHT)
    if phrases.SMUGGLED.match(text[:_HEAD].translate(_STRAIGHT).lower()) and has_value(text):
        return False
    low = tail.lower()
    if phrases.TAG_QUESTION.search(low) and has_specifics(text):
        return False
    return not (len(text) <= _TAIL and phrases.QUOTED_QUESTION.match(low))


def _may_state(text: str) -> bool:
    """Whether a question may be a statement by its order of words: "The late fee is 7%?"."""
    low = text[:_HEAD].translate(_STRAIGHT).lower()
    return has_specifics(text) and not phrases.ASKS.match(low)


def is_asked(text: str) -> bool:
    """Whether a text ends as a question does."""
    return phrases.QUESTION_END.search(text[-_TAIL:].translate(_STRAIGHT)) is not None


def _of_phrase(low: str, text: str) -> ClaimKind | None:
    """The kind that an opening phrase shows, looked for again behind each lead-in."""
    for _ in range(5):
        kind = _matched(low, text)
        if kind is not None:
            return _unless_more_follows(kind, low, text)
        lead = phrases.LEAD_IN.match(low)
        if lead is None or lead.end() == 0:
            return None
        rest = low[lead.end() :].lstrip()
        if not any(character.isalnum() for character in rest):
            return ClaimKind.META
        low = rest
    return None


def _matched(low: str, text: str) -> ClaimKind | None:
    if phrases.GREETING.match(low) or phrases.SIGNATURE.match(text):
        return ClaimKind.GREETING
    if phrases.REFUSAL.match(low):
        return ClaimKind.REFUSAL
    if phrases.OFFER.match(low):
        return ClaimKind.INSTRUCTION
    if phrases.META.match(low):
        promised = phrases.PROMISED.match(low)
        told = promised and phrases.TELLING.isdisjoint(re.findall(r"[a-z]+", low[promised.end() :]))
        return None if told else ClaimKind.META
    looked = phrases.LOOKED.match(low)
    if looked is not None:
        return None if phrases.TOLD_WHAT.search(low, looked.end()) else ClaimKind.META
    if _is_opinion(low, text):
        return ClaimKind.OPINION
    return None


def _unless_more_follows(kind: ClaimKind, low: str, text: str) -> ClaimKind | None:
    """`kind`; None when a clause that asserts something follows: "..., but the fee is 5%"."""
    if kind is ClaimKind.OPINION:
        return kind
    if kind is ClaimKind.META:
        told = _AFTER_COLON.search(low)
        # "Here is what I found: the fee is 5%"; but "Sources: [1], [2]" tells nothing.
        if told and not low.startswith(("source", "reference", "citation", "cited", "disclaimer")):
            return None
    if kind is not ClaimKind.REFUSAL and _tells_that(text):
        return None
    guess = _GUESS.search(low)
    if guess is not None and has_value(low[guess.end() :]):
        return None
    turn = _TURN.search(low)
    if turn is None:
        return kind
    rest = low[turn.end() :]
    tells = len(rest.split()) >= 3 or has_value(rest)
    tells = tells and _of_phrase(rest, rest) is None
    return None if tells and not rest.startswith(("if you", "feel free", "please")) else kind


def _is_opinion(low: str, text: str, again: bool = True) -> bool:
    found = phrases.OPINION.match(low)
    if found is None:
        verdict = _VERDICT_ON_IT.match(low) if len(low) < 100 else None
        evaluates = verdict is not None and verdict["word"] in phrases.EVALUATIVE
        return evaluates and not has_specifics(text)
    if found["advises"] is not None:
        return not has_value(text)
    if found["said"] is None and found["content"] is None:
        return True  # what is liked and preferred
    content = found["said"] if found["said"] is not None else found["content"]
    told = re.findall(r"[a-z']+", phrases.A_RIGHT.sub("", content))
    if len(told) < 3 and not has_specifics(text):
        return True  # "so", "it depends"
    if not has_value(text) and not phrases.EVALUATIVE.isdisjoint(told):
        return True
    if found["verb"] in phrases.FEELS:
        return not has_specifics(text)
    if not has_value(text) and phrases.BETWEEN_US.match(content):
        return True
    # "Personally, I would choose the cheaper one."
    return again and _is_opinion(content, text, again=False)


def label_end(text: str) -> int:
    """Where a label ends before what may be a whole sentence: "Pricing: The plan ..."; or 0."""
    found = phrases.LABEL.match(text)
    if found is None or len(text[found.end() :].split()) < 3:
        return 0
    told = re.findall(r"[^\W\d_]+", found.group().lower())
    return found.end() if phrases.LABELS.issuperset(told) else 0


def is_whole(doc: Doc) -> bool:
    """Whether a text is a sentence with a subject of its own, which is no pronoun."""
    root = _root(doc)
    subjects = [t for t in root.children if t.dep_ in _SUBJECTS] if root is not None else []
    return bool(subjects) and _has_clause(doc) and subjects[0].tag_ not in ("PRP", "DT", "WDT")


def is_on_the_check(text: str) -> bool:
    """Whether a sentence speaks of its own check, or orders it: "All claims are supported"."""
    return phrases.ON_THE_CHECK.match(_LEADING_MARKS.sub("", text[:_HEAD].lower())) is not None


def is_remark(claim: Claim) -> bool:
    """Whether a claim says something only together with what was asked: "Yes, we do."."""
    low = claim.text[:_HEAD].translate(_STRAIGHT).lower()
    return claim.kind is ClaimKind.FRAGMENT and phrases.REMARK.match(low) is not None


def has_specifics(text: str) -> bool:
    """Whether an amount, a date, or a capital within the sentence, gives something to look up."""
    return any(character.isdigit() for character in text) or bool(
        phrases.COUNTED.search(text) or _INNER_CAPITAL.search(text)
    )


def has_value(text: str) -> bool:
    """Whether the text holds an amount or a date; not the number in "option 2", "the 2nd"."""
    rest = _REFERENCE.sub("", text)
    return any(character.isdigit() for character in rest) or bool(phrases.COUNTED.search(rest))


def _has_clause(doc: Doc) -> bool:
    """Whether a finite verb has a subject of its own."""
    return any(
        token.dep_ in _SUBJECTS
        and token.head.tag_ in ("VBZ", "VBD", "VBP", "VB", "VBN", "VBG", "MD")
        for token in doc
    )


def _states(doc: Doc) -> bool:
    """Whether a subject stands before all verbs of its clause, as in a statement."""
    root = _root(doc)
    if root is None or root.pos_ not in ("VERB", "AUX"):
        return False
    if any(token.tag_ in _RELATES for token in doc[: root.i]):
        return False
    subject = next((t for t in root.children if t.dep_ in _SUBJECTS), None)
    verbs = [root.i, *(t.i for t in root.children if t.dep_ in ("aux", "auxpass"))]
    return subject is not None and subject.i < min(verbs)


def _is_whole(text: str, doc: Doc) -> bool:
    """Whether a line before a colon says something without what follows it."""
    root = _root(doc)
    words = [token for token in doc if any(map(str.isalnum, token.text))]
    if root is None or not words or _is_open(words[-1]):
        return False
    if any(t.dep_ == "mark" or t.tag_ in _RELATES for t in root.children):
        return False  # "If you are over 65:", "How it works:"
    subjects = [t for t in root.children if t.dep_ in _SUBJECTS]
    if not subjects:
        return root.tag_ == "VB" and has_value(text) and not _announces(words, _POINTS)
    if has_value(text):
        return True
    exists = any(t.dep_ == "expl" and t.lower_ == "there" for t in subjects)
    return not exists and not _announces(words, phrases.ANNOUNCES)


def _says_ahead(text: str, doc: Doc) -> bool:
    """Whether a lead-in has a clause of its own ahead: "You have 7 orders; here is the first:"."""
    ahead, semicolon, _ = text.partition("; ")
    return bool(semicolon) and has_value(ahead) and _has_clause(doc)


def _is_open(last: Token) -> bool:
    """Whether the last word of a line waits for its object: "includes", "are", "such as"."""
    return last.pos_ in ("ADP", "AUX", "SCONJ", "CCONJ", "PART") or last.tag_ in (
        "VB",
        "VBP",
        "VBZ",
        "VBG",
        "TO",
    )


def _announces(words: Sequence[Token], by: Set[str]) -> bool:
    """Whether a line only points to what follows: "the following", its last noun in "by"."""
    if any(token.lower_ in phrases.POINTS_ON for token in words):
        return True
    noun = next((t for t in reversed(words) if t.pos_ in ("NOUN", "PROPN", "PRON")), None)
    return noun is not None and any(t.lower_ in by for t in (noun, *noun.lefts))


def _root(doc: Doc) -> Token | None:
    return next((token for token in doc if token.dep_ == "ROOT"), None)


def _is_referral(doc: Doc) -> bool:
    """Whether the sentence only tells its reader where to ask or look, or what to consider."""
    root = _root(doc)
    if root is None or any(child.dep_ in _SUBJECTS for child in root.children):
        return False
    head = next(
        (
            t
            for t in doc
            if not (t.is_punct or t.is_space or t.like_num)
            and t.lower_ not in _SKIPPED_BEFORE_ORDER
        ),
        None,
    )
    # Where the parser takes the verb for a noun ("Contact support."), the word at the head decides.
    verb = root if head is None or root.tag_ == "VB" else head
    if verb.tag_ in ("VBZ", "VBD", "VBG", "VBN", "NNS", "JJR", "JJS"):
        return False
    if verb != head and any(child.dep_ == "aux" and child.lower_ != "do" for child in verb.lefts):
        return False
    if verb.i and doc[verb.i - 1].text in _GLUED and not doc[verb.i - 1].whitespace_:
        return False
    if not _sends_elsewhere(verb, doc):
        return False
    if any(character.isdigit() for character in _REFERENCE.sub("", doc.text)):
        return False
    return not _asserts_beside(root)


def _sends_elsewhere(verb: Token, doc: Doc) -> bool:
    if verb.lower_ in phrases.REFERRALS:
        return True
    behind = {token.lower_ for token in doc[verb.i + 1 :]}
    return verb.lower_ in phrases.LOOKED_UP_BY and not phrases.PLACES.isdisjoint(behind)


def _asserts_beside(order: Token) -> bool:
    """Whether a clause under an order tells a fact: "Note that ...", "Avoid it because it ..."."""
    # "Be aware that ..." hangs its clause on the adjective.
    under = [*order.children]
    under += (clause for child in under if child.dep_ == "acomp" for clause in child.children)
    for child in under:
        subject = next((t for t in child.children if t.dep_ in _SUBJECTS), None)
        if subject is None or subject.lower_ in _READER:
            continue
        if child.dep_ == "ccomp" and (child.head != order or order.lower_ in phrases.TOLD_BY):
            return True
        before = child.dep_ == "ccomp" and child.i < order.i
        if child.dep_ in ("conj", "parataxis") or before:
            return True
        marks = {t.lower_ for t in child.children if t.dep_ in ("mark", "advmod")}
        if child.dep_ == "advcl" and not marks.isdisjoint(("because", "since", "as", "so")):
            return True
    return False
