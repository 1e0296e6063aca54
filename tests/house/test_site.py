"""The documentation builds as a site without broken links, and its library reference matches the code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import HOUSE, text_of


@pytest.mark.slow
def test_site_builds_strictly(tmp_path: Path) -> None:
    """Strict mode fails on broken links and on names that mkdocstrings cannot find."""
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        words, cwd=HOUSE, env=quiet, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    reference = (tmp_path / "site" / "reference" / "library.html").read_text(encoding="utf-8")
    assert 'id="strategies.hookspecs.deduce"' in reference
    assert 'id="games.minesweeper.board.Board"' in reference
    assert (tmp_path / "site" / "howto" / "play.html").is_file()


def test_navigation_names_every_page() -> None:
    """Decision records are reached from their index."""
    settings = text_of("mkdocs.yml")
    named = re.findall(r"- ([\w/-]+\.md)$", settings, re.MULTILINE)
    docs = HOUSE / "docs"
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    assert sorted(named) == sorted(page for page in pages if not re.match(r"adr/\d", page))
