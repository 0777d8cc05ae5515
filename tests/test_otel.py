"""Telemetry: one event an answer, in the conventions' names, without text unless opted in."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the package opentelemetry-sdk is not installed")

from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider

from halgo import Halgorithm, Report
from halgo.integrations import otel

pytestmark = pytest.mark.models

DOCS = "The late fee of Zanzibar Ltd is 1.5% per month. Payment is due within 30 days."
CHECKER = Halgorithm(None, embedder="lexical", entailment=None).checker(DOCS)


class Sent:
    """A provider that keeps what is sent through it."""

    def __init__(self) -> None:
        self.provider = LoggerProvider()
        self.exporter = InMemoryLogRecordExporter()
        self.provider.add_log_record_processor(SimpleLogRecordProcessor(self.exporter))

    @property
    def records(self) -> list[Any]:
        return [data.log_record for data in self.exporter.get_finished_logs()]

    @property
    def written(self) -> str:
        """All that was sent, as an exporter writes it."""
        return "\n".join(data.to_json() for data in self.exporter.get_finished_logs())


def sent(report: Report, **options: Any) -> Any:
    """The one record that a report makes."""
    place = Sent()
    otel.emit(report, provider=place.provider, **options)
    (record,) = place.records
    return record


def test_an_answer_is_one_event_with_score_label_and_counts() -> None:
    report = CHECKER.check("Payment is due within 30 days. The late fee is 5% per month.")
    record = sent(report, response_id="chatcmpl-17")
    assert record.event_name == "gen_ai.evaluation.result"
    attributes = dict(record.attributes)
    engine = attributes.pop("halgo.engine")
    assert engine.startswith("halgo-") and "lexical" in engine
    assert attributes == {
        "gen_ai.evaluation.name": "groundedness",
        "gen_ai.evaluation.score.value": 0.5,
        "gen_ai.evaluation.score.label": "contradiction",
        "gen_ai.evaluation.explanation": (
            f"1 of 2 claims supported, 1 contradicted; weakest {report.weakest:.2f}"
        ),
        "gen_ai.response.id": "chatcmpl-17",
        "halgo.state": "assessed",
        "halgo.index_digest": report.engine.index_digest,
        "halgo.claims.supported": 1,
        "halgo.claims.weak_support": 0,
        "halgo.claims.contradiction": 1,
        "halgo.claims.hallucination": 0,
    }


@pytest.mark.parametrize(
    "answer, label",
    [("", "empty"), ("Hello!", "no_claims"), ("I don't have enough information.", "refusal")],
)
def test_what_was_not_assessed_has_a_label_and_no_score(answer: str, label: str) -> None:
    attributes = sent(CHECKER.check(answer)).attributes
    assert attributes["gen_ai.evaluation.score.label"] == label
    assert "gen_ai.evaluation.score.value" not in attributes


def test_no_word_of_answer_or_source_is_sent_unless_opted_in() -> None:
    report = CHECKER.check("The late fee of Quagga Corp is 77% per month.")
    words = ("Zanzibar", "Quagga", "month")
    place = Sent()
    otel.emit(report, provider=place.provider)
    assert otel.EVENT in place.written
    assert not [word for word in words if word in place.written]
    record = sent(report, text=True)
    assert record.body["answer"] == report.answer
    assert all(word in json.dumps(record.body) for word in words)
    assert "Quagga" in record.attributes["gen_ai.evaluation.explanation"]


def test_the_event_belongs_to_the_span_that_is_current() -> None:
    tracer = TracerProvider().get_tracer("test")
    with tracer.start_as_current_span("answering") as span:
        record = sent(CHECKER.check("Payment is due within 30 days."))
    assert record.trace_id == span.get_span_context().trace_id
    assert record.span_id == span.get_span_context().span_id


def test_a_failed_check_is_an_event_with_the_kind_of_the_error_alone() -> None:
    place = Sent()
    otel.emit_error(ValueError("secret words"), response_id="r1", provider=place.provider)
    (record,) = place.records
    assert dict(record.attributes) == {
        "gen_ai.evaluation.name": "groundedness",
        "error.type": "ValueError",
        "gen_ai.response.id": "r1",
    }
    assert "secret" not in place.written
