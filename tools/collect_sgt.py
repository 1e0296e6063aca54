"""Labelled screenshots of sgt-mines at several cell sizes: `python tools/collect_sgt.py [SCREENS] [SIZES]`.

The board is laid by us (the program takes a layout as its game ID), so every label is known by counting.
"""

from __future__ import annotations

import sys
from pathlib import Path

from desk import Desk, desk
from laid import Game, rings

from games.logic import bits
from vision.annotations import format_labels
from vision.frame import Frame
from vision.lattice import Lattice

HOUSE = Path(__file__).resolve().parents[1]
MENU = 25  # pixels above the board's window
COLUMNS, ROWS = 12, 10
START = (0, 9)  # column and row that the program opens itself
RINGS = (8, 7, 6, 5, 4, 3, 2, 1)  # mines around the middles of 3 x 3 blocks


def game_id(mines: int) -> str:
    """The program's own notation of a layout: size, first opened cell, bitmap."""
    bitmap = "".join("1" if mines >> k & 1 else "0" for k in range(ROWS * COLUMNS))
    digits = "".join(f"{int(bitmap[k : k + 4], 2):x}" for k in range(0, len(bitmap), 4))
    return f"{COLUMNS}x{ROWS}:{START[0]},{START[1]},u{digits}"


def collect(screens: Path, size: int) -> None:
    """Play the laid board at one cell size and write a picture of each stage."""
    mines = rings(ROWS, COLUMNS, RINGS)
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
        game.opened(START[1] * COLUMNS + START[0])
        game.open_most({block // 4 * 3 * COLUMNS + COLUMNS + block % 4 * 3 + 1 for block in range(8)})
        save(screens, f"numbers_{size}", shown, game)
        for cell in list(bits(mines))[::3]:
            game.mark(cell)
        save(screens, f"flags_{size}", shown, game)
        for cell in range(ROWS * COLUMNS):
            if game.board[cell] == "." and cell % 12 < 10:
                game.mark(cell)  # wrong ones among them: numbers with too many flags turn pink
        save(screens, f"pink_{size}", shown, game)
        game.open(next(k for k in bits(mines) if game.board[k] == "."))
        save(screens, f"exploded_{size}", shown, game)


def save(screens: Path, state: str, shown: Desk, game: Game) -> None:
    """Write the window's picture and its labels."""
    import cv2

    shown.park(2, 2)
    frame = shown.look()
    left, top, width, height = shown.box()
    window: Frame = frame.crop(left, top, width, height)
    screens.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(screens / f"{state}.png"), window.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (screens / f"{state}.txt").write_text(format_labels(game.lattice.translated(-left, -top), game.board))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE / "fixtures" / "screens" / "sgt-mines"
    for each in map(int, sys.argv[2:] or ["16", "20", "27", "32", "48"]):
        collect(target, each)
