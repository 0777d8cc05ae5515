"""What requests and answers look like: pydantic models, from which OpenAPI is made.

A key that is not known is refused, as everywhere in halgo: a misspelt one would leave a check
weaker than its author thinks. The two compatible routes take whatever their clients send.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from halgo.sources.bundle import Bundle
from halgo.sources.documents import to_documents
from halgo.types import Document

Part = Literal["judge", "gate", "citations", "html"]
Value = str | int | Annotated[float, Field(allow_inf_nan=False)] | bool | None
Plain = dict[str, Any]
Finite = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
# Starlette takes a path for what it is; nothing else may pass for an index's name.
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]

CONTRACT = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
ANSWER = "The late fee is 5% per month. Payment is due within 30 days."
EXAMPLE: Plain = {"answer": ANSWER, "documents": [CONTRACT]}
EXAMPLE_FULL: Plain = {
    "answer": f"{ANSWER} [1]",
    "documents": [{"text": CONTRACT, "id": "contract", "source": "Services Agreement"}],
    "include": ["judge", "gate", "citations"],
    "policy": "strip-unsupported",
    "settings": {"granularity": "atomic"},
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _in_words(value: object) -> object:
    """A number or a yes as text: retrievers give `"page": 3`."""
    return str(value) if isinstance(value, int | float) else value


Metadata = dict[str, Annotated[str, BeforeValidator(_in_words)]]


class DocumentIn(_Strict):
    """A text that you declare true."""

    text: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("text", "content", "page_content"),
            description="or under content, page_content",
        ),
    ]
    id: Annotated[str | None, Field(description="unique; else doc1, doc2 by position")] = None
    source: Annotated[str | None, Field(description="what a reader is shown")] = None
    kind: Literal["document", "chunk", "tool", "row", "turn"] = "document"
    revision: str | None = None
    metadata: Metadata = {}

    def plain(self) -> Plain:
        """As `Checker.from_docs` takes it."""
        metadata = {**self.metadata, "kind": self.kind}
        if self.revision is not None:
            metadata["revision"] = self.revision
        named = {"id": self.id, "source": self.source}
        given = {key: value for key, value in named.items() if value is not None}
        return {"text": self.text, **given, "metadata": metadata}

    def result(self, name: str) -> tuple[Document, list[str]]:
        """What a tool returned, read as a bundle reads it, and warnings. name: its id."""
        bundle = Bundle()
        tool = self.source or self.metadata.get("tool") or name
        bundle.add_tool_result(tool, self.text, call_id=name, revision=self.revision)
        [made] = bundle.documents
        return replace(made, metadata={**self.metadata, **made.metadata}), bundle.warnings


Documents = list[str | DocumentIn]


def read_documents(given: Documents) -> tuple[list[Document], list[str]]:
    """The documents of a request, and warnings about odd ones.

    Raises DocumentError for a record that cannot be told.
    """
    documents: list[str | Plain | Document] = []
    told: list[str] = []
    for position, one in enumerate(given, start=1):
        if isinstance(one, str):
            documents.append(one)
        elif one.kind == "tool":
            document, odd = one.result(one.id or f"doc{position}")
            documents.append(document)
            told += odd
        else:
            documents.append(one.plain())
    found, odd = to_documents(documents)
    return found, list(dict.fromkeys([*told, *odd]))


class Settings(_Strict):
    """Cut points and granularity of this check alone."""

    threshold: Finite | None = None
    support_threshold: Finite | None = None
    granularity: Literal["sentence", "atomic"] | None = None

    def changes(self) -> Plain:
        """What differs from the server's settings."""
        return self.model_dump(exclude_none=True)


class Options(_Strict):
    """What a check is held against, and what is wanted of it beside the report."""

    documents: Annotated[
        Documents | None,
        Field(description="the request's own sources: alone, or beside an index that is named"),
    ] = None
    index: Annotated[
        Name | None,
        Field(description='a named index; "default" when there are no documents either'),
    ] = None
    include: Annotated[list[Part], Field(description="parts to add")] = []
    policy: Annotated[
        str | Plain | None,
        Field(
            description="for the gate, which it brings in: a profile's name, or a policy; "
            '"strict-block"'
        ),
    ] = None
    sources: Annotated[
        list[str] | None,
        Field(description="for citations: ids of the documents that [1], [2] ... count"),
    ] = None
    settings: Settings = Settings()
    tags: Annotated[
        dict[str, Value], Field(description="plain values for the audit log, and for nothing else")
    ] = {}


class Asked(Options):
    """The same for one answer, with what it is given to."""

    question: Annotated[str | None, Field(description="what the answer is given to")] = None


class CheckIn(Asked):
    """An answer, and what it is checked against."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE, EXAMPLE_FULL]})

    answer: str


class BatchIn(Options):
    """Several answers, all checked against the same."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"answers": [ANSWER, "Thanks!"], "documents": [CONTRACT]}]}
    )

    answers: Annotated[list[str], Field(min_length=1)]
    questions: Annotated[
        list[str | None] | None,
        Field(description="what each answer is given to, null if not known"),
    ] = None


class IndexIn(_Strict):
    """The documents of an index."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [CONTRACT]}]})

    documents: Documents


class ReplacementIn(_Strict):
    """The new text of a document."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": CONTRACT}]})

    text: str
    source: str | None = None
    kind: Literal["document", "chunk", "tool", "row", "turn"] = "document"
    revision: str | None = None
    metadata: Metadata = {}


