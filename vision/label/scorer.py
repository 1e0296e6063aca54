"""Score labellings of a picture by features of its clusters and the rules of the game.

A labelling gives each cluster a state. Its score is a log-probability, nats: the sum of its features, each
times its weight in a table of `vision.params`, which also describes the features. Many labellings are scored
at once; after a change of one cluster, only the cells in and next to it are counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.logic import bits
from games.minesweeper import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, SAFE, UNKNOWN, WRONG_FLAG, Board
from vision.cells.model import CLASSES, NUMBER
from vision.label.scene import (
    COVERED,
    EMPTY,
    FARTHEST,
    IS_MARK,
    IS_MINE,
    LETTERS,
    MAY_BE_MINE,
    MINES,
    NUMBERS,
    ROOM,
    SHOWN,
    TRAITS,
    Scene,
    impossible_numbers,
)
from vision.params import WEIGHTS
from vision.reading import BoardPrior

Labels = NDArray[np.intp]  # (clusters,), places in CLASSES
Many = NDArray[np.intp]  # (labellings, clusters), places in CLASSES
Floats = NDArray[np.float64]
Near = NDArray[np.int8]  # (traits, ...): how many neighbours of each cell have each trait
Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms
Counts = dict[str, float]  # features of a whole labelling, by name in WEIGHTS

# places in CLASSES
ZERO, OTHER, INTACT, HIT, COVER = (CLASSES.index(state) for state in ("0", UNKNOWN, MINE, EXPLODED, HIDDEN))
WRONG = CLASSES.index(WRONG_FLAG)
MARKS = FLAG + QUESTION + MINE + EXPLODED + WRONG_FLAG + UNKNOWN
MARKED = tuple(CLASSES.index(state) for state in MARKS)

COUNTED = 7  # number of features per cell
PATCH = 4  # cells; minimum size of a message, without cells it covers in part
DRAWN = np.array([k for k, state in enumerate(CLASSES) if state not in HIDDEN + "0"])  # states with a drawing
NUMBERED = 0.9  # probability of a number above which a cell looks like one; an unknown drawing may be any
ODD = 0.01  # maximum fraction of cells with impossible numbers
TOGETHER = 64  # labellings scored at once; more would only use more memory
REMEMBERED = 4096  # boards cached per prior
# nats; score of an excluded state, of a board without mines, and of wrong flags if no cell may show a mine
NEVER = -1e4

_MAY_BE_MINES = str.maketrans(dict.fromkeys(FLAG + QUESTION + UNKNOWN, HIDDEN))
_TRAITS = TRAITS.astype(np.float32)
_NUMBER = NUMBER.astype(np.int8)
_SHOWING = np.flatnonzero((NUMBER > 0) | (np.arange(len(CLASSES)) == OTHER))  # evidence of a running game


class CachedPrior:
    """Caches a board prior. Flags, question marks and unknown cells count as hidden."""

    def __init__(self, prior: BoardPrior) -> None:
        self._prior = prior
        self._weighed: dict[str, float | None] = {}

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._prior.variant

    def log_likelihood(self, board: Board) -> float | None:
        """Log-likelihood of a board's numbers; None if impossible."""
        cells = board.cells.translate(_MAY_BE_MINES)
        if cells not in self._weighed:
            if len(self._weighed) >= REMEMBERED:
                self._weighed.clear()
            self._weighed[cells] = self._prior.log_likelihood(replace(board, cells=cells))
        return self._weighed[cells]


