"""Text -> the language it is in, where that is surely not English.

Language identification in three steps, each for what the one before leaves open. A script of its
own tells at once. Latin script with enough English words in it is English, and that is the end of
it for nearly all text. The rest is asked of py3langid (Lui & Baldwin 2012, langid.py), a naive
Bayes classifier over bytes: text is called another language only where it is far likelier than
English, for a right answer that is set aside does harm and a short foreign remark does little.

Judged are words: names in capitals, figures, identifiers and addresses have no language.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from halgo.facts.words import words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

    from halgo.facts.lexicon import WordNetLexicon

ENGLISH = "English"
# What a short text in one of these scripts is called, unless another language is far likelier.
_USUAL = {"CYRILLIC": "ru", "ARABIC": "ar", "DEVANAGARI": "hi"}
# The fewest letters and words in Latin script that are judged: two words may be a name.
SHORTEST = 8
FEWEST = 3
# Characters that are judged at once, so that a foreign half of a long text is seen.
_STRETCH = 800
# How much likelier than English another language has to be, as log odds: 40 of 171,253 English
# claims were above it, 16 of these rightly; the least of 122 short foreign ones was 2.7.
_FAR = 2.5
# ... and by how much without its names: "Hernán Casciari wrote" is English.
_NEAR = 0.0
# A text is English from this share of words in WordNet up, or from this share of function words
# where at least half of all are known: "The report says: Die Miete ist am dritten Tag fällig und
# nicht zu mindern" is German.
_KNOWN = 0.75
_ENGLISH = 0.14
_HALF = 0.5
# "sku: C-31; product: Desk 160 cm", "item: sku C-31; qty 3". Of such a row fewer words, half of
# them known, tell no other language, and those as short as "qty" are of no language.
_FIELDS = re.compile(r": [^:\n]{0,200}(?:: |; )")
_TELLING = 4
_SHORTENED = 3
# A character of these scripts says about as much as four letters.
_DENSE = words("CJK HIRAGANA KATAKANA HANGUL HALFWIDTH")
_DENSITY = 4
# Behind these stands no other script: signs of mathematics, ordinals, wide forms.
_LATIN = words(
    "LATIN FULLWIDTH MATHEMATICAL MODIFIER MICRO OHM KELVIN ANGSTROM FEMININE MASCULINE SCRIPT "
    "SUPERSCRIPT SUBSCRIPT DOUBLE-STRUCK BLACK-LETTER TURNED EULER PLANCK INFORMATION ESTIMATED"
)
_OF_SCRIPT = {
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HALFWIDTH": "Japanese",
    "HANGUL": "Korean",
    "CJK": "Chinese",
    "GREEK": "Greek",
    "HEBREW": "Hebrew",
    "THAI": "Thai",
}
_SCARCE = 4  # letters; a lone Greek letter or Chinese name makes no text foreign

# Function words that no other language here has.
_FUNCTION = words(
    "the of and that which this these those with from for by not been are were had does did would "
    "shall should could cannot might it its they them their there then than when where while what "
    "who whom whose how why you your our she him but nor each every any both either neither only "
    "after before between during without within into onto upon about above below through because "
    "since until unless though although whether being at such other another much least very too "
    "again once here down against he's it's don't doesn't isn't aren't can't won't they're "
    "said says been being using used"
)
# English words that WordNet leaves out; other languages have some of them too.
_SMALL = words("was has to if or per we us his my so he")
# Dutch has "is" as often: one in four words at most.
_FEW = 4
# Small words of other languages that WordNet takes for English ones: pour, die, jest.
_ELSEWHERE = words(
    "al als au aux con da das dat de del dem den der des di die dos du el em en es est et eine "
    "gilt het il im jest la las le les los mag mas mit na ne nie non nos op os ou par pas po por "
    "pour que se si sind sont sur te tot um uma un una und une van vier voor von zu zum zur"
)
_QUOTED = re.compile(
    r"\([^()\n]{1,200}\)|\[[^\[\]\n]{1,200}\]|`[^`\n]{1,200}`|\"[^\"\n]{2,200}\""
    r"|\u201c[^\u201c\u201d\n]{2,200}\u201d|\u2018[^\u2018\u2019\n]{2,200}\u2019(?!\w)"
    r"|(?<!\w)'[^'\n]{2,200}'(?!\w)|\u201e[^\u201e\u201c\n]{2,200}\u201c"
    r"|\u00ab[^\u00ab\u00bb\n]{2,200}\u00bb"
)
# Runs of letters that are no part of an address, a path or an identifier.
_WORD = re.compile(
    r"(?<![\w@/\\#$.+=-])[^\W\d_]+(?:['\u2019][^\W\d_]+)*(?![\w@/\\=]|[.:]\w|[-+]\w*[\d_])"
)

_NAMES = {
    "am": "Amharic",
    "ar": "Arabic",
    "az": "Azerbaijani",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": ENGLISH,
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gu": "Gujarati",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "km": "Khmer",
    "kn": "Kannada",
    "ko": "Korean",
    "lo": "Lao",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "ml": "Malayalam",
    "mn": "Mongolian",
    "mr": "Marathi",
    "my": "Burmese",
    "ne": "Nepali",
    "nl": "Dutch",
    "no": "Norwegian",
    "pa": "Punjabi",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "si": "Sinhala",
    "sk": "Slovak",
    "sl": "Slovenian",
    "so": "Somali",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "te": "Telugu",
    "th": "Thai",
    "tl": "Tagalog",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "uz": "Uzbek",
    "vi": "Vietnamese",
    "zh": "Chinese",
    "zu": "Zulu",
}


def foreign(text: str) -> str | None:
    """The English name of the language that a text, or a stretch of it, is in; None for English.

    None as well where it has too few words to tell, or none: a sum, a name, code.
    """
    found = language_of(text)
    return None if found == ENGLISH else found


@lru_cache(maxsize=2048)  # of a passage it is asked for every claim
def language_of(text: str) -> str | None:
    """`foreign`, with "English" where the text is surely that; None where it is too short to tell.

    A text of more than 800 characters is judged in stretches, and is foreign where one of them is.
    """
    told = None
    for stretch in _stretches(text):
        found = _language(stretch)
        if found is not None and found != ENGLISH:
            return found
        told = told or found
    return told


def _stretches(text: str) -> Iterator[str]:
    """The text in stretches of bounded length, cut at white space where there is some."""
    start = 0
    while start < len(text):
        end = start + _STRETCH
        if end < len(text):
            space = text.rfind(" ", start + _STRETCH // 2, end)
            end = space if space > 0 else end
        yield text[start:end]
        start = end


def _language(text: str) -> str | None:
    said = _without_asides(text)
    script = None if said.isascii() else _other_script(said)
    if script is not None:
        return script
    found = _WORD.findall(said.replace("\u2019", "'"))
    plain = _plain(found)
    if len(found) < FEWEST or sum(map(len, found)) < SHORTEST or not plain:
        return None
    telling = [word for word in plain if len(word) > 1]
    known = _known(telling)
    if _is_english(telling, known):
        return ENGLISH
    if _FIELDS.search(said):
        whole = sum(len(word) > _SHORTENED for word in telling)
        few = len(telling) < _TELLING and (known or 0) >= _HALF * len(telling)
        if few or whole < FEWEST:
            return None
    return _identified(" ".join(found), " ".join(plain))


def _without_asides(text: str) -> str:
    """The text without what is quoted or in brackets, unless that is most of it."""
    rest = _QUOTED.sub(" ", text)
    if rest == text:
        return text
    letters = sum(map(str.isalpha, rest))
    return rest if letters >= max(SHORTEST, sum(map(str.isalpha, text)) / 3) else text


def _other_script(text: str) -> str | None:
    """The language of a text most of which is in another script than the Latin one."""
    latin, other = 0, dict[str, int]()
    for char in text:
        if char.isalpha():
            script = "LATIN" if char.isascii() else _script(char)
            if script == "LATIN":
                latin += 1
            else:
                weight = _DENSITY if script in _DENSE else 1
                other[script] = other.get(script, 0) + weight
    if sum(other.values()) < max(_SCARCE, latin):
        return None
    for script in ("HIRAGANA", "KATAKANA", "HALFWIDTH"):
        if script in other:
            return "Japanese"
    most = max(other, key=lambda script: other[script])
    return _OF_SCRIPT.get(most) or _likeliest(text, _USUAL.get(most))


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    script = unicodedata.name(char, "LATIN").split()[0]
    return "LATIN" if script in _LATIN else script


def _plain(found: Sequence[str]) -> list[str]:
    """The words that are no names: those in lower case, "The", or all where these are too few.

    None where all begin with a capital, for that is how names stand in a list.
    """
    plain = [word.lower() for word in found if word.islower() or word.lower() in _FUNCTION]
    if len(plain) > 1:
        return plain
    named = not plain and not all(map(str.isupper, found))
    return [] if named else [word.lower() for word in found]


def _is_english(plain: Sequence[str], known: int | None) -> bool:
    """Whether enough of the words are English for the text to be; cheap and seldom wrong.

    plain: words of more than one letter, as single ones name things in formulas and code.
    """
    enough = sum(word in _FUNCTION for word in plain) >= _ENGLISH * len(plain)
    return enough if known is None else known >= (_HALF if enough else _KNOWN) * len(plain)


def _known(plain: Sequence[str]) -> int | None:
    """How many of the words are English ones; None without a lexicon."""
    lexicon = _lexicon()
    if lexicon is None:
        return None
    return sum(
        word in _FUNCTION
        or word in _SMALL
        or (word == "is" and len(plain) >= _FEW)
        or (word not in _ELSEWHERE and lexicon.knows(word))
        for word in plain
    )


@lru_cache(maxsize=1)
def _lexicon() -> WordNetLexicon | None:
    """WordNet where it is on this machine; without it more texts are asked of the classifier."""
    from halgo.errors import HalgoError
    from halgo.facts.lexicon import default_lexicon

    try:
        return default_lexicon()
    except HalgoError:
        return None


@lru_cache(maxsize=8192)
def _identified(text: str, plain: str) -> str | None:
    """A language that is far likelier than English, both with names and without; else English.

    None where neither is far likelier.
    """
    code, odds = _odds(text.lower() if text.isupper() else text)
    if odds < 0:
        return ENGLISH
    if odds < _FAR or (plain != text and _odds(plain)[1] < _NEAR):
        return None
    return _NAMES[code]


def _odds(text: str) -> tuple[str, float]:
    """The likeliest other language, and how much likelier than English it is, as log odds."""
    ranked = _identifier().rank(text)
    english = next(share for code, share in ranked if code == "en")
    code, share = next((code, share) for code, share in ranked if code != "en")
    return code, log(max(share, 1e-30)) - log(max(english, 1e-30))


def _likeliest(text: str, usual: str | None) -> str:
    ranked = dict(_identifier().rank(text))
    code = max(ranked, key=lambda code: ranked[code])
    if usual is not None and log(max(ranked[usual], 1e-30)) > log(ranked[code]) - _FAR:
        code = usual
    return "another language" if code == "en" else _NAMES[code]


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """py3langid's model, read in memory: its own reader unpacks it into a temporary file."""
    import io
    import lzma
    from importlib import resources

    import numpy as np
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    packed = resources.files("py3langid").joinpath(MODEL_FILE).read_bytes()
    with np.load(io.BytesIO(lzma.decompress(packed)), allow_pickle=False) as stored:
        classes = stored["classes"].tolist()
        named = [at for at, code in enumerate(classes) if code in _NAMES]
        return LanguageIdentifier(
            stored["ptc"][:, named],
            stored["pc"][named],
            [classes[at] for at in named],
            array("I", stored["nextmove"].astype("uint32").tobytes()),
            stored["out_feat"].tolist(),
            norm_probs=True,
            tk_row=stored["nextmove_row"].tolist(),
        )
