"""What a policy asks of each claim -> edits of the answer that leave it grammatical.

What goes is taken out with its line, its list mark or the space beside it; what stays is mended
(a connective, a pronoun, a number, a pair of marks) or hedged. Nothing else of the answer changes,
not by a byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.delivery import wording
from halgo.delivery.cutting import balanced
from halgo.delivery.fate import Asked, Cause, Fate, Head
from halgo.delivery.layout import Block, blank_after, blank_before, renumbered
from halgo.delivery.policy import Policy
from halgo.delivery.rule import SEVERITY, Action
from halgo.types import Claim, Span, Verdict

_BLANK_BEFORE = re.compile(r"(?:\r\n|[\n\r])(?P<line>[ \t>]*(?:\r\n|[\n\r]))\Z")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: the answer's `span`, which read `before`, reads `after`.

    claim_id: the claim it is made for; None where it follows from the others (a heading that has
    lost its section, the number of an item).
    """

    span: Span
    action: Action
    before: str
    after: str
    claim_id: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Edited:
    """The edits in order, none overlapping, and whether anything is left that answers."""

    edits: tuple[Edit, ...]
    left: bool

    def of(self, answer: str) -> str:
        """The answer with the edits made."""
        return applied(answer, self.edits)


def applied(answer: str, edits: Sequence[Edit]) -> str:
    """The answer with the edits made, from its end backwards."""
    for edit in reversed(edits):
        answer = answer[: edit.span.start] + edit.after + answer[edit.span.end :]
    return answer


def edited(fate: Fate, policy: Policy, sources: Sequence[str]) -> Edited:
    """The edits that strip and hedge what is asked for.

    sources: what the claims were held against, to tell names from common words.
    """
    editor = _Editor(fate, policy, sources)
    found = [*editor.removals(), *editor.numbers(), *editor.beginnings(), *editor.ends()]
    return Edited(_apart(found), fate.left)


