"""The folder of an English pipeline -> spaCy's Language, without what nothing here reads.

Of the time that `spacy.load` takes, a quarter goes into spaCy's own command line, which `import
spacy` brings along, and into rules of the tokenizer that are made and then replaced by those in
the folder. Left out, every parse stays the same (`tests/test_loading.py` compares).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from halgo import models, process

if TYPE_CHECKING:
    from spacy.language import Language

_UNREAD = ("senter",)  # a second way to find sentences, off in the pipeline that is recorded
_EMPTY = "halgo.empty_tokenizer.v1"


def load(found: models.Found) -> Language:
    """The pipeline in a folder. One of other files than the recorded ones is loaded as it is."""
    if found.version == models.UNRECORDED:
        import spacy

        return spacy.load(found.path)
    if process.is_ours():
        _spare_torch()
    with _without_command_line():
        import spacy  # before any part of it
    from spacy import util

    _register_empty_tokenizer()
    config = util.load_config(found.path / "config.cfg")
    config["nlp"]["tokenizer"] = {"@tokenizers": _EMPTY}
    meta = util.get_model_meta(found.path)
    made = util.load_model_from_config(config, meta=meta, exclude=_UNREAD)
    return made.from_disk(found.path, exclude=_UNREAD)


def _spare_torch() -> None:
    """Has spaCy do without torch, which takes two seconds and 200 MB where it is installed.

    It is for pipelines with parts that run on torch; the recorded one has none. spaCy never asks
    again, so this is not for a process in which others may use it. Torch itself can be imported
    afterwards as ever.
    """
    if "torch" in sys.modules or "thinc" in sys.modules:
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # importing it raises ImportError
    try:
        import thinc.compat  # noqa: F401  # which asks once whether torch is here
    finally:
        del sys.modules["torch"]


@contextmanager
def _without_command_line() -> Iterator[None]:
    """Within, `import spacy` does not load its command line, and `spacy.info` waits for a call."""
    if "spacy" in sys.modules:
        yield
        return
    names = ("spacy.cli", "spacy.cli.info")
    package, module = (ModuleType(name) for name in names)
    package.__path__ = []
    module.info = _info  # type: ignore[attr-defined]
    sys.modules.update(zip(names, (package, module), strict=True))
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)


def _info(*given: Any, **named: Any) -> Any:
    """`spacy.info`, which is a command of its own."""
    return importlib.import_module("spacy.cli.info").info(*given, **named)


def _register_empty_tokenizer() -> None:
    from spacy.util import registry

    tokenizer = importlib.import_module("spacy.tokenizer").Tokenizer  # compiled, without types

    def create() -> Callable[[Language], Any]:
        return lambda nlp: tokenizer(nlp.vocab)

    registry.tokenizers.register(_EMPTY, func=create)
