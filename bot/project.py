"""A new strategy as a small project: one rule, tests that pass, an entry point, and how to go on."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from string import Template

from games.errors import Usage
from strategies import available

RULE = '''"""$title: a strategy for Sapper."""

from __future__ import annotations

from collections.abc import Iterator

from strategies import Deduction, Knowledge, hookimpl

NAME = "$name"


@hookimpl
def deduce(knowledge: Knowledge) -> Iterator[Deduction]:
    """One clue at a time. This is where your own rule goes."""
    for clue in knowledge.constraints:
        if clue.all_true:  # as many mines left as cells
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
        elif clue.all_false:  # no mine left
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
'''

TESTS = '''"""What $title must find, and that it is never wrong.

The settings in pyproject.toml name the strategy, so pytest runs the whole contract suite beside these tests.
"""

from __future__ import annotations

import $module

from strategies.testing import assert_deduces, assert_sound


def test_as_many_mines_as_cells() -> None:
    assert_deduces($module, "1.\\n11", "1*\\n11")


def test_no_mine_is_left() -> None:
    assert_deduces($module, "1.1\\n111\\n...", "1*1\\n111\\n---")


def test_what_it_cannot_know_it_leaves_alone() -> None:
    assert_deduces($module, "...\\n121", "...\\n121")


def test_it_is_never_wrong() -> None:
    assert_sound($module)
'''

SETTINGS = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1.0"
description = "A strategy for Sapper, the Minesweeper bot"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["sapper"]

[project.entry-points."sapper.strategies"]
$name = "$module"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
pythonpath = ["."]
sapper_strategies = ["$module.py"]  # pytest runs the contract suite on it
"""

READ_ME = """# $name

A strategy for Sapper, the Minesweeper bot. The rule is in `$module.py`.

Try it, with nothing installed but Sapper:

    sapper play --program xdemineur --strategy ./$module.py
    sapper bench --level beginner --games 200 --strategy ./$module.py --against single-cell
    sapper strategies --trace board.txt --strategy ./$module.py

Test it (`pip install pytest` first, in the environment that Sapper is in):

    pytest

Install it; then its name works wherever a built-in one does:

    pip install .
    sapper strategies
    sapper bench --games 20 --strategy $name

Publish it: put your name and a licence into `pyproject.toml`, then

    pip install build twine
    python -m build
    twine upload dist/*
"""

OURS = frozenset({"bot", "games", "strategies", "vision", "tests", "pytest"})
IGNORED = "__pycache__/\n.pytest_cache/\nbuild/\ndist/\n*.egg-info/\n.venv/\n"


def new_project(name: str, parent: Path) -> list[Path]:
    """Write the project into a new folder of this name; the files written. Raises Usage."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 60:
        raise Usage(f"'{name}' cannot be a strategy's name: use a-z, 0-9 and - between, such as corner-rule")
    if name in dict(available()) or name == "sapper":
        raise Usage(f"'{name}' is a strategy that is there already: choose another name")
    words = {"name": name, "module": name.replace("-", "_"), "title": name.replace("-", " ")}
    if words["module"] in sys.stdlib_module_names | OURS:
        raise Usage(f"a module '{words['module']}' would hide Python's or Sapper's own: choose another name")
    folder = parent / name
    files = {
        folder / f"{words['module']}.py": RULE,
        folder / "tests" / f"test_{words['module']}.py": TESTS,
        folder / "pyproject.toml": SETTINGS,
        folder / "README.md": READ_ME,
        folder / ".gitignore": IGNORED,
    }
    try:
        folder.mkdir(parents=True)
        for path, text in files.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(Template(text).substitute(words), encoding="utf-8")
    except FileExistsError as error:
        raise Usage(f"{folder} is there already: choose another name, or another place with --out") from error
    except OSError as error:
        raise Usage(f"{folder}: {error.strerror}: name a place that can be written to with --out") from error
    return list(files)
