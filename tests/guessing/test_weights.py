"""Weights fitted on what candidates won (benchmarks/guessing/weights.py)."""

from __future__ import annotations

import numpy as np
import pytest
from decisions import Candidate, Decision
from features import NAMES, features_of
from swift import Game
from weights import Guess, fit, held_out, omniscient, spread

from games.minesweeper import LEVELS, Deal
from strategies.compiled import kernels

NOISE, KNOWN, HIDDEN = (
    0.04,
    0.02,
    0.01,
)  # standard deviations: of chance, of what a figure says, of the rest


def guesses_of(count: int, weight: float, hidden: float) -> list[Guess]:
    """Four rivals each; the first one is not the one that the figures are for."""
    rng = np.random.default_rng(1)
    found = []
    for game in range(count):
        figures = rng.standard_normal((4, 2))
        true = weight * figures[:, 0] + hidden * rng.standard_normal(4)
        halves = true + NOISE * rng.standard_normal((2, 4))
        centred = figures - figures.mean(0), halves - halves.mean(1, keepdims=True)
        found.append(Guess(("zero", game // 2), *centred))
    return found


def test_what_chance_adds_is_not_counted_as_a_difference() -> None:
    guesses = guesses_of(3000, KNOWN, HIDDEN)
    none = spread(guesses, [0], np.zeros(1))
    assert none.low < KNOWN**2 + HIDDEN**2 < none.high
    weights, errors = fit(guesses, [0, 1])
    assert abs(weights - [KNOWN, 0.0]) == pytest.approx(0.0, abs=4 * float(errors.max()))
    left = spread(guesses, [0, 1], weights)
    assert left.low < HIDDEN**2 < left.high < none.low


def test_weights_win_on_games_that_they_were_not_fitted_on_only_where_there_is_something() -> None:
    found = held_out(guesses_of(1000, KNOWN, 0.0), [0])
    assert found.low > 0.015  # the best of four normal figures is 1.03 standard deviations above their mean
    assert found.low < 1.03 * KNOWN < found.high
    nothing = held_out(guesses_of(1000, 0.0, 0.0), [0, 1])
    assert nothing.low < 0.0 < nothing.high


def test_who_knows_all_wins_what_the_best_of_four_is_above_one_of_them() -> None:
    guesses = guesses_of(500, 0.0, HIDDEN)
    weights = np.zeros(1)
    assert omniscient(guesses, [0], weights, 0.0).rate == 0.0
    assert omniscient(guesses, [0], weights, HIDDEN**2).rate == pytest.approx(1.03 * HIDDEN, rel=0.05)


def test_figures_are_those_of_the_strategy() -> None:
    loops = kernels()
    loops.wait()
    rows, columns, mines = LEVELS["expert"]
    game = Game.begun(Deal.random(rows, columns, mines, "figures/zero/0"), 93, "zero")
    cells, field = game.field()
    risks = loops["survey"](field, loops.tables).risks
    own = [int(k) for k in np.flatnonzero(risks < 1.0)[:3]]
    rivals = [Candidate(int(cells[k]), True, 1.0 - risks[k], 0.5, 0.5, 1.0, "a0") for k in own]
    state = "".join(map(str, game.state.tolist()))
    found = features_of(Decision(0, "zero", 1, 2, 1.0, state, 0, tuple(rivals)), "figures", 93)
    assert found.shape == (3, len(NAMES))
    assert found[:, 0] == pytest.approx(1.0 - risks[own])
    assert (found[:, 2] <= found[:, 1] + 1e-9).all()  # who survives two more moves survives one
    assert (found[:, 1] <= found[:, 0] + 1e-9).all()
