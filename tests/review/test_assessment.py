"""Assessment of moves: certain moves, guesses and their cost."""

from __future__ import annotations

from random import Random
from typing import Any

import ms_toollib
import pytest
from tables import numbers_of

from bot.game.types import GameRules
from bot.review.assessment import MoveAssessment, MoveAssessor, describe
from bot.review.metrics import GameMetrics, game_metrics
from bot.review.played_moves import inferred_moves, recorded_moves
from bot.review.reviewed_game import GameMoment, ReviewedGame
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies

SMALL = ((9, 9, 10), (8, 8, 10), (7, 11, 12), (5, 5, 8), (4, 10, 6))
RULES = GameRules(None, "safe", "open", can_chord=True)


def board_of(text: str) -> Board:
    return Board.parse(text.replace(" ", "\n"))


def verdicts(before: str, after: str, *moves: str, rules: GameRules = RULES) -> list[MoveAssessment]:
    """Assess these moves, or the inferred ones."""
    one, other = (board_of(text).with_mines(rules.mines) for text in (before, after))
    made = inferred_moves(one, other)
    if moves:
        made, _ = recorded_moves(one, other, [Move.parse(text, one) for text in moves])
    moment = GameMoment(0, 1.0, one, other, tuple(made), is_exact=bool(moves))
    return MoveAssessor(load_strategies(), rules).judge(moment)


def test_review_certain_move_has_proof() -> None:
    (found,) = verdicts("1.. 11.", "1.. 111", "open r1c2")
    assert (found.kind, found.risk, found.hit) == ("certain", 0.0, False)
    assert found.proven is not None
    assert found.proven.because == ("r0c0", "r1c1")
    assert describe(found).startswith(
        "Certain, and safe. r0c0 = 1 needs 1 and has only r0c1 left, so r0c1 is a mine."
    )


def test_review_risk_despite_certain_cell_unnecessary() -> None:
    (found,) = verdicts("1..... 11....", "1....1 11....", "open r0c5")
    assert found.kind == "unnecessary guess"
    assert found.board.names(found.certain) == ["r0c2", "r1c2"]
    assert found.proven is not None
    assert found.proven.cell in (2, 8)
    assert found.risk is not None
    assert 0 < found.risk == found.win_chance_lost
    assert "was certainly safe (2 safe cells were certain)" in describe(found)


def test_review_guess_loss_against_best() -> None:
    """One mine next to the 1, one elsewhere: r0c4 has a risk of 1/3, and its number is more informative."""
    rules = GameRules(2, "safe", "open")
    (found,) = verdicts("..1...", ".11...", "open r0c1", rules=rules)
    assert (found.kind, found.risk, found.by) == ("guess", 0.5, "win")
    assert found.best is not None
    assert found.best.safe == pytest.approx(2 / 3)
    assert found.win is not None
    assert found.best_win is not None
    assert 0 < found.win_chance_lost == pytest.approx(found.best_win - found.win, abs=1e-6)
    assert "chance to win the game" in describe(found)


@pytest.mark.parametrize(
    ("before", "after", "mines", "kind", "risk", "lost", "text"),
    [
        ("1.. 11.", "1!. 11.", None, "mistake", 1.0, 1.0, "A mistake: open r0c1 certainly hits a mine."),
        (
            "1. 1.",
            "11 1.",
            1,
            "guess",
            0.5,
            0.0,
            "A guess: open r0c1, risk 50.0 %. No guess was",
        ),
        ("8. ..", "81 ..", None, "not judged", None, 0.0, "The board that was read is impossible"),
    ],
)
def test_review_kind_risk_and_text(
    before: str, after: str, mines: int | None, kind: str, risk: float | None, lost: float, text: str
) -> None:
    (found,) = verdicts(before, after, "open r0c1", rules=GameRules(mines, "safe", "open", can_chord=True))
    assert (found.kind, found.risk, found.win_chance_lost) == (kind, risk, lost)
    assert describe(found).startswith(text)
    assert found.hit == (kind == "mistake")


@pytest.mark.parametrize(
    ("promise", "risk"), [("safe", 0.0), ("zero", 0.0), ("none", None), ("unknown", None)]
)
def test_review_first_click_is_no_guess(promise: Any, risk: float | None) -> None:
    (found,) = verdicts("... ...", "1.. ...", "open r0c0", rules=GameRules(2, promise, "open"))
    assert (found.kind, found.risk) == ("first click", risk)


def test_review_flags() -> None:
    found = verdicts("1.. 11.", "1FF 11F", "flag r0c1", "flag r0c2", "flag r1c2", "unflag r1c2", "chord r0c0")
    assert [each.kind for each in found] == ["flag", "wrong flag", "wrong flag", "flag", "no effect"]
    assert describe(found[0]).startswith("Certainly a mine.")
    assert describe(found[1]).startswith("A wrong flag: r0c2 is certainly safe.")
    assert describe(found[3]) == "The flag on r1c2 is removed."


