"""Which of several boards on one place is believed, when each was seen in another way.

Finds Minesweeper boards in a picture of the screen, whatever program drew them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from games.errors import ManyBoards, NoBoard, Unplayable
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.boxes import SQUARE, find_seeds
from vision.locate.extend import running_on
from vision.locate.fit import fit, mended, parted
from vision.locate.grid import BEYOND, FEWEST, Grid, place
from vision.locate.judge import LINES, Judge, Weighed, weighed
from vision.locate.lines import SAME_PITCH, SMALLEST_HALVED, Sighting, flat_boards, overlap
from vision.locate.repeats import ALIKE, MIN_GAP, Repeat, centred, closed, find_panels, find_repeats


def is_better(pixels: Pixels, one: Sighting, other: Sighting, has_lines: bool) -> bool:
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
        is_moved = has_lines and (leaves_out or is_nearly(one.lattice, other.lattice))
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


def is_all_of(one: Sighting, other: Sighting) -> bool:
    """Whether the other is cut, has the same pitch, and lies on the same place."""
    is_same = abs(one.lattice.pitch / other.lattice.pitch - 1) < SAME_PITCH
    return bool(other.clipped) and is_same and overlap(one.lattice, other.lattice)


def is_nearly(one: Lattice, other: Lattice) -> bool:
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


def _odds(sighting: Sighting) -> float:
    return sighting.confidence / (1.0 - sighting.confidence + 1e-9)


MOST_ASKED = 4000  # cut-outs after which no more guesses are looked at: half a second, about
MOST_GUESSES = 8  # of one kind that are looked at; a board gives one or more of each
SETTLED = 0.9  # probability of a board at which nothing better is looked for on its place
DOUBTED = 0.2  # probability of a board that was seen by its lines below which anything else is looked at
ASTRAY = 0.01  # probability that such a board needs; of 920 true ones, scaled or packed, two have less
SURE = 0.7  # probability that a board needs that no lines show, and
SHOWN = 0.5  # one where lines of the same pitch show a part of one


def locate(frame: Frame) -> Lattice:
    """The one board in the picture. Raises what `find` raises."""
    return find(frame).lattice


def find(frame: Frame) -> Sighting:
    """The one board in the picture, and how likely it is one.

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
    return seen[0]


def locate_all(frame: Frame) -> tuple[Sighting, ...]:
    """Every board in the picture, the likeliest first; none is no error.

    Boards with flat cells and straight lines are seen at once. Where there is none, or only a part of one, or
    the judge of cells doubts it, whatever else repeats itself or stands out is looked at; the judge decides.
    Rows or columns that lie far apart are brought together for that, too.
    """
    judge = Judge(frame.pixels)
    seen = _by_lines(judge)
    return tuple(seen if any(map(_is_sure, seen)) else _with_those_apart(judge.pixels, _closely(judge, seen)))


def _by_lines(judge: Judge) -> list[Sighting]:
    """The boards that are seen by their flat areas and lines, where the judge has nothing against it."""
    seen = [_judged(judge, each) for each in flat_boards(judge.pixels)]
    return [each for each in seen if each.confidence >= _least(each)]


def _with_those_apart(pixels: Pixels, seen: list[Sighting]) -> list[Sighting]:
    """These boards, and those whose rows lie much further apart than their columns, or the other way round.

    Of the latter parts may have been seen, single rows or a board that is cut: those are none.
    """
    for picture in closed(pixels):
        for each in _by_lines(Judge(picture.pixels)):
            lattice = picture.reopened(each.lattice)
            if lattice is None or each.clipped or each.confidence < SURE:
                continue
            rivals = [other for other in seen if overlap(lattice, other.lattice)]
            if all(other.clipped or is_row_of(other.lattice, lattice) for other in rivals):
                seen = [*(other for other in seen if other not in rivals), replace(each, lattice=lattice)]
    return seen


def _closely(judge: Judge, seen: list[Sighting]) -> list[Sighting]:
    """What is seen where these boards, which show lines, are not sure."""
    pixels = judge.pixels
    tried = [board for each in seen if not each.clipped for board in mended(judge, _grid(each))]
    best = seen = [_surer(each, tried, pixels) for each in seen]
    if any(_is_sure(each) for each in seen):
        return seen
    for found in sorted([*tried, *candidates(judge)], key=_probability, reverse=True):
        if found.probability < SHOWN:
            break
        sighting = Sighting(_lattice(found, pixels), found.probability, found.cut)
        if found.probability < SURE and not any(is_all_of(sighting, each) for each in seen):
            continue
        rivals = [other for other in best if overlap(sighting.lattice, other.lattice)]
        if all(is_better(pixels, sighting, other, other in seen) for other in rivals):
            kept = [other for other in best if other not in rivals and other.confidence >= ASTRAY]
            best = [*kept, sighting]
    return sorted(best, key=lambda each: -each.confidence)


