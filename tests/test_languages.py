"""What is not in English is named as such and never supported; what is English is left alone.

`tests/languages/` holds, for each of twelve languages, two documents with ten falsehoods each
("-"), true claims ("+"), and claims in English about them ("-en", "+en"); `english.txt` holds
English documents with falsehoods in the twelve.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_rules import a_claim, a_passage

from halgo import Checker, Config, Halgorithm, Judge, Report, Verdict
from halgo.claims.extract import extract
from halgo.facts.language import foreign
from halgo.sources.sentences import split
from halgo.types import Assessment, Signal, Stance
from halgo.verdict.rules import decide
from halgo.verdict.unread_languages import LANGUAGE, in_part, noted

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "languages"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem != "english")
CLASHES = {"number_conflict", "date_conflict", "name_conflict"}


def written(language: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """The documents of a file, each with its claims by their sign."""
    for block in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").split("@ ")[1:]:
        document, *lines = block.strip().splitlines()
        claims: dict[str, list[str]] = {"-": [], "+": [], "-en": [], "+en": []}
        for sign, _, text in (line.partition(" ") for line in lines):
            claims[sign].append(text)
        yield document, claims


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm()


# --- telling the language -----------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_sentences_are_named_by_their_language(language: str) -> None:
    for document, claims in written(language):
        for text in (document, *claims["-"], *claims["+"]):
            assert foreign(text) == language.capitalize(), text


def test_a_foreign_claim_is_told_beside_an_english_document() -> None:
    for document, claims in written("english"):
        assert foreign(document) is None
        assert [text for text in claims["-"] if foreign(text) in (None, "another language")] == []


ENGLISH = [
    "Iceland won.",
    "Parking costs 8 euros.",
    "LATE FEES ACCRUE AT 1.5% PER MONTH.",
    "Pyment is dew within thirty dayz of teh invoise.",
    "Hernán Casciari wrote 'Más respeto que soy tu madre'.",
    "Señor Núñez met Frau Müller and Monsieur Lefèvre in São Paulo.",
    'The German word "Schadenfreude" means joy at the harm of others.',
    "Huawei (华为技术有限公司) sells phones.",
    "Tolstoy wrote War and Peace (Война и мир) between 1863 and 1869.",
    "α = 0.05 and β = 0.2.",
    "∀x ∈ ℝ: x² ≥ 0",
    "SELECT id, name FROM users WHERE active = 1;",
    "for (int i = 0; i < n; i++) { sum += a[i]; }",
    "pip install --upgrade halgo==0.1.0",
    "https://example.com/de/preise/uebersicht.html",
    "ERR_CONN_RESET 0x80070057 libssl.so.1.1",
    "Aurelin 20 mg, Metformin 500 mg, Ibuprofen 400 mg",
    "MacBook Pro 14, ThinkPad X1, Galaxy Tab S9",
    "Plan: Pro — Price: $49; Storage: 2 TB; Seats: 25",
    "Terms and Conditions",
    "John Smith, Anna Kowalska, Jean Dupont, Giulia Rossi",
    "Carpe diem.",
    "2 + 2 = 4",
    "",
    "…",
    "Moskva is the Russian name of Moscow, and Beijing was once written Peking.",
    "The wee bairn didnae gang tae the kirk the day.",
    "Ze cat sat on ze mat, said ze Frenchman.",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_names_code_and_tables_are_not_called_foreign(text: str) -> None:
    assert foreign(text) is None


def english_claims() -> list[str]:
    found = set()
    for path in sorted((ROOT / "tests/golden").glob("*.jsonl")):
        if path.stem != "languages":
            rows = path.read_text(encoding="utf-8").splitlines()
            found |= {json.loads(row)["claim"] for row in rows}
    for row in (ROOT / "benchmarks/pairs/pairs.jsonl").read_text(encoding="utf-8").splitlines():
        found |= {json.loads(row)["true"], json.loads(row)["false"]}
    for path in sorted((ROOT / "models/entailment/written/kept").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            sign, _, text = line.partition(" ")
            if sign in ("+", "-", "?", "++", "--", "??"):
                found.add(text.replace("[[", "").replace("]]", ""))
    return sorted(found)


def test_of_a_thousand_english_claims_at_most_one_is_called_foreign() -> None:
    claims = english_claims()
    assert len(claims) > 4000
    assert len([text for text in claims if foreign(text)]) <= len(claims) // 1000


def test_no_text_of_the_examples_or_the_manual_is_called_foreign() -> None:
    # Of the page about languages the foreign lines are.
    pages = [path for path in (ROOT / "docs").glob("*.md") if path.stem != "languages"]
    for path in [*pages, *(ROOT / "examples").rglob("*.*"), ROOT / "README.md"]:
        for sentence in split(path.read_text(encoding="utf-8")):
            text = sentence.reading.text
            is_command = sentence.block == "code" or text.startswith("halgo ")
            assert is_command or foreign(text) is None, f"{path}: {text}"


def test_the_language_of_a_claim_is_told_in_a_fraction_of_a_millisecond() -> None:
    claims = english_claims()[:3000]
    foreign("Der Vertrag kann gekündigt werden.")  # loads the classifier
    started = time.process_time()
    for text in claims:
        foreign(text)
    assert (time.process_time() - started) / len(claims) < 0.0003


def test_a_text_of_a_million_characters_takes_time_in_proportion() -> None:
    for text in ("Der Vertrag " * 90_000, "a" * 1_000_000, "(" * 1_000_000, "«" * 500_000):
        started = time.process_time()
        foreign(text)
        assert time.process_time() - started < 5


@pytest.mark.models
def test_english_text_loads_no_classifier() -> None:
    code = (
        "import sys; from halgo.adapters.cli import main\n"
        "main('check examples/answer.md --docs examples/docs --embedder lexical'.split())\n"
        "sys.exit(3 if 'py3langid' in sys.modules else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr


# --- verdicts -----------------------------------------------------------------------------------


def checker_of(document: str, halgorithm: Halgorithm) -> Checker:
    return Checker.from_docs([{"id": "the-source", "text": document}], halgorithm=halgorithm)


def judged(document: str, claims: list[str], halgorithm: Halgorithm) -> Report:
    return checker_of(document, halgorithm).check_claims(claims)


@pytest.mark.models
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_falsehood_is_supported_no_truth_contradicted_and_the_report_says_why(
    language: str, halgorithm: Halgorithm
) -> None:
    named = f"is in {language.capitalize()}, which halgo does not read."
    for document, claims in written(language):
        checker = checker_of(document, halgorithm)
        for about, what in (("", "the claim"), ("en", 'the passage of "the-source"')):
            wrong = claims[f"-{about}"]
            report = checker.check_claims([*wrong, *claims[f"+{about}"]])
            for at, result in enumerate(report):
                assert result.verdict is not Verdict.SUPPORTED, result.claim.text
                assert result.reason in ({LANGUAGE} | CLASHES if at < len(wrong) else {LANGUAGE})
            assert report.grounded is False
            assert [f"{what} {named}" in warning for warning in report.warnings] == [True]


@pytest.mark.models
def test_no_foreign_falsehood_about_an_english_document_is_supported(
    halgorithm: Halgorithm,
) -> None:
    for document, claims in written("english"):
        report = judged(document, claims["-"], halgorithm)
        assert {r.reason for r in report} <= {LANGUAGE} | CLASHES
        assert Verdict.SUPPORTED not in {r.verdict for r in report}


@pytest.mark.models
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_foreign_answer_is_a_claim_that_is_checked(language: str) -> None:
    glue = "" if language in ("chinese", "japanese") else " "
    for _, claims in written(language):
        found = extract(glue.join(claims["-"]))
        assert [claim.text for claim in found] == claims["-"]
        assert all(claim.kind.checked for claim in found)


@pytest.mark.parametrize(
    "text",
    [
        "Der Vertrag beginnt am 30. Juni 2025.",
        "Eine Kündigung ist zulässig, z. B. an den Auftragnehmer.",
        "Die Kosten bzw. Gebühren nach § 5 Abs. 2 sind fällig.",
        "Festen holdes den 3. maj 2024 i København.",
        "El Sr. López y la Sra. Ruiz dirigen la empresa.",
    ],
)
def test_a_full_stop_of_a_day_or_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert [sentence.reading.text for sentence in split(f"{text} {text}")] == [text, text]


CONTRACT = """# Services agreement

