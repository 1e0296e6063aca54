"""One picture of a board as clusters of cells, before anybody knows what they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN, Board
from vision.cells import Ids
from vision.labelling.rules import around

NOBODY = -1  # the cluster of a cell that is left out
PATCH = 4  # cells of a message, without those that it covers in part, at least


@dataclass(frozen=True, eq=False)
class Scene:
    """One picture of a board. `ids` is the cluster of each cell, row by row, NOBODY for a cell left out.

    `kin` are sets of clusters (their places in `present`) that look much alike, if anybody has looked: what
    is wrong of one of them is often wrong of all. `links` are pairs of clusters (places too) with the nats by
    which one state is likelier for both than two. `lasting` are cells (a set) that acts opened a while ago
    and that look empty: where one of them is so beside covered cells, the program opens no neighbours.
    """

    rows: int
    columns: int
    ids: Ids
    kin: tuple[tuple[int, ...], ...] = ()
    links: tuple[tuple[int, int, float], ...] = ()
    apart: NDArray[np.float32] | None = None
    lasting: int = 0

    @cached_property
    def present(self) -> list[int]:
        """The clusters that are on the board, rising."""
        return [int(cluster) for cluster in np.unique(self.ids) if cluster != NOBODY]

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """For each cell the place of its cluster in `present`; one past the end for a cell left out."""
        return np.where(self.ids == NOBODY, len(self.present), np.searchsorted(self.present, self.ids))

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """How many cells each cluster has, in the order of `present`."""
        return np.bincount(self.places, minlength=len(self.present) + 1)[:-1]

    @cached_property
    def pieces(self) -> NDArray[np.intp]:
        """In how many pieces each cluster lies on the board, in the order of `present`."""
        import cv2

        grid = self.places.reshape(self.rows, self.columns)
        single = [
            cv2.connectedComponents((grid == place).astype(np.uint8), connectivity=4)[0] - 1
            if count > 1
            else 1
            for place, count in enumerate(self.counts)
        ]
        return np.array(single, np.intp)

    @cached_property
    def repeats(self) -> bool:
        """Whether what cells look like depends on where they lie alone: it repeats, across and down.

        No game looks so but one that nobody has played yet, whose covers are drawn in more ways than one.
        """
        grid = self.ids.reshape(self.rows, self.columns)
        return len(self.present) > 1 and _repeats(grid) and _repeats(grid.T)

    @cached_property
    def patches(self) -> list[int]:
        """The clusters (their places) of several cells that lie in one piece, as a message would."""
        return [int(k) for k in np.flatnonzero((self.pieces == 1) & (self.counts >= PATCH))]

    @cached_property
    def neighbours(self) -> NDArray[np.int16]:
        """(clusters, cells), in the order of `present`: how many neighbours of each cell are of a cluster."""
        of = self.places == np.arange(len(self.present))[:, None]
        return around(of.reshape(-1, self.rows, self.columns)).reshape(of.shape)

    @cached_property
    def in_kin(self) -> NDArray[np.bool_]:
        """(sets of `kin`, clusters): which clusters are in each."""
        found = np.zeros((len(self.kin), len(self.present)), np.bool_)
        for row, group in zip(found, self.kin, strict=True):
            row[list(group)] = True
        return found

    def together(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """For each cluster the place of one that stands for all linked with it that have its label."""
        found = np.arange(len(labels))
        for one, other, _ in self.links:
            if labels[one] == labels[other]:
                found[found == found[other]] = found[one]
        return found

    def board(self, states: Mapping[int, str], mines: int | None = None) -> Board:
        """The board under a state for each cluster; UNKNOWN for a cluster without one."""
        letters = np.array([*(states.get(cluster, UNKNOWN) for cluster in self.present), UNKNOWN])
        return Board(self.rows, self.columns, "".join(letters[self.places].tolist()), mines)


def _repeats(grid: Ids) -> bool:
    """Whether rows come again after a few, twice at least."""
    return any((grid[step:] == grid[:-step]).all() for step in range(1, len(grid) // 2 + 1))
