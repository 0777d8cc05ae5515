"""halgo as tools of an agent, by the Model Context Protocol: check, cite, explain.

Each gives structured content with a schema. An agent that has no documents of its own to give is
answered from those that the server was started with; where there are none, nothing is assessed,
and the result says so. Its own count alone, unless it asks for both, and the result says that too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from halgo import __version__
from halgo.checker import Checker
from halgo.delivery.cited import with_citations
from halgo.errors import HalgoError, MissingDependencyError
from halgo.integrations.common import Grounding
from halgo.report.marks import summary, why
from halgo.report.quotes import quotes
from halgo.report.report import Report
from halgo.types import ClaimResult, State

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import ToolAnnotations
    from pydantic import BaseModel, ConfigDict, Field, ValidationError
except ImportError as error:
    raise MissingDependencyError(
        f"the MCP server needs a package that is not here ({error}); run: pip install 'halgo[mcp]'"
    ) from error

LONGEST_ANSWER = 50_000  # characters
LONGEST_QUESTION = 10_000
LONGEST_SOURCE = 200_000
MOST_SOURCES = 200
_MOST_TOLD = 5  # wrong arguments

_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_HOW_TO = (
    "Checks text against documents, claim by claim, without a language model. Call check before "
    "you hand in an answer that rests on documents or tool results, and give these as `sources` "
    "and what you were asked as `question`. "
    "SUPPORTED: a source says it. WEAK_SUPPORT: a source is about it. CONTRADICTION: a source says "
    "otherwise. HALLUCINATION: no source says it. Agreement with the sources is not truth."
)


_ONLY_GIVEN = (
    "only the sources of this call counted, not the documents that this server was started with; "
    "with_documents=true holds the text against both"
)


class Source(BaseModel):
    """A document, a retrieved passage, or what a tool returned."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=LONGEST_SOURCE)
    name: str = Field(default="", max_length=300, description="What a reader is shown as its name")


class Quoted(BaseModel):
    """A sentence of a source, word for word."""

    text: str
    source: str
    page: str | None
    location: str | None


class CheckedClaim(BaseModel):
    """One claim of the answer; `start` and `end` are characters of it."""

    claim: str
    start: int
    end: int
    verdict: Literal["SUPPORTED", "WEAK_SUPPORT", "CONTRADICTION", "HALLUCINATION"]
    reason: str
    message: str
    score: float
    passages: list[Quoted]


class Unchecked(BaseModel):
    """A sentence that asserts nothing checkable, and what it is instead."""

    text: str
    kind: str


class CheckResult(BaseModel):
    """`grounded` and `confidence` are null where nothing was assessed; `state` says why."""

    state: Literal["assessed", "no_claims", "refusal", "no_sources", "empty"]
    grounded: bool | None
    confidence: float | None
    summary: str
    claims: list[CheckedClaim]
    not_checked: list[Unchecked]
    warnings: list[str]


class CitedSource(BaseModel):
    """What a number stands for."""

    number: int
    name: str
    excerpt: str


class CiteResult(BaseModel):
    """The answer with a mark behind each supported claim; `uncited` are the claims without one."""

    state: Literal["assessed", "no_claims", "refusal", "no_sources", "empty"]
    text: str
    sources: list[CitedSource]
    uncited: list[CheckedClaim]
    warnings: list[str]


class Signal(BaseModel):
    """One thing that was seen of a claim beside a passage."""

    kind: str
    stance: Literal["supports", "contradicts", "unsupported", "neutral"]
    message: str
    ours: str | None
    theirs: str | None


class Compared(BaseModel):
    """A passage that the claim was held against; score and similarity as halgo gives them."""

    text: str
    source: str
    score: float
    similarity: float
    signals: list[Signal]


class ExplainResult(BaseModel):
    """Why a claim has its verdict: the passages, best first, and what was seen in each."""

    claim: CheckedClaim | None
    state: Literal["assessed", "no_claims", "refusal", "no_sources", "empty"]
    compared: list[Compared]
    warnings: list[str]


Answer = Annotated[str, Field(max_length=LONGEST_ANSWER, description="The text to be checked")]
Asked = Annotated[
    str | None, Field(max_length=LONGEST_QUESTION, description="What the text is an answer to")
]
Sources = Annotated[
    list[Source] | None,
    Field(
        max_length=MOST_SOURCES,
        description="What counts as true, an empty list being none; else the server's documents",
    ),
]
Both = Annotated[
    bool, Field(description="Whether the server's documents count beside the sources given")
]


class _Tool(Tool):
    async def run(self, *arguments: Any, **named: Any) -> Any:
        """The tool's result. Raises ToolError that says of each wrong argument what is wrong."""
        try:
            return await super().run(*arguments, **named)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = error.__cause__.errors(include_url=False, include_input=False)
            told = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong[:_MOST_TOLD])
            raise ToolError("; ".join(told)) from None


