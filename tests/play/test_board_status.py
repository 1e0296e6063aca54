"""`BoardStatusProbe`: covered by a window or a message, replaced, gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from drawing import ScriptedFinder, draw, lattice_for, skin_of
from tables import JumpingClock

from bot.desktop.ports import PressTarget, Window, Windows
from bot.game.types import BoardState, Stopwatch
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
    """The frame with its upper rows covered."""
    pixels = frame.pixels.copy()
    pixels[: LATTICE.ys[rows]] = colour
    return replace(frame, pixels=pixels)


def dimmed(frame: Frame, share: float = 0.4, colour: int = 0) -> Frame:
    """The frame below a translucent colour, with a message over its last row."""
    pixels = np.rint(frame.pixels * share + colour * (1 - share)).astype(np.uint8)
    pixels[LATTICE.ys[-2] :] = 250
    return replace(frame, pixels=pixels)


class KeyDesktop(Windows):
    """Windows and keys without a screen; windows with an even id belong to the game."""

    def __init__(self, *windows: Window) -> None:
        self.windows = list(windows)
        self.focused = 0
        self.pressed: list[tuple[int, str]] = []
        self.closed: list[int] = []

    def check(self) -> None:
        """No key or corner stops the game."""

    def dismiss(self, id: int) -> None:
        self.closed.append(id)

    def focus(self, id: int) -> None:
        self.focused = id

    def press(self, key: str) -> None:
        self.pressed.append((self.focused, key))

    def all(self) -> list[Window] | None:
        return self.windows

    def same_program(self, id: int, other: int) -> bool:
        return id % 2 == 0

    def target(self, id: int) -> PressTarget:
        return PressTarget(id, id, id, GAME.box)


class PicturesTable:
    """A table that shows one picture after the other."""

    def __init__(self, *shown: Frame) -> None:
        self.located = seen(BEFORE)()
        self.finder = ScriptedFinder(nothing)
        self.guard = SimpleNamespace(board_window=GAME)
        self.watch = Stopwatch(JumpingClock())
        self.visibility = BoardVisibility(picture(BEFORE), LATTICE, BEFORE)
        self.shown = list(shown)
        self.read: list[Frame] = []

    def picture(self) -> Frame:
        return self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]

    def last_visible(self, covered: int = 0) -> Frame | None:
        if self.visibility.latest is not None:
            return self.visibility.latest
        now = self.picture()
        return self.visibility.patch_covered(now, covered) if covered else self.visibility.without_veil(now)

    def read_earlier(self, frame: Frame) -> Reading:
        self.read.append(frame)
        return Reading.sure(AFTER)


def seen(board: Board) -> Callable[[], LocatedBoard]:
    return lambda: LocatedBoard(picture(board), LATTICE, board, SKIN)


def nothing() -> LocatedBoard:
    raise BoardNotFound("no board")


def probe_of(
    readers: PicturesTable,
    find: Callable[[], LocatedBoard] = nothing,
    desk: KeyDesktop | None = None,
    recorder: object = None,
) -> BoardStatusProbe:
    desk = desk or KeyDesktop(GAME)
    readers.finder = ScriptedFinder(find)
    arguments: Any = readers, desk, desk, recorder
    return BoardStatusProbe(*arguments)


def over(id: int) -> Window:
    """A window over the first row."""
    box = (0, 0, 200, ROW - 1)
    return Window(id, "Well done", None, box, box, 1, True)


BESIDE = Window(10, "About", None, (300, 0, 90, 90), (300, 0, 90, 90), 2, True)


@pytest.mark.parametrize(
    ("windows", "shown", "pressed"),
    [
        ((GAME, over(8)), under(picture(AFTER), 1), [(8, "enter"), (8, "space")]),  # it stays
        ((GAME, over(9)), under(picture(AFTER), 1), []),  # another program
        ((GAME, over(8), over(9)), under(picture(AFTER), 1), []),
        ((GAME,), under(picture(AFTER), 4), [(7, "enter")]),  # in its own window, and it stays
        ((GAME,), picture(AFTER), []),  # not covered
        ((GAME, BESIDE), picture(AFTER), []),
        ((replace(GAME, box=(50, 0, 200, 200)),), under(picture(AFTER), 4), []),  # it moved
        ((), under(picture(AFTER), 4), []),
    ],
)
def test_status_probe_answers_own_dialogs_only(
    windows: tuple[Window, ...], shown: Frame, pressed: list[tuple[int, str]]
) -> None:
    desk, recorder = KeyDesktop(*windows), Mock()
    probe = probe_of(PicturesTable(shown), desk=desk, recorder=recorder)
    is_answered = (GAME, over(8)) == windows
    assert probe.dismiss_dialog() == is_answered == recorder.on_answer.called
    assert desk.pressed == pressed


def test_status_probe_lasting_new_dialog_is_closed() -> None:
    """Of two windows that ignore the keys, only the one that was not open at the start is closed."""
    desk = KeyDesktop(GAME, over(8))
    probe = probe_of(PicturesTable(under(picture(AFTER), 1)), desk=desk)
    assert probe.dismiss_dialog()
    assert desk.closed == []
    desk.windows = [GAME, over(12)]
    assert probe.dismiss_dialog()
    assert desk.closed == [12]
    assert desk.pressed[-2:] == [(12, "enter"), (12, "space")]


def test_status_probe_message_reacts_to_key() -> None:
    readers = PicturesTable(*[under(picture(AFTER), 4)] * 3, picture(AFTER))
    assert probe_of(readers, desk=KeyDesktop(GAME)).dismiss_dialog()


@pytest.mark.parametrize(
    ("windows", "what"),
    [
        ((GAME, over(8)), "window"),
        ((GAME, over(9)), "there"),  # another program
        ((GAME, over(8), over(9)), "there"),
        ((), "closed"),
        ((replace(GAME, is_shown=False),), "there"),  # minimised or on another workspace
        ((replace(GAME, box=(50, 0, 200, 200)),), "there"),  # moved
    ],
)
def test_status_probe_windows_decide(windows: tuple[Window, ...], what: BoardState) -> None:
    found = probe_of(PicturesTable(under(picture(AFTER), 1)), desk=KeyDesktop(*windows)).status(waits=False)
    assert found.state == what
    # the first row is covered, the second and third have changed cells
    if what == "window":
        assert found.unchanged == BEFORE.everything & ~cell_set([*range(5), 8, 13])
        assert found.last_reading is not None  # of the visible part


@pytest.mark.parametrize(
    ("shows", "glance", "what"),
    [
        (picture(AFTER), nothing, "there"),
        (under(picture(AFTER), 2), nothing, "message"),
        (under(picture(AFTER), 4), nothing, "gone"),
        (picture(Board.fresh(4, 5)), seen(Board.fresh(4, 5)), "fresh"),
        (picture(Board.fresh(4, 5)), seen(Board.fresh(8, 8)), "there"),  # another board
        (under(picture(AFTER), 4), seen(AFTER), "there"),  # drawn in other colours
        (dimmed(picture(AFTER)), seen(AFTER), "veil"),
        (dimmed(picture(AFTER), 0.7, 255), nothing, "veil"),
    ],
)
def test_status_probe_picture_decides(
    shows: Frame, glance: Callable[[], LocatedBoard], what: BoardState
) -> None:
    assert probe_of(PicturesTable(shows), glance).status(waits=False).state == what


def test_visibility_veil_is_removed() -> None:
    """A cell that has changed keeps its new look, within rounding."""
    visibility = BoardVisibility(picture(BEFORE), LATTICE, BEFORE)
    cleared = visibility.without_veil(dimmed(picture(AFTER)))
    assert cleared is not None
    wrong = cleared.pixels[: LATTICE.ys[-2]].astype(int) - picture(AFTER).pixels[: LATTICE.ys[-2]]
    assert np.abs(wrong).max() <= 5
    shown = visibility.unchanged_cells(picture(AFTER)) or 0
    assert visibility.unchanged_cells(cleared) == shown & ~cell_set(range(15, 20))
    for frame in (picture(BEFORE), picture(AFTER), under(picture(AFTER), 2), picture(Board.fresh(4, 5))):
        assert visibility.without_veil(frame) is None


def test_status_probe_waits_only_on_request() -> None:
    hidden, shown = under(picture(AFTER), 2), picture(AFTER)
    assert probe_of(PicturesTable(hidden, hidden, hidden, shown)).status(waits=True).state == "there"
    assert probe_of(PicturesTable(hidden, hidden, hidden, shown)).status(waits=False).state == "message"
    assert probe_of(PicturesTable(hidden)).status(waits=True).state == "message"


def test_status_probe_reads_last_board_picture() -> None:
    readers = PicturesTable(under(picture(AFTER), 4))
    readers.visibility.keep_if_visible(picture(BEFORE))
    assert readers.last_visible() is None  # no move is visible yet
    for frame in (picture(AFTER), under(picture(AFTER), 3), readers.picture()):
        readers.visibility.keep_if_visible(frame)
    assert readers.visibility.latest is not None
    assert np.array_equal(readers.visibility.latest.pixels, picture(AFTER).pixels)
    found = probe_of(readers).status(waits=False)
    assert (found.state, found.last_reading is not None, len(readers.read)) == ("gone", True, 1)


def test_status_probe_own_window_ends_look_once() -> None:
    def guard(*windows: Window) -> WindowGuard:
        return WindowGuard(KeyDesktop(*windows), seen(BEFORE)().box, print, print)

    own = guard(GAME, over(8))
    assert [own.has_new_dialog(), own.has_new_dialog()] == [True, False]
    assert not guard(GAME, over(9)).has_new_dialog()
    assert not guard(GAME).has_new_dialog()
