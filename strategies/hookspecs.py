"""The contract: the hooks that a plugin may have. A strategy deduces and guesses, an observer is asked.

A hook takes only the arguments it names, so `def deduce(knowledge)` is enough and new arguments never break
an old strategy. Strategies see variables and constraints; that they are cells of a board is not their
business. They keep nothing between calls. Everything that a hook is handed is immutable, and its own copy.

What is going to change is marked with `warn_on_impl`, or `warn_on_impl_args`: loading a plugin that has it
says so.

What an observer hears of a game: immutable values, made for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pluggy

from games.minesweeper import Board, FirstClick, Guess, Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.logic import Deduction, Knowledge
    from games.minesweeper import Position
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
def game_started(game: GameInfo, options: Mapping[str, Value]) -> str | None:
    """A game begins. What is returned, here and by the others, is printed for the person."""


@hookspec(warn_on_impl=PROVISIONAL)
def observed(board: Board, options: Mapping[str, Value]) -> str | None:
    """The board as it was read."""


@hookspec(warn_on_impl=PROVISIONAL)
def planned(board: Board, plan: PlanInfo, options: Mapping[str, Value]) -> str | None:
    """What is certain on this board, and what will be done."""


@hookspec(warn_on_impl=PROVISIONAL)
def acted(board: Board, moves: tuple[Move, ...], options: Mapping[str, Value]) -> str | None:
    """These moves were made on this board."""


@hookspec(warn_on_impl=PROVISIONAL)
def ended(result: GameEnd, options: Mapping[str, Value]) -> str | None:
    """The game is over."""


HOOKS = ("game_started", "observed", "planned", "acted", "ended")


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that begins. `mines` is the total, None when unknown; `strategies` in the order of trial."""

    rows: int
    columns: int
    mines: int | None
    variant: str
    first_click: FirstClick
    strategies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CertainCell:
    """A cell that has become certain: by which rule of which strategy (`by`), from which clues."""

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class PlanInfo:
    """What will be done next: certain moves, or one guess of the strategy `guess_by`.

    `certain` are the cells that were decided since the plan before, also those that need no move.
    """

    moves: tuple[Move, ...]
    certain: tuple[CertainCell, ...]
    guess: Guess | None
    guess_by: str


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended, with its figures. `faults` are what strategies did wrong, a line each."""

    result: Literal["won", "lost", "stopped"]
    certain: int
    guesses: int
    seconds: float
    faults: tuple[str, ...] = ()


Event = GameInfo | Board | PlanInfo | GameEnd | tuple[Move, ...]


def encode_event(event: Event) -> tuple[Any, ...]:
    """An event as numbers, texts and tuples of these, for another process."""
    if isinstance(event, Board):
        return "board", event.rows, event.columns, event.cells, event.mines, event.variant
    if isinstance(event, GameInfo):
        head = event.rows, event.columns, event.mines, event.variant, event.first_click
        return "game", *head, event.strategies
    if isinstance(event, PlanInfo):
        certain = tuple((c.cell, c.is_mine, c.rule, c.because, c.by) for c in event.certain)
        guess = event.guess
        guessed = guess and (guess.cell, guess.safe, guess.reason, tuple(guess.figures.items()))
        return "plan", _moves(event.moves), certain, guessed, event.guess_by
    if isinstance(event, GameEnd):
        return "end", event.result, event.certain, event.guesses, event.seconds, event.faults
    return "moves", _moves(event)


def decode_event(event: tuple[Any, ...]) -> Event:
    """What `plain` has written."""
    kind, *parts = event
    if kind == "board":
        return Board(*parts)
    if kind == "game":
        return GameInfo(*parts)
    if kind == "end":
        return GameEnd(*parts)
    moves = tuple(Move(*each) for each in parts[0])
    if kind == "moves":
        return moves
    _, certain, guessed, by = parts
    guess = Guess(guessed[0], guessed[1], guessed[2], dict(guessed[3])) if guessed else None
    return PlanInfo(moves, tuple(CertainCell(*each) for each in certain), guess, by)


def _moves(moves: tuple[Move, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((move.kind, move.cell) for move in moves)
