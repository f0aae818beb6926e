# `make verify` runs the ledger, `make test` the tests; both set up .venv first. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CORE := dtmodel/native/core.library
# Compiled modules are kept: without them every process that a test or a notebook starts compiles the package anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help verify test lint lab lab-check site site-check site-speed bench native sanitize exhaustive coqchk derived experiments stochastic mutants fuzz hunt lock release clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(READY): requirements/dev.txt pyproject.toml
	@echo "Setting up $(VENV) with $$($(PYTHON) --version) (about a minute, once)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dtmodel needs Python 3.11 or newer")'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(CORE): $(wildcard native/*) hatch_build.py | $(READY)
	@$(BIN)/python hatch_build.py

native: $(CORE)  ## compile the native core again, where there is a C++ compiler

CXX ?= c++
sanitize: $(READY)  ## run the tests of the native core under the address and undefined-behaviour sanitizers (needs g++)
	@# Loaded first, the sanitizer sees how C++ throws only if the library that throws is there, too.
	@CXX="$(CXX)" $(BIN)/python hatch_build.py --sanitize
	@LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	DTMODEL_NATIVE="$(CURDIR)/build/sanitized/core.library" $(BIN)/python -m pytest tests/test_native.py tests/test_native_arrays.py tests/test_native_network.py tests/test_native_packets.py tests/test_native_ties.py

verify: $(READY)  ## run all evidence and print the verdict of every claim
	@$(BIN)/dtmodel verify

TESTS ?= not exhaustive
test: $(CORE)  ## run the tests; TESTS="needs and not exhaustive" runs those that need an optional tool
	@echo "Running the tests on all cores"
	@$(BIN)/python -m pytest --numprocesses auto --dist loadgroup -m "$(TESTS)"

lint: $(READY)  ## check style, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

lab: requirements/lab.txt $(READY)  ## open copies of the notebooks in JupyterLab; FLAGS="--no-browser --port 9000"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt -r requirements/lab.txt
	@$(BIN)/dtmodel lab -- $(FLAGS)

site: requirements/site.txt $(READY)  ## build the site in build/site/html: guides, executed notebooks, figures, ledger, reference
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt -r requirements/site.txt
	@mkdir -p build/site && $(BIN)/dtmodel verify >build/site/verify.txt || tail -5 build/site/verify.txt
	@$(BIN)/python -m docs

site-check: $(READY)  ## look at the built site in Chromium: requests, accessibility (needs playwright, axe-playwright-python); PAGES=all OUTPUT=FILE
	@$(BIN)/python -m docs check $(PAGES) $(OUTPUT)

site-speed: $(READY)  ## measure the built site's panels in Chromium and Firefox: first picture, live, bytes, memory, pictures a second; OUTPUT=FILE
	@$(BIN)/python -m docs speed $(OUTPUT)

lab-check: requirements/lab.txt $(READY)  ## drag the lab's panels in Chromium: updates a second, keys (needs the same two); NOTEBOOK=00
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt -r requirements/lab.txt
	@$(BIN)/python -m docs lab-check $(NOTEBOOK)

bench: $(CORE)  ## compare engines, theorems, sweeps and the explorer with what else there is; OUTPUT=FILE keeps the page, ARGS=--check fails on surprises
	@$(BIN)/python -m benchmarks $(ARGS) $(OUTPUT)

exhaustive: $(READY)  ## run the full-size checks (minutes)
	@$(BIN)/python -m pytest --numprocesses auto -m exhaustive --timeout 0

coqchk: $(READY)  ## let coqchk check the compiled proofs and the libraries of Coq that they load again (minutes)
	@nice $(BIN)/python -m dtmodel.ledger.provers.coq --recheck proofs/coq

POINTS ?= 1000
COUNT ?= 300
derived: $(READY)  ## compare derived theorems with the engine: POINTS=1000 in every region, and COUNT=300 random families, SEED=1 (hours)
	@PYTHONPATH=. nice $(BIN)/python tests/derive/compare.py --points $(POINTS) --output validation/results/derive.json
	@mkdir -p build
	@PYTHONPATH=. nice $(BIN)/python tests/derive/attack.py --count $(COUNT) --seed $(SEED) --kept build/derive-random.jsonl --output validation/results/derive-random.md

experiments: $(READY)  ## repeat the kept experiments with senders that react: all queries, a point of the others (minutes)
	@nice $(BIN)/python -m validation.experiments

stochastic: $(READY)  ## repeat the stochastic figures 17 and 18 with confidence intervals (a quarter of an hour)
	@$(BIN)/python -m validation.edt.random_traffic --seeds 8 --seconds 6

mutants: $(READY)  ## alter formulas and see what notices: all (hours), or SINCE=REV, for at most SECONDS=N
	@nice $(BIN)/python -m mutation $(if $(SINCE),--since $(SINCE)) $(if $(SECONDS),--seconds $(SECONDS))

SECONDS ?= 300
SEED ?= 1
fuzz: $(READY)  ## try seeded inputs of every kind: SECONDS=300 SEED=1; OUTPUT=FILE keeps the table
	@PYTHONPATH=. nice $(BIN)/python tests/fuzz.py --seconds $(SECONDS) --seed $(SEED) $(if $(OUTPUT),--output $(OUTPUT))

hunt: $(READY)  ## attack the executable statements and their hypotheses for SECONDS=300; TABLE=FOLDER keeps the table
	@nice $(BIN)/dtmodel hunt --hypotheses --seconds $(SECONDS) --seed $(SEED) $(if $(TABLE),--table $(TABLE))

LOCKED := --generate-hashes --no-emit-index-url --universal --python-version 3.11 -q --custom-compile-command "make lock"
COMPILE := uv pip compile pyproject.toml --extra all --group dev $(LOCKED)
lock:  ## compile the pinned requirements (needs uv): dev's, release's, and for lab and site what dev does not have, or not on every system
	@$(COMPILE) -o requirements/dev.txt
	@uv pip compile --group release $(LOCKED) -o requirements/release.txt
	@for list in "extra lab" "group site"; do file=requirements/$${list#* }.txt; \
	  $(COMPILE) --$$list -c requirements/dev.txt -o $$file \
	    $$(sed -n 's/^\([^ =]*\)==[^;]*\(; python_full_version [^a-z]*\)\{0,1\}$$/--no-emit-package \1/p' requirements/dev.txt); \
	  sed '/^# The following packages were excluded/,$$d' $$file >$$file.new && mv $$file.new $$file; done

release:  ## build and try sdist and wheel of VERSION=1.0.0 in dist/, and upload nothing (refuses what is not ready)
	@$(PYTHON) release.py $(VERSION)

clean:  ## remove the environment and everything built
	rm -rf $(VENV) build dist .cache $(CORE)
