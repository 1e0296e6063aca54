"""Advice for a person who plays: what it says about boards, and how boards are watched."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from drawing import SKIN, Pictures, draw, lattice_for, sight, skin_of
from tables import JumpingClock

from bot.game.types import GameRules
from bot.play.finder import BoardFinder, LocatedBoard
from bot.play.spectator import Spectator, SpectatorReader
from bot.show.advice import Advice, Advisor
from bot.show.board_text import render_board
from bot.show.terminal import KeyReader
from games.errors import BoardNotFound
from games.minesweeper import Board, FirstClick
from strategies import load_strategies
from vision.annotations import load_annotated
from vision.frame import Frame
from vision.reading import Reading

CORNER = Path(__file__).resolve().parents[2] / "fixtures" / "halfway" / "sgt-mines-corner"


def advise(rows: str, mines: int | None = None) -> Advice:
    return Advisor(load_strategies(), GameRules(mines)).advise(Board.parse(rows))


def test_advise_variant_uses_its_rules() -> None:
    board = Board.parse("...\n.1.")  # of both windows of quad: r0c1
    plain = Advisor(load_strategies(), GameRules()).advise(board)
    quad = Advisor(load_strategies(), GameRules(variant="quad")).advise(board)
    assert not plain.safe | plain.mines
    assert (board.names(quad.mines), len(board.names(quad.safe))) == (["r0c1"], 4)


def test_advise_safe_cells_marks_and_names_them() -> None:
    advice = advise("...\n121\n000", 2)
    name = advice.board.names
    assert (name(advice.safe), name(advice.mines), advice.guess) == (["r0c1"], ["r0c0", "r0c2"], None)
    assert advice.why[0] == "r0c1 is safe."
    assert any("r1c1 = 2" in sentence for sentence in advice.why)


def test_advise_nothing_safe_shows_risks_and_guess() -> None:
    advice = advise("..\n11", 1)
    assert (advice.safe, advice.mines) == (0, 0)
    assert advice.guess is not None
    assert advice.risks == {0: 0.5, 1: 0.5}
    assert "50.0% safe" in advice.why[0]
    assert render_board(advice.board, advice.marks, advice.risks).plain == "   0\n0 50 50 \n1  1  1 \n"


@pytest.mark.parametrize("promise", ["zero", "safe"])
def test_advise_promised_first_click_is_no_risk(promise: FirstClick) -> None:
    board = Board.parse("....\n....\n....")
    advice = Advisor(load_strategies(), GameRules(2, promise)).advise(board)
    assert (advice.guess, advice.proven is not None) == (None, True)
    assert f"the first click is {promise}" in advice.why[1]
    assert Advisor(load_strategies(), GameRules(2)).advise(board).guess is not None


def test_advise_wrong_flag_is_reported() -> None:
    advice = advise("F..\n121\n000".replace("F..", ".F."), 2)
    assert advice.board.names(advice.wrong_flags) == ["r0c1"]
    assert "wrong flag" in advice.marks.values()


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("3.\n00", "cannot"),
        ("*1\n11", "The game is over."),
        ("00\n00", "Nothing is left to do."),
    ],
)
def test_advise_impossible_board_explains(rows: str, told: str) -> None:
    assert told in advise(rows).why[0]


def test_advise_json_fields() -> None:
    said = advise("...\n121\n000", 2).as_json()
    assert list(said) == ["rows", "safe", "mines", "wrong_flags", "move", "guess", "risks", "why", "faults"]
    assert said["move"] in {"r0c0", "r0c1", "r0c2"}


# --- watching ----------------------------------------------------------------------------------------------


class Games:
    """A screen that shows board after board, each for many looks, and a finder that knows where."""

    def __init__(self, *boards: Board | None) -> None:
        self.skin = skin_of(SKIN)
        self.sight = sight()
        self.boards = boards
        self.searches = 0
        self.looks = 0

    def shown(self) -> Board | None:
        return self.boards[min(self.looks // 40, len(self.boards) - 1)]

    def show(self, grab: int) -> Any:
        self.looks += 1
        board = self.shown()
        if board is None:
            return Frame(np.random.default_rng(1).integers(0, 256, (160, 400, 3), np.uint8))
        return draw(board, self.skin)

    def find(self) -> LocatedBoard:
        self.searches += 1
        self.looks += 1
        board = self.shown()
        if board is None:
            raise BoardNotFound("no board is to be seen: show one")
        return LocatedBoard(draw(board, self.skin), lattice_for(board, self.skin, 24, 32), board, self.skin)

    def watched(self, count: int) -> list[Board | str]:
        pictures = Pictures(self.show)
        watcher = Spectator(cast("Any", pictures), cast("BoardFinder", self), JumpingClock())
        return list(itertools.islice(watcher.boards(), count))


FIRST = Board.parse("........\n...1....")
SECOND = Board.parse("........\n..111...")
NOTHING: Any = None  # a picture, for readers that need none
OTHER = Board.parse("......\n..2...\n......")


def test_spectator_each_change_yields_board() -> None:
    assert Games(FIRST, SECOND, FIRST).watched(3) == [FIRST, SECOND, FIRST]


class Readings:
    """A sight whose reader reads these boards, one after the other, and counts what it may learn from."""

    def __init__(self, *boards: Board) -> None:
        self.boards = list(boards)
        self.learned = 0

    def reader(self, *_: object) -> Readings:
        return self

    def observe(self, frame: object) -> Reading:
        return Reading.sure(self.boards.pop(0))

    def notify_moves(self, moves: object, certain: bool) -> None:
        self.learned += 1


def test_spectator_held_button_is_ignored() -> None:
    held = FIRST.with_states({0: "0"})  # a blank among closed cells
    sight = Readings(FIRST, held, SECOND, held, held)
    onlooker = SpectatorReader(cast("Any", sight), NOTHING, None)
    read = [onlooker.read(NOTHING, has_stayed=False) for _ in range(4)]
    assert [reading and reading.board for reading in read] == [FIRST, None, SECOND, None]
    assert sight.learned == 2, "the two that were new"
    stayed = onlooker.read(NOTHING)  # then it is no passing one
    assert stayed is not None
    assert (stayed.board, sight.learned) == (held, 3)


def test_spectator_quick_clicks_are_followed() -> None:
    """By itself the second picture may as well be all open but for the two cells in the corner."""
    after = load_annotated(CORNER / "after.png")
    onlooker = SpectatorReader(sight(), after.lattice, None)
    before = load_annotated(CORNER / "before.png", CORNER / "after.txt").frame
    assert onlooker.read(before, has_stayed=False) is not None
    reading = onlooker.read(after.frame, has_stayed=False) or onlooker.read(after.frame)
    assert reading is not None
    assert reading.board.cells_showing(".") == after.board.cells_showing(".")
    assert reading.board.cells_showing("1") == after.board.cells_showing("1")


def test_spectator_lasting_unread_cell_is_reported() -> None:
    held = FIRST.with_states({FIRST.cell("r1c7"): "~"})  # the ground of a held button, half drawn
    onlooker = SpectatorReader(cast("Any", Readings(FIRST, held, held, held)), NOTHING, None)
    assert onlooker.read(NOTHING, has_stayed=False) is not None
    assert onlooker.read(NOTHING, has_stayed=False) is None
    stayed = onlooker.read(NOTHING)  # read twice: as what follows, and by itself
    assert stayed is not None
    assert stayed.board == held


def test_spectator_new_game_needs_stable_picture() -> None:
    """Of the flash of a lost game most is unread, and by itself it may be covers; so may a new game."""
    flash, fresh = SECOND.with_states(dict.fromkeys(range(4, 16), "~")), Board.fresh(2, 8)
    sight = Readings(SECOND, flash, SECOND, flash, fresh, fresh, fresh)
    onlooker = SpectatorReader(cast("Any", sight), NOTHING, None)
    read = [onlooker.read(NOTHING, has_stayed=False) for _ in range(3)]
    assert [reading and reading.board for reading in read] == [SECOND, None, None]
    other = onlooker.read(NOTHING)  # read twice: as what follows, and by itself
    assert other is not None
    assert other.board == fresh
    assert onlooker.read(NOTHING) is None


def test_spectator_lost_board_is_searched_again() -> None:
    games = Games(FIRST, None, OTHER)
    assert games.watched(3) == [FIRST, "no board is to be seen: show one", OTHER]


def test_spectator_no_board_at_start_raises() -> None:
    with pytest.raises(BoardNotFound):
        Games(None).watched(1)


# --- keys --------------------------------------------------------------------------------------------------


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that standard input is."""
    person, program = os.openpty()
    with os.fdopen(program, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield person
    os.close(person)


def test_keys_reported_once_and_at_once(typed: int) -> None:
    keys = KeyReader()
    assert keys.pressed() == ""
    keys.open()
    assert keys.are_open
    os.write(typed, b"xR")
    assert keys.pressed() == "r"
    assert keys.pressed() == ""
    keys.close()
    os.write(typed, b"q\n")
    assert keys.pressed() == ""


def test_keys_without_terminal_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    keys = KeyReader()
    keys.open()
    assert (keys.are_open, keys.pressed()) == (False, "")
