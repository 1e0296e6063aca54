"""Tracker: programs that open single cells, without cascades."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawing import draw, lattice_for, readers, skin_of
from tracked import name_of, picture, reader_on

from benchmarks.random_skins import random_skin
from bot.game.plan import Planner
from bot.game.player import Player
from bot.game.types import GameRules
from games.logic import bits
from games.minesweeper import DIGITS, UNKNOWN, Board, Deal, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.reading import Reading
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
        self.wrong: list[str] = []

    def look(self) -> Reading:
        board = self.field.board
        reading = self.reader.observe(draw(board, self.look_of))
        pairs = enumerate(zip(reading.board.cells, board.cells, strict=True))
        self.wrong += [
            f"{board.name(k)} {true} as {read}" for k, (read, true) in pairs if read not in (true, "~")
        ]
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.field.play(moves)
        self.reader.notify_moves(moves, certain)


@pytest.mark.parametrize("look", [skin_of("xdemineur"), random_skin(0)], ids=name_of)
def test_player_game_without_cascades_played(look: Skin) -> None:
    mines = 6
    field = OneByOne(Deal.random(8, 8, mines, seed=4), "safe", "open")
    table = PictureTable(field, look, mines)
    rules = GameRules(mines, "safe", "open")
    player = Player(
        table, Planner(Reasoner(load_strategies()), rules), explain=table.reader.notify_no_response
    )
    result = player.play()
    assert (result.result, result.wrong_certain) == ("won" if field.is_won else "lost", 0)
    assert field.is_won or field.is_lost
    assert table.wrong == []
