"""The pre-commit hook: gets the models that are missing, then runs `halgo check` on its arguments.

pre-commit makes an environment of its own for a hook, from the package index; the first run brings
the models into it in the same way. Later runs open no connection.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from halgo.adapters.cli import main as halgo


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of `halgo check`, or of getting the models."""
    from halgo import models

    words = list(sys.argv[1:] if arguments is None else arguments)
    if any(status.found is None and status.wrong for status in models.status(full=False)):
        code = halgo(["models", "fetch"])
        if code:
            return code
    return halgo(["check", *words])


if __name__ == "__main__":
    sys.exit(main())
