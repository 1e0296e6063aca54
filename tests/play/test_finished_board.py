"""A board that is already finished when Sapper starts is not a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from drawing import draw, lattice_for
from live import played, program_on, session_on
from waiting import wait_for

from benchmarks.random_skins import random_skin
from bot.desktop.backends import Desktop
from bot.game.types import GameRules
from bot.play.finder import LocatedBoard
from bot.play.next_game import NextGameFinder
from bot.play.session import PlayOptions, Session
from bot.programs.program import Program
from games.errors import BoardUnplayable
from games.minesweeper import Board
from strategies import load_strategies

WON = "01F1\n0111\n1100\nF100\n1100"
UNREAD = "~1F1\n0111\n1100\nF100\n1100"
LOST = "01*1\n0111\n1100\n!...\n...."


class OneBoard:
    """A finder that sees one board, and a desktop that reports no windows."""

    running = None
    windows = SimpleNamespace(at=lambda _x, _y: None, all=lambda: ())

    def __init__(self, text: str) -> None:
        look, self._board = random_skin(5), Board.parse(text)
        self._frame, self._lattice = draw(self._board, look), lattice_for(self._board, look, 24, 32)

    def find_first(self) -> LocatedBoard:
        return LocatedBoard(self._frame, self._lattice, self._board)


class BegunTotals:
    """A mine total that keeps its boards; a claim for another size cannot be dropped."""

    def __init__(self) -> None:
        self.begun: list[LocatedBoard] = []

    def begin(self, seen: LocatedBoard) -> None:
        self.begun.append(seen)

    def in_rules(self, rules: GameRules) -> GameRules:
        return rules

    def drop_claim(self) -> None:
        raise BoardUnplayable("the total is for another size")


@pytest.mark.parametrize("text", [WON, LOST])
def test_session_finished_board_is_no_game(text: str) -> None:
    seen: Any = OneBoard(text)
    session = Session(PlayOptions(yes=True), seen, seen, load_strategies(), "test")
    with pytest.raises(BoardUnplayable, match="the game is already over: start the next game"):
        list(session.games(1))


def test_session_unknown_theme_needs_consent() -> None:
    seen: Any = OneBoard("....\n....\n....")
    session = Session(PlayOptions(), seen, seen, [], "test")
    with pytest.raises(BoardUnplayable, match=r"unknown theme: name its window with --window, or .* --yes"):
        next(session.games(1))


@pytest.mark.parametrize("text", [WON, UNREAD, LOST])
def test_session_finished_board_asks_next_game(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Board] = []

    def next_board(finder: NextGameFinder, before: LocatedBoard, last: Board) -> LocatedBoard:
        asked.append(last)
        return OneBoard("....\n....").find_first()

    monkeypatch.setattr(NextGameFinder, "next_board", next_board)
    monkeypatch.setattr("bot.play.session.game_window", lambda *_: object())
    seen, totals = cast(Any, OneBoard(text)), cast(Any, BegunTotals())
    session = Session(PlayOptions(yes=True), seen, seen, load_strategies(), "test", totals=totals)
    with pytest.raises(BoardUnplayable, match="the total is for another size"):
        list(session.games(1))
    assert asked == [Board.parse(text)]


def test_session_misread_old_board_is_not_the_next() -> None:
    """A known program may need a second "new game" while its board flashes."""
    seen: Any = OneBoard(WON)
    boards = iter((UNREAD, "....\n....\n....\n....\n...."))
    seen.find = lambda: OneBoard(next(boards)).find_first()
    pressed: list[str] = []
    seen.running = SimpleNamespace(
        program=Program.load("sgt-mines"),
        size=SimpleNamespace(mines=2),
        new_game=lambda _box, state: pressed.append(state),
    )
    session = Session(PlayOptions(yes=True), seen, seen, load_strategies(), "test")
    with pytest.raises(AttributeError):  # this desktop cannot be played on
        list(session.games(1))
    assert pressed == ["won", "won"]


def test_session_begins_totals_once_for_each_board() -> None:
    """Each beginning reads the counter and prints the mine total."""
    seen, totals = cast(Any, OneBoard("01.1\n0111\n1100\n....\n....")), cast(Any, BegunTotals())
    session = Session(PlayOptions(yes=True), seen, seen, load_strategies(), "test", totals=totals)
    with pytest.raises(AttributeError):  # this desktop cannot be played on
        list(session.games(1))
    assert len(totals.begun) == 1


@pytest.mark.live
def test_session_finished_board_starts_next_game(desktop: Desktop) -> None:
    with program_on(desktop, "sgt-mines", "9x9/10") as running:
        with session_on(desktop, running) as session:
            played(*session.games(1))
            wait_for(lambda: not session.finder.find().board.closed)  # the flash of a won game is over
        with session_on(desktop, running) as session:
            (second,) = session.games(1)
    played(second)
    assert second.clicks > 0
