# ruff: noqa: SIM102, SIM905
"""A parsed sentence -> training pairs by rule: what it entails, rewordings, and false variants.

After FactCC (Kryscinski et al. 2020) and the compressions of Falke et al. 2019. A wrong label
costs more than a missing pair, so a rule that is in doubt yields nothing. Nothing here reads a
file except halgo's own word lists; everything is deterministic for a seeded `random.Random`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple, TypeVar

from spacy.tokens import Doc, Span, Token

from halgo.facts.aliases import same_name
from halgo.facts.lexicon import default_lexicon

Stance = Literal["contradicted", "unsupported"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Altered:
    """A sentence made false; `spans` are the wrong words, [start, end) characters of `text`."""

    text: str
    spans: tuple[tuple[int, int], ...]
    kind: str
    stance: Stance


class Edit(NamedTuple):
    """Characters [start, end) of the document become `new`; `wrong` marks them as changed."""

    start: int
    end: int
    new: str
    wrong: bool = True


def _pairs(text: str) -> dict[str, str]:
    """As in "a b, c d" -> {"a": "b", "c": "d"}."""
    made = {}
    for line in text.split(","):
        first, second = line.split()
        made[first] = second
    return made


# ---------------------------------------------------------------- word forms

_IRREGULAR = {
    line.split()[0]: (line.split()[1], line.split()[2])
    for line in """
    be was been|become became become|begin began begun|break broke broken|bring brought brought
    build built built|buy bought bought|catch caught caught|choose chose chosen|come came come
    cut cut cut|deal dealt dealt|do did done|draw drew drawn|drink drank drunk|drive drove driven
    eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought
    find found found|fly flew flown|forbid forbade forbidden|forget forgot forgotten
    get got got|give gave given|go went gone|grow grew grown|have had had|hear heard heard
    hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known
    lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay lain
    light lit lit|lose lost lost|make made made|mean meant meant|meet met met
    overcome overcame overcome|pay paid paid|put put put|read read read|ride rode ridden
    ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought
    sell sold sold|send sent sent|set set set|shake shook shaken|shine shone shone
    shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung
    sink sank sunk|sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent
    split split split|spread spread spread|stand stood stood|steal stole stolen
    stick stuck stuck|strike struck struck|swear swore sworn|swim swam swum|take took taken
    teach taught taught|tear tore torn|tell told told|think thought thought
    throw threw thrown|undergo underwent undergone|understand understood understood
    undertake undertook undertaken|wake woke woken|wear wore worn|win won won
    withdraw withdrew withdrawn|write wrote written|rewrite rewrote rewritten|bear bore born
    cost cost cost|bet bet bet|bind bound bound|bite bit bitten|blow blew blown|hang hung hung
    arise arose arisen|cast cast cast|forecast forecast forecast|dig dug dug|flee fled fled
    freeze froze frozen|hold held held|quit quit quit|rid rid rid|sow sowed sown
    """.replace("|", "\n").strip().splitlines()
}  # fmt: skip
_PAST_FORMS = frozenset(past for base, (past, _) in _IRREGULAR.items() if past != base)
_DOUBLED = frozenset(
    "admit ban bar beg cancel clap commit control cram drag drip drop equip fit flip grab grip "
    "hop hug jog knit label mob nod occur omit permit pin plan plot pop prefer pat quiz refer "
    "regret rip rob rub scan ship shop slam slip snap spot stab stem step stir stop strap strip "
    "submit swap tag tap tip top transfer transmit trap travel trim trip whip wrap deter expel "
    "patrol propel rebut recur tug confer defer dispel excel incur infer".split()
)
_CONSONANT_Y = re.compile(r"[^aeiou]y$")


def verb_form(lemma: str, tag: str) -> str:
    """The form of a verb for a Penn tag: ("go", "VBD") -> "went"; base form for VB and VBP."""
    if tag in ("VB", "VBP"):
        return lemma
    if tag == "VBZ":
        if lemma in ("be", "have", "do", "go"):
            return {"be": "is", "have": "has", "do": "does", "go": "goes"}[lemma]
        if _CONSONANT_Y.search(lemma):
            return lemma[:-1] + "ies"
        return lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    if tag == "VBG":
        if lemma.endswith("ie"):
            return lemma[:-2] + "ying"
        if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
            return lemma[:-1] + "ing"
        double = lemma in _DOUBLED or lemma in (
            "begin cut get hit let put run set shut sit swim win dig bet forget forbid quit".split()
        )
        return lemma + (lemma[-1] if double else "") + "ing"
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma][0 if tag == "VBD" else 1]
    if lemma.endswith("e"):
        return lemma + "d"
    if _CONSONANT_Y.search(lemma):
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in _DOUBLED else "") + "ed"


def noun_plural(word: str) -> str:
    """The regular plural: "city" -> "cities"."""
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def article(word: str) -> str:
    """The article, "a" or "an", by how the word begins."""
    low = word.lower()
    if re.match(r"(8|11\b|18\b|11,|18,)", low):
        return "an"
    if re.match(r"(hour|honest|honou?r|heir)", low):
        return "an"
    if re.match(r"(uni(?!n|m)|use|usu|ut[ie]|eu|one\b|once|ubi|ura|ukr|uk\b|us\b)", low):
        return "a"
    if word.isupper() and 1 < len(word) < 5:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    return "an" if low[:1] in "aeiou" else "a"


# ---------------------------------------------------------------- building text


def _edited(sentence: Span, edits: Iterable[Edit]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with the edits made, and where the wrong words stand in it."""
    start, end = _bounds(sentence)
    source = _source(sentence.doc)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    length, at = 0, start
    for edit in sorted(edits):
        kept = source[at : edit.start]
        new = edit.new
        if not (length or kept) and new:
            new = new[0].upper() + new[1:]
        parts += [kept, new]
        length += len(kept)
        if edit.wrong and new.strip():
            left = len(new) - len(new.lstrip())
            spans.append((length + left, length + len(new.rstrip())))
        length += len(new)
        at = edit.end
    parts.append(source[at:end])
    return "".join(parts), tuple(spans)


def _source(doc: Doc) -> str:
    """The text of the document; kept, for spaCy joins it anew from all tokens each time."""
    found = doc.user_data.get("halgo_text")
    if not isinstance(found, str):
        found = doc.user_data["halgo_text"] = doc.text
    return found


def _entities(sentence: Span) -> list[Span]:
    """The entities that begin in the sentence; kept by sentence, for spaCy reads all tokens."""
    doc = sentence.doc
    found = doc.user_data.get("halgo_entities")
    if not isinstance(found, dict):
        found = doc.user_data["halgo_entities"] = {}
        for entity in doc.ents:
            # Places, no spans: a span in its own document's data would keep both alive for ever.
            place = entity.start, entity.end, entity.label_
            found.setdefault(entity.sent.start, []).append(place)
    return [Span(doc, a, b, label=label) for a, b, label in found.get(sentence.start, ())]


def _bounds(sentence: Span) -> tuple[int, int]:
    """First and last character of the sentence in its document, without outer space."""
    text = sentence.text
    start = sentence.start_char + len(text) - len(text.lstrip())
    return start, sentence.end_char - (len(text) - len(text.rstrip()))


def _replace(first: Token, last: Token, new: str, wrong: bool = True) -> list[Edit]:
    """Tokens first..last become `new`, and an "a" or "an" before them is made to fit."""
    edits = [Edit(first.idx, last.idx + len(last), new, wrong)]
    if first.i > first.sent.start:
        before = first.nbor(-1)
        if before.lower_ in ("a", "an") and new:
            fitting = article(new)
            if fitting != before.lower_:
                cased = fitting.capitalize() if before.text[0].isupper() else fitting
                edits.append(Edit(before.idx, before.idx + len(before), cased, False))
    return edits


def _cased(new: str, like: Token) -> str:
    if like.text.isupper() and len(like) > 1:
        return new.upper()
    return new[0].upper() + new[1:] if like.text[0].isupper() else new


_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,.;:!?)])")
_ODD_COMMAS = re.compile(r",\s*(?=[,.;])")


def _finished(text: str) -> str:
    """Tidied: single spaces, upper-case start, one full stop at the end."""
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(" ,;:-–—")
    text = _ODD_COMMAS.sub("", text).strip(" ,;:-–—")
    if not text:
        return ""
    if text[-1] not in ".!?":
        text += "." if text[-1] not in "\"'”’" or text[-2:-1] not in ".!?" else ""
    return text[0].upper() + text[1:]


def _balanced(text: str) -> bool:
    quotes = text.count('"') % 2 == 0 and text.count("“") == text.count("”")
    return quotes and text.count("(") == text.count(")") and text.count("[") == text.count("]")


# ---------------------------------------------------------------- reading the parse


def _main(sentence: Span) -> Token | None:
    """The root verb of a plain declarative sentence with a subject before it; None otherwise."""
    root = sentence.root
    text = sentence.text.strip()
    if root.tag_ not in ("VBD", "VBZ", "VBP", "VBN", "VB", "VBG", "MD"):
        return None
    if not text or text.endswith(("?", ":")) or "\n" in text or "|" in text or "http" in text:
        return None
    if not 4 <= len(sentence) <= 70 or not _balanced(text):
        return None
    if not (text[0].isupper() or text[0].isdigit() or text[0] in '"“$£€'):
        return None
    subject = _subject(root)
    if subject is None or subject.i > root.i or not _finite(root):
        return None
    return root


def _subject(verb: Token) -> Token | None:
    found = [t for t in verb.children if t.dep_ in ("nsubj", "nsubjpass") and t.i < verb.i]
    return found[0] if len(found) == 1 else None


def _auxes(verb: Token) -> list[Token]:
    return [t for t in verb.children if t.dep_ in ("aux", "auxpass") and t.i < verb.i]


def _finite(verb: Token) -> bool:
    if verb.tag_ in ("VBD", "VBZ", "VBP"):
        return True
    return any(t.tag_ in ("MD", "VBD", "VBZ", "VBP") for t in _auxes(verb))


def _past(verb: Token) -> bool:
    """Whether the clause is plain past: no modal, no "have"."""
    auxes = _auxes(verb)
    if not auxes:
        return verb.tag_ == "VBD"
    return all(t.lower_ in ("was", "were") for t in auxes) and verb.tag_ in ("VBN", "VBG")


def _subtree(token: Token) -> tuple[Token, Token] | None:
    """First and last token of the subtree, when it is one unbroken run."""
    left, right = token.left_edge, token.right_edge
    if right.i - left.i + 1 != sum(1 for _ in token.subtree):
        return None
    return left, right


def _text(left: Token, right: Token) -> str:
    return str(left.doc[left.i : right.i + 1].text)


# What makes dropping a restricting phrase unsafe: downward or non-monotone surroundings.
_RESTRICTING = frozenset(
    "not n't no none never neither nor nobody nothing nowhere without hardly scarcely barely "
    "rarely seldom few fewer less least little only solely merely except unless if whether all "
    "every each any both most majority exactly always entire entirely first last second third "
    "final until than alone almost nearly lack lacked fail failed deny denied unlikely doubt "
    "so too same such as per average total".split()
)
_REPORT = frozenset(
    "say tell claim report state announce argue believe think suggest allege deny hope expect "
    "predict estimate warn ask wonder assume suppose insist note add explain feel appear seem "
    "imagine pretend dream fear doubt propose consider deem speculate".split()
)


def _plain(sentence: Span) -> bool:
    """Whether a phrase that only narrows the sentence may be dropped from it."""
    for token in sentence:
        if token.lower_ in _RESTRICTING or token.tag_ in ("MD", "JJS", "RBS", "JJR", "RBR"):
            return False
        if token.lemma_ in _REPORT and token.pos_ == "VERB":
            return False
    return True


