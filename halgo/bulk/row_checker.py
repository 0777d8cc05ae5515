"""Rows -> their Reports, a batch at a time; of a row that cannot be checked, why.

Answers of one batch that share their documents are checked together. What is wrong with one row
(no text, too long, odd documents, a fault of ours on its text) is that row's error and nobody
else's; what is wrong with the machine (a model or disk that is missing) is raised.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from halgo.bulk.answer_rows import Row
from halgo.bulk.list_cells import WRITE_JSON, looks_listed
from halgo.errors import IndexFormatError, IndexMismatchError, ModelNotFoundError
from halgo.report.report import Report

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm

BATCH = 32  # answers that are checked together
LONGEST = 100_000  # characters of an answer
_KEPT = 8  # sets of documents whose index is kept: rows that follow each other often share theirs

# What is wrong with the next row too.
_OF_ALL = (ModelNotFoundError, IndexFormatError, IndexMismatchError, ImportError, MemoryError)

Found = tuple[Row, Report | str]


class RowChecker:
    """Checks rows, each against its own documents or all against those of one Checker.

    checker: for all rows; None where each row brings its documents. longest: characters of an
    answer; a longer one is an error of its row.
    """

    def __init__(
        self, halgorithm: Halgorithm, checker: Checker | None = None, *, longest: int = LONGEST
    ) -> None:
        self.halgorithm = halgorithm
        self.checker = checker
        self.longest = longest
        self._made: OrderedDict[str, Checker | str] = OrderedDict()

    def __call__(self, rows: Sequence[Row]) -> Iterator[list[Found]]:
        """Rows and what was found, in order, in lists of at most BATCH."""
        for at in range(0, len(rows), BATCH):
            yield self._batch(rows[at : at + BATCH])

    def _batch(self, rows: Sequence[Row]) -> list[Found]:
        found: dict[int, Report | str] = {}
        wanted: list[tuple[str, Row]] = []
        for row in rows:
            why = self._refused(row)
            if why is not None:
                found[row.number] = why
            else:
                wanted.append(("" if self.checker else _key(row.documents), row))
        wanted.sort(key=lambda pair: pair[0])
        for key, pairs in groupby(wanted, key=lambda pair: pair[0]):
            some = [row for _, row in pairs]
            checker = self.checker or self._of_documents(key, some[0].documents)
            if isinstance(checker, str):
                found.update((row.number, checker) for row in some)
            else:
                found.update(_reports(checker, some))
        return [(row, found[row.number]) for row in rows]

    def _refused(self, row: Row) -> str | None:
        if row.text is None:
            return row.error or "the answer is null"
        if len(row.text) > self.longest:
            return (
                f"the answer has {len(row.text):,} characters; at most {self.longest:,} are "
                "checked (--longest)"
            )
        return None

    def _of_documents(self, key: str, given: Any) -> Checker | str:
        """The Checker of a row's own documents, or what is wrong with them."""
        if key not in self._made:
            last = next(reversed(self._made.values()), None)
            self._made[key] = self._build(given, None if isinstance(last, str) else last)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]

    def _build(self, given: Any, last: Checker | None) -> Checker | str:
        from halgo.checker import Checker
        from halgo.integrations.contexts import sources
        from halgo.sources.documents import to_documents

        try:
            documents, warnings = to_documents(sources(given))
            if looks_listed(given):
                warnings = [f"the cell of the documents {WRITE_JSON}", *warnings]
            # Contexts of rows overlap: what the last index holds is not read again.
            previous = last.index if last is not None else None
            return Checker.of(self.halgorithm, documents, warnings, previous)
        except _OF_ALL:
            raise
        except Exception as error:
            return f"documents: {_said(error)}"


def _reports(checker: Checker, rows: Sequence[Row]) -> list[tuple[int, Report | str]]:
    texts = [row.text or "" for row in rows]
    questions = [row.question for row in rows]
    try:
        reports: Sequence[Report | str] = checker.check_many(texts, questions)
    except _OF_ALL:
        raise
    except Exception:
        reports = [_alone(checker, *one) for one in zip(texts, questions, strict=True)]
    return [(row.number, report) for row, report in zip(rows, reports, strict=True)]


def _alone(checker: Checker, text: str, question: str | None) -> Report | str:
    """The report on one text of several of which one cannot be checked."""
    try:
        return checker.check(text, question)
    except _OF_ALL:
        raise
    except Exception as error:
        return f"internal error: {_said(error)}"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:1000]


def _key(documents: Any) -> str:
    return json.dumps(documents, sort_keys=True, default=str)
