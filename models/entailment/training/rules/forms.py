"""Forms of English words: verbs by tense and person, plurals, "a" or "an"."""

from __future__ import annotations

import re

from .tables import rows, word_set

# Base form, past, participle.
_IRREGULAR = {
    base: (past, participle)
    for base, past, participle in rows(
        """
        be was been, become became become, begin began begun, break broke broken,
        bring brought brought, build built built, buy bought bought, catch caught caught,
        choose chose chosen, come came come, cut cut cut, deal dealt dealt, do did done,
        draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen,
        feed fed fed, feel felt felt, fight fought fought, find found found, fly flew flown,
        forbid forbade forbidden, forget forgot forgotten, get got got, give gave given,
        go went gone, grow grew grown, have had had, hear heard heard, hide hid hidden,
        hit hit hit, hold held held, hurt hurt hurt, keep kept kept, know knew known,
        lay laid laid, lead led led, leave left left, lend lent lent, let let let, lie lay lain,
        light lit lit, lose lost lost, make made made, mean meant meant, meet met met,
        overcome overcame overcome, pay paid paid, put put put, read read read, ride rode ridden,
        ring rang rung, rise rose risen, run ran run, say said said, see saw seen,
        seek sought sought, sell sold sold, send sent sent, set set set, shake shook shaken,
        shine shone shone, shoot shot shot, show showed shown, shrink shrank shrunk,
        shut shut shut, sing sang sung, sink sank sunk, sit sat sat, sleep slept slept,
        speak spoke spoken, spend spent spent, split split split, spread spread spread,
        stand stood stood, steal stole stolen, stick stuck stuck, strike struck struck,
        swear swore sworn, swim swam swum, take took taken, teach taught taught, tear tore torn,
        tell told told, think thought thought, throw threw thrown, undergo underwent undergone,
        understand understood understood, undertake undertook undertaken, wake woke woken,
        wear wore worn, win won won, withdraw withdrew withdrawn, write wrote written,
        rewrite rewrote rewritten, bear bore born, cost cost cost, bet bet bet, bind bound bound,
        bite bit bitten, blow blew blown, hang hung hung, arise arose arisen, cast cast cast,
        forecast forecast forecast, dig dug dug, flee fled fled, freeze froze frozen,
        quit quit quit, rid rid rid, sow sowed sown
        """
    )
}

PAST_FORMS = frozenset(past for base, (past, _) in _IRREGULAR.items() if past != base)

_DOUBLED = word_set(
    """
    admit ban bar beg cancel clap commit control cram drag drip drop equip fit flip grab grip hop
    hug jog knit label mob nod occur omit permit pin plan plot pop prefer pat quiz refer regret rip
    rob rub scan ship shop slam slip snap spot stab stem step stir stop strap strip submit swap tag
    tap tip top transfer transmit trap travel trim trip whip wrap deter expel patrol propel rebut
    recur tug confer defer dispel excel incur infer
    """
)

# Irregular in the past, and doubled before "-ing".
_DOUBLED_IN_ING = word_set(
    """
    begin cut get hit let put run set shut sit swim win dig bet forget forbid quit
    """
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
        double = lemma in _DOUBLED or lemma in _DOUBLED_IN_ING
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
