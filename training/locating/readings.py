"""Fits how likely what was read is a board at all, and writes `vision/params.py`.

Boards of drawn scenes are read where they lie, and so are the tables of scenes and whatever is located where
there is no board: logistic regression on what speaks for each, with a ridge, of those that can be read with
a number in them. The rules of the game and what cells look like have had their say then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS
from strategies.probability.board_prior import UniformMinePrior
from training.locating.scenes import Scene, scenes, supply_of
from training.locating.surroundings import Table
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.label.features import weighted_sum
from vision.label.picture import board_features, cluster_picture
from vision.label.scorer import CachedPrior
from vision.label.search import find_labellings
from vision.lattice import Lattice
from vision.locate.grid import FEWEST, Grid
from vision.locate.judge import CellJudge
from vision.locate.judge import score_grid as judged
from vision.locate.locate import locate_all

OUT = Path(__file__).parents[2] / "vision/params.py"
# the numbers of scenes, and how many of them have a board
SCENES = (range(9_100_000, 9_100_500), 0.5), (range(9_200_000, 9_200_300), 0.25)
KEPT_OUT = (range(9_300_000, 9_300_100), 0.5)
NARROWEST = 4  # pixels of a cell
RIDGE = 1.0  # as if one reading more said that a feature of usual size says nothing
STEPS = 40  # of Newton's method
Floats = NDArray[np.float64]
Known = tuple[dict[str, float], bool]  # what speaks for a reading, and whether it is one of a board


def readings(split: str, seeds: range, with_board: float) -> Iterator[Known]:
    """What speaks for each reading with a number in scenes of these numbers, so many of them with a board."""
    model = CellModel.load()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = next(scenes(rng, supply_of(split), (rng.random() < with_board,)))
        frame, judge = Frame(drawn.pixels), CellJudge(drawn.pixels)
        for lattice, is_board in _lattices(drawn):
            located = judged(judge, Grid(*(tuple(map(float, line)) for line in (lattice.xs, lattice.ys))))
            seen = cluster_picture(frame, lattice, model)
            found = find_labellings(seen.scene, weighted_sum(seen.rows()), CachedPrior(UniformMinePrior()))
            if found and set(found[0][1].values()) & set(DIGITS[1:]):
                yield board_features(seen.scene, seen.likely, found[0][1], located.probability), is_board


def _lattices(drawn: Scene) -> Iterator[tuple[Lattice, bool]]:
    """The board of a scene, its tables, and what is located where no board is; True for the board."""
    has_board = len(drawn.xs) > 1
    places = [(each.xs, each.ys, False) for each in drawn.others if not (has_board and _meets(each, drawn))]
    for xs, ys, is_board in [*([(drawn.xs, drawn.ys, True)] if has_board else []), *places]:
        lines = [[round(float(line)) for line in each] for each in (xs, ys)]
        limits = drawn.pixels.shape[1], drawn.pixels.shape[0]
        if all(
            len(each) > FEWEST
            and each[0] >= -1
            and each[-1] <= limit + 1
            and min(np.diff(np.clip(each, 0, limit))) >= NARROWEST
            for each, limit in zip(lines, limits, strict=True)
        ):
            inside = (np.clip(each, 0, limit).tolist() for each, limit in zip(lines, limits, strict=True))
            yield Lattice(*map(tuple, inside)), is_board
    if not has_board:
        yield from ((each.lattice, False) for each in locate_all(Frame(drawn.pixels)) if not each.clipped)


def _meets(table: Table, board: Scene) -> bool:
    """Whether a table lies on the place of the board."""
    return all(
        each[-1] >= lines[0] and each[0] <= lines[-1]
        for each, lines in ((table.xs, board.xs), (table.ys, board.ys))
    )


def fitted(known: list[Known]) -> tuple[list[str], Floats]:
    """The names of what speaks for a board, and its weights, that which is added last."""
    names = list(known[0][0])
    rows = np.array([[features[name] for name in names] for features, _ in known])
    right = np.array([is_board for _, is_board in known], np.float64)
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    values = np.column_stack([(rows - middle) / spread, np.ones(len(rows))])
    ridge = RIDGE * np.diag([*[1.0] * len(names), 0.0])
    weights = np.zeros(len(names) + 1)
    for _ in range(STEPS):
        sure = 1.0 / (1.0 + np.exp(-values @ weights))
        slope = values.T @ (sure - right) + ridge @ weights
        bend = (values * (sure * (1.0 - sure))[:, None]).T @ values + ridge
        weights -= np.linalg.solve(bend, slope)
    weights[:-1] /= spread
    weights[-1] -= weights[:-1] @ middle
    return names, weights


def main() -> None:
    """Draw, read, fit, measure on scenes of other families, write."""
    cv2.setNumThreads(1)
    known = [each for seeds, share in SCENES for each in readings("train", seeds, share)]
    names, weights = fitted(known)
    held = list(readings("validation", *KEPT_OUT))
    show(held, names, weights)
    write(names, weights, sum(is_board for _, is_board in known), len(known))


def show(held: list[Known], names: list[str], weights: Floats) -> None:
    """Print how many boards, and how many others, get which probability."""
    for kind in (True, False):
        rows = np.array([[*(f[name] for name in names), 1.0] for f, is_board in held if is_board is kind])
        sure = 1.0 / (1.0 + np.exp(-rows @ weights))
        shares = {bound: int((sure < bound).sum()) for bound in (0.1, 0.5, 0.9, 0.99)}
        print(f"{len(sure)} {'boards' if kind else 'others'} kept out; below", shares)


def write(names: list[str], weights: Floats, boards: int, count: int) -> None:
    """The weights as a file."""
    lines = [f'        "{name}": {weight:.3f},' for name, weight in zip(names, weights, strict=False)]
    text = [
        '"""How much what was read speaks for a board, in nats for one of its unit (`evidence`).',
        "",
        "Made by `python -m training.locating readings`; do not edit. It has seen",
        f"{boards} drawn boards and {count - boards} other grids.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from types import MappingProxyType",
        "",
        "BOARD: Mapping[str, float] = MappingProxyType(",
        "    {",
        *lines,
        "    }",
        ")",
        f"ADDED = {weights[-1]:.3f}  # nats",
        "",
    ]
    OUT.write_text("\n".join(text), encoding="utf-8")
