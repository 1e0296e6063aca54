"""A Minesweeper for tests that ends its games in many ways and logs the results.

    python program.py LOG --win dialog --loss everything --again face --seed 3

LOG gets one JSON object per line: `{"event": "won"}`, `{"event": "lost", "cell": 17}`, `{"event": "fresh"}`,
`quit`, `stray` (a click outside the cells), `declined`. After --after open cells, --then selects an event:
the user clicks on a mine ("person"), a message appears briefly ("toast"), the window is withdrawn ("hide").
The game number --doomed (the first is 1) is always lost, before its last cell: two corners hide two cells
without a clue; the first one opened is a mine. With --grow, each column grows by this many pixels when a
number is opened in it; the window grows as well unless --room leaves enough space. The dialog of `info` opens
--late milliseconds after the end, perhaps in the next game. The program ends itself --quits milliseconds
after a game.
"""

from __future__ import annotations

import argparse
import json
import random
import tkinter as tk
from functools import partial
from pathlib import Path
from tkinter import messagebox

import beginning
import picture
import spacing
from picture import CELL, GREY
from spacing import RIM

from games.logic import bits
from games.minesweeper import neighbours


class Mines:
    """One window; `again` lists its ways to start the next game."""

    def __init__(self, root: tk.Tk, options: argparse.Namespace) -> None:
        self.root, self.options = root, options
        self.again = options.again.split(",")
        self.dice = random.Random(options.seed)
        self.columns: int = options.columns
        self.rows: int = options.rows
        self.top = 56 if "face" in self.again else RIM
        width, height = 2 * RIM + CELL * self.columns + options.room, self.top + RIM + CELL * self.rows
        root.title(options.title)
        if "row" in self.again:
            beginning.add_row(self)
        if "smiley" in self.again:
            beginning.add_smiley(self)
        self.canvas = tk.Canvas(root, width=width, height=height, background=GREY, highlightthickness=0)
        self.canvas.pack()
        self.canvas.bind("<Button-1>", self.left)
        self.canvas.bind("<Button-3>", self.right)
        self.bottom = tk.Frame(root, height=40, background=GREY)
        self.bottom.pack(fill="x")
        for name, (text, command) in beginning.BUTTONS.items():
            if name in self.again:
                tk.Button(self.bottom, text=text, command=partial(command, self)).pack(pady=6)
        for name, add in beginning.PARTS.items():
            if name in self.again:
                add(self)
        for key in ("F2", "r"):
            if key.lower() in self.again:
                root.bind(f"<{key}>", lambda _: self.fresh())
        self.overlay: tuple[int, int, int, int] | None = None
        self.begun = 0
        self.fresh()

    # --- the game --------------------------------------------------------------------------------------

    def log(self, event: str, **more: object) -> None:
        with Path(self.options.log).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event} | more) + "\n")
        if self.options.quits and event in ("won", "lost"):
            self.root.after(self.options.quits, self.root.destroy)

    def fresh(self) -> None:
        self.log("fresh")
        self.begun += 1
        self.mines: set[int] = set()
        self.pairs: list[set[int]] = []
        self.opened: set[int] = set()
        self.flags: set[int] = set()
        self.is_over = False
        self.overlay = None
        self.draw()

    def around(self, cell: int) -> list[int]:
        return list(bits(neighbours(self.rows, self.columns)[cell]))

    def lay(self, first: int) -> None:
        others = [k for k in range(self.rows * self.columns) if k != first and k not in self.around(first)]
        self.mines = set(self.dice.sample(others, self.options.mines))
        if self.options.unlucky:  # games whose first click hits a mine
            self.options.unlucky -= 1
            self.mines.add(first)
        if self.begun == self.options.doomed:
            left = 0 if first % self.columns >= self.columns // 2 else self.columns - 2
            for start in (left, left + (self.rows - 1) * self.columns):
                self.pairs.append({start, start + 1})
                walls = {k for cell in self.pairs[-1] for k in self.around(cell)} - self.pairs[-1]
                self.mines = self.mines - self.pairs[-1] | walls | {start}

    def number(self, cell: int) -> int:
        return sum(k in self.mines for k in self.around(cell))

    def open(self, cell: int) -> None:
        if not self.mines:
            self.lay(cell)
        for pair in self.pairs:
            if cell in pair:
                self.mines = self.mines - pair | {cell}
        if cell in self.mines:
            self.opened.add(cell)
            self.end("lost", cell)
            return
        todo = [cell]
        while todo:
            k = todo.pop()
            if k in self.opened or k in self.flags:
                continue
            self.opened.add(k)
            todo += self.around(k) if not self.number(k) else []
        if len(self.opened) == self.rows * self.columns - len(self.mines):
            self.end("won", cell)
        else:
            self.draw()
            if self.options.then and len(self.opened) >= self.options.after:
                self.disturb()

    def end(self, how: str, cell: int) -> None:
        self.is_over = True
        self.log(how, cell=cell)
        way = self.options.win if how == "won" else self.options.loss
        if way == "fresh":
            self.fresh()
        elif way == "late":  # shown for a moment, then a new game
            self.draw()
            self.root.after(150, self.fresh)
        elif way == "everything":
            self.opened = set(range(self.rows * self.columns))
            self.draw(hit=cell)
        elif way == "nothing":
            self.opened.discard(cell)
            self.draw()
        elif way in ("red", "tiles"):
            self.draw()
            self.dice.shuffle(others := [mine for mine in self.mines if mine != cell])
            self.reveal([cell, *others])
        elif way == "strange":
            self.draw()
            picture.strange(self.canvas, *spacing.corner(self, cell))
        else:
            self.draw(hit=cell if how == "lost" else None, shows=how == "lost")
            if way in ("dim", "blank"):
                picture.hide(self.canvas, way, f"You have {how}")
            elif way == "message":
                self.message(how)
            elif way in ("alert", "deal"):
                self.alert(how, cell)
            elif way == "dialog":
                self.root.after_idle(lambda: self.dialog(how))
            elif way == "info":
                self.root.after(
                    self.options.late,
                    lambda: messagebox.showinfo("Mines", f"You have {how}, congratulations!"),
                )

    def reveal(self, mines: list[int]) -> None:
        """Show these mines as plain red tiles, or one by one as tiles of many colours."""
        is_red = self.options.loss == "red"
        for mine in mines if is_red else mines[:1]:
            colour = "#d03030" if is_red else picture.TILES[len(mines) % len(picture.TILES)]
            picture.tile(self.canvas, *spacing.corner(self, mine), colour)
        if len(mines) > 1 and not is_red:
            self.root.after(self.options.pace, lambda: self.reveal(mines[1:]))

    def dialog(self, how: str) -> None:
        if messagebox.askyesno("Game over", f"You have {how}! Do you want to play another game of mines?"):
            self.fresh()
        else:
            self.log("declined")

    def message(self, how: str) -> None:
        """A message in the window, over most of the board, with a button that begins again."""
        width, middle = CELL * self.columns, self.top + CELL * self.rows // 2
        left = RIM + width // 12
        self.overlay = (left, middle - 70, RIM + width - width // 12, middle + 70)
        picture.message(self.canvas, self.overlay, f"You have {how}!", "message" in self.again)

    def alert(self, how: str, cell: int) -> None:
        """A browser-like message: the window is dimmed before the cell is drawn."""
        self.opened.discard(cell)
        self.draw()
        picture.dim(self.canvas)
        picture.alert(self.canvas, RIM + CELL * self.columns // 2, f"You have {how}")
        self.overlay = (0, 0, 0, 0)
        self.opened.add(cell)
        self.root.bind("<Return>", lambda _: self.go_on(how, cell))

    def go_on(self, how: str, cell: int) -> None:
        self.root.unbind("<Return>")
        self.log("answered")
        self.overlay = None
        if self.options.loss == "deal" and how == "lost":  # the next game, at once
            self.fresh()
        else:
            self.draw(hit=cell if how == "lost" else None, shows=how == "lost")

    def quit(self) -> None:
        self.log("quit")
        self.root.destroy()

    # --- the mouse -------------------------------------------------------------------------------------

    def left(self, event: tk.Event[tk.Canvas]) -> None:
        if self.overlay is not None:
            middle, x = (self.overlay[1] + self.overlay[3]) // 2, (self.overlay[0] + self.overlay[2]) // 2
            if "message" in self.again and abs(event.x - x) <= 50 and 10 <= event.y - middle <= 42:
                self.fresh()
            return
        if (
            "face" in self.again
            and abs(event.x - RIM - CELL * self.columns // 2) <= 17
            and 10 <= event.y <= 46
        ):
            self.fresh()
            return
        cell = spacing.cell_at(self, event.x, event.y)
        if cell is None:
            self.log("stray", x=event.x, y=event.y)
        elif not self.is_over and cell not in self.flags and cell not in self.opened:
            self.open(cell)

    def right(self, event: tk.Event[tk.Canvas]) -> None:
        if self.options.right == "menu":  # like a browser
            beginning.pop_up_menu(self, event)
            return
        cell = spacing.cell_at(self, event.x, event.y)
        if self.options.right == "open":
            self.log("right", cell=cell)
            self.left(event)
        elif cell is not None and not self.is_over and cell not in self.opened:
            self.flags ^= {cell}
            self.draw()

    def disturb(self) -> None:
        """The event of --then, once per run."""
        deed, self.options.then = self.options.then, ""
        if deed == "person":
            cell = min(self.mines)
            self.log("person", cell=cell)
            self.opened.add(cell)
            self.end("lost", cell)
        elif deed == "toast":
            width = CELL * self.columns
            box = (RIM, self.top + 10, RIM + width, self.top + CELL * self.rows - 30)
            marks = [
                self.canvas.create_rectangle(*box, fill="#303030"),
                self.canvas.create_text(120, 120, text="Saved.", fill="white"),
            ]
            self.root.after(2500, lambda: self.canvas.delete(*marks))
        elif deed == "hide":
            self.root.withdraw()

    # --- the drawing -----------------------------------------------------------------------------------

    def draw(self, hit: int | None = None, shows: bool = False) -> None:
        """Draw the board; `shows`: with its mines, the `hit` one on red."""
        self.canvas.delete("all")
        if self.options.grow:
            self.canvas.configure(width=spacing.width(self))
        if "face" in self.again:
            picture.face(self.canvas, RIM + CELL * self.columns // 2, self.is_over)
        for cell in range(self.rows * self.columns):
            wide = spacing.wide(self, cell % self.columns)
            if cell in self.opened or (shows and cell in self.mines and cell not in self.flags):
                number = "*" if cell in self.mines else str(self.number(cell))
                picture.opened(self.canvas, *spacing.corner(self, cell), number, cell == hit, wide)
            else:
                picture.hidden(self.canvas, *spacing.corner(self, cell), cell in self.flags, wide)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    words = {"win": "plain", "loss": "mines", "again": "f2", "right": "flag", "then": ""}
    for word, usually in {**words, "title": "A test of endings"}.items():
        parser.add_argument(f"--{word}", default=usually)
    numbers = {"columns": 9, "rows": 9, "mines": 10, "seed": 1, "after": 20, "pace": 120}
    for name in (*numbers, "grow", "room", "unlucky", "doomed", "late", "quits"):
        parser.add_argument(f"--{name}", type=int, default=numbers.get(name, 0))
    root = tk.Tk()
    Mines(root, parser.parse_args())
    root.geometry("+200+120")
    root.mainloop()


if __name__ == "__main__":
    main()
