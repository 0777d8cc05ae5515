"""HTML -> Markdown: headings, lists, tables and paragraphs kept, scripts and menus dropped.

The standard library's HTMLParser takes time in the square of a page of unfinished tags, so the
page is divided into tags and text here, each character looked at a bounded number of times.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator

from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, table, untagged
from halgo.sources.page_styles import UNSEEN, Styles
from halgo.sources.raised import written

_DROPPED = frozenset(
    ("script", "style", "nav", "noscript", "template", "svg", "iframe", "head", "select", "button")
)
_BLOCKS = frozenset(
    (
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "figure", "hr"),
        *("figcaption", "address", "dl", "dt", "dd", "form", "fieldset", "details", "summary"),
        *("body", "html"),
    )
)
_STRUCK = frozenset(("del", "s", "strike"))
_OFF_LINE = frozenset(("sup", "sub"))
_LEVELS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_OF_TABLES = _GROUPS | {"tr", "td", "th"}
_RAW = frozenset(("script", "style"))
_MARKUP = re.compile(
    r"<!--|<[!?][^<>]*>"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][A-Za-z0-9:-]{0,40})"
    r"""(?P<attributes>(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,2000}+)>"""
)
_ALT = re.compile(r"""\balt\s{0,9}=\s{0,9}(["'])([^"']{1,500})\1""", re.IGNORECASE)
_ICON = 3  # words of what stands for a picture within a sentence
# Elements that end with a tag of their own, so that what is hidden ends with them.
_HIDEABLE = frozenset(
    (
        *("div", "span", "p", "section", "article", "aside", "main", "header", "footer", "form"),
        *("table", "ul", "ol", "dialog", "figure"),
    )
)
_STYLE = re.compile(r"""\bstyle\s{0,9}=\s{0,9}(["'])([^"']{1,500})\1""", re.IGNORECASE)
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_HIDDEN = re.compile(r"(?<![\w-])hidden(?![\w-])", re.IGNORECASE)
_CHECKBOX = re.compile(r"""\btype\s{0,9}=\s{0,9}["']?checkbox\b""", re.IGNORECASE)
_CHECKED = re.compile(r"(?<![\w-])checked(?![\w-])", re.IGNORECASE)
_COLUMNS = re.compile(r"""(?<![\w-])colspan\s{0,9}=\s{0,9}["']?\s{0,9}(\d{1,9})""", re.IGNORECASE)
_ROWS = re.compile(r"""(?<![\w-])rowspan\s{0,9}=\s{0,9}["']?\s{0,9}(\d{1,9})""", re.IGNORECASE)
_MOST_COLUMNS, _MOST_ROWS = 1000, 65534  # that a cell may cover in HTML


def markdown(html: str, name: str = "the page") -> tuple[str, str, list[str]]:
    """The visible text of a page as Markdown, its title ("" when it has none), and warnings.

    Raises DocumentError, which calls the page by its `name`, when its merged cells would become
    much more text than there is.
    """
    told = Told(len(html), name)
    page = _Page(told)
    for opens, tag, content in _tokens(html):
        if not tag:
            page.data(entities.unescape(content))
        elif opens:
            page.start(tag, content)
        else:
            page.end(tag)
    page.flush()
    page.end_table()
    title = " ".join("".join(page.title).split())
    return "".join(page.blocks).lstrip("\n"), title, [*told.warnings(), *page.warnings(name)]


def _tokens(page: str) -> Iterator[tuple[bool, str, str]]:
    """(opens, tag, attributes) for each tag in lower case, (False, "", text) for text."""
    at = 0
    while at < len(page):
        found = _MARKUP.search(page, at)
        if found is None:
            yield False, "", page[at:]
            return
        if found.start() > at:
            yield False, "", page[at : found.start()]
        at = found.end()
        tag = (found.group("tag") or "").lower()
        if tag:
            opens = not found.group("close")
            yield opens, tag, found.group("attributes")
            if opens and tag in _RAW:
                end = re.compile(f"</{tag}[\\s/>]", re.IGNORECASE).search(page, at)
                begin, at = at, end.start() if end else len(page)
                if tag == "style":
                    yield False, "", page[begin:at]
        elif found.group() == "<!--":
            end_at = page.find("-->", at)
            at = end_at + 3 if end_at >= 0 else len(page)


def _is_hidden(attributes: str) -> bool:
    """Whether an element is not shown: hidden by an attribute, or by its own style."""
    style = _STYLE.search(attributes)
    return bool(_HIDDEN.search(_unquoted(attributes))) or bool(style and UNSEEN.search(style[2]))


def _unquoted(attributes: str) -> str:
    """The attributes of a tag without their quoted values."""
    return _QUOTED.sub("", attributes)


class _Page:
    """Collects blocks as their end is met. Unclosed and stray tags are tolerated."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.blocks: list[str] = []  # each with the line breaks that part it from the last
        self.after_item = False
        self.title: list[str] = []
        self.words: list[str] = []
        self.off_line: tuple[str, int] | None = None  # what is set high or low, from which word on
        self.prefix = ""
        self.lists: list[int] = []  # per open list the last number, -1 for bullets
        self.quotes = 0
        self.dropped: list[str] = []
        self.struck = 0
        self.styles = Styles()
        self.of_style = ""  # the attributes of the last style sheet's tag
        self.unseen = 0  # elements that the page's style sheets hide
        self.in_title = False
        self.pre = 0
        self.rows: list[list[Cell]] = []
        self.in_heads = False
        self.tables = 0

    def warnings(self, name: str) -> list[str]:
        found = []
        if self.struck:
            found.append(f"{name}: struck-out text is left out ({self.struck} times)")
        if self.unseen:
            found.append(f"{name}: text that its styles hide is left out ({self.unseen} times)")
        return found

    def start(self, tag: str, attributes: str) -> None:
        if tag == "title" and not self.tables:
            self.in_title = True
            return
        if tag == "body":
            self.dropped = []  # a head that was never closed
        out_of_sight = tag in _DROPPED or (tag in _HIDEABLE and _is_hidden(attributes))
        if tag == "style":
            self.of_style = attributes
        elif tag in _HIDEABLE and not out_of_sight and self.styles.hide(tag, attributes):
            self.unseen += not self.dropped
            out_of_sight = True
        if tag in _STRUCK:
            self.struck += not self.dropped
            out_of_sight = True
        if self.dropped or out_of_sight:
            if (out_of_sight or tag in self.dropped) and len(self.dropped) < 200:
                self.dropped.append(tag)
            return
        if tag in _OFF_LINE:
            self.off_line = tag, len(self.words)
        elif tag == "br":
            self.words.append(" " if self.tables else "\n")
        elif tag == "img":
            self.picture(attributes)
        elif tag == "input":
            if self.is_task(attributes):
                self.words.append("[x] " if _CHECKED.search(_unquoted(attributes)) else "[ ] ")
        elif tag == "table":
            self.open_table()
        elif self.tables:
            self.in_table(tag, attributes)
        elif tag in _LEVELS:
            self.flush()
            self.prefix = _LEVELS[tag]
        elif tag in ("ul", "ol"):
            self.flush()
            self.lists.append(-1 if tag == "ul" else 0)
        elif tag == "li":
            self.flush()
            self.prefix = self.item_mark()
        elif tag == "blockquote":
            self.flush()
            self.quotes += 1
        elif tag == "pre":
            self.flush()
            self.pre += 1
        elif tag in _BLOCKS:
            self.flush()

    def end(self, tag: str) -> None:
        if tag == "title":
            self.in_title = False
            return
        if self.dropped:
            if tag in self.dropped:
                while self.dropped.pop() != tag:
                    pass
            return
        if tag in _OFF_LINE:
            self.end_off_line(tag)
        elif tag == "table":
            if self.tables == 1:
                self.end_table()
            self.tables = max(0, self.tables - 1)
        elif self.tables:
            self.words.append(" ")
            if tag == "thead" and self.tables == 1:
                self.in_heads = False
        elif tag in ("ul", "ol"):
            self.flush()
            del self.lists[-1:]
        elif tag == "blockquote":
            self.flush()
            self.quotes = max(0, self.quotes - 1)
        elif tag == "pre":
            self.end_pre()
        elif tag in _BLOCKS or tag in _LEVELS or tag == "li":
            self.flush()

    def data(self, data: str) -> None:
        if self.in_title:
            self.title.append(data)
        elif self.dropped[-1:] == ["style"]:
            self.styles.read(data, self.of_style)
        elif not self.dropped:
            self.words.append(data if self.pre else re.sub(r"[ \t\r\n\f]+", " ", data))

    def picture(self, attributes: str) -> None:
        """What is told in a picture's place: a sentence apart, a word or two among the others."""
        alt = _ALT.search(attributes)
        text = entities.unescape(alt.group(2)) if alt else ""
        apart = len(text.split()) > _ICON and not self.pre
        if apart:
            self.flush()
        self.words.append(f" {text} " if text else "")
        if apart:
            self.flush()

    def end_off_line(self, tag: str) -> None:
        """Write what is set high or low as such, where it began in the block under way."""
        if self.off_line is not None and self.off_line[0] == tag:
            at = self.off_line[1]
            self.words[at:] = [written("".join(self.words[at:]), tag)]
        self.off_line = None

    def taken(self) -> str:
        """The words under way, which are not any more."""
        text = "".join(self.words)
        self.words, self.off_line = [], None
        return text

    def item_mark(self) -> str:
        depth = "  " * min(max(len(self.lists) - 1, 0), 8)
        if self.lists and self.lists[-1] >= 0:
            self.lists[-1] += 1
            return f"{depth}{self.lists[-1]}. "
        return f"{depth}- "

    def is_task(self, attributes: str) -> bool:
        """Whether a field is the box of a task: the first thing in a list's item."""
        begins = bool(self.prefix.strip("# ")) and not "".join(self.words).strip()
        return begins and not self.tables and _CHECKBOX.search(attributes) is not None

    def flush(self) -> None:
        """End the block under way."""
        if self.tables:
            return
        text = self.taken()
        if self.pre:
            if text.strip():
                self.words.append(text)
            return
        lines = (" ".join(line.split()) for line in text.split("\n"))
        body = "\n".join(line for line in lines if line)
        if not body:
            return
        body = self.prefix + untagged(body)
        if self.quotes:
            body = "\n".join("> " + line for line in body.split("\n"))
        self.add(body, item=self.prefix.lstrip()[:1] in tuple("-123456789"))
        self.prefix = ""

    def add(self, body: str, item: bool = False) -> None:
        """Append a block; the items of a list stand line by line."""
        self.blocks.append(("\n" if item and self.after_item else "\n\n") + body)
        self.after_item = item

    def end_pre(self) -> None:
        text = self.taken().strip("\n")
        self.pre = max(0, self.pre - 1)
        if text.strip():
            fence = "````" if "```" in text else "```"
            self.add(f"{fence}\n{text}\n{fence}")

    def open_table(self) -> None:
        if not self.tables:
            self.flush()
            self.rows = []
            self.in_heads = False
        self.tables += 1

    def in_table(self, tag: str, attributes: str) -> None:
        """A tag inside a table; a table within a table is read as part of its cell."""
        if self.tables > 1 or tag not in _OF_TABLES:
            self.words.append(" ")
            return
        if tag in _GROUPS:
            self.in_heads = tag == "thead"
            if self.rows and self.rows[-1]:
                self.words.append(" ")  # within a cell, which goes on
            else:
                self.end_cell()
            return
        self.end_cell()
        if tag == "tr" or not self.rows:
            self.rows.append([])
        if tag != "tr":
            columns = min(_number(_COLUMNS, attributes) or 1, _MOST_COLUMNS)
            rows = min(_number(_ROWS, attributes) or _MOST_ROWS, _MOST_ROWS)  # 0: all that follow
            self.rows[-1].append(Cell("", columns, rows, self.in_heads or tag == "th"))

    def end_cell(self) -> None:
        """Give the words under way to the cell they stand in."""
        text = " ".join(self.taken().split())
        if not text:
            return
        if self.rows and self.rows[-1]:
            cell = self.rows[-1][-1]
            self.rows[-1][-1] = cell._replace(text=(cell.text + " " + text).strip())
        else:
            self.add(untagged(text))  # a caption, or text beside the cells

    def end_table(self) -> None:
        """Write the table as Markdown."""
        if not self.tables:
            return
        self.end_cell()
        text = table(self.rows, self.told)
        self.rows = []
        if text:
            self.add(text)


def _number(written: re.Pattern[str], attributes: str) -> int:
    """The number that an attribute gives, 1 where it is not there."""
    found = written.search(attributes)
    return int(found[1]) if found else 1
