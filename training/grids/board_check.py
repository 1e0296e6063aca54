"""Fit the probability that a labelled grid is a board: `python -m training board-check`.

Writes `vision/params/board_check.json`. The script reads the boards of drawn scenes, the tables in
them, and all grids that are located in scenes without a board. Logistic regression with a ridge uses the
features of the readings that contain a number.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from games.minesweeper import DIGITS
from strategies.probability.board_prior import UniformMinePrior
from training.grids.scene_parts import DistractorGrid
from training.grids.scenes import DrawnScene, draw_scene
from training.logistic import Floats, fit_logistic, log_loss
from training.storage import CALIBRATION, Fit, cached_evidence, digest_arrays, sized, write_params
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.label.picture import board_features, cluster_picture, weighted_sum
from vision.label.scorer import CachedPrior
from vision.label.search import find_labellings
from vision.lattice import Lattice
from vision.locate.grid import FEWEST, to_grid
from vision.locate.judge import CellJudge, score_grid
from vision.locate.locate import locate_all
from vision.params import BOARD, BOARD_CONSTANT

# seeds of scenes, and the share of scenes with a board
SCENES = (range(9_100_000, 9_100_500), 0.5), (range(9_200_000, 9_200_300), 0.25)
HELD_OUT = (range(9_300_000, 9_300_200), 0.5)
NARROWEST = 4  # pixels; smallest cell
RIDGE = 1.0  # for standardised features
NAMES = sorted(BOARD)  # of the features


def draw_readings(split: str, with_board: float, seeds: range) -> Iterator[tuple[dict[str, float], bool]]:
    """The features of all readings with a number, and whether it is a board.

    `with_board` is the share of scenes with a board.
    """
    model = CellModel.load()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = draw_scene(rng, split, rng.random() < with_board)
        frame, judge = Frame(drawn.pixels), CellJudge(drawn.pixels)
        for lattice, is_board in _candidate_lattices(drawn):
            located = score_grid(judge, to_grid(lattice))
            seen = cluster_picture(frame, lattice, model)
            found = find_labellings(seen.scene, weighted_sum(seen.rows()), CachedPrior(UniformMinePrior()))
            if found and set(found[0][1].values()) & set(DIGITS[1:]):
                yield board_features(seen.scene, seen.likely, found[0][1], located.probability), is_board


def _candidate_lattices(drawn: DrawnScene) -> Iterator[tuple[Lattice, bool]]:
    """The board of a scene (True), its tables, and all grids located in a scene without a board."""
    has_board = len(drawn.xs) > 1
    places = [(each.xs, each.ys, False) for each in drawn.others if not _overlaps(each, drawn)]
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


def _overlaps(table: DistractorGrid, board: DrawnScene) -> bool:
    """Whether a table overlaps the board, if there is one."""
    return len(board.xs) > 1 and all(
        each[-1] >= lines[0] and each[0] <= lines[-1]
        for each, lines in ((table.xs, board.xs), (table.ys, board.ys))
    )


def readings(split: str, scenes: tuple[range, float]) -> tuple[Floats, Floats]:
    """(readings, features by name and a constant), and 1.0 for boards; a part of them in a trial run."""
    seeds, with_board = scenes

    def draw(some: range) -> tuple[Floats, Floats]:
        known = list(draw_readings(split, with_board, some))
        rows = [[*(features[name] for name in NAMES), 1.0] for features, _ in known]
        return np.reshape(rows, (-1, len(NAMES) + 1)), np.array([right for _, right in known], np.float64)

    return cached_evidence("board-check", split, seeds[: sized(len(seeds))], draw)


def fit_weights(rows: Floats, right: Floats) -> Floats:
    """The weights of the features and the constant."""
    middle, spread = rows[:, :-1].mean(axis=0), rows[:, :-1].std(axis=0)
    values = np.column_stack([(rows[:, :-1] - middle) / spread, rows[:, -1]])
    weights = fit_logistic(values, right, np.array([*[RIDGE] * len(middle), 0.0]))
    weights[:-1] /= spread
    weights[-1] -= weights[:-1] @ middle
    return weights.round(3)


def main() -> None:
    """Draw, read, fit, measure on the validation families, and write."""
    cv2.setNumThreads(1)
    train = [readings("calibration", scenes) for scenes in SCENES]
    rows, right = (np.concatenate(parts) for parts in zip(*train, strict=True))
    weights = fit_weights(rows, right)
    held = readings("validation", HELD_OUT)
    present = np.array([*(BOARD[name] for name in NAMES), BOARD_CONSTANT])
    print(f"before: {measure(*held, present)}")
    values = {"weights": dict(zip(NAMES, weights[:-1].tolist(), strict=True)), "constant": float(weights[-1])}
    data = f"{int(right.sum())} drawn boards and {int((1 - right).sum())} other grids; nats per unit"
    fit = Fit(data, digest_arrays(rows, right), measure(*held, weights), CALIBRATION)
    write_params("board_check", values, fit)


def measure(rows: Floats, right: Floats, weights: Floats) -> dict[str, float | int]:
    """The log-loss, and the refused boards and accepted other grids at even odds."""
    accepted = rows @ weights >= 0
    return {
        "boards": int(right.sum()),
        "other grids": int((1 - right).sum()),
        "boards refused": int((~accepted & (right > 0)).sum()),
        "others accepted": int((accepted & (right == 0)).sum()),
        "nats per grid": log_loss(rows, right, weights),
    }
