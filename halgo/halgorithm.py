"""Halgorithm: settings and models, for as long as the process lives."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.config import Config
from halgo.protocols import ClaimDetector, Detector, Embedder, EntailmentModel, Lexicon
from halgo.report.report import ClaimDict
from halgo.settings import differing, shown
from halgo.types import Document

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from halgo.checker import Checker
    from halgo.progress import OnProgress
    from halgo.verdict.scoring import Fusion

Docs = str | Mapping[str, Any] | Document | Iterable[str | Mapping[str, Any] | Document]


class Halgorithm:
    """Settings and models, loaded on first use and shared by every check of the process.

    embedder: "minilm", "lexical" (needs no model), a folder, a name on the public hub once it is in
        the local cache, a `SentenceTransformer`, or an object with the `Embedder` protocol.
    lexicon: WordNet unless given.
    detectors: objects that replace those `config.detectors` names, () for none; add to them with
        `(*default_detectors(config, lexicon), mine)`.
    entailment: "small", "cascade" or "large" of our own models, "default" for the cascade where the
        large one is installed and else the small one; None to go without; the folder of any NLI or
        grounding cross-encoder, its name on the public hub once it is in the local cache, or an
        object with the `EntailmentModel` protocol.
    Raises TypeError for a config or detectors that are none.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        embedder: str | Path | Embedder | SentenceTransformer = "minilm",
        entailment: str | Path | EntailmentModel | None = "default",
        detectors: Sequence[Detector | ClaimDetector] | None = None,
        lexicon: Lexicon | None = None,
        fusion: Fusion | None = None,
    ) -> None:
        if config is not None and not isinstance(config, Config):
            raise TypeError(f"config must be a Config, not {type(config).__name__}: {config!r:.80}")
        self.config = config or Config()
        self._embedder = embedder
        self._entailment = entailment
        self._own_detectors: tuple[Detector | ClaimDetector, ...] | None = None
        if detectors is not None:
            from halgo.signals import required

            self._own_detectors = required(detectors)
        self._detectors: dict[tuple[str, ...], tuple[Detector | ClaimDetector, ...]] = {}
        self._lexicon = lexicon
        self._fusion = fusion
        self._lock = threading.RLock()
        self._last: Checker | None = None

    def __repr__(self) -> str:
        models = f"embedder={_name(self._embedder)}, entailment={_name(self._entailment)}"
        own = [] if self._own_detectors is None else [f"detectors={len(self._own_detectors)}"]
        changed = differing(self.config, Config(), Config.__dataclass_fields__)
        return f"<Halgorithm {', '.join([models, *own, *changed])}>"

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(
            "a Halgorithm, and a Checker that holds it, has models and locks and cannot be "
            "pickled; save the index (checker.save('docs.halgo')) and open it where it is "
            "needed: Checker.from_index('docs.halgo')"
        )

    @property
    def embedder(self) -> Embedder:
        """The embedder, resolved on first use. Raises ModelNotFoundError when it is missing."""
        from halgo.evidence import embed

        with self._lock:
            embedder = embed.resolve(self._embedder)
            self._embedder = embedder
            return embedder

    @property
    def entailment(self) -> EntailmentModel | None:
        """The entailment model, resolved on first use; None to go without.

        Raises ModelNotFoundError when it is missing, ConfigError when it cannot be read.
        """
        if self._entailment is None:
            return None
        from halgo.entailment import cross_encoder

        with self._lock:
            self._entailment = cross_encoder.resolve(self._entailment)
            return self._entailment

    @property
    def lexicon(self) -> Lexicon:
        """The word relations; WordNet unless another was given."""
        return self.lexicon_of("default")

    def lexicon_of(self, mode: str) -> Lexicon:
        """The word relations of a mode: classic mode has WordNet with all senses of a word."""
        from halgo.facts.lexicon import default_lexicon

        with self._lock:
            if self._lexicon is not None:
                return self._lexicon
            if mode == "classic":
                from halgo.facts.published import published_lexicon

                return published_lexicon()
            return default_lexicon()

    @property
    def detectors(self) -> tuple[Detector | ClaimDetector, ...]:
        """The detectors that run by its own settings, in order."""
        return self.detectors_of(self.config)

    def detectors_of(self, config: Config) -> tuple[Detector | ClaimDetector, ...]:
        """The detectors that run by these settings, in order; those given to this object always."""
        from halgo.signals import default_detectors

        with self._lock:
            if self._own_detectors is not None:
                return self._own_detectors
            if config.detectors not in self._detectors:
                self._detectors[config.detectors] = default_detectors(config, self.lexicon)
            return self._detectors[config.detectors]

    def preload(self) -> None:
        """Begins to load the models, in threads of their own, so that the first check waits less.

        Returns at once. What is missing or damaged is told by the first check that needs it.
        """
        for load in (self._load_parser, self._load_networks):
            threading.Thread(target=_quietly, args=(load,), name="halgo-load").start()

    def _load_parser(self) -> None:
        from halgo.facts.parse import pipeline

        pipeline()

    def _load_networks(self) -> None:
        from halgo.entailment.cascade import Cascade
        from halgo.entailment.cross_encoder import CrossEncoder

        assert self.embedder.dim
        model = self.entailment if self.config.mode != "classic" else None
        if isinstance(model, (CrossEncoder, Cascade)):
            model.load()

    def fusion(self, *, read: bool) -> Fusion:
        """What makes one score of all features of a claim.

        It differs for claims that the entailment model has `read` and those it has not, and for our
        small model alone; a fusion that the caller gave serves all.
        """
        from halgo.verdict.scoring import default_fusion, is_small

        return self._fusion or default_fusion(read, small=read and is_small(self.entailment))

    def checker(self, docs: Docs, *, progress: OnProgress | None = None, jobs: int = 1) -> Checker:
        """A Checker of these documents: a string, or strings, dicts and Documents.

        progress and jobs: as `Checker.of` takes them.
        """
        from halgo.checker import Checker

        return Checker.from_docs(docs, halgorithm=self, progress=progress, jobs=jobs)

    def compare_to_docs(
        self,
        truth_docs: Docs,
        ai_output: str,
        threshold: float | None = None,
        *,
        question: str | None = None,
        progress: OnProgress | None = None,
    ) -> list[ClaimDict]:
        """See `halgo.compare_to_docs`."""
        from halgo.sources.documents import to_documents

        documents, warnings = to_documents(truth_docs)
        return self._compare(documents, warnings, ai_output, question, threshold, progress)

    def compare_to_files(
        self,
        paths: Sequence[str | Path],
        ai_output: str,
        threshold: float | None = None,
        *,
        question: str | None = None,
        progress: OnProgress | None = None,
    ) -> list[ClaimDict]:
        """See `halgo.compare_to_files`."""
        from halgo.sources.folders import read_files

        documents, warnings = read_files(paths, progress=progress)
        return self._compare(documents, warnings, ai_output, question, threshold, progress)

    def _compare(
        self,
        documents: Sequence[Document],
        warnings: Sequence[str],
        answer: str,
        question: str | None,
        threshold: float | None,
        progress: OnProgress | None,
    ) -> list[ClaimDict]:
        from halgo.checker import Checker

        # A threshold above support_threshold would be out of order; it lifts both, as published.
        config = self.config
        if threshold is not None:
            config = config.with_(
                threshold=threshold,
                support_threshold=max(config.support_threshold, _number(threshold)),
            )
        with self._lock:
            last = self._last
            if last is None or last.index.documents != tuple(documents):
                known = last.index if last else None
                last = Checker.of(self, documents, warnings, known, progress=progress)
                self._last = last
        return last.with_config(config).check(answer, question).claim_dicts()


def _quietly(load: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):  # whoever needs the model meets the same, and tells it
        load()


def _name(model: Any) -> str:
    """What a model is called that was given by name or as an object; it is not loaded for that."""
    named = str(model) if isinstance(model, Path) else getattr(model, "name", model)
    return shown(named if named is None or isinstance(named, str) else type(model).__name__)


def _number(value: Any) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return min(float(value), 1.0) if number else 0.0
