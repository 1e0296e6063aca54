"""What becomes of a board that cannot be read any more: a window over it, a message, a new game, nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from drawing import draw, lattice_for, skin_of
from tables import JumpingClock

from bot.desktop.ports import PressTarget, Window
from bot.desktop.x11.windows import X11Windows
from bot.game.types import BoardState
from bot.play.board_status import BoardStatusProbe
from bot.play.finder import LocatedBoard
from bot.play.guard import WindowGuard
from bot.play.screen import BoardVisibility
from games.errors import BoardNotFound
from games.logic import cell_set
from games.minesweeper import Board
from vision.frame import Frame
from vision.reading import Reading

SKIN = skin_of("xdemineur")
BEFORE, AFTER = Board.parse("111..\n1.1..\n111..\n....."), Board.parse("1111.\n1.11.\n1111.\n.....")
LATTICE = lattice_for(BEFORE, SKIN, 24, 32)
ROW = LATTICE.ys[1]  # where the second row begins
GAME = Window(7, "Mines", None, (0, 0, 200, 200), (0, 0, 200, 200), 0, True)


def picture(board: Board) -> Frame:
    return draw(board, SKIN)


def under(frame: Frame, rows: int, colour: int = 90) -> Frame:
    """The same with something over its upper rows of cells."""
    pixels = frame.pixels.copy()
    pixels[: LATTICE.ys[rows]] = colour
    return replace(frame, pixels=pixels)


class Desk(X11Windows):
    """Windows without a screen; those with an even id are the game's own."""

    def __init__(self, *windows: Window) -> None:
        self.windows = list(windows)

    def all(self) -> list[Window] | None:
        return self.windows

    def get(self, id: int) -> Window | None:
        return next((window for window in self.windows if window.id == id), None)

    def same_program(self, id: int, other: int) -> bool:
        return id % 2 == 0

    def extent(self, id: int) -> tuple[int, int] | None:
        return None

    def target(self, id: int) -> PressTarget:
        return PressTarget(id, id, id, GAME.box)


class Sight:
    """A board's place on the screen, that shows one picture after the other."""

    def __init__(self, *shown: Frame) -> None:
        self.glimpses = BoardVisibility()
        self.glimpses.begin(picture(BEFORE), LATTICE, BEFORE)
        self.shown = list(shown)
        self.read: list[Frame] = []

    def picture(self) -> Frame:
        return self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]

    def last_visible(self, covered: int = 0) -> Frame | None:
        frame = self.glimpses.latest
        return self.glimpses.patch_covered(self.picture(), covered) if frame is None and covered else frame

    def read_glimpse(self, frame: Frame) -> Reading:
        self.read.append(frame)
        return Reading.sure(AFTER)


def seen(board: Board) -> Callable[[], LocatedBoard]:
    return lambda: LocatedBoard(picture(board), LATTICE, SKIN, board)


def nothing() -> LocatedBoard:
    raise BoardNotFound("no board")


class AnswerCounter:
    """A recorder that counts the dialogs that were answered."""

    def __init__(self) -> None:
        self.count = 0

    def witnessed(self, *status: object) -> None:
        pass

    def answered(self) -> None:
        self.count += 1


def witness(
    sight: Sight,
    glance: Callable[[], LocatedBoard] = nothing,
    windows: tuple[Window, ...] = (GAME,),
    press: Callable[[int, str], object] | None = None,
    recorder: AnswerCounter | None = None,
) -> BoardStatusProbe:
    return BoardStatusProbe(
        sight,  # type: ignore[arg-type]
        Desk(*windows),
        lambda: GAME,
        seen(BEFORE),
        glance,
        JumpingClock(),
        press or (lambda window, key: None),
        recorder,  # type: ignore[arg-type]
    )


def over(id: int) -> Window:
    """A window over the first row."""
    box = (0, 0, 200, ROW - 1)
    return Window(id, "Well done", None, box, box, 1, True)


BESIDE = Window(10, "About", None, (300, 0, 90, 90), (300, 0, 90, 90), 2, True)


