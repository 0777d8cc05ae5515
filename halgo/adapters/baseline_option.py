"""`halgo check --baseline` and `--write-baseline`: which findings are known, and their file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo.adapters.shell import GROUNDED, require_writable, tell, write_file
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.adapters.answers import Given
    from halgo.report.baseline import Baseline
    from halgo.report.located import Located

Known = Annotated[
    Path | None,
    typer.Option("--baseline", help="Known findings: shown, and no reason for exit code 1."),
]
Written = Annotated[
    Path | None, typer.Option("--write-baseline", help="File to write this run's findings to.")
]


class Baselines:
    """Both options of one run. Raises ConfigError for a baseline that cannot be read.

    Without --baseline what --write-baseline writes is known from here on, so it fails nothing.
    """

    def __init__(self, known: Path | None, written: Path | None) -> None:
        self.known = known
        self.written = written
        self._held: Baseline | None = None
        require_writable(written, "--write-baseline")
        if known is None and written is None:
            return
        from halgo.report.baseline import Baseline, load

        self._held = Baseline(None if known is None else load(known))

    def mark(self, located: Located) -> Located:
        """The report with its known findings marked."""
        return located if self._held is None else self._held.mark(located)

    def marked(self, checks: Iterable[Located | Given]) -> Iterator[Located | Given]:
        """The same for reports as they come, and for answers that could not be read."""
        from halgo.report.located import Located

        for one in checks:
            if self._held is not None and not isinstance(one, Located):
                self._held.unread(one.path)
            yield self.mark(one) if isinstance(one, Located) else one

    def settle(self, code: int) -> None:
        """Says what was known, new and gone, and writes the findings of a run that passes."""
        held = self._held
        if held is None:
            return
        gone = len(held.gone)
        if self.known is not None:
            shown = printable(str(self.known))
            known = len(held.found) - held.new
            anew = "" if self.written else f"; --write-baseline {shown} beside it takes them out"
            rest = f", {_counted(gone)} of it gone{anew}" if gone else ""
            tell(f"halgo: {shown}: {_counted(known)} known, {held.new:,} new{rest}")
        if self.written is None:
            return
        shown = printable(str(self.written))
        if code != GROUNDED:
            tell(f"halgo: {shown} is not written: the run ends with exit code {code}")
            return
        from halgo.report.baseline import to_json

        findings = [*held.found, *held.kept]
        write_file(self.written, to_json(findings, self.written))
        tell(f"halgo: {shown}: {_counted(len(findings))} written")


def _counted(count: int) -> str:
    return f"{count:,} finding{'' if count == 1 else 's'}"
