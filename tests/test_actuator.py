"""Moves become the right clicks in the right places, and a person always comes first."""

from __future__ import annotations

from threading import Timer
from typing import Any

import numpy as np
import pytest

from bot.live.actuator import Actuator, parking
from bot.live.surroundings import Desktop
from games.errors import Interrupted, Usage
from games.minesweeper.moves import Move
from vision.frame import Frame
from vision.lattice import Lattice

LATTICE = Lattice((10, 30, 50, 70), (100, 120, 140))
FRAME = Frame(np.zeros((200, 200, 3), np.uint8), left=5, top=7)


class FakeHands:
    """Writes down what it is asked to do."""

    screen = (1280, 900)

    def __init__(self) -> None:
        self.acts: list[tuple[Any, ...]] = []

    def click(self, x: float, y: float, button: str = "left") -> None:
        self.acts.append((button, int(x), int(y)))

    def click_both(self, x: float, y: float) -> None:
        self.acts.append(("both", int(x), int(y)))

    def move(self, x: float, y: float) -> None:
        self.acts.append(("move", int(x), int(y)))


def actuator(hands: FakeHands, **settings: Any) -> Actuator:
    made = Actuator(hands, **settings)  # type: ignore[arg-type]
    made.aim(FRAME, LATTICE)
    return made


def test_moves_click_the_middle_of_their_cell() -> None:
    hands = FakeHands()
    act = actuator(hands, chord="middle", question_marks=True)
    act.act([Move("open", 0), Move("flag", 5), Move("unflag", 5), Move("chord", 4)])
    assert hands.acts == [
        ("left", 25, 117),
        ("right", 65, 137),
        ("right", 65, 137),
        ("right", 65, 137),
        ("middle", 45, 137),
    ]
    assert act.clicks == 5


def test_one_right_click_takes_a_flag_off_without_question_marks() -> None:
    hands = FakeHands()
    actuator(hands).act([Move("unflag", 0)])
    assert hands.acts == [("right", 25, 117)]


def test_pixels_become_points_on_a_scaled_screen() -> None:
    hands = FakeHands()
    act = Actuator(hands)  # type: ignore[arg-type]
    act.aim(Frame(np.zeros((200, 200, 3), np.uint8), left=100, top=50, scale=2.0), LATTICE)
    act.open(0)
    assert hands.acts == [("left", 110, 105)]


@pytest.mark.parametrize("cell", [-1, 6])
def test_nothing_is_clicked_outside_the_lattice(cell: int) -> None:
    hands = FakeHands()
    with pytest.raises(ValueError, match="not on the 3x2 board"):
        actuator(hands).open(cell)
    assert not hands.acts


def test_a_chord_needs_a_way() -> None:
    with pytest.raises(Usage, match="chord"):
        actuator(FakeHands()).chord(0)


def test_acts_are_at_least_the_interval_apart() -> None:
    now = [10.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    act = actuator(FakeHands(), interval=0.25, clock=lambda: now[0], sleep=sleep)
    act.act([Move("open", 0), Move("open", 1), Move("open", 2)])
    assert slept == [0.25, 0.25]


@pytest.mark.parametrize(
    ("board", "window"),
    [
        ((10.0, 40.0, 400.0, 300.0), (0, 0, 410, 310)),
        ((10.0, 40.0, 1270.0, 890.0), (0, 0, 1280, 900)),
        ((0.0, 0.0, 1280.0, 890.0), (0, 0, 1280, 900)),
        ((300.0, 300.0, 500.0, 500.0), None),
    ],
)
def test_the_pointer_parks_off_the_board_and_off_every_edge(
    board: tuple[float, float, float, float], window: tuple[int, int, int, int] | None
) -> None:
    x, y = parking(board, (1280, 900), window)
    assert not (board[0] <= x < board[2] and board[1] <= y < board[3])
    assert 1 <= x < 1279
    assert 1 <= y < 899


@pytest.mark.live
def test_a_person_at_the_mouse_stops_the_hands(desktop: Desktop) -> None:
    desktop.hands.move(300, 300)
    desktop.hands.check()
    desktop.hands._gui.moveTo(340, 300)  # noqa: SLF001  (the person)
    with pytest.raises(Interrupted, match="you took the mouse"):
        desktop.hands.click(300, 300)
    desktop.hands._gui.moveTo(0, 0)  # noqa: SLF001
    with pytest.raises(Interrupted, match="corner"):
        desktop.hands.click(300, 300)
    desktop.hands._gui.FAILSAFE = False  # noqa: SLF001  (to get out of the corner)
    desktop.hands._gui.moveTo(200, 200)  # noqa: SLF001
    desktop.hands._gui.FAILSAFE = True  # noqa: SLF001


@pytest.mark.live
def test_a_held_escape_stops_the_hands(desktop: Desktop) -> None:
    desktop.hands.let_go()
    desktop.hands._gui.keyDown("escape")  # noqa: SLF001  (the person)
    try:
        with pytest.raises(Interrupted, match="Escape"):
            desktop.hands.click(300, 300)
    finally:
        desktop.hands._gui.keyUp("escape")  # noqa: SLF001
    desktop.hands.click(300, 300)


@pytest.mark.live
def test_a_pause_key_is_waited_out_and_the_mouse_is_free_meanwhile(desktop: Desktop) -> None:
    hands, said = desktop.hands, list[str]()
    hands.click(300, 300)
    gui = hands._gui  # noqa: SLF001  (the person)

    def go_on(text: str) -> None:
        said.append(text)
        key: tuple[Any, ...] = ("f9",)
        steps = [(gui.keyUp, key), (gui.moveTo, (400, 310)), (gui.keyDown, key), (gui.keyUp, key)]
        for number, (do, words) in enumerate(steps):
            Timer(0.15 * (number + 1), do, words).start()

    gui.keyDown("f9")
    hands.say = go_on
    try:
        hands.click(300, 300)
    finally:
        hands.say = lambda text: None
    assert len(said) == 1
    assert "F9" in said[0]
    assert hands.pointer == (300, 300)
