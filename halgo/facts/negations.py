"""Doc -> predicates, each with its polarity.

What is negated is a predicate, not a sentence: "The drug did not cause fever but relieved pain"
denies one verb and affirms the other. Negations are counted along the path that carries them
(auxiliaries, open complements, shared subjects), so that two of them cancel out: "never fails to
arrive" affirms the arrival.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.facts import grammar, modality
from halgo.facts.words import words
from halgo.types import Predicate, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_NEGATORS = frozenset({"not", "n't", "n’t", "nt", "never", "neither", "nor", "hardly", "scarcely"})
# "not only", "not just": what follows is affirmed.
_HARMLESS = frozenset({"only", "just", "merely", "simply", "solely", "least", "necessarily"})
_NOBODY = frozenset({"nobody", "nothing", "none", "neither", "noone", "nowhere"})
# Their complement did not happen; with a negation of their own it did.
_FAILING = words(
    "fail refuse decline neglect omit forget cease stop quit discontinue avoid deny refrain "
    "abstain unable incapable impossible failure inability refusal reluctance unwilling"
)
# "prevented the bank from closing"
_BLOCKING = words(
    "prevent prohibit ban bar forbid stop keep block preclude exempt exclude discourage "
    "refrain abstain disqualify"
)
# Denying these denies what is said to seem or to be thought so: "is not thought to be safe".
_TRANSPARENT = words(
    "think believe expect suppose appear seem find show demonstrate prove know establish "
    "conclude case true evidence indication sign proof likely consider deem"
)
# What is said of doing something: "deleting it by hand is not advised".
_ADVISING = words(
    "advise recommend allow permit advisable permissible forbid prohibit ban discourage allowed"
)
# "Nothing in this agreement shall be construed as granting a licence."
_CONSTRUING = words("construe interpret regard see understand treat read view take consider deem")
_PARTICLES = words("up down on off in out over away back")
_NEVER = frozenset(
    {"circumstance", "circumstances", "way", "time", "case", "event", "account", "means"}
)
_NOT_OF_ALL = words("all every everyone everything everybody each both many much most always")
_NOT_LITTLE = (["a", "little"], ["a", "few"], ["a", "bit"])
_LITTLE = frozenset({"little", "few"})
_CLAUSES = ("VERB", "AUX")
# A verb that stands for another with what belongs to it, and what it must not have of its own.
_BARE = words("do be have can may must will shall should would could might")
_COMPLEMENTS = ("dobj", "acomp", "attr", "oprd", "xcomp", "prep", "agent", "advmod", "dative")
_UNTIL = ("until", "till")
_MORE = words("more less fewer longer greater larger higher older lower smaller shorter")
_OVER = words("over above beyond exceeding")
_NO_LIMIT = words("and but or for in since after during")
_NEAR = 6  # words behind a denied verb in which its limit is looked for
_MOST_READINGS = 6  # of one verb: its subjects times its objects


def read(doc: Doc) -> tuple[Predicate, ...]:
    """Every verb, and every adjective or noun said of something by a copula, in order."""
    found: list[Predicate] = []
    for token in doc:
        if token.pos_ in _CLAUSES and token.dep_ not in ("aux", "auxpass"):
            found += _of_verb(token)
        elif mended := _mended(token):
            found.append(_of_mistaken(token, mended[0]))
    found.sort(key=lambda predicate: (predicate.span.start, predicate.span.end))
    return tuple(found)


def _mended(token: Token) -> tuple[Token, Token] | None:
    """A verb after "but" that the parser took for a modifier: its sister verb and the other object.

    "did not cause fever but relieved pain" is parsed as causing relieved pain: "pain" beside
    "fever", or with "fever" as another modifier of it.
    """
    if token.dep_ != "amod" or not token.lower_.endswith("ed") or token.i == 0:
        return None
    but, noun = token.doc[token.i - 1], token.head
    if but.lower_ != "but" or noun.i < token.i:
        return None
    if noun.dep_ == "conj" and noun.head.head.pos_ in _CLAUSES:
        return noun.head.head, noun.head
    beside = but.head
    if noun.dep_ == "dobj" and beside.head == noun and beside.tag_ in ("NN", "NNS", "NNP"):
        return noun.head, beside
    return None


def _of_mistaken(token: Token, verb: Token) -> Predicate:
    noun = token.head
    subjects, _ = grammar.arguments(verb)
    left_out = frozenset(range(verb.i + 1, noun.i + 1))
    return Predicate(
        _stem(token),
        False,
        Span(token.idx, token.idx + len(token)),
        subject=grammar.argument(subjects[0]) if subjects else "",
        object=grammar.argument(noun),
        context=modality.context(noun, left_out),
        frame=modality.frame(verb),
    )


def _true_objects(objects: list[Token]) -> tuple[list[Token], frozenset[int]]:
    """The objects of a verb without those of a mistaken one, and the positions those take up."""
    found: list[Token] = []
    taken: set[int] = set()
    for noun in objects:
        mended = ((child, _mended(child)) for child in grammar.near(noun))
        child, known = next((pair for pair in mended if pair[1]), (noun, None))
        if known is None:
            found.append(noun)
            continue
        taken.update((child.i, noun.i))
        if known[1].head == noun:
            found.append(known[1])
    return found, frozenset(taken)


def _stem(token: Token) -> str:
    """The verb of a past tense that was taken for an adjective: "relieved" -> "relieve"."""
    if token.lemma_.lower() != token.lower_:
        return grammar.lemma(token)
    stem = token.lower_.removesuffix("ed")
    if stem[-2:-1] == stem[-1:] and not stem.endswith(("ll", "ss", "zz", "ff", "ee")):
        return stem[:-1]
    silent = ("v", "c", "z", "u", "g", "dl", "tl", "bl", "pl", "ir", "ur", "id", "ok", "ak")
    endings = stem.endswith(silent) or (stem.endswith("s") and not stem.endswith("ss"))
    return stem + "e" if endings or (stem.endswith("at") and stem[-3:-2] != "e") else stem


def _contrasted(token: Token | None, denied: bool) -> bool:
    """Whether "but" turns the polarity for this argument: "not fever but a rash"."""
    if token is None or token.dep_ != "conj":
        return False
    before = token.doc[token.i - 1]
    if before.lower_ == "not" and modality.is_loose(before):
        return True
    buts = [c for c in grammar.near(token.head) if c.dep_ == "cc" and c.lower_ == "but"]
    if not buts:
        return False
    following = buts[-1].i + 1
    not_after = following < token.i and token.doc[following].lower_ in ("not", "never")
    return denied or not_after


def _of_verb(verb: Token) -> list[Predicate]:
    """The predicates that one verb heads: its own, or that of its complement if it is a copula."""
    said_before = _left_out(verb)
    if said_before is not None:
        return _denied_of(verb, said_before)
    negated = is_negated(verb)
    subjects, objects = grammar.arguments(verb)
    passive = grammar.is_passive(verb)
    objects, taken = _true_objects(objects)
    said = grammar.children(verb, "acomp", "attr", "oprd")
    is_copula = verb.lemma_.lower() in grammar.COPULAS
    heads: list[tuple[Token, list[Token], list[Token]]] = [(verb, subjects, objects)]
    if is_copula and grammar.children(verb, "expl"):  # "there is no evidence"
        heads = [(verb, [], said or subjects)]
    elif is_copula and said:
        heads = [(head, subjects, _compared_with(head)) for head in _joined(said)]
    elif is_copula and not objects:  # "is in Paris"
        heads = [(verb, subjects, _after_prepositions(verb)[:1])]
    frame = modality.frame(verb)
    particle = _particle(verb)
    found: list[Predicate] = []
    for head, who, what in heads:
        left_out = taken | {token.i for token in (verb, head, *who, *what)}
        context = modality.context(verb, left_out)
        if what and head == verb and is_copula:  # "no evidence that it spreads"
            context += modality.complement(what[0])
        denied = negated ^ (head != verb and _denied_inside(head))
        span = _span(verb, head)
        for subject in who or (None,):
            for object_ in what or (None,):
                found.append(
                    Predicate(
                        grammar.lemma(head),
                        denied ^ (_contrasted(object_, denied) or _contrasted(subject, denied)),
                        span,
                        subject=grammar.argument(subject) if subject is not None else "",
                        object=grammar.argument(object_) if object_ is not None else "",
                        context=context,
                        frame=frame,
                        quantifier=modality.quantifier(subject or (object_ if passive else None)),
                        particle=particle if head == verb else "",
                    )
                )
    return found[:_MOST_READINGS]


def _left_out(verb: Token) -> Token | None:
    """The verb that a bare denial stands for: "vans may enter, taxis may not".

    None where it says something itself.
    """
    if not _is_bare(verb):
        return None
    nots = [child for child in grammar.near(verb) if child.dep_ == "neg" and child.i > verb.i]
    if not nots or not grammar.children(verb, "nsubj", "nsubjpass"):
        return None
    after = nots[0].i + 1
    if after < len(verb.doc) and not verb.doc[after].is_punct:
        return None
    before = [verb.head] if verb.dep_ in ("conj", "advcl", "parataxis") else []
    before += grammar.children(verb, "ccomp", "parataxis")
    return next(
        (w for w in before if w.pos_ in _CLAUSES and w.i < verb.i and not _is_bare(w)), None
    )


def _is_bare(verb: Token) -> bool:
    return verb.lemma_.lower() in _BARE and not grammar.children(verb, *_COMPLEMENTS)


def _denied_of(verb: Token, said: Token) -> list[Predicate]:
    """What `said` says, denied of the subjects of the bare verb."""
    who = [grammar.argument(subject) for subject in grammar.arguments(verb)[0]]
    passive = grammar.is_passive(said)
    left_out = {
        grammar.lemma(word) for subject in grammar.arguments(said)[0] for word in subject.subtree
    }
    end = next(child for child in grammar.near(verb) if child.dep_ == "neg" and child.i > verb.i)
    span = Span(verb.idx, end.idx + len(end))
    return [
        replace(
            told,
            negated=not told.negated,
            span=span,
            subject=told.subject if passive else subject,
            object=subject if passive else told.object,
            context=tuple(word for word in told.context if word not in left_out),
            quantifier="",
        )
        for told in _of_verb(said)[:_MOST_READINGS]
        for subject in who
    ][:_MOST_READINGS]


def _particle(verb: Token) -> str:
    """The particle of a verb, as in "turned it down"; parsers also take it for an adverb."""
    beside = grammar.children(verb, "prt") or [
        child for child in grammar.children(verb, "advmod") if child.lower_ in _PARTICLES
    ]
    return beside[0].lower_ if beside else ""


def _compared_with(head: Token) -> list[Token]:
    """What stands after "than": "higher than costs"."""
    than = [
        child for child in grammar.near(head) if child.dep_ == "prep" and child.lower_ == "than"
    ]
    return [noun for preposition in than for noun in grammar.children(preposition, "pobj")]


def _after_prepositions(verb: Token) -> list[Token]:
    return [noun for by in grammar.children(verb, "prep") for noun in grammar.children(by, "pobj")]


def is_negated(verb: Token) -> bool:
    """Whether what a verb says is denied; two negations cancel out."""
    return _count(verb, 0) % 2 == 1


def _count(verb: Token, depth: int) -> int:
    """How many negations bear on a verb, its own and those that reach it from above."""
    own = 0
    children = grammar.near(verb)
    if any(child.dep_ == "neg" and _is_negator(child) for child in children):
        own = 1
    if any(_is_no_longer(child) for child in children):
        own = 1
    if any(child.dep_ == "preconj" and child.lower_ == "neither" for child in children):
        own = 1
    if any(child.dep_ in ("cc", "advmod", "mark") and child.lower_ == "nor" for child in children):
        own = 1
    if any(child.dep_ == "advmod" and child.lower_ in _NEGATORS for child in children):
        own = 1
    # "It is not that the pump failed."
    if any(child.dep_ == "mark" and _after_not(child) for child in children):
        own = 1
    # "comb it rather than piling it up"
    if verb.i > 1:
        before = verb.doc[verb.i - 2].lower_, verb.doc[verb.i - 1].lower_
        own = 1 if before in modality.INSTEAD else own
    # "was not released until 1990" says that it was released, "do not take more than two" and "no
    # patient may take more than two" that two may be taken.
    limits = _is_limit(verb)
    if own and (limits or any(_says_until(child) for child in children)):
        own = 0
    arguments = [
        c for c in children if c.dep_ in ("nsubj", "nsubjpass", "dobj", "dative", "attr", "csubj")
    ]
    own += sum(
        _is_denied(argument)
        for argument in arguments
        if not (limits and argument.dep_ in grammar.SUBJECTS)
    )
    own += any(_never(child) for child in children if child.dep_ in ("prep", "npadvmod"))
    if depth >= 8:
        return own
    return own + _inherited(verb, depth, has_own=own > 0)


def _inherited(verb: Token, depth: int, *, has_own: bool) -> int:
    head, label = verb.head, verb.dep_
    if head == verb:
        return 0
    subject_given = any(
        child.dep_ in grammar.SUBJECTS or child.dep_ == "expl" for child in grammar.near(verb)
    )
    if label == "xcomp" or (label == "acl" and verb.tag_ in ("VB", "VBG")):
        above = 1 if grammar.lemma(head) in _FAILING or _has_yet(head) else 0
        if verb.tag_ == "VBG" and grammar.lemma(head) in _BLOCKING:  # "prohibits smoking"
            above = 1
        if grammar.lemma(head) == "rule" and _particle(head) == "out":
            above = 1
        if head.pos_ in _CLAUSES or label == "xcomp":
            return above + _above(head, depth)
        if grammar.lemma(head) in _TRANSPARENT:
            above += _is_denied(head)
        return above
    if label == "ccomp" or (label == "acl" and head.lemma_.lower() in _TRANSPARENT):
        if grammar.lemma(head) == "deny" or (
            verb.tag_ == "VBG" and grammar.lemma(head) in _FAILING
        ):
            return 1 + _above(head, depth)
        if not subject_given or grammar.lemma(head) in _TRANSPARENT or _is_copular(head):
            return _above(head, depth) if head.pos_ in _CLAUSES else int(_is_denied(head))
        return 0
    if label in grammar.SUBJECTS:  # "deleting it is not advised", "is advised against"
        said = [head, *grammar.children(head, "acomp")]
        if not any(grammar.lemma(word) in _ADVISING for word in said):
            return 0
        against = any(child.lower_ == "against" for word in said for child in grammar.near(word))
        blocked = any(grammar.lemma(word) in _BLOCKING for word in said)
        return (1 if against or blocked else 0) + _above(head, depth)
    if label == "pcomp":
        if head.lower_ == "without":
            return 1
        if head.lower_ == "against":  # "advised against going"
            return 1 + _above(head.head, depth)
        if head.lower_ == "from" and grammar.lemma(head.head) in _BLOCKING:
            return 1 + _above(head.head, depth)
        if head.lower_ == "as" and grammar.lemma(head.head) in _CONSTRUING:
            return _above(head.head, depth)
        if head.lower_ in ("of", "in", "from") and grammar.lemma(head.head) in _FAILING:
            return 1 + _above(head.head, depth)
        return 0
    if label == "conj" and head.pos_ in _CLAUSES and not subject_given:
        joins = {child.lower_ for child in grammar.near(head) if child.dep_ == "cc"}
        if "but" in joins or has_own:
            return 0
        if _shares_auxiliary(head, verb, joins):
            return _count(head, depth + 1)
        if any(_is_denied(c) for c in grammar.near(head) if c.dep_ in ("nsubj", "nsubjpass")):
            return 1
        if head.dep_ in ("xcomp", "pcomp") and head.tag_ == verb.tag_:
            return _inherited(head, depth + 1, has_own=False)
    return 0


def _says_until(child: Token) -> bool:
    """Whether it is "until 1990", or the clause of "until it has been approved"."""
    return child.lower_ in _UNTIL or (
        child.dep_ == "advcl" and any(mark.lower_ in _UNTIL for mark in grammar.near(child))
    )


def _is_limit(verb: Token) -> bool:
    """Whether an amount that is not to be passed follows: "take more than two", "go over 50"."""
    doc = verb.doc
    told = not any(child.tag_ == "MD" for child in grammar.near(verb)) and verb.tag_ != "VB"
    for at in range(verb.i + 1, min(verb.i + 1 + _NEAR, len(doc) - 2)):
        # "Has not worked for more than two years", "less than two years ago" set no limit;
        # "should not be given for more than two days" does.
        if doc[at].is_punct or (doc[at].lower_ in _NO_LIMIT and (told or doc[at].lower_ != "for")):
            return False
        if doc[at].lower_ in _MORE and doc[at + 1].lower_ == "than":
            ago = any(word.lower_ == "ago" for word in doc[at + 3 : at + 6])
            return not ago and any(word.like_num for word in doc[at + 2 : at + 4])
        if doc[at].lower_ in _OVER and doc[at + 1].like_num:
            return True
    return False


def _has_yet(head: Token) -> bool:
    """The head of "has yet to respond", which says that there was no response."""
    return head.lemma_ in ("have", "be") and any(
        child.lower_ == "yet" for child in grammar.near(head)
    )


def _above(head: Token, depth: int) -> int:
    """Negations on the head of an open complement; an adjective's are its copula's."""
    if head.pos_ in _CLAUSES:
        return _count(head, depth + 1)
    own = int(any(c.dep_ == "neg" and _is_negator(c) for c in grammar.near(head)))
    if head.dep_ in ("acomp", "attr", "oprd") and head.head.pos_ in _CLAUSES:
        return own + _count(head.head, depth + 1)
    return own


def _shares_auxiliary(first: Token, second: Token, joins: set[str]) -> bool:
    if any(child.dep_ in ("aux", "auxpass") for child in grammar.near(second)):
        return False
    if "or" in joins or "nor" in joins:
        return True
    if second.tag_ == "VB" and first.tag_ == "VB":
        return True
    return second.tag_ == "VBN" and first.tag_ == "VBN"


def _is_copular(token: Token) -> bool:
    said = grammar.children(token, "acomp", "attr")
    return any(grammar.lemma(word) in _TRANSPARENT for word in said)


def _is_negator(token: Token) -> bool:
    if token.lower_ not in _NEGATORS and token.lower_ != "no":
        return False
    following = token.i + 1
    if following >= len(token.doc):
        return True
    if token.i > token.head.i and modality.is_loose(token):
        return False
    # "was here not ten minutes ago": what is denied is the number.
    late = token.i > token.head.i + 1 and token.doc[token.i - 1].pos_ not in ("AUX", "VERB")
    if late and token.doc[following].like_num:
        return False
    return token.doc[following].lower_ not in _HARMLESS


def _after_not(mark: Token) -> bool:
    """Whether it is the "that" of "not that"."""
    return mark.lower_ == "that" and mark.i > 0 and mark.doc[mark.i - 1].lower_ == "not"


def _is_no_longer(token: Token) -> bool:
    if token.lower_ in ("longer", "more") and token.dep_ in ("advmod", "npadvmod"):
        return token.i > 0 and token.doc[token.i - 1].lower_ == "no"
    return False


def _is_denied(noun: Token) -> bool:
    """Whether an argument says that there is none: "no patients", "nobody", "neither of them"."""
    if noun.lower_ in _NOBODY:
        return not any(child.lower_ == "but" for child in grammar.near(noun))
    for child in grammar.near(noun):
        if child.dep_ in ("det", "preconj", "neg") and child.lower_ in ("no", "neither"):
            return not noun.like_num or noun.lower_ == "one"  # "United's no 1"
        if child.dep_ == "neg" and child.lower_ == "not" and _is_negator(child):
            # "not a single patient" denies; "not all patients" only says that some did not.
            following = [token.lower_ for token in noun.doc[child.i + 1 : child.i + 3]]
            if _LITTLE & set(following[:1]):
                return False
            return not _NOT_OF_ALL & set(following[:1]) and following not in _NOT_LITTLE
    return False


def _denied_inside(head: Token) -> bool:
    """A negation that hangs on the complement: "is now not valid", "is no more effective"."""
    degrees = [child for child in grammar.near(head) if child.lower_ == "more"]
    return head.dep_ != "attr" and any(
        child.dep_ == "neg" and _is_negator(child)
        for over in (head, *degrees)
        for child in grammar.near(over)
    )


def _never(token: Token) -> bool:
    """Whether it says "under no circumstances", "at no time", "in no way"."""
    return any(
        noun.lower_ in _NEVER and any(child.lower_ == "no" for child in grammar.near(noun))
        for noun in grammar.near(token)
    )


def _joined(heads: list[Token]) -> list[Token]:
    found = list(heads)
    for head in heads:
        found += [child for child in grammar.near(head) if child.dep_ == "conj"]
    return found[: grammar.MOST_ARGUMENTS]


def _span(verb: Token, head: Token) -> Span:
    """The predicate with the negation that stands close before it."""
    first = head
    for child in grammar.near(verb):
        if child.dep_ == "neg" and child.i < head.i and head.i - child.i <= 4:
            first = child
    return Span(first.idx, head.idx + len(head))
