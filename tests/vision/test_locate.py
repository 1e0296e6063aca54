"""Boards are found exactly, in real screenshots and in drawn looks that nobody tuned anything for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from games.errors import ManyBoards, NoBoard, Unplayable
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locating import Sighting, locate, locate_all, verify

SCREENS = Path(__file__).parents[2] / "fixtures" / "screens"
LABELLED = sorted(SCREENS.glob("*/*.txt"))
WHOLE = [text for text in LABELLED if not text.stem.startswith("recorded_")]  # those show the cells alone
Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def truth(text: Path) -> Lattice:
    lines = {
        line[2]: tuple(int(word) for word in line[4:].split())
        for line in text.read_text().splitlines()
        if line.startswith(("# x:", "# y:"))
    }
    return Lattice(lines["x"], lines["y"])


def off(found: Lattice, wanted: Lattice) -> int:
    """The largest distance of a line from where it should be."""
    pairs = [*zip(found.xs, wanted.xs, strict=True), *zip(found.ys, wanted.ys, strict=True)]
    return max(abs(a - b) for a, b in pairs)


def picture(text: Path) -> Frame:
    return Frame.load(text.with_suffix(".png"))


# --- real screenshots ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", WHOLE, ids=name)
def test_a_labelled_screenshot_is_located_exactly(text: Path) -> None:
    wanted, found = truth(text), locate(picture(text))
    assert (found.columns, found.rows) == (wanted.columns, wanted.rows)
    assert off(found, wanted) <= 2


def test_a_board_that_its_window_cuts_is_refused_and_the_sides_are_named() -> None:
    with pytest.raises(Unplayable, match="cut at the right and bottom"):
        locate(Frame.load(SCREENS / "gnome-mines" / "clipped_default_window_30x16.png"))


@pytest.mark.parametrize("state", ["gnome-mines/difficulty_screen", "gnome-mines/start_over_confirm"])
def test_a_window_without_a_board_has_none(state: str) -> None:
    with pytest.raises(NoBoard):
        locate(Frame.load(SCREENS / f"{state}.png"))


def test_a_dialog_over_a_board_does_not_make_it_smaller() -> None:
    wanted = truth(SCREENS / "kmines" / "lost.txt")
    found = locate(Frame.load(SCREENS / "kmines" / "lost_popup.png"))
    assert found.size == wanted.size
    assert off(found, wanted) <= 2


@pytest.mark.parametrize("text", WHOLE, ids=name)
def test_a_board_cut_by_the_edge_of_the_screen_is_refused(text: Path) -> None:
    frame, lattice = picture(text), truth(text)
    half = (lattice.xs[-2] + lattice.xs[-1]) // 2
    with pytest.raises(Unplayable, match="right"):
        locate(frame.cut(0, 0, half, frame.height))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sgt-mines/mid_game", "kmines/fresh"),
        ("gnome-mines/lost", "gnome-mines/lost"),
        ("xdemineur/won", "ace-minesweeper/fresh"),
    ],
)
def test_two_boards_are_too_many_and_both_are_named(one: str, other: str) -> None:
    pictures = [picture(SCREENS / f"{state}.txt").pixels for state in (one, other)]
    sizes = [truth(SCREENS / f"{state}.txt").size for state in (one, other)]
    with pytest.raises(ManyBoards) as caught:
        locate(Frame(np.hstack(pictures)))
    assert all(size in str(caught.value) for size in sizes)


# --- drawn looks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A picture with a board of a made-up look, and the box of every cell."""

    pixels: Picture
    lattice: Lattice
    looks: str


LOOKS = ("gaps", "bevels", "checkers", "grid", "texture", "gradient")
STATES = ("fresh", "mid", "done")


def colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    grey = int(rng.integers(low, high))
    b, g, r = (int(np.clip(grey + rng.integers(-25, 26), 0, 255)) for _ in range(3))
    return b, g, r


def shade(base: Colour, by: int) -> Colour:
    b, g, r = (int(np.clip(part + by, 0, 255)) for part in base)
    return b, g, r


