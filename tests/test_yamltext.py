"""Nested YAML is read as records; what is no YAML, or would never end, stays text."""

from __future__ import annotations

from pathlib import Path

import pytest

from halgo import Checker, Verdict
from halgo.sources import yamltext
from halgo.sources.documents import to_documents
from halgo.sources.jsontext import NotOfKind
from halgo.sources.readers import read_bytes

COMPOSE = """# The shop in two services
services:
  gateway:
    image: edge/proxy:2.4
    restart: always  # after a power cut too
  billing:
    image: shop/billing:7.1
    environment:
      LOG_LEVEL: debug
    depends_on: [gateway]
"""


def test_entries_under_names_are_records_of_their_own() -> None:
    (document,), warnings = to_documents([COMPOSE])
    lines = document.text.split("\n\n")
    assert lines[0] == (
        "services[0].name: gateway; services[0].image: edge/proxy:2.4; services[0].restart: always"
    )
    assert lines[1].startswith("services[1].name: billing; ")
    assert "services[1].environment.LOG_LEVEL: debug" in lines[1]
    assert any("YAML" in warning for warning in warnings)


def test_remarks_are_kept_with_the_entry_they_stand_behind() -> None:
    _, remarks = yamltext.loads(COMPOSE)
    assert remarks == ["The shop in two services", "restart: always: after a power cut too"]


def test_what_one_entry_has_is_not_said_of_another() -> None:
    claims = ["The log level of billing is debug.", "The log level of the gateway is debug."]
    right, wrong = Checker.from_docs(COMPOSE).check_claims(claims).results
    assert right.verdict is Verdict.SUPPORTED
    assert wrong.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "Applications, spring round:\n- Application A-11: approved\n- Application A-12: declined",
        "What is covered:\n\n- Covered:\n  - theft\n  - fire\n- Not covered:\n  - flat tyres",
        "Note: the office is closed on Monday.\nIt opens again on Tuesday.",
        "plan: Basic\nprice: 9",
        "# Title\n\nkey:\n  other: 1\n\nSome prose follows here, and more of it.\nAnd a line.",
        "```yaml\na:\n  b: 1\n```",
        "",
    ],
)
def test_prose_and_flat_fields_are_no_nested_yaml(text: str) -> None:
    assert yamltext.records(text) is None


def test_anchors_are_followed_and_merged() -> None:
    value, _ = yamltext.loads("base: &b {x: 1, y: 2}\nweb:\n  <<: *b\n  y: 3\n")
    assert value["web"] == {"x": "1", "y": "3"}


def test_a_key_given_twice_keeps_both_values() -> None:
    assert yamltext.loads("a: 1\na: 2")[0] == {"a": ["1", "2"]}


def test_several_documents_are_a_list_and_nothing_is_null() -> None:
    assert yamltext.loads("a: 007\n---\nb:\nc: ''")[0] == [{"a": "007"}, {"b": "null", "c": ""}]


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + k)}: &{chr(98 + k)} [{','.join(['*' + chr(97 + k)] * 9)}]\n" for k in range(9)
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (LAUGHS, "repeat too much"),
        ("a: &a [*a]", "within itself"),
        ("[" * 200_000 + "]" * 200_000, "deeper than 100"),
        ("a: [1,\nb: }", "not valid YAML at line"),
        ("x" * 1_000_001, "more than 1,000,000"),
    ],
)
def test_hostile_and_damaged_yaml_is_refused_at_once(text: str, why: str) -> None:
    with pytest.raises(NotOfKind, match=why):
        yamltext.loads(text)


def test_a_damaged_file_is_read_as_text_with_a_warning() -> None:
    document, warnings = read_bytes(b"a: [1,\nb: }", "broken.yaml")
    assert document.text == "a: [1,\nb: }"
    assert warnings == ["broken.yaml: not valid YAML at line 2; read as text"]


def test_a_file_is_read_as_records(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(COMPOSE, encoding="utf-8")
    checker = Checker.from_files(tmp_path)
    (result,) = checker.check_claims(["The gateway runs the image edge/proxy:2.4."]).results
    assert result.verdict is Verdict.SUPPORTED
