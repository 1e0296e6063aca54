"""Which cells are one cluster, and which clusters of one picture are joined: one drawing, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, readers, skin_of
from models import Shades, row

from games.minesweeper import HIDDEN, UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from vision.cells.clusters import FEW, ClusterStore, distance, signatures
from vision.cells.model import CellModel, most_likely
from vision.frame import Frame, Pixels
from vision.label.picture import read_picture
from vision.label.scene import (
    link_log_odds,
    merge_clusters,
    shift_tolerant_distance,
    spanning_tree,
)
from vision.lattice import Lattice
from vision.track.tracker import Tracker

SIDE = 48


def lined(cells: Sequence[Pixels], columns: int) -> tuple[Frame, Lattice]:
    """A board of these cells, row by row."""
    rows = [np.hstack(cells[k : k + columns]) for k in range(0, len(cells), columns)]
    side = cells[0].shape[0]
    lines = (tuple(side * k for k in range(count + 1)) for count in (columns, len(rows)))
    return Frame(np.ascontiguousarray(np.vstack(rows))), Lattice(*lines)


def textured(digit: str, contrast: int) -> Pixels:
    """A cell whose ground has the texture of all cells."""
    tile = np.random.default_rng(5).integers(110, 200, (SIDE // 4, SIDE // 4, 3)).astype(np.uint8)
    cell = cv2.resize(tile, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    ink = np.zeros((SIDE, SIDE), np.uint8)
    cv2.putText(ink, digit, (12, 36), cv2.FONT_HERSHEY_SIMPLEX, 1.1, contrast, 3, cv2.LINE_AA)
    return np.asarray(cv2.subtract(cell, np.repeat(ink[:, :, None], 3, axis=2)), np.uint8)


def test_texture_of_known_empty_cells_is_ignored() -> None:
    clusters = ClusterStore(CellModel.load())
    cells = [textured(digit, 80) for digit in ["", *"1234"]]
    empty, *numbers = clusters.assign(*lined(cells, 5)).tolist()
    assert "".join(most_likely(clusters.likelihoods()[k]) for k in numbers) != "1234"
    assert "".join(most_likely(clusters.likelihoods([empty])[k]) for k in numbers) == "1234"


def test_reader_ignores_texture_of_empty_cells() -> None:
    board = Board.parse("000001..\n000002..\n000112..\n0001....\n1112....\n........\n........\n........")
    drawn = {HIDDEN: shade(60), "0": textured("", 0), **{digit: textured(digit, 80) for digit in "12"}}
    frame, lattice = lined([drawn[state] for state in board.cells], 8)
    assert read_picture(frame, lattice, UniformMinePrior(), CellModel.load()).board == board


def test_number_fainter_than_its_ground_stays_doubtful() -> None:
    clusters = ClusterStore(CellModel.load())
    ids = clusters.assign(*lined([textured("", 0), textured("8", 7)], 2)).tolist()
    assert ids[0] != ids[1]
    assert np.array_equal(clusters.likelihoods(ids[:1]), clusters.likelihoods())


def shade(value: int) -> Pixels:
    return np.full((SIDE, SIDE, 3), value, np.uint8)


def faint(digit: str) -> Pixels:
    """A small number, hardly darker than its cell."""
    cell = shade(238)
    cv2.putText(cell, digit, (20, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (190, 190, 190), 1, cv2.LINE_AA)
    return cell


def test_merge_faint_numbers_stay_apart() -> None:
    two, three = faint("2"), faint("3")
    assert distance(*signatures(np.stack([two, three]))) <= 5  # hardly a difference, as noise makes it
    frame, lattice = lined([two, three, two, three], 4)
    ids = ClusterStore(CellModel.load()).assign(frame, lattice).tolist()
    assert ids == [0, 1, 0, 1]


def crowd() -> list[Pixels]:
    """Many different pictures, as on a board with noise."""
    cells = [shade(200) for _ in range(FEW)]
    for k, cell in enumerate(cells, start=1):
        cell[6 * (k // 8) :, 6 * (k % 8) :][:6, :6] = 0
    return cells


@pytest.mark.parametrize(
    ("seen", "apart_by", "is_one"),
    [
        ({UNKNOWN: 0.9}, 4, True),
        ({UNKNOWN: 0.9}, 6, False),
        ({HIDDEN: 0.5, "0": 0.5}, 6, True),
        ({HIDDEN: 0.5, "0": 0.5}, 10, False),
        ({"3": 0.9}, 10, True),
        ({"3": 0.4, "8": 0.3}, 10, False),  # perhaps two numbers
    ],
)
def test_cluster_spread_uses_model_view(seen: Mapping[str, float], apart_by: int, is_one: bool) -> None:
    one, other = shade(100), shade(100)
    other[16:32, 16:32] += apart_by
    cells = [one, other, *crowd()]
    ids = ClusterStore(Shades({100: seen, 200: {"7": 1.0}})).assign(*lined(cells, len(cells)))
    assert (ids[0] == ids[1]) == is_one


def test_fresh_board_of_odd_covers_is_covered() -> None:
    model = Shades({200: {"1": 0.57, UNKNOWN: 0.33}})
    frame, lattice = lined([shade(200)] * 64, 8)
    assert Tracker(lattice, UniformMinePrior(), model).observe(frame).board == Board.fresh(8, 8)


def test_first_look_far_from_model_not_believed() -> None:
    rows = "~~~~~~\n111111\n~~~~~~\n~~~~~~".replace("\n", "")
    shades = {"~": 200, "1": 100}
    model = Shades({200: {UNKNOWN: 0.99}, 100: {UNKNOWN: 0.97, "1": 1e-5}})
    frame, lattice = lined([shade(shades[state]) for state in rows], 6)
    assert not Tracker(lattice, UniformMinePrior(), model).observe(frame).board.open


DRAWN = "........\n...212..\n..2F102.\n.1210121\n00000000\n00011100"
UNSURE = {".": 0.5, "0": 0.5}


def resampled(frame: Frame, lattice: Lattice, scale: float) -> tuple[Frame, Lattice]:
    """The same picture in another size: equal cells lie otherwise between its pixels."""
    pixels = cv2.resize(frame.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    xs, ys = (tuple(round(scale * line) for line in lines) for lines in (lattice.xs, lattice.ys))
    return Frame(np.ascontiguousarray(pixels, np.uint8)), Lattice(xs, ys)


@pytest.mark.parametrize("scale", [0.8, 1.3, 1.7])
@pytest.mark.parametrize("look", ["xdemineur", "sgt-mines"])
def test_merge_joins_resampled_cells_only(look: str, scale: float) -> None:
    board = Board.parse(DRAWN)
    frame, lattice = draw(board, skin_of(look)), lattice_for(board, skin_of(look), 24, 32)
    frame, lattice = resampled(frame, lattice, scale)
    clusters = ClusterStore(readers().model)
    ids = clusters.assign(frame, lattice)
    joined = merge_clusters(ids, clusters.likelihoods(), clusters.signed(), 1 / lattice.pitch)
    assert len(joined.likely) < len(clusters)
    assert len(joined.likely) == len(joined.signed) == joined.ids.max() + 1
    for cluster in range(len(joined.likely)):
        assert len({board.cells[k] for k in np.flatnonzero(joined.ids == cluster)}) == 1


def test_distance_tolerates_shift_of_one_pixel() -> None:
    pictures = np.full((3, 16, 16, 3), 200, np.uint8)
    pictures[0, 3:13, 7] = pictures[1, 3:13, 8] = 0  # a stroke, and the same a pixel further
    pictures[2, 7, 3:13] = 0  # and another
    off = shift_tolerant_distance(signatures(pictures), 1 / 16, np.triu(np.ones((3, 3), np.bool_), 1))
    assert off[0, 1] < off[0, 2] / 4
    assert np.isinf(np.diag(off)).all()


def test_links_short_count_more_than_long() -> None:
    told = np.stack([row(UNSURE) for _ in range(3)])
    short, long = link_log_odds(told, [(0, 1, 11.0), (1, 2, 12.0)])
    shortest, standing_out = link_log_odds(told, [(0, 1, 4.0), (1, 2, 12.0)])
    assert shortest > short > long > standing_out


def test_merge_blanks_by_model_view() -> None:
    told = np.stack([row({".": 0.95, "0": 0.05}), row({"0": 0.95, ".": 0.05})])
    signed = np.full((2, 16 * 16 * 3), 120, np.uint8)
    assert spanning_tree(told, signed, 0.05) == []
    assert len(merge_clusters(np.array([0, 1, 1], np.int32), told, signed, 0.05).likely) == 2
    told = np.stack([row(UNSURE), row(UNSURE)])
    assert merge_clusters(np.array([0, 1, 1], np.int32), told, signed, 0.05).ids.tolist() == [0, 0, 0]
