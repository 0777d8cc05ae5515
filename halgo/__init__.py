"""halgo checks an AI's answer claim by claim against your documents. No LLM, no network."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> module that holds it. Resolved on first use, so that `import halgo` loads neither
# a model nor a library that could.
_HOMES = {
    "Checker": "halgo.checker",
    "Claim": "halgo.types",
    "ClaimDict": "halgo.report.report",
    "ClaimKind": "halgo.types",
    "ClaimResult": "halgo.types",
    "Config": "halgo.config",
    "ConfigError": "halgo.errors",
    "Document": "halgo.types",
    "DocumentError": "halgo.errors",
    "Evidence": "halgo.types",
    "HalgoError": "halgo.errors",
    "Halgorithm": "halgo.halgorithm",
    "IndexFormatError": "halgo.errors",
    "IndexMismatchError": "halgo.errors",
    "MissingDependencyError": "halgo.errors",
    "ModelNotFoundError": "halgo.errors",
    "Report": "halgo.report.report",
    "Signal": "halgo.types",
    "Span": "halgo.types",
    "State": "halgo.types",
    "UnsupportedFormatError": "halgo.errors",
    "Verdict": "halgo.types",
    "compare_to_docs": "halgo.api",
    "compare_to_files": "halgo.api",
}

__all__ = [
    "Checker",
    "Claim",
    "ClaimDict",
    "ClaimKind",
    "ClaimResult",
    "Config",
    "ConfigError",
    "Document",
    "DocumentError",
    "Evidence",
    "HalgoError",
    "Halgorithm",
    "IndexFormatError",
    "IndexMismatchError",
    "MissingDependencyError",
    "ModelNotFoundError",
    "Report",
    "Signal",
    "Span",
    "State",
    "UnsupportedFormatError",
    "Verdict",
    "compare_to_docs",
    "compare_to_files",
]

if TYPE_CHECKING:
    from halgo.api import compare_to_docs, compare_to_files
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.errors import (
        ConfigError,
        DocumentError,
        HalgoError,
        IndexFormatError,
        IndexMismatchError,
        MissingDependencyError,
        ModelNotFoundError,
        UnsupportedFormatError,
    )
    from halgo.halgorithm import Halgorithm
    from halgo.report.report import ClaimDict, Report
    from halgo.types import (
        Claim,
        ClaimKind,
        ClaimResult,
        Document,
        Evidence,
        Signal,
        Span,
        State,
        Verdict,
    )


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'halgo' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
