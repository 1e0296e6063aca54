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


def links(pictures: Signatures, states: dict[int, str] = STATES) -> dict[tuple[int, int], float]:
    scene = Scene(1, len(pictures), np.arange(len(pictures), dtype=np.int32))
    found = link_similar_clusters(scene, states, likely(len(pictures)), pictures).links
    return {(one, other): nats for one, other, nats in found}


@pytest.mark.parametrize("rim", [GROUND, 0], ids=["the same rim", "another rim"])
def test_resemblance_nearest_number_linked(rim: int) -> None:
    assert links(signed((5, 40), (9, 40), (5, 44), rim=rim)) == {(ONE, NEW): LOUDEST}


@pytest.mark.parametrize("state", "F?")
def test_resemblance_nearest_mark_linked(state: str) -> None:
    """A program draws the same flag with other pixels in another cell."""
    assert links(signed((5, 40), (9, 40), (9, 44)), {ONE: "1", TWO: state}) == {(TWO, NEW): LOUDEST}


def test_resemblance_two_near_numbers_not_linked() -> None:
    assert links(signed((5, 40), (9, 40), (12, 40))) == {}


def test_resemblance_distant_blank_links_nothing() -> None:
    assert links(signed((5, 40), (5, GROUND), (5, 60)), {ONE: "1", TWO: "0"}) == {}


def test_resemblance_two_unsettled_linked() -> None:
    assert links(signed((5, 40), (9, 40), (12, 40), (12, 42))) == {(NEW, OTHER): LOUDEST}
