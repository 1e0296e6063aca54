"""Links from unsettled clusters to similar ones."""

from __future__ import annotations

import numpy as np
import pytest

from games.minesweeper import UNKNOWN
from vision.cells.clusters import SIDE, Likelihoods, Signatures
from vision.cells.model import CLASSES
from vision.label.scene import Scene
from vision.track.update import LOUDEST, RIM, link_similar_clusters

GROUND = 200
ONE, TWO, NEW, OTHER = range(4)  # clusters; the first two are settled
STATES = {ONE: "1", TWO: "2"}


def signed(*strokes: tuple[int, int], rim: int = GROUND) -> Signatures:
    """Pictures of one column each, (column, grey level); the last one has this rim."""
    grid = np.full((len(strokes), SIDE, SIDE, 3), GROUND, np.uint8)
    for picture, (column, grey) in zip(grid, strokes, strict=True):
        picture[4:12, column] = grey
    grid[-1, :RIM] = rim
    return grid.reshape(len(strokes), -1)


def likely(count: int) -> Likelihoods:
    """A model that knows none of them."""
    row = np.log([0.9 if state == UNKNOWN else 0.1 / 15 for state in CLASSES])
    return np.tile(row, (count, 1)).astype(np.float32)


@pytest.mark.parametrize(
    ("strokes", "rim", "states", "linked"),
    [
        ([(5, 40), (9, 40), (5, 44)], GROUND, STATES, (ONE, NEW)),
        ([(5, 40), (9, 40), (5, 44)], 0, STATES, (ONE, NEW)),  # another rim
        # a program draws the same mark with other pixels in another cell
        *(([(5, 40), (9, 40), (9, 44)], GROUND, {ONE: "1", TWO: mark}, (TWO, NEW)) for mark in "F?"),
        ([(5, 40), (9, 40), (12, 40)], GROUND, STATES, None),  # both numbers are near
        ([(5, 40), (5, GROUND), (5, 60)], GROUND, {ONE: "1", TWO: "0"}, None),  # a distant blank
        ([(5, 40), (9, 40), (12, 40), (12, 42)], GROUND, STATES, (NEW, OTHER)),  # two unsettled ones
    ],
)
def test_similar_clusters_nearest_one_linked(
    strokes: list[tuple[int, int]], rim: int, states: dict[int, str], linked: tuple[int, int] | None
) -> None:
    count = len(strokes)
    scene = Scene(1, count, np.arange(count, dtype=np.int32))
    found = link_similar_clusters(scene, states, likely(count), signed(*strokes, rim=rim)).links
    assert [tuple(link) for link in found] == ([(*linked, LOUDEST)] if linked else [])
