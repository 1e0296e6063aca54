"""Where in a strategy's code something is, and errors in one line.

One loaded plugin: what it is called, where it is from, and how it is asked.

Who was asked, what they answered, and how long that took.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pluggy

from games.logic import Deduction, Knowledge
from games.minesweeper import Guess, Position
from strategies.hookspecs import HOOKS, Event
from strategies.isolation.proxy import IsolatedPlugin, PluginError
from strategies.options import Option, Value, format_options

LONGEST = 300  # letters of an error's message


def hook_location(plugin: object, hook: str) -> str:
    """`mine.py, line 7`: where this hook of a plugin begins; empty where Python does not know."""
    code = getattr(inspect.unwrap(getattr(plugin, hook)), "__code__", None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if code else ""


def error_location(file: str, error: BaseException) -> str:
    """`mine.py, line 7`: the last line of this file that the error went through; empty when it did not."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{file}, line {line}" if line else ""


def generator_line(file: str, answers: object) -> int:
    """The line of this file at which a generator has yielded last, or one that it yields from; 0 for none."""
    line = 0
    while inspect.isgenerator(answers) and answers.gi_frame is not None:
        if answers.gi_frame.f_code.co_filename == file:
            line = answers.gi_frame.f_lineno
        answers = answers.gi_yieldfrom
    return line


def format_error(error: BaseException) -> str:
    """An error as one line: its kind and the first line of its message."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:LONGEST]}" if message else type(error).__name__


@dataclass(slots=True)
class _RunningCall:
    """What a strategy is answering with: a generator knows the line at which it is."""

    answers: object = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """One loaded strategy.

    `origin` says where it is from: "built-in", "entry point of DIST", or a path. `version` is that of the
    package, or for a file the beginning of its SHA-256. `about` is its first line of documentation. `fault`
    says why it is quarantined from the start: its file did not come to an end when it was loaded. `places`
    has the file and line of each of its hooks, `options` are those that it declares, `chosen` their values,
    `notes` what of its hooks is going to change. The name ends in what sets its options: `mine:depth=3`.
    """

    name: str
    plugin: object
    origin: str
    version: str
    has_deduce: bool
    has_guess: bool
    _hooks: pluggy.HookRelay | IsolatedPlugin
    about: str = ""
    fault: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _asking: _RunningCall = field(default_factory=_RunningCall, compare=False, repr=False)

    def deduce(self, knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        """What its `deduce` yields; nothing without that hook. Raises whatever the plugin raises."""
        for answer in self._hooks.deduce(knowledge=knowledge, changed=changed, options=self.chosen):
            self._asking.answers = answer
            yield from answer

    def guess(self, position: Position) -> Iterable[Guess]:
        """What its `guess` yields; nothing without that hook. Raises whatever the plugin raises."""
        for answer in self._hooks.guess(position=position, options=self.chosen):
            self._asking.answers = answer
            yield from answer

    def observe(self, hook: str, said: Mapping[str, Event]) -> list[str]:
        """Report a moment of a game; what it wants to have printed. Raises whatever the plugin raises."""
        if hook not in self.places:
            return []
        if isinstance(self._hooks, IsolatedPlugin):
            return self._hooks.observe(hook, said)
        answers = getattr(self._hooks, hook)(**said, options=self.chosen)
        return [" ".join(str(answer).split()) for answer in answers]

    @property
    def has_observer(self) -> bool:
        """Whether it wants to hear of games."""
        return any(hook in self.places for hook in HOOKS)

    @property
    def setting(self) -> str:
        """What sets its options, `:depth=3`; empty where they are as declared."""
        return format_options(self.options, self.chosen)

    def close(self) -> None:
        """End its process, where it has one."""
        if isinstance(self._hooks, IsolatedPlugin):
            self._hooks.close()

    @property
    def spent(self) -> float:
        """Seconds of processor time that it took in a process of its own, so far; 0 without one."""
        return self._hooks.spent if isinstance(self._hooks, IsolatedPlugin) else 0.0

    def blamed(self, hook: str, error: BaseException) -> str:
        """What it did wrong when asking ended with this error: the file, the line where known, and what."""
        if isinstance(error, PluginError):
            return str(error)
        line = error_location(self.file(hook), error)
        verb = {"deduce": "it raised"}.get(hook, f"its {hook} raised")
        return ": ".join(filter(None, (line or self.places.get(hook, ""), f"{verb} {format_error(error)}")))

    def at(self, hook: str, what: str) -> str:
        """Something wrong with its last answer: the file, the line that gave it (or the hook's), and what."""
        line = self.line(hook)
        place = f"{self.file(hook)}, line {line}" if line else self.places.get(hook, "")
        return ": ".join(filter(None, (place, what)))

    def file(self, hook: str) -> str:
        """The file that this hook is in, empty where Python does not know."""
        return self.places.get(hook, "").rpartition(", line")[0]

    def line(self, hook: str) -> int:
        """The line at which the hook gave its last answer; 0 where it was no generator, or has ended."""
        if isinstance(self._hooks, pluggy.HookRelay):
            return generator_line(self.file(hook), self._asking.answers)
        return self._hooks.line_of(hook)


@dataclass(frozen=True, slots=True)
class HookCall:
    """One question to one strategy.

    `hook` is "deduce" or "guess"; `seconds` are those that the strategy itself took; `raised` is the error
    that it ended with, empty when it ended well.
    """

    strategy: str
    hook: str
    answers: tuple[Deduction | Guess, ...]
    seconds: float
    raised: str = ""


def with_tracing(strategy: Strategy, listener: Callable[[HookCall], None]) -> Strategy:
    """The same strategy, reporting each question once it is answered."""
    return replace(strategy, _hooks=cast("pluggy.HookRelay", _TimedHooks(strategy, listener)))


class _TimedHooks:
    """Stands for a strategy's hooks."""

    def __init__(self, strategy: Strategy, listener: Callable[[HookCall], None]) -> None:
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
                    if isinstance(error, PluginError)
                    else format_error(error)
                )
            )
            raise
        finally:
            if is_heard:
                self._listener(HookCall(self._strategy.name, hook, tuple(answers), seconds, raised))
