"""Whole games of winemine by the Windows build, and the windows backend. Run under Wine by `make windows`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

winreg = pytest.importorskip("winreg", reason="Windows only: make windows")
assert sys.platform == "win32"

import shutil

from said import Said, run_process, run_sapper
from waiting import wait_for

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.ports import Box, Window, find_windows, window_at
from bot.play.finder import BoardFinder, DesktopAccess
from bot.readers import ReaderFactory
from strategies.isolation.supervisor import process_name

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(shutil.which("winemine") is None, reason="winemine is part of Wine only"),
]
ROOT = Path(__file__).resolve().parents[2]
PLAY = [sys.executable, "-m", "bot", "play", "--json", "--window", "WineMine", "--mines", "10", "--yes"]


@pytest.fixture(scope="module")
def place() -> Iterator[Desktop]:
    with open_desktop() as desktop:
        yield desktop


@pytest.fixture
def game(place: Desktop) -> Iterator[Window]:
    """winemine, 9x9, away from the corners of the screen."""
    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\WinMine") as key:
        for name, number in {"Xpos": 200, "Ypos": 150, "Difficulty": 0}.items():
            winreg.SetValueEx(key, name, 0, winreg.REG_DWORD, number)
    with started(place, "winemine", "^WineMine$") as window:
        yield window


@contextmanager
def started(place: Desktop, command: str, title: str) -> Iterator[Window]:
    """Run a program until the block ends; its window."""
    process = subprocess.Popen([command], stdin=subprocess.DEVNULL)
    try:
        wait_for(lambda: bool(find_windows(place.windows, title)))
        time.sleep(0.5)  # Wine may still move the window
        yield find_windows(place.windows, title)[0]
    finally:
        process.kill()
        process.wait()
        wait_for(lambda: not find_windows(place.windows, title))


@contextmanager
def logged_presses() -> Iterator[list[tuple[int, int]]]:
    """The positions of all presses in the block, filled when it ends."""
    script = ROOT / "tests" / "helpers" / "desktops" / "press_log.py"
    presses: list[tuple[int, int]] = []
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as log:
        assert log.stdout is not None
        assert log.stdout.readline().strip() == "ready"
        yield presses
        time.sleep(0.3)
        log.kill()
        presses += [(int(x), int(y)) for x, y in map(str.split, log.stdout)]


def play(*words: str) -> Said:
    """Run `sapper play` on the window."""
    return run_process(*PLAY, *words, timeout=400)


def check_games(said: Said, count: int) -> None:
    """All games ended, and no certain move hit a mine."""
    assert said.printed
    games = [(each["result"] in ("won", "lost"), each["wrong_certain"]) for each in said.objects]
    assert games == [(True, 0)] * count


def board_box(place: Desktop) -> Box:
    """The screen area of the board."""
    with place.open_grabber() as grabber:
        access = DesktopAccess(grabber, place.controls, place.windows)
        return BoardFinder(access, ReaderFactory.load(), window="WineMine", hands_off=True).find().box


def outside(box: Box, presses: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    left, top, width, height = box
    return [(x, y) for x, y in presses if not (left <= x < left + width and top <= y < top + height)]


def test_winemine_first_game_clicks_only_board(place: Desktop, game: Window, tmp_path: Path) -> None:
    box = board_box(place)
    with logged_presses() as presses:
        check_games(play("--record", str(tmp_path)), 1)
    assert presses
    assert outside(box, presses) == []
    assert run_sapper("replay", *tmp_path.iterdir()).printed


def test_winemine_next_games_end(game: Window) -> None:
    check_games(play("--games", "5"), 5)


def test_winemine_started_by_program_file_plays() -> None:
    words = ["--program", "winemine", "--size", "9x9", "--mines", "10", "--json", "--games", "2"]
    check_games(run_sapper("play", *words, timeout=400), 2)


def test_winemine_isolated_strategy_plays(game: Window, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from strategies import hookimpl\n@hookimpl\ndef deduce(knowledge): return []\n", "utf-8")
    said = play("--strategy", str(file), "--strategy", "single-cell", "--strategy", "best")
    check_games(said, 1)
    assert said.objects[0]["faults"] == []
    assert "mine" in said.objects[0]["strategies"]


def test_winemine_covered_is_not_pressed(place: Desktop, game: Window) -> None:
    with started(place, "notepad", "Notepad$") as cover:
        move(place, cover, (game.outer[0] + 20, game.outer[1] + 60, 400, 300))
        with logged_presses() as presses:
            said = play()
    assert said.code in {3, 4}, said
    assert presses == []


def test_winemine_window_beside_plays(place: Desktop, game: Window) -> None:
    left, top, width, _ = game.outer
    with started(place, "notepad", "Notepad$") as beside:
        move(place, beside, (left + width + 4, top, 400, 300))
        box = board_box(place)
        with logged_presses() as presses:
            check_games(play(), 1)
    assert outside(box, presses) == []


def test_winemine_cover_during_game_stops(place: Desktop, game: Window) -> None:
    with started(place, "notepad", "Notepad$") as cover:
        move(place, cover, (700, 500, 400, 300))
        with (
            logged_presses() as presses,
            subprocess.Popen([*PLAY, "--delay", "1500"], stderr=subprocess.PIPE) as run,
        ):
            under = place.controls.pointer
            wait_for(lambda: place.controls.pointer != under)
            move(place, cover, (game.outer[0], game.outer[1] + 40, 400, 300))
            time.sleep(0.1)
            covered_at = place.controls.pointer
            assert run.stderr is not None
            said = run.stderr.read().decode()
        assert run.returncode == 4, said
        assert "covered by" in said
        assert place.controls.pointer == covered_at or not presses


def test_winemine_user_takes_mouse_stops(place: Desktop, game: Window) -> None:
    with subprocess.Popen([*PLAY, "--delay", "1500"], stderr=subprocess.PIPE) as run:
        under = place.controls.pointer
        wait_for(lambda: place.controls.pointer != under)
        for x in range(900, 960):  # Wine undoes a single move that meets one of Sapper's
            time.sleep(0.2)
            place.controls.forget_pointer()
            place.controls.move(x, 700)
            if run.poll() is not None:
                break
        assert run.stderr is not None
        said = run.stderr.read().decode()
    assert (run.returncode, "you took the mouse" in said) == (5, True), said


def test_winemine_advise_reads_board(game: Window) -> None:
    done = run_sapper("advise", "--once", "--json", "--window", "WineMine", "--mines", "10")
    assert len(json.loads(done.printed)["rows"]) == 9


def test_desktop_windows_are_described(place: Desktop, game: Window) -> None:
    windows = place.windows
    left, top, width, height = game.outer
    assert game.box[0] >= left
    assert game.box[1] > top
    assert process_name(game.pid) == "winemine"
    assert windows.is_responsive(game.id, 1.0)
    assert window_at(windows, left + width / 2, top + height / 2) == game
    assert windows.target(game.id)
    assert not windows.is_popup(game.id)
    with started(place, "notepad", "Notepad$") as other:
        assert not windows.same_program(game.id, other.id)
        windows.dismiss(other.id)
        wait_for(lambda: windows.get(other.id) is None)


def test_desktop_press_refuses_moved_window(place: Desktop, game: Window) -> None:
    target = place.windows.target(game.id)
    assert target is not None
    move(place, game, (game.outer[0] + 30, game.outer[1], game.outer[2], game.outer[3]))
    left, top, width, height = target.box
    with logged_presses() as presses:
        place.controls.forget_pointer()
        assert not place.controls.click(left + width // 2, top + height // 2, target=target)
    assert presses == []


def test_desktop_overlay_takes_no_clicks(place: Desktop, game: Window) -> None:
    """Nor is it captured; it goes when the window below moves."""
    left, top, width, height = board_box(place)
    with place.open_grabber() as grabber, place.open_overlay(grabber, ("F7",)) as overlay:
        before = grabber.grab((left, top, width, height))
        overlay.attach_at(left + width / 2, top + height / 2)
        overlay.show(np.full((height // 2, width, 4), (0, 0, 255, 255), np.uint8), left, top)
        wait_for(lambda: bool((grabber.grab((left, top, width, 1)).pixels == (0, 0, 255)).all()))
        assert (overlay.clean_capture.grab((left, top, width, height)).pixels == before.pixels).all()
        assert window_at(place.windows, left + 8, top + 8) == game
        target = place.windows.target(game.id)
        place.controls.forget_pointer()
        assert place.controls.click(left + 8, top + 8, target=target)
        wait_for(
            lambda: bool(
                (overlay.clean_capture.grab((left, top, 8, 8)).pixels != before.pixels[:8, :8]).any()
            )
        )
        move(place, game, (game.outer[0] + 30, game.outer[1], game.outer[2], game.outer[3]))
        overlay.poll_keys()
        wait_for(lambda: not (grabber.grab((left, top, 20, 1)).pixels == (0, 0, 255)).all())


def move(place: Desktop, window: Window, box: Box) -> None:
    """Move a window in front of all others."""
    import ctypes

    ctypes.windll.user32.SetWindowPos(window.id, 0, *box, 0x40)
    wait_for(lambda: (now := place.windows.get(window.id)) is not None and now.outer[:2] == box[:2])
