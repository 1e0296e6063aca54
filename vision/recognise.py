"""Which known skin does a picture show?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from games.minesweeper.board import DIGITS, HIDDEN, UNKNOWN, Board
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import read
from vision.skin import Skin

ENOUGH = 0.9  # of the cells must be read: a popup or a state that the skin has never seen may cover the rest
FEW_STATES_ENOUGH = 1.0  # a board that shows one look only must fit everywhere, and
FEW_STATES_SURE = 0.75  # be this sure: a grey table has no other states that would give it away


def recognise(frame: Frame, lattice: Lattice, skins: Iterable[Skin]) -> Skin | None:
    """The skin that reads this board best, None when none fits.

    A skin fits when it is sure of nearly all cells and what it reads can be a board: no number is larger than
    the cells around it that may hold a mine, and not every cell is open. Raises Unplayable when the board
    reaches beyond the frame.
    """
    best: Skin | None = None
    best_score = 0.0
    for skin in skins:
        score = fitness(frame, lattice, skin)
        if score > best_score:
            best, best_score = skin, score
    return best


def fitness(frame: Frame, lattice: Lattice, skin: Skin) -> float:
    """How well a skin fits a board, 0 (not at all) to 1 (every cell is exactly one of its tiles)."""
    reading = read(frame, lattice, skin)
    board, confidence = reading.board, reading.confidence
    known = np.count_nonzero(confidence) / len(board)
    few = len(set(board.cells) - {UNKNOWN}) < 2
    sure = float(confidence[confidence > 0].mean()) if known else 0.0
    if known < (FEW_STATES_ENOUGH if few else ENOUGH) or (few and sure < FEW_STATES_SURE):
        return 0.0
    return known * sure if could_be(board) else 0.0


def could_be(board: Board) -> bool:
    """Whether the rules allow this board at a glance: every number has room for its mines."""
    if not board.not_open or (board.cells.strip(UNKNOWN) == "") or set(board.cells) <= set(DIGITS + UNKNOWN):
        return False
    if HIDDEN not in board.cells and not board.flagged and not board.shown_mines and not board.closed:
        return False
    return all(
        int(state) <= (board.around[k] & board.not_open).bit_count()
        for k, state in enumerate(board.cells)
        if state in DIGITS
    )
