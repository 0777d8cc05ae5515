"""Coverage-guided fuzzing of every reader and loader: `make fuzz MINUTES=2`.

A target takes any bytes. It may refuse them with one of halgo's own errors; anything else that it
raises, more than five seconds or more than two gigabytes is a find. Finds are kept in `finds/`, and
`test_fuzz_finds.py` reads them in every run of the tests.
"""
