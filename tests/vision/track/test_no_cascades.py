"""Tracker: programs that open single cells, without cascades."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tracked import picture, reader_on

from games.logic import bits
from games.minesweeper import UNKNOWN, Board, Move
from vision.skins import Skin

FRESH = Board.fresh(6, 8)
FIRST, ELSEWHERE = 0, 30
STAYS = 4  # observations after which a change is no animation


def settled(look: Skin, acts: Sequence[tuple[int, dict[int, str]]]) -> Board:
    """The last reading after cells were opened at a risk; `acts`: the cell, and the states that change."""
    reader, board = reader_on(look, str(FRESH)), FRESH
    reading = reader.observe(picture(str(board), look))
    for cell, shown in acts:
        reader.notify_moves([Move("open", cell)], certain=False)
        board = board.with_states(shown)
        for _ in range(STAYS):
            reading = reader.observe(picture(str(board), look))
    return reading.board


@pytest.mark.parametrize("ring", [0, FRESH.around[FIRST]], ids=["alone", "with its ring"])
def test_tracker_lasting_change_is_no_cover(look: Skin, ring: int) -> None:
    opened = dict.fromkeys([FIRST, *bits(ring)], "0")
    read = settled(look, [(FIRST, opened), (ELSEWHERE, {ELSEWHERE: "1"})])
    assert read == FRESH.with_states(opened | {ELSEWHERE: "1"})


def test_tracker_briefly_lit_cover_stays_cover(look: Skin) -> None:
    """The click has no effect; the cell is highlighted while the pointer is on it."""
    read = settled(look, [(FIRST, {FIRST: "0"}), (ELSEWHERE, {FIRST: ".", ELSEWHERE: "1"})])
    assert read == FRESH.with_states({ELSEWHERE: "1"})


def test_tracker_unread_cell_opened_in_vain_is_open(look: Skin) -> None:
    """A single empty cell in mid-game may be a cover, until clicks on it change nothing."""
    shown = "01......\n12......\n........\n........\n........\n........"
    reader = reader_on(look, shown)
    assert reader.observe(picture(shown, look)).board[0] == UNKNOWN
    for _ in range(2):
        reader.notify_moves([Move("open", 0)], certain=False)
        reading = reader.observe(picture(shown, look))
    assert reading.board == Board.parse(shown)
