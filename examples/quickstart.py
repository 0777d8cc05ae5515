"""Checks an answer against documents in three ways. Run it from anywhere: python quickstart.py."""

# ruff: noqa: T201  (a program to look at)

from pathlib import Path

from halgo import Checker, compare_to_docs

HERE = Path(__file__).resolve().parent

# One call, plain dicts: a text that is declared true, and what an AI made of it.
contract = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
answer = "The late fee is 5% per month. Payment is due within 30 days."
for claim in compare_to_docs(contract, answer):
    print(f"{claim['status']:13}  {claim['claim']}")

# Documents that are asked about more than once are read and embedded once.
checker = Checker.from_files([HERE / "docs"])
report = checker.check((HERE / "answer.md").read_text(encoding="utf-8"))
print(f"\ngrounded: {report.grounded}   mean score: {report.confidence:.2f}")
for result in report:
    place = f"[{result.evidence.source}]" if result.evidence else ""
    print(f"{result.verdict:13}  {result.claim.text}  {place}  {result.message}")
for claim in report.skipped:
    print(f"skipped ({claim.kind})  {claim.text}")

# Claims of your own are taken as they are: none is split, none is skipped.
claims = (HERE / "basic_claims.txt").read_text(encoding="utf-8").splitlines()
print()
for result in Checker.from_files(HERE / "basic.md").check_claims(claims):
    print(f"{result.verdict:13}  {result.claim.text}")
