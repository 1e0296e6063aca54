"""What an observer is told of a game: immutable values, made for it."""

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


Told = Game | Board | Planned | Ended | tuple[Move, ...]


def plain(told: Told) -> tuple[Any, ...]:
    """What is told as numbers, texts and tuples of these, for another process."""
    if isinstance(told, Board):
        return "board", told.rows, told.columns, told.cells, told.mines, told.variant
    if isinstance(told, Game):
        head = told.rows, told.columns, told.mines, told.variant, told.first_click
        return "game", *head, told.strategies
    if isinstance(told, Planned):
        certain = tuple((c.cell, c.is_mine, c.rule, c.because, c.by) for c in told.certain)
        guess = told.guess
        guessed = guess and (guess.cell, guess.safe, guess.reason, tuple(guess.figures.items()))
        return "plan", _moves(told.moves), certain, guessed, told.guess_by
    if isinstance(told, Ended):
        return "end", told.result, told.certain, told.guesses, told.seconds, told.faults
    return "moves", _moves(told)


def heard(told: tuple[Any, ...]) -> Told:
    """What `plain` has written."""
    kind, *parts = told
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
