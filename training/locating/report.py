"""How well boards are located on drawn scenes: `python -m training.locating.report [--set B]`.

Scenes are drawn from their numbers, of families that nothing was fitted on, so each set is the same every
time. A is what locating may be developed on; B and `test` measure what was decided, once. Needs the fonts and
icons that `python -m training fetch` brings.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter

import cv2
import numpy as np

from training.ending import exit_code_of
from training.locating.scenes import Scene, scene, supply_of
from vision.frame import Frame
from vision.locate.lines import BoardCandidate
from vision.locate.locate import locate_all

SETS = {"A": ("validation", 5_000_000), "B": ("validation", 6_000_000), "test": ("test", 7_000_000)}
WITH_BOARD = 0.9  # of the scenes
NEAR = 2.0, 0.05  # pixels, or part of a cell, that a line may be off, beside the half of a gap
OUTCOMES = ("exact", "cut otherwise", "with another", "none", "refused as cut", "wrong", "claimed")


def kind(drawn: Scene) -> str:
    """What sort of scene it is: how its covered cells are painted, or what else is special."""
    if drawn.theme is None:
        return "no board"
    if drawn.cut:
        return "cut board"
    cover = drawn.theme.cover
    if cover.other is not None:
        return "checkerboard"
    fill = "textured or pictured" if cover.texture is not None else "one colour"
    return f"{fill}, no edge" if cover.edge in ("none", "dots") else f"{fill}, edge {cover.edge}"


def is_right(found: BoardCandidate, drawn: Scene) -> bool:
    """Whether there are as many lines as drawn, each between the cells that it parts, or nearly."""
    for seen, true in ((found.lattice.xs, drawn.xs), (found.lattice.ys, drawn.ys)):
        if len(seen) != len(true):
            return False
        near = max(NEAR[0], NEAR[1] * float(np.diff(true).mean())) + drawn.gap / 2
        if float(np.abs(np.array(seen) - true).max()) > near:
            return False
    return True


def outcome(drawn: Scene) -> str:
    """What became of a scene, one of OUTCOMES; "exact" where there is no board and none is seen whole."""
    seen = locate_all(Frame(drawn.pixels))
    if drawn.theme is None:
        return "claimed" if any(not each.clipped for each in seen) else "exact"
    if not seen:
        return "none"
    right = [each for each in seen if is_right(each, drawn)]
    if not right:
        return "refused as cut" if all(each.clipped for each in seen) else "wrong"
    if len(seen) > 1:
        return "with another"
    return "exact" if sorted(right[0].clipped) == sorted(drawn.cut) else "cut otherwise"


def main() -> None:
    """Draw, locate, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", choices=SETS, default="A", dest="name")
    parser.add_argument("--scenes", type=int, default=200)
    words = parser.parse_args()
    cv2.setNumThreads(1)
    split, start = SETS[words.name]
    counts: dict[str, Counter[str]] = {}
    took = []
    for seed in range(start, start + words.scenes):
        rng = np.random.default_rng(seed)
        drawn = scene(rng, supply_of(split), rng.random() < WITH_BOARD)
        began = time.process_time()
        what = outcome(drawn)
        took.append(1000 * (time.process_time() - began))
        counts.setdefault(kind(drawn), Counter())[what] += 1
        counts.setdefault("all", Counter())[what] += 1
    print("| cover | scenes |" + "".join(f" {name} |" for name in OUTCOMES))
    for name, found in sorted(counts.items(), key=lambda each: -each[1].total()):
        print(f"| {name} | {found.total()} |" + "".join(f" {found[column]} |" for column in OUTCOMES))
    print(f"ms of the processor: median {statistics.median(took):.0f}, most {max(took):.0f}")


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
