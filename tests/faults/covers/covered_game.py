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
        self.mines: set[int] = set()
        self.opened: set[int] = set()
        self.flags: set[int] = set()
        self.cover: Cover | None = None
        self.is_planned = self.is_over = False
        self.shown_at = 0  # milliseconds
        self.draw()

    def log(self, event: str, **more: object) -> None:
        with Path(self.options.log).open("a") as file:
            file.write(json.dumps({"event": event} | more) + "\n")

    def around(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.columns)
        return [
            r * self.columns + c
            for r in range(max(row - 1, 0), min(row + 2, self.rows))
            for c in range(max(column - 1, 0), min(column + 2, self.columns))
            if (r, c) != (row, column)
        ]

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
        if self.is_over or cell in self.opened or cell in self.flags:
            return
        if not self.mines:
            others = [k for k in range(self.rows * self.columns) if k not in (cell, *self.around(cell))]
            self.mines = set(self.dice.sample(others, self.options.mines))
        self.opened.add(cell)
        if cell in self.mines:
            self.is_over = True
            self.log("mine", cell=cell)
            self.opened |= self.mines
        else:
            self.log("open", cell=cell)
            self.cascade(cell)
        if len(self.opened | self.mines) == self.rows * self.columns and not self.is_over:
            self.is_over = True
            self.log("won")
        if not (self.is_planned or self.is_over) and len(self.opened) >= self.options.after:
            self.is_planned = True
            if self.options.delay:
                self.root.after(self.options.delay, self.show)
            else:
                self.show()
        self.draw()

    def right(self, event: tk.Event[tk.Label]) -> None:
        cell = (event.y - EDGE) // CELL * self.columns + (event.x - EDGE) // CELL
        if not self.is_over and cell not in self.opened:
            self.flags ^= {cell}
            self.draw()

    def cascade(self, cell: int) -> None:
        todo = [cell]
        while todo:
            k = todo.pop()
            if not self.number(k):
                new = [each for each in self.around(k) if each not in self.opened]
                self.opened.update(new)
                todo += new

    def number(self, cell: int) -> int:
        return sum(k in self.mines for k in self.around(cell))

    def show(self) -> None:
        """Show the cover."""
        name = self.options.cover
        if name == "none" or self.is_over:
            return
        grid = np.zeros((self.rows, self.columns), bool)
        grid.flat[sorted(self.opened)] = True
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
        for cell in range(self.rows * self.columns):
            row, column = divmod(cell, self.columns)
            state = "F" if cell in self.flags else "."
            if cell in self.opened:
                state = "*" if cell in self.mines else str(self.number(cell))
            tile = self.style.tile(state, (row + column) % 2)
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
