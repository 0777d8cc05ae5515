from __future__ import annotations

import builtins
import json
import os
import time
from pathlib import Path

import docx
import pytest
from small_pdf import pdf

from halgo.errors import DocumentError, MissingDependencyError, UnsupportedFormatError
from halgo.sources import readers
from halgo.sources.folders import read_files
from halgo.sources.papers import flowed
from halgo.sources.readers import decode, read_text
from halgo.sources.sentences import split


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def text_of(folder: Path, name: str, content: str | bytes) -> str:
    (document,), _ = read_files([put(folder, name, content)])
    return document.text


def words(text: str) -> list[str]:
    return [sentence.reading.text for sentence in split(text)]


# --- files and folders ---------------------------------------------------------------------------


def test_text_and_markdown_stand_as_they_are(tmp_path: Path) -> None:
    assert text_of(tmp_path, "a.txt", "One.\r\nTwo.\n") == "One.\r\nTwo.\n"
    assert text_of(tmp_path, "a.md", "# T\n\n*x*") == "# T\n\n*x*"


def test_a_folder_is_read_in_order_without_hidden_and_unknown_files(tmp_path: Path) -> None:
    hidden = (".hidden.txt", ".git/x.txt", "~$b.docx")
    for name in ("b.md", "a.txt", "sub/c.csv", *hidden, "d.exe", "e.json"):
        put(tmp_path, name, "5" if name == "e.json" else "x,y\n1,2")
    documents, warnings = read_files(str(tmp_path))
    names = [str(Path(document.id).relative_to(tmp_path)) for document in documents]
    assert names == ["a.txt", "b.md", "e.json", str(Path("sub/c.csv"))]
    assert len(warnings) == 1 and "d.exe" in warnings[0]


def test_a_bad_file_in_a_folder_is_left_out_with_a_warning(tmp_path: Path) -> None:
    put(tmp_path, "good.txt", "Fine.")
    put(tmp_path, "bad.json", "{")
    documents, warnings = read_files([tmp_path])
    assert [document.text for document in documents] == ["Fine."]
    assert "bad.json" in warnings[0] and "left out" in warnings[0]


def test_an_empty_folder_and_an_empty_file_warn(tmp_path: Path) -> None:
    assert "no file" in read_files([tmp_path])[1][0]
    documents, warnings = read_files([put(tmp_path, "empty.md", "")])
    assert documents[0].text == "" and "no text" in warnings[0]


@pytest.mark.parametrize("suffix", [".md", ".json", ".jsonl", ".csv", ".html", ".pdf", ".docx"])
def test_an_empty_file_of_any_kind_warns(tmp_path: Path, suffix: str) -> None:
    documents, warnings = read_files([put(tmp_path, "empty" + suffix, "")])
    assert documents[0].text == "" and warnings


def test_a_missing_file_names_itself_and_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"missing\.md.*looked in") as caught:
        read_files([tmp_path / "missing.md"])
    assert caught.value.source.endswith("missing.md")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="folder"):
        read_text(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may read everything")
def test_an_unreadable_file_says_why(tmp_path: Path) -> None:
    path = put(tmp_path, "secret.txt", "x")
    path.chmod(0)
    with pytest.raises(DocumentError, match="ermission"):
        read_files([path])


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(DocumentError):
        read_files([path])
    with pytest.raises(TypeError, match="int"):
        read_files([5])  # type: ignore[list-item]


def test_an_unknown_kind_is_read_when_it_is_text_and_refused_when_not(tmp_path: Path) -> None:
    assert text_of(tmp_path, "notes.xyz", "Plain words.") == "Plain words."
    assert text_of(tmp_path, "README", "Plain words.") == "Plain words."
    with pytest.raises(UnsupportedFormatError, match="xyz"):
        text_of(tmp_path, "data.xyz", b"\x7fELF\0\0\1")
    with pytest.raises(UnsupportedFormatError, match=r"save it as \.xlsx"):
        text_of(tmp_path, "book.xls", b"\xd0\xcf")


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "LARGEST_BYTES", 10)
    with pytest.raises(DocumentError, match="11 bytes"):
        text_of(tmp_path, "big.txt", "x" * 11)