def _same_np(a: Token, b: Token) -> bool:
    return a == b or a.is_ancestor(b) or b.is_ancestor(a)


# ---------------------------------------------------------------- 1. reductions

_OPENERS = frozenset(
    "however moreover furthermore additionally meanwhile therefore thus consequently nevertheless "
    "nonetheless also besides hence indeed finally eventually interestingly notably "
    "unfortunately fortunately surprisingly importantly similarly accordingly subsequently "
    "afterwards afterward then today historically".split()
)


def reductions(sentence: Span) -> list[str]:
    """Shorter texts that the sentence entails by construction, in order, each once.

    Each begins in upper case and ends with a full stop. Empty for questions, headings,
    fragments and whatever the parse does not show to be a plain statement.
    """
    verb = _main(sentence)
    if verb is None or sentence.text.strip()[0] in '"“':
        return []
    if any(t.text == ":" for t in sentence[:4]):
        return []
    start, end = _bounds(sentence)
    source = _source(sentence.doc)
    single = [*_asides(sentence)]
    optional = [*_optional(sentence, verb)]
    found: list[str] = []

    def keep(cuts: Iterable[tuple[int, int]], low: int = start, high: int = end) -> None:
        at, parts = low, []
        for a, b in sorted(cuts):
            if a < at or b > high:
                continue
            parts.append(source[at:a])
            at = b
        parts.append(source[at:high])
        found.append(_finished(" ".join(part.strip() for part in parts)))

    for cut in single[:2]:
        keep([cut])
    if len(single) > 1:
        keep(single)
    for cut in optional:
        keep([cut])
        if single:
            keep([*single, cut])
    if len(optional) > 1:
        keep([*single, *optional])
    for text, cuts in _clauses(sentence, verb, single):
        found.append(_finished(text))
        if cuts:
            keep(cuts)
    found += [_finished(text) for text in _appositions(sentence)]
    whole = _finished(sentence.text)
    good = [text for text in dict.fromkeys(found) if text != whole and _sound(text)]
    return good


def _sound(text: str) -> bool:
    words = text.split()
    return (
        len(words) >= 4
        and _balanced(text)
        and not re.search(r"[,(]\s*[.)]|\b(and|or|but|of|the|a|an|to|by|with|for)\.$", text)
        and not re.match(r"(and|or|but|which|who|that)\b", text, re.IGNORECASE)
    )


def _cut(left: Token, right: Token) -> tuple[int, int] | None:
    """Characters from the comma before `left` up to and with the comma after `right`.

    None unless commas (or dashes, or the sentence's end) stand on both sides.
    """
    sent = left.sent
    before = left.nbor(-1) if left.i > sent.start else None
    after = right.nbor(1) if right.i + 1 < sent.end else None
    if before is None or before.text not in (",", "–", "—"):
        return None
    if after is None or after.text in (".", ";", "!"):
        return before.idx, right.idx + len(right)
    if after.text == before.text:
        return before.idx, after.idx + len(after)
    return None


def _listed(token: Token) -> bool:
    """Whether a comma near the token may be one of a list's rather than an aside's."""
    head = token.head
    near = (head, *head.ancestors)
    for word in near[:3]:
        if word.dep_ == "conj" or any(t.dep_ in ("conj", "cc") for t in word.children):
            if word.pos_ in ("VERB", "AUX"):
                break
            return True
    return any(t.dep_ in ("conj", "cc", "appos") for t in token.children)


def _asides(sentence: Span) -> Iterator[tuple[int, int]]:
    """Cuts for what only adds: parentheses, appositions, comma-set relative clauses, openers."""
    opened: Token | None = None
    quoted = False
    for token in sentence:
        if token.text in '"“”':
            quoted = not quoted
        if token.text == "(":
            opened = None if quoted else token
        elif token.text == ")" and opened is not None:
            inner = token.i - opened.i > 1 and opened.i > sentence.start
            # In "one (half) brother" the parenthesis may restrict the noun.
            after = token.nbor(1).pos_ if token.i + 1 < sentence.end else ""
            if inner and after not in ("NOUN", "PROPN", "ADJ", "NUM"):
                yield opened.idx, token.idx + 1
            opened = None
    for token in sentence:
        if token.dep_ not in ("appos", "relcl"):
            continue
        run = _subtree(token)
        if run is None or _listed(token) or token.head.pos_ not in ("NOUN", "PROPN"):
            continue
        left, right = run
        if left.i <= token.head.i:
            continue
        if token.dep_ == "relcl" and left.lower_ not in ("who", "which", "whose", "where"):
            continue
        if token.dep_ == "appos" and token.pos_ not in ("NOUN", "PROPN"):
            continue
        if token.dep_ == "appos" and (left.ent_type_ in ("GPE", "DATE") or left.is_digit):
            continue  # "Paris, France" and "3 May, 2021" are one name
        cut = _cut(left, right)
        if cut:
            yield cut
    first = sentence[0]
    if first.lower_ in _OPENERS and len(sentence) > 2 and sentence[1].text == ",":
        yield first.idx, sentence[1].idx + 1
    for token in sentence[2:-2]:
        if token.lower_ in ("however", "therefore", "moreover") and (
            token.nbor(-1).text == "," and token.nbor(1).text == ","
        ):
            yield token.nbor(-1).idx, token.nbor(1).idx + 1


_STATIVE = frozenset("be remain stay live lie stand exist occur happen take become".split())


def _optional(sentence: Span, verb: Token) -> Iterator[tuple[int, int]]:
    """Cuts for times and places of a plain past event, and for comma-set adverbial clauses."""
    if not _past(verb) or not _plain(sentence) or verb.lemma_ in _STATIVE or verb.lemma_ == "bear":
        return
    if any(t.dep_ in ("conj", "ccomp", "xcomp") for t in verb.children):
        return
    complete = verb.tag_ == "VBN" or any(t.dep_ == "dobj" for t in verb.children)
    for token in verb.children:
        run = _subtree(token)
        if run is None or any(t.dep_ in ("relcl", "acl", "advcl") for t in token.subtree):
            continue
        left, right = run
        edge_after = right.i + 1 >= sentence.end or right.nbor(1).is_punct
        if token.dep_ == "prep" and complete and token.lower_ in ("in", "on", "at", "during"):
            objects = [t for t in token.children if t.dep_ == "pobj"]
            if not objects or objects[0].ent_type_ not in ("DATE", "TIME", "GPE", "LOC"):
                continue
            if any(t.dep_ in ("conj", "cc") for t in token.subtree):
                continue
            if left.i > verb.i and (edge_after or right.nbor(1).dep_ == "prep"):
                before = left.nbor(-1)
                if before.text == "," and right.i + 1 < sentence.end and right.nbor(1).text == ",":
                    yield before.idx, right.idx + len(right) + 1
                elif before.text != ",":
                    # "in May, 2021" would leave ", 2021" behind.
                    if edge_after and right.i + 1 < sentence.end and right.nbor(1).text == ",":
                        continue
                    yield left.idx, right.idx + len(right)
            elif left.i == sentence.start and right.nbor(1).text == ",":
                yield left.idx, right.nbor(1).idx + 1
    for token in verb.children:
        if token.dep_ != "advcl":
            continue
        run = _subtree(token)
        if run is None:
            continue
        left, right = run
        if left.lower_ not in ("although", "though", "while", "because", "after", "when", "since"):
            continue
        if left.i == sentence.start and right.nbor(1).text == ",":
            yield left.idx, right.nbor(1).idx + 1
        elif left.i > verb.i and right.i + 1 < sentence.end and right.nbor(1).text == ".":
            if left.nbor(-1).text == "," or left.lower_ in ("because", "although", "though"):
                yield left.idx, right.idx + len(right)


def _clauses(
    sentence: Span, verb: Token, asides: list[tuple[int, int]]
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """(the second of two joined clauses with its subject, cuts that leave only the first)."""
    if verb.lemma_ in _REPORT or any(
        t.lower_ in ("if", "unless", "either", "neither", "or", "whether", "both", "than", "not",
                     "n't", "never", "no", "only", "according", "allegedly", "reportedly")
        for t in sentence
    ):  # fmt: skip
        return
    joined = [t for t in verb.children if t.dep_ == "conj"]
    if len(joined) != 1:
        return
    other = joined[0]
    joins = [t for t in verb.children if t.dep_ == "cc" and verb.i < t.i < other.i]
    marks = [t for t in verb.children if t.text == ";" and verb.i < t.i < other.i]
    if joins and joins[-1].lower_ not in ("and", "but"):
        return
    if not joins and not marks:
        return
    run = _subtree(other)
    subject = _subject(verb)
    if run is None or subject is None or not _finite(other):
        return
    join = (joins or marks)[-1]
    if any(t.i > run[1].i and not t.is_punct for t in verb.children):
        return
    if other.i < join.i or run[0].i <= join.i:
        return
    second = _text(*run)
    tail = run[1].idx + len(run[1])
    own = _subject(other)
    if own is None and any(t.dep_ in ("nsubj", "nsubjpass", "expl") for t in other.children):
        return
    if own is None:
        if len(_auxes(verb)) or len(_auxes(other)) or verb.tag_ != other.tag_:
            return
        if verb.tag_ == "VB" or verb.lemma_ == "be" or other.lemma_ in _REPORT:
            return
        needed = ("dobj", "attr", "acomp", "prep")
        if not any(t.dep_ in needed and t.i < join.i for t in verb.children if t.i > verb.i):
            return
        if not any(t.dep_ in needed for t in other.children if t.i > other.i):
            return
        whole = _subtree(subject)
        if whole is None:
            return
        # Fronted phrases would be lost; they may restrict the second clause too.
        if any(t.i < whole[0].i and not t.is_punct for t in verb.children):
            return
        text = f"{_text(*whole)} {second}"
    else:
        text = second
        if own.lower_ in ("which", "who", "that", "this", "it", "they", "he", "she") and (
            own.lower_ in ("which", "who", "that")
        ):
            return
    cut_from = join.idx
    yield text, [(cut_from, tail)]


def _appositions(sentence: Span) -> Iterator[str]:
    """As in "Ada Byron, a mathematician, wrote ..." -> "Ada Byron is a mathematician"."""
    past = sentence.root.tag_ == "VBD"
    for token in sentence:
        if token.dep_ != "appos" or token.pos_ != "NOUN" or token.head.pos_ != "PROPN":
            continue
        head, run = token.head, _subtree(token)
        if run is None or _listed(token) or head.ent_type_ not in ("PERSON", "ORG", "FAC", "LOC"):
            continue
        left, right = run
        if left.lower_ not in ("a", "an", "the") or left.nbor(-1).text != ",":
            continue
        if _cut(left, right) is None or head.i > left.i or right.i - left.i > 25:
            continue
        if any(t.dep_ in ("relcl", "neg") for t in token.children) or token.tag_ == "NNS":
            continue
        if left.nbor(-2).ent_type_ != head.ent_type_ or head.tag_ == "NNPS":
            continue
        name = [t for t in sentence if t.ent_iob_ != "O" and t.i <= head.i]
        span = [e for e in _entities(sentence) if e.start <= head.i < e.end]
        if not name or len(span) != 1 or span[0].end != left.i - 1:
            continue
        yield f"{span[0].text} {'was' if past else 'is'} {_text(left, right)}"


# ---------------------------------------------------------------- the pool

_NAMES = frozenset("PERSON ORG GPE LOC NORP FAC PRODUCT EVENT WORK_OF_ART LANGUAGE".split())
_LIGHT = frozenset(
    "be have do say get make take go come give use let keep become seem need want know think see "
    "include put try show tell ask call work help start begin continue cause involve mean "
    "follow base regard accord concern contain consist remain".split()
)
_THIN = frozenset(
    "thing way lot number part one kind sort time year day month week percent person people fact "
    "case example point place rest member type group amount other something anything everything "
    "someone end side area level order use name term mr mrs ms dr half majority minority variety "
    "series range set pair couple total average rate share percentage proportion "
    "today yesterday tomorrow hour minute second decade century result reason".split()
)
_THIN_ADJECTIVES = frozenset(
    "other same such many much several few own more most certain various different last next "
    "first second third new due able likely possible available similar further additional entire "
    "whole main chief major good former late recent current early total full only very".split()
)


class Word(NamedTuple):
    """A word as it stood: its form, lemma and what a replacement must share."""

    text: str
    lemma: str
    tag: str
    frame: str


@dataclass(slots=True)
class Words:
    """Entities by type, numerals, nouns, verbs, adjectives and details of texts, in order."""

    entities: dict[str, list[str]] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    nouns: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    verbs: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    adjectives: dict[tuple[str, str], list[Word]] = field(default_factory=dict)
    details: list[str] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)


