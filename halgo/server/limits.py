"""How much a request may ask for, how many may wait, and for how long; shown by `/info`.

Each bound has an error type of its own, so that a client can tell what to make smaller.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from halgo.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one server; whole numbers of 1 or more.

    body_bytes: of a request. answer_characters, claims: of an answer. question_characters: of its
    question. documents,
    document_characters: of a request's own documents, or of an index, together. batch: answers of
    a batch. indexes: kept at a time. queue: answers that wait or are checked; beyond it requests
    are told to come back. seconds: from taking a request to its answer.
    """

    body_bytes: int = 20_000_000
    answer_characters: int = 50_000
    question_characters: int = 10_000
    claims: int = 500
    documents: int = 2_000
    document_characters: int = 2_000_000
    batch: int = 32
    indexes: int = 32
    queue: int = 64
    seconds: int = 60

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ConfigError(f"{each.name} must be a whole number of 1 or more, not {value!r}")

    def to_dict(self) -> dict[str, int]:
        """Plain values, fit for JSON."""
        return asdict(self)
