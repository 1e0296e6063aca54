"""A strategy in a process of its own, as the registry loads it and the reasoner asks it."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import re
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from games.errors import InvalidFile, Usage
from games.logic import Deduction, Knowledge, Sender
from games.minesweeper import Guess, Position
from strategies.isolated.answers import Garbage, read_deductions, read_guesses
from strategies.isolated.limits import MOST_ENDS, MOST_TEXT, Limits, most_answers
from strategies.isolated.servers import current_server
from strategies.isolated.wire import Late, TooLong, receive_within, send
from strategies.observing import HOOKS, Event, plain
from strategies.options import Option, Value, chosen_of, split_spec

LAST_WORDS = 0.3  # seconds in which a process that is late has to say where it is
IDLE = 0.05  # of the time: a process that used less does nothing; others only get little of a busy machine, …
STARVED = 5  # … and have so many times as long
T = TypeVar("T")
NO_ANSWER = "its process sent something that is no answer"
LOADING_BY_CLOCK = 5  # times the processor time for loading


class Misbehaved(Exception):
    """A strategy did something wrong; the message says what, and where: file and line."""


class Plugin:
    """One strategy, named as `load_strategies` takes it, in its process; it stands for the strategy's hooks.

    `spent` are the seconds of processor time that it took to answer. A process that had to be ended is
    started again for the next game, a few times. Loading raises InvalidFile and Usage as loading in this
    process does, and Misbehaved where the file does not come to its end.
    """

    def __init__(self, source: str, limits: Limits) -> None:
        self._connection: socket.socket | None = None
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
        self._pid = 0
        self._process = -1  # a descriptor that becomes readable when the process ends
        self._last_words = -1
        self._sender = Sender()
        self._counts: tuple[int, ...] | None = None
        self._lock = Lock()
        self._begin()

    def deduce(
        self, knowledge: Knowledge, changed: int, options: Mapping[str, Value] | None = None
    ) -> list[Iterable[Deduction]]:
        """What its `deduce` yields; it has its options already. Raises Misbehaved."""
        return [self._deductions(knowledge, changed)]

    def guess(self, position: Position, options: Mapping[str, Value] | None = None) -> list[Iterable[Guess]]:
        """What its `guess` yields; it has its options already. Raises Misbehaved."""
        return [self._guesses(position)]

    def observe(self, hook: str, said: Mapping[str, Event]) -> list[str]:
        """What it wants to have printed when it hears this of a game. Raises Misbehaved."""
        words = {name: plain(each) for name, each in said.items()}
        with self._lock:
            if self._connection is None:
                self._begin_again()
            answer = self._answered(hook, (words,))
        if any(type(text) is not str or len(text) > 4 * MOST_TEXT for text in answer["answers"]):
            raise Misbehaved(self._at(hook, NO_ANSWER))
        self._raise_if_wrong(answer)
        return [" ".join(text.split()) for text in answer["answers"]]

    def line_of(self, hook: str) -> int:
        """The line that gave the last answer, 0 where that is not known."""
        return self._line

    def close(self) -> None:
        """End the process; a second time does nothing."""
        self._end()

    def __del__(self) -> None:
        self._let_go()  # the process ends when it finds that nobody listens

    def _deductions(self, knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
        most = most_answers(knowledge.universe.bit_count()) + 1
        answer = self._ask("deduce", lambda sent: (sent, changed, most), knowledge)
        try:
            found = read_deductions(answer["answers"], self._sender.constraints, knowledge.universe)
            yield from self._with_lines(found, answer)
        except Garbage as error:
            raise Misbehaved(self._at("deduce", f"its answer is garbage: {error}")) from error
        self._raise_if_wrong(answer)

    def _guesses(self, position: Position) -> Iterator[Guess]:
        counts = None if position.counts is self._counts else position.counts

        def question(sent: Any) -> tuple[Any, ...]:
            place = position.rows, position.columns, position.openable
            return (sent, *place, counts, position.first_click)

        answer = self._ask("guess", question, position.knowledge)
        self._counts = position.counts
        try:
            yield from self._with_lines(read_guesses(answer["answers"]), answer)
        except Garbage as error:
            raise Misbehaved(self._at("guess", f"its answer is garbage: {error}")) from error
        self._raise_if_wrong(answer)

    def _with_lines(self, found: Iterator[T], answer: dict[str, Any]) -> Iterator[T]:
        """These answers; while one is looked at, `line_of` says where it was given."""
        given = answer.get("lines")
        lines = given if type(given) is list else []
        for number, each in enumerate(found):
            line = lines[number] if number < len(lines) else 0
            self._line = line if type(line) is int else 0
            yield each
        self._line = 0

    def _raise_if_wrong(self, answer: dict[str, Any]) -> None:
        if answer["fault"]:
            raise Misbehaved(answer["fault"])

    def _at(self, hook: str, what: str) -> str:
        return ": ".join(filter(None, (self.places.get(hook, ""), what)))

    # --- the process -----------------------------------------------------------------------------------

    def _ask(self, hook: str, question: Any, knowledge: Knowledge) -> dict[str, Any]:
        """Send a question and wait for its answer. Raises Misbehaved."""
        with self._lock:
            if self._connection is None:
                self._begin_again()
            return self._answered(hook, question(self._sender.message(knowledge)))

    def _answered(self, hook: str, question: tuple[Any, ...]) -> dict[str, Any]:
        """Send a question and wait for its answer; the lock is held. Raises Misbehaved."""
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
            raise Misbehaved(self._at(hook, NO_ANSWER))
        self.spent += max(spent, 0.0)
        if answer.get("is_broken"):
            self._end()  # its copy is not what was sent; a fresh process costs little
        return answer

    def _exchange(self, hook: str, message: bytes, most: float, by_clock: float) -> dict[str, Any]:
        """Send, wait, read. Whatever goes wrong ends the process. Raises Misbehaved, and what interrupts."""
        connection = self._connection
        assert connection is not None
        began = self._used()

        def is_late(seconds: float) -> bool:
            if seconds <= min(most, by_clock):
                return False
            used = self._used() - began
            is_idle = seconds > by_clock and used < IDLE * seconds
            return used > most or is_idle or seconds > STARVED * by_clock

        try:
            if message:
                connection.settimeout(by_clock)
                send(connection, message)
            reply = receive_within(connection, self.limits.reply, is_late, self._process)
            if reply is not None:
                answer = json.loads(reply)
                if isinstance(answer, dict):
                    return answer
            what = NO_ANSWER if reply is not None else ""
        except (Late, TimeoutError):
            busy = self._used() - began > most
            what = (
                f"no answer after {most:g} s of processor time" if busy else f"no answer after {by_clock:g} s"
            )
        except TooLong as error:
            what = f"its answer of {error.size // 1000} kB is too long"
        except (ValueError, RecursionError):
            what = NO_ANSWER
        except OSError:
            what = ""
        except BaseException:
            self._end()  # the answer that is under way is nobody's
            raise
        raise Misbehaved(self._end_for(hook, what))

    def _end_for(self, hook: str, what: str) -> str:
        """End a process that did not answer well; what to say of it."""
        self._ends += 1
        where = self._asked_where()
        how = self._end()
        if not what:
            what = f"its process ended ({how or 'it closed its connection'})"
        return ": ".join(filter(None, (where or self.places.get(hook, "") or self.source, what)))

    def _asked_where(self) -> str:
        """File and line at which the process is, or crashed; empty when it does not say."""
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._process, signal.SIGUSR2)
        text = b""
        deadline = time.monotonic() + LAST_WORDS
        poll = select.poll()
        poll.register(self._last_words, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0 and poll.poll(1000 * left):
            piece = os.read(self._last_words, 1 << 16)
            if not piece:
                break
            text += piece
            deadline = min(deadline, time.monotonic() + 0.05)  # seconds; the rest follows at once
        file = self._file
        for name, line in re.findall(r'File "([^"\n]+)", line (\d+)', text.decode(errors="replace")):
            if name == file or (not file and name.endswith(".py")):
                return f"{name}, line {line}"
        return ""

    @property
    def _file(self) -> str:
        """The file that the strategy is in, as far as that is known."""
        name, _ = split_spec(self.source)
        if name.endswith(".py"):
            return name
        return next(iter(self.places.values()), "").rpartition(", line")[0]

    def _used(self) -> float:
        """Seconds of processor time that the process has used; 0 where the system does not say."""
        try:
            return time.clock_gettime(~self._pid << 3 | 2)  # as clock_getcpuclockid(3) makes it on Linux
        except OSError:
            return 0.0

    def _begin_again(self) -> None:
        if self._ends >= MOST_ENDS:
            raise Misbehaved(f"{self.source}: its process had to be ended {self._ends} times and stays off")
        try:
            self._begin()
        except (InvalidFile, Usage) as error:  # the file has changed since
            raise Misbehaved(str(error)) from error

    def _begin(self) -> None:
        """Start the process and have it load the strategy. Raises InvalidFile, Usage, Misbehaved."""
        limits = self.limits
        ours, theirs = socket.socketpair()
        self._last_words, last_words = os.pipe()
        wanted = {
            "source": self.source, "folder": self._folder, "path": sys.path, "memory": limits.memory
        }  # fmt: skip
        with theirs:
            self._pid = current_server().begin([theirs.fileno(), last_words, _prints()], wanted)
        os.close(last_words)
        self._process = os.pidfd_open(self._pid) if hasattr(os, "pidfd_open") else -1
        self._connection, self._sender, self._counts = ours, Sender(), None
        loaded = self._exchange("", b"", limits.loading, LOADING_BY_CLOCK * limits.loading)
        for key, kind in (("usage", Usage), ("invalid", InvalidFile)):
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
        self._take_options(loaded)

    def _take_options(self, loaded: dict[str, Any]) -> None:
        """What it says of its options and of what is going to change. Raises InvalidFile."""
        try:
            self.notes = tuple(str(note)[:MOST_TEXT] for note in loaded.get("notes", ()))
            self.options = tuple(
                Option(str(name), default, str(about)[:MOST_TEXT], least, most, tuple(map(str, choices)))
                for name, default, about, least, most, choices in loaded.get("options", ())
            )
            chosen = {str(name): str(value) for name, value in dict(loaded.get("chosen", {})).items()}
            self.chosen = chosen_of(self.options, chosen, self.name)
        except (TypeError, ValueError, AttributeError) as error:
            self._end()
            raise InvalidFile(f"{self.source}: its options are none ({error}): correct them") from error

    def _end(self) -> str:
        """End the process and let go of all that belongs to it; how it ended."""
        return current_server().end(self._pid) if self._let_go() else ""

    def _let_go(self) -> bool:
        """Close what belongs to the process; whether there was one."""
        if self._connection is None:
            return False
        self._connection.close()
        self._connection = None
        for descriptor in (self._process, self._last_words):
            if descriptor >= 0:
                os.close(descriptor)
        self._process = self._last_words = -1
        return True


def _prints() -> int:
    """Where what a strategy prints goes: to standard error, or nowhere if there is none."""
    try:
        os.fstat(2)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)
    return 2
