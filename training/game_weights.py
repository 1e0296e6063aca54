"""Fit the weights of the evidence during a game: `python -m training game-weights`.

Writes `vision/params/game_weights.json`. Random games are drawn in themes of the training families. In each
observation, the game so far is known; in some, nothing is known, as in a first picture in mid-game, or a
message covers a part of the board. The weights maximise the probability of the true states, as in
`scorer_weights`; the scores of the history (`vision/track/update.py`) are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from games.logic import cell_set
from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_games import GamePicture, drawn_games, true_states
from training.scorer_weights import (
    FIXED,
    NEAR,
    PRIOR,
    RIVALS,
    fit_weights,
    mean_nats,
)
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.features import Floats, Rows, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import NEVER, CachedPrior, Counts, LabelScorer
from vision.label.search import confidences, find_alternatives, find_labellings, normalised
from vision.params import GAME_WEIGHTS
from vision.track.belief import Belief
from vision.track.update import DOUBTS, cluster_rows, link_similar_clusters, scores_by_end

GAMES = {"train": 90, "validation": 30}
TURNS = 2
UNKNOWN_START = 0.3  # share of observations without history
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


def observation_of(picture: GamePicture, index: int) -> Observation:
    """The features of a picture; some count as the first picture of their game."""
    belief, store, ids, seen = picture.belief, picture.store, picture.ids, picture.seen
    before = belief.board
    if before is None or np.random.default_rng(index).random() < UNKNOWN_START:
        belief, before = Belief(), Board(seen.rows, seen.columns, UNKNOWN * len(seen))
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
    states = true_states(ids, seen)
    right = tuple(CLASSES.index(states[cluster]) for cluster in scene.present)
    mines = picture.mines if index % 2 else None
    return Observation(scene, rows, ends, picture.ended and len(ends) > 1, mines, right)


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
    train, held = (
        [observation_of(each, k) for k, each in enumerate(drawn_games(model, split, range(sized(count))))]
        for split, count in GAMES.items()
    )
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
