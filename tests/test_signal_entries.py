"""Entries of a reference: which names a passage has entries for, and what is told of another."""

from __future__ import annotations

import pytest

from halgo import Halgorithm

pytestmark = pytest.mark.models

MANUAL = """OPTIONS
       -a, --all
              do not skip hidden files

       -C     list entries by columns

       -f     list files in directory order

       -o FILE, --output=FILE
              write the report to FILE
"""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def told(halgorithm: Halgorithm, document: str, claim: str) -> set[tuple[str, ...]]:
    (result,) = halgorithm.checker([document]).check_claims([claim]).results
    found = (signal for one in result.assessments for signal in one.signals)
    return {signal.values for signal in found if signal.detector == "entries"}


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("-f lists entries by columns.", {("-f", "-C")}),
        ("With --all the report is written to a file.", {("--all", "-o")}),
        ("-C lists entries by columns.", set()),  # its own
        ("-o and --output write the report to a file.", set()),  # two names of one entry
        ("-a and -f list files in directory order.", set()),  # several that the claim compares
        ("-c lists entries by columns.", set()),  # no such option
        ("Entries are listed by columns.", set()),
        ("-f skips duplicates.", set()),  # which no entry tells
    ],
)
def test_what_one_entry_tells_is_not_said_of_another(
    halgorithm: Halgorithm, claim: str, names: set[tuple[str, ...]]
) -> None:
    assert told(halgorithm, MANUAL, claim) == names


LONG = """OPTIONS
       -p, --password PASSWORD
              Defines an initial password. It has to be encrypted.

              The option is seen by all who list the processes.

              Without it the new account is locked.

       -L, --lock
              Locks an old account. The password of the account is kept.

       -r, --system
              Creates an account for the system. Its directory is made with -m alone.

       -m, --create-home
              Makes the directory of the user.
"""


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("Without -p the new account is locked.", set()),  # further down in its entry
        ("With -m a directory for the system account is made.", set()),  # told of it elsewhere
        ("-L defines an initial password.", {("-L", "-p")}),
    ],
)
def test_the_whole_of_an_entry_tells_of_its_option(
    halgorithm: Halgorithm, claim: str, names: set[tuple[str, ...]]
) -> None:
    assert told(halgorithm, LONG, claim) == names


def test_a_name_that_is_only_listed_has_no_entry(halgorithm: Halgorithm) -> None:
    text = "`prepack` runs first.\n\n`make ci` runs these:\n\n* `lint`\n* `prepack`\n* `test`\n"
    assert told(halgorithm, text, "`lint` runs before the others.") == set()


@pytest.mark.parametrize(
    "document",
    [
        "- `keep_days` (int): how many days backups stay.\n- `folder` (str): where backups lie.",
        "keep_days: how many days backups stay.\n\nbackup.folder: where backups lie.",
        "1. **`keep_days`** tells how many days backups stay.\n2. **`folder`** is where they lie.",
    ],
)
def test_names_in_backquotes_and_identifiers_have_entries(
    halgorithm: Halgorithm, document: str
) -> None:
    name = "backup.folder" if "backup." in document else "folder"
    claim = f"`{name}` tells how many days backups stay."
    assert told(halgorithm, document, claim) == {(name, "keep_days")}


def test_a_passage_without_entries_costs_nothing(halgorithm: Halgorithm) -> None:
    prose = "Use -f with care. -- It was late. The flag --all is old."
    assert told(halgorithm, prose, "-f is old.") == set()
    assert told(halgorithm, "-" * 5000 + "\n" + "`a" * 2000, "-f is old.") == set()


MINUTES = """Ann Holt: The roof needs new slates.
Ben Ruiz: I ask for a vote.
Carla Dietz: Ben wants to sell the field.
"""


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("Ben Ruiz says that the roof needs new slates.", {("Ben Ruiz", "Ann Holt")}),
        ("Ann Holt says that the roof needs new slates.", set()),
        ("Ben Ruiz wants to sell the field.", set()),  # as Carla Dietz tells
    ],
)
def test_speakers_have_entries(halgorithm: Halgorithm, claim: str, names: set[tuple[str]]) -> None:
    assert told(halgorithm, MINUTES, claim) == names
