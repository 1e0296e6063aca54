"""Real programs on a real (virtual) screen: started, watched, given new games and ended without a trace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import mss
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.desktop.backends import Desktop, has_display, open_desktop, parse_screen
from bot.desktop.ports import Box, Windows, boxes_overlap, find_windows, window_at, windows_over
from bot.desktop.x11.windows import X11Windows
from bot.programs.program import Program, UiStep, find_executable
from bot.programs.runner import RunningProgram, private_environment, step_position, substitute
from games.errors import MissingRequirement, ProgramExited, UsageError
from strategies.isolation.supervisor import SupervisedProcess, descendants

# The board's place as a share of the window is not known here: clicks go to places that every board covers.


def picture(box: Box) -> NDArray[np.uint8]:
    left, top, width, height = box
    with mss.MSS() as screen:
        shot = screen.grab({"left": left, "top": top, "width": width, "height": height})
        return np.array(shot)[:, :, :3]


def wait_for_change(box: Box, before: NDArray[np.uint8], seconds: float = 3.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not np.array_equal(picture(box), before):
            return True
        time.sleep(0.02)
    return False


def is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.mark.live
@pytest.mark.parametrize("name", Program.names())
def test_program_starts_answers_and_leaves_nothing(name: str, desktop: Desktop) -> None:
    program = Program.load(name)
    desktop.hands.forget_pointer()
    desktop.hands.move(1200, 880)
    with RunningProgram.start(desktop, program) as running:
        assert running.is_alive()
        left, top, width, height = running.window.box
        assert 0 <= left < left + width <= 1280
        assert 0 <= top < top + height <= 900
        assert windows_over(desktop.windows, running.window.id, running.window.box) == []
        owner = window_at(desktop.windows, left + width / 2, top + height / 2)
        assert owner is not None
        assert owner.id == running.window.id
        before = picture(running.window.box)
        for share in (0.45, 0.55):
            desktop.hands.click(left + width * 0.4, top + height * share, "right")
        assert wait_for_change(running.window.box, before), "a flag shows"
        board = (left + width // 10, top + height // 5, width * 8 // 10, height * 7 // 10)
        running.new_game(board, "lost")
        assert running.is_alive()
        pids = running.pids
    assert not [pid for pid in pids if not is_gone(pid)]
    with pytest.raises(ProgramExited, match=name):
        _ = running.window


@pytest.mark.live
def test_program_ends_is_noticed(desktop: Desktop) -> None:
    with RunningProgram.start(desktop, Program.load("xdemineur")) as running:
        for pid in running.pids:
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + 5
        while running.is_alive() and time.monotonic() < deadline:
            time.sleep(0.02)
        with pytest.raises(ProgramExited, match="went away"):
            _ = running.window


@pytest.mark.live
def test_program_not_installed_names_package(desktop: Desktop) -> None:
    text = (
        'package = "minez"\ncommand = ["no-such-minez"]\nwindow = "x"\n'
        '[board]\ndefault = "9x9/10"\ncolumns=[9, 9]\nrows=[9, 9]'
    )
    with pytest.raises(MissingRequirement, match="apt-get install minez"):
        RunningProgram.start(desktop, Program.parse("minez", text, "minez.toml"))


@pytest.mark.live
def test_program_ends_at_once_is_quoted(desktop: Desktop) -> None:
    text = (
        'command = ["sh", "-c", "echo no board today; exit 3"]\nwindow = "x"\n'
        '[board]\ndefault = "9x9/10"\ncolumns=[9, 9]\nrows=[9, 9]'
    )
    with pytest.raises(ProgramExited, match="no board today"):
        RunningProgram.start(desktop, Program.parse("shy", text, "shy.toml"))


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
@pytest.mark.live
@pytest.mark.parametrize(("name", "stopped"), [("sgt-mines", False), ("xdemineur", None)])
def test_windows_answers_reports_hung_program(name: str, stopped: bool | None, desktop: Desktop) -> None:
    assert isinstance(desktop.windows, X11Windows)
    desktop.hands.forget_pointer()
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


def test_player_killed_leaves_no_process(tmp_path: Path) -> None:
    script = tmp_path / "player.py"
    script.write_text(
        textwrap.dedent("""
            import time
            from bot.desktop.backends import open_desktop
            from bot.programs.program import Program
            from bot.programs.runner import RunningProgram
            with open_desktop(virtual=True, window_manager=True) as desktop:
                with RunningProgram.start(desktop, Program.load("sgt-mines")) as running:
                    assert running.is_alive()
                    print("ready", flush=True)
                    time.sleep(60)
        """)
    )
    root = str(Path(__file__).resolve().parents[2])
    player = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert player.stdout is not None
    with player.stdout:
        assert player.stdout.readline() == "ready\n"
        family = descendants(player.pid)
        assert len(family) >= 4, "the server, the manager, the program and their keepers"
        player.kill()
        player.wait()
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline and not all(is_gone(pid) for pid in family):
        time.sleep(0.05)
    assert [pid for pid in family if not is_gone(pid)] == []


def test_supervised_process_close_ends_children() -> None:
    kept = SupervisedProcess(["sh", "-c", "setsid sleep 60 & exec sleep 60"], dict(os.environ))
    deadline = time.monotonic() + 5
    while len(kept.pids()) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    pids = kept.pids()
    kept.close()
    kept.close()
    assert len(pids) == 2
    assert all(is_gone(pid) for pid in pids)


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


def test_screen_sizes_parsed_or_refused() -> None:
    assert parse_screen("1920x1080") == (1920, 1080)
    for wrong in ("", "1920", "x", "10x10", "1920x1080x24", "99999x900"):
        with pytest.raises(UsageError, match="screen size"):
            parse_screen(wrong)


def test_overlap_needs_shared_pixel() -> None:
    assert boxes_overlap((0, 0, 10, 10), (9, 9, 5, 5))
    assert not boxes_overlap((0, 0, 10, 10), (10, 0, 5, 5))


def test_no_windows_backend_answers_nothing() -> None:
    windows = Windows()
    assert windows.all() is None
    assert window_at(windows, 1, 1) is None
    assert find_windows(windows, "x") == []
    assert not windows.held_keys("Escape")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_desktop_no_display_names_virtual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(MissingRequirement, match="--virtual"), open_desktop():
        pass


def test_desktop_no_xvfb_names_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MissingRequirement, match="apt-get install xvfb"), open_desktop(virtual=True):
        pass


def test_find_program_looks_in_usr_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert find_executable("xdemineur") == "/usr/games/xdemineur"
    assert find_executable("no-such-minez") is None