@pytest.mark.parametrize(
    ("windows", "shown", "pressed"),
    [
        ((GAME, over(8)), under(picture(AFTER), 1), [(8, "enter"), (8, "space")]),  # it stays
        ((GAME, over(9)), under(picture(AFTER), 1), []),  # somebody else's
        ((GAME, over(8), over(9)), under(picture(AFTER), 1), []),
        ((GAME,), under(picture(AFTER), 4), [(7, "enter")]),  # in its own window
        ((GAME,), picture(AFTER), []),  # nothing lies over it
        ((GAME, BESIDE), picture(AFTER), []),
        ((replace(GAME, box=(50, 0, 200, 200)),), under(picture(AFTER), 4), []),  # it moved
        ((), under(picture(AFTER), 4), []),
    ],
)
def test_status_probe_answers_own_dialogs_only(
    windows: tuple[Window, ...], shown: Frame, pressed: list[tuple[int, str]]
) -> None:
    done: list[tuple[int, str]] = []
    recorder = AnswerCounter()
    probe = witness(Sight(shown), windows=windows, press=lambda *key: done.append(key), recorder=recorder)
    assert probe.dismiss_dialog() == bool(pressed) == bool(recorder.count)
    assert done == pressed


@pytest.mark.parametrize(
    ("windows", "what"),
    [
        ((GAME, over(8)), "window"),
        ((GAME, over(9)), "there"),  # somebody else's: nobody can say
        ((GAME, over(8), over(9)), "there"),
        ((), "closed"),
        ((replace(GAME, is_shown=False),), "there"),  # put away, or on another workspace
        ((replace(GAME, box=(50, 0, 200, 200)),), "there"),  # moved
    ],
)
def test_status_probe_windows_decide(windows: tuple[Window, ...], what: BoardState) -> None:
    found = witness(Sight(under(picture(AFTER), 1)), windows=windows).status(waits=False)
    assert found.state == what
    # the first row is covered, the second one changed in one cell, the last one looks as it did
    if what == "window":
        assert found.unchanged == BEFORE.everything & ~cell_set([*range(5), 8, 13])
        assert found.last_reading is not None  # of what is not covered


@pytest.mark.parametrize(
    ("shows", "glance", "what"),
    [
        (picture(AFTER), nothing, "there"),
        (under(picture(AFTER), 2), nothing, "message"),
        (under(picture(AFTER), 4), nothing, "gone"),
        (picture(Board.fresh(4, 5)), seen(Board.fresh(4, 5)), "fresh"),
        (picture(Board.fresh(4, 5)), seen(Board.fresh(8, 8)), "there"),  # another board
        (under(picture(AFTER), 4), seen(AFTER), "there"),  # drawn in other colours
    ],
)
def test_status_probe_picture_decides(
    shows: Frame, glance: Callable[[], LocatedBoard], what: BoardState
) -> None:
    assert witness(Sight(shows), glance).status(waits=False).state == what


def test_status_probe_waits_only_on_request() -> None:
    hidden, shown = under(picture(AFTER), 2), picture(AFTER)
    assert witness(Sight(hidden, hidden, hidden, shown)).status(waits=True).state == "there"
    assert witness(Sight(hidden, hidden, hidden, shown)).status(waits=False).state == "message"
    assert witness(Sight(hidden)).status(waits=True).state == "message"


def test_status_probe_reads_last_board_picture() -> None:
    sight = Sight(under(picture(AFTER), 4))
    for frame in (picture(BEFORE), picture(AFTER), under(picture(AFTER), 3), sight.picture()):
        sight.glimpses.saw(frame)
    assert sight.glimpses.latest is not None
    assert np.array_equal(sight.glimpses.latest.pixels, picture(AFTER).pixels)
    found = witness(sight).status(waits=False)
    assert (found.state, found.last_reading is not None, len(sight.read)) == ("gone", True, 1)


def test_status_probe_no_visible_move_no_reading() -> None:
    glimpses = Sight(picture(AFTER)).glimpses
    glimpses.saw(picture(BEFORE))
    assert glimpses.latest is None


def test_status_probe_own_window_ends_look_once() -> None:
    box = seen(BEFORE)().box
    guard = WindowGuard(Desk(GAME, over(8)), box)
    assert [guard.has_new_dialog(), guard.has_new_dialog()] == [True, False]
    assert not WindowGuard(Desk(GAME, over(9)), box).has_new_dialog()
    assert not WindowGuard(Desk(GAME), box).has_new_dialog()
