"""Drawing of the test program: classic cells, a face, messages, an unusual mine."""

from __future__ import annotations

import tkinter as tk

CELL = 26
COLOURS = ("", "#0000ff", "#007f00", "#ff0000", "#00007f", "#7f0000", "#007f7f", "#000000", "#7f7f7f")
TILES = ("#db3236", "#f4840d", "#f4c20d", "#008744", "#48e6f1", "#4885ed", "#b648f2", "#ed44b5")
GREY, LIGHT, DARK = "#c0c0c0", "#ffffff", "#808080"


def hidden(canvas: tk.Canvas, x: int, y: int, is_flagged: bool, wide: int = CELL) -> None:
    """A raised cell with its corner at (x, y)."""
    far, near = CELL, CELL - 3
    canvas.create_rectangle(x, y, x + wide, y + far, fill=GREY, outline="")
    light = [(0, 0), (wide, 0), (wide - 3, 3), (3, 3), (3, near), (0, far)]
    dark = [(wide, far), (wide, 0), (wide - 3, 3), (wide - 3, near), (3, near), (0, far)]
    for corners, colour in ((light, LIGHT), (dark, DARK)):
        canvas.create_polygon([(x + a, y + b) for a, b in corners], fill=colour)
    if is_flagged:
        canvas.create_polygon([(x + 13, y + 5), (x + 13, y + 14), (x + 6, y + 10)], fill="red")
        canvas.create_line(x + 13, y + 5, x + 13, y + 20, width=2)
        canvas.create_line(x + 8, y + 20, x + 18, y + 20, width=2)


def opened(canvas: tk.Canvas, x: int, y: int, shows: str, is_hit: bool, wide: int = CELL) -> None:
    """An open cell with a number (nothing for 0) or a mine (`*`)."""
    canvas.create_rectangle(x, y, x + wide, y + CELL, fill="red" if is_hit else GREY, outline=DARK)
    if shows == "*":
        for a, b, c, d in ((4, 13, 22, 13), (13, 4, 13, 22), (7, 7, 19, 19), (7, 19, 19, 7)):
            canvas.create_line(x + a, y + b, x + c, y + d, width=2)
        canvas.create_oval(x + 7, y + 7, x + 19, y + 19, fill="black")
        canvas.create_rectangle(x + 10, y + 10, x + 12, y + 12, fill="white", outline="")
    elif shows != "0":
        colour, font = COLOURS[int(shows)], ("Helvetica", -17, "bold")
        canvas.create_text(x + wide / 2, y + CELL / 2 + 1, text=shows, fill=colour, font=font)


def strange(canvas: tk.Canvas, x: int, y: int) -> None:
    """The exploded mine, in an unusual style."""
    canvas.create_rectangle(x, y, x + CELL, y + CELL, fill="#e0b0ff", outline=DARK)
    for k in range(3, CELL - 2, 4):
        canvas.create_line(x + k, y + 3, x + CELL - k, y + CELL - 3, fill="#205020")


def tile(canvas: tk.Canvas, x: int, y: int, colour: str) -> None:
    """A mine as a plain tile."""
    canvas.create_rectangle(x, y, x + CELL, y + CELL, fill=colour, outline="")


def hide(canvas: tk.Canvas, way: str, text: str) -> None:
    """Dim the window, or replace everything in it with a text."""
    if way == "dim":
        canvas.create_rectangle(0, 0, 2000, 2000, fill="black", stipple="gray50", outline="")
    else:
        canvas.delete("all")
        canvas.create_text(120, 120, text=text, font=("Helvetica", 16))


def dim(canvas: tk.Canvas) -> None:
    """Reduce the brightness of the whole drawing to a third."""
    for item in canvas.find_all():
        for option in ("fill", "outline"):
            if colour := (canvas.itemconfigure(item) or {}).get(option, ("",))[-1]:
                shades = (canvas.winfo_rgb(colour)[k] // 257 // 3 for k in range(3))
                canvas.itemconfigure(item, {option: "#{:02x}{:02x}{:02x}".format(*shades)})
    canvas.configure(background="#404040")


def message(canvas: tk.Canvas, box: tuple[int, int, int, int], text: str, has_button: bool) -> None:
    """A message in this box (left, top, right, bottom), optionally with a restart button."""
    x, middle = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    canvas.create_rectangle(*box, fill="#fff8d0", outline="#404040", width=2)
    canvas.create_text(x, middle - 30, text=text, font=("Helvetica", 15, "bold"))
    if has_button:
        canvas.create_rectangle(x - 50, middle + 10, x + 50, middle + 42, fill=GREY, outline="black", width=2)
        canvas.create_text(x, middle + 26, text="Play again", font=("Helvetica", 11))


def alert(canvas: tk.Canvas, x: int, text: str) -> None:
    """A message at the top of the window, centred at x."""
    canvas.create_rectangle(x - 90, 0, x + 90, 60, fill="white", outline="")
    canvas.create_text(x, 30, text=text, font=("Helvetica", 13))


def face(canvas: tk.Canvas, x: int, is_over: bool) -> None:
    """The face button, centred at x."""
    canvas.create_rectangle(x - 17, 10, x + 17, 44, fill=GREY, outline="black")
    canvas.create_line([(x - 15, 42), (x - 15, 12), (x + 15, 12)], fill=LIGHT, width=2)
    canvas.create_oval(x - 11, 16, x + 11, 38, fill="yellow", outline="black")
    for eye in (-5, 4):
        canvas.create_oval(x + eye, 23, x + eye + 2, 25, fill="black")
    if is_over:
        canvas.create_line(x - 5, 33, x + 5, 33, width=2)
    else:
        canvas.create_arc(x - 6, 25, x + 6, 35, start=200, extent=140, style="arc", width=2)
