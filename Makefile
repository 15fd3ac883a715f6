# The everyday commands; `make` alone lists them. People and continuous integration run the same.
#
# Everything lives in one virtual environment, made on first use and brought up to date when
# pyproject.toml changes. Another one: `make test VENV=/somewhere/else`.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin

# torch is installed first, in a known version. On Linux the registry's own build brings gigabytes
# of CUDA libraries along; for the small one name PyTorch's CPU index here:
#   make dev TORCH_PIP_ARGS="--index-url ..."
TORCH ?= 2.13.0
TORCH_PIP_ARGS ?=

# What `make train` trains, and where its results go.
CONFIG ?= quick
RUN ?= runs/$(basename $(notdir $(CONFIG)))
GAMES ?= 2000

# The bot that `make ship` makes again, by its configuration's name in configs/td or configs/ppo.
BOT ?= classic-2

# The position counted by `make perft`.
RULESET ?= classic
SEATS ?= red,blue,yellow,green
DEPTH ?= 2

# Libraries that `make interop` tries the examples with, and where their environments go.
LIBRARIES ?= openspiel torchrl tianshou sb3 rllib
INTEROP ?= .venv-interop

# The environment of `make lower-bounds`, and tests that touch every dependency.
LOWER ?= .venv-lower
LOWER_TESTS ?= tests/test_game.py tests/test_files.py tests/engine/test_kernel_cache.py \
	tests/envs/test_conformance.py tests/envs/test_registration.py tests/envs/test_window.py \
	tests/render tests/replay tests/arena/test_export.py tests/arena/test_rating.py \
	tests/bots/test_learned.py tests/web/test_protocol.py tests/training/test_export.py \
	tests/training/test_main.py

# Passed on to the learning benchmark, see docs/learning.md.
LEARNING_ARGS ?=

# Passed on to the mutation run, see docs/testing.md.
MUTANTS_ARGS ?=

# Passed on to pytest, for example PYTEST_ARGS="-x -k reward".
PYTEST_ARGS ?=
# Processes that `make test` divides the test files among.
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest $(PYTEST_ARGS)

INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help dev browser-deps demo train ship fmt check test test-nojit test-bounds lower-bounds mutants reference golden perft interop node bench clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: $(INSTALLED) ## Make the virtual environment and install everything into it

$(BIN)/python:
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo \
		"$(PYTHON) is missing or makes no virtual environments: on Debian, install python3-venv"; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(BIN)/python
	$(BIN)/python -c 'import torch' 2>/dev/null \
		|| $(BIN)/python -m pip install --quiet torch==$(TORCH) $(TORCH_PIP_ARGS)
	$(BIN)/python -m pip install --quiet --editable '.[train,dev]'
	@touch $@

browser-deps: ## Install Chromium for the tests of the web page (Debian, as root)
	@command -v chromium >/dev/null \
		|| { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }

demo: train ## Set up, train a bot, export it and show how it does against the others
	$(BIN)/sorry-train export $(RUN) --out $(RUN)/bot.onnx
	$(BIN)/sorry arena learned:$(RUN)/bot.onnx random --games $(GAMES)
	$(BIN)/sorry arena learned:$(RUN)/bot.onnx greedy --games $(GAMES)

train: dev ## Train CONFIG into RUN, or go on with what is there
	@if [ -d $(RUN) ]; then set -x; $(BIN)/sorry-train ppo --resume $(RUN); \
	else set -x; $(BIN)/sorry-train ppo $(CONFIG) --out $(RUN); fi

ship: dev ## Train the shipped bot BOT anew, from its configuration to checkpoints/BOT
	$(BIN)/sorry-train $(if $(wildcard configs/td/$(BOT).yaml),td,ppo) $(BOT) \
		threads=1 --out runs/$(BOT)
	rm -rf checkpoints/$(BOT)
	$(BIN)/sorry-train ship runs/$(BOT) --out checkpoints/$(BOT)

