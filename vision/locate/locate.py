"""Locate Minesweeper boards in an image of the screen.

Several methods propose boards; the judge gives their probabilities; this module resolves overlaps between
proposals, and reports missing, ambiguous and clipped boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.boxes import SQUARE, find_box_lattices
from vision.locate.extend import continuing_sides
from vision.locate.fit import best_grids, fit, refit_variants
from vision.locate.grid import BEYOND, FEWEST, Grid, to_pixel
from vision.locate.judge import LINES, CellJudge, ScoredGrid, score_grid
from vision.locate.lines import (
    SAME_PITCH,
    SMALLEST_HALVED,
    BoardCandidate,
    lattices_overlap,
    propose_from_lines,
)
from vision.locate.repeats import (
    ALIKE,
    MIN_GAP,
    RepeatingArea,
    center_lines_in_gaps,
    propose_from_rectangles,
    propose_from_repeats,
    remove_gaps,
)


def is_preferred(pixels: Pixels, one: BoardCandidate, other: BoardCandidate, has_lines: bool) -> bool:
    """Whether a board is believed rather than another one on its place, which may show lines."""
    limits = {"left": 0, "top": 0, "right": pixels.shape[1], "bottom": pixels.shape[0]}
    ends, others = (
        dict(zip(limits, (*lines.xs[:1], *lines.ys[:1], lines.xs[-1], lines.ys[-1]), strict=True))
        for lines in (one.lattice, other.lattice)
    )
    if not other.clipped:
        # the picture's border may take a pixel of the last cells: to the judge they are cut then
        leaves_out = any(
            abs(others[side] - limits[side]) <= BEYOND
            and abs(ends[side] - limits[side]) >= one.lattice.pitch - 2 * BEYOND
            for side in one.clipped
        )
        is_likelier = _odds(one) > (LINES if has_lines else 1.0) * _odds(other)
        is_moved = has_lines and (leaves_out or agrees_within_gap(one.lattice, other.lattice))
        return is_likelier and not is_moved
    if one.confidence <= other.confidence and one.lattice != other.lattice:
        return False
    pitch = one.lattice.pitch
    for side in other.clipped:
        # what was seen as cut is whole with more cells, or for certain where the picture's border cuts none
        out = (others[side] - ends[side]) * (1 if side in ("left", "top") else -1)
        room = abs(limits[side] - ends[side])
        is_doubtful = _odds(one) < LINES * _odds(other) or pitch / 8 < room < pitch
        if side not in one.clipped and out < pitch / 2 and is_doubtful:
            return False
    return True


def extends(one: BoardCandidate, other: BoardCandidate) -> bool:
    """Whether the other is cut, has the same pitch, and lies on the same place."""
    is_same = abs(one.lattice.pitch / other.lattice.pitch - 1) < SAME_PITCH
    return bool(other.clipped) and is_same and lattices_overlap(one.lattice, other.lattice)


def agrees_within_gap(one: Lattice, other: Lattice) -> bool:
    """Whether two boards differ in where lines lie within a gap, at most: edges show that, not the judge."""
    near = MIN_GAP * other.pitch
    return one.size == other.size and all(
        abs(a - b) <= near
        for lines, others in ((one.xs, other.xs), (one.ys, other.ys))
        for a, b in zip(lines, others, strict=True)
    )


def is_row_of(one: Lattice, other: Lattice) -> bool:
    """Whether a board lies on one row, or column, of cells of another one."""
    (_, _, wide, high), (_, _, width, height) = one.box, other.box
    return high <= height / other.rows or wide <= width / other.columns


def _odds(sighting: BoardCandidate) -> float:
    return sighting.confidence / (1.0 - sighting.confidence + 1e-9)


MOST_ASKED = 4000  # cut-outs after which no more guesses are looked at: half a second, about
MOST_GUESSES = 8  # of one kind that are looked at; a board gives one or more of each
SETTLED = 0.9  # probability of a board at which nothing better is looked for on its place
DOUBTED = 0.2  # probability of a board that was seen by its lines below which anything else is looked at
ASTRAY = 0.01  # probability that such a board needs; of 920 true ones, scaled or packed, two have less
SURE = 0.7  # probability that a board needs that no lines show, and
SHOWN = 0.5  # one where lines of the same pitch show a part of one


def locate_lattice(frame: Frame) -> Lattice:
    """The one board in the picture. Raises what `find` raises."""
    return locate(frame).lattice


def locate(frame: Frame) -> BoardCandidate:
    """The one board in the picture, and how likely it is one.

    Raises NoBoard, ManyBoards when more than one is seen, Unplayable when a side of it is cut off.
    """
    seen = locate_all(frame)
    if not seen:
        raise BoardNotFound(
            "no board is to be seen: show the whole board, with nothing over it, and try again"
        )
    if len(seen) > 1:
        places = ", ".join(f"{s.lattice.size} at ({s.lattice.xs[0]}, {s.lattice.ys[0]})" for s in seen)
        raise AmbiguousBoard(f"{len(seen)} boards are to be seen ({places}): leave one, or name its window")
    if seen[0].clipped:
        sides = " and ".join(seen[0].clipped)
        raise BoardUnplayable(f"the board is cut at the {sides}: enlarge its window or move it into view")
    return seen[0]


def locate_all(frame: Frame) -> tuple[BoardCandidate, ...]:
    """Every board in the picture, the likeliest first; none is no error.

    Boards with flat cells and straight lines are seen at once. Where there is none, or only a part of one, or
    the judge of cells doubts it, whatever else repeats itself or stands out is looked at; the judge decides.
    Rows or columns that lie far apart are brought together for that, too.
    """
    judge = CellJudge(frame.pixels)
    seen = _by_lines(judge)
    return tuple(
        seen if any(map(_is_sure, seen)) else _with_those_apart(judge.pixels, _search_wider(judge, seen))
    )


def _by_lines(judge: CellJudge) -> list[BoardCandidate]:
    """The boards that are seen by their flat areas and lines, where the judge has nothing against it."""
    seen = [_judged(judge, each) for each in propose_from_lines(judge.pixels)]
    return [each for each in seen if each.confidence >= _least(each)]


def _with_those_apart(pixels: Pixels, seen: list[BoardCandidate]) -> list[BoardCandidate]:
    """These boards, and those whose rows lie much further apart than their columns, or the other way round.

    Of the latter parts may have been seen, single rows or a board that is cut: those are none.
    """
    for picture in remove_gaps(pixels):
        for each in _by_lines(CellJudge(picture.pixels)):
            lattice = picture.restore_gaps(each.lattice)
            if lattice is None or each.clipped or each.confidence < SURE:
                continue
            rivals = [other for other in seen if lattices_overlap(lattice, other.lattice)]
            if all(other.clipped or is_row_of(other.lattice, lattice) for other in rivals):
                seen = [*(other for other in seen if other not in rivals), replace(each, lattice=lattice)]
    return seen


def _search_wider(judge: CellJudge, seen: list[BoardCandidate]) -> list[BoardCandidate]:
    """What is seen where these boards, which show lines, are not sure."""
    pixels = judge.pixels
    tried = [board for each in seen if not each.clipped for board in refit_variants(judge, _grid(each))]
    best = seen = [_surer(each, tried, pixels) for each in seen]
    if any(_is_sure(each) for each in seen):
        return seen
    for found in sorted([*tried, *candidates(judge)], key=_probability, reverse=True):
        if found.probability < SHOWN:
            break
        sighting = BoardCandidate(_lattice(found, pixels), found.probability, found.cut)
        if found.probability < SURE and not any(extends(sighting, each) for each in seen):
            continue
        rivals = [other for other in best if lattices_overlap(sighting.lattice, other.lattice)]
        if all(is_preferred(pixels, sighting, other, other in seen) for other in rivals):
            kept = [other for other in best if other not in rivals and other.confidence >= ASTRAY]
            best = [*kept, sighting]
    return sorted(best, key=lambda each: -each.confidence)


def _is_sure(board: BoardCandidate) -> bool:
    return not board.clipped and board.confidence >= DOUBTED


def _surer(board: BoardCandidate, tried: list[ScoredGrid], pixels: Pixels) -> BoardCandidate:
    """The same, as likely as the likeliest of these, if that differs in where lines lie in gaps at most."""
    rivals = [each for each in tried if lattices_overlap(_lattice(each, pixels), board.lattice)]
    best = max(rivals, key=_probability, default=None)
    if best is None or not agrees_within_gap(_lattice(best, pixels), board.lattice):
        return board
    return replace(board, confidence=max(board.confidence, best.probability))


def _judged(judge: CellJudge, sighting: BoardCandidate) -> BoardCandidate:
    """The same with the probability that the judge gives it; in the middle of gaps if that is likelier.

    One that the judge believes is not cut where it sees the end of it, unless lines run on from there: text
    beside a board has edges where they would.
    """
    grid = _grid(sighting)
    middle = center_lines_in_gaps(judge.pixels, grid)
    sure = max((score_grid(judge, each) for each in dict.fromkeys((grid, middle))), key=_probability)
    ends = set(sure.ends) if sighting.clipped and sure.probability >= DOUBTED else set()
    ends = ends - set(continuing_sides(judge.pixels, grid)) if ends else ends
    clipped = tuple(side for side in sighting.clipped if side not in ends)
    sighting = replace(sighting, confidence=sure.probability, clipped=clipped)
    if sure.grid == grid:
        return sighting
    high, wide = judge.pixels.shape[:2]
    lattice = _lattice(sure, judge.pixels).clamped(wide, high)
    return replace(sighting, lattice=lattice)


def _least(board: BoardCandidate) -> float:
    """The probability that a board needs whose lines show: more if its cells are no squares, as in tables."""
    _, _, width, height = board.lattice.box
    ratio = width * board.lattice.rows / (height * board.lattice.columns)
    if not 1 / SQUARE < ratio < SQUARE:
        return SURE
    return 0.0 if board.clipped else ASTRAY


def _grid(sighting: BoardCandidate) -> Grid:
    lines = sighting.lattice.xs, sighting.lattice.ys
    return Grid(*(tuple(map(float, each)) for each in lines))


def _probability(board: ScoredGrid) -> float:
    return board.probability


def candidates(judge: CellJudge) -> list[ScoredGrid]:
    """Everything that may be a board, and how likely it is one; several on one place, too."""
    found: list[ScoredGrid] = []
    tried: list[Grid] = []
    for some in guesses(judge.pixels):
        for guess in some()[:MOST_GUESSES]:
            is_settled = any(each.probability >= SETTLED and _covers(each, guess) for each in found)
            if judge.asked < MOST_ASKED and not is_settled:
                fits = fit(judge, guess, tried)
                tried += [each.grid for each in fits if each.probability < DOUBTED]
                found += [each for each in fits if _may_be_board(judge.pixels, each.grid)]
        if any(each.probability >= SETTLED for each in found):
            return found
    return found + [
        each
        for each in best_grids(judge, propose_from_rectangles(judge.pixels))
        if _may_be_board(judge.pixels, each.grid)
    ]


def _may_be_board(pixels: Pixels, grid: Grid) -> bool:
    """Whether it is large enough, and not of one colour all over."""
    if min(len(grid.xs), len(grid.ys)) <= FEWEST:
        return False
    (left, right), (top, bottom) = ((to_pixel(each[1]), to_pixel(each[-2])) for each in (grid.xs, grid.ys))
    inner = pixels[max(0, top) : bottom, max(0, left) : right]
    return bool(inner.size) and int(np.ptp(inner.reshape(-1, 3), axis=0).max()) > ALIKE


def guesses(pixels: Pixels) -> Iterator[Callable[[], list[RepeatingArea]]]:
    """Where boards may be, ever less closely: flat areas, areas that repeat, the same in half the size.

    Cells that are dithered or textured are flat in a picture that is averaged over two pixels, and those of a
    magnified screen are not too large in one of half the size.
    """
    yield lambda: _seeded(pixels)
    yield lambda: propose_from_repeats(pixels)
    yield lambda: _seeded(cv2.blur(pixels, (2, 2)).astype(np.uint8))
    if min(pixels.shape[:2]) >= SMALLEST_HALVED:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        yield lambda: [each.magnified(2) for each in (*_seeded(half), *propose_from_repeats(half))]


def _seeded(pixels: Pixels) -> list[RepeatingArea]:
    """The areas over which flat boxes of one size repeat."""
    found = []
    for seed in find_box_lattices(pixels):
        wide, high = seed.across_pitch, seed.down_pitch
        left, top = seed.lefts[0] - (wide - seed.width) / 2, seed.tops[0] - (high - seed.height) / 2
        right, bottom = seed.lefts[-1] + wide, seed.tops[-1] + high
        found.append(RepeatingArea((int(left), int(top), int(right), int(bottom)), wide, high))
    return found


def _covers(board: ScoredGrid, guess: RepeatingArea) -> bool:
    """Whether most of a guess lies on a board that was found already."""
    left, top, right, bottom = guess.box
    xs, ys = board.grid.xs, board.grid.ys
    wide = min(right, xs[-1]) - max(left, xs[0])
    high = min(bottom, ys[-1]) - max(top, ys[0])
    return min(wide, high) > 0 and wide * high > 0.5 * guess.area


def _lattice(board: ScoredGrid, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line that was seen a pixel beyond the picture is its border."""
    lines = []
    for axis in (1, 0):
        seen = [to_pixel(line) for line in board.grid.lines(axis)]
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)
