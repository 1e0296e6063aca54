"""Known programs on a virtual screen: start, new game, exit, and the processes they leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from waiting import is_running, wait_for

from bot.desktop.backends import Desktop
from bot.desktop.ports import find_windows, window_at, windows_over
from bot.programs.program import Program, UiStep, find_executable
from bot.programs.runner import RunningProgram, private_environment, step_position, substitute
from games.errors import MissingRequirement, ProgramExited, SapperError
from strategies.isolation.supervisor import SupervisedProcess, descendants


@pytest.mark.live
@pytest.mark.parametrize("name", Program.names())
def test_program_starts_answers_and_leaves_nothing(name: str, desktop: Desktop) -> None:
    program = Program.load(name)
    desktop.controls.move(1200, 880)
    with RunningProgram.start(desktop, program) as running:
        left, top, width, height = running.window.box
        assert 0 <= left < left + width <= 1280
        assert 0 <= top < top + height <= 900
        assert windows_over(desktop.windows, running.window.id, running.window.box) == []
        owner = window_at(desktop.windows, left + width / 2, top + height / 2)
        assert owner is not None
        assert owner.id == running.window.id
        with desktop.open_grabber() as screen:
            before = screen.grab(running.window.box).pixels
            for share in (0.45, 0.55):  # a cell on every board
                desktop.controls.click(left + width * 0.4, top + height * share, ["right"])
            wait_for(lambda: not np.array_equal(screen.grab(running.window.box).pixels, before))
        board = (left + width // 10, top + height // 5, width * 8 // 10, height * 7 // 10)
        running.new_game(board, "lost")
        assert running.window.is_shown
        pids = running.pids
    assert not any(map(is_running, pids))
    with pytest.raises(ProgramExited, match=name):
        _ = running.window


@pytest.mark.live
def test_program_ends_is_noticed_and_restarted(desktop: Desktop) -> None:
    """Some programs end themselves after each game."""
    program = replace(Program.load("xdemineur"), new_game={"won": (UiStep("restart"),)})
    with RunningProgram.start(desktop, program) as running:
        for pid in running.pids:
            os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not running.pids)
        with pytest.raises(ProgramExited, match="went away"):
            _ = running.window
        running.new_game((0, 0, 9, 9), "won")
        assert running.window.is_shown


@pytest.mark.live
@pytest.mark.parametrize(
    ("command", "kind", "words"),
    [
        ('["no-such-minez"]', MissingRequirement, "apt-get install minez"),
        ('["sh", "-c", "echo no board today; exit 3"]', ProgramExited, "no board today"),
    ],
)
def test_program_start_failure_is_explained(
    command: str, kind: type[SapperError], words: str, desktop: Desktop
) -> None:
    text = f'package = "minez"\ncommand = {command}\nwindow = "x"\n[board]\ndefault = "9x9/10"'
    with pytest.raises(kind, match=words):
        RunningProgram.start(desktop, Program.parse("minez", text, "minez.toml"))


@pytest.mark.live
def test_windows_found_by_title_and_cover(desktop: Desktop) -> None:
    lower = Program.load("xdemineur")
    with (
        RunningProgram.start(desktop, lower) as board,
        RunningProgram.start(desktop, Program.load("ace-minesweeper")) as above,
    ):
        over = windows_over(desktop.windows, board.window.id, board.window.box)
        assert [window.id for window in over] == [above.window.id]
        assert [window.id for window in find_windows(desktop.windows, "ace-mine")] == [above.window.id]


@pytest.mark.live
@pytest.mark.parametrize(("name", "stopped"), [("sgt-mines", False), ("xdemineur", None)])
def test_windows_responsive_reports_hung_program(name: str, stopped: bool | None, desktop: Desktop) -> None:
    with RunningProgram.start(desktop, Program.load(name)) as running:
        id = running.window.id
        assert desktop.windows.is_responsive(id, 5.0) in (True, stopped)
        for pid in running.pids:
            os.kill(pid, signal.SIGSTOP)
        assert desktop.windows.is_responsive(id, 0.3) is stopped
        for pid in running.pids:
            os.kill(pid, signal.SIGCONT)
        assert desktop.windows.is_responsive(id, 5.0) in (True, stopped)
    assert desktop.windows.is_responsive(id, 0.1) is None


PLAYER = """
import time
from bot.desktop.backends import open_desktop
from bot.programs.program import Program
from bot.programs.runner import RunningProgram
with open_desktop(virtual=True, window_manager=True) as desktop:
    with RunningProgram.start(desktop, Program.load("sgt-mines")):
        print("ready", flush=True)
        time.sleep(60)
"""


@pytest.mark.live
def test_player_killed_leaves_no_process() -> None:
    with subprocess.Popen([sys.executable, "-c", PLAYER], stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        assert player.stdout.readline() == "ready\n"
        family = descendants(player.pid)
        assert len(family) >= 6  # Xvfb, openbox, the program, and their supervisors
        player.kill()
    wait_for(lambda: not any(map(is_running, family)))


def test_supervised_process_close_ends_children() -> None:
    supervised = SupervisedProcess(["sh", "-c", "setsid sleep 60 & exec sleep 60"], dict(os.environ))
    wait_for(lambda: len(supervised.pids()) == 2)
    pids = supervised.pids()
    supervised.close()
    supervised.close()
    assert not any(map(is_running, pids))


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ("click board 0.5 0.5", (60, 95)),
        ("click above 0.5 0.5", (60, 35)),
        ("click below 0 1", (20, 140)),
        ("click left 0.5 0", (15, 60)),
        ("click right 1 0", (110, 60)),
        ("click window 0 0", (10, 10)),
    ],
)
def test_step_places_are_shares_of_areas(step: str, place: tuple[float, float]) -> None:
    assert step_position(UiStep.parse(step), (20, 60, 80, 70), (10, 10, 100, 130)) == place


def test_fill_replaces_known_words_only() -> None:
    assert substitute("{columns}x{rows} {x} {}", {"columns": "9", "rows": "8"}) == "9x8 {x} {}"


def test_program_environment_is_private(tmp_path: Path) -> None:
    outer = {"HOME": "/people/p", "DISPLAY": ":3", "LC_TIME": "de_DE", "QT_QPA_PLATFORM_PLUGIN_PATH": "/x"}
    inner = private_environment(outer, tmp_path)
    assert inner["DISPLAY"] == ":3"
    assert inner["HOME"] == str(tmp_path)
    assert inner["XDG_CONFIG_HOME"].startswith(str(tmp_path))
    assert inner["XAUTHORITY"] == "/people/p/.Xauthority"
    assert inner["LC_ALL"] == "C.UTF-8"
    assert "LC_TIME" not in inner
    assert "QT_QPA_PLATFORM_PLUGIN_PATH" not in inner


def test_find_program_looks_in_usr_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert find_executable("xdemineur") == "/usr/games/xdemineur"
    assert find_executable("no-such-minez") is None
