# make play      install the requirements and play in the browser; PORT=8080 sets the port, and
#                HOST=0.0.0.0 lets others on your network connect
# make terminal  install the requirements and play in the terminal
# make test      install the requirements, then lint, check types and run all tests
# make quick     lint, check types and run the fast tests (no browser, PostgreSQL or Ray cluster needed), in under
#                two minutes on two cores
# make stress    run all tests beside two busy loops, to find those that depend on time
# make golden    refresh what is derived from the program and compared by tests, and list what changed
# make release-check  check what must hold before a release: that everything is translated
# make bench     run the main benchmarks; installs the libraries that Wonderland is compared with
# make pictures  recreate the pictures in the documentation from the running program, and take screenshots of every page
#                and state at eight sizes, light and dark, into build/screenshots
# make catalogues  update the message catalogues for translators
# make lock      upgrade and pin all dependencies

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$python && break; done)
COMPILED := setup.py $(shell grep -rl --include=*.py '^    import cython' src) $(shell find src -name '*.pxd' -o -name '*.h')
TEXTS := $(shell find src -name '*.po')
KERNELS := $(VENV)/kernels.stamp
COMPILE := $(MAKE) --silent $(KERNELS)
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

# Without cached bytecode, every server started by a test would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play terminal test quick stress golden release-check bench pictures catalogues lock clean
.DELETE_ON_ERROR:

# HOST and PORT are accepted only on the command line, because the environment often sets them for other purposes.
flag = $(if $(findstring command,$(origin $1)),--$2=$($1))

# The server starts immediately. Missing or outdated kernels are compiled in the background; they run as Python until
# the stamp appears, and then the server loads the compiled ones.
play: $(VENV)/play.stamp
	@$(COMPILE) --question || { rm -f $(KERNELS); find src -name '*.so' -delete; }
	@$(COMPILE) >$(VENV)/kernels.log 2>&1 &
	@WONDERLAND_KERNELS_STAMP=$(KERNELS) $(BIN)/wonderland serve --open $(call flag,HOST,host) $(call flag,PORT,port)

terminal: $(VENV)/play.stamp $(KERNELS)
	@$(BIN)/wonderland play

test: $(VENV)/test.stamp $(VENV)/browser.found $(VENV)/proxies.found
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadscope --no-loadscope-reorder --cov --cov-report=term

quick: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadscope -m "not browser and not postgres and not cluster and not slow"

stress: $(VENV)/test.stamp $(VENV)/browser.found $(VENV)/proxies.found
	@scripts/stress.sh

golden: $(VENV)/test.stamp
	PYTHONPATH=tests $(BIN)/python scripts/golden.py

release-check: $(VENV)/test.stamp
	$(BIN)/pytest --release -m release

bench: $(VENV)/benchmark.stamp
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/kernels.py
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/startup.py

pictures: $(VENV)/test.stamp $(VENV)/browser.found
	$(BIN)/python scripts/pictures.py
	$(BIN)/python scripts/web_pictures.py
	$(BIN)/python scripts/screenshots.py build/screenshots

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
		echo "Wonderland needs Python 3.11 or newer, but none was found. Install it, or set its path: make PYTHON=/path/to/python"; \
		exit 1; \
	fi
	@echo "Creating a virtual environment in $(VENV) with $(PYTHON)..."
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "Python couldn't create a virtual environment. On Debian and Ubuntu, first run: apt-get install python3-venv"; \
		exit 1; \
	}
	@touch $@

$(VENV)/browser.found: $(VENV)/python.stamp scripts/browser.sh
	@scripts/browser.sh
	@touch $@

$(VENV)/proxies.found: $(VENV)/python.stamp scripts/proxies.sh
	@scripts/proxies.sh
	@touch $@

# One rule for each kind: install the packages pinned in its lock file, with hashes, and then Wonderland itself. For
# play, the game should start as soon as possible, so kernels and bytecode are compiled later.
$(VENV)/%.stamp: requirements/%.lock pyproject.toml $(COMPILED) $(TEXTS) $(VENV)/python.stamp
	@echo "Installing the packages for make $*..."
	@$(PIP) install $(if $(filter play,$*),--quiet --no-compile) --no-deps --require-hashes --requirement $< || { \
		echo "The packages in $< couldn't be installed. Check your internet connection and try again."; \
		exit 1; \
	}
	@$(if $(filter play,$*),,echo "Compiling the kernels, if there is a compiler...")
	@WONDERLAND_KERNELS=$(if $(filter play,$*),none,all) $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@ $(if $(filter play,$*),,$(KERNELS))

# Compile only for this processor, which takes half the time.
$(KERNELS): $(COMPILED) | $(VENV)/play.stamp
	@echo "Compiling the kernels, if there is a compiler..."
	@WONDERLAND_KERNELS=here nice $(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@
