"""Verdicts on moves: what was certain, what was a guess, and what that gave away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tables import numbers_of

from bot.game.types import Rules
from bot.review.assessment import Judge, Verdict, said
from bot.review.metrics import Figures, figures_of
from bot.review.reviewed_game import Game, Moment, inferred, played
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, knowledge_of
from strategies import Reasoner, load_strategies

SMALL = ((9, 9, 10), (8, 8, 10), (7, 11, 12), (5, 5, 8), (4, 10, 6))
RULES = Rules(None, "safe", "open", can_chord=True)


def board_of(text: str) -> Board:
    return Board.parse(text.replace(" ", "\n"))


def verdicts(before: str, after: str, *moves: str, rules: Rules = RULES) -> list[Verdict]:
    """What these moves were worth; without any, those that are inferred."""
    one, other = (board_of(text).knowing(rules.mines) for text in (before, after))
    made = inferred(one, other)
    if moves:
        made, _ = played(one, other, [Move.parse(text, one) for text in moves])
    moment = Moment(0, 1.0, one, other, tuple(made), is_exact=bool(moves))
    return Judge(load_strategies(), rules).judge(moment)


def kinds(found: list[Verdict]) -> list[str]:
    return [f"{each.move.text(each.board)}: {each.kind}" for each in found]


def test_a_certain_move_has_its_proof() -> None:
    (found,) = verdicts("1.. 11.", "1.. 111", "open r1c2")
    assert (found.kind, found.risk, found.hit) == ("certain", 0.0, False)
    assert found.proven is not None
    assert found.proven.because == ("r0c0", "r1c1")
    assert said(found).startswith(
        "Certain, and safe. r0c0 = 1 needs 1 and has only r0c1 left, so r0c1 is a mine."
    )


def test_a_risk_where_something_was_certain_is_an_unnecessary_guess() -> None:
    (found,) = verdicts("1..... 11....", "1....1 11....", "open r0c5")
    assert found.kind == "unnecessary guess"
    assert found.board.names(found.certain) == ["r0c2", "r1c2"]
    assert found.proven is not None
    assert found.proven.cell in (2, 8)
    assert found.risk is not None
    assert 0 < found.risk == found.given_away
    assert "was certainly safe (2 safe cells were certain)" in said(found)


def test_opening_a_certain_mine_is_a_mistake() -> None:
    (found,) = verdicts("1.. 11.", "1!. 11.", "open r0c1")
    assert (found.kind, found.risk, found.hit, found.given_away) == ("mistake", 1.0, True, 1.0)
    assert said(found) == "A mistake: open r0c1 certainly hits a mine."


def test_a_guess_gives_away_what_the_best_one_had_more() -> None:
    """One mine beside the 1, one elsewhere: r0c4 is a mine with a third, and its number tells more."""
    rules = Rules(2, "safe", "open")
    (found,) = verdicts("..1...", ".11...", "open r0c1", rules=rules)
    assert (found.kind, found.risk, found.by) == ("guess", 0.5, "win")
    assert found.best is not None
    assert found.best.safe == pytest.approx(2 / 3)
    assert found.win is not None
    assert found.best_win is not None
    assert 0 < found.given_away == pytest.approx(found.best_win - found.win, abs=1e-6)
    assert "to win the game" in said(found)


def test_the_best_guess_gives_nothing_away() -> None:
    rules = Rules(1, "safe", "open")
    (found,) = verdicts("1. 1.", "11 1.", "open r0c1", rules=rules)
    assert (found.kind, found.risk, found.given_away) == ("guess", 0.5, 0.0)
    assert said(found) == "A guess: open r0c1 hits a mine with 50.0 %. No guess was better."


@pytest.mark.parametrize(
    ("promise", "risk"), [("safe", 0.0), ("zero", 0.0), ("none", None), ("unknown", None)]
)
def test_the_first_click_is_no_guess(promise: Any, risk: float | None) -> None:
    (found,) = verdicts("... ...", "1.. ...", "open r0c0", rules=Rules(2, promise, "open"))
    assert (found.kind, found.risk) == ("first click", risk)


def test_flags() -> None:
    found = verdicts("1.. 11.", "1FF 11F", "flag r0c1", "flag r0c2", "flag r1c2", "unflag r1c2", "chord r0c0")
    assert [each.kind for each in found] == ["flag", "wrong flag", "wrong flag", "flag", "no effect"]
    assert said(found[0]).startswith("Certainly a mine.")
    assert said(found[1]).startswith("A wrong flag: r0c2 is certainly safe.")
    assert said(found[3]) == "The flag on r1c2 is taken away."


def test_a_chord_is_as_risky_as_all_that_it_opens() -> None:
    """A flag on one of three cells: each of the other two is a mine with a half of the rest."""
    rules = Rules(1, "safe", "open", can_chord=True)
    (flag, chord) = verdicts("1. ..", "1F 11", "flag r0c1", "chord r0c0", rules=rules)
    assert flag.kind == "flag"
    assert said(flag) == "A flag on r0c1, of which nothing was certain."
    assert chord.kind == "guess"
    assert chord.risk == pytest.approx(2 / 3)


def test_the_order_of_moves_that_were_only_seen_is_the_kindest() -> None:
    """What was certain at first, and what the numbers made certain that it showed, in one look."""
    field = Minefield(Deal.random(9, 9, 10, 4), "zero")
    before = field.play([Move("open", 40)])
    steps = []
    for _ in range(2):
        known = Reasoner(load_strategies()).deduce(knowledge_of(field.board)).knowledge
        steps.append([Move("open", k) for k in bits(known.false & field.board.closed)])
        after = field.play(steps[-1])
    first, second = steps
    assert first
    assert second
    judge = Judge(load_strategies(), RULES)
    seen = judge.judge(Moment(0, 1.0, before, after, tuple(inferred(before, after)), is_exact=False))
    assert {each.kind for each in seen} == {"certain"}
    made, _ = played(before, after, [*second, *first])
    recorded = judge.judge(Moment(0, 1.0, before, after, tuple(made), is_exact=True))
    assert recorded[0].kind == "unnecessary guess"


def test_a_board_that_cannot_be_is_not_judged() -> None:
    (found,) = verdicts("9. ..".replace("9", "8"), "81 ..", "open r0c1")
    assert found.kind == "not judged"


# --- figures ---------------------------------------------------------------------------------------------


def figures(rows: int, columns: int, mines: int, moves: list[Move]) -> tuple[Figures, Minefield]:
    """The figures of a game in which these moves were made, one after the other."""
    field = Minefield(Deal.of(rows, columns, mines), "none")
    moments = []
    for number, move in enumerate(moves):
        if field.is_lost or field.is_won:
            break
        before = field.board
        after = field.play([move])
        made, _ = played(before, after, [move])
        moments.append(Moment(number, float(number), before, after, tuple(made), is_exact=True))
    clicks = sum(len(moment.made) for moment in moments)
    game = Game(tuple(moments), field.board, "won" if field.is_won else "lost", 10.0, clicks, mines)
    return figures_of(game, []), field


def test_a_thousand_games_have_the_figures_that_ms_toollib_gives() -> None:
    """3BV, what of it was solved, clicks and efficiency of random play with flags and chords."""
    other: Any = pytest.importorskip("ms_toollib", reason="a wheel that this system has none of")
    finished = 0
    for seed in range(1000):
        rng = Random(seed)
        rows, columns, total = (16, 30, 99) if seed % 25 == 0 else rng.choice(SMALL)
        mines = Deal.random(rows, columns, total, seed).lay(0, "none")
        moves = list(random_moves(rng, rows, columns, mines))
        ours, field = figures(rows, columns, mines, moves)
        theirs = other.MinesweeperBoard(numbers_of(rows, columns, mines))
        for move in moves:
            if theirs.game_board_state in (3, 4):
                break
            theirs.step_flow([(act, divmod(move.cell, columns)) for act in ACTS[move.kind]])
        finished += field.is_won
        clicks = theirs.left + theirs.right + theirs.double
        assert (ours.solved, ours.clicks) == (theirs.bbbv_solved, clicks), seed
        assert ours.efficiency == pytest.approx(theirs.bbbv_solved / clicks)
        assert ours.bv3_per_second == pytest.approx(theirs.bbbv_solved / 10.0)
    assert finished > 200


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
