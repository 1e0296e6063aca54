"""What a decision costs, from a board to what is certain on it, proofs checked; no screen.

    python benchmarks/reasoning/reason.py --games 100

First whole games as they are played, each decision going on from the board before; then the same mid-game
boards (30 to 80 % of the safe cells open) decided from nothing, with the shares of stating the clues, of each
strategy, of the check and of keeping what was learned; then large boards. Times are the
processor's. Win rates are `sapper bench`'s.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from bot.game.plan import Planner
from bot.game.types import GameRules
from games.logic import Knowledge, check
from games.minesweeper import Board, Deal, Minefield, board_knowledge
from strategies import Reasoner, Strategy, load_strategies

EXPERT = (16, 30, 99)
LARGE = ((100, 100, 1600), (32, 32, 200))


def main() -> None:
    """Play, time and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=60)
    words.add_argument("--seed", default="reason")
    asked = words.parse_args()
    deals = [Deal.random(*EXPERT, f"{asked.seed}/{game}") for game in range(asked.games)]
    list(decisions(deals[0], thorough=True))  # what is done once in a process is nobody's cost
    boards: list[Board] = []
    for thorough in (True, False):
        spent = [seconds for deal in deals for seconds, _ in decisions(deal, thorough)]
        print(f"whole games, {'all that is certain' if thorough else 'enough to go on'}: {summary(spent)}")
        print(f"  {1000 * sum(spent) / len(deals):.1f} ms a game in {len(spent) / len(deals):.1f} decisions")
    for deal in deals:
        boards += [board for _, board in decisions(deal, True) if mid_game(board)]
    print(f"{len(boards)} mid-game boards from nothing: {summary([from_nothing(board) for board in boards])}")
    with shares() as spent_on:
        for board in boards:
            from_nothing(board)
    everything = sum(spent_on.values())
    for part, spent_there in spent_on.most_common():
        print(f"  {part:12} {100 * spent_there / everything:5.1f} %")
    for rows, columns, mines in LARGE:
        spent = [seconds for seconds, _ in decisions(Deal.random(rows, columns, mines, asked.seed), True)]
        print(f"{columns}x{rows}, {mines} mines: {summary(spent)}")


def summary(seconds: list[float]) -> str:
    """Mean, median, 99th percentile and slowest in ms."""
    parts = statistics.quantiles(seconds, n=100) if len(seconds) > 1 else seconds * 99
    mean = statistics.fmean(seconds)
    return (
        f"mean {1000 * mean:.2f} ms, median {1000 * parts[49]:.2f}, 99 % {1000 * parts[98]:.2f}, "
        f"slowest {1000 * max(seconds):.1f}"
    )


def decisions(deal: Deal, thorough: bool) -> Iterator[tuple[float, Board]]:
    """Play one game from a zero on; the seconds of reasoning at each board, without those of guessing."""
    field = Minefield(deal, "zero")
    planner = Planner(Reasoner(load_strategies()), GameRules(deal.mines, "zero", "open"), thorough)
    guessing = 0.0

    def timed(reasoner: Reasoner, position: object) -> object:
        nonlocal guessing
        begun = time.process_time()
        try:
            return guess(reasoner, position)  # type: ignore[arg-type]
        finally:
            guessing += time.process_time() - begun

    guess = Reasoner.guess
    while not (field.is_lost or field.is_won):
        board, guessing = field.board, 0.0
        with mock.patch.object(Reasoner, "guess", timed):
            begun = time.process_time()
            plan = planner.plan(board)
            yield time.process_time() - begun - guessing, board
        field.play(plan.moves)


def mid_game(board: Board) -> bool:
    """Whether 30 to 80 % of the safe cells are open."""
    assert board.mines is not None
    return 0.3 <= board.open.bit_count() / (len(board) - board.mines) <= 0.8


def from_nothing(board: Board) -> float:
    """The seconds of deciding a board of which nothing was known."""
    reasoner = Reasoner(load_strategies())
    begun = time.process_time()
    reasoner.deduce(board_knowledge(board))
    return time.process_time() - begun


@contextmanager
def shares() -> Iterator[Counter[str]]:
    """While it is open, the nanoseconds spent on each part of a decision."""
    spent: Counter[str] = Counter()
    ask, learn, state = Strategy.deduce, Knowledge.learn, board_knowledge

    def timed(name: str, function: object, *arguments: object) -> object:
        begun = time.process_time_ns()
        try:
            return function(*arguments)  # type: ignore[operator]
        finally:
            spent[name] += time.process_time_ns() - begun

    def asked(strategy: Strategy, knowledge: Knowledge, changed: int) -> object:
        return timed(strategy.name, lambda: list(ask(strategy, knowledge, changed)))

    with (
        mock.patch.object(Strategy, "deduce", asked),
        mock.patch.object(Knowledge, "learn", lambda *known: timed("learning", learn, *known)),
        mock.patch("strategies.reasoner.check", lambda *claim: timed("checking", check, *claim)),
        mock.patch(f"{__name__}.knowledge_of", lambda board: timed("stating", state, board)),
    ):
        yield spent


if __name__ == "__main__":
    main()