# --- encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_without_a_warning(encoding: str) -> None:
    assert decode("Größe – 5 €".encode(encoding), "x") == ("Größe – 5 €", [])


@pytest.mark.parametrize(
    "text, encoding",
    [
        ("The café’s fee is £5 – naïve prices, paid in Zürich.", "cp1252"),
        ("Плата за просрочку составляет пять процентов в месяц. " * 5, "cp1251"),
    ],
)
def test_other_encodings_are_detected_with_a_warning(text: str, encoding: str) -> None:
    found, warnings = decode(text.encode(encoding), "old.txt")
    assert found == text
    assert len(warnings) == 1 and "old.txt" in warnings[0]


def test_a_declared_encoding_of_a_page_is_believed(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-2"><p>Cena: pięć złotych'
    assert "pięć złotych" in text_of(tmp_path, "a.html", page.encode("iso-8859-2"))


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0", bytes(range(1, 32)) * 9 + b"\xff\xfe\x81"]
)
def test_binary_data_is_no_text(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"a\.txt: not text"):
        text_of(tmp_path, "a.txt", data)


@pytest.mark.parametrize(
    "data, kind",
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF"),
        (b"%PDF-1.4\n\0", "a PDF"),
        (b"PK\3\4\x14\0\6\0", "a packed file, such as a Word file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "an old Word file"),
    ],
)
def test_a_file_in_the_place_of_text_is_told_by_its_kind(
    tmp_path: Path, data: bytes, kind: str
) -> None:
    with pytest.raises(DocumentError, match=rf"answer: not text but {kind}.*save it as text or M"):
        read_text(put(tmp_path, "answer", data))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(encoding: str) -> None:
    with pytest.raises(DocumentError, match=r"UTF-16 without a byte order mark.*save it as UTF-8"):
        decode("Der Preis beträgt 5 €.\n".encode(encoding), "a.txt")
    with pytest.raises(DocumentError, match=r"holds zero bytes$"):
        decode(b"\0\1" * 100, "a.txt")


def test_text_about_a_kind_of_file_is_text() -> None:
    assert decode(b"%PDF- is how one begins.", "a.txt") == ("%PDF- is how one begins.", [])


# --- JSON ----------------------------------------------------------------------------------------


def test_json_keeps_paths_and_numbers_as_written(tmp_path: Path) -> None:
    data = '{"orders": [{"id": 1, "total": 99.50}, {"id": 2, "total": 1e999}]}'
    assert text_of(tmp_path, "a.json", data) == (
        "orders[0].id: 1; orders[0].total: 99.50\n\norders[1].id: 2; orders[1].total: 1e999"
    )


def test_malformed_json_names_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="line 2, column 7"):
        text_of(tmp_path, "a.json", '{"a": 1,\n "b": ,}')


def test_json_nested_beyond_reason_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="deep"):
        text_of(tmp_path, "a.json", "[" * 200_000)


def test_bad_lines_of_jsonl_are_named_and_the_others_read(tmp_path: Path) -> None:
    path = put(tmp_path, "a.jsonl", '{"id": 1}\n\n{oops}\n{"id": 2}\n')
    (document,), warnings = read_files([path])
    assert document.text == "[0].id: 1\n\n[1].id: 2"
    assert len(warnings) == 1 and "line 3" in warnings[0]


# --- CSV -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "delimiter, name", [(",", "a.csv"), (";", "a.csv"), ("\t", "a.tsv"), ("|", "a.csv")]
)
def test_each_row_is_a_line_with_its_column_names(
    tmp_path: Path, delimiter: str, name: str
) -> None:
    rows = [["Plan", "Price"], ["Basic", "$10"], ["Pro", "$20"]]
    content = "\n".join(delimiter.join(row) for row in rows)
    (document,), warnings = read_files([put(tmp_path, name, content)])
    assert words(document.text) == ["Plan: Basic; Price: $10.", "Plan: Pro; Price: $20."]
    starts = json.loads(document.metadata["rows"])
    assert [document.text[start:][:9] for start in starts] == ["Plan: Bas", "Plan: Pro"]
    assert warnings == []


