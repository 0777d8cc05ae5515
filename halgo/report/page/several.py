"""Reports of several answers -> one page: a table of all, and below it each answer with its claims.

It loads nothing and runs nothing; where a page of one report leads to its documents, the cards here
quote the passages. It stays small: reports that find no room are named in the table alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from halgo.report.marks import summary
from halgo.report.page import assets
from halgo.report.page.answer import answer
from halgo.report.page.cards import cards
from halgo.report.page.charts import verdict_bar
from halgo.report.page.flow import scrolling
from halgo.report.page.markup import element, text
from halgo.report.page.render import skipped, warnings_on, whole
from halgo.report.page.verdict_looks import WORST_FIRST, look, look_of
from halgo.types import ClaimResult, Verdict

if TYPE_CHECKING:
    from halgo.report.failing import FailOn
    from halgo.report.located import Located

MOST_ROWS = 5_000  # answers in the table
MOST_CHARACTERS = 8_000_000  # of the reports below it, as HTML
_LONGEST_CLAIM = 160
_NAMES = re.compile(r' (id|aria-describedby|aria-labelledby)="([^"]+)"| href="#([^"]+)"')
_OUTCOMES = {
    True: ("supported", "✓", "passed"),
    False: ("contradiction", "✗", "failed"),
    None: ("weak", "–", "not assessed"),
}
_HEADS = ("answer", "outcome", "whole answer")


def page(
    reports: Sequence[Located],
    fail_on: FailOn | None = None,
    unread: Sequence[tuple[str, str]] = (),
    title: str | None = None,
) -> str:
    """One file with everything in it.

    fail_on: what an answer fails for. unread: name and reason of each answer without a report.
    """
    head = f"<style>{assets.style()}</style>"
    return _page(reports, fail_on, unread, title, assets.policy(assets.style()), head)


def split(
    reports: Sequence[Located],
    name: str,
    fail_on: FailOn | None = None,
    unread: Sequence[tuple[str, str]] = (),
    title: str | None = None,
) -> dict[str, str]:
    """The page with its style sheet beside it, by file name; name: of both, without its ending."""
    css = f"{name}.css"
    head = element("link", "", rel="stylesheet", href=css).removesuffix("</link>")
    made = _page(reports, fail_on, unread, title, assets.SPLIT_POLICY, head)
    return {f"{name}.html": made, css: assets.style()}


def _page(
    reports: Sequence[Located],
    fail_on: FailOn | None,
    unread: Sequence[tuple[str, str]],
    title: str | None,
    policy: str,
    head: str,
) -> str:
    title = title or f"Check of {len(reports) + len(unread):,} answers"
    outcomes = [one.passes(fail_on) for one in reports]
    # Those that failed are what the page is opened for, so they find room first.
    urgent = sorted(range(len(reports)), key=lambda at: (outcomes[at] is not False, at))
    rows = sorted(urgent[:MOST_ROWS])
    sections: dict[int, str] = {}
    room = MOST_CHARACTERS
    for at in urgent[:MOST_ROWS]:
        made = _section(reports[at], at)
        if len(made) > room:
            break
        sections[at] = made
        room -= len(made)
    inner = "\n".join(
        [
            _header(title, reports, outcomes, unread),
            '<main><section class="pane" id="all" aria-labelledby="all-title">'
            '<h2 id="all-title">All answers</h2>',
            _table(reports, outcomes, unread, rows, sections.keys()),
            _left_out(len(reports) - len(rows), len(rows) - len(sections)),
            "</section>",
            *(sections[at] for at in sorted(sections)),
            "</main>",
        ]
    )
    return whole(f"{title}: {_counted(outcomes, unread)}", policy, head, inner, "", "several")


def _header(
    title: str,
    reports: Sequence[Located],
    outcomes: Sequence[bool | None],
    unread: Sequence[tuple[str, str]],
) -> str:
    counts = {verdict: sum(one.report.counts[verdict] for one in reports) for verdict in Verdict}
    return (
        f'<header class="bar"><div class="head"><p class="mark">halgo</p><h1>{text(title)}</h1>'
        f'</div>\n<div class="sum"><p class="summary">{text(_counted(outcomes, unread))}</p>'
        '<p class="meant">whole answer: how probably the sources support all of it, from 0 to 1'
        f"</p></div>\n{verdict_bar(counts)}</header>"
    )


def _counted(outcomes: Sequence[bool | None], unread: Sequence[object]) -> str:
    """How many passed: "1 passed, 2 failed"."""
    counts = [(outcomes.count(one), word) for one, (_, _, word) in _OUTCOMES.items()]
    counts.append((len(unread), "not read"))
    return ", ".join(f"{count:,} {word}" for count, word in counts if count) or "no answers"


def _table(
    reports: Sequence[Located],
    outcomes: Sequence[bool | None],
    unread: Sequence[tuple[str, str]],
    rows: Iterable[int],
    linked: Iterable[int],
) -> str:
    verdicts = (look(verdict).word for verdict in WORST_FIRST)
    heads = (*_HEADS, *verdicts, "worst claim")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    there = frozenset(linked)
    lines = [_row(reports[at], outcomes[at], at, at in there) for at in rows]
    width = len(heads) - 2
    lines += [
        f"<tr><td><bdi>{text(name)}</bdi></td><td>{_chip('hallucination', '!', 'not read')}</td>"
        f'<td colspan="{width}" dir="auto">{text(why)}</td></tr>'
        for name, why in unread[:MOST_ROWS]
    ]
    made = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return scrolling(made)


def _row(found: Located, passes: bool | None, at: int, linked: bool) -> str:
    report = found.report
    name = f"<bdi>{text(found.name)}</bdi>"
    if linked:
        name = element("a", name, href=f"#r{at}")
    probability = report.probability
    counts = "".join(f"<td>{report.counts[verdict] or ''}</td>" for verdict in WORST_FIRST)
    return (
        f"<tr><td>{name}</td><td>{_chip(*_OUTCOMES[passes])}</td>"
        f"<td>{'–' if probability is None else f'{probability:.2f}'}</td>{counts}"
        f'<td dir="auto">{_worst(report.results, at, linked)}</td></tr>'
    )


def _worst(results: Sequence[ClaimResult], at: int, linked: bool) -> str:
    """The claim that is borne out least, where one is not supported."""
    bad = [one for one in results if one.verdict is not Verdict.SUPPORTED]
    if not bad:
        return ""
    worst = min(bad, key=lambda one: (WORST_FIRST.index(one.verdict), one.score))
    seen, said = look_of(worst), worst.claim.text
    more = " …" if len(said) > _LONGEST_CLAIM else ""
    shown = text(said[:_LONGEST_CLAIM]) + more
    if linked:
        shown = element("a", shown, href=f"#r{at}-c{worst.claim.id}")
    return f"{_chip(seen.name, seen.symbol, seen.word)} {shown}"


def _chip(name: str, symbol: str, word: str) -> str:
    return f'<span class="chip {name}"><span aria-hidden="true">{symbol}</span> {text(word)}</span>'


def _section(found: Located, at: int) -> str:
    """One answer and its claims; its names begin with "r" and its number, as each stands once."""
    report = found.report
    inner = "\n".join(
        [
            f'<div class="text">{answer(report, ())}{skipped(report)}</div>',
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


def _left_out(rows: int, sections: int) -> str:
    said = []
    if rows:
        said.append(f"{rows:,} answers, of those that did not fail, are not in this table.")
    if sections:
        said.append(f"{sections:,} answers are in the table alone, to keep the page small.")
    if not said:
        return ""
    where = "--format jsonl has all of them, and a check of one answer its whole page."
    return f'<p class="note">{text(" ".join([*said, where]))}</p>'
