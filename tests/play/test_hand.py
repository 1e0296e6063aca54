"""`Hand` and the mouse input: clicks in the right places; the user can always interrupt."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import pytest
from drawing import QuietGuard
from waiting import wait_for

from bot.desktop.backends import Desktop
from bot.desktop.input import Input
from bot.desktop.ports import QUICK, PressTarget, PressTiming
from bot.game.types import Plan
from bot.play.hand import PRESS_TIMINGS, Hand, MovePacer, parking_point
from games.errors import BoardUnplayable, Interrupted, UsageError
from games.minesweeper import Board, Move
from vision.frame import Frame
from vision.lattice import Lattice

LATTICE = Lattice((10, 30, 50, 70), (100, 120, 140))
FRAME = Frame(np.zeros((200, 200, 3), np.uint8), left=5, top=7)


class FakeHands:
    """Records the requests."""

    screen = (0, 0, 1280, 900)

    def __init__(self) -> None:
        self.acts: list[tuple[Any, ...]] = []
        self.touches: list[Any] = []
        self.waited: list[float] = []
        self.time = 10.0
        self.refuses = 0  # the number of presses that find another window under the pointer

    def click(
        self, x: float, y: float, buttons: Sequence[str], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        if self.refuses:
            self.refuses -= 1
            return False
        self.acts.append((" and ".join(buttons), int(x), int(y)))
        self.touches.append(touch)
        return True

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.time += seconds

    def move(self, x: float, y: float) -> None:
        self.acts.append(("move", int(x), int(y)))


def hand_with(controls: FakeHands, **settings: Any) -> Hand:
    guard = settings.pop("guard", QuietGuard())
    return Hand(controls, FRAME, LATTICE, guard, **settings)  # type: ignore[arg-type]


def test_hand_move_clicks_middle_of_cell() -> None:
    controls = FakeHands()
    act = hand_with(controls, chord="middle", question_marks=True)
    act.act([Move("open", 0), Move("flag", 5), Move("unflag", 5), Move("chord", 4)])
    assert controls.acts == [("left", 25, 117), *[("right", 65, 137)] * 3, ("middle", 45, 137)]
    assert act.clicks == 5
    plain = hand_with(controls)
    plain.act([Move("unflag", 0)])  # without question marks
    plain.aim(replace(FRAME, left=100, top=50, scale=2.0), LATTICE)
    plain.act([Move("open", 0)])  # in points
    assert controls.acts[5:] == [("right", 25, 117), ("left", 110, 105)]


def test_hand_impossible_move_raises() -> None:
    controls = FakeHands()
    for cell in (-1, 6):
        with pytest.raises(ValueError, match="not on the 3x2 board"):
            hand_with(controls).act([Move("open", cell)])
    with pytest.raises(UsageError, match="chord"):
        hand_with(controls).act([Move("chord", 0)])
    assert not controls.acts


def test_hand_interval_waits_between_moves() -> None:
    controls = FakeHands()
    act = hand_with(controls, interval=0.25, clock=lambda: controls.time)
    act.act([Move("open", 0), Move("open", 1), Move("open", 2)])
    assert controls.waited == [0.25, 0.25]


def test_pacer_new_move_waits_whole_interval() -> None:
    controls = FakeHands()
    act = hand_with(controls, interval=0.25, clock=lambda: controls.time)
    pacer, board = MovePacer(act), Board.fresh(2, 3)
    first, second, third = (Move("open", k) for k in (0, 1, 2))
    for move, later in ((first, (second,)), (second, ()), (third, ())):
        controls.time += 0.1  # the program draws
        pacer.on_plan(board, Plan((move,), later=later))
        act.act([move])
    assert [round(seconds, 2) for seconds in controls.waited] == [0.25, 0.15, 0.25]


class Guard:
    """Counts its checks, which may raise."""

    def __init__(self, target: PressTarget | None, trouble: Exception | None = None) -> None:
        self.target = target
        self.checks = 0
        self._trouble = trouble

    def check(self, was_refused: bool = False) -> None:
        self.checks += 1
        if self._trouble:
            raise self._trouble

    def wait_while_stopped(self) -> None:
        pass


TARGET = PressTarget(7, 3, 3, (0, 0, 200, 200))


def test_hand_refused_press_guard_explains() -> None:
    controls, guard = FakeHands(), Guard(TARGET, BoardUnplayable("the window moved"))
    act = hand_with(controls, guard=guard)
    act.act([Move("open", 0)])
    controls.refuses = 1
    with pytest.raises(BoardUnplayable, match="moved"):
        act.act([Move("open", 1), Move("open", 2)])
    assert controls.acts == [("left", 25, 117)]
    assert (guard.checks, act.moves_made, act.clicks) == (1, 0, 1)


def test_hand_briefly_refused_press_repeats() -> None:
    controls, guard = FakeHands(), Guard(TARGET)
    act = hand_with(controls, guard=guard)
    controls.refuses = 2
    act.act([Move("open", 0), Move("open", 1)])
    assert len(controls.acts) == act.clicks == act.moves_made == 2
    controls.refuses = 3
    with pytest.raises(BoardUnplayable, match="unknown window covers"):
        act.act([Move("open", 0)])


def test_hand_no_target_asks_guard_each_press() -> None:
    controls, guard = FakeHands(), Guard(None)
    hand_with(controls, guard=guard, chord="both").act([Move("flag", 0), Move("unflag", 0), Move("chord", 1)])
    assert guard.checks == len(controls.acts) == 3


def test_hand_callback_raises_stops() -> None:
    controls = FakeHands()
    act = hand_with(controls)

    def before() -> None:
        if len(controls.acts) == 2:
            raise Interrupted("stop")

    with pytest.raises(Interrupted):
        act.act([Move("open", k) for k in range(4)], before)
    assert act.moves_made == 2


def test_hand_lost_click_presses_longer() -> None:
    controls = FakeHands()
    act = hand_with(controls)
    act.act([Move("open", 0)])
    act.profile.record_losses(1)
    act.act([Move("open", 0)])
    assert controls.touches == [QUICK, PRESS_TIMINGS[1]]


@pytest.mark.parametrize(
    ("board", "window"),
    [
        ((10.0, 40.0, 400.0, 300.0), (0, 0, 410, 310)),
        ((10.0, 40.0, 1270.0, 890.0), (0, 0, 1280, 900)),
        ((0.0, 0.0, 1280.0, 890.0), (0, 0, 1280, 900)),
        ((300.0, 300.0, 500.0, 500.0), None),
    ],
)
def test_parking_is_off_board_and_edges(
    board: tuple[float, float, float, float], window: tuple[int, int, int, int] | None
) -> None:
    x, y = parking_point(board, (0, 0, 1280, 900), window)
    assert not (board[0] <= x < board[2] and board[1] <= y < board[3])
    assert 1 <= x < 1279
    assert 1 <= y < 899


def test_parking_left_monitor_stays_near() -> None:
    """The main monitor begins at 0, so a monitor left of it has negative positions."""
    board, window = (-1900.0, 40.0, -1500.0, 300.0), (-1910, 0, 420, 310)
    assert parking_point(board, (-1920, 0, 3200, 900), window) == (-1700, 322)


@pytest.fixture
def user(desktop: Desktop) -> Any:
    """The mouse and the keyboard of the user at this desktop."""
    import pyautogui

    return pyautogui


@pytest.mark.live
def test_input_user_moves_mouse_raises(desktop: Desktop, user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop.controls.move(300, 300)
    desktop.controls.check()
    user.moveTo(340, 300)
    with pytest.raises(Interrupted, match="you took the mouse"):
        desktop.controls.click(300, 300)
    user.moveTo(0, 0)
    with pytest.raises(Interrupted, match="corner"):
        desktop.controls.click(300, 300)
    monkeypatch.setattr(user, "FAILSAFE", False)  # to get out of the corner
    user.moveTo(200, 200)


@pytest.mark.live
def test_input_held_escape_raises(desktop: Desktop, user: Any) -> None:
    user.keyDown("escape")
    try:
        with pytest.raises(Interrupted, match="Escape"):
            desktop.controls.click(300, 300)
    finally:
        user.keyUp("escape")
    wait_for(lambda: not desktop.windows.pressed_keys("Escape"))  # a held key is pressed repeatedly
    desktop.controls.click(300, 300)


@pytest.mark.live
def test_input_tapped_escape_raises_at_next_look(desktop: Desktop, user: Any) -> None:
    """A press is noticed although the key is up again; one by Sapper itself is not."""
    desktop.controls.check()
    user.press("escape")
    with pytest.raises(Interrupted, match="Escape"):
        desktop.controls.wait(10)
    desktop.controls.check()
    desktop.controls.press("escape")
    user.press("a")
    desktop.controls.wait(0.2)


@pytest.mark.live
@pytest.mark.usefixtures("desktop")
def test_key_log_press_at_once_is_noticed() -> None:
    """A log listens as soon as it exists."""
    from Xlib import XK, X
    from Xlib.ext.xtest import fake_input

    from bot.desktop.x11.keyboard import X11KeyLog
    from bot.desktop.x11.windows import open_display

    with closing(open_display()) as display:
        code = display.keysym_to_keycode(XK.XK_F9)
        for _ in range(10):
            with closing(X11KeyLog(open_display(), open_display(), frozenset([code]), Counter())) as log:
                fake_input(display, X.KeyPress, code)
                fake_input(display, X.KeyRelease, code)
                display.sync()
                wait_for(lambda: log.take() == {code})


class Monitor:
    """Ends a pause after the user has moved the mouse, and interrupts the third act."""

    def __init__(self, user: Any = None) -> None:
        self.user = user
        self.notes: list[str] = []
        self.asked = 0

    def on_pause(self, status: str) -> None:
        self.notes.append(status)
        if status:
            Thread(target=self.resume).start()

    def resume(self) -> None:
        user = self.user
        for act, *words in ((user.keyUp, "f9"), (user.moveTo, 400, 310), (user.press, "f9")):
            time.sleep(0.15)
            act(*words)

    def obey(self) -> None:
        self.asked += 1
        if self.asked == 3:
            raise Interrupted("q was pressed")


@pytest.mark.live
def test_input_pause_key_waits_and_frees_mouse(desktop: Desktop, user: Any) -> None:
    monitor = Monitor(user)
    controls = Input(desktop.backend, monitor)
    controls.click(300, 300)
    user.keyDown("f9")
    controls.click(300, 300)
    note, end = monitor.notes
    assert "F9" in note
    assert end == ""
    assert controls.pointer == (300, 300)


@pytest.mark.live
def test_input_terminal_request_interrupts(desktop: Desktop) -> None:
    monitor = Monitor()
    controls = Input(desktop.backend, monitor)
    assert controls.click(300, 300)
    with pytest.raises(Interrupted, match="q was"):
        controls.wait(60)
    assert monitor.asked == 3
