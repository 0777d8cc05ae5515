"""Text -> vector, spaCy parse, Facts and the entailment model's judgement, kept on disk.

For benchmarks only. Embedding and parsing the dev sets takes longest by far; a change in `facts/`
or `signals/` changes neither, and one in `signals/` no Facts. A cached result is the result:
vectors are kept as float32, under the embedder's name and the version of what runs it; parses with
every attribute the readers of facts look at; Facts under a digest of the code that made them;
judgements under a digest of the model. Several processes may read and write at once (SQLite,
write-ahead log).
"""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
import sys
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.data import ROOT
from halgo.protocols import Embedder, EntailmentModel
from halgo.types import Facts, FloatMatrix, Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from halgo.entailment.judgement import Judgement

FOLDER = ROOT / ".cache" / "benchmarks"
_AT_ONCE = 500  # keys in one query; SQLite's own limit is 999 in old versions
# Everything of a token that the pipeline sets; sentence starts follow from heads and labels.
_ATTRIBUTES = ("TAG", "POS", "MORPH", "LEMMA", "NORM", "DEP", "HEAD", "ENT_IOB", "ENT_TYPE")
_STRINGS = ("ORTH", "TAG", "POS", "MORPH", "LEMMA", "NORM", "DEP", "ENT_TYPE")


class Store:
    """(model, text) -> bytes, in one SQLite file. Texts are kept as digests."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.base = sqlite3.connect(path, timeout=60, isolation_level=None)
        weakref.finalize(self, self.base.close)  # from Python 3.13 on it warns of an open one
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute("PRAGMA synchronous=OFF")
        self.base.execute(
            "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
        )
        self.base.execute("CREATE TABLE IF NOT EXISTS strings (id INTEGER PRIMARY KEY, text TEXT)")

    @staticmethod
    def key(model: str, text: str) -> bytes:
        """A digest of model and text."""
        joined = f"{model}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(joined, digest_size=16).digest()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept under these keys."""
        found: dict[bytes, bytes] = {}
        for at in range(0, len(keys), _AT_ONCE):
            part = keys[at : at + _AT_ONCE]
            marks = ",".join("?" * len(part))
            found.update(
                self.base.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", part)
            )
        return found

    def put(self, items: Iterable[tuple[bytes, bytes]], strings: Iterable[str] = ()) -> None:
        """Keep items, and the strings that their numbers stand for, in one transaction."""
        self.base.execute("BEGIN IMMEDIATE")
        self.base.executemany("INSERT INTO strings (text) VALUES (?)", ((s,) for s in strings))
        self.base.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", items)
        self.base.execute("COMMIT")

    def strings(self, after: int) -> list[tuple[int, str]]:
        """Strings with an id above `after`."""
        return self.base.execute("SELECT id, text FROM strings WHERE id > ?", (after,)).fetchall()


class CachedEmbedder:
    """An `Embedder` that asks another one only for texts not on disk; its name is that one's."""

    def __init__(self, embedder: Embedder, folder: Path = FOLDER) -> None:
        self.embedder = embedder
        self.store = Store(folder / "vectors.sqlite")
        self.hits = self.misses = 0
        self._model = f"{embedder.name} onnxruntime-{_version('onnxruntime')}"

    @property
    def name(self) -> str:
        """The name of the embedder behind the cache."""
        return self.embedder.name

    @property
    def dim(self) -> int:
        """Width of the vectors."""
        return self.embedder.dim

    def __getattr__(self, name: str) -> Any:
        return getattr(self.embedder, name)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """As the embedder behind it: (len(texts), dim) float32."""
        keys = [Store.key(self._model, text) for text in texts]
        found = self.store.get(list(dict.fromkeys(keys)))
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in found}
        self.hits += len(found)
        self.misses += len(missing)
        if missing:
            vectors = np.asarray(self.embedder.embed(list(missing.values())), dtype=np.float32)
            new = {key: row.tobytes() for key, row in zip(missing, vectors, strict=True)}
            self.store.put(new.items())
            found.update(new)
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        joined = b"".join(found[key] for key in keys)
        return np.frombuffer(joined, dtype=np.float32).reshape(len(texts), -1).copy()


