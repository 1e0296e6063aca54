"""Mouse and keyboard input, and the ways in which the user can stop it.

Input goes through pyautogui, or the `InputBackend` and the `ButtonPresser` of a backend. pyautogui opens the
display when it is imported, so it is imported only when an `Input` is created. Positions are points; on X11
these are pixels.

A backend with a `ButtonPresser` may check the window under the pointer immediately before the button goes
down (`bot.desktop.x11.input`); elsewhere the caller checks first.
"""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

from bot.desktop.ports import GRABBED, QUICK, Backend, Box, Button, ButtonPresser, PressTarget, PressTiming
from games.errors import BoardUnplayable, Interrupted, MissingRequirement


class GuiButtonPresser:
    """Presses through pyautogui, without checking the window under the pointer."""

    def __init__(self, gui: Any) -> None:
        self._gui = gui

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press and release; always True."""
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


IN_CORNER = "the mouse is in a corner of the screen (the fail-safe): move it out to go on"
STOP_KEY = "Escape"
PAUSE_KEYS = ("Pause", "F9")
POINTER_LAG = 0.2  # seconds; maximum delay of the pointer behind our moves
GRAB_PASSES = 10.0  # seconds in which another program usually releases the mouse
KEY_POLL = 0.02  # seconds between two keyboard queries during a pause
POINTER_TOLERANCE = 3.0  # points between the expected and the actual pointer that do not count as user input


class InputMonitor(Protocol):
    """The user interface that observes the input; `bot.show.terminal.GameTerminal` is one."""

    def on_pause(self, status: str) -> None:
        """Show this status while the user pauses Sapper; an empty one ends the pause."""

    def obey(self) -> None:
        """Handle the user's requests; called before every act. Raises Interrupted to stop."""


