"""Hints for the player: advice on boards, the spectator that watches them, and keys."""

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
from bot.play.spectator import Spectator
from bot.show.advice import Advice, Advisor
from bot.show.board_text import render_board
from bot.show.terminal import KeyReader
from bot.spectator_reader import SpectatorReader, with_likely_marks
from games.errors import BoardNotFound
from games.minesweeper import Board
from strategies import load_strategies
from vision.annotations import load_annotated
from vision.frame import Frame
from vision.reading import BoardHypothesis, Reading

CORNER = Path(__file__).resolve().parents[2] / "fixtures" / "halfway" / "sgt-mines-corner"


def advise(rows: str, mines: int | None = None, **rules: Any) -> Advice:
    return Advisor(load_strategies(), GameRules(mines, **rules)).advise(Board.parse(rows))


def test_advise_variant_uses_its_rules() -> None:
    rows = "...\n.1."
    assert not advise(rows).safe | advise(rows).mines
    quad = advise(rows, variant="quad")  # r0c1 is in both windows
    assert (quad.board.names(quad.mines), quad.safe.bit_count()) == (["r0c1"], 4)


def test_advise_safe_cells_marks_and_names_them() -> None:
    advice = advise("...\n121\n000", 2)
    name = advice.board.names
    assert (name(advice.safe), name(advice.mines), advice.guess) == (["r0c1"], ["r0c0", "r0c2"], None)
    assert advice.why[0] == "r0c1 is safe."
    assert any("r1c1 = 2" in sentence for sentence in advice.why)


def test_advise_nothing_safe_shows_risks_and_guess() -> None:
    advice = advise("..\n11", 1)
    assert (advice.safe, advice.mines, advice.risks) == (0, 0, {0: 0.5, 1: 0.5})
    assert advice.guess is not None
    assert advice.why[1].startswith("50.0 % safe, 50.0 % to win")
    assert render_board(advice.board, advice.marks, advice.risks).plain == "   0\n0 50 50 \n1  1  1 \n"


@pytest.mark.parametrize("first_click", ["zero", "safe"])
def test_advise_guaranteed_first_click_is_no_risk(first_click: str) -> None:
    board = "....\n....\n...."
    advice = advise(board, 2, first_click=first_click)
    assert (advice.guess, advice.proven is not None) == (None, True)
    around = " or next to it" * (first_click == "zero")
    assert advice.why[1].startswith(f"the program puts no mine under the first click{around}: any cell")
    assert advise(board, 2).guess is not None


def test_advise_wrong_flag_is_reported() -> None:
    advice = advise(".F.\n121\n000", 2)
    assert advice.board.names(advice.wrong_flags) == ["r0c1"]
    assert "wrong flag" in advice.marks.values()


@pytest.mark.parametrize(
    ("rows", "text"),
    [("3.\n00", "cannot"), ("*1\n11", "The game is over."), ("00\n00", "Nothing is left to do.")],
)
def test_advise_impossible_board_explains(rows: str, text: str) -> None:
    assert text in advise(rows).why[0]


def test_advise_json_fields() -> None:
    said = advise("...\n121\n000", 2).as_json()
    assert list(said) == ["rows", "safe", "mines", "wrong_flags", "move", "guess", "risks", "why", "faults"]
    assert said["move"] in {"r0c0", "r0c1", "r0c2"}


# --- watching ----------------------------------------------------------------------------------------------


