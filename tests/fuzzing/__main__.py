"""`python -m fuzzing --minutes 2`: each target for its share of the minutes; finds are kept.

`python -m fuzzing NAME` is one target's process, run by atheris (libFuzzer), which follows what
parts of halgo an input reaches. What it learned stays in `.cache/fuzz/NAME`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from fuzzing.targets import ROOT, TARGETS, seeds

HERE = Path(__file__).resolve().parent
FINDS = HERE / "finds"
CORPUS = ROOT / ".cache" / "fuzz"
SECONDS_EACH, MEGABYTES = 5, 2048  # of one input


def main() -> int:
    """The exit code: 1 when there is a find."""
    if len(sys.argv) > 1 and sys.argv[1] in TARGETS:
        one(sys.argv[1])
        return 0
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0, help="for all targets together")
    parser.add_argument("--targets", default=",".join(TARGETS), help="comma-separated")
    options = parser.parse_args()
    names = options.targets.split(",")
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        parser.error(f"no target {unknown[0]!r}; there are {', '.join(TARGETS)}")
    seconds = max(3, round(60 * options.minutes / len(names)))
    found = 0
    for name in names:
        found += not _fuzzed(name, seconds)
    say(f"{len(names)} targets, {seconds} s each, {found} with finds")
    return int(found > 0)


def _fuzzed(name: str, seconds: int) -> bool:
    corpus, finds = CORPUS / name, FINDS / name
    for folder in (corpus, finds):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(seed)
    command = [
        *(sys.executable, "-m", "fuzzing", name, str(corpus)),
        *(f"-max_total_time={seconds}", f"-timeout={SECONDS_EACH}", f"-rss_limit_mb={MEGABYTES}"),
        *("-max_len=20000", "-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={finds}/"),
    ]
    ran = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=seconds + 120,
    )
    executed = [line for line in ran.stderr.splitlines() if "number_of_executed_units" in line]
    many = executed[0].split()[-1] if executed else "?"
    say(f"{name:14} {many:>8} inputs {'' if ran.returncode == 0 else 'FIND'}")
    if ran.returncode:
        say(ran.stderr[-3000:])
    if not any(finds.iterdir()):
        finds.rmdir()
    return ran.returncode == 0


def say(line: str) -> None:
    """A line on stdout, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def one(name: str) -> None:
    """Runs one target until libFuzzer's limits end it."""
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris: `make fuzz` installs it where there is a build of it")
    with atheris.instrument_imports(include=["halgo"]):
        for data in seeds(name):
            TARGETS[name](data)  # imports what the target needs
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    raise SystemExit(main())
