"""The documentation builds as a site: no dead link, and a reference with what the code says today."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_docs_build_without_a_dead_link_and_the_reference_is_from_the_code(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        words, cwd=HOUSE, env=quiet, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    reference = (tmp_path / "site" / "reference" / "strategies.html").read_text(encoding="utf-8")
    assert "What certainly follows from this knowledge" in reference
    assert "may be opened" in reference
    assert (tmp_path / "site" / "players.html").is_file()
