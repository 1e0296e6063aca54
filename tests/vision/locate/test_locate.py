"""Boards are found exactly, in real screenshots and where no lines part their cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawing import LABELLED, SCREENS, labelled, off

from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice

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


# --- screenshots of another size -----------------------------------------------------------------------


@pytest.mark.parametrize("percent", [125, 150, 200])
@pytest.mark.parametrize("program", PROGRAMS)
def test_locate_scaled_screen_same_board(program: str, percent: int) -> None:
    check(*scaled(f"{program}/fresh", percent, cv2.INTER_LINEAR), 2 * percent / 100)


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


# --- covers and shapes that no lines part --------------------------------------------------------------


def pictured(columns: int, rows: int, wide: int, high: int, seed: int) -> tuple[Frame, Lattice]:
    """A fresh board whose covers are one picture, in a window of another colour."""
    rng = np.random.default_rng(seed)
    small = rng.uniform(-30, 30, (5, 5, 3)).astype(np.float32)
    cover = cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC) + np.array((60, 140, 70))
    canvas = np.full((600, 900, 3), (200, 190, 180), np.uint8)
    left, top = 120, 90
    canvas[top : top + rows * high, left : left + columns * wide] = np.tile(
        np.clip(cover, 0, 255).astype(np.uint8), (rows, columns, 1)
    )
    xs, ys = range(left, left + columns * wide + 1, wide), range(top, top + rows * high + 1, high)
    return Frame(canvas), Lattice(tuple(xs), tuple(ys))


@pytest.mark.parametrize(
    ("columns", "rows", "wide", "high"), [(16, 12, 30, 30), (9, 9, 40, 40), (10, 8, 54, 40), (20, 14, 24, 24)]
)
def test_locate_covers_without_lines(columns: int, rows: int, wide: int, high: int) -> None:
    check(*pictured(columns, rows, wide, high, columns))


def test_locate_smallest_board_and_oblong_cells() -> None:
    sizes = (4, 4, 32, 32), (9, 7, 65, 47), (10, 10, 22, 38), (12, 9, 46, 23), (12, 6, 17, 36)
    for columns, rows, wide, high in sizes:
        canvas = np.full((600, 900, 3), 225, np.uint8)
        for row in range(rows):
            for column in range(columns):
                x, y = 150 + column * wide, 100 + row * high
                cv2.rectangle(canvas, (x, y), (x + wide - 1, y + high - 1), (120, 120, 120), 1)
                cv2.rectangle(canvas, (x + 1, y + 1), (x + wide - 2, y + high - 2), (190, 185, 180), -1)
        found = locate_lattice(Frame(canvas))
        assert found.size == f"{columns}x{rows}"
        assert abs(found.xs[0] - 150) <= 2
        assert abs(found.ys[0] - 100) <= 2


def test_locate_lines_centred_in_wide_gaps() -> None:
    canvas = np.full((260, 300, 3), 250, np.uint8)
    for row in range(8):
        for column in range(9):
            x, y = 40 + 22 * column, 50 + 22 * row
            canvas[y : y + 16, x : x + 16] = 172
            cv2.rectangle(canvas, (x, y), (x + 15, y + 15), (188, 188, 188), 1)
    found = locate_lattice(Frame(canvas))
    assert (found.xs, found.ys) == (tuple(range(37, 236, 22)), tuple(range(47, 224, 22)))


def test_locate_open_cells_without_lines() -> None:
    side, columns, rows = 28, 11, 9
    canvas = np.full((420, 500, 3), (180, 170, 160), np.uint8)
    left, top = 90, 80
    canvas[top : top + rows * side, left : left + columns * side] = 240
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * side, top + row * side
            if row + column > 13 or (row < 2 and column > 8):  # the covers that are left
                canvas[y : y + side, x : x + side] = (200, 120, 60)
                canvas[y + 1 : y + side - 2, x + 1 : x + side - 2] = (220, 140, 80)
            elif row + column > 11:
                cv2.putText(
                    canvas, "123"[column % 3], (x + 8, y + 21), cv2.FONT_HERSHEY_DUPLEX, 0.6, (0, 0, 160), 1
                )
    found = locate_lattice(Frame(canvas))
    assert found.size == "11x9"
    assert abs(found.xs[0] - left) <= 2
    assert abs(found.ys[0] - top) <= 2


def test_locate_icon_rows_no_board() -> None:
    desk = np.full((300, 420, 3), 235, np.uint8)
    rng = np.random.default_rng(5)
    for row in range(4):
        for column in range(6):
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
    with pytest.raises(BoardNotFound):
        locate_lattice(Frame(desk))


def test_locate_dithered_cells() -> None:
    pixels = np.full((300, 320, 3), 255, np.uint8)
    dots = np.indices((241, 241)).sum(axis=0) % 2 == 0
    pixels[40:281, 30:271][dots] = 90
    for line in range(0, 241, 20):
        pixels[40 + line, 30:271] = pixels[40:281, 30 + line] = 0
    found = locate_lattice(Frame(pixels))
    assert (found.size, found.box[2:]) == ("12x12", (240, 240))


def ruled(columns: int, rows: int, side: int, shape: tuple[int, int]) -> np.ndarray:
    """A page of (height, width) pixels with a fresh board, thin dark lines around its cells, at (60, 90)."""
    page = np.full((*shape, 3), (252, 244, 234), np.uint8)
    page[90 : 91 + rows * side, 60 : 61 + columns * side] = (60, 50, 40)
    for row in range(rows):
        for column in range(columns):
            x, y = 60 + column * side, 90 + row * side
            page[y + 1 : y + side, x + 1 : x + side] = (228, 222, 232)
    return page


def test_locate_text_above_board_no_clipping() -> None:
    page = ruled(8, 8, 51, (560, 700))
    text = "for everybody who likes it: the game works with a smartphone, thank you"
    cv2.putText(page, text, (60, 74), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    found = locate_lattice(Frame(page))
    assert found.size == "8x8"
    assert abs(found.xs[0] - 60) <= 2
    assert abs(found.ys[0] - 90) <= 2


def test_locate_text_window_over_first_row_clips() -> None:
    page = ruled(8, 8, 51, (560, 700))
    over = page[: 90 + 51 // 3]
    over[:] = (190, 150, 60)
    for y in range(14, len(over), 18):
        text = "the quick brown fox jumps over the lazy dog, and goes on until the end of the line"
        cv2.putText(over, text, (8, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (65, 105, 195), 1, cv2.LINE_AA)
    with pytest.raises(BoardUnplayable, match="top"):
        locate_lattice(Frame(page))


def test_locate_window_over_last_pixel_no_clipping() -> None:
    page = ruled(9, 9, 25, (360, 60 + 9 * 25 - 1))
    found = locate_lattice(Frame(page))
    assert found.size == "9x9"
    assert found.xs[-1] == page.shape[1]
