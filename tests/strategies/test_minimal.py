"""Minimal conflicts, minimal reasons and single layouts, compared with all layouts."""

from __future__ import annotations

from collections.abc import Iterable

from tables import known as solved

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits, union_cells
from games.minesweeper import Board, board_knowledge
from strategies import load_strategies
from strategies.explanation import Explanation, ExplanationFinder
from strategies.search.conflicts import ReasonFinder, minimize_contradiction
from strategies.testing import all_models, certain_variables, small_boards


def all_explanations(known: Knowledge, cells: int) -> list[Explanation]:
    """Explanations of a set of known cells, easiest first."""
    finder = ExplanationFinder(known, load_strategies())
    found = [reason for k in bits(cells) if (reason := finder.of(k))]
    return sorted(found, key=lambda reason: reason.ease)


def holds(constraints: Iterable[Constraint]) -> bool:
    """Whether some layout satisfies all constraints, by brute force."""
    kept = tuple(constraints)
    return bool(all_models(Knowledge(union_cells(kept), kept)))


def test_conflict_narrowed_or_unchanged() -> None:
    given = board_knowledge(Board.parse("..........\n1111111113\n..........")).given
    error = Contradiction("these cannot all hold: a lot", ("a", "lot"))
    assert minimize_contradiction(error, given[:3]) is error
    minimal = minimize_contradiction(error, given)
    assert minimal.sources == ("r1c8", "r1c9")
    assert str(minimal) == "these cannot all hold: r1c8, r1c9"


def test_reason_is_minimal() -> None:
    seen = 0
    for board in small_boards("reason", 30):
        known = solved(board)
        true, false = certain_variables(known)
        for reason in all_explanations(known, true | false):
            seen += 1
            assert reason.is_true == bool(true >> reason.cell & 1)
            number = 0 if reason.is_true else 1
            opposite = Constraint(1 << reason.cell, number, number)
            assert not holds((*reason.because, opposite))
            for left_out in reason.because:
                assert holds((*(c for c in reason.because if c is not left_out), opposite))
            assert set(reason.lineage.given_behind(reason.places)) == set(reason.because)
    assert seen > 50


def test_reason_fewer_clues_preferred() -> None:
    board = Board.parse("...1..\n111111\n000000")
    known = solved(board)
    reasons = all_explanations(known, known.true | known.false)
    assert {reason.rank for reason in reasons} == {1}
    assert board.names(1 << reasons[0].cell) == ["r0c0"]
    assert [len(reason.because) for reason in reasons] == [2, 2, 3, 3, 4]


def test_minimal_reason_cell_without_strategy() -> None:
    known = board_knowledge(Board.parse("...\n121\n..."))
    finder = ExplanationFinder(known, load_strategies(["single-cell"]))
    assert finder.of(0) is None
    true, false = certain_variables(known)
    for k in bits(true | false):
        reason = finder.showing(k, bool(true >> k & 1))
        assert reason is not None
        assert reason.rank == 1  # behind the only strategy


def test_reason_undecided_cell_none() -> None:
    clues = ReasonFinder([c for text in ("1..", ".1.") for c in board_knowledge(Board.parse(text)).given])
    assert clues.reasons(0, is_true=True) == ()
