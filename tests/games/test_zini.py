"""ZiNi, beside the community's own: the greedy one and the human one."""

from __future__ import annotations

from random import Random

import ms_toollib
import pytest
from tables import field_of, numbers_of

from games.minesweeper import Deal, find_openings
from games.minesweeper.minefield import bv3, human_zini, zini

BOARDS = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (7, 11, 12), (5, 5, 8), (4, 30, 20))


@pytest.mark.parametrize(
    ("truth", "greedy", "human"),
    [
        ("...\n...\n...", 1, 1),  # one opening
        ("*..\n...\n...", 1, 1),
        ("...\n.*.\n...", 5, 6),  # a click, a flag, three chords; the human one begins with a corner
        ("**\n..", 2, 2),
        ("*.*\n...\n*.*", 5, 5),
    ],
)
def test_zini_small_boards(truth: str, greedy: int, human: int) -> None:
    rows = truth.splitlines()
    field = field_of(truth)
    mines = sum(1 << k for k, letter in enumerate("".join(rows)) if letter == "*")
    assert field.truth is None
    size = len(rows), len(rows[0])
    assert (zini(*size, mines), human_zini(*size, mines)) == (greedy, human)


def test_zini_agrees_with_ms_toollib() -> None:
    for seed in range(300):
        rows, columns, total = Random(seed).choice(BOARDS)
        mines = Deal.random(rows, columns, total, seed).lay(0, "none")
        board = numbers_of(rows, columns, mines)
        theirs = ms_toollib.Board(board)
        size = rows, columns, mines
        ours = bv3(*size), len(find_openings(*size)), zini(*size), human_zini(*size)
        assert ours == (theirs.bbbv, theirs.op, theirs.zini, theirs.hzini), seed
        assert ours[2:] == (ms_toollib.cal_zini(board), ms_toollib.cal_hzini(board)), seed  # type: ignore[call-arg] # the stub is wrong
