"""How well boards are located on drawn scenes of families that training never saw, by cover."""

from __future__ import annotations

import statistics
import time
from collections import Counter

import numpy as np

from training.locating.cuts import supply
from training.locating.scenes import Scene, scene
from training.locating.weights import is_right
from vision.frame import Frame
from vision.locating import locate_all
from vision.locating.grid import Grid

SCENES, SPLIT = 400, "validation"
START = 5_000_000  # where the seeds begin, behind those of training
COLUMNS = ("scenes", "exact", "missed", "wrong", "cut wrongly")


def kind(drawn: Scene) -> str:
    """What sort of scene it is: how its covered cells are painted, or what else is special."""
    if drawn.theme is None:
        return "no board"
    if drawn.cut:
        return "cut board"
    cover = drawn.theme.cover
    if cover.other is not None:
        return "checkerboard"
    if cover.edge == "dots":
        return "dots at the corners"
    fill = "textured or pictured" if cover.texture is not None else "one colour"
    return f"{fill}, no edge" if cover.edge == "none" else f"{fill}, edge {cover.edge}"


def outcome(drawn: Scene) -> str:
    """What became of a scene, one of COLUMNS."""
    seen = locate_all(Frame(drawn.pixels))
    if drawn.theme is None:
        return "wrong" if seen else "exact"
    for each in seen:
        lines = each.lattice.xs, each.lattice.ys
        if is_right(Grid(*(tuple(map(float, line)) for line in lines)), drawn):
            if len(seen) > 1:
                return "wrong"
            return "exact" if sorted(each.clipped) == sorted(drawn.cut) else "cut wrongly"
    return "wrong" if seen and not all(each.clipped for each in seen) else "missed"


def main() -> None:
    """Draw, locate, count."""
    counts: dict[str, Counter[str]] = {}
    took = []
    for seed in range(START, START + SCENES):
        rng = np.random.default_rng(seed)
        drawn = scene(rng, supply(SPLIT), rng.random() < 0.9)
        began = time.process_time()
        what = outcome(drawn)
        took.append(1000 * (time.process_time() - began))
        counts.setdefault(kind(drawn), Counter())[what] += 1
        counts.setdefault("all", Counter())[what] += 1
    print("| cover |" + "".join(f" {name} |" for name in COLUMNS))
    for name, found in sorted(counts.items(), key=lambda each: -each[1].total()):
        print(f"| {name} | {found.total()} |" + "".join(f" {found[column]} |" for column in COLUMNS[1:]))
    print(f"ms of the processor: median {statistics.median(took):.0f}, most {max(took):.0f}")
