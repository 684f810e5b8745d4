# Two commands matter: `make demo` and `make test`. Both set up what they need in .venv; the second time is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export OMP_NUM_THREADS ?= 2
# two processes, a file at a time; each has a demo company of its own on free ports
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder
TEST_PROCESSES ?= 2

.PHONY: demo test check index clean setup bench-planner bench-index
.DEFAULT_GOAL := demo

demo: $(READY)          ## set up, start the demo company, index its documents, answer the main question
	@$(BIN)/assay demo run

test: $(READY)          ## set up and run all tests
	$(PYTEST)

check: $(READY)         ## format, lint, types, import contracts, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

index: $(READY)         ## (re)build the knowledge index of the default configuration
	@$(BIN)/assay index build

setup: $(READY)

bench-planner: $(READY) ## plan accuracy of the rule planner on the handed cases and on our own
	@$(BIN)/python -m benchmarks.planner

bench-index: $(READY)   ## tables, headings, filings and cross-language questions against known truth
	@$(BIN)/python -m benchmarks.index_tables
	@$(BIN)/python -m benchmarks.index_headings
	@$(BIN)/python -m benchmarks.index_filings
	@$(BIN)/python -m benchmarks.index_languages

# rapidocr is here for the model files in its wheel; its own requirements would bring a second OpenCV
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "cannot make a virtual environment: install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps rapidocr==3.10.0
	$(BIN)/assay setup
	@touch $@

clean:                  ## stop the demo company and remove what was made here
	-@test -x $(BIN)/assay && $(BIN)/assay demo down
	rm -rf $(VENV) .assay .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
