"""The likeliest labellings of a picture: a state for every cluster, if the rules allow it.

A labelling weighs the sum of what is known of its clusters (the model's likelihoods, and what is expected of
them). They are made best first: clusters are given their states one by one, and what is left can weigh no
more than the best of each. An empty cell has hardly ever a covered one beside it: whoever opens it opens all
around it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from games.logic.bits import bits
from games.minesweeper.board import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, SAFE, UNKNOWN, Board
from vision.cells import CLASSES, Likelihoods
from vision.labelling.rules import IS_COVERED, LETTERS, NUMBER, clicks, is_possible, unopened, untold
from vision.labelling.scene import Scene
from vision.labelling.usual import PRESENT
from vision.reading import Judge

Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms
Labellings = list[tuple[float, dict[int, str]]]  # nats, and the state of every cluster

BEHIND = 16.0  # nats; a labelling that is so far behind the best is left out, and a state of one cluster
JUDGED = 24  # labellings of one picture that the judge is asked about
TRIED = 4000  # labellings that are looked at; most fail the rules at a glance
STEPS = 60_000  # steps of the search
DOUBT = 9.0  # nats; a state that is so far behind the best of its cluster makes it no less than sure
RAREST = -4.6  # nats; no state is rarer than on one board in a hundred: people play boards that nobody dealt
ALIKE, MOST_ALIKE = (
    -0.7,
    -6.0,
)  # nats for each further cell that is no cell of a game and looks the same; at most
CLICK = -0.7  # nats for each click that an open board needed: each as likely as not (log 1/2)
UNFINISHED = (
    -4.0,
    -1.5,
)  # nats where empty cells lie beside covered ones, and for each of them
UNSHOWN = -8.0  # nats for a game that shows some of its mines, and keeps others to itself
ASTRAY = -4.0  # nats for flags of which some are wrong
SECOND_HIT = -3.0  # nats for each mine that was hit beside the first; a chord may hit more
UNTOLD = -0.7  # nats for a mark on a cell that no number is beside: as likely as not (log 1/2)
UNREAD = -2.2  # nats for a cell that looks like a number and is called something else (log 1/9)

ZERO, OTHER, PLAIN, HIT = (CLASSES.index(state) for state in ("0", UNKNOWN, MINE, EXPLODED))
_MAY_BE_MINES = str.maketrans(dict.fromkeys(FLAG + QUESTION + UNKNOWN, HIDDEN))


class Remembering:
    """A judge that is asked about each board once; whatever may hold a mine is the same to it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._weighed: dict[str, float | None] = {}

    def weigh(self, board: Board) -> float | None:
        """What the judge says."""
        cells = board.cells.translate(_MAY_BE_MINES)
        if cells not in self._weighed:
            hidden = Board(board.rows, board.columns, cells, board.mines)
            self._weighed[cells] = self._judge.weigh(hidden)
        return self._weighed[cells]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state for every cluster, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


def usual(scene: Scene) -> Weights:
    """How likely each cluster is to have each state, before anybody looks at it, in nats.

    What is no cell of a game (a message, a pointer) hardly ever looks the same in many cells.
    """
    weights = np.tile([max(RAREST, PRESENT[state]) for state in CLASSES], (len(scene.present), 1))
    weights[:, NUMBER >= 0] = 0.0  # how likely numbers are the judge knows
    weights[:, OTHER] += np.maximum(MOST_ALIKE, ALIKE * (scene.counts - 1))
    return weights


def hits_joined(scene: Scene, likelihoods: Likelihoods) -> Weights:
    """The likelihoods of clusters where several cells look like the mine that was hit.

    Their program draws its mines so, and what they look like does not tell which one was hit.
    """
    weights = likelihoods.astype(np.float64)
    hits = weights.argmax(axis=1) == HIT
    if scene.counts[hits].sum() > 1:
        weights[hits, PLAIN] = weights[hits, HIT]
    return weights


