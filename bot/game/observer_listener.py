"""Report game events to observer plugins, using the values of the plugin contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.game.outcome import GameResult
from bot.game.types import GameListener, GameRules, Plan
from games.minesweeper import Board, Move
from strategies import GameEnd, GameInfo, PlanInfo, load_observer
from strategies.observers import ObserverGroup
from vision.reading import Reading


@dataclass(eq=False)
class ObserverListener(GameListener):
    """Reports consecutive games to observers; a game begins with its first observation.

    `rules` contains the mine total, if known, the variant and the first-click rule; `strategies` are the
    names of the active strategies. `say` receives the text that observers return.
    """

    watching: ObserverGroup
    rules: GameRules
    strategies: Sequence[str]
    say: Callable[[str], None]
    _is_on: bool = field(default=False, init=False)

    def on_reading(self, reading: Reading) -> None:
        """An observation was accepted."""
        self.saw(reading.board)

    def saw(self, board: Board) -> None:
        """A board was observed."""
        if not self._is_on:
            self._is_on = True
            rules, size = self.rules, (board.rows, board.columns)
            game = GameInfo(*size, rules.mines, rules.variant, rules.first_click, tuple(self.strategies))
            self.watching.report("game_started", game=game)
        self.watching.report("observed", board=board)

    def on_plan(self, board: Board, plan: Plan) -> None:
        """These moves were chosen for this board."""
        if not self.watching.has_observers:
            return  # computing the reasons takes longer than finding the moves
        told = PlanInfo(plan.moves, tuple(plan.certain), plan.guess, plan.guess_by)
        self.watching.report("planned", board=board, plan=told)

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves were made."""
        self.watching.report("acted", board=board, moves=tuple(moves))

    def finished(self, result: GameResult) -> None:
        """A game is over."""
        self.ended(GameEnd(result.result, result.certain, result.guesses, result.seconds, result.faults))

    def ended(self, result: GameEnd) -> None:
        """A game is over; observers return their last text."""
        self._is_on = False
        for text in self.watching.ended(result):
            self.say(text)


@contextmanager
def open_observers(names: Sequence[str], trust: bool) -> Iterator[ObserverGroup]:
    """Start these observers, each in its own process. Raises UsageError, InvalidFile."""
    watching = ObserverGroup([load_observer(name, trust) for name in names])
    try:
        yield watching
    finally:
        watching.close()
