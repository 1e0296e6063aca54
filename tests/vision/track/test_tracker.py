"""Tracker during a game: learning from moves, transients, theme changes, skins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawing import lattice_for, readers, record_game, skin_of, tiles_of
from tracked import (
    FLAGGED,
    HIDDEN,
    LOOKS,
    LOST,
    OPENED,
    lit,
    name_of,
    opened_one,
    picture,
    reader_on,
    right,
    sized,
    with_cell,
    wrong,
)

from benchmarks.random_skins import random_skin
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import GameRules
from bot.recording.recording import Recording
from bot.recording.replay import replay
from games.errors import BoardUnplayable
from games.logic import bits
from games.minesweeper import DIGITS, UNKNOWN, Board, Deal, Minefield, Move
from games.minesweeper.board import MoveKind
from strategies import Reasoner, load_strategies
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin, Tile
from vision.track.tracker import Tracker


@pytest.fixture(params=LOOKS, ids=name_of)
def look(request: pytest.FixtureRequest) -> Skin:
    found: Skin = request.param
    return found


@pytest.fixture
def reader(look: Skin) -> Tracker:
    """A reader that has observed the first opening in this look."""
    return opened_one(look)


# --- whole games ------------------------------------------------------------------------------------------


def test_tracker_learns_theme_and_replays(look: Skin, tmp_path: Path) -> None:
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


@pytest.mark.parametrize(("seed", "then"), [(5, 0), (8, 21), (20, 5)])
def test_tracker_theme_change_game_goes_on(seed: int, then: int, tmp_path: Path) -> None:
    misread: list[str] = []
    shares: list[float] = []

    def watched(seen: Board, true: Board) -> None:
        misread.extend(wrong(seen, str(true)))
        if true.open:
            shares.append(1 - (true.open & seen.unread).bit_count() / true.open.bit_count())

    look, later = sized(random_skin(seed), 24), sized(random_skin(then), 24)
    result = record_game(tmp_path, 3, (12, 12), 20, drawn=look, later=later, watched=watched)
    assert (misread, result.result in ("won", "lost")) == ([], True)
    assert sum(shares) / len(shares) > 0.9
    assert replay(Recording(tmp_path), Reasoner(load_strategies())).differences == ()


# --- transients -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "shown", "lit_cell", "after"),
    [
        ("open", OPENED, 9, OPENED.replace("112...", "1122..")),
        ("flag", OPENED, 9, FLAGGED),
        ("flag", FLAGGED, 8, FLAGGED),
    ],
    ids=["hovered", "before its flag", "number"],
)
def test_tracker_lit_cell_shows_nothing_new(
    kind: MoveKind, shown: str, lit_cell: int, after: str, look: Skin, reader: Tracker
) -> None:
    reader.notify_moves([Move(kind, 9)], certain=True)
    seen = reader.observe(lit(shown, look, lit_cell)).board
    assert wrong(seen, shown) == []
    assert not seen.unread & ~(1 << 9 | 1 << lit_cell)
    assert right(reader.observe(picture(after, look)).board, after)


def test_tracker_pressed_cell_is_not_empty_yet(look: Skin, reader: Tracker) -> None:
    reader.notify_moves([Move("open", 22)], certain=True)
    pressed = with_cell(picture(OPENED, look), reader.lattice, 22, tiles_of(look)["0"])
    assert reader.observe(pressed).board[22] == UNKNOWN
    after = str(Board.parse(OPENED).with_states({22: "3"}))
    seen = reader.observe(picture(after, look)).board
    assert wrong(seen, after) == []


def test_tracker_fresh_board_with_lit_cell(look: Skin) -> None:
    board = reader_on(look).observe(lit(HIDDEN, look, 14)).board
    assert board.cells_showing(".") | 1 << 14 == board.everything
    assert board[14] in (".", UNKNOWN)


def test_tracker_light_off_is_no_game_end(look: Skin) -> None:
    reader = reader_on(look)
    reader.observe(lit(HIDDEN, look, 14))
    reader.notify_moves([Move("open", 0)], certain=False)
    reading = reader.observe(picture("1" + HIDDEN[1:], look))
    assert reading.board[0] in ("1", UNKNOWN)
    assert reading.board.cells_showing(".").bit_count() == 35
    assert not reading.has_ended


# --- other sizes and themes -------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [18, 36])
def test_tracker_resized_cells_known_at_once(look: Skin, reader: Tracker, side: int) -> None:
    large = sized(look, side)
    reader.set_lattice(lattice_for(Board.parse(OPENED), large, 24, 32))
    assert right(reader.observe(picture(OPENED, large)).board, OPENED)
    reader.notify_moves([Move("flag", 9)], certain=True)
    assert right(reader.observe(picture(FLAGGED, large)).board, FLAGGED)


def test_tracker_new_theme_numbers_known_at_once() -> None:
    reader = opened_one(sized(random_skin(5), 24))
    board = reader.observe(picture(OPENED, sized(random_skin(8), 24))).board
    assert wrong(board, OPENED) == []
    assert [board[k] for k in (0, 1, 2, 6, 7, 8)] == list("001112")


# --- moves by the user, skins -----------------------------------------------------------------------------


def test_tracker_user_opens_and_flags_are_read(look: Skin, reader: Tracker) -> None:
    reader.notify_moves([Move("open", 9)], certain=True)
    both = "001...\n1122..\n......\n....1.\n......\n.F...."
    seen = reader.observe(picture(both, look)).board
    assert wrong(seen, both) == []
    assert seen.unread in (0, 1 << 31)  # an unexpected flag may stay unread


def test_tracker_learned_skin_reads_next_game(look: Skin, reader: Tracker) -> None:
    skin = reader.learned("mine")
    assert skin is not None
    assert set(skin.states) == set(".012")
    assert {state for state, _ in skin.evidence} == set(".012")
    again = reader_on(look, skin=skin)
    assert right(again.observe(picture(OPENED, look)).board, OPENED)
    assert again.learned("mine") is None


@pytest.mark.parametrize(("shown", "remembered"), [(".", "3"), ("1", "8"), ("0", "F")])
def test_tracker_wrong_memory_overruled_and_dropped(look: Skin, shown: str, remembered: str) -> None:
    tile = tiles_of(look)[shown]
    skin = opened_one(look, Skin("false", (Tile(remembered, tile),))).learned("false")
    assert skin is not None
    assert skin.match(tile) == shown


def test_tracker_wrong_skin_reads_unknown(look: Skin) -> None:
    swap = {"1": "2", "2": "1"}
    false = Skin("false", tuple(Tile(swap.get(s, s), pixels) for s, pixels in tiles_of(look).items()))
    reader = reader_on(look, skin=false)
    assert right(reader.observe(picture(HIDDEN, look)).board, HIDDEN)
    reader.notify_moves([Move("open", 0)], certain=True)
    for _ in range(5):
        assert wrong(reader.observe(picture(OPENED, look)).board, OPENED) == []


def test_tracker_board_beyond_picture_refused() -> None:
    look = LOOKS[0]
    reader = readers().reader(lattice_for(Board.parse(HIDDEN), look, 24, 32).translated(-9999, 0))
    with pytest.raises(BoardUnplayable, match="beyond the picture"):
        reader.observe(picture(HIDDEN, look))


# --- programs that open single cells, without cascades ----------------------------------------------------

FRESH = Board.fresh(6, 8)
CORNER, ELSEWHERE = 0, 30
STAYS = 4  # observations after which a change is no animation


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({CORNER: "0"}, {}),
        (dict.fromkeys([CORNER, *bits(FRESH.around[CORNER])], "0"), {}),
        ({CORNER: "0"}, {CORNER: "."}),
    ],
    ids=["alone", "with its ring", "a cover lit by the pointer"],
)
def test_tracker_lasting_change_is_no_cover(first: dict[int, str], then: dict[int, str]) -> None:
    """No cell is misread, and at most one look in four leaves cells unread.

    A single empty cell may stay unread, because it may be a number that is not recognised.
    """
    expected, unread = FRESH.with_states(first | then | {ELSEWHERE: "1"}), 0
    for look in LOOKS:
        reader, board = reader_on(look, str(FRESH)), FRESH
        seen = reader.observe(picture(str(board), look)).board
        for cell, shown in ((CORNER, first), (ELSEWHERE, then | {ELSEWHERE: "1"})):
            reader.notify_moves([Move("open", cell)], certain=False)
            board = board.with_states(shown)
            for _ in range(STAYS):
                seen = reader.observe(picture(str(board), look)).board
        assert wrong(seen, str(expected)) == []
        is_single = expected.cells.count("0") == 1
        unread += seen.with_states({CORNER: expected[CORNER]} if is_single else {}) != expected
    assert unread <= len(LOOKS) / 4


def test_tracker_unread_cell_opened_in_vain_is_open(look: Skin) -> None:
    """A single empty cell in mid-game may be a cover, until clicks on it change nothing."""
    shown = "01......\n12......\n........\n........\n........\n........"
    reader = reader_on(look, shown)
    assert reader.observe(picture(shown, look)).board[0] == UNKNOWN
    for _ in range(2):
        reader.notify_moves([Move("open", 0)], certain=False)
        for _ in range(STAYS):
            reading = reader.observe(picture(shown, look))
    assert reading.board == Board.parse(shown)


class OneByOne(Minefield):
    """A game in which a click opens its own cell and no other."""

    def _open(self, cells: int) -> None:
        if self._mines is None:
            self._mines = self._deal.lay(cells.bit_length() - 1, self._first_click)
        for k in bits(cells & self._hidden & ~self._mines):
            self._show[k] = DIGITS[(self._around[k] & self._mines).bit_count()]
            self._hidden ^= 1 << k
            self._to_open -= 1
        if hit := cells & self._mines & self._hidden:
            self._lose(hit)


class PictureTable:
    """A game as a table, read from drawn pictures."""

    def __init__(self, field: Minefield, look: Skin, mines: int) -> None:
        self.field, self.look_of = field, look
        self.reader = readers().reader(lattice_for(field.board, look, 24, 32), None, mines)
        self.misread: list[str] = []

    def look(self) -> Reading:
        reading = self.reader.observe(picture(str(self.field.board), self.look_of))
        self.misread += wrong(reading.board, str(self.field.board))
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.field.play(moves)
        self.reader.notify_moves(moves, certain)


@pytest.mark.parametrize("drawn", [skin_of("xdemineur"), random_skin(0)], ids=name_of)
def test_player_game_without_cascades_played(drawn: Skin) -> None:
    field = OneByOne(Deal.random(8, 8, 6, seed=4), "safe", "open")
    table = PictureTable(field, drawn, 6)
    planner = Planner(Reasoner(load_strategies()), GameRules(6, "safe", "open"))
    result = Player(table, planner, explain=table.reader.notify_no_response).play()
    assert (result.result, result.wrong_certain) == ("won" if field.is_won else "lost", 0)
    assert table.misread == []


# --- ends of games ----------------------------------------------------------------------------------------

ENDS = {
    "all mines": LOST,
    "exploded mine only": "001...\n112...\n......\n....!.\n......\n......",
    "a wrong flag": "001.x*\n112*..\n.*....\n....!.\n......\n.*...*",
    "everything opened": "00112*\n112*21\n1*2221\n1111!1\n111122\n1*101*",
}


def at_the_end(reader: Tracker, shown: Frame) -> Reading:
    """The reading of a lost board; if the picture is unclear, the program ignores further moves."""
    reader.notify_moves([Move("open", 22)], certain=False)
    reading = reader.observe(shown)
    if not reading.has_ended and reader.notify_no_response():
        reading = reader.observe(shown)
    return reading


@pytest.mark.parametrize("how", ENDS)
def test_tracker_lost_game_known_nothing_wrong(look: Skin, how: str) -> None:
    true = ENDS[how]
    states = set(true) - {"\n"}
    if not states <= set(tiles_of(look)):
        pytest.skip("this program draws no such end")
    reader = opened_one(look)
    if "x" in true:
        reader.notify_moves([Move("flag", 4)], certain=True)
        reader.observe(picture(OPENED.replace("001..", "001.F"), look))
    reading = at_the_end(reader, picture(true, look))
    assert wrong(reading.board, true) == []
    assert reading.has_ended


def dimmed(frame: Frame, lattice: Lattice) -> Frame:
    return Frame((frame.pixels // 2).astype(np.uint8))


def with_message(frame: Frame, lattice: Lattice) -> Frame:
    """The picture with a message over five cells of its fifth row; cells are 24 pixels."""
    x, y, _, _ = lattice.rectangle(24)
    pixels = frame.pixels.copy()
    pixels[y + 2 : y + 22, x : x + 120] = 250
    cv2.putText(pixels, "You lost", (x + 4, y + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    return Frame(pixels)


@pytest.mark.parametrize("change", [dimmed, with_message])
def test_tracker_changed_lost_board_mines_read(change: Callable[[Frame, Lattice], Frame], look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reading = at_the_end(reader, change(picture(LOST, look), reader.lattice))
    assert wrong(reading.board, LOST, mines_alike=True) == []
    assert reading.has_ended


def test_tracker_picture_without_board_shows_none(look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reader.notify_moves([Move("open", 22)], certain=False)
    ended = picture(LOST, look)
    left, top, width, height = reader.lattice.box
    ended.pixels[top : top + height, left : left + width] = 245
    cv2.putText(
        ended.pixels, "GAME OVER", (left + 4, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 200), 2
    )
    board = reader.observe(ended).board
    assert set(board.cells) == {UNKNOWN}


def test_tracker_hit_mine_known_after_refused_acts(look: Skin, reader: Tracker) -> None:
    assert not reader.notify_no_response()
    reader.notify_moves([Move("open", 22)], certain=False)
    odd = np.random.default_rng(4).integers(0, 256, tiles_of(look)["0"].shape, np.uint8)
    lost = with_cell(picture(OPENED, look), reader.lattice, 22, odd)
    assert reader.observe(lost).board[22] == UNKNOWN
    assert reader.notify_no_response()
    reading = reader.observe(lost)
    assert reading.board[22] == "!"
    assert reading.has_ended


def test_tracker_more_refused_acts_nothing_wrong(look: Skin, reader: Tracker) -> None:
    """The states that were likely before the last move are impossible if the cell is a mine."""
    odd = np.random.default_rng(4).integers(0, 256, tiles_of(look)["0"].shape, np.uint8)
    lost = with_cell(picture(OPENED, look), reader.lattice, 22, odd)
    for cell, certain in ((22, False), (9, True)):
        reader.notify_moves([Move("open", cell)], certain)
        reader.observe(lost)
    assert reader.notify_no_response()
    seen = reader.observe(lost).board
    assert seen[22] in (UNKNOWN, "!")
    assert wrong(seen.with_states({22: UNKNOWN}), OPENED) == []


def test_tracker_invisible_act_explains_nothing(look: Skin, reader: Tracker) -> None:
    reader.notify_moves([Move("open", 9)], certain=True)
    reader.observe(lit(OPENED, look, 9))
    assert not reader.notify_no_response()


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
def test_tracker_red_gaps_of_hidden_cells_no_flags(before: str, act: int, lost: str) -> None:
    lines = tuple(range(0, 6 * (16 + GAPPED) + 1, 16 + GAPPED))
    reader = readers().reader(Lattice(lines, lines))
    green, red = (120, 200, 120), (0, 0, 255)
    reader.observe(gapped(HIDDEN, green))
    if before != HIDDEN:
        reader.notify_moves([Move("open", 0)], certain=True)
        reader.observe(gapped(before, green))
    reader.notify_moves([Move("open", act)], certain=False)
    seen = reader.observe(gapped(lost, red)).board
    assert wrong(seen, lost) == []
