"""Variants: certain cells and odds against all layouts gone through, and win rates against plain boards.

    python benchmarks/reasoning/variants.py --positions 5000 --games 1000

Positions have up to 20 hidden cells, half of them without the mine total (balance takes it). Odds are those
of `sapper explain --risks`, with the total. Ends with 1 at a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from bot.show.explainer import Explainer
from bot.simulation.boards import BoardSet
from bot.simulation.simulated_game import GameStart, StrategySet
from bot.simulation.tournament import run_bench
from bot.simulation.workers import InlineWorkers
from games.errors import UsageError
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.testing import all_models
from strategies.testing.samples import certain_variables

VARIANTS = ("quad", "triplet", "balance", "cross")
MOST_HIDDEN = 20
NEAR = 1e-9  # two ways of computing a probability differ by less
BOARDS = ((5, 5, 4), (5, 5, 5), (5, 5, 9), (6, 6, 9), (8, 8, 16), (8, 8, 20))  # columns, rows, mines


@dataclass(slots=True)
class Tally:
    """What came out, in cells; `odds` counts the probabilities that were compared."""

    positions: int = 0
    certain: int = 0
    wrong: int = 0
    missed: int = 0
    odds: int = 0
    off: int = 0
    faults: int = 0

    @property
    def is_exact(self) -> bool:
        """Nothing wrong, nothing missed, every probability right, every deduction accepted."""
        return not (self.wrong or self.missed or self.off or self.faults)

    def __str__(self) -> str:
        return (
            f"{self.positions:,} positions, {self.certain:,} certain cells: {self.wrong} wrong, "
            f"{self.missed} missed; {self.odds:,} odds, {self.off} off; {self.faults} deductions rejected"
        )


def positions(variant: str, seed: str, count: int) -> Iterator[Board]:
    """Boards by the rules of a variant with 1 to 20 hidden cells, the total known."""
    rng = Random(f"{seed} {variant}")
    while count:
        rows, columns = rng.randint(3, 6), rng.randint(3, 6)
        try:
            field = Minefield(
                Deal.random(rows, columns, _mines(variant, rows, columns, rng), rng.random().hex(), variant)
            )
            board = field.play([Move("open", rng.randrange(rows * columns))])
        except UsageError:  # there is no such board
            continue
        wanted = rng.randint(board.mines or 0, MOST_HIDDEN)
        while not field.is_won and board.not_open.bit_count() > wanted:
            safe = list(bits(board.not_open & ~(field.truth or 0)))
            board = field.play([Move("open", rng.choice(safe))])
        if not field.is_won and 0 < board.not_open.bit_count() <= MOST_HIDDEN:
            count -= 1
            yield board


def _mines(variant: str, rows: int, columns: int, rng: Random) -> int:
    if variant == "balance":
        return int(np.lcm(rows, columns)) * rng.randint(1, 2)
    if variant == "quad":
        return (rows // 2) * (columns // 2) + rng.randint(0, rows)
    return rng.randint(1, rows * columns // 3)


def against_layouts(variant: str, seed: str, count: int, strategies: Sequence[Strategy]) -> Tally:
    """Positions against all their layouts."""
    tally = Tally()
    for number, board in enumerate(positions(variant, seed, count)):
        stated = board if number % 2 or variant == "balance" else board.with_mines(None)
        knowledge = board_knowledge(stated)
        outcome = Reasoner(strategies).deduce(knowledge)
        true, false = certain_variables(knowledge)
        tally.positions += 1
        tally.certain += (true | false).bit_count()
        tally.wrong += (outcome.knowledge.true & ~true | outcome.knowledge.false & ~false).bit_count()
        tally.missed += (true & ~outcome.knowledge.true | false & ~outcome.knowledge.false).bit_count()
        tally.faults += len(outcome.faults)
        if number % 10 == 1:
            every = all_models(board_knowledge(board))
            for cell, risk in Explainer(board, strategies).risks():
                tally.odds += 1
                tally.off += abs(risk - sum(layout >> cell & 1 for layout in every) / len(every)) > NEAR
    return tally


def wins(games: int) -> None:
    """Win rates of Quad and of plain boards of the same size and number of mines."""
    lineup, opening = StrategySet.of(None), GameStart("safe", None)
    for columns, rows, mines in BOARDS:
        said = []
        for variant in ("quad", "plain"):
            try:
                course = BoardSet.random((columns, rows), mines, "variants", games, variant)
                said.append(f"{variant} {run_bench(course, opening, lineup, InlineWorkers()).rate}")
            except UsageError as error:
                said.append(f"{variant}: {error}")
        print(f"{columns}x{rows}/{mines}: {'; '.join(said)}", flush=True)


def main() -> int:
    """Compare, then play; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=200)
    words.add_argument("--games", type=int, default=20)
    words.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    words.add_argument("--seed", default="variants")
    asked = words.parse_args()
    strategies = [strategy for strategy in load_strategies() if strategy.has_deduce]
    is_exact = True
    for variant in asked.variants:
        tally = against_layouts(variant, asked.seed, asked.positions, strategies)
        is_exact &= tally.is_exact
        print(f"{variant}: {tally}", flush=True)
    if asked.games:
        wins(asked.games)
    return 0 if is_exact else 1


if __name__ == "__main__":
    sys.exit(main())
