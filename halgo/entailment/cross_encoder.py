"""(premise, hypothesis) -> entailment, neutral, contradiction: a cross-encoder on this machine.

Ours, "default", is an int8 model on ONNX Runtime (`models/entailment/`); any other NLI or
grounding model in the usual folder layout is read by the labels in its config.json. A pair is
read alone, so its result is the same bit for bit whatever else is being checked, and no time
goes into padding.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from halgo import models
from halgo.entailment.judgement import Judgement, Piece
from halgo.entailment.label_order import reader, sigmoid
from halgo.errors import (
    ConfigError,
    MissingDependencyError,
    ModelDamagedError,
    ModelNotFoundError,
)
from halgo.evidence import runtime
from halgo.evidence.encoder import json_of, sayable
from halgo.protocols import EntailmentModel
from halgo.types import FloatMatrix, Span

DEFAULT = "default"
TIERS = (DEFAULT, "small", "cascade", "large")
VARIABLE = "HALGO_ENTAILMENT"
_SMALL, _LARGE = "entailment", "entailment-large"  # their names in the manifest
_WINDOW = 512  # word pieces, where neither the model nor its tokenizer says
_ROOM = 5  # word pieces beside the hypothesis: at most four marks, and one of the premise
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


_UNREAD = Judgement((0.0, 1.0, 0.0))  # an empty text says nothing, for or against


def resolve(entailment: str | Path | EntailmentModel | None) -> EntailmentModel | None:
    """The model meant by a name of ours, a folder, a name on the public hub, or an object.

    None is no model. Of ours, "small" reads everything; of "large" the large one does so as well,
    of "cascade" where the small one is in doubt. "default" is the cascade where the large model is
    installed, else "small". A hub's name is looked for in its local cache, never on the network.
    Raises ModelNotFoundError when a model is not on this machine, its kind ModelDamagedError when
    "default" has other bytes than recorded, ConfigError for one that cannot be read, TypeError for
    an object without `name` and `predict`.
    """
    if entailment is None:
        return None
    if not isinstance(entailment, (str, Path)):
        missing = [
            part
            for part in ("name", "predict")
            if not hasattr(type(entailment), part)
            and part not in getattr(entailment, "__dict__", {})
        ]
        if missing:
            raise TypeError(
                f"an entailment model has name and predict(pairs); {entailment!r:.80} "
                f"lacks {missing[0]}"
            )
        return entailment
    if str(entailment) in TIERS:
        return _tier(str(entailment))
    folder = Path(entailment).expanduser()
    searched = [f"folder {folder}"]
    if folder.exists():
        return CrossEncoder(folder)
    if isinstance(entailment, str) and _HUB_NAME.fullmatch(entailment):
        cached = models.in_hub_cache(entailment)
        if (cached / "config.json").is_file():
            return CrossEncoder(cached, name=entailment)
        searched.append(f"cache of the public hub: {cached}")
    listed = "\n  ".join(searched)
    raise ModelNotFoundError(
        f"no entailment model {str(entailment)!r} on this machine; looked in\n  {listed}\n"
        f"Name a folder with config.json, tokenizer.json and model.onnx, or a model of the public "
        f"hub once it is in the local cache (hf download NAME), or {DEFAULT!r}, "
        f"{', '.join(map(repr, TIERS[1:]))}, or None.",
        name=str(entailment),
        searched=searched,
    )


def _tier(name: str) -> EntailmentModel:
    """Our own model of a name of `TIERS`; what "default" is, `$HALGO_ENTAILMENT` may say."""
    from halgo.entailment import cascade

    if name == DEFAULT:
        name = os.environ.get(VARIABLE) or DEFAULT
    if name not in TIERS:
        raise ConfigError(f"${VARIABLE} is one of {', '.join(TIERS)}, not {name!r:.80}")
    small = _Ours(models.compared(models.find(_SMALL)))
    if name == "small":
        return small
    try:
        large = _Ours(models.find(_LARGE))  # compared when it is loaded, which may never be
    except ModelNotFoundError:
        if name == DEFAULT:
            return small
        raise
    return cascade.Cascade(small, large, cascade.EVERY if name == "large" else cascade.DOUBT)


class CrossEncoder:
    """A cross-encoder in a folder on this machine; loaded on first use, never the network.

    folder: config.json, tokenizer.json and the weights: model.onnx or onnx/model.onnx (or one of
    the usual quantized names), else model.safetensors, which needs torch and transformers; or the
    .onnx file itself. The labels may be those of 3-way NLI, two (entailment or not), or one logit,
    the grounded one; their order is read from id2label or label2id in config.json.
    name: the folder's unless given. threads: for one pair; on one thread, as unless told
    otherwise, many checks at once serve better. Safe to share between threads.
    Raises ModelNotFoundError for a folder without a model, ConfigError for labels that do not say
    what they mean and for files that cannot be read, MissingDependencyError for a package
    that is not installed.
    """

    parallel = True  # pairs may be read by several threads at once

    def __init__(self, folder: str | Path, *, name: str | None = None, threads: int = 1) -> None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise ValueError(f"threads must be a whole number from 1 up, not {threads!r}")
        named = Path(folder).expanduser()
        # In the hub's cache a file is a link to one of another name; its folder is a real one.
        named = named.absolute() if named.suffix == ".onnx" else named.resolve()
        self._weights = named if named.suffix == ".onnx" else None
        self._folder = _home(named)
        self.name = name or self._folder.name
        for file in ("config.json", "tokenizer.json"):
            if not (self._folder / file).is_file():
                raise ModelNotFoundError(
                    f"no entailment model in {self._folder}: it has no {file}. Name a folder with "
                    f"config.json, tokenizer.json (as a fast tokenizer's save_pretrained writes "
                    f"it) and model.onnx.",
                    name=self.name,
                    searched=(str(self._folder),),
                )
        self._weights = self._weights or _weights(self._folder)
        config = _configuration(self._folder / "config.json")
        self._read_labels, self._labels = reader(config, self._folder / "config.json")
        self._window, self._most_claim = _window(config, self._folder)
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Any, _Run] | None = None

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """(premise, hypothesis) -> (n, 3) float32: entailment, neutral, contradiction.

        Rows sum to 1. Of a model that does not tell neutral from contradiction, all that is not
        entailment is neutral. A pair with an empty side is neutral.
        """
        found = [judgement.probabilities for judgement in self.read(pairs)]
        return np.array(found, dtype=np.float32).reshape(len(pairs), 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """One judgement per pair, in order; equal pairs are read once.

        A hypothesis is read up to half the model's window, a premise as far as the rest allows.
        """
        judged = {pair: self._judge(*pair) for pair in dict.fromkeys(map(tuple, pairs))}
        return [judged[premise, hypothesis] for premise, hypothesis in pairs]

    def load(self) -> None:
        """Loads the model now, not at the first pair. Raises what that would raise."""
        self._ready()

    def _judge(self, premise: str, hypothesis: str) -> Judgement:
        cut, run = self._ready()
        said = cut.encode(sayable(hypothesis), add_special_tokens=False)
        said.truncate(self._most_claim)
        read = cut.encode(sayable(premise), add_special_tokens=False)
        read.truncate(self._window - cut.num_special_tokens_to_add(True) - len(said.ids))
        if not read.ids or not said.ids:
            return _UNREAD
        both = cut.post_process(read, said)
        try:
            logits, tokens = run(
                {
                    "input_ids": both.ids,
                    "attention_mask": both.attention_mask,
                    "token_type_ids": both.type_ids,
                }
            )
        except MemoryError:
            raise
        except Exception as error:  # a word piece that its weights have no row for, for one
            raise ConfigError(f"{self._weights} cannot be run on a pair: {error}") from error
        if not np.isfinite(logits).all() or (tokens is not None and not np.isfinite(tokens).all()):
            raise ModelDamagedError(
                f"the entailment model in {self._folder} gives numbers that are not finite for a "
                f"pair: its weights are damaged, or of another precision than it runs in. Get its "
                f"files again, or pass entailment=None",
                name=self.name,
                searched=(str(self._folder),),
            )
        if logits.size != self._labels:
            raise ConfigError(
                f"{self._folder}: config.json names {self._labels} labels, but the model gives "
                f"{logits.size}; make id2label name each of them, in the model's own order"
            )
        probabilities = self._read_labels(logits.reshape(-1).astype(np.float64))
        if tokens is None:
            return Judgement(probabilities)
        wrong = sigmoid(tokens.reshape(-1).astype(np.float64))
        if wrong.size != len(both.ids):
            raise ConfigError(
                f"{self._folder}: the model's output tokens has {wrong.size} numbers for "
                f"{len(both.ids)} word pieces, where it has one for each"
            )
        return Judgement(
            probabilities,
            tuple(
                Piece(Span(*both.offsets[at]), float(wrong[at]))
                for at, side in enumerate(both.sequence_ids)
                if side == 1
            ),
        )

    def _ready(self) -> tuple[Any, _Run]:
        """The tokenizer and what runs the model."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Any, _Run]:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise _lacking("tokenizers") from error
        path = self._folder / "tokenizer.json"
        try:
            cut = Tokenizer.from_file(str(path))
        except Exception as error:  # it raises nothing more exact
            raise ConfigError(f"{path} cannot be read: {error}") from error
        cut.no_truncation()
        cut.no_padding()
        weights = self._weights
        assert weights is not None
        return cut, (_onnx if weights.suffix == ".onnx" else _torch)(weights, self._threads)


