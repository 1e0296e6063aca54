"""Fits weights of what can be said of a candidate on what came of it, and judges them on games held out.

    python benchmarks/guessing/weights.py build/remaining.jsonl [build/another.jsonl ...]

The tables are those of remaining.py. Printed is how much the true values of the candidates of a guess differ
(chance taken off: the layouts are halved, and only what both halves agree on counts), the weight of each
figure beside look-ahead depth 2, what guesses by fitted weights win in games that they were not fitted on,
and what one who knew all that the fit does not explain would win.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from decisions import Decision, mean_of, read
from features import NAMES, features_of

from bot.simulation.boards import first_click_cell
from bot.simulation.tournament import WinRate
from games.errors import SapperError
from games.minesweeper import LEVELS
from strategies.compiled.tables import Floats

FOLDS = 10  # parts of the games, each held out once
RIDGE = 3.0  # of the sum of squares, the figures having the spread 1
LOOK_AHEAD = NAMES.index("two moves")
DRAWS = 400  # of differences that are not explained, for each guess


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess in numbers: a row of figures for each rival, what each is worth by either half of the layouts.

    The first row is the choice of `best`. All less their mean over the rivals.
    """

    game: tuple[str, int]
    figures: Floats
    halves: Floats

    @classmethod
    def of(cls, decision: Decision, figures: Floats) -> Guess:
        """A decision with the figures of its rivals."""
        parts = [slice(decision.sifted + half, decision.layouts, 2) for half in (0, 1)]
        halves = np.array([[rival.value(part) for rival in decision.rivals] for part in parts])
        return cls(
            (decision.first_click, decision.game),
            figures - figures.mean(0),
            halves - halves.mean(1, keepdims=True),
        )

    @property
    def worth(self) -> Floats:
        """What each rival is worth by all of the layouts."""
        whole: Floats = self.halves.mean(0)
        return whole


def spread(guesses: Sequence[Guess], columns: Sequence[int], weights: Floats) -> WinRate:
    """The variance of the true differences that these weights do not explain, with its interval."""
    sums = []
    for guess in guesses:
        first, second = guess.halves - guess.figures[:, columns] @ weights
        sums.append(float(first @ second) / (len(first) - 1))
    return mean_of(sums)


def fit(guesses: Sequence[Guess], columns: Sequence[int], ridge: float = RIDGE) -> tuple[Floats, Floats]:
    """The weights of these figures that explain best what was won, and their standard errors."""
    figures = np.concatenate([guess.figures[:, columns] for guess in guesses])
    worth = np.concatenate([guess.worth for guess in guesses])
    scale = figures.std(0)
    scale[scale == 0.0] = 1.0
    scaled = figures / scale
    inverse = np.linalg.inv(scaled.T @ scaled + ridge * np.eye(len(columns)))
    weights = inverse @ scaled.T @ worth
    errors = np.sqrt(np.diag(inverse)) * (worth - scaled @ weights).std()
    return weights / scale, errors / scale


def held_out(guesses: Sequence[Guess], columns: Sequence[int]) -> WinRate:
    """What a guess by fitted weights wins more than that of `best`, on games that they were not fitted on."""
    games = sorted({guess.game for guess in guesses})
    part = {game: place % FOLDS for place, game in enumerate(games)}
    gains = []
    for fold in range(min(FOLDS, len(games))):
        weights, _ = fit([guess for guess in guesses if part[guess.game] != fold], columns)
        for guess in (guess for guess in guesses if part[guess.game] == fold):
            taken = int(np.argmax(guess.figures[:, columns] @ weights))
            gains.append(float(guess.worth[taken] - guess.worth[0]))
    return mean_of(gains)


def omniscient(guesses: Sequence[Guess], columns: Sequence[int], weights: Floats, variance: float) -> WinRate:
    """What a guess would win that also knew what the weights do not explain, that being normal."""
    rng = np.random.default_rng(1)
    gains = []
    for guess in guesses:
        known = guess.figures[:, columns] @ weights
        draws = known + sqrt(max(variance, 0.0)) * rng.standard_normal((DRAWS, len(known)))
        gains.append(float((draws.max(1) - draws[:, 0]).mean()))
    return mean_of(gains)


def main() -> int:
    """Fit, judge, print; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("tables", type=Path, nargs="+", help="of remaining.py")
    words.add_argument("--seed", default="remaining", help="of their boards")
    asked = words.parse_args()
    try:
        decisions = [decision for table in asked.tables for decision in read(table)]
        guesses = [guess_of(decision, asked.seed) for decision in decisions if len(decision.rivals) > 1]
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print_result(guesses)
    return 0


def guess_of(decision: Decision, seed: str) -> Guess:
    """A decision in numbers. Raises SapperError."""
    rows, columns, mines = LEVELS["expert"]
    inset = 0 if decision.first_click == "safe" else 3
    start = first_click_cell(f"r{inset}c{inset}", rows, columns, mines, decision.first_click)
    assert start is not None
    return Guess.of(decision, features_of(decision, seed, start))


def print_result(guesses: Sequence[Guess]) -> None:
    """Print what came out, in points (hundredths of a game) and their squares."""
    ahead = [LOOK_AHEAD]
    weights, _ = fit(guesses, ahead)
    true, left = spread(guesses, ahead, np.zeros(1)), spread(guesses, ahead, weights)
    print(f"{len(guesses):,} guesses, {sum(len(guess.worth) for guess in guesses):,} candidates")
    print(f"true differences {_squared(true)}, not explained by two moves {_squared(left)} (squared points)")
    best_of = omniscient(guesses, ahead, weights, left.rate)
    print(f"knowing what is not explained would win {_points(best_of)} a guess")
    print("| weights of | weight of the last, by its spread | points a guess, held out |\n|---|---|---|")
    for columns in ([LOOK_AHEAD], *([LOOK_AHEAD, c] for c in range(len(NAMES)) if c != LOOK_AHEAD)):
        own, errors = fit(guesses, columns)
        size = np.concatenate([guess.figures[:, columns[-1]] for guess in guesses]).std()
        weight = WinRate(*(float(size * (own[-1] + 1.96 * sign * errors[-1])) for sign in (0, -1, 1)))
        names = " and ".join(NAMES[c] for c in columns)
        print(f"| {names} | {_points(weight)} | {_points(held_out(guesses, columns))} |")
    print(f"| all | | {_points(held_out(guesses, range(len(NAMES))))} |")


def _points(rate: WinRate) -> str:
    return f"{100 * rate.rate:+.2f} ± {50 * (rate.high - rate.low):.2f}"


def _squared(rate: WinRate) -> str:
    return f"{1e4 * rate.rate:.2f} ± {5e3 * (rate.high - rate.low):.2f}"


if __name__ == "__main__":
    sys.exit(main())
