"""Pages pass the accessibility checker axe-core; tests/analyse checks the analysis page."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import needs_axe, needs_chromium, visit, with_axe
from places import FIXTURES
from said import Sapper

pytestmark = [pytest.mark.slow, needs_chromium, needs_axe]
LOG = """players Ann 6, Bob 6, Cat 6
me Ann: Green, Rope, Hall, Study, Dagger, White
Bob asks plum, wrench, kitchen: Cat shows
"""


def violations(page: Path) -> list[list[str]]:
    """The rules of the checker that a page violates, each with the first element."""
    text = page.read_text(encoding="utf-8").replace("<body>", '<body data-ready="1">')
    page.write_text(with_axe(text), encoding="utf-8")
    return list(visit(page.as_uri(), page.parent)["axe"])


def test_review_pages_accessible(tmp_path: Path, sapper: Sapper) -> None:
    games = (FIXTURES / "recordings" / name for name in ("kmines-001", "ace-minesweeper-001"))
    assert sapper("review", *games, "--out", tmp_path).code == 0
    for name in ("kmines-001.html", "index.html"):
        assert violations(tmp_path / name) == []


def test_clue_page_accessible(tmp_path: Path, sapper: Sapper) -> None:
    (tmp_path / "game.clue").write_text(LOG, encoding="utf-8")
    page = tmp_path / "clue.html"
    assert sapper("clue", tmp_path / "game.clue", "--odds", "--html", page).code == 0
    assert violations(page) == []
