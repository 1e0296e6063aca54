"""What an observer hears of a game: immutable values, made for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from games.minesweeper import Board, FirstClick, Guess, Move

HOOKS = ("game_started", "observed", "planned", "acted", "ended")


@dataclass(frozen=True, slots=True)
class Game:
    """A game that begins. `mines` is the total, None when unknown; `strategies` in the order of trial."""

    rows: int
    columns: int
    mines: int | None
    variant: str
    first_click: FirstClick
    strategies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell that has become certain: by which rule of which strategy (`by`), from which clues."""

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Planned:
    """What will be done next: certain moves, or one guess of the strategy `guess_by`.

    `certain` are the cells that were decided since the plan before, also those that need no move.
    """

    moves: tuple[Move, ...]
    certain: tuple[Shown, ...]
    guess: Guess | None
    guess_by: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended, with its figures. `faults` are what strategies did wrong, a line each."""

    result: Literal["won", "lost", "stopped"]
    certain: int
    guesses: int
    seconds: float
    faults: tuple[str, ...] = ()


Event = Game | Board | Planned | Ended | tuple[Move, ...]


def plain(event: Event) -> tuple[Any, ...]:
    """An event as numbers, texts and tuples of these, for another process."""
    if isinstance(event, Board):
        return "board", event.rows, event.columns, event.cells, event.mines, event.variant
    if isinstance(event, Game):
        head = event.rows, event.columns, event.mines, event.variant, event.first_click
        return "game", *head, event.strategies
    if isinstance(event, Planned):
        certain = tuple((c.cell, c.is_mine, c.rule, c.because, c.by) for c in event.certain)
        guess = event.guess
        guessed = guess and (guess.cell, guess.safe, guess.reason, tuple(guess.figures.items()))
        return "plan", _moves(event.moves), certain, guessed, event.guess_by
    if isinstance(event, Ended):
        return "end", event.result, event.certain, event.guesses, event.seconds, event.faults
    return "moves", _moves(event)


def heard(event: tuple[Any, ...]) -> Event:
    """What `plain` has written."""
    kind, *parts = event
    if kind == "board":
        return Board(*parts)
    if kind == "game":
        return Game(*parts)
    if kind == "end":
        return Ended(*parts)
    moves = tuple(Move(*each) for each in parts[0])
    if kind == "moves":
        return moves
    _, certain, guessed, by = parts
    guess = Guess(guessed[0], guessed[1], guessed[2], dict(guessed[3])) if guessed else None
    return Planned(moves, tuple(Shown(*each) for each in certain), guess, by)


def _moves(moves: tuple[Move, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((move.kind, move.cell) for move in moves)