def draw(look: str, state: str, seed: int) -> Drawn:
    """A window with a board on a desktop; every colour, size and place is random."""
    rng = np.random.default_rng((LOOKS.index(look), STATES.index(state), seed))
    dark = bool(rng.integers(2))
    pitch = float(rng.uniform(14, 44))
    columns = int(rng.integers(8, min(31, int(1000 / pitch))))
    rows = int(rng.integers(8, min(25, max(9, int(620 / pitch)))))
    canvas = np.full((900, 1280, 3), colour(rng, 0, 255), np.uint8)
    left = int(rng.integers(40, 1240 - int(columns * pitch)))
    top = int(rng.integers(120, 860 - int(rows * pitch)))
    xs = [left + int(column * pitch) for column in range(columns + 1)]
    ys = [top + int(row * pitch) for row in range(rows + 1)]
    face = colour(rng, 30, 90) if dark else colour(rng, 170, 230)
    draw_window(canvas, (xs[0], ys[0], xs[-1], ys[-1]), face, rng)
    hidden = shade(face, 40 if dark else -45)
    opened = shade(face, 14 if dark else -14)
    gap = int(rng.integers(1, max(2, int(pitch / 8)) + 1))
    tile = rng.integers(-18, 19, (64, 64, 1))
    ink = [colour(rng, 150, 255) if dark else colour(rng, 0, 90) for _ in range(4)]
    blob = rng.random((4, 4))  # areas that are open, larger than a cell
    for row in range(rows):
        for column in range(columns):
            share = {"fresh": 0.0, "mid": 0.5, "done": 0.85}[state]
            is_open = bool(blob[row * 4 // rows, column * 4 // columns] < share) and rng.random() < 0.93
            box = (xs[column], ys[row], xs[column + 1], ys[row + 1])
            paint = opened if is_open else hidden
            draw_cell(canvas, box, look, paint, is_open, (row + column) % 2, gap, tile, face)
            if is_open and rng.random() < 0.6:
                digit = int(rng.integers(1, 5))
                draw_glyph(canvas, box, str(digit), ink[digit - 1])
            elif not is_open and state != "fresh" and rng.random() < 0.2:
                draw_glyph(canvas, box, "P", (40, 40, 220))
    return Drawn(canvas, Lattice(tuple(xs), tuple(ys)), look)


def draw_window(
    canvas: Picture, box: tuple[int, int, int, int], face: Colour, rng: np.random.Generator
) -> None:
    x0, y0, x1, y1 = box
    margin = int(rng.integers(4, 30))
    cv2.rectangle(canvas, (x0 - margin, y0 - 70), (x1 + margin, y1 + margin), face, -1)
    cv2.rectangle(canvas, (x0 - margin, y0 - 92), (x1 + margin, y0 - 70), shade(face, -60), -1)
    cv2.putText(
        canvas,
        "Mines - File Edit",
        (x0, y0 - 76),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.5,
        (240, 240, 240),
        1,
        cv2.LINE_AA,
    )
    for button in range(3):
        at = x0 + button * 44
        cv2.rectangle(canvas, (at, y0 - 56), (at + 36, y0 - 24), shade(face, 25), -1)
        cv2.rectangle(canvas, (at, y0 - 56), (at + 36, y0 - 24), shade(face, -40), 1)
    cv2.putText(canvas, "010  0:42", (x0 + 150, y0 - 34), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 230), 2)


def draw_cell(
    canvas: Picture,
    box: tuple[int, int, int, int],
    look: str,
    paint: Colour,
    is_open: bool,
    odd: int,
    gap: int,
    tile: NDArray[np.int64],
    face: Colour,
) -> None:
    x0, y0, x1, y1 = box
    if look == "gaps":
        canvas[y0 : y1 - gap, x0 : x1 - gap] = paint
        canvas[y0 : y1 - gap, x1 - gap : x1] = face
        canvas[y1 - gap : y1, x0:x1] = face
        return
    canvas[y0:y1, x0:x1] = paint
    if look == "checkers":
        canvas[y0:y1, x0:x1] = shade(paint, 9 if odd else 0)
    elif look == "grid" or (is_open and look in ("bevels", "texture", "gradient")):
        canvas[y0, x0:x1] = canvas[y0:y1, x0] = shade(face, -30)
    elif look == "bevels":
        width = max(1, (x1 - x0) // 10)
        canvas[y0 : y0 + width, x0:x1] = canvas[y0:y1, x0 : x0 + width] = shade(paint, 45)
        canvas[y1 - width : y1, x0:x1] = canvas[y0:y1, x1 - width : x1] = shade(paint, -55)
    else:
        if look == "texture":
            change = tile[: y1 - y0, : x1 - x0]
        else:
            change = np.linspace(12, -12, y1 - y0, dtype=np.int64)[:, None, None]
        canvas[y0:y1, x0:x1] = np.clip(np.array(paint) + change, 0, 255).astype(np.uint8)
        canvas[y0, x0:x1] = canvas[y0:y1, x0] = shade(paint, 50)
        canvas[y1 - 1, x0:x1] = canvas[y0:y1, x1 - 1] = shade(paint, -50)


def draw_glyph(canvas: Picture, box: tuple[int, int, int, int], glyph: str, ink: Colour) -> None:
    x0, y0, x1, y1 = box
    size = (x1 - x0) / 40
    (wide, high), _ = cv2.getTextSize(glyph, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    at = ((x0 + x1 - wide) // 2, (y0 + y1 + high) // 2)
    cv2.putText(canvas, glyph, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1 + (x1 - x0) // 24, cv2.LINE_AA)


def as_tuple(seen: tuple[Sighting, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(sighting.lattice.size, sighting.clipped) for sighting in seen]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("look", LOOKS)
def test_a_drawn_look_is_located_exactly(look: str, state: str, seed: int) -> None:
    drawn = draw(look, state, seed)
    seen = locate_all(Frame(drawn.pixels))
    assert as_tuple(seen) == [(drawn.lattice.size, ())]
    assert off(seen[0].lattice, drawn.lattice) <= 2


@pytest.mark.parametrize("percent", [125, 150, 200])
@pytest.mark.parametrize("program", sorted({text.parent.name for text in LABELLED}))
def test_a_scaled_screen_changes_nothing(program: str, percent: int) -> None:
    text = SCREENS / program / "fresh.txt"
    frame, wanted = picture(text), truth(text)
    pixels = cv2.resize(
        frame.pixels, None, fx=percent / 100, fy=percent / 100, interpolation=cv2.INTER_LINEAR
    )
    found = locate(Frame(np.asarray(pixels, np.uint8)))
    scaled = Lattice(
        tuple(round(x * percent / 100) for x in wanted.xs), tuple(round(y * percent / 100) for y in wanted.ys)
    )
    assert found.size == wanted.size
    assert off(found, scaled) <= 2 * percent / 100


def scaled(text: Path, percent: int, way: int) -> tuple[Frame, Lattice]:
    """The picture at another size, and where its lines are then."""
    frame, lines = picture(text), truth(text)
    pixels = cv2.resize(frame.pixels, None, fx=percent / 100, fy=percent / 100, interpolation=way)
    xs, ys = (tuple(round(line * percent / 100) for line in each) for each in (lines.xs, lines.ys))
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
def test_small_large_and_crowded_cells_are_located(state: str, percent: int, way: int) -> None:
    frame, wanted = scaled(SCREENS / f"{state}.txt", percent, way)
    found = locate(frame)
    assert found.size == wanted.size
    assert off(found, wanted) <= wanted.pitch / 5


@pytest.mark.parametrize("state", ["mid_game", "lost"])
def test_a_packed_picture_of_small_cells_is_located(state: str) -> None:
    text = SCREENS / "ace-minesweeper" / f"{state}.txt"
    packed = cv2.imencode(".jpg", picture(text).pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    found = locate(Frame(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)))
    assert found.size == truth(text).size
    assert off(found, truth(text)) <= 2


def test_a_board_of_which_lines_are_gone_is_never_claimed_smaller() -> None:
    frame, _ = scaled(SCREENS / "xdemineur" / "won.txt", 75, cv2.INTER_NEAREST)
    with pytest.raises(NoBoard):
        locate(frame)


def blank(grey: int) -> Picture:
    return np.full((900, 1280, 3), grey, np.uint8)


def written_page() -> Picture:
    page = blank(250)
    for line in range(38):
        words = "the quick brown fox oooo 0000 jumps over the lazy dog again"
        cv2.putText(
            page, words, (20, 30 + 23 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (10, 10, 10), 1, cv2.LINE_AA
        )
    return page


def icons() -> Picture:
    desk = blank(90)
    for row in range(6):
        for column in range(8):
            x, y = 60 + 96 * column, 50 + 96 * row
            cv2.rectangle(desk, (x, y), (x + 47, y + 47), (30 * row, 200 - 20 * column, 180), -1)
    return desk


NOTHING = {
    "blank": blank(0),
    "noise": np.random.default_rng(3).integers(0, 256, (900, 1280, 3), dtype=np.uint8),
    "stripes": np.where(np.arange(900)[:, None, None] % 20 < 2, blank(200), blank(30)),
    "page": written_page(),
    "icons": icons(),
    "tiny": blank(7)[:4, :4],
}


@pytest.mark.parametrize("kind", sorted(NOTHING))
def test_a_picture_of_something_else_has_no_board(kind: str) -> None:
    with pytest.raises(NoBoard, match="no board"):
        locate(Frame(np.ascontiguousarray(NOTHING[kind])))


# --- the cheap check ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", LABELLED, ids=name)
def test_a_lattice_holds_where_it_was_found(text: Path) -> None:
    frame = picture(text)
    assert verify(frame, truth(text))
    assert verify(frame, truth(text), before=frame)


@pytest.mark.parametrize("move", [(4, 0), (-5, 3), (0, 4), (0, -6), (200, 100)])
@pytest.mark.parametrize("text", [text for text in LABELLED if text.stem == "fresh"], ids=name)
def test_a_window_that_moved_is_noticed(text: Path, move: tuple[int, int]) -> None:
    before, lattice = picture(text), truth(text)
    after = Frame(np.roll(before.pixels, move, (1, 0)))
    assert not verify(after, lattice, before=before)


@pytest.mark.parametrize("cells", [1, -1])
@pytest.mark.parametrize("text", [text for text in LABELLED if text.stem == "fresh"], ids=name)
def test_a_window_that_moved_by_a_whole_cell_is_noticed(text: Path, cells: int) -> None:
    before, lattice = picture(text), truth(text)
    after = Frame(np.roll(before.pixels, cells * (lattice.xs[1] - lattice.xs[0]), 1))
    assert not verify(after, lattice, before=before)


def test_a_board_that_is_covered_or_gone_is_noticed() -> None:
    text = SCREENS / "sgt-mines" / "mid_game.txt"
    before, lattice = picture(text), truth(text)
    covered = before.pixels.copy()
    left, top, width, height = lattice.box
    covered[top - 20 : top + height // 2, left - 20 : left + width + 20] = 200
    assert not verify(Frame(covered), lattice)
    assert not verify(Frame(blank(0)), lattice)
    assert not verify(before.cut(0, 0, left + width // 2, before.height), lattice)


def test_the_same_board_in_another_state_still_holds() -> None:
    fresh, later = (picture(SCREENS / "xdemineur" / f"{state}.txt") for state in ("fresh", "mid_game"))
    lattice = truth(SCREENS / "xdemineur" / "fresh.txt")
    assert verify(later, lattice, before=fresh)


def test_cells_that_are_dithered_are_seen() -> None:
    pixels = np.full((300, 320, 3), 255, np.uint8)
    dots = np.indices((241, 241)).sum(axis=0) % 2 == 0
    pixels[40:281, 30:271][dots] = 90
    for line in range(0, 241, 20):
        pixels[40 + line, 30:271] = pixels[40:281, 30 + line] = 0
    found = locate(Frame(pixels))
    assert (found.size, found.box[2:]) == ("12x12", (240, 240))


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
def test_covers_of_one_picture_without_lines_are_located(
    columns: int, rows: int, wide: int, high: int
) -> None:
    frame, wanted = pictured(columns, rows, wide, high, columns)
    found = locate(frame)
    assert found.size == wanted.size
    assert off(found, wanted) <= 2


def test_the_smallest_board_and_cells_that_are_no_squares_are_located() -> None:
    for columns, rows, wide, high in (
        (4, 4, 32, 32),
        (9, 7, 65, 47),
        (10, 10, 22, 38),
        (12, 9, 46, 23),
        (12, 6, 17, 36),
    ):
        canvas = np.full((600, 900, 3), 225, np.uint8)
        for row in range(rows):
            for column in range(columns):
                x, y = 150 + column * wide, 100 + row * high
                cv2.rectangle(canvas, (x, y), (x + wide - 1, y + high - 1), (120, 120, 120), 1)
                cv2.rectangle(canvas, (x + 1, y + 1), (x + wide - 2, y + high - 2), (190, 185, 180), -1)
        found = locate(Frame(canvas))
        assert found.size == f"{columns}x{rows}"
        assert abs(found.xs[0] - 150) <= 2
        assert abs(found.ys[0] - 100) <= 2


def test_lines_lie_in_the_middle_of_wide_gaps() -> None:
    canvas = np.full((260, 300, 3), 250, np.uint8)
    for row in range(8):
        for column in range(9):
            x, y = 40 + 22 * column, 50 + 22 * row
            canvas[y : y + 16, x : x + 16] = 172
            cv2.rectangle(canvas, (x, y), (x + 15, y + 15), (188, 188, 188), 1)
    found = locate(Frame(canvas))
    assert (found.xs, found.ys) == (tuple(range(37, 236, 22)), tuple(range(47, 224, 22)))


def test_a_board_whose_opened_cells_have_no_lines_is_located() -> None:
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
    found = locate(Frame(canvas))
    assert found.size == "11x9"
    assert abs(found.xs[0] - left) <= 2
    assert abs(found.ys[0] - top) <= 2


def test_rows_of_icons_are_no_board() -> None:
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
    with pytest.raises(NoBoard):
        locate(Frame(desk))
