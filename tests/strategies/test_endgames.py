"""Endgames are solved exactly, or played as well as the work that is allowed lets them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import pytest

from games.logic import Knowledge, bits
from games.minesweeper import Board, Guess, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.guesser import compare_guesses, rank_guesses
from strategies.kernels import GuessSettings
from strategies.kernels.settings import PLAYED
from strategies.position import Position
from strategies.probability.kernel_input import KernelInput
from strategies.testing import all_models, position_of, small_boards


def all_guesses(position: Position, settings: GuessSettings) -> list[Guess]:
    """All guesses, also those below the requested number."""
    return list(rank_guesses(position, settings) or ())


def wins(board: Board, truths: tuple[int, ...]) -> int:
    """In how many of these layouts the best play wins, by trying every move."""
    if len(truths) < 2:
        return len(truths)
    return max(wins_by(board, truths, k) for k in bits(board.not_open))


def wins_by(board: Board, truths: tuple[int, ...], k: int) -> int:
    """In how many of these layouts the best play wins when this cell is opened first."""
    by_number: dict[int, list[int]] = {}
    for truth in truths:
        if not truth >> k & 1:
            by_number.setdefault((truth & board.around[k]).bit_count(), []).append(truth)
    return sum(wins(board.with_states({k: str(number)}), tuple(own)) for number, own in by_number.items())


def late_boards(seed: str) -> Iterator[tuple[Board, Knowledge, tuple[int, ...]]]:
    """Boards with a known total and 6 to 50 layouts, with their knowledge and layouts."""
    for board in small_boards(seed, 260, 8):
        known = board_knowledge(board)
        truths = tuple(all_models(known))
        if board.mines is not None and 5 < len(truths) <= 50:
            yield board, known, truths


def test_endgame_solved_exactly(plain: ModuleType) -> None:
    solved = 0
    for board in small_boards("endgame", 260, 8):
        known = board_knowledge(board)
        truths = tuple(all_models(known))
        guesses = all_guesses(position_of(board, known), GuessSettings())
        if all(known.undecided & ~truth == 0 for truth in truths):
            continue  # nothing but mines is left
        assert guesses
        if board.mines is not None and guesses[0].safe < 1.0:
            assert guesses[0].figures["win"] == pytest.approx(wins(board, truths) / len(truths)), str(board)
            solved += 1
    assert solved > 10


def test_endgame_solves_parts_of_cells(plain: ModuleType) -> None:
    solved = 0
    for board, known, truths in late_boards("beyond"):
        settings = GuessSettings(layouts=len(truths) - 1, beyond=2, work=3e4)
        position = position_of(board, known)
        situation = KernelInput.of(known, (1 << len(board)) - 1, position.openable, position.counts)
        choice = plain.choose_cell(situation.arrays, settings, plain.thread_memory())
        if choice.way == PLAYED:
            won = wins_by(board, truths, situation.cells[choice.cell])
            assert choice.score[choice.cell] == pytest.approx(won / len(truths)), str(board)
            solved += 1
    assert solved > 10


def plain_play(board: Board, truths: tuple[int, ...], k: int) -> int:
    """In how many of these layouts opening this cell wins, and then always the safest informative cell."""
    won = 0
    for number in range(9):
        own = tuple(t for t in truths if not t >> k & 1 and (t & board.around[k]).bit_count() == number)
        shown = board.with_states({k: str(number)})
        telling = [
            (sum(not t >> c & 1 for t in own), c)
            for c in bits(shown.not_open)
            if len({(t & board.around[c]).bit_count() for t in own if not t >> c & 1}) > 1
        ]
        if len(own) < 2 or not telling:
            won += min(len(own), 1)
        else:
            safest = max(count for count, _ in telling)
            won += max(plain_play(shown, own, c) for count, c in telling if count == safest)
    return won


def test_endgame_unsolved_matches_plain_play(plain: ModuleType) -> None:
    played = 0
    for board, known, truths in late_boards("plainly"):
        guesses = all_guesses(position_of(board, known), GuessSettings(work=0))
        assert guesses
        if guesses[0].safe < 1.0 and (score := guesses[0].figures.get("least")) is not None:
            assert score <= wins_by(board, truths, guesses[0].cell) / len(truths) + 1e-9, str(board)
            assert score <= plain_play(board, truths, guesses[0].cell) / len(truths) + 1e-9, str(board)
            assert score > 0.0
            assert "at least" in guesses[0].reason
            played += 1
    assert played > 10


def test_guess_tiny_work_limit_still_answers(plain: ModuleType) -> None:
    board = Board.parse("mines 3\n1....\n.....")
    guesses = all_guesses(position_of(board, board_knowledge(board)), GuessSettings(work=1, played=1))
    assert guesses
    assert "win" not in guesses[0].figures
    assert {"score", "second", "certain"} <= guesses[0].figures.keys()


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        # r0c0 and r0c1: no number can show which is the mine, though other cells are safer now
        ("mines 7\n...202..\n13.203..\n011102..", Fraction(1, 2)),
        # six cells in the lower left corner, next to cells with fewer mines
        ("mines 8\n.2..20\n1...41\n.2....\n.1..31", Fraction(5, 7)),
    ],
)
def test_closed_group_played_first_no_loss(text: str, clear: Fraction, plain: ModuleType) -> None:
    board = Board.parse(text)
    rules = Reasoner(load_strategies(["single-cell", "set-rules", "backtracking"]))
    known = rules.deduce(board_knowledge(board)).knowledge
    settings = GuessSettings(layouts=0)  # nothing else is solved
    guesses = all_guesses(position_of(board, known), settings)
    assert guesses
    assert guesses[0].figures["clear"] == pytest.approx(float(clear))
    assert "to clear this group" in guesses[0].reason
    assert "a game of its own" in compare_guesses(guesses[0], guesses[1])
    truths = tuple(all_models(known))
    assert wins_by(board, truths, guesses[0].cell) == wins(board, truths)
    without = all_guesses(position_of(board, known), settings._replace(closed=0))
    assert without
    assert "clear" not in without[0].figures


def test_closed_group_undecided_neighbour_open(plain: ModuleType) -> None:
    """The same pair, but r2c0, next to no clue, may tell which of the two is the mine."""
    board = Board.parse("mines 7\n...202..\n.3.203..\n.11102..")
    rules = Reasoner(load_strategies(["single-cell", "set-rules", "backtracking"]))
    known = rules.deduce(board_knowledge(board)).knowledge
    guesses = all_guesses(position_of(board, known), GuessSettings(layouts=0))
    assert guesses
    assert "clear" not in guesses[0].figures
