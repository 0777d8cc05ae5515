"""Clauses out of a sentence, so that the rest still stands; and marks that belong together.

What stays of a sentence are stretches of it as they are: its first clauses, or its subject with a
later clause. Where that gives no sentence, the answer is None and the whole sentence has to go.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from halgo.types import Claim, Span

_JOINT = re.compile(
    r"[\s*_~]*[,;]?\s*(?:(?P<and>and|but|while|whereas|yet|so|then)\b(?:\s+(?:also|then)\b)?)?"
    r"[\s*_~]*",
    re.IGNORECASE,
)
_ASIDE = re.compile(r",\s*(?:which|who)\s+$")
_SOLID = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of the answer and what stands there instead; `claim` is the one it is cut for."""

    span: Span
    after: str
    claim: int


def cuts(
    answer: str, sentence: Span, claims: Sequence[Claim], gone: Sequence[bool]
) -> list[Cut] | None:
    """How to take the claims that are `gone` out of a sentence; None where the rest cannot stand.

    claims: those of the sentence in order, their spans and readings in the answer.
    """
    order = sorted(range(len(claims)), key=lambda k: (claims[k].span.start, -claims[k].span.end))
    claims = [claims[k] for k in order]
    gone = [gone[k] for k in order]
    if all(gone) or not any(gone):
        return None
    nested = [k for k in range(1, len(claims)) if claims[k].span.end <= claims[k - 1].span.end]
    if nested:
        return _asides(answer, claims, gone, nested)
    if any(b.span.start < a.span.end for a, b in pairwise(claims)):
        return None
    first = gone.index(False)
    found = _later(answer, claims, gone, first)
    if found is None or first == 0:
        return found
    head = _head(answer, sentence, claims, first)
    return None if head is None else [*head, *found]


def _asides(
    answer: str, claims: Sequence[Claim], gone: Sequence[bool], nested: Sequence[int]
) -> list[Cut] | None:
    """Cuts of ", which ...," out of the clause that stays."""
    found: list[Cut] = []
    for k, left_out in enumerate(gone):
        if not left_out:
            continue
        whole = claims[k - 1].span
        if k not in nested or gone[k - 1]:
            return None
        before = _ASIDE.search(answer, whole.start, claims[k].span.start)
        if before is None:
            return None
        end = claims[k].span.end
        found.append(
            Cut(Span(before.start(), end + (answer[end : end + 1] == ",")), "", claims[k].id)
        )
    return found


def _gap(answer: str, before: Claim, after: Claim) -> re.Match[str] | None:
    """What joins two clauses; None where they are not joined as equals."""
    return _JOINT.fullmatch(answer, before.span.end, after.span.start)


def _later(
    answer: str, claims: Sequence[Claim], gone: Sequence[bool], first: int
) -> list[Cut] | None:
    """Cuts of clauses behind the first that stays, each with what joins it to the one before."""
    kept = [k for k in range(first, len(claims)) if not gone[k]]
    found: list[Cut] = []
    for k in range(first + 1, len(claims)):
        before = claims[k - 1]
        joint = answer[before.span.end : claims[k].span.start]
        aside = _ASIDE.fullmatch(joint)
        if not _gap(answer, before, claims[k]) and not aside:
            return None
        if gone[k]:
            found.append(Cut(Span(before.span.end, claims[k].span.end), "", claims[k].id))
            continue
        borrowed = [piece.span for piece in claims[k].reading.pieces[:-1]]
        lost = [claims[j].span for j in range(first, k) if gone[j]]
        if any(piece.overlaps(span) for piece in borrowed for span in lost):
            return None  # its subject would go with the clause that has it
        if not _SOLID.search(joint) and "," not in joint and ";" not in joint and gone[k - 1]:
            return None  # "across 12 sites" hangs on what goes
    return found + _rejoined(answer, claims, gone, kept)


def _rejoined(
    answer: str, claims: Sequence[Claim], gone: Sequence[bool], kept: Sequence[int]
) -> list[Cut]:
    """The joint before the last clause that stays, made right: "A, B, and C" -> "A and B"."""
    if len(kept) < 2:
        return []
    last = kept[-1]
    joint = _gap(answer, claims[last - 1], claims[last])
    if joint is None:
        return []
    text = joint.group()
    place = Span(joint.start(), joint.end())
    word = next(
        (
            found["and"]
            for k in range(last + 1, len(claims))
            if (found := _gap(answer, claims[k - 1], claims[k])) and found["and"]
        ),
        None,
    )
    ran_on = text.strip() == "," and word is not None
    shared = len(claims[last].reading.pieces) > 1
    comma = len(kept) == 2 and shared and text.startswith(",") and joint["and"]
    if not ran_on and not comma:
        return []
    cause = next(claim.id for claim, left_out in zip(claims, gone, strict=True) if left_out)
    return [Cut(place, f" {joint['and'] or word} ", cause)]


