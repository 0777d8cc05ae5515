"""OpenTelemetry: one event `gen_ai.evaluation.result` an answer, through the Logs API.

    emit(checker.check(answer), response_id="chatcmpl-17")

The event joins the span that is current, and holds counts, score and label; the answer, claims and
passages only where `text=True` opts in. Where nothing was assessed there is no score: the label is
the state. The names are those of the semantic conventions for generative AI, written out because
the package of constants is giving them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halgo.integrations.common import NAME, needs, outcome
from halgo.report.marks import summary

with needs("otel"):
    from opentelemetry._logs import LogRecord, SeverityNumber, get_logger

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider

    from halgo.report.report import Report

EVENT = "gen_ai.evaluation.result"
_PREFIX = "gen_ai.evaluation"


def emit(
    report: Report,
    *,
    response_id: str | None = None,
    text: bool = False,
    provider: LoggerProvider | None = None,
) -> None:
    """Sends the event of a report. provider: the global one unless given.

    text: whether the answer, its claims and what the sources say may leave the process.
    """
    found = outcome(report)
    attributes: dict[str, Any] = {
        f"{_PREFIX}.score.label": found.label,
        f"{_PREFIX}.explanation": found.reason if text else summary(report),
        "halgo.state": report.state.value,
        "halgo.engine": _engine(report),
        "halgo.index_digest": report.engine.index_digest,
    }
    if found.score is not None:
        attributes[f"{_PREFIX}.score.value"] = found.score
    for verdict, count in report.counts.items():
        attributes[f"halgo.claims.{verdict.value.lower()}"] = count
    body = {"answer": report.answer, "claims": list(found.records)} if text else None
    _send(attributes, response_id, body, provider)


def emit_error(
    error: BaseException,
    *,
    response_id: str | None = None,
    provider: LoggerProvider | None = None,
) -> None:
    """Sends the event of an answer whose check failed: the kind of the error, none of its words."""
    _send({"error.type": type(error).__qualname__}, response_id, None, provider)


def _send(
    attributes: dict[str, Any],
    response_id: str | None,
    body: dict[str, Any] | None,
    provider: LoggerProvider | None,
) -> None:
    if response_id is not None:
        attributes["gen_ai.response.id"] = response_id
    record = LogRecord(
        event_name=EVENT,
        severity_number=SeverityNumber.INFO,
        body=body,
        attributes={f"{_PREFIX}.name": NAME, **attributes},
    )
    get_logger("halgo", logger_provider=provider).emit(record)


def _engine(report: Report) -> str:
    """What judged: halgo's version, encoder, entailment model and calibration in one word."""
    engine = report.engine
    return f"halgo-{engine.halgo}/{engine.embedder}/{engine.entailment}/{engine.calibration}"