def _of(doc: Doc) -> Words:
    """The words of one document; kept with it, for it is read once a sentence."""
    found = doc.user_data.get("halgo_words")
    if isinstance(found, Words):
        return found
    words = Words()
    _collect(doc, words)
    doc.user_data["halgo_words"] = words
    return words


def _name_ok(entity: Span) -> bool:
    """Whether the entity looks like a whole name: title case, no stray marks, 1 to 5 words."""
    text = entity.text
    if not 1 <= len(entity) <= 5 or len(text) < 3 or not re.fullmatch(r"[\w.&'’ -]+", text):
        return False
    if any(t.pos_ not in ("PROPN", "ADJ", "NOUN", "ADP", "DET", "CCONJ", "PUNCT", "PART")
           for t in entity):  # fmt: skip
        return False
    if entity.label_ == "NORP":
        return text[0].isupper() and entity[-1].tag_ in ("JJ", "NNPS")
    if any(t.is_digit for t in entity) or any(t.pos_ == "NOUN" for t in entity[-1:]):
        return False
    return all(t.text[0].isupper() for t in entity if t.pos_ in ("PROPN", "NOUN", "ADJ"))


def _entity_key(entity: Span) -> str:
    """The type, and what else a replacement must share: the tag of "German", the article."""
    if entity.label_ == "NORP":
        return "NORP " + entity[-1].tag_
    the = entity.start > 0 and entity.doc[entity.start - 1].lower_ == "the"
    return f"the {entity.label_}" if the else str(entity.label_)


def _stripped(entity: Span) -> Span | None:
    """The entity without a leading "the" and a closing "'s"."""
    first, last = 0, len(entity)
    while first < last and entity[first].lower_ in ("the", "a", "an"):
        first += 1
    while last > first and entity[last - 1].text in ("'s", "’s", "'", "’", "."):
        last -= 1
    if first >= last:
        return None
    return Span(entity.doc, entity.start + first, entity.start + last, label=entity.label_)


def _noun_frame(token: Token) -> str | None:
    """How the noun is determined, None for one that no other noun may stand for."""
    if token.tag_ not in ("NN", "NNS") or token.ent_type_ or token.lemma_.lower() in _THIN:
        return None
    if not token.text.isalpha() or not token.is_lower or len(token) < 3:
        return None
    if token.dep_ not in ("dobj", "nsubj", "pobj", "nsubjpass", "attr", "conj"):
        return None
    if any(
        t.dep_ in ("compound", "nmod", "relcl", "acl", "ccomp", "amod", "appos")
        for t in token.children
    ):
        return None
    if any(t.dep_ == "prep" and t.i > token.i for t in token.children):
        return None
    if token.i > 0 and token.nbor(-1).text == "-":
        return None
    determiners = [t.lower_ for t in token.children if t.dep_ in ("det", "poss", "nummod")]
    if token.tag_ == "NNS":
        return "plural"
    if not determiners:
        return None if token.dep_ == "pobj" else "bare"
    return "a" if determiners[0] in ("a", "an", "one", "each", "every", "another") else "the"


def _verb_frame(token: Token) -> str | None:
    """What the verb takes, None for one that no other verb may stand for."""
    if token.pos_ != "VERB" or token.tag_ not in ("VBD", "VBZ", "VBP", "VB", "VBN", "VBG"):
        return None
    if token.lemma_ in _LIGHT or token.lemma_ in _REPORT or not token.text.isalpha():
        return None
    deps = {t.dep_ for t in token.children}
    if deps & {"prt", "xcomp", "ccomp", "dative", "oprd", "acomp", "attr", "expl", "conj", "pcomp"}:
        return None
    if token.dep_ not in ("ROOT", "advcl", "relcl", "ccomp") or not token.is_lower:
        return None
    if "dobj" in deps and "nsubj" in deps:
        return "transitive"
    if "nsubjpass" in deps and "auxpass" in deps:
        return "passive " + "".join(sorted(t.lower_ for t in token.children if t.dep_ == "agent"))
    return None


def _adjective_frame(token: Token) -> str | None:
    if token.tag_ != "JJ" or token.dep_ != "amod" or token.ent_type_ or not token.is_lower:
        return None
    if token.lower_ in _THIN_ADJECTIVES or not token.text.isalpha() or list(token.children):
        return None
    if token.i + 1 < len(token.doc) and token.nbor(1).tag_ not in ("NN", "NNS"):
        return None
    if token.i > 0 and token.nbor(-1).text == "-":
        return None
    return "amod"


def _collect(doc: Doc, into: Words) -> None:
    for entity in doc.ents:
        if entity.label_ in ("CARDINAL", "QUANTITY", "MONEY", "PERCENT"):
            into.numbers.append(entity.text)
        if entity.label_ not in _NAMES:
            continue
        name = _stripped(entity)
        if name is None or not _name_ok(name):
            continue
        key = _entity_key(name)
        if (
            name.label_ not in ("GPE", "NORP", "LOC")
            and len(name) == 1
            and _source(doc).count(name.text) < 2
        ):
            continue  # a single word that is seen once is often no name
        if (key, name.text) not in into.seen:
            into.seen.add((key, name.text))
            into.entities.setdefault(key, []).append(name.text)
    for token in doc:
        for frame, table in (
            (_noun_frame(token), into.nouns),
            (_verb_frame(token), into.verbs),
            (_adjective_frame(token), into.adjectives),
        ):
            if frame is None:
                continue
            mark = (f"{frame} {token.tag_}", token.lower_)
            if mark not in into.seen:
                into.seen.add(mark)
                word = Word(token.text, token.lemma_.lower(), token.tag_, frame)
                table.setdefault((frame, token.tag_), []).append(word)
        detail = _detail(token)
        if detail and ("detail", detail) not in into.seen:
            into.seen.add(("detail", detail))
            into.details.append(detail)


def _detail(token: Token) -> str | None:
    """A closing phrase of a sentence that could close another: "because of ...", "in May"."""
    if token.dep_ not in ("prep", "advcl") or token.head.dep_ != "ROOT":
        return None
    if token.head.pos_ != "VERB" or token.i < token.head.i:
        return None
    run = _subtree(token)
    if run is None or not 2 <= run[1].i - run[0].i + 1 <= 12:
        return None
    left, right = run
    if right.i + 1 >= token.sent.end or right.nbor(1).text != ".":
        return None
    if any((t.tag_ in ("PRP", "PRP$", "WDT", "DT") and t.lower_ not in ("the", "a", "an"))
           or t.is_space or t.text in "()\"“”;:[]" for t in left.subtree):  # fmt: skip
        return None
    allowed = {"because", "after", "during", "since", "until", "following", "despite", "before",
               "throughout"}  # fmt: skip
    if left.lower_ in allowed:
        return _text(left, right)
    if left.lower_ in ("in", "on") and token.dep_ == "prep":
        objects = [t for t in token.children if t.dep_ == "pobj"]
        if objects and objects[0].ent_type_ in ("DATE", "GPE"):
            return _text(left, right)
    return None


class Pool:
    """Words of all documents seen, to borrow from when a document has none that fit."""

    def __init__(self) -> None:
        self.words = Words()

    def add(self, doc: Doc) -> None:
        """Take in a parsed document; adding one twice changes nothing but the numbers."""
        _of(doc)
        _collect(doc, self.words)

    def entity(self, like: Span, rng: Random, avoid: str) -> str | None:
        """Another name of the same type, of the document if it has one, else of the pool.

        None when nothing fits. `avoid` is the text in which the name must not stand yet.
        """
        key = _entity_key(like)
        for words in (_of(like.doc), self.words):
            names = words.entities.get(key, [])
            for name in _drawn(names, rng, 12):
                if _other_name(name, like.text, avoid) and _like_length(name, like.text):
                    return name
        return None

    def detail(self, sentence: Span, rng: Random) -> str | None:
        """A closing phrase that stood elsewhere and shares no word with the sentence."""
        own = {t.lemma_.lower() for t in sentence if not t.is_stop and t.is_alpha}
        for words in (_of(sentence.doc), self.words):
            for detail in _drawn(words.details, rng, 6):
                low = detail.lower()
                if low in sentence.text.lower() or len(low.split()) > 10:
                    continue
                if not any(word in own for word in re.findall(r"\w+", low)):
                    return detail
        return None


def _drawn(items: Sequence[T], rng: Random, most: int) -> Iterator[T]:
    """Up to `most` items in random order, without copying a long list."""
    if not items:
        return
    if len(items) <= most:
        yield from rng.sample(items, len(items))
        return
    for at in rng.sample(range(len(items)), most):
        yield items[at]


def _other_name(name: str, own: str, avoid: str) -> bool:
    words = set(re.findall(r"\w+", name.lower()))
    around = set(re.findall(r"\w+", avoid.lower()))
    return not (words & around) and same_name(name, own) == 0.0 and not _initials(name, own)


def _initials(a: str, b: str) -> bool:
    def short(text: str) -> str:
        return "".join(word[0] for word in text.split() if word[0].isupper())

    return short(a) == b or short(b) == a


def _like_length(a: str, b: str) -> bool:
    return abs(len(a.split()) - len(b.split())) <= 2


# ---------------------------------------------------------------- numbers

_DIGITS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?|\d+(\.\d+)?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
_TENS = dict(zip("thirty forty fifty sixty seventy eighty ninety".split(),
                 range(30, 100, 10), strict=True))  # fmt: skip
_VALUES = {word: value for value, word in enumerate(_ONES)} | _TENS
_WORDS_OF = {value: word for word, value in _VALUES.items()}
_SCALES = ("thousand", "million", "billion", "trillion")
_LOWER_BOUND = frozenset("over above least exceeding exceed exceeded exceeds beyond".split())
_UPPER_BOUND = frozenset("under below most within until".split())
_ABOUT = frozenset(
    "about around nearly almost approximately roughly some circa estimated ~".split()
)
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def _bound(token: Token) -> str:
    """One of "up", "down", "about" or "": how a number's neighbours loosen it."""
    words = [t.lower_ for t in token.doc[max(token.sent.start, token.i - 4) : token.i]]
    near = words[-3:]
    for left, right in pairwise(words):
        if right == "than":
            return "up" if left in ("more", "greater", "higher", "longer", "older") else "down"
        if left == "up" and right == "to":
            return "down"
        if left == "at" and right in ("least", "most"):
            return "up" if right == "least" else "down"
    if any(word in _LOWER_BOUND for word in near):
        return "up"
    if any(word in _UPPER_BOUND for word in near):
        return "down"
    return "about" if any(word in _ABOUT for word in near) else ""


