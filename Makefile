# Needs python3 (3.11 or newer) and make, nothing else: uv is installed into .uv/ and brings the rest.
SHELL := /bin/sh
PYTHON ?= python3
UV := .uv/bin/uv
RUN := $(UV) run --frozen --no-sync
# Bytecode of tests is kept even where it is not wanted elsewhere: without it every worker rewrites all assertions.
PYTEST := PYTHONDONTWRITEBYTECODE= $(RUN) pytest -n auto --dist worksteal
# Progress for people. Bytecode is written at the first use: uv does not end on Ctrl-C while it compiles.
SYNC = $(UV) sync --frozen $(if $(shell test -t 2 && echo terminal),,--quiet) --all-packages
MANIFESTS := uv.lock pyproject.toml $(wildcard */pyproject.toml */*/pyproject.toml)
DIST ?= dist
export UV_PYTHON_DOWNLOADS := never
# The interpreter itself, as uv cannot use the shims that version managers put before it.
export UV_PYTHON ?= $(shell $(PYTHON) -c 'import sys; print(sys.executable)')

.PHONY: run test test-fast test-changed bench check format sync version wheels help
.DEFAULT_GOAL := help

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/'

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit("Comanda needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make run PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	@$(PYTHON) core/uv_installer.py uv.lock $@

# What `make run` needs. What development needs besides stays, if it is there.
.venv/.runnable: $(UV) $(MANIFESTS)
	@echo "Installing Comanda into .venv/"
	@$(SYNC) --inexact --no-dev --extra embedded
	@touch $@

.venv/.synced: $(UV) $(MANIFESTS)
	@echo "Installing Comanda and all that its development needs into .venv/"
	@$(SYNC)
	@$(RUN) python -m compileall -q -j 0 core plugins verticals mcp_servers migrations
	@touch .venv/.runnable $@

sync: .venv/.synced ## install everything into .venv

run: .venv/.runnable ## start Comanda with its own database and demo data (PORT=8000 DATA=.comanda)
	@PYTHONDONTWRITEBYTECODE= $(RUN) comanda run $(if $(PORT),--port $(PORT)) $(if $(DATA),--data $(DATA))

test: .venv/.synced ## run every test, in parallel
	@$(PYTEST)

test-fast: .venv/.synced ## run the tests that start no browser and no other processes
	@$(PYTEST) -m "not browser and not processes"

test-changed: .venv/.synced ## run the tests of what differs from SINCE=HEAD, found by imports
	@tests=$$($(RUN) python tests/support/changed_tests.py $(SINCE)) && if [ -n "$$tests" ]; then $(PYTEST) $$tests; fi

bench: .venv/.synced ## measure the ratios that docs/benchmarks.md keeps
	@$(RUN) python -m benchmarks

check: .venv/.synced ## formatting, lint, types, who imports whom
	@$(RUN) ruff format --check
	@$(RUN) ruff check
	@$(RUN) mypy
	@$(RUN) lint-imports

format: .venv/.synced ## format and fix what can be fixed
	@$(RUN) ruff format
	@$(RUN) ruff check --fix

version: $(UV) ## set the version of every distribution: make version VERSION=0.2.0
	@$(PYTHON) -c 'import re, sys; from pathlib import Path; [path.write_text(re.sub(r"(?m)^version = \".*\"", "version = \"$(VERSION)\"", path.read_text(), count=1)) for path in map(Path, sys.argv[1:])]' \
		pyproject.toml $(wildcard */pyproject.toml */*/pyproject.toml)
	@$(UV) lock --quiet

# One of the build backends works in the folder that it builds. Each commit's wheels have a version of their own.
wheels: $(UV) ## build every wheel into dist/, with the versions of uv.lock as constraints (DIST=dist)
	@rm -rf $(DIST)
	@$(UV) build --quiet --all-packages --wheel --out-dir $(DIST)
	@rm -rf migrations/build migrations/*.egg-info
	@$(PYTHON) core/wheel_versions.py $(DIST)
	@$(UV) export --quiet --frozen --all-packages --all-extras --no-dev --no-emit-workspace --no-hashes --no-annotate \
		--no-header --output-file $(DIST)/constraints.txt
	@ls $(DIST)/*.whl | sed -E 's|.*/([^-/]+)-([^-]+)-.*|\1==\2|' >> $(DIST)/constraints.txt
	@$(UV) export --quiet --frozen --all-packages --all-extras --no-dev --no-emit-workspace --preview-features sbom-export \
		--format cyclonedx1.5 --output-file $(DIST)/sbom.cdx.json
	@echo "Built $$(ls $(DIST)/*.whl | wc -l) wheels. Next: pip install --find-links $(DIST) -c $(DIST)/constraints.txt comanda"