class CachedEntailment:
    """An `EntailmentModel` that reads only pairs not on disk; its name is the real one's.

    Kept under the model's name and a digest of its files. A model without files is told apart
    by its name alone.
    """

    def __init__(self, model: EntailmentModel, folder: Path = FOLDER) -> None:
        self.model = model
        self.store = Store(folder / "judgements.sqlite")
        self.hits = self.misses = 0
        self._model = f"{model.name} {_digest_of_model(model)}"

    @property
    def name(self) -> str:
        """The name of the model behind the cache."""
        return self.model.name

    def load(self) -> None:
        """The model behind it is loaded when it is first asked."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """As the model behind it: (n, 3) float32."""
        found = [judgement.probabilities for judgement in self.read(pairs)]
        return np.array(found, dtype=np.float32).reshape(len(pairs), 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """As the model behind it; without words where that one tells none."""
        from halgo.entailment import readings

        keys = [Store.key(self._model, f"{len(text)} {text}\0{claim}") for text, claim in pairs]
        kept = self.store.get(list(dict.fromkeys(keys)))
        found = {key: _thawed(data) for key, data in kept.items()}
        missing = {k: pair for k, pair in zip(keys, pairs, strict=True) if k not in found}
        self.hits += len(found)
        self.misses += len(missing)
        if missing:
            new = readings.read(self.model, list(missing.values()))
            self.store.put([(k, _frozen(one)) for k, one in zip(missing, new, strict=True)])
            found.update(zip(missing, new, strict=True))
        return [found[key] for key in keys]


def cached_entailment(model: EntailmentModel) -> EntailmentModel:
    """The model behind a cache; of a cascade each of the two behind its own."""
    from halgo.entailment.cascade import Cascade

    if isinstance(model, Cascade):
        small, large = CachedEntailment(model.small), CachedEntailment(model.large)
        both = Cascade(small, large, model.doubt)
        both.parallel = False  # an SQLite store is its thread's
        return both
    return CachedEntailment(model)


def _frozen(judgement: Judgement) -> bytes:
    """Three probabilities, then start, end and probability of each piece, all as float64."""
    values = [*judgement.probabilities]
    for piece in judgement.pieces:
        values += (piece.span.start, piece.span.end, piece.unsupported)
    return np.array(values, dtype=np.float64).tobytes()


def _thawed(data: bytes) -> Judgement:
    from halgo.entailment.judgement import Judgement, Piece

    values = np.frombuffer(data, dtype=np.float64).tolist()
    pieces = zip(values[3::3], values[4::3], values[5::3], strict=True)
    return Judgement(
        (values[0], values[1], values[2]),
        tuple(Piece(Span(int(start), int(end)), wrong) for start, end, wrong in pieces),
    )


class CachedPipeline:
    """A spaCy pipeline whose `pipe` parses only texts not on disk; all else is the real one's."""

    def __init__(self, pipeline: Language, folder: Path = FOLDER) -> None:
        self._nlp = pipeline
        self._store = Store(folder / "parses.sqlite")
        # spaCy puts it together anew each time it is asked for, which takes 2 ms.
        self.meta = meta = pipeline.meta
        self._model = f"{meta['lang']}_{meta['name']} {meta['version']} {','.join(_ATTRIBUTES)}"
        self._seen = 0
        self._known: set[int] = set()
        self.hits = self.misses = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nlp, name)

    def __call__(self, text: str) -> Doc:
        """One parsed text."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str | Doc], **options: Any) -> Iterator[Doc]:
        """One Doc per text, in order; a Doc among the texts is one whose tokens are told."""
        texts = list(texts)
        for at in range(0, len(texts), 2000):
            yield from self._part(texts[at : at + 2000], options)

    def _part(self, texts: list[str | Doc], options: dict[str, Any]) -> list[Doc]:
        keys = [Store.key(self._model, str(text)) for text in texts]
        found = self._store.get(list(dict.fromkeys(keys)))
        self._learn()
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in found}
        self.hits += len(found)
        self.misses += len(missing)
        docs: dict[bytes, Doc] = {}
        if missing:
            docs = dict(zip(missing, self._nlp.pipe(missing.values(), **options), strict=True))
            kept = {key: self._freeze(doc) for key, doc in docs.items()}
            used = sorted({number for _, numbers in kept.values() for number in numbers})
            new = [number for number in used if number and number not in self._known]
            strings = [self._nlp.vocab.strings[number] for number in new]
            self._known.update(new)
            self._store.put([(key, data) for key, (data, _) in kept.items()], strings)
        return [
            docs[key] if key in docs else self._thaw(str(text), found[key])
            for key, text in zip(keys, texts, strict=True)
        ]

    def _learn(self) -> None:
        for number, text in self._store.strings(self._seen):
            self._known.add(self._nlp.vocab.strings.add(text))
            self._seen = number

    def _freeze(self, doc: Doc) -> tuple[bytes, set[int]]:
        values = doc.to_array(["ORTH", "SPACY", *_ATTRIBUTES]).astype(np.uint64)
        columns = [("ORTH", "SPACY", *_ATTRIBUTES).index(name) for name in _STRINGS]
        numbers = {int(n) for n in np.unique(values[:, columns])} if len(doc) else set()
        # Column by column compresses best: most columns repeat a few values.
        return zlib.compress(values.T.tobytes(), 1), numbers

    def _thaw(self, text: str, data: bytes) -> Doc:
        from spacy.tokens import Doc

        values = np.frombuffer(zlib.decompress(data), dtype=np.uint64)
        values = values.reshape(len(_ATTRIBUTES) + 2, -1).T
        strings = self._nlp.vocab.strings
        words = [strings[int(n)] for n in values[:, 0]]
        doc = Doc(self._nlp.vocab, words=words, spaces=values[:, 1].astype(bool).tolist())
        if doc.text != text:
            raise ValueError(f"a cached parse is of another text; delete {FOLDER}")
        if len(doc):
            attributes: Any = np.ascontiguousarray(values[:, 2:])
            doc.from_array(list(_ATTRIBUTES), attributes)
        return doc


class CachedFacts:
    """`halgo.facts.extract` that reads only texts not on disk.

    What is on disk was read by this very code: the key holds a digest of `halgo/facts/`, its
    data and `types.py`. Values are pickles, made and read by nobody else.
    """

    def __init__(self, extract: Callable[[Sequence[str]], list[Facts]], folder: Path) -> None:
        self._extract = extract
        self._store = Store(folder / "facts.sqlite")
        self._model = _digest_of_code()

    def __call__(self, texts: Sequence[str]) -> list[Facts]:
        """The facts of each text, in order."""
        keys = [Store.key(self._model, text) for text in texts]
        found = self._store.get(list(dict.fromkeys(keys)))
        facts: dict[bytes, Facts] = {key: pickle.loads(data) for key, data in found.items()}
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in facts}
        if missing:
            new = dict(zip(missing, self._extract(list(missing.values())), strict=True))
            self._store.put([(key, pickle.dumps(value, 5)) for key, value in new.items()])
            facts.update(new)
        return [facts[key] for key in keys]


@contextmanager
def cached_parses(folder: Path = FOLDER) -> Iterator[None]:
    """While open, what halgo parses and the Facts it reads come from the cache where they can.

    The pipeline itself is loaded for its vocabulary only, and when a text is new.
    """
    from halgo import facts
    from halgo.facts import parse

    extract = facts.extract
    facts.extract = CachedFacts(extract, folder)
    try:
        with _cached_pipeline(parse, folder):
            yield
    finally:
        facts.extract = extract


@contextmanager
def _cached_pipeline(parse: ModuleType, folder: Path) -> Iterator[None]:
    real = parse.pipeline
    kept: list[CachedPipeline] = []

    def pipeline() -> Any:
        if not kept:
            kept.append(CachedPipeline(real(), folder))
        return kept[0]

    # Modules that took the function by name hold it themselves.
    holders = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("halgo") and getattr(module, "pipeline", None) is real
    ]
    for module in holders:
        module.pipeline = pipeline  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in holders:
            module.pipeline = real  # type: ignore[attr-defined]


def _digest_of_code() -> str:
    package = ROOT / "halgo"
    files = [*package.glob("facts/*.py"), *package.glob("data/*"), package / "types.py"]
    # Coefficients and the list of models are read later, by others.
    files = [path for path in files if path.suffix not in (".json", ".toml")]
    joined = hashlib.sha256()
    for path in sorted(files):
        joined.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return joined.hexdigest()


def _digest_of_model(model: EntailmentModel) -> str:
    """Of its weights, labels and tokenizer, and the version of what runs them; "" without files."""
    weights, home = getattr(model, "_weights", None), getattr(model, "_folder", None)
    if weights is None or home is None:
        return ""
    joined = hashlib.sha256(f"onnxruntime {_version('onnxruntime')}".encode())
    for path in (weights, home / "config.json", home / "tokenizer.json"):
        joined.update(hashlib.sha256(path.read_bytes()).digest())
    return joined.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
