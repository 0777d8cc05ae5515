"""Signals about numbers that follow from other numbers of the sources."""
