"""Signals about time: dates, temporal order, causes."""
