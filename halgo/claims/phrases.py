"""The wording by which a sentence shows that it asserts nothing about the world.

Every pattern is anchored at the start and its repeats are bounded, so that hostile text costs no
more than plain text. Text is matched in lower case, with straight quotes.
"""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of a list written with spaces between them."""
    return frozenset(text.split())


def _any(*alternatives: str) -> str:
    """A group that matches one of several patterns."""
    return "(?:" + "|".join(alternatives) + ")"


# What an answer was given to read. "agreement" alone may be the subject matter; "the provided
# agreement" and "the documents" are not.
_READ = _any(
    "contexts?|documents?|passages?|sources?|texts?|excerpts?|snippets?|materials?|references?",
    "search results?|results|information|knowledge base|articles?|files?|paragraphs?|content",
    "data|documentation|contract|agreement|report|paper|page",
)
_PLAINLY_READ = _any(
    "contexts?|documents?|passages?|sources?|texts?|excerpts?|snippets?|materials?",
    "search results?|knowledge base|information",
)
_GIVEN = _any(
    "provided|given|supplied|available|above|retrieved|attached|referenced|uploaded|following",
    "relevant|cited|current|same|three|two|four|five|other|source|reference",
)
_ARTICLE = _any(
    "(?:any|all|each|none|neither)(?: of)?(?: the| these)?|the|these|this|those|your|my"
)
_LABEL = _any(
    "i have|(?:you )?(?:provided|given|supplied)|you (?:gave me|shared)|above",
    r"available(?: to me)?|\d{1,3}(?:,? (?:and|or) \d{1,3})?",
)
SOURCES = (
    rf"(?:{_ARTICLE}\s+)?(?:(?:{_GIVEN}\s+){{1,3}}{_READ}|{_PLAINLY_READ})(?:\s+{_LABEL})?(?!\w)"
)
_NOT = _any(
    "(?:do|does|did|are|is|was|were|has|have|can)(?: not|n't)|never|cannot|can't",
)
_TELL = r"(?:explicitly |directly |clearly |specifically |actually |appear to |seem to )?" + _any(
    "mention|contain|specify|provide|include|say|state|give|cover|address|discuss|indicate|have",
    "offer|answer|tell|describe|reference|disclose|list|clarify|define|explain|refer",
    "make (?:any )?mention",
)
_TOLD = _any(
    "mentioned|specified|stated|given|provided|included|discussed|covered|addressed|described",
    "defined|found|present|available|listed|disclosed|answered|answerable|determined|contained",
)

AUXILIARIES = words(
    "is are am was were do does did has have had can could will would should may might must shall"
)
_AUXILIARY = _any(*sorted(AUXILIARIES))

QUESTION_END = re.compile(r"[?？؟](?:[\s\"')\]*_!?]|\[\d{1,3}\]){0,6}$")
TAG_QUESTION = re.compile(
    r",\s*(?:right|correct|yes|no|ok|okay|true|agreed|huh|(?:is|are|was|were|do|does|did|has|have|can|will|would)(?:n't)?"
    r"\s+(?:it|they|he|she|we|you|i|there|not))\s*[?]$"
)
# "Did you know that the fee is 5%?" tells its reader that it is; what comes behind is the claim.
_SMUGGLED = (
    r"(?:(?:did|do) you know that|did you know(?! (?:about|anything|anyone|if|whether|how|what|when"
    r"|where|which|who|whom|whose|why|of|the answer)\b)|(?:is|isn't) it (?:not )?true that)\b,? "
)
SMUGGLED = re.compile(rf"^{_SMUGGLED}")
# "Isn't the limit $95?" and what leads up to "did you know" suggest what they ask; so does an
# offer: "Would you like it for $95?"
_OFFERED = _any(
    "offer|give|get you|book|reserve|order|sign|add|apply|send|set|schedule|upgrade|interest|put",
    "arrange|process|start|switch|move|refund|credit|extend|renew|tempt|enrol|register",
)
SUGGESTIVE = re.compile(
    r"^(?:\w{1,12},? )?"
    r"(?:(?:is|are|was|were|do|does|did|has|have|could|would|should)n't|can't|won't"
    r"|(?:is|was|does|do) (?:it|that|this|they) not|shall (?:i|we)"
    r"|(?:(?:would|do) you |you )?(?:like|want|prefer|care)(?: to| me| us| for| the| an?| it|,|$)"
    rf"|(?:can|could|may|should) (?:i|we) (?:\w{{1,12}} )?{_OFFERED}"
    r"|(?:are you )?(?:interested in|ready (?:to|for))|how about|why not"
    r"|have you (?:considered|thought))\b|\b(?:did|do) you know\b"
)
# ... but not one to tell more of what the sources have: "Do you want to know more of the 30 days?"
OF_TELLING = re.compile(
    r"\b(?:to (?:know|hear|learn|read|see)|me to (?:explain|tell|show|describe|check|look)"
    r"|(?:more|details|information) (?:about|on))\b"
)
# How a question begins that is no statement with a question mark behind it.
ASKS = re.compile(
    r"^\W*(?:\w{1,12},? )?(?:who|whom|whose|what|when|where|which|why|how|if|whether|"
    rf"{_AUXILIARY}(?:n't)?|can't|won't|i|we|you|your|let|any|want|need|like|shall|interested|ready)\b"
)
# 'The form asks "What is your name?"' is a statement that ends in somebody's question.
QUOTED_QUESTION = re.compile(r"^[^\"]{4,400}\"[^\"]{1,400}[?]\"[.\s]*$")

_SOURCE_MARK = (
    r"(?:ref(?:erence)?:? )?(?:source|passages?|doc\w{0,6}|ref)\s?\d{0,3}(?:[:,]\s?\d{1,4})?"
)
LONE_MARK = re.compile(
    rf"^\W*(?:(?:\[[\w\s,.;^-]{{1,40}}\]|\((?:\d{{1,3}}|[a-z]|"
    rf"{_SOURCE_MARK})\))[\s,.;]*){{1,8}}\W*$"
    r"|^[^\w$€£¥₹%]*(?:\d{1,2}[.)]|[a-z][.)]|[ivx]{1,4}[.)])[^\w%]*$"
)
LONE_WORD = re.compile(
    r"^\W*(?:yes|no|yep|nope|true|false|correct|incorrect|right|wrong|ok|okay|n/a|none|etc|maybe|"
    r"perhaps|that's it|that's all|not necessarily|it depends|sources?|references?|citations?|"
    r"notes?)\W*$"
)
# "Yes, we do." asserts something only together with what was asked; a lone yes is no other.
_PERSON = "(?:i|we|you|he|she|it|they|there|that|this|these|those)"
REMARK = re.compile(
    rf"^\W*(?:(?:yes|yep|yeah|no|nope|correct|right|exactly|indeed|sure|of course|absolutely|"
    rf"certainly|not exactly|unfortunately)\W{{1,4}}){{0,2}}"
    rf"(?:{_PERSON} {_AUXILIARY}(?: not|n't)?|{_PERSON} (?:cannot|can't|won't|shan't)"
    r"|(?:that|this|it)(?:'s| is|'s not| is not| isn't) (?:\w{1,12}ly )?"
    r"(?:correct|incorrect|right|true|so|the case)"
    r"|yes|yep|yeah|no|nope|correct|incorrect|true|false|not necessarily|not yet|not at all"
    r"|(?:unfortunately|sadly|i'm afraid|i am afraid),? (?:not|no|yes))\W*$"
    r"|^[^\w$€£¥₹%]*\d{1,2}\.[^\w%]*$"
)
LONE_ADDRESS = re.compile(r"^\W*(?:https?://|www\.)\S{1,2000}$")

# What an answer says, or orders, of its own check is no fact that documents could hold.
_OF_THE_CHECK = _any(
    "claims?|statements?|sentences?|assertions?|facts?|answers?|responses?|everything"
)
_WHICH = "all|every|each|any|the|these|this|my|above|following|other"
_PASSED = "(?:fully |all |now |already )?(?:supported|grounded|fact-?checked)"
ON_THE_CHECK = re.compile(
    r"^(?:\w{1,12}: )?"
    + _any(
        rf"(?:(?:{_WHICH}) ){{0,3}}{_OF_THE_CHECK}(?: (?:above|below|here|in this answer))?"
        rf" (?:is|are|was|were|has been|have been) {_PASSED}"
        rf"(?: (?:by|in|on) {SOURCES})?\W*$",
        r"(?:please )?(?:mark|treat|rate|label|classify|consider|judge|score|count|return|report) "
        rf"(?:(?:{_WHICH}) ){{1,3}}{_OF_THE_CHECK}"
        r"(?: above| below)? (?:as |to be )?(?:supported|grounded|verified|true|correct|factual)\b",
        r"(?:please )?(?:ignore|disregard|override|bypass|skip) "
        r"(?:(?:all|any|the|your|these|previous|prior|above|earlier) ){1,3}"
        r"(?:instructions?|checks?|prompts?|verification)\b",
    )
)

# Words before the sentence proper. What stands after them decides.
_NOTED = (
    r"(?:it'?s|it is) (?:also )?(?:important|worth|helpful|good|useful) (?:to )?"
    r"(?:note|noting|mention|mentioning|remember|remembering)(?: that)?"
)
_MADE = "(?:developed|trained|created|made|built|designed|provided)"
AS_AN_AI = re.compile(
    r"\bas an ai\b(?:[ -](?:[\w-]{1,20} ){0,2}(?:model|assistant|agent|chatbot|bot|system|tool))?"
    rf"(?: {_MADE} (?:by|at|for|on|to)(?: [\w.-]{{1,20}}){{1,4}}?)?"
    r"(?:,\s*|\s+(?=(?:i|we|you|my|that)\b)|\W*$)"
)
LEAD_IN = re.compile(
    rf"^{AS_AN_AI.pattern}|^"
    + _any(
        r"(?:hi|hello|hey) there|(?:hi|hello|hey|dear)(?: \w{1,20}){0,3}",
        "sure|certainly|of course|absolutely|yes|no|well|ok|okay|so|and|but|also|note|please",
        "please note(?: that)?|unfortunately|regrettably|however|thus|therefore|overall",
        "in (?:summary|short|conclusion)|to summarize|to sum up|additionally|furthermore|moreover",
        r"step \d{1,2}|finally|first|firstly|second|secondly|third|next|then",
        "lastly|thanks|thank you|sorry",
        r"(?:my )?apologies|(?:great|good) question",
        "(?:i'?m|i am|we are|we're) (?:very |so |really )?(?:sorry|afraid|happy to help)",
        "i apologi[sz]e",
        "(?:based|depending|judging|going|relying) (?:solely |only |purely )?(?:up)?on " + SOURCES,
        "(?:according to|from|per|as per|given|in) " + SOURCES,
        "(?:after|having) (?:review|read|search|check|analy[sz])(?:ing|ed|e?d)? " + SOURCES,
        _NOTED,
    )
    + r"(?:\s*[,:;!.-]\s*|\s+(?=(?:i|we|you|that|but)\b))(?:but\s+)?(?:that\s+)?"
)

_CANNOT = _any(
    "cannot|can not|can't|could not|couldn't|(?:(?:am|was|were|are) |'m |'re )?unable to",
    "(?:(?:am|was|were|are) |'m |'re )?not able to|(?:will|would) not be able to",
    "won't be able to|must decline|(?:am |'m )?not (?:allowed|permitted) to",
)
_ANSWER = _any(
    "have|find|answer|provide|determine|know|see|access|help|assist|locate|confirm|tell|give",
    "offer|say|comply|do|fulfil|fulfill|verify|respond|identify|comment|speak|share|discuss",
    "generate|complete|conclude|to answer|establish|disclose|process|reveal|support|make|extract",
)
_NO_NEWS = _any(
    "(?:information|mention|answer|details?|context|reference)s?"
    + _any(
        r"\W*$",
        " (?:about|on|regarding|concerning|for|to|in|of|here|that|as to|available|provided|given)",
        " (?:is|was|are|were|has been|could be|can be) " + _TOLD,
    )
    + r"(?!\w)",
    "data (?:available|about|regarding|concerning|provided|given|to answer|in the)",
)
_SCARCE = "(?:no|not enough|insufficient|not any|not sufficient|no sufficient)"
_KIND_OF_NEWS = "(?:relevant |further |specific |such |additional |direct |explicit |clear ){0,2}"
REFUSAL = re.compile(
    "^"
    + _any(
        r"(?:i|we) ?(?:currently |really |still |also |simply |just )?"
        + _any(
            r"(?:do|did)(?: not|n't) (?:actually |currently |yet )?"
            + _any(
                r"have (?:\w{1,20} ){0,4}?(?:information|access|details?|data|context|knowledge|"
                r"answer|"
                r"ability|documents?)",
                r"(?:find|see|possess|recognize) (?:\w{1,20} ){0,3}?(?:information|mention|answer|"
                r"details?|reference|document|passage)s?",
                r"understand (?:the|your) question",
            )
            + r"\b",
            r"(?:have no|lack) (?:\w{1,20} ){0,3}?(?:information|access|details?|data|context|"
            r"knowledge|answer|way of|idea|record)",
            r"found (?:no|nothing)\b",
            _CANNOT + r" (?:\w{1,20} ){0,2}?" + _ANSWER + r"\b",
            r"(?:am |'m |are |'re )not (?:sure|certain|aware|familiar)\b|decline\b",
        ),
        r"i (?:do not|don't|did not|didn't) know(?: (?:the answer|what|how|who|when|where|which|"
        r"why|if|"
        r"whether|anything|enough|of any)\b|\W*$)|i have no idea\b",
        r"(?:unable|not able|impossible) to (?:answer|determine|find|provide|locate|say|verify)\b",
        r"(?:cannot|can't) (?:answer|be determined|determine|say|tell)\b",
        rf"(?:there (?:is|are|was|were)|there's) {_SCARCE} {_KIND_OF_NEWS}{_NO_NEWS}",
        rf"{_SCARCE} {_KIND_OF_NEWS}{_NO_NEWS}",
        rf"(?:neither|none) of {SOURCES} (?!and|or)\w+",
        rf"{SOURCES} (?:also )?{_NOT} {_TELL}\b",
        SOURCES
        + " (?:only )?(?:lacks?|contains? no|provides? no|gives? no|makes? no mention|"
        + r"says? nothing|has no|have no|mentions? no|(?:is|are) silent)\b",
        r"(?:this|that|the|such) (?:specific |exact |requested )?(?:information|answer|detail|"
        rf"question)s? (?:is|are|was|were|could|can)(?: not|n't)(?: be)? {_TOLD}\b",
        r"(?:it is|it's|it was) (?:not (?:possible|clear|known|mentioned|specified|stated)|unclear|"
        rf"impossible|unknown)\b.{{0,80}}(?:from|in|based on|by|within) {SOURCES}",
        r"no (?:relevant )?(?:documents?|passages?|sources?|results?) "
        r"(?:mention|contain|(?:was|were) found|found|match)",
        rf"(?:none|not|nothing) {_TOLD} (?:in|by) {SOURCES}",
    )
)
# "The renewal date is not mentioned in the provided documents."
REFUSAL_TAIL = re.compile(
    rf"(?:is|are|was|were) (?:not|never|nowhere) (?:\w{{1,20}} )?{_TOLD} (?:anywhere )?"
    rf"(?:in|by|within|from) {SOURCES}\W*$"
)

_THIS_ANSWER = (
    "(?:this|the|my|above|below|the above|the following) "
    "(?:answer|summary|response|reply|overview|information|explanation|list|analysis)"
)
META = re.compile(
    "^"
    + _any(
        rf"(?:answers?|summary|response)? ?based (?:solely |only )?on {SOURCES}\W*$",
        r"here(?:'s| is| are|, you| you go| you are)\b",
        r"let me\b",
        r"let's (?:look|take|go|see|break|explore|start|dive|review|consider|examine)\b|let us\b",
        r"(?:i|we)(?:'ll| will|'m going to| am going to|'ve tried| have tried|'d be| would be| can|"
        r" could| shall)(?: \w{1,20}){0,3}? (?:help|assist|explain|summari[sz]e|answer|provide|"
        r"look|"
        r"check|search|go|walk|describe|break|list|outline|try|start|give|do|happy|glad|use|review|"
        r"find|keep|update|clarify|show|share|elaborate)\b",
        r"as (?:i|we) (?:said|mentioned|noted|explained)\W*$",
        r"as (?:requested|mentioned|noted|stated|described|explained|discussed)"
        r"(?: (?:above|below|earlier|before))?\W*$",
        _THIS_ANSWER + r" (?:above |below |here )?(?:is|was|are|were|has been) "
        r"(?:entirely |solely |only )?(?:based|drawn|taken|derived|generated|compiled|sourced)\b",
        r"(?:the following|below) (?:is|are) (?:a|an|the|my|some) (?:\w{1,20} )?"
        r"(?:summary|answer|list|overview|breakdown|points?|response)\b",
        r"(?:the|my) (?:final |short |full )?answer "
        r"(?:to (?:the|your|this) (?:question|query)[^,]{0,200} )?is(?: as follows)?\s*:?$",
        r"(?:sources?|references?|citations?|cited(?: from)?|disclaimer)\s*:",
        r"(?:in summary|to summarize|in conclusion|to sum up|in short|overall|summary|for example|"
        r"for instance|as follows|that is|therefore|however)\W*$",
        r"(?:i|we) ?(?:am|'m|are|'re) (?:an?|your) (?:\w{1,20} ){0,3}?"
        r"(?:assistant|model|chatbot|bot|ai)\b",
        r"(?:i'm|i am) (?:only |just )?(?:using|going by|working from)\b",
    )
)
_LOOKING = _any(
    "searched|reviewed|checked|looked|read|re-?read|analy[sz]ed|examined|consulted|went through",
    "gone through|compared|scanned|summari[sz]ed|used|relied|considered|queried|opened|retrieved",
    "processed|pulled up|went over|searching|reviewing|checking|analy[sz]ing",
    "translated|drafted|prepared|compiled",
)
LOOKED = re.compile(
    r"^(?:i|we)(?:'ve| have|'m| am|'re| are)?"
    r"(?: (?:just|also|carefully|now|already|first|thoroughly|quickly)){0,2} " + _LOOKING + r"\b"
)
TOLD_WHAT = re.compile(
    r"\b(?:found|find|that|shows?|states?|says|see|discovered|learned|noticed|which|it|they)\b"
    r"|:\s*\w|[,;] (?:and|so|but) (?!i\b|we\b)"
)

_MUCH = "(?: (?:so|very) much| a lot| again)?"
GREETING = re.compile(
    "^"
    + _any(
        r"(?:hi|hello|hey|greetings|dear|good (?:morning|afternoon|evening|day|night))"
        r"(?:[ ,]{1,2}(?:there|all|everyone|again|team|and welcome|\w{2,20}))?"
        r"(?:\s*[,!.].{0,3}|[^\w:;()]{1,8})?$",
        # "Dear Mr. Müller,": what ends in a comma is no sentence
        r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))"
        r"(?:[ ,]{1,2}(?:[^\W\d_]{1,20}(?:['-][^\W\d_]{1,20})?\.?|&)){1,4}[^\w.:;()]{0,6},\W{0,4}$",
        r"(?:just )?(?:one|a) moment(?:,? please)?\W*$"
        r"|(?:just )?(?:one|a) (?:second|sec|minute),? please\W*$"
        r"|(?:hold on|hang on|bear with me)(?:,? please)?\W*$"
        r"|(?:all )?done\W*$|(?:good|great) news\W*$",
        _any(
            "sure(?: thing)?|certainly|of course|absolutely|no problem|got it|understood|great",
            "perfect|welcome(?: back)?|cheers|goodbye|bye|you're welcome|my pleasure|anytime",
            "(?:glad|happy) to help|congratulations|congrats|all the best|best wishes|take care",
            f"good luck|enjoy|thanks{_MUCH}|thank you{_MUCH}|sorry|(?:my )?apologies|no worries",
            "(?:please )?(?:don't|do not) worry|never fear|rest assured|nice|awesome|oh no|oops",
            "(?:(?:best|kind|warm) )?regards|sincerely|yours (?:truly|sincerely|faithfully)|indeed",
            "(?:great|good|interesting|excellent) question|hello and welcome",
        )
        + r"(?:[,!.\s]{0,3}(?:\w{1,15}|[^\w\s]{1,4})){0,2}\W*$",
        rf"(?:(?:many )?thanks|thank you){_MUCH} for (?:your|the|asking|reaching|contacting|"
        rf"waiting|"
        r"sharing|letting|bringing|using|choosing|being|getting|providing|checking|confirming|"
        r"clarifying|this|that|coming)\b",
        r"(?:i )?(?:really |do |sincerely )?(?:hope|trust) (?:that )?"
        r"(?:this|that|it|these|you|everything|the (?:information|answer|above))\b.{0,60}?"
        r"(?:helps?|helpful|useful|clarif|answers?|well|clear|great|wonderful|enjoy|better)",
        r"(?:that's|that is|this is|what) an? (?:\w{1,15} )?"
        r"(?:great|good|excellent|interesting|important|wonderful|thoughtful|common) question\b",
        r"(?:i'm|i am|we're|we are|i'd be|i would be|i'll be|i will be) (?:\w{1,10} )?"
        r"(?:happy|glad|delighted|pleased|here|available|excited) (?:to|for|if|you)\b",
        r"(?:(?:i'm|i am|we're|we are) )?(?:so |very |really |truly |deeply )?sorry "
        r"(?:to hear|for the|for your|for any|about|that you|you|if)\b",
        r"(?:i|we) (?:\w{1,12} )?(?:apologi[sz]e|appreciate (?:you|your|the|it)|"
        r"understand (?:your|how|that you|that this|that it|you|this|it)|know (?:this|how|"
        r"that you)|"
        r"can (?:imagine|see why|understand)|wish you|look forward|hear you|feel for)\b",
        r"(?:that|this|it) (?:must be|sounds|must have been) (?:\w{1,12} )?"
        r"(?:frustrating|difficult|hard|tough|stressful|upsetting|exciting|annoying|awful)\b",
        r"(?:it's|it is) (?:completely |totally |perfectly )?(?:understandable|normal|okay|ok) "
        r"(?:that you|to feel|if you)\b",
        r"have an? (?:\w{1,15} )?(?:day|weekend|evening|week|time|trip|one|morning|night)\b",
        r"(?:my|our) (?:sincere |deepest |heartfelt )?(?:condolences|apologies|sympathies)\b",
        r"(?:nice|good|great|pleased|lovely) to (?:meet|see|hear from) you\b",
        r"welcome (?:to|back)\b.{0,40}!$",
    )
)

# "Best, Lena from Northlight": names, and what stands between them.
SIGNATURE = re.compile(
    r"^\W{0,3}(?:(?:all the )?best|(?:(?:best|kind|warm|with kind) )?regards|best wishes|cheers|"
    r"sincerely|yours (?:truly|sincerely|faithfully)|(?:many )?thanks|thank you)"
    r"(?: and (?:best )?regards)?\s?[,!\u2013\u2014-]\s?"
    r"(?-i:(?:[A-Z][\w.'-]{0,20}|from|at|of|the|and|your|team|support|customer|service)"
    r"(?:[ ,|]{1,2}|$)){1,7}$",
    re.IGNORECASE,
)

# "Let me tell you that the fee is 5%": what comes behind is told; not in "explain that in detail".
TOLD_THAT = re.compile(
    r"\b(?:tell|assure|inform|remind|show|share|say|explain|clarify|note|point out|add|confirm)"
    r"(?: (?:with )?you)? that (?:(?-i:[A-Z])|\d|(?:the|an?|all|no|you|your|it|its|there|they|their"
    r"|we|our|each|every|both|most|some|this|these|those)\b)",
    re.IGNORECASE,
)

# What is promised rather than told, and what is told: "I can give you a free upgrade" says
# something of the offer, "I can give you a summary" nothing.
PROMISED = re.compile(
    r"^(?:i|we)(?:'ll| will| can| could| shall|'d be happy to| would be happy to)"
    r"(?: \w{1,20}){0,3}? (?:give|provide|offer)\b"
)
TELLING = words(
    "information info details detail summary summaries overview list lists explanation "
    "explanations answer answers example examples breakdown step steps guidance context insight "
    "insights idea ideas response version analysis comparison outline description instructions "
    "help assistance more walkthrough tips advice recommendation recommendations look try points "
    "clarification further specifics pointers background link links reference references best "
    "anything feedback"
)

OFFER = re.compile(
    "^"
    + _any(
        r"(?:please |just |do |kindly )?let (?:me|us) know\b",
        r"(?:please )?feel free to\b|(?:please )?(?:don't|do not) hesitate to\b",
        r"if you (?:have|need|would like|want|'d like|require|are looking for)\b.{0,80}"
        r"(?:let me know|feel free|just ask|please ask|please let|i can|i'm here|i am here|"
        r"i'd be happy|happy to help|don't hesitate|do not hesitate|reach out|contact (?:me|us))\b",
    )
)

# ... of which these ask for no more than a word.
AT_SERVICE = re.compile(
    r"^.{0,120}?\b(?:let (?:me|us) know|hesitate|feel free to (?:ask|reach|contact))\b"
)

_IN_MY_VIEW = _any(
    "in my (?:humble |honest |personal )?(?:opinion|view|experience)|personally|if you ask me",
    "to me|for me|from my (?:point of view|perspective)|as far as i'm concerned|to be honest",
    "honestly|frankly|imo|imho",
)
OPINION = re.compile(
    rf"^(?:{_IN_MY_VIEW}\b[,:]?\s*(?P<said>.*)"
    r"|(?:(?:i|we)(?:'d|'m)? (?:\w{1,12}ly |do |just |would |also |still )?"
    r"(?P<verb>think|believe|feel|suppose|guess|assume|expect|suspect|imagine|reckon|find|consider|"
    r"say|hope|doubt|agree|disagree)|my (?:\w{1,15} )?(?:guess|opinion|view|feeling|impression|"
    r"understanding) is)\b(?: that\b)?,?\s*(?P<content>.*)"
    r"|(?P<advises>(?:i|we)(?:'d| would)? (?:\w{1,12}ly |also )?"
    r"(?:recommend|suggest|advise|choose|go with|pick|rather|argue|encourage|urge)\b"
    r"|my (?:\w{1,15} )?(?:recommendation|suggestion|advice)\b)"
    r"|(?:i|we)(?:'d| would)? (?:\w{1,12}ly |also )?(?:prefer|like|love|hate|enjoy|dislike|wish|"
    r"want)\b"
    r"|my (?:\w{1,15} )?(?:favou?rite|preference|guess|opinion|view|feeling|impression)\b)",
    re.DOTALL,
)
FEELS = words("feel find hope doubt agree disagree")
# What an answer says of itself or its reader: "I think you will love it", "I think this helps".
BETWEEN_US = re.compile(
    r"^(?:(?:you|i)(?:'ll|'d| will| would| might| may| can)? "
    r"(?:like|love|enjoy|want|mean|prefer|know|see|understand|agree|imagine)\b"
    r"|(?:this|that|it)(?: \w{1,12})? (?:helps?|answers?|depends|clarif\w{1,5}|makes? sense)\b)"
)
A_RIGHT = re.compile(r"\b(?:the|a|no|any|your|their) (?:legal )?right\b")
# Numbers in words that count something, months and weekdays as they are written.
COUNTED = re.compile(
    r"\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Tt]welve|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|"
    r"twice|double|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
# How a line before a list announces it.
POINTS_ON = words("following follows below")
ANNOUNCES = words(
    "these this those such several various few some certain different many multiple other both"
)
# What an answer puts before a claim to say how sure it is of it; the claim is what comes behind.
HEDGED = re.compile(
    rf"{AS_AN_AI.pattern}|"
    rf"(?:{_IN_MY_VIEW}|as far as i (?:know|can tell|can see|am aware|remember))\s*,\s*(?:i\b )?"
    r"|(?:i(?:'d| would)? (?:\w{1,12}ly )?(?:think|believe|suppose|guess|assume|suspect|reckon|"
    r"imagine|say)|i(?:'m| am) (?:\w{1,12} )?(?:sure|certain|confident)|"
    r"my (?:\w{1,15} )?(?:guess|impression|understanding|opinion|view|feeling) is|"
    r"it seems to me) (?:that )?"
    r"(?=(?:the|an?|this|these|those|it|its|they|their|there|he|she|you|your|we|our|no|all|each|"
    r"every|both|most|some|\d|[a-z]{3,20} \w)\b)"
    rf"|{_SMUGGLED}"
)
EVALUATIVE = words(
    "great good excellent amazing awesome wonderful terrible bad beautiful nice best worst "
    "fantastic interesting impressive lovely fascinating brilliant horrible awful ugly boring "
    "exciting cool fun perfect delicious fair unfair reasonable better worse nicer smart stupid "
    "silly sad happy helpful useful worthwhile worth elegant charming disappointing remarkable "
    "incredible outstanding superb pretty wise sensible promising overrated underrated tasty "
    "gorgeous stunning lame annoying inspiring lucky wrong right shame pity"
)

# "Pricing:", "Short answer:" before a whole sentence only say what comes; a name or a group there
# ("Germany:", "Students:") says whom the sentence is about.
LABEL = re.compile(r"^[^\W\d_]{1,20}(?:[ /&-]{1,3}[^\W\d_]{1,20}){0,2}\s?:\s+(?=[A-Z\"'])")
LABELS = words(
    "a answer answers note notes important info information tip hint reminder warning caution "
    "summary overview conclusion result fact key point explanation reason details update short "
    "quick final direct full in brief bottom line tldr the and of pricing price prices cost costs "
    "fee fees billing payment payments refund refunds return returns delivery shipping storage "
    "seats support warranty cancellation eligibility availability deadline duration location "
    "time times policy terms limits limit features feature usage requirements process status"
)

# Verbs that send the reader to somebody, or leave a choice to them: "Contact support."
REFERRALS = words(
    "ask browse call chat consider consult contact discuss email explore feel let message phone "
    "reach refer see speak talk tell write"
)
# Verbs that do so only with a place to look things up: "Check the website", not "Check the oil".
LOOKED_UP_BY = words("check consult follow read review search verify view visit")
PLACES = words(
    "article articles catalogue channel chapter chart data details diagram docs document "
    "documentation documents faq faqs figure figures file files forum guide guidelines guides "
    "handbook help instructions label leaflet link links list manual manuals note notes page pages "
    "policy portal report reports section sections site source sources support table tables terms "
    "tutorial version website websites wiki"
)
# "Note that the warranty ends in May" tells a fact; the command is only its wrapping.
TOLD_BY = words(
    "note remember recall know understand notice see bear keep remark observe consider recognize"
)
