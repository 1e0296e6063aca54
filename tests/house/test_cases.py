"""Cases of docs/reference/exit-codes.md without another test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from live import program_on, session_on
from said import Sapper

from bot.cli.doctor import Requirement
from bot.desktop.backends import Desktop
from bot.game.player import make_player
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.readers import ReaderFactory
from games.errors import BoardUnplayable
from games.minesweeper import Board, Move
from strategies import Reasoner, load_strategies
from vision.frame import MssCapture
from vision.reading import Reading


def test_a_display_that_cannot_be_opened() -> None:
    """In a process of its own: pyautogui opens its display once."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "--mines", "10"],
        env=os.environ | {"DISPLAY": ":987"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (8, "")
    assert "the display :987 cannot be opened" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_doctor_who_finds_something(monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    lacking = Requirement("Xvfb", False, True, "virtual screens", "apt-get install xvfb")
    monkeypatch.setattr("bot.cli.doctor.examine", lambda: [lacking])
    captured = sapper("doctor")
    assert captured.code == 8
    assert "MISSING Xvfb" in captured.out
    assert "apt-get install xvfb" in captured.out
    assert captured.err == "sapper: live play requires Xvfb: see the lines above\n"


@pytest.mark.live
def test_a_screen_that_is_too_small() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "--program", "xdemineur", "--virtual", "--screen", "400x300"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert "the board is cut at the " in done.stderr


@pytest.mark.live
def test_a_board_of_another_size(desktop: Desktop) -> None:
    with (
        program_on(desktop, "xdemineur", "12x9/10"),
        session_on(desktop, None, size=(30, 16)) as session,
        pytest.raises(BoardUnplayable, match="a board of 12x9 is to be seen, not of 30x16"),
    ):
        next(session.games(1))


@pytest.mark.live
def test_more_games_on_a_program_that_nobody_described(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.programs.program.Program.of_window", lambda title, command: None)
    with program_on(desktop, "sgt-mines", "9x9/10"), MssCapture() as grabber:
        around = DesktopAccess(grabber, desktop.hands, desktop.windows)
        finder = BoardFinder(around, ReaderFactory.load())
        session = Session(PlayOptions(mines=10), around, finder, load_strategies(), "test")
        assert [(game.result in ("won", "lost"), game.program) for game in session.games(2)] == [
            (True, None)
        ] * 2


def test_a_board_that_nobody_can_read() -> None:
    class Hidden:
        """A table of which nothing is to be seen."""

        def look(self) -> Reading:
            return Reading.sure(Board(4, 4, "~" * 16))

        def act(self, moves: Sequence[Move], certain: bool) -> None:
            raise AssertionError("nothing may be clicked")

    player = make_player(Hidden(), Reasoner(load_strategies()), GameRules())
    with pytest.raises(BoardUnplayable, match="most of it is unknown"):
        player.play()
