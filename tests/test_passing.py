"""Looks that come and go without an act: what they were is known afterwards, where it can be nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import draw, lattice_for

from bot.judging import Solver
from games.minesweeper import Board, Move
from games.minesweeper.board import UNKNOWN
from vision.apprentice import Apprentice
from vision.frame import Frame
from vision.passing import PASSING, is_drawn_alike
from vision.skins import Skin, load_skin
from vision.traits import Traits

LOOK = load_skin("gnome-mines")
FRESH = ".....\n.....\n.....\n.....\n....."
OPENED = "01...\n12...\n.....\n.....\n....."
FLAGGED = "01...\n1F...\n.....\n.....\n....."
WON = "01F10\n12110\nF1000\n11000\n00000"


def picture(board: str, lit: str = "", ground: int = -60) -> Frame:
    """A picture of a board; the ground of the cells named is darker, what is drawn there as it was."""
    text = Board.parse(board)
    frame = draw(text, LOOK)
    lattice = lattice_for(text, LOOK, 24, 32)
    plain = {
        state: draw(Board.parse(f"{state}{state}{state}"), LOOK).pixels[33, 26].astype(int) for state in ".0"
    }
    pixels = frame.pixels.astype(int)
    for name in lit.split():
        x, y, x2, y2 = lattice.rectangle(text.cell(name))
        part = pixels[y:y2, x:x2]
        is_ground = np.zeros(part.shape[:2], np.bool_)
        for colour in [*plain.values(), np.median(part.reshape(-1, 3), axis=0)]:
            is_ground |= np.abs(part - colour).max(axis=2) <= 30
        part[is_ground] += ground
    return Frame(np.clip(pixels, 0, 255).astype(np.uint8))


def apprentice(skin: Skin | None = None) -> Apprentice:
    return Apprentice(lattice_for(Board.parse(FRESH), LOOK, 24, 32), Solver(), skin)


def taught() -> Apprentice:
    """An apprentice that has seen hidden cells, numbers and a flag of this look."""
    one = apprentice(LOOK)
    one.read(picture(OPENED))
    return one


def test_a_flash_of_flags_is_known_when_it_has_passed() -> None:
    one = taught()
    one.read(picture("01.10\n12110\n.1000\n11000\n00000"))
    one.acted([Move("open", 4)], certain=True)
    flash = picture(WON, lit="r0c2 r2c0")
    assert {one.read(flash).board.cells[k] for k in (2, 10)} <= {"F", UNKNOWN}
    assert one.read(picture(WON)).board == Board.parse(WON)
    assert one.read(flash).board == Board.parse(WON)
    learned = one.learned("mine")
    assert learned is not None
    again = apprentice(learned)
    assert again.read(flash).board == Board.parse(WON)


def test_a_cell_that_was_lit_before_it_was_flagged_is_a_hidden_one() -> None:
    board = "01...\n1....\n.....\n.....\n....."
    lit = picture(board, lit="r1c1")
    one = apprentice(LOOK)
    one.read(picture(board))
    one.acted([Move("flag", 6)], certain=True)
    assert one.read(lit).board[6] == UNKNOWN
    assert one.read(picture(FLAGGED)).board[6] == "F"
    assert one.read(lit).board[6] == "."


@pytest.mark.parametrize(("after", "known"), [("2", True), ("0", False)])
def test_a_plain_look_before_two_numbers_is_a_hidden_cell_and_before_a_zero_nothing(
    after: str, known: bool
) -> None:
    one = apprentice(LOOK)
    board = "01...\n12...\n.....\n.....\n....."
    one.read(picture(board))
    for name in ("r3c3", "r4c1"):
        now = Board.parse(board)
        cell = now.cell(name)
        one.acted([Move("open", cell)], certain=True)
        assert one.read(picture(board, lit=name)).board[cell] == UNKNOWN
        board = "\n".join(now.showing({cell: after}).grid)
        one.read(picture(board))
    lit = one.read(picture(board, lit="r2c4"))
    assert (lit.board[14] == ".") is known


def test_a_zero_was_closed_while_it_was_lit_alone_if_it_opened_its_neighbours_since() -> None:
    one = apprentice(LOOK)
    one.read(picture(FRESH))
    one.acted([Move("open", 12)], certain=True)
    lit = picture(FRESH, lit="r2c2")
    assert one.read(lit).board[12] == UNKNOWN
    one.read(picture(".....\n.111.\n.101.\n.111.\n....."))
    assert one.read(lit).board[12] == "."


def test_the_same_drawing_is_known_on_another_ground_and_another_drawing_is_not() -> None:
    def square(board: str, lit: str = "") -> Traits:
        pixels = picture(board, lit).pixels
        x, y, x2, y2 = lattice_for(Board.parse(board), LOOK, 24, 32).rectangle(0)
        return Traits(pixels[y:y2, x:x2])

    flag, lit_flag, three = square("F"), square("F", "r0c0"), square("3")
    assert is_drawn_alike(flag.square, lit_flag.square)
    assert not is_drawn_alike(three.square, lit_flag.square)
    assert not is_drawn_alike(square(".").square, flag.square)
    assert not is_drawn_alike(square("8").square, three.square)


def test_a_look_of_lit_cells_that_stands_on_open_ones_leaves_them_as_they_were() -> None:
    one = apprentice(LOOK)
    board = "01...\n1....\n.....\n.....\n....."
    one.read(picture(board))
    one.acted([Move("flag", 6)], certain=True)
    one.read(picture(board, lit="r1c1"))
    one.read(picture(board.replace("1....", "1F...")))
    one.acted([Move("open", 2)], certain=False)
    # the game is over: the ground of the empty cell is that of a lit one
    ended = picture("01!..\n1F...\n.....\n.....\n....*")
    lit = picture(board, lit="r1c1")
    x, y, x2, y2 = one.lattice.rectangle(0)
    a, b, a2, b2 = one.lattice.rectangle(6)
    ended.pixels[y:y2, x:x2] = lit.pixels[b:b2, a:a2]
    assert one.read(ended).board[0] == "0"


def test_an_empty_cell_that_opened_nothing_yet_is_not_believed_at_once() -> None:
    one = apprentice(LOOK)
    one.read(picture(FRESH))
    one.acted([Move("open", 12)], certain=True)
    blank = picture(".....\n.....\n..0..\n.....\n.....")
    seen = [one.read(blank).board[12] for _ in range(PASSING + 1)]
    assert seen == [UNKNOWN] * PASSING + ["0"]
