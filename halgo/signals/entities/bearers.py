"""Bearers: who a source says holds an office or plays a part, and another in the claim.

"Supplier: Bright Cables", "Alice Moreau (CFO)", "the buyer (Nordwind AG)" name each part with the
one who has it, and the head of a mail its sender and recipients. That Bob is the CFO contradicts
it, though the source has all of its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from halgo.evidence.lexical import content_stems
from halgo.protocols import Lexicon
from halgo.signals.matching import derived
from halgo.signals.records.yes_no import DENIED
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.8
_LONGEST = 4_000  # characters of a passage
_PART = r"[A-Za-z][\w/-]*(?: [a-z][\w/-]*){0,2}"
_WORD = r"[A-Z&][\w.&'\u2019-]*"
_NAME = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{_WORD}(?: (?:{_WORD}|de|van|von|of)){{0,4}}"
# A field, its first name and the others of its list, as far as the next field.
_FIELD = re.compile(rf"(?<!\S)({_PART}): \"?({_NAME})(?![\w:])((?:(?!\s{_PART}:)[^;|\n]){{0,120}})")
_BRACKETED = re.compile(rf"({_NAME}) \(((?:the )?{_PART})\)")
_OF_PART = re.compile(rf"\b[Tt]he ([a-z][\w/-]*(?: [a-z][\w/-]*){{0,2}}) \(({_NAME})\)")
_HELD = r"(?:is|was|acts? as|acted as|serves? as|served as)"
_CLAIMED = re.compile(
    rf"^(?P<name>{_NAME}) {_HELD} (?:the |our |its |their |an? )?(?P<part>{_PART})"
    rf"(?: (?:of|to|for) {_NAME})?[.!]?$"
    rf"|^(?:The|Our|Its|Their) (?P<part2>{_PART}) (?:is|was) (?P<name2>{_NAME})[.!]?$"
)
# The parts that the head of a mail names, and the claims about them: "The mail was sent by Ben".
_SENDER, _RECIPIENT = "sender of the mail", "recipient of the mail"
_OF_MAIL = {"From": _SENDER, "To": _RECIPIENT, "Cc": _RECIPIENT}
_MAIL = r"(?:the|this) (?:e-?mail|mail|message)"
_MAILED = re.compile(
    rf"^(?i:{_MAIL}) (?:is|was|came|went|comes|goes)(?: sent| written| addressed)?"
    rf" (?:(?P<by>by|from)|to) (?P<name>{_NAME})[.!]?$"
    rf"|^(?P<name2>{_NAME}) (?:(?P<by2>wrote|sent|has (?:written|sent))|received|got) {_MAIL}[.!]?$"
    rf"|^(?:The|Its) (?:(?P<by3>sender|writer|author)|recipient)(?: of {_MAIL})? (?:is|was)"
    rf" (?P<name3>{_NAME})[.!]?$"
)
_AGENT = re.compile(rf"^({_NAME})\s")
_AGENTS = ("er", "or", "ist", "ian")  # "sender", "tutor"; who is an employee employs nobody


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """Beside each passage of one claim at most one `name_role`: another has the part it names."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs or DENIED.search(pairs[0].claim.text):
        return found
    pair = pairs[0]
    claims = [one for one in (_named(pair), _mailed(pair), _acting(pair, lexicon)) if one[0]]
    every = [list(_bearers(pair)) for pair in pairs] if claims else []
    for name, told, acts in claims:
        if acts and not _has_another(name, told, every):
            continue
        bearers = [
            (at, part, bearer, span)
            for at, some in enumerate(every)
            for part, bearer, span in some
            if told(part)
        ]
        if not bearers or any(_is_same(name, bearer) for _, _, bearer, _ in bearers):
            continue
        start = pairs[0].claim.text.index(name)
        _, part, bearer, _ = bearers[0]
        message = f'The source names "{bearer}" as {part}, not "{name}".'
        signal = Signal("name_role", Stance.CONTRADICTS, _WEIGHT, message,
                        Span(start, start + len(name)), None, (name, bearer))  # fmt: skip
        places = {at: span for at, _, _, span in reversed(bearers)}
        return [[replace(signal, evidence_span=places.get(at))] for at in range(len(pairs))]
    return found