class _Ours(CrossEncoder):
    """The recorded model, whose bytes are compared again when they are loaded."""

    def __init__(self, found: models.Found) -> None:
        super().__init__(found.path, name=f"halgo-{found.name}-{found.version}")
        self._found = found

    def _load(self) -> tuple[Any, _Run]:
        models.compared(self._found)
        return super()._load()


_Array = np.ndarray[Any, Any]
# Inputs by name -> logits of the labels, and of each piece being unsupported, if the model has it.
_Run = Callable[[dict[str, list[int]]], tuple[_Array, _Array | None]]


def _onnx(path: Path, threads: int) -> _Run:
    """The model in an .onnx file, given the inputs that its graph names."""
    try:
        onnxruntime = runtime.load()
    except ImportError as error:
        raise _lacking("onnxruntime") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; they come as exceptions too
    try:
        # A second try with the same provider would tell of the first one on stdout.
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], enable_fallback=0
        )
        wanted = {
            one.name: np.int32 if "int32" in one.type else np.int64 for one in session.get_inputs()
        }
        outputs = [one.name for one in session.get_outputs()]
    except Exception as error:  # each fault is of a class of its own
        raise ConfigError(f"{path} cannot be run by ONNX Runtime: {error}") from error
    known = ("input_ids", "attention_mask", "token_type_ids")
    strange = [name for name in wanted if name not in known]
    if strange or "input_ids" not in wanted:
        raise ConfigError(
            f"{path}: its inputs are {', '.join(wanted)}, where a cross-encoder has "
            f"{', '.join(known)} or some of them"
        )
    whole = "logits" if "logits" in outputs else outputs[0]
    asked = [whole, "tokens"] if "tokens" in outputs else [whole]

    def run(inputs: dict[str, list[int]]) -> tuple[_Array, _Array | None]:
        given = {name: np.array([inputs[name]], dtype=kind) for name, kind in wanted.items()}
        found = [np.asarray(one, dtype=np.float64) for one in session.run(asked, given)]
        return found[0], found[1] if len(found) > 1 else None

    return run


