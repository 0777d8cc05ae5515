"""The HTTP server, asked by a real client over a socket of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import chat_server
import pytest
from small_server import ANSWER, CONTRACT, Running, httpx, refused, started, wait

from halgo import Bundle, Checker, Config, Halgorithm, open_index
from halgo.server.engine import Engine, Job
from halgo.server.limits import Limits
from halgo.server.prometheus import Metrics
from halgo.server.refusals import STATUS

pytestmark = pytest.mark.models


@pytest.fixture(scope="module", name="halgorithm")
def shared_models() -> Halgorithm:
    return Halgorithm(Config())


@pytest.fixture(scope="module", autouse=True)
def _own_machine() -> Iterator[None]:
    """Connections to this machine are allowed here."""
    with pytest.MonkeyPatch.context() as patch:
        chat_server.allow_this_machine(patch)
        yield


@pytest.fixture(scope="module", name="running")
def _running(halgorithm: Halgorithm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with started(halgorithm, audit=tmp_path_factory.mktemp("audit") / "log.jsonl") as one:
        yield one


@pytest.fixture(name="small")
def _small(halgorithm: Halgorithm) -> Iterator[Running]:
    """A server whose limits are soon reached."""
    limits = Limits(
        body_bytes=4000,
        answer_characters=300,
        question_characters=200,
        claims=4,
        documents=2,
        document_characters=200,
        batch=2,
        indexes=2,
        queue=2,
    )
    with started(halgorithm, limits=limits) as one:
        yield one


# --- checking ------------------------------------------------------------------------------------


def test_the_answer_is_the_report_of_the_library(running: Running, halgorithm: Halgorithm) -> None:
    report = Checker.from_docs(CONTRACT, halgorithm=halgorithm).check(ANSWER).to_dict()
    found = running.check(ANSWER)
    assert found.status_code == 200
    assert found.content == running.check(ANSWER).content  # no clock, no random id
    plain = found.json()
    for claim in plain["claims"]:
        del claim["claim_place"], claim["evidence_place"], claim["chunk_place"]
        for signal in claim["signals"]:
            del signal["claim_place"], signal["evidence_place"]
    for stretch in plain["unsupported_spans"]:
        assert stretch.pop("place")["characters"] == stretch["span"]
    assert {key: plain[key] for key in report} == report
    assert [claim["status"] for claim in plain["claims"]] == ["CONTRADICTION", "SUPPORTED"]
    assert plain["judge"] is plain["gate"] is plain["citations"] is None


def test_places_are_given_in_characters_bytes_and_units(running: Running) -> None:
    answer = "Danke 🙂. The late fee is 5% per month."
    document = f"Zürich 🙂🙂. {CONTRACT}"
    plain = running.check(answer, documents=[document]).json()
    claim = plain["claims"][-1]
    [conflict] = [s for s in claim["signals"] if s["kind"] == "number_conflict"]
    for text, place in (
        (answer, conflict["claim_place"]),
        (document, conflict["evidence_place"]),
    ):
        start, end = place["characters"]
        value = text[start:end]
        assert value in ("5%", "1.5%")
        start, end = place["utf8"]
        assert text.encode()[start:end].decode() == value
        start, end = place["utf16"]
        assert text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == value
    assert conflict["claim_place"]["utf8"] != conflict["claim_place"]["characters"]


def test_judge_gate_and_citations_come_when_asked_for(running: Running) -> None:
    plain = running.check(
        f"{ANSWER} [1]", include=["judge", "gate", "citations"], policy="strip-unsupported"
    ).json()
    assert plain["judge"]["should_return"] is False
    assert plain["judge"]["claims"][0]["quotes"][0]["place"]["utf8"] == [0, 37]
    assert plain["gate"]["action"] == "strip"
    assert plain["gate"]["text"] == "Payment is due within 30 days."
    [citation] = plain["citations"]["citations"]
    assert (citation["documents"], citation["place"]["characters"]) == (["doc1"], [61, 64])


@pytest.mark.parametrize(
    "answer, documents, state",
    [
        ("Hello!", [CONTRACT], "no_claims"),
        ("I don't have enough information.", [CONTRACT], "refusal"),
        ("", [CONTRACT], "empty"),
        (ANSWER, [], "no_sources"),
    ],
)
def test_what_was_not_assessed_is_no_pass(
    running: Running, answer: str, documents: list[str], state: str
) -> None:
    plain = running.check(answer, documents=documents).json()
    assert (plain["state"], plain["grounded"], plain["confidence"]) == (state, None, None)


def test_a_policy_brings_in_the_gate(running: Running) -> None:
    found = running.check(ANSWER, policy="strip-unsupported").json()
    assert found["gate"]["text"] == "Payment is due within 30 days."
    assert found["unsupported_spans"][0]["score"] < 0.5


def test_a_refusal_that_the_documents_belie_is_a_claim(running: Running) -> None:
    answer = "Sorry, the documents do not mention a late fee."
    body = running.check(answer).json()
    assert (body["state"], body["grounded"]) == ("assessed", False)
    assert [(c["status"], c["reason"]) for c in body["claims"]] == [("CONTRADICTION", "mentioned")]
    asked = {"answer": answer}
    with running.client.stream("POST", "/v1/check/stream", json=asked) as response:
        assert events(response.iter_lines())[-1]["report"] == body


def test_tool_results_keep_their_kind(running: Running) -> None:
    tool = {"text": "Tests: 211 passed.", "id": "t1", "source": "pytest", "kind": "tool"}
    [claim] = running.check("In all 214 tests passed.", documents=[tool]).json()["claims"]
    assert (claim["source_kind"], claim["matched_doc_id"]) == ("tool", "t1")
    assert claim["status"] == "CONTRADICTION"


def test_settings_of_one_request_are_those_of_the_library(
    running: Running, halgorithm: Halgorithm
) -> None:
    config = Config(threshold=0.1, support_threshold=0.95, granularity="atomic")
    checker = Checker.from_docs(CONTRACT, halgorithm=halgorithm).with_config(config)
    settings = {"threshold": 0.1, "support_threshold": 0.95, "granularity": "atomic"}
    plain = running.check(ANSWER, settings=settings).json()
    assert plain["counts"] == {k.value: v for k, v in checker.check(ANSWER).counts.items()}
    said = refused(running.check(ANSWER, settings={"threshold": 0.9}), "invalid_request")
    assert "support_threshold" in said


def test_a_batch_gives_what_each_answer_gets_alone(running: Running) -> None:
    answers = [ANSWER, "Hello!", ""]
    found = running.client.post("/v1/batch", json={"answers": answers}).json()["results"]
    assert [one["report"] for one in found] == [running.check(one).json() for one in answers]


LEASE = "The notice period is 60 days. The trial period is 30 days."
SHORT = "60 days."
QUESTION = "How long is the trial period?"


@pytest.mark.parametrize(("question", "grounded"), [(None, True), (QUESTION, False)])
def test_an_answer_is_checked_with_its_question(
    running: Running, question: str | None, grounded: bool
) -> None:
    found = running.check(SHORT, documents=[LEASE], question=question)
    assert found.json()["grounded"] is grounded
    asked = {"answer": SHORT, "documents": [LEASE], "question": question}
    with running.client.stream("POST", "/v1/check/stream", json=asked) as answer:
        assert events(answer.iter_lines())[-1]["report"] == found.json()
    running.client.put("/v1/indexes/lease", json={"documents": [LEASE]})
    with running.client.stream(
        "POST",
        "/v1/check/stream",
        params={"index": "lease", **({"question": question} if question else {})},
        headers={"Content-Type": "text/plain"},
        content=SHORT,
    ) as answer:
        assert events(answer.iter_lines())[-1]["report"]["grounded"] is grounded
    given = {"documents": [LEASE], **({"question": question} if question else {})}
    texts = {"input_type": "response", "texts": [SHORT]}
    found = running.client.post(
        "/beta/litellm_basic_guardrail_api",
        json={**texts, "additional_provider_specific_params": given},
    )
    assert found.json()["action"] == ("NONE" if grounded else "BLOCKED")


def test_a_batch_has_a_question_for_each_answer(running: Running) -> None:
    asked = {"answers": [SHORT, SHORT], "documents": [LEASE]}

    def batch(questions: list[Any]) -> Any:
        return running.client.post("/v1/batch", json={**asked, "questions": questions})

    results = batch([QUESTION, None]).json()["results"]
    assert [one["report"]["grounded"] for one in results] == [False, True]
    for questions in ([], [QUESTION]):
        assert "questions: " in refused(batch(questions), "invalid_request")
    good, bad = batch([None, "x" * 10_001]).json()["results"]
    assert (good["ok"], bad["ok"], bad["error_type"]) == (True, False, "question_too_large")


def test_clients_at_the_same_time_share_model_calls_and_get_their_own_answers(
    running: Running,
) -> None:
    answers = [
        f"The late fee is {n}% per month. Payment is due within {n} days." for n in range(12)
    ]
    before = running.service.metrics.registry.get_sample_value("halgo_batch_claims_count")

    async def ask() -> list[Any]:
        async with httpx.AsyncClient(base_url=running.url, timeout=60) as client:
            asked = (client.post("/v1/check", json={"answer": answer}) for answer in answers)
            return await asyncio.gather(*asked)

    found = asyncio.run(ask())
    after = running.service.metrics.registry.get_sample_value("halgo_batch_claims_count")
    assert after - before < len(answers)
    for answer, got in zip(answers, found, strict=True):
        assert got.json() == running.check(answer).json()


# --- streams -------------------------------------------------------------------------------------


def events(lines: Iterator[str]) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]


def test_a_stream_gives_each_claim_and_then_what_check_gives(running: Running) -> None:
    asked = {"answer": ANSWER, "include": ["gate", "html"], "policy": "hedge"}
    with running.client.stream("POST", "/v1/check/stream", json=asked) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        found = events(answer.iter_lines())
    assert [one["type"] for one in found] == [
        "claim", "claim", "progress", "verification", "report"
    ]  # fmt: skip
    assert found[-1]["report"] == running.check(**asked).json()
    assert found[0]["claim"] == found[-1]["report"]["claims"][0]
    assert "contradicted" in found[0]["html"]


def test_an_answer_may_be_checked_while_it_is_written(running: Running) -> None:
    seen: list[str] = []

    def pieces() -> Iterator[bytes]:
        yield b"The late fee is 5% per mon"
        yield b"th. Payment is due with"
        until = time.monotonic() + 20
        while not seen and time.monotonic() < until:
            time.sleep(0.02)
        last = "in 30 days. Thanks 🙂!".encode()
        yield last[:-3]  # half a character
        yield last[-3:]

    body = b"".join(
        [
            b"POST /v1/check/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n",
            b"Transfer-Encoding: chunked\r\n\r\n",
        ]
    )
    address = ("127.0.0.1", int(running.url.rpartition(":")[2]))
    with socket.create_connection(address, timeout=30) as raw:
        raw.sendall(body)

        def write() -> None:
            for piece in pieces():
                raw.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            raw.sendall(b"0\r\n\r\n")

        writing = threading.Thread(target=write)
        writing.start()
        lines = []
        with raw.makefile("r", encoding="utf-8", newline="") as received:
            for line in received:
                lines.append(line.strip())
                if '"type": "claim"' in line:
                    seen.append(line)  # before the rest of the answer has been sent
                if '"type": "report"' in line:
                    break
        writing.join()
    found = events(iter(lines))
    assert [one["type"] for one in found].count("claim") == 2
    assert found[-1]["report"]["counts"] == running.check(ANSWER).json()["counts"]


def test_a_stream_that_fails_says_so(small: Running) -> None:
    asked = {"answer": "The fee is 5%. " * 6}
    with small.client.stream("POST", "/v1/check/stream", json=asked) as answer:
        found = events(answer.iter_lines())
    assert found[-1]["type"] == "error"
    assert found[-1]["error_type"] == "too_many_claims"


# --- indexes -------------------------------------------------------------------------------------


def test_a_claim_has_the_row_of_an_uploaded_file(running: Running) -> None:
    files = [("files", ("plans.csv", b"Plans\n\nPlan,Price\nBasic,$10\nPro,$20\n"))]
    assert running.client.post("/v1/indexes", data={"name": "plans"}, files=files).is_success
    asked = {"answer": "The Pro plan costs $25.", "index": "plans"}
    (claim,) = running.client.post("/v1/check", json=asked).json()["claims"]
    assert claim["source_location"] == {
        "unit": "row",
        "first": 5,
        "last": 5,
        "sheet": None,
        "text": "row 5",
    }
    assert running.client.delete("/v1/indexes/plans").status_code == 204


def test_an_index_is_made_changed_and_deleted(running: Running) -> None:
    client = running.client
    files = [
        ("files", ("rent.txt", b"Rent is 900 euros.")),
        ("files", ("a b.md", b"Leave: 30 days.")),
    ]
    made = client.post("/v1/indexes", data={"name": "hand"}, files=files)
    assert made.status_code == 201
    assert made.json()["added"] == ["rent.txt", "a b.md"] and "contents" not in made.json()
    contents = client.get("/v1/indexes/hand").json()["contents"]
    assert [one["id"] for one in contents] == ["rent.txt", "a b.md"]
    assert "hand" in [one["name"] for one in client.get("/v1/indexes").json()["indexes"]]
    claim = {"answer": "Rent is 900 euros.", "index": "hand"}
    assert client.post("/v1/check", json=claim).json()["grounded"] is True
    changed = client.put("/v1/indexes/hand/documents/rent.txt", json={"text": "Rent is 950 euros."})
    assert [changed.json()[key] for key in ("added", "replaced", "removed")] == [
        [],
        ["rent.txt"],
        [],
    ]
    assert changed.json()["documents"] == 2
    assert client.post("/v1/check", json=claim).json()["grounded"] is False
    again = [("files", ("rent.txt", b"Rent is 900 euros."))]
    more = [*again, ("files", ("tax.txt", b"Tax is 19%."))]
    changed = client.post("/v1/indexes/hand/documents", files=more).json()
    assert (changed["added"], changed["replaced"]) == (["tax.txt"], ["rent.txt"])
    assert client.post("/v1/check", json=claim).json()["grounded"] is True
    left = client.delete("/v1/indexes/hand/documents/a%20b.md").json()
    assert (left["removed"], left["replaced"], left["documents"]) == (["a b.md"], [], 2)
    whole = client.put("/v1/indexes/hand", json={"documents": [{"text": "x", "id": "tax.txt"}]})
    assert (whole.json()["replaced"], whole.json()["removed"]) == (["tax.txt"], ["rent.txt"])
    assert client.delete("/v1/indexes/hand").status_code == 204
    assert "default" in refused(client.post("/v1/check", json=claim), "index_not_found")


@contextlib.contextmanager
def _serving(halgorithm: Halgorithm, *indexes: Path) -> Iterator[Running]:
    """A server of indexes on the disk, as `halgo serve --index` makes it."""
    from halgo.adapters.serve_command import _load

    def load(made: Halgorithm, corpora: Any) -> None:
        _load(made, corpora, [], list(indexes))

    with started(halgorithm, load=load) as one:
        wait(lambda: one.service.ready or one.service.failure)
        yield one


@pytest.mark.parametrize("kept", ["folder", "file"])
def test_an_index_on_the_disk_is_read_again_when_it_has_changed(
    halgorithm: Halgorithm, tmp_path: Path, kept: str
) -> None:
    path = tmp_path / "kb.index"

    def write(text: str) -> None:
        document = {"id": "rent", "text": text}
        if kept == "folder":
            open_index(path, halgorithm=halgorithm, create=True).put(document)
        else:
            Checker.from_docs([document], halgorithm=halgorithm).save(path)

    write("Rent is 900 euros.")
    with _serving(halgorithm, path) as one:
        assert one.check("Rent is 950 euros.").json()["grounded"] is False
        write("Rent is 950 euros.")
        for name in ("default", "kb"):
            assert one.check("Rent is 950 euros.", index=name).json()["grounded"] is True
        first = one.client.get("/v1/indexes/kb").json()["digest"]
        write("Rent is 990 euros.")
        assert one.client.get("/v1/indexes/kb").json()["digest"] != first
        # What cannot be read does no harm to what was read before.
        (path / "index.json" if kept == "folder" else path).write_text("{}")
        assert one.check("Rent is 990 euros.").json()["grounded"] is True
        assert "index_not_read_again" in one.log.getvalue()


def test_an_index_on_the_disk_is_one_under_both_its_names_and_changed_there_alone(
    halgorithm: Halgorithm, tmp_path: Path
) -> None:
    open_index(tmp_path / "kb.index", halgorithm=halgorithm, create=True).put(
        {"id": "rent", "text": "Rent is 900 euros."}
    )
    with _serving(halgorithm, tmp_path / "kb.index") as one:
        assert one.service.corpora.get("kb") is one.service.corpora.get("default")
        listed = one.client.get("/v1/indexes").json()["indexes"]
        assert [(each["name"], each.get("same_as")) for each in listed] == [
            ("default", "kb"),
            ("kb", None),
        ]
        files = [("files", ("rent.txt", b"Rent is 1 euro."))]
        for name in ("kb", "default"):
            at = f"/v1/indexes/{name}"
            for refusal in (
                one.client.put(at, json={"documents": ["a"]}),
                one.client.put(f"{at}/documents/doc1", json={"text": "a"}),
                one.client.post(f"{at}/documents", files=files),
                one.client.delete(f"{at}/documents/doc1"),
            ):
                assert "--store" in refused(refusal, "index_on_disk")
        assert one.check("Rent is 900 euros.").json()["grounded"] is True
        assert one.client.delete("/v1/indexes/kb").status_code == 204
        assert one.client.get("/v1/indexes").json() == {"indexes": []}
        assert one.client.put("/v1/indexes/kb", json={"documents": ["a"]}).status_code == 200


def test_a_server_that_is_read_only_takes_no_changes(halgorithm: Halgorithm) -> None:
    with started(halgorithm, read_only=True) as one:
        refused(one.client.put("/v1/indexes/mine", json={"documents": ["a"]}), "read_only")
        refused(one.client.delete("/v1/indexes/default"), "read_only")
        assert one.check(ANSWER).status_code == 200
        assert one.check("It is red.", documents=["It is red."]).json()["grounded"] is True


def test_an_upload_that_cannot_be_read_is_refused(running: Running) -> None:
    def upload(name: str, data: bytes, index: str = "odd") -> Any:
        files = [("files", (name, data))]
        return running.client.post("/v1/indexes", data={"name": index}, files=files)

    assert "zero bytes" in refused(upload("a.txt", b"\0\1"), "unreadable_document")
    assert "save it as .docx" in refused(upload("a.doc", b"PK"), "unreadable_document")
    refused(upload("a.txt", b"Rent.", "no/slash"), "invalid_request")
    refused(upload("a.txt", b"Rent.", "default"), "index_exists")
    refused(running.client.post("/v1/indexes", json={}), "unsupported_media_type")
    assert running.client.get("/v1/indexes/odd").status_code == 404


def test_uploaded_files_of_one_name_are_all_kept_and_told_apart_as_documents_are(
    running: Running,
) -> None:
    client = running.client
    files = [
        ("files", ("d1/a.txt", b"Rent is 900 euros.")),
        ("files", ("d2/a.txt", b"Heating is 80 euros.")),
        ("files", ("empty.txt", b"")),
    ]
    made = client.post("/v1/indexes", data={"name": "twice"}, files=files).json()
    assert made["added"] == ["a.txt", "a.txt#2", "empty.txt"]
    assert made["warnings"] == [
        "document id 'a.txt' is used twice; the later is 'a.txt#2'",
        "document 'empty.txt' (empty.txt) has no text",
    ]
    both = running.check("Rent is 900 euros. Heating is 80 euros.", index="twice").json()
    assert both["grounded"] is True and both["warnings"] == made["warnings"]
    again = client.post("/v1/indexes/twice/documents", files=files[:2]).json()
    assert again["documents"] == 3 and "#2" in again["warnings"][0]
    assert client.delete("/v1/indexes/twice").status_code == 204


# --- what is refused -----------------------------------------------------------------------------


def test_each_limit_has_its_error_type(small: Running) -> None:
    check, client = small.check, small.client
    refused(check("The fee is 5%. " * 30), "answer_too_large")
    refused(check("The fee is 5%. " * 6), "too_many_claims")
    assert "200" in refused(check("Yes.", question="x" * 201), "question_too_large")
    written = {"headers": {"Content-Type": "text/plain"}, "params": {"question": "x" * 201}}
    found = client.post("/v1/check/stream", content="Yes.", **written)
    refused(found, "question_too_large")
    refused(check(ANSWER, documents=["a", "b", "c"]), "too_many_documents")
    refused(check(ANSWER, documents=["a " * 101]), "documents_too_large")
    refused(check("x" * 5000), "body_too_large")
    refused(client.post("/v1/batch", json={"answers": ["a", "b", "c"]}), "batch_too_large")
    assert client.put("/v1/indexes/one", json={"documents": ["a"]}).status_code == 200
    refused(client.put("/v1/indexes/two", json={"documents": ["a"]}), "too_many_indexes")

    many = (b" " * 1000 for _ in range(20_000))  # without a length that would tell
    # The line may be cut before the client has read why.
    with contextlib.suppress(httpx.TransportError):
        refused(client.post("/v1/check", content=many), "body_too_large")


def test_a_full_queue_says_when_to_come_back(small: Running) -> None:
    begun, go = threading.Event(), threading.Event()
    held = small.service.engine.call(lambda: (begun.set(), go.wait()))
    assert begun.wait(20)  # the engine is at work, and the queue is empty

    async def ask() -> list[Any]:
        async with httpx.AsyncClient(base_url=small.url, timeout=60) as client:
            asked = [
                asyncio.create_task(client.post("/v1/check", json={"answer": ANSWER}))
                for _ in range(5)
            ]
            async with asyncio.timeout(30):
                while sum(task.done() for task in asked) < 3:
                    await asyncio.sleep(0.01)
                go.set()
                return await asyncio.gather(*asked)

    try:
        answers = asyncio.run(ask())
    finally:
        go.set()
    held.result()
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200, 200, 429, 429, 429]
    late = next(answer for answer in answers if answer.status_code == 429)
    assert 1 <= int(late.headers["retry-after"]) <= 60
    refused(late, "queue_full")


def test_an_answer_that_is_too_slow_by_itself_is_not_asked_to_come_again(
    halgorithm: Halgorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Checker.judge

    def slowly(checker: Checker, claims: Any) -> Any:
        time.sleep(0.4)  # four rounds of it take too long; the second has both answers
        return judge(checker, claims)

    with started(halgorithm, limits=Limits(seconds=1)) as running:
        monkeypatch.setattr(Checker, "judge", slowly)
        long = " ".join(f"The late fee was 5% in {year}." for year in range(1900, 1930))
        found = running.check(long)
        assert "--seconds" in refused(found, "answer_too_slow")
        assert "retry-after" not in found.headers
        wait(lambda: running.service.engine.idle)

        async def both() -> list[Any]:
            async with httpx.AsyncClient(base_url=running.url, timeout=60) as client:
                bodies = [{"answer": long}, {"answer": f"Fees: {long}"}]
                return await asyncio.gather(*(client.post("/v1/check", json=b) for b in bodies))

        for found in asyncio.run(both()):
            refused(found, "time_limit")
            assert found.headers["retry-after"]


def test_one_answer_of_a_batch_that_is_too_large_does_not_fail_the_others(small: Running) -> None:
    answers = ["The late fee is 1.5% per month.", "The fee is 5%. " * 30]
    found = small.client.post("/v1/batch", json={"answers": answers})
    assert found.status_code == 200
    good, bad = found.json()["results"]
    assert good["ok"] and good["report"]["grounded"]
    assert (bad["ok"], bad["report"], bad["error_type"]) == (False, None, "answer_too_large")


def test_what_takes_too_long_is_told_so(halgorithm: Halgorithm) -> None:
    go = threading.Event()
    with started(halgorithm, limits=Limits(seconds=1)) as running:
        running.service.engine.call(lambda: go.wait(20))
        found = running.check(ANSWER)
        go.set()
        assert "1 s" in refused(found, "time_limit")
        wait(lambda: running.service.engine.idle)
        assert running.check(ANSWER).status_code == 200


@pytest.mark.parametrize(
    "body, where",
    [
        ({"answer": 1}, "body.answer"),
        ({"answer": "x", "secret words": 1}, "an unknown key; there are answer, "),
        ({"answer": "x", "include": ["nothing"]}, "body.include"),
        (
            {"answer": "x", "settings": {"treshold": 0.3}},
            "body.settings: an unknown key, 'treshold' (the nearest is 'threshold')",
        ),
        ({"answers": "x"}, "'answers' (the nearest is 'answer')"),
        (
            {"answer": "x", "documents": [{"page": "secret words"}]},
            "body.documents.0: an unknown key; there are content, id, kind, metadata, page_c",
        ),
        ({"answer": "x", "tags": {"report": 1}}, "tags"),
        ({"answer": "x", "settings": {"threshold": "0.4"}}, "body.settings.threshold"),
        ([], "body"),
    ],
)
def test_a_request_that_does_not_fit_is_told_where(running: Running, body: Any, where: str) -> None:
    said = refused(running.client.post("/v1/check", json=body), "invalid_request")
    assert where in said
    assert "secret words" not in said and ".str:" not in said


@pytest.mark.parametrize(
    "body, where",
    [
        (b'{"answer": "secret words",}', "no valid JSON: "),
        (b'{"answer": "secret words\xe9"}', "no valid JSON: "),
    ],
)
@pytest.mark.parametrize("path", ["/v1/check", "/v1/check/stream", "/v1/batch"])
def test_a_body_that_is_no_json_is_told_so_and_where(
    running: Running, path: str, body: bytes, where: str
) -> None:
    kind = {"Content-Type": "application/json"}
    said = refused(running.client.post(path, content=body, headers=kind), "invalid_request")
    assert said.startswith(f"body: {where}")
    assert re.search(r"(?:character|byte|column) \d+$", said)
    assert "secret words" not in said


def test_a_compressed_body_is_refused_as_such(running: Running) -> None:
    kind = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    body = gzip.compress(json.dumps({"answer": ANSWER}).encode())
    found = running.client.post("/v1/check", content=body, headers=kind)
    assert "Content-Encoding" in refused(found, "unsupported_media_type")
    kind["Content-Encoding"] = "identity"
    plain = gzip.decompress(body)
    assert running.client.post("/v1/check", content=plain, headers=kind).status_code == 200


def test_several_unknown_keys_are_told_of_once(running: Running) -> None:
    said = refused(running.client.post("/v1/check", json={"x": 1, "y": 2}), "invalid_request")
    assert said.count("an unknown key") == 1


@pytest.mark.parametrize(
    "method, path, told",
    [
        ("POST", "/v1/check/stream?polcy=hedge", "'polcy' (the nearest is 'policy'); this route"),
        ("POST", "/v1/check/stream?secret=1", "this route knows include, index, policy, question"),
        ("POST", "/v1/check/stream?include=gat", "'judge', 'gate', 'citations' or 'html'"),
        ("POST", "/v1/check?policy=hedge", "this route knows none"),
        ("GET", "/v1/indexes?secret=1", "this route knows none"),
        ("GET", "/v1/statistics?sinse=2026-01-01", "'sinse' (the nearest is 'since')"),
        ("GET", "/dashboard/figures?secret=1", "this route knows since, until"),
    ],
)
def test_what_an_address_asks_for_and_a_route_does_not_know_is_refused(
    running: Running, method: str, path: str, told: str
) -> None:
    kind = {"Content-Type": "text/plain"}
    if path.startswith("/v1/check?"):
        found = running.client.post(path, json={"answer": ANSWER})
    else:
        found = running.client.request(method, path, content=ANSWER, headers=kind)
    said = refused(found, "invalid_request")
    assert told in said and said.startswith("query")
    assert "secret" not in said


def test_a_policy_in_the_address_of_a_json_answer_is_not_overlooked(running: Running) -> None:
    path = "/v1/check/stream?policy=strip-unsupported"
    found = running.client.post(path, json={"answer": ANSWER})
    assert "put it in the body" in refused(found, "invalid_request")


def test_a_policy_that_there_is_not_is_told_where_it_was_given(running: Running) -> None:
    kind = {"Content-Type": "text/plain"}
    found = running.client.post("/v1/check/stream?policy=nope", content=ANSWER, headers=kind)
    said = refused(found, "invalid_policy")
    assert said.startswith("query.policy: ") and "strict-block" in said
    found = running.client.post("/v1/check/stream", json={"answer": ANSWER, "policy": "nope"})
    assert refused(found, "invalid_policy").startswith("body.policy: ")


def test_a_result_of_a_tool_reads_as_in_a_bundle(running: Running) -> None:
    answer, result = "I've cancelled order ORD-1.", {"ok": False, "error": "already shipped"}
    bundle = Bundle()
    bundle.add_tool_result("cancel_order", result, call_id="c2")
    [known] = Checker.from_bundle(bundle, halgorithm=running.service.halgorithm).check(answer)
    given = {"id": "c2", "source": "cancel_order", "kind": "tool", "text": json.dumps(result)}
    [claim] = running.check(answer, documents=[given]).json()["claims"]
    assert claim["status"] == known.verdict.value == "CONTRADICTION"
    assert (claim["matched_doc_id"], claim["source_kind"]) == ("c2", "tool")
    assert claim["chunk_text"] == known.evidence.chunk.text


def test_a_request_may_bring_documents_beside_an_index(running: Running) -> None:
    answer = f"{ANSWER} I've cancelled order ORD-1."
    result = {"source": "cancel_order", "kind": "tool", "text": '{"ok": false, "error": "shipped"}'}
    before = running.client.get("/v1/indexes/default").json()
    found = running.check(answer, index="default", documents=[result], include=["judge"]).json()
    sources = [(one["status"], one["matched_source"]) for one in found["claims"]]
    assert sources == [
        ("CONTRADICTION", "doc1"),
        ("SUPPORTED", "doc1"),
        ("CONTRADICTION", "cancel_order"),
    ]
    # Each claim is as against its own source, and what one request brings is not in the next.
    alone = running.check(answer, index="default").json()
    assert found["claims"][:2] == alone["claims"][:2]
    assert alone["claims"][2]["matched_source"] != "cancel_order"
    assert running.client.get("/v1/indexes/default").json() == before
    assert any("'doc1' is used twice" in one for one in found["warnings"])
    missing = running.check(answer, index="elsewhere", documents=[result])
    refused(missing, "index_not_found")


def test_a_connection_that_stays_open_waits_for_no_acknowledgement(running: Running) -> None:
    host, port = running.url.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port))
    took = []
    for _ in range(20):
        start = time.monotonic()
        connection.request("GET", "/health")
        assert connection.getresponse().read()
        took.append(time.monotonic() - start)
    connection.close()
    # With a body that waits for its head to be acknowledged, all but the first take 40 ms.
    assert sorted(took)[5] < 0.03, took


@pytest.mark.parametrize("key", ["text", "content", "page_content"])
def test_a_document_has_its_text_under_the_keys_of_from_docs(running: Running, key: str) -> None:
    found = running.check("The fee is 5%.", documents=[{key: "The fee is 5%.", "id": "a"}])
    assert found.status_code == 200 and found.json()["grounded"] is True


def test_metadata_may_be_a_number_as_retrievers_give_it(running: Running) -> None:
    document = {"page_content": "The fee is 5%.", "metadata": {"source": "a.pdf", "page": 3}}
    found = running.check("The fee is 5%.", documents=[document])
    assert found.status_code == 200 and found.json()["grounded"] is True
    document["metadata"] = {"page": [3]}
    assert running.check("The fee is 5%.", documents=[document]).status_code == 422


def test_a_policy_that_is_none_is_refused_with_the_nearest(running: Running) -> None:
    said = refused(running.check(ANSWER, include=["gate"], policy="lenient"), "invalid_policy")
    assert "strip-unsupported" in said
    odd = {"base": "hedge", "wek_support": "pass"}
    assert "weak_support" in refused(running.check(ANSWER, policy=odd), "invalid_policy")


def test_pages_of_other_sites_and_other_names_for_this_machine_are_refused(
    running: Running,
) -> None:
    client = running.client
    refused(client.get("/info", headers={"Host": "attacker.example"}), "forbidden_host")
    refused(client.get("/info", headers={"Origin": "http://attacker.example"}), "forbidden_origin")
    refused(client.get("/info", headers={"Origin": "http://localhost:3000"}), "forbidden_origin")
    assert client.get("/info", headers={"Origin": running.url}).status_code == 200


def test_with_a_token_every_route_that_holds_something_asks_for_it(halgorithm: Halgorithm) -> None:
    with started(halgorithm, token="a-token-of-length") as running:
        client = running.client
        for path in ("/info", "/metrics", "/v1/indexes", "/v1/statistics", "/dashboard/figures"):
            refused(client.get(path), "unauthorized")
        refused(running.check(ANSWER), "unauthorized")
        refused(client.options("/v1/check"), "unauthorized")  # as a browser asks beforehand
        refused(client.get("/info", headers={"Authorization": "Bearer wrong"}), "unauthorized")
        for header in (
            {"Authorization": "Bearer a-token-of-length"},
            {"x-api-key": "a-token-of-length"},
        ):
            assert client.get("/info", headers=header).status_code == 200
        for path in ("/", "/health", "/ready", "/dashboard", "/page/server.js", "/openapi.json"):
            assert client.get(path).status_code == 200
        assert client.get("/openapi.json").json()["security"] == [{"token": []}]


def test_before_it_is_ready_and_while_it_stops_it_says_so(halgorithm: Halgorithm) -> None:
    go = threading.Event()

    def slow(made: Halgorithm, corpora: Any) -> None:
        go.wait(20)
        corpora.add("default", Checker.from_docs(CONTRACT, halgorithm=made))

    with started(halgorithm, load=slow) as running:
        assert running.client.get("/health").status_code == 200
        assert int(running.client.get("/ready").headers["retry-after"]) >= 1
        refused(running.check(ANSWER), "not_ready")
        go.set()
        wait(lambda: running.client.get("/ready").status_code == 200)
        begun, hold = threading.Event(), threading.Event()
        running.service.engine.call(lambda: (begun.set(), hold.wait(20)))
        # Else the answer that is waited for below could be this call, still in the queue.
        assert begun.wait(20)
        found: list[Any] = []
        body = {"answer": ANSWER}

        def ask() -> None:
            found.append(httpx.post(f"{running.url}/v1/check", json=body, timeout=30))

        asking = threading.Thread(target=ask)
        asking.start()
        wait(lambda: running.service.engine.size)
        running.server.handle_exit(15, None)
        refused(running.client.get("/ready"), "draining")
        refused(running.check(ANSWER), "draining")
        hold.set()
        asking.join(20)
        assert found[0].status_code == 200  # what was taken is finished


# --- compatible routes ---------------------------------------------------------------------------


def test_nemo_gets_a_score_that_is_never_better_than_the_verdict(running: Running) -> None:
    def score(evidence: Any, claim: str) -> float:
        asked = {"evidence": evidence, "claim": claim}
        return float(running.client.post("/alignscore_base", json=asked).json()["alignscore"])

    assert score(CONTRACT, "Payment is due within 30 days.") >= 0.5
    assert score([CONTRACT], ANSWER) < 0.5
    for evidence, claim in (([], ANSWER), ("", ANSWER), (CONTRACT, ""), (CONTRACT, "Hello!")):
        assert score(evidence, claim) == 0


def test_litellm_is_told_to_pass_change_or_block(running: Running) -> None:
    def decided(texts: list[str] | None, input_type: str = "response", **params: Any) -> Any:
        asked = {
            "input_type": input_type,
            "texts": texts,
            "litellm_call_id": "1",
            "request_data": {"user_api_key_alias": None},
            "additional_provider_specific_params": params,
        }
        return running.client.post("/beta/litellm_basic_guardrail_api", json=asked).json()

    fine = "Payment is due within 30 days."
    assert decided([fine])["action"] == "NONE"
    assert decided([ANSWER], "request")["action"] == "NONE"
    assert decided(None)["action"] == "NONE"
    blocked = decided([fine, ANSWER])
    assert blocked["action"] == "BLOCKED"
    assert "5%" in blocked["blocked_reason"]
    changed = decided([fine, ANSWER], policy="strip-unsupported")
    assert changed == {"action": "GUARDRAIL_INTERVENED", "texts": [fine, fine]}
    assert decided([ANSWER], documents=[])["action"] == "BLOCKED"
    assert decided(["x"], index=5)["error_type"] == "invalid_request"


# --- for those who run it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/health", "GET, HEAD"),
        ("DELETE", "/", "GET, HEAD"),
        ("GET", "/v1/check", "POST"),
        ("HEAD", "/v1/check", "POST"),
        ("PATCH", "/v1/indexes", "GET, HEAD, POST"),
        ("PATCH", "/v1/indexes/default", "DELETE, GET, HEAD, PUT"),
        ("POST", "/openapi.json", "GET, HEAD"),
    ],
)
def test_a_route_of_other_methods_says_which(
    running: Running, method: str, path: str, allowed: str
) -> None:
    found = running.client.request(method, path)
    assert (found.status_code, found.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize("path", ["/health", "/ready", "/", "/info", "/metrics", "/v1/indexes"])
def test_head_is_get_without_the_body(running: Running, path: str) -> None:
    whole, head = running.client.get(path), running.client.head(path)
    assert (head.status_code, head.content) == (200, b"") and whole.content
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_under_too_much_work_some_answers_are_still_given() -> None:
    class Slow:
        """A checker that takes 10 ms a claim."""

        index, config = object(), Config()

        def judge(self, claims: list[Any]) -> list[Any]:
            time.sleep(0.01 * len(claims))
            return claims

        def report(self, answer: str, claims: list[Any], results: list[Any]) -> int:
            return len(results)

    long = " ".join(f"The late fee of customer {one} is {one}%." for one in range(60))
    engine, slow = Engine(Limits(seconds=3), Metrics()), cast(Any, Slow())
    engine.start()
    jobs = [Job(slow, long, lambda report, begun: report) for _ in range(20)]
    for job in jobs:
        engine.submit([job])
    failures = [job.future.exception(20) for job in jobs]
    engine.stop()
    # In equal shares of eight none of them is done: each takes 0.6 s by itself.
    assert sum(failure is None for failure in failures) >= 2
    told = {cast(Any, failure).error_type for failure in failures if failure is not None}
    assert told == {"time_limit"}


def test_openapi_describes_what_is_sent(running: Running) -> None:
    from halgo.server.schema import BatchOut, CheckOut, IndexesOut, InfoOut

    described = running.client.get("/openapi.json").json()
    assert described["paths"]["/v1/check"]["post"]["responses"]["429"]
    for name in ("CheckIn", "BatchIn", "IndexIn", "LiteLLMIn", "AlignScoreIn"):
        assert described["components"]["schemas"][name]["examples"]
    for example in described["components"]["schemas"]["CheckIn"]["examples"]:
        found = running.client.post("/v1/check", json=example)
        assert found.status_code == 200, found.text
        # Every key that is sent is described, and the other way round.
        sent = CheckOut.model_validate(found.json())
        dumped = sent.model_dump(by_alias=True, exclude_unset=True, mode="json")
        assert dumped == found.json()
    BatchOut.model_validate(running.client.post("/v1/batch", json={"answers": ["a"]}).json())
    IndexesOut.model_validate(running.client.get("/v1/indexes").json())
    info = InfoOut.model_validate(running.client.get("/info").json())
    assert info.models[0]["files"]["model.onnx"]


def test_metrics_and_statistics_count_what_was_checked(running: Running) -> None:
    def value(name: str, **labels: str) -> float:
        return running.service.metrics.registry.get_sample_value(name, labels) or 0.0

    before = value("halgo_claims_total", verdict="CONTRADICTION")
    running.check(ANSWER, include=["gate"], policy="strip-unsupported", tags={"user": "u1"})
    assert value("halgo_claims_total", verdict="CONTRADICTION") == before + 1
    assert (
        b'halgo_requests_total{route="/v1/check",status="200"}'
        in running.client.get("/metrics").content
    )
    total = running.client.get("/v1/statistics").json()["total"]
    assert total["checks"] > 0 and total["strip_rate"] > 0
    line = running.service.audit.read_text().splitlines()[-1]  # type: ignore[union-attr]
    assert json.loads(line)["tags"] == {"user": "u1"}
    assert "late fee" not in line
    figures = running.client.get("/dashboard/figures")
    assert figures.text.count('role="img"') == 4, figures.text[:500]
    refused(running.client.get("/v1/statistics?since=yesterday"), "invalid_request")


def test_nothing_of_a_user_is_logged(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "Zanzibar"
    running.check(f"The fee of {secret} is 5%.", documents=[f"{secret} pays."], tags={"t": secret})
    running.check("5%.", question=f"What is the fee of {secret}?")
    running.client.post(
        f"/v1/check/stream?question={secret}", content="5%.", headers={"Content-Type": "text/plain"}
    )
    running.client.get(f"/v1/indexes/{secret}")
    running.client.get(f"/{secret}?q={secret}")
    running.client.post("/v1/check", json={secret: secret})
    running.client.put(
        f"/v1/indexes/default/documents/{secret}", json={"text": secret, "x": secret}
    )

    def broken(*given: Any, **named: Any) -> Any:
        raise ValueError(f"could not read {secret}")

    monkeypatch.setattr("halgo.server.service.response", broken)
    refused(running.check(f"{secret} is 5% off."), "internal")
    monkeypatch.undo()
    # The line is written once the answer has been sent.
    wait(lambda: '"status": 500' in running.log.getvalue())
    logged = running.log.getvalue()
    assert secret.lower() not in logged.lower()
    assert '"type": "ValueError"' in logged and "test_server.py" in logged
    assert '"/v1/indexes/{name}"' in logged


def test_a_place_is_right_in_a_long_text_of_many_scripts() -> None:
    from halgo.server.offsets import Offsets

    text = "aé漢🙂" * 1000 + "\ud800x"
    offsets = Offsets(text)
    for start, end in ((0, 4), (1023, 1025), (2048, 4000), (len(text) - 2, len(text))):
        place = offsets.place([start, end])
        assert place == {
            "characters": [start, end],
            "utf8": [len(text[:at].encode("utf-8", "surrogatepass")) for at in (start, end)],
            "utf16": [
                len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in (start, end)
            ],
        }


def test_the_manual_has_every_error_type_and_limit() -> None:
    page = (Path(__file__).parent.parent / "docs/server.md").read_text(encoding="utf-8")
    for status in set(STATUS.values()):
        kinds = ", ".join(f"`{kind}`" for kind, of in STATUS.items() if of == status)
        assert f"| {status} | {kinds}" in page
    for name, value in Limits().to_dict().items():
        assert re.search(rf"^\| `{name}`.* \| {value:,} \|", page, re.MULTILINE), name


def test_the_command_refuses_to_be_reached_from_elsewhere_without_a_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from halgo.adapters.cli import main

    monkeypatch.delenv("HALGO_TOKEN", raising=False)
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "HALGO_TOKEN" in capsys.readouterr().err
    monkeypatch.setenv("HALGO_TOKEN", "short")
    assert main(["serve"]) == 2
    assert "16" in capsys.readouterr().err
    monkeypatch.delenv("HALGO_TOKEN")
    for words in (["missing.md"], ["--index", "missing.index"]):
        place = str(tmp_path / words.pop())
        assert main(["serve", *words, place, "--port", "0"]) == 2
        told = capsys.readouterr().err
        assert f"no such file: {place}" in told and "listening" not in told
