"""`Player` with unusual readings: impossible, unread, restless, in other colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tables import LADDER, RULES, FixedProbe, Heard, Table, field_of, player

from bot.game.board_change import is_correction
from bot.game.observation import COVERED_LOOKS, LOOKS, StableNumbers
from bot.game.types import GameRules
from games.errors import BoardUnplayable, ImageUnsettled
from games.minesweeper import Board, Move
from vision.reading import BoardHypothesis, Reading


def test_player_picture_without_numbers_is_no_board() -> None:
    field = field_of(LADDER, opened=[12])
    assert field.board.open.bit_count() == 23
    rules = GameRules(2, "none", "flags")

    def blank(look: int, board: Board) -> Board:
        return Board(5, 5, "~" * 25) if look > 1 else board

    with pytest.raises(BoardUnplayable, match="it is no longer visible"):
        player(Table(field, blank), rules).play()
    game = player(Table(field, blank), rules, probe=FixedProbe("gone"))
    assert game.play().result == "won"  # the flags of both mines were the last act


def test_player_no_room_for_mine_is_no_win() -> None:
    table = Table(field_of("*" * 9 + "." * 27), lambda look, board: Board(6, 6, "~00000" * 6))
    with pytest.raises(BoardUnplayable):
        player(table, GameRules(None, "unknown", "unknown")).play()


def test_player_hit_mine_ends_restyled_game() -> None:
    field = field_of("\n".join(["*....."] * 6))

    def reddened(look: int, board: Board) -> Board:
        return Board(6, 6, "!" + "~" * 35) if look > 1 else board

    result = player(Table(field, reddened), GameRules(6, "none", "open")).play()
    assert (result.result, result.known, result.wrong_certain) == ("lost", "seen", 0)


@pytest.mark.parametrize("end", ["*2*1", "F2F1"])
@pytest.mark.parametrize(("hidden", "looks"), [(0, 2), (1, 2), (3, 5)])
def test_player_plain_end_needs_few_looks(end: str, hidden: int, looks: int) -> None:
    """A mine or a known number may stay unread at the end; recently opened cells may not."""
    shown = replace(Reading.sure(Board.parse(end).with_states({hidden: "~"})), unsettled=1 << hidden)
    table = Table(field_of("*.*.", opened=[1]), lambda _, board: shown if table.acts else board)
    game = player(table, GameRules(2, "none", "open")).play()
    assert (game.result, game.wrong_certain, table.looks) == ("won", 0, looks)


def test_player_lasting_impossible_board_raises() -> None:
    once = Table(
        field_of(LADDER, "safe"), lambda look, board: board.with_states({0: "8"}) if look == 2 else board
    )
    assert player(once).play().result == "won"  # it is read again
    table = Table(field_of(LADDER, "safe"), lambda look, board: board.with_states({0: "4"}))
    with pytest.raises(BoardUnplayable, match="r0c0 shows 4 but only 3"):
        player(table).play()
    assert table.looks == LOOKS


def test_player_restless_picture_raises() -> None:
    def move(look: int, board: Board) -> Board:
        raise ImageUnsettled("the picture did not come to rest")

    with pytest.raises(BoardUnplayable, match="come to rest"):
        player(Table(field_of(LADDER), move)).play()


def test_player_wrong_total_reported_nothing_clicked() -> None:
    field = field_of(LADDER, opened=[12])
    table = Table(field)
    with pytest.raises(BoardUnplayable, match="mine total"):
        player(table, replace(RULES, mines=1)).play()
    assert not table.acts


@pytest.mark.parametrize(("now", "accepted"), [("0121", True), ("1111", True), ("0021", False)])
def test_correction_only_one_number_becomes_empty(now: str, accepted: bool) -> None:
    """A cover in the colour of empty cells hides several."""
    rest = "\n0000\n0000\n0000"
    assert is_correction(Reading.sure(Board.parse(now + rest)), Board.parse("1121" + rest)) is accepted


def test_player_unreadable_number_played_around() -> None:
    def see(look: int, board: Board) -> Board:
        return board.with_states({3: "~"}) if board[3] == "1" else board

    table = Table(field_of(LADDER, "safe", "flags"), see)
    result = player(table, replace(RULES, win_needs="flags")).play()
    assert (result.result, result.unread, result.wrong_certain) == ("won", 1, 0)


def test_player_blank_under_held_button_waited_out() -> None:
    def see(look: int, board: Board) -> Board:
        return Board.fresh(5, 5).with_states({0: "0"}) if look in (2, 3) else board

    table = Table(field_of("..*..\n.....\n.....\n.....\n....*", "safe"), see)
    result = player(table).play()
    assert (result.result, result.wrong_certain) == ("won", 0)


class TableWithoutCascades(Table):
    """A program without cascades."""

    def __init__(self, truth: str) -> None:
        super().__init__(field_of("*"))
        self.truth = truth
        self.opened: dict[int, str] = {}

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        for move in moves:
            if move.kind == "open":
                self.opened[move.cell] = self.truth[move.cell]

    def look(self) -> Reading:
        return Reading.sure(Board.fresh(3, 3).with_states(self.opened))


def test_player_program_without_cascade_played() -> None:
    result = player(TableWithoutCascades("00001101*"), GameRules(1, "zero", "open")).play()
    assert (result.result, result.wrong_certain) == ("won", 0)


def test_player_one_contradiction_looks_again() -> None:
    def see(look: int, board: Board) -> Board:
        # two corners that need a mine each, with one mine in total
        return Board.fresh(5, 5).with_states({0: "1", 4: "1"}) if look == 1 else board

    field = field_of(".....\n.....\n..*..\n.....\n.....", opened=[0])
    notes = Heard()
    result = player(Table(field, see), GameRules(1, "safe", "open"), notes).play()
    assert (result.result, result.wrong_certain) == ("won", 0)
    assert any("read the board again" in text for text in notes.notes)


@pytest.mark.parametrize("number", ["1", "0"])
def test_player_unread_cell_may_be_closed_not_won(number: str) -> None:
    field = field_of("*.*.", opened=[1])

    def unsure(_: int, board: Board) -> Board | Reading:
        if field.is_won:
            return board
        alternatives = tuple(BoardHypothesis(board.with_states({3: state}), 0.5) for state in (number, "."))
        unread = Reading.sure(board.with_states({3: "~"}))
        return replace(unread, unsettled=1 << 3, alternatives=alternatives)

    result = player(Table(field, unsure), GameRules(2, "none", "open")).play()
    assert (result.result, result.known) == ("won", "seen")
    assert field.is_won


def test_player_stable_numbers_survive_message() -> None:
    stays = StableNumbers()
    shown = [stays.with_numbers(Board.parse(text)) for text in ("12~", "13~", "~~~", "~41", "~~~")]
    assert [str(board).splitlines()[-1] for board in shown] == ["12~", "13~", "1~~", "141", "1~~"]


class CoveredTable(Table):
    """A table with a cover over two hidden cells in some of its readings after the first act."""

    def __init__(self, looks: int) -> None:
        super().__init__(field_of("..*\n...\n.*.", opened=[3]))
        self.covered_looks = looks

    def look(self) -> Reading:
        board = super().look().board
        if not self.acts or not self.covered_looks:
            return Reading.sure(board)
        self.covered_looks -= 1
        return replace(Reading.sure(board.with_states({1: "~", 2: "~"})), covered=0b110)


def test_player_cover_disappears_game_goes_on() -> None:
    table = CoveredTable(COVERED_LOOKS - 1)
    assert player(table, GameRules(2, "none", "open")).play().result in ("won", "lost")
    assert table.covered_looks == 0


def test_player_cover_stays_raises() -> None:
    table = CoveredTable(10 * COVERED_LOOKS)
    with pytest.raises(BoardUnplayable, match="something covers r0c1: uncover the board"):
        player(table, GameRules(2, "none", "open")).play()
    assert len(table.acts) == 1
