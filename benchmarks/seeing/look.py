"""What an observation costs while a game goes on: `python benchmarks/seeing/look.py [--times 300]`.

On a 30x16 board: capture (on a screen of its own, where Xvfb is there), comparing with the picture before,
and reading what changed; then locating a board on a whole screen, and the first look at a board
of a program that nobody knows. Medians, with the 95th percentile. `--profile` names the functions that took
the time.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bot.readers import ReaderFactory
from games.errors import SapperError
from vision.annotations import AnnotatedImage, annotated_images, load_annotated
from vision.frame import Frame
from vision.locate.locate import locate_all, locate_lattice

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
BOARDS = ("gnome-mines/first_click", "kmines/first_click", "sgt-mines/first_click", "xdemineur/mid_game")
PROGRAMS = tuple(board.split("/")[0] for board in BOARDS)
CHANGED = 5  # cells that an act changes
NEW = 60  # pictures with cells that were not met before


def timed(
    work: Callable[[], object], times: int, clock: Callable[[], float] = time.thread_time
) -> list[float]:
    """How many milliseconds of the processor each run takes: others may be busy on the same machine."""
    took = []
    for _ in range(times):
        began = clock()
        work()
        took.append(1000 * (clock() - began))
    return took


def print_times(what: str, took: list[float], least: float | None = None) -> None:
    """Print the median and the 95th percentile, and the goal."""
    goal = f"   (goal: below {least:g} ms)" if least else ""
    print(f"{what:52} {np.median(took):8.3f} ms   95 %: {np.percentile(took, 95):8.3f}{goal}", flush=True)


def changed_board(sample: AnnotatedImage) -> tuple[Frame, Frame]:
    """The board of a sample alone, and the same after some hidden cells were opened elsewhere on it."""
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


def in_play(sight: ReaderFactory, board: str, times: int) -> None:
    """Compare and read, in the middle of a game."""
    program = board.split("/", maxsplit=1)[0]
    sample = load_annotated(SCREENS / f"{board}.png")
    before, after = changed_board(sample)
    lattice = sample.lattice.translated(-sample.lattice.box[0], -sample.lattice.box[1])
    reader = sight.reader(lattice)
    reader.observe(before)
    reader.notify_moves([], certain=True)
    print_times(f"{program}: nothing changed", timed(lambda: reader.observe(before), times))
    known = []
    for _ in range(times):
        known += timed(partial(reader.observe, after), 1)
        reader.observe(before)
    print_times(f"{program}: {CHANGED} cells changed to pictures met before", known, 1)
    new = []
    for k in range(min(times, NEW)):
        after.pixels[:, :, 0] ^= np.uint8(1 + (k & 1))  # hardly to be seen, but no exact picture is met twice
        shown = Frame(np.where(after.pixels // 4 == before.pixels // 4, before.pixels, after.pixels))
        reader.observe(before)
        new += timed(partial(reader.observe, shown), 1)
    print_times(f"{program}: {CHANGED} cells changed to new pictures", new, 1)


def capture(times: int) -> None:
    """One picture of a region as large as a 30x16 board, on a virtual screen."""
    if not shutil.which("Xvfb"):
        print("capture: not measured, Xvfb is not there")
        return
    from bot.desktop.virtual import VirtualScreen
    from vision.frame import MssCapture

    with VirtualScreen(1280, 900), MssCapture() as grabber:
        print_times(
            "capture of 750x400 points",
            timed(lambda: grabber.grab((100, 100, 750, 400)), times, time.perf_counter),
        )


def whole_screens(times: int) -> None:
    """Locating on every labelled screenshot, and a cold start on some."""
    frames = [Frame.load(path) for program in PROGRAMS for path in annotated_images(SCREENS / program)]
    print_times(
        f"locating on {len(frames)} screens",
        [t for frame in frames for t in timed(partial(locate_all, frame), times)],
        30,
    )


def cold_starts(sight: ReaderFactory) -> None:
    """The first look at a program of which nothing is remembered."""
    took = []
    for program in PROGRAMS:
        for path in annotated_images(SCREENS / program):
            frame = Frame.load(path)
            try:
                lattice = locate_lattice(frame)
            except SapperError:
                continue
            took += timed(partial(sight.best_skin, frame, lattice), 1)
    print_times(f"cold start on {len(took)} pictures", took, 500)
    print(f"{'':52} {max(took):8.0f} ms at most")


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--profile", action="store_true")
    words = parser.parse_args()
    profile = cProfile.Profile()
    if words.profile:
        profile.enable()
    print_times("loading the model", timed(ReaderFactory.load, 10))
    sight = ReaderFactory.load()
    capture(words.times)
    for board in BOARDS:
        in_play(sight, board, words.times)
    whole_screens(max(1, words.times // 100))
    cold_starts(sight)
    if words.profile:
        profile.disable()
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main()
