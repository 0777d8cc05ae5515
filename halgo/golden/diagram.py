"""Reliability bins -> a diagram as SVG: said probability across, share supported upwards.

On the dashed line what is said holds. Written by hand: the same bins give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from halgo.golden.metrics import Bin

_SIDE, _LEFT, _TOP = 320, 56, 44  # the square, and what stands around it
_WIDTH, _HEIGHT = _LEFT + _SIDE + 24, _TOP + _SIDE + 76
_BEFORE, _AFTER = "#9aa0a6", "#1a5fb4"
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def reliability_svg(before: Sequence[Bin], after: Sequence[Bin], title: str) -> str:
    """The diagram of bins before and after a calibration; either may be empty.

    A dot is a bin, its whisker the 95 % interval of the share; grey before, blue after.
    """
    title = escape(_NOT_XML.sub("\ufffd", title))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="26" font-size="14">{title}</text>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" '
        'stroke="#5e5c64"/>',
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#5e5c64" '
        'stroke-dasharray="4 4"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts += [
            f'<text x="{_x(tick)}" y="{_TOP + _SIDE + 16}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{_LEFT - 8}" y="{_y(tick)}" text-anchor="end" '
            f'dominant-baseline="middle">{tick:g}</text>',
        ]
    middle = _LEFT + _SIDE / 2
    parts += [
        f'<text x="{middle:.1f}" y="{_TOP + _SIDE + 36}" text-anchor="middle">'
        "probability said</text>",
        f'<text x="16" y="{_TOP + _SIDE / 2:.1f}" text-anchor="middle" '
        f'transform="rotate(-90 16 {_TOP + _SIDE / 2:.1f})">share supported</text>',
        *_series(before, _BEFORE),
        *_series(after, _AFTER),
    ]
    at = _LEFT
    for name, bins, colour in (("before", before, _BEFORE), ("after", after, _AFTER)):
        if bins:
            rows = sum(part.rows for part in bins)
            y = _TOP + _SIDE + 60
            parts += [
                f'<circle cx="{at + 5}" cy="{y - 4}" r="5" fill="{colour}"/>',
                f'<text x="{at + 16}" y="{y}">{name} ({rows} rows)</text>',
            ]
            at += 150
    return "\n".join([*parts, "</svg>"]) + "\n"


def _series(bins: Sequence[Bin], colour: str) -> list[str]:
    line = " ".join(f"{_x(part.said)},{_y(part.found)}" for part in bins)
    parts = [f'<polyline points="{line}" fill="none" stroke="{colour}"/>'] if bins else []
    for part in bins:
        x = _x(part.said)
        parts += [
            f'<line x1="{x}" y1="{_y(part.low)}" x2="{x}" y2="{_y(part.high)}" '
            f'stroke="{colour}" stroke-opacity="0.4"/>',
            f'<circle cx="{x}" cy="{_y(part.found)}" r="4" fill="{colour}"/>',
        ]
    return parts


def _x(value: float) -> str:
    return f"{_LEFT + _SIDE * value:.1f}"


def _y(value: float) -> str:
    return f"{_TOP + _SIDE * (1 - value):.1f}"
