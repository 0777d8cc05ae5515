"""Benchmarks: how right halgo is, how fast, and what each part adds. Not part of the wheel."""
