"""A board over a game: what acts teach, what passes by itself, what is drawn anew, how a game ends."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import draw, lattice_for, record_game, sight, skin_of, tiles_of
from synthetic import random_look

from bot.recording import Recording, replay
from games.errors import Unplayable
from games.minesweeper import UNKNOWN, Board, Move
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin, Tile
from vision.tracking import Tracker

PROGRAMS = ("ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur")
HIDDEN = "......\n......\n......\n......\n......\n......"
OPENED = "001...\n112...\n......\n......\n......\n......"
FLAGGED = "001...\n112F..\n......\n......\n......\n......"
LOST = "001..*\n112*..\n.*....\n....!.\n......\n.*...*"
LOOKS = [*(skin_of(name) for name in PROGRAMS), *(random_look(seed) for seed in (0, 5, 21))]


def name_of(look: Skin) -> str:
    return look.name


def sized(look: Skin, side: int) -> Skin:
    """The same look, drawn so large."""
    tiles = tuple(
        Tile(state, cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8))
        for state, pixels in tiles_of(look).items()
    )
    return Skin(look.name, tiles)


def reader_on(look: Skin, board: str = HIDDEN, skin: Skin | None = None) -> Tracker:
    """Somebody who has seen nothing yet of a board of this size, drawn with this look."""
    return sight().reader(lattice_for(Board.parse(board), look, 24, 32), skin)


def picture(board: str, look: Skin) -> Frame:
    return draw(Board.parse(board), look)


def opened_one(look: Skin, skin: Skin | None = None) -> Tracker:
    """Somebody who has seen the first opening."""
    reader = reader_on(look, skin=skin)
    assert right(reader.observe(picture(HIDDEN, look)).board, HIDDEN)
    reader.acted([Move("open", 0)], certain=True)
    assert right(reader.observe(picture(OPENED, look)).board, OPENED)
    return reader


def wrong(seen: Board, true: str, mines_alike: bool = False) -> list[str]:
    """The cells that were read wrong; with `mines_alike` one mine may be taken for another."""
    board = Board.parse(true)
    if mines_alike:
        board, seen = (
            each.showing({k: "*" for k in range(len(each)) if each.shown_mines >> k & 1})
            for each in (board, seen)
        )
    return [
        f"{seen.name(k)} is {board[k]}, read as {seen[k]}"
        for k in range(len(seen))
        if seen[k] not in (board[k], UNKNOWN)
    ]


def right(seen: Board, true: str) -> bool:
    """Whether every cell is read; fails when one is read wrong."""
    assert wrong(seen, true) == []
    return seen.unread == 0


def with_cell(frame: Frame, lattice: Lattice, cell: int, change: np.ndarray | int) -> Frame:
    """The picture with so many grey levels more in one cell, or with another picture there."""
    x, y, x2, y2 = lattice.rectangle(cell)
    pixels = frame.pixels.copy()
    if isinstance(change, int):
        pixels[y:y2, x:x2] = np.clip(pixels[y:y2, x:x2].astype(int) + change, 0, 255)
    else:
        pixels[y:y2, x:x2] = change
    return Frame(pixels)


def lit(board: str, look: Skin, cell: int) -> Frame:
    """A board of which one cell is lit; nothing is drawn that was not there."""
    lattice = lattice_for(Board.parse(board), look, 24, 32)
    return with_cell(picture(board, look), lattice, cell, 40)


# --- whole games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_look_is_learned_while_playing_and_the_game_replays_the_same(look: Skin, tmp_path: Path) -> None:
    misread: list[str] = []
    shares: list[float] = []

    def watched(seen: Board, true: Board) -> None:
        misread.extend(wrong(seen, str(true)))
        shares.append(1 - seen.unread.bit_count() / len(seen))

    result = record_game(tmp_path, 2, (12, 12), 22, drawn=look, watched=watched)
    assert misread == []
    assert result.wrong_certain == 0
    assert shares[0] == 1
    assert sum(shares) / len(shares) > 0.97
    assert replay(Recording(tmp_path), Reasoner(load_strategies())).differences == ()


def changed_theme(seed: int, then: int, folder: Path, misread: list[str], shares: list[float]) -> str:
    """How a game goes whose look changes after a few acts; tells what was misread, what share was read."""

    def watched(seen: Board, true: Board) -> None:
        misread.extend(wrong(seen, str(true)))
        known = [state != UNKNOWN for k, state in enumerate(seen.cells) if true.open >> k & 1]
        shares.extend([sum(known) / len(known)] if known else [])

    look, later = sized(random_look(seed), 24), sized(random_look(then), 24)
    try:
        return record_game(folder, 3, (12, 12), 20, drawn=look, later=later, watched=watched).result
    except Unplayable:
        return "stopped"


THEMES = [(5, 0), (8, 21), (20, 5)]


@pytest.mark.parametrize(("seed", "then"), THEMES)
def test_a_theme_that_changes_in_mid_game_is_not_read_wrong(seed: int, then: int, tmp_path: Path) -> None:
    misread: list[str] = []
    shares: list[float] = []
    changed_theme(seed, then, tmp_path, misread, shares)
    assert misread == []
    assert sum(shares) / len(shares) > 0.9
    assert replay(Recording(tmp_path), Reasoner(load_strategies())).differences == ()


@pytest.mark.parametrize(("seed", "then"), THEMES)
def test_a_game_whose_theme_changes_is_played_to_its_end(seed: int, then: int, tmp_path: Path) -> None:
    assert changed_theme(seed, then, tmp_path, [], []) in ("won", "lost")


# --- what passes by itself --------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_cell_that_only_lights_up_under_the_pointer_is_no_number(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("open", 9)], certain=True)
    reading = reader.observe(lit(OPENED, look, 9))
    assert wrong(reading.board, OPENED) == []
    assert reading.board.having(".012") | 1 << 9 == reading.board.everything
    after = OPENED.replace("112...", "1122..")
    assert right(reader.observe(picture(after, look)).board, after)


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_pressed_cell_that_looks_empty_is_not_believed_before_its_number_is_drawn(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("open", 22)], certain=True)
    pressed = with_cell(picture(OPENED, look), reader.lattice, 22, tiles_of(look)["0"])
    assert reader.observe(pressed).board[22] == UNKNOWN
    after = OPENED[:25] + "3" + OPENED[26:]
    assert Board.parse(after)[22] == "3"
    seen = reader.observe(picture(after, look)).board
    assert wrong(seen, after) == []


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_cell_that_is_lit_before_its_flag_is_drawn_is_no_flag(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("flag", 9)], certain=True)
    assert reader.observe(lit(OPENED, look, 9)).board[9] in (".", UNKNOWN)
    assert right(reader.observe(picture(FLAGGED, look)).board, FLAGGED)


def test_a_fresh_board_is_one_though_a_cell_is_lit() -> None:
    for look in LOOKS:
        board = reader_on(look).observe(lit(HIDDEN, look, 14)).board
        assert board.having(".") | 1 << 14 == board.everything
        assert board[14] in (".", UNKNOWN)


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_cell_that_is_lit_no_more_is_no_end_of_the_game(look: Skin) -> None:
    reader = reader_on(look)
    reader.observe(lit(HIDDEN, look, 14))
    reader.acted([Move("open", 0)], certain=False)
    reading = reader.observe(picture("1" + HIDDEN[1:], look))
    assert reading.board[0] in ("1", UNKNOWN)
    assert reading.board.having(".").bit_count() == 35
    assert not reading.has_ended


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_number_that_is_lit_stays_what_it_was(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("flag", 9)], certain=True)
    seen = reader.observe(lit(FLAGGED, look, 8)).board
    assert wrong(seen, FLAGGED) == []
    assert right(reader.observe(picture(FLAGGED, look)).board, FLAGGED)


# --- drawn anew -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
@pytest.mark.parametrize("side", [18, 36])
def test_cells_that_change_their_size_are_known_at_once(look: Skin, side: int) -> None:
    reader = opened_one(look)
    large = sized(look, side)
    reader.move(lattice_for(Board.parse(OPENED), large, 24, 32))
    assert right(reader.observe(picture(OPENED, large)).board, OPENED)
    reader.acted([Move("flag", 9)], certain=True)
    assert right(reader.observe(picture(FLAGGED, large)).board, FLAGGED)


def test_numbers_are_known_in_the_first_look_at_a_new_theme() -> None:
    reader = opened_one(sized(random_look(5), 24))
    board = reader.observe(picture(OPENED, sized(random_look(8), 24))).board
    assert wrong(board, OPENED) == []
    assert [board[k] for k in (0, 1, 2, 6, 7, 8)] == list("001112")


# --- ends -------------------------------------------------------------------------------------------------


ENDS = {
    "all mines": LOST,
    "only the one that was hit": "001...\n112...\n......\n....!.\n......\n......",
    "a wrong flag": "001.x*\n112*..\n.*....\n....!.\n......\n.*...*",
    "everything opened": "00112*\n112*21\n1*2221\n1111!1\n111122\n1*101*",
}


def at_the_end(reader: Tracker, shown: Frame) -> Reading:
    """What is read of a lost board; where it does not tell by itself, the program takes no more acts."""
    reader.acted([Move("open", 22)], certain=False)
    reading = reader.observe(shown)
    if not reading.has_ended and reader.stuck():
        reading = reader.observe(shown)
    return reading


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
@pytest.mark.parametrize("how", ENDS)
def test_a_lost_game_is_known_and_nothing_of_it_is_read_wrong(look: Skin, how: str) -> None:
    true = ENDS[how]
    states = set(true) - {"\n"}
    if not states <= set(tiles_of(look)):
        pytest.skip("this program draws no such end")
    reader = opened_one(look)
    if "x" in true:
        reader.acted([Move("flag", 4)], certain=True)
        reader.observe(picture(OPENED.replace("001..", "001.F"), look))
    reading = at_the_end(reader, picture(true, look))
    assert wrong(reading.board, true) == []
    assert reading.has_ended


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_mines_are_reported_from_hidden_cells_when_a_lost_board_is_dimmed(look: Skin) -> None:
    dimmed = Frame((picture(LOST, look).pixels // 2).astype(np.uint8))
    reading = at_the_end(opened_one(look), dimmed)
    assert wrong(reading.board, LOST, mines_alike=True) == []
    assert reading.has_ended


def with_message(frame: Frame, lattice: Lattice) -> Frame:
    """The picture with a message over five cells of its fifth row; cells are 24 pixels."""
    x, y, _, _ = lattice.rectangle(24)
    pixels = frame.pixels.copy()
    pixels[y + 2 : y + 22, x : x + 120] = 250
    cv2.putText(pixels, "You lost", (x + 4, y + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    return Frame(pixels)


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_message_over_a_lost_board_is_no_mine(look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reading = at_the_end(reader, with_message(picture(LOST, look), reader.lattice))
    assert wrong(reading.board, LOST, mines_alike=True) == []
    assert reading.has_ended


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_picture_that_is_no_board_any_more_shows_none(look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reader.acted([Move("open", 22)], certain=False)
    ended = picture(LOST, look)
    left, top, width, height = reader.lattice.box
    ended.pixels[top : top + height, left : left + width] = 245
    cv2.putText(
        ended.pixels, "GAME OVER", (left + 4, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 200), 2
    )
    board = reader.observe(ended).board
    assert set(board.cells) == {UNKNOWN}


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_what_was_hit_is_known_when_the_program_takes_no_more_acts(look: Skin) -> None:
    reader = opened_one(look)
    assert not reader.stuck()
    reader.acted([Move("open", 22)], certain=False)
    odd = np.random.default_rng(4).integers(0, 256, tiles_of(look)["0"].shape, np.uint8)
    lost = with_cell(picture(OPENED, look), reader.lattice, 22, odd)
    assert reader.observe(lost).board[22] == UNKNOWN
    assert reader.stuck()
    reading = reader.observe(lost)
    assert reading.board[22] == "!"
    assert reading.has_ended


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_certain_act_that_shows_nothing_explains_nothing(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("open", 9)], certain=True)
    reader.observe(lit(OPENED, look, 9))
    assert not reader.stuck()


GAPPED = 6  # pixels between cells


def gapped(board: str, gap: tuple[int, int, int]) -> Frame:
    """A picture of a board with wide gaps of this colour (blue, green, red)."""
    parsed, tiles = Board.parse(board), tiles_of(sized(skin_of("xdemineur"), 16))
    side = 16 + GAPPED
    pixels = np.full((side * parsed.rows, side * parsed.columns, 3), gap, np.uint8)
    for k, state in enumerate(parsed.cells):
        row, column = divmod(k, parsed.columns)
        pixels[row * side : row * side + 16, column * side : column * side + 16] = tiles[state]
    return Frame(pixels)


@pytest.mark.parametrize(
    ("before", "act", "lost"),
    [
        (HIDDEN, 0, HIDDEN.replace(".", "!", 1)),
        (OPENED, 30, "001...\n112...\n......\n......\n......\n!....."),
    ],
)
def test_hidden_cells_whose_gaps_turn_red_are_no_flags(before: str, act: int, lost: str) -> None:
    lines = tuple(range(0, 6 * (16 + GAPPED) + 1, 16 + GAPPED))
    reader = sight().reader(Lattice(lines, lines))
    green, red = (120, 200, 120), (0, 0, 255)
    reader.observe(gapped(HIDDEN, green))
    if before != HIDDEN:
        reader.acted([Move("open", 0)], certain=True)
        reader.observe(gapped(before, green))
    reader.acted([Move("open", act)], certain=False)
    seen = reader.observe(gapped(lost, red)).board
    assert wrong(seen, lost) == []


# --- a person, and what is remembered ---------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_what_a_person_opens_and_flags_meanwhile_is_read(look: Skin) -> None:
    reader = opened_one(look)
    reader.acted([Move("open", 9)], certain=True)
    both = "001...\n1122..\n......\n....1.\n......\n.F...."
    seen = reader.observe(picture(both, look)).board
    assert wrong(seen, both) == []
    assert seen.unread in (0, 1 << 31)  # what looks like a flag, and was flagged by nobody, may wait


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_what_was_learned_is_a_skin_that_reads_the_next_game(look: Skin) -> None:
    reader = opened_one(look)
    skin = reader.learned("mine")
    assert skin is not None
    assert set(skin.states) == set(".012")
    assert {state for state, _ in skin.evidence} == set(".012")
    again = reader_on(look, skin=skin)
    assert right(again.observe(picture(OPENED, look)).board, OPENED)
    assert again.learned("mine") is None


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
@pytest.mark.parametrize(("shown", "remembered"), [(".", "3"), ("1", "8"), ("0", "F")])
def test_a_memory_that_contradicts_the_picture_is_overruled_and_dropped(
    look: Skin, shown: str, remembered: str
) -> None:
    tile = tiles_of(look)[shown]
    skin = opened_one(look, Skin("false", (Tile(remembered, tile),))).learned("false")
    assert skin is not None
    assert skin.recall(tile) == shown


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_where_much_is_remembered_wrongly_nothing_is_read_rather_than_something_wrong(look: Skin) -> None:
    swap = {"1": "2", "2": "1"}
    false = Skin("false", tuple(Tile(swap.get(s, s), pixels) for s, pixels in tiles_of(look).items()))
    reader = reader_on(look, skin=false)
    assert right(reader.observe(picture(HIDDEN, look)).board, HIDDEN)
    reader.acted([Move("open", 0)], certain=True)
    for _ in range(5):
        assert wrong(reader.observe(picture(OPENED, look)).board, OPENED) == []


def test_a_board_beyond_the_picture_is_refused() -> None:
    look = LOOKS[0]
    reader = sight().reader(lattice_for(Board.parse(HIDDEN), look, 24, 32).moved(-9999, 0))
    with pytest.raises(Unplayable, match="beyond the picture"):
        reader.observe(picture(HIDDEN, look))
