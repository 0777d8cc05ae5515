"""The wording by which a closing message states something of tests, files, builds and commits.

All patterns are for lower-case text without emphasis marks and with straight apostrophes; their
repeats are bounded.
"""

from __future__ import annotations

import re

from halgo.agents.commands import Job
from halgo.facts import numberwords

_WORDS = "|".join(sorted([*numberwords.SMALL, *numberwords.TENS], key=len, reverse=True))
_N = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}|(?:{_WORDS})(?:-(?:{_WORDS}))?)"
_A_NUMBER = rf"(?<![\w./-])(?P<n>{_N})"
_ADVERBS = (
    r"(?:(?:now|are|is|all|still|have|has|were|was|also|successfully|cleanly|been|again|fully"
    r"|currently|locally|already)\s+){0,4}"
)
_OK = r"(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?)(?![\w-])"
_TESTS = r"(?:tests?|test cases?|specs|unit and integration tests)"

# A sentence with one of these is a question, or under a condition, of another time, with an
# exception, or what someone else says.
DOUBTFUL = re.compile(
    r"\?\s*$|\b(?:if|whether|once|unless|until|when|whenever|before|previous(?:ly)?|earlier"
    r"|initially|originally|at first|used to|formerly|at the start|so far|except|apart from"
    r"|aside from|other than|besides|excluding|excepting|pre-?existing|flaky|unrelated|baseline"
    r"|on main|on master|upstream|known fail\w*|expected to|expected fail\w*|should(?:n't)?|would"
    r"|could|may|might|assuming|supposed|todo|next step\w*|please|reported(?:ly)?|claims?|claimed"
    r"|said|says|you (?:mentioned|told|saw)|per your|ci|in production)\b"
)
# A clause with one of these asserts no success of its own.
UNDONE = re.compile(
    r"\b(?:not|never|cannot|can|will|must|need(?:s|ed)? to|have to|has to|want(?:s|ed)? to"
    r"|(?:to )?(?:make|be) sure|ensures?|verif(?:y|ies)|confirms? that|check(?:s)? that|so that"
    r"|nor|unable|without|let me|going to|plan(?:s|ned)? to|try(?:ing)? to|had|were failing"
    r"|was failing|no longer|fail(?:s|ed)? to|instead of|rather than)\b|^(?:to|run|re-?run) "
)
# What was wrong before, or is what the work was about.
OVER = re.compile(
    r"\b(?:were|was|had|been|fix(?:ed|es|ing)?|resolv(?:ed|es|ing)|repair(?:ed|s)?|address(?:ed|es)"
    r"|investigated|correct(?:ed|s)|expected)\b"
)
CLAUSES = re.compile(
    r"[;:()—–]|,(?!\d)|\s-+\s"
    r"|\s(?:and|but|while|so|then)\s(?=(?:i|we|the|all|it|you|they|no|ran|updated|changed"
    r"|modified|edited|created|added|committed|pushed)\b)"
)
ABOUT_TESTS = re.compile(r"\b(?:tests?|suite|pytest|jest|vitest|specs?|unittest)\b")

# Numbers of tests; the first pattern that takes a number has it.
COUNTED = [
    (about, re.compile(pattern))
    for about, pattern in (
        (
            "passed",  # "214/214 tests pass", "211 of 214 passed"
            rf"{_A_NUMBER}\s*(?:/|of|out of)\s*(?:the )?(?P<of>{_N})\s+(?:{_TESTS}\s+)?"
            rf"{_ADVERBS}{_OK}",
        ),
        ("passed", rf"{_A_NUMBER}\s+{_TESTS}\s+{_ADVERBS}{_OK}"),
        ("passed", rf"{_A_NUMBER}\s+pass(?:ed|ing)(?![\w-])"),
        ("passed", rf"\bpass(?:es|ed|ing)? (?:all )?(?:of )?(?:the )?(?P<n>{_N})\s+{_TESTS}"),
        (
            "failed",
            rf"(?<![\w./-])(?P<n>{_N}|no)\s+(?:{_TESTS}\s+)?{_ADVERBS}"
            r"(?:fail(?:s|ed|ing|ures?)?)(?![\w-])(?! (?:tests?|specs)\b)",
        ),
        ("failed", rf"(?<![\w./-])(?P<n>no|zero|0)\s+failing {_TESTS}"),
        ("total", rf"\b(?:ran|re-?ran|executed) (?:all )?(?:of )?(?:the )?(?P<n>{_N}) {_TESTS}"),
    )
]
ALL_OF = re.compile(r"\b(?:all|every one)(?: of)?(?: the| our| its)? ?$")
ALL_PASS = re.compile(
    rf"(?:\b(?:all|every|each)(?: of)?(?: the| our| its)? {_TESTS}"
    r"|\b(?:the |full |entire |whole |complete |our ){0,3}test ?suite"
    r"|^(?:the |and the |and )?tests)"
    rf"\s+{_ADVERBS}{_OK}(?! (?:in|for|under|on|of|from|with|against)\b)"
)

