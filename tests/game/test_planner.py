"""`Planner`: certain moves with reasons before guesses, faults reported once."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from authored import hook, written

from bot.game.plan import Planner, safest_guess
from bot.game.types import GameRules, Plan
from bot.recording.recorder import encode_plan
from games.errors import Contradiction
from games.minesweeper import Board, Deal, Guess, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.reading import BoardHypothesis

RULES = GameRules(None, "none", "open")


def planner(rules: GameRules = RULES, *strategies: str) -> Planner:
    return Planner(Reasoner(load_strategies(strategies)), rules)


def plan(text: str, rules: GameRules = RULES) -> tuple[Board, Plan]:
    board = Board.parse(text)
    return board, planner(replace(rules, mines=board.mines)).plan(board)


def test_planner_watched_game_has_next_guess() -> None:
    board, made = plan("mines 9\n1.....\n" + 5 * "......\n")
    assert made.guess
    assert made.next_guess
    assert made.next_guess.cell != made.guess.cell
    rules = GameRules(9, "none", "open")
    unwatched = Planner(Reasoner(load_strategies()), rules, thorough=False).plan(board)
    assert (unwatched.guess, unwatched.next_guess) == (made.guess, None)


def test_planner_certain_moves_have_reasons() -> None:
    board, made = plan("mines 1\n.1.\n110")
    assert [move.text(board) for move in made.moves] == ["open r0c2"]
    assert made.guess is None
    reported = {board.name(reason.cell): reason for reason in made.certain}
    assert reported["r0c0"].is_mine
    assert not reported["r0c2"].is_mine
    assert reported["r0c2"].because == ("r1c2",)
    assert all(reason.rule and reason.because for reason in made.certain)


def test_planner_reason_reported_once() -> None:
    board = Board.parse("mines 1\n.1.\n110")
    planning = planner(GameRules(1, "none", "open"))
    assert len([*planning.plan(board).certain]) == 2
    assert planning.plan(board).certain == ()
    assert planning.plan(board.with_states({2: "0"})).certain == ()


def test_planner_uses_given_total() -> None:
    board = Board.parse("..\n.1")
    assert planner(GameRules(None)).plan(board).guess is not None
    field = Board.parse("..10\n..10")  # the numbers share the only mine
    assert planner(GameRules(None)).plan(field).guess is not None
    assert planner(GameRules(1)).plan(field).moves == (Move("open", 0), Move("open", 4))


@pytest.mark.parametrize(
    ("first_click", "is_guess"),
    [("safe", False), ("zero", False), ("none", True), ("opened", True), ("unknown", True)],
)
def test_planner_only_promised_first_click_certain(first_click: str, is_guess: bool) -> None:
    made = planner(GameRules(3, first_click)).plan(Board.fresh(4, 4))  # type: ignore[arg-type]
    assert [move.kind for move in made.moves] == ["open"]
    assert (made.guess is not None) == is_guess
    assert ("first click" in [reason.rule for reason in made.certain]) != is_guess


def test_planner_promise_covers_first_click_only() -> None:
    made = planner(GameRules(1, "safe")).plan(Board.parse("..\n.1"))
    assert made.guess is not None
    assert 0 < made.guess.safe < 1


def test_planner_one_by_one_announces_the_others() -> None:
    board = Board.parse("mines 2\n.2..\n.2..\n0000\n0000")
    planning = planner(replace(RULES, mines=2, one_by_one=True))
    first = planning.plan(board)
    assert ([move.cell for move in first.moves], [move.cell for move in first.later]) == ([3], [4, 6, 7])
    assert first.mines == 0b101  # r0c0 and r0c2
    assert [(reason.cell, bool(reason.because)) for reason in first.reasons] == [(3, True)]


@pytest.mark.parametrize("seed", range(3))
def test_planner_one_by_one_keeps_announced_order(seed: int) -> None:
    field = Minefield(Deal(9, 9, 10, tuple(random.Random(seed).sample(range(81), 81))), "zero", "open")
    field.play([Move("open", 40)])
    planning = planner(replace(RULES, mines=10, can_chord=True, one_by_one=True))
    announced: tuple[Move, ...] = ()
    while (now := planning.plan(field.board)).moves and not now.guess:
        kept = [move for move in announced if move in (*now.moves, *now.later)]
        assert len(now.moves) == 1
        assert not kept or now.moves[0] == kept[0] or kept[0].kind == "chord"
        announced = now.later
        field.play(now.moves)
    assert field.board.open.bit_count() > 9


def test_planner_refuted_flag_removed() -> None:
    board, made = plan("mines 1\n.1F\n110")
    assert board.names(made.wrong_flags) == ["r0c2"]
    assert [move.text(board) for move in made.moves] == ["unflag r0c2"]


def test_planner_names_strategy_of_each_cell() -> None:
    board = Board.parse("....\n1221\n....")
    planning = planner(GameRules(), "set-rules", "single-cell", "lowest-risk")
    told = encode_plan(board, planning.plan(board))
    assert {one["by"] for one in told["certain"]} <= {"set-rules", "single-cell"}
    board = Board.parse("mines 2\n.....\n.11..\n.....")
    assert encode_plan(board, planning.plan(board))["guess_by"] == "lowest-risk"


def test_planner_finished_board_no_moves() -> None:
    assert plan("mines 1\n.1\n11")[1].moves == ()
    assert plan("mines 0\n00\n00")[1].moves == ()


def test_planner_contradiction_is_minimal() -> None:
    board = Board.parse("..........\n1111111113\n..........")
    with pytest.raises(Contradiction, match=r"^these cannot all hold: r1c8, r1c9$"):
        planner(GameRules()).plan(board)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (hook("deduce", "raise RuntimeError('no luck')"), "no luck"),
        (
            hook("deduce", "yield Deduction.false(knowledge.universe, knowledge.constraints[:1], 'lie')"),
            "'lie' concludes from nothing that r0c0 and r0c2 are safe",
        ),
        (hook("guess", "return [1 / 0]"), "ZeroDivisionError"),
    ],
)
def test_planner_fault_reported_once(code: str, fault: str, tmp_path: Path) -> None:
    planning = planner(
        GameRules(1, "none", "open"), "single-cell", str(written(tmp_path, code)), "lowest-risk"
    )
    is_guess = "position" in code
    board = Board.parse("..\n.1" if is_guess else "mines 1\n.1.\n110")
    assert is_guess or [move.text(board) for move in planning.plan(board).moves] == ["open r0c2"]
    assert planning.plan(board).moves
    (reported,) = planning.faults()
    assert "mine" in reported
    assert fault in reported
    planning.plan(board)
    assert planning.faults() == []


@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_planner_incremental_equals_fresh(seed: int, thorough: bool) -> None:
    field = Minefield(Deal.random(12, 12, 26, seed), "safe")
    rules = GameRules(26, "safe", "open")
    planning = Planner(Reasoner(load_strategies()), rules, thorough)
    reported = 0
    while not (field.is_won or field.is_lost):
        board, truth = field.board, field.truth
        made = planning.plan(board)
        for reason in made.certain:
            assert truth is None or bool(truth >> reason.cell & 1) == reason.is_mine
            assert not reported >> reason.cell & 1, "reported before"
            reported |= 1 << reason.cell
        fresh = planner(rules).plan(board)
        if thorough or made.guess:
            assert (made.moves, made.guess) == (fresh.moves, fresh.guess)
        else:
            assert set(made.moves) <= set(fresh.moves)
        field.play(made.moves)


def test_planner_misread_board_leaves_no_trace() -> None:
    board = Board.parse("mines 1\n.1.\n110")
    planning = planner(GameRules(1, "none", "open"))
    with pytest.raises(Contradiction):
        planning.plan(Board.parse("mines 1\n.1.\n210"))
    assert [move.text(board) for move in planning.plan(board).moves] == ["open r0c2"]
    # a corrected number: deductions from the old one are dropped
    assert [move.text(board) for move in planning.plan(Board.parse("mines 1\n.1.\n011")).moves] == [
        "open r0c0"
    ]
    assert [move.text(board) for move in planning.plan(board).moves] == ["open r0c2"]


def meant(*weighted: tuple[str, float]) -> list[BoardHypothesis]:
    return [BoardHypothesis(Board.parse(text), weight) for text, weight in weighted]


CORNER = ".1.\n110"  # r0c2 is safe


def test_planner_certain_in_all_alternatives() -> None:
    board = Board.parse(CORNER)
    alone = planner().plan(board)
    assert [move.text(board) for move in alone.moves] == ["open r0c2"]
    for alternatives in (
        meant((CORNER, 1.0)),
        meant((CORNER, 0.6), (".1.\n1~0", 0.4)),  # knows less
        meant((CORNER, 0.9995), (".2.\n1~~", 0.0005)),  # too unlikely to count
        meant((CORNER, 0.6), (".8.\n110", 0.4)),  # impossible
    ):
        assert planner().plan(board, alternatives).moves == alone.moves


def test_planner_disputed_move_not_certain() -> None:
    board = Board.parse("0...0")
    assert planner().plan(board).moves == (Move("open", 1), Move("open", 3))
    planning = planner()
    made = planning.plan(board, meant(("0...0", 0.9), ("1...0", 0.1)))
    assert (made.moves, made.guess) == ((Move("open", 3),), None)
    assert [reason.cell for reason in made.certain] == [3]
    # once it is settled, the cell is certain, with a reason
    again = planning.plan(board)
    assert again.moves == (Move("open", 1), Move("open", 3))
    assert [reason.cell for reason in again.certain] == [1]


def test_planner_all_disputed_guesses_safest() -> None:
    board = Board.parse(CORNER)
    made = planner().plan(board, meant((CORNER, 0.9), (".2.\n1~~", 0.1)))
    assert made.guess is not None
    assert made.moves == (Move("open", board.cell("r0c2")),)
    assert 0.89 < made.guess.safe < 1


def test_safest_guess_safe_in_all_alternatives() -> None:
    """Whether r1c1 shows 1 or 2, the mines lie in the left column, and r0c2 is safe."""
    seen, usual = Board.parse("..1\n.~.\n.11"), Guess(0, 0.5)
    better = safest_guess(seen, meant(("..1\n.1.\n.11", 0.5), ("..1\n.2.\n.11", 0.5)), usual)
    assert better is not None
    assert better.safe > 0.5
    assert better.cell != 0
    assert safest_guess(seen, meant(("..1\n.1.\n.11", 1.0)), usual) is usual


def test_planner_no_hidden_cell_opens_possible_one() -> None:
    board = Board.parse("1~\n~~")
    made = planner().plan(board, meant(("1.\n..", 0.4), ("1~\n.~", 0.3), ("1~\n~~", 0.3)))
    assert made.guess is not None
    assert made.moves == (Move("open", board.cell("r1c0")),)
    assert not planner().plan(board, meant(("1~\n~~", 1.0))).moves


def test_planner_assumed_total_guides_guess_only() -> None:
    board = Board.parse("1...")  # r0c1 is a mine; nothing proves that r0c2 and r0c3 are safe
    made = planner(replace(RULES, assumed_mines=1)).plan(board)
    assert [each.cell for each in made.certain] == [1]
    assert made.guess is not None
    assert (board.name(made.guess.cell), made.guess.safe) == ("r0c2", 1.0)
    assert "if there are 1 mines" in made.guess.reason
    certain = planner(replace(RULES, mines=1)).plan(board)
    assert (certain.guess, [move.text(board) for move in certain.moves]) == (None, ["open r0c2", "open r0c3"])


def test_planner_refuted_assumed_total_is_dropped() -> None:
    board = Board.parse(".1.\n...")
    asked = planner(replace(RULES, assumed_mines=5))
    assert asked.plan(board).guess == planner().plan(board).guess
    assert asked.rules == RULES
