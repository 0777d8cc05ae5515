"""Checker: the wiring of the stages, nothing else.

Three lifetimes: a `Halgorithm` lives as long as the process and holds models, a `Checker` as
long as the documents and holds their index, a `Report` as long as the answer and holds values.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from halgo import __version__
from halgo.config import Config
from halgo.halgorithm import Docs, Halgorithm
from halgo.report.report import Engine, Report
from halgo.types import (
    Assessment,
    Claim,
    ClaimResult,
    Document,
    Evidence,
    Facts,
    FloatMatrix,
    Pair,
    Signal,
    Stance,
    State,
    Verdict,
)

if TYPE_CHECKING:
    from halgo.entailment.readings import Judged
    from halgo.evidence.index import Index
    from halgo.progress import OnProgress
    from halgo.protocols import Lexicon, VectorStore
    from halgo.retrieval import Retrieval
    from halgo.sources.bundle import Bundle
    from halgo.stream import Session
    from halgo.vectorstores.filling import Filled
    from halgo.verdict.deciding import Place
    from halgo.workers import Workers

_QUICKLY_READ = 20_000  # passages


@dataclass(frozen=True, slots=True)
class Examination:
    """One claim beside its passages, before anything is decided: what fusion is fitted on.

    judged: what the entailment model said; None where it did not read the claim. as_read: whether
    the features are on the scale of claims that it has read.
    """

    claim: Claim
    facts: Facts
    pairs: tuple[Pair, ...]
    signals: tuple[tuple[Signal, ...], ...]
    claim_signals: tuple[Signal, ...]
    features: FloatMatrix
    judged: Judged | None = None
    as_read: bool = False


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

        progress and jobs: as `of` takes them.
        """
        from halgo.sources.documents import to_documents

        documents, warnings = to_documents(docs)
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

        progress and jobs: as `of` takes them.
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
        """A Checker of retrieved chunks, tool results, rows and turns; see `Bundle`."""
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

    def with_config(self, config: Config) -> Self:
        """The same index with other settings; what shapes the index itself stays as built."""
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

    def check(self, answer: str) -> Report:
        """The report on one answer. Raises TypeError when it is not a string."""
        return self.check_many([answer])[0]

    def check_many(self, answers: Sequence[str]) -> list[Report]:
        """One report per answer, in order; all claims are embedded in one batch."""
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
        split = [extract(answer, self.config.granularity) for answer in answers]
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

    async def acheck(self, answer: str) -> Report:
        """`check` in a worker thread, so that an event loop stays free."""
        import asyncio

        return await asyncio.to_thread(self.check, answer)

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

    def session(self) -> Session:
        """A session for one answer that comes in pieces; see `halgo.stream`."""
        from halgo.stream import Session

        return Session(self)

    def stream(self, pieces: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Events (plain dicts) while an answer is written; the last one is the verification."""
        return self.session().stream(pieces)

    def astream(self, pieces: AsyncIterable[str]) -> AsyncIterator[dict[str, Any]]:
        """`stream` for an asynchronous source, checked in a worker thread."""
        return self.session().astream(pieces)

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
        examined = self.examine(claims)
        results = self._pooled(examined, [self._judge(one) for one in examined], claims)
        return [replace(found, claim=claim) for claim, found in zip(claims, results, strict=True)]

    def _pooled(
        self,
        examined: Sequence[Examination],
        results: Sequence[ClaimResult],
        written: Sequence[Claim],
    ) -> list[ClaimResult]:
        """The results; those of claims whose facts are spread over passages by their parts."""
        from halgo.claims.normal import as_written
        from halgo.claims.parts import may_divide, parts_of
        from halgo.facts.parse import parse
        from halgo.sources.sentences import LONGEST
        from halgo.verdict.pooling import amounts_of, is_spread, pooled

        spread = [
            at
            for at, (one, result) in enumerate(zip(examined, results, strict=True))
            if len(one.claim.text) <= LONGEST  # no sentence is longer, so that is no one claim
            and may_divide(one.claim)
            and is_spread(result, one.facts)
        ]
        docs = parse([examined[at].claim.text for at in spread]) if spread else []
        split = [
            parts_of(examined[at].claim, doc, amounts_of(examined[at].facts))
            for at, doc in zip(spread, docs, strict=True)
        ]
        told, start = list(results), 0
        if not any(split):
            return told
        parts = [self._judge(one) for one in self.examine([p for some in split for p in some])]
        for at, some in zip(spread, split, strict=True):
            mine = [
                replace(result, claim=as_written(part, written[at]))
                for part, result in zip(some, parts[start : start + len(some)], strict=True)
            ]
            start += len(some)
            if mine:
                told[at] = pooled(told[at], mine)
        return told

    def report(
        self, answer: str, claims: Sequence[Claim], results: Sequence[ClaimResult]
    ) -> Report:
        """The report of an answer's claims, of all kinds, and the results of the checked ones."""
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

    def examine(self, claims: Sequence[Claim]) -> list[Examination]:
        """Each claim with its passages, signals and features; nothing is decided yet.

        The seam for fitting and for looking inside; `check` is this and a decision. The claims
        are in the form in which they are read (`claims/normal.py`).
        """
        return self._read(self.signalled(claims))

    def signalled(self, claims: Sequence[Claim]) -> list[Examination]:
        """`examine` short of the entailment model: what passages and rules tell of each claim."""
        from halgo import signals
        from halgo.verdict import scoring
        from halgo.verdict.resolve import resolve

        halgorithm = self.halgorithm
        claims, read, evidence = self._looked_up(claims)
        pairs = [
            Pair(claim, claim_facts, passage, self.index.facts(passage.chunk))
            for claim, claim_facts, passages in zip(claims, read, evidence, strict=True)
            for passage in passages
        ]
        seen = signals.run(halgorithm.detectors, pairs, self.index.corpus)
        examinations, start = [], 0
        for claim, claim_facts, passages in zip(claims, read, evidence, strict=True):
            end = start + len(passages)
            mine = pairs[start:end]
            own = signals.alone(halgorithm.detectors, claim)
            found = resolve(seen[start:end], own)
            found = signals.together(halgorithm.detectors, mine, found)
            examinations.append(
                Examination(
                    claim,
                    claim_facts,
                    tuple(mine),
                    tuple(found),
                    own,
                    scoring.features(mine, found, halgorithm.lexicon),
                )
            )
            start = end
        return examinations

    def _looked_up(
        self, claims: Sequence[Claim]
    ) -> tuple[list[Claim], list[Facts], list[list[Evidence]]]:
        """The claims as they are read, their facts and passages; slips in spelling set right."""
        from halgo import facts
        from halgo.claims.normal import as_read, respelled
        from halgo.facts.language import foreign
        from halgo.facts.spelling import corrections, suspects

        lexicon = self.halgorithm.lexicon
        claims = [as_read(claim) for claim in claims]
        read = facts.extract([claim.text for claim in claims])
        evidence = self._passages(claims, read)
        again = []
        for at, claim in enumerate(claims):
            words = suspects(claim.text, self.index.corpus, lexicon)
            if not words or foreign(claim.text) is not None:
                continue
            names = {word for name in read[at].names for word in name.text.split()}
            passages = [found.reading.text for found in evidence[at]]
            claims[at] = respelled(claim, corrections(words, names, passages, lexicon))
            if claims[at] != claim:
                again.append(at)
        if again:
            new = facts.extract([claims[at].text for at in again])
            passages_ = self._passages([claims[at] for at in again], new)
            for at, found, about in zip(again, new, passages_, strict=True):
                read[at], evidence[at] = found, about
        return claims, read, evidence

    def _passages(self, claims: Sequence[Claim], read: Sequence[Facts]) -> list[list[Evidence]]:
        """The first passages of each claim, and those that add to what is read together."""
        from halgo.entailment.premises import FURTHER, drawn_on
        from halgo.evidence.retrieve import retrieve

        first, embedder = self.config.top_k, self.halgorithm.embedder
        found = retrieve(self.index, claims, read, embedder, first, FURTHER)
        return [
            drawn_on(self.index, claim, passages, first)
            for claim, passages in zip(claims, found, strict=True)
        ]

    def _read(self, examined: Sequence[Examination]) -> list[Examination]:
        """The same, those claims that nothing has settled yet read by the entailment model."""
        from halgo.verdict import scoring

        model = self.halgorithm.entailment
        if model is None:
            return list(examined)
        from halgo.entailment import readings

        plain = self.halgorithm.fusion(read=False)
        open_ = [
            at
            for at, one in enumerate(examined)
            if one.pairs
            and not (self.config.cascade and scoring.settled(one.features, plain(one.features)))
        ]
        found = readings.judge(
            model,
            self.index,
            [examined[at].claim for at in open_],
            [[pair.evidence for pair in examined[at].pairs] for at in open_],
        )
        judgements = dict(zip(open_, found, strict=True))
        told = []
        for at, one in enumerate(examined):
            judged_ = judgements.get(at)
            features, as_read = scoring.on_one_scale(one.features, judged_)
            told.append(replace(one, features=features, judged=judged_, as_read=as_read))
        return told

    def _judge(self, examined: Examination) -> ClaimResult:
        from halgo.signals import located
        from halgo.signals.entities.mentioned import unsupported_terms
        from halgo.verdict import deciding
        from halgo.verdict.rules import best_first, decide
        from halgo.verdict.scoring import aboutness
        from halgo.verdict.unread_languages import what_is_told

        claim = examined.claim
        scores = self.halgorithm.fusion(read=examined.as_read)(examined.features)
        about = aboutness(examined.pairs, self.halgorithm.lexicon)
        lexicon = self.halgorithm.lexicon
        bearing = deciding.places(examined.pairs, examined.signals, self.index, lexicon)
        heard = _heard(examined, bearing)
        unread, notes = _unread(examined, self.index)
        assessments = [
            Assessment(
                pair.evidence,
                float(score),
                tuple(located(signal, claim, pair.evidence) for signal in found) + told + note,
                near,
            )
            for pair, found, told, note, score, near in zip(
                examined.pairs, examined.signals, heard, notes, scores, about, strict=True
            )
        ]
        assessments.sort(key=best_first)
        own = tuple(located(signal, claim) for signal in examined.claim_signals) + unread
        assessments = [what_is_told(found, own) for found in assessments]
        decision = decide(claim, assessments, own, self.config)
        assessments, rests_on = deciding.first(decision, assessments, bearing, self.index)
        decision = decide(claim, assessments, own, self.config)  # in words about what is shown
        if decision.verdict is Verdict.WEAK_SUPPORT:
            assessments, rests_on = deciding.quoted(decision, assessments, rests_on, self.index)
            decision = decide(claim, assessments, own, self.config)
        return ClaimResult(
            claim=claim,
            verdict=decision.verdict,
            reason=decision.reason,
            message=decision.message,
            score=decision.score,
            raw_score=decision.raw_score,
            assessments=tuple(assessments),
            signals=own,
            unsupported_terms=unsupported_terms(
                examined.facts, self.index.corpus, self.halgorithm.lexicon
            ),
            rests_on=rests_on,
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


def _heard(examined: Examination, bearing: Sequence[Place]) -> list[tuple[Signal, ...]]:
    """What the entailment model says of the claim, beside the passage that it rests on.

    bearing: the sentences that decide, of which its message quotes the first that it has read.
    """
    heard: list[tuple[Signal, ...]] = [()] * len(examined.pairs)
    if examined.judged is not None:
        from halgo.entailment import readings

        agreed = [
            found.claim_span
            for told in examined.signals
            for found in told
            if found.stance is Stance.SUPPORTS and found.claim_span is not None
        ]
        signal, part = readings.signal(
            examined.claim,
            examined.judged,
            examined.facts,
            [place.sentence for place in bearing],
            agreed,
        )
        claim_span = signal.claim_span and examined.claim.reading.locate(signal.claim_span)
        rows = [pair.evidence.chunk.row for pair in examined.pairs]
        heard[rows.index(part.chunk.row)] = (
            replace(signal, claim_span=claim_span, evidence_span=part.sentence.span),
        )
    return heard


def _unread(
    examined: Examination, index: Index
) -> tuple[tuple[Signal, ...], list[tuple[Signal, ...]]]:
    """That the claim, or else each passage, is in a language that is not read."""
    from halgo.evidence.passage_language import foreign_passage
    from halgo.facts.language import foreign
    from halgo.verdict.unread_languages import noted

    language = foreign(examined.claim.text)
    if language is not None:
        return (noted(language, "claim"),), [()] * len(examined.pairs)
    passages = [pair.evidence for pair in examined.pairs]
    languages = [foreign_passage(index, passage) for passage in passages]
    return (), [
        (noted(said, f'passage of "{passage.source}"'),) if said else ()
        for passage, said in zip(passages, languages, strict=True)
    ]


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
