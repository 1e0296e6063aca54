"""The keys with which a person stops, pauses or asks for hints, as far as sway says which keys are pressed.

Under Wayland a program sees only the keys that are meant for its own windows. Sway runs a command when a key
is pressed or let go, and names it to who asked for it; so the keys are bound to commands that do nothing,
from the first question for them until the end. Meanwhile no other program gets them. A key that the person's
own configuration has bound stays the person's.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator

from bot.desktop.wayland.swayline import CONFIG, SUBSCRIBE, SwayLine
from games.errors import MachineLacks

DOWN, UP = "nop sapper down", "nop sapper up"
TAP = 0.2  # seconds that a key counts as held at least, from when Sapper hears of it
BINDING = re.compile(r"^\s*bind(?:sym|code)\s+(?:--\S+\s+)*(\S+)", re.MULTILINE)
MODE = re.compile(r"^\s*mode\s.*?\{.*?^\s*\}", re.MULTILINE | re.DOTALL)  # what is bound in another mode


class BoundKeys:
    """Watches keys by sway's binding events; `path` is sway's socket, SWAYSOCK's by default.

    Names are XKB's, such as `Escape`. Asks sway for nothing before it is asked for a key. Raises MachineLacks
    when sway goes away.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._line: SwayLine | None = None
        self._bound: set[str] = set()
        self._asked: set[str] = set()
        self._down: set[str] = set()
        self._tapped: list[str] = []
        self._until: dict[str, float] = {}  # until when a key counts as held that was let go meanwhile

    def held(self, *names: str) -> bool:
        """Whether one of the keys is down, or was tapped since the last question: then a moment long."""
        self._watch(set(names) - self._asked)
        self._take_in()
        now = time.monotonic()
        return any(name in self._down or now < self._until.get(name, now) for name in names)

    def tapped(self) -> list[str]:
        """The keys that were pressed since this was last asked, of those that are bound here."""
        self._take_in()
        tapped, self._tapped = self._tapped, []
        return tapped

    def bind(self, *names: str) -> tuple[str, ...]:
        """From now on hear these keys; those that somebody else has."""
        self._watch(set(names) - self._asked)
        return tuple(name for name in names if name not in self._bound)

    @contextlib.contextmanager
    def let_through(self) -> Iterator[None]:
        """Meanwhile the keys go to the programs: Sapper presses them itself."""
        bound = set(self._bound)
        self._unbind()
        try:
            yield
        finally:
            self._bind(bound)

    def close(self) -> None:
        """Give the keys back; a second time does nothing."""
        if self._line is not None:
            with contextlib.suppress(MachineLacks):  # sway went first, and its bindings with it
                self._unbind()
            self._line.close()
            self._line = None

    def _watch(self, names: set[str]) -> None:
        if not names:
            return
        if self._line is None:
            self._line = SwayLine(self._path)
            self._line.ask(SUBSCRIBE, json.dumps(["binding"]))
        self._asked |= names
        self._bind(names - bound_by_person(str(self._line.ask(CONFIG).get("config", ""))))

    def _bind(self, names: set[str]) -> None:
        assert self._line is not None or not names
        for name in sorted(names):
            assert self._line is not None
            if self._line.do(f"bindsym --no-repeat {name} {DOWN}"):
                self._line.do(f"bindsym --release {name} {UP}")
                self._bound.add(name)

    def _unbind(self) -> None:
        for name in sorted(self._bound):
            assert self._line is not None
            self._line.do(f"unbindsym {name}")
            self._line.do(f"unbindsym --release {name}")
        self._bound.clear()
        self._down.clear()
        self._until.clear()

    def _take_in(self) -> None:
        """Note what was pressed and let go."""
        for event in self._line.events() if self._line is not None else ():
            binding = event.get("binding", {})
            symbol = str(binding.get("symbol"))
            if symbol not in self._bound:
                continue
            if binding.get("command") == DOWN:
                self._down.add(symbol)
                self._tapped.append(symbol)
                self._until[symbol] = time.monotonic() + TAP
            elif binding.get("command") == UP:
                self._down.discard(symbol)


def bound_by_person(config: str) -> set[str]:
    """The keys that a configuration of sway binds by themselves, without a modifier, in its usual mode."""
    return {key for key in BINDING.findall(MODE.sub("", config)) if "+" not in key}