class Input:
    """The mouse and the keyboard of a desktop.

    On desktops that do not report the stop and pause keys, only the mouse stops Sapper. Every act raises
    Interrupted if the user moved the mouse or pressed the stop key (Escape), or the pointer is in a corner of
    the screen (pyautogui's fail-safe). Raises MissingRequirement without a screen.
    """

    def __init__(self, backend: Backend, monitor: InputMonitor | None = None) -> None:
        self._gui: Any = backend.gui or load_pyautogui()
        self._windows = backend.windows
        self._taken = backend.taken
        self._left_at: tuple[float, float] | None = None
        self._presser: ButtonPresser = backend.presser or GuiButtonPresser(self._gui)
        self._hotkey = backend.hotkey or self._gui.hotkey
        self._monitor = monitor

    @property
    def screen(self) -> Box:
        """The box of the screen, or of all monitors together, points."""
        width, height = self._gui.size()
        return (*self._windows.origin, int(width), int(height))

    @property
    def pointer(self) -> tuple[float, float] | None:
        """The pointer position, points; None if unknown."""
        place = self._gui.position()
        return None if place is None else (float(place[0]), float(place[1]))

    def forget_pointer(self) -> None:
        """Allow the pointer to be elsewhere at the next act."""
        self._left_at = None

    def check(self) -> None:
        """Wait while the user pauses Sapper; raise Interrupted if the user stops it."""
        if self._monitor:
            self._monitor.obey()
        if keys := self._windows.pressed_keys(STOP_KEY, *PAUSE_KEYS):
            self._obey_keys(keys)
        pointer = self.pointer
        if pointer and (round(pointer[0]), round(pointer[1])) in self._gui.FAILSAFE_POINTS:
            raise Interrupted(IN_CORNER)
        patience = POINTER_LAG
        while not self._is_where_left(pointer):
            # a window manager that delays a click also delays the moves that follow it
            if patience <= 0:
                self._left_at = None
                raise Interrupted(f"{self._taken}: start again when it is free")
            time.sleep(0.005)
            patience -= 0.005
            pointer = self.pointer

    def _obey_keys(self, keys: frozenset[str]) -> None:
        """Stop, or pause until the pause key is pressed again. Raises Interrupted."""
        if STOP_KEY not in keys:
            if self._monitor:
                self._monitor.on_pause("paused: press Pause or F9 to go on, Escape to stop")
            self.forget_pointer()  # the user may move the mouse during the pause
            for is_held in (False, True, False):  # released, pressed again, released again
                while STOP_KEY not in keys and bool(keys) != is_held:
                    time.sleep(KEY_POLL)
                    keys = self._windows.pressed_keys(STOP_KEY, *PAUSE_KEYS)
            if self._monitor:
                self._monitor.on_pause("")
        if STOP_KEY in keys:
            raise Interrupted("the stop key (Escape) was pressed: start again when you are ready")

    def _is_where_left(self, pointer: tuple[float, float] | None) -> bool:
        if self._left_at is None:
            return True
        return pointer is not None and (
            max(abs(pointer[0] - self._left_at[0]), abs(pointer[1] - self._left_at[1])) <= POINTER_TOLERANCE
        )

    def wait(self, seconds: float) -> None:
        """Wait while obeying the pause and stop keys. Raises Interrupted."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, KEY_POLL))

    def wait_for_release(self) -> None:
        """Wait while another program has grabbed the mouse. Raises BoardUnplayable, Interrupted.

        For presses next to the board, such as a button that starts the next game: they have no target,
        because the menus that they open grab the mouse themselves.
        """
        deadline = time.monotonic() + GRAB_PASSES
        while self._windows.is_pointer_grabbed:
            if time.monotonic() > deadline:
                raise BoardUnplayable(f"{GRABBED}: close it")
            self.wait(KEY_POLL)

    def click(
        self,
        x: float,
        y: float,
        buttons: Sequence[Button] = ("left",),
        target: PressTarget | None = None,
        touch: PressTiming = QUICK,
    ) -> bool:
        """Press and release buttons together at a position; see `ButtonPresser.press`."""
        self.check()
        try:
            return bool(self._do(self._presser.press, x, y, buttons, target, touch))
        finally:
            self._left_at = (x, y)

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a position."""
        self.check()
        self._do(self._gui.moveTo, x, y)
        self._left_at = (x, y)

    def press(self, chord: str) -> None:
        """Press keys together and release them: `n`, `escape`, `ctrl+n` (pyautogui's names)."""
        self.check()
        self._do(self._hotkey, *chord.split("+"))

    def release(self) -> None:
        """Release all buttons after an act that may have been interrupted."""
        module = self._gui.platformModule
        with contextlib.suppress(Exception):  # the display may be gone
            if hasattr(module, "_display"):  # after an interrupted request, Xlib never returns from the next
                module._display.close()  # noqa: SLF001 - pyautogui opens it only once
                module._display = module.Display(None)  # noqa: SLF001 - the same
            place = self._gui.position()
            for button in ("left", "middle", "right"):
                module._mouseUp(*place, button)  # noqa: SLF001 - pyautogui.mouseUp may raise FailSafeException

    def _do(self, act: Any, *arguments: Any) -> Any:
        try:
            return act(*arguments)
        except self._gui.FailSafeException as error:
            raise Interrupted(IN_CORNER) from error


def load_pyautogui() -> Any:
    """The pyautogui module, without its pauses. Raises MissingRequirement without a screen."""
    try:
        with warnings.catch_warnings():  # pyscreeze and python3-xlib leave files open
            warnings.simplefilter("ignore", ResourceWarning)
            import pyautogui
    except BaseException as error:  # KeyError, Xlib errors, or SystemExit without tkinter
        if isinstance(error, KeyboardInterrupt):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MissingRequirement(
            f"the mouse is unavailable ({reason}): `sapper doctor` names the missing requirement"
        ) from error
    pyautogui.PAUSE = 0
    pyautogui.MINIMUM_DURATION = 0
    pyautogui.MINIMUM_SLEEP = 0
    return pyautogui
