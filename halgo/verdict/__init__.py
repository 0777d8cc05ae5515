"""Signals -> Verdict: score, then decide. Pure functions; nothing here loads a model."""
