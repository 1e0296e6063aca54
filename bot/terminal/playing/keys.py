"""Keys that are pressed on the terminal, one by one and without waiting."""

from __future__ import annotations

import contextlib
import sys
from typing import Any


class Keys:
    """The keyboard of the terminal that standard input is; it says nothing before `open` and behind `close`.

    Where there is no such terminal, `open` does nothing, and `are_open` stays False.
    """

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        self.are_open = False

    def open(self) -> None:
        """Have keys reported at once and not shown."""
        if self.are_open or not sys.stdin or not sys.stdin.isatty():
            return
        if sys.platform != "win32":
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        self.are_open = True

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._before is not None:
            import termios

            with contextlib.suppress(termios.error, OSError, ValueError):  # the terminal may be closed
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None
        self.are_open = False

    def pressed(self) -> str:
        """The letter that was pressed last since this was last asked, in lower case; "" for none."""
        key = ""
        while self.are_open and (letter := _next()):
            key = letter
        return key.lower()


def _next() -> str:
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.getwch() if msvcrt.kbhit() else ""
    import os
    import select

    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else ""
