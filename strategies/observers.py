"""Reporting of game events to observers, each in its own thread, so that none can delay or break the game."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from queue import Full, Queue
from threading import Thread
from typing import Any

from strategies.hookspecs import Event, GameEnd
from strategies.strategy import Strategy

MOST_WAITING = 10_000  # queued events per observer; further ones are dropped and reported
SETTLE = 2.0  # seconds; maximum wait for observers at the end of a game


class ObserverGroup:
    """Sends the events of each game to observers, in order; `ended` returns their output and faults."""

    def __init__(self, observers: Sequence[Strategy]) -> None:
        self._threads = [_ObserverThread(observer) for observer in observers]

    @property
    def has_observers(self) -> bool:
        """Whether there are observers."""
        return bool(self._threads)

    def report(self, hook: str, **arguments: Event) -> None:
        """Call a hook of all observers; `game_started` also restarts those that the last game quarantined."""
        for each in self._threads:
            each.report(hook, arguments)

    def ended(self, result: GameEnd) -> list[str]:
        """Report the end of the game and wait up to SETTLE seconds; the observers' output, as lines."""
        self.report("ended", result=result)
        deadline = time.monotonic() + SETTLE
        return [text for each in self._threads for text in each.output(deadline)]

    def close(self) -> None:
        """End the processes of the observers."""
        for each in self._threads:
            each.close()


class _ObserverThread:
    """One observer with its thread and event queue."""

    def __init__(self, observer: Strategy) -> None:
        self._observer = observer
        self._events: Queue[tuple[str, Mapping[str, Any]] | None] = Queue(MOST_WAITING)
        self._output: Queue[str] = Queue()
        self._dropped = 0
        self._is_off = False
        Thread(target=self._listen, name=f"observer {observer.name}", daemon=True).start()

    def report(self, hook: str, arguments: Mapping[str, Event]) -> None:
        try:
            self._events.put_nowait((hook, arguments))
        except Full:
            self._dropped += 1

    def output(self, deadline: float) -> list[str]:
        """The observer's output, once all events are delivered or the deadline (monotonic seconds) passes."""
        while self._events.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.001)
        texts: list[str] = []
        while not self._output.empty():  # nothing else takes texts out
            texts.append(self._output.get())
        if left := self._events.unfinished_tasks:
            texts.append(f"observer {self._observer.name} is {left} events behind: the game did not wait")
        if self._dropped:
            texts.append(f"observer {self._observer.name} missed {self._dropped} events: it is too slow")
            self._dropped = 0
        return texts

    def close(self) -> None:
        """End its process, even during a call."""
        self._is_off = True
        if not self._events.full():
            self._events.put(None)
        self._observer.close()

    def _listen(self) -> None:
        while (event := self._events.get()) is not None:
            self._deliver(*event)
            self._events.task_done()

    def _deliver(self, hook: str, arguments: Mapping[str, Any]) -> None:
        if hook == "game_started":
            self._is_off = False
        if self._is_off:
            return
        try:
            for text in self._observer.observe(hook, arguments):
                self._output.put(text)
        except BaseException as error:  # noqa: BLE001 - plugin code: reported as a fault
            self._is_off = True
            what = self._observer.blamed(hook, error)
            self._output.put(f"observer {self._observer.name} is quarantined for this game: {what}")
