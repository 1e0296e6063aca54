"""Exact probabilities: correctness, and processor time in comparison with ms_toollib.

Tables: docs/results, "Probabilities" and "Cost by board size".

    python -m benchmarks.probabilities --positions 400 --small 3000
    python -m benchmarks.probabilities --by-size --positions 6

First, the risks of small positions, with and without the mine total, are compared with fractions computed
from all layouts. Then Sapper and ms_toollib compute the risks of the same Expert positions (or `--size 50x50
--mines 500`). Nothing is certain in these positions, and at least a tenth of the cells is open. Sapper's time
is the time from the knowledge after reasoning to the risks of all cells, without any cache.

`--by-size` prints the time for the risks and for a guess of `best` on boards of several sizes and densities.

The exit code is 1 if a risk differs by more than 1e-12 from the fraction, or by more than 1e-9 from
ms_toollib.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.shared import format_times, new_parser
from games.logic import Knowledge, bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.guesses import best
from strategies.kernels import is_compiled
from strategies.probability.counts import PRIOR_ODDS
from strategies.probability.risks import mine_probabilities
from strategies.testing import all_models, position_of, small_boards

CERTAIN = ("single-cell", "set-rules", "mine-count", "backtracking")
HIDDEN, MINE = 10, 11  # codes of ms_toollib for cells without a number
SIDES = (9, 16, 22, 32, 50, 70, 100)  # cells
DENSITIES = (12, 16, 20, 24)  # mines in a hundred cells


def main() -> int:
    """Print the tables and return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--small", type=int, default=1000, help="small positions to compare with all layouts")
    parser.add_argument("--size", default="30x16")
    parser.add_argument("--mines", type=int, default=99)
    parser.add_argument("--by-size", action="store_true")
    options = parser.parse_args()
    if not is_compiled():
        print("the extension was not built: these are times of plain Python")
    if options.by_size:
        print_by_size(options.positions)
        return 0
    return compare(options)


def compare(options: argparse.Namespace) -> int:
    """Compare with all layouts and with ms_toollib; return the exit code."""
    import ms_toollib

    columns, rows = map(int, options.size.split("x"))
    cells, small_error = compare_small(options.small)
    print(f"{options.small} small positions, {cells} cells: largest difference {small_error:.1e}")
    ms_toollib.cal_probability_onboard([[1, HIDDEN]], 1.0)  # the first call initialises tables
    ours: list[float] = []
    theirs: list[float] = []
    error = 0.0
    for board, known in undecided_positions(rows, columns, options.mines, options.positions):
        begin = time.process_time()
        found = mine_probabilities(known, board.not_open)
        ours.append(1000 * (time.process_time() - begin))
        numbers = [[HIDDEN if s not in "012345678" else int(s) for s in row] for row in board.grid]
        begin = time.process_time()
        answer, *_ = ms_toollib.cal_probability_onboard(numbers, float(options.mines))
        theirs.append(1000 * (time.process_time() - begin))
        differences = (abs(found.of(k) - answer[k // columns][k % columns]) for k in bits(known.undecided))
        error = max(error, *differences)
    print(f"{len(ours)} positions, {options.size}, {options.mines} mines: largest difference {error:.1e}")
    print(f"Sapper      {format_times(ours)}")
    print(f"ms_toollib  {format_times(theirs)}")
    return int(error > 1e-9 or small_error > 1e-12)


def compare_small(count: int) -> tuple[int, float]:
    """Compare with all layouts: the number of cells, and the largest difference."""
    cells, error = 0, 0.0
    for board in small_boards("probabilities", count, 14):
        known = board_knowledge(board)
        odds = Fraction(1) if any(c.is_global for c in known.given) else Fraction(PRIOR_ODDS)
        weights = {mines: odds ** mines.bit_count() for mines in all_models(known)}
        total = sum(weights.values())
        found = mine_probabilities(known, board.not_open)
        for k in bits(known.undecided):
            true = sum(weight for mines, weight in weights.items() if mines >> k & 1) / total
            is_misjudged = (true in (0, 1)) != (found.of(k) in (0, 1))
            error = max(error, abs(found.of(k) - float(true)), float(is_misjudged))
            cells += 1
    return cells, error


def undecided_positions(
    rows: int, columns: int, mines: int, count: int, first_cell: int = 0, per_game: int | None = None
) -> Iterator[tuple[Board, Knowledge]]:
    """Positions in which nothing is certain; each game continues as if the guess had been safe.

    `per_game` limits the positions of one game.
    """
    game = 0
    while count:
        field = Minefield(Deal.random(rows, columns, mines, f"probabilities/{game}"), "zero")
        board = field.play([Move("open", first_cell)])
        reasoner = Reasoner(load_strategies(CERTAIN))
        game, left = game + 1, per_game or count
        while count and left and not (field.is_won or field.is_lost):
            known = reasoner.deduce(board_knowledge(board)).knowledge
            safe = known.false & board.closed
            if not safe:
                if 10 * board.open.bit_count() >= len(board):
                    yield board, known
                    count, left = count - 1, left - 1
                safe = board.closed & ~known.true & ~(field.truth or 0)
                safe &= -safe
            board = field.play([Move("open", k) for k in bits(safe)])


def print_by_size(count: int) -> None:
    """Print the processor time of risks and guesses for square boards."""
    print("| board | mines | risks: median | longest | guess: median | longest |")
    print("|---|---|---|---|---|---|")
    for side in SIDES:
        for density in DENSITIES:
            mines, middle = side * side * density // 100, side * side // 2 + side // 2
            risks, guesses = [], []
            for board, known in undecided_positions(side, side, mines, count, middle, max(count // 3, 1)):
                begin = time.process_time()
                mine_probabilities(known, board.not_open)
                between = time.process_time()
                best.guess(position_of(board, known))
                risks.append(1000 * (between - begin))
                guesses.append(1000 * (time.process_time() - between))
            times = (sorted(each) for each in (risks, guesses))
            cells = " | ".join(f"{each[len(each) // 2]:.1f} ms | {each[-1]:.1f} ms" for each in times)
            print(f"| {side}x{side} | {density} % | {cells} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
