"""Finds Minesweeper boards in a picture of the screen, whatever program drew them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from games.errors import ManyBoards, NoBoard, Unplayable
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locating.boxes import Seed, find_seeds
from vision.locating.evidence import place
from vision.locating.extent import SIDES, room
from vision.locating.fitting import fit, moved_to_edges
from vision.locating.flat import Sighting, flat_boards
from vision.locating.grid import Grid
from vision.locating.judging import Judge
from vision.locating.repeats import Repeat, find_repeats
from vision.locating.weighing import Weighed, weighed

FEWEST = 4  # columns and rows of the smallest board
MOST_GUESSES = 4  # of one kind that are looked at; a board gives one or more of each
MOST_ASKED = 2000  # cut-outs after which no more guesses are looked at: a fifth of a second
SMALLEST_HALVED = 200  # pixels, across and down, of a picture that is also looked at in half its size
CERTAIN = 0.9  # probability at which a whole board is believed rather than one that was seen as cut
SETTLED = 0.7  # probability of a board at which nothing better is looked for on its place
ASTRAY = 16  # part of a cell that the lines may be off when a board is found, beside two pixels
MOVES = 4  # places of the lines that are weighed then
DOUBTFUL = 0.02  # probability below which a grid is given up
SURE = 0.5  # probability that a board needs: it is likelier than not


def locate(frame: Frame) -> Lattice:
    """The one board in the picture.

    Raises NoBoard, ManyBoards when more than one is seen, Unplayable when a side of it is cut off.
    """
    seen = locate_all(frame)
    if not seen:
        raise NoBoard("no board is to be seen: show the whole board, with nothing over it, and try again")
    if len(seen) > 1:
        places = ", ".join(f"{s.lattice.size} at ({s.lattice.xs[0]}, {s.lattice.ys[0]})" for s in seen)
        raise ManyBoards(f"{len(seen)} boards are to be seen ({places}): leave one, or name its window")
    if seen[0].clipped:
        sides = " and ".join(seen[0].clipped)
        raise Unplayable(f"the board is cut at the {sides}: enlarge its window or move it into view")
    return seen[0].lattice


def locate_all(frame: Frame) -> tuple[Sighting, ...]:
    """Every board in the picture, the likeliest first; none is no error.

    Boards with flat cells and straight lines are seen at once; where there is none, or only a part of one,
    whatever else repeats itself is looked at, and the judge of cells decides.
    """
    pixels = frame.pixels
    seen = flat_boards(pixels)
    if any(not each.clipped for each in seen):
        return seen
    judge = Judge(pixels)
    best = [_judged(judge, each) for each in seen]
    for found in sorted(candidates(judge), key=lambda each: -each.probability):
        if found.probability < SURE:
            break
        sighting = Sighting(_lattice(found, pixels), found.probability, found.cut)
        rivals = [other for other in best if _overlap(sighting.lattice, other.lattice)]
        if all(_is_better(pixels, sighting, other) for other in rivals):
            best = [other for other in best if other not in rivals] + [sighting]
    return tuple(sorted(best, key=lambda each: -each.confidence))


def _judged(judge: Judge, sighting: Sighting) -> Sighting:
    """The same with the probability that the judge of cells gives it."""
    lines = sighting.lattice.xs, sighting.lattice.ys
    grid = Grid(*(tuple(map(float, each)) for each in lines))
    return replace(sighting, confidence=weighed(judge, grid).probability)


def _is_better(pixels: Pixels, one: Sighting, other: Sighting) -> bool:
    """Whether a board is believed rather than another one on its place."""
    if one.confidence < other.confidence:
        return False
    limits = {"left": 0, "top": 0, "right": pixels.shape[1], "bottom": pixels.shape[0]}
    ends, others = (
        dict(zip(limits, (*lines.xs[:1], *lines.ys[:1], lines.xs[-1], lines.ys[-1]), strict=True))
        for lines in (one.lattice, other.lattice)
    )
    pitch = one.lattice.pitch
    for side in other.clipped:
        # what was seen as cut is whole with more cells, or for certain where the picture's border cuts none
        out = (others[side] - ends[side]) * (1 if side in ("left", "top") else -1)
        room = abs(limits[side] - ends[side])
        is_doubtful = one.confidence < CERTAIN or pitch / 8 < room < pitch
        if side not in one.clipped and out < pitch / 2 and is_doubtful:
            return False
    return True


def candidates(judge: Judge) -> list[Weighed]:
    """Everything that may be a board, and how likely it is one; several on one place, too."""
    found: list[Weighed] = []
    tried: list[Grid] = []
    for some in guesses(judge.pixels):
        for guess in some[:MOST_GUESSES]:
            if judge.asked > MOST_ASKED:
                return found
            if not any(each.probability >= SETTLED and _covers(each, guess) for each in found):
                for grid in fit(judge, guess, tried):
                    tried.append(grid)
                    if min(len(grid.xs), len(grid.ys)) > FEWEST:
                        found.append(_improved(judge, weighed(judge, grid)))
                        tried.append(found[-1].grid)
                        if found[-1].probability >= SETTLED:
                            break
        if any(each.probability >= SETTLED for each in found):
            break
    return found


def _improved(judge: Judge, best: Weighed) -> Weighed:
    """The same; where it is in doubt, with a strip more or less on a side if that is likelier."""
    if not DOUBTFUL < best.probability < SETTLED:
        return best
    reaches = [(-reach, reach) for axis in (0, 1) for reach in [2 + int(best.grid.pitch(axis) / ASTRAY)]]
    grids, edges = moved_to_edges(judge.pixels, best.grid, reaches)
    nearest = [grid for _, grid in sorted(zip(edges, grids, strict=True), key=lambda each: -each[0])]
    best = max([best, *(weighed(judge, grid) for grid in nearest[:MOVES])], key=lambda each: each.probability)
    while best.probability < SETTLED:
        grids = [best.grid.without(*side) for side in SIDES]
        grids += [
            best.grid.widened(*side)
            for side in SIDES
            if room(judge, best.grid, side) > best.grid.pitch(side[0])
        ]
        tried = [weighed(judge, grid) for grid in grids if min(len(grid.xs), len(grid.ys)) > FEWEST]
        better = max(tried, key=lambda each: each.probability, default=best)
        if better.probability <= best.probability:
            break
        best = better
    return best


def guesses(pixels: Pixels) -> Iterator[Sequence[Seed | Repeat]]:
    """Where boards may be, ever less closely: flat areas, areas that repeat, the same in half the size.

    Cells that are dithered or textured are flat in a picture that is averaged over two pixels, and those of a
    magnified screen are not too large in one of half the size.
    """
    yield from find_seeds(pixels)
    yield find_repeats(pixels)
    yield from find_seeds(cv2.blur(pixels, (2, 2)).astype(np.uint8))
    if min(pixels.shape[:2]) >= SMALLEST_HALVED:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        for seeds in find_seeds(half):
            yield [seed.magnified(2) for seed in seeds]
        yield [repeat.magnified(2) for repeat in find_repeats(half)]


def _covers(board: Weighed, guess: Seed | Repeat) -> bool:
    """Whether most of a guess lies on a board that was found already."""
    left, top, right, bottom = guess.box
    xs, ys = board.grid.xs, board.grid.ys
    wide = min(right, xs[-1]) - max(left, xs[0])
    high = min(bottom, ys[-1]) - max(top, ys[0])
    return min(wide, high) > 0 and wide * high > 0.5 * (right - left) * (bottom - top)


def _overlap(one: Lattice, other: Lattice) -> bool:
    """Whether two boards claim some of the same cells, so that at most one of them is right."""
    wide = min(one.xs[-1], other.xs[-1]) - max(one.xs[0], other.xs[0])
    high = min(one.ys[-1], other.ys[-1]) - max(one.ys[0], other.ys[0])
    return min(wide, high) > min(one.pitch, other.pitch)


def _lattice(board: Weighed, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line that was seen a pixel beyond the picture is its border."""
    lines = []
    for axis in (1, 0):
        seen = [place(line) for line in board.grid.lines(axis)]
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)
