from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halgo.sources.inline import plain
from halgo.sources.sentences import LONGEST, split
from halgo.types import Sentence, Span


def words(text: str) -> list[str]:
    return [sentence.reading.text for sentence in split(text)]


def whole(*parts: str) -> tuple[str, list[str]]:
    """Parts that stand beside each other and come back as they are."""
    return " ".join(parts), list(parts)


PLAIN = [
    whole("The fee is 5%.", "It is due in March."),
    whole("Dr. Smith met Mrs. Jones.", "They talked."),
    whole("Prof. Lee and Gen. Wu spoke.", "Nobody listened!"),
    whole("J. K. Rowling wrote it.", "C. S. Lewis did not."),
    whole("George W. Bush won.", "He served twice."),
    whole("We chose plan B.", "Refunds take 60 days."),
    whole("The scripts are written in Python and R.", "Support covers both languages."),
    whole("We sold 40 units of X.", "Shipping takes three days."),
    whole("The study was led by J. Smith and funded by the state."),
    whole("It was led by J. Smith, who left."),
    whole("The patient N. Ferro was seen twice."),
    whole("She works with L. Ito and J. Pell on the bridge."),
    whole("See section A. Scope of work."),
    whole("Your seat is in class C.", "Meals cost extra."),
    whole("Read appendix B.", "Orders ship within two days."),
    whole("The team moved to option A.", "Returns close after 14 days."),
    whole("Tests ran on devices A and B.", "Prices start at 20 euros."),
    whole("It is rich in vitamin C.", "Bottles hold 30 tablets."),
    whole("The bus stops at terminal D.", "Tickets cost 4 euros."),
    whole("They spoke of J. Pell and his work."),
    whole("The novel by M. Albrecht won a prize."),
    whole("Judge R. Moreno dismissed the case."),
    whole("He is a colleague of K. Brandvold at the mill."),
    whole("The firm hired Ito and L. Duarte in May."),
    whole("We met author P. Lindqvist, a critic."),
    whole("The kit has two doses of Y.", "Patients take both daily."),
    whole("Ann Lee and R. Moss wrote it."),
    whole("George C. Scott was cast."),
    whole("It overheats above 10 C.", "Unlike brown bears it swims."),
    whole("She met with V. Stiviano at 6912 N. Glenwood Street."),
    whole("Use plan B.", "It's cheap."),
    whole("Plan B. Refunds take 60 days."),
    whole("Apple Inc. announced a phone.", "It costs $999."),
    whole("He works at Acme Corp.", "The firm is old."),
    whole("Acme Ltd. Holdings grew.", "Sales fell."),
    whole("The work is done by Barlow Ltd.", "Sick pay is unchanged."),
    whole("He met Ford Corp. President Ann Hale.", "Sales fell."),
    whole("Ask HR.", "Managers decide within a week."),
    whole("Pay by 5 p.m.", "Parcels stay at the desk."),
    whole("They open at 5 p.m. Eastern time.", "Dogs wait."),
    whole("She moved to the U.S. in May.", "He stayed."),
    whole("She moved to the U.S.", "The move was hard."),
    whole("The U.K. Government agreed.", "The U.S. Senate did not."),
    whole("Use fruit, e.g. Granny Smith apples.", "Peel them, i.e. cut the skin."),
    whole("Bring pens, paper, etc. to class.", "Be on time."),
    whole("Bring pens, paper, etc.", "Be on time."),
    whole("It was Ali vs. Frazier.", "Ali won."),
    whole("See No. 5 and Fig. 3.", "Sec. 2 and Art. 7 apply."),
    whole("No.", "It is not covered."),
    whole("He loves modern art.", "It hangs in his office."),
    whole("Art. IV says so.", "Nothing else does."),
    whole("The train left at 5 p.m. on Monday.", "It was late."),
    whole("The train left at 5 p.m.", "It was late."),
    whole("It opens at 9 a.m. and shuts at 5 p.m.", "We closed early."),
    whole("On Jan. 5 the office moved.", "By Sept. 30 it was full."),
    whole("Smith et al. found no effect.", "Jones et al. (2019) did."),
    whole("They live on Elm St. near the park.", "St. Louis is far."),
    whole("It costs $1.5 million.", "That is 2.25 times more."),
    whole("Python 3.11.7 is out.", "Version 2.0 is not supported."),
    whole("See https://example.com/a.b?c=d for more.", "Bye."),
    whole("Write to jane.doe@example.co.uk.", "She replies."),
    whole("Visit example.com.", "It is free."),
    whole("Open main.py and run it.", "Node.js is needed."),
    whole("See Section 8.2.", "Section 8.3 was deleted."),
    whole("Wait... there is more.", "It ends here."),
    whole("It ended…", "Then it rained."),
    whole('"I left." she said.', "Nobody knew."),
    whole('He shouted "Stop!" and ran.', "We followed."),
    whole('He said "I came.', "I saw.", 'I won."', "Then he left."),
    whole("(It was late.)", "We slept."),
    whole("Sales fell (see Fig. 2).", "Costs rose."),
    whole("It rose [...] and fell.", "It is flat."),
    whole("The odd (!) result stands.", "Why?", "Nobody knows."),
    whole("What?!", "No way!"),
    whole("hello there.", "this is all lower case.", "no capitals here"),
    whole("really?", "yes.", "cool"),
    whole("He left .", "She stayed .", "Mr. X did not ."),
    whole('He said " no . "', "Then he left ."),
    whole("It is true.[1]", "So is this.[2][3]", "And this."),
    whole("Ph.D. students attend.", "He has a Ph.D.", "The course is hard."),
    whole("Founded in 1969.", "2 people died.", "iPhones sell."),
    whole("It has vitamin C.", "The rest is fine."),
    whole("He is 5 ft. 3 inches tall.", "She is 6 ft. tall."),
    whole("Yahoo bought it.", "¿Qué pasa?", "Nada."),
    whole("It is known that 5! = 120, and 3! * 2 = 12.", "So (2 + 1)! = 6."),
    whole("It has a limit (max. 200 records) a day.", "Std. delivery takes 3-5 bus. days."),
    whole("Std. Delivery takes min. 3 days.", "The avg. 5 kg parcel is small."),
    whole("We took the bus.", "3 people came.", "It is at the max.", "The price is 3."),
    ("これは本です。次の文です！はい", ["これは本です。", "次の文です！", "はい"]),
    ("2.2 The fee is 5%.", ["The fee is 5%."]),
    ("1.5 TB is the limit.", ["1.5 TB is the limit."]),
    ("2.2 million people came.", ["2.2 million people came."]),
    ("A fact.  Two   spaces.\tTab.", ["A fact.", "Two spaces.", "Tab."]),
    ("It’s “fine”. −5 is less.", ["It's \"fine\".", "-5 is less."]),
    ("non\u00a0breaking\u200b space. ok", ["non breaking space.", "ok"]),
    ("1. The fee is 5%. It is due.", ["The fee is 5%.", "It is due."]),
    ("A. Scope. The rules apply.", ["A. Scope.", "The rules apply."]),
    ("8.2. Termination. Either may leave.", ["Termination.", "Either may leave."]),
    ("This paragraph is wrapped\nover two lines. And more\nfollows.",
     ["This paragraph is wrapped over two lines.", "And more follows."]),
    ("One line\n\nAnother line", ["One line", "Another line"]),
    ("Name: Jane Doe\nRole: engineer\nStart date: 5 May 2021",
     ["Name: Jane Doe", "Role: engineer", "Start date: 5 May 2021"]),
    ("name: jane\nrole: cook\n", ["name: jane", "role: cook"]),
    ("Dear Ms. Roe,\nWe accept.", ["Dear Ms. Roe,", "We accept."]),
    ("The council decided after long debate in the\nfollowing: nothing.",
     ["The council decided after long debate in the following: nothing."]),
    ("", []),
    (" \n\t\n\u200b ", []),
]  # fmt: skip


