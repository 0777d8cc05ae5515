"""Configuration examples between fences: rows where each line is an entry, else code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.sources.sentences import split

YAML = """```yaml
services:
  web:
    image: nginx:1.25
    ports:
      - "80:80"
      - 443
  db:
    image: postgres:15
volumes:
  data:
```"""
JSON = """```json
{
  "name": "catalog",
  "limits": {
    "cpu": 2,
    "tags": [
      "a"
    ]
  }
}
```"""


def read(text: str) -> list[tuple[str, str]]:
    return [(sentence.block, sentence.reading.text) for sentence in split(text, hanging=True)]


@pytest.mark.parametrize(
    "text, rows",
    [
        (YAML, ["services web -- image: nginx:1.25", "services web -- ports: 80:80 443",
                "services db -- image: postgres:15"]),
        ("```toml\n[server]\nport = 80\nadmin = 81\n```", ["server -- port: 80; admin: 81"]),
        (JSON, ["name: catalog", "limits -- cpu: 2", "limits -- tags: a"]),
        ("```bash\nexport CACHE_TTL=300\n```", ["CACHE_TTL: 300"]),
        ("```\nmin: 1\nmax: 10\n```", ["min: 1 -- max: 10"]),
        ("```yaml\nevery: '*/20 * * * *'\nglob: **/*.py  # all\n```",
         ["every: */20 * * * * -- glob: **/*.py"]),
    ],
)  # fmt: skip
def test_each_section_of_a_configuration_is_a_row(text: str, rows: list[str]) -> None:
    told = [reading for block, reading in read(text) if block == "row"]
    assert [row.replace("\N{EM DASH}", "--") for row in told] == rows


def test_remarks_and_empty_sections_are_kept() -> None:
    assert read("```yaml\n# how long it lives\nttl: 5\n```")[0] == (
        "paragraph",
        "how long it lives",
    )
    assert ("paragraph", "volumes data") in read(YAML)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\ny = 2\n```",
        "```bash\nmake x=2\n```",
        "```bash\nTOKEN=$(pass show token)\n```",
        "```yaml\nrun: |\n  make\n  x: 1\n```",
        "```\nHTTP/1.1 200 OK\nserver: heron\n```",
        "```\nerror: no such file\n```",
    ],
)
def test_other_code_stays_as_it_is(text: str) -> None:
    assert [block for block, _ in read(text)] == ["code"]


def test_an_answers_code_stays_as_it_is() -> None:
    assert [sentence.block for sentence in split(YAML)] == ["code"]


_LINES = ["a: 1", "b:", "  c: x", "  - d: 2", "    e: [1, 2]", "- f", "{", '  "g": 3,', "},",
          "[h]", "i = 4", "# j k", "", "---", "  l.m: 'n'", "o: \"p\"", "- q: r"]  # fmt: skip


@given(lines=st.lists(st.sampled_from(_LINES), max_size=12))
def test_sentences_ascend_and_point_into_the_text(lines: list[str]) -> None:
    text = "\n".join(["Before.", "```yaml", *lines, "```", "", "After."])
    found = split(text, hanging=True)
    ends = 0
    for sentence in found:
        assert ends <= sentence.span.start < sentence.span.end
        ends = sentence.span.end
        for piece in sentence.reading.pieces:
            said = sentence.reading.text[piece.at : piece.at + len(piece.span)]
            assert said == piece.span.of(text)
    assert {found[0].reading.text, found[-1].reading.text} == {"Before.", "After."}


def test_a_backtick_that_none_closes_opens_no_code() -> None:
    (sentence,) = split("The film ``Star Line'' has a two-minute trailer.")
    assert not any(piece.code for piece in sentence.reading.pieces)
    (sentence,) = split("Pass `--wait` to ``wait'' for it.")
    told = [piece.span for piece in sentence.reading.pieces if piece.code]
    assert [span.of("Pass `--wait` to ``wait'' for it.") for span in told] == ["--wait"]
