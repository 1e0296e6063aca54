"""Reasoning on Expert games: processor time of a decision, and use of each rule.

Tables: docs/results, "Decision time" and "Rules".

    python -m benchmarks.reasoning_cost time --count 100
    python -m benchmarks.reasoning_cost rules --count 10000

- `time`: whole games; then mid-game boards (30 to 80 % of the safe cells open) decided from scratch; then
  large boards. Time for guesses is excluded.
- `rules`: for each rule, on mid-game boards of all levels: cells that it finds first, cells that it finds
  with `single-cell` only, and cells that are lost without it (and without the complete strategy).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from unittest import mock

from benchmarks.shared import format_times, new_parser
from bot.game.plan import Planner
from bot.game.types import GameRules
from games.logic import Knowledge
from games.minesweeper import LEVELS, Board, Deal, Guess, Minefield, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.position import Position
from strategies.testing import mid_game

EXPERT = (16, 30, 99)
LARGE = ((100, 100, 1600), (32, 32, 200))
BASE, COMPLETE = "single-cell", "backtracking"


# --- time ----------------------------------------------------------------------------------------------


def print_decision_times(games: int, seed: str) -> None:
    """Print the processor time of decisions in games, from scratch and on large boards."""
    deals = [Deal.random(*EXPERT, f"{seed}/{game}") for game in range(games)]
    list(timed_decisions(deals[0], thorough=True))  # warm up
    for thorough, name in ((True, "all certain cells"), (False, "enough cells to continue")):
        ms = [ms for deal in deals for ms, _ in timed_decisions(deal, thorough)]
        print(f"whole games, {name}: {format_times(ms)}")
        print(f"  {sum(ms) / games:.1f} ms a game, {len(ms) / games:.1f} decisions")
    boards = [board for deal in deals for _, board in timed_decisions(deal, True) if is_mid_game(board)]
    print(f"{len(boards)} mid-game boards from scratch: {format_times([ms_from_scratch(b) for b in boards])}")
    for rows, columns, mines in LARGE:
        ms = [ms for ms, _ in timed_decisions(Deal.random(rows, columns, mines, seed), True)]
        print(f"{columns}x{rows}, {mines} mines: {format_times(ms)}")


def timed_decisions(deal: Deal, thorough: bool) -> Iterator[tuple[float, Board]]:
    """Play one game; yield the milliseconds of reasoning at each board, without guessing."""
    field = Minefield(deal, "zero")
    planner = Planner(Reasoner(load_strategies()), GameRules(deal.mines, "zero", "open"), thorough)
    guessing = 0.0

    def timed_guess(reasoner: Reasoner, position: Position, most: int | None = None) -> tuple[Guess, ...]:
        nonlocal guessing
        begin = time.process_time()
        try:
            return guess(reasoner, position, most)
        finally:
            guessing += time.process_time() - begin

    guess = Reasoner.guess
    while not (field.is_lost or field.is_won):
        board, guessing = field.board, 0.0
        with mock.patch.object(Reasoner, "guess", timed_guess):
            begin = time.process_time()
            plan = planner.plan(board)
            yield 1000 * (time.process_time() - begin - guessing), board
        field.play(plan.moves)


def is_mid_game(board: Board) -> bool:
    """Whether 30 to 80 % of the safe cells are open."""
    assert board.mines is not None
    return 0.3 <= board.open.bit_count() / (len(board) - board.mines) <= 0.8


def ms_from_scratch(board: Board) -> float:
    """Milliseconds to decide a board without earlier knowledge."""
    reasoner = Reasoner(load_strategies())
    begin = time.process_time()
    reasoner.deduce(board_knowledge(board))
    return 1000 * (time.process_time() - begin)


# --- rules ---------------------------------------------------------------------------------------------


def print_rules(positions: int, seed: str) -> None:
    """Print how many certain cells each rule finds first, finds alone, and how many are lost without it."""
    rules = [strategy for strategy in load_strategies() if strategy.has_deduce]
    first, where, alone, lost = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for turn, level in enumerate(LEVELS):
        boards = mid_game(seed, (positions + turn) // len(LEVELS), level)
        for number, board in enumerate(boards):
            start = knowledge = board_knowledge(board.with_mines(board.mines if number % 2 else None))
            for place, rule in enumerate(rules, 1):
                grown = Reasoner(rules[:place]).deduce(knowledge).knowledge
                first[rule.name] += decided_cells(grown) - decided_cells(knowledge)
                where[rule.name] += decided_cells(grown) > decided_cells(knowledge)
                knowledge = grown
            found = {name: found_without(start, rules, {COMPLETE, name}) for name in (*where, COMPLETE)}
            for rule in rules:
                others = {each.name for each in rules} - {BASE, rule.name}
                alone[rule.name] += found_without(start, rules, others)
                lost[rule.name] += found[COMPLETE] - found[rule.name]
            lost[COMPLETE] += decided_cells(knowledge) - found[COMPLETE]
    certain = first.total()
    print(f"{positions:,} positions, {certain:,} certain cells\n")
    print("| rule | found first | share | in positions | alone | lost without it |")
    print("|---|---|---|---|---|---|")
    for name in first:
        share, by_itself = 100 * first[name] / certain, 100 * alone[name] / certain
        counts = f"{first[name]:,} | {share:.3f} % | {where[name]:,} | {by_itself:.2f} % | {lost[name]:,}"
        print(f"| `{name}` | {counts} |")


def found_without(start: Knowledge, rules: Sequence[Strategy], names: set[str]) -> int:
    """Cells that the rules decide without the named rules."""
    return decided_cells(Reasoner([r for r in rules if r.name not in names]).deduce(start).knowledge)


def decided_cells(knowledge: Knowledge) -> int:
    """The number of decided cells."""
    return (knowledge.true | knowledge.false).bit_count()


def main() -> None:
    """Print one table."""
    parser = new_parser(__doc__)
    parser.add_argument("table", choices=("time", "rules"), nargs="?", default="time")
    parser.add_argument("--count", type=int, default=60, help="games, or positions for rules")
    parser.add_argument("--seed", default="reasoning")
    options = parser.parse_args()
    print_table = print_decision_times if options.table == "time" else print_rules
    print_table(options.count, options.seed)


if __name__ == "__main__":
    main()