@pytest.mark.parametrize("text, expected", PLAIN)
def test_plain_text_is_split_where_a_reader_would(text: str, expected: list[str]) -> None:
    assert words(text) == expected


MARKDOWN = [
    ("# Title #\nText.", [("heading", "Title"), ("paragraph", "Text.")]),
    ("Title\n=====\n\nText", [("heading", "Title"), ("paragraph", "Text")]),
    ("Title\n---\nText", [("heading", "Title"), ("paragraph", "Text")]),
    ("One. Two.\n---\nText", [("paragraph", "One."), ("paragraph", "Two."), ("paragraph", "Text")]),
    ("### 2.1. Scope. Terms", [("heading", "Scope. Terms")]),
    (
        "Plans:\n- one. two\n- three\n  more",
        [("paragraph", "Plans:"), ("item", "one."), ("item", "two"), ("item", "three more")],
    ),
    (
        "* a\n    * b\n        + c\n• d",
        [("item", "a"), ("item", "b"), ("item", "c"), ("item", "d")],
    ),
    ("1. Mix it.\n2) Bake.\n10. Eat.", [("item", "Mix it."), ("item", "Bake."), ("item", "Eat.")]),
    ("- [x] Done\n- [ ] Open", [("item", "Done"), ("item", "Open")]),
    ("(a) the fee;\n(b) the tax.", [("item", "the fee;"), ("item", "the tax.")]),
    (
        "> A quote\n> goes on.\nNot quoted.",
        [("paragraph", "A quote goes on."), ("paragraph", "Not quoted.")],
    ),
    ("It rose by\n>5% of all.", [("paragraph", "It rose by >5% of all.")]),
    (
        "```py\nx = 1. Y\n  z = 2\n```\nText.",
        [("code", "x = 1. Y\n  z = 2"), ("paragraph", "Text.")],
    ),
    ("One\n\n---\n\n***\n\nTwo", [("paragraph", "One"), ("paragraph", "Two")]),
    (
        "| Plan | Price |\n|---|:-:|\n| Basic | $10. Cheap |\n| Pro |  |\nText.",
        [("row", "Plan: Basic — Price: $10. Cheap"), ("row", "Plan: Pro"), ("paragraph", "Text.")],
    ),
    (
        "|  | 2023 | 2024 |\n|--|--|--|\n| **Sales** | 5 | 6 |",
        [("row", "Sales — 2023: 5; 2024: 6")],
    ),
    (
        "Plan | Price\n--- | ---\nBasic | 1\nPro | 2\n\nText",
        [("row", "Plan: Basic — Price: 1"), ("row", "Plan: Pro — Price: 2"), ("paragraph", "Text")],
    ),
    ("| a \\| b | c |\n| d | e |", [("row", "a | b: c"), ("row", "d: e")]),
    (  # no separator: the columns' names stand over figures
        "Fares in euros\nticket | zone A | all zones\nSingle | 2.60 | 4.90\nDay | 6.80 | -\n"
        "Free under 6.",
        [
            ("paragraph", "Fares in euros"),
            ("row", "ticket: Single — zone A: 2.60; all zones: 4.90"),
            ("row", "ticket: Day — zone A: 6.80; all zones: -"),
            ("paragraph", "Free under 6."),
        ],
    ),
    (  # rows without names of columns
        "03:12 | db-2 | disk 91 %\n03:40 | db-2 | backup finished\n",
        [("row", "03:12; db-2; disk 91 %"), ("row", "03:40; db-2; backup finished")],
    ),
    (  # one bar in prose
        "P(A | B) is the chance of A. It is not\nP(B | A), as many think.",
        [
            ("paragraph", "P(A | B) is the chance of A."),
            ("paragraph", "It is not P(B | A), as many think."),
        ],
    ),
    (
        "**Bold.** Then *it* and ***both***.",
        [("paragraph", "Bold."), ("paragraph", "Then it and both.")],
    ),
    (
        "`a_b` and ~~old~~ [text](http://x.y/z_(a)) ![pic](u).",
        [("paragraph", "a_b and text pic.")],
    ),
    (  # what is struck out, within a sentence, is not said any more
        "It costs ~~$49~~ $29, <del>daily</del> monthly. ~~Pets are allowed.~~ ~~Not. This.~~",
        [
            ("paragraph", "It costs $29, monthly."),
            ("paragraph", "Not."),
            ("paragraph", "This."),
        ],
    ),
    (  # formulas are read without their marks
        r"The fee is $1.5\%$, $\frac{1}{2}$ or \(3 \times 10^{-2}\), in $30$ days at $25^\circ$C.",
        [
            ("paragraph", "The fee is 1.5%, 1/2 or 3 × 10^-2, in 30 days at 25°C."),
        ],
    ),
    (  # money, placeholders and brackets are none
        r"It costs $5 and $10, US$5 or $5 (US$). `$x$` is $HOME or $USER \[2\], thirty \(30\).",
        [
            ("paragraph", "It costs $5 and $10, US$5 or $5 (US$)."),
            ("paragraph", "$x$ is $HOME or $USER [2], thirty (30)."),
        ],
    ),
    (  # digits of full width, and what sets colours on a terminal
        "It is １．５％.\x1b[1;31m It costs\x1b[0m €２５\x1b.",
        [("paragraph", "It is 1.5%."), ("paragraph", "It costs €25 .")],
    ),
    ("It is `~~raw~~` here.", [("paragraph", "It is ~~raw~~ here.")]),
    (
        "See [Dr. Who](u). [1] is a note.",
        [("paragraph", "See Dr. Who."), ("paragraph", "[1] is a note.")],
    ),
    ("Line<br>break and <b>bold</b> &amp; more\\*", [("paragraph", "Line break and bold & more*")]),
    (
        "<ul><li>One seat</li>\n<li class='x'>Two</li></ul>",
        [("paragraph", "One seat"), ("paragraph", "Two")],
    ),
    (
        "<script>a('costs €5.')</script><p>The fee is 5%.</p>",
        [("code", "a('costs €5.')"), ("paragraph", "The fee is 5%.")],
    ),
    (
        "The `<script>` tag and the <style> tag. The fee is 5%. <b>A</b> <p>",
        [
            ("paragraph", "The <script> tag and the tag."),
            ("paragraph", "The fee is 5%."),
            ("paragraph", "A"),
        ],
    ),
    (
        "2 * 3 * 4 = 24 and 2*3 and snake_case_name",
        [("paragraph", "2 * 3 * 4 = 24 and 2*3 and snake_case_name")],
    ),
    (
        "a < b and c > dd. <https://x.y>",
        [("paragraph", "a < b and c > dd."), ("paragraph", "https://x.y")],
    ),
    (
        "One.\r\nTwo.\r\rThree.",
        [("paragraph", "One."), ("paragraph", "Two."), ("paragraph", "Three.")],
    ),
    ("\ufeff# Title\nText", [("heading", "Title"), ("paragraph", "Text")]),
]


