"""Checker: the wiring of the stages, nothing else.

Three lifetimes: a `Halgorithm` lives as long as the process and holds models, a `Checker` as
long as the documents and holds their index, a `Report` as long as the answer and holds values.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from halgo import __version__
from halgo.config import Config
from halgo.errors import ConfigError
from halgo.halgorithm import Docs, Halgorithm
from halgo.printable import printable
from halgo.report.report import Engine, Report
from halgo.settings import differing, shown
from halgo.types import (
    Claim,
    ClaimResult,
    Document,
    State,
    Verdict,
)

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.progress import OnProgress
    from halgo.protocols import Lexicon, VectorStore
    from halgo.retrieval import Retrieval
    from halgo.sources.bundle import Bundle
    from halgo.stream import Session
    from halgo.vectorstores.filling import Filled
    from halgo.verdict.examining import Examination, Examiner
    from halgo.workers import Workers

_QUICKLY_READ = 20_000  # passages
_LONGEST_PATH = 1_000  # characters of a text that may be a path


class Checker:
    """An index of documents, and the answers that are checked against it.

    Safe to share between threads: the index is never changed after it is built.
    """

    def __init__(
        self,
        halgorithm: Halgorithm,
        index: Index,
        *,
        config: Config | None = None,
        warnings: Iterable[str] = (),
    ) -> None:
        self.halgorithm = halgorithm
        self.index = index
        self.config = config or halgorithm.config
        self.warnings = tuple(warnings)

    def __repr__(self) -> str:
        index, names = self.index, Config.__dataclass_fields__
        counts = f"documents={len(index.documents)}, passages={len(index.chunks)}"
        told = [counts, f"embedder={shown(index.embedder)}"]
        return f"<Checker {', '.join([*told, *differing(self.config, Config(), names)])}>"

    # -- making one -----------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        halgorithm: Halgorithm,
        documents: Sequence[Document],
        warnings: Iterable[str] = (),
        previous: Index | None = None,
        *,
        progress: OnProgress | None = None,
        jobs: int | Workers = 1,
    ) -> Self:
        """A Checker of read documents; what `previous` already holds is not embedded again.

        progress: called with a `halgo.Progress` some ten times a second while documents are read
        and indexed, in this thread; what it raises stops that. jobs: how many processes share the
        work, 0 for one a processor; the index is the same byte for byte.
        """
        from halgo.evidence.build import build_index

        embedder, config = halgorithm.embedder, halgorithm.config
        index = build_index(documents, embedder, config, previous, progress=progress, jobs=jobs)
        return cls(halgorithm, index, warnings=warnings)

    @classmethod
    def from_docs(
        cls,
        docs: Docs,
        config: Config | None = None,
        *,
        halgorithm: Halgorithm | None = None,
        progress: OnProgress | None = None,
        jobs: int = 1,
    ) -> Self:
        """A Checker of a string, or of strings, dicts (`text`, `id`, `source`) and Documents.

        Several are a list, or any other iterable of them. An empty list is no error: the state of
        every report is NO_SOURCES then. Raises TypeError for anything else. progress and jobs: as
        `of` takes them.
        """
        from halgo.sources.bundle import Bundle
        from halgo.sources.documents import to_documents

        if isinstance(docs, Bundle):
            raise TypeError(
                f"a Bundle is no list of documents: {docs!r}\n"
                "Make its Checker with Checker.from_bundle(bundle)."
            )
        documents, warnings = to_documents(docs)
        if isinstance(docs, str) and not warnings and _is_path(docs):
            warnings = [
                f"the document is nothing but {printable(repr(docs))}, which is a path that is "
                "there, and was read as text; did you mean Checker.from_files?"
            ]
        halgorithm = _halgorithm(config, halgorithm)
        return cls.of(halgorithm, documents, warnings, progress=progress, jobs=jobs)

    @classmethod
    def from_files(
        cls,
        paths: str | Path | Sequence[str | Path],
        config: Config | None = None,
        *,
        halgorithm: Halgorithm | None = None,
        progress: OnProgress | None = None,
        jobs: int = 1,
    ) -> Self:
        """A Checker of files and folders. Raises DocumentError naming the one it cannot read.

        An empty list is no error: the state of every report is NO_SOURCES then. progress and
        jobs: as `of` takes them.
        """
        from halgo.sources.folders import read_files
        from halgo.workers import running

        with running(jobs) as workers:
            documents, warnings = read_files(paths, progress=progress, jobs=workers)
            halgorithm = _halgorithm(config, halgorithm)
            return cls.of(halgorithm, documents, warnings, progress=progress, jobs=workers)

    @classmethod
    def from_bundle(
        cls, bundle: Bundle, config: Config | None = None, *, halgorithm: Halgorithm | None = None
    ) -> Self:
        """A Checker of retrieved chunks, tool results, rows and turns; see `Bundle`.

        Raises TypeError for what is none.
        """
        from halgo.sources.bundle import Bundle

        if not isinstance(bundle, Bundle):
            raise TypeError(
                f"a Bundle is needed, not {type(bundle).__name__}; "
                "documents in a list are for Checker.from_docs"
            )
        return cls.of(_halgorithm(config, halgorithm), bundle.documents, bundle.warnings)

    @classmethod
    def from_index(
        cls,
        path: str | Path,
        config: Config | None = None,
        *,
        vectors: VectorStore | None = None,
        exact: bool = False,
        halgorithm: Halgorithm | None = None,
    ) -> Self:
        """A Checker of an index in a file or a folder, in the state that it has now.

        exact: whether every vector is compared, also where search would be approximate. Raises
        IndexFormatError or IndexMismatchError.

        vectors: a store that `fill` has put this index's vectors into, to be searched there.
        Raises VectorStoreError when it does not hold them.
        """
        from halgo.store.opening import load

        halgorithm = _halgorithm(config, halgorithm)
        index = load(path, halgorithm.embedder, exact=exact)
        if vectors is not None:
            from halgo.vectorstores.stored_search import searched_in

            index = searched_in(vectors, index)
        return cls(halgorithm, index)

    def joined(self, other: Checker) -> Self:
        """A Checker of the documents of both, with these settings; nothing is indexed again.

        For what one answer brings beside a library: tool results, turns. `self` may be large,
        `other` is to be small; neither is changed. A document of `other` whose id is taken gets
        "#2" and a warning. Raises IndexMismatchError when other embedders made their vectors.
        """
        from halgo.evidence.beside import joined, renamed

        index = joined(self.index, other.index)
        pairs = renamed(self.index, other.index).items()
        shown = ([printable(repr(one)) for one in pair] for pair in pairs)
        twice = (f"document id {old} is used twice; the later is {new}" for old, new in shown)
        warnings = (*self.warnings, *other.warnings, *twice)
        return type(self)(self.halgorithm, index, config=self.config, warnings=warnings)

    def with_config(self, config: Config) -> Self:
        """The same index and models with other settings.

        Raises TypeError for what is no Config, ConfigError where it cuts passages otherwise than
        the index: that needs another one.
        """
        if not isinstance(config, Config):
            raise TypeError(f"config must be a Config, not {type(config).__name__}: {config!r:.80}")
        asked, *known = (
            (one.sentences_per_chunk, one.sentence_overlap)
            for one in (config, self.config, self.index)
        )
        if asked not in known:
            raise ConfigError(
                f"sentences_per_chunk and sentence_overlap are {known[-1]} in this index, not "
                f"{asked}: they shape it. Make another one with Checker.from_docs(docs, config), "
                "or keep them: checker.with_config(checker.config.with_(...))"
            )
        return type(self)(self.halgorithm, self.index, config=config, warnings=self.warnings)

    def save(self, path: str | Path) -> None:
        """Writes the index to one file, for `from_index`. Raises OSError when it cannot."""
        target = Path(path)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder; name a file", str(target))
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(target.parent))
        from halgo.evidence import files

        files.save(self.index, target)

    def fill(
        self, store: VectorStore, progress: Callable[[int, int], None] | None = None
    ) -> Filled:
        """Makes a vector store hold this index's vectors and no others, for `from_index`.

        What it holds already stays, so that a change costs what is new, and what was interrupted
        goes on. progress: called with the passages that are in and how many there will be. Raises
        IndexMismatchError for a store of another embedder's vectors, VectorStoreError when its
        engine fails; repeat it then.
        """
        from halgo.vectorstores.filling import fill

        return fill(store, self.index, progress)

    # -- checking -------------------------------------------------------------------------------

    def check(self, answer: str, question: str | None = None) -> Report:
        """The report on one answer. Raises TypeError when it is not a string.

        question: what the answer is given to, the user's words. A short answer is then checked as
        what it says with its question ("30 days.", "No."), and "it" as what was asked about.
        """
        return self.check_many([answer], [question])[0]

    def check_many(
        self, answers: Sequence[str], questions: Sequence[str | None] | None = None
    ) -> list[Report]:
        """One report per answer, in order; all claims are embedded in one batch.

        questions: what each answer is given to, None where that is not known.
        """
        from halgo.claims.extract import extract

        if isinstance(answers, (str, bytes)) or not isinstance(answers, Iterable):
            raise TypeError(
                "check_many takes a list of answers, for one answer use check(); "
                f"given was {type(answers).__name__}: {answers!r:.80}"
            )
        answers = list(answers)  # a generator can be read only once
        for answer in answers:
            if not isinstance(answer, str):
                raise TypeError(
                    f"an answer is a string, not {type(answer).__name__}: {answer!r:.80}"
                )
        split = [
            extract(answer, self.config.granularity, question or "")
            for answer, question in zip(answers, _questions(questions, len(answers)), strict=True)
        ]
        return self._reports(answers, split)

    def check_claims(self, claims: Sequence[str]) -> Report:
        """The report on the caller's own claims, taken as they are: none split, none skipped.

        Each claim's spans count in its own text; `report.answer` holds them one a line.
        """
        from halgo.claims.extract import as_claims

        if isinstance(claims, (str, bytes)) or not isinstance(claims, Iterable):
            raise TypeError(
                "check_claims takes a list of claims, for a whole answer use check(); "
                f"given was {type(claims).__name__}: {claims!r:.80}"
            )
        claims = list(claims)
        for claim in claims:
            if not isinstance(claim, str):
                raise TypeError(f"a claim is a string, not {type(claim).__name__}: {claim!r:.80}")
        return self._reports(["\n".join(claims)], [as_claims(claims)])[0]

    async def acheck(self, answer: str, question: str | None = None) -> Report:
        """`check` in a worker thread, so that an event loop stays free."""
        import asyncio

        return await asyncio.to_thread(self.check, answer, question)

    def retrieval(self, question: str, chunks: Docs | Bundle | None = None) -> Retrieval:
        """What to know of retrieved chunks before an answer to `question` is written.

        chunks: what `from_docs` takes, or a `Bundle`; the Checker's own documents unless given.
        Says which bear on the question, which are of an older revision than another chunk or one
        of the Checker's documents of the same source, and which contradict each other. Raises
        TypeError when the question is no string or the chunks are nothing that holds documents.
        """
        from halgo.retrieval import examined
        from halgo.sources.bundle import Bundle
        from halgo.sources.documents import to_documents

        if not isinstance(question, str):
            raise TypeError(
                f"a question is a string, not {type(question).__name__}: {question!r:.80}"
            )
        if chunks is None:
            return examined(self, question, (), self.warnings)
        if isinstance(chunks, Bundle):
            documents, warnings = chunks.documents, chunks.warnings
        else:
            documents, warnings = to_documents(chunks)
        # To read all texts of a large index takes longer than to embed a few chunks anew.
        known = self.index if len(self.index.chunks) <= _QUICKLY_READ else None
        inner = type(self).of(self.halgorithm, documents, warnings, known)
        inner.config = self.config
        return examined(inner, question, self.index.documents, warnings)

    async def aretrieval(self, question: str, chunks: Docs | Bundle | None = None) -> Retrieval:
        """`retrieval` in a worker thread, so that an event loop stays free."""
        import asyncio

        return await asyncio.to_thread(self.retrieval, question, chunks)

    def session(self, question: str | None = None) -> Session:
        """A session for one answer that comes in pieces; see `halgo.stream`."""
        from halgo.stream import Session

        return Session(self, *_questions([question], 1))

    def stream(
        self, pieces: Iterable[str | None], question: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Events (plain dicts) while an answer is written; the last one is the verification."""
        return self.session(question).stream(pieces)

    def astream(
        self, pieces: AsyncIterable[str | None], question: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """`stream` for an asynchronous source, checked in a worker thread."""
        return self.session(question).astream(pieces)

    def _reports(self, answers: Sequence[str], split: Sequence[Sequence[Claim]]) -> list[Report]:
        checked = [[claim for claim in claims if claim.kind.checked] for claims in split]
        results = self.judge([claim for claims in checked for claim in claims])
        reports, start = [], 0
        for answer, claims, mine in zip(answers, split, checked, strict=True):
            reports.append(self.report(answer, claims, results[start : start + len(mine)]))
            start += len(mine)
        return reports

    def judge(self, claims: Sequence[Claim]) -> list[ClaimResult]:
        """One result per claim, in order, whatever its kind; no claim's depends on the others."""
        if self.config.mode == "classic":
            from halgo.verdict import classic

            return classic.judge(
                claims, self.index, self.halgorithm.embedder, self._lexicon(), self.config
            )
        if not self.index.chunks:
            return [_no_sources(claim) for claim in claims]
        from halgo.verdict.pooling import by_parts

        examined = self.examine(claims)
        results = [self.decide(one) for one in examined]
        results = by_parts(examined, results, claims, self.examine, self.decide)
        return [replace(found, claim=claim) for claim, found in zip(claims, results, strict=True)]

    def report(
        self, answer: str, claims: Sequence[Claim], results: Sequence[ClaimResult]
    ) -> Report:
        """The report of an answer's claims, of all kinds, and the results of the checked ones.

        A refusal ("the documents do not mention refunds") is a claim, too, where they do.
        """
        belied = {found.claim.id: found for found in self.belied(claims)}
        claims = self.noted([belied[c.id].claim if c.id in belied else c for c in claims])
        results = sorted([*results, *belied.values()], key=lambda found: found.claim.id)
        return self.assembled(answer, claims, results)

    def assembled(
        self, answer: str, claims: Sequence[Claim], results: Sequence[ClaimResult]
    ) -> Report:
        """`report` of claims whose refusals and questions have been looked at."""
        from halgo.claims.extract import is_refusal
        from halgo.verdict.unread_languages import warnings_of

        if not self.index.chunks:
            state = State.NO_SOURCES
        elif results:
            state = State.ASSESSED
        elif not answer.strip():
            state = State.EMPTY
        else:
            state = State.REFUSAL if is_refusal(claims) else State.NO_CLAIMS
        engine = self._engine()
        warnings = self.warnings
        if self.config.calibration is not None:
            warnings += tuple(
                self.config.calibration.mismatches(
                    engine.embedder, engine.entailment, engine.calibration
                )
            )
        warnings += tuple(warnings_of(results))
        told = [one for result in results for one in (result, *result.parts)]
        rows = {found.evidence.chunk for one in told for found in one.assessments}
        return Report(
            answer=answer,
            state=state,
            results=tuple(results),
            skipped=tuple(claim for claim in claims if not claim.kind.checked),
            warnings=warnings,
            config=self.config,
            engine=engine,
            numbers={chunk.row: self.index.number(chunk) for chunk in sorted(rows, key=_row)},
        )

    def belied(self, claims: Sequence[Claim]) -> list[ClaimResult]:
        """What comes of sentences that assert nothing by themselves, and that the sources belie.

        That is a refusal that says the sources are silent about what they speak of, and a block of
        code with literals that no source has. Their kind is FACT then; of others there is no
        result.
        """
        if not self.index.chunks or self.config.mode == "classic":
            return []
        from halgo.verdict import belied

        refused = belied.refusals(claims, self.signalled, self.decide, self.halgorithm.entailment)
        return [*refused, *belied.code(claims, self.index, self.signalled, self.decide)]

    def noted(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims, those questions marked that hold an amount or a date that no source has."""
        if not self.index.chunks or self.config.mode == "classic":
            return list(claims)
        from halgo.verdict.belied import questions

        return questions(claims, self.index)

    def examine(self, claims: Sequence[Claim]) -> list[Examination]:
        """Each claim with its passages, signals and features; nothing is decided yet.

        The seam for fitting and for looking inside; `check` is this and `decide`. The claims
        are in the form in which they are read (`claims/normal.py`).
        """
        return self._examiner().examine(claims)

    def signalled(self, claims: Sequence[Claim]) -> list[Examination]:
        """`examine` short of the entailment model: what passages and rules tell of each claim."""
        return self._examiner().signalled(claims)

    def decide(self, examined: Examination) -> ClaimResult:
        """The result of one examined claim."""
        from halgo.verdict.claim_results import result_of

        scores = self.halgorithm.fusion(read=examined.as_read)(examined.features)
        return result_of(examined, scores, self.index, self.halgorithm.lexicon, self.config)

    def _examiner(self) -> Examiner:
        from halgo.verdict.examining import Examiner

        halgorithm = self.halgorithm
        return Examiner(
            self.index,
            self.config,
            halgorithm.embedder,
            halgorithm.lexicon,
            halgorithm.detectors_of(self.config),
            halgorithm.entailment,
        )

    def _lexicon(self) -> Lexicon:
        return self.halgorithm.lexicon_of(self.config.mode)

    def _engine(self) -> Engine:
        from halgo.facts.parse import pipeline_name

        lexicon = self._lexicon()
        model = None if self.config.mode == "classic" else self.halgorithm.entailment
        return Engine(
            halgo=__version__,
            embedder=self.index.embedder,
            parser=pipeline_name(),
            lexicon=str(getattr(lexicon, "name", type(lexicon).__name__)),
            calibration="classic"
            if self.config.mode == "classic"
            else self.halgorithm.fusion(read=self.halgorithm.entailment is not None).name,
            index_digest=self.index.digest,
            entailment=None if model is None else model.name,
            search=self.index.dense.name,
        )


def _halgorithm(config: Config | None, halgorithm: Halgorithm | None) -> Halgorithm:
    if halgorithm is not None and config is not None:
        raise ValueError("give either config or halgorithm; a Halgorithm has its own config")
    if halgorithm is not None:
        if not isinstance(halgorithm, Halgorithm):
            raise TypeError(f"halgorithm must be a Halgorithm, not {type(halgorithm).__name__}")
        return halgorithm
    if config is None:
        from halgo.api import shared

        return shared()
    return Halgorithm(config)


def _questions(given: Sequence[str | None] | None, answers: int) -> list[str | None]:
    """A question, or None, for each answer. Raises TypeError or ValueError for what is none."""
    if given is None:
        return [None] * answers
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"questions are a list of strings, not {type(given).__name__}")
    questions = list(given)
    for question in questions:
        if question is not None and not isinstance(question, str):
            raise TypeError(
                f"a question is a string, not {type(question).__name__}: {question!r:.80}"
            )
    if len(questions) != answers:
        raise ValueError(f"{len(questions)} questions were given for {answers} answers")
    return questions


def _is_path(text: str) -> bool:
    """Whether a text is the path of a file or a folder."""
    if not text.strip() or len(text) > _LONGEST_PATH:
        return False
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # a name longer than the system allows, or with a null in it
        return False


def _row(chunk: Any) -> int:
    return int(chunk.row)


def _no_sources(claim: Claim) -> ClaimResult:
    return ClaimResult(
        claim=claim,
        verdict=Verdict.HALLUCINATION,
        reason="no_sources",
        message="There was no source to check this against.",
        score=0.0,
        assessments=(),
    )
