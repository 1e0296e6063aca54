"""Covers that a program draws over its own board: Sapper waits, and never clicks on them twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from covers import COVERS
from live import replays
from said import run_sapper
from waiting import wait_for

from bot.desktop.backends import Desktop

pytestmark = [pytest.mark.live, pytest.mark.campaign]  # most wait for ten seconds

PROGRAM = Path(__file__).with_name("covered_game.py")
TITLE = "A test of covers"

CASES = [(style, name) for style in ("flat", "bevel", "checked", "rounded", "blank") for name in COVERS]


@pytest.mark.parametrize(("style", "name"), CASES)
def test_play_cover_not_clicked_no_mine_hit(style: str, name: str, desktop: Desktop, tmp_path: Path) -> None:
    """No guess of this game is lost, so every mine that is hit was a certain move or a wrong reading."""
    desktop.controls.move(20, 20)
    desktop.controls.forget_pointer()
    log, games = tmp_path / "log", tmp_path / "games"
    words = [str(log), "--style", style, "--cover", name, "--seed", "3"]
    child = subprocess.Popen([sys.executable, str(PROGRAM), *words])
    command = [
        "play",
        "--json",
        "--window",
        TITLE,
        "--skins",
        str(tmp_path / "skins"),
        "--record",
        str(games),
    ]
    try:
        wait_for(lambda: any(each.title == TITLE and each.is_shown for each in desktop.windows.all() or ()))
        done = run_sapper(*command, env=os.environ | {"XDG_DATA_HOME": str(tmp_path)})
    finally:
        child.terminate()
        child.wait()
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert "shown" in events
    assert events.count("cover") <= 1
    assert events.count("stray") == 0
    assert json.loads(done.out)["wrong_certain"] == 0
    if done.code:
        assert done.code == 4, done
        assert "mine" not in events
    else:
        assert events[-1] in ("won", "mine")
    for folder in games.iterdir():
        replays(folder)
