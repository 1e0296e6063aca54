"""A board that is drawn anew in mid-game, or when its game ends: what was known of it stays known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, record_game, tiles_of
from synthetic import random_look

from bot.judging import Solver
from bot.recording import Recording
from bot.replay import replay
from games.minesweeper import Board, Move
from games.minesweeper.board import UNKNOWN
from strategies import Reasoner, load_strategies
from vision.apprentice import Apprentice
from vision.frame import Frame
from vision.lattice import Lattice
from vision.skins import Skin, Tile, load_skin
from vision.traits import Traits

HIDDEN = "......\n......\n......\n......\n......\n......"
OPENED = "001...\n112...\n......\n......\n......\n......"
FLAGGED = "001...\n112F..\n......\n......\n......\n......"
LOST = "001..*\n112*..\n......\n..*.!.\n......\n.*...*"


def sized(look: Skin, side: int) -> Skin:
    """The same look, drawn so large."""
    tiles = tuple(
        Tile(state, cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8))
        for state, pixels in tiles_of(look).items()
    )
    return Skin(look.name, tiles, look.near, look.far)


def dimmed(frame: Frame) -> Frame:
    """The picture, half as bright."""
    return Frame((frame.pixels // 2).astype(np.uint8))


def wrong(seen: Board, true: Board) -> list[str]:
    """The cells that were read wrong."""
    return [seen.name(k) for k in range(len(seen)) if seen[k] not in (true[k], UNKNOWN)]


def opened_one(look: Skin) -> Apprentice:
    """An apprentice that has seen the first opening."""
    apprentice = Apprentice(lattice_for(Board.parse(HIDDEN), look, 24, 32), Solver())
    apprentice.read(draw(Board.parse(HIDDEN), look))
    apprentice.acted([Move("open", 0)], certain=True)
    board = apprentice.read(draw(Board.parse(OPENED), look)).board
    assert board == Board.parse(OPENED)
    return apprentice


def lost_one(look: Skin) -> tuple[Apprentice, Frame]:
    """The same after a risky opening, and the picture of the board that is lost by it."""
    apprentice = opened_one(look)
    apprentice.acted([Move("open", 22)], certain=False)
    return apprentice, draw(Board.parse(LOST), look)


@pytest.mark.parametrize(("seed", "then"), [(5, 3), (1, 6), (2, 8)])
def test_a_theme_that_changes_in_mid_game_is_learned_anew_and_nothing_is_read_wrong(
    seed: int, then: int, tmp_path: Path
) -> None:
    misread: list[str] = []
    share: list[float] = []

    def watched(seen: Board, true: Board) -> None:
        misread.extend(wrong(seen, true))
        share.append(1 - seen.unread.bit_count() / len(seen))

    look, later = sized(random_look(seed), 24), sized(random_look(then), 24)
    result = record_game(tmp_path, 3, (12, 12), 20, drawn=look, later=later, learns=True, watched=watched)
    assert misread == []
    assert result.result in ("won", "lost")
    assert result.wrong_certain == 0
    assert sum(share) / len(share) > 0.9
    assert replay(Recording(tmp_path), Reasoner(load_strategies())).differences == ()


def test_a_fresh_board_is_one_though_a_cell_is_lit() -> None:
    look = sized(random_look(5), 24)
    fresh = draw(Board.parse(HIDDEN), look)
    apprentice = Apprentice(lattice_for(Board.parse(HIDDEN), look, 24, 32), Solver())
    x, y, x2, y2 = apprentice.lattice.rectangle(14)
    fresh.pixels[y:y2, x:x2] = 255 - fresh.pixels[y:y2, x:x2]
    board = apprentice.read(fresh).board
    assert board.having(".").bit_count() == 35
    assert board[14] in (".", UNKNOWN)


def test_numbers_are_known_in_the_first_look_at_a_new_theme() -> None:
    apprentice = opened_one(sized(random_look(5), 24))
    other = draw(Board.parse(OPENED), sized(random_look(3), 24))
    board = apprentice.read(other).board
    assert wrong(board, Board.parse(OPENED)) == []
    assert [board[k] for k in (0, 1, 2, 6, 7, 8)] == list("001112")


def test_mines_are_told_from_hidden_cells_when_a_lost_board_is_dimmed() -> None:
    look = sized(random_look(5), 24)
    apprentice = opened_one(look)
    apprentice.acted([Move("open", 22)], certain=False)
    board = apprentice.read(dimmed(draw(Board.parse(LOST), look))).board
    assert wrong(board, Board.parse(LOST)) == []
    assert board.shown_mines


def test_a_flag_that_is_not_drawn_yet_teaches_nothing() -> None:
    look = sized(random_look(5), 24)
    apprentice = opened_one(look)
    shadow = draw(Board.parse(OPENED), look)
    x, y, x2, _ = apprentice.lattice.rectangle(9)
    shadow.pixels[y : y + 2, x:x2] = 0  # of a hidden cell only the rim changes
    apprentice.acted([Move("flag", 9)], certain=True)
    assert apprentice.read(shadow).board[9] in (".", UNKNOWN)


def test_a_cell_that_is_lit_before_its_flag_is_drawn_is_no_flag() -> None:
    look = sized(random_look(5), 24)
    apprentice = opened_one(look)
    apprentice.acted([Move("flag", 9)], certain=True)
    lit = draw(Board.parse(OPENED), look)
    x, y, x2, y2 = apprentice.lattice.rectangle(9)
    lit.pixels[y:y2, x:x2] = np.clip(lit.pixels[y:y2, x:x2].astype(int) + 40, 0, 255)
    assert apprentice.read(lit).board[9] in (".", UNKNOWN)
    assert apprentice.read(draw(Board.parse(FLAGGED), look)).board[9] == "F"


def test_a_cell_that_is_lit_no_more_is_no_end_of_the_game() -> None:
    look = sized(random_look(5), 24)
    apprentice = Apprentice(lattice_for(Board.parse(HIDDEN), look, 24, 32), Solver())
    lit, opened = draw(Board.parse(HIDDEN), look), draw(Board.parse("1" + HIDDEN[1:]), look)
    x, y, x2, y2 = apprentice.lattice.rectangle(14)
    lit.pixels[y:y2, x:x2] = 255 - lit.pixels[y:y2, x:x2]
    apprentice.read(lit)
    apprentice.acted([Move("open", 0)], certain=False)
    board = apprentice.read(opened).board
    assert board[0] in ("1", UNKNOWN)
    assert board.having(".").bit_count() == 35


def test_a_picture_that_is_no_board_any_more_shows_none() -> None:
    apprentice, picture = lost_one(sized(random_look(5), 24))
    left, top, width, height = apprentice.lattice.box
    picture.pixels[top : top + height, left : left + width] = 245
    cv2.putText(
        picture.pixels, "GAME OVER", (left + 4, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 200), 2
    )
    assert set(apprentice.read(picture).board.cells) == {UNKNOWN}


def test_a_message_over_a_lost_board_is_no_mine() -> None:
    apprentice, picture = lost_one(sized(random_look(5), 24))
    x, y, _, _ = apprentice.lattice.rectangle(24)
    picture.pixels[y + 2 : y + 22, x : x + 120] = 250
    cv2.putText(picture.pixels, "You lost", (x + 4, y + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    board = apprentice.read(picture).board
    assert wrong(board, Board.parse(LOST)) == []
    assert board[5] == "*"


GAPPED = 6  # pixels between cells


def gapped(board: str, gap: tuple[int, int, int]) -> Frame:
    """A picture of a board with wide gaps of this colour (blue, green, red)."""
    look = sized(load_skin("xdemineur"), 16)
    parsed, tiles = Board.parse(board), tiles_of(look)
    side = 16 + GAPPED
    pixels = np.full((side * parsed.rows, side * parsed.columns, 3), gap, np.uint8)
    for k, state in enumerate(parsed.cells):
        row, column = divmod(k, parsed.columns)
        pixels[row * side : row * side + 16, column * side : column * side + 16] = tiles[state]
    return Frame(pixels)


@pytest.mark.parametrize(
    ("before", "act", "lost"),
    [
        (HIDDEN, 0, HIDDEN.replace(".", "!", 1)),
        (OPENED, 30, "001...\n112...\n......\n......\n......\n!....."),
    ],
)
def test_hidden_cells_whose_gaps_turn_red_are_no_flags(before: str, act: int, lost: str) -> None:
    lines = tuple(range(0, 6 * (16 + GAPPED) + 1, 16 + GAPPED))
    apprentice = Apprentice(Lattice(lines, lines), Solver())
    green, red = (120, 200, 120), (0, 0, 255)
    apprentice.read(gapped(HIDDEN, green))
    if before != HIDDEN:
        apprentice.acted([Move("open", 0)], certain=True)
        apprentice.read(gapped(before, green))
    apprentice.acted([Move("open", act)], certain=False)
    true = Board.parse(lost)
    seen = apprentice.read(gapped(lost, red)).board
    assert wrong(seen, true) == []
    assert seen.having(".") == true.having(".")


def test_colours_that_change_are_told_from_something_drawn() -> None:
    green, red = (120, 200, 120), (0, 0, 255)
    side = 16 + GAPPED

    def first(board: str, gap: tuple[int, int, int]) -> Traits:
        return Traits(gapped(board, gap).pixels[:side, :side])

    hidden = first(HIDDEN, green)
    assert hidden.is_recoloured(first(HIDDEN, red))
    assert not hidden.is_recoloured(first(HIDDEN.replace(".", "F", 1), red))
    assert not hidden.is_recoloured(first(HIDDEN.replace(".", "*", 1), green))


def test_a_last_gap_that_is_not_drawn_is_completed_within_the_picture() -> None:
    short = Lattice((0, 22, 44, 65), (3, 25, 47, 68))
    assert short.completed(70, 69) == Lattice((0, 22, 44, 66), (3, 25, 47, 69))
    assert short.completed(65, 68) == short
    fractional = Lattice((0, 15, 31, 46), (0, 22, 44, 60))
    assert fractional.completed(99, 99) == fractional
