"""The contract: the hooks that a plugin may have. A strategy deduces and guesses, an observer is asked.

A hook takes only the arguments it names, so `def deduce(knowledge)` is enough and new arguments never break
an old strategy. Strategies see variables and constraints; that they are cells of a board is not their
business. They keep nothing between calls. Everything that a hook is handed is immutable, and its own copy.

What is going to change is marked with `warn_on_impl`, or `warn_on_impl_args`: loading a plugin that has it
says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.logic import Deduction, Knowledge
    from games.minesweeper import Board, Guess, Move, Position
    from strategies.observing import Ended, Game, Planned
    from strategies.options import Value

PROJECT = "sapper"
ENTRY_POINTS = "sapper.strategies"
# The first number changes when a plugin that keeps to the contract would have to be changed, the second when
# something is added. A plugin may say with CONTRACT which one it was written for.
CONTRACT = "1.1"
PROVISIONAL = FutureWarning("observers are new in contract 1.1: what they hear may change until 2.0")

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def deduce(knowledge: Knowledge, changed: int, options: Mapping[str, Value]) -> Iterable[Deduction]:  # type: ignore[empty-body]
    """What certainly follows from this knowledge, each with the step that shows it.

    `changed` is the set (int) of the variables about which something is new since this strategy was last
    asked; all of them at first. The total counts as new every time and is left out of it. A premise must be
    a constraint of `knowledge`, or the conclusion of a deduction that this call yielded before. What the
    step does not show is not believed, and costs the strategy the rest of the game. `options` are the values
    of the options that the plugin declares, by name.
    """


@hookspec
def guess(position: Position, options: Mapping[str, Value]) -> Iterable[Guess]:  # type: ignore[empty-body]
    """Where to go on when nothing is certain: cells of `position.openable`, best first.

    A strategy with nothing to say answers with an empty list; then the next one is asked.
    """


@hookspec(warn_on_impl=PROVISIONAL)
def game_started(game: Game, options: Mapping[str, Value]) -> str | None:
    """A game begins. What is returned, here and by the others, is printed for the person."""


@hookspec(warn_on_impl=PROVISIONAL)
def observed(board: Board, options: Mapping[str, Value]) -> str | None:
    """The board as it was read."""


@hookspec(warn_on_impl=PROVISIONAL)
def planned(board: Board, plan: Planned, options: Mapping[str, Value]) -> str | None:
    """What is certain on this board, and what will be done."""


@hookspec(warn_on_impl=PROVISIONAL)
def acted(board: Board, moves: tuple[Move, ...], options: Mapping[str, Value]) -> str | None:
    """These moves were made on this board."""


@hookspec(warn_on_impl=PROVISIONAL)
def ended(result: Ended, options: Mapping[str, Value]) -> str | None:
    """The game is over."""
