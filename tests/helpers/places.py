"""The files of the repository and their contents, for tests of the repository and its documentation."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
FIXTURES = HOUSE / "fixtures"
ROOMS = ("bot", "games", "strategies", "vision")
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]


@cache
def house_files() -> list[Path]:
    """Every file that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [HOUSE / name for name in listed.split("\0") if name and (HOUSE / name).is_file()]


@cache
def defined(path: Path) -> set[str]:
    """The names of the functions, methods and classes in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def text_of(page: str | Path) -> str:
    """The text of a page; the path is relative to the repository."""
    return (HOUSE / page).read_text(encoding="utf-8")


def snippets(language: str) -> Iterator[tuple[str, str]]:
    """Yield name (`README.md 1`) and text of each block of a language in the documentation."""
    for page in PAGES:
        blocks = re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)
        for number, block in enumerate(blocks, 1):
            yield f"{page.name} {number}", block
