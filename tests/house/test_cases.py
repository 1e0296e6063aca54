"""Cases of docs/reference/exit-codes.md without another test."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from live import program_on, session_on
from said import Sapper, refused, run_sapper

from bot.cli.doctor import Requirement
from bot.desktop.backends import Desktop
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import GameRules
from games.errors import BoardUnplayable
from games.minesweeper import Board, Move
from strategies import Reasoner, load_strategies
from vision.reading import Reading


def test_display_unavailable_exits_8() -> None:
    said = run_sapper("play", "--mines", "10", env=os.environ | {"DISPLAY": ":987"})
    refused(said, 8, "the display :987 cannot be opened")


def test_doctor_missing_requirement_exits_8(monkeypatch: pytest.MonkeyPatch, sapper: Sapper) -> None:
    lacking = Requirement("Xvfb", False, True, "virtual screens", "apt-get install xvfb")
    monkeypatch.setattr("bot.cli.doctor.examine", lambda: [lacking])
    captured = sapper("doctor")
    assert captured.code == 8
    assert "MISSING Xvfb" in captured.out
    assert "apt-get install xvfb" in captured.out
    assert captured.err == "sapper: live play requires Xvfb: see the lines above\n"


@pytest.mark.live
def test_board_of_other_size_unplayable(desktop: Desktop) -> None:
    with (
        program_on(desktop, "xdemineur", "12x9/10"),
        session_on(desktop, None, size=(30, 16)) as session,
        pytest.raises(BoardUnplayable, match="found a 12x9 board, expected 30x16"),
    ):
        next(session.games(1))


class UnreadableTable:
    def look(self) -> Reading:
        return Reading.sure(Board(4, 4, "~" * 16))

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        raise AssertionError("no click is allowed")


def test_unreadable_board_unplayable() -> None:
    player = Player(UnreadableTable(), Planner(Reasoner(load_strategies()), GameRules()))
    with pytest.raises(BoardUnplayable, match="most of it is unknown"):
        player.play()
