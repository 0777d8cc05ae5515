"""Counterparts: what a contract says of one of its parties, told of the other.

"The Employer may order overtime" and "The Employee may order overtime" are one sentence but for a
noun, and the two nouns are the sides of one relation: -er and -ee of one stem, opposites that are
people, or two terms that the documents define, "the Client" and "the Contractor".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from halgo.evidence.lexical import content_stems, stems
from halgo.protocols import Lexicon
from halgo.signals.matching import broader, lemmas_match, opposites
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance, Term

_WEIGHT = 0.8
_FEWEST = 2  # words of the claim beside the noun
_LONGEST = 4_000  # characters of a passage
_SIDES = re.compile(r"(?P<stem>\w{3,}?)(?P<side>[eo]r|ee)")
_MODAL = r"(?:shall|must|may|can|will|should|(?:has|have|is|are)\sto)\s(?:not\s)?"
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s(?:not\s)?(?:\w+ly\s)?$", re.IGNORECASE
)
_BEFORE = re.compile(r"(?:(\w+)\s)?(?:the|a|an|each|every|any)\s$", re.IGNORECASE)
_DEFINED = re.compile(r"\b[Tt]he\s$")
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot)\b|n['\u2019]t\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_PEOPLE = "person"
# What makes one party of two terms: "The Company is called the Employer".
_SAME = r"(?:\b(?:called|means?|known as|referred to|hereinafter)\b|\bor (?:the )?[\"\u201c'])"


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one name_role."""
    claim = pairs[0].claim.text if pairs else ""
    said = content_stems(claim)
    found: list[list[Signal]] = [[] for _ in pairs]
    if len(said) <= _FEWEST:
        return found
    told = [list(_sentences(pair)) for pair in pairs]
    if any(said <= set(stems(text)) for some in told for text in some):
        return found  # another sentence has all of it
    for at, pair in enumerate(pairs):
        signal = next(_exchanged(pair, said, pairs, lexicon), None)
        found[at] += [signal] if signal else []
    return found


def _sentences(pair: Pair) -> Iterator[str]:
    text = pair.evidence.reading.text[:_LONGEST]
    return (span.of(text) for span in split(SENTENCE, Span(0, len(text)), text))


def _exchanged(
    pair: Pair, said: frozenset[str], pairs: Sequence[Pair], lexicon: Lexicon
) -> Iterator[Signal]:
    """The noun of the claim in the place of which the best sentence has its counterpart."""
    claim, best = pair.claim.text, pair.evidence.best
    read = pair.evidence.reading.text
    sentence = best.of(read)
    missing = said - set(stems(sentence))
    if len(missing) != 1 or len(_DENIES.findall(claim)) != len(_DENIES.findall(sentence)):
        return
    for ours in _nouns(pair.claim_facts.terms):
        if not missing & set(stems(ours.span.of(claim))):
            continue
        for theirs in _nouns(pair.evidence_facts.terms):
            written = theirs.span.of(read)
            if not theirs.span.overlaps(best) or set(stems(written)) & said:
                continue
            if not _opposed(ours, theirs, pair, pairs, lexicon):
                continue
            place = theirs.span.shift(-best.start)
            if any(
                _role(claim, ours.span, verb) == _role(sentence, place, verb) != ""
                for verb in _verbs(pair, sentence)
            ):
                values = (ours.span.of(claim), written)
                message = f'The source says this of "{written}", not of "{values[0]}".'
                yield Signal(
                    "name_role",
                    Stance.CONTRADICTS,
                    _WEIGHT,
                    message,
                    ours.span,
                    theirs.span,
                    values,
                )


def _nouns(terms: Sequence[Term]) -> Iterator[Term]:
    return (term for term in terms if term.pos in ("NOUN", "PROPN"))


def _opposed(ours: Term, theirs: Term, pair: Pair, pairs: Sequence[Pair], lexicon: Lexicon) -> bool:
    """Whether two nouns are the sides of one relation, or two terms that the documents define."""
    a, b = ours.lemma, theirs.lemma
    one, other = _SIDES.fullmatch(a), _SIDES.fullmatch(b)
    if one and other and one["stem"] == other["stem"]:
        return (one["side"] == "ee") != (other["side"] == "ee")
    if a == b or lemmas_match(a, b, lexicon):
        return False
    if opposites(a, b, lexicon):
        return all(_PEOPLE in broader(word, lexicon, 4) for word in (a, b))
    if b in broader(a, lexicon, 4) or a in broader(b, lexicon, 4):
        return False
    read, name = pair.evidence.reading.text, ours.span.of(pair.claim.text)
    if not (_is_defined(pair.claim.text, ours.span) and _is_defined(read, theirs.span)):
        return False
    texts = [one.evidence.reading.text for one in pairs]
    either = "|".join(map(re.escape, (name, theirs.span.of(read))))
    same = rf"\b(?:{either})\b[^.]{{0,40}}{_SAME}[^.]{{0,40}}\b(?:{either})\b"
    known = any(re.search(rf"\b[Tt]he {re.escape(name)}\b", text) for text in texts)
    return known and not any(re.search(same, text) for text in texts)


def _is_defined(text: str, place: Span) -> bool:
    """Whether a word stands as a defined term does: alone in capitals behind "the"."""
    alone = not re.match(r"\s[A-Z]|['\u2019-]", text[place.end :])
    return place.of(text).istitle() and alone and bool(_DEFINED.search(text[: place.start]))


def _verbs(pair: Pair, sentence: str) -> Iterator[str]:
    """The stems of verbs that the claim and the sentence share; parsers miss some behind modals."""
    claim, read = pair.claim.text, pair.evidence.reading.text
    found = [said.span.of(claim) for said in pair.claim_facts.predicates]
    found += [
        told.span.of(read)
        for told in pair.evidence_facts.predicates
        if told.span.overlaps(pair.evidence.best)
    ]
    found += re.findall(rf"\b{_MODAL}(\w+)", f"{claim} {sentence}")
    shared = content_stems(claim) & content_stems(sentence)
    return (
        stem for stem in dict.fromkeys(s for text in found for s in stems(text)) if stem in shared
    )


def _role(text: str, noun: Span, verb: str) -> str:
    """What part a noun plays beside a verb: "doer", "done to", the word before it; "" unknown."""
    place = next((m.span() for m in _WORD.finditer(text) if verb in stems(m[0])), None)
    if place is None:
        return ""
    passive = bool(_PASSIVE.search(text[: place[0]]))
    if noun.end <= place[0]:
        return "done to" if passive else "doer"
    before = _BEFORE.search(text[: noun.start])
    brought = (before[1] or "").lower() if before else ""
    if brought == "by":
        return "doer" if passive else ""
    return brought if brought and verb not in stems(brought) else "done to"
