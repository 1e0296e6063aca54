"""Who was asked, what they answered, and how long that took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import pluggy

from games.logic import Deduction, Knowledge
from games.minesweeper import Guess, Position
from strategies.isolated import Misbehaved
from strategies.options import Value
from strategies.places import one_line
from strategies.strategy import Strategy


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to one strategy.

    `hook` is "deduce" or "guess"; `seconds` are those that the strategy itself took; `raised` is the error
    that it ended with, empty when it ended well.
    """

    strategy: str
    hook: str
    answers: tuple[Deduction | Guess, ...]
    seconds: float
    raised: str = ""


def traced(strategy: Strategy, listener: Callable[[Asked], None]) -> Strategy:
    """The same strategy, reporting each question once it is answered."""
    return replace(strategy, _hooks=cast("pluggy.HookRelay", _Timed(strategy, listener)))


class _Timed:
    """Stands for a strategy's hooks."""

    def __init__(self, strategy: Strategy, listener: Callable[[Asked], None]) -> None:
        self._strategy, self._listener = strategy, listener

    def deduce(
        self, knowledge: Knowledge, changed: int, options: Mapping[str, Value] | None = None
    ) -> list[Iterable[Deduction]]:
        return [self._timed("deduce", lambda: self._strategy.deduce(knowledge, changed))]

    def guess(self, position: Position, options: Mapping[str, Value] | None = None) -> list[Iterable[Guess]]:
        return [self._timed("guess", lambda: self._strategy.guess(position))]

    def line_of(self, hook: str) -> int:
        """The line that gave the last answer, 0 where that is not known."""
        return self._strategy.line(hook)

    def _timed(self, hook: str, call: Callable[[], Iterable[Any]]) -> Iterator[Any]:
        """Yield the answers; the time that whoever takes them needs in between is not the strategy's."""
        answers: list[Any] = []
        seconds, raised, is_closed, is_heard = 0.0, "", False, True
        began = time.perf_counter()
        try:
            for answer in call():
                seconds += time.perf_counter() - began
                answers.append(answer)
                try:
                    yield answer
                except GeneratorExit:  # nobody wants more of it, which is no error of its own
                    is_closed = True
                    raise
                began = time.perf_counter()
            seconds += time.perf_counter() - began
        except KeyboardInterrupt:
            is_heard = False
            raise
        except BaseException as error:
            # what one in another process raised has come as words, behind its file and line
            raised = (
                ""
                if is_closed
                else (
                    str(error).rpartition("it raised ")[2]
                    if isinstance(error, Misbehaved)
                    else one_line(error)
                )
            )
            raise
        finally:
            if is_heard:
                self._listener(Asked(self._strategy.name, hook, tuple(answers), seconds, raised))
