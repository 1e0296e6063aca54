"""What better guesses would win, and what weights explain (guessing/remaining.py and weights.py)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from decisions import HIT, LOST, WON, Candidate, Decision, gain_per_game, mean_of, read
from features import NAMES, features_of
from remaining import came_of
from swift import Game
from weights import Guess, fit, held_out, omniscient, spread

from games.minesweeper import LEVELS, Deal
from strategies.compiled.kernels import kernels

SIFTED = 4
NOISE, KNOWN, HIDDEN = (
    0.04,
    0.02,
    0.01,
)  # standard deviations: of chance, of what a figure says, of the rest


def decision_of(*played: str, game: int = 0) -> Decision:
    own = tuple(Candidate(k, True, 1.0, 0.7, 0.6, 1.0, text) for k, text in enumerate(played))
    return Decision(game, "zero", 1, 2, 30.0, "0" * 480, SIFTED, own)


def test_what_chooses_does_not_judge() -> None:
    lucky = decision_of("0000" + "aa00", "0000" + "00aa")  # each wins the half that the other loses
    fair, fooled = lucky.gain(2)
    assert (fair, fooled) == (-0.5, 0.5)  # chosen by the second half alone, it loses the first one


def test_a_better_candidate_is_found_and_an_equal_one_only_seems_better() -> None:
    rng = Random(1)

    def letters(share: float) -> str:
        return "x0x0" + "".join("c" if rng.random() < share else "2" for _ in range(256))

    better = [decision_of(letters(0.3), letters(0.6), game=g) for g in range(50)]
    equal = [decision_of(letters(0.5), letters(0.5), letters(0.5), game=g) for g in range(200)]
    found = gain_per_game(
        better, [one.gain(64)[0] for one in better], 100, 1.0
    )  # half of the games had a guess
    assert found.low < 0.15 < found.high
    fair, fooled = (mean_of(one.gain(64)[part] for one in equal) for part in (0, 1))
    assert fair.low < 0.0 < fair.high
    assert fooled.low > 0.02


def test_guess_reason_gives_exact_risk() -> None:
    one = Candidate(0, True, 0.8, 0.7, 0.6, 1.0, "xa0xx1b")
    assert one.value(slice(0, 7)) == 0.8 * 2 / 4
    assert one.value(slice(0, 1), slice(1, 3)) == 0.8 * 1 / 2
    assert one.value(slice(3, 5)) == 0.0


def test_guess_candidates_shares() -> None:
    one = decision_of("0000" + "a0a0", "aaaa", "xxxx" + "aaaa")
    assert [rival.cell for rival in one.rivals] == [0, 2]
    assert one.gain(2) == (0.5, 0.5)
    assert gain_per_game([one, one], [0.5, 0.5], 2, 0.5).rate == 1.0
    assert decision_of("aaaa0000", "aaaa").gain(2) == (0.0, 0.0)


def test_a_table_keeps_decisions(tmp_path: Path) -> None:
    table, one = tmp_path / "decisions.jsonl", decision_of("abcd" + "x0x1", "0000")
    table.write_text(one.line + "\n" + one.line[:40], encoding="utf-8")
    assert read(table) == [one]
    assert read(tmp_path / "none.jsonl") == []


def test_a_cell_is_hit_as_often_as_it_is_likely() -> None:
    loops = kernels()
    loops.wait()
    game = Game.begun(Deal.random(9, 9, 14, "remaining/3"), 0, "safe")
    cells, field = game.field()
    risks = loops["survey"](field, loops.tables).risks
    found = came_of(game, cells[: field.bound], 1000, Random(1))
    assert abs((found == "x").mean(1) - risks).max() < 4 * 0.5 / 1000**0.5  # four standard deviations
    assert set(found.ravel()) <= set(HIT + LOST + WON)
    assert np.isin(found, list(WON)).any()


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


def test_paired_games_chance_no_difference() -> None:
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
