"""Many games in a row, under a window manager and with busy processes: no act stays without effect."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from headless_sway import sway
from staging import ROOT, Bystander, field_file

from benchmarks.live_games import SCREEN, LiveSeries, play_here, play_series
from bot.desktop.virtual import virtual_screen

pytestmark = [pytest.mark.live, pytest.mark.campaign]

LOOKS = ROOT / "benchmarks" / "looks"
GAMES = 20
SIZES = {  # columns, rows, mines
    "sgt-mines": ("9x9", "10"),
    "xdemineur": ("12x12", "20"),
    "gnome-mines": ("8x8", "10"),
    "xbomb": ("16x16", "40"),
    "field": ("12x10", "15"),  # our own; polls the mouse 30 times per second
    "page-polled": ("12x10", "15"),  # our own, in a browser; polls once per frame
    "page-letters": ("12x10", "15"),  # the same page as text without lines
    "sprites-2000": ("9x9", "10"),  # pygame
}
NEEDS = {
    "xbomb": "xbomb",
    "page-polled": "chromium",
    "page-letters": "chromium",
    "sprites-2000": "look-sprites",
}


@pytest.fixture(autouse=True)
def looks_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the programs from tools/get_looks.sh to the path."""
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], str(ROOT / ".looks" / "bin")]))


def file_of(name: str, folder: Path) -> str:
    """The value of `--program`; skips the test if the program is not installed."""
    if name in NEEDS and shutil.which(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed: use apt-get or tools/get_looks.sh")
    if name == "field":
        return str(field_file(folder, "--frame", "0.033")[0])
    return str(LOOKS / f"{name}.toml") if (LOOKS / f"{name}.toml").exists() else name


def check(series: LiveSeries, games: int) -> None:
    """All games ended, and no certain move hit a mine."""
    assert (series.code, len(series.games)) == (0, games), series.stderr
    assert {game["result"] for game in series.games} <= {"won", "lost"}
    assert series.row["wrong certain"] == series.row["cells read wrong"] == 0


@pytest.mark.parametrize("busy", [0, 2])
@pytest.mark.parametrize("name", SIZES)
def test_series_no_game_ends_for_lost_clicks(name: str, busy: int, tmp_path: Path) -> None:
    size, mines = SIZES[name]
    words = [] if name == "xbomb" else ["--size", size]
    series = play_series(tmp_path, file_of(name, tmp_path), GAMES, *words, "--mines", mines, busy=busy)
    check(series, GAMES)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["xdemineur", "sgt-mines", "kmines", "gnome-mines"])
def test_series_hundred_games_press_board_only(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A window below the program logs presses that miss it. Prints a row of docs/results/faults.md."""
    size, mines = SIZES.get(name, ("9x9", "10"))
    width, height = map(int, SCREEN.split("x"))
    with virtual_screen(width, height, window_manager=True), Bystander(
        tmp_path, (0, 0, width, height), "--below"
    ) as below:  # fmt: skip
        series = play_here(tmp_path, 100, "--program", name, "--size", size, "--mines", mines)
        presses = below.presses
    with capsys.disabled():
        print(f"\n{name} {size}/{mines}: {series.row}, {len(presses)} presses outside")  # noqa: T201
    assert presses == []
    check(series, 100)


def test_series_three_hundred_games(tmp_path: Path) -> None:
    series = play_series(tmp_path, "xdemineur", 300, "--size", "12x9", "--mines", "10")
    check(series, 300)


@pytest.mark.parametrize("name", ["gnome-mines", "sgt-mines"])
def test_series_ten_games_on_sway(name: str, tmp_path: Path) -> None:
    size, mines = SIZES[name]
    words = ["--program", name, "--size", size, "--mines", mines]
    with sway() as running:
        series = play_here(tmp_path, 10, *words, environment=running.variables)
    check(series, 10)
