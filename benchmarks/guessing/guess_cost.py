"""What the risks of a position, and a guess of `best`, cost on boards of other sizes and densities.

    python benchmarks/guessing/guess_cost.py --positions 12 --picture docs/images/guess-cost.svg

Plays games of each kind as if every guess were a lucky one, and asks about the positions at which nothing is
certain and at least a tenth of the cells is open. Prints a table (Markdown) of the medians and the longest
times, the processor's, and draws the longest guesses over the number of cells.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10
from pathlib import Path

from bot.game.plan import Planner
from bot.simulation.simulated_game import simulated_rules
from games.logic import Knowledge
from games.minesweeper import Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from strategies.builtin import best
from strategies.compiled.kernels import kernels
from strategies.probability.risks import mine_probabilities
from strategies.testing import position_of

SIDES = (9, 16, 22, 32, 50, 70, 100)
DENSITIES = (12, 16, 20, 24)  # mines in a hundred cells
COLOURS = ("#1b7837", "#2166ac", "#b2660f", "#b2182b")


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one kind of board: seconds of each call."""

    side: int
    density: int
    risks: list[float]
    guesses: list[float]


def main() -> None:
    """Measure, print, draw."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=8, help="of each size and density")
    words.add_argument("--picture", type=Path, help="an SVG file to write")
    asked = words.parse_args()
    if not kernels().wait():
        print(f"not compiled, so this is the plain path: {kernels().error}")
    print("| board | mines | risks: median | longest | guess: median | longest |")
    print("|---|---|---|---|---|---|")
    costs = []
    measured(SIDES[0], DENSITIES[0], 3)  # what is done once is nobody's cost
    for side in SIDES:
        for density in DENSITIES:
            cost = measured(side, density, asked.positions)
            costs.append(cost)
            figures = [
                pick(times) for times in (cost.risks, cost.guesses) for pick in (statistics.median, max)
            ]
            said = " | ".join(f"{1000 * seconds:.1f} ms" for seconds in figures)
            print(f"| {side}x{side} | {density} % | {said} |", flush=True)
    if asked.picture:
        asked.picture.write_text(picture(costs), encoding="utf-8")


def measured(side: int, density: int, count: int) -> Cost:
    """Ask about so many positions."""
    risks, guesses = [], []
    for board, known in positions(side, side * side * density // 100, count):
        begun = time.process_time()
        mine_probabilities(known, board.not_open)
        between = time.process_time()
        best.guess(position_of(board, known))
        risks.append(between - begun)
        guesses.append(time.process_time() - between)
    return Cost(side, density, risks, guesses)


def positions(side: int, mines: int, count: int) -> Iterator[tuple[Board, Knowledge]]:
    """Positions at which nothing is certain, spread over the games: not more than a third from any one."""
    game = 0
    while count:
        field = Minefield(Deal.random(side, side, mines, f"cost/{side}/{mines}/{game}"), "zero")
        board = field.play([Move("open", side * side // 2 + side // 2)])
        planner = Planner(
            Reasoner(load_strategies()[:-1]), simulated_rules(mines, "zero", "plain"), thorough=False
        )
        game, left = game + 1, max(count // 3, 1)
        while left and not (field.is_won or field.is_lost):
            plan = planner.plan(board)
            moves = plan.moves
            if plan.guess or not moves:
                known = planner.knowledge
                if 10 * board.open.bit_count() >= len(board):
                    yield board, known
                    count, left = count - 1, left - 1
                safe = board.closed & ~known.true & ~(field.truth or 0)
                moves = (Move("open", (safe & -safe).bit_length() - 1),)
            board = field.play(moves)


def picture(costs: list[Cost]) -> str:
    """Longest guesses over cells, both axes logarithmic: a line for each density."""
    left, bottom, width, height = 60, 330, 520, 290

    def x(cells: float) -> float:
        return left + width * (log10(cells) - 1.8) / 2.3

    def y(seconds: float) -> float:
        return bottom - height * (log10(max(seconds, 1e-4)) + 4) / 5

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 390"',
        ' font-family="sans-serif" font-size="13">',
        '<rect width="680" height="390" fill="white"/>',
    ]
    for power in range(-4, 2):
        at, said = y(10.0**power), f"{10.0 ** (power + 3):g} ms"
        lines.append(f'<line x1="{left}" x2="{left + width}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{said}</text>')
    for side in SIDES:
        at = x(side * side)
        lines.append(f'<text x="{at:.1f}" y="{bottom + 20}" text-anchor="middle">{side}x{side}</text>')
    for density, colour in zip(DENSITIES, COLOURS, strict=True):
        own = [cost for cost in costs if cost.density == density]
        points = [(x(cost.side**2), y(max(cost.guesses))) for cost in own]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
    last = [(y(max(cost.guesses)), cost.density) for cost in costs if cost.side == SIDES[-1]]
    at = float(bottom)
    for own_y, density in sorted(last, reverse=True):  # from below, none over another
        at = min(own_y + 4, at - 15)
        colour = COLOURS[DENSITIES.index(density)]
        lines.append(
            f'<text x="{x(SIDES[-1] ** 2) + 8:.1f}" y="{at:.1f}" fill="{colour}">{density} % mines</text>'
        )
    lines.append(f'<text x="{left}" y="24">CPU of the longest guess of best, by board size</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    main()
