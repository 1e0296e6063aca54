"""Guesses from the compiled weighing of candidates, in figures and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from random import Random

import numpy as np

from games.logic import bits
from games.minesweeper import Guess, Position
from strategies.compiled import Floats, Ints, Kernels, Settings, kernels
from strategies.compiled.guessing import (
    CLOSED,
    FAILED,
    FIGURES,
    IS_SAFE,
    PLAYED,
    PROGRESS,
    SCORE,
    SECOND,
    SOLVED,
    WEIGHED,
)
from strategies.guessing.first_click import promised
from strategies.guessing.situation import Situation

MOST_GUESSES = 40  # guesses: what ranks behind these is of no use to anybody
PLACES = 9  # figures that differ less are equal: rounding must not decide


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The answer of `choose`: the way it took, the number of its cell, a row of figures for each cell."""

    way: int
    chosen: int
    figures: Floats
    is_plain: bool


def weighed_guesses(
    position: Position, settings: Settings, use: Kernels | None = None
) -> Iterator[Guess] | None:
    """The cells that may be opened and are not known to be mines, the best `MOST_GUESSES`, best first.

    None when the position is too large or too wide for it, or contradicts itself. Guesses of the plain code
    have the figure `plain`: less work was done for them (`Settings.plain`).
    """
    loops = use or kernels()
    first = promised(position)
    if first is not None:
        loops.begin()  # the next guess will need it
        return iter([first])
    knowledge = position.knowledge
    cells = position.openable & ~knowledge.true
    situation = Situation.of(knowledge, (1 << position.cells) - 1, cells, position.counts)
    if not cells & ~knowledge.false or not situation.cells:
        return None
    answer = _weigh(situation, settings, loops)
    if answer.way == FAILED:
        return None
    return islice(_said(situation, answer, cells, knowledge.false), MOST_GUESSES)


def _said(situation: Situation, answer: _Weighed, cells: int, safe: int) -> Iterator[Guess]:
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


def _weigh(situation: Situation, settings: Settings, loops: Kernels) -> _Weighed:
    figures = np.zeros((len(situation.cells), FIGURES), np.float64)
    is_plain = not loops.is_compiled
    if is_plain:
        settings = settings.plain
    choose = loops.plain["choose"] if is_plain else loops["choose"]
    way, chosen = choose(situation.field, settings.floats, marks_for(settings), loops.tables, figures)
    return _Weighed(int(way), int(chosen), figures, is_plain)


def marks_for(settings: Settings) -> Ints:
    """A number for each layout that `choose` may list, and one more: always the same ones.

    Their exclusive or distinguishes sets of layouts.
    """
    return _random_marks(int(max(settings.layouts * settings.beyond, settings.closed)) + 1)


@lru_cache(maxsize=8)
def _random_marks(count: int) -> Ints:
    rng = Random(count)  # noqa: S311 - no secret
    return np.array([rng.getrandbits(62) for _ in range(count)], np.int64)


def _ranked(situation: Situation, answer: _Weighed) -> list[int]:
    """The numbers of the cells that may be opened, by score, then by safety."""
    score, safe = (np.round(answer.figures[:, column], PLACES) for column in (SCORE, IS_SAFE))
    order = np.lexsort((-safe, -score))
    ranked: list[int] = order[situation.field.openable[order] > 0].tolist()
    return ranked


def _guess(situation: Situation, answer: _Weighed, number: int) -> Guess:
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
