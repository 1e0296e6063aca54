"""How buttons are pressed: where, for how long, and on what; the way that every desktop has.

What a press is for is asked of the desktop immediately before it where the desktop can be asked so quickly
(`bot.desktop.x11.input`); elsewhere whoever wants a press asks first.

The mouse and the keyboard: single acts, and the ways in which a person stops them.

Through pyautogui, or what a backend has in its place (`bot.desktop.ports.Gui`). pyautogui opens the display
when it is imported, so it is imported here only when hands are made. Positions are points; on X11 these are
pixels.
"""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from bot.desktop.ports import Box, InputBackend, Windows
from bot.desktop.x11.windows import X11Windows, have_cookie_file
from games.errors import Interrupted, MissingRequirement

Button = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class PressTiming:
    """How a button is pressed, in seconds: over the place before, held, and at rest after the release."""

    hover: float = 0.0
    hold: float = 0.0
    rest: float = 0.0


QUICK = PressTiming()


@dataclass(frozen=True)
class PressTarget:
    """The window that a press is for, and where it was when its board was found.

    `id` is the program's own window; `parent` what it lies in and `top` that of its ancestors which lies on
    the screen itself (the frame of a window manager; the window where there is none). `box` is the place of
    `id` on the screen in pixels, with the shadow that it may draw.
    """

    id: int
    parent: int
    top: int
    box: Box


