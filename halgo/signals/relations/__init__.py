"""Signals about who does what to whom: role reversal, substitution."""
