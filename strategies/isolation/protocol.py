"""Resource limits, answers and messages of isolated strategies.

Answers are JSON, encoded in the worker, decoded and checked in Sapper's process. They contain only numbers
and strings: a cell set is `HEX.SHIFT`; a premise is the number of a constraint that was sent, `-1 - k` for
the k-th conclusion of the same answer, or a constraint in full. A message on the stream socket is its length
in four bytes, then its content.
"""

from __future__ import annotations

import operator
import socket
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.logic import Constraint, Deduction, Linear, Method, ProofStep, Propagation, Split
from games.minesweeper import Guess

MOST_AT_ONCE = 4  # deductions of one call, for each variable
AND_MORE = 10_000  # deductions of one call, in addition
MOST_TEXT = 500  # characters of a rule, a reason or a message; the rest is cut off
MOST_FIGURES = 100  # figures per guess
MOST_PREMISES = 1_000_000  # premises per answer, because each is checked
MOST_ENDS = 3  # restarts of a strategy's process after it was killed


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits of a strategy's process; the time limits are an emergency stop.

    `call`: seconds of CPU time per call. `waiting`: seconds of wall time per call for an idle process; five
    times as many for a process that gets little CPU time. `loading`: seconds of CPU time to execute its file;
    five times as many of wall time. `memory`: bytes of address space beyond the interpreter's own. `reply`:
    bytes per answer.
    """

    call: float = 4.0
    waiting: float = 12.0
    loading: float = 10.0
    memory: int = 2 << 30
    reply: int = 8 << 20


def most_answers(variables: int) -> int:
    """Maximum number of deductions per call."""
    return AND_MORE + MOST_AT_ONCE * variables


LONGEST_SHIFT = 7  # digits of a cell number


class InvalidAnswer(Exception):
    """A malformed answer."""


# --- in the strategy's process -------------------------------------------------------------------------


class AnswerEncoder:
    """Encodes the deductions of one call. `number` returns the number of a constraint that was received."""

    def __init__(self, number: Callable[[Constraint], int | None]) -> None:
        self._number = number
        self._conclusions: dict[Constraint, int] = {}

    def deduction(self, answer: object) -> list[Any]:
        """Encode one deduction. Raises InvalidAnswer if it is malformed."""
        if not isinstance(answer, Deduction):
            raise InvalidAnswer(f"it yielded a {type(answer).__name__}, not a Deduction")
        try:
            claim, step = answer.constraint, answer.step
            written = [*_constraint(claim), _text(step.rule), list(map(self._premise, step.premises))]
            written += [_method(step.method), _text(step.account)]
        except (TypeError, ValueError, AttributeError) as error:
            raise InvalidAnswer(f"it yielded an invalid Deduction ({error})") from error
        self._conclusions.setdefault(claim, len(self._conclusions))
        return written

    def _premise(self, constraint: Constraint) -> int | list[Any]:
        number = self._number(constraint)
        if number is not None:
            return number
        place = self._conclusions.get(constraint)
        return _constraint(constraint) if place is None else -1 - place


def encode_guess(answer: object) -> list[Any]:
    """Encode one guess. Raises InvalidAnswer if it is malformed."""
    if not isinstance(answer, Guess):
        raise InvalidAnswer(f"its guess is a {type(answer).__name__}, not a Guess")
    try:
        figures = {_text(name): float(value) for name, value in answer.figures.items()}
        return [operator.index(answer.cell), float(answer.safe), _text(answer.reason), figures]
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidAnswer(f"its guess is invalid ({error})") from error


def _constraint(constraint: Constraint) -> list[Any]:
    return [_cells(constraint.cells), operator.index(constraint.low), operator.index(constraint.high)]


def _cells(cells: int) -> str:
    cells = operator.index(cells)
    if cells < 0:
        raise ValueError("a negative cell set")
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


def decode_deductions(data: object, constraints: Sequence[Constraint], universe: int) -> Iterator[Deduction]:
    """Decode the deductions of one answer. Raises InvalidAnswer at the first malformed one.

    `constraints` are the sent constraints by number; `universe` is the set of variables.
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
                raise InvalidAnswer(f"more than {MOST_PREMISES} premises")
            reasons = tuple(map(premise, premises))
            step = ProofStep(_read_text(rule), reasons, _read_method(method), _read_text(account))
            deduction = Deduction(_read_constraint([cells, low, high], width), step)
        except (ValueError, RecursionError) as error:
            raise InvalidAnswer(f"malformed deduction ({error})") from error
        yield deduction
        if deduction.constraint not in conclusions:
            conclusions[deduction.constraint] = None
            numbered.append(deduction.constraint)


