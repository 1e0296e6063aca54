"""The spectator reads the boards that a user plays on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from drawing import SKIN, Pictures, draw, lattice_for, readers, skin_of
from tables import JumpingClock
from tracked import name_of

from benchmarks.random_skins import random_skin
from bot.play.finder import BoardFinder, LocatedBoard
from bot.play.spectator import Spectator
from bot.spectator_reader import MOST_HALF_DRAWN, SpectatorReader, with_likely_marks
from games.errors import BoardNotFound
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move
from vision.annotations import load_annotated
from vision.frame import Frame
from vision.reading import BoardHypothesis, Reading
from vision.skins import Skin

CORNER = Path(__file__).resolve().parents[2] / "fixtures" / "halfway" / "sgt-mines-corner"


class Games:
    """A screen that shows board after board, each for 40 frames, and the finder of these boards."""

    def __init__(self, *boards: Board | None) -> None:
        self.skin = skin_of(SKIN)
        self.readers = readers()
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


def test_spectator_flag_over_number_is_a_cover() -> None:
    covered = SECOND.with_states({SECOND.cell("r1c2"): "F", 0: "F"})
    reader = SpectatorReader(cast("Any", Readings(SECOND, covered)), NOTHING, None)
    assert [read(reader), read(reader)] == [SECOND, SECOND.with_states({0: "F"})]


def test_spectator_quick_clicks_are_followed() -> None:
    """Read alone, the second image may as well be open except for the two cells in the corner."""
    after = load_annotated(CORNER / "after.png")
    reader = SpectatorReader(readers(), after.lattice, None)
    before = load_annotated(CORNER / "before.png", CORNER / "after.txt").frame
    assert reader.read(before, has_stayed=False) is not None
    reading = reader.read(after.frame, has_stayed=False) or reader.read(after.frame)
    assert reading is not None
    for state in ".1":
        assert reading.board.cells_showing(state) == after.board.cells_showing(state)


def cell_by_cell(before: Board, whole: Board) -> Iterator[Board]:
    """The cells of an opening appear from top to bottom."""
    new = list(bits(before.closed & whole.open))
    yield from (before.with_states({k: whole[k] for k in new[:count]}) for count in range(3, len(new), 3))


def numbers_last(before: Board, whole: Board) -> Iterator[Board]:
    """All cells of an opening are empty first, and the numbers appear one after the other."""
    new = before.closed & whole.open
    numbers = list(bits(new & ~whole.cells_showing("0")))
    for count in range(len(numbers)):
        yield before.with_states(dict.fromkeys(bits(new), "0") | {k: whole[k] for k in numbers[:count]})


@pytest.mark.parametrize("steps", [cell_by_cell, numbers_last])
@pytest.mark.parametrize("skin", [skin_of("kmines"), skin_of("gnome-mines"), random_skin(0)], ids=name_of)
def test_spectator_half_drawn_opening_read_whole(
    skin: Skin, steps: Callable[[Board, Board], Iterator[Board]]
) -> None:
    """A program draws an opening in several steps, all of them visible."""
    field = Minefield(Deal.random(9, 9, 12, 902), "zero")
    before = field.board
    reader = SpectatorReader(readers(), lattice_for(before, skin, 24, 32), None)
    reader.read(draw(before, skin))
    for cell in (field.board.cell("r4c4"), field.board.cell("r8c7")):  # a large opening, a small one
        whole = field.play([Move("open", cell)])
        for half in steps(before, whole):
            reader.read(draw(half, skin))
        seen = reader.read(draw(whole, skin))
        assert seen is not None
        assert seen.board.cells == whole.cells
        before = whole


LOST = Board.parse(
    "000111111\n2322*11*1\n***222322\n.5432*2*1\n*4**31322\n!.**422*1\n2****2*32\n2343333*1\n1*101*211"
)


@pytest.mark.parametrize("skin", [skin_of("kmines"), random_skin(0)], ids=name_of)
def test_spectator_next_game_after_shown_mines(skin: Skin) -> None:
    """As successors of the shown mines, the closed cells of the next game may be mines as well."""
    reader = SpectatorReader(readers(), lattice_for(LOST, skin, 24, 32), None)
    assert reader.read(draw(LOST, skin)) is not None
    seen = reader.read(draw(Board.fresh(9, 9), skin))
    assert seen is not None
    assert seen.board == Board.fresh(9, 9)


def test_spectator_board_half_drawn_too_long_is_lost() -> None:
    half = FIRST.with_states(dict.fromkeys(range(8), "~"))
    pictures = [half] * 2 * MOST_HALF_DRAWN  # each is read twice: as a successor, and alone
    reader = SpectatorReader(cast("Any", Readings(FIRST, *pictures, half, half)), NOTHING, None)
    assert reader.read(NOTHING) is not None
    assert [reader.read(NOTHING) for _ in range(MOST_HALF_DRAWN)] == [None] * MOST_HALF_DRAWN
    with pytest.raises(BoardNotFound):
        reader.read(NOTHING)


def test_spectator_held_button_is_closed_again() -> None:
    board = Board.parse("..........\n..11111111")
    held = board.with_states({0: "0"})
    reader = SpectatorReader(cast("Any", Readings(board, held, board)), NOTHING, None)
    assert [read(reader) for _ in range(3)] == [board, held, board]


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
        ("1", {".": 0.9, "~": 0.1}, "~"),
        ("!", {".": 0.9, "~": 0.1}, "."),
    ],
)
def test_spectator_likely_mark_is_read(last: str, alternatives: dict[str, float], read: str) -> None:
    """A likely mine or closed cell counts only on a board that shows a mine."""
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