def find_labellings(scene: Scene, weights: Weights, judge: Judge, mines: int | None = None) -> Labellings:
    """Labellings that are possible and not far behind the best, the likeliest first, with their nats.

    Beside the best ones, those that differ from the very best in one cluster only.
    """
    search = _Search(scene, weights, judge, mines)
    for tried, (_, labels) in enumerate(_best_first(scene, weights)):
        if tried == TRIED or search.judged >= JUDGED or search.is_behind(labels):
            break
        search.try_out(labels)
    if search.found:
        best = list(search.best)
        for place, label in search.flips(best):
            search.try_out([*best[:place], label, *best[place + 1 :]])
    return search.labellings()


class _Search:
    """Labellings that were tried out on one picture, and what those that are possible weigh."""

    def __init__(self, scene: Scene, weights: Weights, judge: Judge, mines: int | None) -> None:
        self._scene, self._weights, self._judge, self._mines = scene, weights, judge, mines
        self._rows = np.arange(len(weights))
        drawn = np.append(NUMBER[weights.argmax(axis=1)] > 0, False)
        self._numbers = drawn[scene.places].reshape(scene.rows, scene.columns)
        self.judged = 0
        self.found: dict[tuple[int, ...], float] = {}
        self.best: tuple[int, ...] = ()

    def weigh(self, labels: Sequence[int]) -> float:
        """What is known of the clusters, without the rules."""
        return float(self._weights[self._rows, list(labels)].sum())

    def is_behind(self, labels: Sequence[int]) -> bool:
        """Whether labels are too far behind the best, even if the rules say nothing against them."""
        return bool(self.found) and self.weigh(labels) < self.found[self.best] - BEHIND

    def try_out(self, labels: Sequence[int]) -> None:
        """Weigh a labelling, if it is possible and was not tried yet."""
        key = tuple(labels)
        scene = self._scene
        shown = np.append(labels, OTHER)[scene.places].reshape(scene.rows, scene.columns)
        if key in self.found or not is_possible(shown):
            return
        self.judged += 1
        board = Board(scene.rows, scene.columns, "".join(LETTERS[shown].ravel().tolist()), self._mines)
        likely = self._weigh_board(board)
        if likely is None:
            return
        unread = int((self._numbers & (NUMBER[shown] < 0)).sum())
        rules = likely + UNREAD * unread + CLICK * clicks(shown, self._numbers) + _unfinished(unopened(shown))
        rules += SECOND_HIT * max(0, board.having(EXPLODED).bit_count() - 1)
        rules += UNTOLD * untold(shown)
        self.found[key] = self.weigh(labels) + rules
        if not self.best or self.found[key] > self.found[self.best]:
            self.best = key

    def _weigh_board(self, board: Board) -> float | None:
        """How likely the numbers are, wherever the mines lie; None where they cannot be.

        As a rule flags are right, and a program that shows mines shows all. Where that cannot be, flags may
        stand anywhere, and mines that are shown are some of all.
        """
        shown = board.having(MINE + EXPLODED)
        likely = self._judge.weigh(board.showing(dict.fromkeys(bits(shown), HIDDEN)))
        marked = dict.fromkeys(bits(board.having(FLAG)), MINE)
        if shown:
            marked |= dict.fromkeys(bits(board.closed), SAFE)
        if likely is None or not (marked or shown) or self._judge.weigh(board.showing(marked)) is not None:
            return likely
        if self._judge.weigh(board) is None:
            return None
        return likely + (UNSHOWN if board.having(MINE) else ASTRAY if board.having(FLAG) else 0.0)

    def flips(self, labels: Sequence[int]) -> list[tuple[int, int]]:
        """Clusters and other states that they could have, which would make them less than certain."""
        own = self._weights[self._rows, list(labels)]
        near = self._weights > (own - DOUBT)[:, None]
        near[self._rows, list(labels)] = False
        return [(int(place), int(label)) for place, label in np.argwhere(near)]

    def labellings(self) -> Labellings:
        """What was found, the likeliest first."""
        present = self._scene.present
        ranked = sorted(self.found.items(), key=lambda each: -each[1])
        return [
            (weight, dict(zip(present, (CLASSES[label] for label in labels), strict=True)))
            for labels, weight in ranked
            if weight >= ranked[0][1] - BEHIND
        ]