def _counts(token: Token) -> bool:
    """Whether a numeral tells an amount, and is no year, name, list mark or code."""
    if token.dep_ in ("nummod", "appos", "punct", "meta") and token.head.i < token.i:
        return False  # "Clause 4.1"
    if token.ent_type_ in ("DATE", "TIME"):
        return _duration(token)
    if token.ent_type_ not in ("", "CARDINAL", "QUANTITY", "MONEY", "PERCENT"):
        return False
    if token.i == token.sent.start and not token.is_alpha:
        nxt = token.nbor(1).text if token.i + 1 < len(token.doc) else ""
        if nxt in (".", ")"):
            return False
    for at in (-1, 1):
        if 0 <= token.i + at < len(token.doc):
            near = token.nbor(at)
            glued = not (token.whitespace_ if at == 1 else near.whitespace_)
            # "COVID-19", "3-1", "1/2", "10:30", "(4)" are no amounts to play with.
            if glued and near.text in "-–—/:+_#()[]":
                return False
            if at == -1 and (
                near.pos_ == "PROPN"
                or near.lower_
                in (
                    "section",
                    "page",
                    "version",
                    "figure",
                    "table",
                    "chapter",
                    "no.",
                    "article",
                    "clause",
                    "number",
                    "level",
                    "type",
                    "grade",
                    "phase",
                )
            ):
                return False  # fmt: skip
    return True


def _duration(token: Token) -> bool:
    after = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    names = "years year months month weeks week days day hours minutes seconds decades".split()
    return after in names and (token.is_alpha or float(token.text.replace(",", "")) < 1000)


def _written(value: float, like: str) -> str:
    """The value in the style of `like`: thousands separators and decimals."""
    places = len(like.partition(".")[2])
    comma = "," in like or (value >= 10_000 and len(like.partition(".")[0]) < 5)
    text = f"{value:,.{places}f}" if comma else f"{value:.{places}f}"
    return text


def _number_edits(sentence: Span, rng: Random) -> Iterator[tuple[list[Edit], str, Stance]]:
    for token in sentence:
        if token.lower_ in _SCALES and token.i > sentence.start and token.nbor(-1).like_num:
            others = [word for word in _SCALES if word != token.lower_]
            stance: Stance = "contradicted"
            if not _bound(token.nbor(-1)) or _bound(token.nbor(-1)) == "about":
                yield _replace(token, token, rng.choice(others)), "magnitude", stance
            continue
        if _DIGITS.fullmatch(token.text) and _counts(token):
            yield from _digit_edits(token, rng)
        elif token.lower_ in _VALUES and _counts(token) and token.dep_ in ("nummod", "compound"):
            value = _VALUES[token.lower_]
            head_plural = token.head.tag_ in ("NNS", "NNPS") or token.head.lower_ in _SCALES
            if value < 2 or (not head_plural and value != 1):
                continue
            bound = _bound(token)
            step = [v for v in _WORDS_OF if v > 1 and v != value and _fits(v, value, bound)]
            if step:
                near = sorted(step, key=lambda v: abs(v - value))[:6]
                new = _cased(_WORDS_OF[rng.choice(near)], token)
                loose: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
                yield _replace(token, token, new), "number", loose


def _fits(new: float, old: float, bound: str) -> bool:
    if bound == "up":
        return new > old
    if bound == "down":
        return new < old
    if bound == "about":
        return new >= old * 1.6 or new <= old * 0.55
    return new != old


def _digit_edits(token: Token, rng: Random) -> Iterator[tuple[list[Edit], str, Stance]]:
    text = token.text
    value = float(text.replace(",", ""))
    if value == 0 or value >= 1e12 or (len(text) > 1 and text[0] == "0" and "." not in text):
        return
    if 1900 <= value <= 2100 and len(text) == 4:
        return  # a year the parser did not see
    bound = _bound(token)
    places = len(text.partition(".")[2])
    unit = 10.0**-places
    percent = token.i + 1 < len(token.doc) and token.nbor(1).lower_ in ("%", "percent", "per")
    stance: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
    nearer = [value + rng.choice((-1, 1)) * rng.randint(1, 3) * unit,
              value * rng.choice((0.8, 0.9, 1.1, 1.2))]  # fmt: skip
    farther = [value * rng.choice((0.25, 0.4, 0.5, 2, 2.5, 3, 5))]
    tenfold = [value * rng.choice((0.1, 10))]
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    swaps = [
        (a, b) for a, b in pairwise(digits)
        if text[a] != text[b] and not (a == 0 and text[b] == "0")
    ]  # fmt: skip
    made: list[tuple[str, str]] = []
    for kind, values in (("number_near", nearer), ("number_far", farther), ("magnitude", tenfold)):
        new = rng.choice(values)
        if places == 0:
            new = float(round(new))
        if kind == "magnitude" and new * 10 != value and new != value * 10:
            continue
        made.append((_written(new, text), kind))
    if swaps:
        a, b = rng.choice(swaps)
        chars = list(text)
        chars[a], chars[b] = chars[b], chars[a]
        made.append(("".join(chars), "number_digits"))
    head = token.head
    plural = head.tag_ in ("NNS", "NNPS") and token.dep_ == "nummod"
    for new_text, kind in made:
        new = float(new_text.replace(",", ""))
        if new <= 0 or new_text == text or not _fits(new, value, bound):
            continue
        if (percent and value <= 100 < new) or (plural and new == 1) or value == 1:
            continue
        if bound == "" and abs(new - value) / value < 0.004:
            continue
        yield _replace(token, token, new_text), kind, stance


# ---------------------------------------------------------------- units, money, dates

# A unit and what may stand for it in false text.
_UNIT_SWAPS = {
    line.split()[0]: tuple(line.split()[1:])
    for line in """
    km m miles, kilometers miles meters, kilometres miles metres, miles kilometers yards,
    kilometer mile meter, mile kilometer, meters feet kilometers centimeters, metres feet
    kilometres, feet meters inches yards, foot meter inch, inches feet yards, kg g pounds,
    kilograms grams pounds, grams kilograms ounces, pounds kilograms, ounces pounds, tonnes
    kilograms, mg g mcg, tons pounds, liters milliliters gallons, litres millilitres gallons, ml
    l, gallons liters, acres hectares, hectares acres, seconds minutes hours, minutes hours
    seconds days, hours days minutes weeks, hour day minute, days weeks months, day week month,
    weeks months days, week month day, months years weeks days, month week year, years months
    decades, year month decade, decades years centuries, mm cm m, cm mm m, mph km/h, watts
    kilowatts, megawatts kilowatts gigawatts, MW kW GW, GB MB TB, dollars euros pounds, euros
    dollars, cents dollars
    """.split(",")
}
_SIGNS = {"$": ("€", "£"), "€": ("$", "£"), "£": ("$", "€")}


def _unit_edits(sentence: Span, rng: Random) -> Iterator[tuple[list[Edit], str, Stance]]:
    for token in sentence:
        previous = token.nbor(-1) if token.i > sentence.start else None
        if token.text in _UNIT_SWAPS and previous is not None:
            number = previous.like_num or previous.lower_ in _SCALES
            if not number or previous.text == "May" or previous.lower_.endswith(("th", "st", "rd")):
                continue
            if token.i + 1 < len(token.doc) and (
                token.nbor(1).text in ("a", "per", "each", "/")
                or token.nbor(1).text in ("old", "'", "’", "-", "'s", "’s")
                or token.nbor(1).pos_ == "NUM"
            ):
                continue
            new = rng.choice(_UNIT_SWAPS[token.text])
            if any(t.lower_ == new for t in sentence):
                continue
            bound = _bound(previous)
            stance: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
            yield _replace(token, token, new), "unit", stance
        elif token.text in _SIGNS and token.i + 1 < sentence.end and token.nbor(1).like_num:
            yield (
                [Edit(token.idx, token.idx + 1, rng.choice(_SIGNS[token.text]))],
                "currency",
                ("contradicted"),
            )
        elif token.text == "%" and previous is not None and previous.like_num:
            before = previous.nbor(-1).lower_ if previous.i > sentence.start else ""
            after = token.nbor(1).text if token.i + 1 < sentence.end else "."
            if before == "by" and after in (".", ",", "in", "on", "since", "from", "over"):
                yield (
                    [Edit(token.idx, token.idx + 1, " percentage points")],
                    "percent",
                    ("contradicted"),
                )


def _date_edits(sentence: Span, rng: Random) -> Iterator[tuple[list[Edit], str, Stance]]:
    for token in sentence:
        text = token.text
        following = token.nbor(1) if token.i + 1 < sentence.end else None
        dated = token.ent_type_ == "DATE"
        if text in _WEEKDAYS and dated and sum(t.text in _WEEKDAYS for t in sentence) == 1:
            new = rng.choice([day for day in _WEEKDAYS if day != text])
            yield _replace(token, token, new), "weekday", "contradicted"
        elif text in _MONTHS and dated and sum(t.text in _MONTHS for t in sentence) == 1:
            new = rng.choice([month for month in _MONTHS if month != text])
            if _day_fits(token, new):
                yield _replace(token, token, new), "month", _by_bound(token)
        elif re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", text) and dated:
            if following is not None and (
                following.text in ("-", "–", "—", "/") or following.pos_ == "PROPN"
            ):
                continue
            if token.i > sentence.start and token.nbor(-1).text in ("-", "–", "—", "/"):
                continue
            bound = _time_bound(token)
            far = rng.choice((rng.randint(1, 3), rng.randint(4, 25)))
            year = int(text) + (far if bound in ("", "up") else -far)
            if not bound and rng.random() < 0.5:
                year = int(text) - far
            if 1000 <= year <= 2025 and not any(t.text == str(year) for t in sentence):
                stance: Stance = "unsupported" if bound else "contradicted"
                yield _replace(token, token, str(year)), "year", stance
        elif re.fullmatch(r"[12]?\d|3[01]", text) and dated and _beside_month(token):
            new = str(rng.choice([day for day in range(1, 29) if day != int(text)]))
            yield _replace(token, token, new), "day", _by_bound(token)
        elif re.fullmatch(r"(1[0-9]|20)\d0s", text) and dated:
            decade = int(text[:4]) + rng.choice((-20, -10, 10, 20))
            if decade <= 2020:
                yield _replace(token, token, f"{decade}s"), "year", "contradicted"


def _by_bound(token: Token) -> Stance:
    return "unsupported" if _time_bound(token) else "contradicted"


def _time_bound(token: Token) -> str:
    words = [t.lower_ for t in token.doc[max(token.sent.start, token.i - 5) : token.i]]
    if any(word in ("before", "by", "until", "till") for word in words):
        return "down"
    return "up" if any(word in ("after", "since", "from") for word in words) else ""


def _beside_month(token: Token) -> bool:
    sent = token.sent
    before = token.i > sent.start and token.nbor(-1).text in _MONTHS
    after = token.i + 1 < sent.end and token.nbor(1).text in _MONTHS
    return before or after


def _day_fits(token: Token, month: str) -> bool:
    near = [t.text for t in token.sent if abs(t.i - token.i) == 1]
    days = [int(text) for text in near if text.isdigit() and len(text) < 3]
    return all(day <= 28 for day in days)


# ---------------------------------------------------------------- entities and roles


