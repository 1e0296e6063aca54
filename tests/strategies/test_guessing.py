"""Guesses beyond the lowest risk: exact figures, exact endgames, twins, the same answers from both paths."""

from __future__ import annotations

from itertools import islice
from types import ModuleType

import ms_toollib
import numpy as np
import pytest
from stated import check_risks, kernel_input, stated

import strategies.kernels
from games.logic import Knowledge, bits, cell_set
from games.minesweeper import Board, Deal, Guess, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.guesses import best, lowest_risk_progress, quick
from strategies.guesser import MAX_GUESSES, describe_guess, rank_guesses, win_probability
from strategies.kernels import GuessSettings, make_position, thread_memory
from strategies.kernels.settings import SCORED, Survey
from strategies.position import Position
from strategies.probability.counts import count_components
from strategies.probability.kernel_input import KernelInput
from strategies.probability.risks import MineProbabilities, exact_probabilities
from strategies.testing import position_of, small_boards, small_knowledge


def surveyed(knowledge: Knowledge, counted: int, kernels: ModuleType) -> MineProbabilities:
    """The risks that the kernel counts."""
    position = KernelInput.of(knowledge, counted)
    found: Survey = kernels.survey(position.arrays, kernels.thread_memory())
    assert found.is_valid
    bound = position.bound
    by_cell = dict(zip(position.cells[:bound], found.risks, strict=True))
    return MineProbabilities(by_cell, cell_set(position.cells[bound:]), found.rest_risk)


def test_kernel_risks_equal_all_layouts(plain: ModuleType) -> None:
    compared = 0
    for knowledge in (*map(board_knowledge, small_boards("guess", 80, 13)), *small_knowledge("guess", 80)):
        counted = next((c.cells for c in knowledge.given if c.is_global), knowledge.universe)
        compared += check_risks(surveyed(knowledge, counted, plain), knowledge, counted)
    assert compared > 800


@pytest.mark.slow
def test_kernel_risks_thousands_of_positions() -> None:
    for knowledge in map(board_knowledge, small_boards("thousands", 250, 12)):
        found = surveyed(knowledge, knowledge.universe, strategies.kernels)
        check_risks(found, knowledge, knowledge.universe)


def expert_positions(seed: str, games: int) -> list[tuple[Board, Knowledge]]:
    """The positions of Expert games at which nothing is certain."""
    found = []
    for game in range(games):
        field = Minefield(Deal.random(16, 30, 99, f"{seed}/{game}"))
        board = field.play([Move("open", 0)])
        reasoner = Reasoner(load_strategies(["single-cell", "set-rules", "mine-count", "backtracking"]))
        while not (field.is_won or field.is_lost):
            known = reasoner.deduce(board_knowledge(board)).knowledge
            safe = known.false & board.closed
            if not safe:
                found.append((board, known))
                safe = board.closed & ~known.true & ~(field.truth or 0)
                safe &= -safe
            board = field.play([Move("open", k) for k in bits(safe)])
    return found


