"""A Minesweeper for tests: ends its games in the ways that programs have, and writes down how each ended.

    python program.py LOG --win dialog --loss everything --again face --seed 3

LOG gets one JSON object a line: `{"event": "won"}`, `{"event": "lost", "cell": 17}`, `{"event": "fresh"}`,
and `quit`, `stray` (a click where nothing is), `declined`. Once so many cells are open, it does what --then
asks for: a person clicks on a mine ("person"), a message passes ("toast"), its window is put away ("hide").
With --grow each column becomes so many pixels wider when a number is opened in it; the window does, too,
where --room leaves none.
"""

from __future__ import annotations

import argparse
import json
import random
import tkinter as tk
from pathlib import Path
from tkinter import messagebox

import beginning
import picture
from picture import CELL, GREY

RIM = 14


class Mines:
    """One window; `again` are the ways to the next game that it knows."""

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
            bar = tk.Frame(root)
            bar.pack(fill="x")
            tk.Button(bar, text="New", command=self.fresh).pack(side="left")
            tk.Button(bar, text="Options", command=self.show_options).pack(side="left")
            tk.Button(bar, text="Quit", command=self.quit).pack(side="left")
        if "smiley" in self.again:
            beginning.add_smiley(self)
        self.canvas = tk.Canvas(root, width=width, height=height, background=GREY, highlightthickness=0)
        self.canvas.pack()
        self.canvas.bind("<Button-1>", self.left)
        self.canvas.bind("<Button-3>", self.right)
        self.bottom = tk.Frame(root, height=40, background=GREY)
        self.bottom.pack(fill="x")
        if "button" in self.again:
            tk.Button(self.bottom, text="Restart", command=self.fresh).pack(pady=6)
        if "window" in self.again or "beside" in self.again:
            tk.Button(self.bottom, text="Play again", command=self.make_another_window).pack(pady=6)
        if "levels" in self.again:
            tk.Button(self.bottom, text="Restart", command=lambda: beginning.offer_levels(self)).pack(pady=6)
        if "field" in self.again:
            beginning.add_field(self)
        for name, add in (("menu", beginning.add_menu), ("panel", beginning.add_panel)):
            if name in self.again:
                add(self)
        for key in ("F2", "r"):
            if key.lower() in self.again:
                root.bind(f"<{key}>", lambda _: self.fresh())
        self.overlay: tuple[int, int, int, int] | None = None
        self.fresh()

    # --- the truth -------------------------------------------------------------------------------------

    def log(self, event: str, **more: object) -> None:
        with Path(self.options.log).open("a") as file:
            file.write(json.dumps({"event": event} | more) + "\n")

    def fresh(self) -> None:
        self.log("fresh")
        self.mines: set[int] = set()
        self.opened: set[int] = set()
        self.flags: set[int] = set()
        self.is_over = False
        self.overlay = None
        self.draw()

    def around(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.columns)
        return [
            r * self.columns + c
            for r in range(max(row - 1, 0), min(row + 2, self.rows))
            for c in range(max(column - 1, 0), min(column + 2, self.columns))
            if (r, c) != (row, column)
        ]

    def lay(self, first: int) -> None:
        others = [k for k in range(self.rows * self.columns) if k != first and k not in self.around(first)]
        self.mines = set(self.dice.sample(others, self.options.mines))
        if self.options.unlucky:  # games whose first click hits a mine
            self.options.unlucky -= 1
            self.mines.add(first)

    def number(self, cell: int) -> int:
        return sum(k in self.mines for k in self.around(cell))

    def open(self, cell: int) -> None:
        if not self.mines:
            self.lay(cell)
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
        elif way == "strange":
            self.draw()
            picture.strange(self.canvas, *self.corner(cell))
        else:
            self.draw(hit=cell if how == "lost" else None, shows=how == "lost")
            if way == "dim":
                self.canvas.create_rectangle(0, 0, 2000, 2000, fill="black", stipple="gray50", outline="")
            elif way == "message":
                self.message(how)
            elif way in ("alert", "deal"):
                self.alert(how, cell)
            elif way == "dialog":
                self.root.after_idle(lambda: self.dialog(how))
            elif way == "info":
                self.root.after_idle(
                    lambda: messagebox.showinfo("Mines", f"You have {how}, congratulations!")
                )
            elif way == "blank":
                self.canvas.delete("all")
                self.canvas.create_text(120, 120, text=f"You have {how}", font=("Helvetica", 16))

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
        """A message as of a browser: the window grows dim before it shows what became of the cell."""
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

    def show_options(self, key: str = "<Escape>") -> None:
        """A window of options, which a key closes; with none, only its frame does."""
        self.log("options")
        window = tk.Toplevel(self.root)
        window.title("Options")
        window.geometry("220x160")
        if key:
            window.bind(key, lambda _: window.destroy())
        window.focus_set()

    def make_another_window(self) -> None:
        """The next game, in a window of its own; this one goes, or stays empty beside it."""
        another = tk.Tk()
        Mines(another, self.options)
        if "window" in self.again:
            another.geometry("+260+160")
            self.root.destroy()
        else:
            another.geometry(f"+{self.root.winfo_x() + 320}+160")
            self.root.title("The game before")
            self.canvas.delete("all")
            self.canvas.unbind("<Button-1>")

    def quit(self) -> None:
        self.log("quit")
        self.root.destroy()

    # --- the hands -------------------------------------------------------------------------------------

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
        cell = self.cell_at(event)
        if cell is None:
            self.log("stray", x=event.x, y=event.y)
        elif not self.is_over and cell not in self.flags and cell not in self.opened:
            self.open(cell)

    def right(self, event: tk.Event[tk.Canvas]) -> None:
        if self.options.right == "menu":  # as a browser has one for a page that takes no right button
            menu = tk.Menu(self.root, tearoff=False)
            for entry in ("Back", "Save this page", "Look into it"):
                menu.add_command(label=entry, command=lambda: self.log("stray"))
            menu.tk_popup(event.x_root, event.y_root)
            return
        cell = self.cell_at(event)
        if self.options.right == "open":
            self.log("right", cell=cell)
            self.left(event)
        elif cell is not None and not self.is_over and cell not in self.opened:
            self.flags ^= {cell}
            self.draw()

    def cell_at(self, event: tk.Event[tk.Canvas]) -> int | None:
        for cell in range(self.rows * self.columns):
            (x, y), wide = self.corner(cell), self.wide(cell % self.columns)
            if x <= event.x < x + wide and y <= event.y < y + CELL:
                return cell
        return None

    def disturb(self) -> None:
        """Do what was asked for with --then, once in the whole run."""
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

    # --- the picture -----------------------------------------------------------------------------------

    def draw(self, hit: int | None = None, shows: bool = False) -> None:
        """The board as it is; `shows` its mines, the one that was `hit` on red."""
        self.canvas.delete("all")
        if self.options.grow:
            right = RIM + sum(self.wide(column) for column in range(self.columns)) + RIM
            self.canvas.configure(width=max(right, 2 * RIM + CELL * self.columns + self.options.room))
        if "face" in self.again:
            picture.face(self.canvas, RIM + CELL * self.columns // 2, self.is_over)
        for cell in range(self.rows * self.columns):
            wide = self.wide(cell % self.columns)
            if cell in self.opened or (shows and cell in self.mines and cell not in self.flags):
                number = "*" if cell in self.mines else str(self.number(cell))
                picture.opened(self.canvas, *self.corner(cell), number, cell == hit, wide)
            else:
                picture.hidden(self.canvas, *self.corner(cell), cell in self.flags, wide)

    def wide(self, column: int) -> int:
        """How wide a column is."""
        cells = range(column, self.rows * self.columns, self.columns) if self.options.grow else ()
        has_number = any(k in self.opened and k not in self.mines and self.number(k) for k in cells)
        return CELL + (self.options.grow if has_number else 0)

    def corner(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        return RIM + sum(self.wide(each) for each in range(column)), self.top + CELL * row


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    words = {"win": "plain", "loss": "mines", "again": "f2", "right": "flag", "then": ""}
    for word, usually in {**words, "title": "A test of endings"}.items():
        parser.add_argument(f"--{word}", default=usually)
    for name, usual in {
        "columns": 9,
        "rows": 9,
        "mines": 10,
        "seed": 1,
        "after": 20,
        "grow": 0,
        "room": 0,
        "unlucky": 0,
    }.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    root = tk.Tk()
    Mines(root, parser.parse_args())
    root.geometry("+200+120")
    root.mainloop()


if __name__ == "__main__":
    main()