def decode_guesses(data: object) -> Iterator[Guess]:
    """Decode the guesses of one answer. Raises InvalidAnswer at the first malformed one."""
    for each in _list(data):
        cell, safe, reason, figures = _list(each, 4)
        if type(cell) is not int or type(safe) not in {int, float}:
            raise InvalidAnswer("malformed guess")
        if type(figures) is not dict or len(figures) > MOST_FIGURES:
            raise InvalidAnswer(f"the figures of a guess are not a dictionary of at most {MOST_FIGURES}")
        if any(type(value) not in {int, float} for value in figures.values()):
            raise InvalidAnswer("a figure of a guess is not a number")
        numbers = {_read_text(name): float(value) for name, value in figures.items()}
        yield Guess(cell, float(safe), _read_text(reason), numbers)


def _list(data: object, count: int | None = None) -> list[Any]:
    if type(data) is not list or (count is not None and len(data) != count):
        raise InvalidAnswer("not a list" if count is None else f"not a list of {count}")
    return data


def _read_text(data: object) -> str:
    if type(data) is not str or len(data) > MOST_TEXT:
        raise InvalidAnswer(f"not a text of at most {MOST_TEXT} characters")
    return data


def _read_constraint(data: object, width: int) -> Constraint:
    cells, low, high = _list(data, 3)
    if type(cells) is not str or type(low) is not int or type(high) is not int:
        raise InvalidAnswer("malformed constraint")
    digits, dot, shift = cells.partition(".")
    if not dot or not digits.isalnum() or not shift.isdecimal() or len(shift) > LONGEST_SHIFT:
        raise InvalidAnswer("malformed cell set")
    if int(shift) + 4 * (len(digits) - 1) >= max(width, 1):
        raise InvalidAnswer("it names cells that are not in play")
    return Constraint(int(digits, 16) << int(shift), low, high)


def _read_method(data: object) -> Method:
    if data is None:
        return Propagation()
    if type(data) is list and data and data[0] == "sum":
        _, multipliers, divisor = _list(data, 3)
        if any(type(number) is not int for number in (*_list(multipliers), divisor)):
            raise InvalidAnswer("the numbers of a Linear proof are not integers")
        return Linear(tuple(multipliers), divisor)
    return _read_split(data) or Propagation()


def _read_split(data: object) -> Split | None:
    if data is None:
        return None
    cell, if_true, if_false = _list(data, 3)
    if type(cell) is not int or not 0 <= cell < 10**LONGEST_SHIFT:
        raise InvalidAnswer("a Split proof names no cell")
    return Split(cell, _read_split(if_true), _read_split(if_false))


LENGTH = struct.Struct("<I")


def send(connection: socket.socket, message: bytes) -> None:
    """Send a message. Raises OSError; TimeoutError if the other side does not read it."""
    connection.sendall(LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes | None:
    """Wait for a message without a time limit; None if the other side has closed. Raises OSError."""
    head = _exactly(connection, LENGTH.size)
    return head and _exactly(connection, LENGTH.unpack(head)[0])


def _exactly(connection: socket.socket, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        piece = connection.recv(min(count - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)
