"""How far a long run has come, for people, on stderr."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

PLAIN_EVERY = 30.0  # seconds between two lines where there is no terminal


class RunProgress:
    """A bar on a terminal, a plain line now and then where there is none; with `quiet` neither."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what, self._quiet = what, quiet
        self._console = Console(file=sys.stderr, highlight=False)
        self._bar: Progress | None = None
        self._said = time.monotonic()

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[note]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._task = self._bar.add_task(self._what, total=None, note="")
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def at(self, done: int, total: int, note: str = "") -> None:
        """So much is done, of so much; `note` is a few words about it."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, note=note)
        elif not self._quiet and time.monotonic() - self._said > PLAIN_EVERY:
            self._said = time.monotonic()
            self._console.print(
                f"{self._what}: {done} of {total} {note}".rstrip(), markup=False, soft_wrap=True
            )
