"""Signals about negation, modality, comparisons, and what the sources are silent about."""
