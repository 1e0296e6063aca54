"""Tracker during a game: learning from moves, transients, theme changes, skins."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawing import lattice_for, readers, record_game, tiles_of
from tracked import (
    FLAGGED,
    HIDDEN,
    LOOKS,
    OPENED,
    lit,
    opened_one,
    picture,
    reader_on,
    right,
    sized,
    with_cell,
    wrong,
)

from benchmarks.random_skins import random_skin
from bot.recording.recording import Recording
from bot.recording.replay import replay
from games.errors import BoardUnplayable
from games.minesweeper import UNKNOWN, Board, Move
from games.minesweeper.board import MoveKind
from strategies import Reasoner, load_strategies
from vision.skins import Skin, Tile
from vision.track.tracker import Tracker

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
