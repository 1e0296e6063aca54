"""Guesses from the compiled candidate scores, first clicks, comparison of guesses, win probabilities.

A first click that is guaranteed *safe* goes to a corner; one guaranteed *zero* goes two cells from the edges,
three on boards of Expert size (`docs/reasoning.md` has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from random import Random

import numpy as np

from games.logic import bits
from games.minesweeper import Guess, Position
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, PROGRESS, SCORE, SECOND
from strategies.compiled.guessing.choosing import CLOSED, FAILED, PLAYED, SOLVED, WEIGHED
from strategies.compiled.kernels import Kernels, kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints
from strategies.probability.kernel_input import KernelInput

LARGE = 400  # cells; Expert has 480, Intermediate 256


def promised_first_click(position: Position) -> Guess | None:
    """The best cell for a first click that cannot lose; None where nothing is promised."""
    cells = position.openable & ~position.knowledge.true
    if position.first_click == "safe":
        corner = next((k for k in _corners(position) if cells >> k & 1), None)
        if corner is not None:
            return Guess(corner, 1.0, "the first click is safe; a corner opens most")
    if position.first_click == "zero":
        inset = 3 if position.cells >= LARGE else 2
        row, column = min(inset, (position.rows - 1) // 2), min(inset, (position.columns - 1) // 2)
        cell = row * position.columns + column
        if cells >> cell & 1:
            return Guess(cell, 1.0, "the first click opens a zero; away from the edges it opens most")
    return None


def _corners(position: Position) -> tuple[int, ...]:
    last = position.cells - 1
    return 0, position.columns - 1, last - position.columns + 1, last


MOST_GUESSES = 40  # guesses: what ranks behind these is of no use to anybody
PLACES = 9  # figures that differ less are equal: rounding must not decide


@dataclass(frozen=True, slots=True)
class _KernelAnswer:
    """The answer of `choose`: the way it took, the number of its cell, a row of figures for each cell."""

    way: int
    chosen: int
    figures: Floats
    is_plain: bool


def rank_guesses(
    position: Position, settings: Settings, use: Kernels | None = None
) -> Iterator[Guess] | None:
    """The cells that may be opened and are not known to be mines, the best `MOST_GUESSES`, best first.

    None when the position is too large or too wide for it, or contradicts itself. Guesses of the plain code
    have the figure `plain`: less work was done for them (`Settings.plain`).
    """
    loops = use or kernels()
    first = promised_first_click(position)
    if first is not None:
        loops.begin()  # the next guess will need it
        return iter([first])
    knowledge = position.knowledge
    cells = position.openable & ~knowledge.true
    situation = KernelInput.of(knowledge, (1 << position.cells) - 1, cells, position.counts)
    if not cells & ~knowledge.false or not situation.cells:
        return None
    answer = _weigh(situation, settings, loops)
    if answer.way == FAILED:
        return None
    return islice(_said(situation, answer, cells, knowledge.false), MOST_GUESSES)


def _said(situation: KernelInput, answer: _KernelAnswer, cells: int, safe: int) -> Iterator[Guess]:
    """The guesses, in figures and words: what nobody asks for is not put into words."""
    yield from (Guess(k, 1.0, "known to be safe") for k in bits(cells & safe))
    chosen = answer.chosen
    if chosen >= 0 and situation.field.openable[chosen]:
        yield _guess(situation, answer, chosen)
    for number in _ranked(situation, answer)[:MOST_GUESSES]:
        if number != chosen:
            yield _guess(situation, answer, number)
    weighed = set(situation.cells)
    for k in bits(cells & ~safe):
        if k not in weighed:
            yield Guess(k, 0.5, "nothing is known of it")


def _weigh(situation: KernelInput, settings: Settings, loops: Kernels) -> _KernelAnswer:
    figures = np.zeros((len(situation.cells), FIGURES), np.float64)
    is_plain = not loops.is_compiled
    if is_plain:
        settings = settings.plain
    choose = loops.plain["choose"] if is_plain else loops["choose"]
    way, chosen = choose(situation.field, settings.floats, layout_marks(settings), loops.tables, figures)
    return _KernelAnswer(int(way), int(chosen), figures, is_plain)


def layout_marks(settings: Settings) -> Ints:
    """A number for each layout that `choose` may list, and one more: always the same ones.

    Their exclusive or distinguishes sets of layouts.
    """
    return _random_marks(int(max(settings.layouts * settings.beyond, settings.closed)) + 1)


@lru_cache(maxsize=8)
def _random_marks(count: int) -> Ints:
    rng = Random(count)  # noqa: S311 - no secret
    return np.array([rng.getrandbits(62) for _ in range(count)], np.int64)


def _ranked(situation: KernelInput, answer: _KernelAnswer) -> list[int]:
    """The numbers of the cells that may be opened, by score, then by safety."""
    score, safe = (np.round(answer.figures[:, column], PLACES) for column in (SCORE, IS_SAFE))
    order = np.lexsort((-safe, -score))
    ranked: list[int] = order[situation.field.openable[order] > 0].tolist()
    return ranked


def _guess(situation: KernelInput, answer: _KernelAnswer, number: int) -> Guess:
    row = answer.figures[number].tolist()
    safe = row[IS_SAFE]
    said = f"{100 * safe:.1f} % safe"
    figures: dict[str, float] = {}
    if answer.way == SOLVED and number == answer.chosen:
        figures["win"] = row[SCORE]
        said += f", {100 * row[SCORE]:.1f} % to win the game from here with best play"
    elif answer.way == PLAYED and number == answer.chosen:
        figures["least"] = row[SCORE]
        said += f", at least {100 * row[SCORE]:.1f} % to win the game from here"
    elif answer.way == CLOSED and number == answer.chosen:
        figures["clear"] = row[SCORE]
        said += f", {100 * row[SCORE]:.1f} % to clear this group, which nothing outside has to do with"
    elif row[SCORE] >= 0.0 and answer.way == WEIGHED:
        second, progress = row[SECOND], row[PROGRESS]
        figures = {"score": row[SCORE], "second": second, "certain": progress}
        said += (
            f", {100 * second:.0f} % to survive the next move as well, {progress:.1f} certain cells expected"
        )
    elif number >= situation.field.bound:
        said += ", next to no clue"
    if answer.is_plain:
        figures["plain"] = 1.0
    return Guess(situation.cells[number], safe, said, figures)


LEAST_SAFER = 0.0005  # a difference that is named
EQUAL = 1e-9  # scores that differ less are equal
# figures by name, how they are said, and from which difference on they count
SAID = (
    ("safe", "{0:.1f} % against {1:.1f} % safe", 100.0, LEAST_SAFER),
    ("second", "{0:.0f} % against {1:.0f} % to survive the next move as well", 100.0, 0.005),
    ("certain", "{0:.1f} against {1:.1f} certain cells expected", 1.0, 0.05),
)
# figures of games that were followed to their end, and why no other cell was taken
TO_THE_END = (
    ("clear", "solved to the end: this group is a game of its own, and waiting shows nothing about it"),
    ("win", "solved to the end: no other cell wins in more of the layouts that are left"),
    ("least", "played on to the end: no other cell is known to win in more of the layouts that are left"),
)


def compare_guesses(chosen: Guess, other: Guess) -> str:
    """Why `chosen` was put before `other`, both being answers of one strategy to the same question."""
    for name, said in TO_THE_END:
        if name in chosen.figures:
            return said
    if "score" in chosen.figures and "score" not in other.figures:
        if chosen.safe - other.safe < LEAST_SAFER:
            return "no safer, and less likely to open anything: not looked at further"
        return f"{100 * chosen.safe:.1f} % against {100 * other.safe:.1f} % safe: not looked at further"
    better: list[str] = []
    worse: list[str] = []
    for name, said, scale, least in SAID:
        one, two = _figure(chosen, name), _figure(other, name)
        if one is None or two is None or abs(one - two) < least:
            continue
        (better if one > two else worse).append(said.format(scale * one, scale * two))
    one, two = _figure(chosen, "score"), _figure(other, "score")
    is_equal = one is not None and two is not None and abs(one - two) < EQUAL
    if not better and not worse and is_equal:
        return "equal in all that was weighed"
    words = ", ".join(better) or "nothing is better at once"
    if worse:
        words += f", which outweighs {', '.join(worse)}"
    if one is None or two is None:
        return words
    return f"{words}; all weighed, {100 * one:.1f} against {100 * two:.1f}"


def _figure(guess: Guess, name: str) -> float | None:
    return guess.safe if name == "safe" else guess.figures.get(name)


ENDGAME = Settings(layouts=2000, work=5e7, played=5e7)


def win_probability(position: Position, cell: int) -> float | None:
    """The probability of a win when this undecided cell is opened now and all else is played best then.

    None where too many layouts are left to solve the rest of the game exactly, where the mine total is not
    known, and for a cell whose number can show nothing.
    """
    loops = kernels()
    knowledge = position.knowledge
    openable = position.openable & ~knowledge.true
    situation = KernelInput.of(knowledge, (1 << position.cells) - 1, openable, position.counts)
    field = situation.field
    if cell not in situation.cells or field.least != field.most:
        return None
    settings = ENDGAME.floats if loops.is_compiled else ENDGAME.plain
    survey = loops["survey"](field, loops.tables)
    if not survey.worked or survey.size >= math.log(settings.layouts + 0.5):
        return None
    number = situation.cells.index(cell)
    order = np.full(len(situation.cells), -1.0)
    order[number] = 1.0
    figures = np.zeros((len(situation.cells), FIGURES), np.float64)
    solve = loops["solve_rest"]
    chosen, is_certain = solve(field, settings.layouts, order, settings, layout_marks(settings), figures)
    return float(figures[number, SCORE]) if chosen == number and is_certain else None