def test_quoted_cells_line_breaks_and_empty_cells(tmp_path: Path) -> None:
    content = 'Name,Note\n"Hill, Bob","two\nlines"\nAnn,\n\n'
    assert text_of(tmp_path, "a.csv", content).split("\n\n") == [
        "Name: Hill, Bob; Note: two lines.",
        "Name: Ann.",
    ]


def test_decimal_commas_tell_that_points_part_thousands(tmp_path: Path) -> None:
    content = (
        "Stop;Opened 2.0;Riders;Fare\nAlt;12.05.1987;1.234;3,40 €\nBad;1.1.99;n.a.;1.250,00 €\n"
    )
    assert text_of(tmp_path, "a.csv", content).split("\n\n") == [
        "Stop: Alt; Opened 2.0: 12.05.1987; Riders: 1,234; Fare: 3.40 €.",
        "Stop: Bad; Opened 2.0: 1.1.99; Riders: n.a.; Fare: 1,250.00 €.",
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Stop;Riders\nAlt;1.234\nBad;12.870\n", "Stop: Alt; Riders: 1.234."),  # nothing tells
        (
            "Stop;Lat;Fare\nAlt;48.1371;3,40\nBad;11.5;1,90\n",
            "Stop: Alt; Lat: 48.1371; Fare: 3.40.",
        ),
        ("Stop;Riders\nAlt;1,234\nBad;12,870\n", "Stop: Alt; Riders: 1,234."),
        ("Stop,Riders,Rate\nAlt,1.234,3.5\n", "Stop: Alt; Riders: 1.234; Rate: 3.5."),
    ],
)
def test_other_numbers_stay_as_they_are_written(tmp_path: Path, content: str, line: str) -> None:
    assert text_of(tmp_path, "a.csv", content).split("\n\n")[0] == line


def test_ragged_rows_are_kept_with_a_warning(tmp_path: Path) -> None:
    (document,), warnings = read_files([put(tmp_path, "a.csv", "a,b\n1,2,3\n4\n5,6")])
    assert document.text.split("\n\n") == ["a: 1; b: 2; 3.", "a: 4.", "a: 5; b: 6."]
    assert "2 rows" in warnings[0] and "2, 3" in warnings[0]


def test_a_quote_that_never_closes_loses_nothing(tmp_path: Path) -> None:
    content = 'a,b\n1,"open ' + "word " * 40_000 + "\n3,4"
    (document,), warnings = read_files([put(tmp_path, "a.csv", content)])
    assert document.text.count("word") == 40_000 and "3" in document.text
    assert warnings


def test_rows_without_a_header_get_numbered_columns(tmp_path: Path) -> None:
    assert text_of(tmp_path, "a.csv", "Ann,5\nBob,6").startswith("Column 1: Ann; Column 2: 5.")


@pytest.mark.parametrize(
    "above",
    ["Sales report Q3\n\n", "Sales report Q3,,\n", "\n,,\n,Sales report Q3\n"],
)
def test_a_title_above_the_head_is_a_line_of_its_own(tmp_path: Path, above: str) -> None:
    content = above + "Region,Units,Returns\nNorth,1204,21\nSouth,900,\n"
    (document,), warnings = read_files([put(tmp_path, "a.csv", content)])
    assert document.text.split("\n\n") == [
        "Sales report Q3",
        "Region: North; Units: 1204; Returns: 21.",
        "Region: South; Units: 900.",
    ]
    starts = json.loads(document.metadata["rows"])
    assert [document.text[start:][:13] for start in starts] == [
        "Sales report ",
        "Region: North",
        "Region: South",
    ]
    assert warnings == []


