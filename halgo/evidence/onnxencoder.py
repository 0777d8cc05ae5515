"""Texts -> vectors by a BERT sentence encoder in 8-bit whole numbers, on ONNX Runtime; no torch.

`quantize.py` makes the model of the float one. Cosine to the rows of `BertEncoder` is 0.9991 in
the mean, in a quarter to a third of the time (models/encoder/README.md).

Same text, same row, bit for bit: each word piece has its own scale, so the products, in whole
numbers, are exact whatever else is in the batch; texts of one length run together, so nothing is
padded; and the mean over a text's pieces is taken here, where its order of sums is fixed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from halgo import process
from halgo.errors import MissingDependencyError, ModelDamagedError
from halgo.evidence import runtime
from halgo.evidence.encoder import WindowedEncoder
from halgo.types import FloatMatrix


class OnnxEncoder(WindowedEncoder):
    """The int8 encoder in `folder`, as `quantize.write` leaves it. Safe to share.

    threads: for one batch; by default what `halgo.process` says. Rows do not depend on it.
    Raises MissingDependencyError without onnxruntime, ModelDamagedError when a file is missing,
    not one of those, or gives rows that are none.
    """

    step = 1
    pieces = 256  # word pieces in a batch; more is no faster and takes more memory

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        try:
            onnxruntime = runtime.load()
        except ImportError as error:
            raise MissingDependencyError(
                "the int8 encoder needs onnxruntime: pip install onnxruntime; "
                "embedder='lexical' goes without"
            ) from error
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            dim, window = int(config["hidden_size"]), int(config["halgo"]["window"])
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise ModelDamagedError(
                f"{folder}: its config.json is not that of an encoder rounded by halgo; "
                "halgo models fetch minilm makes one"
            ) from error
        super().__init__(folder, dim, window)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or process.threads()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors; they come as exceptions too
        # Idle threads sleep: another check, or spaCy, may have use for the processor.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model = str(folder / "model.onnx")
        try:
            self._session: Any = onnxruntime.InferenceSession(
                # A second try with the same provider would tell of the first one on stdout.
                model,
                options,
                providers=["CPUExecutionProvider"],
                enable_fallback=0,
            )
        except Exception as error:  # ONNX Runtime's own kinds, which share no parent but this
            raise ModelDamagedError(
                f"{folder}: ONNX Runtime cannot load its model.onnx and weights.bin ({error}); "
                "remove the folder, then halgo models fetch minilm makes it anew"
            ) from error

    def _forward(self, windows: Sequence[Sequence[int]]) -> FloatMatrix:
        ids = np.array(windows, dtype=np.int64)
        (states,) = self._session.run(["states"], {"ids": ids})
        if states.shape != (*ids.shape, self.dim):
            raise ModelDamagedError(
                f"{self._folder}: its model.onnx gives states of shape {states.shape} for ids of "
                f"shape {ids.shape} where its config.json says that they are {self.dim} wide"
            )
        rows: FloatMatrix = np.empty((len(windows), self.dim), dtype=np.float32)
        with np.errstate(invalid="ignore", over="ignore"):  # rows are looked at when they are made
            for row, pieces in enumerate(states):
                mean = pieces.mean(axis=0, dtype=np.float64)
                rows[row] = mean / max(float(np.sqrt(mean @ mean)), 1e-12)
        return rows
