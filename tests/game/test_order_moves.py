"""`order_moves`: everything certain, in a safe order, with flags and chords where they save clicks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tables import Sleep, SleepyTable, known, player

from bot.game.plan import order_moves, possible_zeros, without_chords
from bot.game.types import GameRules
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move

PLAIN = GameRules(None, "none", "open")
CHORDS = replace(PLAIN, can_chord=True)
CAREFUL = replace(PLAIN, clicked_number="unknown")
NEVER_ASLEEP = Sleep(at=0, looks=0, first=0)
CORNER = "mines 1\n.1.\n11.\n..."
CORNER_SAFE = ["open r0c2", "open r1c2", "open r2c0", "open r2c1", "open r2c2"]


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
    ("rules", "has_flag"),
    [
        (PLAIN, False),
        (replace(PLAIN, flags="all"), True),
        (replace(PLAIN, flags="none"), False),
        (replace(PLAIN, win_needs="flags"), True),
        (replace(PLAIN, win_needs="flags", flags="none"), False),
        (replace(PLAIN, win_needs="unknown"), False),  # the right button may open the mine
        (replace(PLAIN, win_needs="unknown", flags="all"), True),
        (replace(PLAIN, win_needs="unknown", flags="none"), False),
    ],
)
def test_order_moves_sets_wanted_flags(rules: GameRules, has_flag: bool) -> None:
    flags = ["flag r0c0"] * has_flag
    assert moves("mines 1\n.1.\n110", rules) == [*flags, "open r0c2"]
    assert moves("mines 1\n.10\n110", rules) == flags  # all safe cells are open
    assert moves("mines 1\n.10\n11~", rules) == flags  # an unread number is open


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


@pytest.mark.parametrize("seed", range(16))
def test_order_moves_all_rules_open_same_cells(seed: int) -> None:
    shown, clicks = set(), []
    for rules in (PLAIN, CHORDS, CAREFUL, replace(CAREFUL, can_chord=True), replace(CHORDS, flags="all")):
        field = Minefield(Deal.random(10, 12, 18, seed), "zero")
        field.play([Move("open", 60)])
        truth = field.truth
        assert truth is not None
        clicks.append(0)
        while plan := order_moves(field.board, knowledge := known(field.board), rules):
            start = field.board
            for move in plan:
                around = start.around[move.cell]
                if move.kind == "chord":
                    assert not around & start.not_open & ~(knowledge.true | knowledge.false)
                    assert around & truth == around & field.board.flagged
                elif move.kind == "flag":
                    assert truth >> move.cell & 1
                elif rules.clicked_number == "unknown":
                    assert field.board.closed >> move.cell & 1
                field.play([move])
            clicks[-1] += len(plan)
            assert not field.is_lost
            assert not field.board.closed & sum(1 << move.cell for move in plan if move.kind == "open")
        shown.add(field.board.open)
    assert len(shown) == 1
    assert clicks[1] <= clicks[0] + 3  # a cascade may open cells that a flag was set for


def test_possible_zeros_exclude_neighbours() -> None:
    mine = Board.parse("*....\n.....")
    assert possible_zeros(mine, known(mine)) == 0b11100_11100
    clue = Board.parse("......\n1.....\n......\n......")
    found = possible_zeros(clue, known(clue))
    assert found >> clue.cell("r2c4") & 1
    beside = clue.closed & clue.around[clue.cell("r1c0")]  # one of these five is a mine
    assert all(beside & ~clue.around[k] for k in bits(found))


def test_order_moves_harmful_clicks_avoided() -> None:
    """A click on an open number opens all its unflagged neighbours."""
    lost = 0
    for seed in range(20):
        aware, unaware = (
            SleepyTable(Minefield(Deal.random(10, 12, 20, seed), "zero"), NEVER_ASLEEP, trusts_flags=False)
            for _ in range(2)
        )
        result = player(aware, GameRules(20, "zero", "open", clicked_number="unknown")).play()
        assert result.result == "won" or result.guesses
        assert result.wrong_certain == 0
        lost += player(unaware, GameRules(20, "zero", "open")).play().result == "lost"
    assert lost > 5
