"""What a strategy answers, as JSON: written in its process, read and checked in Sapper's.

Nothing that comes back can be anything but numbers and texts: a set of cells is `HEX.SHIFT`, a premise the
number of a constraint that was sent, `-1 - k` for the k-th conclusion of this answer, or a constraint
written out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from games.logic import Constraint, Deduction, Linear, Method, Propagation, Split, Step
from games.minesweeper import Guess
from strategies.isolated.limits import MOST_FIGURES, MOST_PREMISES, MOST_TEXT

LONGEST_SHIFT = 7  # digits of the number of a cell


class Garbage(Exception):
    """What was answered is none; the message says what it is."""


# --- in the strategy's process -------------------------------------------------------------------------


class Writer:
    """Writes the deductions of one call. `number` finds the number that a constraint was sent under."""

    def __init__(self, number: Callable[[Constraint], int | None]) -> None:
        self._number = number
        self._conclusions: dict[Constraint, int] = {}

    def deduction(self, answer: object) -> list[Any]:
        """One deduction. Raises Garbage when it is none."""
        if not isinstance(answer, Deduction):
            raise Garbage(f"it yielded a {type(answer).__name__}, not a Deduction")
        try:
            claim, step = answer.constraint, answer.step
            written = [*_constraint(claim), _text(step.rule), list(map(self._premise, step.premises))]
            written += [_method(step.method), _text(step.account)]
        except (TypeError, ValueError, AttributeError) as error:
            raise Garbage(f"it yielded a Deduction that is none ({error})") from error
        self._conclusions.setdefault(claim, len(self._conclusions))
        return written

    def _premise(self, constraint: Constraint) -> int | list[Any]:
        number = self._number(constraint)
        if number is not None:
            return number
        place = self._conclusions.get(constraint)
        return _constraint(constraint) if place is None else -1 - place


def written_guess(answer: object) -> list[Any]:
    """One guess. Raises Garbage when it is none."""
    if not isinstance(answer, Guess):
        raise Garbage(f"its guess is a {type(answer).__name__}, not a Guess")
    try:
        figures = {_text(name): float(value) for name, value in answer.figures.items()}
        return [operator.index(answer.cell), float(answer.safe), _text(answer.reason), figures]
    except (TypeError, ValueError, AttributeError) as error:
        raise Garbage(f"its guess is none ({error})") from error


def _constraint(constraint: Constraint) -> list[Any]:
    return [_cells(constraint.cells), operator.index(constraint.low), operator.index(constraint.high)]


def _cells(cells: int) -> str:
    cells = operator.index(cells)
    if cells < 0:
        raise ValueError("a set of cells below 0")
    shift = (cells & -cells).bit_length() - 1 if cells else 0
    return f"{cells >> shift:x}.{shift}"


def _text(text: object) -> str:
    return str(text)[:MOST_TEXT]


def _method(method: Method) -> list[Any] | None:
    if isinstance(method, Linear):
        multipliers = [operator.index(number) for number in method.multipliers]
        return ["sum", multipliers, operator.index(method.divisor)]
    if isinstance(method, Split):
        return _split(method)
    if isinstance(method, Propagation):
        return None
    raise TypeError(f"its method is a {type(method).__name__}")


def _split(split: Split | None) -> list[Any] | None:
    if split is None:
        return None
    return [operator.index(split.cell), _split(split.if_true), _split(split.if_false)]


# --- in Sapper's process -------------------------------------------------------------------------------


def read_deductions(data: object, constraints: Sequence[Constraint], universe: int) -> Iterator[Deduction]:
    """The deductions of one answer, one after the other. Raises Garbage at the first that is none.

    `constraints` are those that were sent, by number; `universe` is the set of the variables in play.
    """
    width = universe.bit_length()
    conclusions: dict[Constraint, None] = {}
    numbered: list[Constraint] = []
    left = MOST_PREMISES

    def premise(data: object) -> Constraint:
        if type(data) is int and -len(numbered) <= data < len(constraints):
            return constraints[data] if data >= 0 else numbered[-1 - data]
        return _read_constraint(data, width)

    for each in _list(data):
        try:
            cells, low, high, rule, premises, method, account = _list(each, 7)
            left -= len(_list(premises))
            if left < 0:
                raise Garbage(f"it names more than {MOST_PREMISES} premises")
            reasons = tuple(map(premise, premises))
            step = Step(_read_text(rule), reasons, _read_method(method), _read_text(account))
            deduction = Deduction(_read_constraint([cells, low, high], width), step)
        except (ValueError, RecursionError) as error:
            raise Garbage(f"a deduction in it is none ({error})") from error
        yield deduction
        if deduction.constraint not in conclusions:
            conclusions[deduction.constraint] = None
            numbered.append(deduction.constraint)


def read_guesses(data: object) -> Iterator[Guess]:
    """The guesses of one answer. Raises Garbage at the first that is none."""
    for each in _list(data):
        cell, safe, reason, figures = _list(each, 4)
        if type(cell) is not int or type(safe) not in {int, float}:
            raise Garbage("a guess in it is none")
        if type(figures) is not dict or len(figures) > MOST_FIGURES:
            raise Garbage("the figures of a guess are none")
        if any(type(value) not in {int, float} for value in figures.values()):
            raise Garbage("the figures of a guess are no numbers")
        numbers = {_read_text(name): float(value) for name, value in figures.items()}
        yield Guess(cell, float(safe), _read_text(reason), numbers)


def _list(data: object, count: int | None = None) -> list[Any]:
    if type(data) is not list or (count is not None and len(data) != count):
        raise Garbage("it is no list of answers")
    return data


def _read_text(data: object) -> str:
    if type(data) is not str or len(data) > MOST_TEXT:
        raise Garbage("a text in it is none")
    return data


def _read_constraint(data: object, width: int) -> Constraint:
    cells, low, high = _list(data, 3)
    if type(cells) is not str or type(low) is not int or type(high) is not int:
        raise Garbage("a constraint in it is none")
    digits, dot, shift = cells.partition(".")
    if not dot or not digits.isalnum() or not shift.isdecimal() or len(shift) > LONGEST_SHIFT:
        raise Garbage("a set of cells in it is none")
    if int(shift) + 4 * (len(digits) - 1) >= max(width, 1):
        raise Garbage("it speaks of cells that are not in play")
    return Constraint(int(digits, 16) << int(shift), low, high)


def _read_method(data: object) -> Method:
    if data is None:
        return Propagation()
    if type(data) is list and data and data[0] == "sum":
        _, multipliers, divisor = _list(data, 3)
        if any(type(number) is not int for number in (*_list(multipliers), divisor)):
            raise Garbage("a sum in it has multipliers that are no numbers")
        return Linear(tuple(multipliers), divisor)
    return _read_split(data) or Propagation()


def _read_split(data: object) -> Split | None:
    if data is None:
        return None
    cell, if_true, if_false = _list(data, 3)
    if type(cell) is not int or not 0 <= cell < 10**LONGEST_SHIFT:
        raise Garbage("a case in it speaks of no cell")
    return Split(cell, _read_split(if_true), _read_split(if_false))
