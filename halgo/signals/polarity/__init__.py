"""Signals about negation, quantifiers, modality, conditions and comparisons."""
