"""`ScreenTable`: waits, reads, and clicks if the guard allows it. No display needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest
from drawing import (
    GREY,
    SKIN,
    Mouse,
    Pictures,
    QuietGuard,
    ScriptedFinder,
    draw,
    lattice_for,
    readers,
    skin_of,
)
from tables import JumpingClock, field_of

from bot.game.types import Stopwatch
from bot.play.finder import LocatedBoard
from bot.play.screen import LONGEST, PROMPT, QUIET, REACT, BoardVisibility, ScreenTable
from games.errors import BoardUnplayable, ImageUnsettled, Interrupted
from games.logic import bits
from games.minesweeper import Board, Minefield, Move
from vision.cells.clusters import ClusterStore, Ids
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading

Colour = int | tuple[int, int, int]
FIELD = "*...\n....\n....\n...*"


class ScreenScene:
    """A screen table with fakes. `show(capture number, image)` may change the image."""

    def __init__(
        self,
        truth: str = FIELD,
        show: Callable[[int, Frame], Frame] | None = None,
        guard: QuietGuard | None = None,
        tick: float = 0.001,
    ) -> None:
        self.skin = skin_of(SKIN)
        self.field: Minefield = field_of(truth)
        self.clock = JumpingClock(tick)
        self.guard = guard or QuietGuard()
        self.mouse = Mouse(self.field)
        self.seen: list[tuple[Frame, Reading]] = []
        self.pictures = Pictures(lambda grab: show(grab, self.picture()) if show else self.picture())
        lattice = lattice_for(self.field.board, self.skin, 24, 32)
        self.located = LocatedBoard(self.picture(), lattice, self.field.board)
        self.reader = readers().reader(self.located.region_lattice, self.skin)
        self.screen = ScreenTable(
            self.pictures,  # type: ignore[arg-type]
            self.located,
            self.reader,
            self.mouse,  # type: ignore[arg-type]
            self.guard,  # type: ignore[arg-type]
            ScriptedFinder(lambda: self.located),
            Stopwatch(self.clock),
            on_look=lambda frame, reading: self.seen.append((frame, reading)),
        )

    def picture(self) -> Frame:
        return draw(self.field.board, self.skin)

    def look(self) -> Board:
        return self.screen.look().board

    def act(self, *moves: Move) -> None:
        self.screen.act(moves, certain=True)

    def delay_changes(self) -> None:
        """From now on, changes become visible after 40 captures."""
        before = self.picture()
        self.pictures.change(lambda grab: before if grab < 40 else self.picture())


def scene_after_look(guard: QuietGuard | None = None) -> ScreenScene:
    """A scene after its first look."""
    scene = ScreenScene(guard=guard)
    scene.look()
    return scene


@pytest.mark.parametrize("left", [48, 49])
@pytest.mark.parametrize("width", [40, 41])
def test_located_board_region_whole_points(left: int, width: int) -> None:
    pixels = np.arange(200 * 220 * 3, dtype=np.uint32).astype(np.uint8).reshape(200, 220, 3)
    frame = Frame(pixels, 10, 20, 2.0)
    lattice = Lattice((left, left + 20, left + width), (61, 80, 100))
    located = LocatedBoard(frame, lattice, Board.fresh(2, 2))
    x, y, wide, high = located.region
    assert all(part == int(part) for part in located.region)
    # a capture of that region with two pixels per point shows the same cells
    first_x, first_y = round((x - 10) * 2), round((y - 20) * 2)
    cut = frame.crop(first_x, first_y, round(wide * 2), round(high * 2))
    for k in range(4):
        a, b, c, d = lattice.rectangle(k)
        e, f, g, h = located.region_lattice.rectangle(k)
        assert np.array_equal(frame.pixels[b:d, a:c], cut.pixels[f:h, e:g])
    assert 0 <= located.region_lattice.xs[0] < 2
    assert wide * 2 - located.region_lattice.xs[-1] < 2


def test_screen_look_reports_reading() -> None:
    scene = ScreenScene()
    reading = scene.screen.look()
    assert reading.board == Board.fresh(4, 4)
    assert reading.lowest > 0.9
    assert [told.board for _, told in scene.seen] == [reading.board]
    assert scene.seen[0][0].pixels.shape == (84, 84, 3)  # only the board


def test_screen_resized_while_waiting_is_followed() -> None:
    """The window is resized after the check and before the capture: the old positions are not read."""
    scene = scene_after_look()
    scene.field.play([Move("open", 3)])
    large = skin_of("kmines")
    after = draw(scene.field.board, large)

    def show(grab: int) -> Frame:
        scene.guard.has_resized |= grab == 3
        return scene.picture() if grab < 3 else after

    scene.located = LocatedBoard(after, lattice_for(scene.field.board, large, 24, 32), scene.field.board)
    scene.pictures.change(show)
    assert scene.look().cells == scene.field.board.cells
    assert scene.guard.followed
    assert len(scene.seen) == 2


def test_screen_zoomed_board_is_followed() -> None:
    """A page is zoomed in a window that keeps its size: nothing is clicked at the old positions."""
    scene = scene_after_look()
    large = skin_of("kmines")
    after = draw(scene.field.board, large)
    scene.located = LocatedBoard(after, lattice_for(scene.field.board, large, 24, 32), scene.field.board)
    scene.pictures.change(lambda _: after)
    scene.act(Move("open", 3))
    assert scene.mouse.acts == []
    assert set(scene.look().cells) == {"."}
    assert scene.guard.followed
    scene.act(Move("open", 3))
    assert len(scene.mouse.acts) == 1


def test_screen_flash_starts_no_search() -> None:
    """A won game flashes: all colours change, and the cells stay where they are."""
    scene = scene_after_look()
    scene.act(Move("open", 3))
    flash = Frame(255 - scene.picture().pixels)
    scene.located = replace(
        scene.located, frame=replace(scene.located.frame, left=100)
    )  # a search would find this
    scene.pictures.change(lambda _: flash)
    scene.look()
    assert not scene.guard.followed


@pytest.mark.parametrize(("margin", "is_hidden"), [(2, False), (6, True)])
def test_visibility_ignores_margins_of_numbers(margin: int, is_hidden: bool) -> None:
    """Programs redraw the margin of a number when its neighbour is opened."""
    board, skin = Board.parse("1221\n1221\n1221\n...."), skin_of(SKIN)
    before, lattice = draw(board, skin), lattice_for(board, skin, 24, 32)
    pixels = before.pixels.copy()
    for cell in bits(board.open):
        left, top, _, bottom = lattice.rectangle(cell)
        pixels[top:bottom, left : left + margin] = 90
    visibility = BoardVisibility(before, lattice, board)
    assert visibility.is_hidden(Frame(pixels)) is is_hidden


def painted(frame: Frame, left: int, top: int, width: int, height: int, colour: Colour) -> Frame:
    """The frame with a rectangle of one colour."""
    pixels = frame.pixels.copy()
    pixels[top : top + height, left : left + width] = colour
    return Frame(pixels)


def test_screen_animation_waits_until_still() -> None:
    scene = ScreenScene(show=lambda grab, frame: painted(frame, 60 + min(grab, 11), 60, 10, 10, GREY))
    assert scene.look().unread == 0
    assert scene.pictures.grabs > 10
    assert scene.clock.time >= QUIET


def test_screen_constantly_changing_image_raises() -> None:
    scene = ScreenScene(show=lambda grab, frame: painted(frame, 40, 40, 1, 1, grab % 251))
    with pytest.raises(ImageUnsettled, match="was not still"):
        scene.screen.look()
    assert scene.clock.time < LONGEST + 1
    assert scene.seen == []


def test_screen_slow_program_waits_for_change() -> None:
    scene = scene_after_look()
    scene.delay_changes()
    scene.act(Move("open", 5))
    assert scene.look()[5] == "1"
    assert scene.pictures.grabs > 40


@pytest.mark.parametrize(("sleep_time", "kind"), [(0.02, 0), (math.inf, 1)], ids=["clock", "event"])
def test_screen_prompt_program_needs_no_quiet(sleep_time: float, kind: int) -> None:
    scene = scene_after_look()
    scene.guard.sleep_time = sleep_time
    for _ in range(PROMPT - 1):
        scene.screen.promptness[kind].record(is_late=False)
    spent = []
    for cell in (5, 10):
        began = scene.clock.time
        scene.act(Move("open", cell))
        assert scene.look()[cell] == "1"
        spent.append(scene.clock.time - began)
    assert spent[1] < QUIET <= spent[0]


@pytest.mark.parametrize(("awake", "half", "learned"), [(0.0, 3, True), (0.02, 4, False)])
def test_screen_asleep_after_half_picture(awake: float, half: int, learned: bool) -> None:
    """The program shows the move, draws the rest and falls asleep after this many captures.

    If it sleeps shortly before, until its next image, that sleep does not mean that the image is final.
    """
    scene = scene_after_look()
    for promptness in scene.screen.promptness:
        for _ in range(PROMPT):
            promptness.record(is_late=False)
    if awake:
        scene.screen.promptness[0].record(is_late=True)
    scene.act(Move("open", 5))
    first = scene.picture()
    scene.field.play([Move("open", 6)])

    def show(grab: int) -> Frame:
        scene.guard.sleep_time = math.inf if grab >= half else awake
        return first if grab <= half else scene.picture()

    scene.pictures.change(show)
    assert scene.look()[6] == "0"
    assert [each.is_prompt for each in scene.screen.promptness] == [learned, True]


def test_screen_late_change_is_not_prompt() -> None:
    scene = scene_after_look()
    scene.guard.sleep_time = math.inf
    for _ in range(PROMPT):
        scene.screen.promptness[1].record(is_late=False)
    assert scene.screen.promptness[1].is_prompt
    scene.act(Move("open", 5))
    scene.look()
    scene.field.play([Move("open", 9)])  # the program draws something later
    scene.act(Move("open", 6))
    assert not scene.screen.promptness[1].is_prompt


def test_screen_lost_click_waits_a_limited_time() -> None:
    scene = scene_after_look()
    began = scene.clock.time
    scene.mouse.field = field_of(FIELD)  # the click is lost
    scene.act(Move("open", 5))
    assert scene.look() == Board.fresh(4, 4)
    assert REACT <= scene.clock.time - began < REACT + 1


def test_screen_two_moves_waits_for_both() -> None:
    scene = scene_after_look()
    fresh = scene.picture()
    scene.field.play([Move("open", 1)])
    half = scene.picture()
    scene.field.play([Move("open", 4)])
    scene.mouse.field = field_of(FIELD)
    frames = [fresh] * 5 + [half] * 40
    scene.pictures.change(lambda grab: frames[grab] if grab < len(frames) else scene.picture())
    scene.act(Move("open", 1), Move("open", 4))
    assert scene.look().names(scene.look().open) == ["r0c1", "r1c0"]


def test_screen_chord_waits_for_neighbours() -> None:
    scene = ScreenScene()
    scene.field.play([Move("open", 5)])
    scene.screen.look()
    scene.delay_changes()
    scene.act(Move("flag", 0), Move("chord", 5))
    board = scene.look()
    assert board[0] == "F"
    assert board.open.bit_count() > 1
    assert scene.pictures.grabs > 40


def test_screen_repeated_looks_take_longer() -> None:
    scene = ScreenScene()
    spent = []
    for _ in range(5):
        began = scene.clock.time
        scene.screen.look()
        spent.append(scene.clock.time - began)
    assert spent == sorted(spent)
    assert spent[-1] > 2 * spent[0]


def test_screen_reads_changed_cells_only(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_after_look()
    assigned: list[int] = []
    whole = ClusterStore.assign

    def assign(self: ClusterStore, frame: Frame, lattice: Lattice, cells: Iterable[int] | None = None) -> Ids:
        chosen = list(range(16) if cells is None else cells)
        assigned.extend(chosen)
        return whole(self, frame, lattice, chosen)

    monkeypatch.setattr(ClusterStore, "assign", assign)
    scene.act(Move("open", 5))
    assert scene.look()[5] == "1"
    assert assigned == [5]


class CoveringPopup(QuietGuard):
    """Guard with a popup over the board until it is dismissed."""

    is_up = True

    def dismiss_popup(self) -> bool:
        was, self.is_up = self.is_up, False
        return was

    def over(self, grab: int, frame: Frame) -> Frame:
        return painted(frame, 40, 50, 60, 40, GREY) if self.is_up else frame


def test_screen_popup_dismissed_and_read_again() -> None:
    popup = CoveringPopup()
    scene = ScreenScene(show=popup.over, guard=popup)
    assert scene.look().unread == 0
    assert not popup.is_up
    assert len(scene.seen) == 1
    assert popup.checks == 0


def test_screen_permanent_cover_guard_raises() -> None:
    class Stubborn(CoveringPopup):
        def dismiss_popup(self) -> bool:
            return False

        def check(self, was_refused: bool = False) -> None:
            raise BoardUnplayable("the board is covered")

    guard = Stubborn()
    scene = ScreenScene(show=guard.over, guard=guard)
    with pytest.raises(BoardUnplayable, match="covered"):
        scene.screen.look()
    assert scene.seen == []


def test_screen_stained_cell_is_unread() -> None:
    scene = ScreenScene(show=lambda _, frame: painted(frame, 46, 54, 14, 16, (0, 200, 255)))
    board = scene.look()
    assert board.names(board.unread) == ["r1c1"]
    assert (scene.guard.clears, scene.guard.checks) == (1, 1)


def test_screen_act_asks_guard_first() -> None:
    class Moved(QuietGuard):
        def check(self, was_refused: bool = False) -> None:
            raise BoardUnplayable("the window moved")

    scene = scene_after_look(Moved())
    with pytest.raises(BoardUnplayable, match="moved"):
        scene.act(Move("open", 5))
    assert scene.mouse.acts == []


def test_screen_act_parks_pointer() -> None:
    scene = scene_after_look(QuietGuard((1, 2, 3, 4)))
    scene.act(Move("open", 5))
    assert scene.mouse.parked == [(1, 2, 3, 4)]
    assert scene.guard.checks == 1


def test_screen_act_passes_on_interrupted() -> None:
    scene = scene_after_look()

    def taken(moves: object, before: object) -> None:
        raise Interrupted("you took the mouse")

    scene.mouse.act = taken  # type: ignore[method-assign]
    with pytest.raises(Interrupted):
        scene.act(Move("open", 5))
    assert scene.mouse.parked == []