@pytest.mark.parametrize("text, expected", MARKDOWN)
def test_markdown_keeps_its_meaning_and_loses_its_marks(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(sentence.block, sentence.reading.text) for sentence in split(text)] == expected


def test_marks_stay_within_the_span_of_their_sentence() -> None:
    text = "> **One.** *Two*\n> `three`"
    assert [s.span.of(text) for s in split(text)] == ["**One.**", "*Two*\n> `three`"]


def test_a_cell_points_to_itself_and_its_column() -> None:
    text = "| Plan | Price |\n|---|---|\n| Pro | $20 |"
    (row,) = split(text)
    assert row.reading.text == "Plan: Pro — Price: $20"
    assert [piece.span.of(text) for piece in row.reading.pieces] == ["Plan", "Pro", "Price", "$20"]
    assert row.span.of(text) == "| Pro | $20 |"


# --- properties ----------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    [
        *(
            "A",
            "b",
            "it",
            "The",
            "Inc",
            "Dr",
            "U.S",
            "No",
            "e.g",
            "5",
            "12",
            "J",
            "I",
            "p.m",
            "Jan",
            "好",
        ),
        *(
            ".",
            ". ",
            "? ",
            "! ",
            "...",
            " . ",
            "…",
            "。",
            ", ",
            ": ",
            " ",
            "  ",
            "\n",
            "\n\n",
            "\r\n",
        ),
        *(
            "*",
            "**",
            "_",
            "`",
            "~~",
            "[",
            "](u)",
            '](u "t")',
            "[1]",
            "<b>",
            "<br>",
            "&amp;",
            "\\",
            '"',
        ),
        *(
            "- ",
            "\n- ",
            "\n1. ",
            "\n# ",
            "\n===",
            "\n---",
            "\n| ",
            " | ",
            "|",
            "\n|---|---|",
            "\n> ",
        ),
        *(
            "\n```\n",
            "Key: value",
            "\nname: x",
            "(",
            ")",
            "\u200b",
            "\u00a0",
            "“",
            "”",
            "''",
            "``",
            "-",
        ),
        *(
            "\ud800",
            "\x00",
            "\ufeff",
            "=",
            "--- | ---\n",
            "a | b\n",
            "(a) ",
            "</p><p>",
            "<li>",
            "<script>",
            "</script>",
            "\t",
            "•",
            "é",
            "<!-- x -->",
            "2.2 ",
            "a[0].b: c",
            "; a[0].d: ",
        ),
    ]
)
TEXTS = st.one_of(st.lists(FRAGMENTS, max_size=25).map("".join), st.text(max_size=60))


