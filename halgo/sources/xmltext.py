"""XML -> values: elements and attributes by name, elements of one name as a list.

Feeds, configurations and exports are records in nested elements. What has words between its
elements, "Use <code>x</code> now", is text and read as such.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from halgo.sources.jsontext import NotOfKind, all_kept

_DEEPEST = 100
_LONGEST = 50_000_000  # characters; as a tree they take ten times as much
# A document type may define entities that repeat one another without end; none is needed here.
_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_words = str.split
_HTML = frozenset(
    _words(
        "html head body div span p a b i em strong br hr ul ol li dl table tr td th thead tbody h1 "
        "h2 h3 h4 h5 h6 img code pre blockquote section article main nav header footer form svg "
        "script style details summary figure font center small sub sup u s mark"
    )
)


def loads(text: str) -> tuple[Any, list[str]]:
    """The value of a text's root element, under its name, and no remarks. Raises NotOfKind."""
    if len(text) > _LONGEST:
        raise NotOfKind(f"it has more than {_LONGEST:,} characters")
    if _DOCTYPE.search(text):
        raise NotOfKind("XML with a document type is not read")
    try:
        root = ElementTree.fromstring(text.lstrip("\ufeff \t\r\n"))
    except ElementTree.ParseError as error:
        raise NotOfKind(f"not valid XML at line {error.position[0]}") from error
    except (ValueError, RecursionError) as error:
        raise NotOfKind("not valid XML") from error
    return {_name(root.tag): _value(root, 0)}, []


def records(text: str) -> tuple[Any, list[str]] | None:
    """`loads` of a text that is XML with elements in its root; None for others, HTML among them."""
    begun = text.lstrip("\ufeff \t\r\n")
    if not (begun.startswith("<") and begun.rstrip().endswith(">")):
        return None
    try:
        value, remarks = loads(text)
    except NotOfKind:
        return None
    ((name, held),) = value.items()
    return (value, remarks) if isinstance(held, dict) and name.lower() not in _HTML else None


def _value(element: ElementTree.Element, depth: int) -> Any:
    if depth > _DEEPEST:
        raise NotOfKind(f"it is nested deeper than {_DEEPEST} levels")
    own = " ".join((element.text or "").split())
    children = list(element)
    if any((child.tail or "").strip() for child in children):
        own, children = " ".join("".join(element.itertext()).split()), []
    held: list[tuple[str, Any]] = [(_name(key), value) for key, value in element.attrib.items()]
    held += ((_name(child.tag), _value(child, depth + 1)) for child in children)
    found, _ = all_kept(held)
    if not found:
        return own
    return {**found, "text": own} if own else found


def _name(tag: Any) -> str:
    """A tag without its namespace; comments and instructions have none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else "note"
