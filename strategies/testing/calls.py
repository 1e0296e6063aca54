"""Calls to the hooks of one strategy, with a step limit and detection of access to private attributes."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from games.logic import Deduction, Knowledge
from games.minesweeper import Guess
from strategies.isolation.protocol import most_answers
from strategies.position import Position
from strategies.strategy import Strategy

OURS = frozenset({__name__, "strategies.strategy", "inspect"})  # modules whose lines are not counted
MOST_STEPS = 300_000  # lines of Python per call on a small board; built-in strategies need 70,000


class ContractViolation(AssertionError):
    """A strategy violates the contract."""


class _StepLimitReached(BaseException):
    """Aborts a call; a BaseException, so that `except Exception` in a strategy does not catch it."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The answers of a strategy to one position."""

    deductions: tuple[Deduction, ...]
    guesses: tuple[Guess, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)  # of the file, one for each deduction


def call_hooks(
    strategy: Strategy, knowledge: Knowledge, position: Position, steps: int = MOST_STEPS
) -> HookAnswer:
    """Call both hooks of a strategy, each limited to `steps` executed lines of Python.

    Raises ContractViolation if the strategy exceeds this limit, yields more than the reasoner accepts, or
    raises an error.
    """
    most = most_answers(knowledge.universe.bit_count())
    lines: list[int] = []

    def deduced() -> Iterator[Deduction]:
        for deduction in islice(strategy.deduce(knowledge, knowledge.universe), most + 1):
            lines.append(strategy.line("deduce"))
            yield deduction

    deductions = _counted(strategy, steps, "deduce", lambda: tuple(deduced()))
    guesses = _counted(
        strategy, steps, "guess", lambda: tuple(islice(strategy.guess(position), position.cells + 1))
    )
    if len(deductions) > most:
        raise ContractViolation(f"it yields more than {most} deductions at once")
    if len(guesses) > position.cells:
        raise ContractViolation("it guesses more cells than the board has")
    return HookAnswer(deductions, guesses, tuple(lines))


def _counted(
    strategy: Strategy, steps: int, hook: str, call: Callable[[], tuple[Any, ...]]
) -> tuple[Any, ...]:
    """The result of the call. Lines are counted instead of seconds, so the limit is deterministic."""
    left = steps
    file = strategy.file(hook)

    def line(frame: FrameType, event: str, about: object) -> Callable[..., Any] | None:
        nonlocal left
        if frame.f_globals.get("__name__") in OURS:
            return None
        if event == "line":
            left -= 1
            if left < 0:
                raise _StepLimitReached(_line_in(file, frame))
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        return call()
    except _StepLimitReached as error:
        raise ContractViolation(
            f"its {hook} exceeds the budget of {steps} steps (lines of Python){error}"
        ) from None
    except Exception as error:
        raise ContractViolation(f"its {hook} raised {type(error).__name__}: {error}") from error
    finally:
        sys.settrace(before)


def _line_in(file: str, frame: FrameType) -> str:
    """` (mine.py, line 7)`: the line of this file that the frame executes; empty if there is none."""
    lines = (line for each, line in traceback.walk_stack(frame) if each.f_code.co_filename == file)
    return next((f" ({Path(file).name}, line {line})" for line in lines), "")


class GuardedKnowledge(Knowledge):
    """Knowledge that records access to its private attributes from outside `games`."""

    __slots__ = ("_peeked",)

    def __init__(self, knowledge: Knowledge) -> None:
        for each in fields(Knowledge):
            object.__setattr__(self, each.name, getattr(knowledge, each.name))
        object.__setattr__(self, "_peeked", [])

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name.startswith("_") and not name.startswith("__"):
            module = str(sys._getframe(1).f_globals.get("__name__", ""))  # noqa: SLF001 - the caller's module
            if module.partition(".")[0] not in ("games", "dataclasses") and module != __name__:
                super().__getattribute__("_peeked").append(name)
        return value

    @property
    def peeked(self) -> tuple[str, ...]:
        """The private names that were accessed."""
        return tuple(self._peeked)
