"""What one labelling of a picture weighs: what is known of its clusters, and what the rules of the game say.

All weights are natural logarithms of probabilities. A labelling weighs the sum of what is counted of it, each
times its line of `weights.WEIGHTS`; `python -m training weights` fits those on drawn boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from games.logic.bits import bits
from games.minesweeper.board import (
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    QUESTION,
    SAFE,
    UNKNOWN,
    Board,
)
from vision.cells import CLASSES, NUMBER
from vision.labelling.evidence import HIT, MARKED, OTHER, PLAIN, Weights
from vision.labelling.rules import (
    LETTERS,
    MAY_BE_MINE,
    clicks,
    contradicted,
    near,
    unopened,
    untold,
)
from vision.labelling.scene import Scene
from vision.labelling.weights import WEIGHTS
from vision.reading import Judge

Counts = dict[str, float]  # what is counted of a whole labelling, by its name in WEIGHTS

ODD = 0.01  # of the cells, at most, that cannot be what they look like

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

    def __init__(
        self,
        scene: Scene,
        weights: Weights,
        judge: Judge,
        mines: int | None,
        scale: Mapping[str, float] = WEIGHTS,
    ) -> None:
        self._scene, self._weights, self._judge, self._mines, self._scale = (
            scene,
            weights,
            judge,
            mines,
            scale,
        )
        self._rows = np.arange(len(weights))
        drawn = np.append(NUMBER[weights.argmax(axis=1)] > 0, False)
        self._numbers = drawn[scene.places].reshape(scene.rows, scene.columns)

    def draft(self, labels: Sequence[int]) -> Draft | None:
        """A labelling as a board; None where it cannot be. `labels` are places in CLASSES, by cluster."""
        shown, counts = self._counted(labels)
        if counts["contradicted"] > ODD * shown.size or not MAY_BE_MINE[shown].any():
            return None  # no game is without mines
        return Draft(tuple(labels), self._board(shown), self._sum(labels, counts))

    def glance(self, labels: Sequence[int]) -> float:
        """What is known of the clusters, less what hardly can be.

        That are numbers without room for their mines, and empty cells beside covered ones.
        """
        shown = self._shown(labels)
        beside = near(shown)
        wrong = int(np.count_nonzero(contradicted(shown, beside))) + unopened(shown, beside)
        return self.known(labels) + self._scale["contradicted"] * wrong

    def known(self, labels: Sequence[int]) -> float:
        """What is known of the clusters alone."""
        return float(self._weights[self._rows, list(labels)].sum())

    def counted(self, labels: Sequence[int]) -> tuple[Board, Counts] | None:
        """The board of a labelling, and what is counted of it but for the judge; None where it cannot be."""
        draft = self.draft(labels)
        return None if draft is None else (draft.board, self._counted(labels)[1])

    def _sum(self, labels: Sequence[int], counts: Counts) -> float:
        return self.known(labels) + _weighed(counts, self._scale)

    def _shown(self, labels: Sequence[int]) -> NDArray[np.intp]:
        scene = self._scene
        return np.append(labels, OTHER)[scene.places].reshape(scene.rows, scene.columns)

    def _board(self, shown: NDArray[np.intp]) -> Board:
        letters = "".join(LETTERS[shown].ravel().tolist())
        return Board(self._scene.rows, self._scene.columns, letters, self._mines)

    def _counted(self, labels: Sequence[int]) -> tuple[NDArray[np.intp], Counts]:
        """What is shown, numbers that cannot be left out, and what is counted of it."""
        shown = self._shown(labels)
        beside = near(shown)
        wrong = contradicted(shown, beside)
        count = int(np.count_nonzero(wrong))
        if count:
            shown = np.where(wrong, OTHER, shown)
            beside = near(shown)
        hits = int(np.count_nonzero(shown == HIT)) if HIT in labels else 0
        left = unopened(shown, beside)
        return shown, {
            "contradicted": count,
            "unread": int(np.count_nonzero(self._numbers & (NUMBER[shown] <= 0))),
            "clicks": clicks(shown, self._numbers, beside),
            "unfinished": float(left > 0),
            "left": spread(left),
            "beside": left,
            "unnumbered": int(np.count_nonzero(self._numbers & (NUMBER[shown] < 0))),
            "second hit": max(0, hits - 1),
            "unhit": float(not hits and PLAIN in labels),
            "untold": untold(shown, beside),
            **{f"any {CLASSES[label]}": 1.0 for label in MARKED if label in labels},
        }

    def judged(self, draft: Draft) -> float | None:
        """How likely the numbers are, wherever the mines lie, weighed; None where they cannot be."""
        counts = self.judgement(draft.board)
        return None if counts is None else _weighed(counts, self._scale)

    def judgement(self, board: Board) -> Counts | None:
        """What the judge says of a board; None where it cannot be.

        As a rule flags are right, and a program that shows mines shows all. Where that cannot be, flags may
        stand anywhere, and mines that are shown are some of all.
        """
        shown = board.having(MINE + EXPLODED)
        marked = dict.fromkeys(bits(board.having(FLAG)), MINE)
        if shown:
            marked |= dict.fromkeys(bits(board.closed), SAFE)
        likely = self._judge.weigh(board.showing(dict.fromkeys(bits(shown), HIDDEN)))
        if likely is None:
            return None
        if not (marked or shown) or self._judge.weigh(board.showing(marked)) is not None:
            return {"numbers": likely}
        if self._judge.weigh(board) is None:
            return None
        return {
            "numbers": likely,
            "unshown": float(bool(board.having(MINE))),
            "astray": float(not board.having(MINE) and bool(board.having(FLAG))),
        }


def _weighed(counts: Counts, scale: Mapping[str, float]) -> float:
    return sum(scale.get(name, 0.0) * count for name, count in counts.items() if count)


def spread(cells: int) -> float:
    """What is counted of so many empty cells beside covered ones: the hundredth says less than the first."""
    return log(1 + cells)


def without_contradictions(board: Board) -> Board:
    """The board without the numbers that cannot be, whatever its hidden cells hold."""
    shown = np.array([CLASSES.index(state) for state in board.cells]).reshape(board.rows, board.columns)
    return board.showing(dict.fromkeys(np.flatnonzero(contradicted(shown)).tolist(), UNKNOWN))
