"""How fast reasoning is, and how often it wins: simulated games from a seed, no screen.

    python benchmarks/reason.py --games 200 --level expert

Prints the median, the 99th percentile and the slowest of whole decisions (from a board to something to
open), the time of a game, and the win rate. Only mid-game decisions count for the percentiles: those at which
at least a tenth of the cells is open.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

from games.logic import bits
from games.minesweeper import Board, Deal, FirstClick, Minefield, Move, Position, knowledge_of, read_deals
from strategies import Reasoner, load_strategies

LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}


def main() -> None:
    """Play the games and print the figures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=100)
    words.add_argument("--level", choices=LEVELS, default="expert")
    words.add_argument("--boards", type=Path, help="take the games from a boards file")
    words.add_argument("--first-click", choices=("safe", "zero"), default="safe")
    words.add_argument("--seed", default="reason")
    words.add_argument("--strategy", action="append")
    words.add_argument("--all", action="store_true", help="find all that is certain at every look")
    asked = words.parse_args()
    rows, columns, mines = LEVELS[asked.level]
    if asked.boards:
        deals = list(read_deals(asked.boards).values())[: asked.games]
    else:
        deals = [Deal.random(rows, columns, mines, f"{asked.seed}/{g}") for g in range(asked.games)]
    strategies = load_strategies(asked.strategy)
    won, middle, slowest = 0, [], 0.0
    begun = time.perf_counter()
    for deal in deals:
        field = Minefield(deal, asked.first_click)
        for seconds, opened in play(field, Reasoner(strategies), asked.first_click, asked.all):
            slowest = max(slowest, seconds)
            if opened >= 0.1:
                middle.append(1000 * seconds)
        won += field.is_won
    each = (time.perf_counter() - begun) / len(deals)
    rate = won / len(deals)
    error = sqrt(rate * (1 - rate) / len(deals))
    print(f"{len(deals)} games: {won} won, {100 * rate:.2f} % ± {196 * error:.2f}")
    print(f"{1000 * each:.1f} ms a game, simulation included; slowest decision {1000 * slowest:.0f} ms")
    parts = statistics.quantiles(middle, n=100)
    print(f"{len(middle)} mid-game decisions: median {parts[49]:.2f} ms, 99th percentile {parts[98]:.2f} ms")


def play(
    field: Minefield, reasoner: Reasoner, first_click: FirstClick, find_all: bool
) -> Iterator[tuple[float, float]]:
    """Play one game; the seconds of each decision and the share of cells that were open then."""
    while not (field.is_lost or field.is_won):
        board = field.board
        begun = time.perf_counter()
        moves = decide(board, reasoner, first_click, find_all)
        yield time.perf_counter() - begun, board.open.bit_count() / len(board)
        field.play(moves)


def decide(board: Board, reasoner: Reasoner, first_click: FirstClick, find_all: bool) -> list[Move]:
    """Everything that is certain to be safe, or else the best guess."""
    knowledge = reasoner.deduce(knowledge_of(board), enough=0 if find_all else board.closed).knowledge
    safe = knowledge.false & board.closed
    if safe:
        return [Move("open", k) for k in bits(safe)]
    counts = tuple(around & board.not_open for around in board.around)
    promise = None if board.open else first_click
    position = Position(knowledge, board.rows, board.columns, board.closed, counts, promise)
    return [Move("open", reasoner.guess(position)[0].cell)]


if __name__ == "__main__":
    main()
