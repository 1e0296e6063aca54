"""Clusters of one picture that are one drawing are joined, and what is linked says so much and no more."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, sight, skin_of
from numpy.typing import NDArray

from games.minesweeper import Board
from vision.cells import CLASSES, Clusters, resampled_apart, signatures
from vision.frame import Frame
from vision.labelling.joining import join, tree, weigh_links
from vision.lattice import Lattice

DRAWN = "........\n...212..\n..2F102.\n.1210121\n00000000\n00011100"
UNSURE = {".": 0.5, "0": 0.5}


def row(likely: Mapping[str, float]) -> NDArray[np.float32]:
    """A line of likelihoods; what is not named is one in a million."""
    return np.log([likely.get(state, 1e-6) for state in CLASSES]).astype(np.float32)


def resampled(frame: Frame, lattice: Lattice, scale: float) -> tuple[Frame, Lattice]:
    """The same picture in another size: equal cells lie otherwise between its pixels."""
    pixels = cv2.resize(frame.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    xs, ys = (tuple(round(scale * line) for line in lines) for lines in (lattice.xs, lattice.ys))
    return Frame(np.ascontiguousarray(pixels, np.uint8)), Lattice(xs, ys)


@pytest.mark.parametrize("scale", [0.8, 1.3, 1.7])
@pytest.mark.parametrize("look", ["xdemineur", "sgt-mines"])
def test_cells_that_differ_by_resampling_are_joined_and_no_others(look: str, scale: float) -> None:
    board = Board.parse(DRAWN)
    frame, lattice = draw(board, skin_of(look)), lattice_for(board, skin_of(look), 24, 32)
    frame, lattice = resampled(frame, lattice, scale)
    clusters = Clusters(sight().model)
    ids = clusters.assign(frame, lattice)
    joined = join(ids, clusters.likelihoods(), clusters.signed(), 1 / lattice.pitch)
    assert len(joined.told) < len(clusters)
    assert len(joined.told) == len(joined.signed) == joined.ids.max() + 1
    for cluster in range(len(joined.told)):
        assert len({board.cells[k] for k in np.flatnonzero(joined.ids == cluster)}) == 1


def test_a_move_by_a_pixel_is_hardly_a_difference_and_another_drawing_is() -> None:
    pictures = np.full((3, 16, 16, 3), 200, np.uint8)
    pictures[0, 3:13, 7] = pictures[1, 3:13, 8] = 0  # a stroke, and the same a pixel further
    pictures[2, 7, 3:13] = 0  # and another
    off = resampled_apart(signatures(pictures), 1 / 16, np.triu(np.ones((3, 3), np.bool_), 1))
    assert off[0, 1] < off[0, 2] / 4
    assert np.isinf(np.diag(off)).all()


def test_a_short_link_says_more_than_a_long_one_and_one_that_stands_out_the_least() -> None:
    told = np.stack([row(UNSURE) for _ in range(3)])
    short, long = weigh_links(told, [(0, 1, 11.0), (1, 2, 12.0)])
    shortest, standing_out = weigh_links(told, [(0, 1, 4.0), (1, 2, 12.0)])
    assert shortest > short > long > standing_out


def test_covers_and_empty_cells_that_the_model_tells_apart_are_neither_joined_nor_linked() -> None:
    told = np.stack([row({".": 0.95, "0": 0.05}), row({"0": 0.95, ".": 0.05})])
    signed = np.full((2, 16 * 16 * 3), 120, np.uint8)
    assert tree(told, signed, 0.05) == []
    assert len(join(np.array([0, 1, 1], np.int32), told, signed, 0.05).told) == 2


def test_where_the_model_sees_nothing_to_tell_them_apart_equal_pictures_are_joined() -> None:
    told = np.stack([row(UNSURE), row(UNSURE)])
    signed = np.full((2, 16 * 16 * 3), 120, np.uint8)
    assert join(np.array([0, 1, 1], np.int32), told, signed, 0.05).ids.tolist() == [0, 0, 0]
