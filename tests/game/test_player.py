"""`Player`: whole games on simulated tables, with lost, late and ineffective moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tables import (
    LADDER,
    RULES,
    FixedProbe,
    Heard,
    SimulatedTable,
    Sleep,
    SleepyTable,
    Table,
    field_of,
    player,
)

from bot.game.player import FIRST_CELLS, TRIES
from bot.game.types import FlagPolicy, GameRules
from games.errors import BoardUnplayable
from games.logic import bits, cell_set
from games.minesweeper import Board, Deal, Minefield, Move
from vision.reading import BoardHypothesis, Reading


def test_player_game_without_guess_won() -> None:
    notes = Heard()
    result = player(Table(field_of(LADDER, "safe")), RULES, notes).play()
    assert (result.result, result.guesses, result.wrong_certain, result.unread) == ("won", 0, 0, 0)
    assert notes.plans[0].certain[0].rule == "first click"


def test_player_first_click_promised_or_guess() -> None:
    result = player(Table(field_of(LADDER)), replace(RULES, first_click="unknown")).play()
    assert result.guesses >= 1


def test_player_lost_guess_not_wrong_certain() -> None:
    result = player(Table(field_of("*."), None), GameRules(1, "none", "open")).play()
    assert (result.result, result.wrong_certain, result.guesses) == ("lost", 0, 1)


def test_player_broken_promise_counts_wrong_certain() -> None:
    result = player(Table(field_of("*.")), GameRules(1, "safe", "open")).play()
    assert (result.result, result.wrong_certain) == ("lost", 1)


def test_player_flags_win_gets_flags() -> None:
    table = Table(field_of(LADDER, "safe", "flags"))
    result = player(table, replace(RULES, win_needs="flags")).play()
    assert result.result == "won"
    assert table.field.board.flagged.bit_count() == 2


def test_player_no_flags_wanted_sets_none() -> None:
    table = Table(field_of(LADDER, "safe"))
    player(table, replace(RULES, flags="none")).play()
    assert not table.field.board.flagged


def test_player_lost_moves_are_repeated() -> None:
    notes = Heard()
    field = field_of("*..\n...\n...", win_needs="flags", opened=[8])
    table = Table(field, lose=lambda act, move: act == 1)
    result = player(table, GameRules(1, "none", "flags"), notes).play()
    assert result.result == "won"
    assert any("clicked again" in text for text in notes.notes)


def test_player_ineffective_moves_are_limited() -> None:
    class Numb(Table):
        """A cell that stays unread after clicks."""

        def look(self) -> Reading:
            hidden, opened = (
                BoardHypothesis(Board.parse(".FFFF"), 0.1),
                BoardHypothesis(Board.parse("1FFFF"), 0.9),
            )
            return replace(Reading.sure(Board.parse("~FFFF")), alternatives=(opened, hidden))

        def act(self, moves: Sequence[Move], certain: bool) -> None:
            self.acts.append(list(moves))
            assert len(self.acts) < 5 * TRIES

    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(Numb(field_of(".****")), GameRules(None, "none", "open")).play()


def test_player_unmade_moves_not_noted_as_repeated() -> None:
    class TakesNothingAtFirst(Table):
        """The first sweep ends after its first move, which has no effect."""

        def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:  # type: ignore[override]
            if self.acts:
                super().act(moves, certain)
                return moves
            self.acts.append(list(moves))
            return moves[:1]

    notes = Heard()
    field = field_of("*...*\n.....\n*...*", opened=[7])
    table = TakesNothingAtFirst(field)
    assert player(table, GameRules(4, "none", "open"), notes).play().result == "won"
    assert len(table.acts[0]) > 1
    assert notes.notes == [f"clicked again, since it did not show: {table.acts[0][0].text(field.board)}"]


def test_player_late_moves_not_noted_as_repeated() -> None:
    class Late(Table):
        """Moves take effect when they are about to be repeated."""

        late: Sequence[Move] = ()

        def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:  # type: ignore[override]
            late, self.late = self.late, moves if not self.late else ()
            if late:
                super().act(late, certain)
                return ()
            return moves

    notes = Heard()
    field = field_of("*...*\n.....\n*...*", opened=[7])
    table = Late(field)
    assert player(table, GameRules(4, "none", "open"), notes).play().result == "won"
    assert table.acts
    assert notes.notes == []


def test_player_postponed_moves_not_waited_for() -> None:
    class OneAtATime(Table):
        """Makes one move per sweep."""

        def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:  # type: ignore[override]
            super().act(moves[:1], certain)
            return moves[:1]

    field = field_of("*...*\n.....\n*...*", opened=[7])
    table = OneAtATime(field)
    assert player(table, GameRules(4, "none", "open")).play().result == "won"
    assert len(table.acts) > 1
    assert table.looks == 1 + len(table.acts)


def test_player_moves_never_show_raises() -> None:
    field = field_of("*..\n...\n...", opened=[8])
    table = Table(field, lose=lambda act, move: True)
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(table, GameRules(1, "none", "flags")).play()
    assert len(table.acts) == TRIES


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


def test_player_three_first_clicks_fail_raises() -> None:
    table = Table(field_of(WIDE), lose=lambda act, move: True)
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(table, RULES).play()
    assert len({moves[0].cell for moves in table.acts}) == FIRST_CELLS
    assert len(table.acts) == FIRST_CELLS * TRIES


def test_player_unclickable_cell_left_for_others() -> None:
    field = field_of("*.*\n...\n...\n*.*", opened=[4])
    covered = 1  # a safe cell
    table = Table(field, lose=lambda act, move: move.cell == covered)
    with pytest.raises(BoardUnplayable, match="'open r0c1' has no effect after 3 clicks"):
        player(table, GameRules(4, "none", "open")).play()
    assert field.board.closed == cell_set([0, 1, 2, 9, 11])


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
    ("truth", "first_click", "ended"),
    [
        ("\n".join(["*....."] * 6), "none", "lost"),
        ("*.", "none", None),  # the guess may have won
        ("*..\n...\n..*", "safe", None),  # no guess
    ],
)
def test_player_board_gone_after_guess_lost(truth: str, first_click: str, ended: str | None) -> None:
    rules = GameRules(truth.count("*"), first_click, "open")  # type: ignore[arg-type]
    table = VanishingTable(field_of(truth))
    notes = Heard()
    game = player(table, rules, notes, probe=FixedProbe("gone"))
    if ended is None:
        with pytest.raises(BoardUnplayable, match="moved"):
            game.play()
    else:
        assert game.play().result == ended
        assert notes.notes == ["the board is gone: lost"]
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
    result = player(SimulatedTable(field), rules).play()
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
