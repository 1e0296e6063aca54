"""Changes that no move explains: covers over the board, and mines of any drawing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawing import lattice_for, readers
from places import FIXTURES
from tracked import (
    HIDDEN,
    LOOKS,
    LOST,
    OPENED,
    name_of,
    opened_one,
    picture,
    reader_on,
    sized,
    with_cell,
    wrong,
)

from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move
from vision.annotations import load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.skins import Skin
from vision.track.tracker import Tracker
from vision.track.unexplained import revealed_mines, watched_mines

MORE = "001...\n1122..\n......\n......\n......\n......"
FIRST = "001...\n001...\n111...\n......\n......\n......"
SECOND = "001...\n001...\n111...\n...110\n...100\n...100"
FRAME = 4  # pixels
MOVES = [Move("open", 9)]
SHADES = [(81, 215, 170), (73, 209, 162)]  # of hidden cells
DOTTED = FIXTURES / "covered" / "winemine-dotted-lines"
WANDERING = FIXTURES / "covered" / "wandering-box"
COLOURS = {"white": (255, 255, 255), "dark": (40, 36, 34), "yellow": (200, 246, 255)}
PLACES = {"inside": (1.3, 2.4, 4.6, 5.3), "at a corner": (3.4, 3.3, 6.0, 6.0), "a bar": (0.0, 4.3, 6.0, 6.0)}


@pytest.fixture(params=LOOKS, ids=name_of)
def look(request: pytest.FixtureRequest) -> Skin:
    found: Skin = request.param
    return found


@pytest.fixture
def reader(look: Skin) -> Tracker:
    """A reader that has observed the first opening in this look."""
    return opened_one(look)


def with_cover(frame: Frame, lattice: Lattice, place: str, colour: tuple[int, int, int]) -> Frame:
    """The picture with a plain box; `place` is in cells."""
    x, y, wide, high = lattice.box
    left, top, right, bottom = PLACES[place]
    wide, high = wide // lattice.columns, high // lattice.rows
    pixels = frame.pixels.copy()
    box = (
        slice(y + int(top * high), y + int(bottom * high)),
        slice(x + int(left * wide), x + int(right * wide)),
    )
    pixels[box] = colour
    return Frame(pixels)


@pytest.mark.parametrize(("place", "colour"), list(zip(PLACES, COLOURS.values(), strict=True)), ids=PLACES)
def test_tracker_cover_cells_unknown(look: Skin, place: str, colour: tuple[int, int, int]) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reader.notify_moves(MOVES, certain=True)
    shown = picture(MORE, look)
    reading = reader.observe(with_cover(shown, reader.lattice, place, colour))
    assert reading.covered
    assert not reading.board.open & ~Board.parse(MORE).open
    assert reading.board.unread & reading.covered == reading.covered
    after = reader.observe(shown)
    assert (after.covered, after.board.cells) == (0, Board.parse(MORE).cells)


def test_tracker_cover_moves_over_numbers_no_end() -> None:
    """A box in the colour of empty cells: without the numbers below it, others look like wrong flags."""
    columns, rows = (tuple(28 * k for k in range(count + 1)) for count in (14, 11))
    reader = readers().reader(Lattice(columns, rows))
    for name, moves in (("closed", "r0c0"), ("opened", "r0c6 r1c7")):
        board = reader.observe(Frame.load(WANDERING / f"{name}.png")).board
        reader.notify_moves([Move("open", board.cell(each)) for each in moves.split()], certain=True)
    for name in ("covered", "moved"):
        reading = reader.observe(Frame.load(WANDERING / f"{name}.png"))
        assert reading.covered
        assert not reading.has_ended
        assert reading.board.cells_showing("1") == board.cells_showing("1") & ~reading.board.unread


def checked(text: str) -> Frame:
    """A board whose cells have two shades and no lines."""
    board = Board.parse(text)
    pixels = np.full((60 + 28 * board.rows, 60 + 28 * board.columns, 3), 60, np.uint8)
    for k, state in enumerate(board.cells):
        row, column = divmod(k, board.columns)
        cell = pixels[30 + 28 * row :, 30 + 28 * column :][:28, :28]
        shades = SHADES if state == "." else [(159, 194, 229), (153, 184, 215)]
        cell[:] = shades[(row + column) % 2]
        if state in "12345678":
            cv2.putText(cell, state, (8, 21), cv2.FONT_HERSHEY_DUPLEX, 0.6, (160, 40, 30), 1, cv2.LINE_AA)
    return Frame(pixels)


@pytest.mark.parametrize("shift", [(0, 0), (9, 11)], ids=str)
@pytest.mark.parametrize("shade", [0, 1])
def test_tracker_cover_in_shade_of_cells(shade: int, shift: tuple[int, int]) -> None:
    """The cells of this shade do not change below the cover."""
    lines = tuple(30 + 28 * k for k in range(7))
    reader = readers().reader(Lattice(lines, lines), None)
    for text, moves in (("......\n" * 6, [Move("open", 0)]), (OPENED, MOVES)):
        assert reader.observe(checked(text)).covered == 0
        reader.notify_moves(moves, certain=True)
    pixels = checked(MORE).pixels
    pixels[lines[2] + shift[1] : lines[5] + shift[1], lines[1] + shift[0] : lines[5] + shift[0]] = SHADES[
        shade
    ]
    assert reader.observe(Frame(pixels)).covered
    assert reader.observe(checked(MORE)).covered == 0


@pytest.mark.parametrize("place", ["", *PLACES])
def test_tracker_dimmed_board_is_covered(place: str, look: Skin, reader: Tracker) -> None:
    """With a dialog at this place."""
    reader.notify_moves(MOVES, certain=True)
    shown = picture(MORE, look)
    dark = Frame((shown.pixels // 2).astype(np.uint8))
    seen = with_cover(dark, reader.lattice, place, COLOURS["white"]) if place else dark
    assert reader.observe(seen).covered
    assert reader.observe(shown).covered == 0


def framed(board: Board, look: Skin, lattice: Lattice) -> Frame:
    """A picture of the board with a frame over the outer edge of its cells."""
    pixels = picture(str(board), look).pixels.copy()
    x, y, wide, high = lattice.box
    each = pixels[y : y + high, x : x + wide]
    each[:FRAME] = each[-FRAME:] = each[:, :FRAME] = each[:, -FRAME:] = 100
    return Frame(pixels)


def test_tracker_framed_board_no_cover(look: Skin) -> None:
    """A move opens two empty cells at the right edge, and no number there."""
    look = sized(look, 80)
    reader = reader_on(look)
    boards = [Board.parse(text) for text in ("......\n" * 6, FIRST, SECOND)]
    reader.observe(framed(boards[0], look, reader.lattice))
    for board, cell in zip(boards[1:], (0, 23), strict=True):
        reader.notify_moves([Move("open", cell)], certain=True)
        assert reader.observe(framed(board, look, reader.lattice)).covered == 0


@pytest.mark.parametrize("gap", [1, 3, 5])
def test_tracker_wide_gaps_no_cover(gap: int) -> None:
    """A guess opens two empty cells side by side, and no number."""
    after = "..1002..\n111113..\n0001.3..\n1112....\n..1.....\n.222....\n........\n........"
    lines = tuple(30 + 40 * k for k in range(9))
    reader = readers().reader(Lattice(lines, lines), None)
    for text, cell in (("........\n" * 8, 17), (after.replace("1002", "1..2"), 3), (after, 63)):
        board = Board.parse(text)
        pixels = np.full((380, 380, 3), 245, np.uint8)
        for k, state in enumerate(board.cells):
            x, y = (40 * place + gap for place in divmod(k, 8)[::-1])
            tile = pixels[30 + y : 70 + y - 2 * gap, 30 + x : 70 + x - 2 * gap]
            tile[:] = (180, 189, 186) if state == "." else (220, 222, 222)
            if state in "12345678":
                cv2.putText(tile, state, (9, 25), cv2.FONT_HERSHEY_DUPLEX, 0.7, (54, 52, 46), 1, cv2.LINE_AA)
        reading = reader.observe(Frame(pixels))
        assert (reading.covered, reading.board.cells) == (0, board.cells)
        reader.notify_moves([Move("open", cell)], certain=False)


def grained(text: str, ground: str) -> Frame:
    """A board of 6x6 cells whose open cells show few lines between them.

    They show those between rows ("rows"), or grains in each cell ("grains"), or joints of a wall with one
    column of long bricks ("bricks"), or most lines, which some places of a faint texture hide ("texture" and
    its number).
    """
    board = Board.parse(text)
    pixels = np.full((60 + 28 * board.rows, 60 + 28 * board.columns, 3), 60, np.uint8)
    size, low, high = (3, 172, 184) if ground == "grains" else (24, 166, 176)
    number = int(ground[-1]) if ground[-1].isdigit() else 0
    coarse = np.random.default_rng(number).integers(low, high, (size, size)).astype(np.uint8)
    side = 28 if ground == "grains" else 168
    grains = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)[:, :, None]
    if ground == "bricks":
        down, across = np.indices((168, 168))
        is_long = (across > 128) & (across < 152)  # over the border between the last two columns
        is_joint = (down % 7 == 0) | ((across + 7 * (down // 7 % 2)) % 14 == 0) & ~is_long
        grains = np.where(is_joint, 166, 176).astype(np.uint8)[:, :, None]
    ramp = np.linspace(150, 200, 28)[:, None, None]
    for k, state in enumerate(board.cells):
        row, column = divmod(k, board.columns)
        cell = pixels[30 + 28 * row :, 30 + 28 * column :][:28, :28]
        if state == ".":
            cell[:] = 90
            cv2.rectangle(cell, (0, 0), (27, 27), (130, 130, 130), 2)
        elif ground == "rows":
            cell[:] = ramp
        elif ground == "grains":
            cell[:] = np.roll(grains, 9 * k, axis=1)
        else:
            cell[:] = grains[28 * row :, 28 * column :][:28, :28]
        if state in "12345678":
            cv2.putText(cell, state, (8, 21), cv2.FONT_HERSHEY_DUPLEX, 0.6, (160, 40, 30), 1, cv2.LINE_AA)
    return Frame(pixels)


@pytest.mark.parametrize(
    "ground", ["rows", "grains", "bricks", *(f"texture {number}" for number in range(6))]
)
def test_tracker_open_cells_with_some_lines_no_cover(ground: str) -> None:
    lines = tuple(30 + 28 * k for k in range(7))
    reader = readers().reader(Lattice(lines, lines), None)
    for text, cell in (("......\n" * 6, 0), (FIRST, 35), (SECOND, 23)):
        reading = reader.observe(grained(text, ground))
        assert reading.covered == 0
        reader.notify_moves([Move("open", cell)], certain=True)
    assert not wrong(reading.board, SECOND)


def test_tracker_mines_of_a_won_game_no_cover(look: Skin) -> None:
    """A program draws the mines of a won game as plain tiles, some of them side by side."""
    won = "001*10\n112110\n1*1111\n3321*1\n**1222\n2211*1"
    board, first = Board.parse(won.replace("*", ".")), "001.10\n112110\n1.1111\n3321.1\n..1222\n......"
    reader = readers().reader(lattice_for(board, look, 24, 32), None, 6)
    for text, moves in ((HIDDEN, "r0c0"), (first, "r5c0 r5c1 r5c2 r5c3 r5c5")):
        reader.observe(picture(text, look))
        reader.notify_moves([Move("open", board.cell(each)) for each in moves.split()], certain=True)
    shown = picture(str(board), look)
    for cell in bits(board.closed):
        shown = with_cell(shown, reader.lattice, cell, np.broadcast_to([90, 120, 90], (1, 1, 3)))
    reading = reader.observe(shown)
    assert (reading.covered, reading.board.open) == (0, board.open)


def test_tracker_whole_game_no_cover(look: Skin) -> None:
    field = Minefield(Deal.random(6, 6, 5, 3), "zero", "open")
    reader = reader_on(look)
    reader.observe(picture(str(field.board), look))
    for cell in range(36):
        if field.board[cell] == "." and not (field.truth or 0) >> cell & 1:
            reader.notify_moves([Move("open", cell)], certain=False)
            field.play([Move("open", cell)])
            assert reader.observe(picture(str(field.board), look)).covered == 0


@pytest.mark.parametrize("colours", ["one", "many"])
def test_tracker_plain_tiles_are_mines(look: Skin, reader: Tracker, colours: str) -> None:
    lost = Board.parse(LOST)
    shown = picture(OPENED, look)
    dice = np.random.default_rng(5)
    red = np.array([48, 48, 208])
    for cell, state in enumerate(lost.cells):
        if state in "*!":
            colour = red if colours == "one" else dice.integers(60, 256, 3)
            shown = with_cell(shown, reader.lattice, cell, np.broadcast_to(colour, (1, 1, 3)))
    reader.notify_moves([Move("open", 22)], certain=False)
    reading = reader.observe(shown)
    assert reading.has_ended
    assert reading.board[22] == "!"
    assert not reading.board.shown_mines & ~lost.shown_mines


ONE_NUMBER = "1.....\n......\n......\n......\n......\n......"
LOST_EARLY = "1....*\n.*....\n...*..\n......\n.!..*.\n*....*"
LOST_CLOSE = "1....*\n.*....\n...**.\n......\n.!....\n*....*"
NOTICE = "1.....\n.***..\n.!**..\n......\n......\n......"


@pytest.mark.parametrize(
    ("after", "total", "has_ended"),
    [
        (LOST_EARLY, 7, True),
        (LOST_CLOSE, 7, True),
        (LOST_EARLY, 8, False),
        (LOST_EARLY, None, False),
        (NOTICE, 6, False),
    ],
)
def test_tracker_plain_tiles_next_to_one_number(
    look: Skin, after: str, total: int | None, has_ended: bool
) -> None:
    """As many plain tiles as mines have been revealed, unless they look like one notice."""
    shown, lost = picture(ONE_NUMBER, look), Board.parse(after)
    reader = readers().reader(lattice_for(lost, look, 24, 32), None, total)
    for frame, cell in ((picture(HIDDEN, look), 0), (shown, lost.cells.index("!"))):
        reader.observe(frame)
        reader.notify_moves([Move("open", cell)], certain=False)
    for cell in bits(lost.shown_mines):
        shown = with_cell(shown, reader.lattice, cell, np.broadcast_to([48, 48, 208], (1, 1, 3)))
    reading = reader.observe(shown)
    assert reading.has_ended == has_ended
    assert not reading.board.shown_mines & ~lost.shown_mines


@pytest.mark.parametrize("dot", [1, 2, 3])
def test_tracker_dotted_lines_no_cover(dot: int) -> None:
    """winemine draws dotted lines between plain margins; `dot`: their length, pixels."""
    after = load_annotated(DOTTED / "after.png")
    before = load_annotated(DOTTED / "before.png", DOTTED / "after.txt").frame
    first, second = (
        Frame(each.pixels.repeat(dot, axis=0).repeat(dot, axis=1)) for each in (before, after.frame)
    )
    xs, ys = (tuple(dot * each for each in line) for line in (after.lattice.xs, after.lattice.ys))
    reader = readers().reader(Lattice(xs, ys), None, 10)
    reader.observe(first)
    reader.notify_moves([Move("open", 0)], certain=True)
    assert reader.observe(second).covered == 0


@pytest.mark.parametrize(
    ("clue", "message", "expected"),
    [
        ("2", "r0c3", "r1c0 r1c2 r2c2"),
        ("2", "r0c2 r0c3 r1c1", "r1c0 r2c2"),
        ("2", "r2c3", ""),
        ("2", "r0c0 r2c3", "r1c0 r1c2 r2c2"),
        ("3", "r0c3", ""),
    ],
)
def test_revealed_mines_below_message(clue: str, message: str, expected: str) -> None:
    """A flag at r0c3 counts, a safe cover at r1c1 changed, the guess is hidden, or there is no message."""
    before = Board.parse(f"12{clue}F1\n...31\n...20")
    mines = [before.cell(each) for each in ("r1c0", "r1c2", "r2c2")]
    now = before.with_states(dict.fromkeys([*map(before.cell, message.split()), *mines], "~"))
    found = revealed_mines(before, now, now.unread & before.closed, 1 << mines[-1])
    assert now.names(found) == expected.split()


@pytest.mark.parametrize(("total", "is_lost"), [(None, False), (3, False), (4, True)])
def test_revealed_mines_may_be_flags_of_won_game(total: int | None, is_lost: bool) -> None:
    """No cover is left, and no number touches the cell that the guess opened."""
    before = Board.parse("111~.\n1.1~.\n111~.")
    now = before.with_states(dict.fromkeys(bits(before.closed), "~"))
    assert bool(revealed_mines(before, now, before.closed, 1 << before.cell("r0c4"), total)) == is_lost


@pytest.mark.parametrize(("looks", "expected"), [("aa", "r0c1 r1c5"), ("ab", "")])
def test_watched_mines_fit_numbers_and_look_alike(looks: str, expected: str) -> None:
    """Flags are next to numbers; another drawing elsewhere may be a message."""
    now = Board.parse("1~1...\n111..~")
    clusters = [0] * 12
    for k, look in zip(bits(now.unread), looks, strict=True):
        clusters[k] = ord(look)
    assert now.names(watched_mines(now, now.unread, clusters)) == expected.split()
    assert watched_mines(now.with_states({0: "2"}), now.unread, clusters) == 0


def test_tracker_flags_side_by_side_are_no_cover(look: Skin) -> None:
    """A program flags the mines of a won game; the edges of neighbouring flags lie in one line."""
    won = "001F10\n112110\n1F1111\n3321F1\nFF1222\n2211F1"
    before = Board.parse(f"{won[:-1]}.".replace("F", "."))
    reader = reader_on(look)
    reader.observe(picture("\n".join(["......"] * 6), look))
    reader.notify_moves([Move("open", k) for k in bits(before.open)], certain=True)
    assert reader.observe(picture(str(before), look)).board.cells == before.cells
    reader.notify_moves([Move("open", 35)], certain=False)
    assert not reader.observe(picture(won, look)).covered
