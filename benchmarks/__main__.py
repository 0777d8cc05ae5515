"""python -m benchmarks COMMAND: every figure we state."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "accuracy": "ROC-AUC and balanced accuracy of every system on the labelled sets",
    "pairs": "a true and a false twin of the same claim, kind by kind",
    "answers": "claims as an answer would put them, true and false",
    "everyday": "claims about documents of many kinds, with tables and records, true and false",
    "contexts": "claims about several retrieved documents at once, of the same kind or one thing",
    "numbers": "numbers and times in another form or worked out, a true and a false twin",
    "rows": "claims over several rows of a table: the cheapest, two of four, all, only, a total",
    "asked": "short answers, each with its question and without: a value, a name, yes or no",
    "ablation": "each rule left out in turn, on our own claims: what it wins and what it spoils",
    "altered": "figures altered by chance, a digit, the sign, tenfold: how many still pass",
    "redteam": "fabrications made by rule: how many are caught, kind by kind",
    "grounded": "whole answers: every claim, the least score, or a probability of the whole",
    "spans": "the words marked as unsupported against those that annotators marked",
    "invariants": "what must not change a verdict, over documents of the labelled sets",
    "profile": "where the time of indexing and checking goes, stage by stage; the price",
    "speed": "time and memory against what halgo stands on",
    "sizing": "bytes a passage, seconds a claim, and the arithmetic to 10^9 of them",
    "stores": "LanceDB and PostgreSQL as vector stores: time, size, recall",
    "cold": "from the shell to the first verdict, in a fresh process, and where the time goes",
    "callers": "threads that share calls of the models beside one; processes and their memory",
    "soak": "eight threads in four processes on one index: equal reports and flat memory",
    "scale": "an index of a million passages on disk: opening, memory, recall, time of a check",
    "slim": "size of a fresh environment with halgo and its models, and README's example in it",
    "leak": "what a stream lets out before it is checked, and how soon it shows a sentence",
    "page": "a report page of 500 claims and 200 pages in a browser: opening it, and every click",
    "serving": "a running server under load, beside check_many on the same texts",
    "bulk": "a long list of answers: n processes of `halgo batch` beside one",
    "hook": "the stop hook of a coding agent: how long it takes, alone and beside a server",
    "fit": "fit the coefficients of the default score on the labelled sets",
    "tables": "write the tables of README.md and docs/ from the results; --check compares",
    "warm": "fill the cache of vectors and parses, for experiments",
}


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code: 0 done, 1 a check failed, 2 wrong usage, or no labelled sets or model."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help") or words[0] not in COMMANDS:
        asked = words and words[0] in ("-h", "--help")
        lines = [f"  {name:10} {about}" for name, about in COMMANDS.items()]
        out = sys.stdout if asked else sys.stderr
        print("usage: python -m benchmarks COMMAND [--help]\n\n" + "\n".join(lines), file=out)
        return 0 if asked else 2
    from benchmarks.data import DataError
    from halgo.errors import HalgoError

    command = importlib.import_module(f"benchmarks.{words[0]}")
    try:
        return int(command.main(words[1:]))
    except (DataError, HalgoError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
