"""Fit the weights of the evidence during a game: `python -m training game-weights`.

Writes `vision/params/game_weights.json`. Random games are drawn in themes of the training families. In each
observation, the game so far is known; in some, nothing is known, as in a first picture in mid-game, or a
message covers a part of the board. The weights maximise the probability of the true states, as in
`scorer_weights`; the scores of the history (`vision/track/update.py`) are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import UNKNOWN, Board, Deal, Minefield, Move
from strategies.probability.board_prior import UniformMinePrior
from training.drawings.backgrounds import draw_desktop
from training.drawings.board_images import GamePainter
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.drawn_pictures import SMALLEST
from training.game_priors import LOST, WON, show_end
from training.scorer_weights import (
    FIXED,
    NEAR,
    PRIOR,
    RIVALS,
    fit_weights,
    mean_nats,
)
from training.splits import SPLITS
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.clusters import ClusterStore, Ids
from vision.cells.model import CLASSES, CellModel
from vision.frame import Frame
from vision.label.features import Floats, Rows, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import NEVER, CachedPrior, Counts, LabelScorer
from vision.label.search import confidences, find_alternatives, find_labellings, normalised
from vision.params import GAME_WEIGHTS
from vision.track.belief import Belief, LastMoves
from vision.track.update import DOUBTS, cluster_rows, link_similar_clusters, scores_by_end

GAMES = {"train": 90, "validation": 30}
OBSERVATIONS = 8  # of a game at most
TURNS = 2
UNKNOWN_START, COVERED = 0.3, 0.1  # shares of observations without history, and with a message
SETTLED = 0.99  # probability of a read state in the metrics
UNITS = {
    "model": "nats of the cell model for the state of a cluster",
    "empty": "nats of the cell model for an empty against a covered blank",
    "present": "nats of game.json for a state to occur on a board, at least `rarest`",
    "half filled": "halves of a board, at most one, that a ~ cluster fills",
    "contradicted": "numbers with too few or too many neighbouring mines",
    "unnumbered": "cells that look like a number and are labelled otherwise",
    "clicks": "numbers without an empty neighbour that opened them",
    "unfinished": "1 if empty cells have covered neighbours",
    "beside": "empty cells with covered neighbours",
    "second hit": "exploded mines beyond the first",
    "unhit": "1 if mines are shown and none exploded",
    "untold": "marks without a number next to them",
    "parted": "nats of distances.json for one state, for linked clusters with two states",
    "numbers": "nats of the board prior for the numbers",
    "unshown": "1 if the program shows some mines and hides others",
    "astray": "1 if some flags are wrong",
}
NAMES = (*UNITS, FIXED)
START = {name: PRIOR.get(name, 0.0) for name in NAMES}
Labels = tuple[int, ...]


@dataclass(eq=False)
class Observation:
    """A picture in a game with its features; `ends` are the scores of the history by end of the game."""

    scene: Scene
    rows: Rows
    ends: Sequence[tuple[bool, Floats]]
    ended: bool
    mines: int | None
    right: Labels
    rivals: set[tuple[bool, Labels]] = field(default_factory=set)
    judged: dict[Labels, Counts | None] = field(default_factory=dict)
    judge: CachedPrior = field(default_factory=lambda: CachedPrior(UniformMinePrior()))

    def scorer(self, scale: Mapping[str, float], fixed: Floats) -> LabelScorer:
        """The scorer of labellings with this history."""
        return LabelScorer(self.scene, weighted_sum(self.rows, scale) + fixed, self.judge, self.mines, scale)


def observations(model: CellModel, split: str) -> Iterator[Observation]:
    """The observations of all games of a split."""
    resources = ThemeResources.load(split)
    for seed in range(sized(GAMES[split])):
        rng = np.random.default_rng([seed, SPLITS.index(split), 23])
        theme = choose_theme(resources, rng)
        theme.hovers = 0.0
        if min(theme.size) * theme.zoom >= SMALLEST:
            yield from _play(rng, GamePainter(theme, seed), ClusterStore(model), resources, seed)


def _play(
    rng: np.random.Generator, painter: GamePainter, store: ClusterStore, resources: ThemeResources, seed: int
) -> Iterator[Observation]:
    """Play a random game; the observations after its moves."""
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
        before, states = shown, states | _states(ids, shown)
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
        is_first = bool(rng.random() < UNKNOWN_START)
        yield _observation(Belief() if is_first else belief, before, store, now, seen, ended, mines)
        if ended:
            return
        ids = store.assign(painter.picture(shown), painter.lattice(shown))


def _states(ids: Ids, board: Board) -> dict[int, str]:
    """The most frequent state of each cluster."""
    states = np.array([CLASSES.index(state) for state in board.cells])
    return {int(c): CLASSES[int(np.bincount(states[ids == c]).argmax())] for c in np.unique(ids)}


def _cover(
    rng: np.random.Generator, resources: ThemeResources, painter: GamePainter, board: Board
) -> tuple[Frame, Board]:
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


def _observation(
    belief: Belief, before: Board, store: ClusterStore, ids: Ids, seen: Board, ended: bool, mines: int
) -> Observation:
    """The features of the present picture, whose clusters are `ids` and whose states are `seen`."""
    if belief.ids is None:
        before = Board(seen.rows, seen.columns, UNKNOWN * len(seen))
    changed = (
        cell_set(np.flatnonzero(ids != belief.ids).tolist()) if belief.ids is not None else before.everything
    )
    likelihoods = store.likelihoods()
    scene = Scene(seen.rows, seen.columns, ids)
    scene = link_similar_clusters(scene, belief.states, likelihoods, store.signed())
    rows = cluster_rows(before, scene, likelihoods)
    likely = weighted_sum(rows, START)
    ends = [
        (has_ended, np.maximum(scores - likely, NEVER) + share / len(likely))
        for has_ended, share, scores in scores_by_end(belief, before, changed, 0, scene, likely)
    ]
    states = _states(ids, seen)
    right = tuple(CLASSES.index(states[cluster]) for cluster in scene.present)
    return Observation(scene, rows, ends, ended and len(ends) > 1, mines if len(seen) % 2 else None, right)


def add_rivals(each: Observation, scale: Mapping[str, float]) -> None:
    """Add the likely labellings that the search finds, and labellings close to the true one."""
    for ended, fixed in each.ends:
        scorer = each.scorer(scale, fixed)
        found = find_labellings(each.scene, scorer.scores, each.judge, each.mines, scale, is_over=ended)
        labels = [tuple(CLASSES.index(states[c]) for c in each.scene.present) for _, states in found]
        near, _ = find_alternatives(scorer, np.array(each.right), NEAR)
        labels += [tuple(row.tolist()) for row in near[:RIVALS]]
        each.rivals |= {(ended, row) for row in [*labels[:RIVALS], *labels[-RIVALS:], each.right]}


def evidence_table(each: Observation) -> Floats | None:
    """(labellings, NAMES): the evidence of the true labelling (first row) and of its rivals.

    None if the true labelling contradicts the rules.
    """
    clusters = np.arange(len(each.right))
    true = each.ended, each.right
    scorers = {ended: each.scorer(START, fixed) for ended, fixed in each.ends}
    fixed = dict(each.ends)
    found = []
    for ended, labels in [true, *sorted(each.rivals - {true})]:
        if labels not in each.judged:
            each.judged[labels] = scorers[ended].judgement(np.array(labels))
        judged = each.judged[labels]
        if judged is not None:
            every = {name: float(row[clusters, labels].sum()) for name, row in each.rows.items()}
            every |= scorers[ended].counted(np.array(labels)) | judged
            every[FIXED] = float(fixed[ended][clusters, labels].sum())
            found.append([every.get(name, 0.0) for name in NAMES])
        elif (ended, labels) == true:
            return None
    return np.array(found)


def count_cells(found: Sequence[Observation], scale: Mapping[str, float]) -> dict[str, float | int]:
    """Shares of right, unknown and wrong clusters, weighted by their cells."""
    cells = {"right": 0, "unknown": 0, "wrong": 0}
    for each in found:
        labellings = [
            (weight, states)
            for ended, fixed in each.ends
            for weight, states in find_labellings(
                each.scene, each.scorer(scale, fixed).scores, each.judge, each.mines, scale, DOUBTS, ended
            )
        ]
        read = confidences(normalised(labellings))
        for cluster, right, count in zip(each.scene.present, each.right, each.scene.counts, strict=True):
            state, sure = read.get(cluster, (UNKNOWN, 0.0))
            is_read = state != UNKNOWN and sure >= SETTLED
            kind = "unknown" if not is_read else "right" if state == CLASSES[right] else "wrong"
            cells[kind] += int(count)
    total = max(1, sum(cells.values()))
    return {"observations": len(found), "cells": total} | {kind: n / total for kind, n in cells.items()}


def main() -> None:
    """Fit on the training families, measure on the validation families, and write the file."""
    model = CellModel.load()
    train, held = (list(observations(model, split)) for split in GAMES)
    scale = START
    for turn in range(TURNS):
        for each in train:
            add_rivals(each, scale)
        tables = [table for each in train if (table := evidence_table(each)) is not None]
        scale = fit_weights(tables, scale)
        print(f"turn {turn + 1}: {mean_nats(tables, scale):.4f} nats, {scale}", flush=True)
    weights = {name: round(scale[name], 2) for name in UNITS}
    print(f"before: {count_cells(held, GAME_WEIGHTS)}", flush=True)
    fit = Fit(
        f"{len(tables)} observations of {sized(GAMES['train'])} drawn games; nats per unit",
        digest_arrays(*tables),
        count_cells(held, weights),
    )
    write_params("game_weights", weights, fit, units=UNITS)
