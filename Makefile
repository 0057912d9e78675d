# The two commands to know: `make play` and `make test`. The others are for those who work here.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := src tests benchmarks examples docs

.DEFAULT_GOAL := help
.PHONY: help play install test test-modes test-all test-heavy lint format bench pictures wheel clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

play: .venv/.ready  ## make .venv if needed, and play in the browser
	@$(BIN)/quincunx serve --open

install: .venv/.dev  ## make .venv with the package and its development tools

test: .venv/.dev  ## all tests that need no heavy extra
	$(BIN)/python -m pytest -q -n auto -m "not heavy"
	@$(MAKE) --no-print-directory test-modes

# The same games without the compiler, and with every array access checked.
test-modes: .venv/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto -m modes
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n auto -m modes

test-all: lint test test-heavy  ## tests, lint, and what needs heavy extras

test-heavy: .venv/.heavy
	$(BIN)/python -m pytest -q -m heavy

lint: .venv/.dev  ## format, lint, types, imports
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev  ## mend format and what lint can mend
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

bench: .venv/.heavy  ## random play against OpenSpiel and against C++, in one run
	$(BIN)/python benchmarks/random_play.py

pictures: .venv/.dev  ## draw the README's pictures anew
	$(BIN)/python docs/pictures/draw.py

wheel: .venv/.dev  ## build the wheel into dist/
	$(BIN)/pip install -q build
	$(BIN)/python -m build -q --wheel

clean:  ## remove .venv and what was built
	rm -rf .venv dist build benchmarks/build

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Quincunx needs Python 3.10 to 3.13: make PYTHON=python3.12 play"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.ready: .venv/bin/python pyproject.toml
	@echo "Installing Quincunx into .venv (once) ..."
	$(BIN)/pip install -q --disable-pip-version-check -e '.[image,terminal,web]'
	@touch $@

.venv/.dev: .venv/.ready
	$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv/.heavy: .venv/.dev
	$(BIN)/pip install -q --disable-pip-version-check -e '.[openspiel,scale]'
	@touch $@
