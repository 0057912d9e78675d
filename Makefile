# Users need `make play` and `make test`; the other targets are for development.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := src tests benchmarks examples docs

.DEFAULT_GOAL := help
.PHONY: help play install test test-modes test-all test-heavy test-lowest lint format mutation simulate bench pictures protocol wheel clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

play: .venv/.ready  ## create .venv if needed and play in the browser
	@$(BIN)/quincunx serve --open

install: .venv/.dev  ## create .venv with the package and its development tools

test: .venv/.dev  ## all tests that need no heavy extra
	$(BIN)/python -m pytest -q -n auto --dist loadgroup --compile-first -m "not heavy and not lowest"
	@$(MAKE) --no-print-directory test-modes

# Some of them without the compiler. `test-heavy` runs them with bounds checking of arrays, too.
test-modes: .venv/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto -m modes

test-all: lint test test-heavy  ## lint, all tests, and the tests that need heavy extras

# Playwright keeps an event loop in the thread of the tests, so browsers have a process of their own.
test-heavy: .venv/.heavy node_modules/.ready
	$(BIN)/python -m pytest -q -m heavy --ignore=tests/browser
	$(BIN)/python -m pytest -q -m heavy tests/browser
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n auto --dist loadgroup -m "modes or bounds"

test-lowest: .venv/.heavy  ## test the server with the lowest versions of its requirements
	$(BIN)/python -m pytest -q -m lowest

lint: .venv/.dev node_modules/.ready  ## format, lint, types and imports, of Python and of the pages
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	node_modules/.bin/tsc
	node_modules/.bin/eslint src/quincunx/web/static tests/page eslint.config.js

format: .venv/.dev  ## format the code and fix what the linter can fix
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

mutation: .venv/.dev  ## change the kernels at random and list the changes that no test notices
	$(BIN)/python -m tests.mutation.run

simulate: .venv/.dev  ## N random runs of the server with faults, from SEED on
	$(BIN)/python -m tests.simulation.run --runs $(or $(N),1000) $(if $(SEED),--seed $(SEED))

bench: .venv/.heavy  ## compare random play with OpenSpiel and C++ in one run
	$(BIN)/python benchmarks/random_play.py

pictures: .venv/.dev  ## redraw the pictures of the guides
	$(BIN)/python -m quincunx.guide

protocol: .venv/.dev  ## write what is generated from the types of messages
	$(BIN)/python docs/protocol/generate.py

wheel: .venv/.dev  ## build the wheel into dist/
	$(BIN)/pip install -q build
	$(BIN)/python -m build -q --wheel

clean:  ## remove .venv, node_modules and build results
	rm -rf .venv node_modules dist build benchmarks/build

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

# Development tools for the pages. There is no lock file: versions are pinned to the minor one.
node_modules/.ready: package.json .npmrc
	@command -v npm >/dev/null || { echo "make lint needs Node.js 18.18 or newer, with npm"; exit 1; }
	npm install --silent --no-progress
	@touch $@
