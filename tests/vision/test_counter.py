"""The mine counter next to a board is read right or not at all."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from drawing import SKIN, draw, lattice_for, skin_of
from places import FIXTURES
from tables import JumpingClock

from bot.desktop.ports import Window, Windows
from bot.game.types import GameRules
from bot.play.finder import LocatedBoard
from bot.play.mine_total import MineTotalSource, reconcile_total
from games.errors import UsageError
from games.logic import bits
from games.minesweeper import Board
from vision.annotations import load_annotated
from vision.counter import CounterObservation, CounterReader, CounterTracker, CounterValue
from vision.frame import Frame, Pixels

TOTALS = [line.split() for line in (FIXTURES / "counters" / "totals.txt").read_text().splitlines()]
BOARD = Board.parse("..1.....\n.F21....\n1F10....\n1110....\n........\n........")

LATTICE = lattice_for(BOARD, skin_of(SKIN), 30, 60)
NO_FLAGS = BOARD.with_states(dict.fromkeys(bits(BOARD.flagged), "."))


@pytest.fixture(scope="module")
def reader() -> CounterReader:
    return CounterReader.load()


def look(reader: CounterReader, name: str) -> CounterObservation:
    """What the reader sees on a labelled screenshot."""
    shown = load_annotated(FIXTURES / f"{name}.png")
    return reader.look(shown.frame, shown.lattice, shown.board)


@pytest.mark.parametrize(("name", "truth", "is_read"), TOTALS)
def test_counter_screenshots_right_or_unread(
    reader: CounterReader, name: str, truth: str, is_read: str
) -> None:
    counter = look(reader, name).counter
    assert (counter.total if counter else None) == (int(truth) if is_read == "read" else None)


@pytest.mark.parametrize(
    ("program", "truth"),
    [
        ("counters/winemine", 99),
        ("counters/xbomb", 40),
        ("screens/ace-minesweeper", 200),
        ("counters/pypi-minesweeper", None),  # it shows 15, whatever is flagged
    ],
)
def test_counter_found_on_two_screenshots(reader: CounterReader, program: str, truth: int | None) -> None:
    tally = CounterTracker()
    assert tally.add(look(reader, f"{program}/fresh")) is None
    counter = tally.add(look(reader, f"{program}/mid_game"))
    assert (counter and (counter.total, counter.form)) == (truth and (truth, "falling"))


def test_counter_list_has_every_labelled_screenshot() -> None:
    listed = {name for name, _, _ in TOTALS}
    there = {
        path.relative_to(FIXTURES).with_suffix("").as_posix()
        for folder in ("screens", "counters")
        for path in (FIXTURES / folder).glob("*/*.txt")
    }
    assert listed == there


# --- drawn ones --------------------------------------------------------------------------------------------

SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc",
    "5": "afgcd", "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "abcdfg",
}  # fmt: skip


def display(pixels: Pixels, text: str, left: int, top: int, height: int, unlit: int) -> None:
    """Seven segments, red on black."""
    wide, thick = height // 2 + 1, max(2, height // 8)
    half = height // 2
    boxes = {
        "a": (1, 0, wide - 2, thick), "g": (1, half - thick // 2, wide - 2, thick),
        "d": (1, height - thick, wide - 2, thick), "f": (0, 1, thick, half - 1),
        "b": (wide - thick, 1, thick, half - 1), "e": (0, half, thick, half - 1),
        "c": (wide - thick, half, thick, half - 1),
    }  # fmt: skip
    step = wide + thick + 2
    pixels[top - 4 : top + height + 4, left - 4 : left + step * len(text) + 2] = 0
    for number, figure in enumerate(text):
        for strength, lit in ((unlit, "abcdefg"), (255, SEGMENTS[figure])):
            for name in lit:
                x, y, w, h = boxes[name]
                pixels[top + y : top + y + h, left + number * step + x :][:, :w] = (0, 0, strength)


def beside(words: str, board: Board | None = None) -> Frame:
    """The board with a line of words below it."""
    frame = draw(board or BOARD, skin_of(SKIN), 30, 60)
    beyond = max(0, 480 - frame.width)
    pixels = np.pad(frame.pixels, ((0, 40), (0, beyond), (0, 0)), constant_values=230)
    place, black = (30, frame.height + 26), (20, 20, 20)
    cv2.putText(pixels, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, black, 1, cv2.LINE_AA)
    return Frame(pixels)


def read(reader: CounterReader, frame: Frame) -> CounterValue | None:
    return reader.look(frame, LATTICE, BOARD).counter


@pytest.mark.parametrize("words", ["{flags}/{total}", "Mines: {flags}/{total}", "{left} / {total}  2:45"])
def test_counter_fraction_that_fits_flags_is_total(reader: CounterReader, words: str) -> None:
    is_read = []
    for total in (7, *range(10, 40, 2 if words != "Mines: {flags}/{total}" else 1)):
        counter = read(reader, beside(words.format(flags=2, left=total - 2, total=total)))
        assert counter is None or counter.total == total
        is_read.append(counter is not None)
    assert sum(is_read) >= 0.7 * len(is_read)


@pytest.mark.parametrize("words", ["3/10", "2/99", "12/10/26", "1:02/10", "10", "Mines 10", "2 10"])
def test_counter_inconsistent_not_read(reader: CounterReader, words: str) -> None:
    assert read(reader, beside(words)) is None


@pytest.mark.parametrize(("height", "unlit"), [(21, 0), (23, 120), (28, 0), (30, 90)])
@pytest.mark.parametrize("is_left", [True, False])
def test_counter_falls_with_flags_counts_mines(
    reader: CounterReader, height: int, unlit: int, is_left: bool
) -> None:
    tally = CounterTracker()
    places = 30, LATTICE.xs[-1] - 3 * (height // 2 + 3 + max(2, height // 8))
    mines, clock = places if is_left else places[::-1]
    found = []
    for board, left, seconds in ((NO_FLAGS, "010", "007"), (BOARD, "008", "145")):
        frame = draw(board, skin_of(SKIN), 30, 60)
        display(frame.pixels, left, mines, 10, height, unlit)
        display(frame.pixels, seconds, clock, 10, height, unlit)
        found.append(tally.add(reader.look(frame, LATTICE, board)))
    assert found == [None, CounterValue(10, "008", "falling")]


def test_counter_falls_otherwise_is_none(reader: CounterReader) -> None:
    tally = CounterTracker()
    for board, words in ((NO_FLAGS, "10 25"), (BOARD, "10 24")):
        assert tally.add(reader.look(beside(words, board), LATTICE, board)) is None


def test_counter_finished_or_unclear_board_not_read(reader: CounterReader) -> None:
    frame = beside("2/10")
    assert read(reader, frame) is not None
    assert reader.look(frame, LATTICE, BOARD.with_states({0: "*"})).counter is None
    one, many = (BOARD.with_states(dict.fromkeys(range(cells), "~")) for cells in (1, 5))
    assert reader.look(frame, LATTICE, one).counter is not None  # the one under the pointer
    assert reader.look(frame, LATTICE, many).counter is None


@pytest.mark.parametrize(
    ("name", "totals"),
    [
        ("screens/xdemineur/fresh", [99]),  # four digits, next to a four-digit timer
        ("screens/xdemineur/mid_game", [99, 109]),  # the second is the timer
        ("screens/ace-minesweeper/fresh", [200]),
        ("screens/ace-minesweeper/mid_game", [200]),
        ("counters/winemine/fresh", [99]),
        ("counters/xbomb/fresh", [40]),
        ("counters/react-minesweeper/fresh", [10, 18]),  # text fields
    ],
)
def test_counter_single_numbers_name_totals(reader: CounterReader, name: str, totals: list[int]) -> None:
    seen = look(reader, name)
    assert [each.total for each in seen.single_totals()] == totals


def with_displays(left: str, right: str, height: int = 23, unlit: int = 0) -> Frame:
    """A board without flags below two displays."""
    frame, step = draw(NO_FLAGS, skin_of(SKIN), 30, 60), height // 2 + 3 + max(2, height // 8)
    beyond = max(0, 60 + 2 * 5 * step - frame.width)
    pixels = np.pad(frame.pixels, ((0, 0), (0, beyond), (0, 0)), constant_values=200)
    display(pixels, left, 30, 10, height, unlit)
    display(pixels, right, 30 + 5 * step, 10, height, unlit)
    return Frame(pixels)


# --- what it is good for -----------------------------------------------------------------------------------


def test_total_more_mines_than_room_blames_option(reader: CounterReader) -> None:
    frame = draw(BOARD, skin_of(SKIN), 30, 60)
    access: Any = SimpleNamespace(windows=Windows())
    totals = MineTotalSource(access, 500, print, reader)
    with pytest.raises(UsageError, match="--mines 500, but only"):
        totals.begin(LocatedBoard(frame, LATTICE, BOARD))


class Screen(Windows):
    """One window; every capture shows the next picture, then the last one again."""

    def __init__(self, *frames: Frame) -> None:
        self.frames = list(frames)

    def all(self) -> list[Window] | None:
        box = 0, 0, self.frames[0].width, self.frames[0].height
        return [Window(1, "Mines", None, box, box, 0, is_shown=True)]

    def grab(self, region: object) -> Frame:
        return self.frames.pop(0) if len(self.frames) > 1 else self.frames[0]

    def source(
        self, reader: CounterReader, asked: int | None, say: Callable[[str], object]
    ) -> MineTotalSource:
        """The source of the mine total of a game on this screen, after its start."""
        screen = 0, 0, self.frames[0].width, self.frames[0].height
        access: Any = SimpleNamespace(grabber=self, windows=self, controls=SimpleNamespace(screen=screen))
        board = LocatedBoard(self.frames[0], LATTICE, NO_FLAGS)
        totals = MineTotalSource(access, asked, say, reader, JumpingClock())
        totals.begin(board)
        return totals


@pytest.mark.parametrize(
    ("asked", "rules", "note"),
    [
        (None, (None, 14), "14 mines, if the number next to the board (0014) counts them"),
        (14, (14, None), ""),
        (
            13,
            (None, None),
            "--mines is 13, but the number next to the board (0014) shows 14: both are ignored",
        ),
    ],
)
def test_total_single_number_compared(
    reader: CounterReader, asked: int | None, rules: tuple[int | None, int | None], note: str
) -> None:
    """The number is compared before the first click; alone, it supports guesses only."""
    notes: list[str] = []
    screen = Screen(with_displays("0014", "0019"), with_displays("0014", "0020"))
    chosen = screen.source(reader, asked, notes.append).in_rules(GameRules())
    assert (chosen.mines, chosen.assumed_mines) == rules
    assert " ".join(notes).startswith(note)
    assert len(notes) == bool(note)


def test_total_without_counter_proves_nothing(reader: CounterReader) -> None:
    notes: list[str] = []
    totals = Screen(with_displays("0019", "0019"), with_displays("0020", "0020")).source(
        reader, 10, notes.append
    )
    chosen = totals.in_rules(GameRules())
    assert (chosen.mines, chosen.assumed_mines, notes) == (None, 10, [])
    assert totals.in_rules(GameRules(variant="balance")).mines == 10  # its rules need a total


def test_total_compared_with_counter() -> None:
    notes: list[str] = []
    counter = CounterValue(99, "3/99", "fraction")
    assert [reconcile_total(asked, counter, notes.append) for asked in (99, None, 100)] == [99, 99, None]
    assert notes[0] == "99 mines, from the program's counter (3/99)"
    assert "--mines is 100" in notes[1]
    assert "99" in notes[1]
    assert len(notes) == 2
