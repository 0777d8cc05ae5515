"""Which sections a document has, one inside the other."""

from __future__ import annotations

import pytest

from halgo import Config
from halgo.claims.extract import as_claims
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.headings import spoken_of
from halgo.evidence.outline import Outline
from halgo.evidence.retrieve import retrieve
from halgo.sources.chunks import level
from halgo.sources.documents import to_documents
from halgo.types import Facts

NEWS = """# News

## 3.2.0 (2025-05-06)

### Added
Dark mode for the editor.

### Fixed
A crash on empty files.

## 3.1.0

### Added
Shortcuts for tables.
"""


@pytest.mark.parametrize(
    ("text", "heading", "found"),
    [
        ("# One", "One", 1),
        ("a\n\n### **Two**", "Two", 3),
        ("> ## Three", "Three", 2),
        ("Four\n====", "Four", None),
        ("1. Five", "Five", None),
        ("#six", "six", None),
    ],
)
def test_the_level_of_a_heading_is_that_of_its_marks(
    text: str, heading: str, found: int | None
) -> None:
    assert level(text, text.index(heading)) == found


MANUAL = """QUEUED(8)

OPTIONS
       --spool
           Directory in which jobs wait. It must
           belong to root.

       --nice
           Priority of the jobs.

       All options may be given in the settings too.

FILES
       /etc/queued.conf
           Settings.
"""


@pytest.mark.parametrize(
    ("text", "heading", "found"),
    [
        (MANUAL, "OPTIONS", 10),
        (MANUAL, "--nice", 17),
        (MANUAL, "QUEUED", None),  # what follows stands no deeper
        ("## Two\n    deeper", "Two", 2),
        ("One\n\n    deeper", "One", 10),
    ],
)
def test_a_heading_that_hangs_has_its_level_from_its_place(
    text: str, heading: str, found: int | None
) -> None:
    assert level(text, text.index(heading)) == found


def test_what_stands_deeper_is_read_with_the_headings_that_hang_over_it() -> None:
    index = build_index(to_documents([MANUAL])[0], LexicalEmbedder(), Config())
    read = [index.reading(chunk).text for chunk in index.chunks]
    assert "OPTIONS --spool Directory in which jobs wait. It must belong to root." in read
    assert "OPTIONS --nice Priority of the jobs." in read
    assert "FILES /etc/queued.conf Settings." in read
    (after,) = [chunk for chunk in index.chunks if "All options" in chunk.text]
    assert index.reading(after).text == "OPTIONS All options may be given in the settings too."
    (nice,) = [chunk for chunk in index.chunks if "Priority" in chunk.text]
    assert index.sections(nice) == (("OPTIONS", ("FILES",)), ("--nice", ("--spool",)))


def test_sections_lie_inside_one_another() -> None:
    rows = [(0, "News", 1), (1, "3.2", 2), (2, "Added", 3), (4, "Fixed", 3), (6, "3.1", 2),
            (7, "Added", 3), (9, "Loose", None)]  # fmt: skip
    outline = Outline.of(rows)
    assert outline.above(2) == (1,) and outline.above(7) == (6,)  # the title says nothing
    assert outline.above(1) == () and outline.above(9) == ()
    assert outline.beside(1) == ("3.1",) and outline.beside(2) == ("Fixed",)
    assert outline.beside(7) == ()


def test_a_passage_is_read_with_the_headings_over_it() -> None:
    index = build_index(to_documents([NEWS])[0], LexicalEmbedder(), Config())
    (chunk,) = [chunk for chunk in index.chunks if "Shortcuts" in chunk.text]
    assert index.reading(chunk).text == "3.1.0 Added Shortcuts for tables."
    assert index.heading(chunk) == "Added"
    assert index.sections(chunk) == (("3.1.0", ("3.2.0 (2025-05-06)",)), ("Added", ()))


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("Version 3.1.0 added a dark mode.", "3.1.0"),
        ("Version 3.2.0 added a dark mode.", None),
        ("The dark mode for the editor was fixed.", "Fixed"),
        ("There is a dark mode for the editor.", None),
    ],
)
def test_a_claim_that_names_the_heading_beside_speaks_of_another_section(
    claim: str, other: str | None
) -> None:
    index = build_index(to_documents([NEWS])[0], LexicalEmbedder(), Config())
    claims = as_claims([claim])
    ((*found,),) = retrieve(index, claims, [Facts()], LexicalEmbedder(), 5, 0)
    (passage,) = [one for one in found if "Dark mode" in one.reading.text]
    told = spoken_of(claims[0], passage)
    assert (told and told[1]) == other


@pytest.mark.parametrize(("heading", "told"), [("Steps", False), ("Radish", True)])
def test_what_stands_under_a_general_heading_may_be_about_what_the_claim_names(
    heading: str, told: bool
) -> None:
    text = f"## Cabbage kimchi\nKeeps for months.\n\n## {heading}\nWear gloves for the paste.\n"
    index = build_index(to_documents([text])[0], LexicalEmbedder(), Config())
    claims = as_claims(["For cabbage kimchi, wear gloves when you mix in the paste."])
    ((*found,),) = retrieve(index, claims, [Facts()], LexicalEmbedder(), 5, 0)
    (passage,) = [one for one in found if "gloves" in one.reading.text]
    assert bool(spoken_of(claims[0], passage)) is told


def test_a_word_that_begins_like_the_passages_own_heading_names_it() -> None:
    text = "## Payment\nInvoices fall due after thirty days.\n\n## Delivery\nBy van.\n"
    index = build_index(to_documents([text])[0], LexicalEmbedder(), Config())
    claims = as_claims(["After delivery the buyer has thirty days to pay the invoice."])
    ((*found,),) = retrieve(index, claims, [Facts()], LexicalEmbedder(), 5, 0)
    assert [spoken_of(claims[0], one) for one in found if "Invoices" in one.reading.text] == [None]
