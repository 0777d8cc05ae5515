"""Sentences -> a PDF of so many pages, as a company's filing is: lines of one width, page numbers.

Just enough of the format for a reader: one font of those that every reader knows, nothing packed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

_WIDTH, _LINES = 95, 44  # characters of a line, lines of a page


def pages_of(sentences: Sequence[str]) -> list[list[str]]:
    """The lines of each page, a blank one between paragraphs of five sentences."""
    lines: list[str] = []
    for at in range(0, len(sentences), 5):
        lines += [*textwrap.wrap(" ".join(sentences[at : at + 5]), _WIDTH), ""]
    return [lines[at : at + _LINES] for at in range(0, len(lines), _LINES)]


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """The pages as a PDF."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        shown = "\n".join(f"({_escaped(line)}) Tj T*" for line in [*lines, "", str(number + 1)])
        content = f"BT /F1 10 Tf 14 TL 60 770 Td\n{shown}\nET".encode("latin-1", "replace")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    made = bytearray(b"%PDF-1.4\n")
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
    end += f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return bytes(made + end.encode())


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
