"""No cell is clicked that an earlier act of the same sweep may have opened, where that would do harm."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tables import Table

from bot.game.outcome import GameResult
from bot.game.plan import cascade_reach, order_moves, possible_zeros
from bot.game.player import make_player
from bot.game.types import GameRules
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies

RULES = GameRules(None, "none", "open", clicked_number="unknown")


def planned(text: str, rules: GameRules = RULES) -> list[str]:
    board = Board.parse(text)
    knowledge = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    return [move.text(board) for move in order_moves(board, knowledge, rules)]


def zeros(text: str) -> list[str]:
    board = Board.parse(text)
    knowledge = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    return board.names(possible_zeros(board, knowledge))


def test_reach_neighbour_of_known_mine_no_zero() -> None:
    assert zeros("*....\n.....") == ["r0c2", "r0c3", "r0c4", "r1c2", "r1c3", "r1c4"]


def test_reach_cell_next_to_whole_clue_no_zero() -> None:
    # one of r0c0 and r0c1 is a mine, and both are neighbours of r0c0, r0c1, r1c0 and r1c1
    text = "......\n1.....\n......\n......"
    assert "r1c1" in zeros("......\n......\n......\n......")
    one_of_five = zeros(text)
    assert "r2c4" in one_of_five
    board = Board.parse(text)
    for name in zeros(text):
        k = board.cell(name)
        assert board.closed & board.around[board.cell("r1c0")] & ~board.around[k]


def test_reach_zeros_cascade() -> None:
    board = Board.fresh(1, 8)
    names = board.names(cascade_reach(1 << 1, 0b01001110, board.around))
    assert names == ["r0c0", "r0c1", "r0c2", "r0c3", "r0c4"]  # r0c6 is a zero, but nothing opens it
    assert cascade_reach(1 << 0, 0b01001110, board.around) == 0


def test_reach_cells_of_possible_cascade_wait() -> None:
    text = "mines 1\n.1.\n11.\n..."
    together = replace(RULES, clicked_number="harmless")
    assert planned(text, together) == ["open r0c2", "open r1c2", "open r2c0", "open r2c1", "open r2c2"]
    assert planned(text) == ["open r0c2"]  # a zero, and so are those between it and all others


def test_reach_impossible_zero_goes_first() -> None:
    # r1c2, r1c3 and r2c2 touch the mine at r2c3; r0c2 may be a zero, and open two of them; r2c0 may open r2c1
    solid = ["open r1c2", "open r1c3", "open r2c2"]
    assert planned("mines 2\n*1..\n11..\n...*") == [*solid, "open r0c2", "open r2c0"]


class Vicious(Minefield):
    """A program in which a plain click on an open number opens all its neighbours that have no flag."""

    def play(self, moves: Iterable[Move]) -> Board:
        for move in moves:
            board = self.board
            if move.kind == "open" and board.open >> move.cell & 1:
                around = board.around[move.cell] & board.closed
                super().play([Move("open", k) for k in bits(around)])
            else:
                super().play([move])
        return self.board


def game(seed: int, rules: GameRules) -> GameResult:
    table = Table(Vicious(Deal.random(10, 12, 20, seed), "zero", "open"))
    return make_player(table, Reasoner(load_strategies()), rules).play()


SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_reach_delayed_program_never_loses(seed: int) -> None:
    rules = GameRules(20, "zero", "open", clicked_number="unknown")
    result = game(seed, rules)
    assert result.result == "won" or result.guesses
    assert result.wrong_certain == 0


def test_reach_rule_off_loses_games() -> None:
    rules = GameRules(20, "zero", "open")
    assert sum(game(seed, rules).result == "lost" for seed in SEEDS) > 5


@pytest.mark.parametrize("seed", range(8))
def test_reach_waiting_opens_same_cells(seed: int) -> None:
    reasoner = Reasoner(load_strategies())
    shown = []
    for rules in (RULES, replace(RULES, can_chord=True), replace(RULES, clicked_number="harmless")):
        field = Minefield(Deal.random(10, 12, 18, seed), "zero")
        field.play([Move("open", 60)])
        while plan := order_moves(
            field.board, reasoner.deduce(board_knowledge(field.board)).knowledge, rules
        ):
            for move in plan:
                if rules.clicked_number == "unknown":
                    assert move.kind != "open" or field.board.closed >> move.cell & 1
                field.play([move])
            assert not field.is_lost
        shown.append(field.board.open)
    assert len(set(shown)) == 1
