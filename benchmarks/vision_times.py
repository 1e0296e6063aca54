"""Processor time of vision: loading, capturing, locating, the first reading, observations during play.

Table: docs/results, "Vision times".

    python -m benchmarks.vision_times [--times 300]

All times are milliseconds on 30x16 boards of the labelled screenshots; the capture needs Xvfb.
"""

from __future__ import annotations

import shutil
import time
from functools import partial

import numpy as np

from benchmarks.shared import SCREENS, format_times, new_parser, time_calls
from bot.desktop.virtual import virtual_screen
from bot.readers import ReaderFactory
from games.errors import SapperError
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.frame import Frame, MssCapture
from vision.locate.locate import locate_all, locate_lattice

BOARDS = ("gnome-mines/first_click", "kmines/first_click", "sgt-mines/first_click", "xdemineur/mid_game")
CHANGED = 5  # cells that a move changes
MAX_NEW = 60  # pictures with unfamiliar cells


def print_times(name: str, ms: list[float]) -> None:
    """Print one line of the table."""
    print(f"{name:46} {format_times(ms)}", flush=True)


def board_before_and_after(sample: AnnotatedImage) -> tuple[Frame, Frame]:
    """The board of a sample alone, and the same board after some hidden cells were opened."""
    left, top, width, height = sample.lattice.box
    before = Frame(np.ascontiguousarray(sample.frame.pixels[top : top + height, left : left + width]))
    after = Frame(before.pixels.copy())
    lattice = sample.lattice.translated(-left, -top)
    hidden = [k for k, state in enumerate(sample.board.cells) if state == "."]
    opened = [k for k, state in enumerate(sample.board.cells) if state in "012"]
    for k, source in zip(hidden[:CHANGED], opened[:CHANGED], strict=True):
        x, y, x2, y2 = lattice.rectangle(k)
        u, v, _, _ = lattice.rectangle(source)
        after.pixels[y:y2, x:x2] = before.pixels[v : v + y2 - y, u : u + x2 - x]
    return before, after


def time_observations(readers: ReaderFactory, board: str, times: int) -> None:
    """Time the observations of a game in progress."""
    program = board.split("/", maxsplit=1)[0]
    sample = load_annotated(SCREENS / f"{board}.png")
    before, after = board_before_and_after(sample)
    lattice = sample.lattice.translated(-sample.lattice.box[0], -sample.lattice.box[1])
    reader = readers.reader(lattice)
    reader.observe(before)
    reader.notify_moves([], certain=True)
    print_times(f"{program}: no change", time_calls(lambda: reader.observe(before), times))
    known = []
    for _ in range(times):
        known += time_calls(partial(reader.observe, after), 1)
        reader.observe(before)
    print_times(f"{program}: {CHANGED} cells change to familiar pictures", known)
    new = []
    for k in range(min(times, MAX_NEW)):
        after.pixels[:, :, 0] ^= np.uint8(1 + (k & 1))  # invisible, but no two pictures are identical
        shown = Frame(np.where(after.pixels // 4 == before.pixels // 4, before.pixels, after.pixels))
        reader.observe(before)
        new += time_calls(partial(reader.observe, shown), 1)
    print_times(f"{program}: {CHANGED} cells change to new pictures", new)


def time_capture(times: int) -> None:
    """Time the capture of a region as large as a 30x16 board on a virtual screen (wall time)."""
    if not shutil.which("Xvfb"):
        print("capture: not measured, because Xvfb is missing")
        return
    with virtual_screen(1280, 900), MssCapture() as grabber:
        grab = partial(grabber.grab, (100, 100, 750, 400))
        print_times("capture of 750x400 points", time_calls(grab, times, time.perf_counter))


def time_screens(readers: ReaderFactory, times: int) -> None:
    """Time locating and the first reading on all screenshots of the four programs."""
    folders = [SCREENS / board.split("/", maxsplit=1)[0] for board in BOARDS]
    frames = [Frame.load(path) for folder in folders for path in annotated_images(folder)]
    located, read = [], []
    for frame in frames:
        located += time_calls(partial(locate_all, frame), times)
        try:
            lattice = locate_lattice(frame)
        except SapperError:
            continue
        read += time_calls(partial(readers.best_skin, frame, lattice), 1)
    print_times(f"locating on {len(frames)} screens", located)
    print_times(f"first reading on {len(read)} screens", read)


def main() -> None:
    """Print all times."""
    parser = new_parser(__doc__)
    parser.add_argument("--times", type=int, default=300)
    times: int = parser.parse_args().times
    print_times("loading the model", time_calls(ReaderFactory.load, 10))
    readers = ReaderFactory.load()
    time_capture(times)
    for board in BOARDS:
        time_observations(readers, board, times)
    time_screens(readers, max(1, times // 100))


if __name__ == "__main__":
    main()