_Told = Callable[[str], bool]  # whether a part is the one that the claim speaks of


def _named(pair: Pair) -> tuple[str, _Told, bool]:
    """Whom a claim gives a part to by its name, "Bob is the CFO", and which; "" for nobody."""
    match = _CLAIMED.match(pair.claim.text.strip())
    if match is None:
        return "", lambda _: False, False
    wanted = content_stems(match["part"] or match["part2"])
    name = (match["name"] or match["name2"]).rstrip(".")
    return name, lambda part: content_stems(part) == wanted, False


def _mailed(pair: Pair) -> tuple[str, _Told, bool]:
    """Whom a claim has send or receive a mail, and which part that is; "" for nobody."""
    match = _MAILED.match(pair.claim.text.strip())
    if match is None:
        return "", lambda _: False, False
    part = _SENDER if match["by"] or match["by2"] or match["by3"] else _RECIPIENT
    name = match["name"] or match["name2"] or match["name3"]
    return name.rstrip("."), lambda told: told == part, False


def _acting(pair: Pair, lexicon: Lexicon) -> tuple[str, _Told, bool]:
    """Whom a claim lets do what who has a part does: "Ben sent a book" beside "Sender: Ana"."""
    match = _AGENT.match(pair.claim.text)
    name = match[1] if match else ""
    verb = next((p for p in pair.claim_facts.predicates if p.span.start >= len(name)), None)
    if not name or (verb and (verb.frame or verb.subject not in name.lower().split())):
        return "", lambda _: False, True
    # "Eva tutors Mr Ross" is read as if it had no verb.
    after = pair.claim.text[len(name) :].split() or [""]
    lemma = verb.lemma if verb else after[0].lower().rstrip("s")
    acts = {lemma, *derived(lemma, lexicon), f"{lemma}r", f"{lemma}er", f"{lemma}or"}

    def told(part: str) -> bool:
        return part.lower() in acts and part.lower().endswith(_AGENTS)

    return name, told, True


def _has_another(name: str, told: _Told, every: Sequence[Sequence[tuple[str, str, Span]]]) -> bool:
    """Whether one of these has another part in a passage that names who has the part told of."""
    return any(
        any(told(part) for part, _, _ in some)
        and any(_is_same(name, bearer) for part, bearer, _ in some if not told(part))
        for some in every
    )


def _bearers(pair: Pair) -> Iterator[tuple[str, str, Span]]:
    """(part, who has it, where the name stands) of a passage."""
    text = pair.evidence.reading.text[:_LONGEST]
    for match in _FIELD.finditer(text):
        part = _OF_MAIL.get(match[1], match[1]) if "@" in match[3] else match[1]
        yield part, match[2], Span(*match.span(2))
        for other in re.finditer(_NAME, match[3]):
            yield part, other[0], Span(*other.span()).shift(match.start(3))
    for match in _BRACKETED.finditer(text):
        if not _is_short_for(match[2], match[1]):
            yield match[2], match[1], Span(*match.span(1))
    for match in _OF_PART.finditer(text):
        yield match[1], match[2], Span(*match.span(2))


def _is_same(name: str, other: str) -> bool:
    """Whether one of two names has all words of the other: "Okafor" and "Ms Okafor"."""
    ours, theirs = content_stems(name), content_stems(other)
    return bool(ours & theirs) and (ours <= theirs or theirs <= ours)


def _is_short_for(short: str, name: str) -> bool:
    """Whether brackets hold a name's own letters: "World Health Organization (WHO)"."""
    return short.isupper() and short == "".join(
        word[0] for word in name.split() if word[0].isupper()
    )
