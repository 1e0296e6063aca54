"""A Minesweeper for tests, drawn with a skin; it may poll the mouse, or be vicious.

    python field.py --size 12x10 --mines 15 --seed 1 --frame 0.033 --asks --at 200,150 --log FILE

The log starts with `up` and has a line for every press on the window: the cell or `-`, and the effect. With
`--frame` it polls the pointer and the buttons at this interval (seconds), as games do that draw frame by
frame. With `--asks` as well, it receives every press, but once per frame, and queries the pointer position
only then. With `--vicious`, a click on an open number opens all its neighbours
without flags, including mines. The key `n` starts the next game, SIGUSR1 blackens the board.
"""

from __future__ import annotations

import argparse
import select
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from drawing import skin_of, tiles_of
from Xlib import XK, X
from Xlib.display import Display

from games.logic import bits
from games.minesweeper import Deal, Minefield, Move

EDGE = 30  # pixels around the board
BUTTONS = {1: "open", 3: "flag"}


class Field:
    """The window and its game."""

    def __init__(self, options: argparse.Namespace, log: TextIO) -> None:
        self.options = options
        self.log = log
        self.columns, self.rows = (int(part) for part in options.size.split("x"))
        self.seed = options.seed
        self.tiles = tiles_of(skin_of("xdemineur"))
        self.high, self.wide = self.tiles["."].shape[:2]
        self.display = Display()
        screen = self.display.screen()
        self.depth = screen.root_depth
        size = self.columns * self.wide + 2 * EDGE, self.rows * self.high + 2 * EDGE
        hears = options.asks or not options.frame
        events = X.ExposureMask | X.KeyPressMask | (X.ButtonPressMask if hears else 0)
        self.window: Any = screen.root.create_window(
            *options.at, *size, 0, self.depth, background_pixel=0xB0B0B0, event_mask=events
        )
        self.window.set_wm_name("Test Field")
        self.pen = self.window.create_gc(foreground=0)
        self.drawn: dict[int, str] = {}
        self.is_black = False
        self.window.map()
        self.begin()

    def begin(self) -> None:
        options = self.options
        deal = Deal.random(self.rows, self.columns, options.mines, self.seed, options.variant)
        self.field = Minefield(deal, options.first_click, "open")
        self.seed += 1
        self.draw()

    def draw(self, everything: bool = False) -> None:
        """Draw the changed cells, or all."""
        for cell, state in enumerate(self.field.board.cells):
            if everything or self.drawn.get(cell) != state:
                self.drawn[cell] = state
                y, x = divmod(cell, self.columns)
                place = EDGE + x * self.wide, EDGE + y * self.high
                tile = self.tiles[state]
                rows = b"".join(bytes([*pixel, 0]) for pixel in tile.reshape(-1, 3).tolist())
                self.window.put_image(self.pen, *place, self.wide, self.high, X.ZPixmap, self.depth, 0, rows)
        if self.is_black:
            self.window.fill_rectangle(self.pen, 0, 0, 4000, 4000)
        self.display.flush()

    def press(self, x: int, y: int, button: int) -> None:
        """Handle a press at this position of the window."""
        column, row = (x - EDGE) // self.wide, (y - EDGE) // self.high
        cell, done = "-", "outside"
        if 0 <= column < self.columns and 0 <= row < self.rows and x >= EDGE and y >= EDGE:
            k = row * self.columns + column
            cell, done = f"r{row}c{column}", self.act(k, button)
        self.log.write(f"{cell} {done}\n")
        self.draw()

    def act(self, k: int, button: int) -> str:
        board = self.field.board
        if button not in BUTTONS or self.field.is_lost or self.field.is_won:
            return "nothing"
        if button == 1 and board.open >> k & 1:
            if not self.options.vicious:
                return "nothing"
            around = board.around[k] & board.closed
            self.field.play([Move("open", each) for each in bits(around)])
            return "around" if around else "nothing"
        kind = "unflag" if button == 3 and board.flagged >> k & 1 else BUTTONS[button]
        self.field.play([Move(kind, k)])  # type: ignore[arg-type]
        return kind

    def blacken(self, *_: object) -> None:
        self.is_black = True
        self.draw(everything=True)

    def run(self) -> None:
        """Handle events and poll the mouse."""
        self.log.write("up\n")
        signal.signal(signal.SIGUSR1, self.blacken)
        looks = self.looks() if self.options.frame and not self.options.asks else None
        while True:
            while self.display.pending_events():
                event = self.display.next_event()
                if event.type == X.Expose:
                    self.draw(everything=True)
                elif event.type == X.ButtonPress:
                    self.press(*self.place(event), event.detail)
                elif event.type == X.KeyPress and self.display.keycode_to_keysym(event.detail, 0) == XK.XK_n:
                    self.begin()
            if looks:
                next(looks)
            if self.options.frame:
                time.sleep(self.options.frame)
            else:
                select.select([self.display], [], [], 0.05)

    def place(self, event: Any) -> tuple[int, int]:
        """The position of a press; with `--asks`, the current pointer position, moved into the board."""
        if not self.options.asks:
            return event.event_x, event.event_y
        pointer = self.window.query_pointer()
        right, bottom = EDGE + self.columns * self.wide - 1, EDGE + self.rows * self.high - 1
        return min(max(pointer.win_x, EDGE), right), min(max(pointer.win_y, EDGE), bottom)

    def looks(self) -> Iterator[None]:
        """Poll the mouse at each step; a button counts as pressed if it was up at the last step."""
        before = 0
        while True:
            pointer = self.window.query_pointer()
            for button in (1, 2, 3):
                bit = 128 << button
                if pointer.mask & bit and not before & bit:
                    self.press(pointer.win_x, pointer.win_y, button)
            before = pointer.mask
            yield


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", default="12x10")
    parser.add_argument("--mines", type=int, default=15)
    parser.add_argument("--variant", default="plain")
    parser.add_argument("--first-click", default="zero")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", type=lambda text: [int(part) for part in text.split(",")], default=[200, 150])
    parser.add_argument("--frame", type=float, default=0.0)
    parser.add_argument("--asks", action="store_true")
    parser.add_argument("--vicious", action="store_true")
    parser.add_argument("--log", type=Path, required=True)
    chosen = parser.parse_args()
    with chosen.log.open("a", buffering=1) as opened:
        Field(chosen, opened).run()
