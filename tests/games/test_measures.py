"""3BV, greedy ZiNi and human ZiNi: known boards, and random boards compared with ms_toollib."""

from __future__ import annotations

from random import Random

import ms_toollib
import pytest
from tables import numbers_of

from games.logic import cell_set
from games.minesweeper import Deal
from games.minesweeper.minefield import bv3, find_openings, human_zini, zini

BOARDS = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (7, 11, 12), (5, 5, 8), (4, 30, 20))


def field_arguments(truth: str) -> tuple[int, int, int]:
    rows = truth.split()
    return len(rows), len(rows[0]), cell_set(k for k, state in enumerate("".join(rows)) if state == "*")


@pytest.mark.parametrize(
    ("truth", "clicks"),
    [
        ("...", 1),  # one opening
        ("*..", 1),  # the opening includes its border
        ("**", 0),  # nothing to open
        (".*.", 2),  # two numbers without an opening
        ("..*..", 2),  # two openings
        (".*. ... .*.", 9 - 2),  # numbers only
        ("..... ..... ..*.. ..... .....", 1),  # one opening around the mine
        ("..... ***** .....", 10),  # no zero
        (".*.. **.. ....", 1 + 3),  # three numbers outside the opening
    ],
)
def test_bv3_known_boards(truth: str, clicks: int) -> None:
    assert bv3(*field_arguments(truth)) == clicks


@pytest.mark.parametrize(
    ("truth", "greedy", "human"),
    [
        ("... ... ...", 1, 1),  # one opening
        ("*.. ... ...", 1, 1),
        ("... .*. ...", 5, 6),  # a click, a flag, three chords; human ZiNi opens a corner first
        ("** ..", 2, 2),
        ("*.* ... *.*", 5, 5),
    ],
)
def test_zini_known_boards(truth: str, greedy: int, human: int) -> None:
    field = field_arguments(truth)
    assert (zini(*field), human_zini(*field)) == (greedy, human)


def test_measures_agree_with_ms_toollib() -> None:
    for seed in range(150):
        rows, columns, total = Random(seed).choice(BOARDS)
        mines = Deal.random(rows, columns, total, seed).lay(0, "none")
        board = numbers_of(rows, columns, mines)
        theirs = ms_toollib.Board(board)
        size = rows, columns, mines
        ours = bv3(*size), len(find_openings(*size)), zini(*size), human_zini(*size)
        assert ours == (theirs.bbbv, theirs.op, theirs.zini, theirs.hzini), seed
        assert ours[2:] == (ms_toollib.cal_zini(board), ms_toollib.cal_hzini(board)), seed  # type: ignore[call-arg] # the stub is wrong
