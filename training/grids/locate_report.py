"""Locate the boards of drawn scenes from families that nothing was fitted on.

Table: docs/results, "Drawn scenes".

    python -m training.grids.locate_report [--set A|B|test] [--scenes 200]

Each set always contains the same scenes. Set A is for development; B and `test` measure the result once.
The script needs the fonts and icons of `python -m training fetch`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter

import cv2
import numpy as np

from training.exit_code import exit_code_of
from training.grids.scenes import DrawnScene, draw_scene
from vision.frame import Frame
from vision.locate.locate import locate_all

SETS = {"A": ("validation", 5_000_000), "B": ("validation", 6_000_000), "test": ("test", 7_000_000)}
WITH_BOARD = 0.9  # share of scenes with a board
NEAR = 2.0  # pixels
OUTCOMES = ("exact", "other clipping", "several", "none", "refused as clipped", "wrong", "false board")


def scene_kind(drawn: DrawnScene) -> str:
    """The kind of a scene: the appearance of its covered cells, or another property."""
    if drawn.theme is None:
        return "no board"
    if drawn.cut:
        return "clipped board"
    cover = drawn.theme.cover
    if cover.other is not None:
        return "checkerboard"
    fill = "textured or pictured" if cover.texture is not None else "one colour"
    return f"{fill}, no edge" if cover.edge in ("none", "dots") else f"{fill}, edge {cover.edge}"


def outcome(drawn: DrawnScene) -> str:
    """One of OUTCOMES; `exact` also means that no complete board is found in a scene without a board."""
    seen = locate_all(Frame(drawn.pixels))
    if drawn.theme is None:
        return "false board" if any(not each.clipped for each in seen) else "exact"
    if not seen:
        return "none"
    right = [each for each in seen if drawn.has_lines(each.lattice.xs, each.lattice.ys, NEAR, 1 / 2)]
    if not right:
        return "refused as clipped" if all(each.clipped for each in seen) else "wrong"
    if len(seen) > 1:
        return "several"
    return "exact" if sorted(right[0].clipped) == sorted(drawn.cut) else "other clipping"


def main() -> None:
    """Draw the scenes, locate their boards, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", choices=SETS, default="A", dest="name")
    parser.add_argument("--scenes", type=int, default=200)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    split, start = SETS[options.name]
    counts: dict[str, Counter[str]] = {}
    took = []
    for seed in range(start, start + options.scenes):
        rng = np.random.default_rng(seed)
        drawn = draw_scene(rng, split, rng.random() < WITH_BOARD)
        begin = time.process_time()
        result = outcome(drawn)
        took.append(1000 * (time.process_time() - begin))
        counts.setdefault(scene_kind(drawn), Counter())[result] += 1
        counts.setdefault("all", Counter())[result] += 1
    print("| cover | scenes |" + "".join(f" {name} |" for name in OUTCOMES))
    for name, found in sorted(counts.items(), key=lambda each: -each[1].total()):
        print(f"| {name} | {found.total()} |" + "".join(f" {found[column]} |" for column in OUTCOMES))
    print(f"processor time: median {statistics.median(took):.0f} ms, longest {max(took):.0f} ms")


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
