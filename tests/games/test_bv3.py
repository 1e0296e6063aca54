"""3BV: openings, and the numbers that touch none."""

from __future__ import annotations

import pytest
from tables import field_of

from games.logic import bits, cell_set
from games.minesweeper import Deal, Minefield, Move, neighbours
from games.minesweeper.minefield import bv3


def of(truth: str) -> int:
    rows = truth.split()
    cells = "".join(rows)
    return bv3(len(rows), len(rows[0]), cell_set(k for k, letter in enumerate(cells) if letter == "*"))


@pytest.mark.parametrize(
    ("truth", "clicks"),
    [
        ("...", 1),  # one opening and nothing else
        ("*..", 1),  # the opening takes its rim along
        ("*.", 1),
        ("**", 0),  # nothing to open
        (".*.", 2),  # two numbers without an opening
        ("..*..", 2),  # two openings
        (".*. ... .*.", 9 - 2),  # every number by itself
        ("..... ..... ..*.. ..... .....", 1),  # one opening around the mine
        ("*.... ..... ....*", 1),
        ("..... ***** .....", 10),  # no zero anywhere
        ("..... ..... ***** ..... .....", 2),
        ("*.* ... *.*", 5),
        ("...*... ...*... ...*...", 2),
        (".*.. **.. ....", 1 + 3),  # three numbers touch no opening
    ],
)
def test_bv3_known_boards(truth: str, clicks: int) -> None:
    assert of(truth) == clicks


@pytest.mark.parametrize("seed", range(20))
def test_bv3_equals_fewest_clicks(seed: int) -> None:
    """Clicking every opening once and then every number still shut takes exactly 3BV clicks."""
    deal = Deal.random(7, 9, 4 + seed, seed)
    mines = deal.lay(0, "none")
    around = neighbours(7, 9)
    safe = [k for k in range(63) if not mines >> k & 1]
    field = Minefield(deal, "none")
    clicks = 0
    for k in sorted(safe, key=lambda k: bool(around[k] & mines)):
        if field.board.closed >> k & 1:
            field.play([Move("open", k)])
            clicks += 1
    assert field.is_won
    assert bv3(7, 9, mines) == clicks


def test_field_from_text_has_its_mines() -> None:
    field = field_of("..*\n*..")
    field.play([Move("open", 0)])
    assert field.truth is not None
    assert list(bits(field.truth)) == [2, 3]
