"""Ways to start the next game of the test program that take more than one click."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from picture import GREY

if TYPE_CHECKING:
    from program import Mines


def choices(game: Mines) -> list[tuple[str, Callable[[], object]]]:
    """New, Options, Quit."""
    return [("New", game.fresh), ("Options", lambda: show_options(game)), ("Quit", game.quit)]


def add_row(game: Mines) -> None:
    """A row of buttons above the board."""
    bar = tk.Frame(game.root)
    bar.pack(fill="x")
    for text, command in choices(game):
        tk.Button(bar, text=text, command=command).pack(side="left")


def add_menu(game: Mines) -> None:
    """A menu bar: Game > New, Options, Quit."""
    bar, entries = tk.Menu(game.root), tk.Menu(game.root, tearoff=False)
    for text, command in choices(game):
        entries.add_command(label=text, command=command)
    bar.add_cascade(label="Game", menu=entries)
    game.root.configure(menu=bar)


def add_panel(game: Mines) -> None:
    """The same menu, drawn in the window over the board."""
    entries = tk.Frame(game.canvas, background="white", borderwidth=1, relief="solid")

    def choose(command: Callable[[], object]) -> None:
        entries.place_forget()
        command()

    for text, command in choices(game):
        entry = tk.Label(entries, text=text, width=16, anchor="w", background="white")
        entry.pack(padx=6, pady=4)
        entry.bind("<Button-1>", lambda _, command=command: choose(command))  # type: ignore[misc]
    head = tk.Label(game.root, text="Game", anchor="w")
    head.pack(fill="x", padx=8, before=game.canvas)
    head.bind("<Button-1>", lambda _: entries.place(x=6, y=0))
    game.root.bind("<Escape>", lambda _: entries.place_forget())


def add_smiley(game: Mines) -> None:
    """A face next to the options, in a row above the board."""
    bar = tk.Frame(game.root)
    bar.pack(fill="x")
    tk.Button(bar, text="Settings", command=lambda: show_options(game, "")).pack(side="left")
    tk.Button(bar, text=":-)", command=game.fresh).pack(side="left", padx=20)


def add_field(game: Mines) -> None:
    """A list of levels, followed by the start button."""
    chosen = tk.StringVar(game.root, "Easy")
    tk.OptionMenu(game.bottom, chosen, "Easy", "Medium", "Hard").pack(side="left", padx=6, pady=6)
    chosen.trace_add("write", lambda *_: game.log("options"))
    tk.Button(game.bottom, text="New Game", command=game.fresh).pack(side="left")


def offer_levels(game: Mines) -> None:
    """A page of levels instead of the board; the second level has the current size."""
    game.canvas.delete("all")
    page = tk.Frame(game.canvas, background=GREY)
    page.place(relwidth=1, relheight=1)
    size = game.options.columns, game.options.rows
    for text, (columns, rows) in (("Easy", (6, 6)), ("Medium", size), ("Hard", (7, 8))):
        command = partial(begin_level, game, page, columns, rows)
        tk.Button(page, text=text, width=8, command=command).pack(pady=8)
    tk.Button(page, text="Quit", width=8, command=game.quit).pack(pady=8)


def begin_level(game: Mines, page: tk.Frame | tk.Toplevel, columns: int, rows: int) -> None:
    """A board of this size instead of the page or dialog."""
    page.destroy()
    game.columns, game.rows = columns, rows
    game.fresh()


def show_options(game: Mines, key: str = "<Escape>") -> None:
    """A window of options; `key` closes it, or only its frame if empty."""
    game.log("options")
    window = tk.Toplevel(game.root)
    window.title("Options")
    window.geometry("220x160")
    if key:
        window.bind(key, lambda _: window.destroy())
    window.focus_set()


def ask_size(game: Mines) -> None:
    """A dialog that asks for the size of the next game; no key accepts it."""
    window = tk.Toplevel(game.root)
    window.title("Size")
    window.geometry("220x140")
    size = tk.StringVar(window, "9x9")
    for text in ("9x9", "16x16"):
        tk.Radiobutton(window, text=text, value=text, variable=size).pack()
    tk.Button(window, text="OK", width=8, command=lambda: begin_level(game, window, 9, 9)).pack(pady=8)
    window.focus_set()


def make_another_window(game: Mines) -> None:
    """The next game in a new window; the old one closes or stays empty."""
    another = tk.Tk()
    type(game)(another, game.options)
    if "window" in game.again:
        another.geometry("+260+160")
        game.root.destroy()
    else:
        another.geometry(f"+{game.root.winfo_x() + 320}+160")
        game.root.title("The game before")
        game.canvas.delete("all")
        game.canvas.unbind("<Button-1>")


BUTTONS: dict[str, tuple[str, Callable[[Mines], object]]] = {
    "button": ("Restart", lambda game: game.fresh()),
    "window": ("Play again", make_another_window),
    "beside": ("Play again", make_another_window),
    "levels": ("Restart", offer_levels),
    "size": ("New game", ask_size),
}
PARTS = {"field": add_field, "menu": add_menu, "panel": add_panel}


def pop_up_menu(game: Mines, event: tk.Event[tk.Canvas]) -> None:
    """A browser's context menu."""
    menu = tk.Menu(game.root, tearoff=False)
    for entry in ("Back", "Save this page", "Look into it"):
        menu.add_command(label=entry, command=lambda: game.log("stray"))
    menu.tk_popup(event.x_root, event.y_root)
