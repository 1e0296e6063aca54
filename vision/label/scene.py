"""A scene: one picture of a board as clusters of cells with unknown states, and quick checks of the rules.

Scaling moves columns and rows between the pixels, compression adds noise, and the border of a cell blends
with its neighbour, so equal cells look different. Each cluster is therefore linked with the nearest
cluster that may show the same state: a minimum spanning tree. A link that hardly ever separates states on
drawn pictures merges its clusters; other links add to the score of a labelling (`Scene.links`).

The quick check asks whether every number has enough, and not too many, possible mines around it. The board
prior checks whether all numbers are consistent together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN, Board
from vision.cells.clusters import Ids, Likelihoods, Signatures, shift_tolerant_distance
from vision.cells.model import BLANK, CLASSES, NUMBER, most_likely

LETTERS = np.array(CLASSES)
MAY_BE_MINE = np.isin(LETTERS, list(".F?*!~"))  # x is a flag on a cell that is no mine
IS_MINE = np.isin(LETTERS, list("*!"))
MAY_BE_SHOWN = np.isin(LETTERS, list("F*!~"))  # mines of a game that shows all, where flags are right
IS_MARK = np.isin(LETTERS, list("F?"))
IS_SIGN = np.isin(LETTERS, list("F*!x"))
IS_COVERED = np.isin(LETTERS, list(".?"))


def marked_neighbours(cells: NDArray[np.bool_]) -> NDArray[np.int16]:
    """How many of the neighbours of each cell are marked: (..., rows, columns) -> (..., rows, columns)."""
    *others, rows, columns = cells.shape
    padded = np.zeros((*others, rows + 2, columns + 2), np.int16)
    padded[..., 1:-1, 1:-1] = cells
    sums = padded[..., :-2, :] + padded[..., 1:-1, :] + padded[..., 2:, :]
    return np.asarray(sums[..., :-2] + sums[..., 1:-1] + sums[..., 2:] - cells, np.int16)


# what of the neighbours counts, by class: those that may be mines, are mines, may be mines where all are
# shown, are empty, covered, numbers
TRAITS = np.stack([MAY_BE_MINE, IS_MINE, MAY_BE_SHOWN, NUMBER == 0, IS_COVERED, NUMBER > 0]).astype(np.int8)
ROOM, MINES, SHOWN, EMPTY, COVERED, NUMBERS = range(len(TRAITS))
Near = NDArray[np.int16]  # (traits, rows, columns): how many neighbours of each cell have each trait


def neighbour_counts(shown: NDArray[np.intp]) -> Near:
    """The traits of the neighbours of each cell. `shown` is (rows, columns), places in CLASSES."""
    rows, columns = shown.shape
    padded = np.zeros((len(TRAITS), rows + 2, columns + 2), np.int16)
    own = TRAITS[:, shown]
    padded[:, 1:-1, 1:-1] = own
    sums = padded[:, :-2] + padded[:, 1:-1]
    sums += padded[:, 2:]
    counted = sums[:, :, :-2] + sums[:, :, 1:-1]
    counted += sums[:, :, 2:]
    counted -= own
    return np.asarray(counted, np.int16)


def impossible_numbers(shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """The numbers that have no room for their mines, or too many beside them: (rows, columns)."""
    beside = neighbour_counts(shown)
    numbers = NUMBER[shown]
    return np.asarray((beside[ROOM] < numbers) | ((beside[MINES] > numbers) & (numbers >= 0)))


def mask_impossible_numbers(board: Board) -> Board:
    """The board without the numbers that cannot be, whatever its hidden cells hold.

    Where one has no room, an empty cell beside it may as well be what was misread: it goes, too.
    """
    shown = np.array([CLASSES.index(state) for state in board.cells]).reshape(board.rows, board.columns)
    wrong = impossible_numbers(shown)
    crowded = wrong & (neighbour_counts(shown)[ROOM] < NUMBER[shown])
    misread = wrong | ((NUMBER[shown] == 0) & (marked_neighbours(crowded) > 0))
    return board.with_states(dict.fromkeys(np.flatnonzero(misread).tolist(), UNKNOWN))


NO_CLUSTER = -1  # the cluster of a cell that is left out
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
    look_alikes: tuple[tuple[int, ...], ...] = ()
    links: tuple[tuple[int, int, float], ...] = ()
    apart: NDArray[np.float32] | None = None
    lasting: int = 0

    @cached_property
    def present(self) -> list[int]:
        """The clusters that are on the board, rising."""
        return [int(cluster) for cluster in np.unique(self.ids) if cluster != NO_CLUSTER]

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """For each cell the place of its cluster in `present`; one past the end for a cell left out."""
        return np.where(self.ids == NO_CLUSTER, len(self.present), np.searchsorted(self.present, self.ids))

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
        return marked_neighbours(of.reshape(-1, self.rows, self.columns)).reshape(of.shape)

    @cached_property
    def in_kin(self) -> NDArray[np.bool_]:
        """(sets of `kin`, clusters): which clusters are in each."""
        found = np.zeros((len(self.look_alikes), len(self.present)), np.bool_)
        for row, group in zip(found, self.look_alikes, strict=True):
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


AGREED = 0.82  # of what the model says of both, the part that is the same (Bhattacharyya coefficient, 0 to 1)
# nats for one state of both ends of a link against two, on drawn pictures of the training and validation
# families, as they are and scaled (`python -m training links` fits it to the former): a constant, the
# logarithm of its length in LENGTH, how sure the model is, and how much the longest link between blanks
# stands out
LINKED: Mapping[str, tuple[float, float, float, float]] = MappingProxyType(
    {
        "blank": (4.65, -2.53, 2.76, -4.00),
        "drawing": (4.85, -1.97, 2.67, 0.0),
        "unlike": (2.10, -1.89, 0.54, 0.0),
    }
)
LENGTH = 10.0  # grey levels; the unit of lengths in `LINKED`
# nats from which two clusters become one, chosen on the validation families: with more, a state is counted as
# often as there are clusters of it; with less, fewer cells are read right
CERTAIN: Mapping[str, float] = MappingProxyType({"blank": 5.0, "drawing": 4.0, "unlike": 99.0})
LOUDEST = 3.0  # nats that a link says at most: a cell that is lit looks like its like, too
FARTHEST = 20.0  # grey levels; of longer links one in five has two states: they say nothing
ONLY = 0.5  # how much an only link stands out
MOST_BLANKS = 24  # clusters without a drawing; with more, covers have a texture, and the nearest are one,
WIDER = 1.25  # and those whose links are so much longer at most

Link = tuple[int, int, float]  # the places of two clusters, and grey levels between them


@dataclass(frozen=True, eq=False)
class MergedClusters:
    """Fewer clusters. `ids` is the cluster of each cell, from 0; `likely` and `signed` have a line for each.

    `links` are pairs of clusters with the nats by which one state is likelier for both than two.
    """

    ids: Ids
    likely: Likelihoods
    signed: Signatures
    links: tuple[Link, ...]


def merge_clusters(ids: Ids, likely: Likelihoods, signed: Signatures, pixel: float) -> MergedClusters:
    """Join what is one drawing. `likely` and `signed` have a line for each cluster; `ids` are places in them.

    `pixel` is the width of a pixel as a part of a cell. What the model says of those that are joined is the
    mean of what it says of each.
    """
    present, places = np.unique(ids, return_inverse=True)
    likely, signed = likely[present], signed[present]
    counts = np.bincount(places)
    links = spanning_tree(likely, signed, pixel)
    owners, kept = _joined(likely, links, link_log_odds(likely, links))
    members = [np.flatnonzero(owners == owner) for owner in range(owners.max() + 1)]
    return MergedClusters(
        owners[places].astype(np.int32),
        np.stack([likely[of].mean(axis=0) for of in members]),
        signed[[of[counts[of].argmax()] for of in members]],
        tuple((int(owners[one]), int(owners[other]), nats) for one, other, nats in kept),
    )


def link_log_odds(likely: Likelihoods, links: Sequence[Link]) -> list[float]:
    """By how many nats one state is likelier for both ends of each link than two, on drawn pictures.

    `links` are in order. Of the blanks of a board some are hidden and some are empty as a rule: the longest
    link between blanks is the likeliest to part them, the more so the more it stands out.
    """
    blanks = [link[2] for link in links if link_kind(likely, link) == "blank"]
    found = []
    for link in links:
        constant, length, sure, longest = LINKED[link_kind(likely, link)]
        stands_out = gap_ratio(blanks) if longest and link[2] == blanks[-1] else 0.0
        found.append(
            constant
            + length * log(link[2] / LENGTH)
            + sure * link_confidence(likely, link)
            + longest * stands_out
        )
    return found


def gap_ratio(lengths: Sequence[float]) -> float:
    """How much longer the last of these is than the others: logarithm of its part of the next, 0 to 1."""
    return min(1.0, log(lengths[-1] / lengths[-2])) if len(lengths) > 1 else ONLY


def link_kind(likely: Likelihoods, link: Link) -> str:
    """What the model sees at both ends: two blanks, one drawing twice, or what is unlike or unknown to it."""
    one, other = (most_likely(likely[place]) for place in link[:2])
    return "unlike" if one != other or one == UNKNOWN else "blank" if one == BLANK else "drawing"


def link_confidence(likely: Likelihoods, link: Link) -> float:
    """How sure the model is of what it sees where it is less sure, nats from 0 down."""
    rows = likely[list(link[:2])]
    return float(np.maximum(np.logaddexp(rows[:, 0], rows[:, 1]), rows[:, 2:].max(axis=1)).min())


def spanning_tree(likely: Likelihoods, signed: Signatures, pixel: float) -> list[Link]:
    """The shortest links that hang everything together that may be one state for the model, in order."""
    roots = np.exp(likely / 2)
    off = shift_tolerant_distance(signed, pixel, np.triu(roots @ roots.T >= AGREED, 1))
    nearest, by = np.full(len(likely), np.inf, np.float32), np.zeros(len(likely), np.intp)
    is_out = np.ones(len(likely), np.bool_)
    found = []
    while is_out.any():
        place = int(np.where(is_out, nearest, np.inf).argmin())
        if is_out[place] and np.isfinite(nearest[place]):
            found.append((int(by[place]), place, float(nearest[place])))
        else:
            place = int(is_out.argmax())  # the first of another tree
        is_out[place] = False
        by[off[place] < nearest] = place
        nearest = np.minimum(nearest, off[place])
    return sorted(found, key=lambda link: link[2])


def connected_groups(links: Sequence[Link]) -> tuple[tuple[int, ...], ...]:
    """Sets of places that links make one of, when they are taken one by one."""
    sets: dict[int, tuple[int, ...]] = {}
    found = []
    for one, other, _ in links:
        together = sets.get(one, (one,)) + sets.get(other, (other,))
        sets |= dict.fromkeys(together, together)
        found.append(together)
    return tuple(found)


def _joined(
    likely: Likelihoods, links: Sequence[Link], nats: Sequence[float]
) -> tuple[NDArray[np.intp], list[Link]]:
    """The new cluster of each, and the links between them with their nats in place of their lengths."""
    groups = np.arange(len(likely))
    is_blank = np.array([most_likely(row) == BLANK for row in likely])
    kept = []
    for link, each in zip(links, nats, strict=True):
        if each >= CERTAIN[link_kind(likely, link)]:
            _become_one(groups, link)
        else:
            kept.append((link, min(each, LOUDEST) if link[2] <= FARTHEST else 0.0))
    many, last = len(np.unique(groups[is_blank])), 0.0
    for link, each in [(link, each) for link, each in kept if is_blank[list(link[:2])].all()]:
        if many <= MOST_BLANKS and link[2] > last * WIDER:
            break
        if many > MOST_BLANKS:
            many, last = many - 1, link[2]
        _become_one(groups, link)
        kept.remove((link, each))
    names = np.unique(groups, return_inverse=True)[1]
    return names, [(one, other, each) for (one, other, _), each in kept if each > 0]


def _become_one(groups: NDArray[np.intp], link: Link) -> None:
    groups[groups == groups[link[1]]] = groups[link[0]]
