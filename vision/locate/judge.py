"""The cell judge: a trained network that tells whole, correctly cut cells from everything else.

The network sees one position with half a cell around it. `score_grid` combines its verdicts inside the
grid, along the border and beyond it into the probability that the grid is exactly a board; these weights
are fitted on drawn scenes (`vision/params/grid_judge.json`). `fit_extent` adds and removes strips of
cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.grid import BEYOND, Grid, to_pixel
from vision.locate.repeats import ALIKE
from vision.params import GRID_HIDDEN, GRID_LAST, load_data_file

SIDE = 32  # pixels of a cut-out, across and down; the network was trained on so many
AROUND = 0.5  # of the cell's width and height that are seen on each side of it
LEAST_SPREAD = 4.0  # grey levels added to the spread, so that noise of one or two stays small

Place = tuple[float, float, float, float]  # left, top, right, bottom of a cell, pixels
Window = tuple[int, int, int, int]  # the same of what is seen, in whole pixels


def context_windows(places: Sequence[Place]) -> list[Window]:
    """What is seen of each place: it and its surroundings."""
    found = []
    for left, top, right, bottom in places:
        across, down = AROUND * (right - left), AROUND * (bottom - top)
        found.append((round(left - across), round(top - down), round(right + across), round(bottom + down)))
    return found


def cut_outs(pixels: Pixels, seen: Sequence[Window]) -> NDArray[np.uint8]:
    """(windows, SIDE, SIDE, 3): what each shows. Beyond the picture its border is repeated."""
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
    """(n, 3, SIDE, SIDE) for the network: each cut-out without its mean, in units of its own spread."""
    planes = np.ascontiguousarray(cut.transpose(0, 3, 1, 2), np.float32)
    flat = planes.reshape(len(planes), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= flat.std(axis=1, keepdims=True) + LEAST_SPREAD
    return planes


# whole: a cell; shifted, pitch: a board, but cut beside its cells or in another size; outside: no cell of a
# board; cut: a cell of which a part is hidden; other: a cell of another grid, as of a table
CLASSES = ("whole", "shifted", "pitch", "outside", "cut", "other")
WHOLE, SHIFTED, PITCH, OUTSIDE, CUT, OTHER = range(len(CLASSES))
LEAST = 1e-3  # probability that stands for 0: one odd cell (a flag, a face) must not outweigh ten others
FILE = "grid_cells.onnx"
BATCH = 8  # cut-outs in one run of the network; another number each time costs a setup each time

Floats = NDArray[np.float32]


class CellJudge:
    """The opinions of the network on places of one picture, each asked for once."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self._known: dict[Window, Floats] = {}

    @property
    def asked(self) -> int:
        """How many places it has looked at."""
        return len(self._known)

    def probabilities(self, places: Sequence[Place]) -> Floats:
        """(places, CLASSES): how likely each is what. Raises MachineLacks without the network's file."""
        wanted = context_windows(places)
        unknown = list(dict.fromkeys(window for window in wanted if window not in self._known))
        if unknown:
            self._known.update(zip(unknown, _opinions(self.pixels, unknown), strict=True))
        return np.array([self._known[window] for window in wanted], np.float32).reshape(-1, len(CLASSES))

    def scores(self, places: Sequence[Place]) -> Floats:
        """For each place the logarithm of how likely it is a whole cell, rightly cut."""
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
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer(load_data_file(FILE), np.uint8))


CELLS = 6  # cells that speak for a strip
AHEAD = 2  # strips beyond a side that are looked at together
MOST_ROUNDS = 40  # times AHEAD strips on a side; no program shows more
SIDES = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}

Side = tuple[int, int]  # the axis (1: x, 0: y) and -1 for its beginning, 1 for its end