def check_offsets(text: str, sentences: list[Sentence]) -> None:
    end = 0
    for sentence in sentences:
        assert end <= sentence.span.start < sentence.span.end <= len(text)
        end = sentence.span.end
        reading = sentence.reading
        assert reading.text.strip()
        assert len(reading.text) <= LONGEST + 3
        at = 0
        for piece in reading.pieces:
            assert at <= piece.at and len(piece.span) > 0
            at = piece.at + len(piece.span)
            here = reading.text[piece.at : at]
            there = plain(piece.span.of(text))
            assert len(here) == len(there)
            assert here == there or sentence.block == "code" or "&" in there
        assert at <= len(reading.text)


@given(TEXTS)
@settings(max_examples=400)
@example("A.\n**\nB")
def test_spans_ascend_and_readings_stand_where_they_say(text: str) -> None:
    check_offsets(text, split(text))
    assert split(text) == split(text)


PROSE = ("Fees", "rise", "**by**", "5%.", "It", "_is_", "[ok](u).", "\n", "U.S.", '"', "!")


@given(st.lists(st.sampled_from(PROSE), max_size=30).map(" ".join))
def test_every_visible_character_of_prose_is_in_a_sentence(text: str) -> None:
    sentences = split(text)
    covered = {at for s in sentences for at in range(s.span.start, s.span.end)}
    if sentences:
        missing = [c for at, c in enumerate(text) if at not in covered and not c.isspace()]
        assert not missing


