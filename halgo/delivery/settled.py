"""The beginning of an answer -> how much of it no later sentence can change any more.

Most of what a gate takes out goes by what stands before it. Four things go by what stands behind:
a lead-in with nothing that it leads to, a question without its answer, a heading without its
section, a table's row of which more may come. These wait until that is known.
"""

from __future__ import annotations

from halgo.delivery.cutting import unclosed
from halgo.delivery.fate import Fate
from halgo.types import ClaimKind, Span


def settled(fate: Fate, limit: int) -> int:
    """The place up to which the text may be shown; 0 while nothing in it answers anything yet.

    limit: no sentence is shown that ends behind it. The place is the end of a sentence that stays:
    what parts it from the next may still go with that one.
    """
    waits = _waiting(fate)
    place, answers = 0, False
    for at, cause in enumerate(fate.gone):
        end = fate.layout.sentences[at].end
        if end > limit or waits[at] or (cause is not None and _torn(fate, at)):
            break
        if cause is None:
            place = end
            answers = answers or fate.answers(at)
    return place if answers else 0


def _waiting(fate: Fate) -> list[bool]:
    """By sentence: whether a later one may still decide what becomes of it."""
    count = len(fate.gone)
    waits = [False] * count
    for at in reversed(range(count)):  # what it hangs on stands behind it
        follows = _followed_by(fate, at)
        if follows is None:
            waits[at] = not fate.asked[at] or _row_goes_on(fate, at)
        else:
            stays = any(fate.gone[k] is None and not waits[k] for k in follows)
            open_ = max(at + 1, follows.stop) >= count or any(waits[k] for k in follows)
            waits[at] = not stays and open_
    return waits


def _followed_by(fate: Fate, at: int) -> range | None:
    """The sentences that one needs behind it, as far as they are there; None when it needs none."""
    if fate.is_lead(at):
        return fate.body(at)
    if fate.said(at) is ClaimKind.QUESTION:
        return range(at + 1, min(at + 2, len(fate.gone)))
    number = fate.layout.block_of[at]
    if fate.level(number):
        return fate.section(number)
    return None


def _torn(fate: Fate, at: int) -> bool:
    """Whether a mark beside what goes may yet get its partner, and then has to stay."""
    block, sentences = fate.block(at), fate.layout.sentences
    hull = Span(sentences[block.first].start, len(fate.answer))
    return block.last == len(fate.gone) and unclosed(fate.answer, hull)


def _row_goes_on(fate: Fate, at: int) -> bool:
    """Whether more of a table's row may follow, with which all of it goes."""
    block = fate.block(at)
    rest = fate.answer[fate.layout.sentences[block.last - 1].end :]
    return block.kind == "row" and block.last == len(fate.gone) and "\n" not in rest
