"""The full stops, question and exclamation marks of scripts other than the Latin one.

Nothing but a sentence ends at them, and no white space need follow.
"""

OTHER_STOPS = (
    "\u3002\uff01\uff1f\uff0e\uff61"  # Chinese and Japanese
    "\u0964\u0965"  # Hindi and its neighbours
    "\u06d4\u061f"  # Urdu; the question mark of Arabic
    "\u104b\u17d4\u1362\u0589"  # Burmese, Khmer, Amharic, Armenian
)
