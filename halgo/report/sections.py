"""Sections of documents -> a Checker of them, or of these and those a Checker already has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from halgo.sources.documents import to_documents
from halgo.types import Document

if TYPE_CHECKING:
    from halgo import Checker

# What retrieval hands on: {"title": ..., "content": ..., "page_num": ...}, a text, a Document.
Section = str | Mapping[str, Any] | Document
Sections = Section | Sequence[Section]


def require_checker(given: Any, method: str = "check_claims") -> None:
    """Raises TypeError for what is no Checker, with what to use instead for what holds one.

    method: what is needed of it.
    """
    if hasattr(given, method):
        return
    told = f"checker must be a Checker, not {type(given).__name__}: {given!r:.80}"
    if hasattr(getattr(given, "checker", None), method):
        told += (
            "\nGive its `.checker`; an audited one has check, acheck and check_many alone. "
            "What else is found is logged with AuditLog.append(report)."
        )
    raise TypeError(told)


def checker_for(checker: Checker | None, context: Sections | None) -> Checker:
    """A Checker of the context, with the models and settings of `checker`; without one, `checker`.

    Raises ValueError when neither is given, TypeError for a context that is no sections.
    """
    if context is None:
        if checker is None:
            raise ValueError(
                "there is nothing to check against: make it with a Checker, or pass context="
            )
        return checker
    # By the public door: the wiring of the stages is none of this layer's business.
    from halgo import Checker as Default

    if checker is None:
        return Default.from_docs(context)
    made = type(checker).from_docs(context, halgorithm=checker.halgorithm)
    return made.with_config(checker.config)


def widened(checker: Checker, sections: Sequence[Document]) -> Checker:
    """A Checker of the documents of `checker` and of further ones; what is known is not read anew.

    A section that is there already is left out; one whose id is taken gets another.
    """
    documents = list(checker.index.documents)
    there = {(document.source, document.text) for document in documents}
    taken = {document.id for document in documents}
    for section in sections:
        if (section.source, section.text) in there:
            continue
        there.add((section.source, section.text))
        name, count = section.id, 1
        while name in taken:
            count += 1
            name = f"{section.id}#{count}"
        taken.add(name)
        documents.append(replace(section, id=name))
    wider = type(checker).of(checker.halgorithm, documents, previous=checker.index)
    return wider.with_config(checker.config)


def to_sections(given: Any) -> tuple[list[Document], list[str]]:
    """Documents of what a caller's function gave, None being none; and warnings about odd ones.

    Raises TypeError that names what cannot be read.
    """
    return ([], []) if given is None else to_documents(given)
