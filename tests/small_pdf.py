"""PDFs of lines of text, small enough to stand in a test."""

from __future__ import annotations

from collections.abc import Container, Sequence

Placed = tuple[int, int, str]  # points from the left and from the bottom, and what stands there


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A minimal PDF that shows these lines, one under the other."""
    return contents(
        [
            f"BT /F1 12 Tf 50 750 Td {' '.join(f'({line}) Tj 0 -14 Td' for line in lines)} ET"
            for lines in pages
        ]
    )


def placed(pages: Sequence[Sequence[Placed]], large: Container[str] = ()) -> bytes:
    """A PDF that shows each piece of text in its place, in this order, some in large letters."""
    return contents(
        [
            " ".join(
                f"BT /F1 {18 if text in large else 10} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET"
                for x, y, text in pieces
            )
            for pieces in pages
        ]
    )


def contents(pages: Sequence[str]) -> bytes:
    """A PDF whose pages have these contents, in the operators of a PDF."""
    kids = " ".join(f"{4 + 2 * k} 0 R" for k in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for k, stream in enumerate(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * k} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, offsets = b"%PDF-1.4\n", []
    for k, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{k} 0 obj\n{content}\nendobj\n".encode("ascii")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF".encode("ascii")