def _names(sentence: Span) -> list[Span]:
    """Entities that may be replaced: whole names that occur once in the sentence."""
    found = []
    text = sentence.text
    for entity in _entities(sentence):
        if entity.label_ not in _NAMES:
            continue
        name = _stripped(entity)
        if name is None or not _name_ok(name):
            continue
        end = name.end
        if end < sentence.end and sentence.doc[end].text in ("-", "–", "/", "(", "&"):
            continue
        if name.start > sentence.start and sentence.doc[name.start - 1].text in (
            "-",
            "–",
            "/",
            "(",
        ):
            continue
        if name.start > sentence.start and sentence.doc[name.start - 1].text in (
            '"',
            "“",
            "'",
            "‘",
        ):
            continue  # a title, often read as a name of another type
        if end < len(sentence.doc) and sentence.doc[end].pos_ == "PROPN":
            continue  # part of a longer name
        if (
            name.start > sentence.start
            and sentence.doc[name.start - 1].pos_ == "PROPN"
            and (sentence.doc[name.start - 1].text not in ("Mr.", "Mrs.", "Ms.", "Dr."))
        ):
            continue
        if text.count(name.text) == 1 and not any(
            len(t) > 3 and text.count(t.text) > 1 for t in name
        ):
            found.append(name)
    return found


def _coordinated(token: Token) -> bool:
    return token.dep_ == "conj" or any(t.dep_ in ("conj", "cc") for t in token.children)


def _entity_edits(
    sentence: Span, pool: Pool, rng: Random
) -> Iterator[tuple[list[Edit], str, Stance]]:
    for name in _names(sentence):
        new = pool.entity(name, rng, sentence.text)
        if new is None:
            continue
        # In a list, or as one of several that did the same, another name may be true as well.
        stance: Stance = "unsupported" if _coordinated(name.root) else "contradicted"
        first, last = name[0], name[-1]
        yield _replace(first, last, new), "entity", stance


_SYMMETRIC = frozenset(
    "meet marry equal resemble face fight join match share differ compete agree collaborate "
    "neighbor neighbour border connect link merge play date divorce be become correspond talk "
    "include combine compare mix separate say form make comprise consist constitute represent "
    "have remain see work".split()
)


def _swap_edits(sentence: Span, verb: Token) -> Iterator[tuple[list[Edit], str, Stance]]:
    names = [n for n in _names(sentence) if n.label_ != "NORP"]
    symmetric = verb.lemma_ in _SYMMETRIC or any(
        t.lower_ in ("between", "both", "together", "respectively", "and/or", "each")
        for t in sentence
    )
    if symmetric:
        return
    for at, one in enumerate(names):
        for two in names[at + 1 :]:
            if one.label_ != two.label_ or one.text == two.text:
                continue
            if _coordinated(one.root) or _coordinated(two.root):
                continue
            if "appos" in (one.root.dep_, two.root.dep_) or _same_np(one.root, two.root):
                continue
            if one.root.tag_ != two.root.tag_ or one.root.head == two.root.head:
                if not {one.root.dep_, two.root.dep_} & {"nsubj", "nsubjpass"}:
                    continue
            edits = _replace(one[0], one[-1], two.text) + _replace(two[0], two[-1], one.text)
            yield edits, "entity_swap", "contradicted"


def _role_edits(sentence: Span, verb: Token) -> Iterator[tuple[list[Edit], str, Stance]]:
    subject = _subject(verb)
    if subject is None or verb.lemma_ in _SYMMETRIC or verb.pos_ != "VERB":
        return
    objects = [t for t in verb.children if t.dep_ == "dobj"]
    objects += [
        p for t in verb.children if t.dep_ == "agent" for p in t.children if p.dep_ == "pobj"
    ]
    if len(objects) != 1:
        return
    other = objects[0]
    pair = (subject, other)
    if any(t.pos_ not in ("NOUN", "PROPN") for t in pair) or subject.pos_ != other.pos_:
        return
    number = [t.tag_ in ("NNS", "NNPS") for t in pair]
    if number[0] != number[1] or subject.ent_type_ != other.ent_type_:
        return
    if subject.lemma_ == other.lemma_ or any(_coordinated(t) for t in pair):
        return
    runs = [_subtree(t) for t in pair]
    if any(run is None or run[1].i - run[0].i > 5 for run in runs):
        return
    left, right = runs[0], runs[1]
    assert left and right
    if any(t.tag_ in ("PRP$", "WDT", "WP") or t.is_punct for run in (left, right)
           for t in sentence.doc[run[0].i : run[1].i + 1]):  # fmt: skip
        return
    first, second = _text(*left), _text(*right)
    if left[0].i == sentence.start and left[0].pos_ != "PROPN":
        first = first[0].lower() + first[1:]
    yield (
        [Edit(left[0].idx, left[1].idx + len(left[1]), second),
         Edit(right[0].idx, right[1].idx + len(right[1]), first)],
        "roles", "contradicted",
    )  # fmt: skip


# ---------------------------------------------------------------- negation

_NEGATIVE = frozenset(
    "not n't no none never neither nor nobody nothing hardly scarcely barely rarely seldom few "
    "only without little unless any either anyone anything ever yet too cannot".split()
)
_VAGUE_SUBJECTS = frozenset(
    "some many most several all every each both few any no more another other others everyone "
    "everybody someone somebody one half".split()
)


def _negation_edits(sentence: Span, verb: Token) -> Iterator[tuple[list[Edit], str, Stance]]:
    negs = [t for t in sentence if t.dep_ == "neg" or t.lower_ in _NEGATIVE]
    if not negs:
        yield from _negated(verb)
    elif (
        len(negs) == 1 and negs[0].head == verb and negs[0].lower_ in ("not", "n't", "n’t", "never")
    ):
        yield from _affirmed(verb, negs[0])


def _negated(verb: Token) -> Iterator[tuple[list[Edit], str, Stance]]:
    subject = _subject(verb)
    if subject is None or any(t.lower_ in _VAGUE_SUBJECTS for t in subject.subtree):
        return
    if any(t.lower_ in ("always", "almost", "nearly", "still", "already", "also", "often",
                        "sometimes", "usually", "even", "some", "several", "just", "mostly")
           for t in verb.sent):  # fmt: skip
        return
    joined = [t for t in verb.children if t.dep_ == "conj"]
    if any(t.dep_ in ("preconj",) for t in verb.children) or any(
        t.dep_ == "cc" and t.lower_ == "or" for t in verb.children
    ):
        return
    auxes = _auxes(verb)
    stance: Stance = "contradicted"
    if auxes:
        first = auxes[0]
        if first.lower_ in ("may", "might", "'ll", "'d", "’d", "’ll", "ca", "wo") or (
            first.tag_ == "TO" or first.i < subject.i
        ):
            return
        if first.text[0] in "'’":
            return
        if any(_subject(t) is None for t in joined):
            return
        end = first.idx + len(first)
        if first.lower_ == "can":
            yield [Edit(first.idx, end, _cased("cannot", first))], "negation_in", stance
            return
        yield [Edit(first.idx, end, f"{first.text} not")], "negation_in", stance
        return
    if any(_subject(t) is None for t in joined):
        return
    if verb.lemma_ == "be" and verb.lower_ in ("is", "was", "are", "were", "am"):
        end = verb.idx + len(verb)
        nxt = verb.nbor(1) if verb.i + 1 < len(verb.doc) else None
        if nxt is None or nxt.lower_ == "to":
            return
        yield [Edit(verb.idx, end, f"{verb.text} not")], "negation_in", stance
        return
    helper = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(verb.tag_)
    if helper is None or verb.text[0] in "'’" or not verb.is_lower:
        return
    base = verb.lemma_.lower()
    if verb.tag_ == "VBP" and verb.lower_ in _PAST_FORMS:
        return  # "engineers rewrote" is at times read as a present
    if (verb.tag_ == "VBP" and base != verb.lower_) or (base == verb.lower_ and verb.tag_ == "VBZ"):
        return
    before = [t for t in verb.lefts if t.dep_ == "advmod" and t.i == verb.i - 1]
    first = before[0] if before else verb
    middle = _text(first, verb)[: -len(verb.text)]
    end = verb.idx + len(verb)
    yield [Edit(first.idx, end, f"{helper} not {middle}{base}")], "negation_in", stance


def _affirmed(verb: Token, neg: Token) -> Iterator[tuple[list[Edit], str, Stance]]:
    stance: Stance = "contradicted"
    if neg.i + 1 < len(verb.doc) and neg.nbor(1).lower_ in (
        "only", "just", "all", "every", "necessarily", "always", "until", "merely", "both", "even",
        "so", "a", "more", "less", "enough", "just",
    ):  # fmt: skip
        if not (neg.nbor(1).lower_ == "a" and verb.lemma_ == "be"):
            return
    if any(t.lower_ in ("but", "until", "rather", "instead", "because", "whether", "much", "longer",
                        "anymore", "or", "as") for t in verb.sent):  # fmt: skip
        return
    if neg.lower_ == "never":
        if _auxes(verb) or verb.tag_ not in ("VBD", "VBZ", "VBP"):
            return
        end = verb.idx + len(verb)
        between = _text(neg, verb)[len(neg.text) :].lstrip()
        yield [Edit(neg.idx, end, between)], "negation_out", stance
        return
    if neg.i == 0:
        return
    before = neg.nbor(-1)
    if before.lemma_ == "do" and before.dep_ == "aux" and verb.tag_ == "VB":
        tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}.get(before.lower_)
        if tag is None:
            return
        middle = _text(neg, verb)[len(neg.text) : -len(verb.text)].strip()
        new = f"{middle} {verb_form(verb.lemma_.lower(), tag)}".strip()
        yield [Edit(before.idx, verb.idx + len(verb), new)], "negation_out", stance
        return
    if before.dep_ not in ("aux", "auxpass", "ROOT") or (before.tag_ == "MD" and before.lower_ in (
        "may", "might",
    )):  # fmt: skip
        return
    full = {"ca": "can", "wo": "will", "sha": "shall"}.get(before.lower_, before.text)
    after = neg.nbor(1)
    if not after.is_alpha or after.is_title:
        return
    new = f"{_cased(full, before)} {after.text}"
    yield [Edit(before.idx, after.idx + len(after), new)], "negation_out", stance


# ---------------------------------------------------------------- words with an opposite

