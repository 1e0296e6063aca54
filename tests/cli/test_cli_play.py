"""`sapper play` on the command line: what can be told before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from said import Sapper, refused


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (2, [], "--program"),  # no display, and nothing to start
        (2, ["--virtual"], "--program"),
        (2, ["--program", "nosuch"], "'nosuch'"),
        (7, ["--program", "nosuch.toml"], "nosuch.toml"),
        (7, ["--program", "broken.toml"], "broken.toml"),
        (2, ["--program", "xdemineur", "--size", "5x"], "'5x'"),
        (2, ["--program", "xdemineur", "--size", "5000x5000"], "5000x5000"),
        (2, ["--program", "xdemineur", "--size", "12x12", "--mines", "144"], "144 mines do not fit on 12x12"),
        (2, ["--program", "xdemineur", "--screen", "10x10"], "'10x10'"),
        (2, ["--program", "xdemineur", "--screen", "wide"], "'wide'"),
        (2, ["--program", "xdemineur", "--flags", "none"], "--flags none"),
        (2, ["--program", "xdemineur", "--skin", "nosuch"], "'nosuch'"),
        (7, ["--program", "xdemineur", "--skin", "broken.skin"], "broken.skin"),
        (2, ["--program", "xdemineur", "--strategy", "nosuch"], "'nosuch'"),
        (7, ["--program", "xdemineur", "--strategy", "nosuch.py"], "nosuch.py"),
        (7, ["--program", "xdemineur", "--strategy", "broken.py"], "broken.py, line 2"),
        (7, ["--program", "xdemineur", "--strategy", "empty.py"], "empty.py"),
        (2, ["--program", "xdemineur", "--record", "empty.py"], "--record"),
    ],
)
def test_play_wrong_options_refused_before_start(
    code: int,
    words: list[str],
    told: str,
    sapper: Sapper,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(*_: object) -> None:
        raise AssertionError("a virtual screen was started")

    monkeypatch.setattr("bot.desktop.virtual.VirtualScreen.__init__", nothing)
    (tmp_path / "broken.toml").write_text("command = [")
    (tmp_path / "broken.skin").write_bytes(b"PK")
    (tmp_path / "broken.py").write_text("import os\ndef (:\n")
    (tmp_path / "empty.py").write_text("")
    refused(sapper("play", *words), code, told)
