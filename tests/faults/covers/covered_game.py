"""A Minesweeper for tests that draws a cover over part of its board, inside its own window.

    python covered_game.py LOG --style flat --cover dialog --seed 3

LOG gets one JSON object per line: `open` and `mine` with the cell, `shown` with the box of the cover, `gone`,
`cover` (a click on it, which does nothing else), `early` (the same, but pressed before the cover was drawn),
`won`, `stray`. The cover appears after --after open cells: with the effect of the last click (--delay 0) or
this many milliseconds later.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import tkinter as tk
from pathlib import Path

import numpy as np
from board_styles import CELL, STYLES
from covers import COVERS, Cover

from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, neighbours

EDGE = 30  # pixels around the board
STEP = 40  # milliseconds between two steps of a moving cover


class CoveredGame:
    """One window with one game."""

    def __init__(self, root: tk.Tk, options: argparse.Namespace) -> None:
        self.root, self.options = root, options
        self.rows, self.columns = options.rows, options.columns
        self.dice = random.Random(options.seed)
        self.style = STYLES[options.style]
        self.label = tk.Label(root, borderwidth=0)
        self.label.pack()
        self.label.bind("<Button-1>", self.left)
        self.label.bind("<Button-3>", self.right)
        root.title("A test of covers")
        self.field: Minefield | None = None  # after the first click
        self.cover: Cover | None = None
        self.is_planned = False
        self.shown_at = 0  # milliseconds
        self.draw()

    def log(self, event: str, **more: object) -> None:
        with Path(self.options.log).open("a") as file:
            file.write(json.dumps({"event": event} | more) + "\n")

    @property
    def board(self) -> Board:
        return self.field.board if self.field else Board.fresh(self.rows, self.columns)

    @property
    def is_over(self) -> bool:
        return self.field is not None and (self.field.is_won or self.field.is_lost)

    def lay(self, first: int) -> Minefield:
        """A field whose first click opens a zero."""
        everything = range(self.rows * self.columns)
        near = [first, *bits(neighbours(self.rows, self.columns)[first])]
        mines = self.dice.sample([k for k in everything if k not in near], self.options.mines)
        others = [k for k in everything if k not in mines]
        return Minefield(Deal(self.rows, self.columns, len(mines), (*mines, *others)), "none")

    def left(self, event: tk.Event[tk.Label]) -> None:
        x, y = event.x, event.y
        if self.cover is not None and self.cover.contains(x, y):
            late = event.time - self.shown_at  # negative: pressed before the cover was on the screen
            self.log("cover" if late >= 0 else "early", x=x, y=y, milliseconds=late)
            return
        column, row = (x - EDGE) // CELL, (y - EDGE) // CELL
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            self.log("stray", x=x, y=y)
            return
        cell = row * self.columns + column
        if self.field is None:
            self.field = self.lay(cell)
        if self.is_over or self.field.board[cell] != ".":
            return
        self.field.play([Move("open", cell)])
        self.log("mine" if self.field.is_lost else "open", cell=cell)
        if self.field.is_won:
            self.log("won")
        if not (self.is_planned or self.is_over) and self.board.open.bit_count() >= self.options.after:
            self.is_planned = True
            if self.options.delay:
                self.root.after(self.options.delay, self.show)
            else:
                self.show()
        self.draw()

    def right(self, event: tk.Event[tk.Label]) -> None:
        cell = (event.y - EDGE) // CELL * self.columns + (event.x - EDGE) // CELL
        if self.field is not None:
            self.field.play([Move("unflag" if self.board[cell] == "F" else "flag", cell)])
            self.draw()

    def show(self) -> None:
        """Show the cover."""
        name = self.options.cover
        if name == "none" or self.is_over:
            return
        grid = np.zeros((self.rows, self.columns), bool)
        grid.flat[list(bits(self.board.open))] = True
        self.cover = COVERS[name](grid, self.style, EDGE)
        self.draw()
        self.root.update_idletasks()
        self.root.winfo_pointerxy()  # returns when the X server has drawn the cover
        self.shown_at = round(1000 * time.monotonic())  # the clock of the X server
        self.log("shown", box=self.cover.box)
        if self.cover.lasts:
            self.root.after(self.cover.lasts, self.hide)
        if self.cover.moves:
            self.root.after(STEP, self.step)

    def hide(self) -> None:
        self.cover = None
        self.log("gone")
        self.draw()

    def step(self) -> None:
        if self.cover is not None:
            self.cover = self.cover.moved()
            self.draw()
            if self.cover.moves:
                self.root.after(STEP, self.step)

    def draw(self) -> None:
        shape = 2 * EDGE + self.rows * CELL, 2 * EDGE + self.columns * CELL
        picture = np.empty((*shape, 3), np.uint8)
        picture[:] = self.style.ground
        for cell, state in enumerate(self.board.cells):
            row, column = divmod(cell, self.columns)
            tile = self.style.tile({"!": "*", "x": "F"}.get(state, state), (row + column) % 2)
            picture[EDGE + row * CELL :, EDGE + column * CELL :][:CELL, :CELL] = tile
        if self.cover is not None:
            self.cover.paint(picture)
        data = b"P6 %d %d 255 " % (shape[1], shape[0]) + picture.tobytes()
        self.picture = tk.PhotoImage(data=data, format="ppm")
        self.label.configure(image=self.picture)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--style", choices=STYLES, default="flat")
    parser.add_argument("--cover", default="none")
    for name, usual in {
        "columns": 14, "rows": 11, "mines": 20, "seed": 1, "after": 40, "delay": 250,
    }.items():  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=usual)
    root = tk.Tk()
    CoveredGame(root, parser.parse_args())
    root.geometry("+200+120")
    root.mainloop()


if __name__ == "__main__":
    main()
