"""Tracker: reads frame after frame of one board and learns the program's appearance from the moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from games.logic import cell_set
from games.minesweeper import UNKNOWN, Move
from vision.cells.clusters import CellClassifier, ClusterStore, Ids, Likelihoods
from vision.cells.model import CLASSES
from vision.frame import Frame
from vision.label.scene import Scene
from vision.label.scorer import CachedPrior
from vision.label.search import confidences
from vision.lattice import Lattice, changed_cells
from vision.reading import BoardHypothesis, BoardPrior, Reading
from vision.skins import Skin, SkinModel, Tile, train_skin_from_tiles
from vision.track.belief import Belief, LastMoves, cells_where
from vision.track.unexplained import (
    are_scattered,
    covered_cells,
    explained_cells,
    is_cleared,
    revealed_mines,
    watched_mines,
)
from vision.track.update import update_belief

# nats; only states contradicted by a remembered one are so unlikely (SkinModel: log(1 - REMEMBERED))
FORGOTTEN = -11.0
MOST = 12  # alternatives in a reading
PLAYED = "the model, the rules and acts in a game"  # evidence of a state in the skin file


class Tracker:
    """A `BoardReader` that updates a `Belief` with every picture.

    `skin` is the remembered appearance of the program; `mines` is the mine total, if known.
    """

    def __init__(
        self,
        lattice: Lattice,
        prior: BoardPrior,
        model: CellClassifier,
        skin: Skin | None = None,
        mines: int | None = None,
    ) -> None:
        self.lattice = lattice
        self.skin = skin
        self.belief = Belief()
        self._prior = CachedPrior(prior)
        self._model = model
        self._mines = mines
        if skin is None:
            self._clusters = ClusterStore(model)
        else:
            remembers = SkinModel(skin, model)
            self._clusters = ClusterStore(remembers, remembers.recognise)
        self._frame: Frame | None = None
        self._earlier: Frame | None = None  # the picture before the last moves
        self._covered = 0  # cells under a cover in the last picture

    def observe(self, frame: Frame) -> Reading:
        """Read the next settled picture. Raises BoardUnplayable if the board reaches beyond it."""
        if self._covered and self._frame is not None and np.array_equal(self._frame.pixels, frame.pixels):
            return self._read()  # nothing is learned from a cover, so do not weigh it again
        ids = self._assign(frame)
        before, self._frame = self.belief, frame
        empty = (cluster for cluster, state in before.states.items() if state == "0")
        self.belief = self._observed(before, ids, self._clusters.likelihoods(empty))
        if self.skin is not None and self._is_overruled():  # the skin is wrong: ignore it
            self.belief = self._observed(before, ids, self._clusters.likelihoods_by(self._model))
        self._weigh_unexplained(frame)
        return self._read()

    def _weigh_unexplained(self, frame: Frame) -> None:
        """Find revealed mines and covers in a game that seems to go on, or seems to end below a cover."""
        was_covered, self._covered = self._covered, 0
        belief, earlier = self.belief, self._earlier
        before, now, acts = belief.board, belief.now, belief.acts
        if before is None or now is None or acts is None:
            return
        if (now.shown_mines and not was_covered) or belief.ids is None or belief.ids_now is None:
            return
        changed = cells_where(belief.ids != belief.ids_now)
        if not acts.moves:  # a person plays
            shown = watched_mines(now, changed & before.closed, belief.ids_now.tolist())
            self.belief = belief.lost(shown, 0) if shown else belief
        if earlier is None or not acts.moves or is_cleared(now, self._mines):
            return
        opened = acts.opened(before.around)
        known = cell_set(k for k, each in enumerate(belief.ids_now) if int(each) in belief.states)
        explained = explained_cells(before, now, changed, opened, known)
        hit = 0 if acts.certain else opened & changed & now.unread
        shut = changed & before.closed

        def cover(explained: int) -> int:
            return covered_cells(earlier, frame, self.lattice, before, now, changed, opened, explained)

        everywhere = revealed_mines(before, now, shut, hit, self._mines)
        mines = revealed_mines(before, now, shut & ~explained, hit)
        if self._mines and are_scattered(shut & now.unread, self.lattice.columns):
            mines = mines or everywhere
        if not mines:
            self._covered = cover(explained)
            if self._covered:
                self.belief = belief.under_cover(self._covered)
                return
            mines = everywhere
            if mines and cover(opened):  # one notice over cells that a cascade might explain
                return
        if mines:
            self.belief = belief.lost(mines, hit & mines)

    def _observed(self, before: Belief, ids: Ids, likely: Likelihoods) -> Belief:
        rows, columns, signed = self.lattice.rows, self.lattice.columns, self._clusters.signed()
        return update_belief(before, rows, columns, ids, likely, signed, self._prior, self._mines)

    def _is_overruled(self) -> bool:
        """Whether any cluster probably differs from its remembered state."""
        best = self.belief.hypotheses[0].states if self.belief.hypotheses else {}
        likely = self._clusters.likelihoods()
        return any(likely[cluster, CLASSES.index(state)] < FORGOTTEN for cluster, state in best.items())

    def notify_moves(self, moves: Sequence[Move], certain: bool) -> None:
        """Record moves on the board that was observed last; `certain`: none can hit a mine."""
        self.belief = self.belief.after_moves(LastMoves(tuple(moves), certain))
        self._earlier, self._covered = self._frame, 0

    def set_lattice(self, lattice: Lattice) -> None:
        """Set the positions of the same cells in the next pictures."""
        self.lattice = lattice
        self._frame = self._earlier = None

    def notify_no_response(self) -> bool:
        """Record that the program ignores moves; return whether a mine that was hit explains it."""
        belief = self.belief
        if belief.now is None or belief.was_stuck or not belief.risked & belief.now.unread:
            return False
        self.belief = replace(belief, is_stuck=True, was_stuck=True)
        return True

    def learned(self, name: str, program: str | None = None) -> Skin | None:
        """Everything learned, as a skin; None if it adds nothing to the skin in use.

        Remembered tiles that contradict the game are dropped.
        """
        settled = {**self.belief.states, **self.belief.settled}
        new = [
            Tile(state, picture)
            for cluster, state in sorted(settled.items())
            for picture in self._clusters.pictures(cluster)
        ]
        before = self.skin.tiles if self.skin is not None else ()
        if not any(self.skin is None or self.skin.match(tile.pixels) != tile.state for tile in new):
            return None
        fresh = train_skin_from_tiles(name, new)
        kept = [tile for tile in before if fresh.match(tile.pixels) in (None, tile.state)]
        known = dict(self.skin.evidence) if self.skin is not None else {}
        evidence = {state: known.get(state, PLAYED) for state in {tile.state for tile in new}} | known
        skin = train_skin_from_tiles(name, [*kept, *fresh.tiles])
        return replace(skin, program=program, evidence=tuple(sorted(evidence.items())))

    def _assign(self, frame: Frame) -> Ids:
        """The cluster of every cell; only cells that changed since the last frame are clustered again."""
        last, ids = self._frame, self.belief.ids_now
        if last is None or ids is None or last.pixels.shape != frame.pixels.shape:
            return self._clusters.assign(frame, self.lattice)
        changed = changed_cells(self.lattice, last.pixels, frame.pixels)
        if not changed:
            return ids
        now = ids.copy()
        now[changed] = self._clusters.assign(frame, self.lattice, changed)
        return now

    def _read(self) -> Reading:
        belief = self.belief
        board, ids = belief.now, belief.ids_now
        assert board is not None
        assert ids is not None
        sure = np.ones(len(self._clusters), np.float32)
        for cluster, (_, each) in confidences(belief.hypotheses).items():
            sure[cluster] = each
        is_read = np.array([state != UNKNOWN for state in board.cells])
        scene = Scene(board.rows, board.columns, ids, variant=board.variant)
        alternatives = tuple(
            BoardHypothesis(scene.board(each.states, self._mines), each.weight)
            for each in belief.hypotheses[:MOST]
        )
        return Reading(
            board, (sure[ids] * is_read).reshape(board.rows, board.columns), board.unread, alternatives,
            bool(board.shown_mines) or not (board.closed or board.unread), self._covered,
        )  # fmt: skip
