"""Scenes: one picture of a board as clusters of cells whose states are still unknown.

The first part checks a labelling against the rules at a glance: whether every number has room for its mines.
(`BoardPrior` checks that all numbers are consistent together.)

`merge_clusters` joins clusters that show one drawing. Scaling shifts columns and rows by fractions of a
pixel, compression adds noise, and neighbours bleed into the rim, so equal cells look different. The clusters
are linked by a minimum spanning tree over pairs in which the model may see the same state. A link that hardly
ever separates states on drawn pictures merges its clusters; the other links are evidence (`Scene.links`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from games.logic import bits
from games.minesweeper import UNKNOWN, Board
from games.minesweeper.variants import PLAIN
from vision.cells.clusters import SIDE, Ids, Likelihoods, Signatures, coarse_signatures
from vision.cells.model import BLANK, CLASSES, NUMBER, certainty, most_likely
from vision.params import LINKED

LETTERS = np.array(CLASSES)
MAY_BE_MINE = np.isin(LETTERS, list(".F?*!~"))  # x is a flag on a safe cell
IS_MINE = np.isin(LETTERS, list("*!"))
MAY_BE_SHOWN = np.isin(LETTERS, list("F*!~"))  # mines after a game that reveals all, if flags are right
IS_MARK = np.isin(LETTERS, list("F?"))
IS_SIGN = np.isin(LETTERS, list("F*!x"))
IS_COVERED = np.isin(LETTERS, list(".?"))


def marked_neighbours(cells: NDArray[np.bool_] | NDArray[np.int8], variant: str) -> NDArray[np.int16]:
    """How many of the cells that each number counts are marked. Both arrays: (..., rows, columns)."""
    *others, rows, columns = cells.shape
    padded = np.zeros((*others, rows * columns + 1), np.int16)
    padded[..., :-1] = cells.reshape(*others, -1)
    counted: Near = padded.take(_neighbour_table(variant, rows, columns), axis=-1)
    counts: Near = counted.sum(axis=-2, dtype=np.int16)
    return counts.reshape(cells.shape)


@lru_cache(maxsize=16)
def _neighbour_table(variant: str, rows: int, columns: int) -> NDArray[np.intp]:
    """The cells that each number counts, (most neighbours, cells); one past the last cell for none."""
    around = Board.fresh(rows, columns, variant=variant).around
    table = np.full((max(cells.bit_count() for cells in around), len(around)), len(around), np.intp)
    for k, cells in enumerate(around):
        table[: cells.bit_count(), k] = list(bits(cells))
    return table


# traits of neighbours, by class: may be a mine, is a mine, may be a mine if all are shown, empty, hidden,
# number
TRAITS = np.stack([MAY_BE_MINE, IS_MINE, MAY_BE_SHOWN, NUMBER == 0, IS_COVERED, NUMBER > 0]).astype(np.int8)
ROOM, MINES, SHOWN, EMPTY, COVERED, NUMBERS = range(len(TRAITS))
Near = NDArray[np.int16]  # (traits, rows, columns): how many neighbours of each cell have each trait


def neighbour_counts(shown: NDArray[np.intp], variant: str) -> Near:
    """The traits of the neighbours of each cell. `shown` is (rows, columns), places in CLASSES."""
    return marked_neighbours(TRAITS[:, shown], variant)


def impossible_numbers(shown: NDArray[np.intp], variant: str) -> NDArray[np.bool_]:
    """Numbers with too little room for their mines, or too many mines around them: (rows, columns)."""
    beside = neighbour_counts(shown, variant)
    numbers = NUMBER[shown]
    return np.asarray((beside[ROOM] < numbers) | ((beside[MINES] > numbers) & (numbers >= 0)))


def mask_impossible_numbers(board: Board) -> Board:
    """The board without impossible numbers, whatever its hidden cells contain.

    If a number lacks room, an adjacent empty cell may be the misread one, so it is removed too.
    """
    shown = np.array([CLASSES.index(state) for state in board.cells]).reshape(board.rows, board.columns)
    wrong = impossible_numbers(shown, board.variant)
    crowded = wrong & (neighbour_counts(shown, board.variant)[ROOM] < NUMBER[shown])
    misread = wrong | ((NUMBER[shown] == 0) & (marked_neighbours(crowded, board.variant) > 0))
    return board.with_states(dict.fromkeys(np.flatnonzero(misread).tolist(), UNKNOWN))


NO_CLUSTER = -1  # cluster of an excluded cell


@dataclass(frozen=True, eq=False)
class Scene:
    """One picture of a board. `ids` is the cluster of each cell, row by row; NO_CLUSTER: excluded.

    `look_alikes` are groups of similar clusters (indices into `present`), which often have the same error.
    `links` are pairs of clusters (indices) with the log-odds, nats, of one common state against two. `apart`
    are the distances of blank clusters. `lasting` is the cell set of empty-looking cells opened a while ago:
    if one of them is empty next to hidden cells, the program does not open neighbours. `drawn` are the
    clusters (indices) with a drawing, during a game. `cascade` is the cell set that the moves did not click,
    but may have opened; all cells of a single picture. `guessed` is the cell set that a guess may have
    opened in the same way, unless it lost the game. `elsewhere` is the cell set of covers that changed
    although no move reaches them. `variant` is the name of the rules.
    """

    rows: int
    columns: int
    ids: Ids
    look_alikes: tuple[tuple[int, ...], ...] = ()
    links: tuple[tuple[int, int, float], ...] = ()
    apart: NDArray[np.float32] | None = None
    lasting: int = 0
    drawn: tuple[int, ...] = ()
    cascade: int = -1
    guessed: int = 0
    elsewhere: int = 0
    variant: str = PLAIN

    @cached_property
    def present(self) -> list[int]:
        """The clusters on the board, ascending."""
        return [int(cluster) for cluster in np.unique(self.ids) if cluster != NO_CLUSTER]

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Index of each cell's cluster in `present`; one past the end for an excluded cell."""
        return np.where(self.ids == NO_CLUSTER, len(self.present), np.searchsorted(self.present, self.ids))

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """Number of cells per cluster, in the order of `present`."""
        return np.bincount(self.places, minlength=len(self.present) + 1)[:-1]

    @cached_property
    def pieces(self) -> NDArray[np.intp]:
        """Number of connected regions per cluster, in the order of `present`."""
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
        """Whether the appearance of cells is periodic in both directions.

        Only a fresh board whose covers have several drawings looks like that.
        """
        grid = self.ids.reshape(self.rows, self.columns)
        return len(self.present) > 1 and _repeats(grid) and _repeats(grid.T)

    @cached_property
    def in_cascade(self) -> NDArray[np.bool_]:
        """Membership of each cell in `cascade`, `guessed` and `elsewhere`, (3, cells)."""
        every = self.cascade, self.guessed, self.elsewhere
        return np.array([[cells >> k & 1 for k in range(len(self.ids))] for cells in every], np.bool_)

    @cached_property
    def neighbours(self) -> NDArray[np.int16]:
        """(clusters, cells), in the order of `present`: neighbours of each cell that are in a cluster."""
        of = self.places == np.arange(len(self.present))[:, None]
        return marked_neighbours(of.reshape(-1, self.rows, self.columns), self.variant).reshape(of.shape)

    @cached_property
    def in_kin(self) -> NDArray[np.bool_]:
        """(groups of `look_alikes`, clusters): membership."""
        found = np.zeros((len(self.look_alikes), len(self.present)), np.bool_)
        for row, group in zip(found, self.look_alikes, strict=True):
            row[list(group)] = True
        return found

    @cached_property
    def drawings(self) -> NDArray[np.float32]:
        """(clusters in `drawn`, drawings): the cells of each cluster; linked clusters have one drawing."""
        drawn = list(self.drawn)
        together = self.groups[drawn]
        found = (together[:, None] == np.unique(together)).astype(np.float32)
        return np.asarray(found * self.counts[drawn, None], np.float32)

    @cached_property
    def groups(self) -> NDArray[np.intp]:
        """For each cluster, a representative of all clusters that links connect with it."""
        return self._joined((one, other) for one, other, nats in self.links if nats > 0)

    def sum_once(self, labels: NDArray[np.intp], values: NDArray[np.float64]) -> float:
        """Sum of the positive values; linked clusters with one label count once, with the largest value."""
        together = self._joined((one, other) for one, other, _ in self.links if labels[one] == labels[other])
        once = np.zeros(len(labels))
        np.maximum.at(once, together, values)
        return float(once.sum())

    def _joined(self, pairs: Iterable[tuple[int, int]]) -> NDArray[np.intp]:
        """A representative of the clusters that are joined with each cluster by these pairs."""
        together = np.arange(len(self.present))
        for one, other in pairs:
            together[together == together[other]] = together[one]
        return together

    def board(self, states: Mapping[int, str], mines: int | None = None) -> Board:
        """The board for a state per cluster; UNKNOWN for clusters without one."""
        letters = np.array([*(states.get(cluster, UNKNOWN) for cluster in self.present), UNKNOWN])
        return Board(self.rows, self.columns, "".join(letters[self.places].tolist()), mines, self.variant)