def cell_place(grid: Grid, column: int, row: int) -> Place:
    """Where a cell is; one that lies outside of the lines, too, a pitch on."""
    wide, high = grid.pitch(1), grid.pitch(0)
    left = grid.xs[column] if 0 <= column < len(grid.xs) else grid.xs[0] + wide * column
    top = grid.ys[row] if 0 <= row < len(grid.ys) else grid.ys[0] + high * row
    right = grid.xs[column + 1] if 0 <= column + 1 < len(grid.xs) else left + wide
    bottom = grid.ys[row + 1] if 0 <= row + 1 < len(grid.ys) else top + high
    return left, top, right, bottom


def sample_cells(grid: Grid, count: int) -> list[Place]:
    """So many cells all over the grid."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    steps = (np.arange(count) * 0.618034) % 1.0  # the golden section: no two in a row, none in a diagonal
    return [
        cell_place(grid, int(columns * (k + 0.5) / count), int(rows * step))
        for k, step in enumerate(steps.tolist())
    ]


def outer_strip(grid: Grid, side: Side, far: int, count: int = CELLS) -> list[Place]:
    """Cells of the strip that lies `far` strips outside of a side: 0 for the outermost one of the grid."""
    axis, end = side
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    at = -far if end < 0 else len(lines) - 2 + far
    others = sorted({int((len(crossing) - 1) * (k + 0.5) / count) for k in range(count)})
    return [cell_place(grid, at, other) if axis == 1 else cell_place(grid, other, at) for other in others]


def judge_strips(judge: CellJudge, parts: list[list[Place]]) -> list[Floats]:
    """What the judge says of each of several lists of places."""
    said = judge.probabilities([place for part in parts for place in part])
    return np.split(said, np.cumsum([len(part) for part in parts])[:-1])


def fit_extent(judge: CellJudge, grid: Grid) -> Grid:
    """The grid with as many strips on every side as look like cells, and without those that do not."""
    open_sides = list(SIDES)
    for _ in range(MOST_ROUNDS):
        asked = {side: _fars(judge, grid, side) for side in open_sides}
        said = iter(
            judge_strips(
                judge, [outer_strip(grid, side, far) for side, fars in asked.items() for far in fars]
            )
        )
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


def _fars(judge: CellJudge, grid: Grid, side: Side) -> list[int]:
    """The outermost strip, and those beyond it that lie in the picture."""
    axis, end = side
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    room = lines[0] if end < 0 else judge.pixels.shape[axis] - lines[-1]
    return list(range(min(AHEAD, max(0, int((room + BEYOND) / pitch))) + 1))


def _margin(said: Floats) -> float:
    """How much more a strip looks like cells of a board than like what is beside it; 0 for neither."""
    outside = said[:, OUTSIDE] + said[:, CUT]
    return float((np.log(said[:, WHOLE] + LEAST) - np.log(outside + LEAST)).mean())


Rows = NDArray[np.float64]

INSIDE, RIM = 16, 4  # cells that are looked at: all over the grid, on each rim
BAND = 6  # part of a cell that is a narrow band
ENDS = 0.9  # of a narrow band that stops being alike, on all four sides, where covers end
LINES = (
    30.0  # by so much lines that show, or covers that end, make a board likelier than the judge says, as odds
)
GOES_ON = 0.2  # of the band beyond a side that is as it is one pitch further in, where cells go on
FEATURES = (
    "inside: whole", "inside: log whole", "inside: shifted", "inside: other pitch", "inside: outside",
    "inside: other",
    "rim: least whole", "rim: mean whole", "beyond: least outside or cut", "beyond: mean outside or cut",
    "beyond: most whole", "log cells", "log of the fewer of columns and rows",
    "log of width by height of a cell",
    "log cell", "likeness ends: least", "likeness ends: mean", "rims alike: mean",
)  # fmt: skip


@dataclass(frozen=True)
class ScoredGrid:
    """A grid, how likely it is exactly a board (0 to 1), and the sides on which that is cut.

    `ends` names the sides beyond which the judge sees no cell, nor a part of one.
    """

    grid: Grid
    probability: float
    cut: tuple[str, ...]
    ends: tuple[str, ...] = ()


def score_grid(judge: CellJudge, grid: Grid) -> ScoredGrid:
    """What speaks for a grid."""
    features, cut, ends = grid_features(judge, grid)
    sure = float(probabilities(features[None], np.array(GRID_HIDDEN), np.array(GRID_LAST))[0])
    if features[FEATURES.index("likeness ends: least")] >= ENDS:
        sure = LINES * sure / (1.0 + (LINES - 1.0) * sure)
    return ScoredGrid(grid, sure, cut, ends)


def probabilities(features: Rows, hidden: Rows, last: Rows) -> Rows:
    """(grids,): how likely each row of FEATURES is exactly a board, by the numbers of `weights`."""
    inner = np.tanh(features @ hidden[:-1] + hidden[-1])
    return np.asarray(1.0 / (1.0 + np.exp(-(inner @ last[:-1] + last[-1]))), np.float64)


def grid_features(judge: CellJudge, grid: Grid) -> tuple[Rows, tuple[str, ...], tuple[str, ...]]:
    """The numbers that FEATURES names, the sides on which the board is cut, and those where it ends."""
    parts = [sample_cells(grid, INSIDE)]
    parts += [outer_strip(grid, side, 0, RIM) for side in SIDES] + [
        outer_strip(grid, side, 1) for side in SIDES
    ]
    inside, *around = judge_strips(judge, parts)
    rims = [part[:, WHOLE].mean() for part in around[:4]]
    ends = [(part[:, OUTSIDE] + part[:, CUT]).mean() for part in around[4:]]
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    ends_of_likeness = [_likeness(judge.pixels, grid, axis, end) for axis, end in SIDES]
    gains = [inner - outer for inner, outer, _ in ends_of_likeness]
    features = (
        inside[:, WHOLE].mean(), np.log(inside[:, WHOLE] + LEAST).mean(), inside[:, SHIFTED].mean(),
        inside[:, PITCH].mean(), inside[:, OUTSIDE].mean(), inside[:, OTHER].mean(),
        min(rims), np.mean(rims), min(ends), np.mean(ends), max(part[:, WHOLE].mean() for part in around[4:]),
        np.log(columns * rows), np.log(min(columns, rows)), abs(np.log(grid.pitch(1) / grid.pitch(0))),
        np.log(grid.pitch(1)), min(gains), np.mean(gains), np.mean([each[0] for each in ends_of_likeness]),
    )  # fmt: skip
    cut = [
        name
        for name, part, (_, outer, is_drawn) in zip(SIDES.values(), around[4:], ends_of_likeness, strict=True)
        if part[:, CUT].mean() > 0.5 and outer >= GOES_ON and is_drawn
    ]
    beyond = zip(SIDES.values(), around[4:], strict=True)
    ended = tuple(name for name, part in beyond if part[:, OUTSIDE].mean() > 0.5)
    return np.array(features, np.float64), tuple(cut), ended


def _likeness(pixels: Pixels, grid: Grid, axis: int, end: int) -> tuple[float, float, bool]:
    """How much of a narrow band just inside, and just outside of a side is the same one pitch further in.

    On a fresh board all of it is the same inside, and as good as nothing outside, if the side lies right. The
    third says whether the outer one shows anything: a margin of one colour is like the ground of any text.
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
        if (
            min(start, other) < 0
            or max(start, other) + width > len(picture)
            or low >= min(high, picture.shape[1])
        ):
            shares.append(0.0)
            continue
        one, two = (np.ascontiguousarray(picture[at : at + width, low:high]) for at in (start, other))
        shares.append(float((cv2.absdiff(one, two).max(axis=2) <= ALIKE).mean()))
        is_drawn = int(np.ptp(one.reshape(-1, 3), axis=0).max()) > ALIKE
    return shares[0], shares[1], is_drawn
