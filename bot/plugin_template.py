"""Template of a new strategy or observer project: code, passing tests, entry point, README."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from string import Template
from typing import Literal

from games.errors import UsageError
from games.external import parse_json
from strategies import CONTRACT, available_strategies
from strategies.hookspecs import PROJECT

Kind = Literal["deduce", "guess", "observer"]
DEDUCE = '''"""$title: a strategy for Sapper."""

from __future__ import annotations

from collections.abc import Iterator

from strategies import Deduction, Knowledge, hookimpl

NAME = "$name"
CONTRACT = "$contract"


@hookimpl
def deduce(knowledge: Knowledge) -> Iterator[Deduction]:
    """One clue at a time; replace this by your own rule."""
    for clue in knowledge.constraints:
        if clue.all_true:  # as many mines left as cells
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
        elif clue.all_false:  # no mine left
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
'''

DEDUCE_TESTS = '''"""Deductions of $title, and their soundness.

The settings in pyproject.toml name the strategy, so pytest runs the whole contract suite with these tests.
"""

from __future__ import annotations

import $module

from strategies.testing import assert_deduces, assert_sound


def test_all_mines() -> None:
    assert_deduces($module, "1.\\n11", "1*\\n11")


def test_none_left() -> None:
    assert_deduces($module, "1.1\\n111\\n...", "1*1\\n111\\n---")


def test_undetermined_cells_stay_open() -> None:
    assert_deduces($module, "...\\n121", "...\\n121")


def test_sound() -> None:
    assert_sound($module)
'''

GUESS = '''"""$title: how to guess, for Sapper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from strategies import Guess, Option, Position, bits, hookimpl

NAME = "$name"
CONTRACT = "$contract"
OPTIONS = (Option("elsewhere", 0.2, "mine probability of a cell without a clue", least=0, most=1),)


@hookimpl
def guess(position: Position, options: Mapping[str, float]) -> Iterator[Guess]:
    """The cell whose riskiest clue is the safest; replace this by your own idea."""
    risks = dict.fromkeys(bits(position.openable & ~position.knowledge.true), 0.0)
    for clue in position.knowledge.constraints:
        for cell in bits(clue.cells & position.openable):
            if cell in risks and not clue.is_global:
                risks[cell] = max(risks[cell], min(clue.high / clue.size, 1.0))
    for cell in sorted(risks, key=lambda cell: risks[cell] or options["elsewhere"]):
        yield Guess(cell, 1 - (risks[cell] or options["elsewhere"]), reason="lowest estimated risk")
'''

GUESS_TESTS = '''"""Guesses of $title.

The settings in pyproject.toml name the strategy, so pytest runs the whole contract suite with these tests.
"""

from __future__ import annotations

import $module

from strategies import load_strategy
from strategies.testing import position_of


def guessed(text: str) -> tuple[int, int]:
    """Row and column of the first guess."""
    position = position_of(text)
    first = next(iter(load_strategy($module).guess(position)))
    return divmod(first.cell, position.columns)


def test_prefers_one_to_three() -> None:
    assert guessed("3..1\\n....") in ((0, 2), (1, 2), (1, 3))
'''

OBSERVER = '''"""$title: an observer of Sapper's games."""

from __future__ import annotations

from strategies import Board, GameEnd, PlanInfo, hookimpl


class Observer:
    """Counts the guesses of a game and keeps the riskiest."""

    NAME = "$name"
    CONTRACT = "$contract"

    def __init__(self) -> None:
        self.guesses = 0
        self.riskiest = ""
        self.safe = 1.0

    @hookimpl
    def planned(self, board: Board, plan: PlanInfo) -> None:
        """Called before the moves of a plan are made."""
        if plan.guess:
            self.guesses += 1
            if plan.guess.safe < self.safe:
                self.safe, self.riskiest = plan.guess.safe, board.name(plan.guess.cell)

    @hookimpl
    def ended(self, result: GameEnd) -> str:
        """Return the text to print after a game."""
        worst = f", the riskiest {self.riskiest}, {self.safe:.0%} safe" if self.guesses else ""
        number = f"{result.guesses} guess{'es' if result.guesses != 1 else ''}"
        self.guesses, self.safe = 0, 1.0
        return f"$name: {result.result}, {number}{worst}"
'''

OBSERVER_TESTS = '''"""The message of $title after a game."""

from __future__ import annotations

from $module import Observer

from strategies import Board, GameEnd, Guess, Move, PlanInfo