class _Editor:
    def __init__(self, fate: Fate, policy: Policy, sources: Sequence[str]) -> None:
        self.fate, self.policy, self.sources = fate, policy, sources
        self.answer, self.layout = fate.answer, fate.layout

    # -- how they go ------------------------------------------------------------------------------

    def removals(self) -> Iterator[Edit]:
        """Whole lines of what is gone as a block, the rest sentence by sentence."""
        whole = [self.fate.all_gone(range(block.first, block.last)) for block in self.layout.blocks]
        yield from self.lines(whole)
        for block, left_out in zip(self.layout.blocks, whole, strict=True):
            if not left_out:
                yield from self.within(block)

    def lines(self, whole: Sequence[bool]) -> Iterator[Edit]:
        """The lines of the blocks that go, with blank lines so that one is left between blocks."""
        ranges: list[list[tuple[Span, int | None]]] = []
        blocks = self.layout.blocks
        kept = {b.table for b, left_out in zip(blocks, whole, strict=True) if not left_out}
        headers = {block.table for block in blocks if block.table} - kept
        for block, left_out in zip(blocks, whole, strict=True):
            if not left_out:
                continue
            parts: list[tuple[Span, int | None]] = [(block.lines, block.first)]
            if block.table in headers and block.table is not None:
                headers.discard(block.table)
                parts.insert(0, (Span(block.table.start, block.lines.start), None))
            last = ranges[-1][-1][0].end if ranges else -1
            start = parts[0][0].start
            if start < last:  # shares its line with the block before
                continue
            if ranges and blank_after(self.answer, last) >= start:
                ranges[-1][-1] = (Span(ranges[-1][-1][0].start, start), ranges[-1][-1][1])
                ranges[-1] += parts
            else:
                ranges.append(parts)
        for parts in ranges:
            yield from self.line_edits(parts)

    def line_edits(self, parts: list[tuple[Span, int | None]]) -> Iterator[Edit]:
        answer = self.answer
        start, end = parts[0][0].start, parts[-1][0].end
        after = blank_after(answer, end)
        blank = _BLANK_BEFORE.search(answer, max(0, start - 200), start)
        apart = blank is not None or not answer[:start].strip(" \t\r\n>")
        if after >= len(answer):
            # The last of the text: what parted it from the rest goes, a final line break stays.
            kept = blank_before(answer, start)
            broke = re.search(r"(?:\r\n|[\n\r])$", answer)
            end = broke.start() if broke and kept else len(answer)
            start = min(kept, start)
        elif blank and ">" in blank["line"] and ">" not in answer[end:after]:
            start = blank.start("line")  # the last of a quotation
        elif apart:
            end = after
        parts[0] = (Span(start, parts[0][0].end), parts[0][1])
        parts[-1] = (Span(parts[-1][0].start, end), parts[-1][1])
        for span, first in parts:
            if first is None:
                yield self.edit(span, "", Cause(None, "No row of the table is left."))
                continue
            block = self.fate.block(first)
            at = span.start
            for sentence in range(block.first, block.last):
                more = sentence + 1 < block.last
                stop = self.layout.sentences[sentence + 1].start if more else span.end
                yield self.edit(Span(at, stop), "", self.fate.gone[sentence])
                at = stop

    def within(self, block: Block) -> Iterator[Edit]:
        """Sentences and clauses out of a block of which something stays."""
        sentences = self.layout.sentences
        found: list[tuple[Span, str, Cause | None]] = []
        kept = False
        for at in range(block.first, block.last):
            cause = self.fate.gone[at]
            if cause is None:
                kept = True
                for cut in self.fate.cuts.get(at, ()):
                    one = next(o for o in self.fate.asked[at] if o.claim.id == cut.claim)
                    found.append((cut.span, cut.after, Cause(cut.claim, one.reason)))
            elif kept:
                found.append((Span(sentences[at - 1].end, sentences[at].end), "", cause))
            else:
                found.append((Span(sentences[at].start, sentences[at + 1].start), "", cause))
        if not found:
            return
        hull = Span(
            sentences[block.first].start, max(sentences[block.last - 1].end, block.lines.end)
        )
        deleted = [span for span, _, _ in found]
        openings, stay, go = balanced(self.answer, hull, deleted)
        for span, after, cause in found:
            marks = [mark for mark in stay if span.start <= mark.start and mark.end <= span.end]
            before = "".join(m.of(self.answer) for m in marks if m not in openings)
            behind = "".join(m.of(self.answer) for m in marks if m in openings)
            yield self.edit(span, before + after + behind, cause)
        for mark in go:
            yield self.edit(mark, "", Cause(None, "Nothing is left between its marks."))

    def numbers(self) -> Iterator[Edit]:
        """Lists count on without what is left out, unless the text speaks of their numbers."""
        if re.search(
            r"\b(?:steps?|items?|points?|options?|numbers?|no\.)\s#?\d",
            self.answer,
            re.IGNORECASE,
        ):
            return
        gone = [self.fate.all_gone(range(b.first, b.last)) for b in self.layout.blocks]
        for number, value in renumbered(self.layout, gone):
            yield self.edit(
                number.span, number.shown(value), Cause(None, "An item before it is left out.")
            )

    def edit(
        self, span: Span, after: str, cause: Cause | None, action: Action = Action.STRIP
    ) -> Edit:
        cause = cause or Cause(None, "")
        before = span.of(self.answer)
        return Edit(span, action, before, after, cause.claim_id, cause.reason)

    # -- how the others begin and end -------------------------------------------------------------

    def beginnings(self) -> Iterator[Edit]:
        """Connectives dropped, references put in full, hedges led in."""
        words = wording.Vocabulary.of((self.answer, *self.sources)) if self.hedges() else None
        for at in range(len(self.layout.sentences)):
            if self.fate.gone[at] is not None:
                continue
            head = self.fate.head(at)
            hedge = self.lead(at, head)
            yield from self.beginning(at, head, hedge, words)
            if head.within is not None:
                yield self.edit(head.within, "", Cause(None, "What it joins is left out."))

    def hedges(self) -> bool:
        return any(one.action is Action.HEDGE for asked in self.fate.asked for one in asked)

    def lead(self, at: int, head: Head) -> tuple[Asked, str, bool] | None:
        """The claim to hedge, the wording that leads it, and whether that stands apart."""
        one = self.hedged_whole(at)
        if one is None or _is_elliptical(one.claim):
            return None
        text = self.answer[head.start + head.drop : self.layout.sentences[at].end]
        joined = None if head.drop else wording.OPENING.match(text)
        text = text[joined.end() :] if joined else text
        yes = wording.YES.match(text)
        opened = self.answer[self.layout.sentences[at].start : head.start].lower()
        kind = "item" if "<li" in opened else self.fate.block(at).kind
        form = wording.hedged_by(text[yes.end() :] if yes else text, kind)
        several = self.fate.reach[one.claim.id] > 1
        if form == "mark" or (several and self.layout.touched(one.claim.span).start != at):
            return None
        lead, _ = self.policy.wording(one.verdict or Verdict.HALLUCINATION)
        if form == "apart" or several or one.verdict is None:
            return one, wording.apart(lead), True
        return one, lead, False

    def hedged_whole(self, at: int) -> Asked | None:
        """The claim for which a whole sentence is hedged; None when none, or only a part, is."""
        asked = self.fate.asked[at]
        hedged = [one for one in asked if one.action is Action.HEDGE]
        if not hedged or at in self.fate.cuts or self.says_so(at):
            return None
        same = {one.verdict for one in hedged}
        return hedged[0] if len(hedged) == len(asked) and len(same) == 1 else None

    def says_so(self, at: int) -> bool:
        """Whether a sentence carries a hedge of the policy already, for whatever verdict."""
        text = self.fate.text(at).casefold()
        for verdict in SEVERITY:
            lead, mark = self.policy.wording(verdict)
            for words in (lead.strip(), wording.apart(lead).strip(), mark):
                if words.casefold() in text:
                    return True
        return False

    def beginning(
        self,
        at: int,
        head: Head,
        hedge: tuple[Asked, str, bool] | None,
        words: wording.Vocabulary | None,
    ) -> Iterator[Edit]:
        answer, end = self.answer, self.layout.sentences[at].end
        start = head.start
        body = start + head.drop
        lead = hedge[1] if hedge else ""
        if hedge and not head.drop:
            joined = wording.OPENING.match(answer[start:end])
            if joined:
                start = body = start + joined.end()
                lead = lead[0].lower() + lead[1:]
        if hedge and (yes := wording.YES.match(answer, body, end)):
            body = yes.end()
        place = wording.first_word(answer, body, end) or Span(body, body)
        put = place.of(answer)
        mention = head.mention
        if mention is not None and mention.span.start != place.start:
            yield self.edit(mention.span, mention.put, self.follows(at))
        elif mention is not None:
            place, put = mention.span, mention.put
        elif head.the:
            place, put = Span(body, body + head.the), "The"
        if hedge and not hedge[2] and words is not None and not lead.rstrip().endswith(":"):
            first = put.split(" ")[0]
            put = words.lowered(first) + put[len(first) :]
        elif start == head.start:
            put = wording.raised(put) if head.drop or head.the or mention else put
        after = lead + answer[body : place.start] + put
        span = Span(start, place.end)
        if span.of(answer) != after:
            if hedge:
                cause = Cause(hedge[0].claim.id, hedge[0].reason)
                yield self.edit(span, after, cause, Action.HEDGE)
            else:
                yield self.edit(span, after, self.follows(at))

    def follows(self, at: int) -> Cause:
        claim = self.fate.asked[at][0].claim.id if self.fate.asked[at] else None
        return Cause(claim, "What it refers to is left out.")

    def ends(self) -> Iterator[Edit]:
        """Hedges behind what no wording can lead, and full stops for colons that lead nowhere."""
        for at, sentence in enumerate(self.layout.sentences):
            if self.fate.gone[at] is not None:
                continue
            if at in self.fate.colons:
                colon = self.answer.rindex(":", sentence.start, sentence.end)
                yield self.edit(
                    Span(colon, colon + 1), ".", Cause(None, "What it leads to is left out.")
                )
            hedged = [one for one in self.fate.asked[at] if one.action is Action.HEDGE]
            if not hedged or self.says_so(at):
                continue
            block = self.fate.block(at)
            if block.kind == "code":
                before = range(block.first, at)
                if not any(o.action is Action.HEDGE for k in before for o in self.fate.asked[k]):
                    yield self.mark_below(hedged[0], block)
                continue
            if self.hedged_whole(at) is not None:
                led = self.lead(at, self.fate.head(at))
                if led is None and self.fate.reach[hedged[0].claim.id] == 1:
                    yield self.mark(hedged[0], wording.before_stop(self.answer, sentence))
                continue
            for one in hedged:
                end = wording.before_stop(self.answer, one.claim.span)
                yield self.mark(one, min(end, wording.before_stop(self.answer, sentence)))

    def mark_below(self, one: Asked, block: Block) -> Edit:
        """A mark on the line below a block of code, which is copied as it stands."""
        last = self.answer[: block.lines.end].splitlines(keepends=True)[-1]
        indent = last[: len(last) - len(last.lstrip(" \t>"))]
        begun = "" if last.endswith(("\n", "\r")) else "\n"
        _, mark = self.policy.wording(one.verdict or Verdict.HALLUCINATION)
        at = Span(block.lines.end, block.lines.end)
        return self.edit(
            at, f"{begun}{indent}{mark}\n", Cause(one.claim.id, one.reason), Action.HEDGE
        )

    def mark(self, one: Asked, at: int) -> Edit:
        _, mark = self.policy.wording(one.verdict or Verdict.HALLUCINATION)
        cause = Cause(one.claim.id, one.reason)
        return self.edit(Span(at, at), f" {mark}", cause, Action.HEDGE)


def _apart(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits in order; of two that overlap the one that takes out more stays."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.before == edit.after:
            continue
        if found and edit.span.start < found[-1].span.end:
            if len(edit.span) > len(found[-1].span):
                found[-1] = edit
            continue
        found.append(edit)
    return tuple(found)


def _is_elliptical(claim: Claim) -> bool:
    """Whether words of a claim are those of its question: "... confirm that Yes." is no clause."""
    own = claim.reading.pieces
    return any(
        all(word.end() <= piece.at or piece.at + len(piece.span) <= word.start() for piece in own)
        for word in re.finditer(r"\w+", claim.reading.text)
    )


def shifted(claim: Claim, by: int) -> Claim:
    """A claim whose spans are moved: from its own text to its place in the answer."""
    if not by:
        return claim
    pieces = tuple(replace(piece, span=piece.span.shift(by)) for piece in claim.reading.pieces)
    reading = replace(claim.reading, pieces=pieces)
    return replace(claim, span=claim.span.shift(by), reading=reading)
