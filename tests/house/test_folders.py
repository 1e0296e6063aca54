"""Folders and files keep to their size, and other folders import from a folder, not from the files in it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from places import HOUSE, ROOMS, code_files

# Files that are imported from outside their folder, because its `__init__` must not load them.
ON_THEIR_OWN = {
    "bot.desktop.x11.overlay": "it needs Xlib, which machines without X do not have",
    "bot.desktop.x11.overlay": "it shows a trial, which uses hands, which know X windows",
}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts)


@cache
def folders() -> dict[str, dict[str, str]]:
    """Each folder of the product: what it names in `__all__`, and the file that this is from."""
    found = {}
    for path in code_files():
        if path.stem == "__init__" and path.relative_to(HOUSE).parts[0] in ROOMS:
            named: list[str] = []
            origin: dict[str, str] = {}
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    named = ast.literal_eval(node.value)
                elif isinstance(node, ast.ImportFrom):
                    origin |= {alias.asname or alias.name: f"{node.module}" for alias in node.names}
            assert sorted(named) == sorted(origin), path
            found[name_of(path.parent)] = origin
    return found


def imports(path: Path) -> Iterator[tuple[str, str, str]]:
    """The folder, file and name of each thing that a file imports from a file of a folder not around it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module not in folders():
            folder, _, file = node.module.rpartition(".")
            if folder in folders() and not f"{name_of(path)}.".startswith(f"{folder}."):
                yield from ((folder, file, alias.name) for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_to_folders_and_not_into_them(room: str) -> None:
    """What a folder is for stands in its `__init__`; its files may be cut again without anybody's knowing.

    The files of a room itself (`games.errors`, `vision.frame`) have names of their own: whoever wants one of
    them must not load the room.
    """
    into = [
        f"{name_of(path)}: {folder}.{file} for {name}"
        for path in code_files()
        if path.is_relative_to(HOUSE / room)
        for folder, file, name in imports(path)
        if folder not in ROOMS and f"{folder}.{file}" not in ON_THEIR_OWN
    ]
    assert into == []


def test_what_a_folder_names_is_imported_from_it() -> None:
    """By tests, benchmarks and training, too, which look into files only for what is nobody else's."""
    around = [
        f"{name_of(path)}: {folder}.{file} for {name}"
        for path in code_files()
        for folder, file, name in imports(path)
        if folders()[folder].get(name) == f"{folder}.{file}"
    ]
    assert around == []


def test_files_on_their_own_are_still_needed() -> None:
    asked = {f"{folder}.{file}" for path in code_files() for folder, file, _ in imports(path)}
    assert set(ON_THEIR_OWN) <= asked


@pytest.mark.parametrize("room", ROOMS)
def test_every_folder_says_what_it_is_for(room: str) -> None:
    """Its `__init__` is a docstring, what others may import, and nothing else."""
    for path in (HOUSE / room).rglob("__init__.py"):
        doc, *rest = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(doc, ast.Expr), path
        assert isinstance(doc.value, ast.Constant), path
        assert all(isinstance(node, ast.ImportFrom | ast.Assign) for node in rest), path


MOST_FILES = 14  # Python files in a folder
MOST_LINES = 80  # of a function
LARGER_FOLDERS: set[str] = set()
LONGER_FUNCTIONS: set[str] = set()


def test_no_folder_is_too_large_to_find_things_in() -> None:
    """A folder that has become small goes off the list."""
    counted = Counter(path.parent.relative_to(HOUSE).as_posix() for path in code_files())
    assert {folder for folder, files in counted.items() if files > MOST_FILES} == LARGER_FOLDERS


def test_no_function_of_the_product_is_too_long_to_read() -> None:
    """One that has become short goes off the list."""
    longer = {
        f"{path.relative_to(HOUSE).as_posix()}::{node.name}"
        for path in code_files()
        if path.relative_to(HOUSE).parts[0] in ROOMS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MOST_LINES
    }
    assert longer == LONGER_FUNCTIONS


MOST_LINES_OF_TESTS = 300  # of a test file: one subject
LONGER_TESTS: set[str] = set()


def test_a_test_file_is_of_one_subject() -> None:
    """One that has become short goes off the list."""
    longer = {
        path.relative_to(HOUSE).as_posix()
        for path in code_files()
        if path.is_relative_to(HOUSE / "tests")
        and len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES_OF_TESTS
    }
    assert longer == LONGER_TESTS
