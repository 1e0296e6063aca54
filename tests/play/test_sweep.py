"""`SweepExecutor`: moves in order, interrupted when the board changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from drawing import SKIN, draw, lattice_for, skin_of
from tables import JumpingClock, field_of

from bot.play.hand import GLANCE, REACT, STAY, SweepExecutor
from games.errors import BoardUnplayable, Interrupted, SapperError
from games.minesweeper import Minefield, Move
from vision.frame import Frame

TRUTH = "*.......\n........\n........\n.......*"
OPENS = [Move("open", k) for k in (4, 5, 6, 7)]


class SweepScene:
    """Hand, guard and screen of a board with some numbers."""

    def __init__(
        self,
        pace: float = GLANCE,
        trouble: dict[int, BaseException] | None = None,
        is_only_seen: bool = False,
    ) -> None:
        self.field: Minefield = field_of(TRUTH)
        self.field.play([Move("open", k) for k in (1, 8, 9, 22, 23, 30)])
        self.skin = skin_of(SKIN)
        self.lattice = lattice_for(self.field.board, self.skin, 24, 32)
        self.clock = JumpingClock()
        self.pace = pace
        self.trouble = trouble or {}
        self.clicked: list[Move] = []
        self.losses: list[int] = []
        self.followed: list[bool] = []
        self.moves_made = 0
        self.shown: Callable[[Frame], Frame] = lambda frame: frame
        self.checked = 0
        self.is_late = False
        self.looks: tuple[int, ...] = ()  # presses after which their effect is checked
        self.window = None if is_only_seen else (0, 0, 400, 300)
        arguments: Any = self, self.grab, self.clock, self, self.follow, self.grab_cell
        self.sweeper = SweepExecutor(*arguments)
        self.before = self.grab()

    def grab(self) -> Frame:
        return self.shown(draw(self.field.board, self.skin))

    def grab_cell(self, cell: int) -> Frame:
        left, top, right, bottom = self.lattice.rectangle(cell)
        return self.grab().crop(left, top, right - left, bottom - top)

    @property
    def profile(self) -> SweepScene:
        return self

    def should_verify(self, made: int) -> bool:
        return made in self.looks

    def act(self, moves: Sequence[Move], before: Callable[[], object]) -> None:
        self.moves_made = 0
        for move in moves:
            self.clock.sleep(self.pace)
            before()
            if len(self.clicked) in self.trouble:
                raise self.trouble.pop(len(self.clicked))
            self.clicked.append(move)
            self.moves_made += 1

    is_tried = False

    def record_losses(self, moves: int) -> None:
        self.losses.append(moves)

    def follow(self) -> bool:
        return bool(self.followed) and self.followed.pop()

    def check(self, was_refused: bool = False) -> None:
        self.checked += 1
        if -1 in self.trouble:
            raise self.trouble[-1]

    def wait_until_responsive(self) -> bool:
        if -2 in self.trouble:
            raise self.trouble[-2]
        return self.is_late

    def make(self, moves: Sequence[Move]) -> Sequence[Move]:
        return self.sweeper.make(moves, self.before, self.field.board, self.lattice)


@pytest.mark.parametrize("is_open", [False, True])
def test_sweep_makes_all_moves(is_open: bool) -> None:
    scene = SweepScene()
    if is_open:  # cells that open are no reason to stop
        scene.field.play([Move("open", 10)])
        scene.before = scene.grab()
        scene.field.play(OPENS)
    assert scene.make(OPENS) == OPENS == scene.clicked
    assert scene.losses == []


@pytest.mark.parametrize("is_late", [False, True])
def test_sweep_old_press_without_effect_ends(is_late: bool) -> None:
    """The program ignores the presses: one can be pressed before the first is old enough."""
    scene = SweepScene(pace=REACT * 0.6)
    scene.is_late = is_late
    made = scene.make(OPENS)
    assert made == (OPENS if is_late else OPENS[:2])


def test_sweep_old_presses_visible_continues() -> None:
    scene = SweepScene(pace=REACT * 0.6)
    scene.shown = lambda frame: draw(scene.field.play(scene.clicked) or scene.field.board, scene.skin)
    assert scene.make(OPENS) == OPENS


def blackened(**settings: Any) -> SweepScene:
    """A scene with many numbers, black after two clicks."""
    scene = SweepScene(**settings)
    scene.field.play([Move("open", 10), Move("open", 11), Move("open", 12)])
    scene.before = scene.grab()
    scene.shown = lambda frame: Frame(np.zeros_like(frame.pixels)) if len(scene.clicked) >= 2 else frame
    return scene


def test_sweep_black_screen_stops() -> None:
    scene = blackened()
    assert scene.make(OPENS) == OPENS[:2] == scene.clicked
    scene.make(OPENS[2:])
    assert scene.losses == []


def test_sweep_changed_picture_asks_guard_first() -> None:
    scene = blackened(trouble={-1: BoardUnplayable("moved")})
    with pytest.raises(BoardUnplayable, match="moved") as caught:
        scene.make(OPENS)
    assert caught.value.made == 2


def test_sweep_pointer_stays_until_moves_show() -> None:
    scene = SweepScene(pace=0.0)
    scene.shown = lambda frame: (
        draw(scene.field.board, scene.skin) if scene.clock.time > 0.2 else scene.before
    )
    scene.field.play(OPENS)
    scene.sweeper.make(OPENS, scene.before, scene.field.board, scene.lattice, stays=True)
    assert 0.2 < scene.clock.time < 0.25
    for scene.is_tried, least in ((False, STAY), (True, 0.0)):
        scene.shown, began = lambda frame: frame, scene.clock.time
        scene.sweeper.make([], scene.before, scene.field.board, scene.lattice, stays=True)
        assert least <= scene.clock.time - began < least + 0.01


def covered(cells: Sequence[int], scene: SweepScene) -> Callable[[Frame], Frame]:
    def cover(frame: Frame) -> Frame:
        pixels = frame.pixels.copy()
        for cell in cells:
            left, top, right, bottom = scene.lattice.rectangle(cell)
            pixels[top:bottom, left:right] = 90
        return Frame(pixels)

    return cover


@pytest.mark.parametrize(("cells", "made"), [([6], 2), ([0, 31], 4), ([5], 4)])
def test_sweep_no_window_checks_each_cell(cells: Sequence[int], made: int) -> None:
    scene = SweepScene(pace=0, is_only_seen=True)
    cover = covered(cells, scene)
    scene.shown = lambda frame: cover(frame) if len(scene.clicked) >= 2 else frame
    assert len(scene.make(OPENS)) == made


@pytest.mark.parametrize(("stays", "made"), [(True, 2), (False, 4)])
def test_sweep_unknown_program_covered_cell_kept(stays: bool, made: int) -> None:
    """Known programs open cells with earlier clicks; for others, no planned cell may change."""
    scene = SweepScene(pace=0)
    cover = covered([6], scene)
    scene.shown = lambda frame: cover(frame) if len(scene.clicked) >= 2 else frame
    moves = scene.sweeper.make(OPENS, scene.before, scene.field.board, scene.lattice, stays)
    assert len(moves) == len(scene.clicked) == made


@pytest.mark.parametrize(("opened", "side", "made"), [((), 0, 2), ((7,), 0, 3), ((5,), 0, 2), ((7,), -1, 2)])
def test_sweep_changed_margin_needs_neighbour(opened: Sequence[int], side: int, made: int) -> None:
    """The last column of pixels of cell 6 changes (`side` 0) or the first one (-1)."""
    scene = SweepScene(pace=0)
    left, top, right, bottom = scene.lattice.rectangle(6)

    def shown(frame: Frame) -> Frame:
        if len(scene.clicked) < 2:
            return frame
        pixels = covered(opened, scene)(frame).pixels.copy()
        pixels[top:bottom, left if side else right - 1] = 90
        return Frame(pixels)

    scene.shown = shown
    scene.sweeper.make(OPENS, scene.before, scene.field.board, scene.lattice, stays=True)
    assert len(scene.clicked) == made


def test_sweep_no_window_shifted_board_not_clicked() -> None:
    scene = SweepScene(pace=0, is_only_seen=True)
    scene.field = field_of(TRUTH)  # all closed: a shifted board looks almost the same
    scene.before = scene.grab()
    step = scene.lattice.rectangle(1)[0] - scene.lattice.rectangle(0)[0]
    scene.shown = lambda frame: Frame(np.roll(frame.pixels, step, axis=1))
    assert scene.make(OPENS[:1]) == []


def test_sweep_lost_moves_reported_when_repeated() -> None:
    scene = SweepScene()
    for moves in (OPENS, OPENS[1:3], [Move("open", 3)]):
        scene.make(moves)
    assert scene.losses == [2]


def test_sweep_late_moves_not_repeated() -> None:
    scene = SweepScene()
    scene.make(OPENS)
    scene.field.play([OPENS[3]])  # the program was slow
    assert scene.make([OPENS[3]]) == ()
    assert (scene.clicked, scene.losses) == (OPENS, [])


def test_sweep_unhandled_moves_not_repeated() -> None:
    scene = SweepScene()
    scene.make(OPENS)
    scene.is_late = True
    assert scene.make(OPENS) == ()
    scene.is_late = False
    assert scene.make(OPENS) == OPENS
    assert (scene.clicked, scene.losses) == ([*OPENS, *OPENS], [4])


def test_sweep_hung_program_not_clicked_twice() -> None:
    scene = SweepScene()
    scene.make(OPENS)
    scene.trouble[-2] = BoardUnplayable("the program does not answer")
    with pytest.raises(BoardUnplayable) as caught:
        scene.make(OPENS)
    assert (caught.value.made, scene.clicked) == (0, OPENS)


@pytest.mark.parametrize(
    ("looks", "taken", "made"),
    [
        ((2,), (), 2),  # an unknown program: the first presses have no effect
        ((2,), (0, 1), 4),
        ((1, 2, 3), (0, 2, 3), 2),  # the second press is lost
    ],
)
def test_sweep_unknown_program_checked(looks: tuple[int, ...], taken: tuple[int, ...], made: int) -> None:
    scene = SweepScene()
    scene.looks = looks

    def shown(frame: Frame) -> Frame:
        opened = {move.cell: "1" for k, move in enumerate(scene.clicked) if k in taken}
        return draw(scene.field.board.with_states(opened), scene.skin)

    scene.shown = shown
    assert scene.make(OPENS) == OPENS[:made] == scene.clicked
    if not taken:
        scene.looks = ()  # presses are longer now
        assert scene.make(OPENS) == OPENS
        assert (scene.clicked, scene.losses) == ([*OPENS[:2], *OPENS], [2])


@pytest.mark.parametrize(
    ("trouble", "raised", "message"),
    [
        (BoardUnplayable("covered"), BoardUnplayable, "covered"),
        (Interrupted("Escape"), Interrupted, "Escape"),
        (KeyboardInterrupt(), Interrupted, "keyboard"),
        (KeyboardInterrupt("stopped by SIGTERM"), Interrupted, "SIGTERM"),
    ],
)
def test_sweep_error_counts_completed_moves(
    trouble: BaseException, raised: type[SapperError], message: str
) -> None:
    with pytest.raises(raised, match=message) as caught:
        SweepScene(trouble={2: trouble}).make(OPENS)
    assert caught.value.made == 2


def test_sweep_relocated_board_gets_rest() -> None:
    scene = SweepScene(trouble={1: BoardUnplayable("it grew"), 3: BoardUnplayable("covered")})
    scene.followed = [True]
    with pytest.raises(BoardUnplayable) as caught:
        scene.make(OPENS)
    assert (scene.clicked, caught.value.made) == (OPENS[:3], 3)