def test_kernel_risks_agree_with_other_counts(plain: ModuleType) -> None:
    """Integers of any size, and `cal_probability_onboard` of ms_toollib, a program in Rust."""
    for board, known in expert_positions("other", 2)[:15]:
        numbers = [[int(s) if s in "012345678" else 10 for s in row] for row in board.grid]
        theirs, *_ = ms_toollib.cal_probability_onboard(numbers, 99.0)
        exact = exact_probabilities(count_components(known, board.not_open))
        found = surveyed(known, board.not_open, plain)
        assert found.rest == exact.rest
        for k in bits(known.undecided):
            assert found.of(k) == pytest.approx(exact.of(k), abs=1e-11)
            assert found.of(k) == pytest.approx(theirs[k // 30][k % 30], abs=1e-9)


@pytest.mark.slow
@pytest.mark.skipif(not strategies.kernels.is_compiled(), reason="the extension was not built")
@pytest.mark.parametrize("settings", [best.settings, quick.settings, lowest_risk_progress.settings])
def test_guess_compiled_equals_plain(settings: GuessSettings, request: pytest.FixtureRequest) -> None:
    """To the last bit, on all kinds of boards."""
    positions = [position_of(*each) for each in expert_positions("same", 1)[:12]]
    positions += map(position_of, small_boards("same", 150, 14))

    def answers(position: Position) -> tuple[list[Guess], list[float | None]]:
        chances = [win_probability(position, cell) for cell in islice(bits(position.openable), 4)]
        return list(rank_guesses(position, settings) or ()), chances

    compiled = list(map(answers, positions))
    request.getfixturevalue("plain")
    assert list(map(answers, positions)) == compiled


def test_guess_reports_figures(plain: ModuleType) -> None:
    position = position_of("mines 5\n1....\n.....\n.....")
    guesses = list(rank_guesses(position, GuessSettings(layouts=0)) or ())
    assert "% to survive the next move as well" in guesses[0].reason
    assert "certain cells expected" in guesses[0].reason


@pytest.mark.parametrize("gain", [0.0, 0.1])
def test_look_ahead_pruning_keeps_choice(gain: float, plain: ModuleType) -> None:
    looked, memory = 0, plain.thread_memory()
    for board in small_boards("deeper", 120, 8):
        arrays = kernel_input(board).arrays
        settings = GuessSettings(layouts=0, deep=3, gain=gain, closed=0, candidates=6, replies=3)
        first = plain.choose_cell(arrays, settings._replace(deep=0), memory)
        deep = plain.choose_cell(arrays, settings, memory)
        if deep.way != SCORED:
            continue
        found = plain.components.survey_risks(arrays, arrays.rows, memory)
        best = max(
            first.safe[k] * plain.lookahead.value_opened(found, int(k), -1.0, settings)
            for k in np.argsort(-np.array(first.score), kind="stable")[:3]
            if first.score[k] >= 0.0
        )
        assert deep.score[deep.cell] == pytest.approx(best, abs=1e-9), str(board)
        looked += 1
    assert looked > 10


@pytest.mark.parametrize("name", ["best", "quick", "lowest-risk-progress"])
@pytest.mark.parametrize(
    "text",
    [
        "....\n....",
        "mines 2\n....\n....",
        "1...............................................................................\n" + "." * 80,
    ],
)
def test_guess_every_strategy_answers(name: str, text: str) -> None:
    guesses = Reasoner(load_strategies([name])).guess(position_of(text))
    assert len({guess.cell for guess in guesses}) == len(guesses) == min(text.count("."), MAX_GUESSES)


def test_guess_contradiction_or_single_cell() -> None:
    odd_cycle = Position(stated("1:0,1", "1:1,2", "1:0,2", cells=4), 1, 4, 15, (0, 0, 0, 0))
    single = Position(Knowledge.of(1, ()), 1, 1, 1, (0,))
    positions = (position_of("mines 1\n3...\n...."), odd_cycle, single)
    guesses = [Reasoner(load_strategies(["best"])).guess(position) for position in positions]
    assert list(map(len, guesses)) == [7, 4, 1]


def test_risk_possible_mine_never_zero() -> None:
    """One layout in a binomial: its share is far below the rounding error of 1."""
    two, one, empty = np.array([1, 1]), np.array([1]), np.zeros(0, np.int64)

    def survey(total: int) -> Survey:
        openable = np.ones(902, np.int64)
        rule = np.array([0, 2]), np.array([0, 1]), one * 0, one * 2
        around = np.zeros(903, np.int64), empty
        position = make_position(two, openable, rule, around, total, total, 0.25)
        found = strategies.kernels.survey(position, thread_memory())
        assert found.is_valid
        return found

    full = survey(902)
    assert (full.risks, full.rest_risk) == ([1.0, 1.0], 1.0)
    assert 0.0 < survey(1).risks[0] < 1.0
    assert 0.0 < survey(901).risks[0] < 1.0
    assert survey(0).rest_risk == 0.0


PREFERRED = "for the moves after it, preferred to a cell that is 92.0 % safe"


@pytest.mark.parametrize(
    ("guess", "others", "said"),
    [
        (Guess(1, 0.92, "92.0 % safe, 80 % to survive", {"score": 0.7}), [0.901], "the next best 90.1 %"),
        (Guess(1, 0.9, "", {"score": 0.7}), [0.92], PREFERRED),
        (Guess(1, 0.5, "", {"least": 0.4}), [0.45], "at least 40.0 % to win"),
        (Guess(1, 0.5, "", {"clear": 0.5}), [0.4], "50.0 % to clear this group, a game of its own"),
    ],
)
def test_describe_guess_for_players(guess: Guess, others: list[float], said: str) -> None:
    named = describe_guess(guess, [Guess(k, safe) for k, safe in enumerate(others, 2)])
    assert named == f"{100 * guess.safe:.1f} % safe, {said}"


def test_describe_guess_of_a_plugin() -> None:
    assert describe_guess(Guess(1, 0.5, "in the middle")) == "50.0 % safe: in the middle"
    assert describe_guess(Guess(1, 0.5, "50.0 % safe, in the middle")) == "50.0 % safe: in the middle"
    assert describe_guess(Guess(1, 1.0, "the first click opens a zero")) == "the first click opens a zero"
