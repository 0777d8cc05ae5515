"""Words replaced by their opposite: rise and fall, north and south, larger and smaller."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Span, Token

from .edits import Change, cased_like, replace_tokens
from .forms import verb_form
from .tables import pairs, word_set

# Lemma and opposite.
_VERB_OPPOSITES = pairs(
    """
    increase decrease, decrease increase, rise fall, fall rise, grow shrink, gain lose, win lose,
    lose win, buy sell, sell buy, accept reject, reject accept, approve reject, allow forbid,
    permit prohibit, prohibit permit, ban allow, include exclude, confirm deny, support oppose,
    oppose support, succeed fail, improve worsen, open close, close open, arrive depart,
    enter leave, strengthen weaken, weaken strengthen, expand contract, build demolish, start stop,
    begin end, end begin, raise lower, lower raise, pass fail, join leave, love hate,
    remember forget, borrow lend, import export, export import, create destroy, destroy create,
    reduce increase, accelerate slow, encourage discourage, discourage encourage, promote demote,
    appear disappear, acquire sell, attack defend, defend attack, hire dismiss, praise criticize,
    criticize praise, enable prevent, prevent cause, widen narrow, narrow widen, tighten loosen,
    agree disagree, connect disconnect, ascend descend
    """
)

_TRANSITIVE_ONLY = word_set("raise buy sell reduce allow permit include build love")

# By the tags in which a word has this opposite. Each direction stands by itself, for some
# hold one way only: the opposite of "young" may be "old", that of "old" is not always "young".
_WORD_OPPOSITES = {
    word: (opposite, tags)
    for tags, listed in {
        "JJ": """
            large small, small large, big small, high low, low high, long short, old young,
            strong weak, weak strong, early late, hot cold, cold hot, rich poor, male female,
            female male, public private, private public, positive negative, negative positive,
            legal illegal, illegal legal, possible impossible, impossible possible,
            successful unsuccessful, unsuccessful successful, effective ineffective,
            ineffective effective, safe unsafe, unsafe safe, important unimportant,
            unimportant important, common rare, rare common, rapid slow, slow rapid,
            simple complex, complex simple, easy difficult, difficult easy, internal external,
            external internal, northern southern, southern northern, eastern western,
            western eastern, upper lower, major minor, minor major, foreign domestic,
            domestic foreign, urban rural, rural urban, ancient modern, modern ancient,
            heavy light, deep shallow, shallow deep, wide narrow, narrow wide, first last,
            popular unpopular, unpopular popular, permanent temporary, temporary permanent,
            active inactive, inactive active, guilty innocent, innocent guilty, alive dead,
            mandatory optional, optional mandatory, happy unhappy, unhappy happy, full empty,
            empty full, hard soft, dry wet, wet dry, expensive cheap, cheap expensive,
            voluntary mandatory, visible invisible, invisible visible
        """,
        "JJ NN": """
            maximum minimum, minimum maximum
        """,
        "IN": """
            before after, after before, above below, below above, inside outside, outside inside
        """,
        "RB NN": """
            north south, south north, east west, west east
        """,
        "NN NNS": """
            increase decrease, decrease increase, import export, export import
        """,
        "NN": """
            success failure, failure success, victory defeat, defeat victory,
            advantage disadvantage, disadvantage advantage, profit loss, growth decline, rise fall,
            majority minority, minority majority, beginning end, winner loser, loser winner,
            buyer seller, seller buyer, husband wife, wife husband, father mother, mother father,
            son daughter, daughter son, brother sister, sister brother, man woman, woman man,
            boy girl, girl boy, morning evening, evening morning, summer winter, winter summer,
            employer employee, employee employer
        """,
        "NNS": """
            men women, women men, boys girls, girls boys
        """,
        "RB": """
            always never, often rarely, rarely often, frequently rarely, usually rarely,
            quickly slowly, slowly quickly, rapidly slowly, successfully unsuccessfully,
            unsuccessfully successfully, permanently temporarily, temporarily permanently,
            directly indirectly, indirectly directly, significantly slightly, partially fully
        """,
        "JJR": """
            larger smaller, smaller larger, bigger smaller, longer shorter, shorter longer,
            older younger, younger older, stronger weaker, weaker stronger, better worse,
            worse better, greater smaller, heavier lighter, lighter heavier, cheaper dearer,
            dearer cheaper, hotter colder, colder hotter, warmer cooler, cooler warmer
        """,
        "JJR RBR": """
            higher lower, earlier later, later earlier, faster slower, slower faster,
            closer farther, farther closer, lower higher
        """,
        "JJS": """
            largest smallest, smallest largest, biggest smallest, highest lowest, lowest highest,
            longest shortest, shortest longest, oldest youngest, youngest oldest, best worst,
            worst best, earliest latest, fastest slowest, slowest fastest, strongest weakest,
            weakest strongest
        """,
    }.items()
    for word, opposite in pairs(listed).items()
}


def opposite_edits(sentence: Span) -> Iterator[Change]:
    """A word's opposite in its place, where both would be about the same thing."""
    lows = [t.lower_ for t in sentence]
    for token in sentence:
        low = token.lower_
        if (token.ent_type_ and token.ent_type_ not in ("DATE", "CARDINAL")) or (
            token.is_title and token.i != sentence.start
        ):
            continue
        if token.ent_type_ == "DATE" and token.tag_ != "IN":
            continue
        if low in _WORD_OPPOSITES:
            new, tags = _WORD_OPPOSITES[low]
            if token.tag_ not in tags.split() or new in lows:
                continue
            if not _opposite_ok(token):
                continue
            kind = "comparison" if token.tag_ in ("JJR", "RBR") else "antonym"
            yield replace_tokens(token, token, cased_like(new, token)), kind, "contradicted"
        elif token.pos_ == "VERB" and token.lemma_ in _VERB_OPPOSITES and token.is_lower:
            opposite = _VERB_OPPOSITES[token.lemma_]
            if opposite in lows or any(t.dep_ in ("prt", "xcomp", "neg") for t in token.children):
                continue
            takes = any(t.dep_ in ("dobj", "nsubjpass") for t in token.children)
            if token.tag_ not in ("VBD", "VBZ", "VBP", "VB", "VBN") or token.dep_ == "amod":
                continue
            if not takes and (opposite in _TRANSITIVE_ONLY or token.lemma_ in _TRANSITIVE_ONLY):
                continue
            if token.lemma_ in ("close", "open", "end", "pass", "leave", "start") and not takes:
                continue
            if token.lemma_ == "fall" and not _amount_verb(token):
                continue
            if token.lemma_ in ("enter", "join", "begin", "gain", "grow", "defend") and takes:
                continue
            new = verb_form(opposite, token.tag_)
            yield replace_tokens(token, token, new), "antonym", "contradicted"


