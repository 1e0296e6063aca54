"""Marks over a board: drawing, timing, position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bot.desktop.ports import Drawing
from bot.game.types import GameRules, Plan
from bot.play.finder import LocatedBoard
from bot.show.advice import Advice, Advisor
from bot.show.live_overlay import REST, HintOverlay, PlanOverlay
from bot.show.overlay_marks import MARGIN, PROOF, OverlayMarks, OverlayPainter, advice_marks, plan_marks
from games.minesweeper import Board, Guess, Move
from strategies import load_strategies
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading

CERTAIN = Board.parse("...\n121\n000")  # r0c1 is safe, the others are mines
UNSURE = Board.parse("..\n11")


def adviser(mines: int | None = None) -> Advisor:
    return Advisor(load_strategies(), GameRules(mines))


def lattice(columns: int, rows: int, side: int = 20) -> Lattice:
    return Lattice(tuple(range(0, columns * side + 1, side)), tuple(range(0, rows * side + 1, side)))


def located(board: Board, left: int = 0, top: int = 0) -> LocatedBoard:
    width, height = 20 * board.columns, 20 * board.rows
    frame = Frame(np.zeros((height, width, 3), np.uint8), left, top)
    return LocatedBoard(frame, lattice(board.columns, board.rows), board)


def test_sketch_each_level_shows_more() -> None:
    advice = adviser(2).advise(CERTAIN)
    assert advice_marks(advice, "off") == OverlayMarks()
    assert advice_marks(advice, "any") == OverlayMarks(frame=True)
    which = advice_marks(advice, "which", advice.proven)
    assert (which.marks, which.pointed) == ({0: "mine", 1: "safe", 2: "mine"}, None)
    why = advice_marks(advice, "why", advice.proven)
    assert why.pointed is not None
    assert why.pointed.clues


def test_sketch_nothing_safe_marks_risks() -> None:
    sketch = advice_marks(adviser(1).advise(UNSURE), "which")
    assert (sketch.frame, sketch.risks) == (False, {0: 0.5, 1: 0.5})
    assert list(sketch.marks.values()) == ["guess"]


def test_sketch_unconstrained_risk_not_drawn() -> None:
    advice = adviser(3).advise(Board.parse("..\n11\n..\n..\n.."))
    assert set(advice_marks(advice, "which").risks) <= {0, 1, 4, 5, advice.guess.cell if advice.guess else 0}


@pytest.mark.parametrize("rows", ["*1\n11", "00\n00", "3.\n00"])
def test_sketch_nothing_known_is_empty(rows: str) -> None:
    assert advice_marks(adviser().advise(Board.parse(rows)), "why") == OverlayMarks()


def test_sketch_plan_shows_next_moves() -> None:
    board = Board.parse("F..\n.1.\n...")
    plan = Plan((Move("unflag", 0), Move("open", 1), Move("flag", 2)), wrong_flags=1)
    assert plan_marks(board, plan).marks == {0: "wrong flag", 1: "safe", 2: "mine"}
    guess = Plan((Move("open", 8),), guess=Guess(8, 0.75, "why not"))
    assert (plan_marks(board, guess).marks, plan_marks(board, guess).risks) == ({8: "guess"}, {8: 0.25})


def cell_of(drawing: Drawing, column: int, row: int, side: int) -> Drawing:
    return drawing[MARGIN + row * side :, MARGIN + column * side :][:side, :side]


@pytest.mark.parametrize("side", [10, 16, 21, 32, 48])
def test_painter_clue_framed_and_readable(side: int) -> None:
    advice = adviser(2).advise(CERTAIN)
    drawing = OverlayPainter().paint(advice_marks(advice, "why", advice.proven), lattice(3, 3, side))
    sketch = advice_marks(advice, "why", advice.proven)
    assert sketch.pointed is not None
    for cell in range(9):
        row, column = divmod(cell, 3)
        alpha = cell_of(drawing, column, row, side)[:, :, 3]
        if sketch.pointed.clues >> cell & 1:
            rim = max(2, round(0.15 * side))
            assert alpha[0].all()
            assert not alpha[rim:-rim, rim:-rim].any()
        elif advice.board[cell] in "012":
            assert not alpha.any()


def contrast(colours: Any, ground: int) -> float:
    """The most that any of these colours stands out on a grey (WCAG 2.1, contrast ratio)."""
    linear = (np.asarray(colours, float).reshape(-1, 3) / 255) ** 2.2
    light = linear @ (0.0722, 0.7152, 0.2126)
    other = (ground / 255) ** 2.2
    high, low = np.maximum(light, other) + 0.05, np.minimum(light, other) + 0.05
    return float((high / low).max())


@pytest.mark.parametrize("ground", [0, 60, 128, 190, 255])
@pytest.mark.parametrize("side", [12, 32])
def test_painter_marks_contrast_with_any_ground(side: int, ground: int) -> None:
    sketch = OverlayMarks(
        marks={0: "safe", 1: "mine", 2: "wrong flag", 3: "guess"}, risks={3: 0.2, 4: 0.01, 5: 0.9}
    )
    drawing = OverlayPainter().paint(sketch, lattice(3, 2, side))
    for cell in range(6):
        tile = cell_of(drawing, cell % 3, cell // 3, side)
        opaque = tile[tile[:, :, 3] > 200][:, :3]
        assert len(opaque) >= 10
        assert contrast(opaque, ground) >= 3


def test_painter_marks_differ_without_colour() -> None:
    sketch = OverlayMarks(marks={0: "safe", 1: "mine", 2: "wrong flag", 3: "guess"})
    drawing = OverlayPainter().paint(sketch, lattice(4, 1))
    shapes = [cell_of(drawing, cell, 0, 20)[:, :, 3].tobytes() for cell in range(4)]
    assert len(set(shapes)) == 4


class Paper:
    """An overlay that remembers what it shows."""

    clean_capture: Any = None
    taken: Sequence[str] = ()

    def __init__(self) -> None:
        self.shown: tuple[Drawing, int, int] | None = None
        self.keys: list[str] = []
        self.drawn = 0
        self.over: tuple[float, float] | None = None

    @property
    def is_shown(self) -> bool:
        return self.shown is not None

    def attach_at(self, x: float, y: float) -> None:
        self.over = x, y

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        self.shown, self.drawn = (drawing, left, top), self.drawn + 1

    def hide(self) -> None:
        self.shown = None

    def poll_keys(self) -> list[str]:
        keys, self.keys = self.keys, []
        return keys


class HintedPerson:
    """A fake pointer and terminal."""

    def __init__(self, mines: int | None = None) -> None:
        self.paper = Paper()
        self.at: tuple[float, float] | None = None
        self.now = 0.0
        self.told: list[Advice] = []
        self.hints = HintOverlay(
            self.paper, adviser(mines), lambda: self.at, self.tell, clock=lambda: self.now
        )

    def tell(self, advice: Advice) -> bool:
        self.told.append(advice)
        return False

    def sees(self, board: Board) -> None:
        self.hints.on_board(board, located(board, 100, 200))

    @property
    def drawing(self) -> Drawing:
        assert self.paper.shown is not None
        return self.paper.shown[0]

    @property
    def corner(self) -> tuple[int, int]:
        assert self.paper.shown is not None
        return self.paper.shown[1:]

    def waits(self) -> None:
        self.now += 2 * REST
        self.hints.refresh()

    def presses(self, key: str) -> Drawing | None:
        self.paper.keys.append(key)
        self.hints.refresh()
        return self.paper.shown[0] if self.paper.shown else None


def test_hint_overlay_frame_first_then_rest() -> None:
    person = HintedPerson(1)
    person.sees(UNSURE)
    assert person.paper.over == (120.0, 220.0)
    first = person.drawing.copy()
    assert person.corner == (100 - MARGIN, 200 - MARGIN)
    told_at_once = len(person.told)
    person.waits()
    assert (told_at_once, [bool(advice.guess) for advice in person.told]) == (0, [True])
    assert not np.array_equal(person.drawing, first)


@pytest.fixture
def person() -> HintedPerson:
    """A person who has seen the board `CERTAIN` and its marks."""
    person = HintedPerson(2)
    person.sees(CERTAIN)
    person.waits()
    return person


def test_hint_overlay_keys_choose_level_and_hide(person: HintedPerson) -> None:
    drawings = [person.drawing, person.presses("F7"), person.presses("F6")]  # why, which, any
    marked = [int((drawing[:, :, 3] > 0).sum()) for drawing in drawings if drawing is not None]
    assert marked[0] > marked[1] > marked[2]
    assert person.presses("F6") is None
    assert person.presses("F8") is not None


def test_hint_overlay_proof_of_cell_under_pointer(person: HintedPerson) -> None:
    for cell, x in ((0, 105.0), (2, 145.0)):
        person.at = x, 205.0
        person.hints.refresh()
        assert person.told[-1].proven is not None
        assert person.told[-1].proven.cell == cell
    said, drawn = len(person.told), person.paper.drawn
    for _ in range(5):
        person.hints.refresh()
    assert (len(person.told), person.paper.drawn) == (said, drawn)


def test_hint_overlay_lost_board_removes_them(person: HintedPerson) -> None:
    person.hints.lost()
    person.waits()
    assert not person.paper.is_shown
    person.sees(CERTAIN)
    assert person.paper.is_shown


def marked_cells(paper: Paper) -> set[int]:
    """The cells of a 3x3 board that are marked."""
    assert paper.shown is not None
    return {cell for cell in range(9) if cell_of(paper.shown[0], cell % 3, cell // 3, 20)[:, :, 3].any()}


def framed_cells(paper: Paper) -> set[int]:
    """The cells of a 3x3 board with the frame of the next move."""
    assert paper.shown is not None
    tops = {cell: cell_of(paper.shown[0], cell % 3, cell // 3, 20)[0, :, :3] for cell in range(9)}
    return {cell for cell, top in tops.items() if (top == PROOF).all()}


BOARD = Board.parse("...\n121\n...")
LATER = Plan((Move("open", 1),), later=(Move("open", 7),), mines=0b101)


def planned(board: Board, plan: Plan) -> tuple[PlanOverlay, Paper]:
    """The overlay of a plan on a located board."""
    plans = PlanOverlay(paper := Paper())
    plans.on_plan(board, plan)
    assert paper.drawn == 0  # nobody knows where
    plans.on_board_moved(located(board))
    plans.on_plan(board, plan)
    return plans, paper


def test_plan_overlay_shown_until_cells_open() -> None:
    plans, paper = planned(BOARD, LATER)
    for shown, marked in ((BOARD, {0, 1, 2, 7}), (BOARD.with_states({1: "2"}), {0, 2, 7})):
        assert marked_cells(paper) >= marked
        plans.on_reading(Reading.sure(shown))
        assert marked_cells(paper) == marked


@pytest.mark.parametrize("after", [{1: "2", 7: "0"}, {1: "!"}])
def test_plan_overlay_game_over_hidden(after: dict[int, str]) -> None:
    board = Board.parse("...\n121\n0.0")
    plans, paper = planned(board, Plan((Move("open", 1), Move("open", 7)), mines=0b101))
    assert paper.is_shown
    plans.on_reading(Reading.sure(board.with_states(after)))
    assert not paper.is_shown


def test_plan_overlay_next_move_framed() -> None:
    plans, paper = planned(BOARD, LATER)
    first, framed = paper.drawn, framed_cells(paper)
    plans.on_moves(BOARD, LATER.moves)
    assert (framed & {1, 7}, framed_cells(paper) & {1, 7}) == ({1}, {7})
    assert paper.drawn == first + 1


def test_sketch_chord_frames_number() -> None:
    board = Board.parse("F..\n.1.\n...")
    sketch = plan_marks(board, Plan((Move("chord", 4),)))
    assert (sketch.chords, sorted(sketch.marks)) == (1 << 4, [1, 2, 3, 5, 6, 7, 8])
