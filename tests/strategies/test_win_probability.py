"""Win probabilities, compared with exhaustive play and with the guesses of `best`."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.guesser import win_probability
from strategies.position import Position


def position_of(board: Board) -> Position | None:
    """The position; None if it has a certain move."""
    known = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
    openable = board.closed & known.undecided
    if known.false & board.closed or not openable:
        return None
    return Position(known, board.rows, board.columns, openable, board.around)


def by_hand(layouts: list[int], cells: list[int], around: tuple[int, ...], cell: int) -> Fraction:
    """The share of layouts (sets of mines) won by opening `cell` and then always the best cell."""
    groups: dict[int, list[int]] = {}
    for mines in layouts:
        if not mines >> cell & 1:
            groups.setdefault((around[cell] & mines).bit_count(), []).append(mines)
    left = [k for k in cells if k != cell]
    won = Fraction(0)
    for group in groups.values():
        shut = [k for k in left if any(not mines >> k & 1 for mines in group)]
        share = Fraction(len(group), len(layouts))
        won += share * (max(by_hand(group, left, around, k) for k in shut) if shut else 1)
    return won


def test_win_chance_equals_exhaustive_play() -> None:
    """One mine next to the 1, one among the other three cells."""
    board = Board.parse("mines 2\n..1...")
    position = position_of(board)
    assert position is not None
    layouts = [1 << a | 1 << b for a in (1, 3) for b in (0, 4, 5)]
    cells = [0, 1, 3, 4, 5]
    for k in cells:
        win = win_probability(position, k)
        if win is not None:
            assert win == pytest.approx(float(by_hand(layouts, cells, board.around, k)))
    assert win_probability(position, 4) is not None
    assert win_probability(position, 1) is not None


def test_win_chance_no_cell_beats_best() -> None:
    asked = 0
    for seed in range(16):
        field = Minefield(Deal.random(5, 5, 6, seed), "safe")
        field.play([Move("open", 12)])
        while not (field.is_won or field.is_lost):
            reasoner = Reasoner(load_strategies())
            known = reasoner.deduce(board_knowledge(field.board)).knowledge
            safe = known.false & field.board.closed
            if safe:
                field.play([Move("open", k) for k in bits(safe)])
                continue
            position = position_of(field.board)
            assert position is not None
            best = reasoner.guess(position)[0]
            chances = {k: win_probability(position, k) for k in bits(position.openable)}
            if "win" in best.figures and chances[best.cell] is not None:
                asked += 1
                assert chances[best.cell] == pytest.approx(best.figures["win"])
                known_chances = [chance for chance in chances.values() if chance is not None]
                assert max(known_chances) == pytest.approx(best.figures["win"])
            field.play([Move("open", best.cell)])
    assert asked > 5


def test_can_be_certain_unknown_total_or_wide() -> None:
    position = position_of(Board.parse("..1..."))
    assert position is not None
    assert win_probability(position, 4) is None
    wide = position_of(Board.fresh(9, 9, 10))
    assert wide is not None
    assert win_probability(wide, 0) is None
