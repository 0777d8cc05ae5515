from __future__ import annotations

import pytest
from small_docx import docx, run
from small_office import packed
from small_pdf import Placed, placed

from halgo import Checker
from halgo.facts.numerals import numeral
from halgo.sources.readers import read_bytes
from halgo.sources.sentences import split

PAGE = (
    '<p>Revenue was $45<sup>2</sup> million. It employs 12<sup><a href="#f3">3</a></sup> chemists.'
    "</p>"
)


def text_of(name: str, data: str | bytes) -> str:
    return read_bytes(data if isinstance(data, bytes) else data.encode(), name)[0].text


def words(text: str) -> list[str]:
    return [sentence.reading.text for sentence in split(text)]


@pytest.mark.parametrize(
    "html, text",
    [
        (PAGE, "Revenue was $45² million. It employs 12³ chemists."),
        ("<p>10<sup>6</sup> people, 10<sup>-3</sup> m</p>", "10⁶ people, 10⁻³ m"),
        ("<p>5 m<sup>2</sup></p>", "5 m²"),
        ("<p>CO<sub>2</sub> and C<sub>max</sub></p>", "CO₂ and Cmax"),
        ("<p>the 1<sup>st</sup> of 45<sup>*</sup>, 7<sup>†</sup></p>", "the 1st of 45*, 7†"),
        ("<p>12<sup>[3]</sup> chemists</p>", "12[3] chemists"),
        ("<p>12<sup>3, 4</sup> chemists</p>", "12³, ⁴ chemists"),
        ("<sub>About 300 employees.</sub>", "About 300 employees."),
        ("<p>12<sup>3</p><p>4</sup> chemists</p>", "123\n\n4 chemists"),
        ("<table><tr><th>Seats<sup>1</sup></th></tr><tr><td>45<sup>2</sup></td></tr></table>",
         "| Seats¹ |\n| --- |\n| 45² |"),
    ],
)  # fmt: skip
def test_digits_that_a_page_sets_high_or_low_are_written_so(html: str, text: str) -> None:
    assert text_of("a.html", html) == text


def test_digits_that_office_files_set_high_or_low_are_written_so() -> None:
    high, low = (
        f'<w:rPr><w:vertAlign w:val="{place}"/></w:rPr>' for place in ("superscript", "subscript")
    )
    body = (
        f"<w:p>{run('It employs 12')}<w:r>{high}<w:t>3</w:t></w:r>{run(' chemists and emits CO')}"
        f"<w:r>{low}<w:t>2</w:t></w:r>{run('; see 4')}<w:r>{high}<w:t>[</w:t></w:r>"
        f"<w:r>{high}<w:t>5</w:t></w:r><w:r>{high}<w:t>]</w:t></w:r></w:p>"
    )
    assert text_of("a.docx", docx(body)) == "It employs 12³ chemists and emits CO₂; see 4[5]"


def test_digits_that_an_open_document_sets_high_are_written_so() -> None:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "style")
    )
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>"
        '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/>'
        '</style:style><style:style style:name="T2"><style:text-properties '
        'style:text-position="0% 100%"/></style:style></office:automatic-styles><office:body>'
        '<office:text><text:p>It has 12<text:span text:style-name="T1">3</text:span> and '
        '1<text:span text:style-name="T2">4</text:span> rooms</text:p></office:text></office:body>'
        "</office:document-content>"
    )
    data = packed({"content.xml": content, "META-INF/manifest.xml": "<manifest/>"})
    assert text_of("a.odt", data) == "It has 12³ and 14 rooms"


def test_smaller_digits_above_the_line_of_a_pdf_are_written_so() -> None:
    line: list[Placed] = [(50, 700, "It employs 12"), (115, 708, "3"), (122, 700, " chemists.")]
    large = ("It employs 12", " chemists.")
    assert words(text_of("a.pdf", placed([line], large))) == ["It employs 12 ³ chemists."]
    far: list[Placed] = [(50, 700, "It employs 12"), (400, 708, "3")]
    assert "³" not in text_of("a.pdf", placed([far], large))


@pytest.mark.parametrize(
    "text, read",
    [
        ("It has 12<sup>3</sup> rooms of 5 m<sup>2</sup>.", "It has 12 ³ rooms of 5 m²."),
        ("It has 12<sup>[3](#n3)</sup> rooms.", "It has 12 ³ rooms."),
        ("It has 12<sup>[3]</sup> rooms.", "It has 12[3] rooms."),
        ("It has 12³ rooms; 5² = 25.", "It has 12 ³ rooms; 5 ² = 25."),
        ("<sub>All 300 rooms.</sub>", "All 300 rooms."),
        ("Write `12³`.", "Write 12 ³."),
    ],
)
def test_what_is_set_high_behind_a_number_is_read_as_no_digit_of_it(text: str, read: str) -> None:
    assert words(text) == [read]


@pytest.mark.parametrize("written, value", [("10⁶", 10**6), ("10²", 100), ("12", 12)])
def test_ten_with_raised_digits_is_a_power(written: str, value: int) -> None:
    found = numeral(written)
    assert found is not None and found.value == value


def test_a_footnote_s_mark_is_no_digit_of_the_number_before_it() -> None:
    document, _ = read_bytes(PAGE.encode(), "a.html")
    claims = [
        ("It employs 12 chemists.", True),
        ("It employs 123 chemists.", False),
        ("Revenue was $45 million.", True),
        ("Revenue was $452 million.", False),
    ]
    results = Checker.from_docs(document).check_claims([claim for claim, _ in claims])
    assert [result.verdict.value == "SUPPORTED" for result in results] == [
        true for _, true in claims
    ]


def test_a_power_of_ten_is_its_value() -> None:
    checker = Checker.from_docs("The clinic treated 10⁶ people.")
    right, wrong = checker.check_claims(
        ["The clinic treated a million people.", "The clinic treated 106 people."]
    )
    assert right.verdict.value == "SUPPORTED" and wrong.verdict.value == "CONTRADICTION"
