"""Words that a full stop belongs to, and words that begin sentences; STATES alone keep case."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a listing that is separated by white space."""
    return frozenset(text.split())


# Stand before what they belong to: never the end of a sentence.
BEFORE_NAME = words("""
    dr mr mrs ms prof gen rep reps sen sens gov capt cpt col cmdr lt sgt maj adm rev hon pres supt
    insp atty messrs mme mlle fr st mt e.g i.e eg ie cf viz vs approx ca resp esp incl
    bzw ggf vgl evtl inkl zzgl abzgl bspw sog dhr mevr bijv sra srta dott tzw
""")

# Stand before a number; otherwise they are words ("No. It is not.", "modern art. It ...").
BEFORE_NUMBER = words("""
    no nos nr fig figs sec secs art arts eq eqs vol vols ch chap p pp para paras cl pt ref refs tab
    app exh ex ed v c n \u00a7 abs ziff n\u00fam p\u00e1g ust pkt
""")

# Months of languages that write "3. Juni": the full stop behind the day ends nothing.
MONTHS_BEHIND_STOP = words("""
    januar j\u00e4nner februar m\u00e4rz april mai juni juli august september oktober november
    dezember mars desember maj december ledna \u00fanora b\u0159ezna dubna kv\u011btna \u010dervna
    \u010dervence srpna z\u00e1\u0159\u00ed \u0159\u00edjna listopadu prosince tammikuuta
    helmikuuta maaliskuuta huhtikuuta toukokuuta kes\u00e4kuuta hein\u00e4kuuta elokuuta syyskuuta
    lokakuuta marraskuuta joulukuuta
""")
# Those of them that are English too, where a sentence may begin with them.
ENGLISH_TOO = words("april august september november december mars mai maj")
# Behind one of these words the number is a day.
BEFORE_DAY = words("am vom zum bis ab seit dem den der des und im p\u00e5 fra til i od do dne")

# May stand anywhere; they end a sentence only before a word that begins sentences.
ANYWHERE = words("""
    inc ltd corp co cos llc llp plc bros jr sr al esq ave blvd rd hwy dept univ assn assoc intl est
    ph.d m.d b.a m.a b.sc m.sc jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed
    thu thur thurs fri max min temp tel ext hrs hr mins ft lb lbs oz yd sq cu std avg addl bus
""")

# Those of them that stand behind what they belong to: a word with a capital, and one without, begin
# anew, "It is made by Barlow Ltd. Sick pay is unchanged", not "he met Ford Corp. President Hale";
# nor do a day or a zone behind a time of day.
BEHIND_NAME = words("inc ltd corp co cos llc llp plc bros jr sr hr hrs a.m p.m")
GO_ON = words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december eastern central mountain pacific atlantic
    greenwich british irish local
""")

# Letters stand behind these, and names do not: "plan B. Refunds take 60 days".
LETTERED = words("""
    plan plans option options class classes type types group groups grade grades level levels tier
    tiers zone zones version versions variant variants vitamin vitamins hepatitis terminal building
    block hall gate platform lane route room rooms shift shifts band category categories phase
    series stage size cell column row product products device devices batch track ward scenario
    method team teams language letter
""")
# Behind these a title may follow, and behind "and" or "of" a name: "section A. Scope of work".
TITLED = words("section sections part parts appendix annex article chapter schedule exhibit clause")
JOINING = words("""
    of and or for in on to with by at from as who that which when than into since now then again too
""")

# Those of them that in lower case are words as well.
WORDS_TOO = words("mar jun sep dec mon wed thu fri max min temp ext co sat sun bus")
# Words of these that are shortened before a word in lower case, and those before a number too.
BEFORE_LOWER = words("max min temp ext bus")
BEFORE_AMOUNT = words("max min ext")

STATES = words("""
    Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev
    Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo
""")

STARTERS = words("""
    a an the this that these those he she it they we i you his her its their our my your in on at by
    for from with without after before when while if as since although though however but and so or
    yet then there here both all some many most each under upon during according also moreover
    furthermore meanwhile additionally finally once until what who how why where is are was were did
    does do has have had to today now such only one two several another other please not
""")
