"""The command line as `python -m halgo`."""

from halgo.adapters.start import main

if __name__ == "__main__":
    raise SystemExit(main())
