"""Signals about amounts: conflicting values, coordinated amounts, direction."""
