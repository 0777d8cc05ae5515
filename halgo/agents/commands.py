"""A command line of a shell -> the programs it ran, what each is for, and how each ended.

Only as far as it can be known: one exit code stands for the whole line, so "a | tail" says nothing
of a, and of "a && b" that failed, either may have.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Job(StrEnum):
    """What a program is run for."""

    TESTS = "tests"
    BUILD = "build"
    LINT = "lint"
    TYPES = "type check"
    COMMIT = "commit"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a command line, its words without what only sets the scene (env, npx, time).

    `ended`: whether it succeeded; None where the line's exit code does not tell.
    """

    words: tuple[str, ...]
    job: Job | None
    ended: bool | None

    @property
    def line(self) -> str:
        """Its words as they are read, one space between."""
        return " ".join(self.words)


_JOBS = {
    Job.TESTS: r"pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|go test"
    r"|cargo (?:test|nextest)|(?:npm|pnpm|yarn|bun|deno) (?:run )?(?:test|t)(?:[:\w-]*)?"
    r"|(?:make|just|rake|rails|mix|swift|dotnet|hatch|sbt|zig build|node --)\s?tests?"
    r"|make check|(?:mvnw?|gradlew?) .*\b(?:test|verify|check)|playwright test|cypress run"
    r"|manage\.py test|bazel test",
    Job.BUILD: r"(?:npm|pnpm|yarn|bun) (?:run )?build(?:[:\w-]*)?|cargo build|go build|make build"
    r"|(?:mvnw?|gradlew?) .*\b(?:build|package|assemble)|dotnet build|swift build|docker build"
    r"|next build|vite build|webpack|tsup|rollup|cmake --build|just build",
    Job.LINT: r"ruff(?: check)?|flake8|pylint|eslint|cargo clippy|golangci-lint|rubocop|biome"
    r"|(?:npm|pnpm|yarn|bun) (?:run )?lint(?:[:\w-]*)?|make lint|stylelint|shellcheck",
    Job.TYPES: r"mypy|pyright|basedpyright|tsc|vue-tsc|ty check|pyre"
    r"|(?:npm|pnpm|yarn|bun) (?:run )?(?:type-?check|tsc)",
    Job.COMMIT: r"git commit",
    Job.PUSH: r"git push",
}
_KNOWN = {job: re.compile(rf"(?:{names})(?=\s|$)") for job, names in _JOBS.items()}
# Asking a program about itself is not running it; "ruff format" is no lint.
_ONLY_ASKS = re.compile(
    r"\s(?:--version|-V|--help|-h|--collect-only|--co|--fixtures|--list(?:Tests)?|--no-run"
    r"|--dry-run|--setup-only)(?=\s|$)|^ruff format\b"
)

# What comes before the program that is meant, and the options of it that take a word of their own.
_SCENE = re.compile(
    r"(?:[A-Za-z_]\w*=\S*|env|sudo|time|nice|nohup|command|exec|npx|bunx|bundle exec|pnpm exec"
    r"|pnpm dlx|yarn dlx|poetry run|pipenv run|pdm run|hatch run|uv run|rye run|xvfb-run"
    r"|(?:timeout|gtimeout)(?: -\S+)* \d+[smh]?|python[\d.]* (?:-\w )*-m"
    r"|coverage run -m)\s+"
)
# A message given as a document within the line, as in git commit -m "$(cat <<'EOF' ...".
_MESSAGE = re.compile(r"\"\$\(cat <<-?\s*'?(\w+)'?\n.*?\n\s*\1\s*\)\"", re.DOTALL)
_words = str.split
_LONGEST = 20_000  # characters of a command line
_PATH = re.compile(r"(?:\S*/)(?=[\w.-]+(?:\s|$))")
_GIT_PLACE = re.compile(r"^git -C \S+ ")
_STAGE = frozenset({"cd", "export", "set", "source", ".", "pushd", "popd", "mkdir", "echo", "true"})
_BREAKS = frozenset({"&&", "||", ";", "|", "|&", "&", "\n", "(", ")", ";;"})

