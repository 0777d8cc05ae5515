"""TruLens: a `BatchEvaluator` over a dataset of one row."""

from __future__ import annotations

from seen import Seen
from trulens.core import BatchEvaluator, Metric, Selector

from halgo.integrations.trulens import Halgo


def make() -> Metric:
    return Metric(
        implementation=Halgo().groundedness,
        name="groundedness",
        selectors={
            "source": Selector.from_column("contexts", collect_list=True),
            "statement": Selector.from_column("answer"),
            "question": Selector.from_column("question"),
        },
    )


def run(metric: Metric, answer: str, contexts: list[str], question: str = "?") -> Seen:
    rows = [{"answer": answer, "contexts": contexts, "question": question}]
    found = BatchEvaluator(metrics=[metric], max_workers=1).evaluate(rows).iloc[0]
    told = found["groundedness_explanation"]
    if found["groundedness"] is None:
        return Seen(None, None, str(told))
    score = float(found["groundedness"])
    return Seen(score, score == 1, told["reason"], told["claims"])
