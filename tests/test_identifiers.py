"""Identifiers: what is one, and when two are the same."""

from __future__ import annotations

import pytest

from halgo import Halgorithm
from halgo.facts.identifiers import identifiers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to Hello@Acme.example.", [("address", "hello@acme.example")]),
        ("See https://www.acme.example/Docs/.", [("link", "acme.example/docs")]),
        ("See acme.com, please.", [("link", "acme.com")]),
        ("Call +44 (20) 7946-0321.", [("number", "442079460321")]),
        ("Call 01865 555 014 now.", [("number", "01865555014")]),
        ("Version v2.14.3 is out.", [("version", "2.14.3")]),
        ("Edit ~/.config/acme/x.toml.", [("path", "~/.config/acme/x.toml")]),
        ("It is in ~/.acme, or {prefix}/bin.", [("path", "~/.acme"), ("path", "{prefix}/bin")]),
        ("See %AppData%\\acme or $HOME/x.", [("path", "%AppData%\\acme"), ("path", "$HOME/x")]),
        ("Comments begin with '#' or `//`.", [("symbol", "#"), ("symbol", "//")]),
        ("Use --dry-run first.", [("option", "--dry-run")]),
        ("Set ACME_TOKEN or call load_table.", [("name", "ACME_TOKEN"), ("name", "load_table")]),
        ("It raises FluxKeyError.", [("name", "FluxKeyError")]),
        ("Error E1043, part 4082-A.", [("code", "e1043"), ("code", "4082a")]),
        ("Fixes CVE-2024-31877.", [("code", "cve202431877")]),
    ],
)
def test_what_can_be_written_in_one_way_only(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.kind, one.key) for one in identifiers(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "It was signed on 2024-03-05 and ends on 05.03.2026.",
        "From 2019-2021 it sold 1 000 000 copies, 12.5 % more.",
        "The U.S. and e.g. France, and/or Spain, at 10 km/h.",
        "Between 100-200 people, pages 12-14, a 3-1 win.",
        "YouTube, McDonald and 5G, Q3, H2O, MP3.",
        "It costs $5/day; 'no', he said, and \"...\" was all.",
    ],
)
def test_what_can_be_written_otherwise_is_none(text: str) -> None:
    assert identifiers(text) == ()


@pytest.mark.parametrize(
    ("claim", "source", "same"),
    [
        ("020 7946 0321", "+44 20 7946 0321", True),
        ("0800-496-0155", "0800 496 0155", True),
        ("020 7946 0312", "+44 20 7946 0321", False),
        ("https://acme.com/a", "www.acme.com/a/b", True),
        ("acme.com/a/b", "acme.com/a", False),
        ("TK550", "TK-550", True),
        ("v1.2.3", "1.2.3", True),
        ("1.2.3", "1.2.30", False),
    ],
)
def test_when_two_are_the_same(claim: str, source: str, same: bool) -> None:
    (ours,), (theirs,) = identifiers(claim), identifiers(source)
    assert ours.agrees(theirs) is same


def test_hostile_text_costs_no_more_than_plain_text() -> None:
    import time

    begun = time.process_time()
    texts = ("a.", "1-", "A1_", "/a", "0 11", "~/", "{a}/", "%a%", "$a", "'#")
    for text in (one * (20_000 // len(one)) for one in texts):
        identifiers(text)
    assert time.process_time() - begun < 2.0


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "kinds"),
    [
        ("Call 0800 496 0155.", {"identifier_agrees"}),
        ("Call 0800 496 0515.", {"identifier_conflict"}),
        ("Write to help@acme.example.", {"unsupported_identifier"}),
        ("The vaccine is for COVID-19.", set()),
        ("The part is GSK-78.", {"identifier_conflict"}),
        ("It is on Acme.com.", {"identifier_agrees"}),
    ],
)
def test_what_the_sources_do_not_have(claim: str, kinds: set[str]) -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    checker = halgorithm.checker(["Acme: call 0800 496 0155. The part is GSK-77."])
    (result,) = checker.check_claims([claim]).results
    found = {s.kind for one in result.assessments for s in one.signals}
    assert {kind for kind in found if "identifier" in kind} == kinds
