"""`tools/check_proof.py` as a module: it is a script beside the packages, so it is loaded from its path."""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_proof.py"


@lru_cache(maxsize=1)
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_proof", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look
    spec.loader.exec_module(module)
    return module


def confirmed(problem: str, proof: str) -> list[str]:
    """The constraints of the `e` lines, when every line holds. Raises the tool's Wrong."""
    found: list[str] = tool().check(problem, proof).confirmed
    return found
