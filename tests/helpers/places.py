"""What is in a file of ours: for tests of pages that name places."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]


@cache
def defined(path: Path) -> set[str]:
    """The names of the functions and classes in a file, methods too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
