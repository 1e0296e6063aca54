"""`order_moves`: everything certain, in a safe order, with flags and chords where they save clicks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tables import Table, player

from bot.game.outcome import GameResult
from bot.game.plan import cascade_reach, order_moves, possible_zeros, without_chords
from bot.game.types import GameRules
from games.logic import Knowledge, bits
from games.minesweeper import HIDDEN, Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies

PLAIN = GameRules(None, "none", "open")
CHORDS = replace(PLAIN, can_chord=True)
CAREFUL = replace(PLAIN, clicked_number="unknown")
CORNER = "mines 1\n.1.\n11.\n..."
CORNER_SAFE = ["open r0c2", "open r1c2", "open r2c0", "open r2c1", "open r2c2"]


def known(board: Board) -> Knowledge:
    return Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge


def moves(text: str, rules: GameRules = PLAIN) -> list[str]:
    board = Board.parse(text)
    return [move.text(board) for move in order_moves(board, known(board), rules)]


@pytest.mark.parametrize(
    ("text", "rules", "expected"),
    [
        (CORNER, PLAIN, CORNER_SAFE),
        ("mines 1\n..\n.1", PLAIN, []),
        ("mines 1\nF1.\n110", replace(PLAIN, flags="all"), ["open r0c2"]),
        ("mines 1\n.1F\n110", replace(PLAIN, flags="all"), ["unflag r0c2"]),
        ("mines 1\n?1?\n110", replace(PLAIN, flags="all"), ["flag r0c0", "open r0c2"]),
        ("..\n.-", PLAIN, ["open r1c1"]),
        # chords
        ("mines 1\nF1.\n11.\n...", PLAIN, CORNER_SAFE),
        ("mines 1\nF1.\n11.\n...", CHORDS, ["chord r1c1"]),
        (CORNER, CHORDS, ["flag r0c0", "chord r1c1"]),
        (CORNER, replace(CHORDS, flags="none"), CORNER_SAFE),
        ("mines 1\n.1.\n110", CHORDS, ["open r0c2"]),  # a chord saves nothing
        # a click on an open number may be harmful: only r0c2, since a cascade may open the others
        (CORNER, CAREFUL, ["open r0c2"]),
        (
            "mines 2\n*1..\n11..\n...*",  # first the cells next to the mine at r2c3, which are not zeros
            CAREFUL,
            ["open r1c2", "open r1c3", "open r2c2", "open r0c2", "open r2c0"],
        ),
    ],
)
def test_order_moves(text: str, rules: GameRules, expected: list[str]) -> None:
    assert moves(text, rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (PLAIN, ["open r0c2"]),
        (replace(PLAIN, flags="all"), ["flag r0c0", "open r0c2"]),
        (replace(PLAIN, flags="none"), ["open r0c2"]),
        (replace(PLAIN, win_needs="flags"), ["flag r0c0", "open r0c2"]),
        (replace(PLAIN, win_needs="flags", flags="none"), ["open r0c2"]),
        (replace(PLAIN, win_needs="unknown"), ["open r0c2"]),
    ],
)
def test_order_moves_sets_wanted_flags(rules: GameRules, expected: list[str]) -> None:
    assert moves("mines 1\n.1.\n110", rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (PLAIN, []),
        (replace(PLAIN, win_needs="unknown"), []),  # the right button may open the mine
        (replace(PLAIN, win_needs="unknown", flags="all"), ["flag r0c0"]),
        (replace(PLAIN, win_needs="unknown", flags="none"), []),
        (replace(PLAIN, win_needs="flags"), ["flag r0c0"]),
    ],
)
def test_order_moves_flags_after_all_safe_open(rules: GameRules, expected: list[str]) -> None:
    assert moves("mines 1\n.10\n110", rules) == expected
    assert moves("mines 1\n.10\n11~", rules) == expected  # an unread number is open


def test_order_moves_unproven_flag_single_open() -> None:
    # r0c3 may be a mine; a cascade and a click on an open number would chord on the flag
    first = moves("mines 3\n.1...F\n110..2\n......", CHORDS)
    assert [move.split()[0] for move in first] == ["open"]


def test_order_moves_no_chord_on_zero() -> None:
    around_zero = "mines 1\n....\n.0..\n....\n"
    assert len(moves(around_zero, CHORDS)) == 8
    assert moves(around_zero, CHORDS) == moves(around_zero, PLAIN)


def test_without_chords_opens_single_cells() -> None:
    board = Board.parse("mines 1\nF1.\n11.\n...")
    chord = (Move("chord", board.cell("r1c1")),)
    single = without_chords(chord, board, known(board))
    assert [move.text(board) for move in single] == CORNER_SAFE
    assert without_chords(single, board, known(board)) == single


def middle_of_a_game(seed: int) -> tuple[Minefield, int]:
    deal = Deal.random(10, 12, 18, seed)
    field = Minefield(deal, "zero")
    field.play([Move("open", 60)])
    truth = field.truth
    assert truth is not None
    return field, truth


@pytest.mark.parametrize("seed", range(24))
def test_order_moves_chords_open_same_cells_fewer_clicks(seed: int) -> None:
    shown, clicks = [], []
    for can_chord in (False, True):
        field, truth = middle_of_a_game(seed)
        made = 0
        while True:
            board = field.board
            knowledge = known(board)
            plan = order_moves(board, knowledge, replace(PLAIN, can_chord=can_chord))
            if not plan:
                break
            for move in plan:
                around = board.around[move.cell]
                if move.kind == "chord":
                    assert not around & board.not_open & ~(knowledge.true | knowledge.false)
                    assert around & truth == around & field.board.flagged
                field.play([move])
            made += len(plan)
            assert not field.is_lost
            opened = sum(1 << move.cell for move in plan if move.kind == "open")
            assert not opened & field.board.closed
        cells = field.board.cells.replace("F", HIDDEN)
        shown.append(cells)
        clicks.append(made)
    assert shown[0] == shown[1]
    assert clicks[1] <= clicks[0] + 3  # a cascade may open cells that a flag was set for


@pytest.mark.parametrize("seed", range(6))
def test_order_moves_never_flags_safe_cell(seed: int) -> None:
    field, truth = middle_of_a_game(seed)
    knowledge = known(field.board)
    for move in order_moves(field.board, knowledge, replace(CHORDS, flags="all")):
        assert bool(truth >> move.cell & 1) == (move.kind == "flag") or move.kind == "chord"
    assert [*bits(field.board.flagged)] == []


# --- cascades ---------------------------------------------------------------------------------------------


def zeros(text: str) -> list[str]:
    board = Board.parse(text)
    return board.names(possible_zeros(board, known(board)))


def test_possible_zeros_excludes_mine_neighbours() -> None:
    assert zeros("*....\n.....") == ["r0c2", "r0c3", "r0c4", "r1c2", "r1c3", "r1c4"]


def test_possible_zeros_excludes_clue_neighbours() -> None:
    # one of r0c0 and r0c1 is a mine, and both are neighbours of r0c0, r0c1, r1c0 and r1c1
    text = "......\n1.....\n......\n......"
    assert "r1c1" in zeros("......\n......\n......\n......")
    one_of_five = zeros(text)
    assert "r2c4" in one_of_five
    board = Board.parse(text)
    for name in zeros(text):
        k = board.cell(name)
        assert board.closed & board.around[board.cell("r1c0")] & ~board.around[k]


def test_cascade_reach_follows_zeros() -> None:
    board = Board.fresh(1, 8)
    names = board.names(cascade_reach(1 << 1, 0b01001110, board.around))
    assert names == ["r0c0", "r0c1", "r0c2", "r0c3", "r0c4"]  # r0c6 is a zero, but nothing opens it
    assert cascade_reach(1 << 0, 0b01001110, board.around) == 0


class Vicious(Minefield):
    """A click on an open number opens all its unflagged neighbours."""

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
    return player(Table(Vicious(Deal.random(10, 12, 20, seed), "zero", "open")), rules).play()


SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_order_moves_harmful_clicks_avoided(seed: int) -> None:
    result = game(seed, GameRules(20, "zero", "open", clicked_number="unknown"))
    assert result.result == "won" or result.guesses
    assert result.wrong_certain == 0


def test_order_moves_harmful_clicks_rule_off_loses() -> None:
    rules = GameRules(20, "zero", "open")
    assert sum(game(seed, rules).result == "lost" for seed in SEEDS) > 5


@pytest.mark.parametrize("seed", range(8))
def test_order_moves_waiting_opens_same_cells(seed: int) -> None:
    shown = []
    for rules in (CAREFUL, replace(CAREFUL, can_chord=True), PLAIN):
        field = Minefield(Deal.random(10, 12, 18, seed), "zero")
        field.play([Move("open", 60)])
        while plan := order_moves(field.board, known(field.board), rules):
            for move in plan:
                if rules.clicked_number == "unknown":
                    assert move.kind != "open" or field.board.closed >> move.cell & 1
                field.play([move])
            assert not field.is_lost
        shown.append(field.board.open)
    assert len(set(shown)) == 1
