"""What one labelling of a picture weighs: what is known of its clusters, and what the rules of the game say.

All weights are natural logarithms of probabilities, 0 for what is usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.logic.bits import bits
from games.minesweeper.board import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, SAFE, UNKNOWN, Board
from vision.cells import CLASSES, NUMBER, SHARES, Likelihoods
from vision.labelling.rules import (
    LETTERS,
    MAY_BE_MINE,
    clicks,
    contradicted,
    unopened,
    untold,
)
from vision.labelling.scene import Scene
from vision.labelling.usual import PRESENT
from vision.reading import Judge

Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms

CLICK = -0.7  # nats for each click that an open board needed: each as likely as not (log 1/2)
UNFINISHED = (-4.0, -1.5)  # nats where empty cells lie beside covered ones, and for each of them
UNSHOWN = -8.0  # nats for a game that shows some of its mines, and keeps others to itself
ASTRAY = -4.0  # nats for flags of which some are wrong
SECOND_HIT = -3.0  # nats for each mine that was hit beside the first; a chord may hit more
UNHIT = -1.4  # nats for mines that are shown, and none of them the one that was hit (one program in four)
CONTRADICTED = -8.0  # nats for a cell that cannot be what it looks like
ODD = 0.01  # of the cells, at most, that may be so
UNTOLD = -0.7  # nats for a mark on a cell that no number is beside: as likely as not (log 1/2)
UNREAD = -2.2  # nats for a cell that looks like a number and is called something else (log 1/9)
RAREST = -4.6  # nats; no state is rarer than on one board in a hundred: people play boards that nobody dealt
FILLED = -6.0  # nats for what is nothing of a game and fills half of a board; less where it fills less

OTHER, PLAIN, HIT = (CLASSES.index(state) for state in (UNKNOWN, MINE, EXPLODED))
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


@dataclass(frozen=True, eq=False)
class Draft:
    """A labelling that the rules allow at a glance: its board, and what it weighs but for the judge."""

    labels: tuple[int, ...]
    board: Board
    weight: float


class Weighing:
    """Weighs labellings of one picture. `weights` says what is known of each cluster."""

    def __init__(self, scene: Scene, weights: Weights, judge: Judge, mines: int | None) -> None:
        self._scene, self._weights, self._judge, self._mines = scene, weights, judge, mines
        self._rows = np.arange(len(weights))
        drawn = np.append(NUMBER[weights.argmax(axis=1)] > 0, False)
        self._numbers = drawn[scene.places].reshape(scene.rows, scene.columns)

    def draft(self, labels: Sequence[int]) -> Draft | None:
        """A labelling as a board; None where it cannot be. `labels` are places in CLASSES, by cluster."""
        scene = self._scene
        shown = np.append(labels, OTHER)[scene.places].reshape(scene.rows, scene.columns)
        wrong = contradicted(shown)
        count = int(wrong.sum())
        if count > ODD * shown.size or not MAY_BE_MINE[shown].any():  # no game is without mines
            return None
        shown = np.where(wrong, OTHER, shown)
        board = Board(scene.rows, scene.columns, "".join(LETTERS[shown].ravel().tolist()), self._mines)
        weight = float(self._weights[self._rows, list(labels)].sum())
        weight += UNREAD * int((self._numbers & (NUMBER[shown] < 0)).sum())
        weight += CLICK * clicks(shown, self._numbers) + unfinished(unopened(shown))
        hits = board.having(EXPLODED).bit_count()
        weight += SECOND_HIT * (hits - 1) if hits else UNHIT if board.having(MINE) else 0.0
        weight += UNTOLD * untold(shown) + CONTRADICTED * count
        return Draft(tuple(labels), board, weight)

    def judged(self, draft: Draft) -> float | None:
        """How likely the numbers are, wherever the mines lie; None where they cannot be.

        As a rule flags are right, and a program that shows mines shows all. Where that cannot be, flags may
        stand anywhere, and mines that are shown are some of all.
        """
        board = draft.board
        shown = board.having(MINE + EXPLODED)
        marked = dict.fromkeys(bits(board.having(FLAG)), MINE)
        if shown:
            marked |= dict.fromkeys(bits(board.closed), SAFE)
        likely = self._judge.weigh(board.showing(dict.fromkeys(bits(shown), HIDDEN)))
        if likely is None or not (marked or shown) or self._judge.weigh(board.showing(marked)) is not None:
            return likely
        if self._judge.weigh(board) is None:
            return None
        return likely + (UNSHOWN if board.having(MINE) else ASTRAY if board.having(FLAG) else 0.0)


def usual(scene: Scene) -> Weights:
    """How likely each cluster is to have each state, before anybody looks at it, in nats.

    What is no cell of a game (a message, a pointer) hardly ever looks the same all over a board.
    """
    weights = np.tile([max(RAREST, PRESENT[state]) for state in CLASSES], (len(scene.present), 1))
    weights[:, NUMBER >= 0] = 0.0  # how likely numbers are the judge knows
    weights[:, OTHER] += filled(scene)
    return weights


def filled(scene: Scene) -> NDArray[np.float64]:
    """What it weighs that the cells of each cluster are nothing of a game: the less the more there are."""
    return FILLED * np.minimum(1.0, 2 * scene.counts / len(scene.ids))


def evidence(scene: Scene, told: Likelihoods) -> Weights:
    """What the pictures of the clusters say, in nats. `told` is (clusters, classes), what the model says.

    Where several cells look like the mine that was hit, their program draws its mines so, and what they look
    like does not tell which one was hit.
    """
    weights = told.astype(np.float64) - np.log(SHARES)
    hits = told.argmax(axis=1) == HIT
    if scene.counts[hits].sum() > 1:
        weights[hits, PLAIN] = weights[hits, HIT]
    return weights


def without_contradictions(board: Board) -> Board:
    """The board without the numbers that cannot be, whatever its hidden cells hold."""
    shown = np.array([CLASSES.index(state) for state in board.cells]).reshape(board.rows, board.columns)
    return board.showing(dict.fromkeys(np.flatnonzero(contradicted(shown)).tolist(), UNKNOWN))


def unfinished(cells: int) -> float:
    """What it weighs that so many empty cells lie beside covered ones: in an animation, or by mistake."""
    return UNFINISHED[0] + UNFINISHED[1] * cells if cells else 0.0
