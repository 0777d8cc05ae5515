"""A small file stays small when it is read: what is repeated, unpacked, shown again is bounded."""

from __future__ import annotations

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Callable

import pytest
from small_docx import cell, docx, run

from halgo.errors import DocumentError
from halgo.sources import papers, wordfiles
from halgo.sources.ceilings import LONGEST_NAME, LONGEST_PATH, allowed, check_growth, shortened
from halgo.sources.records import stated, statements
from halgo.sources.sentences import split
from halgo.sources.spreadsheets import rows_as_lines
from halgo.sources.webpages import markdown


def read_length(text: str) -> int:
    """How many characters a model gets to see of a text."""
    return sum(len(sentence.reading.text) for sentence in split(text))


# --- what is shortened ---------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 3, 20, 21])
def test_what_is_shortened_has_the_length_asked_for_and_keeps_both_ends(most: int) -> None:
    cut = shortened("ab" * 50, most)
    assert len(cut) == most and "\u2026" in cut
    assert shortened("short", 5) == "short"


def test_growth_is_refused_with_the_name_and_what_to_do() -> None:
    check_growth(allowed(1000), 1000, "a.pdf")
    with pytest.raises(DocumentError, match=r"a\.pdf .*Split it"):
        check_growth(allowed(1000) + 1, 1000, "a.pdf")


# --- CSV -----------------------------------------------------------------------------------------


def test_rows_under_a_long_name_grow_with_the_file_and_lose_nothing() -> None:
    made = {}
    for n in (1000, 2000, 4000):
        name = "head" + "x" * 20 * n + "tail"
        text, rows, warnings = rows_as_lines(f"{name},b\n" + "v,w\n" * n)
        made[n] = len(text)
        assert text.count(name) == 1 and text.startswith(name)
        assert rows[:2] == [(0, 1), (len(name) + 2, 2)]  # the names stand in row 1
        assert text[rows[1][0] :].startswith("head")
        assert len(rows) == n + 1 and len(warnings) == 1 and "1 column name is" in warnings[0]
    assert made[4000] < 4.1 * made[1000] < 4.1 * 250_000


def test_names_are_cut_further_where_cells_of_one_letter_repeat_them() -> None:
    names = [f"How content were you with point {k} of the list?".rjust(150, "-") for k in range(99)]
    given = ",".join(names) + "\n" + ("y," * 98 + "n\n") * 600
    text, rows, warnings = rows_as_lines(given)
    assert len(text) <= allowed(len(given)) < 600 * sum(map(len, names))
    assert [number for _, number in rows] == [1] * 99 + list(
        range(2, 602)
    ) and "99 column names" in warnings[0]
    assert all(text.count(name) == 1 for name in names)
    assert text[rows[-1][0] :].count("y; ") == 98


def test_columns_stay_distinct_when_their_names_are_cut() -> None:
    names = ["a" * 300 + k + "z" * 300 for k in "bcd"]
    text, rows, _ = rows_as_lines(",".join([*names, "e"]) + "\n1,2,3,4\n")
    assert text[rows[-1][0] :] == "Column 1: 1; Column 2: 2; Column 3: 3; e: 4."


def test_a_name_as_long_as_is_repeated_stands_whole_in_each_row() -> None:
    name = "n" * LONGEST_NAME
    assert rows_as_lines(f"{name},b\n1,2\n3,4\n") == (
        f"{name}: 1; b: 2.\n\n{name}: 3; b: 4.",
        [(0, 2), (LONGEST_NAME + 12, 3)],
        [],
    )


# --- JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        lambda n: {"k" * 40 * n: [[1]] * n},
        lambda n: {"k" * 40 * n: {str(k): 1 for k in range(n)}},
        lambda n: _nested("k" * n, 90, {str(k): 1 for k in range(n)}),
    ],
    ids=["array", "object", "levels"],
)
def test_leaves_below_long_keys_grow_with_the_value(value: Callable[[int], object]) -> None:
    made = {}
    for n in (500, 1000, 2000):
        text, warnings = stated(value(n), "a.json")
        made[n] = len(text)
        assert len(warnings) == 1 and "a.json" in warnings[0] and "shortened" in warnings[0]
    assert made[2000] < 4.1 * made[500] < 4.1 * 500 * 2 * (LONGEST_PATH + 20)