@pytest.mark.parametrize(
    "heads, names",
    [
        (",2023,,2024,\nRegion,Q3,Q4,Q1,Q2", ["Region", "2023 Q3", "2023 Q4", "2024 Q1",
                                              "2024 Q2"]),
        ("Region,2023,,2024,\n,Q3,Q4,Q1,Q2", ["Region", "2023 Q3", "2023 Q4", "2024 Q1",
                                              "2024 Q2"]),
        ("Region,Sales,,,Staff\n,2021,2022,2023,", ["Region", "Sales 2021", "Sales 2022",
                                                    "Sales 2023", "Staff"]),
        ("Region,2023,,2024,,,\n,Q3,Q4,Q1,Q2,,", ["Region", "2023 Q3", "2023 Q4", "2024 Q1",
                                                 "2024 Q2"]),
    ],
)  # fmt: skip
def test_two_rows_of_heads_saved_of_merged_cells_name_the_columns_together(
    tmp_path: Path, heads: str, names: list[str]
) -> None:
    text = text_of(tmp_path, "a.csv", f"{heads}\nNorth,100,120,,90\nSouth,80,85,70,95\n")
    cells = zip(names, ["South", "80", "85", "70", "95"], strict=True)
    assert text.endswith("; ".join(map(": ".join, cells)) + ".")


@pytest.mark.parametrize(
    "table",
    [
        ",name,price\n0,Basic,10\n1,Pro,20",
        "name,,city\nAnn,Lee,Oslo\nBob,Ray,Rome",
        "name,,age\nAnn,Lee,34\nBob,Ray,23",
        "plan,price,\nBasic,10,\nPro,20,",
        "plan,,note\nBasic,old,x\n1,2,3\nPro,new,y",
    ],
)
def test_an_empty_name_over_a_row_of_data_joins_no_row_to_the_head(
    tmp_path: Path, table: str
) -> None:
    assert text_of(tmp_path, "a.csv", table).count("\n\n") == table.count("\n") - 1


def test_several_titles_stay_and_rows_are_counted_with_them(tmp_path: Path) -> None:
    content = "Sales\nAs of May\n\nRegion;Units\nNorth;5\nSouth;6;7\n"
    (document,), warnings = read_files([put(tmp_path, "a.csv", content)])
    assert document.text.startswith("Sales\n\nAs of May\n\nRegion: North; Units: 5.\n\n")
    assert len(warnings) == 1 and "1 row has not 2 cells: 6" in warnings[0]


@pytest.mark.parametrize(
    "content, text",
    [
        ("Comment\nGreat\nNice, but slow\nFine\n", "Comment: Great."),
        ("Comment\nGreat\n", "Comment: Great."),
        ("Report\na,b\n", "Report: a; b."),
    ],
)
def test_a_first_cell_over_rows_of_one_cell_is_a_head_and_no_title(
    tmp_path: Path, content: str, text: str
) -> None:
    assert text_of(tmp_path, "a.csv", content).startswith(text)


# --- HTML ----------------------------------------------------------------------------------------

PAGE = """<!doctype html><html><head><title>Fees &amp; more</title><style>p {}</style></head>
<body><nav>Menu</nav><script>var x = "<p>no</p>";</script>
<h2>Late  fees</h2><p>The fee is <b>5</b>%&nbsp;a month.<br>It is due.
<ul><li>One<li>Two <ol><li>Inner</ol></ul>
<table><tr><th>Plan<th>Price</tr><tr><td>Pro | X</td><td>$20</td></tr></table>
<p>5 &lt; 6 and &lt;b&gt; stays.</p><pre>x = 1
y</pre></body></html>"""


