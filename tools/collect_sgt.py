"""Labelled screenshots of sgt-mines at several cell sizes: `python tools/collect_sgt.py [SCREENS] [SIZES...]`.

The board is laid by us (the program takes a layout as its game ID), so every label is known by counting.
"""

from __future__ import annotations

import sys
from pathlib import Path

from desk import Desk, desk

from games.minesweeper.board import Board, bits
from vision.frame import Frame
from vision.labels import format_labels
from vision.lattice import Lattice

HOUSE = Path(__file__).resolve().parents[1]
MENU = 25  # pixels above the board's window
COLUMNS, ROWS = 12, 10
START = (0, 9)  # column and row that the program opens itself
RINGS = ((8, 7, 6, 5), (4, 3, 2, 1))  # mines around the middles of 3 x 3 blocks


def layout() -> int:
    """The set of mines: blocks whose middle shows 8 down to 1, then free rows."""
    board = Board.fresh(ROWS, COLUMNS)
    mines = 0
    for block_row, counts in enumerate(RINGS):
        for block_column, count in enumerate(counts):
            middle = (3 * block_row + 1) * COLUMNS + 3 * block_column + 1
            for cell in list(bits(board.around[middle]))[:count]:
                mines |= 1 << cell
    return mines


def game_id(mines: int) -> str:
    """The program's own notation of a layout: size, first opened cell, bitmap."""
    bitmap = "".join("1" if mines >> k & 1 else "0" for k in range(ROWS * COLUMNS))
    digits = "".join(f"{int(bitmap[k : k + 4], 2):x}" for k in range(0, len(bitmap), 4))
    return f"{COLUMNS}x{ROWS}:{START[0]},{START[1]},u{digits}"


class Game:
    """The truth beside the program: what each cell shows after our clicks."""

    def __init__(self, shown: Desk, lattice: Lattice, mines: int) -> None:
        self.desk, self.lattice, self.mines = shown, lattice, mines
        self.board = Board.fresh(ROWS, COLUMNS)
        self._opened(START[1] * COLUMNS + START[0])

    def open(self, cell: int) -> None:
        """Open a cell, unless a cascade has opened it."""
        if self.board[cell] == ".":
            self.desk.click(*self.lattice.centre(cell))
            if self.mines >> cell & 1:
                self.board = self.board.showing({cell: "!"})
            else:
                self._opened(cell)

    def flag(self, cell: int) -> None:
        """Flag a hidden cell."""
        self.desk.click(*self.lattice.centre(cell), button=3)
        self.board = self.board.showing({cell: "F"})

    def _opened(self, cell: int) -> None:
        queue = [cell]
        while queue:
            k = queue.pop()
            if self.board[k] != ".":
                continue
            number = (self.board.around[k] & self.mines).bit_count()
            self.board = self.board.showing({k: str(number)})
            if number == 0:
                queue += bits(self.board.around[k])


def collect(screens: Path, size: int) -> None:
    """Play the laid board at one cell size and write a picture of each stage."""
    mines = layout()
    command = ["/usr/games/sgt-mines", game_id(mines)]
    with desk(command, {"MINES_TILESIZE": str(size)}) as shown:
        shown.window()
        shown.park(2, 2)
        x, y = size * 3 // 2, MENU + size * 3 // 2
        lattice = Lattice(
            tuple(x + size * k for k in range(COLUMNS + 1)), tuple(y + size * k for k in range(ROWS + 1))
        )
        shown.look()
        game = Game(shown, lattice, mines)
        safe = [k for k in range(ROWS * COLUMNS) if not mines >> k & 1]
        for number, cell in enumerate(k for k in safe if game.board[k] == "."):
            middle = cell // COLUMNS % 3 == 1 and cell % 3 == 1
            if middle or number % 3:  # some safe cells stay hidden, or the program would end the game
                game.open(cell)
        save(screens, f"numbers_{size}", shown, game)
        for cell in list(bits(mines))[::3]:
            game.flag(cell)
        save(screens, f"flags_{size}", shown, game)
        for cell in range(ROWS * COLUMNS):
            if game.board[cell] == "." and cell % 12 < 10:
                game.flag(cell)  # wrong ones among them: numbers with too many flags turn pink
        save(screens, f"pink_{size}", shown, game)
        game.open(next(k for k in bits(mines) if game.board[k] == "."))
        save(screens, f"exploded_{size}", shown, game)


def save(screens: Path, state: str, shown: Desk, game: Game) -> None:
    """Write the window's picture and its labels."""
    import cv2

    shown.park(2, 2)
    frame = shown.look()
    left, top, width, height = shown.box()
    window: Frame = frame.cut(left, top, width, height)
    screens.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(screens / f"{state}.png"), window.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (screens / f"{state}.txt").write_text(format_labels(game.lattice.moved(-left, -top), game.board))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE / "fixtures" / "screens" / "sgt-mines"
    for each in map(int, sys.argv[2:] or ["16", "20", "27", "32", "48"]):
        collect(target, each)
