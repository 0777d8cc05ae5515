"""Two indexes as one: a library, and what a single answer brings beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from halgo import Bundle, Checker, Config, Halgorithm, open_index
from halgo.errors import IndexMismatchError
from halgo.types import Document

pytestmark = pytest.mark.models

LIBRARY = [
    Document(
        "contract",
        "# Contract of Acme GmbH (the Client)\n\nA late fee of 1.5% per month applies.\n\n"
        "Not accepted:\n\n- glass\n- batteries",
        "contract.md",
    ),
    Document("walls", "Brod has walls of 2.4 km. They are 9 m high.", "brod.md"),
    Document("prices", "| plan | seats |\n|---|---|\n| Basic | 3 |\n| Pro | 25 |", "prices.md"),
    Document("empty", "", "empty.md"),
]
ANSWER = (
    "I've cancelled order 7. You moved to Leeds in June. The late fee is 5%. The Basic plan has 25 "
    "seats. Batteries are accepted. The walls of Lesk are 2.4 km long. The Client charges 1.5% per "
    "month. Zanzibar has 12 harbours."
)


@pytest.fixture(scope="module", name="halgorithm")
def shared_models() -> Halgorithm:
    return Halgorithm(Config())


@pytest.fixture(scope="module", name="brought")
def of_one_answer(halgorithm: Halgorithm) -> Checker:
    bundle = Bundle()
    bundle.add_tool_result("cancel_order", {"ok": False, "error": "shipped"}, call_id="c1")
    bundle.add_turn("user", "I moved to Leeds in May.")
    bundle.add_document(Document("lesk", "Lesk has walls of 1.8 km.", "lesk.md"))
    return Checker.from_bundle(bundle, halgorithm=halgorithm)


@pytest.mark.parametrize("mode", ["default", "classic"])
@pytest.mark.parametrize("where", ["memory", "folder"])
def test_both_together_say_what_one_index_of_all_their_documents_says(
    halgorithm: Halgorithm, brought: Checker, tmp_path: Path, where: str, mode: str
) -> None:
    library = Checker.of(halgorithm, LIBRARY)
    if where == "folder":
        index = open_index(tmp_path / "index", create=True, halgorithm=halgorithm)
        index.add(LIBRARY[:2])
        index.add(LIBRARY[2:])
        library = index.checker()
    whole = Checker.of(halgorithm, [*LIBRARY, *brought.index.documents])
    config = Config(mode=mode)
    found = library.with_config(config).joined(brought).check(ANSWER).to_dict()
    known = whole.with_config(config).check(ANSWER).to_dict()
    assert found["engine"].pop("index_digest") != known["engine"].pop("index_digest")
    assert found == known
    assert {one["matched_source"] for one in found["claims"]} > {"contract.md", "cancel_order"}


def test_neither_is_changed_and_an_id_of_both_gets_another(halgorithm: Halgorithm) -> None:
    library = Checker.of(halgorithm, LIBRARY)
    own = Checker.from_docs([{"id": "walls", "text": "Lesk has 2 towers."}], halgorithm=halgorithm)
    before = library.check("Lesk has 3 towers.").to_dict()
    both = library.joined(own)
    assert [one.id for one in both.index.documents][-2:] == ["empty", "walls#2"]
    [claim] = both.check("Lesk has 3 towers.").claim_dicts()
    assert (claim["status"], claim["matched_doc_id"]) == ("CONTRADICTION", "walls#2")
    assert both.warnings[-1] == "document id 'walls' is used twice; the later is 'walls#2'"
    assert library.check("Lesk has 3 towers.").to_dict() == before
    assert [one.id for one in own.index.documents] == ["walls"]


def test_a_cited_source_of_either_is_found(halgorithm: Halgorithm, brought: Checker) -> None:
    from halgo import check_citations

    both = Checker.of(halgorithm, LIBRARY).joined(brought)
    report = both.check(
        "The late fee is 1.5% per month [contract]. Lesk has walls of 1.8 km [lesk]."
    )
    found = check_citations(report, both)
    assert [one.documents for one in found.citations] == [("contract",), ("lesk",)]


def test_indexes_of_other_embedders_do_not_join(halgorithm: Halgorithm, brought: Checker) -> None:
    other = Checker.of(Halgorithm(Config(), embedder="lexical"), LIBRARY)
    with pytest.raises(IndexMismatchError, match="lexical"):
        other.joined(brought)


def test_what_is_empty_adds_nothing(halgorithm: Halgorithm, brought: Checker) -> None:
    nothing = Checker.of(halgorithm, [])
    for both in (nothing.joined(brought), brought.joined(nothing)):
        assert both.check(ANSWER).claim_dicts() == brought.check(ANSWER).claim_dicts()
