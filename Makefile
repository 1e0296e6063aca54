# Sapper's commands. `make` alone lists them. Each sets up what it needs first (tools/setup.sh) and asks nothing.
# The setup leaves with 8, and one line to run as root, where it lacks something that it may not install.

PYTHON ?=
RECORD ?= recordings/
export PYTHON
# Games live outside some paths, root's for one.
export PATH := $(PATH):/usr/games

BIN := .venv/bin
WORKERS ?= 2
# Another monospace font for the programs that are started: make test MONOSPACE="Liberation Mono" (tools/monospace.sh).
MONOSPACE ?=
ifneq ($(MONOSPACE),)
export FONTCONFIG_FILE := $(CURDIR)/build/monospace.conf
endif
GAMES ?= 1000
BENCHMARKS := startup_time probabilities reasoning_cost guesser_pairs vision_times cell_accuracy adversarial

.DEFAULT_GOAL := help
.PHONY: help play test faults check lint fix kernels bench unknown adversarial exact clue-exact leaderboard model docs pins clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name what; do printf '  make %-11s %s\n' "$$name" "$$what"; done

play: ## set up, and play a real game: xdemineur, 30x16, 99 mines
	@tools/setup.sh play
	@$(BIN)/sapper play --program xdemineur --size 30x16 --mines 99 --delay 20 --record "$(RECORD)"

test: ## set up, and run every check, games on real programs among them (minutes)
	@env -u FONTCONFIG_FILE tools/setup.sh test
	@[ -z "$(MONOSPACE)" ] || tools/monospace.sh "$(MONOSPACE)" "$(FONTCONFIG_FILE)"
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not campaign"

faults: ## everything that desktops, programs and strategies do wrong, made to happen on real games (half an hour)
	@tools/setup.sh faults
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --timeout 3600 tests/faults tests/plugins/test_isolated.py tests/live/test_following.py tests/desktop/test_live_portals.py tests/live/test_live.py

check: ## the fast checks: lint, format, types, floors, tests that need no program (seconds)
	@tools/setup.sh check
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not live and not slow"

lint: # what check and test share; needs .venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

fix: ## let ruff put right what it can
	@tools/setup.sh check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: ## run the benchmarks that need no window of their own (minutes; benchmarks/README.md lists all)
	@tools/setup.sh test
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name; done

exact: ## compare certain cells with all layouts (20,000 positions) and with another solver (2,000 Expert positions)
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.exactness --small 20000 --expert 2000

clue-exact: ## compare the marks of Clue sheets with another solver after every line of 2,000 games
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.exactness --clue 2000

leaderboard: ## play the missing games and write docs/results/leaderboard.md (GAMES=1000 of each kind)
	@tools/setup.sh check
	@$(BIN)/python -m tools.leaderboard --games $(GAMES) --jobs $(WORKERS)

unknown: ## read screenshots and play programs with nothing remembered (needs the programs; minutes)
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.screenshots
	$(BIN)/python -m benchmarks.live_games --games 2 --details

adversarial: ## read 100,000 pictures without a board (five hours; continues an interrupted run)
	@tools/setup.sh test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.adversarial 100000 --log build/adversarial.jsonl

model: ## draw, train and write the cell model (an hour; fetches fonts, icons and packages)
	@tools/setup.sh check
	$(BIN)/python -m pip --disable-pip-version-check install --quiet -e '.[train]'
	$(BIN)/python -m training

docs: ## the documentation as a site, in build/site
	@tools/setup.sh check
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

kernels: ## compile the kernels again after a change
	@$(BIN)/python setup.py --quiet build_ext --inplace

pins: ## newest versions that pyproject.toml allows, into requirements/constraints.txt
	@tools/setup.sh check
	@sh tools/pins.sh

clean: ## take .venv and everything that is made away; recordings stay
	rm -rf .venv build dist ./*.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