def _amount_verb(token: Token) -> bool:
    """Whether "fall" has to do with an amount: "fell to 3 %", "prices fell by ..."."""
    return any(
        t.dep_ == "prep" and t.lower_ in ("to", "by", "from") and
        any(p.ent_type_ in ("CARDINAL", "PERCENT", "MONEY", "QUANTITY") for p in t.subtree)
        for t in token.children
    )  # fmt: skip


def _opposite_ok(token: Token) -> bool:
    """Whether the word stands where its opposite would be about the same thing."""
    after = token.nbor(1) if token.i + 1 < len(token.doc) else None
    before = token.nbor(-1) if token.i > token.sent.start else None
    if (after is not None and after.text in ("-", "'s", "’s")) or (
        before is not None and before.text == "-"
    ):
        return False
    if any(t.lower_ in ("no", "not", "n't", "so", "as", "too", "how") for t in token.children):
        return False
    if token.tag_ == "IN" and token.lower_ in ("before", "after"):
        return after is not None and after.lower_ != "that" and before is not None and (
            before.lower_ not in ("day", "days", "years", "year", "month", "months", "named",
                                  "long", "soon", "shortly", "immediately", "well", "takes")
        )  # fmt: skip
    if token.tag_ == "JJ" and token.dep_ == "amod":
        head = token.head
        fixed = {"high school", "long term", "high court", "light year", "hot dog",
                 "short story", "long time", "private sector", "high street", "soft drink",
                 "hard drive", "major league", "low cost", "first time", "first place", "early age",
                 "old age", "full time", "heavy metal", "short film", "large number",
                 "public school", "last year", "last week", "last month", "old man"}  # fmt: skip
        if after is None or after != head or f"{token.lower_} {head.lemma_.lower()}" in fixed:
            return False
        if token.lower_ == "first":
            return before is not None and before.lower_ == "the" and head.tag_ == "NN"
        return not head.ent_type_
    if token.tag_ == "JJ":
        if token.dep_ == "acomp" and token.head.lemma_ == "be":
            if any(t.dep_ == "neg" for t in token.head.children):
                return False
            return not (token.lower_ in ("old", "long", "high", "deep", "wide", "heavy")
                        and before is not None and before.tag_ in ("NNS", "NN"))  # fmt: skip
        return False
    if token.tag_ in ("JJR", "RBR"):
        return before is None or before.lower_ not in ("no", "not", "the", "any")
    if token.tag_ in ("RB", "NN") and token.lower_ in ("north", "south", "east", "west"):
        return after is not None and after.lower_ == "of"
    if token.tag_ == "RB":
        return token.head.pos_ in ("VERB", "AUX") and not any(
            t.dep_ == "neg" for t in token.head.children
        )
    if token.dep_ in ("compound", "npadvmod"):
        return False
    return not any(t.dep_ == "compound" for t in token.children)
