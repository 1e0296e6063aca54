"""A part of `make windows`, run on Linux if Wine and the assembled environment are there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="starts Wine")
def test_windows_build_quick_part() -> None:
    if shutil.which("wine") is None or not (ROOT / "build" / "windows" / "stamp").exists():
        pytest.skip("Wine or build/windows is missing: make windows")
    for words in (["build"], ["test", "quick"]):
        done = subprocess.run(
            [ROOT / "tools" / "windows.sh", *words], capture_output=True, text=True, check=False, timeout=570
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
