"""Covers that a program draws over its own board: Sapper waits, and never clicks on them twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from covers import COVERS
from live import play_on, replays

from bot.desktop.backends import Desktop

pytestmark = [pytest.mark.live, pytest.mark.campaign]  # most wait for ten seconds

PROGRAM = Path(__file__).with_name("covered_game.py")
TITLE = "A test of covers"

CASES = [(style, name) for style in ("flat", "bevel", "checked", "rounded", "blank") for name in COVERS]


@pytest.mark.parametrize(("style", "name"), CASES)
def test_play_cover_not_clicked_no_mine_hit(style: str, name: str, desktop: Desktop, tmp_path: Path) -> None:
    """No guess of this game is lost, so every mine that is hit was a certain move or a wrong reading."""
    words = ("--style", style, "--cover", name, "--seed", "3")
    done, log = play_on(desktop, tmp_path, PROGRAM, TITLE, *words)
    events = [each["event"] for each in log]
    assert "shown" in events
    assert events.count("cover") <= 1
    assert events.count("stray") == 0
    assert [game["wrong_certain"] for game in done.objects] == [0]
    if done.code:
        assert done.code == 4, done
        assert "mine" not in events
    else:
        assert events[-1] in ("won", "mine")
    for folder in (tmp_path / "games").iterdir():
        replays(folder)