def test_review_chord_risk_is_all_it_opens() -> None:
    """A flag on one of three cells: each of the other two is a mine with a half of the rest."""
    rules = GameRules(1, "safe", "open", can_chord=True)
    (flag, chord) = verdicts("1. ..", "1F 11", "flag r0c1", "chord r0c0", rules=rules)
    assert flag.kind == "flag"
    assert describe(flag) == "A flag on r0c1, which was not certain."
    assert chord.kind == "guess"
    assert chord.risk == pytest.approx(2 / 3)


def test_review_inferred_order_gives_away_least() -> None:
    """Two guesses between two pictures."""
    differing = 0
    for seed in range(8):
        deal = Deal.random(4, 5, 5, seed)
        field, mines = Minefield(deal, "safe"), deal.lay(12, "safe")
        before = field.play([Move("open", 12)]).with_mines(5)
        known = Reasoner(load_strategies()).deduce(board_knowledge(before)).knowledge
        safe = [k for k in bits(before.closed) if not mines >> k & 1]
        if known.false & before.closed or len(safe) < 2:
            continue
        moves = [Move("open", k) for k in safe[:2]]
        after = field.play(moves).with_mines(5)
        found = inferred_moves(before, after)
        if any(each.is_ambiguous for each in found):
            continue
        judge = MoveAssessor(load_strategies(), RULES)
        costs = []
        for order in (moves, moves[::-1]):
            made, _ = recorded_moves(before, after, order)
            exact = judge.judge(GameMoment(0, 1.0, before, after, tuple(made), is_exact=True))
            costs.append(sum(each.win_chance_lost for each in exact))
        seen = judge.judge(GameMoment(0, 1.0, before, after, tuple(found), is_exact=False))
        differing += min(costs) < max(costs)
        assert sum(each.win_chance_lost for each in seen) == pytest.approx(min(costs)), seed
        guesses = [each for each in seen if "guess" in each.kind]
        assert all(("Its place among 2 moves" in describe(each)) == (len(seen) == 2) for each in guesses)
    assert differing


def figures(rows: int, columns: int, mines: int, moves: list[Move]) -> tuple[GameMetrics, Minefield]:
    """The figures of a game in which these moves were made, one after the other."""
    field = Minefield(Deal.of(rows, columns, mines), "none")
    moments = []
    for number, move in enumerate(moves):
        if field.is_lost or field.is_won:
            break
        before = field.board
        after = field.play([move])
        made, _ = recorded_moves(before, after, [move])
        moments.append(GameMoment(number, float(number), before, after, tuple(made), is_exact=True))
    clicks = sum(len(moment.made) for moment in moments)
    game = ReviewedGame(tuple(moments), field.board, "won" if field.is_won else "lost", 10.0, clicks, mines)
    return game_metrics(game, []), field


def test_review_figures_agree_with_ms_toollib() -> None:
    """3BV, what of it was solved, clicks and efficiency of random play with flags and chords."""
    finished = 0
    for seed in range(500):
        rng = Random(seed)
        rows, columns, total = (16, 30, 99) if seed % 25 == 0 else rng.choice(SMALL)
        mines = Deal.random(rows, columns, total, seed).lay(0, "none")
        moves = list(random_moves(rng, rows, columns, mines))
        ours, field = figures(rows, columns, mines, moves)
        theirs = ms_toollib.MinesweeperBoard(numbers_of(rows, columns, mines))
        for move in moves:
            if theirs.game_board_state in (3, 4):
                break
            theirs.step_flow([(act, divmod(move.cell, columns)) for act in ACTS[move.kind]])
        finished += field.is_won
        clicks = theirs.left + theirs.right + theirs.double
        assert (ours.solved, ours.clicks) == (theirs.bbbv_solved, clicks), seed
        assert ours.efficiency == pytest.approx(theirs.bbbv_solved / clicks)
        assert ours.bv3_per_second == pytest.approx(theirs.bbbv_solved / 10.0)
    assert finished > 100


ACTS = {
    "open": ("lc", "lr"),
    "flag": ("rc", "rr"),
    "unflag": ("rc", "rr"),
    "chord": ("lc", "rc", "rr", "lr"),
}


def random_moves(rng: Random, rows: int, columns: int, mines: int) -> list[Move]:
    """Moves that open safe cells and flag mines mostly, with chords and idle clicks between them."""
    cells = list(range(rows * columns))
    rng.shuffle(cells)
    moves = [Move("open", next(k for k in cells if not mines >> k & 1))]
    for k in cells:
        if mines >> k & 1:
            if rng.random() < 0.3:
                moves.append(Move("flag", k))
        else:
            moves.append(Move("open", k))
            if rng.random() < 0.3:
                moves.append(Move("chord", k))
    if rng.random() < 0.3:
        moves.insert(rng.randrange(1, len(moves)), Move("open", next(k for k in cells if mines >> k & 1)))
    return moves
