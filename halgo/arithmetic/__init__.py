"""Texts -> the sums they state, with exact values; nothing is evaluated as code."""
