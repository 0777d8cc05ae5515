"""Other quantities: more and less, at least and at most, all, some, few and no."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Span

from .edits import Change, Stance, cased_like, replace_tokens
from .tables import word_set

_FIXES_MORE = word_set("no not n't any the once even")


def more_less_edits(sentence: Span) -> Iterator[Change]:
    """More for less, at least for at most, and the reverse."""
    for token in sentence:
        after = token.nbor(1) if token.i + 1 < sentence.end else None
        before = token.nbor(-1) if token.i > sentence.start else None
        if after is None or (before is not None and before.lower_ in _FIXES_MORE):
            continue
        low = token.lower_
        if low in ("more", "less", "fewer"):
            if after.lower_ == "than" and after.i + 1 < sentence.end and after.nbor(1).like_num:
                number = after.nbor(1)
                counted = (
                    number.head.tag_ == "NNS"
                    and number.i + 1 < sentence.end
                    and (
                        number.nbor(1).text not in ("%", "percent")
                        and number.ent_type_ == "CARDINAL"
                    )
                )
                new = ("fewer" if counted else "less") if low == "more" else "more"
                yield (
                    replace_tokens(token, token, cased_like(new, token)),
                    "quantifier",
                    "contradicted",
                )
            elif after.tag_ in ("JJ", "RB") and any(
                t.lower_ == "than" for t in sentence[after.i - sentence.start :]
            ):
                new = "less" if low == "more" else "more"
                if low != "fewer":
                    yield (
                        replace_tokens(token, token, cased_like(new, token)),
                        "comparison",
                        "contradicted",
                    )
            elif after.tag_ in ("NNS", "NN") and any(t.lower_ == "than" for t in sentence):
                new = ("fewer" if after.tag_ == "NNS" else "less") if low == "more" else "more"
                yield (
                    replace_tokens(token, token, cased_like(new, token)),
                    "comparison",
                    "contradicted",
                )
        elif low == "at" and after.lower_ in ("least", "most") and after.i + 1 < sentence.end:
            if after.nbor(1).like_num or after.nbor(1).text in "$£€":
                new = "most" if after.lower_ == "least" else "least"
                yield replace_tokens(after, after, new), "quantifier", "contradicted"
        elif low == "most" and after.lower_ in ("likely", "recently", "recent"):
            continue


def quantifier_edits(sentence: Span) -> Iterator[Change]:
    """Another quantifier: what "all", "some", "few" and the like cannot also mean."""
    if any(t.dep_ == "neg" for t in sentence):
        return
    for token in sentence:
        low = token.lower_
        after = token.nbor(1) if token.i + 1 < sentence.end else None
        if after is None:
            continue
        before = token.nbor(-1).lower_ if token.i > sentence.start else ""
        plural = after.tag_ == "NNS" or (
            after.tag_ == "JJ" and after.i + 1 < sentence.end and after.nbor(1).tag_ == "NNS"
        )
        if before in ("not", "at", "the", "nearly", "almost", "and", "or", "these", "those", "its",
                      "their", "very", "so", "too", "as", "how", "a", "above"):  # fmt: skip
            continue
        new: tuple[str, Stance] | None = None
        if (low == "some" and plural and token.dep_ == "det") or (
            low == "some" and after.lower_ == "of"
        ):
            new = ("all", "unsupported")
        elif (
            low == "most" and (plural or after.lower_ == "of") and token.tag_ in ("JJS", "RBS")
        ) or (low == "many" and plural):
            new = ("few", "contradicted")
        elif low == "several" and plural:
            new = ("all", "unsupported")
        elif low == "few" and plural:
            new = ("most", "contradicted")
        elif low == "all" and plural and token.dep_ == "det" and before != "of":
            new = ("no", "contradicted")
        elif low == "all" and after.lower_ == "of":
            new = ("none", "contradicted")
        elif low == "every" and after.tag_ == "NN" and token.dep_ == "det":
            if not after.ent_type_ and after.lemma_ not in ("time", "day", "year", "month", "week"):
                new = ("no", "contradicted")
        elif (
            low == "no"
            and plural
            and token.dep_ == "det"
            and after.lower_ != "longer"
            and token.head.dep_ in ("nsubj", "nsubjpass")
        ):
            new = ("all", "contradicted")
        if new:
            yield replace_tokens(token, token, cased_like(new[0], token)), "quantifier", new[1]
