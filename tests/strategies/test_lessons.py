"""Lessons: the order of the steps, no repeats, names of patterns."""

from __future__ import annotations

import functools
import statistics

import pytest
from needed import needs_prover9

from bot.show.explainer import Explainer, LessonStep
from games.logic import DeductionRejected, Linear, check
from games.minesweeper import Board, board_knowledge
from strategies import load_strategies
from strategies.explanation import FEW, LARGE, lesson_steps
from strategies.testing import mid_game

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
    return functools.reduce(int.__or__, (step.cells for step in steps), 0)


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