fmt: dev ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

check: dev ## Lint, formatting, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# One thread each: two libraries with two threads on two cores only wait for each other.
test: dev ## Set up and run the tests, in WORKERS processes
	OMP_NUM_THREADS=1 $(PYTEST) -n $(WORKERS) --dist loadfile

test-nojit: dev ## The engine's tests as plain Python, without the compiler
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/engine

# A cache of its own: numba would take kernels compiled without the check for those with it.
test-bounds: dev ## The engine's tests compiled with array bounds checked
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(abspath $(VENV))/cache-bounds $(PYTEST) tests/engine

lower-bounds: $(LOWER)/.installed ## The lowest versions that pyproject.toml declares (torch: TORCH)
	NUMBA_CACHE_DIR=$(abspath $(LOWER))/cache OMP_NUM_THREADS=1 \
		$(LOWER)/bin/python -m pytest $(PYTEST_ARGS) -p no:cacheprovider $(LOWER_TESTS)

$(LOWER)/.installed: pyproject.toml tests/lower_bounds.py
	$(PYTHON) -m venv $(LOWER)
	$(LOWER)/bin/python -c 'import torch' 2>/dev/null \
		|| $(LOWER)/bin/python -m pip install --quiet torch==$(TORCH) $(TORCH_PIP_ARGS)
	$(LOWER)/bin/python -m tests.lower_bounds > $(LOWER)/lowest.txt
	$(LOWER)/bin/python -m pip install --quiet --constraint $(LOWER)/lowest.txt \
		--editable '.[train,dev]'
	@touch $@

mutants: dev ## Plant faults in a copy, count those that tests notice: MUTANTS_ARGS="--rooms engine"
	$(BIN)/python -m tests.mutants $(MUTANTS_ARGS)

reference: dev ## The engine against the independent reference, full size (long)
	$(PYTEST) -m slow --timeout=0 tests/contract

golden: dev ## Write the golden transcripts anew; look at the difference before you commit it
	$(BIN)/python -m tests.golden

perft: dev ## Count the moves of RULESET for SEATS down to DEPTH
	$(BIN)/sorry perft --ruleset $(RULESET) --seats $(SEATS) --depth $(DEPTH)

interop: $(LIBRARIES:%=interop-%) ## The examples beside LIBRARIES, each in an environment of its own

# One thread each: with more the small networks only wait for each other.
interop-%: $(INTEROP)/%/.installed
	OMP_NUM_THREADS=1 $(INTEROP)/$*/bin/python -m pytest $(PYTEST_ARGS) -m interop \
		$(wildcard tests/examples/test_$*.py tests/learning/test_$*.py)

.PRECIOUS: $(INTEROP)/%/.installed
$(INTEROP)/%/.installed: pyproject.toml
	$(PYTHON) -m venv $(INTEROP)/$*
	[ $* = openspiel ] || $(INTEROP)/$*/bin/python -c 'import torch' 2>/dev/null \
		|| $(INTEROP)/$*/bin/python -m pip install --quiet torch==$(TORCH) $(TORCH_PIP_ARGS)
	$(INTEROP)/$*/bin/python -m pip install --quiet --editable '.[$*,dev]'
	@touch $@

node: docs/examples/node/node_modules/.package-lock.json ## Install what the Node examples need

docs/examples/node/node_modules/.package-lock.json: docs/examples/node/package-lock.json
	cd docs/examples/node && npm ci --silent

bench: dev ## Measure the speed of the engine and of its peers
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks.run

learning: dev ## Our learners beside others' with the same budget: LEARNING_ARGS="--minutes 10"
	$(BIN)/python -m pip install --quiet --editable '.[sb3,tianshou]'
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.learning.run $(LEARNING_ARGS)
	$(BIN)/python -m benchmarks.learning.table --curves runs/learning

clean: ## Remove caches and builds; keeps the virtual environment and the training runs
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find sorry_env training tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
