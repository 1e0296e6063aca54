"""Where the time of a game goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from bot.loop.ports import Clock, SystemClock

Share = Literal["capture", "read", "reason", "act", "wait"]


class Stopwatch:
    """Adds up seconds by kind of work."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.seconds: dict[Share, float] = {}
        self.restart()

    def restart(self) -> None:
        """Forget everything and begin again."""
        self._began = self.clock.now()
        self.seconds = dict.fromkeys(("capture", "read", "reason", "act", "wait"), 0.0)

    @property
    def total(self) -> float:
        """Seconds since the restart."""
        return self.clock.now() - self._began

    @contextmanager
    def timing(self, share: Share) -> Iterator[None]:
        """Add the time spent inside to one share."""
        began = self.clock.now()
        try:
            yield
        finally:
            self.seconds[share] += self.clock.now() - began
