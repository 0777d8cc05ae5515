"""A row that a user shapes -> where in it answer, contexts and question are -> the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import NAME, Grounding, Outcome

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config

# Where users keep answer and contexts in a row, unless they say.
_ANSWERS = ("answer", "output", "response", "text", "content")
_CONTEXTS = ("contexts", "context", "retrieved_contexts", "retrieval_context", "documents")


class Rows:
    """Grounding, for frameworks whose rows are mappings that each user shapes.

    answer, contexts, question: the keys under which a row holds them; unless given, the usual
    names.
    """

    __name__ = NAME  # by which frameworks know a function

    def __init__(
        self,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
        *,
        answer: str | None = None,
        contexts: str | None = None,
        question: str | None = None,
    ) -> None:
        self.grounding = Grounding(against, config)
        self.answer = answer
        self.contexts = contexts
        self.question = question

    def outcome(self, output: Any, *others: Any, inputs: Any = None) -> Outcome:
        """The outcome for what an application gave out: its answer, or a mapping that holds it.

        others: where else the contexts may be: mappings, looked through in order after the output.
        inputs: what the application was given, in which the question may be.
        Raises ValueError naming the keys that are there when none holds the answer.
        """
        names = (self.contexts,) if self.contexts else _CONTEXTS
        places = [place for place in (output, *others) if isinstance(place, Mapping)]
        found = next((p[n] for p in places for n in names if p.get(n) is not None), None)
        made = self.grounding(self._answer(output), found, self._question(inputs))
        if found is None and self.grounding.against is None:
            tried = f"{made.reason} No contexts are in the row; tried {', '.join(names)}."
            return replace(made, reason=tried)
        return made

    def _question(self, inputs: Any) -> Any:
        if not isinstance(inputs, Mapping):
            return inputs
        if self.question is not None:
            return inputs.get(self.question)
        besides = (*_CONTEXTS, *_ANSWERS, self.contexts, self.answer)
        return {key: value for key, value in inputs.items() if key not in besides}

    def _answer(self, output: Any) -> str | None:
        if output is None or isinstance(output, str):
            return output
        names = (self.answer,) if self.answer else _ANSWERS
        if isinstance(output, Mapping):
            for name in names:
                if name in output and (output[name] is None or isinstance(output[name], str)):
                    answer: str | None = output[name]
                    return answer
        there = list(output) if isinstance(output, Mapping) else type(output).__name__
        raise ValueError(
            f"no answer found: tried {', '.join(names)}, there is {there}; "
            "name the key that holds the text: answer='...'"
        )