# Lemma and opposite.
_VERB_OPPOSITES = _pairs(
    """
    increase decrease, decrease increase, rise fall, fall rise, grow shrink, gain lose, win lose,
    lose win, buy sell, sell buy, accept reject, reject accept, approve reject, allow forbid,
    permit prohibit, prohibit permit, ban allow, include exclude, confirm deny, support oppose,
    oppose support, succeed fail, improve worsen, open close, close open, arrive depart, enter
    leave, strengthen weaken, weaken strengthen, expand contract, build demolish, start stop,
    begin end, end begin, raise lower, lower raise, pass fail, join leave, love hate, remember
    forget, borrow lend, import export, export import, create destroy, destroy create, reduce
    increase, accelerate slow, encourage discourage, discourage encourage, promote demote, appear
    disappear, acquire sell, attack defend, defend attack, hire dismiss, praise criticize,
    criticize praise, enable prevent, prevent cause, widen narrow, narrow widen, tighten loosen,
    agree disagree, connect disconnect, ascend descend
    """
)
_TRANSITIVE_ONLY = frozenset("raise buy sell reduce allow permit include build love reduce".split())
# By the tags in which a word has this opposite. Each direction stands by itself, for some
# hold one way only: the opposite of "young" may be "old", that of "old" is not always "young".
_WORD_OPPOSITES = {
    word: (opposite, tags)
    for tags, listed in {
        "JJ": """
        large small, small large, big small, high low, low high, long short, old young, strong weak,
        weak strong, early late, hot cold, cold hot, rich poor, male female, female male, public
        private, private public, positive negative, negative positive, legal illegal, illegal legal,
        possible impossible, impossible possible, successful unsuccessful, unsuccessful successful,
        effective ineffective, ineffective effective, safe unsafe, unsafe safe, important
        unimportant,
        unimportant important, common rare, rare common, rapid slow, slow rapid, simple complex,
        complex simple, easy difficult, difficult easy, internal external, external
        internal, northern
        southern, southern northern, eastern western, western eastern, upper lower, major
        minor, minor
        major, foreign domestic, domestic foreign, urban rural, rural urban, ancient modern, modern
        ancient, heavy light, deep shallow, shallow deep, wide narrow, narrow wide, first last,
        popular unpopular, unpopular popular, permanent temporary, temporary permanent, active
        inactive, inactive active, guilty innocent, innocent guilty, alive dead, mandatory optional,
        optional mandatory, happy unhappy, unhappy happy, full empty, empty full, hard soft,
        dry wet,
        wet dry, expensive cheap, cheap expensive, voluntary mandatory, visible invisible, invisible
        visible
        """,
        "JJ NN": """
        maximum minimum, minimum maximum
        """,
        "IN": """
        before after, after before, above below, below above, inside outside, outside inside
        """,
        "RB NN": """
        north south, south north, east west, west east
        """,
        "NN NNS": """
        increase decrease, decrease increase, import export, export import
        """,
        "NN": """
        success failure, failure success, victory defeat, defeat victory, advantage disadvantage,
        disadvantage advantage, profit loss, growth decline, rise fall, majority minority, minority
        majority, beginning end, winner loser, loser winner, buyer seller, seller buyer,
        husband wife,
        wife husband, father mother, mother father, son daughter, daughter son, brother
        sister, sister
        brother, man woman, woman man, boy girl, girl boy, morning evening, evening morning, summer
        winter, winter summer, employer employee, employee employer
        """,
        "NNS": """
        men women, women men, boys girls, girls boys
        """,
        "RB": """
        always never, often rarely, rarely often, frequently rarely, usually rarely, quickly slowly,
        slowly quickly, rapidly slowly, successfully unsuccessfully, unsuccessfully successfully,
        permanently temporarily, temporarily permanently, directly indirectly, indirectly directly,
        significantly slightly, partially fully
        """,
        "JJR": """
        larger smaller, smaller larger, bigger smaller, longer shorter, shorter longer,
        older younger,
        younger older, stronger weaker, weaker stronger, better worse, worse better, greater
        smaller,
        heavier lighter, lighter heavier, cheaper dearer, dearer cheaper, hotter colder, colder
        hotter, warmer cooler, cooler warmer
        """,
        "JJR RBR": """
        higher lower, earlier later, later earlier, faster slower, slower faster, closer farther,
        farther closer, lower higher
        """,
        "JJS": """
        largest smallest, smallest largest, biggest smallest, highest lowest, lowest
        highest, longest
        shortest, shortest longest, oldest youngest, youngest oldest, best worst, worst
        best, earliest
        latest, fastest slowest, slowest fastest, strongest weakest, weakest strongest
        """,
    }.items()
    for word, opposite in _pairs(listed).items()
}


def _opposite_edits(sentence: Span) -> Iterator[tuple[list[Edit], str, Stance]]:
    lows = [t.lower_ for t in sentence]
    for token in sentence:
        low = token.lower_
        if (token.ent_type_ and token.ent_type_ not in ("DATE", "CARDINAL")) or (
            token.is_title and token.i != sentence.start
        ):
            continue
        if token.ent_type_ == "DATE" and token.tag_ != "IN":
            continue
        if low in _WORD_OPPOSITES:
            new, tags = _WORD_OPPOSITES[low]
            if token.tag_ not in tags.split() or new in lows:
                continue
            if not _opposite_ok(token):
                continue
            kind = "comparison" if token.tag_ in ("JJR", "RBR") else "antonym"
            yield _replace(token, token, _cased(new, token)), kind, "contradicted"
        elif token.pos_ == "VERB" and token.lemma_ in _VERB_OPPOSITES and token.is_lower:
            opposite = _VERB_OPPOSITES[token.lemma_]
            if opposite in lows or any(t.dep_ in ("prt", "xcomp", "neg") for t in token.children):
                continue
            takes = any(t.dep_ in ("dobj", "nsubjpass") for t in token.children)
            if token.tag_ not in ("VBD", "VBZ", "VBP", "VB", "VBN") or token.dep_ == "amod":
                continue
            if not takes and (opposite in _TRANSITIVE_ONLY or token.lemma_ in _TRANSITIVE_ONLY):
                continue
            if token.lemma_ in ("close", "open", "end", "pass", "leave", "start") and not takes:
                continue
            if token.lemma_ == "fall" and not _amount_verb(token):
                continue
            if token.lemma_ in ("enter", "join", "begin", "gain", "grow", "defend") and takes:
                continue
            new = verb_form(opposite, token.tag_)
            yield _replace(token, token, new), "antonym", "contradicted"
    yield from _more_less(sentence)


def _amount_verb(token: Token) -> bool:
    """Whether "fall" has to do with an amount: "fell to 3 %", "prices fell by ..."."""
    return any(
        t.dep_ == "prep" and t.lower_ in ("to", "by", "from") and
        any(p.ent_type_ in ("CARDINAL", "PERCENT", "MONEY", "QUANTITY") for p in t.subtree)
        for t in token.children
    )  # fmt: skip


def _opposite_ok(token: Token) -> bool:
    """Whether the word stands where its opposite would be about the same thing."""
    after = token.nbor(1) if token.i + 1 < len(token.doc) else None
    before = token.nbor(-1) if token.i > token.sent.start else None
    if (after is not None and after.text in ("-", "'s", "’s")) or (
        before is not None and before.text == "-"
    ):
        return False
    if any(t.lower_ in ("no", "not", "n't", "so", "as", "too", "how") for t in token.children):
        return False
    if token.tag_ == "IN" and token.lower_ in ("before", "after"):
        return after is not None and after.lower_ != "that" and before is not None and (
            before.lower_ not in ("day", "days", "years", "year", "month", "months", "named",
                                  "long", "soon", "shortly", "immediately", "well", "takes")
        )  # fmt: skip
    if token.tag_ == "JJ" and token.dep_ == "amod":
        head = token.head
        fixed = {"high school", "long term", "high court", "light year", "hot dog",
                 "short story", "long time", "private sector", "high street", "soft drink",
                 "hard drive", "major league", "low cost", "first time", "first place", "early age",
                 "old age", "full time", "heavy metal", "short film", "large number",
                 "public school", "last year", "last week", "last month", "old man"}  # fmt: skip
        if after is None or after != head or f"{token.lower_} {head.lemma_.lower()}" in fixed:
            return False
        if token.lower_ == "first":
            return before is not None and before.lower_ == "the" and head.tag_ == "NN"
        return not head.ent_type_
    if token.tag_ == "JJ":
        if token.dep_ == "acomp" and token.head.lemma_ == "be":
            if any(t.dep_ == "neg" for t in token.head.children):
                return False
            return not (token.lower_ in ("old", "long", "high", "deep", "wide", "heavy")
                        and before is not None and before.tag_ in ("NNS", "NN"))  # fmt: skip
        return False
    if token.tag_ in ("JJR", "RBR"):
        return before is None or before.lower_ not in ("no", "not", "the", "any")
    if token.tag_ in ("RB", "NN") and token.lower_ in ("north", "south", "east", "west"):
        return after is not None and after.lower_ == "of"
    if token.tag_ == "RB":
        return token.head.pos_ in ("VERB", "AUX") and not any(
            t.dep_ == "neg" for t in token.head.children
        )
    if token.dep_ in ("compound", "npadvmod"):
        return False
    return not any(t.dep_ == "compound" for t in token.children)


_FIXES_MORE = frozenset("no not n't any the once even".split())


def _more_less(sentence: Span) -> Iterator[tuple[list[Edit], str, Stance]]:
    for token in sentence:
        after = token.nbor(1) if token.i + 1 < sentence.end else None
        before = token.nbor(-1) if token.i > sentence.start else None
        if after is None or (before is not None and before.lower_ in _FIXES_MORE):  # fmt: skip
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
                yield _replace(token, token, _cased(new, token)), "quantifier", "contradicted"
            elif after.tag_ in ("JJ", "RB") and any(
                t.lower_ == "than" for t in sentence[after.i - sentence.start :]
            ):
                new = "less" if low == "more" else "more"
                if low != "fewer":
                    yield _replace(token, token, _cased(new, token)), "comparison", "contradicted"
            elif after.tag_ in ("NNS", "NN") and any(t.lower_ == "than" for t in sentence):
                new = ("fewer" if after.tag_ == "NNS" else "less") if low == "more" else "more"
                yield _replace(token, token, _cased(new, token)), "comparison", "contradicted"
        elif low == "at" and after.lower_ in ("least", "most") and after.i + 1 < sentence.end:
            if after.nbor(1).like_num or after.nbor(1).text in "$£€":
                new = "most" if after.lower_ == "least" else "least"
                yield _replace(after, after, new), "quantifier", "contradicted"
        elif low == "most" and after.lower_ in ("likely", "recently", "recent"):
            continue


# ---------------------------------------------------------------- quantifiers and hedges


def _quantifier_edits(sentence: Span) -> Iterator[tuple[list[Edit], str, Stance]]:
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
        elif low == "no" and plural and token.dep_ == "det" and after.lower_ != "longer":
            if token.head.dep_ in ("nsubj", "nsubjpass"):
                new = ("all", "contradicted")
        if new:
            yield _replace(token, token, _cased(new[0], token)), "quantifier", new[1]


_HEDGES = frozenset(
    "possibly perhaps probably likely allegedly reportedly apparently supposedly potentially "
    "presumably purportedly".split()
)


def _hedge_edits(sentence: Span) -> Iterator[tuple[list[Edit], str, Stance]]:
    if any(t.dep_ == "neg" for t in sentence):
        return
    stance: Stance = "unsupported"
    for token in sentence:
        low = token.lower_
        after = token.nbor(1) if token.i + 1 < sentence.end else None
        if after is None:
            continue
        if low in ("may", "might", "could") and token.tag_ == "MD" and token.dep_ == "aux":
            if token.head.tag_ == "VB" and token.i < token.head.i and token.i > sentence.start:
                if low == "could" or any(t.lower_ == "have" and t.dep_ == "aux"
                                         for t in token.head.children):  # fmt: skip
                    continue
                yield _replace(token, token, "will"), "hedge", stance
        elif low in _HEDGES and token.dep_ == "advmod" and token.tag_ == "RB":
            if after.text != "," and token.i > sentence.start and token.nbor(-1).text != ",":
                yield [Edit(token.idx, token.idx + len(token), "certainly")], "hedge", stance
        elif token.lemma_ == "suggest" and after.lower_ == "that" and token.pos_ == "VERB":
            yield _replace(token, token, verb_form("prove", token.tag_)), "hedge", stance
        elif low in ("expected", "planned", "scheduled", "set", "likely") and after.lower_ == "to":
            before = token.nbor(-1) if token.i > sentence.start else None
            if before is None or before.lower_ not in ("is", "are") or after.i + 1 >= sentence.end:
                continue
            if after.nbor(1).tag_ == "VB":
                end = after.idx + len(after)
                yield [Edit(before.idx, end, "will certainly")], "hedge", stance
        elif token.lemma_ in ("try", "attempt", "seek", "hope", "aim", "plan", "intend") and (
            after.lower_ == "to" and token.tag_ == "VBD" and not _auxes(token)
        ):
            if after.i + 1 < sentence.end and after.nbor(1).tag_ == "VB":
                yield _replace(token, token, "managed"), "hedge", stance