_DONE = r"^(?:(?:and|then|also|i|i've|i have|we|we've|we have|so|finally|now) ){0,4}"
_RUNS = r"(?:ran|re-?ran|executed|(?:have |'ve )(?:re-?)?run)"
RAN = re.compile(
    rf"{_DONE}{_RUNS} (?:all )?(?:of )?(?:the |our )?(?:full |entire |whole |complete |existing )?"
    rf"(?:{_N} )?(?:test ?suite|tests|unit tests|pytest|jest|vitest|cargo test|go test|npm test)\b"
)
_CHANGED = r"(?:updated|changed|modified|edited|touched|rewrote|refactored|fixed)"
_ONLY = r"(?:only |just )?"
_FILES = (
    rf"(?P<late>only |just )?(?:(?:the|these|those|a total of|all|exactly) )?(?P<n>{_N}) "
    r"(?:(?!(?:in|across|of|over|to|from|for|with|and|per|inside|within) )[\w-]+ ){0,2}files?\b"
)
FILES = [
    (about, re.compile(pattern))
    for about, pattern in (
        ("changed", rf"{_DONE}(?P<only>{_ONLY}){_CHANGED} {_FILES}"),
        ("created", rf"{_DONE}(?P<only>{_ONLY})(?:created|added|wrote) {_FILES}"),
        (
            "changed",
            rf"^(?P<only>{_ONLY})(?P<n>{_N}) files? (?P<late>)(?:(?:were|was|have been|has been) )?"
            r"(?:updated|changed|modified|edited|touched)\b",
        ),
    )
]
EDITED = re.compile(rf"{_DONE}{_CHANGED} ")
PATHS = re.compile(
    r"`([\w@./\\ -]{0,200}[\w-]\.[A-Za-z]\w{0,5})`"
    r"|(?<![\w./])((?:[\w@.-]{1,60}/){1,20}[\w-]{1,60}\.\w{1,6})"
)

_FAULTS = r"(?:errors?|issues?|problems?|warnings?|complaints?)"
_NONE = rf"(?:reports?|shows?|finds?|found|has|have|gives?|with) (?:no|zero|0) (?:\w+ )?{_FAULTS}"
_OPTIONS = r"(?: --?[\w=-]{1,40}| \.){0,4}"
_CLEAN = (
    r"(?:(?:pass(?:es|ed)?|clean|green|happy|succeed(?:s|ed)?|successful(?:ly)?|complet(?:es|ed)"
    rf"|works)(?![\w-])|{_NONE})"
)
PROGRAMS = re.compile(
    r"\b(?:ruff|eslint|flake8|clippy|pylint|mypy|pyright|tsc|docker|npm|cargo|webpack|vite)\b"
)
JOBS = [
    (job, re.compile(pattern))
    for job, pattern in (
        (
            Job.BUILD,
            r"(?:^|the |production |full |release |docker )(?:build|compilation)\s+"
            rf"{_ADVERBS}{_CLEAN}",
        ),
        (
            Job.BUILD,
            r"(?:^|\b(?:it|project|code|app|everything|crate|package) )(?:(?:now|still|all) ){0,2}"
            r"(?:builds|compiles)(?: (?:again|fine|cleanly|successfully|correctly)|$)",
        ),
        (
            Job.LINT,
            r"\b(?:lint(?:er|ing)?|linters|ruff|eslint|flake8|clippy|pylint)(?: checks?)?"
            rf"{_OPTIONS}\s+{_ADVERBS}{_CLEAN}",
        ),
        (Job.LINT, rf"\b(?:no|zero|0) (?:lint(?:er|ing)?|ruff|eslint|clippy) {_FAULTS}"),
        (
            Job.TYPES,
            r"\b(?:mypy|pyright|tsc|type[- ]?check(?:s|ing|er)?)"
            rf"{_OPTIONS}\s+{_ADVERBS}{_CLEAN}",
        ),
        (Job.TYPES, rf"\b(?:no|zero|0) (?:type|mypy|pyright|tsc|typescript) {_FAULTS}"),
        (Job.PUSH, rf"{_DONE}(?:committed,? and )?pushed(?! back| down| up the)\b"),
        (
            Job.COMMIT,
            rf"{_DONE}committed (?:the|these|all|this|it|both|my|everything|and|as|with|to)\b",
        ),
    )
]
