"""halgo checks an AI's answer claim by claim against your documents. No LLM, no network."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Before anyone loads ONNX Runtime, which reads it while it is loaded (halgo/evidence/runtime.py):
# else its maker's telemetry writes files and looks up hosts.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Public name -> module that holds it. Resolved on first use, so that `import halgo` loads neither
# a model nor a library that could.
_HOMES = {
    "AuditError": "halgo.errors",
    "AuditLog": "halgo.delivery.audit",
    "AuditWarning": "halgo.delivery.audit",
    "BatchError": "halgo.errors",
    "Bundle": "halgo.sources.bundle",
    "Calibration": "halgo.calibration",
    "Category": "halgo.types",
    "Checker": "halgo.checker",
    "Chunk": "halgo.types",
    "CitationReport": "halgo.delivery.citations",
    "Claim": "halgo.types",
    "ClaimDetector": "halgo.protocols",
    "ClaimDict": "halgo.report.report",
    "ClaimKind": "halgo.types",
    "ClaimResult": "halgo.types",
    "Config": "halgo.config",
    "ConfigError": "halgo.errors",
    "Detector": "halgo.protocols",
    "Document": "halgo.types",
    "DocumentError": "halgo.errors",
    "Embedder": "halgo.protocols",
    "EntailmentModel": "halgo.protocols",
    "Evidence": "halgo.types",
    "GoldenError": "halgo.errors",
    "HalgoError": "halgo.errors",
    "Halgorithm": "halgo.halgorithm",
    "Index": "halgo.indexes",
    "IndexChange": "halgo.indexes",
    "IndexFormatError": "halgo.errors",
    "IndexLockedError": "halgo.errors",
    "IndexMismatchError": "halgo.errors",
    "Judge": "halgo.report.judge",
    "JudgeVerdict": "halgo.report.judgeverdict",
    "Lexicon": "halgo.protocols",
    "Location": "halgo.types",
    "MissingDependencyError": "halgo.errors",
    "ModelDamagedError": "halgo.errors",
    "ModelNotFoundError": "halgo.errors",
    "PayloadReport": "halgo.delivery.payload",
    "Progress": "halgo.progress",
    "Release": "halgo.delivery.release",
    "Report": "halgo.report.report",
    "Retrieval": "halgo.retrieval",
    "SelfVerifier": "halgo.report.verification",
    "Session": "halgo.stream",
    "Signal": "halgo.types",
    "SourceKind": "halgo.types",
    "Span": "halgo.types",
    "Stance": "halgo.types",
    "State": "halgo.types",
    "TableChecker": "halgo.bulk.frames",
    "TextModel": "halgo.protocols",
    "TextModelError": "halgo.errors",
    "UnsupportedFormatError": "halgo.errors",
    "VectorStoreError": "halgo.errors",
    "Verdict": "halgo.types",
    "Verification": "halgo.report.verification",
    "WorkerError": "halgo.errors",
    "arepair": "halgo.delivery.repair",
    "assert_golden": "halgo.adapters.assertion",
    "assert_grounded": "halgo.adapters.assertion",
    "audit": "halgo.delivery.audit",
    "audited": "halgo.delivery.audit",
    "check_citations": "halgo.delivery.citations",
    "check_payload": "halgo.delivery.payload",
    "compare_to_docs": "halgo.api",
    "compare_to_files": "halgo.api",
    "configure": "halgo.process",
    "frame": "halgo.bulk.frames",
    "gate": "halgo.delivery.gate",
    "open_index": "halgo.indexes",
    "read_citations": "halgo.delivery.citations",
    "repair": "halgo.delivery.repair",
    "sse": "halgo.report.events",
    "stale": "halgo.delivery.cited",
    "verification_event": "halgo.report.events",
    "with_citations": "halgo.delivery.cited",
}

# What this module itself works with; nothing of it is public.
_HELPERS = frozenset({"TYPE_CHECKING", "annotations", "import_module", "os"})

# Of these the module itself is public: gate.apply, audit.verify.
_MODULES = frozenset({"audit", "gate"})

__all__ = [
    "AuditError",
    "AuditLog",
    "AuditWarning",
    "BatchError",
    "Bundle",
    "Calibration",
    "Category",
    "Checker",
    "Chunk",
    "CitationReport",
    "Claim",
    "ClaimDetector",
    "ClaimDict",
    "ClaimKind",
    "ClaimResult",
    "Config",
    "ConfigError",
    "Detector",
    "Document",
    "DocumentError",
    "Embedder",
    "EntailmentModel",
    "Evidence",
    "GoldenError",
    "HalgoError",
    "Halgorithm",
    "Index",
    "IndexChange",
    "IndexFormatError",
    "IndexLockedError",
    "IndexMismatchError",
    "Judge",
    "JudgeVerdict",
    "Lexicon",
    "Location",
    "MissingDependencyError",
    "ModelDamagedError",
    "ModelNotFoundError",
    "PayloadReport",
    "Progress",
    "Release",
    "Report",
    "Retrieval",
    "SelfVerifier",
    "Session",
    "Signal",
    "SourceKind",
    "Span",
    "Stance",
    "State",
    "TableChecker",
    "TextModel",
    "TextModelError",
    "UnsupportedFormatError",
    "VectorStoreError",
    "Verdict",
    "Verification",
    "WorkerError",
    "arepair",
    "assert_golden",
    "assert_grounded",
    "audit",
    "audited",
    "check_citations",
    "check_payload",
    "compare_to_docs",
    "compare_to_files",
    "configure",
    "frame",
    "gate",
    "open_index",
    "read_citations",
    "repair",
    "sse",
    "stale",
    "verification_event",
    "with_citations",
]

if TYPE_CHECKING:
    from halgo.adapters.assertion import assert_golden, assert_grounded
    from halgo.api import compare_to_docs, compare_to_files
    from halgo.bulk.frames import TableChecker, frame
    from halgo.calibration import Calibration
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.delivery import audit, gate
    from halgo.delivery.audit import AuditLog, AuditWarning, audited
    from halgo.delivery.citations import CitationReport, check_citations, read_citations
    from halgo.delivery.cited import stale, with_citations
    from halgo.delivery.payload import PayloadReport, check_payload
    from halgo.delivery.release import Release
    from halgo.delivery.repair import arepair, repair
    from halgo.errors import (
        AuditError,
        BatchError,
        ConfigError,
        DocumentError,
        GoldenError,
        HalgoError,
        IndexFormatError,
        IndexLockedError,
        IndexMismatchError,
        MissingDependencyError,
        ModelDamagedError,
        ModelNotFoundError,
        TextModelError,
        UnsupportedFormatError,
        VectorStoreError,
        WorkerError,
    )
    from halgo.halgorithm import Halgorithm
    from halgo.indexes import Index, IndexChange, open_index
    from halgo.process import configure
    from halgo.progress import Progress
    from halgo.protocols import (
        ClaimDetector,
        Detector,
        Embedder,
        EntailmentModel,
        Lexicon,
        TextModel,
    )
    from halgo.report.events import sse, verification_event
    from halgo.report.judge import Judge
    from halgo.report.judgeverdict import JudgeVerdict
    from halgo.report.report import ClaimDict, Report
    from halgo.report.verification import SelfVerifier, Verification
    from halgo.retrieval import Retrieval
    from halgo.sources.bundle import Bundle
    from halgo.stream import Session
    from halgo.types import (
        Category,
        Chunk,
        Claim,
        ClaimKind,
        ClaimResult,
        Document,
        Evidence,
        Location,
        Signal,
        SourceKind,
        Span,
        Stance,
        State,
        Verdict,
    )


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'halgo' has no attribute {name!r}")
    module = import_module(_HOMES[name])
    value = module if name in _MODULES else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - _HELPERS)