# ---------------------------------------------------------------- words of the document


def _related(a: str, b: str) -> bool:
    """Whether two lemmas may say the same: synonyms, derived, or one broader than the other."""
    if a == b or (a[:5] == b[:5] and len(a) > 4):
        return True
    lexicon = default_lexicon()
    if b in lexicon.synonyms(a) or a in lexicon.synonyms(b) or b in lexicon.derived(a):
        return True
    return b in lexicon.hypernyms(a) or a in lexicon.hypernyms(b)


def _word_edits(
    sentence: Span, pool: Pool, rng: Random
) -> Iterator[tuple[list[Edit], str, Stance]]:
    own = {t.lemma_.lower() for t in sentence}
    words = _of(sentence.doc)
    if any(t.dep_ == "neg" or t.lower_ in _NEGATIVE for t in sentence):
        return
    for kind, frame_of in (
        ("verb", _verb_frame), ("noun", _noun_frame), ("adjective", _adjective_frame),
    ):  # fmt: skip
        places = [(t, frame) for t in sentence if (frame := frame_of(t)) is not None]
        if not places:
            continue
        token, frame = rng.choice(places)
        key = (frame, token.tag_)
        tables = [
            {"verb": w.verbs, "noun": w.nouns, "adjective": w.adjectives}[kind]
            for w in (words, pool.words)
        ]
        # A far-off noun or adjective seldom makes sense; a verb of the pool mostly does.
        for table in tables if kind == "verb" else tables[:1]:
            found = [
                word for word in _drawn(table.get(key, []), rng, 8)
                if word.lemma not in own and not _related(token.lemma_.lower(), word.lemma)
            ]  # fmt: skip
            if found:
                yield _replace(token, token, found[0].text), kind, "unsupported"
                break


_ATTACH_VERBS = frozenset("say tell ask be seem appear think believe".split())


def _added_edits(
    sentence: Span, verb: Token, pool: Pool, rng: Random
) -> Iterator[tuple[list[Edit], str, Stance]]:
    last = sentence[-1]
    while last.is_space and last.i > sentence.start:
        last = last.nbor(-1)
    if last.text != "." or last.i - 1 <= sentence.start:
        return
    if any(t.dep_ == "neg" or t.lower_ in _NEGATIVE for t in sentence):
        return
    at = last.idx
    entities = {e.label_ for e in _entities(sentence)}
    options: list[tuple[str, str]] = []
    detail = pool.detail(sentence, rng)
    simple = not any(t.dep_ in ("conj", "ccomp", "advcl") for t in verb.children)
    if detail and simple and verb.pos_ == "VERB":
        timed = re.match(r"(in|on|during|since|until|after|before)\b", detail) is not None
        if not (timed and entities & {"DATE", "TIME"}) and (_past(verb) or not timed):
            options.append((f" {detail}", "added_detail"))
    if _past(verb) and "DATE" not in entities and simple and verb.lemma_ not in _ATTACH_VERBS:
        options.append((f" in {rng.randint(1985, 2023)}", "added_date"))
    names = _of(sentence.doc)
    for label in ("ORG", "PERSON", "GPE"):
        for source in (names, pool.words):
            listed = [
                n for n in _drawn(source.entities.get(label, []), rng, 4)
                if _other_name(n, "", sentence.text)
            ]  # fmt: skip
            if not listed:
                continue
            if label == "GPE":
                if _past(verb) and simple and "GPE" not in entities and verb.pos_ == "VERB":
                    options.append((f" in {listed[0]}", "added_place"))
            elif "according" not in sentence.text.lower() and verb.lemma_ not in _ATTACH_VERBS:
                options.append((f", according to {listed[0]}", "added_source"))
            break
    if options:
        text, kind = rng.choice(options)
        yield [Edit(at, at, text)], kind, "unsupported"
    bare = [
        t for t in sentence
        if t.tag_ in ("NN", "NNS") and t.dep_ in ("dobj", "pobj", "nsubj") and t.is_lower
        and not t.ent_type_ and t.i > sentence.start
        and (t.nbor(-1).dep_ == "det" or (t.tag_ == "NNS" and t.nbor(-1).dep_ == "prep"))
        and t.nbor(-1).lower_ not in ("no", "any", "all", "of", "as")
        and not any(c.dep_ in ("amod", "compound", "nummod") for c in t.children)
    ]  # fmt: skip
    adjectives = names.adjectives.get(("amod", "JJ"), [])
    if bare and adjectives:
        token = rng.choice(bare)
        for word in _drawn(adjectives, rng, 4):
            if any(t.lemma_.lower() == word.lemma for t in sentence):
                continue
            edits = _replace(token, token, f"{word.text} {token.text}")
            # Only the adjective is new.
            edits[0] = Edit(token.idx, token.idx, f"{word.text} ")
            yield edits, "added_attribute", "unsupported"
            break


# ---------------------------------------------------------------- 3. alterations


_LOOSENING = frozenset("no not n't never none neither nor without if unless whether".split())


def alterations(sentence: Span, pool: Pool, rng: Random) -> list[Altered]:
    """False variants of the sentence, each with the characters that are wrong; often several.

    Same `rng` state, same result. Empty for what is no plain statement. A text never equals the
    sentence, and every span lies inside the text and is not empty.
    """
    verb = _main(sentence)
    if verb is None:
        return []
    start, end = _bounds(sentence)
    whole = _source(sentence.doc)[start:end]
    sources: list[Callable[[], Iterator[tuple[list[Edit], str, Stance]]]] = [
        lambda: _number_edits(sentence, rng),
        lambda: _unit_edits(sentence, rng),
        lambda: _date_edits(sentence, rng),
        lambda: _entity_edits(sentence, pool, rng),
        lambda: _swap_edits(sentence, verb),
        lambda: _role_edits(sentence, verb),
        lambda: _negation_edits(sentence, verb),
        lambda: _opposite_edits(sentence),
        lambda: _quantifier_edits(sentence),
        lambda: _hedge_edits(sentence),
        lambda: _word_edits(sentence, pool, rng),
        lambda: _added_edits(sentence, verb, pool, rng),
    ]
    found: dict[str, Altered] = {}
    # "Did not sell 40 boats" says nothing of 50, nor "if it rains" of snow.
    loose = any(t.dep_ == "neg" or t.lower_ in _LOOSENING for t in sentence)
    for source in sources:
        for edits, kind, stance in source():
            if loose and kind not in ("negation_in", "negation_out", "quantifier"):
                stance = "unsupported"
            text, spans = _edited(sentence, edits)
            if text != whole and spans and text not in found:
                found[text] = Altered(text, spans, kind, stance)
    return list(found.values())


# ---------------------------------------------------------------- 2. rewordings

_SYNONYMS = _pairs(
    """
    purchase buy, buy purchase, assist help, approximately about, roughly about, nearly almost,
    almost nearly, large big, big large, rapidly quickly, quickly rapidly, frequently often, often
    frequently, physician doctor, automobile car, film movie, movie film, additional extra,
    sufficient enough, entire whole, whole entire, require need, numerous many, especially
    particularly, primarily mainly, mainly primarily, usually generally, famous well-known,
    wealthy rich, attorney lawyer, lawyer attorney, construct build, demonstrate show
    """
)
_CONTRACTIONS = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't",
    "are not": "aren't", "was not": "wasn't", "were not": "weren't", "cannot": "can't",
    "will not": "won't", "has not": "hasn't", "have not": "haven't", "had not": "hadn't",
    "could not": "couldn't", "would not": "wouldn't", "should not": "shouldn't",
}  # fmt: skip
_LONG_FORMS = {short: long for long, short in _CONTRACTIONS.items()}


def rewordings(sentence: Span, rng: Random) -> list[str]:
    """True paraphrases, each by one change, the order drawn from `rng`; empty where none is safe.

    The sentence's own end mark is kept.
    """
    verb = _main(sentence)
    if verb is None:
        return []
    start, end = _bounds(sentence)
    whole = _source(sentence.doc)[start:end]
    found: list[str] = []
    for edits in (
        *_reworded_numbers(sentence),
        *_reworded_units(sentence),
        *_reworded_dates(sentence),
        *_reworded_words(sentence),
        *_reworded_possessives(sentence),
    ):
        found.append(_edited(sentence, edits)[0])
    found += _contracted(whole)
    found += _moved(sentence, verb)
    voice = _voice(sentence, verb)
    if voice:
        found.append(voice)
    unique = [text for text in dict.fromkeys(found) if text != whole and _balanced(text)]
    rng.shuffle(unique)
    return unique


def _reworded_numbers(sentence: Span) -> Iterator[list[Edit]]:
    for token in sentence:
        if token.lower_ in _VALUES and token.dep_ == "nummod" and _counts(token):
            if token.is_title or token.nbor(1).is_title or token.ent_type_ == "WORK_OF_ART":
                continue
            value = _VALUES[token.lower_]
            # "one" is no plain number, and a numeral does not open a sentence.
            if value >= 2 and token.i > sentence.start and token.nbor(1).text not in "-(":
                yield _replace(token, token, str(value), False)
        elif token.text.isdigit() and int(token.text) in _WORDS_OF and _counts(token):
            after = token.nbor(1) if token.i + 1 < sentence.end else None
            before = token.nbor(-1).text if token.i > sentence.start else ""
            if token.text[0] == "0" or after is None or before in ("$", "£", "€"):
                continue
            if int(token.text) >= 2 and after.tag_ in ("NNS",) and len(after.text) > 3:
                yield _replace(token, token, _cased_first(_WORDS_OF[int(token.text)], token), False)
        elif token.lower_ == "percent" and token.i > sentence.start:
            if token.nbor(-1).text.replace(".", "").isdigit():
                left = token.nbor(-1)
                yield [Edit(left.idx, token.idx + len(token), f"{left.text}%", False)]
        elif token.text == "%" and token.i > sentence.start and token.nbor(-1).like_num:
            yield [Edit(token.idx, token.idx + 1, " percent", False)]
        if token.lower_ in ("million", "billion") and token.i > sentence.start:
            left = token.nbor(-1)
            if re.fullmatch(r"\d{1,3}(\.\d{1,2})?", left.text) and left.whitespace_:
                scale = 1_000_000 if token.lower_ == "million" else 1_000_000_000
                value = round(float(left.text) * scale)
                if scale == 1_000_000:
                    yield _replace(left, token, f"{value:,}", False)
        elif re.fullmatch(r"\d{1,3}(,\d{3}){2}", token.text) and token.text.endswith("00,000"):
            value = int(token.text.replace(",", ""))
            yield _replace(token, token, f"{value / 1_000_000:g} million", False)


def _cased_first(word: str, token: Token) -> str:
    return word.capitalize() if token.i == token.sent.start else word


_EXACT = {
    "hours": (60, "minutes"), "weeks": (7, "days"), "minutes": (60, "seconds"),
    "kilometers": (1000, "meters"), "kilometres": (1000, "metres"), "km": (1000, "m"),
    "kilograms": (1000, "grams"), "kg": (1000, "g"), "decades": (10, "years"),
    "feet": (12, "inches"), "days": (24, "hours"), "years": (12, "months"),
    "tonnes": (1000, "kilograms"), "cm": (10, "mm"), "grams": (1000, "milligrams"),
}  # fmt: skip
_ROUNDED = {
    "km": (0.621371, "miles"), "kilometers": (0.621371, "miles"), "miles": (1.609344, "km"),
    "kilometres": (0.621371, "miles"), "meters": (3.28084, "feet"), "metres": (3.28084, "feet"),
    "kg": (2.204623, "pounds"), "kilograms": (2.204623, "pounds"), "acres": (0.404686, "hectares"),
    "hectares": (2.471054, "acres"), "inches": (2.54, "centimeters"), "feet": (0.3048, "meters"),
}  # fmt: skip


