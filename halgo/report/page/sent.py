"""What a gate made of the answer -> the view "as it may be sent", with each change and why.

Takes the plain values of a decision (`Decision.to_dict()`): the gate stands behind the report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from halgo.report.page.flow import Inline, flow, leaves
from halgo.report.page.markup import Overlay, element, text
from halgo.report.page.text_blocks import laid_out
from halgo.types import Span

_ACTIONS = {
    "pass": "It may be sent as it is.",
    "hedge": "It may be sent with what is not confirmed marked as such.",
    "strip": "It may be sent without what the documents do not support.",
    "escalate": "A person has to look at it before it is sent.",
    "block": "It may not be sent; this is shown instead.",
}


def sent_view(decision: Mapping[str, Any], claims: Collection[int] | None = None) -> str:
    """The text that may be shown, what was put into it marked, and the list of changes.

    claims: numbers of those that have a card on the page, to link to; None: all. A sentence that
    was not checked has none, and may be changed all the same.
    """
    shown, edits = str(decision["text"]), list(decision.get("edits") or ())
    replaced = bool(decision.get("replaced"))
    action = str(decision["action"])
    said = _ACTIONS.get(action, "")
    if replaced and action == "strip":
        said = "Nothing that answers is left of it; this is shown instead."
    elif action == "strip" and any(edit["action"] == "hedge" for edit in edits):
        said = "It may be sent with some of it taken out, and some marked as not confirmed."
    policy = str(decision.get("policy", ""))
    named = f' <span class="quiet">policy {text(policy)}: {text(action)}</span>' if policy else ""
    overlay = Overlay([] if replaced else [(span, True) for span in _put_in(edits)])

    def inline(items: Inline) -> str:
        html = []
        for item in items:
            if isinstance(item, str):
                html.append(item)
                continue
            for part in overlay.parts(item):
                words = text(part.span.of(shown))
                html.append(f"<ins>{words}</ins>" if part.on else words)
        return "".join(html)

    blocks = (
        "\n".join(leaves(list(flow(laid_out(shown), inline))))
        or '<p class="quiet">Nothing is left.</p>'
    )
    changes = [] if replaced else [change for edit in edits for change in _change(edit, claims)]
    listed = "".join(f"<li>{change}</li>" for change in changes)
    return "\n".join(
        [
            f'<p class="verdict-line">{text(said)}{named}</p>',
            f'<div class="text">{blocks}</div>',
            f'<h3>What was changed</h3><ul class="changes">{listed}</ul>' if changes else "",
            _reasons(decision) if replaced else "",
        ]
    )


def _put_in(edits: list[Mapping[str, Any]]) -> Iterator[Span]:
    """Where in the new text the words stand that the old one did not have."""
    moved = 0
    for edit in sorted(edits, key=lambda one: list(one["span"])):
        start, end = edit["span"]
        before, after = str(edit["before"]), str(edit["after"])
        if after.strip() and len(after) > len(before):
            yield Span(start + moved, start + moved + len(after))
        moved += len(after) - (end - start)


def _change(edit: Mapping[str, Any], claims: Collection[int] | None) -> Iterator[str]:
    """A change in words; numbers of a list that count on are none to tell."""
    before, after = str(edit["before"]).strip(), str(edit["after"]).strip()
    number = edit.get("claim_id")
    if number is None and not any(map(str.isalpha, before + after)):
        return
    words = f'<del dir="auto">{text(before)}</del>' if before else ""
    if after:
        words += f' <ins dir="auto">{text(after)}</ins>'
    why = f'<br><span class="quiet">{text(str(edit.get("reason") or ""))}</span>'
    link = ""
    if number is not None and (claims is None or number in claims):
        link = element("a", f"claim {number}", href=f"#c{number}", data_to=str(number)) + ": "
    yield f"{link}{words}{why if edit.get('reason') else ''}"


def _reasons(decision: Mapping[str, Any]) -> str:
    reasons = "".join(f'<li dir="auto">{text(str(one))}</li>' for one in decision["reasons"])
    return f'<h3>Why</h3><ul class="changes">{reasons}</ul>' if reasons else ""