def _nested(key: str, levels: int, value: object) -> object:
    for _ in range(levels):
        value = {key: value, "here": "x"}
    return value


def test_a_shortened_path_keeps_its_end() -> None:
    text = statements({"k" * 600: [{"id": 7, "status": "sent"}]})
    assert text.endswith("kkk[0].status: sent") and len(text) < 3.2 * LONGEST_PATH


def test_paths_that_would_fill_the_memory_are_refused_with_what_to_do() -> None:
    with pytest.raises(DocumentError, match=r"b\.json has paths so long .*Shorten the keys"):
        stated({"k" * 499: [[1]] * 12_000}, "b.json")


def test_what_is_nested_too_deep_to_be_read_is_told() -> None:
    assert stated(_nested("a", 100, 1), "c.json")[1] == []
    (warning,) = stated(_nested("a", 101, 1), "c.json")[1]
    assert warning == "c.json: what is nested deeper than 100 levels was left out"


def test_an_ordinary_record_has_no_warning() -> None:
    assert stated({"orders": [{"id": 1}]}, "d.json") == ("orders[0].id: 1", [])


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["|{0}|b|\n|-|-|\n{1}", "{0}|b\n-|-\n{1}"])
def test_rows_of_a_table_under_a_long_name_grow_with_the_text(form: str) -> None:
    made = {}
    for n in (500, 1000, 2000):
        made[n] = read_length(form.format("h" * 20 * n, "|x|y|\n" * n))
    assert made[2000] < 4.1 * made[500] < 4.1 * 500 * (LONGEST_NAME + 50)


def test_a_long_name_of_a_column_is_read_whole_once() -> None:
    name = "The fee that is due each month in euro " * 8
    words = [each.reading.text for each in split(f"| Plan | {name} |\n|-|-|\n| Basic | 5 |\n")]
    assert words[0] == f"Plan: {name.strip()}"
    assert words[1] == f"Plan: Basic \N{EM DASH} {name[:LONGEST_NAME].strip()}: 5"


