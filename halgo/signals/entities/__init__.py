"""Signals about names and key terms that the sources do not mention."""
