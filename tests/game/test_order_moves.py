"""One sweep: everything certain, in an order that is safe, with flags and chords where they pay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.plan import order_moves, without_chords
from bot.game.types import GameRules
from games.logic import bits
from games.minesweeper import HIDDEN, Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies

PLAIN = GameRules(None, "none", "open")
CHORDS = replace(PLAIN, can_chord=True)


def moves(text: str, rules: GameRules = PLAIN) -> list[str]:
    board = Board.parse(text)
    knowledge = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    return [move.text(board) for move in order_moves(board, knowledge, rules)]


def test_plan_opens_safe_cells_leaves_mines() -> None:
    assert moves("mines 1\n.1.\n11.\n...") == [
        "open r0c2",
        "open r1c2",
        "open r2c0",
        "open r2c1",
        "open r2c2",
    ]


def test_plan_nothing_certain_no_moves() -> None:
    assert moves("mines 1\n..\n.1") == []


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
def test_plan_sets_wanted_flags(rules: GameRules, expected: list[str]) -> None:
    assert moves("mines 1\n.1.\n110", rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (PLAIN, []),
        (replace(PLAIN, win_needs="unknown"), []),  # nobody says so, and its right button may open the mine
        (replace(PLAIN, win_needs="unknown", flags="all"), ["flag r0c0"]),
        (replace(PLAIN, win_needs="unknown", flags="none"), []),
        (replace(PLAIN, win_needs="flags"), ["flag r0c0"]),
    ],
)
def test_plan_flags_after_all_safe_open(rules: GameRules, expected: list[str]) -> None:
    assert moves("mines 1\n.10\n110", rules) == expected
    assert moves("mines 1\n.10\n11~", rules) == expected  # a number that cannot be read is open all the same


def test_plan_existing_flag_not_set_again() -> None:
    assert moves("mines 1\nF1.\n110", replace(PLAIN, flags="all")) == ["open r0c2"]


def test_plan_refuted_flag_removed_first() -> None:
    assert moves("mines 1\n.1F\n110", replace(PLAIN, flags="all")) == ["unflag r0c2"]


def test_plan_unproven_flag_opens_single_cells() -> None:
    # whether r0c3 is mined nobody knows; a cascade and a click on an open number would chord on it
    text = "mines 3\n.1...F\n110..2\n......"
    first = moves(text, CHORDS)
    assert [move.split()[0] for move in first] == ["open"]


def test_plan_question_mark_like_hidden_cell() -> None:
    assert moves("mines 1\n?1?\n110", replace(PLAIN, flags="all")) == ["flag r0c0", "open r0c2"]


def test_plan_cell_marked_safe_is_opened() -> None:
    assert moves("..\n.-") == ["open r1c1"]


# --- chords --------------------------------------------------------------------------------------------


def test_plan_chord_replaces_five_clicks() -> None:
    text = "mines 1\nF1.\n11.\n..."
    assert moves(text) == ["open r0c2", "open r1c2", "open r2c0", "open r2c1", "open r2c2"]
    assert moves(text, CHORDS) == ["chord r1c1"]


def test_plan_chord_sets_its_flags() -> None:
    assert moves("mines 1\n.1.\n11.\n...", CHORDS) == ["flag r0c0", "chord r1c1"]


def test_plan_no_chord_on_zero() -> None:
    around_a_zero = "mines 1\n....\n.0..\n....\n"
    assert len(moves(around_a_zero, CHORDS)) == 8
    assert moves(around_a_zero, CHORDS) == moves(around_a_zero, PLAIN)


def test_plan_refused_chord_becomes_opens() -> None:
    board = Board.parse("mines 1\nF1.\n11.\n...")
    knowledge = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    chord = (Move("chord", board.cell("r1c1")),)
    single = without_chords(chord, board, knowledge)
    assert [move.text(board) for move in single] == [
        "open r0c2",
        "open r1c2",
        "open r2c0",
        "open r2c1",
        "open r2c2",
    ]
    assert without_chords(single, board, knowledge) == single


def test_plan_no_chord_without_gain_or_flags() -> None:
    assert moves("mines 1\n.1.\n110", CHORDS) == ["open r0c2"]
    text = "mines 1\n.1.\n11.\n..."
    assert moves(text, replace(CHORDS, flags="none")) == moves(text, replace(PLAIN, flags="none"))


def middle_of_a_game(seed: int) -> tuple[Minefield, int]:
    """A field with some cells open, and its mines."""
    deal = Deal.random(10, 12, 18, seed)
    field = Minefield(deal, "zero")
    field.play([Move("open", 60)])
    truth = field.truth
    assert truth is not None
    return field, truth


@pytest.mark.parametrize("seed", range(24))
def test_plan_chords_open_same_cells_fewer_clicks(seed: int) -> None:
    reasoner = Reasoner(load_strategies())
    shown, clicks = [], []
    for can_chord in (False, True):
        field, truth = middle_of_a_game(seed)
        made = 0
        while True:
            board = field.board
            knowledge = reasoner.deduce(board_knowledge(board)).knowledge
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
    assert clicks[1] <= clicks[0] + 3  # a cascade may open what a flag was set for


@pytest.mark.parametrize("seed", range(6))
def test_plan_never_flags_safe_cell(seed: int) -> None:
    field, truth = middle_of_a_game(seed)
    knowledge = Reasoner(load_strategies()).deduce(board_knowledge(field.board)).knowledge
    for move in order_moves(field.board, knowledge, replace(CHORDS, flags="all")):
        assert bool(truth >> move.cell & 1) == (move.kind == "flag") or move.kind == "chord"
    assert [*bits(field.board.flagged)] == []
