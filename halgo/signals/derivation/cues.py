"""Cue words: which operation the wording of a claim and of a small word problem asks for.

"Sam had 9 dimes and his dad gave him 7; he has 16 now" adds, "he gave 7 to his dad" takes away:
the verb says it, and for giving and lending also who gives. Only words are looked at here; the
amounts are derivations.py's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

_words = str.split
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d,.]*")

EACH = frozenset(_words("each per every apiece times average"))
GAIN = frozenset(
    _words(
        "more add adds added adding buy buys bought get gets got receive receives "
        "received find finds found pick picks picked join joins joined put puts place "
        "places placed another additional earn earns earned win wins won collect collects "
        "collected arrive arrived come comes came new plant planted grow gain gained "
        "on also plus hired hire"
    )
)
LOSS = frozenset(
    _words(
        "lose loses lost eat eats ate eaten spend spends spent sell sells sold use uses "
        "used drop dropped take takes took taken remove removes removed throw threw "
        "thrown donate donated donates break broke broken return returned fly flew flies "
        "leave leaves delete deleted deletes drink drank torn minus less fewer left "
        "discard discarded destroy died die away out off cut burned burnt fired sort "
        "sorts consumed absent missing already needs go went"
    )
)
# Whoever is the subject loses, whoever receives gains.
_GIVING = frozenset(
    _words(
        "give gives gave given lend lends lent loan loans loaned hand handed send sent "
        "pass passed share shared"
    )
)
_TAKING = frozenset(_words("bought buys buy took takes take"))
_PARTICLES = frozenset(_words("out off away left go went"))
_BORROWING = frozenset(_words("borrow borrows borrowed"))
TOTAL = frozenset(
    _words("total totals altogether combined overall sum together both all net whole")
)
REST = frozenset(
    _words("left remaining remain remains rest still empty other difference untouched unused short")
)
COMPARED = frozenset(
    _words(
        "more fewer less longer shorter older younger taller higher lower larger smaller "
        "heavier farther further"
    )
)
_HOLDING = frozenset(_words("hold holds fit fits into among between"))
_PACKS = frozenset(
    _words(
        "packages packs cases boxes bags groups sets bunches rows crates jars bundles stacks piles"
    )
)
_PRICED = frozenset(_words("equally costs cost serving servings"))
_SIDES = frozenset(_words("long wide rows columns length width"))
_PRONOUNS = frozenset(_words("he she they it we i him her them us me his their our my"))
_STARTERS = frozenset(
    _words(
        "a an the there on in at for of to before after during if each every this these "
        "those how when"
    )
)
# Verbs of such stories that ordinary prose about amounts uses less.
_STORY = (
    (GAIN | LOSS | _GIVING | _BORROWING)
    - frozenset(
        _words(
            "more add adds added additional another new grow come comes came use uses used "
            "also plus already needs go went out off minus less fewer leave leaves return "
            "returned away win wins won earn earns earned place places placed absent left "
            "hire hired"
        )
    )
) | frozenset(_words("apiece equally"))


@lru_cache(maxsize=256)  # a claim is held against several passages, by several questions
def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, in order, in lower case."""
    return tuple([word.lower() for word in _WORD.findall(text)])


def story(passage: str) -> bool:
    """Whether a short passage tells of giving, taking, sharing out or packing up."""
    told = words(passage)
    return bool(_STORY & frozenset(told)) or _packs(told)


def cue_each(passage: str) -> bool:
    """Whether a passage gives an amount for each of something."""
    return bool(EACH & frozenset(words(passage)))


def sides(passage: str) -> bool:
    """Whether a passage gives two sides of something: "3 m long and 2 m wide", rows, columns."""
    return len(_SIDES & frozenset(words(passage))) > 1