class Games:
    """A screen that shows board after board, each for 40 frames, and the finder of these boards."""

    def __init__(self, *boards: Board | None) -> None:
        self.skin = skin_of(SKIN)
        self.sight = sight()
        self.boards = boards
        self.frames = 0

    def next_board(self) -> Board | None:
        self.frames += 1
        return self.boards[min(self.frames // 40, len(self.boards) - 1)]

    def show(self, grab: int) -> Any:
        board = self.next_board()
        if board is None:
            return Frame(np.random.default_rng(1).integers(0, 256, (160, 400, 3), np.uint8))
        return draw(board, self.skin)

    def find(self) -> LocatedBoard:
        board = self.next_board()
        if board is None:
            raise BoardNotFound("no board found: show one")
        return LocatedBoard(draw(board, self.skin), lattice_for(board, self.skin, 24, 32), board, self.skin)

    find_first = find

    def watched(self, count: int) -> list[Board | str]:
        spectator = Spectator(cast("Any", Pictures(self.show)), cast("BoardFinder", self), JumpingClock())
        return list(itertools.islice(spectator.boards(), count))


FIRST = Board.parse("........\n...1....")
SECOND = Board.parse("........\n..111...")
NOTHING: Any = None  # frame and lattice, for readers that need none
OTHER = Board.parse("......\n..2...\n......")


def test_spectator_each_change_yields_board() -> None:
    assert Games(FIRST, SECOND, FIRST).watched(3) == [FIRST, SECOND, FIRST]


class Readings:
    """A reader of these boards, one after the other, that counts the moves it may learn from."""

    def __init__(self, *boards: Board) -> None:
        self.boards = list(boards)
        self.learned = 0

    def reader(self, *_: object) -> Readings:
        return self

    def observe(self, frame: object) -> Reading:
        return Reading.sure(self.boards.pop(0))

    def notify_moves(self, moves: object, certain: bool) -> None:
        self.learned += 1


def read(reader: SpectatorReader, has_stayed: bool = True) -> Board | None:
    reading = reader.read(NOTHING, has_stayed=has_stayed)
    return reading.board if reading else None


def test_spectator_held_button_is_ignored() -> None:
    held = FIRST.with_states({0: "0"})  # a blank among closed cells
    readings = Readings(FIRST, held, SECOND, held, held)
    reader = SpectatorReader(cast("Any", readings), NOTHING, None)
    assert [read(reader, False) for _ in range(4)] == [FIRST, None, SECOND, None]
    assert readings.learned == 2, "both new boards"
    assert (read(reader), readings.learned) == (held, 3)  # it stays, so it is no transient


def test_spectator_quick_clicks_are_followed() -> None:
    """Read alone, the second image may as well be open except for the two cells in the corner."""
    after = load_annotated(CORNER / "after.png")
    reader = SpectatorReader(sight(), after.lattice, None)
    before = load_annotated(CORNER / "before.png", CORNER / "after.txt").frame
    assert reader.read(before, has_stayed=False) is not None
    reading = reader.read(after.frame, has_stayed=False) or reader.read(after.frame)
    assert reading is not None
    for state in ".1":
        assert reading.board.cells_showing(state) == after.board.cells_showing(state)


def test_spectator_lasting_unread_cell_is_reported() -> None:
    held = FIRST.with_states({FIRST.cell("r1c7"): "~"})  # a half-drawn held button
    reader = SpectatorReader(cast("Any", Readings(FIRST, held, held, held)), NOTHING, None)
    assert [read(reader, False), read(reader, False)] == [FIRST, None]
    assert read(reader) == held  # read twice: as a successor, and alone


@pytest.mark.parametrize(
    ("last", "alternatives", "read"),
    [
        ("1", {"F": 0.8, "x": 0.16, "~": 0.04}, "F"),
        ("1", {"F": 0.8, "3": 0.2}, "~"),
        ("1", {"~": 0.7, "F": 0.3}, "~"),
        ("1", {"*": 0.99, "~": 0.01}, "~"),
        ("!", {"*": 0.99, "~": 0.01}, "*"),
    ],
)
def test_spectator_likely_mark_is_read(last: str, alternatives: dict[str, float], read: str) -> None:
    """A likely mine counts only on a board that shows an exploded one."""
    board = Board.parse(f"~1\n1{last}")
    meant = tuple(BoardHypothesis(board.with_states({0: state}), p) for state, p in alternatives.items())
    reading = Reading(board, np.zeros((2, 2), np.float32), alternatives=meant)
    assert with_likely_marks(reading).board[0] == read


def test_spectator_new_game_needs_stable_image() -> None:
    """Most of the flash of a lost game is unread, and alone it may be covers; so may a new game."""
    flash, fresh = SECOND.with_states(dict.fromkeys(range(4, 16), "~")), Board.fresh(2, 8)
    readings = Readings(SECOND, flash, SECOND, flash, fresh, fresh, fresh)
    reader = SpectatorReader(cast("Any", readings), NOTHING, None)
    assert [read(reader, False) for _ in range(3)] == [SECOND, None, None]
    assert [read(reader), read(reader)] == [fresh, None]  # read twice: as a successor, and alone


def test_spectator_lost_board_is_searched_again() -> None:
    assert Games(FIRST, None, OTHER).watched(3) == [FIRST, "no board found: show one", OTHER]


def test_spectator_no_board_at_start_raises() -> None:
    with pytest.raises(BoardNotFound):
        Games(None).watched(1)


# --- keys --------------------------------------------------------------------------------------------------


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal of standard input."""
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
    assert [keys.pressed(), keys.pressed()] == ["r", ""]
    keys.close()
    os.write(typed, b"q\n")
    assert keys.pressed() == ""


def test_keys_without_terminal_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    keys = KeyReader()
    keys.open()
    assert (keys.are_open, keys.pressed()) == (False, "")
