"""One server's parts together: models, indexes, engine, limits, audit log, figures."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halgo.delivery.audit import AuditLog
from halgo.delivery.gate import STRICT_BLOCK, Decision, Policy, profile
from halgo.errors import ConfigError, DocumentError, HalgoError
from halgo.halgorithm import Halgorithm
from halgo.report.report import Report
from halgo.server.corpora import DEFAULT, Corpora, Corpus
from halgo.server.engine import Engine, Job, Told, too_late
from halgo.server.limits import Limits
from halgo.server.logs import Log
from halgo.server.prometheus import Metrics
from halgo.server.refusals import Refused
from halgo.server.response import Wanted, response
from halgo.server.schema import Options, read_documents

Loader = Callable[[Halgorithm, Corpora], None]
_TAKEN = frozenset({"self", "report", "decision", "latency_ms"})


@dataclass(eq=False)
class Service:
    """What the routes work with.

    load: fills the indexes before the server is ready; what it raises ends the server. token: what
    requests must show, None on a machine's own address. audit: the log that every check goes to.
    read_only: whether clients may not make, change or delete indexes.
    """

    halgorithm: Halgorithm
    load: Loader | None = None
    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    audit: Path | None = None
    read_only: bool = False
    log: Log = field(default_factory=Log)
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.corpora = Corpora(self.halgorithm, self.limits)
        self.engine = Engine(self.limits, self.metrics)
        self.ready = False
        self.failure: Exception | None = None
        self._audit = None if self.audit is None else AuditLog(self.audit, on_error=self._lost)

    def start(self, failed: Callable[[], None] = lambda: None) -> None:
        """Loads models and documents in a thread, then takes requests; `failed`: when it cannot."""
        self.engine.start()
        threading.Thread(target=self._load, args=(failed,), name="halgo-load", daemon=True).start()

    def _load(self, failed: Callable[[], None]) -> None:
        try:
            # A first check brings in every model, so that no request waits for one.
            self.halgorithm.checker("The pump was sold in 2020.").check("It was sold in 2021.")
            if self.load is not None:
                self.load(self.halgorithm, self.corpora)
            self.ready = True
            self.log.info("ready", indexes=len(self.corpora.names))
        except Exception as error:
            self.failure = error
            failed()

    def stop(self) -> None:
        """Ends the threads, once what was taken is done."""
        self.engine.stop()

    def require_ready(self) -> None:
        """Raises Refused while models are being loaded, and once the server is to stop."""
        if self.engine.draining:
            raise Refused("draining", "the server is stopping; ask another", retry_after_s=5)
        if not self.ready:
            raise Refused("not_ready", "models and documents are being loaded", retry_after_s=2)

    def require_changes(self) -> None:
        """Raises Refused where clients may not change indexes."""
        self.require_ready()
        if self.read_only:
            raise Refused("read_only", "this server takes no changes; send documents with a check")

    # -- checking -------------------------------------------------------------------------------

    async def corpus(self, options: Options) -> Corpus:
        """What a request is checked against."""
        self.require_ready()
        given = options.documents
        if given is None:
            corpus = await self.index(options.index or DEFAULT)
        else:
            # Before the documents are read: it may not be there.
            named = None if options.index is None else await self.index(options.index)
            corpus = await self.built(lambda: self.corpora.own(*read_documents(given)))
            corpus = corpus if named is None else named.with_own(corpus)
        changes = options.settings.changes()
        if not changes:
            return corpus
        try:
            return corpus.with_config(corpus.checker.config.with_(**changes))
        except ConfigError as error:
            raise Refused("invalid_request", f"body.settings: {error}") from error

    async def index(self, name: str) -> Corpus:
        """The index of that name, as its file or folder has it now. Raises Refused."""
        if self.corpora.changed(name):
            await asyncio.to_thread(self._refresh, name)
        return self.corpora.get(name)

    def _refresh(self, name: str) -> None:
        try:
            self.corpora.refresh(name)
        except (HalgoError, OSError) as error:  # what was read before is as good as it was
            self.log.failure("index_not_read_again", error)

    async def built(self, function: Callable[[], Any]) -> Any:
        """Runs a function in the thread that makes indexes, within the time limit."""
        future = asyncio.wrap_future(self.engine.build(function))
        try:
            return await self.in_time(future)
        except DocumentError as error:
            raise Refused("unreadable_document", str(error)) from error

    async def in_time(self, future: asyncio.Future[Any], jobs: Sequence[Job] = ()) -> Any:
        """What a future gives, of these answers. Raises Refused when that takes too long."""
        try:
            return await asyncio.wait_for(future, self.limits.seconds)
        except TimeoutError:
            raise too_late(self.limits, jobs) from None

    def job(
        self,
        answer: str,
        corpus: Corpus,
        options: Options,
        told: Told | None = None,
        question: str | None = None,
    ) -> Job:
        """An answer for the engine; its future gives what is sent. Raises Refused."""
        self.require_size(answer, question)
        wanted = self.wanted(options, corpus)

        def finish(report: Report, begun: float) -> dict[str, Any]:
            return self.finish(report, corpus, wanted, options, begun)

        return Job(corpus.checker, answer, finish, told, question=question)

    def require_size(self, answer: str, question: str | None) -> None:
        """Raises Refused for an answer or a question that is too long."""
        if len(answer) > self.limits.answer_characters:
            raise Refused(
                "answer_too_large",
                f"the answer has {len(answer):,} characters; "
                f"{self.limits.answer_characters:,} is the most. Send it in parts.",
            )
        if question is not None and len(question) > self.limits.question_characters:
            raise Refused(
                "question_too_large",
                f"the question has {len(question):,} characters; "
                f"{self.limits.question_characters:,} is the most. Send what was asked alone.",
            )

    def wanted(self, options: Options, corpus: Corpus) -> Wanted:
        """What is wanted beside the report; with a policy, what the gate does by it.

        Raises Refused for a policy that is none.
        """
        if taken := _TAKEN & set(options.tags):
            raise Refused("invalid_request", f"body.tags: {min(taken)!r} is a key of the log's own")
        sources = options.sources
        if sources is not None:
            known = {document.id for document in corpus.documents}
            if not set(sources) <= known:
                raise Refused(
                    "document_not_found", "body.sources: ids of documents that are checked against"
                )
        gate = () if options.policy is None else ("gate",)
        return Wanted(
            frozenset((*options.include, *gate)),
            policy_of(options.policy),
            None if sources is None else tuple(sources),
        )

    def finish(
        self, report: Report, corpus: Corpus, wanted: Wanted, options: Options, begun: float
    ) -> dict[str, Any]:
        """What is sent for a report, which is counted and logged."""
        plain, decision = response(report, corpus, wanted)
        self.count(report, decision)
        if self._audit is not None:
            elapsed_ms = (time.monotonic() - begun) * 1000
            self._audit.append(report, decision, elapsed_ms, **options.tags)
        return plain

    def count(self, report: Report, decision: Decision | None) -> None:
        """Adds a report to the figures."""
        self.metrics.answers.labels(report.state.value).inc()
        for verdict, count in report.counts.items():
            self.metrics.claims.labels(verdict.value).inc(count)
        if decision is not None:
            self.metrics.decisions.labels(decision.action.value).inc()

    async def checked(self, jobs: list[Job]) -> list[Any]:
        """What the engine makes of answers, in order; an exception in the place of what failed."""
        self.engine.submit(jobs)
        futures = [asyncio.wrap_future(job.future) for job in jobs]
        done = asyncio.gather(*futures, return_exceptions=True)
        found: list[Any] = await self.in_time(done, jobs)
        return found

    def _lost(self, error: HalgoError) -> None:
        self.log.failure("audit_line_lost", error)


def policy_of(given: str | dict[str, Any] | None, place: str = "body.policy") -> Policy:
    """The profile of that name, or the policy of these values. Raises Refused, with its place."""
    if given is None:
        return STRICT_BLOCK
    try:
        return profile(given) if isinstance(given, str) else Policy.from_dict(given)
    except (ConfigError, TypeError) as error:
        raise Refused("invalid_policy", f"{place}: {error}") from error
