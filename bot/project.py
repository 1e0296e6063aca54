"""A new strategy, or observer, as a small project: its code, tests that pass, an entry point, a README."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from string import Template
from typing import Literal

from bot import templates
from games.errors import Usage
from strategies import CONTRACT, available

Kind = Literal["deduce", "guess", "observer"]
OURS = frozenset({"bot", "games", "strategies", "vision", "tests", "pytest"})
PARTS = {
    "deduce": (templates.DEDUCE, templates.DEDUCE_TESTS, "A strategy", "--strategy"),
    "guess": (templates.GUESS, templates.GUESS_TESTS, "A way to guess", "--strategy"),
    "observer": (templates.OBSERVER, templates.OBSERVER_TESTS, "An observer", "--observer"),
}


def new_project(name: str, parent: Path, kind: Kind = "deduce") -> list[Path]:
    """Write the project into a new folder of this name; the files written. Raises Usage."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 60:
        raise Usage(f"'{name}' cannot be a strategy's name: use a-z, 0-9 and - between, such as corner-rule")
    if name in dict(available()) or name == "sapper":
        raise Usage(f"'{name}' is a strategy that is there already: choose another name")
    code, tests, what, use = PARTS[kind]
    words = {
        "name": name, "module": name.replace("-", "_"), "title": name.replace("-", " "), "contract": CONTRACT,
        "kind": what, "use": use,
    }  # fmt: skip
    if words["module"] in sys.stdlib_module_names | OURS:
        raise Usage(f"a module '{words['module']}' would hide Python's or Sapper's own: choose another name")
    folder = parent / name
    files = {
        folder / f"{words['module']}.py": code,
        folder / "tests" / f"test_{words['module']}.py": tests,
        folder / "pyproject.toml": templates.SETTINGS + (templates.SUITE if kind != "observer" else ""),
        folder / "README.md": templates.READ_ME,
        folder / ".gitignore": templates.IGNORED,
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