def _head(answer: str, sentence: Span, claims: Sequence[Claim], first: int) -> list[Cut] | None:
    """Cuts before the first clause that stays, but for the subject that it borrows."""
    claim = claims[first]
    joint = answer[claims[first - 1].span.end : claim.span.start]
    joined = _gap(answer, claims[first - 1], claim)
    if joined is None or not joint.strip():
        return None
    own = [piece.span for piece in claim.reading.pieces]
    if any(a.end > b.start for a, b in pairwise(own)) or own[0].start < sentence.start:
        return None
    if not any(claim.span.start <= span.start for span in own):
        return None
    cause = claims[0].id
    found: list[Cut] = []
    at = sentence.start
    for span in own:
        if span.start >= claim.span.end:
            break
        between = answer[at : span.start]
        if _SOLID.search(between):
            lead = len(between) - len(between.lstrip()) if at > sentence.start else 0
            glue = " " if at > sentence.start else ""
            found.append(Cut(Span(at, at + lead + len(between) - lead), glue, cause))
        at = span.end
    start = own[0].start
    letter = answer[start : start + 1]
    if start > sentence.start and letter.islower():
        found.append(Cut(Span(start, start + 1), letter.upper(), cause))
    return found


# --- marks that belong together -------------------------------------------------------------------

_MARK = re.compile(
    r"\\.|(\*{1,3}|_{1,3}|~~|`{1,3})|(!?\[)(?=[^\[\]\n]{0,300}\]\()|(\]\([^()\s]*\))"
    r"|<(?P<ends>/?)(?P<tag>[A-Za-z][A-Za-z0-9-]{0,20})(?:\s[^<>]{0,300})?(?<!/)>"
)
_VOID = frozenset({"br", "hr", "img", "wbr", "input", "area", "source", "track", "col"})


def pairs(text: str, span: Span) -> list[tuple[Span, Span]]:
    """The opening and closing marks within a block: emphasis, code, links, HTML elements."""
    return _marks(text, span)[0]


def unclosed(text: str, span: Span) -> bool:
    """Whether a mark within a block has no partner yet."""
    return _marks(text, span)[1]


def _marks(text: str, span: Span) -> tuple[list[tuple[Span, Span]], bool]:
    """The pairs of marks, and whether any is left that waits for its partner."""
    found: list[tuple[Span, Span]] = []
    waiting: list[tuple[str, Span]] = []
    for mark in _MARK.finditer(text, span.start, span.end):
        place = Span(mark.start(), mark.end())
        before = text[mark.start() - 1 : mark.start()] if mark.start() > span.start else " "
        after = text[mark.end() : mark.end() + 1] or " "
        tag = (mark["tag"] or "").lower()
        run = mark[1] or ("[" if mark[2] or mark[3] else f"<{tag}" if tag else "")
        if not run or tag in _VOID:
            continue
        in_code = bool(waiting) and waiting[-1][0].startswith("`")
        if in_code and run != waiting[-1][0]:
            continue
        partner = next((k for k in reversed(range(len(waiting))) if waiting[k][0] == run), None)
        if tag:
            if not mark["ends"]:
                waiting.append((run, place))
            elif partner is not None:
                found.append((waiting[partner][1], place))
                del waiting[partner:]
        elif mark[2] or (partner is None and not mark[3] and not after.isspace()):
            # "59*." has the mark of a footnote
            if not (before.isalnum() and (run[0] == "_" or not after.isalnum())):
                waiting.append((run, place))
        elif partner is not None:
            closes = run[0] in "[`" or not before.isspace()
            if closes and (run[0] != "_" or not after.isalnum()):
                found.append((waiting[partner][1], place))
                del waiting[partner:]
    return sorted(found), bool(waiting)


def balanced(
    text: str, block: Span, deleted: Sequence[Span]
) -> tuple[frozenset[Span], tuple[Span, ...], tuple[Span, ...]]:
    """What to do with the marks of a block when `deleted` goes.

    Returns the opening marks and then all marks that stay though they are in a deleted stretch,
    and those that go though they are in none: their partner goes with all that is between.
    """
    openings: set[Span] = set()
    stay: list[Span] = []
    go: list[Span] = []
    holes = _merged(deleted)
    for first, last in pairs(text, block):
        gone = [_inside(mark, holes) for mark in (first, last)]
        if _all_gone(text, Span(first.end, last.start), holes):
            go += (mark for mark, left in zip((first, last), gone, strict=True) if not left)
        elif any(gone):
            stay += (mark for mark, left in zip((first, last), gone, strict=True) if left)
            openings.add(first)
    return frozenset(openings), tuple(sorted(stay)), tuple(sorted(go))


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, those that touch made one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _inside(mark: Span, holes: Sequence[Span]) -> bool:
    at = bisect_right(holes, mark.start, key=_start) - 1
    return at >= 0 and mark.end <= holes[at].end


def _all_gone(text: str, span: Span, holes: Sequence[Span]) -> bool:
    """Whether some of a stretch goes and nothing readable of it stays."""
    k = max(0, bisect_right(holes, span.start, key=_start) - 1)
    at, touched = span.start, False
    while k < len(holes) and holes[k].start < span.end:
        if holes[k].end > span.start:
            touched = True
            if _SOLID.search(text, at, max(at, holes[k].start)):
                return False
            at = max(at, holes[k].end)
        k += 1
    return touched and not _SOLID.search(text, min(at, span.end), span.end)


def _start(span: Span) -> int:
    return span.start