def normalised(found: Labellings) -> list[Hypothesis]:
    """The same with probabilities in place of nats, the likeliest first."""
    if not found:
        return []
    top = max(weight for weight, _ in found)
    kept = sorted(((w, s) for w, s in found if w >= top - BEHIND), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in kept)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in kept]


def confidences(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """For each cluster its state in the likeliest labelling, and how sure that is at least.

    A state is as sure as the likeliest labelling is beside all those that say otherwise of it. Those that
    differ elsewhere are no evidence against it: of many doubts only some are among the hypotheses.
    """
    if not hypotheses:
        return {}
    best = hypotheses[0]
    against = dict.fromkeys(best.states, 0.0)
    for other in hypotheses[1:]:
        for cluster, state in other.states.items():
            if state != best.states[cluster]:
                against[cluster] += other.weight
    return {
        cluster: (state, best.weight / (best.weight + against[cluster]))
        for cluster, state in best.states.items()
    }


def _best_first(scene: Scene, weights: Weights) -> Iterator[tuple[float, list[int]]]:
    """Ways to give every cluster a state (its place in CLASSES), the heaviest first."""
    best = weights.max(axis=1)
    choices = []
    for row in weights:
        order = np.argsort(-row, kind="stable")
        choices.append(
            [(int(label), float(row[label])) for label in order if row[label] > row.max() - BEHIND]
        )
    # those that can be empty or covered first: they bind each other; then the ones that cost most to change
    is_blank = [any(label == ZERO or IS_COVERED[label] for label, _ in each) for each in choices]
    drop = [each[0][1] - each[1][1] if len(each) > 1 else inf for each in choices]
    order_of = sorted(range(len(choices)), key=lambda place: (not is_blank[place], -drop[place]))
    rest = [0.0]
    for place in reversed(order_of):
        rest.append(rest[-1] + float(best[place]))
    rest.reverse()
    beside = scene.beside[np.ix_(order_of, order_of)]
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(-rest[0], 0, ())]
    for _ in range(STEPS):
        if not waiting:
            return
        negative, _, chosen = heapq.heappop(waiting)
        depth = len(chosen)
        if depth == len(order_of):
            labels = [0] * depth
            for place, label in zip(order_of, chosen, strict=True):
                labels[place] = label
            yield -negative, labels
            continue
        options = choices[order_of[depth]]
        for label, weight in options:
            cost = UNFINISHED[1] * _unopened(label, chosen, beside[depth, :depth], beside[:depth, depth])
            # the deeper one of equals first: one full labelling, not all half ones
            heapq.heappush(waiting, (negative + options[0][1] - weight - cost, -depth - 1, (*chosen, label)))


def _unfinished(cells: int) -> float:
    """What it weighs that so many empty cells lie beside covered ones: in an animation, or by mistake."""
    return UNFINISHED[0] + UNFINISHED[1] * cells if cells else 0.0


def _unopened(label: int, chosen: Sequence[int], own: NDArray[np.int64], others: NDArray[np.int64]) -> int:
    """About how many empty cells lie beside covered ones, when one more cluster gets its state.

    `own` counts its cells beside those of each cluster before it, `others` theirs beside its own.
    """
    if label == ZERO:
        return int(own[IS_COVERED[list(chosen)]].sum()) if chosen else 0
    if IS_COVERED[label]:
        return int(others[[other == ZERO for other in chosen]].sum()) if chosen else 0
    return 0
