"""Signals about who does what to whom: role reversal, misattribution, argument swap."""
