"""Games reported to observers, each in a thread of its own: none of them can hold a game up, or harm it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

from games.minesweeper import Board, Move
from strategies.hookspecs import Event, GameEnd, GameInfo, PlanInfo
from strategies.strategy import Strategy

MOST_WAITING = 10_000  # events that wait for one observer; more are left out, and that is said
SETTLE = 2.0  # seconds that the end of a game waits for observers


class ObserverGroup:
    """Some observers of one game after the other.

    Events go to each in their order; what it has to say, and what it did wrong, comes out of `ended`.
    """

    def __init__(self, observers: Sequence[Strategy]) -> None:
        self._watchers = [_ObserverThread(observer) for observer in observers]

    @property
    def has_observers(self) -> bool:
        """Whether anybody hears of the games."""
        return bool(self._watchers)

    def game_started(self, game: GameInfo) -> None:
        """A game begins; who was quarantined in the one before is asked again."""
        self._report("game_started", {"game": game})

    def observed(self, board: Board) -> None:
        """The board was read."""
        self._report("observed", {"board": board})

    def planned(self, board: Board, plan: PlanInfo) -> None:
        """This was planned for that board."""
        self._report("planned", {"board": board, "plan": plan})

    def acted(self, board: Board, moves: tuple[Move, ...]) -> None:
        """These moves were made."""
        self._report("acted", {"board": board, "moves": moves})

    def ended(self, result: GameEnd) -> list[str]:
        """The game is over; a line for each thing that an observer has to say. Waits, but not for ever."""
        self._report("ended", {"result": result})
        deadline = time.monotonic() + SETTLE
        return [text for each in self._watchers for text in each.heard(deadline)]

    def close(self) -> None:
        """End their processes."""
        for each in self._watchers:
            each.close()

    def _report(self, hook: str, said: Mapping[str, Event]) -> None:
        for each in self._watchers:
            each.report(hook, said)


class _ObserverThread:
    """One observer, its thread, and what waits for it."""

    def __init__(self, observer: Strategy) -> None:
        self._observer = observer
        self._events: Queue[tuple[str, Mapping[str, Any]] | None] = Queue(MOST_WAITING)
        self._says: Queue[str] = Queue()
        self._left_out = 0
        self._is_off = False
        Thread(target=self._listen, name=f"observer {observer.name}", daemon=True).start()

    def report(self, hook: str, said: Mapping[str, Event]) -> None:
        try:
            self._events.put_nowait((hook, said))
        except Full:
            self._left_out += 1

    def heard(self, deadline: float) -> list[str]:
        """What it has said until all events are done, or this moment has come."""
        while self._events.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.001)
        texts: list[str] = []
        while True:
            try:
                texts.append(self._says.get_nowait())
            except Empty:
                break
        if left := self._events.unfinished_tasks:
            texts.append(f"observer {self._observer.name} is {left} events behind: the game did not wait")
        if self._left_out:
            texts.append(f"observer {self._observer.name} missed {self._left_out} events: it is too slow")
            self._left_out = 0
        return texts

    def close(self) -> None:
        """End its process, also in the middle of an answer."""
        self._is_off = True
        self._events.put(None) if not self._events.full() else None
        self._observer.close()

    def _listen(self) -> None:
        while (event := self._events.get()) is not None:
            self._deliver(*event)
            self._events.task_done()

    def _deliver(self, hook: str, said: Mapping[str, Any]) -> None:
        if hook == "game_started":
            self._is_off = False
        if self._is_off:
            return
        try:
            for text in self._observer.observe(hook, said):
                self._says.put(text)
        except BaseException as error:  # noqa: BLE001 - somebody else's code: reported as a fault
            self._is_off = True
            what = self._observer.blamed(hook, error)
            self._says.put(f"observer {self._observer.name} is quarantined for this game: {what}")
