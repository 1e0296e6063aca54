"""How buttons are pressed: where, for how long, and on what; the way that every desktop has.

What a press is for is asked of the desktop immediately before it where the desktop can be asked so quickly
(`bot.desktop.x11.presses`); elsewhere whoever wants a press asks first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from bot.desktop.windows import Box

Button = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class Touch:
    """How a button is pressed, in seconds: over the place before, held, and at rest after the release."""

    hover: float = 0.0
    hold: float = 0.0
    rest: float = 0.0


QUICK = Touch()


@dataclass(frozen=True)
class Target:
    """The window that a press is for, and where it was when its board was found.

    `id` is the program's own window; `parent` what it lies in and `top` that of its ancestors which lies on
    the screen itself (the frame of a window manager; the window where there is none). `box` is the place of
    `id` on the screen in pixels, with the shadow that it may draw.
    """

    id: int
    parent: int
    top: int
    box: Box


class Presses(Protocol):
    """Somebody who presses buttons."""

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: Target | None, touch: Touch
    ) -> bool:
        """Press buttons together at a place (points) and release them.

        False, with nothing pressed, where the place is not the target's, as it was, any more.
        """


class GuiPresses:
    """Presses through pyautogui, or what has its names. It cannot ask what is under the pointer."""

    def __init__(self, gui: Any) -> None:
        self._gui = gui

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: Target | None, touch: Touch
    ) -> bool:
        """Press and release; True."""
        self._gui.moveTo(x, y)
        time.sleep(touch.hover)
        down: list[Button] = []
        try:
            for button in buttons:
                down.append(button)
                self._gui.mouseDown(x, y, button=button)
            time.sleep(touch.hold)
        finally:
            for button in reversed(down):
                self._gui.mouseUp(x, y, button=button)
        time.sleep(touch.rest)
        return True
