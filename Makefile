# `make` lists the commands. Each installs its requirements first, without prompts (tools/setup.sh). If it may not
# install one, it prints the command to run as root, and exits with 8.

PYTHON ?=
RECORD ?= recordings/
export PYTHON
# Games are not in the PATH of every user, for example root.
export PATH := $(PATH):/usr/games

BIN := .venv/bin
WORKERS ?= 2
# Another monospace font for the tested programs: make test MONOSPACE="Liberation Mono" (tools/monospace.sh).
MONOSPACE ?=
ifneq ($(MONOSPACE),)
export FONTCONFIG_FILE := $(CURDIR)/build/monospace.conf
endif
GAMES ?= 1000
BENCHMARKS := startup_time probabilities reasoning_cost guesser_pairs vision_times adversarial

.DEFAULT_GOAL := help
.PHONY: help play test windows faults check lint fix kernels bench unknown adversarial exact clue-exact leaderboard params params-check docs pins clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name what; do printf '  make %-11s %s\n' "$$name" "$$what"; done

play: ## set up, then play one game: xdemineur, 30x16, 99 mines; without a display, write a report and a GIF
	@tools/setup.sh play
	@$(BIN)/sapper play --program xdemineur --size 30x16 --mines 99 --delay 20 --record "$(RECORD)"
	@[ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || { game=$$(ls -td "$(RECORD)"/*/ | head -1); \
		echo "no display: the game as a page and as an animation:"; \
		$(BIN)/sapper report "$$game" --gif "$${game%/}/game.gif"; }

test: ## set up, then run every check, including games on real programs (minutes)
	@env -u FONTCONFIG_FILE tools/setup.sh test
	@[ -z "$(MONOSPACE)" ] || tools/monospace.sh "$(MONOSPACE)" "$(FONTCONFIG_FILE)"
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not campaign"

windows: ## run the Windows build under Wine: reading, reasoning, recordings, and games of winemine (minutes)
	@tools/setup.sh check
	@tools/windows.sh build
	@tools/windows.sh test

faults: ## provoke faults of desktops, programs, strategies and files (forty minutes)
	@tools/setup.sh faults
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --timeout 3600 tests/faults tests/play/test_finder.py \
		$$(grep -rl 'mark.*campaign' tests --include='test_*.py')

check: ## lint, format, types, layers and the tests that need no program (seconds)
	@tools/setup.sh check
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not live and not slow and not campaign"

lint: # part of check and test; needs .venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m training check

fix: ## apply formatting and simple lint fixes
	@tools/setup.sh check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: ## run the benchmarks that need no window (minutes; benchmarks/README.md lists all)
	@tools/setup.sh test
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name; done

exact: ## compare certain cells with all layouts (20,000 positions) and with another solver (2,000 Expert positions)
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.exactness --small 20000 --expert 2000

clue-exact: ## compare the marks of Clue sheets with another solver after every line of 2,000 games
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.exactness --clue 2000

leaderboard: ## play missing games and write docs/results/leaderboard.md (GAMES=1000 of each kind)
	@tools/setup.sh check
	@$(BIN)/python -m tools.leaderboard --games $(GAMES) --jobs $(WORKERS)

unknown: ## read screenshots and play programs without stored data (minutes)
	@tools/setup.sh test
	$(BIN)/python -m benchmarks.screenshots
	$(BIN)/python -m benchmarks.live_games --games 2 --details

adversarial: ## read 100,000 pictures without a board (five hours; continues an interrupted run)
	@tools/setup.sh test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.adversarial 100000 --log build/adversarial.jsonl

params: ## regenerate all learned parameters of vision (hours; continues an interrupted run; downloads fonts and icons)
	@tools/setup.sh check
	$(BIN)/python -m pip --disable-pip-version-check install --quiet -e '.[train]'
	$(BIN)/python -m training all

params-check: ## compare the learned parameters with their headers (seconds)
	@tools/setup.sh check
	@$(BIN)/python -m training check

docs: ## build the documentation as a website in build/site
	@tools/setup.sh check
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

kernels: ## compile the kernels again after a change
	@$(BIN)/python setup.py --quiet build_ext --inplace

pins: ## write the newest allowed versions to requirements/constraints.txt
	@tools/setup.sh check
	@sh tools/pins.sh

clean: ## delete .venv and all generated files except recordings
	rm -rf .venv build dist ./*.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