@given(TEXTS, st.data())
@settings(max_examples=600)
@example("A **b. C** d", None)
@example("[A. B](u) c", None)
@example("He left the U.S. Inc came", None)
@example("a. b | c\n--- | ---\nd | e", None)
def test_a_closed_sentence_stays_whatever_follows(text: str, data: st.DataObject | None) -> None:
    cuts = range(len(text)) if data is None else [data.draw(st.integers(0, len(text)))]
    final = set(split(text))
    for cut in cuts:
        for closed in split(text[:cut])[:-1]:
            assert closed in final, (text[:cut], closed)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a ",
        ".",
        ". ",
        "A. ",
        "(",
        "[",
        "[a](",
        "](",
        "*",
        "**a ",
        "_",
        "`",
        "<",
        "<b ",
        "&a",
        "|",
        "| a ",
        "\n",
        "\n> ",
        "- ",
        "\\",
        '"',
        ' "',
        "# ",
        " #",
        ">",
        "a\n",
        "a: b\n",
        "```\n",
        "= ",
        "\u200b",
        "J. ",
        "好。",
        " .",
        "...",
        "'",
        ") ",
        "\n|a|\n|-|",
        "a|b\n",
        "[1]",
        "<!--",
        "Inc. ",
    ],
)
def test_time_stays_in_proportion_to_hostile_text(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    sentences = split(text)
    assert time.process_time() - started < 5
    assert all(len(sentence.reading.text) <= LONGEST + 3 for sentence in sentences)


def test_a_very_long_sentence_is_cut_at_white_space() -> None:
    text = "word " * 20_000
    sentences = split(text)
    assert all(s.reading.text.startswith("word") for s in sentences)
    assert " ".join(s.reading.text for s in sentences) == text.strip()


def test_a_table_without_a_separator_never_changes_what_was_settled() -> None:
    text = (
        "Fares: from 1 May.\nticket | zone A | all zones\nSingle | 2.60 | 4.90\nDay pass. | 6 | 9\n"
        "On foot | free\n\nAnna | Lead | Oslo\nBen | Dev | Bergen\nCity | Standard | By\n"
        "Paris | 5 | us"
    )
    whole = [(sentence.span, sentence.reading.text) for sentence in split(text)]
    assert len(whole) == 8
    for end in range(len(text)):
        part = [(sentence.span, sentence.reading.text) for sentence in split(text[:end])]
        assert part[:-1] == whole[: len(part) - 1] or not part, text[:end]


def blocks(text: str, hanging: bool = True) -> list[tuple[str, str]]:
    return [(one.block, one.reading.text) for one in split(text, hanging=hanging)]


@pytest.mark.parametrize(
    "text",
    [
        "noauto\n    do not mount at boot",
        "noauto\n\n    do not mount at boot",
        "0\n  do not mount at boot",
    ],
)
def test_a_short_line_over_deeper_ones_is_a_heading_of_a_document_alone(text: str) -> None:
    title = text.split("\n")[0]
    assert [kind for kind, _ in blocks(text)] == ["heading", "paragraph"]
    assert blocks(text)[0][1] == title
    assert "heading" not in [kind for kind, _ in blocks(text, hanging=False)]


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 5%.\n    It is due in March.",  # a sentence
        "Not allowed:\n\n    glass and food",  # what leads in
        "We offer\n\n    - courses\n    - books",
        "Ellis, M. (1911): The tides of the northern sea\n    and its islands",  # a wrapped line
        "One\ntwo\n    three",  # the last line of a paragraph
        "- item\n    goes on",
    ],
)
def test_what_is_no_heading_over_deeper_lines(text: str) -> None:
    assert "heading" not in [kind for kind, _ in blocks(text)]