def test_a_page_keeps_its_structure_and_loses_its_machinery(tmp_path: Path) -> None:
    (document,), _ = read_files([put(tmp_path, "a.html", PAGE)])
    assert document.metadata["title"] == "Fees & more"
    assert words(document.text) == [
        "Late fees",
        "The fee is 5% a month.",
        "It is due.",
        "One",
        "Two",
        "Inner",
        "Plan: Pro | X — Price: $20",
        "5 < 6 and <b> stays.",
        "x = 1\ny",
    ]
    assert "Menu" not in document.text and "var" not in document.text


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ('<p>A</p><div style="display: none">47 <div>x</div> cookies</div><p>B</p>', "A B"),
        ("<section hidden><p>no</p></section><p>yes</p>", "yes"),
        ('<div class="hidden" aria-hidden="false">shown</div>', "shown"),
        ("<p>a <span style='visibility:hidden'>x</span> b</p>", "a b"),
        ("<table hidden><tr><td>1</td></tr></table><p>z</p>", "z"),
        ("<style>/*{*/.x,p#y{display:none}</style><p class=x>1</p><p id='y'>2</p><p>z</p>", "z"),
        ("<style>p.x{display:none}</style><div class='a x'>shown</div>", "shown"),
        ("<style>@media print{.x{display:none}}</style><p class=x>shown</p>", "shown"),
        ("<style media=print>.x{display:none}</style><p class=x>shown</p>", "shown"),
        ("<style media='screen'>.x{display:none}</style><p class=x>no</p><p>z</p>", "z"),
        ('<style media = "all">.x{display:none}</style><p class=x>no</p><p>z</p>', "z"),
        ("<style>.x{display:none}.x.on{display:block}</style><p class=x>shown</p>", "shown"),
        ("<style>.nav .x{display:none}</style><p class=x>shown</p>", "shown"),
    ],
)
def test_what_a_page_hides_is_no_source(page: str, shown: str) -> None:
    from halgo.sources.webpages import markdown

    assert markdown(page)[0].split() == shown.split()


def test_what_the_style_sheets_of_a_page_hide_is_counted() -> None:
    from halgo.sources.webpages import markdown

    page = "<style>.x{display:none}</style><p>A</p><p class=x>no</p><div class=x>nor</div>"
    assert markdown(page, "a.html")[::2] == (
        "A", ["a.html: text that its styles hide is left out (2 times)"]
    )  # fmt: skip


def test_what_stands_for_a_picture_is_set_apart_unless_it_is_a_mark() -> None:
    from halgo.sources.webpages import markdown

    page = "Open daily <img alt='Our oldest clock, of 1642' src=x> Press <img alt='Help'> twice."
    assert markdown(page)[0].split("\n\n") == [
        "Open daily", "Our oldest clock, of 1642", "Press Help twice."
    ]  # fmt: skip


