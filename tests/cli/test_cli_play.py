"""`sapper play`: options refused before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from said import Sapper, refused


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (2, "", "--program"),  # no display and no program
        (2, "--virtual", "--program"),
        (2, "--program nosuch", "'nosuch'"),
        (7, "--program nosuch.toml", "nosuch.toml"),
        (7, "--program broken.toml", "broken.toml"),
        (2, "--size 5000x5000", "5000x5000"),
        (2, "--size 12x12 --mines 144", "144 mines do not fit on 12x12"),
        (2, "--size 9x300", "has no board 9x300: choose"),  # the message names no mine total
        (2, "--size 9x300 --mines 9", "has no board 9x300 with 9 mines: choose"),
        (2, "--virtual --backend wayland", "a virtual screen is an X11 screen: leave out --backend wayland"),
        (2, "--observer talli", "'talli' is not a known observer (did you mean 'tally'?): use one of tally,"),
        (2, "--screen 10x10", "'10x10'"),
        (2, "--flags none", "--flags none"),
        (2, "--skin nosuch", "'nosuch'"),
        (7, "--skin broken.skin", "broken.skin"),
        (2, "--strategy nosuch", "'nosuch'"),
        (7, "--strategy broken.py", "broken.py, line 2"),
        (2, "--record empty.py", "--record"),
    ],
)
def test_play_wrong_options_refused_before_start(
    code: int, words: str, message: str, sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.desktop.virtual.virtual_screen", pytest.fail)
    (tmp_path / "broken.toml").write_text("command = [")
    (tmp_path / "broken.skin").write_bytes(b"PK")
    (tmp_path / "broken.py").write_text("import os\ndef (:\n")
    (tmp_path / "empty.py").write_text("")
    program = [] if "--program" in words or message == "--program" else ["--program", "xdemineur"]
    refused(sapper("play", *program, *words.split()), code, message)
