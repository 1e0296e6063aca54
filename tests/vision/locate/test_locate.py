"""Boards are found exactly, in real screenshots and where no lines part their cells."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
from drawing import LABELLED, SCREENS, draw, labelled, lattice_for, off

from benchmarks.random_skins import random_skin
from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from games.logic import bits
from games.minesweeper import Deal, Minefield, Move
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.fit import change_extent
from vision.locate.grid import Grid
from vision.locate.judge import CellJudge, score_grid
from vision.locate.locate import locate_all, locate_lattice

WHOLE = [state for state in LABELLED if "/recorded_" not in state]  # those show the cells alone
PROGRAMS = sorted({state.partition("/")[0] for state in LABELLED})


# --- real screenshots ----------------------------------------------------------------------------------


def check(frame: Frame, wanted: Lattice, most: float = 2) -> None:
    """The board is found; no line is off by more than `most` pixels."""
    found = locate_lattice(frame)
    assert found.size == wanted.size
    assert off(found, wanted) <= most


@pytest.mark.parametrize("state", WHOLE)
def test_locate_screenshot_exact(state: str) -> None:
    check(labelled(state).frame, labelled(state).lattice)


def test_locate_clipped_by_window_names_sides() -> None:
    with pytest.raises(BoardUnplayable, match="cut at the right and bottom"):
        locate_lattice(Frame.load(SCREENS / "gnome-mines" / "clipped_default_window_30x16.png"))


@pytest.mark.parametrize("state", ["gnome-mines/difficulty_screen", "gnome-mines/start_over_confirm"])
def test_locate_window_without_board_none(state: str) -> None:
    with pytest.raises(BoardNotFound):
        locate_lattice(Frame.load(SCREENS / f"{state}.png"))


def test_locate_dialog_does_not_shrink_board() -> None:
    check(Frame.load(SCREENS / "kmines" / "lost_popup.png"), labelled("kmines/lost").lattice)


@pytest.mark.parametrize("state", ["fresh", "mid_game", "lost"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_locate_clipped_by_screen_refused(program: str, state: str) -> None:
    """Refusing a board takes seconds, so other states are left out."""
    shown = labelled(f"{program}/{state}")
    frame, lattice = shown.frame, shown.lattice
    half = (lattice.xs[-2] + lattice.xs[-1]) // 2
    with pytest.raises(BoardUnplayable, match="right"):
        locate_lattice(frame.crop(0, 0, half, frame.height))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sgt-mines/mid_game", "kmines/fresh"),
        ("gnome-mines/lost", "gnome-mines/lost"),
        ("xdemineur/won", "ace-minesweeper/fresh"),
    ],
)
def test_locate_two_boards_both_named(one: str, other: str) -> None:
    shown = labelled(one), labelled(other)
    with pytest.raises(AmbiguousBoard) as caught:
        locate_lattice(Frame(np.hstack([each.frame.pixels for each in shown])))
    assert all(each.lattice.size in str(caught.value) for each in shown)


@pytest.mark.parametrize("desktop", ["white", "grey", "gradient", "noise"])
def test_locate_half_way_board_any_desktop(desktop: str) -> None:
    """Rounded corners show in the gaps, so that the gaps have one colour only next to the cells."""
    shown = labelled("gnome-mines/desktop_half_way")
    high, wide = shown.frame.pixels.shape[:2]
    grounds = {
        "white": np.full((high, wide, 3), 255),
        "grey": np.full((high, wide, 3), 128),
        "gradient": np.add.outer(np.arange(high) // 8, np.arange(wide) // 10)[..., None].repeat(3, axis=2),
        "noise": np.random.default_rng(1).integers(0, 256, (high, wide, 3)),
    }
    pixels = grounds[desktop].astype(np.uint8)
    pixels[209:691, 335:945] = shown.frame.pixels[209:691, 335:945]
    check(Frame(pixels), shown.lattice)


WON = (
    "000001110", "110001F10", "F10002220", "110001F21", "0000012F1", "012211343", "01FF11FFF", "012222332",
    "00001F100",
)  # fmt: skip


@pytest.mark.parametrize("side", [20, 24, 27, 32])
def test_locate_flags_among_open_cells_even_lines(side: int) -> None:
    """A flag is on a cover, whose flat middle starts at another place than that of an open cell."""
    shown = labelled(f"sgt-mines/flags_{side}")
    states, lattice = "".join(str(shown.board).split()), shown.lattice
    pixels = np.full((9 * side + 60, 9 * side + 60, 3), 255, np.uint8)
    for row, text in enumerate(WON):
        for column, state in enumerate(text):
            down, across = divmod(states.index(state), lattice.columns)
            left, top = lattice.xs[across], lattice.ys[down]
            cell = shown.frame.pixels[top : top + side, left : left + side]
            pixels[30 + row * side :, 30 + column * side :][:side, :side] = cell
    found = locate_lattice(Frame(pixels))
    assert {*np.diff(found.xs), *np.diff(found.ys)} == {side}


# --- screenshots of another size -----------------------------------------------------------------------


@pytest.mark.parametrize("percent", [125, 150, 200])
@pytest.mark.parametrize("program", PROGRAMS)
def test_locate_scaled_screen_same_board(program: str, percent: int) -> None:
    middle = 1.5  # pixels: the labelled lines lie two pixels right of the middle of a gap
    check(*scaled(f"{program}/fresh", percent, cv2.INTER_LINEAR), (2 + middle) * percent / 100)


def scaled(state: str, percent: int, way: int) -> tuple[Frame, Lattice]:
    """The picture at another size, and where its lines are then."""
    shown = labelled(state)
    pixels = cv2.resize(shown.frame.pixels, None, fx=percent / 100, fy=percent / 100, interpolation=way)
    lines = shown.lattice.xs, shown.lattice.ys
    xs, ys = (tuple(round(line * percent / 100) for line in each) for each in lines)
    return Frame(np.asarray(pixels, np.uint8)), Lattice(xs, ys)


@pytest.mark.parametrize(
    ("state", "percent", "way"),
    [
        ("ace-minesweeper/mid_game", 75, cv2.INTER_AREA),  # cells of 9 pixels, dotted lines
        ("ace-minesweeper/fresh_48", 150, cv2.INTER_LINEAR),  # dots up to the border of the picture
        ("ace-minesweeper/flags_48", 200, cv2.INTER_NEAREST),  # dithered covers of a magnified screen
        ("gnome-mines/numbers_86", 200, cv2.INTER_LINEAR),  # cells of 172 pixels
        ("kmines/dense_7_28", 150, cv2.INTER_LINEAR),  # a mine in nearly every cell
        ("kmines/dense_7_33", 250, cv2.INTER_LINEAR),  # mines that look like cells, a column less of them
        ("sgt-mines/lost", 75, cv2.INTER_NEAREST),  # some lines are gone
    ],
)
def test_locate_small_large_crowded_cells(state: str, percent: int, way: int) -> None:
    frame, wanted = scaled(state, percent, way)
    check(frame, wanted, wanted.pitch / 5)


@pytest.mark.parametrize("state", ["mid_game", "lost"])
def test_locate_compressed_small_cells(state: str) -> None:
    shown = labelled(f"ace-minesweeper/{state}")
    packed = cv2.imencode(".jpg", shown.frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    check(Frame(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)), shown.lattice)


def test_locate_missing_lines_never_smaller_board() -> None:
    frame, _ = scaled("xdemineur/won", 75, cv2.INTER_NEAREST)
    with pytest.raises(BoardNotFound):
        locate_lattice(frame)


# --- drawn boards, and covers and shapes that no lines part ----------------------------------------------

TEXT = "the quick brown fox jumps over the lazy dog, and goes on until the end of the line"


def lines_at(left: int, top: int, columns: int, rows: int, wide: int, high: int) -> Lattice:
    xs, ys = range(left, left + columns * wide + 1, wide), range(top, top + rows * high + 1, high)
    return Lattice(tuple(xs), tuple(ys))


def write(
    canvas: Pixels, text: str, x: int, y: int, size: float = 0.5, ink: tuple[int, int, int] = (10, 10, 10)
) -> None:
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def ruled(lattice: Lattice, shape: tuple[int, int]) -> Pixels:
    """A page of (height, width) pixels with a fresh board, thin dark lines around its cells."""
    page = np.full((*shape, 3), (252, 244, 234), np.uint8)
    x, y, wide, high = lattice.box
    page[y : y + high + 1, x : x + wide + 1] = (60, 50, 40)
    for k in range(lattice.rows * lattice.columns):
        left, top, right, bottom = lattice.rectangle(k)
        page[top + 1 : bottom, left + 1 : right] = (228, 222, 232)
    return page


@pytest.mark.parametrize("seed", range(18))
def test_locate_drawn_theme_exact(seed: int) -> None:
    """Fresh boards, first openings and nearly finished boards of random themes and sizes."""
    rng = random.Random(seed)
    rows, columns = rng.randint(8, 16), rng.randint(8, 24)
    field = Minefield(Deal.random(rows, columns, rows * columns // 6, seed), "zero")
    safe = [k for k in range(rows * columns) if not field.truth or not field.truth >> k & 1]
    for share in (0.0, 0.01, 0.85):
        field.play([Move("open", k) for k in safe[: round(share * len(safe))]])
        (seen,) = locate_all(draw(field.board, random_skin(seed)))
        assert not seen.clipped
        wanted = lattice_for(field.board, random_skin(seed), 24, 32)
        assert seen.lattice.size == wanted.size
        assert off(seen.lattice, wanted) <= 2


@pytest.mark.parametrize(
    ("columns", "rows", "wide", "high"), [(16, 12, 30, 30), (9, 9, 40, 40), (10, 8, 54, 40), (20, 14, 24, 24)]
)
def test_locate_covers_without_lines(columns: int, rows: int, wide: int, high: int) -> None:
    """The covers are one picture, in a window of another colour."""
    small = np.random.default_rng(columns).uniform(-30, 30, (5, 5, 3)).astype(np.float32)
    cover = cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC) + np.array((60, 140, 70))
    canvas = np.full((600, 900, 3), (200, 190, 180), np.uint8)
    covers = np.tile(np.clip(cover, 0, 255).astype(np.uint8), (rows, columns, 1))
    canvas[90 : 90 + rows * high, 120 : 120 + columns * wide] = covers
    check(Frame(canvas), lines_at(120, 90, columns, rows, wide, high))


@pytest.mark.parametrize(
    ("columns", "rows", "wide", "high"),
    [
        *((4, 4, 32, 32), (9, 7, 65, 47), (10, 10, 22, 38), (12, 9, 46, 23), (12, 6, 17, 36)),
        *((8, 9, 85, 25), (14, 6, 21, 64)),  # longer than those of other searches
    ],
)
def test_locate_smallest_board_and_oblong_cells(columns: int, rows: int, wide: int, high: int) -> None:
    lattice = lines_at(150, 100, columns, rows, wide, high)
    check(Frame(ruled(lattice, (600, 900))), lattice)


def test_locate_long_cells_only_without_another_board() -> None:
    """A table of long cells is no second board; alone it may be one."""
    board, table = lines_at(60, 40, 9, 9, 25, 25), lines_at(150, 300, 8, 9, 85, 25)
    page = ruled(table, (600, 900))
    assert [each.probability <= 0.5 for each in locate_all(Frame(page))] == [True]
    check(Frame(np.vstack([ruled(board, (300, 900)), page[300:]])), board)


def photo(spots: tuple[int, int], grain: float) -> Pixels:
    """A colourful desktop of 1280x900 pixels."""
    dice = np.random.default_rng(3)
    small = dice.uniform(0, 255, (*spots, 3)).astype(np.float32)
    large = cv2.resize(small, (1280, 900), interpolation=cv2.INTER_CUBIC)
    return np.clip(large + dice.normal(0, grain, (900, 1280, 1)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("columns", "rows", "side"), [(20, 12, 52), (10, 8, 55)])
def test_locate_board_on_photo_near_border(columns: int, rows: int, side: int) -> None:
    """The lines seem to go on in the photo, to the border of the picture less than a cell away."""
    page, lattice = photo((40, 56), 14), lines_at(34, 220, columns, rows, side, side)
    page[180 : lattice.ys[-1] + 1, 34 : lattice.xs[-1] + 1] = 220
    for k in range(columns * rows):
        left, top, right, bottom = lattice.rectangle(k)
        page[top + 3 : bottom, left + 3 : right] = 30
    check(Frame(page), lattice, 3)  # a line may be anywhere in a gap


def test_locate_long_cells_on_photo() -> None:
    """The lines seem to go on in the photo around the window."""
    page, lattice = photo((9, 12), 6), lines_at(519, 99, 9, 9, 78, 26)
    page[50:365, 500:1241] = 60
    for k in range(81):
        left, top, right, bottom = lattice.rectangle(k)
        page[top + 1 : bottom, left + 1 : right] = 130
    check(Frame(page), lattice)


def test_locate_columns_of_two_widths_no_part() -> None:
    """The equal columns at the right are not the whole board."""
    xs = (*range(100, 340, 60), *range(340, 741, 80))
    page = ruled(Lattice(xs, tuple(range(100, 362, 29))), (600, 900))
    assert all(each.lattice.columns == 9 for each in locate_all(Frame(page)))


@pytest.mark.parametrize("share", [0.35, 0.7])
def test_locate_open_cells_without_lines(share: float) -> None:
    """Of six boards, of which this share is open, five are located exactly."""
    exact = 0
    for seed, side in enumerate((20, 28, 36, 48, 28, 36)):
        field = Minefield(Deal.random(9, 11, 14, seed), "zero", "open")
        field.play([Move("open", 49)])
        safe = [k for k in range(99) if not (field.truth or 0) >> k & 1]
        field.play([Move("open", k) for k in safe[: round(share * len(safe))]])
        lattice = lines_at(90, 80, 11, 9, side, side)
        canvas = np.full((180 + 9 * side, 190 + 11 * side, 3), (180, 170, 160), np.uint8)
        for k, state in enumerate(field.board.cells):
            x, y, right, bottom = lattice.rectangle(k)
            canvas[y:bottom, x:right] = 240
            if state == ".":
                canvas[y:bottom, x:right] = (200, 120, 60)
                canvas[y + 1 : bottom - 2, x + 1 : right - 2] = (220, 140, 80)
            elif state != "0":
                write(canvas, state, x + round(0.28 * side), y + round(0.75 * side), side / 46)
        exact += [each.lattice for each in locate_all(Frame(canvas))] == [lattice]
    assert exact >= 5


def test_locate_dithered_cells() -> None:
    pixels = np.full((300, 320, 3), 255, np.uint8)
    dots = np.indices((241, 241)).sum(axis=0) % 2 == 0
    pixels[40:281, 30:271][dots] = 90
    for line in range(0, 241, 20):
        pixels[40 + line, 30:271] = pixels[40:281, 30 + line] = 0
    check(Frame(pixels), lines_at(30, 40, 12, 12, 20, 20))


def test_locate_text_above_board_no_clipping() -> None:
    lattice = lines_at(60, 90, 8, 8, 51, 51)
    page = ruled(lattice, (560, 700))
    write(page, TEXT, 60, 74)
    check(Frame(page), lattice)


def test_locate_text_window_over_first_row_clips() -> None:
    page = ruled(lines_at(60, 90, 8, 8, 51, 51), (560, 700))
    over = page[: 90 + 51 // 3]
    over[:] = (190, 150, 60)
    for y in range(14, len(over), 18):
        write(over, TEXT, 8, y, 0.45, (65, 105, 195))
    with pytest.raises(BoardUnplayable, match="top"):
        locate_lattice(Frame(page))


def test_locate_window_over_last_pixel_no_clipping() -> None:
    lattice = lines_at(60, 90, 9, 9, 25, 25)
    check(Frame(ruled(lattice, (360, lattice.xs[-1] - 1))), lattice)


# --- wider gaps between rows than between columns, or the reverse ---------------------------------------

LEFT, TOP = 70, 90  # pixels of the first cell
ROWS, COLUMNS = 8, 10
COLOURS = {"light": ((255, 255, 255), (240, 232, 225)), "dark": ((40, 30, 30), (120, 90, 70))}


def apart(side: int, pitch: tuple[int, int], colours: str, words: str = "") -> Frame:
    """A page with 8 rows of 10 covers at a pitch (across, down), and words under each."""
    ground, cover = COLOURS[colours]
    page = np.full((TOP + ROWS * pitch[1] + 60, LEFT + COLUMNS * pitch[0] + 80, 3), ground, np.uint8)
    write(page, "Mines: 10", LEFT, 40, 0.7, cover)
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = LEFT + column * pitch[0], TOP + row * pitch[1]
            cv2.rectangle(page, (x, y), (x + side - 1, y + side - 1), cover, -1)
            write(page, words, x, y + side + 12, 0.4, (128, 128, 128))
    return Frame(page)


@pytest.mark.parametrize(
    ("side", "near", "far", "colours"),
    [
        *((40, 42, 61, "light"), (30, 33, 48, "dark"), (24, 26, 38, "light"), (50, 52, 70, "dark")),
        (46, 50, 50, "light"),
    ],
)
@pytest.mark.parametrize("is_across", [False, True])
def test_locate_separate_covers_centred_in_cells(
    side: int, near: int, far: int, colours: str, is_across: bool
) -> None:
    pitch = (far, near) if is_across else (near, far)
    (found,) = locate_all(apart(side, pitch, colours))
    assert not found.clipped
    assert (found.lattice.columns, found.lattice.rows) == (COLUMNS, ROWS)
    for lines, start, step in ((found.lattice.xs, LEFT, pitch[0]), (found.lattice.ys, TOP, pitch[1])):
        before = np.array([start + step * k for k in range(len(lines) - 1)]) - lines[:-1]
        behind = np.array(lines[1:]) - [start + step * k + side for k in range(len(lines) - 1)]
        assert min(before.min(), behind.min()) >= -1
        assert np.abs(before - behind).max() <= (4 if far > near else 2)


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize(("side", "pitch"), [(18, 30), (24, 40), (20, 34)])
def test_locate_buttons_far_apart_numbers_on_ground(side: int, pitch: int, colours: str) -> None:
    """The gaps take four tenths of the board, and open cells are numbers without a ground of their own."""
    pixels = apart(side, (pitch, pitch), colours).pixels.copy()
    field = Minefield(Deal.random(ROWS, COLUMNS, 12, 1), "safe", "open")
    board = field.play([Move("open", 35)])
    for cell in bits(board.open):
        x, y = LEFT + cell % COLUMNS * pitch, TOP + cell // COLUMNS * pitch
        pixels[y : y + side, x : x + side] = COLOURS[colours][0]
        write(pixels, board[cell].replace("0", ""), x + side // 3, y + 3 * side // 4, side / 45, (200, 0, 0))
    before = (pitch - side) // 2
    check(Frame(pixels), lines_at(LEFT - before, TOP - before, COLUMNS, ROWS, pitch, pitch), 1)


def test_locate_captioned_pictures_no_board() -> None:
    assert not locate_all(apart(40, (46, 66), "light", "file"))


# --- pictures without a board ---------------------------------------------------------------------------


def blank(grey: int) -> Pixels:
    return np.full((900, 1280, 3), grey, np.uint8)


def written_page() -> Pixels:
    page = blank(250)
    for line in range(38):
        write(page, "the quick brown fox oooo 0000 jumps over the lazy dog again", 20, 30 + 23 * line, 0.6)
    return page


def icons() -> Pixels:
    """Rows of discs, boxes, triangles and letters in many colours."""
    desk, rng = blank(235), np.random.default_rng(5)
    for row, column in np.ndindex(6, 8):
        x, y, kind = 30 + 60 * column, 30 + 60 * row, int(rng.integers(4))
        ink = tuple(int(value) for value in rng.integers(0, 200, 3))
        if kind == 0:
            cv2.circle(desk, (x + 20, y + 20), 18, ink, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(desk, (x + 4, y), (x + 36, y + 40), ink, 3)
        elif kind == 2:
            cv2.fillPoly(desk, [np.array([(x, y + 40), (x + 20, y), (x + 40, y + 40)])], ink, cv2.LINE_AA)
        else:
            cv2.putText(desk, "@&%S"[column % 4], (x, y + 36), cv2.FONT_HERSHEY_DUPLEX, 1.5, ink, 3)
    return desk


@pytest.mark.parametrize(
    "pixels",
    [
        blank(0),
        np.random.default_rng(3).integers(0, 256, (900, 1280, 3), dtype=np.uint8),
        np.where(np.arange(900)[:, None, None] % 20 < 2, blank(200), blank(30)),
        written_page(),
        icons(),
        blank(7)[:4, :4],
    ],
    ids=["blank", "noise", "stripes", "page", "icons", "tiny"],
)
def test_locate_other_picture_none(pixels: Pixels) -> None:
    with pytest.raises(BoardNotFound, match="no board"):
        locate_lattice(Frame(np.ascontiguousarray(pixels)))


def test_locate_squares_among_letters_no_error() -> None:
    """A board of text in a terminal: nothing at all is drawn between its squares."""
    pixels = np.zeros((420, 420, 3), np.uint8)
    for row, column in np.ndindex(20, 20):
        x, y = 20 + 18 * column, 20 + 18 * row
        if 6 <= row < 14 and 6 <= column < 14:
            pixels[y : y + 8, x : x + 8] = 255
        else:
            cv2.putText(pixels, "?", (x, y + 10), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255))
    seen = locate_all(Frame(pixels))
    assert all(each.lattice.columns >= 4 and each.lattice.rows >= 4 for each in seen)


# --- lines around some cells only ----------------------------------------------------------------------

SIDE, LEFT, TOP = 60, 100, 90
SMALL = "......", "......", "12.211", "01.100", "011100", "000000"
LARGE = (
    "...10000000", "...10000111", "..1100001..", ".11111111..", ".12F11F2...", ".2F22223...",
    "..421F12...", "2FF11122...", "1221001F2..", "000000112..", "000000001..",
)  # fmt: skip


def partly_lined(rows: tuple[str, ...], seed: int) -> Pixels:
    """A board without lines around empty cells, on a gradient with circles."""
    rng = np.random.default_rng(seed)
    wide, high = len(rows[0]) * SIDE, len(rows) * SIDE
    ramp = np.linspace(0, 40, high + 2 * TOP)[:, None, None] + (160, 120, 80)
    page = np.repeat(ramp, wide + 2 * LEFT, axis=1).astype(np.uint8)
    for _ in range(25):
        middle = int(rng.integers(page.shape[1])), int(rng.integers(page.shape[0]))
        cv2.circle(page, middle, int(rng.integers(10, 45)), (205, 170, 120), 2, cv2.LINE_AA)
    page[TOP : TOP + high, LEFT : LEFT + wide] = (255, 0, 0)
    for row, states in enumerate(rows):
        for column, state in enumerate(states):
            x, y = LEFT + column * SIDE, TOP + row * SIDE
            if state != "0":
                colour = (192, 192, 192) if state in ".F" else (255, 0, 0)
                cv2.rectangle(page, (x, y), (x + SIDE - 1, y + SIDE - 1), colour, -1)
                cv2.rectangle(page, (x, y), (x + SIDE - 1, y + SIDE - 1), (0, 0, 0), 2)
            if state in "1234":
                at = x + SIDE // 3, y + 2 * SIDE // 3
                cv2.putText(page, state, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2, cv2.LINE_AA)
    return page


@pytest.mark.parametrize("seed", [0, 2])
def test_locate_lined_part_of_board_replaced(seed: int) -> None:
    """The part with lines is unlikely to be a board, the whole board is not."""
    found = locate_lattice(Frame(partly_lined(LARGE, seed)))
    assert found.size == "11x11"


def test_locate_plain_last_row_added() -> None:
    lines = [tuple(float(start + SIDE * k) for k in range(7)) for start in (LEFT, TOP)]
    judge = CellJudge(partly_lined(SMALL, 0))
    less = score_grid(judge, Grid(lines[0], lines[1][:-1]))
    assert change_extent(judge, less).grid == Grid(*lines)
