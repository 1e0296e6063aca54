"""What better guesses would win: chosen by some layouts, judged by others (guessing/remaining.py)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from decisions import HIT, LOST, WON, Candidate, Decision, gain_per_game, mean_of, read
from remaining import came_of
from swift import Game

from games.minesweeper import Deal
from strategies.compiled import kernels

SIFTED = 4


def decision_of(*played: str, game: int = 0) -> Decision:
    own = tuple(Candidate(k, True, 1.0, 0.7, 0.6, 1.0, text) for k, text in enumerate(played))
    return Decision(game, "zero", 1, 2, 30.0, "0" * 480, SIFTED, own)


def test_what_chooses_does_not_judge() -> None:
    lucky = decision_of("0000" + "aa00", "0000" + "00aa")  # each wins the half that the other loses
    fair, fooled = lucky.gain(2)
    assert (fair, fooled) == (-0.5, 0.5)  # chosen by the second half alone, it loses the first one


def test_a_better_candidate_is_found_and_an_equal_one_only_seems_better() -> None:
    rng = Random(1)

    def letters(share: float) -> str:
        return "x0x0" + "".join("c" if rng.random() < share else "2" for _ in range(256))

    better = [decision_of(letters(0.3), letters(0.6), game=g) for g in range(50)]
    equal = [decision_of(letters(0.5), letters(0.5), letters(0.5), game=g) for g in range(200)]
    found = gain_per_game(
        better, [one.gain(64)[0] for one in better], 100, 1.0
    )  # half of the games had a guess
    assert found.low < 0.15 < found.high
    fair, fooled = (mean_of(one.gain(64)[part] for one in equal) for part in (0, 1))
    assert fair.low < 0.0 < fair.high
    assert fooled.low > 0.02


def test_how_often_it_was_a_mine_is_left_to_the_exact_figure() -> None:
    one = Candidate(0, True, 0.8, 0.7, 0.6, 1.0, "xa0xx1b")
    assert one.value(slice(0, 7)) == 0.8 * 2 / 4
    assert one.value(slice(0, 1), slice(1, 3)) == 0.8 * 1 / 2
    assert one.value(slice(3, 5)) == 0.0


def test_what_was_left_out_is_no_rival_and_a_share_stands_for_all() -> None:
    one = decision_of("0000" + "a0a0", "aaaa", "xxxx" + "aaaa")
    assert [rival.cell for rival in one.rivals] == [0, 2]
    assert one.gain(2) == (0.5, 0.5)
    assert gain_per_game([one, one], [0.5, 0.5], 2, 0.5).rate == 1.0
    assert decision_of("aaaa0000", "aaaa").gain(2) == (0.0, 0.0)


def test_a_table_keeps_decisions(tmp_path: Path) -> None:
    table, one = tmp_path / "decisions.jsonl", decision_of("abcd" + "x0x1", "0000")
    table.write_text(one.line + "\n" + one.line[:40], encoding="utf-8")
    assert read(table) == [one]
    assert read(tmp_path / "none.jsonl") == []


def test_a_cell_is_hit_as_often_as_it_is_likely() -> None:
    loops = kernels()
    loops.wait()
    game = Game.begun(Deal.random(9, 9, 14, "remaining/3"), 0, "safe")
    cells, field = game.field()
    risks = loops["survey"](field, loops.tables).risks
    found = came_of(game, cells[: field.bound], 1000, Random(1))
    assert abs((found == "x").mean(1) - risks).max() < 4 * 0.5 / 1000**0.5  # four standard deviations
    assert set(found.ravel()) <= set(HIT + LOST + WON)
    assert np.isin(found, list(WON)).any()
