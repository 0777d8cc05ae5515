"""A cell with a list of texts written as text -> the list, as JSON has it and as Python writes it.

A table of pandas keeps lists, and its CSV has them as Python or numpy prints them: `['a', "b's"]`,
`['a' 'b']`. Nothing is run to read them: the whole cell has to be quoted texts and nothing else.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

WRITE_JSON = "looks like a list of Python, or one cut short, but is read as one text; write JSON"
LONGEST = 10_000_000  # characters of a cell in Python's form

# Only what Python itself writes in a text, so that none of it is read with a guess. Text by text:
# to Python, two of numpy's texts side by side would be one.
_ESCAPED = r"\\(?:[\\'\"nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_TEXT = rf"""(?:'(?:[^'\\\r\n]++|{_ESCAPED})*+'|"(?:[^"\\\r\n]++|{_ESCAPED})*+")"""
_WHOLE = re.compile(rf"\[\s*+{_TEXT}(?:(?:\s*+,\s*+|\s++){_TEXT})*+\s*+\]")
_ONE = re.compile(_TEXT)
_BEGUN = re.compile(r"\[\s*+(?:(?:None|nan),\s*+)*+(?:\{\s*+)?['\"]")


def texts_of(cell: Any) -> Any:
    """The list of texts that a cell holds as JSON or as Python writes it; another as it is."""
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return cell
    found = _json(cell)
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return found
    text = cell.strip()
    if len(text) > LONGEST or not _WHOLE.fullmatch(text):
        return cell
    try:
        return [ast.literal_eval(one) for one in _ONE.findall(text)]
    except (ValueError, SyntaxError):  # a NUL, an escape beyond Unicode
        return cell


def looks_listed(cell: Any) -> bool:
    """Whether a cell is a text that begins like a list, but is none that was read."""
    return isinstance(cell, str) and bool(_BEGUN.match(cell.strip())) and _json(cell) is None


def json_list(cell: Any) -> Any:
    """The list that a cell holds as JSON, whatever is in it; another cell as it is."""
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return cell
    found = _json(cell)
    return cell if found is None else found


def _json(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None
