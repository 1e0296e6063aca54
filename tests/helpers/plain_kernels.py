"""The kernels as plain Python, also if the extension was built."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import strategies.kernels

PACKAGE = "strategies.kernels"
FOLDER = Path(strategies.kernels.__file__).parent
SHARED = {f"{PACKAGE}.settings"}  # never compiled


class SourceFinder:
    """Finds the source of a kernel before its compiled module."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(f"{PACKAGE}."):
            return None
        return importlib.util.spec_from_file_location(name, FOLDER / f"{name.rpartition('.')[2]}.py")


@lru_cache(maxsize=1)
def plain_kernels() -> ModuleType:
    """A second copy of the package, from its sources; its modules are attributes."""
    loaded = {n: m for n, m in sys.modules.items() if n.startswith(PACKAGE) and n not in SHARED}
    for name in loaded:
        del sys.modules[name]
    finder = SourceFinder()
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(PACKAGE)
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(loaded)
        strategies.kernels = loaded[PACKAGE]
