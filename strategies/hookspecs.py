"""The plugin contract: hooks of strategies and observers, and the events that observers receive.

A strategy implements `deduce`, `guess` or both; an observer implements any of `HOOKS`. A hook accepts any
subset of the arguments: `def deduce(knowledge)` is enough, and new arguments never break an old plugin.
Strategies see variables and constraints, not cells, and keep no state between calls. All arguments are
immutable, and each plugin gets its own copy.

Hooks that may still change are marked with `warn_on_impl` or `warn_on_impl_args`: loading a plugin that
implements them produces a note.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pluggy

from games.minesweeper import Board, FirstClick, Guess, Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.logic import Deduction, Knowledge
    from strategies.options import Value
    from strategies.position import Position


PROJECT = "sapper"
ENTRY_POINTS = "sapper.strategies"
# Major number: plugins must be changed. Minor number: something was added. A plugin may set CONTRACT to the
# version it was written for.
CONTRACT = "1.2"
PROVISIONAL = FutureWarning("observers are new in contract 1.1: their events may change until 2.0")

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def deduce(knowledge: Knowledge, changed: int, options: Mapping[str, Value]) -> Iterable[Deduction]:  # type: ignore[empty-body]
    """Deductions that follow from `knowledge`, each with its proof step.

    `changed` is the set of variables whose constraints changed since the previous call; at first, all
    variables. The mine total is always considered changed and is not included. Each premise must be a
    constraint of `knowledge` or the conclusion of an earlier deduction of the same call. A deduction that its
    proof step does not show is rejected, and the strategy is quarantined for the rest of the game. `options`
    are the values of the plugin's declared options, by name.
    """


@hookspec
def guess(position: Position, options: Mapping[str, Value]) -> Iterable[Guess]:  # type: ignore[empty-body]
    """Guesses among `position.openable`, best first; called when no move is certain.

    If the list is empty, the next strategy is called.
    """


@hookspec(warn_on_impl=PROVISIONAL)
def game_started(game: GameInfo, options: Mapping[str, Value]) -> str | None:
    """A game begins. Text returned by this and the other observer hooks is printed."""


@hookspec(warn_on_impl=PROVISIONAL)
def observed(board: Board, options: Mapping[str, Value]) -> str | None:
    """A board was read."""


@hookspec(warn_on_impl=PROVISIONAL)
def planned(board: Board, plan: PlanInfo, options: Mapping[str, Value]) -> str | None:
    """The next moves on this board were chosen."""


@hookspec(warn_on_impl=PROVISIONAL)
def acted(board: Board, moves: tuple[Move, ...], options: Mapping[str, Value]) -> str | None:
    """These moves were made on this board."""


@hookspec(warn_on_impl=PROVISIONAL)
def ended(result: GameEnd, options: Mapping[str, Value]) -> str | None:
    """The game is over."""


HOOKS = ("game_started", "observed", "planned", "acted", "ended")


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A new game. `mines` is None if unknown; `strategies` are named in calling order."""

    rows: int
    columns: int
    mines: int | None
    variant: str
    first_click: FirstClick
    strategies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CertainCell:
    """A cell that became certain: the rule, the clues it follows from, the strategy, the proof in sentences.

    Observers receive no `sentences`.
    """

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    by: str = ""
    sentences: tuple[str, ...] = ()

    def as_json(self, board: Board) -> dict[str, object]:
        """The cell, its state, the rule and the clues, by name, as in all JSON output and recordings."""
        state = "mine" if self.is_mine else "safe"
        return {"cell": board.name(self.cell), "is": state, "rule": self.rule, "because": list(self.because)}


@dataclass(frozen=True, slots=True)
class PlanInfo:
    """The next moves: certain ones, or one guess of the strategy `guess_by`.

    `certain` are the cells decided since the previous plan, including cells that need no move.
    """

    moves: tuple[Move, ...]
    certain: tuple[CertainCell, ...]
    guess: Guess | None
    guess_by: str


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The result of a game, with move counts. `faults` has one line for each strategy fault."""

    result: Literal["won", "lost", "stopped"]
    certain: int
    guesses: int
    seconds: float
    faults: tuple[str, ...] = ()


Event = GameInfo | Board | PlanInfo | GameEnd | tuple[Move, ...]
