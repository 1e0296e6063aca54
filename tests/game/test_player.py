"""`Player`: whole games on simulated tables, with lost, late and ineffective moves."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tables import (
    LADDER,
    RULES,
    FixedProbe,
    Heard,
    Sleep,
    SleepyTable,
    Table,
    field_of,
    player,
)

from bot.game.board_change import unread_edges
from bot.game.player import FEW_TRIES, FIRST_CELLS, TRIES
from bot.game.types import FlagPolicy, GameRules, WinNeeds
from games.errors import BoardUnplayable
from games.logic import bits, cell_set
from games.minesweeper import HIDDEN, UNKNOWN, Board, Deal, FirstClick, Minefield, Move
from vision.reading import BoardHypothesis, Reading


def test_player_game_without_guess_won() -> None:
    notes = Heard()
    result = player(Table(field_of(LADDER, "safe")), RULES, notes).play()
    assert (result.result, result.guesses, result.wrong_certain, result.unread) == ("won", 0, 0, 0)
    assert next(iter(notes.plans[0].certain)).rule == "first click"


@pytest.mark.parametrize(
    ("first_click", "wrong_certain", "guesses"), [("none", 0, 1), ("unknown", 0, 1), ("safe", 1, 0)]
)
def test_player_first_click_lost(first_click: FirstClick, wrong_certain: int, guesses: int) -> None:
    game = player(Table(field_of("*.")), GameRules(1, first_click, "open")).play()
    assert (game.result, game.wrong_certain, game.guesses) == ("lost", wrong_certain, guesses)


def test_player_unread_mine_gets_the_last_flag() -> None:
    """The closed cell looks unfamiliar during the whole game, and its flag does not."""
    field = field_of("*..\n...\n...", win_needs="flags", opened=[8])
    table = Table(field, lambda _, board: board.with_states({0: "~"}) if board[0] == "." else board)
    assert player(table, GameRules(1, "none", "flags")).play().result == "won"
    assert table.acts == [[Move("flag", 0)]]


@pytest.mark.parametrize(("needs", "policy", "flags"), [("flags", "needed", 2), ("open", "none", 0)])
def test_player_sets_needed_flags(needs: WinNeeds, policy: FlagPolicy, flags: int) -> None:
    table = Table(field_of(LADDER, "safe", needs))
    assert player(table, replace(RULES, win_needs=needs, flags=policy)).play().result == "won"
    assert table.field.board.flagged.bit_count() == flags


def test_player_one_by_one_reads_after_each_move() -> None:
    deal = Deal(9, 9, 15, tuple(random.Random(1).sample(range(81), 81)))
    table = Table(Minefield(deal, "zero", "open"))
    result = player(table, replace(RULES, mines=15, first_click="zero", one_by_one=True)).play()
    assert (result.wrong_certain, {len(act) for act in table.acts}) == (0, {1})
    assert table.looks >= len(table.acts) > 10


def test_player_unreadable_edge_row_is_not_clicked() -> None:
    """The first row is a decoration above the board."""
    notes = Heard()

    def see(look: int, board: Board) -> Board:
        return board.with_states(dict.fromkeys(range(6), HIDDEN if table.acts else UNKNOWN))

    table = Table(field_of("......\n.*....\n......\n.....*\n......\n*.....", opened=[14]), see)
    with contextlib.suppress(BoardUnplayable):
        player(table, GameRules(None, "none", "open"), notes).play()
    assert table.acts
    assert all(move.cell >= 6 for act in table.acts for move in act)
    assert any("a whole row or column is unreadable: r0c0" in text for text in notes.notes)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("~~~~\n....\n....\n....", 4),
        ("~...\n~...\n~...\n~...", 4),
        ("~~~.\n....\n....\n....", 0),
        ("~~~~\n~~~.\n~~~.\n~~~.", 0),
        ("....\n~~~~\n....\n....", 0),
        ("~...", 0),
    ],
)
def test_unread_edges_whole_lines_only(text: str, cells: int) -> None:
    assert unread_edges(Board.parse(text)).bit_count() == cells


def test_player_lost_moves_are_repeated() -> None:
    notes = Heard()
    field = field_of("*..\n...\n...", win_needs="flags", opened=[8])
    table = Table(field, lose=lambda act, move: act == 1)
    result = player(table, GameRules(1, "none", "flags"), notes).play()
    assert result.result == "won"
    assert any("clicked again" in text for text in notes.notes)


def test_player_ineffective_moves_are_limited() -> None:
    """A cell stays unread after clicks."""
    meant = (BoardHypothesis(Board.parse("1FFFF"), 0.9), BoardHypothesis(Board.parse(".FFFF"), 0.1))
    numb = replace(Reading.sure(Board.parse("~FFFF")), alternatives=meant)
    table = Table(field_of(".****"), lambda *_: numb, lambda *_: True)
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(table, GameRules(None, "none", "open")).play()
    assert len(table.acts) < 5 * TRIES


class FirstMoveTable(Table):
    """A table that makes only the first move of a plan."""

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:
        super().act(moves[:1], certain)
        return moves[:1]


class Sweeping(Table):
    """Four corner mines; `sweep` makes the moves and returns those that it reports as made."""

    def __init__(self, sweep: Callable[[Table, Sequence[Move]], Sequence[Move]]) -> None:
        super().__init__(field_of("*...*\n.....\n*...*", opened=[7]))
        self._sweep = sweep
        self.notes = Heard()

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:
        self.acts.append(list(moves))
        return self._sweep(self, moves)

    def win(self) -> list[str]:
        assert player(self, GameRules(4, "none", "open"), self.notes).play().result == "won"
        return self.notes.notes


def test_player_unmade_moves_not_noted_as_repeated() -> None:
    def lose_first(table: Table, moves: Sequence[Move]) -> Sequence[Move]:
        if len(table.acts) == 1:
            return moves[:1]  # without effect
        table.field.play(moves)
        return moves

    table = Sweeping(lose_first)
    board = table.field.board
    assert table.win() == [f"clicked again, since it did not show: {table.acts[0][0].text(board)}"]
    assert len(table.acts[0]) > 1


def test_player_late_moves_not_noted_as_repeated() -> None:
    late: list[Move] = []

    def delay(table: Table, moves: Sequence[Move]) -> Sequence[Move]:
        if late:  # the moves take effect when they are about to be repeated
            table.field.play(late)
            late.clear()
            return ()
        late.extend(moves)
        return moves

    assert Sweeping(delay).win() == []


def test_player_postponed_moves_not_waited_for() -> None:
    table = FirstMoveTable(field_of("*...*\n.....\n*...*", opened=[7]))
    assert player(table, GameRules(4, "none", "open")).play().result == "won"
    assert len(table.acts) > 1
    assert table.looks == 1 + len(table.acts)


TWO_CORNERS = "*..............*" + 3 * "\n................"


@pytest.mark.parametrize(
    ("kind", "truth", "opened", "rules", "cells", "acts"),
    [
        (Table, "*..\n...\n...", [8], GameRules(1, "none", "flags"), 1, TRIES),
        (Table, "*......." + 4 * "\n........", [], RULES, FIRST_CELLS, FIRST_CELLS * TRIES),  # first clicks
        # the table makes the first of several moves: it checks each press
        (FirstMoveTable, TWO_CORNERS, [1, 14, 16, 17, 30, 31], RULES, 2, TRIES + FEW_TRIES),
    ],
)
def test_player_game_ignores_clicks_stops(
    kind: type[Table], truth: str, opened: list[int], rules: GameRules, cells: int, acts: int
) -> None:
    table = kind(field_of(truth, opened=opened), lose=lambda act, move: True)
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(table, rules).play()
    assert len({moves[0].cell for moves in table.acts}) == cells
    assert len(table.acts) == acts


WIDE = """
    *.......
    ........
    ........
    ........
    .......*
