"""No network at run time, and no file written, as seen from outside of the process that checks.

A compiled library calls the system itself, so no patch in Python sees it. strace shows every call;
where there is none, a network of the process's own, with nothing in it, counts the attempts.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# The first look-up of ONNX Runtime's telemetry comes about ten seconds after it was loaded, its
# files at once.
SECONDS = 60 if os.environ.get("CI") else 12

CHECKS = """
import sys, time
from halgo import Checker, Config
from halgo.adapters.cli import main
end = time.monotonic() + float(sys.argv[1])
main(["check", "examples/answer.md", "--docs", "examples/docs", "--format", "json"])
Checker.from_docs("The fee is 5%.", config=Config.classic()).check("The fee is 7 percent.")
checker = Checker.from_docs("Guests may cancel free of charge until the evening.")
while True:
    report = checker.check("Guests who cancel the night before pay nothing. The fee is 5%.")
    assert len(report.results) == 2
    if time.monotonic() > end:
        break
"""
# What watching must see, or it proves nothing: each of these once.
TRIES = {
    "a name looked up": "import socket; socket.getaddrinfo('halgo.invalid', 443)",
    "a connection": "import socket; socket.create_connection(('203.0.113.1', 443), 0.2)",
    "one of IPv6": "import socket; socket.create_connection(('2001:db8::1', 443), 0.2)",
    "a datagram": "import socket as s; s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', "
    "('203.0.113.1', 53))",
    "a file": "import pathlib; pathlib.Path.home().joinpath('id').write_text('me')",
    "a folder": "import tempfile; tempfile.mkdtemp()",
}

# With a "?", since not every processor's system has each of them.
_CALLS = ("socket,connect,sendto,sendmsg,sendmmsg,bind,listen", "open,openat,openat2,creat,mknod")
_CALLS += ("mknodat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat",)
_CALLS += ("unlink,unlinkat,rmdir,truncate,ftruncate,chmod,fchmodat",)
TRACED = ",".join(f"?{name}" for name in ",".join(_CALLS).split(","))
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)")
# urllib3, which spaCy imports, asks once whether there is IPv6: it binds a socket to this machine's
# own address, at no port, and closes it. Nothing is sent and nothing listens. joblib, which classic
# mode imports, tries a semaphore: a name in memory, taken away at once.
_HARMLESS = re.compile(
    r'bind\(.*sin6_port=htons\(0\).*inet_pton\(AF_INET6, "::1"|"/dev/shm/sem\.\w+'
)


def by_strace(code: str, folder: Path, *arguments: str) -> list[str]:
    """Runs code under strace: the calls that reach for the network or write a file."""
    log = folder / "calls.txt"
    options = [
        "--follow-forks",
        "--seccomp-bpf",
        "--string-limit=200",
        f"--trace={TRACED}",
        f"--output={log}",
    ]
    run(["strace", *options], code, folder, *arguments)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if _is_told(line)]


def _is_told(line: str) -> bool:
    """Whether a line of strace's tells of a network or of a file written."""
    found = _CALL.match(line)
    if found is None or _HARMLESS.search(line):
        return False
    name, rest = found.groups()
    if name in ("open", "openat", "openat2"):
        return bool(_WRITES.search(rest)) and '"/dev/null"' not in rest
    if name == "socket":  # of its own it reaches nobody, but for those that no other call names
        return not rest.startswith(("AF_INET", "AF_UNIX", "AF_NETLINK"))
    if name in ("connect", "bind", "sendto", "sendmsg", "sendmmsg"):
        return "sa_family=AF_NETLINK" not in rest  # the kernel, asked for its own addresses
    return True


def by_empty_network(code: str, folder: Path, *arguments: str) -> list[str]:
    """Runs code where there is no network: its attempts, as the kernel counts them, and its files.

    It misses an attempt by IPv6 alone, and a file outside of the home.
    """
    told = folder / "counters.txt"
    script = f'"$@"; code=$?; cat /proc/net/snmp /proc/net/snmp6 >"{told}"; exit $code'
    command = ["unshare", "--map-root-user", "--net", "sh", "-c", script, "sh"]
    run(command, code, folder, *arguments)
    tried = [
        f"{name} {count}" for name, count in _counters(told.read_text("utf-8")) if int(count) > 0
    ]
    homes = (folder / name for name in HOMES.values())
    return tried + [str(path) for home in homes for path in sorted(home.rglob("*"))]


def _counters(text: str) -> Iterator[tuple[str, str]]:
    """What goes out, of the kernel's counters: packets, and those that there was no route for."""
    wanted = re.compile(r"(Ip6?|Udp6?|Tcp)(Out(NoRoutes|Requests|Datagrams)|ActiveOpens)")
    lines = text.splitlines()
    for names, values in pairwise(lines):
        kind, _, rest = names.partition(":")
        if rest and values.startswith(f"{kind}:") and not rest.split()[0].lstrip("-").isdigit():
            pairs = zip(rest.split(), values.partition(":")[2].split(), strict=True)
            yield from ((kind + name, value) for name, value in pairs if wanted.match(kind + name))
    for line in lines:  # those of IPv6, one a line
        if wanted.match(line) and ":" not in line:
            name, value = line.split()
            yield name, value