class LabelScorer:
    """Scores labellings of one picture.

    `scores` is (clusters, states): the score of each state of each cluster. `weights` are the weights of the
    features of whole labellings.
    """

    def __init__(
        self,
        scene: Scene,
        scores: Weights,
        prior: BoardPrior,
        mines: int | None,
        weights: Mapping[str, float] = WEIGHTS,
    ) -> None:
        self.scene, self.scores = scene, scores
        self._prior, self._mines = prior, mines
        self._weights = {**weights, "excluded": NEVER}
        self._rows = np.arange(len(scores))
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        is_number = likely[:, NUMBER > 0].sum(axis=1) > NUMBERED * likely.sum(axis=1)
        looks = np.append(is_number, False)[scene.places]
        lasting = np.zeros(len(looks), np.bool_)
        lasting[list(bits(scene.lasting))] = True
        # by cell, the same in every labelling: looks like a number; was opened a while ago
        self._fixed_traits = np.stack([looks, lasting])
        self._is_whole = bool((scene.places < len(scores)).all())  # no cell is left out
        self._ruled: dict[bytes, float] = {}  # rule scores (without cluster scores and prior) by labelling
        self._beside = scene.neighbours.astype(np.float32)
        self._ones, self._others = (np.array([link[k] for link in scene.links], np.intp) for k in (0, 1))
        self._alike = np.array([nats for _, _, nats in scene.links], np.float64)

    def excluding(self, place: int, state: int) -> LabelScorer:
        """A scorer that excludes a state of a cluster."""
        other = copy(self)
        other.scores = self.scores.copy()
        other.scores[place, state] = NEVER
        return other

    def with_fixed(self, held: NDArray[np.bool_], labels: Labels) -> LabelScorer:
        """A scorer in which the `held` clusters keep their labels."""
        other = copy(self)
        other.scores = np.where(held[:, None], NEVER, self.scores)
        other.scores[held, labels[held]] = self.scores[held, labels[held]]
        return other

    def known(self, many: Many) -> Floats:
        """The scores of these labellings without the rules: the sums of the scores of their clusters."""
        return np.asarray(self.scores[self._rows, many].sum(axis=-1))

    def fast_scores(self, many: Many) -> Floats:
        """The scores of these labellings without the prior."""
        keys = [labels.tobytes() for labels in many]
        new = {key: k for k, key in reversed(list(enumerate(keys))) if key not in self._ruled}
        places = list(new.values())
        for first in range(0, len(places), TOGETHER):
            some = many[places[first : first + TOGETHER]]
            # sums are faster in floats, and exact
            cells = cell_features(*self._shown_in(some), self._near(some), self._fixed_traits, np.float32)
            sums = (cells @ np.ones(cells.shape[-1], np.float32)).astype(np.float64)
            self._ruled.update(zip((each.tobytes() for each in some), self._rules(some, sums), strict=True))
        return self.known(many) + np.array([self._ruled[key] for key in keys], np.float64)

    def scores_after_change(self, labels: Labels, places: Labels, states: Labels) -> Floats:
        """`fast_scores` of the labellings that differ from `labels` in one cluster each.

        Only cells in and next to that cluster are counted again.
        """
        if not len(places):
            return np.zeros(0)
        cells, beside, is_own, starts = self._reach
        sizes = starts[places + 1] - starts[places]
        firsts = np.cumsum(sizes) - sizes
        at = np.arange(sizes.sum()) - np.repeat(firsts - starts[places], sizes)
        near, (number, is_mark) = self._near(labels[None])[:, 0], self._shown_in(labels)
        before = cell_features(number, is_mark, near, self._fixed_traits)
        moved = TRAITS[:, states] - TRAITS[:, labels[places]]
        cell = cells[at]
        after = cell_features(
            np.where(is_own[at], np.repeat(_NUMBER[states], sizes), number[cell]),
            np.where(is_own[at], np.repeat(IS_MARK[states], sizes), is_mark[cell]),
            near[:, cell] + beside[at] * np.repeat(moved, sizes, axis=1),
            self._fixed_traits[:, cell],
        )
        after -= before[:, cell]
        changed = np.add.reduceat(after, firsts, axis=1, dtype=np.int32)
        many = np.repeat(labels[None], len(places), axis=0)
        many[np.arange(len(places)), places] = states
        return self.known(many) + self._rules(many, before.sum(axis=1, dtype=np.int32)[:, None] + changed)

    def counted(self, labels: Labels) -> Counts:
        """The features of one labelling, without the prior."""
        cells = cell_features(*self._shown_in(labels), self._near(labels[None])[:, 0], self._fixed_traits)
        counts = cells.sum(axis=1, dtype=np.int32)
        return {name: float(each[0]) for name, each in self._counts(labels[None], counts[:, None]).items()}

    def prior_score(self, labels: Labels) -> float | None:
        """The weighted log-likelihood of the numbers; None if they are impossible."""
        counts = self.judgement(labels)
        if counts is None:
            return None
        if (labels == INTACT).any():  # `fast_scores` already includes "unshown"
            counts["unshown"] -= self.counted(labels)["unshown"]
        return sum(self._weights.get(name, 0.0) * n for name, n in counts.items())

    def judgement(self, labels: Labels) -> Counts | None:
        """The features that need the prior; None for an impossible labelling.

        Usually flags are right, and a program that shows mines shows all of them. If no layout agrees with
        that, the flags may be wrong ("astray") or some mines hidden ("unshown").
        """
        shown, wrong = self._shown(labels)
        if wrong > ODD * shown.size or not MAY_BE_MINE[shown].any():
            return None  # every game has a mine
        board = self._board(shown)
        mines = board.cells_showing(MINE + EXPLODED)
        marked = dict.fromkeys(bits(board.cells_showing(FLAG)), MINE)
        if mines:
            marked |= dict.fromkeys(bits(board.closed), SAFE)
        likely = self._prior.log_likelihood(board.with_states(dict.fromkeys(bits(mines), HIDDEN)))
        if likely is None:
            return None
        is_usual = not (marked or mines) or self._prior.log_likelihood(board.with_states(marked)) is not None
        if not is_usual and self._prior.log_likelihood(board) is None:
            return None
        has_mine, has_flag = bool(board.cells_showing(MINE)), bool(board.cells_showing(FLAG))
        return {
            "numbers": likely,
            "unshown": float(not is_usual and has_mine),
            "astray": float(not is_usual and has_flag and not has_mine),
        }

    def is_consistent(self, labels: Labels) -> bool:
        """Whether a layout agrees with all possible numbers. Visible mines count as hidden."""
        shown, _ = self._shown(labels)
        return self._prior.log_likelihood(self._board(np.where(IS_MINE[shown], COVER, shown))) is not None

    def _shown(self, labels: Labels) -> tuple[NDArray[np.intp], int]:
        """The state of each cell, with OTHER in place of impossible numbers, and the count of these."""
        shown = np.append(labels, OTHER)[self.scene.places].reshape(self.scene.rows, self.scene.columns)
        wrong = impossible_numbers(shown, self.scene.variant)
        return np.where(wrong, OTHER, shown), int(np.count_nonzero(wrong))

    def _board(self, shown: NDArray[np.intp]) -> Board:
        letters = "".join(LETTERS[shown].ravel().tolist())
        return Board(self.scene.rows, self.scene.columns, letters, self._mines, self.scene.variant)

    @cached_property
    def _reach(self) -> tuple[NDArray[np.intp], Near, NDArray[np.bool_], NDArray[np.intp]]:
        """Cells in and next to each cluster, cluster by cluster.

        Three arrays with one entry per cluster and cell: the cell, how many of its neighbours are in the
        cluster, and whether the cell itself is. The fourth is the start of each cluster's entries.
        """
        of = self.scene.places == np.arange(len(self.scores))[:, None]
        clusters, cells = np.nonzero(of | (self._beside > 0))
        starts = np.searchsorted(clusters, np.arange(len(self.scores) + 1))
        return cells, self._beside[clusters, cells].astype(np.int8), of[clusters, cells], starts

    def _near(self, many: Many) -> Near:
        """(traits, labellings, cells): number of neighbours with each trait."""
        return np.asarray((_TRAITS[:, many] @ self._beside).astype(np.int8))

    def _shown_in(self, labels: NDArray[np.intp]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """The number on each cell (-1: none) and whether it is a mark: (..., clusters) to (..., cells)."""
        shown = np.concatenate([labels, np.full((*labels.shape[:-1], 1), OTHER)], axis=-1)
        places = self.scene.places
        return _NUMBER[shown].take(places, axis=-1), IS_MARK[shown].take(places, axis=-1)

    def _rules(self, many: Many, cells: NDArray[Any]) -> Floats:
        """The sums of the weighted features of labellings; `cells` as in `_counts`."""
        found = np.zeros(len(many))
        for name, each in self._counts(many, cells).items():
            if weight := self._weights.get(name, 0.0):
                found += weight * each
        return found

    def _counts(self, many: Many, cells: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The features of labellings, by name in WEIGHTS; `cells` are the sums of `cell_features`."""
        wrong, lacking, unread, clicks, left, left_for_good, untold = cells
        pending = left * (left_for_good == 0)  # a program without cascades leaves any number of them
        has = np.zeros((len(many), len(CLASSES)), np.bool_)
        has[np.arange(len(many))[:, None], many] = True
        hits = ((many == HIT) * self.scene.counts).sum(axis=1)
        zeros = ((many == ZERO) * self.scene.counts).sum(axis=1)
        is_mineless = ~has[:, MAY_BE_MINE].any(axis=1)
        is_misflagged = has[:, WRONG] & ~has[:, IS_MINE].any(axis=1) & ~has[:, OTHER]
        counts: dict[str, NDArray[Any]] = {
            "contradicted": wrong,
            "unread": unread,
            "clicks": clicks,
            "unfinished": left > 0,
            "left": np.log1p(pending, dtype=np.float64),
            "beside": pending,
            "second hit": np.maximum(0, hits - 1),
            "unhit": (hits == 0) & has[:, INTACT],
            "unshown": (lacking > 0) & has[:, INTACT],
            "untold": untold,
            "parted": (many[:, self._ones] != many[:, self._others]) @ self._alike,
            "patched": patch_distance(self.scene, many),
            "regions": unknown_regions(self.scene, many),
            "arranged": arrangements(self.scene, many),
            "excluded": (is_mineless | is_misflagged) & self._is_whole,
            "numberless": np.maximum(0, zeros - 1) * ~has[:, _SHOWING].any(axis=1),
        }
        return counts | {f"any {CLASSES[state]}": has[:, state] for state in MARKED}


def cell_features(
    number: NDArray[np.int8],
    is_mark: NDArray[np.bool_],
    near: Near,
    known: NDArray[np.bool_],
    kind: type[np.number[Any]] = np.int8,
) -> NDArray[Any]:
    """Features of single cells, (COUNTED, ...), of this kind of number. `near` is (traits, ...)."""
    found = np.empty((COUNTED, *number.shape), kind)
    is_number = number >= 0
    looks, lasting = known
    is_left = (number == 0) & (near[COVERED] > 0)
    found[0] = (near[ROOM] < number) | (is_number & (near[MINES] > number))
    found[1] = near[SHOWN] < number
    found[2] = looks & (number <= 0)
    found[3] = looks & (near[EMPTY] == 0)
    found[4] = is_left
    found[5] = is_left & lasting
    found[6] = is_mark & (near[NUMBERS] == 0)
    return found


def patch_distance(scene: Scene, many: Many) -> Floats:
    """Distance of connected blank clusters from all others with their state, beyond FARTHEST.

    In units of FARTHEST, at most two per cluster.
    """
    found = np.zeros(len(many))
    if scene.apart is None:
        return found
    for place in np.flatnonzero((scene.pieces == 1) & (scene.counts >= PATCH)):
        apart, own = scene.apart[place], many[:, place]
        others = (many == own[:, None]) & (apart > 0)
        nearest = np.where(others, apart, np.inf).min(axis=1)
        nearest[~others.any(axis=1) | ((own != COVER) & (own != ZERO))] = 0.0
        found += np.clip(nearest / FARTHEST - 1, 0.0, 2.0)
    return found


def unknown_regions(scene: Scene, many: Many) -> NDArray[np.intp]:
    """Number of regions (minus one per hole) of UNKNOWN cells of a cascade, and of changed covers elsewhere.

    The latter are hidden or UNKNOWN. After a guess, changed cells may also be mines of a lost game, but not
    next to an empty cell.
    """
    found = np.zeros(len(many), np.intp)
    cascade, guessed, elsewhere = scene.in_cascade
    is_shut = np.isin(many, (OTHER, COVER)) if scene.elsewhere else many == OTHER
    some = np.flatnonzero(is_shut.any(axis=1))
    if some.size:
        if scene.guessed:
            empty = (many[some] == ZERO).astype(np.float32) @ scene.neighbours.astype(np.float32)
            cascade = cascade | (guessed & (empty > 0))
        out = np.zeros((len(some), 1), np.bool_)
        unknown, shut = (
            np.append(each[some], out, axis=1)[:, scene.places] for each in (many == OTHER, is_shut)
        )
        held = unknown & cascade | shut & elsewhere
        grid = held.reshape(len(some), scene.rows, scene.columns)
        across, down = grid[:, :, 1:] & grid[:, :, :-1], grid[:, 1:] & grid[:, :-1]
        square = across[:, 1:] & across[:, :-1]
        counts = [np.count_nonzero(each, axis=(1, 2)) for each in (grid, across, down, square)]
        found[some] = np.maximum(counts[0] > 0, counts[0] - counts[1] - counts[2] + counts[3])
    return found


def arrangements(scene: Scene, many: Many) -> Floats:
    """Logarithm of the number of ways to divide the cells of each state among its drawings, (labellings,).

    The rules explain which cell shows which number. They do not explain which of several drawings of one
    state it shows, so each way is equally likely. Each drawing keeps its number of cells. Linked clusters
    have one drawing. Drawings of a single cell do not count as different.
    """
    drawn, found = list(scene.drawn), np.zeros(len(many))
    if not drawn:
        return found
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, len(scene.ids) + 1)))])
    for first in range(0, len(many), TOGETHER):
        part = np.s_[first : first + TOGETHER]
        shown = (many[part, drawn] == DRAWN[:, None, None]).astype(np.float32)
        sizes = (shown @ scene.drawings).astype(np.intp)  # (states, labellings, drawings)
        ways = factorials[sizes.sum(axis=2)] - factorials[sizes].sum(axis=2)
        found[part] = (ways - factorials[(sizes == 1).sum(axis=2)]).sum(axis=0)
    return found