def _repeats(grid: Ids) -> bool:
    """Whether rows repeat with a period of at most half the height."""
    return any((grid[step:] == grid[:-step]).all() for step in range(1, len(grid) // 2 + 1))


AGREED = 0.82  # Bhattacharyya coefficient (0 to 1) of the model's predictions above which clusters are linked
LENGTH = 10.0  # grey levels; unit of lengths in LINKED
# nats; minimum log-odds to merge clusters, chosen on the validation families: higher values leave more
# clusters of one state, lower ones read fewer cells correctly
CERTAIN: Mapping[str, float] = MappingProxyType({"blank": 5.0, "drawing": 4.0, "unlike": 99.0})
LOUDEST = 3.0  # nats; maximum evidence of a link: a highlighted cell also resembles others
FARTHEST = 20.0  # grey levels; one in five longer links has two states, so they carry no evidence
ONLY = 0.5  # gap ratio of a single link
MOST_BLANKS = 24  # clusters without a drawing; with more, covers are textured, and the nearest are merged
WIDER = 1.25  # factor by which the links of further merged clusters may be longer

Link = tuple[int, int, float]  # the places of two clusters, and grey levels between them


@dataclass(frozen=True, eq=False)
class MergedClusters:
    """Merged clusters. `ids` is the cluster of each cell, from 0; `likely` and `signed` have one row each.

    `links` are pairs of clusters with the log-odds, nats, of one common state against two.
    """

    ids: Ids
    likely: Likelihoods
    signed: Signatures
    links: tuple[Link, ...]


def merge_clusters(ids: Ids, likely: Likelihoods, signed: Signatures, pixel: float) -> MergedClusters:
    """Merge clusters that show one drawing. `ids` are row indices of `likely` and `signed`.

    `pixel` is the width of a pixel as a fraction of a cell. The likelihoods of a merged cluster are the mean
    of its parts.
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
    """Log-odds, nats, of one state at both ends of each link against two, from `described_links`."""
    described = described_links(likely, links)
    return [sum(w * x for w, x in zip(LINKED[kind], features, strict=True)) for kind, features in described]


def described_links(likely: Likelihoods, links: Sequence[Link]) -> Sequence[tuple[str, tuple[float, ...]]]:
    """The kind of each link, and its features in the order of LINKED.

    `links` are in ascending order of length. Usually some blanks of a board are hidden and some are empty, so
    the longest link between blanks is the most likely to separate them, more so if it is much longer. The
    confidence is the model's log-probability at the less certain end.
    """
    blanks = [link[2] for link in links if link_kind(likely, link) == "blank"]
    gap = min(1.0, log(blanks[-1] / blanks[-2])) if len(blanks) > 1 else ONLY
    found = []
    for link in links:
        kind = link_kind(likely, link)
        stands_out = gap if kind == "blank" and link[2] == blanks[-1] else 0.0
        sure = float(certainty(likely[list(link[:2])]).min())
        found.append((kind, (1.0, log(link[2] / LENGTH), sure, stands_out)))
    return found


def link_kind(likely: Likelihoods, link: Link) -> str:
    """What the model sees at both ends: two blanks, the same drawing, or different or unknown ones."""
    one, other = (most_likely(likely[place]) for place in link[:2])
    return "unlike" if one != other or one == UNKNOWN else "blank" if one == BLANK else "drawing"


def spanning_tree(likely: Likelihoods, signed: Signatures, pixel: float) -> list[Link]:
    """The minimum spanning forest over clusters that the model may give one state, shortest first."""
    roots = np.exp(likely / 2)
    asked = np.triu(roots @ roots.T >= AGREED, 1)
    return minimum_spanning_forest(shift_tolerant_distance(signed, pixel, asked))


def minimum_spanning_forest(off: NDArray[np.float32]) -> list[Link]:
    """The minimum spanning forest of distances (n, n), shortest links first; infinite ones are no links."""
    nearest, by = np.full(len(off), np.inf, np.float32), np.zeros(len(off), np.intp)
    is_out = np.ones(len(off), np.bool_)
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


def shift_tolerant_distance(
    signed: Signatures, pixel: float, asked: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Distances of signatures after shifts of up to a pixel; infinite where not `asked`.

    `signed` is (n, SIDE * SIDE * 3), `asked` and the result are (n, n), `pixel` is the width of a pixel as a
    fraction of the cell. Values between those around a place do not count as different, because resampling
    produces them; cells are extended periodically. The result is the geometric mean of the largest and
    the mean difference, one grey level added to each: pictures of one drawing may differ much on a rim, or
    a little everywhere.
    """
    low, high = _span(signed, pixel)
    off = np.full(asked.shape, np.inf, np.float32)
    for k in range(len(signed)):
        others = np.flatnonzero(asked[k])
        if others.size:
            off[k, others] = np.maximum(
                _beyond(signed[others], low[k], high[k]), _beyond(signed[k], low[others], high[others])
            )
    return np.minimum(off, off.T)


def _span(signed: Signatures, pixel: float) -> tuple[Signatures, Signatures]:
    """Smallest and largest value of each place after shifts of up to a pixel."""
    grid = signed.reshape(-1, SIDE, SIDE, 3)
    low, high = grid, grid
    for axis in (1, 2):
        low = np.minimum(low, np.minimum(np.roll(low, 1, axis), np.roll(low, -1, axis)))
        high = np.maximum(high, np.maximum(np.roll(high, 1, axis), np.roll(high, -1, axis)))
    reach = min(1.0, pixel * SIDE)
    low = (grid - reach * (grid - low)).astype(np.uint8)
    high = (grid + reach * (high - grid) + 0.5).astype(np.uint8)
    return low.reshape(signed.shape), high.reshape(signed.shape)


def _beyond(signed: Signatures, low: Signatures, high: Signatures) -> NDArray[np.float32]:
    """Distance of signatures from the interval between low and high."""
    off = np.maximum(signed, high) - high
    off += low - np.minimum(signed, low)
    most, mean = off.max(axis=-1).astype(np.float32), off.mean(axis=-1, dtype=np.float32)
    return np.asarray(np.sqrt((most + 1) * (mean + 1)), np.float32)


def connected_groups(links: Sequence[Link]) -> tuple[tuple[int, ...], ...]:
    """The groups that form when the links are added one by one."""
    sets: dict[int, tuple[int, ...]] = {}
    found = []
    for one, other, _ in links:
        together = sets.get(one, (one,)) + sets.get(other, (other,))
        sets |= dict.fromkeys(together, together)
        found.append(together)
    return tuple(found)


def blanks_apart(likely: Likelihoods, signed: Signatures, pixel: float) -> NDArray[np.float32]:
    """Distance of every two clusters without a drawing, grey levels; 0 for others."""
    is_blank = np.array([most_likely(row) == BLANK for row in likely])
    asked = np.triu(is_blank[:, None] & is_blank, 1)
    off = shift_tolerant_distance(signed, pixel, asked)
    return np.where(np.isfinite(off), off, np.float32(0))


def hierarchical_groups(signed: Signatures) -> tuple[tuple[int, ...], ...]:
    """Agglomerative clustering: all groups that form when the nearest two groups are merged repeatedly."""
    count = len(signed)
    rough = coarse_signatures(signed)
    off = np.abs(rough[:, None] - rough).mean(axis=2)
    np.fill_diagonal(off, np.inf)
    groups: list[tuple[int, ...]] = [(k,) for k in range(count)]
    found = []
    for _ in range(count - 1):
        a, b = (int(place) for place in np.unravel_index(int(off.argmin()), off.shape))
        groups[a] = groups[a] + groups[b]
        found.append(groups[a])
        off[a] = off[:, a] = np.minimum(off[a], off[b])
        off[b] = off[:, b] = np.inf
        off[a, a] = np.inf
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
            groups[groups == groups[link[1]]] = groups[link[0]]
        else:
            kept.append((link, min(each, LOUDEST) if link[2] <= FARTHEST else 0.0))
    many, last = len(np.unique(groups[is_blank])), 0.0
    for link, each in [(link, each) for link, each in kept if is_blank[list(link[:2])].all()]:
        if many <= MOST_BLANKS and link[2] > last * WIDER:
            break
        if many > MOST_BLANKS:
            many, last = many - 1, link[2]
        groups[groups == groups[link[1]]] = groups[link[0]]
        kept.remove((link, each))
    names = np.unique(groups, return_inverse=True)[1]
    return names, [(one, other, each) for (one, other, _), each in kept if each > 0]
