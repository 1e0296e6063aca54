"""A part of `make windows`, run on Linux if Wine and the assembled environment are there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from said import run_process

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="starts Wine")
def test_windows_build_quick_part() -> None:
    if shutil.which("wine") is None or not (ROOT / "build" / "windows" / "stamp").exists():
        pytest.skip("Wine or build/windows is missing: make windows")
    for words in (["build"], ["test", "quick"]):
        done = run_process(ROOT / "tools" / "windows.sh", *words, timeout=570)
        assert done.code == 0, done.out[-4000:] + done.err[-4000:]