def _reworded_units(sentence: Span) -> Iterator[list[Edit]]:
    for token in sentence:
        if (token.text not in _EXACT and token.text not in _ROUNDED) or token.i == sentence.start:
            continue
        left = token.nbor(-1)
        if not (_DIGITS.fullmatch(left.text) or left.lower_ in _VALUES) or _glued(left, token):
            continue
        value = float(_VALUES.get(left.lower_, 0) or left.text.replace(",", ""))
        after = token.nbor(1).text if token.i + 1 < sentence.end else ""
        if (
            value <= 1
            or after in ("old", "-", "'", "’", "per", "/", "(", ",", "and", "of")
            or left.i == sentence.start
        ):
            continue
        if token.text in _EXACT:
            factor, unit = _EXACT[token.text]
            most = {"years": 5, "days": 4, "feet": 10, "decades": 9, "hours": 24, "weeks": 8}
            if value <= most.get(token.text, 1e4) and (value * factor) % 1 == 0:
                yield _replace(left, token, f"{value * factor:,.0f} {unit}", False)
        if token.text in _ROUNDED and not _bound(left):
            factor, unit = _ROUNDED[token.text]
            made = value * factor
            shown = f"{made:,.0f}" if made >= 20 else f"{made:.1f}"
            yield _replace(left, token, f"about {shown} {unit}", False)


def _glued(left: Token, token: Token) -> bool:
    if left.i == left.sent.start:
        return False
    before = left.nbor(-1)
    return before.text in ("-", "–", "to", "and", "or", "/", "by", "a", "an", "the") or (
        before.like_num
    )


_DMY = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})\b")
_MDY = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}})\b,?")


def _reworded_dates(sentence: Span) -> Iterator[list[Edit]]:
    start, end = _bounds(sentence)
    text = _source(sentence.doc)[start:end]
    for match in _DMY.finditer(text):
        day, month, year = match.groups()
        after = text[match.end() : match.end() + 1]
        comma = "," if after == " " else ""
        yield [Edit(start + match.start(), start + match.end(),
                    f"{month} {day}, {year}{comma}", False)]  # fmt: skip
    for match in _MDY.finditer(text):
        month, day, year = match.groups()
        opens = match.start() == 0 or text[: match.start()].count(" ") < 2
        comma = "," if match.group().endswith(",") and opens else ""
        yield [Edit(start + match.start(), start + match.end(),
                    f"{day} {month} {year}{comma}", False)]  # fmt: skip


def _reworded_words(sentence: Span) -> Iterator[list[Edit]]:
    for token in sentence:
        new = _SYNONYMS.get(token.lemma_.lower())
        if (
            new is None
            or (token.ent_type_ and token.lower_ not in _ABOUT)
            or token.dep_ == "compound"
        ):
            continue
        if token.is_title and token.i != sentence.start:
            continue
        if token.pos_ == "VERB":
            if token.tag_ not in ("VBD", "VBZ", "VBP", "VB") or (
                token.lemma_ == "require" and not any(t.dep_ == "dobj" for t in token.children)
            ):
                continue
            yield _replace(token, token, _cased(verb_form(new, token.tag_), token), False)
        elif token.pos_ == "NOUN":
            if token.lower_ in ("whole", "entire", "big", "large"):
                continue
            if token.lemma_ == "film" and any(t.dep_ == "compound" for t in token.children):
                continue
            new = noun_plural(new) if token.tag_ == "NNS" else new
            yield _replace(token, token, _cased(new, token), False)
        elif token.tag_ in ("JJ", "RB") and token.text.lower() == token.lemma_.lower():
            if token.lower_ in ("big", "large") and (
                token.dep_ != "amod" or token.head.lemma_ not in ("house", "city", "company",
                                                                 "area", "building", "group")
            ):  # fmt: skip
                continue
            if token.lower_ in ("almost", "nearly") and token.head.pos_ != "NUM":
                continue
            if token.lower_ in ("entire", "whole") and token.dep_ != "amod":
                continue
            yield _replace(token, token, _cased(new, token), False)


def _reworded_possessives(sentence: Span) -> Iterator[list[Edit]]:
    """As in "France's capital" -> "the capital of France", and back."""
    for token in sentence:
        if (
            token.dep_ != "poss"
            or token.pos_ != "PROPN"
            or token.ent_type_ not in ("GPE", "ORG", "PERSON")
        ):
            continue
        run, head = _subtree(token), token.head
        if run is None or run[1].text not in ("'s", "’s") or head.pos_ != "NOUN":
            continue
        if any(t.dep_ in ("prep", "relcl", "appos", "acl", "compound") for t in head.children):
            continue
        if (
            head.right_edge.i != head.i
            or _coordinated(head)
            or _coordinated(token)
            or (head.dep_ in ("compound", "nmod", "appos") or head.nbor(1).pos_ == "PROPN")
        ):
            continue
        owner = sentence.doc[run[0].i : run[1].i].text
        inner = sentence.doc[run[1].i + 1 : head.i + 1]
        if not owner or len(inner) == 0 or len(inner) > 3 or any(t.is_punct for t in inner):
            continue
        if run[0].text[0].islower() and run[0].lower_ != "the":
            continue
        yield [Edit(run[0].idx, head.idx + len(head), f"the {inner.text} of {owner}", False)]


def _contracted(whole: str) -> list[str]:
    found = []
    for table in (_CONTRACTIONS, _LONG_FORMS):
        for old, new in table.items():
            pattern = re.compile(rf"\b{re.escape(old)}\b(?! (?:only|just|merely))")
            if len(pattern.findall(whole)) == 1:
                found.append(pattern.sub(new, whole))
    return found


def _moved(sentence: Span, verb: Token) -> list[str]:
    """A dated phrase from the front to the end, or the reverse."""
    found = []
    if any(t.dep_ in ("conj", "ccomp", "advcl", "xcomp") for t in verb.children):
        return found
    last = sentence[-1]
    if last.text != "." or sentence.text.count(",") > 2 or sentence[0].like_num:
        return found
    # With two times, or a clause within, the phrase may be about something else than the verb.
    if sum(e.label_ in ("DATE", "TIME") for e in _entities(sentence)) > 1 or any(
        t.dep_ in ("relcl", "acl", "advcl", "ccomp") for t in sentence
    ):
        return found
    for token in verb.children:
        run = _subtree(token)
        if token.dep_ != "prep" or run is None or token.lower_ not in ("in", "on", "during", "at"):
            continue
        left, right = run
        if not any(t.ent_type_ in ("DATE", "TIME", "GPE") for t in token.children):
            continue
        if any(t.dep_ in ("relcl", "acl", "conj") or t.text == "," for t in token.subtree):
            continue
        phrase = _text(left, right)
        if left.i == sentence.start and right.nbor(1).text == ",":
            rest = sentence.doc[right.i + 2 : last.i].text
            if "," in rest:
                continue
            lowered = phrase[0].lower() + phrase[1:]
            found.append(f"{rest[0].upper()}{rest[1:]} {lowered}.")
        elif right.i == last.i - 1 and left.i > verb.i + 1 and left.nbor(-1).text != ",":
            first = sentence[0]
            if verb.children and any(t.i < (_subject(verb) or verb).left_edge.i and not t.is_punct
                                     for t in verb.children):  # fmt: skip
                continue
            body = sentence.doc[sentence.start : left.i].text.rstrip()
            proper = first.pos_ == "PROPN" or first.ent_type_ in _NAMES or first.lower_ == "i"
            if first.ent_type_ and first.pos_ == "DET":
                proper = False
            if not proper:
                body = body[0].lower() + body[1:]
            found.append(f"{phrase[0].upper()}{phrase[1:]}, {body}.")
    return found


def _voice(sentence: Span, verb: Token) -> str | None:
    """Active to passive or back, when subject, verb and object are plain."""
    last = sentence[-1]
    subject = _subject(verb)
    if subject is None or last.text != "." or verb.pos_ != "VERB":
        return None
    if any(t.dep_ in ("neg", "conj", "xcomp", "ccomp", "prt", "dative", "advcl", "oprd", "advmod",
                      "npadvmod") for t in verb.children):  # fmt: skip
        return None
    whole = _subtree(subject)
    if whole is None or whole[0].i != sentence.start or whole[1].i - whole[0].i > 6:
        return None
    if any(t.is_punct or t.tag_ == "PRP" or t.tag_ in ("WDT", "WP") for t in subject.subtree):
        return None
    opener = _text(*whole)
    if whole[0].pos_ != "PROPN":
        opener = opener[0].lower() + opener[1:]
    if verb.tag_ == "VBD" and not _auxes(verb) and whole[1].i + 1 == verb.i:
        objects = [t for t in verb.children if t.dep_ == "dobj"]
        if len(objects) != 1 or verb.lemma_ in ("have", "become", "lack", "resemble", "cost",
                                                "enter", "leave", "fit",
                                                "say", "suit", "get"):  # fmt: skip
            return None
        found = objects[0]
        run = _subtree(found)
        if run is None or run[0].i != verb.i + 1 or run[1].i - run[0].i > 8:
            return None
        inner = list(found.subtree)
        if found.tag_ in ("PRP", "WP") or any(
            t.tag_ in ("PRP$", "PRP", "WDT", "WP") or t.is_punct for t in inner
        ) or any(t.dep_ in ("relcl", "acl", "prep") for t in inner):  # fmt: skip
            return None
        # "its" must still find its owner, and a place or time keeps its place at the end.
        rest = sentence.doc[run[1].i + 1 : last.i]
        if any(t.is_punct or t.tag_ == "PRP$" for t in rest) or (
            len(rest) and not _dated_tail(rest)
        ):
            return None
        many = found.tag_ in ("NNS", "NNPS") or _coordinated(found)
        participle = verb_form(verb.lemma_.lower(), "VBN")
        moved = _text(*run)
        text = f"{moved} {'were' if many else 'was'} {participle} by {opener}"
        return _finished(f"{text} {rest.text}")
    auxes = _auxes(verb)
    if verb.tag_ == "VBN" and [t.lower_ for t in auxes] in (["was"], ["were"]):
        agents = [t for t in verb.children if t.dep_ == "agent"]
        if len(agents) != 1 or agents[0].i != verb.i + 1 or auxes[0].i + 1 != verb.i:
            return None
        by = [t for t in agents[0].children if t.dep_ == "pobj"]
        run = _subtree(by[0]) if by else None
        if run is None or by[0].tag_ == "PRP" or any(
            t.dep_ in ("relcl", "acl") or t.is_punct or t.tag_ in ("PRP$", "VBG")
            for t in by[0].subtree
        ):  # fmt: skip
            return None
        rest = sentence.doc[run[1].i + 1 : last.i]
        if len(rest) and not _dated_tail(rest):
            return None
        text = f"{_text(*run)} {verb_form(verb.lemma_.lower(), 'VBD')} {opener} {rest.text}"
        return _finished(text)
    return None


def _dated_tail(rest: Span) -> bool:
    return len(rest) <= 5 and rest[0].lower_ in ("in", "on") and rest[-1].ent_type_ == "DATE"
