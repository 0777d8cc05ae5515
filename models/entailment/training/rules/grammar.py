"""Reading the parse: the main verb of a plain statement, its subject, auxiliaries, subtrees."""

from __future__ import annotations

from spacy.tokens import Span, Token

from .tables import word_set
from .text import balanced

REPORT = word_set(
    """
    say tell claim report state announce argue believe think suggest allege deny hope expect
    predict estimate warn ask wonder assume suppose insist note add explain feel appear seem
    imagine pretend dream fear doubt propose consider deem speculate
    """
)


def main_verb(sentence: Span) -> Token | None:
    """The root verb of a plain declarative sentence with a subject before it; None otherwise."""
    root = sentence.root
    text = sentence.text.strip()
    if root.tag_ not in ("VBD", "VBZ", "VBP", "VBN", "VB", "VBG", "MD"):
        return None
    if not text or text.endswith(("?", ":")) or "\n" in text or "|" in text or "http" in text:
        return None
    if not 4 <= len(sentence) <= 70 or not balanced(text):
        return None
    if not (text[0].isupper() or text[0].isdigit() or text[0] in '"“$£€'):
        return None
    subject = subject_of(root)
    if subject is None or subject.i > root.i or not is_finite(root):
        return None
    return root


def subject_of(verb: Token) -> Token | None:
    """The only subject before the verb; None for none or several."""
    found = [t for t in verb.children if t.dep_ in ("nsubj", "nsubjpass") and t.i < verb.i]
    return found[0] if len(found) == 1 else None


def auxiliaries(verb: Token) -> list[Token]:
    """The auxiliaries before the verb, in order."""
    return [t for t in verb.children if t.dep_ in ("aux", "auxpass") and t.i < verb.i]


def is_finite(verb: Token) -> bool:
    """Whether the verb, or one of its auxiliaries, has a tense."""
    if verb.tag_ in ("VBD", "VBZ", "VBP"):
        return True
    return any(t.tag_ in ("MD", "VBD", "VBZ", "VBP") for t in auxiliaries(verb))


def is_plain_past(verb: Token) -> bool:
    """Whether the clause is plain past: no modal, no "have"."""
    auxes = auxiliaries(verb)
    if not auxes:
        return verb.tag_ == "VBD"
    return all(t.lower_ in ("was", "were") for t in auxes) and verb.tag_ in ("VBN", "VBG")


def subtree_ends(token: Token) -> tuple[Token, Token] | None:
    """First and last token of the subtree, when it is one unbroken run."""
    left, right = token.left_edge, token.right_edge
    if right.i - left.i + 1 != sum(1 for _ in token.subtree):
        return None
    return left, right


def coordinated(token: Token) -> bool:
    """Whether the token is one of several joined by "and", "or" and the like."""
    return token.dep_ == "conj" or any(t.dep_ in ("conj", "cc") for t in token.children)