class AlignScoreIn(BaseModel):
    """What NeMo Guardrails sends to its endpoint for checking facts."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"evidence": [CONTRACT], "claim": ANSWER}]}
    )

    evidence: str | list[str]
    claim: str


class LiteLLMIn(BaseModel):
    """What LiteLLM's proxy sends to a generic guardrail."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={"examples": [{"input_type": "response", "texts": [ANSWER]}]},
    )

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    additional_provider_specific_params: Plain | None = None


# --- answers ------------------------------------------------------------------------------------


class Place(BaseModel):
    """[start, end) of a text, in characters (code points), UTF-8 bytes and UTF-16 units."""

    characters: list[int]
    utf8: list[int]
    utf16: list[int]


class Location(BaseModel):
    """Where in its file a passage stands: its page, slide, row or line, from 1; `text` in words."""

    unit: Literal["page", "slide", "row", "line"]
    first: int
    last: int
    sheet: str | None
    text: str


class SignalOut(BaseModel):
    """What one detector saw."""

    kind: str
    detector: str
    stance: str
    weight: float
    message: str
    claim_span: list[int] | None
    evidence_span: list[int] | None
    claim_place: Place | None
    evidence_place: Place | None
    values: list[str] | None


class PartOut(BaseModel):
    """A clause of a claim that was judged by its clauses."""

    claim: str
    status: str
    message: str | None
    matched_source: str | None
    source_location: Location | None


class ClaimOut(BaseModel):
    """One checked claim."""

    claim_id: int
    type: str
    status: str
    claim: str
    score: float
    matched_source: str | None
    matched_chunk_id: int | None
    chunk_text: str | None
    unsupported_terms: list[str]
    reason: str | None
    ai_numbers: list[Any] | None
    truth_numbers: list[Any] | None
    similarity: float | None
    kind: str
    claim_span: list[int]
    claim_place: Place
    matched_doc_id: str | None
    evidence_span: list[int] | None
    evidence_place: Place | None
    message: str | None
    signals: list[SignalOut]
    raw_score: float | None
    category: str
    source_kind: str | None
    source_revision: str | None
    source_location: Location | None
    expected: float | str | None
    got: float | str | None
    chunk_span: list[int] | None
    chunk_place: Place | None
    evidence_text: str | None
    parts: list[PartOut]


class SkippedOut(BaseModel):
    """A sentence that asserts nothing checkable."""

    claim_id: int
    kind: str
    category: str
    text: str
    span: list[int]
    place: Place


class UnsupportedSpanOut(BaseModel):
    """A stretch of the answer that the sources do not support."""

    span: list[int]
    place: Place
    text: str
    claim_id: int
    verdict: str
    score: float


class CheckOut(BaseModel):
    """A report. The same answer, documents and settings give the same bytes."""

    model_config = ConfigDict(populate_by_name=True)

    schema_: Annotated[int, Field(alias="schema")]
    state: Literal["assessed", "no_claims", "refusal", "no_sources", "empty"]
    grounded: Annotated[bool | None, Field(description="null when nothing was assessed")]
    confidence: float | None
    weakest: float | None
    probability: Annotated[
        float | None, Field(description="that the sources support the whole answer")
    ]
    counts: dict[str, int]
    shares: dict[str, float] | None
    claims: list[ClaimOut]
    unsupported_spans: list[UnsupportedSpanOut]
    skipped: list[SkippedOut]
    warnings: list[str]
    config: Plain
    engine: Plain
    judge: Annotated[Plain | None, Field(description="docs/judge.md")]
    gate: Annotated[Plain | None, Field(description="docs/gate.md: action, text, edits, reasons")]
    citations: Annotated[Plain | None, Field(description="docs/citations.md")]
    html: Annotated[str | None, Field(description="the report as a part of a page")] = None


class ErrorOut(BaseModel):
    """Why a request was not served; `error_type` says it for programs."""

    error: str
    error_type: str


class BatchItemOut(BaseModel):
    """What became of one answer of a batch: its report, or why there is none."""

    ok: bool
    report: CheckOut | None = None
    error: str | None = None
    error_type: str | None = None


class BatchOut(BaseModel):
    """One result for each answer, in order."""

    results: list[BatchItemOut]


class IndexedDocumentOut(BaseModel):
    """A document of an index, without its text."""

    id: str
    source: str
    kind: str
    revision: str
    characters: int


class IndexOut(BaseModel):
    """An index."""

    name: str
    documents: int
    chunks: int
    characters: int
    digest: str
    warnings: list[str]
    same_as: Annotated[str | None, Field(description="the index that this is a second name of")] = (
        None
    )
    contents: list[IndexedDocumentOut] | None = None


class ChangeOut(BaseModel):
    """An index after a change, and the ids of the documents that it was about."""

    name: str
    documents: int
    chunks: int
    characters: int
    digest: str
    warnings: list[str]
    added: list[str]
    replaced: list[str]
    removed: list[str]


class IndexesOut(BaseModel):
    """All indexes, by name."""

    indexes: list[IndexOut]


class AlignScoreOut(BaseModel):
    """At least 0.5 only where every claim is supported; 0 where nothing was assessed."""

    alignscore: float
    state: str
    grounded: bool | None


class LiteLLMOut(BaseModel):
    """What LiteLLM's proxy does with the answer."""

    action: Literal["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]
    blocked_reason: str | None = None
    texts: list[str] | None = None


class StatusOut(BaseModel):
    """Whether the server lives, or is ready."""

    status: str


class InfoOut(BaseModel):
    """What runs here."""

    halgo: str
    models: list[Plain]
    config: Plain
    limits: dict[str, int]
    indexes: list[str]
    profiles: list[str]
    error_types: dict[str, int]
    token: Annotated[bool, Field(description="whether requests need one")]
    audit: Annotated[bool, Field(description="whether checks are written to an audit log")]
