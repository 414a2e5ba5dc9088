# One command each; every one does its own set-up (the virtual environment, Qt's system libraries).
# PYTHON=/path picks the interpreter, VENV=name the environment's folder, ARGS= adds to the command.

VENV ?= .venv
QUERY ?= boarding pass base45
# The tests use up to four cores; a file stays in one process, so that what it makes is made once.
PARALLEL ?= --numprocesses auto --maxprocesses 4 --dist loadfile
BIN := $(VENV)/bin

# What another environment left in ours must not reach this one.
unexport PYTHONPATH
unexport PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check bench installer smoke lock clean venv libraries

help:
	@echo 'make demo       open the window on the demo store with a search typed (QUERY=...)'
	@echo 'make test       the tests, at most 10 minutes'
	@echo 'make test-all   these and the long ones, at most 35 minutes'
	@echo 'make check      types, style, layers'
	@echo 'make bench      speed and memory, beside the reference where that can be had'
	@echo 'make installer  what a person downloads, in build/installer'
	@echo 'make smoke      install it into an empty Debian, start it, remove it again (as root)'
	@echo 'make lock       write packaging/requirements*.txt from pyproject.toml (ARGS=--upgrade)'
	@echo 'make clean      remove all that was made here'

demo: venv
	@$(BIN)/python packaging/setup/demo.py '$(subst ','\'',$(QUERY))'

test: venv libraries
	$(BIN)/python -m pytest -m 'not slow' $(PARALLEL) $(ARGS)

test-all: venv libraries
	$(BIN)/python -m pytest $(PARALLEL) $(ARGS)

check: venv
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy packaging/setup/*.py
	MYPYPATH=packaging:packaging/installer:packaging/setup $(BIN)/python -m mypy \
	    --explicit-package-bases packaging/installer/*.py packaging/smoke_test.py
	$(BIN)/lint-imports

bench: venv libraries
	@set -e; for file in tests/bench/bench_*.py; do \
	    module=$$(echo "$${file%.py}" | tr / .); \
	    echo "== $$module"; $(BIN)/python -m "$$module" $(ARGS); \
	done

installer:
	@python=$$(sh packaging/setup/find_python.sh) && \
	    "$$python" packaging/setup/make_venv.py .venv-installer packaging/requirements-installer.txt
	@.venv-installer/bin/python packaging/setup/system_libs.py offscreen network
	.venv-installer/bin/python packaging/installer/build.py

smoke: installer
	.venv-installer/bin/python packaging/smoke_test.py $(ARGS)

lock:
	@python=$$(sh packaging/setup/find_python.sh) && "$$python" packaging/setup/write_lock.py $(ARGS)

clean:
	rm -rf .venv .venv-* build dist *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name .git -prune -o -name __pycache__ -type d -exec rm -rf {} +

venv:
	@python=$$(sh packaging/setup/find_python.sh) && "$$python" packaging/setup/make_venv.py '$(VENV)'

libraries: venv
	@$(BIN)/python packaging/setup/system_libs.py offscreen network