def asked(claim: str, passage: str, *, money: bool = False) -> frozenset[str]:
    """The operations (names as in derivations.py) by which the claim's amount should follow.

    money: the amount is money, which selling brings in and buying takes away.
    """
    said, told = words(claim), words(passage)
    said_set, told_set = frozenset(said), frozenset(told)
    gains, losses = _balance(claim, passage, money)
    if len(told_set & _SIDES) > 1:
        return frozenset({"product"})
    if (said_set | told_set) & EACH or _packs(told) or _packs(said) or told_set & _PRICED:
        steps = {"steps"} if gains or losses or "total" in told_set else set()
        return frozenset({"product", "quotient"} | steps)
    if said_set & COMPARED and said_set & {"than", "compared", "were", "are"}:
        return frozenset({"difference"})
    if losses and gains:
        return frozenset({"balance", "sum", "difference"})
    if said_set & LOSS & told_set and not said_set & REST:
        return frozenset({"sum"})  # "used 816 eggs, and 1,339 later; 2,155 were used"
    if said_set & TOTAL and not losses:
        return frozenset({"sum"})
    if gains:
        return frozenset({"sum", "difference"} if said_set & (REST | LOSS) else {"sum"})
    if said_set & (REST | LOSS) or losses:
        return frozenset({"difference", "balance"})
    if told_set & {"rest", "total", "originally"}:
        return frozenset({"difference"})
    return frozenset({"sum", "difference"})


def _packs(told: Sequence[str]) -> bool:
    """Whether amounts are packed: "packages of 6", "holds 18 cups", "among 3 friends"."""
    for at, (first, second) in enumerate(pairwise(told)):
        if not second[0].isdigit():
            continue
        if first in _HOLDING or (first == "of" and at and told[at - 1] in _PACKS):
            return True
        if first in ("takes", "take") and "make" in told[at + 2 : at + 6]:
            return True
    return False


def _balance(claim: str, passage: str, money: bool) -> tuple[bool, bool]:
    """Whether the passage tells of a gain, and of a loss, of whom the claim is about."""
    told = words(passage)
    owner = _owner(claim, passage)
    gains = losses = False
    for at, word in enumerate(told):
        if money and word in ("sold", "sells", "sell", "bought", "buys", "paid", "pays"):
            gains, losses = gains or word.startswith("s"), losses or not word.startswith("s")
        elif word in ("share", "shares", "shared") and "among" in told[at:]:
            continue
        elif word in _GIVING:
            if _given_to_owner(told, at, owner):
                gains = True
            else:
                losses = True
        elif word in _BORROWING:
            if "from" in told[at:] and owner in told[at:]:
                losses = True
            else:
                gains = True
        elif (word in _TAKING and _of_owner(told, at, owner)) or (
            word in LOSS and not (word in _PARTICLES and _gained(told, at))
        ):
            losses = True
        elif word in GAIN:
            gains = gains or not (word == "more" and _leaving(told, at))
    return gains, losses


def _owner(claim: str, passage: str) -> str:
    """Whom the claim is about, in lower case; for a pronoun the first name of the passage."""
    first = words(claim)[:1]
    if first and first[0] not in _PRONOUNS | _STARTERS and not first[0][0].isdigit():
        return first[0].removesuffix("'s").removesuffix("’s")
    named = re.search(r"\b[A-Z][a-z]+\b", passage)
    return named.group().lower() if named else ""


def _given_to_owner(told: Sequence[str], at: int, owner: str) -> bool:
    after = told[at + 1 : at + 8]
    before = told[max(0, at - 4) : at]
    if after and after[0] in ("him", "her", "them", "us", "me", owner):
        return True
    if "to" in after:
        receiver = after[after.index("to") + 1 :][:2]
        return owner in receiver or bool({"him", "her", "them", "me", "us"} & set(receiver[:1]))
    giver = next((w for w in reversed(before) if w not in ("also", "then", "has", "had")), "")
    return giver not in (owner, "he", "she", "they", "we", "i")


def _of_owner(told: Sequence[str], at: int, owner: str) -> bool:
    after = told[at + 1 : at + 6]
    return "of" in after and any(w in (owner, owner + "'s", owner + "’s") for w in after)


def _gained(told: Sequence[str], at: int) -> bool:
    """Whether the verb before a particle gains: "picked 3 out"."""
    return any(word in ("picked", "pick", "found", "came") for word in told[max(0, at - 3) : at])


def _leaving(told: Sequence[str], at: int) -> bool:
    """Whether those who are more leave: "2 more birds flew away"."""
    return any(word in LOSS for word in told[at + 1 : at + 5])