def server(checker: Checker | None = None) -> MCPServer:
    """An MCP server that checks against the sources of each call, or else against `checker`."""
    tools = _Tools(checker)
    return MCPServer(
        "halgo",
        instructions=_HOW_TO,
        version=__version__,
        log_level="WARNING",
        tools=[_strict(tool) for tool in (tools.check, tools.cite, tools.explain)],
    )


def _strict(function: Callable[..., BaseModel]) -> Tool:
    """The tool, which takes no argument that it does not know: a misspelt one would be lost."""
    tool = _Tool.from_function(function, annotations=_READS_ONLY, structured_output=True)
    taken = tool.fn_metadata.arg_model

    class Strict(taken):  # type: ignore[misc, valid-type]
        model_config = ConfigDict(extra="forbid", title=taken.__name__)

    tool.fn_metadata.arg_model = Strict
    tool.parameters = Strict.model_json_schema(by_alias=True)
    return tool


class _Tools:
    def __init__(self, documents: Checker | None) -> None:
        self.documents, self.grounding = documents, Grounding(documents)

    def check(
        self,
        answer: Answer,
        sources: Sources = None,
        question: Asked = None,
        with_documents: Both = False,
    ) -> CheckResult:
        """Check a text against sources, claim by claim: which are supported, and where."""
        checker = self._checker(sources, with_documents)
        report = checker.check(answer, question)
        return CheckResult(
            state=report.state.value,
            grounded=report.grounded,
            confidence=None if report.confidence is None else round(report.confidence, 4),
            summary=summary(report),
            claims=[_claim(result, checker) for result in report],
            not_checked=[Unchecked(text=c.text, kind=c.kind.value) for c in report.skipped],
            warnings=list(report.warnings),
        )

    def cite(
        self,
        answer: Answer,
        sources: Sources = None,
        question: Asked = None,
        with_documents: Both = False,
    ) -> CiteResult:
        """Put a numbered citation behind each claim of a text that the sources support."""
        checker = self._checker(sources, with_documents)
        report = checker.check(answer, question)
        cited = with_citations(report, documents=checker.index.documents)
        return CiteResult(
            state=report.state.value,
            text=cited.text,
            sources=[
                CitedSource(number=one.number, name=one.title, excerpt=one.excerpt)
                for one in cited.sources
            ],
            uncited=[_claim(one, checker) for one in report if one.verdict != "SUPPORTED"],
            warnings=list(report.warnings),
        )

    def explain(
        self,
        claim: Annotated[str, Field(max_length=2000, description="One claim, as it stands")],
        sources: Sources = None,
        with_documents: Both = False,
    ) -> ExplainResult:
        """Say why one claim has its verdict: the passages, and what was seen in them."""
        if not claim.strip():
            raise ToolError("the claim is empty; give the sentence that is to be explained")
        checker = self._checker(sources, with_documents)
        report: Report = checker.check_claims([claim])
        result = next(iter(report), None)
        found = result if report.state is State.ASSESSED else None
        return ExplainResult(
            claim=None if found is None else _claim(found, checker),
            state=report.state.value,
            compared=[] if found is None else _compared(found),
            warnings=list(report.warnings),
        )

    def _checker(self, sources: Sources, with_documents: bool) -> Checker:
        given = [{"text": one.text, "source": one.name} for one in sources or ()]
        try:
            if sources is not None and not given and not with_documents:
                # What an agent found is nothing: that is no leave to take something else.
                return Grounding().checker(())
            if given and self.documents is not None and with_documents:
                models = self.documents.halgorithm
                return self.documents.joined(Checker.from_docs(given, halgorithm=models))
            found = self.grounding.checker(given)
        except HalgoError as error:
            raise ToolError(str(error)) from error
        if not given or self.documents is None:
            return found
        warnings = (*found.warnings, _ONLY_GIVEN)
        return Checker(found.halgorithm, found.index, config=found.config, warnings=warnings)


def _claim(result: ClaimResult, checker: Checker) -> CheckedClaim:
    span = result.claim.span
    return CheckedClaim(
        claim=result.claim.text,
        start=span.start,
        end=span.end,
        verdict=result.verdict.value,
        reason=result.reason,
        message=why(result),
        score=round(result.score, 4),
        passages=[
            Quoted(
                text=quote.text,
                source=quote.title,
                page=quote.page,
                location=None if quote.location is None else str(quote.location),
            )
            for quote in quotes(result, checker.index)
        ],
    )


def _compared(result: ClaimResult) -> list[Compared]:
    return [
        Compared(
            text=found.evidence.chunk.text,
            source=found.evidence.source,
            score=round(found.score, 4),
            similarity=round(found.evidence.similarity, 4),
            signals=[
                Signal(
                    kind=signal.kind,
                    stance=signal.stance.value,
                    message=signal.message,
                    ours=signal.values[0] if signal.values else None,
                    theirs=signal.values[1] if signal.values else None,
                )
                for signal in found.signals
            ],
        )
        for found in result.assessments
    ]