The supplier delivers the software by 30 June 2025. A late fee of 1.5% per month applies. Either \
party may terminate this agreement with three months' notice.

# Anlage A: Datenschutz

Der Auftragnehmer darf personenbezogene Daten nur auf Weisung des Kunden verarbeiten. Die Daten \
werden spätestens dreißig Tage nach Vertragsende gelöscht. Unterauftragnehmer sind nicht erlaubt.
"""


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "verdict", "reason"),
    [
        ("A late fee of 1.5% per month applies.", Verdict.SUPPORTED, "supported"),
        ("The late fee is 5% per month.", Verdict.CONTRADICTION, "number_conflict"),
        ("Unterauftragnehmer sind erlaubt.", Verdict.WEAK_SUPPORT, LANGUAGE),
        ("Die Daten werden nie gelöscht.", Verdict.WEAK_SUPPORT, LANGUAGE),
    ],
)
def test_a_foreign_annex_leaves_the_english_part_as_it_was(
    claim: str, verdict: Verdict, reason: str, halgorithm: Halgorithm
) -> None:
    (result,) = Checker.from_docs(CONTRACT, halgorithm=halgorithm).check_claims([claim])
    assert (result.verdict, result.reason) == (verdict, reason), result.message


@pytest.mark.models
@pytest.mark.parametrize("cuts", [(1.0, 1.0), (0.5, 0.9), (0.0, 0.0), (0.3, 0.65)])
def test_cut_points_alone_are_no_matter_of_a_language(
    cuts: tuple[float, float], halgorithm: Halgorithm
) -> None:
    answer = (
        "A late fee of 1.5% per month applies. The late fee is 5% per month. "
        "Unterauftragnehmer sind erlaubt. Either party may end it within three months."
    )
    checker = Checker.from_docs(CONTRACT, halgorithm=halgorithm)
    config = Config(threshold=cuts[0], support_threshold=cuts[1])
    report = checker.with_config(config).check(answer)
    assert [found.reason == LANGUAGE for found in report] == [False, False, True, False]
    assert len(report.warnings) == 1 and report.warnings[0].startswith("1 of 4 claims")
    again = checker.check(answer).rethreshold(cuts[0], support_threshold=cuts[1])
    assert again == report


@pytest.mark.models
@pytest.mark.parametrize(
    ("document", "claim"),
    [
        ("Der Preis beträgt 1.500 Euro im Jahr.", "The price is 1,500 euros a year."),
        ("Der Preis beträgt 1.500 Euro im Jahr.", "Der Preis beträgt 1500 Euro im Jahr."),
        ("Die Zinsen betragen 1,50 % pro Monat.", "The interest is 1.5% per month."),
        ("Der Umsatz stieg 2023 auf 3,2 Mio. Euro.", "Revenue rose to 3.2 million euros in 2023."),
    ],
)
def test_other_marks_within_a_figure_are_no_clash(
    document: str, claim: str, halgorithm: Halgorithm
) -> None:
    (result,) = Checker.from_docs(document, halgorithm=halgorithm).check_claims([claim])
    assert result.reason == LANGUAGE, result.message


@pytest.mark.models
@pytest.mark.parametrize("weak_is", ["complete", "supported"])
def test_the_judge_never_counts_it_as_supported(weak_is: str, halgorithm: Halgorithm) -> None:
    (document, claims), _ = written("german")
    checker = Checker.from_docs(document, halgorithm=halgorithm)
    verdict = Judge(checker, weak_is=weak_is).evaluate(" ".join(claims["+"]))
    assert {claim.status for claim in verdict.claims} == {"unsupported"}


@pytest.mark.models
def test_other_thresholds_support_no_more_of_it(halgorithm: Halgorithm) -> None:
    (document, claims), _ = written("german")
    report = judged(document, claims["+"], halgorithm)
    lenient = report.rethreshold(0.0, support_threshold=0.0)
    assert Verdict.SUPPORTED not in {result.verdict for result in lenient}
    assert report.rethreshold().to_json() == report.to_json()


@pytest.mark.models
def test_classic_mode_stays_as_published() -> None:
    (document, claims), _ = written("german")
    classic = Halgorithm(Config.classic(), embedder="lexical")
    report = Checker.from_docs(document, halgorithm=classic).check_claims([claims["+"][0]])
    assert report.warnings == () and report.results[0].reason != LANGUAGE


# --- the table, on hand-made findings -----------------------------------------------------------


def clash(kind: str = "number_conflict", values: tuple[str, str] = ("5%", "1,5 %")) -> Signal:
    return Signal(kind, Stance.CONTRADICTS, 0.9, "5% against 1,5 %", values=values)


def unread(score: float, *signals: Signal, row: int = 0) -> Assessment:
    return a_passage(score, *signals, noted("German", "passage"), row=row)


@pytest.mark.parametrize(
    ("passages", "verdict", "reason"),
    [
        ([unread(0.99)], Verdict.WEAK_SUPPORT, LANGUAGE),
        ([unread(0.1)], Verdict.HALLUCINATION, LANGUAGE),
        ([unread(0.5, clash())], Verdict.CONTRADICTION, "number_conflict"),
        ([unread(0.5, clash(values=("1,500", "1.500")))], Verdict.WEAK_SUPPORT, LANGUAGE),
        ([unread(0.5, clash("negation"))], Verdict.WEAK_SUPPORT, LANGUAGE),
        ([unread(0.5, clash("entailment"))], Verdict.WEAK_SUPPORT, LANGUAGE),
        ([unread(0.9), a_passage(0.8, row=1)], Verdict.SUPPORTED, "supported"),
        ([a_passage(0.5), unread(0.4, row=1)], Verdict.WEAK_SUPPORT, LANGUAGE),
    ],
)
def test_a_passage_that_is_not_read_supports_nothing(
    passages: list[Assessment], verdict: Verdict, reason: str
) -> None:
    decision = decide(a_claim(), passages, (), Config())
    assert (decision.verdict, decision.reason) == (verdict, reason)
    assert verdict is Verdict.SUPPORTED or decision.score < Config().support_threshold


def test_a_claim_that_is_not_read_is_supported_by_nothing() -> None:
    note = noted("German", "claim")
    decision = decide(a_claim(), [a_passage(0.99)], [note], Config())
    assert (decision.verdict, decision.reason) == (Verdict.WEAK_SUPPORT, LANGUAGE)
    assert decision.message == "The claim is in German, which halgo does not read."
    assert decide(a_claim(), [], [note], Config()).reason == LANGUAGE


def test_a_passage_in_english_alone_is_left_as_it_was() -> None:
    passages = [a_passage(0.9, clash("negation")), a_passage(0.2, row=1)]
    assert in_part(passages, (), 0.3) == passages