HOMES = {"HOME": "home", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config"}


def run(command: list[str], code: str, folder: Path, *arguments: str) -> None:
    """Runs Python code by a command, in a home where there is nothing yet."""
    for name in HOMES.values():
        (folder / name).mkdir()
    # Nothing that this session of tests has set: a user's shell has none of it either.
    kept = ("PATH", "LANG", "LD_LIBRARY_PATH", "HALGO_MODELS", "VIRTUAL_ENV")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {name: str(folder / place) for name, place in HOMES.items()}
    # Python's own cache of compiled modules is no concern of ours.
    whole = [*command, sys.executable, "-B", "-c", code, *arguments]
    done = subprocess.run(
        whole,
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS + 300,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def _works(command: list[str]) -> bool:
    """Whether a tool is here and may do what it does: a container may forbid it."""
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    return done.returncode == 0


Watch = Callable[..., list[str]]
WATCHES: dict[str, tuple[Watch, list[str]]] = {
    "strace": (by_strace, ["strace", "--follow-forks", "--seccomp-bpf", "--trace=?openat", "true"]),
    "unshare": (
        by_empty_network,
        ["unshare", "--map-root-user", "--net", "cat", "/proc/net/snmp", "/proc/net/snmp6"],
    ),
}


@pytest.fixture(scope="module", params=WATCHES)
def watch(request: pytest.FixtureRequest) -> Watch:
    """One way to watch a process; skipped where this machine lacks it."""
    found, trial = WATCHES[request.param]
    if not _works(trial):
        pytest.skip(
            f"{trial[0]} is not installed or not allowed here, so no process can be watched"
        )
    return found


@pytest.mark.parametrize("what", TRIES)
def test_the_watch_sees(watch: Watch, what: str, tmp_path: Path) -> None:
    if watch is by_empty_network and what == "one of IPv6":
        pytest.skip("the kernel counts no attempt by IPv6 where it has no address")
    code = f"try:\n    {TRIES[what]}\nexcept OSError:\n    pass"
    assert watch(code, tmp_path) != []


def test_the_watch_sees_nothing_where_there_is_nothing(watch: Watch, tmp_path: Path) -> None:
    assert watch("import json, socket, ssl; open('setup.cfg').read()", tmp_path) == []


@pytest.mark.models
def test_a_check_opens_no_connection_looks_up_no_name_and_writes_no_file(
    watch: Watch, tmp_path: Path
) -> None:
    if watch is by_empty_network and _works(WATCHES["strace"][1]):
        pytest.skip("strace sees more, and has looked")
    assert watch(CHECKS, tmp_path, str(SECONDS)) == []


@pytest.mark.parametrize("said", ["", "0", "false", "2"])
def test_whoever_loads_onnx_runtime_once_halgo_is_imported_loads_it_without_telemetry(
    watch: Watch, tmp_path: Path, said: str
) -> None:
    # Its files are written while it is loaded, also by a process that this one starts.
    code = f"""
import os, subprocess, sys
os.environ["ORT_DISABLE_TELEMETRY"] = {said!r}
import halgo
import onnxruntime
subprocess.run([sys.executable, "-B", "-c", "import onnxruntime"], check=True)
"""
    assert watch(code, tmp_path) == []


def test_the_switch_is_set_again_where_a_caller_has_taken_it_out(
    watch: Watch, tmp_path: Path
) -> None:
    code = """
import os
import halgo
del os.environ["ORT_DISABLE_TELEMETRY"]
from halgo.evidence import runtime
runtime.load()
"""
    assert watch(code, tmp_path) == []


def test_the_clients_that_fetch_models_are_told_to_report_and_ask_nothing_else(
    tmp_path: Path,
) -> None:
    from halgo import fetch, models

    code = "import json, os; json.dump(dict(os.environ), open('environment.json', 'w'))"
    job = fetch._Job(models.entry("minilm"), tmp_path, lambda step: None)
    fetch._run(job, [sys.executable, "-c", code])
    told = json.loads((tmp_path / "environment.json").read_text(encoding="utf-8"))
    assert told["PIP_DISABLE_PIP_VERSION_CHECK"] == told["HF_HUB_DISABLE_TELEMETRY"] == "1"
    assert told["NPM_CONFIG_UPDATE_NOTIFIER"] == "false"


def test_onnx_runtime_is_imported_in_one_place() -> None:
    folders = ("halgo", "models", "benchmarks", "tests", "examples")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    importing = [path.relative_to(ROOT).as_posix() for path in paths if _imports_it(path)]
    assert importing == ["halgo/evidence/runtime.py"]


def _imports_it(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "onnxruntime" in text else ():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(name.split(".")[0] == "onnxruntime" for name in names):
            return True
    return False
