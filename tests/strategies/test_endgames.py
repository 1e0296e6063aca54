"""Endgames are solved exactly, or played as well as the work that is allowed lets them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import pytest
from stated import kernel_input

from games.logic import Knowledge, bits
from games.minesweeper import Board, Deal, Guess, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.guesser import compare_guesses, rank_guesses, win_probability
from strategies.kernels import GuessSettings
from strategies.kernels.settings import PLAYED
from strategies.testing import all_models, position_of, small_boards


def all_guesses(board: Board, settings: GuessSettings, known: Knowledge | None = None) -> list[Guess]:
    """All guesses, also those below the requested number."""
    return list(rank_guesses(position_of(board, known), settings) or ())


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
        guesses = all_guesses(board, GuessSettings(), known)
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
        situation = kernel_input(board, known)
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
        guesses = all_guesses(board, GuessSettings(work=0), known)
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
    guesses = all_guesses(board, GuessSettings(work=1, played=1))
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
        # the first pair, but r2c0, next to no clue, may tell which of the two is the mine
        ("mines 7\n...202..\n.3.203..\n.11102..", None),
    ],
)
def test_closed_group_played_first_no_loss(text: str, clear: Fraction | None, plain: ModuleType) -> None:
    board = Board.parse(text)
    rules = Reasoner(load_strategies(["single-cell", "set-rules", "backtracking"]))
    known = rules.deduce(board_knowledge(board)).knowledge
    settings = GuessSettings(layouts=0)  # nothing else is solved
    first, second, *_ = all_guesses(board, settings, known)
    if clear is None:
        assert "clear" not in first.figures
        return
    assert first.figures["clear"] == pytest.approx(float(clear))
    assert "to clear this group" in first.reason
    assert "a game of its own" in compare_guesses(first, second)
    truths = tuple(all_models(known))
    assert wins_by(board, truths, first.cell) == wins(board, truths)
    assert "clear" not in all_guesses(board, settings._replace(closed=0), known)[0].figures


def test_win_chance_equals_exhaustive_play() -> None:
    """One mine next to the 1, one among the other three cells."""
    board = Board.parse("mines 2\n..1...")
    position, truths = position_of(board), tuple(all_models(board_knowledge(board)))
    chances = {k: win_probability(position, k) for k in bits(board.closed)}
    assert chances[1] is not None
    assert chances[4] is not None
    for k, chance in chances.items():
        if chance is not None:
            assert chance == pytest.approx(wins_by(board, truths, k) / len(truths))


def test_win_chance_no_cell_beats_best() -> None:
    asked, reasoner = 0, Reasoner(load_strategies())
    for seed in range(16):
        field = Minefield(Deal.random(5, 5, 6, seed), "safe")
        field.play([Move("open", 12)])
        while not (field.is_won or field.is_lost):
            known = reasoner.deduce(board_knowledge(field.board)).knowledge
            safe = known.false & field.board.closed
            if safe:
                field.play([Move("open", k) for k in bits(safe)])
                continue
            position = position_of(field.board, known)
            best = reasoner.guess(position)[0]
            chances = {k: win_probability(position, k) for k in bits(position.openable)}
            if "win" in best.figures and chances[best.cell] is not None:
                asked += 1
                assert chances[best.cell] == pytest.approx(best.figures["win"])
                highest = max(chance for chance in chances.values() if chance is not None)
                assert highest == pytest.approx(best.figures["win"])
            field.play([Move("open", best.cell)])
    assert asked > 5


@pytest.mark.parametrize("board", [Board.parse("..1..."), Board.fresh(9, 9, 10)], ids=["no total", "wide"])
def test_win_chance_unsolvable_board_none(board: Board) -> None:
    assert win_probability(position_of(board), 4) is None
