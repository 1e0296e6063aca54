"""What one exact probability call costs, side by side with `ms_toollib`'s, and whether what it says is true.

    python benchmarks/reasoning/probabilities.py --positions 400 --small 3000

First compares the risks of small positions, with and without the total, with all their layouts, as fractions.

Then plays Expert games (or `--size 50x50 --mines 500`) and asks both about the same positions at which
nothing is certain and at least a tenth of the cells is open. Ours is timed from the knowledge at the end of
reasoning to the risks of all cells; every position is asked for the first time. The time is the processor's.
Exits with 1 when the answers differ by more than 1e-12 from the fractions, or by more than 1e-9 from
ms_toollib.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from fractions import Fraction

from games.logic import Knowledge, bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.compiled.kernels import kernels
from strategies.probability.counts import PRIOR_ODDS
from strategies.probability.risks import mine_probabilities
from strategies.testing import all_models, small_boards

CERTAIN = ("single-cell", "set-rules", "mine-count", "backtracking")
HIDDEN, MINE = 10, 11  # how ms_toollib writes a cell that is no number


def main() -> None:
    """Ask both about every position and print the figures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=300)
    words.add_argument("--small", type=int, default=1000, help="small positions to go through entirely")
    words.add_argument("--size", default="30x16")
    words.add_argument("--mines", type=int, default=99)
    asked = words.parse_args()
    columns, rows = map(int, asked.size.split("x"))
    import ms_toollib

    if not kernels().wait():
        print(f"not compiled, so this is the plain path: {kernels().error}")
    cells, farthest = small(asked.small)
    print(f"{asked.small} small positions, {cells} cells: at most {farthest:.1e} from the fractions")
    ms_toollib.cal_probability_onboard([[1, HIDDEN]], 1.0)  # what is done once is nobody's cost
    ours: list[float] = []
    theirs: list[float] = []
    worst = 0.0
    for board, known in positions(rows, columns, asked.mines, asked.positions):
        begun = time.process_time()
        found = mine_probabilities(known, board.not_open)
        ours.append(time.process_time() - begun)
        numbers = [[HIDDEN if s not in "012345678" else int(s) for s in row] for row in board.grid]
        begun = time.process_time()
        answer, *_ = ms_toollib.cal_probability_onboard(numbers, float(asked.mines))
        theirs.append(time.process_time() - begun)
        worst = max(
            worst,
            *(abs(found.of(k) - answer[k // columns][k % columns]) for k in bits(known.undecided)),
        )
    print(f"{len(ours)} positions on {asked.size} with {asked.mines} mines; largest difference {worst:.1e}")
    for name, seconds in (("Sapper", ours), ("ms_toollib", theirs)):
        ms = sorted(1000 * s for s in seconds)
        parts = statistics.quantiles(ms, n=100)
        print(
            f"{name:10} mean {statistics.fmean(ms):6.3f} ms, median {parts[49]:6.3f}, "
            f"99th percentile {parts[98]:6.3f}, longest {ms[-1]:6.3f}"
        )
    if worst > 1e-9 or farthest > 1e-12:
        sys.exit(1)


def small(count: int) -> tuple[int, float]:
    """Compare with every layout: how many cells, and the largest difference."""
    cells, farthest = 0, 0.0
    for board in small_boards("probabilities", count, 14):
        known = board_knowledge(board)
        odds = Fraction(1) if any(c.is_global for c in known.given) else Fraction(PRIOR_ODDS)
        likely = {mines: odds ** mines.bit_count() for mines in all_models(known)}
        everything = sum(likely.values())
        found = mine_probabilities(known, board.not_open)
        for k in bits(known.undecided):
            true = sum(weight for mines, weight in likely.items() if mines >> k & 1) / everything
            farthest = max(
                farthest, abs(found.of(k) - float(true)), float((true in (0, 1)) != (found.of(k) in (0, 1)))
            )
            cells += 1
    return cells, farthest


def positions(rows: int, columns: int, mines: int, count: int) -> Iterator[tuple[Board, Knowledge]]:
    """Mid-game positions at which nothing is certain; games go on as if the guess had been a lucky one."""
    game = 0
    while count:
        field = Minefield(Deal.random(rows, columns, mines, f"probabilities/{game}"))
        game += 1
        board = field.play([Move("open", 0)])
        reasoner = Reasoner(load_strategies(CERTAIN))
        while count and not (field.is_won or field.is_lost):
            known = reasoner.deduce(board_knowledge(board)).knowledge
            safe = known.false & board.closed
            if not safe:
                if 10 * board.open.bit_count() >= len(board):
                    yield board, known
                    count -= 1
                safe = board.closed & ~known.true & ~(field.truth or 0)
                safe &= -safe
            board = field.play([Move("open", k) for k in bits(safe)])


if __name__ == "__main__":
    main()