class ButtonPresser(Protocol):
    """Somebody who presses buttons."""

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a place (points) and release them.

        False, with nothing pressed, where the place is not the target's, as it was, any more.
        """


class GuiButtonPresser:
    """Presses through pyautogui, or what has its names. It cannot ask what is under the pointer."""

    def __init__(self, gui: Any) -> None:
        self._gui = gui

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
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


STOP_KEY = "Escape"
PAUSE_KEYS = ("Pause", "F9")
LAGS = 0.2  # seconds that the pointer may lag behind our moves
KEY_POLL = 0.02  # seconds between two looks at the keyboard during a pause
TAKEN = 3.0  # points that the pointer may be away from where it was left before a person is suspected


class Input:
    """One mouse and one keyboard.

    `windows` is asked for the stop key (Escape held) and for the pause keys; where the desktop does not say,
    only the mouse stops. `gui` is who acts, pyautogui by default, and `presses` who presses buttons, where
    that is somebody else; `taken` says what a person did when the pointer is not where it was left.
    Every act raises Interrupted when a person took the mouse, holds the stop key, or the pointer is in a
    corner of the screen (pyautogui's fail-safe). Raises MachineLacks when there is no screen to act on.
    """

    def __init__(
        self,
        windows: Windows,
        gui: InputBackend | None = None,
        taken: str = "you took the mouse",
        presses: ButtonPresser | None = None,
    ) -> None:
        self._gui: Any = gui or _pyautogui()
        self._windows = windows
        self._taken = taken
        self._left_at: tuple[float, float] | None = None
        if presses is None and isinstance(windows, X11Windows):
            presses = windows.presses()
        self._presses: ButtonPresser = presses or GuiButtonPresser(self._gui)
        self.say: Callable[[str], object] = lambda text: None  # hears of a pause
        self.before_act: Callable[[], object] = lambda: (
            None
        )  # asked before every act; raises Interrupted to stop

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the screen, points."""
        width, height = self._gui.size()
        return int(width), int(height)

    @property
    def pointer(self) -> tuple[float, float] | None:
        """Where the pointer is; None where the desktop does not say."""
        place = self._gui.position()
        return None if place is None else (float(place[0]), float(place[1]))

    def forget_pointer(self) -> None:
        """Forget where the pointer was left: it may be elsewhere at the next act."""
        self._left_at = None

    def check(self) -> None:
        """Wait while a person wants a pause; raise Interrupted when they want to stop."""
        self.before_act()
        if self._windows.held_keys(STOP_KEY, *PAUSE_KEYS):
            self._obey_keys()
        pointer = self.pointer
        if pointer and (round(pointer[0]), round(pointer[1])) in self._gui.FAILSAFE_POINTS:
            raise Interrupted("the mouse is in a corner of the screen (the fail-safe): move it out to go on")
        patience = LAGS
        while not self._is_where_left():
            # a window manager that holds back a click holds back the moves behind it too
            if patience <= 0:
                self._left_at = None
                raise Interrupted(f"{self._taken}: start again when it is free")
            time.sleep(0.005)
            patience -= 0.005

    def _obey_keys(self) -> None:
        """A pause lasts from one press of a pause key to the next. Raises Interrupted."""
        if not self._windows.held_keys(STOP_KEY):
            self.say("paused: press Pause or F9 to go on, Escape to stop")
            self.forget_pointer()  # the mouse is free meanwhile
            for is_held in (False, True, False):  # let go, pressed again, let go again
                while self._windows.held_keys(*PAUSE_KEYS) != is_held and not self._windows.held_keys(
                    STOP_KEY
                ):
                    time.sleep(KEY_POLL)
        if self._windows.held_keys(STOP_KEY):
            raise Interrupted("the stop key (Escape) is held: start again when you are ready")

    def _is_where_left(self) -> bool:
        if self._left_at is None:
            return True
        pointer = self.pointer
        return pointer is not None and (
            max(abs(pointer[0] - self._left_at[0]), abs(pointer[1] - self._left_at[1])) <= TAKEN
        )

    def wait(self, seconds: float) -> None:
        """Let time pass; a person who wants a pause or a stop meanwhile is heeded. Raises Interrupted."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, KEY_POLL))

    def click(
        self,
        x: float,
        y: float,
        button: Button = "left",
        target: PressTarget | None = None,
        touch: PressTiming = QUICK,
    ) -> bool:
        """Press and release one button at a place.

        False, with nothing pressed, where the place is not the `target`'s, as it was, any more.
        """
        return self._press(x, y, [button], target, touch)

    def click_both(
        self, x: float, y: float, target: PressTarget | None = None, touch: PressTiming = QUICK
    ) -> bool:
        """Press the left and the right button together at a place, and release them; else as `click`."""
        return self._press(x, y, ["left", "right"], target, touch)

    def _press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        self.check()
        try:
            return bool(self._do(self._presses.press, x, y, buttons, target, touch))
        finally:
            self._left_at = (x, y)

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a place."""
        self.check()
        self._do(self._gui.moveTo, x, y)
        self._left_at = (x, y)

    def press(self, chord: str) -> None:
        """Press keys together and release them: `n`, `escape`, `ctrl+n` (pyautogui's names)."""
        self.check()
        self._do(self._gui.hotkey, *chord.split("+"))

    def release(self) -> None:
        """Let no button stay pressed: an act may have been cut short."""
        for button in ("left", "middle", "right"):
            with contextlib.suppress(Exception):  # the display may be gone, and the buttons with it
                self._gui.platformModule._mouseUp(*self._gui.position(), button)  # noqa: SLF001

    def _do(self, act: Any, *arguments: Any) -> Any:
        try:
            return act(*arguments)
        except self._gui.FailSafeException as error:
            raise Interrupted(
                "the mouse is in a corner of the screen (the fail-safe): move it out to go on"
            ) from error


def _pyautogui() -> Any:
    """The module, without its pauses. Raises MachineLacks when there is no screen to act on."""
    have_cookie_file()
    try:
        with warnings.catch_warnings():  # pyscreeze and python3-xlib leave files open
            warnings.simplefilter("ignore", ResourceWarning)
            import pyautogui
    except BaseException as error:  # (KeyError, Xlib's own, even SystemExit without tkinter)
        if isinstance(error, KeyboardInterrupt):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MissingRequirement(
            f"the mouse cannot be used here ({reason}): `sapper doctor` says what is missing"
        ) from error
    pyautogui.PAUSE = 0
    pyautogui.MINIMUM_DURATION = 0
    pyautogui.MINIMUM_SLEEP = 0
    return pyautogui
