"""An isolated strategy, as used by the registry and the reasoner."""

from __future__ import annotations

import marshal
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from games.errors import InvalidFile, UsageError
from games.logic import Deduction, Knowledge
from games.logic.sync import KnowledgeSender
from games.minesweeper import Guess
from strategies.hookspecs import HOOKS, Event
from strategies.isolation.client import NO_ANSWER, NoReply, WorkerProcess
from strategies.isolation.protocol import (
    MOST_ENDS,
    MOST_TEXT,
    InvalidAnswer,
    ResourceLimits,
    decode_deductions,
    decode_guesses,
    most_answers,
)
from strategies.options import Option, Value, parse_spec, resolve_options
from strategies.position import Position

T = TypeVar("T")
LOADING_BY_CLOCK = 5  # wall-time limit for loading, as a multiple of the CPU-time limit


class PluginError(Exception):
    """An error of a strategy, with file and line."""


class IsolatedPlugin:
    """The hooks of one strategy that runs in its own process; `source` is as for `load_strategies`.

    `spent` is the CPU time of all calls, seconds. A process that was killed is restarted for the next call,
    at most `MOST_ENDS` times. The constructor raises InvalidFile and UsageError like loading in this process,
    and PluginError if loading exceeds its limits.
    """

    def __init__(self, source: str, limits: ResourceLimits) -> None:
        self._process: WorkerProcess | None = None
        self.source = source
        self.limits = limits
        self.spent = 0.0
        self._line = 0
        self.name = self.about = ""
        self.places: dict[str, str] = {}  # hook -> file and line
        self.options: tuple[Option, ...] = ()
        self.chosen: Mapping[str, Value] = {}
        self.notes: tuple[str, ...] = ()
        self._folder = str(Path.cwd())
        self._ends = 0
        self._serial = 0
        self._sender = KnowledgeSender()
        self._counts: tuple[int, ...] | None = None
        self._lock = Lock()
        self._begin()

    def deduce(
        self, knowledge: Knowledge, changed: int, options: Mapping[str, Value] | None = None
    ) -> list[Iterable[Deduction]]:
        """Call `deduce`; the process already has its options. Raises PluginError."""
        return [self._deductions(knowledge, changed)]

    def guess(self, position: Position, options: Mapping[str, Value] | None = None) -> list[Iterable[Guess]]:
        """Call `guess`; the process already has its options. Raises PluginError."""
        return [self._guesses(position)]

    def observe(self, hook: str, said: Mapping[str, Event]) -> list[str]:
        """Call an observer hook; returns the texts to print. Raises PluginError."""
        with self._lock:
            self._restart()
            answer = self._answered(hook, (pickle.dumps(said),))
        if any(type(text) is not str or len(text) > 4 * MOST_TEXT for text in answer["answers"]):
            raise PluginError(self._at(hook, NO_ANSWER))
        if answer["fault"]:
            raise PluginError(answer["fault"])
        return [" ".join(text.split()) for text in answer["answers"]]

    @property
    def line(self) -> int:
        """The line of the last answer, 0 if unknown."""
        return self._line

    def close(self) -> None:
        """End the process; a second time does nothing."""
        self._end()

    def __del__(self) -> None:
        if self._process is not None:
            self._process.detach()  # the process ends once the socket is closed

    def _deductions(self, knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
        most = most_answers(knowledge.universe.bit_count()) + 1
        with self._lock:
            self._restart()
            answer = self._answered("deduce", (self._sender.message(knowledge), changed, most))
        found = decode_deductions(answer["answers"], self._sender.constraints, knowledge.universe)
        yield from self._decoded("deduce", found, answer)

    def _guesses(self, position: Position) -> Iterator[Guess]:
        place = position.rows, position.columns, position.openable
        with self._lock:
            self._restart()
            sent = self._sender.message(position.knowledge)
            counts = None if position.counts is self._counts else position.counts
            answer = self._answered("guess", (sent, *place, counts, position.first_click))
            self._counts = position.counts
        yield from self._decoded("guess", decode_guesses(answer["answers"]), answer)

    def _decoded(self, hook: str, found: Iterator[T], answer: dict[str, Any]) -> Iterator[T]:
        """Yield the answers; `line` is the line of the current one. Raises PluginError."""
        given = answer.get("lines")
        lines = given if type(given) is list else []
        try:
            for number, each in enumerate(found):
                line = lines[number] if number < len(lines) else 0
                self._line = line if type(line) is int else 0
                yield each
        except InvalidAnswer as error:
            raise PluginError(self._at(hook, f"its answer is invalid: {error}")) from error
        self._line = 0
        if answer["fault"]:
            raise PluginError(answer["fault"])

    def _at(self, hook: str, what: str) -> str:
        return ": ".join(filter(None, (self.places.get(hook, ""), what)))

    # --- the process -----------------------------------------------------------------------------------

    def _answered(self, hook: str, question: tuple[Any, ...]) -> dict[str, Any]:
        """Send a call and wait for its answer; requires the lock. Raises PluginError."""
        self._serial += 1
        limits = self.limits
        message = marshal.dumps((self._serial, hook, *question))
        answer = self._exchange(hook, message, limits.call, limits.waiting)
        fault, spent = answer.get("fault"), answer.get("spent")
        if (
            answer.get("serial") != self._serial
            or type(spent) is not float
            or type(fault) is not str
            or len(fault) > MOST_TEXT
            or type(answer.get("answers")) is not list
        ):
            self._end()
            raise PluginError(self._at(hook, NO_ANSWER))
        self.spent += max(spent, 0.0)
        if answer.get("is_broken"):
            self._end()  # it modified its copy of the knowledge; a new process is cheap
        return answer

    def _exchange(self, hook: str, message: bytes, most: float, by_clock: float) -> dict[str, Any]:
        """Exchange messages with the process; any error kills it. Raises PluginError and interrupts."""
        process = self._process
        assert process is not None
        try:
            return process.exchange(message, most, by_clock, self.limits.reply)
        except NoReply as error:
            self._ends += 1
            where = process.place(self._file) or self.places.get(hook, "") or self.source
            how = process.end()
            what = str(error) or f"its process ended ({how or 'it closed its connection'})"
            raise PluginError(f"{where}: {what}") from error

    @property
    def _file(self) -> str:
        name, _ = parse_spec(self.source)
        if name.endswith(".py"):
            return str(Path(name))  # as in tracebacks: without ./
        return next(iter(self.places.values()), "").rpartition(", line")[0]

    def _restart(self) -> None:
        """Start the process again if it has ended; requires the lock. Raises PluginError."""
        if self._process is not None and self._process.is_open:
            return
        if self._ends >= MOST_ENDS:
            raise PluginError(f"{self.source}: its process had to be ended {self._ends} times and stays off")
        try:
            self._begin()
        except (InvalidFile, UsageError) as error:  # the file has changed since
            raise PluginError(str(error)) from error

    def _begin(self) -> None:
        """Start the process and load the strategy in it. Raises InvalidFile, UsageError, PluginError."""
        limits = self.limits
        self._process = _start_worker(
            {"source": self.source, "folder": self._folder, "path": sys.path, "memory": limits.memory}
        )
        self._sender, self._counts = KnowledgeSender(), None
        loaded = self._exchange("", b"", limits.loading, LOADING_BY_CLOCK * limits.loading)
        for key, kind in (("usage", UsageError), ("invalid", InvalidFile)):
            if key in loaded:
                self._end()
                raise kind(str(loaded[key])[: 4 * MOST_TEXT])
        texts = (" ".join(str(loaded.get(key, "")).split())[:MOST_TEXT] for key in ("name", "about"))
        self.name, self.about = texts
        self.places = {
            hook: place
            for hook in ("deduce", "guess", *HOOKS)
            if type(place := loaded.get(hook)) is str and len(place) <= 4 * MOST_TEXT
        }
        self._load_options(loaded)

    def _load_options(self, loaded: dict[str, Any]) -> None:
        """Set the options and notes that the process reported. Raises InvalidFile."""
        try:
            self.notes = tuple(str(note)[:MOST_TEXT] for note in loaded.get("notes", ()))
            self.options = tuple(
                Option(str(name), default, str(about)[:MOST_TEXT], least, most, tuple(map(str, choices)))
                for name, default, about, least, most, choices in loaded.get("options", ())
            )
            chosen = {str(name): str(value) for name, value in dict(loaded.get("chosen", {})).items()}
            self.chosen = resolve_options(self.options, chosen, self.name)
        except (TypeError, ValueError, AttributeError) as error:
            self._end()
            raise InvalidFile(f"{self.source}: its options are none ({error}): correct them") from error

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()


def _start_worker(wanted: dict[str, Any]) -> WorkerProcess:
    if sys.platform == "win32":
        from strategies.isolation.spawned import SpawnedWorker

        return SpawnedWorker(wanted)
    return WorkerProcess(wanted)
