"""Signals about rows, fields, lists and headings."""