@pytest.mark.parametrize(
    "unit",
    [
        "<style>/*",
        "<style>.a{",
        "<",
        "<!--",
        "<a ",
        "<p",
        "</",
        "<!",
        "&",
        "&#",
        "<table>",
        "<td>x",
        "<li>x",
        "<ul>",
        "<div>x",
        "<br>",
        "<script>",
        "<a b='",
        "<![",
        "<?",
        "<pre>x",
        "<div hidden>x",
        "<div style='x",
    ],
)
def test_hostile_pages_take_time_in_proportion(unit: str) -> None:
    from halgo.sources.webpages import markdown

    started = time.process_time()
    split(markdown(unit * (100_000 // len(unit)))[0])
    assert time.process_time() - started < 5


# --- PDF and DOCX --------------------------------------------------------------------------------


def test_a_pdf_is_read_in_paragraphs_with_its_pages_known(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    pages = [["The parties to this con-", "tract agree on a fee.", "1"], ["It is 5% a month.", "2"]]
    (document,), warnings = read_files([put(tmp_path, "a.pdf", pdf(pages))])
    assert document.text == "The parties to this contract agree on a fee.\n\nIt is 5% a month."
    starts = json.loads(document.metadata["pages"])
    assert [document.text[start:][:6] for start in starts] == ["The pa", "It is "]
    assert warnings == []


def test_heads_and_feet_are_told_once_without_page_numbers_and_pages_flow_on() -> None:
    pages = [
        [
            "Acme Report 2024",
            f"line of page {name} that goes",
            f"on about {name}",
            "All prices exclude VAT.",
            f"Chapter 2, page {k}",
            f"Page {k} of 4",
        ]
        for k, name in enumerate("abcd", 1)
    ]
    text, starts = flowed(pages)
    assert text.lower().count("page") == 4
    assert text.startswith("Acme Report 2024\n\nline of page a that goes on about a\nline")
    assert text.endswith("on about d\n\nAll prices exclude VAT.") and text.count("VAT") == 1
    assert all(text[start:].startswith("line of page") for start in starts[1:])


def test_heads_and_feet_of_two_pages_are_told_once_and_a_table_goes_on() -> None:
    pages = [
        ["Acme Handbook", "| Plan | Seats |\n| --- | --- |\n| Basic | 5 |", "Acme 2024 | 1"],
        ["Acme Handbook", "| Pro | 50 |", "Prices exclude VAT.", "Acme 2024 | 2"],
    ]
    text, _ = flowed(pages)
    assert text == (
        "Acme Handbook\n\n| Plan | Seats |\n| --- | --- |\n| Basic | 5 |\n| Pro | 50 |\n\n"
        "Prices exclude VAT."
    )


@pytest.mark.parametrize(
    "first, second",
    [
        ("Total: 5", "Total: 6"),
        ("Week 1", "Week 2"),
        ("Acme – 4 rooms", "Acme – 6 rooms"),
        ("| Plan | Seats |\n| --- | --- |\n| Pro | 1 |",
         "| Plan | Seats |\n| --- | --- |\n| Pro | 2 |"),
    ],
)  # fmt: skip
def test_lines_of_two_pages_that_say_different_things_stay(first: str, second: str) -> None:
    text, _ = flowed([["One.", first], ["Two.", second]])
    assert first in text and second in text


def test_a_table_of_each_page_is_no_foot() -> None:
    tables = [f"| Plan | Seats |\n| --- | --- |\n| Basic | {k} |" for k in range(4)]
    text, _ = flowed([["Office.", table] for table in tables])
    assert all(table in text for table in tables)


def test_a_hyphen_that_belongs_to_the_word_stays() -> None:
    page = "A long-term plan was made for us.\nThe plan is long-\nterm and com-\nplete."
    assert "long-term and complete." in flowed([page.splitlines()])[0]


def test_a_clause_begins_a_paragraph_and_an_amount_at_a_line_s_beginning_does_not() -> None:
    page = (
        "2 Hotels and what is paid for a night that is spent in one of them\n"
        "2.1 Employees may book hotels of up to 150 euro a night, in London\n"
        "and Paris of up to 200 euro, and the company has set aside for it\n"
        "2.5 million euro a year.\n"
        "2.2 Breakfast is paid when the bill of the hotel tells its price;\n"
        "2.2.1 A minibar is not.\n"
    )
    assert [line[:5] for line in flowed([page.splitlines()])[0].split("\n\n")] == [
        "2 Hot",
        "2.1 E",
        "2.2 B",
        "2.2.1",
    ]


def test_a_title_that_goes_on_behind_an_ampersand_is_one() -> None:
    page = "Travel &\nExpenses Policy\nThis policy is for everybody who travels on our behalf."
    assert flowed([page.splitlines()])[0].startswith("Travel & Expenses Policy\n\nThis policy")


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(DocumentError, match=name):
        text_of(tmp_path, name, b"%PDF-1.4 nothing else")


def test_an_encrypted_pdf_says_so(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    path = tmp_path / "locked.pdf"
    writer.write(path)
    with pytest.raises(DocumentError, match="encrypted"):
        read_files([path])


def test_without_the_extra_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(wanted: str, *args: object, **more: object) -> object:
        if wanted == "pypdf":
            raise ImportError(wanted)
        return real(wanted, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingDependencyError, match=r"halgo\[pdf\]"):
        text_of(tmp_path, "a.pdf", b"x")


def test_struck_out_text_of_a_page_is_left_out_with_a_warning(tmp_path: Path) -> None:
    page = "<p>It costs <del>$49</del> <ins>$29</ins>.</p><p><s>Pets <b>are</b> fine.</s> No.</p>"
    (tmp_path / "a.html").write_text(page)
    (document,), warnings = read_files([tmp_path / "a.html"])
    assert document.text == "It costs $29.\n\nNo."
    assert len(warnings) == 1 and "struck-out text is left out (2 times)" in warnings[0]
    (tmp_path / "b.html").write_text("<p>It costs <small>$29</small>.</p>")
    assert not read_files([tmp_path / "b.html"])[1]


def test_a_word_file_keeps_headings_lists_and_tables(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("Fees", level=2)
    made.add_paragraph("The fee is 5%.")
    made.add_paragraph("One", style="List Bullet")
    made.add_paragraph("Deeper", style="List Bullet 2")
    numbered = made.add_paragraph("Deepest", style="List Bullet 2")
    numbered._p.get_or_add_pPr().get_or_add_numPr().get_or_add_ilvl().val = 2
    made.add_paragraph("Two", style="List Number")
    grid = made.add_table(rows=2, cols=2)
    for k, value in enumerate(["Plan", "Price", "Pro", "$20"]):
        grid.cell(k // 2, k % 2).text = value
    made.save(str(tmp_path / "a.docx"))
    (document,), _ = read_files([tmp_path / "a.docx"])
    assert document.text == (
        "## Fees\n\nThe fee is 5%.\n\n- One\n  - Deeper\n    - Deepest\n1. Two\n\n"
        "| Plan | Price |\n| --- | --- |\n| Pro | $20 |"
    )


def test_megabytes_are_read_and_split_in_seconds(tmp_path: Path) -> None:
    line = "The fee for the basic plan is 5% a month, and it is due in March.\n"
    started = time.process_time()
    text = text_of(tmp_path, "big.txt", line * (2_000_000 // len(line)))
    assert len(split(text)) == 2_000_000 // len(line)
    assert time.process_time() - started < 20


def test_a_quotation_mark_that_is_never_closed_swallows_no_row(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text('plan,price\nTeam,"79\nStarter,29\n', encoding="utf-8")
    (document,), warnings = read_files([path])
    assert "plan: Starter; price: 29." in document.text and "Team" in document.text
    assert any("cannot be read as CSV" in warning for warning in warnings)


def test_a_path_longer_than_the_system_allows_is_a_document_error() -> None:
    with pytest.raises(DocumentError, match="too long"):
        read_files(["x" * 5000])


def test_a_file_that_is_named_again_or_beside_its_folder_is_read_once(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("The fee is 5%.")
    (folder / "b.md").write_text("The fee is 5%.")  # another file, though it says the same
    first, second = str(folder / "a.md"), str(folder / "b.md")
    for given in (
        [first, folder, folder],
        [first, f"{folder}/../docs/a.md", second],
        [folder, first],
    ):
        documents, warnings = read_files(given)
        assert ([one.id for one in documents], warnings) == ([first, second], [])
    (folder / "b.md").unlink()
    documents, warnings = read_files([first, folder])
    assert ([one.id for one in documents], warnings) == ([first], [])


def test_a_file_that_is_named_beside_its_folder_has_to_be_readable(tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_bytes(b"\0\0\0")
    (tmp_path / "good.md").write_text("The fee is 5%.")
    with pytest.raises(DocumentError, match=r"bad\.md"):
        read_files([tmp_path, tmp_path / "bad.md"])
    assert len(read_files([tmp_path])[0]) == 1


def test_a_link_that_leads_nowhere_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to(tmp_path / "away.md")
    with pytest.raises(DocumentError, match=r"gone\.md is a link to a file that does not exist$"):
        read_files([tmp_path / "gone.md"])