# Programs that leave every file as it is, so long as nothing is led into one.
_READERS = frozenset(
    _words(
        "cd ls cat head tail grep rg egrep fgrep wc echo printf pwd which type true test [ stat"
        " file du df diff cmp sort uniq cut tr jq tree less more env printenv date whoami uname ps"
        " sleep export set source . nl basename dirname realpath readlink column comm seq hexdump"
        " xxd md5sum sha256sum"
    )
)
_GIT_READERS = frozenset(
    _words(
        "status diff log show branch remote blame grep ls-files rev-parse describe commit push"
        " fetch add config shortlog tag"
    )
)
# An interpreter with a file, a runner of tasks, a file that is run, a name that speaks of judging.
_SCRIPT = re.compile(
    r"^(?:bash|sh|zsh)\b"
    r"|^(?:python[\d.]*|node|ruby|perl|php|deno|bun|java)\b(?! (?:-[ceV]\b|--version))"
    r"|^(?:make|just|task|npm|pnpm|yarn|docker|podman|ssh|xargs|parallel|watch)\b"
    r"(?! (?:install|i|ci|add|ls|ps|images|clean|format|fmt|--version)\b)"
    r"|^[\w.-]+\.(?:sh|py|js|ts|rb|pl)\b|^[\w.-]*(?:test|check|verify|spec|build)"
    r"|\b(?:python[\d.]*|node|bash|sh|ruby) -?\s*<<"
)
_FIXES = re.compile(
    r"\s(?:--fix\S*|--write|-w|--snapshot-update|-u|--update-?[sS]napshots?)(?=\s|$)"
)


def programs(command: str, exit_code: int | None) -> list[Program] | None:
    """The programs of a command line, in order; None where it cannot be taken apart."""
    parts = _parts(command)
    if parts is None:
        return None
    found = []
    for at, (words, _) in enumerate(parts):
        line = _bare(words)
        ended = _ended(parts, at, exit_code)
        found.append(Program(tuple(line.split()), _job(line), ended))
    return found


def leaves_files_alone(command: str) -> bool:
    """Whether it is sure that the command changes no file that anyone would speak of."""
    parts = _parts(command)
    return parts is not None and all(_reads(words) for words, _ in parts)


def may_judge(command: str) -> bool:
    """Whether the command may run tests or a build in a way that is not known here: a script."""
    parts = _parts(command)
    if parts is None:
        return _SCRIPT.search(command) is not None
    lines = [_bare(words) for words, _ in parts if words]
    return any(_job(line) is None and _SCRIPT.search(line) for line in lines)


def removes_files(command: str) -> bool:
    """Whether the command may take a change back: rm, mv, git restore and their like."""
    parts = _parts(command)
    if parts is None:
        return True
    return any(re.match(r"rm |mv |git (?!\w+ -)", f"{_bare(words)} ") for words, _ in parts) and (
        not leaves_files_alone(command)
    )


def _parts(command: str) -> list[tuple[list[str], str]] | None:
    """The words of each program, and the operator after it."""
    command = _MESSAGE.sub("text", command[:_LONGEST])
    if len(command) == _LONGEST or "<<" in command:
        return None
    lexer = shlex.shlex(command, posix=True, punctuation_chars="();|&<>\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    try:
        tokens = list(lexer)
    except ValueError:  # a quotation that never ends
        return None
    parts: list[tuple[list[str], str]] = []
    words: list[str] = []
    for token in tokens:
        operator = token.strip("\n") or "\n"
        if operator in _BREAKS:
            if words:
                parts.append((words, operator))
            words = []
        else:
            words.append(token)
    return [*parts, (words, "")] if words else parts


def _ended(parts: Sequence[tuple[list[str], str]], at: int, exit_code: int | None) -> bool | None:
    """Whether the program at that place succeeded, as far as the line's exit code tells."""
    after = [operator for _, operator in parts[at:]]
    if exit_code is None or any(operator not in ("&&", "") for operator in after):
        return None
    if exit_code == 0:
        return True
    for words, operator in reversed(parts[:at]):
        if operator in (";", "\n"):  # what stands before these has no say in the code
            break
        if operator != "&&" or words[0] not in _STAGE:
            return None
    return False if at == len(parts) - 1 else None


def _bare(words: Sequence[str]) -> str:
    """The words from the program's name on, without where it stands."""
    line = " ".join(words)
    line = _GIT_PLACE.sub("git ", line)
    while found := _SCENE.match(line) or _PATH.match(line):
        line = line[found.end() :]
    return line


def _job(line: str) -> Job | None:
    if _ONLY_ASKS.search(line):
        return None
    line = re.sub(r"^python[\d.]* (?=\S*manage\.py)", "", line)
    return next((job for job, known in _KNOWN.items() if known.match(line)), None)


def _reads(words: Sequence[str]) -> bool:
    for at, word in enumerate(words):
        led = word.startswith(">") or word in ("&>", "&>>")
        if led and (words[at + 1 : at + 2] or [""])[0] not in ("/dev/null", "&1", "&2", "1", "2"):
            return False
    line = _bare([word for word in words if not word.startswith((">", "<", "&"))])
    name, _, rest = line.partition(" ")
    if name == "git":
        return rest.partition(" ")[0] in _GIT_READERS
    if name == "sed":
        return re.match(r"-n\b", rest) is not None
    if name == "find":
        return not re.search(r"-(?:delete|exec\w*|ok\w*|fprint\w*)\b", rest)
    if name in _READERS:
        return True
    return _job(line) not in (None, Job.BUILD) and not _FIXES.search(f" {rest}")
