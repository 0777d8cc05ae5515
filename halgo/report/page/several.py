"""Reports of several answers -> one page: a table of all, and below it each answer with its claims.

It loads nothing; where a page of one report leads to its documents, the cards here quote the
passages. It stays small, whatever comes: the worst reports find room first, the others are named in
the table alone, and only what is shown is kept while they come.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from halgo.report.located import Unread
from halgo.report.marks import summary
from halgo.report.page import assets
from halgo.report.page.answer import answer
from halgo.report.page.cards import cards
from halgo.report.page.charts import verdict_bar
from halgo.report.page.flow import scrolling
from halgo.report.page.markup import element, text
from halgo.report.page.render import skipped, warnings_on, whole
from halgo.report.page.verdict_looks import WORST_FIRST, Look, look, look_of
from halgo.types import ClaimResult, Verdict

if TYPE_CHECKING:
    from halgo.report.failing import FailOn
    from halgo.report.located import Located

T = TypeVar("T")

MOST_ROWS = 5_000  # answers in the table
MOST_CHARACTERS = 8_000_000  # of the reports below it, as HTML
_ELSEWHERE = "--format jsonl has all of them, and a check of one answer its whole page."
_LONGEST_CLAIM = 160
_NAMES = re.compile(r' (id|aria-describedby|aria-labelledby)="([^"]+)"| href="#([^"]+)"')
_OUTCOMES = {
    True: ("supported", "✓", "passed"),
    False: ("contradiction", "✗", "failed"),
    None: ("weak", "–", "not assessed"),
}
_HEADS = ("answer", "outcome", "whole answer")
# Rows of the table by what they hold at worst, for the filters; looks of what is no verdict.
_UNASSESSED = Look("unassessed", "–", "not assessed")
_UNREAD = Look("unread", "!", "not read")


def page(
    found: Iterable[Located | Unread],
    fail_on: FailOn | None = None,
    title: str | None = None,
    *,
    notes: Sequence[str] = (),
    elsewhere: str | None = None,
) -> str:
    """One file with everything in it.

    fail_on: what an answer fails for. notes: what a reader has to know of all. elsewhere: where
    the answers are that find no room.
    """
    style, script = assets.style(), assets.script("several")
    head, tail = f"<style>{style}</style>", f"<script>{script}</script>"
    shown = _shown(found, fail_on)
    return _page(shown, title, notes, elsewhere, assets.policy(style, script), head, tail)


def split(
    found: Iterable[Located | Unread],
    name: str,
    fail_on: FailOn | None = None,
    title: str | None = None,
    *,
    notes: Sequence[str] = (),
    elsewhere: str | None = None,
) -> dict[str, str]:
    """The page with style sheet and script beside it, by file name; name: without its ending."""
    css, js = f"{name}.css", f"{name}.js"
    head = element("link", "", rel="stylesheet", href=css).removesuffix("</link>")
    tail = element("script", "", src=js, defer="")
    shown = _shown(found, fail_on)
    made = _page(shown, title, notes, elsewhere, assets.SPLIT_POLICY, head, tail)
    return {f"{name}.html": made, css: assets.style(), js: assets.script("several")}


# --- what is kept of the answers while they come --------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """What the table shows of one answer; at: its place among all, from 0."""

    at: int
    name: str
    passes: bool | None
    probability: float | None
    counts: tuple[int, ...]  # as WORST_FIRST
    worst: tuple[int, Look, str] | None  # number, look and text of the claim borne out least


class _Worst(Generic[T]):
    """Of all values that come those with the least keys, as far as there is room for their sizes.

    A key is how urgent an answer is, the least first, and its place among all.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._kept: list[tuple[int, int, int, T]] = []  # a heap, the greatest key on top
        # Nothing behind what once found no room is kept, so that the order of coming is no matter.
        self._least_left: tuple[int, int] | None = None

    def wants(self, key: tuple[int, int]) -> bool:
        """Whether a value of that key may be among them."""
        return self._least_left is None or key < self._least_left

    def add(self, key: tuple[int, int], size: int, value: T) -> None:
        if not self.wants(key):
            return
        heapq.heappush(self._kept, (-key[0], -key[1], size, value))
        self._room -= size
        while self._room < 0:
            rank, at, size, _ = heapq.heappop(self._kept)
            self._room += size
            self._least_left = (-rank, -at)

    def values(self) -> dict[int, T]:
        """Those that are kept, by their places, in order."""
        return {-at: value for _, at, _, value in sorted(self._kept, key=lambda one: -one[1])}


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the page shows: rows and sections in order of the answers, and counts of all.

    outcomes: how many passed, failed, were not assessed; verdicts: how many claims of each.
    """

    rows: tuple[_Row, ...]
    sections: dict[int, str]
    unread: tuple[Unread, ...]
    outcomes: Counter[bool | None]
    verdicts: Counter[Verdict]
    not_read: int

    @property
    def answers(self) -> int:
        return self.outcomes.total() + self.not_read


def _shown(found: Iterable[Located | Unread], fail_on: FailOn | None) -> _Shown:
    rows, sections = _Worst[_Row](MOST_ROWS), _Worst[str](MOST_CHARACTERS)
    unread: list[Unread] = []
    outcomes: Counter[bool | None] = Counter()
    verdicts: Counter[Verdict] = Counter()
    not_read = 0
    for at, one in enumerate(found):
        if isinstance(one, Unread):
            not_read += 1
            if not_read <= MOST_ROWS:
                unread.append(one)
            continue
        passes = one.passes(fail_on)
        outcomes[passes] += 1
        verdicts.update(one.report.counts)
        # Those that failed are what the page is opened for, the worst of them before all.
        key = (_rank(one, fail_on) if passes is False else len(WORST_FIRST), at)
        rows.add(key, 1, _row_of(one, passes, at))
        if sections.wants(key):
            section = _section(one, at)
            sections.add(key, len(section), section)
    kept = rows.values()
    below = {at: made for at, made in sections.values().items() if at in kept}
    return _Shown(tuple(kept.values()), below, tuple(unread), outcomes, verdicts, not_read)


def _rank(found: Located, fail_on: FailOn | None) -> int:
    """How urgent an answer that fails is: the place in WORST_FIRST of the claim it fails for."""
    failing = (one.verdict for one in found.report if found.fails(one, fail_on))
    return min(map(WORST_FIRST.index, failing))


def _row_of(found: Located, passes: bool | None, at: int) -> _Row:
    report = found.report
    counts = report.counts
    return _Row(
        at,
        found.name,
        passes,
        report.probability,
        tuple(counts[verdict] for verdict in WORST_FIRST),
        _worst_of(report.results),
    )


def _worst_of(results: Sequence[ClaimResult]) -> tuple[int, Look, str] | None:
    """The claim that is borne out least, where one is not supported."""
    bad = [one for one in results if one.verdict is not Verdict.SUPPORTED]
    if not bad:
        return None
    worst = min(bad, key=lambda one: (WORST_FIRST.index(one.verdict), one.score))
    said = worst.claim.text
    return worst.claim.id, look_of(worst), said[: _LONGEST_CLAIM + 1]


# --- the page -------------------------------------------------------------------------------------


def _page(
    shown: _Shown,
    title: str | None,
    notes: Sequence[str],
    elsewhere: str | None,
    policy: str,
    head: str,
    tail: str,
) -> str:
    title = title or f"Check of {shown.answers:,} answers"
    inner = "\n".join(
        [
            _header(title, shown, notes),
            '<main><section class="pane" id="all" aria-labelledby="all-title">'
            '<h2 id="all-title">All answers</h2>',
            _filters(shown),
            _table(shown),
            _left_out(shown, elsewhere),
            "</section>",
            *shown.sections.values(),
            "</main>",
        ]
    )
    return whole(f"{title}: {_counted(shown)}", policy, head, inner, tail, "several")


def _header(title: str, shown: _Shown, notes: Sequence[str]) -> str:
    said = "".join(f'<li dir="auto">{text(note)}</li>' for note in notes)
    listed = f'<ul class="note" aria-label="Notes">{said}</ul>' if said else ""
    return (
        f'<header class="bar"><div class="head"><p class="mark">halgo</p><h1>{text(title)}</h1>'
        f'</div>\n<div class="sum"><p class="summary">{text(_counted(shown))}</p>'
        '<p class="meant">whole answer: how probably the sources support all of it, from 0 to 1'
        f"</p></div>\n{verdict_bar(shown.verdicts)}{listed}</header>"
    )


def _counted(shown: _Shown) -> str:
    """How many passed: "1 passed, 2 failed"."""
    counts = [(shown.outcomes[one], word) for one, (_, _, word) in _OUTCOMES.items()]
    counts.append((shown.not_read, "not read"))
    return ", ".join(f"{count:,} {word}" for count, word in counts if count) or "no answers"


def _filters(shown: _Shown) -> str:
    """What the script looks for answers with: words, and what they hold at worst."""
    counts = Counter(_at_worst(row) for row in shown.rows)
    counts[_UNREAD] = len(shown.unread)
    looks = (*map(look, WORST_FIRST), _UNASSESSED, _UNREAD)
    buttons = "".join(
        f'<button type="button" class="chip {one.name}" data-filter="{one.name}" '
        f'aria-pressed="true"><span aria-hidden="true">{one.symbol}</span> {counts[one]:,} '
        f"{text(one.word)}</button>"
        for one in looks
        if counts[one]
    )
    return (
        '<div class="filters" data-js hidden role="group" aria-label="Which answers are shown">'
        f'{buttons}<label class="choice">find <input type="search" id="find"></label>'
        '<p class="quiet" id="said" role="status"></p></div>'
    )


def _at_worst(row: _Row) -> Look:
    """Under which filter a row comes: the worst verdict in it."""
    if row.passes is None:
        return _UNASSESSED
    return look(next(one for one, n in zip(WORST_FIRST, row.counts, strict=True) if n))


def _table(shown: _Shown) -> str:
    verdicts = (look(verdict).word for verdict in WORST_FIRST)
    heads = (*_HEADS, *verdicts, "worst claim")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    lines = [_row(row, row.at in shown.sections) for row in shown.rows]
    width = len(heads) - 2
    lines += [
        f'<tr data-worst="{_UNREAD.name}"><td><bdi>{text(one.name)}</bdi></td>'
        f"<td>{_chip('hallucination', '!', 'not read')}</td>"
        f'<td colspan="{width}" dir="auto">{text(one.reason)}</td></tr>'
        for one in shown.unread
    ]
    made = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return scrolling(made)


def _row(row: _Row, linked: bool) -> str:
    name = f"<bdi>{text(row.name)}</bdi>"
    if linked:
        name = element("a", name, href=f"#r{row.at}")
    counts = "".join(f"<td>{count or ''}</td>" for count in row.counts)
    return (
        f'<tr data-worst="{_at_worst(row).name}"><td>{name}</td>'
        f"<td>{_chip(*_OUTCOMES[row.passes])}</td>"
        f"<td>{'–' if row.probability is None else f'{row.probability:.2f}'}</td>{counts}"
        f'<td dir="auto">{_worst(row, linked)}</td></tr>'
    )


def _worst(row: _Row, linked: bool) -> str:
    if row.worst is None:
        return ""
    number, seen, said = row.worst
    more = " …" if len(said) > _LONGEST_CLAIM else ""
    shown = text(said[:_LONGEST_CLAIM]) + more
    if linked:
        shown = element("a", shown, href=f"#r{row.at}-c{number}")
    return f"{_chip(seen.name, seen.symbol, seen.word)} {shown}"


def _chip(name: str, symbol: str, word: str) -> str:
    return f'<span class="chip {name}"><span aria-hidden="true">{symbol}</span> {text(word)}</span>'


def _section(found: Located, at: int) -> str:
    """One answer and its claims; its names begin with "r" and its number, as each stands once."""
    report = found.report
    asked = f'<p class="asked" dir="auto">{text(found.question)}</p>\n' if found.question else ""
    inner = "\n".join(
        [
            f'<div class="text">{asked}{answer(report, ())}{skipped(report)}</div>',
            f'<div class="cards">{cards(report, frozenset(), labels=False)}</div>',
        ]
    )
    return (
        f'<section class="pane one" id="r{at}" aria-labelledby="r{at}-title">'
        f'<h2 id="r{at}-title"><bdi>{text(found.name)}</bdi></h2>\n'
        f'<p class="quiet">{text(summary(report))} · <a href="#all">all answers</a></p>\n'
        f'{warnings_on(report)}<div class="both">{_prefixed(inner, f"r{at}-")}</div></section>'
    )


def _prefixed(html: str, prefix: str) -> str:
    """The same with other names. Text of users holds no quotation mark, so it is left as it is."""

    def named(found: re.Match[str]) -> str:
        if found[3] is not None:
            return f' href="#{prefix}{found[3]}"'
        names = " ".join(prefix + name for name in found[2].split())
        return f' {found[1]}="{names}"'

    return _NAMES.sub(named, html)


def _left_out(shown: _Shown, elsewhere: str | None) -> str:
    rows = shown.outcomes.total() - len(shown.rows)
    sections = len(shown.rows) - len(shown.sections)
    said = []
    if rows:
        said.append(f"{rows:,} answers, the least urgent, are not in this table.")
    if shown.not_read > len(shown.unread):
        more = shown.not_read - len(shown.unread)
        said.append(f"{more:,} more answers that were not read are not in this table.")
    if sections:
        said.append(f"{sections:,} answers are in the table alone, to keep the page small.")
    if not said:
        return ""
    return f'<p class="note">{text(" ".join([*said, elsewhere or _ELSEWHERE]))}</p>'
