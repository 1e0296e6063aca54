"""Guesses from the candidate scores of the kernels, first clicks, comparison of guesses, win probabilities.

A first click that is guaranteed *safe* goes to a corner; one guaranteed *zero* goes two cells from the edges,
three on boards of Expert size (`docs/results/strength.md` has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from games.logic import bits
from games.minesweeper import Guess
from strategies.kernels import Choice, GuessSettings, choose_cell, survey, thread_memory, win_share
from strategies.kernels.settings import FAILED, ISOLATED, PLAYED, SCORED, SOLVED
from strategies.position import Position
from strategies.probability.kernel_input import KernelInput

LARGE = 400  # cells; Expert has 480, Intermediate 256


def promised_first_click(position: Position) -> Guess | None:
    """The best cell for a guaranteed first click; None without a guarantee."""
    cells = position.openable & ~position.knowledge.true
    if position.first_click == "safe":
        last, right = position.cells - 1, position.columns - 1
        corner = next((k for k in (0, right, last - right, last) if cells >> k & 1), None)
        if corner is not None:
            return Guess(corner, 1.0, "the first click is safe; a corner opens most")
    if position.first_click == "zero":
        inset = 3 if position.cells >= LARGE else 2
        row, column = min(inset, (position.rows - 1) // 2), min(inset, (position.columns - 1) // 2)
        cell = row * position.columns + column
        if cells >> cell & 1:
            return Guess(cell, 1.0, "the first click opens a zero; away from the edges it opens most")
    return None


MAX_GUESSES = 40
PLACES = 9  # decimal places of compared figures, so that rounding errors do not decide


def rank_guesses(position: Position, settings: GuessSettings) -> Iterator[Guess] | None:
    """The best `MAX_GUESSES` cells that may be opened and are not known mines, best first.

    None if the position is too large or too wide, or contradicts itself.
    """
    first = promised_first_click(position)
    if first is not None:
        return iter([first])
    knowledge = position.knowledge
    cells = position.openable & ~knowledge.true
    situation = KernelInput.of(knowledge, (1 << position.cells) - 1, cells, position.counts)
    if not cells & ~knowledge.false or not situation.cells:
        return None
    answer = choose_cell(situation.arrays, settings, thread_memory())
    if answer.way == FAILED:
        return None
    return islice(_guesses(situation, answer, cells, knowledge.false), MAX_GUESSES)


def _guesses(situation: KernelInput, answer: Choice, cells: int, safe: int) -> Iterator[Guess]:
    """The guesses with their reasons, created on demand."""
    yield from (Guess(k, 1.0, "known to be safe") for k in bits(cells & safe))
    chosen = answer.cell
    if chosen >= 0 and situation.openable[chosen]:
        yield _guess(situation, answer, chosen)
    score, safety = np.round(answer.score, PLACES), np.round(answer.safe, PLACES)
    order = np.lexsort((-safety, -score))
    for number in order[situation.openable[order] > 0][:MAX_GUESSES].tolist():
        if number != chosen:
            yield _guess(situation, answer, number)
    weighed = set(situation.cells)
    for k in bits(cells & ~safe):
        if k not in weighed:
            yield Guess(k, 0.5, "nothing is known of it")


def _guess(situation: KernelInput, answer: Choice, number: int) -> Guess:
    safe, score = answer.safe[number], answer.score[number]
    said = f"{100 * safe:.1f} % safe"
    figures: dict[str, float] = {}
    if answer.way == SOLVED and number == answer.cell:
        figures["win"] = score
        said += f", {100 * score:.1f} % to win the game from here with best play"
    elif answer.way == PLAYED and number == answer.cell:
        figures["least"] = score
        said += f", at least {100 * score:.1f} % to win the game from here"
    elif answer.way == ISOLATED and number == answer.cell:
        figures["clear"] = score
        said += f", {100 * score:.1f} % to clear this group, which nothing outside has to do with"
    elif score >= 0.0 and answer.way == SCORED:
        second, progress = answer.second[number], answer.progress[number]
        figures = {"score": score, "second": second, "certain": progress}
        said += (
            f", {100 * second:.0f} % to survive the next move as well, {progress:.1f} certain cells expected"
        )
    elif number >= situation.bound:
        said += ", next to no clue"
    return Guess(situation.cells[number], safe, said, figures)


MIN_DIFFERENCE = 0.0005  # smallest reported difference of `safe`
EQUAL = 1e-9  # scores with a smaller difference are equal
# for each compared figure: name, sentence, scale, smallest reported difference
COMPARED = (
    ("safe", "{0:.1f} % against {1:.1f} % safe", 100.0, MIN_DIFFERENCE),
    ("second", "{0:.0f} % against {1:.0f} % to survive the next move as well", 100.0, 0.005),
    ("certain", "{0:.1f} against {1:.1f} certain cells expected", 1.0, 0.05),
)
WON = "{0:.1f} % against {1:.1f} % to win"
# for each figure of a game that was solved to its end: the reason why no other cell was chosen
SOLVED_TO_END = (
    ("clear", "solved to the end: this group is a game of its own, and waiting shows nothing about it"),
    ("win", "solved to the end: no other cell wins in more of the layouts that are left"),
    ("least", "played on to the end: no other cell is known to win in more of the layouts that are left"),
)


def compare_guesses(chosen: Guess, other: Guess) -> str:
    """Why a strategy ranked `chosen` before `other` in the same position."""
    if "win" in chosen.figures and "win" in other.figures:
        wins = chosen.figures["win"], other.figures["win"]
        return WON.format(*(100.0 * win for win in wins)) if wins[0] - wins[1] > EQUAL else "equally good"
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
        return "equally good"
    words = ", ".join(better) or "nothing is better at once"
    if worse:
        words += f", which outweighs {', '.join(worse)}"
    return words


def describe_guess(guess: Guess, others: Sequence[Guess] = ()) -> str:
    """A guess in the words of a player: `92.0 % safe, the next best 90.1 %`.

    `others` are further guesses for the same position, best first. A win probability is compared only with
    exact ones. Recordings keep `Guess.reason`, the words of the strategy.
    """
    if guess.safe == 1.0:
        return guess.reason or "known to be safe"
    safe = f"{100 * guess.safe:.1f} % safe"
    figures, other = guess.figures, next(iter(others), None)
    if "win" in figures:
        wins = [each.figures["win"] for each in others if "win" in each.figures]
        compared = f", the next best {100 * max(wins):.1f} %" if wins else ""
        return f"{safe}, {100 * figures['win']:.1f} % to win{compared}"
    if "least" in figures:
        return f"{safe}, at least {100 * figures['least']:.1f} % to win"
    if "clear" in figures:
        return f"{safe}, {100 * figures['clear']:.1f} % to clear this group, a game of its own"
    words = safe
    if other and other.safe - guess.safe >= MIN_DIFFERENCE:
        why = "for the moves after it, " if "score" in figures else ""
        words += f", {why}preferred to a cell that is {100 * other.safe:.1f} % safe"
    elif other:
        words += f", the next best {100 * other.safe:.1f} %"
    own = "" if "score" in figures else guess.reason.removeprefix(safe).lstrip(", ")
    return f"{words}: {own}" if own else words


def with_win_probabilities(position: Position, guesses: Sequence[Guess]) -> tuple[Guess, ...]:
    """The guesses with the figure `win`, if the game of the best one was solved to its end."""
    if not guesses or "win" not in guesses[0].figures:
        return tuple(guesses)
    return tuple(
        each
        if "win" in each.figures or (win := win_probability(position, each.cell)) is None
        else replace(each, figures=each.figures | {"win": win})
        for each in guesses
    )


ENDGAME = GuessSettings(layouts=2000, work=5e7, played=5e7)


def win_probability(position: Position, cell: int) -> float | None:
    """The probability of winning the game if this undecided cell is opened now, with best play afterwards.

    None if too many layouts remain for an exact solution, if the mine total is unknown, or if the number of
    the cell gives no information.
    """
    knowledge = position.knowledge
    openable = position.openable & ~knowledge.true
    situation = KernelInput.of(knowledge, (1 << position.cells) - 1, openable, position.counts)
    arrays, memory = situation.arrays, thread_memory()
    if cell not in situation.cells or arrays.least != arrays.most:
        return None
    found = survey(arrays, memory)
    if not found.is_valid or found.size >= math.log(ENDGAME.layouts + 0.5):
        return None
    return win_share(arrays, situation.cells.index(cell), ENDGAME, memory)
