"""How long reading takes: `python benchmarks/seeing/read.py`. Prints medians in milliseconds, no screen."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np

from bot.readers import ReaderFactory
from vision.annotations import load_annotated
from vision.frame import Frame

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
PICTURES = ("xdemineur/mid_game", "sgt-mines/mid_game", "gnome-mines/mid_game", "kmines/mid_game")


def median_ms(act: Callable[[], object], times: int = 50) -> float:
    """Median time of one act."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken)


def measure(sight: ReaderFactory, name: str) -> tuple[int, list[float]]:
    """Cells, and medians of: a first reading, the first of a game, observing 0 and 5 changed cells."""
    sample = load_annotated(SCREENS / f"{name}.png")
    frame, lattice = sample.frame, sample.lattice
    reader = sight.reader(lattice)
    reader.observe(frame)
    reader.notify_moves([], certain=True)
    same, other = Frame(frame.pixels.copy()), Frame(frame.pixels.copy())
    swapped = np.random.default_rng(1).choice(len(sample.board), 10, replace=False)
    for to, source in zip(swapped[:5], swapped[5:], strict=True):
        x, y, x2, y2 = lattice.rectangle(int(to))
        u, v, _, _ = lattice.rectangle(int(source))
        other.pixels[y:y2, x:x2] = frame.pixels[v : v + y2 - y, u : u + x2 - x]
    shown = cycle((other, same))
    return len(sample.board), [
        median_ms(lambda: sight.best_skin(frame, lattice), 15),
        median_ms(lambda: sight.reader(lattice).observe(frame), 15),
        median_ms(lambda: reader.observe(frame), 200),
        median_ms(lambda: reader.observe(next(shown)), 200),
    ]


def main() -> None:
    """Measure every picture."""
    print(f"{'picture':24} {'cells':>5} {'picture':>8} {'game':>8} {'0 new':>8} {'5 new':>8}   (median ms)")
    sight = ReaderFactory.load()
    for name in PICTURES:
        cells, times = measure(sight, name)
        print(f"{name:24} {cells:5} " + " ".join(f"{time:8.3f}" for time in times))


if __name__ == "__main__":
    main()