def _torch(path: Path, threads: int) -> _Run:
    """The model whose weights are safetensors, run by transformers on the CPU."""
    try:
        import torch
        from transformers import AutoModelForSequenceClassification
    except ImportError as error:
        raise MissingDependencyError(
            f"{path} needs torch and transformers: pip install 'halgo[transformers]', or save the "
            f"model as ONNX (optimum-cli export onnx) into {path.parent / 'onnx'}"
        ) from error
    model: Any
    try:
        model, told = AutoModelForSequenceClassification.from_pretrained(
            str(path.parent), local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # each fault is of a class of its own
        raise ConfigError(f"{path} cannot be loaded by transformers: {error}") from error
    if told["missing_keys"]:  # it makes them up at random, and says so in a warning
        lacking = ", ".join(sorted(told["missing_keys"])[:3])
        raise ConfigError(f"{path} lacks weights of the model that config.json names: {lacking}")
    model.eval()
    typed = int(getattr(model.config, "type_vocab_size", 0) or 0) > 1

    def run(inputs: dict[str, list[int]]) -> tuple[_Array, _Array | None]:
        given = {
            name: torch.tensor([values])
            for name, values in inputs.items()
            if typed or name != "token_type_ids"
        }
        with torch.inference_mode():
            return model(**given).logits.float().numpy(), None

    return run


def _lacking(package: str) -> MissingDependencyError:
    return MissingDependencyError(
        f"the entailment model needs {package}: pip install {package}; entailment=None goes "
        f"without the model"
    )


def _home(named: Path) -> Path:
    """The folder that has the model's config.json, given it or a file in it or in its onnx/."""
    if named.suffix != ".onnx":
        return named
    if not named.is_file():
        raise ModelNotFoundError(f"no such file: {named}", name=str(named), searched=(str(named),))
    beside = (named.parent / "config.json").is_file()
    return named.parent if beside else named.parent.parent


def _weights(folder: Path) -> Path:
    """The file with the weights: whole ones first, since the figures of a model are theirs."""
    quantized = ("model_quantized", "model_int8", "model_uint8", "model_q8")
    names = [f"{name}.onnx" for name in ("model", *quantized)]
    tried = [folder / part / name for name in names for part in ("", "onnx")]
    for places in (folder, folder / "onnx"):
        tried += sorted(places.glob("model_q*int8*.onnx"))
    tried.append(folder / "model.safetensors")
    for path in tried:
        if path.is_file():
            return path
    listed = "\n  ".join(str(path) for path in tried)
    raise ModelNotFoundError(
        f"no entailment model in {folder}; looked for\n  {listed}\n"
        f"Put the model's ONNX file there, or name it itself.",
        name=folder.name,
        searched=[str(path) for path in tried],
    )


def _window(config: dict[str, Any], folder: Path) -> tuple[int, int]:
    """Word pieces of a pair, and how many of them a hypothesis may have at most.

    Raises ConfigError where that leaves no room for a premise and a hypothesis.
    """
    ours = config.get("halgo")
    if isinstance(ours, dict):
        window, claim = ours.get("window"), ours.get("hypothesis")
    else:
        window = _most_pieces(config, folder)
        claim = window // 2
    if not (isinstance(window, int) and isinstance(claim, int) and 0 < claim <= window - _ROOM):
        raise ConfigError(
            f"{folder / 'config.json'}: by what it says, the model reads {window!r:.20} word "
            f"pieces of a pair, {claim!r:.20} of them of the hypothesis, which is no pair. Get the "
            f"model's files again"
        )
    return window, claim


def _configuration(path: Path) -> dict[str, Any]:
    """The object in one of the model's JSON files; empty where there is no such file."""
    try:
        return json_of(path)
    except ModelDamagedError as error:
        raise ConfigError(str(error)) from error


def _most_pieces(config: dict[str, Any], folder: Path) -> int:
    """Word pieces of a pair, by what a maker's files say."""
    limits = [_WINDOW]
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and positions > 0:
        # RoBERTa counts positions from behind the number of its padding piece.
        shifted = "roberta" in str(config.get("model_type"))
        padding = config.get("pad_token_id")
        first = padding + 1 if isinstance(padding, int) else 1
        limits.append(positions - (first if shifted else 0))
    longest = _configuration(folder / "tokenizer_config.json").get("model_max_length")
    if isinstance(longest, (int, float)) and longest > 0:
        limits.append(int(min(longest, _WINDOW)))  # 1e30 where no one set it
    return min(limits)
