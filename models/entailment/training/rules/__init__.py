"""A parsed sentence -> training pairs by rule: what it entails, rewordings, and false variants.

After FactCC (Kryscinski et al. 2020) and the compressions of Falke et al. 2019. A wrong label
costs more than a missing pair, so a rule that is in doubt yields nothing. Nothing here reads a
file except halgo's own word lists; everything is deterministic for a seeded `random.Random`.

    reduce          shorter sentences that follow       <- reductions()
      cuts            what may be left out
    reword          true paraphrases                    <- rewordings()
      reword_amounts  numbers, units and dates written another way
      reorder         a time moved to the front; active and passive
    alter           false variants, marked              <- alterations()
      numbers, units, dates, entities, negation, opposites, quantifiers, hedges, words, added
                      one kind of falsehood each; each yields `Change`s
    splices         the subject of another sentence     <- spliced()
                    cut inside a phrase                 <- cut_short()
    pool            names, words and phrases of the documents, to borrow from
      names, frames   which name or word may stand for another
    numerals        which numerals tell an amount, and what bounds them
    grammar         the main verb, its subject, auxiliaries and subtrees
    edits           Edit, Change and Altered; making the changed text
    text            the characters of a sentence
    forms           verb forms, plurals, articles
    tables          how word lists are written down

Imports are relative, for the package is read as `training.rules` and from the checkout's root.
"""

from .alter import alterations
from .edits import Altered, Stance
from .forms import article, verb_form
from .pool import Pool
from .reduce import reductions
from .reword import rewordings
from .splices import cut_short, spliced

__all__ = [
    "Altered",
    "Pool",
    "Stance",
    "alterations",
    "article",
    "cut_short",
    "reductions",
    "rewordings",
    "spliced",
    "verb_form",
]
