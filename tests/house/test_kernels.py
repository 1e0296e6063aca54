"""The extension is optional, and up to date where it was built."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import strategies.kernels

FOLDER = Path(strategies.kernels.__file__).parent


@pytest.mark.skipif(not strategies.kernels.is_compiled(), reason="the extension was not built")
@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.pxd")))
def test_kernel_newer_than_source(name: str) -> None:
    built = next(path for path in FOLDER.glob(f"{name}.*") if path.name.endswith(tuple(EXTENSION_SUFFIXES)))
    suffix = ".pyx" if (FOLDER / f"{name}.pyx").exists() else ".py"
    for source in (FOLDER / f"{name}{suffix}", FOLDER / f"{name}.pxd"):
        assert source.stat().st_mtime <= built.stat().st_mtime, "run make kernels"