def test_riskiest_guess() -> None:
    observer = Observer()
    board = Board.parse("...")
    for cell, safe in ((0, 0.9), (2, 0.5), (1, 0.75)):
        observer.planned(board, PlanInfo((Move("open", cell),), (), Guess(cell, safe), "best"))
    said = observer.ended(GameEnd("won", 3, 3, 0.1))
    assert said == "$name: won, 3 guesses, the riskiest r0c2, 50% safe"
'''

SETTINGS = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "sapper-$name"
version = "0.1.0"
description = "$kind for Sapper, the Minesweeper bot"
readme = "README.md"
requires-python = ">=3.11"
dependencies = [$requirement]  # Sapper; if empty, install it first (its own README says how)
keywords = ["sapper", "minesweeper"]

[project.entry-points."sapper.strategies"]
$name = "$module"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
pythonpath = ["."]
"""

SUITE = 'sapper_strategies = ["$module.py"]  # pytest runs the contract suite on it\n'

READ_ME = """# sapper-$name

$kind for Sapper, the Minesweeper bot. The code is in `$module.py`.

Try it without installing it:

    sapper play --program xdemineur $use ./$module.py
    sapper bench --level beginner --games 200 $use ./$module.py --reload

Test it (with pytest installed in the environment of Sapper, which needs `pip install .` in its checkout):

    pytest
    sapper validate .

Install it; then use it by name, like a built-in strategy:

    sapper install .
    sapper strategies $name
    sapper bench --games 20 $use $name

Publish it: add your name and a licence to `pyproject.toml`, remove a dependency with `@`, then

    pip install build twine
    python -m build
    twine upload dist/*
"""

IGNORED = "__pycache__/\n.pytest_cache/\nbuild/\ndist/\n*.egg-info/\n.venv/\n"

OURS = frozenset({"bot", "games", "strategies", "vision", "tests", "pytest"})
PARTS = {
    "deduce": (DEDUCE, DEDUCE_TESTS, "A strategy", "--strategy"),
    "guess": (GUESS, GUESS_TESTS, "A way to guess", "--strategy"),
    "observer": (OBSERVER, OBSERVER_TESTS, "An observer", "--observer"),
}


def sapper_requirement() -> str:
    """How a project can name this Sapper as a dependency (PEP 508); empty if it came from a local folder.

    `direct_url.json` (PEP 610) says where an installation came from; there is none for a package index.
    """
    try:
        distribution = metadata.distribution(PROJECT)
    except metadata.PackageNotFoundError:
        return ""
    origin = distribution.read_text("direct_url.json")
    if origin is None:
        return f"{PROJECT}>={distribution.version}"
    source = parse_json(origin)
    url, vcs = str(source["url"]), source.get("vcs_info")
    if vcs:
        return f"{PROJECT} @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f"{PROJECT} @ {url}" if url.startswith("https:") else ""


def create_project(name: str, parent: Path, kind: Kind = "deduce") -> list[Path]:
    """Create the project in a new folder of this name; return its files. Raises UsageError."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 60:
        raise UsageError(
            f"'{name}' cannot be a strategy's name: use a-z, 0-9 and - between, such as corner-rule"
        )
    if name in dict(available_strategies()) or name == "sapper":
        raise UsageError(f"'{name}' is already the name of a strategy: choose another name")
    code, tests, what, use = PARTS[kind]
    words = {
        "name": name, "module": name.replace("-", "_"), "title": name.replace("-", " "), "contract": CONTRACT,
        "kind": what, "use": use, "requirement": f'"{needed}"' if (needed := sapper_requirement()) else "",
    }  # fmt: skip
    if words["module"] in sys.stdlib_module_names | OURS:
        raise UsageError(
            f"a module '{words['module']}' would hide a module of Python or Sapper: choose another name"
        )
    folder = parent / name
    files = {
        folder / f"{words['module']}.py": code,
        folder / "tests" / f"test_{words['module']}.py": tests,
        folder / "pyproject.toml": SETTINGS + (SUITE if kind != "observer" else ""),
        folder / "README.md": READ_ME,
        folder / ".gitignore": IGNORED,
    }
    try:
        folder.mkdir(parents=True)
        for path, text in files.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(Template(text).substitute(words), encoding="utf-8")
    except FileExistsError as error:
        raise UsageError(
            f"{folder} already exists: choose another name, or another folder with --out"
        ) from error
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}: name a writable folder with --out") from error
    return list(files)
