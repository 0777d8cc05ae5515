"""Office files of the parts that are read, small enough to stand in a test."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def packed(parts: Mapping[str, str]) -> bytes:
    """The archive of these parts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


def relations(targets: Mapping[str, str]) -> str:
    """A part that names others: kind -> where it is. Names are r0, r1, ... in order.

    What stands behind a "#" in a kind only sets two of one kind apart.
    """
    listed = "".join(
        f"<Relationship Id='r{k}' Type='{RELATIONS}/{kind.partition('#')[0]}' Target='{target}'/>"
        for k, (kind, target) in enumerate(targets.items())
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f"<Relationships xmlns='{space}'>{listed}</Relationships>"
