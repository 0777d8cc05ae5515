"""EPUB -> Markdown: the pages of a book in reading order, each as a web page is read.

Files are those of EPUB 3.3 (W3C): a container names the package, which lists the pages.
"""

from __future__ import annotations

import codecs
import posixpath
from urllib.parse import unquote

from halgo.sources.office_parts import opened
from halgo.sources.webpages import markdown

_CONTAINER = "META-INF/container.xml"
_RIGHTS = "META-INF/rights.xml"


def read_epub(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The text of a book as Markdown, its title as metadata.

    Raises DocumentError when the file is damaged, its pages are encrypted, or it unpacks to more
    than one of its size does.
    """
    with opened(data, name, "EPUB") as (parts, told):
        if _RIGHTS in parts:
            raise ValueError("its pages are encrypted")
        package = next(
            (
                unquote(it.get("full-path", ""))
                for it in parts.parsed(_CONTAINER).iterfind(".//{*}rootfile")
            ),
            "",
        )
        root = parts.parsed(package)
        places = {
            item.get("id"): posixpath.normpath(
                posixpath.join(posixpath.dirname(package), unquote(item.get("href", "")))
            )
            for item in root.iterfind("{*}manifest/{*}item")
            if "html" in item.get("media-type", "")
        }
        texts: list[str] = []
        warnings: list[str] = []
        for listed in root.iterfind("{*}spine/{*}itemref"):
            place = places.get(listed.get("idref"))
            if place is None or place not in parts:
                continue
            page = parts.unpacked(place)  # UTF-8 or UTF-16, by the standard
            coded = "utf-16" if page[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8"
            text, _, odd = markdown(page.decode(coded, "replace"), name)
            told.more(len(text))
            texts.append(text)
            warnings += odd
        title = root.findtext("{*}metadata/{http://purl.org/dc/elements/1.1/}title", "").strip()
        return "\n\n".join(filter(None, texts)), {"title": title} if title else {}, warnings