# --- long runs of one mark -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit",
    [
        *("*", "*a", "[", "[a](", "[](", "![", "<", "<a ", "<!--", "`", "`a", "~~", "_a", "\\"),
        *(
            "&#1",
            "$",
            "$1",
            "$ab",
            "\\\\(a",
            "${",
            "\\\\a{1}",
            "|",
            "|a",
            "|a\n",
            "> ",
            "a: ",
            "[0].a: x; ",
            "a. ",
            '" ',
            "(",
            "\u200b",
        ),
    ],
)
def test_runs_of_a_mark_take_time_in_proportion(unit: str) -> None:
    proportional(lambda n: split(unit * (n // len(unit))), 10_000)


@pytest.mark.parametrize(
    "unit",
    [
        *("<table><tr><td>x", "<td>", "<ul><li>x", "<blockquote>x", "<pre>x", "<nav>", "<a ''"),
        *("<a b='c' ", "<img alt='", "&amp", "<!", "</p", "<title>x", "<h1>x", "x<br>"),
    ],
)
def test_runs_of_a_tag_take_time_in_proportion(unit: str) -> None:
    proportional(lambda n: markdown(unit * (n // len(unit))), 20_000)


def proportional(work: Callable[[int], object], n: int) -> None:
    """Four times as much takes about four times as long: below ten, with time for the clock.

    The best of three measurements counts: a busy machine only ever makes one longer.
    """
    work(100)  # what is loaded on first use
    took = {n: float("inf"), 4 * n: float("inf")}
    for _ in range(3):
        for size, before in took.items():
            begun = time.process_time()
            work(size)
            took[size] = min(before, time.process_time() - begun)
        if took[4 * n] < 10 * took[n] + 0.2:
            return
    pytest.fail(f"{n}: {took[n]:.2f} s, four times as much: {took[4 * n]:.2f} s")


@pytest.mark.parametrize(
    "text",
    [
        lambda n: f"+---+\n| a |\n+---+\n|{'a|' * n}\n" + "||\n" * n,
        lambda n: "<script>a</script>\n" * n,
    ],
    ids=["drawn", "hidden"],
)
def test_lines_of_cells_and_of_scripts_take_time_in_proportion(text: Callable[[int], str]) -> None:
    proportional(lambda n: list(split(text(n))), 2000)


def test_groups_within_a_cell_of_a_page_take_time_in_proportion() -> None:
    proportional(lambda n: markdown(f"<table><tr><td>{'x<tbody>' * n}</table>"), 20_000)
    assert markdown("<table><tr><td>a<tbody>b</table>")[0] == "| a b |"


# --- DOCX ----------------------------------------------------------------------------------------


def text_of(body: str) -> str:
    return wordfiles.read_docx(docx(body), "a.docx")[0]


LINK = f"<w:hyperlink>{run('b')}</w:hyperlink>"
MERGED = f"<w:tr>{cell('<w:vMerge/>')}</w:tr>"


@pytest.mark.parametrize(
    "body",
    [
        lambda n: "<w:p/>" * n,
        lambda n: f"<w:p>{run('a') * n}</w:p>",
        lambda n: f"<w:p>{(run('a') + LINK) * (n // 2)}</w:p>",
        lambda n: f"<w:tbl>{MERGED * (n // 2)}</w:tbl>",
        lambda n: f"<w:tbl><w:tr>{cell('', 'a') * n}</w:tr></w:tbl>",
        lambda n: f"<w:p>{run('a')}</w:p><w:tbl><w:tr>{cell('', 'a')}</w:tr></w:tbl>" * (n // 4),
    ],
    ids=["paragraphs", "runs", "links", "merged", "cells", "tables"],
)
def test_a_word_file_takes_time_in_proportion(body: Callable[[int], str]) -> None:
    sizes = (5000, 20_000)
    files = {n: docx(body(n)) for n in sizes}
    proportional(lambda n: wordfiles.read_docx(files.get(n, files[5000]), "a.docx"), 5000)


def test_a_hundred_thousand_empty_paragraphs_are_read_at_once() -> None:
    data = docx("<w:p/>" * 100_000 + f"<w:p>{run('The end.')}</w:p>")
    begun = time.process_time()
    assert wordfiles.read_docx(data, "a.docx")[0] == "The end."
    assert time.process_time() - begun < 5


def test_a_cell_spans_no_more_columns_than_a_table_has() -> None:
    row = cell('<w:gridSpan w:val="1000000000"/>', "wide") + cell("", "next")
    below = "".join(cell("", str(k)) for k in range(70))
    text = text_of(f"<w:tbl><w:tr>{row}</w:tr><w:tr>{below}</w:tr></w:tbl>")
    assert text.startswith("| wide |" + " wide |" * 62 + " next |\n")


def test_merged_cells_are_told_in_each_row_and_once_over_columns_that_nothing_divides() -> None:
    first = cell('<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>', "Both") + cell("", "1")
    second = cell('<w:gridSpan w:val="2"/><w:vMerge/>') + cell("", "2")
    text = text_of(f"<w:tbl><w:tr>{first}</w:tr><w:tr>{second}</w:tr></w:tbl>")
    assert text.split("\n") == ["| Both | 1 |", "| Both | 2 |"]


def test_a_long_merged_cell_is_told_whole_until_it_has_been_told_often_enough() -> None:
    def table(rows: int) -> str:
        first = cell('<w:vMerge w:val="restart"/>', "a" * 10_000)
        return f"<w:tbl><w:tr>{first}</w:tr>{MERGED * rows}</w:tbl>"

    assert text_of(table(50)).count("a" * 10_000) == 51
    text, _, warnings = wordfiles.read_docx(docx(table(5000)), "a.docx")
    assert text.count("a" * 10_000) == 101 and text.count("\u2026") == 4900
    assert len(text) < 2_500_000 and "merged" in warnings[0]


def test_what_unpacks_to_more_than_a_document_does_is_refused() -> None:
    for body in (f"<w:p>{' ' * 30_000_000}</w:p>", "<w:p/>" * 300_000):
        data = docx(body)
        assert len(data) < 60_000
        with pytest.raises(DocumentError, match=r"a\.docx unpacks to more than .*Split it"):
            wordfiles.read_docx(data, "a.docx")


def test_parts_that_hold_no_text_are_not_unpacked() -> None:
    data = io.BytesIO(docx(f"<w:p>{run('Words.')}</w:p>"))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/image1.bmp", b"\0" * 30_000_000)
    assert wordfiles.read_docx(data.getvalue(), "a.docx")[0] == "Words."


def test_a_part_that_is_larger_than_the_archive_says_is_not_unpacked_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = bytearray(docx(f"<w:p>{run('Words.')}</w:p>" + " " * 9_000_000))
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    data[entry + 24 : entry + 28] = struct.pack("<I", 500)
    largest = 0
    real = zlib.decompressobj

    class Counting:
        def __init__(self, *args: int) -> None:
            self.inner = real(*args)

        def decompress(self, *args: object) -> bytes:
            nonlocal largest
            piece = self.inner.decompress(*args)  # type: ignore[arg-type]
            largest = max(largest, len(piece))
            return piece

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    with pytest.raises(DocumentError, match="can be read"):
        wordfiles.read_docx(bytes(data), "a.docx")
    assert 0 < largest <= 1 << 16


def test_a_file_that_defines_entities_is_refused() -> None:
    define = '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/hostname"><!ENTITY a "aaaa">]>'
    data = docx(f"<w:p>{run('Before &f;&a; after')}</w:p>", before=define)
    with pytest.raises(DocumentError, match="document type"):
        wordfiles.read_docx(data, "a.docx")


def test_styles_are_known_by_their_names_and_by_the_default() -> None:
    styles = "".join(
        f'<w:style w:type="{kind}" w:styleId="{key}"{more}><w:name w:val="{name}"/></w:style>'
        for kind, key, name, more in [
            ("paragraph", "U1", "heading 1", ""),
            ("character", "U2", "heading 2", ""),
            ("paragraph", "L", "List Bullet", ' w:default="1"'),
        ]
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{key}"/></w:pPr>{run(key)}</w:p>' for key in ("U1", "U2")
    )
    text = wordfiles.read_docx(docx(body + f"<w:p>{run('none')}</w:p>", styles), "a.docx")[0]
    assert text == "# U1\n\n- U2\n- none"


# --- PDF -----------------------------------------------------------------------------------------

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
SHOWN = b"BT /F1 12 Tf (Some words.) Tj ET"


def packed(data: bytes, more: bytes = b"") -> bytes:
    body = zlib.compress(data, 9)
    head = b"<< /Filter /FlateDecode %s /Length %d >>" % (more, len(body))
    return head + b"\nstream\n" + body + b"\nendstream"


def form(content: bytes, calls: int = 0) -> bytes:
    inner = b"/XObject << /A %d 0 R >>" % calls if calls else b""
    resources = b"/Resources << /Font << /F1 3 0 R >> %s >>" % inner
    return packed(content, b"/Type /XObject /Subtype /Form " + resources)


def pdf(
    content: bytes = SHOWN, pages: int = 1, fonts: int = 1, table: bytes = b"", *forms: bytes
) -> bytes:
    """A PDF that shows one page many times; forms are objects 7, 8 ..., the first one called /A."""
    named = b" ".join(b"/F%d 3 0 R" % k for k in range(1, fonts + 1))
    called = b"/XObject << /A 7 0 R >>" if forms else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"4 0 R " * pages, pages),
        FONT,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R "
        b"/Resources << /Font << %s >> %s >> >>" % (named, called),
        packed(content),
        packed(b"begincmap " + table + b" endcmap"),
        *forms,
    ]
    body, offsets = b"%PDF-1.4\n", []
    for k, written in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (k, written)
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
    return body + end % (size, entries, size) + b"startxref\n%d\n%%%%EOF" % len(body)


RANGE = b"1 beginbfrange <0000> <FFFF> <0000> endbfrange"


@pytest.mark.parametrize(
    "data",
    [
        lambda: pdf(b"BT /F1 12 Tf " + b"(x) Tj 0 -14 Td " * 50_000 + b"ET"),
        lambda: pdf(SHOWN + b" " * 60_000_000),
        lambda: pdf(pages=10_000),
        lambda: pdf(pages=30, table=RANGE),
        lambda: pdf(fonts=30, table=RANGE),
        lambda: pdf(SHOWN * 9000, 1, 1, b"1 beginbfchar <65> <" + b"0041" * 250 + b"> endbfchar"),
        lambda: pdf(
            b"/A Do " * 10, 1, 1, b"", *(form(b"/A Do " * 10, k) for k in range(8, 12))
        ).replace(b"/A 11 0 R", b"/A  3 0 R"),
        lambda: pdf(b"/A Do " * 5000, 1, 1, b"", form(SHOWN)),
        lambda: pdf(b"/#41 Do " * 5000, 1, 1, b"", form(SHOWN)),
    ],
    ids=["lines", "packed", "pages", "ranges", "fonts", "targets", "forms", "calls", "escaped"],
)
def test_a_small_pdf_with_much_to_read_is_refused_before_it_is_read(
    data: Callable[[], bytes],
) -> None:
    pytest.importorskip("pypdf")
    given = data()
    assert len(given) < 100_000
    with pytest.raises(DocumentError, match=r"a\.pdf has .*Print it to a new PDF"):
        papers.read_pdf(given, "a.pdf")


def test_text_that_one_page_repeats_beyond_measure_is_refused() -> None:
    pytest.importorskip("pypdf")
    table = b"1 beginbfchar <78> <" + b"0041" * 15 + b"> endbfchar"
    data = pdf(b"BT /F1 12 Tf " + (b"(" + b"x" * 4000 + b") Tj ") * 80 + b"ET", table=table)
    with pytest.raises(DocumentError, match="would become more than"):
        papers.read_pdf(data, "a.pdf")


def test_forms_that_call_each_other_are_read_once() -> None:
    pytest.importorskip("pypdf")
    data = pdf(b"/A Do", 1, 1, b"", form(SHOWN + b" /A Do", 8), form(b"/A Do", 7))
    assert papers.read_pdf(data, "a.pdf")[0] == "Some words."


def test_an_ordinary_page_with_forms_and_fonts_is_read() -> None:
    pytest.importorskip("pypdf")
    table = b"1 beginbfrange <0020> <007E> <0020> endbfrange"
    data = pdf(SHOWN + b" /A Do", 2, 5, table, form(b"BT /F1 12 Tf (In a form.) Tj ET"))
    text, _, warnings = papers.read_pdf(data, "a.pdf")
    assert text.split() == ["Some", "words.", "In", "a", "form."] * 2 and warnings == []


def test_ligatures_are_read_as_the_letters_they_stand_for() -> None:
    pytest.importorskip("pypdf")
    table = b"2 beginbfchar <01> <FB00> <02> <FB03> endbfchar"
    shown = b"BT /F1 12 Tf (The e\\001ective o\\002ce.) Tj ET"
    assert papers.read_pdf(pdf(shown, table=table), "a.pdf")[0] == "The effective office."


def test_a_page_too_large_to_be_read_is_left_out_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pypdf")
    monkeypatch.setattr(papers, "LARGEST_PAGE", 1000)
    text, _, warnings = papers.read_pdf(pdf(SHOWN + b" " * 2000), "a.pdf")
    assert text == "" and "page 1 was left out" in warnings[0] and "1,000 bytes" in warnings[0]
