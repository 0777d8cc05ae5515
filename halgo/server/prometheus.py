"""What the server did -> counters and histograms in the form Prometheus reads."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_CLAIMS = (1, 2, 4, 8, 16, 24, 32, 40)


class Metrics:
    """The figures of one server, in a registry of their own. No label holds text of a user."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self.requests = Counter(
            "halgo_requests", "Requests answered", ["route", "status"], registry=registry
        )
        self.request_seconds = Histogram(
            "halgo_request_seconds",
            "From the first byte in to the last byte out",
            ["route"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.refused = Counter(
            "halgo_refused", "Requests refused, by error type", ["error_type"], registry=registry
        )
        self.answers = Counter(
            "halgo_answers", "Answers checked, by state", ["state"], registry=registry
        )
        self.claims = Counter(
            "halgo_claims", "Claims checked, by verdict", ["verdict"], registry=registry
        )
        self.decisions = Counter(
            "halgo_gate_decisions", "Decisions of the gate", ["action"], registry=registry
        )
        self.queue_size = Gauge(
            "halgo_queue_size", "Answers that wait or are being checked", registry=registry
        )
        self.queue_seconds = Histogram(
            "halgo_queue_seconds", "Wait of an answer", buckets=_SECONDS, registry=registry
        )
        self.check_seconds = Histogram(
            "halgo_check_seconds", "Check of an answer", buckets=_SECONDS, registry=registry
        )
        self.model_seconds = Histogram(
            "halgo_model_seconds", "One shared model call", buckets=_SECONDS, registry=registry
        )
        self.batch_claims = Histogram(
            "halgo_batch_claims", "Claims of one model call", buckets=_CLAIMS, registry=registry
        )

    def rendered(self) -> bytes:
        """All figures as text."""
        return generate_latest(self.registry)
