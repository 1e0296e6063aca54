"""Acceptance gate of regenerated parameters: measure `vision/params`, and compare two measurements.

    python -m benchmarks.params_gate measure OLD.jsonl [--only drawn screens] [--screens FOLDER...]
    python -m benchmarks.params_gate compare OLD.jsonl NEW.jsonl

`measure` uses the files in `vision/params` and appends a line per picture; the same command continues an
interrupted run. A picture scores its share of right cells minus WRONG times its share of wrong cells. A scene
scores 1 if it is located exactly, minus WRONG for a wrong or false board. A batch of cells scores the mean
log-probability of the true classes. A screenshot scores like a picture if its board is located exactly, 0 if
no board is found, and -WRONG for another place. Drawn data comes from the validation families and from seeds
that no step uses. A regenerated file is shipped if all sets pass:

- validation sets (drawn cells, pictures, games and scenes): the mean score falls by at most EQUAL, or by at
  most one standard error of the differences;
- screenshots as a whole: the mean score falls by at most two standard errors, and by at most FALL;
  not more wrong cells;
- pictures without a board: not more accepted boards.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.adversarial import examine as examine_boardless
from benchmarks.drawn import count_cells, play
from benchmarks.screenshots import EXACT, is_within
from benchmarks.shared import SCREENS, append_log, new_parser, read_log
from bot.readers import ReaderFactory
from games.errors import InvalidFile, SapperError
from games.minesweeper import UNKNOWN, Board
from strategies import Reasoner, load_strategies
from training.cell_dataset import load_cells
from training.cell_steps import seeds
from training.drawings.themes import ThemeResources
from training.drawn_pictures import drawn_pictures
from training.grids.locate_report import outcome
from training.grids.scenes import draw_scene
from vision.annotations import annotated_images, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate

WRONG = 10.0  # unread cells that are as bad as a wrong cell
EQUAL = 0.001  # decrease of the mean score that counts as equal
FALL = 0.005  # largest decrease of the mean score of screenshots
CELLS, PICTURES, GAMES = seeds("validation"), range(2000, 2400), range(2000, 2040)
SCENES, BOARDLESS = range(8_000_000, 8_000_180), range(400_000, 400_200)
Line = dict[str, Any]  # set, name, score, right, unknown, wrong


def picture_line(
    readers: ReaderFactory, frame: Frame, lattice: Lattice, truth: Board, located: float = 1.0
) -> Line:
    """The counts of one picture that is read along its true lines, a board with probability `located`."""
    read = readers.best_skin(frame, lattice, located)[1].board
    right = sum(a == b for a, b in zip(read.cells, truth.cells, strict=True) if a != UNKNOWN)
    unknown = read.cells.count(UNKNOWN)
    return counts_line(right, unknown, len(truth) - right - unknown)


def counts_line(right: int, unknown: int, wrong: int) -> Line:
    """The line of a picture with these cells."""
    score = (right - WRONG * wrong) / max(1, right + unknown + wrong)
    return {"score": score, "right": right, "unknown": unknown, "wrong": wrong}


def cells_line(readers: ReaderFactory, batch: int) -> Line:
    """A batch of drawn cells of the validation families."""
    pictures, kinds = load_cells("validation", [batch])
    likely = readers.model.likelihoods(list(pictures))
    right = int((likely.argmax(axis=1) == kinds).sum())
    score = float(likely[np.arange(len(kinds)), kinds].mean())
    return {"score": score, "right": right, "wrong": len(kinds) - right}


def drawn_line(readers: ReaderFactory, seed: int) -> Line:
    """A drawn picture of the validation families."""
    found = list(drawn_pictures("validation", range(seed, seed + 1)))
    return picture_line(readers, *found[0][:3]) if found else {}


def game_line(readers: ReaderFactory, seed: int) -> Line:
    """A drawn game of the validation families."""
    resources, reasoner = game_parts()
    played = play(resources, seed, readers, reasoner)
    if played is None:
        return {}
    cells, _ = count_cells(*played)
    sums = [cells[kind] + cells[f"{kind} at the end"] for kind in ("right", "unknown", "wrong")]
    return counts_line(*sums) | {"certain move on a mine": cells["wrong certain"]}


@cache
def game_parts() -> tuple[ThemeResources, Reasoner]:
    """The themes and the strategies of all games."""
    return ThemeResources.load("validation"), Reasoner(load_strategies())


def screen_line(readers: ReaderFactory, path: Path) -> Line:
    """A screenshot: located in the whole picture, and read along the true lines as the located board."""
    try:
        frame, lattice, board, _ = load_annotated(path)
    except InvalidFile:  # labels without lines
        return {}
    place, located = "missed", 1.0
    with suppress(SapperError):
        found, lines = locate(frame), (list(map(float, lattice.xs)), list(map(float, lattice.ys)))
        place = "exact" if is_within(found.lattice, lines, EXACT + 0.5) else "astray"
        located = found.probability if place == "exact" else 1.0
    read = picture_line(readers, frame, lattice, board, located)
    score = {"exact": read["score"], "missed": 0.0, "astray": -WRONG}[place]
    return read | {"score": score, "located": int(place == "exact"), "astray": int(place == "astray")}


def scene_line(readers: ReaderFactory, seed: int) -> Line:
    """A board in a drawn scene of the validation families."""
    rng = np.random.default_rng(seed)
    result = outcome(draw_scene(rng, "validation", rng.random() < 0.8))
    exact, wrong = int(result == "exact"), int(result in {"wrong", "false board"})
    return {"score": exact - WRONG * wrong, "exact": exact, "wrong": wrong}


def boardless_line(readers: ReaderFactory, number: int) -> Line:
    """A picture without a board."""
    accepted = int(examine_boardless(number, readers)[1] == "accepted")
    return {"score": -accepted, "accepted": accepted}


LINES: Mapping[str, Callable[[ReaderFactory, Any], Line]] = {
    "cells": cells_line,
    "drawn": drawn_line,
    "games": game_line,
    "screens": screen_line,
    "scenes": scene_line,
    "boardless": boardless_line,
}
NUMBERS = {"cells": CELLS, "drawn": PICTURES, "games": GAMES, "scenes": SCENES, "boardless": BOARDLESS}


def measure(options: Namespace) -> None:
    """Append the missing lines of the measurement."""
    cv2.setNumThreads(1)
    known = {(line["set"], line["name"]) for line in read_log(options.file)}
    readers = ReaderFactory.load()
    programs = [each for folder in options.screens for each in sorted(folder.iterdir()) if each.is_dir()]
    screens = {str(path.with_suffix("")): path for each in programs for path in annotated_images(each)}
    for each in options.only:
        inputs = {str(number): number for number in NUMBERS[each]} if each in NUMBERS else screens
        for name, key in inputs.items():
            if (each, name) not in known:
                append_log(options.file, {"set": each, "name": name} | LINES[each](readers, key))


def compare(options: Namespace) -> int:
    """Print the sums and the verdict of each set; 1 if a set fails."""
    old, new = (
        {(line["set"], line["name"]): line for line in read_log(path) if "score" in line}
        for path in (options.old, options.new)
    )
    pairs: dict[str, list[tuple[Line, Line]]] = defaultdict(list)
    for key in old.keys() & new.keys():
        pairs[key[0]].append((old[key], new[key]))
    failed = 0
    for name, found in sorted(pairs.items()):
        steps = np.array([after["score"] - before["score"] for before, after in found])
        error = float(steps.std() / np.sqrt(len(steps)))
        counts = [k for k in found[0][0] if isinstance(found[0][0][k], int) and k != "score"]
        sums = {k: tuple(sum(pair[side].get(k, 0) for pair in found) for side in (0, 1)) for k in counts}
        if name == "screens":
            passed = steps.mean() >= -min(2 * error, FALL) and sums["wrong"][1] <= sums["wrong"][0]
        else:
            passed = bool(steps.mean() >= (0 if name == "boardless" else -max(EQUAL, error)))
        failed += not passed
        parts = ", ".join(f"{k} {before} -> {after}" for k, (before, after) in sums.items())
        print(
            f"{name}: {'passed' if passed else 'FAILED'}; {len(found)} pictures, "
            f"score {steps.mean():+.4f} ± {error:.4f}; {parts}"
        )
    return int(failed > 0)


def main() -> int:
    """Measure or compare; the exit code is 1 if a set fails."""
    parser = new_parser(__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.add_argument("file", type=Path)
    one.add_argument("--only", nargs="+", choices=LINES, default=list(LINES))
    one.add_argument("--screens", nargs="+", type=Path, default=[SCREENS], metavar="FOLDER")
    one.set_defaults(work=measure)
    two = commands.add_parser("compare")
    two.add_argument("old", type=Path)
    two.add_argument("new", type=Path)
    two.set_defaults(work=compare)
    options = parser.parse_args()
    return int(options.work(options) or 0)


if __name__ == "__main__":
    sys.exit(main())
