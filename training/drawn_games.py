"""Drawn games: pictures of random games in themes, with the history of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import UNKNOWN, Board, Deal, Minefield, Move
from training.drawings.backgrounds import draw_desktop
from training.drawings.board_images import GamePainter
from training.drawings.surfaces import Rng
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.drawn_pictures import SMALLEST
from training.game_priors import LOST, WON, show_end
from training.splits import SPLITS
from vision.cells.clusters import ClusterStore, Ids
from vision.cells.model import CLASSES, CellModel
from vision.frame import Frame
from vision.track.belief import Belief, LastMoves

OBSERVATIONS = 8  # of a game at most
COVERED = 0.1  # share of pictures with a message


@dataclass(frozen=True, eq=False)
class GamePicture:
    """A picture of a game: its clusters `ids` and visible states `seen`.

    `belief` is the true history until the last moves.
    """

    belief: Belief
    store: ClusterStore
    ids: Ids
    seen: Board
    mines: int


def drawn_games(model: CellModel, split: str, seeds: range) -> Iterator[GamePicture]:
    """The pictures of the games of these seeds."""
    resources = ThemeResources.load(split)
    for seed in seeds:
        rng = np.random.default_rng([seed, SPLITS.index(split), 23])
        theme = choose_theme(resources, rng)
        theme.hovers = 0.0
        if min(theme.size) * theme.zoom >= SMALLEST:
            yield from _play(rng, GamePainter(theme, seed), ClusterStore(model), resources, seed)


def _play(
    rng: Rng, painter: GamePainter, store: ClusterStore, resources: ThemeResources, seed: int
) -> Iterator[GamePicture]:
    """Play a random game; the pictures after its moves."""
    rows, columns = int(rng.integers(7, 15)), int(rng.integers(7, 15))
    mines = max(4, int(rows * columns * rng.uniform(0.1, 0.2)))
    game = Minefield(Deal.random(rows, columns, mines, seed), "safe")
    flags, styles = bool(rng.random() < 0.5), (str(rng.choice(LOST)), str(rng.choice(WON)))
    shown, states = game.board, dict[int, str]()
    ids = store.assign(painter.picture(shown), painter.lattice(shown))
    for _ in range(OBSERVATIONS):
        truth = game.truth
        certain = truth is not None and bool(rng.random() < 0.85)
        closed = list(bits(game.board.closed & ~(truth or 0 if certain else 0)))
        if not closed:
            return
        count = min(len(closed), int(rng.integers(1, 7))) if certain else 1
        moves = [Move("open", int(k)) for k in rng.choice(closed, count, replace=False)]
        if flags and certain:
            beside = bits((truth or 0) & game.board.closed)
            moves += [Move("flag", k) for k in beside if rng.random() < 0.1]
        before, states = shown, states | true_states(ids, shown)
        after = game.play(moves)
        ended = game.is_lost or game.is_won
        shown = show_end(after, game.truth or 0, styles[game.is_won]) if ended else after
        frame, seen = painter.picture(shown), shown
        if rng.random() < COVERED:
            frame, seen = _cover(rng, resources, painter, shown)
        now = store.assign(frame, painter.lattice(shown))
        belief = Belief(
            before, ids, {c: s for c, s in states.items() if s != UNKNOWN},
            LastMoves(tuple(moves), certain), risked=0 if certain else cell_set([moves[0].cell]), observed=1,
        )  # fmt: skip
        yield GamePicture(belief, store, now, seen, mines)
        if ended:
            return
        ids = store.assign(painter.picture(shown), painter.lattice(shown))


def true_states(ids: Ids, board: Board) -> dict[int, str]:
    """The most frequent state of each cluster."""
    states = np.array([CLASSES.index(state) for state in board.cells])
    return {int(c): CLASSES[int(np.bincount(states[ids == c]).argmax())] for c in np.unique(ids)}


def _cover(rng: Rng, resources: ThemeResources, painter: GamePainter, board: Board) -> tuple[Frame, Board]:
    """The picture with a message over some cells, and the visible states."""
    lattice, pixels = painter.lattice(board), painter.picture(board).pixels.copy()
    (c0, c1), (r0, r1) = (
        sorted(int(k) for k in rng.integers(0, n + 1, 2)) for n in (board.columns, board.rows)
    )
    box = np.s_[lattice.ys[r0] : lattice.ys[r1], lattice.xs[c0] : lattice.xs[c1]]
    if pixels[box].size:
        high, wide = pixels[box].shape[:2]
        pixels[box] = draw_desktop(rng, resources, (wide, high), textured=False)
    cells = {r * board.columns + c: UNKNOWN for r in range(r0, r1) for c in range(c0, c1)}
    return Frame(pixels), board.with_states(cells)
