"""A table in memory (pandas, Polars, Arrow) -> a table of verdicts of the same kind.

Row by row, in the order of the table, so that the two can be put side by side. None of the three
packages is imported unless its table is given.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.bulk.answer_rows import ANSWERS as ANSWER_COLUMNS
from halgo.bulk.answer_rows import ID, QUESTION, Columns, Row, made
from halgo.bulk.part_files import arrow_table
from halgo.bulk.row_checker import LONGEST, RowChecker
from halgo.bulk.verdict_rows import ANSWERS, CLAIMS, Kinds, answer_row, claim_rows

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm


def frame(
    table: Any,
    against: Checker | str | Path | None = None,
    *,
    answer: str | None = None,
    id: str = ID,
    documents: str | None = None,
    question: str | None = None,
    halgorithm: Halgorithm | None = None,
    claims: bool = False,
    report: bool = True,
    longest: int = LONGEST,
) -> Any:
    """A row of verdicts for each row of a table, in its order; a table of the same kind.

    table: a pandas or Polars DataFrame, a pyarrow Table or RecordBatch, or any object that hands
    out Arrow (`__arrow_c_stream__`), for which a pyarrow Table comes back. The index of a pandas
    frame stays. against: a Checker or the path of a saved index, for all rows; or documents: the
    column with each row's own: a text, a mapping with a text, or a list of these. answer, id,
    question: the columns with the answer (the first of "answer", "response" and "output" unless
    given), the id, and what the answer is given to ("question" unless given, where it is there).
    halgorithm: settings and models where there is no Checker. claims: a row a claim instead, with
    the id and the row that it belongs to. report: whether each row holds its report as JSON.
    Raises ValueError for a column that is not there, TypeError for what is no table.
    """
    checker = TableChecker(
        against,
        answer=answer,
        id=id,
        documents=documents,
        question=question,
        halgorithm=halgorithm,
        claims=claims,
        report=report,
        longest=longest,
    )
    return checker(table)


class TableChecker:
    """`halgo.frame` for many tables, one after the other; models are loaded once.

    Takes what `frame` takes. Made for engines that hand out a large table in batches: Ray Data's
    `map_batches(TableChecker, ...)`, Spark's `mapInPandas`. Can be pickled as long as it was given
    a path or a column of documents and has not checked anything.
    """

    def __init__(
        self,
        against: Checker | str | Path | None = None,
        *,
        answer: str | None = None,
        id: str = ID,
        documents: str | None = None,
        question: str | None = None,
        halgorithm: Halgorithm | None = None,
        claims: bool = False,
        report: bool = True,
        longest: int = LONGEST,
    ) -> None:
        if (against is None) == (documents is None):
            raise ValueError(
                "give one of the two: against (a Checker or a saved index), for all rows, or "
                "documents, the column that holds each row's own"
            )
        self.against = against
        self.columns = Columns(answer, id, documents, question)
        self.halgorithm = halgorithm
        self.claims, self.report, self.longest = claims, report, longest
        self._checker: RowChecker | None = None

    def __call__(self, table: Any) -> Any:
        """A table of verdicts of the same kind, a row for each row, in order."""
        given = _columns(table)
        self._require(list(given))
        self._require_no_column(given)
        kinds = CLAIMS if self.claims else ANSWERS
        rows: list[dict[str, Any]] = []
        for found in self._loaded()(list(self._rows(given))):
            for row, outcome in found:
                if self.claims:
                    rows += claim_rows(row, outcome)
                else:
                    rows.append(answer_row(row, outcome, report=self.report))
        return _alike(table, rows, kinds)

    def _loaded(self) -> RowChecker:
        if self._checker is None:
            from halgo.api import shared
            from halgo.checker import Checker

            against, halgorithm = self.against, self.halgorithm or shared()
            if isinstance(against, (str, Path)):
                against = Checker.from_index(against, halgorithm=halgorithm)
            self._checker = RowChecker(halgorithm, against, longest=self.longest)
        return self._checker

    def _require(self, there: Sequence[str]) -> None:
        wanted = self.columns
        answers = ANSWER_COLUMNS if wanted.answer is None else (wanted.answer,)
        named = (
            ("answer", answers),
            ("documents", (wanted.documents,)),
            ("question", (wanted.question,)),
            ("id", (wanted.id if wanted.id != ID else None,)),
        )
        for name, some in named:
            if some != (None,) and not set(some) & set(there):
                raise ValueError(
                    f"no column {' or '.join(map(repr, some))}; there are "
                    f"{', '.join(map(repr, there[:20])) or 'none'}: {name}='...' names one"
                )

    def _require_no_column(self, there: Container[str]) -> None:
        """Raises ValueError where what was given as an index can only be meant as a column."""
        name = self.against
        if isinstance(name, str) and name in there and not Path(name).exists():
            raise ValueError(
                f"there is no index {name!r}, but a column of that name; did you mean "
                f"documents={name!r}?"
            )

    def _rows(self, given: Mapping[str, Any]) -> Iterator[Row]:
        own = self.columns
        asked = own.question or QUESTION
        wanted = (*ANSWER_COLUMNS, own.answer, own.id, own.documents, asked)
        held = {name: _values(given[name]) for name in wanted if name is not None and name in given}
        names = tuple(held)
        for number, values in enumerate(zip(*held.values(), strict=True)):
            yield made(number, dict(zip(names, values, strict=True)), own)


def _columns(table: Any) -> dict[str, Any]:
    """The columns of a table by name. Raises TypeError for what is none."""
    kind = _kind(table)
    if kind == "pandas":
        return {str(name): table[name] for name in table.columns}
    if kind == "polars":
        return {name: table[name] for name in table.columns}
    arrow_form = _arrow(table) if kind == "stream" else table
    return {name: arrow_form.column(at) for at, name in enumerate(arrow_form.schema.names)}


def _kind(table: Any) -> str:
    """Which package a table is of, told without importing any."""
    for kind in type(table).__mro__:
        home, name = kind.__module__.partition(".")[0], kind.__name__
        if (home, name) in (("pandas", "DataFrame"), ("polars", "DataFrame")):
            return home
        if home == "pyarrow" and name in ("Table", "RecordBatch"):
            return name
        if (home, name) == ("polars", "LazyFrame"):
            raise TypeError("a LazyFrame has no rows yet; give table.collect()")
    if hasattr(table, "__arrow_c_stream__"):
        return "stream"
    raise TypeError(
        "a table is a pandas or Polars DataFrame, a pyarrow Table or RecordBatch, or hands out "
        f"Arrow; this is {type(table).__name__}"
    )


def _arrow(table: Any) -> Any:
    from halgo.bulk.answer_rows import arrow

    pyarrow, _ = arrow()
    return pyarrow.table(table)


def _values(column: Any) -> list[Any]:
    """A column as plain values; what pandas has for a value that is missing is None."""
    if hasattr(column, "to_pylist"):
        values: list[Any] = column.to_pylist()
        return values
    if hasattr(column, "to_list") and not hasattr(column, "isna"):
        return list(column.to_list())
    missing = column.isna().tolist()
    return [None if gone else _plain(value) for gone, value in zip(missing, column, strict=True)]


def _plain(value: Any) -> Any:
    """A value of pandas as Python has it: lists come from Parquet as arrays of numpy."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def _alike(table: Any, rows: Sequence[Mapping[str, Any]], kinds: Kinds) -> Any:
    """A table of the same package with these rows."""
    kind = _kind(table)
    columns = {name: [row[name] for row in rows] for name in kinds}
    if kind == "pandas":
        return _pandas(table, columns, kinds)
    if kind == "polars":
        return _polars(columns, kinds)
    made_ = arrow_table(rows, kinds)
    if kind != "RecordBatch":
        return made_
    batches = made_.combine_chunks().to_batches()
    return batches[0] if batches else type(table).from_pylist([], schema=made_.schema)


def _pandas(table: Any, columns: Mapping[str, list[Any]], kinds: Kinds) -> Any:
    import pandas

    types = {"whole": "Int64", "number": "Float64", "bool": "boolean", "text": "string"}
    series = {
        name: pandas.Series(values, dtype=types.get(kinds[name], "object"))
        for name, values in columns.items()
    }
    made_ = pandas.DataFrame(series)
    if len(made_) == len(table) and "claim_id" not in kinds:
        made_.index = table.index
    return made_


def _polars(columns: Mapping[str, list[Any]], kinds: Kinds) -> Any:
    import polars

    types = {
        "whole": polars.Int64,
        "number": polars.Float64,
        "bool": polars.Boolean,
        "text": polars.String,
        "texts": polars.List(polars.String),
    }
    return polars.DataFrame(
        dict(columns), schema={name: types[kind] for name, kind in kinds.items()}
    )