def _is_sure(board: Sighting) -> bool:
    return not board.clipped and board.confidence >= DOUBTED


def _surer(board: Sighting, tried: list[Weighed], pixels: Pixels) -> Sighting:
    """The same, as likely as the likeliest of these, if that differs in where lines lie in gaps at most."""
    rivals = [each for each in tried if overlap(_lattice(each, pixels), board.lattice)]
    best = max(rivals, key=_probability, default=None)
    if best is None or not is_nearly(_lattice(best, pixels), board.lattice):
        return board
    return replace(board, confidence=max(board.confidence, best.probability))


def _judged(judge: Judge, sighting: Sighting) -> Sighting:
    """The same with the probability that the judge gives it; in the middle of gaps if that is likelier.

    One that the judge believes is not cut where it sees the end of it, unless lines run on from there: text
    beside a board has edges where they would.
    """
    grid = _grid(sighting)
    middle = centred(judge.pixels, grid)
    sure = max((weighed(judge, each) for each in dict.fromkeys((grid, middle))), key=_probability)
    ends = set(sure.ends) if sighting.clipped and sure.probability >= DOUBTED else set()
    ends = ends - set(running_on(judge.pixels, grid)) if ends else ends
    clipped = tuple(side for side in sighting.clipped if side not in ends)
    sighting = replace(sighting, confidence=sure.probability, clipped=clipped)
    if sure.grid == grid:
        return sighting
    high, wide = judge.pixels.shape[:2]
    lattice = _lattice(sure, judge.pixels).completed(wide, high)
    return replace(sighting, lattice=lattice)


def _least(board: Sighting) -> float:
    """The probability that a board needs whose lines show: more if its cells are no squares, as in tables."""
    _, _, width, height = board.lattice.box
    ratio = width * board.lattice.rows / (height * board.lattice.columns)
    if not 1 / SQUARE < ratio < SQUARE:
        return SURE
    return 0.0 if board.clipped else ASTRAY


def _grid(sighting: Sighting) -> Grid:
    lines = sighting.lattice.xs, sighting.lattice.ys
    return Grid(*(tuple(map(float, each)) for each in lines))


def _probability(board: Weighed) -> float:
    return board.probability


def candidates(judge: Judge) -> list[Weighed]:
    """Everything that may be a board, and how likely it is one; several on one place, too."""
    found: list[Weighed] = []
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
        each for each in parted(judge, find_panels(judge.pixels)) if _may_be_board(judge.pixels, each.grid)
    ]


def _may_be_board(pixels: Pixels, grid: Grid) -> bool:
    """Whether it is large enough, and not of one colour all over."""
    if min(len(grid.xs), len(grid.ys)) <= FEWEST:
        return False
    (left, right), (top, bottom) = ((place(each[1]), place(each[-2])) for each in (grid.xs, grid.ys))
    inner = pixels[max(0, top) : bottom, max(0, left) : right]
    return bool(inner.size) and int(np.ptp(inner.reshape(-1, 3), axis=0).max()) > ALIKE


def guesses(pixels: Pixels) -> Iterator[Callable[[], list[Repeat]]]:
    """Where boards may be, ever less closely: flat areas, areas that repeat, the same in half the size.

    Cells that are dithered or textured are flat in a picture that is averaged over two pixels, and those of a
    magnified screen are not too large in one of half the size.
    """
    yield lambda: _seeded(pixels)
    yield lambda: find_repeats(pixels)
    yield lambda: _seeded(cv2.blur(pixels, (2, 2)).astype(np.uint8))
    if min(pixels.shape[:2]) >= SMALLEST_HALVED:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        yield lambda: [each.magnified(2) for each in (*_seeded(half), *find_repeats(half))]


def _seeded(pixels: Pixels) -> list[Repeat]:
    """The areas over which flat boxes of one size repeat."""
    found = []
    for seed in find_seeds(pixels):
        wide, high = seed.across_pitch, seed.down_pitch
        left, top = seed.lefts[0] - (wide - seed.width) / 2, seed.tops[0] - (high - seed.height) / 2
        right, bottom = seed.lefts[-1] + wide, seed.tops[-1] + high
        found.append(Repeat((int(left), int(top), int(right), int(bottom)), wide, high))
    return found


def _covers(board: Weighed, guess: Repeat) -> bool:
    """Whether most of a guess lies on a board that was found already."""
    left, top, right, bottom = guess.box
    xs, ys = board.grid.xs, board.grid.ys
    wide = min(right, xs[-1]) - max(left, xs[0])
    high = min(bottom, ys[-1]) - max(top, ys[0])
    return min(wide, high) > 0 and wide * high > 0.5 * guess.area


def _lattice(board: Weighed, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line that was seen a pixel beyond the picture is its border."""
    lines = []
    for axis in (1, 0):
        seen = [place(line) for line in board.grid.lines(axis)]
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)
