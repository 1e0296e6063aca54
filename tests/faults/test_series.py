"""Many games in a row, under a window manager and beside busy processes: no act is lost for good."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from staging import ROOT, field_file

from bot.desktop import VirtualScreen
from bot.recording import Recording

AGAIN = re.compile(r"clicked again, since it did not show: .*?(?: and (\d+) more)?$")
SPIN = "while True: pass"
pytestmark = [pytest.mark.live, pytest.mark.campaign]

LOOKS = ROOT / "benchmarks" / "looks"
GAMES = 20
SIZES = {  # columns, rows, mines
    "sgt-mines": ("9x9", "10"),
    "xdemineur": ("12x12", "20"),
    "gnome-mines": ("8x8", "10"),
    "xbomb": ("16x16", "40"),
    "field": ("12x10", "15"),  # ours: it looks at the mouse 30 times a second
    "page-polled": ("12x10", "15"),  # ours, in a browser: once in each of its frames
    "sprites-2000": ("9x9", "10"),  # pygame
}
NEEDS = {"xbomb": "xbomb", "page-polled": "chromium", "sprites-2000": "look-sprites"}


@dataclass(frozen=True)
class Series:
    """What `sapper play --json` said of its games, its exit code, and what it said on stderr."""

    games: tuple[Mapping[str, Any], ...]
    code: int
    said: str

    @property
    def acts(self) -> int:
        """Clicks that were made, in all games."""
        return sum(int(game["clicks"]) for game in self.games)

    def again(self, first: int = 0) -> int:
        """Those of them that made an act again, from this game on."""
        notes = [note for game in self.games[first:] for note in notes_of(Path(game["recording"]))]
        return sum(1 + int(said[1] or 0) for note in notes if (said := AGAIN.match(note)))


def notes_of(folder: Path) -> list[str]:
    """What a recording says was told."""
    return [str(event["text"]) for event in Recording(folder).events if event["event"] == "note"]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def play_series(folder: Path, program: str, games: int, *words: str, beside: int = 0) -> Series:
    """Play so many games in a row under openbox; nothing that was learned before is known."""
    command = [sys.executable, "-m", "bot", "play", "--program", program, "--games", str(games), "--json"]
    with VirtualScreen(1280, 900, window_manager=True), busy(beside):
        done = subprocess.run(
            [*command, "--record", str(folder / "games"), *words],
            env=os.environ | {"XDG_DATA_HOME": str(folder / "data")},
            capture_output=True,
            text=True,
            check=False,
        )
    return Series(tuple(json.loads(line) for line in done.stdout.splitlines()), done.returncode, done.stderr)


@pytest.fixture(autouse=True)
def looks_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tools/get_looks.sh fetched is found."""
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], str(ROOT / ".looks" / "bin")]))


def file_of(name: str, folder: Path) -> str:
    """What `--program` is told. Skips where the program is not there."""
    if name in NEEDS and shutil.which(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not here: apt-get install it, or tools/get_looks.sh fetches it")
    if name == "field":
        return str(field_file(folder, "--frame", "0.033")[0])
    return str(LOOKS / f"{name}.toml") if (LOOKS / f"{name}.toml").exists() else name


@pytest.mark.parametrize("beside", [0, 2])
@pytest.mark.parametrize("name", SIZES)
def test_no_game_ends_for_lost_presses(name: str, beside: int, tmp_path: Path) -> None:
    size, mines = SIZES[name]
    words = [] if name == "xbomb" else ["--size", size]
    series = play_series(tmp_path, file_of(name, tmp_path), GAMES, *words, "--mines", mines, beside=beside)
    assert (series.code, len(series.games)) == (0, GAMES), series.said
    assert {game["result"] for game in series.games} <= {"won", "lost"}
    assert sum(game["wrong_certain"] for game in series.games) == 0
    if not beside:
        assert 200 * series.again(first=1) < series.acts  # what a program wants is found out in the first


def test_three_hundred_games_in_a_row(tmp_path: Path) -> None:
    series = play_series(tmp_path, "xdemineur", 300, "--size", "12x9", "--mines", "10")
    assert (series.code, len(series.games)) == (0, 300), series.said
    assert {game["result"] for game in series.games} <= {"won", "lost"}
    assert sum(game["wrong_certain"] for game in series.games) == 0
    assert 200 * series.again() < series.acts
