"""Judge grids with a trained network: is each place one whole, correctly cut cell of a board?

`CellJudge` classifies cut-outs of cells with half a cell of surroundings. Cells of one colour are
ignored if others exist. `fit_extent` adds and removes strips of cells by its verdicts. `score_grid` estimates
the probability that a grid is exactly a board, from the verdicts inside, along the rims and beyond them; its
weights are fitted on drawn pictures (`vision.params`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.boxes import STRETCH
from vision.locate.grid import ALIKE, BEYOND, SIDES, Grid, Side, has_one_colour, largest_difference, to_pixel
from vision.params import GRID_HIDDEN, GRID_LAST, load_network

SIDE = 32  # pixels; side of a cut-out, the network's input size
AROUND = 0.5  # fraction of the cell's width and height visible on each side
NEAR = 0.2  # the same of the margin in `drawn`; digits of neighbours are further away
SPOTS = 5  # pixels across and down that are examined first, because all of them take longer
LEAST_SPREAD = 4.0  # grey levels added to the standard deviation, so that noise stays small

Place = tuple[float, float, float, float]  # left, top, right, bottom of a cell, pixels
Window = tuple[int, int, int, int]  # the same for a cut-out, in whole pixels


def context_windows(places: Sequence[Place]) -> list[Window]:
    """The cut-out of each place: the cell and its surroundings."""
    found = []
    for left, top, right, bottom in places:
        across, down = AROUND * (right - left), AROUND * (bottom - top)
        found.append((round(left - across), round(top - down), round(right + across), round(bottom + down)))
    return found


def cut_outs(pixels: Pixels, seen: Sequence[Window]) -> NDArray[np.uint8]:
    """The cut-outs as (windows, SIDE, SIDE, 3). Outside the picture, its border is repeated."""
    found = np.zeros((len(seen), SIDE, SIDE, 3), np.uint8)
    high, wide = pixels.shape[:2]
    for index, (x0, y0, x1, y1) in enumerate(seen):
        part = pixels[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
        if not part.size:
            continue
        over = max(0, -y0), max(0, y1 - high), max(0, -x0), max(0, x1 - wide)
        if any(over):
            part = cv2.copyMakeBorder(part, *over, cv2.BORDER_REPLICATE).astype(np.uint8)
        way = cv2.INTER_AREA if min(part.shape[:2]) > SIDE else cv2.INTER_LINEAR
        cv2.resize(part, (SIDE, SIDE), dst=found[index], interpolation=way)
    return found


def network_input(cut: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Network input (n, 3, SIDE, SIDE): cut-outs minus their mean, divided by their spread."""
    planes = np.ascontiguousarray(cut.transpose(0, 3, 1, 2), np.float32)
    flat = planes.reshape(len(planes), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= flat.std(axis=1, keepdims=True) + LEAST_SPREAD
    return planes


# whole: a cell; shifted, pitch: a board, cut at the wrong phase or size; outside: not a cell of a board; cut:
# a partly hidden cell; other: a cell of another grid, such as a table
CLASSES = ("whole", "shifted", "pitch", "outside", "cut", "other")
WHOLE, SHIFTED, PITCH, OUTSIDE, CUT, OTHER = range(len(CLASSES))
LEAST = 1e-3  # probability used instead of 0: one odd cell (a flag, a face) must not outweigh ten others
FILE = "grid_cells.onnx"
BATCH = 16  # cut-outs per network run; constant, because each new batch size needs a new setup

Floats = NDArray[np.float32]


class CellJudge:
    """Verdicts of the network on places of one picture, each computed once."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self._known: dict[Window, Floats] = {}

    def drawn(self, places: Sequence[Place]) -> list[Place]:
        """The places that have several colours, together with their margin. A plain one could be anything."""
        left, top, right, bottom = np.array(places, np.float64).reshape(-1, 4).T
        across, down = NEAR * (right - left), NEAR * (bottom - top)
        x0, y0, x1, y1 = (
            np.maximum(0, np.rint(each)).astype(int)
            for each in (left - across, top - down, right + across, bottom + down)
        )
        high, wide = self.pixels.shape[:2]
        parts = np.linspace(0, 1, SPOTS)[:, None]
        xs = np.clip(x0 + parts * (x1 - 1 - x0), 0, wide - 1).astype(int)
        ys = np.clip(y0 + parts * (y1 - 1 - y0), 0, high - 1).astype(int)
        spots = self.pixels[ys[:, None], xs[None]].reshape(SPOTS * SPOTS, -1, 3)
        is_drawn = np.ptp(spots, axis=0).max(axis=1) > ALIKE
        return [
            place
            for place, seen, x, y, to_x, to_y in zip(places, is_drawn, x0, y0, x1, y1, strict=True)
            if seen or not has_one_colour(self.pixels[y:to_y, x:to_x])
        ]

    def probabilities(self, places: Sequence[Place]) -> Floats:
        """Class probabilities, (places, CLASSES). Raises MissingRequirement without the network file."""
        wanted = context_windows(places)
        unknown = list(dict.fromkeys(window for window in wanted if window not in self._known))
        if unknown:
            self._known.update(zip(unknown, _opinions(self.pixels, unknown), strict=True))
        return np.array([self._known[window] for window in wanted], np.float32).reshape(-1, len(CLASSES))

    def scores(self, places: Sequence[Place]) -> Floats:
        """Log-probability of each place to be a whole, correctly cut cell."""
        return np.asarray(np.log(self.probabilities(places)[:, WHOLE] + LEAST), np.float32)


def _opinions(pixels: Pixels, seen: Sequence[Window]) -> Floats:
    network, cells = _network(), network_input(cut_outs(pixels, seen))
    found = []
    for at in range(0, len(cells), BATCH):
        part = cells[at : at + BATCH]
        if len(part) < BATCH:
            part = np.concatenate([part, np.zeros((BATCH - len(part), *part.shape[1:]), np.float32)])
        network.setInput(part)
        found.append(np.array(network.forward()))
    values = np.concatenate(found)[: len(seen)]
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=1)
def _network() -> Any:
    return load_network(FILE)


CELLS = 6  # cells judged per strip
MOST_CELLS = 128  # cells of a strip that are examined
AHEAD = 2  # strips beyond a side judged together
MOST_ROUNDS = 40  # rounds of AHEAD strips per side; no program has more


def cell_place(grid: Grid, column: int, row: int) -> Place:
    """The place of a cell; cells outside of the lines are extrapolated."""
    wide, high = grid.pitch(1), grid.pitch(0)
    left = grid.xs[column] if 0 <= column < len(grid.xs) else grid.xs[0] + wide * column
    top = grid.ys[row] if 0 <= row < len(grid.ys) else grid.ys[0] + high * row
    right = grid.xs[column + 1] if 0 <= column + 1 < len(grid.xs) else left + wide
    bottom = grid.ys[row + 1] if 0 <= row + 1 < len(grid.ys) else top + high
    return left, top, right, bottom


def sample_cells(grid: Grid, count: int) -> list[Place]:
    """A sample of `count` cells all over the grid."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    steps = (np.arange(count) * 0.618034) % 1.0  # golden section: spread over rows and diagonals
    return [
        cell_place(grid, int(columns * (k + 0.5) / count), int(rows * step))
        for k, step in enumerate(steps.tolist())
    ]


def outer_strip(grid: Grid, side: Side, far: int, count: int = CELLS) -> list[Place]:
    """Cells of the strip `far` strips outside of a side; 0 is the outermost one of the grid."""
    axis, end = side
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    at = -far if end < 0 else len(lines) - 2 + far
    others = sorted({int((len(crossing) - 1) * (k + 0.5) / count) for k in range(count)})
    return [cell_place(grid, at, other) if axis == 1 else cell_place(grid, other, at) for other in others]


def judge_strips(judge: CellJudge, parts: list[list[Place]]) -> list[Floats]:
    """Class probabilities for several lists of places."""
    said = judge.probabilities([place for part in parts for place in part])
    return np.split(said, np.cumsum([len(part) for part in parts])[:-1])


def fit_extent(judge: CellJudge, grid: Grid) -> Grid:
    """The grid with strips that look like cells added on every side, and others removed."""
    open_sides = list(SIDES)
    for _ in range(MOST_ROUNDS):
        asked = {side: _fars(judge, grid, side) for side in open_sides}
        strips = [_drawn_strip(judge, grid, side, far) for side, fars in asked.items() for far in fars]
        said = iter(judge_strips(judge, strips))
        open_sides = []
        for side, fars in asked.items():
            axis, end = side
            fits = {far: _margin(next(said)) > 0 for far in fars}
            more = next((far - 1 for far in fars if far > 0 and not fits[far]), fars[-1])
            if more:
                pitch = grid.pitch(axis)
                for _ in range(more):
                    grid = grid.widened(axis, end, pitch)
                open_sides += [side] if more == AHEAD else []
            elif not fits[0] and len(grid.lines(axis)) > 3:
                grid = grid.without(axis, end)
                open_sides.append(side)
        if not open_sides:
            break
    return grid


def _drawn_strip(judge: CellJudge, grid: Grid, side: Side, far: int) -> list[Place]:
    """Up to CELLS cells of a strip that have several colours; plain ones only if there are no others."""
    drawn = judge.drawn(outer_strip(grid, side, far, MOST_CELLS))
    return _spread(drawn, CELLS) or outer_strip(grid, side, far)


def _spread(places: list[Place], count: int) -> list[Place]:
    """Up to `count` of the places, evenly spread."""
    chosen = np.linspace(0, len(places) - 1, min(count, len(places))).round().astype(int)
    return [places[at] for at in chosen.tolist()]


def _fars(judge: CellJudge, grid: Grid, side: Side) -> list[int]:
    """The outermost strip, and those beyond it that lie in the picture."""
    axis, end = side
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    room = lines[0] if end < 0 else judge.pixels.shape[axis] - lines[-1]
    return list(range(min(AHEAD, max(0, int((room + BEYOND) / pitch))) + 1))


def _margin(said: Floats) -> float:
    """How much more a strip looks like cells than like the outside, mean log-ratio."""
    outside = said[:, OUTSIDE] + said[:, CUT]
    return float((np.log(said[:, WHOLE] + LEAST) - np.log(outside + LEAST)).mean())


Rows = NDArray[np.float64]

INSIDE, RIM = 16, 4  # cells judged all over the grid, and per rim
FEWEST_DRAWN = 4  # cells of several colours without which all cells are judged
BAND = 6  # bands per cell
ENDS = 0.9  # drop of the similarity of a narrow band at all four sides, where covers end
LINES = 30.0  # odds factor for visible lines or ends of covers
GOES_ON = 0.2  # fraction of the band beyond a side that equals the one a pitch further in, if cells continue
FEATURES = (
    "inside: whole", "inside: log whole", "inside: shifted", "inside: other pitch", "inside: outside",
    "inside: other", "inside: drawn",
    "rim: least whole", "rim: mean whole", "beyond: least outside or cut", "beyond: mean outside or cut",
    "beyond: most whole", "log cells", "log of the fewer of columns and rows",
    "log of width by height of a cell",
    "log cell", "likeness ends: least", "likeness ends: mean", "rims alike: mean",
)  # fmt: skip


@dataclass(frozen=True)
class ScoredGrid:
    """A grid, its probability to be exactly a board (0 to 1), and the sides on which the board is clipped.

    `ends` names the sides beyond which the judge sees no cell or part of one.
    """

    grid: Grid
    probability: float
    cut: tuple[str, ...]
    ends: tuple[str, ...] = ()


def odds(probability: float) -> float:
    """The odds of a probability; large for 1."""
    return probability / (1.0 - probability + 1e-9)


def score_grid(judge: CellJudge, grid: Grid) -> ScoredGrid:
    """Score a grid."""
    features, cut, ends = grid_features(judge, grid)
    sure = float(probabilities(features[None], np.array(GRID_HIDDEN), np.array(GRID_LAST))[0])
    if features[FEATURES.index("likeness ends: least")] >= ENDS and not _fills(judge.pixels, grid):
        sure = LINES * sure / (1.0 + (LINES - 1.0) * sure)
    return ScoredGrid(grid, sure, cut, ends)


def _fills(pixels: Pixels, grid: Grid) -> bool:
    """Whether the picture has no room for a cell beyond any side of the grid."""
    return all(
        max(grid.lines(axis)[0], pixels.shape[axis] - grid.lines(axis)[-1]) < grid.pitch(axis)
        for axis in (0, 1)
    )


def probabilities(features: Rows, hidden: Rows, last: Rows) -> Rows:
    """Probability that each row of FEATURES is exactly a board, (grids,), from the fitted weights."""
    inner = np.tanh(features @ hidden[:-1] + hidden[-1])
    return np.asarray(1.0 / (1.0 + np.exp(-(inner @ last[:-1] + last[-1]))), np.float64)


def grid_features(judge: CellJudge, grid: Grid) -> tuple[Rows, tuple[str, ...], tuple[str, ...]]:
    """The features named in FEATURES, the sides on which the board is clipped, and those where it ends."""
    sample = sample_cells(grid, 2 * INSIDE)
    drawn = judge.drawn(sample)
    parts = [_spread(drawn if len(drawn) >= FEWEST_DRAWN else sample, INSIDE)]
    parts += [outer_strip(grid, side, 0, RIM) for side in SIDES]
    parts += [outer_strip(grid, side, 1) for side in SIDES]
    inside, *around = judge_strips(judge, parts)
    rims = [part[:, WHOLE].mean() for part in around[:4]]
    ends = [(part[:, OUTSIDE] + part[:, CUT]).mean() for part in around[4:]]
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    ends_of_likeness = [_likeness(judge.pixels, grid, axis, end) for axis, end in SIDES]
    gains = [inner - outer for inner, outer, _ in ends_of_likeness]
    features = (
        inside[:, WHOLE].mean(), np.log(inside[:, WHOLE] + LEAST).mean(), inside[:, SHIFTED].mean(),
        inside[:, PITCH].mean(), inside[:, OUTSIDE].mean(), inside[:, OTHER].mean(),
        len(drawn) / len(sample), min(rims), np.mean(rims), min(ends), np.mean(ends),
        max(part[:, WHOLE].mean() for part in around[4:]),
        np.log(columns * rows), np.log(min(columns, rows)),
        min(abs(np.log(grid.pitch(1) / grid.pitch(0))), np.log(STRETCH)),  # fitted up to this ratio
        np.log(grid.pitch(1)), min(gains), np.mean(gains), np.mean([each[0] for each in ends_of_likeness]),
    )  # fmt: skip
    beyond = dict(zip(SIDES.values(), around[4:], strict=True))
    cut = tuple(
        name
        for (name, part), (_, outer, is_drawn) in zip(beyond.items(), ends_of_likeness, strict=True)
        if part[:, CUT].mean() > 0.5 and outer >= GOES_ON and is_drawn
    )
    ended = tuple(name for name, part in beyond.items() if part[:, OUTSIDE].mean() > 0.5)
    return np.array(features, np.float64), cut, ended


def _likeness(pixels: Pixels, grid: Grid, axis: int, end: int) -> tuple[float, float, bool]:
    """Fractions of a narrow band inside and outside of a side that equal the band one pitch further in.

    On a fresh board, the first is one and the second nearly zero if the side is right. The third result says
    whether the outer band is not plain: a plain margin resembles the ground of any text.
    """
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    low, high = max(0, to_pixel(crossing[0])), max(0, to_pixel(crossing[-1]))
    pitch, line = to_pixel(grid.pitch(axis)), to_pixel(lines[0] if end < 0 else lines[-1])
    width = max(2, pitch // BAND)
    inner, outer = (line, line - width) if end < 0 else (line - width, line)
    shares: list[float] = []
    for start in (inner, outer):
        is_drawn = False
        other = start - end * pitch
        is_outside = min(start, other) < 0 or max(start, other) + width > len(picture)
        if is_outside or low >= min(high, picture.shape[1]):
            shares.append(0.0)
            continue
        one, two = (np.ascontiguousarray(picture[at : at + width, low:high]) for at in (start, other))
        shares.append(float((largest_difference(one, two) <= ALIKE).mean()))
        is_drawn = not has_one_colour(one)
    return shares[0], shares[1], is_drawn
