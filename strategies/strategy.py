"""A loaded plugin: its metadata, its hooks, error locations, and tracing of hook calls."""

from __future__ import annotations

import inspect
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import pluggy

from games.logic import Deduction, Knowledge
from games.minesweeper import Guess
from strategies.hookspecs import HOOKS, Event
from strategies.isolation.proxy import IsolatedPlugin, PluginError
from strategies.options import Option, Value, format_options
from strategies.position import Position

LONGEST = 300  # characters of an error message


def hook_location(plugin: object, hook: str) -> str:
    """`mine.py, line 7`: the definition of a hook; empty if unknown."""
    code = getattr(inspect.unwrap(getattr(plugin, hook)), "__code__", None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if code else ""


def error_location(file: str, error: BaseException) -> str:
    """`mine.py, line 7`: the innermost line of this file in the traceback; empty if there is none."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == file]
    return f"{file}, line {lines[-1]}" if lines else ""


def generator_line(file: str, answers: object) -> int:
    """The line of this file at which a generator, or one it delegates to, is suspended; 0 if none."""
    line = 0
    while inspect.isgenerator(answers) and answers.gi_frame is not None:
        if answers.gi_frame.f_code.co_filename == file:
            line = answers.gi_frame.f_lineno
        answers = answers.gi_yieldfrom
    return line


def format_error(error: BaseException) -> str:
    """An error as one line: its type and its message, shortened."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:LONGEST]}" if message else type(error).__name__


def call_hook(hook: Callable[..., Iterable[Any]], given: Mapping[str, Any]) -> Iterable[Any]:
    """The answers of a hook. A single plain implementation is called directly, which saves time."""
    if isinstance(hook, pluggy.HookCaller):
        only, *others = hook.get_hookimpls() or (None,)
        if only and not (others or only.kwargnames or only.wrapper or only.hookwrapper):
            answer = only.function(*[given[name] for name in only.argnames])
            return () if answer is None else (answer,)
    return hook(**given)


@dataclass(slots=True)
class _RunningCall:
    """The answer that is being consumed; if it is a generator, its current line is known."""

    answers: object = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """One loaded plugin.

    `origin` is "built-in", "entry point of DIST", or a path. `version` is the package version, or for a file
    the start of its SHA-256. `about` is the first line of its documentation. `fault` is set if it is
    quarantined from the start because loading failed. `places` maps its hooks to file and line. `options` are
    the declared options, `chosen` their values, `notes` the warnings about provisional hooks. The name
    includes options that are set: `mine:depth=3`.
    """

    name: str
    plugin: object
    origin: str
    version: str
    _hooks: pluggy.HookRelay | IsolatedPlugin
    about: str = ""
    fault: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    _asking: _RunningCall = field(default_factory=_RunningCall, compare=False, repr=False)

    def deduce(self, knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        """Call `deduce`; empty without that hook. Raises any error of the plugin."""
        given = {"knowledge": knowledge, "changed": changed, "options": self.chosen}
        for answer in call_hook(self._hooks.deduce, given):
            self._asking.answers = answer
            yield from answer

    def guess(self, position: Position) -> Iterable[Guess]:
        """Call `guess`; empty without that hook. Raises any error of the plugin."""
        for answer in call_hook(self._hooks.guess, {"position": position, "options": self.chosen}):
            self._asking.answers = answer
            yield from answer

    def observe(self, hook: str, arguments: Mapping[str, Event]) -> list[str]:
        """Call an observer hook; returns the texts to print. Raises any error of the plugin."""
        if hook not in self.places:
            return []
        if isinstance(self._hooks, IsolatedPlugin):
            return self._hooks.observe(hook, arguments)
        answers = getattr(self._hooks, hook)(**arguments, options=self.chosen)
        return [" ".join(str(answer).split()) for answer in answers]

    @property
    def has_deduce(self) -> bool:
        """Whether it implements `deduce`."""
        return "deduce" in self.places

    @property
    def has_guess(self) -> bool:
        """Whether it implements `guess`."""
        return "guess" in self.places

    @property
    def has_observer(self) -> bool:
        """Whether it implements an observer hook."""
        return any(hook in self.places for hook in HOOKS)

    @property
    def setting(self) -> str:
        """The option suffix, `:depth=3`; empty if all options have their defaults."""
        return format_options(self.options, self.chosen)

    def close(self) -> None:
        """End its process, if it has one."""
        if isinstance(self._hooks, IsolatedPlugin):
            self._hooks.close()

    @property
    def spent(self) -> float:
        """CPU time used by its own process so far, seconds; 0 without one."""
        return self._hooks.spent if isinstance(self._hooks, IsolatedPlugin) else 0.0

    def blamed(self, hook: str, error: BaseException) -> str:
        """Description of an error raised by a hook: file, line if known, and the error."""
        if isinstance(error, PluginError):
            return str(error)
        line = error_location(self.file(hook), error)
        verb = {"deduce": "it raised"}.get(hook, f"its {hook} raised")
        return ": ".join(filter(None, (line or self.places.get(hook, ""), f"{verb} {format_error(error)}")))

    def at(self, hook: str, what: str) -> str:
        """Description of a wrong answer: file, line of the answer (or of the hook), and `what`."""
        line = self.line(hook)
        place = f"{self.file(hook)}, line {line}" if line else self.places.get(hook, "")
        return ": ".join(filter(None, (place, what)))

    def file(self, hook: str) -> str:
        """The file of this hook; empty if unknown."""
        return self.places.get(hook, "").rpartition(", line")[0]

    def line(self, hook: str) -> int:
        """The line at which the hook yielded its last answer; 0 if it is not a running generator."""
        if isinstance(self._hooks, IsolatedPlugin):
            return self._hooks.line
        return generator_line(self.file(hook), self._asking.answers)


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call of a strategy.

    `hook` is "deduce" or "guess"; `seconds` is the time spent in the strategy; `raised` is its error, empty
    if it succeeded.
    """

    strategy: str
    hook: str
    answers: tuple[Deduction | Guess, ...]
    seconds: float
    raised: str = ""


@dataclass(frozen=True, slots=True)
class TracedStrategy(Strategy):
    """A strategy that reports each completed call to `listener`."""

    listener: Callable[[HookCall], None] = field(kw_only=True)

    @classmethod
    def of(cls, strategy: Strategy, listener: Callable[[HookCall], None]) -> TracedStrategy:
        """The same strategy with a listener."""
        known = {each.name: getattr(strategy, each.name) for each in fields(Strategy)}
        return cls(**known, listener=listener)

    def deduce(self, knowledge: Knowledge, changed: int) -> Iterable[Deduction]:
        """Call `deduce`, and report the call when it ends."""
        return self._timed("deduce", Strategy.deduce(self, knowledge, changed))

    def guess(self, position: Position) -> Iterable[Guess]:
        """Call `guess`, and report the call when it ends."""
        return self._timed("guess", Strategy.guess(self, position))

    def _timed(self, hook: str, answers: Iterable[Any]) -> Iterator[Any]:
        """Yield the answers; time spent by the consumer between them is not counted."""
        given: list[Any] = []
        seconds = 0.0

        def report(raised: str = "") -> None:
            self.listener(HookCall(self.name, hook, tuple(given), seconds, raised))

        began = time.perf_counter()
        try:
            for answer in answers:
                seconds += time.perf_counter() - began
                given.append(answer)
                yield answer
                began = time.perf_counter()
            seconds += time.perf_counter() - began
        except KeyboardInterrupt:
            raise
        except GeneratorExit:  # the consumer stopped: not an error of the strategy
            report()
            raise
        except PluginError as error:  # from another process, as text behind its file and line
            report(str(error).rpartition("it raised ")[2])
            raise
        except BaseException as error:
            report(format_error(error))
            raise
        report()