LINES = [
    "OPTIONS",
    "  --force",
    "      Overwrites.",
    "   and more",
    "",
    "Ends.",
    "      - item",
    "Key: a",
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_headings_that_hang_are_settled_by_the_line_that_follows(lines: list[str]) -> None:
    text = "\n".join(lines)
    whole = split(text, hanging=True)
    for end in range(len(text)):
        begun = split(text[:end], hanging=True)
        assert begun[:-1] == whole[: len(begun[:-1])]


LOGS = [
    "2024-05-03 10:15:00 INFO a\n2024-05-03 10:15:07,123 ERROR b\n  at c()\n2024-05-03T10:16:00Z d",
    "May  3 10:15:00 host sshd: a\nMay  3 10:15:01 host sshd: b\n  at c()\nMay 13 10:15:02 host d",
    '10.0.0.1 - - [03/May/2024:10:15:00 +0000] "GET /a" 200\n'
    '10.0.0.1 - - [03/May/2024:10:15:01 +0000] "GET /b" 404\n at c()\n'
    '10.0.0.1 - - [03/May/2024:10:15:02 +0000] "GET /d" 200',
    "[Fri May 03 10:15:00 2024] a\n[Fri May 03 10:15:01 2024] b\nat c()\n[Fri May 13 10:15:02] d",
    "INFO 2024-05-03 10:15:00 a\nWARNING 2024-05-03 10:15:00 b\nat c()\nINFO 2024-05-03 10:15:00 d",
    "10:15:00.1 [main] a\n10:15:01.1 [main] b\n    at c()\n10:15:02.1 [main] d",
    "E0503 10:15:00 a\nI0503 10:15:01 b\nat c()\nI0503 10:15:02 d",
    "03.05.2024 10:15:00 a\n03.05.2024 10:15:01 b\nat c()\n03.05.2024 10:15:02 d",
    "12/03/2024, 09:14 - Ana: a\n12/03/2024, 09:15 - Bo: b\nat c()\n12/03/2024, 09:16 - Ana: d",
    "[3/12/24, 9:14\u202fAM] A: a\n[3/12/24, 9:15\u202fAM] B: b\nat c()\n[3/12/24, 9:16 PM] A: d",
]


@pytest.mark.parametrize("log", LOGS)
def test_each_line_of_a_log_is_a_passage_with_what_hangs_on_it(log: str) -> None:
    for hanging in (False, True):
        first, second, third = split(log, hanging)
        assert second.reading.text.endswith("at c()") and "c()" not in first.reading.text
        assert {first.block, second.block, third.block} == {"paragraph"}


def test_a_date_and_a_time_within_prose_begin_nothing() -> None:
    for text in (
        "The meeting that was planned for May began only on\n2024-05-03 10:15 and was short.",
        "12/03/2024 09:14 was the start and\n12/03/2024 10:14 the end of it.",
    ):
        assert words(text) == [text.replace("\n", " ")]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Your order is cancelled 🎉 Express costs $5.", 2),
        ("Your refund is here ✅ It takes two days.", 2),
        ("Express costs $5 🚚 and takes two days.", 1),
        ("✅ Express costs $5.", 1),
        ("The plan is rated 4 ★ Premium by all.", 1),
        ("What we have: 📦 Express and standard.", 1),
        ("A short one 👍", 1),
    ],
)
def test_an_emoji_before_a_capital_ends_a_sentence(text: str, sentences: int) -> None:
    assert len(split(text)) == sentences


def test_what_stands_between_backticks_is_known_as_code() -> None:
    (sentence,) = split("Call `client.close()` or **not** `a_b` at all.")
    code = [piece for piece in sentence.reading.pieces if piece.code]
    told = [sentence.reading.text[one.at : one.at + len(one.span)] for one in code]
    assert told == ["client.close()", "a_b"]
    cut = sentence.reading.cut(Span(8, 20))
    assert [piece.code for piece in cut.pieces] == [True, False]