"""


def test_player_first_click_ineffective_tries_other() -> None:
    field, notes = field_of(WIDE, "safe"), Heard()
    covered: set[int] = set()  # the first clicked cell and its neighbours

    def lose(act: int, move: Move) -> bool:
        if act == 1:
            covered.update({move.cell, *bits(field.board.around[move.cell])})
        return move.cell in covered

    table = Table(field, lose=lose)
    assert player(table, replace(RULES, mines=2), notes).play().result == "won"
    first, second = table.acts[0][0].cell, table.acts[TRIES][0].cell
    assert second not in covered
    assert f"skipped, since clicks have no effect there: open {field.board.name(first)}" in notes.notes


def test_player_unclickable_cell_left_for_others() -> None:
    field = field_of("*.*\n...\n...\n*.*", opened=range(3, 9))
    covered = 1  # a safe cell
    table = Table(field, lose=lambda act, move: move.cell == covered)
    with pytest.raises(BoardUnplayable, match="'open r0c1' has no effect after 3 clicks"):
        player(table, GameRules(4, "none", "open")).play()
    assert field.board.closed == cell_set([0, 1, 2, 9, 11])


def test_player_cell_beside_unclickable_one_kept() -> None:
    field = field_of("*.......\n........", opened=[1])
    table = Table(field, lose=lambda act, move: True)
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(table, replace(RULES, mines=2)).play()
    first, second = table.acts[0][0].cell, table.acts[TRIES][0].cell
    assert not (1 << first | field.board.around[first]) >> second & 1


def test_player_earlier_mine_not_blamed_on_lost_move() -> None:
    field = field_of("*..\n...\n...", opened=[8])
    rules = GameRules(1, "none", "flags")
    shown = False

    def explain() -> bool:
        nonlocal shown
        shown = True
        return True

    table = Table(field, lambda look, board: board.with_states({0: "!"}) if shown else board, lambda *_: True)
    result = player(table, rules, explain=explain).play()
    assert (result.result, result.wrong_certain) == ("lost", 0)


class VanishingTable(Table):
    """A table that disappears after the first act."""

    def look(self) -> Reading:
        if self.acts:
            raise BoardUnplayable("the window moved")
        return super().look()


@pytest.mark.parametrize(
    ("truth", "first_click"),
    [
        ("*.", "none"),  # the guess may have won
        ("*..\n...\n..*", "safe"),  # no guess
    ],
)
def test_player_board_gone_is_unknown(truth: str, first_click: FirstClick) -> None:
    rules = GameRules(truth.count("*"), first_click, "open")
    with pytest.raises(BoardUnplayable, match="moved"):
        player(VanishingTable(field_of(truth)), rules, probe=FixedProbe("gone")).play()


def test_player_board_gone_after_guess_lost() -> None:
    truth, rules, notes = "\n".join(["*....."] * 6), GameRules(6, "none", "open"), Heard()
    game = player(VanishingTable(field_of(truth)), rules, notes, probe=FixedProbe("gone")).play()
    assert (game.result, notes.notes) == ("lost", ["the board is gone: lost"])
    with pytest.raises(BoardUnplayable, match="moved"):
        player(VanishingTable(field_of(truth)), rules).play()


def test_player_refused_flags_at_end_won() -> None:
    field = field_of("*..\n...\n...", opened=[8])
    assert player(Table(field), GameRules(1, "none", "unknown")).play().result == "won"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("first_click", ["safe", "zero"])
def test_player_simulated_games_no_wrong_certain(seed: int, first_click: str) -> None:
    deal = Deal.random(9, 9, 10, seed)
    flags: FlagPolicy = "all" if seed % 3 else "needed"
    rules = GameRules(10, first_click, "open", can_chord=bool(seed % 2), flags=flags)  # type: ignore[arg-type]
    field = Minefield(deal, first_click)
    result = player(Table(field), rules).play()
    assert result.result == ("won" if field.is_won else "lost")
    assert result.wrong_certain == 0
    assert result.result == "won" or result.guesses > 0


@pytest.mark.parametrize("flags", ["needed", "all"])
def test_player_late_program_hits_no_mine(flags: FlagPolicy) -> None:
    """Late clicks toggle flags and chord on numbers whose flags are unread."""
    rules = GameRules(14, "zero", "open", can_chord=True, flags=flags)
    for seed in range(60):
        rng = random.Random(f"{flags} {seed}")
        field = Minefield(Deal.random(9, 9, 14, seed), "zero", "open")
        sleep = Sleep(rng.randint(2, 25), rng.randint(1, 9), rng.choice((0, 1, 2, 3, 5)))
        table = SleepyTable(field, sleep, trusts_flags=True)
        result = player(table, rules).play()
        assert table.hit == []
        assert (result.result, result.wrong_certain) == ("won" if field.is_won else "lost", 0), (seed, sleep)


@pytest.mark.parametrize("assumed", [5, 9, 11, 30])
def test_player_wrong_assumed_total_is_harmless(assumed: int) -> None:
    """A total that nothing confirms changes guesses only; the boards have 10 mines."""
    results, notes = [], Heard()
    for seed in range(6):
        field = Minefield(Deal.random(9, 9, 10, f"assumed{seed}"), "zero", "open")
        rules = GameRules(first_click="zero", win_needs="open", assumed_mines=assumed)
        results.append(player(Table(field), rules, notes).play())
    assert {each.wrong_certain for each in results} == {0}
    assert {each.result for each in results} <= {"won", "lost"}
    refuted = [each.mines is None for each in results]
    assert sum("the clues refute it" in note for note in notes.notes) == sum(refuted)
