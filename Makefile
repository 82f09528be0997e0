# make play      install the requirements and play in the browser; PORT=8080 sets the port, and
#                HOST=0.0.0.0 admits others on your network
# make terminal  install the requirements and play in the terminal
# make test      install the requirements, then lint, check types and run all tests
# make quick     lint, types and the quick tests, in under two minutes on two cores: those that need no
#                browser, no PostgreSQL and no Ray cluster, and are not marked as slow
# make bench     run the benchmarks, compared with other libraries (installs them)
# make pictures  recreate the pictures of the README from the real program
# make catalogues  update the message catalogues for translators
# make lock      upgrade and pin all dependencies

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$python && break; done)
COMPILED := setup.py $(shell grep -rl --include=*.py '^    import cython' src) $(shell find src -name '*.pxd' -o -name '*.h')
TEXTS := $(shell find src -name '*.po')
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

# Without cached bytecode, every server that a test starts would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play terminal test quick bench pictures catalogues lock clean
.DELETE_ON_ERROR:

# HOST and PORT are common environment variables with other meanings: only the command line counts.
flag = $(if $(findstring command,$(origin $1)),--$2=$($1))

play: $(VENV)/play.stamp
	@$(BIN)/wonderland serve --open $(call flag,HOST,host) $(call flag,PORT,port)

terminal: $(VENV)/play.stamp
	@$(BIN)/wonderland play

test: $(VENV)/test.stamp $(VENV)/browser.found
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadscope --no-loadscope-reorder --cov --cov-report=term

quick: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadscope -m "not browser and not postgres and not cluster and not slow"

bench: $(VENV)/benchmark.stamp
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/kernels.py
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/startup.py

pictures: $(VENV)/test.stamp $(VENV)/browser.found
	$(BIN)/python scripts/pictures.py
	$(BIN)/python scripts/web_pictures.py

catalogues: $(VENV)/play.stamp
	$(BIN)/python scripts/catalogues.py

lock: $(VENV)/python.stamp
	$(PIP) install --quiet uv
	@for kind in play test benchmark; do \
		extras=; \
		[ $$kind = play ] || extras="--extra $$kind"; \
		$(BIN)/uv pip compile --quiet --upgrade pyproject.toml requirements/build.in $$extras \
			--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
			--custom-compile-command "make lock" -o requirements/$$kind.lock || exit 1; \
	done

clean:
	find src \( -name '*.so' -o -name '*.mo' \) -delete
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* src/*.egg-info

$(VENV)/python.stamp:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Wonderland needs Python 3.11 or newer, and none was found. Install it, or name it: make PYTHON=/path/to/python"; \
		exit 1; \
	fi
	@echo "Making a virtual environment in $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "Python could not make a virtual environment. On Debian and Ubuntu this helps: apt-get install python3-venv"; \
		exit 1; \
	}
	@touch $@

$(VENV)/browser.found: $(VENV)/python.stamp scripts/browser.sh
	@scripts/browser.sh
	@touch $@

# One rule for each kind: install what its lock file pins, with hashes, and then the package itself.
$(VENV)/%.stamp: requirements/%.lock pyproject.toml $(COMPILED) $(TEXTS) $(VENV)/python.stamp
	@echo "Installing what is needed to $* ..."
	@$(PIP) install --no-deps --require-hashes --requirement $< || { \
		echo "The packages of $< could not be installed: is the package index within reach? Then try again."; \
		exit 1; \
	}
	@echo "Compiling the kernels, if there is a compiler ..."
	@WONDERLAND_KERNELS=$(if $(filter play,$*),here,all) $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
