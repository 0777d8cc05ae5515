"""What is asked for each claim -> which sentences and clauses of an answer go.

Those that are asked for, and those that cannot stand without them: what belongs to an item, a
lead-in or heading with nothing behind it, "It" without what it means. And how the sentences have
to begin that lose the one before them. Nothing is edited yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from halgo.delivery import wording
from halgo.delivery.cutting import Cut, cuts
from halgo.delivery.layout import Block, Layout, layout
from halgo.delivery.rule import Action
from halgo.sources.chunks import BOLD_LEVEL
from halgo.types import Claim, ClaimKind, Span, Verdict

_REACH = 4  # sentences; as far as claims/context.py looks back
_TAGS = re.compile(r"(?:</?[A-Za-z][^<>]{0,300}>\s*)+")
_CITED = re.compile(r"(?:\[\d{1,3}(?:,\s?\d{1,3})*\]\s*)+")
_DETERMINER = re.compile(r"^(?:the|an?|this|these)\s")
# Kinds of sentences that do not make an answer by themselves: a call to act is none either.
NO_ANSWER = frozenset(
    {
        ClaimKind.GREETING,
        ClaimKind.META,
        ClaimKind.HEADING,
        ClaimKind.FRAGMENT,
        ClaimKind.QUESTION,
        ClaimKind.INSTRUCTION,
    }
)


# "*Excludes VAT." under "59*"; "*all* of it" and "**Note:** ..." are no footnotes.
_NOTE = re.compile(
    r"(?P<mark>\*(?!\*)(?![^*\n]*[^\s*]\*)|[\u2020\u2021\u00b9\u00b2\u00b3\u2070-\u2079])\s?(?=[^\W\d_])"
)
_STEPS = re.compile(
    r"\b(?:steps?|items?|points?|options?|numbers?|no\.)\s#?"
    r"(?P<numbers>\d{1,3}(?:(?:,? (?:and|or|to|through) |, |\s?[\u2013-]\s?)\d{1,3}\b)*)",
    re.IGNORECASE,
)


def _told_steps(text: str) -> set[int]:
    """The numbers of the steps that a text speaks of: "step 3", "steps 2 and 4", "steps 2-4"."""
    found: set[int] = set()
    for told in _STEPS.finditer(text):
        numbers = [int(number) for number in re.findall(r"\d+", told["numbers"])]
        span = re.search(r"to|through|[\u2013-]", told["numbers"]) is not None
        found.update(range(numbers[0], numbers[-1] + 1) if span else numbers)
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim, or a sentence that is not checked, with what is asked for it.

    The claim's spans are in the answer. verdict: None where it was not checked. doubted: words in
    lower case that no other sentence may take over from it. rests_on: the sentence of a source that
    tells most of it.
    """

    claim: Claim
    action: Action
    verdict: Verdict | None
    reason: str
    doubted: frozenset[str] = frozenset()
    rests_on: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something goes; claim_id None where it follows from other claims."""

    claim_id: int | None
    reason: str


@dataclass(slots=True)
class Head:
    """How the beginning of a sentence changes; places in the answer."""

    start: int
    drop: int = 0
    the: int = 0
    mention: wording.Mention | None = None
    within: Span | None = None


class Fate:
    """Which sentences of an answer go, which clauses, and how the others have to begin.

    By sentence: gone says why it goes, cuts what is cut out of it, heads how it begins. colons:
    sentences whose colon leads nowhere. reach: how many sentences a claim covers.
    """

    def __init__(self, answer: str, asked: Sequence[Asked]) -> None:
        self.answer = answer
        self.layout: Layout = layout(answer)
        count = len(self.layout.sentences)
        self.asked: list[list[Asked]] = [[] for _ in range(count)]
        self.reach: dict[int, int] = {}
        for one in asked:
            touched = self.layout.touched(one.claim.span)
            self.reach[one.claim.id] = len(touched)
            for at in touched:
                self.asked[at].append(one)
        self.gone: list[Cause | None] = [None] * count
        self.cuts: dict[int, list[Cut]] = {}
        self.heads: dict[int, Head] = {}
        self.colons: set[int] = set()
        self.doubted: set[str] = set()
        self._strip()
        passes = (
            self._parts_of_items,
            self._rows_and_citations,
            self._broken_openings,
            self._footnotes_and_steps,
            self._empty_leads,
            self._open_questions,
            self._empty_headings,
        )
        while any([settle() for settle in passes]):
            pass

    @property
    def left(self) -> bool:
        """Whether a sentence stays that says something to whoever asked."""
        return any(cause is None and self.answers(at) for at, cause in enumerate(self.gone))

    def answers(self, at: int) -> bool:
        """Whether a sentence says something to whoever asked."""
        return self.said(at) not in NO_ANSWER

    def _strip(self) -> None:
        """Take out what is asked for: whole sentences, or clauses where the rest stands."""
        for at, asked in enumerate(self.asked):
            stripped = [one for one in asked if one.action is Action.STRIP]
            for one in stripped:
                self.doubted |= one.doubted
            if not stripped:
                continue
            sentence = self.layout.sentences[at]
            found = None
            if len(stripped) < len(asked) and self._kind(at) in ("paragraph", "item"):
                gone = [one.action is Action.STRIP for one in asked]
                found = cuts(self.answer, sentence, [one.claim for one in asked], gone)
            if found is None:
                self.gone[at] = Cause(stripped[0].claim.id, stripped[0].reason)
            else:
                self.cuts[at] = found

    def block(self, at: int) -> Block:
        """The block of a sentence."""
        return self.layout.blocks[self.layout.block_of[at]]

    def _kind(self, at: int) -> str:
        return self.block(at).kind

    def text(self, at: int) -> str:
        """A sentence as it stands in the answer."""
        return self.layout.sentences[at].of(self.answer)

    def begins(self, at: int) -> int:
        """Where a sentence begins behind the HTML tags that open it."""
        span = self.layout.sentences[at]
        tags = _TAGS.match(self.answer, span.start, span.end)
        return tags.end() if tags else span.start

    def head(self, at: int) -> Head:
        """How a sentence begins."""
        return self.heads.get(at) or Head(self.begins(at))

    def said(self, at: int) -> ClaimKind | None:
        """What a sentence is; None where the report says nothing of it."""
        return self.asked[at][0].claim.kind if self.asked[at] else None

    def all_gone(self, sentences: range) -> bool:
        return bool(sentences) and all(self.gone[at] is not None for at in sentences)

    def _leave_out(self, sentences: Iterable[int], reason: str) -> bool:
        """Let sentences go; returns whether any was still there."""
        changed = False
        for at in sentences:
            if self.gone[at] is None:
                self.gone[at] = Cause(
                    self.asked[at][0].claim.id if self.asked[at] else None, reason
                )
                self.cuts.pop(at, None)
                self.heads.pop(at, None)
                changed = True
        return changed

    def _parts_of_items(self) -> bool:
        """What belongs to an item that is gone would be read as part of the one before."""
        changed = False
        for number, block in enumerate(self.layout.blocks):
            if block.kind == "item" and self.all_gone(range(block.first, block.last)):
                for part in self.layout.descendants(number):
                    inner = self.layout.blocks[part]
                    changed |= self._leave_out(
                        range(inner.first, inner.last), "The item it belongs to is left out."
                    )
        return changed

    def _rows_and_citations(self) -> bool:
        """The rest of a table's row, and a citation mark that stands alone behind its sentence."""
        changed = False
        for block in self.layout.blocks:
            sentences = range(block.first, block.last)
            if block.kind == "row" and any(self.gone[at] for at in sentences):
                changed |= self._leave_out(sentences, "The rest of its row is left out.")
            for at in sentences[1:]:
                if self.gone[at - 1] and _CITED.fullmatch(self.text(at)):
                    changed |= self._leave_out(range(at, at + 1), "It cites for what is left out.")
        return changed

    def _broken_openings(self) -> bool:
        """Sentences that lean on one that is gone: mended, or let go as well."""
        changed = False
        self.heads = {}
        for at in range(1, len(self.gone)):
            if self.gone[at] is not None or self._kind(at) not in ("paragraph", "item"):
                continue
            head = self._head(at)
            if head is None:
                reason = "It refers to a sentence that is left out."
                changed |= self._leave_out(range(at, at + 1), reason)
            else:
                self.heads[at] = head
        return changed

    def _footnotes_and_steps(self) -> bool:
        """A footnote whose mark is gone, and what speaks of a step that is."""
        changed = False
        steps, kept = self._numbers()
        for at in range(len(self.gone)):
            if self.gone[at] is not None:
                continue
            span = self.layout.sentences[at]
            note = _NOTE.match(self.answer, span.start, max(span.end, self.block(at).lines.end))
            text = self.text(at)
            if note and self._unmarked(note["mark"], at):
                reason = "What its mark stands at is left out."
                changed |= self._leave_out(range(at, at + 1), reason)
            elif (_told_steps(text) - kept) & steps:
                reason = "It speaks of a step that is left out."
                changed |= self._leave_out(range(at, at + 1), reason)
        return changed

    def _unmarked(self, mark: str, end: int) -> bool:
        """Whether of the sentences before `end` only such have the mark of a note as are gone."""
        use = re.compile(rf"[\w%.)]{re.escape(mark)}(?!\*)")
        found = [self.gone[k] is not None for k in range(end) if use.search(self.text(k))]
        return bool(found) and all(found)

    def _numbers(self) -> tuple[set[int], set[int]]:
        """The numbers of the items that are gone, and of those that stay."""
        gone: set[int] = set()
        kept: set[int] = set()
        for block in self.layout.blocks:
            if block.number is not None and not block.number.letter:
                left_out = self.all_gone(range(block.first, block.last))
                (gone if left_out else kept).add(block.number.value)
        return gone, kept

    def _head(self, at: int) -> Head | None:
        """How a sentence begins now; None when it cannot stand."""
        start = self.begins(at)
        head = Head(start)
        block = self.layout.sentences[self.block(at).first].start
        if wording.quoted(self.answer[block:start]):
            return head
        claim = self.asked[at][0].claim if self.asked[at] else None
        found = wording.mention(claim) if claim is not None and claim.kind.checked else None
        if found is not None:
            inside = wording.quoted(self.answer[block : found.span.start])
            found = None if inside else found
        if found is not None and self._antecedent_gone(at, found.put):
            if not self._is_doubted(found.put) and self._is_sure(at, found.put):
                head.mention = found
            elif wording.is_pronoun(found.span.of(self.answer)):
                return None
        pair = wording.is_pair(self.answer[start : self.layout.sentences[at].end])
        if pair and any(self.gone[back] for back in range(max(0, at - 2), at)):
            return None
        if not self._follows_gone(at):
            return head
        text = self.answer[start : self.layout.sentences[at].end]
        cited = _CITED.match(text)
        skip = cited.end() if cited and cited.end() < len(text) else 0
        told = wording.opening(text[skip:], found is not None)
        if not told.stands:
            return None
        head.drop, head.the = skip + told.drop, told.the
        head.within = told.within and told.within.shift(start + skip)
        return head

    def _follows_gone(self, at: int) -> bool:
        """Whether the sentence that this one would lean on is gone."""
        if self.gone[at - 1] is None:
            return False
        block, before = self.layout.block_of[at], self.layout.block_of[at - 1]
        if block == before:
            return True
        if self.layout.blocks[block].kind == "item":
            return False
        kind = self.layout.blocks[before].kind
        if kind == "item":
            return self.all_gone(self._list_before(before))
        return kind == "paragraph"

    def _list_before(self, number: int) -> range:
        """The sentences of the list that ends with block `number`."""
        first = number
        blocks = self.layout.blocks
        while first and (blocks[first - 1].kind == "item" or blocks[first - 1].parent is not None):
            first -= 1
        return range(blocks[first].first, blocks[number].last)

    def _antecedent_gone(self, at: int, put: str) -> bool:
        """Whether the sentence that a reference points to is gone, and none next to it says so."""
        needle = re.sub(r"^(?:the|an?|this|these)\s|'s?$", "", put.casefold())
        missed, adjacent = False, True
        for back in range(at - 1, max(-1, at - 1 - _REACH), -1):
            head = self.heads.get(back)
            text = self.text(back).casefold()
            named = needle in text or bool(head and head.mention and head.mention.put == put)
            if self.gone[back] is not None:
                missed |= named
                continue
            if named:
                return missed and not adjacent
            adjacent = False
        return missed or self.gone[at - 1] is not None

    def _is_sure(self, at: int, put: str) -> bool:
        """Whether a pronoun surely stands for `put`: the subject of a sentence that is gone.

        And the sentence that supports what is said names it too, where there is one: else it may
        be somebody else of whom it is true.
        """
        needle = _DETERMINER.sub("", put.casefold())
        needle = re.sub(r"['\u2019]s?$", "", needle)
        if re.search(r"['\u2019]s\b|\bof\b", needle):
            return False

        def begins(text: str) -> bool:
            joined = wording.OPENING.match(text)
            bare = text[joined.end() if joined else 0 :].lstrip("*_ ").casefold()
            return re.match(rf"{re.escape(needle)}\b", _DETERMINER.sub("", bare)) is not None

        back = range(max(0, at - _REACH), at)
        if not any(self.gone[k] and begins(self.text(k)) for k in back):
            return False
        told = self.asked[at][0].rests_on.casefold() if self.asked[at] else ""
        named = re.search(rf"\b{re.escape(needle)}\b", told) is not None
        alone = " " not in put.strip()
        return not told or (begins(told) if alone else named)

    def _is_doubted(self, put: str) -> bool:
        """Whether what a pronoun stands for repeats what was wrong or is found nowhere."""
        told = re.findall(r"\w+", put.casefold())
        return any(word in self.doubted or word[0].isdigit() for word in told)

    def _empty_leads(self) -> bool:
        """A lead-in with nothing behind it goes; of one that is a claim only the colon does."""
        changed = False
        for at in range(len(self.gone)):
            if self.gone[at] is not None or not self.is_lead(at):
                continue
            if not self.all_gone(self.body(at)):
                continue
            kind = self.said(at)
            if kind is not None and kind.checked:
                self.colons.add(at)
            else:
                changed |= self._leave_out(range(at, at + 1), "Nothing is left that it leads to.")
        return changed

    def is_lead(self, at: int) -> bool:
        """Whether a sentence leads to what follows: it ends in a colon."""
        return self.text(at).rstrip("*_ ").endswith(":")

    def body(self, at: int) -> range:
        """The sentences that a lead-in leads to."""
        number = self.layout.block_of[at]
        blocks = self.layout.blocks
        if at + 1 < blocks[number].last:
            return range(at + 1, blocks[number].last)
        end = number + 1
        if blocks[number].kind == "item":
            end = self.layout.descendants(number).stop
        elif end < len(blocks) and blocks[end].kind in ("item", "row"):
            kind = blocks[end].kind
            while end < len(blocks) and (
                blocks[end].kind == kind or blocks[end].parent is not None
            ):
                end += 1
        elif end < len(blocks) and blocks[end].kind in ("paragraph", "code"):
            end += 1
        inner = blocks[number + 1 : end]
        return range(inner[0].first, inner[-1].last) if inner else range(0)

    def _open_questions(self) -> bool:
        """A question whose answer is gone."""
        changed = False
        for at in range(len(self.gone) - 1):
            if self.gone[at] is not None or self.said(at) is not ClaimKind.QUESTION:
                continue
            block = self.block(at)
            answer = range(at + 1, block.last)
            if not answer and block.last - block.first == 1:
                after = self.block(at + 1)
                answer = range(after.first, after.last) if after.kind == "paragraph" else answer
            answered = answer and self.gone[answer[0]] is None
            if answer and not answered:
                changed |= self._leave_out(range(at, at + 1), "Its answer is left out.")
        return changed

    def _empty_headings(self) -> bool:
        """Headings whose section is gone, the innermost first."""
        changed = False
        blocks = self.layout.blocks
        end_of: list[tuple[int, int]] = []  # (level, block) of the headings behind
        for number in range(len(blocks) - 1, -1, -1):
            level = self.level(number)
            if not level:
                continue
            end = next((b for other, b in reversed(end_of) if other <= level), len(blocks))
            end_of.append((level, number))
            kind = self.said(blocks[number].first)
            sentences = self._sentences(number + 1, end)
            if self.all_gone(sentences) and kind is not None and not kind.checked:
                changed |= self._leave_out(
                    range(blocks[number].first, blocks[number].last),
                    "Nothing is left under this heading.",
                )
        return changed

    def section(self, number: int) -> range:
        """The sentences under the heading that block `number` is."""
        level, end = self.level(number), number + 1
        while end < len(self.layout.blocks) and not 0 < self.level(end) <= level:
            end += 1
        return self._sentences(number + 1, end)

    def _sentences(self, first: int, end: int) -> range:
        """The sentences of the blocks from `first` up to `end`."""
        blocks = [block for block in self.layout.blocks[first:end] if block.first < block.last]
        return range(blocks[0].first, blocks[-1].last) if blocks else range(0)

    def level(self, number: int) -> int:
        """Of a heading, 1 to 7; 0 for other blocks. A line of its own in bold is one too."""
        block = self.layout.blocks[number]
        if block.level or block.last - block.first != 1 or block.kind != "paragraph":
            return block.level if block.last > block.first else 0
        text = self.text(block.first).rstrip("*_ ")
        is_heading = self.said(block.first) is ClaimKind.HEADING and not text.endswith(":")
        return BOLD_LEVEL if is_heading else 0
