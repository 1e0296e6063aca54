"""Explanations of cells are minimal; lessons have an order, no repeats, and names of patterns."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

import pytest
from needed import needs_prover9
from tables import known as solved

from bot.show.explainer import Explainer, LessonStep
from games.logic import Constraint, DeductionRejected, Knowledge, Linear, bits, check, union_cells
from games.minesweeper import Board, board_knowledge
from strategies import load_strategies
from strategies.explanation import FEW, LARGE, Explanation, ExplanationFinder, lesson_steps
from strategies.testing import all_models, certain_variables, mid_game, small_boards

STRATEGIES = load_strategies()

# the board, the cell, the name of the pattern that decides it
PATTERNS = (
    ("....\n11..\n00..", "r0c2", "1-1"),
    (".....\n.121.\n.000.", "r0c1", "1-2-1"),
    (".....\n.121.\n.000.", "r0c3", ""),  # by then one clue decides it
    ("......\n.1221.\n.0000.", "r0c2", "1-2-2-1"),
    ("....\n122-\n000-", "r0c2", "1-2"),
    ("....\n232-\n*10-", "r0c2", "1-2"),  # 2 and 3 minus the known mine
    ("1.1.\n1.1.", "r0c3", "hole"),
    ("mines 1\n.1..", "r0c3", "last mines"),
    ("..1..\n.121.\n..1..", "r0c0", ""),  # three clues at once have no name
)


@pytest.mark.parametrize(("text", "cell", "pattern"), PATTERNS)
def test_lesson_patterns_have_common_names(text: str, cell: str, pattern: str) -> None:
    board = Board.parse(text)
    steps = Explainer(board, STRATEGIES).lesson()
    assert [step.pattern for step in steps if step.cells >> board.cell(cell) & 1] == [pattern]


@pytest.mark.parametrize("large", [LARGE, 0])
def test_lesson_steps_proved_without_repeats(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On large boards, independent steps are learned together; each still follows from the earlier ones."""
    monkeypatch.setattr("strategies.explanation.LARGE", large)
    for board in mid_game(3, 5, "intermediate"):
        explainer = Explainer(board, STRATEGIES)
        assert union_of(explainer.lesson()) == explainer.certain
        assert explainer.remarks == ()
        shown, replayed = 0, board_knowledge(board)
        for link in lesson_steps(replayed, STRATEGIES, explainer.certain):
            check(link.deduction, replayed)
            replayed = replayed.learn([link.deduction])
            if link.news.all_true or link.news.all_false:
                assert not link.news.cells & shown
                shown |= link.news.cells
        assert shown == explainer.certain


def test_lesson_step_needs_every_clue() -> None:
    long = 0
    for board in mid_game(5, 3, "intermediate"):
        replayed = board_knowledge(board)
        for link in lesson_steps(replayed, load_strategies(["backtracking"]), replayed.universe):
            step = link.deduction.step
            if len(step.premises) > FEW and not isinstance(step.method, Linear):
                long += 1
                for spared in step.premises:
                    fewer = tuple(each for each in step.premises if each is not spared)
                    with pytest.raises(DeductionRejected):
                        check(link.deduction._replace(step=step._replace(premises=fewer)), replayed)
            replayed = replayed.learn([link.deduction])
    assert long


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ("models", ["models of the clues about 9 cells: 1, with mines in", "1. r0c1 r0c3"]),
        pytest.param("prover9", ["$F.", "r0c1"], marks=needs_prover9),
    ],
)
def test_lesson_strategy_uses_own_words(strategy: str, said: list[str]) -> None:
    first, *_ = Explainer(Board.parse(".....\n.121.\n.000."), load_strategies([strategy])).lesson()
    for words in said:
        assert words in first.account


def union_of(steps: list[LessonStep]) -> int:
    """The set of cells that a lesson decides."""
    cells = 0
    for step in steps:
        cells |= step.cells
    return cells


def test_lesson_step_limit_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    board = next(iter(mid_game(3, 1, "intermediate")))
    explainer = Explainer(board, STRATEGIES)
    usual = explainer.lesson()
    monkeypatch.setattr("strategies.explanation.MAX_WORK", 3 * len(board))
    few = explainer.lesson()
    assert 0 < len(few) < len(usual)
    missing = (explainer.certain & ~union_of(few)).bit_count()
    assert explainer.remarks[-1].startswith(f"{missing} more certain cells are not explained")


@pytest.mark.slow
def test_lesson_halves_sentences() -> None:
    shares = []
    for level, count in (("beginner", 20), ("intermediate", 10)):
        for board in mid_game(9, count, level):
            explainer = Explainer(board, STRATEGIES)
            told = explainer.explained(explainer.certain)
            apart = {(each.because, each.sentences, each.is_mine) for each in told}
            if apart:
                shares.append(len(explainer.lesson()) / sum(len(sentences) for _, sentences, _ in apart))
    assert len(shares) > 20
    assert statistics.median(shares) <= 0.5


def all_explanations(known: Knowledge, cells: int) -> list[Explanation]:
    """Explanations of a set of known cells, easiest first."""
    finder = ExplanationFinder(known, STRATEGIES)
    found = [reason for k in bits(cells) if (reason := finder.of(k))]
    return sorted(found, key=lambda reason: reason.ease)


def holds(constraints: Iterable[Constraint]) -> bool:
    """Whether some layout satisfies all constraints, by brute force."""
    kept = tuple(constraints)
    return bool(all_models(Knowledge(union_cells(kept), kept)))


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
