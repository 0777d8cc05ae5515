"""What must not change a verdict: case, space, marks, chunk borders, order, unrelated documents.

Held over the example documents and a few more, with the real encoder and parser.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo import Checker, Config, Document, Halgorithm, Report, Verdict
from halgo.claims.extract import extract
from halgo.sources.folders import read_files
from halgo.sources.sentences import split

pytestmark = pytest.mark.models

ROOT = Path(__file__).resolve().parent.parent
BRIDGE = """The Orrin Bridge opened on 4 May 1931 and carries about 12,000 vehicles a day. It is
640 metres long. Its toll was abolished in 1987. No lorry of more than 7.5 tonnes may cross it. The
bridge was designed by Ada Fenwick, who had never built in steel before."""
NOVELIST = """Mira Castellan was born in Trieste in 1902. She studied chemistry in Vienna, but she
did not finish her degree. Her first novel, The Salt Road, sold fewer than 300 copies. It was
translated into nine languages after her death in 1966. Neither of her brothers came to the
funeral."""
PUMP = """The Kestrel 40 pump moves between 35 and 45 litres a minute at 2.5 bar. It weighs 8.2 kg,
15% less than the Kestrel 30. The motor must not run dry for longer than 20 seconds. Spare parts are
sold for at least ten years; the warranty lasts two years. In Q3 2022 the price rose from £310 to
£345."""
RESERVOIR = """Reservoir levels fell to 41% in August, the lowest since 1995. Rainfall was half of
the monthly average. The council refused to lift the hosepipe ban. Roughly 60,000 households were
affected, most of them in the north. Officials promised supplies would be back within ten days."""
TEXTS = {"bridge": BRIDGE, "novelist": NOVELIST, "pump": PUMP, "reservoir": RESERVOIR}

# In other words than the documents', and right.
REWORDED = [
    "Either side can end the agreement with 60 days' written notice.",
    "The late fee is 1.5% per month.",
    "The AURELIN-2 trial enrolled 340 participants.",
    "Aurelin caused no drowsiness.",
    "The bridge is 640 m long.",
    "The warranty of the pump lasts two years.",
]
# About nothing that the others are about; the last shares words, numbers and a name with them.
UNRELATED = [
    "Otters sleep on their backs and hold each other's paws, so that they do not drift apart.",
    "Fold the egg whites into the batter and bake it for 35 minutes. Let it cool before cutting.",
    "In 1931 the Leeds library lent 340 books a day. No fee was charged, and 60 days were allowed.",
]


def documents() -> list[Document]:
    read, warnings = read_files([ROOT / "examples" / "docs"])
    assert not warnings
    return [*read, *(Document(name, text, name) for name, text in TEXTS.items())]


@lru_cache(maxsize=1)
def copied() -> list[str]:
    """Every sentence, item and row of the documents that is a claim when it stands in an answer."""
    said = [
        sentence.reading.text
        for document in documents()
        for sentence in split(document.text)
        if sentence.block != "heading"
    ]
    return [one for one in said if all(claim.kind.checked for claim in extract(one))]


@lru_cache(maxsize=1)
def sentences_of_texts() -> list[str]:
    return [sentence.reading.text for text in TEXTS.values() for sentence in split(text)]


@lru_cache(maxsize=1)
def shared_checker() -> Checker:
    return Halgorithm().checker(documents())


@lru_cache(maxsize=1)
def as_written() -> tuple[list[str], Report]:
    """The claims whose form is changed, and their report."""
    # A time stamp is only one with its T in upper case.
    claims = [one for one in copied() if not re.search(r"\dT\d", one)] + REWORDED
    return claims, shared_checker().check_claims(claims)


@pytest.fixture(scope="module")
def checker() -> Checker:
    return shared_checker()


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return shared_checker().halgorithm


def unsupported(report: Report, given: list[str]) -> list[tuple[str, str, str]]:
    """The claims that are not SUPPORTED, each with its verdict and why."""
    return [
        (one, result.verdict.value, result.message)
        for one, result in zip(given, report, strict=True)
        if result.verdict is not Verdict.SUPPORTED
    ]


def test_a_copied_sentence_is_supported(checker: Checker) -> None:
    claims = copied()
    assert len(claims) > 70
    assert unsupported(checker.check_claims(claims), claims) == []


def test_a_copied_document_is_a_grounded_answer(checker: Checker) -> None:
    for text in TEXTS.values():
        report = checker.check(text)
        assert report.grounded and len(report) >= 4
        assert [result.verdict for result in report] == [Verdict.SUPPORTED] * len(report)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(str.lower, id="lower case"),
        pytest.param(str.upper, id="upper case"),
        pytest.param(lambda one: f"  {one.replace(' ', '  ')} ", id="spaces"),
        pytest.param(lambda one: one.replace(" ", " \n "), id="line breaks"),
        pytest.param(lambda one: f"**{one}**", id="bold"),
        pytest.param(lambda one: f"_{one}_", id="italics"),
        pytest.param(lambda one: f"- {one}", id="list item"),
        pytest.param(lambda one: f"> {one}", id="quotation"),
        pytest.param(lambda one: re.sub(r"\b([a-z]{5,})\b", r"**\1**", one), id="bold words"),
        pytest.param(lambda one: re.sub(r"(?<= )(\d+)(?= )", r"`\1`", one), id="code numbers"),
    ],
)
def test_how_a_sentence_is_set_changes_nothing(checker: Checker, changed: object) -> None:
    assert callable(changed)
    claims, before = as_written()
    after = checker.check_claims([changed(one) for one in claims])
    kept = [
        (one, new.verdict.value, new.message)
        for one, old, new in zip(claims, before, after, strict=True)
        if old.verdict is Verdict.SUPPORTED and new.verdict is not Verdict.SUPPORTED
    ]
    assert kept == []


@given(st.data())
@settings(max_examples=20)
def test_any_mixture_of_marks_and_space_changes_nothing(data: st.DataObject) -> None:
    claim = data.draw(st.sampled_from(sentences_of_texts()))
    words = [
        data.draw(st.sampled_from(("{}", "{}", "{}", "*{}*", "**{}**", "__{}__"))).format(word)
        if word.isalpha()
        else word
        for word in claim.split()
    ]
    glue = st.sampled_from((" ", "  ", "\n", "\t", " \n  ", "\u00a0"))
    written = "".join(word + data.draw(glue) for word in words)
    (result,) = shared_checker().check_claims([written])
    assert result.verdict is Verdict.SUPPORTED, (written, result.message)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_where_chunks_end_changes_nothing(halgorithm: Halgorithm, size: int) -> None:
    config = Config(sentences_per_chunk=size, sentence_overlap=min(1, size - 1))
    sized = Halgorithm(config, embedder=halgorithm.embedder).checker(documents())
    claims = copied() + REWORDED
    assert unsupported(sized.check_claims(claims), claims) == []


def test_an_unrelated_document_takes_no_support_away(halgorithm: Halgorithm) -> None:
    claims = copied() + REWORDED
    for added in UNRELATED:
        more = halgorithm.checker([*documents(), Document("unrelated", added, "unrelated")])
        assert unsupported(more.check_claims(claims), claims) == []


def test_a_text_is_supported_whatever_stands_beside_it(halgorithm: Halgorithm) -> None:
    for name, text in TEXTS.items():
        alone = halgorithm.checker([Document(name, text, name)])
        claims = [claim.text for claim in extract(text)]
        assert unsupported(alone.check_claims(claims), claims) == []


def test_the_order_of_documents_changes_nothing(halgorithm: Halgorithm, checker: Checker) -> None:
    claims = copied() + REWORDED + ["The fee is 5% per month.", "The bridge opened in 1932."]
    turned = halgorithm.checker(documents()[::-1])
    before, after = checker.check_claims(claims), turned.check_claims(claims)
    for old, new in zip(before.claim_dicts(), after.claim_dicts(), strict=True):
        assert old == new


def test_a_stricter_threshold_never_brings_support(checker: Checker) -> None:
    claims = [*copied()[:20], *REWORDED, "The bridge is painted red.", "The pump weighs 9 kg."]
    report = checker.check_claims(claims)
    had: set[int] | None = None
    for threshold in (0.3, 0.5, 0.65, 0.8, 0.9, 0.97, 1.0):
        again = report.rethreshold(support_threshold=threshold)
        now = {r.claim.id for r in again if r.verdict is Verdict.SUPPORTED}
        assert had is None or now <= had
        had = now


def test_the_same_input_gives_the_same_bytes_in_any_process() -> None:
    # What Python leaves to chance, the order of sets of strings, differs between the two.
    code = (
        "from halgo import Halgorithm; from halgo.report import markdown;"
        "import json, pathlib, sys;"
        "checker = Halgorithm(embedder='lexical').checker(json.load(sys.stdin));"
        "report = checker.check(pathlib.Path('examples/answer.md').read_text('utf-8'));"
        "print(report.to_json(), markdown.render(report).encode())"
    )
    docs = json.dumps([{"id": d.id, "text": d.text, "source": d.source} for d in documents()])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"},
        )
        for seed in ("1", "20")
    ]
    one, two = (process.communicate(docs.encode(), timeout=300)[0] for process in running)
    assert one == two and len(one) > 10_000
