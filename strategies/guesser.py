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
    """The best cell for a guaranteed first click; None without a guarantee."""
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


MAX_GUESSES = 40
PLACES = 9  # decimal places of compared figures, so that rounding errors do not decide


@dataclass(frozen=True, slots=True)
class _KernelAnswer:
    """The answer of `choose`.

    `way` is the method that chose the cell with the number `chosen`. `figures` has a row for each cell.
    `is_plain` is whether the uncompiled code answered.
    """

    way: int
    chosen: int
    figures: Floats
    is_plain: bool


def rank_guesses(
    position: Position, settings: Settings, use: Kernels | None = None
) -> Iterator[Guess] | None:
    """The best `MAX_GUESSES` cells that may be opened and are not known mines, best first.

    None if the position is too large or too wide, or contradicts itself. Guesses of the uncompiled code have
    the figure `plain`, because less work was done for them (`Settings.plain`).
    """
    loops = use or kernels()
    first = promised_first_click(position)
    if first is not None:
        loops.begin()  # the next guess requires the compiled code
        return iter([first])
    knowledge = position.knowledge
    cells = position.openable & ~knowledge.true
    situation = KernelInput.of(knowledge, (1 << position.cells) - 1, cells, position.counts)
    if not cells & ~knowledge.false or not situation.cells:
        return None
    answer = _weigh(situation, settings, loops)
    if answer.way == FAILED:
        return None
    return islice(_guesses(situation, answer, cells, knowledge.false), MAX_GUESSES)


def _guesses(situation: KernelInput, answer: _KernelAnswer, cells: int, safe: int) -> Iterator[Guess]:
    """The guesses with their reasons, created on demand."""
    yield from (Guess(k, 1.0, "known to be safe") for k in bits(cells & safe))
    chosen = answer.chosen
    if chosen >= 0 and situation.field.openable[chosen]:
        yield _guess(situation, answer, chosen)
    for number in _ranked(situation, answer)[:MAX_GUESSES]:
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
    """A constant number for each layout that `choose` may list, and one more.

    The exclusive or of the numbers distinguishes sets of layouts.
    """
    return _random_marks(int(max(settings.layouts * settings.beyond, settings.closed)) + 1)


@lru_cache(maxsize=8)
def _random_marks(count: int) -> Ints:
    rng = Random(count)  # noqa: S311 - no secret
    return np.array([rng.getrandbits(62) for _ in range(count)], np.int64)


def _ranked(situation: KernelInput, answer: _KernelAnswer) -> list[int]:
    """The local numbers of the cells that may be opened, by score, then by safety."""
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


MIN_DIFFERENCE = 0.0005  # smallest reported difference of `safe`
EQUAL = 1e-9  # scores with a smaller difference are equal
# for each compared figure: name, sentence, scale, smallest reported difference
COMPARED = (
    ("safe", "{0:.1f} % against {1:.1f} % safe", 100.0, MIN_DIFFERENCE),
    ("second", "{0:.0f} % against {1:.0f} % to survive the next move as well", 100.0, 0.005),
    ("certain", "{0:.1f} against {1:.1f} certain cells expected", 1.0, 0.05),
)
# for each figure of a game that was solved to its end: the reason why no other cell was chosen
SOLVED_TO_END = (
    ("clear", "solved to the end: this group is a game of its own, and waiting shows nothing about it"),
    ("win", "solved to the end: no other cell wins in more of the layouts that are left"),
    ("least", "played on to the end: no other cell is known to win in more of the layouts that are left"),
)


def compare_guesses(chosen: Guess, other: Guess) -> str:
    """Why a strategy ranked `chosen` before `other` in the same position."""
    for name, reason in SOLVED_TO_END:
        if name in chosen.figures:
            return reason
    if "score" in chosen.figures and "score" not in other.figures:
        if chosen.safe - other.safe < MIN_DIFFERENCE:
            return "no safer, and less likely to open anything: not looked at further"
        return f"{100 * chosen.safe:.1f} % against {100 * other.safe:.1f} % safe: not looked at further"
    better: list[str] = []
    worse: list[str] = []
    for name, sentence, scale, least in COMPARED:
        one, two = ((guess.figures | {"safe": guess.safe}).get(name) for guess in (chosen, other))
        if one is None or two is None or abs(one - two) < least:
            continue
        (better if one > two else worse).append(sentence.format(scale * one, scale * two))
    one, two = chosen.figures.get("score"), other.figures.get("score")
    is_equal = one is not None and two is not None and abs(one - two) < EQUAL
    if not better and not worse and is_equal:
        return "equal in all that was weighed"
    words = ", ".join(better) or "nothing is better at once"
    if worse:
        words += f", which outweighs {', '.join(worse)}"
    if one is None or two is None:
        return words
    return f"{words}; all weighed, {100 * one:.1f} against {100 * two:.1f}"


ENDGAME = Settings(layouts=2000, work=5e7, played=5e7)


def win_probability(position: Position, cell: int) -> float | None:
    """The probability of winning the game if this undecided cell is opened now, with best play afterwards.

    None if too many layouts remain for an exact solution, if the mine total is unknown, or if the number of
    the cell gives no information.
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
